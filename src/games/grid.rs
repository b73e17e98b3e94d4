//! Texts of games on a grid of cells: board texts, names of cells, parameters, and the picture of such a board.
//!
//! Layer 1, below the games; knows no rules. A cell is a column and a row, both from 0; row 0 is named 1 and is at the bottom
//! or at the top of the board. x is `First`, o is `Second`. Offsets in errors are bytes of the whole text.
//! CITE: Cute Chess, `lib/src/board/board.cpp` and `connectboard.cpp` (pocket and counters of the FEN).
//!
//! ```text
//!   named from the bottom       named from the top
//!   2 |                         1 |              the first row of the board text
//!   1 |                         2 |
//!        a  b  c                     a  b  c
//! ```

use crate::game::{Side, TextError};
use crate::message::{BoardPicture, Shape};
use crate::spelling::quoted;

/// What follows the side to move where a side has passed.
pub(super) const PASS: &str = " pass";

/// How positions and moves are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// `3/1x1/3 o` and `b2`.
    Coordinates,
    /// `3/1P1/3[PPPPpppp] b - - 0 1` and `P@b2`.
    Drops,
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

/// Which row is named 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RowOne {
    Top,
    Bottom,
}

/// A board of cells and the way its texts are written.
#[derive(Debug, Clone, Copy)]
pub(super) struct Grid {
    pub(super) cols: u8,
    pub(super) rows: u8,
    pub(super) style: Style,
    pub(super) row_one: RowOne,
}

/// A parsed board text, not yet checked against the rules of a game.
#[derive(Debug)]
pub(super) struct BoardText<'t> {
    /// The style it is written in.
    pub(super) style: Style,
    /// Column, row and owner of each stone.
    pub(super) stones: Vec<(u8, u8, Side)>,
    pub(super) turn: Side,
    /// The offsets of the board and of the side to move.
    pub(super) board_at: usize,
    turn_at: usize,
    /// The offset of `pass`, if a side has passed.
    pub(super) passed: Option<usize>,
    /// The text between the brackets, and its offset.
    pocket: Option<(usize, &'t str)>,
}

impl BoardText<'_> {
    /// The number of stones of each side.
    fn counts(&self) -> [u32; 2] {
        [Side::First, Side::Second].map(|side| self.stones.iter().filter(|stone| stone.2 == side).count() as u32)
    }

    /// Checks that the sides have moved in turn, one stone a move.
    pub(super) fn check_counts(&self) -> Result<(), TextError> {
        let [x, o] = self.counts();
        if x == o + self.turn.index() as u32 {
            return Ok(());
        }
        let expected = match self.turn {
            Side::First => "as many stones of x as of o when x is to move",
            Side::Second => "one stone more of x than of o when o is to move",
        };
        Err(self.wrong_counts(expected))
    }

    /// Checks that one side has passed once, and that they have moved in turn otherwise.
    pub(super) fn check_counts_after_a_pass(&self) -> Result<(), TextError> {
        let [x, o] = self.counts();
        let regular = o + self.turn.index() as u32;
        if x.abs_diff(regular) == 1 {
            return Ok(());
        }
        let expected = match self.turn {
            Side::First => "one stone more of x or of o when x is to move after a pass",
            Side::Second => "as many stones of both, or two more of x, when o is to move after a pass",
        };
        Err(self.wrong_counts(expected))
    }

    fn wrong_counts(&self, expected: &str) -> TextError {
        let [x, o] = self.counts();
        TextError::new(self.turn_at, "stone counts", expected, format!("{x} of x and {o} of o"))
    }

    /// Checks that no side has passed.
    pub(super) fn check_no_pass(&self) -> Result<(), TextError> {
        match self.passed {
            Some(at) => Err(after_the_turn(at, PASS.trim_ascii())),
            None => Ok(()),
        }
    }

    /// Checks the pocket, if there is one: it must hold the stones not yet placed on a board of this many cells.
    pub(super) fn check_pocket(&self, cells: u32) -> Result<(), TextError> {
        let Some((start, text)) = self.pocket else { return Ok(()) };
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
        let expected = pocket(cells, self.counts());
        if found != expected {
            let told = |[x, o]: [u32; 2]| format!("{x} P and {o} p");
            return Err(TextError::new(start, "pocket", told(expected), told(found)));
        }
        Ok(())
    }
}

/// The number of stones of each side not yet placed, on a board of this many cells.
fn pocket(cells: u32, counts: [u32; 2]) -> [u32; 2] {
    [cells.div_ceil(2).saturating_sub(counts[0]), (cells / 2).saturating_sub(counts[1])]
}

impl Grid {
    /// The row, from 0, of a line of the board text, from 0 at the top.
    const fn row(&self, line: u8) -> u8 {
        match self.row_one {
            RowOne::Top => line,
            RowOne::Bottom => self.rows - 1 - line,
        }
    }

