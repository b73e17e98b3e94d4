"""What the tests of the board do with a page again and again."""

from contextlib import contextmanager

from playwright.sync_api import Locator, Page, expect

expect.set_options(timeout=60_000)

# A game, a position of it in the middle, and what its fields in the dialog are set to.
GAMES = {
    "awale": ("awale", "0-2-3-9-0-1-2-0-16-0-2-4-5-4-S", {}),
    "tictactoe": ("tictactoe", "2o/1x1/3 x", {}),
    "connect4": ("connect4", "7/7/3o3/3x3/2xo3/1oxxo2 x", {}),
    "othello": ("othello", "8/8/3x4/2xxoo2/2xoox2/3ox3/8/8 x", {}),
    "gomoku": ("gomoku", "15/15/15/15/15/6x1o6/7xo6/6oxx6/6o8/15/15/15/15/15/15 x", {}),
    "mnk": ("mnk:7,7,5", "7/7/2o4/2xxo2/3x3/7/7 o", {"columns": "7", "rows": "7", "in_a_row": "5"}),
    "draughts": ("draughts:english", "B:W18,22,23,26,30:B3,7,10,11,K31", {"rules": "english"}),
    "nim": ("nim:3-4-5,take=any,normal", "3-4-5 1", {"heaps": "3-4-5", "take_most": "any", "goal": "normal"}),
}


@contextmanager
def renewed(page: Page):
    """Waits until a new game has built its board: what is measured or touched before that may be the board it replaces."""
    page.evaluate("document.querySelector('#board svg').dataset.old = ''")
    yield
    expect(page.locator("#board svg:not([data-old])")).to_be_visible()


def begin(page: Page, family: str, players: str, fields: dict[str, str] | None = None, level: int = 20):
    """Starts a game by the dialog."""
    page.click("#new")
    page.check(f"dialog input[value={family}]")
    for name, value in (fields or {}).items():
        field = page.locator(f"dialog [name={name}]")
        field.select_option(value) if field.evaluate("node => node.tagName") == "SELECT" else field.fill(value)
    page.select_option("dialog [name=players]", players)
    page.fill("dialog [name=level]", str(level))
    with renewed(page):
        page.click("dialog button.primary")
        expect(page.locator("dialog")).to_have_count(0)
    expect(page.locator(f"#board[data-family={family}]")).to_be_visible()
    if players not in ("second", "engines"):
        at(page, 0)


def submit(page: Page, text: str):
    """Pastes a text and waits for no more than the end of the dialog: it may be refused."""
    page.click("#paste")
    page.fill("dialog textarea", text)
    page.click("dialog button.primary")
    expect(page.locator("dialog")).to_have_count(0)


def paste(page: Page, text: str):
    """Pastes a position or a game, and waits for its board."""
    with renewed(page):
        submit(page, text)


def at(page: Page, ply: int):
    """Waits until the board shows the position after so many moves."""
    expect(page.locator(f"#board[data-at='{ply}']")).to_be_visible()


def play_any(page: Page, ply: int):
    """Plays some move, no capture by stops, which leads to so many plies: a click, or of a piece one where it is and one where it goes."""
    first = page.locator("#board .legal").first
    begins = "begins" in first.get_attribute("class")
    first.click()
    if begins:
        page.locator("#board .legal:not(.begins):not(.picked)").first.click()
    at(page, ply)


def setting(page: Page, name: str, value: str | bool):
    """Changes something in the menu of settings."""
    page.click("#settings")
    if isinstance(value, bool):
        page.set_checked(f"#{name}", value)
    else:
        page.select_option(f"#{name}", value)
    page.keyboard.press("Escape")
    expect(page.locator("#menu")).to_be_hidden()


def menu(page: Page, name: str):
    """Presses a button in the menu of settings."""
    page.click("#settings")
    page.click(f"#{name}")
    if page.locator("#menu").is_visible():
        page.keyboard.press("Escape")


def played(page: Page) -> list[str]:
    """The moves of the main line as they are listed."""
    return page.locator("#moves .move.main .san").all_inner_texts()


def analyse(page: Page, on: bool = True):
    """Turns the analysis on or off, and waits until the server says so: what it said just before shows the switch as it was."""
    page.click("#analysis")
    expect(page.locator("#board[data-doing=analysis]")).to_have_count(1 if on else 0)


def press(button: Locator):
    """Clicks what any news may draw anew, found and clicked at once: a mouse may be pressed on one button and let go on the next."""
    expect(button).to_be_visible()
    button.dispatch_event("click")


def judged(page: Page):
    """Waits until the position has its value for the graph: while people play, that is the last news of it."""
    expect(page.locator("#n-score")).not_to_have_text("–")


def number(page: Page, house: str) -> str:
    """What stands beside a house of awalé."""
    return page.evaluate("""name => { const labels = [...document.querySelectorAll('.awale .numbers text')];
        return labels[labels.findIndex(label => label.textContent === name) + 1].textContent }""", house)
