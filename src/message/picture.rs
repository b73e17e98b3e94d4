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
    /// What is the same in every position, for games of the registry.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game: Option<GameFacts>,
}

/// What front ends show of a game besides its board.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GameFacts {
    /// The key of its entry in the menu, for front ends with words of their own.
    pub key: &'static str,
    /// Its title in English.
    pub title: String,
    /// What distinguishes it from other games with that title: rules, sizes.
    pub details: Vec<Detail>,
    /// A clear lead, in hundredths of its unit.
    pub clear_lead: u32,
    /// Scores from here on, in hundredths, are certain wins; usually 100,000.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certain: Option<u32>,
    /// How many in a row win, in games of that kind.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub row: Option<u32>,
}

/// What distinguishes a game from others with its title.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Detail {
    /// The key of a choice in the menu; none for sizes and numbers, which are the same in every language.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<&'static str>,
    /// Its title in English.
    pub title: String,
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
    /// The colours of the players' pieces, where they have any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub colors: Option<[Color; 2]>,
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
    /// By the colours of their pieces. In board texts a player is the first letter of the colour.
    Colors,
    /// South, whose houses are the lower row, and North.
    Compass,
    /// Player 1 and player 2.
    Numbers,
}

/// The colour of a player's pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Color {
    /// Black.
    Black,
    /// White.
    White,
    /// Red.
    Red,
    /// Yellow.
    Yellow,
}

impl Color {
    /// Its name in English.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Color::Black => "Black",
            Color::White => "White",
            Color::Red => "Red",
            Color::Yellow => "Yellow",
        }
    }
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
    /// How the cells look.
    pub surface: Surface,
    /// How the pieces look.
    pub pieces: PieceStyle,
    /// Every piece that can stand on a cell, the first player's first.
    pub set: Vec<Piece>,
    /// What stands on the cells, row after row from row 0.
    pub cells: Vec<Option<Piece>>,
    /// Whether a cell is one that pieces stand on, in the same order; empty if all are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dark: Vec<bool>,
    /// The names of the cells, in the same order, where they are not those of column and row; else empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<Option<String>>,
}

/// How the cells of a grid look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Surface {
    /// Separate cells.
    #[default]
    Tiles,
    /// Light and dark squares; the lowest left one is dark, unless [`GridPicture::dark`] says which are.
    Squares,
    /// Cells between lines.
    Cloth,
    /// The crossings of lines.
    Points,
    /// Holes in a rack that stands upright.
    Holes,
}

/// How the pieces of a grid look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PieceStyle {
    /// By their marks.
    #[default]
    Marks,
    /// Stones and discs in the players' colours.
    Stones,
    /// Draughtsmen: of the kind `man` or `king`.
    Men,
    /// Chessmen.
    Chessmen,
}

