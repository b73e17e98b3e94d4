//! The grammar of NBoard, Othello's front end: the whole game as GGF, `go`, `hint 3`, and `=== F5/1.25/3.4`.
//!
//! Layer 4. Pure. Commands are read in lower case. Unknown lines are skipped silently, as the protocol defines; a bad value is
//! reported in the status line, the only text that NBoard shows to people.
//! CITE: C. Welty, "NBoard Protocol", version 2, 2014; its client, the packages novello and othello of the same author.

use nom::Parser;

use super::ggf;
use super::parse::{FROM_ZERO, Parsed, clamped, expect, keyword, set, text_at, whole_number, word};
use crate::message::{Command, Info, Limit, ReportedBound, ReportedScore, Step};

/// The pass in sessions, and in this dialect.
const PASS: [&str; 2] = ["0000", "PA"];

/// More than any number of discs.
const ALL_DISCS: f64 = 64.0;

const FROM_ONE: &str = "a whole number from 1 to 18446744073709551615";

/// Whether this first line selects the dialect.
pub(super) fn opens(start: &str) -> bool {
    word(start).is_ok_and(|(rest, name)| name == "nboard" && word(rest).is_ok_and(|(_, version)| is_number(version)))
}

fn is_number(text: &str) -> bool {
    whole_number(text).is_some()
}

/// The grammar; `None` for lines to skip. `line` is the whole line that contains `input`.
pub(super) fn command<'a>(line: &'a str, input: &'a str) -> Parsed<'a, Option<Command>> {
    let (rest, name) = word(input)?;
    let (rest, step) = match name {
        "nboard" => (rest, Step::Tell("set myname griot".into())),
        "set" => return set_variable(line, rest),
        "move" => {
            let (rest, (mv, time)) =
                expect("a move, as in F5 or PA/-1.25/3.4", word.map_opt(|text| ggf::item(line, text))).parse(rest)?;
            (rest, Step::Played(mv, time))
        }
        "hint" => {
            let mut lines = 1;
            let rest = set(rest, FROM_ONE, 1, |n| lines = clamped(n))?;
            (rest, Step::Advise(Some(lines)))
        }
        "go" => (rest, Step::Advise(None)),
        "ping" => {
            let mut number = 0;
            let rest = set(rest, FROM_ZERO, 0, |n| number = n)?;
            (rest, Step::Ping(number))
        }
        "learn" => (rest, Step::Tell("learned".into())),
        "analyze" => (rest, Step::Analyse),
        "quit" => return Ok((rest, Some(Command::Quit))),
        _ => return Ok(("", None)),
    };
    Ok((rest, Some(Command::Step(step))))
}

/// `set game`, `set depth`, `set contempt`; any other name is that of an option.
fn set_variable<'a>(line: &'a str, input: &'a str) -> Parsed<'a, Option<Command>> {
    if let Ok((rest, _)) = keyword("game").parse(input) {
        let (rest, game) = ggf::game(line, rest)?;
        return Ok((rest, Some(Command::Step(Step::Game(Box::new(game))))));
    }
    if let Ok((rest, _)) = keyword("depth").parse(input) {
        let mut depth = 0;
        let rest = set(rest, FROM_ONE, 1, |n| depth = clamped(n))?;
        return Ok((rest, Some(Command::Step(Step::Limit(Limit::Depth(Some(depth)))))));
    }
    // The contempt is the value of a draw in the engine's book. Results differ by two discs: a contempt below two
    // changes no best move, and one above two makes a draw better than a win.
    if keyword("contempt").parse(input).is_ok() {
        return Ok(("", None));
    }
    let Ok((rest, name)) = word(input) else { return Ok(("", None)) };
    Ok(("", Some(Command::Step(Step::SetOption(text_at(line, name), text_at(line, rest))))))
}

/// A move as this dialect writes it.
pub(super) fn written(mv: &str) -> String {
    if mv == PASS[0] { PASS[1].into() } else { mv.to_ascii_uppercase() }
}

/// Whether `text` names this move; a text that begins with `PA` is a pass.
pub(super) fn means(text: &str, mv: &str) -> bool {
    let passes = text.get(..2).is_some_and(|start| start.eq_ignore_ascii_case(PASS[1]));
    if mv == PASS[0] { passes } else { text.eq_ignore_ascii_case(mv) }
}

