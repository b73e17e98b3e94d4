"""The engine for asyncio: cancelation, order, several engines at once."""

import asyncio

import pytest
from conftest import double

from griot import AnalysisComplete, AsyncEngine, EngineDied, EngineTimeout, GameOver, IllegalMove, Limit, Refused


def test_a_game_is_played():
    async def main():
        engine = await AsyncEngine.open("tictactoe")
        board = await engine.board()
        while not board.is_game_over():
            result = await engine.play(board, Limit(depth=9))
            await board.push(result.move)
        assert board.result() == "1/2-1/2" and board.ply() == 9
        with pytest.raises(GameOver):
            await engine.play(board, Limit(depth=1))
        with pytest.raises(IllegalMove):
            await board.push("a1")
        await engine.quit()
        await engine.close()
        assert engine.returncode == 0
        with pytest.raises(EngineDied, match="the engine was closed"):
            await engine.ping()
        with pytest.raises(EngineDied, match="the engine was closed"):
            await engine.board()

    asyncio.run(main())


def test_an_analysis_is_iterated_over():
    async def main():
        async with AsyncEngine("othello") as engine:
            async with await engine.analysis((), Limit(depth=8), multipv=2) as analysis:
                depths = [info["depth"] async for info in analysis if info.score]
            assert depths == sorted(depths) and depths.count(8) == 2
            assert (await analysis.wait()).move == analysis.info["pv"][0] and len(analysis.multipv) == 2
            with pytest.raises(AnalysisComplete):
                await analysis.get()
            # Left early.
            async with await engine.analysis(()) as analysis:
                async for info in analysis:
                    if info.get("depth", 0) >= 3:
                        break
            assert (await engine.play("d3", Limit(depth=1))).move
            assert (await analysis.wait()).move == analysis.info["pv"][0]
            lines = await engine.analyse((), Limit(depth=4), multipv=2)
            assert len(lines) == 2 and (await engine.analyse((), Limit(depth=4)))["depth"] == 4

    asyncio.run(main())


def test_a_cancelled_search_is_stopped_and_the_engine_goes_on():
    async def main():
        async with AsyncEngine("gomoku", options={"Hash": 1}) as engine:
            for ask in (engine.play, engine.analyse):
                task = asyncio.create_task(ask("h8", Limit(time=600)))
                await asyncio.sleep(0.1)
                task.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await task
                assert (await engine.play("h8", Limit(depth=1))).move
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(engine.play("h8", Limit(time=600)), 0.2)
            assert (await engine.play("h8", Limit(depth=1))).move
            # Waiting for its turn, and at every step of the way to its search.
            first = asyncio.create_task(engine.play("h8", Limit(time=0.2)))
            second = asyncio.create_task(engine.play("h8 h9", Limit(time=600)))
            third = asyncio.create_task(engine.play("h8 h9 h10", Limit(depth=1)))
            await asyncio.sleep(0.05)
            second.cancel()
            assert (await first).move and (await third).move
            for steps in range(12):
                task = asyncio.create_task(engine.analyse("h8", Limit(time=600), multipv=2, game=object()))
                for _ in range(steps):
                    await asyncio.sleep(0)
                task.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await task
                assert (await engine.analyse("h8", Limit(depth=1))).multipv is None
            # An analysis that nobody reads on is left running, and gives way.
            analysis = await engine.analysis("h8")
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(analysis.wait(), 0.1)
            assert (await engine.play("h8", Limit(depth=1))).move and (await analysis.wait()).move

    asyncio.run(main())


