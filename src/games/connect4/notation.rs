//! Texts of Connect Four: boards as in m,n,k games, moves as letters of columns, or as Cute Chess writes them. Layer 2.

use super::rules::has_line;
use super::{Board, Position};
use crate::game::{self, Position as _, TextError};
use crate::games::grid::{BoardText, Grid, RowOne, Style, no_move, read_number};
use crate::message::{self, Color, PieceStyle, Point, Shape, Surface, Way};
use crate::spelling::quoted;

/// The texts of one game.
///
/// # Format
/// Board: the rows from the top, `/` between them; `x`, `o`, or a number for so many empty cells; a blank; the side to move.
/// Move: the letter of the column, from `a`. Read are also its number, from 1, and the cell that the stone falls to (`d1`),
/// with or without the `P@` of a drop. A word of digits alone is a move a digit on boards of up to nine columns.
///
/// With drops, boards are written with a pocket and moves as `P@d1`; either style is always read.
#[derive(Debug, Clone, Copy)]
pub struct Notation<B> {
    board: B,
    grid: Grid,
}

impl<B: Board> Notation<B> {
    /// The notation for the game on this board.
    #[must_use]
    pub fn new(board: B, style: Style) -> Notation<B> {
        let (cols, rows) = (board.parameters().cols(), board.parameters().rows());
        Notation { board, grid: Grid { cols, rows, style, row_one: RowOne::Bottom } }
    }

    /// Checks that each stone lies on another one or on the ground.
    fn check_columns(&self, stones: [u64; 2], text: &BoardText<'_>) -> Result<(), TextError> {
        let parameters = self.board.parameters();
        let mask = stones[0] | stones[1];
        for col in 0..parameters.cols() {
            let column = (mask & parameters.column(col.into())) >> parameters.bit(col, 0);
            // A column filled from below is one less than a power of two.
            if column & (column + 1) != 0 {
                let field = format!("column {}", char::from(b'a' + col));
                return Err(TextError::new(text.board_at, field, "no empty cell below a stone", "one"));
            }
        }
        Ok(())
    }

    /// Checks that a game can have come to the lines of these stones.
    fn check_lines(&self, stones: [u64; 2], text: &BoardText<'_>) -> Result<(), TextError> {
        let parameters = self.board.parameters();
        let wrong = |expected: &str, found: &str| Err(TextError::new(text.board_at, "lines", expected, found));
        let [mover, winner] = [text.turn, text.turn.other()].map(|side| stones[side.index()]);
        if has_line(parameters, mover) {
            return wrong("no line of the side to move, whose opponent moved last", "one");
        }
        let tops = (0..parameters.cols()).filter_map(|col| {
            let column = (stones[0] | stones[1]) & parameters.column(col.into());
            (column != 0).then(|| 1_u64 << (63 - column.leading_zeros()))
        });
        let made_by = |top: u64| winner & top != 0 && !has_line(parameters, winner ^ top);
        if has_line(parameters, winner) && !tops.into_iter().any(made_by) {
            return wrong("lines that one last stone can have made", "lines made earlier");
        }
        Ok(())
    }
}

impl<B: Board> game::Notation for Notation<B> {
    type Position = Position<B>;

    fn start(&self) -> Position<B> {
        Position::start(self.board)
    }

    fn parse_position(&self, text: &str) -> Result<Position<B>, TextError> {
        let parameters = self.board.parameters();
        let text = self.grid.read(text)?;
        let mut stones = [0; 2];
        for &(col, row, side) in &text.stones {
            stones[side.index()] |= 1 << parameters.bit(col, row);
        }
        text.check_no_pass()?;
        text.check_counts()?;
        self.check_columns(stones, &text)?;
        self.check_lines(stones, &text)?;
        text.check_pocket(parameters.cells.count_ones())?;
        Ok(Position::with_stones(self.board, stones))
    }

    fn position_text(&self, position: &Position<B>) -> String {
        self.grid.write(|col, row| position.stone(col, row), position.side_to_move())
    }

