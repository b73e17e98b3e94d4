"""Games as text: what is pasted, dropped and linked is read by the server, and nothing of it is lost on the way out."""

import json
import re

import pytest
from helpers import at, begin, paste, submit
from playwright.sync_api import Page, expect
from test_access import check

PGN = (
    '[Event "Casual"]\n[Date "2024.01.05"]\n[White "Ann"]\n[Black "Bob"]\n[Result "0-1"]\n[WhiteElo "2000"]\n\n'
    "1. e4 {[%clk 0:10:00] best by test} e5 $1 (1... c5 {sharp} 2. Nf3) 2. Nf3 Nc6 0-1\n"
)


def drop(page: Page, name: str, content: bytes):
    """Drops a file on the page."""
    page.evaluate("""([name, bytes]) => { const moved = new DataTransfer(); moved.items.add(new File([new Uint8Array(bytes)], name));
        document.dispatchEvent(new DragEvent('drop', { dataTransfer: moved, bubbles: true, cancelable: true })) }""", [name, [*content]])


def copied(page: Page, form: str) -> str:
    """The whole game in a format."""
    page.click("#copy")
    page.select_option("dialog select", form)
    text = page.input_value("#copy-text")
    page.keyboard.press("Escape")
    return text


@pytest.mark.parametrize("text, title, form, ply", [
    ("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O", "Chess", "a list of moves", 9),
    ("f5d6c3d3c4", "Othello", "a list of moves", 5),
    ("2-2-2-2-2-2-0-0-S", "Awalé · small board (mini)", "a list of moves", 0),
    ("(;FF[4]GM[4]SZ[15];B[hh];W[hg](;B[ii])(;B[jj]))", "Gomoku", "SGF", 3),
])
def test_what_is_pasted_is_recognised_and_named(visit, text, title, form, ply):
    page = visit()
    # None of them is of the game on the board.
    begin(page, "tictactoe", "people")
    paste(page, text)
    at(page, ply)
    expect(page.locator("#game-name")).to_have_text(title)
    expect(page.locator("#toasts")).to_contain_text(f"Taken for {title} ({form})")


def test_a_list_that_is_legal_in_the_game_on_the_board_is_that_game(visit):
    page = visit()
    begin(page, "gomoku", "people")
    paste(page, "d4 e5")
    at(page, 2)
    expect(page.locator("#game-name")).to_have_text("Gomoku")
    expect(page.locator("#toasts")).to_contain_text("It could also be ")


def test_a_pgn_in_and_out_of_the_page_loses_nothing(visit):
    page = visit()
    begin(page, "tictactoe", "people")
    paste(page, PGN)
    at(page, 4)
    expect(page.locator("#moves")).to_contain_text("best by test")
    text = copied(page, "pgn")
    for part in ('[Event "Casual"]', '[Date "2024.01.05"]', '[White "Ann"]', '[WhiteElo "2000"]', "%clk 0:10:00", "$1", "(1... c5 {sharp} 2. Nf3)", "0-1"):
        assert part in text, text
    # A glyph is set and taken away.
    page.select_option("#glyph", "6")
    expect(page.locator("#moves .move[aria-current]")).to_have_text("Nc6?!")
    assert "Nc6 $6" in copied(page, "pgn")
    page.select_option("#glyph", "")
    expect(page.locator("#moves .move[aria-current]")).to_have_text("Nc6")
    # From within a variation it is the same.
    page.click("#moves .variation button")
    at(page, 2)
    assert copied(page, "pgn") == text
    # What comes back from the library is the same, too.
    begin(page, "tictactoe", "people")
    expect(page.locator("#toasts")).to_contain_text("The game before is in “My games”.")
    page.click("#library")
    page.click(".library .open")
    at(page, 4)
    assert copied(page, "pgn") == text


