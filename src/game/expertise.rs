//! What a game may know beyond its rules and its evaluation, one trait for each kind of knowledge. The searches ask for it by
//! [`super::Evaluator`]; docs/adding-a-game.md says which traits suit which games.

use super::{Evaluate, Position};
use crate::score::{Bound, Score};

/// What a game knows at every node: a state that moves update, the order of its moves, results seen without a search. All but the
/// type of the state has a default.
pub trait Expertise<P: Position>: Send + Sync + 'static {
    /// State updated along a line, so that a node costs what its move changed: pattern indices, the first layer of a network. `()`
    /// for an evaluation of the position alone.
    type State: Clone + Default + Send + 'static;

    /// Whether states lie on the heap, so that the memory of one that is done with is worth using again.
    const STATES_ON_HEAP: bool = false;

    /// The state of a position, computed from scratch.
    fn state(&self, _position: &P) -> Self::State {
        Self::State::default()
    }

    /// The state of `next`, reached by `mv` from `position`, which has this state.
    fn next_state(&self, _state: &Self::State, _position: &P, _mv: P::Move, _next: &P) -> Self::State {
        Self::State::default()
    }

    /// [`Self::next_state`] in the memory of `spare`, a state of any position. Called in games with [`Self::STATES_ON_HEAP`].
    fn next_state_in(
        &self,
        _spare: Self::State,
        state: &Self::State,
        position: &P,
        mv: P::Move,
        next: &P,
    ) -> Self::State {
        self.next_state(state, position, mv, next)
    }

    /// The state of `passed`, reached by a [`Position::null_move`] from a position with this state; `None` if it is the same.
    fn passed_state(&self, _state: &Self::State, passed: &P) -> Option<Self::State> {
        Some(self.state(passed))
    }

    /// Move ordering: scores each of the `moves` of `position`, which has this state, for a search of `depth` plies; at depth 0
    /// (quiescence search) those of [`Pruning::noisy_moves`], or all if the side must answer. 0 is a quiet move, left to killers
    /// and history. Scores above 0, up to 2^16, come before those, the highest first; scores below 0, down to -2^16, come last
    /// (losing captures). [`DOMINATED`] marks a move that may be skipped, as another one is at least as good at this depth. By
    /// default noisy moves score 1.
    fn score_moves(&self, position: &P, _state: &Self::State, _depth: u32, moves: &[P::Move], scores: &mut [i32])
    where
        Self: Evaluate<P>,
    {
        for (score, &mv) in scores.iter_mut().zip(moves) {
            *score = self.is_noisy(position, mv).into();
        }
    }

    /// [`Expertise::score_moves`] for a search that evaluates by [`Evaluate::material`] alone and carries no state. By default the
    /// state is [`Default`]; override this if that is wrong.
    fn score_moves_by_material(&self, position: &P, depth: u32, moves: &[P::Move], scores: &mut [i32])
    where
        Self: Evaluate<P>,
    {
        self.score_moves(position, &Self::State::default(), depth, moves, scores);
    }

    /// The value that plain minimax of `depth` plies (at least 1) would find in a position in which the game goes on, if it is
    /// known without a search; ignores repetition. Positions visited for it are no nodes. A lower bound is useful only at `beta` or
    /// above, an upper bound only at `alpha` or below.
    fn static_knowledge(&self, _position: &P, _depth: u32, _alpha: Score, _beta: Score) -> Option<StaticKnowledge> {
        None
    }

    /// [`Expertise::static_knowledge`] for a search that evaluates by [`Evaluate::material`] alone.
    fn static_knowledge_by_material(
        &self,
        _position: &P,
        _depth: u32,
        _alpha: Score,
        _beta: Score,
    ) -> Option<StaticKnowledge> {
        None
    }
}

/// An evaluation that knows nothing beyond its values: this one line stands for an empty [`Expertise`], [`Pruning`], [`Threats`] and
/// [`Solving`], until one of them is worth implementing.
pub trait NoExpertise: Send + Sync + 'static {}

impl<P: Position, E: NoExpertise> Expertise<P> for E {
    type State = ();
}

impl<P: Position, E: NoExpertise> Pruning<P> for E {}
impl<P: Position, E: NoExpertise> Threats<P> for E {}
impl<P: Position, E: NoExpertise> Solving<P> for E {}

/// The score of a move that the search may skip: see [`Expertise::score_moves`].
pub const DOMINATED: i32 = i32::MIN;

/// A value that plain minimax would find, known without a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StaticKnowledge {
    /// The value or bound, for the side to move.
    pub score: Score,
    /// Which of them it is.
    pub bound: Bound,
    /// Whether the same holds for every deeper search.
    pub proven: bool,
}

/// What selective searches may leave out, and where they may not stop: for games with captures, or whose evaluation moves little
/// from ply to ply. An empty `impl` leaves nothing out.
pub trait Pruning<P: Position>: Expertise<P> {
    /// Whether selective searches end in quiescence search through noisy moves.
    const QUIESCES: bool = false;

