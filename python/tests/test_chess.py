"""griot as a chess engine: python-chess drives it and checks every move; passed by where that is not installed."""

import os
import shutil

import pytest

chess = pytest.importorskip("chess")
chess_engine = pytest.importorskip("chess.engine")

from griot import Engine, Limit  # noqa: E402

GRIOT = os.environ.get("GRIOT") or shutil.which("griot") or "griot"
FINISHED = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"


@pytest.fixture
def engine():
    with chess_engine.SimpleEngine.popen_uci([GRIOT, "--game", "chess"]) as engine:
        yield engine


def limit(**limits):
    return chess_engine.Limit(**limits)


def test_a_game_is_played_to_its_end_without_an_illegal_move_or_line(engine):
    board = chess.Board()
    while not board.is_game_over(claim_draw=True) and board.ply() < 200:
        result = engine.play(board, limit(nodes=500), info=chess_engine.INFO_ALL)
        line = board.copy()
        for move in result.info["pv"]:
            assert move in line.legal_moves
            line.push(move)
        assert result.info["pv"][0] == result.move
        board.push(result.move)
    assert board.ply() > 20


def test_several_lines_are_told_best_first_and_each_begins_otherwise(engine):
    lines = engine.analyse(chess.Board(), limit(depth=5), multipv=4)
    scores = [line["score"].relative.score() for line in lines]
    assert len(lines) == 4 and scores == sorted(scores, reverse=True)
    assert len({line["pv"][0] for line in lines}) == 4


def test_it_ponders_and_is_stopped_by_another_move(engine):
    board = chess.Board()
    for _ in range(3):
        result = engine.play(board, limit(time=0.05), ponder=True)
        board.push(result.move)
        # Another move than the one that was pondered on, as often as not.
        board.push(next(iter(board.legal_moves)))
    assert board.is_valid()


def test_an_analysis_without_end_is_stopped(engine):
    with engine.analysis(chess.Board()) as analysis:
        for info in analysis:
            if info.get("depth", 0) >= 4 and "pv" in info:
                break
        analysis.stop()
        assert analysis.wait().move in chess.Board().legal_moves


def test_a_mate_is_found_and_told_in_moves(engine):
    board = chess.Board("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1")
    info = engine.analyse(board, limit(mate=2))
    assert info["score"].white() == chess_engine.Mate(2)
    moves = 0
    while not board.is_checkmate() and moves < 6:
        board.push(engine.play(board, limit(depth=6)).move)
        moves += 1
    assert board.is_checkmate() and moves == 3


def test_chess960_is_asked_for_by_the_option_and_castles_by_the_rook(engine):
    board = chess.Board("4k3/8/8/8/8/8/8/5K1R w H - 0 1", chess960=True)
    castling = chess.Move.from_uci("f1h1")
    assert board.is_castling(castling)
    assert engine.play(board, limit(depth=2), root_moves=[castling]).move == castling


def test_the_client_of_this_package_plays_it_too():
    with Engine("chess") as engine:
        board = engine.board()
        assert len(board.legal_moves) == 20
        assert engine.play(board, Limit(depth=3)).move in board.legal_moves
        assert engine.board(FINISHED).is_game_over()
