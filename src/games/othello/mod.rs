//! Othello on 8×8: a disc turns over the rows of opposing discs between itself and its own; a side that cannot move passes.
//!
//! Layer 2: knows the traits, the scores and the texts of grids. All values are plain data for any thread. Scores are seen
//! from the side to move; their unit is a hundredth of a disc of the final balance. x is `First` (black), o is `Second`.
//! CITE: B. Rose, "Othello: A Minute to Learn... A Lifetime to Master", 2005 (mobility, corners, parity).
//!
//! ```text
//!   bits, and names of cells           the cells of the evaluation
//!   1 |  0  1  2  3  4  5  6  7        o C A B B A C o     o  corner
//!   2 |  8  9 10 11 12 13 14 15        C X . . . . X C     X  beside it on the diagonal
//!   3 | 16 17 18 19 20 21 22 23        A . . . . . . A     C  beside it on the edge
//!   : |  :  :  :  :  :  :  :  :        B . . . . . . B     A B  the rest of the edge
//!   8 | 56 57 58 59 60 61 62 63        :                :
//!        a  b  c  d  e  f  g  h        64 is the pass
//! ```

mod evaluate;
mod family;
mod flips;
mod notation;
pub mod patterns;
mod rules;
pub mod solver;
mod stability;

pub use evaluate::Evaluate;
pub use family::Othello;
pub use notation::Notation;
pub use rules::{PASS, Position};

use crate::game::Game;

/// The game.
#[must_use]
pub fn game() -> Game<Notation, Evaluate> {
    // Unpacking the weights takes some milliseconds: do it here, so that no search, or `stop` of one, waits for it.
    let _ = patterns::Patterns::fitted();
    Game::new("othello", Notation, Evaluate::default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::conformance;

    #[test]
    fn the_game_keeps_the_laws() {
        let report = conformance::check(&game(), 7, 60).unwrap_or_else(|broken| panic!("{broken}"));
        assert_eq!(report.games, 60);
    }
}
