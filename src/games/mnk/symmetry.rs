//! The images of a board of one word under reflections. Layer 2, private to m,n,k games.
//!
//! A symmetry is a number below 8, done bit by bit: 1 turns by half a turn, 2 turns the rows upside down, 4 swaps columns and
//! rows, in this order; 4 and more belong to square boards only.
//!
//! ```text
//!   half turn    the word read backwards: bit i goes to last - i, the column without cells (*) comes first and is shifted out
//!   transposed   a row times 1 + 2^(s-1) + 2^2(s-1) + ... has bit i at i·s, where s = cols + 1; no two partial products meet
//! ```

use super::Parameters;

/// The number of symmetries of a board, including the identity.
pub(super) const fn count(parameters: Parameters) -> u8 {
    if parameters.cols == parameters.rows { 8 } else { 4 }
}

/// The image of a set of cells.
#[inline]
pub(super) fn image(cells: u64, symmetry: u8, parameters: Parameters) -> u64 {
    let Parameters { cols, rows, .. } = parameters;
    let stride = u32::from(cols) + 1;
    let row_mask = (1_u64 << cols) - 1;
    let mut cells = cells;
    if symmetry & 1 != 0 {
        cells = cells.reverse_bits() >> (65 - u32::from(rows) * stride);
    }
    if symmetry & 2 != 0 {
        cells = (0..u32::from(rows)).fold(0, |turned, row| turned << stride | cells >> (row * stride) & row_mask);
    }
    if symmetry & 4 != 0 {
        let (mut factor, mut column) = (0_u64, 0_u64);
        for i in 0..u32::from(cols) {
            factor |= 1 << (i * (stride - 1));
            column |= 1 << (i * stride);
        }
        cells = (0..u32::from(rows)).fold(0, |swapped, row| {
            swapped | ((cells >> (row * stride) & row_mask).wrapping_mul(factor) & column) << row
        });
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::super::parse_parameters;
    use super::*;

    #[test]
    fn images_are_reflections() {
        for name in
            ["tictactoe", "mnk:4,4,4", "mnk:5,6,4", "mnk:6,5,4", "mnk:7,7,5", "mnk:1,9,3", "mnk:22,2,3", "mnk:8,7,4"]
        {
            let parameters = parse_parameters(name).unwrap();
            let (cols, rows) = (parameters.cols(), parameters.rows());
            for symmetry in 0..count(parameters) {
                for (col, row) in (0..rows).flat_map(|row| (0..cols).map(move |col| (col, row))) {
                    let (mut c, mut r) = (col, row);
                    if symmetry & 1 != 0 {
                        (c, r) = (cols - 1 - c, rows - 1 - r);
                    }
                    if symmetry & 2 != 0 {
                        r = rows - 1 - r;
                    }
                    if symmetry & 4 != 0 {
                        (c, r) = (r, c);
                    }
                    let image = image(1 << parameters.bit(col, row), symmetry, parameters);
                    assert_eq!(image, 1 << parameters.bit(c, r), "{name} {symmetry} {col},{row}");
                }
            }
        }
    }
}
