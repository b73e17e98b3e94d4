//! What the solver remembers: two transposition tables, and which cells were worth playing. Floor 2.
//!
//! Threads share the tables, and each has a history of its own. A near table for each would keep the caches apart, and make two
//! threads look at a quarter more positions than one; with one table it is an eighth, which outweighs that.

use super::table::Table;

/// With fewer free cells than this, positions are in the near table: they are nearly all, and soon over.
const NEAR: u32 = 22;
/// The near table's bytes, which a core's own cache holds. Measured after 8 plies with a far table of 2 GiB: 13 million nodes a
/// second, and 7.4 million with that alone.
const NEAR_BYTES: usize = 1 << 20;
/// So much history is worth as much as 1 of a move's rank, as a power of two, and so much is never reached.
const WORTH: u32 = 8;
const MOST: u32 = 14;
/// What a cut-off adds for each free cell.
const GAIN: i32 = 64;

/// From so many free cells on, history is kept apart: what is good near the end says little of the beginning, and is heard often.
const EARLY: u32 = 24;

/// How often a cell was worth playing lately, for each side, early and late.
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
    /// What it counts in the order of moves, for the side that moves with so many free cells.
    #[inline(always)]
    pub(super) fn of(&self, free: u32, cell: u64) -> i32 {
        self.0[usize::from(free >= EARLY)][free as usize % 2].0[cell.trailing_zeros() as usize % 64] >> WORTH
    }

    /// The cells `before` were tried first, and this one was better.
    #[inline(always)]
    pub(super) fn learn(&mut self, free: u32, before: impl Iterator<Item = u64>, cell: u64) {
        let gain = free as i32 * GAIN;
        let Row(kept) = &mut self.0[usize::from(free >= EARLY)][free as usize % 2];
        // The nearer to the most, the less is added: what was is forgotten.
        let mut add = |cell: u64, gain: i32| {
            let kept = &mut kept[cell.trailing_zeros() as usize % 64];
            *kept += gain - ((*kept * gain.abs()) >> MOST);
        };
        before.for_each(|other| add(other, -gain));
        add(cell, gain);
    }
}

/// All of it.
#[derive(Debug)]
pub(super) struct Memory {
    far: Table,
    near: Table,
    history: History,
    /// Those of the other threads.
    others: Vec<History>,
}

impl Memory {
    /// Nothing yet, for one thread, with a far table of about so many bytes; see [`Table::new`].
    pub(super) fn new(bytes: usize, key_bits: u32) -> Option<Memory> {
        let (far, near) = (Table::new(bytes, key_bits)?, Table::new(bytes.min(NEAR_BYTES), key_bits)?);
        Some(Memory { far, near, history: History::default(), others: Vec::new() })
    }

    /// Makes it one for so many threads.
    pub(super) fn share_among(&mut self, threads: usize) {
        self.others.resize_with(threads.saturating_sub(1), History::default);
    }

    /// Forgets everything; touches all of the memory.
    pub(super) fn clear(&mut self) {
        self.far.clear();
        self.near.clear();
        self.history = History::default();
        self.others.fill_with(History::default);
    }

    /// What the first thread sees of it, and what the others see.
    pub(super) fn of_threads(&mut self) -> (ThreadMemory<'_>, Vec<ThreadMemory<'_>>) {
        let Memory { far, near, history, others } = self;
        let (far, near): (&Table, &Table) = (far, near);
        let of = |history| ThreadMemory { far, near, history };
        (of(history), others.iter_mut().map(of).collect())
    }

    /// What a thread sees of it that is alone.
    pub(super) fn of_one(&mut self) -> ThreadMemory<'_> {
        ThreadMemory { far: &self.far, near: &self.near, history: &mut self.history }
    }
}

/// What a thread sees of the memory.
#[derive(Debug)]
pub(super) struct ThreadMemory<'a> {
    far: &'a Table,
    near: &'a Table,
    pub(super) history: &'a mut History,
}

impl ThreadMemory<'_> {
    /// The table of positions with so many free cells.
    #[inline(always)]
    pub(super) fn table(&self, free: u32) -> &Table {
        if free < NEAR { self.near } else { self.far }
    }
}
