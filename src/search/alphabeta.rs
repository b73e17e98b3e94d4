//! The full search: principal variation search with a transposition table, fail-soft.
//!
//! Layer 3. One [`AlphaBeta`] is one iteration on one thread. docs/search.md explains the numbered steps of a node.
//! CITE: chessprogramming wiki, "Principal Variation Search", "Transposition Table", "Fail-Soft".
//!
//! ```text
//!   root        the root moves
//!   child       plays a move and returns the value of the position after it
//!    ├ static_value   steps 1 to 7: values that need no search of the moves
//!    └ node           steps 8 to 14: the search of its moves
//!       └ scout       a move after the first: zero window, reduced depth; then child again if it fails high
//! ```

use super::histories::Histories;
use super::ordering::{Before, NodeMoves, OrderedNode, Ordering, ScoredMove, move_id};
use super::parameters::Parameters;
use super::reductions::{
    BOLD_PRUNING_MAX_DEPTH, Kind, LMR_FIRST_MOVE, LMR_MIN_DEPTH, Late, NULL_MOVE_MIN_DEPTH, NULL_MOVE_VERIFIED,
    OLD_ENTRY_MIN_DEPTH, OLD_ENTRY_PLIES, PROBCUT_MIN_DEPTH, PROBCUT_PERCENT, PRUNING_MAX_DEPTH, RAZORING_MAX_DEPTH,
    RFP_MAX_DEPTH, ROOT_FIRST_REDUCED, SINGULAR_MIN_DEPTH, SINGULAR_PLIES, Width, bold_lmr_plies, bold_null_move_plies,
    exchange_quarters, falling_late_moves, further, futile_margins, late_moves_begin, less_far, lmr_plies,
    null_move_plies, plies_by_history, plies_by_worth, probcut_depth, scaled,
};
use super::technique::{Technique, Techniques};
use super::trail::{Place, Trail};
use super::tt_probing::ProbePolicy;
use super::window::{NodeValue, Window};
use super::{Entry, Iteration, Knowledge, Line, MAX_DEPTH, Meter, Path, Stopped, Task, bold_with_null_moves};
use crate::game::{Balance, Candidates, Evaluate, EvaluationMode, Objective, Outcome, Position, Probe, mix64, sort_by};
use crate::score::{Bound, Meaning, Score};

/// What is known about a node before its moves are searched.
enum Static {
    /// Its value; no search is needed.
    Value(NodeValue),
    /// Its moves must be searched. Holds the tablebase's limits on the value, and the static evaluation if it was
    /// computed.
    Open(Option<Balance>, Option<Score>),
}

/// A node of the current line.
#[derive(Debug)]
struct Node<'n, P, S> {
    position: &'n P,
    /// The hash of the position, if it is known.
    hash: Option<u64>,
    /// The evaluation's incremental state.
    state: &'n S,
    place: Place,
    /// Plies from the root.
    ply: u32,
    /// What the search expects of it.
    kind: Kind,
    /// Whether a null move led here, or neither a null move nor `ProbCut` may be tried here.
    is_after_null: bool,
    /// The moves that led here.
    before: Before,
    /// Whether the side to move must answer a threat; set only in games with quiescence search.
    must_answer: bool,
    /// The static evaluation, if moves may be pruned by it.
    static_eval: Option<Score>,
    /// The id of a move that is left out, to see whether another one is as good, and the symmetric image that it belongs to.
    left_out: Option<(u16, u8)>,
    /// Whether the move that is searched is singular. Its ply is in the depth, so that a check adds none.
    is_singular: bool,
}

impl<P, S> Clone for Node<'_, P, S> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<P, S> Copy for Node<'_, P, S> {}

impl<P: Position, S> Node<'_, P, S> {
    /// The hash of its position.
    #[inline]
    fn hash(&self) -> u64 {
        self.hash.unwrap_or_else(|| self.position.hash())
    }

    /// What the order of its moves depends on.
    #[inline]
    fn ordered(&self, depth: u32, symmetry: u8) -> OrderedNode<'_, P, S> {
        let &Node { position, state, ply, before, .. } = self;
        OrderedNode { position, state, symmetry, depth, ply, before }
    }
}

/// Whether a hash move is far better than all others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Singular {
    /// It is.
    Yes,
    /// It is not, or that is not known.
    No,
    /// Another move seems to be above beta as well: the value of the node.
    Cutoff(Score),
}

/// What is pruned with a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pruned {
    /// That move alone.
    Move,
    /// That move and all later quiet ones.
    QuietMoves,
}

/// The expected size of a tree: the base-4 logarithm of the number of its leaves. With good move ordering, a tree of
/// depth d has about moves^(d / 2) leaves.
#[inline]
fn tree_size(depth: u32, moves: usize) -> u32 {
    depth * (moves * moves).max(2).ilog2()
}

/// The greatest depth at which moves that the game scores below 0 are pruned.
const LOSING_MAX_DEPTH: u32 = 3;

/// The assumed number of moves of a node in games that generate them late: that of chess, 31 to 35 on average. Draughts,
/// which has 7 to 12, is looked up in the transposition table as often.
const USUAL_MOVES: usize = 32;

/// The least depth of a node at which replies in the transposition table are looked for.
const REPLIES_MIN_DEPTH: u32 = 4;

/// Trees smaller than this are not looked up in the transposition table: searching them takes no longer.
const MIN_TT_SIZE: u32 = 9;

/// From this tree size on, the key is the same for all symmetric images of the position. It takes longer to compute.
const MIN_FOLDED_SIZE: u32 = 21;

/// The game's [`crate::game::Threats::threat_result`] is computed again when a node is searched at least this many plies
/// deeper.
const THREAT_RESULT_PLIES: u32 = 4;

/// The most moves that are tried to complete a line, which takes some milliseconds and cannot be stopped.
const MOST_LOOKED_AT: usize = 1 << 20;

/// The least score of a node where only chosen moves were searched and all of them lose: an estimate.
pub(super) const ALL_CHOSEN_LOSE: Score = Score::units(-1_000_000);

/// The data that a thread keeps between iterations, besides the transposition table, and its buffers.
#[derive(Debug)]
pub(super) struct ThreadData<M> {
    ordering: Ordering<M>,
    /// The principal variation from each ply of the current line.
    pv: Vec<Vec<M>>,
    probe_policy: ProbePolicy,
    /// The static evaluations of the current line by ply, in units; `None` where the side must answer. Only in games that
    /// prune boldly, as are the following.
    evaluations: Vec<Option<i32>>,
    /// The root moves and the nodes that their searches took, those of earlier iterations halved each time.
    effort: Vec<(M, u64)>,
}

impl<M: Copy + Eq> ThreadData<M> {
    pub(super) fn new(histories: Histories) -> Self {
        let pv = vec![Vec::new(); MAX_DEPTH as usize + 2];
        ThreadData {
            ordering: Ordering::new(histories),
            pv,
            probe_policy: ProbePolicy::default(),
            evaluations: vec![None; MAX_DEPTH as usize + 2],
            effort: Vec::new(),
        }
    }

    /// What the thread has learned about moves.
    pub(super) fn into_histories(self) -> Histories {
        self.ordering.histories
    }

    /// Adds the nodes that the search of a root move took.
    fn spend(&mut self, mv: M, nodes: u64) {
        match self.effort.iter_mut().find(|(known, _)| *known == mv) {
            Some((_, spent)) => *spent = *spent / 2 + nodes,
            None => self.effort.push((mv, nodes)),
        }
    }

    /// The nodes of a root move.
    fn spent(&self, mv: M) -> u64 {
        self.effort.iter().find(|(known, _)| *known == mv).map_or(0, |&(_, nodes)| nodes)
    }

    /// Whether the static evaluation at this ply is above that of the side's last turn on the line.
    fn is_improving(&self, ply: u32) -> bool {
        let back = |plies: u32| self.evaluations[ply.checked_sub(plies)? as usize];
        back(0).zip(back(2).or_else(|| back(4))).is_some_and(|(now, before)| now > before)
    }
}

/// The static evaluation, or the estimate of an earlier search where its bound says more.
#[inline]
fn corrected_by_table(static_eval: Score, entry: Option<Entry>) -> Score {
    let Some(entry) = entry else { return static_eval };
    let says_more = match entry.bound {
        Bound::Exact => true,
        Bound::Lower => entry.score > static_eval,
        Bound::Upper => entry.score < static_eval,
    };
    let is_estimate = matches!(entry.score.meaning(), Meaning::Units(_));
    if says_more && is_estimate { entry.score } else { static_eval }
}

/// The most plies that the proof of a result takes, if a search of `depth` plies found it; `None` for an estimate.
#[inline]
fn proof_length(score: Score, depth: u32) -> Option<u32> {
    score.distance().or(Some(depth).filter(|_| score.is_decisive()))
}

/// One iteration of the search.
///
/// # Repetition and the transposition table
///
/// A repetition makes the value of a position depend on the path to it, and a table entry does not know the path. So a
/// [`NodeValue`] records whether it is proven, and the earliest position that a repetition below it depends on. Values
/// that depend on a repetition are stored under a second key that also hashes the positions that can still be repeated.
/// An entry under the plain key counts as a proof only where no repetition is within reach, so proven results are
/// sound. Estimates are used on any path. With `selective` off, an entry serves only its own depth, and only the second
/// key is used where a repetition is within reach, so the search equals plain minimax; a value found there without a
/// repetition also holds where none is within reach, so it is stored under the plain key too.
///
/// # Wins and losses
///
/// A win or loss with a distance is always proven: a node returns a loss only if none of its moves was left out, and
/// pruning never returns one. Windows at such scores ("is there a shorter win?", "is there a defence?") are searched
/// with all reductions and pruning. They may overlook a shorter win; the full-width iterations that follow find it
/// (`deepening.rs`). Among scores, only a known result without a distance ([`Score::is_known`]) switches reductions
/// off.
pub(super) struct AlphaBeta<'a, 'o, P: Position, E: Evaluate<P>, T> {
    root: &'a P,
    knowledge: Knowledge<'a, E, T>,
    meter: &'a mut Meter<'o, P::Move>,
    thread: &'a mut ThreadData<P::Move>,
    history: &'a [u64],
    trail: Trail<P>,
    start: Place,
    root_state: E::State,
    /// States that are done with, whose memory is used again; of games with [`crate::game::Expertise::STATES_ON_HEAP`].
    spare: Vec<E::State>,
    selective: bool,
    techniques: Techniques,
    parameters: Parameters,
    /// Whether some nodes may be searched to a reduced depth.
    reduces: bool,
    /// Whether nodes whose side to move must answer are extended by a ply.
    extends: bool,
    /// Whether moves are pruned near the leaves.
    prunes_moves: bool,
    /// Whether the search reduces and prunes boldly ([`crate::game::Pruning::PRUNES_BOLDLY`]).
    is_bold: bool,
    /// Whether leaves run a quiescence search.
    quiesces: bool,
    /// Whether the game chooses the moves of a node.
    chooses: bool,
    /// From this ply on, forced moves are not extended.
    last_extended: u32,
    /// The margin of reverse futility pruning, in units per ply of depth; `None` if it is off.
    futility_margin: Option<i32>,
    /// The margin of razoring, in the same unit.
    razoring_margin: Option<i32>,
    /// Mixed into the keys, so that searches of different widths do not share table entries.
    space: u64,
    /// Whether the positions before a node can affect its value: positions repeat, or plies are counted.
    repeats: bool,
    /// Mixed into the keys of positions where the tablebase does not apply because a position from before the root can
    /// still repeat; 0 if the tablebase does not know the root.
    salt: u64,
}

