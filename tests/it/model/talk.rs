//! A session, played: lines go in, lines come out, and the model judges each; a session that fails is made small.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::{self, sleep};
use std::time::{Duration, Instant};

use griot::engine::{Connection, Engine};
use griot::message::DialectName;
use griot::registry::Registry;

use super::contract::{BadLine, Contract};
use super::lines::column;
use super::steps::{Steps, opens_gomocup, opens_gtp};

/// An answer that takes longer than this does not come.
const PATIENCE: Duration = Duration::from_secs(600);

/// The longest line.
const LONGEST: usize = 1 << 20;

/// What a client does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Act {
    /// Sends a line, together with those before it that were not followed by anything else.
    Send(Vec<u8>),
    /// Reads until nothing more is owed without another word.
    Settle,
    /// Lets so many milliseconds pass.
    Pause(u64),
    /// Ends the input.
    End,
}

impl Act {
    pub fn send(line: impl Into<String>) -> Act {
        Act::Send(line.into().into_bytes())
    }
}

/// How a session is begun.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Start {
    /// With the program itself, and not in memory.
    pub process: bool,
    /// The dialect, if it is named before the first line.
    pub dialect: Option<DialectName>,
    /// The game, for dialects that cannot choose one.
    pub game: Option<&'static str>,
}

/// A session.
#[derive(Debug, Clone)]
pub struct Session {
    pub start: Start,
    pub acts: Vec<Act>,
}

/// The contract of a conversation whose dialect may not be known yet.
enum Model {
    Unknown,
    Universal(Box<Contract>),
    Steps(Box<Steps>),
}

impl Model {
    fn new(start: &Start) -> Model {
        match start.dialect {
            None => Model::Unknown,
            Some(name) => Model::of(name, start),
        }
    }

    fn of(name: DialectName, start: &Start) -> Model {
        match name {
            DialectName::Ugi => Model::Universal(Box::new(Contract::new(false))),
            DialectName::Uci => Model::Universal(Box::new(Contract::new(true))),
            DialectName::Gtp => Model::Steps(Box::new(Steps::gtp(start.game.unwrap_or("awale")))),
            DialectName::Gomocup => Model::Steps(Box::new(Steps::gomocup())),
            DialectName::NBoard | DialectName::Hub => unreachable!("no session is made of it: its client has a double"),
        }
    }

    fn sent(&mut self, bytes: &[u8], start: &Start) {
        let mut cut = String::new();
        let text = std::str::from_utf8(bytes);
        let line = match text {
            _ if bytes.len() > LONGEST => {
                cut.push_str(&String::from_utf8_lossy(&bytes[..1024]));
                Err(BadLine { beginning: &cut, column: 0 })
            }
            Ok(text) => Ok(text),
            Err(error) => {
                let good = std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or("");
                cut.push_str(good);
                // A word with such a byte in it is another word.
                cut.push('\u{FFFD}');
                Err(BadLine { beginning: &cut, column: column(good, None) })
            }
        };
        if let Model::Unknown = self {
            let text = line.unwrap_or_else(|bad| bad.beginning);
            let empty = text.trim_start_matches(super::lines::is_blank);
            if line.is_ok() && (empty.is_empty() || empty.starts_with('#')) {
                return;
            }
            let name = if opens_gtp(text) {
                DialectName::Gtp
            } else if opens_gomocup(text) {
                DialectName::Gomocup
            } else {
                DialectName::Ugi
            };
            *self = Model::of(name, start);
        }
        match self {
            Model::Unknown => {}
            Model::Universal(model) => model.sent(line),
            Model::Steps(model) => model.sent(line),
        }
    }

    fn said(&mut self, line: &str) -> Result<(), String> {
        match self {
            Model::Unknown => Err("nothing was asked".into()),
            Model::Universal(model) => model.said(line),
            Model::Steps(model) => model.said(line),
        }
    }

