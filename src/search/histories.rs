//! What a search learns about moves and about the evaluation, whatever the position: history tables.
//!
//! Layer 3, private to the search; one set per thread. The transposition table keeps them for the next search where that was
//! measured to pay. Every step is smaller the nearer a value is to its limit, so that no value exceeds it, and what was learned
//! long ago fades. CITE: chessprogramming wiki, "History Heuristic", "Static Evaluation Correction History".
//!
//! ```text
//!  history        side, move index                              i32   up to ±HISTORY_LIMIT
//!  continuation   side, landing of a move before, landing       i16   the same; twice: after the last move, and the one before
//!  noisy          side, landing                                 i32   the same
//!  errors         part of the position, side to move, its key   i16   up to ±ERROR_LIMIT, of which ERROR_GRAIN is a unit
//! ```

use crate::game::{Position, Side};

/// The greatest history score.
pub(super) const HISTORY_LIMIT: i32 = 1 << 14;

/// The parts of a position whose errors are learned: the pawns, and the pieces of each side.
const PARTS: usize = 3;
/// The base-2 logarithm of the errors known for each part and side to move.
const ERRORS: u32 = 14;
/// A unit of the evaluation.
const ERROR_GRAIN: i32 = 512;
/// The greatest error of a part: 32 units.
const ERROR_LIMIT: i32 = 32 * ERROR_GRAIN;
/// The weight of a unit of a node's error for each ply of its depth.
const ERROR_A_PLY: i32 = 16;

/// The change of the history of a move that refuted a node of this depth, and of those that did not. Games that prune
/// boldly learn quickly.
#[inline]
pub(super) fn bonus(depth: u32, is_bold: bool) -> i32 {
    if is_bold {
        (200 * depth as i32 - 100).clamp(0, HISTORY_LIMIT / 9)
    } else {
        (depth * depth).min(HISTORY_LIMIT.cast_unsigned() / 8) as i32
    }
}

/// Continuation history: the score of each move after an earlier one, for both sides, by landing indices. A short search
/// meets few of the earlier moves, so a row is made when it first learns.
#[derive(Debug)]
pub(super) struct Continuation {
    /// The number of each row, from 1; 0 for one that is not made yet.
    places: Vec<u16>,
    rows: Vec<i16>,
    landings: usize,
}

impl Continuation {
    fn new(landings: usize) -> Self {
        Continuation { places: vec![0; 2 * landings], rows: Vec::new(), landings }
    }

    /// The scores of the moves of the side to move after a move with landing index `before`.
    #[inline]
    pub(super) fn after<P: Position>(&self, position: &P, before: usize) -> Option<&[i16]> {
        let place = *self.places.get(Self::index(position, before))?;
        self.rows.chunks_exact(self.landings).nth(usize::from(place).checked_sub(1)?)
    }

    /// The same, to learn.
    pub(super) fn after_mut<P: Position>(&mut self, position: &P, before: usize) -> Option<&mut [i16]> {
        let Continuation { places, rows, landings } = self;
        let place = places.get_mut(Self::index(position, before))?;
        if *place == 0 {
            rows.resize(rows.len() + *landings, 0);
            *place = (rows.len() / *landings) as u16;
        }
        rows.chunks_exact_mut(*landings).nth(usize::from(*place) - 1)
    }

    #[inline]
    fn index<P: Position>(position: &P, before: usize) -> usize {
        const { assert!(2 * P::LANDINGS < 1 << 16, "a row's number is of 16 bits") };
        position.side_to_move().index() * P::LANDINGS + before
    }
}

/// The tables.
#[derive(Debug)]
pub(super) struct Histories {
    /// The history score of each move.
    pub(super) history: [Vec<i32>; 2],
    /// The continuation history after the opponent's last move, and after the own move before it.
    pub(super) continuation: [Continuation; 2],
    /// The history score of each noisy move; learned only in games that prune boldly.
    pub(super) noisy: [Vec<i32>; 2],
    /// By how much the evaluation is too low; empty until something is learned.
    errors: Vec<i16>,
}

