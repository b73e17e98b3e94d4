//! The fitted weights of the evaluation. Floor 2.
//!
//! Written by `cargo run --release --example fit -- othello`, and by nothing else. The last round:
//! 40000 games, 1900929 positions, 19.57 discs left unexplained.

use super::evaluate::Weights;

/// A row for each phase, in the order of `features`; hundredths of a disc.
pub(super) const FITTED: Weights = [
    [232, 109, -1193, 72, -455, 2392, 734, -2171, -230, 143, 70, 692, -104, 137, -144, -559],
    [19, 4, -1199, 46, -179, 2371, 590, -1974, -206, 234, 49, 662, 53, 5, 52, -312],
    [-39, 156, -1211, 18, -109, 1836, 420, -1276, -267, 180, 133, 283, 21, -59, 17, -228],
    [9, 129, -1106, 1, -128, 1152, 670, -645, -243, 95, -7, 149, -6, 2, -6, -205],
    [26, 115, -887, -7, -65, 603, 632, -248, -139, 8, 44, 132, 27, -34, -4, -133],
    [40, 154, -585, -100, -64, 286, 515, -25, -96, -52, -41, 102, -5, 8, -48, -81],
    [86, 83, -91, -261, -74, 10, 81, 44, -32, -3, -24, 102, 5, 2, 120, 23],
];
