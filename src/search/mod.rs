//! Search over any game, from a root position to a verdict.
//!
//! Layer 3. Knows the traits of [`crate::game`]; no game, no text, no clock. Its only contact with the outside is the
//! [`Observer`], which says whether to stop and gets results. Runs on the caller's thread. Scores are for the side to move at
//! the root; depth and distances are in plies.
//!
//! With `selective` off, the value at depth d equals plain minimax at depth d; with endgame tables, minimax that uses them as
//! exact where nothing from before the root can repeat, and to correct the evaluation elsewhere. Iterations then go up by two
//! plies. With `selective` on, deeper or proven entries replace shallower searches, late moves are reduced, and an estimate may
//! miss a repetition; a proven result does not. The length of a win found so is verified at full width before the search ends.

mod alphabeta;
mod aspiration;
mod busy;
mod deepening;
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
mod tt_gate;
mod window;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

pub use parameters::{NoParameters, Parameters};
pub use path::Path;
pub use technique::{Technique, Techniques};
pub use tt::{Entry, NoMemory, TranspositionTable};

use crate::game::{Balance, Evaluate, Position, Probe, Sight, Sighted};
use crate::score::{Bound, Score};
use deepening::{at_a_glance, iterate};
use meter::Meter;
use reductions::Width;
use smp::Role;

/// The search was told to stop before it was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stopped;

/// The deepest iteration.
pub const MAX_DEPTH: u32 = 250;

/// Which algorithm searches the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Algorithm {
    /// The full search: alpha-beta with everything switched on.
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

    /// The name users know it by.
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

    /// Whether this is one of the course's algorithms, which keep nothing from one depth to the next.
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
    /// How many lines to find, each the best that begins with another root move than those before it; at least 1.
    pub lines: usize,
    /// The deepest iteration, in plies.
    pub depth: u32,
    /// Nodes after which to stop, of all threads together.
    pub nodes: u64,
    /// Stop at a win in at most so many plies, and do not look further than that.
    pub mate: Option<u32>,
    /// The algorithm. Monte Carlo has no iterations: its depth is the length of the principal variation, its nodes are visits.
    pub algorithm: Algorithm,
    /// Whether some moves may be searched less deep than others, and results that are deeper than asked for be used.
    pub selective: bool,
    /// What the full search makes use of.
    pub techniques: Techniques,
    /// How eagerly it reduces and prunes.
    pub parameters: Parameters,
    /// How many threads search, at least 1; only alpha-beta uses more than one. With one, the same task comes to the same.
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
    /// Static evaluation, and how much of the game's knowledge is used.
    evaluate: Sighted<'a, E>,
    /// Exact values; asked only with full sight.
    probe: &'a T,
    /// What this and earlier searches found.
    tt: &'a TranspositionTable,
}

impl<E, T> Clone for Knowledge<'_, E, T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<E, T> Copy for Knowledge<'_, E, T> {}

impl<'a, E, T> Knowledge<'a, E, T> {
    /// An evaluation, with full sight if it says no other; exact values, `&()` for none; and a table.
    pub fn new(evaluate: impl Into<Sighted<'a, E>>, probe: &'a T, tt: &'a TranspositionTable) -> Self {
        Knowledge { evaluate: evaluate.into(), probe, tt }
    }

    /// The exact value of a position; see [`Probe::probe`].
    #[inline]
    fn probe<P: Position>(&self, position: &P) -> Option<Score>
    where
        T: Probe<P>,
    {
        if self.evaluate.sight() == Sight::Full { self.probe.probe(position) } else { None }
    }

    /// What a table tells of the final balance; see [`Probe::balance`].
    #[inline]
    fn balance<P: Position>(&self, position: &P) -> Option<Balance>
    where
        T: Probe<P>,
    {
        if self.evaluate.sight() == Sight::Full { self.probe.balance(position) } else { None }
    }
}

/// How far the search has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Progress {
    /// The iteration, in plies.
    pub depth: u32,
    /// The longest line looked at in this iteration, in plies.
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