impl Histories {
    /// Of a game with these numbers of move indices and of landing indices.
    pub(super) fn new(move_indices: usize, landings: usize) -> Histories {
        Histories {
            history: [vec![0; move_indices], vec![0; move_indices]],
            continuation: [(); 2].map(|()| Continuation::new(landings)),
            noisy: [vec![0; landings], vec![0; landings]],
            errors: Vec::new(),
        }
    }

    /// Whether these tables are of a game with these numbers.
    pub(super) fn are_of(&self, move_indices: usize, landings: usize) -> bool {
        self.history[0].len() == move_indices && self.noisy[0].len() == landings
    }

    /// Makes what was learned about moves count half, as the next search begins elsewhere. Errors of the evaluation stay.
    pub(super) fn halve(&mut self) {
        let Histories { history, continuation, noisy, errors: _ } = self;
        history.iter_mut().chain(noisy).flatten().for_each(|score| *score /= 2);
        continuation.iter_mut().flat_map(|table| &mut table.rows).for_each(|score| *score /= 2);
    }

    /// The units by which the evaluation of a position with these parts is too low, for the side to move, as far as is known.
    #[inline]
    pub(super) fn error(&self, side: Side, parts: [u64; PARTS]) -> i32 {
        let places = error_places(side, parts);
        places.iter().map(|&place| i32::from(self.errors.get(place).copied().unwrap_or(0))).sum::<i32>() / ERROR_GRAIN
    }

    /// Learns that a search of `depth` plies found a value so many units above the evaluation.
    pub(super) fn learn_error(&mut self, side: Side, parts: [u64; PARTS], depth: u32, units: i32) {
        if self.errors.is_empty() {
            self.errors = vec![0; PARTS << (ERRORS + 1)];
        }
        let change = units.saturating_mul(depth as i32 * ERROR_A_PLY).clamp(-ERROR_LIMIT / 4, ERROR_LIMIT / 4);
        for place in error_places(side, parts) {
            let old = i32::from(self.errors[place]);
            self.errors[place] = (old + change - old * change.abs() / ERROR_LIMIT) as i16;
        }
    }
}

/// The places of the parts among the errors.
#[inline]
fn error_places(side: Side, parts: [u64; PARTS]) -> [usize; PARTS] {
    std::array::from_fn(|part| (2 * part + side.index()) << ERRORS | (parts[part] >> (u64::BITS - ERRORS)) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_learned_for_the_side_to_move_and_never_exceeds_its_limit() {
        let (one, other) = ([1 << 50, 2 << 50, 3 << 50], [4 << 50, 5 << 50, 6 << 50]);
        let mut histories = Histories::new(0, 0);
        assert_eq!(histories.error(Side::First, one), 0, "before anything is learned");
        histories.learn_error(Side::First, one, 8, 120);
        let error = histories.error(Side::First, one);
        assert_eq!(error, 24, "a quarter of the limit");
        assert_eq!((histories.error(Side::Second, one), histories.error(Side::First, other)), (0, 0));
        assert_eq!(histories.error(Side::First, [one[0], other[1], other[2]]), 8, "one part of three");
        for (units, most) in [(i32::MAX, 96), (i32::MIN, -96)] {
            (0..100).for_each(|_| histories.learn_error(Side::First, one, 200, units));
            assert!((histories.error(Side::First, one) - most).abs() <= 1, "{}", histories.error(Side::First, one));
        }
        histories.halve();
        assert!(histories.error(Side::First, one) < -90, "errors stay");
    }

    #[test]
    fn what_was_learned_about_moves_counts_half() {
        let mut histories = Histories::new(2, 3);
        assert!(histories.are_of(2, 3) && !histories.are_of(3, 3) && !histories.are_of(2, 2));
        (histories.history[1][0], histories.noisy[0][2]) = (-400, 31);
        histories.continuation[1].rows = vec![7, -8];
        histories.halve();
        assert_eq!((histories.history[1][0], histories.noisy[0][2]), (-200, 15));
        assert_eq!(histories.continuation[1].rows, [3, -4]);
    }
}
