//! The evaluation by patterns: the contents of runs of cells, by the stage of the game. Layer 2.
//!
//! The unit is an eighth of a disc of the final difference, for the side to move. A board is 46 runs of cells, the images of 11
//! shapes under the symmetries of the board. The content of a run is a number in balanced base three (own disc 1, empty 0,
//! opponent's disc -1) with a weight at each stage. Passing the turn negates all numbers, and a disc adds the same power of
//! three wherever it counts: a few vector additions update [`Runs`] from position to position.
//! CITE: M. Buro, "Experiments with Multi-ProbCut and a new high-quality evaluation function for Othello", 1997.
//!
//! ```text
//!   edge         a1 to h1, b2, g2     4 images       2nd, 3rd and 4th line   4 images each
//!   block        a1 to e1, a2 to e2   8              diagonals of 8 cells    2
//!   corner       a1 to c3             4              of 7, 6, 5 and 4        4 each
//!   and one's own moves, the opponent's moves, and the number of empty cells
//! ```

use std::sync::OnceLock;

use super::flips::moves;

/// Units in a disc.
pub const DISC: i32 = 8;

/// The number of shapes.
const SHAPES: usize = 11;
/// The number of runs.
pub const RUNS: usize = 46;
/// The numbers that are stored; the last ones stand for no run and fill up the vectors.
const LANES: usize = 48;

/// The cells of each shape in its first image, and the order of these cells in the mirror image. The reverse of a run
/// that is its own mirror image is the same shape: see [`canonical`].
const CELLS: [(&[u8], &[u8]); SHAPES] = [
    (&[0, 1, 2, 3, 4, 5, 6, 7, 9, 14], &[7, 6, 5, 4, 3, 2, 1, 0, 9, 8]),
    (&[0, 1, 2, 3, 4, 8, 9, 10, 11, 12], &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]),
    (&[0, 1, 2, 8, 9, 10, 16, 17, 18], &[0, 3, 6, 1, 4, 7, 2, 5, 8]),
    (&[8, 9, 10, 11, 12, 13, 14, 15], &[7, 6, 5, 4, 3, 2, 1, 0]),
    (&[16, 17, 18, 19, 20, 21, 22, 23], &[7, 6, 5, 4, 3, 2, 1, 0]),
    (&[24, 25, 26, 27, 28, 29, 30, 31], &[7, 6, 5, 4, 3, 2, 1, 0]),
    (&[0, 9, 18, 27, 36, 45, 54, 63], &[7, 6, 5, 4, 3, 2, 1, 0]),
    (&[1, 10, 19, 28, 37, 46, 55], &[6, 5, 4, 3, 2, 1, 0]),
    (&[2, 11, 20, 29, 38, 47], &[5, 4, 3, 2, 1, 0]),
    (&[3, 12, 21, 30, 39], &[4, 3, 2, 1, 0]),
    (&[4, 13, 22, 31], &[3, 2, 1, 0]),
];

/// The image of a cell under one of the eight symmetries.
const fn image(cell: u8, symmetry: u8) -> u8 {
    let (mut col, mut row) = (cell % 8, cell / 8);
    if symmetry & 4 != 0 {
        (col, row) = (row, col);
    }
    if symmetry & 1 != 0 {
        col = 7 - col;
    }
    if symmetry & 2 != 0 {
        row = 7 - row;
    }
    row * 8 + col
}

/// The layout of the runs.
struct Layout {
    /// What an own disc on a cell adds to the number of each run.
    powers: [[i16; LANES]; 64],
    /// The index, in a stage, of the weight for the number 0 of each run.
    centres: [u32; LANES],
    /// The index of the first weight of each shape.
    starts: [usize; SHAPES + 1],
}

static LAYOUT: Layout = layout();

const fn layout() -> Layout {
    let mut powers = [[0; LANES]; 64];
    let mut centres = [0; LANES];
    let mut starts = [0; SHAPES + 1];
    let mut run = 0;
    let mut shape = 0;
    while shape < SHAPES {
        let cells = CELLS[shape].0;
        let size = 3_usize.pow(cells.len() as u32);
        starts[shape + 1] = starts[shape] + size;
        // The sets of cells of this shape found so far.
        let mut seen = [0_u64; 8];
        let mut symmetry = 0;
        while symmetry < 8 {
            let mut set = 0;
            let mut i = 0;
            while i < cells.len() {
                set |= 1 << image(cells[i], symmetry);
                i += 1;
            }
            let mut is_new = true;
            let mut other = 0;
            while other < symmetry {
                is_new = is_new && seen[other as usize] != set;
                other += 1;
            }
            seen[symmetry as usize] = set;
            if is_new {
                let mut power = 1;
                let mut i = 0;
                while i < cells.len() {
                    powers[image(cells[i], symmetry) as usize][run] = power;
                    if i + 1 < cells.len() {
                        power *= 3;
                    }
                    i += 1;
                }
                centres[run] = (starts[shape] + size / 2) as u32;
                run += 1;
            }
            symmetry += 1;
        }
        shape += 1;
    }
    assert!(run == RUNS);
    Layout { powers, centres, starts }
}

