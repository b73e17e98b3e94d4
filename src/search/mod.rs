//! Iterative deepening over any game, from a root position to a verdict.
//!
//! Floor 3. Knows the traits of [`crate::game`] and no game, no text, no clock: its whole contact with the world is the
//! [`Observer`], which is asked whether to stop and told what was found. Runs on the caller's thread. Scores are for the
//! side to move at the root; depth and distances are in plies.
//!
//! With `selective` off, the value at depth d equals plain minimax at depth d, always; where the game has endgame tables,
//! minimax that believes them behind irreversible moves, and lets them correct the evaluation. On the way to a depth that was
//! asked for, iterations then go up by two plies. With it on, a deeper or proven entry may stand in for a shallower search, late
//! moves are searched less deep, and an estimate may have overlooked a repetition; a proven result has not. How soon a win
//! found so comes is looked for once more, at full width, before the search ends.

mod alphabeta;
mod aspiration;
mod gate;
mod mcts;
mod meter;
mod path;
pub mod perft;
mod proofs;
pub mod recording;
mod smp;
mod table;
mod technique;
pub mod textbook;
mod trail;

use std::fmt;

pub use path::Path;
pub use table::{Entry, NoMemory, TranspositionTable};
pub use technique::{Technique, Techniques};

use crate::game::{Balance, Evaluate, Position, Probe, Sight, Sighted};
use crate::score::{Bound, Meaning, Score};
use alphabeta::{Memory, Tree, Width, Window};
use aspiration::Aspiration;
use meter::Meter;
use proofs::Proofs;
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
    table: &'a TranspositionTable,
}

impl<E, T> Clone for Knowledge<'_, E, T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<E, T> Copy for Knowledge<'_, E, T> {}

