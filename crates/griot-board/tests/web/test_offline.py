"""The page without its server. tests/unit/worker.test.js shows that what the browser keeps is never older than the server."""

import re
from contextlib import contextmanager

import pytest
from conftest import PATIENCE, running
from helpers import at, paste, played
from playwright.sync_api import expect
from test_access import check


@contextmanager
def with_server(browser):
    """A page whose service worker is ready; at the end the server goes, and the page stays."""
    context = browser.new_context(locale="en-GB", reduced_motion="reduce")
    # The worker loads all files of the page before it is ready, which takes a slow machine longer than Playwright waits by itself.
    context.set_default_timeout(PATIENCE)
    context.set_default_navigation_timeout(PATIENCE)
    page = context.new_page()
    with running() as server:
        page.goto(server.url)
        page.wait_for_selector("#board .legal")
        page.wait_for_function("() => navigator.serviceWorker.ready.then(() => true)")
        yield page


# The paths of the files that the browser keeps, when it keeps any.
KEPT = """async () => { for (const name of await caches.keys()) { const keys = await (await caches.open(name)).keys();
    if (keys.length) return [name, keys.length] } return null }"""


@pytest.mark.alone
def test_the_page_is_there_without_the_server_and_says_so(browser):
    with with_server(browser) as page:
        name, count = page.evaluate(KEPT)
        assert re.fullmatch("griot-[0-9a-f]{16}", name) and count > 40
    page.reload()
    expect(page.locator("#status")).to_contain_text("The server is away: this is the page that the browser has kept.")
    expect(page.locator("h1")).to_have_text("griot")
    check(page, "without the server")
    page.context.close()


# Whether so many games are kept, and what shows each of them without the server. Of those the browser then forgets one.
SHOWN = """count => import('/library.js').then(async ({ Library }) => { const library = new Library(); await library.open();
    return library.entries.length === count && !(await library.unseen(count)).length })"""
FORGET = """plies => import('/library.js').then(async ({ Library }) => { const library = new Library(); const base = await library.open();
    const change = base.transaction('views', 'readwrite');
    change.objectStore('views').delete(library.entries.find(one => one.plies === plies).id);
    return new Promise(done => { change.oncomplete = () => done(true) }) })"""


@pytest.mark.alone
@pytest.mark.full
def test_own_games_are_looked_at_without_the_server(browser):
    with with_server(browser) as page:
        # Two games are kept; one of them is on the board.
        paste(page, "1. e4 {best} e5 2. Nf3 *\n\n1. d4 d5 *")
        at(page, 3)
        page.wait_for_function(SHOWN, arg=2)
    page.reload()
    expect(page.locator("#status")).to_contain_text("“My games” can be looked at")
    page.click("#library")
    page.locator(".library .open", has_text="3 moves").click()
    at(page, 3)
    expect(page.locator("#status")).to_have_text("The server is away: a kept game, to look at.")
    assert played(page) == ["e4", "e5", "Nf3"]
    expect(page.locator("#moves")).to_contain_text("best")
    expect(page.locator("#board .figure")).to_have_count(32)
    page.click("#first")
    at(page, 0)
    page.keyboard.press("ArrowRight")
    at(page, 1)
    expect(page.locator("#board .spot[aria-label^='e4,']")).to_have_attribute("aria-label", "e4, White pawn, last move")
    check(page, "a game without the server")
    # What takes the server says so.
    page.click("#hint")
    expect(page.locator("#toasts")).to_contain_text("This takes the server, which is away.")
    # The other game was never on the board.
    page.click("#library")
    page.locator(".library .open", has_text="2 moves").click()
    at(page, 2)
    assert played(page) == ["d4", "d5"]
    # A game of which nothing is kept but its moves is not shown.
    page.evaluate(FORGET, 3)
    page.click("#library")
    page.locator(".library .open", has_text="3 moves").click()
    expect(page.locator("#toasts")).to_contain_text("Without the server the newest games can be shown, and those that were on the board here")
    at(page, 2)
    page.context.close()
