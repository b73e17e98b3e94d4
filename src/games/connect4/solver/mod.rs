//! A solver of Connect Four: who wins, and in how many plies, for boards of up to eight columns. Layer 2.
//!
//! One thread, the caller's, or several (`game::split_search`): helpers start and end within [`Solver::solve`].
//!
//! A value counts half the cells that the winner leaves free: a sooner win is higher, below 0 the side to move loses. It refers
//! to the end of the game, so windows go down a line unchanged, and at a node each value is one number of plies (`plies`).
//!
//! ```text
//!  value    -18 ... -1    0    +1 ... +18        the winner's last stone is number 43 - 2 · value (x), 44 - 2 · value (o)
//! ```
//! CITE: P. Pons, "Solving Connect 4: how to build a perfect AI", 2015 (the scale, null windows); J. Tromp, "John's Connect
//! Four Playground" (values of the board sizes).
//!
//! # Examples
//!
//! ```
//! use griot::game::Notation as _;
//! use griot::games::connect4::solver::Solver;
//! use griot::games::connect4::{Notation, Standard, Style};
//! use griot::score::Score;
//!
//! let notation = Notation::new(Standard, Style::Coordinates);
//! let position = notation.parse_position("2o4/2x4/2xox2/o1oxo2/x1xox2/xooxo1x o")?;
//! let mut solver = Solver::new(Standard, 1 << 20)?;
//! let solution = solver.solve(&position, &|_| false, &mut |_| {});
//! assert_eq!(solution.exact(), Some(Score::loss_in(20)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod memory;
mod search;
mod table;

use std::cmp::Reverse;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use super::Board;
use super::exact::Values;
use super::rules::{Position, completions, safe};
use crate::game::Position as _;
use crate::game::split::SplitSearch;
use crate::score::{Meaning, Score};
use memory::{Memory, ThreadMemory};
use search::{Halt, Stopped, Worker};

/// The most columns.
pub const MAX_COLS: u8 = 8;
/// The most cells: their values fit the table's entries.
pub const MAX_CELLS: u32 = 60;

/// The solver first searches whether the side to move wins. After this many nodes it searches whether that side loses,
/// too: most positions that take longer are drawn, and a move that does not lose is found long before it is proven that
/// none wins.
const PATIENCE: u64 = 1 << 17;

/// One thread searches this many nodes before others help.
const ALONE: u64 = 20_000;

/// A value on the solver's scale; see the module.
pub(super) type Value = i32;

/// Why a solver could not be created.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unsolvable {
    /// The system did not give the memory for a table of this size.
    #[error("no memory for a table of {0} bytes")]
    NoMemory(usize),
    /// The board has too many columns or cells, or a single stone is a line.
    #[error("the solver takes up to {MAX_COLS} columns, up to {MAX_CELLS} cells, and lines of two or more")]
    Board,
}

/// The result of a search, final or so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Solution {
    /// A proven lower bound.
    pub lower: Score,
    /// A proven upper bound.
    pub upper: Score,
    /// A line from the position. If the value is exact and the search was not stopped, both sides play best up to the
    /// end of the game; otherwise it is one move that keeps the lower bound. Empty in a finished game.
    pub line: Vec<u8>,
    /// The move being searched when the search was stopped, if a book gives a better lower bound than is proven for any
    /// move: the moves before it do not keep the value.
    pub likely: Option<u8>,
    /// Positions visited.
    pub nodes: u64,
}

impl Solution {
    /// The value, if proven.
    #[must_use]
    pub fn exact(&self) -> Option<Score> {
        (self.lower == self.upper).then_some(self.lower)
    }
}

/// A solver; its memory is kept for later searches.
#[derive(Debug)]
pub struct Solver<B> {
    board: B,
    memory: Memory,
    /// The key of the last position solved, and the nodes spent on it so far.
    asked: (u64, u64),
}

