//! Endgame tables of awalé in a search: from files, or small ones built in the background.
//!
//! Layer 2. A thread of its own builds the small tables once the game comes near them, in at most a fifth of a second of one
//! core. Units: hundredths of a seed, for the side to move.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;

use super::board::Position;
use super::evaluate::SEED;
use super::layers::AwaleLayers;
use super::rules::Variant;
use crate::game::{Balance, Probe};
use crate::score::Score;
use crate::tablebase::{Convention, Layered, Monitor, Table};

/// With more seeds than this on the board, searches are too shallow for the small tables to matter.
const NEAR_SEEDS: u8 = 34;

/// The tables of one variant, shared by all its users.
#[derive(Debug, Clone)]
pub struct AwaleEndings<V> {
    files: Option<Arc<Table<AwaleLayers<V>>>>,
    small: Arc<Small<V>>,
}

/// Tables that are built in memory.
#[derive(Debug)]
struct Small<V> {
    begun: AtomicBool,
    table: OnceLock<Table<AwaleLayers<V>>>,
}

impl<V: Variant> Default for AwaleEndings<V> {
    fn default() -> Self {
        AwaleEndings { files: None, small: Arc::new(Small { begun: AtomicBool::new(false), table: OnceLock::new() }) }
    }
}

impl<V: Variant> Small<V> {
    fn build(&self) {
        let top = AwaleEndings::<V>::SMALL_SEEDS;
        if let Ok(table) = Table::in_memory(AwaleLayers::default(), top, 1, &Monitor::default()) {
            // This is the only builder, so the table is not yet set.
            let _ = self.table.set(table);
        }
    }
}

/// The task of building the small tables. However it ends, a table is then set, if only an empty one, as another thread
/// may wait for it.
struct Build<V: Variant>(Arc<Small<V>>);

impl<V: Variant> Drop for Build<V> {
    fn drop(&mut self) {
        let _ = self.0.table.set(Table::empty(AwaleLayers::default()));
    }
}

impl<V: Variant> AwaleEndings<V> {
    /// The most seeds in the small tables. One value a board is built faster than two bounds.
    const SMALL_SEEDS: usize = match AwaleLayers::<V>::CONVENTION {
        Convention::Exact => 10,
        Convention::Bounds => 9,
    };

    /// The tables that are ready.
    #[inline]
    fn table(&self) -> Option<&Table<AwaleLayers<V>>> {
        match &self.files {
            Some(files) => Some(files),
            None => self.small.table.get(),
        }
    }
}

impl<V: Variant> Probe<Position<V>> for AwaleEndings<V> {
    fn probe(&self, _position: &Position<V>) -> Option<Score> {
        None
    }

    #[inline]
    fn balance(&self, position: &Position<V>) -> Option<Balance> {
        let bounds = self.table()?.bounds(position)?;
        let finally = |value: i8| SEED * (position.store_balance() + i32::from(value));
        Some(Balance { low: finally(bounds.low), high: finally(bounds.high) })
    }

    fn prepare(&self, root: &Position<V>) -> bool {
        if self.table().is_some() || root.seeds_on_board() > NEAR_SEEDS {
            return true;
        }
        if !self.small.begun.swap(true, Ordering::Relaxed) {
            let task = Build(Arc::clone(&self.small));
            // If no thread can be started, the task is dropped, which sets an empty table.
            let _ = thread::Builder::new().name("endings".into()).spawn(move || task.0.build());
        }
        self.table().is_some()
    }

    fn with_tables(&self, directory: Option<&Path>) -> Result<Self, String> {
        let open = |directory| Table::open(AwaleLayers::default(), directory).map(Arc::new);
        let files = directory.map(open).transpose().map_err(|error| error.to_string())?;
        // Files with no more seeds than the small tables add nothing, and memory is faster.
        let files = files.filter(|files| files.len() > Self::SMALL_SEEDS + 1);
        Ok(AwaleEndings { files, small: Arc::clone(&self.small) })
    }

    fn without_tables(&self) -> Self {
        AwaleEndings::default()
    }
}
