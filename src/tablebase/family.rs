//! The endgame tables of a family of games, chosen by the name of a game.
//!
//! Layer 1; the counterpart of [`crate::game::family`] for code above the tables.

use std::path::Path;

use super::{Bounds, BuildError, Built, Counted, FileError, Header, Layered, Monitor, Plan, Table};
use crate::game::family::{Asked, Family};
use crate::game::{Notation, Position as _, TextError};

/// An operation on the endgame tables of a game of any type.
pub trait TableVisitor {
    /// Its result.
    type Output;
    /// Runs it.
    fn visit<N, L>(self, notation: N, layers: L) -> Self::Output
    where
        N: Notation,
        L: Layered<Board = N::Position>;
}

/// A family whose games may have endgame tables. Without any, `impl Tabled for F {}` is enough.
pub trait Tabled: Family {
    /// Hands the layers of the game to `visitor`; `None` if it has none. Exactly the games of
    /// [`with_tables`](crate::game::family::Descriptor::with_tables) have some.
    fn open_tables<V: TableVisitor>(_asked: &Asked<'_>, _visitor: V) -> Option<V::Output> {
        None
    }
}

/// The endgame tables of a game as a trait object, for callers without game types: boards and moves are texts. `<dyn
/// AnyTables>::new` makes it and is compiled for every game with tables; callers are not.
pub trait AnyTables {
    /// The highest layer of the game.
    fn top(&self) -> usize;

    /// What is counted on its boards.
    fn counted(&self) -> Counted;

    /// [`Layered::last_layer`], [`Layered::count`].
    fn last_layer(&self, count: usize) -> usize;

    /// See [`AnyTables::last_layer`].
    fn count(&self, layer: usize) -> usize;

    /// The last layer of the tables that engines build for each other.
    fn shared(&self) -> usize;

    /// The header that the file of a layer must have; that of the highest layer if there is none so high.
    fn header(self: Box<Self>, layer: usize) -> Header;

    /// [`Table::in_directory`]; returns the number of boards of all layers.
    ///
    /// # Errors
    /// As there.
    fn build(
        self: Box<Self>,
        directory: &Path,
        plan: &Plan,
        monitor: &Monitor,
        report: &mut dyn FnMut(Built<'_>),
    ) -> Result<u64, BuildError>;

    /// The entry of a board and of its moves in the tables of a folder.
    ///
    /// # Errors
    /// If the board or a file is wrong, or the tables have no such board.
    fn look_up(self: Box<Self>, directory: &Path, board: &str) -> Result<Probed, ProbeError>;
}

impl dyn AnyTables {
    /// The tables of these layers.
    pub fn new<N, L>(notation: N, layers: L) -> Box<dyn AnyTables>
    where
        N: Notation,
        L: Layered<Board = N::Position>,
    {
        Box::new(TablesOf { notation, layers })
    }
}

/// The entry of a board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Probed {
    /// Its bounds for the side to move.
    pub bounds: Bounds,
    /// Its moves, with bounds for the side that makes them, where known.
    pub moves: Vec<(String, Option<Bounds>)>,
}

/// Why a board has no entry.
#[derive(Debug, thiserror::Error)]
pub enum ProbeError {
    /// The board text is wrong.
    #[error("board: {0}")]
    Board(TextError),
    /// A file is bad.
    #[error(transparent)]
    File(#[from] FileError),
    /// Its layer is missing.
    #[error("expected a board of at most {most} {}, found {found}", counted.word())]
    TooHigh {
        /// What is counted.
        counted: Counted,
        /// How many there are on the board.
        found: usize,
        /// The most on a board of the tables.
        most: usize,
    },
}

struct TablesOf<N, L> {
    notation: N,
    layers: L,
}

impl<N: Notation, L: Layered<Board = N::Position>> AnyTables for TablesOf<N, L> {
    fn top(&self) -> usize {
        self.layers.top()
    }

    fn counted(&self) -> Counted {
        L::COUNTED
    }

    fn last_layer(&self, count: usize) -> usize {
        self.layers.last_layer(count)
    }

    fn count(&self, layer: usize) -> usize {
        self.layers.count(layer)
    }

    fn shared(&self) -> usize {
        self.layers.last_layer(L::SHARED).min(self.layers.top())
    }

    fn header(self: Box<Self>, layer: usize) -> Header {
        let layer = layer.min(self.layers.top());
        Table::empty(self.layers).header(layer)
    }

    fn build(
        self: Box<Self>,
        directory: &Path,
        plan: &Plan,
        monitor: &Monitor,
        report: &mut dyn FnMut(Built<'_>),
    ) -> Result<u64, BuildError> {
        let table = Table::in_directory(self.layers, directory, plan, monitor, report)?;
        Ok(table.layers().iter().map(|layer| layer.boards()).sum())
    }

    fn look_up(self: Box<Self>, directory: &Path, board: &str) -> Result<Probed, ProbeError> {
        let position = self.notation.parse_position(board).map_err(ProbeError::Board)?;
        let table = Table::open(self.layers, directory)?;
        let known = Some(&position).filter(|position| table.rules().has(position));
        let Some(bounds) = known.and_then(|position| table.bounds(position)) else {
            let (found, most) = (table.rules().count_on(&position), table.rules().count(table.len() - 1));
            return Err(ProbeError::TooHigh { counted: L::COUNTED, found, most });
        };
        let mut moves = Vec::new();
        position.generate(&mut moves);
        let worth = |mv| {
            let step = table.rules().step(&position, position.after(mv));
            (self.notation.move_text(&position, mv), table.worth(&step))
        };
        Ok(Probed { bounds, moves: moves.into_iter().map(worth).collect() })
    }
}