impl<B: Board> Solver<B> {
    /// A solver for this board, with a table of about `bytes` bytes, which is allocated as it fills. On boards of more
    /// than 60 bits the table takes at least some mebibytes.
    ///
    /// # Errors
    /// [`Unsolvable`] when the board is too large, or the system does not give that much memory.
    pub fn new(board: B, bytes: usize) -> Result<Solver<B>, Unsolvable> {
        let parameters = board.parameters();
        if parameters.cols > MAX_COLS || parameters.cells.count_ones() > MAX_CELLS || parameters.k < 2 {
            return Err(Unsolvable::Board);
        }
        let key_bits = u32::from(parameters.cols) * parameters.height();
        let memory = Memory::new(bytes, key_bits).ok_or(Unsolvable::NoMemory(bytes))?;
        Ok(Solver { board, memory, asked: (0, 0) })
    }

    /// Its board.
    pub(super) fn board(&self) -> &B {
        &self.board
    }

    /// Uses this many threads from now on, or as many as the system can start; at least the caller's.
    pub fn set_threads(&mut self, threads: usize) {
        self.memory.share_among(threads);
    }

    /// Clears all results of earlier positions. Touches all of the table's memory.
    pub fn clear(&mut self) {
        self.memory.clear();
        self.asked = (0, 0);
    }

    /// Solves a position: who wins first, then how soon.
    ///
    /// Each thread calls `stop` every few thousand nodes with their number. The search ends once it returns `true`,
    /// which it must then keep returning; the result holds what was proven by then. `news` is called for each narrower
    /// range. With a new or cleared table and one thread, the same position takes the same number of nodes. A finished
    /// game gets its value, without a line.
    pub fn solve(&mut self, position: &Position<B>, stop: &Halt<'_>, news: &mut dyn FnMut(&Solution)) -> Solution {
        self.solve_by(None, position, stop, news)
    }

    /// [`Solver::solve`], with a book of this board.
    pub(super) fn solve_by(
        &mut self,
        book: Option<&Values>,
        position: &Position<B>,
        stop: &Halt<'_>,
        news: &mut dyn FnMut(&Solution),
    ) -> Solution {
        if self.asked.0 != position.key() {
            self.asked = (position.key(), 0);
        }
        if let Some(outcome) = position.outcome() {
            let score = outcome.score_for(position.side_to_move());
            return Solution { lower: score, upper: score, line: Vec::new(), likely: None, nodes: 0 };
        }
        let (board, split_search) = (self.board, SplitSearch::default());
        // Positions visited by the helpers.
        let helped = AtomicU64::new(0);
        let (own, others) = self.memory.of_threads();
        let run_with = |memory| {
            let mut run = Run::new(board, memory, position, stop);
            run.worker = run.worker.with_book(book);
            run
        };
        let mut run = run_with(own);
        run.patience = PATIENCE.saturating_sub(self.asked.1);
        // A lower bound is reported with a move that guarantees it, and a book has no moves.
        if let Some((lower, upper)) = run.worker.in_book(run.mine, run.mask, run.free) {
            (run.known, run.upper) = (lower, upper);
        }
        run.most = if others.is_empty() { u64::MAX } else { ALONE };
        // If the search stops, what is proven stays valid, and the unfinished line is still a line.
        if run.solve_with_line(news).is_err() && run.worker.nodes >= run.most {
            (run.most, run.likely) = (u64::MAX, None);
            let _: Result<(), Stopped> = thread::scope(|scope| {
                let _dismissal = split_search.dismissal();
                for memory in others {
                    let (mut helper, split_search, helped) = (run_with(memory).worker, &split_search, &helped);
                    helper.split_search = Some(split_search);
                    let started = thread::Builder::new().name("solver's helper".into());
                    let help = move || {
                        split_search.help(&mut helper);
                        helped.fetch_add(helper.nodes, Ordering::Relaxed);
                    };
                    if started.spawn_scoped(scope, help).is_ok() {
                        run.worker.split_search = Some(split_search);
                    }
                }
                run.solve_with_line(news)
            });
        }
        self.asked.1 += run.worker.nodes;
        let solution = run.solution();
        Solution { nodes: solution.nodes + helped.into_inner(), ..solution }
    }

    /// The value of a position in which the game goes on, without a line; `None` if stopped. `stop` as for
    /// [`Solver::solve`].
    pub fn value(&mut self, position: &Position<B>, stop: &Halt<'_>) -> Option<Score> {
        self.value_within(None, None, position, stop)
    }

