//! An engine process: lines to its stdin, lines from its stdout, every wait with a timeout.
//!
//! A thread reads a limited number of lines ahead. Errors are a [`Fault`]; the process is killed when its [`Engine`] is
//! dropped. This module is all that griot-board knows of engines: the commands of `protocol.md`.
//!
//! Commands are written on the server's own thread, which must not block. Writes do not block: an engine that reads
//! nothing has only a few commands in its pipe before its answer times out and it is ended. Commands of WebSocket
//! clients have a thread, see [`Engine::writer`].

use std::io::Write;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::Duration;

use griot_client::Process;
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep, timeout_at};

/// How long an engine may take for answers that need no search.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long an engine may take to end after `quit`.
const QUIT_PATIENCE: Duration = Duration::from_millis(700);
/// How often to check whether it has ended.
const LOOK: Duration = Duration::from_millis(5);
/// The most lines of a search that are stored.
const MOST_LINES: usize = 64;
/// The most lines read ahead.
const LINES_AHEAD: usize = 256;
/// The most queued commands of an engine with a writing thread.
const COMMANDS_AHEAD: usize = 16;

/// A fault of an engine, in words.
#[derive(Debug, Clone)]
pub(crate) struct Fault(pub(crate) String);

/// A running engine.
pub(crate) struct Engine {
    process: Process,
    lines: mpsc::Receiver<String>,
    /// The name that it reports.
    pub(crate) name: String,
    /// The default game that it reports, if any.
    pub(crate) game: String,
    /// Its options: name and type.
    options: Vec<(String, String)>,
}

impl Engine {
    /// Starts an engine and sends `ugi`.
    ///
    /// # Errors
    /// When it cannot be started, or does not speak UGI.
    pub(crate) async fn start(program: &Path) -> Result<Engine, Fault> {
        let mut command = Command::new(program);
        command.stderr(Stdio::null());
        let (sender, lines) = mpsc::channel(LINES_AHEAD);
        let process = Process::start(&mut command, move |line| {
            // A line that is too long is not a line of the protocol, and is ignored as such.
            sender.blocking_send(line.text.trim_end().to_owned()).is_ok()
        });
        let process = process.map_err(|error| Fault(format!("{}: {error}", program.display())))?;
        let mut engine = Engine { process, lines, name: String::new(), game: String::new(), options: Vec::new() };
        engine.send("ugi").await?;
        let deadline = Instant::now() + PATIENCE;
        loop {
            match engine.next_line_before(deadline).await?.trim() {
                "ugiok" => return Ok(engine),
                line => {
                    let option = line.strip_prefix("option name ").and_then(|line| line.split_once(" type "));
                    let kind = |rest: &str| rest.split(' ').next().unwrap_or_default().to_owned();
                    engine.options.extend(option.map(|(name, rest)| (name.to_owned(), kind(rest))));
                    if let Some(name) = line.strip_prefix("id name ") {
                        engine.name = name.trim().to_owned();
                    } else if let Some(game) = line.strip_prefix("option name Game type string default ") {
                        engine.game = game.trim().to_owned();
                    }
                }
            }
        }
    }

    /// Whether it has an option of this name.
    pub(crate) fn knows(&self, option: &str) -> bool {
        self.options.iter().any(|(known, _)| known.eq_ignore_ascii_case(option))
    }

    /// Its options: name and type.
    pub(crate) fn options(&self) -> &[(String, String)] {
        &self.options
    }

    /// Moves its input to a thread, for a client that may send commands faster than the engine reads them. Only that
    /// thread writes from then on; the input ends when the returned sender is dropped.
    ///
    /// # Errors
    /// When the thread cannot be started.
    pub(crate) fn writer(&mut self) -> Result<mpsc::Sender<String>, Fault> {
        let (sender, mut commands) = mpsc::channel::<String>(COMMANDS_AHEAD);
        let mut input = self.process.take_input().ok_or_else(|| Fault("its input was ended".into()))?;
        let write = move || {
            while let Some(line) = commands.blocking_recv() {
                if input.write_all(format!("{line}\n").as_bytes()).and_then(|()| input.flush()).is_err() {
                    return;
                }
            }
        };
        let started = thread::Builder::new().name("engine input".into()).spawn(write);
        started.map(|_| sender).map_err(|error| Fault(format!("cannot start a thread to write to it: {error}")))
    }

    /// Sends one line.
    ///
    /// # Errors
    /// When the engine is gone.
    pub(crate) async fn send(&mut self, line: &str) -> Result<(), Fault> {
        // The types of `words` already exclude control characters; this check also covers other text.
        if line.contains(|c: char| c.is_control()) {
            return Err(Fault("a command with a control character was not sent".into()));
        }
        if self.process.send(line).is_err() { Err(self.ended().await) } else { Ok(()) }
    }

    /// The next line, without a timeout.
    ///
    /// # Errors
    /// When the engine is gone. May be cancelled: no line is lost.
    pub(crate) async fn next_line(&mut self) -> Result<String, Fault> {
        match self.lines.recv().await {
            Some(line) => Ok(line),
            None => Err(self.ended().await),
        }
    }

