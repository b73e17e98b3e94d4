//! What the solver remembers: two transposition tables, and which cells were worth playing. Floor 2.

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
    pub(super) history: History,
}

impl Memory {
    /// Nothing yet, with a far table of about so many bytes; see [`Table::new`].
    pub(super) fn new(bytes: usize, key_bits: u32) -> Option<Memory> {
        let (far, near) = (Table::new(bytes, key_bits)?, Table::new(bytes.min(NEAR_BYTES), key_bits)?);
        Some(Memory { far, near, history: History::default() })
    }

    /// Forgets everything; touches all of the memory.
    pub(super) fn clear(&mut self) {
        self.far.clear();
        self.near.clear();
        self.history = History::default();
    }

    /// The table of positions with so many free cells.
    #[inline(always)]
    pub(super) fn table(&self, free: u32) -> &Table {
        if free < NEAR { &self.near } else { &self.far }
    }

    /// The same, to be written to.
    #[inline(always)]
    pub(super) fn table_mut(&mut self, free: u32) -> &mut Table {
        if free < NEAR { &mut self.near } else { &mut self.far }
    }
}
