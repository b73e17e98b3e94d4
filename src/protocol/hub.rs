//! The grammar of Hub, the protocol of draughts engines: a command and arguments, `pos pos=W… moves="32-28 19-23"`.
//!
//! Layer 4. Pure. A position is sent whole before every search; `level` sets limits, which hold until the next one. Values may
//! stand in quotes. Unknown commands and arguments are ignored, as the protocol defines; an error is `error message="…"`.
//! CITE: F. Letouzey, "Hub protocol for draughts", version 2, 2017 (in the archive of Scan 3).

use std::fmt::Write;
use std::time::Duration;

use nom::Err;

use super::parse::{Parsed, Wrong, clamped, text_at, whole_number, word};
use crate::message::{
    ClockTime, Command, DialectName, Go, Info, OptionKind, OptionSpec, ReportedScore, Setup, Step, Text,
};

/// The values of the parameter `variant`, those of Scan first, and the games that they are.
const VARIANTS: [(&str, &str); 9] = [
    ("normal", "draughts:international"),
    ("bt", "draughts:breakthrough"),
    ("frisian", "draughts:frisian"),
    ("losing", "draughts:losing"),
    ("english", "draughts:english"),
    ("russian", "draughts:russian"),
    ("brazilian", "draughts:brazilian"),
    ("italian", "draughts:italian"),
    ("pool", "draughts:pool"),
];

/// The option that chooses a game in the notation of a protocol.
const VARIANT: &str = "UCI_Variant";

/// Options of other dialects, which Hub does not show.
const FOREIGN: [&str; 2] = ["Game", "UCI_Chess960"];

/// The longest time that is read, in seconds: about 136 years.
const LONGEST: f64 = u32::MAX as f64;

/// Whether this first line selects the dialect.
pub(super) fn opens(start: &str) -> bool {
    start.trim_end() == "hub"
}

/// An argument: its name, and its value if it has one.
struct Argument<'a> {
    name: &'a str,
    value: &'a str,
}

/// Splits the arguments of a command. A quote that is not closed ends with the line.
fn arguments(mut rest: &str) -> Vec<Argument<'_>> {
    let mut found = Vec::new();
    loop {
        rest = rest.trim_start();
        if rest.is_empty() {
            return found;
        }
        let end = rest.find(|c: char| c == '=' || c.is_whitespace()).unwrap_or(rest.len());
        let (name, after) = rest.split_at(end);
        // Blanks may stand around the sign.
        let Some(after) = after.trim_start().strip_prefix('=') else {
            found.push(Argument { name, value: "" });
            rest = after;
            continue;
        };
        let after = after.trim_start();
        let (value, after) = match after.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => after.split_at(after.find(char::is_whitespace).unwrap_or(after.len())),
        };
        found.push(Argument { name, value });
        rest = after;
    }
}

fn wrong<'a, T>(at: &'a str, expected: &'static str) -> Parsed<'a, T> {
    Err(Err::Failure(Wrong { at, expected }))
}

/// The grammar; `None` for lines to skip. `line` is the whole line that contains `input`.
pub(super) fn command<'a>(line: &'a str, input: &'a str) -> Parsed<'a, Option<Command>> {
    let (rest, name) = word(input)?;
    let given = arguments(rest);
    let value = |name: &str| given.iter().find(|argument| argument.name == name).map(|argument| argument.value);
    let has = |name: &str| given.iter().any(|argument| argument.name == name);
    Ok((
        "",
        Some(match name {
            "hub" => Command::Greet(DialectName::Hub),
            "init" => Command::IsReady,
            "ping" => Command::Ping,
            "stop" => Command::Stop,
            "ponder-hit" => Command::PonderHit,
            "new-game" => Command::NewGame,
            "quit" => Command::Quit,
            "set-param" => {
                let Some(name) = value("name") else { return wrong(rest, "name= and the name of a parameter") };
                let text = value("value").unwrap_or_default();
                if name == "variant" {
                    let Some((_, game)) = VARIANTS.iter().find(|(known, _)| *known == text) else {
                        return wrong(
                            text,
                            "a variant: normal, bt, frisian, losing, english, russian, brazilian, italian, pool",
                        );
                    };
                    Command::Step(Step::Variant((*game).into()))
                } else {
                    Command::SetOption { name: text_at(line, name), value: Some(text_at(line, text)) }
                }
            }
            "pos" => {
                let Some(board) = value("pos").filter(|board| !board.is_empty()) else {
                    return wrong(rest, "pos= and a position");
                };
                let moves = value("moves").map_or_else(Text::default, |moves| text_at(line, moves));
                Command::Position(Setup { board: Some(text_at(line, board)), moves, warnings: Vec::new() })
            }
            "level" => Command::Step(Step::Level(Box::new(level(&given, rest)?))),
            "go" => {
                let go = Go { by_level: true, ponder: has("ponder"), ..Go::default() };
                if !["think", "ponder", "analyze"].iter().any(|mode| has(mode)) {
                    return wrong(rest, "think, ponder or analyze");
                }
                Command::Go(go)
            }
            _ => return Ok(("", None)),
        }),
    ))
}

