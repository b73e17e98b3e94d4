//! How much of a game's knowledge a search uses: a run-time value, so that a search is compiled once for each game.
//!
//! Layer 0. The search calls an evaluation only through [`Evaluator`], which says for each method what each [`EvaluationMode`] returns.
//! The comparison in each call has no measurable cost.

use super::{Candidates, Evaluate, Outcome, Position, Solution, SolverMeans, StaticKnowledge};
use crate::score::Score;

/// Certain results at most this many plies ahead are visible with every [`EvaluationMode`].
const PLIES_SEEN_AT_ONCE: u32 = 2;

/// How much of a game's knowledge a search uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum EvaluationMode {
    /// Everything: evaluation, proofs by the game, exact values.
    #[default]
    Full,
    /// Evaluation without theory, for weaker levels: certain results further ahead become the plain count, and exact values are
    /// unknown.
    NoTheory,
    /// Only the plain count of [`Evaluate::material`], zero for a game that has none, after captures that must be played: for
    /// comparisons with simple programs, for teaching, and to count captures.
    Plain,
}

/// An evaluation with a [`EvaluationMode`].
///
/// # Examples
/// ```
/// use griot::game::{Notation as _, Evaluator};
/// use griot::games::awale::{Abapa, AwaleEvaluation, AwaleNotation};
/// use griot::score::Score;
///
/// # fn main() -> Result<(), griot::game::TextError> {
/// let notation = AwaleNotation::<Abapa>::default();
/// let position = notation.parse_position("0-4-4-4-4-4-0-5-5-5-4-4-2-3-S")?;
/// // One seed less in store, in hundredths; the empty houses count for nothing.
/// assert_eq!(Evaluator::plain(&AwaleEvaluation::default()).evaluate(&position), Score::units(-100));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Evaluator<'a, E> {
    evaluate: &'a E,
    mode: EvaluationMode,
}

impl<E> Clone for Evaluator<'_, E> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<E> Copy for Evaluator<'_, E> {}

impl<'a, E> From<&'a E> for Evaluator<'a, E> {
    fn from(evaluate: &'a E) -> Self {
        Evaluator::full(evaluate)
    }
}

impl<'a, E> Evaluator<'a, E> {
    /// The evaluation with this mode.
    #[must_use]
    pub const fn new(evaluate: &'a E, mode: EvaluationMode) -> Self {
        Evaluator { evaluate, mode }
    }

    /// The evaluation with the full mode.
    #[must_use]
    pub const fn full(evaluate: &'a E) -> Self {
        Evaluator::new(evaluate, EvaluationMode::Full)
    }

    /// The evaluation with plain mode.
    #[must_use]
    pub const fn plain(evaluate: &'a E) -> Self {
        Evaluator::new(evaluate, EvaluationMode::Plain)
    }

    /// The mode.
    #[must_use]
    pub const fn mode(self) -> EvaluationMode {
        self.mode
    }

    /// See [`Evaluate::evaluate`].
    #[inline]
    #[must_use]
    pub fn evaluate<P: Position>(self, position: &P) -> Score
    where
        E: Evaluate<P>,
    {
        self.seen(position, || self.evaluate.evaluate(position))
    }

    /// See [`Evaluate::evaluate_with`].
    #[inline]
    #[must_use]
    pub fn evaluate_with<P: Position>(self, position: &P, state: &E::State) -> Score
    where
        E: Evaluate<P>,
    {
        self.seen(position, || self.evaluate.evaluate_with(position, state))
    }

    /// The full evaluation, restricted to what this mode sees.
    #[inline]
    fn seen<P: Position>(self, position: &P, full: impl FnOnce() -> Score) -> Score
    where
        E: Evaluate<P>,
    {
        match self.mode {
            EvaluationMode::Full => full(),
            EvaluationMode::NoTheory => {
                let score = full();
                let is_seen = score.distance().is_some_and(|plies| plies <= PLIES_SEEN_AT_ONCE);
                if score.is_decisive() && !is_seen { Score::units(self.evaluate.material(position)) } else { score }
            }
            EvaluationMode::Plain => self.settled(position),
        }
    }

    /// The plain count after the captures that the rules demand ([`Position::must_capture`]), by minimax.
    fn settled<P: Position>(self, position: &P) -> Score
    where
        E: Evaluate<P>,
    {
        let mut moves = Vec::new();
        if position.must_capture() {
            position.generate(&mut moves);
        }
        let after = |mv| {
            let next = position.after(mv);
            let score = match next.outcome() {
                Some(outcome) => self.final_score(&next, outcome),
                None => self.settled(&next),
            };
            (-score).backed_up()
        };
        moves.into_iter().map(after).max().unwrap_or_else(|| Score::units(self.evaluate.material(position)))
    }

    /// See [`super::Expertise::state`].
    #[inline]
    #[must_use]
    pub fn state<P: Position>(self, position: &P) -> E::State
    where
        E: Evaluate<P>,
    {
        match self.mode {
            EvaluationMode::Full | EvaluationMode::NoTheory => self.evaluate.state(position),
            EvaluationMode::Plain => E::State::default(),
        }
    }

