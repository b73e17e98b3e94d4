"""Scores: `Score` and its kinds, points of view, and chances to win, draw and lose.

A `Score` belongs to a player; `-score` is the opponent's. Scores are ordered from lost at once to won at once:

    Mate(-1) < Mate(-9) < Known(-700) < Known(-100) < Cp(-50) < Cp(0) < Cp(50) < Known(100) < Known(700) < Mate(9) < Mate(1)

`Mate(0)` is a game that this player has lost, the lowest score, and `MateGiven` one that it has won, the highest.
"""

from __future__ import annotations

import enum
import math
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, final, overload

__all__ = ["FIRST", "SECOND", "Cp", "Known", "Mate", "MateGiven", "Player", "PovScore", "PovWdl", "Score", "Wdl"]


class Player(enum.Enum):
    """The two players: the first (South, x, black in Othello, player 1) and the second."""

    FIRST = "first"
    SECOND = "second"

    @property
    def other(self) -> Player:
        """The opponent."""
        return Player.SECOND if self is Player.FIRST else Player.FIRST


FIRST: Final = Player.FIRST
SECOND: Final = Player.SECOND


class Score(ABC):
    """A score for one player: `Cp`, an estimate; `Known`, decided; or `Mate` and `MateGiven`, decided with a distance."""

    __slots__ = ()

    @overload
    def score(self, *, mate_score: int) -> int: ...
    @overload
    def score(self, *, mate_score: int | None = None) -> int | None: ...
    @abstractmethod
    def score(self, *, mate_score: int | None = None) -> int | None:
        """The value in hundredths of the game's unit.

        A `Mate` has none, unless `mate_score` is given: the value of an immediate win, less one for each move to go.
        """

    @abstractmethod
    def mate(self) -> int | None:
        """The winner's own moves to the end, negative when this player loses; `None` if unknown."""

    def is_mate(self) -> bool:
        """Whether the game is decided and the distance known."""
        return self.mate() is not None

    @abstractmethod
    def is_decided(self) -> bool:
        """Whether the winner is certain."""

    @abstractmethod
    def wdl(self, *, model: str = "awale") -> Wdl:
        """The chances of this player, from the games of griot against itself; `model` is the game's name."""

    @abstractmethod
    def __neg__(self) -> Score: ...

    @abstractmethod
    def _key(self) -> tuple[int, int]:
        """What scores are ordered by."""

    def __lt__(self, other: object) -> bool:
        return self._key() < other._key() if isinstance(other, Score) else NotImplemented

    def __le__(self, other: object) -> bool:
        return self._key() <= other._key() if isinstance(other, Score) else NotImplemented

    def __gt__(self, other: object) -> bool:
        return self._key() > other._key() if isinstance(other, Score) else NotImplemented

    def __ge__(self, other: object) -> bool:
        return self._key() >= other._key() if isinstance(other, Score) else NotImplemented

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, Score) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())


@final
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Cp(Score):
    """An estimate, in hundredths of the game's unit; 0 may also be a certain draw."""

    cp: int

    def score(self, *, mate_score: int | None = None) -> int:
        return self.cp

    def mate(self) -> None:
        return None

    def is_decided(self) -> bool:
        return False

    def wdl(self, *, model: str = "awale") -> Wdl:
        return Wdl.of_cp(self.cp, model)

    def __neg__(self) -> Cp:
        return Cp(-self.cp)

    def _key(self) -> tuple[int, int]:
        return (0, self.cp)

    def __str__(self) -> str:
        return f"{self.cp / 100:+.2f}"

    def __repr__(self) -> str:
        return f"Cp({self.cp:+})"


@final
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Known(Score):
    """A certain win or loss of unknown distance, from a table or theory.

    `margin` is the margin that the winner can force, in hundredths of the game's unit; 0 if only the win is certain.
    """

    wins: bool
    margin: int = 0

    def score(self, *, mate_score: int | None = None) -> int:
        return self.margin if self.wins else -self.margin

    def mate(self) -> None:
        return None

    def is_decided(self) -> bool:
        return True

    def wdl(self, *, model: str = "awale") -> Wdl:
        return Wdl(1000, 0, 0) if self.wins else Wdl(0, 0, 1000)

    def __neg__(self) -> Known:
        return Known(not self.wins, self.margin)

    def _key(self) -> tuple[int, int]:
        return (1, self.margin) if self.wins else (-1, -self.margin)

    def __str__(self) -> str:
        return ("win" if self.wins else "loss") + (f" by {self.margin / 100:g}" if self.margin else "")

    def __repr__(self) -> str:
        return f"Known({'win' if self.wins else 'loss'}, {self.margin})"


@final
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Mate(Score):
    """Decided in this many of the winner's own moves; negative when this player loses, 0 when it has lost."""

    moves: int

    @overload
    def score(self, *, mate_score: int) -> int: ...
    @overload
    def score(self, *, mate_score: int | None = None) -> int | None: ...
    def score(self, *, mate_score: int | None = None) -> int | None:
        if mate_score is None:
            return None
        return mate_score - self.moves if self.moves > 0 else -mate_score - self.moves

    def mate(self) -> int:
        return self.moves

    def is_decided(self) -> bool:
        return True

    def wdl(self, *, model: str = "awale") -> Wdl:
        return Wdl(1000, 0, 0) if self.moves > 0 else Wdl(0, 0, 1000)

    def __neg__(self) -> Score:
        return Mate(-self.moves) if self.moves else MateGiven

    def _key(self) -> tuple[int, int]:
        return (2, -self.moves) if self.moves > 0 else (-2, -self.moves)

    def __str__(self) -> str:
        return f"#{self.moves:+}" if self.moves else "#-0"

    def __repr__(self) -> str:
        return f"Mate({self.moves:+})" if self.moves else "Mate(-0)"


