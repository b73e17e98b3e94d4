//! The reader thread: parses lines, and acts on those that cannot wait for the engine thread.
//!
//! Layer 5. Stamps lines with the time (LAW 9) and passes them on as commands, in order. It sends `stop` and `quit` to the
//! running search and answers `isready` if no earlier answer is due (LAW 2), so that one thread has to wake, not two.

use std::io::BufRead;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use crossbeam_channel::Sender;

use super::connection::{BadLine, next_line};
use super::outbox::Outbox;
use super::queue::{Backlog, Ticket};
use super::{Event, Line};
use crate::message::{Command, Reply, Step};
use crate::protocol::{Dialect, dialect, is_empty, opened_by, parse, refuse};
use crate::session::SearchHandle;

/// State shared by the threads of an engine.
#[derive(Clone)]
pub(super) struct Shared {
    pub(super) events: Sender<Event>,
    pub(super) backlog: Arc<Backlog>,
    pub(super) outbox: Arc<Outbox>,
    pub(super) stop: StopButton,
    pub(super) answered: LastAnswer,
}

/// The last search that answered, and when, until the engine thread records it. A `bestmove` and immediate answers are
/// written under this lock: an immediate answer comes before the `bestmove`, or after everything that waited for it
/// (LAW 2).
#[derive(Clone, Default)]
pub(super) struct LastAnswer(Arc<Mutex<Option<(u64, Instant)>>>);

impl LastAnswer {
    pub(super) fn lock(&self) -> MutexGuard<'_, Option<(u64, Instant)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Shared {
    /// Sends an event to the engine thread, after those held back. `false` if the engine has ended.
    pub(super) fn tell(&self, event: Event) -> bool {
        self.stop.lock().release().into_iter().chain([event]).all(|event| self.events.send(event).is_ok())
    }

    /// The same, but held back until the stopped search has answered or another event comes. If another search is
    /// already running, the engine thread passes it on.
    fn hold(&self, event: Event, stopped: Option<&RunningSearch>) -> bool {
        let mut stoppable = self.stop.lock();
        let runs = stopped.zip(stoppable.search.as_ref()).is_some_and(|(stopped, running)| stopped.is(running));
        if runs && stoppable.held.is_none() {
            stoppable.held = Some(event);
            return true;
        }
        drop(stoppable);
        self.tell(event)
    }

    /// No search runs.
    pub(super) fn search_is_over(&self) {
        let mut stoppable = self.stop.lock();
        stoppable.search = None;
        if let Some(event) = stoppable.release() {
            // Ignore the error: the engine has ended.
            let _ = self.events.send(event);
        }
    }

    /// Ends everything as `quit` does, without waiting for a client that does not read.
    pub(super) fn interrupt(&self) {
        let running = self.stop.running();
        // Ignore the error: the engine has ended.
        let _ = self.tell(Event::Interrupted);
        self.outbox.hurry();
        if let Some(search) = running {
            search.stop(&self.outbox);
        }
    }
}

/// Stops the running search, from any thread.
#[derive(Clone, Default)]
pub(super) struct StopButton(Arc<Mutex<Stoppable>>);

/// The state that a stop acts on.
#[derive(Default)]
pub(super) struct Stoppable {
    search: Option<RunningSearch>,
    /// A `stop` that has acted. The engine thread gets it with the next event, so that it does not compete with the search for the
    /// processor.
    held: Option<Event>,
}

/// A search that may be running, and the flag that its thread must not wait for the client.
#[derive(Clone)]
pub(super) struct RunningSearch {
    handle: SearchHandle,
    impatient: Arc<AtomicBool>,
}

impl StopButton {
    /// Sets the running search.
    pub(super) fn set(&self, handle: &SearchHandle, impatient: &Arc<AtomicBool>) {
        self.lock().search = Some(RunningSearch { handle: handle.clone(), impatient: Arc::clone(impatient) });
    }

    /// The search that runs.
    pub(super) fn running(&self) -> Option<RunningSearch> {
        self.lock().search.clone()
    }

    fn lock(&self) -> MutexGuard<'_, Stoppable> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Stoppable {
    /// Takes the events held back.
    fn release(&mut self) -> Option<Event> {
        self.held.take()
    }
}

impl RunningSearch {
    /// Whether both are the same search.
    fn is(&self, other: &RunningSearch) -> bool {
        Arc::ptr_eq(&self.impatient, &other.impatient)
    }

    /// Stops it, without waiting for its lines to be read.
    pub(super) fn stop(&self, outbox: &Outbox) {
        self.handle.stop();
        self.impatient.store(true, Ordering::Relaxed);
        outbox.wake();
    }
}

/// Reads until the input ends, the client quits, or the engine ends. `dialect`: already decided.
pub(super) fn read(mut input: Box<dyn BufRead + Send>, mut settled: Option<&'static Dialect>, shared: &Shared) {
    let mut first = true;
    loop {
        let line = match next_line(&mut input) {
            Ok(Some(line)) => line,
            Ok(None) => break,
            Err(error) => {
                log::error!("reading the input: {error}");
                break;
            }
        };
        let received = Instant::now();
        let line = match line {
            // Some shells send a byte order mark before the first line.
            Ok(text) if first => Ok(text.trim_start_matches('\u{FEFF}').to_owned()),
            line => line,
        };
        first = false;
        let opens = match &line {
            Ok(text) | Err(BadLine { beginning: text, .. }) if settled.is_none() => {
                // A comment does not select a dialect; the first word does.
                if line.is_ok() && is_empty(text) {
                    continue;
                }
                Some(dialect(opened_by(text).unwrap_or_default()))
            }
            _ => None,
        };
        settled = settled.or(opens);
        let Some(dialect) = settled else { continue };
        let (text, request) = match line {
            Ok(text) => {
                let request = parse(dialect, &text);
                (text, request)
            }
            Err(bad) => {
                let request = refuse(dialect, &bad.beginning, bad.problem);
                (bad.beginning, request)
            }
        };
        let command = request.command.as_ref().ok().and_then(Option::as_ref);
        let (stops, quits) = (matches!(command, Some(Command::Stop)), matches!(command, Some(Command::Quit)));
        let pings = matches!(command, Some(Command::Step(Step::Ping(_))));
        let is_plain = opens.is_none() && request.skipped.is_none();
        if matches!(command, Some(Command::IsReady)) && is_plain && shared.backlog.is_empty() {
            // With an empty backlog the gate is held only briefly. A search may just have answered, so check the
            // backlog again.
            let gate = shared.answered.lock();
            if shared.backlog.is_empty() {
                shared.outbox.record_read(&text);
                shared.outbox.say(&Reply::Ready);
                continue;
            }
            drop(gate);
        }
        // LAW 3: the running search was requested before this line, so it is stopped at once. The engine handles the
        // line in its turn, and stops searches requested before it that have started since.
        let stopped = if stops || quits || pings { shared.stop.running() } else { None };
        if let Some(search) = &stopped {
            search.stop(&shared.outbox);
        }
        let ticket: Ticket = shared.backlog.enter(text.len());
        let line = Line { opens: opens.map(|dialect| dialect.name), text, request, received, ticket };
        let event = Event::Line(Box::new(line));
        if !(if stops { shared.hold(event, stopped.as_ref()) } else { shared.tell(event) }) {
            return;
        }
        if quits {
            return;
        }
    }
    // Ignore the error: the engine has ended.
    let _ = shared.tell(Event::Eof);
}