    /// See [`super::Expertise::next_state`].
    #[inline]
    #[must_use]
    pub fn next_state<P: Position>(self, state: &E::State, position: &P, mv: P::Move, next: &P) -> E::State
    where
        E: Evaluate<P>,
    {
        match self.mode {
            EvaluationMode::Full | EvaluationMode::NoTheory => self.evaluate.next_state(state, position, mv, next),
            EvaluationMode::Plain => E::State::default(),
        }
    }

    /// See [`super::Expertise::next_state_in`].
    #[inline]
    #[must_use]
    pub fn next_state_in<P: Position>(
        self,
        spare: E::State,
        state: &E::State,
        position: &P,
        mv: P::Move,
        next: &P,
    ) -> E::State
    where
        E: Evaluate<P>,
    {
        match self.mode {
            EvaluationMode::Full | EvaluationMode::NoTheory => {
                self.evaluate.next_state_in(spare, state, position, mv, next)
            }
            EvaluationMode::Plain => spare,
        }
    }

    /// See [`super::Expertise::passed_state`].
    #[inline]
    #[must_use]
    pub fn passed_state<P: Position>(self, state: &E::State, passed: &P) -> Option<E::State>
    where
        E: Evaluate<P>,
    {
        match self.mode {
            EvaluationMode::Full | EvaluationMode::NoTheory => self.evaluate.passed_state(state, passed),
            EvaluationMode::Plain => None,
        }
    }

    /// See [`Evaluate::material`]: the same with every mode.
    #[inline]
    #[must_use]
    pub fn material<P: Position>(self, position: &P) -> i32
    where
        E: Evaluate<P>,
    {
        self.evaluate.material(position)
    }

    /// See [`Evaluate::final_score`]: the same with every mode.
    #[inline]
    #[must_use]
    pub fn final_score<P: Position>(self, position: &P, outcome: Outcome) -> Score
    where
        E: Evaluate<P>,
    {
        self.evaluate.final_score(position, outcome)
    }

    /// See [`Evaluate::centi_units`].
    #[must_use]
    pub fn centi_units<P: Position>(self, units: i32) -> i32
    where
        E: Evaluate<P>,
    {
        self.evaluate.centi_units(units)
    }

    /// See [`Evaluate::is_noisy`]: the same with every mode.
    #[inline]
    #[must_use]
    pub fn is_noisy<P: Position>(self, position: &P, mv: P::Move) -> bool
    where
        E: Evaluate<P>,
    {
        self.evaluate.is_noisy(position, mv)
    }

    /// See [`super::Expertise::score_moves`].
    #[inline]
    pub fn score_moves<P: Position>(
        self,
        position: &P,
        state: &E::State,
        depth: u32,
        moves: &[P::Move],
        scores: &mut [i32],
    ) where
        E: Evaluate<P>,
    {
        match self.mode {
            EvaluationMode::Full | EvaluationMode::NoTheory => {
                self.evaluate.score_moves(position, state, depth, moves, scores)
            }
            EvaluationMode::Plain => self.evaluate.score_moves_by_material(position, depth, moves, scores),
        }
    }

    /// The evaluation's own value, but `None` with plain mode.
    #[inline]
    fn unless_plain<T>(self, ask: impl FnOnce(&E) -> Option<T>) -> Option<T> {
        match self.mode {
            EvaluationMode::Full | EvaluationMode::NoTheory => ask(self.evaluate),
            EvaluationMode::Plain => None,
        }
    }

    /// See [`super::Pruning::expected`]: `None` with plain mode, whose move scores differ.
    #[inline]
    #[must_use]
    pub fn expected<P: Position>(self, position: &P, depth: u32, score: i32) -> Option<Score>
    where
        E: Evaluate<P>,
    {
        self.unless_plain(|evaluate| evaluate.expected(position, depth, score))
    }

    /// See [`super::Expertise::static_knowledge`].
    #[inline]
    #[must_use]
    pub fn static_knowledge<P: Position>(
        self,
        position: &P,
        depth: u32,
        alpha: Score,
        beta: Score,
    ) -> Option<StaticKnowledge>
    where
        E: Evaluate<P>,
    {
        match self.mode {
            EvaluationMode::Full | EvaluationMode::NoTheory => {
                self.evaluate.static_knowledge(position, depth, alpha, beta)
            }
            EvaluationMode::Plain => self.evaluate.static_knowledge_by_material(position, depth, alpha, beta),
        }
    }

    /// See [`super::Pruning::must_answer`]: the same with every mode.
    #[must_use]
    pub fn must_answer<P: Position>(self, position: &P) -> bool
    where
        E: Evaluate<P>,
    {
        self.evaluate.must_answer(position)
    }

    /// See [`super::Pruning::forces`]: the same with every mode.
    #[must_use]
    pub fn forces<P: Position>(self, position: &P, mv: P::Move) -> bool
    where
        E: Evaluate<P>,
    {
        self.evaluate.forces(position, mv)
    }

    /// See [`super::Pruning::loses`]: the same with every mode.
    #[must_use]
    pub fn loses<P: Position>(self, position: &P, mv: P::Move, units: i32) -> bool
    where
        E: Evaluate<P>,
    {
        self.evaluate.loses(position, mv, units)
    }

