//! The rules of Othello, and properties of positions and moves for the search. Layer 2.

use super::flips::{flips, moves};
use crate::game::{self, Outcome, Side, mix64};

/// The move of a side that cannot turn over a disc while its opponent can. Other moves are the bits of cells.
pub const PASS: u8 = 64;

/// The western and the northern half of the board; quadrants are their intersections.
const WEST: u64 = 0x0F0F_0F0F_0F0F_0F0F;
const NORTH: u64 = 0x0000_0000_FFFF_FFFF;

/// Up to this many discs (the first 24 plies), a position and its images are one.
const MOST_FOLDED: u32 = 28;

/// A position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    mine: u64,
    theirs: u64,
    /// The cells on which the side to move can play; every node needs them.
    moves: u64,
    /// Whether the game is over, if there are no such cells.
    over: bool,
    turn: Side,
}

impl Position {
    /// The start: four discs in the middle, x to move.
    #[must_use]
    pub fn start() -> Position {
        Position::new([1 << 28 | 1 << 35, 1 << 27 | 1 << 36], Side::First)
    }

    /// The position with these discs of x and of o.
    ///
    /// # Panics
    /// When the two sets share a cell.
    #[must_use]
    pub fn new(discs: [u64; 2], turn: Side) -> Position {
        assert!(discs[0] & discs[1] == 0, "a cell holds one disc");
        Position::with(discs[turn.index()], discs[turn.other().index()], turn)
    }

    #[inline]
    fn with(mine: u64, theirs: u64, turn: Side) -> Position {
        let own = moves(mine, theirs);
        let over = own == 0 && moves(theirs, mine) == 0;
        Position { mine, theirs, moves: own, over, turn }
    }

    /// The discs of a side, as bits.
    #[must_use]
    #[inline]
    pub fn discs(&self, side: Side) -> u64 {
        if side == self.turn { self.mine } else { self.theirs }
    }

    /// The cells without a disc, as bits.
    #[must_use]
    #[inline]
    pub fn empty(&self) -> u64 {
        !(self.mine | self.theirs)
    }

    /// The cells on which the side to move can play, as bits; none when it must pass or the game is over.
    #[must_use]
    #[inline]
    pub fn moves(&self) -> u64 {
        self.moves
    }

    /// The cells on which the opponent could play if it were its turn, as bits.
    #[must_use]
    #[inline]
    pub fn moves_of_opponent(&self) -> u64 {
        moves(self.theirs, self.mine)
    }

    /// Discs of the side to move minus those of the opponent; in a finished game the winner also gets the empty cells,
    /// as in tournaments.
    #[must_use]
    #[inline]
    pub fn balance(&self) -> i32 {
        let balance = self.mine.count_ones() as i32 - self.theirs.count_ones() as i32;
        if self.over { balance + balance.signum() * self.empty().count_ones() as i32 } else { balance }
    }

    /// The number of replies of the opponent to `mv`, for fastest-first ordering: fewer is better.
    #[must_use]
    #[inline]
    pub fn replies_after(&self, mv: u8) -> u32 {
        if mv == PASS {
            return self.moves_of_opponent().count_ones();
        }
        let turned = flips(mv, self.mine, self.theirs);
        moves(self.theirs ^ turned, self.mine | turned | 1 << mv).count_ones()
    }

    /// The empty cells of quadrants with an odd number of them, as bits: the side that plays there first can expect to
    /// play there last.
    #[must_use]
    #[inline]
    pub fn odd_quadrants(&self) -> u64 {
        odd_quadrants(self.empty())
    }

    /// The empty cells of odd regions, connected in any of eight directions, as bits: finer than
    /// [`Position::odd_quadrants`] and several times as expensive.
    #[must_use]
    pub fn odd_regions(&self) -> u64 {
        let mut rest = self.empty();
        let mut odd = 0;
        while rest != 0 {
            let mut region = rest & rest.wrapping_neg();
            loop {
                let grown = (region | neighbours(region)) & rest;
                if grown == region {
                    break;
                }
                region = grown;
            }
            rest ^= region;
            if region.count_ones() % 2 == 1 {
                odd |= region;
            }
        }
        odd
    }
}

