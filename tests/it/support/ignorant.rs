//! Evaluations that know nothing of any game, and tables that may be left away. A search is compiled for each game, each type of
//! evaluation and each type of tables: so they are one type of either, [`Ignorant`] with [`Known`].

use griot::game::{Balance, Evaluate, NoExpertise, Position, Probe};
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

impl NoExpertise for Ignorant {}

/// The tables of a game, or none.
#[derive(Clone)]
pub struct Known<T>(pub Option<T>);

impl<T> Known<T> {
    /// No tables, of the type that those of the game are of.
    pub fn nothing(_tables: &T) -> Known<T> {
        Known(None)
    }
}

impl<P: Position, T: Probe<P>> Probe<P> for Known<T> {
    fn probe(&self, position: &P) -> Option<Score> {
        self.0.as_ref()?.probe(position)
    }

    fn balance(&self, position: &P) -> Option<Balance> {
        self.0.as_ref()?.balance(position)
    }
}
