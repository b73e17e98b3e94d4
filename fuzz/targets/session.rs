//! Whole sessions over a connection in memory, in lockstep, with the laws checked: every `go` gets one `bestmove` after
//! a line with a score and a pv, every pv is playable to its last move, `isready` is always answered, and the engine
//! ends at the end of the input.
//!
//! The input selects commands; their texts are protocol words, legal moves, and bytes of the input.

#![no_main]

use std::collections::HashMap;
use std::io::{BufRead, Write};
use std::sync::LazyLock;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use griot::engine::{Client, Connection, Engine};
use griot::message::{Setup, Text};
use griot::registry::{Registry, samples};
use griot::session::{Catalogue, Resources, Session, Settings};
use libfuzzer_sys::fuzz_target;

const PATIENCE: Duration = Duration::from_secs(60);
/// The most commands of a session.
const LONGEST: usize = 40;

/// The samples of all families, and some games small enough to be played to their ends.
static GAMES: LazyLock<Vec<&str>> =
    LazyLock::new(|| samples().map(|sample| sample.game).chain(["mnk:3,3,3", "connect4:5,5,4", "nim:1-1"]).collect());

/// Options and values to mix, without those that name files or take memory.
const OPTIONS: [&str; 26] = [
    "Hash value 1",
    "Hash value 2",
    "Clear Hash",
    "Threads value 1",
    "Threads value 2",
    "Threads value 3",
    "MultiPV value 1",
    "MultiPV value 3",
    "MultiPV value 200",
    "Selective value false",
    "Selective value true",
    "Evaluation value plain",
    "Seed value 77",
    "Evaluation value full",
    "Algorithm value mcts",
    "Algorithm value negabeta",
    "Algorithm value alphabeta",
    "Algorithm value minimax",
    "Algorithm value negamax",
    "Skill Level value 3",
    "Skill Level value 20",
    "OwnBook value true",
    "OwnBook value false",
    "Tablebases value false",
    "Move Overhead value 5000",
    "Ponder value true",
];

const WORDS: [&str; 42] = [
    "go",
    "stop",
    "ponderhit",
    "isready",
    "position",
    "startpos",
    "fen",
    "moves",
    "query",
    "fen",
    "result",
    "board",
    "picture",
    "legalmoves",
    "line",
    "gameover",
    "p1turn",
    "depth",
    "nodes",
    "movetime",
    "infinite",
    "ponder",
    "searchmoves",
    "mate",
    "p1time",
    "p2time",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "debug",
    "on",
    "off",
    "help",
    "0",
    "1",
    "-1",
    "99999999999999999999",
    "ucinewgame",
    "uginewgame",
    "setoption",
];

struct Bytes<'b>(&'b [u8]);

impl<'b> Bytes<'b> {
    fn next(&mut self) -> Option<usize> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(usize::from(*first))
    }

    fn of<T: Copy>(&mut self, list: &[T]) -> Option<T> {
        self.next().map(|number| list[number % list.len()])
    }

    /// Some bytes of the input, without line ends.
    fn text(&mut self) -> Option<String> {
        let length = self.next()? % 24;
        let (text, rest) = self.0.split_at(length.min(self.0.len()));
        self.0 = rest;
        Some(String::from_utf8_lossy(text).replace(['\n', '\r'], " "))
    }
}

struct Talk {
    input: Option<std::io::PipeWriter>,
    lines: Receiver<String>,
    log: Vec<String>,
}

impl Talk {
    fn begin() -> (Talk, thread::JoinHandle<()>) {
        let (connection, client) = Connection::memory().expect("pipes");
        let engine = thread::spawn(move || Engine::new(&Registry, connection).expect("memory").run().expect("an end"));
        let Client { input, output } = client;
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        (Talk { input: Some(input), lines, log: Vec::new() }, engine)
    }

    fn send(&mut self, line: &str) {
        self.log.push(format!("> {line}"));
        let input = self.input.as_mut().expect("an open input");
        input.write_all(format!("{line}\n").as_bytes()).unwrap_or_else(|error| panic!("{error}"));
    }

