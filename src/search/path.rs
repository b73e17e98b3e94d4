//! The line from the start of the game to the present node, for repetition.
//!
//! Layer 3. Only positions that can still repeat are kept: an irreversible move hides everything before it. For the textbook
//! algorithms and Monte Carlo; the full search uses the cheaper [`super::trail`].

use crate::game::Position;

/// The hashes of the positions before the current one.
#[derive(Debug, Clone, Default)]
pub struct Path {
    steps: Vec<Step>,
}

#[derive(Debug, Clone, Copy)]
struct Step {
    /// The hash of the position that was left.
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

    /// Plays from `position`, which has this `hash`, to `next`.
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

    /// Whether the current position, which has this `hash`, has occurred often enough for the game to end. The turn
    /// passes with every ply, so only every second step can match, and none closer than the shortest cycle.
    #[must_use]
    pub fn repeats<P: Position>(&self, hash: u64) -> bool {
        let reversible = self.reversible() as usize;
        let first = (P::MIN_CYCLE.next_multiple_of(2) as usize).max(2);
        let len = self.steps.len();
        let mut matches = (first..=reversible).step_by(2).filter(|back| self.steps[len - back].hash == hash);
        matches.nth(P::OCCURRENCES as usize - 2).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Outcome, Side};

    /// Only the constants matter.
    #[derive(Debug, Clone, PartialEq, Eq)]
    struct Cycles<const MIN: u32, const OCCURRENCES: u32>;

    impl<const MIN: u32, const OCCURRENCES: u32> Position for Cycles<MIN, OCCURRENCES> {
        type Move = ();
        const MIN_CYCLE: u32 = MIN;
        const OCCURRENCES: u32 = OCCURRENCES;

        fn side_to_move(&self) -> Side {
            Side::First
        }
        fn outcome(&self) -> Option<Outcome> {
            None
        }
        fn generate(&self, _moves: &mut Vec<()>) {}
        fn play(&mut self, (): ()) {}
        fn hash(&self) -> u64 {
            0
        }
    }

    #[test]
    fn an_irreversible_move_hides_what_was_before() {
        let mut path = Path::new(&[1, 2, 3]);
        let repeats = |path: &Path, hash| path.repeats::<Cycles<2, 2>>(hash);
        assert!(repeats(&path, 2));
        path.push(4, true);
        assert_eq!(path.reversible(), 0);
        assert!(!repeats(&path, 2));
        path.push(5, false);
        path.push(6, false);
        assert!(repeats(&path, 5));
        assert!(!repeats(&path, 4), "the position before the irreversible move cannot come back");
        path.undo();
        path.undo();
        path.undo();
        assert!(repeats(&path, 2));
    }

    #[test]
    fn a_cycle_shorter_than_the_game_allows_is_not_looked_for() {
        let path = Path::new(&[9, 1, 2, 3]);
        assert!(path.repeats::<Cycles<4, 2>>(9));
        assert!(!path.repeats::<Cycles<6, 2>>(9));
    }

    #[test]
    fn a_position_may_have_to_come_up_more_often() {
        let path = Path::new(&[9, 1, 9, 2]);
        assert!(path.repeats::<Cycles<2, 2>>(9) && path.repeats::<Cycles<2, 3>>(9));
        assert!(!path.repeats::<Cycles<2, 4>>(9) && !path.repeats::<Cycles<4, 3>>(9));
    }
}
