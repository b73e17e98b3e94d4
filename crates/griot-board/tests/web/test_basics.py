"""What people expect of an analysis board: everything in sight, the board turned, moves ahead of time, ends with their reasons."""

import re

import pytest
from helpers import analyse, at, begin, paste, played, setting, submit
from playwright.sync_api import Page, expect

SQUARE = "#board .spot[aria-label^='{},']".format
GAME = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O"


def box(page: Page, selector: str) -> dict:
    found = page.locator(selector).bounding_box()
    assert found, selector
    return found


@pytest.mark.parametrize("text, ply", [(GAME, 16), ("awale|startpos|F d E a C b", 6), ("gomoku|startpos|h8 h9 i9", 3)])
def test_board_values_lines_moves_and_graph_are_in_sight(visit, shot, text, ply):
    page = visit(1366, 768)
    paste(page, text)
    at(page, ply)
    analyse(page)
    expect(page.locator("#lines .candidate")).to_have_count(3)
    for part in ("#far", "#board svg", "#near", "#graph svg", "#n-score", "#lines", "#moves", "#typed", "#first", "#resign", "#bar", "#review-start"):
        found = box(page, part)
        assert found["y"] >= 0 and found["y"] + found["height"] <= 768 and found["x"] + found["width"] <= 1366, (part, found)
    side, board = box(page, ".side"), box(page, "#board svg")
    assert side["x"] >= board["x"] + board["width"] and box(page, "#moves")["height"] > 200
    assert box(page, "#graph")["y"] >= board["y"] + board["height"]
    shot(page, f"in-sight-{ply}")


def test_on_a_phone_board_lines_and_moves_come_before_everything_else(visit, shot):
    page = visit(390, 844)
    paste(page, GAME)
    at(page, 16)
    analyse(page)
    expect(page.locator("#lines .candidate")).to_have_count(3)
    page.evaluate("scrollTo(0, 0)")
    controls = box(page, ".controls")
    for part in ("#board svg", "#status", "#lines"):
        found = box(page, part)
        assert found["y"] >= 0 and found["y"] + found["height"] <= controls["y"], (part, found, controls)
    # The value stands at the end of the bar that belongs to the side that is better. News may draw it anew: it is measured at once.
    places = page.evaluate("""() => ['first', 'second'].flatMap((better) => [false, true].map((turned) => {
        const bar = document.getElementById('bar'), text = bar.querySelector('.bar-text'); bar.dataset.better = better;
        bar.classList.toggle('turned', turned); text.textContent = '0.1';
        const [outer, inner] = [bar, text].map((node) => node.getBoundingClientRect());
        return ((inner.left + inner.right) / 2 - outer.left) / outer.width }))""")
    assert all(place < 0.1 for place in places[:2]) and all(place > 0.9 for place in places[2:]), places
    # The first moves are seen, too.
    assert box(page, "#moves")["y"] + 40 <= controls["y"]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    shot(page, "in-sight-phone")


@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
def test_the_names_of_the_buttons_at_the_top_fit_a_phone(visit, locale):
    page = visit(390, 844, locale=locale)
    names = page.locator(".tool span").evaluate_all("""nodes => nodes.map((node) => { const range = document.createRange();
        range.selectNodeContents(node); const { left, right } = range.getBoundingClientRect(); return [node.textContent, left, right] })""")
    assert names[0][1] >= 0 and names[-1][2] <= 390, names
    for (one, _, right), (other, left, _) in zip(names, names[1:]):
        assert right < left, (one, other)


def test_the_board_is_turned_and_the_game_is_gone_through(visit):
    page = visit()
    paste(page, GAME)
    at(page, 16)
    expect(page.locator("#near")).to_contain_text("White")
    below = box(page, SQUARE("e1"))["y"]
    page.keyboard.press("f")
    expect(page.locator("#near")).to_contain_text("Black")
    expect(page.locator("#bar.turned")).to_have_count(1)
    assert box(page, SQUARE("e1"))["y"] < below and box(page, SQUARE("a1"))["x"] > box(page, SQUARE("h1"))["x"]
    # A move is made on the turned board as on the other one.
    page.keyboard.press("Home")
    at(page, 0)
    page.keyboard.press("End")
    at(page, 16)
    page.locator("#board").hover()
    page.mouse.wheel(0, -100)
    at(page, 15)
    page.mouse.wheel(0, 100)
    at(page, 16)
    page.click("#first")
    at(page, 0)
    for square in ("d2", "d4"):
        page.click(SQUARE(square))
    at(page, 1)
    page.click("#flip")
    expect(page.locator("#near")).to_contain_text("White")
    # The person's own side is at the bottom.
    begin(page, "chess", "second", level=0)
    expect(page.locator("#near")).to_contain_text("Black")


