"""Games as text: fifty of each format there and back, by the page that writes and reads them and the engine that plays them."""

import random
import re
import subprocess

import pytest
from conftest import BUILT
from helpers import at, begin, paste
from playwright.sync_api import expect

FORMATS = [
    ("ogn", "awale"), ("ogn", "awale:awari"), ("ogn", "awale:mini"), ("ggf", "othello"), ("sgf", "gomoku"),
    ("sgf", "gomokufreestyle"), ("sgf", "mnk:7,9,5"), ("psq", "gomoku"), ("psq", "gomokufreestyle"), ("psq", "mnk:20,20,5"),
    ("pgn", "tictactoe"), ("pgn", "connect4"), ("pgn", "gomoku"), ("pgn", "chess"),
]
GAMES = 50


class Engine:
    """An engine that is asked what is legal, and where it leads."""

    def __init__(self, game: str):
        self.process = subprocess.Popen([BUILT / "griot", "--game", game], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, *lines: str) -> str:
        self.process.stdin.write("\n".join(lines) + "\n")
        self.process.stdin.flush()
        for line in self.process.stdout:
            assert "error" not in line, line
            if line.startswith("response"):
                return line.removeprefix("response").strip()
        raise AssertionError("the engine has ended")

    def board(self, start: str, moves: list[str]) -> str:
        where = "startpos" if start == "startpos" else f"fen {start}"
        return self.ask(f"position {where} moves {' '.join(moves)}" if moves else f"position {where}", "query fen")

    def play(self, dice: random.Random, longest: int) -> dict:
        """A game at random, with the boards after each move, as the page knows one."""
        moves, boards = [], [self.board("startpos", [])]
        while len(moves) < longest and (legal := self.ask("query legalmoves").split()):
            moves.append(dice.choice(legal))
            boards.append(self.board("startpos", moves))
        result = self.ask("query result")
        return {"start": "startpos", "moves": moves, "boards": boards, "result": None if result == "none" else result,
                "players": ["One \"the\" first", "Two\\[2]"], "comments": {"1": "a word; (two) [three]"}}

    def close(self):
        self.process.stdin.close()
        self.process.wait(20)
        self.process.stdout.close()


@pytest.fixture
def engine(request):
    running = Engine(request.param)
    yield running
    running.close()


@pytest.mark.full
@pytest.mark.parametrize("form, game, engine", [(*pair, pair[1]) for pair in FORMATS], indirect=["engine"])
def test_fifty_games_are_written_and_read_again(visit, engine, form, game):
    page = visit()
    dice = random.Random(f"{form} {game}")
    games = [{**engine.play(dice, dice.choice([0, 1, 7, 40, 200])), "game": game} for _ in range(GAMES)]
    texts, read = page.evaluate("""async ([form, games]) => { const { write, recognise } = await import('/formats.js');
        const texts = games.map(game => write(form, game)); return [texts, texts.map(text => recognise(text, 'nim', []))] }""",
        [form, games])
    for one, text, found in zip(games, texts, read, strict=True):
        assert len(found) == 1, text
        back = found[0]
        assert (back["form"], back["game"], back["start"]) == (form, game, one["start"]), text
        assert back["moves"] == one["moves"], text
        assert engine.board(back["start"], back["moves"]) == one["boards"][-1]
        # Two words of a result are not those of the format: a draw of PSQ, and the sharing of other rules in OGN.
        if not (form == "psq" and one["result"] == "draw") and game != "awale:awari":
            assert back["result"] == one["result"], text
        if form != "ggf":
            assert back["players"] == one["players"], text
        if form in ("sgf", "pgn", "ogn") and one["moves"]:
            assert back["comments"]["1"].replace("\\", "") == one["comments"]["1"], text
    # From a position in the middle, where the format has a place for one.
    middle = [{**one, "start": one["boards"][3], "moves": one["moves"][3:], "boards": one["boards"][3:], "comments": {}}
              for one in games if len(one["moves"]) > 5 and form != "psq"]
    read = page.evaluate("""async ([form, games]) => { const { write, recognise } = await import('/formats.js');
        return games.map(game => recognise(write(form, game), 'nim', [])[0]) }""", [form, middle])
    for one, back in zip(middle, read, strict=True):
        assert engine.board(back["start"], back["moves"]) == one["boards"][-1], back


def auale(text: str) -> tuple[dict[str, str], list[str]]:
    """OGN as Auale reads it: tags, then every letter from A to F outside of braces and brackets."""
    tags, rest = {}, text
    while found := re.match(r'\s*\[\s*(\w+)\s+"((?:[^"]|\\")*)"\s*\]', rest):
        tags[found[1]] = found[2].replace('\\"', '"').replace("\\\\", "\\")
        rest = rest[found.end():]
    return tags, re.findall(r"[A-Fa-f]", re.sub(r"\{[^}]*\}|\([^)]*\)", " ", rest))


@pytest.mark.full
@pytest.mark.parametrize("engine", ["awale"], indirect=True)
def test_ogn_is_read_by_the_rules_of_auale(visit, engine):
    page = visit()
    dice = random.Random(7)
    for _ in range(10):
        game = {**engine.play(dice, 60), "game": "awale"}
        text = page.evaluate("async game => (await import('/formats.js')).write('ogn', game)", game)
        tags, moves = auale(text)
        assert moves == game["moves"]
        assert list(tags)[:8] == ["Variant", "Event", "Site", "Date", "Round", "South", "North", "Result"]
        assert tags["Variant"] == "Oware Abapa" and tags["South"] == game["players"][0]
        assert (tags["Result"] == "*") == (game["result"] is None)
        if game["result"]:
            south, north = map(int, tags["Result"].split("-"))
            assert (south > north) - (south < north) == {"p1win": 1, "p2win": -1, "draw": 0}[game["result"]]
        assert all(len(line) < 80 for line in text.splitlines() if not line.startswith("["))


