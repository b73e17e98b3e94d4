"""A client for the board-game engine griot, with the calls of python-chess.

>>> from griot import Engine, Limit
>>> with Engine("tictactoe") as engine:
...     board = engine.board(moves="a1 b1 a2 b2")
...     engine.play(board, Limit(time=0.5)).move
'a3'
"""

from griot._aio import AsyncAnalysis, AsyncBoard, AsyncEngine
from griot._board import BoardState, Outcome
from griot._errors import (
    AnalysisComplete,
    EngineDied,
    EngineNotFound,
    EngineTimeout,
    GameOver,
    GriotError,
    IllegalMove,
    Refused,
)
from griot._lines import BestMove, Info, Limit, Moves, PlayResult
from griot._options import Button, Check, Combo, ConfigValue, Option, Options, Spin, Text
from griot._process import find_engine
from griot._records import Game, RecordWarning, read_games
from griot._score import FIRST, SECOND, Cp, Known, Mate, MateGiven, Player, PovScore, PovWdl, Score, Wdl
from griot._sync import Analysis, Board, Engine

__all__ = [
    "FIRST",
    "SECOND",
    "Analysis",
    "AnalysisComplete",
    "AsyncAnalysis",
    "AsyncBoard",
    "AsyncEngine",
    "BestMove",
    "Board",
    "BoardState",
    "Button",
    "Check",
    "Combo",
    "ConfigValue",
    "Cp",
    "Engine",
    "EngineDied",
    "EngineNotFound",
    "EngineTimeout",
    "Game",
    "GameOver",
    "GriotError",
    "IllegalMove",
    "Info",
    "Known",
    "Limit",
    "Mate",
    "MateGiven",
    "Moves",
    "Option",
    "Options",
    "Outcome",
    "PlayResult",
    "Player",
    "PovScore",
    "PovWdl",
    "RecordWarning",
    "Refused",
    "Score",
    "Spin",
    "Text",
    "Wdl",
    "find_engine",
    "read_games",
]
