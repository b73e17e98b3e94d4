//! The solver's transposition table: bounds and best columns, eight bytes each. Layer 2.
//!
//! A key is mixed by an invertible function: some bits select the bucket, the entry stores all others, so positions are never
//! confused. The entries of a bucket that took most work stay, and the last place takes any new one; a spared entry counts for
//! less each time. Threads may share a table: an entry is one word, and at worst one of two simultaneous writes is lost.
//!
//! ```text
//!  entry   | tag 44 | work 5 | column 3 | upper 6 | lower 6 |      0: empty
//!  bucket  | entry | entry | entry | entry |                       32 bytes, aligned
//! ```

use std::sync::atomic::{AtomicU64, Ordering};

use super::Value;
use crate::memory;

/// Entries in a bucket.
const WAYS: usize = 4;
const BUCKET_BYTES: usize = 8 * WAYS;
/// Positions of the fields of an entry.
const UPPER: u32 = 6;
const COLUMN: u32 = 12;
const WORK: u32 = 15;
const TAG: u32 = 20;
/// Most bits of a key beyond those of the bucket number: a tag is never 0.
const TAG_BITS: u32 = 43;
/// Added to a value to make it at least 0.
const OFFSET: Value = 32;
/// The largest amount of work that is distinguished.
const MOST_WORK: u64 = 31;

/// No column; an eighth column is not stored.
pub(super) const NO_COLUMN: u32 = 7;
/// Bounds of an unknown value.
pub(super) const LEAST: Value = -32;
pub(super) const MOST: Value = 31;

/// What the table stores about a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry {
    /// A lower bound of the value.
    pub(super) lower: Value,
    /// An upper bound of the value.
    pub(super) upper: Value,
    /// The best column so far, or [`NO_COLUMN`].
    pub(super) column: u32,
}

impl Entry {
    /// A bound that decides whether the value is above `alpha`, if known.
    #[inline(always)]
    pub(super) fn answer(self, alpha: Value) -> Option<Value> {
        if self.lower > alpha {
            Some(self.lower)
        } else if self.upper <= alpha {
            Some(self.upper)
        } else {
            None
        }
    }
}

/// The table.
#[derive(Debug)]
pub(super) struct Table {
    entries: Box<[AtomicU64]>,
    /// Index of the first bucket, so that no bucket crosses two cache lines.
    start: usize,
    bucket_bits: u32,
    key_bits: u32,
}

#[inline(always)]
fn field(entry: u64, at: u32, bits: u32) -> u64 {
    entry >> at & ((1 << bits) - 1)
}

impl Table {
    /// The least bytes of a table for keys of this many bits.
    pub(super) fn least_bytes(key_bits: u32) -> usize {
        BUCKET_BYTES << key_bits.saturating_sub(TAG_BITS)
    }

    /// An empty table of at most about this many bytes for keys of this many bits, allocated as it fills; `None` if the
    /// system does not give the memory. Long keys take at least some mebibytes.
    pub(super) fn new(bytes: usize, key_bits: u32) -> Option<Table> {
        let wanted = (bytes / BUCKET_BYTES).max(1).ilog2();
        let bucket_bits = wanted.clamp(key_bits.saturating_sub(TAG_BITS), key_bits);
        // One bucket more, as the first may begin anywhere within one.
        let entries: Box<[AtomicU64]> =
            bytemuck::allocation::try_zeroed_slice_box(((1_usize << bucket_bits) + 1) * WAYS).ok()?;
        memory::ask_for_large_pages(&entries);
        let start = entries.as_ptr().align_offset(BUCKET_BYTES).min(WAYS);
        Some(Table { entries, start, bucket_bits, key_bits })
    }

    /// Clears everything; touches all of the memory.
    pub(super) fn clear(&mut self) {
        self.entries.iter_mut().for_each(|entry| *entry.get_mut() = 0);
    }

    /// The index of a key's bucket, and the rest of the key.
    #[inline(always)]
    fn place(&self, key: u64) -> (usize, u64) {
        let mask = u64::MAX >> (64 - self.key_bits);
        let half = self.key_bits / 2;
        // Each step is invertible: an odd factor, and a shift by at least half.
        let mut mixed = key.wrapping_mul(0x9E37_79B9_7F4A_7C15) & mask;
        mixed ^= mixed >> (self.key_bits - half);
        mixed = mixed.wrapping_mul(0xBF58_476D_1CE4_E5B9) & mask;
        mixed ^= mixed >> (self.key_bits - half);
        let bucket = mixed & ((1 << self.bucket_bits) - 1);
        (self.start + bucket as usize * WAYS, (mixed >> self.bucket_bits) + 1)
    }

    /// Prefetches the bucket of a key.
    #[inline(always)]
    pub(super) fn prefetch(&self, key: u64) {
        let (place, _) = self.place(key);
        memory::prefetch(&self.entries[place]);
    }

