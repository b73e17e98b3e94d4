//! The endgame tables of a family of games, whichever of its games is asked for.
//!
//! Floor 1; the other half of [`crate::game::family`], for what stands above the tables.

use super::Layered;
use crate::game::Notation;
use crate::game::family::{Asked, Family};

/// Something to be done with the endgame tables of a game of any type.
pub trait TableVisitor {
    /// What comes of it.
    type Output;
    /// Does it.
    fn visit<N, L>(self, notation: N, layers: L) -> Self::Output
    where
        N: Notation,
        L: Layered<Board = N::Position>;
}

/// A family whose games may have endgame tables. One without any has nothing to add to `impl Tabled for F {}`.
pub trait Tabled: Family {
    /// Hands the layers of the game asked for to `visitor`; nothing where it has none. The games of
    /// [`with_tables`](crate::game::family::Descriptor::with_tables) have some, and no others.
    fn open_tables<V: TableVisitor>(_asked: &Asked<'_>, _visitor: V) -> Option<V::Output> {
        None
    }
}
