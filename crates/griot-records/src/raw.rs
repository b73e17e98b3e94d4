//! A game as a file has it, before the rules were asked: the moves are the words of the file.

use crate::model::{Record, Side};

/// A game as it was written.
#[derive(Debug, Clone)]
pub(crate) struct Raw {
    /// The record; its moves are words of the file, its game is not yet known.
    pub(crate) record: Record,
    /// Where each node's word stands in the text of the piece.
    pub(crate) at: Vec<u32>,
    /// Who made the move of each node, where the file says so.
    pub(crate) movers: Vec<Option<Side>>,
    /// The games that it may be, likeliest first.
    pub(crate) games: Vec<String>,
    /// Whether the file names the game; else the rules decide among [`Raw::games`].
    pub(crate) is_certain: bool,
    /// Whether `players` and `result` are those of White and Black, and Black begins if the game is Othello.
    pub(crate) white_first: bool,
    /// Points of the two players, where the result is written so; whose come first is for the rules to say.
    pub(crate) points: Option<[u32; 2]>,
}

impl Raw {
    pub(crate) fn new(record: Record) -> Raw {
        Raw {
            at: vec![0; record.len()],
            movers: vec![None; record.len()],
            record,
            games: Vec::new(),
            is_certain: false,
            white_first: false,
            points: None,
        }
    }

    /// Adds a word after a node.
    pub(crate) fn add(&mut self, parent: usize, word: &str, at: usize, mover: Option<Side>) -> usize {
        self.at.push(u32::try_from(at).unwrap_or(u32::MAX));
        self.movers.push(mover);
        self.record.add(parent, word)
    }
}