    fn parse_move(&self, position: &Position<B>, text: &str) -> Result<u8, TextError> {
        let (offset, cell) = Grid::strip_drop(text);
        let (col, rank) = if cell.starts_with(|c: char| c.is_ascii_digit()) {
            (read_number("move", cell, offset, self.grid.cols)? - 1, "")
        } else {
            (self.grid.read_file(cell, offset)?, &cell[1..])
        };
        let row = if rank.is_empty() { None } else { Some(self.grid.read_rank(rank, offset + 1)?) };
        if position.outcome().is_some() {
            return Err(no_move("no move, the game is over", quoted(text)));
        }
        let Some(mv) = position.landing(col) else {
            return Err(no_move("a column with a free cell", format!("{cell}, which is full")));
        };
        let lowest = position.parameters().cell(mv);
        if row.is_some_and(|row| row != lowest.1) {
            let free = Grid { style: Style::Coordinates, ..self.grid }.cell_text(lowest.0, lowest.1);
            return Err(no_move(&format!("{free}, the lowest free cell of the column"), quoted(cell)));
        }
        Ok(mv)
    }

    fn parse_move_past_end(&self, position: &Position<B>, text: &str) -> Option<u8> {
        let (offset, cell) = Grid::strip_drop(text);
        let col = match read_number("move", cell, offset, self.grid.cols) {
            Ok(number) => number - 1,
            Err(_) => self.grid.read_file(cell, offset).ok()?,
        };
        position.landing(col)
    }

    fn move_text(&self, position: &Position<B>, mv: u8) -> String {
        let (col, row) = position.parameters().cell(mv);
        match self.grid.style {
            Style::Coordinates => char::from(b'a' + col).to_string(),
            Style::Drops => self.grid.cell_text(col, row),
        }
    }

    fn split_moves<'t>(&self, text: &'t str) -> Vec<(usize, &'t str)> {
        let start = text.as_ptr() as usize;
        let mut moves = Vec::new();
        for word in text.split_ascii_whitespace() {
            let offset = word.as_ptr() as usize - start;
            if self.grid.cols <= 9 && word.bytes().all(|b| b.is_ascii_digit()) {
                moves.extend((0..word.len()).map(|i| (offset + i, &word[i..=i])));
            } else {
                moves.push((offset, word));
            }
        }
        moves
    }

    fn board(&self, position: &Position<B>) -> message::BoardPicture {
        let mut board = self.grid.board(|col, row| position.stone(col, row));
        if let Shape::Grid(grid) = &mut board.shape {
            grid.falls = true;
        }
        board.looking(Surface::Holes, PieceStyle::Stones).colored(Color::Red, Color::Yellow)
    }

    fn way(&self, position: &Position<B>, mv: u8) -> Way {
        let (col, row) = position.parameters().cell(mv);
        Way::to(Point::new(col, row))
    }
}

#[cfg(test)]
mod tests {
    use super::super::Standard;
    use super::*;
    use crate::game::{Notation as _, Outcome, Side};

    fn notation(style: Style) -> Notation<Standard> {
        Notation::new(Standard, style)
    }

    fn both(text: &str) -> [String; 2] {
        [Style::Coordinates, Style::Drops].map(|style| {
            let notation = notation(style);
            notation.position_text(&notation.parse_position(text).unwrap())
        })
    }

    #[test]
    fn boards_are_read_and_written_in_both_styles() {
        let pocket = |p1, p2| format!("[{}{}]", "P".repeat(p1), "p".repeat(p2));
        let start = ["7/7/7/7/7/7 x".to_string(), format!("7/7/7/7/7/7{} w - - 0 1", pocket(21, 21))];
        for text in ["7/7/7/7/7/7 x", "7/7/7/7/7/7[21 P, 21 p] w - - 0 1", "7/7/7/7/7/7 w - - 0 1", &start[1]] {
            assert_eq!(both(text), start);
        }
        let played = ["7/7/7/7/3o3/3x3 x".to_string(), format!("7/7/7/7/3p3/3P3{} w - - 0 1", pocket(20, 20))];
        assert_eq!(both(&played[0]), played);
        assert_eq!(both(&played[1]), played);
    }

    #[test]
    fn finished_positions_are_positions() {
        let outcome = |text| notation(Style::Coordinates).parse_position(text).unwrap().outcome();
        assert_eq!(outcome("7/7/7/7/ooo4/xxxx3 o"), Some(Outcome::Win(Side::First)));
        assert_eq!(outcome("7/7/7/oooo3/xxxo3/xxxoxo1 x"), Some(Outcome::Win(Side::Second)));
    }

