#!/usr/bin/env python3
"""An engine that speaks UGI as griot does, but for pictures: two players count to ten, by one or two at a time; who says ten wins.

Its board text is `7 a`: the number, and the player to move.
"""

import sys


def say(line):
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main():
    said, first = 0, True
    for line in sys.stdin:
        words = line.split()
        over = said == 10
        legal = [] if over else [str(n) for n in (said + 1, said + 2) if n <= 10]
        if words == ["ugi"]:
            say("id name text")
            say("option name Game type string default counting")
            say("ugiok")
        elif words == ["isready"]:
            say("readyok")
        elif words[:1] == ["position"]:
            moves = words[words.index("moves") + 1:] if "moves" in words else []
            said, first = (int(moves[-1]) if moves else 0), len(moves) % 2 == 0
        elif words[:1] == ["query"]:
            answers = {
                "fen": f"{said} {'a' if first else 'b'}",
                "p1turn": str(first).lower(),
                "gameover": str(over).lower(),
                "result": ("p2win" if first else "p1win") if over else "none",
                "legalmoves": " ".join(legal),
            }
            say(f"response {answers.get(words[1], 'unknown')}".strip())
        elif words[:1] == ["go"]:
            say(f"info depth 1 score cp 0 nodes 1 pv {legal[0]}")
            say(f"bestmove {legal[0]}")
        elif words == ["quit"]:
            return


main()
