//! Monte Carlo tree search: UCT over a tree without transpositions, with proofs. Layer 3.
//!
//! A visit descends by UCB1 to a leaf, values it and backs the value up; a visit counts as a node. Values are from -1
//! to 1, for the side to move. A leaf's value is the evaluation, squashed by a scale from random play; if the
//! evaluation is the same for all positions, it is a random play-out. Score bounds prove results. A node is one line of
//! play, so a repetition counts as a proof like any other end of the game. (Rejected: play-outs elsewhere. Awalé, 24
//! games at 20 ms: 0-24 to the end, 1-23 cut after 30 plies, 0-24 after 4; gomoku, 10 games at 30 ms: 1-9 to the end,
//! 4-6 after 4 plies.)
//! CITE: L. Kocsis, C. Szepesvári, "Bandit based Monte-Carlo planning", 2006; M. Winands, Y. Björnsson, J.-T. Saito,
//! "Monte-Carlo tree search solver", 2008; T. Cazenave, A. Saffidine, "Score bounded Monte-Carlo tree search", 2010.

use std::ops::Range;
use std::thread;

use super::{Knowledge, Line, MAX_DEPTH, Meter, Path, Stopped, Task, Verdict, at_a_glance};
use crate::game::{Evaluate, Outcome, Position, Probe, SplitMix64, sort_few};
use crate::score::{Bound, Meaning, Score};

/// The seed of the random generator in every search. LAW 10: the same commands build the same tree.
const SEED: u64 = 0x6772_696f_7421;

/// The exploration constant of UCB1, for values from -1 to 1.
///
/// Awalé, 24 games at 20 ms: 16-8 against 0.1, 15-9 against 0.35. Gomoku, 10 games at 30 ms: 3-7 and 8-2.
const EXPLORATION: f64 = 0.2;

/// An evaluation of this many times the mean change by a random move has the value of half a win. Ten times made no
/// difference (awalé, 24 games at 20 ms: 11-13).
const SWINGS_PER_HALF_WIN: f64 = 4.0;

/// The number and length in plies of the random lines that measure the mean change by a random move.
const SAMPLE_LINES: usize = 16;
const SAMPLE_PLIES: usize = 16;

/// A play-out of this many plies counts as a draw.
const PLAYOUT_PLIES: u32 = 512;

/// The visits between two checks of the best line: an eighth of all so far, but within this range.
const LOOK_EVERY: (u64, u64) = (16, 512);

/// With a `mate` limit, the search gives up once the best line is this many plies longer than the limit.
const BEYOND_MATE: u32 = 8;

/// The number of nodes that can be scanned in the time of one visit.
const LOOKED_AT: usize = 64;

/// The system takes a while to reclaim more bytes than this.
const LARGE: usize = 64 << 20;

/// A position of the tree, reached by one line of moves only.
#[derive(Debug, Clone, Copy)]
struct Node<M> {
    /// The sum of the values of its visits, for the side to move here; before the first one, the value of the evaluation.
    sum: f64,
    visits: u32,
    /// The index of its first child; its children are contiguous and come after it. 0 for a leaf.
    first: u32,
    /// The number of its children; 0 for a leaf.
    children: u32,
    /// The true value is at least this.
    low: Score,
    /// The true value is at most this.
    high: Score,
    /// The move that leads here; arbitrary at the root.
    mv: M,
}

impl<M> Node<M> {
    /// Whether the result is proven; its distance may be open.
    fn is_settled(&self) -> bool {
        self.low == self.high
            || (self.low > Score::DRAW && self.low.is_decisive())
            || (self.high < Score::DRAW && self.high.is_decisive())
    }

    /// The result of a settled node, with the distance that the winner can force.
    fn proven(&self) -> Score {
        if self.low > Score::DRAW { self.low } else { self.high }
    }

    /// The mean value of its visits, or the evaluation before the first one.
    fn mean(&self) -> f64 {
        self.sum / f64::from(self.visits.max(1))
    }

