"""Puzzles: chosen, tried, hinted at, given up, solved by playing, remembered; with fingers and with keys, in both languages."""

import json
import re

import pytest
from conftest import ROOT
from helpers import analyse, at, press
from playwright.sync_api import Page, expect
from test_access import check

SIZES = pytest.mark.parametrize("width, height", [(1280, 860), (390, 844), (844, 390)], ids=["desk", "phone", "side"])
FOLDER = ROOT / "crates/griot-board/puzzles"
# A set may consist of several files: chess.jsonl and chess-long.jsonl.
NAMES = sorted(path.stem for path in FOLDER.glob("*.jsonl"))
SETS = [name for name in NAMES if not any(name.startswith(f"{other}-") for other in NAMES)]


def puzzles(name: str) -> list[dict]:
    """A set in the order of the page: easy ones first."""
    files = [FOLDER / f"{name}.jsonl", *sorted(FOLDER.glob(f"{name}-*.jsonl"))]
    lines = [line for file in files for line in file.read_text().splitlines()]
    return sorted(map(json.loads, lines), key=lambda one: (one["grade"], one["number"]))


def choose(page: Page, name: str):
    page.click("#puzzles")
    page.click(f"dialog [data-set={name}]")
    expect(page.locator("#puzzle")).to_be_visible()
    at(page, 0)


def play(page: Page, move: str, touch: bool = False):
    """Plays a move, by one click, by the two of a small point, or from a square to another, in draughts with its stops."""
    if re.fullmatch(r"[a-h][1-8][a-h][1-8]|\d+([-x]\d+)+", move):
        for square in re.findall(r"[a-h][1-8]|\d+", move):
            page.click(f"#board .spot[aria-label^='{square},']")
        return
    place = page.locator(f"#board [data-move='{move}']")
    if not touch:
        place.click()
        return
    place.tap()
    # It is a click a moment later, which plays or only aims.
    expect(page.locator("#board .aim, #board:not([data-at='0'])")).not_to_have_count(0)
    if page.locator("#board .aim").count():
        place.tap()


def solve(page: Page, puzzle: dict, touch: bool = False) -> str:
    """Plays every move that the puzzle asks for, and returns the name of the last; the replies are played by the page."""
    last = 2 * puzzle["forced"] - 2
    for ply in range(0, last + 1, 2):
        at(page, ply)
        play(page, puzzle["line"][ply], touch)
    return puzzle.get("names", puzzle["line"])[last]


@SIZES
def test_a_puzzle_is_tried_hinted_at_and_solved_by_playing(visit, shot, width, height):
    page = visit(width, height)
    first, second = puzzles("connect4")[:2]
    choose(page, "connect4")
    panel, told = page.locator("#puzzle"), page.locator("#puzzle [role=status]")
    expect(panel).to_contain_text(f"puzzle 1 of {len(puzzles('connect4'))}")
    expect(panel).to_contain_text(f"{first['grade']} of 20 levels fail{'s' if first['grade'] == 1 else ''}")
    expect(told).to_contain_text("to move, and to " + ("win" if first["goal"] == "win" else "save the game"))
    # Nothing gives it away.
    expect(page.locator("#hint")).to_be_disabled()
    analyse(page)
    expect(page.locator("#lines li")).to_have_count(0)
    analyse(page, False)
    expect(page.locator("#n-score")).to_have_text("–")
    if width == 1280:
        assert page.evaluate("document.querySelector('#board svg').getBoundingClientRect().bottom <= innerHeight")
    check(page, "a puzzle")
    shot(page, f"puzzle-{width}")
    page.click("#puzzle-hint")
    expect(told).to_contain_text("One of these: ")
    hinted = told.inner_text().split("One of these: ")[1].rstrip(".").split(", ")
    assert first["move"] in hinted and len(hinted) == min(3, first["legal"] - 1 or 2)
    wrong = next(move for move in hinted if move != first["move"])
    play(page, wrong)
    expect(told).to_have_text(f"{wrong} is not it.")
    check(page, "a wrong try")
    expect(page.locator("#n-score")).to_have_text("–")
    expect(page.locator("#graph circle")).to_have_count(0)
    press(page.locator("#puzzle-back"))
    at(page, 0)
    # The first try was wrong, which costs rating.
    rating = panel.locator(".rating")
    expect(rating).to_contain_text(re.compile(r"Your rating: [5-9]\d\d ± "))
    last = solve(page, first)
    expect(told).to_contain_text(f"{last} it is. A way on")
    check(page, "a solved puzzle")
    shot(page, f"puzzle-solved-{width}")
    press(page.locator("#puzzle-next"))
    expect(panel).to_contain_text("puzzle 2 of ")
    # Who gives up sees the answer, and has not solved it.
    press(page.locator("#puzzle-answer"))
    expect(told).to_contain_text(f"The answer: {second['move']}")
    expect(page.locator("#board .ghosts > *")).not_to_have_count(0)
    # A reload stays in the puzzle; what is solved is remembered, and the next one is the first that is not.
    page.reload()
    at(page, 0)
    expect(panel).to_contain_text("puzzle 2 of ")
    page.click("#puzzles")
    expect(page.locator("dialog [data-set=connect4]")).to_contain_text(f"1 of {len(puzzles('connect4'))}")
    check(page, "the choice of puzzles")
    page.click("dialog [data-set=connect4]")
    expect(panel).to_contain_text("puzzle 2 of ")
    # A game of its own ends it.
    press(page.locator("#puzzle-end"))
    expect(panel).to_be_hidden()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("name", SETS)
