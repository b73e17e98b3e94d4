//! Discs that can never be turned again. Layer 2.

/// Discs of `mine` that can never be turned over: in each of the four directions their line is full, or the cell on one
/// side is off the board or such a disc. There may be others.
#[inline]
pub(super) fn stable(mine: u64, theirs: u64) -> u64 {
    const EDGES: [u64; 4] =
        [0x8181_8181_8181_8181, 0xFF00_0000_0000_00FF, 0xFF81_8181_8181_81FF, 0xFF81_8181_8181_81FF];
    const STEPS: [u32; 4] = [1, 8, 7, 9];
    let filled = mine | theirs;
    let full = [full_rows(filled), full_columns(filled), full_diagonals(filled, 7), full_diagonals(filled, 9)];
    let mut stable = 0;
    loop {
        let mut next = mine;
        for direction in 0..4 {
            let step = STEPS[direction];
            // A step around an edge reaches the opposite edge, which is safe in that direction anyway.
            next &= full[direction] | EDGES[direction] | stable << step | stable >> step;
        }
        if next == stable {
            return stable;
        }
        stable = next;
    }
}

fn full_rows(filled: u64) -> u64 {
    let pairs = filled & filled >> 1;
    let fours = pairs & pairs >> 2;
    (fours & fours >> 4 & 0x0101_0101_0101_0101) * 0xFF
}

fn full_columns(filled: u64) -> u64 {
    let halves = filled & filled.rotate_left(32);
    let quarters = halves & halves.rotate_left(16);
    quarters & quarters.rotate_left(8)
}

/// The cells whose diagonal, in steps of 7 or 9, has no empty cell.
fn full_diagonals(filled: u64, step: u32) -> u64 {
    // Columns that a walk of one, two and four steps can reach; reversed for the other direction.
    let masks: [u64; 3] = if step == 9 {
        [0xFEFE_FEFE_FEFE_FEFE, 0xFCFC_FCFC_FCFC_FCFC, 0xF0F0_F0F0_F0F0_F0F0]
    } else {
        [0x7F7F_7F7F_7F7F_7F7F, 0x3F3F_3F3F_3F3F_3F3F, 0x0F0F_0F0F_0F0F_0F0F]
    };
    let (mut up, mut down) = (!filled, !filled);
    for (i, mask) in masks.into_iter().enumerate() {
        let far = step << i;
        up |= up << far & mask;
        down |= (down & mask) >> far;
    }
    !(up | down)
}

#[cfg(test)]
mod tests {
    use super::super::rules::random_positions;
    use super::*;
    use crate::game::{Position as _, Side, SplitMix64};

    /// The discs that are stable by the same rule, found cell by cell.
    fn plainly_stable(mine: u64, theirs: u64) -> u64 {
        let on_board = |col: i32, row: i32| (0..8).contains(&col) && (0..8).contains(&row);
        let has = |set: u64, col: i32, row: i32| on_board(col, row) && set >> (8 * row + col) & 1 != 0;
        let mut stable = 0;
        loop {
            let mut next = 0;
            for (col, row) in (0..8).flat_map(|row| (0..8).map(move |col| (col, row))) {
                let safe = [(1, 0), (0, 1), (1, 1), (-1, 1)].into_iter().all(|(dc, dr)| {
                    let held = |sign: i32| {
                        let (c, r) = (col + sign * dc, row + sign * dr);
                        !on_board(c, r) || has(stable, c, r)
                    };
                    let full = (-7..=7)
                        .map(|i| (col + i * dc, row + i * dr))
                        .all(|(c, r)| !on_board(c, r) || has(mine | theirs, c, r));
                    full || held(1) || held(-1)
                });
                next |= u64::from(safe && has(mine, col, row)) << (8 * row + col);
            }
            if next == stable {
                return stable;
            }
            stable = next;
        }
    }

    #[test]
    fn stable_discs_are_those_found_cell_by_cell() {
        let mut found = 0;
        random_positions(60, |position| {
            for side in [Side::First, Side::Second] {
                let (mine, theirs) = (position.discs(side), position.discs(side.other()));
                let expected = plainly_stable(mine, theirs);
                assert_eq!(stable(mine, theirs), expected, "{mine:x} {theirs:x}");
                found += expected.count_ones();
            }
        });
        assert!(found > 3000, "{found}");
    }

    #[test]
    fn a_stable_disc_is_never_turned() {
        let mut rng = SplitMix64::new(3);
        random_positions(20, |position| {
            let side = position.side_to_move();
            let sure = stable(position.discs(side), position.discs(side.other()));
            let mut later = *position;
            while later.outcome().is_none() {
                let mut moves = Vec::new();
                later.generate(&mut moves);
                later.play(moves[rng.below(moves.len())]);
                assert_eq!(later.discs(side) & sure, sure);
            }
        });
    }
}
