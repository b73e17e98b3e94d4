//! Texts of Othello: boards as in m,n,k games with row 1 at the top, moves as cells, `0000` for the pass. Layer 2.

use super::rules::{PASS, Position};
use crate::game::{self, Position as _, Side, TextError};
use crate::games::grid::{Grid, RowOne, Style, no_move};
use crate::message::{BoardPicture, Color, PieceStyle, Point, Surface, Way};
use crate::spelling::quoted;

const GRID: Grid = Grid { cols: 8, rows: 8, style: Style::Coordinates, row_one: RowOne::Top };

/// The cells in the middle, which are never empty.
const MIDDLE: u64 = 0x0000_0018_1800_0000;

/// The word for a pass.
const PASS_TEXT: &str = "0000";

/// The texts of Othello.
///
/// # Format
/// BoardPicture: the rows from row 1 to row 8, `/` between them; `x`, `o`, or a number for so many empty cells; a blank; the side to
/// move. Move: the letter of the column, from `a`, and the number of the row, 1 at the top, as Othello players count; `0000`
/// passes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Notation;

fn disc(position: &Position, col: u8, row: u8) -> Option<Side> {
    [Side::First, Side::Second].into_iter().find(|&side| position.discs(side) >> (8 * row + col) & 1 != 0)
}

impl game::Notation for Notation {
    type Position = Position;

    fn start(&self) -> Position {
        Position::start()
    }

    fn parse_position(&self, text: &str) -> Result<Position, TextError> {
        let text = GRID.read(text)?;
        if text.style != GRID.style {
            return Err(TextError::new(text.board_at, "board", "rows of x and o", "pawns, or a side of chess"));
        }
        let mut discs = [0; 2];
        for &(col, row, side) in &text.stones {
            discs[side.index()] |= 1 << (8 * row + col);
        }
        if (discs[0] | discs[1]) & MIDDLE != MIDDLE {
            let expected = "discs on d4, e4, d5 and e5, where each game begins";
            return Err(TextError::new(text.board_at, "middle", expected, "an empty cell"));
        }
        Ok(Position::new(discs, text.turn))
    }

    fn position_text(&self, position: &Position) -> String {
        GRID.write(|col, row| disc(position, col, row), position.side_to_move())
    }

    fn parse_move(&self, position: &Position, text: &str) -> Result<u8, TextError> {
        let mv = if text == PASS_TEXT {
            PASS
        } else {
            let (col, row) = GRID.read_cell(text)?;
            8 * row + col
        };
        if position.outcome().is_some() {
            return Err(no_move("no move, the game is over", quoted(text)));
        }
        match (mv, position.moves()) {
            (PASS, 0) => Ok(PASS),
            (PASS, _) => Err(no_move("a cell to play on, since there is one", "a pass")),
            (_, 0) => Err(no_move("the pass 0000, since there is no other move", quoted(text))),
            (_, moves) if moves >> mv & 1 != 0 => Ok(mv),
            _ if position.empty() >> mv & 1 == 0 => Err(no_move("an empty cell", format!("a disc on {text}"))),
            _ => Err(no_move("a cell that turns a disc over", format!("{text}, which turns none"))),
        }
    }

    fn move_text(&self, _position: &Position, mv: u8) -> String {
        if mv == PASS { PASS_TEXT.into() } else { GRID.cell_text(mv % 8, mv / 8) }
    }

    fn board(&self, position: &Position) -> BoardPicture {
        let counts = [Side::First, Side::Second].map(|side| position.discs(side).count_ones());
        let board = GRID.board(|col, row| disc(position, col, row));
        let board = board.looking(Surface::Cloth, PieceStyle::Stones).colored(Color::Black, Color::White);
        BoardPicture { counts: Some(counts), ..board }
    }

