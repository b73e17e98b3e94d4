"""Makes the pictures of the page anew: `python crates/griot-board/tests/web/screenshots.py [NAME ...]`, with the programs that `cargo build` has built.

They are written to crates/griot-board/screenshots, or to the folder that `--out` names. What the engine finds depends on the machine:
look at each picture before it is kept.
"""

import argparse
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from conftest import ROOT, Server, chromium
from helpers import analyse, at, begin, paste, setting
from PIL import Image
from playwright.sync_api import Page, expect, sync_playwright

OUT = ROOT / "crates/griot-board/screenshots"
# The largest file, in bytes.
MOST = 150_000
DESKTOP, PHONE = (1366, 768), (390, 844)

OPERA = (
    '[White "Morphy"]\n[Black "Duke of Brunswick, Count Isouard"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 '
    "6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 "
    "16. Qb8+ Nxb8 17. Rd8# 1-0"
)
AWALE = "awale|startpos|F d C f B a E e F c A b D f"
GOMOKU = "gomoku|startpos|h8 i9 g8 i8 i10 h9 g9 g7 j9 f8 h10 g10"
CONNECT4 = "connect4|startpos|d d d d e c e f"
DRAUGHTS = "draughts:international|W:W26,27,28,32,33,36,37,38,42,43,47,48,K5:B2,3,8,9,12,13,16,17,18,19,23,24,K46|"
OTHELLO = "othello|startpos|f5 d6 c5 f4 e3 c6 d3 f6 e6 d7 g3 c4"


def review(page: Page):
    page.click("#review-start")
    expect(page.locator("#review progress")).to_have_count(1)
    expect(page.locator("#review progress")).to_have_count(0, timeout=300_000)
    expect(page.locator(".accuracy")).to_be_visible()


def think(page: Page, depth: int, lines: int = 3):
    """Has the engine show its lines from so many plies on."""
    page.select_option("#line-count", f"{lines}")
    analyse(page)
    page.wait_for_function("""([depth, lines]) => parseInt(document.getElementById('n-depth').textContent) >= depth
        && document.querySelectorAll('#lines > li').length >= lines""", arg=[depth, lines])


def awale(page: Page):
    paste(page, AWALE)
    at(page, 14)
    review(page)
    think(page, 12)


def chess(page: Page):
    paste(page, OPERA)
    at(page, 33)
    review(page)
    page.click("#moves .move.main >> text=/^Nxb5/")
    at(page, 19)
    think(page, 7)


def chess_phone(page: Page):
    paste(page, OPERA)
    at(page, 33)
    page.click("#earlier")
    page.click("#earlier")
    page.click("#earlier")
    at(page, 30)
    think(page, 1, 2)


def play(page: Page):
    begin(page, "gomoku", "first", level=3)
    setting(page, "movetime", "100")
    for ply, move in enumerate(("h8", "i9", "g7"), 1):
        place = page.locator(f"#board [data-move={move}]")
        if not place.count():
            place = page.locator("#board .legal").nth(100)
        place.click()
        at(page, 2 * ply)


def gomoku(page: Page):
    paste(page, GOMOKU)
    at(page, 12)
    think(page, 6)


def connect4_phone(page: Page):
    paste(page, CONNECT4)
    at(page, 8)
    think(page, 1, 1)


def draughts(page: Page):
    paste(page, DRAUGHTS)
    at(page, 0)
    think(page, 9)


def othello(page: Page):
    paste(page, OTHELLO)
    at(page, 12)
    setting(page, "show-values", True)
    think(page, 7)


def puzzles(page: Page):
    begin(page, "tictactoe", "people")
    page.click("#puzzles")
    page.click("dialog button >> text=Connect Four")
    expect(page.locator("#puzzle")).to_be_visible()
    expect(page.locator("#board[data-family=connect4]")).to_be_visible()


# What is shown, the size of the window, and its colours.
SCENES = {
    "awale": (awale, DESKTOP, "light"),
    "chess": (chess, DESKTOP, "light"),
    "chess-phone": (chess_phone, PHONE, "dark"),
    "gomoku": (gomoku, DESKTOP, "dark"),
    "play": (play, PHONE, "dark"),
    "connect4-phone": (connect4_phone, PHONE, "light"),
    "draughts": (draughts, DESKTOP, "light"),
    "draughts-phone": (draughts, PHONE, "dark"),
    "othello": (othello, DESKTOP, "dark"),
    "puzzles": (puzzles, DESKTOP, "light"),
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", choices=[*SCENES, []], metavar="NAME", help=f"of these: {', '.join(SCENES)}")
    parser.add_argument("--out", type=Path, default=OUT)
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    server = Server()
    too_large = []
    try:
        with sync_playwright() as playwright:
            # Chromium's sandbox does not work for root, as whom it runs in a container.
            arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
            browser = playwright.chromium.launch(executable_path=chromium(), args=arguments)
            for name in asked.names or SCENES:
                show, (width, height), scheme = SCENES[name]
                context = browser.new_context(
                    viewport={"width": width, "height": height}, color_scheme=scheme, locale="en-GB", reduced_motion="reduce"
                )
                context.set_default_timeout(120_000)
                page = context.new_page()
                page.goto(server.url)
                page.wait_for_selector("#board .legal")
                show(page)
                page.evaluate("document.getElementById('toasts').replaceChildren(); document.activeElement.blur(); scrollTo(0, 0)")
                page.mouse.move(0, 0)
                file = asked.out / f"{name}.png"
                page.screenshot(path=file)
                context.close()
                # As many colours as a small file has.
                Image.open(file).convert("RGB").quantize(256, kmeans=2).save(file, optimize=True)
                size = file.stat().st_size
                print(f"{file} {size}")
                too_large += [name] * (size > MOST)
            browser.close()
    finally:
        server.process.terminate()
        server.process.wait(20)
    if too_large:
        print(f"larger than {MOST} bytes: {', '.join(too_large)}", file=sys.stderr)
    return 1 if too_large else 0


if __name__ == "__main__":
    sys.exit(main())
