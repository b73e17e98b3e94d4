//! An evaluation by patterns, which only orders moves and prunes selectively: no exact value rests on it. Floor 2.
//!
//! The unit is an eighth of a disc of the final difference, for the side to move. A board is seen as 38 runs of cells, each a
//! number in base three (0 empty, 1 own, 2 the opponent's) with a weight of its own for each stage of the ending.
//! CITE: M. Buro, "Experiments with Multi-ProbCut and a new high-quality evaluation function for Othello", 1997.
//!
//! ```text
//!   edge       a1 to h1, b2, g2    4 ways to lay it       diagonals of 8 cells   2
//!   corner     a1 to c3            4                      of 7, 6, 5 and 4       4 each
//!   2nd, 3rd and 4th line          4 each                 moves, cells beside the discs: one's own and the other's
//! ```

use std::sync::OnceLock;

use super::super::flips::moves;
use super::super::rules::neighbours;

/// The unit: so many in a disc.
pub const DISC: i32 = 8;

/// Where the weights of each pattern begin, in a stage.
const EDGE: usize = 0;
const CORNER: usize = EDGE + 59049;
const LINE_2: usize = CORNER + 19683;
const LINE_3: usize = LINE_2 + 6561;
const LINE_4: usize = LINE_3 + 6561;
const DIAGONAL: [usize; 5] = {
    let first = LINE_4 + 6561;
    [first, first + 6561, first + 6561 + 2187, first + 6561 + 2187 + 729, first + 6561 + 2187 + 729 + 243]
};
const MOVES: usize = DIAGONAL[4] + 81;
const REPLIES: usize = MOVES + 32;
const BESIDE: usize = REPLIES + 32;
const BESIDE_OTHER: usize = BESIDE + 32;
/// Who has the last move: by the number of empty cells.
const COUNT: usize = BESIDE_OTHER + 32;
/// The weights of a stage.
pub const SIZE: usize = COUNT + 64;

/// The number of stages.
pub const STAGES: usize = 5;

/// The stage with so many empty cells.
#[must_use]
#[inline(always)]
pub fn stage(empty: u32) -> usize {
    match empty {
        0..=10 => 0,
        11..=13 => 1,
        14..=16 => 2,
        17..=20 => 3,
        _ => 4,
    }
}

/// A number whose digits in base three are the bits of another.
const TERNARY: [u16; 1024] = {
    let mut table = [0; 1024];
    let mut bits = 0;
    while bits < 1024 {
        let (mut i, mut power) = (0, 1);
        while i < 10 {
            if bits >> i & 1 != 0 {
                table[bits] += power;
            }
            power *= 3;
            i += 1;
        }
        bits += 1;
    }
    table
};

/// The same for nine bits, the last one first.
const REVERSED: [u16; 512] = {
    let mut table = [0; 512];
    let mut bits = 0;
    while bits < 512 {
        let (mut i, mut power) = (9, 1);
        while i > 0 {
            i -= 1;
            if bits >> i & 1 != 0 {
                table[bits] += power;
            }
            power *= 3;
        }
        bits += 1;
    }
    table
};

/// The cells of the diagonals, by the number of columns between each and the longest: those that fall to the right, and
/// those that rise.
const fn diagonals(falling: bool) -> [u64; 9] {
    let mut masks = [0; 9];
    let mut cell = 0;
    while cell < 64 {
        let (col, row) = (cell % 8, cell / 8);
        let offset = if falling { col - row } else { col + row - 7 };
        if offset >= -4 && offset <= 4 {
            masks[(offset + 4) as usize] |= 1 << cell;
        }
        cell += 1;
    }
    masks
}
const FALLING: [u64; 9] = diagonals(true);
const RISING: [u64; 9] = diagonals(false);

/// The board turned about the diagonal from a1 to h8.
#[inline(always)]
fn transposed(mut cells: u64) -> u64 {
    let mut swap = |mask: u64, by: u32| {
        let moved = (cells ^ cells >> by) & mask;
        cells ^= moved ^ moved << by;
    };
    swap(0x00AA_00AA_00AA_00AA, 7);
    swap(0x0000_CCCC_0000_CCCC, 14);
    swap(0x0000_0000_F0F0_F0F0, 28);
    cells
}

#[inline(always)]
fn index(own: u64, opponent: u64, mask: u64) -> usize {
    usize::from(TERNARY[(own & mask) as usize & 1023]) + 2 * usize::from(TERNARY[(opponent & mask) as usize & 1023])
}

