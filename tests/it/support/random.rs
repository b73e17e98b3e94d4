//! Random positions with a past.

use griot::game::{Position, SplitMix64};

/// A random position at most so many plies on, and the hashes of the earlier positions that can still come back.
pub fn random_line<P: Position>(start: P, plies: usize, rng: &mut SplitMix64) -> (P, Vec<u64>) {
    loop {
        let plies = rng.below(plies + 1);
        if let Some(found) = random_walk(&start, plies, rng) {
            return found;
        }
    }
}

/// The same after just so many plies; nothing when the game ends by then, or a position comes up again.
pub fn random_walk<P: Position>(start: &P, plies: usize, rng: &mut SplitMix64) -> Option<(P, Vec<u64>)> {
    let mut position = start.clone();
    let mut history: Vec<P> = Vec::new();
    for _ in 0..plies {
        let mut moves = Vec::new();
        position.generate(&mut moves);
        if moves.is_empty() {
            return None;
        }
        let mv = moves[rng.below(moves.len())];
        if position.is_irreversible(&position.after(mv)) {
            history.clear();
        } else {
            history.push(position.clone());
        }
        position.play(mv);
        if history.contains(&position) {
            return None;
        }
    }
    let goes_on = position.outcome().is_none();
    goes_on.then(|| (position, history.iter().map(Position::hash).collect()))
}