const START: [usize; SHAPES + 1] = layout().starts;
/// The index of the first weight for one's own moves, in a stage.
const MOVES: usize = START[SHAPES];
/// The index of the first weight for the opponent's moves.
const REPLIES: usize = MOVES + 32;
/// The index of the first weight for the number of empty cells.
const COUNT: usize = REPLIES + 32;
/// The number of weights of a stage.
pub const SIZE: usize = COUNT + 64;
/// The number of active weights of a board: one for each run, and three for counts.
pub const ACTIVE: usize = RUNS + 3;

/// The number of stages: one for every four discs.
pub const STAGES: usize = 15;

/// The stage with this many empty cells, at most 60.
#[must_use]
#[inline(always)]
pub const fn stage(empty: u32) -> usize {
    let stage = (60_u32.saturating_sub(empty) / 4) as usize;
    if stage < STAGES { stage } else { STAGES - 1 }
}

/// The content of each run, for the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(align(32))]
pub struct Runs([i16; LANES]);

impl Default for Runs {
    fn default() -> Runs {
        Runs([0; LANES])
    }
}

impl Runs {
    /// The runs of a board.
    #[must_use]
    pub fn new(own: u64, opponent: u64) -> Runs {
        let mut runs = Runs::default();
        runs.add(own, 1);
        runs.add(opponent, -1);
        runs
    }

    /// Adds a multiple for every cell of a set.
    #[inline(always)]
    fn add(&mut self, mut cells: u64, times: i16) {
        while cells != 0 {
            let powers = &LAYOUT.powers[(cells.trailing_zeros() & 63) as usize];
            cells &= cells - 1;
            for (number, power) in self.0.iter_mut().zip(powers) {
                // A turned disc counts twice, which may leave the range on the way from one end to the other.
                *number = number.wrapping_add(times.wrapping_mul(*power));
            }
        }
    }

    /// The runs after a disc was placed on the cell of `placed` (empty for a pass) and the discs of `turned` were
    /// turned over, for the opponent, who is then to move.
    #[must_use]
    #[inline]
    pub fn after(&self, placed: u64, turned: u64) -> Runs {
        let mut runs = *self;
        runs.add(placed, 1);
        runs.add(turned, 2);
        for number in &mut runs.0 {
            *number = -*number;
        }
        runs
    }

    /// The indices, in a stage, of the weights of the runs; the first [`RUNS`] count. All lanes are added at once.
    #[inline(always)]
    fn places(&self) -> [u32; LANES] {
        std::array::from_fn(|lane| LAYOUT.centres[lane].wrapping_add_signed(self.0[lane].into()))
    }

    /// The indices, in a stage, of all active weights of a board with these runs.
    #[must_use]
    pub fn active(&self, own: u64, opponent: u64) -> [usize; ACTIVE] {
        let mut active = [0; ACTIVE];
        for (place, of_run) in active.iter_mut().zip(&self.places()[..RUNS]) {
            *place = *of_run as usize;
        }
        let count = |cells: u64| cells.count_ones();
        let numbers = numbers(count(moves(own, opponent)), count(moves(opponent, own)), count(!(own | opponent)));
        active[RUNS..].copy_from_slice(&numbers);
        active
    }
}

/// The indices, in a stage, of the weights for these numbers of own moves, opponent's moves and empty cells.
#[must_use]
#[inline(always)]
pub fn numbers(own: u32, replies: u32, empty: u32) -> [usize; 3] {
    [MOVES + own.min(31) as usize, REPLIES + replies.min(31) as usize, COUNT + (empty % 64) as usize]
}

/// The index of the canonical weight: the lowest among those of a board and its mirror images.
#[must_use]
pub fn canonical(place: usize) -> usize {
    let Some(shape) = (0..SHAPES).find(|&shape| place < START[shape + 1]) else { return place };
    let (number, order) = (place - START[shape], CELLS[shape].1);
    let digit = |at: u8| number / 3_usize.pow(at.into()) % 3;
    let mirrored: usize = order.iter().zip(0..).map(|(&from, to)| digit(from) * 3_usize.pow(to)).sum();
    START[shape] + number.min(mirrored)
}

