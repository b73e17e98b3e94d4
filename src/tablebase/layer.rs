//! The finished values of one layer, in memory or in a file that is mapped into it.
//!
//! Floor 1.

use memmap2::Mmap;

use super::{Bounds, Convention};

/// The values of all boards of one layer.
#[derive(Debug)]
pub struct Layer {
    bytes: Bytes,
    /// Where the values begin.
    start: usize,
    convention: Convention,
}

#[derive(Debug)]
enum Bytes {
    Owned(Vec<u8>),
    Mapped(Mmap),
}

/// How the boards of a layer stand for the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    /// The mover can make sure of winning more of the rest than the opponent.
    pub win: u64,
    /// Both can make sure of winning half.
    pub draw: u64,
    /// The opponent can make sure of winning more.
    pub loss: u64,
    /// The bounds leave it open; none in tables of [`Convention::Exact`].
    pub unknown: u64,
    /// Boards whose bounds are one value, whichever.
    pub exact: u64,
}

impl Tally {
    /// Counts one board more.
    pub const fn add(&mut self, Bounds { low, high }: Bounds) {
        match (low, high) {
            (1.., _) => self.win += 1,
            (_, ..=-1) => self.loss += 1,
            (0, 0) => self.draw += 1,
            _ => self.unknown += 1,
        }
        self.exact += (low == high) as u64;
    }

    /// All boards counted.
    #[must_use]
    pub const fn boards(&self) -> u64 {
        self.win + self.draw + self.loss + self.unknown
    }
}

impl Layer {
    pub(super) const fn owned(values: Vec<u8>, convention: Convention) -> Layer {
        Layer { bytes: Bytes::Owned(values), start: 0, convention }
    }

    /// The values that begin at byte `start` of a mapped file.
    pub(super) const fn mapped(map: Mmap, start: usize, convention: Convention) -> Layer {
        Layer { bytes: Bytes::Mapped(map), start, convention }
    }

    /// The values as they are stored, rank after rank.
    #[must_use]
    pub fn values(&self) -> &[u8] {
        match &self.bytes {
            Bytes::Owned(values) => values,
            Bytes::Mapped(map) => map.get(self.start..).unwrap_or_default(),
        }
    }

    /// The number of boards.
    #[must_use]
    pub fn boards(&self) -> u64 {
        (self.values().len() / self.convention.entry_bytes()) as u64
    }

    /// The meaning of the values.
    #[must_use]
    pub const fn convention(&self) -> Convention {
        self.convention
    }

    /// The bounds of the board with this rank, or `None` when there is no such board.
    #[inline]
    #[must_use]
    pub fn bounds(&self, rank: u64) -> Option<Bounds> {
        let values = self.values();
        match self.convention {
            Convention::Exact => values.get(rank as usize).map(|&value| Bounds::exactly(value as i8)),
            Convention::Bounds => {
                values.as_chunks().0.get(rank as usize).map(|&[low, high]| Bounds { low: low as i8, high: high as i8 })
            }
        }
    }

    /// Counts how the boards stand; reads the whole layer.
    #[must_use]
    pub fn tally(&self) -> Tally {
        let mut tally = Tally::default();
        for entry in self.values().chunks_exact(self.convention.entry_bytes()) {
            tally.add(Bounds { low: entry[0] as i8, high: entry[entry.len() - 1] as i8 });
        }
        tally
    }
}
