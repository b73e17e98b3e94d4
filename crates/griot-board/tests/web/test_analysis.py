"""Variations, candidate lines, the review of a game, and a second try."""

import pytest
from helpers import analyse, at, begin, paste, press, setting
from playwright.sync_api import Page, expect

# Three in a column are not met at the sixth ply, and win.
GAME = "connect4|startpos|d c d c d a d"
SIZES = pytest.mark.parametrize("width, height", [(1280, 860), (390, 844), (844, 390)], ids=["desk", "phone", "side"])


def listed(page: Page) -> list[str]:
    """The list of moves as it is read, variations in brackets."""
    return page.evaluate("""() => [...document.querySelectorAll('#moves > li')].flatMap(item => {
        const moves = [...item.querySelectorAll('.move')].map(move => move.textContent);
        return item.classList.contains('variation') ? ['(', ...moves, ')'] : moves })""")


@SIZES
def test_another_move_is_a_variation_that_is_promoted_spoken_of_and_deleted(visit, shot, width, height):
    page = visit(width, height)
    begin(page, "connect4", "people")
    for ply, move in enumerate("dcd", 1):
        page.click(f"#board [data-move={move}]")
        at(page, ply)
    page.keyboard.press("ArrowLeft")
    at(page, 2)
    page.keyboard.press("ArrowLeft")
    at(page, 1)
    page.click("#board [data-move=e]")
    at(page, 2)
    page.click("#board [data-move=e]")
    at(page, 3)
    assert listed(page) == ["d", "c", "(", "e", "e", ")", "d"]
    # Up and down lead from one alternative to the other, and each keeps what follows it.
    page.keyboard.press("ArrowLeft")
    at(page, 2)
    page.keyboard.press("ArrowUp")
    expect(page.locator("#moves [aria-current]")).to_have_text("c")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#moves [aria-current]")).to_have_text("d")
    at(page, 3)
    page.keyboard.press("ArrowLeft")
    at(page, 2)
    page.keyboard.press("ArrowDown")
    expect(page.locator("#moves [aria-current]")).to_have_text("e")
    page.fill("#comment", "Worth a try.\nPerhaps.")
    page.locator("#comment").blur()
    expect(page.locator("#moves .comment")).to_have_text("Worth a try. Perhaps.", use_inner_text=True)
    shot(page, f"variations-{width}")
    page.click("#promote")
    expect(page.locator("#moves .move.main").nth(1)).to_have_text("e")
    assert listed(page) == ["d", "e", "(", "c", "d", ")", "e"]
    expect(page.locator("#promote")).to_be_disabled()
    page.reload()
    at(page, 2)
    expect(page.locator("#moves .variation button").first).to_have_text("c")
    page.click("#moves .variation button >> nth=0")
    expect(page.locator("#moves [aria-current]")).to_have_text("c")
    page.click("#delete")
    at(page, 1)
    expect(page.locator("#moves .variation")).to_have_count(0)
    assert listed(page) == ["d", "e", "e"]
    # Playing the move that is there leads to it.
    page.click("#board [data-move=e]")
    at(page, 2)
    assert listed(page) == ["d", "e", "e"]


@SIZES
def test_lines_are_counted_clicked_and_shown_and_points_have_values(visit, shot, width, height):
    page = visit(width, height)
    begin(page, "othello", "people")
    paste(page, "8/8/3x4/2xxoo2/2xoox2/3ox3/8/8 x")
    at(page, 0)
    analyse(page)
    for lines in ("5", "2"):
        page.select_option("#line-count", lines)
        expect(page.locator("#lines > li")).to_have_count(int(lines))
    # The search goes on meanwhile, and may find another second line at any time.
    press(page.locator("#lines > li:nth-child(2) button").nth(1))
    # Each depth draws the line anew: what belongs together is looked at at once.
    page.wait_for_function("""() => { const stones = [...document.querySelectorAll('#board .ghosts .ghost .stone')];
        return stones.length === 2 && stones.every(stone => getComputedStyle(stone).fillOpacity < 0.6)
            && document.querySelectorAll('#lines [aria-pressed=true]').length === 1 }""")
    shot(page, f"lines-{width}")
    setting(page, "show-values", True)
    press(page.locator("#lines [aria-pressed=true]"))
    legal = page.locator("#board .legal").count()
    expect(page.locator("#board .values > *")).to_have_count(legal)
    expect(page.locator("#board .values .best")).to_have_count(1)
    expect(page.locator("#lines > li")).to_have_count(2)
    shot(page, f"values-{width}")


