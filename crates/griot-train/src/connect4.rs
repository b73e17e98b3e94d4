//! Connect Four: games from random openings by a shallow search, and by the best moves near the end.

use griot::game::{Evaluate as _, Notation as _, Position as _, SplitMix64};
use griot::games::connect4::{
    Evaluate, FEATURES, Notation, PHASES, Position, Standard, Style, Weights, features, share,
};
use griot::score::{Meaning, Score};
use griot::search::{Knowledge, NoMemory, Task, TranspositionTable, search};

use super::Fitted;
use super::least_squares::Sums;

const SEED: u64 = 2026;
/// Games of each round; later rounds begin with the weights of the one before.
const ROUNDS: [usize; 3] = [1_000, 3_000, 9_000];
/// Plies searched for each move.
const DEPTH: u32 = 7;
/// Random plies at the beginning of a game: from the first number up to, not including, the second.
const OPENING: [usize; 2] = [1, 17];
/// Free cells from which a game is solved.
const SOLVED: u32 = 20;
/// The target of a won game.
const WON: f64 = 300.0;
/// Ridge penalty, in samples.
const RIDGE: f64 = 20.0;
/// Smoothing between neighbouring phases, in samples.
const SMOOTH: f64 = 300.0;

/// Initial weights of the first round: threats by their rows, and open lines.
const FIRST: Weights = [[50, 0, 0, 5, 10, 0, 50, 20, 0]; PHASES];

/// 1 for a won score, -1 for a lost one, else 0.
fn sign(score: Score) -> i32 {
    match score.meaning() {
        Meaning::Win(_) | Meaning::KnownWin(_) => 1,
        Meaning::Loss(_) | Meaning::KnownLoss(_) => -1,
        Meaning::Units(_) => 0,
    }
}

/// Plays a game, and adds the positions that the evaluation has to judge.
fn play(rng: &mut SplitMix64, evaluate: &Evaluate, table: &TranspositionTable, sums: &mut Sums) {
    let mut position = Notation::new(Standard, Style::Coordinates).start();
    let mut seen: Vec<Position<Standard>> = Vec::new();
    let random = OPENING[0] + rng.below(OPENING[1] - OPENING[0]);
    let mut add = |position: &Position<Standard>, result: i32| {
        let quiet = !evaluate.evaluate(position).is_decisive();
        if quiet {
            sums.add(&features(position), share(position), WON * f64::from(result));
        }
    };
    for ply in 0.. {
        if position.outcome().is_some() {
            break;
        }
        let solved = position.free().count_ones() <= SOLVED;
        let mv = if ply < random && !solved {
            let mut moves = Vec::new();
            position.generate(&mut moves);
            moves[rng.below(moves.len())]
        } else {
            let task = Task::new(position);
            let task = if solved { task } else { Task { depth: DEPTH, ..task } };
            let verdict = search(&task, Knowledge::new(evaluate, &(), table), &mut ());
            if solved {
                add(&position, sign(verdict.score));
            } else {
                seen.push(position);
            }
            verdict.pv[0]
        };
        position.play(mv);
    }
    let last = position.side_to_move();
    let result = position.outcome().map_or(0, |outcome| sign(outcome.score_for(last)));
    for position in &seen {
        add(position, if position.side_to_move() == last { result } else { -result });
    }
}

/// The weights after all rounds.
///
/// # Errors
/// When there is no memory for the transposition table.
pub fn fit() -> Result<Fitted, NoMemory> {
    let mut rng = SplitMix64::new(SEED);
    let mut weights = FIRST;
    let mut last_round = String::new();
    for games in ROUNDS {
        let evaluate = Evaluate::new(weights);
        let table = TranspositionTable::new(1)?;
        let mut sums = Sums::new(FEATURES, PHASES, RIDGE, SMOOTH);
        for _ in 0..games {
            play(&mut rng, &evaluate, &table, &mut sums);
        }
        let samples = sums.samples;
        let (rows, left) = sums.solve();
        for (weights, row) in weights.iter_mut().zip(rows) {
            weights.copy_from_slice(&row);
        }
        last_round = format!("{games} games, {samples} positions, {:.2} wins left unexplained", left / WON);
        eprintln!("{last_round}");
    }
    Ok(Fitted { weights: weights.iter().map(|row| row.to_vec()).collect(), last_round })
}
