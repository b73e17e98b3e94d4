//! The transposition table: values of earlier nodes, by hash.
//!
//! Layer 3. A fixed number of buckets of one cache line, four entries each; shared by reference, written without locks. The
//! system supplies zeroed memory page by page on first use, in large pages if it can, so a table of any size is allocated at
//! once. An entry is two words: the data, and the hash xor the data, so an entry torn by two writers matches no hash (CITE: R.
//! Hyatt, T. Mann, "A lock-less transposition table implementation", 2002).
//!
//! ```text
//!  bucket   | key0 data0 | key1 data1 | key2 data2 | key3 data3 |      64 bytes, aligned
//!  data     | score 32 | move id 16     | depth 8 | age 5 | proven 1 | bound 2 |
//! ```

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use super::histories::Histories;
use crate::memory;
use crate::score::{Bound, Score};

/// Entries in a bucket.
const WAYS: usize = 4;
/// The number of generations that are told apart.
const AGES: u8 = 32;
/// Words in an entry: key and data.
const ENTRY_WORDS: usize = 2;
/// Words in a bucket: one cache line of 64 bytes.
const BUCKET_WORDS: usize = WAYS * ENTRY_WORDS;
/// Bytes in a bucket.
const BUCKET_BYTES: usize = BUCKET_WORDS * 8;
/// See [`TranspositionTable::put_unless_deeper`].
const DEEPER: u32 = 4;
/// The id that stands for "no move".
const NO_MOVE: u16 = u16::MAX;

/// An entry of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// The value, for the side to move; distances are counted from this position.
    pub score: Score,
    /// Whether the value is exact or a bound.
    pub bound: Bound,
    /// The depth of its search, in plies.
    pub depth: u8,
    /// Whether the value depends only on finished games and exact knowledge, so that it holds at every greater depth.
    pub proven: bool,
    /// The id of the best move, if known.
    pub best: Option<u16>,
}

/// There is not enough memory for a table of the requested size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no memory for a table of {mebibytes} MiB")]
pub struct NoMemory {
    /// The requested size.
    pub mebibytes: usize,
}

/// A transposition table.
#[derive(Debug)]
pub struct TranspositionTable {
    words: Box<[AtomicU64]>,
    /// The index of the first word of the first bucket, aligned so that every bucket is one cache line.
    start: usize,
    buckets: usize,
    age: AtomicU8,
    used: AtomicBool,
    /// What the threads of the last search learned about moves, for the next one.
    histories: Mutex<Vec<Histories>>,
}

impl TranspositionTable {
    /// An empty table of `mebibytes` MiB (at least 1). The system supplies its memory as it fills.
    ///
    /// # Errors
    /// [`NoMemory`] if the system does not have that much.
    pub fn new(mebibytes: usize) -> Result<TranspositionTable, NoMemory> {
        let error = NoMemory { mebibytes };
        let bytes = mebibytes.max(1).checked_mul(1 << 20).ok_or(error)?;
        let buckets = bytes / BUCKET_BYTES;
        // One bucket more, since the allocation may start anywhere within a cache line.
        let words: Box<[AtomicU64]> =
            bytemuck::allocation::try_zeroed_slice_box((buckets + 1) * BUCKET_WORDS).map_err(|()| error)?;
        memory::ask_for_large_pages(&words);
        let start = words.as_ptr().align_offset(BUCKET_BYTES).min(BUCKET_WORDS);
        Ok(TranspositionTable {
            words,
            start,
            buckets,
            age: AtomicU8::new(0),
            used: AtomicBool::new(false),
            histories: Mutex::default(),
        })
    }