    fn way(&self, _position: &Position, mv: u8) -> Way {
        if mv == PASS { Way::default() } else { Way::to(Point::new(mv % 8, mv / 8)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Notation as _;
    use crate::message::Shape;

    const START: &str = "8/8/8/3ox3/3xo3/8/8/8 x";

    #[test]
    fn row_1_is_at_the_top() {
        assert_eq!(Notation.position_text(&Notation.start()), START);
        let after = Notation.start().after(Notation.parse_move(&Notation.start(), "d3").unwrap());
        assert_eq!(Notation.position_text(&after), "8/8/3x4/3xx3/3xo3/8/8/8 o");
        let picture = Notation.picture(&after);
        let Shape::Grid(grid) = picture.board.shape else { panic!() };
        assert!(grid.from_top && grid.piece(Point::new(3_u8, 2_u8)).is_some_and(|disc| disc.mark == 'x'));
        assert_eq!(picture.board.counts, Some([4, 1]));
        assert_eq!(picture.moves.iter().find(|stroke| stroke.mv == "c3").unwrap().way, Way::to(Point::new(2_u8, 2_u8)));
    }

    #[test]
    fn boards_that_cannot_be_are_refused() {
        for (text, offset, message) in [
            ("8/8/8/3ox3/3xo3/8/8 x", 19, "board: expected 8 rows, found 7"),
            ("8/8/8/3ox3/3xo3/8/8/9 x", 20, "row 8: expected a number of empty cells from 1 to 8, found '9'"),
            ("8/8/8/3ox3/3xo3/8/8/8", 21, "side to move: expected 'x' or 'o', found nothing"),
            (
                " 8/8/8/3ox3/4o3/8/8/8 x",
                1,
                "middle: expected discs on d4, e4, d5 and e5, where each game begins, found an empty cell",
            ),
        ] {
            let error = Notation.parse_position(text).unwrap_err();
            assert_eq!((error.offset, error.to_string()), (offset, message.into()), "{text}");
        }
        // One colour may be gone, and any number of discs may lie on the board.
        assert!(Notation.parse_position("8/8/8/3xx3/3xx3/3x4/8/8 o").unwrap().outcome().is_some());
    }

    #[test]
    fn moves_are_cells_or_the_pass() {
        let start = Notation.start();
        assert_eq!(Notation.parse_move(&start, "d3"), Ok(19));
        let pass = Notation.parse_position("8/8/8/2xox3/3xxx2/8/8/8 o").unwrap();
        assert_ne!(pass.moves(), 0);
        for (text, message) in [
            ("", "move: expected a file from a to h, found nothing"),
            ("i1", "move: expected a file from a to h, found 'i'"),
            ("D3", "move: expected a file from a to h, found 'D'"),
            ("d9", "move: expected a rank from 1 to 8, found '9'"),
            ("d4", "move: expected an empty cell, found a disc on d4"),
            ("a1", "move: expected a cell that turns a disc over, found a1, which turns none"),
            ("0000", "move: expected a cell to play on, since there is one, found a pass"),
            ("000", "move: expected a file from a to h, found '0'"),
        ] {
            assert_eq!(Notation.parse_move(&start, text).unwrap_err().to_string(), message, "{text}");
        }
    }

    #[test]
    fn a_pass_is_the_only_move_where_there_is_no_other() {
        // All discs of o are on the rim of x: o turns none, x turns a1.
        let position = Notation.parse_position("1oooooox/8/8/3xx3/3xx3/8/8/8 o").unwrap();
        let mut moves = Vec::new();
        position.generate(&mut moves);
        assert_eq!(moves, [PASS]);
        assert_eq!(Notation.move_text(&position, PASS), "0000");
        assert_eq!(Notation.parse_move(&position, "0000"), Ok(PASS));
        let error = Notation.parse_move(&position, "a1").unwrap_err();
        assert_eq!(error.to_string(), "move: expected the pass 0000, since there is no other move, found 'a1'");
        let over = Notation.parse_position("xooooooo/8/8/3oo3/3oo3/8/8/8 x").unwrap();
        assert!(over.outcome().is_some() && Notation.parse_move(&over, "0000").is_err());
    }
}
