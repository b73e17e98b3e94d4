//! Boards of cells as text: the rows from the top, `x`, `o`, or a number for so many empty cells; a blank; the side to move.

use std::fmt::Write as _;

use crate::model::Side;

/// Stones on a board, and whose turn it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Cells {
    pub(crate) cols: usize,
    /// Row by row from the top.
    pub(crate) cells: Vec<Option<Side>>,
    pub(crate) turn: Side,
}

impl Cells {
    pub(crate) fn empty(cols: usize, rows: usize) -> Cells {
        Cells { cols, cells: vec![None; cols * rows], turn: Side::First }
    }

    /// The start position of Othello.
    pub(crate) fn othello() -> Cells {
        let mut board = Cells::empty(8, 8);
        for (cell, side) in [(27, Side::Second), (28, Side::First), (35, Side::First), (36, Side::Second)] {
            board.cells[cell] = Some(side);
        }
        board
    }

    /// Puts a stone; answers whether the cell is on the board.
    pub(crate) fn put(&mut self, col: usize, row: usize, side: Option<Side>) -> bool {
        let fits = col < self.cols && row < self.cells.len() / self.cols.max(1);
        if fits {
            self.cells[row * self.cols + col] = side;
        }
        fits
    }

    /// The stones of a side.
    pub(crate) fn count(&self, side: Side) -> usize {
        self.cells.iter().filter(|cell| **cell == Some(side)).count()
    }

    /// The board text.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        for (number, row) in self.cells.chunks(self.cols.max(1)).enumerate() {
            if number > 0 {
                text.push('/');
            }
            let mut empty = 0;
            for cell in row {
                match cell {
                    None => empty += 1,
                    Some(side) => {
                        if empty > 0 {
                            let _ = write!(text, "{empty}");
                            empty = 0;
                        }
                        text.push(if *side == Side::First { 'x' } else { 'o' });
                    }
                }
            }
            if empty > 0 {
                let _ = write!(text, "{empty}");
            }
        }
        text += if self.turn == Side::First { " x" } else { " o" };
        text
    }

    /// Reads a board text, or nothing when it is none. Whether the rows are equally long is for the game to say.
    pub(crate) fn read(text: &str) -> Option<Cells> {
        let mut words = text.split_whitespace();
        let (rows, turn) = (words.next()?, words.next()?);
        let turn = match turn {
            "x" => Side::First,
            "o" => Side::Second,
            _ => return None,
        };
        let mut cells = Vec::new();
        let mut cols = 0;
        for row in rows.split('/') {
            let before = cells.len();
            let mut digits = 0_usize;
            for letter in row.chars() {
                if let Some(digit) = letter.to_digit(10) {
                    digits = digits.checked_mul(10)?.checked_add(digit as usize)?;
                    continue;
                }
                cells.resize(cells.len() + std::mem::take(&mut digits).min(64), None);
                cells.push(Some(match letter {
                    'x' => Side::First,
                    'o' => Side::Second,
                    _ => return None,
                }));
            }
            cells.resize(cells.len() + digits.min(64), None);
            cols = cells.len() - before;
        }
        Some(Cells { cols, cells, turn })
    }
}

/// What a letter on a board of Othello stands for; nothing when it stands for nothing.
pub(crate) fn disc(letter: char) -> Option<Option<Side>> {
    match letter {
        '*' | 'X' | 'x' | 'B' | 'b' | '@' | '●' => Some(Some(Side::First)),
        'O' | 'o' | '0' | 'W' | 'w' | '○' => Some(Some(Side::Second)),
        '-' | '.' | '_' => Some(None),
        _ => None,
    }
}