impl<'a, 'o, P, E, T> AlphaBeta<'a, 'o, P, E, T>
where
    P: Position,
    E: Evaluate<P>,
    T: Probe<P>,
{
    /// Whether the moves of a node are generated after step 10: pruning and the transposition table often make them
    /// unnecessary, and a null move cutoff generates the opponent's moves.
    const GENERATES_LATE: bool = P::HAS_NULL_MOVE || E::PRUNES_BOLDLY;

    /// Whether step 1 generates the moves of a node and derives the end of the game from them. Games that generate them
    /// late use `outcome`.
    const END_SHOWS_IN_MOVES: bool = P::ENDS_WITHOUT_MOVES && !Self::GENERATES_LATE;

    /// Whether bold pruning has no null moves: then late moves are reduced further, from the second one on, and replies
    /// in the transposition table are looked for.
    const REDUCES_FURTHER: bool = E::PRUNES_BOLDLY && !P::HAS_NULL_MOVE;

    /// Whether the techniques are on that were measured at chess alone: quiet moves are pruned by the depth that their reduction
    /// leaves, late moves are reduced less, nodes with old entries in the transposition table a ply more, checks that lose a
    /// piece are not extended, and quiescence search takes what the table knows for the evaluation.
    const AS_CHESS: bool = bold_with_null_moves::<P, E>();

    pub(super) fn new(
        task: &'a Task<P>,
        knowledge: Knowledge<'a, E, T>,
        meter: &'a mut Meter<'o, P::Move>,
        thread: &'a mut ThreadData<P::Move>,
        width: Width,
    ) -> Self {
        thread.ordering.restart();
        let repeats = task.root.outcome_by_repetition().is_some() || task.root.reversible_plies_left().is_some();
        let (trail, start) = Trail::new(&task.history, repeats);
        let mut parameters = task.parameters;
        if Self::REDUCES_FURTHER {
            parameters.lmr = further(parameters.lmr);
        } else if Self::AS_CHESS {
            parameters.lmr = less_far(parameters.lmr);
        }
        let prunes_moves = E::PRUNES_MOVES
            && width == Width::Reduced
            && task.techniques.has(Technique::MovePruning)
            && knowledge.evaluate.mode() != EvaluationMode::Plain;
        AlphaBeta {
            root: &task.root,
            knowledge,
            meter,
            thread,
            history: &task.history,
            trail,
            start,
            root_state: knowledge.evaluate.state(&task.root),
            spare: Vec::new(),
            selective: task.selective,
            techniques: task.techniques,
            parameters,
            reduces: width == Width::Reduced,
            extends: E::EXTENDS_ANSWERS && width == Width::Reduced && task.techniques.has(Technique::Extensions),
            prunes_moves,
            is_bold: E::PRUNES_BOLDLY && prunes_moves,
            quiesces: task.selective
                && task.techniques.has(Technique::Quiescence)
                && knowledge.evaluate.mode() != EvaluationMode::Plain,
            chooses: E::CHOOSES
                && width == Width::Reduced
                && task.techniques.has(Technique::Candidates)
                && knowledge.evaluate.mode() == EvaluationMode::Full,
            last_extended: 0,
            futility_margin: (width == Width::Reduced && task.techniques.has(Technique::ReverseFutility))
                .then(|| knowledge.evaluate.futility_margin::<P>())
                .flatten()
                .map(|margin| scaled(margin, task.parameters.futility)),
            razoring_margin: (width == Width::Reduced && task.techniques.has(Technique::Razoring))
                .then(|| knowledge.evaluate.razoring_margin::<P>())
                .flatten()
                .map(|margin| scaled(margin, task.parameters.razoring)),
            space: match width {
                Width::Full if task.selective => 0,
                Width::Reduced => mix64(2),
                Width::Full => mix64(3),
            },
            repeats,
            salt: knowledge.balance(&task.root).map_or(0, |_| mix64(1)),
        }
    }

    /// The same search over all moves of every node.
    pub(super) fn at_all_moves(self) -> Self {
        AlphaBeta { chooses: false, ..self }
    }

    /// Searches the root moves to `depth` and moves the best one to the front. The value is exact inside the window and
    /// a bound outside it.
    pub(super) fn root(mut self, depth: u32, moves: &mut [P::Move], window: Window) -> Iteration<P::Move> {
        self.last_extended = 2 * depth;
        let mut best: Option<Line<P::Move>> = None;
        let finished = self.root_moves(depth, moves, window, &mut best).is_ok();
        if let Some(line) = &mut best {
            line.proven &= finished;
            self.complete_pv(depth, line.score, &mut line.pv);
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
        if self.is_bold {
            self.order_root(depth, moves);
        }
        let mut proven = !self.chooses;
        for number in 0..moves.len() {
            let mv = moves[number];
            self.meter.report_current_move(mv, number + 1);
            let nodes_before = self.meter.nodes;
            let mut value = None;
            if number > 0 && self.techniques.has(Technique::Pvs) {
                let reduction = self.root_reduction(mv, depth, number, window);
                let mut scout = self.root_child(mv, depth - reduction, window.zero())?;
                if reduction > 0 && scout.score > window.alpha {
                    scout = self.root_child(mv, depth, window.zero())?;
                }
                value = Some(scout).filter(|scout| scout.score <= window.alpha);
                if value.is_none() {
                    // This move is better than all before it, even if the search is stopped before its exact value is
                    // known.
                    let before = best.replace(self.line(mv, scout));
                    let exact = self.root_child(mv, depth, window)?;
                    if exact.score <= window.alpha {
                        // The re-search with the open window refuted the move.
                        *best = before;
                    }
                    value = Some(exact);
                }
            }
            let value = match value {
                Some(value) => value,
                None => self.root_child(mv, depth, window)?,
            };
            if self.is_bold {
                self.thread.spend(mv, self.meter.nodes - nodes_before);
            }
            proven &= value.is_proven();
            if number == 0 || value.score > window.alpha {
                *best = Some(self.line(mv, value));
                moves[..=number].rotate_right(1);
                window.alpha = window.alpha.max(value.score);
            }
            if value.score >= window.beta {
                proven = value.is_proven();
                break;
            }
        }
        if let Some(line) = best {
            line.proven = proven;
        }
        Ok(())
    }

    /// Orders the root moves after the first by the nodes of their searches so far; in the first iteration all of them by
    /// the game's scores.
    fn order_root(&mut self, depth: u32, moves: &mut [P::Move]) {
        if let [_, rest @ ..] = moves
            && !self.thread.effort.is_empty()
        {
            sort_by(rest, |mv| -self.thread.spent(mv).cast_signed());
            return;
        }
        let mut scores = vec![0; moves.len()];
        self.knowledge.evaluate.score_moves(self.root, &self.root_state, depth, moves, &mut scores);
        let mut scored = scores.iter();
        sort_by(moves, |_| -scored.next().map_or(0, |&score| i64::from(score)));
    }

    /// The reduction of the root move at index `place`, in plies. Root moves are reduced only if the game chooses and
    /// orders the moves, or prunes boldly.
    fn root_reduction(&self, mv: P::Move, depth: u32, place: usize, window: Window) -> u32 {
        if depth < LMR_MIN_DEPTH || !self.techniques.has(Technique::Lmr) || window.alpha.is_known() {
            return 0;
        }
        if self.is_bold {
            let is_late = place >= ROOT_FIRST_REDUCED && !self.knowledge.evaluate.is_noisy(self.root, mv);
            return if is_late { lmr_plies(depth, place, self.parameters).saturating_sub(1) } else { 0 };
        }
        if self.chooses && place >= LMR_FIRST_MOVE { lmr_plies(depth, place, self.parameters) } else { 0 }
    }

    /// The value of a root move. A zero-window search writes no principal variation, so the old one is cleared first.
    fn root_child(&mut self, mv: P::Move, depth: u32, window: Window) -> Result<NodeValue, Stopped> {
        self.thread.pv[1].clear();
        let state = self.root_state.clone();
        let root = Node {
            position: self.root,
            hash: None,
            state: &state,
            place: self.start,
            ply: 0,
            kind: Kind::Pv,
            is_after_null: true,
            before: [None; 2],
            must_answer: false,
            static_eval: None,
            left_out: None,
            is_singular: false,
        };
        self.child(root, mv, depth, window)
    }

    /// The line of a root move with this value. Its search must have been the last one.
    fn line(&self, mv: P::Move, value: NodeValue) -> Line<P::Move> {
        let pv = [&[mv], self.thread.pv[1].as_slice()].concat();
        Line { score: value.score, proven: value.proven, pv }
    }

    /// The value of playing `mv` at a node that is searched to `depth`, for the side that plays it.
    #[inline]
    fn child(
        &mut self,
        node: Node<'_, P, E::State>,
        mv: P::Move,
        depth: u32,
        window: Window,
    ) -> Result<NodeValue, Stopped> {
        let position = node.position.after(mv);
        let place = node.place.after(!self.repeats || node.position.is_irreversible(&position));
        // Prefetching pays where a node takes long: with quiescence search, or if the game chooses the moves.
        let prefetches = E::QUIESCES && (depth > 1 || self.is_bold) || E::CHOOSES && self.chooses;
        let hash = prefetches.then(|| position.hash());
        if let Some(hash) = hash {
            self.knowledge.tt.prefetch(self.plain_key(hash, place));
        }
        let evaluate = self.knowledge.evaluate;
        let spare = &mut self.spare;
        let state = if E::STATES_ON_HEAP {
            evaluate.next_state_in(spare.pop().unwrap_or_default(), node.state, node.position, mv, &position)
        } else {
            evaluate.next_state(node.state, node.position, mv, &position)
        };
        let must_answer = E::QUIESCES && self.knowledge.evaluate.must_answer(&position);
        // Depth must never grow along a line: the trail relies on it.
        let extends = must_answer && self.extends && depth > 1 && node.ply + depth < MAX_DEPTH && !node.is_singular;
        // A check that loses a piece is no reason to look further.
        let extends = extends && !(Self::AS_CHESS && self.is_bold && evaluate.loses(node.position, mv, 0));
        let last = (P::LANDINGS > 0).then(|| node.position.landing(mv));
        let next = Node {
            position: &position,
            hash,
            state: &state,
            place,
            ply: node.ply + 1,
            kind: if window.is_open() { Kind::Pv } else { node.kind.of_scout() },
            is_after_null: false,
            before: [last, node.before[0].filter(|_| E::PRUNES_BOLDLY)],
            must_answer,
            static_eval: None,
            left_out: None,
            is_singular: false,
        };
        let value = self.value_for_parent(next, depth - 1 + u32::from(extends), window);
        if E::STATES_ON_HEAP {
            self.spare.push(state);
        }
        value
    }

    /// The value of a node searched to `depth`, for its parent. `window` is the parent's window.
    #[inline]
    fn value_for_parent(
        &mut self,
        node: Node<'_, P, E::State>,
        depth: u32,
        window: Window,
    ) -> Result<NodeValue, Stopped> {
        let window = window.handed_down();
        let is_extended = E::CHOOSES
            && self.chooses
            && node.ply < self.last_extended
            && self.knowledge.evaluate.is_forced(node.position, node.state);
        let depth = if is_extended { depth + 1 } else { depth };
        let value = match self.static_value(node, depth, window)? {
            Static::Value(value) => value,
            Static::Open(limits, static_eval) => {
                let value = self.node(Node { static_eval, ..node }, depth, window)?;
                NodeValue { score: limits.map_or(value.score, |limits| limits.limit(value.score)), ..value }
            }
        };
        Ok(NodeValue { score: (-value.score).backed_up(), ..value })
    }

    /// The value of a move after the first: a zero-window search, reduced by `reduction` plies. If it fails high, the
    /// move is searched again, first to the full depth, then with the whole window.
    #[inline]
    fn scout(
        &mut self,
        node: Node<'_, P, E::State>,
        mv: P::Move,
        [depth, reduction]: [u32; 2],
        window: Window,
    ) -> Result<NodeValue, Stopped> {
        if reduction > 0 {
            let value = self.child(node, mv, depth - reduction, window.zero())?;
            if value.score <= window.alpha {
                return Ok(value);
            }
        }
        if window.is_open() && self.techniques.has(Technique::Pvs) {
            let value = self.child(node, mv, depth, window.zero())?;
            if !window.holds(value.score) {
                return Ok(value);
            }
        }
        self.child(node, mv, depth, window)
    }

    /// Whether the moves of a node may be reduced: not if alpha is a known result without a distance, and not once the
    /// search reaches the end of the game.
    #[inline]
    fn may_reduce(&self, position: &P, depth: u32, alpha: Score) -> bool {
        let free = self.reduces && depth >= LMR_MIN_DEPTH && !alpha.is_known();
        free && position.plies_left().is_none_or(|left| left > depth)
    }

    /// The reduction of the move at index `place` of a node, at least 1, in plies. Noisy moves are reduced only by their
    /// expected worth, and so is the move at index 1, except in games that reduce further and outside of open windows.
    #[inline]
    fn late_move_reduction(
        &self,
        node: Node<'_, P, E::State>,
        scored: ScoredMove<P::Move>,
        (depth, place): (u32, usize),
        alpha: Score,
    ) -> u32 {
        if !self.techniques.has(Technique::Lmr) {
            return 0;
        }
        let is_noisy = || {
            let by_game = || self.knowledge.evaluate.is_noisy(node.position, scored.mv) && !scored.is_losing();
            if self.chooses { scored.is_sharp() } else { by_game() }
        };
        let first = LMR_FIRST_MOVE - usize::from(Self::REDUCES_FURTHER && self.is_bold && node.kind != Kind::Pv);
        let is_late = place >= first && !is_noisy();
        let plies = if is_late { lmr_plies(depth, place, self.parameters) } else { 0 };
        if let Some(by_worth) = self.plies_by_worth(node.position, scored, depth, alpha) {
            return plies.saturating_add_signed(by_worth).min(depth - 2);
        }
        if !is_late || !E::PRUNES_MOVES {
            return plies;
        }
        if self.is_bold {
            let (history, improving) = (scored.history(), self.thread.is_improving(node.ply));
            let late = Late { history, kind: node.kind, must_answer: node.must_answer, improving };
            return bold_lmr_plies(depth, place, late, self.parameters);
        }
        let by_history = scored.history().map_or(1, plies_by_history) + i32::from(node.must_answer);
        plies.saturating_add_signed(-by_history).min(depth - 2)
    }

    /// The adjustment of a late move's reduction by the value that the game expects of the move, in plies.
    #[inline]
    fn plies_by_worth(&self, position: &P, scored: ScoredMove<P::Move>, depth: u32, alpha: Score) -> Option<i32> {
        let expected = self.knowledge.evaluate.expected(position, depth, scored.by_game()?)?;
        let (Meaning::Units(worth), Meaning::Units(alpha)) = (expected.meaning(), alpha.meaning()) else { return None };
        Some(plies_by_worth(alpha - worth, self.futility_margin?))
    }

    /// What is pruned with the move at index `place`: near the leaves, once a move was searched and the best score is not
    /// decisive. A pruned move proves nothing. Margins go by the depth of the node; those of quiet moves by the depth that
    /// the move's reduction leaves, in games where [`Self::AS_CHESS`] holds. CITE: chessprogramming wiki,
    /// "Futility Pruning", "Late Move Pruning".
    #[inline]
    fn pruned(
        &self,
        node: Node<'_, P, E::State>,
        static_eval: Score,
        scored: ScoredMove<P::Move>,
        (depth, place): (u32, usize),
        alpha: Score,
    ) -> Option<Pruned> {
        let margin = self.futility_margin.filter(|_| self.is_bold);
        let loses_too_much = |margin: i32, depth, is_quiet| {
            let most = margin * exchange_quarters(depth, is_quiet) / 4;
            self.knowledge.evaluate.loses(node.position, scored.mv, most)
        };
        let is_near = depth <= PRUNING_MAX_DEPTH;
        if scored.is_losing() {
            let is_lost = || margin.map_or(depth <= LOSING_MAX_DEPTH, |margin| loses_too_much(margin, depth, false));
            return (is_near && is_lost()).then_some(Pruned::Move);
        }
        scored.history()?;
        let Meaning::Units(units) = static_eval.meaning() else { return None };
        let reduction = if Self::AS_CHESS && self.is_bold && depth >= LMR_MIN_DEPTH {
            self.late_move_reduction(node, scored, (depth, place), alpha)
        } else {
            0
        };
        let reduced = depth - reduction;
        if reduced > PRUNING_MAX_DEPTH {
            return None;
        }
        let lift = self.futility_margin.map(|margin| margin * futile_margins(reduced));
        let late = late_moves_begin(depth, self.parameters);
        let is_falling = self.is_bold && !self.thread.is_improving(node.ply);
        // Later moves are reduced no less, as they have no better history.
        let are_all_pruned = is_near && place >= if is_falling { falling_late_moves(late) } else { late }
            || lift.is_some_and(|lift| Score::units(units + lift) <= alpha);
        if are_all_pruned {
            return Some(Pruned::QuietMoves);
        }
        margin.is_some_and(|margin| loses_too_much(margin, reduced, true)).then_some(Pruned::Move)
    }

    /// Reverse futility pruning and razoring: a value for a node whose static evaluation is far above beta or far below
    /// alpha. If beta is a loss, the node counts as far above beta, too.
    #[inline]
    fn pruned_by_margin(
        &self,
        (depth, ply): (u32, u32),
        window: Window,
        static_eval: impl FnOnce() -> Score,
    ) -> Option<NodeValue> {
        let is_beta_loss = matches!(window.beta.meaning(), Meaning::Loss(_));
        let has_beta = is_beta_loss || !window.beta.is_decisive();
        let above = self.futility_margin.filter(|_| depth <= RFP_MAX_DEPTH && has_beta);
        let below = self.razoring_margin.filter(|_| depth <= RAZORING_MAX_DEPTH && !window.alpha.is_decisive());
        if window.is_open() || above.or(below).is_none() {
            return None;
        }
        let Meaning::Units(units) = static_eval().meaning() else { return None };
        let fewer = i32::from(self.is_bold && self.thread.is_improving(ply));
        let (least, most) = (
            above.map(|margin| Score::units(units - margin * (depth as i32 - fewer))),
            below.map(|margin| Score::units(units + margin * depth as i32)),
        );
        let above = least.filter(|&score| score >= window.beta).map(|score| self.unconfirmed(score, window.beta));
        above.or(most.filter(|&score| score <= window.alpha)).map(NodeValue::estimate)
    }

    /// The value of a node whose evaluation is above beta, and that no search of its moves has confirmed. Games that prune boldly
    /// take the mean of the two: the full value would mislead the nodes above and those that find it in the transposition table,
    /// and beta alone would say too little.
    #[inline]
    fn unconfirmed(&self, score: Score, beta: Score) -> Score {
        match (score.meaning(), beta.meaning()) {
            (Meaning::Units(units), Meaning::Units(beta)) if self.is_bold => Score::units(units.midpoint(beta)),
            _ => score,
        }
    }

    /// Counts a node and returns its value if it needs no search of its moves.
    #[inline]
    fn static_value(&mut self, node: Node<'_, P, E::State>, depth: u32, window: Window) -> Result<Static, Stopped> {
        let Node { position, state, place, ply, .. } = node;
        self.meter.count(ply)?;
        if window.is_open() {
            self.thread.pv[ply as usize].clear();
        }

        // Step 1. The game is over.
        let outcome = if Self::END_SHOWS_IN_MOVES && depth > 0 {
            self.thread.ordering.generate(position)
        } else {
            position.outcome()
        };
        if let Some(outcome) = outcome {
            return Ok(Static::Value(NodeValue::proven(self.knowledge.evaluate.final_score(position, outcome))));
        }

        // Step 2. The position repeats one of the line, or the count of reversible plies has run out.
        if let Some(value) = self.repetition(node) {
            return Ok(Static::Value(value));
        }

        // Mate distance pruning: the side to move cannot win before its next move.
        if E::OBJECTIVE == Objective::Result && window.alpha >= Score::win_in(1) {
            return Ok(Static::Value(NodeValue::proven(Score::win_in(1))));
        }

        // Step 3. Theory or a tablebase knows the value, or limits it.
        if let Some(score) = self.knowledge.probe_at(position, depth) {
            self.meter.count_table_hit();
            return Ok(Static::Value(NodeValue::proven(score)));
        }
        let balance = self.knowledge.balance(position);
        let limits = balance.filter(|_| self.tablebase_holds(place));
        if balance.is_some() {
            self.meter.count_table_hit();
        }
        if let Some(limits) = limits {
            let out_of_window = window.is_cut_by(limits.limit(Score::MINUS_INFINITY), Bound::Lower)
                || window.is_cut_by(limits.limit(Score::INFINITY), Bound::Upper);
            // A bound that holds at every depth and cuts the window needs no search.
            if let Some(score) = limits.result().or(Some(Score::DRAW).filter(|_| out_of_window)) {
                return Ok(Static::Value(NodeValue::proven(score)));
            }
        }

        // Step 4. If the game chooses the moves: the transposition table, then the game's threat result. That costs
        // more than a table look-up, so it is computed once per node and again when the search is deeper.
        let chooses = E::CHOOSES && self.chooses;
        let key = if chooses { self.plain_key(node.hash(), place) } else { 0 };
        if chooses {
            let seen = self.knowledge.tt.get(key).filter(|_| self.techniques.has(Technique::TtCutoffs));
            if let Some(entry) = &seen
                && let Some((value, bound)) = self.tt_value(entry, position, place, depth, true)
                && window.is_cut_by(value.score, bound)
            {
                return Ok(Static::Value(value));
            }
            let is_new = seen.is_none_or(|entry| u32::from(entry.depth) + THREAT_RESULT_PLIES <= depth);
            if let Some(known) = self.knowledge.evaluate.threat_result(position, state, depth, is_new)
                && window.is_cut_by(known.score, known.bound)
            {
                let value = NodeValue { proven: known.proven, ..NodeValue::estimate(known.score) };
                return Ok(Static::Value(value));
            }
        }

        // Step 5. A leaf: the static evaluation, or quiescence search.
        let static_eval = |search: &Self| {
            let score = search.evaluation(position, state);
            balance.map_or(score, |balance| balance.correct(score))
        };
        if depth == 0 {
            let score = static_eval(self);
            let value = if score.is_decisive() { NodeValue::proven(score) } else { NodeValue::estimate(score) };
            let value = if E::QUIESCES && self.quiesces { self.quiescence(node, value, window)? } else { value };
            if chooses && !score.is_decisive() {
                let entry = Entry { score, bound: Bound::Exact, depth: 0, proven: false, best: None };
                self.knowledge.tt.put(key, entry);
            }
            return Ok(Static::Value(value));
        }

        // Step 6. Static knowledge: a value that a search would find, too.
        if !self.chooses
            && self.techniques.has(Technique::StaticKnowledge)
            && let Some(known) = self.knowledge.evaluate.static_knowledge(position, depth, window.alpha, window.beta)
            && window.is_cut_by(known.score, known.bound)
            && !self.trail.matters(position, place, depth)
        {
            let value = NodeValue { proven: known.proven, ..NodeValue::estimate(known.score) };
            return Ok(Static::Value(value));
        }

        // Step 7. Reverse futility pruning, razoring; not where a threat must be answered.
        if node.must_answer {
            self.thread.evaluations[ply as usize] = None;
            return Ok(Static::Open(limits, None));
        }
        let asked_for = (self.prunes_moves && (self.is_bold || !window.is_open())).then(|| static_eval(self));
        let mut corrected = asked_for;
        if self.is_bold
            && let Some(score) = asked_for
        {
            self.thread.evaluations[ply as usize] = match score.meaning() {
                Meaning::Units(units) => Some(units),
                _ => None,
            };
            let entry = || self.knowledge.tt.get(self.plain_key(node.hash(), place));
            corrected =
                Some(score).filter(|_| !window.is_open()).map(|score| corrected_by_table(score, entry())).or(asked_for);
        }
        let static_eval = || corrected.unwrap_or_else(|| static_eval(self));
        let pruned = self.pruned_by_margin((depth, ply), window, static_eval);
        Ok(pruned.map_or(Static::Open(limits, asked_for), Static::Value))
    }

    /// The evaluation; where the search prunes boldly, corrected by the errors of earlier nodes. CITE: chessprogramming wiki, "Static
    /// Evaluation Correction History".
    #[inline]
    fn evaluation(&self, position: &P, state: &E::State) -> Score {
        let score = self.knowledge.evaluate.evaluate_with(position, state);
        match (self.parts_that_err(position), score.meaning()) {
            (Some(parts), Meaning::Units(units)) => {
                Score::units(units + self.thread.ordering.histories.error(position.side_to_move(), parts))
            }
            _ => score,
        }
    }

    /// The parts of a position by which its evaluation is corrected.
    #[inline]
    fn parts_that_err(&self, position: &P) -> Option<[u64; 3]> {
        let corrects = self.is_bold && self.techniques.has(Technique::Correction);
        if corrects { self.knowledge.evaluate.parts_that_err(position) } else { None }
    }

    /// Learns by how much the evaluation of a node differs from the value that its search found, if that is known: not if a bound
    /// says too little, nor if the best move changes the material.
    #[inline]
    fn learn_error(&mut self, node: Node<'_, P, E::State>, depth: u32, (value, bound): (Score, Bound), is_quiet: bool) {
        let (Some(static_eval), true) = (node.static_eval, is_quiet) else { return };
        let (Meaning::Units(known), Meaning::Units(found)) = (static_eval.meaning(), value.meaning()) else { return };
        let says_too_little = match bound {
            Bound::Exact => false,
            Bound::Lower => found <= known,
            Bound::Upper => found >= known,
        };
        if !says_too_little && let Some(parts) = self.parts_that_err(node.position) {
            let side = node.position.side_to_move();
            self.thread.ordering.histories.learn_error(side, parts, depth, found - known);
        }
    }

    /// Quiescence search: the side to move may take `stand_pat` or play noisy moves; if it must answer, it has no
    /// `stand_pat` and plays all moves. CITE: chessprogramming wiki, "Quiescence Search", "Delta Pruning".
    fn quiescence(
        &mut self,
        node: Node<'_, P, E::State>,
        mut stand_pat: NodeValue,
        mut window: Window,
    ) -> Result<NodeValue, Stopped> {
        let evaluate = self.knowledge.evaluate;
        let must_answer = node.must_answer;
        if node.ply >= MAX_DEPTH || stand_pat.score.is_decisive() {
            return Ok(stand_pat);
        }
        let key = self.plain_key(node.hash(), node.place);
        let look_up = |search: &Self| if search.is_bold { search.knowledge.tt.get(key) } else { None };
        let seen = if Self::AS_CHESS { look_up(self) } else { None };
        if !must_answer {
            stand_pat.score = corrected_by_table(stand_pat.score, seen);
        }
        if !must_answer && stand_pat.score >= window.beta {
            return Ok(NodeValue { score: self.unconfirmed(stand_pat.score, window.beta), ..stand_pat });
        }
        let seen = if Self::AS_CHESS { seen } else { look_up(self) };
        if !window.is_open()
            && self.techniques.has(Technique::TtCutoffs)
            && let Some((value, bound)) = seen.and_then(|seen| self.tt_value(&seen, node.position, node.place, 0, true))
            && !value.score.is_decisive()
            && window.is_cut_by(value.score, bound)
        {
            return Ok(value);
        }
        let hash_move = seen.and_then(|seen| seen.best).filter(|_| self.techniques.has(Technique::HashMove));
        let (old_alpha, mut best_move) = (window.alpha, hash_move);
        let mut best = if must_answer { NodeValue::proven(-Score::INFINITY) } else { stand_pat };
        window.alpha = window.alpha.max(best.score);
        self.thread.ordering.generate_noisy(node.position, evaluate, must_answer);
        self.meter.has_moves(self.thread.ordering.generated());
        let ordered = OrderedNode { before: [None; 2], ..node.ordered(0, 0) };
        let moves = self.thread.ordering.score_moves(&ordered, (hash_move, false), evaluate, self.techniques);
        for number in 0..moves.len() {
            let ScoredMove { mv, place, .. } = self.thread.ordering.pick_best(moves, number);
            // Delta pruning.
            if self.prunes_moves
                && !must_answer
                && !window.alpha.is_decisive()
                && let Meaning::Units(units) = stand_pat.score.meaning()
                && let Some(gain) = evaluate.greatest_gain(node.position, mv)
                && Score::units(units.saturating_add(gain)) <= window.alpha
            {
                best.score = best.score.max(Score::units(units.saturating_add(gain)));
                best.proven = false;
                continue;
            }
            // At depth 1 the child has depth 0 and runs its own quiescence search.
            let value = self.child(node, mv, 1, window)?;
            best.proven &= value.is_proven();
            best.leans_on = best.leans_on.min(value.leans_on);
            if value.score > best.score {
                best.score = value.score;
                if best.score > window.alpha {
                    (window.alpha, best_move) = (best.score, Some(move_id(node.position, 0, place, mv)));
                    self.update_pv(node.ply, mv);
                }
                if best.score >= window.beta {
                    best.proven = value.is_proven();
                    break;
                }
            }
        }
        self.thread.ordering.leave(moves);
        if self.is_bold && !best.score.is_decisive() {
            let bound = window.bound_of(best.score, old_alpha);
            let entry = Entry { score: best.score, bound, depth: 0, proven: false, best: best_move };
            self.knowledge.tt.put_unless_deeper(key, entry);
        }
        Ok(best)
    }

    /// Null move pruning: a value for a node that fails high even if the side to move passes. Deep nodes are verified
    /// by a search without a null move at their root, because of zugzwang.
    fn null_move(
        &mut self,
        node: Node<'_, P, E::State>,
        depth: u32,
        window: Window,
    ) -> Result<Option<NodeValue>, Stopped> {
        let is_sensible = self.reduces
            && depth >= NULL_MOVE_MIN_DEPTH
            && !node.is_after_null
            && !window.is_open()
            && !window.beta.is_known()
            && self.techniques.has(Technique::NullMove);
        let Some(position) = Some(node.position).filter(|_| is_sensible).and_then(Position::null_move) else {
            return Ok(None);
        };
        let evaluate = || self.knowledge.evaluate.evaluate_with(node.position, node.state);
        let static_eval = node.static_eval.unwrap_or_else(evaluate);
        if static_eval < window.beta {
            return Ok(None);
        }
        let plies = match (self.futility_margin, static_eval.meaning(), window.beta.meaning()) {
            (Some(margin), Meaning::Units(units), Meaning::Units(beta)) if self.is_bold => {
                bold_null_move_plies(depth, (units - beta) / margin, self.parameters)
            }
            _ if self.is_bold => bold_null_move_plies(depth, 0, self.parameters),
            _ => null_move_plies(depth, self.parameters),
        };
        let reduced = depth.saturating_sub(1 + plies);
        let passed = self.knowledge.evaluate.passed_state(node.state, &position);
        let place = node.place.after(true);
        let next = Node {
            position: &position,
            hash: None,
            state: passed.as_ref().unwrap_or(node.state),
            place,
            ply: node.ply + 1,
            kind: node.kind.of_scout(),
            is_after_null: true,
            before: [None, node.before[0].filter(|_| E::PRUNES_BOLDLY)],
            must_answer: false,
            static_eval: None,
            left_out: None,
            is_singular: false,
        };
        let is_marked = self.trail.marks(depth);
        if is_marked {
            self.trail.push(node.position);
        }
        let mut value = self.value_for_parent(next, reduced, window)?;
        if is_marked {
            self.trail.pop();
        }
        if value.score >= window.beta && depth >= NULL_MOVE_VERIFIED {
            value = self.node(Node { is_after_null: true, ..node }, reduced + 1, window)?;
        }
        if value.score >= window.beta {
            // A win or a loss found after a pass does not hold for this position.
            let score = [value.score, window.beta, static_eval].into_iter().find(|score| !score.is_decisive());
            return Ok(score.map(NodeValue::estimate));
        }
        Ok(None)
    }

    /// `ProbCut`: a value for a node of which a search half as deep says that it is so far beyond the window that a deeper one will
    /// hardly bring it back. Tried where the evaluation is beyond the window by a standard deviation. CITE: M. Buro, "`ProbCut`: an
    /// effective selective extension of the alpha-beta algorithm", 1995.
    #[inline]
    fn probcut(
        &mut self,
        node: Node<'_, P, E::State>,
        depth: u32,
        window: Window,
    ) -> Result<Option<NodeValue>, Stopped> {
        let position = node.position;
        let is_sensible = self.reduces
            && !self.chooses
            && depth >= PROBCUT_MIN_DEPTH
            && !node.is_after_null
            && !window.is_open()
            && self.techniques.has(Technique::ProbCut)
            && position.plies_left().is_none_or(|left| left > depth);
        let Some(deviation) = is_sensible.then(|| self.knowledge.evaluate.deviation(position)).flatten() else {
            return Ok(None);
        };
        let static_eval = self.knowledge.evaluate.evaluate_with(position, node.state);
        let (Meaning::Units(units), Meaning::Units(alpha), Meaning::Units(beta)) =
            (static_eval.meaning(), window.alpha.meaning(), window.beta.meaning())
        else {
            return Ok(None);
        };
        let margin = deviation * PROBCUT_PERCENT / 100;
        let is_above = units >= beta.saturating_add(deviation);
        let (bound, far) = if is_above {
            (window.beta, Score::units(beta.saturating_add(margin)))
        } else if units <= alpha.saturating_sub(deviation) {
            (window.alpha, Score::units(alpha.saturating_sub(margin)))
        } else {
            return Ok(None);
        };
        let probe = Window { alpha: far, beta: far.successor() };
        let value = self.node(Node { is_after_null: true, ..node }, probcut_depth(depth), probe)?;
        let is_far = (value.score > far) == is_above;
        Ok(is_far.then(|| NodeValue::estimate(bound)))
    }

    /// Whether a hash move is singular: a search half as deep finds that all other moves are clearly worse than its value in the
    /// table. If another move is above beta as well, the node is cut (multi-cut). CITE: chessprogramming wiki, "Singular
    /// Extensions", "Multi-Cut".
    #[inline]
    fn singular(
        &mut self,
        node: Node<'_, P, E::State>,
        depth: u32,
        window: Window,
        (entry, symmetry): (Option<Entry>, u8),
    ) -> Result<Singular, Stopped> {
        let is_asked = self.reduces
            && !self.chooses
            && depth >= SINGULAR_MIN_DEPTH
            && node.left_out.is_none()
            && !node.must_answer
            && node.ply < self.last_extended
            && node.ply + depth < MAX_DEPTH
            && self.techniques.has(Technique::Singular)
            && self.techniques.has(Technique::HashMove);
        let Some(entry) = entry.filter(|entry| is_asked && u32::from(entry.depth) + SINGULAR_PLIES >= depth) else {
            return Ok(Singular::No);
        };
        let (Some(left_out), Meaning::Units(units), Some(margin)) =
            (entry.best, entry.score.meaning(), self.knowledge.evaluate.singular_margin::<P>())
        else {
            return Ok(Singular::No);
        };
        if entry.bound == Bound::Upper {
            return Ok(Singular::No);
        }
        let alpha = Score::units(units - margin * depth as i32 - 1);
        let others = Window { alpha, beta: alpha.successor() };
        let without = Node { is_after_null: true, left_out: Some((left_out, symmetry)), ..node };
        let value = self.node(without, (depth - 1) / 2, others)?;
        Ok(if value.score <= others.alpha {
            Singular::Yes
        } else if !window.is_open() && others.beta >= window.beta {
            Singular::Cutoff(others.beta)
        } else {
            Singular::No
        })
    }

    /// The value of a position that ends the game by repetition. If the rules require more than two occurrences, the
    /// search expects a draw from the second one within its own line: the side that could repeat once can do so again.
    /// When the count of reversible plies runs out, the value depends on the position after the last irreversible move,
    /// where the count began.
    #[inline]
    fn repetition(&self, node: Node<'_, P, E::State>) -> Option<NodeValue> {
        let Node { position, place, .. } = node;
        if position.reversible_plies_left() == Some(0) {
            return Some(NodeValue { leans_on: place.live(), ..NodeValue::proven(Score::DRAW) });
        }
        let find = |times| self.trail.find(place, times, || node.hash());
        if let Some(at) = find(P::OCCURRENCES - 1) {
            let score = position.outcome_by_repetition()?.score_for(position.side_to_move());
            return Some(NodeValue { leans_on: at, ..NodeValue::proven(score) });
        }
        if P::OCCURRENCES == 2 || !self.selective {
            return None;
        }
        let at = find(1).filter(|&at| at >= self.start.number())?;
        let draws = position.outcome_by_repetition() == Some(Outcome::Draw);
        draws.then_some(NodeValue { leans_on: at, ..NodeValue::estimate(Score::DRAW) })
    }

    /// A value for a node that fails high by a move whose position the transposition table knows. The moves must have been
    /// generated. CITE: A. Plaat, J. Schaeffer, W. Pijls, A. de Bruin, "Exploiting graph properties of game trees", 1996
    /// (enhanced transposition cutoffs).
    #[inline]
    fn known_reply(&self, node: Node<'_, P, E::State>, depth: u32, window: Window) -> Option<NodeValue> {
        let is_asked = Self::REDUCES_FURTHER
            && self.is_bold
            && depth >= REPLIES_MIN_DEPTH
            && !window.is_open()
            && !window.beta.is_decisive()
            && self.techniques.has(Technique::TtCutoffs);
        if !is_asked {
            return None;
        }
        self.thread.ordering.all_generated().iter().find_map(|&mv| {
            let next = node.position.after(mv);
            let place = node.place.after(!self.repeats || node.position.is_irreversible(&next));
            let entry = self.knowledge.tt.get(self.plain_key(next.hash(), place))?;
            let score = (-entry.score).backed_up();
            let holds = u32::from(entry.depth) + 1 >= depth
                && entry.bound != Bound::Lower
                && matches!(score.meaning(), Meaning::Units(_))
                && score >= window.beta;
            holds.then(|| NodeValue::estimate(score))
        })
    }

    /// Whether the tablebase applies: no position from before the root can still repeat.
    #[inline]
    fn tablebase_holds(&self, place: Place) -> bool {
        place.live() >= self.start.number()
    }

    /// The plain key of the position with this hash.
    #[inline]
    fn plain_key(&self, hash: u64, place: Place) -> u64 {
        self.space ^ if self.tablebase_holds(place) { hash } else { hash ^ self.salt }
    }

    /// The value of an inner node searched to `depth`: exact inside the window, a bound outside it.
    fn node(&mut self, node: Node<'_, P, E::State>, mut depth: u32, mut window: Window) -> Result<NodeValue, Stopped> {
        let Node { position, place, ply, before, .. } = node;
        // Step 8. Generate the moves. Their number decides whether and how the transposition table is used. In games
        // that prune boldly or have null moves, this happens after step 10.
        let mut candidates = Candidates::All;
        if !Self::GENERATES_LATE {
            candidates = self.generate(node, depth);
        }
        let moves = if Self::GENERATES_LATE { USUAL_MOVES } else { self.thread.ordering.generated() };
        let size = tree_size(depth, moves);
        let folds = size >= MIN_FOLDED_SIZE && self.techniques.has(Technique::Symmetry);
        let (hash, symmetry) = if folds { position.folded() } else { (node.hash(), 0) };
        let key = self.plain_key(hash, place);
        let uses_tt =
            self.chooses || size >= MIN_TT_SIZE && (self.is_bold || self.thread.probe_policy.is_open(key, depth));
        let uses_tt = uses_tt && node.left_out.is_none();
        let keys = if uses_tt { self.keys(position, key, place, depth) } else { [None; 2] };

        // Step 9. Transposition table: a cutoff or a hash move.
        let nodes_before = self.meter.nodes;
        let mut entry = None;
        let mut known_win: Option<NodeValue> = None;
        for (key_of_entry, is_plain) in keys.into_iter().zip([true, false]) {
            let Some(found) = key_of_entry.and_then(|key| self.knowledge.tt.get(key)) else { continue };
            // With `selective` off, an entry under the plain key gives no cutoff if a repetition is within reach, but a
            // hash move.
            let counts = self.selective || !is_plain || keys[1].is_none();
            if counts
                && self.techniques.has(Technique::TtCutoffs)
                && let Some((value, bound)) = self.tt_value(&found, position, place, depth, is_plain)
            {
                if window.is_cut_by(value.score, bound) {
                    self.thread.probe_policy.learn(key, depth, None);
                    return Ok(value);
                }
                // A proven win below beta is a lower bound of what the search of the moves can return.
                let wins = bound == Bound::Lower && matches!(value.score.meaning(), Meaning::Win(_));
                if wins && self.selective && value.score > window.alpha {
                    known_win = Some(value);
                }
            }
            entry = Some(found);
        }
        let hash_move = entry.filter(|_| self.techniques.has(Technique::HashMove)).and_then(|entry| entry.best);

        // Step 10. Null move pruning, or ProbCut.
        let pruned =
            if P::HAS_NULL_MOVE { self.null_move(node, depth, window)? } else { self.probcut(node, depth, window)? };
        if let Some(value) = pruned {
            return Ok(value);
        }
        let singular = self.singular(node, depth, window, (entry, symmetry))?;
        if let Singular::Cutoff(score) = singular {
            return Ok(NodeValue::estimate(score));
        }
        if Self::GENERATES_LATE {
            candidates = self.generate(node, depth);
        } else if self.meter.nodes > nodes_before {
            // A search of step 10 has left the moves of other positions.
            self.thread.ordering.generate(position);
        }
        if let Some(value) = self.known_reply(node, depth, window) {
            return Ok(value);
        }

        // Step 11. Internal iterative reduction: a node without a hash move is searched one ply less deep. The next
        // iteration will have a hash move.
        let may_reduce = self.may_reduce(position, depth, window.alpha);
        let depth_asked_for = depth;
        let is_little_known = hash_move.is_none()
            || Self::AS_CHESS
                && depth >= OLD_ENTRY_MIN_DEPTH
                && !window.is_open()
                && singular == Singular::No
                && entry.is_some_and(|entry| u32::from(entry.depth) + OLD_ENTRY_PLIES <= depth);
        if may_reduce && uses_tt && is_little_known && self.techniques.has(Technique::Iir) {
            depth -= 1;
        }

        // Step 12. Order the moves. In games with quiescence search, the other moves are scored only after the hash
        // move was searched.
        let hash_move_first = hash_move.filter(|_| E::QUIESCES && candidates == Candidates::All);
        let mut unscored = hash_move_first.and_then(|id| self.thread.ordering.begin_with((position, symmetry), id));
        let mut moves = match unscored {
            Some(moves) => moves,
            None => self.score_moves(node, depth, symmetry, (hash_move, candidates != Candidates::All)),
        };
        let is_marked = self.trail.marks(depth);
        if is_marked {
            self.trail.push(position);
        }

        // Step 13. Search the moves: the first with the whole window, the others with a zero window and reduced, or not
        // at all.
        let prunes = self.prunes_moves
            && (!E::CHOOSES || candidates != Candidates::All)
            && depth <= if Self::AS_CHESS && self.is_bold { BOLD_PRUNING_MAX_DEPTH } else { PRUNING_MAX_DEPTH }
            && !window.is_open()
            && !window.alpha.is_known();
        let static_eval = node.static_eval.filter(|_| prunes);
        let Window { alpha: old_alpha, beta } = window;
        let mut best = NodeValue::proven(-Score::INFINITY);
        best.proven = candidates != Candidates::Chosen;
        let mut best_move = None;
        let mut is_best_quiet = true;
        let busy = self.meter.busy(depth);
        let (mut number, mut put_off) = (0, 0);
        let mut is_first = true;
        loop {
            if number == 1
                && let Some(begun) = unscored.take()
            {
                let (evaluate, techniques) = (self.knowledge.evaluate, self.techniques);
                let ordered = node.ordered(depth, symmetry);
                moves = self.thread.ordering.score_others(&ordered, begun, evaluate, techniques);
            }
            if number == moves.len() {
                break;
            }
            let scored = self.thread.ordering.pick_best(moves, number);
            let mv = scored.mv;
            let in_order = self.thread.ordering.place(moves, number);
            if node.left_out.is_some_and(|(id, symmetry)| id == move_id(position, symmetry, scored.place, mv)) {
                best.proven = false;
                number += 1;
                continue;
            }
            if let Some(static_eval) = static_eval.filter(|_| !is_first && !best.score.is_decisive())
                && let Some(pruned) = self.pruned(node, static_eval, scored, (depth, in_order), window.alpha)
                && !self.knowledge.evaluate.forces(position, mv)
            {
                best.proven = false;
                let most = Score::units(Score::MAX_UNITS);
                if window.alpha > most {
                    // Alpha is a win: the pruned move is only claimed not to be a shorter one.
                    best.score = best.score.max(most);
                }
                number += 1;
                if pruned == Pruned::QuietMoves && !window.alpha.is_decisive() {
                    let evaluate = self.knowledge.evaluate;
                    moves = self.thread.ordering.prune_quiet(moves, number, |mv| evaluate.forces(position, mv));
                }
                continue;
            }
            let behind = busy.map(|busy| (busy, position.after(mv).hash() ^ u64::from(depth)));
            if number > 0 && number + put_off < moves.len() && behind.is_some_and(|(busy, key)| busy.is_at(key)) {
                // Another thread is searching it.
                self.thread.ordering.put_off(moves, number, put_off);
                put_off += 1;
                continue;
            }
            let stay = behind.map(|(busy, key)| busy.enter(key));
            let value = if is_first {
                let is_singular = singular == Singular::Yes;
                self.child(Node { is_singular, ..node }, mv, depth + u32::from(is_singular), window)?
            } else {
                let may_reduce = may_reduce && !window.alpha.is_known();
                let reduction = if may_reduce {
                    self.late_move_reduction(node, scored, (depth, in_order), window.alpha)
                } else {
                    0
                };
                self.scout(node, mv, [depth, reduction], window)?
            };
            drop(stay);
            is_first = false;
            number += 1;
            best.proven &= value.is_proven();
            best.leans_on = best.leans_on.min(value.leans_on);
            if value.score <= best.score {
                continue;
            }
            best.score = value.score;
            if best.score <= window.alpha {
                continue;
            }
            best_move = Some(move_id(position, symmetry, scored.place, mv));
            is_best_quiet = !(E::PRUNES_BOLDLY && self.knowledge.evaluate.is_noisy(position, mv));
            if best.score >= beta {
                // The bound depends on the refutation alone.
                best = NodeValue { score: best.score, proven: value.is_proven(), leans_on: value.leans_on };
                if node.left_out.is_some() {
                    break;
                }
                if E::PRUNES_BOLDLY {
                    self.thread.ordering.learn_noisy(position, depth, moves, (number - 1, !is_best_quiet));
                }
                if is_best_quiet {
                    let manner = (self.techniques, E::PRUNES_BOLDLY);
                    self.thread.ordering.learn(position, (depth, ply, before), moves, number - 1, manner);
                }
                break;
            }
            window.alpha = best.score;
            self.update_pv(ply, mv);
        }
        self.leave(moves, is_marked);
        if node.left_out.is_some() {
            // Nothing is lower than alpha if the move left out is the only one.
            return Ok(NodeValue::estimate(best.score.max(old_alpha)));
        }
        self.learn_error(node, depth, (best.score, window.bound_of(best.score, old_alpha)), is_best_quiet);
        if let Some(value) = known_win.filter(|value| value.score > best.score) {
            (best, best_move) = (value, hash_move);
            self.thread.pv[ply as usize].clear();
        }
        if candidates == Candidates::Chosen && best.score < ALL_CHOSEN_LOSE {
            best.score = ALL_CHOSEN_LOSE;
        }
        if uses_tt {
            self.thread.probe_policy.learn(key, depth_asked_for, Some(self.meter.nodes - nodes_before));
        }

        // Step 14. Store the value: under the plain key if it holds on every path, else under the path's key.
        if best.leans_on >= place.number() {
            best.leans_on = NodeValue::NO_PATH;
        }
        let leans_on_path = best.leans_on != NodeValue::NO_PATH
            || proof_length(best.score, depth).is_some_and(|n| self.trail.matters(position, place, n));
        let [plain, path] = keys;
        let keys = [plain.filter(|_| !leans_on_path), path.filter(|_| leans_on_path || !self.selective)];
        for key in keys.into_iter().flatten() {
            let bound = window.bound_of(best.score, old_alpha);
            let best_move = best_move.or(hash_move);
            let entry = Entry { score: best.score, bound, depth: depth as u8, proven: best.proven, best: best_move };
            if self.is_bold {
                self.knowledge.tt.put_unless_deeper(key, entry);
            } else {
                self.knowledge.tt.put(key, entry);
            }
        }
        Ok(best)
    }

    /// Generates the moves of a node, or lets the game choose them. If the search reaches the end of the game, all
    /// moves are searched.
    #[inline]
    fn generate(&mut self, node: Node<'_, P, E::State>, depth: u32) -> Candidates {
        let Node { position, state, .. } = node;
        let chooses = E::CHOOSES && self.chooses && position.plies_left().is_none_or(|left| left > depth);
        let candidates = if chooses {
            self.thread.ordering.choose((position, state), depth, self.knowledge.evaluate)
        } else {
            if !Self::END_SHOWS_IN_MOVES {
                self.thread.ordering.generate(position);
            }
            Candidates::All
        };
        self.meter.has_moves(self.thread.ordering.generated());
        candidates
    }

    /// Scores the last generated moves of a node, unless the game has scored them.
    #[inline]
    fn score_moves(
        &mut self,
        node: Node<'_, P, E::State>,
        depth: u32,
        symmetry: u8,
        hash_move: (Option<u16>, bool),
    ) -> NodeMoves {
        let ordered = node.ordered(depth, symmetry);
        self.thread.ordering.score_moves(&ordered, hash_move, self.knowledge.evaluate, self.techniques)
    }

    /// Removes the moves and the mark of a node.
    #[inline]
    fn leave(&mut self, moves: NodeMoves, is_marked: bool) {
        self.thread.ordering.leave(moves);
        if is_marked {
            self.trail.pop();
        }
    }

    /// The keys of a node in the transposition table: the plain key, and the path's key if a line of `depth` plies can
    /// come back to an earlier position.
    #[inline]
    fn keys(&self, position: &P, plain: u64, place: Place, depth: u32) -> [Option<u64>; 2] {
        match self.trail.fingerprint(position, place, depth) {
            0 => [Some(plain), None],
            path => [Some(plain), Some(plain ^ mix64(path))],
        }
    }

    /// The value that `entry` gives for a search of `depth` plies at `place`, and its bound; `None` if it does not
    /// apply.
    #[inline]
    fn tt_value(
        &self,
        entry: &Entry,
        position: &P,
        place: Place,
        depth: u32,
        is_plain: bool,
    ) -> Option<(NodeValue, Bound)> {
        let entry_depth = u32::from(entry.depth);
        // The plain key does not account for repetitions; the path's key accounts for those within `depth`.
        let holds_on_this_path = |plies| {
            if is_plain {
                !self.trail.matters(position, place, plies)
            } else {
                plies <= depth || self.trail.matters_alike(position, place, plies, depth)
            }
        };
        // A win longer than the searched depth is proven, but a shorter one may have been overlooked: the score is a
        // lower bound. For a loss it is an upper bound.
        let (is_proof, bound) = match (entry.score.meaning(), entry.bound) {
            (Meaning::Win(n), Bound::Exact) if entry_depth < n => (true, Bound::Lower),
            (Meaning::Loss(n), Bound::Exact) if entry_depth < n => (true, Bound::Upper),
            (Meaning::Win(_), bound) => (bound != Bound::Upper, bound),
            (Meaning::Loss(_), bound) => (bound != Bound::Lower, bound),
            (_, bound) => (false, bound),
        };
        let distance = entry.score.distance();
        let is_proof = is_proof && (self.selective || distance.is_some_and(|n| n <= depth));
        // A deeper proof may run into a repetition that lies beyond this node's depth.
        let proven = entry.proven && holds_on_this_path(entry_depth) && (entry_depth <= depth || !self.repeats);
        let is_deep_enough = match entry_depth {
            deeper if deeper > depth => self.selective,
            shallower if shallower < depth => proven,
            _ => true,
        };
        let is_sound = proof_length(entry.score, entry_depth).is_none_or(holds_on_this_path);
        // A value under the path's key may depend on any position of the path that can still repeat.
        let leans_on = if is_plain { NodeValue::NO_PATH } else { place.live() };
        (is_sound && (is_proof || is_deep_enough))
            .then_some((NodeValue { score: entry.score, proven, leans_on }, bound))
    }

    /// Sets the principal variation of `ply` to `mv` and the principal variation of the next ply.
    fn update_pv(&mut self, ply: u32, mv: P::Move) {
        let (upper, lower) = self.thread.pv.split_at_mut(ply as usize + 1);
        let pv = &mut upper[ply as usize];
        pv.clear();
        pv.push(mv);
        pv.extend_from_slice(&lower[0]);
    }

    /// Completes the principal variation at the root. The line ends where the game ends, by a repetition, too: a line
    /// made longer by check extensions can run past one. If a table hit cut the line short, it is extended by exact
    /// entries, by entries that prove a win of this `score`, and by theory or a tablebase, until
    /// [`MOST_LOOKED_AT`] moves were tried: a line of Nim may have 45,000 plies with 65,000 moves each.
    fn complete_pv(&self, depth: u32, score: Score, pv: &mut Vec<P::Move>) {
        let mut position = self.root.clone();
        let mut path = Path::new(self.history);
        let mut place = self.start;
        let mut moves = Vec::new();
        let mut looked_at = 0;
        for at in 0.. {
            let by_history = || position.outcome_by_history(|| path.repeats::<P>(position.hash()));
            // The root needs a move even if a draw could be claimed there.
            if at > 0 && position.outcome().or_else(by_history).is_some() {
                pv.truncate(at);
                break;
            }
            if at == pv.len() {
                if looked_at > MOST_LOOKED_AT {
                    break;
                }
                let (hash, symmetry) = position.folded();
                // Small trees use the unfolded key, so the line may end here.
                let entry =
                    self.knowledge.tt.get(self.plain_key(hash, place)).filter(|entry| entry.bound == Bound::Exact);
                let id = entry.and_then(|entry| entry.best).filter(|_| at < depth as usize);
                moves.clear();
                position.generate(&mut moves);
                looked_at += moves.len();
                let by_table = id.and_then(|id| {
                    let has_id = |&(number, &mv): &(usize, &P::Move)| move_id(&position, symmetry, number, mv) == id;
                    moves.iter().enumerate().find(has_id).map(|(_, &mv)| mv)
                });
                let by_win = || self.move_of_win(&position, &moves, place, score, at as u32);
                let by_probe = || self.move_by_probe(&position, &moves);
                let Some(mv) = by_table.or_else(by_probe).or_else(by_win) else { break };
                pv.push(mv);
            }
            let next = position.after(pv[at]);
            path.play(&position, position.hash(), &next);
            place = place.after(!self.repeats || position.is_irreversible(&next));
            position = next;
        }
    }

    /// The next move of a won or lost line, `ply` plies after a root with this `score`, from the transposition table: a
    /// move that wins soon enough, or among the defences with a known refutation the one that holds out longest.
    fn move_of_win(&self, position: &P, moves: &[P::Move], place: Place, score: Score, ply: u32) -> Option<P::Move> {
        let left = score.distance()?.checked_sub(ply + 1)?;
        let wins = (score > Score::DRAW) == ply.is_multiple_of(2);
        // The number of plies after a move until the winning side wins, if known.
        let decided_in = |mv: P::Move| {
            let next = position.after(mv);
            if let Some(outcome) = next.outcome() {
                return (wins && outcome == Outcome::Win(position.side_to_move())).then_some(0);
            }
            let place = place.after(!self.repeats || position.is_irreversible(&next));
            let entry = self.knowledge.tt.get(self.plain_key(next.folded().0, place))?;
            match (entry.score.meaning(), entry.bound) {
                (Meaning::Loss(plies), Bound::Upper | Bound::Exact) if wins => Some(plies),
                (Meaning::Win(plies), Bound::Lower | Bound::Exact) if !wins => Some(plies),
                _ => None,
            }
        };
        let soon_enough = |plies: u32| plies <= left;
        if wins {
            moves.iter().copied().find(|&mv| decided_in(mv).is_some_and(soon_enough))
        } else {
            let known = moves.iter().filter_map(|&mv| Some((decided_in(mv).filter(|&plies| soon_enough(plies))?, mv)));
            known.max_by_key(|&(plies, _)| plies).map(|(_, mv)| mv)
        }
    }

    /// The first move whose value equals the value of the position by theory or a tablebase.
    fn move_by_probe(&self, position: &P, moves: &[P::Move]) -> Option<P::Move> {
        let value = self.knowledge.probe(position)?;
        let worth = |mv| {
            let next = position.after(mv);
            let end = next.outcome().map(|outcome| self.knowledge.evaluate.final_score(&next, outcome));
            end.or_else(|| self.knowledge.probe(&next)).map(|score| (-score).backed_up())
        };
        moves.iter().copied().find(|&mv| worth(mv) == Some(value))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::sync::Mutex;

    use super::super::smp::Role;
    use super::super::{Knowledge, TranspositionTable, search};
    use super::*;
    use crate::game::{Expertise, NoExpertise, Pruning, Side, Solving, StaticKnowledge, Threats};

    /// A tree of numbered nodes: the children of n are 2n + 1 and 2n + 2. A move is the number of the node it leads to.
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

    impl NoExpertise for Noise {}

    /// A game that chooses its moves and records the calls of `threat_result`: the depth, and whether it was new.
    #[derive(Default)]
    struct Foreseeing(Mutex<HashMap<u64, Vec<(u32, bool)>>>);

    impl Evaluate<Numbered> for Foreseeing {
        fn evaluate(&self, position: &Numbered) -> Score {
            Noise.evaluate(position)
        }
    }

    impl Expertise<Numbered> for Foreseeing {
        type State = ();
    }

    impl Threats<Numbered> for Foreseeing {
        const CHOOSES: bool = true;

        fn threat_result(&self, position: &Numbered, (): &(), depth: u32, is_new: bool) -> Option<StaticKnowledge> {
            self.0.lock().unwrap().entry(position.0).or_default().push((depth, is_new));
            None
        }

        fn candidates(
            &self,
            position: &Numbered,
            (): &(),
            _depth: u32,
            moves: &mut Vec<u64>,
            scores: &mut Vec<i32>,
        ) -> Candidates {
            position.generate(moves);
            scores.extend([0, 0]);
            Candidates::Chosen
        }
    }

    impl Pruning<Numbered> for Foreseeing {}
    impl Solving<Numbered> for Foreseeing {}

    #[test]
    fn a_game_looks_ahead_anew_only_where_the_search_has_become_deeper() {
        let table = TranspositionTable::new(1).unwrap();
        let evaluate = Foreseeing::default();
        let task = Task { depth: 9, ..Task::new(Numbered(0, Side::First)) };
        search(&task, Knowledge::new(&evaluate, &(), &table), &mut ());
        let asked = evaluate.0.into_inner().unwrap();
        let mut again = 0;
        for (position, asked) in asked {
            let anew: Vec<u32> = asked.iter().filter(|(_, is_new)| *is_new).map(|(depth, _)| *depth).collect();
            assert_eq!(asked.first().map(|(_, is_new)| *is_new), Some(true), "{position}");
            assert!(anew.windows(2).all(|pair| pair[0] + THREAT_RESULT_PLIES <= pair[1]), "{position}: {asked:?}");
            again += asked.len() - anew.len();
        }
        assert!(again > 100, "{again}");
    }

    /// The same tree, which plays no move of another node.
    #[derive(Debug, Clone, PartialEq, Eq)]
    struct Strict(Numbered);

    impl Position for Strict {
        type Move = u64;

        fn side_to_move(&self) -> Side {
            self.0.side_to_move()
        }

        fn outcome(&self) -> Option<Outcome> {
            None
        }

        fn generate(&self, moves: &mut Vec<u64>) {
            self.0.generate(moves);
        }

        fn play(&mut self, mv: u64) {
            assert_eq!((mv - 1) / 2, self.0.0, "a move of another node");
            self.0.play(mv);
        }

        fn hash(&self) -> u64 {
            self.0.hash()
        }
    }

    /// A game with `ProbCut` and values that seldom are what shallow searches say.
    struct Probing;

    impl Evaluate<Strict> for Probing {
        fn evaluate(&self, position: &Strict) -> Score {
            Noise.evaluate(&position.0)
        }
    }

    impl Expertise<Strict> for Probing {
        type State = ();
    }

    impl Pruning<Strict> for Probing {
        fn deviation(&self, _position: &Strict) -> Option<i32> {
            Some(10)
        }
    }

    impl Threats<Strict> for Probing {}
    impl Solving<Strict> for Probing {}

    #[test]
    fn a_node_goes_on_with_its_own_moves_after_a_probe_that_says_nothing() {
        let nodes = |techniques| {
            let table = TranspositionTable::new(1).unwrap();
            let task = Task { depth: 14, techniques, ..Task::new(Strict(Numbered(0, Side::First))) };
            search(&task, Knowledge::new(&Probing, &(), &table), &mut ()).nodes
        };
        let [with, without] = [Techniques::ALL, Techniques::ALL.without(Technique::ProbCut)].map(nodes);
        assert!(with < without, "{with} nodes, {without} without probes");
    }

    /// The same numbers in a game that prunes boldly.
    struct Bold;

    impl Evaluate<Numbered> for Bold {
        fn evaluate(&self, position: &Numbered) -> Score {
            Noise.evaluate(position)
        }
    }

    impl Expertise<Numbered> for Bold {
        type State = ();
    }

    impl Pruning<Numbered> for Bold {
        const PRUNES_MOVES: bool = true;
        const PRUNES_BOLDLY: bool = true;
    }

    impl Threats<Numbered> for Bold {}
    impl Solving<Numbered> for Bold {}

    /// The value that a search of `evaluate` returns for an evaluation above beta, without looking at a move.
    fn above_beta<E: Evaluate<Numbered>>(evaluate: &E, width: Width, score: Score, beta: Score) -> Score {
        let table = TranspositionTable::new(1).unwrap();
        let task = Task::new(Numbered(0, Side::First));
        let mut observer = ();
        let mut meter = Meter::new(&mut observer, &table, &task, Role::Alone);
        let mut thread = ThreadData::new(Histories::new(0, 0));
        let knowledge = Knowledge::new(evaluate, &(), &table);
        AlphaBeta::new(&task, knowledge, &mut meter, &mut thread, width).unconfirmed(score, beta)
    }

    #[test]
    fn a_bold_search_takes_the_mean_of_beta_and_an_evaluation_above_it() {
        let [score, beta, mean] = [300, 100, 200].map(Score::units);
        assert_eq!(above_beta(&Bold, Width::Reduced, score, beta), mean);
        assert_eq!(above_beta(&Bold, Width::Reduced, beta, beta), beta);
        assert_eq!(above_beta(&Bold, Width::Full, score, beta), score, "at full width nothing is pruned");
        assert_eq!(above_beta(&Noise, Width::Reduced, score, beta), score, "another game");
        let lost = Score::loss_in(8);
        assert_eq!(
            above_beta(&Bold, Width::Reduced, score, lost),
            score,
            "between a value and a loss there is no mean"
        );
    }

    /// The first move leads into one of four lines in which each position has one move, and all positions have the same value.
    #[derive(Debug, Clone, PartialEq, Eq)]
    struct Lines {
        line: Option<usize>,
        plies: u32,
    }

    impl Position for Lines {
        type Move = usize;
        const HAS_NULL_MOVE: bool = true;

        fn side_to_move(&self) -> Side {
            [Side::First, Side::Second][self.plies as usize % 2]
        }

        fn outcome(&self) -> Option<Outcome> {
            None
        }

        fn generate(&self, moves: &mut Vec<usize>) {
            match self.line {
                Some(line) => moves.push(line),
                None => moves.extend(0..4),
            }
        }

        fn play(&mut self, line: usize) {
            *self = Lines { line: Some(line), plies: self.plies + 1 };
        }

        fn hash(&self) -> u64 {
            mix64((u64::from(self.plies) << 8) + self.line.map_or(0, |line| line as u64 + 1))
        }
    }

    /// The value of each line for the player of its first move, the line whose first move gives check and what that move loses by
    /// exchange; and the plies of the deepest position that was evaluated in each.
    #[derive(Default)]
    struct Valued {
        values: [i32; 4],
        check: Option<(usize, i32)>,
        deepest: Mutex<[u32; 4]>,
    }

    impl Evaluate<Lines> for Valued {
        fn evaluate(&self, position: &Lines) -> Score {
            let Some(line) = position.line else { return Score::DRAW };
            let mut deepest = self.deepest.lock().unwrap();
            deepest[line] = deepest[line].max(position.plies);
            Score::units(if position.plies.is_multiple_of(2) { self.values[line] } else { -self.values[line] })
        }
    }

    impl Expertise<Lines> for Valued {
        type State = ();
    }

    impl Pruning<Lines> for Valued {
        const QUIESCES: bool = true;
        const PRUNES_MOVES: bool = true;
        const PRUNES_BOLDLY: bool = true;

        fn singular_margin(&self) -> Option<i32> {
            Some(2)
        }

        fn must_answer(&self, position: &Lines) -> bool {
            position.plies == 1 && self.check.is_some_and(|(line, _)| position.line == Some(line))
        }

        fn loses(&self, _position: &Lines, mv: usize, units: i32) -> bool {
            self.check.is_some_and(|(line, lost)| line == mv && lost > units)
        }
    }

    impl Threats<Lines> for Valued {}
    impl Solving<Lines> for Valued {}

    /// What `look` says of a search without reductions of moves and nodes, and of the root as a node of it.
    fn at_lines<R>(
        evaluate: &Valued,
        look: impl FnOnce(&mut AlphaBeta<'_, '_, Lines, Valued, ()>, Node<'_, Lines, ()>) -> R,
    ) -> R {
        at_lines_with(evaluate, Techniques::ALL.without(Technique::Iir).without(Technique::Lmr), look)
    }

    fn at_lines_with<R>(
        evaluate: &Valued,
        techniques: Techniques,
        look: impl FnOnce(&mut AlphaBeta<'_, '_, Lines, Valued, ()>, Node<'_, Lines, ()>) -> R,
    ) -> R {
        let table = TranspositionTable::new(1).unwrap();
        let task = Task { techniques, ..Task::new(Lines { line: None, plies: 0 }) };
        let mut observer = ();
        let mut meter = Meter::new(&mut observer, &table, &task, Role::Alone);
        let mut thread = ThreadData::new(Histories::new(0, 0));
        let knowledge = Knowledge::new(evaluate, &(), &table);
        let mut search = AlphaBeta::new(&task, knowledge, &mut meter, &mut thread, Width::Reduced);
        search.last_extended = MAX_DEPTH;
        let node = Node {
            position: &task.root,
            hash: None,
            state: &(),
            place: search.start,
            ply: 0,
            kind: Kind::Cut,
            is_after_null: false,
            before: [None; 2],
            must_answer: false,
            static_eval: None,
            left_out: None,
            is_singular: false,
        };
        look(&mut search, node)
    }

    /// The entry of the root in the transposition table: the first move has this value.
    fn entry_of_lines(units: i32, bound: Bound, depth: u8) -> Entry {
        Entry { score: Score::units(units), bound, depth, proven: false, best: Some(0) }
    }

    #[test]
    fn a_move_is_singular_where_a_shallow_search_finds_all_others_worse() {
        let zero = |beta| Window { alpha: Score::units(beta - 1), beta: Score::units(beta) };
        let singular = |others: i32, window, entry| {
            let evaluate = Valued { values: [100, others, -300, -300], ..Valued::default() };
            at_lines(&evaluate, |search, node| search.singular(node, 8, window, (Some(entry), 0)).unwrap())
        };
        let known = entry_of_lines(100, Bound::Lower, 6);
        // Two units a ply.
        assert_eq!(singular(83, zero(200), known), Singular::Yes);
        assert_eq!(singular(84, zero(200), known), Singular::No, "another move is nearly as good");
        assert_eq!(singular(84, zero(84), known), Singular::Cutoff(Score::units(84)), "two moves are above beta");
        assert_eq!(singular(84, zero(85), known), Singular::No, "the other is not known to be above beta");
        assert_eq!(singular(84, Window::FULL, known), Singular::No, "an open window is not cut");
        for (entry, why) in [
            (entry_of_lines(100, Bound::Upper, 6), "a bound from above"),
            (entry_of_lines(100, Bound::Lower, 4), "a value of a search that was too shallow"),
            (Entry { score: Score::win_in(9), ..known }, "a win"),
        ] {
            assert_eq!(singular(-300, zero(200), entry), Singular::No, "{why}");
        }
    }

    #[test]
    fn a_singular_move_is_searched_a_ply_deeper() {
        for (others, plies) in [(-300, 9), (99, 8)] {
            let evaluate = Valued { values: [100, others, -300, -300], ..Valued::default() };
            let value = at_lines(&evaluate, |search, node| {
                let key = search.plain_key(node.hash(), node.place);
                search.knowledge.tt.put(key, entry_of_lines(100, Bound::Lower, 6));
                search.node(node, 8, Window { alpha: Score::units(99), beta: Score::units(100) }).unwrap()
            });
            assert_eq!(value.score, Score::units(100));
            assert_eq!(evaluate.deepest.into_inner().unwrap()[0], plies, "the others are worth {others}");
        }
    }

    #[test]
    fn a_node_that_the_table_knows_from_a_shallow_search_alone_is_searched_a_ply_less_deep() {
        let zero = Window { alpha: Score::units(99), beta: Score::units(100) };
        // The positions behind the first move, which the table does not know, are searched less deep as well.
        for (entry, window, plies) in [(2, zero, 4), (3, zero, 5), (2, Window::FULL, 5)] {
            let evaluate = Valued::default();
            at_lines_with(&evaluate, Techniques::ALL.without(Technique::Lmr), |search, node| {
                let key = search.plain_key(node.hash(), node.place);
                search.knowledge.tt.put(key, entry_of_lines(0, Bound::Upper, entry));
                search.node(node, 7, window).unwrap()
            });
            assert_eq!(evaluate.deepest.into_inner().unwrap()[1], plies, "a search of {entry} plies, {window:?}");
        }
    }

    #[test]
    fn quiescence_stands_pat_on_what_the_table_knows() {
        let value = |known, bound, beta| {
            at_lines(&Valued::default(), |search, node| {
                let key = search.plain_key(node.hash(), node.place);
                search.knowledge.tt.put(key, entry_of_lines(known, bound, 0));
                let window = Window { alpha: Score::units(beta - 1), beta: Score::units(beta) };
                search.quiescence(node, NodeValue::estimate(Score::DRAW), window).unwrap().score
            })
        };
        assert_eq!(value(200, Bound::Lower, 100), Score::units(150), "the mean of what is known and beta");
        assert_eq!(value(-50, Bound::Upper, -20), Score::units(-50), "the evaluation, 0, is above beta");
        assert_eq!(value(-50, Bound::Lower, -20), Score::units(-10), "the bound says less than the evaluation");
    }

    #[test]
    fn a_check_is_searched_a_ply_deeper_unless_it_loses_a_piece() {
        for (check, plies) in [(None, [4, 4]), (Some((1, 0)), [4, 5]), (Some((1, 300)), [4, 4])] {
            let evaluate = Valued { check, ..Valued::default() };
            at_lines(&evaluate, |search, node| search.node(node, 4, Window::FULL).unwrap());
            assert_eq!(evaluate.deepest.into_inner().unwrap()[..2], plies, "{check:?}");
        }
    }

    #[test]
    fn a_zero_window_takes_no_line_that_an_earlier_search_left() {
        let table = TranspositionTable::new(1).unwrap();
        let task = Task::new(Numbered(0, Side::First));
        let mut observer = ();
        let mut meter = Meter::new(&mut observer, &table, &task, Role::Alone);
        let mut thread = ThreadData::new(Histories::new(0, 0));
        let mut line = |mv: u64, window: Window| {
            let search =
                AlphaBeta::new(&task, Knowledge::new(&Noise, &(), &table), &mut meter, &mut thread, Width::Full);
            search.root(4, &mut [mv], window).best.unwrap().pv
        };
        assert_eq!(line(1, Window::FULL).len(), 4);
        for alpha in [-1000, 0, 1000].map(Score::units) {
            let line = line(2, Window { alpha, beta: alpha.successor() });
            assert_eq!(line[0], 2);
            assert!(line.windows(2).all(|pair| (pair[1] - 1) / 2 == pair[0]), "{line:?}");
        }
    }
}
