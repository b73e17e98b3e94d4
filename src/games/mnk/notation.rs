//! Texts of m,n,k games, in two styles; boards are the grid's, the rules of lines are here. Layer 2.
//!
//! [`Style::Coordinates`] is griot's own, [`Style::Drops`] that of Cute Chess, where a move drops a pawn from a pocket. Both
//! are always read; the style decides which is written.

use super::bits::Bits;
use super::renju::{self, Verdict};
use super::rules::has_line;
use super::{Parameters, Position};
use crate::game::{self, Position as _, Side, TextError};
use crate::games::grid::{BoardText, Grid, PASS, RowOne, Style, no_move};
use crate::message::{BoardPicture, Color, PieceStyle, Point, Surface, Way};
use crate::spelling::quoted;

/// Boards of up to so many cells look like those on paper, with crosses and noughts; larger ones have stones.
const PAPER: u16 = 64;

/// The texts of one m,n,k game.
///
/// # Format
/// BoardPicture: the rows from the top, `/` between them; `x`, `o`, or a number for so many empty cells; a blank; the side to move.
/// Behind it ` pass` where a side has passed, as in [`game::Position::after_pass`]. Move: the letter of the file, from `a`, and the number of the rank, 1 at the bottom.
///
/// With drops, `P` is x and `p` is o, and after the board stands the pocket: in brackets the stones still to come, one
/// letter each, `-` for none. Then `w` (x to move) or `b`, and `- - 0 1`, which means nothing here. Reading also takes a
/// pocket with counts (`[5P4p]`, `[113 P, 112 p]`) or none at all, and any counters. Letters are written even for a pocket
/// of 225: Cute Chess ends the board at a blank and takes a count for one digit, so it reads no other form of it.
///
/// Rows in errors are counted from the top.
#[derive(Debug, Clone, Copy)]
pub struct Notation<const W: usize> {
    parameters: Parameters,
    grid: Grid,
}

impl<const W: usize> Notation<W> {
    /// The notation for one game.
    ///
    /// # Panics
    /// When the board does not fit ([`Parameters::fits`]).
    #[must_use]
    pub fn new(parameters: Parameters, style: Style) -> Notation<W> {
        assert!(parameters.fits::<W>(), "{parameters} needs more than {W} words");
        let Parameters { cols, rows, .. } = parameters;
        Notation { parameters, grid: Grid { cols, rows, style, row_one: RowOne::Bottom } }
    }

    /// Checks that a game can have come to the lines of these stones.
    fn check_lines(&self, stones: [Bits<W>; 2], text: &BoardText<'_>) -> Result<(), TextError> {
        let turn = text.turn;
        let line = |side: Side| has_line(stones[side.index()], self.parameters.of(side));
        let wrong = |expected: &str, found: &str| Err(TextError::new(text.board_at, "lines", expected, found));
        match (line(turn), line(turn.other())) {
            (false, false) => Ok(()),
            (true, true) => wrong("a winning line of one side at most", "lines of both sides"),
            (true, false) => wrong("no winning line of the side to move, whose opponent moved last", "one"),
            (false, true) => {
                let winner = stones[turn.other().index()];
                let made_by = |bit| {
                    let mut before = winner;
                    before.flip(bit);
                    !has_line(before, self.parameters.of(turn.other()))
                };
                if winner.iter().any(made_by) {
                    Ok(())
                } else {
                    wrong("lines that one last stone can have made", "lines made earlier")
                }
            }
        }
    }
}

impl<const W: usize> game::Notation for Notation<W> {
    type Position = Position<W>;

    fn start(&self) -> Position<W> {
        Position::start(self.parameters)
    }

    fn parse_position(&self, text: &str) -> Result<Position<W>, TextError> {
        let text = self.grid.read(text)?;
        let mut stones = [Bits::EMPTY; 2];
        for &(col, row, side) in &text.stones {
            stones[side.index()].flip(self.parameters.bit(col, row).into());
        }
        if text.passed.is_some() {
            text.check_counts_after_a_pass()?;
        } else {
            text.check_counts()?;
        }
        self.check_lines(stones, &text)?;
        text.check_pocket(self.parameters.cells().into())?;
        Ok(Position::with_stones(self.parameters, stones, text.turn))
    }

    fn position_text(&self, position: &Position<W>) -> String {
        let mut text = self.grid.write(|col, row| position.stone(col, row), position.side_to_move());
        if position.has_passed() && self.grid.style == Style::Coordinates {
            text.push_str(PASS);
        }
        text
    }