    fn line(&mut self) -> Option<String> {
        match self.lines.recv_timeout(PATIENCE) {
            Ok(line) => {
                self.log.push(format!("< {line}"));
                Some(line)
            }
            Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => None,
            Err(std::sync::mpsc::RecvTimeoutError::Timeout) => self.fail("no answer"),
        }
    }

    /// All lines up to the one with this beginning.
    fn until(&mut self, start: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let Some(line) = self.line() else { self.fail("the engine has ended") };
            let is_it = line.starts_with(start);
            lines.push(line);
            if is_it {
                return lines;
            }
        }
    }

    fn ask(&mut self, question: &str) -> String {
        self.send(&format!("query {question}"));
        let lines = self.until("response");
        lines[lines.len() - 1].strip_prefix("response").unwrap_or_default().trim().to_owned()
    }

    fn fail(&self, what: &str) -> ! {
        panic!("{what}\n{}", self.log.join("\n"))
    }
}

/// The engine's expected state, and sessions that check lines.
struct Model {
    game: &'static str,
    /// `startpos` or a board text; `None` without a position.
    board: Option<String>,
    moves: Vec<String>,
    readers: HashMap<&'static str, Box<dyn Session>>,
}

impl Model {
    fn command(&self) -> Option<String> {
        let board = match self.board.as_deref()? {
            "startpos" => "position startpos".to_owned(),
            board => format!("position fen {board}"),
        };
        Some(if self.moves.is_empty() { board } else { format!("{board} moves {}", self.moves.join(" ")) })
    }

    /// Whether a line can be played from here to its last move.
    fn can_play(&mut self, pv: &str) -> Result<(), String> {
        let Some(board) = &self.board else { return Err("there is no position".into()) };
        let reader = self.readers.entry(self.game).or_insert_with(|| {
            let settings = Settings { hash_mib: 1, ..Settings::default() };
            Registry.open(self.game, Resources::new(settings).expect("memory")).expect("a game")
        });
        let text = |text: &str| Text { column: 1, text: text.to_owned() };
        let board = (board != "startpos").then(|| text(board));
        let moves = format!("{} {pv}", self.moves.join(" "));
        reader
            .set_position(&Setup { board, moves: text(moves.trim()), ..Setup::default() })
            .map_err(|problem| problem.to_string())
    }
}

/// Waits for the best move of one `go`, and checks all lines before it.
///
/// `earlier` are lines that were already read.
fn answered(talk: &mut Talk, model: &mut Model, legal: &[String], earlier: Vec<String>) {
    let mut lines = earlier;
    lines.extend(talk.until("bestmove"));
    let best = lines[lines.len() - 1].split(' ').nth(1).unwrap_or_default().to_owned();
    if legal.is_empty() {
        return;
    }
    if !legal.contains(&best) {
        talk.fail(&format!("{best} is not legal"));
    }
    let mut told = false;
    for line in &lines {
        let Some((before, pv)) = line.split_once(" pv ") else { continue };
        told |= before.contains(" score ");
        if let Err(problem) = model.can_play(pv) {
            talk.fail(&format!("a pv cannot be played: {pv}: {problem}"));
        }
    }
    if !told && !lines.iter().any(|line| line.contains("error")) {
        talk.fail("no score and pv before a best move");
    }
}

fn legal_moves(talk: &mut Talk, model: &Model) -> Vec<String> {
    if model.board.is_none() {
        return Vec::new();
    }
    let list = talk.ask("legalmoves");
    if list == "unknown" {
        Vec::new()
    } else {
        list.split(' ').filter(|mv| !mv.is_empty()).map(str::to_owned).collect()
    }
}

/// Updates the model after a command that it does not follow.
fn take_stock(talk: &mut Talk, model: &mut Model) {
    let board = talk.ask("fen");
    model.moves.clear();
    model.board = (board != "unknown").then_some(board);
    // Set up the same position without its history in both.
    if let Some(command) = model.command() {
        talk.send(&command);
    }
}

