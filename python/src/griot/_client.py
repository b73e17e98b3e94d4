"""The client: an engine as a process, and the lines of its protocol (UGI) as values.

A thread reads the engine's lines and hands each to whoever asked last; every answer ends with a line that is known beforehand
(`readyok`, `response`, `bestmove`), so nobody waits for what does not come.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import queue
import re
import shutil
import subprocess
import sysconfig
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Literal

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

# How long an answer that needs no search may take, and how long the engine may take to end, in seconds.
PATIENCE = 60.0
FAREWELL = 10.0
# The move that says that there is none.
NO_MOVE = "0000"

Moves = str | Iterable[str]
Bound = Literal["exact", "lower", "upper"]
Outcome = Literal["p1win", "p2win", "draw"]
_OUTCOMES: dict[str, Outcome] = {"p1win": "p1win", "p2win": "p2win", "draw": "draw"}


class GriotError(Exception):
    """Anything that goes wrong with an engine."""


class EngineNotFound(GriotError):
    """There is no program to start."""


class EngineDied(GriotError):
    """The engine has ended, or was closed."""


class EngineTimeout(GriotError):
    """The engine did not answer in time."""


class Refused(GriotError):
    """The engine refused a command; the text says why and what would have been right."""

    def __init__(self, text: str):
        super().__init__(text)
        column = re.match(r"column (\d+): ", text)
        #: Where in the command the trouble is, from 1; nothing if it is the command as a whole.
        self.column: int | None = int(column[1]) if column else None


@dataclass(frozen=True, slots=True)
class Score:
    """A value for the player to move: `cp`, in hundredths of the game's unit, or `mate`, in the winner's own moves."""

    cp: int | None = None
    mate: int | None = None
    bound: Bound = "exact"

    def __str__(self) -> str:
        value = f"mate {self.mate}" if self.cp is None else f"{self.cp / 100:+.2f}"
        return {"exact": "", "lower": "at least ", "upper": "at most "}[self.bound] + value


@dataclass(frozen=True, slots=True)
class Info:
    """What the engine says while it searches. A line of numbers alone has no score and no `pv`."""

    depth: int = 0
    seldepth: int = 0
    multipv: int = 1
    score: Score | None = None
    nodes: int = 0
    nps: int = 0
    hashfull: int = 0
    tbhits: int = 0
    #: Milliseconds.
    time: int = 0
    currmove: str | None = None
    currmovenumber: int = 0
    pv: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Result:
    """The answer to `go`: nothing is the best move of a game that is over. `info` is the best line."""

    bestmove: str | None
    info: Info


@dataclass(frozen=True, slots=True)
class Analysis:
    """What is known of a position: the best move, and the best lines of the last iteration, the best one first."""

    bestmove: str | None
    lines: tuple[Info, ...]

    @property
    def score(self) -> Score | None:
        """The value of the best line."""
        return self.lines[0].score if self.lines else None

    @property
    def pv(self) -> tuple[str, ...]:
        """The best line."""
        return self.lines[0].pv if self.lines else ()


def find_engine() -> str:
    """The program: what `GRIOT` names, else what pip has installed with this module, else `griot` on the path."""
    named = os.environ.get("GRIOT")
    if named:
        if found := shutil.which(named):
            return found
        raise EngineNotFound(f"GRIOT: expected a program, found {named!r}")
    folders = [sysconfig.get_path("scripts"), sysconfig.get_path("scripts", sysconfig.get_preferred_scheme("user"))]
    for folder in folders:
        if found := shutil.which("griot", path=folder):
            return found
    if found := shutil.which("griot"):
        return found
    raise EngineNotFound(f"no program 'griot' in {', '.join(folders)} or on the path; GRIOT may name one")


class Engine:
    """A running engine of one game.

    Use it as a context manager, or call `close`. Methods are for one thread at a time; `stop` is for any.
    """

    def __init__(
        self,
        game: str | None = None,
        *,
        options: Mapping[str, object] | None = None,
        command: str | Sequence[str] | None = None,
    ):
        words = [find_engine()] if command is None else [command] if isinstance(command, str) else list(command)
        try:
            self._process = subprocess.Popen(
                [*words, "--dialect", "ugi"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                encoding="utf-8",
                bufsize=1,
            )
        except OSError as error:
            raise EngineNotFound(f"{words[0]}: {error}") from error
        #: The last answer to a search, also to one that was streamed.
        self.last_result: Result | None = None
        self._writing = threading.Lock()
        self._hand: Callable[[str | None], None] = lambda line: None
        # Set while no search runs.
        self._idle = threading.Event()
        self._idle.set()
        self._lines_heard: dict[int, Info] = {}
        self._ended = threading.Event()
        self._reader = threading.Thread(target=self._read, name="griot", daemon=True)
        self._reader.start()
        try:
            #: Name and version of the engine.
            self.name = ""
            for line in self._ask("ugi", "ugiok"):
                if line.startswith("id name "):
                    self.name = line.removeprefix("id name ")
            if game is not None:
                self.set_option("Game", game)
            for name, value in (options or {}).items():
                self.set_option(name, value)
        except BaseException:
            self.close()
            raise

    # What is there

    def set_option(self, name: str, value: object = None) -> None:
        """Sets an option; `True` and `False` become words."""
        text = str(value).lower() if isinstance(value, bool) else str(value)
        self._do(f"setoption name {_plain(name)}" + ("" if value is None else f" value {_plain(text)}"))

    def new_game(self) -> None:
        """Forgets what was learnt in earlier searches."""
        self._do("uginewgame")

    def position(self, board: str | None = None, moves: Moves = ()) -> None:
        """Sets up a position: a board text, or the start, and the moves from there, as one text or one by one.

        A `Refused` illegal move makes the game over, lost by whoever made it.
        """
        played = _plain(moves if isinstance(moves, str) else " ".join(moves))
        start = "startpos" if board is None else f"fen {_plain(board)}"
        self._do(f"position {start}" + (f" moves {played}" if played else ""))

    def legal_moves(self) -> list[str]:
        """The legal moves; none when the game is over."""
        return self._query("legalmoves").split()

    def board_text(self) -> str:
        """The board as a text that `position` reads."""
        return self._query("fen")

    def drawing(self) -> str:
        """The board drawn for people."""
        lines = self._ask("query board\nisready", "readyok")
        if "response unknown" in lines:
            raise Refused("query board: there is no position, because the last one was refused")
        return "\n".join(line.removeprefix("info string ") for line in lines[:-1])

    def is_over(self) -> bool:
        """Whether the game is over."""
        return self._query("gameover") == "true"

    def result(self) -> Outcome | None:
        """How the game ended; nothing while it goes on."""
        return _OUTCOMES.get(self._query("result"))

    def is_first_to_move(self) -> bool:
        """Whether the player who begins is to move."""
        return self._query("p1turn") == "true"

    # Searching

    def go(
        self,
        *,
        depth: int | None = None,
        nodes: int | None = None,
        movetime: int | None = None,
        mate: int | None = None,
        searchmoves: Moves = (),
    ) -> Result:
        """Searches the position until a limit is reached, whichever comes first, and answers the best move."""
        limits = _limits(depth, nodes, movetime, mate, searchmoves)
        if limits.endless:
            raise ValueError("go: expected a limit: depth, nodes, movetime or mate; stream() may go without")
        heard: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._begin(f"go {limits.words}", heard.put)
        problem: Refused | None = None
        try:
            while True:
                line = heard.get()
                if line is None:
                    raise self._death()
                problem = problem or _problem(line)
                if line.startswith("bestmove "):
                    break
        except KeyboardInterrupt:
            # The engine is told, and the next command waits for its answer.
            with contextlib.suppress(EngineDied):
                self.stop()
            raise
        if problem:
            raise problem
        assert self.last_result is not None
        return self.last_result

    def analyse(
        self,
        board: str | None = None,
        moves: Moves = (),
        *,
        depth: int | None = None,
        nodes: int | None = None,
        movetime: int | None = None,
        multipv: int = 1,
    ) -> Analysis:
        """Searches a position from an empty table, so that depth and nodes always find the same; `multipv` lines are told."""
        self.position(board, moves)
        self.set_option("MultiPV", multipv)
        try:
            self.new_game()
            result = self.go(depth=depth, nodes=nodes, movetime=movetime)
            heard = self._lines_heard
        finally:
            with contextlib.suppress(EngineDied):
                self.set_option("MultiPV", 1)
        return Analysis(result.bestmove, tuple(heard[rank] for rank in sorted(heard)))

    async def stream(
        self,
        *,
        depth: int | None = None,
        nodes: int | None = None,
        movetime: int | None = None,
        mate: int | None = None,
        searchmoves: Moves = (),
    ) -> AsyncIterator[Info]:
        """Searches, and yields what the engine says as it says it. Without a limit it goes on until `stop`.

        Leaving the loop stops the search. Afterwards `last_result` is the answer.
        """
        limits = _limits(depth, nodes, movetime, mate, searchmoves)
        loop = asyncio.get_running_loop()
        heard: asyncio.Queue[str | None] = asyncio.Queue()

        def hand(line: str | None) -> None:
            # A loop that has ended has nobody who listens.
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(heard.put_nowait, line)

        problem: Refused | None = None
        try:
            await asyncio.to_thread(self._begin, f"go {limits.words}", hand)
            while True:
                line = await heard.get()
                if line is None:
                    raise self._death()
                problem = problem or _problem(line)
                if info := _info(line):
                    yield info
                if line.startswith("bestmove "):
                    break
            if problem:
                raise problem
        finally:
            # Left early: the search is stopped, and the next command waits for its answer.
            if self._hand is hand and not self._idle.is_set():
                with contextlib.suppress(EngineDied):
                    self.stop()

    def stop(self) -> None:
        """Ends a search that runs; it still answers."""
        self._write("stop")

    # The end

    def close(self) -> None:
        """Ends the engine. It may be called again."""
        try:
            self._write("quit")
            if self._process.stdin:
                self._process.stdin.close()
        except (EngineDied, OSError):
            pass
        try:
            self._process.wait(FAREWELL)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._reader.join(FAREWELL)
        if self._process.stdout and not self._reader.is_alive():
            self._process.stdout.close()

    def __enter__(self) -> Engine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # Lines

    def _read(self) -> None:
        """Hands on what the engine says; on a thread of its own."""
        ranks: dict[int, Info] = {}
        assert self._process.stdout
        for raw in self._process.stdout:
            line = raw.rstrip("\r\n")
            ends = line.startswith("bestmove ")
            if (info := _info(line)) and info.score:
                ranks[info.multipv] = info
            # Taken before the search counts as ended: from then on somebody else may listen.
            hand = self._hand
            if ends:
                best = line.split()[1]
                first = ranks.get(1, Info())
                # Othello's pass is written like no move; only the pass has a line.
                move = None if best == NO_MOVE and not first.pv else best
                self._lines_heard, ranks = ranks, {}
                self.last_result = Result(move, first)
                self._idle.set()
            hand(line)
        self._ended.set()
        self._idle.set()
        self._hand(None)

    def _write(self, line: str) -> None:
        if self._ended.is_set():
            raise self._death()
        try:
            with self._writing:
                assert self._process.stdin
                self._process.stdin.write(line + "\n")
                self._process.stdin.flush()
        except (OSError, ValueError) as error:
            raise self._death() from error

    def _begin(self, command: str, hand: Callable[[str | None], None]) -> None:
        """Sends a command whose lines go to `hand`. A search that nobody listens to any longer is ended before."""
        if not self._idle.is_set():
            self.stop()
            if not self._idle.wait(PATIENCE):
                raise EngineTimeout(f"no answer to 'stop' within {PATIENCE:.0f} s")
        self._hand = hand
        if command.startswith("go"):
            self._idle.clear()
        try:
            self._write(command)
        except EngineDied:
            self._idle.set()
            raise

    def _ask(self, command: str, last: str) -> list[str]:
        """The lines up to the one that begins with the word `last`."""
        heard: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._begin(command, heard.put)
        return list(self._until(heard, last, command))

    def _until(self, heard: queue.SimpleQueue[str | None], last: str, command: str) -> Iterator[str]:
        end = time.monotonic() + PATIENCE
        while True:
            try:
                line = heard.get(timeout=max(0.0, end - time.monotonic()))
            except queue.Empty:
                raise EngineTimeout(f"no answer to {command.splitlines()[0]!r} within {PATIENCE:.0f} s") from None
            if line is None:
                raise self._death()
            yield line
            if line.split(" ", 1)[0] == last:
                return

    def _do(self, command: str) -> None:
        """Sends a command that has an answer only when something is wrong."""
        for line in self._ask(f"{command}\nisready", "readyok"):
            if problem := _problem(line):
                raise problem

    def _query(self, question: str) -> str:
        *_, answer = self._ask(f"query {question}", "response")
        text = answer.removeprefix("response").strip()
        if text == "unknown":
            raise Refused(f"query {question}: there is no position, because the last one was refused")
        return text

    def _death(self) -> EngineDied:
        code = self._process.poll()
        return EngineDied("the engine has ended" + ("" if code is None else f", with code {code}"))


@dataclass(frozen=True, slots=True)
class _Limits:
    words: str
    endless: bool


def _limits(depth: int | None, nodes: int | None, movetime: int | None, mate: int | None, moves: Moves) -> _Limits:
    named = {"depth": depth, "nodes": nodes, "movetime": movetime, "mate": mate}
    words = [f"{name} {int(value)}" for name, value in named.items() if value is not None]
    endless = not words
    if endless:
        words.append("infinite")
    chosen = _plain(moves if isinstance(moves, str) else " ".join(moves))
    if chosen:
        words.append(f"searchmoves {chosen}")
    return _Limits(" ".join(words), endless)


def _plain(text: str) -> str:
    """A text that can be part of a line: nothing in it ends one."""
    if any(not c.isprintable() and c != "\t" for c in text):
        raise ValueError(f"expected a text without control characters, found {text!r}")
    return text.strip()


def _problem(line: str) -> Refused | None:
    mark = "info string error: "
    # Who asks from Python plays no game that could be lost.
    text = line.removeprefix(mark).removesuffix("; the game is lost by it")
    return Refused(text) if line.startswith(mark) else None


_NUMBERS = ("depth", "seldepth", "multipv", "nodes", "nps", "hashfull", "tbhits", "time", "currmovenumber")


def _info(line: str) -> Info | None:
    """An `info` line with numbers; words that are not known are skipped."""
    words = iter(line.split())
    if next(words, "") != "info":
        return None
    numbers: dict[str, int] = {}
    score: Score | None = None
    currmove: str | None = None
    pv: tuple[str, ...] = ()
    bounds: dict[str, Bound] = {"lowerbound": "lower", "upperbound": "upper"}
    for word in words:
        if word == "string":
            return None
        if word in _NUMBERS:
            numbers[word] = int(next(words))
        elif word == "score":
            kind, value = next(words), int(next(words))
            score = Score(cp=value) if kind == "cp" else Score(mate=value)
        elif word in bounds and score:
            score = Score(score.cp, score.mate, bounds[word])
        elif word == "currmove":
            currmove = next(words)
        elif word == "pv":
            pv = tuple(words)
    return Info(score=score, currmove=currmove, pv=pv, **numbers)
