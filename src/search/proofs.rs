//! The game's own proofs and solver, and how the search uses them.
//!
//! Layer 3, private to the search. After each iteration, the game may spend a share of the nodes so far on proofs. A
//! move that is proven to win becomes the best one, and the following iterations only look for the shortest win. Moves
//! that are proven to lose are set aside while there are others; an iteration whose best move is one of them is
//! repeated without it. Near the end of the game one search of the whole tree finds who wins, in fewer nodes than the
//! distance takes; the iterations then find the distance. All this is off with `selective` off and in a search for a
//! mate. For several lines, given root moves, or a game that counts a margin, only the game's solver is used.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::channel;
use std::thread;

use super::alphabeta::{ALL_CHOSEN_LOSE, AlphaBeta, ThreadData};
use super::meter::Meter;
use super::reductions::Width;
use super::smp::{Role, SharedSearch};
use super::window::Window;
use super::{Algorithm, Iteration, Knowledge, Line, MAX_DEPTH, Stopped, Task, Technique, Verdict};
use crate::game::{
    Candidates, Evaluate, EvaluationMode, Evaluator, Objective, Position, Probe, Solution, SolverMeans, sort_few,
};
use crate::score::{Bound, Meaning, Score};

/// The whole tree is searched once this many times the depth of the last iteration reaches the end of the game.
const FAR_ENOUGH: u32 = 2;

/// If the search expects a win, a proof may take at least one node per `LIKELY_SHARE` nodes before it.
const LIKELY_SHARE: u64 = 2;

/// The least effort for the game's own solver, in nodes; a position costs the solver less than the search.
const LEAST_TO_SOLVE: u64 = 16_000;

/// The solver's table takes this fraction of the transposition table's memory, in addition to it.
const SOLVER_MEMORY: usize = 2;

/// The stack of the solver's thread, in bytes.
const SOLVER_STACK: usize = 8 << 20;

/// What the iterations search for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Goal {
    /// The best move.
    BestMove,
    /// The shortest win; the side to move is known to win. `is_told`: whether the last reported line is final so far,
    /// not only a bound.
    ShortestWin { is_told: bool },
    /// The longest defence; the side to move is known to lose.
    LongestDefence,
}

impl Goal {
    /// Whether the winner is known and only the distance is left to find.
    pub(super) fn is_distance(self) -> bool {
        self != Goal::BestMove
    }

    /// The window of an iteration at full width. If the winner is known, it tests whether the game ends within `depth`
    /// plies.
    pub(super) fn window(self, depth: u32) -> Window {
        match self {
            Goal::BestMove => Window::FULL,
            Goal::ShortestWin { .. } => Window { alpha: Score::win_in(depth + 1), beta: Score::INFINITY },
            Goal::LongestDefence => Window { alpha: Score::MINUS_INFINITY, beta: Score::loss_in(depth + 1) },
        }
    }
}

/// Which proofs the game still tries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Asked {
    Nothing,
    /// The opponent's wins after the best move.
    Refutations,
    /// The wins of the side to move, too.
    Wins,
}

/// Whether the game's own solver starts with an empty table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Fresh(bool);

/// The goal, and the state of the game's own proofs.
#[derive(Debug)]
pub(super) struct Proofs<M> {
    pub(super) goal: Goal,
    asked: Asked,
    /// Whether the whole tree may be searched for the winner.
    to_the_end: bool,
    /// `None` if the game's own solver is off; `Fresh(true)` until its first use in this search.
    solver: Option<Fresh>,
    /// The number of positions that the solver has searched.
    solved: u64,
    /// The effort of the solver's last run.
    tried: u64,
    /// Root moves that lose, or that the game did not choose. They are searched again when all others lose.
    set_aside: Vec<M>,
}

impl<M: Copy + Eq> Proofs<M> {
    pub(super) fn new<P: Position>(task: &Task<P>, role: Role<'_>, objective: Objective) -> Proofs<M> {
        let free = task.moves.is_empty() && task.lines == 1 && task.mate.is_none();
        let full = task.algorithm == Algorithm::AlphaBeta && task.selective;
        let proves = full && task.techniques.has(Technique::Proofs) && !matches!(role, Role::Helper(_));
        // These proofs only tell who wins.
        let allowed = free && proves && objective == Objective::Result;
        let asked = if allowed { Asked::Wins } else { Asked::Nothing };
        let solver = (proves && task.mate.is_none()).then_some(Fresh(true));
        Proofs { goal: Goal::BestMove, asked, to_the_end: allowed, solver, solved: 0, tried: 0, set_aside: Vec::new() }
    }

