#!/usr/bin/env python3
"""Adds `forced` to the puzzles in files of `griot puzzles`: how many of the solver's moves in `line` the puzzle asks for.

    tools/forced.py --engine target/release/griot puzzles/*.jsonl

The first move of a puzzle is proven to be the only one by `griot puzzles`. This script goes on along its line: a later move counts as
long as the engine's search of all other moves settles, within --nodes, that none of them does as much. Of a mate within a number of moves,
others may mate later; of captures, others capture less. The line ends at the first move for which that is not settled, or where another does as well. A puzzle that has
`forced` is left as it is.
"""

import argparse
import json
import re
from pathlib import Path

from engine import Engine

# The least score, in hundredths, of a win of unknown length.
CERTAIN = 100_000


def best(engine: Engine, limit: str, moves: list[str]) -> dict:
    """The score of the best of these moves, and the nodes searched."""
    engine.say("uginewgame")
    engine.say(f"go {limit} searchmoves {' '.join(moves)}")
    lines = [line for line in engine.until("bestmove")[1] if " score " in line]
    last = lines[-1]
    kind, value = re.search(r" score (cp|mate) (-?\d+)", last).groups()
    return {"kind": kind, "value": int(value), "nodes": int(re.search(r" nodes (\d+)", last)[1])}


def others_capture_less(engine: Engine, left: int, move: str, others: list[str]) -> bool:
    """Whether every other move comes to fewer captures after so many moves of each side, at full width."""
    for name, value in (("Evaluation", "plain"), ("Selective", "false")):
        engine.say(f"setoption name {name} value {value}")
    own, other = (best(engine, f"depth {2 * left}", moves) for moves in ([move], others))
    for name, value in (("Evaluation", "full"), ("Selective", "true")):
        engine.say(f"setoption name {name} value {value}")
    is_lost = other["kind"] == "mate" and other["value"] < 0
    return own["kind"] == "cp" and (is_lost or other["kind"] == "cp" and other["value"] < own["value"])


def others_fail(engine: Engine, puzzle: dict, left: int, move: str, others: list[str], nodes: int) -> bool:
    """Whether the search settles that none of the other moves achieves the goal; `left` is the number of moves left for it."""
    if puzzle["goal"] == "gain":
        return others_capture_less(engine, left, move, others)
    if "within" in puzzle:
        engine.say("setoption name Selective value false")
        found = best(engine, f"depth {2 * left - 1} nodes {10 * nodes}", others)
        engine.say("setoption name Selective value true")
        if found["nodes"] >= 10 * nodes:
            return False
        return not (found["kind"] == "mate" and 0 < found["value"] <= left)
    found = best(engine, f"nodes {nodes}", others)
    lost = found["value"] < 0 if found["kind"] == "mate" else found["value"] <= -CERTAIN
    # A search that ends before its limit has the exact value of every move.
    ended = found["nodes"] < nodes
    drawn = found["kind"] == "cp" and found["value"] == 0 and ended
    return lost or puzzle["goal"] == "win" and drawn


def forced(engine: Engine, puzzle: dict, nodes: int) -> int:
    engine.say(f"setoption name Game value {puzzle['game']}")
    line, count = puzzle["line"], 1
    while 2 * count < len(line):
        engine.say(f"position fen {puzzle['board']} moves {' '.join(line[: 2 * count])}")
        legal = engine.query("legalmoves").split()
        others = [move for move in legal if move != line[2 * count]]
        left = (puzzle["within"] if puzzle["goal"] == "gain" else puzzle.get("moves", 0)) - count
        if puzzle["goal"] == "gain" and left < 1:
            # Behind the count there are only captures that must be played.
            break
        if len(others) == len(legal) or others and not others_fail(engine, puzzle, left, line[2 * count], others, nodes):
            break
        count += 1
    # Drop moves at the end that are the only legal ones: there is nothing to find.
    while count > 1:
        engine.say(f"position fen {puzzle['board']} moves {' '.join(line[: 2 * count - 2])}")
        if len(engine.query("legalmoves").split()) > 1:
            break
        count -= 1
    return count


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", required=True)
    parser.add_argument("--nodes", type=int, default=100_000)
    parser.add_argument("files", nargs="+", type=Path)
    arguments = parser.parse_args()
    engine = Engine(arguments.engine)
    for path in arguments.files:
        puzzles = [json.loads(line) for line in path.read_text().splitlines()]
        for puzzle in puzzles:
            if "forced" not in puzzle:
                puzzle["forced"] = forced(engine, puzzle, arguments.nodes)
                text = "".join(json.dumps(one, separators=(",", ":"), ensure_ascii=False) + "\n" for one in puzzles)
                path.write_text(text)
        counts = [puzzle["forced"] for puzzle in puzzles]
        print(f"{path.name}: {sum(counts) / len(counts):.1f} moves on average, {sum(n > 1 for n in counts)} of {len(counts)} of several", flush=True)


main()