/// The [`canonical`] indices of all weights of a stage, computed digit by digit.
fn canonical_of_all() -> Vec<usize> {
    let mut canonical: Vec<usize> = (0..SIZE).collect();
    for (shape, (_, order)) in CELLS.iter().enumerate() {
        // The mirror image of a number is that of its lower digits, plus its highest digit in its new place.
        let mut mirrored = vec![0; START[shape + 1] - START[shape]];
        let mut power = 1;
        for from in 0..order.len() {
            let to = order.iter().position(|&digit| usize::from(digit) == from).unwrap_or(from);
            for number in power..3 * power {
                mirrored[number] = mirrored[number % power] + number / power * 3_usize.pow(to as u32);
            }
            power *= 3;
        }
        for (number, &mirrored) in mirrored.iter().enumerate() {
            canonical[START[shape] + number] = START[shape] + number.min(mirrored);
        }
    }
    canonical
}

/// Space for the weights of a stage: a power of two, so that an index is kept in range by masking, which is faster than
/// a comparison.
const ROOM: usize = SIZE.next_power_of_two();

/// The weights, for each stage.
#[derive(Debug, Clone)]
pub struct Patterns {
    stages: Vec<[i8; ROOM]>,
}

/// In packed weights, followed by a byte with the number of zeros.
const ZEROS: u8 = 0x80;

