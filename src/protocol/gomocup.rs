//! The grammar of Gomocup: `START`, `BEGIN`, `TURN 7,7`, and points of two numbers from 0.
//!
//! Layer 4. Pure. Words are read in any case. A first word in capitals selects the dialect, and so does a first line that only
//! Yixin-Board sends: `info show_detail 1`, `yxshowinfo` or `START 15 15`, in any case.
//! CITE: M. Petříček, P. Laštovička, "Gomoku AI protocol", 2000-2020.

use std::fmt::Write as _;
use std::time::Duration;

use nom::{Err, Parser};

use super::parse::{FROM_ZERO, MILLISECONDS, Parsed, Wrong, clamped, expect, one_of, set, text_at, whole_number, word};
use crate::message::{
    Answer, Command, Info, Limit, List, ReportedBound, ReportedScore, Step, Swap2Choice, Text, Timing,
};

/// The commands (`RECSTART` is a spelling of some managers), then those of Yixin-Board.
const COMMANDS: &[&str] = &[
    "ABOUT",
    "START",
    "RECTSTART",
    "RECSTART",
    "RESTART",
    "BEGIN",
    "TURN",
    "BOARD",
    "DONE",
    "TAKEBACK",
    "INFO",
    "END",
    "PLAY",
    "SWAP2BOARD",
    "YXSHOWINFO",
    "YXBOARD",
    "YXNBEST",
    "YXSEARCHDEFEND",
    "YXSTOP",
    "YXHASHCLEAR",
    "YXSHOWFORBID",
    "YXSWAP2STEP1",
    "YXSWAP2STEP2",
    "YXSWAP2STEP3",
    "YXBLOCK",
    "YXBLOCKRESET",
    "YXDRAW",
    "YXRESIGN",
];

/// Commands of Yixin-Board with a list that griot ignores: its database, paths, and openings but swap2.
const SKIPPED_LISTS: &[&str] = &[
    "YXQUERYDATABASEALL",
    "YXQUERYDATABASEONE",
    "YXSETBESTMOVEDATABASE",
    "YXCLEARBESTMOVEDATABASE",
    "YXEDITLABELDATABASE",
    "YXEDITTVDDATABASE",
    "YXDELETEDATABASEONE",
    "YXDELETEDATABASEALL",
    "YXBLOCKUNDO",
    "YXBLOCKPATH",
    "YXBLOCKPATHUNDO",
    "YXSOOSORVSTEP2",
    "YXSOOSORVSTEP3",
    "YXSOOSORVSTEP4",
    "YXSOOSORVSTEP5",
    "YXSOOSORVSTEP6",
];

/// The keys of `INFO` that are known.
const INFO_KEYS: &[&str] = &[
    "timeout_turn",
    "timeout_match",
    "time_left",
    "max_memory",
    "rule",
    "max_depth",
    "max_node",
    "hash_size",
    "thread_num",
    "show_detail",
];

/// Limits reported to Yixin-Board: threads, and the table as a power of two (2^30 KiB).
const LIMITS: &str = "MESSAGE INFO MAX_THREAD_NUM 256\nMESSAGE INFO MAX_HASH_SIZE 30";

/// A manager's value for no limit.
const NO_LIMIT: u64 = i32::MAX as u64;

/// The answer to `ABOUT`.
const ABOUT: &str =
    concat!("name=\"griot\", version=\"", env!("CARGO_PKG_VERSION"), "\", author=\"the griot authors\"");

const POINT: &str = "a point of two numbers, as in 7,7";

/// Whether this first line selects the dialect.
pub(super) fn opens(start: &str) -> bool {
    word(start).is_ok_and(|(rest, name)| {
        let capitals = name.to_ascii_uppercase();
        let next = || word(rest).map_or("", |(_, next)| next);
        match capitals.as_str() {
            _ if COMMANDS.contains(&name) => true,
            "START" => whole_number(next()).is_some(),
            "RECTSTART" | "RECSTART" => next().contains(','),
            "INFO" => INFO_KEYS.contains(&next().to_ascii_lowercase().as_str()),
            _ => {
                capitals.starts_with("YX")
                    && (COMMANDS.contains(&capitals.as_str()) || SKIPPED_LISTS.contains(&capitals.as_str()))
            }
        }
    })
}

