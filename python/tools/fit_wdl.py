"""Fits the chances of `Score.wdl`: for each family of games the two numbers of `_MODELS` in src/griot/_score.py.

griot plays itself: each game begins with some moves by lot and goes on with a number of nodes for each move. Every estimate that it
tells is a sample, with the result of that game for the player to move. Fitted by maximum likelihood: a win has the chance
logistic((cp - middle) / width), a loss logistic((-cp - middle) / width), a draw the rest.

    GRIOT=../target/release/griot PYTHONPATH=src python tools/fit_wdl.py --games 400 --nodes 2000
"""

from __future__ import annotations

import argparse
import math
import random

from griot import Cp, Engine, Limit, Player

# A game for each family, and how many moves by lot it begins with.
GAMES = {"awale": ("awale", 6), "connect4": ("connect4", 4), "othello": ("othello", 8), "mnk": ("gomoku", 4), "chess": ("chess", 8)}
# Estimates: how often a player who was told so won, drew and lost; estimates are rounded to so many hundredths.
Samples = dict[int, list[int]]
ROUND = 5


def played(name: str, plies: int, games: int, nodes: int) -> Samples:
    """What was told and how it ended."""
    draw = random.Random(1)
    samples: Samples = {}
    with Engine(name) as engine:
        for _ in range(games):
            board = engine.board()
            while board.ply() < plies and not board.is_game_over():
                board.push(draw.choice(board.legal_moves))
            told: list[tuple[int, Player]] = []
            while (outcome := board.outcome()) is None:
                result = engine.play(board, Limit(nodes=nodes))
                score = result.info["score"]
                if isinstance(score.relative, Cp):
                    told.append((round(score.relative.cp / ROUND) * ROUND, score.turn))
                board.push(result.move)
            for cp, turn in told:
                column = 1 if outcome.winner is None else 0 if outcome.winner is turn else 2
                samples.setdefault(cp, [0, 0, 0])[column] += 1
    return samples


def unlikelihood(samples: Samples, middle: float, width: float) -> float:
    """The negative logarithm of how likely the samples are, by sample."""
    total, count = 0.0, 0
    for cp, ends in samples.items():
        wins, losses = (1 / (1 + math.exp(max(-700.0, min(700.0, (middle - side * cp) / width)))) for side in (1, -1))
        for chance, often in zip((wins, 1 - wins - losses, losses), ends):
            total -= often * math.log(max(chance, 1e-9))
            count += often
    return total / max(count, 1)


def fitted(samples: Samples) -> tuple[float, float, float]:
    """The middle, the width and the unlikelihood of the best fit, by a search of ever smaller steps."""
    best = (unlikelihood(samples, 50.0, 200.0), 50.0, 200.0)
    step = 2.0
    while step > 1.01:
        tries = [
            (unlikelihood(samples, middle, width), middle, width)
            for middle in (best[1] / step, best[1], best[1] * step)
            for width in (best[2] / step, best[2], best[2] * step)
        ]
        if min(tries) < best:
            best = min(tries)
        else:
            step = math.sqrt(step)
    return best[1], best[2], best[0]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--nodes", type=int, default=2000)
    arguments = parser.parse_args()
    for family, (name, plies) in GAMES.items():
        samples = played(name, plies, arguments.games, arguments.nodes)
        middle, width, loss = fitted(samples)
        ends = [sum(sample[column] for sample in samples.values()) for column in range(3)]
        print(f'    "{family}": ({middle:.1f}, {width:.1f}),  # {sum(ends)} samples, {ends[1]} drawn, {loss:.3f} nats', flush=True)


if __name__ == "__main__":
    main()
