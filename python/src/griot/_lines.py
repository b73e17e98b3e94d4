"""Limits and results as values, and their UGI lines.

Times are in seconds here, and in milliseconds in the protocol.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, Union, overload

from griot._errors import Refused
from griot._score import Cp, Known, Mate, Player, PovScore, Score

__all__ = ["BestMove", "Info", "Limit", "Moves", "PlayResult"]

#: Moves as one text with blanks between them, or one by one.
Moves = Union[str, Iterable[str]]

# The move that says that there is none; in Othello also a pass, which has a line.
NO_MOVE = "0000"
# From here on `score cp` tells a certain win of unknown length, and beyond it the margin.
KNOWN_WIN = 100_000


@dataclass(frozen=True)
class Limit:
    """The limits of a search; the first one reached ends it. Times are in seconds, as floats.

    Raises `ValueError` for an invalid time or a number that is not positive, `TypeError` for a fraction of a ply, node or move.
    """

    #: Seconds for this search; it takes at least a millisecond.
    time: float | None = None
    #: Plies.
    depth: int | None = None
    #: Positions visited.
    nodes: int | None = None
    #: A win in so many of the winner's own moves.
    mate: int | None = None
    #: Seconds left on the clocks. One below zero counts as zero.
    first_clock: float | None = None
    second_clock: float | None = None
    #: Seconds added with each move.
    first_inc: float | None = None
    second_inc: float | None = None
    #: Moves to the next time control; nothing means that there is none.
    remaining_moves: int | None = None

    def __post_init__(self) -> None:
        for name in ("depth", "nodes", "mate", "remaining_moves"):
            value: Any = getattr(self, name)
            if value is None:
                continue
            if isinstance(value, bool) or not isinstance(value, int):
                raise TypeError(f"Limit: {name}: expected a whole number, found {value!r}")
            if value < 1:
                raise ValueError(f"Limit: {name}: expected a number from 1, found {value}")
        for name in ("time", "first_clock", "second_clock", "first_inc", "second_inc"):
            value = getattr(self, name)
            if value is None:
                continue
            if isinstance(value, bool) or not isinstance(value, (int, float)):
                raise TypeError(f"Limit: {name}: expected seconds, found {value!r}")
            if not math.isfinite(value) or (value < 0 and not name.endswith("clock")):
                raise ValueError(f"Limit: {name}: expected seconds from 0, found {value}")

    @property
    def is_endless(self) -> bool:
        """Whether it never ends a search."""
        ends = (self.time, self.depth, self.nodes, self.mate, self.first_clock, self.second_clock)
        return all(value is None for value in ends)

    def words(self) -> list[str]:
        """As words of `go`."""
        words = ["infinite"] if self.is_endless else []
        named: list[tuple[str, int | None]] = [
            ("movetime", None if self.time is None else max(1, _milliseconds(self.time))),
            ("depth", self.depth),
            ("nodes", self.nodes),
            ("mate", self.mate),
            ("p1time", _milliseconds(self.first_clock)),
            ("p2time", _milliseconds(self.second_clock)),
            ("p1inc", _milliseconds(self.first_inc)),
            ("p2inc", _milliseconds(self.second_inc)),
            ("movestogo", self.remaining_moves),
        ]
        for name, value in named:
            if value is not None:
                words += [name, str(value)]
        return words

    def without_clocks(self) -> Limit:
        """What of it does not change from move to move."""
        return replace(self, first_clock=None, second_clock=None, remaining_moves=None)

    def after(self, player: Player, seconds: float) -> Limit:
        """With the clocks as they stand when `player` has moved after so many seconds."""
        moves = self.remaining_moves
        later = replace(self, remaining_moves=moves - 1 if moves and moves > 1 else None)
        if player is Player.FIRST and self.first_clock is not None:
            return replace(later, first_clock=self.first_clock - seconds + (self.first_inc or 0))
        if player is Player.SECOND and self.second_clock is not None:
            return replace(later, second_clock=self.second_clock - seconds + (self.second_inc or 0))
        return later


@overload
def _milliseconds(seconds: float) -> int: ...
@overload
def _milliseconds(seconds: None) -> None: ...
@overload
def _milliseconds(seconds: float | None) -> int | None: ...
def _milliseconds(seconds: float | None) -> int | None:
    return None if seconds is None else math.floor(seconds * 1000 + 1e-6)


@dataclass(frozen=True, repr=False)
class Info:
    """A report of the engine during a search; missing values are `None`.

    Each value is an attribute and, as in python-chess, an entry: `info["score"]` raises `KeyError` where `info.score` is `None`.
    """

    #: Of the player to move in the position searched.
    score: PovScore | None = None
    #: The true value is at least, at most, the score; without either it is exact for this depth.
    lowerbound: bool | None = None
    upperbound: bool | None = None
    #: The best line, each move legal from the position searched on.
    pv: tuple[str, ...] | None = None
    #: The place of this line among the best ones, from 1.
    multipv: int | None = None
    #: Plies.
    depth: int | None = None
    seldepth: int | None = None
    #: Seconds since the search was asked for.
    time: float | None = None
    nodes: int | None = None
    #: Nodes a second.
    nps: int | None = None
    #: How full the transposition table is, in thousandths.
    hashfull: int | None = None
    tbhits: int | None = None
    #: The move being searched, and its number from 1.
    currmove: str | None = None
    currmovenumber: int | None = None
    #: Words for people.
    string: str | None = None

    @overload
    def __getitem__(self, key: Literal["score"]) -> PovScore: ...
    @overload
    def __getitem__(self, key: Literal["pv"]) -> tuple[str, ...]: ...
    @overload
    def __getitem__(self, key: Literal["currmove", "string"]) -> str: ...
    @overload
    def __getitem__(self, key: Literal["lowerbound", "upperbound"]) -> bool: ...
    @overload
    def __getitem__(self, key: Literal["time"]) -> float: ...
    @overload
    def __getitem__(
        self,
        key: Literal["multipv", "depth", "seldepth", "nodes", "nps", "hashfull", "tbhits", "currmovenumber"],
    ) -> int: ...
    def __getitem__(self, key: str) -> object:
        value: object = getattr(self, key, None) if key in _FIELDS else None
        if value is None:
            raise KeyError(key)
        return value

    def get(self, key: str, default: Any = None) -> Any:
        """The value, or `default` if it is missing."""
        value = getattr(self, key, None) if key in _FIELDS else None
        return default if value is None else value

    def __contains__(self, key: object) -> bool:
        return isinstance(key, str) and self.get(key) is not None

    def __iter__(self) -> Iterator[str]:
        return (name for name in _FIELDS if getattr(self, name) is not None)

    def __repr__(self) -> str:
        return f"Info({', '.join(f'{name}={getattr(self, name)!r}' for name in self)})"

    def keys(self) -> tuple[str, ...]:
        """The values that are present."""
        return tuple(self)

    def merged(self, later: Info) -> Info:
        """Updated by the values of `later`."""
        return replace(self, **{name: getattr(later, name) for name in later})


_FIELDS = tuple(field.name for field in fields(Info))


@dataclass(frozen=True)
class BestMove:
    """The answer to a search: the move (`None` if the game is over) and the expected reply."""

    move: str | None
    ponder: str | None


@dataclass(frozen=True)
class PlayResult:
    """The engine's move, the reply that it expects, and its best line."""

    move: str
    ponder: str | None
    info: Info


