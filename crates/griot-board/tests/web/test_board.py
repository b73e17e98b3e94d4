"""What people do with the board, done in Chromium."""

import re

import pytest
from conftest import BUILT, ROOT
from helpers import GAMES, analyse, at, begin, menu, number, paste, play_any, setting, submit
from playwright.sync_api import expect

def test_tic_tac_toe_is_played_to_a_draw_against_the_engine_with_its_own_hints(visit, shot):
    page = visit()
    setting(page, "movetime", "100")
    begin(page, "tictactoe", "first")
    for ply in range(0, 9, 2):
        at(page, ply)
        page.click("#hint")
        expect(page.locator("#board .hint")).to_be_visible()
        hinted = page.locator("#board .hint").evaluate("node => [node.cx.baseVal.value, node.cy.baseVal.value]")
        cell = page.locator(f"#board .spot.legal[transform='translate({hinted[0]:g} {hinted[1]:g})']")
        assert "you can play here" in cell.get_attribute("aria-label")
        cell.click()
    at(page, 9)
    expect(page.locator("#status")).to_have_text("A draw: the board is full.")
    expect(page.locator("#live")).to_contain_text("A draw: the board is full.")
    expect(page.locator("#moves .move")).to_have_count(9)
    expect(page.locator("#board .legal")).to_have_count(0)
    expect(page.locator("#bar .bar-text")).to_have_text("½")
    # Nine pieces, in turn.
    assert page.locator("#board .pieces .x").count() == 5 * 2 and page.locator("#board .pieces .o").count() == 4 * 2
    shot(page, "tictactoe-draw")


def test_awale_is_sown_seed_by_seed_and_the_engine_confirms_it(visit, shot):
    page = visit(reduced_motion="no-preference")
    begin(page, "awale", "people")
    # What is written is noted with the house that it stands beside, one after the other: a slow machine may write twice between two looks.
    page.evaluate("""() => { window.seen = []; new MutationObserver(records => records.forEach(({ target, addedNodes }) =>
            addedNodes.forEach(({ data }) => window.seen.push(`${target.previousSibling?.textContent} ${data}`))))
        .observe(document.querySelector('.awale .numbers'), { childList: true, subtree: true }) }""")
    page.click("#board [data-move=C]")
    at(page, 1)
    assert page.get_attribute("#board svg", "data-confirmed") == "true"
    assert [number(page, house) for house in "ABCDEFabcdef"] == ["4", "4", "0", "5", "5", "5", "5", "4", "4", "4", "4", "4"]
    # The numbers went up one house after the other, on the way round.
    seen = page.evaluate("window.seen")
    first = [seen.index(f"{house} 5") for house in "DEFa"]
    assert seen[0] == "C 0" and first == sorted(first), (first, seen)
    expect(page.locator("#live")).to_contain_text("South sows C: 4 seeds.")

    # F takes three with its last seed.
    paste(page, "awale|0-2-3-9-0-1-2-0-16-0-2-4-5-4-S|")
    at(page, 0)
    page.evaluate("""() => { window.captured = 0; const signs = document.querySelector('.awale .signs');
        new MutationObserver(() => { window.captured += signs.querySelectorAll('.captured').length }).observe(signs, { childList: true }) }""")
    page.click("#board [data-move=F]")
    at(page, 1)
    assert page.evaluate("window.captured") > 0, "the capture was shown"
    shot(page, "awale-capture")
    assert page.get_attribute("#board svg", "data-confirmed") == "true"
    assert (number(page, "F"), number(page, "a")) == ("0", "0")
    expect(page.locator(".player[data-side='0'] .points")).to_have_text("8")
    expect(page.locator("#live")).to_contain_text("Captures 3.")
    assert page.locator(".awale .seed").count() == 48


def test_a_search_is_stopped_and_its_move_is_played(visit, shot):
    page = visit()
    begin(page, "awale", "first")
    setting(page, "movetime", "30000")
    setting(page, "reveal", True)
    page.click("#board [data-move=C]")
    expect(page.locator("#status")).to_contain_text("griot thinks")
    # The thoughts are told, and drawn on the board.
    expect(page.locator("#n-depth")).to_contain_text("/")
    expect(page.locator("#pv li")).not_to_have_count(0)
    expect(page.locator("#board .ghosts .step")).not_to_have_count(0)
    assert page.locator("#board .legal").count() == 0 and page.locator("#n-nodes").inner_text() != "–"
    shot(page, "awale-thinking")
    page.click("#stop")
    at(page, 2)
    expect(page.locator("#moves .move")).to_have_count(2)
    expect(page.locator("#status")).to_contain_text("your move")
    expect(page.locator("#graph .point")).not_to_have_count(0)


