//! Faults: games that cannot be read, and where.

use std::fmt;

/// Why a game could not be read. The display names the place and what would have been right, in one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The number of the game in its file, from 1.
    pub game: usize,
    /// The line of the file, from 1.
    pub line: usize,
    /// The column of that line, from 1, in characters.
    pub column: usize,
    /// The number of the move that is wrong, from 1, if it is a move.
    pub ply: Option<usize>,
    /// What is wrong, and what would have been right.
    pub text: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "game {}, line {}, column {}", self.game, self.line, self.column)?;
        if let Some(ply) = self.ply {
            write!(f, ", ply {ply}")?;
        }
        write!(f, ": {}", self.text)
    }
}

impl std::error::Error for Fault {}

/// A piece of a file: the text of one game or of all, and the line on which it begins, from 1.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Piece<'t> {
    pub(crate) text: &'t str,
    pub(crate) line: usize,
}

impl Piece<'_> {
    /// The line and the column of a byte of the text.
    pub(crate) fn place(&self, at: usize) -> (usize, usize) {
        let mut at = at.min(self.text.len());
        while !self.text.is_char_boundary(at) {
            at -= 1;
        }
        let before = &self.text[..at];
        let begin = before.rfind('\n').map_or(0, |newline| newline + 1);
        (self.line + before.matches('\n').count(), before[begin..].chars().count() + 1)
    }

    /// A fault at a byte of the text. The number of the game is filled in by the caller who counts.
    pub(crate) fn fault(&self, at: usize, ply: Option<usize>, text: impl Into<String>) -> Fault {
        let (line, column) = self.place(at);
        Fault { game: 0, line, column, ply, text: text.into() }
    }
}

/// A piece of the user's text for an error message: in quotes, on one line, and not too long.
pub(crate) fn quoted(text: &str) -> String {
    if text.is_empty() {
        return "nothing".into();
    }
    let mut short: String = text.chars().take(24).collect();
    if short.len() < text.len() {
        short += "...";
    }
    format!("'{}'", short.escape_debug())
}
