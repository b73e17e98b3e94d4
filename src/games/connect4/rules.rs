//! The rules of Connect Four, and fast queries of a position by shifts. Layer 2.
//!
//! ```text
//!   mine   the stones of the side to move        key = mine + mask: in each column the sum is different for every
//!   mask   the stones of both sides              filling of it, and never carries into the next one
//!
//!   one column:   mask 0000111   mine 0000101   key 0001100      mask + bottom = the lowest free cell, 0001000
//! ```

use super::{Board, Parameters};
use crate::game::{self, Outcome, Side, mix64};

/// A position, on a board of kind `B`. Moves are the bits of cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position<B> {
    mine: u64,
    mask: u64,
    /// Whether the side that moved last has a line.
    won: bool,
    board: B,
}

impl<B: Board> Position<B> {
    /// The empty board.
    #[must_use]
    pub fn start(board: B) -> Position<B> {
        Position { mine: 0, mask: 0, won: false, board }
    }

    /// The position with these stones of x and of o; whose turn it is follows from their number.
    ///
    /// INVARIANT: each column is filled from below, and x has as many stones as o or one more.
    pub(super) fn with_stones(board: B, stones: [u64; 2]) -> Position<B> {
        let position = Position { mask: stones[0] | stones[1], ..Position::start(board) };
        let side = game::Position::side_to_move(&position);
        let won = has_line(board.parameters(), stones[side.other().index()]);
        Position { mine: stones[side.index()], won, ..position }
    }

    /// The rules of this game.
    #[must_use]
    #[inline]
    pub fn parameters(&self) -> &Parameters {
        self.board.parameters()
    }

    /// The kind of board.
    #[inline]
    pub(super) fn board(&self) -> B {
        self.board
    }

    /// The stones of a side, as bits.
    #[must_use]
    #[inline]
    pub fn stones(&self, side: Side) -> u64 {
        if side == game::Position::side_to_move(self) { self.mine } else { self.mask ^ self.mine }
    }

    /// The owner of the stone on this column and row, both from 0; `None` outside the board.
    #[must_use]
    pub fn stone(&self, col: u8, row: u8) -> Option<Side> {
        let parameters = self.parameters();
        let on_board = col < parameters.cols && row < parameters.rows;
        let cell = if on_board { 1 << parameters.bit(col, row) } else { 0 };
        [Side::First, Side::Second].into_iter().find(|&side| self.stones(side) & cell != 0)
    }

    /// The lowest free cell of every column that has one, as bits: the cells that can be played.
    #[must_use]
    #[inline]
    pub fn playable(&self) -> u64 {
        let parameters = self.parameters();
        (self.mask + parameters.bottom) & parameters.cells
    }

    /// The cell where a stone in this column (from 0) lands, if there is one.
    #[must_use]
    pub fn landing(&self, col: u8) -> Option<u8> {
        let cell = self.playable() & self.parameters().column(col.into());
        (cell != 0 && col < self.parameters().cols).then(|| cell.trailing_zeros() as u8)
    }

    /// The free cells on which a stone of `side` completes a line, now or later, as bits.
    #[must_use]
    #[inline]
    pub fn winning_cells(&self, side: Side) -> u64 {
        self.completions(self.stones(side))
    }

    /// Whether the side to move can complete a line at once.
    ///
    /// Meaningless when the game is over.
    #[must_use]
    #[inline]
    pub fn can_win(&self) -> bool {
        self.completions(self.mine) & self.playable() != 0
    }

    /// The cells that can be played without the opponent completing a line in reply, as bits; none if every move allows
    /// that.
    ///
    /// Meant for positions in which [`Position::can_win`] is false: winning moves are not treated specially.
    #[must_use]
    #[inline]
    pub fn non_losing_moves(&self) -> u64 {
        safe(self.playable(), self.completions(self.mask ^ self.mine))
    }

    /// The free cells on which the side that plays `mv` completes a line after it, as bits. Their number orders moves.
    #[must_use]
    #[inline]
    pub fn threats_after(&self, mv: u8) -> u64 {
        self.completions(self.mine | 1 << mv) & !(1 << mv)
    }

    /// Whether the side to move, after one of these cells, completes a line whatever the opponent replies.
    ///
    /// INVARIANT: the side to move cannot complete a line at once, and neither can the opponent after these cells.
    #[inline]
    pub(super) fn wins_in_three(&self, mut cells: u64) -> bool {
        let playable = self.playable();
        while cells != 0 {
            let mv = cells.trailing_zeros() as u8;
            cells &= cells - 1;
            let next = playable ^ 1 << mv | (2 << mv & self.parameters().cells);
            if safe(next, self.threats_after(mv)) == 0 {
                return true;
            }
        }
        false
    }

    /// A number below 2^64, unique for each position of this board.
    #[must_use]
    #[inline]
    pub fn key(&self) -> u64 {
        self.mine + self.mask
    }

