//! Several threads on one search: a node whose first move has not cut it off hands the others to whoever is idle. Floor 2.
//!
//! CITE: R. Feldmann, "Game Tree Search on Massively Parallel Systems", 1993 (young brothers wait).

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::processor::Processor;
use super::search::{Level, Tried, Worker};

/// What the threads of a search share besides the table.
#[derive(Debug, Default)]
pub(super) struct Crew {
    splits: Mutex<Vec<Arc<Split>>>,
    wake: Condvar,
    idle: AtomicUsize,
    done: AtomicBool,
}

/// A node whose moves are searched by several threads, about a null window.
#[derive(Debug)]
pub(super) struct Split {
    pub(super) own: u64,
    pub(super) opponent: u64,
    pub(super) beta: i32,
    pub(super) empty: u32,
    pub(super) level: Level,
    pub(super) moves: Box<[Tried]>,
    next: AtomicUsize,
    /// The best value so far, and its move.
    best: Mutex<(i32, u8)>,
    /// Some move is good enough.
    cut: AtomicBool,
    /// A helper was stopped.
    incomplete: AtomicBool,
    /// Helpers at work.
    helpers: AtomicUsize,
    parent: Option<Arc<Split>>,
}

/// A thread at work on somebody else's node, counted as long as this lives: its owner waits for it, and must not wait for ever
/// for one that has panicked.
struct Helper {
    split: Arc<Split>,
    /// Whether it has searched all that it took.
    is_done: bool,
}

impl Helper {
    fn of(split: Arc<Split>) -> Helper {
        split.helpers.fetch_add(1, Ordering::Relaxed);
        Helper { split, is_done: false }
    }
}

impl Drop for Helper {
    fn drop(&mut self) {
        if !self.is_done {
            self.split.incomplete.store(true, Ordering::Relaxed);
        }
        self.split.helpers.fetch_sub(1, Ordering::Release);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Split {
    /// Whether what is searched below is of no use any more.
    pub(super) fn is_cut(&self) -> bool {
        let mut split = Some(self);
        while let Some(one) = split {
            if one.cut.load(Ordering::Relaxed) {
                return true;
            }
            split = one.parent.as_deref();
        }
        false
    }
}

impl Crew {
    /// Whether somebody has nothing to do.
    #[inline(always)]
    pub(super) fn is_idle(&self) -> bool {
        self.idle.load(Ordering::Relaxed) > 0
    }

    /// Helps wherever help is wanted until the search is over.
    pub(super) fn help(&self, worker: &mut Worker<'_, impl Processor>) {
        let mut splits = lock(&self.splits);
        while !self.done.load(Ordering::Relaxed) {
            let wanted =
                |split: &&Arc<Split>| split.next.load(Ordering::Relaxed) < split.moves.len() && !split.is_cut();
            // The oldest is the largest.
            let Some(split) = splits.iter().find(wanted).cloned() else {
                self.idle.fetch_add(1, Ordering::Relaxed);
                splits = self.wake.wait(splits).unwrap_or_else(PoisonError::into_inner);
                self.idle.fetch_sub(1, Ordering::Relaxed);
                continue;
            };
            let mut helper = Helper::of(Arc::clone(&split));
            drop(splits);
            worker.level = split.level;
            worker.split = Some(split);
            helper.is_done = self.work(worker, &helper.split).is_some();
            worker.split = None;
            drop(helper);
            splits = lock(&self.splits);
        }
    }

    /// Sends the helpers home when it is dropped, whatever has happened meanwhile.
    pub(super) fn dismissal(&self) -> impl Drop {
        struct Dismissal<'a>(&'a Crew);
        impl Drop for Dismissal<'_> {
            fn drop(&mut self) {
                self.0.dismiss();
            }
        }
        Dismissal(self)
    }

    /// Sends the helpers home.
    pub(super) fn dismiss(&self) {
        let _splits = lock(&self.splits);
        self.done.store(true, Ordering::Relaxed);
        self.wake.notify_all();
    }

    /// Searches the moves of a node that has come to `best` without them, with whoever is idle; nothing when stopped.
    pub(super) fn share(
        &self,
        worker: &mut Worker<'_, impl Processor>,
        (own, opponent): (u64, u64),
        moves: &[Tried],
        beta: i32,
        best: (i32, u8),
        empty: u32,
    ) -> Option<(i32, u8)> {
        let mut moves: Box<[Tried]> = moves.into();
        moves.sort_by_key(|one| -one.key);
        let split = Arc::new(Split {
            own,
            opponent,
            beta,
            empty,
            level: worker.level,
            moves,
            next: AtomicUsize::new(0),
            best: Mutex::new(best),
            cut: AtomicBool::new(false),
            incomplete: AtomicBool::new(false),
            helpers: AtomicUsize::new(0),
            parent: worker.split.clone(),
        });
        lock(&self.splits).push(Arc::clone(&split));
        self.wake.notify_all();
        worker.split = Some(Arc::clone(&split));
        let searched = self.work(worker, &split);
        worker.split.clone_from(&split.parent);
        lock(&self.splits).retain(|other| !Arc::ptr_eq(other, &split));
        if searched.is_none() {
            split.cut.store(true, Ordering::Relaxed);
        }
        while split.helpers.load(Ordering::Acquire) > 0 {
            std::thread::yield_now();
        }
        let best = *lock(&split.best);
        if best.0 >= beta {
            return Some(best);
        }
        searched?;
        if split.incomplete.load(Ordering::Relaxed) { None } else { Some(best) }
    }

    /// Searches moves until none is left; nothing when stopped.
    fn work(&self, worker: &mut Worker<'_, impl Processor>, split: &Split) -> Option<()> {
        while !split.cut.load(Ordering::Relaxed) {
            let Some(&Tried { turned, cell, .. }) = split.moves.get(split.next.fetch_add(1, Ordering::Relaxed)) else {
                break;
            };
            let (own, opponent) = (split.own | turned | 1 << cell, split.opponent ^ turned);
            let value = -worker.search(opponent, own, -split.beta, 1 - split.beta, split.empty - 1).ok()?;
            let mut best = lock(&split.best);
            if value > best.0 {
                *best = (value, cell);
            }
            if value >= split.beta {
                split.cut.store(true, Ordering::Relaxed);
            }
        }
        Some(())
    }
}
