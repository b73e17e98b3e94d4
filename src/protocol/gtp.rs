//! The grammar of GTP: every command has one answer, `=` or `?`, and a blank line after it.
//!
//! Layer 4. Pure. Commands are read in lower case, as GTP defines, colours and points in any case. Text after `#` is a comment,
//! except `# interrupt`, by which GoGui stops a search.
//! CITE: G. Farnebäck, "Specification of the Go Text Protocol, version 2, draft 2", 2002; the GoGui manual, chapters "Rules",
//! "Analyze Commands" and "Interrupting Commands".

use std::time::Duration;

use nom::branch::alt;
use nom::combinator::value;
use nom::{Err, Parser};

use super::parse::{FROM_ZERO, Parsed, Wrong, clamped, expect, is_blank, keyword, set, text_at, whole_number, word};
use crate::message::{Command, Player, Question, Step, Text, Timing};

/// Parses the arguments of a command. `line` is the whole line that contains `input`.
type Reader = for<'a> fn(line: &'a str, input: &'a str) -> Parsed<'a, Command>;

/// The commands, in the order of `list_commands`.
const COMMANDS: &[(&str, Reader)] = &[
    ("boardsize", size),
    ("clear_board", |_, input| Ok((input, Command::Step(Step::Clear)))),
    ("final_score", |_, input| show(input, Question::Score)),
    ("genmove", |_, input| {
        let (input, player) = colour(input)?;
        Ok((input, Command::Step(Step::Generate(Some(player), None))))
    }),
    ("gogui-analyze_commands", |_, input| tell(input, ANALYZE)),
    ("gogui-interrupt", |_, input| tell(input, "")),
    ("gogui-play_sequence", sequence),
    ("gogui-rules_board", |_, input| show(input, Question::Stones)),
    ("gogui-rules_board_gfx", |_, input| show(input, Question::Graphics)),
    ("gogui-rules_board_size", |_, input| show(input, Question::Size)),
    ("gogui-rules_captured_count", |_, input| show(input, Question::Captured)),
    ("gogui-rules_final_result", |_, input| show(input, Question::Result)),
    ("gogui-rules_game_id", |_, input| show(input, Question::Game)),
    ("gogui-rules_legal_moves", |_, input| show(input, Question::Moves)),
    ("gogui-rules_side_to_move", |_, input| show(input, Question::Turn)),
    ("kgs-genmove_cleanup", |_, input| {
        let (input, player) = colour(input)?;
        Ok((input, Command::Step(Step::Generate(Some(player), None))))
    }),
    ("known_command", |_, input| {
        let (input, name) = expect("the name of a command", word).parse(input)?;
        tell(input, if reader(name).is_some() { "true" } else { "false" })
    }),
    ("komi", |_, input| {
        let (input, _) = expect("a number", word.map_opt(|word| word.parse::<f64>().ok())).parse(input)?;
        tell(input, "")
    }),
    ("list_commands", |_, input| {
        let names: Vec<&str> = COMMANDS.iter().map(|(name, _)| *name).collect();
        tell(input, &names.join("\n"))
    }),
    ("loadsgf", load),
    ("name", |_, input| tell(input, "griot")),
    ("play", play),
    ("protocol_version", |_, input| tell(input, "2")),
    ("quit", |_, input| Ok((input, Command::Quit))),
    ("reg_genmove", |_, input| {
        let (input, player) = colour(input)?;
        Ok((input, Command::Step(Step::Consider(player))))
    }),
    ("showboard", |_, input| show(input, Question::Drawing)),
    ("time_left", time_left),
    ("time_settings", time_settings),
    ("undo", |_, input| Ok((input, Command::Step(Step::Undo(None))))),
    ("version", |_, input| tell(input, env!("CARGO_PKG_VERSION"))),
];

/// The entries of GoGui's analyze window: type, label, command.
const ANALYZE: &str = "\
gfx/Board/gogui-rules_board_gfx
pstring/Legal moves/gogui-rules_legal_moves
string/Drawing/showboard
string/Result/gogui-rules_final_result";

/// Whether this first line selects GTP. `quit` belongs to every dialect, and people type `play` without a colour and a point.
pub(super) fn opens(start: &str) -> bool {
    word(start).is_ok_and(|(rest, name)| match name {
        "quit" => false,
        "play" => word(rest).and_then(|(rest, _)| word(rest)).is_ok(),
        "cputime" => true,
        // Controllers ask first for what not every engine has.
        name if ["kgs-", "sabaki-", "gogui-", "lz-", "kata-"].iter().any(|head| name.starts_with(head)) => true,
        name => reader(name).is_some(),
    })
}

/// Splits off the number at the beginning of a line.
pub(super) fn number(start: &str) -> (Option<u64>, &str) {
    match word(start) {
        Ok((rest, digits)) => whole_number(digits).map_or((None, start), |id| (Some(id), rest)),
        Err(_) => (None, start),
    }
}

