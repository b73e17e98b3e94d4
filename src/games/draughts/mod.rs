//! Draughts: English, international, Russian, Brazilian, Pool, Italian and Frisian, and two games with another goal.
//!
//! Layer 2: knows the traits and the scores. Plain data for any thread. The rule sets are rows of a table ([`RULES`]); one type of
//! position serves them all, and the generator of moves is compiled for each. `First` is Black in English draughts and Pool, else
//! White. Scores are for the side to move, in hundredths of a man.
//!
//! ```text
//!   rule_sets   the rules as data            position   the trait of a game's rules
//!   board       squares as bits, moves       notation   FEN of PDN, moves, pictures
//!   evaluate    evaluation, quiescence       family     names, menu, samples
//!   patterns    the fitted weights           layers, endings   tables of English draughts
//! ```

mod board;
mod endings;
mod evaluate;
mod family;
mod layers;
mod notation;
pub mod patterns;
mod position;
mod rule_sets;
#[cfg(test)]
mod tests;

pub use board::{Move, Position};
pub use endings::Endings;
pub use evaluate::Evaluate;
pub use family::Draughts;
pub use layers::EnglishLayers;
pub use notation::Notation;
pub use rule_sets::{Choice, Color, Ending, Goal, Names, Passing, RULES, Rules, named};

use crate::game::Game;

/// The game of that rule set, an index of [`RULES`].
///
/// # Panics
/// If there is no such rule set.
#[must_use]
pub fn game(kind: u8) -> Game<Notation, Evaluate, Endings> {
    let name = format!("draughts:{}", RULES[usize::from(kind)].name);
    let notation = Notation { kind, hub: false };
    Game { name, notation, evaluate: Evaluate::fitted(kind), probe: Endings::of(kind) }
}
