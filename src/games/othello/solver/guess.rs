//! A shallow search with the pattern evaluation, for ordering moves and for selective levels. Layer 2.
//!
//! Values are in eighths of a disc (see [`super::super::patterns`]), for the side to move, fail-soft.

use super::super::patterns::{DISC, Patterns, Runs};
use super::last::over;
use super::processor::{Portable, Processor};
use super::table::NO_CELL;

/// Above every value.
pub(super) const FAR: i32 = 65 * DISC;
/// From this depth on positions are stored.
const REMEMBERED: u32 = 3;
/// The binary logarithm of the number of entries in the memory.
const PLACES: u32 = 14;
/// The most moves that are ordered; positions with more do not occur in games.
const MOST: usize = 40;

#[derive(Debug, Clone, Copy)]
struct Place {
    own: u64,
    opponent: u64,
    lower: i16,
    upper: i16,
    depth: u8,
    best: u8,
}

/// A shallow searcher with its own memory.
#[derive(Debug)]
pub struct Guesser<'a, P = Portable> {
    processor: P,
    patterns: &'a Patterns,
    memory: Vec<Place>,
    /// Positions visited.
    pub(super) nodes: u64,
}

impl<'a> Guesser<'a> {
    /// A searcher with these weights.
    #[must_use]
    pub fn new(patterns: &'a Patterns) -> Guesser<'a> {
        Guesser::on(Portable, patterns)
    }
}

impl<'a, P: Processor> Guesser<'a, P> {
    /// A searcher for this processor.
    pub(super) fn on(processor: P, patterns: &'a Patterns) -> Guesser<'a, P> {
        let nothing = Place { own: 0, opponent: 0, lower: 0, upper: 0, depth: 0, best: NO_CELL };
        Guesser { processor, patterns, memory: vec![nothing; 1 << PLACES], nodes: 0 }
    }

    /// The estimated value of the position after a search of `depth` plies, within a window.
    pub fn search(&mut self, own: u64, opponent: u64, depth: u32, alpha: i32, beta: i32) -> i32 {
        P::guess(self, own, opponent, &Runs::new(own, opponent), depth, alpha, beta)
    }

    /// The best cell of a search of `depth` plies, at least 1, and its value; `None` without a move.
    pub fn best(&mut self, own: u64, opponent: u64, depth: u32) -> Option<(u8, i32)> {
        let runs = Runs::new(own, opponent);
        let mut best = None;
        let mut alpha = -FAR;
        let mut cells = self.processor.moves(own, opponent);
        while cells != 0 {
            let cell = cells.trailing_zeros() as u8;
            cells &= cells - 1;
            let turned = self.processor.flips(cell, own, opponent);
            let next = runs.after(1 << cell, turned);
            let value = -P::guess(self, opponent ^ turned, own | turned | 1 << cell, &next, depth - 1, -FAR, -alpha);
            if value > alpha {
                (alpha, best) = (value, Some((cell, value)));
            }
        }
        best
    }

    /// [`Guesser::search`] with the runs of the position.
    #[inline(always)]
    pub(super) fn guess(&mut self, own: u64, opponent: u64, runs: &Runs, depth: u32, mut alpha: i32, beta: i32) -> i32 {
        self.nodes += 1;
        let mut cells = self.processor.moves(own, opponent);
        if depth == 0 {
            let empty = (!(own | opponent)).count_ones();
            return self.patterns.value(runs, cells, self.processor.moves(opponent, own), empty);
        }
        if cells == 0 {
            if self.processor.moves(opponent, own) == 0 {
                return over(own, opponent) * DISC;
            }
            return -P::guess(self, opponent, own, &runs.after(0, 0), depth, -beta, -alpha);
        }
        let mut best = -FAR;
        if depth == 1 {
            while cells != 0 {
                let cell = cells.trailing_zeros();
                cells &= cells - 1;
                let turned = self.processor.flips(cell as u8, own, opponent);
                let (next, other) = (opponent ^ turned, own | turned | 1 << cell);
                best = best.max(-P::guess(self, next, other, &runs.after(1 << cell, turned), 0, -beta, -alpha));
                if best >= beta {
                    break;
                }
            }
            return best;
        }
        let first = alpha;
        let place = (own ^ opponent.rotate_left(31)).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ opponent;
        let place = (place.wrapping_mul(0xBF58_476D_1CE4_E5B9) >> (64 - PLACES)) as usize;
        let mut known = NO_CELL;
        if depth >= REMEMBERED {
            let Place { lower, upper, depth: searched, best, .. } = self.memory[place];
            if (self.memory[place].own, self.memory[place].opponent) == (own, opponent) {
                known = best;
                if u32::from(searched) == depth {
                    if i32::from(lower) >= beta || lower == upper {
                        return lower.into();
                    }
                    if i32::from(upper) <= alpha {
                        return upper.into();
                    }
                }
            }
        }
        let mut tried = [(0_u64, 0_u32, 0_u8); MOST];
        let mut length = 0;
        while cells != 0 && length < MOST {
            let cell = cells.trailing_zeros() as u8;
            cells &= cells - 1;
            let turned = self.processor.flips(cell, own, opponent);
            let replies = self.processor.moves(opponent ^ turned, own | turned | 1 << cell);
            let key =
                if cell == known { 0 } else { 1 + replies.count_ones() + (replies & super::CORNERS).count_ones() };
            tried[length] = (turned, key, cell);
            length += 1;
        }
        let mut best_cell = NO_CELL;
        for i in 0..length {
            let next = (i..length).min_by_key(|&at| tried[at].1).unwrap_or(i);
            tried.swap(i, next);
            let (turned, _, cell) = tried[i];
            let (own, opponent) = (own | turned | 1 << cell, opponent ^ turned);
            let runs = runs.after(1 << cell, turned);
            let mut value;
            if i == 0 {
                value = -P::guess(self, opponent, own, &runs, depth - 1, -beta, -alpha);
            } else {
                value = -P::guess(self, opponent, own, &runs, depth - 1, -alpha - 1, -alpha);
                if value > alpha && value < beta {
                    value = -P::guess(self, opponent, own, &runs, depth - 1, -beta, -alpha);
                }
            }
            if value > best {
                (best, best_cell) = (value, cell);
                alpha = alpha.max(best);
                if best >= beta {
                    break;
                }
            }
        }
        if depth >= REMEMBERED {
            let lower = if best > first { best } else { -FAR };
            let upper = if best < beta { best } else { FAR };
            self.memory[place] =
                Place { own, opponent, lower: lower as i16, upper: upper as i16, depth: depth as u8, best: best_cell };
        }
        best
    }
}
