//! The full search: principal variation search with a transposition table, killers, history, and values that know what
//! they rest on.
//!
//! Floor 3. One [`Tree`] serves one iteration, on one thread. Fail-soft. A [`Value`] says whether it rests on finished games
//! alone (`complete`: it holds at every greater depth) and which earlier position a repetition below it leans on. A table
//! entry knows no path, so what leans on the path is stored under a second key that includes the set of positions that the
//! line can come back to, and a proof under the plain key is believed only where no repetition can come between: proven
//! results are sound. Estimates are believed on any path, unless `selective` is off: then an entry serves its own depth
//! only, and where a repetition is within reach the second key alone is believed, so that a search equals plain minimax. What
//! was found there without a repetition holds where none is within reach: it is kept under the plain key, too.

use super::gate::Gate;
use super::technique::{Technique, Techniques};
use super::trail::{Place, Trail};
use super::{Algorithm, Entry, Iteration, Knowledge, Line, MAX_DEPTH, Meter, Path, Stopped, Task};
use crate::game::{Balance, Evaluate, NEEDLESS, Position, Probe, mix64};
use crate::score::{Bound, Meaning, Score};

/// The value of a node.
#[derive(Debug, Clone, Copy)]
struct Value {
    score: Score,
    complete: bool,
    /// The number of the earliest position of the game that a repetition below leans on, or [`NOTHING`].
    depends: u32,
}

/// What a value that holds on every path depends on.
const NOTHING: u32 = u32::MAX;

impl Value {
    /// The value of a position about which everything is known.
    #[inline]
    fn certain(score: Score) -> Value {
        Value { score, complete: true, depends: NOTHING }
    }

    /// Whether no deeper search can change it. A decided score is a fact, whatever else was looked at.
    #[inline]
    fn is_complete(self) -> bool {
        self.complete || self.score.is_decided()
    }
}

/// The values that matter to a node: below `alpha` the side to move has better elsewhere, from `beta` on its opponent has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Window {
    pub(super) alpha: Score,
    pub(super) beta: Score,
}

impl Window {
    pub(super) const FULL: Window = Window { alpha: Score::MINUS_INFINITY, beta: Score::INFINITY };

    /// The same window as a child sees it.
    #[inline]
    fn handed_down(self) -> Window {
        Window { alpha: -self.beta.handed_down(), beta: -self.alpha.handed_down() }
    }

    /// The window that only asks whether a value is above alpha.
    #[inline]
    fn null(self) -> Window {
        Window { beta: self.alpha.successor(), ..self }
    }

    /// Whether `score` lies strictly inside.
    #[inline]
    fn holds(self, score: Score) -> bool {
        self.alpha < score && score < self.beta
    }

    /// Whether more than one value lies above alpha and below beta.
    #[inline]
    fn is_open(self) -> bool {
        self.alpha.successor() < self.beta
    }

    /// Whether a value of which `score` is this bound lies outside, or is known.
    #[inline]
    fn is_settled_by(self, score: Score, bound: Bound) -> bool {
        match bound {
            Bound::Exact => true,
            Bound::Lower => score >= self.beta,
            Bound::Upper => score <= self.alpha,
        }
    }
}

/// Which nodes of a tree are searched to its full depth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Width {
    /// All.
    Full,
    /// Late moves are, if a shallower search makes them look good; nodes of which nothing is known yet, and nodes that look
    /// far too good to matter, are not. Such a tree may overlook the shortest win.
    Reduced,
}

impl Width {
    /// The width of the iterations of a task. A search that is asked about a depth, or for more than the best move, looks at
    /// everything.
    pub(super) fn of<P: Position>(task: &Task<P>) -> Width {
        let full = task.algorithm == Algorithm::AlphaBeta && task.selective;
        let free = full && task.lines == 1 && task.mate.is_none();
        let reduces = Technique::REDUCING.iter().any(|&technique| task.techniques.has(technique));
        if free && reduces { Width::Reduced } else { Width::Full }
    }
}

/// What can be told of a node without a search.
enum Glance {
    /// Its value.
    Value(Value),
    /// It has to be searched; a table may limit what comes of it.
    Open(Option<Balance>),
}

