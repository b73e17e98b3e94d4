//! The fitted weights of the evaluation. Layer 2.
//!
//! Written by `cargo run --release -p griot-train -- connect4`, and by nothing else. The last round:
//! 9000 games, 173210 positions, 0.82 wins left unexplained.

use super::evaluate::Weights;

/// A row for each phase, in the order of `features`; hundredths of a threat.
pub(super) const FITTED: Weights = [
    [24, 106, -19, 65, 20, 34, 39, 91, -32],
    [43, 86, 13, 49, 12, 22, 33, 66, -10],
    [44, 165, 150, 16, 7, 7, 17, 30, 11],
    [135, 218, 169, -41, -8, 32, 11, 22, 1],
];
