"""Makes the pictures of the page anew: `python crates/griot-board/tests/web/screenshots.py [NAME ...]`, with the programs that `cargo build` has built.

They are written to crates/griot-board/screenshots, or to the folder that `--out` names. What the engine finds depends on the machine:
look at each picture before it is kept.

A sheet (`sheet-chess` and others) shows a game in play, in an analysis and in a review, on a desk and on a phone, light and dark, at
less than half size. `--whole FOLDER` writes what it consists of at full size, too. axe-core looks at each, and ends the command where it finds
something serious.
"""

import argparse
import io
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from conftest import ROOT, Server, chromium
from helpers import analyse, at, begin, paste, setting
from PIL import Image
from playwright.sync_api import Page, expect, sync_playwright
from test_access import check

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
    expect(page.locator(".accuracy")).to_be_visible(timeout=900_000)
    expect(page.locator("#review progress")).to_have_count(0, timeout=900_000)


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
    think(page, 4)


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


# The games of the sheets: the game as pasted, its plies, and the moves of a person who begins a game against griot.
SHEETS = {
    "sheet-awale": (AWALE, 14, "awale", ["C", "E"]),
    "sheet-chess": (OPERA, 33, "chess", ["e2 e4", "g1 f3"]),
    "sheet-draughts": (
        "draughts:international|startpos|32-28 19-23 28x19 14x23 37-32 10-14 41-37 14-19", 8, "draughts", ["32 28", "33 29"]
    ),
    "sheet-gomoku": (GOMOKU, 12, "gomoku", ["h8", "i9"]),
    "sheet-othello": (OTHELLO, 12, "othello", ["d3", "c5"]),
}
SCALE = 0.45


def against_griot(page: Page, family: str, moves: list[str]):
    """Some moves of a game against a level, or others where they are not possible."""
    begin(page, family, "first", level=3)
    setting(page, "movetime", "100")
    for ply, move in enumerate(moves):
        at(page, 2 * ply)
        cells = [page.locator(f"#board [data-move='{cell}'], #board .legal[aria-label^='{cell},']") for cell in move.split()]
        if cells[0].count():
            for cell in cells:
                cell.click()
        else:
            page.locator("#board .legal").first.click()
    at(page, 2 * len(moves))


def sheet(page: Page, name: str, whole: Path | None) -> Image.Image:
    """Every scene of a game at every size and in both schemes, on one picture."""
    text, plies, family, moves = SHEETS[name]

    def reviewed():
        analyse(page, False)
        page.select_option("#review select", "movetime:500")
        review(page)

    def analysed():
        paste(page, text)
        at(page, plies)
        page.click(f"#moves .move.main >> nth={plies // 2}")
        at(page, plies // 2 + 1)
        think(page, 4)

    scenes = {"play": lambda: against_griot(page, family, moves), "analysis": analysed, "review": reviewed}
    columns = [(size, scheme) for size in (DESKTOP, PHONE) for scheme in ("light", "dark")]
    high = round(SCALE * max(size[1] for size, _ in columns))
    picture = Image.new("RGB", (round(SCALE * sum(size[0] for size, _ in columns)), high * len(scenes)), "white")
    for row, (scene, show) in enumerate(scenes.items()):
        page.set_viewport_size({"width": DESKTOP[0], "height": DESKTOP[1]})
        show()
        left = 0
        for size, scheme in columns:
            page.set_viewport_size({"width": size[0], "height": size[1]})
            page.emulate_media(color_scheme=scheme)
            expect(page.locator("#board svg.tall" if family == "awale" and size == PHONE else "#board svg")).to_be_visible()
            check(page, f"{name} {scene} {size} {scheme}")
            tidy(page)
            data = page.screenshot()
            if whole:
                (whole / f"{family}-{scene}-{size[0]}-{scheme}.png").write_bytes(data)
            one = Image.open(io.BytesIO(data)).convert("RGB")
            one = one.resize((round(SCALE * size[0]), round(SCALE * size[1])), Image.Resampling.LANCZOS)
            picture.paste(one, (left, row * high))
            left += one.width
    return picture


def tidy(page: Page):
    page.evaluate("document.getElementById('toasts').replaceChildren(); document.activeElement.blur(); scrollTo(0, 0)")
    page.mouse.move(0, 0)


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
    names = [*SCENES, *SHEETS]
    parser.add_argument("names", nargs="*", choices=[*names, []], metavar="NAME", help=f"of these: {', '.join(names)}")
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--whole", type=Path)
    asked = parser.parse_args()
    for folder in filter(None, (asked.out, asked.whole)):
        folder.mkdir(parents=True, exist_ok=True)
    server = Server()
    too_large = []
    try:
        with sync_playwright() as playwright:
            # Chromium's sandbox does not work for root, as whom it runs in a container.
            arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
            browser = playwright.chromium.launch(executable_path=chromium(), args=arguments)
            for name in asked.names or names:
                show, (width, height), scheme = SCENES.get(name, (None, DESKTOP, "light"))
                context = browser.new_context(
                    viewport={"width": width, "height": height}, color_scheme=scheme, locale="en-GB", reduced_motion="reduce"
                )
                context.set_default_timeout(120_000)
                page = context.new_page()
                page.goto(server.url)
                page.wait_for_selector("#board .legal")
                if show:
                    show(page)
                    tidy(page)
                    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
                else:
                    picture = sheet(page, name, asked.whole)
                context.close()
                if show:
                    # As many colours as a small file has.
                    file = asked.out / f"{name}.png"
                    picture.quantize(256, kmeans=2).save(file, optimize=True)
                else:
                    file = asked.out / f"{name}.webp"
                    picture.save(file, quality=72, method=6)
                size = file.stat().st_size
                print(f"{file} {size}", flush=True)
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
