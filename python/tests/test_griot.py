"""The client against the real engine: GRIOT names it, or pip has installed it."""

import asyncio
import doctest
import os
import re
import signal
import sys
import threading
from pathlib import Path

import pytest

import griot
from griot import Engine, EngineDied, EngineNotFound, Refused, Score


@pytest.fixture
def tictactoe():
    with Engine("tictactoe") as engine:
        yield engine


def test_an_engine_greets_and_plays_the_game_it_was_asked_for():
    with Engine("nim:7", options={"Hash": 1, "Ponder": True}) as engine:
        assert engine.name.startswith("griot ")
        assert engine.board_text() == "7 1"
        assert engine.legal_moves() == ["a1", "a2", "a3"]
        assert engine.is_first_to_move() and not engine.is_over() and engine.result() is None
        # Take 1 to 3, the last match loses: leave five.
        assert engine.go(depth=1).bestmove == "a2"


def test_a_game_is_played_to_its_end(tictactoe):
    moves = []
    tictactoe.position()
    while not tictactoe.is_over():
        moves.append(tictactoe.go(depth=9).bestmove)
        tictactoe.position(moves=moves)
    assert (len(moves), tictactoe.result(), tictactoe.legal_moves()) == (9, "draw", [])
    end = tictactoe.go(depth=1)
    assert end.bestmove is None and end.info.score == Score(cp=0) and end.info.pv == ()


def test_go_tells_score_and_line(tictactoe):
    tictactoe.position("xx1/oo1/3 x")
    result = tictactoe.go(depth=3)
    assert result.bestmove == "c3" and result.info.score == Score(mate=1) and result.info.pv == ("c3",)
    assert result.info.nodes > 0 and str(result.info.score) == "mate 1"
    assert tictactoe.go(depth=3, searchmoves=["c1"]).bestmove == "c1"
    assert tictactoe.drawing().splitlines()[:2] == [" 3 x x .", " 2 o o ."]
    assert tictactoe.last_result.bestmove == "c1"


def test_a_search_needs_a_limit(tictactoe):
    with pytest.raises(ValueError, match="expected a limit"):
        tictactoe.go()


def test_analyse_tells_the_best_lines_and_is_always_the_same():
    with Engine("awale") as engine:
        first = engine.analyse(moves="C f", depth=8, multipv=3)
        assert [line.multipv for line in first.lines] == [1, 2, 3]
        values = [line.score.cp for line in first.lines]
        assert values == sorted(values, reverse=True)
        assert first.bestmove == first.pv[0] and first.score == first.lines[0].score and len(first.pv) > 1
        assert len({line.pv[0] for line in first.lines}) == 3
        again = engine.analyse(moves=["C", "f"], depth=8, multipv=3)
        assert [(line.pv, line.score, line.nodes) for line in again.lines] == [
            (line.pv, line.score, line.nodes) for line in first.lines
        ]
        # One line again, unless more are asked for.
        assert len(engine.analyse("0-0-0-0-0-5-0-0-0-0-1-0-20-22-S", depth=2).lines) == 1


def test_othellos_pass_is_a_move():
    board = "ooooooox/oooooooo/oooxxxoo/oooxxooo/xxxxoxo1/xxxxoxo1/xxxoxxo1/oooooxxo o"
    with Engine("othello") as engine:
        engine.position(board)
        assert engine.go(depth=2).bestmove == "0000"
        assert engine.analyse("xooooooo/8/8/3oo3/3oo3/8/8/8 x", depth=2).bestmove is None


def test_what_the_engine_refuses_is_raised_with_its_words(tictactoe):
    with pytest.raises(Refused, match="expected 3 rows, found 2") as refused:
        tictactoe.position("3/3 x")
    assert refused.value.column == 17
    for ask in (tictactoe.legal_moves, tictactoe.drawing, tictactoe.result, lambda: tictactoe.go(depth=1)):
        with pytest.raises(Refused, match="there is no position"):
            ask()
    with pytest.raises(Refused, match=r"expected an empty cell, found a stone on \w+$"):
        tictactoe.position(moves="b2 b2")
    assert tictactoe.result() == "p1win"
    with pytest.raises(Refused, match="no option 'Hsh'"):
        tictactoe.set_option("Hsh", 3)
    tictactoe.position()
    assert tictactoe.go(depth=1).bestmove


def test_no_text_ends_a_line(tictactoe):
    for text in ("b2\nquit", "b2\r", "b2\x00", "b2\u2028"):
        with pytest.raises(ValueError, match="control characters"):
            tictactoe.position(moves=text)
        with pytest.raises(ValueError, match="control characters"):
            tictactoe.set_option("Game", text)
    assert tictactoe.legal_moves()


