//! Static evaluation of Othello: patterns by the stage of the game, and exact values of the last cells. Layer 2.
//!
//! Unit: a hundredth of a disc of the final balance, for the side to move. The pattern indices are updated along the line
//! ([`Runs`]), so a node costs what its move turned.

use std::sync::{Arc, Mutex, PoisonError};

use super::patterns::{DISC, Patterns, Runs};
use super::rules::{PASS, Position};
use super::solver::{self, SHALLOW, Solver};
use crate::game::{self, Objective, Position as _, Solution, SolverMeans, StaticKnowledge};
use crate::score::{Bound, Meaning, Score};

/// From this depth on, and with more empty cells than this, moves are ordered by the static evaluation of the resulting
/// positions.
const VALUED: u32 = 4;
const VALUED_ABOVE: u32 = 12;

/// The ordering score of a move to a position of value 0; every move scores above 0.
const SCORE_OF_DRAW: i32 = 1 + 64 * DISC;

/// Otherwise, from this depth on and with at most this many empty cells, moves are ordered by the number of replies.
const COUNTED: u32 = 3;
const ENDING: u32 = 22;

/// See [`Pruning::futility_margin`](crate::game::Pruning::futility_margin) and
/// [`Pruning::razoring_margin`](crate::game::Pruning::razoring_margin).
const MARGIN: i32 = 130;

/// The ordering scores of one reply fewer, of a corner, and of a quadrant with an odd number of empty cells.
const REPLY: i32 = 4;
const CORNER_FIRST: i32 = 12;
const ODD_FIRST: i32 = 3;

/// Positions with at most this many empty cells are solved by the evaluation.
const KNOWN: u32 = 4;

/// The hundredths of a disc in a disc.
const UNITS: i32 = 100;

/// The evaluation by patterns, in hundredths of a disc of the final balance.
///
/// [`game::Evaluate::material`] is the disc balance, which during a game says little about the final one.
#[derive(Debug, Clone, Default)]
pub struct Evaluate {
    /// `None` stands for the weights that come with the crate.
    patterns: Option<Arc<Patterns>>,
    /// Created when an ending is first solved.
    solver: Arc<Mutex<Option<Kept>>>,
}