@final
class _MateGiven(Score):
    """A game that this player has won: the opposite of `Mate(0)`."""

    __slots__ = ()

    @overload
    def score(self, *, mate_score: int) -> int: ...
    @overload
    def score(self, *, mate_score: int | None = None) -> int | None: ...
    def score(self, *, mate_score: int | None = None) -> int | None:
        return mate_score

    def mate(self) -> int:
        return 0

    def is_decided(self) -> bool:
        return True

    def wdl(self, *, model: str = "awale") -> Wdl:
        return Wdl(1000, 0, 0)

    def __neg__(self) -> Mate:
        return Mate(0)

    def _key(self) -> tuple[int, int]:
        return (3, 0)

    def __str__(self) -> str:
        return "#+0"

    def __repr__(self) -> str:
        return "MateGiven"


#: The game is won: `-Mate(0)`.
MateGiven: Final[Score] = _MateGiven()


# For each family of games: the estimate, in `cp`, at which a win is as likely as not, and by how much more that chance is 73 %.
# Fitted by tools/fit_wdl.py to 400 games each of griot against itself, 2,000 nodes a move, m,n,k games to gomoku; chess to 50 games,
# 1,000 nodes a move. Nim has no estimates.
# A name that is not here has that of awalé.
_MODELS: dict[str, tuple[float, float]] = {
    "awale": (103.3, 215.8),
    "connect4": (58.8, 67.0),
    "othello": (117.6, 733.6),
    "mnk": (38.6, 59.5),
    "chess": (97.9, 193.6),
}
_FAMILIES = {"cfour": "connect4", "morpion": "mnk", "tictactoe": "mnk", "gomoku": "mnk", "gomokufreestyle": "mnk", "renju": "mnk"}


@dataclass(frozen=True, slots=True)
class Wdl:
    """How often in a thousand games a player wins, draws and loses."""

    wins: int
    draws: int
    losses: int

    @classmethod
    def of_cp(cls, cp: int, model: str) -> Wdl:
        """The chances of an estimate."""
        name = model.split(":", 1)[0]
        middle, width = _MODELS.get(_FAMILIES.get(name, name), _MODELS["awale"])
        wins = round(1000 * _logistic((cp - middle) / width))
        losses = round(1000 * _logistic((-cp - middle) / width))
        return cls(wins, 1000 - wins - losses, losses)

    @property
    def total(self) -> int:
        """All games."""
        return self.wins + self.draws + self.losses

    def winning_chance(self) -> float:
        """From 0 to 1."""
        return self.wins / self.total

    def drawing_chance(self) -> float:
        """From 0 to 1."""
        return self.draws / self.total

    def losing_chance(self) -> float:
        """From 0 to 1."""
        return self.losses / self.total

    def expectation(self) -> float:
        """From 0 to 1, where a draw counts a half."""
        return (self.wins + self.draws / 2) / self.total

    def __neg__(self) -> Wdl:
        return Wdl(self.losses, self.draws, self.wins)

    def __iter__(self) -> Iterator[int]:
        return iter((self.wins, self.draws, self.losses))


def _logistic(x: float) -> float:
    return 1 / (1 + math.exp(-x)) if x > -700 else 0.0


@dataclass(frozen=True, slots=True)
class PovWdl:
    """Chances of a player, with a point of view."""

    relative: Wdl
    turn: Player

    def first(self) -> Wdl:
        """Those of the first player."""
        return self.pov(FIRST)

    def second(self) -> Wdl:
        """Those of the second player."""
        return self.pov(SECOND)

    def pov(self, player: Player) -> Wdl:
        """Those of `player`."""
        return self.relative if player is self.turn else -self.relative


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PovScore:
    """A score with its player, the one to move. Two are equal if they are the same for the first player."""

    relative: Score
    turn: Player
    #: The game, by whose games `wdl` counts.
    game: str = "awale"

    def first(self) -> Score:
        """From the first player's point of view."""
        return self.pov(FIRST)

    def second(self) -> Score:
        """From the second player's point of view."""
        return self.pov(SECOND)

    def pov(self, player: Player) -> Score:
        """From `player`'s point of view."""
        return self.relative if player is self.turn else -self.relative

    def is_mate(self) -> bool:
        """Whether the game is decided and the distance known."""
        return self.relative.is_mate()

    def is_decided(self) -> bool:
        """Whether the winner is certain."""
        return self.relative.is_decided()

    def wdl(self, *, model: str | None = None) -> PovWdl:
        """Its chances; see `Score.wdl`."""
        return PovWdl(self.relative.wdl(model=model or self.game), self.turn)

    def __eq__(self, other: object) -> bool:
        return self.first() == other.first() if isinstance(other, PovScore) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.first())

    def __str__(self) -> str:
        return str(self.relative)

    def __repr__(self) -> str:
        return f"PovScore({self.relative!r}, {self.turn.name})"
