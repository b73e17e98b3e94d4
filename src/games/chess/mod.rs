//! Chess and Chess960, over the crate `cozy-chess`: the crate supplies the rules, this folder the traits of [`crate::game`].
//!
//! Layer 2: knows the traits and the scores. Plain data for any thread. White is `First`, Black is `Second`. Scores are for the
//! side to move, in hundredths of a pawn. Squares are numbered as in the crate, 0 for a1 to 63 for h8.
//! CITE: chessprogramming wiki, "Evaluation", "Tapered Eval".

mod endings;
mod evaluate;
mod family;
pub mod network;
mod notation;
mod polyglot;
mod rules;

pub use endings::Endings;
pub use evaluate::Evaluate;
pub use family::Chess;
pub use notation::Notation;
pub use rules::Position;

use cozy_chess::Color;

use crate::game::{Game, Side};

/// The game from the usual start position.
#[must_use]
pub fn game() -> Game<Notation, Evaluate, Endings> {
    named("chess".into(), Notation::default())
}

fn named(name: String, notation: Notation) -> Game<Notation, Evaluate, Endings> {
    Game { name, notation, evaluate: Evaluate::default(), probe: Endings::default() }
}

/// Chess960 from the start position of this number, from 0 to 959; 518 is the usual one.
#[must_use]
pub fn chess960(number: u32) -> Game<Notation, Evaluate, Endings> {
    let name = if number == USUAL { "chess960".into() } else { format!("chess960:{number}") };
    named(name, Notation { chess960: Some(number) })
}

/// The number of the usual start position in Chess960.
const USUAL: u32 = 518;

const fn side_of(color: Color) -> Side {
    match color {
        Color::White => Side::First,
        Color::Black => Side::Second,
    }
}
