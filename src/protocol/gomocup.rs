//! The grammar of Gomocup: `START`, `BEGIN`, `TURN 7,7`, and points of two numbers from 0.
//!
//! Floor 4. Pure. Words are read in any case; a client is known by one in capitals.
//! CITE: M. Petříček, P. Laštovička, "Gomoku AI protocol", 2000-2020.

use std::time::Duration;

use nom::{Err, Parser};

use super::parse::{FROM_ZERO, MILLISECONDS, Parsed, Wrong, expect, one_of, set, text_at, whole_number, word};
use crate::message::{Command, Step, Text, Timing};

/// The commands.
const COMMANDS: &[&str] =
    &["ABOUT", "START", "RECTSTART", "RESTART", "BEGIN", "TURN", "BOARD", "DONE", "TAKEBACK", "INFO", "END"];

/// What a manager says is no limit at all.
const NO_LIMIT: u64 = i32::MAX as u64;

/// What griot says of itself.
const ABOUT: &str =
    concat!("name=\"griot\", version=\"", env!("CARGO_PKG_VERSION"), "\", author=\"the griot authors\"");

const POINT: &str = "a point of two numbers, as in 7,7";

/// Whether a client that begins so speaks this dialect.
pub(super) fn opens(start: &str) -> bool {
    word(start).is_ok_and(|(_, name)| COMMANDS.contains(&name))
}

/// The grammar. `line` is where `input` stands in.
pub(super) fn command<'a>(line: &'a str, input: &'a str) -> Parsed<'a, Option<Command>> {
    if input.starts_with(|c: char| c.is_ascii_digit()) {
        return stone(line, input).map(|(rest, step)| (rest, Some(Command::Step(step))));
    }
    let (rest, name) = one_of(COMMANDS)(input)?;
    let (rest, step) = match name {
        "ABOUT" => (rest, Step::Tell(ABOUT.into())),
        "START" => {
            let (rest, side) = number(rest)?;
            (rest, Step::FiveInARow(side, side))
        }
        "RECTSTART" => {
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
        "BOARD" => (rest, Step::Board),
        "DONE" => (rest, Step::Stones),
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

/// `x,y,who`, between `BOARD` and `DONE`. A `who` of 3 stands for a stone of a line that has won in a game that goes on after it;
/// whose it was is not told, so it cannot be placed.
fn stone<'a>(line: &'a str, input: &'a str) -> Parsed<'a, Step> {
    let wrong = Err::Failure(Wrong { at: input, expected: "a stone, as in 7,7,1 (own) or 7,7,2 (the opponent's)" });
    let (rest, stone) = word(input)?;
    let (at, who) = stone.rsplit_once(',').ok_or(wrong.clone())?;
    let own = match who {
        "1" => true,
        "2" => false,
        _ => return Err(wrong),
    };
    let (_, point) = point(line, at).map_err(|_| wrong)?;
    Ok((rest, Step::Stone(point, own)))
}

/// `INFO KEY VALUE`. Keys that are not known are skipped, as the protocol has it.
fn info(input: &str) -> Parsed<'_, Option<Command>> {
    let keys = one_of(&["timeout_turn", "timeout_match", "time_left", "max_memory", "rule"]);
    let Ok((rest, key)) = { keys }(input) else { return Ok(("", None)) };
    let mut value = 0;
    let expected = if matches!(key, "rule" | "max_memory") { FROM_ZERO } else { MILLISECONDS };
    // A match clock below zero has run out, which is a fact and not an error.
    let digits = if key == "time_left" { rest.strip_prefix('-').unwrap_or(rest) } else { rest };
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
        _ => Step::Timing(Timing::Match(limit)),
    };
    Ok((after, Some(Command::Step(step))))
}

fn number(input: &str) -> Parsed<'_, u64> {
    let mut number = 0;
    let rest = set(input, FROM_ZERO, 0, |n| number = n)?;
    Ok((rest, number))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::DialectName;
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
    fn commands_become_steps() {
        assert_eq!(read("START 20\r"), Some(Step::FiveInARow(20, 20)));
        assert_eq!(read("rectstart 20,15"), Some(Step::FiveInARow(20, 15)));
        assert_eq!(read("BEGIN"), Some(Step::Generate(None, None)));
        assert_eq!(read("TURN 10,9"), Some(Step::Generate(None, Some(text(6, "10,9")))));
        assert_eq!(read("TAKEBACK 0,0"), Some(Step::Undo(Some(text(10, "0,0")))));
        assert_eq!(read("3,4,1"), Some(Step::Stone(text(1, "3,4"), true)));
        assert_eq!(read("3,4,2"), Some(Step::Stone(text(1, "3,4"), false)));
        assert_eq!(parse(dialect(DialectName::Gomocup), "END").command, Ok(Some(Command::Quit)));
        assert_eq!(read("SWAP2BOARD"), Some(Step::Unknown("unknown command 'SWAP2BOARD'".into())));
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
        for line in ["INFO game_type 2", "INFO folder /tmp/a b", "INFO evaluate 3,4", "INFO", "INFO max_node x"] {
            assert_eq!(read(line), None, "{line}");
        }
    }

    #[test]
    fn a_bad_value_is_told_with_its_column() {
        for (line, said) in [
            ("START", "column 6: expected a whole number from 0 to 18446744073709551615, found the end of the line"),
            ("RECTSTART 20", "column 11: expected a width and a height, as in 20,15, found '20'"),
            ("TURN 7", "column 6: expected a point of two numbers, as in 7,7, found '7'"),
            ("TURN 7,-7", "column 6: expected a point of two numbers, as in 7,7, found '7,-7'"),
            ("7,7,3", "column 1: expected a stone, as in 7,7,1 (own) or 7,7,2 (the opponent's), found '7,7,3'"),
            ("INFO timeout_turn soon", "column 19: expected a whole number of milliseconds, found 'soon'"),
        ] {
            let Some(Step::Refused(problem)) = read(line) else { panic!("{line}") };
            assert_eq!(problem.to_string(), said, "{line}");
        }
    }
}
