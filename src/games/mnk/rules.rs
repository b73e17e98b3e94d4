//! The rules of m,n,k games. Floor 2; no text, no history.
//!
//! A move looks only along the four lines through its own stone: no other line can have changed.

use super::Parameters;
use super::bits::Bits;
use crate::game::{self, Outcome, Side, mix64};

/// A position on a board of at most `64 * W` bits, and the rules it is played by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position<const W: usize> {
    /// The stones of x and of o.
    pub(super) stones: [Bits<W>; 2],
    /// The cells without a stone.
    pub(super) empty: Bits<W>,
    hash: u64,
    pub(super) parameters: Parameters,
    turn: Side,
    /// INVARIANT: the side with a winning line, if there is one; never both.
    winner: Option<Side>,
}

impl<const W: usize> Position<W> {
    /// The empty board.
    ///
    /// # Panics
    /// When the board does not fit ([`Parameters::fits`]).
    #[must_use]
    pub fn start(parameters: Parameters) -> Position<W> {
        assert!(parameters.fits::<W>(), "{parameters} needs more than {W} words");
        let Parameters { cols, rows, k, exact } = parameters;
        Position {
            stones: [Bits::EMPTY; 2],
            empty: board(parameters),
            hash: mix64(u64::from_le_bytes([cols, rows, k, exact.into(), 1, 0, 0, 0])),
            parameters,
            turn: Side::First,
            winner: None,
        }
    }

    /// The rules of this game.
    #[must_use]
    pub fn parameters(&self) -> Parameters {
        self.parameters
    }

    /// Who has a stone on this column and row, both counted from 0; nobody has one outside the board.
    #[must_use]
    pub fn stone(&self, col: u8, row: u8) -> Option<Side> {
        let on_board = col < self.parameters.cols && row < self.parameters.rows;
        let bit = usize::from(self.parameters.bit(col, row));
        [Side::First, Side::Second].into_iter().find(|side| on_board && self.stones[side.index()].has(bit))
    }

    /// Whether a stone of `side` on this cell, lying there already or not, makes a winning line through it.
    #[inline]
    pub(super) fn completes(&self, side: Side, bit: u16) -> bool {
        let stones = &self.stones[side.index()];
        let k = u32::from(self.parameters.k);
        self.parameters.steps().into_iter().any(|step| {
            let step = step as usize;
            let length = 1 + run(stones, bit.into(), step) + run(stones, bit.into(), step.wrapping_neg());
            length == k || length > k && !self.parameters.exact
        })
    }

    /// The position with these stones, whoever made them in whatever order.
    ///
    /// INVARIANT: the stones lie on the board and on different cells, and at most one side has a winning line.
    pub(super) fn with_stones(parameters: Parameters, stones: [Bits<W>; 2], turn: Side) -> Position<W> {
        let mut position = Position { turn, ..Position::start(parameters) };
        for side in [Side::First, Side::Second] {
            for bit in stones[side.index()].iter() {
                position.put(side, bit);
            }
            if has_line(stones[side.index()], parameters) {
                position.winner = Some(side);
            }
        }
        position
    }

    #[inline]
    fn put(&mut self, side: Side, bit: usize) {
        self.stones[side.index()].flip(bit);
        self.empty.flip(bit);
        self.hash ^= key(side, bit);
    }
}

/// All cells of the board.
pub(super) fn board<const W: usize>(parameters: Parameters) -> Bits<W> {
    let mut cells = Bits::EMPTY;
    for row in 0..parameters.rows {
        for col in 0..parameters.cols {
            cells.flip(parameters.bit(col, row).into());
        }
    }
    cells
}

/// Whether a set of stones holds a winning line anywhere.
pub(super) fn has_line<const W: usize>(stones: Bits<W>, parameters: Parameters) -> bool {
    parameters.steps().into_iter().any(|step| {
        // Bit b of `lines` stays while the cells b, b + step, ... all hold stones; `ahead` is the cell after the last.
        let (mut lines, mut ahead) = (stones, stones.down(step));
        for _ in 1..parameters.k {
            lines = lines & ahead;
            ahead = ahead.down(step);
        }
        if parameters.exact {
            lines = lines & !ahead & !stones.up(step);
        }
        !lines.is_empty()
    })
}

/// The number of stones that follow each other from `bit` in steps of `step`, `bit` itself not counted.
#[inline]
fn run<const W: usize>(stones: &Bits<W>, bit: usize, step: usize) -> u32 {
    let mut length = 0;
    let mut at = bit.wrapping_add(step);
    while stones.has(at) {
        length += 1;
        at = at.wrapping_add(step);
    }
    length
}

/// The part of the hash that says that a stone of `side` lies on this cell.
#[inline]
fn key(side: Side, bit: usize) -> u64 {
    // mix64 keeps 0 and mixes small numbers least: spread them first.
    mix64((2 * bit as u64 + side.index() as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15))
}

impl<const W: usize> game::Position for Position<W> {
    type Move = u16;

    fn side_to_move(&self) -> Side {
        self.turn
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        match self.winner {
            Some(side) => Some(Outcome::Win(side)),
            None => self.empty.is_empty().then_some(Outcome::Draw),
        }
    }

    /// From rank 1 up, each rank from file a on.
    #[inline]
    fn generate(&self, moves: &mut Vec<u16>) {
        if self.winner.is_none() {
            moves.extend(self.empty.iter().map(|bit| bit as u16));
        }
    }

    #[inline]
    fn play(&mut self, mv: u16) {
        let side = self.turn;
        self.put(side, mv.into());
        if self.completes(side, mv) {
            self.winner = Some(side);
        }
        self.turn = side.other();
    }

    fn hash(&self) -> u64 {
        self.hash
    }
}