    fn ended(&mut self, start: &Start) {
        if let Model::Unknown = self {
            *self = Model::of(DialectName::Ugi, start);
        }
        match self {
            Model::Unknown => {}
            Model::Universal(model) => model.ended(),
            Model::Steps(model) => model.ended(),
        }
    }

    fn owes(&self) -> Option<String> {
        match self {
            Model::Unknown => None,
            Model::Universal(model) => model.owes(),
            Model::Steps(model) => model.owes(),
        }
    }

    fn closed(&self) -> Result<(), String> {
        match self {
            Model::Unknown => Err("the engine ended, and nobody had asked it to".into()),
            Model::Universal(model) => model.closed(),
            Model::Steps(model) => model.closed(),
        }
    }
}

/// The engine at the other end.
enum Engines {
    Memory(thread::JoinHandle<Result<(), String>>),
    Process(Child),
}

/// A conversation going on.
struct Talk<'s> {
    start: &'s Start,
    model: Model,
    input: Option<Box<dyn Write>>,
    lines: Receiver<String>,
    engine: Engines,
    /// What was sent and is not written yet.
    unsent: Vec<u8>,
    log: String,
}

/// What came of a session that went wrong.
#[derive(Debug, Clone)]
pub struct Failure {
    pub why: String,
    pub log: String,
}

/// Plays a session. Answers how many commands went in.
///
/// # Errors
/// What was wrong, and the conversation up to there.
pub fn play(session: &Session) -> Result<u64, Failure> {
    let mut talk = Talk::new(&session.start);
    let mut commands = 0;
    let result = session.acts.iter().try_for_each(|act| {
        commands += u64::from(matches!(act, Act::Send(_)));
        talk.act(act)
    });
    let result = result.and_then(|()| talk.finish());
    match result {
        Ok(()) => Ok(commands),
        Err(why) => {
            let log = std::mem::take(&mut talk.log);
            talk.give_up();
            Err(Failure { why, log })
        }
    }
}

impl<'s> Talk<'s> {
    fn new(start: &'s Start) -> Talk<'s> {
        let (input, output, engine): (Box<dyn Write>, Box<dyn BufRead + Send>, Engines) = if start.process {
            let mut command = Command::new(env!("CARGO_BIN_EXE_griot"));
            if let Some(name) = start.dialect {
                command.args(["--dialect", ["ugi", "uci", "gtp", "gomocup"][name as usize]]);
            }
            if let Some(game) = start.game {
                command.args(["--game", game]);
            }
            let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
            let output = BufReader::new(child.stdout.take().unwrap());
            (Box::new(child.stdin.take().unwrap()), Box::new(output), Engines::Process(child))
        } else {
            let (connection, client) = Connection::memory().unwrap();
            let (dialect, game) = (start.dialect, start.game);
            let engine = thread::spawn(move || {
                let mut engine = Engine::new(&Registry, connection).map_err(|problem| problem.to_string())?;
                if let Some(game) = game {
                    engine.set_option("Game", Some(game)).map_err(|problem| problem.to_string())?;
                }
                if let Some(dialect) = dialect {
                    engine.speak(dialect);
                }
                engine.run().map_err(|error| error.to_string())
            });
            (Box::new(client.input), Box::new(client.output), Engines::Memory(engine))
        };
        let (sender, lines) = channel();
        thread::spawn(move || {
            let mut output = output;
            let mut bytes = Vec::new();
            while output.read_until(b'\n', &mut bytes).unwrap_or(0) > 0 {
                let whole = bytes.pop() == Some(b'\n');
                let line = String::from_utf8_lossy(&bytes).into_owned() + if whole { "" } else { " (no line end)" };
                bytes.clear();
                // Whoever has seen enough still lets the engine write.
                let _ = sender.send(line);
            }
        });
        Talk {
            start,
            model: Model::new(start),
            input: Some(input),
            lines,
            engine,
            unsent: Vec::new(),
            log: String::new(),
        }
    }

    fn act(&mut self, act: &Act) -> Result<(), String> {
        if !matches!(act, Act::Send(_)) {
            self.write();
        }
        match act {
            Act::Send(line) => {
                // Everything that is there by now was said before this line.
                if self.unsent.is_empty() {
                    self.read_what_is_there()?;
                }
                let shown = String::from_utf8_lossy(line);
                let _ = writeln!(self.log, "> {}", shown.chars().take(300).collect::<String>());
                self.model.sent(line, self.start);
                self.unsent.extend_from_slice(line);
                self.unsent.push(b'\n');
                Ok(())
            }
            Act::Settle => self.settle(),
            Act::Pause(time) => {
                sleep(Duration::from_millis(*time));
                Ok(())
            }
            Act::End => {
                self.log += "> (end of input)\n";
                self.model.ended(self.start);
                self.input = None;
                Ok(())
            }
        }
    }

    fn write(&mut self) {
        let lines = std::mem::take(&mut self.unsent);
        if let Some(input) = self.input.as_mut().filter(|_| !lines.is_empty()) {
            // An engine that has quit reads no more; what it owes it is asked for all the same.
            let _ = input.write_all(&lines).and_then(|()| input.flush());
        }
    }

    fn hear(&mut self, line: &str) -> Result<(), String> {
        let _ = writeln!(self.log, "< {line}");
        self.model.said(line).map_err(|why| format!("'{line}': {why}"))
    }

    fn read_what_is_there(&mut self) -> Result<(), String> {
        while let Ok(line) = self.lines.try_recv() {
            self.hear(&line)?;
        }
        Ok(())
    }

    fn settle(&mut self) -> Result<(), String> {
        let deadline = Instant::now() + PATIENCE;
        while let Some(owed) = self.model.owes() {
            match self.lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(line) => self.hear(&line)?,
                Err(RecvTimeoutError::Timeout) => return Err(format!("silence, where it owes {owed}")),
                Err(RecvTimeoutError::Disconnected) => return self.model.closed(),
            }
        }
        Ok(())
    }

