//! A thread pool that works through a range of ranks and shares the work that arises.
//!
//! Layer 1. Each thread takes chunks of the range from a common counter. The work that a chunk causes (boards to be followed
//! backwards) goes on the thread's stack; a thread without chunks gets half of another one's stack. The pool is done when all
//! threads wait.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// Ranks in a chunk.
const CHUNK: u64 = 1 << 13;

/// The work of a pool: a range, and batches of `T` that threads can share.
pub(super) struct Work<T> {
    size: u64,
    next: AtomicU64,
    members: usize,
    hungry: AtomicUsize,
    spare: Mutex<Spare<T>>,
    wake: Condvar,
}

struct Spare<T> {
    batches: Vec<Vec<T>>,
    over: bool,
}

impl<T: Send> Work<T> {
    /// Runs `work` on `members` threads, this one included, over the ranks below `size`; returns the result of each.
    pub(super) fn share<R: Send>(size: u64, members: usize, work: impl Fn(&Work<T>) -> R + Sync) -> Vec<R> {
        // No more members than chunks: otherwise small layers would spend their time on starting threads.
        let members = members.min(size.div_ceil(CHUNK) as usize).max(1);
        let spare = Mutex::new(Spare { batches: Vec::new(), over: false });
        let (next, hungry) = (AtomicU64::new(0), AtomicUsize::new(0));
        let shared = Work { size, next, members, hungry, spare, wake: Condvar::new() };
        thread::scope(|scope| {
            let others: Vec<_> = (1..members).map(|_| scope.spawn(|| work(&shared))).collect();
            let own = work(&shared);
            let joined = others.into_iter().map(|other| match other.join() {
                Ok(result) => result,
                Err(panic) => std::panic::resume_unwind(panic),
            });
            std::iter::once(own).chain(joined).collect()
        })
    }

    /// The next free ranks.
    pub(super) fn chunk(&self) -> Option<Range<u64>> {
        let start = self.next.fetch_add(CHUNK, Ordering::Relaxed);
        (start < self.size).then(|| start..self.size.min(start + CHUNK))
    }

    /// Hands over half of a long stack if a thread waits for it.
    #[inline]
    pub(super) fn offer(&self, stack: &mut Vec<T>) {
        const LONG: usize = 64;
        if stack.len() >= LONG && self.hungry.load(Ordering::Relaxed) > 0 {
            let batch = stack.split_off(stack.len() / 2);
            self.lock().batches.push(batch);
            self.wake.notify_one();
        }
    }

    /// Waits for work of other threads; `None` when all wait, or after [`Work::end`].
    pub(super) fn receive(&self) -> Option<Vec<T>> {
        let mut spare = self.lock();
        // Changed under the lock only; atomic so that `offer` can read it without the lock.
        if self.hungry.fetch_add(1, Ordering::Relaxed) + 1 == self.members && spare.batches.is_empty() {
            spare.over = true;
            self.wake.notify_all();
        }
        loop {
            if spare.over {
                return None;
            }
            if let Some(batch) = spare.batches.pop() {
                self.hungry.fetch_sub(1, Ordering::Relaxed);
                return Some(batch);
            }
            spare = self.wake.wait(spare).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Releases all threads.
    pub(super) fn end(&self) {
        self.lock().over = true;
        self.wake.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, Spare<T>> {
        self.spare.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
