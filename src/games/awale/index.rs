//! The number of a board among all boards with as many seeds, by the combinatorial number system.
//!
//! A board of n seeds in m houses (the mover's first) is a row of n seeds and m - 1 walls. With s_i seeds in houses 0 to i,
//! wall i stands at place s_i + i, and
//!
//! ```text
//!   rank = sum over i = 0 .. m-2 of C(s_i + i, i + 1)       0 .. C(n + m - 1, m - 1) - 1
//!
//!   mover's row      c0 c1 c2 c3 c4 c5  * 01 01 01 01 01 01 (bytes)  =  s0 s1 s2 s3 s4 s5
//!   opponent's row   c6 ..          c11 * 01 01 01 01 01 01          =  s6 - s5 .. s11 - s5
//! ```
//!
//! A product gives the sums of a row, a table look-up each binomial. CITE: D. E. Knuth, The Art of Computer Programming 4A,
//! 7.2.1.3 (combinatorial number system).

use super::board::{ONES, sum};
use super::count::binomial;
use super::rules::Variant;

/// `PLACES[i][s]` is C(s + i, i + 1), what wall i adds when s seeds lie before it.
static PLACES: [[u64; 64]; 11] = {
    let mut places = [[0; 64]; 11];
    let mut i = 0;
    while i < 11 {
        let mut s = 0;
        // No board holds more than 48.
        while s <= 48 {
            places[i][s] = binomial((s + i) as u64, i as u64 + 1);
            s += 1;
        }
        i += 1;
    }
    places
};

/// The six house bytes of a row.
const HOUSES: u64 = ONES * 0xFF;

/// The seeds in house 0 and up to each house, one byte each.
#[inline]
const fn running_sums(row: u64) -> u64 {
    (row & HOUSES).wrapping_mul(ONES)
}

/// The rank of a board of variant `V` with these rows; stores and owners are ignored.
#[inline]
pub(super) fn rank<V: Variant>(mine: u64, theirs: u64) -> u64 {
    let seen = running_sums(mine);
    let behind = running_sums(theirs) + sum(mine) * ONES;
    let mut rank = 0;
    for i in 0..V::HOUSES {
        rank += PLACES[i][(seen >> (8 * i) & 63) as usize];
    }
    for i in 0..V::HOUSES - 1 {
        rank += PLACES[V::HOUSES + i][(behind >> (8 * i) & 63) as usize];
    }
    rank
}

/// The rows of the board of `seeds` seeds with this rank.
pub(super) fn unrank<V: Variant>(seeds: usize, mut rank: u64) -> (u64, u64) {
    let mut rows = [0, 0];
    let mut sum = seeds;
    for house in (1..2 * V::HOUSES).rev() {
        let places = &PLACES[house - 1];
        // The highest place that is not too high; the first is 0. Most houses hold few seeds, so a search from above is
        // short.
        let mut before = sum;
        while places[before & 63] > rank {
            before -= 1;
        }
        rank -= places[before & 63];
        rows[house / V::HOUSES] |= ((sum - before) as u64) << (8 * (house % V::HOUSES));
        sum = before;
    }
    (rows[0] | sum as u64, rows[1])
}

/// The rows of the next board in the order of ranks. A seed of the first house with seeds, house 0 excluded, moves to
/// the house before it, together with all seeds of house 0. The last board, with all seeds in house 0, is followed by
/// itself.
#[inline]
pub(super) const fn next<V: Variant>(mine: u64, theirs: u64) -> (u64, u64) {
    let (first, rest) = (mine & 0xFF, mine & HOUSES & !0xFF);
    if rest != 0 {
        let house = rest.trailing_zeros() & !7;
        return (rest - (1 << house) + ((first + 1) << (house - 8)), theirs & HOUSES);
    }
    let theirs = theirs & HOUSES;
    if theirs == 0 {
        return (mine & HOUSES, 0);
    }
    match theirs.trailing_zeros() & !7 {
        0 => ((first + 1) << (8 * (V::HOUSES - 1)), theirs - 1),
        house => (0, theirs - (1 << house) + ((first + 1) << (house - 8))),
    }
}

#[cfg(test)]
mod tests {
    use super::super::count::boards;
    use super::super::rules::{Abapa, Mini};
    use super::*;

    fn check_all<V: Variant>(most: usize) {
        for seeds in 0..=most {
            let size = boards(2 * V::HOUSES as u64, seeds as u64);
            let mut rows = unrank::<V>(seeds, 0);
            for number in 0..size {
                assert_eq!(unrank::<V>(seeds, number), rows);
                assert_eq!((sum(rows.0) + sum(rows.1), rank::<V>(rows.0, rows.1)), (seeds as u64, number));
                rows = next::<V>(rows.0, rows.1);
            }
            assert_eq!(rank::<V>(rows.0, rows.1), size - 1, "the last one is followed by itself");
        }
    }

    #[test]
    fn boards_are_numbered_without_gaps() {
        check_all::<Mini>(12);
        check_all::<Abapa>(7);
    }

    #[test]
    fn the_greatest_ranks_are_right() {
        let size = boards(12, 48);
        assert_eq!(unrank::<Abapa>(48, size - 1), (48, 0));
        assert_eq!(rank::<Abapa>(48, 0), size - 1);
        let (mine, theirs) = unrank::<Abapa>(48, size / 3);
        assert_eq!(rank::<Abapa>(mine, theirs), size / 3);
    }

    #[test]
    fn stores_and_owners_do_not_count() {
        assert_eq!(
            rank::<Abapa>(0x0012_0003_0001_0002, 0x0113_0000_0200_0104),
            rank::<Abapa>(0x0003_0001_0002, 0x0200_0104)
        );
    }
}
