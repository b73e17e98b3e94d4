"""The page in a real browser: the server, Chromium without a window, and a page that may not misbehave.

The programs are those that `cargo test` has built; GRIOT_PROFILE=release takes the others. Screenshots are written to
`screenshots` in cargo's target directory.

Every other test runs, the others on the next day, and of a test with several cases (sizes of the window, games, languages) one case:
`.ci/run` sets GRIOT_SEED to the date, and a failure prints it. The full run (CI_FULL=1) runs every test and case, also those that are
marked `full`; so does a file or a test that is named on the command line.
"""

import os
import re
import shutil
import signal
import subprocess
import zlib
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).parents[4]
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
BUILT = TARGET / os.environ.get("GRIOT_PROFILE", "debug")
SHOTS = TARGET / "screenshots"
# Far beyond what anything takes: a test that waits so long has hung.
PATIENCE = 60_000
FULL = os.environ.get("CI_FULL") == "1"
SEED = int(os.environ.get("GRIOT_SEED", "1"))


def pytest_configure(config):
    config.addinivalue_line("markers", "alone: has a server of its own")
    config.addinivalue_line("markers", "full: runs in the full run alone (CI_FULL=1)")


def pytest_terminal_summary(terminalreporter):
    if not FULL and terminalreporter.stats.get("failed"):
        terminalreporter.write_line(f"GRIOT_SEED={SEED} repeats this sample")


def pytest_collection_modifyitems(config, items):
    """Leaves to the full run what the gate has no time for; a test that is named on the command line runs."""
    if FULL or any("::" in argument or argument.endswith(".py") for argument in config.args):
        return
    cases = {}
    for item in items:
        cases.setdefault(item.nodeid.split("[")[0], []).append(item)
    chosen = {found[zlib.crc32(f"{SEED} {name}".encode()) % len(found)] for name, found in cases.items()}
    # Names stand in their order, so that the two halves take about the same time.
    half = set(sorted(cases)[SEED % 2 :: 2])

    def runs(item) -> bool:
        return item in chosen and item.nodeid.split("[")[0] in half and not item.get_closest_marker("full")

    config.hook.pytest_deselected(items=[item for item in items if not runs(item)])
    items[:] = filter(runs, items)


class Server:
    """A running server of the board."""

    def __init__(self, *arguments: str):
        engine = () if "--engine" in arguments else ("--engine", BUILT / "griot")
        command = [BUILT / "griot-board", "--listen", "127.0.0.1:0", *engine, *arguments]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        self.url = re.search(r"http://\S+/", line)[0]

    def engines(self) -> list[int]:
        """The processes of its engines."""
        found = []
        for status in Path("/proc").glob("[0-9]*/status"):
            try:
                text = status.read_text()
            except OSError:
                continue
            fields = dict(re.findall(r"^(\w+):\s*(.*)$", text, re.M))
            if fields.get("PPid") == str(self.process.pid) and not fields["State"].startswith("Z"):
                found.append(int(fields["Pid"]))
        return found

    def kill_engine(self) -> int:
        (engine,) = self.engines()
        os.kill(engine, signal.SIGKILL)
        return engine


def chromium() -> str | None:
    """The browser. The shell draws pages and no windows around them, which takes half the time."""
    return shutil.which("chromium-headless-shell") or shutil.which("chromium")


@contextmanager
def running(*arguments: str):
    server = Server(*arguments)
    yield server
    server.process.terminate()
    assert server.process.wait(20) == 0
    server.process.stdout.close()


@pytest.fixture(scope="session")
def shared():
    """A server for all tests that need none of their own: each test is another visitor."""
    with running() as server:
        yield server


@pytest.fixture
def server(request):
    """The shared server; one of its own for a test that gives it arguments, or is marked `alone`."""
    if not hasattr(request, "param") and not request.node.get_closest_marker("alone"):
        yield request.getfixturevalue("shared")
        return
    with running(*getattr(request, "param", ())) as server:
        yield server


@pytest.fixture(scope="session")
def browser():
    program = chromium()
    assert program, "these tests need Debian's chromium-headless-shell, or its chromium"
    # Chromium's sandbox does not work for root, as whom it runs in a container. A graphics processor that is only imitated takes a
    # tenth of the time.
    arguments = ["--disable-gpu"] + (["--no-sandbox"] if os.geteuid() == 0 else [])
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=program, args=arguments)
        yield running
        running.close()


@pytest.fixture
def visit(server, browser):
    """Opens pages; in the end none of them has failed, or has asked for anything elsewhere."""
    contexts, wrong = [], []

    def heard(message):
        # A command that the server refuses is told to people; the browser notes it as well.
        if message.type == "error" and "status of 4" not in message.text:
            wrong.append(message.text)

    def asked(request):
        if not request.url.removeprefix("blob:").startswith(server.url):
            wrong.append(f"asked for {request.url}")

    def open_page(width=1280, height=860, **options) -> Page:
        # The service worker would load every file once more.
        options = {"reduced_motion": "reduce", "locale": "en-GB", "service_workers": "block", **options}
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = context.new_page()
        page.on("console", heard)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("request", asked)
        # The games to choose from may come after the board.
        with page.expect_response("**/api/games") as menu:
            page.goto(server.url)
        menu.value.finished()
        page.wait_for_selector("#board .legal")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert wrong == []


@pytest.fixture(scope="session")
def shot():
    SHOTS.mkdir(parents=True, exist_ok=True)

    def write(page: Page, name: str):
        page.evaluate("scrollTo(0, 0)")
        page.screenshot(path=SHOTS / f"{name}.png")

    return write
