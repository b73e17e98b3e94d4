//! No Syzygy tables, where the crate that reads them does not compile, as on Linux on ARM. Layer 2.

use cozy_chess::Move;

use super::super::rules::Position;
use crate::game::OutsideTables;
use crate::score::Score;

/// There are none.
#[derive(Debug, Clone)]
pub(super) enum Syzygy {}

impl Syzygy {
    /// `None` without a path.
    ///
    /// # Errors
    /// With a path.
    pub(super) fn open(outside: &OutsideTables) -> Result<Option<Syzygy>, String> {
        if outside.path.trim().is_empty() {
            return Ok(None);
        }
        Err("griot reads no Syzygy tables on this processor and system; leave SyzygyPath empty".into())
    }

    pub(super) fn most_pieces(&self) -> u32 {
        match *self {}
    }

    pub(super) fn value(&self, _position: &Position, _depth: u32) -> Option<Score> {
        match *self {}
    }

    pub(super) fn root_moves(&self, _root: &Position, _history: &[u64]) -> Option<Vec<Move>> {
        match *self {}
    }
}