def test_a_reload_keeps_the_game_and_the_search(visit):
    page = visit()
    begin(page, "othello", "first")
    setting(page, "movetime", "30000")
    setting(page, "reveal", True)
    page.click("#board [data-move=d3]")
    expect(page.locator("#status")).to_contain_text("griot thinks")
    page.reload()
    at(page, 1)
    expect(page.locator("#game-name")).to_have_text("Othello")
    expect(page.locator("#status")).to_contain_text("griot thinks")
    expect(page.locator("#pv li")).not_to_have_count(0)
    page.click("#stop")
    at(page, 2)
    played = page.locator("#moves .move").all_inner_texts()
    page.reload()
    at(page, 2)
    assert page.locator("#moves .move").all_inner_texts() == played


@pytest.mark.full
def test_a_page_that_is_kept_for_back_looks_away_and_catches_up_when_it_is_shown_again(visit):
    page = visit()
    begin(page, "connect4", "people")
    at(page, 0)
    page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))")
    other = page.context.new_page()
    other.goto(page.url)
    at(other, 0)
    other.evaluate("fetch('/api/do', { method: 'POST', headers: { 'Content-Type': 'application/json' },"
                   " body: JSON.stringify({ do: 'play', move: 'd', at: 0 }) })")
    at(other, 1)
    # What would have been told has been told: an answer comes after it.
    page.evaluate("fetch('/api/games')")
    at(page, 0)
    page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    at(page, 1)


@pytest.mark.alone
def test_a_killed_engine_is_told_of_and_the_game_goes_on(visit, server):
    page = visit()
    begin(page, "othello", "first")
    setting(page, "movetime", "100")
    page.click("#board [data-move=d3]")
    at(page, 2)
    killed = server.kill_engine()
    expect(page.locator("#toasts")).to_contain_text("It was started again, and the game goes on.")
    at(page, 2)
    page.locator("#board .legal").first.click()
    at(page, 4)
    assert len(server.engines()) == 1 and killed not in server.engines()
    # And while it thinks.
    setting(page, "movetime", "30000")
    page.locator("#board .legal").first.click()
    expect(page.locator("#status")).to_contain_text("griot thinks")
    # What was told before may be gone by now, or not: it goes, and what is told next is news.
    page.evaluate("document.getElementById('toasts').replaceChildren()")
    server.kill_engine()
    expect(page.locator("#toasts")).to_contain_text("It was started again, and the game goes on.")
    expect(page.locator("#status")).to_contain_text("griot thinks")
    page.click("#stop")
    at(page, 6)


@pytest.mark.parametrize("server", [("--visitors", "1")], indirect=True)
def test_without_a_free_engine_the_page_says_so_and_takes_the_next_free_one(visit):
    first = visit()
    page = visit()
    expect(page.locator("#status")).to_have_text(re.compile("^Every engine is busy"))
    begin(page, "tictactoe", "people")
    page.click("#board [data-move=b2]")
    at(page, 1)
    expect(page.locator("#moves .move")).to_have_count(1)
    paste(page, "1. e4 e5 *")
    at(page, 2)
    first.close()
    expect(page.locator("#status")).to_have_text("White to move: your move.")
    analyse(page)
    expect(page.locator("#lines .candidate")).not_to_have_count(0)


def test_taking_back_another_line_and_swapping_sides(visit):
    page = visit()
    begin(page, "tictactoe", "first")
    setting(page, "movetime", "100")
    page.click("#board [data-move=a1]")
    at(page, 2)
    page.locator("#board .legal").first.click()
    at(page, 4)
    page.click("#back")
    at(page, 2)
    page.click("#back")
    at(page, 0)
    expect(page.locator("#moves .move")).to_have_count(4)
    page.click("#later")
    at(page, 1)
    page.click("#later")
    at(page, 2)
    page.click("#moves .move >> nth=0")
    at(page, 1)
    page.click("#back")
    at(page, 0)
    # Another first move: what was played is a variation, in the middle of which the other one is not shown.
    page.click("#board [data-move=b2]")
    at(page, 2)
    expect(page.locator("#moves .move.main")).to_have_count(4)
    expect(page.locator("#moves .variation button")).to_have_count(2)
    page.click("#swap")
    at(page, 3)
    assert page.locator(".seat select").nth(0).input_value() == "engine"
    assert page.locator(".seat select").nth(1).input_value() == "human"


