"""The engine for threads, against the real one: GRIOT names it, or pip has installed it."""

import os
import signal
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from conftest import comes_true, double

import griot
from griot import (
    FIRST,
    SECOND,
    AnalysisComplete,
    Button,
    Check,
    Combo,
    Cp,
    Engine,
    EngineDied,
    EngineNotFound,
    EngineTimeout,
    GameOver,
    IllegalMove,
    Limit,
    Mate,
    Outcome,
    Refused,
    Spin,
    Text,
)

GAMES = [
    "awale", "awale:awari", "awale:tipe", "awale:mini", "tictactoe", "morpion:4", "mnk:5,4,4", "gomoku", "gomokufreestyle",
    "connect4", "connect4:5,4,3", "othello", "draughts:english", "draughts:russian", "nim", "nim:3-4-5,take=any,normal",
]  # fmt: skip


def test_an_engine_greets_and_plays_the_game_it_was_asked_for():
    with Engine("nim:7", options={"Hash": 1, "Ponder": True}) as engine:
        assert engine.name.startswith("griot ") and engine.id["name"] == engine.name and engine.game == "nim:7"
        board = engine.board()
        assert (board.fen(), board.legal_moves, board.turn) == ("7 1", ("a1", "a2", "a3"), FIRST)
        # Take 1 to 3, the last match loses: leave five.
        assert engine.play(board, Limit(depth=1)).move == "a2"
    with Engine() as engine:
        assert engine.game == "awale"


@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_played_to_its_end(game):
    with Engine(game, options={"Hash": 1}) as engine:
        board = engine.board()
        start = (board.fen(), str(board), board.legal_moves)
        assert board.picture()["turn"] == "first" and board.result() == "*" and board.outcome() is None
        while not board.is_game_over():
            mover, result = board.turn, engine.play(board, Limit(nodes=300))
            assert board.is_legal(result.move) and result.info["score"].turn is mover and result.info["pv"][0] == result.move
            # The spelling of the engine is that of the board.
            assert board.push(result.move) == result.move == board.peek()
        assert board.legal_moves == () and board.picture()["result"] is not None
        assert board.outcome().result() == board.result() in ("1-0", "0-1", "1/2-1/2")
        with pytest.raises(GameOver):
            engine.play(board, Limit(depth=1))
        over = engine.analyse(board, Limit(depth=1))
        assert over.depth == 0 and over.pv is None
        # Where discs are counted, the final balance is told.
        counted = "othello" in str(game) and isinstance(over["score"].relative, Cp)
        assert counted or over["score"].relative in (Mate(0), Mate(1), Cp(0))
        assert over["score"].first() > Cp(0) if board.result() == "1-0" else True
        # Where a repetition ended the game the board has moves, but the house that was sown last is empty.
        with pytest.raises(IllegalMove, match="over|an empty house|there is none"):
            board.push(board.peek())
        while board.move_stack:
            board.pop()
        assert (board.fen(), str(board), board.legal_moves) == start


def test_play_tells_move_reply_and_line(tictactoe):
    result = tictactoe.play((), Limit(depth=3), fen="xx1/oo1/3 x")
    assert (result.move, result.ponder) == ("c3", None)
    assert result.info["score"].relative == Mate(1) and result.info.pv == ("c3",) and result.info["nodes"] > 0
    assert tictactoe.play((), Limit(depth=3), fen="xx1/oo1/3 x", root_moves=["c1"]).move == "c1"
    reply = tictactoe.play("b2 a1", Limit(depth=4))
    assert reply.ponder == reply.info["pv"][1]


def test_times_are_seconds():
    with Engine("gomoku", options={"Hash": 1}) as engine:
        begun = time.monotonic()
        info = engine.analyse("h8", Limit(time=0.4))
        assert 0.3 < time.monotonic() - begun and info["time"] > 0 and info["depth"] > 1
        # Clocks, too: of a second for the whole game not all is taken.
        assert engine.play("h8", Limit(first_clock=1, second_clock=1, first_inc=0.01, second_inc=0.01)).move
        assert engine.play("h8", Limit(first_clock=9, second_clock=-1)).move


