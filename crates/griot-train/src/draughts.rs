//! Draughts: fits the weights of the patterns to games of self-play, round after round.
//!
//! A round plays games from random openings by a shallow search with the weights of the round before (the first by counts), and
//! fits the chance of a win to the games of all rounds. The target of a position is the result of its game, mixed with a mean of
//! the values that the search found from there on, each of which weighs less than the one before it. Positions with a capture are
//! left out, as no search evaluates them.
//!
//! CITE: R. Sutton, "Learning to predict by the methods of temporal differences", Machine Learning 3, 1988.

use std::error::Error;
use std::fs;
use std::path::PathBuf;

use clap::Args;
use griot::game::{Notation as _, Outcome, Position as _, SplitMix64};
use griot::games::draughts::patterns::{Patterns, features, features_of, opening_share, regions};
use griot::games::draughts::{Color, Evaluate, Notation, Position, RULES, game, named};
use griot::score::Meaning;
use griot::search::{Knowledge, Task, TranspositionTable, search};

use super::{files, play_on};

/// Games in a file.
const GAMES_A_FILE: usize = 100;
/// Random plies at the beginning of a game: from the first number up to, not including, the second.
const OPENING: [usize; 2] = [2, 12];
/// A game that is longer is a draw.
const LONGEST: usize = 160;
/// A game is won where both sides see so much of a lead for so many plies.
const WON: i32 = 500;
const WON_PLIES: usize = 6;
/// The size of the transposition table, in MiB.
const TABLE: usize = 4;
/// The lead, in hundredths of a man, at which a side wins 73 of 100.
const SCALE: f32 = 120.0;
/// The step of the descent, and the pull of weights towards 0.
const STEP: f32 = 6.0;
const DECAY: f32 = 2e-6;

/// Options of a run.
#[derive(Debug, Args)]
pub struct Options {
    /// The rule set.
    #[arg(long, default_value = "english")]
    rules: String,
    /// Folder of the games and the weights of each round; a run continues with what it finds.
    #[arg(long, default_value = "target/fit-draughts")]
    dir: PathBuf,
    /// Games of each round.
    #[arg(long, default_value_t = 4000)]
    games: usize,
    /// Rounds.
    #[arg(long, default_value_t = 3)]
    rounds: usize,
    /// Plies searched for each move.
    #[arg(long, default_value_t = 6)]
    depth: u32,
    /// Threads for playing.
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Seed of the games.
    #[arg(long, default_value_t = 2026)]
    seed: u64,
    /// The share of the result in a target, besides its part in the mean of a game's last values.
    #[arg(long, default_value_t = 0.0)]
    result: f32,
    /// The weight of a value in a target, to that of the value before it.
    #[arg(long, default_value_t = 0.6)]
    lambda: f32,
    /// Passes over the positions.
    #[arg(long, default_value_t = 4)]
    passes: usize,
}

/// A position with its target: the chance that White wins.
struct Sample {
    features: Vec<(u32, i8)>,
    share: f32,
    target: f32,
}

fn chance(value: f32) -> f32 {
    1.0 / (1.0 + (-value / SCALE).exp())
}

/// Fits the weights and writes them.
pub fn fit(options: &Options) -> Result<(), Box<dyn Error>> {
    let kind = named(&options.rules).ok_or("no such rule set")?;
    let rules = &RULES[usize::from(kind)];
    let dir = options.dir.join(rules.name);
    fs::create_dir_all(&dir)?;
    let mut patterns = Patterns::by_material(rules.size, if rules.flying { 300 } else { 140 });
    let mut kept: Vec<PathBuf> = Vec::new();
    for round in 0..options.rounds {
        let names =
            (0..options.games.div_ceil(GAMES_A_FILE)).map(|number| dir.join(format!("games-{round}-{number:04}.txt")));
        let names: Vec<PathBuf> = names.collect();
        let evaluate = if round == 0 { Evaluate::default() } else { Evaluate::new(patterns.clone()) };
        let played = files::play(&names, format!("round {round}"), options.threads, None, |number| {
            let seed = options.seed ^ (round as u64) << 48 ^ (number as u64) << 16;
            play_file(kind, &evaluate, options.depth, seed)
        })?;
        let (mut taught, mut held_out) = (Vec::new(), Vec::new());
        for file in kept.iter().chain(&played) {
            let samples = read(kind, &fs::read_to_string(file)?, [options.result, options.lambda])?;
            if files::is_held_out(file) { &mut held_out } else { &mut taught }.extend(samples);
        }
        println!("{} round {round}: {} positions, {} held out", rules.name, taught.len(), held_out.len());
        patterns = descend(rules.size, taught, &held_out, options);
        fs::write(dir.join(format!("round-{round}.bin")), patterns.pack())?;
        kept.extend(played);
    }
    let out = PathBuf::from(format!("src/games/draughts/{}.bin", rules.name));
    fs::write(&out, patterns.pack())?;
    println!("{}: {} bytes", out.display(), fs::metadata(&out)?.len());
    Ok(())
}