/// Hands every weight that counts for a board to `see`.
#[inline(always)]
pub fn visit(own: u64, opponent: u64, mut see: impl FnMut(usize)) {
    const EACH_COLUMN: u64 = 0x0101_0101_0101_0101;
    let (own_t, opponent_t) = (transposed(own), transposed(opponent));
    let boards = [
        (own, opponent),
        (own.swap_bytes(), opponent.swap_bytes()),
        (own_t.swap_bytes(), opponent_t.swap_bytes()),
        (own_t, opponent_t),
    ];
    for (i, (own, opponent)) in boards.into_iter().enumerate() {
        let edge = |cells: u64| cells & 0xFF | cells >> 1 & 0x100 | cells >> 5 & 0x200;
        see(EDGE + index(edge(own), edge(opponent), 0x3FF));
        see(LINE_2 + index(own >> 8, opponent >> 8, 0xFF));
        see(LINE_3 + index(own >> 16, opponent >> 16, 0xFF));
        see(LINE_4 + index(own >> 24, opponent >> 24, 0xFF));
        if i < 3 {
            let corner = |cells: u64| cells & 0x7 | cells >> 5 & 0x38 | cells >> 10 & 0x1C0;
            see(CORNER + index(corner(own), corner(opponent), 0x1FF));
        }
    }
    let last = |cells: u64| {
        usize::from(REVERSED[(cells >> 45 & 0x7 | cells >> 50 & 0x38 | cells >> 55 & 0x1C0) as usize & 511])
    };
    see(CORNER + last(own) + 2 * last(opponent));
    for masks in [&FALLING, &RISING] {
        for (i, mask) in masks.iter().enumerate() {
            let offset = i as i32 - 4;
            // A falling diagonal right of the middle begins in a later column; so does a rising one below it.
            let first = offset.max(0);
            let gathered = |cells: u64| (cells & mask).wrapping_mul(EACH_COLUMN) >> 56 >> first;
            see(DIAGONAL[offset.unsigned_abs() as usize] + index(gathered(own), gathered(opponent), 0xFF));
        }
    }
    let empty = !(own | opponent);
    let count = |cells: u64| cells.count_ones().min(31) as usize;
    see(MOVES + count(moves(own, opponent)));
    see(REPLIES + count(moves(opponent, own)));
    see(BESIDE + count(neighbours(own) & empty));
    see(BESIDE_OTHER + count(neighbours(opponent) & empty));
    see(COUNT + empty.count_ones() as usize % 64);
}

/// The weight that a weight stands for: the lesser of those that a board and its mirror images see in its place.
#[must_use]
pub fn canonical(weight: usize) -> usize {
    let digits = |index: usize, places: &[usize]| {
        let digit = |at: usize| index / 3_usize.pow(at as u32) % 3;
        places.iter().enumerate().map(|(to, &from)| digit(from) * 3_usize.pow(to as u32)).sum::<usize>()
    };
    let least = |first: usize, places: &[usize]| first + (weight - first).min(digits(weight - first, places));
    match weight {
        EDGE..CORNER => least(EDGE, &[7, 6, 5, 4, 3, 2, 1, 0, 9, 8]),
        CORNER..LINE_2 => least(CORNER, &[0, 3, 6, 1, 4, 7, 2, 5, 8]),
        MOVES.. => weight,
        _ => {
            let starts = [
                (LINE_2, 8),
                (LINE_3, 8),
                (LINE_4, 8),
                (DIAGONAL[0], 8),
                (DIAGONAL[1], 7),
                (DIAGONAL[2], 6),
                (DIAGONAL[3], 5),
                (DIAGONAL[4], 4),
            ];
            let (first, length) = starts.into_iter().rfind(|&(first, _)| first <= weight).unwrap_or(starts[0]);
            let reversed: Vec<usize> = (0..length).rev().collect();
            least(first, &reversed)
        }
    }
}

/// The weights, for each stage.
#[derive(Debug)]
pub struct Patterns {
    weights: Vec<i8>,
}

/// In a packed text of weights: so many zeros as the next byte says.
const ZEROS: u8 = 0x80;