    /// The [`Position::key`] of the mirror image, which has the same value.
    #[must_use]
    #[inline]
    pub fn mirrored_key(&self) -> u64 {
        mirrored(self.parameters(), self.key())
    }

    /// The number of stones on the board.
    #[must_use]
    #[inline]
    pub fn stones_played(&self) -> u32 {
        self.mask.count_ones()
    }

    /// The cells without a stone, as bits.
    #[must_use]
    #[inline]
    pub fn free(&self) -> u64 {
        self.parameters().cells & !self.mask
    }

    /// The free cells that complete a line with `stones` of one side.
    #[inline]
    fn completions(&self, stones: u64) -> u64 {
        completions(self.parameters(), stones) & !self.mask
    }

    /// Whether a stone of `side` on this free cell completes a line.
    #[inline]
    pub(super) fn completes(&self, side: Side, mv: u8) -> bool {
        has_line(self.parameters(), self.stones(side) | 1 << mv)
    }
}

/// The cells, free or not, that complete a line with `stones` of one side.
#[inline]
pub(super) fn completions(parameters: &Parameters, stones: u64) -> u64 {
    if parameters.k == 4 && parameters.cols >= 4 {
        completions_of_four(parameters, stones)
    } else {
        completions_of_any(parameters, stones)
    }
}

/// [`completions`] for lines of four on four columns or more, at most 15 cells high. The gaps share intermediate
/// results.
#[inline]
fn completions_of_four(parameters: &Parameters, stones: u64) -> u64 {
    let height = parameters.height();
    let mut found = stones << 1 & stones << 2 & stones << 3;
    for step in [height, height + 1, height - 1] {
        let (after, before) = (stones << step, stones >> step);
        let (two_after, two_before) = (after & stones << (2 * step), before & stones >> (2 * step));
        found |= two_after & (before | stones << (3 * step)) | two_before & (after | stones >> (3 * step));
    }
    found & parameters.cells
}

/// [`completions`] of lines of any length.
#[inline]
fn completions_of_any(parameters: &Parameters, stones: u64) -> u64 {
    let k = u32::from(parameters.k);
    let mut found = 0;
    for step in parameters.steps() {
        // The cell at place `gap` of a line whose other places hold stones. In a vertical line only the top stone can
        // be missing.
        let first = if step == 1 { k - 1 } else { 0 };
        for gap in first..k {
            let mut line = u64::MAX;
            for place in 0..k {
                line &= match place.cmp(&gap) {
                    std::cmp::Ordering::Less => stones << ((gap - place) * step),
                    std::cmp::Ordering::Equal => u64::MAX,
                    std::cmp::Ordering::Greater => stones >> ((place - gap) * step),
                };
            }
            found |= line;
        }
    }
    found & parameters.cells
}

/// The cells that can be played so that the opponent does not complete a line on `threats` in reply.
#[inline]
pub(super) fn safe(playable: u64, threats: u64) -> u64 {
    let forced = playable & threats;
    let answers = match forced {
        0 => playable,
        _ if forced & (forced - 1) != 0 => 0,
        _ => forced,
    };
    // Do not play right below a cell on which the opponent completes a line.
    answers & !(threats >> 1)
}

/// The key of the mirror image, column for column, of the position with this key.
#[inline]
pub(super) fn mirrored(parameters: &Parameters, key: u64) -> u64 {
    let (height, cols) = (parameters.height(), u32::from(parameters.cols));
    (0..cols).fold(0, |mirrored, col| {
        let column = (key & parameters.column(col)) >> (col * height);
        mirrored | column << ((cols - 1 - col) * height)
    })
}

/// Whether these stones hold a line.
#[inline]
pub(super) fn has_line(parameters: &Parameters, stones: u64) -> bool {
    let k = u32::from(parameters.k);
    parameters.steps().any(|step| {
        // A bit of `runs` begins a run of `length` stones.
        let (mut runs, mut length) = (stones, 1);
        while length < k {
            let more = length.min(k - length);
            runs &= runs >> (more * step);
            length += more;
        }
        runs != 0
    })
}

impl<B: Board> game::Position for Position<B> {
    type Move = u8;

    const MOVE_INDICES: usize = 64;

    #[inline]
    fn move_index(mv: u8) -> usize {
        usize::from(mv)
    }

    #[inline]
    fn side_to_move(&self) -> Side {
        if self.mask.count_ones().is_multiple_of(2) { Side::First } else { Side::Second }
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        if self.won {
            return Some(Outcome::Win(self.side_to_move().other()));
        }
        (self.mask == self.parameters().cells).then_some(Outcome::Draw)
    }

