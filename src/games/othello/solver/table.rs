//! The solver's transposition table: bounds of the final difference and the best moves. Layer 2.
//!
//! An entry stores the whole position, so positions are never confused. Shared by reference, written without locks; each half
//! of the position is stored xor a mixture of the data, so an entry torn by two writers matches no position (CITE: R. Hyatt, T.
//! Mann, "A lock-less transposition table implementation", 2002).
//!
//! ```text
//!  bucket   | own opponent data | own opponent data | - - |      64 bytes, aligned; the first is the one that took more work
//!  data     | lower 8 | upper 8 | best 8 | second 8 | level 8 | work 8 | age 8 | used 8 |
//! ```

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use crate::memory;

/// Words in an entry, and in a bucket of two.
const ENTRY_WORDS: usize = 3;
const BUCKET_WORDS: usize = 8;
const BUCKET_BYTES: usize = 8 * BUCKET_WORDS;
/// The number of generations that are distinguished.
const AGES: u8 = 64;
/// No move.
pub(super) const NO_CELL: u8 = 64;

/// What the table stores about a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry {
    /// Bounds of the value, inclusive.
    pub(super) lower: i8,
    pub(super) upper: i8,
    /// The best move and the one that was best before it, or [`NO_CELL`].
    pub(super) best: [u8; 2],
    /// The confidence of the bounds; see [`super::search::Level`].
    pub(super) level: u8,
    /// The binary logarithm of the nodes searched.
    pub(super) work: u8,
}

/// The table.
#[derive(Debug)]
pub(super) struct Table {
    words: Box<[AtomicU64]>,
    /// Index of the first bucket, so that every bucket is one cache line.
    start: usize,
    buckets: usize,
    age: AtomicU8,
}

/// Spreads a position over all 64 bits.
#[inline(always)]
fn hash(own: u64, opponent: u64) -> u64 {
    let a = (own ^ 0x9E37_79B9_7F4A_7C15).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let b = (opponent ^ a.rotate_left(32)).wrapping_mul(0x94D0_49BB_1331_11EB);
    b ^ b >> 29 ^ a
}

/// Spreads the data of an entry over both halves of its key.
#[inline(always)]
fn cover(data: u64) -> [u64; 2] {
    let mixed = data.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    [mixed ^ mixed >> 32, mixed.rotate_left(21).wrapping_mul(0xBF58_476D_1CE4_E5B9)]
}

impl Table {
    /// An empty table of about this many bytes, allocated as it fills; `None` if the system does not give the memory.
    pub(super) fn new(bytes: usize) -> Option<Table> {
        let buckets = (bytes / BUCKET_BYTES).max(16);
        // One bucket more, as the first may begin anywhere within a cache line.
        let words: Box<[AtomicU64]> =
            bytemuck::allocation::try_zeroed_slice_box(buckets.checked_add(1)?.checked_mul(BUCKET_WORDS)?).ok()?;
        memory::ask_for_large_pages(&words);
        let start = words.as_ptr().align_offset(BUCKET_BYTES).min(BUCKET_WORDS);
        Some(Table { words, start, buckets, age: AtomicU8::new(0) })
    }

    /// Clears everything; touches all of the memory.
    pub(super) fn clear(&self) {
        for word in &self.words {
            word.store(0, Ordering::Relaxed);
        }
    }

    /// Starts a new generation: older entries are replaced before newer ones.
    pub(super) fn renew(&self) {
        let age = self.age.load(Ordering::Relaxed);
        self.age.store((age + 1) % AGES, Ordering::Relaxed);
    }

    #[inline(always)]
    fn bucket(&self, own: u64, opponent: u64) -> &[AtomicU64] {
        let bucket = (u128::from(hash(own, opponent)) * self.buckets as u128) >> 64;
        let first = self.start + bucket as usize * BUCKET_WORDS;
        &self.words[first..first + BUCKET_WORDS]
    }

    /// Prefetches the bucket of a position.
    #[inline(always)]
    pub(super) fn prefetch(&self, own: u64, opponent: u64) {
        memory::prefetch(self.bucket(own, opponent));
    }

    /// The entry of a position, if there is one.
    #[inline(always)]
    pub(super) fn get(&self, own: u64, opponent: u64) -> Option<Entry> {
        let bucket = self.bucket(own, opponent);
        for slot in bucket[..2 * ENTRY_WORDS].chunks_exact(ENTRY_WORDS) {
            if let Some(data) = matching(slot, own, opponent) {
                return Some(unpack(data));
            }
        }
        None
    }

