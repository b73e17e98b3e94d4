//! `griot analyse`: positions in, one a line; what is known of them out, an object of JSON each, in the same order. Layer 6.
//!
//! One thread reads, each job searches with a session of its own, and the thread that was called puts the results in order and
//! writes them. What is written depends on the positions, the limits and the options, and with a limit of depth or nodes on
//! nothing else but the `time` it took.

use std::collections::HashMap;
use std::io::{self, BufRead, BufReader, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::thread;

use crossbeam_channel::{Sender, bounded};
use griot::encoding::Utf8Reader;
use griot::engine::{BadLine, next_line};
use griot::files;
use griot::message::{Picture, Problem};
use griot::registry::{DEFAULT_GAME, Registry, known_as};
use griot_records::Hints;
use serde::{Deserialize, Serialize};

use super::Failure;
use super::analysis::{Analysis, Analyst, Columns, WrittenPosition, open_limited};
use super::lines::{Known, LineFile, begins_as, breaks_off, write_line};
use super::pool::with_pool;
use super::progress::{Whole, bar};
use super::stop::Stop;
use crate::cli::{self, Cli, Field};

/// Lines that are read ahead.
const READ_AHEAD: usize = 64;

/// How much of a bad line is repeated, in characters.
const REPEATED: usize = 200;

const EXPECTED: &str = "expected GAME|BOARD|MOVES, or an object with game, board, moves and id";

pub(super) fn run(cli: &Cli, args: &cli::Analyse, out: &mut dyn Write) -> Result<(), Failure> {
    let game = args.game.as_ref().or(cli.game.as_ref()).map_or(DEFAULT_GAME, String::as_str).to_owned();
    // What is wrong with the command line is said before the first answer.
    open_limited(&Registry, cli, &game, &args.limits)?;
    let inputs = Inputs::open(&args.files, args.resume.as_deref())?;
    let mut held = Held::default();
    let mut file = match &args.resume {
        Some(path) => Some(LineFile::open(path, &mut held)?),
        None => None,
    };
    let out: &mut dyn Write = match &mut file {
        Some(file) => file,
        None => out,
    };

    let stop = Stop::by_ctrl_c()?;
    let held_before = held.count;
    // Nobody reads the files twice for a bar that is not seen.
    let count = if io::stderr().is_terminal() { count_all(&args.files) } else { None };
    let bar = bar(count.map_or(Whole::Unknown, |count| Whole::Exactly(count.saturating_sub(held_before))), "positions");
    let (lines, tasks) = bounded(READ_AHEAD);
    let reader = Reader { inputs, game, held, lines };
    // Not waited for: it may sit in a read that nothing ends.
    let reader = thread::Builder::new()
        .name("positions".into())
        .spawn(move || reader.run())
        .map_err(|error| Problem::new(format!("cannot start a thread to read on: {error}")))?;
    let worker = || {
        let mut analyst = Analyst::new(&Registry, cli, &args.limits, &stop);
        move |task: Task| answer(&mut analyst, task, args)
    };
    let mut written: u64 = 0;
    let done = with_pool(args.limits.jobs, &stop, worker, |pool| {
        pool.in_order(&tasks, |line: String| {
            written += 1;
            bar.inc(1);
            bar.suspend(|| write_line(out, line))
        })
    });
    bar.finish_and_clear();
    done?;
    if stop.is_said() {
        let rest = match &args.resume {
            Some(path) => {
                let now = held_before + written;
                let of = count_all(&args.files).map(|count| format!(", for {count} positions")).unwrap_or_default();
                format!("the same command goes on with {}, which holds {now} answers{of}", path.display())
            }
            None => "--resume FILE writes to a file, and goes on with it".into(),
        };
        return Err(Problem::new(format!("stopped after {written} positions; {rest}")).into());
    }
    match reader.join() {
        Ok(read) => read?,
        Err(_) => return Err(Problem::new("the thread that reads positions failed").into()),
    }
    if let Some(path) = args.resume.as_deref().filter(|_| held_before > 0) {
        // A closed stderr is no reason to stop.
        let _ = writeln!(io::stderr(), "{}: answers before: {held_before}, added: {written}", path.display());
    }
    Ok(())
}

/// A line that is to be answered.
struct Task {
    number: u64,
    what: Result<Asked, Bad>,
}

/// A position that is to be searched.
struct Asked {
    place: WrittenPosition,
    columns: Columns,
    id: Option<serde_json::Value>,
    /// The line itself.
    line: String,
}

/// A line without a position.
struct Bad {
    line: String,
    problem: Problem,
}

/// One line of output about a position.
#[derive(Serialize)]
struct Found<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a serde_json::Value>,
    position: &'a WrittenPosition,
    #[serde(flatten)]
    analysis: Analysis,
    #[serde(skip_serializing_if = "Option::is_none")]
    picture: Option<Picture>,
}