/// What the search has to tell.
#[derive(Debug, Clone, Copy)]
pub enum News<'a, M> {
    /// A line of play and its value: from a completed iteration (`Exact`), or the best of one that was stopped (`Lower`). A win
    /// (`Lower`) or a loss (`Upper`) for which a shorter way may be found yet is a bound, too. The lines of an iteration are told
    /// together, the best one first.
    Line {
        /// How far the search has come.
        progress: Progress,
        /// Its place among the lines of its iteration, from 1.
        rank: usize,
        /// The value, for the side to move at the root.
        score: Score,
        /// Which side of the true value at this depth the score stands on.
        bound: Bound,
        /// Whether the result of the game is certain, so that no deeper search comes to another.
        certain: bool,
        /// The principal variation, from the root; never empty.
        pv: &'a [M],
    },
    /// The root move that is being searched now, and its number, from 1.
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
    /// Nothing new but the numbers; told when [`Poll::Report`] asked for it.
    Progress(Progress),
}

/// The answer to a poll.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Poll {
    /// Search on.
    Continue,
    /// Tell how far the search has come, and search on.
    Report,
    /// Give up this iteration.
    Stop,
}

/// The world, as the search sees it.
pub trait Observer<M> {
    /// Asked every few hundred nodes, and more often where they take long.
    fn poll(&mut self) -> Poll;
    /// A flag that ends the search when it is set, if there is one. The helpers of a search with several threads look at it too:
    /// they need not wait until the main thread has.
    fn stop_flag(&self) -> Option<Arc<AtomicBool>> {
        None
    }
    /// Asked after every iteration whether another one is worth starting.
    fn another_iteration(&mut self) -> bool;
    /// Told what was found.
    fn report(&mut self, news: News<'_, M>);
}

/// The observer that lets the search run to its limits and listens to nothing.
impl<M> Observer<M> for () {
    fn poll(&mut self) -> Poll {
        Poll::Continue
    }
    fn another_iteration(&mut self) -> bool {
        true
    }
    fn report(&mut self, _news: News<'_, M>) {}
}

/// What a search came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict<M> {
    /// The value of the last line reported, for the side to move.
    pub score: Score,
    /// The depth of that line.
    pub depth: u32,
    /// The line itself, the best move first; empty only when there was no move to choose from.
    pub pv: Vec<M>,
    /// Nodes over all iterations.
    pub nodes: u64,
    /// The next best lines, best first, as far as [`Task::lines`] asks for them. Where the last iteration was stopped, those
    /// it had not come to are of the one before.
    pub others: Vec<Line<M>>,
}

impl<M> Verdict<M> {
    /// No line yet.
    fn nothing() -> Verdict<M> {
        Verdict { score: Score::DRAW, depth: 0, pv: Vec::new(), nodes: 0, others: Vec::new() }
    }
}

impl<M: Eq> Verdict<M> {
    /// The verdict after an iteration with this best line and these others. Of the `wanted` lines, those that the iteration
    /// did not come to stay as they are.
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

/// A line of play and what it is worth.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line<M> {
    /// The value, for the side to move at the root.
    pub score: Score,
    /// The moves, from the root; never empty.
    pub pv: Vec<M>,
    /// Whether the value rests on finished games and exact knowledge alone, so that no deeper search changes it.
    proven: bool,
}

/// What a search of root moves came to: the best line among those that were finished, and whether that was all of them.
struct Iteration<M> {
    best: Option<Line<M>>,
    finished: bool,
}

/// The best lines of an iteration, best first.
struct Ranking<M> {
    lines: Vec<Line<M>>,
    /// `Lower` when not even the first line is finished; it then stands alone.
    bound: Bound,
    /// Whether all lines that were asked for are there.
    finished: bool,
}

/// Searches `task` until it is solved, a limit is reached, or the observer says stop. However soon that is, a line is reported:
/// of the first iteration those that it came to, if only one move that looks good at a glance.
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