    /// Sets the goal to the distance if the score is decisive. `is_told`: whether its line was reported as final.
    pub(super) fn know_winner(&mut self, score: Score, is_told: bool) {
        self.goal = match score.meaning() {
            Meaning::Win(_) | Meaning::KnownWin(_) => Goal::ShortestWin { is_told },
            Meaning::Loss(_) | Meaning::KnownLoss(_) => Goal::LongestDefence,
            Meaning::Units(_) => return,
        };
        self.asked = Asked::Nothing;
    }

    /// Adds the root moves that were set aside to the others; one of them may win sooner.
    pub(super) fn bring_back(&mut self, moves: &mut Vec<M>) {
        moves.append(&mut self.set_aside);
    }

    /// Records that the line of an iteration was reported.
    pub(super) fn told(&mut self) {
        if let Goal::ShortestWin { is_told } = &mut self.goal {
            *is_told = true;
        }
    }

    /// Whether the win of the verdict is the shortest one, given that no iteration of less than `depth` plies found a
    /// shorter one. A loss needs one more iteration, for the move that holds out longest.
    pub(super) fn are_done(&self, verdict: &Verdict<M>, depth: u32) -> bool {
        let is_near = matches!(verdict.score.meaning(), Meaning::Win(plies) if plies <= depth);
        is_near && matches!(self.goal, Goal::ShortestWin { .. })
    }

    /// Whether the best line of an iteration is news; if not, `moves` may have changed. If the winner is known, an
    /// iteration at full width only proves results `within` its depth. One with reductions has no such limit (`None`),
    /// and is news if its win is shorter than `known`, or its loss no longer.
    pub(super) fn accept(
        &mut self,
        line: Option<&Line<M>>,
        moves: &mut Vec<M>,
        within: Option<u32>,
        known: Option<Score>,
    ) -> bool {
        let Some(line) = line else { return true };
        match (line.score.meaning(), self.goal) {
            (Meaning::Loss(_), _) if !self.set_aside.is_empty() => {
                // All moves lose; one that was set aside may hold out longer.
                self.bring_back(moves);
                self.asked = Asked::Nothing;
                false
            }
            (Meaning::Win(plies), Goal::ShortestWin { .. }) => {
                within.map_or(known.is_none_or(|known| line.score > known), |within| plies <= within)
            }
            (Meaning::Loss(plies), Goal::LongestDefence) => {
                within.map_or(known.is_none_or(|known| line.score <= known), |within| plies <= within)
            }
            (_, goal) => goal == Goal::BestMove,
        }
    }

