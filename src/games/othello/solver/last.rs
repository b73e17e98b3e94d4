//! The last four empty cells, cell by cell: no move list, nothing stored. Layer 2.
//!
//! Values are final disc differences for the side to move, the empty cells given to the winner. Every function is fail-soft
//! about the null window from `alpha` to `alpha + 1`: a result above `alpha` is a lower bound, any other an upper one.

use super::processor::Processor;

/// Below every value.
pub(super) const NONE: i32 = -127;

/// The cells next to each cell.
const NEAR: [u64; 64] = {
    let mut near = [0; 64];
    let mut cell = 0;
    while cell < 64 {
        let (col, row) = (cell % 8, cell / 8);
        let mut other = 0;
        while other < 64 {
            let (dc, dr) = (other as i32 % 8 - col as i32, other as i32 / 8 - row as i32);
            if dc.abs() <= 1 && dr.abs() <= 1 && other != cell {
                near[cell] |= 1 << other;
            }
            other += 1;
        }
        cell += 1;
    }
    near
};

/// The quadrant of each cell, as a bit.
const QUADRANT: [u8; 64] = {
    let mut quadrant = [0; 64];
    let mut cell = 0;
    while cell < 64 {
        quadrant[cell] = 1 << (cell % 8 / 4 + cell / 32 * 2);
        cell += 1;
    }
    quadrant
};

/// The two diagonals through each cell.
const DIAGONALS: [[u64; 2]; 64] = {
    let mut diagonals = [[0; 2]; 64];
    let mut cell = 0;
    while cell < 64 {
        let (col, row) = (cell as i32 % 8, cell as i32 / 8);
        let mut i = -7;
        while i <= 7 {
            if col + i >= 0 && col + i < 8 {
                if row + i >= 0 && row + i < 8 {
                    diagonals[cell][0] |= 1 << (8 * (row + i) + col + i);
                }
                if row - i >= 0 && row - i < 8 {
                    diagonals[cell][1] |= 1 << (8 * (row - i) + col + i);
                }
            }
            i += 1;
        }
        cell += 1;
    }
    diagonals
};

/// The number of discs of a line that a disc turns over, by its place and by the set of own discs on the other places;
/// all others are the opponent's or off the board.
const TURNED: [[u8; 256]; 8] = {
    let mut turned = [[0; 256]; 8];
    let mut at = 0;
    while at < 8 {
        let mut own = 0;
        while own < 256 {
            let mut above = at + 1;
            while above < 8 && own >> above & 1 == 0 {
                above += 1;
            }
            if above < 8 {
                turned[at][own] += (above - at - 1) as u8;
            }
            let mut below = at;
            while below > 0 && own >> (below - 1) & 1 == 0 {
                below -= 1;
            }
            if below > 0 {
                turned[at][own] += (at - below) as u8;
            }
            own += 1;
        }
        at += 1;
    }
    turned
};

/// The number of discs that a disc on `cell` turns over, when that is the only empty cell and its side has `own`.
#[inline(always)]
fn turned(own: u64, cell: usize) -> i32 {
    const COLUMN: u64 = 0x0101_0101_0101_0101;
    let cell = cell & 63;
    let (col, row) = (cell % 8, cell / 8);
    let in_row = own >> (8 * row) & 0xFF;
    let in_column = (own >> col & COLUMN).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    let rising = (own & DIAGONALS[cell][0]).wrapping_mul(COLUMN) >> 56;
    let falling = (own & DIAGONALS[cell][1]).wrapping_mul(COLUMN) >> 56;
    let by_column = &TURNED[col];
    let sum = by_column[in_row as usize]
        + TURNED[row][in_column as usize]
        + by_column[rising as usize]
        + by_column[falling as usize];
    i32::from(sum)
}

/// The value of a finished game.
#[inline]
pub(super) fn over(own: u64, opponent: u64) -> i32 {
    let difference = own.count_ones() as i32 - opponent.count_ones() as i32;
    let empty = (!(own | opponent)).count_ones() as i32;
    difference + difference.signum() * empty
}

/// Whether the cell is in a different quadrant from the others.
#[inline(always)]
fn alone(cell: usize, others: [usize; 2]) -> bool {
    QUADRANT[cell & 63] & (QUADRANT[others[0] & 63] | QUADRANT[others[1] & 63]) == 0
}

/// A solver of the last cells on a kind of processor, with its counts of positions.
#[derive(Debug, Clone, Copy)]
pub struct Last<P> {
    pub(super) processor: P,
    /// Positions reached by a disc or a pass.
    pub(super) nodes: u64,
    /// Those of them without an empty cell.
    pub(super) full: u64,
}

impl<P: Processor> Last<P> {
    pub(super) fn new(processor: P) -> Last<P> {
        Last { processor, nodes: 0, full: 0 }
    }

    /// One empty cell.
    #[inline(always)]
    fn one(&mut self, own: u64, cell: usize) -> i32 {
        let mine = own.count_ones() as i32;
        let gained = turned(own, cell);
        if gained > 0 {
            self.nodes += 2;
            self.full += 1;
            return 2 * (mine + gained) - 62;
        }
        // A pass.
        let lost = turned(!own & !(1 << (cell & 63)), cell);
        if lost > 0 {
            self.nodes += 3;
            self.full += 1;
            return 2 * (mine - lost) - 64;
        }
        // Nobody can move: the winner gets the cell.
        self.nodes += 2;
        if mine > 31 { 2 * mine - 62 } else { 2 * mine - 64 }
    }

    /// One empty cell, found from the discs.
    pub(super) fn single(&mut self, own: u64, opponent: u64) -> i32 {
        self.one(own, (!(own | opponent)).trailing_zeros() as usize)
    }

