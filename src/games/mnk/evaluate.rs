//! Static evaluation of m,n,k games: how far each side has come in the lines still open to it.
//!
//! Layer 2. Unit: one open window with one stone in it. Score of the side to move; never a decided one.
//!
//! A window is k cells in a row; it is open to a side while the other has no stone there. With n stones it counts 4^(n-1), up
//! to [`MAX_WEIGHT`]. All windows of a direction are processed at once, the one that begins at bit b in bit b:
//!
//! ```text
//!   stones of cell 0, 1, .. k-1 of every window = stones, stones >> step, .. stones >> (k-1)·step
//!   sum of the k bits of each window, bit-sliced:  planes[0] = ones, planes[1] = twos, planes[2] = fours, ...
//!   windows with n stones = AND of planes[i] or !planes[i], by bit i of n
//! ```

use std::sync::{Arc, Mutex, PoisonError};

use super::bits::Bits;
use super::candidates::{candidates, is_forced, threat_result};
use super::forcing::Forcing;
use super::network::{Network, State, fitted};
use super::rules::board;
use super::shapes::{Shapes, Tables, Threat};
use super::solver::{self, Solver};
use super::threats::{COMPLETE, Threats, potential, threats};
use super::threes::Pursuit;
use super::{MAX_SIDE, Parameters, Position};
use crate::game::{self, Candidates, DOMINATED, Position as _, Side, Solution, SolverMeans, StaticKnowledge};
use crate::score::{Bound, Score};

/// The largest weight of a window.
const MAX_WEIGHT: i32 = 4096;

/// How much more a ply can change the worth of the cells than the search assumes.
const FUTILITY_MARGIN: i32 = 60;

/// With this few empty cells a search reaches the end as fast as a solver.
const SEEN_AT_ONCE: u32 = 16;

/// The value of having the move.
const TEMPO: i32 = 5;

/// Open lines, weighted by the stones in them; where the board is large, a network that sees what a stone would make on each
/// cell.
///
/// The unit is one open window with one stone in it, and `cp` shows units; n stones count 4^(n-1), at most 4096. When
/// overlines do not win, a window next to a further stone of the same side counts nothing, because filling it would
/// make an overline. The side to move gets 5 units. The network's unit is such that some 70 more multiply the
/// odds of winning by e.
#[derive(Debug, Clone)]
pub struct Evaluate<const W: usize> {
    parameters: Parameters,
    /// The network, where shapes are used.
    network: Arc<Network>,
    /// The first cells of the windows of each direction, in the order of `Parameters::steps`.
    windows: [Bits<W>; 4],
    /// The value of a window by its number of stones.
    weights: [i32; MAX_SIDE as usize],
    /// The solver, once it was used: its table is kept between searches.
    solver: Arc<Mutex<Option<Solver>>>,
}

impl<const W: usize> Evaluate<W> {
    /// The evaluation for one game.
    ///
    /// # Panics
    /// When the board does not fit ([`Parameters::fits`]).
    #[must_use]
    pub fn new(parameters: Parameters) -> Evaluate<W> {
        assert!(parameters.fits::<W>(), "{parameters} needs more than {W} words");
        if W > 1 {
            // Building the tables takes ten milliseconds: do it here, so that no search, or `stop` of one, waits for
            // it.
            let _ = Tables::of(parameters);
        }
        let cells = board::<W>(parameters);
        let windows = parameters.steps().map(|step| {
            let (mut windows, mut ahead) = (cells, cells);
            for _ in 1..parameters.k {
                ahead = ahead.down(step);
                windows = windows & ahead;
            }
            windows
        });
        let mut weights = [0; MAX_SIDE as usize];
        let mut weight = 1;
        for entry in &mut weights[1..] {
            *entry = weight;
            weight = (4 * weight).min(MAX_WEIGHT);
        }
        Evaluate { parameters, network: fitted(), windows, weights, solver: Arc::default() }
    }