    /// Stores the result of a search: bounds with their confidence. Bounds of the same confidence already stored are
    /// kept as well.
    #[inline]
    pub(super) fn put(&self, own: u64, opponent: u64, mut entry: Entry) {
        let bucket = self.bucket(own, opponent);
        let age = self.age.load(Ordering::Relaxed);
        let slots = [&bucket[..ENTRY_WORDS], &bucket[ENTRY_WORDS..2 * ENTRY_WORDS]];
        for slot in slots {
            let Some(data) = matching(slot, own, opponent) else { continue };
            let old = unpack(data);
            if old.level == entry.level {
                // Two selective searches may contradict each other: the later one counts.
                if old.lower.max(entry.lower) <= old.upper.min(entry.upper) {
                    entry.lower = old.lower.max(entry.lower);
                    entry.upper = old.upper.min(entry.upper);
                }
                entry.work = old.work.max(entry.work);
            } else if old.level > entry.level {
                (entry.lower, entry.upper, entry.level) = (old.lower, old.upper, old.level);
            }
            if entry.best[0] == NO_CELL {
                entry.best = old.best;
            } else if entry.best[0] != old.best[0] {
                entry.best[1] = old.best[0];
            } else {
                entry.best[1] = old.best[1];
            }
            write(slot, own, opponent, pack(entry, age));
            return;
        }
        let first = slots[0][2].load(Ordering::Relaxed);
        let is_first_better = age_of(first) == age && used(first) && unpack(first).work > entry.work;
        if is_first_better {
            write(slots[1], own, opponent, pack(entry, age));
            return;
        }
        if used(first) {
            for (to, from) in slots[1].iter().zip(slots[0]) {
                to.store(from.load(Ordering::Relaxed), Ordering::Relaxed);
            }
        }
        write(slots[0], own, opponent, pack(entry, age));
    }
}

#[inline(always)]
fn matching(slot: &[AtomicU64], own: u64, opponent: u64) -> Option<u64> {
    let data = slot[2].load(Ordering::Relaxed);
    let [a, b] = cover(data);
    let is_it = slot[0].load(Ordering::Relaxed) ^ a == own && slot[1].load(Ordering::Relaxed) ^ b == opponent;
    (is_it && used(data)).then_some(data)
}

#[inline]
fn write(slot: &[AtomicU64], own: u64, opponent: u64, data: u64) {
    let [a, b] = cover(data);
    slot[0].store(own ^ a, Ordering::Relaxed);
    slot[1].store(opponent ^ b, Ordering::Relaxed);
    slot[2].store(data, Ordering::Relaxed);
}

#[inline(always)]
fn pack(entry: Entry, age: u8) -> u64 {
    let Entry { lower, upper, best: [best, second], level, work } = entry;
    u64::from_le_bytes([lower.cast_unsigned(), upper.cast_unsigned(), best, second, level, work, age, 1])
}

#[inline(always)]
fn unpack(data: u64) -> Entry {
    let [lower, upper, best, second, level, work, ..] = data.to_le_bytes();
    Entry { lower: lower.cast_signed(), upper: upper.cast_signed(), best: [best, second], level, work }
}

#[inline(always)]
fn age_of(data: u64) -> u8 {
    (data >> 48) as u8
}

/// Whether an entry was ever written.
#[inline(always)]
fn used(data: u64) -> bool {
    data >> 56 != 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::SplitMix64;

    fn entry(lower: i8, upper: i8, best: u8, level: u8, work: u8) -> Entry {
        Entry { lower, upper, best: [best, NO_CELL], level, work }
    }

    #[test]
    fn bounds_of_one_level_are_put_together_and_surer_ones_win() {
        let table = Table::new(1 << 12).unwrap();
        assert_eq!(table.get(1, 2), None);
        table.put(1, 2, entry(-10, 64, 5, 3, 1));
        table.put(1, 2, entry(-64, 20, 9, 3, 2));
        assert_eq!(table.get(1, 2), Some(Entry { best: [9, 5], ..entry(-10, 20, 9, 3, 2) }));
        // A result of lower confidence only updates the moves.
        table.put(1, 2, entry(30, 64, 7, 2, 9));
        assert_eq!(table.get(1, 2), Some(Entry { best: [7, 9], ..entry(-10, 20, 7, 3, 9) }));
        // A result of higher confidence replaces the bounds.
        table.put(1, 2, entry(-64, 4, NO_CELL, u8::MAX, 1));
        assert_eq!(table.get(1, 2), Some(Entry { best: [7, 9], ..entry(-64, 4, 7, u8::MAX, 1) }));
        assert_eq!(table.get(2, 1), None);
        table.clear();
        assert_eq!(table.get(1, 2), None);
    }

    #[test]
    fn what_took_more_work_stays_until_it_is_old() {
        // One bucket holds two positions.
        let table = Table::new(0).unwrap();
        let mut rng = SplitMix64::new(1);
        let boards: Vec<(u64, u64)> = (0..200).map(|_| rng.next_u64()).map(|own| (own, !own)).collect();
        table.put(3, 4, entry(1, 1, 1, 1, 50));
        boards.iter().for_each(|&(own, opponent)| table.put(own, opponent, entry(2, 2, 2, 1, 20)));
        assert_eq!(table.get(3, 4).map(|entry| entry.work), Some(50));
        table.renew();
        boards.iter().for_each(|&(own, opponent)| table.put(own, opponent, entry(2, 2, 2, 1, 20)));
        assert_eq!(table.get(3, 4), None);
    }

    #[test]
    fn an_entry_torn_by_two_writers_matches_nothing() {
        let table = Table::new(0).unwrap();
        table.put(3, 4, entry(-2, 6, 1, 1, 5));
        let words: Vec<u64> = table.words.iter().map(|word| word.load(Ordering::Relaxed)).collect();
        let written: Vec<usize> = (0..words.len()).filter(|&at| words[at] != 0).collect();
        assert_eq!(written.len(), 3);
        for at in written {
            table.words[at].store(words[at] ^ 1 << 9, Ordering::Relaxed);
            assert_eq!(table.get(3, 4), None);
            table.words[at].store(words[at], Ordering::Relaxed);
        }
        assert!(table.get(3, 4).is_some());
    }
}
