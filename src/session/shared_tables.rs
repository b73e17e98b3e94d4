//! Endgame tables that all engines of a user share: the folder, and when to build in it.
//!
//! Layer 4. A session reads the folder unless other tables are named. The build runs outside the engine, since its memory and
//! time are not the search's. It starts only after some seconds of search: a short-lived engine has no use for it.

use std::fmt::Debug;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Builds the tables of a folder, in the background.
pub trait TableBuilder: Send + Sync + Debug {
    /// Starts building the tables of a game, and returns a message for people; `None` if there is nothing to build or it was tried
    /// before. Does not wait.
    fn begin(&self, game: &str) -> Option<String>;

    /// Whether a build has ended since the last call.
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
    /// The tables in `folder`, which may be missing, and their builder, used after a search time of `worthwhile`.
    #[must_use]
    pub fn new(folder: PathBuf, builder: Box<dyn TableBuilder>, worthwhile: Duration) -> SharedTables {
        SharedTables { folder, builder, worthwhile, searched: AtomicU64::new(0) }
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Records a search of `game`; returns a message for people if a build starts.
    pub(super) fn searched(&self, game: &str, time: Duration) -> Option<String> {
        let time = time.as_millis() as u64;
        let all = self.searched.fetch_add(time, Ordering::Relaxed) + time;
        if u128::from(all) < self.worthwhile.as_millis() { None } else { self.builder.begin(game) }
    }

    /// Whether there may be new tables in the folder since the last call.
    pub(super) fn have_grown(&self) -> bool {
        self.builder.has_ended()
    }
}
