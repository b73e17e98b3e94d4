//! A position as it is shown: pieces and points, whose turn it is, how the game ended, where moves go.
//!
//! Layer 0: plain data without words of a language. Text, colours, GTP, languages, JSON and web pages render it. Columns count
//! from the left and rows as the board names them, both from 0.
//!
//! ```text
//!      grid                          houses                     heaps
//!   3 |       (2,2)     row 1 |  f e d c b a (5,1)          |   |
//!   2 | (0,1)           row 0 |  A B C D E F (5,0)        | | | |
//!   1 | (0,0) (1,0)                                       a   b
//!       a     b    c          stores: beside them         (col, row): row + 1 of the heap's own are taken
//! ```

use serde::Serialize;

use super::Player;

/// A position as it is shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Picture {
    /// Whose turn it is, or would be.
    pub turn: Player,
    /// How the game ended; nothing while it goes on.
    pub result: Option<GameResult>,
    /// The board.
    #[serde(flatten)]
    pub board: BoardPicture,
    /// The legal moves; none when the game is over.
    pub moves: Vec<Stroke>,
    /// The move that led here, if one did.
    pub last: Option<Stroke>,
}

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum GameResult {
    /// This player won.
    Win(Player),
    /// A draw.
    Draw,
}

/// The board of a position, independent of the side to move.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BoardPicture {
    /// The names of the players.
    pub players: PlayerNames,
    /// The shape and its pieces.
    #[serde(rename = "board")]
    pub shape: Shape,
    /// What each player has, in games where pieces are counted.
    pub counts: Option<[u32; 2]>,
}

/// The names of the players.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PlayerNames {
    /// By the marks of their pieces.
    Marks([char; 2]),
    /// South, whose houses are the lower row, and North.
    Compass,
    /// Player 1 and player 2.
    Numbers,
}

/// What lies where.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Shape {
    /// Cells in columns and rows.
    Grid(GridPicture),
    /// Houses with seeds, and a store for each player.
    Houses {
        /// The first player's row, which is the lower one, and the second player's; each from the left.
        rows: [Vec<Pile>; 2],
        /// What each player has captured.
        stores: [u32; 2],
    },
    /// Heaps, of which each move takes some.
    Heaps {
        /// From the first to the last.
        heaps: Vec<Pile>,
        /// The most that a move may take, if there is a limit.
        most: Option<u32>,
        /// Whether who takes the last one wins.
        last_wins: bool,
    },
    /// No points, only the board text.
    Text {
        /// The board text.
        text: String,
    },
}

/// Cells in columns and rows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GridPicture {
    /// The labels of the columns, from the left.
    pub columns: Vec<String>,
    /// The labels of the rows, from row 0.
    pub rows: Vec<String>,
    /// Whether row 0 is the highest one; else it is the lowest.
    pub from_top: bool,
    /// Whether a piece falls to the lowest free cell of its column, so that the column alone is the move.
    pub falls: bool,
    /// What stands on the cells, row after row from row 0.
    pub cells: Vec<Option<Piece>>,
}

/// A piece on a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Piece {
    /// Its owner.
    pub owner: Player,
    /// Its mark.
    pub mark: char,
}

/// A house, or a heap.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Pile {
    /// Its name.
    pub name: String,
    /// Its count.
    pub count: u32,
}

/// A place on a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(into = "[u32; 2]")]
pub struct Point {
    /// The column, from 0 at the left.
    pub col: u32,
    /// The row, from 0.
    pub row: u32,
}

/// Where a move begins and ends: a placed piece has no `from`, sown seeds and taken matches have no `to`, a pass has neither.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Way {
    /// Where it begins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<Point>,
    /// Where it ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<Point>,
}

/// A move as it is shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Stroke {
    /// The move, as the game writes it.
    #[serde(rename = "move")]
    pub mv: String,
    /// How people write it, if that differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Where it begins and ends.
    #[serde(flatten)]
    pub way: Way,
}

impl Stroke {
    /// The move, as people write it.
    #[must_use]
    pub fn name(&self) -> &str {
        self.name.as_deref().unwrap_or(&self.mv)
    }
}

impl BoardPicture {
    /// A board of cells on which all pieces of a player look alike; the players go by their marks. Columns are labelled with
    /// letters from a, rows with numbers from 1 at the bottom. `owner` tells whose piece stands in a column and a row, from 0.
    ///
    /// # Examples
    /// ```
    /// use griot::message::{BoardPicture, Player, Shape};
    ///
    /// let board = BoardPicture::grid(3, 2, ['x', 'o'], |col, row| (col == row).then_some(Player::Second));
    /// let Shape::Grid(grid) = board.shape else { unreachable!() };
    /// assert_eq!((grid.columns.join(" "), grid.rows.join(" ")), ("a b c".into(), "1 2".into()));
    /// assert_eq!(grid.cells.iter().flatten().filter(|piece| piece.mark == 'o').count(), 2);
    /// ```
    pub fn grid<P: Into<Player>>(
        cols: u8,
        rows: u8,
        marks: [char; 2],
        owner: impl Fn(u8, u8) -> Option<P>,
    ) -> BoardPicture {
        BoardPicture::pieces(cols, rows, marks, |col, row| {
            let owner = owner(col, row)?.into();
            Some(Piece { owner, mark: marks[owner.index()] })
        })
    }

