"""What the texts show is so: each example is run as it stands."""

import doctest
import re
from pathlib import Path

import pytest

import griot

ROOT = Path(__file__).parents[2]
PAGES = ["README.md", "docs/python.md", "docs/scripts.md", "python/README.md"]
EXAMPLES = [
    pytest.param(page, block, id=f"{page}-{at}")
    for page in PAGES
    for at, block in enumerate(re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.S))
]


@pytest.mark.parametrize(("page", "block"), EXAMPLES)
def test_an_example_runs_and_prints_what_it_says(page, block, capsys):
    exec(compile(block, page, "exec"), {"__name__": "__main__"})
    printed = capsys.readouterr().out
    promised = re.findall(r"print\(.*?\) {2,}# (.*)", block)
    assert all(line in printed.splitlines() for line in promised), printed


def test_each_page_has_its_examples():
    assert [sum(example.id.startswith(page) for example in EXAMPLES) for page in PAGES] == [1, 6, 1, 2]


def test_the_module_says_what_is_so():
    assert doctest.testmod(griot).failed == 0


def test_the_comparison_names_what_there_is():
    table = (ROOT / "docs/python.md").read_text(encoding="utf-8").split("## Comparison with python-chess")[1]
    ours = " ".join(row.split("|")[2] for row in table.splitlines() if row.startswith("| `"))
    for name in set(re.findall(r"`([A-Z]\w+)`", ours)) - {"FIRST", "SECOND"}:
        assert hasattr(griot, name), name
    theirs = " ".join(row.split("|")[1] for row in table.splitlines() if row.startswith("| `"))
    for owner in ("engine", "board"):
        kind = griot.Engine if owner == "engine" else griot.Board
        for name in re.findall(rf"`{owner}\.(\w+)", theirs):
            assert hasattr(kind, name), name
    for name in ("ply", "fen", "turn", "copy", "reset", "peek", "pop", "is_legal", "outcome", "result"):
        assert hasattr(griot.Board, name) and hasattr(griot.AsyncBoard, name)
