//! Othello: games from random openings by a shallow search, endings solved exactly.

use griot::game::{Mixer, Position as _};
use griot::games::othello::{Evaluate, FEATURES, PASS, PHASES, Position, Weights, features, share};
use griot::score::Score;
use griot::search::Path;
use griot::search::textbook::Textbook;

use super::Fitted;
use super::least_squares::Sums;

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

/// Takes in a position and the final balance of its game, in discs, both seen by the side to move.
fn add(sums: &mut Sums, position: &Position, balance: i32) {
    let phase = share(64 - position.empty().count_ones() as usize);
    sums.add(&features(position), phase, f64::from(100 * balance));
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
        add(sums, position, if position.side_to_move() == last { balance } else { -balance });
    }
    let mut left = balance;
    while position.outcome().is_none() {
        add(sums, &position, left);
        let mut moves = Vec::new();
        position.generate(&mut moves);
        let best = moves.iter().find(|&&mv| -solve(&position.after(mv), -left - 1, -left + 1) == left);
        position.play(*best.unwrap_or(&moves[0]));
        left = -left;
    }
}

/// The weights after all rounds.
pub(crate) fn fit() -> Fitted {
    let mut rng = Mixer::new(SEED);
    let mut weights = FIRST;
    let mut last_round = String::new();
    for games in ROUNDS {
        let evaluate = Evaluate::new(&weights);
        let mut sums = Sums::new(FEATURES, PHASES, RIDGE, SMOOTH);
        for _ in 0..games {
            play(&mut rng, &evaluate, &mut sums);
        }
        let samples = sums.samples;
        let (rows, left) = sums.solve();
        for (weights, row) in weights.iter_mut().zip(rows) {
            weights.copy_from_slice(&row);
        }
        last_round = format!("{games} games, {samples} positions, {:.2} discs left unexplained", left / 100.0);
        eprintln!("{last_round}");
    }
    Fitted { weights: weights.iter().map(|row| row.to_vec()).collect(), last_round }
}
