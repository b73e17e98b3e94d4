//! Parsing: a line to a command, with nom. What the grammars share, and the grammar of UGI and UCI.
//!
//! Layer 4. Pure. Words are separated by blanks, keywords are read in any case, unknown words before and inside a command are
//! skipped, and a known word with a bad value refuses the whole command. Board texts and moves stay text with their column: only the game
//! can read them.

use std::time::Duration;

use nom::branch::alt;
use nom::bytes::complete::{tag_no_case, take_till, take_while};
use nom::combinator::{cut, eof, opt, peek, rest, value, verify};
use nom::error::{ErrorKind, ParseError};
use nom::sequence::{preceded, terminated};
use nom::{Err, IResult, Parser};

use super::dialect::{Dialect, Grammar, Words, universal};
use super::{PROGRAM_COMMANDS, gomocup, gtp, hub, nboard, tidy};
use crate::message::{ClockTime, Command, DialectName, Go, Problem, Query, Setup, Step, Text};

/// Where a parser failed, and what it expected there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Wrong<'a> {
    pub(super) at: &'a str,
    pub(super) expected: &'static str,
}

impl<'a> ParseError<&'a str> for Wrong<'a> {
    fn from_error_kind(at: &'a str, _kind: ErrorKind) -> Self {
        Wrong { at, expected: "a command" }
    }
    fn append(_at: &'a str, _kind: ErrorKind, other: Self) -> Self {
        other
    }
}

pub(super) type Parsed<'a, T> = IResult<&'a str, T, Wrong<'a>>;

/// A parsed line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The client's number for it, repeated in the answer.
    pub id: Option<u64>,
    /// The command (`None` for a blank line), or its error.
    pub command: Result<Option<Command>, Problem>,
    /// A warning about unknown words before the command, if there were any.
    pub skipped: Option<Problem>,
}

/// The dialect that a first line selects, if it is a word of a dialect without a greeting.
#[must_use]
pub fn opened_by(line: &str) -> Option<DialectName> {
    let start = blanks(line);
    if gtp::opens(gtp::number(start).1) {
        Some(DialectName::Gtp)
    } else if gomocup::opens(start) {
        Some(DialectName::Gomocup)
    } else if nboard::opens(start) {
        Some(DialectName::NBoard)
    } else if hub::opens(start) {
        Some(DialectName::Hub)
    } else {
        None
    }
}

/// Whether the line is blank or a comment.
#[must_use]
pub fn is_empty(line: &str) -> bool {
    blanks(line).is_empty() || blanks(line).starts_with('#')
}

/// Reads a line of a dialect; a blank one is not a command.
///
/// An unknown first word or a bad value is a problem that names the column. A `position` or `go` with a bad value is still a
/// command, because it keeps its place among the others; so is every bad line of a dialect that answers each command.
#[must_use]
pub fn parse(dialect: &Dialect, line: &str) -> Request {
    // GTP drops control characters before anything else.
    if dialect.grammar == Grammar::Gtp && line.contains(is_dropped) {
        return parse(dialect, &line.replace(is_dropped, ""));
    }
    let start = blanks(line);
    let (id, start) = if dialect.grammar == Grammar::Gtp { gtp::number(start) } else { (None, start) };
    if start.is_empty() {
        // A number without a command still gets an answer.
        let command = id.map_or(Ok(None), |_| Ok(Some(Command::Step(Step::Unknown("expected a command".into())))));
        return Request { id, command, skipped: None };
    }
    let mut read = match dialect.grammar {
        Grammar::Universal(_) => command(line, start),
        Grammar::Gtp => gtp::command(line, start),
        Grammar::Gomocup => gomocup::command(line, start),
        Grammar::NBoard => nboard::command(line, start),
        Grammar::Hub => hub::command(line, start),
    };
    let (mut start, mut skipped) = (start, None);
    let is_unknown = matches!((dialect.grammar, &read), (Grammar::Universal(_), Err(Err::Error(_))));
    if let Some((at, warning)) = Some(start).filter(|_| is_unknown).and_then(|start| behind_unknown(line, start)) {
        read = command(line, at);
        (start, skipped) = (at, Some(warning));
    }
    let command = match read {
        Ok((_, command)) => Ok(command),
        Err(Err::Failure(Wrong { at, expected })) => {
            let found = match word(at) {
                Ok((_, word)) => format!("'{}'", tidy(word)),
                Err(_) => "the end of the line".into(),
            };
            let problem = Problem::at(column(line, at), format!("expected {expected}, found {found}"));
            return Request { id, skipped, ..refuse(dialect, &line[line.len() - start.len()..], problem) };
        }
        Err(_) => {
            let word = start.split(is_blank).next().unwrap_or(start);
            Ok(Some(match dialect.grammar {
                Grammar::Universal(_) => Command::Unknown(text_at(line, word)),
                _ => Command::Step(Step::Unknown(format!("unknown command '{}'", tidy(word)))),
            }))
        }
    };
    Request { id, command, skipped }
}

