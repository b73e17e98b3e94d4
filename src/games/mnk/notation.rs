//! Texts of m,n,k games, in two styles. Floor 2.
//!
//! [`Style::Coordinates`] is griot's own, [`Style::Drops`] that of Cute Chess, where a move drops a pawn from a pocket. Both
//! are always read; the style says which one is written.
//! CITE: Cute Chess, `lib/src/board/board.cpp` and `connectboard.cpp` (pocket and counters of the FEN).

use super::bits::Bits;
use super::rules::has_line;
use super::{Parameters, Position, quoted};
use crate::game::{self, Outcome, Position as _, Side, TextError};

/// How positions and moves are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// `3/1x1/3 o` and `b2`.
    Coordinates,
    /// `3/1P1/3[PPPPpppp] b - - 0 1` and `P@b2`.
    Drops,
}

/// The texts of one m,n,k game.
///
/// # Format
/// Board: the rows from the top, `/` between them; `x`, `o`, or a number for so many empty cells; a blank; the side to move.
/// Move: the letter of the file, from `a`, and the number of the rank, 1 at the bottom.
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
    style: Style,
}

/// The letters of a style: x, o, x to move, o to move.
struct Letters {
    stones: [char; 2],
    turns: [&'static str; 2],
}

impl Style {
    const fn letters(self) -> Letters {
        match self {
            Style::Coordinates => Letters { stones: ['x', 'o'], turns: ["x", "o"] },
            Style::Drops => Letters { stones: ['P', 'p'], turns: ["w", "b"] },
        }
    }

    /// The style a board text is in: drops when it has a pocket or pawns, or no stones but a chess side to move.
    fn of(board: &str, rest: &str) -> Style {
        let chess_turn = || matches!(rest.split_ascii_whitespace().next(), Some("w" | "b"));
        if board.contains(['[', 'P', 'p']) || !board.contains(['x', 'o']) && chess_turn() {
            Style::Drops
        } else {
            Style::Coordinates
        }
    }
}

impl<const W: usize> Notation<W> {
    /// The notation for one game.
    ///
    /// # Panics
    /// When the board does not fit ([`Parameters::fits`]).
    #[must_use]
    pub fn new(parameters: Parameters, style: Style) -> Notation<W> {
        assert!(parameters.fits::<W>(), "{parameters} needs more than {W} words");
        Notation { parameters, style }
    }

    /// Reads the rows; `start` is their offset in the whole text.
    fn parse_rows(&self, rows: &str, start: usize, letters: &Letters) -> Result<[Bits<W>; 2], TextError> {
        let Parameters { cols, rows: height, .. } = self.parameters;
        let found = rows.split('/').count();
        if found != usize::from(height) {
            let over = rows.match_indices('/').nth(usize::from(height) - 1).map(|(at, _)| at);
            let at = start + over.unwrap_or(rows.len());
            return Err(TextError::new(at, "board", format!("{height} rows"), format!("{found}")));
        }
        let mut stones = [Bits::EMPTY; 2];
        let mut offset = start;
        for (i, row) in (1..).zip(rows.split('/')) {
            let wrong = |at: usize, expected: String, found| {
                Err(TextError::new(offset + at, format!("row {i}"), expected, found))
            };
            let mut col = 0;
            let mut at = 0;
            while let Some(letter) = row[at..].chars().next() {
                let digits = &row[at..at + row[at..].bytes().take_while(u8::is_ascii_digit).count()];
                let free = cols - col;
                if free == 0 {
                    return wrong(at, format!("no more than {cols} cells"), quoted(&row[at..]));
                } else if let Some(side) = letters.stones.iter().position(|&stone| stone == letter) {
                    stones[side].flip(self.parameters.bit(col, height - i).into());
                    col += 1;
                    at += 1;
                } else if !digits.is_empty() {
                    match digits.parse::<u8>() {
                        Ok(cells) if cells <= free && !digits.starts_with('0') => col += cells,
                        _ => return wrong(at, format!("a number of empty cells from 1 to {free}"), quoted(digits)),
                    }
                    at += digits.len();
                } else {
                    let [x, o] = letters.stones;
                    return wrong(at, format!("'{x}', '{o}' or a number"), quoted(letter.encode_utf8(&mut [0; 4])));
                }
            }
            if col != cols {
                return wrong(0, format!("{cols} cells"), format!("{col}"));
            }
            offset += row.len() + 1;
        }
        Ok(stones)
    }