impl Patterns {
    /// The weights that come with the crate; unpacked when they are first asked for.
    #[must_use]
    pub fn fitted() -> &'static Patterns {
        static FITTED: OnceLock<Patterns> = OnceLock::new();
        FITTED.get_or_init(|| Patterns::unpack(include_bytes!("weights.bin")))
    }

    /// An evaluation with these weights: [`SIZE`] for each of the [`STAGES`], in eighths of a disc. Only those of
    /// [`canonical`] places are looked at; what is missing is 0.
    #[must_use]
    pub fn new(weights: &[i8]) -> Patterns {
        let places: Vec<usize> = (0..SIZE).map(canonical).collect();
        let starts = (0..STAGES).map(|stage| stage * SIZE);
        let each = |first: usize| places.iter().map(move |&place| weights.get(first + place).copied().unwrap_or(0));
        Patterns { weights: starts.flat_map(each).collect() }
    }

    /// What the position seems to be worth.
    #[must_use]
    #[inline]
    pub fn value(&self, own: u64, opponent: u64) -> i32 {
        let stage = stage((!(own | opponent)).count_ones());
        let weights = &self.weights[stage * SIZE..][..SIZE];
        let mut sum = 0;
        visit(own, opponent, |weight| sum += i32::from(weights[weight]));
        sum.clamp(-64 * DISC, 64 * DISC)
    }

    /// The weights of canonical places in order, a byte each, runs of zeros as the byte 128 and their number.
    #[must_use]
    pub fn pack(&self) -> Vec<u8> {
        let kept = canonical_places();
        let mut packed = Vec::new();
        let mut zeros = 0;
        for weight in (0..STAGES).flat_map(|stage| kept.iter().map(move |place| stage * SIZE + place)) {
            let weight = self.weights[weight].max(-i8::MAX);
            if zeros > 0 && (weight != 0 || zeros == u8::MAX) {
                packed.extend([ZEROS, zeros]);
                zeros = 0;
            }
            if weight == 0 {
                zeros += 1;
            } else {
                packed.push(weight.cast_unsigned());
            }
        }
        if zeros > 0 {
            packed.extend([ZEROS, zeros]);
        }
        packed
    }

    /// The weights that were packed so; what is missing is 0.
    #[must_use]
    pub fn unpack(packed: &[u8]) -> Patterns {
        let kept = canonical_places();
        let mut weights = vec![0; SIZE * STAGES];
        let mut places = (0..STAGES).flat_map(|stage| kept.iter().map(move |place| stage * SIZE + place));
        let mut bytes = packed.iter();
        while let Some(&byte) = bytes.next() {
            if byte == ZEROS {
                let run = bytes.next().map_or(0, |&run| usize::from(run));
                places.by_ref().take(run).for_each(drop);
            } else if let Some(place) = places.next() {
                weights[place] = byte.cast_signed();
            }
        }
        Patterns::new(&weights)
    }
}

/// The places of weights that stand for others too, or for themselves.
fn canonical_places() -> Vec<usize> {
    (0..SIZE).filter(|&weight| canonical(weight) == weight).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Mixer;

    fn boards(count: usize) -> impl Iterator<Item = (u64, u64)> {
        let mut rng = Mixer::new(2);
        (0..count).map(move |_| {
            let (filled, colours) = (rng.next_u64() | rng.next_u64(), rng.next_u64());
            (filled & colours, filled & !colours)
        })
    }

    #[test]
    fn each_way_to_lay_a_board_sees_the_same_weights() {
        let seen = |own: u64, opponent: u64| {
            let mut seen = Vec::new();
            visit(own, opponent, |weight| seen.push(canonical(weight)));
            seen.sort_unstable();
            seen
        };
        for (own, opponent) in boards(200) {
            let expected = seen(own, opponent);
            assert_eq!(expected.len(), 43);
            assert!(expected.iter().all(|&weight| weight < SIZE));
            for turn in [u64::swap_bytes, u64::reverse_bits, transposed] {
                assert_eq!(seen(turn(own), turn(opponent)), expected, "{own:#x} {opponent:#x}");
            }
        }
    }

    #[test]
    fn every_cell_of_a_pattern_counts() {
        // Each cell that a disc is put on changes the weights that are seen, and so does its colour.
        let seen = |own: u64, opponent: u64| {
            let mut seen = Vec::new();
            visit(own, opponent, |weight| seen.push(weight));
            seen
        };
        for (own, opponent) in boards(20) {
            for cell in (0..64).map(|at| 1 << at) {
                let cleared = (own & !cell, opponent & !cell);
                let [none, mine, theirs] =
                    [cleared, (cleared.0 | cell, cleared.1), (cleared.0, cleared.1 | cell)].map(|(a, b)| seen(a, b));
                assert!(none != mine && none != theirs && mine != theirs);
            }
        }
    }

    #[test]
    fn packed_weights_are_the_same_when_unpacked() {
        let mut rng = Mixer::new(3);
        // Runs of zeros, some longer than a byte counts, and all other values.
        let random = |rng: &mut Mixer| if rng.below(4) == 0 { (rng.below(255) as i32 - 127) as i8 } else { 0 };
        let mut weights: Vec<i8> = (0..SIZE * STAGES).map(|_| random(&mut rng)).collect();
        weights[5000..20_000].fill(0);
        let patterns = Patterns::new(&weights);
        assert_eq!(Patterns::unpack(&patterns.pack()).weights, patterns.weights);
        assert_eq!(Patterns::unpack(&[]).weights, vec![0; SIZE * STAGES]);
        // The end of a packed text may be missing.
        let packed = patterns.pack();
        assert_eq!(Patterns::unpack(&packed[..packed.len() / 2]).weights.len(), SIZE * STAGES);
    }
}
