#!/usr/bin/env python3
"""The shortest client: starts an engine, greets it, and lets it play a game against itself.

Needs the Python standard library only.  python3 examples/drive.py [ENGINE [ARGUMENT]...]
"""

import subprocess
import sys


class Engine:
    def __init__(self, command):
        pipe = subprocess.PIPE
        try:
            self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, encoding="utf-8", bufsize=1)
        except OSError as error:
            sys.exit(f"{error}; build the engine with 'cargo build --release', or give the path of another one")

    def send(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def ask(self, line, answer):
        """Sends a line, and reads up to the line that begins with `answer`: the words after it."""
        self.send(line)
        for said in self.process.stdout:
            words = said.split()
            if words[:1] == [answer]:
                return words[1:]
            print(said.rstrip())
        sys.exit(f"the engine ended before it answered '{line}' with '{answer}'")


def main():
    engine = Engine(sys.argv[1:] or ["target/release/griot"])
    engine.ask("ugi", "ugiok")
    engine.send("setoption name Game value tictactoe")
    engine.send("uginewgame")
    engine.ask("isready", "readyok")
    moves = []
    engine.send("position startpos")
    while engine.ask("query gameover", "response") == ["false"]:
        best = engine.ask("go movetime 20", "bestmove")[0]
        print(f"{best} is played")
        moves.append(best)
        engine.send("position startpos moves " + " ".join(moves))
    result = engine.ask("query result", "response")[0]
    print(f"moves {' '.join(moves)}, result {result}")
    engine.send("quit")
    engine.process.wait()


if __name__ == "__main__":
    main()