    /// Lets the game choose and order the root moves; the others are set aside.
    pub(super) fn choose<P, E>(&mut self, task: &Task<P>, evaluate: Evaluator<'_, E>, moves: &mut Vec<M>)
    where
        P: Position<Move = M>,
        E: Evaluate<P>,
    {
        let free = task.moves.is_empty() && task.techniques.has(Technique::Candidates);
        if !E::CHOOSES || !free || Width::of(task) != Width::Reduced || evaluate.mode() != EvaluationMode::Full {
            return;
        }
        let (mut chosen, mut scores) = (Vec::new(), Vec::new());
        let state = evaluate.state(&task.root);
        if evaluate.candidates(&task.root, &state, MAX_DEPTH, &mut chosen, &mut scores) != Candidates::All {
            let mut order: Vec<(i32, M)> = scores.into_iter().zip(chosen).collect();
            sort_few(&mut order, |&(score, _)| std::cmp::Reverse(score));
            let chosen: Vec<M> = order.into_iter().map(|(_, mv)| mv).collect();
            self.set_aside = moves.iter().copied().filter(|mv| !chosen.contains(mv)).collect();
            *moves = chosen;
        }
    }

    /// Lets the game search for a win, with more effort if the verdict so far expects one. A win is returned as the
    /// best line. Moves that are found to lose are set aside.
    pub(super) fn seek<P, E>(
        &mut self,
        task: &Task<P>,
        evaluate: Evaluator<'_, E>,
        meter: &mut Meter<'_, M>,
        moves: &mut Vec<M>,
        verdict: Score,
    ) -> Option<Line<M>>
    where
        P: Position<Move = M>,
        E: Evaluate<P>,
    {
        if self.asked != Asked::Wins {
            return None;
        }
        let share = if verdict >= -ALL_CHOSEN_LOSE { LIKELY_SHARE.min(E::PROOF_SHARE) } else { E::PROOF_SHARE };
        // First the moves that lose to a threat, which takes little effort.
        let effort = effort::<P, E>(task, meter.nodes, share);
        let lost = evaluate.losing_moves(&task.root, &mut meter.allow(effort));
        let before = meter.nodes;
        let win = evaluate.winning_line(&task.root, &mut meter.allow(effort));
        // A proof search that did not use up its effort finds nothing more with a larger one.
        if meter.nodes - before < effort {
            self.asked = Asked::Refutations;
        }
        if let Some(&best) = win.first() {
            self.know_winner(Score::known_win(), true);
            self.bring_back(moves);
            if let Some(place) = moves.iter().position(|&mv| mv == best) {
                moves[..=place].rotate_right(1);
            }
            return Some(Line { score: Score::known_win(), pv: win, proven: false });
        }
        if moves.iter().any(|mv| !lost.contains(mv)) {
            let (aside, rest): (Vec<M>, Vec<M>) = moves.iter().partition(|&mv| lost.contains(mv));
            self.set_aside.extend(aside);
            *moves = rest;
        }
        None
    }

    /// Lets the game search for a win of the opponent after the best move. Such a move is set aside if there are
    /// others. Returns whether the best move is now set aside.
    pub(super) fn refute<P, E>(
        &mut self,
        task: &Task<P>,
        evaluate: Evaluator<'_, E>,
        meter: &mut Meter<'_, M>,
        moves: &mut Vec<M>,
        best: M,
    ) -> bool
    where
        P: Position<Move = M>,
        E: Evaluate<P>,
    {
        if self.asked == Asked::Nothing {
            return false;
        }
        if self.set_aside.contains(&best) {
            return true;
        }
        let next = task.root.after(best);
        let effort = effort::<P, E>(task, meter.nodes, E::PROOF_SHARE);
        let lost = moves.len() > 1
            && next.outcome().is_none()
            && !evaluate.winning_line(&next, &mut meter.allow(effort)).is_empty();
        if lost {
            moves.retain(|&mv| mv != best);
            self.set_aside.push(best);
        }
        lost
    }

    /// Lets the game's own solver search to the end of the game once its effort, a share of the search's, may be
    /// enough; without a limit of its own once the winner is known. Returns as many lines as the task asks for, best
    /// first, and whether all are exact. A likely result is returned as an estimate, and a win of unknown length as a
    /// known win.
    pub(super) fn solve<P, E, T>(
        &mut self,
        task: &Task<P>,
        knowledge: Knowledge<'_, E, T>,
        meter: &mut Meter<'_, M>,
        moves: &[M],
    ) -> Option<(Vec<Line<M>>, bool)>
    where
        P: Position<Move = M>,
        E: Evaluate<P>,
        T: Probe<P>,
    {
        let mut cost = knowledge.evaluate.solver_cost(&task.root)?;
        task.root.plies_left().filter(|&left| left <= task.depth.min(MAX_DEPTH))?;
        self.solver?;
        let rest = |meter: &Meter<'_, M>| task.nodes.saturating_sub(meter.nodes);
        let own = meter.nodes.saturating_sub(self.solved);
        let mut effort = (E::SOLVER_SHARE * own).max(LEAST_TO_SOLVE).min(rest(meter) / 2);
        let is_alone = task.lines == 1 && task.moves.is_empty();
        if !is_alone {
            // The position after each move costs about half as much.
            cost = cost / 2 * moves.len() as u64;
        }
        if is_alone && self.goal.is_distance() {
            effort = rest(meter);
        } else if effort < cost / 2 {
            return None;
        }
        // The solver starts over each time, so the effort must have doubled.
        if effort < self.tried.saturating_mul(2) {
            return None;
        }
        self.tried = effort;
        if is_alone {
            let mut solution = self.ask(&task.root, knowledge, meter, &mut effort)?;
            if solution.proven == Some(Bound::Upper) && solution.score < Score::DRAW && solution.score.is_decisive() {
                // Only the length of the loss is left to find.
                effort = rest(meter);
                solution = self.ask(&task.root, knowledge, meter, &mut effort)?;
            }
            let Solution { score, proven, line, .. } = solution;
            let wins = score > Score::DRAW && score.is_decisive();
            return match proven {
                Some(Bound::Exact) => Some((vec![Line { score, pv: line, proven: true }], true)),
                None => Some((vec![Line { score, pv: line, proven: false }], false)),
                Some(Bound::Lower) if wins && !self.goal.is_distance() => {
                    self.know_winner(score, true);
                    Some((vec![Line { score: Score::known_win(), pv: line, proven: false }], false))
                }
                // The iterations know as much as this bound.
                Some(Bound::Lower | Bound::Upper) => None,
            };
        }
        let mut lines = Vec::new();
        for &mv in moves {
            let next = task.root.after(mv);
            let line = match next.outcome() {
                Some(outcome) => {
                    let score = knowledge.evaluate.final_score(&next, outcome);
                    Line { score: (-score).backed_up(), pv: vec![mv], proven: true }
                }
                None => {
                    let Solution { score, proven, line, .. } = self.ask(&next, knowledge, meter, &mut effort)?;
                    proven.filter(|&bound| bound == Bound::Exact)?;
                    Line { score: (-score).backed_up(), pv: [&[mv], &line[..]].concat(), proven: true }
                }
            };
            lines.push(line);
        }
        sort_few(&mut lines, |line| std::cmp::Reverse(line.score));
        lines.truncate(task.lines);
        Some((lines, true))
    }

    /// Runs the game's own solver on a position and takes the positions it searched from `effort`.
    fn ask<P, E, T>(
        &mut self,
        position: &P,
        knowledge: Knowledge<'_, E, T>,
        meter: &mut Meter<'_, M>,
        effort: &mut u64,
    ) -> Option<Solution<M>>
    where
        P: Position<Move = M>,
        E: Evaluate<P>,
    {
        let fresh = self.solver == Some(Fresh(true));
        self.solver = Some(Fresh(false));
        let before = meter.nodes;
        let bytes = knowledge.tt.bytes() / SOLVER_MEMORY;
        let solution = solve_beside(position, knowledge.evaluate, meter, [*effort, bytes as u64], fresh);
        let taken = meter.nodes - before;
        self.solved += taken;
        *effort = effort.saturating_sub(taken);
        solution
    }

    /// Searches the whole tree for the winner, if the search is deep enough for that; takes at most as many nodes as
    /// the search so far. Returns the best line, whose length means nothing. The depth of a draw is that of the whole
    /// tree.
    pub(super) fn settle<P, E, T>(
        &mut self,
        task: &Task<P>,
        knowledge: Knowledge<'_, E, T>,
        meter: &mut Meter<'_, M>,
        thread: &mut ThreadData<M>,
        moves: &mut [M],
        depth: u32,
    ) -> Option<Line<M>>
    where
        P: Position<Move = M>,
        E: Evaluate<P>,
        T: Probe<P>,
    {
        let left = task.root.plies_left().filter(|&left| left > depth && left <= task.depth.min(MAX_DEPTH))?;
        // If the game's own solver has not found it, this search will not either.
        if !self.to_the_end || self.solved > 0 || self.goal.is_distance() || FAR_ENOUGH * depth < left {
            return None;
        }
        let limit = meter.allow_only(meter.nodes);
        let mut above = |alpha: Score| {
            let window = Window { alpha, beta: alpha.successor() };
            let Iteration { best, finished } = AlphaBeta::new(task, knowledge, meter, thread, Width::of(task))
                .at_all_moves()
                .root(left, moves, window);
            // The game may last longer than `plies_left` said; then the result is open.
            best.filter(|line| finished && (line.proven || line.score.is_decisive()))
                .map(|line| (line.score > alpha, line))
        };
        let line = match above(Score::DRAW) {
            Some((true, line)) => Some(Line { score: Score::known_win(), proven: false, ..line }),
            Some((false, _)) => above(Score::units(-1)).map(|(drawn, line)| match drawn {
                true => Line { score: Score::DRAW, proven: true, ..line },
                false => Line { score: Score::known_loss(), proven: false, ..line },
            }),
            None => None,
        };
        meter.limit = limit;
        line.inspect(|line| {
            self.know_winner(line.score, true);
            if line.proven {
                meter.depth = left;
            }
        })
    }
}

/// Runs the game's own solver on its own threads for at most `effort` positions, while this thread polls the observer.
/// Returns the solver's last result. `bytes` is the memory of the solver's table.
fn solve_beside<P, E>(
    position: &P,
    evaluate: Evaluator<'_, E>,
    meter: &mut Meter<'_, P::Move>,
    [effort, bytes]: [u64; 2],
    fresh: bool,
) -> Option<Solution<P::Move>>
where
    P: Position,
    E: Evaluate<P>,
{
    let effort = meter.set_aside(effort);
    let shared = meter.shared().filter(|_| E::SOLVER_THREADS);
    let _resting = shared.map(SharedSearch::let_rest);
    let threads = shared.map_or(1, SharedSearch::threads);
    let (halt, looked_at) = (AtomicBool::new(false), AtomicU64::new(0));
    let (sender, receiver) = channel();
    let mut last = None;
    thread::scope(|scope| {
        let (halt, looked_at) = (&halt, &looked_at);
        let solve = move || {
            let stop = |nodes: u64| {
                let _ = sender.send(None);
                looked_at.fetch_add(nodes, Ordering::Relaxed) + nodes >= effort || halt.load(Ordering::Relaxed)
            };
            let means = SolverMeans { threads, bytes: bytes as usize, fresh, stop: &stop };
            evaluate.solve(position, means, &mut |solution| {
                let _ = sender.send(Some(solution));
            });
        };
        let started = thread::Builder::new().name("solver".into()).stack_size(SOLVER_STACK).spawn_scoped(scope, solve);
        let Ok(solver) = started else { return };
        // Each time the solver polls, this thread polls the observer. The channel closes when the solver ends.
        for news in receiver {
            match news {
                Some(solution) => last = Some(solution),
                None => {
                    if let Err(Stopped) = meter.work_between(u64::MAX) {
                        halt.store(true, Ordering::Relaxed);
                    }
                }
            }
        }
        if let Err(panic) = solver.join() {
            resume_unwind(panic);
        }
    });
    meter.add(looked_at.into_inner().min(effort));
    last
}

/// The nodes that a proof may take: one per `share` nodes so far, at least `PROOF_LEAST`, and at most a quarter of what
/// is left of the limit.
fn effort<P: Position, E: Evaluate<P>>(task: &Task<P>, nodes: u64, share: u64) -> u64 {
    E::PROOF_LEAST.max(nodes / share).min(task.nodes.saturating_sub(nodes) / 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn proofs() -> Proofs<u8> {
        Proofs {
            goal: Goal::BestMove,
            asked: Asked::Wins,
            to_the_end: true,
            solver: None,
            solved: 0,
            tried: 0,
            set_aside: Vec::new(),
        }
    }

    fn line(score: Score) -> Line<u8> {
        Line { score, pv: vec![0], proven: false }
    }

    #[test]
    fn a_win_that_is_known_is_looked_for_again_depth_by_depth() {
        let mut proofs = proofs();
        let verdict = |score| Verdict { score, depth: 9, ..Verdict::nothing() };
        assert!(!proofs.goal.is_distance() && proofs.goal.window(4) == Window::FULL);
        proofs.know_winner(Score::win_in(7), false);
        assert_eq!((proofs.goal, proofs.asked), (Goal::ShortestWin { is_told: false }, Asked::Nothing));
        // The window asks whether there is a win within four plies.
        assert_eq!(proofs.goal.window(4), Window { alpha: Score::win_in(5), beta: Score::INFINITY });
        assert!(!proofs.accept(Some(&line(Score::win_in(5))), &mut vec![0], Some(4), None), "not within four");
        assert!(!proofs.are_done(&verdict(Score::win_in(7)), 6), "one within six may be found yet");
        assert!(proofs.are_done(&verdict(Score::win_in(7)), 7));
        assert!(!proofs.are_done(&verdict(Score::known_win()), 7), "its length is still to be found");
        assert!(proofs.accept(Some(&line(Score::win_in(5))), &mut vec![0], Some(5), None));
        proofs.told();
        assert_eq!(proofs.goal, Goal::ShortestWin { is_told: true });
    }

    #[test]
    fn a_loss_that_is_known_is_looked_at_to_its_own_depth() {
        let mut proofs = proofs();
        proofs.know_winner(Score::loss_in(6), false);
        let within_five = Window { alpha: Score::MINUS_INFINITY, beta: Score::loss_in(6) };
        assert_eq!(proofs.goal.window(5), within_five);
        assert!(!proofs.are_done(&Verdict { score: Score::loss_in(6), ..Verdict::nothing() }, 6));
        proofs.know_winner(Score::units(3), true);
        assert_eq!(proofs.goal, Goal::LongestDefence, "an estimate takes nothing back");
    }

    #[test]
    fn moves_that_were_set_aside_come_back_when_all_lose() {
        let mut proofs = proofs();
        proofs.set_aside = vec![7, 8];
        let mut moves = vec![1];
        assert!(proofs.accept(Some(&line(Score::units(-3))), &mut moves, Some(4), None));
        assert!(!proofs.accept(Some(&line(Score::loss_in(4))), &mut moves, Some(4), None));
        assert_eq!((moves, proofs.asked), (vec![1, 7, 8], Asked::Nothing));
        assert!(proofs.accept(Some(&line(Score::loss_in(4))), &mut vec![1], Some(4), None), "now it is the truth");
    }
}