    /// Reads a board text in either style.
    pub(super) fn read<'t>(&self, text: &'t str) -> Result<BoardText<'t>, TextError> {
        let board = text.len() - text.trim_ascii_start().len();
        // A pocket may hold blanks; without one the board ends at the first blank.
        let end = text[board..].find('[').or_else(|| text[board..].find(|c: char| c.is_ascii_whitespace()));
        let end = end.map_or(text.len(), |end| board + end);
        let (pocket, rest) = match text[end..].strip_prefix('[') {
            None => (None, &text[end..]),
            Some(inside) => match inside.split_once(']') {
                Some((pocket, rest)) => (Some((end + 1, pocket)), rest),
                None => return Err(TextError::new(text.len(), "pocket", "']' at its end", "nothing")),
            },
        };
        let style = Style::of(&text[board..text.len() - rest.len()], rest);
        let letters = style.letters();
        let stones = self.read_rows(&text[board..end], board, &letters)?;

        let mut words = rest.split_ascii_whitespace();
        let (side, word) = next_word(&mut words, text);
        let [x, o] = letters.turns;
        let turn = match word {
            _ if word == x => Side::First,
            _ if word == o => Side::Second,
            _ => return Err(TextError::new(side, "side to move", format!("'{x}' or '{o}'"), quoted(word))),
        };
        let passed = check_tail(&mut words, text, style)?;
        Ok(BoardText { style, stones, turn, board_at: board, turn_at: side, passed, pocket })
    }

    /// Reads the rows; `start` is their offset in the whole text.
    fn read_rows(&self, rows: &str, start: usize, letters: &Letters) -> Result<Vec<(u8, u8, Side)>, TextError> {
        let Grid { cols, rows: height, .. } = *self;
        let found = rows.split('/').count();
        if found != usize::from(height) {
            let over = rows.match_indices('/').nth(usize::from(height) - 1).map(|(at, _)| at);
            let at = start + over.unwrap_or(rows.len());
            return Err(TextError::new(at, "board", format!("{height} rows"), format!("{found}")));
        }
        let mut stones = Vec::new();
        let mut offset = start;
        for (line, row) in (0..).zip(rows.split('/')) {
            let wrong = |at: usize, expected: String, found| {
                Err(TextError::new(offset + at, format!("row {}", line + 1), expected, found))
            };
            let mut col = 0;
            let mut at = 0;
            while let Some(letter) = row[at..].chars().next() {
                let digits = &row[at..at + row[at..].bytes().take_while(u8::is_ascii_digit).count()];
                let free = cols - col;
                if free == 0 {
                    return wrong(at, format!("no more than {cols} cells"), quoted(&row[at..]));
                } else if let Some(side) = letters.stones.iter().position(|&stone| stone == letter) {
                    stones.push((col, self.row(line), if side == 0 { Side::First } else { Side::Second }));
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

    /// The board text of these stones, in the grid's style.
    pub(super) fn write(&self, stone: impl Fn(u8, u8) -> Option<Side>, turn: Side) -> String {
        let Letters { stones, turns } = self.style.letters();
        let mut text = String::new();
        let mut counts = [0; 2];
        for line in 0..self.rows {
            let mut empty = 0;
            let flush = |text: &mut String, empty: u8| {
                if empty > 0 {
                    text.push_str(&empty.to_string());
                }
            };
            for col in 0..self.cols {
                match stone(col, self.row(line)) {
                    None => empty += 1,
                    Some(side) => {
                        flush(&mut text, std::mem::take(&mut empty));
                        text.push(stones[side.index()]);
                        counts[side.index()] += 1;
                    }
                }
            }
            flush(&mut text, empty);
            text.push(if line + 1 < self.rows { '/' } else { ' ' });
        }
        if self.style == Style::Drops {
            text.pop();
            let [p1, p2] = pocket(u32::from(self.cols) * u32::from(self.rows), counts);
            text.push('[');
            text.extend((0..p1).map(|_| stones[0]).chain((0..p2).map(|_| stones[1])));
            text.push_str(if p1 + p2 == 0 { "-] " } else { "] " });
        }
        text.push_str(turns[turn.index()]);
        if self.style == Style::Drops {
            text.push_str(" - - 0 1");
        }
        text
    }

    /// Removes the `P@` of a drop from a move; returns its length and the rest.
    pub(super) fn strip_drop(text: &str) -> (usize, &str) {
        let cell = text.strip_prefix("P@").or_else(|| text.strip_prefix("p@")).unwrap_or(text);
        (text.len() - cell.len(), cell)
    }

    /// Reads the letter of a file at the beginning of `cell`; `offset` is its place in the move.
    pub(super) fn read_file(&self, cell: &str, offset: usize) -> Result<u8, TextError> {
        let last = char::from(b'a' + self.cols - 1);
        match cell.chars().next() {
            Some(file) if ('a'..=last).contains(&file) => Ok(file as u8 - b'a'),
            file => {
                let found = file.map_or_else(|| quoted(""), |file| format!("'{file}'"));
                Err(TextError::new(offset, "move", format!("a file from a to {last}"), found))
            }
        }
    }

    /// Reads the number of a row, which is all of `digits`; `offset` is its place in the move.
    pub(super) fn read_rank(&self, digits: &str, offset: usize) -> Result<u8, TextError> {
        match digits.parse::<u8>() {
            Ok(rank)
                if (1..=self.rows).contains(&rank) && digits.starts_with(|c: char| c.is_ascii_digit() && c != '0') =>
            {
                Ok(rank - 1)
            }
            _ => Err(TextError::new(offset, "move", format!("a rank from 1 to {}", self.rows), quoted(digits))),
        }
    }

    /// Reads a cell as moves name it, with or without a drop: its column and row.
    pub(super) fn read_cell(&self, text: &str) -> Result<(u8, u8), TextError> {
        let (offset, cell) = Grid::strip_drop(text);
        let col = self.read_file(cell, offset)?;
        let row = self.read_rank(&cell[1..], offset + 1)?;
        Ok((col, row))
    }

    /// The name of a cell as a move, in the grid's style.
    pub(super) fn cell_text(&self, col: u8, row: u8) -> String {
        let drop = if self.style == Style::Drops { "P@" } else { "" };
        format!("{drop}{}{}", char::from(b'a' + col), row + 1)
    }

    /// The picture of the board.
    pub(super) fn board(&self, stone: impl Fn(u8, u8) -> Option<Side>) -> BoardPicture {
        let mut board = BoardPicture::grid(self.cols, self.rows, Style::Coordinates.letters().stones, stone);
        if let Shape::Grid(grid) = &mut board.shape {
            grid.from_top = self.row_one == RowOne::Top;
        }
        board
    }
}

/// The error for a move that names a cell where no stone can be played: `expected`, and what is wrong with `text`.
pub(super) fn no_move(expected: &str, found: impl Into<String>) -> TextError {
    TextError::new(0, "move", expected, found)
}

/// A word and its byte offset in the text it is a part of.
fn next_word<'t>(words: &mut impl Iterator<Item = &'t str>, text: &str) -> (usize, &'t str) {
    words.next().map_or((text.len(), ""), |word| (word.as_ptr() as usize - text.as_ptr() as usize, word))
}

/// The error for a word behind the side to move.
fn after_the_turn(at: usize, word: &str) -> TextError {
    TextError::new(at, "end of the position", "nothing after the side to move", quoted(word))
}

/// Checks the fields after the side to move: `- - 0 1` with drops, all or none, and nothing or `pass` in the other style. Returns the
/// offset of `pass`.
fn check_tail<'t>(
    words: &mut impl Iterator<Item = &'t str>,
    text: &str,
    style: Style,
) -> Result<Option<usize>, TextError> {
    let is_number = |word: &str| word.bytes().all(|b| b.is_ascii_digit());
    let (first, word) = next_word(words, text);
    if word.is_empty() {
        return Ok(None);
    }
    if style == Style::Coordinates {
        return match next_word(words, text) {
            (_, "") if word == PASS.trim_ascii() => Ok(Some(first)),
            _ => Err(after_the_turn(first, word)),
        };
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
    Ok(None)
}

/// Parameters with commas between them, read one by one.
pub(super) struct Fields<'t> {
    text: &'t str,
    /// Where the next field begins; beyond the text after the last one.
    offset: usize,
}

impl<'t> Fields<'t> {
    /// The fields of `text` from byte `offset` on.
    pub(super) const fn new(text: &'t str, offset: usize) -> Fields<'t> {
        Fields { text, offset }
    }

    /// The next field as a number from 1 to `max`, and its offset.
    pub(super) fn number(&mut self, name: &str, max: u8) -> Result<(usize, u8), TextError> {
        let rest = self.text.get(self.offset..).unwrap_or_default();
        let word = rest.split(',').next().unwrap_or_default();
        let start = self.offset.min(self.text.len());
        self.offset += word.len() + 1;
        read_number(name, word, start, max).map(|value| (start, value))
    }

    /// The rest of the text, if any, and its offset.
    pub(super) fn rest(self) -> Option<(usize, &'t str)> {
        self.text.get(self.offset..).map(|rest| (self.offset, rest))
    }
}

/// A number from 1 to `max` in plain digits, without leading zeros.
pub(super) fn read_number(field: &str, word: &str, offset: usize, max: u8) -> Result<u8, TextError> {
    let plain = !word.starts_with('0') && word.bytes().all(|b| b.is_ascii_digit());
    match word.parse::<u8>() {
        Ok(value) if plain && value <= max => Ok(value),
        _ => Err(TextError::new(offset, field, format!("a number from 1 to {max}"), quoted(word))),
    }
}