    /// See [`super::Pruning::parts_that_err`]: the same with every mode.
    #[inline]
    #[must_use]
    pub fn parts_that_err<P: Position>(self, position: &P) -> Option<[u64; 3]>
    where
        E: Evaluate<P>,
    {
        self.evaluate.parts_that_err(position)
    }

    /// See [`super::Pruning::noisy_moves`]: the same with every mode.
    pub fn noisy_moves<P: Position>(self, position: &P, moves: &mut Vec<P::Move>)
    where
        E: Evaluate<P>,
    {
        self.evaluate.noisy_moves(position, moves);
    }

    /// See [`super::Pruning::greatest_gain`]: the same with every mode.
    #[must_use]
    pub fn greatest_gain<P: Position>(self, position: &P, mv: P::Move) -> Option<i32>
    where
        E: Evaluate<P>,
    {
        self.evaluate.greatest_gain(position, mv)
    }

    /// See [`super::Pruning::singular_margin`]: `None` with plain mode.
    #[must_use]
    pub fn singular_margin<P: Position>(self) -> Option<i32>
    where
        E: Evaluate<P>,
    {
        self.unless_plain(|evaluate| evaluate.singular_margin())
    }

    /// See [`super::Pruning::futility_margin`]: `None` with plain mode, as the margin is that of the full
    /// evaluation.
    #[must_use]
    pub fn futility_margin<P: Position>(self) -> Option<i32>
    where
        E: Evaluate<P>,
    {
        self.unless_plain(|evaluate| evaluate.futility_margin())
    }

    /// See [`super::Pruning::razoring_margin`]: `None` with plain mode, as for [`Self::futility_margin`].
    #[must_use]
    pub fn razoring_margin<P: Position>(self) -> Option<i32>
    where
        E: Evaluate<P>,
    {
        self.unless_plain(|evaluate| evaluate.razoring_margin())
    }

    /// See [`super::Pruning::deviation`]: `None` with plain mode, as for [`Self::futility_margin`].
    #[inline]
    #[must_use]
    pub fn deviation<P: Position>(self, position: &P) -> Option<i32>
    where
        E: Evaluate<P>,
    {
        self.unless_plain(|evaluate| evaluate.deviation(position))
    }

    /// See [`super::Threats::threat_result`]; call it with the full mode only.
    #[inline]
    #[must_use]
    pub fn threat_result<P: Position>(
        self,
        position: &P,
        state: &E::State,
        depth: u32,
        is_new: bool,
    ) -> Option<StaticKnowledge>
    where
        E: Evaluate<P>,
    {
        self.evaluate.threat_result(position, state, depth, is_new)
    }

    /// See [`super::Threats::is_forced`]; call it with the full mode only.
    #[inline]
    #[must_use]
    pub fn is_forced<P: Position>(self, position: &P, state: &E::State) -> bool
    where
        E: Evaluate<P>,
    {
        self.evaluate.is_forced(position, state)
    }

    /// See [`super::Threats::candidates`]; call it with the full mode only.
    #[inline]
    pub fn candidates<P: Position>(
        self,
        position: &P,
        state: &E::State,
        depth: u32,
        moves: &mut Vec<P::Move>,
        scores: &mut Vec<i32>,
    ) -> Candidates
    where
        E: Evaluate<P>,
    {
        self.evaluate.candidates(position, state, depth, moves, scores)
    }

    /// See [`super::Threats::winning_line`]: empty unless with the full mode.
    #[must_use]
    pub fn winning_line<P: Position>(self, position: &P, step: &mut dyn FnMut() -> bool) -> Vec<P::Move>
    where
        E: Evaluate<P>,
    {
        match self.mode {
            EvaluationMode::Full => self.evaluate.winning_line(position, step),
            EvaluationMode::NoTheory | EvaluationMode::Plain => Vec::new(),
        }
    }

    /// See [`super::Solving::solver_cost`]: `None` unless with the full mode.
    #[must_use]
    pub fn solver_cost<P: Position>(self, position: &P) -> Option<u64>
    where
        E: Evaluate<P>,
    {
        (E::SOLVES && self.mode == EvaluationMode::Full).then(|| self.evaluate.solver_cost(position))
    }

    /// See [`super::Solving::solve`].
    pub fn solve<P: Position>(self, position: &P, means: SolverMeans<'_>, news: &mut dyn FnMut(Solution<P::Move>))
    where
        E: Evaluate<P>,
    {
        if self.solver_cost(position).is_some() {
            self.evaluate.solve(position, means, news);
        }
    }

    /// See [`super::Threats::losing_moves`]: empty unless with the full mode.
    #[must_use]
    pub fn losing_moves<P: Position>(self, position: &P, step: &mut dyn FnMut() -> bool) -> Vec<P::Move>
    where
        E: Evaluate<P>,
    {
        match self.mode {
            EvaluationMode::Full => self.evaluate.losing_moves(position, step),
            EvaluationMode::NoTheory | EvaluationMode::Plain => Vec::new(),
        }
    }
}