    async fn next_line_before(&mut self, deadline: Instant) -> Result<String, Fault> {
        match timeout_at(deadline, self.next_line()).await {
            Ok(line) => line,
            Err(_) => Err(Fault(format!("no answer for {} seconds", PATIENCE.as_secs()))),
        }
    }

    /// Sends a command that is answered only by an error; returns the error, if any.
    ///
    /// # Errors
    /// When the engine is gone or does not answer.
    pub(crate) async fn tell(&mut self, line: &str) -> Result<Option<String>, Fault> {
        self.send(line).await?;
        self.send("isready").await?;
        let deadline = Instant::now() + PATIENCE;
        let mut complaint = None;
        loop {
            let line = self.next_line_before(deadline).await?;
            if line == "readyok" {
                return Ok(complaint);
            }
            if let Some(text) = line.strip_prefix("info string error: ") {
                complaint.get_or_insert_with(|| text.to_owned());
            }
        }
    }

    /// Sends a query; returns the text after `response`.
    ///
    /// # Errors
    /// When the engine is gone or does not answer.
    pub(crate) async fn query(&mut self, question: &str) -> Result<String, Fault> {
        self.send(&format!("query {question}")).await?;
        self.answer("response").await
    }

    /// The moves from the current position as they are shown; empty if the engine does not know the query.
    ///
    /// # Errors
    /// When the engine is gone or does not answer.
    pub(crate) async fn line(&mut self, moves: &str) -> Result<Vec<Stroke>, Fault> {
        Ok(serde_json::from_str(&self.query(&format!("line {moves}")).await?).unwrap_or_default())
    }

    /// The answers to all queries that were sent and are still to come, in order.
    ///
    /// # Errors
    /// When the engine is gone or does not answer.
    pub(crate) async fn responses(&mut self) -> Result<Vec<String>, Fault> {
        self.send("isready").await?;
        let deadline = Instant::now() + PATIENCE;
        let mut found = Vec::new();
        loop {
            let line = self.next_line_before(deadline).await?;
            if line == "readyok" {
                return Ok(found);
            }
            found.extend(line.strip_prefix("response ").map(str::to_owned));
        }
    }

    /// The menu of its games, as JSON; empty if the engine has none.
    ///
    /// # Errors
    /// When the engine is gone or does not answer.
    pub(crate) async fn menu(&mut self) -> Result<String, Fault> {
        self.send("query games").await?;
        self.send("isready").await?;
        let deadline = Instant::now() + PATIENCE;
        let mut menu = "[]".to_owned();
        loop {
            let line = self.next_line_before(deadline).await?;
            if line == "readyok" {
                return Ok(menu);
            }
            let told = line.strip_prefix("response ");
            if let Some(told) = told.filter(|told| serde_json::from_str::<Vec<serde_json::Value>>(told).is_ok()) {
                menu = told.to_owned();
            }
        }
    }

    /// Stops a search and ignores its best move.
    ///
    /// # Errors
    /// When the engine is gone or does not answer.
    pub(crate) async fn abandon(&mut self) -> Result<(), Fault> {
        self.send("stop").await?;
        self.answer("bestmove").await.map(|_| ())
    }

    async fn answer(&mut self, word: &str) -> Result<String, Fault> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(rest) = self.next_line_before(deadline).await?.strip_prefix(word) {
                return Ok(rest.trim().to_owned());
            }
        }
    }

    /// The fault of an engine whose pipes are closed.
    async fn ended(&mut self) -> Fault {
        let status = self.exit_status().await;
        Fault(status.map_or_else(|| "it closed its pipes".into(), |status| status.to_string()))
    }

    /// Its exit status, if it ends soon.
    async fn exit_status(&mut self) -> Option<ExitStatus> {
        let deadline = Instant::now() + QUIT_PATIENCE;
        loop {
            match self.process.exit_status() {
                None if Instant::now() < deadline => sleep(LOOK).await,
                status => return status,
            }
        }
    }

    /// Asks the engine to quit, and kills it if it does not.
    pub(crate) async fn quit(mut self) {
        // It may have ended already.
        let _ = self.process.send("stop\nquit");
        self.process.end_input();
        // A process that is still running is killed when dropped.
        self.exit_status().await;
    }
}

/// A score of a position or move, for the first player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Score {
    /// Hundredths of the game's unit.
    Cp(i64),
    /// Moves to the end; negative if the second player wins.
    Mate(i64),
}

impl Score {
    /// Whether it is better for this side than for the other.
    pub(crate) fn favours(self, side: usize) -> bool {
        let (Score::Cp(ahead) | Score::Mate(ahead)) = self;
        if side == 0 { ahead > 0 } else { ahead < 0 }
    }
}

