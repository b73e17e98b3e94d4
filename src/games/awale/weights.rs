//! The fitted weights of the evaluation. Floor 2.
//!
//! Written by `cargo run --release --example fit -- awale`, and by nothing else. The last round:
//! 12000 games, 803893 positions, 7.65 seeds left unexplained.

use super::evaluate::Weights;

/// A row for each phase, in the order of `features`; hundredths of a seed.
pub(super) const FITTED: Weights = [
    [-104, -11, 32, -57, 204, 48, -30, 76, 10, -71],
    [-57, -5, 15, -54, 208, 7, -3, 82, -26, -20],
    [-217, -94, -40, 16, 184, -12, -1, 79, -49, -23],
    [-242, -55, -5, 17, 193, 3, -3, 83, -46, -54],
    [-126, -15, 31, -71, 67, 6, 0, 75, -27, -52],
];
