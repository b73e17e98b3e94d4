"""The deprecated calls without boards and limits. Each warns and names its replacement."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from griot._lines import Info, Limit, Moves
from griot._options import ConfigValue
from griot._score import FIRST

if TYPE_CHECKING:
    from griot._sync import Board, Engine


@dataclass(frozen=True)
class Result:
    """What `go` answers: no best move where the game is over."""

    bestmove: str | None
    info: Info


class OldCalls:
    """What an `Engine` could be asked without a board. Deprecated."""

    _old_board: Board | None = None
    _old_game: object = None

    def _use(self, instead: str) -> Engine:
        warnings.warn(f"deprecated: use {instead}", DeprecationWarning, stacklevel=3)
        return cast("Engine", self)

    def _old(self, instead: str) -> Board:
        engine = self._use(instead)
        if self._old_board is None:
            self._old_board = engine.board()
        return self._old_board

    def set_option(self, name: str, value: ConfigValue = None) -> None:
        """Deprecated: `configure`."""
        self._use("Engine.configure").configure({name: value})

    def new_game(self) -> None:
        """Deprecated: the argument `game` of `play`, `analyse` and `analysis`."""
        self._use("the argument game of Engine.play")
        self._old_game = object()

    def position(self, board: str | None = None, moves: Moves = ()) -> None:
        """Deprecated: `board`."""
        self._old_board = self._use("Engine.board").board(board, moves)

    def legal_moves(self) -> list[str]:
        """Deprecated: `Board.legal_moves`."""
        return list(self._old("Board.legal_moves").legal_moves)

    def board_text(self) -> str:
        """Deprecated: `Board.fen`."""
        return self._old("Board.fen").fen()

    def drawing(self) -> str:
        """Deprecated: `str(board)`."""
        return str(self._old("str(board)"))

    def is_over(self) -> bool:
        """Deprecated: `Board.is_game_over`."""
        return self._old("Board.is_game_over").is_game_over()

    def result(self) -> str | None:
        """Deprecated: `Board.outcome`."""
        return {"1-0": "p1win", "0-1": "p2win", "1/2-1/2": "draw"}.get(self._old("Board.outcome").result())

    def is_first_to_move(self) -> bool:
        """Deprecated: `Board.turn`."""
        return self._old("Board.turn").turn is FIRST

    def go(
        self,
        *,
        depth: int | None = None,
        nodes: int | None = None,
        movetime: int | None = None,
        mate: int | None = None,
        searchmoves: Moves = (),
    ) -> Result:
        """Deprecated: `play` and `analyse`, whose times are in seconds. Here `movetime` is a whole number of milliseconds."""
        board = self._old("Engine.play or Engine.analyse, with a Limit in seconds")
        if movetime is not None and type(movetime) is not int:
            raise TypeError(f"go: movetime: expected a whole number of milliseconds, found {movetime!r}")
        limit = Limit(None if movetime is None else movetime / 1000, depth, nodes, mate)
        engine = cast("Engine", self)
        info = engine.analyse(board, limit, game=self._old_game, root_moves=searchmoves)
        return Result(info.pv[0] if info.pv else None, info)
