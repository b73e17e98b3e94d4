//! Fits the weights of the Othello evaluation to games that it plays against itself, and prints `weights.rs`.
//!
//! ```sh
//! cargo run --release --example fit_othello > weights.rs && mv weights.rs src/games/othello/
//! ```
//!
//! Each round plays games from random openings by a shallow search with the weights so far, solves their endings exactly, and
//! takes the least squares of the final balance over all positions after the opening. Nothing but the numbers below decides
//! the result: one seed, one thread.

use std::process::ExitCode;

use griot::game::{Mixer, Position as _};
use griot::games::othello::{Evaluate, FEATURES, PASS, PHASES, Position, Weights, features, share};
use griot::score::Score;
use griot::search::Path;
use griot::search::textbook::Textbook;

const SEED: u64 = 2026;
/// Games of each round; later rounds begin with the weights of the one before.
const ROUNDS: [usize; 3] = [3_000, 10_000, 40_000];
/// Plies searched for each move after it was made.
const DEPTH: u32 = 2;
/// Random plies at the beginning of a game: from the first number up to, not including, the second.
const OPENING: [usize; 2] = [3, 25];
/// Empty cells from which a game is solved instead of played.
const SOLVED: u32 = 10;
/// How strongly weights are drawn to zero, in samples.
const RIDGE: f64 = 20.0;
/// How strongly the weights of neighbouring phases are drawn to each other, in samples.
const SMOOTH: f64 = 3000.0;

/// Plain beginnings, for the first round: mobility and corners.
const FIRST: Weights = {
    let mut row = [0; FEATURES];
    row[0] = 100;
    row[5] = 1000;
    row[7] = -400;
    [row; PHASES]
};

const UNKNOWNS: usize = FEATURES * PHASES;

/// The sums of least squares: what is asked of the weights is `matrix · weights = right`.
struct Sums {
    matrix: Vec<[f64; UNKNOWNS]>,
    right: [f64; UNKNOWNS],
    samples: usize,
    squares: f64,
}

impl Sums {
    fn new() -> Sums {
        let mut matrix = vec![[0.0; UNKNOWNS]; UNKNOWNS];
        for (i, row) in matrix.iter_mut().enumerate() {
            row[i] = RIDGE;
            for other in [i.wrapping_sub(FEATURES), i + FEATURES].into_iter().filter(|&other| other < UNKNOWNS) {
                row[other] = -SMOOTH;
                row[i] += SMOOTH;
            }
        }
        Sums { matrix, right: [0.0; UNKNOWNS], samples: 0, squares: 0.0 }
    }

    /// Takes in a position and the final balance of its game, in discs, both seen by the side to move.
    fn add(&mut self, position: &Position, balance: i32) {
        let target = f64::from(100 * balance);
        let (phase, share) = share(64 - position.empty().count_ones() as usize);
        let features = features(position);
        let parts = [(phase, 1.0 - share), (phase + 1, share)];
        let mut inputs = Vec::with_capacity(2 * FEATURES);
        for (phase, part) in parts.into_iter().filter(|&(_, part)| part > 0.0) {
            inputs.extend(features.iter().enumerate().map(|(i, &x)| (phase * FEATURES + i, part * f64::from(x))));
        }
        for &(i, x) in &inputs {
            self.right[i] += x * target;
            for &(j, y) in &inputs {
                self.matrix[i][j] += x * y;
            }
        }
        self.samples += 1;
        self.squares += target * target;
    }

    /// The weights, and the root of the mean square of what they leave unexplained, in hundredths of a disc.
    fn solve(mut self) -> (Weights, f64) {
        let mut right = self.right;
        for column in 0..UNKNOWNS {
            let size = |row: &usize| self.matrix[*row][column].abs();
            let pivot = (column..UNKNOWNS).max_by(|a, b| size(a).total_cmp(&size(b))).unwrap_or(column);
            self.matrix.swap(column, pivot);
            right.swap(column, pivot);
            let above = self.matrix[column];
            for row in column + 1..UNKNOWNS {
                let factor = self.matrix[row][column] / above[column];
                for (value, above) in self.matrix[row][column..].iter_mut().zip(&above[column..]) {
                    *value -= factor * above;
                }
                right[row] -= factor * right[column];
            }
        }
        for column in (0..UNKNOWNS).rev() {
            let known: f64 = (column + 1..UNKNOWNS).map(|other| self.matrix[column][other] * right[other]).sum();
            right[column] = (right[column] - known) / self.matrix[column][column];
        }
        let explained: f64 = right.iter().zip(&self.right).map(|(weight, sum)| weight * sum).sum();
        let mut weights = [[0; FEATURES]; PHASES];
        for (i, weight) in right.into_iter().enumerate() {
            weights[i / FEATURES][i % FEATURES] = weight.round() as i32;
        }
        (weights, ((self.squares - explained) / self.samples as f64).sqrt())
    }
}

