"""What axe-core finds on the page, in every state that people see: nothing serious."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from helpers import GAMES, analyse, at, menu, paste, setting
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


@pytest.mark.parametrize("width, height", [(1280, 640), (390, 844)])
def test_the_focus_never_lands_on_what_is_not_seen(visit, width, height):
    """The list of moves is longer than its room; what the keyboard comes to is in sight, and nothing lies over it."""
    page = visit(width, height)
    paste(page, "1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5 11. Bxb5+ Nbd7 "
          "12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8")
    at(page, 32)
    # What says where the game came from goes away by itself.
    page.click("#toasts [aria-label=Close]")
    expect(page.locator("#toasts > *")).to_have_count(0)
    page.evaluate("document.activeElement.blur(), scrollTo(0, 0)")
    seen, hidden = set(), []
    for _ in range(100):
        page.keyboard.press("Tab")
        found = page.evaluate("""() => { const node = document.activeElement; if (node === document.body) return null;
            const { x, y, width, height } = node.getBoundingClientRect(); const top = document.elementFromPoint(x + width / 2, y + height / 2);
            return [node.id || node.dataset.node || node.getAttribute('aria-label') || node.className, !!top && (node.contains(top) || top.contains(node))] }""")
        if found is None or found[0] in seen:
            continue
        seen.add(found[0])
        if not found[1]:
            hidden.append(found[0])
    assert len(seen) > 45 and hidden == [], (len(seen), hidden)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width, height, locale", [(1280, 860, "en-GB"), (390, 844, "fr-FR"), (844, 390, "en-GB")])
def test_the_page_and_its_dialogs_have_no_serious_finding(visit, scheme, width, height, locale):
    page = visit(width, height, color_scheme=scheme, locale=locale)
    options = OPTIONS if scheme == "light" else COLOURS
    check(page, "a new game", options=options)
    paste(page, "awale|startpos|F d E a C")
    at(page, 5)
    analyse(page)
    setting(page, "show-values", True)
    expect(page.locator("#board .values > *")).not_to_have_count(0)
    check(page, "an analysis", options=options)
    analyse(page, False)
    page.click("#settings")
    check(page, "the settings", "#menu", options)
    page.keyboard.press("Escape")
    for dialog in ("new", "copy", "paste", "edit", "library", "share", "help"):
        menu(page, dialog) if dialog == "help" else page.click(f"#{dialog}")
        expect(page.locator("dialog")).to_be_visible()
        # What lies behind it is out of reach, and was looked at before.
        check(page, dialog, "dialog", options)
        page.keyboard.press("Escape")
    paste(page, "connect4|startpos|a b a b a c b")
    at(page, 7)
    page.select_option("#review select", "depth:6")
    page.click("#review-start")
    expect(page.locator(".mistakes li")).not_to_have_count(0)
    expect(page.locator("#review progress")).to_have_count(0)
    check(page, "a review", options=options)
    page.click("#moves .move.main >> nth=2")
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
    menu(page, "theme")
    check(page, f"{family}, dark", options=COLOURS)