    /// The size of the table in bytes. A search that keeps a tree may use as much again.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.buckets * BUCKET_BYTES
    }

    /// Empties the table, and forgets what searches have learned about moves. This touches all of its memory, so that no search
    /// has to wait for pages.
    pub fn clear(&self) {
        self.histories.lock().unwrap_or_else(PoisonError::into_inner).clear();
        for word in &self.words {
            word.store(0, Ordering::Relaxed);
        }
        self.age.store(0, Ordering::Relaxed);
    }

    /// What a thread of an earlier search learned about moves, if it was kept and no other thread has taken it.
    pub(super) fn take_histories(&self) -> Option<Histories> {
        self.histories.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }

    /// Keeps what a thread has learned about moves.
    pub(super) fn keep_histories(&self, histories: Histories) {
        self.histories.lock().unwrap_or_else(PoisonError::into_inner).push(histories);
    }

    /// Starts a new generation: entries of earlier generations are replaced first.
    pub fn new_search(&self) {
        let age = self.age.load(Ordering::Relaxed);
        self.age.store((age + 1) % AGES, Ordering::Relaxed);
        self.used.store(true, Ordering::Relaxed);
    }

    /// Whether a search has used the table.
    #[must_use]
    pub fn is_used(&self) -> bool {
        self.used.load(Ordering::Relaxed)
    }

    /// The bucket of a hash: entries of key and data.
    #[inline]
    fn bucket(&self, hash: u64) -> &[[AtomicU64; ENTRY_WORDS]] {
        let bucket = (u128::from(hash) * self.buckets as u128) >> 64;
        let first = self.start + bucket as usize * BUCKET_WORDS;
        self.words[first..first + BUCKET_WORDS].as_chunks().0
    }

    /// Prefetches the bucket of a position that will be looked up soon.
    #[inline]
    pub(super) fn prefetch(&self, hash: u64) {
        memory::prefetch(self.bucket(hash));
    }

    /// The entry of the position with this hash.
    #[must_use]
    #[inline]
    pub fn get(&self, hash: u64) -> Option<Entry> {
        self.bucket(hash).iter().find_map(|[key, data]| {
            let data = data.load(Ordering::Relaxed);
            (key.load(Ordering::Relaxed) ^ data == hash).then(|| unpack(data)).flatten()
        })
    }

    /// Stores `entry`. It replaces the entry of the same position, else an old or shallow one.
    #[inline]
    pub fn put(&self, hash: u64, entry: Entry) {
        let age = self.age.load(Ordering::Relaxed);
        let mut victim = None;
        let mut least = i32::MAX;
        for slot in self.bucket(hash) {
            let [key, data] = slot;
            let data = data.load(Ordering::Relaxed);
            if key.load(Ordering::Relaxed) ^ data == hash {
                victim = Some(slot);
                break;
            }
            let worth = match unpack(data) {
                None => i32::MIN,
                Some(old) => i32::from(old.depth) - 8 * i32::from((age + AGES - age_of(data)) % AGES),
            };
            if worth < least {
                least = worth;
                victim = Some(slot);
            }
        }
        if let Some([key, data]) = victim {
            let word = pack(entry, age);
            key.store(hash ^ word, Ordering::Relaxed);
            data.store(word, Ordering::Relaxed);
        }
    }

    /// Stores `entry`, unless it is a bound and the entry of the same position is from a search at least 4 plies
    /// deeper.
    #[inline]
    pub fn put_unless_deeper(&self, hash: u64, entry: Entry) {
        let is_bound = entry.bound != Bound::Exact && !entry.proven;
        let is_deeper = |old: Entry| u32::from(entry.depth) + DEEPER <= u32::from(old.depth);
        if !(is_bound && self.get(hash).is_some_and(is_deeper)) {
            self.put(hash, entry);
        }
    }

    /// The share of entries of this generation, in thousandths, estimated from the first buckets: hashes fill all
    /// buckets evenly.
    #[must_use]
    pub fn permille_full(&self) -> u32 {
        /// The number of sampled buckets; the smallest table has more.
        const SAMPLE: usize = 250;
        let age = self.age.load(Ordering::Relaxed);
        let entries = self.words[self.start..self.start + SAMPLE * BUCKET_WORDS].as_chunks::<ENTRY_WORDS>().0.iter();
        let used = entries.filter(|[_, data]| {
            let data = data.load(Ordering::Relaxed);
            unpack(data).is_some() && age_of(data) == age
        });
        (used.count() * 1000 / (SAMPLE * WAYS)) as u32
    }
}

/// The data word of an entry. INVARIANT: never 0, which marks an empty slot.
#[inline]
fn pack(entry: Entry, age: u8) -> u64 {
    let bound = match entry.bound {
        Bound::Upper => 1,
        Bound::Lower => 2,
        Bound::Exact => 3,
    };
    u64::from(entry.score.to_bits()) << 32
        | u64::from(entry.best.unwrap_or(NO_MOVE)) << 16
        | u64::from(entry.depth) << 8
        | u64::from(age) << 3
        | u64::from(entry.proven) << 2
        | bound
}

