//! The model must find what is wrong: conversations with one fault each, and without it.

use super::contract::Contract;
use super::steps::Steps;

const INFO: &str = "info depth 1 seldepth 1 score cp 0 nodes 9 nps 1 hashfull 0 tbhits 0 time 0 pv";

/// Holds a conversation against the contract: `>` is sent, `<` is said, `!` ends the input, `.` the output.
fn judge(conversation: &str) -> Result<(), String> {
    let mut contract = Contract::new(false);
    for line in conversation.replace("INFO", INFO).lines().map(str::trim).filter(|line| !line.is_empty()) {
        match line.split_at(1) {
            (">", line) => contract.sent(Ok(line.trim_start())),
            ("<", line) => contract.said(line.trim_start()).map_err(|why| format!("{line}: {why}"))?,
            ("!", _) => contract.ended(),
            (".", _) => contract.closed()?,
            other => panic!("{other:?}"),
        }
    }
    match contract.owes() {
        None => Ok(()),
        Some(owed) => Err(format!("it owes {owed}")),
    }
}

const GAME: &str = "> setoption name Game value tictactoe\n";

#[test]
fn what_the_contract_allows_is_allowed() {
    for conversation in [
        "> isready\n< readyok\n> quit\n.",
        "> position startpos moves b2\n> query fen\n< response 3/1x1/3 o",
        "> go depth 1\n< INFO b2\n< bestmove b2",
        "> go infinite\n> isready\n< INFO b2\n< readyok\n> stop\n< bestmove b2",
        "> go infinite\n> isready\n< readyok",
        // Two errors at one column: what was sent first is answered first.
        "> position fen\n> position x\n< info string error: column 13: a board\n< info string error: column 10: expected",
        "> go mate x\n> debug   on?\n< info string error: column 9: expected\n< bestmove 0000\n< info string error: column 9: expected 'on' or 'off'",
        // During a search what was asked may be told before what waits is done, or after it.
        "> go depth 1\n> position startpos moves b2\n> query p1turn\n< response true\n< INFO b2\n< bestmove b2",
        "> go depth 1\n> position startpos moves b2\n> query p1turn\n< INFO b2\n< bestmove b2\n< response false",
        "> go infinite\n> stop\n> go infinite\n> stop\n< INFO b2\n< bestmove b2\n< INFO b2\n< bestmove b2",
        "> go ponder depth 1\n< INFO b2\n> ponderhit\n< bestmove b2",
        "> position fen 3\n< info string error: column 15: board: expected 3 rows\n> query fen\n< response unknown",
        "> position startpos moves a1 a2 b1 b2 c1\n> go depth 3\n< info depth 0 score mate 0 nodes 0 nps 0 hashfull 0 tbhits 0 time 0\n< bestmove 0000",
        "> go infinite\n!\n< INFO b2\n< bestmove b2\n.",
        "> go depth 1 nodes 9\n< INFO b2\n< bestmove b2",
        "> setoption name MultiPV value 2\n> go depth 1\n< info depth 1 seldepth 1 multipv 1 score cp 3 nodes 1 nps 1 hashfull 0 tbhits 0 time 0 pv a1\n< info depth 1 seldepth 1 multipv 2 score cp 2 nodes 1 nps 1 hashfull 0 tbhits 0 time 0 pv b2\n< bestmove a1",
    ] {
        assert_eq!(judge(&(GAME.to_owned() + conversation)), Ok(()), "{conversation}");
    }
}