/// The grammar. `line` is the whole line that contains `input`.
pub(super) fn command<'a>(line: &'a str, input: &'a str) -> Parsed<'a, Option<Command>> {
    if input.starts_with(|c: char| c.is_ascii_digit()) {
        return stone(line, input).map(|(rest, step)| (rest, Some(Command::Step(step))));
    }
    if one_of(SKIPPED_LISTS)(input).is_ok() {
        return Ok(("", Some(Command::Step(Step::List(List::Skip)))));
    }
    let (rest, name) = one_of(COMMANDS)(input)?;
    let (rest, step) = match name {
        "ABOUT" => (rest, Step::Tell(ABOUT.into())),
        "START" => {
            let (rest, side) = number(rest)?;
            // Yixin-Board sends a width and a height, and points as row and column: the board is read transposed.
            let (rest, cols) = if rest.is_empty() { (rest, side) } else { number(rest)? };
            (rest, Step::FiveInARow(cols, side))
        }
        "RECTSTART" | "RECSTART" => {
            let size = |word: &str| word.split_once(',').and_then(|(x, y)| whole_number(x).zip(whole_number(y)));
            let (rest, (cols, rows)) = expect("a width and a height, as in 20,15", word.map_opt(size)).parse(rest)?;
            (rest, Step::FiveInARow(cols, rows))
        }
        "RESTART" => (rest, Step::Clear),
        "BEGIN" => (rest, Step::Generate(None, None)),
        "TURN" => {
            let (rest, point) = point(line, rest)?;
            (rest, Step::Generate(None, Some(point)))
        }
        "PLAY" => {
            let (rest, point) = point(line, rest)?;
            (rest, Step::Impose(point))
        }
        "BOARD" => (rest, Step::List(List::Search)),
        "SWAP2BOARD" => (rest, Step::List(List::Swap2)),
        "YXBOARD" => (rest, Step::List(List::Position)),
        "YXBLOCK" => (rest, Step::List(List::Block)),
        "DONE" => (rest, Step::Done),
        "YXNBEST" => {
            let (rest, lines) = number(rest)?;
            (rest, Step::Best(Some(clamped(lines.max(1)))))
        }
        "YXSEARCHDEFEND" => (rest, Step::Best(None)),
        "YXSTOP" => return Ok((rest, Some(Command::Stop))),
        "YXHASHCLEAR" => (rest, Step::Forget),
        "YXSHOWFORBID" => (rest, Step::Forbidden),
        "YXSHOWINFO" => (rest, Step::Graphical(LIMITS.into())),
        "YXSWAP2STEP1" => (rest, Step::Swap2 { anew: true }),
        "YXSWAP2STEP2" | "YXSWAP2STEP3" => (rest, Step::Swap2 { anew: false }),
        "YXBLOCKRESET" => (rest, Step::Unblock),
        // Both are announcements without an answer.
        "YXDRAW" | "YXRESIGN" => return Ok((rest, None)),
        "TAKEBACK" => {
            let (rest, point) = point(line, rest)?;
            (rest, Step::Undo(Some(point)))
        }
        "INFO" => return info(rest),
        _ => return Ok((rest, Some(Command::Quit))),
    };
    Ok((rest, Some(Command::Step(step))))
}

/// `x,y`: the text of a point.
fn point<'a>(line: &'a str, input: &'a str) -> Parsed<'a, Text> {
    let is_point = |word: &&str| word.split_once(',').is_some_and(|(x, y)| [x, y].iter().all(|n| is_number(n)));
    let (rest, point) = expect(POINT, nom::combinator::verify(word, is_point)).parse(input)?;
    Ok((rest, text_at(line, point)))
}

