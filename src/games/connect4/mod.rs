//! Connect Four on boards of any size that fit a word: stones fall to the lowest free cell of their column, K in a row win.
//!
//! Layer 2: knows the traits, the scores and the texts of grids. All values are plain data for any thread. Scores are seen
//! from the side to move; their unit is described at [`Evaluate`]. x is `First`, o is `Second`.
//! CITE: J. Tromp, "John's Connect Four Playground" (column bitboards, their unique key, values of the board sizes).
//! CITE: V. Allis, "A Knowledge-based Approach of Connect-Four", 1988 (threats, odd and even rows).
//!
//! ```text
//!   The bits of the standard board. A column is rows + 1 bits high; the bit above its cells (*) is never a stone, so that no
//!   step from cell to cell runs round an edge, and a full column may carry into it.
//!
//!       *6 *13 *20 *27 *34 *41 *48
//!   6 |  5  12  19  26  33  40  47         north-east = rows + 2
//!   :    :   :   :   :   :   :   :       /
//!   2 |  1   8  15  22  29  36  43     (+)-- east = rows + 1
//!   1 |  0   7  14  21  28  35  42       \
//!        a   b   c   d   e   f   g         south-east = rows
//! ```

#[cfg(test)]
mod brute_force;
mod evaluate;
mod exact;
mod family;
mod follow_up;
mod keyless;
mod lines;
mod notation;
mod rules;
pub mod solver;
mod static_knowledge;
mod weights;

use std::fmt;

pub use evaluate::{Evaluate, FEATURES, PHASES, Weights, features, share};
pub use exact::{Exact, Growing, MAX_PLIES, Values};
pub use family::ConnectFour;
pub use notation::Notation;
pub use rules::Position;

pub use crate::games::grid::Style;

use crate::game::{Game, TextError};
use crate::games::grid::Fields;
use crate::spelling::quoted;

/// The most columns, which are named by letters.
pub const MAX_COLS: u8 = 26;
/// The most rows: one column of them, and the spare bit above it.
pub const MAX_ROWS: u8 = 63;

/// Which game: board size and length of a line.
///
/// The values are valid by construction. [`Display`](fmt::Display) writes the name the game is registered by: `connect4` or
/// `connect4:COLS,ROWS,K`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Parameters {
    cols: u8,
    rows: u8,
    k: u8,
    /// The lowest cell of every column.
    bottom: u64,
    /// All cells.
    cells: u64,
    /// The rows on which a threat of the first player works by zugzwang; see [`Evaluate`].
    first_rows: u64,
    /// Every second row, starting with the lowest.
    odd_ranks: u64,
}

impl Parameters {
    /// Four in a row on seven columns of six rows.
    pub const STANDARD: Parameters = Parameters::unchecked(7, 6, 4);

    /// The game with these sizes.
    ///
    /// # Errors
    /// When a side is not within its range, the board with one spare bit a column exceeds 64 bits, or no line of `k` cells
    /// fits; the offset is 0.
    pub fn new(cols: u8, rows: u8, k: u8) -> Result<Parameters, TextError> {
        for (field, value, max) in [("columns", cols, MAX_COLS), ("rows", rows, MAX_ROWS)] {
            if !(1..=max).contains(&value) {
                return Err(TextError::new(0, field, format!("a number from 1 to {max}"), value.to_string()));
            }
        }
        if u32::from(cols) * (u32::from(rows) + 1) > 64 {
            let expected = format!("at most {} rows on {cols} columns", 64 / cols - 1);
            return Err(TextError::new(0, "rows", expected, rows.to_string()));
        }
        let longest = cols.max(rows);
        if !(1..=longest).contains(&k) {
            let expected = format!("a number from 1 to {longest}, the longer side of a {cols}x{rows} board");
            return Err(TextError::new(0, "line length", expected, k.to_string()));
        }
        Ok(Parameters::unchecked(cols, rows, k))
    }

