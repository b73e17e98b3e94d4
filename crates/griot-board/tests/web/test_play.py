"""A game from the first minute to the last: what is told and when, clocks, ends, fingers, positions set up by hand, pictures."""

import pytest
from helpers import GAMES, analyse, at, begin, paste, setting
from playwright.sync_api import Page, expect

PEOPLE = [{"kind": "human"}, {"kind": "human"}]


def do(page: Page, what: str, **more):
    """A command to the server, faster than fingers are."""
    told = page.evaluate("""async command => (await fetch('/api/do', { method: 'POST', headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(command) })).json()""", {"do": what, **more})
    assert told == {}, told


def test_what_is_told_waits_for_the_seeds_and_a_new_game_does_not(visit):
    page = visit(reduced_motion="no-preference")
    begin(page, "awale", "people")
    paste(page, "awale|24-1-1-1-1-1-1-1-1-1-1-1-6-7-S|")
    at(page, 0)
    # The seeds are sown by a clock. It stands, so that they are on their way for as long as it takes to look.
    page.evaluate("() => { window.timer = setTimeout; window.held = []; window.setTimeout = act => window.held.push(act) }")
    page.click("#board [data-move=A]")
    expect(page.locator("#board[data-moving]")).to_be_visible()
    # The server has said all of it; the seeds are still on their way.
    assert "North" not in page.locator("#status").inner_text()
    assert page.locator("#moves .move").count() == 0
    do(page, "new", game="nim", players=PEOPLE)
    expect(page.locator("#board[data-family=nim]")).to_be_visible()
    assert page.locator("#board svg.awale").count() == 0 and page.locator("#board[data-moving]").count() == 0
    # They go on beside the new game, of which they change nothing.
    page.evaluate("() => { window.setTimeout = window.timer; window.held.forEach(act => act()) }")
    at(page, 0)
    expect(page.locator("#status")).to_contain_text("Player 1 to move")
    page.locator("#board .legal").first.click()
    at(page, 1)
    expect(page.locator("#moves .move")).to_have_count(1)


def test_a_click_that_is_no_move_says_why(visit):
    page = visit()
    begin(page, "awale", "people")
    why = page.locator("#why")
    page.click("#board .house[aria-label^='house c of North']", force=True)
    expect(why).to_have_text("House c belongs to North; South is to move.")
    page.click("#board [data-move=C]")
    at(page, 1)
    expect(why).to_have_text("")
    page.keyboard.press("ArrowLeft")
    at(page, 0)
    begin(page, "tictactoe", "people")
    page.click("#board [data-move=b2]")
    at(page, 1)
    page.click("#board .spot[aria-label^='b2']", force=True)
    expect(why).to_have_text("b2 is taken.")
    begin(page, "othello", "first")
    setting(page, "movetime", "30000")
    page.click("#board [data-move=d3]")
    at(page, 1)
    # While the engine thinks a click waits for its position.
    page.locator("#board .spot").first.click(force=True)
    expect(page.locator("#board .queued")).to_have_count(1)
    expect(why).to_have_text("")
    page.keyboard.press("Escape")
    expect(page.locator("#board .queued")).to_have_count(0)
    page.click("#stop")


@pytest.mark.full
@pytest.mark.parametrize("text, told", [
    ("tictactoe|startpos|a1 a2 b1 b2 c1", "X wins: 3 in a row."),
    ("awale|0-0-0-0-0-1-1-1-0-0-0-0-23-22-S|F", "South wins 25 to 22. That is more than half of the 48 seeds."),
    ("othello|xooooooo/8/8/3oo3/3oo3/8/8/8 x|", "White wins 11 to 1."),
    ("nim:2,take=any,normal|startpos|a2", "Player 1 wins: the last match was taken, which wins."),
])
def test_a_result_is_told_in_full(visit, text, told):
    page = visit()
    paste(page, text)
    expect(page.locator("#status")).to_have_text(told)


@pytest.mark.full
def test_certain_scores_are_words(visit):
    page = visit()
    paste(page, "tictactoe|startpos|a1 a2 b1 b2")
    analyse(page)
    expect(page.locator("#n-score")).to_have_text("X in 1")
    expect(page.locator("#bar .bar-text")).to_have_text("in 1")
    for text in page.locator("#lines .value").all_inner_texts():
        assert "#" not in text and "1000" not in text


