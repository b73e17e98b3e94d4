//! Random positions with a past.

use griot::game::{Mixer, Position};

/// A random position, and the hashes of the earlier positions that can still come back.
pub fn random_line<P: Position>(start: P, plies: usize, rng: &mut Mixer) -> (P, Vec<u64>) {
    'again: loop {
        let mut position = start.clone();
        let mut history: Vec<P> = Vec::new();
        for _ in 0..rng.below(plies + 1) {
            let mut moves = Vec::new();
            position.generate(&mut moves);
            if moves.is_empty() {
                continue 'again;
            }
            let mv = moves[rng.below(moves.len())];
            if position.is_irreversible(&position.after(mv)) {
                history.clear();
            } else {
                history.push(position.clone());
            }
            position.play(mv);
            if history.contains(&position) {
                continue 'again;
            }
        }
        if position.outcome().is_none() {
            return (position, history.iter().map(Position::hash).collect());
        }
    }
}