def test_a_search_needs_an_end(tictactoe):
    for endless in (Limit(), Limit(first_inc=1)):
        with pytest.raises(ValueError, match="expected a limit that ends"):
            tictactoe.play((), endless)
        with pytest.raises(ValueError, match="expected a limit that ends"):
            tictactoe.analyse((), endless)


def test_analyse_tells_the_best_lines_and_the_same_again_of_a_new_game():
    with Engine("awale") as engine:
        lines = engine.analyse("C f", Limit(depth=8), multipv=3, game=object())
        assert [line["multipv"] for line in lines] == [1, 2, 3]
        scores = [line["score"].relative for line in lines]
        assert scores == sorted(scores, reverse=True) and len({line["pv"][0] for line in lines}) == 3
        again = engine.analyse(["C", "f"], Limit(depth=8), multipv=3, game=object())
        assert [(line.pv, line.score, line.nodes) for line in again] == [(line.pv, line.score, line.nodes) for line in lines]
        # One line again, unless more are asked for; a list if they are.
        assert engine.analyse("C f", Limit(depth=2)).multipv is None
        assert len(engine.analyse((), Limit(depth=2), fen="0-0-0-0-0-5-0-0-0-0-1-0-20-22-S", multipv=9)) == 1


def test_a_score_is_seen_from_both_sides(tictactoe):
    score = tictactoe.analyse("a1 b2 b1", Limit(depth=9), root_moves="c3")["score"]
    assert score.turn is SECOND and score.relative == Mate(-1) and score.first() == Mate(1) and score.second() == Mate(-1)
    assert score.wdl().first().winning_chance() == 1.0


def test_othellos_pass_is_a_move():
    board = "ooooooox/oooooooo/oooxxxoo/oooxxooo/xxxxoxo1/xxxxoxo1/xxxoxxo1/oooooxxo o"
    with Engine("othello") as engine:
        assert engine.play((), Limit(depth=2), fen=board).move == "0000"
        with pytest.raises(GameOver):
            engine.play((), Limit(depth=2), fen="xooooooo/8/8/3oo3/3oo3/8/8/8 x")


def test_a_board_remembers(tictactoe):
    board = tictactoe.board(moves="a1 b1")
    other = board.copy()
    assert board.push("a2") == "a2" and board.ply() == 3 and other.ply() == 2 and board.turn is SECOND
    assert other.push("c3") == "c3" and board.move_stack == ["a1", "b1", "a2"] and other.move_stack == ["a1", "b1", "c3"]
    assert str(board).splitlines()[:2] == [" 3 . . .", " 2 x . ."] and board.picture()["last"]["move"] == "a2"
    board.push("b2")
    board.push("a3")
    assert board.outcome() == Outcome(FIRST) and board.result() == "1-0" and repr(board) == "<Board of tictactoe: x2/xo1/xo1 o>"
    assert [board.pop(), board.pop()] == ["a3", "b2"] and not board.is_game_over()
    board.reset()
    assert board.fen() == "3/3/3 x" and board.start is None
    for ask in (board.pop, board.peek):
        with pytest.raises(IndexError):
            ask()
    set_up = tictactoe.board("xx1/oo1/3 x")
    assert set_up.start == set_up.fen() and tictactoe.play(set_up, Limit(depth=2)).move == "c3"


def test_a_board_knows_other_spellings_of_a_move():
    with Engine("connect4") as engine:
        board = engine.board()
        assert [board.push(move) for move in ("4", "d2", "d")] == ["d", "d", "d"] and board.move_stack == ["d"] * 3
        for several in ("44", "45", "d d", "", "d\nquit"):
            with pytest.raises(ValueError):
                board.push(several)
        assert board.ply() == 3
    with Engine("awale") as engine:
        board = engine.board()
        with pytest.raises(IllegalMove, match="expected one move"):
            board.push("Cf")
        assert board.push("C") == "C"
    # As Cute Chess writes them, where the game was chosen so.
    with Engine(options={"UCI_Variant": "tictactoe"}) as engine:
        board = engine.board(moves=["P@b2"])
        assert engine.play(board, Limit(depth=1)).move in board.legal_moves and board.legal_moves[0].startswith("P@")