    /// The inputs of the network that are active in a position, for the side to move and for the opponent. `None` if the
    /// position needs no evaluation, because a line or a double threat can be made, and where shapes are not used.
    #[must_use]
    pub fn inputs(&self, position: &Position<W>) -> Option<[Vec<usize>; 2]> {
        let shapes = game::Expertise::state(self, position)?.shapes;
        let side = position.side_to_move();
        let must_stop = !shapes.threats(side.other(), Threat::Five).is_empty();
        let is_quiet = !must_stop && threat_result(&shapes, position, 0, true).is_none();
        is_quiet.then(|| [side, side.other()].map(|side| shapes.inputs(side, position.empty)))
    }

    /// The tables of shapes, on boards too large for a search to reach the end.
    fn tables(&self) -> Option<&'static Tables> {
        if W > 1 { Tables::of(self.parameters) } else { None }
    }

    /// The value by the network, for the side to move.
    fn by_network(&self, position: &Position<W>, state: &State<W>) -> Score {
        Score::units(state.value(&self.network, position.side_to_move()))
    }

    /// The open lines, for the side to move.
    fn by_windows(&self, position: &Position<W>) -> Score {
        let side = position.side_to_move();
        let (mine, theirs) = (position.stones[side.index()], position.stones[side.other().index()]);
        let balance = match self.parameters.k {
            0..4 => self.balance::<2>(mine, theirs),
            4..8 => self.balance::<3>(mine, theirs),
            8..16 => self.balance::<4>(mine, theirs),
            16.. => self.balance::<5>(mine, theirs),
        };
        Score::units(balance + TEMPO)
    }

    /// Whether the threats of the game are searched separately.
    fn has_threats(&self) -> bool {
        W > 1 && self.parameters.k >= 4
    }

    /// The threats of the side to move and of the opponent.
    #[inline]
    fn threats(&self, position: &Position<W>) -> (Threats<W>, Threats<W>) {
        let of = |side: Side| threats(position.stones[side.index()], position.empty, self.parameters.of(side));
        let side = position.side_to_move();
        (of(side), of(side.other()))
    }

    /// Open windows of the side to move minus those of the opponent; counts of stones have `PLANES` binary digits.
    fn balance<const PLANES: usize>(&self, mine: Bits<W>, theirs: Bits<W>) -> i32 {
        let Parameters { k, exact, .. } = self.parameters;
        let mut balance = 0;
        for (step, windows) in self.parameters.steps().into_iter().zip(self.windows) {
            let (mut my_cell, mut their_cell) = (mine, theirs);
            let (mut mine_in, mut theirs_in) = (Bits::EMPTY, Bits::EMPTY);
            let mut planes = [Bits::EMPTY; PLANES];
            for _ in 0..k {
                mine_in = mine_in | my_cell;
                theirs_in = theirs_in | their_cell;
                // Windows with stones of both sides do not count, so one sum serves both.
                let mut carry = my_cell | their_cell;
                for plane in &mut planes {
                    (*plane, carry) = (*plane ^ carry, *plane & carry);
                }
                (my_cell, their_cell) = (my_cell.down(step), their_cell.down(step));
            }
            let mut my_open = windows & mine_in & !theirs_in;
            let mut their_open = windows & theirs_in & !mine_in;
            if exact {
                my_open = my_open & !my_cell & !mine.up(step);
                their_open = their_open & !their_cell & !theirs.up(step);
            }
            for n in 1..k {
                let with_n = planes
                    .iter()
                    .enumerate()
                    .fold(my_open | their_open, |all, (i, &plane)| all & if n >> i & 1 != 0 { plane } else { !plane });
                let count = (with_n & my_open).count() as i32 - (with_n & their_open).count() as i32;
                balance += self.weights[usize::from(n)] * count;
            }
        }
        balance
    }
}

impl<const W: usize> game::Evaluate<Position<W>> for Evaluate<W> {
    const CHANCES: Option<game::Chances> = Some(game::Chances { middle: 38.6, width: 59.5 });

