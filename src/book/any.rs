//! A book together with the rules of its game, for callers that know no types of games: positions and moves are texts.

use super::{Advice, Book, Entry, Line, Worth};
use crate::game::{Notation, Position, TextError};
use crate::message::{Picture, Problem};

/// A book of some game. `<dyn AnyBook>::parse` makes it and is compiled for every game; its callers are not.
pub trait AnyBook {
    /// The name of the game.
    fn game(&self) -> &str;

    /// The number of positions.
    fn positions(&self) -> usize;

    /// The checksum of the text.
    fn checksum(&self) -> u32;

    /// The value and search depth in plies of the position of that number, from 0, in the order of the text.
    fn worth(&self, number: usize) -> Option<(Worth, u32)>;

    /// The position of that number as it is written, from 0, in the order of the text.
    fn entry(&self, number: usize) -> Option<Entry>;

    /// Looks up the position after `moves` from `board`, or from the start position.
    ///
    /// # Errors
    /// When one of them is wrong.
    fn look_up(&self, board: Option<&str>, moves: &str) -> Result<Seen, LookUpError>;
}

impl dyn AnyBook {
    /// Reads the text of a book for the game of that name.
    ///
    /// # Errors
    /// As [`Book::parse`].
    pub fn parse<N: Notation>(text: &str, game: String, notation: N) -> Result<Box<dyn AnyBook>, Problem> {
        let book = Book::parse(text, &game, &notation)?;
        Ok(Box::new(BookOf { game, notation, book }))
    }
}

/// The entries of a book for a position and for its moves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    /// The position.
    pub picture: Picture,
    /// The entry of the position, if there is one; its line may be empty.
    pub said: Option<Said>,
    /// The entries of its moves, for the side that makes them, in the order of the rules. Each line begins with the
    /// move.
    pub moves: Vec<Said>,
}

/// A value from a book, with its line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// The value, for the side to move of the position looked up.
    pub worth: Worth,
    /// The search depth behind it, in plies.
    pub depth: u32,
    /// The line of play by the book's moves, as far as they go.
    pub line: Vec<String>,
}

/// Why a position cannot be looked up.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LookUpError {
    /// The board text is wrong.
    #[error("board: {0}")]
    Board(TextError),
    /// A move is wrong.
    #[error("move '{text}': {error}")]
    Move {
        /// The move.
        text: String,
        /// What is wrong with it.
        error: TextError,
    },
}

struct BookOf<N: Notation> {
    game: String,
    notation: N,
    book: Book<N::Position>,
}

/// The moves of positions of this notation.
type Move<N> = <<N as Notation>::Position as Position>::Move;

impl<N: Notation> BookOf<N> {
    /// A line of moves from a position, as texts.
    fn texts(&self, position: &N::Position, line: &[Move<N>]) -> Vec<String> {
        let mut position = position.clone();
        let mut texts = Vec::with_capacity(line.len());
        for &mv in line {
            texts.push(self.notation.move_text(&position, mv));
            position.play(mv);
        }
        texts
    }
}

impl<N: Notation> AnyBook for BookOf<N> {
    fn game(&self) -> &str {
        &self.game
    }

    fn positions(&self) -> usize {
        self.book.lines().len()
    }

    fn checksum(&self) -> u32 {
        self.book.checksum()
    }

    fn worth(&self, number: usize) -> Option<(Worth, u32)> {
        let Advice { worth, depth, .. } = self.book.lines().get(number)?.advice;
        Some((worth, depth))
    }

    fn entry(&self, number: usize) -> Option<Entry> {
        let Line { position, advice } = self.book.lines().get(number)?;
        let (board, mv) = (self.notation.position_text(position), self.notation.move_text(position, advice.mv));
        Some(Entry { board, mv, worth: advice.worth, depth: advice.depth })
    }

    fn look_up(&self, board: Option<&str>, moves: &str) -> Result<Seen, LookUpError> {
        let mut position = match board {
            None => self.notation.start(),
            Some(board) => self.notation.parse_position(board).map_err(LookUpError::Board)?,
        };
        for (_, text) in self.notation.split_moves(moves) {
            let mv = self.notation.parse_move(&position, text);
            position.play(mv.map_err(|error| LookUpError::Move { text: text.into(), error })?);
        }
        let said = self.book.find(&position).map(|Advice { worth, depth, .. }| {
            let line = self.texts(&position, &self.book.follow(&position));
            Said { worth, depth, line }
        });
        let mut legal = Vec::new();
        position.generate(&mut legal);
        let mut moves = Vec::new();
        for mv in legal {
            let next = position.after(mv);
            let Some(advice) = self.book.find(&next) else { continue };
            let mut line = vec![mv];
            line.extend(self.book.follow(&next));
            let line = self.texts(&position, &line);
            moves.push(Said { worth: advice.worth.backed_up(), depth: advice.depth, line });
        }
        Ok(Seen { picture: self.notation.picture(&position), said, moves })
    }
}