/// A solver, and the bytes and threads it was created for.
type Kept = (Solver<'static>, [usize; 2]);

impl Evaluate {
    /// An evaluation with other weights.
    #[must_use]
    pub fn new(patterns: Patterns) -> Evaluate {
        Evaluate { patterns: Some(Arc::new(patterns)), ..Evaluate::default() }
    }

    #[inline]
    fn patterns(&self) -> &Patterns {
        match &self.patterns {
            Some(patterns) => patterns,
            None => Patterns::fitted(),
        }
    }

    /// The value of a position by the patterns, in parts of a disc ([`DISC`]).
    #[inline]
    fn value(&self, position: &Position, runs: &Runs) -> i32 {
        self.patterns().value(runs, position.moves(), position.moves_of_opponent(), position.empty().count_ones())
    }
}

/// Whether a search of `depth` plies orders moves by the static evaluation of the resulting positions.
#[inline]
fn orders_by_value(position: &Position, depth: u32) -> bool {
    depth >= VALUED && position.empty().count_ones() > VALUED_ABOVE
}

/// The discs of the side to move, and those of its opponent.
#[inline]
fn discs(position: &Position) -> (u64, u64) {
    let side = position.side_to_move();
    (position.discs(side), position.discs(side.other()))
}

/// The final balance of a position with few empty cells, in units: exact inside the window, a bound outside.
fn ending(position: &Position, alpha: i32, beta: i32) -> i32 {
    let (own, opponent) = discs(position);
    UNITS * solver::between(own, opponent, alpha, beta)
}

/// The value that plain minimax finds with so few empty cells that it reaches the end, or positions with `known` empty
/// cells that the evaluation solves.
fn of_ending(position: &Position, depth: u32, known: u32, alpha: Score, beta: Score) -> Option<StaticKnowledge> {
    let empty = position.empty().count_ones();
    // Every second ply may be a pass.
    if empty > SHALLOW || 2 * empty.saturating_sub(known) > depth {
        return None;
    }
    // In whole discs: a value is at or below alpha exactly if it is so rounded down; beta is analogous.
    let discs = |score: Score, round: fn(i32) -> i32| match score.meaning() {
        Meaning::Units(units) => round(units).clamp(-65, 65),
        _ => {
            if score > Score::DRAW {
                65
            } else {
                -65
            }
        }
    };
    let low = discs(alpha, |units| units.div_euclid(UNITS)).min(64);
    let high = discs(beta, |units| -(-units).div_euclid(UNITS)).max(low + 1);
    let value = ending(position, low, high);
    let bound = match value / UNITS {
        value if value >= high => Bound::Lower,
        value if value <= low => Bound::Upper,
        _ => Bound::Exact,
    };
    Some(StaticKnowledge { score: Score::units(value), bound, proven: true })
}

/// The result of the solver as a [`Solution`]; `None` while it has no move.
fn told(found: &solver::Solution) -> Option<Solution<u8>> {
    let (score, proven, percent) = match (found.exact(), found.likely) {
        (Some(score), _) => (score, Some(Bound::Exact), 100),
        // A bound that excludes the likely value is more useful than that value.
        (None, Some(likely)) if (found.lower..=found.upper).contains(&likely.score) => {
            (likely.score, None, likely.percent)
        }
        (None, _) if found.lower > -64 => (found.lower, Some(Bound::Lower), 100),
        (None, _) if found.upper < 64 => (found.upper, Some(Bound::Upper), 100),
        _ => return None,
    };
    let line = found.line.clone();
    (!line.is_empty()).then(|| Solution { score: Score::units(UNITS * score), proven, percent, line })
}

impl game::Evaluate<Position> for Evaluate {
    const CHANCES: Option<game::Chances> = Some(game::Chances { middle: 117.6, width: 733.6 });

    const OBJECTIVE: Objective = Objective::Margin;

    fn evaluate(&self, position: &Position) -> Score {
        self.evaluate_with(position, &game::Expertise::state(self, position))
    }

    #[inline]
    fn evaluate_with(&self, position: &Position, runs: &Runs) -> Score {
        let empty = position.empty().count_ones();
        let units = if empty <= KNOWN { ending(position, -65, 65) } else { self.value(position, runs) * UNITS / DISC };
        Score::units(units)
    }

    fn with_weights(&self, file: &[u8]) -> Result<Evaluate, String> {
        Patterns::read(file).map(Evaluate::new)
    }

    /// Moves into a corner.
    fn is_noisy(&self, _position: &Position, mv: u8) -> bool {
        matches!(mv, 0 | 7 | 56 | 63)
    }

    fn material(&self, position: &Position) -> i32 {
        UNITS * position.balance()
    }
}

impl game::Expertise<Position> for Evaluate {
    type State = Runs;

    fn state(&self, position: &Position) -> Runs {
        let (own, opponent) = discs(position);
        Runs::new(own, opponent)
    }

    #[inline]
    fn next_state(&self, runs: &Runs, position: &Position, mv: u8, next: &Position) -> Runs {
        if mv == PASS {
            return runs.after(0, 0);
        }
        let side = position.side_to_move();
        let placed = 1 << mv;
        runs.after(placed, (next.discs(side) ^ position.discs(side)) & !placed)
    }

    /// By the value of the resulting positions, far enough from the leaves and from the end of the game. Chosen by
    /// matches.
    #[inline]
    fn score_moves(&self, position: &Position, runs: &Runs, depth: u32, moves: &[u8], scores: &mut [i32]) {
        if !orders_by_value(position, depth) {
            return self.score_moves_by_material(position, depth, moves, scores);
        }
        for (score, &mv) in scores.iter_mut().zip(moves) {
            let next = position.after(mv);
            let runs = self.next_state(runs, position, mv, &next);
            *score = SCORE_OF_DRAW - self.value(&next, &runs);
        }
    }

    /// Near the end, moves that leave the fewest replies first, and among equals moves into a quadrant with an odd
    /// number of empty cells. Earlier, and in trees so small that counting costs more than it saves, noisy moves first.
    #[inline]
    fn score_moves_by_material(&self, position: &Position, depth: u32, moves: &[u8], scores: &mut [i32]) {
        let counted = depth >= COUNTED && position.empty().count_ones() <= ENDING;
        let odd = if counted { position.odd_quadrants() } else { 0 };
        for (score, &mv) in scores.iter_mut().zip(moves) {
            *score = if counted {
                // The pass is the only move, and is no cell of the board.
                let is_odd = i32::from(odd.checked_shr(mv.into()).is_some_and(|odd| odd & 1 != 0));
                let is_noisy = i32::from(game::Evaluate::is_noisy(self, position, mv));
                1 + CORNER_FIRST * is_noisy + ODD_FIRST * is_odd + REPLY * (64 - position.replies_after(mv) as i32)
            } else {
                game::Evaluate::is_noisy(self, position, mv).into()
            };
        }
    }

    /// Endings are solved exactly.
    #[inline]
    fn static_knowledge(&self, position: &Position, depth: u32, alpha: Score, beta: Score) -> Option<StaticKnowledge> {
        of_ending(position, depth, KNOWN, alpha, beta)
    }

    #[inline]
    fn static_knowledge_by_material(
        &self,
        position: &Position,
        depth: u32,
        alpha: Score,
        beta: Score,
    ) -> Option<StaticKnowledge> {
        of_ending(position, depth, 0, alpha, beta)
    }
}

impl game::Pruning<Position> for Evaluate {
    fn expected(&self, position: &Position, depth: u32, score: i32) -> Option<Score> {
        orders_by_value(position, depth).then(|| Score::units((score - SCORE_OF_DRAW) * UNITS / DISC))
    }

    /// Chosen by matches.
    fn futility_margin(&self) -> Option<i32> {
        Some(MARGIN)
    }

    /// Chosen by matches.
    fn razoring_margin(&self) -> Option<i32> {
        Some(MARGIN)
    }

    /// As measured by searches of 5 to 12 plies (docs/experiments/othello.md).
    fn deviation(&self, position: &Position) -> Option<i32> {
        match position.empty().count_ones() {
            ..20 => None,
            20..28 => Some(320),
            28..36 => Some(260),
            36..44 => Some(235),
            44.. => Some(170),
        }
    }
}

impl game::Solving<Position> for Evaluate {
    const SOLVES: bool = true;

    /// From 18 empty cells on.
    const SOLVED_FROM: u32 = 22;

    const SOLVER_THREADS: bool = true;

    /// Means over 40 positions from games: 15 thousand with 12 empty cells, 202 thousand with 16, 4.5 million with 20;
    /// over four positions, 40 million with 24.
    fn solver_cost(&self, position: &Position) -> u64 {
        (3e6 * 1.9_f64.powi(position.empty().count_ones() as i32 - 20)) as u64
    }

    /// By [`Solver`], whose table is kept between searches.
    fn solve(&self, position: &Position, means: SolverMeans<'_>, news: &mut dyn FnMut(Solution<u8>)) {
        let size = [means.bytes, means.threads];
        let mut kept = self.solver.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.as_ref().is_none_or(|(_, other)| *other != size) {
            *kept = None;
            // If memory is short, the search goes on without the solver.
            let Ok(solver) = Solver::new(means.bytes, means.threads) else { return };
            *kept = Some((solver, size));
        } else if let Some((solver, _)) = kept.as_mut().filter(|_| means.fresh) {
            solver.clear();
        }
        let Some((solver, _)) = kept.as_mut() else { return };
        let (own, opponent) = discs(position);
        let solution = solver.solve(&solver::Task::new(own, opponent), means.stop, &mut |found| {
            if let Some(solution) = found.exact().is_none().then(|| told(found)).flatten() {
                news(solution);
            }
        });
        if let Some(solution) = solution.exact().and_then(|_| told(&solution)) {
            news(solution);
        }
    }
}

impl game::Threats<Position> for Evaluate {}

#[cfg(test)]
mod tests {
    use super::super::Notation;
    use super::super::rules::random_positions;
    use super::*;
    use crate::game::{Evaluate as _, Expertise as _, Notation as _, Pruning as _, Side, Solving as _};

    fn read(text: &str) -> Position {
        Notation.parse_position(text).unwrap()
    }

    #[test]
    fn the_solver_takes_about_as_long_as_is_said() {
        let (evaluate, mut solver) = (Evaluate::default(), Solver::new(1 << 20, 1).unwrap());
        let (mut said, mut took) = ([0.0; 2], [0.0; 2]);
        random_positions(12, |position| {
            let Some(at) = [12, 16].iter().position(|&empty| empty == position.empty().count_ones()) else { return };
            let (own, opponent) = discs(position);
            solver.clear();
            let solution = solver.solve(&solver::Task::new(own, opponent), &|_| false, &mut |_| {});
            said[at] += evaluate.solver_cost(position) as f64;
            took[at] += solution.nodes as f64;
        });
        // Random positions take longer than those from games.
        for ratio in [0, 1].map(|at| took[at] / said[at]) {
            assert!((0.5..6.0).contains(&ratio), "{ratio}");
        }
    }

    #[test]
    fn the_eight_ways_to_look_at_a_board_have_one_value() {
        let evaluate = Evaluate::default();
        random_positions(10, |position| {
            let side = position.side_to_move();
            let value = evaluate.evaluate(position);
            let flip = |cells: u64| cells.swap_bytes();
            let turn = |cells: u64| {
                (0..64).filter(|at| cells >> at & 1 != 0).fold(0, |turned, at| turned | 1_u64 << (at % 8 * 8 + at / 8))
            };
            let discs = [Side::First, Side::Second].map(|side| position.discs(side));
            for seen in [discs.map(flip), discs.map(turn), discs.map(|cells| flip(turn(cells)))] {
                assert_eq!(evaluate.evaluate(&Position::new(seen, side)), value);
            }
        });
    }

    #[test]
    fn moves_that_leave_few_replies_come_first_towards_the_end() {
        let evaluate = Evaluate::default();
        let (mut counted, mut noisy) = (0, 0);
        random_positions(20, |position| {
            let mut moves = Vec::new();
            position.generate(&mut moves);
            for depth in [1, COUNTED] {
                let mut scores = vec![0; moves.len()];
                evaluate.score_moves(position, &evaluate.state(position), depth, &moves, &mut scores);
                let late = position.empty().count_ones() <= ENDING && depth >= COUNTED;
                for (&mv, &score) in moves.iter().zip(&scores) {
                    let corner = [0, 7, 56, 63].contains(&mv);
                    let mut replies = Vec::new();
                    position.after(mv).generate(&mut replies);
                    let replies = replies.iter().filter(|&&reply| reply != super::super::PASS).count() as i32;
                    // Cells of the same quadrant, counted one by one.
                    let quadrant = |at: u8| (at % 8 / 4, at / 32);
                    let beside = (0..64).filter(|&at| position.empty() >> at & 1 != 0 && quadrant(at) == quadrant(mv));
                    let odd = mv != super::super::PASS && beside.count() % 2 == 1;
                    if late {
                        let expected = 4 * (64 - replies) + 12 * i32::from(corner) + 3 * i32::from(odd) + 1;
                        assert_eq!(score, expected, "{position:?} {mv}");
                        counted += 1;
                    } else {
                        assert_eq!(score, i32::from(corner), "{position:?} {mv}");
                        noisy += score;
                    }
                }
            }
        });
        assert!(counted > 500 && noisy > 50, "{counted} {noisy}");
    }

    #[test]
    fn moves_that_lead_to_more_come_first_far_from_the_leaves() {
        let evaluate = Evaluate::default();
        let mut compared = 0;
        random_positions(20, |position| {
            let mut moves = Vec::new();
            position.generate(&mut moves);
            let mut scores = vec![0; moves.len()];
            evaluate.score_moves(position, &evaluate.state(position), VALUED, &moves, &mut scores);
            let mut by_material = scores.clone();
            evaluate.score_moves_by_material(position, VALUED, &moves, &mut by_material);
            if position.empty().count_ones() <= VALUED_ABOVE {
                assert!(scores.iter().all(|&score| evaluate.expected(position, VALUED, score).is_none()));
                return assert_eq!(scores, by_material);
            }
            for (&score, &mv) in scores.iter().zip(&moves) {
                assert!(score > 0);
                let expected = -evaluate.evaluate(&position.after(mv));
                assert_eq!(evaluate.expected(position, VALUED, score), Some(expected), "{position:?} {mv}");
                assert_eq!(evaluate.expected(position, VALUED - 1, score), None);
            }
            for (a, b) in (0..moves.len()).flat_map(|a| (0..a).map(move |b| (a, b))) {
                let [of_a, of_b] = [a, b].map(|at| -evaluate.evaluate(&position.after(moves[at])));
                if of_a != of_b {
                    assert_eq!(scores[a] > scores[b], of_a > of_b, "{position:?} {} {}", moves[a], moves[b]);
                    compared += 1;
                }
            }
        });
        assert!(compared > 500, "{compared}");
    }

    #[test]
    fn the_material_is_the_balance_of_discs() {
        let evaluate = Evaluate::default();
        assert_eq!(evaluate.material(&read("8/8/3x4/3xx3/3xo3/8/8/8 o")), -300);
        // A finished game: the winner gets the empty cells.
        assert_eq!(evaluate.material(&read("8/8/8/3xx3/3xx3/8/8/8 x")), 6400);
        assert_eq!(game::Evaluate::<Position>::centi_units(&evaluate, 250), 250);
    }
}