    /// From the middle outwards, where more lines cross: d, c, e, b, f, a, g.
    #[inline]
    fn generate(&self, moves: &mut Vec<u8>) {
        if self.won {
            return;
        }
        let playable = self.playable();
        for column in self.parameters().columns() {
            let cell = playable & column;
            if cell != 0 {
                moves.push(cell.trailing_zeros() as u8);
            }
        }
    }

    #[inline]
    fn play(&mut self, mv: u8) {
        let stones = self.mine | 1 << mv;
        self.won = has_line(self.parameters(), stones);
        // Both sets change owners.
        self.mine ^= self.mask;
        self.mask |= 1 << mv;
    }

    #[inline]
    fn hash(&self) -> u64 {
        spread(self.key())
    }

    #[inline]
    fn plies_left(&self) -> Option<u32> {
        Some(self.free().count_ones())
    }

    /// The image with the lower key.
    #[inline]
    fn folded(&self) -> (u64, u8) {
        let (key, mirrored) = (self.key(), self.mirrored_key());
        (spread(key.min(mirrored)), u8::from(mirrored < key))
    }

    #[inline]
    fn carried(&self, mv: u8, _symmetry: u8) -> u8 {
        let parameters = self.parameters();
        let height = parameters.height() as u8;
        (parameters.cols - 1 - mv / height) * height + mv % height
    }
}

/// A well mixed number, unique for each key.
#[inline]
fn spread(key: u64) -> u64 {
    // mix64 keeps 0 and mixes small numbers least, so spread them first.
    mix64((key + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15))
}

#[cfg(test)]
mod tests {
    use super::super::{Standard, parse_parameters};
    use super::*;
    use crate::game::{Position as _, SplitMix64};

    /// Plays columns, counted from 1.
    fn play<B: Board>(board: B, columns: &str) -> Position<B> {
        let mut position = Position::start(board);
        for column in columns.bytes() {
            assert_eq!(position.outcome(), None, "{columns}");
            position.play(position.landing(column - b'1').unwrap());
        }
        position
    }

    fn moves<B: Board>(position: &Position<B>) -> Vec<u8> {
        let mut moves = Vec::new();
        position.generate(&mut moves);
        moves
    }

    /// All positions of some random games on boards of several shapes.
    fn random_positions(games: usize, mut look: impl FnMut(&Position<Parameters>)) {
        let mut rng = SplitMix64::new(4);
        for name in [
            "connect4",
            "connect4:5,4,3",
            "connect4:4,9,5",
            "connect4:9,3,3",
            "connect4:8,7,4",
            "connect4:6,2,5",
            "connect4:2,6,4",
            "connect4:4,4,1",
            "connect4:5,5,2",
        ] {
            for _ in 0..games {
                let mut position = Position::start(parse_parameters(name).unwrap());
                while position.outcome().is_none() {
                    look(&position);
                    let moves = moves(&position);
                    position.play(moves[rng.below(moves.len())]);
                }
            }
        }
    }

    /// Whether `side` has a line through this cell, checked cell by cell in all directions.
    fn makes_line(position: &Position<Parameters>, side: Side, bit: u8) -> bool {
        let parameters = position.parameters();
        let (col, row) = parameters.cell(bit);
        [(0, 1), (1, 0), (1, 1), (1, -1)].into_iter().any(|(dc, dr)| {
            let run = |sign: i8| {
                (1..)
                    .take_while(|i| {
                        let (c, r) =
                            (i64::from(col) + i * i64::from(sign * dc), i64::from(row) + i * i64::from(sign * dr));
                        let cell = u8::try_from(c).ok().zip(u8::try_from(r).ok());
                        cell.is_some_and(|(c, r)| position.stone(c, r) == Some(side))
                    })
                    .count()
            };
            run(1) + run(-1) + 1 >= usize::from(parameters.k)
        })
    }

    #[test]
    fn winning_cells_are_those_that_make_a_line_cell_by_cell() {
        let mut found = 0;
        random_positions(60, |position| {
            let cells = (0..64).filter(|bit| position.parameters().cells & !position.mask & 1 << bit != 0);
            for bit in cells {
                for side in [Side::First, Side::Second] {
                    let makes = makes_line(position, side, bit);
                    assert_eq!(position.winning_cells(side) & 1 << bit != 0, makes, "{position:?} {bit}");
                    assert_eq!(position.completes(side, bit), makes, "{position:?} {bit}");
                    found += u32::from(makes);
                }
            }
        });
        assert!(found > 2000, "{found}");
    }

    #[test]
    fn a_game_is_won_by_the_move_that_makes_a_line() {
        random_positions(60, |position| {
            let side = position.side_to_move();
            for mv in moves(position) {
                let won = makes_line(position, side, mv);
                let after = position.after(mv);
                assert_eq!(after.outcome() == Some(Outcome::Win(side)), won);
                assert_eq!(
                    Position::with_stones(position.board, [Side::First, Side::Second].map(|s| after.stones(s))),
                    after
                );
            }
            let wins = moves(position).into_iter().any(|mv| makes_line(position, side, mv));
            assert_eq!(position.can_win(), wins);
        });
    }

