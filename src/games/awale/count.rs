//! Numbers of boards, ignoring stores and side to move. Layer 2.
//!
//! A pair of rows of `h` houses is a line of `2h` houses; placing seeds in them is placing `2h - 1` partitions among the seeds.
//! CITE: Épreuve commune de TIPE, partie D, "Jeu de l'awalé", 2012 (both totals).

/// The number of ways to choose `k` of `n` things; 0 when there are not so many.
///
/// Exact while `n` stays below 62.
#[must_use]
pub const fn binomial(n: u64, k: u64) -> u64 {
    if k > n {
        return 0;
    }
    let mut product = 1;
    let mut i = 0;
    while i < k {
        product = product * (n - i) as u128 / (i + 1) as u128;
        i += 1;
    }
    product as u64
}

/// The number of ways to put `seeds` seeds into `houses` houses.
///
/// ```
/// assert_eq!(griot::games::awale::count::boards(12, 12), 1_352_078);
/// ```
#[must_use]
pub const fn boards(houses: u64, seeds: u64) -> u64 {
    binomial(seeds + houses - 1, houses - 1)
}

/// The number of boards of two rows of `row` houses with `seeds` seeds in which one given row has an empty house, as
/// the row of the side that has just moved always has: for k seeds in that row, all ways to fill it minus those that
/// leave no house empty.
#[must_use]
pub const fn boards_after_a_move(row: u64, seeds: u64) -> u64 {
    let mut total = 0;
    let mut k = 0;
    while k <= seeds {
        let full = if k < row { 0 } else { boards(row, k - row) };
        total += (boards(row, k) - full) * boards(row, seeds - k);
        k += 1;
    }
    total
}

/// The number of boards of 2×6 awalé that sowing does not exclude: the start, and boards after a move with any number
/// of seeds but 47, because no capture takes a single seed.
///
/// ```
/// assert_eq!(griot::games::awale::count::reachable_boards(), 889_063_398_406);
/// ```
#[must_use]
pub const fn reachable_boards() -> u64 {
    let mut total = 1;
    let mut seeds = 0;
    while seeds <= 48 {
        if seeds != 47 {
            total += boards_after_a_move(6, seeds);
        }
        seeds += 1;
    }
    total
}

/// The number of boards of the 2×3 game with 12, 10, …, 2 seeds, the sum over i = 0..5 of C(17 − 2i, 5).
///
/// ```
/// assert_eq!(griot::games::awale::count::mini_boards(), 11_087);
/// ```
#[must_use]
pub const fn mini_boards() -> u64 {
    let mut total = 0;
    let mut seeds = 2;
    while seeds <= 12 {
        total += boards(6, seeds);
        seeds += 2;
    }
    total
}
