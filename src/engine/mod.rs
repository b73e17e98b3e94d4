//! The event loop: reads commands, runs one search at a time, writes replies.
//!
//! Layer 5. Knows the protocol and sessions, but no game. The engine thread carries out commands in order. The reader thread
//! acts on what cannot wait: it stops the running search for `stop` and `quit`, and answers `isready`. `Backlog` bounds the
//! lines read and not yet done, `Outbox` the replies not yet written. This module, `reader` and `queue` keep the laws of
//! protocol.md on *when* a command acts: LAW 2 (at once, or after the search), LAW 3 (no `stop` is lost), LAW 8 (end of
//! input), LAW 9 (limits).
//!
//! ```text
//!           isready, if no earlier answer is due
//!        +----------------------------------------------+      lines without room in the output
//!        |                                              v              +--------> writer --+
//!  stdin -> reader -- Backlog: Line, Eof --> engine --> Outbox: one lock, whole lines -----+--> stdout
//!             |  stop, quit                 |   ^        ^                                        |
//!             +-----------> StopButton      go  | Done   | info, bestmove                         v
//!                                |          v   |        |                       watch: the output is closed
//!                                +------> search thread -+
//!
//!          go                         bestmove, and the queue is empty
//!   Idle ------> Searching, queue ------------------------------------> Idle
//!                 |  position, setoption, new game, go, a step of GTP, Gomocup or NBoard: wait in the queue, in order
//!                 |  a stop or ponderhit for a go in the queue: waits behind it
//! ```

mod connection;
mod hosted_game;
mod log_file;
mod outbox;
mod queue;
mod reader;
mod steps;

use std::io::{self, BufRead};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, select, unbounded};

pub use connection::{BadLine, Client, Connection, next_line};

use self::connection::Watch;
use self::hosted_game::HostedGame;
use self::outbox::Outbox;
use self::queue::{LONGEST_QUEUE, Queue, Refused, Ticket, Turn, Waiting};
use self::reader::{LastAnswer, Shared, StopButton};
use self::steps::{Asked, Found};
use crate::game::family::BenchPosition;
use crate::game::{Evaluate, Game, Notation, Probe};
use crate::message::{
    Command, DialectName, Go, Info, OptionKind, OptionSpec, Problem, Query, Reply, ReportedScore, Response, Setup,
    Step, Text,
};
use crate::protocol::{Dialect, Grammar, Request, dialect, dialect_for, draw, help, meant, tidy, tidy_path};
use crate::session::{Catalogue, GameSession, Resources, SearchHandle, Session, Settings, Sink, Variant};
use crate::spelling::{instead, nearest, quoted};

/// An event of the loop.
#[derive(Debug)]
enum Event {
    /// A line was read.
    Line(Box<Line>),
    /// The input ended.
    Eof,
    /// A search has answered.
    Done(Ticket),
    /// A search has found a move (or none) and its value, for the game that the engine keeps.
    Found(u64, Option<String>, Option<ReportedScore>),
    /// The process must end.
    Interrupted,
    /// Nothing more can be written.
    OutputFailed,
}

/// A line of the client.
#[derive(Debug)]
struct Line {
    /// The dialect, if this line decides it.
    opens: Option<DialectName>,
    /// Its valid text.
    text: String,
    request: Request,
    received: Instant,
    ticket: Ticket,
}

/// How long an unbounded search runs after the end of the input: `echo go | griot` should play a decent move.
const GRACE: Duration = Duration::from_secs(1);

/// The game of Hub until its client chooses another one.
const HUB_GAME: &str = "draughts:international";

/// Longer than any move, in bytes.
const LONGEST_MOVE: usize = 60;

/// An option of the engine, independent of the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum OwnOption {
    Game,
    UciVariant,
    UciChess960,
    LogFile,
}

impl OwnOption {
    /// In the order of the greeting, before those of the session.
    const ALL: [OwnOption; 4] = [OwnOption::Game, OwnOption::UciVariant, OwnOption::UciChess960, OwnOption::LogFile];

