"""Chess for people: figures with names, moves in SAN wherever they are shown, and PGN that python-chess reads."""

import io
import re

import chess.pgn
import pytest
from helpers import analyse, at, begin, menu, paste, played, setting
from playwright.sync_api import expect
from test_puzzles import SETS

OPERA = (
    '[White "Morphy"]\n[Black "Allies"]\n[Result "1-0"]\n\n1. e4! e5 2. Nf3 d6 { Philidor } 3. d4 Bg4?! (3... Nf6) 4. dxe5 Bxf3 5. Qxf3 dxe5 '
    "6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 "
    "16. Qb8+!! Nxb8 17. Rd8# 1-0"
)
SQUARE = "#board .spot[aria-label^='{},']".format


def test_a_game_of_pgn_comes_in_and_goes_out_in_san(visit):
    page = visit()
    begin(page, "tictactoe", "people")
    paste(page, OPERA)
    at(page, 33)
    expect(page.locator("#game-name")).to_have_text("Chess")
    expect(page.locator("#status")).to_contain_text("White wins")
    given = chess.pgn.read_game(io.StringIO(OPERA))
    assert played(page) == [node.san() for node in given.mainline()]
    # The opening has its name, by its position, here and in the library below.
    expect(page.locator("#opening")).to_have_text("C41 Philidor Defense")
    # What was said of a move comes after the moves.
    expect(page.locator("#moves .comment")).to_have_text("Philidor")
    page.click("#copy")
    text = page.input_value("#copy-text")

    def tree(text: str) -> str:
        """Variations, comments and glyphs, as python-chess writes them."""
        game = chess.pgn.read_game(io.StringIO(text))
        assert game.errors == []
        assert (game.headers["Result"], game.headers["White"], "Variant" in game.headers) == ("1-0", "Morphy", False)
        return game.accept(chess.pgn.StringExporter(headers=False))

    assert tree(text) == tree(OPERA)
    page.keyboard.press("Escape")
    # Nothing is changed by where one stands, and it is kept the same.
    page.click("#moves .variation button")
    at(page, 6)
    page.click("#copy")
    assert page.input_value("#copy-text") == text
    page.keyboard.press("Escape")
    page.click("#library")
    page.click("#keep-now")
    expect(page.locator(".library li")).to_have_count(1)
    expect(page.locator(".library li")).to_contain_text("C41 Philidor Defense")
    with page.expect_download() as saved:
        page.click("#export-own")
    assert tree(open(saved.value.path()).read()) == tree(OPERA)


@pytest.mark.full
@pytest.mark.parametrize("number", [0, 518, 959])
def test_chess960_castles_in_its_pgn(visit, number):
    board = chess.Board.from_chess960_pos(number)
    game = chess.pgn.Game.from_board(board)
    game.headers["Result"] = "*"
    page = visit()
    paste(page, f"{game}".removesuffix("*") + "1. g3 g6 *" if number == 518 else f"chess960:{number}|startpos|g2g3 g7g6")
    at(page, 2)
    page.click("#copy")
    back = chess.pgn.read_game(io.StringIO(page.input_value("#copy-text")))
    assert back.errors == [] and back.board().chess960
    assert back.board().fen() == board.fen() and [node.san() for node in back.mainline()] == ["g3", "g6"]


@pytest.mark.full
def test_a_position_with_black_to_move_has_its_numbers(visit):
    page = visit()
    paste(page, "chess|r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 4 30|O-O-O Ra8+")
    at(page, 2)
    assert played(page) == ["O-O-O+", "Ra8+"] or played(page) == ["O-O-O", "Ra8+"]
    page.click("#copy")
    text = page.input_value("#copy-text")
    assert "\n30... O-O-O" in text and "31. Ra8+" in text
    assert chess.pgn.read_game(io.StringIO(text)).errors == []