def test_a_game_or_a_program_that_is_not_there(monkeypatch):
    with pytest.raises(Refused, match="no game 'chess'; there are awale"):
        Engine("chess")
    with pytest.raises(EngineNotFound, match="/no/such/engine"):
        Engine(command="/no/such/engine")
    monkeypatch.setenv("GRIOT", "/no/such/engine")
    with pytest.raises(EngineNotFound, match="GRIOT: expected a program"):
        griot.find_engine()


def test_an_engine_that_ends_is_told():
    with Engine("awale") as engine:
        os.kill(engine._process.pid, signal.SIGKILL if os.name == "posix" else signal.SIGTERM)
        with pytest.raises(EngineDied):
            engine.go(depth=5)
        with pytest.raises(EngineDied):
            engine.legal_moves()
    with pytest.raises(EngineDied, match="the engine has ended, with code"):
        engine.position()
    engine.close()
    # A program that is no engine.
    with pytest.raises(EngineDied, match="with code 3|has ended"):
        Engine(command=[sys.executable, "-c", "raise SystemExit(3)"])


def test_a_search_ends_with_stop_from_another_thread():
    with Engine("awale") as engine:
        answered = threading.Event()

        def say_stop():
            # A stop before the search has begun is nothing.
            while not answered.wait(0.05):
                engine.stop()

        thread = threading.Thread(target=say_stop)
        thread.start()
        try:
            assert engine.go(movetime=600_000).bestmove in list("ABCDEF")
        finally:
            answered.set()
            thread.join()


def test_infos_are_streamed():
    async def main():
        with Engine("connect4") as engine:
            depths = [info.depth async for info in engine.stream(depth=8) if info.score]
            assert depths == sorted(depths) and depths[-1] == 8
            assert engine.last_result.info.depth == 8 and engine.last_result.bestmove == "d"

    asyncio.run(main())


def test_leaving_a_stream_stops_the_search_and_the_engine_goes_on():
    async def main():
        with Engine("awale") as engine:
            async for info in engine.stream():
                if info.depth >= 3:
                    break
            # At once, before the loop has run again.
            engine.position(moves="A")
            assert engine.go(depth=1).bestmove in list("abcdef")
            # A limit of asyncio's own.
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(drain(engine), 0.3)
            assert [info async for info in engine.stream(depth=2)][-1].depth == 2
            # Two of them at once on engines of their own.
            with Engine("nim") as other:
                first, second = await asyncio.gather(drain(engine, depth=6), drain(other, depth=1))
                assert first and second

    asyncio.run(main())


async def drain(engine, **limits):
    return [info async for info in engine.stream(**limits)]


def test_a_stream_tells_what_is_refused_and_a_death():
    async def main():
        with Engine("tictactoe") as engine:
            with pytest.raises(Refused, match="expected"):
                await drain(engine, depth=2, searchmoves="z9")
            with pytest.raises(EngineDied):
                async for _ in engine.stream():
                    engine._process.kill()

    asyncio.run(main())


def test_lines_are_read_whatever_else_they_hold():
    from griot._client import _info

    line = "info depth 3 seldepth 5 multipv 2 score cp -12 lowerbound nodes 9 nps 8 hashfull 7 tbhits 6 time 4 wdl x pv a b"
    info = _info(line)
    assert (info.depth, info.seldepth, info.multipv, info.nodes, info.nps) == (3, 5, 2, 9, 8)
    assert (info.hashfull, info.tbhits, info.time, info.pv) == (7, 6, 4, ("a", "b"))
    assert info.score == Score(cp=-12, bound="lower") and str(info.score) == "at least -0.12"
    assert _info("info depth 4 nodes 5 time 1 currmove b2 currmovenumber 3").currmove == "b2"
    assert _info("info string depth 3") is None and _info("bestmove a") is None


def test_what_the_texts_show_is_so(capsys):
    assert doctest.testmod(griot).failed == 0
    blocks = re.findall(r"```python\n(.*?)```", (Path(__file__).parents[1] / "README.md").read_text(), re.S)
    assert len(blocks) == 2
    for block in blocks:
        exec(compile(block, "README.md", "exec"), {})
    lines = capsys.readouterr().out.splitlines()
    # The legal moves, the best one, three lines; then depths of Connect Four and its best move.
    assert lines[0] == "['A', 'B', 'C', 'D', 'E', 'F']" and len(lines) > 5 and lines[-1] in set("abcdefg")
