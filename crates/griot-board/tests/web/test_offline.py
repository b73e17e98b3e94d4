"""The page without its server. That what the browser keeps is never older than the server, tests/unit/worker.test.js shows."""

import re

import pytest
from conftest import running
from playwright.sync_api import expect
from test_access import check

# The paths of the files that the browser keeps, when it keeps any.
KEPT = """async () => { for (const name of await caches.keys()) { const keys = await (await caches.open(name)).keys();
    if (keys.length) return [name, keys.length] } return null }"""


@pytest.mark.alone
def test_the_page_is_there_without_the_server_and_says_so(browser):
    context = browser.new_context(locale="en-GB", reduced_motion="reduce")
    page = context.new_page()
    with running() as server:
        page.goto(server.url)
        page.wait_for_selector("#board .legal")
        page.wait_for_function("navigator.serviceWorker.ready.then(() => true)")
        name, count = page.evaluate(KEPT)
        assert re.fullmatch("griot-[0-9a-f]{16}", name) and count > 40
    page.reload()
    expect(page.locator("#status")).to_contain_text("The server is away: this is the page that the browser has kept.")
    expect(page.locator("h1")).to_have_text("griot")
    check(page, "without the server")
    context.close()