    fn evaluate(&self, position: &Position<W>) -> Score {
        self.evaluate_with(position, &game::Expertise::state(self, position))
    }

    fn evaluate_with(&self, position: &Position<W>, state: &Self::State) -> Score {
        match state {
            Some(state) => self.by_network(position, state),
            None => self.by_windows(position),
        }
    }

    fn with_weights(&self, file: &[u8]) -> Result<Self, String> {
        if self.tables().is_none() {
            return Err("this board is evaluated by its open lines, without a network".into());
        }
        Ok(Evaluate { network: Arc::new(Network::read(file)?), ..self.clone() })
    }

    /// Moves that complete a line, and moves that block a line of the opponent.
    fn is_noisy(&self, position: &Position<W>, mv: u16) -> bool {
        let side = position.side_to_move();
        position.completes(side, mv) || position.completes(side.other(), mv)
    }
}

impl<const W: usize> game::Expertise<Position<W>> for Evaluate<W> {
    /// The shapes, on boards too large for a search to reach the end.
    type State = Option<Box<State<W>>>;

    const STATES_ON_HEAP: bool = true;

    fn state(&self, position: &Position<W>) -> Self::State {
        self.tables().map(|tables| {
            let shapes = Shapes::new(tables, self.parameters, position.stones);
            Box::new(State::new(&self.network, shapes, position.empty))
        })
    }

    fn next_state(&self, state: &Self::State, position: &Position<W>, mv: u16, next: &Position<W>) -> Self::State {
        self.next_state_in(None, state, position, mv, next)
    }

    fn next_state_in(
        &self,
        mut spare: Self::State,
        state: &Self::State,
        position: &Position<W>,
        mv: u16,
        _next: &Position<W>,
    ) -> Self::State {
        spare.clone_from(state);
        if let Some(state) = &mut spare {
            state.place(&self.network, mv.into(), position.side_to_move());
        }
        spare
    }

    /// Immediate ends of the game first, then the one cell that must be taken, then threats.
    fn score_moves(&self, position: &Position<W>, _state: &Self::State, depth: u32, moves: &[u16], scores: &mut [i32]) {
        let (mine, theirs) = self.threats(position);
        let must = depth >= 2 && mine.wins.is_empty() && theirs.wins.count() == 1;
        // In renju the cell that must be taken may be forbidden.
        let must = must && (!self.parameters.renju || moves.iter().any(|&mv| theirs.wins.has(mv.into())));
        for (score, &mv) in scores.iter_mut().zip(moves) {
            let has = |cells: &Bits<W>| i32::from(cells.has(mv.into()));
            let forced = has(&theirs.wins);
            *score = if must && forced == 0 {
                DOMINATED
            } else {
                64 * has(&mine.wins)
                    + 32 * forced
                    + 4 * has(&mine.doubles)
                    + 2 * has(&theirs.doubles)
                    + has(&mine.makes)
            };
        }
    }

    fn static_knowledge(
        &self,
        position: &Position<W>,
        depth: u32,
        _alpha: Score,
        _beta: Score,
    ) -> Option<StaticKnowledge> {
        let (mine, theirs) = self.threats(position);
        near_end(&mine, &theirs, depth)
    }