/// The rest of a line from the first command of programs behind an unknown word on, with a warning; `None` if there is none.
/// UCI demands it: `joho debug on` is `debug on`.
fn behind_unknown<'a>(line: &'a str, start: &'a str) -> Option<(&'a str, Problem)> {
    let mut at = start;
    while let Ok((after, _)) = word(at) {
        at = after;
        if one_of(&PROGRAM_COMMANDS)(at).is_ok() {
            let words = start[..start.len() - at.len()].trim_end_matches(is_blank);
            let text = format!("'{}' is not a command; going on with what follows", tidy(words));
            return Some((at, Problem::at(column(line, start), text)));
        }
    }
    None
}

/// The result for a line with this problem and a known first word: a problem, unless it is a `position` or `go`, or the dialect
/// answers every command; these keep their place among the others.
#[must_use]
pub fn refuse(dialect: &Dialect, line: &str, problem: Problem) -> Request {
    let start = blanks(line);
    let command = match dialect.grammar {
        Grammar::Universal(_) | Grammar::Hub if keyword("go").parse(start).is_ok() => {
            Ok(Some(Command::RefusedGo(problem)))
        }
        Grammar::Universal(_) if keyword("position").parse(start).is_ok() => {
            Ok(Some(Command::RefusedPosition(problem)))
        }
        Grammar::Hub if keyword("pos").parse(start).is_ok() => Ok(Some(Command::RefusedPosition(problem))),
        Grammar::Universal(_) => Err(problem),
        Grammar::Gtp | Grammar::Gomocup | Grammar::NBoard | Grammar::Hub => {
            Ok(Some(Command::Step(Step::Refused(problem))))
        }
    };
    let id = if dialect.grammar == Grammar::Gtp { gtp::number(start).0 } else { None };
    Request { id, command, skipped: None }
}

pub(super) fn is_blank(c: char) -> bool {
    c.is_ascii_whitespace() || c == '\u{b}'
}

/// Whether GTP drops this character.
fn is_dropped(c: char) -> bool {
    c.is_ascii_control() && !is_blank(c)
}

fn blanks(text: &str) -> &str {
    text.trim_start_matches(is_blank)
}

/// The column, in characters from 1, at which `part`, a tail of `line`, begins.
fn column(line: &str, part: &str) -> usize {
    let offset = (part.as_ptr() as usize).saturating_sub(line.as_ptr() as usize);
    line.get(..offset).map_or(1, |before| before.chars().count() + 1)
}

pub(super) fn text_at(line: &str, part: &str) -> Text {
    Text { column: column(line, part), text: part.trim_end_matches(is_blank).to_owned() }
}

/// One word and the blanks after it.
pub(super) fn word(input: &str) -> Parsed<'_, &str> {
    terminated(verify(take_till(is_blank), |word: &str| !word.is_empty()), take_while(is_blank)).parse(input)
}

/// The word `keyword` in any case, and the blanks after it.
pub(super) fn keyword<'a>(keyword: &'static str) -> impl Parser<&'a str, Output = &'a str, Error = Wrong<'a>> {
    terminated(
        terminated(tag_no_case(keyword), peek(alt((eof, verify(nom::bytes::complete::take(1_usize), starts_blank))))),
        take_while(is_blank),
    )
}

fn starts_blank(text: &str) -> bool {
    text.starts_with(is_blank)
}

/// Any of several keywords.
pub(super) fn one_of<'a>(keywords: &'static [&'static str]) -> impl FnMut(&'a str) -> Parsed<'a, &'static str> {
    move |input| {
        for &candidate in keywords {
            if let Ok((after, _)) = keyword(candidate).parse(input) {
                return Ok((after, candidate));
            }
        }
        Err(Err::Error(Wrong { at: input, expected: "a keyword" }))
    }
}