fn is_number(text: &str) -> bool {
    whole_number(text).is_some()
}

/// `x,y,who`, between `BOARD` and `DONE`, or `x,y` for stones placed in turn. A `who` of 3 is a stone of a finished line in a game
/// that goes on; its owner is unknown, so it cannot be placed.
fn stone<'a>(line: &'a str, input: &'a str) -> Parsed<'a, Step> {
    let wrong = Err::Failure(Wrong { at: input, expected: "a stone, as in 7,7,1 (own) or 7,7,2 (the opponent's)" });
    let (rest, stone) = word(input)?;
    let (at, own) = match stone.match_indices(',').nth(1) {
        None => (stone, None),
        Some((end, _)) => match &stone[end..] {
            ",1" => (&stone[..end], Some(true)),
            ",2" => (&stone[..end], Some(false)),
            // It stands in a line that has won, in a game that goes on after it.
            ",3" => {
                let expected = "an owner of 1 or 2, as in 7,7,1; stones of continuous games (3) have none";
                return Err(Err::Failure(Wrong { at: input, expected }));
            }
            _ => return Err(wrong),
        },
    };
    let (_, point) = point(line, at).map_err(|_| wrong)?;
    Ok((rest, Step::Stone(point, own)))
}

/// `INFO KEY VALUE`. Unknown keys are skipped, as the protocol defines.
fn info(input: &str) -> Parsed<'_, Option<Command>> {
    let Ok((rest, key)) = one_of(INFO_KEYS)(input) else { return Ok(("", None)) };
    let mut value = 0;
    let is_time = matches!(key, "timeout_turn" | "timeout_match" | "time_left");
    let expected = if is_time { MILLISECONDS } else { FROM_ZERO };
    // A negative match clock has run out and is no error; a negative number of nodes means no limit.
    let may_be_negative = matches!(key, "time_left" | "max_node");
    let digits = if may_be_negative { rest.strip_prefix('-').unwrap_or(rest) } else { rest };
    let after = set(digits, expected, 0, |n| value = n)?;
    if digits.len() < rest.len() {
        value = 0;
    }
    let time = Duration::from_millis(value.min(NO_LIMIT));
    let limit = (value < NO_LIMIT && (value > 0 || key == "time_left")).then_some(time);
    let step = match key {
        "timeout_turn" => Step::Timing(Timing::Turn(time)),
        "max_memory" => Step::Memory(value),
        "rule" => Step::Rule(value),
        "max_depth" => Step::Limit(Limit::Depth((value > 0).then(|| clamped(value)))),
        "max_node" => Step::Limit(Limit::Nodes((value > 0).then_some(value))),
        "hash_size" => Step::HashSize(value),
        "thread_num" => {
            let text = |text: &str| Text { column: 1, text: text.to_owned() };
            Step::SetOption(text("Threads"), text(&value.clamp(1, 256).to_string()))
        }
        "show_detail" => Step::Detail(value & 1 != 0),
        _ => Step::Timing(Timing::Match(limit)),
    };
    Ok((after, Some(Command::Step(step))))
}

/// An answer with a move, a choice or a board.
pub(super) fn answer(answer: &Answer) -> Option<String> {
    Some(match answer {
        Answer::Swap2 { choice, graphical: false, .. } => match choice {
            Swap2Choice::Open(points) => points.join(" "),
            Swap2Choice::TwoMore(points) => points.join(" "),
            Swap2Choice::Swap => "SWAP".into(),
            Swap2Choice::Stay(point) => point.clone(),
        },
        Answer::Swap2 { choice, stones, graphical: true } => {
            let when = if *stones > 3 { 2 } else { 1 };
            match choice {
                Swap2Choice::Open(points) => placed(1, points),
                Swap2Choice::TwoMore(points) => placed(4, points),
                Swap2Choice::Swap => format!("MESSAGE SWAP2 SWAP{when} YES"),
                Swap2Choice::Stay(_) => format!("MESSAGE SWAP2 SWAP{when} NO"),
            }
        }
        Answer::Forbidden(points) => {
            let points: String = points.iter().map(|point| format!("{:02}{:02}", point.col, point.row)).collect();
            format!("FORBID {points}.")
        }
        _ => return None,
    })
}

