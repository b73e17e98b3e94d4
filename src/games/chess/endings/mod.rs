//! Exact knowledge of small endings of chess: tables of the distance to mate that griot builds for itself, for up to four
//! pieces, and Syzygy tables from files. Layer 2.
//!
//! The own tables are built in the background when a game comes to them ([`store`]); a search without a clock waits for those
//! of three pieces, and does without the others. A distance counts only where the rule of fifty moves leaves so many plies: beyond that the search goes on. Syzygy
//! tables say who wins, not how soon; they are asked after captures and pawn moves, and at the root for moves that make progress.

mod material;
mod store;
mod table;

// The crate that reads Syzygy tables compiles only where C's `char` has a sign; Cargo.toml names the same systems.
#[cfg(not(any(target_arch = "x86", target_arch = "x86_64", target_vendor = "apple", windows)))]
#[path = "no_syzygy.rs"]
mod syzygy;
#[cfg(any(target_arch = "x86", target_arch = "x86_64", target_vendor = "apple", windows))]
mod syzygy;

use std::path::Path;
use std::sync::{Arc, OnceLock};

use cozy_chess::Move;

use self::material::{MOST, Material};
use self::store::{Store, View};
use self::syzygy::Syzygy;
use self::table::Value;
use super::rules::Position;
use crate::game::{OutsideTables, Position as _, Probe};
use crate::score::Score;

/// The exact knowledge of chess.
#[derive(Debug)]
pub struct Endings {
    store: Arc<Store>,
    /// What the search of this value sees; each search has a clone of its own.
    view: OnceLock<View>,
    syzygy: Option<Syzygy>,
}

impl Default for Endings {
    fn default() -> Self {
        Endings { store: Store::shared(), view: OnceLock::new(), syzygy: None }
    }
}

impl Clone for Endings {
    fn clone(&self) -> Self {
        Endings { store: Arc::clone(&self.store), view: OnceLock::new(), syzygy: self.syzygy.clone() }
    }
}

impl Endings {
    /// The value by the own tables, as far as the rule of fifty moves lets it count.
    fn by_own(&self, position: &Position) -> Option<Score> {
        let view = self.view.get().filter(|view| !view.is_empty())?;
        let (material, placed) = Material::of(position.board())?;
        let (_, cell) = view.iter().find(|(known, _)| *known == material)?;
        let value = cell.get()?.as_ref()?.value(&placed);
        let left = position.reversible_plies_left().unwrap_or(u32::MAX);
        match value {
            Value::Draw => Some(Score::DRAW),
            Value::Win(plies) => (plies <= left).then(|| Score::win_in(plies)),
            Value::Loss(plies) => (plies <= left).then(|| Score::loss_in(plies)),
        }
    }
}

impl Probe<Position> for Endings {
    #[inline]
    fn probe(&self, position: &Position) -> Option<Score> {
        self.probe_at(position, u32::MAX)
    }

    #[inline]
    fn probe_at(&self, position: &Position, depth: u32) -> Option<Score> {
        let pieces = position.board().occupied().len();
        if pieces as usize <= MOST + 2
            && let Some(score) = self.by_own(position)
        {
            return Some(score);
        }
        self.syzygy.as_ref().filter(|syzygy| pieces <= syzygy.most_pieces())?.value(position, depth)
    }

    fn root_moves(&self, root: &Position, history: &[u64]) -> Option<Vec<Move>> {
        self.syzygy.as_ref()?.root_moves(root, history)
    }

    fn prepare(&self, root: &Position) -> bool {
        self.view.get_or_init(|| self.store.view(root.board(), true)).iter().all(|(_, cell)| cell.get().is_some())
    }

    fn prepare_on_clock(&self, root: &Position) {
        self.view.get_or_init(|| self.store.view(root.board(), false));
    }

    fn with_tables(&self, _directory: Option<&Path>) -> Result<Self, String> {
        Ok(Endings { store: Store::shared(), view: OnceLock::new(), syzygy: self.syzygy.clone() })
    }

    fn without_tables(&self) -> Self {
        Endings { store: Arc::default(), view: OnceLock::new(), syzygy: None }
    }

    fn with_outside(&self, outside: &OutsideTables) -> Result<Self, String> {
        Ok(Endings { syzygy: Syzygy::open(outside)?, ..self.clone() })
    }
}

#[cfg(test)]
mod tests;