def test_two_searches_are_answered_in_order():
    async def main():
        async with AsyncEngine("awale") as engine:
            order = []

            async def play(moves, limit):
                result = await engine.play(moves, limit)
                order.append(moves)
                return result.move

            answers = await asyncio.gather(play("", Limit(time=0.2)), play("A", Limit(depth=2)), play("A a", Limit(depth=1)))
            assert order == ["", "A", "A a"] and answers[0] in "ABCDEF" and answers[1] in "abcdef" and answers[2] in "ABCDEF"
            # A stop ends the one that runs, not the one that waits.
            running = asyncio.create_task(engine.analyse("", Limit(time=600)))
            waiting = asyncio.create_task(engine.analyse("A", Limit(depth=5)))
            await asyncio.sleep(0.1)
            engine.stop()
            assert (await running)["pv"][0] in "ABCDEF" and (await waiting)["depth"] == 5
            engine.stop()

    asyncio.run(main())


def test_several_engines_search_at_once():
    async def main():
        games = ["awale", "connect4", "othello", "tictactoe", "nim"]
        engines = await asyncio.gather(*(AsyncEngine.open(game, options={"Hash": 1}) for game in games))
        try:
            analyses = await asyncio.gather(*(engine.analysis(()) for engine in engines))
            infos = await asyncio.gather(*(analysis.get() for analysis in analyses))
            assert [info.score.game for info in infos] == games
            # All of them are under way.
            assert not any(analysis._search.answer.done() for analysis in analyses)
            for analysis in analyses:
                analysis.stop()
            assert all(best.move for best in await asyncio.gather(*(analysis.wait() for analysis in analyses)))

            async def game(engine):
                board = await engine.board()
                while not board.is_game_over():
                    await board.push((await engine.play(board, Limit(nodes=50))).move)
                return board.result()

            assert all(result != "*" for result in await asyncio.gather(*map(game, engines)))
            # Boards of one engine, made and moved at once.
            boards = await asyncio.gather(*(engines[0].board(moves=move) for move in "ABCDEF"))
            assert [board.peek() for board in boards] == list("ABCDEF")
        finally:
            await asyncio.gather(*(engine.quit() for engine in engines))

    asyncio.run(main())


def test_an_engine_that_dies_or_hangs_fails_all_who_wait():
    async def main():
        async with AsyncEngine("gomoku", options={"Hash": 1}) as engine:
            analysis = await engine.analysis("h8")
            # What is asked next stops the analysis; the engine is dead before it can say so.
            engine._connection.kill()
            answers = await asyncio.gather(
                engine.play("h8", Limit(depth=1)), engine.ping(), analysis.wait(), analysis.next(), return_exceptions=True
            )
            assert all(isinstance(answer, EngineDied) for answer in answers[:3])
        async with AsyncEngine(command=double(), timeout=0.3) as engine:
            playing = asyncio.create_task(engine.play("", Limit(time=0.1)))
            await asyncio.sleep(0.05)
            waiting = asyncio.create_task(engine.play("", Limit(time=0.1)))
            with pytest.raises(EngineTimeout):
                await playing
            with pytest.raises(EngineDied):
                await waiting
        # It does not end when it is asked to.
        async with AsyncEngine(command=double(quit="time.sleep(60)")) as engine:
            pass
        assert engine.returncode not in (None, 0)

    import griot._process

    farewell, griot._process.FAREWELL = griot._process.FAREWELL, 0.3
    try:
        asyncio.run(main())
    finally:
        griot._process.FAREWELL = farewell


def test_what_is_refused_at_the_start_leaves_nothing_behind():
    async def main():
        with pytest.raises(Refused, match="no game 'shogi'"):
            await AsyncEngine.open("shogi")
        task = asyncio.create_task(AsyncEngine.open("awale"))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        engine = AsyncEngine("awale")
        with pytest.raises(EngineDied, match="not opened"):
            await engine.ping()
        await engine.quit()

    asyncio.run(main())


def test_closing_ends_a_search_with_its_answer():
    async def main():
        async with AsyncEngine("gomoku", options={"Hash": 1}) as engine:
            playing = asyncio.create_task(engine.play("h8", Limit(time=600)))
            waiting = asyncio.create_task(engine.play("h8", Limit(time=600)))
            await asyncio.sleep(0.2)
        assert (await playing).move
        with pytest.raises(EngineDied):
            await waiting

    asyncio.run(main())
