//! The rules of m,n,k games. Layer 2; no text, no history.
//!
//! A move can only make a line through its own stone, so only those are tested.

use super::Parameters;
use super::bits::Bits;
use super::{renju, symmetry};
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
    pub(super) turn: Side,
    /// INVARIANT: the side with a winning line, if there is one; never both.
    pub(super) winner: Option<Side>,
}

impl<const W: usize> Position<W> {
    /// The empty board.
    ///
    /// # Panics
    /// When the board does not fit ([`Parameters::fits`]).
    #[must_use]
    pub fn start(parameters: Parameters) -> Position<W> {
        assert!(parameters.fits::<W>(), "{parameters} needs more than {W} words");
        let Parameters { cols, rows, k, exact, renju } = parameters;
        Position {
            stones: [Bits::EMPTY; 2],
            empty: board(parameters),
            hash: mix64(u64::from_le_bytes([cols, rows, k, exact.into(), 1, renju.into(), 0, 0])),
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

    /// The owner of the stone on this column and row, both from 0; `None` outside the board.
    #[must_use]
    pub fn stone(&self, col: u8, row: u8) -> Option<Side> {
        let on_board = col < self.parameters.cols && row < self.parameters.rows;
        let bit = usize::from(self.parameters.bit(col, row));
        [Side::First, Side::Second].into_iter().find(|side| on_board && self.stones[side.index()].has(bit))
    }

    /// The same stones with the other side to move.
    pub(super) fn passed(&self) -> Position<W> {
        Position { turn: self.turn.other(), ..*self }
    }

    /// Whether a side has passed: the number of stones would have the other side to move.
    pub(super) fn has_passed(&self) -> bool {
        let stones = self.stones.iter().map(|stones| stones.count()).sum::<u32>();
        stones % 2 != self.turn.index() as u32
    }

    /// Whether a stone of `side` on this cell, present or not, makes a winning line through it.
    ///
    /// INVARIANT: without that stone the side has no winning line.
    #[inline]
    pub(super) fn completes(&self, side: Side, bit: u16) -> bool {
        let stones = &self.stones[side.index()];
        if W == 1 {
            // In one word, testing the whole board takes no branches and is faster: 14 against 17 ns a move on 4x4.
            return has_line(stones.with(bit.into()), self.parameters.of(side));
        }
        let Parameters { k, exact, .. } = self.parameters.of(side);
        let k = u32::from(k);
        self.parameters.steps().into_iter().any(|step| {
            let step = step as usize;
            let length = 1 + run(stones, bit.into(), step) + run(stones, bit.into(), step.wrapping_neg());
            length == k || length > k && !exact
        })
    }

    /// The position with these stones, in whatever order they were played.
    ///
    /// INVARIANT: the stones lie on the board and on different cells, and at most one side has a winning line.
    pub(super) fn with_stones(parameters: Parameters, stones: [Bits<W>; 2], turn: Side) -> Position<W> {
        let mut position = Position { turn, ..Position::start(parameters) };
        for side in [Side::First, Side::Second] {
            for bit in stones[side.index()].iter() {
                position.put(side, bit);
            }
            if has_line(stones[side.index()], parameters.of(side)) {
                position.winner = Some(side);
            }
        }
        if position.has_passed() {
            position.hash ^= PASSED;
        }
        position
    }

    /// Whether all free cells are forbidden to the side to move.
    #[inline]
    fn is_stuck(&self) -> bool {
        let may_be = self.parameters.renju && self.turn == Side::First && self.empty.count() <= MOST_STUCK;
        may_be && (self.empty & !renju::forbidden(self)).is_empty()
    }

    #[inline]
    fn put(&mut self, side: Side, bit: usize) {
        self.stones[side.index()].flip(bit);
        self.empty.flip(bit);
        self.hash ^= key(side, bit);
    }
}

/// Part of the hash of a position in which a side has passed: the stones alone no longer tell whose turn it is.
const PASSED: u64 = 0x5C17_9E0D_A3B4_6F21;

/// The most cells that can all be forbidden: each needs two stones nearby on each of two lines.
const MOST_STUCK: u32 = 64;

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

/// Whether a set of stones holds a winning line, by the rules of its side.
pub(super) fn has_line<const W: usize>(stones: Bits<W>, parameters: Parameters) -> bool {
    parameters.steps().into_iter().any(|step| {
        // Bit b of `lines` stays set while the cells b, b + step, ... all hold stones; `ahead` is the cell after the
        // last.
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

/// The number of consecutive stones from `bit` in steps of `step`, `bit` itself not counted.
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

/// The hash component of a stone of `side` on this cell.
#[inline]
fn key(side: Side, bit: usize) -> u64 {
    // mix64 keeps 0 and mixes small numbers least, so spread them first.
    mix64((2 * bit as u64 + side.index() as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15))
}

impl<const W: usize> game::Position for Position<W> {
    type Move = u16;

    const MOVE_INDICES: usize = 64 * W;

    fn move_index(mv: u16) -> usize {
        usize::from(mv)
    }

    fn side_to_move(&self) -> Side {
        self.turn
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        match self.winner {
            Some(side) => Some(Outcome::Win(side)),
            None if self.empty.is_empty() => Some(Outcome::Draw),
            None => self.is_stuck().then_some(Outcome::Win(self.turn.other())),
        }
    }

    /// From rank 1 up, each rank from file a on.
    #[inline]
    fn generate(&self, moves: &mut Vec<u16>) {
        if self.winner.is_none() {
            let free = self.empty & !renju::forbidden(self);
            moves.extend(free.iter().map(|bit| bit as u16));
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

    fn after_pass(&self) -> Option<Position<W>> {
        Some(Position { hash: self.hash ^ PASSED, ..self.passed() })
    }

    fn hash(&self) -> u64 {
        self.hash
    }

    fn plies_left(&self) -> Option<u32> {
        Some(self.empty.count())
    }

    /// The image with the lowest stones, on boards of one word; on larger boards images of one position seldom meet.
    fn folded(&self) -> (u64, u8) {
        let [Some(x), Some(o)] = [self.stones[0].word(), self.stones[1].word()] else { return (self.hash, 0) };
        let images = (0..symmetry::count(self.parameters)).map(|symmetry| {
            let [x, o] = [x, o].map(|stones| symmetry::image(stones, symmetry, self.parameters));
            (x, o, symmetry)
        });
        let (x, o, symmetry) = images.min().unwrap_or((x, o, 0));
        let spread = o.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(32);
        (mix64(x ^ spread ^ mix64(Self::start(self.parameters).hash ^ self.turn as u64)), symmetry)
    }

    fn carried(&self, mv: u16, symmetry: u8) -> u16 {
        symmetry::image(1 << mv, symmetry, self.parameters).trailing_zeros() as u16
    }
}

#[cfg(test)]
mod tests {
    use super::super::{MAX_SIDE, parse_parameters};
    use super::*;
    use crate::game::Position as _;

    /// The outcome with stones of `side` on these cells; the last one is played, the others are placed.
    fn line(parameters: Parameters, side: Side, cells: &[(u8, u8)]) -> Option<Outcome> {
        fn in_words<const W: usize>(parameters: Parameters, side: Side, cells: &[(u8, u8)]) -> Option<Outcome> {
            let (last, others) = cells.split_last().unwrap();
            let mut position = Position::<W>::start(parameters);
            for &(col, row) in others {
                position.put(side, parameters.bit(col, row).into());
            }
            position.turn = side;
            position.after(parameters.bit(last.0, last.1)).outcome()
        }
        let outcome = in_words::<8>(parameters, side, cells);
        if parameters.fits::<1>() {
            assert_eq!(in_words::<1>(parameters, side, cells), outcome);
        }
        outcome
    }

    fn game(cols: u8, rows: u8, k: u8, exact: bool) -> Parameters {
        Parameters::new(cols, rows, k, exact).unwrap()
    }

    /// Plays cells given as column and row from 0 from the start.
    fn play<const W: usize>(parameters: Parameters, cells: &[(u8, u8)]) -> Position<W> {
        let mut position = Position::start(parameters);
        for &(col, row) in cells {
            assert_eq!(position.outcome(), None);
            position.play(parameters.bit(col, row));
        }
        position
    }

    #[test]
    fn a_line_wins_in_each_direction_whichever_stone_is_last() {
        let parameters = game(6, 5, 4, false);
        for (col, row, dc, dr) in [(1, 2, 1, 0), (3, 1, 0, 1), (2, 0, 1, 1), (5, 1, -1, 1), (0, 4, 1, -1), (0, 0, 1, 0)]
        {
            let mut cells: Vec<(u8, u8)> = (0..4).map(|i: i8| ((col + i * dc) as u8, (row + i * dr) as u8)).collect();
            for side in [Side::First, Side::Second] {
                for _ in 0..4 {
                    assert_eq!(line(parameters, side, &cells), Some(Outcome::Win(side)), "{cells:?}");
                    assert_eq!(line(parameters, side, &cells[1..]), None, "{cells:?} but one");
                    cells.rotate_left(1);
                }
            }
        }
    }

    /// Every set of k cells that a step around an edge would join, also on boards with a full last word.
    #[test]
    fn no_line_runs_round_an_edge() {
        for (cols, rows) in [(3, 3), (4, 3), (7, 8), (15, 15), (1, 6), (22, 22)] {
            let parameters = game(cols, rows, 2, false);
            for (col, row) in (0..rows).flat_map(|row| (0..cols).map(move |col| (col, row))) {
                for (other_col, other_row) in (0..rows).flat_map(|r| (0..cols).map(move |c| (c, r))) {
                    if rows > 8 && col % (cols - 1) != 0 && row % (rows - 1) != 0 {
                        continue;
                    }
                    let apart = col.abs_diff(other_col).max(row.abs_diff(other_row));
                    if apart > 0 {
                        let outcome = line(parameters, Side::First, &[(col, row), (other_col, other_row)]);
                        assert_eq!(outcome.is_some(), apart == 1, "{col},{row} and {other_col},{other_row}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_gap_or_a_stone_of_the_opponent_breaks_a_line() {
        let gap = line(game(7, 7, 4, false), Side::First, &[(0, 0), (1, 0), (2, 0), (4, 0)]);
        assert_eq!(gap, None);
        // x on a1 b1 c1 e1 f1, o on d1.
        let broken =
            play::<1>(game(7, 7, 4, false), &[(0, 0), (3, 0), (1, 0), (0, 6), (2, 0), (2, 6), (4, 0), (4, 6), (5, 0)]);
        assert_eq!(broken.outcome(), None);
    }

    #[test]
    fn an_overline_wins_unless_the_line_must_be_exact() {
        let six = [(2, 3), (3, 3), (4, 3), (6, 3), (7, 3), (5, 3)];
        let freestyle = Parameters::GOMOKU_FREESTYLE;
        assert_eq!(line(freestyle, Side::Second, &six), Some(Outcome::Win(Side::Second)));
        assert_eq!(line(Parameters::GOMOKU, Side::Second, &six), None);
        assert_eq!(line(Parameters::GOMOKU, Side::Second, &six[1..]), Some(Outcome::Win(Side::Second)));
        // The same for a line of five extended at an end, and for two lines joined, shorter than five or not.
        for (last, others) in
            [(1, vec![2, 3, 4, 5, 6]), (7, vec![2, 3, 4, 5, 6]), (7, vec![2, 3, 4, 5, 6, 8, 9, 10, 11])]
        {
            let cells: Vec<_> = others.into_iter().chain([last]).map(|col| (col, 3)).collect();
            assert_eq!(line(Parameters::GOMOKU, Side::First, &cells), None);
        }
    }

    #[test]
    fn an_overline_does_not_spoil_an_exact_line_in_another_direction() {
        let mut cells = vec![(2, 3), (3, 3), (4, 3), (6, 3), (7, 3)];
        cells.extend([(5, 4), (5, 5), (5, 6), (5, 7)]);
        cells.push((5, 3));
        assert_eq!(line(Parameters::GOMOKU, Side::First, &cells), Some(Outcome::Win(Side::First)));
        // One more stone above makes both lines overlines.
        cells.insert(0, (5, 8));
        assert_eq!(line(Parameters::GOMOKU, Side::First, &cells), None);
    }

    #[test]
    fn a_stone_of_the_opponent_next_to_an_exact_line_does_not_matter() {
        let parameters = game(7, 3, 3, true);
        let position = play::<1>(parameters, &[(1, 0), (0, 0), (2, 0), (4, 0), (3, 0)]);
        assert_eq!(position.outcome(), Some(Outcome::Win(Side::First)));
        // x on c1 d1, then a1, then b1 makes four.
        let position = play::<1>(parameters, &[(2, 0), (0, 2), (3, 0), (2, 2), (0, 0), (4, 2), (1, 0)]);
        assert_eq!(position.outcome(), None);
    }

    #[test]
    fn one_in_a_row_is_won_by_the_first_stone() {
        for parameters in [game(1, 1, 1, false), game(5, 2, 1, true), game(22, 22, 1, false)] {
            let position = play::<8>(parameters, &[(0, 0)]);
            assert_eq!(position.outcome(), Some(Outcome::Win(Side::First)));
        }
    }

    #[test]
    fn narrow_boards_have_lines_along_them_only() {
        let two = play::<1>(game(1, 5, 2, false), &[(0, 0), (0, 4), (0, 1)]);
        assert_eq!(two.outcome(), Some(Outcome::Win(Side::First)));
        let draw = play::<1>(game(1, 5, 3, false), &[(0, 0), (0, 1), (0, 2), (0, 3), (0, 4)]);
        assert_eq!(draw.outcome(), Some(Outcome::Draw));
        let row = play::<1>(game(22, 1, 3, false), &[(21, 0), (0, 0), (19, 0), (1, 0), (20, 0)]);
        assert_eq!(row.outcome(), Some(Outcome::Win(Side::First)));
    }

    #[test]
    fn the_largest_board_reaches_into_its_last_corner() {
        let parameters = game(MAX_SIDE, MAX_SIDE, MAX_SIDE, false);
        let last = MAX_SIDE - 1;
        let diagonals: [fn(u8) -> (u8, u8); 4] =
            [|i| (i, i), |i| (MAX_SIDE - 1 - i, i), |i| (i, MAX_SIDE - 1), |i| (MAX_SIDE - 1, i)];
        for cell in diagonals {
            let cells: Vec<_> = (0..=last).map(cell).collect();
            assert_eq!(line(parameters, Side::First, &cells), Some(Outcome::Win(Side::First)));
            assert_eq!(line(parameters, Side::First, &cells[..cells.len() - 1]), None);
        }
        let mut moves = Vec::new();
        Position::<8>::start(parameters).generate(&mut moves);
        assert_eq!(moves.len(), 484);
        assert_eq!((moves[0], moves[1], moves[22], moves[483]), (0, 1, 23, 504));
    }

    #[test]
    fn a_full_board_without_a_line_is_a_draw_and_with_one_a_win() {
        // X O X / X O O / O X X, x last on c1.
        let cells = [(0, 2), (1, 2), (2, 2), (1, 1), (0, 1), (2, 1), (1, 0), (0, 0), (2, 0)];
        let draw = play::<1>(Parameters::TIC_TAC_TOE, &cells);
        assert_eq!(draw.outcome(), Some(Outcome::Draw));
        let mut moves = Vec::new();
        draw.generate(&mut moves);
        assert!(moves.is_empty());
        // X O X / O O X / O X X, the column c filled last.
        let cells = [(0, 2), (1, 2), (2, 2), (0, 1), (2, 1), (1, 1), (1, 0), (0, 0), (2, 0)];
        let win = play::<1>(Parameters::TIC_TAC_TOE, &cells);
        assert_eq!(win.outcome(), Some(Outcome::Win(Side::First)));
    }

    #[test]
    fn a_won_game_has_no_moves_left() {
        let won = play::<1>(Parameters::TIC_TAC_TOE, &[(0, 0), (0, 1), (1, 0), (1, 1), (2, 0)]);
        let mut moves = Vec::new();
        won.generate(&mut moves);
        assert!(moves.is_empty());
        assert_eq!((won.outcome(), won.side_to_move()), (Some(Outcome::Win(Side::First)), Side::Second));
    }

    #[test]
    fn moves_come_rank_by_rank_from_a1() {
        let position = play::<1>(Parameters::TIC_TAC_TOE, &[(1, 1)]);
        let mut moves = Vec::new();
        position.generate(&mut moves);
        assert_eq!(moves, [0, 1, 2, 4, 6, 8, 9, 10]);
    }

    #[test]
    fn the_order_of_the_moves_leaves_no_trace() {
        let one = play::<1>(Parameters::TIC_TAC_TOE, &[(0, 0), (1, 1), (2, 2)]);
        let other = play::<1>(Parameters::TIC_TAC_TOE, &[(2, 2), (1, 1), (0, 0)]);
        assert_eq!((one, one.hash()), (other, other.hash()));
        let moved = play::<1>(Parameters::TIC_TAC_TOE, &[(2, 2), (0, 0), (1, 1)]);
        assert_ne!(one.hash(), moved.hash());
    }

    #[test]
    fn the_line_search_of_texts_agrees_with_that_of_moves() {
        let mut rng = crate::game::SplitMix64::new(3);
        for name in ["mnk:7,7,3", "mnk:7,7,3,exact", "mnk:9,5,4,exact", "mnk:12,12,4", "mnk:20,20,4,exact", "mnk:3,9,2"]
        {
            let parameters = parse_parameters(name).unwrap();
            for _ in 0..200 {
                let mut position = Position::<8>::start(parameters);
                let mut moves = Vec::new();
                while position.outcome().is_none() {
                    moves.clear();
                    position.generate(&mut moves);
                    position.play(moves[rng.below(moves.len())]);
                    let again = Position::with_stones(parameters, position.stones, position.turn);
                    assert_eq!(again, position, "{name}");
                }
            }
        }
    }
}