def test_every_set_is_served_and_its_first_puzzle_solved(visit, name):
    page = visit(locale="fr-FR")
    first = puzzles(name)[0]
    choose(page, name)
    expect(page.locator("#puzzle")).to_contain_text(f"problème 1 sur {len(puzzles(name))}")
    check(page, name)
    answer = solve(page, first)
    # Pieces have French letters.
    answer = re.sub("^[KQRBN](?=[a-hx1-8])", lambda letter: "RDTFC"["KQRBN".index(letter[0])], answer)
    expect(page.locator("#puzzle [role=status]")).to_contain_text(f"C’est bien {answer}. Une suite")
    # It was solved at once: the rating rises, and is remembered.
    expect(page.locator("#puzzle .rating")).to_contain_text("Votre classement : 1")
    page.click("#puzzles")
    expect(page.locator(f"dialog [data-set={name}]")).to_contain_text("Votre classement : 1")


@pytest.mark.full
def test_a_puzzle_is_solved_by_keys_alone(visit):
    page = visit()
    page.keyboard.press("u")
    expect(page.locator("dialog")).to_be_visible()
    page.locator("dialog [data-set=connect4]").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#puzzle")).to_be_visible()
    at(page, 0)
    first = puzzles("connect4")[0]
    page.locator(f"#board [data-move='{first['move']}']").focus()
    page.keyboard.press("Enter")
    # The reply is played, and the puzzle goes on.
    assert first["forced"] == 2
    expect(page.locator("#puzzle [role=status]")).to_contain_text("it is: 1 of 2 moves. And now?")
    at(page, 2)
    page.locator(f"#board [data-move='{first['line'][2]}']").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#puzzle [role=status]")).to_contain_text("it is. A way on")
    page.locator("#puzzle-next").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#puzzle")).to_contain_text("puzzle 2 of ")
    assert page.evaluate("document.activeElement.closest('#puzzle') !== null"), "the focus stays in the panel"


@pytest.mark.full
@pytest.mark.parametrize("width, height", [(390, 844), (844, 390)])
def test_a_puzzle_is_solved_by_a_finger(visit, width, height):
    page = visit(width, height, has_touch=True, is_mobile=True)
    choose(page, "othello")
    solve(page, puzzles("othello")[0], touch=True)
    expect(page.locator("#puzzle [role=status]")).to_contain_text("it is. A way on")


def test_the_next_puzzle_is_of_the_theme(visit):
    page = visit()
    choose(page, "chess")
    page.select_option("#puzzle-theme", "mate3")
    press(page.locator("#puzzle-next"))
    place = next(at for at, one in enumerate(puzzles("chess")) if at > 0 and (one["goal"], one["within"]) == ("win", 3))
    expect(page.locator("#puzzle")).to_contain_text(f"puzzle {place + 1} of ")
    expect(page.locator("#puzzle [role=status]")).to_contain_text("to win in 3 moves")
    # It is remembered.
    page.reload()
    expect(page.locator("#puzzle-theme")).to_have_value("mate3")