/// A move, and when to try it.
#[derive(Debug, Clone, Copy)]
struct Candidate<M> {
    mv: M,
    /// Higher is tried earlier; among equals, the one generated first.
    key: i32,
    /// What the table calls it.
    name: u16,
}

/// What is kept for each ply of the current line.
#[derive(Debug)]
struct Ply<M> {
    pv: Vec<M>,
    killers: [Option<M>; 2],
}

/// Keys of candidates; those by history lie within ±[`HISTORY_LIMIT`].
const TABLE_MOVE: i32 = i32::MAX;
const URGENT: i32 = 1 << 20;
const KILLER: i32 = 1 << 19;
const HISTORY_LIMIT: i32 = 1 << 14;

/// The size that a tree is likely to have: the logarithm by four of its leaves. With good ordering, a tree of depth d has about
/// as many of them as there are moves to the power of d / 2.
#[inline]
fn tree_size(depth: u32, moves: usize) -> u32 {
    depth * (moves * moves).max(2).ilog2()
}

/// Trees smaller than this are not looked up in the table: searching them is as quick.
const LOOKED_UP: u32 = 9;

/// Trees from this size on are looked up by a key that all images of the position share, which takes longer to find.
const FOLDED: u32 = 21;

/// Searches of less depth are not cut short.
const REDUCED: u32 = 3;

/// Searches of more depth are not given up for what the evaluation says.
const FUTILE: u32 = 8;

/// The first place in a node's order, from 0, whose move may be searched less deep.
const LATE: usize = 2;

/// By how many plies: ½ + ½ ln depth ln place, rounded down. The constants were chosen by matches at awalé, Othello and Connect
/// Four; reductions of noisy moves, and of those at the root, did not pay there.
#[inline]
const fn reduction(depth: u32, late: usize) -> u32 {
    /// The logarithm by two, in eighths, of 1 to 255.
    const fn eighths(n: u64) -> u32 {
        n.pow(8).ilog2()
    }
    let late = if late > 255 { 255 } else { late as u64 };
    // (ln 2 / 8)² / 2 is 1/266.
    let plies = (133 + eighths(depth as u64) * eighths(late)) / 266;
    if plies > depth - 2 { depth - 2 } else { plies }
}

/// How many of a node's candidates are picked one by one; the rest, which a cut seldom leaves any use for, is sorted at once.
const PICKED: usize = 6;

/// What one iteration leaves to the next, besides the table: killers, history, and memory to work in.
#[derive(Debug)]
pub(super) struct Memory<M> {
    plies: Vec<Ply<M>>,
    /// The moves of every node of the current line, one node after the other.
    candidates: Vec<Candidate<M>>,
    generated: Vec<M>,
    urgencies: Vec<i32>,
    gate: Gate,
    /// How good each move has been for each side, by its index in the game.
    history: [Vec<i32>; 2],
}

impl<M: Copy> Memory<M> {
    pub(super) fn new(move_indices: usize) -> Self {
        let history = [vec![0; move_indices], vec![0; move_indices]];
        let plies = (0..=MAX_DEPTH + 1).map(|_| Ply { pv: Vec::new(), killers: [None; 2] }).collect();
        Memory {
            plies,
            candidates: Vec::new(),
            generated: Vec::new(),
            urgencies: Vec::new(),
            gate: Gate::default(),
            history,
        }
    }
}

/// In how many plies at most a result is certain that a search of `depth` plies has found; nothing for an estimate.
#[inline]
fn proof_length(score: Score, depth: u32) -> Option<u32> {
    score.distance().or(Some(depth).filter(|_| score.is_decided()))
}

/// What the table calls the move generated at place `number`, when the position is looked up by this image of it: the move's
/// index, in games that have one.
#[inline]
fn name_of<P: Position>(position: &P, symmetry: u8, number: usize, mv: P::Move) -> u16 {
    let mv = if symmetry == 0 { mv } else { position.carried(mv, symmetry) };
    (if P::MOVE_INDICES > 0 { P::move_index(mv) } else { number }) as u16
}