/// Everything up to the first keyword that is a word of its own, or to the end.
fn until<'a>(keywords: &'static [&'static str]) -> impl FnMut(&'a str) -> Parsed<'a, &'a str> {
    move |input| {
        let mut at = input;
        while !at.is_empty() && one_of(keywords)(at).is_err() {
            at = word(at)?.0;
        }
        Ok((at, &input[..input.len() - at.len()]))
    }
}

/// Adds what was expected to a parse error.
pub(super) fn expect<'a, T>(
    expected: &'static str,
    mut parser: impl Parser<&'a str, Output = T, Error = Wrong<'a>>,
) -> impl FnMut(&'a str) -> Parsed<'a, T> {
    move |input| {
        parser.parse(input).map_err(|error| match error {
            Err::Failure(wrong) => Err::Failure(wrong),
            _ => Err::Failure(Wrong { at: input, expected }),
        })
    }
}

/// The grammar of UGI and UCI. `line` is the whole line that contains `input`.
fn command<'a>(line: &'a str, input: &'a str) -> Parsed<'a, Option<Command>> {
    alt((
        greeting,
        value(Command::IsReady, keyword("isready")),
        value(Command::Stop, keyword("stop")),
        preceded(keyword("position"), cut(|input| position(line, input))).map(Command::Position),
        preceded(keyword("go"), cut(|input| go(line, input))).map(Command::Go),
        preceded(keyword("setoption"), cut(|input| set_option(line, input))),
        preceded(keyword("query"), rest).map(|question: &str| Command::Query(query(question.trim_end()))),
        value(Command::PonderHit, keyword("ponderhit")),
        preceded(
            keyword("debug"),
            expect("'on' or 'off'", alt((value(true, keyword("on")), value(false, keyword("off"))))),
        )
        .map(Command::Debug),
        value(Command::Query(Query::Drawing), keyword("d")),
        value(Command::Query(Query::Evaluation), keyword("eval")),
        value(Command::Flip, keyword("flip")),
        preceded(keyword("bench"), cut(bench)).map(Command::Bench),
        value(Command::Help, alt((keyword("help"), keyword("?")))),
        value(Command::Quit, keyword("quit")),
        new_game,
    ))
    .map(Some)
    .parse(input)
}

/// The question of a `query`, in any case.
fn query(question: &str) -> Query {
    let (first, rest) = question.split_once(char::is_whitespace).unwrap_or((question, ""));
    if first.eq_ignore_ascii_case("line") {
        return Query::Line(rest.to_owned());
    }
    match question.to_ascii_lowercase().as_str() {
        "gameover" => Query::Over,
        "p1turn" => Query::Turn,
        "result" => Query::Result,
        "fen" => Query::BoardText,
        "pass" => Query::Pass,
        "legalmoves" => Query::Moves,
        "board" => Query::Drawing,
        "picture" => Query::Picture,
        "games" => Query::Games,
        _ => Query::Unknown,
    }
}

fn greeting(input: &str) -> Parsed<'_, Command> {
    named(input, |words| words.greeting, Command::Greet)
}

fn new_game(input: &str) -> Parsed<'_, Command> {
    named(input, |words| words.new_game, |_| Command::NewGame)
}

/// A keyword that differs between the dialects.
fn named<'a>(
    input: &'a str,
    spelling: fn(&Words) -> &'static str,
    command: fn(DialectName) -> Command,
) -> Parsed<'a, Command> {
    for (name, words) in universal() {
        if let Ok((after, _)) = keyword(spelling(words)).parse(input) {
            return Ok((after, command(name)));
        }
    }
    Err(Err::Error(Wrong { at: input, expected: "a command" }))
}

fn position<'a>(line: &'a str, input: &'a str) -> Parsed<'a, Setup> {
    let (input, start) = expect("'startpos' or 'fen'", one_of(&["startpos", "fen"])).parse(input)?;
    let (after, between) = until(&["moves"])(input)?;
    // Of `position startpos e2e4` the word `moves` was forgotten: not to play the move would be a silent start position.
    if start == "startpos" && after.is_empty() && !between.is_empty() {
        let warning = Problem::at(column(line, between), "'moves' is missing; what follows is read as moves");
        return Ok((after, Setup { board: None, moves: text_at(line, between), warnings: vec![warning] }));
    }
    let board = match (start, between.trim_end()) {
        ("startpos", _) => None,
        (_, "") => return Err(Err::Failure(Wrong { at: input, expected: "a board text after 'fen'" })),
        (_, board) => Some(text_at(line, board)),
    };
    let (after, moves) = opt(preceded(keyword("moves"), rest)).parse(after)?;
    Ok((after, Setup { board, moves: text_at(line, moves.unwrap_or(after)), warnings: Vec::new() }))
}