    const fn name(self) -> &'static str {
        match self {
            OwnOption::Game => "Game",
            OwnOption::UciVariant => "UCI_Variant",
            OwnOption::UciChess960 => "UCI_Chess960",
            OwnOption::LogFile => "Log File",
        }
    }

    const fn help(self) -> &'static str {
        match self {
            OwnOption::Game => "the game; sets up its start position",
            OwnOption::UciVariant => "the game, for clients that cannot set Game",
            OwnOption::UciChess960 => "write castling as in Chess960, the king that takes its rook",
            OwnOption::LogFile => "append every line, in and out, to this file",
        }
    }

    /// The option while `game` is played; `variant` is its name as a UCI variant if it was chosen by one.
    fn spec(self, catalogue: &dyn Catalogue, game: &str, variant: Option<&str>) -> OptionSpec {
        let kind = match self {
            OwnOption::Game => OptionKind::String { default: game.to_owned() },
            OwnOption::UciVariant => {
                let default = variant.unwrap_or(game).to_owned();
                let mut choices: Vec<String> = catalogue.variants().iter().map(|known| known.name.to_owned()).collect();
                if !choices.contains(&default) {
                    choices.insert(0, default.clone());
                }
                OptionKind::Combo { default, choices }
            }
            OwnOption::UciChess960 => OptionKind::Check { default: false },
            OwnOption::LogFile => OptionKind::String { default: String::new() },
        };
        OptionSpec { name: self.name(), kind, help: self.help() }
    }
}

/// The options of an engine for the games of `catalogue`, its own and those of every session, with their initial values.
#[must_use]
pub fn options(catalogue: &dyn Catalogue) -> Vec<OptionSpec> {
    let own = OwnOption::ALL.map(|option| option.spec(catalogue, catalogue.default_game(), None));
    own.into_iter().chain(Settings::options()).collect()
}

/// The engine: one client, one session.
pub struct Engine<'c> {
    catalogue: &'c dyn Catalogue,
    session: Box<dyn Session>,
    /// The UCI variant by which the game was chosen, if any.
    variant: Option<String>,
    /// Whether castling is written as in Chess960, in games that have it.
    chess960: bool,
    dialect: &'static Dialect,
    /// The limits that a client told for all its searches.
    level: Go,
    /// Whether the dialect is decided, by the command line or the first word.
    settled: bool,
    /// The game of a client that sends one move at a time.
    hosted: HostedGame,
    /// Whether searches report their start and end (`debug on`).
    debug: Arc<AtomicBool>,
    running: Option<Running>,
    queue: Queue,
    searches: u64,
    /// When the last search answered.
    answered: Option<Instant>,
    ending: Option<Ending>,
    /// `None` once the reader has it.
    input: Option<Box<dyn BufRead + Send>>,
    watch: Option<Watch>,
    events: Receiver<Event>,
    shared: Shared,
}

/// Ends an engine from outside, from any thread.
#[derive(Clone)]
pub struct Interrupter(Shared);

impl Interrupter {
    /// Ends it as `quit` does: due answers are written, and [`Engine::run`] returns. A client that does not read is waited for at
    /// most a second.
    pub fn interrupt(&self) {
        self.0.interrupt();
    }
}

/// The running search.
struct Running {
    id: u64,
    handle: SearchHandle,
    bounded: bool,
    /// Waits for `ponderhit`.
    pondering: bool,
    stopped: bool,
    received: Instant,
    /// The purpose of the step that started it, if any.
    asked: Option<Asked>,
}

/// The number of the searches of a `bench`: none that the engine counts.
const BENCH: u64 = 0;

/// How the input ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ending {
    Eof,
    Quit,
}

impl<'c> Engine<'c> {
    /// An engine for the games of `catalogue`, at the start of its default game, on `connection`.
    ///
    /// # Errors
    /// When there is no memory or no thread for it.
    pub fn new(catalogue: &'c dyn Catalogue, connection: Connection) -> Result<Engine<'c>, Problem> {
        Engine::with_resources(catalogue, connection, Resources::new(Settings::default())?)
    }

    /// The same with resources of its own.
    ///
    /// # Errors
    /// When there is no memory or no thread for it.
    pub fn with_resources(
        catalogue: &'c dyn Catalogue,
        connection: Connection,
        resources: Resources,
    ) -> Result<Engine<'c>, Problem> {
        let session = catalogue.open(catalogue.default_game(), resources)?;
        let (sender, events) = unbounded();
        let failing = |error| Problem::new(format!("cannot start threads for input and output: {error}"));
        // Ignore the error: an engine that has ended needs no events.
        let (gone, failed) = (sender.clone(), sender.clone());
        let failed = move || drop(failed.send(Event::OutputFailed));
        let Connection { input, output } = connection;
        let watch = Watch::new(&output, move || drop(gone.send(Event::OutputFailed))).map_err(failing)?;
        let outbox = Outbox::new(output, failed).map_err(failing)?;
        let (backlog, stop, answered) = (Arc::default(), StopButton::default(), LastAnswer::default());
        let shared = Shared { events: sender, backlog, outbox, stop, answered };
        Ok(Engine {
            catalogue,
            session,
            variant: None,
            chess960: false,
            dialect: dialect(DialectName::default()),
            level: Go::default(),
            settled: false,
            hosted: HostedGame::default(),
            debug: Arc::default(),
            running: None,
            queue: Queue::default(),
            searches: 0,
            answered: None,
            ending: None,
            input: Some(input),
            watch: Some(watch),
            events,
            shared,
        })
    }

