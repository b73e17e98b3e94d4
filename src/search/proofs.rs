//! What the game proves by its own means, and what the search makes of it.
//!
//! Floor 3, private to the search. After each iteration the game may spend a share of the nodes so far on proofs. A move that is
//! proven to win is the best one from then on, and the iterations only look for how soon it wins. Moves that are proven to
//! lose are set aside, as long as there are others; an iteration whose best move is one of them is done again without it.
//! Where the end of the game is near, the search looks through the whole tree for who wins, which is less than how soon, and
//! leaves the rest to the iterations. Nothing of this comes in where the value at a stated depth or further lines are asked for.

use super::alphabeta::{Memory, Tree, Width, Window};
use super::meter::Meter;
use super::smp::Role;
use super::{Algorithm, Iteration, Knowledge, Line, MAX_DEPTH, Task, Technique, Verdict};
use crate::game::{Evaluate, Position, Probe, Sighted};
use crate::score::{Meaning, Score};

/// The effort for a proof: one for so many nodes so far.
const SHARE: u64 = 2;

/// The whole tree is searched when so many times the depth of the last iteration reach its end.
const FAR_ENOUGH: u32 = 2;

/// At least so many nodes, which take nobody long.
const LEAST: u64 = 4_000;

/// The state of the game's own proofs in one search.
#[derive(Debug)]
pub(super) struct Proofs<M> {
    /// Whether a win is still to be looked for.
    wanted: bool,
    /// Who wins, once that is known: 1 for the side to move, -1 for the other.
    winner: i8,
    /// Whether the whole tree may be searched at once.
    to_the_end: bool,
    /// Whether the best move is held against the opponent's wins.
    doubted: bool,
    /// Root moves that lose.
    set_aside: Vec<M>,
}

impl<M: Copy + Eq> Proofs<M> {
    pub(super) fn new<P: Position>(task: &Task<P>, role: Role<'_>) -> Proofs<M> {
        let free = task.moves.is_empty() && task.lines == 1 && task.mate.is_none();
        let full = task.algorithm == Algorithm::AlphaBeta && task.selective;
        let wanted = free && full && task.techniques.has(Technique::Proofs) && !matches!(role, Role::Helper(..));
        let winner = 0;
        Proofs { wanted, winner, to_the_end: wanted, doubted: wanted, set_aside: Vec::new() }
    }

    /// The iterations have found who wins; how soon, they may have overlooked.
    pub(super) fn know(&mut self, score: Score) {
        self.winner = match score.meaning() {
            Meaning::Win(_) => 1,
            Meaning::Loss(_) => -1,
            _ => return,
        };
        (self.wanted, self.doubted) = (false, false);
    }

    /// Whether it is known who wins, and all that is left is to find out how soon.
    pub(super) fn know_the_winner(&self) -> bool {
        self.winner != 0
    }

    /// Whether the win of the verdict is as short as can be, now that no shallower iteration than this has found another. A
    /// loss has to be looked at once more, for the move that holds out longest.
    pub(super) fn are_done(&self, verdict: &Verdict<M>, depth: u32) -> bool {
        self.winner > 0 && matches!(verdict.score.meaning(), Meaning::Win(plies) if plies <= depth)
    }

    /// The window of an iteration, if it is not for the search to choose: it asks whether the game ends within the iteration.
    pub(super) fn window(&self, depth: u32) -> Option<Window> {
        match self.winner {
            0 => None,
            1.. => Some(Window { alpha: Score::win_in(depth + 1), beta: Score::INFINITY }),
            _ => Some(Window { alpha: Score::MINUS_INFINITY, beta: Score::loss_in(depth + 1) }),
        }
    }

    /// Whether the best line of an iteration tells anything new. If not, `moves` may have changed.
    pub(super) fn accept(&mut self, line: Option<&Line<M>>, moves: &mut Vec<M>, depth: u32) -> bool {
        match line.map(|line| line.score.meaning()) {
            Some(Meaning::Loss(_)) if !self.set_aside.is_empty() => {
                // All lose: what was set aside may hold out longer.
                moves.append(&mut self.set_aside);
                (self.wanted, self.doubted) = (false, false);
                false
            }
            Some(Meaning::Win(plies)) if self.winner > 0 => plies <= depth,
            Some(Meaning::Loss(plies)) if self.winner < 0 => plies <= depth,
            _ => self.winner == 0 || line.is_none(),
        }
    }

    /// Lets the game look for a win; it comes back as the best line. Moves that are found to lose are set aside.
    pub(super) fn seek<P, E>(
        &mut self,
        task: &Task<P>,
        evaluate: Sighted<'_, E>,
        meter: &mut Meter<'_, M>,
        moves: &mut Vec<M>,
    ) -> Option<Line<M>>
    where
        P: Position<Move = M>,
        E: Evaluate<P>,
    {
        if !self.wanted {
            return None;
        }
        // What must be met first, which is little work.
        let effort = effort(task, meter.nodes);
        let lost = evaluate.losing_moves(&task.root, &mut meter.allow(effort));
        let before = meter.nodes;
        let win = evaluate.winning_line(&task.root, &mut meter.allow(effort));
        // What did not use the effort up will find nothing else with more.
        self.wanted = meter.nodes - before == effort;
        if let Some(&best) = win.first() {
            self.wanted = false;
            self.doubted = false;
            self.winner = 1;
            moves.append(&mut self.set_aside);
            if let Some(place) = moves.iter().position(|&mv| mv == best) {
                moves[..=place].rotate_right(1);
            }
            return Some(Line { score: Score::known_win(), pv: win, complete: false });
        }
        if moves.iter().any(|mv| !lost.contains(mv)) {
            let (aside, rest): (Vec<M>, Vec<M>) = moves.iter().partition(|&mv| lost.contains(mv));
            self.set_aside.extend(aside);
            *moves = rest;
        }
        None
    }

