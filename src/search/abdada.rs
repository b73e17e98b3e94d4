//! The positions that the threads of a search are searching, so that each thread searches others first. Layer 3.
//!
//! A thread puts off a move to a position that another thread is searching; later the transposition table has its
//! result. Entries may be overwritten; then two threads search the same position. No value depends on it.
//! CITE: T. Kerrigan, "Simplified ABDADA", 2017.

use std::sync::atomic::{AtomicU64, Ordering};

/// The base-2 logarithm of the number of entries: far more than the threads have moves on their lines.
const PLACES: u32 = 10;

/// The entries. A key is the hash of the position after a move with the depth mixed in.
#[derive(Debug)]
pub(super) struct CurrentlySearching(Box<[AtomicU64]>);

impl Default for CurrentlySearching {
    fn default() -> CurrentlySearching {
        CurrentlySearching((0..1 << PLACES).map(|_| AtomicU64::new(0)).collect())
    }
}

/// Marks a position as being searched until it is dropped.
#[derive(Debug)]
pub(super) struct Stay<'a> {
    place: &'a AtomicU64,
    key: u64,
}

impl CurrentlySearching {
    fn place(&self, key: u64) -> &AtomicU64 {
        &self.0[(key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (u64::BITS - PLACES)) as usize]
    }

    /// Whether a thread is marked as searching the position.
    #[inline]
    pub(super) fn is_at(&self, key: u64) -> bool {
        self.place(key).load(Ordering::Relaxed) == key
    }

    /// Marks the position as searched by this thread.
    #[inline]
    pub(super) fn enter(&self, key: u64) -> Stay<'_> {
        let place = self.place(key);
        place.store(key, Ordering::Relaxed);
        Stay { place, key }
    }
}

impl Drop for Stay<'_> {
    #[inline]
    fn drop(&mut self) {
        // Another entry may have replaced it.
        let _ = self.place.compare_exchange(self.key, 0, Ordering::Relaxed, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_is_where_it_went_until_it_leaves() {
        let busy = CurrentlySearching::default();
        let stay = busy.enter(7);
        assert!(busy.is_at(7) && !busy.is_at(8));
        let also = busy.enter(7);
        drop(stay);
        drop(also);
        assert!(!busy.is_at(7));
        let key = (8..).find(|&key| std::ptr::eq(busy.place(key), busy.place(7))).unwrap();
        let first = busy.enter(7);
        let second = busy.enter(key);
        assert!(busy.is_at(key) && !busy.is_at(7), "the later note stands");
        drop(first);
        assert!(busy.is_at(key), "and is its own thread's to take away");
        drop(second);
        assert!(!busy.is_at(key));
    }
}