    /// [`Solver::value`], with a book of this board, and for a value known to lie between two others.
    pub(super) fn value_within(
        &mut self,
        book: Option<&Values>,
        known: Option<(Value, Value)>,
        position: &Position<B>,
        stop: &Halt<'_>,
    ) -> Option<Score> {
        let mut run = Run::new(self.board, self.memory.of_one(), position, stop);
        run.worker = run.worker.with_book(book);
        if let Some((lower, upper)) = known {
            (run.lower, run.upper) = (run.lower.max(lower), run.upper.min(upper));
        }
        run.solve(&mut |_| {}).ok()?;
        run.solution().exact()
    }

    /// The winner of a position in which the game goes on: 1 for the side to move, -1 for its opponent, 0 for a draw;
    /// `None` if stopped. `stop` as for [`Solver::solve`].
    pub(super) fn winner(&mut self, position: &Position<B>, stop: &Halt<'_>) -> Option<Value> {
        let mut run = Run::new(self.board, self.memory.of_one(), position, stop);
        let mut order = run.order(run.mine, run.mask);
        for alpha in [0, -1] {
            if run.lower <= alpha && alpha < run.upper {
                run.ask(alpha, &mut order, &mut |_| {}).ok()?;
            }
        }
        Some(if run.upper < 0 { -1 } else { run.lower.signum() })
    }
}

/// The plies to the end of the game for a value with this many free cells; the side to move wins above 0. `None` for a
/// draw.
#[must_use]
fn plies(value: Value, free: u32) -> Option<u32> {
    // The winner makes the last move: an odd number of plies for the winner to move, an even one for the loser.
    let late = free + 2 - 2 * value.unsigned_abs();
    match value.signum() {
        0 => None,
        sign => Some(if (late % 2 == 1) == (sign > 0) { late } else { late - 1 }),
    }
}

/// The value of a score for the side to move with this many free cells.
pub(super) fn value(score: Score, free: u32) -> Value {
    let worth = |plies: u32| (free + 2).saturating_sub(plies) as Value / 2;
    match score.meaning() {
        Meaning::Win(plies) => worth(plies),
        Meaning::Loss(plies) => -worth(plies),
        Meaning::KnownWin(_) | Meaning::KnownLoss(_) | Meaning::Units(_) => 0,
    }
}

/// The score of a value for the side to move with this many free cells.
pub(super) fn score(value: Value, free: u32) -> Score {
    match plies(value, free) {
        None => Score::DRAW,
        Some(plies) if value > 0 => Score::win_in(plies),
        Some(plies) => Score::loss_in(plies),
    }
}

/// A running search. Stones are those of the side to move.
struct Run<'a, B> {
    worker: Worker<'a, B>,
    board: B,
    mine: u64,
    mask: u64,
    free: u32,
    lower: Value,
    upper: Value,
    /// A lower bound from a book.
    known: Value,
    line: Vec<u8>,
    likely: Option<u8>,
    /// The move searched last.
    at: u64,
    /// The rest of [`PATIENCE`].
    patience: u64,
    /// The search stops after this many nodes of this thread.
    most: u64,
}

