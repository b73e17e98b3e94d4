"""The engine for asyncio. Everything here belongs to the event loop that opened the engine."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Final, overload

from griot._board import QUESTIONS, BoardState, Selector, Snapshot, refusal, snapshot
from griot._errors import AnalysisComplete, EngineDied, GameOver, GriotError, Refused
from griot._lines import (
    NO_MOVE,
    BestMove,
    Info,
    Limit,
    Moves,
    PlayResult,
    moves_of,
    parse_error,
    parse_info,
    plain,
    position_line,
)
from griot._options import Button, ConfigValue, Option, Options, parse_option, value_text
from griot._process import Connection, fail, words_of
from griot._score import FIRST, SECOND, Player

__all__ = ["AsyncAnalysis", "AsyncBoard", "AsyncEngine"]

# How long an answer that needs no search may take, in seconds, unless the caller says otherwise.
PATIENCE = 60.0
# What choose a game, by casefolded names: the one that was set last holds.
_GAMES = {"game": "Game", "uci_variant": "UCI_Variant"}
# What an option is set to when that cannot be known.
_UNKNOWN: Final = object()


@dataclass(frozen=True)
class _Asked:
    """A search as it was asked for; equal ones may go on pondering for each other."""

    selector: Selector
    fen: str | None
    moves: tuple[str, ...]
    limit: Limit
    root_moves: tuple[str, ...]
    options: tuple[tuple[str, str | None], ...]

    def is_of_the_same(self, other: _Asked) -> bool:
        """Whether the two differ in what the clocks show, and in nothing else."""
        mine = (self.selector, self.fen, self.moves, self.limit.without_clocks(), self.root_moves, self.options)
        return mine == (other.selector, other.fen, other.moves, other.limit.without_clocks(), other.root_moves, other.options)


class _Search:
    """A search from `go` to `bestmove`."""

    def __init__(self, turn: Player, game: str, gives_way: bool) -> None:
        self.turn = turn
        self.gives_way = gives_way
        self.is_stopped = False
        self.begun = time.monotonic()
        self.answer: asyncio.Future[BestMove] = asyncio.get_running_loop().create_future()
        #: Told of every line, and, with nothing, of the end.
        self.listener: Callable[[Info | None], None] = lambda info: None
        self._game = game
        self._problem: Refused | None = None
        # The lines of this iteration by their place, and those of the one before.
        self._now: dict[int, Info] = {}
        self._before: list[Info] = []

    def hear(self, line: str) -> bool:
        """Takes a line; whether it was the last one."""
        self._problem = self._problem or parse_error(line)
        if info := parse_info(line, self.turn, self._game):
            self.take(info)
        if not line.startswith("bestmove "):
            return False
        words = line.split()
        best, pv = words[1], self.best.pv or ()
        # Othello's pass is written like no move; only the pass has a line.
        move = None if best == NO_MOVE and not pv else best
        expected = words[3] if words[2:3] == ["ponder"] and len(words) > 3 else None
        if expected is None and len(pv) > 1 and pv[0] == move:
            expected = pv[1]
        if self._problem:
            fail(self.answer, self._problem)
        else:
            self.answer.set_result(BestMove(move, expected))
        self.listener(None)
        return True

    def take(self, info: Info) -> None:
        """Keeps what a line says of the move at its place; one that says but numbers brings those of the best line up to date."""
        rank = info.multipv or 1
        if info.score is not None:
            if rank == 1:
                self._before, self._now = self.multipv, {}
            self._now[rank] = info
        elif info.string is None and rank in self._now:
            # It speaks of an iteration that has still to tell its value.
            self._now[rank] = self._now[rank].merged(replace(info, depth=None, seldepth=None))
        self.listener(info)

    def die(self, error: EngineDied) -> None:
        """Ends without an answer."""
        if not self.answer.done():
            fail(self.answer, error)
            self.listener(None)

    @property
    def best(self) -> Info:
        """The best line so far."""
        return self._now.get(1, Info())

    @property
    def multipv(self) -> list[Info]:
        """The best lines so far, the best one first.

        After an iteration that was cut short, lines of the one before follow, each move once.
        """
        lines = [self._now[rank] for rank in sorted(self._now)]
        begun = {line.pv[0] for line in lines if line.pv}
        older = [line for line in self._before if line.pv and line.pv[0] not in begun]
        lines += older[: max(0, len(self._before) - len(lines))]
        return [line if line.multipv is None else replace(line, multipv=at + 1) for at, line in enumerate(lines)]


class AsyncEngine:
    """A running engine of one game, for asyncio. `Engine` is the same for threads.

    `await AsyncEngine.open(...)`, or `async with AsyncEngine(...)`. Searches run one after another, in the order of the calls. An
    analysis, and pondering, stop at the next call. Cancelling `play` or `analyse` stops its search.
    """

    def __init__(
        self,
        game: str | None = None,
        *,
        options: Mapping[str, ConfigValue] | None = None,
        command: str | Sequence[str] | None = None,
        timeout: float | None = PATIENCE,
    ) -> None:
        """`command` is a program, or a program and its arguments, to use instead of the installed griot.

        `timeout` is the number of seconds that an answer without a search may take, and that a search may take beyond the time of
        its limit; `None` waits for ever.
        """
        self._wanted = {**({} if game is None else {"Game": game}), **(options or {})}
        self._command = command
        self._timeout = timeout
        self._connection: Connection | None = None
        # A process for the questions of boards, once there is one.
        self._rules: asyncio.Task[AsyncEngine] | None = None
        self._is_closed = False
        self._options = Options()
        self._id: dict[str, str] = {}
        # What options are set to: in the engine, and as the user wants it outside of single searches. By casefolded names.
        self._set: dict[str, object] = {}
        self._kept: dict[str, str | None] = {}
        self._selector: Selector = _GAMES["game"], ""
        self._game_id: object = None
        # Held from before a command until its answer, also by a search that nobody waits for any more.
        self._turn = asyncio.Lock()
        self._waiting = 0
        self._search: _Search | None = None
        self._pondering: tuple[_Asked, _Search] | None = None

    @classmethod
    async def open(
        cls,
        game: str | None = None,
        *,
        options: Mapping[str, ConfigValue] | None = None,
        command: str | Sequence[str] | None = None,
        timeout: float | None = PATIENCE,
    ) -> AsyncEngine:
        """A running engine. Raises `EngineNotFound`, `EngineDied`, `EngineTimeout`, or `Refused` for the game or an option."""
        engine = cls(game, options=options, command=command, timeout=timeout)
        await engine._start()
        return engine

    async def _start(self) -> None:
        self._connection = await Connection.open(words_of(self._command), self._timeout)
        self._connection.on_end = self._died
        try:
            options: dict[str, Option] = {}
            for line in await self._connection.ask("ugi", "ugiok"):
                if option := parse_option(line):
                    options[option.name] = option
                elif line.startswith("id "):
                    _, what, *rest = line.split(" ", 2)
                    self._id[what] = " ".join(rest)
            self._options = Options(options)
            self._selector = _GAMES["game"], str(getattr(self._options.get("game"), "default", ""))
            await self.configure(self._wanted)
        except BaseException:
            self._connection.kill()
            await self.quit()
            raise

    async def __aenter__(self) -> AsyncEngine:
        if self._connection is None:
            await self._start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.quit()

    # What it is

    @property
    def id(self) -> Mapping[str, str]:
        """The engine's `name` and `author`."""
        return dict(self._id)

    @property
    def name(self) -> str:
        """Name and version of the engine."""
        return self._id.get("name", "")

    @property
    def options(self) -> Options:
        """The options of the engine, with types, defaults and ranges."""
        return self._options

    @property
    def game(self) -> str:
        """The game that the engine plays."""
        return self._selector[1]

    @property
    def pid(self) -> int:
        """The id of its process."""
        return self._live().pid

    @property
    def returncode(self) -> int | None:
        """The exit code of the process; `None` while it runs."""
        ended = self._connection.ended if self._connection else None
        return ended.result() if ended and ended.done() else None

    async def ping(self) -> None:
        """Waits for an answer of the engine, also while it searches.

        Raises `EngineDied` or `EngineTimeout`, as every call that asks the engine.
        """
        await self._live().ask("isready")

    async def configure(self, options: Mapping[str, ConfigValue]) -> None:
        """Sets options for all later searches. `None` presses a button.

        Raises `Refused` for an unknown name or a wrong value; the options before it are set.
        """
        async with self._exclusive():
            for name, value in options.items():
                await self._ask(_setoption(name, value_text(value)))
                key, text = name.casefold(), value_text(value)
                if not isinstance(self._options.get(key), Button):
                    self._set[key] = self._kept[key] = text
                if key in _GAMES:
                    self._selector = _GAMES[key], text or ""

    # Boards

    async def board(self, fen: str | None = None, moves: Moves = ()) -> AsyncBoard:
        """A board of the engine's game from the text `fen`, else from its start, after `moves`.

        Boards ask a second process, so a search does not block them; it ends with the engine. Raises `Refused` for a wrong board
        text, and `IllegalMove`.
        """
        selector = self._selector
        board = AsyncBoard(self, selector, fen, snapshot(await self._ask_rules(selector, position_line(fen, ()))))
        for move in moves_of(moves):
            await board.push(move)
        return board

    async def _ask_rules(self, selector: Selector, position: str) -> list[str]:
        self._live()
        if self._rules is None or (self._rules.done() and self._rules.exception()):
            opening = AsyncEngine.open(options={"Hash": 1}, command=self._command, timeout=self._timeout)
            self._rules = asyncio.ensure_future(opening)
        rules = await asyncio.shield(self._rules)
        async with rules._exclusive():
            if rules._selector != selector:
                await rules._ask(_setoption(*selector))
                rules._selector = selector
            lines = await rules._live().ask(f"{position}\n{QUESTIONS}\nisready")
        if problem := refusal(lines, position):
            raise problem
        return lines

    # Searching

    async def play(
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
        if limit.is_endless:
            raise ValueError("play: expected a limit that ends; analysis() may go without")
        asked = self._asked(board, limit, fen, root_moves, options)
        search = self._resumed(asked, game)
        self._pondering = None
        if search is None:
            search = await self._begin(asked, game=game)
        best = await self._answer(search, asked.limit)
        if best.move is None:
            raise GameOver("play: the game is over")
        if ponder and best.ponder is not None and not self._waiting:
            await self._ponder(asked, search, best.move, best.ponder)
        return PlayResult(best.move, best.ponder, search.best)

    @overload
    async def analyse(
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
    async def analyse(
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
    async def analyse(
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
        if limit.is_endless:
            raise ValueError("analyse: expected a limit that ends; analysis() may go without")
        asked = self._asked(board, limit, fen, root_moves, options, multipv)
        search = await self._begin(asked, game=game)
        await self._answer(search, limit)
        return search.best if multipv is None else search.multipv

    async def analysis(
        self,
        board: BoardState | Moves,
        limit: Limit | None = None,
        *,
        multipv: int | None = None,
        fen: str | None = None,
        game: object = None,
        root_moves: Moves | None = None,
        options: Mapping[str, ConfigValue] | None = None,
    ) -> AsyncAnalysis:
        """Starts a search that reports while it runs, until `limit`, `stop`, or another call.

        Arguments and errors are those of `analyse`.
        """
        asked = self._asked(board, limit or Limit(), fen, root_moves, options, multipv)
        return AsyncAnalysis(self, await self._begin(asked, game=game, gives_way=True))

    def stop(self) -> None:
        """Stops the running search; it still answers."""
        if self._search is not None:
            self._stop(self._search)

    async def quit(self) -> None:
        """Ends the engine; a running search is stopped and still answers. May be called again."""
        self._is_closed = True
        rules, self._rules = self._rules, None
        if rules is not None:
            with contextlib.suppress(GriotError):
                await (await rules).quit()
        if self._connection is not None:
            await self._connection.quit()

    close = quit

    # How a search is asked for, and answered

    def _asked(
        self,
        board: BoardState | Moves,
        limit: Limit,
        fen: str | None,
        root_moves: Moves | None,
        options: Mapping[str, ConfigValue] | None,
        multipv: int | None = None,
    ) -> _Asked:
        if isinstance(board, BoardState):
            if fen is not None:
                raise ValueError("expected a board, or moves and a fen")
            if board._selector != self._selector:
                raise ValueError(f"the board is one of {board.game}, and the engine plays {self.game}")
            fen, moves = board.start, tuple(board.move_stack)
        else:
            moves = moves_of(board)
        chosen = {name.casefold(): (name, value_text(value)) for name, value in (options or {}).items()}
        if multipv is not None:
            chosen["multipv"] = "MultiPV", str(multipv)
        for key in _GAMES.keys() & chosen.keys():
            raise ValueError(f"option {_GAMES[key]}: the game is chosen by configure(), not for one search")
        return _Asked(
            self._selector, fen, moves, limit, moves_of(root_moves or ()), tuple(sorted(chosen.values(), key=lambda set: set[0]))
        )

    async def _begin(
        self, asked: _Asked, *, game: object = None, gives_way: bool = False, mode: str | None = None
    ) -> _Search:
        """Waits for the engine's turn, sets options and position, and begins to search."""
        await self._take_turn()
        try:
            connection = self._live()
            commands = self._to_set(asked.options)
            if game != self._game_id:
                commands.append("uginewgame")
                self._game_id = game
            position = position_line(asked.fen, asked.moves)
            lines = await connection.ask("\n".join([*commands, position, "query p1turn", "isready"]))
            if problem := refusal(lines, position):
                raise problem
            turn = FIRST if "response true" in lines else SECOND
            words = ["go", *([mode] if mode else []), *asked.limit.words()]
            if asked.root_moves:
                words += ["searchmoves", *asked.root_moves]
            search = _Search(turn, asked.selector[1], gives_way)
            connection.searching = self._hear
            connection.send(" ".join(words))
        except BaseException:
            # Which of the options are set is not told.
            self._set.update((name.casefold(), _UNKNOWN) for name, _ in asked.options)
            self._turn.release()
            raise
        self._search = search
        if gives_way and self._waiting:
            self._stop(search)
        return search

    def _hear(self, line: str) -> None:
        search = self._search
        if search is not None and search.hear(line):
            self._end_search()

    def _end_search(self) -> None:
        self._search = None
        if self._connection:
            self._connection.searching = None
        self._turn.release()

    async def _answer(self, search: _Search, limit: Limit) -> BestMove:
        """The answer to a search, which is stopped if nobody waits for it any more."""
        patience = None if self._timeout is None or limit.time is None else self._timeout + limit.time
        try:
            return await self._live().within(patience, search.answer, "go")
        except asyncio.CancelledError:
            self._stop(search)
            raise

    def _stop(self, search: _Search) -> None:
        if search is self._search and not search.is_stopped:
            search.is_stopped = True
            with contextlib.suppress(EngineDied):
                self._live().send("stop")

    async def _ponder(self, asked: _Asked, search: _Search, move: str, reply: str) -> None:
        """Goes on thinking, on the reply that is expected, with the clocks as they will stand."""
        limit = asked.limit.after(search.turn, time.monotonic() - search.begun)
        expected = _Asked(asked.selector, asked.fen, (*asked.moves, move, reply), limit, asked.root_moves, asked.options)
        # The moves to choose from were those of the position before.
        if expected.root_moves:
            return
        # What goes wrong with it, the next command tells.
        with contextlib.suppress(GriotError):
            self._pondering = expected, await self._begin(expected, game=self._game_id, gives_way=True, mode="ponder")

    def _resumed(self, asked: _Asked, game: object) -> _Search | None:
        """The search that ponders on just this, which goes on as a normal one."""
        if self._pondering is None or game != self._game_id:
            return None
        expected, search = self._pondering
        if search is not self._search or search.is_stopped or not asked.is_of_the_same(expected):
            return None
        self._live().send("ponderhit")
        search.gives_way = False
        search.begun = time.monotonic()
        return search

    # Turns

    async def _take_turn(self) -> None:
        self._live()
        if self._search is not None and self._search.gives_way:
            self._stop(self._search)
        self._waiting += 1
        try:
            await self._turn.acquire()
        finally:
            self._waiting -= 1

    @contextlib.asynccontextmanager
    async def _exclusive(self) -> AsyncGenerator[None, None]:
        """The engine's turn, for commands that are answered at once."""
        await self._take_turn()
        try:
            yield
        finally:
            self._turn.release()

    def _live(self) -> Connection:
        if self._is_closed or self._connection is None:
            raise EngineDied("the engine was closed" if self._is_closed else "the engine was not opened")
        return self._connection

    def _died(self) -> None:
        """The process has ended: so has its search, and the next in turn finds out."""
        search = self._search
        if search is not None and self._connection is not None:
            search.die(EngineDied("the engine was closed") if self._is_closed else self._connection.death())
            self._end_search()

    async def _ask(self, command: str) -> None:
        """Sends a command that has an answer only when something is wrong."""
        for line in await self._live().ask(f"{command}\nisready"):
            if problem := parse_error(line):
                raise problem

    def _to_set(self, chosen: Iterable[tuple[str, str | None]]) -> list[str]:
        """What sets the options to those chosen for one search, and all others back to what they are kept at."""
        names = {name: option.name for name, option in ((name, self._options.get(name)) for name in self._set) if option}
        wanted = {name: value_text(self._options[name].default) for name in names}
        wanted.update(self._kept)
        for name, value in chosen:
            wanted[name.casefold()] = value
            names[name.casefold()] = name
        commands: list[str] = []
        for key, value in wanted.items():
            if isinstance(self._options.get(key), Button):
                commands.append(_setoption(names[key], None))
            elif key not in self._set or self._set[key] != value:
                commands.append(_setoption(names[key], value))
                self._set[key] = value
        return commands


def _setoption(name: str, text: str | None) -> str:
    return f"setoption name {plain(name)}" + ("" if text is None else f" value {plain(text)}")


class AsyncAnalysis:
    """A running search with its reports. Iterate over it; leaving it as a context manager stops the search."""

    def __init__(self, engine: AsyncEngine, search: _Search) -> None:
        self._engine = engine
        self._search = search
        self._unread: deque[Info] = deque()
        self._news = asyncio.Event()
        search.listener = self._post

    def _post(self, info: Info | None) -> None:
        if info is not None:
            self._unread.append(info)
        self._news.set()

    @property
    def info(self) -> Info:
        """The best line so far."""
        return self._search.best

    @property
    def multipv(self) -> list[Info]:
        """The best lines so far, the best one first."""
        return self._search.multipv

    def stop(self) -> None:
        """Stops the search; it still answers."""
        self._engine._stop(self._search)

    async def wait(self) -> BestMove:
        """Waits for the end of the search, and returns its answer. Raises `EngineDied`, or `Refused` for unknown moves."""
        await asyncio.wait([self._search.answer])
        return self._search.answer.result()

    def would_block(self) -> bool:
        """Whether the next line is not there yet."""
        return not self._unread and not self._search.answer.done()

    def empty(self) -> bool:
        """Whether there is no line to read now."""
        return not self._unread

    async def next(self) -> Info | None:
        """The next line; `None` when the search has ended. Raises as `wait`."""
        while self.would_block():
            self._news.clear()
            await self._news.wait()
        if self._unread:
            return self._unread.popleft()
        self._search.answer.result()
        return None

    async def get(self) -> Info:
        """The next line. Raises `AnalysisComplete` when the search has ended, else as `wait`."""
        info = await self.next()
        if info is None:
            raise AnalysisComplete("the search has ended")
        return info

    def __aiter__(self) -> AsyncIterator[Info]:
        return self

    async def __anext__(self) -> Info:
        info = await self.next()
        if info is None:
            raise StopAsyncIteration
        return info

    async def __aenter__(self) -> AsyncAnalysis:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


class AsyncBoard(BoardState):
    """A board whose moves are awaited. All other calls return at once."""

    def __init__(self, engine: AsyncEngine, selector: Selector, start: str | None, first: Snapshot) -> None:
        super().__init__(selector, start, first)
        self._engine = engine

    async def push(self, move: str) -> str:
        """Plays a move, and returns it as the game writes it.

        Raises `IllegalMove`, which leaves the board unchanged, and `EngineDied`.
        """
        lines = await self._engine._ask_rules(self._selector, self._asking(move))
        written = self._pushed(move, lines)
        if written is None:
            meant = snapshot(lines).move or move
            again = await self._engine._ask_rules(self._selector, self._asking(meant))
            written = self._pushed(move, lines, again)
        return written or move