/// One line of output about a line that cannot be answered.
#[derive(Serialize)]
struct Wrong<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u64>,
    input: String,
    error: &'a str,
}

fn answer(analyst: &mut Analyst<'_>, task: Task, args: &cli::Analyse) -> String {
    let line = Some(task.number).filter(|_| !args.omit.contains(&Field::Line));
    let result = task.what.and_then(|Asked { place, columns, id, line: asked }| {
        let mut analysis = analyst.analyse(&place, columns).map_err(|problem| Bad { line: asked, problem })?;
        if args.omit.contains(&Field::Time) {
            analysis.time = None;
        }
        let picture = analyst.picture().filter(|_| args.picture);
        Ok(serde_json::to_string(&Found { line, id: id.as_ref(), position: &place, analysis, picture }))
    });
    let text = result.unwrap_or_else(|Bad { line: asked, problem }| {
        let error = problem.to_string();
        serde_json::to_string(&Wrong { line, input: repeated(&asked), error: &error })
    });
    // Maps with keys that are no text fail, and there are none.
    text.unwrap_or_else(|error| format!("{{\"line\":{},\"error\":\"{error}\"}}", task.number))
}

/// A bad line as the answer repeats it.
fn repeated(line: &str) -> String {
    line.chars().take(REPEATED).collect()
}

/// Reads the positions, and leaves out those that are answered already.
struct Reader {
    inputs: Inputs,
    /// The game where a line names none.
    game: String,
    held: Held,
    lines: Sender<Task>,
}

