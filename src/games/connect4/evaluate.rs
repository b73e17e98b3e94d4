//! Static evaluation of Connect Four: threats, by which side will get to play them. Layer 2.
//!
//! What the next two plies decide is exact. For the rest, a threat is a free cell that completes a line; near the end all other
//! columns are full, and the side to move must play below it (zugzwang). `griot-train` fits the weights to results of
//! self-play.

use std::any::Any;
use std::sync::{Arc, Mutex, PoisonError};

use super::Board;
use super::exact::Own;
use super::follow_up::{FollowUp, answering, beginning, from_lowest, lowest};
use super::lines::{begun_lines, open_lines};
use super::rules::{Position, safe};
use super::solver::{self, Solver};
use super::static_knowledge::{self, Horizon};
use super::weights::FITTED;
use crate::game::{self, DOMINATED, Position as _, Side, Solution, SolverMeans, StaticKnowledge};
use crate::score::{Bound, Score};

/// The number of features.
pub const FEATURES: usize = 9;
/// The numbers of stones that have weights of their own: none, a third and two thirds of the board, and all of it.
pub const PHASES: usize = 4;

/// The value of a win by following up (claimeven) beyond the search; all other estimates are smaller.
pub(super) const ZUGZWANG: i32 = 10_000;

/// The weights of the features in each phase.
pub type Weights = [[i32; FEATURES]; PHASES];

/// The weighted sum of [`features`], and certain results: see [`game::Evaluate::evaluate`].
///
/// A threat is a free cell that completes a line. A threat works if its owner gets to play it once all other columns
/// are full. It must lie on a row that suits its owner (the odd ranks for the first player, the even ones for the
/// second; reversed on boards with an odd number of rows and an even number of columns), and below it in its column
/// there may be no threat of the opponent and no other threat of its owner. The unit is about a hundredth of such a
/// threat; a won game is worth 300.
#[derive(Debug, Clone)]
pub struct Evaluate {
    weights: Weights,
    /// Created when a position is first solved.
    solver: Arc<Mutex<Option<Kept>>>,
    /// The book of the first plies, for the solver.
    book: Own,
}

/// A solver of the board last played on, and the bytes it was created for.
type Kept = (Box<dyn Any + Send>, usize);

impl Default for Evaluate {
    fn default() -> Evaluate {
        Evaluate::new(FITTED)
    }
}

impl Evaluate {
    /// An evaluation with other weights.
    #[must_use]
    pub fn new(weights: Weights) -> Evaluate {
        Evaluate { weights, solver: Arc::default(), book: Own::default() }
    }

    /// The same, with a switch for the book that its solver uses.
    pub(super) fn with_book(self, book: Own) -> Evaluate {
        Evaluate { book, ..self }
    }

    /// The weighted sum of these features.
    #[inline]
    fn sum<B: Board>(&self, position: &Position<B>, features: &[i32; FEATURES]) -> i32 {
        let (phase, beyond, cells) = place(position);
        let at = |phase: usize| -> i32 {
            features.iter().zip(&self.weights[phase]).map(|(feature, weight)| feature * weight).sum()
        };
        (at(phase) * (cells - beyond) + at((phase + 1).min(PHASES - 1)) * beyond) / cells
    }
}

/// The phase of a position, and how far it is to the next one: steps done and steps in all.
#[inline]
fn place<B: Board>(position: &Position<B>) -> (usize, i32, i32) {
    let cells = position.parameters().cells.count_ones();
    let steps = (cells - position.free().count_ones()) * (PHASES as u32 - 1);
    ((steps / cells) as usize, (steps % cells) as i32, cells as i32)
}

/// The phase of a position, and the share of the next phase in its weights, from 0 to 1.
#[must_use]
pub fn share<B: Board>(position: &Position<B>) -> (usize, f64) {
    let (phase, beyond, cells) = place(position);
    (phase, f64::from(beyond) / f64::from(cells))
}

/// The features, in the order of the weights, for the side to move minus the opponent: threats on rows that suit their
/// owner; having a threat that works, for the first player, and for the second while the first has none; threats on
/// other rows; lines without a stone of the opponent; those of them that two stones complete; threats that work; having
/// the move; being the first player.
#[must_use]
#[inline]
pub fn features<B: Board>(position: &Position<B>) -> [i32; FEATURES] {
    let side = position.side_to_move();
    let (mine, theirs) = (position.stones(side), position.stones(side.other()));
    let lines = [open_lines(position.parameters(), theirs), open_lines(position.parameters(), mine)];
    features_with(position, position.winning_cells(side), position.winning_cells(side.other()), lines)
}