    #[test]
    fn non_losing_moves_are_those_after_which_no_reply_wins() {
        let (mut forced, mut lost) = (0, 0);
        random_positions(60, |position| {
            if position.can_win() {
                return;
            }
            let safe = moves(position).into_iter().filter(|&mv| !position.after(mv).can_win());
            let safe = safe.fold(0, |safe, mv| safe | 1 << mv);
            assert_eq!(position.non_losing_moves(), safe, "{position:?}");
            forced += u32::from(safe.count_ones() == 1 && moves(position).len() > 1);
            lost += u32::from(safe == 0);
        });
        assert!(forced > 50 && lost > 50, "{forced} {lost}");
    }

    #[test]
    fn threats_after_a_move_are_the_winning_cells_it_leaves() {
        random_positions(20, |position| {
            let side = position.side_to_move();
            for mv in moves(position) {
                let after = position.after(mv);
                assert_eq!(position.threats_after(mv), after.winning_cells(side));
            }
        });
    }

    #[test]
    fn a_mirror_changes_columns_and_nothing_else() {
        random_positions(20, |position| {
            let parameters = position.parameters();
            let mirrored = [Side::First, Side::Second].map(|side| {
                (0..parameters.cols).fold(0, |stones, col| {
                    (0..parameters.rows)
                        .filter(|&row| position.stone(col, row) == Some(side))
                        .fold(stones, |stones, row| stones | 1 << parameters.bit(parameters.cols - 1 - col, row))
                })
            });
            let mirrored = Position::with_stones(position.board, mirrored);
            assert_eq!((mirrored.key(), mirrored.mirrored_key()), (position.mirrored_key(), position.key()));
            assert_eq!(mirrored.folded().0, position.folded().0);
            let mut moves = Vec::new();
            position.generate(&mut moves);
            for mv in moves {
                assert_eq!(mirrored.after(position.carried(mv, 1)).key(), position.after(mv).mirrored_key());
            }
        });
    }

    #[test]
    fn keys_are_unique() {
        // The whole tree of a small board: as many keys as there are boards.
        fn walk(position: &Position<Parameters>, seen: &mut std::collections::HashMap<u64, [u64; 2]>) {
            let stones = [Side::First, Side::Second].map(|side| position.stones(side));
            if seen.insert(position.key(), stones).is_some_and(|before| before == stones)
                || position.outcome().is_some()
            {
                return;
            }
            assert_eq!(seen[&position.key()], stones);
            for mv in moves(position) {
                walk(&position.after(mv), seen);
            }
        }
        let mut seen = std::collections::HashMap::new();
        walk(&Position::start(parse_parameters("connect4:4,4,4").unwrap()), &mut seen);
        // The number of boards of 4x4 with four in a row in Tromp's table.
        assert_eq!(seen.len(), 161_029);
        let boards: std::collections::HashSet<[u64; 2]> = seen.into_values().collect();
        assert_eq!(boards.len(), 161_029);
    }

    #[test]
    fn a_line_wins_in_each_direction_on_both_kinds_of_board() {
        for (columns, winner) in [
            ("1212121", Side::First),
            ("1122334", Side::First),
            ("12233434474", Side::First),
            ("176655454424", Side::Second),
        ] {
            let standard = play(Standard, columns);
            let other = play(Parameters::STANDARD, columns);
            assert_eq!(standard.outcome(), Some(Outcome::Win(winner)), "{columns}");
            assert_eq!(other.outcome(), Some(Outcome::Win(winner)), "{columns}");
            assert_eq!((standard.key(), standard.hash()), (other.key(), other.hash()));
            assert!(moves(&standard).is_empty());
            assert_eq!(play(Standard, &columns[..columns.len() - 1]).outcome(), None, "{columns}");
        }
    }

    #[test]
    fn a_full_column_cannot_be_played() {
        let position = play(Standard, "444444");
        assert_eq!(position.landing(3), None);
        assert_eq!(moves(&position).len(), 6);
        assert_eq!(moves(&Position::start(Standard)), [21, 14, 28, 7, 35, 0, 42]);
        assert_eq!(moves(&Position::start(parse_parameters("connect4:4,1,3").unwrap())), [2, 4, 0, 6]);
    }

    #[test]
    fn a_full_board_is_a_draw() {
        let position = play(parse_parameters("connect4:3,2,3").unwrap(), "121323");
        assert_eq!((position.outcome(), moves(&position)), (Some(Outcome::Draw), vec![]));
        let column = play(parse_parameters("connect4:1,3,2").unwrap(), "111");
        assert_eq!(column.outcome(), Some(Outcome::Draw));
    }
}
