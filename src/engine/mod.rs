//! The event loop: lines in, lines out, one search at a time.
//!
//! Floor 5. Knows the protocol and sessions, and no game. One channel of `Event`, one consumer, one writer. Everything that
//! decides *when* a command acts is here: LAW 2 (what acts at once and what waits), LAW 3 (news of an old search is dropped),
//! LAW 8 (end of input).
//!
//! ```text
//!          go                         bestmove, nothing queued
//!   Idle ------> Searching, queue ------------------------------> Idle
//!                 |  position, setoption, new game, go, every step: wait in the queue, in order
//!                 |  a stop or ponderhit meant for a queued go: waits behind it
//! ```

mod connection;
mod kept;
mod log_file;
mod steps;

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, unbounded};

pub use connection::{BadLine, Client, Connection, next_line};

use self::kept::Kept;
use crate::game::{Evaluate, Game, Notation, Probe};
use crate::message::{Command, DialectName, Go, OptionKind, OptionSpec, Problem, Reply, Step};
use crate::protocol::{Dialect, dialect, help, is_empty, opened_by, parse, refuse, render, tidy};
use crate::session::{Catalogue, GameSession, Resources, SearchHandle, Session, Settings, Variant};

/// What the loop waits for.
#[derive(Debug)]
enum Event {
    /// A line was read, or something that is no line, and when.
    Line(Result<String, BadLine>, Instant),
    /// The input ended.
    Eof,
    /// A search has something to say.
    Search(u64, Reply),
}

/// How long an unbounded search may have run when the input ends under it: `echo go | griot` should play a decent move.
const GRACE: Duration = Duration::from_secs(1);

const GAME: &str = "Game";
const UCI_VARIANT: &str = "UCI_Variant";
const LOG_FILE: &str = "Log File";

/// The engine: one client, one session.
pub struct Engine<'c> {
    catalogue: &'c dyn Catalogue,
    session: Box<dyn Session>,
    /// The name the game was chosen by, when that was the name of a UCI variant.
    variant: Option<String>,
    dialect: &'static Dialect,
    /// Whether the dialect is settled: by the command line or by the first word.
    settled: bool,
    /// The game of a client that tells it one move at a time.
    kept: Kept,
    debug: bool,
    running: Option<Running>,
    queue: VecDeque<Waiting>,
    searches: u64,
    /// When the last search answered.
    answered: Option<Instant>,
    ending: Option<Ending>,
    sender: Sender<Event>,
    events: Receiver<Event>,
    output: Box<dyn Write + Send>,
    log_path: String,
    log: Option<File>,
}

/// A command that waits for its turn.
struct Waiting {
    id: Option<u64>,
    command: Command,
    received: Instant,
}

/// The search that is going on.
struct Running {
    id: u64,
    handle: SearchHandle,
    bounded: bool,
    /// Waits for `ponderhit`.
    pondering: bool,
    stopped: bool,
    received: Instant,
    /// The number of the step that asked for a move to be played, if one did.
    asked: Option<Option<u64>>,
}

/// How the input ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ending {
    Eof,
    Quit,
}

