"""Scores, limits, options and lines: values, for which there is no engine."""

import asyncio
import pickle

import pytest

from griot import FIRST, SECOND, Check, Combo, Cp, Info, Known, Limit, Mate, MateGiven, Player, PovScore, Spin, Text, Wdl
from griot._aio import _Search
from griot._board import refusal
from griot._lines import parse_info
from griot._options import Options, parse_option, value_text

# From lost at once to won at once.
ORDER = [
    Mate(0), Mate(-1), Mate(-9), Known(False, 700), Known(False, 100), Known(False), Cp(-50), Cp(0), Cp(50),
    Known(True), Known(True, 100), Known(True, 700), Mate(9), Mate(1), MateGiven,
]  # fmt: skip


def test_scores_are_ordered_and_turned_round():
    for at, score in enumerate(ORDER):
        assert -score == ORDER[-1 - at] and -(-score) == score and hash(-(-score)) == hash(score)
        for later, higher in enumerate(ORDER):
            assert [score < higher, score <= higher, score == higher, score >= higher, score > higher] == [
                at < later, at <= later, at == later, at >= later, at > later,
            ]  # fmt: skip
    assert max(ORDER) is MateGiven and sorted(reversed(ORDER)) == ORDER
    assert Cp(1) != 1 and not Cp(1) == "Cp(1)"
    with pytest.raises(TypeError):
        assert Cp(1) < 2


def test_a_score_tells_what_it_is():
    assert [Cp(-25).score(), Cp(-25).mate(), Cp(-25).is_mate(), Cp(-25).is_decided()] == [-25, None, False, False]
    assert [Mate(3).score(), Mate(3).score(mate_score=1000), Mate(-3).score(mate_score=1000)] == [None, 997, -997]
    assert [Mate(0).score(mate_score=1000), MateGiven.score(mate_score=1000)] == [-1000, 1000]
    assert [Mate(-3).mate(), Mate(0).mate(), MateGiven.mate(), Mate(2).is_mate()] == [-3, 0, 0, True]
    assert [Known(True, 700).score(), Known(False, 700).score(), Known(True).mate()] == [700, -700, None]
    assert all(score.is_decided() for score in (Mate(1), Mate(0), MateGiven, Known(False)))
    assert [str(score) for score in (Cp(25), Mate(3), Mate(-3), Known(True, 700), Known(False))] == [
        "+0.25", "#+3", "#-3", "win by 7", "loss",
    ]  # fmt: skip
    assert pickle.loads(pickle.dumps(Mate(3))) == Mate(3)


def test_a_point_of_view():
    assert FIRST.other is SECOND and SECOND.other is FIRST
    score = PovScore(Cp(30), SECOND, "othello")
    assert [score.first(), score.second(), score.pov(FIRST), score.relative] == [Cp(-30), Cp(30), Cp(-30), Cp(30)]
    assert score == PovScore(Cp(-30), FIRST) and score != PovScore(Cp(30), FIRST) and repr(score) == "PovScore(Cp(+30), SECOND)"
    assert score.wdl().first() == -score.wdl().relative == score.wdl().pov(Player.FIRST)


def test_chances():
    for game in ("awale", "awale:mini", "othello", "connect4", "gomoku", "nim:7", "hexapawn"):
        level = Cp(0).wdl(model=game)
        assert level.total == 1000 and level.wins == level.losses and level.expectation() == 0.5
        chances = [Cp(cp).wdl(model=game).expectation() for cp in range(-2000, 2001, 100)]
        assert chances == sorted(chances) and chances[0] < 0.1 and chances[-1] > 0.9
        assert Cp(10**9).wdl(model=game) == Wdl(1000, 0, 0) and Cp(-(10**9)).wdl(model=game) == Wdl(0, 0, 1000)
        for cp in range(-3000, 3001, 7):
            assert min(Cp(cp).wdl(model=game)) >= 0 and -Cp(cp).wdl(model=game) == (-Cp(cp)).wdl(model=game)
    assert tuple(Mate(-2).wdl()) == (0, 0, 1000) and tuple(Known(True).wdl()) == (1000, 0, 0)
    wdl = Wdl(500, 300, 200)
    assert (wdl.winning_chance(), wdl.drawing_chance(), wdl.losing_chance()) == (0.5, 0.3, 0.2)


def test_a_limit_is_in_seconds():
    assert Limit(time=0.5).words() == ["movetime", "500"]
    # At least a millisecond: never nothing, in silence.
    assert Limit(time=0.0001).words() == Limit(time=0).words() == ["movetime", "1"]
    assert Limit(time=2, depth=3, nodes=4, mate=5).words() == "movetime 2000 depth 3 nodes 4 mate 5".split()
    assert Limit(first_clock=60, second_clock=-0.5, first_inc=0.1, second_inc=1.001, remaining_moves=40).words() == (
        "p1time 60000 p2time -500 p1inc 100 p2inc 1001 movestogo 40".split()
    )
    assert Limit().words() == Limit(first_inc=1).words()[:1] == ["infinite"]
    assert Limit().is_endless and Limit(first_inc=1).is_endless and not Limit(second_clock=1).is_endless


@pytest.mark.parametrize("wrong", [{"depth": 0}, {"nodes": -1}, {"time": -0.1}, {"time": float("nan")}, {"first_inc": -1}])
def test_a_limit_that_is_none_is_refused(wrong):
    with pytest.raises(ValueError, match=f"Limit: {next(iter(wrong))}: expected"):
        Limit(**wrong)