impl<'a, B: Board> Run<'a, B> {
    fn new(board: B, memory: ThreadMemory<'a>, position: &Position<B>, stop: &'a Halt<'a>) -> Run<'a, B> {
        let side = position.side_to_move();
        let mine = position.stones(side);
        let free = position.free().count_ones();
        let left = free as Value;
        Run {
            worker: Worker::new(board, memory, stop),
            board,
            mine,
            mask: mine | position.stones(side.other()),
            free,
            lower: -left / 2,
            upper: (left + 1) / 2,
            known: -left / 2,
            line: Vec::new(),
            likely: None,
            at: 0,
            patience: PATIENCE,
            most: u64::MAX,
        }
    }

    fn solution(&self) -> Solution {
        Solution {
            lower: score(self.lower, self.free),
            upper: score(self.upper, self.free),
            line: self.line.clone(),
            likely: self.likely,
            nodes: self.worker.nodes,
        }
    }

    /// Finds the value, and a line of best moves.
    fn solve_with_line(&mut self, news: &mut dyn FnMut(&Solution)) -> Result<(), Stopped> {
        self.solve(news).and_then(|order| self.best_line(order))
    }

    /// Finds the value; returns the moves, the best one first.
    fn solve(&mut self, news: &mut dyn FnMut(&Solution)) -> Result<Vec<u64>, Stopped> {
        let mut order = self.order(self.mine, self.mask);
        match self.line.first() {
            // Continue with the best move so far.
            Some(&mv) => order.sort_by_key(|&cell| cell != 1 << mv),
            None => self.line = order.iter().take(1).map(|cell| cell.trailing_zeros() as u8).collect(),
        }
        self.worker.limit = self.most;
        // In a position known to be won, a move that does not lose is no news.
        if self.lower < 0 && self.upper > 0 && self.known <= 0 {
            self.worker.limit = self.patience.min(self.most);
            let asked = self.ask(0, &mut order, news);
            let is_impatient = self.worker.nodes >= self.patience;
            self.worker.limit = self.most;
            match asked {
                Err(Stopped) if is_impatient => self.ask(-1, &mut order, news)?,
                asked => asked?,
            }
        }
        // Move away from a draw step by step; fail-soft results make the steps long.
        while self.lower < self.upper {
            let alpha = match (self.lower, self.upper) {
                (lower @ 0.., _) => lower,
                (_, 1..) => 0,
                (_, upper) => upper - 1,
            };
            self.ask(alpha, &mut order, news)?;
        }
        Ok(order)
    }

    /// Finds out whether the value is above `alpha`, reports the new bounds, and moves the move that proves it to the
    /// front.
    fn ask(&mut self, alpha: Value, order: &mut [u64], news: &mut dyn FnMut(&Solution)) -> Result<(), Stopped> {
        let looked = self.look(alpha, order);
        if looked.is_err() && alpha < self.known {
            self.likely = Some(self.at.trailing_zeros() as u8);
        }
        match looked? {
            (value, Some(cell)) => {
                let place = order.iter().position(|&other| other == cell).unwrap_or_default();
                order[..=place].rotate_right(1);
                self.lower = value.min(self.upper);
                self.line = vec![order[0].trailing_zeros() as u8];
            }
            (value, None) => self.upper = value.max(self.lower),
        }
        news(&self.solution());
        Ok(())
    }

    /// Searches for a move with a value above `alpha`; returns its value and the move, or the best value without a
    /// move.
    fn look(&mut self, alpha: Value, order: &[u64]) -> Result<(Value, Option<u64>), Stopped> {
        let mut best = -(self.free as Value) / 2;
        for &cell in order {
            self.at = cell;
            let value = self.value_of(self.mine, self.mask, cell, alpha)?;
            if value > alpha {
                return Ok((value, Some(cell)));
            }
            best = best.max(value);
        }
        Ok((best, None))
    }

    /// A line of best moves to the end of the game, from the root, whose value and move order are known.
    fn best_line(&mut self, mut order: Vec<u64>) -> Result<(), Stopped> {
        let (mut mine, mut mask, mut value) = (self.mine, self.mask, self.lower);
        let mut line = Vec::new();
        loop {
            // Some move keeps the value, so the last one needs no proof.
            let mut cell = order.pop().unwrap_or_default();
            for other in order {
                if self.value_of(mine, mask, other, value - 1)? >= value {
                    cell = other;
                    break;
                }
            }
            line.push(cell.trailing_zeros() as u8);
            if line.len() > self.line.len() {
                self.line.clone_from(&line);
            }
            let parameters = self.board.parameters();
            let is_won = completions(parameters, mine) & cell != 0;
            (mine, mask, value) = (mask ^ mine, mask | cell, -value);
            if is_won || mask == parameters.cells {
                self.line = line;
                return Ok(());
            }
            order = self.order(mine, mask);
        }
    }

    /// The moves to search, as cells: immediate wins, if any; else moves that do not lose at once, the table's first,
    /// then those that leave more threats; else blocks of the opponent's lines; else all.
    fn order(&self, mine: u64, mask: u64) -> Vec<u64> {
        let parameters = self.board.parameters();
        let playable = (mask + parameters.bottom) & parameters.cells;
        let wins = completions(parameters, mine) & playable;
        let threats = completions(parameters, mask ^ mine) & !mask;
        let moves = [wins, safe(playable, threats), playable & threats, playable];
        let moves = moves.into_iter().find(|&moves| moves != 0).unwrap_or_default();
        let mut order: Vec<u64> = parameters.columns().map(|column| column & moves).filter(|&cell| cell != 0).collect();
        let first = self.worker.best_column(mine, mask);
        order.sort_by_key(|&cell| {
            let threats = (completions(parameters, mine | cell) & !mask & !cell).count_ones();
            Reverse((cell & first != 0, threats))
        });
        order
    }

    /// A bound on the value of playing `cell` that decides whether it is above `alpha`.
    fn value_of(&mut self, mine: u64, mask: u64, cell: u64, alpha: Value) -> Result<Value, Stopped> {
        let parameters = self.board.parameters();
        let (theirs, taken) = (mask ^ mine, mask | cell);
        let free = (parameters.cells & !taken).count_ones();
        if completions(parameters, mine) & cell != 0 {
            return Ok((free as Value + 2) / 2);
        }
        let playable = (taken + parameters.bottom) & parameters.cells;
        if completions(parameters, theirs) & playable != 0 {
            return Ok(-(free as Value + 1) / 2);
        }
        let threats = completions(parameters, mine | cell) & !taken;
        Ok(-self.worker.search(theirs, taken, free, threats, -alpha - 1)?)
    }
}

#[cfg(test)]
mod tests {
    use super::super::brute_force::{self, Known};
    use super::super::{Parameters, Standard, parse_parameters};
    use super::*;
    use crate::game::{SplitMix64, worth_of_line};
    use griot_testing::{Cases, full_run, sample};
    use std::sync::atomic::{AtomicU64, Ordering};