@pytest.mark.full
def test_two_engines_play_to_the_end_at_a_pace_and_can_be_held(visit):
    page = visit()
    setting(page, "movetime", "100")
    page.evaluate("() => { const pace = document.getElementById('pace'); pace.value = 3000; pace.dispatchEvent(new Event('change')) }")
    begin(page, "nim", "engines")
    expect(page.locator("#moves .move")).not_to_have_count(0)
    page.click("#pause")
    expect(page.locator("#pause")).to_have_text("Go on")
    held = page.locator("#moves .move").count()
    page.evaluate("fetch('/api/games')")
    assert page.locator("#moves .move").count() == held < 21
    page.evaluate("() => { const pace = document.getElementById('pace'); pace.value = 0; pace.dispatchEvent(new Event('change')) }")
    page.click("#pause")
    expect(page.locator("#status")).to_contain_text("the opponent took the last match")
    assert page.locator("#board .match").count() == 0


def test_positions_are_copied_and_pasted_and_wrong_ones_told_in_words(visit):
    page = visit()
    begin(page, "othello", "people")
    page.click("#board [data-move=d3]")
    at(page, 1)
    page.click("#copy")
    board, game = (page.input_value(f"#copy-{what}") for what in ("board", "game"))
    assert (board, game) == ("8/8/3x4/3xx3/3xo3/8/8/8 o", "othello|startpos|d3")
    page.keyboard.press("Escape")
    begin(page, "tictactoe", "people")
    paste(page, game)
    at(page, 1)
    expect(page.locator("#game-name")).to_have_text("Othello")
    submit(page, "othello|8/8/8/8/8/8/8/9 x|")
    expect(page.locator("#toasts")).to_contain_text("That cannot be read: game 1, line 1, column 1: ")
    submit(page, "othello|startpos|a1")
    expect(page.locator("#toasts")).to_contain_text("game 1, line 1, column 18, ply 1: 'a1' is not legal; legal are ")
    at(page, 1)
    page.locator("#board .legal").first.click()
    at(page, 2)


def test_a_player_who_must_pass_has_a_button_for_it(visit):
    page = visit()
    begin(page, "othello", "people")
    expect(page.locator("#pass")).to_be_hidden()
    paste(page, "ooooooox/oooooooo/oooxxxoo/oooxxooo/xxxxoxo1/xxxxoxo1/xxxoxxo1/oooooxxo o")
    expect(page.locator("#pass")).to_be_visible()
    page.click("#pass")
    at(page, 1)
    expect(page.locator("#live")).to_contain_text("White passes.")
    expect(page.locator("#board .legal")).not_to_have_count(0)


@pytest.mark.parametrize("server", [("--engine", BUILT / "examples/add_a_game")], indirect=True)
def test_a_game_that_the_page_has_never_heard_of_has_a_board(visit, shot):
    page = visit()
    expect(page.locator("#game-name")).to_have_text("hexapawn")
    begin(page, "hexapawn", "people")
    cell = lambda name: page.locator(f"#board .spot[aria-label^='{name},']")
    pawns = lambda side: page.locator(f"#board .pieces .letter.{side}").all_text_contents()
    assert (pawns("x"), pawns("o")) == (["P"] * 3, ["p"] * 3)
    # A pawn is chosen, another one instead of it, and then where it goes.
    assert page.locator("#board .legal").count() == 3
    cell("a1").click()
    cell("b1").click()
    assert cell("b1").get_attribute("aria-label") == "b1, P, to be moved"
    assert cell("b2").get_attribute("aria-label") == "b2, empty, you can play here"
    assert cell("a2").get_attribute("aria-disabled") == "true"
    cell("b2").click()
    at(page, 1)
    expect(page.locator("#live")).to_contain_text("P plays b1b2.")
    assert cell("b2").get_attribute("aria-label") == "b2, P, last move"
    # It is taken.
    cell("a3").click()
    cell("b2").click()
    at(page, 2)
    assert (len(pawns("x")), len(pawns("o"))) == (2, 3)
    expect(page.locator("#status")).to_contain_text("P to move: your move.")
    shot(page, "hexapawn")
    page.click("#back")
    at(page, 1)
    assert (len(pawns("x")), len(pawns("o"))) == (3, 3)
    page.click("#hint")
    expect(page.locator("#board .hint")).to_have_count(2)
    analyse(page)
    expect(page.locator("#board .ghosts .letter")).not_to_have_count(0)