/// The cells of `empty` in quadrants with an odd number of them.
#[inline]
pub(super) fn odd_quadrants(empty: u64) -> u64 {
    let mut odd = 0;
    for quadrant in [WEST & NORTH, !WEST & NORTH, WEST & !NORTH, !WEST & !NORTH] {
        let cells = empty & quadrant;
        if cells.count_ones() % 2 == 1 {
            odd |= cells;
        }
    }
    odd
}

/// The cells next to these in any of eight directions; may include some of these.
#[inline]
pub(super) fn neighbours(cells: u64) -> u64 {
    const WITHOUT_A: u64 = 0xFEFE_FEFE_FEFE_FEFE;
    const WITHOUT_H: u64 = 0x7F7F_7F7F_7F7F_7F7F;
    let row = cells | (cells << 1 & WITHOUT_A) | (cells >> 1 & WITHOUT_H);
    (row ^ cells) | row << 8 | row >> 8
}

impl game::Position for Position {
    type Move = u8;

    const MOVE_INDICES: usize = 65;

    #[inline]
    fn move_index(mv: u8) -> usize {
        usize::from(mv)
    }

    #[inline]
    fn side_to_move(&self) -> Side {
        self.turn
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        if !self.over {
            return None;
        }
        Some(match self.balance() {
            0 => Outcome::Draw,
            1.. => Outcome::Win(self.turn),
            _ => Outcome::Win(self.turn.other()),
        })
    }

    /// From a1 on, row by row; the pass if there is no other move.
    #[inline]
    fn generate(&self, moves: &mut Vec<u8>) {
        if self.moves == 0 && !self.over {
            moves.push(PASS);
        }
        let mut rest = self.moves;
        while rest != 0 {
            moves.push(rest.trailing_zeros() as u8);
            rest &= rest - 1;
        }
    }

    #[inline]
    fn play(&mut self, mv: u8) {
        let turn = self.turn.other();
        *self = if mv == PASS {
            Position::with(self.theirs, self.mine, turn)
        } else {
            let turned = flips(mv, self.mine, self.theirs);
            Position::with(self.theirs ^ turned, self.mine ^ turned ^ 1 << mv, turn)
        };
    }

    fn after_pass(&self) -> Option<Position> {
        Some(Position::with(self.theirs, self.mine, self.turn.other()))
    }

    /// A ply for each empty cell and for some passes; lines with more passes are rare.
    #[inline]
    fn plies_left(&self) -> Option<u32> {
        Some(self.empty().count_ones() + 4)
    }

    #[inline]
    fn hash(&self) -> u64 {
        hash([self.mine, self.theirs], self.turn)
    }

    /// The image with the lowest discs, in the opening; later, images of one position seldom meet.
    fn folded(&self) -> (u64, u8) {
        if (self.mine | self.theirs).count_ones() > MOST_FOLDED {
            return (self.hash(), 0);
        }
        let images = (0..8).map(|symmetry| ([self.mine, self.theirs].map(|cells| image(cells, symmetry)), symmetry));
        let (discs, symmetry) = images.min().unwrap_or(([self.mine, self.theirs], 0));
        (hash(discs, self.turn), symmetry)
    }

    fn carried(&self, mv: u8, symmetry: u8) -> u8 {
        if mv == PASS { PASS } else { image(1 << mv, symmetry).trailing_zeros() as u8 }
    }
}

/// The hash of a position: the discs of the side to move, those of its opponent, and the side to move.
#[inline]
fn hash([mine, theirs]: [u64; 2], turn: Side) -> u64 {
    // Mix one side before the other is added, so that no simple pattern of both cancels out.
    let mixed = mix64(mine.wrapping_add(0x9E37_79B9_7F4A_7C15));
    mix64(mixed ^ theirs.wrapping_mul(0xD6E8_FEB8_6659_FD93) ^ turn.index() as u64)
}

