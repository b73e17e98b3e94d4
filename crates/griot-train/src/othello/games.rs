//! Games of the evaluation against itself, and the training positions from them.

use std::fs;
use std::io;
use std::path::Path;

use griot::game::{Notation as _, Position as _, SplitMix64};
use griot::games::othello::patterns::{DISC, Patterns};
use griot::games::othello::solver::{self, Guesser, NoMemory, Solver, moves, played};
use griot::games::othello::{Evaluate, Notation, PASS, Position};
use griot::score::Meaning;
use griot::search::{self, Knowledge, Task, TranspositionTable};

/// Positions with fewer empty cells are not used: they are solved at once.
const FEWEST: u32 = 5;
/// Empty cells from which a game is solved.
const SOLVED: u32 = 14;
/// Search depth of the players in plies, in the first generation and in later ones.
const DEPTHS: [u32; 2] = [2, 4];
/// The table of the solver, in bytes.
const TABLE: usize = 8 << 20;

/// The share of later values in a position's target; the rest is the player's own value. In the first generation the players'
/// values are useless.
const TRUST_IN_THE_END: [f32; 2] = [1.0, 0.85];

/// In a refinement: depth of the full search in plies; empty cells from which the solver takes over; share of later values in a
/// position's target; table of the search in MiB.
const SEARCHED: u32 = 8;
pub(super) const LEFT_TO_SOLVER: u32 = 20;
const TRUST_IN_SEARCHES: f32 = 0.7;
const SEARCH_TABLE: usize = 2;

/// A position and its value for the side to move, in eighths of a disc of the final difference.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sample {
    pub(super) own: u64,
    pub(super) opponent: u64,
    value: i16,
}

impl Sample {
    /// The bytes of a sample in a file.
    const BYTES: usize = 18;

    /// The empty cells.
    pub(super) fn empty(&self) -> u32 {
        (!(self.own | self.opponent)).count_ones()
    }

    /// Its value in discs.
    pub(super) fn discs(&self) -> f32 {
        f32::from(self.value) / DISC as f32
    }

    pub(super) fn bytes(samples: &[Sample]) -> Vec<u8> {
        let of = |sample: &Sample| {
            let mut bytes = [0; Sample::BYTES];
            bytes[..8].copy_from_slice(&sample.own.to_le_bytes());
            bytes[8..16].copy_from_slice(&sample.opponent.to_le_bytes());
            bytes[16..].copy_from_slice(&sample.value.to_le_bytes());
            bytes
        };
        samples.iter().flat_map(of).collect()
    }

    pub(super) fn read(file: &Path) -> io::Result<Vec<Sample>> {
        let of = |bytes: &[u8]| {
            let word =
                |first: usize| bytes[first..first + 8].iter().rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte));
            Sample { own: word(0), opponent: word(8), value: i16::from_le_bytes([bytes[16], bytes[17]]) }
        };
        Ok(fs::read(file)?.chunks_exact(Sample::BYTES).map(of).collect())
    }
}

/// A game as it is played: the sides change places with every move.
struct Board {
    own: u64,
    opponent: u64,
    /// Whether the side that began is to move.
    is_first: bool,
}

impl Board {
    fn start() -> Board {
        Board { own: 1 << 28 | 1 << 35, opponent: 1 << 27 | 1 << 36, is_first: true }
    }

    fn empty(&self) -> u32 {
        (!(self.own | self.opponent)).count_ones()
    }

    /// Plays on a cell, or passes.
    fn play(&mut self, cell: Option<u8>) {
        (self.own, self.opponent) = match cell {
            Some(cell) => played(self.own, self.opponent, cell),
            None => (self.opponent, self.own),
        };
        self.is_first = !self.is_first;
    }
}

/// Plays this many games.
pub(super) fn play_file(
    seed: u64,
    games: usize,
    generation: usize,
    patterns: &Patterns,
) -> Result<Vec<Sample>, NoMemory> {
    let mut rng = SplitMix64::new(seed);
    let mut solver = Solver::with(TABLE, 1, patterns)?;
    let mut guesser = Guesser::new(patterns);
    let (depth, trust) = (DEPTHS[generation.min(1)], TRUST_IN_THE_END[generation.min(1)]);
    let mut samples = Vec::new();
    for _ in 0..games {
        play(&mut rng, &mut guesser, (depth, trust), &mut solver, &mut samples);
    }
    Ok(samples)
}