@pytest.mark.parametrize("server", [("--engine", ROOT / "crates/griot-board/tests/data/text_engine.py")], indirect=True)
def test_a_game_without_a_picture_is_its_text_and_its_moves(visit, shot):
    page = visit()
    expect(page.locator("#game-name")).to_have_text("counting")
    begin(page, "counting", "people")
    expect(page.locator("#board .line")).to_have_text("0 a")
    for ply, move in enumerate(["2", "4", "5", "7"], 1):
        page.click(f"#board [data-move='{move}']")
        at(page, ply)
    expect(page.locator("#board .line")).to_have_text("7 a")
    expect(page.locator("#status")).to_contain_text("Player 1 to move")
    shot(page, "counting")
    page.click("#board [data-move='9']")
    at(page, 5)
    page.click("#board [data-move='10']")
    at(page, 6)
    expect(page.locator("#status")).to_have_text("Player 2 wins.")
    expect(page.locator("#board .legal")).to_have_count(0)


def test_the_keyboard_is_enough(visit):
    page = visit()
    page.keyboard.press("n")
    page.check("dialog input[value=tictactoe]")
    page.select_option("dialog [name=players]", "people")
    page.keyboard.press("Enter") if page.evaluate("document.activeElement.tagName") == "BUTTON" else page.press("dialog button.primary", "Enter")
    expect(page.locator("#board[data-family=tictactoe]")).to_be_visible()
    # One place of the board is in the tab order; arrows lead to the others.
    assert page.locator("#board [tabindex='0']").count() == 1
    page.locator("#board [tabindex='0']").focus()
    for key in ("ArrowRight", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    at(page, 1)
    focused = page.locator("#board :focus")
    assert focused.get_attribute("aria-label") == "b2, X, last move"
    assert focused.get_attribute("aria-disabled") == "true"
    page.keyboard.press("ArrowLeft")
    page.keyboard.press(" ")
    at(page, 2)
    page.locator("#hint").focus()
    page.keyboard.press("ArrowLeft")
    at(page, 1)
    expect(page.locator("#live")).to_contain_text("Back to move 1.")
    page.keyboard.press("ArrowRight")
    at(page, 2)
    page.keyboard.press("?")
    expect(page.locator("dialog.help")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)
    names = page.evaluate("""() => [...document.querySelectorAll('button, select, input, [role=button], [role=img]')]
        .filter(node => !(node.ariaLabel || node.textContent.trim() || node.labels?.length)).map(node => node.outerHTML)""")
    assert names == []


def test_french_and_english_dark_and_light(visit):
    page = visit(locale="fr-FR", color_scheme="dark")
    assert page.get_attribute("html", "lang") == "fr"
    expect(page.locator("#new")).to_have_text("Nouvelle partie")
    ground = "() => getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(ground)
    menu(page, "theme")
    assert page.evaluate(ground) != dark
    menu(page, "language")
    expect(page.locator("#new")).to_have_text("New game")
    page.reload()
    page.wait_for_selector("#board .legal")
    assert page.get_attribute("html", "lang") == "en" and page.evaluate(ground) != dark
    # Every word of one language is there in the other.
    missing = page.evaluate("""async () => { const { speak, t, problem } = await import('/words.js'); const said = {};
        const keys = [...document.querySelectorAll('[data-t], [data-l]')].flatMap(node => [node.dataset.t, node.dataset.l]).filter(Boolean);
        const out = []; for (const name of ['en', 'fr']) { speak(name); out.push(...keys.filter(key => t(key) === key)) } speak('en'); return out }""")
    assert missing == []


@pytest.mark.parametrize("family", GAMES)
def test_every_game_has_a_board_that_fits_a_desk_and_a_phone(visit, shot, family):
    name, board, fields = GAMES[family]
    for kind, width, height in (("desk", 1280, 860), ("phone", 390, 844)):
        page = visit(width, height, color_scheme="light")
        begin(page, family, "people", fields)
        # A move of each player by the board itself, and the position in the middle by its text.
        for ply in (1, 2):
            play_any(page, ply)
        page.click("#back")
        at(page, 1)
        paste(page, f"{name}|{board}|")
        at(page, 0)
        analyse(page)
        expect(page.locator("#board .ghosts > *")).not_to_have_count(0)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{family} is wider than {width}"
        for scheme in ("light", "dark"):
            shot(page, f"{family}-{kind}-{scheme}")
            menu(page, "theme")
        analyse(page, False)
