"""Nothing is left behind: no process, no thread, no file; whatever becomes of who started the engine."""

import asyncio
import gc
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from conftest import comes_true

from griot import AsyncEngine, Engine, EngineDied, Limit, Refused

posix = pytest.mark.skipif(os.name != "posix", reason="asks after processes as POSIX has it")


def is_gone(pid):
    # A child of an end that was not waited for would still be there, and so would one whose new parent has not come to it yet.
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    stat = Path(f"/proc/{pid}/stat")
    try:
        return stat.exists() and stat.read_text().rpartition(")")[2].split()[0] == "Z" and pid not in _children()
    except FileNotFoundError:
        return True


def _children():
    tasks = Path(f"/proc/{os.getpid()}/task")
    return {int(pid) for task in tasks.iterdir() for pid in (task / "children").read_text().split()} if tasks.exists() else set()


def pids_of(engine):
    return [engine.pid, engine._engine._rules.result().pid]


@posix
def test_closing_ends_the_processes_and_the_thread():
    threads = threading.active_count()
    with Engine("awale") as engine:
        board = engine.board()
        pids = pids_of(engine)
        engine.analysis(board)
    # asyncio may wait for a process in a thread, which ends a moment after the process.
    assert comes_true(lambda: threading.active_count() == threads) and all(map(is_gone, pids)) and engine.returncode == 0
    engine.close()
    engine.quit()
    # What was told stays known.
    assert board.legal_moves and engine.name
    with pytest.raises(EngineDied):
        board.push("A")


@posix
def test_an_engine_that_is_forgotten_is_ended():
    engine = Engine("awale")
    engine.board()
    pids = pids_of(engine)
    with pytest.warns(ResourceWarning, match="griot .* was not closed"):
        del engine
        gc.collect()
    assert all(map(is_gone, pids))


@posix
@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="counts files in /proc")
def test_many_engines_leave_no_file_open():
    def files():
        return len(os.listdir("/proc/self/fd"))

    def some():
        for _ in range(5):
            with Engine("nim") as engine:
                engine.play(engine.board(), Limit(depth=1))
            with pytest.raises(Refused):
                Engine("shogi")

        async def main():
            async with AsyncEngine("nim") as engine:
                await engine.play(await engine.board(), Limit(depth=1))

        asyncio.run(main())

    some()
    gc.collect()
    before, threads = files(), threading.active_count()
    some()
    gc.collect()
    assert comes_true(lambda: files() <= before and threading.active_count() <= threads)


@posix
@pytest.mark.parametrize("end", ["pass", "raise SystemExit(3)", "raise ValueError", "os._exit(3)", "os.kill(os.getpid(), signal.SIGKILL)"])
def test_no_engine_outlives_the_interpreter(end):
    script = f"""
import os, signal
from griot import Engine, Limit
engine = Engine("awale")
board = engine.board()
analysis = engine.analysis(board)
analysis.get()
print(engine.pid, engine._engine._rules.result().pid, flush=True)
{end}
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    pids = [int(pid) for pid in done.stdout.split()]
    assert len(pids) == 2, done.stderr
    assert comes_true(lambda: all(map(is_gone, pids))), done.stderr
    assert "Exception ignored" not in done.stderr and ("Traceback" in done.stderr) == (end == "raise ValueError"), done.stderr


@posix
def test_ctrl_c_in_a_terminal_is_for_python_alone():
    with Engine("awale") as engine:
        assert os.getpgid(engine.pid) != os.getpgid(0)