    #[test]
    fn boards_that_no_game_reaches_are_refused() {
        for (text, offset, message) in [
            ("7/7/7/7/7 x", 9, "board: expected 6 rows, found 5"),
            ("7/7/7/7/7/8 x", 10, "row 6: expected a number of empty cells from 1 to 7, found '8'"),
            (
                "7/7/7/7/7/3x3 x",
                14,
                "stone counts: expected as many stones of x as of o when x is to move, found 1 of x and 0 of o",
            ),
            (" 7/7/7/7/3x3/7 o", 1, "column d: expected no empty cell below a stone, found one"),
            (
                "7/7/7/7/xxx4/oooo3 o",
                19,
                "stone counts: expected one stone more of x than of o when o is to move, found 3 of x and 4 of o",
            ),
            (
                "7/7/7/7/xxxx3/oooo3 x",
                0,
                "lines: expected no line of the side to move, whose opponent moved last, found one",
            ),
            (
                "7/7/7/7/oooo3/xxxxx2 o",
                0,
                "lines: expected no line of the side to move, whose opponent moved last, found one",
            ),
            // Each end of the line lies under a stone of its opponent, and so do its other stones.
            (
                "7/7/7/7/oooo3/xxxx1x1 o",
                0,
                "lines: expected no line of the side to move, whose opponent moved last, found one",
            ),
            (
                "7/7/7/7/oxoo3/xxxx1o1 o",
                0,
                "lines: expected lines that one last stone can have made, found lines made earlier",
            ),
            ("7/7/7/7/7/7[21P] w", 12, "pocket: expected 21 P and 21 p, found 21 P and 0 p"),
        ] {
            for style in [Style::Coordinates, Style::Drops] {
                let error = notation(style).parse_position(text).unwrap_err();
                assert_eq!((error.offset, error.to_string()), (offset, message.into()), "{text}");
            }
        }
    }

    #[test]
    fn a_move_is_a_letter_a_number_a_cell_or_a_drop() {
        let (plain, drops) = (notation(Style::Coordinates), notation(Style::Drops));
        let position = plain.parse_position("3x3/3o3/3x3/3o3/3x3/3o2x o").unwrap();
        for text in ["g", "7", "g2", "P@g2", "p@g2", "P@g"] {
            let mv = plain.parse_move(&position, text).unwrap();
            assert_eq!(drops.parse_move(&position, text), Ok(mv));
            assert_eq!([plain.move_text(&position, mv), drops.move_text(&position, mv)], ["g", "P@g2"]);
        }
        for (text, offset, message) in [
            ("", 0, "move: expected a file from a to g, found nothing"),
            ("h", 0, "move: expected a file from a to g, found 'h'"),
            ("G", 0, "move: expected a file from a to g, found 'G'"),
            ("é", 0, "move: expected a file from a to g, found 'é'"),
            ("0", 0, "move: expected a number from 1 to 7, found '0'"),
            ("0000", 0, "move: expected a number from 1 to 7, found '0000'"),
            ("8", 0, "move: expected a number from 1 to 7, found '8'"),
            ("P@", 2, "move: expected a file from a to g, found nothing"),
            ("g7", 1, "move: expected a rank from 1 to 6, found '7'"),
            ("P@g0", 3, "move: expected a rank from 1 to 6, found '0'"),
            ("gé", 1, "move: expected a rank from 1 to 6, found 'é'"),
            ("g1", 0, "move: expected g2, the lowest free cell of the column, found 'g1'"),
            ("d", 0, "move: expected a column with a free cell, found d, which is full"),
            ("P@d6", 0, "move: expected a column with a free cell, found d6, which is full"),
        ] {
            let error = plain.parse_move(&position, text).unwrap_err();
            assert_eq!((error.offset, error.to_string()), (offset, message.into()), "{text}");
        }
        let won = plain.parse_position("7/7/7/7/ooo4/xxxx3 o").unwrap();
        assert!(plain.parse_move(&won, "a").unwrap_err().to_string().contains("the game is over"));
    }

    #[test]
    fn digits_may_stand_together() {
        let notation = notation(Style::Coordinates);
        assert_eq!(notation.split_moves("44 d e5"), [(0, "4"), (1, "4"), (3, "d"), (5, "e5")]);
        let wide = Notation::new(super::super::parse_parameters("connect4:12,4,4").unwrap(), Style::Coordinates);
        assert_eq!(wide.split_moves("12 l"), [(0, "12"), (3, "l")]);
        assert_eq!(wide.parse_move(&wide.start(), "12"), wide.parse_move(&wide.start(), "l"));
    }
}
