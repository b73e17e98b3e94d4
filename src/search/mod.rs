//! Search over any game, from a root position to a verdict.
//!
//! Layer 3. Knows the traits of [`crate::game`]; no game, no text, no clock. Its only contact with the outside is the
//! [`Observer`], which stops the search and receives results. Runs on the caller's thread. Scores are for the side to
//! move at the root; depth and distances are in plies.
//!
//! With `selective` off, the value at depth d equals plain minimax at depth d; with endgame tables, minimax that uses
//! them as exact where nothing from before the root can repeat, and to correct the evaluation elsewhere. Iterations
//! then go up by two plies. With `selective` on, deeper or proven entries replace shallower searches, late moves are
//! reduced, and an estimate may miss a repetition; a proven result does not. The length of a win is then verified at
//! full width before the search ends.

mod abdada;
mod alphabeta;
mod aspiration;
mod deepening;
mod histories;
mod mcts;
mod meter;
mod ordering;
mod parameters;
mod path;
pub mod perft;
mod proofs;
pub mod recording;
mod reductions;
mod smp;
mod technique;
pub mod textbook;
mod trail;
mod tt;
mod tt_probing;
mod window;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

pub use parameters::{NoParameters, Parameters};
pub use path::Path;
pub use technique::{Technique, Techniques};
pub use tt::{Entry, NoMemory, TranspositionTable};

use crate::game::{Balance, Evaluate, EvaluationMode, Evaluator, Position, Probe};
use crate::score::{Bound, Score};
use deepening::{at_a_glance, iterate};
use meter::Meter;
use reductions::Width;
use smp::Role;

/// Whether a game prunes boldly and has null moves, as chess does: some techniques were measured there alone.
const fn bold_with_null_moves<P: Position, E: Evaluate<P>>() -> bool {
    E::PRUNES_BOLDLY && P::HAS_NULL_MOVE
}

/// The search was told to stop before it was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stopped;

/// The depth of the deepest iteration.
pub const MAX_DEPTH: u32 = 250;

/// Which algorithm searches the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Algorithm {
    /// The full search: alpha-beta with all techniques.
    #[default]
    AlphaBeta,
    /// The course's alpha-beta in negamax form.
    NegaBeta,
    /// The course's negamax.
    Negamax,
    /// The course's minimax.
    Minimax,
    /// Monte Carlo tree search, with proofs.
    Mcts,
}

impl Algorithm {
    /// Every algorithm: the full search, the course's, and Monte Carlo.
    pub const ALL: [Algorithm; 5] =
        [Algorithm::AlphaBeta, Algorithm::NegaBeta, Algorithm::Negamax, Algorithm::Minimax, Algorithm::Mcts];

    /// The name in options and messages.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Algorithm::AlphaBeta => "alphabeta",
            Algorithm::NegaBeta => "negabeta",
            Algorithm::Negamax => "negamax",
            Algorithm::Minimax => "minimax",
            Algorithm::Mcts => "mcts",
        }
    }

    /// Whether this is one of the course's algorithms. They keep nothing from one depth to the next.
    #[must_use]
    pub const fn is_textbook(self) -> bool {
        !matches!(self, Algorithm::AlphaBeta | Algorithm::Mcts)
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What to search, and how far.
#[derive(Debug, Clone)]
pub struct Task<P: Position> {
    /// The position to find a move in; the game must not be over.
    pub root: P,
    /// Hashes of the earlier positions of the game that can still come back, oldest first.
    pub history: Vec<u64>,
    /// The root moves to choose from; empty for all.
    pub moves: Vec<P::Move>,
    /// The number of lines to find, each with a different root move; at least 1.
    pub lines: usize,
    /// The deepest iteration, in plies.
    pub depth: u32,
    /// The limit of nodes, for all threads together.
    pub nodes: u64,
    /// Stop at a win within this many plies, and do not search deeper.
    pub mate: Option<u32>,
    /// The algorithm. Monte Carlo has no iterations: its depth is the length of the principal variation, its nodes are visits.
    pub algorithm: Algorithm,
    /// Whether moves may be reduced and pruned, and results from deeper searches be used.
    pub selective: bool,
    /// The techniques of the full search.
    pub techniques: Techniques,
    /// How strongly the full search reduces and prunes.
    pub parameters: Parameters,
    /// The number of threads, at least 1; only alpha-beta uses more than one. With one thread, the same task has the
    /// same result.
    pub threads: usize,
}

impl<P: Position> Task<P> {
    /// The full search from `root`, without history or limits.
    #[must_use]
    pub fn new(root: P) -> Task<P> {
        Task {
            root,
            history: Vec::new(),
            moves: Vec::new(),
            lines: 1,
            depth: MAX_DEPTH,
            nodes: u64::MAX,
            mate: None,
            algorithm: Algorithm::default(),
            selective: true,
            techniques: Techniques::ALL,
            parameters: Parameters::default(),
            threads: 1,
        }
    }
}

/// What a search knows and shares: the game's evaluation and exact values, and the transposition table.
#[derive(Debug)]
pub struct Knowledge<'a, E, T> {
    /// The static evaluation, and how much of the game's knowledge is used.
    evaluate: Evaluator<'a, E>,
    /// Exact values; used only with the full mode.
    probe: &'a T,
    /// The results of this and earlier searches.
    tt: &'a TranspositionTable,
}

