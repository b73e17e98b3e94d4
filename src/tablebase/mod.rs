//! Endgame tables by retrograde analysis: values of boards for the side to move, for games that divide into layers.
//!
//! Layer 1: knows the traits of games, no game and no search. A game in which play never returns to a higher layer (captured
//! seeds stay captured) implements [`Layered`]; [`Table`] builds its layers in memory or as files and looks boards up. A value
//! is what the mover still wins less what the opponent does. A table is read through `&`, from any thread.
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
mod layer;
mod packed;
mod pages;
mod pool;
mod solve;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

pub use build::{BuildError, Built, Plan, Table};
pub use family::{AnyTables, ProbeError, Probed, TableVisitor, Tabled};
pub use file::{FileError, Form, Header, Reader};
pub use layer::{Layer, Tally};

/// What a number of the table means when play need not end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Convention {
    /// One value a board; endless play is worth 0 to both sides.
    Exact,
    /// Two values a board: what the mover can force, and what the opponent can hold the mover to. A repetition is worth what
    /// [`Layered::repetition`] says of the board it happens on, and a side that plays for ever counts on the worst board that
    /// it lets come up.
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

/// Which game's table it is: what a file must agree with to be used.
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
    /// What the names of its files begin with: `awale-awari`.
    #[must_use]
    pub fn file_stem(&self) -> String {
        self.name.replace(':', "-")
    }
}

/// What the table says of a board: two sound bounds on what is still to be won from it, for the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Bounds {
    /// The mover can make sure of this difference.
    pub low: i8,
    /// The opponent can hold the mover to this one.
    pub high: i8,
}

impl Bounds {
    /// Both bounds in one.
    #[must_use]
    pub const fn exactly(value: i8) -> Bounds {
        Bounds { low: value, high: value }
    }

    /// The bounds before a move that gains `gain`, where these are the opponent's after it.
    #[must_use]
    pub const fn before(self, gain: i8) -> Bounds {
        Bounds { low: gain - self.high, high: gain - self.low }
    }

    /// The greater of both, bound by bound: what there is to choose from two moves.
    #[must_use]
    pub fn or(self, other: Bounds) -> Bounds {
        Bounds { low: self.low.max(other.low), high: self.high.max(other.high) }
    }

    /// The bounds in each other's place.
    const fn swapped(self) -> Bounds {
        Bounds { low: self.high, high: self.low }
    }

    /// Whether the value is known.
    #[must_use]
    pub const fn is_exact(self) -> bool {
        self.low == self.high
    }
}

/// What one move comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step<B> {
    /// To a board of the same layer on which the opponent moves.
    Within(B),
    /// To a board of a lower layer; the mover gains so much on the way.
    Down {
        /// What the mover gains.
        gain: i8,
        /// The board the opponent moves on.
        board: B,
    },
    /// To the end of the game in the same layer; worth so much to the mover.
    End(i8),
}

/// A game whose boards fall into layers, numbered from 0, from which moves lead to the same layer or to a lower one.
///
/// The boards of a layer are ranked without gaps. A board is seen from the side to move: who that is does not matter.
/// [`Layered::steps`] and [`Layered::parents`] must be each other's inverse, which the counters of the builder rely on.
pub trait Layered: Send + Sync + 'static {
    /// A board and the side to move.
    type Board: Copy + Send;

    /// The meaning of the values.
    const CONVENTION: Convention;

    /// Which game this is; its convention is [`Layered::CONVENTION`].
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

    /// What the move comes to that leads from `board` to `next`.
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

/// The contact with a running build, shared by reference: asks it to stop, and tells how far it is.
#[derive(Debug, Default)]
pub struct Monitor {
    stop: AtomicBool,
    layer: AtomicU64,
    done: AtomicU64,
    total: AtomicU64,
}

impl Monitor {
    /// Asks the build to stop; it does within some milliseconds.
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
