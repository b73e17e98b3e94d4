//! Endgame tables by retrograde analysis: values of boards for the side to move, for games that divide into layers.
//!
//! Module layer 1: knows the traits of games, no game and no search. A game whose boards divide into numbered layers, with moves
//! within a layer or to lower ones (captured pieces stay captured), implements [`Layered`]; [`Table`] builds its layers in memory or
//! as files and looks boards up. A value is what the mover still wins less what the opponent does, or 1, 0 and -1 where only the
//! result counts. A table is read through `&`, from any thread.
//!
//! ```text
//!  value, bounds       -stake ... +stake, one signed byte each, rank after rank:
//!     Exact            | v0 | v1 | v2 | ...              endless play is worth 0
//!     Bounds           | low0 high0 | low1 high1 | ...   endless play is worth its worst board to the bound's side
//!  file of a layer     80 bytes of header (see `file`), then the values, plain or packed
//!  while being built   one 32-bit record a board (see `solve`), then the values
//! ```
//!
//! CITE: J. W. Romein, H. E. Bal, "Solving awari with parallel retrograde analysis", IEEE Computer 36(10), 2003.
//! CITE: T. R. Lincke, "Exploring the computational limits of large exhaustive search problems", ETH Zürich, 2002.

mod build;
mod family;
pub mod file;
mod foreign;
mod layer;
mod packed;
mod pages;
mod pool;
mod solve;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

pub use build::{BuildError, Built, Plan, Table};
pub use family::{AnyTables, ProbeError, Probed, TableVisitor, Tabled};
pub use file::{FileError, Form, Header, Reader};
pub use foreign::{FileKind, checked_files};
pub use layer::{Layer, Tally};

/// The meaning of values where play need not end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Convention {
    /// One value a board; endless play is worth 0 to both sides.
    Exact,
    /// Two values a board: what the mover can force, and what the opponent can hold the mover to. A repetition is worth
    /// [`Layered::repetition`] of its board; endless play is worth the worst board that a side allows.
    Bounds,
}

impl Convention {
    /// Bytes for each board.
    #[must_use]
    pub const fn entry_bytes(self) -> usize {
        match self {
            Convention::Exact => 1,
            Convention::Bounds => 2,
        }
    }
}

/// The identity of a table, which a file must match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// The name of the game, at most 32 bytes.
    pub name: String,
    /// A hash of everything the values depend on: rules and numbering of the boards.
    pub rules: u64,
    /// The meaning of the values.
    pub convention: Convention,
}

impl Identity {
    /// The prefix of its file names: `awale-awari`.
    #[must_use]
    pub fn file_stem(&self) -> String {
        self.name.replace(':', "-")
    }
}

/// The entry of a board: two sound bounds on what is still to be won from it, for the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Bounds {
    /// The mover can force at least this difference.
    pub low: i8,
    /// The opponent can hold the mover to at most this.
    pub high: i8,
}

impl Bounds {
    /// An exact value.
    #[must_use]
    pub const fn exactly(value: i8) -> Bounds {
        Bounds { low: value, high: value }
    }

    /// The bounds before a move that gains `gain`, where these are the opponent's after it.
    #[must_use]
    pub const fn before(self, gain: i8) -> Bounds {
        Bounds { low: gain - self.high, high: gain - self.low }
    }

    /// The maximum of two moves, bound by bound.
    #[must_use]
    pub fn or(self, other: Bounds) -> Bounds {
        Bounds { low: self.low.max(other.low), high: self.high.max(other.high) }
    }

    /// The bounds swapped.
    const fn swapped(self) -> Bounds {
        Bounds { low: self.high, high: self.low }
    }

    /// Whether the value is known.
    #[must_use]
    pub const fn is_exact(self) -> bool {
        self.low == self.high
    }
}

/// The result of one move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step<B> {
    /// To a board of the same layer on which the opponent moves.
    Within(B),
    /// To a board of a lower layer; the mover gains this much.
    Down {
        /// What the mover gains.
        gain: i8,
        /// The board the opponent moves on.
        board: B,
    },
    /// To the end of the game in the same layer; worth this much to the mover.
    End(i8),
}

