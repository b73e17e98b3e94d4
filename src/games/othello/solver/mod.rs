//! The exact solver of endings: by how many discs a position is won with best play.
//!
//! Layer 2. Independent of the rest of Othello: boards are pairs of `u64`, bit 0 is a1, bit 7 h1, bit 63 h8, and 64 is a pass.
//! Values are final disc differences for the side to move, from -64 to 64; as federations count, the empty cells of a finished
//! game go to the winner. Threads start and end within [`Solver::solve`].
//!
//! ```text
//!   empty cells   who searches
//!        .. 4     last.rs     cell by cell, the odd quadrants first
//!     5  .. 7     shallow.rs  by parity, then by fewest replies; nothing stored
//!     8  ..       search.rs   PVS with a table of its own (table.rs), enhanced transposition cutoffs, stable discs; moves in
//!                             the order of a shallow search (guess.rs) with the evaluation by patterns
//!    14  ..                   moves after the first are shared among the threads (`game::split_search`)
//! ```
//!
//! All of that is compiled twice, for any processor and for AVX2: see processor.rs.
//!
//! # Examples
//!
//! ```
//! use griot::games::othello::solver::{Solver, Task};
//!
//! // FFO position 20, six empty cells.
//! let board = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO-";
//! let bits = |disc| board.bytes().enumerate().filter(|&(_, byte)| byte == disc).map(|(at, _)| 1_u64 << at).sum();
//! let mut solver = Solver::new(1 << 20, 1)?;
//! let solution = solver.solve(&Task::new(bits(b'X'), bits(b'O')), &|_| false, &mut |_| {});
//! assert_eq!(solution.exact(), Some(6));
//! # Ok::<(), griot::games::othello::solver::NoMemory>(())
//! ```

mod guess;
mod last;
mod processor;
mod search;
mod shallow;
mod table;

use std::cmp::Ordering;

pub use guess::Guesser;

use super::flips::flips;
use super::patterns::{DISC, Patterns};
use crate::game::split::SplitSearch;
use last::Last;
#[cfg(target_arch = "x86_64")]
use processor::Avx2;
use processor::{Portable, Processor};
use search::{Level, NEAR_BYTES, Stopped, Worker};
pub(super) use shallow::SHALLOW;
use table::Table;

/// The corners of the board.
const CORNERS: u64 = 0x8100_0000_0000_0081;
/// The pass, in a line.
const PASS: u8 = 64;

/// With fewer empty cells no likely values are reported: a proof takes milliseconds.
const SELECTIVE: u32 = 15;
/// The selective searches before the exact one: confidence in percent, and the corresponding standard deviations.
const LEVELS: [(u8, f32); 3] = [(73, 1.1), (95, 2.0), (99, 2.6)];
/// The depth of the first guess, in plies.
const FIRST_GUESS: u32 = 6;

/// The system did not give the memory for a table of this size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no memory for a table of {bytes} bytes")]
pub struct NoMemory {
    /// The size asked for.
    pub bytes: usize,
}

/// A position to solve.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Task {
    /// The discs of the side to move.
    pub own: u64,
    /// The discs of the other side.
    pub opponent: u64,
    /// Values at or below this are not distinguished. At least -65.
    pub alpha: i32,
    /// Values at or above this are not distinguished. At most 65, and greater than `alpha`.
    pub beta: i32,
    /// Whether to find the winner before the margin. Costs a few percent more nodes in all.
    pub outcome_first: bool,
    /// Whether to run selective searches first: they report likely values early, and order the moves for the exact
    /// search.
    pub selective: bool,
}

impl Task {
    /// A task for the exact value of a position, the outcome first.
    ///
    /// # Panics
    /// When the two sides share a cell.
    #[must_use]
    pub fn new(own: u64, opponent: u64) -> Task {
        assert!(own & opponent == 0, "a cell holds one disc");
        Task { own, opponent, alpha: -65, beta: 65, outcome_first: true, selective: true }
    }

    /// The same, only for whether the side to move wins, draws or loses.
    #[must_use]
    pub fn outcome(self) -> Task {
        Task { alpha: -1, beta: 1, ..self }
    }
}

/// A value found by a selective search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Likely {
    /// The final disc difference.
    pub score: i32,
    /// The confidence of each selective decision, in percent; below 100.
    pub percent: u8,
}