def test_the_book_and_the_tables_are_told_beside_the_search(visit):
    page = visit()
    begin(page, "awale", "people")
    expect(page.locator("#lore")).to_contain_text("Book: ")
    # Few seeds are left: the tables of the engine know all of it.
    paste(page, "awale|1-0-0-0-1-0-0-0-1-0-0-1-22-22-S|")
    analyse(page)
    expect(page.locator("#lore")).to_contain_text("Endgame tables:")


def test_a_pasted_game_has_a_whole_graph_of_one_kind(visit):
    page = visit()
    paste(page, GAME)
    at(page, 7)
    expect(page.locator("#graph .point")).to_have_count(8)


@SIZES
def test_a_game_is_reviewed_and_a_mistake_is_tried_again(visit, shot, width, height):
    page = visit(width, height)
    begin(page, "connect4", "people")
    paste(page, GAME)
    at(page, 7)
    page.locator("#review select").select_option("depth:10")
    page.click("#review-start")
    expect(page.locator(".accuracy tbody tr")).to_have_count(2)
    expect(page.locator("#review progress")).to_have_count(0)
    mistakes = page.locator(".mistakes li")
    expect(mistakes).not_to_have_count(0)
    # Each is told in the list, in the graph and among the moves.
    count = mistakes.count()
    assert page.locator("#moves .move b").count() == count
    assert page.locator("#graph .slip, #graph .mistake, #graph .blunder").count() == count
    shot(page, f"review-{width}")
    worst = page.locator(".mistakes li", has=page.locator(".mark-blunder")).first
    ply = int(worst.locator("button").first.inner_text().split()[0])
    better = worst.locator(".better").inner_text().split()[1]
    worst.locator(".better").click()
    at(page, ply - 1)
    expect(page.locator("#board .ghosts .ghost")).not_to_have_count(0)
    worst.locator("button", has_text="Try again").click()
    at(page, ply - 1)
    expect(page.locator("#retry")).to_contain_text("Find a better move.")
    # The answer is hidden: no line, no sign of this mistake, no hint.
    expect(page.locator("#board .ghosts .ghost")).to_have_count(0)
    expect(mistakes).to_have_count(count - 1)
    expect(page.locator("#hint")).to_be_disabled()
    # A move that is no better is told so, without the answer.
    played = page.locator("#moves .move.main").nth(ply - 1).locator(".san").inner_text()
    wrong = next(move for move in "abcdefg" if move not in (better, played))
    page.click(f"#board [data-move={wrong}]")
    at(page, ply)
    expect(page.locator("#retry")).to_contain_text(wrong)
    expect(page.locator("#retry")).not_to_contain_text("is being judged")
    if page.locator("#retry button", has_text="Once more").count():
        press(page.locator("#retry button", has_text="Once more"))
        at(page, ply - 1)
        page.click(f"#board [data-move={better}]")
        at(page, ply)
        expect(page.locator("#retry")).to_contain_text("best move")
    expect(mistakes).to_have_count(count)
    press(page.locator("#retry button", has_text="Close"))
    expect(page.locator("#retry")).to_be_hidden()


@pytest.mark.full
def test_a_review_can_be_stopped(visit):
    page = visit()
    begin(page, "awale", "people")
    expect(page.locator("#review-start")).to_be_disabled()
    page.click("#board [data-move=F]")
    at(page, 1)
    # A game that is played is reviewed as well as one that is pasted.
    expect(page.locator("#review-start")).to_be_enabled()
    paste(page, "awale|startpos|F d E a C b A f B e D c")
    at(page, 12)
    page.locator("#review select").select_option("movetime:2000")
    page.click("#review-start")
    expect(page.locator("#review progress")).to_be_visible()
    page.click("#review button >> text=Stop the review")
    expect(page.locator("#review-start")).to_be_visible()
    page.keyboard.press("ArrowLeft")
    at(page, 11)