/// Reads a board of 64 letters and the side to move, as OBF, FFO and GGF have them; blanks may stand between the rows.
///
/// Returns the board and how many bytes it takes.
pub(crate) fn letters(text: &str) -> Option<(Cells, usize)> {
    let mut board = Cells::empty(8, 8);
    let mut found = 0;
    for (at, letter) in text.char_indices() {
        if letter == ' ' || letter == '\t' {
            continue;
        }
        let disc = disc(letter)?;
        if found < 64 {
            board.cells[found] = disc;
            found += 1;
            continue;
        }
        board.turn = disc?;
        let end = at + letter.len_utf8();
        // The side to move is a word of one letter.
        let is_word =
            text[end..].chars().next().is_none_or(|next| next.is_whitespace() || matches!(next, ';' | ']' | ','));
        return is_word.then_some((board, end));
    }
    None
}

/// The letter of a column, from `a`; columns beyond `z` have none.
pub(crate) fn column(col: usize) -> Option<char> {
    u8::try_from(col).ok().filter(|col| *col < 26).map(|col| char::from(b'a' + col))
}

/// A cell as griot names it.
pub(crate) fn cell(col: usize, row: usize, rows: usize, from_top: bool) -> Option<String> {
    let number = if from_top { row + 1 } else { rows.checked_sub(row)? };
    Some(format!("{}{number}", column(col)?))
}

/// The name of the game of five in a row on a board of that size, by a rule: `0` five or more, `1` exactly five, `4` renju.
pub(crate) fn five(cols: usize, rows: usize, rule: u8) -> String {
    match (cols, rows, rule) {
        (15, 15, 0) => "gomokufreestyle".into(),
        (15, 15, 1) => "gomoku".into(),
        (15, 15, _) => "renju".into(),
        (_, _, 0) => format!("mnk:{cols},{rows},5"),
        (_, _, 1) => format!("mnk:{cols},{rows},5,exact"),
        _ => format!("mnk:{cols},{rows},5,renju"),
    }
}

/// The rule of five in a row that words describe.
pub(crate) fn five_rule(words: &str) -> Option<u8> {
    let words = words.trim().to_lowercase();
    match words.as_str() {
        "0" => Some(0),
        "1" => Some(1),
        "4" | "2" => Some(4),
        _ if words.contains("renju") => Some(4),
        _ if words.contains("free") || words.contains("five or more") => Some(0),
        _ if words.contains("standard") || words.contains("exact") => Some(1),
        _ => None,
    }
}

/// The rule and the size of a game of five in a row, by its name.
pub(crate) fn five_of(game: &str) -> Option<(usize, usize, u8)> {
    match game {
        "gomokufreestyle" => return Some((15, 15, 0)),
        "gomoku" => return Some((15, 15, 1)),
        "renju" => return Some((15, 15, 4)),
        _ => {}
    }
    let mut parts = game.strip_prefix("mnk:")?.split(',');
    let mut number = || parts.next()?.parse::<usize>().ok();
    let (cols, rows, in_a_row) = (number()?, number()?, number()?);
    let rule = match parts.next() {
        None => 0,
        Some("exact") => 1,
        Some("renju") => 4,
        Some(_) => return None,
    };
    (in_a_row == 5).then_some((cols, rows, rule))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_written_and_read_back() {
        let start = Cells::othello();
        assert_eq!(start.text(), "8/8/8/3ox3/3xo3/8/8/8 x");
        assert_eq!(Cells::read(&start.text()), Some(start));
        let (board, end) =
            letters("-------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]").unwrap();
        assert_eq!((board, end), (Cells::othello(), 73));
        assert_eq!(letters("---------------------------OX------XO---------------------------XX"), None);
    }

    #[test]
    fn rules_of_five_have_names() {
        for (name, parts) in [("renju", (15, 15, 4)), ("mnk:20,20,5", (20, 20, 0)), ("mnk:9,9,5,exact", (9, 9, 1))] {
            assert_eq!(five_of(name), Some(parts));
            assert_eq!(five(parts.0, parts.1, parts.2), name);
        }
        assert_eq!((five_of("mnk:7,7,4"), five_of("connect4")), (None, None));
    }
}
