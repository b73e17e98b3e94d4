//! Where a line is one or two stones short. Layer 2, private to m,n,k games.
//!
//! All windows of k cells in one direction are followed at once, the one that begins at bit b in bit b, cell by cell:
//!
//! ```text
//!   short[j] = windows whose cells so far hold only stones of the side and j empty cells        j = 0, 1, 2
//!   next cell:  short[j] = short[j] & stones  |  short[j-1] & empty
//! ```

use super::Parameters;
use super::bits::Bits;

/// The empty cells that matter for the lines of one side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Threats<const W: usize> {
    /// A stone here completes a line.
    pub(super) wins: Bits<W>,
    /// A stone here leaves a line one stone short.
    pub(super) makes: Bits<W>,
    /// The same for two windows or more: most of these threaten at two cells at once.
    pub(super) doubles: Bits<W>,
}

/// The threats of the side with `stones`, on a board with these `empty` cells.
#[inline]
pub(super) fn threats<const W: usize>(stones: Bits<W>, empty: Bits<W>, parameters: Parameters) -> Threats<W> {
    let Parameters { k, exact, .. } = parameters;
    let mut found = Threats { wins: Bits::EMPTY, makes: Bits::EMPTY, doubles: Bits::EMPTY };
    for step in parameters.steps() {
        let (mut cell, mut free) = (stones, empty);
        let mut short = [stones, empty, Bits::EMPTY];
        for _ in 1..k {
            (cell, free) = (cell.down(step), free.down(step));
            short = [short[0] & cell, short[1] & cell | short[0] & free, short[2] & cell | short[1] & free];
        }
        let [_, mut one, mut two] = short;
        if exact {
            // A stone of the side at either end would make the line too long.
            let alone = !cell.down(step) & !stones.up(step);
            (one, two) = (one & alone, two & alone);
        }
        for _ in 0..k {
            found.wins = found.wins | one & empty;
            found.doubles = found.doubles | found.makes & two & empty;
            found.makes = found.makes | two & empty;
            (one, two) = (one.up(step), two.up(step));
        }
    }
    found
}

/// Only [`Threats::wins`], in half the time.
#[inline]
pub(super) fn completing<const W: usize>(stones: Bits<W>, empty: Bits<W>, parameters: Parameters) -> Bits<W> {
    let mut found = Bits::EMPTY;
    for step in parameters.steps() {
        let (mut cell, mut free) = (stones, empty);
        let (mut full, mut one) = (stones, empty);
        for _ in 1..parameters.k {
            (cell, free) = (cell.down(step), free.down(step));
            (full, one) = (full & cell, one & cell | full & free);
        }
        if parameters.exact {
            one = one & !cell.down(step) & !stones.up(step);
        }
        if one.is_empty() {
            continue;
        }
        for _ in 0..parameters.k {
            found = found | one & empty;
            one = one.up(step);
        }
    }
    found
}

/// The empty cells of windows that are three stones short and have no stone of the opponent: of any such window, and of
/// several.
pub(super) fn three_short<const W: usize>(
    stones: Bits<W>,
    empty: Bits<W>,
    parameters: Parameters,
) -> (Bits<W>, Bits<W>) {
    let (mut some, mut several) = (Bits::EMPTY, Bits::EMPTY);
    for step in parameters.steps() {
        let (mut cell, mut free) = (stones, empty);
        let mut short = [stones, empty, Bits::EMPTY, Bits::EMPTY];
        for _ in 1..parameters.k {
            (cell, free) = (cell.down(step), free.down(step));
            for j in (1..short.len()).rev() {
                short[j] = short[j] & cell | short[j - 1] & free;
            }
            short[0] = short[0] & cell;
        }
        let mut windows = short[3];
        for _ in 0..parameters.k {
            several = several | some & windows & empty;
            some = some | windows & empty;
            windows = windows.up(step);
        }
    }
    (some, several)
}

/// The value of a complete window, in the unit of [`potential`].
pub(super) const COMPLETE: u32 = 1 << 16;

/// The sum, over the windows without stones of the opponent that at most `more` stones complete, of 2 to the power of
/// minus the number of missing stones; [`COMPLETE`] is 1.
///
/// Against good defence the side to move makes no line if its sum is below one half, and its opponent makes none if its
/// own sum is below 1.
/// CITE: P. Erdős, J. L. Selfridge, "On a combinatorial game", 1973.
#[inline]
pub(super) fn potential<const W: usize>(stones: Bits<W>, empty: Bits<W>, more: u32, parameters: Parameters) -> u32 {
    /// The number of empty cells of a window is exact below this, and saturates here.
    const PLANES: usize = 5;
    let mut sum = 0;
    for step in parameters.steps() {
        let mut short = [Bits::EMPTY; PLANES];
        (short[0], short[1]) = (stones, empty);
        let (mut cell, mut free) = (stones, empty);
        let mut open = stones | empty;
        for _ in 1..parameters.k {
            (cell, free) = (cell.down(step), free.down(step));
            for j in (1..PLANES).rev() {
                short[j] = short[j] & cell | short[j - 1] & free;
            }
            short[0] = short[0] & cell;
            open = open & (cell | free);
        }
        let mut told_apart = 0;
        for (missing, windows) in short.into_iter().enumerate().skip(1) {
            let count = windows.count();
            told_apart += count;
            if missing as u32 <= more {
                sum += count * (COMPLETE >> missing);
            }
        }
        if more as usize >= PLANES {
            sum += (open.count() - told_apart) * (COMPLETE >> PLANES);
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::super::{Position, parse_parameters};
    use super::*;
    use crate::game::{Position as _, Side, SplitMix64};

    /// [`Threats`] compared with playing one or two stones.
    #[test]
    fn threats_are_what_playing_shows() {
        let mut rng = SplitMix64::new(9);
        for name in [
            "tictactoe",
            "mnk:4,4,4",
            "mnk:6,5,4",
            "mnk:6,5,4,exact",
            "mnk:7,7,5",
            "gomoku",
            "mnk:1,9,3",
            "mnk:4,4,1",
            "mnk:5,5,2",
        ] {
            let parameters = parse_parameters(name).unwrap();
            for _ in 0..8 {
                let mut position = Position::<4>::start(parameters);
                let mut moves = Vec::new();
                while position.outcome().is_none() {
                    for side in [Side::First, Side::Second] {
                        let found = threats(position.stones[side.index()], position.empty, parameters);
                        let wins = |position: &Position<4>, bit: usize| {
                            position.empty.has(bit) && position.completes(side, bit as u16)
                        };
                        let completing = completing(position.stones[side.index()], position.empty, parameters);
                        assert_eq!(completing, found.wins, "{name} {position:?}");
                        for bit in position.empty.iter() {
                            assert_eq!(found.wins.has(bit), wins(&position, bit), "{name} {position:?} {bit}");
                            if parameters.exact() {
                                continue;
                            }
                            let mut stones = position.stones;
                            stones[side.index()].flip(bit);
                            if super::super::rules::has_line(stones[side.index()], parameters) {
                                continue;
                            }
                            let next = Position::with_stones(parameters, stones, side.other());
                            let news = next.empty.iter().filter(|&b| wins(&next, b) && !wins(&position, b)).count();
                            assert!(news == 0 || found.makes.has(bit), "{name} {position:?} {bit}");
                            assert!(news < 2 || found.doubles.has(bit), "{name} {position:?} {bit}");
                        }
                    }
                    moves.clear();
                    position.generate(&mut moves);
                    position.play(moves[rng.below(moves.len())]);
                }
            }
        }
    }
}
