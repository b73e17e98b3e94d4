//! Iterative deepening: searches the root to increasing depths, ranks the lines, and reports them.
//!
//! Layer 3, private to the search. The [`Goal`](super::proofs::Goal) of an iteration is the best move, or once the
//! winner is known, the length of the win. CITE: chessprogramming wiki, "Iterative Deepening", "Aspiration Windows".
//!
//! ```text
//!   reduced 1, 2, ... n     until a win or loss is found: proven, but its distance may be a bound
//!      -> full 1, 2, ...    is there a shorter one? each completed depth is final; ends at the effort limit
//!      -> reduced n+1       looks for a shorter one deeper, with all reductions
//!      -> full, from where it stopped, with an effort limit of the nodes so far; and so on
//! ```

use super::alphabeta::{AlphaBeta, ThreadData};
use super::aspiration::Aspiration;
use super::histories::Histories;
use super::meter::Meter;
use super::proofs::{Goal, Proofs};
use super::reductions::Width;
use super::smp::Role;
use super::window::Window;
use super::{
    Algorithm, Iteration, Knowledge, Line, MAX_DEPTH, Observer, Path, Ranking, Task, Technique, TranspositionTable,
    Verdict, bold_with_null_moves, mcts, textbook,
};
use crate::game::{Evaluate, Position, Probe, sort_few};
use crate::score::{Bound, Meaning, Score};

/// The search of one thread.
pub(super) fn iterate<P, E, T>(
    task: &Task<P>,
    knowledge: Knowledge<'_, E, T>,
    observer: &mut dyn Observer<P::Move>,
    role: Role<'_>,
    width: Width,
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
    if moves.is_empty() {
        return Verdict::nothing();
    }
    let known = knowledge.probe(&task.root);
    let mut meter = Meter::new(observer, knowledge.tt, task, role);
    meter.begin(moves.len());
    if task.algorithm == Algorithm::Mcts {
        return mcts::search(task, knowledge, &moves, &mut meter);
    }
    let mut proofs = Proofs::new(task, role, E::OBJECTIVE);
    proofs.choose(task, knowledge.evaluate, &mut moves);
    let deepening = Deepening {
        task,
        knowledge,
        meter,
        thread: ThreadData::new(histories::<P>(knowledge.tt)),
        aspiration: Aspiration::new(task.parameters, narrow_window::<P, E, T>(knowledge)),
        proofs,
        width,
        moves,
        known,
        depth: 1,
        refinement: None,
        deepest: task.depth.min(task.mate.unwrap_or(MAX_DEPTH)).clamp(1, MAX_DEPTH),
        verdict: Verdict::nothing(),
    };
    let (verdict, thread) = deepening.run(matches!(role, Role::Helper(_)));
    if bold_with_null_moves::<P, E>() {
        knowledge.tt.keep_histories(thread.into_histories());
    }
    verdict
}

/// The history tables to begin with: where that was measured to pay, those of the last search.
fn histories<P: Position>(table: &TranspositionTable) -> Histories {
    let kept = table.take_histories().filter(|kept| kept.are_of(P::MOVE_INDICES, P::LANDINGS));
    let Some(mut kept) = kept else { return Histories::new(P::MOVE_INDICES, P::LANDINGS) };
    kept.halve();
    kept
}

/// The width of aspiration windows in games that prune boldly: a quarter of the margin for a ply.
fn narrow_window<P: Position, E: Evaluate<P>, T>(knowledge: Knowledge<'_, E, T>) -> Option<i32> {
    knowledge.evaluate.futility_margin::<P>().filter(|_| E::PRUNES_BOLDLY).map(|margin| margin / 4)
}

/// What follows an iteration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Next {
    /// Another iteration.
    Deepen,
    /// The end: the root is solved, or a limit is reached.
    End,
}

struct Deepening<'a, 'o, P: Position, E, T> {
    task: &'a Task<P>,
    knowledge: Knowledge<'a, E, T>,
    meter: Meter<'o, P::Move>,
    thread: ThreadData<P::Move>,
    aspiration: Aspiration,
    proofs: Proofs<P::Move>,
    width: Width,
    /// The root moves to search, the best ones so far first.
    moves: Vec<P::Move>,
    /// The exact value of the root, if the game's probe knows it.
    known: Option<Score>,
    /// The depth of the current iteration.
    depth: u32,
    deepest: u32,
    verdict: Verdict<P::Move>,
    /// The progress of the search for the distance of the result, once the winner is known.
    refinement: Option<Refinement>,
}

