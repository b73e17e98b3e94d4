#!/usr/bin/env python3
"""Writes data/openings.txt, the names of openings by position, for src/openings.rs.

    tools/openings.py --engine target/release/griot --chess FOLDER --commit COMMIT

FOLDER is a copy of https://github.com/lichess-org/chess-openings (CC0), of which a.tsv to e.tsv are read. The openings of Othello are
in tools/othello-openings.txt. The positions come from griot itself, which plays every line: no other program is needed.

A position is stored as a hash of its text, so that every order of moves that leads to it finds its name. Othello's lines are stored with
their images: its start has four symmetries, and its first move has four equal forms.
"""

import argparse
import re
from pathlib import Path

from engine import Engine

HERE = Path(__file__).parent
HEAD = """\
# Names of openings by position. Made by tools/openings.py; do not edit.
# Chess: from https://github.com/lichess-org/chess-openings, commit {commit}, in the public domain (CC0 1.0).
# Othello: tools/othello-openings.txt.
# A line is CODE, NAME and KEYS, separated by tabs; chess alone has codes (ECO). A key is the first 48 bits of the FNV-1a hash (64 bits)
# of the game's name and the first three fields of the board text, joined by blanks.
"""


def key(game: str, board: str) -> str:
    """The key of a position: castling rights belong to it, the square of an en passant capture and counters do not."""
    value = 0xCBF29CE484222325
    for byte in " ".join([game, *board.split()[:3]]).encode():
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return f"{value >> 16:012x}"


def board_after(engine: Engine, game: str, moves: list[str]) -> str:
    """The board text after moves from the start."""
    engine.say(f"setoption name Game value {game}")
    engine.say(f"position startpos moves {' '.join(moves)}")
    return engine.query("fen")


def chess(folder: Path):
    # Of two names with lines as long, the one of the later volume counts.
    for volume in "edcba":
        for line in (folder / f"{volume}.tsv").read_text().splitlines()[1:]:
            code, name, pgn = line.split("\t")
            yield code, name, [word for word in pgn.split() if not re.fullmatch(r"\d+\.+", word)]


def othello():
    for line in (HERE / "othello-openings.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            moves, name = line.split(maxsplit=1)
            yield name, re.findall("[a-h][1-8]", moves)


def images(moves: list[str]):
    """A line of Othello as it is, turned by half, and mirrored in both long diagonals: what keeps the start position."""
    cells = [("abcdefgh".index(file), int(rank) - 1) for file, rank in moves]
    for image in (lambda x, y: (x, y), lambda x, y: (7 - x, 7 - y), lambda x, y: (y, x), lambda x, y: (7 - y, 7 - x)):
        yield ["abcdefgh"[x] + str(y + 1) for x, y in (image(*cell) for cell in cells)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", required=True)
    parser.add_argument("--chess", required=True, type=Path)
    parser.add_argument("--commit", required=True, help="the commit of the copy, for the head of the file")
    arguments = parser.parse_args()
    engine = Engine(arguments.engine)
    names: dict[tuple[str, str], list[str]] = {}
    seen: dict[str, tuple[str, str]] = {}

    def add(game: str, code: str, name: str, moves: list[str]):
        own = key(game, board_after(engine, game, moves))
        # The first name of a position counts, as the shortest line has it.
        if seen.setdefault(own, (game, name)) == (game, name):
            keys = names.setdefault((code, name), [])
            if own not in keys:
                keys.append(own)
        else:
            print(f"{game}: {name} is {seen[own][1]}: {' '.join(moves)}")

    for code, name, moves in sorted(chess(arguments.chess), key=lambda line: len(line[2])):
        add("chess", code, name, moves)
    for name, moves in othello():
        for image in images(moves):
            add("othello", "", name, image)
    lines = ["\t".join([*head, " ".join(keys)]) for head, keys in sorted(names.items())]
    (HERE / "../data/openings.txt").write_text(HEAD.format(commit=arguments.commit[:12]) + "\n".join(lines) + "\n")
    print(f"{len(lines)} names, {len(seen)} positions")


main()