def test_moves_that_are_clicked_fast_are_all_played_in_order(visit):
    page = visit(reduced_motion="no-preference")
    begin(page, "connect4", "people")
    page.evaluate("""moves => new Promise(done => { const next = () => { const move = moves.shift(); if (!move) return done();
        document.querySelector(`#board .spot[aria-label^='column ${move}']`).dispatchEvent(new MouseEvent('click', { bubbles: true }));
        setTimeout(next, 60) }; next() })""", [*"dcdeab"])
    at(page, 6)
    assert played(page) == [*"dcdeab"]
    expect(page.locator("#toasts .toast")).to_have_count(0)


def test_a_move_of_chess_is_made_ahead_of_time(visit):
    page = visit()
    begin(page, "chess", "first", level=20)
    setting(page, "movetime", "1000")
    for square in ("e2", "e4", "d2", "d3"):
        page.locator(SQUARE(square)).click(force=True)
    expect(page.locator("#board .queued")).not_to_have_count(0)
    # griot answers, and the second move is played at once.
    expect(page.locator("#moves .move.main")).to_have_count(4)
    assert played(page)[0] == "e4" and played(page)[2] == "d3"
    expect(page.locator("#board .queued")).to_have_count(0)


def test_settings_that_are_changed_twice_quickly_keep_the_second(visit):
    page = visit()
    page.evaluate("""() => { const set = (id, value) => { const node = document.getElementById(id); node.value = value;
        node.dispatchEvent(new Event('change')) }; set('movetime', '300'); set('pace', '500'); set('movetime', '3000'); set('pace', '700') }""")
    page.wait_for_function("""async () => { const { currentGame } = await import('/records.js'); return !!currentGame }""")
    page.reload()
    page.wait_for_selector("#board .legal")
    assert (page.input_value("#movetime"), page.input_value("#pace")) == ("3000", "700")


def test_a_click_on_a_line_counts_while_lines_are_drawn_anew(visit):
    page = visit()
    begin(page, "othello", "people")
    analyse(page)
    expect(page.locator("#lines .candidate")).to_have_count(3)
    # A slow hand: pressed, drawn anew a few times, let go.
    step = page.locator("#lines .candidate >> nth=0").locator(".step").nth(1)
    step.hover()
    page.mouse.down()
    depth = page.inner_text("#n-depth")
    page.wait_for_function("depth => document.getElementById('n-depth').textContent !== depth", arg=depth)
    page.mouse.up()
    expect(page.locator("#lines [aria-pressed=true]")).to_have_count(1)
    # It goes into the tree as far as it was clicked.
    page.locator("#lines .keep").first.click()
    expect(page.locator("#moves .move")).to_have_count(2)


def test_a_dragged_path_stays_while_news_come(visit):
    page = visit()
    begin(page, "awale", "people")
    analyse(page)
    setting(page, "show-pv", False)
    house = "#board .house[aria-label^='house {} ']".format
    start, end = (box(page, house(name)) for name in "CF")
    page.mouse.move(start["x"] + 20, start["y"] + 20)
    page.mouse.down()
    page.mouse.move(end["x"] + 20, end["y"] + 20, steps=4)
    expect(page.locator("#board .ghosts .way")).to_have_count(1)
    nodes = page.inner_text("#n-nodes")
    page.wait_for_function("nodes => document.getElementById('n-nodes').textContent !== nodes", arg=nodes)
    expect(page.locator("#board .ghosts .way")).to_have_count(1)
    page.mouse.up()
    at(page, 1)


def test_arrows_and_circles_are_drawn_with_the_right_button(visit):
    page = visit()
    paste(page, GAME)
    at(page, 16)
    page.click(SQUARE("e4"), button="right", force=True)
    expect(page.locator("#board .by-hand circle")).to_have_count(1)
    page.locator(SQUARE("d2")).hover()
    page.mouse.down(button="right")
    page.locator(SQUARE("d4")).hover()
    page.mouse.up(button="right")
    expect(page.locator("#board .by-hand path")).to_have_count(1)
    page.click(SQUARE("e4"), button="right", force=True)
    expect(page.locator("#board .by-hand circle")).to_have_count(0)
    page.click(SQUARE("a3"), force=True)
    expect(page.locator("#board .by-hand")).to_have_count(0)


