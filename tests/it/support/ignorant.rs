//! Evaluations that know nothing of any game. They are one type, as a search is compiled for each type of evaluation and each game.

use griot::game::{Evaluate, Expertise, Position};
use griot::score::Score;

/// What an evaluation that knows nothing says.
pub enum Ignorant {
    /// A draw, always: play-outs judge.
    Blind,
    /// A small number, fixed for a position and its images.
    Folded,
    /// A number up to 800, fixed for a position.
    Noise,
}

impl<P: Position> Evaluate<P> for Ignorant {
    fn evaluate(&self, position: &P) -> Score {
        match self {
            Ignorant::Blind => Score::DRAW,
            Ignorant::Folded => Score::units((position.folded().0 % 15) as i32 - 7),
            Ignorant::Noise => Score::units((position.hash() % 1601) as i32 - 800),
        }
    }
}

impl<P: Position> Expertise<P> for Ignorant {
    type State = ();
}
