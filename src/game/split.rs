//! Parallel search of one tree: a node whose first move gave no cutoff shares its other moves with idle threads. Layer 0.
//!
//! One thread owns the search; the helpers wait for shared nodes. A thread with no move left at its shared node helps at nodes
//! below it, and goes on when all its moves are searched. Shared nodes have null windows: a move that reaches `beta` ends the
//! node for all.
//!
//! ```text
//!  SplitSearch   splits  [ SplitPoint, SplitPoint, ... ]    the nodes that are shared, the oldest, which are the largest, first
//!  SplitPoint  next    the number of the move that will be taken next
//!         best    the best value so far, and its move
//!         parent  the shared node that it lies below, whose end is its end
//! ```
//!
//! CITE: R. Feldmann, "Game Tree Search on Massively Parallel Systems", 1993 (young brothers wait, helpful master).

use std::iter;
use std::ops::Range;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// The searcher of one thread.
pub(crate) trait Searcher {
    /// The data of a node needed to search its moves.
    type Node;

    /// The innermost shared node above this thread's node. Stop once it [is cut](SplitPoint::is_cut).
    fn split(&mut self) -> &mut Option<Arc<SplitPoint<Self::Node>>>;

    /// Searches a move, given by its index: whether its value is at least `beta` for its side, as a bound. `None` when stopped.
    fn search_move(&mut self, node: &Self::Node, number: usize, beta: i32) -> Option<i32>;
}

/// The state that the threads of a search share besides the table.
#[derive(Debug)]
pub(crate) struct SplitSearch<N> {
    splits: Mutex<Vec<Arc<SplitPoint<N>>>>,
    wake: Condvar,
    idle: AtomicUsize,
    done: AtomicBool,
}

impl<N> Default for SplitSearch<N> {
    fn default() -> SplitSearch<N> {
        SplitSearch {
            splits: Mutex::default(),
            wake: Condvar::new(),
            idle: AtomicUsize::new(0),
            done: AtomicBool::new(false),
        }
    }
}

/// A node whose moves are searched by several threads.
#[derive(Debug)]
pub(crate) struct SplitPoint<N> {
    node: N,
    beta: i32,
    /// Index of the next move to take; none are left at `end`.
    next: AtomicUsize,
    end: usize,
    /// The best value so far, and the index of its move.
    best: Mutex<(i32, Option<usize>)>,
    /// A move reached `beta`, or the search was stopped.
    cut: AtomicBool,
    /// A helper was stopped, so that a move may not have been searched.
    incomplete: AtomicBool,
    /// Number of working helpers.
    helpers: AtomicUsize,
    parent: Option<Arc<SplitPoint<N>>>,
}

/// A helper at work on another thread's node, counted while this lives: the owner waits for it, even if the helper panics.
struct Helper<N> {
    split: Arc<SplitPoint<N>>,
    /// Whether it finished its moves.
    is_done: bool,
}

impl<N> Helper<N> {
    fn of(split: Arc<SplitPoint<N>>) -> Helper<N> {
        split.helpers.fetch_add(1, Ordering::Relaxed);
        Helper { split, is_done: false }
    }
}

impl<N> Drop for Helper<N> {
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

impl<N> SplitPoint<N> {
    /// Whether results below this node are no longer needed.
    pub(crate) fn is_cut(&self) -> bool {
        self.and_above().any(|split| split.cut.load(Ordering::Relaxed))
    }

    /// This node and the shared ones above it.
    fn and_above(&self) -> impl Iterator<Item = &SplitPoint<N>> {
        iter::successors(Some(self), |split| split.parent.as_deref())
    }

    /// Whether a helper can help here.
    fn is_open(&self) -> bool {
        self.next.load(Ordering::Relaxed) < self.end && !self.is_cut()
    }
}

impl<N> SplitSearch<N> {
    /// Whether a thread is idle.
    #[inline(always)]
    pub(crate) fn is_idle(&self) -> bool {
        self.idle.load(Ordering::Relaxed) > 0
    }

    /// Helps at shared nodes until the search is over.
    pub(crate) fn help(&self, searcher: &mut impl Searcher<Node = N>) {
        let mut splits = lock(&self.splits);
        while !self.done.load(Ordering::Relaxed) {
            // The oldest is the largest.
            match splits.iter().find(|split| split.is_open()).cloned() {
                Some(split) => {
                    let helper = Helper::of(split);
                    drop(splits);
                    self.work_for(helper, searcher);
                    splits = lock(&self.splits);
                }
                None => {
                    self.idle.fetch_add(1, Ordering::Relaxed);
                    splits = self.wake.wait(splits).unwrap_or_else(PoisonError::into_inner);
                    self.idle.fetch_sub(1, Ordering::Relaxed);
                }
            }
        }
    }