/// [`features`], from the threats and open lines of both sides, the side to move first.
#[inline]
fn features_with<B: Board>(position: &Position<B>, threats: u64, opposing: u64, lines: [i32; 2]) -> [i32; FEATURES] {
    let parameters = position.parameters();
    let side = position.side_to_move();
    // Rank 1 does not matter: a cell there that completes a line is played or blocked at once.
    let suited = match side {
        Side::First => parameters.first_rows,
        Side::Second => !parameters.first_rows,
    };
    let count = |cells: u64| cells.count_ones() as i32;
    let working = count(lowest(parameters, threats & suited) & !from_lowest(parameters, opposing));
    let opposing_working = count(lowest(parameters, opposing & !suited) & !from_lowest(parameters, threats));
    let (sign, first, second) = match side {
        Side::First => (1, working, opposing_working),
        Side::Second => (-1, opposing_working, working),
    };
    let (mine, theirs) = (position.stones(side), position.stones(side.other()));
    [
        count(threats & suited) - count(opposing & !suited),
        sign * i32::from(first > 0),
        -sign * i32::from(second > 0 && first == 0),
        count(threats & !suited) - count(opposing & suited),
        lines[0] - lines[1],
        begun_lines(parameters, mine, theirs) - begun_lines(parameters, theirs, mine),
        working - opposing_working,
        1,
        sign,
    ]
}

impl<B: Board> game::Evaluate<Position<B>> for Evaluate {
    const CHANCES: Option<game::Chances> = Some(game::Chances { middle: 58.8, width: 67.0 });

    /// Exact for what two plies decide. A side that provably cannot win gets at most a draw.
    #[inline]
    fn evaluate(&self, position: &Position<B>) -> Score {
        let side = position.side_to_move();
        let (playable, threats) = (position.playable(), position.winning_cells(side));
        if threats & playable != 0 {
            return Score::win_in(1);
        }
        let opposing = position.winning_cells(side.other());
        if safe(playable, opposing) == 0 {
            // The opponent completes a line after every move.
            return Score::loss_in(2);
        }
        let parameters = position.parameters();
        let (mine, theirs) = (position.stones(side), position.stones(side.other()));
        // Lines that each side can still complete: those without a stone of the other side.
        let lines = [open_lines(parameters, theirs), open_lines(parameters, mine)];
        let (mut least, mut most) =
            (if lines[1] == 0 { 0 } else { 1 - ZUGZWANG }, if lines[0] == 0 { 0 } else { ZUGZWANG - 1 });
        match answering(parameters, theirs, mine, playable, opposing) {
            FollowUp::Wins(_) => return Score::units(-ZUGZWANG),
            FollowUp::Holds => most = 0,
            FollowUp::Open => {}
        }
        match beginning(parameters, mine, theirs, playable, threats) {
            FollowUp::Wins(_) => return Score::units(ZUGZWANG),
            FollowUp::Holds => least = 0,
            FollowUp::Open => {}
        }
        let features = features_with(position, threats, opposing, lines);
        Score::units(self.sum(position, &features).clamp(least, most))
    }

    /// Moves that complete a line, and moves that block a line of the opponent.
    #[inline]
    fn is_noisy(&self, position: &Position<B>, mv: u8) -> bool {
        let side = position.side_to_move();
        position.completes(side, mv) || position.completes(side.other(), mv)
    }
}

impl<B: Board> game::Expertise<Position<B>> for Evaluate {
    type State = ();

    /// Moves that leave more threats come first, and among equals those nearer to the middle; a threat above one of the
    /// opponent's does not count. Moves after which the opponent completes a line are left out if there are others.
    #[inline]
    fn score_moves(&self, position: &Position<B>, _state: &Self::State, _depth: u32, moves: &[u8], scores: &mut [i32]) {
        let opposing = position.winning_cells(position.side_to_move().other());
        let safe = safe(position.playable(), opposing);
        let of_use = !(from_lowest(position.parameters(), opposing) << 1);
        for (score, &mv) in scores.iter_mut().zip(moves) {
            let dominated = safe != 0 && safe >> mv & 1 == 0;
            *score = if dominated { DOMINATED } else { 1 + (position.threats_after(mv) & of_use).count_ones() as i32 };
        }
    }

    #[inline]
    fn static_knowledge(
        &self,
        position: &Position<B>,
        depth: u32,
        alpha: Score,
        beta: Score,
    ) -> Option<StaticKnowledge> {
        let horizon = Horizon { plies: depth.saturating_add(2), far_win: Score::units(ZUGZWANG) };
        static_knowledge::static_knowledge(position, horizon, alpha, beta)
    }

