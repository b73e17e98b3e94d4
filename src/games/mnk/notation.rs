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