/// Plays one game from a random opening, and adds its positions. No move after the opening is random, so the end of the
/// game is evidence about them.
fn play(
    rng: &mut SplitMix64,
    guesser: &mut Guesser<'_>,
    (depth, trust): (u32, f32),
    solver: &mut Solver<'_>,
    samples: &mut Vec<Sample>,
) {
    let mut board = Board::start();
    // Short openings are more frequent, as likely positions should be known best.
    let opening = 60 - (4 + rng.below(36).min(rng.below(36)) as u32);
    let solved = SOLVED - rng.below(3) as u32;
    // The players' values, in eighths of a disc for the side to move, and whether that is the first side.
    let mut path: Vec<(Sample, bool)> = Vec::new();
    loop {
        let Board { own, opponent, is_first } = board;
        let mut cells = moves(own, opponent);
        if cells == 0 {
            if moves(opponent, own) == 0 {
                return;
            }
            board.play(None);
            continue;
        }
        let left = board.empty();
        if left <= solved {
            break;
        }
        let mut cell = None;
        if left <= opening
            && let Some((best, value)) = guesser.best(own, opponent, depth)
        {
            path.push((Sample { own, opponent, value: value as i16 }, is_first));
            cell = Some(best);
        }
        board.play(cell.or_else(|| {
            (0..rng.below(cells.count_ones() as usize)).for_each(|_| cells &= cells - 1);
            Some(cells.trailing_zeros() as u8)
        }));
    }
    let end = solve(solver, board.own, board.opponent, -65, 65);
    // From the end backwards, for the first side: a weighted mean of the end and of the later values, the nearer the
    // larger the weight (CITE: R. Sutton, "Learning to predict by the methods of temporal differences", 1988).
    let sign = |is_first: bool| if is_first { 1.0 } else { -1.0 };
    let mut told = sign(board.is_first) * (end * DISC) as f32;
    for (sample, is_first) in path.iter_mut().rev() {
        told = trust * told + (1.0 - trust) * sign(*is_first) * f32::from(sample.value);
        sample.value = (sign(*is_first) * told).round() as i16;
    }
    samples.extend(path.iter().map(|&(sample, _)| sample));
    finish(solver, board.own, board.opponent, end, samples);
}

/// A value within a window: exact inside, a bound outside.
fn solve(solver: &mut Solver<'_>, own: u64, opponent: u64, alpha: i32, beta: i32) -> i32 {
    let task = solver::Task { alpha, beta, outcome_first: false, selective: false, ..solver::Task::new(own, opponent) };
    let solution = solver.solve(&task, &|_| false, &mut |_| {});
    if solution.lower > alpha { solution.lower } else { solution.upper }
}

/// Adds the positions of the line on which each side takes the first best move.
fn finish(solver: &mut Solver<'_>, mut own: u64, mut opponent: u64, mut value: i32, samples: &mut Vec<Sample>) {
    while (!(own | opponent)).count_ones() >= FEWEST {
        let mut cells = moves(own, opponent);
        if cells == 0 {
            if moves(opponent, own) == 0 {
                return;
            }
            (own, opponent, value) = (opponent, own, -value);
            continue;
        }
        samples.push(Sample { own, opponent, value: (value * DISC) as i16 });
        loop {
            let (next, other) = played(own, opponent, cells.trailing_zeros() as u8);
            cells &= cells - 1;
            if cells == 0 || solve(solver, next, other, -value, 1 - value) <= -value {
                (own, opponent, value) = (next, other, -value);
                break;
            }
        }
    }
}

/// Plays games by the full search with the compiled weights, from random openings. The value of a position is a
/// weighted mean of its own value and of those after it, the nearer the larger the weight. The last position of each
/// game comes first.
pub(super) fn search_file(seed: u64, games: usize) -> Result<Vec<Sample>, search::NoMemory> {
    let mut rng = SplitMix64::new(seed);
    let table = TranspositionTable::new(SEARCH_TABLE)?;
    let evaluate = Evaluate::default();
    let mut samples = Vec::new();
    for _ in 0..games {
        table.clear();
        samples.extend(search_game(&mut rng, &evaluate, &table));
    }
    Ok(samples)
}

fn search_game(rng: &mut SplitMix64, evaluate: &Evaluate, table: &TranspositionTable) -> Vec<Sample> {
    let opening = 60 - (4 + rng.below(32).min(rng.below(32)) as u32);
    let mut position: Position = Notation.start();
    let mut choice = Vec::new();
    // The values, in discs for the side to move, and that side.
    let mut path = Vec::new();
    while position.outcome().is_none() && position.empty().count_ones() >= LEFT_TO_SOLVER {
        choice.clear();
        position.generate(&mut choice);
        let mut mv = choice[rng.below(choice.len())];
        if position.empty().count_ones() <= opening && mv != PASS {
            let task = Task { depth: SEARCHED, ..Task::new(position) };
            let verdict = search::search(&task, Knowledge::new(evaluate, &(), table), &mut ());
            let Meaning::Units(units) = verdict.score.meaning() else { break };
            let side = position.side_to_move();
            let sample = Sample { own: position.discs(side), opponent: position.discs(side.other()), value: 0 };
            path.push((sample, units as f32 / 100.0, side));
            mv = verdict.pv[0];
        }
        position.play(mv);
    }
    // From the end backwards, for the side to move in the last position.
    let Some(&(_, mut told, mut to_move)) = path.last() else { return Vec::new() };
    for (sample, expected, side) in path.iter_mut().rev() {
        if *side != to_move {
            (told, to_move) = (-told, *side);
        }
        told = TRUST_IN_SEARCHES * told + (1.0 - TRUST_IN_SEARCHES) * *expected;
        sample.value = (told * DISC as f32).round() as i16;
    }
    path.into_iter().rev().map(|(sample, ..)| sample).collect()
}
