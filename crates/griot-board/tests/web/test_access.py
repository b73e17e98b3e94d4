"""What axe-core finds on the page, in every state that people see: nothing serious."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from helpers import GAMES, analyse, at, paste
from playwright.sync_api import Page, expect

# Experimental as it is, it finds what people who speak to their machine stumble over.
# What is in order is not listed, and nothing is fetched for the rules on media: there is none.
OPTIONS = {"resultTypes": ["violations"], "preload": False, "rules": {"label-content-name-mismatch": {"enabled": True}}}
# Another scheme changes nothing but colours.
COLOURS = {"resultTypes": ["violations"], "preload": False, "runOnly": ["color-contrast"]}


def check(page: Page, state: str, context: str | None = None, options: dict = OPTIONS):
    # What fades in is looked at when it is there.
    page.evaluate("""Promise.all(document.getAnimations().filter(one => Number.isFinite(one.effect.getComputedTiming().endTime))
        .map(one => one.finished.catch(() => {})))""")
    found = Axe().run(page, context, options).response["violations"]
    told = [(one["id"], one["impact"], [(node["html"][:160], node["failureSummary"][:240]) for node in one["nodes"][:4]])
            for one in found if one["impact"] in ("serious", "critical")]
    assert told == [], f"{state}: {told}"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{state}: wider than the window"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width, height, locale", [(1280, 860, "en-GB"), (390, 844, "fr-FR"), (844, 390, "en-GB")])
def test_the_page_and_its_dialogs_have_no_serious_finding(visit, scheme, width, height, locale):
    page = visit(width, height, color_scheme=scheme, locale=locale)
    options = OPTIONS if scheme == "light" else COLOURS
    check(page, "a new game", options=options)
    paste(page, "awale|startpos|F d E a C")
    at(page, 5)
    analyse(page)
    page.check("#show-values")
    expect(page.locator("#board .values > *")).not_to_have_count(0)
    check(page, "an analysis", options=options)
    analyse(page, False)
    for dialog in ("new", "copy", "paste", "edit", "library", "share", "help"):
        page.click(f"#{dialog}")
        expect(page.locator("dialog")).to_be_visible()
        # What lies behind it is out of reach, and was looked at before.
        check(page, dialog, "dialog", options)
        page.keyboard.press("Escape")
    paste(page, "connect4|startpos|a b a b a c b")
    at(page, 7)
    page.click("#review-start")
    expect(page.locator(".mistakes li")).not_to_have_count(0)
    expect(page.locator("#review progress")).to_have_count(0)
    check(page, "a review", options=options)
    page.click("#moves li:nth-child(3) button")
    at(page, 3)
    page.fill("#comment", "a word")
    page.locator("#comment").blur()
    expect(page.locator("#moves .comment")).to_have_text("a word")
    page.click("#board [data-move=d]")
    at(page, 4)
    check(page, "a variation", options=options)
    page.click(".mistakes li button:last-child >> nth=0")
    expect(page.locator("#retry")).to_be_visible()
    check(page, "a second try", options=options)


@pytest.mark.full
@pytest.mark.parametrize("family", GAMES)
def test_every_board_has_no_serious_finding(visit, family):
    page = visit(color_scheme="light")
    name, board, _ = GAMES[family]
    paste(page, f"{name}|{board}|")
    analyse(page)
    expect(page.locator("#lines li")).not_to_have_count(0)
    check(page, family)
    page.click("#theme")
    check(page, f"{family}, dark", options=COLOURS)
