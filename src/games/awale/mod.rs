//! Awalé, also awari, oware, wari: two rows of houses, seeds sown anticlockwise, captures of twos and threes.
//!
//! Layer 2: knows [`crate::game`] and [`crate::score`]; no search, no protocol, no other game. Plain values, any thread.
//! Units of the evaluation: hundredths of a seed, for the side to move. South is `Side::First`. The rules are one rule book
//! with parameters, the trait [`Variant`]; a position is two words, and a move is a table look-up and an addition to each.
//!
//! ```text
//!          North  a..f = 6..11          word of a row, one byte each (`mini` leaves houses 3..5 empty):
//!        f   e   d   c   b   a
//!      +---+---+---+---+---+---+           63   56 55   48 47   40          15    8 7     0
//!      |   |   |   |   |   |   |         +--------+-------+-------+-- ... --+-------+-------+
//!      +---+---+---+---+---+---+         |0 South | store |house 5|         |house 1|house 0|
//!      |   |   |   |   |   |   |         |1 North |       | F / f |         | B / b | A / a |
//!      +---+---+---+---+---+---+         +--------+-------+-------+-- ... --+-------+-------+
//!        A   B   C   D   E   F
//!          South  A..F = 0..5           position = (row of the side to move, row of the opponent)
//! ```
//!
//! The rows swap with every move and carry their owner, so no code tests whose turn it is.

mod board;
pub mod count;
mod endings;
mod evaluate;
mod family;
mod index;
mod layers;
pub mod network;
mod notation;
mod rules;
mod static_knowledge;
#[cfg(test)]
mod tests;

pub use board::{House, Position};
pub use endings::AwaleEndings;
pub use evaluate::AwaleEvaluation;
pub use family::Awale;
pub use layers::AwaleLayers;
pub use notation::AwaleNotation;
pub use rules::{Abapa, Awari, Ending, GrandSlam, Mini, Rest, Tipe, Variant};

use crate::game::Game;

/// The game of variant `V`, named [`Variant::NAME`].
#[must_use]
pub fn game<V: Variant>() -> Game<AwaleNotation<V>, AwaleEvaluation, AwaleEndings<V>> {
    Game {
        name: V::NAME.into(),
        notation: AwaleNotation::default(),
        evaluate: AwaleEvaluation::default(),
        probe: AwaleEndings::default(),
    }
}