    /// Without an end of the game within `depth` plies the value is 0.
    fn static_knowledge_by_material(
        &self,
        position: &Position<W>,
        depth: u32,
        alpha: Score,
        beta: Score,
    ) -> Option<StaticKnowledge> {
        let (mine, theirs) = self.threats(position);
        if let Some(end) = near_end(&mine, &theirs, depth) {
            return Some(end);
        }
        if self.parameters.renju {
            // A cell that must be taken but is forbidden ends the game sooner than these counts show.
            return None;
        }
        let nothing = |bound, proven| Some(StaticKnowledge { score: Score::DRAW, bound, proven });
        let left = position.empty.count();
        // From here on a win takes two threats at once: by the side to move for a third ply, by the opponent for a
        // fourth.
        let must = theirs.wins;
        let can_fork = if must.is_empty() { mine.doubles } else { mine.doubles & must };
        let quiet = match depth {
            ..=2 => true,
            3 => can_fork.is_empty(),
            4 => can_fork.is_empty() && must.is_empty() && theirs.doubles.is_empty(),
            _ => false,
        };
        if quiet {
            return nothing(Bound::Exact, left <= depth);
        }
        // A side that makes no line does not win.
        let side = position.side_to_move();
        let potential =
            |side: Side, more| potential(position.stones[side.index()], position.empty, more, self.parameters);
        let harmless = || potential(side.other(), left / 2) < COMPLETE;
        if alpha < Score::DRAW || potential(side, left.div_ceil(2)) >= COMPLETE / 2 {
            return if beta <= Score::DRAW && harmless() { nothing(Bound::Lower, true) } else { None };
        }
        nothing(if harmless() { Bound::Exact } else { Bound::Upper }, true)
    }
}

impl<const W: usize> game::Pruning<Position<W>> for Evaluate<W> {
    const PRUNES_MOVES: bool = W > 1;

    fn futility_margin(&self) -> Option<i32> {
        self.tables().map(|_| FUTILITY_MARGIN)
    }
}

impl<const W: usize> game::Threats<Position<W>> for Evaluate<W> {
    const CHOOSES: bool = W > 1;

    // Where every node foresees wins by fours, and threes are searched twice as deep as other moves, proofs find little
    // more.
    const PROOF_SHARE: u64 = if W > 1 { 16 } else { 2 };

    const PROOF_LEAST: u64 = if W > 1 { 300 } else { 4_000 };

    fn threat_result(
        &self,
        position: &Position<W>,
        state: &Self::State,
        depth: u32,
        is_new: bool,
    ) -> Option<StaticKnowledge> {
        state.as_deref().and_then(|state| threat_result(&state.shapes, position, depth, is_new))
    }

    fn is_forced(&self, position: &Position<W>, state: &Self::State) -> bool {
        state.as_deref().is_some_and(|state| is_forced(&state.shapes, position))
    }

    fn candidates(
        &self,
        position: &Position<W>,
        state: &Self::State,
        depth: u32,
        moves: &mut Vec<u16>,
        scores: &mut Vec<i32>,
    ) -> Candidates {
        match state.as_deref() {
            Some(State { shapes, .. }) => candidates(shapes, position, depth, moves, scores),
            None => Candidates::All,
        }
    }

    /// By fours and threes, on boards too large for a search to reach the end.
    fn winning_line(&self, position: &Position<W>, step: &mut dyn FnMut() -> bool) -> Vec<u16> {
        if let Some(State { shapes, .. }) = game::Expertise::state(self, position).as_deref() {
            return Pursuit::new(step).winning_line(position, shapes);
        }
        if self.has_threats() { Forcing::new(step).winning_line(position) } else { Vec::new() }
    }

    /// Moves that do not stop the opponent's fours.
    fn losing_moves(&self, position: &Position<W>, step: &mut dyn FnMut() -> bool) -> Vec<u16> {
        if let Some(State { shapes, .. }) = game::Expertise::state(self, position).as_deref() {
            return Pursuit::new(step).losing_moves(position, shapes);
        }
        if self.has_threats() { Forcing::new(step).losing_moves(position) } else { Vec::new() }
    }
}

impl<const W: usize> game::Solving<Position<W>> for Evaluate<W> {
    /// Larger boards have more than 64 bits.
    const SOLVES: bool = W <= 2;

    /// The solver takes about as long as the search.
    const SOLVER_SHARE: u64 = 2;