def test_lines_hints_and_reviews_are_told_in_san(visit):
    page = visit()
    paste(page, "chess|startpos|e4 e5 Qh5 Ke7")
    at(page, 4)
    page.select_option("#line-count", "3")
    analyse(page)
    expect(page.locator("#lines .candidate")).to_have_count(3)
    page.wait_for_function("() => document.querySelector('#lines .step')?.textContent === 'Qxe5#'")
    page.wait_for_function("""() => [...document.querySelectorAll('#lines .step')].every(step =>
        /^([KQRBN]?[a-h]?[1-8]?x?[a-h][1-8](=[QRBN])?|O-O(-O)?)[+#]?$/.test(step.textContent))""")
    # The line is arrows on the board, and can be gone through.
    expect(page.locator("#board .arrow")).to_have_count(1)
    analyse(page, False)
    page.click("#hint")
    expect(page.locator("#live")).to_contain_text("Qxe5#")
    page.select_option("#review select", "depth:6")
    page.click("#review-start")
    expect(page.locator(".mistakes")).to_contain_text("4 Ke7 ??")
    # Which of the sound moves it names is a matter of milliseconds; that it names one in SAN is not.
    expect(page.locator("#moves .move.main").last).to_have_attribute("title", re.compile(r"^A blunder\. Better was (?!Ke7)[NBQ]?[a-h][1-8]\.$"))


def test_figures_have_names_in_both_languages(visit):
    page = visit(locale="fr-FR")
    paste(page, "chess|startpos|e4")
    at(page, 1)
    expect(page.locator("#board .figure")).to_have_count(32)
    expect(page.locator("#board .pieces text")).to_have_count(0)
    expect(page.locator(SQUARE("d1"))).to_have_attribute("aria-label", "d1, dame, Blanc")
    menu(page, "language")
    expect(page.locator(SQUARE("g8"))).to_have_attribute("aria-label", "g8, Black knight, you can play here")


def test_a_pawn_becomes_what_is_chosen(visit):
    page = visit()
    begin(page, "tictactoe", "people")
    paste(page, "chess|6k1/P4ppp/8/8/8/8/8/4K3 w - - 0 1|")
    at(page, 0)
    page.click(SQUARE("a7"))
    page.click(SQUARE("a8"))
    # It is chosen by its picture, where it will stand: the queen first.
    choices = page.locator("#board .choice")
    expect(choices).to_have_count(4)
    assert [choice.get_attribute("aria-label") for choice in choices.all()] == [
        "White queen, a8=Q#", "White rook, a8=R#", "White bishop, a8=B", "White knight, a8=N"]
    page.keyboard.press("Escape")
    expect(choices).to_have_count(0)
    at(page, 0)
    page.locator(SQUARE("a8")).click()
    choices.nth(1).click()
    at(page, 1)
    assert played(page) == ["a8=R#"]
    expect(page.locator(SQUARE("a8"))).to_have_attribute("aria-label", "a8, White rook, last move")


def test_a_position_of_chess_is_set_up_with_figures(visit):
    page = visit()
    begin(page, "tictactoe", "people")
    paste(page, "chess|startpos|")
    at(page, 0)
    # Both games are at ply 0: the board tells which it is.
    expect(page.locator("#board .figure")).to_have_count(32)
    page.click("#edit")
    expect(page.locator("dialog .palette label")).to_have_count(14)
    expect(page.locator("dialog .cells .figure")).to_have_count(32)
    page.get_by_role("radio", name="empty").check()
    page.get_by_role("button", name="White rook h1").click()
    page.get_by_role("button", name="Black queen d8").click()
    page.get_by_role("radio", name="White queen").check()
    page.get_by_role("button", name="· e4").click()
    page.select_option("dialog select >> nth=0", "b")
    expect(page.locator("dialog [name=board]")).to_have_value("rnb1kbnr/pppppppp/8/8/4Q3/8/PPPPPPPP/RNBQKBN1 b Qkq - 0 1")
    page.click("dialog button.primary")
    expect(page.locator("#board[data-turn='1']")).to_be_visible()
    expect(page.locator(SQUARE("e4"))).to_have_attribute("aria-label", "e4, White queen")