    /// Helps at one shared node.
    fn work_for(&self, mut helper: Helper<N>, searcher: &mut impl Searcher<Node = N>) {
        let before = searcher.split().replace(Arc::clone(&helper.split));
        helper.is_done = self.work(searcher, &helper.split).is_some();
        *searcher.split() = before;
    }

    /// Releases the helpers when dropped, also after a panic.
    pub(crate) fn dismissal(&self) -> impl Drop {
        struct Dismissal<'a, N>(&'a SplitSearch<N>);
        impl<N> Drop for Dismissal<'_, N> {
            fn drop(&mut self) {
                self.0.dismiss();
            }
        }
        Dismissal(self)
    }

    /// Releases the helpers.
    pub(crate) fn dismiss(&self) {
        let _splits = lock(&self.splits);
        self.done.store(true, Ordering::Relaxed);
        self.wake.notify_all();
    }

    /// Searches the moves of a node with these indices, with idle threads, for one that reaches `beta`. Earlier moves reached
    /// `best`. Returns the best value, and its move if it is one of these; `None` when stopped.
    #[cold]
    pub(crate) fn share(
        &self,
        searcher: &mut impl Searcher<Node = N>,
        node: N,
        moves: Range<usize>,
        beta: i32,
        best: i32,
    ) -> Option<(i32, Option<usize>)> {
        let split = Arc::new(SplitPoint {
            node,
            beta,
            next: AtomicUsize::new(moves.start),
            end: moves.end,
            best: Mutex::new((best, None)),
            cut: AtomicBool::new(false),
            incomplete: AtomicBool::new(false),
            helpers: AtomicUsize::new(0),
            parent: searcher.split().clone(),
        });
        lock(&self.splits).push(Arc::clone(&split));
        self.wake.notify_all();
        *searcher.split() = Some(Arc::clone(&split));
        let searched = self.work(searcher, &split);
        lock(&self.splits).retain(|other| !Arc::ptr_eq(other, &split));
        if searched.is_none() {
            split.cut.store(true, Ordering::Relaxed);
        }
        self.idle.fetch_add(1, Ordering::Relaxed);
        while split.helpers.load(Ordering::Acquire) > 0 {
            let below =
                |other: &&Arc<SplitPoint<N>>| other.is_open() && other.and_above().any(|one| ptr::eq(one, &*split));
            let splits = lock(&self.splits);
            if let Some(other) = splits.iter().find(below).cloned() {
                let helper = Helper::of(other);
                drop(splits);
                self.idle.fetch_sub(1, Ordering::Relaxed);
                self.work_for(helper, searcher);
                self.idle.fetch_add(1, Ordering::Relaxed);
            } else {
                drop(splits);
                thread::yield_now();
            }
        }
        self.idle.fetch_sub(1, Ordering::Relaxed);
        searcher.split().clone_from(&split.parent);
        let best = *lock(&split.best);
        if best.0 >= beta {
            return Some(best);
        }
        searched?;
        if split.incomplete.load(Ordering::Relaxed) { None } else { Some(best) }
    }

    /// Searches moves until none is left; `None` when stopped.
    fn work(&self, searcher: &mut impl Searcher<Node = N>, split: &SplitPoint<N>) -> Option<()> {
        while !split.cut.load(Ordering::Relaxed) {
            let number = split.next.fetch_add(1, Ordering::Relaxed);
            if number >= split.end {
                break;
            }
            let value = searcher.search_move(&split.node, number, split.beta)?;
            let mut best = lock(&split.best);
            if value > best.0 {
                *best = (value, Some(number));
            }
            if value >= split.beta {
                split.cut.store(true, Ordering::Relaxed);
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::mix64;
    use std::mem;

    const WIDTH: u64 = 4;

    /// A searcher of trees in which the value of a leaf is a hash of its path from the root.
    struct Climber<'a> {
        split_search: Option<&'a SplitSearch<Branch>>,
        split: Option<Arc<SplitPoint<Branch>>>,
        /// Moves of other threads' nodes, and nodes that were shared.
        helped: usize,
        shared: usize,
        /// Stops or panics at nodes that another thread shared.
        fault: Option<Fault>,
        /// Waits at the first node that it shares until a helper has joined.
        waits: bool,
    }

    #[derive(Clone, Copy)]
    enum Fault {
        Stop,
        Panic,
    }

    struct Branch {
        path: u64,
        depth: u32,
        owner: thread::ThreadId,
    }

    impl<'a> Climber<'a> {
        fn of(split_search: Option<&'a SplitSearch<Branch>>) -> Climber<'a> {
            Climber { split_search, split: None, helped: 0, shared: 0, fault: None, waits: false }
        }

        fn child(&mut self, path: u64, depth: u32, number: usize, beta: i32) -> Option<i32> {
            self.value(mix64(path + number as u64 + 1), depth - 1, 1 - beta).map(|value| -value)
        }

        fn value(&mut self, path: u64, depth: u32, beta: i32) -> Option<i32> {
            if self.split.as_ref().is_some_and(|split| split.is_cut()) {
                return None;
            }
            if depth == 0 {
                return Some((path % 201) as i32 - 100);
            }
            let mut best = i32::MIN;
            for number in 0..WIDTH as usize {
                if let Some(split_search) = self.split_search.filter(|_| number > 0 && depth > 1) {
                    self.shared += 1;
                    let node = Branch { path, depth, owner: thread::current().id() };
                    let (value, place) = split_search.share(self, node, number..WIDTH as usize, beta, best)?;
                    assert!(place.is_none_or(|place| place >= number));
                    return Some(value);
                }
                best = best.max(self.child(path, depth, number, beta)?);
                if best >= beta {
                    break;
                }
            }
            Some(best)
        }
    }

    impl Searcher for Climber<'_> {
        type Node = Branch;

        fn split(&mut self) -> &mut Option<Arc<SplitPoint<Branch>>> {
            &mut self.split
        }

        fn search_move(&mut self, node: &Branch, number: usize, beta: i32) -> Option<i32> {
            if node.owner != thread::current().id() {
                self.helped += 1;
                match self.fault {
                    Some(Fault::Stop) => return None,
                    Some(Fault::Panic) => panic!("a helper fails"),
                    None => {}
                }
            }
            if mem::take(&mut self.waits) {
                let split = self.split.clone().unwrap();
                while split.is_open() && split.helpers.load(Ordering::Relaxed) == 0 {
                    thread::yield_now();
                }
            }
            self.child(node.path, node.depth, number, beta)
        }
    }

    /// Searches with helpers that have this fault: the value, and the moves that helpers searched.
    fn searched(root: u64, beta: i32, fault: Option<Fault>) -> (Option<i32>, usize) {
        let split_search = SplitSearch::default();
        thread::scope(|scope| {
            let _dismissal = split_search.dismissal();
            let help = || {
                let mut climber = Climber { fault, ..Climber::of(Some(&split_search)) };
                split_search.help(&mut climber);
                climber.helped
            };
            let helpers: Vec<_> = (0..3).map(|_| scope.spawn(help)).collect();
            let mut owner = Climber { waits: true, ..Climber::of(Some(&split_search)) };
            let value = owner.value(root, 6, beta);
            assert!(owner.split.is_none() && owner.shared > 0, "{}", owner.shared);
            assert!(lock(&split_search.splits).is_empty());
            split_search.dismiss();
            (value, helpers.into_iter().map(|helper| helper.join().unwrap_or(1)).sum())
        })
    }

    #[test]
    fn a_crew_answers_as_one_thread_does() {
        let mut helped = 0;
        for root in 0..200 {
            let beta = (root % 41) as i32 - 20;
            let alone = Climber::of(None).value(root, 6, beta).unwrap();
            let (value, by_helpers) = searched(root, beta, None);
            assert_eq!(value.unwrap() >= beta, alone >= beta, "{root}");
            helped += by_helpers;
        }
        assert!(helped > 0);
    }

    #[test]
    fn what_helpers_did_not_finish_is_no_answer() {
        for fault in [Fault::Stop, Fault::Panic] {
            let mut open = 0;
            for root in 0..200 {
                let beta = (root % 41) as i32 - 20;
                let alone = Climber::of(None).value(root, 6, beta).unwrap();
                match searched(root, beta, Some(fault)).0 {
                    Some(value) => assert_eq!(value >= beta, alone >= beta, "{root}"),
                    None => open += 1,
                }
            }
            assert!(open > 0, "helpers never came");
        }
    }
}
