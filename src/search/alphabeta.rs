//! The full search: principal variation search with a transposition table, killers, history, and values that know what
//! they rest on.
//!
//! Floor 3. One [`Tree`] serves one iteration, on one thread. Fail-soft. A [`Value`] says whether it rests on finished games
//! alone (`complete`: it holds at every greater depth) and which earlier position a repetition below it leans on. A table
//! entry knows no path, so what leans on the path is stored under a second key that includes the set of positions that can
//! come back, and a proof under the plain key is believed only where no repetition can come between: proven results are
//! sound. Estimates are believed on any path, unless `selective` is off: then an entry serves its own depth only, and where a
//! repetition is within reach under the second key only, and the value of a search equals plain minimax.

use super::{Entry, Iteration, Knowledge, Line, Meter, Observer, Path, Stopped, Task};
use crate::game::{Evaluate, Position, Probe, mix64};
use crate::score::{Bound, Meaning, Score};

/// The value of a node.
#[derive(Debug, Clone, Copy)]
struct Value {
    score: Score,
    complete: bool,
    /// An index into the path, or [`NOTHING`].
    depends: usize,
}

/// What a value that holds on every path depends on.
const NOTHING: usize = usize::MAX;

impl Value {
    /// The value of a position about which everything is known.
    fn certain(score: Score) -> Value {
        Value { score, complete: true, depends: NOTHING }
    }

    /// Whether no deeper search can change it. A decided score is a fact, whatever else was looked at.
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
    fn handed_down(self) -> Window {
        Window { alpha: -self.beta.handed_down(), beta: -self.alpha.handed_down() }
    }

    /// The window that only asks whether a value is above alpha.
    fn null(self) -> Window {
        Window { beta: self.alpha.successor(), ..self }
    }

    /// Whether `score` lies strictly inside.
    fn holds(self, score: Score) -> bool {
        self.alpha < score && score < self.beta
    }
}

/// A move, and when to try it.
#[derive(Debug, Clone, Copy)]
struct Candidate<M> {
    mv: M,
    /// Higher is tried earlier; among equals, the one generated first.
    key: i32,
    /// Its place in generation order.
    place: u32,
}

/// What is kept for each ply of the current line.
#[derive(Debug)]
struct Ply<M> {
    pv: Vec<M>,
    killers: [Option<M>; 2],
}

/// Keys of candidates; those by history lie within ±[`HISTORY_LIMIT`].
const TABLE_MOVE: i32 = i32::MAX;
const NOISY: i32 = 1 << 20;
const KILLER: i32 = 1 << 19;
const HISTORY_LIMIT: i32 = 1 << 14;

/// How many of a node's candidates are picked one by one; the rest, which a cut seldom leaves any use for, is sorted at once.
const PICKED: usize = 6;

/// What one iteration leaves to the next, besides the table: killers, history, and memory to work in.
#[derive(Debug)]
pub(super) struct Memory<M> {
    plies: Vec<Ply<M>>,
    /// The moves of every node of the current line, one node after the other.
    candidates: Vec<Candidate<M>>,
    generated: Vec<M>,
    /// How good each move has been for each side, by its index in the game.
    history: [Vec<i32>; 2],
}

impl<M> Memory<M> {
    pub(super) fn new(move_indices: usize) -> Self {
        let history = [vec![0; move_indices], vec![0; move_indices]];
        Memory { plies: Vec::new(), candidates: Vec::new(), generated: Vec::new(), history }
    }
}

/// One iteration of the search.
pub(super) struct Tree<'a, 'o, P: Position, E, T, O> {
    root: &'a P,
    knowledge: Knowledge<'a, E, T>,
    meter: &'a mut Meter<'o, O>,
    memory: &'a mut Memory<P::Move>,
    history: &'a [u64],
    path: Path,
    selective: bool,
    /// Whether positions of this game can repeat at all.
    repeats: bool,
}

