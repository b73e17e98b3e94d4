"""A game of every kind that the menu offers: its texts go to the engine and come back."""

import json
import subprocess
from itertools import product

import pytest

from griot import Engine, Limit
from griot._process import find_engine

# Games whose menu has numbers or free texts are taken with their defaults.


def offered():
    """The names of the games of the menu, with every choice."""
    said = subprocess.run([find_engine()], input="query games\n", capture_output=True, text=True, check=True).stdout
    menu = json.loads(next(line for line in said.splitlines() if line.startswith("response ")).removeprefix("response "))
    for entry in menu:
        fields = {
            field["key"]: [choice["value"] for choice in field["choices"]]
            if field["type"] == "choice"
            else [str(field.get("default", ""))]
            for field in entry["fields"]
        }
        for values in product(*fields.values()):
            yield entry["name"].format(**dict(zip(fields, values, strict=True)))


@pytest.mark.parametrize("game", [*offered()])
def test_texts_of_every_game_come_back(game):
    with Engine(game, options={"Hash": 1}) as engine:
        board = engine.board()
        for _ in range(3):
            if not board.is_game_over():
                board.push(board.legal_moves[0])
        again = engine.board(board.fen())
        assert (again.fen(), again.legal_moves, again.turn) == (board.fen(), board.legal_moves, board.turn)
        facts = again.picture()["game"]
        assert facts["key"] and facts["title"] and facts["clear_lead"] > 0
        best = engine.play(again, Limit(nodes=20)).move
        assert best in board.legal_moves
        # A move by the name that people have for it is that move.
        named = [stroke for stroke in again.picture()["moves"] if "name" in stroke]
        for stroke in named[:2]:
            board = engine.board(again.fen())
            board.push(stroke["name"])
            assert board.move_stack == [stroke["move"]]
