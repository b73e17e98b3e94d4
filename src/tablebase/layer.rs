//! The finished values of one layer, in memory or in a file. Layer 1.

use std::borrow::Cow;

use super::pages::Pages;
use super::{Bounds, Convention};

/// The values of all boards of one layer.
#[derive(Debug)]
pub struct Layer {
    bytes: Bytes,
    convention: Convention,
}

#[derive(Debug)]
enum Bytes {
    Owned(Vec<u8>),
    Filed(Pages),
}

/// Counts of the boards of a layer, for the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    /// The mover can force more of the rest than the opponent.
    pub win: u64,
    /// Both can force half.
    pub draw: u64,
    /// The opponent can force more.
    pub loss: u64,
    /// The bounds leave it open; never with [`Convention::Exact`].
    pub unknown: u64,
    /// Boards with an exact value.
    pub exact: u64,
}

impl Tally {
    /// Counts a board.
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
        Layer { bytes: Bytes::Owned(values), convention }
    }

    /// The values of a file, read on demand.
    pub(super) const fn filed(pages: Pages, convention: Convention) -> Layer {
        Layer { bytes: Bytes::Filed(pages), convention }
    }

    /// The stored values in the order of ranks; of a truncated file, those that are left.
    #[must_use]
    pub fn values(&self) -> Cow<'_, [u8]> {
        match &self.bytes {
            Bytes::Owned(values) => values.into(),
            Bytes::Filed(pages) => {
                let mut values = vec![0; pages.len() as usize];
                let read = pages.read_at(&mut values, 0).unwrap_or(0);
                values.truncate(read);
                values.into()
            }
        }
    }

    /// The number of boards.
    #[must_use]
    pub const fn boards(&self) -> u64 {
        let bytes = match &self.bytes {
            Bytes::Owned(values) => values.len() as u64,
            Bytes::Filed(pages) => pages.len(),
        };
        bytes / self.convention.entry_bytes() as u64
    }

    /// The meaning of the values.
    #[must_use]
    pub const fn convention(&self) -> Convention {
        self.convention
    }

    /// The bounds of the board with this rank, or `None` if there is no such board or the file lost it.
    #[inline]
    #[must_use]
    pub fn bounds(&self, rank: u64) -> Option<Bounds> {
        match self.convention {
            Convention::Exact => self.entry::<1>(rank).map(|[value]| Bounds::exactly(value as i8)),
            Convention::Bounds => self.entry(rank).map(|[low, high]| Bounds { low: low as i8, high: high as i8 }),
        }
    }

    #[inline]
    fn entry<const N: usize>(&self, rank: u64) -> Option<[u8; N]> {
        match &self.bytes {
            Bytes::Owned(values) => values.as_chunks().0.get(rank as usize).copied(),
            Bytes::Filed(pages) => pages.entry(rank),
        }
    }

    /// Counts won, drawn and lost boards; reads the whole layer.
    #[must_use]
    pub fn tally(&self) -> Tally {
        let mut tally = Tally::default();
        let mut count = |piece: &[u8]| {
            for entry in piece.chunks_exact(self.convention.entry_bytes()) {
                tally.add(Bounds { low: entry[0] as i8, high: entry[entry.len() - 1] as i8 });
            }
        };
        match &self.bytes {
            Bytes::Owned(values) => count(values),
            Bytes::Filed(pages) => pages.pieces(count),
        }
        tally
    }
}
