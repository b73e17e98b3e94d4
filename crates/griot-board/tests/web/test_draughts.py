"""Draughts: men and kings on numbered squares, captures stop by stop, positions set up by hand."""

from helpers import at, begin, paste, played, setting
from playwright.sync_api import expect

SQUARE = "#board .spot[aria-label^='{},']".format


def test_men_stand_on_numbered_squares_and_move_by_two_clicks(visit):
    page = visit()
    begin(page, "draughts", "people", {"rules": "international"})
    expect(page.locator("#game-name")).to_have_text("Draughts")
    expect(page.locator("#board .man")).to_have_count(40)
    # Only dark squares have a place, each with its number.
    expect(page.locator("#board .spot")).to_have_count(50)
    assert page.locator("#board .cell-name").all_text_contents() == [str(number) for number in range(1, 51)]
    assert page.locator(SQUARE(32)).get_attribute("aria-label") == "32, White man, you can play here"
    page.click(SQUARE(32))
    assert page.locator("#board .legal:not(.begins):not(.picked)").count() == 2
    page.click(SQUARE(28))
    at(page, 1)
    assert page.locator(SQUARE(28)).get_attribute("aria-label") == "28, White man, last move"
    assert played(page) == ["32-28"]
    # In English draughts Black begins, and the men are those of the colour.
    begin(page, "draughts", "people", {"rules": "english"})
    expect(page.locator("#game-name")).to_have_text("Draughts · English (checkers)")
    expect(page.locator("#board .man.black")).to_have_count(12)
    expect(page.locator("#status")).to_contain_text("Black to move")


def test_two_captures_with_the_same_ends_are_chosen_by_their_stops(visit):
    page = visit()
    paste(page, "draughts:english|W:W31:B26,27,18,19,1|")
    at(page, 0)
    expect(page.locator("#board .man")).to_have_count(6)
    page.click(SQUARE(31))
    # By 22 or by 24; the end alone does not say which.
    offered = page.locator("#board .legal:not(.begins):not(.picked)")
    assert [place.get_attribute("aria-label")[:2] for place in offered.all()] == ["22", "24"]
    page.click(SQUARE(22))
    assert page.locator(SQUARE(22)).get_attribute("aria-label") == "22, empty, to be moved"
    # The stop is given up by another click on it.
    page.click(SQUARE(22))
    expect(page.locator("#board .picked")).to_have_count(1)
    page.click(SQUARE(24))
    page.click(SQUARE(15))
    at(page, 1)
    expect(page.locator("#board .man")).to_have_count(4)
    assert played(page) == ["31x24x15"]
    expect(page.locator("#board .trail")).to_have_count(1)


def test_a_capture_is_chosen_by_its_end_where_that_is_enough(visit):
    page = visit()
    paste(page, "draughts:english|W:W31:B26,18,1|")
    at(page, 0)
    page.click(SQUARE(31))
    page.click(SQUARE(15))
    at(page, 1)
    expect(page.locator("#board .man")).to_have_count(2)


def test_a_flying_king_stops_where_it_is_taken_to(visit):
    page = visit()
    paste(page, "draughts|W:WK46:B37,23,1|")
    at(page, 0)
    page.click(SQUARE(46))
    # Behind the first man there are two squares; the end is one of four.
    offered = page.locator("#board .legal:not(.picked)")
    assert {place.get_attribute("aria-label")[:2] for place in offered.all()} == {"32", "28", "19", "14", "10", "5,"}
    for square in (28, 10):
        page.click(SQUARE(square))
    at(page, 1)
    assert played(page) == ["46x10"]


def test_a_position_of_draughts_is_set_up_by_hand(visit):
    page = visit()
    begin(page, "draughts", "people", {"rules": "international"})
    setting(page, "show-pv", False)
    page.click("#edit")
    names = [label.get_attribute("aria-label") for label in page.locator("dialog .palette input[aria-label]").all()]
    assert names == ["White man", "White king", "Black man", "Black king"]
    expect(page.locator("dialog button.cell")).to_have_count(50)
    expect(page.locator("dialog .cell .man")).to_have_count(40)
    page.get_by_role("button", name="Empty the board").click()
    expect(page.locator("dialog .cell .man")).to_have_count(0)
    for piece, square in (("White man", 33), ("White king", 46), ("Black king", 5), ("Black man", 14)):
        page.get_by_role("radio", name=piece).check()
        page.locator(f"dialog .cell[aria-label$=' {square}']").click()
    page.select_option("dialog select >> nth=0", label="Black")
    page.click("dialog button.primary")
    expect(page.locator("dialog")).to_have_count(0)
    expect(page.locator("#board .crown")).to_have_count(2)
    page.click("#copy")
    assert page.input_value("#copy-board").startswith("B:W33,K46:BK5,14")