impl<'a, E, T> Knowledge<'a, E, T> {
    /// An evaluation, with full sight if it says no other; exact values, `&()` for none; and a table.
    pub fn new(evaluate: impl Into<Sighted<'a, E>>, probe: &'a T, table: &'a TranspositionTable) -> Self {
        Knowledge { evaluate: evaluate.into(), probe, table }
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
        let old_best = Line { score: self.score, pv: self.pv, complete: false };
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
    /// Whether the value rests on finished games alone.
    complete: bool,
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
    knowledge.table.new_search();
    if task.threads > 1 && task.algorithm == Algorithm::AlphaBeta {
        smp::search(task, knowledge, observer)
    } else {
        iterate(task, knowledge, observer, Role::Alone, Width::of(task))
    }
}

/// The search of one thread.
fn iterate<P, E, T>(
    task: &Task<P>,
    knowledge: Knowledge<'_, E, T>,
    observer: &mut dyn Observer<P::Move>,
    role: Role<'_>,
    mut width: Width,
) -> Verdict<P::Move>
where
    P: Position,
    E: Evaluate<P>,
    T: Probe<P>,
{
    let mut moves = task.moves.clone();
    if moves.is_empty() {
        task.root.generate(&mut moves);
    }
    let mut verdict = Verdict::nothing();
    if moves.is_empty() {
        return verdict;
    }
    let known = knowledge.probe(&task.root);
    let deepest = task.depth.min(task.mate.unwrap_or(MAX_DEPTH)).clamp(1, MAX_DEPTH);
    let mut memory = Memory::new(P::MOVE_INDICES);
    let mut aspiration = Aspiration::default();
    let mut meter = Meter::new(observer, knowledge.table, task, role);
    meter.begin(moves.len());
    let mut proofs = Proofs::new(task, role);
    if task.algorithm == Algorithm::Mcts {
        return mcts::search(task, knowledge, &moves, &mut meter);
    }
    // Plain minimax's value at a depth is the same whatever iterations came before, and those of the other parity teach less.
    let two_plies = task.algorithm == Algorithm::AlphaBeta
        && !task.selective
        && deepest < MAX_DEPTH
        && task.techniques.has(Technique::DoubleSteps);
    let mut depth = role.first_depth();
    // Whether the last line reported is not the last word on how soon the game ends.
    let mut open = false;
    while depth <= deepest && !proofs.are_done(&verdict, depth) {
        // Iterations that look again for how soon the game is won know no less than those before.
        meter.start(depth.max(verdict.depth));
        let root = |moves: &mut [P::Move]| {
            if task.algorithm.is_textbook() {
                textbook::root(task, knowledge, depth, moves, &mut meter)
            } else if task.lines > 1 {
                Tree::new(task, knowledge, &mut meter, &mut memory, width).root(depth, moves, Window::FULL)
            } else {
                let mut root =
                    |window| Tree::new(task, knowledge, &mut meter, &mut memory, width).root(depth, moves, window);
                match proofs.window(depth) {
                    Some(window) => root(window),
                    None if task.techniques.has(Technique::Aspiration) => aspire(&aspiration, depth, root),
                    None => root(Window::FULL),
                }
            }
        };
        let Ranking { mut lines, bound, finished } = rank(task, &mut moves, root);
        verdict.nodes = meter.nodes;
        if !proofs.accept(lines.first(), &mut moves, depth) {
            if !finished || meter.is_spent() || !meter.another_iteration() {
                break;
            }
            depth += 1;
            continue;
        }
        // The best move of an unfinished iteration counts when it is another one than before, for it was tried after the old
        // best move and beat it. The textbook algorithms try the moves in the game's order, and their halves prove nothing. Where
        // there is nothing else, half an iteration is better than a glance.
        let counts = |line: &Line<P::Move>| {
            let better = !task.algorithm.is_textbook() && line.pv.first() != verdict.pv.first();
            bound == Bound::Exact || verdict.pv.is_empty() || better
        };
        if !lines.first().is_some_and(counts) {
            break;
        }
        // Where late moves were searched less deep, a shorter way may have been overlooked; but not what is seen at the root.
        let overlooking = width == Width::Reduced && known != Some(lines[0].score);
        let provisional = overlooking && lines[0].score.distance().is_some_and(|plies| plies > 2 && plies <= depth);
        let bound = match lines[0].score.meaning() {
            Meaning::Win(_) if provisional => Bound::Lower,
            Meaning::Loss(_) if provisional && finished => Bound::Upper,
            _ => bound,
        };
        for (place, line) in lines.iter().enumerate() {
            // A win or loss further away than this iteration has looked may be nearer, unless it is known to be there.
            let is_far = line.score.distance().is_some_and(|plies| plies > depth)
                && (place > 0 || known != Some(line.score))
                && value_by_probe(task, knowledge, line.pv[0]) != Some(line.score);
            let bound = match line.score.meaning() {
                Meaning::Win(_) if is_far => Bound::Lower,
                Meaning::Loss(_) if is_far && finished => Bound::Upper,
                _ => bound,
            };
            meter.report_line(place + 1, line, bound);
        }
        // A win or loss further away than the search has looked may still turn out nearer, unless it is known to be there.
        let solved = |(place, line): (usize, &Line<P::Move>)| match line.score.distance() {
            Some(plies) if plies > depth && place == 0 => known == Some(line.score),
            Some(plies) => plies <= depth || value_by_probe(task, knowledge, line.pv[0]) == Some(line.score),
            None => line.complete || line.score.is_decided(),
        };
        let solved = !provisional && lines.iter().enumerate().all(solved);
        let best = lines.remove(0);
        open = provisional;
        aspiration.learn(depth, best.score);
        let mated = task.mate.is_some_and(|plies| matches!(best.score.meaning(), Meaning::Win(n) if n <= plies));
        verdict = verdict.improved(best, lines, meter.depth, task.lines);
        if !finished || solved || mated || meter.is_spent() || !meter.another_iteration() {
            break;
        }
        if provisional {
            proofs.know(verdict.score);
        }
        if depth < deepest
            && let Some(line) = proofs.seek(task, knowledge.evaluate, &mut meter, &mut moves)
        {
            meter.report_line(1, &line, Bound::Exact);
            verdict = verdict.improved(line, Vec::new(), meter.depth, 1);
        }
        if let Some(line) = proofs.settle(task, knowledge, &mut meter, &mut memory, &mut moves, depth) {
            meter.report_line(1, &line, Bound::Exact);
            let drawn = line.complete;
            verdict = verdict.improved(line, Vec::new(), meter.depth, 1);
            verdict.nodes = meter.nodes;
            if drawn {
                break;
            }
        }
        // The first iteration is no more than a move to answer with.
        let refuted = depth > 1 && proofs.refute(task, knowledge.evaluate, &mut meter, &mut moves, verdict.pv[0]);
        verdict.nodes = meter.nodes;
        if proofs.know_the_winner() && width == Width::Reduced {
            (width, depth) = (Width::Full, 1);
        } else {
            depth += match depth {
                _ if refuted => 0,
                _ if two_plies && depth % 2 == deepest % 2 => 2,
                _ => 1,
            };
        }
    }
    if verdict.pv.is_empty() && !matches!(role, Role::Helper(..)) {
        let line = at_a_glance(task, knowledge, &moves);
        meter.report_line(1, &line, Bound::Lower);
        verdict = verdict.improved(line, Vec::new(), meter.depth, 1);
    }
    if open && proofs.are_done(&verdict, depth) {
        let line = Line { score: verdict.score, pv: verdict.pv.clone(), complete: false };
        meter.report_line(1, &line, Bound::Exact);
    }
    verdict
}

/// What there is to answer before any of these `moves` was searched: the most urgent one, and how the position behind it looks.
fn at_a_glance<P, E, T>(task: &Task<P>, knowledge: Knowledge<'_, E, T>, moves: &[P::Move]) -> Line<P::Move>
where
    P: Position,
    E: Evaluate<P>,
    T: Probe<P>,
{
    let root = &task.root;
    let mut urgencies = vec![0; moves.len()];
    knowledge.evaluate.urgencies(root, 1, moves, &mut urgencies);
    // Of equals the first.
    let most = urgencies.iter().copied().max();
    let mv = moves[urgencies.iter().position(|&urgency| Some(urgency) == most).unwrap_or(0)];
    let next = root.after(mv);
    let mut path = Path::new(&task.history);
    path.play(root, root.hash(), &next);
    let repeats = || path.find(next.hash(), P::MIN_CYCLE).is_some();
    let outcome = next.outcome().or_else(|| next.outcome_by_repetition().filter(|_| repeats()));
    let score = outcome.map_or_else(|| knowledge.evaluate.evaluate(&next), |end| end.score_for(next.side_to_move()));
    Line { score: (-score).backed_up(), pv: vec![mv], complete: false }
}

/// Searches the root moves with one window after the other, until the value lies inside. A search that was stopped answers
/// what is better than all before, if it has found such a thing.
fn aspire<M: Clone>(aspiration: &Aspiration, depth: u32, mut root: impl FnMut(Window) -> Iteration<M>) -> Iteration<M> {
    let mut better: Option<Line<M>> = None;
    let mut iteration = aspiration.search(depth, |window| {
        let mut iteration = root(window);
        if !iteration.finished {
            iteration.best = iteration.best.filter(|line| line.score > window.alpha);
        }
        let score = iteration.best.as_ref().map(|line| line.score);
        if score.is_some_and(|score| score >= window.beta) {
            better.clone_from(&iteration.best);
        }
        let settled = if iteration.finished { score } else { None };
        (iteration, settled)
    });
    if !iteration.finished && iteration.best.is_none() {
        iteration.best = better;
    }
    iteration
}

/// Finds the best lines among `moves`, one after the other: `root` answers the best of the moves it is given. Leaves the
/// moves of the lines in front, the best one first, but those of the textbook algorithms in the game's order.
fn rank<P: Position>(
    task: &Task<P>,
    moves: &mut [P::Move],
    mut root: impl FnMut(&mut [P::Move]) -> Iteration<P::Move>,
) -> Ranking<P::Move> {
    let mut own_order = Vec::new();
    let moves = if task.algorithm.is_textbook() {
        own_order.extend_from_slice(moves);
        &mut own_order[..]
    } else {
        moves
    };
    let mut lines: Vec<Line<P::Move>> = Vec::new();
    let mut bound = Bound::Exact;
    let mut finished = true;
    while finished && lines.len() < task.lines.clamp(1, moves.len()) {
        let rest = &mut moves[lines.len()..];
        let iteration = root(rest);
        finished = iteration.finished;
        if !finished && !lines.is_empty() {
            break;
        }
        let Some(line) = iteration.best else { break };
        if !finished {
            bound = Bound::Lower;
        }
        if let Some(place) = rest.iter().position(|&mv| mv == line.pv[0]) {
            rest[..=place].rotate_right(1);
        }
        lines.push(line);
    }
    // What the table knows may be worth more to a later line than it was to an earlier one.
    lines.sort_by_key(|line| std::cmp::Reverse(line.score));
    for (place, line) in moves.iter_mut().zip(&lines) {
        *place = line.pv[0];
    }
    Ranking { lines, bound, finished }
}

/// The exact value of a root move, if the game's probe has it.
fn value_by_probe<P: Position, E, T: Probe<P>>(
    task: &Task<P>,
    knowledge: Knowledge<'_, E, T>,
    mv: P::Move,
) -> Option<Score> {
    knowledge.probe(&task.root.after(mv)).map(|score| (-score).backed_up())
}