/// The final balance in discs under best play, for the side to move: exact inside the window, a bound outside.
fn solve(position: &Position, mut low: i32, high: i32) -> i32 {
    if position.outcome().is_some() {
        return position.balance();
    }
    let mut moves = Vec::with_capacity(16);
    position.generate(&mut moves);
    if position.empty().count_ones() > 4 {
        moves.sort_by_key(|&mv| position.replies_after(mv));
    }
    let mut best = -64;
    for mv in moves {
        best = best.max(-solve(&position.after(mv), -high, -low));
        low = low.max(best);
        if low >= high {
            break;
        }
    }
    best
}

/// The best of all moves for a search of `DEPTH` plies after them.
fn choose(position: &Position, moves: &[u8], evaluate: &Evaluate) -> u8 {
    let mut never = |_: u32| false;
    let mut book = Textbook::new(evaluate, Path::default(), &mut never);
    let (mut best, mut low) = (PASS, -Score::INFINITY);
    for &mv in moves {
        let score = book.nega_beta(&position.after(mv), DEPTH, -Score::INFINITY, -low).map_or(low, |score| -score);
        if score > low {
            (best, low) = (mv, score);
        }
    }
    if moves.contains(&best) { best } else { moves[0] }
}

/// Plays a game, and takes in its positions.
fn play(rng: &mut Mixer, evaluate: &Evaluate, sums: &mut Sums) {
    let mut position = Position::start();
    let mut seen: Vec<Position> = Vec::new();
    let random = OPENING[0] + rng.below(OPENING[1] - OPENING[0]);
    for ply in 0.. {
        if position.outcome().is_some() || position.empty().count_ones() <= SOLVED {
            break;
        }
        let mut moves = Vec::new();
        position.generate(&mut moves);
        let mv = if ply < random {
            moves[rng.below(moves.len())]
        } else {
            seen.push(position);
            choose(&position, &moves, evaluate)
        };
        position.play(mv);
    }
    // The ending is played on as it was solved, so that late positions are seen too.
    let last = position.side_to_move();
    let balance = solve(&position, -64, 64);
    for position in &seen {
        sums.add(position, if position.side_to_move() == last { balance } else { -balance });
    }
    let mut left = balance;
    while position.outcome().is_none() {
        sums.add(&position, left);
        let mut moves = Vec::new();
        position.generate(&mut moves);
        let best = moves.iter().find(|&&mv| -solve(&position.after(mv), -left - 1, -left + 1) == left);
        position.play(*best.unwrap_or(&moves[0]));
        left = -left;
    }
}

fn main() -> ExitCode {
    let mut rng = Mixer::new(SEED);
    let mut weights = FIRST;
    let mut said = String::new();
    for games in ROUNDS {
        let evaluate = Evaluate::new(&weights);
        let mut sums = Sums::new();
        for _ in 0..games {
            play(&mut rng, &evaluate, &mut sums);
        }
        let samples = sums.samples;
        let left;
        (weights, left) = sums.solve();
        said = format!("{games} games, {samples} positions, {:.2} discs left unexplained", left / 100.0);
        log(&said);
    }
    write_source(&weights, &said)
}

#[allow(clippy::print_stderr, reason = "a program for the terminal")]
fn log(text: &str) {
    eprintln!("{text}");
}

#[allow(clippy::print_stdout, reason = "a program for the terminal")]
fn write_source(weights: &Weights, said: &str) -> ExitCode {
    println!("//! The fitted weights of the evaluation. Floor 2.");
    println!("//!");
    println!("//! Written by `cargo run --release --example fit_othello`, and by nothing else. The last round:");
    println!("//! {said}.");
    println!();
    println!("use super::evaluate::Weights;");
    println!();
    println!("/// A row for each phase, in the order of `features`; hundredths of a disc.");
    println!("pub(super) const FITTED: Weights = [");
    for row in weights {
        let row: Vec<String> = row.iter().map(i32::to_string).collect();
        println!("    [{}],", row.join(", "));
    }
    println!("];");
    ExitCode::SUCCESS
}