/// The depth of a `bench`, if there is one.
fn bench(input: &str) -> Parsed<'_, Option<u32>> {
    if input.is_empty() {
        return Ok((input, None));
    }
    let mut depth = 0;
    let after = set(input, FROM_ONE, 1, |n| depth = clamped(n))?;
    Ok((after, Some(depth)))
}

fn set_option<'a>(line: &'a str, input: &'a str) -> Parsed<'a, Command> {
    let (input, _) = expect("'name' and the name of an option", keyword("name")).parse(input)?;
    let (after, name) = until(&["value"])(input)?;
    if name.is_empty() {
        return Err(Err::Failure(Wrong { at: input, expected: "the name of an option" }));
    }
    let (after, new_value) = opt(preceded(keyword("value"), rest)).parse(after)?;
    let value = new_value.map(|text: &str| {
        let value = text_at(line, text);
        if value.text == "<empty>" { Text { text: String::new(), ..value } } else { value }
    });
    Ok((after, Command::SetOption { name: text_at(line, name), value }))
}

/// The words of `go`, so that a list of moves knows where it ends.
const GO_WORDS: &[&str] = &[
    "depth",
    "nodes",
    "movetime",
    "infinite",
    "ponder",
    "mate",
    "searchmoves",
    "perft",
    "movestogo",
    "p1time",
    "p2time",
    "p1inc",
    "p2inc",
    "wtime",
    "btime",
    "winc",
    "binc",
];

const FROM_ONE: &str = "a whole number from 1 to 18446744073709551615";
pub(super) const FROM_ZERO: &str = "a whole number from 0 to 18446744073709551615";
pub(super) const MILLISECONDS: &str = "a whole number of milliseconds";

fn go<'a>(line: &'a str, mut input: &'a str) -> Parsed<'a, Go> {
    let mut go = Go::default();
    let mut unknown = None;
    while !input.is_empty() {
        let Ok((after, limit)) = one_of(GO_WORDS)(input) else {
            let (after, skipped) = word(input)?;
            unknown.get_or_insert((input, skipped));
            input = after;
            continue;
        };
        input = match limit {
            "perft" => set(after, FROM_ZERO, 0, |n| go.perft = Some(clamped(n)))?,
            "depth" | "nodes" | "mate" => {
                let (after, n) = tolerant(line, after, limit, (1, FROM_ONE), &mut go.warnings)?;
                match limit {
                    "depth" => go.depth = Some(clamped(n)),
                    "nodes" => go.nodes = Some(n),
                    _ => go.mate = Some(clamped(n)),
                }
                after
            }
            "movestogo" => {
                let (after, n) = tolerant(line, after, limit, (0, FROM_ZERO), &mut go.warnings)?;
                go.moves_to_go = (n > 0).then_some(clamped(n));
                after
            }
            "movetime" => {
                let (after, n) = tolerant(line, after, limit, (0, MILLISECONDS), &mut go.warnings)?;
                go.movetime = Some(Duration::from_millis(n));
                after
            }
            "infinite" => {
                go.infinite = true;
                after
            }
            "ponder" => {
                go.ponder = true;
                after
            }
            "searchmoves" => {
                let (after, moves) = until(GO_WORDS)(after)?;
                go.search_moves = Some(text_at(line, moves));
                after
            }
            clock => clock_time(line, after, clock, &mut go)?,
        };
    }
    // An unknown word in a `go` without a limit may be a misspelt limit.
    if let Some((at, word)) = unknown.filter(|_| !go.is_limited() && !go.infinite && !go.ponder) {
        let text = format!("'{}' is not a word of go, and there is no limit; searching until 'stop'", tidy(word));
        go.warnings.push(Problem::at(column(line, at), text));
    }
    Ok((input, go))
}