    /// Lets the game look for a win of the opponent after the best move; if there is one, the move is set aside, and there are
    /// others.
    pub(super) fn refute<P, E>(
        &mut self,
        task: &Task<P>,
        evaluate: Sighted<'_, E>,
        meter: &mut Meter<'_, M>,
        moves: &mut Vec<M>,
        best: M,
    ) -> bool
    where
        P: Position<Move = M>,
        E: Evaluate<P>,
    {
        if !self.doubted {
            return false;
        }
        if self.set_aside.contains(&best) {
            return true;
        }
        let next = task.root.after(best);
        let effort = effort(task, meter.nodes);
        let lost = moves.len() > 1
            && next.outcome().is_none()
            && !evaluate.winning_line(&next, &mut meter.allow(effort)).is_empty();
        if lost {
            moves.retain(|&mv| mv != best);
            self.set_aside.push(best);
        }
        lost
    }

    /// Looks through the whole tree for who wins, if the search has come far enough for that and it takes no more nodes than
    /// there were so far. Tells the best line, whose length says nothing; that of
    /// a draw has the depth of the whole tree.
    pub(super) fn settle<P, E, T>(
        &mut self,
        task: &Task<P>,
        knowledge: Knowledge<'_, E, T>,
        meter: &mut Meter<'_, M>,
        memory: &mut Memory<M>,
        moves: &mut [M],
        depth: u32,
    ) -> Option<Line<M>>
    where
        P: Position<Move = M>,
        E: Evaluate<P>,
        T: Probe<P>,
    {
        let left = task.root.plies_left().filter(|&left| left > depth && left <= task.depth.min(MAX_DEPTH))?;
        if !self.to_the_end || self.winner != 0 || FAR_ENOUGH * depth < left {
            return None;
        }
        let limit = meter.allow_only(meter.nodes);
        let mut above = |alpha: Score| {
            let window = Window { alpha, beta: alpha.successor() };
            let Iteration { best, finished } =
                Tree::new(task, knowledge, meter, memory, Width::of(task)).root(left, moves, window);
            // The end may have been further than it seemed, and then all is open.
            best.filter(|line| finished && (line.complete || line.score.is_decided()))
                .map(|line| (line.score > alpha, line))
        };
        let line = match above(Score::DRAW) {
            Some((true, line)) => Some((1, Line { score: Score::known_win(), complete: false, ..line })),
            Some((false, _)) => above(Score::units(-1)).map(|(drawn, line)| match drawn {
                true => (0, Line { score: Score::DRAW, complete: true, ..line }),
                false => (-1, Line { score: Score::known_loss(), complete: false, ..line }),
            }),
            None => None,
        };
        meter.limit = limit;
        line.map(|(winner, line)| {
            self.winner = winner;
            self.doubted = false;
            if line.complete {
                meter.depth = left;
            }
            line
        })
    }
}

/// How many nodes a proof may take after so many: what is left of a limit is for the iterations too.
fn effort<P: Position>(task: &Task<P>, nodes: u64) -> u64 {
    LEAST.max(nodes / SHARE).min(task.nodes.saturating_sub(nodes) / 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn proofs() -> Proofs<u8> {
        Proofs { wanted: true, winner: 0, to_the_end: true, doubted: true, set_aside: Vec::new() }
    }

    #[test]
    fn a_win_that_is_known_is_looked_for_again_depth_by_depth() {
        let mut proofs = proofs();
        let verdict = |score| Verdict { score, depth: 9, ..Verdict::nothing() };
        assert!(!proofs.know_the_winner() && proofs.window(4).is_none());
        proofs.know(Score::win_in(7));
        assert!(proofs.know_the_winner());
        // Is there a win within four plies?
        assert_eq!(proofs.window(4), Some(Window { alpha: Score::win_in(5), beta: Score::INFINITY }));
        assert!(!proofs.are_done(&verdict(Score::win_in(7)), 6), "one within six may be found yet");
        assert!(proofs.are_done(&verdict(Score::win_in(7)), 7));
        assert!(!proofs.are_done(&verdict(Score::known_win()), 7), "its length is still to be found");
    }

    #[test]
    fn a_loss_that_is_known_is_looked_at_to_its_own_depth() {
        let mut proofs = proofs();
        proofs.know(Score::loss_in(6));
        assert_eq!(proofs.window(5), Some(Window { alpha: Score::MINUS_INFINITY, beta: Score::loss_in(6) }));
        assert!(!proofs.are_done(&Verdict { score: Score::loss_in(6), ..Verdict::nothing() }, 6));
        proofs.know(Score::units(3));
        assert!(proofs.know_the_winner(), "an estimate takes nothing back");
    }
}
