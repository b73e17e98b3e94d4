//! The static value of an awalé position: seeds in store, and the network's value of the board ([`super::network`]). Layer 2.
//!
//! Units: hundredths of a seed of the final balance, for the side to move. `griot-train` trains the weights on games of
//! self-play.

use std::sync::Arc;

use super::board::{House, Position, captured};
use super::network::{self, Network};
use super::rules::Variant;
use super::static_knowledge;
use crate::game::{Evaluate, Expertise, Pruning, Solving, StaticKnowledge, Threats};
use crate::score::Score;

/// A seed in store.
pub(super) const SEED: i32 = 100;

/// The fitted evaluation of every variant.
#[derive(Debug, Clone)]
pub struct AwaleEvaluation {
    network: Arc<Network>,
}

impl Default for AwaleEvaluation {
    fn default() -> AwaleEvaluation {
        AwaleEvaluation { network: network::fitted() }
    }
}

/// See [`Pruning::futility_margin`].
const MARGIN: i32 = 80;

impl<V: Variant> Evaluate<Position<V>> for AwaleEvaluation {
    const CHANCES: Option<crate::game::Chances> = Some(crate::game::Chances { middle: 103.3, width: 215.8 });

    #[inline]
    fn evaluate(&self, position: &Position<V>) -> Score {
        Score::units(SEED * position.store_balance() + network::value(&self.network, position))
    }

    fn with_weights(&self, file: &[u8]) -> Result<AwaleEvaluation, String> {
        Network::read(file).map(|network| AwaleEvaluation { network: Arc::new(network) })
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

    /// Captures, the largest first.
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

    /// Captures, the largest first, then the houses in order: for searches by the stores alone this order is better
    /// than history.
    #[inline]
    fn score_moves_by_material(&self, position: &Position<V>, _depth: u32, moves: &[House], scores: &mut [i32]) {
        let captures = position.captures();
        for (score, &house) in scores.iter_mut().zip(moves) {
            *score = (captured(captures, house) + 1) * V::HOUSES as i32 - house.index() as i32;
        }
    }

    /// Computes the last plies without the search.
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

impl<V: Variant> Pruning<Position<V>> for AwaleEvaluation {
    /// Chosen by matches.
    fn futility_margin(&self) -> Option<i32> {
        Some(MARGIN)
    }

    fn singular_margin(&self) -> Option<i32> {
        Some(2)
    }

    /// Less than the standard deviation, 108 to 137, as was chosen by games (docs/experiments/awale.md).
    fn deviation(&self, _position: &Position<V>) -> Option<i32> {
        Some(90)
    }
}

impl<V: Variant> Threats<Position<V>> for AwaleEvaluation {}
impl<V: Variant> Solving<Position<V>> for AwaleEvaluation {}