    fn child_range(&self) -> Range<usize> {
        self.first as usize..(self.first + self.children) as usize
    }
}

/// The tree, and the data to grow it.
struct Tree<'a, P: Position, E, T> {
    root: &'a P,
    knowledge: Knowledge<'a, E, T>,
    /// The root comes first.
    nodes: Vec<Node<P::Move>>,
    /// The most nodes the tree may have.
    capacity: usize,
    /// Whether the tree is full and cannot be pruned.
    full: bool,
    path: Path,
    generator: SplitMix64,
    /// The score, in units, with the value of half a win; 0 if the evaluation is the same for all positions.
    scale: f64,
    /// The nodes of the current visit, the root first.
    line: Vec<usize>,
    moves: Vec<P::Move>,
    table_hits: u64,
}

/// Searches `task` among `moves`, which must not be empty. The first check of the best line comes after as many visits
/// as there are moves.
pub(super) fn search<P, E, T>(
    task: &Task<P>,
    knowledge: Knowledge<'_, E, T>,
    moves: &[P::Move],
    meter: &mut Meter<'_, P::Move>,
) -> Verdict<P::Move>
where
    P: Position,
    E: Evaluate<P>,
    T: Probe<P>,
{
    let mut verdict = Verdict::nothing();
    let mut tree = Tree::new(task, knowledge, moves);
    let mut stopped = tree.plant(moves, meter).is_err();
    let deepest = task.depth.min(task.mate.map_or(MAX_DEPTH, |plies| plies.saturating_add(BEYOND_MATE)));
    meter.start(1);
    let mut next_look = moves.len() as u64;
    loop {
        let ply = tree.line.len().saturating_sub(1) as u32;
        stopped = stopped || meter.count(ply).is_err() || tree.visit(meter).is_err();
        let root = &tree.nodes[0];
        let settled = root.is_settled() || root.children == 0;
        if !stopped && !settled && meter.nodes < next_look {
            continue;
        }
        // The question of the mate is settled: there is such a win, or there is none.
        let mate = task.mate.map(Score::win_in).is_some_and(|win| root.low >= win || root.high < win);
        let mut lines = tree.best_lines(task.lines);
        let bound = if lines.is_empty() { Bound::Lower } else { Bound::Exact };
        if lines.is_empty() {
            lines.push(at_a_glance(task, knowledge, moves));
        }
        let best = lines.remove(0);
        let depth = best.pv.len() as u32;
        let is_limited = task.depth < MAX_DEPTH || task.mate.is_some();
        let done = stopped
            || settled
            || mate
            || depth >= deepest
            || meter.is_spent()
            || (is_limited && tree.full)
            || !meter.another_iteration();
        meter.go_on(depth, tree.permille_full(), tree.table_hits);
        verdict.nodes = meter.nodes;
        if depth > verdict.depth
            || best.pv.first() != verdict.pv.first()
            || (done && (best.score, &best.pv, &lines) != (verdict.score, &verdict.pv, &verdict.others))
        {
            for (place, line) in std::iter::once(&best).chain(&lines).enumerate() {
                meter.report_line(place + 1, line, bound);
            }
            verdict = Verdict { score: best.score, depth, pv: best.pv, nodes: meter.nodes, others: lines };
        }
        if done {
            let_go(tree.nodes);
            return verdict;
        }
        next_look = meter.nodes + (meter.nodes / 8).clamp(LOOK_EVERY.0, LOOK_EVERY.1);
    }
}

