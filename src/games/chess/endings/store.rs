//! Where the tables of small endings are built: one set for the process, in the background, as searches come to them. Layer 2.
//!
//! A search sees the tables that its root asks for and no others, so that its result does not depend on earlier searches. A
//! thread of its own builds them, those of the last search first, of these the smaller ones, and ends when nothing is left to build.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;

use cozy_chess::{Board, Color, Piece};

use super::material::{MOST, Material};
use super::table::{Table, Tables, below};

/// The most bytes of all tables together; further ones are not built.
const MOST_BYTES: usize = 192 << 20;

/// The most bytes of tables that a search waits for: those of three pieces, a fraction of a second. Those of four pieces take
/// seconds, with pawns a minute.
const MOST_AWAITED: usize = 2 << 20;

/// A table that is built or will be; `None` once it is known that it cannot be.
pub(super) type Cell = Arc<OnceLock<Option<Arc<Table>>>>;

/// The tables that a search sees.
pub(super) type View = Vec<(Material, Cell)>;

/// The tables of a process.
#[derive(Debug, Default)]
pub(super) struct Store(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    cells: HashMap<Material, Cell>,
    /// What is still to be built, in this order.
    queue: VecDeque<Material>,
    /// What is being built.
    building: Option<Material>,
    is_building: bool,
    bytes: usize,
}

/// A material after all those that it leads to.
fn with_those_below(material: Material, found: &mut Vec<Material>) {
    if material.is_dead() || found.contains(&material) {
        return;
    }
    for smaller in below(material) {
        with_those_below(smaller, found);
    }
    found.push(material);
}

/// Adds a material after those that it leads to, if all of them take at most `most_bytes`; else as many of those as do.
fn add(material: Material, most_bytes: usize, found: &mut Vec<Material>) {
    let before = found.len();
    with_those_below(material, found);
    if found.iter().map(|material| material.size()).sum::<usize>() > most_bytes {
        found.truncate(before);
        for smaller in below(material) {
            add(smaller, most_bytes, found);
        }
    }
}

/// The material of a board and those that it leads to; of a board of one piece too many those that its captures lead to.
fn near(board: &Board, most_bytes: usize) -> Vec<Material> {
    let others = board.occupied() & !board.pieces(Piece::King);
    let pieces: Vec<(Color, Piece)> =
        others.into_iter().filter_map(|square| Some((board.color_on(square)?, board.piece_on(square)?))).collect();
    let without = |gone: usize| pieces.iter().enumerate().filter(move |(at, _)| *at != gone).map(|(_, &piece)| piece);
    let materials: Vec<Material> = match pieces.len() {
        0..=MOST => Material::new(pieces.iter().copied()).into_iter().map(|(material, _)| material).collect(),
        count if count == MOST + 1 => {
            (0..count).filter_map(|gone| Material::new(without(gone))).map(|(material, _)| material).collect()
        }
        _ => Vec::new(),
    };
    let mut found = Vec::new();
    for material in materials {
        add(material, most_bytes, &mut found);
    }
    found
}

impl Store {
    /// The store that all games of the process share.
    pub(super) fn shared() -> Arc<Store> {
        static SHARED: OnceLock<Arc<Store>> = OnceLock::new();
        Arc::clone(SHARED.get_or_init(Arc::default))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The tables for a search from this board. Those that are missing are built from now on. A search that `waits` for them sees
    /// none that take long.
    pub(super) fn view(self: &Arc<Self>, board: &Board, waits: bool) -> View {
        let materials = near(board, if waits { MOST_AWAITED } else { MOST_BYTES });
        if materials.is_empty() {
            return View::new();
        }
        let mut state = self.lock();
        let view = state.view(materials);
        if !state.queue.is_empty() && !state.is_building {
            let store = Arc::clone(self);
            let started = thread::Builder::new().name("endings".into()).spawn(move || Builder(store).run());
            state.is_building = started.is_ok();
            if started.is_err() {
                state.give_up();
            }
        }
        view
    }
}

impl State {
    /// The tables of these materials, each of them after those that it leads to. Those that are missing are the next to be built:
    /// what an earlier search asked for, maybe of a game that is over, can wait.
    fn view(&mut self, materials: Vec<Material>) -> View {
        let mut queue = VecDeque::new();
        let mut view = View::with_capacity(materials.len());
        for material in materials {
            let waits = self.queue.iter().position(|&other| other == material).and_then(|at| self.queue.remove(at));
            if waits.is_some() || !self.cells.contains_key(&material) {
                queue.push_back(material);
            }
            view.push((material, Arc::clone(self.cells.entry(material).or_default())));
        }
        queue.append(&mut self.queue);
        self.queue = queue;
        view
    }

    /// Ends all waiting for tables.
    fn give_up(&mut self) {
        for material in self.building.take().into_iter().chain(self.queue.drain(..)) {
            if let Some(cell) = self.cells.get(&material) {
                // Only the builder sets cells.
                let _ = cell.set(None);
            }
        }
    }
}

/// The building thread; a panic ends all waiting for it.
struct Builder(Arc<Store>);

impl Builder {
    fn run(self) {
        loop {
            let (material, tables, bytes) = {
                let mut state = self.0.lock();
                state.building = state.queue.pop_front();
                let Some(material) = state.building else {
                    state.is_building = false;
                    return;
                };
                let mut tables = Tables::default();
                for cell in state.cells.values() {
                    if let Some(Some(table)) = cell.get() {
                        tables.push(Arc::clone(table));
                    }
                }
                (material, tables, state.bytes)
            };
            let fits = bytes + material.size() <= MOST_BYTES;
            let table = fits.then(|| Table::build(material, &tables, &|| false)).flatten().map(Arc::new);
            let mut state = self.0.lock();
            state.building = None;
            state.bytes += table.as_ref().map_or(0, |table| table.bytes());
            if let Some(cell) = state.cells.get(&material) {
                let _ = cell.set(table);
            }
        }
    }
}

impl Drop for Builder {
    fn drop(&mut self) {
        if thread::panicking() {
            let mut state = self.0.lock();
            state.is_building = false;
            state.give_up();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn materials(board: &str) -> Vec<Material> {
        near(&format!("{board} w - - 0 1").parse().unwrap(), MOST_BYTES)
    }

    #[test]
    fn what_the_last_search_asks_for_is_built_first_and_nothing_twice() {
        let [rooks, pawns] = ["8/8/8/4k3/8/8/R3K3/7r", "8/p7/8/4k3/8/8/P3K3/8"].map(materials);
        let mut state = State::default();
        for asked in [&rooks, &pawns, &rooks] {
            let view = state.view(asked.clone());
            assert_eq!(view.iter().map(|(material, _)| *material).collect::<Vec<_>>(), *asked);
            assert_eq!(state.queue.iter().take(asked.len()).collect::<Vec<_>>(), asked.iter().collect::<Vec<_>>());
        }
        let later = pawns.iter().filter(|material| !rooks.contains(material));
        assert_eq!(state.queue, rooks.iter().chain(later).copied().collect::<Vec<_>>());
        // What is built or being built is not asked for again.
        state.building = state.queue.pop_front();
        state.view(rooks.clone());
        assert_eq!(state.queue.len() + 1, state.cells.len());
        assert!(!state.queue.contains(&rooks[0]));
        // If the thread ends early, no search goes on waiting.
        state.give_up();
        assert!(state.cells.values().all(|cell| matches!(cell.get(), Some(None))) && state.queue.is_empty());
    }
}
