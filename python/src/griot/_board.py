"""A position with the moves that led to it. The engine knows the rules; a board caches its answers.

Only `push` asks the engine; `Board` and `AsyncBoard` add it, each in its own way.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from griot._errors import IllegalMove, Refused
from griot._lines import parse_error, plain, position_line
from griot._score import FIRST, SECOND, Player

__all__ = ["BoardState", "Outcome"]

Self = TypeVar("Self", bound="BoardState")
# What names a game to the engine: an option and its value.
Selector = tuple[str, str]


@dataclass(frozen=True)
class Outcome:
    """How a game ended; a draw has no winner."""

    winner: Player | None

    def result(self) -> str:
        """`1-0`, `0-1` or `1/2-1/2`, the first player first."""
        return "1/2-1/2" if self.winner is None else "1-0" if self.winner is FIRST else "0-1"


@dataclass(frozen=True)
class Snapshot:
    """The engine's answers about a position."""

    #: The move that led to it, as the game writes it.
    move: str | None
    fen: str
    turn: Player
    outcome: Outcome | None
    legal_moves: tuple[str, ...]
    picture: str
    drawing: str


_OUTCOMES = {"p1win": Outcome(FIRST), "p2win": Outcome(SECOND), "draw": Outcome(None)}
# In this order the answers come.
QUESTIONS = "\n".join(f"query {what}" for what in ("fen", "p1turn", "result", "legalmoves", "picture", "board"))


def refusal(lines: Sequence[str], command: str) -> Refused | None:
    """What the answer to a `position` refuses: an illegal move, if it points at one."""
    problem = next(filter(None, map(parse_error, lines)), None)
    before, _, moves = command.partition(" moves ")
    if problem is None or problem.column is None or not moves or problem.column <= len(before):
        return problem
    start = problem.column - 1
    move = command[start:].split(" ", 1)[0]
    return IllegalMove(str(problem), move, command[len(before) : start].count(" ") - 1)


def snapshot(lines: Sequence[str]) -> Snapshot:
    """What the answers to the questions say."""
    answers = [line.removeprefix("response").strip() for line in lines if line.split(" ", 1)[0] == "response"]
    drawing = [line.removeprefix("info string ") for line in lines if line.startswith("info string ")]
    if len(answers) != 5:
        raise Refused("the engine does not tell its position")
    fen, turn, result, legal_moves, picture = answers
    last = json.loads(picture).get("last") if picture.startswith("{") else None
    move = last["move"] if last else None
    player = FIRST if turn == "true" else SECOND
    return Snapshot(move, fen, player, _OUTCOMES.get(result), tuple(legal_moves.split()), picture, "\n".join(drawing))


class BoardState:
    """A position of one game and the moves since it was set up, by the engine's rules."""

    def __init__(self, selector: Selector, start: str | None, first: Snapshot) -> None:
        self._selector = selector
        self._start = start
        self._snapshots = [first]

    @property
    def _now(self) -> Snapshot:
        return self._snapshots[-1]

    @property
    def game(self) -> str:
        """The name of the game."""
        return self._selector[1]

    @property
    def start(self) -> str | None:
        """The text of the initial position; `None` for the start of the game."""
        return self._start

    @property
    def move_stack(self) -> list[str]:
        """The moves since then, as the game writes them."""
        return [snapshot.move or "" for snapshot in self._snapshots[1:]]

    @property
    def legal_moves(self) -> tuple[str, ...]:
        """The legal moves, always in the same order; empty when the game is over."""
        return self._now.legal_moves

    @property
    def turn(self) -> Player:
        """Whose turn it is, or would be."""
        return self._now.turn

    def is_legal(self, move: str) -> bool:
        """Whether `move`, as the game writes it, is legal."""
        return move in self._now.legal_moves

    def is_game_over(self) -> bool:
        """Whether the game is over."""
        return self._now.outcome is not None

    def outcome(self) -> Outcome | None:
        """How the game ended; `None` while it goes on."""
        return self._now.outcome

    def result(self) -> str:
        """`1-0`, `0-1`, `1/2-1/2`, or `*` while the game goes on."""
        return self._now.outcome.result() if self._now.outcome else "*"

    def fen(self) -> str:
        """The board as a text."""
        return self._now.fen

    def ply(self) -> int:
        """The number of moves played."""
        return len(self._snapshots) - 1

    def picture(self) -> dict[str, Any]:
        """The data to draw the position; see *Pictures* in protocol.md."""
        picture: dict[str, Any] = json.loads(self._now.picture)
        return picture

    def __str__(self) -> str:
        return self._now.drawing

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.game}: {self.fen()}>"

    def peek(self) -> str:
        """The last move. Raises `IndexError` if there is none."""
        if not self.ply():
            raise IndexError("no move was made")
        return self.move_stack[-1]

    def pop(self) -> str:
        """Takes the last move back, and returns it. Raises `IndexError` if there is none."""
        move = self.peek()
        self._snapshots.pop()
        return move

    def reset(self) -> None:
        """Takes all moves back."""
        del self._snapshots[1:]

    def copy(self: Self) -> Self:
        """A copy of the board."""
        other = copy.copy(self)
        other._snapshots = list(self._snapshots)
        return other

    # What a push asks, and what it makes of the answer

    def _asking(self, move: str) -> str:
        if len(plain(move).split()) != 1:
            raise ValueError(f"expected one move, found {move!r}")
        return position_line(self._start, [*self.move_stack, plain(move)])

    def _pushed(self, move: str, lines: Sequence[str], again: Sequence[str] | None = None) -> str | None:
        """Takes the answer to `_asking`: the move as the game writes it.

        A move in words of one's own may turn out to be several. What was made is asked for `again` then: nothing is answered,
        and nothing has happened, while that is wanted.
        """
        command = self._asking(move)
        if problem := refusal(lines, command):
            raise problem
        after = snapshot(lines)
        written = after.move or move
        if written != plain(move):
            why = "the game is over" if self.is_game_over() else f"expected one move, found {move!r}"
            several = IllegalMove(why, move, self.ply() + 1)
            if not self.is_legal(written):
                raise several
            if again is None:
                return None
            if snapshot(again).fen != after.fen:
                raise several
        self._snapshots.append(after)
        return written