    /// Ends the session, and hears what is still said.
    fn finish(&mut self) -> Result<(), String> {
        self.write();
        self.settle()?;
        if self.input.is_some() {
            self.act(&Act::End)?;
        }
        let deadline = Instant::now() + PATIENCE;
        loop {
            match self.lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(line) => self.hear(&line)?,
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => return Err("it does not end".into()),
            }
        }
        self.model.closed()?;
        match &mut self.engine {
            Engines::Process(child) => {
                let status = child.wait().map_err(|error| error.to_string())?;
                if status.success() { Ok(()) } else { Err(format!("it ended with {status}")) }
            }
            Engines::Memory(engine) => {
                // The output is closed when the engine is dropped, or when it panics.
                let engine = std::mem::replace(engine, thread::spawn(|| Ok(())));
                engine.join().map_err(|_| "the engine panicked".to_owned())?.map_err(|error| format!("run: {error}"))
            }
        }
    }

    fn give_up(&mut self) {
        self.input = None;
        if let Engines::Process(child) = &mut self.engine {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// A session as small as can be found in so much time that still fails, and how it fails.
pub fn minimise(session: &Session, failure: Failure, time: Duration) -> (Session, Failure) {
    let deadline = Instant::now() + time;
    let mut best = (session.clone(), failure);
    // What depends on the moment does not fail each time.
    let fails =
        |session: &Session| (0..3).find_map(|_| if Instant::now() < deadline { play(session).err() } else { None });
    let mut size = best.0.acts.len() / 2;
    while size > 0 {
        let mut at = 0;
        let before = best.0.acts.len();
        while at < best.0.acts.len() && Instant::now() < deadline {
            let mut smaller = best.0.clone();
            smaller.acts.drain(at..(at + size).min(smaller.acts.len()));
            match fails(&smaller) {
                Some(failure) => best = (smaller, failure),
                None => at += size,
            }
        }
        // Once more through single acts as long as that helps.
        size = if size == 1 && best.0.acts.len() < before { 1 } else { size / 2 };
    }
    best
}