    /// Solves a position and plays its line to the end.
    fn solved<B: Board>(solver: &mut Solver<B>, position: &Position<B>) -> (Score, u64) {
        let solution = solver.solve(position, &|_| false, &mut |_| {});
        let score = solution.exact().unwrap();
        assert_eq!(worth_of_line(position, &solution.line), score, "{position:?} {:?}", solution.line);
        (score, solution.nodes)
    }

    #[test]
    fn values_are_those_of_minimax_on_boards_of_many_shapes() {
        let Cases { seed, rounds } = sample(11, 60, 6);
        let mut rng = SplitMix64::new(seed);
        let mut results = [0; 3];
        for (name, free) in [
            ("connect4", 14),
            ("connect4:5,4,4", 20),
            ("connect4:4,4,4", 16),
            ("connect4:4,5,3", 16),
            ("connect4:5,4,3", 16),
            ("connect4:8,2,3", 12),
            ("connect4:3,6,3", 18),
            ("connect4:2,8,2", 16),
            ("connect4:1,7,4", 7),
            ("connect4:6,3,5", 14),
            ("connect4:8,7,4", 11),
            ("connect4:7,8,5", 11),
            ("connect4:6,7,4", 12),
        ] {
            let board = parse_parameters(name).unwrap();
            // A table this small forgets most of its entries.
            let mut solver = Solver::new(board, 1 << 12).unwrap();
            let mut known = Known::new();
            for _ in 0..rounds {
                let mut position = Position::start(board);
                let mut moves = Vec::new();
                while position.outcome().is_none() {
                    if position.free().count_ones() <= free {
                        let value = brute_force::value(&position, &mut known);
                        assert_eq!(solved(&mut solver, &position).0, value, "{name} {position:?}");
                        results[(value.cmp(&Score::DRAW) as i8 + 1) as usize] += 1;
                    }
                    moves.clear();
                    position.generate(&mut moves);
                    position.play(moves[rng.below(moves.len())]);
                }
            }
        }
        assert!(!full_run() || results.iter().all(|&times| times > 300), "{results:?}");
    }

    #[test]
    fn small_boards_have_the_values_of_the_literature() {
        // CITE: J. Tromp, "John's Connect Four Playground" (who wins); C. Steininger, `ChristopheSteininger/c4` (in how many plies).
        let of = |cols: u8, rows: u8| {
            let board = Parameters::new(cols, rows, 4).unwrap();
            solved(&mut Solver::new(board, 1 << 24).unwrap(), &Position::start(board)).0
        };
        for (cols, rows) in [(4, 4), (4, 5), (4, 6), (5, 4), (5, 5), (7, 4)] {
            assert_eq!(of(cols, rows), Score::DRAW, "{cols}x{rows}");
        }
        assert_eq!(of(6, 4), Score::loss_in(24));
    }