def test_what_replaces_a_game_keeps_it_and_can_be_undone(visit):
    page = visit()
    begin(page, "connect4", "people")
    kept = 0

    def played():
        nonlocal kept
        page.click("#board [data-move=d]")
        at(page, 1)
        page.click(f"#board [data-move={'abcdefg'[kept]}]")
        at(page, 2)
        page.fill("#comment", f"game {kept}")
        page.locator("#comment").blur()
        expect(page.locator("#moves .comment")).to_have_text(f"game {kept}")
        kept += 1

    def edited():
        page.click("#edit")
        page.click("dialog button.primary")
        expect(page.locator("dialog")).to_have_count(0)

    ways = {
        "new": lambda: begin(page, "connect4", "people"),
        "paste": lambda: submit(page, "tictactoe|startpos|"),
        "editor": edited,
        "file": lambda: drop(page, "games.txt", b"connect4|startpos|a b"),
    }
    for replace in ways.values():
        played()
        replace()
        expect(page.locator("#moves")).not_to_contain_text(f"game {kept - 1}")
        page.locator("#toasts button.does").last.click()
        at(page, 2)
        expect(page.locator("#moves .comment")).to_have_text(f"game {kept - 1}")
        page.evaluate("document.getElementById('toasts').replaceChildren()")
        begin(page, "connect4", "people")
        page.evaluate("document.getElementById('toasts').replaceChildren()")
    page.click("#library")
    expect(page.locator(".library li")).to_have_count(len(ways))
    # A game that was deleted comes back.
    page.locator(".library li button.quiet").first.click()
    expect(page.locator(".library li")).to_have_count(len(ways) - 1)
    page.keyboard.press("Escape")
    page.locator("#toasts button.does").last.click()
    page.click("#library")
    expect(page.locator(".library li")).to_have_count(len(ways))


def test_a_comment_belongs_to_the_move_it_was_typed_at(visit):
    page = visit()
    begin(page, "connect4", "people")
    page.click("#board [data-move=d]")
    at(page, 1)
    page.locator("#comment").press_sequentially("about d")
    # Somebody plays in another window meanwhile.
    page.evaluate("""fetch('/api/do', { method: 'POST', headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ do: 'play', move: 'e', at: 1 }) })""")
    at(page, 2)
    page.locator("#comment").press_sequentially(" and no other")
    page.locator("#comment").blur()
    expect(page.locator("#moves .comment", has_text="about d and no other")).to_have_count(1)
    expect(page.locator("#comment")).to_have_value("")
    page.keyboard.press("ArrowLeft")
    at(page, 1)
    expect(page.locator("#comment")).to_have_value("about d and no other")


def test_a_file_of_many_games_with_bad_ones_in_any_letters(visit):
    page = visit()
    begin(page, "tictactoe", "people")
    text = '[White "M\xfcller"]\n\n1. e4 e5 *\n\n[White "Bad"]\n\n1. e4 Ke7 *\n\n[White "Last"]\n\n1. d4 *\n'
    drop(page, "games.pgn", text.encode("latin-1"))
    at(page, 2)
    expect(page.locator("#toasts")).to_contain_text("All 2 games are in “My games”.")
    expect(page.locator("#toasts")).to_contain_text("game 2, line 7, column 7, ply 2")
    page.click("#library")
    expect(page.locator(".library li").first).to_contain_text("Müller")
    page.keyboard.press("Escape")
    submit(page, "what is this?")
    expect(page.locator("#toasts")).to_contain_text("That cannot be read: game 1, line 1")


def test_thousands_of_games_are_kept_searched_and_paged(visit):
    page = visit()
    games = "".join(f'[White "A{n:04}"]\n[Black "B"]\n[Date "2020.0{n % 9 + 1}.17"]\n\n1. e4 e5 2. Nf3 *\n\n' for n in range(1500))
    begin(page, "tictactoe", "people")
    drop(page, "many.pgn", games.encode())
    at(page, 3)
    page.click("#library")
    # Equal moves by other players are other games.
    expect(page.locator("dialog [role=status]")).to_have_text("1500 kept in this browser")
    expect(page.locator(".library li")).to_have_count(50)
    expect(page.locator(".library li").first).to_contain_text("A0000 – B · C40 King's Knight Opening · 3 moves · 17/01/2020")
    page.click("#more-games")
    expect(page.locator(".library li")).to_have_count(100)
    # What is found is listed at once: before the browser does anything else.
    found = page.locator("dialog input[type=search]").evaluate("""field => { field.value = 'a1234 b';
        field.dispatchEvent(new Event('input')); return document.querySelectorAll('.library li').length }""")
    assert found == 1
    page.reload()
    page.wait_for_selector("#board .legal")
    page.click("#library")
    expect(page.locator("dialog [role=status]")).to_have_text("1500 kept in this browser")


