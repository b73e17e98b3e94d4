#!/usr/bin/env python3
"""An engine for m,n,k games that speaks GTP or Gomocup and puts its stones on the first free point.

point_engine.py gtp|gomocup [resign]; it knows as little of the protocols as a small engine may, and refuses what it does not know.
"""

import sys

LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"


def say(line):
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def first_free(side, stones):
    return next((x, y) for y in range(side) for x in range(side) if (x, y) not in stones)


def gtp(resigns):
    side, stones = 3, set()
    known = ["protocol_version", "name", "list_commands", "boardsize", "clear_board", "play", "genmove", "quit"]
    for line in sys.stdin:
        words = line.split()
        answer = "= "
        if words[0] == "protocol_version":
            answer += "2"
        elif words[0] == "name":
            answer += "points"
        elif words[0] == "list_commands":
            answer += "\n".join(known)
        elif words[0] == "boardsize":
            side = int(words[1])
        elif words[0] == "clear_board":
            stones.clear()
        elif words[0] == "play":
            stones.add((LETTERS.index(words[2][0].upper()), int(words[2][1:]) - 1))
        elif words[0] == "genmove" and resigns:
            answer += "resign"
        elif words[0] == "genmove":
            x, y = first_free(side, stones)
            stones.add((x, y))
            answer += LETTERS[x] + str(y + 1)
        elif words[0] != "quit":
            answer = "? unknown command"
        say(answer + "\n")
        if words[0] == "quit":
            return


def gomocup():
    side, stones, on_board = 0, set(), False
    for line in sys.stdin:
        words = line.split()
        if on_board and words[0] != "DONE":
            x, y, who = words[0].split(",")
            assert who in "12"
            stones.add((int(x), int(y)))
            continue
        if words[0] == "ABOUT":
            say('name="points", version="1"')
        elif words[0] == "START":
            side, stones = int(words[1]), set()
            say("OK")
        elif words[0] == "INFO" and words[1] == "time_left":
            # As Rapfi does now and then.
            say("ERROR Unknown command: " + ("TIME_LEFT" if len(stones) % 4 > 1 else words[2]))
        elif words[0] == "BOARD":
            stones, on_board = set(), True
        elif words[0] in ("BEGIN", "TURN", "DONE"):
            on_board = False
            if words[0] == "TURN":
                stones.add(tuple(int(number) for number in words[1].split(",")))
            say("MESSAGE depth 1 ev 0")
            move = first_free(side, stones)
            stones.add(move)
            say("%d,%d" % move)
        elif words[0] == "END":
            return
        elif words[0] != "INFO":
            say("UNKNOWN command")


if __name__ == "__main__":
    gomocup() if sys.argv[1] == "gomocup" else gtp("resign" in sys.argv)