/// Discs, for the side to move.
pub(super) fn discs(score: ReportedScore) -> String {
    let discs = match score {
        ReportedScore::Centi(centi) => (f64::from(centi) / 100.0).clamp(-ALL_DISCS, ALL_DISCS),
        ReportedScore::Mate(moves) if moves > 0 => ALL_DISCS,
        ReportedScore::Mate(_) => -ALL_DISCS,
    };
    format!("{discs:.2}")
}

/// `search` with a line of play, and `nodestats`. Bounds are not reported.
pub(super) fn numbers(info: &Info) -> String {
    let mut text = String::new();
    if let (Some((score, ReportedBound::Exact)), false) = (info.score, info.pv.moves.is_empty()) {
        let line: String = info.pv.moves.iter().map(|mv| written(mv)).collect();
        let depth = if info.certain { "100%".to_owned() } else { info.depth.to_string() };
        text = format!("search {line} {} 0 {depth}\n", discs(score));
    }
    text + &format!("nodestats {} {:.3}", info.nodes, info.time.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::message::{DialectName, MoveLine, Text};
    use crate::protocol::{dialect, parse};

    fn read(line: &str) -> Option<Step> {
        match parse(dialect(DialectName::NBoard), line).command {
            Ok(Some(Command::Step(step))) => Some(step),
            Ok(None) => None,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn commands_become_steps() {
        let text = |column, text: &str| Text { column, text: text.into() };
        assert_eq!(read("nboard 2\r"), Some(Step::Tell("set myname griot".into())));
        assert_eq!(read("set depth 6"), Some(Step::Limit(Limit::Depth(Some(6)))));
        assert_eq!(read("move F5//1.2"), Some(Step::Played(text(6, "F5"), Duration::from_millis(1200))));
        assert_eq!(read("move PA/-1.25"), Some(Step::Played(text(6, "PA"), Duration::ZERO)));
        assert_eq!([read("go"), read("hint 3")], [Some(Step::Advise(None)), Some(Step::Advise(Some(3)))]);
        assert_eq!([read("ping 7"), read("analyze")], [Some(Step::Ping(7)), Some(Step::Analyse)]);
        assert_eq!(read("set Threads 2"), Some(Step::SetOption(text(5, "Threads"), text(13, "2"))));
        assert!(matches!(read("set game (;GM[Othello]B[F5];)"), Some(Step::Game(game)) if game.moves.len() == 1));
        for skipped in ["new 8", "set contempt 100", "set", "GO", "F5"] {
            assert_eq!(read(skipped), None, "{skipped}");
        }
    }

    #[test]
    fn a_bad_value_is_told_with_its_column() {
        for (line, said) in [
            (
                "set depth",
                "column 10: expected a whole number from 1 to 18446744073709551615, found the end of the line",
            ),
            ("hint many", "column 6: expected a whole number from 1 to 18446744073709551615, found 'many'"),
            ("move ?", "column 6: expected a move, as in F5 or PA/-1.25/3.4, found '?'"),
            ("ping", "column 5: expected a whole number from 0 to 18446744073709551615, found the end of the line"),
        ] {
            let Some(Step::Refused(problem)) = read(line) else { panic!("{line}") };
            assert_eq!(problem.to_string(), said, "{line}");
        }
    }

    #[test]
    fn only_a_greeting_with_its_version_opens_the_dialect() {
        assert!(opens("nboard 2") && opens("nboard 1"));
        assert!(!opens("nboard") && !opens("nboard two") && !opens("set depth 3"));
    }

    #[test]
    fn a_line_of_play_has_no_blanks_and_discs_for_a_value() {
        let pv = MoveLine { moves: vec!["f5".into(), "0000".into(), "d6".into()], may_glue: false };
        let score = Some((ReportedScore::Centi(-125), ReportedBound::Exact));
        let info = Info { depth: 7, score, nodes: 12, time: Duration::from_millis(34), pv, ..Info::default() };
        assert_eq!(numbers(&info), "search F5PAD6 -1.25 0 7\nnodestats 12 0.034");
        assert!(numbers(&Info { certain: true, ..info.clone() }).contains(" -1.25 0 100%\n"));
        let bound = Some((ReportedScore::Centi(3), ReportedBound::Lower));
        assert_eq!(numbers(&Info { score: bound, ..info }), "nodestats 12 0.034");
        assert!(means("pass", "0000") && means("f5", "f5") && means("F5", "f5") && !means("PA", "a1"));
    }
}
