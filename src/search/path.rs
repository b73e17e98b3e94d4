//! The line from the start of the game to the node being searched, for repetition.
//!
//! Floor 3. Only positions that can still come back are kept in view: an irreversible move hides everything before it.
//! For the textbook algorithms and Monte Carlo; the full search keeps a [`super::trail`], which costs it less.

use crate::game::Position;

/// The hashes of the positions before the current one.
#[derive(Debug, Clone, Default)]
pub struct Path {
    steps: Vec<Step>,
}

#[derive(Debug, Clone, Copy)]
struct Step {
    /// The position that was left.
    hash: u64,
    /// How many of the last steps, this one included, can still be repeated.
    reversible: u32,
}

impl Path {
    /// A path that starts with earlier positions of the game, oldest first, all of which can still come back.
    #[must_use]
    pub fn new(history: &[u64]) -> Path {
        let mut path = Path::default();
        for &hash in history {
            path.push(hash, false);
        }
        path
    }

    /// Leaves `position`, whose hash is given, for `next`.
    pub fn play<P: Position>(&mut self, position: &P, hash: u64, next: &P) {
        self.push(hash, position.is_irreversible(next));
    }

    fn push(&mut self, hash: u64, irreversible: bool) {
        let reversible = if irreversible { 0 } else { self.reversible() + 1 };
        self.steps.push(Step { hash, reversible });
    }

    /// Takes the last move back.
    pub fn undo(&mut self) {
        self.steps.pop();
    }

    /// The number of positions before the current one.
    #[must_use]
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether nothing came before the current position.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The number of earlier positions that can still come back.
    #[must_use]
    pub fn reversible(&self) -> u32 {
        self.steps.last().map_or(0, |step| step.reversible)
    }

    /// Where in the path the current position, of hash `hash`, stood before. The turn passes with every ply, so only every
    /// second step can match, and none closer than `min_cycle`.
    #[must_use]
    pub fn find(&self, hash: u64, min_cycle: u32) -> Option<usize> {
        let reversible = self.reversible() as usize;
        let first = (min_cycle.next_multiple_of(2) as usize).max(2);
        let len = self.steps.len();
        (first..=reversible).step_by(2).map(|back| len - back).find(|&at| self.steps[at].hash == hash)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_irreversible_move_hides_what_was_before() {
        let mut path = Path::new(&[1, 2, 3]);
        assert_eq!(path.find(2, 2), Some(1));
        path.push(4, true);
        assert_eq!(path.reversible(), 0);
        assert_eq!(path.find(2, 2), None);
        path.push(5, false);
        path.push(6, false);
        assert_eq!(path.find(5, 2), Some(4));
        assert_eq!(path.find(4, 2), None, "the position before the irreversible move cannot come back");
        path.undo();
        path.undo();
        path.undo();
        assert_eq!(path.find(2, 2), Some(1));
    }

    #[test]
    fn a_cycle_shorter_than_the_game_allows_is_not_looked_for() {
        let path = Path::new(&[9, 1, 2, 3]);
        assert_eq!(path.find(9, 4), Some(0));
        assert_eq!(path.find(9, 6), None);
    }
}
