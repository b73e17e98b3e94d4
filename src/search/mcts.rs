//! Monte Carlo tree search.

use super::{Knowledge, MAX_DEPTH, Meter, News, Observer, Path, Stopped, Task, Verdict};
use crate::game::{Evaluate, Mixer, Outcome, Position, Probe};
use crate::score::{Bound, Meaning, Score};

fn env(name: &str, default: f64) -> f64 {
    std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(default)
}

/// Where the generator starts in every search. LAW 10: the same commands give the same tree.
const SEED: u64 = 0x6772_696f_74;

/// Lines and plies of each, from which the scale of the evaluation is taken.
const SAMPLE_LINES: usize = 16;
const SAMPLE_PLIES: usize = 16;

/// A position of the tree, reached by one line of moves only.
#[derive(Debug, Clone, Copy)]
struct Node<M> {
    /// The sum of the values of its visits, for the side to move here; before the first visit, a first guess.
    sum: f64,
    visits: u32,
    /// Its children stand together from here on; meaningless while there are none.
    first: u32,
    children: u32,
    /// The true value is at least this ...
    low: Score,
    /// ... and at most this.
    high: Score,
    /// The move that leads here; at the root, any.
    mv: M,
}

impl<M> Node<M> {
    /// Whether the result is proven, though perhaps not its distance.
    fn is_settled(&self) -> bool {
        self.low == self.high || self.low > Score::units(Score::MAX_UNITS) || self.high < -Score::units(Score::MAX_UNITS)
    }

    /// What is proven of a settled node: a win no later, a loss no earlier delayed, than it says.
    fn proven(&self) -> Score {
        if self.low > Score::DRAW { self.low } else { self.high }
    }
}

struct Tuning {
    c: f64,
    fpu: f64,
    prior: bool,
    plies: u32,
    noisy: bool,
    k: f64,
}

struct Tree<'a, P: Position, E, T> {
    root: &'a P,
    knowledge: Knowledge<'a, E, T>,
    nodes: Vec<Node<P::Move>>,
    capacity: usize,
    full: bool,
    path: Path,
    rng: Mixer,
    scale: f64,
    line: Vec<usize>,
    moves: Vec<P::Move>,
    noisy: Vec<P::Move>,
    t: Tuning,
}

/// Searches `task`, choosing from `moves`, which are not empty.
pub(super) fn search<P, E, T, O>(
    task: &Task<P>,
    knowledge: Knowledge<'_, E, T>,
    moves: &[P::Move],
    meter: &mut Meter<'_, O>,
) -> Verdict<P::Move>
where
    P: Position,
    E: Evaluate<P>,
    T: Probe<P>,
    O: Observer<P::Move>,
{
    let mut tree = Tree::new(task, knowledge, moves);
    let mut verdict = Verdict { score: Score::DRAW, depth: 0, pv: Vec::new(), nodes: 0 };
    meter.start(1);
    let mut next_look = moves.len() as u64;
    loop {
        let stopped = meter.count(tree.line.len() as u32).is_err();
        if !stopped {
            tree.simulate(meter);
        }
        let settled = tree.nodes[0].is_settled();
        if !(stopped || settled || meter.nodes >= next_look) {
            continue;
        }
        let (score, pv) = tree.best_line();
        let depth = pv.len() as u32;
        let mate = task.mate.is_some_and(|plies| {
            let root = &tree.nodes[0];
            root.low >= Score::win_in(plies) || root.high < Score::win_in(plies)
        });
        let limited = task.depth < MAX_DEPTH || task.mate.is_some();
        let done = stopped
            || settled
            || mate
            || depth >= task.depth
            || meter.nodes >= task.nodes
            || (limited && tree.full)
            || !meter.another_iteration();
        meter.go_on(depth, tree.permille_full());
        if depth > verdict.depth || pv.first() != verdict.pv.first() || (done && score != verdict.score) {
            meter.report_line(score, Bound::Exact, &pv);
            verdict = Verdict { score, depth, pv, nodes: meter.nodes };
        }
        verdict.nodes = meter.nodes;
        if done {
            return verdict;
        }
        next_look = meter.nodes + (meter.nodes / 8).clamp(16, 1024);
    }
}