def test_a_board_does_not_wait_for_a_search_nor_end_one():
    with Engine("awale") as engine:
        with engine.analysis(()) as analysis:
            board = engine.board()
            board.push("C")
            assert board.legal_moves[0] == "a"
            assert not analysis._analysis._search.answer.done()


def test_boards_of_several_games_and_a_board_of_another_game():
    with Engine("nim:7") as engine:
        nim = engine.board()
        engine.configure({"Game": "othello"})
        othello = engine.board()
        assert (nim.push("a1"), othello.push("d3"), nim.push("a3")) == ("a1", "d3", "a3")
        assert (nim.fen(), nim.game, engine.game) == ("3 1", "nim:7", "othello")
        assert engine.play(othello, Limit(depth=2)).move in othello.legal_moves
        with pytest.raises(ValueError, match="the board is one of nim:7, and the engine plays othello"):
            engine.play(nim, Limit(depth=1))
        with pytest.raises(ValueError, match="a board, or moves and a fen"):
            engine.play(othello, Limit(depth=1), fen="7 1")


def test_an_illegal_move_is_told_and_changes_nothing(tictactoe):
    for ask in (tictactoe.play, tictactoe.analyse, lambda moves, _: tictactoe.board(moves=moves)):
        with pytest.raises(IllegalMove, match="illegal move 'b2' at ply 3: expected an empty cell, found a stone on b2") as told:
            ask("b2 a1 b2 c3", Limit(depth=1))
        assert (told.value.move, told.value.ply) == ("b2", 3) and isinstance(told.value, ValueError)
    with pytest.raises(IllegalMove, match="the game is over before it"):
        tictactoe.play("a1 b1 a2 b2 a3 b3", Limit(depth=1))
    board = tictactoe.board(moves="b2")
    for wrong in ("b2", "z9", "nonsense"):
        with pytest.raises(IllegalMove):
            board.push(wrong)
    assert board.move_stack == ["b2"] and tictactoe.play(board, Limit(depth=2)).move in board.legal_moves
    with pytest.raises(Refused, match="expected"):
        tictactoe.play(board, Limit(depth=2), root_moves="b2")
    with pytest.raises(Refused, match="expected"), tictactoe.analysis(board, Limit(depth=2), root_moves="b2") as analysis:
        list(analysis)
    assert tictactoe.play(board, Limit(depth=1)).move


def test_what_is_no_position_is_refused(tictactoe):
    for ask in (lambda fen: tictactoe.play((), Limit(depth=1), fen=fen), tictactoe.board):
        with pytest.raises(Refused, match="expected 3 rows, found 2") as refused:
            ask("3/3 x")
        assert refused.value.column == 17 and not isinstance(refused.value, IllegalMove)
    for text in ("b2\nquit", "b2\r", "b2\x00", "b2\u2028"):
        for ask in (
            lambda text: tictactoe.play(text, Limit(depth=1)),
            lambda text: tictactoe.board(text),
            lambda text: tictactoe.configure({"Game": text}),
        ):
            with pytest.raises(ValueError, match="control characters"):
                ask(text)
    tictactoe.ping()


# Options


def test_options_are_typed(tictactoe):
    options = tictactoe.options
    assert options["hash"] == Spin("Hash", 16, 1, 1048576) and isinstance(options["Ponder"], Check)
    assert isinstance(options["Clear Hash"], Button) and isinstance(options["BookFile"], Text)
    algorithm = options["ALGORITHM"]
    assert isinstance(algorithm, Combo) and algorithm.default in algorithm.var
    assert "Move Overhead" in list(options) and options.get("nothing") is None