    /// Checks that a game can have come to these stones; `board` and `side` are the offsets of the fields at fault.
    fn check_stones(&self, stones: [Bits<W>; 2], turn: Side, board: usize, side: usize) -> Result<(), TextError> {
        let [x, o] = stones.map(Bits::count);
        if x != o + turn.index() as u32 {
            let expected = match turn {
                Side::First => "as many stones of x as of o when x is to move",
                Side::Second => "one stone more of x than of o when o is to move",
            };
            return Err(TextError::new(side, "stone counts", expected, format!("{x} of x and {o} of o")));
        }
        let line = |side: Side| has_line(stones[side.index()], self.parameters);
        let wrong = |expected: &str, found: &str| Err(TextError::new(board, "lines", expected, found));
        match (line(turn), line(turn.other())) {
            (false, false) => Ok(()),
            (true, true) => wrong("a winning line of one side at most", "lines of both sides"),
            (true, false) => wrong("no winning line of the side to move, whose opponent moved last", "one"),
            (false, true) => {
                let winner = stones[turn.other().index()];
                let made_by = |bit| {
                    let mut before = winner;
                    before.flip(bit);
                    !has_line(before, self.parameters)
                };
                if winner.iter().any(made_by) {
                    Ok(())
                } else {
                    wrong("lines that one last stone can have made", "lines made earlier")
                }
            }
        }
    }

    /// The stones of each side that are still to come.
    fn pocket(&self, stones: [Bits<W>; 2]) -> [u32; 2] {
        let cells = u32::from(self.parameters.cells());
        [cells.div_ceil(2) - stones[0].count(), cells / 2 - stones[1].count()]
    }

    /// Reads what stands between the brackets; `start` is its offset in the whole text.
    fn parse_pocket(&self, text: &str, start: usize, stones: [Bits<W>; 2]) -> Result<(), TextError> {
        let mut found = [0_u32; 2];
        let mut rest = if text.trim() == "-" { "" } else { text };
        loop {
            rest = rest.trim_start_matches([' ', ',']);
            let Some(first) = rest.chars().next() else { break };
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            let count = match rest[..digits].parse() {
                _ if digits == 0 => Some(1),
                Ok(count) if digits == 1 || first != '0' => Some(count),
                _ => None,
            };
            let letter = rest[digits..].trim_start();
            let side = Style::Drops.letters().stones.iter().position(|&stone| letter.starts_with(stone));
            let (Some(count), Some(side)) = (count, side) else {
                let at = start + text.len() - rest.len();
                return Err(TextError::new(at, "pocket", "'P' or 'p', or a number of them", quoted(rest)));
            };
            found[side] = found[side].saturating_add(count);
            rest = &letter[1..];
        }
        let expected = self.pocket(stones);
        if found != expected {
            let told = |[x, o]: [u32; 2]| format!("{x} P and {o} p");
            return Err(TextError::new(start, "pocket", told(expected), told(found)));
        }
        Ok(())
    }
}

/// A word and its byte offset in the text it is a part of.
fn next_word<'t>(words: &mut impl Iterator<Item = &'t str>, text: &str) -> (usize, &'t str) {
    words.next().map_or((text.len(), ""), |word| (word.as_ptr() as usize - text.as_ptr() as usize, word))
}

/// Checks the fields after the side to move: `- - 0 1` with drops, all or none, and nothing in the other style.
fn check_tail<'t>(words: &mut impl Iterator<Item = &'t str>, text: &str, style: Style) -> Result<(), TextError> {
    let is_number = |word: &str| word.bytes().all(|b| b.is_ascii_digit());
    let (first, word) = next_word(words, text);
    if word.is_empty() {
        return Ok(());
    }
    if style == Style::Coordinates {
        return Err(TextError::new(first, "end of the position", "nothing after the side to move", quoted(word)));
    }
    let mut field = (first, word);
    for (name, expected) in [
        ("castling", "'-'"),
        ("en passant", "'-'"),
        ("halfmove counter", "a number"),
        ("move counter", "a number"),
        ("end of the position", "nothing after the counters"),
    ] {
        let (offset, word) = field;
        let good = match expected {
            "'-'" => word == "-",
            "a number" => !word.is_empty() && is_number(word),
            _ => word.is_empty(),
        };
        if !good {
            return Err(TextError::new(offset, name, expected, quoted(word)));
        }
        field = next_word(words, text);
    }
    Ok(())
}

impl<const W: usize> game::Notation for Notation<W> {
    type Position = Position<W>;

    fn start(&self) -> Position<W> {
        Position::start(self.parameters)
    }

    fn parse_position(&self, text: &str) -> Result<Position<W>, TextError> {
        let board = text.len() - text.trim_ascii_start().len();
        // A pocket may hold blanks; without one the board ends at the first blank.
        let end = text[board..].find('[').or_else(|| text[board..].find(|c: char| c.is_ascii_whitespace()));
        let end = end.map_or(text.len(), |end| board + end);
        let (pocket, rest) = match text[end..].strip_prefix('[') {
            None => (None, &text[end..]),
            Some(inside) => match inside.split_once(']') {
                Some((pocket, rest)) => (Some(pocket), rest),
                None => return Err(TextError::new(text.len(), "pocket", "']' at its end", "nothing")),
            },
        };
        let style = Style::of(&text[board..text.len() - rest.len()], rest);
        let letters = style.letters();
        let stones = self.parse_rows(&text[board..end], board, &letters)?;

        let mut words = rest.split_ascii_whitespace();
        let (side, word) = next_word(&mut words, text);
        let [x, o] = letters.turns;
        let turn = match word {
            _ if word == x => Side::First,
            _ if word == o => Side::Second,
            _ => return Err(TextError::new(side, "side to move", format!("'{x}' or '{o}'"), quoted(word))),
        };
        check_tail(&mut words, text, style)?;
        self.check_stones(stones, turn, board, side)?;
        if let Some(pocket) = pocket {
            self.parse_pocket(pocket, end + 1, stones)?;
        }
        Ok(Position::with_stones(self.parameters, stones, turn))
    }

