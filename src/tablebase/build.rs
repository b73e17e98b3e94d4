//! Whole tables: layers built one above the other, in memory or as files.
//!
//! Layer 1. The values do not depend on the number of threads.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use super::file::{self, FileError, Header, Reader};
use super::layer::Layer;
use super::pages::Budget;
use super::solve::{Solved, solve};
use super::{Bounds, Layered, Monitor, Step, Stopped};
use crate::files::Claim;

/// The layers of a game from 0 up to some number, with the rules that number the boards.
#[derive(Debug)]
pub struct Table<L> {
    rules: L,
    layers: Vec<Layer>,
}

/// The plan of a build.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plan {
    /// The highest layer.
    pub top: usize,
    /// Threads, at least 1.
    pub threads: usize,
    /// Memory limit in bytes, for records and the layers below; `None`: no limit.
    pub memory: Option<u64>,
}

/// Why a build ended early. Finished layers are kept.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// It was stopped.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// A file could not be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The memory limit is too low.
    #[error("layer {layer} needs {} MiB of memory, {} MiB are allowed", needed.div_ceil(1 << 20), allowed >> 20)]
    Memory {
        /// The first layer that does not fit.
        layer: usize,
        /// Bytes it needs.
        needed: u64,
        /// The limit in bytes.
        allowed: u64,
    },
    /// The game has no such layer.
    #[error("layer {asked}: the highest layer of {game} is {top}")]
    NoLayer {
        /// The layer asked for.
        asked: usize,
        /// The game.
        game: String,
        /// Its highest layer.
        top: usize,
    },
}

impl<L: Layered> Table<L> {
    /// A table without layers.
    pub const fn empty(rules: L) -> Table<L> {
        Table { rules, layers: Vec::new() }
    }

    /// Builds the layers up to `top` in memory.
    ///
    /// # Errors
    /// [`Stopped`] when `monitor` was told to stop.
    pub fn in_memory(rules: L, top: usize, threads: usize, monitor: &Monitor) -> Result<Table<L>, Stopped> {
        let mut table = Table::empty(rules);
        let top = top.min(table.rules.top());
        table.announce(top, monitor);
        while table.layers.len() <= top {
            table.grow(threads, monitor)?;
        }
        Ok(table)
    }

    /// Builds the next layer in memory.
    ///
    /// # Errors
    /// [`Stopped`] when `monitor` was told to stop; the table is then unchanged.
    pub fn grow(&mut self, threads: usize, monitor: &Monitor) -> Result<(), Stopped> {
        let values = self.solve_next(threads, monitor)?.bytes().collect();
        self.push(Layer::owned(values, L::CONVENTION), monitor);
        Ok(())
    }

    /// Builds the layers of `plan` as files in `directory`, created if missing. Layers found there are verified; good
    /// ones are kept, others are rebuilt and replaced. `report` is called for each. The returned table is in memory.
    ///
    /// # Errors
    /// [`BuildError`]; finished layers stay. A file that is not a table is left unchanged, and so are all files while
    /// another process builds tables of this game there.
    pub fn in_directory(
        rules: L,
        directory: &Path,
        plan: &Plan,
        monitor: &Monitor,
        mut report: impl FnMut(Built<'_>),
    ) -> Result<Table<L>, BuildError> {
        let mut table = Table::empty(rules);
        table.check(plan)?;
        fs::create_dir_all(directory).map_err(FileError::at(directory, "making the directory"))?;
        let all = directory.join(table.rules.identity().file_stem());
        let _claim = Claim::of_name(&all).map_err(FileError::at(&all, "claiming the tables"))?;
        table.announce(plan.top, monitor);
        while table.layers.len() <= plan.top {
            let header = table.header(table.layers.len());
            let path = directory.join(header.file_name());
            let load = || open(&path, &header)?.load();
            let layer = match path.symlink_metadata().is_ok().then(load) {
                Some(Ok(layer)) => {
                    report(Built::Kept(&path));
                    layer
                }
                // Leave a file unchanged that cannot be read, or that is neither empty nor begins like a table.
                Some(Err(foreign)) if foreign.is_foreign() => return Err(foreign.into()),
                not_good => {
                    if let Some(Err(why)) = not_good {
                        report(Built::Replaces(&why));
                    }
                    let solved = table.solve_next(plan.threads, monitor)?;
                    let path = file::write(directory, &header, solved.bytes())?;
                    // Free the records before the values are loaded.
                    drop(solved);
                    report(Built::Written(&path));
                    load()?
                }
            };
            table.push(layer, monitor);
        }
        Ok(table)
    }

    /// Opens the layers in `directory`, from 0 up to the first one that is missing. Headers and lengths are checked, the
    /// values are not read.
    ///
    /// # Errors
    /// When a file that is there cannot be used, or layer 0 is missing.
    pub fn open(rules: L, directory: &Path) -> Result<Table<L>, FileError> {
        let mut table = Table::empty(rules);
        let budget = Budget::default();
        while table.layers.len() <= table.rules.top() {
            let header = table.header(table.layers.len());
            let path = directory.join(header.file_name());
            if header.layer > 0 && !path.exists() {
                break;
            }
            table.layers.push(open(&path, &header)?.layer_in(&budget));
        }
        Ok(table)
    }

    /// The number of layers, which is also the number of the first missing layer.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.layers.len()
    }