def test_configure_and_what_it_refuses(tictactoe, said):
    tictactoe.configure({"hash": 2, "Selective": False, "Clear Hash": None, "BookFile": ""})
    assert "setoption name Clear Hash" in said() and "setoption name BookFile value <empty>" in said()
    for wrong, message in (
        ({"Hsh": 3}, "no option 'Hsh'"),
        ({"Hash": 0.5}, "expected a whole number from 1 to 1048576, found '0.5'"),
        ({"Hash": 0}, "expected a whole number"),
        ({"Selective": "perhaps"}, "expected"),
        ({"Game": "shogi"}, "no game 'shogi'; there are awale"),
    ):
        with pytest.raises(Refused, match=message):
            tictactoe.configure(wrong)
    assert tictactoe.game == "tictactoe" and tictactoe.play((), Limit(depth=1)).move


def test_options_of_one_search_are_taken_back(tictactoe, said):
    tictactoe.configure({"Threads": 2})
    tictactoe.play((), Limit(depth=1), options={"skill level": 0, "Threads": 1, "Clear Hash": None})
    before = len(said())
    tictactoe.play((), Limit(depth=1))
    tictactoe.play((), Limit(depth=1))
    assert sorted(line for line in said()[before:] if line.startswith("setoption")) == [
        "setoption name Skill Level value 20",
        "setoption name Threads value 2",
    ]
    # One that is refused leaves nothing behind, wherever it stands.
    with pytest.raises(Refused, match="Skill Level"):
        tictactoe.play((), Limit(depth=1), options={"Algorithm": "minimax", "Skill Level": 99, "Threads": 1})
    before = len(said())
    assert tictactoe.play((), Limit(depth=1)).move
    assert {line for line in said()[before:] if line.startswith("setoption")} == {
        "setoption name Algorithm value alphabeta",
        "setoption name Skill Level value 20",
        "setoption name Threads value 2",
    }
    with pytest.raises(ValueError, match="option Game: the game is chosen by configure"):
        tictactoe.play((), Limit(depth=1), options={"game": "nim"})


def test_a_new_game_is_told_once(tictactoe, said):
    for game in (1, 1, 2, 2, None):
        tictactoe.analyse((), Limit(depth=1), game=game)
    assert said().count("uginewgame") == 3


# Analysis, stop, order


def test_an_analysis_is_read_line_by_line():
    with Engine("othello") as engine:
        with engine.analysis((), Limit(depth=8), multipv=2) as analysis:
            depths = [info["depth"] for info in analysis if info.score]
        assert depths == sorted(depths) and depths[-1] == 8 and depths.count(8) == 2
        assert analysis.wait().move == analysis.info["pv"][0] and [line.multipv for line in analysis.multipv] == [1, 2]
        assert analysis.next() is None and analysis.empty() and not analysis.would_block()
        with pytest.raises(AnalysisComplete):
            analysis.get()


def test_leaving_an_analysis_stops_it():
    with Engine("awale") as engine:
        with engine.analysis(()) as analysis:
            for info in analysis:
                if info.get("depth", 0) >= 3:
                    break
        assert analysis.wait().move in "ABCDEF" and analysis.info["depth"] >= 3
        assert engine.play("A", Limit(depth=1)).move in "abcdef"
        analysis = engine.analysis("C")
        analysis.get()
        analysis.stop()
        analysis.stop()
        assert analysis.wait().move in "abcdef"
    assert analysis.info.score is not None
    with pytest.raises(EngineDied):
        analysis.get()


def test_an_analysis_gives_way_and_says_what_it_found():
    with Engine("awale") as engine:
        first = engine.analysis(())
        second = engine.analysis("C")
        assert first.wait().move in "ABCDEF" and [info for info in first][-1].score
        assert engine.play("C f", Limit(depth=2)).move in "ABCDEF" and second.wait().move in "abcdef"
        third = engine.analysis(())
        engine.configure({"MultiPV": 2})
        assert third.wait().move in "ABCDEF"


def test_the_engine_answers_while_it_searches():
    with Engine("awale") as engine, engine.analysis(()) as analysis:
        for _ in range(3):
            engine.ping()
        assert not analysis._analysis._search.answer.done()


