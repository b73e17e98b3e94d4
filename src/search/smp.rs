//! Parallel search: all threads run the same iterations and share the transposition table.
//!
//! Layer 3. The caller's thread is the main one: only it reports, and its verdict counts. The helpers end with it. Far from the
//! leaves, a move that another thread is searching is put off (`busy`). A limit of nodes is one budget: the main thread has a
//! fixed share, the rest is drawn a few at a time. While a game's solver uses all threads, the helpers rest. CITE:
//! chessprogramming wiki, "Lazy SMP".

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;

use super::abdada::CurrentlySearching;
use super::reductions::Width;
use super::{Knowledge, News, Observer, Poll, Task, Verdict, iterate};
use crate::game::{Evaluate, Position, Probe};

/// The stack of a helper thread, in bytes: enough for the deepest line of the largest game.
const STACK: usize = 8 << 20;

/// What the threads of a search share besides the transposition table.
#[derive(Debug)]
pub(super) struct SharedSearch {
    stop: AtomicBool,
    /// The client's stop flag. If the processors are busy, the main thread may not be running when it is set.
    stop_flag: Option<Arc<AtomicBool>>,
    /// Nodes of the helpers, as last reported by them.
    nodes: AtomicU64,
    /// Nodes that no thread has drawn yet; `None` without a limit of nodes.
    budget: Option<AtomicU64>,
    main_share: u64,
    threads: u64,
    rest: Rest,
    /// The positions that the threads are searching.
    pub(super) busy: CurrentlySearching,
}

/// Whether the helpers pause. The helpers poll the flag often.
#[derive(Debug, Default)]
struct Rest {
    is_on: AtomicBool,
    lock: Mutex<()>,
    over: Condvar,
}

impl Rest {
    fn set(&self, on: bool) {
        let _guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        self.is_on.store(on, Ordering::Relaxed);
        self.over.notify_all();
    }

    fn wait(&self) {
        if self.is_on.load(Ordering::Relaxed) {
            let guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
            drop(self.over.wait_while(guard, |()| self.is_on.load(Ordering::Relaxed)));
        }
    }
}

/// Resumes the helpers when dropped.
pub(super) struct Resting<'a>(&'a SharedSearch);

impl Drop for Resting<'_> {
    fn drop(&mut self) {
        self.0.rest.set(false);
    }
}

impl SharedSearch {
    fn new(threads: usize, nodes: u64, stop_flag: Option<Arc<AtomicBool>>) -> SharedSearch {
        let threads = threads as u64;
        let main_share = nodes.div_ceil(threads);
        let budget = (nodes < u64::MAX).then(|| AtomicU64::new(nodes - main_share));
        SharedSearch {
            stop: AtomicBool::new(false),
            stop_flag,
            nodes: AtomicU64::new(0),
            budget,
            main_share,
            threads,
            rest: Rest::default(),
            busy: CurrentlySearching::default(),
        }
    }

    /// Whether the nodes are limited.
    pub(super) fn is_limited(&self) -> bool {
        self.budget.is_some()
    }

    /// The nodes that the main thread has without drawing, however far ahead the helpers are.
    pub(super) fn main_share(&self) -> u64 {
        self.main_share
    }

    /// Whether the budget of nodes is used up.
    pub(super) fn is_spent(&self) -> bool {
        self.budget.as_ref().is_some_and(|left| left.load(Ordering::Relaxed) == 0)
    }

    /// Takes up to `most` nodes from the budget; 0 if it is used up. The share shrinks with the budget, so that a
    /// thread that ends early wastes little.
    pub(super) fn draw(&self, most: u64) -> u64 {
        let Some(budget) = &self.budget else { return most };
        let share = |left: u64| most.min(left.div_ceil(2 * self.threads));
        let before = budget.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| Some(left - share(left)));
        before.map_or(0, share)
    }

    /// Returns drawn nodes that were not used.
    pub(super) fn give_back(&self, nodes: u64) {
        if let Some(budget) = &self.budget {
            budget.fetch_add(nodes, Ordering::Relaxed);
        }
    }

    /// The number of threads.
    pub(super) fn threads(&self) -> usize {
        self.threads as usize
    }

    /// Pauses the helpers until the returned guard is dropped.
    pub(super) fn let_rest(&self) -> Resting<'_> {
        self.rest.set(true);
        Resting(self)
    }

    /// Tells the helpers to end.
    pub(super) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether the helpers must end.
    fn is_stopped(&self) -> bool {
        let is_set = |flag: &AtomicBool| flag.load(Ordering::Relaxed);
        is_set(&self.stop) || self.stop_flag.as_deref().is_some_and(is_set)
    }

    /// Nodes of the helpers, as last reported by them.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// Adds nodes of a helper.
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
    Main(&'a SharedSearch),
    /// Another one.
    Helper(&'a SharedSearch),
}

/// The observer of a helper: stops it, and ignores its reports.
struct Quiet<'a>(&'a SharedSearch);

