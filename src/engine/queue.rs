//! Queues: lines between reader and engine, and commands behind a search. Both are bounded in bytes (LAW 9).
//!
//! Layer 5. [`Backlog`] counts what was read and is not done: beyond its bound the reader stops reading. [`Queue`] holds the
//! commands that wait for a search; the engine thread owns it. Beyond its bound commands are refused, since the `stop` that
//! ends the search may be behind them.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use crate::message::{Command, Step};

/// Bound of the commands that wait for a search, in bytes.
pub(super) const LONGEST_QUEUE: usize = 16 << 20;
/// Bound of lines read and not yet done, in bytes; one more line may be under way.
const LONGEST_BACKLOG: usize = 1 << 20;
/// Overhead of a command, in bytes.
const COMMAND: usize = 256;

const _: () = assert!(size_of::<Waiting>() <= COMMAND, "protocol.md tells how many commands can wait");

/// Lines read and not yet done.
#[derive(Debug, Default)]
pub(super) struct Backlog {
    held: Mutex<Held>,
    freed: Condvar,
}

#[derive(Debug, Default)]
struct Held {
    tickets: usize,
    bytes: usize,
}

/// A share of the backlog, given back when dropped.
#[derive(Debug)]
pub(super) struct Ticket {
    backlog: Arc<Backlog>,
    bytes: usize,
}

impl Backlog {
    /// A ticket for text of this size; waits for room.
    pub(super) fn enter(self: &Arc<Self>, text: usize) -> Ticket {
        let bytes = COMMAND + text;
        let full = |held: &mut Held| held.tickets > 0 && held.bytes + bytes > LONGEST_BACKLOG;
        let held = self.freed.wait_while(self.lock(), full).unwrap_or_else(PoisonError::into_inner);
        self.admit(held, bytes)
    }

    /// A ticket for something urgent without text.
    pub(super) fn enter_at_once(self: &Arc<Self>) -> Ticket {
        self.admit(self.lock(), COMMAND)
    }

    /// Whether all lines read are done or wait for a search.
    pub(super) fn is_empty(&self) -> bool {
        self.lock().tickets == 0
    }

    fn admit(self: &Arc<Self>, mut held: MutexGuard<'_, Held>, bytes: usize) -> Ticket {
        held.tickets += 1;
        held.bytes += bytes;
        Ticket { backlog: Arc::clone(self), bytes }
    }

    fn lock(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        let mut held = self.backlog.lock();
        held.tickets -= 1;
        held.bytes -= self.bytes;
        drop(held);
        self.backlog.freed.notify_one();
    }
}

/// A waiting command.
#[derive(Debug)]
pub(super) struct Waiting {
    pub(super) id: Option<u64>,
    pub(super) command: Command,
    pub(super) received: Instant,
    /// The length of its line.
    pub(super) text: usize,
    /// The ticket of a step, so that the reader waits for room in the queue, too.
    pub(super) ticket: Option<Ticket>,
}

impl Waiting {
    fn searches(&self) -> bool {
        let step = matches!(
            self.command,
            Command::Step(
                Step::Generate(..)
                    | Step::Consider(_)
                    | Step::Done
                    | Step::Best(_)
                    | Step::Swap2 { .. }
                    | Step::Advise(_)
                    | Step::Analyse
            )
        );
        step || matches!(self.command, Command::Go(_))
    }

    fn pings(&self) -> bool {
        matches!(self.command, Command::Step(Step::Ping(_)))
    }

    /// Whether it acts on a running search.
    fn is_word(&self) -> bool {
        matches!(self.command, Command::Stop | Command::PonderHit)
    }

    fn bytes(&self) -> usize {
        COMMAND + self.text
    }
}

/// Refused commands.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Refused {
    pub(super) commands: u64,
    /// How many of them were a `go`.
    pub(super) gos: u64,
    /// Whether one of them was a `position`.
    pub(super) position: bool,
}

/// The next in the queue.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "it is looked at where it stands, one at a time")]
pub(super) enum Turn {
    Command(Waiting),
    /// The refused commands, after all others.
    Refused(Refused),
}

/// The commands that wait for a search.
#[derive(Debug, Default)]
pub(super) struct Queue {
    waiting: VecDeque<Waiting>,
    bytes: usize,
    /// Number of commands done.
    done: usize,
    /// Number of waiting commands that start a search, and the position of the last of them.
    searches: usize,
    before_last: usize,
    /// Whether that one already has a `stop` or a `ponderhit`; a second one has no effect.
    stop: bool,
    ponder_hit: bool,
    /// Number of waiting commands that end every earlier search.
    pings: usize,
    refused: Option<Refused>,
}

impl Queue {
    /// Appends a command. Returns whether it is the first without room: it is refused, and so is everything after it until its
    /// turn.
    #[must_use]
    pub(super) fn push(&mut self, waiting: Waiting) -> bool {
        // Dialects that answer in order are limited by their tickets; none of their searches is infinite.
        let has_room = self.bytes + waiting.bytes() <= LONGEST_QUEUE || matches!(waiting.command, Command::Step(_));
        if self.refused.is_none() && has_room {
            self.add(waiting);
            return false;
        }
        let first = self.refused.is_none();
        let refused = self.refused.get_or_insert_default();
        refused.commands += 1;
        refused.gos += u64::from(matches!(waiting.command, Command::Go(_) | Command::RefusedGo(_)));
        refused.position |= matches!(waiting.command, Command::Position(_) | Command::RefusedPosition(_));
        first
    }