fn play(bytes: &mut Bytes<'_>, talk: &mut Talk, model: &mut Model) -> Option<()> {
    match bytes.next()? % 16 {
        0 => {
            model.game = bytes.of(&GAMES)?;
            talk.send(&format!("setoption name Game value {}", model.game));
            take_stock(talk, model);
        }
        1..=3 => {
            for _ in 0..=bytes.next()? % 6 {
                let legal = legal_moves(talk, model);
                if legal.is_empty() {
                    break;
                }
                model.moves.push(legal[bytes.next()? % legal.len()].clone());
                talk.send(&model.command()?);
            }
        }
        4 => {
            (model.board, model.moves) = (Some("startpos".into()), Vec::new());
            talk.send("position startpos");
        }
        5 => take_stock(talk, model),
        6..=8 => {
            let legal = legal_moves(talk, model);
            let limit = match bytes.next()? {
                number @ 0..128 => format!("depth {} nodes 300", 1 + number % 12),
                number @ 128..224 => format!("nodes {}", 1 + (number - 128) * 3),
                number => format!("movetime {}", number % 4),
            };
            talk.send(&format!("go {limit}"));
            answered(talk, model, &legal, Vec::new());
        }
        9 => {
            let (ponders, waiting, asks) = (bytes.next()? % 2 == 1, bytes.next()? % 3, bytes.next()? % 2 == 1);
            let legal = legal_moves(talk, model);
            talk.send(if ponders { "go ponder depth 3 nodes 300" } else { "go infinite" });
            // Commands that wait are answered in order.
            for _ in 0..waiting {
                talk.send("go depth 1");
            }
            let (mut earlier, mut early) = (Vec::new(), 0);
            if asks {
                talk.send("isready");
                earlier = talk.until("readyok");
                early = earlier.iter().filter(|line| line.starts_with("bestmove")).count();
                // If there is nothing to search, the answer comes at once.
                if early > 0 && !legal.is_empty() {
                    talk.fail("answered before it was stopped");
                }
            }
            talk.send(if ponders && waiting % 2 == 1 { "ponderhit" } else { "stop" });
            for _ in early..=waiting {
                answered(talk, model, &legal, std::mem::take(&mut earlier));
            }
        }
        10 => talk.send(&format!("setoption name {}", bytes.of(&OPTIONS)?)),
        11 => {
            talk.send("uginewgame");
            take_stock(talk, model);
        }
        12 | 13 => {
            let mut words = Vec::new();
            for _ in 0..=bytes.next()? % 8 {
                words.push(bytes.of(&WORDS)?.to_owned());
            }
            if words[0] == "setoption" || words.contains(&"99999999999999999999".into()) && words[0] == "go" {
                return Some(());
            }
            let goes = words[0] == "go";
            talk.send(&words.join(" "));
            if goes {
                talk.send("stop");
                talk.until("bestmove");
            }
            talk.send("isready");
            if talk.until("readyok").iter().any(|line| line.starts_with("bestmove")) {
                talk.fail("a best move for nothing");
            }
            take_stock(talk, model);
        }
        14 => {
            let moves = bytes.text()?;
            talk.send(&format!("position startpos moves {moves}"));
            take_stock(talk, model);
        }
        _ => {
            let text = bytes.text()?;
            talk.send(&format!("x{text}"));
        }
    }
    talk.send("isready");
    if talk.until("readyok").iter().any(|line| line.starts_with("bestmove")) {
        talk.fail("two best moves for one go");
    }
    Some(())
}

fuzz_target!(|bytes: &[u8]| {
    let mut bytes = Bytes(bytes);
    let Some(greeting) = bytes.next() else { return };
    let (mut talk, engine) = Talk::begin();
    let greeting = ["ugi", "uci"][greeting % 2];
    talk.send(greeting);
    talk.until(&format!("{greeting}ok"));
    talk.send("setoption name Hash value 1");
    talk.send("setoption name Tablebases value false");
    talk.send("position startpos");
    let mut model = Model { game: "awale", board: Some("startpos".into()), moves: Vec::new(), readers: HashMap::new() };
    for _ in 0..LONGEST {
        if play(&mut bytes, &mut talk, &mut model).is_none() {
            break;
        }
    }
    talk.input = None;
    while let Some(line) = talk.line() {
        if line.starts_with("bestmove") {
            talk.fail("a best move for nothing");
        }
    }
    engine.join().expect("no panic");
});