/// Placed stones, in Yixin-Board's words, numbered from this one.
fn placed(first: usize, points: &[String]) -> String {
    let line = |(number, point): (usize, &String)| format!("MESSAGE SWAP2 MOVE{number} {}", point.replace(',', " "));
    (first..).zip(points).map(line).collect::<Vec<String>>().join("\n")
}

/// What managers show of the search in a narrow window: value and line, but no progress within an iteration.
pub(super) fn thought(info: &Info) -> Option<String> {
    let (score, bound) = info.score?;
    let mut text = format!("MESSAGE depth {}", info.depth);
    if let Some(rank) = info.rank {
        // Writing to a string cannot fail.
        let _ = write!(text, " multipv {rank}");
    }
    let _ = match score {
        ReportedScore::Centi(centi) => write!(text, " score cp {centi}"),
        ReportedScore::Mate(moves) => write!(text, " score mate {moves}"),
    };
    text += match bound {
        ReportedBound::Exact => "",
        ReportedBound::Lower => " lowerbound",
        ReportedBound::Upper => " upperbound",
    };
    let _ = write!(text, " nodes {} time {}", info.nodes, info.time.as_millis());
    if !info.pv.moves.is_empty() {
        let _ = write!(text, " pv {}", cells(&info.pv.moves));
    }
    Some(text)
}

/// The lines that Yixin-Board shows at once.
pub(super) fn better(info: &Info) -> Option<String> {
    let best = cell(info.pv.moves.first()?)?;
    let value = match info.score?.0 {
        ReportedScore::Centi(centi) => centi,
        // As in programs that count a win as 30000 less its distance.
        ReportedScore::Mate(moves) => moves.signum() * (30_000 - moves.abs()),
    };
    let line = cells(&info.pv.moves);
    Some(format!("MESSAGE REALTIME BEST {best}\nMESSAGE REALTIME VAL {value}\nMESSAGE REALTIME PV {line}"))
}

/// A line in the points of the protocol: front ends that number rows from the top have other letters and numbers on their boards.
fn cells(moves: &[String]) -> String {
    moves.iter().map(|mv| cell(mv).unwrap_or_else(|| mv.clone())).collect::<Vec<String>>().join(" ")
}

/// `h8` as `7,7`.
fn cell(mv: &str) -> Option<String> {
    let file = mv.bytes().next().filter(u8::is_ascii_lowercase)? - b'a';
    let rank = whole_number(&mv[1..])?.checked_sub(1)?;
    Some(format!("{file},{rank}"))
}

