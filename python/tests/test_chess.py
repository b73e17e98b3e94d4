"""griot as a chess engine: python-chess drives it and checks every move; passed by where that is not installed."""

import json
import os
import shutil
import subprocess
import threading

import pytest
from conftest import FULL, sample

chess = pytest.importorskip("chess")
chess_engine = pytest.importorskip("chess.engine")
chess_pgn = pytest.importorskip("chess.pgn")

from griot import Engine, Limit, find_engine  # noqa: E402

GRIOT = find_engine()
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


@pytest.mark.parametrize("game, games, part", [("chess", 36, 5), ("chess960", 24, 3)])
def test_every_legal_move_is_written_in_san_as_python_chess_does_and_read_back(game, games, part):
    """Random games, every position of them; their moves as people write them are in the picture, and read as a line."""
    random, games = sample(960, games, part)
    engine = subprocess.Popen([GRIOT, "--game", game], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(questions):
        """The answers, in their order."""
        text = "".join(f"{line}\n" for line in questions)
        writer = threading.Thread(target=lambda: (engine.stdin.write(text), engine.stdin.flush()))
        writer.start()
        told = [engine.stdout.readline() for line in questions if line.startswith("query")]
        writer.join()
        return [json.loads(line.removeprefix("response ")) for line in told]

    positions, signs = 0, {}
    with engine:
        for _ in range(games):
            board = chess.Board() if game == "chess" else chess.Board.from_chess960_pos(random.randrange(960))
            while not board.is_game_over() and board.ply() < 160:
                names = {board.uci(move): board.san(move) for move in board.legal_moves}
                fen = board.fen() if game == "chess" else board.shredder_fen()
                picture, *back = ask([f"position fen {fen}", "query picture", *(f"query line {san}" for san in names.values())])
                if picture["result"] != "draw":
                    assert {one["move"]: one["name"] for one in picture["moves"]} == names, fen
                    assert [[one["move"] for one in line] for line in back] == [[uci] for uci in names], fen
                    positions += 1
                    for sign in "O=+#x":
                        signs[sign] = signs.get(sign, 0) + sum(sign in san for san in names.values())
                board.push(random.choice(list(board.legal_moves)))
        engine.stdin.write("quit\n")
    assert not FULL or positions > 2000 and all(signs[sign] for sign in "O=+#x"), (positions, signs)


@pytest.mark.parametrize("game", ["chess", "chess960:7"])
def test_the_pgn_of_a_match_is_read_by_python_chess(tmp_path, game):
    match = shutil.which("griot-match", path=os.path.dirname(os.path.abspath(GRIOT)) + os.pathsep + os.environ["PATH"])
    if not match:
        pytest.skip("there is no griot-match beside griot")
    pgn, records = tmp_path / "games.pgn", tmp_path / "games.jsonl"
    subprocess.run(
        [match, "--engine", GRIOT, "--engine", GRIOT, "--game", game, "--nodes", "300", "--games", "6", "--random-plies", "5",
         "--export", pgn, "--records", records],
        check=True, capture_output=True,
    )
    kept = {record["round"]: record for record in map(json.loads, records.read_text().splitlines())}
    with open(pgn) as file:
        games = list(iter(lambda: chess_pgn.read_game(file), None))
    assert len(games) == 6
    for one in games:
        assert one.errors == [], one.errors
        board, record = one.end().board(), kept[int(one.headers["Round"])]
        assert board.chess960 == (game != "chess")
        start = one.board()
        moves = []
        for move in one.mainline_moves():
            moves.append(start.uci(move))
            start.push(move)
        assert moves == record["moves"]
        assert one.headers["Result"] == {"p1win": "1-0", "p2win": "0-1", "draw": "1/2-1/2"}[record["result"]]
        if record["reason"] == "rules" and record["result"] != "draw":
            assert board.is_checkmate()


def test_a_mate_is_found_and_told_in_moves(engine):
    board = chess.Board("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1")
    info = engine.analyse(board, limit(mate=2))
    assert info["score"].white() == chess_engine.Mate(2)
    moves = 0
    while not board.is_checkmate() and moves < 6:
        board.push(engine.play(board, limit(nodes=100_000)).move)
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
