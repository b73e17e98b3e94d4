//! Legal moves and flips: bits of the board in, bits of the board out. Layer 2.
//!
//! Twice: for any processor, and in [`avx2`], where four directions go in one register.
//!
//! ```text
//!   upwards (to higher bits) from the disc at x, along one ray:      . x o o o * .
//!     cells off the ray and opposing cells set:                      1 1 1 1 1 0 ?
//!     plus the bit after x: the carry stops at the first other cell  1 1 0 0 0 1 ?      * own: the o between are turned
//! ```

use wide::u64x2;

/// All columns but the first and the last: a run of opposing discs never crosses the edge between h and a.
const INNER: u64 = 0x7E7E_7E7E_7E7E_7E7E;

/// The rays from each cell to higher bits: east, south-west, south, south-east.
const UP: [[u64; 4]; 64] = rays(1);
/// The rays from each cell to lower bits: west, north-east, north, north-west.
const DOWN: [[u64; 4]; 64] = rays(-1);

const fn rays(sign: i32) -> [[u64; 4]; 64] {
    let directions = [[1, 0], [-1, 1], [0, 1], [1, 1]];
    let mut rays = [[0; 4]; 64];
    let mut cell = 0;
    while cell < 64 {
        let mut direction = 0;
        while direction < 4 {
            let [dc, dr] = directions[direction];
            let (mut col, mut row) = (cell as i32 % 8 + sign * dc, cell as i32 / 8 + sign * dr);
            while col >= 0 && col < 8 && row >= 0 && row < 8 {
                rays[cell][direction] |= 1 << (8 * row + col);
                col += sign * dc;
                row += sign * dr;
            }
            direction += 1;
        }
        cell += 1;
    }
    rays
}

/// The empty cells on which a disc of `mine` turns over at least one of `theirs`.
#[inline]
pub(super) fn moves(mine: u64, theirs: u64) -> u64 {
    let inner = theirs & INNER;
    // The board, and the board upside down: steps south on one are steps north on the other.
    let both = |board: u64| u64x2::new([board, board.swap_bytes()]);
    let (own, all, inner_both) = (both(mine), both(theirs), both(inner));
    let south = behind(own, all, 8) | behind(own, inner_both, 7) | behind(own, inner_both, 9);
    let [south, north] = south.to_array();
    // To the east, the carry of one addition passes through a whole run.
    let east = inner.wrapping_add(mine << 1 & inner) & !inner;
    let mut west = inner & mine >> 1;
    west |= inner & west >> 1;
    let pairs = inner & inner >> 1;
    west |= pairs & west >> 2;
    west |= pairs & west >> 2;
    (south | north.swap_bytes() | east | west >> 1) & !(mine | theirs)
}

/// The cells after runs of `theirs` that begin next to `mine`, in steps of `step` to higher bits.
#[inline]
fn behind(mine: u64x2, theirs: u64x2, step: u32) -> u64x2 {
    // Runs of up to six: one, two, then twice two more at once, along pairs of opposing discs.
    let mut run = theirs & mine << step;
    run |= theirs & run << step;
    let pairs = theirs & theirs << step;
    run |= pairs & run << (2 * step);
    run |= pairs & run << (2 * step);
    run << step
}

/// The discs of `theirs` that a disc of `mine` on the empty cell `at` turns over.
#[inline]
pub(super) fn flips(at: u8, mine: u64, theirs: u64) -> u64 {
    let cell = usize::from(at & 63);
    let mut flipped = 0;
    for ray in UP[cell] {
        let behind = (theirs | !ray).wrapping_add(2 << cell) & ray & mine;
        flipped |= behind.wrapping_sub(u64::from(behind != 0)) & ray;
    }
    for ray in DOWN[cell] {
        // The first cell of the ray, from the top, that is not theirs; the lowest bit if there is none.
        let first = 1 << (63 - (ray & !theirs | 1).leading_zeros());
        let behind = first & ray & mine;
        flipped |= (behind << 1).wrapping_neg() & ray;
    }
    flipped
}

/// The same for processors with AVX2.
#[cfg(target_arch = "x86_64")]
pub(super) mod avx2 {
    use std::arch::x86_64::{
        __m256i, _mm256_add_epi64, _mm256_and_si256, _mm256_andnot_si256, _mm256_cmpeq_epi64, _mm256_or_si256,
        _mm256_set1_epi64x, _mm256_setzero_si256, _mm256_sllv_epi64, _mm256_srlv_epi64, _mm256_sub_epi64,
    };

    use super::{DOWN, INNER, UP};

    /// One word for each direction.
    type Four = __m256i;

    #[inline]
    #[target_feature(enable = "avx2")]
    fn four(numbers: [u64; 4]) -> Four {
        bytemuck::cast(numbers)
    }