/// The limits of the searches to come. Both clocks are that of the side that will be to move.
fn level<'a>(given: &[Argument<'a>], rest: &'a str) -> Result<Go, Err<Wrong<'a>>> {
    let mut go = Go::default();
    let bad = |at, expected| Err(Err::Failure(Wrong { at, expected }));
    let mut known = false;
    for &Argument { name, value } in given {
        let whole = whole_number(value).filter(|&number| number > 0);
        let time = value.parse::<f64>().ok().filter(|seconds| seconds.is_finite() && *seconds >= 0.0);
        let time = time.map(|seconds| Duration::from_secs_f64(seconds.min(LONGEST)));
        match name {
            "infinite" => go.infinite = true,
            "depth" | "moves" | "nodes" => {
                let Some(number) = whole else { return bad(value, "a whole number from 1") };
                match name {
                    "depth" => go.depth = Some(clamped(number)),
                    "nodes" => go.nodes = Some(number),
                    _ => go.moves_to_go = Some(clamped(number)),
                }
            }
            "move-time" | "time" | "inc" => {
                let Some(time) = time else { return bad(value, "a number of seconds") };
                match name {
                    "move-time" => go.movetime = Some(time),
                    "time" => go.clocks = go.clocks.map(|clock| ClockTime { remaining: Some(time), ..clock }),
                    _ => go.clocks = go.clocks.map(|clock| ClockTime { increment: time, ..clock }),
                }
            }
            _ => continue,
        }
        known = true;
    }
    if known { Ok(go) } else { bad(rest, "depth=, move-time=, time=, moves=, inc= or infinite") }
}

/// A value, in quotes where it needs them.
fn quoted(value: &str) -> String {
    let is_plain = !value.is_empty() && !value.contains(|c: char| c.is_whitespace() || c == '=' || c == '"');
    if is_plain { value.to_owned() } else { format!("\"{}\"", value.replace('"', "'")) }
}

/// The declaration of an option.
pub(super) fn parameter(spec: &OptionSpec) -> Option<String> {
    if FOREIGN.contains(&spec.name) {
        return None;
    }
    let name = quoted(spec.name);
    Some(match &spec.kind {
        OptionKind::Combo { default, .. } if spec.name == VARIANT => {
            let now = VARIANTS.iter().find(|(_, game)| game == default).map_or(VARIANTS[0].0, |(name, _)| name);
            let all: Vec<&str> = VARIANTS.iter().map(|(name, _)| *name).collect();
            format!("param name=variant value={now} type=enum values=\"{}\"", all.join(" "))
        }
        OptionKind::Check { default } => format!("param name={name} value={default} type=bool"),
        OptionKind::Spin { default, min, max } => {
            format!("param name={name} value={default} type=int min={min} max={max}")
        }
        OptionKind::Combo { default, choices } => {
            format!("param name={name} value={} type=enum values=\"{}\"", quoted(default), choices.join(" "))
        }
        OptionKind::Button => return None,
        OptionKind::String { default } => format!("param name={name} value={} type=string", quoted(default)),
    })
}

/// The value in men; a certain result is near 100, the nearer the sooner.
fn men(score: ReportedScore) -> f64 {
    match score {
        ReportedScore::Centi(centi) => f64::from(centi) / 100.0,
        ReportedScore::Mate(moves) if moves > 0 => 100.0 - f64::from(moves) / 50.0,
        ReportedScore::Mate(moves) => -100.0 - f64::from(moves) / 50.0,
    }
}

/// The numbers of a search.
pub(super) fn numbers(info: &Info) -> String {
    let mut text = format!("info depth={}", info.depth);
    // Writing to a string cannot fail.
    if let Some((score, _)) = info.score {
        let _ = write!(text, " score={:.2}", men(score));
    }
    let _ = write!(text, " nodes={} time={:.3}", info.nodes, info.time.as_secs_f64());
    let _ = write!(text, " nps={:.3}", info.nps as f64 / 1e6);
    if !info.pv.moves.is_empty() {
        let _ = write!(text, " pv=\"{}\"", info.pv.moves.join(" "));
    }
    text
}

/// The move that was found.
pub(super) fn done(best: Option<&str>, ponder: Option<&str>) -> String {
    let mut text = String::from("done");
    for (name, mv) in [("move", best), ("ponder", ponder)] {
        if let Some(mv) = mv {
            let _ = write!(text, " {name}={mv}");
        }
    }
    text
}