def test_time_runs_out_and_the_game_is_lost(visit):
    page = visit()
    do(page, "new", game="tictactoe", players=PEOPLE, clock={"base": 2000, "increment": 0})
    expect(page.locator("#board[data-family=tictactoe]")).to_be_visible()
    expect(page.locator(".clock").first).to_have_text("0:02.0")
    # Two seconds are over before a slow machine looks again: the page itself notes which clock has run.
    page.evaluate("""() => { window.ran = new Set(); new MutationObserver(() => document.querySelectorAll('.clock.runs:not([hidden])')
        .forEach(clock => window.ran.add(clock.dataset.side))).observe(document.body, { attributes: true, subtree: true }) }""")
    page.click("#board [data-move=b2]")
    at(page, 1)
    expect(page.locator("#status")).to_have_text("X wins: the time of O is up.")
    assert page.evaluate("[...window.ran]") == ["1"]
    expect(page.locator("#board .legal")).to_have_count(0)
    # The clocks are those of a game: the next one has its own, or none.
    page.click("#rematch")
    expect(page.locator(".clock").first).to_have_text("0:02.0")
    begin(page, "tictactoe", "people")
    expect(page.locator(".clock").first).to_be_hidden()


def test_a_rematch_swaps_the_sides(visit):
    page = visit()
    setting(page, "movetime", "100")
    begin(page, "nim", "first")
    expect(page.locator("#rematch")).to_be_hidden()
    page.click("#resign")
    expect(page.locator("#status")).to_have_text("Player 2 wins: Player 1 resigned.")
    page.click("#rematch")
    expect(page.locator("#moves .move")).to_have_count(1)
    assert page.locator(".seat select").nth(0).input_value() == "engine"


@pytest.mark.full
@pytest.mark.parametrize("family", GAMES)
def test_a_board_fits_a_phone_on_its_side(visit, shot, family):
    page = visit(844, 390)
    name, board, _ = GAMES[family]
    paste(page, f"{name}|{board}|")
    expect(page.locator(f"#board[data-family={family}]")).to_be_visible()
    page.evaluate("scrollTo(0, 0)")
    box = page.locator("#board svg").bounding_box()
    assert box["y"] + box["height"] <= 390 and box["x"] + box["width"] <= 844, box
    assert box["height"] > 150 and page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    shot(page, f"{family}-side")


def test_a_finger_aims_before_it_plays_where_points_are_small(visit, shot):
    page = visit(390, 844, has_touch=True)
    begin(page, "gomoku", "people")
    point = lambda name: page.locator(f"#board .spot[aria-label^='{name},']")
    assert point("h8").bounding_box()["width"] < 30
    point("h8").tap()
    expect(page.locator("#why")).to_have_text("h8: touch again to play there.")
    expect(page.locator("#board .aim")).to_be_visible()
    shot(page, "aim")
    point("g8").tap()
    expect(page.locator("#why")).to_have_text("g8: touch again to play there.")
    at(page, 0)
    point("g8").tap()
    at(page, 1)
    # Large cells need no second touch.
    begin(page, "tictactoe", "people")
    page.locator("#board [data-move=b2]").tap()
    at(page, 1)


def test_a_position_is_set_up_by_hand(visit, shot):
    page = visit()
    begin(page, "tictactoe", "people")
    page.click("#edit")
    page.click("dialog .cell[aria-label$=' b2']")
    page.check("dialog input[value=o]")
    page.click("dialog .cell[aria-label$=' a1']")
    shot(page, "editor")
    assert page.input_value("dialog input[name=board]") == "3/1x1/o2 x"
    page.click("dialog button.primary")
    expect(page.locator("#board .pieces .piece")).to_have_count(2)
    begin(page, "awale", "people")
    page.click("#edit")
    house = lambda name: page.locator("dialog .counts label", has_text=name).locator("input")
    page.locator("dialog .counts input").nth(0).fill("3")
    page.locator("dialog .counts input").nth(13).fill("1")
    page.locator("dialog select").select_option("N")
    page.click("dialog button.primary")
    expect(page.locator("#status")).to_contain_text("North to move")
    expect(page.locator(".player[data-side='1'] .points")).to_have_text("1")
    # The engine refuses a text that is not a position of the game.
    page.click("#edit")
    page.locator("dialog .counts input").nth(0).fill("30")
    page.click("dialog button.primary")
    # What was entered stays, and is mended there.
    expect(page.locator("dialog [role=alert]")).to_contain_text("The engine says: ")
    assert page.locator("dialog .counts input").nth(0).input_value() == "30"
    page.locator("dialog .counts input").nth(0).fill("3")
    expect(page.locator("dialog [role=alert]")).to_be_hidden()
    page.click("dialog button.primary")
    expect(page.locator("dialog")).to_have_count(0)


