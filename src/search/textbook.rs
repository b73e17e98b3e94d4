//! The course's algorithms, as close to their pseudo-code as Rust allows; the reference for tests of the full search.
//!
//! Layer 3. No transposition table, no move ordering: minimax, negamax, alpha-beta in min/max form, alpha-beta in
//! negamax form ("negabeta"), and the awalé form, which adds the gain of each move on the way up. All have a depth
//! limit; [`UNBOUNDED`] plays every line to its end. Minimax and alpha-beta score for the first player, the negamax
//! forms for the side to move. CITE: TIPE 2012, part D, "Jeu de l'awalé"; J. David, "Comment faire jouer un programme à
//! un jeu de société ?"; B. Zanuttini, "Algorithme négamax", 2022.

use super::{Algorithm, Iteration, Knowledge, Line, Meter, Path, Ranking, Stopped, Task};
use crate::game::{Balance, Evaluate, Evaluator, Position, Probe, Side, sort_few};
use crate::score::{Bound, Meaning, Score};
use std::marker::PhantomData;

/// A depth no game reaches.
pub const UNBOUNDED: u32 = u32::MAX;

/// Follows an algorithm through its tree; `()` does nothing and costs nothing.
pub trait Follow<P: Position> {
    /// A move was played, and led to `next`.
    fn enter(&mut self, _mv: P::Move, _next: &P) {}
    /// The position entered last got this value, in the algorithm's point of view, and its move is taken back.
    fn leave(&mut self, _value: Score) {}
}

impl<P: Position> Follow<P> for () {}

impl<P: Position, F: Follow<P>> Follow<P> for &mut F {
    fn enter(&mut self, mv: P::Move, next: &P) {
        (**self).enter(mv, next);
    }
    fn leave(&mut self, value: Score) {
        (**self).leave(value);
    }
}

/// What endgame tables know about a position; see [`Probe::balance`].
type Tables<'a, P> = &'a dyn Fn(&P) -> Option<Balance>;

/// The common state of the algorithms: the evaluation, the line played so far, and the count of nodes.
pub struct Textbook<'a, P: Position, E, F = ()> {
    evaluate: Evaluator<'a, E>,
    /// Endgame tables, and the number of positions before the root. Where one of those positions can still repeat, the
    /// tables only correct the evaluation; elsewhere their values are exact.
    tables: Option<(Tables<'a, P>, usize)>,
    table_hits: u64,
    path: Path,
    stop: &'a mut dyn FnMut(u32) -> bool,
    follow: F,
    nodes: u64,
    start: usize,
    _position: PhantomData<P>,
}

impl<'a, P: Position, E: Evaluate<P>> Textbook<'a, P, E> {
    /// Algorithms for positions after `path`. `stop` is called at every node with the number of plies played since; the
    /// search gives up if it returns true.
    pub fn new(evaluate: impl Into<Evaluator<'a, E>>, path: Path, stop: &'a mut dyn FnMut(u32) -> bool) -> Self {
        Textbook::following(evaluate, path, stop, ())
    }
}

impl<'a, P: Position, E: Evaluate<P>, F: Follow<P>> Textbook<'a, P, E, F> {
    /// The same with a follower.
    pub fn following(
        evaluate: impl Into<Evaluator<'a, E>>,
        path: Path,
        stop: &'a mut dyn FnMut(u32) -> bool,
        follow: F,
    ) -> Self {
        let start = path.len();
        let evaluate = evaluate.into();
        Textbook { evaluate, tables: None, table_hits: 0, path, stop, follow, nodes: 0, start, _position: PhantomData }
    }

    /// Nodes visited so far, roots and leaves included.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Minimax: the first player maximises, the second minimises. Scores for the first player.
    ///
    /// # Errors
    /// [`Stopped`] when the search was told to stop.
    pub fn minimax(&mut self, position: &P, depth: u32) -> Result<Score, Stopped> {
        if let Some(value) = self.leaf(position, depth)? {
            return Ok(for_mover(position, value));
        }
        let maximising = position.side_to_move() == Side::First;
        let mut best = if maximising { -Score::INFINITY } else { Score::INFINITY };
        for mv in moves(position) {
            let value = self.child(position, mv, |this, next| this.minimax(next, depth - 1))?.backed_up();
            best = if maximising { best.max(value) } else { best.min(value) };
        }
        Ok(self.held_for_first(position, best))
    }

    /// Negamax: a value for one side is its negative for the other. Scores for the side to move.
    ///
    /// # Errors
    /// [`Stopped`] when the search was told to stop.
    pub fn negamax(&mut self, position: &P, depth: u32) -> Result<Score, Stopped> {
        if let Some(value) = self.leaf(position, depth)? {
            return Ok(value);
        }
        let mut best = -Score::INFINITY;
        for mv in moves(position) {
            let value = -self.child(position, mv, |this, next| this.negamax(next, depth - 1))?;
            best = best.max(value.backed_up());
        }
        Ok(self.held(position, best))
    }

