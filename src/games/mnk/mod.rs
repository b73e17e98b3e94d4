//! m,n,k games: tic-tac-toe, gomoku and every board between and beyond; k stones in a row win.
//!
//! Layer 2: knows the traits and the scores, no search, no protocol, no other game. All values are plain data for any thread.
//! Scores are seen from the side to move; their unit is described at [`Evaluate`]. x is `First`, o is `Second`.
//! CITE: H. J. van den Herik, J. Uiterwijk, J. van Rijswijck, "Games solved: now and in the future", 2002 (m,n,k games).
//!
//! ```text
//!   A board of 3 columns and 3 rows: the number of each cell is its bit, and as `u16` the move there. One bit after each
//!   row (*) belongs to no cell and is never set, so that no step from cell to cell runs round an edge.
//!
//!   3 |  8  9 10  *11            north = cols + 1
//!   2 |  4  5  6  * 7   north-west = cols  \ | /  north-east = cols + 2
//!   1 |  0  1  2  * 3                       (+)-- east = 1
//!        a  b  c                 bits used: rows · (cols + 1), at most 22 · 23 = 506 of 64 · W
//! ```

mod bits;
mod candidates;
mod evaluate;
mod family;
mod forcing;
mod fours;
pub mod network;
mod notation;
mod renju;
mod rules;
mod shapes;
pub mod solver;
mod symmetry;
mod threats;
mod threes;
mod values;

use std::fmt;

pub use evaluate::Evaluate;
pub use family::Mnk;
pub use notation::Notation;
pub use rules::Position;

pub use crate::games::grid::Style;

use crate::game::{Game, Side, TextError};
use crate::games::grid::{Fields, read_number};
use crate::spelling::quoted;

/// The largest number of columns, and of rows.
pub const MAX_SIDE: u8 = 22;

/// Games with at least this many cells and lines of five or six are evaluated by shapes instead of searched to the end.
const LARGE: u16 = 49;

/// An m,n,k game: board size, length of a line, whether a longer line wins too, and whether it is renju.
///
/// The values are valid by construction. [`Display`](fmt::Display) writes the one name the game is registered by:
/// `tictactoe`, `gomoku`, `gomokufreestyle`, `renju`, or `mnk:COLS,ROWS,K`, with `,exact` after it when overlines do not win, or
/// `,renju`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Parameters {
    cols: u8,
    rows: u8,
    k: u8,
    exact: bool,
    renju: bool,
}

impl Parameters {
    /// Three in a row on 3×3.
    ///
    /// Its game tree has 549,946 nodes and 255,168 games (131,184 won by x, 77,904 by o, 46,080 drawn) over 5,478
    /// positions; the value is a draw. A course document gives 576,285 nodes, which is wrong: the tests count them.
    pub const TIC_TAC_TOE: Parameters = Parameters { cols: 3, rows: 3, k: 3, exact: false, renju: false };
    /// Exactly five in a row on 15×15: an overline of six or more does not win.
    pub const GOMOKU: Parameters = Parameters { cols: 15, rows: 15, k: 5, exact: true, renju: false };
    /// Five or more in a row on 15×15.
    pub const GOMOKU_FREESTYLE: Parameters = Parameters { cols: 15, rows: 15, k: 5, exact: false, renju: false };
    /// Renju on 15×15: x, black, wins by exactly five and has forbidden moves; o wins by five or more.
    pub const RENJU: Parameters = Parameters { cols: 15, rows: 15, k: 5, exact: false, renju: true };

    /// The game with these sizes; with `exact`, a line longer than `k` does not win.
    ///
    /// # Errors
    /// When a side is not within 1 to [`MAX_SIDE`], or no line of `k` cells fits; the offset is 0.
    pub fn new(cols: u8, rows: u8, k: u8, exact: bool) -> Result<Parameters, TextError> {
        for (field, value) in [("columns", cols), ("rows", rows)] {
            if !(1..=MAX_SIDE).contains(&value) {
                return Err(TextError::new(0, field, format!("a number from 1 to {MAX_SIDE}"), value.to_string()));
            }
        }
        let longest = cols.max(rows);
        if !(1..=longest).contains(&k) {
            let expected = format!("a number from 1 to {longest}, the longer side of a {cols}x{rows} board");
            return Err(TextError::new(0, "line length", expected, k.to_string()));
        }
        Ok(Parameters { cols, rows, k, exact, renju: false })
    }