pub(super) fn clamped(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Reads a number of at least `least`, passes it to `set`, and returns the rest.
pub(super) fn set<'a>(
    input: &'a str,
    expected: &'static str,
    least: u64,
    set: impl FnOnce(u64),
) -> Result<&'a str, Err<Wrong<'a>>> {
    let (after, number) = expect(expected, word.map_opt(whole_number)).parse(input)?;
    if number < least {
        return Err(Err::Failure(Wrong { at: input, expected }));
    }
    set(number);
    Ok(after)
}

/// A number of plain digits; no sign.
pub(super) fn whole_number(word: &str) -> Option<u64> {
    word.bytes().all(|b| b.is_ascii_digit()).then(|| word.parse().ok()).flatten()
}

/// A number of a limit, at least `least`. Runners and people send fractions and numbers below that: they are taken as the nearest
/// number allowed, with a warning, so that the search still answers a move.
fn tolerant<'a>(
    line: &'a str,
    input: &'a str,
    name: &str,
    (least, expected): (u64, &'static str),
    warnings: &mut Vec<Problem>,
) -> Result<(&'a str, u64), Err<Wrong<'a>>> {
    let (after, text) = expect(expected, word).parse(input)?;
    let (negative, digits) = text.strip_prefix('-').map_or((false, text), |digits| (true, digits));
    let (whole, fraction) = digits.split_once('.').map_or((digits, None), |(whole, rest)| (whole, Some(rest)));
    let is_fraction = fraction.is_none_or(|rest| !rest.is_empty() && whole_number_text(rest));
    let number = whole_number(whole).filter(|_| is_fraction && !whole.is_empty());
    let number = number.ok_or(Err::Failure(Wrong { at: input, expected }))?;
    let taken = if negative { least } else { number.max(least) };
    if negative || number < least {
        let below = if least == 0 { "zero".to_owned() } else { least.to_string() };
        let text = format!("{name} is below {below}; taken as {taken}");
        warnings.push(Problem::at(column(line, input), text));
    } else if fraction.is_some() {
        let text = format!("{name} is not a whole number; taken as {taken}");
        warnings.push(Problem::at(column(line, input), text));
    }
    Ok((after, taken))
}

fn whole_number_text(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

/// A clock or an increment. A negative clock has run out; runners send it, so it is no error.
fn clock_time<'a>(line: &'a str, input: &'a str, name: &'static str, go: &mut Go) -> Result<&'a str, Err<Wrong<'a>>> {
    let side = usize::from(universal().any(|(_, words)| words.time[1] == name || words.increment[1] == name));
    let is_time = universal().any(|(_, words)| words.time.contains(&name));
    let (after, milliseconds) = tolerant(line, input, name, (0, MILLISECONDS), &mut go.warnings)?;
    let clock: &mut ClockTime = &mut go.clocks[side];
    let time = Duration::from_millis(milliseconds);
    if is_time {
        clock.remaining = Some(time);
    } else {
        clock.increment = time;
    }
    Ok(after)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{dialect, dialects};
    use super::*;

    fn parse(line: &str) -> Result<Option<Command>, Problem> {
        super::parse(dialect(DialectName::Ugi), line).command
    }

    fn unknown(line: &str) -> (usize, String) {
        match read(line) {
            Command::Unknown(Text { column, text }) => (column, text),
            other => panic!("{other:?}"),
        }
    }

    fn read(line: &str) -> Command {
        parse(line).unwrap().unwrap()
    }

    fn problem(line: &str) -> String {
        match parse(line) {
            Err(problem) | Ok(Some(Command::RefusedGo(problem) | Command::RefusedPosition(problem))) => {
                problem.to_string()
            }
            other => panic!("{other:?}"),
        }
    }

    fn text(column: usize, text: &str) -> Text {
        Text { column, text: text.into() }
    }

    #[test]
    fn plain_commands() {
        assert_eq!(read("ugi"), Command::Greet(DialectName::Ugi));
        assert_eq!(read("  uci\t"), Command::Greet(DialectName::Uci));
        assert_eq!(read("UciNewGame"), Command::NewGame);
        assert_eq!(read("debug  on"), Command::Debug(true));
        assert_eq!(read("isready please"), Command::IsReady);
        assert_eq!(read("d"), Command::Query(Query::Drawing));
        assert_eq!(read("query  LegalMoves "), Command::Query(Query::Moves));
        assert_eq!(read("query"), Command::Query(Query::Unknown));
        assert_eq!(read("query fen now"), Command::Query(Query::Unknown));
        assert_eq!(parse("  \t\r"), Ok(None));
        assert_eq!(parse(""), Ok(None));
    }

    #[test]
    fn positions_keep_their_texts_and_columns() {
        let setup = |board, moves| Command::Position(Setup { board, moves, warnings: Vec::new() });
        assert_eq!(read("position startpos"), setup(None, text(18, "")));
        assert_eq!(read("position startpos moves  A b "), setup(None, text(26, "A b")));
        assert_eq!(read("position startpos junk moves A"), setup(None, text(30, "A")));
        assert_eq!(
            read("position fen 3/1x1/3  o moves b2 c3\r"),
            setup(Some(text(14, "3/1x1/3  o")), text(31, "b2 c3"))
        );
    }

    #[test]
    fn options_keep_blanks_and_know_the_empty_value() {
        let option = |name, value| Command::SetOption { name, value };
        assert_eq!(read("setoption name Clear Hash"), option(text(16, "Clear Hash"), None));
        assert_eq!(
            read("setoption name Log File value /tmp/a b.txt "),
            option(text(16, "Log File"), Some(text(31, "/tmp/a b.txt")))
        );
        assert_eq!(read("setoption name Log File value <empty>"), option(text(16, "Log File"), Some(text(31, ""))));
        assert_eq!(read("setoption name Log File value"), option(text(16, "Log File"), Some(text(30, ""))));
    }

    #[test]
    fn go_takes_its_limits_in_any_order_and_mix() {
        let Command::Go(go) = read("go searchmoves A B depth 5 movetime 100 nodes 7 mate 3 frobnicate infinite") else {
            panic!()
        };
        assert_eq!((go.depth, go.nodes, go.mate, go.infinite), (Some(5), Some(7), Some(3), true));
        assert_eq!(go.search_moves, Some(text(16, "A B")));
        assert!(!go.is_bounded(), "infinite wins");
        let Command::Go(go) = read("go btime 200 winc 3 wtime 100 movestogo 9 binc 4") else { panic!() };
        let clock =
            |ms, inc| ClockTime { remaining: Some(Duration::from_millis(ms)), increment: Duration::from_millis(inc) };
        assert_eq!((go.clocks, go.moves_to_go), ([clock(100, 3), clock(200, 4)], Some(9)));
        assert!(go.is_bounded());
        let Command::Go(go) = read("go p2time 7") else { panic!() };
        assert_eq!((go.clocks[0], go.clocks[1]), (ClockTime::default(), clock(7, 0)));
        assert!(!matches!(read("go"), Command::Go(go) if go.is_bounded()));
        assert!(matches!(read("go depth 18446744073709551615"), Command::Go(go) if go.depth == Some(u32::MAX)));
    }

    #[test]
    fn a_clock_below_zero_has_run_out() {
        let Command::Go(go) = read("go p1time -5 p2time 100") else { panic!() };
        assert_eq!(go.clocks[0].remaining, Some(Duration::ZERO));
        assert_eq!(go.warnings, [Problem::at(11, "p1time is below zero; taken as 0")]);
    }

    /// Each of them answered `bestmove 0000`, and the client had lost.
    #[test]
    fn a_limit_that_is_no_whole_number_still_searches() {
        let go = |line: &str| match read(line) {
            Command::Go(go) => go,
            other => panic!("{other:?}"),
        };
        assert_eq!(go("go depth 0").warnings, [Problem::at(10, "depth is below 1; taken as 1")]);
        assert_eq!(
            (go("go depth 0").depth, go("go nodes -7").nodes, go("go mate 0").mate),
            (Some(1), Some(1), Some(1))
        );
        assert_eq!(go("go movetime -1").warnings, [Problem::at(13, "movetime is below zero; taken as 0")]);
        assert_eq!(go("go movetime -1").movetime, Some(Duration::ZERO));
        let fraction = go("go wtime 1000.5 btime 7");
        assert_eq!(fraction.clocks[0].remaining, Some(Duration::from_millis(1000)));
        assert_eq!(fraction.warnings, [Problem::at(10, "wtime is not a whole number; taken as 1000")]);
        for line in ["go wtime 1.", "go wtime .5", "go depth 1.x", "go depth 1.2.3", "go movetime -", "go wtime 1e3"] {
            assert!(problem(line).contains("expected a whole number"), "{line}");
        }
    }

    /// UCI: an unknown word is ignored, and the rest of the line read.
    #[test]
    fn a_command_behind_unknown_words_is_obeyed() {
        let request = super::parse(dialect(DialectName::Uci), " joho  debug on");
        assert_eq!(request.command, Ok(Some(Command::Debug(true))));
        assert_eq!(request.skipped, Some(Problem::at(2, "'joho' is not a command; going on with what follows")));
        let request = super::parse(dialect(DialectName::Ugi), "a b go depth x");
        assert_eq!(
            request.command,
            Ok(Some(Command::RefusedGo(Problem::at(
                14,
                "expected a whole number from 1 to 18446744073709551615, found 'x'"
            ))))
        );
        // What only people type is not a command there.
        for line in ["show d", "what is eval", "please help"] {
            assert!(matches!(read(line), Command::Unknown(_)), "{line}");
        }
    }

    #[test]
    fn moves_without_their_keyword_are_no_silent_start_position() {
        let Command::Position(setup) = read("position startpos e2e4 e7e5") else { panic!() };
        assert_eq!((setup.board, setup.moves), (None, text(19, "e2e4 e7e5")));
        assert_eq!(setup.warnings, [Problem::at(19, "'moves' is missing; what follows is read as moves")]);
    }

    #[test]
    fn a_word_that_go_does_not_know_is_warned_of_where_no_limit_is_known() {
        let warnings = |line: &str| match read(line) {
            Command::Go(go) => go.warnings,
            other => panic!("{other:?}"),
        };
        let text = "'dept' is not a word of go, and there is no limit; searching until 'stop'";
        assert_eq!(warnings("go dept 5"), [Problem::at(4, text)]);
        assert_eq!(warnings("go movestogo 3 dept 5"), [Problem::at(16, text)]);
        for line in
            ["go", "go infinite please", "go ponder please", "go quickly depth 1", "go depth 1 dept 2", "go mate 1 x"]
        {
            assert_eq!(warnings(line), [], "{line}");
        }
    }

    #[test]
    fn what_is_no_command_keeps_its_first_word() {
        assert_eq!(unknown("xboard"), (1, "xboard".into()));
        assert_eq!(unknown("  gogo depth 1"), (3, "gogo".into()));
        assert_eq!(unknown("isready\0"), (1, "isready\0".into()));
        assert_eq!(unknown("dd"), (1, "dd".into()));
    }

    #[test]
    fn a_bad_command_names_the_column_and_what_would_be_right() {
        for (line, said) in [
            ("position", "column 9: expected 'startpos' or 'fen', found the end of the line"),
            ("position fen", "column 13: expected a board text after 'fen', found the end of the line"),
            ("position fen moves A", "column 14: expected a board text after 'fen', found 'moves'"),
            ("go depth", "column 9: expected a whole number from 1 to 18446744073709551615, found the end of the line"),
            ("go depth x", "column 10: expected a whole number from 1 to 18446744073709551615, found 'x'"),
            (
                "go nodes 18446744073709551616",
                "column 10: expected a whole number from 1 to 18446744073709551615, found '18446744073709551616'",
            ),
            ("go wtime --1", "column 10: expected a whole number of milliseconds, found '--1'"),
            ("go depth +3", "column 10: expected a whole number from 1 to 18446744073709551615, found '+3'"),
            ("debug maybe", "column 7: expected 'on' or 'off', found 'maybe'"),
            ("setoption Hash value 3", "column 11: expected 'name' and the name of an option, found 'Hash'"),
            ("setoption name", "column 15: expected the name of an option, found the end of the line"),
            ("setoption name value 3", "column 16: expected the name of an option, found 'value'"),
        ] {
            assert_eq!(problem(line), said, "{line}");
        }
    }

    proptest! {
        #[test]
        fn no_line_panics(line in "\\PC*") {
            for (_, name) in dialects() {
                let _ = super::super::parse(dialect(name), &line);
            }
        }

        #[test]
        fn no_mixture_of_words_panics(words in prop::collection::vec(
            prop::sample::select(vec!["go", "depth", "position", "fen", "moves", "setoption", "name", "value", "-1", "5",
                "é", "\0", "startpos", "wtime", "searchmoves", "99999999999999999999", " ", "query", "debug"]), 0..12)) {
            let _ = parse(&words.join(" "));
        }
    }
}