def test_searches_of_several_threads_are_answered_in_turn():
    with Engine("awale") as engine, ThreadPoolExecutor(8) as pool:
        starts = ["", "A", "A a", "C", "C f", "F"]
        answers = [pool.submit(engine.play, start, Limit(time=0.05)) for start in starts * 2]
        for start, answer in zip(starts * 2, answers, strict=True):
            legal = engine.board(moves=start).legal_moves
            assert answer.result().move in legal and answer.result().info["score"].turn in (FIRST, SECOND)
        # Behind a search that has an end, an analysis has its turn, and gives way to what waits behind it.
        begun = time.monotonic()
        long = pool.submit(engine.play, "", Limit(time=0.3))
        assert comes_true(lambda: engine._engine._search is not None)
        analysis = pool.submit(engine.analysis, "C")
        assert comes_true(lambda: engine._engine._waiting == 1)
        last = pool.submit(engine.play, "C f", Limit(depth=2))
        assert long.result().move in "ABCDEF" and time.monotonic() - begun > 0.25
        assert analysis.result().wait().move in "abcdef" and last.result().move in "ABCDEF"


def test_a_search_ends_with_stop_from_another_thread():
    with Engine("gomoku", options={"Hash": 1}) as engine:
        with ThreadPoolExecutor(1) as pool:
            answer = pool.submit(engine.play, "h8", Limit(time=600))
            assert comes_true(lambda: engine._engine._search is not None)
            engine.stop()
            assert answer.result().move
        engine.stop()


@pytest.mark.skipif(os.name != "posix", reason="sends a signal to a thread")
def test_an_interrupt_stops_the_search_and_the_engine_goes_on(said):
    # A shell that runs the tests in the background has them ignore it.
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    with Engine("gomoku", options={"Hash": 1}) as engine:
        interrupt = threading.Timer(0.3, signal.pthread_kill, [threading.get_ident(), signal.SIGINT])
        interrupt.start()
        with pytest.raises(KeyboardInterrupt):
            engine.play("h8", Limit(time=600))
        interrupt.join()
        assert engine.play("h8", Limit(depth=1)).move and said().count("stop") == 1
    signal.signal(signal.SIGINT, handler)


def test_pondering(said):
    with Engine("awale") as engine:
        board = engine.board()
        limit = Limit(first_clock=5, second_clock=5, first_inc=0.1, second_inc=0.1)
        result = engine.play(board, limit, ponder=True)
        assert said()[-1].startswith("go ponder p1time 5") or said()[-1].startswith("go ponder p1time 4")
        engine.ping()
        board.push(result.move)
        board.push(result.ponder)
        # The clocks differ, the rest is what was pondered on.
        hit = engine.play(board, Limit(first_clock=4.5, second_clock=4, first_inc=0.1, second_inc=0.1), ponder=True)
        assert "ponderhit" in said() and hit.move in board.legal_moves and hit.info["score"].turn is FIRST
        # Another reply than the one expected.
        board.push(hit.move)
        other = next(move for move in board.legal_moves if move != hit.ponder)
        board.push(other)
        missed = engine.play(board, limit)
        assert said().count("ponderhit") == 1 and missed.move in board.legal_moves and "stop" in said()
        # What is asked for besides has no need to wait.
        engine.play((), limit, ponder=True)
        assert engine.analyse((), Limit(depth=2)).depth == 2
        engine.play((), Limit(depth=3), ponder=True)


# What goes wrong


def test_a_program_or_a_game_that_is_not_there(monkeypatch):
    with pytest.raises(Refused, match="no game 'shogi'; there are awale"):
        Engine("shogi")
    with pytest.raises(EngineNotFound, match="/no/such/engine"):
        Engine(command="/no/such/engine")
    monkeypatch.setenv("GRIOT", "/no/such/engine")
    with pytest.raises(EngineNotFound, match="GRIOT: expected a program"):
        griot.find_engine()
    with pytest.raises(EngineNotFound, match="GRIOT: expected a program"):
        Engine()


