"""Game records: what griot writes, other readers agree on."""

import io
import subprocess
import warnings
from random import Random

import pytest

import griot

GRIOT = griot.find_engine()


def convert(text, *words):
    done = subprocess.run([GRIOT, "convert", *words], input=text, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_games_of_a_file_come_one_by_one_and_bad_ones_are_warnings(tmp_path):
    file = tmp_path / "games.pgn"
    file.write_text('[Event "a"]\n\n1. e4 e5 *\n\n[Event "b"]\n\n1. e5 *\n\n[Event "c"]\n[White "w"]\n\n1. d4 {x} 1-0\n')
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        games = list(griot.read_games(file))
    assert [game.moves for game in games] == [("e2e4", "e7e5"), ("d2d4",)]
    assert [game.result for game in games] == [None, "p1win"]
    assert games[1].players == ("w", None) and games[1].notes[1] == {"comments": ["x"]}
    assert [warning.category for warning in told] == [griot.RecordWarning]
    assert "game 2, line 7, column 4, ply 1: 'e5' is not legal" in str(told[0].message)
    with pytest.raises(FileNotFoundError):
        griot.read_games(tmp_path / "none.pgn")


def test_a_game_is_written_in_other_formats():
    game = griot.Game("othello", ("f5", "d6"), players=("a", None))
    assert game.text("ggf").startswith("(;GM[Othello]PB[a]PW[?]RE[?]TY[8]BO[8 ")
    with pytest.raises(griot.Refused, match="OGN is for awale, not for othello"):
        game.text("ogn")


def random_chess_game(seed):
    chess = pytest.importorskip("chess")
    pgn = pytest.importorskip("chess.pgn")
    random = Random(seed)
    game = pgn.Game()
    game.headers["White"] = "a name"
    game.headers["ECO"] = "C20"
    node = game
    board = chess.Board()
    for _ in range(random.randrange(80)):
        moves = list(board.legal_moves)
        if not moves:
            break
        move = random.choice(moves)
        if len(moves) > 1 and random.random() < 0.1:
            other = random.choice([choice for choice in moves if choice != move])
            main = node.add_variation(move)
            side = node.add_variation(other)
            side.comment = "another way"
            node = main
        else:
            node = node.add_variation(move)
        if random.random() < 0.1:
            node.comment = random.choice(["good", "why not; that", "[%clk 0:01:02]", "(in brackets)"])
        if random.random() < 0.1:
            node.nags.add(random.choice([1, 2, 5, 14]))
        board.push(move)
    game.headers["Result"] = board.result()
    return game


def same(one, two):
    """Whether two games of python-chess have one tree."""
    waiting = [(one, two)]
    while waiting:
        left, right = waiting.pop()
        # Lines of PGN are at most 80 letters long, also within comments.
        if left.comment.split() != right.comment.split() or left.nags != right.nags or len(left.variations) != len(right.variations):
            return False
        for mine, yours in zip(left.variations, right.variations):
            if mine.move != yours.move:
                return False
            waiting.append((mine, yours))
    return True


def test_python_chess_reads_what_griot_writes_of_its_games():
    pytest.importorskip("chess.pgn")
    for seed in range(20):
        game = random_chess_game(seed)
        read = griot.Game.from_chess(game)
        assert list(read.moves) == [move.uci() for move in game.mainline_moves()]
        back = read.to_chess()
        assert same(game, back), f"{game}\n{back}"
        assert not back.errors
        assert back.headers["White"] == game.headers["White"] and back.headers["ECO"] == "C20"
        assert back.headers["Result"] == game.headers["Result"]


def test_sgfmill_reads_what_griot_writes():
    sgf = pytest.importorskip("sgfmill.sgf")
    grammar = pytest.importorskip("sgfmill.sgf_grammar")
    text = "(;FF[4]GM[4]SZ[15]RU[0]PB[a \\] b]C[first];B[hh]C[x\\\\y](;W[ii]TR[hh];B[ig])(;W[gg]C[or so]))(;GM[4]RU[4]SZ[15];B[hh])"
    written = convert(text, "--to", "sgf")
    trees = grammar.parse_sgf_collection(written.encode())
    assert len(trees) == 2
    game = sgf.Sgf_game.from_bytes(grammar.serialise_game_tree(trees[0], None))
    root = game.get_root()
    assert root.get("PB") == "a ] b" and root.get("C") == "first"
    assert game.get_size() == 15
    first = root[0]
    assert first.get_move() == ("b", (7, 7)) and first.get("C") == "x\\y"
    assert [child.get_move() for child in first] == [("w", (6, 8)), ("w", (8, 6))]
    assert first[0].get("TR") == {(7, 7)} and first[1].get("C") == "or so"


def test_othello_without_passes_is_read(tmp_path):
    """Games of random moves, whose passes are left out as everybody writes them."""
    lines = []
    with griot.Engine("othello") as engine:
        for seed in range(3):
            random = Random(seed)
            board = engine.board()
            while not board.is_game_over():
                board.push(random.choice(board.legal_moves))
            lines.append("".join(move for move in board.move_stack if move != "0000").upper())
    file = tmp_path / "games.txt"
    file.write_text("\n".join(lines))
    games = list(griot.read_games(file))
    assert [game.game for game in games] == ["othello"] * 3
    assert ["".join(move for move in game.moves if move != "0000").upper() for game in games] == lines


def test_a_stream_of_text_is_read_from_a_pipe():
    assert '"game":"chess"' in convert(io.StringIO("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O").read())
