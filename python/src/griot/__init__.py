"""A thin client of the board-game engine griot.

>>> from griot import Engine
>>> with Engine("tictactoe") as engine:
...     engine.position(moves="a1 b1 a2 b2")
...     engine.go(depth=3).bestmove
'a3'
"""

from griot._client import (
    Analysis,
    Engine,
    EngineDied,
    EngineNotFound,
    EngineTimeout,
    GriotError,
    Info,
    Refused,
    Result,
    Score,
    find_engine,
)

__all__ = [
    "Analysis",
    "Engine",
    "EngineDied",
    "EngineNotFound",
    "EngineTimeout",
    "GriotError",
    "Info",
    "Refused",
    "Result",
    "Score",
    "find_engine",
]