def test_an_engine_that_is_killed_while_it_searches():
    with Engine("awale") as engine, ThreadPoolExecutor(2) as pool:
        board = engine.board()
        playing = pool.submit(engine.play, board, Limit(time=600))
        assert comes_true(lambda: engine._engine._search is not None)
        waiting = pool.submit(engine.play, board, Limit(depth=1))
        engine._engine._connection.kill()
        for answer in (playing, waiting):
            with pytest.raises(EngineDied, match="the engine has ended, with code"):
                answer.result()
        for ask in (lambda: engine.play(board, Limit(depth=1)), engine.ping, lambda: engine.configure({"Hash": 1})):
            with pytest.raises(EngineDied):
                ask()
        assert engine.returncode not in (None, 0)
        # The rules are known all the same.
        assert board.push("A") == "A"
    with pytest.raises(EngineDied, match="the engine was closed"):
        engine.play((), Limit(depth=1))
    with Engine("awale") as engine:
        analysis = engine.analysis(())
        analysis.get()
        engine._engine._connection.kill()
        with pytest.raises(EngineDied):
            list(analysis)
        with pytest.raises(EngineDied):
            analysis.wait()


def test_a_program_that_is_no_engine():
    with pytest.raises(EngineDied, match="has ended, with code 3"):
        Engine(command=[sys.executable, "-c", "raise SystemExit(3)"])
    with pytest.raises(EngineTimeout, match="no answer to 'ugi' within 0.3 s"):
        Engine(command=[sys.executable, "-c", "import time; time.sleep(60)"], timeout=0.3)
    with pytest.raises(EngineDied, match="with code 7"), Engine(command=double(go="sys.exit(7)")) as engine:
        engine.play("a b", Limit(depth=1))


def test_an_engine_that_does_not_answer_is_ended():
    with Engine(command=double(), timeout=0.5) as engine:
        pid = engine.pid
        with pytest.raises(EngineTimeout, match="no answer to 'go' within 0.6 s") as told:
            engine.play("", Limit(time=0.1))
        assert isinstance(told.value, TimeoutError) or sys.version_info < (3, 11)
        with pytest.raises(EngineDied, match="the engine was ended: no answer to 'go'"):
            engine.ping()
    if os.name == "posix":
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_lines_that_are_torn_or_odd_do_no_harm():
    odd = r"""sys.stdout.write("info depth\ninfo score cp\n\n\xff info\nreadyok\nresponse what\nbestmo"); sys.stdout.flush()
        time.sleep(0.1)
        print("ve a ponder b\r\ninfo depth 3\nnoise", flush=True)"""
    with Engine(command=double(go=odd)) as engine:
        assert (result := engine.play("", Limit(depth=1))).move == "a" and result.ponder == "b"
        engine.ping()


# The calls of before


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_the_old_calls_still_answer(tictactoe):
    assert tictactoe.is_first_to_move() and not tictactoe.is_over() and tictactoe.result() is None
    tictactoe.position(moves="a1 b1 a2 b2")
    tictactoe.set_option("Hash", 2)
    tictactoe.new_game()
    assert tictactoe.go(depth=3).bestmove == tictactoe.go(movetime=50).bestmove == "a3"
    with pytest.raises(TypeError, match="movetime: expected a whole number of milliseconds, found 0.5"):
        tictactoe.go(movetime=0.5)
    tictactoe.position("xx1/oo1/3 x")
    assert tictactoe.board_text() == "xx1/oo1/3 x" and tictactoe.drawing().splitlines()[0] == " 3 x x ."
    tictactoe.position(moves="a1 b1 a2 b2 a3")
    assert tictactoe.result() == "p1win" and tictactoe.legal_moves() == [] and tictactoe.go(depth=1).bestmove is None


def test_the_old_calls_warn(tictactoe):
    with pytest.warns(DeprecationWarning, match="use Engine.play or Engine.analyse, with a Limit in seconds"):
        tictactoe.go(depth=1)