impl<'a, 'o, P, E, T, O> Tree<'a, 'o, P, E, T, O>
where
    P: Position,
    E: Evaluate<P>,
    T: Probe<P>,
    O: Observer<P::Move>,
{
    pub(super) fn new(
        task: &'a Task<P>,
        knowledge: Knowledge<'a, E, T>,
        meter: &'a mut Meter<'o, O>,
        memory: &'a mut Memory<P::Move>,
    ) -> Self {
        memory.candidates.clear();
        Tree {
            root: &task.root,
            knowledge,
            meter,
            memory,
            history: &task.history,
            path: Path::new(&task.history),
            selective: task.selective,
            repeats: task.root.outcome_by_repetition().is_some(),
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
        self.enter(0)?;
        let root = self.root;
        let mut complete = true;
        for number in 0..moves.len() {
            let mv = moves[number];
            self.meter.report_current_move(mv, number + 1);
            let mut value = None;
            if number > 0 {
                let scout = self.child(root, root.hash(), mv, depth, 0, window.null())?;
                value = Some(scout).filter(|scout| scout.score <= window.alpha);
                if value.is_none() {
                    // Better than all before, even if the time should not suffice to tell by how much.
                    let before = best.replace(self.line(mv, scout));
                    let exact = self.child(root, root.hash(), mv, depth, 0, window)?;
                    if exact.score <= window.alpha {
                        // The wider window has found what the narrow one overlooked.
                        *best = before;
                    }
                    value = Some(exact);
                }
            }
            let value = match value {
                Some(value) => value,
                None => self.child(root, root.hash(), mv, depth, 0, window)?,
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

    /// The line that begins with a root move of this value and goes on as the search of it found.
    fn line(&self, mv: P::Move, value: Value) -> Line<P::Move> {
        let pv = [&[mv], self.memory.plies[1].pv.as_slice()].concat();
        Line { score: value.score, complete: value.complete, pv }
    }

    /// The value of `position`, which is `ply` plies from the root, searched `depth` plies deep: exact inside the window, a
    /// bound outside.
    fn node(&mut self, position: &P, depth: u32, ply: u32, mut window: Window) -> Result<Value, Stopped> {
        self.enter(ply)?;
        let side = position.side_to_move();
        if let Some(outcome) = position.outcome() {
            return Ok(Value::certain(outcome.score_for(side)));
        }
        let hash = position.hash();
        if let Some(at) = self.path.find(hash, P::MIN_CYCLE)
            && let Some(outcome) = position.outcome_by_repetition()
        {
            return Ok(Value { depends: at, ..Value::certain(outcome.score_for(side)) });
        }
        if let Some(score) = self.knowledge.probe.probe(position) {
            self.meter.count_table_hit();
            return Ok(Value::certain(score));
        }
        if depth == 0 {
            let score = self.knowledge.evaluate.evaluate(position);
            return Ok(Value { score, complete: score.is_decided(), depends: NOTHING });
        }

        let keys = self.keys(hash, depth);
        let mut entry = None;
        for key in keys.into_iter().flatten() {
            let Some(found) = self.knowledge.table.get(key) else { continue };
            let cuts = |score, bound| match bound {
                Bound::Exact => true,
                Bound::Lower => score >= window.beta,
                Bound::Upper => score <= window.alpha,
            };
            if let Some((value, bound)) = self.believe(&found, depth, key == hash)
                && cuts(value.score, bound)
            {
                return Ok(value);
            }
            entry = Some(found);
        }

        let first = self.memory.candidates.len();
        self.generate(position, ply, entry.and_then(|entry| entry.best));
        let end = self.memory.candidates.len();
        let Window { alpha: old_alpha, beta } = window;
        let mut best = Value::certain(-Score::INFINITY);
        let mut best_place = None;
        for next in first..end {
            let Candidate { mv, place, .. } = self.pick(first, next);
            let mut value = None;
            if next > first && window.null() != window {
                value = Some(self.child(position, hash, mv, depth, ply, window.null())?);
            }
            let value = match value.filter(|value| !window.holds(value.score)) {
                Some(value) => value,
                None => self.child(position, hash, mv, depth, ply, window)?,
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
            best_place = u16::try_from(place).ok();
            window.alpha = best.score;
            self.extend_line(ply, mv);
            if best.score >= beta {
                // The refutation alone carries the bound.
                best = Value { score: best.score, complete: value.is_complete(), depends: value.depends };
                self.learn_from_cut(position, depth, ply, first, next);
                break;
            }
        }
        self.memory.candidates.truncate(first);

        if best.depends >= self.path.len() {
            best.depends = NOTHING;
        }
        let leans_on_path = best.depends != NOTHING || best.score.distance().is_some_and(|n| self.may_repeat(n));
        let key = match keys {
            [plain, None] => plain.filter(|_| !leans_on_path),
            [None, path] => path,
            [plain, path] => {
                if leans_on_path {
                    path
                } else {
                    plain
                }
            }
        };
        if let Some(key) = key {
            let bound = if best.score >= beta {
                Bound::Lower
            } else if best.score > old_alpha {
                Bound::Exact
            } else {
                Bound::Upper
            };
            let place = best_place.or(entry.and_then(|entry| entry.best));
            let entry = Entry { score: best.score, bound, depth: depth as u8, complete: best.complete, best: place };
            self.knowledge.table.put(key, entry);
        }
        Ok(best)
    }

    /// The value of playing `mv` in `position`, for the side that plays it.
    fn child(
        &mut self,
        position: &P,
        hash: u64,
        mv: P::Move,
        depth: u32,
        ply: u32,
        window: Window,
    ) -> Result<Value, Stopped> {
        self.path.play(position, hash, mv);
        let next = position.after(mv);
        let value = self.node(&next, depth - 1, ply + 1, window.handed_down())?;
        self.path.undo();
        Ok(Value { score: (-value.score).backed_up(), ..value })
    }

    fn enter(&mut self, ply: u32) -> Result<(), Stopped> {
        self.meter.count(ply)?;
        let plies = &mut self.memory.plies;
        while plies.len() <= ply as usize + 1 {
            plies.push(Ply { pv: Vec::new(), killers: [None; 2] });
        }
        plies[ply as usize].pv.clear();
        Ok(())
    }

    /// Whether a line of so many plies from here can come back to an earlier position of the path.
    fn may_repeat(&self, plies: u32) -> bool {
        let earlier = self.path.reversible();
        earlier > 0 && earlier.saturating_add(plies) >= P::MIN_CYCLE
    }

    /// The table keys of the present node: the plain one, and the one that stands for the path too.
    fn keys(&self, hash: u64, depth: u32) -> [Option<u64>; 2] {
        if !self.may_repeat(depth) {
            return [Some(hash), None];
        }
        [Some(hash).filter(|_| self.selective), Some(hash ^ mix64(self.path.fingerprint()))]
    }

    /// What `entry` says of a search of `depth` plies on this path, if it can be believed, and as what bound.
    fn believe(&self, entry: &Entry, depth: u32, plain_key: bool) -> Option<(Value, Bound)> {
        let entry_depth = u32::from(entry.depth);
        let on_any_path = |plies| !(plain_key && self.may_repeat(plies));
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
        let complete = entry.complete && on_any_path(entry_depth) && (entry_depth <= depth || !self.repeats);
        let deep_enough = match entry_depth {
            deeper if deeper > depth => self.selective,
            shallower if shallower < depth => complete,
            _ => true,
        };
        let sound = distance.is_none_or(on_any_path);
        // What was found under the key of the path may lean on any of its positions that can come back.
        let depends = if plain_key { NOTHING } else { self.path.len() - self.path.reversible() as usize };
        (sound && (proven || deep_enough)).then_some((Value { score: entry.score, complete, depends }, bound))
    }

    /// Appends the moves of `position` to the candidates, with the keys they are tried by.
    fn generate(&mut self, position: &P, ply: u32, table_move: Option<u16>) {
        let Memory { plies, candidates, generated, history } = &mut *self.memory;
        let killers = plies[ply as usize].killers;
        let history = &history[position.side_to_move().index()];
        generated.clear();
        position.generate(generated);
        for (place, &mv) in generated.iter().enumerate() {
            let key = if table_move.is_some_and(|best| usize::from(best) == place) {
                TABLE_MOVE
            } else if self.knowledge.evaluate.is_noisy(position, mv) {
                NOISY
            } else if killers[0] == Some(mv) {
                KILLER
            } else if killers[1] == Some(mv) {
                KILLER - 1
            } else {
                history.get(P::move_index(mv)).copied().unwrap_or(0)
            };
            candidates.push(Candidate { mv, key, place: place as u32 });
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
        let mv = self.memory.candidates[cut].mv;
        if self.knowledge.evaluate.is_noisy(position, mv) {
            return;
        }
        let killers = &mut self.memory.plies[ply as usize].killers;
        if killers[0] != Some(mv) {
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
        let mut moves = Vec::new();
        for at in 0.. {
            if at == pv.len() {
                let ended = position.outcome().is_some()
                    || (self.repeats && path.find(position.hash(), P::MIN_CYCLE).is_some());
                let entry = self.knowledge.table.get(position.hash()).filter(|entry| entry.bound == Bound::Exact);
                let Some(place) = entry.and_then(|entry| entry.best).filter(|_| !ended && at < depth as usize) else {
                    break;
                };
                moves.clear();
                position.generate(&mut moves);
                let Some(&mv) = moves.get(usize::from(place)) else { break };
                pv.push(mv);
            }
            path.play(&position, position.hash(), pv[at]);
            position.play(pv[at]);
        }
    }
}