impl Reader {
    fn run(mut self) -> Result<(), Problem> {
        let mut number = 0;
        for (name, mut input) in std::mem::take(&mut self.inputs.0) {
            let start = input.fill_buf().map_err(|error| Problem::new(format!("{name}: {error}")))?;
            if griot_records::has_records(start) {
                if !self.read_records(&name, &mut input, &mut number)? {
                    return Ok(());
                }
                continue;
            }
            let mut first = true;
            loop {
                let read = next_line(&mut input).map_err(|error| Problem::new(format!("{name}: {error}")))?;
                let Some(read) = read else { break };
                number += 1;
                let what = match read {
                    Ok(line) => {
                        // Some editors put a byte order mark before the first line.
                        let line = if first { line.trim_start_matches('\u{FEFF}') } else { &line };
                        let line = line.trim_end();
                        if is_remark(line.as_bytes()) {
                            continue;
                        }
                        parse(line, &self.game)
                    }
                    // What a remark says need not be understood, nor be text.
                    Err(BadLine { beginning, .. })
                        if beginning.trim_start_matches('\u{FEFF}').trim_start().starts_with('#') =>
                    {
                        continue;
                    }
                    Err(BadLine { beginning, problem }) => Err(Bad { line: beginning, problem }),
                };
                first = false;
                if !self.pass_on(number, what) {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Passes a position on, unless it is answered already. Answers whether anybody listens.
    fn pass_on(&mut self, number: u64, what: Result<Asked, Bad>) -> bool {
        let is_held = match &what {
            Ok(asked) => self.held.find(&Key::WrittenPosition(asked.place.clone())),
            Err(bad) => self.held.find(&Key::Line(repeated(&bad.line))),
        };
        // A line that looked good may have been answered by an error.
        let is_held = is_held || matches!(&what, Ok(asked) if self.held.find(&Key::Line(repeated(&asked.line))));
        is_held || self.lines.send(Task { number, what }).is_ok()
    }

    /// Reads game records: of each game, the position at the end of its main line. Answers whether anybody listens.
    fn read_records(&mut self, name: &str, input: &mut dyn BufRead, number: &mut u64) -> Result<bool, Problem> {
        let mut bytes = Vec::new();
        input.read_to_end(&mut bytes).map_err(|error| Problem::new(format!("{name}: {error}")))?;
        let hints = Hints { game: None, on_board: Some(&self.game.clone()), file_name: name };
        let mut is_heard = true;
        griot_records::Reader::new(&Registry).read_file(&bytes, &hints, &|_| None, &mut |found| {
            *number += 1;
            let what = match found {
                Ok(record) => {
                    let place =
                        WrittenPosition::new(&record.game, record.start.as_deref(), Some(&record.moves().join(" ")));
                    let line = format!("{}|{}|{}", place.game, place.board, place.moves);
                    Ok(Asked { place, columns: Columns::Apart, id: None, line })
                }
                Err(fault) => Err(Bad { line: format!("game {number}"), problem: Problem::new(fault.to_string()) }),
            };
            is_heard = self.pass_on(*number, what);
            is_heard
        });
        Ok(is_heard)
    }
}

/// Whether a line is empty, or a remark.
fn is_remark(line: &[u8]) -> bool {
    line.trim_ascii().first().is_none_or(|&byte| byte == b'#')
}

/// Reads a line that is not empty.
fn parse(line: &str, game: &str) -> Result<Asked, Bad> {
    let asked = match line.trim_start() {
        object if object.starts_with('{') => parse_object(line, game),
        list if !list.contains('|') && known_as(list).is_err() => {
            // A word without a number, or long ones, are rather meant for the name of a game.
            let is_name = !list.contains(|c: char| c.is_ascii_digit())
                && (!list.contains(char::is_whitespace) || list.split_whitespace().any(|word| word.len() > 5));
            parse_list(list, game).or_else(|problem| if is_name { parse_fields(line, game) } else { Err(problem) })
        }
        _ => parse_fields(line, game),
    };
    asked
        .map(|(place, columns, id)| Asked { place, columns, id, line: line.into() })
        .map_err(|problem| Bad { line: line.into(), problem })
}

type Parsed = (WrittenPosition, Columns, Option<serde_json::Value>);

/// The position that a line names; `game` where it names none.
///
/// # Errors
/// When it is no such line.
pub(super) fn written(line: &str, game: &str) -> Result<WrittenPosition, Problem> {
    parse(line.trim_start_matches('\u{FEFF}').trim_end(), game).map(|asked| asked.place).map_err(|bad| bad.problem)
}

/// `GAME|BOARD|MOVES`, of which every part may be left out.
fn parse_fields(line: &str, game: &str) -> Result<Parsed, Problem> {
    let mut column = 1;
    let mut fields = [("", 1); 3];
    for (place, field) in line.split('|').enumerate() {
        let blanks = field.chars().take_while(|c| c.is_whitespace()).count();
        match fields.get_mut(place) {
            Some(slot) => *slot = (field.trim(), column + blanks),
            None => return Err(Problem::at(column - 1, format!("{EXPECTED}; found a third '|'"))),
        }
        column += field.chars().count() + 1;
    }
    let [(own, _), (board, board_column), (moves, moves_column)] = fields;
    let game = if own.is_empty() { game } else { own };
    Ok((WrittenPosition::new(game, Some(board), Some(moves)), Columns::InLine(board_column, moves_column), None))
}

/// A board or a list of moves as people write them.
fn parse_list(line: &str, game: &str) -> Result<Parsed, Problem> {
    let hints = Hints { game: None, on_board: Some(game), file_name: "" };
    let mut found = griot_records::read(line.as_bytes(), &Registry, &hints).into_iter();
    match (found.next(), found.next()) {
        (Some(Ok(record)), None) => {
            let place = WrittenPosition::new(&record.game, record.start.as_deref(), Some(&record.moves().join(" ")));
            Ok((place, Columns::Apart, None))
        }
        (Some(Err(fault)), _) => Err(Problem::at(fault.column - 1, format!("{}; {EXPECTED}", fault.text))),
        _ => Err(Problem::new(EXPECTED)),
    }
}

/// An object of JSON.
fn parse_object(line: &str, game: &str) -> Result<Parsed, Problem> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Object {
        game: Option<String>,
        board: Option<String>,
        moves: Option<Moves>,
        id: Option<serde_json::Value>,
    }
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "expected moves as one text, or as a list of texts")]
    enum Moves {
        Text(String),
        List(Vec<String>),
    }
    let object: Object = serde_json::from_str(line).map_err(|error| Problem::new(format!("{error}; {EXPECTED}")))?;
    let moves = object.moves.map(|moves| match moves {
        Moves::Text(text) => text,
        Moves::List(list) => list.join(" "),
    });
    let game = object.game.as_deref().map(str::trim).filter(|game| !game.is_empty()).unwrap_or(game);
    Ok((WrittenPosition::new(game, object.board.as_deref(), moves.as_deref()), Columns::Apart, object.id))
}

/// What an answer is about.
#[derive(PartialEq, Eq, Hash)]
enum Key {
    WrittenPosition(WrittenPosition),
    /// A line that got an error.
    Line(String),
}

/// What is answered already, and how often.
#[derive(Default)]
struct Held {
    answers: HashMap<Key, usize>,
    count: u64,
}

impl Known for Held {
    fn take(&mut self, line: &str) -> Result<(), Problem> {
        #[derive(Deserialize)]
        struct Answer {
            position: Option<WrittenPosition>,
            input: Option<String>,
        }
        let wrong = |found: &str| Problem::new(format!("expected an answer of griot analyse; {found}"));
        let answer: Answer = serde_json::from_str(line).map_err(|error| wrong(&error.to_string()))?;
        let key = match (answer.position, answer.input) {
            (Some(place), None) => Key::WrittenPosition(place),
            (None, Some(line)) => Key::Line(line),
            _ => return Err(wrong("found neither a position nor an input")),
        };
        *self.answers.entry(key).or_default() += 1;
        self.count += 1;
        Ok(())
    }

