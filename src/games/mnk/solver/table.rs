//! The solver's transposition table: whether the side to move reaches its aim, and by which move. Layer 2.
//!
//! ```text
//!  entry   | key 64 | work 6 | move 6 | known 1 | reached 1 |     two words; a bucket has two entries
//! ```
//! The first entry of a bucket is the one that took more work; the second takes any new one.

use crate::memory;

/// Words of an entry, and of a bucket.
const ENTRY_WORDS: usize = 2;
const BUCKET_WORDS: usize = 2 * ENTRY_WORDS;
/// Positions of the fields of an entry.
const KNOWN: u32 = 1;
const MOVE: u32 = 2;
const WORK: u32 = 8;

/// The table.
#[derive(Debug)]
pub(super) struct Table {
    words: Box<[u64]>,
    /// The number of buckets minus one.
    mask: usize,
}

impl Table {
    /// An empty table of at most about this many bytes, allocated as it fills; `None` if the system does not give the
    /// memory.
    pub(super) fn new(bytes: usize) -> Option<Table> {
        let buckets = 1_usize << (bytes / (8 * BUCKET_WORDS)).max(16).ilog2();
        let words: Box<[u64]> = bytemuck::allocation::try_zeroed_slice_box(buckets * BUCKET_WORDS).ok()?;
        memory::ask_for_large_pages(&words);
        Some(Table { words, mask: buckets - 1 })
    }

    /// Clears everything; touches all of the memory.
    pub(super) fn clear(&mut self) {
        self.words.fill(0);
    }

    /// The entry of a position: the move that reaches the aim, or that none does.
    #[inline]
    pub(super) fn get(&self, key: u64) -> Option<Option<u8>> {
        let first = (key as usize & self.mask) * BUCKET_WORDS;
        let bucket = &self.words[first..first + BUCKET_WORDS];
        let data = bucket.chunks_exact(ENTRY_WORDS).find(|entry| entry[0] == key && entry[1] >> KNOWN & 1 != 0)?[1];
        Some((data & 1 != 0).then_some((data >> MOVE & 63) as u8))
    }

    /// Stores the result of a search of this many nodes.
    #[inline]
    pub(super) fn put(&mut self, key: u64, reached: Option<u8>, nodes: u64) {
        let first = (key as usize & self.mask) * BUCKET_WORDS;
        let bucket = &mut self.words[first..first + BUCKET_WORDS];
        let work = u64::from(nodes.max(1).ilog2());
        let is_second = bucket[0] != key && bucket[1] >> WORK > work;
        let data = work << WORK | u64::from(reached.unwrap_or(0)) << MOVE | 1 << KNOWN | u64::from(reached.is_some());
        if !is_second && bucket[0] != key {
            bucket.copy_within(..ENTRY_WORDS, ENTRY_WORDS);
        }
        let at = ENTRY_WORDS * usize::from(is_second);
        bucket[at..at + ENTRY_WORDS].copy_from_slice(&[key, data]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_took_work_stays() {
        let mut table = Table::new(1).unwrap();
        let key = |n: u64| 16 * n + 3;
        assert_eq!(table.get(0), None);
        table.put(key(1), Some(63), 1000);
        table.put(key(2), None, 10);
        assert_eq!((table.get(key(1)), table.get(key(2))), (Some(Some(63)), Some(None)));
        table.put(key(3), Some(0), 1);
        assert_eq!([1, 2, 3].map(|n| table.get(key(n))), [Some(Some(63)), None, Some(Some(0))]);
        table.put(key(4), None, 5000);
        assert_eq!([1, 3, 4].map(|n| table.get(key(n))), [Some(Some(63)), None, Some(None)]);
        table.clear();
        assert_eq!(table.get(key(4)), None);
    }
}