def test_a_picture_is_given_away(visit, tmp_path):
    page = visit()
    paste(page, "connect4|startpos|d d c")
    at(page, 3)
    page.click("#share")
    for kind, start in (("svg", b"<svg"), ("png", b"\x89PNG")):
        with page.expect_download() as saved:
            page.click(f"#share-{kind}")
        saved.value.save_as(tmp_path / f"board.{kind}")
        content = (tmp_path / f"board.{kind}").read_bytes()
        assert content.startswith(start) and saved.value.suggested_filename == f"connect-four.{kind}"
    # The picture of points shows the red stone on d1 in its colour.
    colour = page.evaluate("""async () => { const { standalone, png } = await import('/share.js'); const svg = document.querySelector('#board svg');
        const { width, height } = svg.viewBox.baseVal; const image = await createImageBitmap(await png(standalone(svg), width, height));
        const canvas = new OffscreenCanvas(image.width, image.height); const context = canvas.getContext('2d'); context.drawImage(image, 0, 0);
        const stone = document.querySelector('#board .pieces > g').getAttribute('transform').match(/[\\d.]+/g).map(Number);
        return [...context.getImageData(2 * stone[0], 2 * stone[1] + 50, 1, 1).data] }""")
    assert colour[0] > 120 and colour[0] > 2 * colour[2] and colour[3] == 255, colour


def test_the_menu_has_a_picture_and_rules_for_each_game_and_sounds_are_off(visit):
    page = visit()
    assert not page.is_checked("#sounds")
    page.click("#new")
    for family in GAMES:
        page.check(f"dialog input[value={family}]")
        # What is drawn is a position, not the plain board of an unknown game.
        assert page.locator(f"dialog .game.{family} svg.thumb > :not(.field):not(.pale)").count() > 0
        expect(page.locator("dialog .rules")).not_to_be_empty()


def test_of_several_moves_that_go_the_same_way_one_is_asked_for(visit):
    page = visit()
    begin(page, "tictactoe", "people")
    # A game with promotions, as its engine would picture it.
    page.evaluate("""async () => { const [{ GridBoard }, { several }] = await Promise.all([import('/grid.js'), import('/dialogs.js')]);
        const cells = Array(4).fill(null); cells[0] = { owner: 'first', mark: 'P' };
        const moves = ['q', 'r'].map(to => ({ move: `a1a2${to}`, from: [0, 0], to: [0, 1] }));
        const picture = { turn: 'first', players: { marks: ['P', 'p'] }, board: { kind: 'grid', columns: ['a', 'b'], rows: ['1', '2'],
            from_top: false, falls: false, cells }, counts: null, moves, last: null };
        const spec = { cols: 2, rows: 2, surface: 'tiles', pieces: 'marks', sides: ['P', 'p'], set: [{ side: 'x', mark: 'P' }] };
        window.chosen = []; const board = new GridBoard(spec, picture, move => window.chosen.push(move), { refuse() {}, aimed() {}, several });
        board.show(picture); board.offer(true); document.getElementById('board').replaceChildren(board.svg) }""")
    page.locator("#board .spot[aria-label^='a1,']").click()
    page.locator("#board .spot[aria-label^='a2,']").click()
    page.click("dialog.several button >> text=a1a2r")
    expect(page.locator("dialog")).to_have_count(0)
    assert page.evaluate("window.chosen") == ["a1a2r"]
