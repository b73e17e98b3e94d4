//! The static value of an awalé position: seeds in store, and the shape of the two rows.
//!
//! Units: hundredths of a seed, for the side to move. The shape of a row is a number of its own and the evaluation takes the
//! difference of the two, so turning the board round changes the sign and nothing else. The weights are set by hand and were
//! compared in games of fixed depth; empty houses, which are mobility lost, matter most. The two shapes seldom differ by more
//! than two or three seeds, and never by more than [`AwaleEvaluation::MAX_STRUCTURE`].

use super::board::{House, ONES, Position, at_least, largest_byte, sum};
use super::rules::Variant;
use crate::game::{Evaluate, Foresight, Position as _};
use crate::score::{Bound, Score};

/// A seed in store.
const SEED: i32 = 100;
/// An empty house: a move less, and an open door for single seeds.
const EMPTY: i32 = -80;
/// A house of one or two seeds: one more seed from the opponent and it can be captured.
const WEAK: i32 = -8;
/// A house that sows more than a lap: it fills the opponent's houses and comes back for them.
const KROO: i32 = 30;
/// A seed in a house: it stays with its side when the game ends early.
const HELD: i32 = 3;

/// The hand-set evaluation of every variant.
#[derive(Debug, Clone, Copy, Default)]
pub struct AwaleEvaluation;

impl AwaleEvaluation {
    /// The shapes of the two rows never differ by more: six empty houses against 48 seeds in four houses of more than a lap.
    pub const MAX_STRUCTURE: i32 = -6 * EMPTY + 4 * KROO + 48 * HELD;

    /// The value of a row's shape to its owner.
    #[inline]
    fn structure<V: Variant>(row: u64) -> i32 {
        // One flag a house, in the lowest bit of its byte.
        let flags = |tops: u64| (tops & (ONES * 0x80) & ((1 << (8 * V::HOUSES)) - 1)) >> 7;
        let empty = flags(!at_least(row, 1));
        let below_three = flags(!at_least(row, 3));
        let kroo = flags(at_least(row, 2 * V::HOUSES as u64));
        EMPTY * sum(empty) as i32
            + WEAK * sum(below_three ^ empty) as i32
            + KROO * sum(kroo) as i32
            + HELD * sum(row) as i32
    }
}

/// The depth of the trees that the plain evaluation looks through by itself, in plies.
const LOOK_AHEAD: u32 = 4;

/// The stores after the side to move has won so many seeds more than the opponent.
#[inline]
fn stores<V: Variant>(position: &Position<V>, gain: u32) -> Score {
    Score::units(SEED * (position.store_balance() + gain as i32))
}

/// What plain minimax of `depth` plies makes of the stores, exact within the window and a bound outside; nothing where a line
/// may end otherwise than by a majority.
fn look_ahead<V: Variant>(position: &Position<V>, depth: u32, mut alpha: Score, beta: Score) -> Option<Score> {
    if !position.goes_on() {
        return None;
    }
    if depth == 1 && stores(position, 0) >= beta {
        // Seeds in store stay there.
        return Some(stores(position, 0));
    }
    let captures = position.captures();
    let most = largest_byte(captures).into();
    if position.wins_by_capturing(most) {
        return Some(Score::win_in(1));
    }
    if depth == 1 {
        return Some(stores(position, most));
    }
    let mut best = Score::MINUS_INFINITY;
    for captures_something in [true, false] {
        for house in position.playable_houses() {
            let gain = (captures >> (8 * house.index()) & 0xFF) as u32;
            if (gain > 0) != captures_something {
                continue;
            }
            if depth == 2 && stores(position, gain) <= alpha {
                // An answer can only take from that.
                best = best.max(stores(position, gain));
                continue;
            }
            let answer = look_ahead(&position.after(house), depth - 1, -beta.handed_down(), -alpha.handed_down())?;
            best = best.max((-answer).backed_up());
            if best >= beta {
                return Some(best);
            }
            alpha = alpha.max(best);
        }
    }
    Some(best)
}

impl<V: Variant> Evaluate<Position<V>> for AwaleEvaluation {
    #[inline]
    fn evaluate(&self, position: &Position<V>) -> Score {
        let shape = Self::structure::<V>(position.mine()) - Self::structure::<V>(position.theirs());
        Score::units(SEED * position.store_balance() + shape)
    }

    /// Captures.
    #[inline]
    fn is_noisy(&self, position: &Position<V>, house: House) -> bool {
        position.captured(house) > 0
    }

    /// Captures, the larger the sooner.
    #[inline]
    fn urgencies(&self, position: &Position<V>, _depth: u32, moves: &[House], urgencies: &mut [i32]) {
        let captures = position.captures();
        for (urgency, &house) in urgencies.iter_mut().zip(moves) {
            *urgency = (captures >> (8 * house.index()) & 0xFF) as i32;
        }
    }

    /// Looks through the last plies without what a search needs further up.
    #[inline]
    fn foresee_material(&self, position: &Position<V>, depth: u32, alpha: Score, beta: Score) -> Option<Foresight> {
        if depth > LOOK_AHEAD {
            return None;
        }
        let score = look_ahead(position, depth, alpha, beta)?;
        let bound = match score {
            score if score >= beta => Bound::Lower,
            score if score <= alpha => Bound::Upper,
            _ => Bound::Exact,
        };
        Some(Foresight { score, bound, complete: false })
    }

    #[inline]
    fn material(&self, position: &Position<V>) -> i32 {
        SEED * position.final_balance().unwrap_or_else(|| position.store_balance())
    }
}