/// The depths of the two kinds of iterations that look for the distance of a win or a loss.
#[derive(Debug, Clone, Copy)]
struct Refinement {
    /// The least depth that no iteration at full width has completed.
    unchecked: u32,
    /// The depth of the next iteration with reductions.
    reduced: u32,
}

/// Iterations at full width may take as many nodes as were searched before them, and at least this many.
const LEAST_CHECK: u64 = 100_000;

/// A search for the line of a win may take one node per `LINE_SHARE` nodes before it, and at least `LEAST_LINE`.
const LINE_SHARE: u64 = 2;
const LEAST_LINE: u64 = 20_000;

impl<P, E, T> Deepening<'_, '_, P, E, T>
where
    P: Position,
    E: Evaluate<P>,
    T: Probe<P>,
{
    /// Runs the iterations. Returns the verdict, and the data of the thread. A helper thread need not find a move.
    fn run(mut self, is_helper: bool) -> (Verdict<P::Move>, ThreadData<P::Move>) {
        while self.depth <= self.deepest && !self.is_done() {
            if self.iteration() == Next::End {
                break;
            }
        }
        if self.verdict.pv.is_empty() && !is_helper {
            let line = at_a_glance(self.task, self.knowledge, &self.moves);
            self.tell(line, Bound::Lower);
        }
        // The win reported as a bound is now known to be the shortest one.
        if self.proofs.goal == (Goal::ShortestWin { is_told: false }) && self.is_done() {
            let line = Line { score: self.verdict.score, pv: self.verdict.pv.clone(), proven: false };
            self.meter.report_line(1, &line, Bound::Exact);
        }
        (self.verdict, self.thread)
    }

    /// Whether the win of the verdict is the shortest one: all lesser depths are completed.
    fn is_done(&self) -> bool {
        let unanswered = match self.refinement {
            Some(refinement) if self.width == Width::Reduced => refinement.unchecked,
            _ => self.depth,
        };
        self.proofs.are_done(&self.verdict, unanswered)
    }

    fn iteration(&mut self) -> Next {
        // Iterations that refine the distance of a win report no less depth than those before.
        self.meter.start(self.depth.max(self.verdict.depth));
        let (mut ranking, gave_up) = self.search_within_effort();
        if self.width == Width::Reduced && self.refinement.is_none() {
            self.follow_win(&mut ranking);
        }
        self.verdict.nodes = self.meter.nodes;
        let goes_on = ranking.finished || gave_up;
        let within = (self.width == Width::Full || self.refinement.is_none()).then_some(self.depth);
        // Of several lines any may be news.
        let known = (self.task.lines == 1).then_some(self.verdict.score);
        if !self.proofs.accept(ranking.lines.first(), &mut self.moves, within, known) {
            if !goes_on || !self.may_deepen() {
                return Next::End;
            }
            if ranking.finished && self.proofs.goal.is_distance() {
                self.verdict.depth = self.verdict.depth.max(self.depth);
                if within.is_none() {
                    self.repeat();
                }
            }
            return self.deepen(gave_up);
        }
        if !ranking.lines.first().is_some_and(|line| self.counts(line, ranking.bound)) {
            return if gave_up { self.deepen(true) } else { Next::End };
        }
        let (is_provisional, is_solved) = self.report(ranking);
        if !goes_on || is_solved || self.has_mated() || !self.may_deepen() {
            return Next::End;
        }
        if is_provisional {
            self.proofs.know_winner(self.verdict.score, false);
        }
        let refuted = match self.prove() {
            Some(refuted) => refuted,
            None => return Next::End,
        };
        if self.proofs.goal.is_distance() && self.width == Width::Reduced && self.refinement.is_none() {
            self.refinement = Some(Refinement { unchecked: 1, reduced: self.depth + 1 });
            self.proofs.bring_back(&mut self.moves);
            (self.width, self.depth) = (Width::Full, 1);
            return Next::Deepen;
        }
        if refuted { Next::Deepen } else { self.deepen(gave_up) }
    }

    /// One iteration over the root moves. `gave_up` is true if it looked at full width for a shorter win or a later
    /// loss and used up its nodes.
    fn search_within_effort(&mut self) -> (Ranking<P::Move>, bool) {
        // If the deepest iteration with reductions is done and the depth is not limited, nothing else is left to do.
        let is_checking = self.width == Width::Full
            && self.refinement.is_some_and(|refinement| refinement.reduced <= self.deepest || self.deepest < MAX_DEPTH);
        if !is_checking {
            return (self.search_root(), false);
        }
        let effort = self.meter.nodes.max(LEAST_CHECK);
        let before = self.meter.nodes;
        let limit = self.meter.allow_only(effort);
        let ranking = self.search_root();
        self.meter.limit = limit;
        let gave_up = !ranking.finished && self.meter.nodes - before >= effort && !self.meter.is_spent();
        (ranking, gave_up)
    }

    /// Completes the line of a win that failed high and so has no line: searches its first move alone, within a share
    /// of the nodes so far.
    fn follow_win(&mut self, ranking: &mut Ranking<P::Move>) {
        let [line] = &mut ranking.lines[..] else { return };
        let Meaning::Win(plies) = line.score.meaning() else { return };
        if !ranking.finished || line.pv.len() >= plies as usize {
            return;
        }
        let Deepening { task, knowledge, meter, thread, width, depth, .. } = self;
        let limit = meter.allow_only((meter.nodes / LINE_SHARE).max(LEAST_LINE));
        let window = Window { alpha: Score::win_in(plies + 1), beta: Score::INFINITY };
        let search = AlphaBeta::new(task, *knowledge, meter, thread, *width);
        let found = search.root(*depth, &mut [line.pv[0]], window);
        meter.limit = limit;
        if let Some(best) = found.best.filter(|best| found.finished && best.score >= line.score) {
            *line = best;
        }
    }

    /// Chooses the next iteration after one that finished or gave up.
    fn deepen(&mut self, gave_up: bool) -> Next {
        match &mut self.refinement {
            Some(refinement) if self.width == Width::Reduced => {
                refinement.reduced = self.depth + 1;
                (self.width, self.depth) = (Width::Full, refinement.unchecked);
            }
            Some(refinement) if gave_up => {
                refinement.unchecked = self.depth;
                (self.width, self.depth) = (Width::Reduced, refinement.reduced);
            }
            _ => self.depth += self.step(),
        }
        Next::Deepen
    }

    /// Reports the verdict again: a deeper iteration found nothing better.
    fn repeat(&mut self) {
        let line = Line { score: self.verdict.score, pv: self.verdict.pv.clone(), proven: false };
        let bound = if line.score > Score::DRAW { Bound::Lower } else { Bound::Upper };
        self.meter.report_line(1, &line, bound);
    }

    /// Whether no limit forbids another iteration.
    fn may_deepen(&mut self) -> bool {
        !self.meter.is_spent() && self.meter.another_iteration()
    }

    /// The increment of the depth. With `selective` off the value at a depth does not depend on earlier iterations, and
    /// those of the other parity help move ordering less.
    fn step(&self) -> u32 {
        let skips = self.task.algorithm == Algorithm::AlphaBeta
            && !self.task.selective
            && self.deepest < MAX_DEPTH
            && self.task.techniques.has(Technique::DoubleSteps);
        if skips && self.depth % 2 == self.deepest % 2 { 2 } else { 1 }
    }

    /// Whether the best line of an iteration counts. That of an unfinished iteration counts if it begins with another
    /// move than before, since that move was searched after the old best move and beat it. The textbook algorithms
    /// search the moves in the game's order, so their unfinished iterations prove nothing. Without any earlier line, an
    /// unfinished iteration counts.
    fn counts(&self, line: &Line<P::Move>, bound: Bound) -> bool {
        let is_better = !self.task.algorithm.is_textbook() && line.pv.first() != self.verdict.pv.first();
        bound == Bound::Exact || self.verdict.pv.is_empty() || is_better
    }

    /// Whether the mate that the task asks for was found.
    fn has_mated(&self) -> bool {
        let is_near = |plies| matches!(self.verdict.score.meaning(), Meaning::Win(n) if n <= plies);
        self.task.mate.is_some_and(is_near)
    }

    /// One iteration over the root moves.
    fn search_root(&mut self) -> Ranking<P::Move> {
        let Deepening { task, knowledge, meter, thread, aspiration, proofs, width, moves, depth, verdict, .. } = self;
        let (task, knowledge, width, depth) = (*task, *knowledge, *width, *depth);
        let goal = proofs.goal;
        if task.lines > 1 && matches!(task.algorithm, Algorithm::Minimax | Algorithm::Negamax) {
            return textbook::all_lines(task, knowledge, depth, moves, meter);
        }
        let root = |moves: &mut [P::Move]| {
            if task.algorithm.is_textbook() {
                return textbook::root(task, knowledge, depth, moves, meter);
            }
            let mut root = |window| AlphaBeta::new(task, knowledge, meter, thread, width).root(depth, moves, window);
            match goal {
                _ if task.lines > 1 => root(Window::FULL),
                Goal::ShortestWin { .. } if width == Width::Reduced => {
                    root(Window { alpha: verdict.score, beta: Score::INFINITY })
                }
                Goal::LongestDefence if width == Width::Reduced => root(Window::FULL),
                Goal::ShortestWin { .. } | Goal::LongestDefence => root(goal.window(depth)),
                Goal::BestMove if task.techniques.has(Technique::Aspiration) => {
                    aspire(aspiration, depth, width == Width::Reduced, root)
                }
                Goal::BestMove => root(Window::FULL),
            }
        };
        rank(task, moves, root)
    }

    /// Reports the lines of an iteration and makes the best one the verdict. Returns whether a shorter win or a longer
    /// defence may have been overlooked, and whether no deeper search can change anything.
    fn report(&mut self, ranking: Ranking<P::Move>) -> (bool, bool) {
        let Ranking { mut lines, bound, finished } = ranking;
        let depth = self.depth;
        // Reductions may overlook a shorter win or a longer defence, but not within two plies of the root.
        let may_overlook = self.width == Width::Reduced && self.known != Some(lines[0].score);
        let is_provisional = may_overlook && lines[0].score.distance().is_some_and(|plies| plies > 2);
        let of_win_or_loss = |score: Score, otherwise: Bound| match score.meaning() {
            Meaning::Win(_) => Bound::Lower,
            Meaning::Loss(_) if finished => Bound::Upper,
            _ => otherwise,
        };
        let bound = if is_provisional { of_win_or_loss(lines[0].score, bound) } else { bound };
        for (place, line) in lines.iter().enumerate() {
            // A win or loss beyond the depth of this iteration may be nearer, unless the probe knows its distance.
            let is_far = line.score.distance().is_some_and(|plies| plies > depth)
                && (place > 0 || self.known != Some(line.score))
                && self.value_by_probe(line.pv[0]) != Some(line.score);
            let is_far = is_far || (place > 0 && may_overlook && line.score.distance().is_some_and(|plies| plies > 2));
            let bound = if is_far { of_win_or_loss(line.score, bound) } else { bound };
            self.meter.report_line(place + 1, line, bound);
        }
        let is_solved = |(place, line): (usize, &Line<P::Move>)| match line.score.distance() {
            Some(plies) if plies > depth && place == 0 => self.known == Some(line.score),
            Some(plies) => plies <= depth || self.value_by_probe(line.pv[0]) == Some(line.score),
            None => line.proven || line.score.is_decisive(),
        };
        let is_solved = !is_provisional && lines.iter().enumerate().all(is_solved);
        let best = lines.remove(0);
        self.proofs.told();
        self.aspiration.learn(depth, best.score);
        let verdict = std::mem::replace(&mut self.verdict, Verdict::nothing());
        self.verdict = verdict.improved(best, lines, self.meter.depth, self.task.lines);
        (is_provisional, is_solved)
    }

    /// Runs the game's own proofs, and searches to the end of the game if it is near. Returns whether the best move was
    /// refuted; `None` if the search is over: the root is solved, a limit is reached, or the game is a draw.
    fn prove(&mut self) -> Option<bool> {
        let (task, knowledge, depth) = (self.task, self.knowledge, self.depth);
        // A solver's estimate is worth more than another iteration.
        while let Some((lines, is_solved)) = {
            let Deepening { meter, proofs, moves, .. } = &mut *self;
            proofs.solve(task, knowledge, meter, moves)
        } {
            self.tell_solved(lines, is_solved);
            if is_solved || !self.may_deepen() {
                return None;
            }
        }
        let Deepening { meter, proofs, moves, verdict, .. } = self;
        if depth < self.deepest
            && let Some(line) = proofs.seek(task, knowledge.evaluate, meter, moves, verdict.score)
        {
            self.tell(line, Bound::Exact);
        }
        let Deepening { meter, thread, proofs, moves, .. } = self;
        if let Some(line) = proofs.settle(task, knowledge, meter, thread, moves, depth) {
            let is_draw = line.proven;
            self.tell(line, Bound::Exact);
            self.verdict.nodes = self.meter.nodes;
            if is_draw {
                return None;
            }
        }
        let Deepening { meter, proofs, moves, verdict, .. } = self;
        // The first iteration only supplies a move to play.
        let refuted = depth > 1 && proofs.refute(task, knowledge.evaluate, meter, moves, verdict.pv[0]);
        verdict.nodes = meter.nodes;
        Some(refuted)
    }

    /// Reports the solver's lines and makes the best one the verdict.
    fn tell_solved(&mut self, mut lines: Vec<Line<P::Move>>, is_solved: bool) {
        if is_solved {
            self.meter.depth = self.meter.depth.max(lines[0].pv.len() as u32);
        }
        for (place, line) in lines.iter().enumerate() {
            self.meter.report_line(place + 1, line, Bound::Exact);
        }
        let best = lines.remove(0);
        let verdict = std::mem::replace(&mut self.verdict, Verdict::nothing());
        self.verdict = verdict.improved(best, lines, self.meter.depth, self.task.lines);
        self.verdict.nodes = self.meter.nodes;
    }

    /// Reports a line and makes it the verdict.
    fn tell(&mut self, line: Line<P::Move>, bound: Bound) {
        self.meter.report_line(1, &line, bound);
        let verdict = std::mem::replace(&mut self.verdict, Verdict::nothing());
        self.verdict = verdict.improved(line, Vec::new(), self.meter.depth, 1);
    }

    /// The exact value of a root move, if the game's probe knows it.
    fn value_by_probe(&self, mv: P::Move) -> Option<Score> {
        self.knowledge.probe(&self.task.root.after(mv)).map(|score| (-score).backed_up())
    }
}

