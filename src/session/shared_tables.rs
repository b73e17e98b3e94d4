//! Endgame tables that all engines of a user share: a folder, and who fills it.
//!
//! Layer 4. A session reads the folder where no other tables are asked for. Whoever fills it stands outside of the engine, for the
//! memory and the time of a build are not the search's. Nothing is built before the engine has searched for a while: one that
//! lives for seconds has no use for it.

use std::fmt::Debug;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Builds the tables of a folder, in the background.
pub trait TableBuilder: Send + Sync + Debug {
    /// Begins to build the tables of a game, and answers what people are to be told of it; nothing where there is nothing to
    /// build or this builder has tried before. Does not wait.
    fn begin(&self, game: &str) -> Option<String>;

    /// Whether a build has ended since this was asked last.
    fn has_ended(&self) -> bool;
}

/// The folder, for all sessions of an engine.
#[derive(Debug)]
pub struct SharedTables {
    folder: PathBuf,
    builder: Box<dyn TableBuilder>,
    worthwhile: Duration,
    /// Milliseconds.
    searched: AtomicU64,
}

impl SharedTables {
    /// The tables in `folder`, which need not be there, and who builds those that are missing, once an engine has searched for
    /// so long that it is `worthwhile`.
    #[must_use]
    pub fn new(folder: PathBuf, builder: Box<dyn TableBuilder>, worthwhile: Duration) -> SharedTables {
        SharedTables { folder, builder, worthwhile, searched: AtomicU64::new(0) }
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Takes note of a search of `game`; answers what people are to be told, if tables are being built from now on.
    pub(super) fn searched(&self, game: &str, time: Duration) -> Option<String> {
        let time = time.as_millis() as u64;
        let all = self.searched.fetch_add(time, Ordering::Relaxed) + time;
        if u128::from(all) < self.worthwhile.as_millis() { None } else { self.builder.begin(game) }
    }

    /// Whether there may be tables in the folder that were not there when this was asked last.
    pub(super) fn have_grown(&self) -> bool {
        self.builder.has_ended()
    }
}
