#!/usr/bin/env python3
"""An engine for Othello that speaks NBoard, version 2, and plays the first move it finds.

It reads the game from the GGF of `set game`, refuses to move before `set depth`, and ignores what it does not know.
"""

import re
import sys

WAYS = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y]


def say(line):
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def flips(board, x, y, own):
    found = []
    if (x, y) in board:
        return found
    for dx, dy in WAYS:
        line = []
        at = (x + dx, y + dy)
        while at in board and board[at] != own:
            line.append(at)
            at = (at[0] + dx, at[1] + dy)
        if at in board:
            found += line
    return found


def replay(ggf):
    rows = re.search(r"BO\[8 ([^\]]*)\]", ggf).group(1).split()
    board = {(x, y): cell for y, row in enumerate(rows[:8]) for x, cell in enumerate(row) if cell in "*O"}
    mover = rows[8]
    for colour, move in re.findall(r"\b([BW])\[([^/\]]*)", ggf[ggf.index("BO["):]):
        own = "*" if colour == "B" else "O"
        assert own == mover, (colour, move)
        if move != "PA":
            x, y = ord(move[0]) - ord("A"), int(move[1]) - 1
            turned = flips(board, x, y, own)
            assert turned, move
            board.update({at: own for at in turned + [(x, y)]})
        mover = "O" if own == "*" else "*"
    return board, mover


def main():
    board, mover, depth = {}, "*", None
    for line in sys.stdin:
        words = line.split()
        if words[0] == "nboard":
            say("set myname double of NBoard")
        elif words[:2] == ["set", "depth"]:
            depth = int(words[2])
        elif words[:2] == ["set", "game"]:
            board, mover = replay(line)
        elif words[0] == "ping":
            say("pong " + words[1])
        elif words[0] == "go" and depth:
            legal = [(x, y) for y in range(8) for x in range(8) if flips(board, x, y, mover)]
            move = chr(ord("A") + legal[0][0]) + str(legal[0][1] + 1) if legal else "PA"
            say("status thinking")
            say("nodestats 7 0.00")
            say("search %s -1.50 0 %d first" % (move, depth))
            say("=== %s/-1.50/0.01" % move)
        elif words[0] == "quit":
            return


if __name__ == "__main__":
    main()