@pytest.mark.parametrize("wrong", [{"depth": 0.5}, {"nodes": "9"}, {"time": "1"}, {"time": True}, {"mate": 1.0}])
def test_a_limit_of_another_kind_is_refused(wrong):
    with pytest.raises(TypeError, match=f"Limit: {next(iter(wrong))}: expected"):
        Limit(**wrong)


def test_the_clocks_go_on_after_a_move():
    limit = Limit(first_clock=10, second_clock=20, first_inc=1, remaining_moves=2)
    assert limit.after(FIRST, 2.5) == Limit(first_clock=8.5, second_clock=20, first_inc=1, remaining_moves=1)
    assert limit.after(SECOND, 2.5) == Limit(first_clock=10, second_clock=17.5, first_inc=1, remaining_moves=1)
    assert Limit(depth=3).after(FIRST, 9) == Limit(depth=3)


def test_lines_are_read_whatever_else_they_hold():
    line = "info depth 3 seldepth 5 multipv 2 score cp -12 lowerbound nodes 9 nps 8 hashfull 7 tbhits 6 time 4 wdl x pv a b"
    info = parse_info(line, SECOND, "awale")
    assert info == Info(
        PovScore(Cp(-12), SECOND), lowerbound=True, pv=("a", "b"), multipv=2, depth=3, seldepth=5, time=0.004, nodes=9,
        nps=8, hashfull=7, tbhits=6,
    )  # fmt: skip
    assert parse_info("info depth 4 nodes 5 time 1 currmove b2 currmovenumber 3", FIRST, "").currmove == "b2"
    assert parse_info("info string depth 3  pv", FIRST, "") == Info(string="depth 3  pv")
    assert parse_info("bestmove a", FIRST, "") is None and parse_info("", FIRST, "") is None
    for torn in ("info", "info depth", "info depth x score cp", "info score mate", "info nodes - time ²", "info pv"):
        assert parse_info(torn, FIRST, "").score is None
    for text, score in [
        ("cp 99999", Cp(99_999)), ("cp 100000", Known(True)), ("cp -100700", Known(False, 700)),
        ("mate 0", Mate(0)), ("mate -3", Mate(-3)), ("cp 2600 mate 7", Mate(7)), ("mate 7 cp 2600", Mate(7)),
    ]:  # fmt: skip
        assert parse_info(f"info score {text} nodes 3", FIRST, "").score.relative == score


def test_an_info_is_also_a_mapping():
    info = Info(depth=3, nodes=0, pv=("a",))
    assert info["depth"] == 3 and info["nodes"] == 0 and info["pv"] == ("a",) and dict(info) == {"depth": 3, "nodes": 0, "pv": ("a",)}
    assert "depth" in info and "score" not in info and 3 not in info and info.get("score") is None and info.get("time", 1) == 1
    for missing in ("score", "keys", "merged", "nothing"):
        with pytest.raises(KeyError):
            info[missing]
    assert repr(info) == "Info(pv=('a',), depth=3, nodes=0)"


def lines_of(*lines):
    """What a search knows after these lines."""

    async def main():
        search = _Search(FIRST, "awale", False)
        for line in lines:
            search.hear("info " + line)
        return [(info.depth, info.multipv, info.pv, info.nodes) for info in search.multipv]

    return asyncio.run(main())


def test_an_iteration_that_is_cut_short_leaves_the_lines_of_the_one_before():
    first = ["depth 1 multipv 1 score cp 3 nodes 1 pv a", "depth 1 multipv 2 score cp 2 nodes 2 pv b", "depth 1 multipv 3 score cp 1 nodes 3 pv c"]  # fmt: skip
    whole = [(1, 1, ("a",), 1), (1, 2, ("b",), 2), (1, 3, ("c",), 3)]
    assert lines_of(*first) == whole
    assert lines_of(*first, "depth 2 multipv 1 score cp 9 nodes 7 pv b") == [(2, 1, ("b",), 7), (1, 2, ("a",), 1), (1, 3, ("c",), 3)]
    # Numbers speak of an iteration that is under way.
    assert lines_of(*first, "depth 2 nodes 99 currmove b") == [(1, 1, ("a",), 99), *whole[1:]]
    assert lines_of("depth 1 score cp 1 nodes 1 pv a", "string so so", "depth 2 score cp 1 nodes 2 pv b") == [(2, None, ("b",), 2)]


def test_options_have_types_and_ranges():
    assert parse_option("option name Move Overhead type spin default 10 min 0 max 5000") == Spin("Move Overhead", 10, 0, 5000)
    assert parse_option("option name Ponder type check default false") == Check("Ponder", False)
    assert parse_option("option name A b type combo default x y var x y var z") == Combo("A b", "x y", ("x y", "z"))
    assert parse_option("option name Log File type string default <empty>") == Text("Log File", "")
    for other in ("option name A type colour", "option", "id name x", "option name A type spin default x min 0 max 1"):
        assert parse_option(other) is None
    options = Options({"Hash": Spin("Hash", 1, 1, 2)})
    assert options["hASH"].max == 2 and list(options) == ["Hash"] and "HASH" in options and len(options) == 1
    with pytest.raises(KeyError, match="Hsh"):
        options["Hsh"]
    assert [value_text(value) for value in (True, 3, "x", "", None)] == ["true", "3", "x", "<empty>", None]


def test_an_error_points_at_the_move():
    error = refusal(["info string error: column 31: move: expected x, found y; the game is lost by it"], "position startpos moves a1 b1 c1 d1")
    assert (error.move, error.ply, error.column) == ("c1", 3, 31)
    assert str(error) == "illegal move 'c1' at ply 3: expected x, found y"