    /// Uses this dialect from the first line on.
    pub fn speak(&mut self, name: DialectName) {
        self.settled = true;
        self.write_as(name);
    }

    /// Writes in this dialect, as it is for the game that is played.
    fn write_as(&mut self, name: DialectName) {
        self.dialect = dialect_for(name, self.session.has_null_moves());
        self.shared.outbox.speak(self.dialect);
    }

    /// A handle that ends this engine from outside, as a signal does.
    #[must_use]
    pub fn interrupter(&self) -> Interrupter {
        Interrupter(self.shared.clone())
    }

    /// Serves the client until it quits or its input ends. A closed output ends it without an error.
    ///
    /// # Errors
    /// When the output fails in any other way, or there is no thread to read on.
    pub fn run(&mut self) -> io::Result<()> {
        let result = self.read().and_then(|()| self.serve());
        self.stop();
        self.watch = None;
        let ended = self.shared.outbox.end();
        match result.and(ended) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            result => result,
        }
    }

    /// Starts the reading thread.
    fn read(&mut self) -> io::Result<()> {
        if let Some(input) = self.input.take() {
            let (shared, settled) = (self.shared.clone(), self.settled.then_some(self.dialect));
            thread::Builder::new().name("reader".into()).spawn(move || reader::read(input, settled, &shared))?;
        }
        Ok(())
    }

    fn serve(&mut self) -> io::Result<()> {
        loop {
            let event = self.next_event();
            // The ticket lives until the line and everything it caused is done.
            let ControlFlow::Continue(_ticket) = self.take(event)? else { return Ok(()) };
            self.work_off_queue()?;
            if self.ending.is_some() && self.running.is_none() {
                return Ok(());
            }
        }
    }

    /// Acts on an event; without one, stops the search. Returns the event's ticket, or a break if nothing more can be
    /// written.
    fn take(&mut self, event: Option<Event>) -> io::Result<ControlFlow<(), Option<Ticket>>> {
        let mut ticket = None;
        match event {
            Some(Event::Line(line)) => ticket = self.line(*line)?,
            Some(Event::Done(done)) => {
                self.catch_up();
                ticket = Some(done);
            }
            Some(Event::Found(id, best, score)) => self.found(id, best.as_deref(), score)?,
            Some(Event::Eof) => self.end(Ending::Eof),
            Some(Event::Interrupted) => self.end(Ending::Quit),
            Some(Event::OutputFailed) => return Ok(ControlFlow::Break(())),
            None => self.stop(),
        }
        Ok(ControlFlow::Continue(ticket))
    }

    /// The next event; `None` if an unbounded search has used up its time after the end of the input.
    fn next_event(&self) -> Option<Event> {
        let deadline = match (&self.running, self.ending) {
            (Some(running), Some(Ending::Eof)) if !running.bounded && !running.stopped => running.received + GRACE,
            _ => return self.events.recv().ok(),
        };
        self.events.recv_deadline(deadline).ok()
    }

    /// Acts on a line; returns its ticket unless it waits with its command.
    fn line(&mut self, line: Line) -> io::Result<Option<Ticket>> {
        // Ignore lines after `quit`: how many were executed would depend on the speed of the last search.
        if self.ending == Some(Ending::Quit) {
            return Ok(Some(line.ticket));
        }
        let Line { opens, text, request, received, ticket } = line;
        self.shared.outbox.record_read(&text);
        if let Some(name) = opens {
            self.speak(name);
        }
        // Set at once, before a waiting search starts, so that it reports both its start and its end, or neither.
        if let Ok(Some(Command::Debug(on))) = request.command {
            self.debug.store(on, Ordering::Relaxed);
            if request.skipped.is_none() {
                return Ok(Some(ticket));
            }
        }
        // The client may already have read an answer that this thread has not recorded; this line is then for the time
        // after it.
        let shared = self.shared.clone();
        let gate = loop {
            let gate = shared.answered.lock();
            if gate.is_none() {
                break gate;
            }
            drop(gate);
            self.catch_up();
            self.work_off_queue()?;
        };
        // Immediate answers come before the search's answer, or after everything that waits for it.
        let speaks = request.skipped.is_some() || speaks_at_once(&request.command);
        let _gate = speaks.then_some(gate);
        if let Some(skipped) = &request.skipped {
            self.say(&Reply::Note(format!("warning: {skipped}")))?;
        }
        match request.command {
            Ok(None) => Ok(Some(ticket)),
            Ok(Some(command)) => {
                let waits = matches!(command, Command::Step(_));
                let (kept, ticket) = if waits { (Some(ticket), None) } else { (None, Some(ticket)) };
                self.accept(Waiting { id: request.id, command, received, text: text.len(), ticket: kept })?;
                Ok(ticket)
            }
            Err(problem) => self.complain(&problem).map(|()| Some(ticket)),
        }
    }

    /// Acts on a command at once, or queues it. LAW 2.
    fn accept(&mut self, waiting: Waiting) -> io::Result<()> {
        match &waiting.command {
            Command::IsReady => self.say(&Reply::Ready),
            Command::Ping => self.say(&Reply::Pong),
            Command::Query(query) => self.query(query),
            Command::Debug(_) => Ok(()),
            Command::Help => self.help(),
            Command::Unknown(word) => self.complain(&self.unknown(word)),
            Command::Greet(name) => self.greet(*name),
            Command::Quit => {
                if self.dialect.answers() {
                    let command = Command::Step(Step::Tell(String::new()));
                    self.queue(Waiting { command, ..waiting })?;
                }
                self.end(Ending::Quit);
                Ok(())
            }
            Command::Stop => {
                self.stop();
                self.queue.push_word(waiting);
                Ok(())
            }
            Command::PonderHit => {
                let ours = self.running.as_ref().is_some_and(|running| running.pondering && !running.stopped);
                if !ours && self.queue.has_search() {
                    self.queue.push_word(waiting);
                } else {
                    self.ponder_hit();
                }
                Ok(())
            }
            Command::Step(Step::Ping(_)) => {
                self.stop();
                self.queue(waiting)
            }
            Command::SetOption { .. }
            | Command::NewGame
            | Command::Flip
            | Command::Bench(_)
            | Command::Position(_)
            | Command::Go(_)
            | Command::RefusedPosition(_)
            | Command::RefusedGo(_)
            | Command::Step(_) => self.queue(waiting),
        }
    }

    /// Queues a command. LAW 9: beyond the bound it is refused; the first refusal is reported at once.
    fn queue(&mut self, waiting: Waiting) -> io::Result<()> {
        if !self.queue.push(waiting) {
            return Ok(());
        }
        let most = LONGEST_QUEUE >> 20;
        self.complain(&Problem::new(format!(
            "refused: {most} MiB of commands wait for the search; what comes after them is refused, too, until they are done"
        )))
    }

    /// Runs waiting commands up to the next search.
    fn work_off_queue(&mut self) -> io::Result<()> {
        while let Some(turn) = self.queue.pop(self.running.is_some()) {
            let Waiting { id, command, received, ticket, .. } = match turn {
                Turn::Command(waiting) => waiting,
                Turn::Refused(refused) => {
                    self.answer_refused(&refused)?;
                    continue;
                }
            };
            match command {
                Command::Stop => self.stop(),
                Command::PonderHit => self.ponder_hit(),
                Command::Go(go) => self.go(&go, received)?,
                Command::Position(setup) => self.set_position(&setup)?,
                Command::RefusedPosition(problem) => {
                    self.session.drop_position();
                    self.complain(&problem)?;
                }
                Command::RefusedGo(problem) => {
                    self.complain(&problem)?;
                    self.say(&Reply::BestMove { best: None, ponder: None })?;
                }
                Command::NewGame => self.session.new_game(),
                Command::Flip => {
                    let flipped = self.session.flip();
                    self.complain_if(flipped)?;
                }
                Command::Bench(depth) => self.bench(depth)?,
                Command::Step(step) => self.step(id, step, received)?,
                Command::SetOption { name, value } => {
                    let result = self.set_option(&name.text, value.as_ref().map(|value| value.text.as_str()));
                    let known = self.options().iter().any(|spec| spec.name.eq_ignore_ascii_case(&name.text));
                    let column = value.filter(|_| known).map_or(name.column, |value| value.column);
                    self.complain_if(result.map_err(|problem| Problem::at(column, problem.text)))?;
                }
                _ => {}
            }
            drop(ticket);
        }
        Ok(())
    }

    /// Answers refused commands: LAW 1, each `go`; LAW 7, whether a `position` was among them.
    fn answer_refused(&mut self, refused: &Refused) -> io::Result<()> {
        let Refused { commands, gos, position } = *refused;
        let mut text = format!("{commands} commands were refused, because too many waited");
        if position {
            self.session.drop_position();
            text.push_str("; there is no position, because one of them was to set it up");
        }
        self.complain(&Problem::new(text))?;
        self.shared.outbox.say_when_read(&Reply::BestMove { best: None, ponder: None }, gos)
    }

    fn set_position(&mut self, setup: &Setup) -> io::Result<()> {
        let result = self.session.set_position(setup);
        for warning in setup.warnings.iter().chain(self.session.warnings()) {
            self.say(&Reply::Note(format!("warning: {warning}")))?;
        }
        let Err(mut problem) = result else { return Ok(()) };
        if self.session.is_forfeited() {
            problem.text.push_str("; the game is lost by it");
        }
        self.complain(&problem)
    }

    fn go(&mut self, go: &Go, received: Instant) -> io::Result<()> {
        if go.by_level {
            let limits = Go { ponder: go.ponder, ..self.level.clone() };
            return self.search(&limits, received, None);
        }
        self.search(go, received, None)
    }

    /// Begins a search; `asked` is the purpose of the step that started it.
    fn search(&mut self, go: &Go, received: Instant, asked: Option<Asked>) -> io::Result<()> {
        for warning in &go.warnings {
            self.say(&Reply::Note(format!("warning: {warning}")))?;
        }
        self.shared.outbox.wait_until_read()?;
        // LAW 9: the clock starts when the line is read or when the previous search has answered, whichever is later.
        let received = self.answered.map_or(received, |answered| answered.max(received));
        self.searches += 1;
        let id = self.searches;
        let bounded = go.is_bounded();
        if self.debug.load(Ordering::Relaxed) {
            let kind = if bounded { "bounded" } else { "unbounded" };
            self.say(&Reply::Note(format!("debug: search {id} starts, {kind}")))?;
        }
        let impatient = Arc::default();
        let sink = self.sink(id, received, &impatient, asked);
        let handle = self.session.go(go, received, sink);
        self.shared.stop.set(&handle, &impatient);
        let pondering = go.ponder;
        self.running = Some(Running { id, handle, bounded, pondering, stopped: false, received, asked });
        if self.ending == Some(Ending::Quit) || self.queue.has_ping() {
            self.stop();
        }
        Ok(())
    }

    /// The sink of a search's replies, which its own thread writes. LAW 2: the engine knows of the answer before it is written, so
    /// commands sent after it find the search done. If the engine keeps the game, the move is played first.
    fn sink(&self, id: u64, received: Instant, impatient: &Arc<AtomicBool>, asked: Option<Asked>) -> Sink {
        let (shared, impatient, debug) = (self.shared.clone(), Arc::clone(impatient), Arc::clone(&self.debug));
        let keeps_game = self.dialect.answers();
        // The client would take its lines for lines of the position it shows.
        let is_silent = matches!(asked, Some(Asked::Worth(_)));
        let shows = self.hosted.detail && !is_silent;
        // The score of the best line reported last.
        let mut score = None;
        Box::new(move |reply| match reply {
            Reply::BestMove { best, .. } if keeps_game => {
                // The engine outlives its searches; if it has ended, the event is not needed.
                let _ = shared.tell(Event::Found(id, best, score));
            }
            Reply::BestMove { .. } => {
                let mut answered = shared.answered.lock();
                let mut voice = shared.outbox.lock();
                if debug.load(Ordering::Relaxed) {
                    let time = received.elapsed().as_millis();
                    voice.say(&Reply::Note(format!("debug: search {id} ends after {time} ms")));
                }
                *answered = Some((id, Instant::now()));
                let ticket = shared.backlog.enter_at_once();
                voice.say(&reply);
                shared.outbox.release(voice);
                // Last, since the woken thread may take the processor. Until the engine records the answer, the ticket
                // stands for it.
                let _ = shared.tell(Event::Done(ticket));
            }
            reply => {
                if let Reply::Info(Info { score: Some((told, _)), rank: None | Some(1), .. }) = reply {
                    score = Some(told);
                }
                if !is_silent {
                    shared.outbox.say_in_time(&reply, &impatient);
                }
                match reply {
                    Reply::Info(info)
                        if shows && info.rank.is_none_or(|rank| rank == 1) && !info.pv.moves.is_empty() =>
                    {
                        shared.outbox.say_in_time(&Reply::Better(info), &impatient);
                    }
                    _ => {}
                }
            }
        })
    }

    /// Records the answer of a search, if there is one.
    fn catch_up(&mut self) {
        let answered = self.shared.answered.lock().take();
        if let Some((id, at)) = answered {
            self.finish(id, at);
        }
    }

    /// The search has answered.
    fn finish(&mut self, id: u64, at: Instant) -> Option<Running> {
        let running = self.running.take_if(|running| running.id == id)?;
        self.shared.search_is_over();
        self.answered = Some(at);
        Some(running)
    }

    /// Uses the result of a search in the game that the engine keeps.
    fn found(&mut self, id: u64, best: Option<&str>, score: Option<ReportedScore>) -> io::Result<()> {
        let Some(running) = self.finish(id, Instant::now()) else { return Ok(()) };
        let Some(asked) = running.asked else { return Ok(()) };
        self.use_found(asked, &Found { best, score, time: running.received.elapsed(), stopped: running.stopped })
    }

    fn stop(&mut self) {
        if let Some(running) = &mut self.running {
            running.stopped = true;
            if let Some(search) = self.shared.stop.running() {
                search.stop(&self.shared.outbox);
            }
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

    fn query(&mut self, query: &Query) -> io::Result<()> {
        if *query == Query::Games {
            // Serialising plain data cannot fail.
            let menu = serde_json::to_string(&self.catalogue.menu()).unwrap_or_default();
            return self.say(&Reply::Response(Response::Games(menu)));
        }
        let Some(state) = self.session.state() else { return self.say(&Reply::Response(Response::Unknown)) };
        let picture = |session: &dyn Session| session.picture().map(Box::new);
        let response = match query {
            Query::Over => Response::Over(state.result.is_some()),
            Query::Turn => Response::Turn(state.turn),
            Query::Result => Response::Result(state.result),
            Query::BoardText => Response::BoardText(state.board),
            Query::Pass => self.session.after_pass().map_or(Response::Unknown, Response::BoardText),
            Query::Moves => Response::Moves(self.session.legal_moves()),
            Query::Picture => picture(&*self.session).map_or(Response::Unknown, Response::Picture),
            Query::Line(moves) => Response::Line(self.session.line(moves)),
            Query::Drawing => {
                let drawing = picture(&*self.session).map_or_else(String::new, |picture| draw(&picture));
                return drawing.lines().try_for_each(|line| self.say(&Reply::Note(line.to_owned())));
            }
            Query::Evaluation => {
                return self.session.evaluation().into_iter().try_for_each(|line| self.say(&Reply::Note(line)));
            }
            Query::Games | Query::Unknown => Response::Unknown,
        };
        self.say(&Reply::Response(response))
    }

    /// Searches the bench positions of the game, each from an empty table, and reports nodes and speed. Its searches
    /// count as one: `stop` and `quit` end it, and other commands act or wait as during a search.
    fn bench(&mut self, depth: Option<u32>) -> io::Result<()> {
        let result = self.search_bench(depth);
        self.running = None;
        self.shared.search_is_over();
        result
    }

    fn search_bench(&mut self, depth: Option<u32>) -> io::Result<()> {
        // Set when a search is stopped.
        let stopped = Arc::default();
        let events = self.events.clone();
        let (mut all, mut time) = (0, Duration::ZERO);
        for &BenchPosition { game, board, depth: usual } in self.catalogue.bench(self.session.game()) {
            let settings = self.session.resources().settings.clone();
            let opened = Resources::new(settings).and_then(|resources| self.catalogue.open(game, resources));
            let mut session = match opened {
                Ok(session) => session,
                Err(problem) => return self.complain(&problem),
            };
            let text = Some(Text { column: 1, text: board.into() }).filter(|text| !text.text.is_empty());
            if let Err(problem) = session.set_position(&Setup { board: text, ..Setup::default() }) {
                return self.complain(&problem);
            }
            let go = Go { depth: Some(depth.unwrap_or(usual)), ..Go::default() };
            let (sender, replies) = unbounded();
            let begun = Instant::now();
            // Ignore the error: who waits for the answer hears all of it.
            let handle = session.go(&go, begun, Box::new(move |reply| drop(sender.send(reply))));
            self.shared.stop.set(&handle, &stopped);
            let running = Running {
                id: BENCH,
                handle: handle.clone(),
                bounded: true,
                pondering: false,
                stopped: false,
                received: begun,
                asked: None,
            };
            self.running = Some(running);
            if stopped.load(Ordering::Relaxed) {
                // Between two searches.
                handle.stop();
            }
            let (mut last, mut nodes) = (String::from("(none)"), 0);
            loop {
                let reply = select! {
                    recv(replies) -> reply => reply,
                    recv(events) -> event => {
                        if self.take(event.ok())?.is_break() {
                            self.end(Ending::Quit);
                        }
                        continue;
                    }
                };
                match reply {
                    Ok(Reply::Info(info)) => nodes = info.nodes,
                    Ok(Reply::BestMove { best, .. }) => {
                        last = best.unwrap_or(last);
                        break;
                    }
                    Ok(_) => {}
                    Err(_) => break,
                }
            }
            drop(handle);
            if stopped.load(Ordering::Relaxed) {
                return self.say(&Reply::Note(String::from("bench stopped; the count is not complete")));
            }
            (all, time) = (all + nodes, time + begun.elapsed());
            let board = if board.is_empty() { "startpos" } else { board };
            self.say(&Reply::Note(format!(
                "bench {board}: depth {}, nodes {nodes}, best {last}",
                depth.unwrap_or(usual)
            )))?;
        }
        let nps = u128::from(all) * 1_000_000 / time.as_micros().max(1);
        self.say(&Reply::Note(format!("bench: {all} nodes, {nps} nps")))?;
        self.say(&Reply::Total(all))
    }

    fn help(&mut self) -> io::Result<()> {
        let games = format!("games: {}", self.catalogue.names());
        help().map(str::to_owned).chain([games]).try_for_each(|line| self.say(&Reply::Note(line)))
    }

    /// The error for an unknown command, with the command that was probably meant.
    fn unknown(&self, Text { column, text: word }: &Text) -> Problem {
        // Words longer than any move are not compared.
        let is_move = || word.len() <= LONGEST_MOVE && self.session.legal_moves().contains(word);
        let hint =
            meant(word).or_else(|| is_move().then(|| format!("'position startpos moves … {word}' plays a move")));
        let hint = hint.map(|hint| format!("{hint}; ").replace("?;", "?")).unwrap_or_default();
        Problem::at(*column, format!("unknown command '{}'; {hint}'help' lists the commands", tidy(word)))
    }

    fn greet(&mut self, name: DialectName) -> io::Result<()> {
        self.speak(name);
        if self.dialect.grammar == Grammar::Hub && self.variant.is_none() {
            let result = self.choose_written(HUB_GAME);
            self.complain_if(result)?;
        }
        self.say(&Reply::Name(concat!("griot ", env!("CARGO_PKG_VERSION")).into()))?;
        self.say(&Reply::Author("the griot authors".into()))?;
        for spec in self.options() {
            self.say(&Reply::Option(spec))?;
        }
        self.say(&Reply::GreetingDone)
    }

    /// The options of the engine and of its session.
    fn options(&self) -> Vec<OptionSpec> {
        let (game, variant) = (self.session.game(), self.variant.as_deref());
        let own = OwnOption::ALL.map(|option| option.spec(self.catalogue, game, variant));
        own.into_iter().chain(self.session.options()).collect()
    }

    /// Sets an option of the engine or of its session; the name in any case.
    ///
    /// # Errors
    /// When there is no such option, or the value is not one of its values; nothing has changed.
    pub fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), Problem> {
        let options = self.options();
        if !options.iter().any(|spec| spec.name.eq_ignore_ascii_case(name)) {
            let names: Vec<&str> = options.iter().map(|spec| spec.name).collect();
            let instead = instead(nearest(name, names.iter().copied()), &names.join(", "));
            return Err(Problem::new(format!("no option '{}'{instead}", tidy(name))));
        }
        let text = value.unwrap_or_default();
        match OwnOption::ALL.into_iter().find(|own| own.name().eq_ignore_ascii_case(name)) {
            Some(OwnOption::Game) => self.choose_game(text).and_then(|()| self.keep_chess960()),
            Some(OwnOption::UciVariant) => self.choose_variant(text).and_then(|()| self.keep_chess960()),
            Some(OwnOption::UciChess960) => {
                let on = ["false", "true"].iter().position(|word| text.eq_ignore_ascii_case(word));
                let name = OwnOption::UciChess960.name();
                let found = quoted(&tidy(text));
                let bad = || Problem::new(format!("option {name}: expected 'true' or 'false', found {found}"));
                self.chess960 = on.ok_or_else(bad)? == 1;
                self.follow_chess960()
            }
            Some(OwnOption::LogFile) => self.log_to(text),
            None => self.session.set_option(name, value),
        }
    }

    fn choose_game(&mut self, name: &str) -> Result<(), Problem> {
        let session = self.catalogue.open(name, self.session.resources().clone())?;
        let variant = self.variant.take();
        // The same game in the same notation is no change.
        let restyled = |known: &Variant| known.restyled && variant.as_deref() == Some(known.name);
        if self.catalogue.variants().iter().any(restyled) || session.game() != self.session.game() {
            self.change_game(session);
        }
        Ok(())
    }

    fn choose_variant(&mut self, name: &str) -> Result<(), Problem> {
        let variants = self.catalogue.variants();
        let Some(known) = variants.iter().find(|known| known.name.eq_ignore_ascii_case(name)).copied() else {
            if name == self.session.game() {
                // The greeting offers the current game's name even if it is no variant.
                return Ok(());
            }
            let names: Vec<&str> = variants.iter().map(|known| known.name).collect();
            let (option, names, found) = (OwnOption::UciVariant.name(), names.join(", "), tidy(name));
            return Err(Problem::new(format!("option {option}: expected one of {names}, found '{found}'")));
        };
        if self.variant.as_deref() == Some(known.name) {
            return Ok(());
        }
        let session = self.catalogue.open_variant(known.name, self.session.resources().clone())?;
        let was_restyled = variants.iter().any(|known| known.restyled && self.variant.as_deref() == Some(known.name));
        if known.restyled || was_restyled || session.game() != self.session.game() {
            self.change_game(session);
        }
        self.variant = Some(known.name.to_owned());
        Ok(())
    }

    /// Chooses a game in the notation of the dialect, whether it is a UCI variant or not.
    pub(super) fn choose_written(&mut self, name: &str) -> Result<(), Problem> {
        let session = self.catalogue.open_variant(name, self.session.resources().clone())?;
        self.change_game(session);
        self.variant = Some(name.to_owned());
        Ok(())
    }

    /// [`Engine::follow_chess960`] for a game chosen by its name; a game that is Chess960 by its name stays so.
    fn keep_chess960(&mut self) -> Result<(), Problem> {
        if self.chess960 { self.follow_chess960() } else { Ok(()) }
    }

    /// Reopens the current game with the client's castling notation, if there is such a game.
    fn follow_chess960(&mut self) -> Result<(), Problem> {
        let Some(name) = self.catalogue.chess960(self.session.game(), self.chess960) else { return Ok(()) };
        let session = self.catalogue.open(name, self.session.resources().clone())?;
        self.change_game(session);
        Ok(())
    }

    fn change_game(&mut self, mut session: Box<dyn Session>) {
        // The same game under another name keeps the transposition table.
        if session.game() != self.session.game() && session.resources().table.is_used() {
            session.new_game();
        }
        self.session = session;
        self.write_as(self.dialect.name);
    }

    /// Starts logging all lines to a file; an empty path stops it.
    fn log_to(&mut self, path: &str) -> Result<(), Problem> {
        if path != self.shared.outbox.record_path() {
            let open = || log_file::open(Path::new(path));
            let option = OwnOption::LogFile.name();
            let problem =
                |error| Problem::new(format!("option {option}: cannot write to '{}': {error}", tidy_path(path)));
            let file = if path.is_empty() { None } else { Some(open().map_err(problem)?) };
            self.shared.outbox.record_in(file.map(|file| (path.to_owned(), file)));
        }
        Ok(())
    }

    fn complain_if(&mut self, result: Result<(), Problem>) -> io::Result<()> {
        result.or_else(|problem| self.complain(&problem))
    }

    /// LAW 6: reports an error on stdout, in one line.
    fn complain(&mut self, problem: &Problem) -> io::Result<()> {
        self.say(&Reply::Note(format!("error: {problem}")))
    }

    /// Writes a reply, if the dialect has a line for it; waits while too much is unread.
    fn say(&self, reply: &Reply) -> io::Result<()> {
        self.shared.outbox.say_when_read(reply, 1)
    }
}

/// Whether a line is answered at once.
fn speaks_at_once(command: &Result<Option<Command>, Problem>) -> bool {
    match command {
        Err(_) => true,
        Ok(command) => {
            use Command::{Greet, Help, IsReady, Ping, Query, Unknown};
            matches!(command, Some(IsReady | Ping | Query(_) | Help | Greet(_) | Unknown(_)))
        }
    }
}

impl Drop for Engine<'_> {
    fn drop(&mut self) {
        self.shared.outbox.let_go();
    }
}

/// Serves one game on stdin and stdout: all that `main` needs.
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
