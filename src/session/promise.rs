//! What the last search has found of the end of the game, for the one after the opponent's reply.
//!
//! Layer 4; written on the search thread. Distances are plies. A search that sees that the game is won, but not how soon, knows
//! from this that it takes no longer than was said before; and what final balance was told last.

use std::sync::{Arc, Mutex, PoisonError};

use crate::game::Position;
use crate::score::{Meaning, Score};

/// What holds after the move that was played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Promise {
    /// The hash of the position there.
    after: u64,
    /// Within so many plies the game is won, whatever the reply.
    plies: Option<u32>,
    /// The final balance that was told, in hundredths, for the player of the move.
    balance: Option<i32>,
}

impl Promise {
    /// What the score of a search promises whose best move `mv` is played; nothing when it is no certain one.
    pub(super) fn of<P: Position>(root: &P, score: Score, balance: Option<i32>, mv: P::Move) -> Option<Promise> {
        let plies = match score.meaning() {
            Meaning::Win(plies) => plies.checked_sub(1),
            _ => None,
        };
        score.is_decisive().then(|| Promise { after: root.after(mv).hash(), plies, balance })
    }

    /// Within how many plies the game is won after the reply.
    pub(super) fn won_within(&self) -> Option<u32> {
        self.plies?.checked_sub(1)
    }

    pub(super) fn balance(&self) -> Option<i32> {
        self.balance
    }
}

/// What was promised last, shared by the searches of a session.
#[derive(Debug, Clone, Default)]
pub(super) struct Promised(Arc<Mutex<Option<Promise>>>);

impl Promised {
    pub(super) fn set(&self, promise: Option<Promise>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = promise;
    }

    /// What was promised in a game whose last position but this one was `before`.
    pub(super) fn after<P: Position>(&self, before: &P) -> Option<Promise> {
        let promise = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        promise.filter(|promise| promise.after == before.hash())
    }
}
