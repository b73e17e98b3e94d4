//! A solver of m,n,k games on boards of up to 64 bits: who wins, and in how many plies. Layer 2.
//!
//! One thread, the caller's. A position is two questions (`search`): can the side to move force a line, and can the other side?
//! A draw is two times no, which pairings (`pairing`) show early. Then the fewest plies are searched for step by step. Renju,
//! with different rules for both sides, is not solved.
//!
//! # Examples
//!
//! ```
//! use griot::games::mnk::solver::Solver;
//! use griot::games::mnk::{Position, parse_parameters};
//! use griot::score::Score;
//!
//! let parameters = parse_parameters("mnk:5,5,4")?;
//! let mut solver = Solver::new(parameters, 1 << 20)?;
//! let solution = solver.solve(&Position::<1>::start(parameters), &|_| false, &mut |_| {});
//! assert_eq!(solution.exact(), Some(Score::DRAW));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod pairing;
mod search;
mod table;

use super::{Parameters, Position};
use crate::game::Position as _;
use crate::score::Score;
use search::{Geometry, Node, Role, Search, Stopped};
use table::Table;

/// The most bits of a board, including a column without cells.
const MOST_BITS: u16 = 64;

/// The nodes of the first searches, and the divisor of that effort for searches within a few plies.
const LEAST_EFFORT: u64 = 1 << 15;
const DEEPENING: u64 = 4;

/// Why a solver could not be created.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unsolvable {
    /// The system did not give the memory for a table of this size.
    #[error("no memory for a table of {0} bytes")]
    NoMemory(usize),
    /// The board is too large, a line has fewer than three stones, or the game is renju.
    #[error(
        "the solver takes boards of up to {MOST_BITS} cells and rows together, lines of three or more, and not renju"
    )]
    Game,
}

/// The result of a search, final or so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Solution {
    /// A proven lower bound on the value for the side to move.
    pub lower: Score,
    /// A proven upper bound on the value.
    pub upper: Score,
    /// A line from the position. If the value is exact and the search was not stopped, both sides play best up to the
    /// end of the game, a draw up to a full board; otherwise it is one move that keeps what is proven. Empty in a
    /// finished game, and while nothing is proven.
    pub line: Vec<u16>,
    /// Positions visited.
    pub nodes: u64,
}

impl Solution {
    /// The value, if proven.
    #[must_use]
    pub fn exact(&self) -> Option<Score> {
        (self.lower == self.upper).then_some(self.lower)
    }
}

/// A solver; its memory is kept for later searches.
#[derive(Debug)]
pub struct Solver {
    parameters: Parameters,
    geometry: Geometry,
    table: Table,
    bytes: usize,
}

impl Solver {
    /// Whether the game can be solved.
    #[must_use]
    pub fn takes(parameters: Parameters) -> bool {
        parameters.bits() <= MOST_BITS && parameters.k >= 3 && !parameters.renju
    }

    /// A solver for this game, with a table of about `bytes` bytes, which is allocated as it fills.
    ///
    /// # Errors
    /// [`Unsolvable`] when the game cannot be solved, or the system does not give that much memory.
    pub fn new(parameters: Parameters, bytes: usize) -> Result<Solver, Unsolvable> {
        if !Solver::takes(parameters) {
            return Err(Unsolvable::Game);
        }
        let table = Table::new(bytes).ok_or(Unsolvable::NoMemory(bytes))?;
        Ok(Solver { parameters, geometry: Geometry::new(parameters), table, bytes })
    }

    /// The memory requested for its table.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Clears all results of earlier positions. Touches all of the table's memory.
    pub fn clear(&mut self) {
        self.table.clear();
    }

    /// Solves a position: who wins first, then how soon.
    ///
    /// `stop` is called every thousand nodes with their number. The search ends when it returns `true`; the result
    /// holds what was proven by then. `news` is called for each narrower range. With a new or cleared table the same
    /// position takes the same number of nodes. A finished game gets its value, without a line.
    ///
    /// # Panics
    /// When the position belongs to another game.
    pub fn solve<const W: usize>(
        &mut self,
        position: &Position<W>,
        stop: &dyn Fn(u64) -> bool,
        news: &mut dyn FnMut(&Solution),
    ) -> Solution {
        assert_eq!(position.parameters(), self.parameters, "a solver is of one game");
        if let Some(outcome) = position.outcome() {
            let score = outcome.score_for(position.side_to_move());
            return Solution { lower: score, upper: score, line: Vec::new(), nodes: 0 };
        }
        let search = Search {
            geometry: &self.geometry,
            table: &mut self.table,
            stop,
            nodes: 0,
            told: 0,
            limit: u64::MAX,
            is_stopped: false,
        };
        let side = position.side_to_move();
        let stones = [side, side.other()].map(|side| position.stones[side.index()].first_word());
        let mut run = Run { search, stones, solution: unknown(position.empty.count()) };
        // If the search stops, what is proven stays valid.
        let _: Result<(), Stopped> = run.solve(news);
        // Report the remaining nodes.
        let _ = stop(run.search.nodes - run.search.told);
        Solution { nodes: run.search.nodes, ..run.solution }
    }
}