impl<E, T> Clone for Knowledge<'_, E, T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<E, T> Copy for Knowledge<'_, E, T> {}

impl<'a, E, T> Knowledge<'a, E, T> {
    /// Takes an evaluation (with the full mode unless it says otherwise), exact values (`&()` for none), and a
    /// transposition table.
    pub fn new(evaluate: impl Into<Evaluator<'a, E>>, probe: &'a T, tt: &'a TranspositionTable) -> Self {
        Knowledge { evaluate: evaluate.into(), probe, tt }
    }

    /// The exact value of a position; see [`Probe::probe`].
    #[inline]
    fn probe<P: Position>(&self, position: &P) -> Option<Score>
    where
        T: Probe<P>,
    {
        if self.evaluate.mode() == EvaluationMode::Full { self.probe.probe(position) } else { None }
    }

    /// The same at a node that is searched to `depth`; see [`Probe::probe_at`].
    #[inline]
    fn probe_at<P: Position>(&self, position: &P, depth: u32) -> Option<Score>
    where
        T: Probe<P>,
    {
        if self.evaluate.mode() == EvaluationMode::Full { self.probe.probe_at(position, depth) } else { None }
    }

    /// What an endgame table knows about the final balance; see [`Probe::balance`].
    #[inline]
    fn balance<P: Position>(&self, position: &P) -> Option<Balance>
    where
        T: Probe<P>,
    {
        if self.evaluate.mode() == EvaluationMode::Full { self.probe.balance(position) } else { None }
    }
}

/// How far the search has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Progress {
    /// The iteration, in plies.
    pub depth: u32,
    /// The longest line searched in this iteration, in plies.
    pub seldepth: u32,
    /// Nodes so far, over all iterations.
    pub nodes: u64,
    /// Nodes of this iteration alone.
    pub iteration_nodes: u64,
    /// Exact values found by the game's probe.
    pub table_hits: u64,
    /// How full the transposition table is, in thousandths.
    pub permille_full: u32,
}

/// A report of the search.
#[derive(Debug, Clone, Copy)]
pub enum News<'a, M> {
    /// A line of play and its value: from a completed iteration (`Exact`), or the best of one that was stopped
    /// (`Lower`). A win is also a `Lower` bound, and a loss an `Upper` one, while its distance may still change. The
    /// lines of an iteration are reported together, the best one first.
    Line {
        /// How far the search has come.
        progress: Progress,
        /// Its rank among the lines of its iteration, from 1.
        rank: usize,
        /// The value, for the side to move at the root.
        score: Score,
        /// Whether the score is the exact value at this depth or a bound of it.
        bound: Bound,
        /// Whether the result of the game is certain, so that no deeper search changes it.
        certain: bool,
        /// The principal variation, from the root; never empty.
        pv: &'a [M],
    },
    /// The root move that is being searched, and its number, from 1.
    CurrentMove {
        /// The iteration, in plies.
        depth: u32,
        /// Nodes so far, over all iterations.
        nodes: u64,
        /// The move.
        mv: M,
        /// Its number in this iteration, from 1.
        number: usize,
    },
    /// Only the numbers; sent when [`Poll::Report`] asked for it.
    Progress(Progress),
}