def test_what_was_played_from_here_in_ones_own_games_is_shown_and_played(visit):
    page = visit()
    drop(page, "games.pgn", b'[White "a"]\n[Result "1-0"]\n\n1. e4 e5 1-0\n\n[White "b"]\n[Result "0-1"]\n\n1. e4 c5 0-1\n\n'
         b'[White "c"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 1-0\n')
    at(page, 2)
    page.keyboard.press("ArrowLeft")
    at(page, 1)
    expect(page.locator("#explorer summary")).to_have_text("My games from here: 3")
    page.click("#explorer summary")
    rows = page.locator("#explorer li")
    expect(rows.locator(".games")).to_have_text(["2", "1"] + [""] * 10)
    expect(rows.locator(".sums")).to_have_text(["2 – 0 – 0", "0 – 0 – 1"] + [""] * 10)
    # Every move has the engine's value, and after a reload it still has.
    expect(rows.locator(".worth")).to_have_text([re.compile(r"\d")] * 12)
    page.reload()
    expect(rows.locator(".worth")).to_have_text([re.compile(r"\d")] * 12)
    rows.nth(1).locator("button").click()
    at(page, 2)
    expect(page.locator("#moves .move[aria-current]")).to_have_text("c5")
    expect(page.locator("#explorer summary")).to_have_text("Moves from here")
    expect(rows.locator(".games")).to_have_text([""] * 12)


def test_what_tables_or_rules_settle_is_marked_in_the_explorer(visit):
    page = visit()
    paste(page, "tictactoe|startpos|b2 b1 a1")
    page.click("#explorer summary")
    # c3 alone holds the draw.
    expect(page.locator("#explorer .step").first).to_have_text("c3")
    expect(page.locator("#explorer .worth.settled")).to_have_count(6)
    check(page, "the explorer")


def test_a_bad_link_says_so(visit):
    page = visit()
    page.goto(page.url + "#game=%E0%A4%A")
    expect(page.locator("#toasts")).to_contain_text("The link holds no game that can be read: %E0%A4%A")
    page.evaluate("location.hash = '#game=chess|startpos|e9'")
    expect(page.locator("#toasts")).to_contain_text("That cannot be read: game 1, line 1, column 16, ply 1")


def test_a_link_holds_variations_and_comments(visit):
    page = visit()
    paste(page, PGN)
    page.click("#copy")
    link = page.input_value("#copy-link")
    assert "#record=" in link
    page.keyboard.press("Escape")
    whole = copied(page, "pgn")
    other = visit()
    other.goto(link)
    at(other, 4)
    assert copied(other, "pgn") == whole and "(1... c5 {sharp} 2. Nf3)" in whole.replace("\n", " ")


def test_a_link_and_a_dropped_file_bring_games_and_the_library_keeps_them(visit, shot, tmp_path):
    page = visit()
    begin(page, "tictactoe", "people")
    for ply, move in enumerate(["b2", "a1", "c1"], 1):
        page.click(f"#board [data-move={move}]")
        at(page, ply)
    page.click("#copy")
    link = page.input_value("#copy-link")
    assert "#game=tictactoe%7Cstartpos%7Cb2%20a1%20c1" in link
    assert page.input_value("#copy-text").endswith("1. P@b2 P@a1 2. P@c1 *\n\n")
    with page.expect_download() as saved:
        page.click("#save-file")
    assert saved.value.suggested_filename == "griot.pgn"
    page.keyboard.press("Escape")
    # Elsewhere: the same game, by its link.
    other = visit()
    other.goto(link)
    at(other, 3)
    expect(other.locator("#game-name")).to_have_text("Tic-tac-toe")
    expect(other.locator("#toasts")).to_contain_text("(link), 3 moves")
    # A file with two games: the first is shown, both are kept.
    file = "tictactoe|startpos|a1 b2 c3\nconnect4|startpos|d d e"
    other.evaluate("""text => { const moved = new DataTransfer(); moved.items.add(new File([text], 'games.txt', { type: 'text/plain' }));
        document.dispatchEvent(new DragEvent('drop', { dataTransfer: moved, bubbles: true, cancelable: true })) }""", file)
    expect(other.locator("#moves button.main >> nth=0")).to_contain_text("a1")
    expect(other.locator("#toasts")).to_contain_text("All 2 games are in")
    other.click("#library")
    # The game that came by the link was kept before.
    expect(other.locator(".library li")).to_have_count(3)
    other.fill("dialog input[type=search]", "connect d d e")
    expect(other.locator(".library li")).to_have_count(1)
    shot(other, "library")
    with other.expect_download() as exported:
        other.click("#export-all")
    exported.value.save_as(tmp_path / "all.json")
    games = [json.loads(line) for line in (tmp_path / "all.json").read_text().splitlines()]
    assert sorted(f"{one['game']}|{one['start']}|{' '.join(one['moves'])}" for one in games) == sorted(
        [*file.splitlines(), "tictactoe|startpos|b2 a1 c1"])
    other.click(".library .open")
    expect(other.locator("#game-name")).to_have_text("Connect Four")
    at(other, 3)
    other.reload()
    other.wait_for_selector("#board .legal")
    other.click("#library")
    expect(other.locator(".library li")).to_have_count(3)
