"""An engine as a process at the other end of two pipes, and the calls that wait for its lines.

Every answer ends with a known line: commands that are answered only on an error are followed by `isready`, and a search ends with
its `bestmove`. griot answers in order, also during a search.
"""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
import subprocess
import sys
import sysconfig
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from griot._errors import EngineDied, EngineNotFound, EngineTimeout

__all__ = ["find_engine"]

T = TypeVar("T")

LOGGER = logging.getLogger("griot")

# How long the engine may take to end before it is killed, in seconds.
FAREWELL = 10.0


def find_engine() -> str:
    """The program: that of the variable `GRIOT`, else the one that pip installed with this module, else `griot` on the path.

    Raises `EngineNotFound` if there is none.
    """
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


def words_of(command: str | Sequence[str] | None) -> list[str]:
    """The command line that starts the engine; one text is a program, not a command line."""
    program = [find_engine()] if command is None else [command] if isinstance(command, str) else list(command)
    return [*program, "--dialect", "ugi"]


@dataclass
class _Exchange:
    """Commands in one breath, up to the line by which their answer ends."""

    last: str
    answered: asyncio.Future[list[str]]
    lines: list[str] = field(default_factory=list[str])


class Connection(asyncio.SubprocessProtocol):
    """The lines to and from one process. All of it belongs to one event loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop, timeout: float | None) -> None:
        #: Seconds for an answer that needs no search; nothing means for ever.
        self.timeout = timeout
        #: Done once the process has ended and all that it said is read; the value is its exit code.
        self.ended: asyncio.Future[int | None] = loop.create_future()
        #: Takes the `info` and `bestmove` lines of a search while there is one.
        self.searching: Callable[[str], None] | None = None
        #: Called once when the process has ended.
        self.on_end: Callable[[], None] = lambda: None
        self._loop = loop
        self._exchanges: deque[_Exchange] = deque()
        self._unread = b""
        self._transport: asyncio.SubprocessTransport | None = None
        self._input: Any = None
        self._open = {"process", "output"}
        # Done once the pipes are closed, too.
        self._lost: asyncio.Future[None] = loop.create_future()
        # Why it was killed, where a time-out was the reason.
        self._verdict: str | None = None

    @classmethod
    async def open(cls, command: Sequence[str], timeout: float | None) -> Connection:
        """Starts a process. Raises `EngineNotFound` if that cannot be."""
        loop = asyncio.get_running_loop()
        # Ctrl-C in a terminal is for Python, which says what becomes of the engine; and a program with a window opens no other one.
        apart: dict[str, Any] = {"start_new_session": True}
        if sys.platform == "win32":
            apart = {"creationflags": subprocess.CREATE_NO_WINDOW | subprocess.CREATE_NEW_PROCESS_GROUP}
        try:
            _, connection = await loop.subprocess_exec(
                lambda: cls(loop, timeout), *command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=None, **apart
            )
        except OSError as error:
            raise EngineNotFound(f"{command[0]}: {error}") from error
        return connection

    # What asyncio calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.SubprocessTransport)
        self._transport = transport
        self._input = transport.get_pipe_transport(0)

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        *lines, self._unread = (self._unread + data).split(b"\n")
        for line in lines:
            self._hear(line.decode("utf-8", "replace").rstrip("\r"))

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        if fd == 1:
            self._shut("output")

    def process_exited(self) -> None:
        self._shut("process")

    def connection_lost(self, exc: Exception | None) -> None:
        self._lost.set_result(None)

    def _shut(self, what: str) -> None:
        self._open.discard(what)
        if self._open or self.ended.done():
            return
        assert self._transport is not None
        self.ended.set_result(self._transport.get_returncode())
        self._transport.close()
        for exchange in self._exchanges:
            if not exchange.answered.done():
                fail(exchange.answered, self.death())
        self._exchanges.clear()
        self.on_end()

    # Lines

    def _hear(self, line: str) -> None:
        LOGGER.debug("%s >> %s", self.pid, line)
        first = line.split(" ", 1)[0]
        if self.searching is not None and first in ("info", "bestmove"):
            self.searching(line)
        elif self._exchanges:
            exchange = self._exchanges[0]
            exchange.lines.append(line)
            if first == exchange.last:
                self._exchanges.popleft()
                if not exchange.answered.done():
                    exchange.answered.set_result(exchange.lines)

    def send(self, lines: str) -> None:
        """Writes lines. Raises `EngineDied` if nobody reads them any more."""
        if self.ended.done() or self._input is None or self._input.is_closing():
            raise self.death()
        for line in lines.split("\n"):
            LOGGER.debug("%s << %s", self.pid, line)
        self._input.write(lines.encode() + b"\n")

    async def ask(self, lines: str, last: str = "readyok") -> list[str]:
        """Writes lines, and returns the answer up to the line that begins with the word `last`.

        Raises `EngineDied`, or `EngineTimeout` after `timeout`.
        """
        exchange = _Exchange(last, self._loop.create_future())
        self.send(lines)
        self._exchanges.append(exchange)
        return await self.within(self.timeout, exchange.answered, lines.split("\n", 1)[0])

    async def within(self, seconds: float | None, answer: asyncio.Future[T], asked: str) -> T:
        """The answer; after so many seconds without one the process is killed, and `EngineTimeout` raised."""
        await asyncio.wait([answer], timeout=seconds)
        if not answer.done():
            self._verdict = f"no answer to {asked!r} within {seconds:g} s"
            self.kill()
            raise EngineTimeout(self._verdict)
        return answer.result()

    # The end

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._transport.get_pid() if self._transport else 0

    def death(self) -> EngineDied:
        """That the engine has ended, and how."""
        if self._verdict:
            return EngineDied(f"the engine was ended: {self._verdict}")
        code = self.ended.result() if self.ended.done() else None
        return EngineDied("the engine has ended" + ("" if code is None else f", with code {code}"))

    def kill(self) -> None:
        """Ends the process at once."""
        try:
            if self._transport:
                self._transport.kill()
        except ProcessLookupError:
            pass

    async def quit(self) -> int | None:
        """Asks the process to end, kills it if it does not, and answers its exit code. It may be called again."""
        if not self.ended.done():
            try:
                self.send("quit")
                self._input.close()
            except EngineDied:
                pass
            try:
                await asyncio.wait([self.ended], timeout=FAREWELL)
            finally:
                if not self.ended.done():
                    self.kill()
        await asyncio.wait([self.ended])
        await asyncio.wait([self._lost])
        return self.ended.result()


def fail(future: asyncio.Future[Any], error: Exception) -> None:
    """Fails a future, also one that nobody waits for any more."""
    future.set_exception(error)
    future.exception()
