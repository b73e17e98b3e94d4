//! What this crate needs to know of the rules: a game opened by its name, whose positions it can play through.
//!
//! The registry of the engine implements both traits for every game. Texts of boards and moves are those of the engine.

use crate::model::{Outcome, Side};

/// The games there are.
pub trait Catalogue {
    /// Opens a game at its start position.
    ///
    /// # Errors
    /// When there is no such game; the text says what there is.
    fn open(&self, name: &str) -> Result<Box<dyn Rules>, String>;
}

/// A board of cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grid {
    /// The number of columns.
    pub cols: usize,
    /// The number of rows.
    pub rows: usize,
    /// Whether row 1 is the highest row.
    pub from_top: bool,
    /// Whether stones fall to the lowest free cell of their column.
    pub falls: bool,
    /// Whether all pieces of a player are of one kind, as stones are: a move is then the cell that one is put on.
    pub has_stones: bool,
}

/// Why the game is over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct End {
    /// The result.
    pub outcome: Outcome,
    /// Whether it is over by what was before: a repetition, or a count of moves without progress. Else the position is final.
    pub by_history: bool,
}

/// A game and the line of moves that was played in it.
pub trait Rules {
    /// The name that the game goes by.
    fn name(&self) -> &str;

    /// Goes to a board, or to the start position. Returns what of the text was dropped to read the rest, a line each.
    ///
    /// # Errors
    /// When the board text cannot be read; the text says what is wrong with it. The line is then as it was.
    fn begin(&mut self, board: Option<&str>) -> Result<Vec<String>, String>;

    /// How many moves were played.
    fn ply(&self) -> usize;

    /// Takes moves back until so many are left.
    fn back_to(&mut self, ply: usize);

    /// Plays a move and returns the engine's text of it.
    ///
    /// # Errors
    /// When it is not legal; the text says what would be right.
    fn play(&mut self, mv: &str) -> Result<String, String>;

    /// Plays a move that would be legal if the game were not over, or that the rules forbid with the loss of the game. Returns the
    /// engine's text of it, or nothing when there is no such move.
    fn play_on(&mut self, mv: &str) -> Option<String>;

    /// Whose turn it is.
    fn turn(&self) -> Side;

    /// The legal moves; none when the game is over.
    fn legal(&self) -> Vec<String>;

    /// How people write a legal move.
    fn name_of(&self, mv: &str) -> String;

    /// How the game ended, if it did.
    fn end(&self) -> Option<End>;

    /// The board text.
    fn board(&self) -> String;

    /// What each player has, in games where pieces are counted.
    fn counts(&self) -> Option<[u32; 2]>;

    /// The shape of the board, where it has cells.
    fn grid(&self) -> Option<Grid>;

    /// The cell of a legal move on such a board: its column from the left and its row from the top, both from 0.
    fn cell(&self, mv: &str) -> Option<(usize, usize)>;
}