def plain(text: str) -> str:
    """A text that can be part of a line: nothing in it ends one."""
    if any(not c.isprintable() and c != "\t" for c in text):
        raise ValueError(f"expected a text without control characters, found {text!r}")
    return text.strip()


def moves_of(moves: Moves) -> tuple[str, ...]:
    """The moves, one by one as far as blanks stand between them."""
    return tuple(word for text in ([moves] if isinstance(moves, str) else moves) for word in plain(text).split())


def position_line(fen: str | None, moves: Iterable[str]) -> str:
    """The command that sets a position up."""
    words = ["position startpos"] if fen is None else [f"position fen {plain(fen)}"]
    played = list(moves)
    return " ".join(words + ["moves", *played] if played else words)


_ERROR = "info string error: "
_LOST = "; the game is lost by it"


def parse_error(line: str) -> Refused | None:
    """What a line refuses, if it does."""
    # Who asks from Python plays no game that could be lost.
    return Refused(line[len(_ERROR) :].removesuffix(_LOST)) if line.startswith(_ERROR) else None


_NUMBERS = ("depth", "seldepth", "multipv", "nodes", "nps", "hashfull", "tbhits", "currmovenumber")


def parse_info(line: str, turn: Player, game: str) -> Info | None:
    """What an `info` line says, if it is one; words that are not known are skipped."""
    words = line.split()
    if words[:1] != ["info"]:
        return None
    said: dict[str, Any] = {}
    at = 1
    while at < len(words):
        word, rest = words[at], words[at + 1 :]
        at += 1
        if word == "string":
            said["string"] = line.split("string", 1)[1].strip()
            break
        if word == "pv":
            said["pv"] = tuple(rest)
            break
        if word in ("lowerbound", "upperbound"):
            said[word] = True
        elif word == "currmove" and rest:
            said["currmove"] = rest[0]
            at += 1
        elif word in _NUMBERS and rest and _is_whole(rest[0]):
            said[word] = int(rest[0])
            at += 1
        elif word == "time" and rest and _is_whole(rest[0]):
            said["time"] = int(rest[0]) / 1000
            at += 1
        elif word in ("cp", "mate") and rest and _is_whole(rest[0]):
            # Both may stand in one line; the distance says more.
            at += 1
            score = _score(word, int(rest[0]))
            if word == "mate" or "score" not in said:
                said["score"] = PovScore(score, turn, game)
    return Info(**said)


def _is_whole(word: str) -> bool:
    return word.removeprefix("-").isascii() and word.removeprefix("-").isdigit()


def _score(kind: str, value: int) -> Score:
    if kind == "mate":
        return Mate(value)
    return Known(value > 0, abs(value) - KNOWN_WIN) if abs(value) >= KNOWN_WIN else Cp(value)