/// Plays the games of a file: a line for each position, with the result and the value for White.
fn play_file(kind: u8, evaluate: &Evaluate, depth: u32, seed: u64) -> Result<Vec<u8>, String> {
    let mut rng = SplitMix64::new(seed);
    let table = TranspositionTable::new(TABLE).map_err(|error| error.to_string())?;
    let notation = game(kind).notation;
    let mut text = String::new();
    for _ in 0..GAMES_A_FILE {
        table.clear();
        play(&notation, evaluate, depth, &mut rng, &table, &mut text);
    }
    Ok(text.into_bytes())
}

fn play(
    notation: &Notation,
    evaluate: &Evaluate,
    depth: u32,
    rng: &mut SplitMix64,
    table: &TranspositionTable,
    text: &mut String,
) {
    let mut position = notation.start();
    let mut history = Vec::new();
    let random = OPENING[0] + rng.below(OPENING[1] - OPENING[0]);
    let mut seen: Vec<(Position, i32)> = Vec::new();
    let mut ahead = [0; 2];
    let mut result = 0.5;
    for ply in 0..LONGEST {
        let repeats = history.iter().filter(|&&hash| hash == position.hash()).count() >= 2;
        let end = position.outcome().or_else(|| position.outcome_by_history(|| repeats));
        if let Some(outcome) = end {
            result = match outcome {
                Outcome::Draw => 0.5,
                Outcome::Win(side) if position.color_of(side) == Color::White => 1.0,
                Outcome::Win(_) => 0.0,
            };
            break;
        }
        let mut moves = Vec::new();
        position.generate(&mut moves);
        if ply < random {
            play_on(&mut position, moves[rng.below(moves.len())], &mut history);
            continue;
        }
        let task = Task { depth, history: history.clone(), ..Task::new(position) };
        let verdict = search(&task, Knowledge::new(evaluate, &(), table), &mut ());
        let for_white = if position.color_of(position.side_to_move()) == Color::White { 1 } else { -1 };
        let value = for_white
            * match verdict.score.meaning() {
                Meaning::Units(units) => units,
                Meaning::Win(_) | Meaning::KnownWin(_) => 2000,
                Meaning::Loss(_) | Meaning::KnownLoss(_) => -2000,
            };
        if !moves[0].is_capture() {
            seen.push((position, value));
        }
        for (plies, lead) in ahead.iter_mut().zip([value, -value]) {
            *plies = if lead >= WON { *plies + 1 } else { 0 };
        }
        if let Some(side) = ahead.iter().position(|&plies| plies >= WON_PLIES) {
            result = if side == 0 { 1.0 } else { 0.0 };
            break;
        }
        play_on(&mut position, verdict.pv[0], &mut history);
    }
    for (position, value) in seen {
        *text += &format!("{} {result} {value}\n", notation.position_text(&position));
    }
    // An empty line ends a game.
    *text += "\n";
}

/// Reads the games of a file, from the last position of each to its first.
fn read(kind: u8, text: &str, [share, lambda]: [f32; 2]) -> Result<Vec<Sample>, Box<dyn Error>> {
    let notation = game(kind).notation;
    let mut samples = Vec::new();
    for game in text.split("\n\n") {
        let mut mean = None;
        for line in game.lines().filter(|line| !line.is_empty()).rev() {
            let mut words = line.split(' ');
            let (Some(board), Some(result), Some(value)) = (words.next(), words.next(), words.next()) else {
                return Err(format!("not a position with result and value: {line}").into());
            };
            let position = notation.parse_position(board)?;
            let (result, value) = (result.parse::<f32>()?, chance(value.parse()?));
            let from_here = lambda * mean.unwrap_or(result) + (1.0 - lambda) * value;
            mean = Some(from_here);
            let target = share * result + (1.0 - share) * from_here;
            samples.push(Sample { features: features_of(&position), share: opening_share(&position), target });
        }
    }
    Ok(samples)
}

/// The value of a sample by weights of both stages.
fn value(sample: &Sample, weights: &[[f32; 2]]) -> f32 {
    let mix = |of: [f32; 2]| of[0] * sample.share + of[1] * (1.0 - sample.share);
    sample.features.iter().map(|&(feature, count)| f32::from(count) * mix(weights[feature as usize])).sum()
}

