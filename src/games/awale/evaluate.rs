//! The static value of an awalé position: seeds in store, and the shape of the two rows.
//!
//! Units: hundredths of a seed, for the side to move. The shape of a row is a number of its own and the evaluation takes the
//! difference of the two, so turning the board round changes the sign and nothing else. The weights are set by hand and were
//! compared in games of fixed depth; empty houses, which are mobility lost, matter most. The two shapes seldom differ by more
//! than two or three seeds, and never by more than [`AwaleEvaluation::MAX_STRUCTURE`].

use super::board::{House, ONES, Position, at_least, sum};
use super::rules::Variant;
use crate::game::{Evaluate, Foresight};
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
        for (urgency, &house) in urgencies.iter_mut().zip(moves) {
            *urgency = position.captured(house) as i32;
        }
    }

    /// One ply is worth its largest capture, and a reply can only take from that: seeds in store stay there.
    #[inline]
    fn foresee_material(&self, position: &Position<V>, depth: u32, alpha: Score, beta: Score) -> Option<Foresight> {
        if depth > 2 || !position.goes_on_for(depth) {
            return None;
        }
        let balance = position.store_balance();
        let value = |gain: u32| Score::units(SEED * (balance + gain as i32));
        let seen = |score, bound| Some(Foresight { score, bound, complete: false });
        if depth == 1 && value(0) >= beta {
            return seen(value(0), Bound::Lower);
        }
        let gain = position.largest_capture();
        if position.wins_by_capturing(gain) {
            return Some(Foresight { score: Score::win_in(1), bound: Bound::Exact, complete: true });
        }
        match depth {
            1 => seen(value(gain), Bound::Exact),
            _ if value(gain) <= alpha => seen(value(gain), Bound::Upper),
            _ => None,
        }
    }

    #[inline]
    fn material(&self, position: &Position<V>) -> i32 {
        SEED * position.final_balance().unwrap_or_else(|| position.store_balance())
    }
}
