//! The transposition table: what earlier nodes were found to be worth, by hash.
//!
//! Floor 3. A fixed number of buckets of one cache line, four entries each; shared by reference, written without locks. An
//! entry is two words, the second of which is the data and the first the hash xor the data: an entry torn by two writers
//! does not match any hash (CITE: R. Hyatt, T. Mann, "A lock-less transposition table implementation", 2002).
//!
//! ```text
//!  bucket   | key0 data0 | key1 data1 | key2 data2 | key3 data3 |      64 bytes, aligned
//!  data     | score 32 | move place 16 | depth 8 | age 5 | complete 1 | bound 2 |
//! ```

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use crate::score::{Bound, Score};

/// Entries in a bucket.
const WAYS: usize = 4;
/// Generations told apart.
const AGES: u8 = 32;
/// Bytes in a bucket.
const BUCKET: usize = 64;
/// The move place that stands for "no move".
const NO_MOVE: u16 = u16::MAX;

/// What the table knows of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// The value found, for the side to move, distances counted from this position.
    pub score: Score,
    /// Which side of the true value it stands on.
    pub bound: Bound,
    /// The depth it was searched to, in plies.
    pub depth: u8,
    /// Whether the value rests on finished games alone, so that it holds at every greater depth.
    pub complete: bool,
    /// The place of the best move in the order of generation, if one is known.
    pub best: Option<u16>,
}

#[derive(Debug, Default)]
#[repr(align(64))]
struct Bucket([Slot; WAYS]);

#[derive(Debug, Default)]
struct Slot {
    key: AtomicU64,
    data: AtomicU64,
}

/// The memory for a table of the size asked for could not be had.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no memory for a table of {mebibytes} MiB")]
pub struct NoMemory {
    /// The size asked for.
    pub mebibytes: usize,
}

/// A transposition table.
#[derive(Debug)]
pub struct TranspositionTable {
    buckets: Vec<Bucket>,
    age: AtomicU8,
}

impl TranspositionTable {
    /// An empty table that fills `mebibytes` MiB (at least 1).
    ///
    /// # Errors
    /// [`NoMemory`] when the system does not give that much.
    pub fn new(mebibytes: usize) -> Result<TranspositionTable, NoMemory> {
        let error = NoMemory { mebibytes };
        let bytes = mebibytes.max(1).checked_mul(1 << 20).ok_or(error)?;
        let mut buckets: Vec<Bucket> = Vec::new();
        buckets.try_reserve_exact(bytes / BUCKET).map_err(|_| error)?;
        buckets.resize_with(bytes / BUCKET, Bucket::default);
        Ok(TranspositionTable { buckets, age: AtomicU8::new(0) })
    }

    /// The memory the table fills; a search that keeps a tree may take as much again for it.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.buckets.len() * BUCKET
    }

    /// Forgets everything.
    pub fn clear(&self) {
        for slot in self.buckets.iter().flat_map(|bucket| &bucket.0) {
            slot.key.store(0, Ordering::Relaxed);
            slot.data.store(0, Ordering::Relaxed);
        }
        self.age.store(0, Ordering::Relaxed);
    }

    /// Starts a new generation: what is in the table now is replaced before what comes.
    pub fn new_search(&self) {
        let age = self.age.load(Ordering::Relaxed);
        self.age.store((age + 1) % AGES, Ordering::Relaxed);
    }

    fn bucket(&self, hash: u64) -> &Bucket {
        let index = (u128::from(hash) * self.buckets.len() as u128) >> 64;
        &self.buckets[index as usize]
    }

    /// What is known of the position with this hash.
    #[must_use]
    pub fn get(&self, hash: u64) -> Option<Entry> {
        self.bucket(hash).0.iter().find_map(|slot| {
            let data = slot.data.load(Ordering::Relaxed);
            (slot.key.load(Ordering::Relaxed) ^ data == hash).then(|| unpack(data)).flatten()
        })
    }

    /// Remembers `entry`, in the place of what the bucket can best do without: the same position, else an old or shallow one.
    pub fn put(&self, hash: u64, entry: Entry) {
        let age = self.age.load(Ordering::Relaxed);
        let mut victim = &self.bucket(hash).0[0];
        let mut least = i32::MAX;
        for slot in &self.bucket(hash).0 {
            let data = slot.data.load(Ordering::Relaxed);
            if slot.key.load(Ordering::Relaxed) ^ data == hash {
                victim = slot;
                break;
            }
            let worth = match unpack(data) {
                None => i32::MIN,
                Some(old) => i32::from(old.depth) - 8 * i32::from((age + AGES - age_of(data)) % AGES),
            };
            if worth < least {
                least = worth;
                victim = slot;
            }
        }
        let data = pack(entry, age);
        victim.key.store(hash ^ data, Ordering::Relaxed);
        victim.data.store(data, Ordering::Relaxed);
    }

    /// How full the table is with entries of this generation, in thousandths, from a sample.
    #[must_use]
    pub fn permille_full(&self) -> u32 {
        let age = self.age.load(Ordering::Relaxed);
        let sample = self.buckets.len().min(250);
        let used = self.buckets[..sample]
            .iter()
            .flat_map(|bucket| &bucket.0)
            .filter(|slot| {
                let data = slot.data.load(Ordering::Relaxed);
                unpack(data).is_some() && age_of(data) == age
            })
            .count();
        (used * 1000 / (sample * WAYS)) as u32
    }
}

/// The data word of an entry. INVARIANT: never 0, so that an empty slot is told from a used one.
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
        | u64::from(entry.complete) << 2
        | bound
}

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
        complete: data >> 2 & 1 == 1,
        best: Some((data >> 16) as u16).filter(|&place| place != NO_MOVE),
    })
}

fn age_of(data: u64) -> u8 {
    (data >> 3) as u8 & (AGES - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::mix64;

    fn entry(depth: u8) -> Entry {
        Entry { score: Score::loss_in(5), bound: Bound::Upper, depth, complete: true, best: Some(300) }
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
            let entry = Entry { score, bound, depth: 255, complete: false, best };
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
    fn a_size_nobody_has_is_an_error_not_an_abort() {
        assert_eq!(TranspositionTable::new(usize::MAX).unwrap_err(), NoMemory { mebibytes: usize::MAX });
        assert!(TranspositionTable::new(1 << 40).is_err());
    }
}