fn number(input: &str) -> Parsed<'_, u64> {
    let mut number = 0;
    let rest = set(input, FROM_ZERO, 0, |n| number = n)?;
    Ok((rest, number))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::{DialectName, MoveLine};
    use crate::protocol::{dialect, parse};

    fn read(line: &str) -> Option<Step> {
        match parse(dialect(DialectName::Gomocup), line).command {
            Ok(Some(Command::Step(step))) => Some(step),
            Ok(None) => None,
            other => panic!("{line}: {other:?}"),
        }
    }

    fn text(column: usize, text: &str) -> Text {
        Text { column, text: text.into() }
    }

    #[test]
    fn a_client_is_known_by_its_first_line() {
        for line in
            ["START 15", "start 15 15", "info show_detail 1", "INFO rule 1", "yxshowinfo", "YXBOARD", "rectstart 9,9"]
        {
            assert!(opens(line), "{line}");
        }
        for line in ["start", "startpos", "info", "info depth 3", "begin", "end", "yxnothing", "board", "about"] {
            assert!(!opens(line), "{line}");
        }
    }

    #[test]
    fn commands_become_steps() {
        assert_eq!(read("START 20\r"), Some(Step::FiveInARow(20, 20)));
        assert_eq!(read("rectstart 20,15"), Some(Step::FiveInARow(20, 15)));
        assert_eq!(read("BEGIN"), Some(Step::Generate(None, None)));
        assert_eq!(read("TURN 10,9"), Some(Step::Generate(None, Some(text(6, "10,9")))));
        assert_eq!(read("TAKEBACK 0,0"), Some(Step::Undo(Some(text(10, "0,0")))));
        assert_eq!(read("3,4,1"), Some(Step::Stone(text(1, "3,4"), Some(true))));
        assert_eq!(read("3,4,2"), Some(Step::Stone(text(1, "3,4"), Some(false))));
        assert_eq!(parse(dialect(DialectName::Gomocup), "END").command, Ok(Some(Command::Quit)));
        assert_eq!(read("SWAP2BOARD"), Some(Step::List(List::Swap2)));
        assert_eq!(read("RECSTART 20,15"), Some(Step::FiveInARow(20, 15)));
        assert_eq!(read("start 20 15"), Some(Step::FiveInARow(15, 20)));
        assert_eq!(read("3,4"), Some(Step::Stone(text(1, "3,4"), None)));
        assert_eq!(read("PLAY 3,4"), Some(Step::Impose(text(6, "3,4"))));
        assert_eq!([read("yxnbest 3"), read("yxsearchdefend")], [Some(Step::Best(Some(3))), Some(Step::Best(None))]);
        assert_eq!(read("yxquerydatabaseall"), Some(Step::List(List::Skip)));
        assert_eq!(read("yxdraw"), None);
        assert_eq!(parse(dialect(DialectName::Gomocup), "yxstop").command, Ok(Some(Command::Stop)));
        assert_eq!(read("SUGGEST 1,1"), Some(Step::Unknown("unknown command 'SUGGEST'".into())));
    }

    #[test]
    fn keys_of_info_are_read_and_others_skipped() {
        let limit = |ms| Some(Step::Timing(Timing::Match(Some(Duration::from_millis(ms)))));
        let none = Some(Step::Timing(Timing::Match(None)));
        assert_eq!(read("INFO timeout_turn 5000"), Some(Step::Timing(Timing::Turn(Duration::from_secs(5)))));
        assert_eq!(read("INFO timeout_turn 0"), Some(Step::Timing(Timing::Turn(Duration::ZERO))));
        assert_eq!([read("INFO timeout_match 9"), read("INFO time_left 9")], [limit(9), limit(9)]);
        assert_eq!([read("INFO timeout_match 0"), read("INFO time_left 2147483647")], [none.clone(), none]);
        assert_eq!([read("INFO time_left 0"), read("INFO time_left -7")], [limit(0), limit(0)]);
        assert_eq!(read("INFO max_memory 83886080"), Some(Step::Memory(83_886_080)));
        assert_eq!(read("INFO rule 1"), Some(Step::Rule(1)));
        assert_eq!(read("INFO max_depth 9"), Some(Step::Limit(Limit::Depth(Some(9)))));
        let nodes = [read("INFO max_node 5000"), read("INFO max_node -1")];
        assert_eq!(nodes, [5000, 0].map(|n| Some(Step::Limit(Limit::Nodes((n > 0).then_some(n))))));
        assert_eq!(read("info show_detail 1"), Some(Step::Detail(true)));
        for line in ["INFO game_type 2", "INFO folder /tmp/a b", "INFO evaluate 3,4", "INFO", "INFO pondering x"] {
            assert_eq!(read(line), None, "{line}");
        }
    }

    #[test]
    fn choices_and_forbidden_points_are_written_for_managers_and_for_boards() {
        let said =
            |choice: Swap2Choice, stones, graphical| answer(&Answer::Swap2 { choice, stones, graphical }).unwrap();
        let open = || Swap2Choice::Open(vec!["7,7".into(), "8,7".into(), "9,9".into()]);
        assert_eq!(said(open(), 0, false), "7,7 8,7 9,9");
        assert_eq!(said(open(), 0, true), "MESSAGE SWAP2 MOVE1 7 7\nMESSAGE SWAP2 MOVE2 8 7\nMESSAGE SWAP2 MOVE3 9 9");
        assert_eq!([3, 5].map(|stones| said(Swap2Choice::Swap, stones, false)), ["SWAP", "SWAP"]);
        assert_eq!(said(Swap2Choice::Stay("6,6".into()), 3, false), "6,6");
        assert_eq!(said(Swap2Choice::Swap, 3, true), "MESSAGE SWAP2 SWAP1 YES");
        assert_eq!(said(Swap2Choice::Stay("6,6".into()), 5, true), "MESSAGE SWAP2 SWAP2 NO");
        let two = || Swap2Choice::TwoMore(["8,8".into(), "8,6".into()]);
        assert_eq!(said(two(), 3, false), "8,8 8,6");
        assert_eq!(said(two(), 3, true), "MESSAGE SWAP2 MOVE4 8 8\nMESSAGE SWAP2 MOVE5 8 6");
        let points = [(7, 8), (14, 0)].map(|(col, row)| crate::message::Point { col, row });
        assert_eq!(answer(&Answer::Forbidden(points.to_vec())).as_deref(), Some("FORBID 07081400."));
        assert_eq!(answer(&Answer::Forbidden(Vec::new())).as_deref(), Some("FORBID ."));
        assert_eq!([cell("h8"), cell("v22"), cell("0000")], [Some("7,7".into()), Some("21,21".into()), None]);
    }

    /// Yixin-Board has room for some fifty letters.
    #[test]
    fn a_line_of_thought_is_short_and_has_the_points_of_the_protocol() {
        let numbers = Info { depth: 7, seldepth: 9, nodes: 1234, nps: 5, hashfull: 6, ..Info::default() };
        let progress = Info { current_move: Some(("h8".into(), 2)), ..numbers.clone() };
        assert_eq!(thought(&progress), None);
        let pv = MoveLine { moves: vec!["g8".into(), "i9".into()], may_glue: false };
        let score = |score, bound| Info { score: Some((score, bound)), pv: pv.clone(), ..numbers.clone() };
        let exact = score(ReportedScore::Centi(-67), ReportedBound::Exact);
        assert_eq!(thought(&exact).as_deref(), Some("MESSAGE depth 7 score cp -67 nodes 1234 time 0 pv 6,7 8,8"));
        let bound = Info { rank: Some(2), ..score(ReportedScore::Mate(3), ReportedBound::Lower) };
        let text = "MESSAGE depth 7 multipv 2 score mate 3 lowerbound nodes 1234 time 0 pv 6,7 8,8";
        assert_eq!(thought(&bound).as_deref(), Some(text));
        assert!(better(&exact).unwrap().ends_with("\nMESSAGE REALTIME PV 6,7 8,8"));
    }

    #[test]
    fn a_bad_value_is_told_with_its_column() {
        for (line, said) in [
            ("START", "column 6: expected a whole number from 0 to 18446744073709551615, found the end of the line"),
            ("RECTSTART 20", "column 11: expected a width and a height, as in 20,15, found '20'"),
            ("TURN 7", "column 6: expected a point of two numbers, as in 7,7, found '7'"),
            ("TURN 7,-7", "column 6: expected a point of two numbers, as in 7,7, found '7,-7'"),
            ("7,7,4", "column 1: expected a stone, as in 7,7,1 (own) or 7,7,2 (the opponent's), found '7,7,4'"),
            (
                "7,7,3",
                "column 1: expected an owner of 1 or 2, as in 7,7,1; stones of continuous games (3) have none, found '7,7,3'",
            ),
            ("INFO timeout_turn soon", "column 19: expected a whole number of milliseconds, found 'soon'"),
        ] {
            let Some(Step::Refused(problem)) = read(line) else { panic!("{line}") };
            assert_eq!(problem.to_string(), said, "{line}");
        }
    }
}