@pytest.mark.parametrize("text, title, form, ply", [
    ('[Variant "Oware Abapa"]\n[South "a"]\n[North "b"]\n[Result "*"]\n\n1. F d 2. E { good } a', "Awalé", "OGN", 4),
    ("(;GM[Othello]PC[x]PB[a]PW[b]RE[?]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[F5]W[D6//1];)",
     "Othello", "GGF", 2),
    ("(;FF[4]GM[4]SZ[15];B[hh];W[hg](;B[ii])(;B[jj]))", "Gomoku · exactly five", "SGF", 3),
    ("Piskvorky 20x20, 11:11, 0\n10,10,0\n11,11,500\nai1\nai2\n-1\n1,Freestyle\n", "5 in a row · 20 × 20", "PSQ", 2),
    ('[White "a"]\n[Black "b"]\n[Result "*"]\n[Variant "cfour"]\n\n1. P@d1 P@d2 2. P@c1 *', "Connect Four", "PGN", 3),
    ("f5d6c3d3c4", "Othello", "a list of moves", 5),
    ("1. F d 2. E a", "Awalé", "a list of moves", 4),
    ("h8 h9 i9", "Gomoku · exactly five", "a list of moves", 3),
    ("4455", "Connect Four", "a list of moves", 4),
    ("2-2-2-2-2-2-0-0-S", "Awalé · small board (mini)", "a board text", 0),
    ("8/8/8/3ox3/3xo3/8/8/8 x", "Othello", "a board text", 0),
    ("7/7/7/7/3o3/3x3 x", "Connect Four", "a board text", 0),
    ("3-4-5 1", "Nim", "a board text", 0),
    ('{"game": "tictactoe", "moves": ["b2", "a1"]}', "Tic-tac-toe", "JSON", 2),
    ("position startpos moves F d", "Awalé", "a list of moves", 2),
])
def test_what_is_pasted_is_recognised_and_named(visit, text, title, form, ply):
    page = visit()
    # None of them is of the game on the board.
    begin(page, "tictactoe" if title != "Tic-tac-toe" else "nim", "people")
    paste(page, text)
    at(page, ply)
    expect(page.locator("#game-name")).to_have_text(title)
    expect(page.locator("#toasts")).to_contain_text(f"Taken for {title} ({form})")


@pytest.mark.full
def test_comments_come_in_and_go_out_with_the_moves(visit):
    page = visit()
    paste(page, '[Variant "Oware Abapa"]\n[South "a"]\n[North "b"]\n[Result "*"]\n\n1. F d { a good reply } 2. E a')
    at(page, 4)
    expect(page.locator("#moves .comment")).to_have_text("a good reply")
    page.click("#copy")
    assert "1. F d { a good reply } 2. E a\n" in page.input_value("#copy-text")


def test_a_link_and_a_dropped_file_bring_games_and_the_library_keeps_them(visit, shot, tmp_path):
    page = visit()
    begin(page, "tictactoe", "people")
    for ply, move in enumerate(["b2", "a1", "c1"], 1):
        page.click(f"#board [data-move={move}]")
        at(page, ply)
    page.click("#copy")
    link = page.input_value("#copy-link")
    assert "#game=tictactoe%7Cstartpos%7Cb2%20a1%20c1" in link
    assert page.input_value("#copy-text").endswith('1. P@b2 P@a1 2. P@c1 *\n')
    with page.expect_download() as saved:
        page.click("#save-file")
    assert saved.value.suggested_filename == "griot.pgn"
    page.keyboard.press("Escape")
    # Elsewhere: the same game, by its link.
    other = visit()
    other.goto(link)
    at(other, 3)
    expect(other.locator("#game-name")).to_have_text("Tic-tac-toe")
    expect(other.locator("#toasts")).to_contain_text("(link), 3 moves")
    # A file with two games: the first is shown, both are kept.
    file = "tictactoe|startpos|a1 b2 c3\nconnect4|startpos|d d e"
    other.evaluate("""text => { const moved = new DataTransfer(); moved.items.add(new File([text], 'games.txt', { type: 'text/plain' }));
        document.dispatchEvent(new DragEvent('drop', { dataTransfer: moved, bubbles: true, cancelable: true })) }""", file)
    expect(other.locator("#moves button >> nth=0")).to_have_text("1 a1")
    other.click("#library")
    expect(other.locator(".library li")).to_have_count(2)
    other.fill("dialog input[type=search]", "connect d d e")
    expect(other.locator(".library li")).to_have_count(1)
    shot(other, "library")
    with other.expect_download() as exported:
        other.click("#export-all")
    exported.value.save_as(tmp_path / "all.txt")
    assert sorted((tmp_path / "all.txt").read_text().splitlines()) == sorted(file.splitlines())
    other.click(".library .open")
    expect(other.locator("#game-name")).to_have_text("Connect Four")
    at(other, 3)
    other.reload()
    other.wait_for_selector("#board .legal")
    other.click("#library")
    expect(other.locator(".library li")).to_have_count(2)