#[inline]
fn unpack(data: u64) -> Option<Entry> {
    let bound = match data & 3 {
        1 => Bound::Upper,
        2 => Bound::Lower,
        3 => Bound::Exact,
        _ => return None,
    };
    Some(Entry {
        score: Score::from_bits((data >> 32) as u32),
        bound,
        depth: (data >> 8) as u8,
        proven: data >> 2 & 1 == 1,
        best: Some((data >> 16) as u16).filter(|&place| place != NO_MOVE),
    })
}

#[inline]
fn age_of(data: u64) -> u8 {
    (data >> 3) as u8 & (AGES - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::mix64;

    fn entry(depth: u8) -> Entry {
        Entry { score: Score::loss_in(5), bound: Bound::Upper, depth, proven: true, best: Some(300) }
    }

    #[test]
    fn what_is_put_in_comes_out() {
        let table = TranspositionTable::new(1).unwrap();
        assert_eq!(table.get(0), None, "an empty slot matches no hash, not even 0");
        for (score, bound, best) in [
            (Score::units(-70), Bound::Exact, None),
            (Score::win_in(0), Bound::Lower, Some(0)),
            (Score::known_loss(), Bound::Upper, Some(483)),
        ] {
            let entry = Entry { score, bound, depth: 255, proven: false, best };
            table.put(mix64(17), entry);
            assert_eq!(table.get(mix64(17)), Some(entry));
        }
        table.clear();
        assert_eq!(table.get(mix64(17)), None);
    }

    #[test]
    fn the_shallowest_entry_of_the_oldest_search_goes_first() {
        let table = TranspositionTable::new(1).unwrap();
        let hash = |i: u64| (42 << 50) + i;
        table.put(hash(0), entry(9));
        table.new_search();
        for (i, depth) in [(1, 3), (2, 7), (3, 5), (4, 1)] {
            table.put(hash(i), entry(depth));
        }
        assert_eq!(table.get(hash(0)), None, "an old deep entry goes before a new shallow one");
        table.put(hash(5), entry(2));
        assert_eq!(table.get(hash(4)), None, "the shallowest of this search goes next");
        assert!([1, 2, 3, 5].iter().all(|&i| table.get(hash(i)).is_some()));
    }

    #[test]
    fn a_bound_does_not_take_the_place_of_a_much_deeper_search() {
        let table = TranspositionTable::new(1).unwrap();
        let bound = |depth| Entry { proven: false, score: Score::units(5), ..entry(depth) };
        table.put(mix64(7), bound(9));
        table.put_unless_deeper(mix64(7), bound(5));
        assert_eq!(table.get(mix64(7)), Some(bound(9)));
        for kept in [bound(6), Entry { bound: Bound::Exact, ..bound(2) }, entry(1)] {
            table.put(mix64(7), bound(9));
            table.put_unless_deeper(mix64(7), kept);
            assert_eq!(table.get(mix64(7)), Some(kept));
        }
        table.put_unless_deeper(mix64(8), bound(0));
        assert_eq!(table.get(mix64(8)), Some(bound(0)), "an empty slot");
    }

    #[test]
    fn every_bucket_is_one_line_of_the_cache() {
        for mebibytes in [1, 3, 64] {
            let table = TranspositionTable::new(mebibytes).unwrap();
            for hash in [0, 1 << 63, u64::MAX] {
                let bucket = table.bucket(hash);
                assert_eq!((bucket.len(), bucket.as_ptr() as usize % BUCKET_BYTES), (WAYS, 0), "{mebibytes} {hash}");
            }
        }
    }

    #[test]
    fn a_table_fills_up() {
        let table = TranspositionTable::new(1).unwrap();
        for number in 0..2 * (table.buckets * WAYS) as u64 {
            table.put(mix64(number), entry(1));
        }
        assert!((900..=1000).contains(&table.permille_full()), "{}", table.permille_full());
        table.new_search();
        assert_eq!(table.permille_full(), 0, "what an earlier search has left is room");
    }

    #[test]
    fn a_size_nobody_has_is_an_error_not_an_abort() {
        assert_eq!(TranspositionTable::new(usize::MAX).unwrap_err(), NoMemory { mebibytes: usize::MAX });
        assert!(TranspositionTable::new(1 << 40).is_err());
    }
}