/// The grammar; a comment is not a command. `line` is the whole line that contains `input`.
pub(super) fn command<'a>(line: &'a str, input: &'a str) -> Parsed<'a, Option<Command>> {
    let said = input.split('#').next().unwrap_or(input).trim_end_matches(is_blank);
    if said.is_empty() {
        let remark = input.trim_start_matches('#').trim_matches(is_blank);
        return Ok(("", (remark == "interrupt").then_some(Command::Stop)));
    }
    let (rest, name) = word(said)?;
    let reader = reader(name).ok_or(Err::Error(Wrong { at: input, expected: "a command" }))?;
    let (rest, command) = reader(line, rest)?;
    Ok((rest, Some(command)))
}

fn reader(name: &str) -> Option<Reader> {
    COMMANDS.iter().find(|(known, _)| *known == name).map(|(_, reader)| *reader)
}

fn tell<'a>(input: &'a str, answer: &str) -> Parsed<'a, Command> {
    Ok((input, Command::Step(Step::Tell(answer.to_owned()))))
}

fn show(input: &str, question: Question) -> Parsed<'_, Command> {
    Ok((input, Command::Step(Step::Show(question))))
}

fn size<'a>(_line: &'a str, input: &'a str) -> Parsed<'a, Command> {
    let (input, size) = number_from_zero(input)?;
    Ok((input, Command::Step(Step::Size(size))))
}

fn play<'a>(line: &'a str, input: &'a str) -> Parsed<'a, Command> {
    let (rest, (player, point)) = coloured_move(line, input)?;
    Ok((rest, Command::Step(Step::Play(Some(player), point))))
}

fn sequence<'a>(line: &'a str, mut input: &'a str) -> Parsed<'a, Command> {
    let mut moves = Vec::new();
    while !input.trim_start_matches(is_blank).is_empty() {
        let (rest, mv) = coloured_move(line, input)?;
        moves.push(mv);
        input = rest;
    }
    Ok((input, Command::Step(Step::Sequence(moves))))
}

fn coloured_move<'a>(line: &'a str, input: &'a str) -> Parsed<'a, (Player, Text)> {
    let (input, player) = colour(input)?;
    let (rest, point) = expect("a point, as in a1, or 'pass'", word).parse(input)?;
    Ok((rest, (player, text_at(line, point))))
}

/// The name of a file may have blanks in it: the number of a move is the last word, and not the only one.
fn load<'a>(line: &'a str, input: &'a str) -> Parsed<'a, Command> {
    let (_, first) = expect("the name of a file", word).parse(input)?;
    let start = first.as_ptr().addr() - input.as_ptr().addr();
    let name = input[start..].trim_end_matches(is_blank);
    let number = name.rsplit_once(is_blank).and_then(|(name, last)| Some((name, whole_number(last)?)));
    let (name, number) = number.map_or((name, None), |(name, number)| (name.trim_end_matches(is_blank), Some(number)));
    Ok(("", Command::Step(Step::Load(text_at(line, name), number))))
}

fn time_settings<'a>(_line: &'a str, input: &'a str) -> Parsed<'a, Command> {
    let (input, main) = seconds(input)?;
    let (input, period) = seconds(input)?;
    let (input, moves) = number_from_zero(input)?;
    Ok((input, Command::Step(Step::Timing(Timing::Control { main, period, moves: clamped(moves) }))))
}

fn time_left<'a>(_line: &'a str, input: &'a str) -> Parsed<'a, Command> {
    let (input, player) = colour(input)?;
    let (input, time) = seconds(input)?;
    let (input, moves) = number_from_zero(input)?;
    Ok((input, Command::Step(Step::Timing(Timing::Left(player, time, clamped(moves))))))
}

fn colour(input: &str) -> Parsed<'_, Player> {
    expect(
        "'black' or 'white'",
        alt((
            value(Player::First, alt((keyword("b"), keyword("black")))),
            value(Player::Second, alt((keyword("w"), keyword("white")))),
        )),
    )
    .parse(input)
}

fn number_from_zero(input: &str) -> Parsed<'_, u64> {
    let mut number = 0;
    let rest = set(input, FROM_ZERO, 0, |n| number = n)?;
    Ok((rest, number))
}

/// Seconds with or without decimals, which some controllers send. Capped at about 136 years, so that sums do not overflow.
fn seconds(input: &str) -> Parsed<'_, Duration> {
    expect("a number of seconds from 0", word.map_opt(duration)).parse(input)
}

