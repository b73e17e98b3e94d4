//! The transposition table: what earlier nodes were found to be worth, by hash.
//!
//! Floor 3. A fixed number of buckets of one cache line, four entries each; shared by reference, written without locks. The
//! buckets stand in chunks that get their memory when they are first written to: a table of any size is there at once, and
//! where the system has no more memory it is a smaller table. An entry is two words, the second of which is the data and the
//! first the hash xor the data: an entry torn by two writers does not match any hash (CITE: R. Hyatt, T. Mann, "A lock-less
//! transposition table implementation", 2002).
//!
//! ```text
//!  bucket   | key0 data0 | key1 data1 | key2 data2 | key3 data3 |      64 bytes, aligned
//!  data     | score 32 | move place 16 | depth 8 | age 5 | complete 1 | bound 2 |
//! ```

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use crate::score::{Bound, Score};

/// Entries in a bucket.
const WAYS: usize = 4;
/// Generations told apart.
const AGES: u8 = 32;
/// Bytes in a bucket.
const BUCKET: usize = 64;
/// Buckets in a chunk: 1 MiB.
const CHUNK: usize = (1 << 20) / BUCKET;
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
    chunks: Vec<OnceLock<Vec<Bucket>>>,
    age: AtomicU8,
}

impl TranspositionTable {
    /// An empty table of `mebibytes` MiB (at least 1), which takes its memory as it fills.
    ///
    /// # Errors
    /// [`NoMemory`] when the system would not give that much.
    pub fn new(mebibytes: usize) -> Result<TranspositionTable, NoMemory> {
        let error = NoMemory { mebibytes };
        let mebibytes = mebibytes.max(1);
        // Asks for the memory without touching it, and gives it back.
        let bytes = mebibytes.checked_mul(1 << 20).ok_or(error)?;
        Vec::<u8>::new().try_reserve_exact(bytes).map_err(|_| error)?;
        let mut chunks = Vec::new();
        chunks.try_reserve_exact(mebibytes).map_err(|_| error)?;
        chunks.resize_with(mebibytes, OnceLock::new);
        Ok(TranspositionTable { chunks, age: AtomicU8::new(0) })
    }

    /// The memory the table may fill; a search that keeps a tree may take as much for it.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.chunks.len() * CHUNK * BUCKET
    }

    /// Forgets everything.
    pub fn clear(&self) {
        for slot in self.buckets().flat_map(|bucket| &bucket.0) {
            slot.key.store(0, Ordering::Relaxed);
            slot.data.store(0, Ordering::Relaxed);
        }
        self.age.store(0, Ordering::Relaxed);
    }

    /// The buckets that have memory.
    fn buckets(&self) -> impl Iterator<Item = &Bucket> {
        self.chunks.iter().filter_map(OnceLock::get).flatten()
    }

    /// Starts a new generation: what is in the table now is replaced before what comes.
    pub fn new_search(&self) {
        let age = self.age.load(Ordering::Relaxed);
        self.age.store((age + 1) % AGES, Ordering::Relaxed);
    }

    /// The chunk of a hash, and its bucket there.
    fn place(&self, hash: u64) -> (&OnceLock<Vec<Bucket>>, usize) {
        let bucket = (u128::from(hash) * (self.chunks.len() * CHUNK) as u128) >> 64;
        (&self.chunks[bucket as usize / CHUNK], bucket as usize % CHUNK)
    }

    /// What is known of the position with this hash.
    #[must_use]
    pub fn get(&self, hash: u64) -> Option<Entry> {
        let (chunk, bucket) = self.place(hash);
        chunk.get()?.get(bucket)?.0.iter().find_map(|slot| {
            let data = slot.data.load(Ordering::Relaxed);
            (slot.key.load(Ordering::Relaxed) ^ data == hash).then(|| unpack(data)).flatten()
        })
    }

    /// Remembers `entry`, in the place of what the bucket can best do without: the same position, else an old or shallow one.
    pub fn put(&self, hash: u64, entry: Entry) {
        let age = self.age.load(Ordering::Relaxed);
        let (chunk, bucket) = self.place(hash);
        let Some(bucket) = chunk.get_or_init(new_chunk).get(bucket) else { return };
        let mut victim = &bucket.0[0];
        let mut least = i32::MAX;
        for slot in &bucket.0 {
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
        const SAMPLE: usize = 1000;
        let age = self.age.load(Ordering::Relaxed);
        let hash = |number: usize| (number as u64) * (u64::MAX / SAMPLE as u64);
        let is_used = |slot: &Slot| {
            let data = slot.data.load(Ordering::Relaxed);
            unpack(data).is_some() && age_of(data) == age
        };
        let used = (0..SAMPLE).filter_map(|number| {
            let (chunk, bucket) = self.place(hash(number));
            Some(chunk.get()?.get(bucket)?.0.iter().filter(|slot| is_used(slot)).count())
        });
        (used.sum::<usize>() * 1000 / (SAMPLE * WAYS)) as u32
    }
}

/// The memory of a chunk; none when the system has none left, and then the table goes without.
fn new_chunk() -> Vec<Bucket> {
    let mut buckets = Vec::new();
    if buckets.try_reserve_exact(CHUNK).is_ok() {
        buckets.resize_with(CHUNK, Bucket::default);
    }
    buckets
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
    fn a_table_takes_memory_only_where_it_is_written_to() {
        let table = TranspositionTable::new(1024).unwrap();
        assert_eq!(table.get(mix64(1)), None);
        assert_eq!((table.buckets().count(), table.permille_full()), (0, 0));
        table.put(mix64(1), entry(1));
        assert_eq!(table.buckets().count(), CHUNK);
        assert_eq!(table.get(mix64(1)), Some(entry(1)));
    }

    #[test]
    fn a_table_fills_up() {
        let table = TranspositionTable::new(1).unwrap();
        for number in 0..2 * (CHUNK * WAYS) as u64 {
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