/// A piece on a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Piece {
    /// Its owner.
    pub owner: Player,
    /// Its mark.
    pub mark: char,
    /// What it is, in games with pieces of several kinds: `king`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<&'static str>,
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
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Way {
    /// Where it begins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<Point>,
    /// Where it ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<Point>,
    /// Where it stops on its way, in games in which a capture may go on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub via: Vec<Point>,
    /// Where else it may stop: other choices of stops that come to the same move (flying kings land on any of several squares).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ways: Vec<Vec<Point>>,
    /// What it takes elsewhere than where it ends.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub takes: Vec<Point>,
    /// The kind of piece that the moved one becomes, where the player chooses it: the only difference between moves with the
    /// same points.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub becomes: Option<&'static str>,
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
        let set = [Player::First, Player::Second].map(|owner| Piece { owner, mark: marks[owner.index()], kind: None });
        let players = PlayerNames::Marks(marks);
        BoardPicture::pieces(cols, rows, players, set, |col, row| Some(set[owner(col, row)?.into().index()]))
    }

    /// The same for pieces of several kinds: `set` has them all.
    pub fn pieces(
        cols: u8,
        rows: u8,
        players: PlayerNames,
        set: impl Into<Vec<Piece>>,
        piece: impl Fn(u8, u8) -> Option<Piece>,
    ) -> BoardPicture {
        let cells = (0..rows).flat_map(|row| (0..cols).map(move |col| (col, row)));
        let grid = GridPicture {
            columns: (0..cols).map(letters).collect(),
            rows: (1..=u32::from(rows)).map(|number| number.to_string()).collect(),
            from_top: false,
            falls: false,
            surface: Surface::default(),
            pieces: PieceStyle::default(),
            set: set.into(),
            cells: cells.map(|(col, row)| piece(col, row)).collect(),
            dark: Vec::new(),
            labels: Vec::new(),
        };
        BoardPicture { players, colors: None, shape: Shape::Grid(grid), counts: None }
    }

    /// The same board with this look. A board that is no grid stays as it is.
    #[must_use]
    pub fn looking(mut self, surface: Surface, pieces: PieceStyle) -> BoardPicture {
        if let Shape::Grid(grid) = &mut self.shape {
            (grid.surface, grid.pieces) = (surface, pieces);
        }
        self
    }

    /// The same board with pieces of these colours.
    #[must_use]
    pub fn colored(self, first: Color, second: Color) -> BoardPicture {
        BoardPicture { colors: Some([first, second]), ..self }
    }

    /// The color of a player's pieces, if players are named by it.
    #[must_use]
    pub fn color_name(&self, player: Player) -> Option<Color> {
        let colors = self.colors.filter(|_| self.players == PlayerNames::Colors)?;
        Some(colors[player.index()])
    }

    /// The board of a grid in rows: from the top, `/` between them, the marks of pieces and numbers for empty cells; then a blank
    /// and whose turn it is, by the mark of the player or the first letter of the colour. Every game on a grid reads it as a board
    /// text: the editor of `griot-board` writes it. `None` if the board is no grid.
    ///
    /// # Examples
    /// ```
    /// use griot::message::{BoardPicture, Player};
    ///
    /// let board = BoardPicture::grid(3, 2, ['x', 'o'], |col, row| (col == row).then_some(Player::First));
    /// assert_eq!(board.in_rows(Player::Second).as_deref(), Some("1x1/x2 o"));
    /// ```
    #[must_use]
    pub fn in_rows(&self, turn: Player) -> Option<String> {
        let Shape::Grid(grid) = &self.shape else { return None };
        let turn = match self.players {
            PlayerNames::Marks(marks) => marks[turn.index()],
            _ => self.color_name(turn)?.name().chars().next()?.to_ascii_lowercase(),
        };
        let row = |cells: &[Option<Piece>]| {
            let mut text = String::new();
            let mut empty = 0;
            for piece in cells.iter().map(Some).chain([None]) {
                if piece == Some(&None) {
                    empty += 1;
                    continue;
                }
                if empty > 0 {
                    text += &std::mem::take(&mut empty).to_string();
                }
                text.extend(piece.copied().flatten().map(|piece| piece.mark));
            }
            text
        };
        let mut rows: Vec<String> = grid.cells.chunks(grid.columns.len().max(1)).map(row).collect();
        if !grid.from_top {
            rows.reverse();
        }
        Some(format!("{} {turn}", rows.join("/")))
    }

    /// No points, and numbered players.
    pub fn text(text: impl Into<String>) -> BoardPicture {
        BoardPicture {
            players: PlayerNames::Numbers,
            colors: None,
            shape: Shape::Text { text: text.into() },
            counts: None,
        }
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
        Picture {
            turn: Player::First,
            result: None,
            board: BoardPicture::text(""),
            moves: Vec::new(),
            last: None,
            game: None,
        }
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
    /// The points of a move in the order in which a person shows them: where it begins, stops and ends.
    pub fn points(&self) -> impl Iterator<Item = Point> {
        self.from.into_iter().chain(self.via.iter().copied()).chain(self.to)
    }

    /// The way of a piece that is put down here.
    #[must_use]
    pub fn to(to: Point) -> Way {
        Way { to: Some(to), ..Way::default() }
    }

    /// The way of what is taken up here.
    #[must_use]
    pub fn from(from: Point) -> Way {
        Way { from: Some(from), ..Way::default() }
    }

    /// The way of a piece from here to there.
    #[must_use]
    pub fn between(from: Point, to: Point) -> Way {
        Way { from: Some(from), to: Some(to), ..Way::default() }
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
            game: None,
        };
        assert_eq!(
            serde_json::to_string(&picture).unwrap(),
            r#"{"turn":"second","result":{"win":"first"},"players":{"marks":["x","o"]},"board":{"kind":"grid","#
                .to_owned()
                + r#""columns":["a","b"],"rows":["1"],"from_top":false,"falls":false,"surface":"tiles","pieces":"marks","#
                + r#""set":[{"owner":"first","mark":"x"},{"owner":"second","mark":"o"}],"#
                + r#""cells":[{"owner":"first","mark":"x"},null]},"counts":null,"#
                + r#""moves":[{"move":"b1","name":"Rb1","to":[1,0]},{"move":"0000"}],"last":null}"#
        );
    }
}