/// Finds the weights with the least error by stochastic gradient descent, with a step of its own for each weight.
/// CITE: J. Duchi, E. Hazan, Y. Singer, "Adaptive subgradient methods", JMLR 12, 2011.
fn descend(size: u32, mut taught: Vec<Sample>, held_out: &[Sample], options: &Options) -> Patterns {
    let mut weights = vec![[0.0_f32; 2]; features(size)];
    let man = regions(size) * 6561;
    weights[man] = [100.0; 2];
    let mut sums = vec![[1e-4_f32; 2]; weights.len()];
    let mut rng = SplitMix64::new(options.seed);
    for pass in 0..options.passes {
        for last in (1..taught.len()).rev() {
            taught.swap(last, rng.below(last + 1));
        }
        for sample in &taught {
            let error = chance(value(sample, &weights)) - sample.target;
            for &(feature, count) in &sample.features {
                let shares = [sample.share, 1.0 - sample.share];
                let (weights, sums) = (&mut weights[feature as usize], &mut sums[feature as usize]);
                for stage in 0..2 {
                    let slope = error * f32::from(count) * shares[stage] + DECAY * weights[stage];
                    sums[stage] += slope * slope;
                    weights[stage] -= STEP * slope / sums[stage].sqrt();
                }
            }
        }
        println!("  pass {pass}: error {:.5}, held out {:.5}", loss(&taught, &weights), loss(held_out, &weights));
    }
    let whole = weights.iter().map(|pair| pair.map(|weight| weight.round().clamp(-3000.0, 3000.0) as i16)).collect();
    Patterns::new(size, whole).unwrap_or_else(|| Patterns::by_material(size, 300))
}

/// The mean squared error of the chances.
fn loss(samples: &[Sample], weights: &[[f32; 2]]) -> f64 {
    let sum: f64 =
        samples.iter().map(|sample| f64::from((chance(value(sample, weights)) - sample.target).powi(2))).sum();
    sum / samples.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use griot::game::Evaluate as _;

    use super::*;

    fn options() -> Options {
        let dir = PathBuf::new();
        let rules = "english".into();
        Options { rules, dir, games: 1, rounds: 1, depth: 1, threads: 1, seed: 1, result: 1.0, lambda: 0.8, passes: 2 }
    }

    #[test]
    fn a_descent_learns_what_a_king_is_worth() {
        let kind = named("english").unwrap();
        let notation = game(kind).notation;
        let text: String = ["W:W30,31:B1,K14", "B:W30,31:B1,K14", "W:W30,K19:B1,2", "B:W30,K19:B1,2"]
            .iter()
            .map(|board| format!("{board} {} 0\n\n", if board.contains(",K19") { 1 } else { 0 }))
            .collect::<String>()
            .repeat(200);
        let samples = read(kind, &text, [1.0, 0.8]).unwrap();
        let fitted = Evaluate::new(descend(8, samples, &[], &options()));
        let value = |board: &str| fitted.evaluate(&notation.parse_position(board).unwrap());
        assert!(value("W:W30,K19:B1,2") > value("W:W30,31:B1,2"));
        assert!(value("W:W30,31:B1,K14") < value("W:W30,31:B1,2"));
    }

    #[test]
    fn a_target_mixes_the_result_with_the_values_from_the_position_on() {
        let kind = named("english").unwrap();
        let text = "W:W30,31:B1,K14 1 0\nB:W26,31:B1,K14 1 0\n\nW:W30:B1 0 0\n\n";
        let targets = |mix| read(kind, text, mix).unwrap().iter().map(|sample| sample.target).collect::<Vec<f32>>();
        // From the last position of each game to its first; an even value is a chance of a half.
        assert_eq!(targets([0.0, 0.5]), [0.75, 0.625, 0.25]);
        assert_eq!(targets([1.0, 0.5]), [1.0, 1.0, 0.0]);
        assert_eq!(targets([0.0, 0.0]), [0.5, 0.5, 0.5]);
        assert_eq!(targets([0.5, 0.0]), [0.75, 0.75, 0.25]);
        assert!(read(kind, "W:W30:B1 0\n", [0.0, 0.0]).is_err());
    }

    #[test]
    fn the_same_seed_plays_the_same_games() {
        let kind = named("russian").unwrap();
        let evaluate = Evaluate::new(Patterns::by_material(8, 300));
        let table = TranspositionTable::new(1).unwrap();
        let games = |seed| {
            let mut text = String::new();
            table.clear();
            play(&game(kind).notation, &evaluate, 2, &mut SplitMix64::new(seed), &table, &mut text);
            text
        };
        assert_eq!(games(4), games(4));
        assert_ne!(games(4), games(5));
        let samples = read(kind, &games(4), [0.3, 0.8]).unwrap();
        assert!(samples.iter().all(|sample| (0.0..=1.0).contains(&sample.target)) && samples.len() > 10);
    }
}