    /// Inserts a `stop` or `ponderhit` right behind the last waiting search, if it has none yet. Refused searches get none.
    pub(super) fn push_word(&mut self, waiting: Waiting) {
        if !self.has_search() || self.refused.is_some() || self.stop {
            return;
        }
        let stops = waiting.command == Command::Stop;
        if stops || !self.ponder_hit {
            let place = self.before_last - self.done + 1 + usize::from(self.ponder_hit);
            self.stop |= stops;
            self.ponder_hit |= !stops;
            self.bytes += waiting.bytes();
            self.waiting.insert(place, waiting);
        }
    }

    fn add(&mut self, waiting: Waiting) {
        if waiting.searches() {
            self.searches += 1;
            self.before_last = self.done + self.waiting.len();
            (self.stop, self.ponder_hit) = (false, false);
        }
        self.pings += usize::from(waiting.pings());
        self.bytes += waiting.bytes();
        self.waiting.push_back(waiting);
    }

    /// Whether a search is among them.
    pub(super) fn has_search(&self) -> bool {
        self.searches > 0
    }

    /// Whether a waiting command ends every earlier search.
    pub(super) fn has_ping(&self) -> bool {
        self.pings > 0
    }

    /// The next command, with or without a running search.
    pub(super) fn pop(&mut self, searching: bool) -> Option<Turn> {
        match self.waiting.front() {
            Some(next) if searching && !next.is_word() => None,
            Some(_) => {
                let next = self.waiting.pop_front()?;
                self.done += 1;
                self.searches -= usize::from(next.searches());
                self.pings -= usize::from(next.pings());
                self.bytes -= next.bytes();
                if self.waiting.is_empty() {
                    // The queue is empty after a burst: free its memory.
                    self.waiting = VecDeque::new();
                }
                Some(Turn::Command(next))
            }
            None if searching => None,
            None => self.refused.take().map(Turn::Refused),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::{Go, Setup};

    fn waiting(command: Command, text: usize) -> Waiting {
        Waiting { id: None, command, received: Instant::now(), text, ticket: None }
    }

    fn go() -> Waiting {
        waiting(Command::Go(Go::default()), 2)
    }

    #[test]
    fn what_has_no_room_is_refused_with_all_behind_it_until_its_turn_has_come() {
        let mut queue = Queue::default();
        let long = || waiting(Command::Position(Setup::default()), LONGEST_QUEUE / 2 - COMMAND - 100);
        assert!(!queue.push(long()) && !queue.push(long()));
        assert!(queue.push(long()), "the first without room");
        assert!(!queue.push(go()) && !queue.push(go()), "they would have room, but not their turn");
        queue.push_word(waiting(Command::Stop, 4));
        assert!(queue.pop(true).is_none());
        for _ in 0..2 {
            assert!(matches!(queue.pop(false), Some(Turn::Command(Waiting { command: Command::Position(_), .. }))));
        }
        assert!(queue.pop(true).is_none(), "what was refused waits for its turn like all others");
        let refused = Refused { commands: 3, gos: 2, position: true };
        assert!(matches!(queue.pop(false), Some(Turn::Refused(said)) if said == refused));
        assert!(queue.pop(false).is_none());
        assert!(!queue.push(go()), "there is room again");
    }

    #[test]
    fn a_search_that_waits_hears_each_word_once() {
        let mut queue = Queue::default();
        let words = [Command::PonderHit, Command::PonderHit, Command::Stop, Command::PonderHit, Command::Stop];
        queue.push_word(waiting(Command::Stop, 4));
        assert!(queue.pop(true).is_none(), "the receiver is gone");
        for _ in 0..2 {
            assert!(!queue.push(go()) && !queue.push(waiting(Command::NewGame, 10)));
            words.iter().cloned().for_each(|word| queue.push_word(waiting(word, 4)));
        }
        let order: Vec<Command> = std::iter::from_fn(|| match queue.pop(false)? {
            Turn::Command(next) => Some(next.command),
            Turn::Refused(_) => None,
        })
        .collect();
        // A command that waits for the search does not block one that ends it.
        let once = [Command::Go(Go::default()), Command::PonderHit, Command::Stop, Command::NewGame];
        assert_eq!(order, [once.clone(), once].concat());
    }

    #[test]
    fn a_reader_waits_for_room_and_a_line_alone_always_has_some() {
        let backlog = Arc::new(Backlog::default());
        let first = backlog.enter(2 * LONGEST_BACKLOG);
        let reader = {
            let backlog = Arc::clone(&backlog);
            std::thread::spawn(move || drop(backlog.enter(1)))
        };
        let news = backlog.enter_at_once();
        std::thread::sleep(std::time::Duration::from_millis(20));
        assert!(!reader.is_finished());
        drop((first, news));
        reader.join().unwrap();
        assert!(backlog.is_empty());
    }
}