impl<M> Observer<M> for Quiet<'_> {
    fn poll(&mut self) -> Poll {
        self.0.rest.wait();
        if self.0.is_stopped() { Poll::Stop } else { Poll::Continue }
    }

    fn another_iteration(&mut self) -> bool {
        !self.0.is_stopped()
    }

    fn report(&mut self, _news: News<'_, M>) {}
}

/// Stops the helpers when the main thread ends, by a panic too.
struct Finally<'a>(&'a SharedSearch);

impl Drop for Finally<'_> {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// Searches with the task's number of threads, or as many as the system can start.
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
    let shared = SharedSearch::new(task.threads, task.nodes, observer.stop_flag());
    let width = Width::of(task);
    let verdict = thread::scope(|scope| {
        let _finally = Finally(&shared);
        for _ in 1..task.threads {
            let shared = &shared;
            let help = move || {
                let task = Task { lines: 1, nodes: u64::MAX, ..task.clone() };
                iterate(&task, knowledge, &mut Quiet(shared), Role::Helper(shared), width);
            };
            let started = thread::Builder::new().name("helper".into()).stack_size(STACK).spawn_scoped(scope, help);
            if started.is_err() {
                break;
            }
        }
        iterate(task, knowledge, observer, Role::Main(&shared), width)
    });
    Verdict { nodes: verdict.nodes + shared.nodes(), ..verdict }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The main thread may be waiting for a processor that a helper occupies.
    #[test]
    fn helpers_see_the_stop_of_the_client_before_the_main_thread_does() {
        let flag = Arc::new(AtomicBool::new(false));
        let shared = SharedSearch::new(2, u64::MAX, Some(Arc::clone(&flag)));
        let mut helper = Quiet(&shared);
        assert_eq!(Observer::<u8>::poll(&mut helper), Poll::Continue);
        assert!(Observer::<u8>::another_iteration(&mut helper));
        flag.store(true, Ordering::Relaxed);
        assert_eq!(Observer::<u8>::poll(&mut helper), Poll::Stop);
        assert!(!Observer::<u8>::another_iteration(&mut helper));
    }

    #[test]
    fn helpers_rest_until_they_may_go_on() {
        let shared = SharedSearch::new(2, u64::MAX, None);
        let (is_there, polled) = (AtomicBool::new(false), AtomicU64::new(0));
        let polled_at_rest = thread::scope(|scope| {
            let resting = shared.let_rest();
            scope.spawn(|| {
                let mut helper = Quiet(&shared);
                is_there.store(true, Ordering::Relaxed);
                while Observer::<u8>::poll(&mut helper) == Poll::Continue {
                    polled.fetch_add(1, Ordering::Relaxed);
                }
            });
            while !is_there.load(Ordering::Relaxed) {
                thread::yield_now();
            }
            thread::sleep(std::time::Duration::from_millis(20));
            let polled_at_rest = polled.load(Ordering::Relaxed);
            drop(resting);
            while polled.load(Ordering::Relaxed) == 0 {
                thread::yield_now();
            }
            shared.stop();
            polled_at_rest
        });
        assert_eq!(polled_at_rest, 0, "however long it takes");
    }

    #[test]
    fn what_is_drawn_is_never_more_than_the_budget_and_all_of_it_in_the_end() {
        for (threads, nodes) in [(2, 0), (2, 1), (4, 3000), (3, 12_345)] {
            let shared = SharedSearch::new(threads, nodes, None);
            let taken = AtomicU64::new(0);
            thread::scope(|scope| {
                for _ in 0..threads {
                    scope.spawn(|| {
                        loop {
                            let drawn = shared.draw(256);
                            if drawn == 0 {
                                break;
                            }
                            // Half of each full share is given back.
                            let used = if drawn == 256 { 128 } else { drawn };
                            shared.give_back(drawn - used);
                            taken.fetch_add(used, Ordering::Relaxed);
                        }
                    });
                }
            });
            assert_eq!(taken.into_inner() + shared.main_share(), nodes, "{threads} threads");
            assert!(shared.is_spent());
        }
        let shared = SharedSearch::new(2, u64::MAX, None);
        assert!(!shared.is_limited() && !shared.is_spent() && shared.draw(256) == 256);
    }
}