    fn position_text(&self, position: &Position<W>) -> String {
        let Letters { stones, turns } = self.style.letters();
        let mut text = String::new();
        for row in (0..self.parameters.rows).rev() {
            let mut empty = 0;
            let flush = |text: &mut String, empty: u8| {
                if empty > 0 {
                    text.push_str(&empty.to_string());
                }
            };
            for col in 0..self.parameters.cols {
                match position.stone(col, row) {
                    None => empty += 1,
                    Some(side) => {
                        flush(&mut text, std::mem::take(&mut empty));
                        text.push(stones[side.index()]);
                    }
                }
            }
            flush(&mut text, empty);
            text.push(if row > 0 { '/' } else { ' ' });
        }
        if self.style == Style::Drops {
            text.pop();
            let [p1, p2] = self.pocket(position.stones);
            text.push('[');
            text.extend((0..p1).map(|_| stones[0]).chain((0..p2).map(|_| stones[1])));
            text.push_str(if p1 + p2 == 0 { "-] " } else { "] " });
        }
        text.push_str(turns[position.side_to_move().index()]);
        if self.style == Style::Drops {
            text.push_str(" - - 0 1");
        }
        text
    }

    fn parse_move(&self, position: &Position<W>, text: &str) -> Result<u16, TextError> {
        let Parameters { cols, rows, .. } = self.parameters;
        let cell = text.strip_prefix("P@").or_else(|| text.strip_prefix("p@")).unwrap_or(text);
        let offset = text.len() - cell.len();
        let last = char::from(b'a' + cols - 1);
        let wrong = |at: usize, expected: String, found: String| Err(TextError::new(at, "move", expected, found));
        let col = match cell.chars().next() {
            Some(file) if ('a'..=last).contains(&file) => file as u8 - b'a',
            file => {
                let found = file.map_or_else(|| quoted(""), |file| format!("'{file}'"));
                return wrong(offset, format!("a file from a to {last}"), found);
            }
        };
        let digits = &cell[1..];
        let row = match digits.parse::<u8>() {
            Ok(rank) if (1..=rows).contains(&rank) && digits.starts_with(|c: char| c.is_ascii_digit() && c != '0') => {
                rank - 1
            }
            _ => return wrong(offset + 1, format!("a rank from 1 to {rows}"), quoted(digits)),
        };
        if position.outcome().is_some() {
            return wrong(0, "no move, the game is over".into(), quoted(text));
        }
        if position.stone(col, row).is_some() {
            return wrong(0, "an empty cell".into(), format!("a stone on {cell}"));
        }
        Ok(self.parameters.bit(col, row))
    }

    fn move_text(&self, _position: &Position<W>, mv: u16) -> String {
        let (col, row) = self.parameters.cell(mv);
        let drop = if self.style == Style::Drops { "P@" } else { "" };
        format!("{drop}{}{}", char::from(b'a' + col), row + 1)
    }

    /// The board with ranks at the left and files below, and under it who is to move, or the result.
    fn draw(&self, position: &Position<W>) -> String {
        let Parameters { cols, rows, .. } = self.parameters;
        let name = |side: Side| Style::Coordinates.letters().turns[side.index()];
        let mut text = String::new();
        for row in (0..rows).rev() {
            text.push_str(&format!("{:>2}", row + 1));
            for col in 0..cols {
                text.push(' ');
                text.push_str(position.stone(col, row).map_or(".", name));
            }
            text.push('\n');
        }
        text.push_str("  ");
        for col in 0..cols {
            text.push(' ');
            text.push(char::from(b'a' + col));
        }
        text.push('\n');
        text.push_str(&match position.outcome() {
            None => format!("{} to move", name(position.side_to_move())),
            Some(Outcome::Win(side)) => format!("{} has won", name(side)),
            Some(Outcome::Draw) => "draw".into(),
        });
        text
    }
}

#[cfg(test)]
mod tests {
    use super::super::parse_parameters;
    use super::*;
    use crate::game::Notation as _;

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
    fn drawings_show_ranks_files_and_who_is_to_move() {
        let notation = notation("mnk:4,3,3", Style::Drops);
        let drawing = |text| notation.draw(&notation.parse_position(text).unwrap());
        assert_eq!(drawing("3o/1x2/4 x"), " 3 . . . o\n 2 . x . .\n 1 . . . .\n   a b c d\nx to move");
        assert!(drawing("xxx1/oo2/4 o").ends_with("\nx has won"));
        assert!(drawing("xoxo/xoxo/oxox x").ends_with("\ndraw"));
    }
}