    /// Renju on a board of this size.
    ///
    /// # Errors
    /// As [`Parameters::new`], for lines of 5.
    pub fn renju(cols: u8, rows: u8) -> Result<Parameters, TextError> {
        Parameters::new(cols, rows, 5, false).map(|parameters| Parameters { renju: true, ..parameters })
    }

    /// Whether the game is renju, in which x has forbidden moves.
    #[must_use]
    pub const fn is_renju(self) -> bool {
        self.renju
    }

    /// The rules for one side: whether longer lines win.
    const fn of(self, side: Side) -> Parameters {
        Parameters { exact: self.exact || self.renju && matches!(side, Side::First), ..self }
    }

    /// The number of columns, named by files from a.
    #[must_use]
    pub const fn cols(self) -> u8 {
        self.cols
    }

    /// The number of rows, named by ranks from 1.
    #[must_use]
    pub const fn rows(self) -> u8 {
        self.rows
    }

    /// The number of stones in a winning line.
    #[must_use]
    pub const fn k(self) -> u8 {
        self.k
    }

    /// Whether a line longer than [`Parameters::k`] does not win, for either side.
    #[must_use]
    pub const fn exact(self) -> bool {
        self.exact
    }

    /// The number of cells.
    #[must_use]
    pub const fn cells(self) -> u16 {
        self.cols as u16 * self.rows as u16
    }

    /// The number of 64-bit words of a bitboard, 1, 2, 4 or 8, the `W` of the types here: as many as the board needs,
    /// and at least two where shapes are used, so that one word means a small game.
    #[must_use]
    pub const fn words(self) -> usize {
        let words = (self.bits() as usize).div_ceil(64).next_power_of_two();
        if words == 1 && self.cells() >= LARGE && matches!(self.k, 5 | 6) { 2 } else { words }
    }

    /// The number of bits of the board, including the column without cells.
    const fn bits(self) -> u16 {
        self.rows as u16 * (self.cols as u16 + 1)
    }

    /// Whether bitboards of `W` words hold the board.
    #[must_use]
    pub const fn fits<const W: usize>(self) -> bool {
        self.bits() as usize <= 64 * W
    }

    /// Bits from a cell to its neighbour east, north-west, north and north-east.
    const fn steps(self) -> [u32; 4] {
        let cols = self.cols as u32;
        [1, cols, cols + 1, cols + 2]
    }

    /// The bit of the cell on this column and row, both from 0.
    const fn bit(self, col: u8, row: u8) -> u16 {
        row as u16 * (self.cols as u16 + 1) + col as u16
    }

    /// The column and row, both from 0, of a bit that is a cell.
    const fn cell(self, bit: u16) -> (u8, u8) {
        let length = self.cols as usize + 1;
        let row = (bit as u32 * RECIPROCALS[length]) >> 16;
        ((bit - row as u16 * length as u16) as u8, row as u8)
    }
}

/// The reciprocal of each row length in units of 1/65536, plus one unit: a multiplication replaces a slower division.
const RECIPROCALS: [u32; MAX_SIDE as usize + 2] = {
    let mut reciprocals = [0; MAX_SIDE as usize + 2];
    let mut length = 1;
    while length < reciprocals.len() {
        reciprocals[length] = (1 << 16) / length as u32 + 1;
        length += 1;
    }
    reciprocals
};

impl fmt::Display for Parameters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Parameters::TIC_TAC_TOE => f.write_str("tictactoe"),
            Parameters::GOMOKU => f.write_str("gomoku"),
            Parameters::GOMOKU_FREESTYLE => f.write_str("gomokufreestyle"),
            Parameters::RENJU => f.write_str("renju"),
            Parameters { cols, rows, k, exact, renju } => {
                let rule = if renju { ",renju" } else { "" };
                write!(f, "mnk:{cols},{rows},{k}{}{rule}", if exact { ",exact" } else { "" })
            }
        }
    }
}