    const fn unchecked(cols: u8, rows: u8, k: u8) -> Parameters {
        let height = rows as u32 + 1;
        let (mut bottom, mut cells, mut first_rows, mut odd_ranks) = (0_u64, 0, 0, 0);
        let mut col = 0;
        while col < cols as u32 {
            bottom |= 1 << (col * height);
            let mut row = 0;
            while row < rows as u32 {
                cells |= 1 << (col * height + row);
                if row % 2 == 0 {
                    odd_ranks |= 1 << (col * height + row);
                }
                // Suppose all other columns are full, and this one up to two cells below the cell. If the number of
                // stones is then odd, the second player must play below the cell, and the first player takes it.
                if row > 0 && ((cols as u32 - 1) * rows as u32 + row - 1) % 2 == 1 {
                    first_rows |= 1 << (col * height + row);
                }
                row += 1;
            }
            col += 1;
        }
        Parameters { cols, rows, k, bottom, cells, first_rows, odd_ranks }
    }

    /// The number of columns, named by files from a.
    #[must_use]
    pub const fn cols(&self) -> u8 {
        self.cols
    }

    /// The number of rows, named by ranks from 1.
    #[must_use]
    pub const fn rows(&self) -> u8 {
        self.rows
    }

    /// The number of stones in a winning line.
    #[must_use]
    pub const fn k(&self) -> u8 {
        self.k
    }

    /// Bits from one column to the next.
    #[inline]
    const fn height(&self) -> u32 {
        self.rows as u32 + 1
    }

    /// Bits from a cell to its neighbours north, east, north-east and south-east, for directions with room for a line.
    #[inline]
    fn steps(&self) -> impl Iterator<Item = u32> {
        let (high, wide) = (self.k <= self.rows, self.k <= self.cols);
        let height = self.height();
        [(1, high), (height, wide), (height + 1, high && wide), (height - 1, high && wide)]
            .into_iter()
            .filter_map(|(step, fits)| fits.then_some(step))
    }

    /// The bit of the cell on this column and row, both from 0.
    #[inline]
    const fn bit(&self, col: u8, row: u8) -> u8 {
        col * (self.rows + 1) + row
    }

    /// The column and row, both from 0, of a bit that is a cell.
    const fn cell(&self, bit: u8) -> (u8, u8) {
        (bit / (self.rows + 1), bit % (self.rows + 1))
    }

    /// All bits of a column, the spare one included.
    #[inline]
    const fn column(&self, col: u32) -> u64 {
        // The lowest bits up to the height, which is at most 64.
        (u64::MAX >> (64 - self.height())) << (col * self.height())
    }

    /// All columns, spare bits included, from the middle outwards.
    #[inline]
    fn columns(&self) -> impl Iterator<Item = u64> {
        let cols = u32::from(self.cols);
        (0..cols).map(move |i| {
            let (middle, away) = ((cols - 1) / 2, i.div_ceil(2));
            self.column(if i % 2 == cols % 2 { middle - away } else { middle + away })
        })
    }
}

impl fmt::Display for Parameters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Parameters { cols, rows, k, .. } = *self;
        if *self == Parameters::STANDARD { f.write_str("connect4") } else { write!(f, "connect4:{cols},{rows},{k}") }
    }
}

/// Reads the name of a game.
///
/// # Format
/// `connect4`, also called `cfour`, or `connect4:COLS,ROWS,K`.
///
/// # Errors
/// As [`Parameters::new`], and when the text is no such name.
///
/// # Examples
/// ```
/// let parameters = griot::games::connect4::parse_parameters("connect4:5,4,3").unwrap();
/// assert_eq!((parameters.cols(), parameters.rows(), parameters.k()), (5, 4, 3));
/// assert_eq!(griot::games::connect4::parse_parameters("connect4:7,6,4").unwrap().to_string(), "connect4");
/// ```
pub fn parse_parameters(text: &str) -> Result<Parameters, TextError> {
    let Some(list) = text.strip_prefix("connect4:") else {
        return match text {
            "connect4" | "cfour" => Ok(Parameters::STANDARD),
            _ => Err(TextError::new(0, "game", "connect4 or connect4:COLS,ROWS,K", quoted(text))),
        };
    };
    let mut fields = Fields::new(text, text.len() - list.len());
    let (_, cols) = fields.number("columns", MAX_COLS)?;
    let (rows_at, rows) = fields.number("rows", MAX_ROWS)?;
    let (k_at, k) = fields.number("line length", u8::MAX)?;
    if let Some((at, rest)) = fields.rest() {
        return Err(TextError::new(at, "parameters", "nothing after K", quoted(rest)));
    }
    Parameters::new(cols, rows, k).map_err(|error| {
        let offset = if error.field == "rows" { rows_at } else { k_at };
        TextError { offset, ..error }
    })
}