    fn parse_move(&self, position: &Position<W>, text: &str) -> Result<u16, TextError> {
        let (col, row) = self.grid.read_cell(text)?;
        if position.outcome().is_some() {
            return Err(no_move("no move, the game is over", quoted(text)));
        }
        if position.stone(col, row).is_some() {
            let (_, cell) = Grid::strip_drop(text);
            return Err(no_move("an empty cell", format!("a stone on {cell}")));
        }
        let cell = self.parameters.bit(col, row);
        if self.parameters.renju && position.turn == Side::First {
            let makes = match renju::verdict_at(position, cell.into()) {
                Verdict::Overline => "a row of more than five",
                Verdict::TwoFours => "two fours",
                Verdict::TwoThrees => "two threes",
                Verdict::Five | Verdict::Allowed => return Ok(cell),
            };
            let found = format!("{}, which makes {makes}", self.grid.cell_text(col, row));
            return Err(no_move("a point that is not forbidden", found));
        }
        Ok(cell)
    }

    fn parse_move_past_end(&self, position: &Position<W>, text: &str) -> Option<u16> {
        let (col, row) = self.grid.read_cell(text).ok()?;
        position.stone(col, row).is_none().then(|| self.parameters.bit(col, row))
    }

    fn move_text(&self, _position: &Position<W>, mv: u16) -> String {
        let (col, row) = self.parameters.cell(mv);
        self.grid.cell_text(col, row)
    }

    fn board(&self, position: &Position<W>) -> BoardPicture {
        let board = self.grid.board(|col, row| position.stone(col, row));
        // Small boards are played with pencil and paper.
        if self.parameters.cells() <= PAPER {
            return board;
        }
        board.looking(Surface::Points, PieceStyle::Stones).colored(Color::Black, Color::White)
    }

    fn way(&self, _position: &Position<W>, mv: u16) -> Way {
        let (col, row) = self.parameters.cell(mv);
        Way::to(Point::new(col, row))
    }
}

#[cfg(test)]
mod tests {
    use super::super::parse_parameters;
    use super::*;
    use crate::game::{Notation as _, Outcome};

    fn notation(name: &str, style: Style) -> Notation<8> {
        Notation::new(parse_parameters(name).unwrap(), style)
    }

    /// Reads a board text and writes it in both styles.
    fn both(name: &str, text: &str) -> [String; 2] {
        [Style::Coordinates, Style::Drops].map(|style| {
            let notation = notation(name, style);
            notation.position_text(&notation.parse_position(text).unwrap())
        })
    }

    fn refused(name: &str, text: &str) -> (usize, String) {
        let error = notation(name, Style::Coordinates).parse_position(text).unwrap_err();
        assert_eq!(notation(name, Style::Drops).parse_position(text), Err(error.clone()));
        (error.offset, error.to_string())
    }

    #[test]
    fn the_start_position_is_written_in_both_styles() {
        assert_eq!(both("tictactoe", "3/3/3 x"), ["3/3/3 x", "3/3/3[PPPPPpppp] w - - 0 1"]);
        let [plain, drops] = both("gomoku", &format!("{}15 x", "15/".repeat(14)));
        assert_eq!(plain, format!("{}15 x", "15/".repeat(14)));
        let pocket = format!("[{}{}]", "P".repeat(113), "p".repeat(112));
        assert_eq!(drops, format!("{}15{pocket} w - - 0 1", "15/".repeat(14)));
    }

    #[test]
    fn rows_stand_from_the_top_and_numbers_may_have_two_digits() {
        let notation = notation("mnk:12,3,3", Style::Coordinates);
        let position = notation.parse_position("o11/12/10x1 x").unwrap();
        assert_eq!(position.stone(10, 0), Some(Side::First));
        assert_eq!(position.stone(0, 2), Some(Side::Second));
        assert_eq!(notation.position_text(&position), "o11/12/10x1 x");
    }

    #[test]
    fn either_style_is_read_whatever_is_written() {
        let written = ["3/1x1/o2 x".to_string(), "3/1P1/p2[PPPPppp] w - - 0 1".to_string()];
        for text in [
            "3/1x1/o2 x",
            " 3/1x1/o2  \t x ",
            "3/1P1/p2[PPPPppp] w - - 0 1",
            "3/1P1/p2[pPpPpPP] w - - 0 1",
            "3/1P1/p2[4P3p] w - - 0 1",
            "3/1P1/p2[4 P, 3 p] w - - 7 12",
            "3/1P1/p2[ 3 p, 4 P ]w",
            "3/1P1/p2 w - - 0 1",
            "3/1P1/p2 w",
        ] {
            assert_eq!(both("tictactoe", text), written, "{text}");
        }
        assert_eq!(both("tictactoe", "3/3/3 w - - 0 1")[0], "3/3/3 x");
    }