    /// Whether there is no layer.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.layers.is_empty()
    }

    /// The layers from 0 on.
    #[must_use]
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// The rules that number the boards.
    #[must_use]
    pub const fn rules(&self) -> &L {
        &self.rules
    }

    /// The bounds of `board`, or `None` if its layer is missing. No allocation; one or two cache misses.
    #[inline]
    #[must_use]
    pub fn bounds(&self, board: &L::Board) -> Option<Bounds> {
        self.layers.get(self.rules.layer(board))?.bounds(self.rules.rank(board))
    }

    /// The bounds of a move, for the side that makes it.
    #[must_use]
    pub fn worth(&self, step: &Step<L::Board>) -> Option<Bounds> {
        match step {
            Step::End(value) => Some(Bounds::exactly(*value)),
            Step::Within(board) => self.bounds(board).map(|next| next.before(0)),
            Step::Down { gain, board } => self.bounds(board).map(|next| next.before(*gain)),
        }
    }

    /// The header that the file of `layer` must have.
    #[must_use]
    pub fn header(&self, layer: usize) -> Header {
        Header { identity: self.rules.identity(), layer, boards: self.rules.size(layer) }
    }

    /// Bytes of memory to build `layer`: its records, and the values of the layers below, which are looked up.
    #[must_use]
    pub fn memory_to_build(&self, layer: usize) -> u64 {
        let values = |layer| self.rules.size(layer) * L::CONVENTION.entry_bytes() as u64;
        self.rules.size(layer) * Solved::BYTES_PER_BOARD + (0..layer).map(values).sum::<u64>()
    }

    fn check(&self, plan: &Plan) -> Result<(), BuildError> {
        if plan.top > self.rules.top() {
            let game = self.rules.identity().name;
            return Err(BuildError::NoLayer { asked: plan.top, game, top: self.rules.top() });
        }
        let Some(allowed) = plan.memory else { return Ok(()) };
        match (0..=plan.top).map(|layer| (layer, self.memory_to_build(layer))).find(|&(_, needed)| needed > allowed) {
            Some((layer, needed)) => Err(BuildError::Memory { layer, needed, allowed }),
            None => Ok(()),
        }
    }

    fn announce(&self, top: usize, monitor: &Monitor) {
        let boards = (0..=top).map(|layer| self.rules.size(layer)).sum();
        monitor.total.store(boards, Ordering::Relaxed);
    }

    fn solve_next(&self, threads: usize, monitor: &Monitor) -> Result<Solved, Stopped> {
        let layer = self.layers.len();
        monitor.layer.store(layer as u64, Ordering::Relaxed);
        solve(&self.rules, self, layer, threads, monitor)
    }

    fn push(&mut self, layer: Layer, monitor: &Monitor) {
        self.layers.push(layer);
        // The solver's count is approximate; store the exact one.
        let boards = self.layers.iter().map(Layer::boards).sum();
        monitor.done.store(boards, Ordering::Relaxed);
    }
}

/// The result of one layer of a build.
#[derive(Debug, Clone, Copy)]
pub enum Built<'a> {
    /// This good file existed.
    Kept(&'a PathBuf),
    /// A file existed and was bad for this reason; the layer is built anew.
    Replaces(&'a FileError),
    /// This file was written.
    Written(&'a PathBuf),
}

fn open(path: &Path, header: &Header) -> Result<Reader, FileError> {
    let reader = Reader::open(path)?;
    reader.header().expect(path, header)?;
    Ok(reader)
}
