//! Discs that can never be turned again. Floor 2.

/// The discs of `mine` that can surely never be turned: in each of the four directions their line is full, or the cell on one
/// side is the edge or such a disc. There may be more.
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
            // A step round an edge comes to the edge opposite, which is safe in that direction anyway.
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

/// The cells on whose diagonal, in steps of 7 or 9, no cell is empty.
fn full_diagonals(filled: u64, step: u32) -> u64 {
    // Columns that a walk of one, two and four steps may come to; the other way round for the other direction.
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