    /// The entry of a position, if there is one.
    #[inline(always)]
    pub(super) fn get(&self, key: u64) -> Option<Entry> {
        let (place, tag) = self.place(key);
        let mut bucket = self.entries[place..place + WAYS].iter().map(|entry| entry.load(Ordering::Relaxed));
        let found = bucket.find(|entry| entry >> TAG == tag)?;
        Some(Entry {
            lower: field(found, 0, 6) as Value - OFFSET,
            upper: field(found, UPPER, 6) as Value - OFFSET,
            column: field(found, COLUMN, 3) as u32,
        })
    }

    /// Stores the result of a search of this many nodes, together with what is known of the position.
    #[inline]
    pub(super) fn put(&self, key: u64, found: Entry, nodes: u64) {
        let (place, tag) = self.place(key);
        let entries = &self.entries[place..place + WAYS];
        let bucket: [u64; WAYS] = std::array::from_fn(|at| entries[at].load(Ordering::Relaxed));
        let work = u64::from(u64::BITS - nodes.leading_zeros()).min(MOST_WORK);
        let pack = |Entry { lower, upper, column }, work: u64| {
            let [lower, upper] = [lower, upper].map(|bound| (bound + OFFSET) as u64);
            tag << TAG | work << WORK | u64::from(column.min(NO_COLUMN)) << COLUMN | upper << UPPER | lower
        };
        if let Some(at) = bucket.iter().position(|entry| entry >> TAG == tag) {
            let entry = bucket[at];
            let lower = found.lower.max(field(entry, 0, 6) as Value - OFFSET);
            let upper = found.upper.min(field(entry, UPPER, 6) as Value - OFFSET);
            let column = if found.column < NO_COLUMN { found.column } else { field(entry, COLUMN, 3) as u32 };
            let word = pack(Entry { lower, upper, column }, work.max(field(entry, WORK, 5)));
            entries[at].store(word, Ordering::Relaxed);
            return;
        }
        let worth = |entry: u64| if entry == 0 { 0 } else { 1 + field(entry, WORK, 5) };
        let (mut least, mut at) = (worth(bucket[0]), 0);
        for (other, &entry) in bucket.iter().enumerate().skip(1) {
            if worth(entry) < least {
                (least, at) = (worth(entry), other);
            }
        }
        if least > work + 1 {
            if least > 1 {
                entries[at].store(bucket[at] - (1 << WORK), Ordering::Relaxed);
            }
            at = WAYS - 1;
        }
        entries[at].store(pack(found, work), Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::SplitMix64;
    use std::collections::HashMap;

    #[test]
    fn what_is_told_of_a_position_was_said_of_it() {
        for (bytes, key_bits) in [(1 << 12, 49), (1 << 10, 12), (0, 20), (1 << 16, 63)] {
            let table = Table::new(bytes, key_bits).unwrap();
            let mut rng = SplitMix64::new(3);
            let mut said: HashMap<u64, [Value; 2]> = HashMap::new();
            let (mut told, mut asked) = (0, 0);
            for _ in 0..20_000 {
                // Keys that differ in few bits.
                let key =
                    (rng.below(40) as u64 | (rng.below(30) as u64) << (key_bits - 6)) & (u64::MAX >> (64 - key_bits));
                if rng.below(2) == 0 {
                    let middle = *said.entry(key).or_insert([rng.below(40) as Value - 20; 2]);
                    let (lower, upper) = (middle[0] - rng.below(5) as Value, middle[1] + rng.below(5) as Value);
                    table.put(key, Entry { lower, upper, column: rng.below(8) as u32 }, rng.below(1000) as u64);
                } else if let Some(middle) = said.get(&key) {
                    asked += 1;
                    if let Some(found) = table.get(key) {
                        told += 1;
                        assert!(found.lower <= middle[0] && middle[1] <= found.upper);
                        assert!(found.upper - found.lower <= 8);
                    }
                } else {
                    assert_eq!(table.get(key), None);
                }
            }
            assert!(told > 20 && told <= asked, "{told} of {asked}");
        }
    }

    #[test]
    fn different_keys_have_different_places_or_tags() {
        for key_bits in [5, 16, 17] {
            let table = Table::new(1 << 9, key_bits).unwrap();
            let places: std::collections::HashSet<_> = (0..1 << key_bits).map(|key| table.place(key)).collect();
            assert_eq!(places.len(), 1 << key_bits);
        }
    }

    #[test]
    fn what_took_work_outlives_what_did_not() {
        let mut table = Table::new(1 << 12, 49).unwrap();
        table.put(77, Entry { lower: 3, upper: 3, column: 2 }, 1 << 20);
        for key in 1000..1000 + 128 * 8 {
            table.put(key, Entry { lower: LEAST, upper: 0, column: NO_COLUMN }, 10);
        }
        assert_eq!(table.get(77), Some(Entry { lower: 3, upper: 3, column: 2 }));
        table.clear();
        assert_eq!(table.get(77), None);
    }
}