impl<'c> Engine<'c> {
    /// An engine for the games of `catalogue`, at the start of its default game, that talks over `connection`.
    ///
    /// # Errors
    /// When there is no memory or no thread for it.
    pub fn new(catalogue: &'c dyn Catalogue, connection: Connection) -> Result<Engine<'c>, Problem> {
        let resources = Resources::new(Settings::default())?;
        let session = catalogue.open(catalogue.default_game(), resources)?;
        let (sender, events) = unbounded();
        connection::read_lines(connection.input, sender.clone())
            .map_err(|error| Problem::new(format!("no thread to read on: {error}")))?;
        Ok(Engine {
            catalogue,
            session,
            variant: None,
            dialect: dialect(DialectName::default()),
            settled: false,
            kept: Kept::default(),
            debug: false,
            running: None,
            queue: VecDeque::new(),
            searches: 0,
            answered: None,
            ending: None,
            sender,
            events,
            output: connection.output,
            log_path: String::new(),
            log: None,
        })
    }

    /// Speaks this dialect from the first line on, whatever that line is.
    pub fn speak(&mut self, name: DialectName) {
        self.dialect = dialect(name);
        self.settled = true;
    }

    /// Serves the client until it quits or its input ends. A client that goes away is a quiet end.
    ///
    /// # Errors
    /// When the output fails in any other way.
    pub fn run(&mut self) -> io::Result<()> {
        let result = self.serve();
        if let Some(running) = &self.running {
            running.handle.stop();
        }
        match result {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            result => result,
        }
    }

    fn serve(&mut self) -> io::Result<()> {
        loop {
            match self.next_event() {
                Some(Event::Line(line, received)) => self.line(line, received)?,
                Some(Event::Eof) => self.end(Ending::Eof),
                Some(Event::Search(id, reply)) => self.news(id, &reply)?,
                None => self.stop(),
            }
            self.work_off_queue()?;
            if self.ending.is_some() && self.running.is_none() {
                return Ok(());
            }
        }
    }

    /// The next event, or nothing when an unbounded search has outlived the input.
    fn next_event(&self) -> Option<Event> {
        let deadline = match (&self.running, self.ending) {
            (Some(running), Some(Ending::Eof)) if !running.bounded && !running.stopped => running.received + GRACE,
            _ => return self.events.recv().ok(),
        };
        self.events.recv_deadline(deadline).ok()
    }

    fn line(&mut self, line: Result<String, BadLine>, received: Instant) -> io::Result<()> {
        // What stands behind `quit` is not for this process: how far it got would depend on the speed of the last search.
        if self.ending == Some(Ending::Quit) {
            return Ok(());
        }
        let text = match &line {
            Ok(text) => text,
            Err(bad) => &bad.beginning,
        };
        log::debug!("> {text}");
        self.record('>', text);
        if !self.settled {
            // A remark is none in every dialect, so it waits for the word that says which one this is.
            if line.is_ok() && is_empty(text) {
                return Ok(());
            }
            self.speak(opened_by(text).unwrap_or_default());
        }
        let request = match line {
            Ok(text) => parse(self.dialect, &text),
            Err(bad) => refuse(self.dialect, &bad.beginning, bad.problem),
        };
        match request.command {
            Ok(None) => Ok(()),
            Ok(Some(command)) => self.accept(Waiting { id: request.id, command, received }),
            Err(problem) => self.complain(&problem),
        }
    }

    /// Acts on a command at once, or queues it. LAW 2.
    fn accept(&mut self, waiting: Waiting) -> io::Result<()> {
        let Waiting { id, command, received } = waiting;
        let searches =
            |command: &Command| matches!(command, Command::Go(_) | Command::Step(Step::Generate(..) | Step::Stones));
        // A word for a search that waits stands right behind it, before what else waits: that waits for this search.
        let behind_go = self.queue.iter().rposition(|queued| searches(&queued.command)).map(|place| place + 1);
        match command {
            Command::IsReady => self.say(&Reply::Ready),
            Command::Query(question) => self.query(&question),
            Command::Debug(on) => {
                self.debug = on;
                Ok(())
            }
            Command::Help => self.help(),
            Command::Greet(name) => self.greet(name),
            Command::Quit => {
                if self.dialect.answers() {
                    let command = Command::Step(Step::Tell(String::new()));
                    self.queue.push_back(Waiting { id, command, received });
                }
                self.end(Ending::Quit);
                Ok(())
            }
            Command::Stop => {
                self.stop();
                if let Some(place) = behind_go {
                    self.queue.insert(place, Waiting { id, command: Command::Stop, received });
                }
                Ok(())
            }
            Command::PonderHit => {
                let ours = self.running.as_ref().is_some_and(|running| running.pondering && !running.stopped);
                match behind_go.filter(|_| !ours) {
                    Some(place) => self.queue.insert(place, Waiting { id, command: Command::PonderHit, received }),
                    None => self.ponder_hit(),
                }
                Ok(())
            }
            change @ (Command::SetOption { .. }
            | Command::NewGame
            | Command::Position(_)
            | Command::Go(_)
            | Command::RefusedPosition(_)
            | Command::RefusedGo(_)
            | Command::Step(_)) => {
                self.queue.push_back(Waiting { id, command: change, received });
                Ok(())
            }
        }
    }

    /// Carries out what waits, up to the next search.
    fn work_off_queue(&mut self) -> io::Result<()> {
        while let Some(next) = self.queue.front() {
            let for_running = matches!(next.command, Command::Stop | Command::PonderHit);
            if self.running.is_some() && !for_running {
                break;
            }
            let Some(Waiting { id, command, received }) = self.queue.pop_front() else { break };
            match command {
                Command::Stop => self.stop(),
                Command::PonderHit => self.ponder_hit(),
                Command::Go(go) => self.go(&go, received)?,
                Command::Position(setup) => {
                    let result = self.session.set_position(&setup);
                    let lost = if self.session.is_forfeited() { "; the game is lost by it" } else { "" };
                    self.complain_if(result.map_err(|problem| Problem { text: problem.text + lost, ..problem }))?;
                }
                Command::RefusedPosition(problem) => {
                    self.session.drop_position();
                    self.complain(&problem)?;
                }
                Command::RefusedGo(problem) => {
                    self.complain(&problem)?;
                    self.say(&Reply::BestMove { best: None, ponder: None })?;
                }
                Command::NewGame => self.session.new_game(),
                Command::Step(step) => self.step(id, step, received)?,
                Command::SetOption { name, value } => {
                    let result = self.set_option(&name.text, value.as_ref().map(|value| value.text.as_str()));
                    let known = self.options().iter().any(|spec| spec.name.eq_ignore_ascii_case(&name.text));
                    let column = value.filter(|_| known).map_or(name.column, |value| value.column);
                    self.complain_if(result.map_err(|problem| Problem::at(column, problem.text)))?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn go(&mut self, go: &Go, received: Instant) -> io::Result<()> {
        for warning in &go.warnings {
            self.say(&Reply::Note(format!("warning: {warning}")))?;
        }
        // LAW 9: the clock starts when the line is read, or, if the search before had still to answer, when it has.
        let received = self.answered.map_or(received, |answered| answered.max(received));
        self.searches += 1;
        let id = self.searches;
        let sender = self.sender.clone();
        let sink = Box::new(move |reply| {
            // The engine outlives its searches; if it is gone, nobody listens.
            let _ = sender.send(Event::Search(id, reply));
        });
        let handle = self.session.go(go, received, sink);
        let bounded = go.is_bounded();
        let pondering = go.ponder;
        self.running = Some(Running { id, handle, bounded, pondering, stopped: false, received, asked: None });
        if self.ending == Some(Ending::Quit) {
            self.stop();
        }
        if self.debug {
            self.say(&Reply::Note(format!(
                "debug: search {id} starts, {}",
                if bounded { "bounded" } else { "unbounded" }
            )))?;
        }
        Ok(())
    }

    /// Passes on what the running search says. LAW 3: an old search has nothing to say.
    fn news(&mut self, id: u64, reply: &Reply) -> io::Result<()> {
        let Some(running) = self.running.as_ref().filter(|running| running.id == id) else { return Ok(()) };
        if let Reply::BestMove { best, .. } = reply {
            let (time, asked) = (running.received.elapsed(), running.asked);
            self.running = None;
            self.answered = Some(Instant::now());
            if self.debug {
                self.say(&Reply::Note(format!("debug: search {id} ends after {} ms", time.as_millis())))?;
            }
            if let Some(asked) = asked {
                return self.play_found(asked, best.as_deref(), time);
            }
        }
        self.say(reply)
    }

    fn stop(&mut self) {
        if let Some(running) = &mut self.running {
            running.handle.stop();
            running.stopped = true;
        }
    }

    fn ponder_hit(&mut self) {
        if let Some(running) = self.running.as_mut().filter(|running| running.pondering) {
            running.handle.ponder_hit();
            running.pondering = false;
        }
    }

    /// LAW 8: a bounded search may finish when the input ends; `quit` stops every search.
    fn end(&mut self, ending: Ending) {
        if self.ending != Some(Ending::Quit) {
            self.ending = Some(ending);
        }
        if ending == Ending::Quit {
            self.stop();
        }
    }

    fn query(&mut self, question: &str) -> io::Result<()> {
        if question.eq_ignore_ascii_case("board")
            && let Some(board) = self.session.board()
        {
            return board.lines().try_for_each(|line| self.say(&Reply::Note(line.to_owned())));
        }
        let answer = self.session.query(question).unwrap_or_else(|| "unknown".into());
        self.say(&Reply::Response(answer))
    }

    fn help(&mut self) -> io::Result<()> {
        let games = format!("games: {}", self.catalogue.names());
        help().map(str::to_owned).chain([games]).try_for_each(|line| self.say(&Reply::Note(line)))
    }

    fn greet(&mut self, name: DialectName) -> io::Result<()> {
        self.dialect = dialect(name);
        self.say(&Reply::Name(concat!("griot ", env!("CARGO_PKG_VERSION")).into()))?;
        self.say(&Reply::Author("the griot authors".into()))?;
        for spec in self.options() {
            self.say(&Reply::Option(spec))?;
        }
        self.say(&Reply::GreetingDone)
    }

    /// The options of the engine and of its session.
    fn options(&self) -> Vec<OptionSpec> {
        let game = self.session.game().to_owned();
        let variant = self.variant.clone().unwrap_or_else(|| game.clone());
        let mut choices: Vec<String> = self.catalogue.variants().iter().map(|known| known.name.to_owned()).collect();
        if !choices.contains(&variant) {
            choices.insert(0, variant.clone());
        }
        let string = |default| OptionKind::String { default };
        let mut options = vec![
            OptionSpec { name: GAME, kind: string(game) },
            OptionSpec { name: UCI_VARIANT, kind: OptionKind::Combo { default: variant, choices } },
            OptionSpec { name: LOG_FILE, kind: string(String::new()) },
        ];
        options.extend(self.session.options());
        options
    }

    /// Sets an option of the engine or of its session; the name in any case.
    ///
    /// # Errors
    /// When there is no such option, or the value is not one of its values; nothing has changed then.
    pub fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), Problem> {
        let options = self.options();
        let Some(spec) = options.iter().find(|spec| spec.name.eq_ignore_ascii_case(name)) else {
            let names: Vec<&str> = options.iter().map(|spec| spec.name).collect();
            return Err(Problem::new(format!("no option '{}'; there are {}", tidy(name), names.join(", "))));
        };
        let text = value.unwrap_or_default();
        match spec.name {
            GAME => {
                let session = self.catalogue.open(text, self.session.resources().clone())?;
                let variant = self.variant.take();
                // The same game, written as it was, is no other game.
                let restyled = |known: &Variant| known.restyled && variant.as_deref() == Some(known.name);
                if self.catalogue.variants().iter().any(restyled) || session.game() != self.session.game() {
                    self.change_game(session);
                }
                Ok(())
            }
            UCI_VARIANT => {
                let variants = self.catalogue.variants();
                let known = variants.iter().find(|known| known.name.eq_ignore_ascii_case(text)).copied();
                match known {
                    // A name that is no variant but the game being played is one that the greeting has offered.
                    None if text == self.session.game() => Ok(()),
                    None => {
                        let names: Vec<&str> = variants.iter().map(|known| known.name).collect();
                        let (names, found) = (names.join(", "), tidy(text));
                        Err(Problem::new(format!("option {UCI_VARIANT}: expected one of {names}, found '{found}'")))
                    }
                    Some(known) if self.variant.as_deref() == Some(known.name) => Ok(()),
                    Some(known) => {
                        let session = self.catalogue.open_variant(known.name, self.session.resources().clone())?;
                        let same = self.variant.is_none() && session.game() == self.session.game();
                        if known.restyled || !same {
                            self.change_game(session);
                        }
                        self.variant = Some(known.name.to_owned());
                        Ok(())
                    }
                }
            }
            LOG_FILE => self.log_to(text),
            _ => self.session.set_option(name, value),
        }
    }

    fn change_game(&mut self, mut session: Box<dyn Session>) {
        // The same game under another name of it: what the table holds is as true as before.
        if session.game() != self.session.game() {
            session.new_game();
        }
        self.session = session;
    }

    /// Records all lines in a file from now on; an empty path ends it.
    fn log_to(&mut self, path: &str) -> Result<(), Problem> {
        if path != self.log_path {
            let open = || log_file::open(Path::new(path));
            let problem = |error| Problem::new(format!("option {LOG_FILE}: cannot write to '{}': {error}", tidy(path)));
            self.log = if path.is_empty() { None } else { Some(open().map_err(problem)?) };
            path.clone_into(&mut self.log_path);
        }
        Ok(())
    }

    /// Adds a line to the record. A record that cannot be written ends; the game goes on.
    fn record(&mut self, mark: char, line: &str) {
        if let Some(file) = &mut self.log
            && let Err(error) = file.write_all(format!("{mark} {line}\n").as_bytes())
        {
            log::error!("{LOG_FILE}: cannot write to '{}': {error}; the record ends here", self.log_path);
            self.log = None;
            self.log_path.clear();
        }
    }

    fn complain_if(&mut self, result: Result<(), Problem>) -> io::Result<()> {
        result.or_else(|problem| self.complain(&problem))
    }

    /// LAW 6: what was wrong is said on stdout, in one line.
    fn complain(&mut self, problem: &Problem) -> io::Result<()> {
        self.say(&Reply::Note(format!("error: {problem}")))
    }

    /// Writes a line, whole and at once, if the dialect has one for this.
    fn say(&mut self, reply: &Reply) -> io::Result<()> {
        let Some(mut line) = render(self.dialect, reply) else { return Ok(()) };
        log::debug!("< {line}");
        self.record('<', &line);
        line.push('\n');
        self.output.write_all(line.as_bytes())?;
        self.output.flush()
    }
}

/// Serves one game over stdin and stdout: all that a program needs to be an engine.
///
/// # Errors
/// When the engine cannot start, or the output fails other than by the client going away.
pub fn serve<N, E, T>(game: Game<N, E, T>) -> io::Result<()>
where
    N: Notation + Clone,
    E: Evaluate<N::Position> + Clone,
    T: Probe<N::Position> + Clone,
{
    let only = Only(game);
    Engine::new(&only, Connection::stdio()).map_err(|problem| io::Error::other(problem.to_string()))?.run()
}

/// A catalogue of one game.
#[derive(Debug, Clone)]
pub struct Only<N, E, T>(pub Game<N, E, T>);

impl<N, E, T> Catalogue for Only<N, E, T>
where
    N: Notation + Clone,
    E: Evaluate<N::Position> + Clone,
    T: Probe<N::Position> + Clone,
{
    fn default_game(&self) -> &str {
        &self.0.name
    }

    fn names(&self) -> String {
        self.0.name.clone()
    }

    fn open(&self, name: &str, resources: Resources) -> Result<Box<dyn Session>, Problem> {
        if name == self.0.name {
            Ok(Box::new(GameSession::new(self.0.clone(), resources)))
        } else {
            Err(Problem::new(format!("no game '{}'; there is {}", tidy(name), self.0.name)))
        }
    }
}