    /// By [`Solver`], unless a search reaches the end by itself at once.
    fn solve(&self, position: &Position<W>, means: SolverMeans<'_>, news: &mut dyn FnMut(Solution<u16>)) {
        if !Solver::takes(self.parameters) || position.empty.count() <= SEEN_AT_ONCE {
            return;
        }
        let mut kept = self.solver.lock().unwrap_or_else(PoisonError::into_inner);
        match kept.as_mut().filter(|solver| solver.bytes() == means.bytes) {
            Some(solver) if means.fresh => solver.clear(),
            Some(_) => {}
            // If memory is short, the search goes on without the solver.
            None => *kept = Solver::new(self.parameters, means.bytes).ok(),
        }
        let Some(solver) = kept.as_mut() else { return };
        let told = |found: &solver::Solution| Solution::between(found.lower, found.upper, found.line.clone());
        let solution = solver.solve(position, means.stop, &mut |found| told(found).into_iter().for_each(&mut *news));
        told(&solution).into_iter().for_each(news);
    }
}

/// An immediate win, or a loss to two threats that one stone cannot stop.
fn near_end<const W: usize>(mine: &Threats<W>, theirs: &Threats<W>, depth: u32) -> Option<StaticKnowledge> {
    let end = |score| Some(StaticKnowledge { score, bound: Bound::Exact, proven: true });
    if !mine.wins.is_empty() {
        end(Score::win_in(1))
    } else if depth >= 2 && theirs.wins.count() >= 2 {
        end(Score::loss_in(2))
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Notation, Style, parse_parameters};
    use super::*;
    use crate::game::{Evaluate as _, Notation as _, Side, SplitMix64};

    fn read(name: &str, text: &str) -> (Position<4>, Evaluate<4>) {
        let parameters = parse_parameters(name).unwrap();
        (Notation::new(parameters, Style::Coordinates).parse_position(text).unwrap(), Evaluate::new(parameters))
    }

    fn value(name: &str, text: &str) -> Score {
        let (position, evaluate) = read(name, text);
        evaluate.evaluate(&position)
    }

    /// The same sum, window by window and cell by cell.
    fn plain(position: &Position<4>) -> i32 {
        let Parameters { cols, rows, k, exact, .. } = position.parameters();
        let at = |col: i32, row: i32| match (u8::try_from(col), u8::try_from(row)) {
            (Ok(col), Ok(row)) => position.stone(col, row),
            _ => None,
        };
        let mut sum = 0;
        for (dc, dr) in [(1, 0), (0, 1), (1, 1), (-1, 1)] {
            for (col, row) in (0..i32::from(rows)).flat_map(|row| (0..i32::from(cols)).map(move |col| (col, row))) {
                let cell = |i: i32| (col + i * dc, row + i * dr);
                let k = i32::from(k);
                let end = cell(k - 1);
                if !(0..i32::from(cols)).contains(&end.0) || end.1 >= i32::from(rows) {
                    continue;
                }
                for side in [Side::First, Side::Second] {
                    let count = |side| (0..k).filter(|&i| at(cell(i).0, cell(i).1) == Some(side)).count() as u32;
                    let beside = [cell(-1), cell(k)].into_iter().any(|(col, row)| at(col, row) == Some(side));
                    let n = count(side);
                    if n > 0 && count(side.other()) == 0 && !(exact && beside) {
                        let weight = 4_i32.pow(n - 1).min(MAX_WEIGHT);
                        sum += if side == position.side_to_move() { weight } else { -weight };
                    }
                }
            }
        }
        sum
    }

    #[test]
    fn windows_are_summed_as_by_hand() {
        assert_eq!(value("tictactoe", "3/3/3 x"), Score::units(TEMPO));
        // The centre lies on four lines, a corner on three, an edge on two.
        assert_eq!(value("tictactoe", "3/1x1/3 o"), Score::units(TEMPO - 4));
        assert_eq!(value("tictactoe", "x2/3/3 o"), Score::units(TEMPO - 3));
        // x keeps row 1 and column a; o keeps its row, its column and the other diagonal.
        assert_eq!(value("tictactoe", "3/1o1/x2 x"), Score::units(TEMPO + 2 - 3));
        // Two stones in one window count 4, one stone in others 1: x has row 1 with two, and the columns a and b.
        assert_eq!(value("tictactoe", "3/2o/xx1 o"), Score::units(TEMPO + 2 - 4 - 1 - 1 - 1));
    }

    #[test]
    fn windows_are_summed_as_cell_by_cell() {
        let mut rng = SplitMix64::new(5);
        for name in [
            "tictactoe",
            "mnk:4,4,4",
            "mnk:6,5,4,exact",
            "gomoku",
            "gomokufreestyle",
            "mnk:12,14,9",
            "mnk:1,9,3",
            "mnk:15,15,15,exact",
        ] {
            let parameters = parse_parameters(name).unwrap();
            let evaluate = Evaluate::<4>::new(parameters);
            for _ in 0..10 {
                let mut position = Position::<4>::start(parameters);
                let mut moves = Vec::new();
                while position.outcome().is_none() {
                    assert_eq!(evaluate.by_windows(&position), Score::units(plain(&position) + TEMPO), "{name}");
                    moves.clear();
                    position.generate(&mut moves);
                    position.play(moves[rng.below(moves.len())]);
                }
            }
        }
    }

    #[test]
    fn colours_change_nothing_but_the_sign() {
        let mut rng = SplitMix64::new(6);
        for name in ["mnk:7,7,4", "gomoku"] {
            let parameters = parse_parameters(name).unwrap();
            let evaluate = Evaluate::<4>::new(parameters);
            let mut position = Position::<4>::start(parameters);
            let mut moves = Vec::new();
            while position.outcome().is_none() {
                let [x, o] = position.stones;
                let swapped = Position::with_stones(parameters, [o, x], position.side_to_move().other());
                let passed = Position::with_stones(parameters, [x, o], position.side_to_move().other());
                let score = evaluate.by_windows(&position);
                assert_eq!(evaluate.evaluate(&position), evaluate.evaluate(&swapped));
                assert_eq!(score, evaluate.by_windows(&swapped));
                assert_eq!(
                    score.to_bits().cast_signed() - TEMPO,
                    TEMPO - evaluate.by_windows(&passed).to_bits().cast_signed()
                );
                assert!(!score.is_decisive());
                moves.clear();
                position.generate(&mut moves);
                position.play(moves[rng.below(moves.len())]);
            }
        }
    }

    #[test]
    fn a_window_that_would_become_an_overline_counts_nothing() {
        // x on a1 c1, o on e1 h1. x: a1-c1 counts 4, b1-d1 touches a1. o: d1-f1 counts 1, e1-g1 and f1-h1 touch an o.
        assert_eq!(value("mnk:8,1,3,exact", "x1x1o2o x"), Score::units(TEMPO + 4 - 1));
        assert_eq!(value("mnk:8,1,3", "x1x1o2o x"), Score::units(TEMPO + 4 + 1 - 1 - 1 - 1));
    }

    #[test]
    fn noisy_moves_complete_or_prevent_a_line() {
        let noisy = |name: &str, text: &str| {
            let (position, evaluate) = read(name, text);
            let notation = Notation::<4>::new(position.parameters(), Style::Coordinates);
            let mut moves = Vec::new();
            position.generate(&mut moves);
            moves.retain(|&mv| evaluate.is_noisy(&position, mv));
            moves.into_iter().map(|mv| notation.move_text(&position, mv)).collect::<Vec<_>>()
        };
        assert_eq!(noisy("tictactoe", "3/3/3 x"), [""; 0]);
        assert_eq!(noisy("tictactoe", "oo1/3/xx1 x"), ["c1", "c3"]);
        assert_eq!(noisy("tictactoe", "xo1/3/1x1 o"), [""; 0]);
        assert_eq!(noisy("mnk:7,1,3", "xx1oo2 x"), ["c1", "f1"]);
        // c1 makes four.
        assert_eq!(noisy("mnk:9,2,3", "o3o4/xx1xo4 x"), ["c1"]);
        assert_eq!(noisy("mnk:9,2,3,exact", "o3o4/xx1xo4 x"), [""; 0]);
    }
}