    /// Whether selective searches may skip moves near their leaves: late quiet moves (late move pruning), quiet moves where the
    /// evaluation is far below alpha (futility pruning), and moves that the game scores below 0. Late moves are then also reduced
    /// by their history.
    const PRUNES_MOVES: bool = false;

    /// Whether selective searches reduce and prune as strongly as chess programs do: by the kind of a node, by whether the
    /// evaluation rises along the line, by exchanges ([`Pruning::loses`]), with entries of the transposition table at every depth,
    /// and at the root, too. For games with many quiet moves, quiescence search, [`Pruning::PRUNES_MOVES`] and a
    /// [`Pruning::futility_margin`], which is the scale of all margins.
    const PRUNES_BOLDLY: bool = false;

    /// Whether selective searches look a ply deeper where the side to move must answer ([`Pruning::must_answer`]).
    const EXTENDS_ANSWERS: bool = true;

    /// The expected value of a move of `position` for the side that plays it, from its score of [`Expertise::score_moves`] in a
    /// search of `depth` plies: late moves of low value are reduced more. `None`, the default, if scores do not say. Called in
    /// games with [`Pruning::futility_margin`], the scale of the value.
    fn expected(&self, _position: &P, _depth: u32, _score: i32) -> Option<Score> {
        None
    }

    /// Whether the side to move must answer a threat (it is in check), or must capture, as in draughts: quiescence search then
    /// searches all moves and does not take the evaluation for a lower bound.
    fn must_answer(&self, _position: &P) -> bool {
        false
    }

    /// Whether the opponent must answer a move ([`Pruning::must_answer`]), as far as a quick test shows: such a move is not
    /// pruned. Called in games with [`Pruning::PRUNES_MOVES`].
    fn forces(&self, _position: &P, _mv: P::Move) -> bool {
        false
    }

    /// Whether the exchange that a move begins loses more than `units`, as far as a quick test shows. Called in games with
    /// [`Pruning::PRUNES_BOLDLY`].
    fn loses(&self, _position: &P, _mv: P::Move, _units: i32) -> bool {
        false
    }

    /// Keys of parts of a position: the evaluation errs alike where a part is alike, and searches that prune boldly correct it by
    /// what they have learned. All bits are spread, the high ones best. `None`, the default, if nothing is corrected.
    fn parts_that_err(&self, _position: &P) -> Option<[u64; 3]> {
        None
    }

    /// Appends the noisy moves of `position`, in the order of [`Position::generate`], for quiescence search. Implement it if they
    /// can be generated without the others.
    fn noisy_moves(&self, position: &P, moves: &mut Vec<P::Move>)
    where
        Self: Evaluate<P>,
    {
        let first = moves.len();
        position.generate(moves);
        let mut at = first;
        for number in first..moves.len() {
            if self.is_noisy(position, moves[number]) {
                moves.swap(at, number);
                at += 1;
            }
        }
        moves.truncate(at);
    }

    /// The most that a noisy move is likely to gain, in units: quiescence search skips a move that cannot lift the evaluation to
    /// alpha even so (delta pruning). `None`, the default, skips nothing. Called in games with [`Pruning::PRUNES_MOVES`].
    fn greatest_gain(&self, _position: &P, _mv: P::Move) -> Option<i32> {
        None
    }

    /// The margin of reverse futility pruning, in units for each ply of depth, above 0. `None`, the default, in games where a
    /// threat can be worth more than any evaluation.
    fn futility_margin(&self) -> Option<i32> {
        None
    }

    /// The margin of razoring, in units for each ply of depth, above 0. `None`, the default, in games where a single move can turn
    /// the game.
    fn razoring_margin(&self) -> Option<i32> {
        None
    }

    /// How far below its value all other moves must be, in units for each ply of depth, if selective searches look a ply deeper at a
    /// hash move (singular extensions). `None`, the default, where that does not pay. Not asked where the game chooses the moves.
    fn singular_margin(&self) -> Option<i32> {
        None
    }

    /// How far the value of a search lies from that of one half as deep, in units, above 0: one standard deviation, measured where
    /// the number of plies is odd or even for both. Nodes of which a shallow search says enough are pruned by it (`ProbCut`).
    /// `None`, the default, where that does not pay. Not asked in games with null moves, nor where the game chooses the moves.
    fn deviation(&self, _position: &P) -> Option<i32> {
        None
    }
}

/// Moves that threaten to win, in games with hundreds of moves of which few matter, such as gomoku. An empty `impl` has no threats.
/// Called with full knowledge only.
pub trait Threats<P: Position>: Expertise<P> {
    /// Whether the game chooses the candidate moves of selective searches, by [`Threats::threat_result`], [`Threats::is_forced`]
    /// and [`Threats::candidates`]. Called with full knowledge only.
    const CHOOSES: bool = false;

