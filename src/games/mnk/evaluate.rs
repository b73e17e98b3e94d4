//! Static evaluation of m,n,k games: how far each side has come in the lines still open to it.
//!
//! Floor 2. Unit: one open window with one stone in it. Score of the side to move; never a decided one.
//!
//! A window is k cells in a row; it is open to a side while the other has no stone there. With n stones it counts 4^(n-1),
//! up to [`MAX_WEIGHT`]. All windows of a direction are handled at once, the one that begins at bit b in bit b:
//!
//! ```text
//!   stones of cell 0, 1, .. k-1 of every window = stones, stones >> step, .. stones >> (k-1)·step
//!   sum of the k bits of each window, bit-sliced:  planes[0] = ones, planes[1] = twos, planes[2] = fours, ...
//!   windows with n stones = AND of planes[i] or !planes[i], by bit i of n
//! ```

use super::bits::Bits;
use super::rules::board;
use super::{MAX_SIDE, Parameters, Position};
use crate::game::{self, Position as _};
use crate::score::Score;

/// The most that one window counts.
const MAX_WEIGHT: i32 = 4096;

/// Worth of having the move.
const TEMPO: i32 = 5;

/// Open lines, weighted by the stones in them.
///
/// The unit is one open window with one stone in it, and `cp` shows units as they are; n stones count 4^(n-1), at most
/// 4096. When overlines do not win, a window next to a further stone of the same side counts nothing, because filling it
/// would make an overline. The side to move gets 5 units.
#[derive(Debug, Clone, Copy)]
pub struct Evaluate<const W: usize> {
    parameters: Parameters,
    /// The first cells of the windows of each direction, in the order of `Parameters::steps`.
    windows: [Bits<W>; 4],
    /// What a window with so many stones counts.
    weights: [i32; MAX_SIDE as usize],
}

impl<const W: usize> Evaluate<W> {
    /// The evaluation for one game.
    ///
    /// # Panics
    /// When the board does not fit ([`Parameters::fits`]).
    #[must_use]
    pub fn new(parameters: Parameters) -> Evaluate<W> {
        assert!(parameters.fits::<W>(), "{parameters} needs more than {W} words");
        let cells = board::<W>(parameters);
        let windows = parameters.steps().map(|step| {
            let (mut windows, mut ahead) = (cells, cells);
            for _ in 1..parameters.k {
                ahead = ahead.down(step);
                windows = windows & ahead;
            }
            windows
        });
        let mut weights = [0; MAX_SIDE as usize];
        let mut weight = 1;
        for entry in &mut weights[1..] {
            *entry = weight;
            weight = (4 * weight).min(MAX_WEIGHT);
        }
        Evaluate { parameters, windows, weights }
    }

    /// Open windows of the side to move minus those of the other; counts of stones have `PLANES` binary digits.
    fn balance<const PLANES: usize>(&self, mine: Bits<W>, theirs: Bits<W>) -> i32 {
        let Parameters { k, exact, .. } = self.parameters;
        let mut balance = 0;
        for (step, windows) in self.parameters.steps().into_iter().zip(self.windows) {
            let (mut my_cell, mut their_cell) = (mine, theirs);
            let (mut mine_in, mut theirs_in) = (Bits::EMPTY, Bits::EMPTY);
            let mut planes = [Bits::EMPTY; PLANES];
            for _ in 0..k {
                mine_in = mine_in | my_cell;
                theirs_in = theirs_in | their_cell;
                // Windows with stones of both sides do not count, so that one sum serves both.
                let mut carry = my_cell | their_cell;
                for plane in &mut planes {
                    (*plane, carry) = (*plane ^ carry, *plane & carry);
                }
                (my_cell, their_cell) = (my_cell.down(step), their_cell.down(step));
            }
            let mut my_open = windows & mine_in & !theirs_in;
            let mut their_open = windows & theirs_in & !mine_in;
            if exact {
                my_open = my_open & !my_cell & !mine.up(step);
                their_open = their_open & !their_cell & !theirs.up(step);
            }
            for n in 1..k {
                let with_n = planes
                    .iter()
                    .enumerate()
                    .fold(my_open | their_open, |all, (i, &plane)| all & if n >> i & 1 != 0 { plane } else { !plane });
                let count = (with_n & my_open).count() as i32 - (with_n & their_open).count() as i32;
                balance += self.weights[usize::from(n)] * count;
            }
        }
        balance
    }
}

impl<const W: usize> game::Evaluate<Position<W>> for Evaluate<W> {
    fn evaluate(&self, position: &Position<W>) -> Score {
        let side = position.side_to_move();
        let (mine, theirs) = (position.stones[side.index()], position.stones[side.other().index()]);
        let balance = match self.parameters.k {
            0..4 => self.balance::<2>(mine, theirs),
            4..8 => self.balance::<3>(mine, theirs),
            8..16 => self.balance::<4>(mine, theirs),
            16.. => self.balance::<5>(mine, theirs),
        };
        Score::units(balance + TEMPO)
    }

    /// Moves that complete a line, and moves that keep the opponent from completing one there.
    fn is_noisy(&self, position: &Position<W>, mv: u16) -> bool {
        let side = position.side_to_move();
        position.completes(side, mv) || position.completes(side.other(), mv)
    }
}
