//! The static value of an awalé position: seeds in store, the shape of the two rows, and what can be captured at once.
//!
//! Units: hundredths of a seed of the final balance, for the side to move. The value is the stores' balance and a weighted
//! sum of [`features`]. The weights are fitted, by `examples/fit`, to how games end that the engine plays against itself, at
//! [`PHASES`] numbers of seeds on the board, and run straight from one to the next.

use super::board::{House, ONES, Position, at_least, captured, sum};
use super::rules::Variant;
use super::static_knowledge;
use super::weights::FITTED;
use crate::game::{Evaluate, Expertise, StaticKnowledge};
use crate::score::Score;

/// A seed in store.
pub(super) const SEED: i32 = 100;

/// The number of features.
pub const FEATURES: usize = 10;
/// The number of phases that have weights of their own: 0, 12, 24, 36 and 48 seeds on the board.
pub const PHASES: usize = 5;
/// Seeds on the board from one phase to the next.
const PHASE_SEEDS: usize = 12;
/// The most seeds on a board.
const MOST_SEEDS: usize = PHASE_SEEDS * (PHASES - 1);

/// The weights of the features in each phase.
pub type Weights = [[i32; FEATURES]; PHASES];

/// The fitted weights for each number of seeds on the board.
static WEIGHTS: [[i32; FEATURES]; MOST_SEEDS + 1] = interpolated(&FITTED);

/// The weights for each number of seeds on the board.
#[must_use]
pub const fn interpolated(weights: &Weights) -> [[i32; FEATURES]; MOST_SEEDS + 1] {
    let mut all = [weights[PHASES - 1]; MOST_SEEDS + 1];
    let mut seeds = 0;
    while seeds < MOST_SEEDS {
        let (phase, beyond) = (seeds / PHASE_SEEDS, (seeds % PHASE_SEEDS) as i32);
        let mut feature = 0;
        while feature < FEATURES {
            let (here, next) = (weights[phase][feature], weights[phase + 1][feature]);
            all[seeds][feature] = here + (next - here) * beyond / PHASE_SEEDS as i32;
            feature += 1;
        }
        seeds += 1;
    }
    all
}

/// The phase that a board of so many seeds has reached, and the share of the next one in its weights, from 0 to 1.
#[must_use]
pub fn share(seeds: u8) -> (usize, f64) {
    let seeds = usize::from(seeds).min(MOST_SEEDS);
    (seeds / PHASE_SEEDS, (seeds % PHASE_SEEDS) as f64 / PHASE_SEEDS as f64)
}

/// What the evaluation sees, in the order of the weights. Of the two rows, the mover's less the opponent's: empty houses,
/// houses of one seed, of two, of seven or more that do not go round, of a lap and more (*kroo*), seeds, and how far to the
/// right they lie (the sum of their houses' numbers, from 0). Of the mover: the most it can capture, the most the opponent
/// could if it were to move, and 1 for the move itself.
#[inline]
#[must_use]
pub fn features<V: Variant>(position: &Position<V>) -> [i32; FEATURES] {
    let mine = row_features::<V>(position.mine());
    let theirs = row_features::<V>(position.theirs());
    let mut all = [0; FEATURES];
    for (feature, (mine, theirs)) in all.iter_mut().zip(mine.into_iter().zip(theirs)) {
        *feature = mine - theirs;
    }
    let most = |position: &Position<V>| position.most_captured(position.aims()) as i32;
    all[FEATURES - 3] = most(position);
    all[FEATURES - 2] = most(&position.passed());
    all[FEATURES - 1] = 1;
    all
}

/// The features of one row.
#[inline]
fn row_features<V: Variant>(row: u64) -> [i32; FEATURES - 3] {
    /// Weighs each house by its number: the products gather in the byte of the last house, and reach at most 48 * 5.
    const NUMBERS: u64 = 0x0000_0001_0203_0405;
    let count = |threshold| sum(at_least(row, threshold) >> 7) as i32;
    let reached = [1, 2, 3, 7, 2 * V::HOUSES as u64].map(count);
    let houses = row & (ONES * 0xFF);
    let to_the_right = (houses.wrapping_mul(NUMBERS) >> 40 & 0xFF) as i32;
    [
        V::HOUSES as i32 - reached[0],
        reached[0] - reached[1],
        reached[1] - reached[2],
        (reached[3] - reached[4]).max(0),
        reached[4],
        sum(row) as i32,
        to_the_right,
    ]
}

/// The fitted evaluation of every variant.
#[derive(Debug, Clone, Copy, Default)]
pub struct AwaleEvaluation;

/// See [`Expertise::futility_margin`].
const MARGIN: i32 = 80;

impl<V: Variant> Evaluate<Position<V>> for AwaleEvaluation {
    #[inline]
    fn evaluate(&self, position: &Position<V>) -> Score {
        let weights = &WEIGHTS[usize::from(position.seeds_on_board()).min(MOST_SEEDS)];
        let shape: i32 = features(position).iter().zip(weights).map(|(feature, weight)| feature * weight).sum();
        Score::units(SEED * position.store_balance() + shape)
    }

    /// Captures.
    #[inline]
    fn is_noisy(&self, position: &Position<V>, house: House) -> bool {
        position.captured(house) > 0
    }

    #[inline]
    fn material(&self, position: &Position<V>) -> i32 {
        SEED * position.final_balance().unwrap_or_else(|| position.store_balance())
    }
}

impl<V: Variant> Expertise<Position<V>> for AwaleEvaluation {
    type State = ();

    /// Captures, the larger the sooner.
    #[inline]
    fn score_moves(
        &self,
        position: &Position<V>,
        _state: &Self::State,
        _depth: u32,
        moves: &[House],
        scores: &mut [i32],
    ) {
        let captures = position.captures();
        for (score, &house) in scores.iter_mut().zip(moves) {
            *score = captured(captures, house);
        }
    }

    /// Captures, the larger the sooner, then the first house to the last: what looks no further than the stores does better by that
    /// order than by what was good elsewhere in the tree.
    #[inline]
    fn score_moves_by_material(&self, position: &Position<V>, _depth: u32, moves: &[House], scores: &mut [i32]) {
        let captures = position.captures();
        for (score, &house) in scores.iter_mut().zip(moves) {
            *score = (captured(captures, house) + 1) * V::HOUSES as i32 - house.index() as i32;
        }
    }

    /// Chosen by matches.
    fn futility_margin(&self) -> Option<i32> {
        Some(MARGIN)
    }

    /// Looks through the last plies by itself.
    #[inline]
    fn static_knowledge_by_material(
        &self,
        position: &Position<V>,
        depth: u32,
        alpha: Score,
        beta: Score,
    ) -> Option<StaticKnowledge> {
        static_knowledge::static_knowledge(position, depth, alpha, beta)
    }
}
