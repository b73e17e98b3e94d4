//! Counts of lines that a side can still complete. Layer 2.

use super::Parameters;

/// The number of lines of K cells that two more stones of `mine` complete and that contain none of `theirs`.
#[inline]
pub(super) fn begun_lines(parameters: &Parameters, mine: u64, theirs: u64) -> i32 {
    let open = parameters.cells & !theirs;
    let mut count = 0;
    for step in parameters.steps() {
        // Lines by their first cell that lack no stone, one, or two so far.
        let (mut lack, mut within) = ([u64::MAX, 0, 0], u64::MAX);
        for place in 0..u32::from(parameters.k()) {
            let here = mine >> (place * step);
            lack = [lack[0] & here, lack[1] & here | lack[0] & !here, lack[2] & here | lack[1] & !here];
            within &= open >> (place * step);
        }
        count += (lack[2] & within).count_ones();
    }
    count as i32
}

/// The number of lines of K cells without any of these `stones`.
pub(super) fn open_lines(parameters: &Parameters, stones: u64) -> i32 {
    let k = u32::from(parameters.k());
    let mut count = 0;
    for step in parameters.steps() {
        // A bit of `runs` marks the start of a run of `length` cells.
        let (mut runs, mut length) = (parameters.cells & !stones, 1);
        while length < k {
            let more = length.min(k - length);
            runs &= runs >> (more * step);
            length += more;
        }
        count += runs.count_ones();
    }
    count as i32
}
