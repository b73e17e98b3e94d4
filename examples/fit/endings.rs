//! Fits the patterns by which Othello's solver orders moves, to endings that it has solved itself.
//!
//! Three rounds: random games solved from 12 empty cells on; then games played by a shallow search with the weights so far,
//! from an ending of random length to the solved last cells. A sample is a position and the final difference; the weights are
//! found by gradient descent with a rate of its own for each (CITE: J. Duchi et al., "Adaptive Subgradient Methods", 2011).
//! Exact values and fixed depths decide everything, so a faster solver comes to the same weights.

use griot::game::Mixer;
use griot::games::othello::solver::patterns::{DISC, Patterns, SIZE, STAGES, canonical, stage, visit};
use griot::games::othello::solver::{Guesser, NoMemory, Solver, Task, moves, played};

/// The rounds: a seed, games, the empty cells from which they are solved.
const ROUNDS: [(u64, usize, u32); 3] = [(1, 60_000, 12), (100, 20_000, 12), (1000, 60_000, 14)];
/// How deep the players look, in plies.
const DEPTH: u32 = 3;
/// The passes over all samples.
const EPOCHS: usize = 12;
/// What a weight moves by at first, for a pull as strong as all before it.
const RATE: f32 = 1.2;
/// Endings with fewer empty cells teach nothing that the solver asks for.
const FEWEST: u32 = 6;
/// A stage with fewer samples takes the weights of the one before.
const ENOUGH: usize = 1000;
/// What one sample may pull by, in discs.
const PULL: f32 = 20.0;

/// A position and its final difference for the side to move.
#[derive(Clone, Copy)]
struct Sample {
    own: u64,
    opponent: u64,
    value: i32,
}

/// Fits the weights, packed as the solver reads them.
pub(crate) fn fit() -> Result<Vec<u8>, NoMemory> {
    let mut patterns = Patterns::new(&[]);
    let mut samples = Vec::new();
    for (round, (seed, games, last)) in ROUNDS.into_iter().enumerate() {
        play(&mut Mixer::new(seed), games, last, round == 0, &patterns, &mut samples)?;
        eprintln!("round {round}: {} samples", samples.len());
        patterns = Patterns::new(&descend(&samples));
    }
    Ok(patterns.pack())
}

fn empty(own: u64, opponent: u64) -> u32 {
    (!(own | opponent)).count_ones()
}

/// The move that a search of so many plies likes best.
fn best(guesser: &mut Guesser<'_>, own: u64, opponent: u64, depth: u32) -> u8 {
    let far = 65 * DISC;
    let (mut most, mut best) = (-far, 0);
    let mut cells = moves(own, opponent);
    while cells != 0 {
        let cell = cells.trailing_zeros() as u8;
        cells &= cells - 1;
        let (next, other) = played(own, opponent, cell);
        let value = -guesser.search(next, other, depth - 1, -far, -most);
        if value > most {
            (most, best) = (value, cell);
        }
    }
    best
}

/// Plays games and adds the positions of their endings.
fn play(
    rng: &mut Mixer,
    games: usize,
    last: u32,
    is_random: bool,
    patterns: &Patterns,
    samples: &mut Vec<Sample>,
) -> Result<(), NoMemory> {
    let mut solver = Solver::with(16 << 20, 1, patterns)?;
    let mut guesser = Guesser::new(patterns);
    'game: for _ in 0..games {
        let (mut own, mut opponent) = (1 << 28 | 1 << 35, 1 << 27 | 1 << 36);
        let opening = 54 - rng.below(14) as u32;
        // From so many empty cells on, everybody plays as well as they can.
        let ending = if is_random { last - rng.below(5) as u32 } else { last - 2 + rng.below(22) as u32 };
        // Before that, one move in so many is random, and the last one always.
        let noise = 1 << rng.below(4);
        // The positions of the ending, and whether the same side was to move at its end.
        let mut path: Vec<(u64, u64, bool)> = Vec::new();
        loop {
            let left = empty(own, opponent);
            let cells = moves(own, opponent);
            if cells == 0 {
                if moves(opponent, own) == 0 {
                    continue 'game;
                }
                (own, opponent) = (opponent, own);
                path.iter_mut().for_each(|(.., is_same)| *is_same = !*is_same);
                continue;
            }
            if left <= last.min(ending) {
                break;
            }
            if left <= ending {
                path.push((own, opponent, true));
            }
            let wild = left > opening || is_random || left > ending && (left - 1 == ending || rng.below(noise) == 0);
            let cell = if wild {
                let mut rest = cells;
                (0..rng.below(cells.count_ones() as usize)).for_each(|_| rest &= rest - 1);
                rest.trailing_zeros() as u8
            } else {
                best(&mut guesser, own, opponent, if left > ending { 1 } else { DEPTH })
            };
            (own, opponent) = played(own, opponent, cell);
            path.iter_mut().for_each(|(.., is_same)| *is_same = !*is_same);
        }
        let value = solve(&mut solver, own, opponent, -65, 65);
        samples.extend(path.iter().map(|&(own, opponent, is_same)| {
            let value = if is_same { value } else { -value };
            Sample { own, opponent, value }
        }));
        finish(&mut solver, own, opponent, value, samples);
    }
    Ok(())
}

