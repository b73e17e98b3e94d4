//! The last seven empty cells: by parity, then by fewest replies; nothing stored. Layer 2.
//!
//! Values are final disc differences for the side to move, the empty cells given to the winner, and fail-soft.

use super::super::rules::{neighbours, odd_quadrants};
use super::super::stability::stable;
use super::CORNERS;
use super::last::{Last, NONE, over};
use super::processor::Processor;

/// With at most this many empty cells the table is neither read nor written.
pub(in super::super) const SHALLOW: u32 = 7;
/// From this many empty cells on, moves are ordered by replies.
const COUNTED: u32 = 6;

impl<P: Processor> Last<P> {
    /// At most [`SHALLOW`] empty cells, about the null window from `alpha`.
    #[inline(always)]
    fn shallow(&mut self, own: u64, opponent: u64, alpha: i32, empty: u32) -> i32 {
        let mut rest = !(own | opponent);
        let mut cell = || {
            let cell = rest.trailing_zeros() as usize;
            rest &= rest.wrapping_sub(1);
            cell
        };
        match empty {
            0 => {
                self.nodes += 1;
                over(own, opponent)
            }
            1 => self.single(own, opponent),
            2 => self.two(own, opponent, [cell(), cell()], alpha),
            3 => P::three(self, own, opponent, [cell(), cell(), cell()], alpha, false),
            4 => P::four(self, own, opponent, [cell(), cell(), cell(), cell()], alpha, false),
            5..COUNTED => P::by_parity(self, own, opponent, alpha, empty, false),
            _ => P::by_replies(self, own, opponent, alpha, empty, false),
        }
    }

    /// Cells in odd quadrants first.
    #[inline(always)]
    pub(super) fn by_parity(&mut self, own: u64, opponent: u64, alpha: i32, empty: u32, passed: bool) -> i32 {
        self.nodes += 1;
        if let Some(bound) = hopeless(own, opponent, alpha) {
            return bound;
        }
        let cells = !(own | opponent);
        let playable = cells & neighbours(opponent);
        let odd = odd_quadrants(cells);
        let mut best = NONE;
        for mut set in [playable & odd, playable & !odd] {
            while set != 0 {
                let cell = set.trailing_zeros();
                set &= set - 1;
                let turned = self.processor.flips(cell as u8, own, opponent);
                if turned == 0 {
                    continue;
                }
                let value = -self.shallow(opponent ^ turned, own | turned | 1 << cell, -alpha - 1, empty - 1);
                if value > alpha {
                    return value;
                }
                best = best.max(value);
            }
        }
        if best > NONE {
            best
        } else if passed {
            over(own, opponent)
        } else {
            -P::by_parity(self, opponent, own, -alpha - 1, empty, true)
        }
    }

    /// Moves that leave few replies first, and among equals cells in odd quadrants.
    #[inline(always)]
    pub(super) fn by_replies(&mut self, own: u64, opponent: u64, alpha: i32, empty: u32, passed: bool) -> i32 {
        self.nodes += 1;
        if let Some(bound) = hopeless(own, opponent, alpha) {
            return bound;
        }
        let mut cells = self.processor.moves(own, opponent);
        if cells == 0 {
            return if passed {
                over(own, opponent)
            } else {
                -P::by_replies(self, opponent, own, -alpha - 1, empty, true)
            };
        }
        let odd = odd_quadrants(!(own | opponent));
        let mut tried = [(0_u64, 0_u32, 0_u32); SHALLOW as usize];
        let mut length = 0;
        while cells != 0 && length < tried.len() {
            let cell = cells.trailing_zeros();
            cells &= cells - 1;
            let turned = self.processor.flips(cell as u8, own, opponent);
            let replies = self.processor.moves(opponent ^ turned, own | turned | 1 << cell);
            let count = 2 * replies.count_ones() + 2 * (replies & CORNERS).count_ones();
            tried[length] = (turned, count + u32::from(odd >> cell & 1 == 0), cell);
            length += 1;
        }
        let mut best = NONE;
        for i in 0..length {
            let mut next = i;
            for at in i + 1..length {
                if tried[at].1 < tried[next].1 {
                    next = at;
                }
            }
            let (turned, _, cell) = tried[next];
            tried[next] = tried[i];
            let value = -self.shallow(opponent ^ turned, own | turned | 1 << cell, -alpha - 1, empty - 1);
            if value > alpha {
                return value;
            }
            best = best.max(value);
        }
        best
    }

    /// At most [`SHALLOW`] empty cells, with any window: by null windows from below.
    pub(super) fn between(&mut self, own: u64, opponent: u64, alpha: i32, beta: i32) -> i32 {
        let empty = (!(own | opponent)).count_ones();
        let mut low = alpha;
        loop {
            let value = self.shallow(own, opponent, low, empty);
            if value <= low || value >= beta {
                return value;
            }
            low = value;
        }
    }
}

/// An upper bound at most `alpha`, if the opponent's stable discs give one.
#[inline(always)]
pub(super) fn hopeless(own: u64, opponent: u64, alpha: i32) -> Option<i32> {
    let needed = (65 - alpha) / 2;
    if (opponent.count_ones() as i32) < needed || (own | opponent) & CORNERS == 0 {
        return None;
    }
    let bound = 64 - 2 * stable(opponent, own).count_ones() as i32;
    (bound <= alpha).then_some(bound)
}