@pytest.mark.parametrize("text, told", [
    ("1. e4 e5 2. Qh5 Ke7 3. Qxe5#", "White wins by checkmate."),
    ("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8", "A draw: the position came for the third time."),
    ("chess|7k/8/6K1/8/8/5Q2/8/8 w - - 0 1|f3f7", "A draw by stalemate."),
    ("chess|8/8/4k3/3p4/4K3/8/8/8 w - - 0 1|e4d5", None),
])
def test_the_reason_of_an_end_is_told(visit, text, told):
    page = visit()
    submit(page, text)
    if told:
        expect(page.locator("#status")).to_have_text(told)
    else:
        # The king may not go there: the text is refused with a reason.
        expect(page.locator("#toasts")).to_contain_text("ply 1")


def test_check_is_shown_on_the_board_and_in_words(visit):
    page = visit()
    paste(page, "1. e4 f6 2. d4 g5 3. Nc3 e6 4. Be2 a6 5. Bh5+")
    at(page, 9)
    expect(page.locator("#board .check")).to_have_count(1)
    expect(page.locator("#status")).to_contain_text("Check.")
    page.keyboard.press("ArrowLeft")
    at(page, 8)
    expect(page.locator("#board .check")).to_have_count(0)


def test_a_game_is_resigned_and_a_draw_is_agreed(visit):
    page = visit()
    begin(page, "tictactoe", "people")
    page.click("#board [data-move=b2]")
    at(page, 1)
    page.click("#resign")
    expect(page.locator("#status")).to_have_text("X wins: O resigned.")
    expect(page.locator("#board .legal")).to_have_count(0)
    begin(page, "tictactoe", "people")
    page.click("#board [data-move=b2]")
    at(page, 1)
    page.click("#offer")
    expect(page.locator("#status")).to_have_text("A draw by agreement.")


def test_moves_are_typed(visit):
    page = visit()
    begin(page, "chess", "people")
    for ply, text in enumerate(("e4", "e7e5", "Ngf3"), 1):
        page.keyboard.press("m")
        page.keyboard.type(text)
        page.keyboard.press("Enter")
        at(page, ply)
        page.locator("#typed").blur()
    assert played(page) == ["e4", "e5", "Nf3"]
    page.fill("#typed", "Ke4")
    page.press("#typed", "Enter")
    expect(page.locator("#toasts")).to_contain_text("That is not a legal move: Ke4")


def test_values_are_hidden_while_one_plays_unless_they_are_asked_for(visit):
    page = visit()
    begin(page, "othello", "first", level=20)
    setting(page, "movetime", "30000")
    page.click("#board [data-move=d3]")
    expect(page.locator("#status")).to_contain_text("griot thinks")
    expect(page.locator("#lines .candidate")).to_have_count(0)
    expect(page.locator("#n-score")).to_have_text("–")
    expect(page.locator("#graph circle")).to_have_count(0)
    setting(page, "reveal", True)
    expect(page.locator("#lines .candidate")).not_to_have_count(0)
    expect(page.locator("#n-score")).not_to_have_text("–")
    page.click("#stop")
    at(page, 2)


def test_a_second_tab_shows_the_time_that_is_left(visit):
    page = visit()
    page.evaluate("""async () => (await fetch('/api/do', { method: 'POST', headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ do: 'new', game: 'tictactoe', players: [{ kind: 'human' }, { kind: 'human' }], clock: { base: 100000, increment: 0 } }) })).json()""")
    expect(page.locator("#board[data-family=tictactoe]")).to_be_visible()
    page.click("#board [data-move=b2]")
    at(page, 1)
    clock = page.locator(".clock[data-side='1']")
    expect(clock).to_have_text("1:37")
    other = page.context.new_page()
    other.goto(page.url)
    at(other, 1)
    shown = other.locator(".clock[data-side='1']").inner_text()
    assert shown in ("1:37", "1:36", "1:35"), shown
    other.reload()
    at(other, 1)
    assert other.locator(".clock[data-side='1']").inner_text() <= shown


def test_windows_contrast_themes_show_switches_and_bars(visit):
    page = visit(forced_colors="active")
    paste(page, GAME)
    at(page, 16)
    off = page.locator("#analysis").evaluate("node => getComputedStyle(node).backgroundColor + getComputedStyle(node).borderTopColor")
    analyse(page)
    on = page.locator("#analysis").evaluate("node => getComputedStyle(node).backgroundColor + getComputedStyle(node).borderTopColor")
    assert on != off
    first, second = (page.locator(f".{part}").evaluate("node => getComputedStyle(node).backgroundColor") for part in ("bar-first", "bar"))
    assert first != second, first


