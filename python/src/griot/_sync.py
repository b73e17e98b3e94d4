"""The engine for threads: an `AsyncEngine` in an event loop on a thread of its own, behind blocking functions."""

from __future__ import annotations

import asyncio
import concurrent.futures
import sys
import threading
import warnings
import weakref
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from types import TracebackType
from typing import Any, TypeVar, overload

from griot._aio import PATIENCE, AsyncAnalysis, AsyncBoard, AsyncEngine
from griot._board import BoardState
from griot._deprecated import OldCalls
from griot._errors import EngineDied
from griot._lines import BestMove, Info, Limit, Moves, PlayResult
from griot._options import ConfigValue, Options

__all__ = ["Analysis", "Board", "Engine"]

T = TypeVar("T")


class _Loop:
    """An event loop on a thread of its own."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._closing = threading.Lock()
        self._is_closed = False
        # A daemon, so that an engine that was not closed does not keep the interpreter from its end.
        self._thread = threading.Thread(target=self._run, name="griot", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_forever()
        finally:
            self._loop.close()

    def wait(self, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Does work in the loop, and waits for it; work that nobody waits for any more is cancelled."""
        with self._closing:
            if self._is_closed:
                raise EngineDied("the engine was closed")
            future = asyncio.run_coroutine_threadsafe(work(), self._loop)
        try:
            # On Windows Ctrl-C is heard between two waits only.
            while sys.platform == "win32" and not concurrent.futures.wait([future], timeout=0.2).done:
                pass
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def call(self, work: Callable[[], T]) -> T:
        """Does what is done at once in the loop."""

        async def in_the_loop() -> T:
            return work()

        return self.wait(in_the_loop)

    def close(self, last: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Does a last work, waits for whatever else is under way, and ends the loop. It may be called again."""

        async def finish() -> None:
            try:
                await last()
            finally:
                others = asyncio.all_tasks() - {asyncio.current_task()}
                if others:
                    await asyncio.wait(others)
                self._loop.call_soon(self._loop.stop)

        with self._closing:
            if not self._is_closed:
                self._is_closed = True
                asyncio.run_coroutine_threadsafe(finish(), self._loop)
        if threading.current_thread() is not self._thread:
            self._thread.join()


def _abandoned(loop: _Loop, engine: AsyncEngine) -> None:
    loop.close(engine.quit)


class Engine(OldCalls):
    """A running engine of one game.

    Use it as a context manager, or call `quit`. Methods may be called from any thread. Searches run one after another, in the order
    of the calls. An analysis, and pondering, stop at the next call. Every method that asks the engine raises `EngineDied` when it
    has ended or was closed, and `EngineTimeout`.
    """

    def __init__(
        self,
        game: str | None = None,
        *,
        options: Mapping[str, ConfigValue] | None = None,
        command: str | Sequence[str] | None = None,
        timeout: float | None = PATIENCE,
    ) -> None:
        """Starts an engine for `game`, else for its default game, with `options` set.

        `command` is a program, or a program and its arguments, to use instead of the installed griot. `timeout` is the number of
        seconds that an answer without a search may take, and that a search may take beyond the time of its limit; `None` waits for
        ever.

        Raises `EngineNotFound`, `EngineDied`, `EngineTimeout`, or `Refused` for the game or an option.
        """
        self._loop = _Loop()
        self._engine = engine = AsyncEngine(game, options=options, command=command, timeout=timeout)
        self._finalizer = weakref.finalize(self, _abandoned, self._loop, engine)
        try:
            self._loop.wait(engine._start)
        except BaseException:
            self._finalizer()
            raise

    # What it is

    @property
    def id(self) -> Mapping[str, str]:
        """The engine's `name` and `author`."""
        return self._engine.id

    @property
    def name(self) -> str:
        """Name and version of the engine."""
        return self._engine.name

    @property
    def options(self) -> Options:
        """The options of the engine, with types, defaults and ranges."""
        return self._engine.options

    @property
    def game(self) -> str:
        """The game that the engine plays."""
        return self._engine.game

    @property
    def pid(self) -> int:
        """The id of its process."""
        return self._engine.pid

    @property
    def returncode(self) -> int | None:
        """The exit code of the process; `None` while it runs."""
        return self._engine.returncode

    def ping(self) -> None:
        """Waits for an answer of the engine, also while it searches."""
        self._loop.wait(self._engine.ping)

    def configure(self, options: Mapping[str, ConfigValue]) -> None:
        """Sets options for all later searches. `None` presses a button.

        Raises `Refused` for an unknown name or a wrong value; the options before it are set.
        """
        self._loop.wait(lambda: self._engine.configure(options))

    def board(self, fen: str | None = None, moves: Moves = ()) -> Board:
        """A board of the engine's game from the text `fen`, else from its start, after `moves`.

        Boards ask a second process, so a search does not block them; it ends with the engine. Raises `Refused` for a wrong board
        text, and `IllegalMove`.
        """
        return Board(self, self._loop.wait(lambda: self._engine.board(fen, moves)))

    # Searching

    def play(
        self,
        board: BoardState | Moves,
        limit: Limit,
        *,
        fen: str | None = None,
        game: object = None,
        ponder: bool = False,
        root_moves: Moves | None = None,
        options: Mapping[str, ConfigValue] | None = None,
    ) -> PlayResult:
        """Returns the engine's move in a position: a board, or the moves from the start or from the text `fen`.

        `game` is any object: a new one starts a new game (`uginewgame`). With `ponder` the engine goes on searching after the reply
        that it expects, until the next call; a `play` after that reply continues the search. `root_moves` are the moves to choose
        from. `options` are set for this search only.

        Raises `ValueError` for a limit without an end, `IllegalMove` and `Refused` for a wrong position, and `GameOver`.
        """
        return self._loop.wait(
            lambda: self._engine.play(
                board, limit, fen=fen, game=game, ponder=ponder, root_moves=root_moves, options=options
            )
        )

    @overload
    def analyse(
        self,
        board: BoardState | Moves,
        limit: Limit,
        *,
        multipv: None = None,
        fen: str | None = None,
        game: object = None,
        root_moves: Moves | None = None,
        options: Mapping[str, ConfigValue] | None = None,
    ) -> Info: ...
    @overload
    def analyse(
        self,
        board: BoardState | Moves,
        limit: Limit,
        *,
        multipv: int,
        fen: str | None = None,
        game: object = None,
        root_moves: Moves | None = None,
        options: Mapping[str, ConfigValue] | None = None,
    ) -> list[Info]: ...
    def analyse(
        self,
        board: BoardState | Moves,
        limit: Limit,
        *,
        multipv: int | None = None,
        fen: str | None = None,
        game: object = None,
        root_moves: Moves | None = None,
        options: Mapping[str, ConfigValue] | None = None,
    ) -> Info | list[Info]:
        """Analyses a position until `limit`. With `multipv` returns that many lines, the best one first.

        Arguments and errors are those of `play`; a finished game has a score and no `pv`.
        """
        if multipv is None:
            return self._loop.wait(
                lambda: self._engine.analyse(
                    board, limit, fen=fen, game=game, root_moves=root_moves, options=options
                )
            )
        lines = multipv
        return self._loop.wait(
            lambda: self._engine.analyse(
                board, limit, multipv=lines, fen=fen, game=game, root_moves=root_moves, options=options
            )
        )

    def analysis(
        self,
        board: BoardState | Moves,
        limit: Limit | None = None,
        *,
        multipv: int | None = None,
        fen: str | None = None,
        game: object = None,
        root_moves: Moves | None = None,
        options: Mapping[str, ConfigValue] | None = None,
    ) -> Analysis:
        """Starts a search that reports while it runs, until `limit`, `stop`, or another call.

        Arguments and errors are those of `analyse`.
        """
        search = self._loop.wait(
            lambda: self._engine.analysis(
                board, limit, multipv=multipv, fen=fen, game=game, root_moves=root_moves, options=options
            )
        )
        return Analysis(self, search)

    def stop(self) -> None:
        """Stops the running search; it still answers."""
        self._loop.call(self._engine.stop)

    # The end

    def quit(self) -> None:
        """Ends the engine; a running search is stopped and still answers. May be called again."""
        self._finalizer()

    close = quit

    def __enter__(self) -> Engine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.quit()

    def __del__(self) -> None:
        if (finalizer := getattr(self, "_finalizer", None)) and finalizer.alive:
            warnings.warn(f"{self.name or 'an engine'} was not closed", ResourceWarning, source=self, stacklevel=2)


class Analysis:
    """A running search with its reports. Iterate over it; leaving it as a context manager stops the search."""

    def __init__(self, engine: Engine, analysis: AsyncAnalysis) -> None:
        # The engine is not closed while somebody looks on.
        self._engine = engine
        self._analysis = analysis

    @property
    def info(self) -> Info:
        """The best line so far."""
        return self._do(lambda: self._analysis.info)

    @property
    def multipv(self) -> list[Info]:
        """The best lines so far, the best one first."""
        return self._do(lambda: self._analysis.multipv)

    def stop(self) -> None:
        """Stops the search; it still answers."""
        self._do(self._analysis.stop)

    def wait(self) -> BestMove:
        """Waits for the end of the search, and returns its answer. Raises `EngineDied`, or `Refused` for unknown moves."""
        return self._engine._loop.wait(self._analysis.wait)

    def would_block(self) -> bool:
        """Whether the next line is not there yet."""
        return self._do(self._analysis.would_block)

    def empty(self) -> bool:
        """Whether there is no line to read now."""
        return self._do(self._analysis.empty)

    def next(self) -> Info | None:
        """The next line; `None` when the search has ended. Raises as `wait`."""
        return self._engine._loop.wait(self._analysis.next)

    def get(self) -> Info:
        """The next line. Raises `AnalysisComplete` when the search has ended, else as `wait`."""
        return self._engine._loop.wait(self._analysis.get)

    def _do(self, work: Callable[[], T]) -> T:
        try:
            return self._engine._loop.call(work)
        except EngineDied:
            # The loop has ended, so that nobody else is at it.
            return work()

    def __iter__(self) -> Iterator[Info]:
        return self

    def __next__(self) -> Info:
        info = self.next()
        if info is None:
            raise StopIteration
        return info

    def __enter__(self) -> Analysis:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


class Board(BoardState):
    """A board whose moves block. All other calls need no engine."""

    def __init__(self, engine: Engine, board: AsyncBoard) -> None:
        super().__init__(board._selector, board._start, board._snapshots[0])
        self._snapshots = board._snapshots
        self._engine = engine

    def push(self, move: str) -> str:
        """Plays a move, and returns it as the game writes it.

        Raises `IllegalMove`, which leaves the board unchanged, and `EngineDied`.
        """
        board = AsyncBoard(self._engine._engine, self._selector, self._start, self._snapshots[0])
        board._snapshots = self._snapshots
        return self._engine._loop.wait(lambda: board.push(move))
