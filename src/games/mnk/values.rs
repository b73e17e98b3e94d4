//! What a cell is worth by the shapes that a stone would make there. Floor 2, private to m,n,k games.
//!
//! The order of the four directions does not matter: cells are told apart by their shapes in rising order, which have a number.
//! Units: hundredths of the evaluation's logistic unit, in which 100 more make the odds of winning e times as good.

use super::shapes::{Threat, shape};

/// How many cells are told apart: the ways to choose four of the shapes, each as often as one likes.
pub const CELLS: usize = shape::COUNT * (shape::COUNT + 1) * (shape::COUNT + 2) * (shape::COUNT + 3) / 24;

/// What the cells are worth, in the order of their numbers: to a side whose turn it is, and to one whose turn it is not. The last
/// row is not of a cell: its first value is the worth of having the move.
pub type Weights = [[i16; 2]; CELLS + 1];

/// The bytes of the file of weights: two for each number, the lower one first, row by row.
pub(super) const FILE_BYTES: usize = size_of::<Weights>();

/// The file of the weights that come with the crate, which `cargo run --release --example fit -- gomoku` has written.
pub const FITTED: &[u8; FILE_BYTES] = include_bytes!("weights.bin");

/// The weights of a file.
pub(super) fn weights(file: &[u8; FILE_BYTES]) -> Box<Weights> {
    let mut weights = Box::new([[0; 2]; CELLS + 1]);
    for (number, &bytes) in weights.as_flattened_mut().iter_mut().zip(file.as_chunks().0) {
        *number = i16::from_le_bytes(bytes);
    }
    weights
}

/// What a cell is worth to a side.
#[derive(Debug, Clone, Copy)]
pub(super) struct Worth {
    /// In the evaluation, when it is that side's turn.
    pub(super) moving: i16,
    /// When it is not.
    pub(super) waiting: i16,
    /// In the order of moves.
    pub(super) rank: u16,
}

/// The number of a cell with these shapes, below [`CELLS`].
pub(super) fn number(mut shapes: [u8; 4]) -> usize {
    shapes.sort_unstable();
    let [a, b, c, d] = shapes.map(usize::from);
    // So many have a lower highest shape; of the others, so many a lower second; and so on.
    d * (d + 1) * (d + 2) * (d + 3) / 24 + c * (c + 1) * (c + 2) / 6 + b * (b + 1) / 2 + a
}

/// The shapes of all cells in rising order, by number.
pub(super) fn all_shapes() -> impl Iterator<Item = [u8; 4]> {
    let all = 0..shape::COUNT as u8;
    all.flat_map(|d| (0..=d).flat_map(move |c| (0..=c).flat_map(move |b| (0..=b).map(move |a| [a, b, c, d]))))
}

/// By shape: what counts in the order of moves.
const RANK: [u16; shape::COUNT] = [0, 1, 2, 3, 4, 8, 9, 10, 8, 9, 24, 26, 24, 200, 400];

/// What a cell counts in the order of moves.
pub(super) fn rank(shapes: [u8; 4], threat: Threat) -> u16 {
    let has = |from: u8, to: u8| shapes.iter().filter(|&&shape| (from..=to).contains(&shape)).count() as u16;
    let threes = has(shape::OPEN_THREE, shape::BROAD_OPEN_THREE);
    let twos = has(shape::OPEN_TWO, shape::BROAD_THREE);
    let together = match threat {
        Threat::Five => 0,
        Threat::OpenFour => 100,
        Threat::Four if threes > 0 => 90,
        Threat::Four => 12 * twos.min(2),
        Threat::Three if threes > 1 => 70,
        Threat::Three => 12 * twos.min(2),
        Threat::Quiet => 4 * twos.saturating_sub(1),
    };
    together + shapes.iter().map(|&shape| RANK[usize::from(shape)]).sum::<u16>()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The weights of now; others say so here, in the docs (measured.md) and in the signature.
    #[test]
    fn the_weights_are_those_that_were_measured() {
        assert_eq!(format!("{:08x}", crc32fast::hash(FITTED)), "105dafde");
        // What can become nothing is worth nothing.
        assert_eq!(weights(FITTED)[0], [0, 0]);
    }

    #[test]
    fn cells_are_numbered_without_gaps() {
        let all = || 0..shape::COUNT as u8;
        let mut seen = vec![false; CELLS];
        for d in all() {
            for c in 0..=d {
                for b in 0..=c {
                    for a in 0..=b {
                        let number = number([c, a, d, b]);
                        assert!(!std::mem::replace(&mut seen[number], true));
                    }
                }
            }
        }
        assert!(seen.into_iter().all(|seen| seen));
    }
}