/// The result of a search, final or so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Solution {
    /// A proven lower bound.
    pub lower: i32,
    /// A proven upper bound.
    pub upper: i32,
    /// The result of the last selective search.
    pub likely: Option<Likely>,
    /// A line from the position. If the value is exact and the task complete, both sides play best up to the end of the
    /// game; otherwise it comes from the table, and its first move is the best so far.
    pub line: Vec<u8>,
    /// Positions reached by a disc or a pass in exact, selective and move-ordering searches. While the search runs,
    /// only those of the main thread.
    pub nodes: u64,
    /// Those of them without an empty cell.
    pub full: u64,
    /// Those of them in shallow searches with an evaluation.
    pub guessed: u64,
    /// Whether the task is done and the search was not stopped.
    pub complete: bool,
}

impl Solution {
    /// The final disc difference, if proven.
    #[must_use]
    pub fn exact(&self) -> Option<i32> {
        (self.lower == self.upper).then_some(self.lower)
    }

    /// The winner, if proven: `Greater` for the side to move.
    #[must_use]
    pub fn outcome(&self) -> Option<Ordering> {
        match (self.lower, self.upper) {
            (1.., _) => Some(Ordering::Greater),
            (_, ..=-1) => Some(Ordering::Less),
            (0, 0) => Some(Ordering::Equal),
            _ => None,
        }
    }
}

/// A solver: a table, kept for later searches, and a number of threads.
#[derive(Debug)]
pub struct Solver<'p> {
    table: Table,
    /// A small table for each thread.
    near: Box<[Table]>,
    patterns: &'p Patterns,
}

impl Solver<'static> {
    /// A solver with a table of about `bytes` bytes (at least a few hundred), allocated as it fills, and this many
    /// threads (at least one).
    ///
    /// # Errors
    /// [`NoMemory`] when the system does not give the memory.
    pub fn new(bytes: usize, threads: usize) -> Result<Solver<'static>, NoMemory> {
        Solver::with(bytes, threads, Patterns::fitted())
    }
}

impl<'p> Solver<'p> {
    /// The same with other weights for move ordering.
    ///
    /// # Errors
    /// [`NoMemory`] when the system does not give the memory.
    pub fn with(bytes: usize, threads: usize, patterns: &'p Patterns) -> Result<Solver<'p>, NoMemory> {
        let table = |bytes| Table::new(bytes).ok_or(NoMemory { bytes });
        let near = (0..threads.max(1)).map(|_| table(NEAR_BYTES)).collect::<Result<_, _>>()?;
        Ok(Solver { table: table(bytes)?, near, patterns })
    }

    /// Clears all results of earlier positions. Touches all of the table's memory.
    pub fn clear(&mut self) {
        self.table.clear();
        self.near.iter().for_each(Table::clear);
    }

    /// Solves a position.
    ///
    /// Each thread calls `stop` every few thousand nodes. The search ends when it returns `true`; the result holds what
    /// was proven by then. `news` is called for each step: a selective search, the winner, a narrower range. With one
    /// thread and a new or cleared table, the result and the number of nodes are always the same.
    pub fn solve(
        &mut self,
        task: &Task,
        stop: &(dyn Fn(u64) -> bool + Sync),
        news: &mut dyn FnMut(&Solution),
    ) -> Solution {
        #[cfg(target_arch = "x86_64")]
        if let Some(processor) = Avx2::detected() {
            return self.solve_on(processor, task, stop, news);
        }
        self.solve_on(Portable, task, stop, news)
    }

    /// The same, compiled for a kind of processor.
    fn solve_on(
        &mut self,
        processor: impl Processor,
        task: &Task,
        stop: &(dyn Fn(u64) -> bool + Sync),
        news: &mut dyn FnMut(&Solution),
    ) -> Solution {
        self.table.renew();
        self.near.iter().for_each(Table::renew);
        let split_search = SplitSearch::default();
        let mut run = Run {
            task,
            empty: (!(task.own | task.opponent)).count_ones(),
            worker: Worker::new(processor, [&self.table, &self.near[0]], self.patterns, &split_search, stop),
            solution: Solution {
                lower: -64,
                upper: 64,
                likely: None,
                line: Vec::new(),
                nodes: 0,
                full: 0,
                guessed: 0,
                complete: false,
            },
            news,
        };
        std::thread::scope(|scope| {
            let _dismissal = split_search.dismissal();
            let helpers: Vec<_> = self.near[1..]
                .iter()
                .map(|near| {
                    let (table, patterns, split_search) = (&self.table, self.patterns, &split_search);
                    scope.spawn(move || {
                        let mut worker = Worker::new(processor, [table, near], patterns, split_search, stop);
                        split_search.help(&mut worker);
                        worker.counts()
                    })
                })
                .collect();
            run.solution.complete = run.solve().is_ok();
            split_search.dismiss();
            run.count();
            for helper in helpers {
                if let Ok([nodes, full, guessed]) = helper.join() {
                    run.solution.nodes += nodes;
                    run.solution.full += full;
                    run.solution.guessed += guessed;
                }
            }
        });
        run.solution
    }
}

/// The value of a position with at most [`SHALLOW`] empty cells, within a window; fail-soft.
pub(super) fn between(own: u64, opponent: u64, alpha: i32, beta: i32) -> i32 {
    #[cfg(target_arch = "x86_64")]
    if let Some(processor) = Avx2::detected() {
        return Last::new(processor).between(own, opponent, alpha, beta);
    }
    Last::new(Portable).between(own, opponent, alpha, beta)
}

/// A running search, on the main thread.
struct Run<'a, P> {
    task: &'a Task,
    empty: u32,
    worker: Worker<'a, P>,
    solution: Solution,
    news: &'a mut dyn FnMut(&Solution),
}