    #[test]
    fn a_pocket_may_run_empty() {
        let written = ["xox/xoo/oxx o".to_string(), "PpP/Ppp/pPP[-] b - - 0 1".to_string()];
        for text in ["xox/xoo/oxx o", "PpP/Ppp/pPP[-] b - - 0 1", "PpP/Ppp/pPP[] b - - 0 1", "PpP/Ppp/pPP b - - 0 1"] {
            assert_eq!(both("tictactoe", text), written, "{text}");
        }
        assert_eq!(both("tictactoe", "PpP/Ppp/p1P[1P, 0 p] w - - 0 1")[0], "xox/xoo/o1x x");
    }

    #[test]
    fn finished_positions_are_positions() {
        let notation = notation("tictactoe", Style::Coordinates);
        let outcome = |text| notation.parse_position(text).unwrap().outcome();
        assert_eq!(outcome("xxx/oo1/3 o"), Some(Outcome::Win(Side::First)));
        assert_eq!(outcome("xx1/ooo/x2 x"), Some(Outcome::Win(Side::Second)));
        // Two lines at once, made by the last stone, where they cross.
        assert_eq!(outcome("xxx/xoo/xoo o"), Some(Outcome::Win(Side::First)));
        assert_eq!(outcome("xox/xoo/oxx o"), Some(Outcome::Draw));
    }

    #[test]
    fn each_bad_field_of_a_position_is_named_where_it_stands() {
        for (text, offset, message) in [
            ("", 0, "board: expected 3 rows, found 1"),
            ("3/3 x", 3, "board: expected 3 rows, found 2"),
            (" 3/3/3/3 x", 6, "board: expected 3 rows, found 4"),
            ("3/2/3 x", 2, "row 2: expected 3 cells, found 2"),
            ("3/3/ x", 4, "row 3: expected 3 cells, found 0"),
            ("3/x3/3 o", 3, "row 2: expected a number of empty cells from 1 to 2, found '3'"),
            ("3/x2o/3 x", 4, "row 2: expected no more than 3 cells, found 'o'"),
            ("12/3/3 x", 0, "row 1: expected a number of empty cells from 1 to 3, found '12'"),
            ("3/03/3 x", 2, "row 2: expected a number of empty cells from 1 to 3, found '03'"),
            ("3/3/0xo1 x", 4, "row 3: expected a number of empty cells from 1 to 3, found '0'"),
            (
                "99999999999999999999/3/3 x",
                0,
                "row 1: expected a number of empty cells from 1 to 3, found '99999999999999999999'",
            ),
            ("3/1X1/3 o", 3, "row 2: expected 'x', 'o' or a number, found 'X'"),
            ("3/1é1/3 o", 3, "row 2: expected 'x', 'o' or a number, found 'é'"),
            ("3/1P1/xo1 b", 6, "row 3: expected 'P', 'p' or a number, found 'x'"),
            ("3/3/3", 5, "side to move: expected 'x' or 'o', found nothing"),
            ("3/3/3 X", 6, "side to move: expected 'x' or 'o', found 'X'"),
            ("3/1x1/3 b", 8, "side to move: expected 'x' or 'o', found 'b'"),
            ("3/1P1/3 o", 8, "side to move: expected 'w' or 'b', found 'o'"),
            ("3/3/3 x 0 1", 8, "end of the position: expected nothing after the side to move, found '0'"),
            ("3/3/3 w KQ - 0 1", 8, "castling: expected '-', found 'KQ'"),
            ("3/3/3 w -", 9, "en passant: expected '-', found nothing"),
            ("3/3/3 w - - x 1", 12, "halfmove counter: expected a number, found 'x'"),
            ("3/3/3 w - - 0", 13, "move counter: expected a number, found nothing"),
            ("3/3/3 w - - 0 1 2", 16, "end of the position: expected nothing after the counters, found '2'"),
            (
                "3/1x1/3 x",
                8,
                "stone counts: expected as many stones of x as of o when x is to move, found 1 of x and 0 of o",
            ),
            (
                "3/1x1/o2 o",
                9,
                "stone counts: expected one stone more of x than of o when o is to move, found 1 of x and 1 of o",
            ),
            ("xxx/3/ooo x", 0, "lines: expected a winning line of one side at most, found lines of both sides"),
            (
                " xxx/oo1/o2 x",
                1,
                "lines: expected no winning line of the side to move, whose opponent moved last, found one",
            ),
            ("3/3/3[PPPPPpppp w - - 0 1", 25, "pocket: expected ']' at its end, found nothing"),
            ("3/3/3[PPPPppppp] w - - 0 1", 6, "pocket: expected 5 P and 4 p, found 4 P and 5 p"),
            ("3/1P1/3[PPPPPpppp] b - - 0 1", 8, "pocket: expected 4 P and 4 p, found 5 P and 4 p"),
            ("3/3/3[5P4n] w - - 0 1", 8, "pocket: expected 'P' or 'p', or a number of them, found '4n'"),
            ("3/3/3[5P4] w - - 0 1", 8, "pocket: expected 'P' or 'p', or a number of them, found '4'"),
            ("3/3/3[05P4p] w - - 0 1", 6, "pocket: expected 'P' or 'p', or a number of them, found '05P4p'"),
            ("3/3/3[99999999999P] w", 6, "pocket: expected 'P' or 'p', or a number of them, found '99999999999P'"),
            ("3/3/3[4000000000P4000000000P] w", 6, "pocket: expected 5 P and 4 p, found 4294967295 P and 0 p"),
        ] {
            assert_eq!(refused("tictactoe", text), (offset, message.into()), "{text}");
        }
    }