/// Reads the name of an m,n,k game.
///
/// # Format
/// `tictactoe`, `gomoku`, `gomokufreestyle`, `renju`, `morpion:M` for M in a row on M×M, or `mnk:COLS,ROWS,K`, with or without
/// `mnk:` in front, and with `,exact` or, where K is 5, `,renju` behind.
///
/// # Errors
/// When the text is no such name, a side is not within 1 to [`MAX_SIDE`], or K is larger than both sides.
///
/// # Examples
/// ```
/// let parameters = griot::games::mnk::parse_parameters("mnk:5,4,3").unwrap();
/// assert_eq!((parameters.cols(), parameters.rows(), parameters.k()), (5, 4, 3));
/// assert_eq!(griot::games::mnk::parse_parameters("morpion:3").unwrap().to_string(), "tictactoe");
/// ```
pub fn parse_parameters(text: &str) -> Result<Parameters, TextError> {
    match text {
        "tictactoe" => return Ok(Parameters::TIC_TAC_TOE),
        "gomoku" => return Ok(Parameters::GOMOKU),
        "gomokufreestyle" => return Ok(Parameters::GOMOKU_FREESTYLE),
        "renju" => return Ok(Parameters::RENJU),
        _ => {}
    }
    if let Some(side) = text.strip_prefix("morpion:") {
        let m = read_number("size", side, text.len() - side.len(), MAX_SIDE)?;
        return Parameters::new(m, m, m, false);
    }
    let list = text.strip_prefix("mnk:").unwrap_or(text);
    let mut fields = Fields::new(text, text.len() - list.len());
    let (_, cols) = fields.number("columns", MAX_SIDE)?;
    let (_, rows) = fields.number("rows", MAX_SIDE)?;
    let (start, k) = fields.number("line length", u8::MAX)?;
    let exact = match fields.rest() {
        None => false,
        Some((_, "exact")) => true,
        Some((_, "renju")) if k == 5 => {
            return Parameters::renju(cols, rows).map_err(|error| TextError { offset: start, ..error });
        }
        Some((at, rest)) => {
            let expected = if k == 5 { "nothing, 'exact' or 'renju' after K" } else { "nothing or 'exact' after K" };
            return Err(TextError::new(at, "parameters", expected, quoted(rest)));
        }
    };
    Parameters::new(cols, rows, k, exact).map_err(|error| TextError { offset: start, ..error })
}

