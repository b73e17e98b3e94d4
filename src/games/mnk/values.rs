//! The value of a position by the shapes on its cells. Layer 2, private to m,n,k games.
//!
//! Two parts are added. Each empty cell has a value for each side, by its shapes in the four directions in any order. And the
//! threats of both sides count together, since a threat is worth more beside others, and less against as many of the
//! opponent's: an index counts the cells with threats of each kind.
//!
//! ```text
//!   threats   the side to move: cells that make a four, cells that make an open three
//!             the other side: the same, and cells that make an open four or two fours, which the side to move must stop
//! ```
//!
//! Units: hundredths of the evaluation's logistic unit: 100 more multiply the odds of winning by e.

use super::shapes::{Threat, shape};

/// The number of distinct cells: multisets of four shapes.
pub const CELLS: usize = shape::COUNT * (shape::COUNT + 1) * (shape::COUNT + 2) * (shape::COUNT + 3) / 24;

/// The counts from which threats of each kind count as one step more: fours and open threes of the side to move; open
/// fours, fours and open threes of the opponent.
const STEPS: [&[u32]; 5] = [&[1, 2, 3, 5], &[1, 2, 3, 5, 8], &[1, 2], &[1, 2, 3, 5], &[1, 2, 3, 5, 8]];

/// The number of combinations of threats of both sides.
pub const THREATS: usize = {
    let (mut numbers, mut kind) = (1, 0);
    while kind < STEPS.len() {
        numbers *= STEPS[kind].len() + 1;
        kind += 1;
    }
    numbers
};

/// The number, below [`THREATS`], of these counts of cells with threats, in the order of [`STEPS`].
#[inline]
pub(super) fn threats_number(counts: [u32; STEPS.len()]) -> usize {
    let step = |count: u32, steps: &[u32]| steps.iter().filter(|&&from| count >= from).count();
    counts.into_iter().zip(STEPS).fold(0, |number, (count, steps)| number * (steps.len() + 1) + step(count, steps))
}

/// The weights of the evaluation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Weights {
    /// The cells, in the order of their numbers: for a side to move, and for a side not to move.
    pub cells: [[i16; 2]; CELLS],
    /// The threats of both sides together, including the value of having the move.
    pub threats: [i16; THREATS],
}

/// The bytes of the weights file: two for each number, little-endian, first the cells, then the threats.
pub(super) const FILE_BYTES: usize = 2 * (2 * CELLS + THREATS);

/// The weights file that comes with the crate, written by `cargo run --release -p griot-train -- gomoku`.
pub const FITTED: &[u8; FILE_BYTES] = include_bytes!("weights.bin");

/// The weights of a file.
pub(super) fn weights(file: &[u8; FILE_BYTES]) -> Box<Weights> {
    let mut weights = Box::new(Weights { cells: [[0; 2]; CELLS], threats: [0; THREATS] });
    let Weights { cells, threats } = &mut *weights;
    for (number, &bytes) in cells.as_flattened_mut().iter_mut().chain(threats).zip(file.as_chunks().0) {
        *number = i16::from_le_bytes(bytes);
    }
    weights
}

/// The value of a cell for a side.
#[derive(Debug, Clone, Copy)]
pub(super) struct Worth {
    /// In the evaluation, when that side is to move.
    pub(super) moving: i16,
    /// In the evaluation, when the opponent is to move.
    pub(super) waiting: i16,
    /// In move ordering.
    pub(super) rank: u16,
}

/// The number of a cell with these shapes, below [`CELLS`].
pub(super) fn number(mut shapes: [u8; 4]) -> usize {
    shapes.sort_unstable();
    let [a, b, c, d] = shapes.map(usize::from);
    // Count the multisets with a smaller highest shape, then those with a smaller second one, and so on.
    d * (d + 1) * (d + 2) * (d + 3) / 24 + c * (c + 1) * (c + 2) / 6 + b * (b + 1) / 2 + a
}

/// The shapes of all cells in rising order, by number.
pub(super) fn all_shapes() -> impl Iterator<Item = [u8; 4]> {
    let all = 0..shape::COUNT as u8;
    all.flat_map(|d| (0..=d).flat_map(move |c| (0..=c).flat_map(move |b| (0..=b).map(move |a| [a, b, c, d]))))
}

/// The value for move ordering, by shape.
const RANK: [u16; shape::COUNT] = [0, 1, 2, 3, 4, 8, 9, 10, 8, 9, 24, 26, 24, 200, 400];

/// The value of a cell for move ordering.
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

    /// New weights change this checksum, docs/experiments/gomoku.md and the signature.
    #[test]
    fn the_weights_are_those_that_were_measured() {
        assert_eq!(format!("{:08x}", crc32fast::hash(FITTED)), "6c0342a1");
        // A cell without possible lines has no value.
        assert_eq!(weights(FITTED).cells[0], [0, 0]);
    }

    #[test]
    fn threats_are_numbered_without_gaps() {
        let mut seen = vec![false; THREATS];
        let counts = STEPS.map(|steps| [0].iter().chain(steps));
        let [a, b, c, d, e] = counts;
        for &a in a {
            for (&b, &c) in b.clone().flat_map(|b| c.clone().map(move |c| (b, c))) {
                for (&d, &e) in d.clone().flat_map(|d| e.clone().map(move |e| (d, e))) {
                    let number = threats_number([a, b, c, d, e]);
                    assert!(!std::mem::replace(&mut seen[number], true));
                }
            }
        }
        assert!(seen.into_iter().all(|seen| seen));
        // Nothing changes between two steps, or beyond the last one.
        assert_eq!(threats_number([4, 7, 2, 0, 0]), threats_number([3, 5, 2, 0, 0]));
        assert_eq!(threats_number([90, 90, 90, 90, 90]), THREATS - 1);
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