impl<'a, P, E, T> Tree<'a, P, E, T>
where
    P: Position,
    E: Evaluate<P>,
    T: Probe<P>,
{
    /// The root alone. Reserves as much memory as the transposition table has.
    fn new(task: &'a Task<P>, knowledge: Knowledge<'a, E, T>, moves: &[P::Move]) -> Self {
        // A third is for the copy made by pruning.
        let budget = knowledge.tt.bytes() / size_of::<Node<P::Move>>();
        let mut capacity = (budget / 3 * 2).min(u32::MAX as usize);
        let mut nodes = Vec::new();
        // The system supplies pages as they are written. If it cannot reserve as much, try less.
        while nodes.try_reserve_exact(capacity).is_err() {
            capacity /= 2;
        }
        let (low, high) = (-Score::INFINITY, Score::INFINITY);
        nodes.push(Node { sum: 0.0, visits: 0, first: 0, children: 0, low, high, mv: moves[0] });
        Tree {
            root: &task.root,
            knowledge,
            nodes,
            capacity,
            full: false,
            path: Path::new(&task.history),
            generator: SplitMix64::new(SEED),
            scale: 0.0,
            line: Vec::new(),
            moves: Vec::new(),
            table_hits: 0,
        }
    }

    /// Measures the scale and expands the root.
    fn plant(&mut self, moves: &[P::Move], meter: &mut Meter<'_, P::Move>) -> Result<(), Stopped> {
        self.scale = self.measure_scale(meter)?;
        self.moves.extend_from_slice(moves);
        self.expand(0, self.root, meter).map(|_| ())
    }

    /// Measures [`Tree::scale`] by random lines.
    fn measure_scale(&mut self, meter: &mut Meter<'_, P::Move>) -> Result<f64, Stopped> {
        let (mut sum, mut count) = (0.0, 0_u32);
        for _ in 0..SAMPLE_LINES {
            let mut position = self.root.clone();
            let mut before = self.knowledge.evaluate.evaluate(&position).meaning();
            for _ in 0..SAMPLE_PLIES {
                self.play_random(&mut position);
                if position.outcome().is_some() {
                    break;
                }
                let after = self.knowledge.evaluate.evaluate(&position).meaning();
                if let (Meaning::Units(before), Meaning::Units(after)) = (before, after) {
                    sum += f64::from((before + after).abs());
                    count += 1;
                }
                before = after;
                meter.work_between(1 + (self.moves.len() / LOOKED_AT) as u64)?;
            }
        }
        self.moves.clear();
        Ok(SWINGS_PER_HALF_WIN * sum / f64::from(count.max(1)))
    }

    /// Plays a random move in `position`; the game must not be over.
    fn play_random(&mut self, position: &mut P) -> P::Move {
        self.moves.clear();
        position.generate(&mut self.moves);
        let mv = self.moves[self.generator.below(self.moves.len())];
        position.play(mv);
        mv
    }

    /// Converts a score to a value: a hyperbola with 0 at a draw and half a win at [`Tree::scale`].
    ///
    /// It uses no logarithms or exponentials, whose last bits differ between machines.
    fn value(&self, score: Score) -> f64 {
        match score.meaning() {
            Meaning::Win(_) | Meaning::KnownWin(_) => 1.0,
            Meaning::Loss(_) | Meaning::KnownLoss(_) => -1.0,
            Meaning::Units(0) => 0.0,
            Meaning::Units(units) => f64::from(units) / (f64::from(units).abs() + self.scale),
        }
    }

    /// The inverse of [`Tree::value`] for estimates.
    fn score(&self, value: f64) -> Score {
        // Without a scale, 100 units are half a win.
        let scale = if self.scale > 0.0 { self.scale } else { 100.0 };
        Score::units((scale * value / (1.0 - value.abs()).max(1e-3)) as i32)
    }

    /// How full the tree is, in thousandths.
    fn permille_full(&self) -> u32 {
        (self.nodes.len() * 1000 / self.capacity.max(1)) as u32
    }

    /// Makes one visit. A stopped visit does not change the tree's values.
    fn visit(&mut self, meter: &mut Meter<'_, P::Move>) -> Result<(), Stopped> {
        let start = self.path.len();
        let value = self.descend(meter);
        self.undo_to(start);
        let (value, changed_at) = value?;
        self.carry_up(value, changed_at);
        Ok(())
    }

    /// Descends to a leaf, which may be expanded. Returns its value, and the index on the line at which bounds have
    /// changed.
    fn descend(&mut self, meter: &mut Meter<'_, P::Move>) -> Result<(f64, usize), Stopped> {
        let mut position = self.root.clone();
        let start = self.path.len();
        let mut at = 0;
        // The index on the line at which bounds have changed; the nodes above need an update.
        let mut changed_at = 0;
        self.line.clear();
        self.line.push(at);
        loop {
            let node = self.nodes[at];
            if node.is_settled() {
                return Ok((self.value(node.proven()), changed_at));
            }
            if node.children > 0 {
                meter.work(u64::from(node.children) / LOOKED_AT as u64);
                at = self.select(at);
                let mv = self.nodes[at].mv;
                let next = position.after(mv);
                self.path.play(&position, position.hash(), &next);
                position = next;
                self.line.push(at);
                continue;
            }
            // A leaf is expanded on its second visit.
            if node.visits > 0 && !self.full {
                self.moves.clear();
                position.generate(&mut self.moves);
                if self.expand(at, &position, meter)? {
                    changed_at = self.line.len() - 1;
                    continue;
                }
                if self.prune(meter)? {
                    // Pruning has moved the nodes of this line.
                    self.undo_to(start);
                    return self.descend(meter);
                }
            }
            let value = if self.scale > 0.0 { node.mean() } else { self.play_out(position, meter)? };
            return Ok((value, changed_at));
        }
    }

    /// Backs up the value of a leaf along the line, and the bounds from `changed_at` on.
    fn carry_up(&mut self, mut value: f64, mut changed_at: usize) {
        for i in (0..self.line.len()).rev() {
            let at = self.line[i];
            if i < changed_at && !self.update_bounds(at) {
                changed_at = 0;
            }
            let node = &self.nodes[at];
            if node.is_settled() {
                value = self.value(node.proven());
            }
            let node = &mut self.nodes[at];
            if node.visits == 0 {
                node.sum = 0.0;
            }
            node.sum += value;
            node.visits = node.visits.saturating_add(1);
            value = -value;
        }
    }

    fn undo_to(&mut self, len: usize) {
        while self.path.len() > len {
            self.path.undo();
        }
    }

    /// The child to visit: by UCB1 among those that may still be better than the proven bound. The evaluation counts as
    /// the first visit of a child without visits, in the upper bound too.
    fn select(&self, at: usize) -> usize {
        let parent = &self.nodes[at];
        let log = log2(parent.visits.max(1)) * std::f64::consts::LN_2;
        let mut best = parent.first as usize;
        let mut highest = f64::NEG_INFINITY;
        for index in parent.child_range() {
            let child = &self.nodes[index];
            if child.is_settled() || (-child.low).backed_up() <= parent.low {
                continue;
            }
            let upper = EXPLORATION * (log / f64::from(child.visits.max(1))).sqrt() - child.mean();
            if upper > highest {
                highest = upper;
                best = index;
            }
        }
        best
    }

    /// Adds a child to the leaf `at` for each of [`Tree::moves`]; returns whether there was room.
    fn expand(&mut self, at: usize, position: &P, meter: &mut Meter<'_, P::Move>) -> Result<bool, Stopped> {
        let first = self.nodes.len();
        if first + self.moves.len() > self.capacity {
            return Ok(false);
        }
        let hash = position.hash();
        let evaluate = self.knowledge.evaluate;
        let state = evaluate.state(position);
        for i in 0..self.moves.len() {
            let mv = self.moves[i];
            let next = position.after(mv);
            self.path.play(position, hash, &next);
            let child = self.child(&next, &evaluate.next_state(&state, position, mv, &next), mv);
            self.path.undo();
            self.nodes.push(child);
            if meter.work_between(1).is_err() {
                self.nodes.truncate(first);
                return Err(Stopped);
            }
        }
        self.nodes[at].first = first as u32;
        self.nodes[at].children = self.moves.len() as u32;
        self.update_bounds(at);
        Ok(true)
    }

    /// A new node for `position` with this evaluation state, at the end of the path.
    fn child(&mut self, position: &P, state: &E::State, mv: P::Move) -> Node<P::Move> {
        let evaluate = || self.knowledge.evaluate.evaluate_with(position, state);
        let score = if let Some(outcome) = self.outcome(position) {
            return known(outcome.score_for(position.side_to_move()), mv);
        } else if let Some(score) = self.knowledge.probe(position) {
            self.table_hits += 1;
            return known(score, mv);
        } else if let Some(balance) = self.knowledge.balance(position) {
            self.table_hits += 1;
            balance.correct(evaluate())
        } else {
            evaluate()
        };
        if score.is_decisive() {
            return known(score, mv);
        }
        let (low, high) = (Score::loss_in(1), Score::win_in(1));
        let sum = if self.scale > 0.0 { self.value(score) } else { 0.0 };
        Node { sum, visits: 0, first: 0, children: 0, low, high, mv }
    }

    /// The result of the game in `position`, at the end of the path.
    fn outcome(&self, position: &P) -> Option<Outcome> {
        let repeats = || self.path.repeats::<P>(position.hash());
        position.outcome().or_else(|| position.outcome_by_history(repeats))
    }

    /// Tightens the bounds of an inner node by those of its children; returns whether they changed. Bounds never widen,
    /// since pruned children may have proven more.
    fn update_bounds(&mut self, at: usize) -> bool {
        let node = &self.nodes[at];
        let children = &self.nodes[node.child_range()];
        if children.is_empty() {
            return false;
        }
        let best = |bound: fn(&Node<P::Move>) -> Score| {
            children.iter().map(|child| (-bound(child)).backed_up()).fold(-Score::INFINITY, Score::max)
        };
        let low = node.low.max(best(|child| child.high));
        let high = node.high.min(best(|child| child.low));
        let changed = (low, high) != (node.low, node.high);
        let node = &mut self.nodes[at];
        (node.low, node.high) = (low, high);
        changed
    }

    /// The value of a random play-out from `position`.
    fn play_out(&mut self, mut position: P, meter: &mut Meter<'_, P::Move>) -> Result<f64, Stopped> {
        let side = position.side_to_move();
        for _ in 0..PLAYOUT_PLIES {
            // The number of moves of the ply before: generating many moves takes long.
            meter.work_between(1 + (self.moves.len() / LOOKED_AT) as u64)?;
            let before = position.clone();
            self.play_random(&mut position);
            self.path.play(&before, before.hash(), &position);
            if let Some(outcome) = self.outcome(&position) {
                return Ok(self.value(outcome.score_for(side)));
            }
        }
        Ok(0.0)
    }

    /// Prunes the tree: the least visited nodes lose their children until half of the tree is left. Returns whether
    /// that succeeded; otherwise the tree is unchanged.
    fn prune(&mut self, meter: &mut Meter<'_, P::Move>) -> Result<bool, Stopped> {
        self.full = true;
        // INVARIANT: a child has no more visits than its parent, so the kept nodes are connected.
        // The number of children of the nodes with 2^i to 2^(i + 1) - 1 visits, by i.
        let mut children = [0; u32::BITS as usize];
        for some in self.nodes.chunks(LOOKED_AT) {
            for node in some.iter().filter(|node| node.visits > 0) {
                children[node.visits.ilog2() as usize] += node.children as usize;
            }
            meter.work_between(1)?;
        }
        let kept_from = |power: &usize| children[*power..].iter().sum::<usize>() < self.capacity / 2;
        let power = (1..children.len()).find(kept_from).unwrap_or(children.len());
        if self.nodes[0].visits.checked_shr(power as u32).is_none_or(|some| some == 0) {
            return Ok(false);
        }
        let mut kept = Vec::new();
        if kept.try_reserve_exact(self.capacity / 2).is_err() {
            return Ok(false);
        }
        kept.push(self.nodes[0]);
        let mut next = 0;
        while next < kept.len() {
            if next % LOOKED_AT == 0 {
                meter.work_between(1)?;
            }
            let node: Node<P::Move> = kept[next];
            let first = kept.len() as u32;
            if node.children > 0 && node.visits >> power > 0 {
                kept.extend_from_slice(&self.nodes[node.child_range()]);
                kept[next].first = first;
            } else {
                (kept[next].first, kept[next].children) = (0, 0);
            }
            next += 1;
        }
        // Large allocations grow in place or are remapped without a copy.
        if kept.try_reserve_exact(self.capacity - kept.len()).is_err() {
            return Ok(false);
        }
        let_go(std::mem::replace(&mut self.nodes, kept));
        // The leaf to expand may have more children than there is room for now.
        self.full = self.nodes.len() + self.moves.len() > self.capacity;
        Ok(true)
    }

    /// The best child: the one with the best proven result, or the most visited of the others if it is better.
    fn best_child(&self, at: usize) -> Option<usize> {
        let parent = &self.nodes[at];
        let (mut settled, mut open): (Option<usize>, Option<usize>) = (None, None);
        // The first of equal ones.
        for index in parent.child_range() {
            let child = &self.nodes[index];
            if child.is_settled() {
                if settled.is_none_or(|other| child.proven() < self.nodes[other].proven()) {
                    settled = Some(index);
                }
            } else if child.visits > open.map_or(0, |other| self.nodes[other].visits) {
                open = Some(index);
            }
        }
        // A settled node has the result of its best settled child, not an estimate.
        self.better(settled, open.filter(|_| settled.is_none() || !parent.is_settled()))
    }

    /// The better of a settled and an unsettled child.
    fn better(&self, settled: Option<usize>, open: Option<usize>) -> Option<usize> {
        let (Some(known), Some(guess)) = (settled, open) else { return settled.or(open) };
        let proven = self.nodes[known].proven();
        let lost = proven > Score::DRAW && proven.is_decisive();
        Some(if lost || self.nodes[guess].mean() < self.value(proven) { guess } else { known })
    }

    /// The best children of the root in order, each the best without those before it; at most `count`.
    fn best_children(&self, count: usize) -> Vec<usize> {
        if count == 1 {
            return self.best_child(0).into_iter().collect();
        }
        let visited = |&index: &usize| self.nodes[index].visits > 0 || self.nodes[index].is_settled();
        let (mut settled, mut open): (Vec<usize>, Vec<usize>) =
            self.nodes[0].child_range().filter(visited).partition(|&index| self.nodes[index].is_settled());
        // The first of equal ones.
        sort_few(&mut settled, |&index| self.nodes[index].proven());
        sort_few(&mut open, |&index| std::cmp::Reverse(self.nodes[index].visits));
        let (mut settled, mut open) = (settled.into_iter().peekable(), open.into_iter().peekable());
        let mut best = Vec::new();
        while best.len() < count {
            let next = if best.is_empty() {
                self.best_child(0)
            } else {
                self.better(settled.peek().copied(), open.peek().copied())
            };
            let Some(next) = next else { break };
            if settled.next_if_eq(&next).is_none() {
                open.next();
            }
            best.push(next);
        }
        best
    }

    /// The principal variations of the root's best moves with their values, best first; at most `count`, and none for
    /// moves without visits.
    fn best_lines(&self, count: usize) -> Vec<Line<P::Move>> {
        let mut lines = Vec::new();
        for first in self.best_children(count) {
            let child = &self.nodes[first];
            let score = if child.is_settled() { (-child.proven()).backed_up() } else { self.score(-child.mean()) };
            let mut pv = vec![child.mv];
            let mut at = first;
            while let Some(next) = self.best_child(at).filter(|_| pv.len() < MAX_DEPTH as usize) {
                pv.push(self.nodes[next].mv);
                at = next;
            }
            lines.push(Line { score, pv, proven: false });
        }
        lines
    }
}

