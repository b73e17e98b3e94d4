"""A board of somebody else in a browser, over the WebSocket: the example page, opened as a file."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

PAGE = Path(__file__).parents[4] / "examples/serve/board.html"


def engine_of(server) -> str:
    return f"{PAGE.as_uri()}?engine={server.url.replace('http:', 'ws:')}engine"


@pytest.fixture
def page(browser):
    context = browser.new_context()
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("server", [("--allow-origin", "null")], indirect=True)
def test_a_page_that_is_a_file_plays_when_it_is_allowed(server, page):
    wrong = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(engine_of(server))
    expect(page.locator("#status")).to_have_text("your move")
    expect(page.locator("#board button")).to_have_count(9)
    page.locator("#board button").nth(4).click()
    expect(page.locator("#board button", has_text="o")).to_have_count(1)
    expect(page.locator("#status")).to_have_text("your move")
    marks = page.locator("#board button").all_inner_texts()
    assert marks[4] == "x" and sorted(filter(None, marks)) == ["o", "x"]
    expect(page.locator("#said")).to_contain_text(" pv ")
    page.select_option("#game", "connect4")
    expect(page.locator("#board button")).to_have_count(42)
    page.locator("#board button:enabled").first.click()
    expect(page.locator("#board button", has_text="o")).to_have_count(1)
    expect(page.locator("#status")).to_have_text("your move")
    # A new game while it thinks, which is not for long: it is chosen as soon as the page says so.
    page.evaluate("""() => { const [game, status] = ['game', 'status'].map(id => document.getElementById(id));
        new MutationObserver(() => { if (status.textContent === 'griot thinks' && game.value !== 'othello') {
            game.value = 'othello'; game.dispatchEvent(new Event('change')) } }).observe(status, { childList: true }) }""")
    page.locator("#board button:enabled").first.click()
    expect(page.locator("#board button")).to_have_count(64)
    expect(page.locator("#status")).to_have_text("your move")
    expect(page.locator("#board button:enabled")).to_have_count(4)
    assert len(server.engines()) == 1
    page.close()
    assert wrong == []


@pytest.mark.alone
def test_a_page_that_is_a_file_has_no_engine_when_nobody_allowed_it(server, page):
    page.goto(engine_of(server))
    expect(page.locator("#status")).to_contain_text("closed")
    assert server.engines() == []