/// The answer to a poll.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Poll {
    /// Continue the search.
    Continue,
    /// Report the progress and continue the search.
    Report,
    /// Stop the search.
    Stop,
}

/// The search's contact with the outside.
pub trait Observer<M> {
    /// Called every 64 nodes, and more often where nodes take long.
    fn poll(&mut self) -> Poll;
    /// A flag that stops the search when it is set, if there is one. Helper threads check it too, so that they need not
    /// wait for the main thread.
    fn stop_flag(&self) -> Option<Arc<AtomicBool>> {
        None
    }
    /// Called after every iteration. Returns whether to start another one.
    fn another_iteration(&mut self) -> bool;
    /// Receives a report.
    fn report(&mut self, news: News<'_, M>);
}

/// The observer that never stops the search and ignores its reports.
impl<M> Observer<M> for () {
    fn poll(&mut self) -> Poll {
        Poll::Continue
    }
    fn another_iteration(&mut self) -> bool {
        true
    }
    fn report(&mut self, _news: News<'_, M>) {}
}

/// The result of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict<M> {
    /// The value of the last line reported, for the side to move.
    pub score: Score,
    /// The depth of that line.
    pub depth: u32,
    /// The line itself, the best move first; empty only if there was no move to choose from.
    pub pv: Vec<M>,
    /// Nodes over all iterations.
    pub nodes: u64,
    /// The next best lines, best first, up to [`Task::lines`]. If the last iteration was stopped, lines that it did not
    /// reach are from the iteration before.
    pub others: Vec<Line<M>>,
}

impl<M> Verdict<M> {
    /// No line yet.
    fn nothing() -> Verdict<M> {
        Verdict { score: Score::DRAW, depth: 0, pv: Vec::new(), nodes: 0, others: Vec::new() }
    }
}

impl<M: Eq> Verdict<M> {
    /// The verdict after an iteration with this best line and these others. Of the `wanted` lines, those that the
    /// iteration did not reach stay as they are.
    fn improved(self, best: Line<M>, mut others: Vec<Line<M>>, depth: u32, wanted: usize) -> Verdict<M> {
        let old_best = Line { score: self.score, pv: self.pv, proven: false };
        for line in std::iter::once(old_best).chain(self.others).filter(|line| !line.pv.is_empty()) {
            if others.len() + 1 < wanted && others.iter().chain([&best]).all(|other| other.pv[0] != line.pv[0]) {
                others.push(line);
            }
        }
        Verdict { score: best.score, depth, pv: best.pv, nodes: self.nodes, others }
    }
}

/// A line of play and its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line<M> {
    /// The value, for the side to move at the root.
    pub score: Score,
    /// The moves, from the root; never empty.
    pub pv: Vec<M>,
    /// Whether the value depends only on finished games and exact knowledge, so that no deeper search changes it.
    proven: bool,
}

/// The result of a search of root moves: the best line among the finished ones, and whether all were finished.
struct Iteration<M> {
    best: Option<Line<M>>,
    finished: bool,
}

/// The best lines of an iteration, best first.
struct Ranking<M> {
    lines: Vec<Line<M>>,
    /// `Lower` if the first line is unfinished; it is then the only one.
    bound: Bound,
    /// Whether all requested lines are there.
    finished: bool,
}

/// Searches `task` until it is solved, a limit is reached, or the observer stops it. At least one line is always
/// reported: if the first iteration was stopped, the lines that it completed, or a move chosen without a search.
pub fn search<P, E, T>(
    task: &Task<P>,
    knowledge: Knowledge<'_, E, T>,
    observer: &mut dyn Observer<P::Move>,
) -> Verdict<P::Move>
where
    P: Position,
    E: Evaluate<P>,
    T: Probe<P>,
{
    knowledge.tt.new_search();
    if task.threads > 1 && task.algorithm == Algorithm::AlphaBeta {
        smp::search(task, knowledge, observer)
    } else {
        iterate(task, knowledge, observer, Role::Alone, Width::of(task))
    }
}