fn duration(word: &str) -> Option<Duration> {
    let (whole, decimals) = word.split_once('.').unwrap_or((word, "0"));
    let nanoseconds = whole_number(&format!("{:0<9.9}", decimals)).filter(|_| whole_number(decimals).is_some())?;
    Some(Duration::from_secs(whole_number(whole)?.min(u32::MAX.into())) + Duration::from_nanos(nanoseconds))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::DialectName;
    use crate::protocol::{Request, dialect, parse};

    fn read(line: &str) -> Request {
        parse(dialect(DialectName::Gtp), line)
    }

    fn step(line: &str) -> Step {
        match read(line).command {
            Ok(Some(Command::Step(step))) => step,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn a_number_is_kept_for_the_answer() {
        assert_eq!(read("12 quit"), Request { id: Some(12), command: Ok(Some(Command::Quit)), skipped: None });
        assert_eq!(read("undo").id, None);
        assert_eq!((read("7 nonsense").id, read("8 genmove").id), (Some(7), Some(8)));
        assert!(matches!(step("9"), Step::Unknown(_)));
        assert_eq!(step("-1 name"), Step::Unknown("unknown command '-1'".into()));
    }

    #[test]
    fn remarks_are_no_commands_but_one() {
        for line in ["", "  \t", "# interruption", "#", "# interrupt now"] {
            assert_eq!(read(line).command, Ok(None), "{line}");
        }
        assert_eq!(read(" # interrupt ").command, Ok(Some(Command::Stop)));
        assert_eq!(read("undo # that").command, Ok(Some(Command::Step(Step::Undo(None)))));
    }

    #[test]
    fn control_characters_are_dropped() {
        assert_eq!(step("\u{7}1 und\u{0}o\r"), Step::Undo(None));
        assert_eq!(read("\u{1}12 quit").id, Some(12));
    }

    #[test]
    fn colours_and_points_are_read_in_any_case() {
        let point = |column, text: &str| Text { column, text: text.into() };
        assert_eq!(step("play b D4"), Step::Play(Some(Player::First), point(8, "D4")));
        assert_eq!(step("3 play White  pass"), Step::Play(Some(Player::Second), point(15, "pass")));
        assert_eq!(step("genmove W"), Step::Generate(Some(Player::Second), None));
    }

    #[test]
    fn a_sequence_has_a_colour_before_every_point() {
        let point = |column, text: &str| Text { column, text: text.into() };
        let moves = vec![(Player::First, point(23, "d4")), (Player::Second, point(28, "D5"))];
        assert_eq!(step("gogui-play_sequence b d4 w D5 "), Step::Sequence(moves));
        assert_eq!(step("gogui-play_sequence"), Step::Sequence(Vec::new()));
        assert!(matches!(step("gogui-play_sequence b d4 d5"), Step::Refused(_)));
    }

    #[test]
    fn the_name_of_a_file_may_have_blanks_and_end_in_a_number() {
        let load = |text: &str, number| Step::Load(Text { column: 9, text: text.into() }, number);
        assert_eq!(step("loadsgf a.sgf"), load("a.sgf", None));
        assert_eq!(
            step("loadsgf  my game.sgf  12 "),
            Step::Load(Text { column: 10, text: "my game.sgf".into() }, Some(12))
        );
        assert_eq!(step("loadsgf 7"), load("7", None));
        assert!(matches!(step("loadsgf"), Step::Refused(_)));
    }

    #[test]
    fn every_command_is_known_and_listed() {
        let Step::Tell(list) = step("list_commands") else { panic!() };
        for name in list.lines() {
            assert_eq!(step(&format!("known_command {name}")), Step::Tell("true".into()));
            assert!(opens(&format!("{name} b a1")) || name == "quit");
        }
        for name in ["cputime", "kgs-chat", "sabaki-genmovelog", "gogui-play_sequence b a1", "loadsgf a.sgf 3"] {
            assert!(opens(name), "{name}");
        }
        assert_eq!(step("known_command cputime"), Step::Tell("false".into()));
        assert_eq!(step("Undo"), Step::Unknown("unknown command 'Undo'".into()));
    }

    #[test]
    fn times_may_have_decimals() {
        let left = |text: &str| match step(&format!("time_left b {text} 0")) {
            Step::Timing(Timing::Left(Player::First, time, 0)) => Some(time.as_micros()),
            _ => None,
        };
        for (text, micros) in [
            ("3", 3_000_000),
            ("0.25", 250_000),
            ("12.5000000001", 12_500_000),
            ("99999999999.5", 4_294_967_295_500_000),
        ] {
            assert_eq!(left(text), Some(micros), "{text}");
        }
        for text in [".", "1.", ".5", "-1", "1.x", "1e3"] {
            assert_eq!(left(text), None, "{text}");
        }
    }

    #[test]
    fn a_bad_value_is_told_with_its_column() {
        for (line, said) in [
            ("genmove", "column 8: expected 'black' or 'white', found the end of the line"),
            ("5 genmove red", "column 11: expected 'black' or 'white', found 'red'"),
            ("play b", "column 7: expected a point, as in a1, or 'pass', found the end of the line"),
            ("boardsize -3", "column 11: expected a whole number from 0 to 18446744073709551615, found '-3'"),
            ("time_left b soon 0", "column 13: expected a number of seconds from 0, found 'soon'"),
            ("komi much", "column 6: expected a number, found 'much'"),
        ] {
            let Step::Refused(problem) = step(line) else { panic!("{line}") };
            assert_eq!(problem.to_string(), said, "{line}");
        }
    }
}