    /// Two empty cells.
    #[inline(always)]
    pub(super) fn two(&mut self, own: u64, opponent: u64, cells: [usize; 2], alpha: i32) -> i32 {
        self.nodes += 1;
        let [a, b] = cells;
        let mut best = NONE;
        if NEAR[a & 63] & opponent != 0 {
            let turned = self.processor.flips(a as u8, own, opponent);
            if turned != 0 {
                best = -self.one(opponent ^ turned, b);
                if best > alpha {
                    return best;
                }
            }
        }
        if NEAR[b & 63] & opponent != 0 {
            let turned = self.processor.flips(b as u8, own, opponent);
            if turned != 0 {
                return best.max(-self.one(opponent ^ turned, a));
            }
        }
        if best > NONE {
            return best;
        }
        // A pass: the opponent minimises.
        self.nodes += 1;
        let mut least = -NONE;
        let turned = self.processor.flips(a as u8, opponent, own);
        if turned != 0 {
            least = self.one(own ^ turned, b);
            if least <= alpha {
                return least;
            }
        }
        let turned = self.processor.flips(b as u8, opponent, own);
        if turned != 0 {
            least = least.min(self.one(own ^ turned, a));
        }
        if least < -NONE { least } else { over(own, opponent) }
    }

    /// Three empty cells; `passed` if the opponent has just passed.
    #[inline(always)]
    pub(super) fn three(&mut self, own: u64, opponent: u64, cells: [usize; 3], alpha: i32, passed: bool) -> i32 {
        self.nodes += 1;
        let [a, b, c] = cells;
        // With two cells in one quadrant, the third cell comes first.
        let [a, b, c] = if alone(b, [a, c]) && !alone(a, [b, c]) {
            [b, a, c]
        } else if alone(c, [a, b]) && !alone(a, [b, c]) {
            [c, a, b]
        } else {
            [a, b, c]
        };
        let mut best = NONE;
        for (cell, rest) in [(a, [b, c]), (b, [a, c]), (c, [a, b])] {
            if NEAR[cell & 63] & opponent == 0 {
                continue;
            }
            let turned = self.processor.flips(cell as u8, own, opponent);
            if turned == 0 {
                continue;
            }
            let value = -self.two(opponent ^ turned, own | turned | 1 << (cell & 63), rest, -alpha - 1);
            if value > alpha {
                return value;
            }
            best = best.max(value);
        }
        if best > NONE {
            best
        } else if passed {
            over(own, opponent)
        } else {
            -P::three(self, opponent, own, cells, -alpha - 1, true)
        }
    }

    /// Four empty cells; `passed` if the opponent has just passed.
    #[inline(always)]
    pub(super) fn four(&mut self, own: u64, opponent: u64, cells: [usize; 4], alpha: i32, passed: bool) -> i32 {
        self.nodes += 1;
        let [a, b, c, d] = cells;
        let [qa, qb, qc, qd] = cells.map(|cell| QUADRANT[cell & 63]);
        // With two cells in one quadrant and two alone, those alone come first. In all other cases the quadrants are
        // all odd or all even.
        let [a, b, c, d] = if (qa ^ qb ^ qc ^ qd).count_ones() != 2 {
            [a, b, c, d]
        } else if qa == qb {
            [c, d, a, b]
        } else if qa == qc {
            [b, d, a, c]
        } else if qa == qd {
            [b, c, a, d]
        } else if qb == qc {
            [a, d, b, c]
        } else if qb == qd {
            [a, c, b, d]
        } else {
            [a, b, c, d]
        };
        let mut best = NONE;
        for (cell, rest) in [(a, [b, c, d]), (b, [a, c, d]), (c, [a, b, d]), (d, [a, b, c])] {
            if NEAR[cell & 63] & opponent == 0 {
                continue;
            }
            let turned = self.processor.flips(cell as u8, own, opponent);
            if turned == 0 {
                continue;
            }
            let value = -P::three(self, opponent ^ turned, own | turned | 1 << (cell & 63), rest, -alpha - 1, false);
            if value > alpha {
                return value;
            }
            best = best.max(value);
        }
        if best > NONE {
            best
        } else if passed {
            over(own, opponent)
        } else {
            -P::four(self, opponent, own, cells, -alpha - 1, true)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::flips::flips;
    use super::super::processor::Portable;
    use super::*;
    use crate::game::SplitMix64;

    #[test]
    fn a_disc_on_the_last_cell_turns_as_many_as_the_rules_say() {
        let mut rng = SplitMix64::new(1);
        let mut found = [0; 2];
        for round in 0..20_000 {
            let colours = (0..round % 3).fold(rng.next_u64(), |all, _| all & rng.next_u64());
            let colours = if round % 2 == 0 { colours } else { !colours };
            let cell = rng.below(64);
            let own = colours & !(1 << cell);
            let expected = flips(cell as u8, own, !own & !(1 << cell)).count_ones() as i32;
            assert_eq!(turned(own, cell), expected, "{own:#x} {cell}");
            found[usize::from(expected > 0)] += 1;
        }
        assert!(found.iter().all(|&times| times > 1000), "{found:?}");
    }

    #[test]
    fn every_position_of_the_last_cell_is_counted() {
        // h8 is empty: x plays there; x passes and o plays there; neither can play there.
        let counted = |own: u64| {
            let mut last = Last::new(Portable);
            let value = last.single(own, !own & !(1 << 63));
            (value, last.nodes, last.full)
        };
        let (x, o) = (1_u64 << 61, 1_u64 << 62);
        assert_eq!(counted(x), (2 * (1 + 1) - 62, 2, 1));
        assert_eq!(counted(!(1 << 63 | x | o) | o), (2 * 61 - 64, 3, 1));
        assert_eq!(counted(!(1 << 63)), (64, 2, 0));
    }
}