/// The game `parameters` in words of `W`, with texts in `style`, called `name`.
///
/// # Panics
/// When the board does not fit ([`Parameters::fits`]).
#[must_use]
pub fn game<const W: usize>(
    name: impl Into<String>,
    parameters: Parameters,
    style: Style,
) -> Game<Notation<W>, Evaluate<W>> {
    Game::new(name, Notation::new(parameters, style), Evaluate::new(parameters))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::conformance;

    #[test]
    fn every_cell_of_every_board_is_found_by_its_bit() {
        for (cols, rows) in (1..=MAX_SIDE).flat_map(|cols| (1..=MAX_SIDE).map(move |rows| (cols, rows))) {
            let parameters = parse_parameters(&format!("mnk:{cols},{rows},1")).unwrap();
            for (col, row) in (0..cols).flat_map(|col| (0..rows).map(move |row| (col, row))) {
                assert_eq!(parameters.cell(parameters.bit(col, row)), (col, row), "{cols}x{rows}");
            }
        }
    }

    #[test]
    fn names_read_back_to_the_same_game() {
        for (text, name, [cols, rows, k], exact) in [
            ("tictactoe", "tictactoe", [3, 3, 3], false),
            ("mnk:3,3,3", "tictactoe", [3, 3, 3], false),
            ("morpion:3", "tictactoe", [3, 3, 3], false),
            ("morpion:5", "mnk:5,5,5", [5, 5, 5], false),
            ("5,4,3", "mnk:5,4,3", [5, 4, 3], false),
            ("mnk:1,22,22", "mnk:1,22,22", [1, 22, 22], false),
            ("gomoku", "gomoku", [15, 15, 5], true),
            ("mnk:15,15,5,exact", "gomoku", [15, 15, 5], true),
            ("15,15,5", "gomokufreestyle", [15, 15, 5], false),
            ("mnk:20,20,5,exact", "mnk:20,20,5,exact", [20, 20, 5], true),
            ("renju", "renju", [15, 15, 5], false),
            ("15,15,5,renju", "renju", [15, 15, 5], false),
            ("mnk:20,20,5,renju", "mnk:20,20,5,renju", [20, 20, 5], false),
        ] {
            let parameters = parse_parameters(text).unwrap();
            assert_eq!(parameters.to_string(), name);
            assert_eq!([parameters.cols(), parameters.rows(), parameters.k()], [cols, rows, k]);
            assert_eq!(parameters.exact(), exact);
            assert_eq!(parse_parameters(name), Ok(parameters));
        }
    }

    #[test]
    fn bad_parameters_are_refused_where_they_stand() {
        for (text, offset, field) in [
            ("", 0, "columns"),
            ("mnk", 0, "columns"),
            ("mnk:", 4, "columns"),
            ("mnk:0,3,3", 4, "columns"),
            ("mnk:03,3,3", 4, "columns"),
            ("mnk:+3,3,3", 4, "columns"),
            ("mnk:23,3,3", 4, "columns"),
            ("mnk:3,99999999999999999999,3", 6, "rows"),
            ("mnk:3, 3,3", 6, "rows"),
            ("mnk:3", 5, "rows"),
            ("mnk:3,3", 7, "line length"),
            ("mnk:3,3,0", 8, "line length"),
            ("mnk:3,4,5", 8, "line length"),
            ("mnk:3,3,3,", 10, "parameters"),
            ("mnk:3,3,3,exact,1", 10, "parameters"),
            ("mnk:6,6,4,renju", 10, "parameters"),
            ("mnk:3,3,3,3", 10, "parameters"),
            ("morpion:", 8, "size"),
            ("morpion:23", 8, "size"),
            ("morpion:é", 8, "size"),
        ] {
            let error = parse_parameters(text).unwrap_err();
            assert_eq!((error.offset, error.field.as_str()), (offset, field), "{text}: {error}");
        }
        let error = parse_parameters("mnk:3,4,5").unwrap_err();
        assert_eq!(
            error.to_string(),
            "line length: expected a number from 1 to 4, the longer side of a 3x4 board, found 5"
        );
        assert!(Parameters::new(0, 1, 1, false).is_err() && Parameters::new(1, 23, 1, false).is_err());
    }

    #[test]
    fn boards_take_the_fewest_words_but_for_large_games() {
        let words = |cols, rows| Parameters::new(cols, rows, 1, false).unwrap().words();
        assert_eq!([words(1, 1), words(7, 8), words(8, 7), words(22, 1)], [1, 1, 1, 1]);
        assert_eq!([words(8, 8), words(10, 11), words(15, 15), words(19, 19), words(22, 22)], [2, 2, 4, 8, 8]);
        let long = |cols, rows, k| Parameters::new(cols, rows, k, false).unwrap().words();
        assert_eq!([long(7, 7, 4), long(6, 8, 5), long(7, 7, 7)], [1, 1, 1]);
        assert_eq!([long(7, 7, 5), long(5, 10, 6)], [2, 2]);
        assert!(Parameters::GOMOKU.fits::<8>() && !Parameters::GOMOKU.fits::<2>());
    }

    fn lawful<const W: usize>(name: &str, games: u32) {
        for style in [Style::Coordinates, Style::Drops] {
            let game = game::<W>(name, parse_parameters(name).unwrap(), style);
            match conformance::check(&game, 7, games) {
                Ok(report) => assert_eq!(report.games, games),
                Err(broken) => panic!("{name} in {style:?}: {broken}"),
            }
        }
    }

    #[test]
    fn small_games_keep_the_laws() {
        lawful::<1>("tictactoe", 200);
        lawful::<1>("mnk:1,1,1", 2);
        lawful::<1>("mnk:2,2,1", 5);
        lawful::<1>("mnk:1,5,2", 50);
        lawful::<1>("mnk:22,1,3", 20);
        lawful::<1>("mnk:4,3,3", 50);
        lawful::<1>("mnk:4,4,4", 50);
        lawful::<1>("morpion:5", 20);
        lawful::<1>("mnk:7,7,5", 10);
        lawful::<1>("mnk:7,7,3,exact", 10);
        lawful::<1>("mnk:8,7,4", 10);
    }

    #[test]
    fn wide_words_serve_small_boards_too() {
        lawful::<2>("tictactoe", 20);
        lawful::<8>("mnk:4,3,3", 20);
    }

    #[test]
    fn large_games_keep_the_laws() {
        lawful::<2>("mnk:9,9,5", 3);
        lawful::<4>("gomoku", 2);
        lawful::<4>("gomokufreestyle", 2);
        lawful::<8>("mnk:22,22,6", 1);
    }
}
