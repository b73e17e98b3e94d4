//! Several threads on one search: each runs the same iterations, and they help each other through the table.
//!
//! Floor 3. The caller's thread is the main one: it alone reports, and its verdict counts. The helpers fill the table, half of
//! them one ply ahead of it where it goes ply by ply, and end when it does. CITE: chessprogramming wiki, "Lazy SMP".

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use super::alphabeta::Width;
use super::{Knowledge, News, Observer, Poll, Task, Verdict, iterate};
use crate::game::{Evaluate, Position, Probe};

/// Room for the deepest line of the largest game, in bytes.
const STACK: usize = 8 << 20;

/// What the threads of a search share besides the table.
#[derive(Debug, Default)]
pub(super) struct Crew {
    stop: AtomicBool,
    /// Nodes of the helpers, as far as they have told.
    nodes: AtomicU64,
}

impl Crew {
    /// Nodes of the helpers, as far as they have told.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// Told by a helper.
    pub(super) fn add_nodes(&self, nodes: u64) {
        self.nodes.fetch_add(nodes, Ordering::Relaxed);
    }
}

/// Which thread of a search this is.
#[derive(Debug, Clone, Copy)]
pub(super) enum Role<'a> {
    /// The only one.
    Alone,
    /// The one that reports.
    Main(&'a Crew),
    /// Another one, by its number from 1.
    Helper(&'a Crew, u32),
}

impl Role<'_> {
    /// The depth of the first iteration.
    pub(super) fn first_depth(self) -> u32 {
        match self {
            Role::Helper(_, number) => 1 + number % 2,
            _ => 1,
        }
    }
}

/// A helper's world: when to stop, and nobody to tell.
struct Quiet<'a>(&'a Crew);

impl<M> Observer<M> for Quiet<'_> {
    fn poll(&mut self) -> Poll {
        if self.0.stop.load(Ordering::Relaxed) { Poll::Stop } else { Poll::Continue }
    }

    fn another_iteration(&mut self) -> bool {
        !self.0.stop.load(Ordering::Relaxed)
    }

    fn report(&mut self, _news: News<'_, M>) {}
}

/// Ends the helpers when the main thread is done, were it by a panic.
struct Finally<'a>(&'a Crew);

impl Drop for Finally<'_> {
    fn drop(&mut self) {
        self.0.stop.store(true, Ordering::Relaxed);
    }
}

/// Searches with as many threads as the task says, or as many as the system gives.
pub(super) fn search<P, E, T>(
    task: &Task<P>,
    knowledge: Knowledge<'_, E, T>,
    observer: &mut dyn Observer<P::Move>,
) -> Verdict<P::Move>
where
    P: Position,
    E: Evaluate<P>,
    T: Probe<P>,
{
    let crew = Crew::default();
    let width = Width::of(task);
    let verdict = thread::scope(|scope| {
        let _finally = Finally(&crew);
        for number in 1..task.threads as u32 {
            let crew = &crew;
            let help = move || {
                let task = Task { lines: 1, nodes: u64::MAX, ..task.clone() };
                iterate(&task, knowledge, &mut Quiet(crew), Role::Helper(crew, number), width);
            };
            let started = thread::Builder::new().name("helper".into()).stack_size(STACK).spawn_scoped(scope, help);
            if started.is_err() {
                break;
            }
        }
        iterate(task, knowledge, observer, Role::Main(&crew), width)
    });
    Verdict { nodes: verdict.nodes + crew.nodes(), ..verdict }
}