    #[inline]
    fn static_knowledge_by_material(
        &self,
        position: &Position<B>,
        depth: u32,
        alpha: Score,
        beta: Score,
    ) -> Option<StaticKnowledge> {
        static_knowledge::static_knowledge(position, Horizon { plies: depth, far_win: Score::DRAW }, alpha, beta)
    }
}

impl<B: Board> game::Solving<Position<B>> for Evaluate {
    const SOLVES: bool = true;

    /// The solver takes some twenty times as long as the search.
    const SOLVER_SHARE: u64 = 128;

    const SOLVER_THREADS: bool = true;

    /// Half a millisecond after 18 plies of the standard board.
    const SOLVED_FROM: u32 = 24;

    /// By [`Solver`], whose table is kept between searches.
    fn solve(&self, position: &Position<B>, means: SolverMeans<'_>, news: &mut dyn FnMut(Solution<u8>)) {
        let mut kept = self.solver.lock().unwrap_or_else(PoisonError::into_inner);
        let of_this = |(solver, bytes): &mut Kept| match solver.downcast_mut::<Solver<B>>() {
            Some(solver) if *bytes == means.bytes && *solver.board() == position.board() => {
                if means.fresh {
                    solver.clear();
                }
                true
            }
            _ => false,
        };
        if !kept.as_mut().is_some_and(of_this) {
            *kept = None;
            // If the board is too large or memory is short, the search goes on without the solver.
            let Ok(solver) = Solver::new(position.board(), means.bytes) else { return };
            *kept = Some((Box::new(solver), means.bytes));
        }
        let Some(solver) = kept.as_mut().and_then(|(solver, _)| solver.downcast_mut::<Solver<B>>()) else { return };
        solver.set_threads(means.threads);
        let told = |found: &solver::Solution| {
            let likely =
                || Some(Solution { score: Score::DRAW, proven: None, percent: 100, line: vec![found.likely?] });
            Solution::between(found.lower, found.upper, found.line.clone()).or_else(likely)
        };
        let solution = solver.solve_by(self.book.values(), position, means.stop, &mut |found| {
            if let Some(solution) = told(found).filter(|solution| solution.proven != Some(Bound::Exact)) {
                news(solution);
            }
        });
        if let Some(solution) = told(&solution) {
            news(solution);
        }
    }
}

impl<B: Board> game::Pruning<Position<B>> for Evaluate {}
impl<B: Board> game::Threats<Position<B>> for Evaluate {}

#[cfg(test)]
mod tests {
    use super::super::{Notation, Parameters, Standard, Style, parse_parameters};
    use super::*;
    use crate::game::{Evaluate as _, Notation as _, SplitMix64};

    fn value(text: &str) -> Score {
        let notation = Notation::new(Standard, Style::Coordinates);
        Evaluate::default().evaluate(&notation.parse_position(text).unwrap())
    }

    #[test]
    fn what_two_plies_decide_is_told_as_it_is() {
        assert_eq!(value("7/7/7/7/ooo4/xxx4 x"), Score::win_in(1));
        // Two ends of three in a row: only one of them can be blocked.
        assert_eq!(value("7/7/7/7/2oo3/1xxx3 o"), Score::loss_in(2));
        // One end is blocked, and whatever is played above it is not.
        assert!(!value("7/7/7/7/oo5/xxx4 o").is_decisive());
        let mut rng = SplitMix64::new(9);
        let (mut won, mut lost) = (0, 0);
        for _ in 0..300 {
            let mut position = Position::start(Standard);
            let mut moves = Vec::new();
            while position.outcome().is_none() {
                let replies = |position: &Position<Standard>| {
                    let mut moves = Vec::new();
                    position.generate(&mut moves);
                    moves.into_iter().map(|mv| position.after(mv)).collect::<Vec<_>>()
                };
                let wins = |position: &Position<Standard>| {
                    let side = position.side_to_move();
                    replies(position).iter().any(|next| next.outcome() == Some(game::Outcome::Win(side)))
                };
                let score = Evaluate::default().evaluate(&position);
                let loses = !wins(&position) && replies(&position).iter().all(&wins);
                assert_eq!(score == Score::win_in(1), wins(&position), "{position:?}");
                assert_eq!(score == Score::loss_in(2), loses, "{position:?}");
                won += u32::from(wins(&position));
                lost += u32::from(loses);
                moves.clear();
                position.generate(&mut moves);
                position.play(moves[rng.below(moves.len())]);
            }
        }
        assert!(won > 300 && lost > 100, "{won} {lost}");
    }