def test_what_was_captured_stands_beside_the_players(visit, shot):
    page = visit()
    paste(page, "1. e4 d5 2. exd5 Qxd5 3. Nc3 Qxg2 4. Bxg2")
    at(page, 7)
    expect(page.locator("#near .taken")).to_have_attribute("aria-label", "has taken: Black queen, Black pawn; 8 ahead")
    expect(page.locator("#near .taken svg")).to_have_count(2)
    expect(page.locator("#far .taken")).to_have_attribute("aria-label", "has taken: White pawn, White pawn")
    page.keyboard.press("Home")
    at(page, 0)
    expect(page.locator("#near .taken")).to_have_attribute("aria-label", "has taken nothing")


def test_a_clock_of_ones_own_is_set(visit):
    page = visit()
    page.click("#new")
    page.check("dialog input[value=tictactoe]")
    page.select_option("dialog [name=players]", "people")
    page.select_option("dialog [name=clock]", "own")
    page.fill("dialog [name=minutes]", "2.5")
    page.fill("dialog [name=seconds]", "7")
    page.click("dialog button.primary")
    expect(page.locator("#board[data-family=tictactoe]")).to_be_visible()
    expect(page.locator(".clock").first).to_have_text("2:30")


def test_pieces_have_french_letters_in_french(visit):
    page = visit(locale="fr-FR")
    paste(page, "1. Nf3 Nc6")
    at(page, 2)
    assert played(page) == ["Cf3", "Cc6"]
    page.fill("#typed", "Cc3")
    page.press("#typed", "Enter")
    at(page, 3)
    assert played(page) == ["Cf3", "Cc6", "Cc3"]
    # So has what the rules say of a game that they refuse.
    submit(page, "chess|startpos|e9")
    expect(page.locator("#toasts")).to_contain_text("Texte illisible : partie 1, ligne 1, colonne 16, coup 1 : 'e9' n’est pas légal ; sont légaux a3, ")


def test_an_analysis_ends_at_a_depth_and_shows_threats(visit):
    page = visit()
    paste(page, "chess|6k1/8/8/8/8/1r6/r7/7K w - - 0 1|")
    expect(page.locator("#board .figure")).to_have_count(4)
    expect(page.locator("#threat")).to_be_disabled()
    setting(page, "analysis-depth", "8")
    # It may be at its end before anybody looks: its lines stay.
    page.check("#analysis")
    expect(page.locator("#lines .candidate")).to_have_count(1)
    # Black would mate at once.
    page.click("#threat")
    expect(page.locator("#lines.threats .value").first).to_have_text("Black in 1")
    expect(page.locator("#lines.threats .step.o").first).to_contain_text("#")
    for square in ("h1", "g1"):
        page.click(SQUARE(square))
    at(page, 1)
    expect(page.locator("#threat")).to_have_attribute("aria-pressed", "false")
    expect(page.locator("#lines.threats")).to_have_count(0)


def test_stones_show_threats_and_a_game_without_them_says_so(visit):
    page = visit()
    # White has three in a row, and Black is to move.
    paste(page, "gomoku|startpos|a1 h8 a3 i8 a5 j8")
    at(page, 6)
    page.check("#analysis")
    page.click("#threat")
    expect(page.locator("#lines.threats .value").first).to_contain_text("White")
    expect(page.locator("#lines.threats .step.o").first).to_contain_text(re.compile("^[gk]8$"))
    paste(page, "connect4|startpos|d")
    page.check("#analysis")
    page.click("#threat")
    expect(page.locator("#toasts")).to_contain_text("The other side cannot be to move here.")
    expect(page.locator("#threat")).to_have_attribute("aria-pressed", "false")


def test_the_page_can_be_installed(visit):
    page = visit()
    manifest = page.evaluate("fetch(document.querySelector('link[rel=manifest]').href).then(answer => answer.json())")
    assert manifest["display"] == "standalone" and manifest["icons"][0]["src"] == "/icon.svg"
    # The browser itself reads it without an error.
    found = page.context.new_cdp_session(page).send("Page.getAppManifest")
    assert found["errors"] == [] and found["url"].endswith("/manifest.webmanifest")