/// A value within a window: exact inside, a bound outside.
fn solve(solver: &mut Solver<'_>, own: u64, opponent: u64, alpha: i32, beta: i32) -> i32 {
    let task = Task { alpha, beta, outcome_first: false, selective: false, ..Task::new(own, opponent) };
    let solution = solver.solve(&task, &|| false, &mut |_| {});
    if solution.lower > alpha { solution.lower } else { solution.upper }
}

/// Adds the positions of the line on which each side takes the first best move.
fn finish(solver: &mut Solver<'_>, mut own: u64, mut opponent: u64, mut value: i32, samples: &mut Vec<Sample>) {
    while empty(own, opponent) >= FEWEST {
        let mut cells = moves(own, opponent);
        if cells == 0 {
            if moves(opponent, own) == 0 {
                return;
            }
            (own, opponent, value) = (opponent, own, -value);
            continue;
        }
        samples.push(Sample { own, opponent, value });
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

/// The weights that leave the least unexplained, in eighths of a disc.
fn descend(samples: &[Sample]) -> Vec<i8> {
    let places: Vec<usize> = (0..SIZE).map(canonical).collect();
    let mut weights = vec![0_f32; SIZE * STAGES];
    let mut pulls = vec![1_f32; SIZE * STAGES];
    let mut order: Vec<usize> = (0..samples.len()).collect();
    let mut rng = Mixer::new(7);
    let mut active = Vec::with_capacity(64);
    for epoch in 0..EPOCHS {
        let rate = 0.05 + RATE * (1.0 - epoch as f32 / EPOCHS as f32);
        for i in (1..order.len()).rev() {
            order.swap(i, rng.below(i + 1));
        }
        let mut left = 0.0;
        for &Sample { own, opponent, value } in order.iter().map(|&i| &samples[i]) {
            let count = empty(own, opponent);
            // Next to the border of a stage both learn.
            let mut stages = [stage(count + 1), stage(count), stage(count - 1)].to_vec();
            stages.dedup();
            for learner in stages {
                active.clear();
                visit(own, opponent, |weight| active.push(learner * SIZE + places[weight]));
                let sum: f32 = active.iter().map(|&weight| weights[weight]).sum();
                let error = (value as f32 - sum).clamp(-PULL, PULL);
                if learner == stage(count) {
                    left += f64::from(error * error);
                }
                for &weight in &active {
                    let pull = error - 0.02 * weights[weight];
                    pulls[weight] += 0.01 * pull * pull;
                    weights[weight] += rate * pull / (43.0 * pulls[weight].sqrt());
                }
            }
        }
        eprintln!("epoch {epoch}: {:.3} discs left unexplained", (left / samples.len() as f64).sqrt());
    }
    let mut taught = [0; STAGES];
    for &Sample { own, opponent, .. } in samples {
        taught[stage(empty(own, opponent))] += 1;
    }
    for (later, _) in taught.iter().enumerate().skip(1).filter(|&(_, &count)| count < ENOUGH) {
        weights.copy_within((later - 1) * SIZE..later * SIZE, later * SIZE);
    }
    let limit = f32::from(i8::MAX);
    weights.iter().map(|weight| (weight * DISC as f32).round().clamp(-limit, limit) as i8).collect()
}