/// The image of a set of cells under one of the eight symmetries of the board: row order reversed (1), column order
/// reversed (2), rows and columns exchanged (4), in this order.
#[inline]
fn image(mut cells: u64, symmetry: u8) -> u64 {
    if symmetry & 1 != 0 {
        cells = cells.swap_bytes();
    }
    if symmetry & 2 != 0 {
        cells = cells.swap_bytes().reverse_bits();
    }
    if symmetry & 4 != 0 {
        // Swap squares of four, two and one cells a side across the diagonal.
        for (distance, upper) in [(28, 0x0000_0000_F0F0_F0F0), (14, 0x0000_CCCC_0000_CCCC), (7, 0x00AA_00AA_00AA_00AA)]
        {
            let changed = (cells ^ cells >> distance) & upper;
            cells ^= changed | changed << distance;
        }
    }
    cells
}

/// Every position of some random games, including the last one.
#[cfg(test)]
pub(super) fn random_positions(games: usize, mut look: impl FnMut(&Position)) {
    use crate::game::{Position as _, SplitMix64};
    let mut rng = SplitMix64::new(8);
    for _ in 0..games {
        let mut position = Position::start();
        while position.outcome().is_none() {
            look(&position);
            let mut moves = Vec::new();
            position.generate(&mut moves);
            position.play(moves[rng.below(moves.len())]);
        }
        look(&position);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Position as _;

    #[test]
    fn the_start_has_d5_and_e4_for_x() {
        let start = Position::start();
        assert_eq!(start.discs(Side::First), 1 << 28 | 1 << 35);
        assert_eq!(start.discs(Side::Second), 1 << 27 | 1 << 36);
        let mut moves = Vec::new();
        start.generate(&mut moves);
        // d3 c4 f5 e6
        assert_eq!(moves, [19, 26, 37, 44]);
        assert_eq!(start.balance(), 0);
    }

    #[test]
    fn a_side_passes_only_when_it_cannot_move_and_the_other_can() {
        let (mut passes, mut ends) = (0, 0);
        random_positions(200, |position| {
            let mut moves = Vec::new();
            position.generate(&mut moves);
            let other = position.moves_of_opponent();
            match (position.moves(), other) {
                (0, 0) => {
                    assert!(moves.is_empty() && position.outcome().is_some());
                    ends += 1;
                }
                (0, _) => {
                    assert_eq!(moves, [PASS]);
                    let after = position.after(PASS);
                    assert_eq!((after.moves(), after.side_to_move()), (other, position.side_to_move().other()));
                    assert_eq!(after.balance(), -position.balance());
                    passes += 1;
                }
                (cells, _) => assert_eq!(moves.len(), cells.count_ones() as usize),
            }
        });
        assert!(passes > 50 && ends == 200, "{passes}");
    }

    #[test]
    fn the_winner_of_a_finished_game_has_the_empty_cells() {
        // x on a1 and b1 against nothing: 64 to 0.
        let wiped = Position::new([3, 0], Side::Second);
        assert_eq!((wiped.outcome(), wiped.balance()), (Some(Outcome::Win(Side::First)), -64));
        let even = Position::new([1, 1 << 63], Side::First);
        assert_eq!((even.outcome(), even.balance()), (Some(Outcome::Draw), 0));
        let full = Position::new([u64::MAX >> 31, !(u64::MAX >> 31)], Side::First);
        assert_eq!((full.outcome(), full.balance()), (Some(Outcome::Win(Side::First)), 2));
    }

    #[test]
    fn replies_after_a_move_are_the_moves_of_the_next_position() {
        random_positions(30, |position| {
            let mut moves = Vec::new();
            position.generate(&mut moves);
            for mv in moves {
                assert_eq!(position.replies_after(mv), position.after(mv).moves().count_ones());
            }
        });
    }

    #[test]
    fn odd_cells_are_counted_quadrant_by_quadrant_and_region_by_region() {
        random_positions(30, |position| {
            let empty = |at: i32| position.empty() >> at & 1 != 0;
            let cells: Vec<i32> = (0..64).filter(|&at| empty(at)).collect();
            let quadrant = |at: i32| (at % 8 / 4, at / 32);
            let odd = |region: &[i32]| region.len() % 2 == 1;
            let bits = |region: &[i32]| region.iter().fold(0_u64, |bits, at| bits | 1 << at);
            for &at in &cells {
                let same: Vec<i32> = cells.iter().copied().filter(|&other| quadrant(other) == quadrant(at)).collect();
                assert_eq!(position.odd_quadrants() & bits(&same), if odd(&same) { bits(&same) } else { 0 });
                // All cells reachable from this one in single steps.
                let mut region = vec![at];
                let mut next = 0;
                while next < region.len() {
                    let from = region[next];
                    let beside = |other: i32| (other % 8 - from % 8).abs() <= 1 && (other / 8 - from / 8).abs() <= 1;
                    let more: Vec<i32> =
                        cells.iter().copied().filter(|&other| beside(other) && !region.contains(&other)).collect();
                    region.extend(more);
                    next += 1;
                }
                assert_eq!(position.odd_regions() & bits(&region), if odd(&region) { bits(&region) } else { 0 });
            }
        });
    }

    #[test]
    fn images_are_found_cell_by_cell() {
        let (mut cells, mut seen) = (Vec::new(), 0);
        random_positions(5, |position| cells.push(position.mine));
        for cells in cells {
            for symmetry in 0..8 {
                let expected = (0..64).filter(|at| cells >> at & 1 != 0).fold(0, |set, at| {
                    let (mut col, mut row) = (at % 8, at / 8);
                    row = if symmetry & 1 != 0 { 7 - row } else { row };
                    col = if symmetry & 2 != 0 { 7 - col } else { col };
                    let (col, row) = if symmetry & 4 != 0 { (row, col) } else { (col, row) };
                    set | 1_u64 << (8 * row + col)
                });
                assert_eq!(image(cells, symmetry), expected, "{cells:x} {symmetry}");
                seen += 1;
            }
        }
        assert!(seen > 2_000, "{seen}");
    }

    /// The first moves are images of each other, and so are the positions after them; replies are mapped as well.
    #[test]
    fn an_opening_is_one_with_its_images() {
        let mut shared = std::collections::HashMap::new();
        random_positions(50, |position| {
            if (position.mine | position.theirs).count_ones() > MOST_FOLDED {
                return assert_eq!(position.folded(), (position.hash(), 0));
            }
            for symmetry in 0..8 {
                let discs = [Side::First, Side::Second].map(|side| image(position.discs(side), symmetry));
                let other = Position::new(discs, position.turn);
                let (hash, by) = other.folded();
                assert_eq!(hash, position.folded().0);
                let carried = |mv| if by == 0 { mv } else { other.carried(mv, by) };
                let mut moves = Vec::new();
                other.generate(&mut moves);
                let mut moves: Vec<u8> = moves.into_iter().map(carried).collect();
                moves.sort_unstable();
                assert_eq!(*shared.entry(hash).or_insert_with(|| moves.clone()), moves);
            }
        });
        let after = |mv| Position::start().after(mv).folded().0;
        assert_eq!([after(19), after(26), after(37), after(44)], [after(19); 4]);
        // The side to move and the colours count.
        let swapped =
            Position::new([Side::Second, Side::First].map(|side| Position::start().discs(side)), Side::Second);
        assert_ne!(swapped.folded().0, Position::start().folded().0);
    }

    #[test]
    fn the_same_discs_hash_by_whose_turn_it_is() {
        let start = Position::start();
        let discs = [Side::First, Side::Second].map(|side| start.discs(side));
        let other = Position::new(discs, Side::Second);
        let swapped = Position::new([discs[1], discs[0]], Side::Second);
        assert!(start.hash() != other.hash() && start.hash() != swapped.hash() && other.hash() != swapped.hash());
    }
}