impl<P: Processor> Run<'_, P> {
    fn solve(&mut self) -> Result<(), Stopped> {
        let &Task { own, opponent, alpha, beta, outcome_first, selective } = self.task;
        // Clamp bounds to possible values.
        let (alpha, beta) = (alpha.clamp(-65, 64), beta.clamp(alpha.clamp(-65, 64) + 1, 65));
        let mut estimate = 0;
        if selective && self.empty >= SELECTIVE {
            let far = 65 * DISC;
            estimate = even(self.worker.guesser.search(own, opponent, FIRST_GUESS, -far, far) / DISC);
            for (rank, (percent, deviations)) in (1..).zip(LEVELS) {
                self.worker.level = Level { rank, deviations };
                let score = self.search(alpha, beta, estimate, false)?;
                // Pruning gives bounds, which may be odd; final differences are even.
                estimate = even(score);
                self.solution.likely = Some(Likely { score: estimate, percent });
                self.tell();
            }
        }
        self.worker.level = Level::EXACT;
        if outcome_first && alpha < 0 && beta > 0 {
            self.search(alpha.max(-1), beta.min(1), 0, true)?;
        }
        let Solution { lower, upper, .. } = self.solution;
        if lower < upper && lower < beta && upper > alpha {
            self.search(alpha.max(lower - 1), beta.min(upper + 1), estimate, true)?;
        }
        if let Some(value) = self.solution.exact() {
            self.solution.line = self.best_line(value)?;
        }
        Ok(())
    }

    /// The value within a window, searched around an estimate first. Values that are `proven` are reported at once.
    fn search(&mut self, alpha: i32, beta: i32, estimate: i32, proven: bool) -> Result<i32, Stopped> {
        let &Task { own, opponent, .. } = self.task;
        let mut low = (estimate - 1).clamp(alpha, beta - 1);
        let mut high = (estimate + 1).clamp(low + 1, beta);
        let mut step = 2;
        loop {
            let value = self.worker.search(own, opponent, low, high, self.empty)?;
            if proven {
                if value > low {
                    self.solution.lower = self.solution.lower.max(value);
                }
                if value < high {
                    self.solution.upper = self.solution.upper.min(value);
                }
                self.tell();
            }
            if value <= low && low > alpha {
                (low, high) = ((value - step).max(alpha), value + 1);
            } else if value >= high && high < beta {
                (low, high) = (value - 1, (value + step).min(beta));
            } else {
                return Ok(value);
            }
            step *= 2;
        }
    }

    /// Updates the counts of positions.
    fn count(&mut self) {
        [self.solution.nodes, self.solution.full, self.solution.guessed] = self.worker.counts();
    }

    fn tell(&mut self) {
        self.count();
        self.solution.line = self.table_line();
        (self.news)(&self.solution);
    }

    /// The best moves stored in the table.
    fn table_line(&self) -> Vec<u8> {
        let &Task { mut own, mut opponent, .. } = self.task;
        let mut line = Vec::new();
        loop {
            if moves(own, opponent) == 0 && moves(opponent, own) != 0 {
                line.push(PASS);
                (own, opponent) = (opponent, own);
            }
            let Some(cell) = self.worker.known(own, opponent).filter(|&cell| moves(own, opponent) >> cell & 1 != 0)
            else {
                return line;
            };
            line.push(cell);
            (own, opponent) = played(own, opponent, cell);
        }
    }

    /// A line of best moves to the end of the game, from the root, which has this value.
    fn best_line(&mut self, mut value: i32) -> Result<Vec<u8>, Stopped> {
        let &Task { mut own, mut opponent, .. } = self.task;
        let mut empty = self.empty;
        let mut line = Vec::new();
        loop {
            let mut cells = moves(own, opponent);
            if cells == 0 {
                if moves(opponent, own) == 0 {
                    return Ok(line);
                }
                line.push(PASS);
                (own, opponent, value) = (opponent, own, -value);
                continue;
            }
            let mut first = self.worker.known(own, opponent).map_or(0, |cell| cells & 1 << cell);
            loop {
                let next = if first != 0 { first } else { cells & cells.wrapping_neg() };
                (first, cells) = (0, cells ^ next);
                let cell = next.trailing_zeros() as u8;
                let (mine, theirs) = played(own, opponent, cell);
                // Some move keeps the value, so the last one needs no proof.
                if cells == 0 || self.worker.search(mine, theirs, -value, 1 - value, empty - 1)? <= -value {
                    line.push(cell);
                    (own, opponent, value, empty) = (mine, theirs, -value, empty - 1);
                    break;
                }
            }
        }
    }
}