/// An `info` line.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Info {
    pub(crate) depth: u64,
    pub(crate) seldepth: u64,
    pub(crate) score: Option<Score>,
    pub(crate) nodes: u64,
    pub(crate) nps: u64,
    pub(crate) time: u64,
    /// Values from theory or a table.
    pub(crate) tbhits: u64,
    /// Whether the score is only a bound.
    pub(crate) bound: bool,
    pub(crate) pv: Vec<String>,
    /// The names of these moves, in games where they differ, once the engine has reported them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) names: Vec<String>,
}

/// A move as it is shown.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub(crate) struct Stroke {
    #[serde(rename = "move")]
    pub(crate) mv: String,
    #[serde(default)]
    pub(crate) name: Option<String>,
}

impl Stroke {
    /// The names of moves.
    pub(crate) fn names(line: Vec<Stroke>) -> Vec<String> {
        line.into_iter().map(|stroke| stroke.name.unwrap_or(stroke.mv)).collect()
    }
}

impl Info {
    /// Stores an info line among the lines of its search by its `multipv` number; returns its place, if it is valid.
    pub(crate) fn note(lines: &mut Vec<Info>, line: &str, first_to_move: bool) -> Option<usize> {
        let place = line.split_once(" multipv ").and_then(|(_, rest)| rest.split(' ').next()?.parse().ok());
        let place = place.unwrap_or(1_usize).clamp(1, MOST_LINES) - 1;
        let mut info = lines.get(place).cloned().unwrap_or_default();
        if !info.take(line, first_to_move) {
            return None;
        }
        match lines.get_mut(place) {
            Some(known) => *known = info,
            None => lines.push(info),
        }
        Some(place.min(lines.len() - 1))
    }

    /// Parses an info line about a position in which the first player is to move, or not. Fields that are missing keep
    /// their values.
    ///
    /// A line with a score but without a depth or a pv is invalid.
    pub(crate) fn take(&mut self, line: &str, first_to_move: bool) -> bool {
        let mut words = line.split_ascii_whitespace();
        if words.next() != Some("info") {
            return false;
        }
        while let Some(word) = words.next() {
            let number = |text: Option<&str>| text.and_then(|text| text.parse::<u64>().ok()).unwrap_or_default();
            match word {
                "string" => return false,
                "depth" => self.depth = number(words.next()),
                "seldepth" => self.seldepth = number(words.next()),
                "nodes" => self.nodes = number(words.next()),
                "nps" => self.nps = number(words.next()),
                "time" => self.time = number(words.next()),
                "tbhits" => self.tbhits = number(words.next()),
                "lowerbound" | "upperbound" => self.bound = true,
                "score" => {
                    self.bound = false;
                    let sign = if first_to_move { 1 } else { -1 };
                    match (words.next(), words.next().and_then(|text| text.parse::<i64>().ok())) {
                        (Some("cp"), Some(value)) => self.score = Some(Score::Cp(sign * value)),
                        (Some("mate"), Some(value)) => self.score = Some(Score::Mate(sign * value)),
                        _ => {}
                    }
                }
                "pv" => {
                    let pv: Vec<String> = words.map(str::to_owned).collect();
                    if self.pv != pv {
                        self.pv = pv;
                        self.names.clear();
                    }
                    return true;
                }
                _ => {}
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_info_line_is_read_for_the_first_player() {
        let mut info = Info::default();
        let line = "info depth 5 seldepth 9 score cp -120 nodes 77 nps 1000 hashfull 1 tbhits 0 time 12 pv a b C";
        assert!(info.take(line, false));
        assert_eq!((info.depth, info.seldepth, info.nodes, info.nps, info.time), (5, 9, 77, 1000, 12));
        assert_eq!((info.score, info.pv.join(" ").as_str()), (Some(Score::Cp(120)), "a b C"));
        // The periodic line has neither score nor pv: those of the last line stay.
        assert!(
            info.take("info depth 6 nodes 99 nps 1 hashfull 0 tbhits 0 time 20 currmove a currmovenumber 1", false)
        );
        assert_eq!((info.depth, info.score, info.pv.len()), (6, Some(Score::Cp(120)), 3));
        assert!(info.take("info depth 7 score mate 3 nodes 1 pv a", true));
        assert_eq!(info.score, Some(Score::Mate(3)));
        let mut lines = Vec::new();
        for line in
            ["info depth 2 multipv 1 score cp 5 nodes 1 pv a b", "info depth 2 multipv 2 score cp 3 lowerbound pv b"]
        {
            assert!(Info::note(&mut lines, line, true).is_some());
        }
        assert_eq!(Info::note(&mut lines, "info depth 3 multipv 1 score cp 7 tbhits 4 pv c", true), Some(0));
        assert_eq!(lines.iter().map(|line| line.pv.join("")).collect::<Vec<_>>(), ["c", "b"]);
        assert_eq!((lines[0].tbhits, lines[0].bound, lines[1].bound), (4, false, true));
        let before = info.clone();
        assert!(!info.take("info string error: depth 9", true) && !info.take("bestmove a", true));
        assert_eq!(info, before);
    }
}