/// What a user counts on a board to say how far tables reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counted {
    /// Seeds. The number of a layer is that of its seeds, and values are seeds won.
    Seeds,
    /// Pieces. A layer is a material, several have the same number of pieces, and values are 1, 0 and -1.
    Pieces,
}

impl Counted {
    /// The word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Counted::Seeds => "seeds",
            Counted::Pieces => "pieces",
        }
    }
}

/// A game whose boards divide into layers, numbered from 0; moves lead to the same layer or to a lower one.
///
/// The boards of a layer are numbered without gaps, from the view of the side to move. [`Layered::steps`] and [`Layered::parents`]
/// must be inverse to each other: the builder's counters rely on it.
pub trait Layered: Send + Sync + 'static {
    /// A board and the side to move.
    type Board: Copy + Send;

    /// The meaning of the values.
    const CONVENTION: Convention;

    /// What is counted on a board to say how far tables reach.
    const COUNTED: Counted = Counted::Seeds;

    /// The most of it on the boards of the tables that engines build for each other: a minute and a half of one core and 173 MB.
    const SHARED: usize = 18;

    /// The last layer of the boards with at most `count` of it.
    fn last_layer(&self, count: usize) -> usize {
        count
    }

    /// The number of it on the boards of `layer`.
    fn count(&self, layer: usize) -> usize {
        layer
    }

    /// The number of it on `board`.
    fn count_on(&self, board: &Self::Board) -> usize {
        self.layer(board)
    }

    /// Whether some layer has `board`.
    fn has(&self, _board: &Self::Board) -> bool {
        true
    }

    /// The identity of the table; its convention is [`Layered::CONVENTION`].
    fn identity(&self) -> Identity;

    /// The highest layer of the game.
    fn top(&self) -> usize;

    /// The number of boards in `layer`.
    fn size(&self, layer: usize) -> u64;

    /// No value in `layer` is above this, or below its opposite; at most 63.
    fn stake(&self, layer: usize) -> i8;

    /// The layer of `board`.
    fn layer(&self, board: &Self::Board) -> usize;

    /// The number of `board` within its layer, from 0.
    fn rank(&self, board: &Self::Board) -> u64;

    /// The board of that number.
    fn unrank(&self, layer: usize, rank: u64) -> Self::Board;

    /// The board after `board` in the order of ranks; any board after the last one.
    fn next(&self, board: &Self::Board) -> Self::Board;

    /// On a finished board, what the side to move gets; `None` while the game goes on.
    fn end(&self, board: &Self::Board) -> Option<i8>;

    /// What the side to move gets when a repetition ends the game on `board`; for [`Convention::Bounds`] alone.
    fn repetition(&self, board: &Self::Board) -> i8;

    /// The result of the move from `board` to `next`.
    fn step(&self, board: &Self::Board, next: Self::Board) -> Step<Self::Board>;

    /// Calls `visit` for every move on a board where the game goes on: at least one, and at most fifteen [`Step::Within`].
    fn steps(&self, board: &Self::Board, visit: impl FnMut(Step<Self::Board>));

    /// Calls `visit` for every board with a [`Step::Within`] to `board`, once for each such step.
    fn parents(&self, board: &Self::Board, visit: impl FnMut(Self::Board));
}

/// A build was told to stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("stopped")]
pub struct Stopped;

/// Control of a running build, shared by reference: stops it, and reports progress.
#[derive(Debug, Default)]
pub struct Monitor {
    stop: AtomicBool,
    layer: AtomicU64,
    done: AtomicU64,
    total: AtomicU64,
}

impl Monitor {
    /// Stops the build within some milliseconds.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// The layer that is being built.
    #[must_use]
    pub fn layer(&self) -> usize {
        self.layer.load(Ordering::Relaxed) as usize
    }

    /// Boards done and boards to do, over all layers of the build; a board half done counts for half.
    #[must_use]
    pub fn boards(&self) -> (u64, u64) {
        (self.done.load(Ordering::Relaxed), self.total.load(Ordering::Relaxed))
    }

    fn check(&self) -> Result<(), Stopped> {
        if self.stop.load(Ordering::Relaxed) { Err(Stopped) } else { Ok(()) }
    }
}
