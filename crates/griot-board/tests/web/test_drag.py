"""Dragging: seeds are sown along, stones and discs come as ghosts, pieces are carried; a drag that ends nowhere plays nothing."""

import pytest
from helpers import at, begin, judged, paste, setting
from playwright.sync_api import Page, expect


def middle(page: Page, selector: str) -> tuple[float, float]:
    box = page.locator(selector).first.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def hold(page: Page, selector: str):
    page.locator("#board").evaluate("node => node.scrollIntoView({ block: 'center' })")
    page.mouse.move(*middle(page, selector))
    page.mouse.down()


def house(name: str) -> str:
    return f"#board .house[aria-label^='house {name} ']"


@pytest.mark.parametrize("width, height", [(1280, 860), (390, 844), (844, 390)])
def test_seeds_are_sown_by_a_drag_from_the_house_along(visit, width, height):
    page = visit(width, height)
    begin(page, "awale", "people")
    setting(page, "show-pv", False)
    # News draw the board as the server knows it, without a way until the next move of the hand.
    judged(page)
    hold(page, house("C"))
    page.mouse.move(*middle(page, house("D")), steps=4)
    expect(page.locator("#board .ghosts .way")).to_be_visible()
    page.mouse.move(*middle(page, house("F")), steps=4)
    page.mouse.up()
    at(page, 1)
    expect(page.locator("#moves .move")).to_have_text(["C"])
    judged(page)
    # Back to where it came from, and beside the board: nothing is sown.
    for end in (middle(page, house("b")), (2, 2)):
        hold(page, house("b"))
        page.mouse.move(*middle(page, house("d")), steps=3)
        page.mouse.move(*end, steps=3)
        page.mouse.up()
        expect(page.locator("#board .ghosts > *")).to_have_count(0)
        at(page, 1)
    # A house that cannot be played cannot be dragged; a click still sows.
    hold(page, house("A"))
    page.mouse.move(*middle(page, house("B")), steps=3)
    page.mouse.up()
    at(page, 1)
    page.click(house("b"))
    at(page, 2)


@pytest.mark.parametrize("family, start, end, played", [
    ("tictactoe", "a1", "b2", "b2"), ("connect4", "a", "d", "d"), ("gomoku", "a1", "h8", "h8"), ("othello", "e6", "f5", "f5"),
])
def test_a_ghost_goes_along_and_is_played_where_it_is_let_go(visit, family, start, end, played):
    page = visit()
    begin(page, family, "people")
    setting(page, "show-pv", False)
    where = "#board [data-move='{}']".format
    hold(page, where(start))
    page.mouse.move(*middle(page, where(end)), steps=5)
    expect(page.locator("#board .ghosts .aim")).to_have_count(1)
    page.mouse.move(2, 2, steps=3)
    page.mouse.up()
    expect(page.locator("#board .ghosts > *")).to_have_count(0)
    at(page, 0)
    hold(page, where(start))
    page.mouse.move(*middle(page, where(end)), steps=5)
    page.mouse.up()
    at(page, 1)
    expect(page.locator("#moves .move")).to_have_text([played])


@pytest.mark.full
def test_a_piece_is_carried_from_cell_to_cell(visit):
    page = visit()
    begin(page, "tictactoe", "people")
    paste(page, "chess|startpos|")
    at(page, 0)
    square = "#board .spot[aria-label^='{},']".format
    for end, ply in (("e5", 0), ("e4", 1)):
        hold(page, square("e2"))
        page.mouse.move(*middle(page, square("e4")), steps=4)
        expect(page.locator("#board .carried")).to_have_count(1)
        page.mouse.move(*middle(page, square(end)), steps=2)
        page.mouse.up()
        expect(page.locator("#board .carried")).to_have_count(0)
        at(page, ply)
    expect(page.locator("#moves .move")).to_have_text(["e4"])
    # What was let go elsewhere stands where it stood, and two clicks do as well.
    page.click(square("e7"))
    page.click(square("e5"))
    at(page, 2)


@pytest.mark.parametrize("width, height", [(390, 844), (844, 390)])
def test_a_finger_drags_to_small_points_without_a_second_touch(visit, width, height):
    page = visit(width, height, has_touch=True, is_mobile=True)
    begin(page, "gomoku", "people")
    touch = page.context.new_cdp_session(page)

    def finger(kind: str, *points: tuple[float, float]):
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})

    page.locator("#board").evaluate("node => node.scrollIntoView({ block: 'center' })")
    (x, y), (to_x, to_y) = (middle(page, f"#board [data-move={name}]") for name in ("f6", "h8"))
    scrolled = page.evaluate("scrollY")
    finger("touchStart", (x, y))
    for step in range(1, 6):
        finger("touchMove", (x + (to_x - x) * step / 5, y + (to_y - y) * step / 5))
    expect(page.locator("#board .ghosts .aim")).to_have_count(1)
    finger("touchEnd")
    at(page, 1)
    expect(page.locator("#moves .move")).to_have_text(["h8"])
    assert page.evaluate("scrollY") == scrolled, "the page stays where it is"
