//! Polyglot books: binary files of moves by the key of their position.
//!
//! Layer 1. The game computes keys and reads moves ([`Notation::book_key`]); this module knows the file. An entry has 16 bytes,
//! big-endian: the key (8), the move (2), its weight (2), and four unused ones. Entries are sorted by their keys.
//! CITE: F. Letouzey, "Polyglot", 2008.

use std::io::Read;
use std::path::Path;

use super::{MAGIC, MOST_BYTES};
use crate::files;
use crate::game::{Notation, Position};
use crate::message::Problem;

/// The size of an entry, in bytes.
const ENTRY: usize = 16;
/// The longest line followed through a book.
const LONGEST: usize = 20;

/// A move of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Entry {
    key: u64,
    mv: u16,
    weight: u16,
}

/// A Polyglot book.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Polyglot(Vec<Entry>);

impl Polyglot {
    /// Reads the bytes of a book; `None` if they are something else: not whole entries, or not in the order of their keys.
    #[must_use]
    pub fn parse(bytes: &[u8]) -> Option<Polyglot> {
        if bytes.is_empty() || !bytes.len().is_multiple_of(ENTRY) || bytes.starts_with(MAGIC.as_bytes()) {
            return None;
        }
        let number = |bytes: &[u8]| bytes.iter().fold(0, |number, &byte| number << 8 | u64::from(byte));
        let entry = |bytes: &[u8]| Entry {
            key: number(&bytes[..8]),
            mv: number(&bytes[8..10]) as u16,
            weight: number(&bytes[10..12]) as u16,
        };
        let entries: Vec<Entry> = bytes.chunks_exact(ENTRY).map(entry).collect();
        entries.is_sorted_by_key(|entry| entry.key).then_some(Polyglot(entries))
    }

    /// Reads a file if it is such a book; `None` if it is something else, or the game has no such books.
    ///
    /// # Errors
    /// When the file cannot be read, or none of its positions has a legal move.
    pub fn open<N: Notation>(path: &Path, notation: &N) -> Result<Option<Polyglot>, Problem> {
        if notation.book_key(&notation.start()).is_none() {
            return Ok(None);
        }
        let wrong = |what: String| Problem::new(format!("{}: {what}", path.display()));
        let mut bytes = Vec::new();
        let file = files::open(path).map_err(|error| wrong(error.to_string()))?;
        file.take(MOST_BYTES).read_to_end(&mut bytes).map_err(|error| wrong(error.to_string()))?;
        Ok(Polyglot::parse(&bytes))
    }

    /// The number of entries.
    #[must_use]
    pub fn entries(&self) -> usize {
        self.0.len()
    }

    /// The legal moves of a position with their weights, the heaviest first; moves without weight are left out.
    #[must_use]
    pub fn moves<N: Notation>(
        &self,
        notation: &N,
        position: &N::Position,
    ) -> Vec<(<N::Position as Position>::Move, u16)> {
        let Some(key) = notation.book_key(position) else { return Vec::new() };
        let begin = self.0.partition_point(|entry| entry.key < key);
        let of_key = self.0[begin..].iter().take_while(|entry| entry.key == key).filter(|entry| entry.weight > 0);
        let legal = of_key.filter_map(|entry| Some((notation.book_move(position, entry.mv)?, entry.weight)));
        let mut moves: Vec<(<N::Position as Position>::Move, u16)> = legal.collect();
        moves.sort_by_key(|&(_, weight)| std::cmp::Reverse(weight));
        moves
    }

    /// The line of the heaviest moves from a position.
    #[must_use]
    pub fn follow<N: Notation>(&self, notation: &N, position: &N::Position) -> Vec<<N::Position as Position>::Move> {
        let (mut position, mut line) = (position.clone(), Vec::new());
        while line.len() < LONGEST && position.outcome().is_none() {
            let Some(&(mv, _)) = self.moves(notation, &position).first() else { break };
            position.play(mv);
            line.push(mv);
        }
        line
    }
}