    /// Alpha-beta in min/max form: `alpha` is the value that the first player can already force elsewhere, `beta` the
    /// second's. Scores for the first player; outside the window, a bound.
    ///
    /// # Errors
    /// [`Stopped`] when the search was told to stop.
    pub fn alpha_beta(
        &mut self,
        position: &P,
        depth: u32,
        mut alpha: Score,
        mut beta: Score,
    ) -> Result<Score, Stopped> {
        if let Some(value) = self.leaf(position, depth)? {
            return Ok(for_mover(position, value));
        }
        let maximising = position.side_to_move() == Side::First;
        let mut best = if maximising { -Score::INFINITY } else { Score::INFINITY };
        for mv in moves(position) {
            let (low, high) = (alpha.handed_down(), beta.handed_down());
            let value = self.child(position, mv, |this, next| this.alpha_beta(next, depth - 1, low, high))?.backed_up();
            if maximising {
                best = best.max(value);
                alpha = alpha.max(best);
            } else {
                best = best.min(value);
                beta = beta.min(best);
            }
            if alpha >= beta {
                break;
            }
        }
        Ok(self.held_for_first(position, best))
    }

    /// Alpha-beta in negamax form, the course's "negabeta". Scores for the side to move; outside the window, a bound.
    ///
    /// # Errors
    /// [`Stopped`] when the search was told to stop.
    pub fn nega_beta(&mut self, position: &P, depth: u32, mut alpha: Score, beta: Score) -> Result<Score, Stopped> {
        if let Some(value) = self.leaf(position, depth)? {
            return Ok(value);
        }
        let mut best = -Score::INFINITY;
        for mv in moves(position) {
            let (low, high) = (-beta.handed_down(), -alpha.handed_down());
            let value = -self.child(position, mv, |this, next| this.nega_beta(next, depth - 1, low, high))?;
            best = best.max(value.backed_up());
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        Ok(self.held(position, best))
    }

    /// Negamax in the awalé form: the value of a node is the gain of its best move, less the opponent's value of the
    /// position after it. In units, for the side to move, counted from the current balance; a leaf has its evaluation
    /// without [`Evaluate::material`], a finished game 0. Ignores repetition, as in the course.
    ///
    /// # Errors
    /// [`Stopped`] when the search was told to stop.
    pub fn awale_negamax(&mut self, position: &P, depth: u32) -> Result<i32, Stopped> {
        self.visit()?;
        if position.outcome().is_some() {
            return Ok(0);
        }
        let material = self.evaluate.material(position);
        if depth == 0 {
            return Ok(match self.evaluate.evaluate(position).meaning() {
                Meaning::Units(units) => units - material,
                _ => 0,
            });
        }
        let mut best = i32::MIN;
        for mv in moves(position) {
            let next = position.after(mv);
            let gain = -self.evaluate.material(&next) - material;
            best = best.max(gain - self.awale_negamax(&next, depth - 1)?);
        }
        Ok(best)
    }

    /// Counts a node and returns its value for the side to move if it is a leaf.
    fn leaf(&mut self, position: &P, depth: u32) -> Result<Option<Score>, Stopped> {
        self.visit()?;
        let side = position.side_to_move();
        if let Some(outcome) = position.outcome() {
            return Ok(Some(self.evaluate.final_score(position, outcome)));
        }
        if let Some(outcome) = position.outcome_by_history(|| self.path.repeats::<P>(position.hash())) {
            return Ok(Some(outcome.score_for(side)));
        }
        let balance = self.balance(position);
        self.table_hits += u64::from(balance.is_some());
        if let Some(score) = balance.filter(|_| self.tables_hold(position)).and_then(Balance::result) {
            return Ok(Some(score));
        }
        let evaluation = || {
            let score = self.evaluate.evaluate(position);
            balance.map_or(score, |balance| balance.correct(score))
        };
        Ok((depth == 0).then(evaluation))
    }

    /// The tables' value of a position, if any.
    fn balance(&self, position: &P) -> Option<Balance> {
        self.tables.and_then(|(tables, _)| tables(position))
    }

    /// Whether the tables' values are exact in the current position.
    fn tables_hold(&self, position: &P) -> bool {
        let plies = self.path.len() - self.tables.map_or(0, |(_, root)| root);
        // Where nothing repeats, every move is irreversible.
        let reversible = position.outcome_by_repetition().map_or(0, |_| self.path.reversible() as usize);
        reversible <= plies
    }

    /// The value of an inner node for the side to move, within the tables' limits.
    fn held(&self, position: &P, score: Score) -> Score {
        let limits = self.balance(position).filter(|_| self.tables_hold(position));
        limits.map_or(score, |balance| balance.limit(score))
    }

    /// The same for the first player.
    fn held_for_first(&self, position: &P, score: Score) -> Score {
        for_mover(position, self.held(position, for_mover(position, score)))
    }

    fn visit(&mut self) -> Result<(), Stopped> {
        self.nodes += 1;
        let ply = self.path.len() - self.start;
        if (self.stop)(ply as u32) { Err(Stopped) } else { Ok(()) }
    }

    /// Plays `mv`, values the position after it, and takes the move back.
    fn child(
        &mut self,
        position: &P,
        mv: P::Move,
        value: impl FnOnce(&mut Self, &P) -> Result<Score, Stopped>,
    ) -> Result<Score, Stopped> {
        let next = position.after(mv);
        self.path.play(position, position.hash(), &next);
        self.follow.enter(mv, &next);
        let value = value(self, &next)?;
        self.follow.leave(value);
        self.path.undo();
        Ok(value)
    }
}

/// The root of a textbook algorithm, the course's `noeud_choisi`: the first of the moves of highest value.
pub(super) fn root<P, E, T>(
    task: &Task<P>,
    knowledge: Knowledge<'_, E, T>,
    depth: u32,
    moves: &[P::Move],
    meter: &mut Meter<'_, P::Move>,
) -> Iteration<P::Move>
where
    P: Position,
    E: Evaluate<P>,
    T: Probe<P>,
{
    let mut best: Option<Line<P::Move>> = None;
    let finished = root_moves(task, knowledge, depth, moves, meter, |line| {
        if best.as_ref().is_none_or(|best| line.score > best.score) {
            best = Some(line);
        }
        best.as_ref().map(|best| best.score)
    });
    Iteration { best, finished: finished.is_ok() }
}

/// The lines of an algorithm without cutoffs: one pass finds the values of all moves. If the pass is stopped, only its
/// best line is returned, as a lower bound.
pub(super) fn all_lines<P, E, T>(
    task: &Task<P>,
    knowledge: Knowledge<'_, E, T>,
    depth: u32,
    moves: &[P::Move],
    meter: &mut Meter<'_, P::Move>,
) -> Ranking<P::Move>
where
    P: Position,
    E: Evaluate<P>,
    T: Probe<P>,
{
    let mut lines = Vec::new();
    let finished = root_moves(task, knowledge, depth, moves, meter, |line| {
        lines.push(line);
        None
    });
    let finished = finished.is_ok();
    sort_few(&mut lines, |line: &Line<P::Move>| std::cmp::Reverse(line.score));
    lines.truncate(if finished { task.lines } else { 1 });
    Ranking { lines, bound: if finished { Bound::Exact } else { Bound::Lower }, finished }
}

/// Passes the line of each move to `found`, which returns alpha for the next move, if any.
fn root_moves<P, E, T>(
    task: &Task<P>,
    knowledge: Knowledge<'_, E, T>,
    depth: u32,
    moves: &[P::Move],
    meter: &mut Meter<'_, P::Move>,
    mut found: impl FnMut(Line<P::Move>) -> Option<Score>,
) -> Result<(), Stopped>
where
    P: Position,
    E: Evaluate<P>,
    T: Probe<P>,
{
    let root = &task.root;
    let tables = |position: &P| knowledge.balance(position);
    let mut path = Path::new(&task.history);
    let mut alpha = -Score::INFINITY;
    meter.count(0)?;
    for (place, &mv) in moves.iter().enumerate() {
        meter.report_current_move(mv, place + 1);
        let next = root.after(mv);
        path.play(root, root.hash(), &next);
        let mut stop = |ply: u32| meter.count(ply + 1).is_err();
        let mut book = Textbook::new(knowledge.evaluate, path.clone(), &mut stop);
        book.tables = Some((&tables, task.history.len()));
        let value = match task.algorithm {
            Algorithm::Minimax => book.minimax(&next, depth - 1).map(|value| for_mover(&next, value)),
            Algorithm::Negamax => book.negamax(&next, depth - 1),
            // The other two algorithms have their own root functions.
            Algorithm::NegaBeta | Algorithm::AlphaBeta | Algorithm::Mcts => {
                book.nega_beta(&next, depth - 1, -Score::INFINITY, -alpha.handed_down())
            }
        };
        let hits = book.table_hits;
        meter.count_table_hits(hits);
        let value = (-value?).backed_up();
        path.undo();
        alpha = found(Line { score: value, proven: false, pv: vec![mv] }).unwrap_or(alpha);
    }
    Ok(())
}

/// The legal moves, in the game's order.
fn moves<P: Position>(position: &P) -> Vec<P::Move> {
    let mut moves = Vec::new();
    position.generate(&mut moves);
    moves
}

/// Converts a score between the side to move's and the first player's point of view.
fn for_mover<P: Position>(position: &P, score: Score) -> Score {
    match position.side_to_move() {
        Side::First => score,
        Side::Second => -score,
    }
}