impl Patterns {
    /// The weights that come with the crate, unpacked on first use.
    #[must_use]
    pub fn fitted() -> &'static Patterns {
        static FITTED: OnceLock<Patterns> = OnceLock::new();
        FITTED.get_or_init(|| Patterns::unpack(include_bytes!("weights.bin")))
    }

    /// An evaluation with these weights: [`SIZE`] for each of the [`STAGES`], in eighths of a disc. Only [`canonical`]
    /// weights are used; missing ones are 0.
    #[must_use]
    pub fn new(weights: &[i8]) -> Patterns {
        let places = canonical_of_all();
        let mut stages = vec![[0; ROOM]; STAGES];
        for (stage, of_stage) in stages.iter_mut().enumerate() {
            for (weight, place) in of_stage.iter_mut().zip(&places) {
                *weight = weights.get(stage * SIZE + place).copied().unwrap_or(0);
            }
        }
        Patterns { stages }
    }

    /// The weights of a stage, [`SIZE`] of them, in eighths of a disc.
    #[must_use]
    pub fn of_stage(&self, stage: usize) -> &[i8] {
        &self.stages[stage][..SIZE]
    }

    /// The estimated value of a position with these runs, one's own moves, the opponent's moves, and this many empty
    /// cells.
    #[must_use]
    #[inline]
    pub fn value(&self, runs: &Runs, own: u64, replies: u64, empty: u32) -> i32 {
        let weights = &self.stages[stage(empty)];
        let worth = |place: usize| i32::from(weights[place % ROOM]);
        let of_runs: i32 = runs.places()[..RUNS].iter().map(|&place| worth(place as usize)).sum();
        let of_numbers: i32 = numbers(own.count_ones(), replies.count_ones(), empty).into_iter().map(worth).sum();
        (of_runs + of_numbers).clamp(-64 * DISC, 64 * DISC)
    }

    /// The same, computed from scratch.
    #[must_use]
    pub fn value_of(&self, own: u64, opponent: u64) -> i32 {
        let empty = (!(own | opponent)).count_ones();
        self.value(&Runs::new(own, opponent), moves(own, opponent), moves(opponent, own), empty)
    }

    /// The canonical weights in order, one byte each; runs of zeros are the byte 128 and their number.
    #[must_use]
    pub fn pack(&self) -> Vec<u8> {
        let kept = canonical_places();
        let mut packed = Vec::new();
        let mut zeros = 0;
        for weight in self.stages.iter().flat_map(|of_stage| kept.iter().map(|&place| of_stage[place])) {
            let weight = weight.max(-i8::MAX);
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

    /// The weights of a file of [`Patterns::pack`].
    ///
    /// # Errors
    /// When the file has too many or too few weights.
    pub fn read(file: &[u8]) -> Result<Patterns, String> {
        let (mut bytes, mut found) = (file.iter(), 0);
        while let Some(&byte) = bytes.next() {
            found += if byte == ZEROS { bytes.next().map_or(0, |&run| usize::from(run)) } else { 1 };
        }
        let expected = STAGES * canonical_places().len();
        if found == expected {
            Ok(Patterns::unpack(file))
        } else {
            Err(format!("expected {expected} weights of patterns, found {found}"))
        }
    }

    /// The weights from their packed form; missing ones are 0.
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

/// The indices of canonical weights.
fn canonical_places() -> Vec<usize> {
    canonical_of_all()
        .into_iter()
        .enumerate()
        .filter(|&(place, canonical)| place == canonical)
        .map(|(place, _)| place)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::rules::random_positions;
    use super::*;
    use crate::game::{Position as _, Side, SplitMix64};

    #[test]
    fn the_canonical_places_of_all_weights_are_those_of_each() {
        assert_eq!(canonical_of_all(), (0..SIZE).map(canonical).collect::<Vec<_>>());
    }

    fn boards(count: usize) -> impl Iterator<Item = (u64, u64)> {
        let mut rng = SplitMix64::new(2);
        (0..count).map(move |_| {
            let (filled, colours) = (rng.next_u64() | rng.next_u64(), rng.next_u64());
            (filled & colours, filled & !colours)
        })
    }

    #[test]
    fn each_way_to_lay_a_board_sees_the_same_weights() {
        let seen = |own: u64, opponent: u64| {
            let mut seen = Runs::new(own, opponent).active(own, opponent).map(canonical);
            seen.sort_unstable();
            seen
        };
        for (own, opponent) in boards(200) {
            let expected = seen(own, opponent);
            assert!(expected.iter().all(|&place| place < SIZE));
            for symmetry in 1..8 {
                let turned = |cells: u64| {
                    (0..64).filter(|at| cells >> at & 1 != 0).fold(0, |set, at| set | 1_u64 << image(at, symmetry))
                };
                assert_eq!(seen(turned(own), turned(opponent)), expected, "{own:#x} {opponent:#x}");
            }
        }
    }

    #[test]
    fn every_cell_of_the_board_counts_in_each_colour() {
        for (own, opponent) in boards(20) {
            for cell in (0..64).map(|at| 1 << at) {
                let (own, opponent) = (own & !cell, opponent & !cell);
                let [none, mine, theirs] =
                    [Runs::new(own, opponent), Runs::new(own | cell, opponent), Runs::new(own, opponent | cell)];
                assert!(none != mine && none != theirs && mine != theirs);
            }
        }
    }

    #[test]
    fn numbers_are_those_of_the_cells_in_base_three() {
        // The first edge is a1 to h1, then b2 and g2; a1 and c1 are own discs, h1 and g2 the opponent's.
        let runs = Runs::new(1 | 1 << 2, 1 << 7 | 1 << 14);
        let expected = 1 + 9 - 3_i16.pow(7) - 3_i16.pow(9);
        assert_eq!(runs.0[0], expected);
        assert_eq!(runs.places()[0], (3_i32.pow(10) / 2 + i32::from(expected)) as u32);
        assert_eq!(Runs::new(0, 0).places()[4] as usize, START[1] + 3_usize.pow(10) / 2);
    }

    #[test]
    fn runs_carried_down_a_game_are_those_of_its_boards() {
        let mut before: Option<(Runs, u64, u64)> = None;
        random_positions(40, |position| {
            let side = position.side_to_move();
            let (own, opponent) = (position.discs(side), position.discs(side.other()));
            let runs = Runs::new(own, opponent);
            let filled = (own | opponent).count_ones();
            if let Some((runs_before, mine, theirs)) = before {
                // The side that moved is now the opponent; a new game begins with four discs.
                let placed = opponent & !(mine | theirs);
                if filled > 4 {
                    assert_eq!(runs_before.after(placed, theirs & opponent), runs, "{position:?}");
                }
            }
            before = Some((runs, own, opponent));
        });
    }

    #[test]
    fn packed_weights_are_the_same_when_unpacked() {
        let mut rng = SplitMix64::new(3);
        // Runs of zeros, some longer than a byte counts, and all other values.
        let random = |rng: &mut SplitMix64| if rng.below(4) == 0 { (rng.below(255) as i32 - 127) as i8 } else { 0 };
        let mut weights: Vec<i8> = (0..SIZE * STAGES).map(|_| random(&mut rng)).collect();
        weights[5000..20_000].fill(0);
        let patterns = Patterns::new(&weights);
        assert!(Patterns::unpack(&patterns.pack()).stages == patterns.stages);
        assert!(Patterns::unpack(&[]).stages == vec![[0; ROOM]; STAGES]);
        // The end of packed weights may be missing.
        let packed = patterns.pack();
        let half = Patterns::unpack(&packed[..packed.len() / 2]);
        assert!(half.stages[0] == patterns.stages[0] && half.stages[STAGES - 1] == [0; ROOM]);
    }

    #[test]
    fn the_weights_are_those_that_fit_wrote() {
        assert_eq!(format!("{:08x}", crc32fast::hash(include_bytes!("weights.bin"))), "e51c97c9");
    }

    #[test]
    fn the_fitted_weights_know_a_corner_and_who_moves_freely() {
        let value = |own: u64, opponent: u64| Patterns::fitted().value_of(own, opponent);
        let mut better = 0;
        let mut all = 0;
        random_positions(60, |position| {
            let (own, opponent) = (position.discs(Side::First), position.discs(Side::Second));
            if position.empty() & 1 != 0 && (20..50).contains(&position.empty().count_ones()) {
                all += 1;
                better += u32::from(value(own | 1, opponent) > value(own, opponent | 1));
            }
        });
        assert!(all > 200 && better * 20 > all * 19, "{better} of {all}");
    }
}
