//! Positions that the threads of a search are at, so that each searches elsewhere first. Layer 3.
//!
//! A thread puts off a move to a position that another thread is searching; later the transposition table has its result. An
//! entry may be overwritten, and then two threads search the same; no value depends on it.
//! CITE: T. Kerrigan, "Simplified ABDADA", 2017.

use std::sync::atomic::{AtomicU64, Ordering};

/// The number of notes there is room for, as a power of two: many more than there are threads, and moves on their lines.
const PLACES: u32 = 10;

/// The notes. A key is that of the position behind a move, and never 0.
#[derive(Debug)]
pub(super) struct Busy(Box<[AtomicU64]>);

impl Default for Busy {
    fn default() -> Busy {
        Busy((0..1 << PLACES).map(|_| AtomicU64::new(0)).collect())
    }
}

/// A thread is at a position as long as this lives.
#[derive(Debug)]
pub(super) struct Stay<'a> {
    place: &'a AtomicU64,
    key: u64,
}

impl Busy {
    fn place(&self, key: u64) -> &AtomicU64 {
        &self.0[(key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (u64::BITS - PLACES)) as usize]
    }

    /// Whether a thread is at the position, as far as is noted.
    #[inline]
    pub(super) fn is_at(&self, key: u64) -> bool {
        self.place(key).load(Ordering::Relaxed) == key
    }

    /// Notes that this thread is at the position.
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
        // Another note may stand there by now.
        let _ = self.place.compare_exchange(self.key, 0, Ordering::Relaxed, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_is_where_it_went_until_it_leaves() {
        let busy = Busy::default();
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