impl<'a, P, E, T> Tree<'a, P, E, T>
where
    P: Position,
    E: Evaluate<P>,
    T: Probe<P>,
{
    fn new(task: &'a Task<P>, knowledge: Knowledge<'a, E, T>, moves: &[P::Move]) -> Self {
        let mut capacity = (knowledge.table.bytes() / size_of::<Node<P::Move>>()).min(u32::MAX as usize);
        let mut nodes = Vec::new();
        while nodes.try_reserve_exact(capacity).is_err() && capacity > 0 {
            capacity /= 2;
        }
        let mut tree = Tree {
            root: &task.root,
            knowledge,
            nodes,
            capacity,
            full: false,
            path: Path::new(&task.history),
            rng: Mixer::new(SEED),
            scale: 1.0,
            line: Vec::new(),
            moves: Vec::new(),
            noisy: Vec::new(),
            t: Tuning {
                c: env("M_C", 0.7),
                fpu: env("M_FPU", 0.2),
                prior: env("M_PRIOR", 0.0) > 0.0,
                plies: env("M_PLIES", 0.0) as u32,
                noisy: env("M_NOISY", 0.0) > 0.0,
                k: env("M_K", 4.0),
            },
        };
        tree.scale = tree.measure_scale();
        let root = Node { sum: 0.0, visits: 0, first: 0, children: 0, low: -Score::INFINITY, high: Score::INFINITY, mv: moves[0] };
        tree.nodes.push(root);
        tree.moves.extend_from_slice(moves);
        tree.add_children(0, &task.root);
        tree
    }

    fn measure_scale(&mut self) -> f64 {
        let (mut sum, mut count) = (0.0, 0_u32);
        for _ in 0..SAMPLE_LINES {
            let mut position = self.root.clone();
            let mut before = self.units(&position);
            for _ in 0..SAMPLE_PLIES {
                self.moves.clear();
                position.generate(&mut self.moves);
                position.play(self.moves[self.rng.below(self.moves.len())]);
                if position.outcome().is_some() {
                    break;
                }
                let after = self.units(&position);
                if let (Some(a), Some(b)) = (before, after) {
                    sum += (a + b).abs();
                    count += 1;
                }
                before = after;
            }
        }
        self.moves.clear();
        (self.t.k * sum / f64::from(count.max(1))).max(1.0)
    }

    fn units(&self, position: &P) -> Option<f64> {
        match self.knowledge.evaluate.evaluate(position).meaning() {
            Meaning::Units(units) => Some(f64::from(units)),
            _ => None,
        }
    }

    fn squash(&self, score: Score) -> f64 {
        match score.meaning() {
            Meaning::Win(_) | Meaning::KnownWin => 1.0,
            Meaning::Loss(_) | Meaning::KnownLoss => -1.0,
            Meaning::Units(units) => {
                let units = f64::from(units);
                units / (units.abs() + self.scale)
            }
        }
    }

    fn unsquash(&self, value: f64) -> Score {
        Score::units((self.scale * value / (1.0 - value.abs()).max(1e-4)) as i32)
    }

    fn permille_full(&self) -> u32 {
        (self.nodes.len() * 1000 / self.capacity.max(1)) as u32
    }

    fn simulate<O: Observer<P::Move>>(&mut self, meter: &mut Meter<'_, O>) {
        let mut position = self.root.clone();
        self.line.clear();
        self.line.push(0);
        let mut at = 0;
        let mut changed = false;
        let start = self.path.len();
        let mut value = loop {
            let node = self.nodes[at];
            if node.is_settled() {
                break self.squash(node.proven());
            }
            if node.children == 0 {
                if node.visits > 0 && !self.full {
                    self.moves.clear();
                    position.generate(&mut self.moves);
                    self.add_children(at, &position);
                    if self.nodes[at].children > 0 {
                        changed = true;
                        self.update_bounds(at);
                        continue;
                    }
                }
                break self.evaluate(&position);
            }
            at = self.select(at);
            let mv = self.nodes[at].mv;
            self.path.play(&position, position.hash(), mv);
            position.play(mv);
            self.line.push(at);
        };
        while self.path.len() > start {
            self.path.undo();
        }
        let _ = meter;
        for i in (0..self.line.len()).rev() {
            let at = self.line[i];
            // The leaf's bounds are up to date.
            if changed && i + 1 < self.line.len() {
                changed = self.update_bounds(at);
            }
            if self.nodes[at].is_settled() {
                value = self.squash(self.nodes[at].proven());
            }
            let node = &mut self.nodes[at];
            if node.visits == 0 {
                node.sum = 0.0;
            }
            node.visits += 1;
            node.sum += value;
            value = -value;
        }
    }

    fn children(&self, at: usize) -> std::ops::Range<usize> {
        let node = &self.nodes[at];
        node.first as usize..node.first as usize + node.children as usize
    }

    fn update_bounds(&mut self, at: usize) -> bool {
        let (mut low, mut high) = (-Score::INFINITY, -Score::INFINITY);
        for child in &self.nodes[self.children(at)] {
            low = low.max((-child.high).backed_up());
            high = high.max((-child.low).backed_up());
        }
        let node = &mut self.nodes[at];
        let changed = (low, high) != (node.low, node.high);
        (node.low, node.high) = (low, high);
        changed
    }

    fn select(&mut self, at: usize) -> usize {
        let parent = self.nodes[at];
        let visits = parent.visits.max(1);
        let log = log2(visits) * std::f64::consts::LN_2;
        let fpu = parent.sum / f64::from(visits) - self.t.fpu;
        let range = self.children(at);
        let mut best = range.start;
        let mut most = f64::NEG_INFINITY;
        for index in range {
            let child = &self.nodes[index];
            if child.is_settled() || (-child.low).backed_up() <= parent.low {
                continue;
            }
            let (value, n) = if child.visits > 0 {
                (-child.sum / f64::from(child.visits), f64::from(child.visits))
            } else if self.t.prior {
                (-child.sum, 1.0)
            } else {
                (fpu, 1.0)
            };
            let urgency = value + self.t.c * (log / n).sqrt();
            if urgency > most {
                most = urgency;
                best = index;
            }
        }
        best
    }

    fn add_children(&mut self, at: usize, position: &P) {
        let first = self.nodes.len();
        if first + self.moves.len() > self.capacity {
            self.full = true;
            return;
        }
        let hash = position.hash();
        for i in 0..self.moves.len() {
            let mv = self.moves[i];
            let next = position.after(mv);
            self.path.play(position, hash, mv);
            let known = self.known(&next);
            self.path.undo();
            let (low, high) = match known {
                Some(score) => (score, score),
                None => (Score::loss_in(1), Score::win_in(1)),
            };
            let sum = if self.t.prior && known.is_none() { self.squash(self.knowledge.evaluate.evaluate(&next)) } else { 0.0 };
            self.nodes.push(Node { sum, visits: 0, first: 0, children: 0, low, high, mv });
        }
        self.nodes[at].first = first as u32;
        self.nodes[at].children = self.moves.len() as u32;
        self.update_bounds(at);
    }

    fn known(&self, position: &P) -> Option<Score> {
        let side = position.side_to_move();
        if let Some(outcome) = position.outcome().or_else(|| self.repetition(position)) {
            return Some(outcome.score_for(side));
        }
        if let Some(score) = self.knowledge.probe.probe(position) {
            return Some(score);
        }
        None
    }

    fn repetition(&self, position: &P) -> Option<Outcome> {
        position.outcome_by_repetition().filter(|_| self.path.find(position.hash(), P::MIN_CYCLE).is_some())
    }

    fn evaluate(&mut self, position: &P) -> f64 {
        let side = position.side_to_move();
        let mut position = position.clone();
        for _ in 0..self.t.plies {
            self.moves.clear();
            position.generate(&mut self.moves);
            let mut mv = self.moves[self.rng.below(self.moves.len())];
            if self.t.noisy {
                self.noisy.clear();
                for &m in &self.moves {
                    if self.knowledge.evaluate.is_noisy(&position, m) {
                        self.noisy.push(m);
                    }
                }
                if !self.noisy.is_empty() {
                    mv = self.noisy[self.rng.below(self.noisy.len())];
                    let me = position.side_to_move();
                    for &m in &self.noisy {
                        if position.after(m).outcome() == Some(Outcome::Win(me)) {
                            return if me == side { 1.0 } else { -1.0 };
                        }
                    }
                }
            }
            self.path.play(&position, position.hash(), mv);
            position.play(mv);
            if let Some(outcome) = position.outcome().or_else(|| self.repetition(&position)) {
                return self.squash(outcome.score_for(side));
            }
        }
        let value = self.squash(self.knowledge.evaluate.evaluate(&position));
        if position.side_to_move() == side { value } else { -value }
    }

    fn best_child(&self, at: usize) -> Option<usize> {
        let settled = self.nodes[at].is_settled();
        let mut best: Option<(usize, Score, u32)> = None;
        let mut most: Option<usize> = None;
        for index in self.children(at) {
            let child = &self.nodes[index];
            if child.is_settled() {
                let score = (-child.proven()).backed_up();
                if best.is_none_or(|(_, other, _)| score > other) {
                    best = Some((index, score, child.visits));
                }
            } else if child.visits > 0 && most.is_none_or(|other| child.visits > self.nodes[other].visits) {
                most = Some(index);
            }
        }
        match (best, most) {
            (Some((index, score, _)), Some(other)) => {
                let child = &self.nodes[other];
                let mean = -child.sum / f64::from(child.visits);
                Some(if settled || self.squash(score) >= mean { index } else { other })
            }
            (best, most) => best.map(|(index, ..)| index).or(most),
        }
    }

    fn best_line(&self) -> (Score, Vec<P::Move>) {
        let mut pv = Vec::new();
        let mut at = 0;
        let mut score = Score::DRAW;
        while let Some(next) = self.best_child(at) {
            let child = &self.nodes[next];
            if pv.is_empty() {
                score = if child.is_settled() {
                    (-child.proven()).backed_up()
                } else {
                    self.unsquash(-child.sum / f64::from(child.visits))
                };
            }
            pv.push(child.mv);
            at = next;
            if pv.len() == MAX_DEPTH as usize {
                break;
            }
        }
        (score, pv)
    }
}

fn log2(n: u32) -> f64 {
    let whole = n.ilog2();
    f64::from(whole) + f64::from(n) / f64::from(1_u32 << whole) - 1.0
}