    /// A value known without a search, for the side to move, at a node of `depth` plies (0 included), while the game goes on: a win
    /// by threats, for example. A decisive score is certain; as a lower bound its distance may be too long. If not `is_new`, the
    /// node was evaluated before, and expensive checks may be skipped.
    fn threat_result(
        &self,
        _position: &P,
        _state: &Self::State,
        _depth: u32,
        _is_new: bool,
    ) -> Option<StaticKnowledge> {
        None
    }

    /// Whether a threat of the opponent leaves few moves that do not lose soon: such a node is searched a ply deeper.
    fn is_forced(&self, _position: &P, _state: &Self::State) -> bool {
        false
    }

    /// Appends the candidate moves for a search of `depth` plies (at least 1), and their scores: those above 0, up to 2^16, are
    /// tried first, the highest first, to the full depth; the others, down to -2^14, are added to their history. Appends nothing if
    /// all moves are to be searched.
    fn candidates(
        &self,
        _position: &P,
        _state: &Self::State,
        _depth: u32,
        _moves: &mut Vec<P::Move>,
        _scores: &mut Vec<i32>,
    ) -> Candidates {
        Candidates::All
    }

    /// One node in this many is spent on proofs by the game ([`Threats::winning_line`]).
    const PROOF_SHARE: u64 = 2;

    /// The least number of nodes of a proof.
    const PROOF_LEAST: u64 = 4_000;

    /// A line whose first move wins against any reply, proven by the game while it goes on; empty if none was found, which proves
    /// nothing. The search calls it now and then with growing effort. Call `step` for every position visited, which counts as a
    /// node, and stop once it returns `false`.
    fn winning_line(&self, _position: &P, _step: &mut dyn FnMut() -> bool) -> Vec<P::Move> {
        Vec::new()
    }

    /// Moves that certainly lose, as far as the game finds them; see [`Threats::winning_line`].
    fn losing_moves(&self, _position: &P, _step: &mut dyn FnMut() -> bool) -> Vec<P::Move> {
        Vec::new()
    }
}

/// What the candidate moves of a selective search leave out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Candidates {
    /// Nothing: all moves are searched.
    All,
    /// Moves that are certainly no better.
    Complete,
    /// Moves that are probably no better: the candidates alone cannot prove a loss.
    Chosen,
}

/// A solver of the game's own for positions near its end. An empty `impl` solves nothing.
pub trait Solving<P: Position>: Expertise<P> {
    /// Whether [`Solving::solve`] is implemented.
    const SOLVES: bool = false;

    /// Positions that the solver may visit for each node of the search: they cost a fraction of a node.
    const SOLVER_SHARE: u64 = 4;

    /// Whether the solver uses several threads. The search's threads rest meanwhile.
    const SOLVER_THREADS: bool = false;

    /// With this many plies left ([`Position::plies_left`]) or fewer, the solver takes almost no time: a clock need not last for
    /// them.
    const SOLVED_FROM: u32 = 0;

    /// Solves a position near the end of the game and reports results step by step; the last one is exact unless it was stopped.
    /// The line of a lower bound begins with a move that guarantees it. Does nothing for positions beyond the solver. Called only
    /// if [`Solving::SOLVES`].
    fn solve(&self, _position: &P, _means: SolverMeans<'_>, _news: &mut dyn FnMut(Solution<P::Move>)) {}

    /// Mean number of positions that the solver visits for a position like this. The search calls the solver once its effort would
    /// be half of that.
    fn solver_cost(&self, _position: &P) -> u64 {
        0
    }
}

/// Resources of a game's solver: see [`Solving::solve`].
#[derive(Clone, Copy)]
pub struct SolverMeans<'a> {
    /// The number of threads.
    pub threads: usize,
    /// The memory of its table, in bytes.
    pub bytes: usize,
    /// Whether to clear the results of earlier calls.
    pub fresh: bool,
    /// Called by every thread now and then with the positions visited since its last call; returning `true` ends the search.
    pub stop: &'a (dyn Fn(u64) -> bool + Sync),
}

/// A result of a game's solver: see [`Solving::solve`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Solution<M> {
    /// The value, for the side to move.
    pub score: Score,
    /// What is proven; `None` if the value is only likely.
    pub proven: Option<Bound>,
    /// Confidence of each selective decision behind it, in percent; 100 if proven.
    pub percent: u8,
    /// A line of best moves as far as known; not empty.
    pub line: Vec<M>,
}

impl<M> Solution<M> {
    /// The report for a value between these bounds in a game of win, draw and loss; `None` without a line, or if every result is
    /// possible. A side that cannot lose and may still win is reported as likely to draw.
    pub fn between(lower: Score, upper: Score, line: Vec<M>) -> Option<Solution<M>> {
        let (score, proven) = match lower {
            _ if lower == upper => (lower, Some(Bound::Exact)),
            _ if lower > Score::DRAW => (lower, Some(Bound::Lower)),
            _ if upper < Score::DRAW => (upper, Some(Bound::Upper)),
            _ if lower == Score::DRAW => (Score::DRAW, None),
            _ => return None,
        };
        (!line.is_empty()).then_some(Solution { score, proven, percent: 100, line })
    }
}
