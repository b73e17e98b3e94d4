//! The solver's memory: transposition tables, and history. Layer 2.
//!
//! ```text
//!  free cells     0 ...... 12 | 13 ...... 21 | 22 ......
//!  one thread     near                       | far
//!  several        their own   | near, shared | far, shared
//! ```
//! Each thread has a history of its own. Sharing the near table moves its cache lines between processors. The last positions
//! are most of those, and another thread hardly ever meets them: with tables of their own, two threads finish 4 % sooner.
//! Boards with large tables have no near table.

use super::table::Table;

/// Positions with fewer free cells than this use the near table: they are the great majority, and quick to search.
const NEAR: u32 = 22;
/// Bytes of the near table, which fits a core's own cache. Measured after 8 plies with a far table of 2 GiB: 13 million
/// nodes a second, and 7.4 million without the near table.
const NEAR_BYTES: usize = 1 << 20;
/// With several threads, positions with fewer free cells than this use a table of the thread's own, of this many bytes.
const OWN: u32 = 13;
const OWN_BYTES: usize = 1 << 19;
/// A move's rank gets its history shifted right by `WORTH`; history stays below 2 to the power of `MOST`.
const WORTH: u32 = 8;
const MOST: u32 = 14;
/// What a cutoff adds for each free cell.
const GAIN: i32 = 64;

/// From this many free cells on, history is separate: late cutoffs are frequent and say little about early positions.
const EARLY: u32 = 24;

/// How good a cell was lately, for each side, early and late.
#[derive(Debug, Default)]
pub(super) struct History([[Row; 2]; 2]);

/// By the bits of cells.
#[derive(Debug)]
struct Row([i32; 64]);

impl Default for Row {
    fn default() -> Row {
        Row([0; 64])
    }
}

impl History {
    /// The history value of a cell for move ordering, for the side that moves with this many free cells.
    #[inline(always)]
    pub(super) fn of(&self, free: u32, cell: u64) -> i32 {
        self.0[usize::from(free >= EARLY)][free as usize % 2].0[cell.trailing_zeros() as usize % 64] >> WORTH
    }

    /// Records that this cell was better than the cells `before`, which were tried first.
    #[inline(always)]
    pub(super) fn learn(&mut self, free: u32, before: impl Iterator<Item = u64>, cell: u64) {
        let gain = free as i32 * GAIN;
        let Row(kept) = &mut self.0[usize::from(free >= EARLY)][free as usize % 2];
        // The nearer to the maximum, the less is added, so that old values fade.
        let mut add = |cell: u64, gain: i32| {
            let kept = &mut kept[cell.trailing_zeros() as usize % 64];
            *kept += gain - ((*kept * gain.abs()) >> MOST);
        };
        before.for_each(|other| add(other, -gain));
        add(cell, gain);
    }
}

/// The memory of a solver.
#[derive(Debug)]
pub(super) struct Memory {
    far: Table,
    near: Table,
    history: History,
    /// The histories of the other threads.
    others: Vec<History>,
    /// One table for each thread, if there are several threads and memory for it.
    own: Vec<Table>,
    bytes: usize,
    key_bits: u32,
}

impl Memory {
    /// Empty memory for one thread, with a far table of about this many bytes; see [`Table::new`].
    pub(super) fn new(bytes: usize, key_bits: u32) -> Option<Memory> {
        let (far, near) = (Table::new(bytes, key_bits)?, Table::new(bytes.min(NEAR_BYTES), key_bits)?);
        Some(Memory { far, near, history: History::default(), others: Vec::new(), own: Vec::new(), bytes, key_bits })
    }

    /// Adapts it to this many threads.
    pub(super) fn share_among(&mut self, threads: usize) {
        let others = threads.saturating_sub(1);
        self.others.resize_with(others, History::default);
        let wanted = if others > 0 && Table::least_bytes(self.key_bits) <= OWN_BYTES { threads } else { 0 };
        self.own.truncate(wanted);
        let new = || Table::new(self.bytes.min(OWN_BYTES), self.key_bits);
        self.own.extend((self.own.len()..wanted).map_while(|_| new()));
    }

    /// Clears everything; touches all of the memory.
    pub(super) fn clear(&mut self) {
        self.far.clear();
        self.near.clear();
        self.own.iter_mut().for_each(Table::clear);
        self.history = History::default();
        self.others.fill_with(History::default);
    }

    /// The views of the first thread and of the others.
    pub(super) fn of_threads(&mut self) -> (ThreadMemory<'_>, Vec<ThreadMemory<'_>>) {
        let Memory { far, near, history, others, own, .. } = self;
        let (far, near): (&Table, &Table) = (far, near);
        let mut own = own.iter();
        let mut of = |history| ThreadMemory { far, near, own: own.next(), history };
        (of(history), others.iter_mut().map(of).collect())
    }

    /// The view of a single thread.
    pub(super) fn of_one(&mut self) -> ThreadMemory<'_> {
        ThreadMemory { far: &self.far, near: &self.near, own: None, history: &mut self.history }
    }
}

/// A thread's view of the memory.
#[derive(Debug)]
pub(super) struct ThreadMemory<'a> {
    far: &'a Table,
    near: &'a Table,
    /// The thread's own table; `None` with a single thread, or if there was no memory for it.
    own: Option<&'a Table>,
    pub(super) history: &'a mut History,
}

impl ThreadMemory<'_> {
    /// The table for positions with this many free cells.
    #[inline(always)]
    pub(super) fn table(&self, free: u32) -> &Table {
        match self.own {
            Some(own) if free < OWN => own,
            _ if free < NEAR => self.near,
            _ => self.far,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::table::{Entry, MOST, NO_COLUMN};
    use super::*;

    #[test]
    fn threads_share_all_but_the_last_positions() {
        let found = Entry { lower: 1, upper: MOST, column: NO_COLUMN };
        // For a board of 64 bits a table takes at least 64 MiB, so all are shared there.
        for (key_bits, threads, is_shared) in [(49, 3, false), (49, 1, true), (64, 3, true)] {
            let mut memory = Memory::new(1 << 16, key_bits).unwrap();
            memory.share_among(3);
            memory.share_among(threads);
            let (first, others) = memory.of_threads();
            assert_eq!(others.len(), threads - 1);
            for free in [0, OWN - 1, OWN, NEAR - 1, NEAR, 40] {
                let key = 1000 + u64::from(free);
                first.table(free).put(key, found, 1);
                for other in &others {
                    assert_eq!(other.table(free).get(key).is_some(), is_shared || free >= OWN, "{key_bits}, {free}");
                }
            }
            assert!(first.table(OWN - 1).get(1000 + u64::from(OWN) - 1).is_some());
            memory.clear();
            assert!((0..=40).all(|free| memory.of_threads().0.table(free).get(1000 + u64::from(free)).is_none()));
        }
    }
}
