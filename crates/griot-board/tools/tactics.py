#!/usr/bin/env python3
"""Makes puzzles of chess from positions in which one move wins material: `tests/data/tactics.txt`, where each is proven.

    tools/tactics.py --engine target/release/griot ../../tests/data/tactics.txt > puzzles/chess-material.jsonl

The only move and its proof are those of the file. griot adds how the line goes on, the names of the moves, and the levels that fail, as
`griot puzzles` does: those that play another move with 10,000 nodes. A position that every level solves is left out.
"""

import argparse
import json
from pathlib import Path

from engine import Engine

LEVELS, LEVEL_NODES = range(1, 21), 10_000
# The line ends here, in plies, and is found by so many nodes.
LINE, LINE_NODES = 5, 100_000
# What is proven of every position: the only move wins two pawns or more within three moves of each side, all others less than one.
WITHIN, GAIN, AHEAD = 3, 2, 1


def search(engine: Engine, board: str, moves: list[str], level: int, nodes: int) -> tuple[str, list[str]]:
    """The best move and its line."""
    engine.say(f"setoption name Skill Level value {level}")
    engine.say(f"position fen {board} moves {' '.join(moves)}")
    engine.say(f"go nodes {nodes}")
    best, lines = engine.until("bestmove")
    pv = [line.split(" pv ")[1].split() for line in lines if " pv " in line]
    return best.split()[0], pv[-1] if pv else []


def puzzle(engine: Engine, number: int, board: str, move: str) -> dict | None:
    fails = [level for level in LEVELS if search(engine, board, [], level, LEVEL_NODES)[0] != move]
    if not fails:
        return None
    line = [move, *search(engine, board, [move], 20, LINE_NODES)[1]][:LINE]
    engine.say(f"position fen {board}")
    legal = engine.query("legalmoves").split()
    names = [stroke.get("name", stroke["move"]) for stroke in json.loads(engine.query(f"line {' '.join(line)}"))]
    side = "first" if board.split()[1] == "w" else "second"
    return {"number": number, "game": "chess", "board": board, "side": side, "goal": "material", "within": WITHIN, "gain": GAIN, "ahead": AHEAD,
            "move": move, "line": line, "names": names, "legal": len(legal), "grade": len(fails), "fails": fails, "forced": 1}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", required=True)
    parser.add_argument("file", type=Path)
    arguments = parser.parse_args()
    engine = Engine(arguments.engine)
    engine.say("setoption name Game value chess")
    lines = [line for line in arguments.file.read_text().splitlines() if not line.startswith("#")]
    for number, line in enumerate(lines):
        board, move = line.split(" ; ")
        found = puzzle(engine, number, board, move)
        if found:
            print(json.dumps(found, separators=(",", ":")), flush=True)


main()