#[test]
fn every_broken_law_is_found() {
    for (law, conversation) in [
        ("1: two answers", "> go depth 1\n< INFO b2\n< bestmove b2\n< bestmove b2"),
        ("1: no answer", "> go depth 1\n< INFO b2"),
        ("1: no line before it", "> go depth 1\n< bestmove b2"),
        ("1: another move than the pv's", "> go depth 1\n< INFO b2\n< bestmove a1"),
        ("1: three words in UGI", "> go depth 1\n< INFO b2 a1\n< bestmove b2 ponder a1"),
        ("1: a pv that cannot be played", "> go depth 1\n< INFO b2 b2"),
        ("1: a pv beyond the end", "> position startpos moves a1 a2 b1 b2\n> go depth 1\n< INFO c1 c2"),
        ("1: a pv in another spelling", "> go depth 1\n< INFO P@b2"),
        ("1: no such word", "> go depth 1\n< info depth 1 seldepth 1 score cp 0 nodes 9 pv b2"),
        ("1: a refused go without answer", "> go depth x\n< info string error: column 10: expected"),
        ("2: out of order", "> query p1turn\n> isready\n< readyok"),
        (
            "2: what waits is done too soon",
            "> go infinite\n> position startpos moves b2\n> query p1turn\n< response false",
        ),
        (
            "2: what waits is not done",
            "> go depth 1\n> position startpos moves b2\n< INFO b2\n< bestmove b2\n> query p1turn\n< response true",
        ),
        ("2: an error of what waits", "> go infinite\n> position x\n< info string error: column 10: expected"),
        ("3: an old search speaks", "> go depth 1\n< INFO b2\n< bestmove b2\n< INFO b2"),
        (
            "3: one stop for two",
            "> go infinite\n> stop\n> go infinite\n< INFO b2\n< bestmove b2\n< INFO b2\n< bestmove b2",
        ),
        (
            "4: moves of the next position",
            "> go depth 1\n> position startpos moves b2\n< INFO b2\n< bestmove b2\n> go depth 1\n< INFO b2",
        ),
        ("5: infinite does not wait", "> go infinite\n< INFO b2\n< bestmove b2"),
        ("5: a bare go does not wait", "> go\n< INFO b2\n< bestmove b2"),
        ("5: ponder does not wait", "> go ponder depth 1\n< INFO b2\n< bestmove b2"),
        ("6: another column", "> nonsense\n< info string error: column 2: unknown command"),
        ("6: silence", "> nonsense"),
        (
            "6: it changes something",
            "> setoption name MultiPV value x\n< info string error: column 30: option MultiPV: expected a whole number from 1\n> go depth 1\n< info depth 1 seldepth 1 multipv 1 score cp 0 nodes 9 nps 1 hashfull 0 tbhits 0 time 0 pv b2",
        ),
        (
            "7: it falls back",
            "> position fen 3\n< info string error: column 15: expected\n> query fen\n< response 3/3/3 x",
        ),
        (
            "7: not lost",
            "> position startpos moves b2 b2\n< info string error: column 28: move: expected an empty cell, found 'b2'; the game is lost by it\n> query result\n< response none",
        ),
        ("8: it ends too soon", "> go depth 1\n!\n."),
        ("8: it ends unasked", "> isready\n< readyok\n."),
        (
            "9: too deep",
            "> go depth 1\n< info depth 2 seldepth 2 score cp 0 nodes 9 nps 1 hashfull 0 tbhits 0 time 0 pv b2",
        ),
        (
            "9: too many nodes",
            "> go nodes 5\n< INFO b2\n< info depth 2 seldepth 2 score cp 0 nodes 9 nps 1 hashfull 0 tbhits 0 time 0 pv b2",
        ),
        ("9: another move", "> go depth 1 searchmoves a1\n< INFO b2"),
        ("9: no warning", "> go dept 5\n< INFO b2"),
        ("9: a first iteration beyond its nodes", "> go nodes 8\n< INFO b2"),
        (
            "9: a false mate",
            "> go depth 9\n< info depth 9 seldepth 9 score mate 3 nodes 9 nps 1 hashfull 0 tbhits 0 time 0 pv b2",
        ),
        ("perft", "> go perft 1\n< a1: 2"),
        ("the end of a line is a line", "> query legalmoves\n< response a1 b1 c1 a2 b2 c2 a3 b3"),
    ] {
        assert!(judge(&(GAME.to_owned() + conversation)).is_err(), "{law}: {conversation}");
    }
}

/// The same for a dialect in which the engine keeps the game.
fn judge_steps(mut steps: Steps, conversation: &str) -> Result<(), String> {
    for line in conversation.lines() {
        match line.split_at(1) {
            (">", line) => steps.sent(Ok(line.trim_start())),
            ("<", line) => steps.said(line.strip_prefix(' ').unwrap_or(line))?,
            other => panic!("{other:?}"),
        }
    }
    steps.owes().map_or(Ok(()), Err)
}

#[test]
fn gtp_and_gomocup_are_judged_too() {
    for (good, conversation) in [
        (true, ">3 play b b2\n<=3 \n<\n>undo\n<= \n<"),
        (true, ">genmove b\n>gogui-rules_side_to_move\n<= B2\n<\n<= white\n<"),
        (false, ">3 play b b2\n<=4 \n<"),
        (false, ">play b b2\n<? illegal move\n<"),
        (false, ">play b b2\n>play w b2\n<= \n<\n<= \n<"),
        (false, ">genmove b\n<= D4\n<"),
        (false, ">genmove b\n>undo\n>gogui-rules_side_to_move\n<= B2\n<\n<= \n<\n<= white\n<"),
        (false, ">undo"),
    ] {
        assert_eq!(judge_steps(Steps::gtp("tictactoe"), conversation).is_ok(), good, "{conversation}");
    }
    for (good, conversation) in [
        (true, ">START 7\n<OK\n>BEGIN\n<MESSAGE depth 1\n<3,3\n>TURN 3,4\n<3,5\n>TAKEBACK 3,5\n<OK"),
        (false, ">START 7\n<OK\n>BEGIN\n<3,3\n>TURN 3,3\n<3,4"),
        (false, ">START 4\n<OK"),
        (false, ">START 7\n<OK\n>TURN 3,3\n<3,3"),
        (false, ">INFO rule 1\n<OK"),
    ] {
        assert_eq!(judge_steps(Steps::gomocup(), conversation).is_ok(), good, "{conversation}");
    }
}