/// One iteration of the search.
pub(super) struct Tree<'a, 'o, P: Position, E, T> {
    root: &'a P,
    knowledge: Knowledge<'a, E, T>,
    meter: &'a mut Meter<'o, P::Move>,
    memory: &'a mut Memory<P::Move>,
    history: &'a [u64],
    trail: Trail<P>,
    start: Place,
    selective: bool,
    techniques: Techniques,
    /// Whether some nodes may be searched less deep than others.
    reduces: bool,
    /// By how much a node must look too good for each ply of its depth, to be given up; nothing if none is.
    margin: Option<i32>,
    /// Sets apart what the table is told by searches of one width from what those of others say.
    space: u64,
    /// Whether positions of this game can repeat at all.
    repeats: bool,
    /// Sets apart what the table is told of positions that no irreversible move of the line lies before, where the game's own
    /// tables count behind such moves only; 0 where they know nothing of those positions.
    salt: u64,
}

impl<'a, 'o, P, E, T> Tree<'a, 'o, P, E, T>
where
    P: Position,
    E: Evaluate<P>,
    T: Probe<P>,
{
    pub(super) fn new(
        task: &'a Task<P>,
        knowledge: Knowledge<'a, E, T>,
        meter: &'a mut Meter<'o, P::Move>,
        memory: &'a mut Memory<P::Move>,
        width: Width,
    ) -> Self {
        memory.candidates.clear();
        let repeats = task.root.outcome_by_repetition().is_some();
        let (trail, start) = Trail::new(&task.history, repeats);
        Tree {
            root: &task.root,
            knowledge,
            meter,
            memory,
            history: &task.history,
            trail,
            start,
            selective: task.selective,
            techniques: task.techniques,
            reduces: width == Width::Reduced,
            margin: (width == Width::Reduced && task.techniques.has(Technique::ReverseFutility))
                .then(|| knowledge.evaluate.margin::<P>())
                .flatten(),
            space: match width {
                Width::Full if task.selective => 0,
                Width::Reduced => mix64(2),
                Width::Full => mix64(3),
            },
            repeats,
            salt: knowledge.balance(&task.root).map_or(0, |_| mix64(1)),
        }
    }

    /// Searches the root moves to `depth`, and leaves the best of them in front. The value is exact inside the window, a bound
    /// outside.
    pub(super) fn root(mut self, depth: u32, moves: &mut [P::Move], window: Window) -> Iteration<P::Move> {
        let mut best: Option<Line<P::Move>> = None;
        let finished = self.root_moves(depth, moves, window, &mut best).is_ok();
        if let Some(line) = &mut best {
            line.complete &= finished;
            self.extend_pv(depth, &mut line.pv);
        }
        Iteration { best, finished }
    }

    fn root_moves(
        &mut self,
        depth: u32,
        moves: &mut [P::Move],
        mut window: Window,
        best: &mut Option<Line<P::Move>>,
    ) -> Result<(), Stopped> {
        self.meter.count(0)?;
        if self.trail.marks(depth) {
            self.trail.push(self.root);
        }
        let mut complete = true;
        for number in 0..moves.len() {
            let mv = moves[number];
            self.meter.report_current_move(mv, number + 1);
            let mut value = None;
            if number > 0 && self.techniques.has(Technique::NullWindows) {
                let scout = self.root_child(mv, depth, window.null())?;
                value = Some(scout).filter(|scout| scout.score <= window.alpha);
                if value.is_none() {
                    // Better than all before, even if the time should not suffice to tell by how much.
                    let before = best.replace(self.line(mv, scout));
                    let exact = self.root_child(mv, depth, window)?;
                    if exact.score <= window.alpha {
                        // The wider window has found what the narrow one overlooked.
                        *best = before;
                    }
                    value = Some(exact);
                }
            }
            let value = match value {
                Some(value) => value,
                None => self.root_child(mv, depth, window)?,
            };
            complete &= value.is_complete();
            if number == 0 || value.score > window.alpha {
                *best = Some(self.line(mv, value));
                moves[..=number].rotate_right(1);
                window.alpha = window.alpha.max(value.score);
            }
            if value.score >= window.beta {
                complete = value.is_complete();
                break;
            }
        }
        if let Some(line) = best {
            line.complete = complete;
        }
        Ok(())
    }

    /// The value of a root move. Below a window without width nothing writes a line down: what stands there is of another move,
    /// perhaps of an earlier iteration.
    fn root_child(&mut self, mv: P::Move, depth: u32, window: Window) -> Result<Value, Stopped> {
        self.memory.plies[1].pv.clear();
        self.child(self.root, self.start, mv, depth, 0, window)
    }

    /// The line that begins with a root move of this value and goes on as the search of it, which was the last, found.
    fn line(&self, mv: P::Move, value: Value) -> Line<P::Move> {
        let pv = [&[mv], self.memory.plies[1].pv.as_slice()].concat();
        Line { score: value.score, complete: value.complete, pv }
    }

    /// The value of playing `mv` in `position`, for the side that plays it.
    #[inline]
    fn child(
        &mut self,
        position: &P,
        place: Place,
        mv: P::Move,
        depth: u32,
        ply: u32,
        window: Window,
    ) -> Result<Value, Stopped> {
        let next = position.after(mv);
        let place = place.after(!self.repeats || position.is_irreversible(&next));
        let window = window.handed_down();
        let value = match self.glance(&next, place, depth - 1, ply + 1, window)? {
            Glance::Value(value) => value,
            Glance::Open(balance) => {
                let value = self.node(&next, place, depth - 1, ply + 1, window)?;
                Value { score: balance.map_or(value.score, |balance| balance.limit(value.score)), ..value }
            }
        };
        Ok(Value { score: (-value.score).backed_up(), ..value })
    }

    /// The value of playing `mv` after another move, searched to the first of two `depths` if that shows that it is no better,
    /// and to the second if not.
    #[inline]
    fn later_child(
        &mut self,
        position: &P,
        place: Place,
        mv: P::Move,
        [reduced, depth]: [u32; 2],
        ply: u32,
        window: Window,
    ) -> Result<Value, Stopped> {
        if reduced < depth {
            let value = self.child(position, place, mv, reduced, ply, window.null())?;
            if value.score <= window.alpha {
                return Ok(value);
            }
        }
        if window.is_open() && self.techniques.has(Technique::NullWindows) {
            let value = self.child(position, place, mv, depth, ply, window.null())?;
            if !window.holds(value.score) {
                return Ok(value);
            }
        }
        self.child(position, place, mv, depth, ply, window)
    }

    /// Whether what lies below a node may be searched less deep than others. Who looks for a shorter win, or for the way out of a
    /// loss, looks everywhere; and so does who sees the end of the game.
    #[inline]
    fn is_reducible(&self, position: &P, depth: u32, alpha: Score) -> bool {
        let free = self.reduces && depth >= REDUCED && !alpha.is_decided();
        free && position.plies_left().is_none_or(|left| left > depth)
    }

    /// By how many plies the search of the move in this place of a reducible node's order, from 0, is cut short at first.
    #[inline]
    fn reduction(&self, position: &P, mv: P::Move, depth: u32, late: usize) -> u32 {
        let quiet = || !self.knowledge.evaluate.is_noisy(position, mv);
        if late >= LATE && self.techniques.has(Technique::Reductions) && quiet() { reduction(depth, late) } else { 0 }
    }

    /// A value for a node that looks so much too good, by this evaluation, that a search would hardly change that.
    #[inline]
    fn futile(&self, depth: u32, window: Window, evaluation: impl FnOnce() -> Score) -> Option<Value> {
        let margin = self.margin?;
        if depth > FUTILE || window.is_open() || window.beta.is_decided() {
            return None;
        }
        let Meaning::Units(units) = evaluation().meaning() else { return None };
        let score = Score::units(units - margin * depth as i32);
        (score >= window.beta).then_some(Value { score, complete: false, depends: NOTHING })
    }

    /// Counts the node of `position`, and values it if there is nothing to search in it.
    #[inline]
    fn glance(&mut self, position: &P, place: Place, depth: u32, ply: u32, window: Window) -> Result<Glance, Stopped> {
        self.meter.count(ply)?;
        if window.is_open() {
            self.memory.plies[ply as usize].pv.clear();
        }
        if let Some(outcome) = position.outcome() {
            return Ok(Glance::Value(Value::certain(outcome.score_for(position.side_to_move()))));
        }
        if let Some(at) = self.trail.find(place, || position.hash())
            && let Some(outcome) = position.outcome_by_repetition()
        {
            let value = Value::certain(outcome.score_for(position.side_to_move()));
            return Ok(Glance::Value(Value { depends: at, ..value }));
        }
        if let Some(score) = self.knowledge.probe(position) {
            self.meter.count_table_hit();
            return Ok(Glance::Value(Value::certain(score)));
        }
        let balance = self.knowledge.balance(position);
        let limits = balance.filter(|_| self.tables_hold(place));
        if balance.is_some() {
            self.meter.count_table_hit();
        }
        if let Some(limits) = limits {
            let out_of_window = window.is_settled_by(limits.limit(Score::MINUS_INFINITY), Bound::Lower)
                || window.is_settled_by(limits.limit(Score::INFINITY), Bound::Upper);
            // A bound that holds at every depth is as good as a value there.
            if let Some(score) = limits.settled().or(Some(Score::DRAW).filter(|_| out_of_window)) {
                return Ok(Glance::Value(Value::certain(score)));
            }
        }
        let evaluation = || {
            let score = self.knowledge.evaluate.evaluate(position);
            balance.map_or(score, |balance| balance.correct(score))
        };
        if depth == 0 {
            let score = evaluation();
            return Ok(Glance::Value(Value { score, complete: score.is_decided(), depends: NOTHING }));
        }
        if self.techniques.has(Technique::Foresight)
            && let Some(seen) = self.knowledge.evaluate.foresee(position, depth, window.alpha, window.beta)
            && window.is_settled_by(seen.score, seen.bound)
            && !self.trail.may_repeat(position, place, depth)
        {
            return Ok(Glance::Value(Value { score: seen.score, complete: seen.complete, depends: NOTHING }));
        }
        Ok(self.futile(depth, window, evaluation).map_or(Glance::Open(limits), Glance::Value))
    }

    /// Whether what the game's tables say is the truth there: behind an irreversible move of the line.
    #[inline]
    fn tables_hold(&self, place: Place) -> bool {
        place.live() > self.start.number()
    }

    /// The hash by which a position with this one is looked up there.
    #[inline]
    fn salted(&self, hash: u64, place: Place) -> u64 {
        self.space ^ if self.tables_hold(place) { hash } else { hash ^ self.salt }
    }

    /// The value of `position`, which is `ply` plies from the root and no leaf, searched `depth` plies deep: exact inside the
    /// window, a bound outside.
    fn node(
        &mut self,
        position: &P,
        place: Place,
        mut depth: u32,
        ply: u32,
        mut window: Window,
    ) -> Result<Value, Stopped> {
        let first = self.memory.candidates.len();
        self.memory.generated.clear();
        position.generate(&mut self.memory.generated);
        self.meter.has_moves(self.memory.generated.len());
        let size = tree_size(depth, self.memory.generated.len());
        let folds = size >= FOLDED && self.techniques.has(Technique::Symmetry);
        let (hash, symmetry) = if folds { position.folded() } else { (position.hash(), 0) };
        let hash = self.salted(hash, place);
        let looked_up = size >= LOOKED_UP && self.memory.gate.is_open(hash, depth);
        let keys = if looked_up { self.keys(position, hash, place, depth) } else { [None; 2] };
        let nodes_before = self.meter.nodes;
        let mut entry = None;
        for (key, plain) in keys.into_iter().zip([true, false]) {
            let Some(found) = key.and_then(|key| self.knowledge.table.get(key)) else { continue };
            // What leans on no path may be untrue on this one, but it knows a good move.
            let counts = self.selective || !plain || keys[1].is_none();
            if counts
                && self.techniques.has(Technique::Table)
                && let Some((value, bound)) = self.believe(&found, position, place, depth, plain)
                && window.is_settled_by(value.score, bound)
            {
                self.memory.gate.learn(hash, depth, None);
                return Ok(value);
            }
            entry = Some(found);
        }
        let table_move = entry.filter(|_| self.techniques.has(Technique::TableMove)).and_then(|entry| entry.best);
        let reducible = self.is_reducible(position, depth, window.alpha);
        let asked = depth;
        if reducible && looked_up && table_move.is_none() && self.techniques.has(Technique::InternalReductions) {
            // A node that no iteration has come to yet: the next one will know where to begin.
            depth -= 1;
        }
        self.order(position, symmetry, depth, ply, table_move);
        let marked = self.trail.marks(depth);
        if marked {
            self.trail.push(position);
        }

        let end = self.memory.candidates.len();
        let Window { alpha: old_alpha, beta } = window;
        let mut best = Value::certain(-Score::INFINITY);
        let mut best_name = None;
        for next in first..end {
            let Candidate { mv, name, .. } = self.pick(first, next);
            let value = if next == first {
                self.child(position, place, mv, depth, ply, window)?
            } else {
                let reducible = reducible && !window.alpha.is_decided();
                let reduction = if reducible { self.reduction(position, mv, depth, next - first) } else { 0 };
                self.later_child(position, place, mv, [depth - reduction, depth], ply, window)?
            };
            best.complete &= value.is_complete();
            best.depends = best.depends.min(value.depends);
            if value.score <= best.score {
                continue;
            }
            best.score = value.score;
            if best.score <= window.alpha {
                continue;
            }
            best_name = Some(name);
            if best.score >= beta {
                // The refutation alone carries the bound.
                best = Value { score: best.score, complete: value.is_complete(), depends: value.depends };
                self.learn_from_cut(position, depth, ply, first, next);
                break;
            }
            window.alpha = best.score;
            self.extend_line(ply, mv);
        }
        self.memory.candidates.truncate(first);
        if looked_up {
            self.memory.gate.learn(hash, asked, Some(self.meter.nodes - nodes_before));
        }
        if marked {
            self.trail.pop();
        }

        if best.depends >= place.number() {
            best.depends = NOTHING;
        }
        let leans_on_path = best.depends != NOTHING
            || proof_length(best.score, depth).is_some_and(|n| self.trail.may_repeat(position, place, n));
        let [plain, path] = keys;
        let keys = [plain.filter(|_| !leans_on_path), path.filter(|_| leans_on_path || !self.selective)];
        for key in keys.into_iter().flatten() {
            let bound = if best.score >= beta {
                Bound::Lower
            } else if best.score > old_alpha {
                Bound::Exact
            } else {
                Bound::Upper
            };
            let name = best_name.or(table_move);
            let entry = Entry { score: best.score, bound, depth: depth as u8, complete: best.complete, best: name };
            self.knowledge.table.put(key, entry);
        }
        Ok(best)
    }

    /// The table keys of a node: the plain one, and the one that stands for the path too.
    #[inline]
    fn keys(&self, position: &P, hash: u64, place: Place, depth: u32) -> [Option<u64>; 2] {
        match self.trail.fingerprint(position, place, depth) {
            0 => [Some(hash), None],
            path => [Some(hash), Some(hash ^ mix64(path))],
        }
    }

    /// What `entry` says of a search of `depth` plies at `place`, if it can be believed, and as what bound.
    #[inline]
    fn believe(
        &self,
        entry: &Entry,
        position: &P,
        place: Place,
        depth: u32,
        plain_key: bool,
    ) -> Option<(Value, Bound)> {
        let entry_depth = u32::from(entry.depth);
        // The plain key promises nothing about repetitions, the other one about those within `depth`.
        let on_this_path = |plies| {
            if plain_key {
                !self.trail.may_repeat(position, place, plies)
            } else {
                plies <= depth || self.trail.reach(position, place, plies) == self.trail.reach(position, place, depth)
            }
        };
        // A win that lies beyond what was searched may have a shorter one before it, and a loss likewise: half of it is proven.
        let (proven, bound) = match (entry.score.meaning(), entry.bound) {
            (Meaning::Win(n), Bound::Exact) if entry_depth < n => (true, Bound::Lower),
            (Meaning::Loss(n), Bound::Exact) if entry_depth < n => (true, Bound::Upper),
            (Meaning::Win(_), bound) => (bound != Bound::Upper, bound),
            (Meaning::Loss(_), bound) => (bound != Bound::Lower, bound),
            (_, bound) => (false, bound),
        };
        let distance = entry.score.distance();
        let proven = proven && (self.selective || distance.is_some_and(|n| n <= depth));
        // A proof that looked further than this node may run into a repetition that its depth does not tell of.
        let complete = entry.complete && on_this_path(entry_depth) && (entry_depth <= depth || !self.repeats);
        let deep_enough = match entry_depth {
            deeper if deeper > depth => self.selective,
            shallower if shallower < depth => complete,
            _ => true,
        };
        let sound = proof_length(entry.score, entry_depth).is_none_or(on_this_path);
        // What was found under the key of the path may lean on any of its positions that can come back.
        let depends = if plain_key { NOTHING } else { place.live() };
        (sound && (proven || deep_enough)).then_some((Value { score: entry.score, complete, depends }, bound))
    }

    /// Appends the generated moves of `position` to the candidates, with the keys they are tried by.
    #[inline]
    fn order(&mut self, position: &P, symmetry: u8, depth: u32, ply: u32, table_move: Option<u16>) {
        let Memory { plies, candidates, generated, urgencies, history, .. } = &mut *self.memory;
        let techniques = self.techniques;
        let killers = plies[ply as usize].killers;
        let history_counts = techniques.has(Technique::History);
        let needless = techniques.has(Technique::Needless) && techniques.has(Technique::Foresight);
        let history = &history[position.side_to_move().index()];
        urgencies.clear();
        urgencies.resize(generated.len(), 0);
        self.knowledge.evaluate.urgencies(position, depth, generated, urgencies);
        for (number, (&mv, &urgency)) in generated.iter().zip(urgencies.iter()).enumerate() {
            let name = name_of(position, symmetry, number, mv);
            let key = if urgency == NEEDLESS && needless {
                continue;
            } else if table_move == Some(name) {
                TABLE_MOVE
            } else if urgency > 0 && techniques.has(Technique::Urgency) {
                URGENT + urgency
            } else if killers[0] == Some(mv) {
                KILLER
            } else if killers[1] == Some(mv) {
                KILLER - 1
            } else {
                history.get(P::move_index(mv)).copied().filter(|_| history_counts).unwrap_or(0)
            };
            candidates.push(Candidate { mv, key, name });
        }
    }

    /// Brings the best of the candidates from `next` on to that place; `first` is where the node's candidates begin.
    fn pick(&mut self, first: usize, next: usize) -> Candidate<P::Move> {
        let rest = &mut self.memory.candidates[next..];
        if next < first + PICKED {
            let mut best = 0;
            for (i, candidate) in rest.iter().enumerate() {
                if candidate.key > rest[best].key {
                    best = i;
                }
            }
            rest[..=best].rotate_right(1);
        } else if next == first + PICKED {
            rest.sort_by_key(|candidate| std::cmp::Reverse(candidate.key));
        }
        rest[0]
    }

    /// Remembers that the candidate at `cut` refuted the node, and that those from `first` up to it did not.
    fn learn_from_cut(&mut self, position: &P, depth: u32, ply: u32, first: usize, cut: usize) {
        let Candidate { mv, key, .. } = self.memory.candidates[cut];
        if (URGENT..TABLE_MOVE).contains(&key) {
            return;
        }
        let killers = &mut self.memory.plies[ply as usize].killers;
        if killers[0] != Some(mv) && self.techniques.has(Technique::Killers) {
            *killers = [Some(mv), killers[0]];
        }
        let bonus = (depth * depth).min(HISTORY_LIMIT.cast_unsigned() / 8) as i32;
        let history = &mut self.memory.history[position.side_to_move().index()];
        for (candidate, change) in
            self.memory.candidates[first..=cut].iter().rev().zip([bonus].into_iter().chain(std::iter::repeat(-bonus)))
        {
            // The nearer to the limit, the smaller the step: a value never leaves it.
            if let Some(value) = history.get_mut(P::move_index(candidate.mv)) {
                *value += change - *value * change.abs() / HISTORY_LIMIT;
            }
        }
    }

    /// Makes `mv`, followed by the line of the ply below, the line of `ply`.
    fn extend_line(&mut self, ply: u32, mv: P::Move) {
        let (upper, lower) = self.memory.plies.split_at_mut(ply as usize + 1);
        let line = &mut upper[ply as usize].pv;
        line.clear();
        line.push(mv);
        line.extend_from_slice(&lower[0].pv);
    }

    /// Follows the table where the line was cut short by a table hit, as far as it knows exact values.
    fn extend_pv(&self, depth: u32, pv: &mut Vec<P::Move>) {
        let mut position = self.root.clone();
        let mut path = Path::new(self.history);
        let mut place = self.start;
        let mut moves = Vec::new();
        for at in 0.. {
            if at == pv.len() {
                let ended = position.outcome().is_some()
                    || (self.repeats && path.find(position.hash(), P::MIN_CYCLE).is_some());
                let (hash, symmetry) = position.folded();
                // Small trees have other keys; there the line may end.
                let entry =
                    self.knowledge.table.get(self.salted(hash, place)).filter(|entry| entry.bound == Bound::Exact);
                let Some(name) = entry.and_then(|entry| entry.best).filter(|_| !ended && at < depth as usize) else {
                    break;
                };
                moves.clear();
                position.generate(&mut moves);
                let called = |&(number, &mv): &(usize, &P::Move)| name_of(&position, symmetry, number, mv) == name;
                let Some((_, &mv)) = moves.iter().enumerate().find(called) else { break };
                pv.push(mv);
            }
            let next = position.after(pv[at]);
            path.play(&position, position.hash(), &next);
            place = place.after(!self.repeats || position.is_irreversible(&next));
            position = next;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::smp::Role;
    use super::super::{Knowledge, TranspositionTable};
    use super::*;
    use crate::game::{Outcome, Side};

    /// A tree whose nodes are numbered: those below n are 2n + 1 and 2n + 2. A move is the number it leads to.
    #[derive(Debug, Clone, PartialEq, Eq)]
    struct Numbered(u64, Side);

    impl Position for Numbered {
        type Move = u64;

        fn side_to_move(&self) -> Side {
            self.1
        }

        fn outcome(&self) -> Option<Outcome> {
            None
        }

        fn generate(&self, moves: &mut Vec<u64>) {
            moves.extend([2 * self.0 + 1, 2 * self.0 + 2]);
        }

        fn play(&mut self, mv: u64) {
            *self = Numbered(mv, self.1.other());
        }

        fn hash(&self) -> u64 {
            mix64(self.0)
        }
    }

    struct Noise;

    impl Evaluate<Numbered> for Noise {
        fn evaluate(&self, position: &Numbered) -> Score {
            Score::units((mix64(position.0) % 100) as i32)
        }
    }

    #[test]
    fn a_window_without_width_takes_no_line_that_an_earlier_search_left() {
        let table = TranspositionTable::new(1).unwrap();
        let task = Task::new(Numbered(0, Side::First));
        let mut nobody = ();
        let mut meter = Meter::new(&mut nobody, &table, &task, Role::Alone);
        let mut memory = Memory::new(0);
        let mut line = |mv: u64, window: Window| {
            let tree = Tree::new(&task, Knowledge::new(&Noise, &(), &table), &mut meter, &mut memory, Width::Full);
            tree.root(4, &mut [mv], window).best.unwrap().pv
        };
        assert_eq!(line(1, Window::FULL).len(), 4);
        for alpha in [-1000, 0, 1000].map(Score::units) {
            let line = line(2, Window { alpha, beta: alpha.successor() });
            assert_eq!(line[0], 2);
            assert!(line.windows(2).all(|pair| (pair[1] - 1) / 2 == pair[0]), "{line:?}");
        }
    }
}