/// The line to return if none of `moves` was searched: the move with the best move score, valued by the position after
/// it.
pub(super) fn at_a_glance<P, E, T>(task: &Task<P>, knowledge: Knowledge<'_, E, T>, moves: &[P::Move]) -> Line<P::Move>
where
    P: Position,
    E: Evaluate<P>,
    T: Probe<P>,
{
    let root = &task.root;
    let mut scores = vec![0; moves.len()];
    knowledge.evaluate.score_moves(root, &knowledge.evaluate.state(root), 1, moves, &mut scores);
    // The first of equal ones.
    let most = scores.iter().copied().max();
    let mv = moves[scores.iter().position(|&score| Some(score) == most).unwrap_or(0)];
    let next = root.after(mv);
    let mut path = Path::new(&task.history);
    path.play(root, root.hash(), &next);
    let repeats = || path.repeats::<P>(next.hash());
    let evaluate = knowledge.evaluate;
    let by_rules = || next.outcome().map(|end| evaluate.final_score(&next, end));
    let by_history = || next.outcome_by_history(repeats).map(|end| end.score_for(next.side_to_move()));
    let score = by_rules().or_else(by_history).unwrap_or_else(|| evaluate.evaluate(&next));
    Line { score: (-score).backed_up(), pv: vec![mv], proven: false }
}

/// Searches the root moves with growing aspiration windows until the value lies inside. A search that was stopped
/// returns a line that is better than all before, if it found one.
fn aspire<M: Clone>(
    aspiration: &Aspiration,
    depth: u32,
    takes_any_win: bool,
    mut root: impl FnMut(Window) -> Iteration<M>,
) -> Iteration<M> {
    let mut better: Option<Line<M>> = None;
    let mut iteration = aspiration.search(depth, takes_any_win, |window| {
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

/// Finds the best lines among `moves`, one after the other: `root` returns the best of the moves it is given. Moves the
/// first moves of the lines to the front, best first; for the textbook algorithms, `moves` keep the game's order.
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
    // A later line can score higher than an earlier one, through table entries.
    sort_few(&mut lines, |line| std::cmp::Reverse(line.score));
    for (place, line) in moves.iter_mut().zip(&lines) {
        *place = line.pv[0];
    }
    Ranking { lines, bound, finished }
}