/// Where the parameters of a position are stored: in its type, or in the value.
pub trait Board: Copy + Eq + fmt::Debug + Send + Sync + 'static {
    /// The parameters.
    fn parameters(&self) -> &Parameters;
}

/// The standard board, with parameters known at compile time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Standard;

impl Board for Standard {
    #[inline]
    fn parameters(&self) -> &Parameters {
        const { &Parameters::STANDARD }
    }
}

/// A board of any size.
impl Board for Parameters {
    #[inline]
    fn parameters(&self) -> &Parameters {
        self
    }
}

/// The game on this board, with texts in `style`.
#[must_use]
pub fn game<B: Board>(board: B, style: Style) -> Game<Notation<B>, Evaluate, Exact> {
    let parameters = board.parameters();
    let own = exact::Own::default();
    Game {
        name: parameters.to_string(),
        notation: Notation::new(board, style),
        evaluate: Evaluate::default().with_book(own.clone()),
        probe: Exact::with_switch(*parameters, own),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::conformance;

    #[test]
    fn names_read_back_to_the_same_game() {
        for (text, name, sizes) in [
            ("connect4", "connect4", [7, 6, 4]),
            ("cfour", "connect4", [7, 6, 4]),
            ("connect4:7,6,4", "connect4", [7, 6, 4]),
            ("connect4:6,7,4", "connect4:6,7,4", [6, 7, 4]),
            ("connect4:8,7,4", "connect4:8,7,4", [8, 7, 4]),
            ("connect4:26,1,3", "connect4:26,1,3", [26, 1, 3]),
            ("connect4:1,63,4", "connect4:1,63,4", [1, 63, 4]),
            ("connect4:1,1,1", "connect4:1,1,1", [1, 1, 1]),
        ] {
            let parameters = parse_parameters(text).unwrap();
            assert_eq!(parameters.to_string(), name);
            assert_eq!([parameters.cols(), parameters.rows(), parameters.k()], sizes);
            assert_eq!(parse_parameters(name), Ok(parameters));
        }
    }

    #[test]
    fn bad_parameters_are_refused_where_they_stand() {
        for (text, offset, field) in [
            ("", 0, "game"),
            ("connect5", 0, "game"),
            ("connect4:", 9, "columns"),
            ("connect4:0,3,3", 9, "columns"),
            ("connect4:27,1,3", 9, "columns"),
            ("connect4:7", 10, "rows"),
            ("connect4:7,é,4", 11, "rows"),
            ("connect4:8,8,4", 11, "rows"),
            ("connect4:1,64,4", 11, "rows"),
            ("connect4:7,6", 12, "line length"),
            ("connect4:7,6,8", 13, "line length"),
            ("connect4:7,6,4,exact", 15, "parameters"),
        ] {
            let error = parse_parameters(text).unwrap_err();
            assert_eq!((error.offset, error.field.as_str()), (offset, field), "{text}: {error}");
        }
        let error = parse_parameters("connect4:9,9,4").unwrap_err();
        assert_eq!(error.to_string(), "rows: expected at most 6 rows on 9 columns, found 9");
        assert!(Parameters::new(0, 6, 4).is_err() && Parameters::new(7, 6, 0).is_err());
    }

    #[test]
    fn the_first_player_threatens_on_odd_ranks_of_the_standard_board() {
        let Parameters { first_rows, cells, .. } = Parameters::STANDARD;
        // Ranks 3 and 5; a cell on rank 1 has none below it.
        assert_eq!(first_rows & Parameters::STANDARD.column(0), 0b01_0100);
        assert_eq!(first_rows & !cells, 0);
        // With odd rows and an even number of columns it is reversed.
        assert_eq!(Parameters::new(6, 7, 4).unwrap().first_rows & 0xFF, 0b010_1010);
    }

    #[test]
    fn games_keep_the_laws_in_both_styles() {
        for (name, games) in [
            ("connect4", 30),
            ("connect4:1,1,1", 2),
            ("connect4:1,63,4", 2),
            ("connect4:26,1,3", 5),
            ("connect4:4,4,3", 30),
        ] {
            for style in [Style::Coordinates, Style::Drops] {
                let report = conformance::check(&game(parse_parameters(name).unwrap(), style), 7, games);
                assert_eq!(report.unwrap_or_else(|broken| panic!("{name}: {broken}")).games, games);
            }
        }
        conformance::check(&game(Standard, Style::Coordinates), 7, 30).unwrap();
    }
}
