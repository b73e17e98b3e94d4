"""The errors; each is a `GriotError`."""

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
    """The base of all errors."""


class EngineNotFound(GriotError):
    """There is no program to start."""


class EngineDied(GriotError):
    """The engine has ended, or was closed."""


class EngineTimeout(GriotError, asyncio.TimeoutError):
    """The engine did not answer in time, and was ended."""


class GameOver(GriotError):
    """A move was requested in a finished game."""


class AnalysisComplete(GriotError):
    """The analysis has ended."""


class Refused(GriotError):
    """The engine refused a command; the text says why and what was expected."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        column = _COLUMN.match(text)
        #: Where in the command the trouble is, from 1; nothing if it is the command as a whole.
        self.column: int | None = int(column[1]) if column else None


class IllegalMove(Refused, ValueError):
    """An illegal move, or one after the end of the game."""

    def __init__(self, text: str, move: str, ply: int) -> None:
        super().__init__(text)
        #: The move as it was sent.
        self.move = move
        #: Its place among the moves, from 1.
        self.ply = ply

    def __str__(self) -> str:
        return f"illegal move {self.move!r} at ply {self.ply}: {_COLUMN.sub('', super().__str__()).removeprefix('move: ')}"