/// A node with a known value.
fn known<M>(score: Score, mv: M) -> Node<M> {
    Node { sum: 0.0, visits: 0, first: 0, children: 0, low: score, high: score, mv }
}

/// Frees the nodes; if they are large, on a separate thread, so that the search does not wait.
fn let_go<M: Send + 'static>(nodes: Vec<Node<M>>) {
    if nodes.capacity() * size_of::<Node<M>>() > LARGE {
        // If no thread can be started, they are freed here.
        let _ = thread::Builder::new().spawn(move || drop(nodes));
    }
}

/// The base-2 logarithm, linear between the powers of 2; `n` must not be 0.
fn log2(n: u32) -> f64 {
    let whole = n.ilog2();
    f64::from(whole) + f64::from(n) / f64::from(1_u32 << whole) - 1.0
}

#[cfg(test)]
mod tests {
    use super::super::TranspositionTable;
    use super::super::smp::Role;
    use super::*;
    use crate::game::{NoExpertise, Side, mix64};

    /// A game without end: every move leads to a new position.
    #[derive(Debug, Clone, PartialEq, Eq)]
    struct Endless(u64, Side);

    impl Position for Endless {
        type Move = u8;
        fn side_to_move(&self) -> Side {
            self.1
        }
        fn outcome(&self) -> Option<Outcome> {
            None
        }
        fn generate(&self, moves: &mut Vec<u8>) {
            moves.extend(0..30);
        }
        fn play(&mut self, mv: u8) {
            *self = Endless(mix64(self.0.wrapping_add(u64::from(mv))), self.1.other());
        }
        fn hash(&self) -> u64 {
            self.0
        }
    }