/// A line for people.
pub(super) fn note(text: &str) -> String {
    match text.strip_prefix("error: ") {
        Some(text) => format!("error message=\"{}\"", text.replace('"', "'")),
        None => format!("info message=\"{}\"", text.replace('"', "'")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::{MoveLine, ReportedBound};
    use crate::protocol::{dialect, parse};

    fn read(line: &str) -> Option<Command> {
        parse(dialect(DialectName::Hub), line).command.unwrap_or_else(|problem| panic!("{line}: {problem}"))
    }

    #[test]
    fn commands_have_arguments_with_and_without_quotes() {
        assert_eq!(read("hub"), Some(Command::Greet(DialectName::Hub)));
        let text = |column, text: &str| Text { column, text: text.into() };
        assert_eq!(
            read("pos pos=Wbe moves=\"32-28 19x23x14\""),
            Some(Command::Position(Setup {
                board: Some(text(9, "Wbe")),
                moves: text(20, "32-28 19x23x14"),
                warnings: Vec::new()
            }))
        );
        assert_eq!(
            read("set-param name=\"Skill Level\" value = 3"),
            Some(Command::SetOption { name: text(17, "Skill Level"), value: Some(text(38, "3")) })
        );
        assert_eq!(
            read("set-param name=variant value=bt"),
            Some(Command::Step(Step::Variant("draughts:breakthrough".into())))
        );
        for skipped in ["hello", "GO think", "bye now=1"] {
            assert_eq!(read(skipped), None, "{skipped}");
        }
        assert_eq!(
            read("go think").map(|go| matches!(go, Command::Go(Go { by_level: true, ponder: false, .. }))),
            Some(true)
        );
        assert_eq!(
            read("go ponder").map(|go| matches!(go, Command::Go(Go { by_level: true, ponder: true, .. }))),
            Some(true)
        );
    }

    #[test]
    fn a_level_is_a_limit_for_the_searches_to_come() {
        let level = |line: &str| match read(line) {
            Some(Command::Step(Step::Level(go))) => *go,
            other => panic!("{line}: {other:?}"),
        };
        assert_eq!(level("level depth=9").depth, Some(9));
        assert_eq!(level("level move-time=0.5").movetime, Some(Duration::from_millis(500)));
        assert!(level("level infinite").infinite);
        let clock = level("level moves=9 time=291.587 inc=1");
        let own = ClockTime { remaining: Some(Duration::from_millis(291_587)), increment: Duration::from_secs(1) };
        assert_eq!((clock.moves_to_go, clock.clocks), (Some(9), [own; 2]));
    }

    #[test]
    fn a_bad_value_is_told_with_its_column() {
        for (line, said) in [
            ("level depth=x", "column 13: expected a whole number from 1, found 'x'"),
            (
                "level",
                "column 6: expected depth=, move-time=, time=, moves=, inc= or infinite, found the end of the line",
            ),
            (
                "set-param name=variant value=chess",
                "column 30: expected a variant: normal, bt, frisian, losing, english, russian, brazilian, italian, pool, found 'chess'",
            ),
        ] {
            let told = match parse(dialect(DialectName::Hub), line).command {
                Ok(Some(Command::Step(Step::Refused(problem)))) => problem.to_string(),
                other => panic!("{line}: {other:?}"),
            };
            assert_eq!(told, said, "{line}");
        }
        assert!(matches!(read("pos moves=\"1-2\""), Some(Command::RefusedPosition(_))));
        assert!(matches!(read("go"), Some(Command::RefusedGo(_))));
    }

    #[test]
    fn numbers_and_moves_are_written_as_the_protocol_has_them() {
        let pv = MoveLine { moves: vec!["32-28".into(), "19x23x14".into()], may_glue: false };
        let score = Some((ReportedScore::Centi(-125), ReportedBound::Exact));
        let info =
            Info { depth: 7, score, nodes: 12, nps: 2_500_000, time: Duration::from_millis(34), pv, ..Info::default() };
        assert_eq!(numbers(&info), "info depth=7 score=-1.25 nodes=12 time=0.034 nps=2.500 pv=\"32-28 19x23x14\"");
        assert_eq!((men(ReportedScore::Mate(2)), men(ReportedScore::Mate(-2))), (99.96, -99.96));
        assert_eq!(done(Some("32-28"), Some("19-23")), "done move=32-28 ponder=19-23");
        assert_eq!(note("error: no \"x\""), "error message=\"no 'x'\"");
        let spec = |kind| OptionSpec { name: "Skill Level", kind, help: "" };
        assert_eq!(
            parameter(&spec(OptionKind::Spin { default: 20, min: 0, max: 20 })).as_deref(),
            Some("param name=\"Skill Level\" value=20 type=int min=0 max=20")
        );
    }
}