    /// The same for pieces with marks of their own.
    pub fn pieces(cols: u8, rows: u8, marks: [char; 2], piece: impl Fn(u8, u8) -> Option<Piece>) -> BoardPicture {
        let cells = (0..rows).flat_map(|row| (0..cols).map(move |col| (col, row)));
        let grid = GridPicture {
            columns: (0..cols).map(letters).collect(),
            rows: (1..=u32::from(rows)).map(|number| number.to_string()).collect(),
            from_top: false,
            falls: false,
            cells: cells.map(|(col, row)| piece(col, row)).collect(),
        };
        BoardPicture { players: PlayerNames::Marks(marks), shape: Shape::Grid(grid), counts: None }
    }

    /// No points, and numbered players.
    pub fn text(text: impl Into<String>) -> BoardPicture {
        BoardPicture { players: PlayerNames::Numbers, shape: Shape::Text { text: text.into() }, counts: None }
    }
}

impl Shape {
    /// Whether there is such a point; in a heap there is one for each number that could be taken of it.
    #[must_use]
    pub fn has(&self, point: Point) -> bool {
        let (col, row) = (point.col as usize, point.row as usize);
        match self {
            Shape::Grid(grid) => col < grid.columns.len() && row < grid.rows.len(),
            Shape::Houses { rows, .. } => rows.get(row).is_some_and(|houses| col < houses.len()),
            Shape::Heaps { heaps, .. } => heaps.get(col).is_some_and(|heap| point.row < heap.count),
            Shape::Text { .. } => false,
        }
    }
}

/// Nothing at all.
impl Default for Picture {
    fn default() -> Picture {
        Picture { turn: Player::First, result: None, board: BoardPicture::text(""), moves: Vec::new(), last: None }
    }
}

/// The label of a column: `a` to `z`, `aa`, `ab`, ...
fn letters(col: u8) -> String {
    let letter = char::from(b'a' + col % 26).to_string();
    if col < 26 { letter } else { letters(col / 26 - 1) + &letter }
}

impl GridPicture {
    /// What stands on a cell; nothing beyond the board.
    #[must_use]
    pub fn piece(&self, point: Point) -> Option<Piece> {
        let (col, row) = (point.col as usize, point.row as usize);
        let is_on_it = col < self.columns.len() && row < self.rows.len();
        let place = is_on_it.then(|| row * self.columns.len() + col)?;
        self.cells.get(place).copied().flatten()
    }
}

impl Point {
    /// The point of a column and a row, both from 0.
    pub fn new(col: impl Into<u32>, row: impl Into<u32>) -> Point {
        Point { col: col.into(), row: row.into() }
    }
}

impl From<Point> for [u32; 2] {
    fn from(point: Point) -> [u32; 2] {
        [point.col, point.row]
    }
}

impl Way {
    /// The way of a piece that is put down here.
    #[must_use]
    pub fn to(to: Point) -> Way {
        Way { from: None, to: Some(to) }
    }

    /// The way of what is taken up here.
    #[must_use]
    pub fn from(from: Point) -> Way {
        Way { from: Some(from), to: None }
    }

    /// The way of a piece from here to there.
    #[must_use]
    pub fn between(from: Point, to: Point) -> Way {
        Way { from: Some(from), to: Some(to) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_have_letters_however_many_they_are() {
        assert_eq!([0, 25, 26, 51, 52].map(letters), ["a", "z", "aa", "az", "ba"]);
    }

    #[test]
    fn nothing_stands_beyond_the_board() {
        let board = BoardPicture::grid(2, 2, ['x', 'o'], |_, _| Some(Player::First));
        let Shape::Grid(grid) = board.shape else { panic!() };
        let at = |col: u32, row: u32| grid.piece(Point::new(col, row)).is_some();
        assert_eq!([at(0, 0), at(1, 1), at(2, 0), at(0, 2), at(u32::MAX, u32::MAX)], [true, true, false, false, false]);
    }

    #[test]
    fn a_picture_is_plain_json() {
        let board = BoardPicture::grid(2, 1, ['x', 'o'], |col, _| (col == 0).then_some(Player::First));
        let step = |mv: &str, way| Stroke { mv: mv.into(), name: (mv == "b1").then(|| "Rb1".into()), way };
        let picture = Picture {
            turn: Player::Second,
            result: Some(GameResult::Win(Player::First)),
            board,
            moves: vec![step("b1", Way::to(Point::new(1_u32, 0_u32))), step("0000", Way::default())],
            last: None,
        };
        assert_eq!(
            serde_json::to_string(&picture).unwrap(),
            r#"{"turn":"second","result":{"win":"first"},"players":{"marks":["x","o"]},"board":{"kind":"grid","#
                .to_owned()
                + r#""columns":["a","b"],"rows":["1"],"from_top":false,"falls":false,"#
                + r#""cells":[{"owner":"first","mark":"x"},null]},"counts":null,"#
                + r#""moves":[{"move":"b1","name":"Rb1","to":[1,0]},{"move":"0000"}],"last":null}"#
        );
    }
}