    struct Noise;
    impl Evaluate<Endless> for Noise {
        fn evaluate(&self, position: &Endless) -> Score {
            Score::units((position.0 % 1000) as i32 - 500)
        }
    }

    impl NoExpertise for Noise {}

    #[test]
    fn the_tree_never_outgrows_the_memory_and_hangs_together_when_pruned() {
        let table = TranspositionTable::new(1).unwrap();
        let task = Task::new(Endless(1, Side::First));
        let mut moves = Vec::new();
        task.root.generate(&mut moves);
        let mut nobody = ();
        let mut meter = Meter::new(&mut nobody, &table, &task, Role::Alone);
        let mut tree = Tree::new(&task, Knowledge::new(&Noise, &(), &table), &moves);
        tree.plant(&moves, &mut meter).unwrap();
        let mut shrunk = 0;
        for visits in 1..=20_000 {
            let before = tree.nodes.len();
            tree.visit(&mut meter).unwrap();
            assert!(tree.nodes.len() <= tree.capacity);
            // The copy that pruning makes is half as large.
            assert!(tree.nodes.capacity() * size_of::<Node<u8>>() / 2 * 3 <= table.bytes());
            assert_eq!(tree.nodes[0].visits, visits, "pruning takes no visit away");
            if tree.nodes.len() >= before {
                continue;
            }
            shrunk += 1;
            let mut children = 1;
            for node in &tree.nodes {
                for child in &tree.nodes[node.child_range()] {
                    assert!(child.visits <= node.visits);
                }
                children += node.children as usize;
            }
            assert_eq!(children, tree.nodes.len(), "every node is somebody's child");
        }
        assert!(shrunk > 3);
    }

    #[test]
    fn scores_and_values_are_turned_into_each_other() {
        let table = TranspositionTable::new(1).unwrap();
        let task = Task::new(Endless(1, Side::First));
        let mut nobody = ();
        let mut meter = Meter::new(&mut nobody, &table, &task, Role::Alone);
        let mut tree = Tree::new(&task, Knowledge::new(&Noise, &(), &table), &[0, 1]);
        tree.plant(&[0, 1], &mut meter).unwrap();
        assert!(tree.scale > 0.0);
        for units in [-900, -31, 0, 1, 450] {
            let score = Score::units(units);
            let back = tree.score(tree.value(score)).to_bits().cast_signed();
            assert!((back - units).abs() <= 1, "{units} became {back}");
            assert!(tree.value(score).abs() < 1.0);
        }
        assert_eq!(tree.value(Score::loss_in(3)), -1.0);
    }
}