def test_what_stands_behind_a_board_of_chess_is_set_up_on_a_phone(visit, shot):
    page = visit(390, 844)
    paste(page, "chess|r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq - 0 1|")
    expect(page.locator("#board .figure")).to_have_count(8)
    page.keyboard.press("f")
    page.click("#edit")
    # It lies as on the page: turned.
    cell = lambda name: page.locator(f"dialog .cell[aria-label$=' {name}']").bounding_box()
    assert cell("a1")["y"] < cell("a8")["y"] and cell("a1")["x"] > cell("h1")["x"]
    page.uncheck("dialog [name=castle-Q]")
    page.select_option("dialog [name=passed]", "d6")
    page.fill("dialog [name=half_moves]", "3")
    page.fill("dialog [name=full_moves]", "40")
    expect(page.locator("dialog [name=board]")).to_have_value("r3k2r/8/8/3pP3/8/8/8/R3K2R w Kkq d6 3 40")
    # A right whose rook is gone cannot be had.
    page.get_by_role("radio", name="empty").check()
    page.get_by_role("button", name="Black rook a8").click()
    expect(page.locator("dialog [name=castle-q]")).to_be_disabled()
    expect(page.locator("dialog [name=board]")).to_have_value("4k2r/8/8/3pP3/8/8/8/R3K2R w Kk d6 3 40")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    shot(page, "editor-phone")
    page.click("dialog button.primary")
    expect(page.locator("dialog")).to_have_count(0)
    page.click("#copy")
    assert page.input_value("#copy-board").startswith("4k2r/8/8/3pP3/8/8/8/R3K2R w Kk d6 ")


@pytest.mark.full
def test_values_of_several_pieces_for_one_square_are_told_once(visit):
    page = visit()
    paste(page, "chess|r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3|")
    analyse(page)
    setting(page, "show-values", True)
    page.wait_for_function("() => parseInt(document.getElementById('n-depth').textContent) >= 3")
    page.wait_for_function("() => document.querySelectorAll('#board .values .value').length > 10")
    places = page.eval_on_selector_all("#board .values .value", "nodes => nodes.map(node => node.getAttribute('transform'))")
    assert len(places) == len(set(places))


def test_a_move_of_chess_is_made_by_keys_alone(visit):
    page = visit()
    begin(page, "chess", "people")
    for _ in range(80):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.classList.contains('spot')"):
            break
    for key in ["ArrowDown"] * 6 + ["ArrowRight"] * 4 + ["Enter"] + ["ArrowUp"] * 2 + ["Enter"]:
        page.keyboard.press(key)
    at(page, 1)
    assert played(page) == ["e4"]
    expect(page.locator("#live")).to_contain_text("White plays e4")


FITS = r"""node => { const [out, span] = [node.getBoundingClientRect(), node.querySelector('span')];
    const words = [...span.textContent.matchAll(/[^\s-]+-?/g)].map(({ 0: word, index }) => {
        const range = document.createRange();
        range.setStart(span.firstChild, index);
        range.setEnd(span.firstChild, index + word.length);
        return [...range.getClientRects()];
    });
    return words.every(rects => rects.length === 1 && rects[0].right <= out.right && rects[0].left >= out.left) }"""


@pytest.mark.full
@pytest.mark.parametrize("width, locale", [(1280, "en-GB"), (390, "fr-FR"), (844, "fr-FR")])
def test_every_game_of_the_menus_fits_its_card_in_whole_words(visit, width, locale):
    page = visit(width, locale=locale)
    page.click("#new")
    cards = page.locator("dialog .game")
    expect(cards).to_have_count(10)
    for card in cards.all():
        # What is chosen is bold.
        card.click()
        assert card.evaluate(FITS), card.inner_text()
    page.keyboard.press("Escape")
    page.click("#puzzles")
    expect(cards).to_have_count(len(SETS))
    assert [card.inner_text() for card in cards.all() if not card.evaluate(FITS)] == []


@pytest.mark.full
@pytest.mark.parametrize("text, ply", [
    ("1. e4 e5 2. Nf3 Nc6", 4), ("e2e4 e7e5 g1f3", 3), ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 0),
])
def test_bare_moves_and_boards_of_chess_are_recognised(visit, text, ply):
    page = visit()
    begin(page, "tictactoe", "people")
    paste(page, text)
    at(page, ply)
    expect(page.locator("#game-name")).to_have_text("Chess")
