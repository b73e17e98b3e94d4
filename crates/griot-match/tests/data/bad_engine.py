#!/usr/bin/env python3
"""An engine for tic-tac-toe that speaks UGI or UCI and misbehaves when it is asked for a move.

bad_engine.py HOW [PID_FILE]; HOW is one of the branches below, `uci-only` is good play that knows no UGI.
"""

import os
import sys
import time


def say(line):
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def first_free(moves):
    return next(c + r for c in "abc" for r in "123" if c + r not in moves)


def main():
    how = sys.argv[1]
    if len(sys.argv) > 2:
        with open(sys.argv[2], "a") as pids:
            pids.write(f"{os.getpid()}\n")
    moves = []
    for line in sys.stdin:
        words = line.split()
        if words == ["uci"] or words == ["ugi"] and how != "uci-only":
            say("a banner that is no line of the protocol")
            say(words[0] + "ok")
        elif words == ["isready"]:
            if how == "unready":
                os._exit(0)
            say("readyok")
        elif words[:1] == ["position"]:
            moves = words[words.index("moves") + 1:] if "moves" in words else []
        elif words == ["quit"]:
            return
        elif words[:1] == ["go"]:
            if how == "crash":
                os._exit(7)
            elif how == "hang":
                while True:
                    time.sleep(1)
            elif how == "late":
                time.sleep(2.5)
                say("bestmove " + first_free(moves))
            elif how == "illegal":
                say("bestmove z9")
            elif how == "no-move":
                say("bestmove 0000")
            elif how == "garbage":
                say("bestmove")
            elif how == "noise":
                for _ in range(5000):
                    say("what was the question?")
                sys.stdout.buffer.write(b"\xff\xfe bestmove a1\n")
                sys.stdout.flush()
            elif how == "flood":
                try:
                    while True:
                        sys.stdout.write("x" * 65536)
                except BrokenPipeError:
                    os._exit(1)
            elif how == "bad-pv":
                say("info depth 1 score cp 0 nodes 1 time 0 pv z9 a1")
                say("bestmove " + first_free(moves))
            else:
                say("info depth 1 score cp 0 nodes 1 time 0")
                say("bestmove " + first_free(moves))


if __name__ == "__main__":
    main()