    /// The union of the four sets.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn any(sets: Four) -> u64 {
        let [a, b, c, d]: [u64; 4] = bytemuck::cast(sets);
        a | b | c | d
    }

    /// See [`super::moves`].
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(in super::super) fn moves(mine: u64, theirs: u64) -> u64 {
        let own = _mm256_set1_epi64x(mine.cast_signed());
        // East, south-west, south, south-east, and the opposite directions.
        let steps = four([1, 7, 8, 9]);
        let double_steps = four([2, 14, 16, 18]);
        let other = _mm256_and_si256(_mm256_set1_epi64x(theirs.cast_signed()), four([INNER, INNER, !0, INNER]));
        // Runs of up to six, as above.
        let mut up = _mm256_and_si256(other, _mm256_sllv_epi64(own, steps));
        let mut down = _mm256_and_si256(other, _mm256_srlv_epi64(own, steps));
        up = _mm256_or_si256(up, _mm256_and_si256(other, _mm256_sllv_epi64(up, steps)));
        down = _mm256_or_si256(down, _mm256_and_si256(other, _mm256_srlv_epi64(down, steps)));
        let pairs_up = _mm256_and_si256(other, _mm256_sllv_epi64(other, steps));
        let pairs_down = _mm256_srlv_epi64(pairs_up, steps);
        for _ in 0..2 {
            up = _mm256_or_si256(up, _mm256_and_si256(pairs_up, _mm256_sllv_epi64(up, double_steps)));
            down = _mm256_or_si256(down, _mm256_and_si256(pairs_down, _mm256_srlv_epi64(down, double_steps)));
        }
        any(_mm256_or_si256(_mm256_sllv_epi64(up, steps), _mm256_srlv_epi64(down, steps))) & !(mine | theirs)
    }

    /// See [`super::flips`].
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(in super::super) fn flips(at: u8, mine: u64, theirs: u64) -> u64 {
        let cell = usize::from(at & 63);
        let (zero, ones) = (_mm256_setzero_si256(), _mm256_set1_epi64x(-1));
        let own = _mm256_set1_epi64x(mine.cast_signed());
        let other = _mm256_set1_epi64x(theirs.cast_signed());
        let (up, down) = (four(UP[cell]), four(DOWN[cell]));

        // Upwards, the carry of an addition finds the cell after the run.
        let off_ray_or_other = _mm256_or_si256(other, _mm256_andnot_si256(up, ones));
        let carry = _mm256_add_epi64(off_ray_or_other, _mm256_set1_epi64x((2_u64 << cell).cast_signed()));
        let behind = _mm256_and_si256(_mm256_and_si256(carry, up), own);
        // One less than the cell, or 0 if there is none.
        let below = _mm256_sub_epi64(_mm256_add_epi64(behind, ones), _mm256_cmpeq_epi64(behind, zero));
        let turned_up = _mm256_and_si256(below, up);

        // Downwards, the cells that end a run are spread along the ray: the run lies above the result.
        let steps = four([1, 7, 8, 9]);
        let ends = _mm256_andnot_si256(other, down);
        let mut beyond = _mm256_or_si256(ends, _mm256_srlv_epi64(ends, steps));
        beyond = _mm256_or_si256(beyond, _mm256_srlv_epi64(beyond, four([2, 14, 16, 18])));
        beyond = _mm256_or_si256(beyond, _mm256_srlv_epi64(beyond, four([4, 28, 32, 36])));
        let behind = _mm256_andnot_si256(_mm256_srlv_epi64(beyond, steps), _mm256_and_si256(ends, own));
        let is_none = _mm256_cmpeq_epi64(behind, zero);
        let turned_down = _mm256_andnot_si256(is_none, _mm256_andnot_si256(beyond, down));

        any(_mm256_or_si256(turned_up, turned_down))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::SplitMix64;

    /// The discs turned over, found cell by cell.
    fn plain(at: u8, mine: u64, theirs: u64) -> u64 {
        let mut flipped = 0;
        for (dc, dr) in [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)] {
            let (mut col, mut row, mut run) = (i32::from(at % 8) + dc, i32::from(at / 8) + dr, 0_u64);
            while (0..8).contains(&col) && (0..8).contains(&row) {
                let cell = 1 << (8 * row + col);
                if mine & cell != 0 {
                    flipped |= run;
                }
                if theirs & cell == 0 {
                    break;
                }
                run |= cell;
                (col, row) = (col + dc, row + dr);
            }
        }
        flipped
    }

    #[test]
    fn any_board_gives_the_flips_found_cell_by_cell() {
        let mut rng = SplitMix64::new(1);
        let mut turned = 0;
        for round in 0..4000 {
            // From sparse to full boards, and boards almost full of one colour.
            let filled = (0..round % 4).fold(rng.next_u64(), |all, _| all | rng.next_u64());
            let colours = (0..round % 3).fold(rng.next_u64(), |all, _| all & rng.next_u64());
            let (mine, theirs) = (filled & colours, filled & !colours);
            let mut legal = 0;
            for at in (0..64).filter(|at| filled & 1 << at == 0) {
                let expected = plain(at, mine, theirs);
                assert_eq!(flips(at, mine, theirs), expected, "{at} {mine:x} {theirs:x}");
                legal |= u64::from(expected != 0) << at;
                turned += expected.count_ones();
            }
            assert_eq!(moves(mine, theirs), legal, "{mine:x} {theirs:x}");
        }
        assert!(turned > 50_000, "{turned}");
    }

    #[test]
    fn the_longest_runs_are_turned_and_nothing_round_an_edge() {
        // From h1 along the whole first row to a1.
        assert_eq!(flips(7, 1, 0x7E), 0x7E);
        assert_eq!(flips(0, 0x80, 0x7E), 0x7E);
        assert_eq!(moves(1, 0x7E), 0x80);
        // h2, with a run that ends on h1 and goes on at a2, is no line.
        assert_eq!(flips(9, 1 << 7, 1 << 8), 0);
        assert_eq!(moves(1 << 7, 1 << 8), 0);
        // No own disc at the end of the run: the edge, or an empty cell.
        assert_eq!(flips(7, 0, 0x7F), 0);
        assert_eq!(flips(63, 0, u64::MAX >> 1), 0);
        assert_eq!(flips(0, 0, u64::MAX - 1), 0);
    }
}