    #[test]
    fn a_value_means_one_number_of_plies() {
        for free in 1..=MAX_CELLS {
            let mut told = Vec::new();
            for value in -(free as Value) / 2..=(free as Value + 1) / 2 {
                if let Some(plies) = plies(value, free) {
                    assert!(plies <= free && (plies % 2 == 1) == (value > 0), "{value} of {free}: {plies}");
                    told.push(score(value, free));
                }
            }
            assert!(told.is_sorted() && told.windows(2).all(|two| two[0] != two[1]));
            assert_eq!(told.len() as u32, free);
            assert!(told.iter().all(|&told| score(value(told, free), free) == told));
        }
    }

    #[test]
    fn one_thread_finds_the_same_in_the_same_number_of_nodes_and_stops_when_told() {
        let mut position = Position::start(Standard);
        for column in [3, 3, 3, 3, 3, 1, 1, 5, 5, 2, 2, 4, 4] {
            position.play(position.landing(column).unwrap());
        }
        let mut solver = Solver::new(Standard, 1 << 20).unwrap();
        let first = solved(&mut solver, &position);
        solver.clear();
        assert_eq!(solved(&mut solver, &position), first);
        assert!(solved(&mut solver, &position).1 < first.1, "the table remembers");
        let asked = AtomicU64::new(0);
        let halt = |nodes| {
            asked.fetch_add(nodes, Ordering::Relaxed);
            true
        };
        let stopped = Solver::new(Standard, 1 << 20).unwrap().solve(&position, &halt, &mut |_| {});
        assert!(stopped.nodes < 10_000 && (1..=stopped.nodes).contains(&asked.into_inner()));
        assert!(stopped.lower <= first.0 && first.0 <= stopped.upper);
    }

    /// Positions after this many plies that are not yet won.
    fn after(plies: u32, rng: &mut SplitMix64) -> Position<Standard> {
        loop {
            let mut position = Position::start(Standard);
            let mut moves = Vec::new();
            while position.outcome().is_none() && 42 - position.free().count_ones() < plies {
                moves.clear();
                position.generate(&mut moves);
                position.play(moves[rng.below(moves.len())]);
            }
            if position.outcome().is_none() {
                return position;
            }
        }
    }

    #[test]
    fn any_number_of_threads_comes_to_the_same_value() {
        let mut rng = SplitMix64::new(17);
        for plies in [10, 12, 14, 14, 16, 18, 24] {
            let position = after(plies, &mut rng);
            let value = solved(&mut Solver::new(Standard, 1 << 22).unwrap(), &position).0;
            for threads in [2, 3, 5] {
                let mut solver = Solver::new(Standard, 1 << 22).unwrap();
                solver.set_threads(threads);
                assert_eq!(solved(&mut solver, &position).0, value, "{threads} threads: {position:?}");
                solver.clear();
                solver.set_threads(1);
                assert_eq!(solved(&mut solver, &position).0, value, "{position:?}");
            }
        }
    }

    #[test]
    fn threads_that_are_stopped_have_told_what_is_true() {
        let mut rng = SplitMix64::new(23);
        let mut is_open = 0;
        for nodes in [1, 10_000, 30_000, 100_000, 300_000].repeat(3) {
            let position = after(11, &mut rng);
            let value = solved(&mut Solver::new(Standard, 1 << 22).unwrap(), &position).0;
            let mut solver = Solver::new(Standard, 1 << 22).unwrap();
            solver.set_threads(3);
            let looked_at = AtomicU64::new(0);
            let stop = |more| looked_at.fetch_add(more, Ordering::Relaxed) + more >= nodes;
            let check =
                |found: &Solution| assert!(found.lower <= value && value <= found.upper, "{position:?}: {found:?}");
            let solution = solver.solve(&position, &stop, &mut |found| check(found));
            check(&solution);
            is_open += usize::from(solution.exact().is_none());
        }
        assert!(is_open > 3, "{is_open}");
    }

    #[test]
    fn boards_that_are_too_large_are_refused() {
        for name in ["connect4:9,6,4", "connect4:1,63,4", "connect4:4,4,1"] {
            assert_eq!(Solver::new(parse_parameters(name).unwrap(), 1000).unwrap_err(), Unsolvable::Board);
        }
    }
}
