//! Chess: games of a short search against itself, and weights that tell their results and what the search thought.
//!
//! The games are played with the weights that are compiled in, so that each run is a round that begins where the last one ended.
//! CITE: chessprogramming wiki, "Texel's Tuning Method"; D. Kingma, J. Ba, "Adam: A Method for Stochastic Optimization", 2015.

use griot::game::{Evaluate as _, Mixer, Notation as _, Outcome, Position as _, Side};
use griot::games::chess::{PHASES, Position, TERMS, game, terms, weights};
use griot::score::{Meaning, Score};
use griot::search::{Knowledge, NoMemory, Task, TranspositionTable, search};

use super::Fitted;

const SEED: u64 = 2026;
const GAMES: usize = 1_500;
/// Nodes searched for each move.
const NODES: u64 = 500;
/// Random plies at the beginning of a game: from the first number up to, not including, the second.
const OPENING: [usize; 2] = [4, 13];
/// Plies after which a game counts as drawn.
const LONGEST: usize = 300;
/// A game is won from this value on, for so many plies.
const DECIDED: (i32, u32) = (1_200, 6);
/// Hundredths of a pawn that multiply the odds by e.
const SPREAD: f64 = 220.0;
/// What the result of the game counts for, beside what the search thought.
const RESULT: f64 = 0.4;
/// How strongly weights are drawn to where they began, in samples for each hundredth squared.
const RIDGE: f64 = 0.15;
/// Steps of the fit, and how far the first ones go, in hundredths.
const STEPS: usize = 250;
const STRIDE: f64 = 2.0;

/// A position: its terms with the share of the middlegame in each, and how well White stands, from 0 to 1.
struct Sample {
    terms: Vec<(u16, i16)>,
    middle: f32,
    end: f32,
    target: f32,
}

fn chance(units: f64) -> f64 {
    1.0 / (1.0 + (-units / SPREAD).exp())
}

/// Plays a game, and takes in its quiet positions.
fn play(rng: &mut Mixer, table: &TranspositionTable, samples: &mut Vec<Sample>) {
    let game = game();
    let mut position = game.notation.start();
    let mut history: Vec<u64> = Vec::new();
    let mut seen: Vec<(Position, f64)> = Vec::new();
    let (mut decided, mut result) = (0, 0.5);
    let random = OPENING[0] + rng.below(OPENING[1] - OPENING[0]);
    for ply in 0..LONGEST {
        let mut moves = Vec::new();
        let repeats = || history.iter().filter(|&&hash| hash == position.hash()).count() >= 2;
        let end = position.status(&mut moves).or_else(|| position.outcome_by_history(repeats));
        if let Some(outcome) = end {
            result = match outcome {
                Outcome::Win(Side::First) => 1.0,
                Outcome::Win(Side::Second) => 0.0,
                Outcome::Draw => 0.5,
            };
            break;
        }
        let mut mv = moves[rng.below(moves.len())];
        if ply >= random {
            let task = Task { nodes: NODES, history: history.clone(), ..Task::new(position.clone()) };
            let verdict = search(&task, Knowledge::new(&game.evaluate, &(), table), &mut ());
            mv = verdict.pv[0];
            let sign = if position.side_to_move() == Side::First { 1 } else { -1 };
            let units = match verdict.score.meaning() {
                Meaning::Units(units) => sign * units,
                _ if verdict.score > Score::DRAW => sign * 4 * DECIDED.0,
                _ => -sign * 4 * DECIDED.0,
            };
            let is_quiet = position.board().checkers().is_empty() && !game.evaluate.is_noisy(&position, mv);
            if is_quiet && units.abs() < DECIDED.0 {
                seen.push((position.clone(), f64::from(units)));
            }
            decided = if units.abs() >= DECIDED.0 { decided + 1 } else { 0 };
            if decided >= DECIDED.1 {
                result = if units > 0 { 1.0 } else { 0.0 };
                break;
            }
        }
        let next = position.after(mv);
        if position.is_irreversible(&next) {
            history.clear();
        } else {
            history.push(position.hash());
        }
        position = next;
    }
    for (position, units) in seen {
        let found = terms(&position);
        let middle = found.phase as f32 / PHASES as f32;
        samples.push(Sample {
            terms: found.counts.into_iter().map(|(term, count)| (term as u16, count as i16)).collect(),
            middle,
            end: (1.0 - middle) * found.scale as f32,
            target: (RESULT * result + (1.0 - RESULT) * chance(units)) as f32,
        });
    }
}

/// Walks down the slope of the squared error, and answers how much of it is left, as a root of its mean.
fn descend(samples: &[Sample], weights: &mut [[f64; 2]]) -> f64 {
    let began = weights.to_vec();
    let mut moments = vec![[[0.0; 2]; 2]; weights.len()];
    let mut left = 0.0;
    for step in 0..STEPS {
        let mut slope = vec![[0.0; 2]; weights.len()];
        left = 0.0;
        for sample in samples {
            let (middle, end) = (f64::from(sample.middle), f64::from(sample.end));
            let value: f64 = sample
                .terms
                .iter()
                .map(|&(term, count)| {
                    let [a, b] = weights[usize::from(term)];
                    f64::from(count) * (a * middle + b * end)
                })
                .sum();
            let told = chance(value);
            let wrong = told - f64::from(sample.target);
            left += wrong * wrong;
            let by_unit = wrong * told * (1.0 - told);
            for &(term, count) in &sample.terms {
                let [a, b] = &mut slope[usize::from(term)];
                *a += by_unit * f64::from(count) * middle;
                *b += by_unit * f64::from(count) * end;
            }
        }
        let stride = STRIDE * (1.0 - step as f64 / STEPS as f64);
        let warm = |rate: f64| 1.0 - rate.powi(step as i32 + 1);
        for (((weight, began), slope), moments) in weights.iter_mut().zip(&began).zip(&slope).zip(&mut moments) {
            let parts = weight.iter_mut().zip(began).zip(slope).zip(moments);
            for (((weight, began), slope), [mean, square]) in parts {
                let slope = slope + RIDGE * (*weight - began);
                *mean = 0.9 * *mean + 0.1 * slope;
                *square = 0.99 * *square + 0.01 * slope * slope;
                *weight -= stride * (*mean / warm(0.9)) / ((*square / warm(0.99)).sqrt() + 1e-9);
            }
        }
    }
    (left / samples.len() as f64).sqrt()
}

/// The weights after a round, a pair for each term.
pub(crate) fn fit() -> Result<Fitted, NoMemory> {
    let mut rng = Mixer::new(SEED);
    let table = TranspositionTable::new(4)?;
    let mut samples = Vec::new();
    for number in 0..GAMES {
        play(&mut rng, &table, &mut samples);
        if number % 500 == 499 {
            eprintln!("{} games, {} positions", number + 1, samples.len());
        }
    }
    let mut fitted: Vec<[f64; 2]> = weights().iter().map(|pair| pair.map(f64::from)).collect();
    let left = descend(&samples, &mut fitted);
    let rows = fitted.iter().map(|pair| pair.iter().map(|weight| weight.round() as i32).collect()).collect();
    assert_eq!(fitted.len(), TERMS, "a pair for each term");
    let last_round = format!("{GAMES} games, {} positions, {left:.4} of a point left unexplained", samples.len());
    eprintln!("{last_round}");
    Ok(Fitted { weights: rows, last_round })
}