/// What is known of any position with this many empty cells, at least one.
fn unknown(empty: u32) -> Solution {
    // With one cell left neither side can lose.
    let lower = if empty < 2 { Score::DRAW } else { Score::loss_in(2) };
    Solution { lower, upper: Score::win_in(1), line: Vec::new(), nodes: 0 }
}

/// The latest win, and the latest loss, with this many empty cells.
fn latest_win(empty: u32) -> Score {
    Score::win_in(empty - u32::from(empty.is_multiple_of(2)))
}

fn latest_loss(empty: u32) -> Score {
    Score::loss_in(empty - empty % 2)
}

/// A running search.
struct Run<'a> {
    search: Search<'a>,
    /// The stones of the side to move and of the opponent at the root.
    stones: [u64; 2],
    solution: Solution,
}

impl Run<'_> {
    /// Searches in turn, with growing effort, whether either side can win at all and whether within a few plies: some
    /// positions have a short win where a full search would take hours, and in others a full search soon proves that
    /// neither side wins.
    fn solve(&mut self, news: &mut dyn FnMut(&Solution)) -> Result<(), Stopped> {
        let [mine, theirs] = self.stones;
        let (attack, defence) = (self.node([mine, theirs]), self.node([theirs, mine]));
        let empty = self.search.geometry.empty(&attack).count_ones();
        // If all moves lose, any move serves until the longest defence is known.
        let any = self.search.geometry.empty(&attack).trailing_zeros() as u8;
        // For each question, once answered: the winning move, or that there is none; the move that does not lose, or
        // that all lose.
        let (mut wins, mut holds) = (None, None);
        let (mut win, mut loss) = (1, 2);
        let mut effort = LEAST_EFFORT;
        loop {
            if wins.is_none() {
                wins = self.within(effort, |search| search.reach(&attack, Role::Attacker, empty))?;
                if let Some(Some(mv)) = wins {
                    self.tell(latest_win(empty), Score::win_in(1), mv, news);
                    holds = Some(Some(mv));
                }
            }
            if holds.is_none() {
                holds = self.within(effort, |search| search.reach(&defence, Role::Defender, empty))?;
                if holds == Some(None) {
                    self.tell(Score::loss_in(2), latest_loss(empty), any, news);
                    wins = Some(None);
                }
            }
            if let (Some(None), Some(Some(mv))) = (wins, holds) {
                self.tell(Score::DRAW, Score::DRAW, mv, news);
                return self.drawn_line();
            }
            while wins != Some(None)
                && let Some(found) =
                    self.within(effort / DEEPENING, |search| search.reach(&attack, Role::Attacker, win))?
            {
                if let Some(mv) = found {
                    self.tell(Score::win_in(win), Score::win_in(win), mv, news);
                    return self.winning_line(attack, Role::Attacker, win);
                }
                if win >= empty {
                    wins = Some(None);
                }
                win += 2;
            }
            while !matches!(holds, Some(Some(_)))
                && let Some(found) =
                    self.within(effort / DEEPENING, |search| search.reach(&defence, Role::Defender, loss))?
            {
                let Some(mv) = found else {
                    let mv = self.longest_defence(&defence, loss)?;
                    self.tell(Score::loss_in(loss), Score::loss_in(loss), mv, news);
                    return self.winning_line(defence, Role::Defender, loss);
                };
                if loss >= empty {
                    holds = Some(Some(mv));
                }
                loss += 2;
            }
            effort *= 2;
        }
    }

    /// Searches with this effort; `None` if it was not enough.
    fn within(
        &mut self,
        effort: u64,
        ask: impl FnOnce(&mut Search<'_>) -> Result<Option<u8>, Stopped>,
    ) -> Result<Option<Option<u8>>, Stopped> {
        self.search.limit = self.search.nodes + effort;
        let found = ask(&mut self.search);
        let is_over = self.search.nodes >= self.search.limit;
        self.search.limit = u64::MAX;
        match found {
            Ok(found) => Ok(Some(found)),
            Err(Stopped) if is_over && !self.search.is_stopped => Ok(None),
            Err(Stopped) => Err(Stopped),
        }
    }

    fn node(&self, stones: [u64; 2]) -> Node {
        self.search.geometry.node(stones)
    }

    fn tell(&mut self, lower: Score, upper: Score, mv: u8, news: &mut dyn FnMut(&Solution)) {
        self.solution = Solution { lower, upper, line: vec![mv.into()], nodes: self.search.nodes };
        news(&self.solution);
    }

    /// The line of a win in exactly this many plies: the shortest win against the longest defence.
    fn winning_line(&mut self, mut node: Node, mut role: Role, plies: u32) -> Result<(), Stopped> {
        let mut line = Vec::new();
        for left in (1..=plies).rev() {
            let mv = match role {
                // INVARIANT: the win takes at most `left` plies, so there is a move.
                Role::Attacker => self.search.reach(&node, Role::Attacker, left)?.unwrap_or_default(),
                Role::Defender => self.longest_defence(&node, left)?,
            };
            line.push(mv.into());
            if line.len() >= self.solution.line.len() {
                self.solution.line.clone_from(&line);
            }
            node = self.search.geometry.after(&node, role, mv);
            role = role.other();
        }
        Ok(())
    }

    /// The move after which the attacker needs all but one of these plies.
    fn longest_defence(&mut self, node: &Node, left: u32) -> Result<u8, Stopped> {
        let mut last = 0;
        for cell in search::bits(self.search.geometry.empty(node)) {
            let next = self.search.geometry.after(node, Role::Defender, cell);
            last = cell;
            if left <= 2 || self.search.reach(&next, Role::Attacker, left - 3)?.is_none() {
                break;
            }
        }
        Ok(last)
    }

    /// The line of a draw, in which each side prevents the other from winning.
    fn drawn_line(&mut self) -> Result<(), Stopped> {
        let [mut mine, mut theirs] = self.stones;
        let mut line = Vec::new();
        loop {
            let node = self.node([theirs, mine]);
            let empty = self.search.geometry.empty(&node).count_ones();
            // INVARIANT: neither side can win.
            let Some(mv) = self.search.reach(&node, Role::Defender, empty)? else { return Ok(()) };
            line.push(mv.into());
            if line.len() >= self.solution.line.len() {
                self.solution.line.clone_from(&line);
            }
            if empty == 1 {
                return Ok(());
            }
            (mine, theirs) = (theirs, mine | 1 << mv);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::super::parse_parameters;
    use super::*;
    use crate::game::{SplitMix64, worth_of_line};
    use griot_testing::{Cases, full_run, sample};

    /// Plain minimax with a memory.
    fn minimax(position: &Position<1>, known: &mut HashMap<[u64; 2], Score>) -> Score {
        if let Some(outcome) = position.outcome() {
            return outcome.score_for(position.side_to_move());
        }
        let key = position.stones.map(|stones| stones.first_word());
        if let Some(&score) = known.get(&key) {
            return score;
        }
        let moves = position.empty.iter().map(|mv| position.after(mv as u16));
        let score = moves.map(|next| (-minimax(&next, known)).backed_up()).max().unwrap();
        known.insert(key, score);
        score
    }

    /// Solves a position and plays its line to the end.
    fn solved<const W: usize>(solver: &mut Solver, position: &Position<W>) -> (Score, u64) {
        let solution = solver.solve(position, &|_| false, &mut |_| {});
        let score = solution.exact().unwrap();
        assert_eq!(worth_of_line(position, &solution.line), score, "{position:?} {:?}", solution.line);
        (score, solution.nodes)
    }

    #[test]
    fn values_are_those_of_minimax_on_boards_of_many_shapes() {
        let Cases { seed, rounds } = sample(3, 30, 3);
        let mut rng = SplitMix64::new(seed);
        let mut results = [0; 3];
        for (name, empty) in [
            ("mnk:3,3,3", 9),
            ("mnk:4,4,4", 12),
            ("mnk:4,4,3,exact", 12),
            ("mnk:5,3,3", 11),
            ("mnk:4,5,4", 11),
            ("mnk:5,5,4", 11),
            ("mnk:5,5,3,exact", 10),
            ("mnk:6,5,4,exact", 11),
            ("mnk:7,7,5", 10),
            ("mnk:13,3,3", 11),
            ("mnk:4,12,5", 10),
        ] {
            let parameters = parse_parameters(name).unwrap();
            let mut solver = Solver::new(parameters, 1 << 16).unwrap();
            for _ in 0..rounds {
                let mut position = Position::<1>::start(parameters);
                while position.empty.count() > empty && position.outcome().is_none() {
                    let cells: Vec<usize> = position.empty.iter().collect();
                    position.play(cells[rng.below(cells.len())] as u16);
                }
                if position.outcome().is_some() {
                    continue;
                }
                let score = minimax(&position, &mut HashMap::new());
                assert_eq!(solved(&mut solver, &position).0, score, "{position:?}");
                results[(score.cmp(&Score::DRAW) as i8 + 1) as usize] += 1;
            }
        }
        assert!(!full_run() || results.iter().all(|&count| count > 20), "{results:?}");
    }

    #[test]
    fn what_is_told_on_the_way_is_true() {
        let parameters = parse_parameters("mnk:6,5,4").unwrap();
        let mut solver = Solver::new(parameters, 1 << 20).unwrap();
        let Cases { seed, rounds } = sample(8, 12, 1);
        let mut rng = SplitMix64::new(seed);
        let mut stopped = 0;
        for _ in 0..rounds {
            let mut position = Position::<1>::start(parameters);
            for _ in 0..2 {
                let cells: Vec<usize> = position.empty.iter().collect();
                position.play(cells[rng.below(cells.len())] as u16);
            }
            if position.outcome().is_some() {
                continue;
            }
            let mut told = Vec::new();
            let score = solver.solve(&position, &|_| false, &mut |news| told.push(news.clone())).exact().unwrap();
            solver.clear();
            let part = solver.solve(&position, &|_| true, &mut |news| told.push(news.clone()));
            stopped += usize::from(part.exact().is_none());
            for news in told.iter().chain([&part]) {
                assert!(news.lower <= score && score <= news.upper, "{position:?} {news:?} {score:?}");
                assert!(news.line.is_empty() || position.empty.has(news.line[0].into()));
                let Some(&mv) = news.line.first() else { continue };
                let next = position.after(mv);
                let after = match next.outcome() {
                    Some(outcome) => outcome.score_for(next.side_to_move()),
                    None => solver.solve(&next, &|_| false, &mut |_| {}).exact().unwrap(),
                };
                assert!((-after).backed_up() >= news.lower, "{position:?} {news:?}");
            }
        }
        assert!(!full_run() || stopped > 5, "{stopped}");
    }

    /// CITE: H. J. van den Herik, J. Uiterwijk, J. van Rijswijck, "Games solved: now and in the future", 2002: 5,5,4 is
    /// a draw; 6,5,4 and all larger boards with lines of four are won.
    #[test]
    fn solved_games_have_the_values_of_the_literature() {
        for (name, score, nodes) in [
            ("mnk:4,4,4", Score::DRAW, 1_000),
            ("mnk:5,5,4", Score::DRAW, 20_000),
            ("mnk:5,5,5", Score::DRAW, 1_000),
            ("mnk:6,6,5", Score::DRAW, 1_000),
            ("mnk:6,5,4", Score::win_in(11), 3_000_000),
            ("mnk:6,6,4", Score::win_in(11), 3_000_000),
        ] {
            let parameters = parse_parameters(name).unwrap();
            let mut solver = Solver::new(parameters, 16 << 20).unwrap();
            let (found, took) = solved(&mut solver, &Position::<1>::start(parameters));
            assert_eq!(found, score, "{name}");
            assert!(took < nodes, "{name}: {took}");
        }
    }

    #[test]
    fn games_beyond_it_are_refused() {
        for name in ["gomoku", "mnk:8,8,5", "mnk:7,7,5,renju", "mnk:4,4,2"] {
            assert!(matches!(Solver::new(parse_parameters(name).unwrap(), 1 << 16), Err(Unsolvable::Game)), "{name}");
        }
        assert!(Solver::takes(parse_parameters("mnk:7,8,5").unwrap()));
        let parameters = parse_parameters("mnk:7,7,5").unwrap();
        let far = Solver::new(parameters, usize::MAX / 2);
        assert!(matches!(far, Err(Unsolvable::NoMemory(_))));
    }
}