    #[test]
    fn open_lines_are_counted_cell_by_cell() {
        // 24 lines along rows, 21 along columns, 12 on each kind of diagonal.
        assert_eq!(open_lines(&Parameters::STANDARD, 0), 69);
        // A stone in the corner closes three of them, a stone in the middle of the bottom row seven.
        assert_eq!(open_lines(&Parameters::STANDARD, 1), 66);
        assert_eq!(open_lines(&Parameters::STANDARD, 1 << 21), 62);
    }

    #[test]
    fn a_threat_counts_by_the_row_it_is_on() {
        // x completes a line on d3, or on d2, and the column d is empty; o has nothing.
        let seen = |text: &str| {
            let seen = features(&Notation::new(Standard, Style::Coordinates).parse_position(text).unwrap());
            [seen[0], seen[1], seen[2], seen[3], seen[6], seen[7], seen[8]]
        };
        assert_eq!(seen("7/7/7/xxx4/xoo4/oxo4 o"), [-1, -1, 0, 0, -1, 1, -1]);
        assert_eq!(seen("7/7/7/7/xxx4/oxo2oo x"), [0, 0, 0, 1, 0, 1, 1]);
    }

    #[test]
    fn features_are_counted_line_by_line() {
        let mut rng = SplitMix64::new(12);
        let mut begun = 0;
        for name in ["connect4", "connect4:5,4,3", "connect4:8,7,5", "connect4:4,4,2", "connect4:9,3,1"] {
            let mut position = Position::start(parse_parameters(name).unwrap());
            while position.outcome().is_none() {
                let parameters = *position.parameters();
                let [cols, rows, k] = [parameters.cols(), parameters.rows(), parameters.k()].map(i32::from);
                let side = position.side_to_move();
                // The open lines of each side, and those of them that two stones complete.
                let mut counts = [[0; 2]; 2];
                for (col, row) in (0..cols).flat_map(|col| (0..rows).map(move |row| (col, row))) {
                    for (dc, dr) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                        let cells: Vec<_> = (0..k).map(|i| (col + i * dc, row + i * dr)).collect();
                        // A line of one cell has no direction: each direction counts it.
                        let inside = |&(col, row): &(i32, i32)| (0..cols).contains(&col) && (0..rows).contains(&row);
                        let fits = (dc == 0 || k <= cols) && (dr == 0 || k <= rows);
                        if !fits || !cells.iter().all(inside) {
                            continue;
                        }
                        let stones = cells.iter().map(|&(col, row)| position.stone(col as u8, row as u8));
                        let stones: Vec<_> = stones.collect();
                        for (owner, counts) in [side, side.other()].into_iter().zip(&mut counts) {
                            if stones.iter().all(|&stone| stone != Some(owner.other())) {
                                counts[0] += 1;
                                counts[1] += i32::from(stones.iter().filter(|stone| stone.is_none()).count() == 2);
                            }
                        }
                    }
                }
                let seen = features(&position);
                assert_eq!(seen[4], counts[0][0] - counts[1][0], "{position:?}");
                assert_eq!(seen[5], counts[0][1] - counts[1][1], "{position:?}");
                begun += seen[5].abs();
                let mut moves = Vec::new();
                position.generate(&mut moves);
                position.play(moves[rng.below(moves.len())]);
            }
        }
        assert!(begun > 20, "{begun}");
    }

    #[test]
    fn weights_run_straight_from_phase_to_phase() {
        let mut weights = [[0; FEATURES]; PHASES];
        (weights[1][7], weights[2][7]) = (140, 280);
        let evaluate = Evaluate::new(weights);
        let notation = Notation::new(Standard, Style::Coordinates);
        for (text, phase, value) in [
            ("7/7/7/7/7/7 x", 0, 0),
            ("7/7/7/7/7/xoxo1xo x", 0, 60),
            ("7/7/7/7/oxoxoxo/xoxoxox x", 1, 140),
            ("7/7/7/2x4/oxoxoxo/xoxoxox o", 1, 150),
        ] {
            let position = notation.parse_position(text).unwrap();
            assert_eq!(share(&position).0, phase, "{text}");
            assert_eq!(evaluate.sum(&position, &features(&position)), value, "{text}");
        }
    }

    #[test]
    fn a_mirror_does_not_change_the_value() {
        for (text, mirrored) in [
            ("7/7/7/7/3o3/xx1oo1x x", "7/7/7/7/3o3/x1oo1xx x"),
            ("7/7/3x3/3o3/2xo3/1oxx3 o", "7/7/3x3/3o3/3ox2/3xxo1 o"),
        ] {
            assert_eq!(value(text), value(mirrored));
        }
    }
}