    #[test]
    fn lines_that_no_single_last_stone_made_are_refused() {
        let earlier = "lines: expected lines that one last stone can have made, found lines made earlier";
        // Two lines that do not cross.
        assert_eq!(refused("mnk:4,4,3", "xxx1/oo2/o1oo/xxx1 o").1, earlier);
        // Six in a row leave three whichever stone is taken away; five do not when it is the middle one.
        assert_eq!(refused("mnk:6,3,3", "o1o1o1/o1o3/xxxxxx o"), (0, earlier.into()));
        assert!(notation("mnk:6,2,3", Style::Drops).parse_position("oo1oo1/xxxxx1 o").is_ok());
        // One in a row is over after one stone.
        assert_eq!(
            refused("mnk:2,2,1", "xx/o1 o"),
            (0, "lines: expected a winning line of one side at most, found lines of both sides".into())
        );
        assert!(notation("mnk:2,2,1", Style::Drops).parse_position("x1/2 o").is_ok());
    }

    #[test]
    fn an_overline_in_a_text_wins_only_where_it_wins_in_play() {
        let rest = "15/".repeat(13);
        let text = format!("o1o1o1o1o6/{rest}xxxxxx9 o");
        let outcome = |name| notation(name, Style::Coordinates).parse_position(&text).unwrap().outcome();
        assert_eq!(outcome("gomoku"), None);
        assert_eq!(outcome("gomokufreestyle"), Some(Outcome::Win(Side::First)));
    }

    #[test]
    fn moves_are_read_with_and_without_a_drop() {
        let plain = notation("mnk:12,12,5", Style::Coordinates);
        let drops = notation("mnk:12,12,5", Style::Drops);
        let position = plain.parse_move(&plain.start(), "b2").map(|mv| plain.start().after(mv)).unwrap();
        for text in ["l12", "P@l12", "p@l12"] {
            let mv = plain.parse_move(&position, text).unwrap();
            assert_eq!(drops.parse_move(&position, text), Ok(mv));
            assert_eq!([plain.move_text(&position, mv), drops.move_text(&position, mv)], ["l12", "P@l12"]);
        }
        for (text, offset, message) in [
            ("", 0, "move: expected a file from a to l, found nothing"),
            ("m1", 0, "move: expected a file from a to l, found 'm'"),
            ("A1", 0, "move: expected a file from a to l, found 'A'"),
            ("é1", 0, "move: expected a file from a to l, found 'é'"),
            ("P@", 2, "move: expected a file from a to l, found nothing"),
            ("N@a1", 0, "move: expected a file from a to l, found 'N'"),
            ("a", 1, "move: expected a rank from 1 to 12, found nothing"),
            ("a0", 1, "move: expected a rank from 1 to 12, found '0'"),
            ("a01", 1, "move: expected a rank from 1 to 12, found '01'"),
            ("a+1", 1, "move: expected a rank from 1 to 12, found '+1'"),
            ("p@a13", 3, "move: expected a rank from 1 to 12, found '13'"),
            ("a1é", 1, "move: expected a rank from 1 to 12, found '1é'"),
            ("a99999999999", 1, "move: expected a rank from 1 to 12, found '99999999999'"),
            ("b2", 0, "move: expected an empty cell, found a stone on b2"),
        ] {
            let error = plain.parse_move(&position, text).unwrap_err();
            assert_eq!((error.offset, error.to_string()), (offset, message.into()), "{text}");
        }
    }

    #[test]
    fn no_move_is_taken_after_the_end() {
        let notation = notation("tictactoe", Style::Coordinates);
        let won = notation.parse_position("xxx/oo1/3 o").unwrap();
        let error = notation.parse_move(&won, "a1").unwrap_err();
        assert_eq!(error.to_string(), "move: expected no move, the game is over, found 'a1'");
    }

    #[test]
    fn a_move_goes_to_its_cell_in_either_style() {
        let notation = notation("mnk:4,3,3", Style::Drops);
        let position = notation.parse_position("3o/1x2/4 x").unwrap();
        let picture = notation.picture(&position);
        let last = picture.moves.last().unwrap();
        assert_eq!((last.mv.as_str(), last.way.clone()), ("P@c3", Way::to(Point::new(2_u8, 2_u8))));
    }
}
