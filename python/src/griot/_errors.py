"""What can go wrong with an engine; every error is a `GriotError`."""

from __future__ import annotations

import asyncio
import re

__all__ = [
    "AnalysisComplete",
    "EngineDied",
    "EngineNotFound",
    "EngineTimeout",
    "GameOver",
    "GriotError",
    "IllegalMove",
    "Refused",
]

_COLUMN = re.compile(r"column (\d+): ")


class GriotError(Exception):
    """Anything that goes wrong with an engine."""


class EngineNotFound(GriotError):
    """There is no program to start."""


class EngineDied(GriotError):
    """The engine has ended, or was closed."""


class EngineTimeout(GriotError, asyncio.TimeoutError):
    """The engine did not answer in time. It is ended then, as nothing that it says later could be told apart."""


class GameOver(GriotError):
    """A move was asked for where the game is over."""


class AnalysisComplete(GriotError):
    """An analysis has nothing more to say."""


class Refused(GriotError):
    """The engine refused a command; the text says why and what would have been right."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        column = _COLUMN.match(text)
        #: Where in the command the trouble is, from 1; nothing if it is the command as a whole.
        self.column: int | None = int(column[1]) if column else None


class IllegalMove(Refused, ValueError):
    """A move that the rules do not allow, or that comes after the end of the game."""

    def __init__(self, text: str, move: str, ply: int) -> None:
        super().__init__(text)
        #: The move as it was sent.
        self.move = move
        #: Its place among the moves, from 1.
        self.ply = ply

    def __str__(self) -> str:
        return f"illegal move {self.move!r} at ply {self.ply}: {_COLUMN.sub('', super().__str__()).removeprefix('move: ')}"
