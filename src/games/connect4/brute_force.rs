//! Plain minimax with a memory, the reference for the tests of this game.

use std::collections::HashMap;

use super::Board;
use super::rules::Position;
use crate::game::Position as _;
use crate::score::Score;

/// The values of positions, by their keys.
pub(super) type Known = HashMap<u64, Score>;

/// The value of a position for the side to move, searched to the end of the game.
pub(super) fn value<B: Board>(position: &Position<B>, known: &mut Known) -> Score {
    if let Some(outcome) = position.outcome() {
        return outcome.score_for(position.side_to_move());
    }
    if let Some(&score) = known.get(&position.key()) {
        return score;
    }
    let mut moves = Vec::new();
    position.generate(&mut moves);
    let behind = moves.into_iter().map(|mv| (-value(&position.after(mv), known)).backed_up());
    let best = behind.max().unwrap_or(Score::DRAW);
    known.insert(position.key(), best);
    best
}
