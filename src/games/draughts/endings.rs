//! Endgame tables of English draughts in a search: from files, or those of three pieces built in the background.
//!
//! Layer 2. A table knows who wins, but not how soon. So in a search that begins outside the table, its values are exact; in one that
//! begins within, only draws are, and the search itself has to find the way to a win. Units: hundredths of a man, for the side to
//! move.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;

use super::board::Position;
use super::layers::{ENGLISH, EnglishLayers};
use crate::game::{Balance, Probe};
use crate::score::Score;
use crate::tablebase::{Layered as _, Monitor, Table};

/// Pieces of the table that is built in memory.
const SMALL: usize = 3;

/// With more pieces than this on the board, searches do not reach the small table.
const NEAR: u32 = 8;

/// What a won ending is worth, as a balance: at least, and at most.
const WON: [i32; 2] = [1, 30_000];

/// The tables of English draughts; none of the other rule sets.
#[derive(Debug)]
pub struct Endings {
    /// Whether the game has tables.
    is_english: bool,
    files: Option<Arc<Table<EnglishLayers>>>,
    small: Arc<Small>,
    /// Whether the present search begins within the table.
    is_inside: AtomicBool,
}

/// A table that is built in memory, shared by all games.
#[derive(Debug, Default)]
struct Small {
    begun: AtomicBool,
    table: OnceLock<Table<EnglishLayers>>,
}

impl Clone for Endings {
    fn clone(&self) -> Endings {
        let is_inside = AtomicBool::new(self.is_inside.load(Ordering::Relaxed));
        Endings { files: self.files.clone(), small: Arc::clone(&self.small), is_inside, is_english: self.is_english }
    }
}

/// The task of building the small table. However it ends, a table is then set, if only an empty one.
struct Build(Arc<Small>);

impl Drop for Build {
    fn drop(&mut self) {
        let _ = self.0.table.set(Table::empty(EnglishLayers));
    }
}

impl Endings {
    /// The tables of a rule set, an index of [`RULES`](super::RULES).
    pub(super) fn of(kind: u8) -> Endings {
        Endings { is_english: kind == ENGLISH, files: None, small: Arc::default(), is_inside: AtomicBool::new(false) }
    }

    fn table(&self) -> Option<&Table<EnglishLayers>> {
        self.files.as_deref().or_else(|| self.small.table.get())
    }

    /// The result of a position for the side to move, from 1 to -1, if the tables have it.
    fn result(&self, position: &Position) -> Option<i8> {
        if !EnglishLayers.has(position) {
            return None;
        }
        self.table()?.bounds(position).map(|bounds| bounds.low)
    }
}

impl Probe<Position> for Endings {
    fn probe(&self, _position: &Position) -> Option<Score> {
        None
    }

    #[inline]
    fn balance(&self, position: &Position) -> Option<Balance> {
        if !self.is_english || (position.pieces[0] | position.pieces[1]).count_ones() > NEAR {
            return None;
        }
        let balance = match self.result(position)? {
            0 => Balance { low: 0, high: 0 },
            1.. => Balance { low: WON[0], high: WON[1] },
            _ => Balance { low: -WON[1], high: -WON[0] },
        };
        (balance.low == balance.high || !self.is_inside.load(Ordering::Relaxed)).then_some(balance)
    }

    fn prepare(&self, root: &Position) -> bool {
        let is_near = self.is_english && (root.pieces[0] | root.pieces[1]).count_ones() <= NEAR;
        if !is_near {
            self.is_inside.store(false, Ordering::Relaxed);
            return true;
        }
        if self.table().is_none() && !self.small.begun.swap(true, Ordering::Relaxed) {
            let task = Build(Arc::clone(&self.small));
            // If no thread can be started, the task is dropped, which sets an empty table.
            let build = move || {
                let top = EnglishLayers::last_of(SMALL);
                if let Ok(table) = Table::in_memory(EnglishLayers, top, 1, &Monitor::default()) {
                    let _ = task.0.table.set(table);
                }
            };
            let _ = thread::Builder::new().name("endings".into()).spawn(build);
        }
        self.is_inside.store(self.result(root).is_some(), Ordering::Relaxed);
        self.table().is_some()
    }

    fn with_tables(&self, directory: Option<&Path>) -> Result<Endings, String> {
        if !self.is_english {
            return Ok(self.clone());
        }
        let open = |directory| Table::open(EnglishLayers, directory).map(Arc::new);
        let files = directory.map(open).transpose().map_err(|error| error.to_string())?;
        let files = files.filter(|files| files.len() > EnglishLayers::last_of(SMALL) + 1);
        Ok(Endings { files, ..self.clone() })
    }

    fn without_tables(&self) -> Endings {
        Endings::of(if self.is_english { ENGLISH } else { 0 })
    }
}