/// The cells on which the side with `own` discs can play.
#[must_use]
#[inline]
pub fn moves(own: u64, opponent: u64) -> u64 {
    super::flips::moves(own, opponent)
}

/// The discs of the next side to move and of the other, after a disc on `cell`, which is one of the [`moves`].
#[must_use]
#[inline]
pub fn played(own: u64, opponent: u64, cell: u8) -> (u64, u64) {
    let turned = flips(cell, own, opponent);
    (opponent ^ turned, own | turned | 1 << cell)
}

/// The nearest even number towards zero: final differences are even.
fn even(value: i32) -> i32 {
    value / 2 * 2
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

    use super::*;
    use crate::game::SplitMix64;
    use griot_testing::{Cases, full_run, sample};

    /// The value by plain minimax: all moves, no bounds, nothing stored.
    fn minimax(own: u64, opponent: u64) -> i32 {
        let mut cells = moves(own, opponent);
        if cells == 0 {
            if moves(opponent, own) != 0 {
                return -minimax(opponent, own);
            }
            let (mine, theirs) = (own.count_ones() as i32, opponent.count_ones() as i32);
            let rest = 64 - mine - theirs;
            return match mine.cmp(&theirs) {
                Ordering::Greater => mine - theirs + rest,
                Ordering::Less => mine - theirs - rest,
                Ordering::Equal => 0,
            };
        }
        let mut best = -64;
        while cells != 0 {
            let (next, other) = played(own, opponent, cells.trailing_zeros() as u8);
            cells &= cells - 1;
            best = best.max(-minimax(next, other));
        }
        best
    }

    /// The same between two bounds: moves in the order of cells, nothing stored.
    fn alphabeta(own: u64, opponent: u64, mut alpha: i32, beta: i32) -> i32 {
        let mut cells = moves(own, opponent);
        if cells == 0 {
            return if moves(opponent, own) == 0 {
                minimax(own, opponent)
            } else {
                -alphabeta(opponent, own, -beta, -alpha)
            };
        }
        while cells != 0 && alpha < beta {
            let (next, other) = played(own, opponent, cells.trailing_zeros() as u8);
            cells &= cells - 1;
            alpha = alpha.max(-alphabeta(next, other, -beta, -alpha));
        }
        alpha
    }

    /// Positions of random games in which a side can move, with this many empty cells.
    fn endings(seed: u64, empty: u32, count: usize, mut look: impl FnMut(u64, u64)) {
        let mut rng = SplitMix64::new(seed);
        let mut found = 0;
        while found < count {
            let (mut own, mut opponent) = (1 << 28 | 1 << 35, 1 << 27 | 1 << 36);
            loop {
                let mut cells = moves(own, opponent);
                if (cells | moves(opponent, own)) == 0 {
                    break;
                }
                if (!(own | opponent)).count_ones() == empty {
                    look(own, opponent);
                    found += 1;
                    break;
                }
                if cells == 0 {
                    (own, opponent) = (opponent, own);
                    continue;
                }
                (0..rng.below(cells.count_ones() as usize)).for_each(|_| cells &= cells - 1);
                (own, opponent) = played(own, opponent, cells.trailing_zeros() as u8);
            }
        }
    }

    fn solve(solver: &mut Solver<'_>, task: &Task) -> Solution {
        let solution = solver.solve(task, &|_| false, &mut |_| {});
        assert!(solution.complete && solution.lower <= solution.upper, "{task:?} {solution:?}");
        solution
    }

    /// Plays the line, which must end with the end of the game and have this value.
    fn check_line(mut own: u64, mut opponent: u64, line: &[u8], value: i32) {
        let mut sign = 1;
        for &cell in line {
            if cell == PASS {
                assert!(moves(own, opponent) == 0 && moves(opponent, own) != 0, "a pass that is none: {line:?}");
                (own, opponent) = (opponent, own);
            } else {
                assert!(moves(own, opponent) >> cell & 1 != 0, "{cell} cannot be played: {line:?}");
                (own, opponent) = played(own, opponent, cell);
            }
            sign = -sign;
        }
        assert_eq!(moves(own, opponent) | moves(opponent, own), 0, "the line ends too soon: {line:?}");
        assert_eq!(sign * minimax(own, opponent), value, "{line:?}");
    }

    #[test]
    fn up_to_ten_empty_cells_give_the_value_of_plain_minimax() {
        let mut solver = Solver::new(1 << 20, 1).unwrap();
        let (mut values, mut passes, mut early) = ([0; 3], 0, 0);
        let counts = [60, 100, 100, 200, 200, 200, 200, 300, 200, 60];
        for (empty, count) in (1..).zip(counts) {
            let Cases { seed, rounds } = sample(empty.into(), count, count / if empty > 8 { 20 } else { 4 });
            endings(seed, empty, rounds, |own, opponent| {
                let expected = minimax(own, opponent);
                let solution = solve(&mut solver, &Task::new(own, opponent));
                assert_eq!(solution.exact(), Some(expected), "{own:#x} {opponent:#x}");
                assert_eq!(solution.outcome(), Some(expected.cmp(&0)));
                check_line(own, opponent, &solution.line, expected);
                values[(expected.signum() + 1) as usize] += 1;
                let discs = solution.line.iter().filter(|&&cell| cell != PASS).count();
                passes += solution.line.len() - discs;
                early += usize::from(discs < empty as usize);
            });
        }
        let enough = values.iter().all(|&times| times > 20) && passes > 300 && early > 10;
        assert!(!full_run() || enough, "{values:?} {passes} {early}");
    }

    #[test]
    fn twelve_to_fourteen_empty_cells_give_the_value_of_plain_alphabeta() {
        let mut solver = Solver::new(1 << 20, 1).unwrap();
        for (empty, count, part) in [(12, 30, 3), (13, 8, 1), (14, 4, 0)] {
            let Cases { seed, rounds } = sample(u64::from(empty), count, part);
            endings(seed, empty, rounds, |own, opponent| {
                let expected = alphabeta(own, opponent, -64, 64);
                let solution = solve(&mut solver, &Task::new(own, opponent));
                assert_eq!(solution.exact(), Some(expected), "{own:#x} {opponent:#x}");
                check_line(own, opponent, &solution.line, expected);
            });
        }
    }

    #[test]
    fn a_window_gives_the_value_inside_and_a_bound_outside() {
        let mut rng = SplitMix64::new(4);
        let mut told = [0; 3];
        for empty in [1, 3, 4, 5, 7, 8, 9, 11] {
            endings(40 + u64::from(empty), empty, 60, |own, opponent| {
                let value = solve(&mut Solver::new(1 << 16, 1).unwrap(), &Task::new(own, opponent)).exact().unwrap();
                let mut solver = Solver::new(1 << 16, 1).unwrap();
                for _ in 0..6 {
                    let alpha = value + rng.below(9) as i32 - 6;
                    let beta = alpha + 1 + rng.below(6) as i32;
                    for outcome_first in [false, true] {
                        let solution =
                            solve(&mut solver, &Task { alpha, beta, outcome_first, ..Task::new(own, opponent) });
                        let Solution { lower, upper, .. } = solution;
                        assert!(lower <= value && value <= upper, "{own:#x} {opponent:#x} {alpha} {beta} {solution:?}");
                        if value <= alpha {
                            assert!(upper <= alpha, "{solution:?}");
                            told[0] += 1;
                        } else if value >= beta {
                            assert!(lower >= beta, "{solution:?}");
                            told[1] += 1;
                        } else {
                            assert_eq!((lower, upper), (value, value), "{solution:?}");
                            told[2] += 1;
                        }
                    }
                }
                let outcome = solve(&mut solver, &Task::new(own, opponent).outcome());
                assert_eq!(outcome.outcome(), Some(value.cmp(&0)));
            });
        }
        assert!(told.iter().all(|&times| times > 300), "{told:?}");
    }

    #[test]
    fn a_side_that_cannot_move_passes() {
        // x has a1 to e1, o has f1 and g1: only x can play, at h1.
        let (x, o) = (0x1F, 0x60);
        let solution = solve(&mut Solver::new(1 << 16, 1).unwrap(), &Task::new(o, x));
        assert_eq!(solution.line, [PASS, 7]);
        // All discs are then x's, and so are the empty cells.
        assert_eq!(solution.exact(), Some(-64));
    }

    #[test]
    fn a_game_in_which_nobody_can_move_is_over_and_the_winner_has_the_empty_cells() {
        let mut solver = Solver::new(1 << 16, 1).unwrap();
        for (own, opponent, value) in
            [(3, 0, 64), (0, 3, -64), (1, 1 << 63, 0), (0b111, 1 << 63, 64 - 2), (u64::MAX, 0, 64)]
        {
            let solution = solve(&mut solver, &Task::new(own, opponent));
            assert_eq!((solution.exact(), solution.line), (Some(value), vec![]), "{own:#x} {opponent:#x}");
        }
        assert_eq!(solve(&mut solver, &Task::new(u64::MAX >> 31, !(u64::MAX >> 31))).exact(), Some(2));
    }

    #[test]
    fn whoever_turns_the_last_opposing_disc_has_won_all_the_cells() {
        // Fourteen empty cells; x at h8 turns over the only o.
        let (x, o) = (0x0000_FFFF_FFFF_FFFF | 1 << 61, 1 << 62);
        assert_eq!(moves(x, o), 1 << 63);
        let solution = solve(&mut Solver::new(1 << 16, 1).unwrap(), &Task::new(x, o));
        assert_eq!((solution.exact(), solution.line), (Some(64), vec![63]));
    }

    /// A position that takes millions of nodes: FFO 41.
    const HARD: [u64; 2] = {
        let board = b"-OOOOO----OOOOX--OOOOOO-XXXXXOO--XXOOX--OOXOXX----OXXO---OOO--O-";
        let mut discs = [0; 2];
        let mut cell = 0;
        while cell < 64 {
            match board[cell] {
                b'X' => discs[0] |= 1 << cell,
                b'O' => discs[1] |= 1 << cell,
                _ => {}
            }
            cell += 1;
        }
        discs
    };

    #[test]
    fn stop_ends_the_search_and_leaves_what_was_proven() {
        for (threads, asked) in [(1, 1), (1, 20), (2, 50), (3, 100)] {
            let mut solver = Solver::new(1 << 20, threads).unwrap();
            let times = AtomicU32::new(0);
            let stop = |_| times.fetch_add(1, Relaxed) >= asked;
            let solution = solver.solve(&Task::new(HARD[0], HARD[1]), &stop, &mut |_| {});
            assert!(!solution.complete && solution.lower <= 0 && solution.upper >= 0, "{solution:?}");
            // Between two calls a thread searches a few thousand nodes and their shallow searches.
            assert!(solution.nodes < (u64::from(asked) + 4 * threads as u64) * 60_000, "{solution:?}");
        }
    }

    #[test]
    fn news_goes_from_likely_to_proven_and_only_gets_narrower() {
        // In the third of them a selective search ends with the bound 1.
        endings(7, 16, 4, |own, opponent| {
            let mut solver = Solver::new(1 << 20, 1).unwrap();
            let mut heard: Vec<Solution> = Vec::new();
            let solution = solver.solve(&Task::new(own, opponent), &|_| false, &mut |news| heard.push(news.clone()));
            let open = heard.iter().take_while(|news| (news.lower, news.upper) == (-64, 64));
            let likely: Vec<u8> = open.filter_map(|news| news.likely).map(|likely| likely.percent).collect();
            assert_eq!(likely, [73, 95, 99], "{heard:?}");
            let can_be = |likely: Likely| likely.score % 2 == 0;
            assert!(heard.iter().filter_map(|news| news.likely).all(can_be), "no game ends so: {heard:?}");
            for pair in heard.windows(2) {
                assert!(
                    pair[0].lower <= pair[1].lower && pair[0].upper >= pair[1].upper && pair[0].nodes <= pair[1].nodes
                );
            }
            let value = solution.exact().unwrap();
            // The winner is found by a search between -1 and 1, before any other range.
            let settled = heard.iter().find(|news| (news.lower, news.upper) != (-64, 64)).unwrap();
            assert_eq!(settled.outcome(), Some(value.cmp(&0)));
            assert!(heard.iter().all(|news| news.lower <= value && value <= news.upper));
            let can_be_played = |cell: u8| cell == PASS || moves(own, opponent) >> cell & 1 != 0;
            assert!(heard.iter().all(|news| news.line.first().is_some_and(|&cell| can_be_played(cell))), "{heard:?}");
        });
    }

    #[test]
    fn the_fitted_patterns_come_nearer_than_counting_does() {
        let patterns = Patterns::fitted();
        let mut solver = Solver::new(1 << 20, 1).unwrap();
        let (mut by_patterns, mut by_count) = (0, 0);
        for empty in 10..=13 {
            endings(80 + u64::from(empty), empty, 40, |own, opponent| {
                let value = solve(&mut solver, &Task::new(own, opponent)).exact().unwrap();
                by_patterns += (value * DISC - patterns.value_of(own, opponent)).abs();
                by_count += (value - own.count_ones() as i32 + opponent.count_ones() as i32).abs() * DISC;
            });
        }
        assert!(by_patterns * 2 < by_count, "{by_patterns} {by_count}");
    }

    #[test]
    fn any_number_of_threads_comes_to_the_same_value() {
        endings(6, 17, 3, |own, opponent| {
            let value = solve(&mut Solver::new(1 << 20, 1).unwrap(), &Task::new(own, opponent)).exact();
            for threads in [2, 3, 5] {
                let solution = solve(&mut Solver::new(1 << 20, threads).unwrap(), &Task::new(own, opponent));
                assert_eq!(solution.exact(), value, "{threads} threads: {own:#x} {opponent:#x}");
                check_line(own, opponent, &solution.line, value.unwrap());
            }
        });
    }

    #[test]
    fn one_thread_searches_the_same_nodes_each_time() {
        endings(7, 15, 2, |own, opponent| {
            let mut solver = Solver::new(1 << 18, 1).unwrap();
            let first = solve(&mut solver, &Task::new(own, opponent));
            solver.clear();
            assert_eq!(solve(&mut solver, &Task::new(own, opponent)), first);
            // A table with the position gives the result at once.
            assert!(solve(&mut solver, &Task::new(own, opponent)).nodes < first.nodes);
        });
    }

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn every_kind_of_processor_searches_the_same_nodes() {
        let Some(avx2) = Avx2::detected() else { return };
        fn told(processor: impl Processor, task: &Task) -> (Solution, Vec<Solution>) {
            let mut news = Vec::new();
            let mut solver = Solver::new(1 << 20, 1).unwrap();
            let solution = solver.solve_on(processor, task, &|_| false, &mut |solution| news.push(solution.clone()));
            (solution, news)
        }
        endings(8, 16, 4, |own, opponent| {
            let task = Task::new(own, opponent);
            assert_eq!(told(avx2, &task), told(Portable, &task));
        });
    }
}