    fn may_begin(&self, text: &str, vouched: bool) -> bool {
        /// How answers begin, with `line` and without.
        const BEGINNINGS: [&str; 5] = [
            r#"{"line":#,"id":"#,
            r#"{"line":#,"position":{"game":"#,
            r#"{"line":#,"input":"#,
            r#"{"position":{"game":"#,
            r#"{"input":"#,
        ];
        let begins = BEGINNINGS.iter().any(|beginning| begins_as(text, beginning));
        // Much else begins so.
        let begins_by_id = vouched && begins_as(text, r#"{"id":"#);
        (begins || begins_by_id) && breaks_off(text)
    }
}

impl Held {
    /// Whether there is an answer to this; each counts once.
    fn find(&mut self, key: &Key) -> bool {
        match self.answers.get_mut(key) {
            Some(count) if *count > 0 => {
                *count -= 1;
                true
            }
            _ => false,
        }
    }
}

/// Where positions are read from: each with its name.
struct Inputs(Vec<(String, Box<dyn BufRead + Send>)>);

impl Inputs {
    /// Opens all the files, or stdin if there are none, which is also called `-`. None of them may be what is written to.
    fn open(files: &[PathBuf], out: Option<&Path>) -> Result<Inputs, Problem> {
        let is_written = |name: &str| {
            let out = out.map_or_else(|| "stdout".into(), |out| format!("{}, which is written to", out.display()));
            Problem::new(format!("{name}: expected positions, found {out}"))
        };
        let stdin = || {
            if files::stdin_is(out) {
                return Err(is_written("stdin"));
            }
            Ok(("stdin".to_owned(), utf8(io::stdin())))
        };
        if files.is_empty() {
            return Ok(Inputs(vec![stdin()?]));
        }
        let open = |path: &PathBuf| {
            if path == Path::new("-") {
                return stdin();
            }
            let name = path.display().to_string();
            let file = files::open(path).map_err(|error| {
                let is_pipe = error.to_string().ends_with("a pipe");
                let hint = if is_pipe { "; '-' reads what comes through stdin" } else { "" };
                Problem::new(format!("{name}: {error}{hint}"))
            })?;
            let is_out = match out {
                Some(out) => files::is_at(&file, out),
                None => files::own_stream(&file) == Some("stdout"),
            };
            if is_out {
                return Err(is_written(&name));
            }
            Ok((name, utf8(file)))
        };
        Ok(Inputs(files.iter().map(open).collect::<Result<_, _>>()?))
    }
}

/// A file of positions, in whatever encoding.
fn utf8(file: impl Read + Send + 'static) -> Box<dyn BufRead + Send> {
    Box::new(Utf8Reader::new(BufReader::new(file)))
}

/// The positions in the files, if they can be read twice.
fn count_all(files: &[PathBuf]) -> Option<u64> {
    if files.is_empty() { None } else { files.iter().map(|path| count(path)).sum() }
}

/// The positions in a file, if it can be read twice.
fn count(path: &Path) -> Option<u64> {
    let file = files::open(path).ok()?;
    let lines = utf8(file).split(b'\n').filter(|line| line.as_ref().is_ok_and(|line| !is_remark(line)));
    Some(lines.count() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use griot::engine::Only;
    use griot::game::Game;
    use serde_json::json;

    fn read(line: &str) -> Result<(String, String, String), String> {
        let asked = parse(line, "awale").map_err(|bad| bad.problem.to_string())?;
        Ok((asked.place.game, asked.place.board, asked.place.moves))
    }

    #[test]
    fn every_part_of_a_line_may_be_left_out() {
        let place = |game: &str, board: &str, moves: &str| Ok((game.into(), board.into(), moves.into()));
        for (line, expected) in [
            ("nim:7", place("nim:7", "startpos", "")),
            ("nim:7||a1 a2", place("nim:7", "startpos", "a1 a2")),
            (" tictactoe | 3/3/3 x |", place("tictactoe", "3/3/3 x", "")),
            ("|StartPos|AbC", place("awale", "StartPos", "AbC")),
            ("||", place("awale", "startpos", "")),
            ("{}", place("awale", "startpos", "")),
            (r#" {"moves":"A b"}"#, place("awale", "startpos", "A b")),
            (r#"{"game":"nim","board":" 5 1","moves":["a1","a2"],"id":[7]}"#, place("nim", "5 1", "a1 a2")),
            (r#"{"game":"","board":"","moves":""}"#, place("awale", "startpos", "")),
            (r#"{"game":null,"board":null}"#, place("awale", "startpos", "")),
        ] {
            assert_eq!(read(line), expected, "{line}");
        }
    }

    #[test]
    fn a_bad_line_is_told_what_was_expected() {
        for (line, says) in [
            ("nim|5 1|a1|a2", "column 11: expected GAME|BOARD|MOVES"),
            (r#"{"board":"#, "expected GAME|BOARD|MOVES"),
            (r#"{"bord":"5 1"}"#, "unknown field `bord`"),
            (r#"{"moves":7}"#, "expected moves as one text, or as a list of texts"),
            ("{} {}", "trailing characters"),
        ] {
            let said = read(line).unwrap_err();
            assert!(said.contains(says), "{line}: {said}");
        }
    }

    #[test]
    fn columns_are_those_of_the_line_in_characters() {
        let asked = parse("é | 3/3/3 x|  b2 ", "awale").map_err(|bad| bad.problem).unwrap();
        assert_eq!(asked.columns, Columns::InLine(5, 15));
    }

    #[test]
    fn a_game_that_griot_does_not_know_has_its_board_in_the_answer() {
        use super::super::add_a_game::{CountPawns, Texts};
        use crate::cli::Command;
        use clap::Parser;

        let games = Only(Game::new("hexapawn", Texts, CountPawns));
        let cli = Cli::parse_from(["griot", "analyse", "--depth", "9", "--picture", "--omit", "line,time"]);
        let Some(Command::Analyse(args)) = &cli.command else { panic!() };
        let stop = Stop::new();
        let mut analyst = Analyst::new(&games, &cli, &args.limits, &stop);
        let what = parse("hexapawn|startpos|b1b2", "hexapawn");
        let answer: serde_json::Value =
            serde_json::from_str(&answer(&mut analyst, Task { number: 1, what }, args)).unwrap();
        let picture = &answer["picture"];
        let pawn = |owner: &str, mark: &str| json!({ "owner": owner, "mark": mark });
        assert_eq!(picture["board"]["cells"][4], pawn("first", "P"), "{answer}");
        assert_eq!(
            (&picture["board"]["cells"][1], &picture["board"]["cells"][7]),
            (&json!(null), &pawn("second", "p"))
        );
        assert_eq!((&picture["turn"], &picture["result"]), (&json!("second"), &json!(null)));
        assert_eq!(picture["last"], json!({ "move": "b1b2", "from": [1, 0], "to": [1, 1] }));
        // Two pawns can take the one that stands in the middle.
        let to_the_middle = picture["moves"].as_array().unwrap().iter().filter(|mv| mv["to"] == json!([1, 1]));
        assert_eq!(to_the_middle.map(|mv| &mv["move"]).collect::<Vec<_>>(), [&json!("a3b2"), &json!("c3b2")]);
        assert!(picture["moves"].as_array().unwrap().iter().any(|mv| mv["move"] == answer["bestmove"]));
    }

    #[test]
    fn an_answer_is_found_once_for_each_time_it_is_held() {
        let mut held = Held::default();
        let answer = r#"{"line":3,"position":{"game":"nim","board":"startpos","moves":""},"bestmove":"a1"}"#;
        held.take(answer).unwrap();
        held.take(answer).unwrap();
        held.take(r#"{"line":4,"input":"x|y|z|","error":"no"}"#).unwrap();
        let key = || Key::WrittenPosition(WrittenPosition::new("nim", None, None));
        assert!(held.find(&key()) && held.find(&key()) && !held.find(&key()));
        assert!(held.find(&Key::Line("x|y|z|".into())) && !held.find(&Key::Line("x|y|z|".into())));
        for line in ["", "{}", "[1]", r#"{"position":{"game":"nim"}}"#] {
            assert!(held.take(line).unwrap_err().text.contains("expected an answer of griot analyse"), "{line}");
        }
        assert_eq!(held.count, 3);
    }
}
