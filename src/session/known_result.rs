//! The decisive result that the last search reported, for the search after the opponent's reply.
//!
//! Layer 4; written on the search thread. Distances are plies. A search that finds a win of unknown length reports no more
//! plies than before, and repeats the last final balance.

use std::sync::{Arc, Mutex, PoisonError};

use crate::game::Position;
use crate::score::{Meaning, Score};

/// The decisive result after the move that was played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct KnownResult {
    /// The hash of the position after that move.
    after: u64,
    /// The game is won within this many plies, whatever the reply.
    plies: Option<u32>,
    /// The reported final balance in hundredths, for the player of the move.
    balance: Option<i32>,
}

impl KnownResult {
    /// The result to keep from a search with best move `mv`; `None` if its score is not certain.
    pub(super) fn of<P: Position>(root: &P, score: Score, balance: Option<i32>, mv: P::Move) -> Option<KnownResult> {
        let plies = match score.meaning() {
            Meaning::Win(plies) => plies.checked_sub(1),
            _ => None,
        };
        score.is_decisive().then(|| KnownResult { after: root.after(mv).hash(), plies, balance })
    }

    /// The game is won within this many plies after the reply.
    pub(super) fn won_within(&self) -> Option<u32> {
        self.plies?.checked_sub(1)
    }

    pub(super) fn balance(&self) -> Option<i32> {
        self.balance
    }
}

/// The last decisive result, shared by the searches of a session.
#[derive(Debug, Clone, Default)]
pub(super) struct LastResult(Arc<Mutex<Option<KnownResult>>>);

impl LastResult {
    pub(super) fn set(&self, known_result: Option<KnownResult>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = known_result;
    }

    /// The result kept for a game whose last position but this one was `before`.
    pub(super) fn after<P: Position>(&self, before: &P) -> Option<KnownResult> {
        let known_result = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known_result.filter(|known_result| known_result.after == before.hash())
    }
}
