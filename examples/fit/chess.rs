//! Chess: games of a short search against itself, and weights that tell their results and what the search thought.
//!
//! The games are played with the weights that are compiled in, so that each run is a round that begins where the last one ended.
//! They are kept in files of [`GAMES_A_FILE`], a position a line: `FEN|what the search thought|result`, hundredths of a pawn and
//! the points of White. What is there already is not played again. The same seed and numbers come to the same weights, with any
//! number of threads.
//! CITE: chessprogramming wiki, "Texel's Tuning Method"; D. Kingma, J. Ba, "Adam: A Method for Stochastic Optimization", 2015.

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;

use clap::Args;
use griot::game::{Evaluate as _, Mixer, Notation as _, Outcome, Position as _, Side, mix64};
use griot::games::chess::{PHASES, Position, TERMS, game, terms, weights};
use griot::score::{Meaning, Score};
use griot::search::{Knowledge, Task, TranspositionTable, search};

use super::{Fitted, kept};

/// The games of a file.
const GAMES_A_FILE: usize = 100;
/// One file in so many is held out, to see what the weights are worth on games they were not fitted to.
const HELD_OUT: usize = 20;
/// Random plies at the beginning of a game: from the first number up to, not including, the second.
const OPENING: [usize; 2] = [4, 13];
/// Plies after which a game counts as drawn.
const LONGEST: usize = 300;
/// A game is won from this value on, for so many plies.
const DECIDED: (i32, u32) = (1_200, 6);
/// Steps of the fit, and how far the first ones go, in hundredths.
const STEPS: usize = 400;
const STRIDE: f64 = 2.0;
/// Parts whose slopes are summed one after the other, so that the number of threads changes nothing.
const PARTS: usize = 32;

/// Where the games are kept, and how many.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Directory for the games. Those that are there are not played again; those of earlier rounds teach, too.
    #[arg(long, default_value = "target/fit-chess")]
    dir: PathBuf,
    /// Games.
    #[arg(long, default_value_t = 16_000)]
    games: usize,
    /// Nodes searched for each move.
    #[arg(long, default_value_t = 1_000)]
    nodes: u64,
    /// What the result of the game counts for, from 0 to 1; the rest is what the search thought. All positions of a game share its
    /// result, so that much of it asks for many games.
    #[arg(long, default_value_t = 0.4)]
    result: f64,
    /// How strongly weights are drawn to where they began; more, and what few positions say counts less.
    #[arg(long, default_value_t = 0.15)]
    ridge: f64,
    /// Threads that play and fit.
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Another seed, other games.
    #[arg(long, default_value_t = 2026)]
    seed: u64,
}

/// A position: its terms with the share of the middlegame in each, and how well White stands, from 0 to 1: by what the search
/// thought, and by the result.
struct Sample {
    terms: Box<[(u16, i16)]>,
    middle: f32,
    end: f32,
    thought: f32,
    result: f32,
}

/// What is to be told of a position.
#[derive(Clone, Copy)]
struct Aim {
    /// The share of the result in it; the rest is what the search thought.
    result: f64,
    /// So many hundredths of a pawn multiply the odds by e.
    spread: f64,
}

impl Sample {
    /// The sample of a line of a file.
    fn parse(line: &str) -> Option<Sample> {
        let mut fields = line.split('|');
        let position = game().notation.parse_position(fields.next()?).ok()?;
        let [thought, result] = [fields.next()?, fields.next()?].map(|number| number.parse().ok());
        let found = terms(&position);
        let middle = found.phase as f32 / PHASES as f32;
        Some(Sample {
            terms: found.counts.into_iter().map(|(term, count)| (term as u16, count as i16)).collect(),
            middle,
            end: (1.0 - middle) * found.scale as f32,
            thought: thought?,
            result: result?,
        })
    }

    /// What these weights make of it, in hundredths of a pawn.
    fn value(&self, weights: &[[f64; 2]]) -> f64 {
        let (middle, end) = (f64::from(self.middle), f64::from(self.end));
        let worth = |&(term, count): &(u16, i16)| {
            let [a, b] = weights[usize::from(term)];
            f64::from(count) * (a * middle + b * end)
        };
        self.terms.iter().map(worth).sum()
    }

    /// How far White's chances by a value are from what is to be told, and the chances.
    fn wrong(&self, value: f64, Aim { result, spread }: Aim) -> (f64, f64) {
        let target = result * f64::from(self.result) + (1.0 - result) * chance(f64::from(self.thought), spread);
        let told = chance(value, spread);
        (told - target, told)
    }
}

fn chance(units: f64, spread: f64) -> f64 {
    1.0 / (1.0 + (-units / spread).exp())
}

/// Reads the positions of files.
fn read(files: &[&PathBuf]) -> Result<Vec<Sample>, Box<dyn Error>> {
    let mut samples = Vec::new();
    for file in files {
        for (number, line) in fs::read_to_string(file)?.lines().enumerate() {
            let sample = Sample::parse(line);
            samples.push(
                sample.ok_or_else(|| format!("{}: line {}: not a position of this fit", file.display(), number + 1))?,
            );
        }
    }
    Ok(samples)
}

/// Plays a game, and writes its quiet positions.
fn play(rng: &mut Mixer, nodes: u64, table: &TranspositionTable, lines: &mut String) {
    let game = game();
    let mut position = game.notation.start();
    let mut history: Vec<u64> = Vec::new();
    let mut seen: Vec<(Position, i32)> = Vec::new();
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
            let task = Task { nodes, history: history.clone(), ..Task::new(position.clone()) };
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
                seen.push((position.clone(), units));
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
        let _ = writeln!(lines, "{}|{units}|{result}", game.notation.position_text(&position));
    }
}

/// The root of the mean squared error of these weights, in points of a game.
fn left(samples: &[Sample], weights: &[[f64; 2]], aim: Aim) -> f64 {
    let squares: f64 = samples.iter().map(|sample| sample.wrong(sample.value(weights), aim).0.powi(2)).sum();
    (squares / samples.len().max(1) as f64).sqrt()
}

/// The spread by which the values of the search tell the results of its games best: what the weights began with keeps its scale.
fn spread_of(samples: &[Sample]) -> f64 {
    let wrong = |spread: f64| -> f64 {
        let one = |sample: &Sample| (chance(f64::from(sample.thought), spread) - f64::from(sample.result)).powi(2);
        samples.iter().map(one).sum()
    };
    let spreads = (10..60).map(|tens| f64::from(10 * tens));
    spreads.min_by(|&a, &b| wrong(a).total_cmp(&wrong(b))).unwrap_or(220.0)
}

/// The slope of the squared error over some samples.
fn slope_of(samples: &[Sample], weights: &[[f64; 2]], aim: Aim) -> Vec<[f64; 2]> {
    let mut slope = vec![[0.0; 2]; weights.len()];
    for sample in samples {
        let (wrong, told) = sample.wrong(sample.value(weights), aim);
        let by_unit = wrong * told * (1.0 - told);
        for &(term, count) in &sample.terms {
            let [a, b] = &mut slope[usize::from(term)];
            *a += by_unit * f64::from(count) * f64::from(sample.middle);
            *b += by_unit * f64::from(count) * f64::from(sample.end);
        }
    }
    slope
}

/// [`slope_of`] all samples, by threads.
fn slope(samples: &[Sample], weights: &[[f64; 2]], aim: Aim, threads: usize) -> Vec<[f64; 2]> {
    let parts: Vec<&[Sample]> = samples.chunks(samples.len().div_ceil(PARTS).max(1)).collect();
    let shares = parts.chunks(parts.len().div_ceil(threads.max(1)).max(1));
    let mut sum = vec![[0.0; 2]; weights.len()];
    thread::scope(|scope| {
        let of = |share: &&[Sample]| slope_of(share, weights, aim);
        let workers: Vec<_> =
            shares.map(|share| scope.spawn(move || share.iter().map(of).collect::<Vec<_>>())).collect();
        for part in workers.into_iter().filter_map(|worker| worker.join().ok()).flatten() {
            for (sum, part) in sum.iter_mut().zip(part) {
                *sum = [sum[0] + part[0], sum[1] + part[1]];
            }
        }
    });
    sum
}

/// Walks down the slope of the squared error.
fn descend(samples: &[Sample], held_out: &[Sample], aim: Aim, options: &Options, weights: &mut [[f64; 2]]) {
    let Options { ridge, threads, .. } = *options;
    let began = weights.to_vec();
    let mut moments = vec![[[0.0; 2]; 2]; weights.len()];
    for step in 0..STEPS {
        if step % 50 == 0 {
            eprintln!(
                "step {step}: {:.5} left, {:.5} held out",
                left(samples, weights, aim),
                left(held_out, weights, aim)
            );
        }
        let slope = slope(samples, weights, aim, threads);
        let stride = STRIDE * (1.0 - step as f64 / STEPS as f64);
        let warm = |rate: f64| 1.0 - rate.powi(step as i32 + 1);
        for (((weight, began), slope), moments) in weights.iter_mut().zip(&began).zip(&slope).zip(&mut moments) {
            let parts = weight.iter_mut().zip(began).zip(slope).zip(moments);
            for (((weight, began), slope), [mean, square]) in parts {
                let slope = slope + ridge * (*weight - began);
                *mean = 0.9 * *mean + 0.1 * slope;
                *square = 0.99 * *square + 0.01 * slope * slope;
                *weight -= stride * (*mean / warm(0.9)) / ((*square / warm(0.99)).sqrt() + 1e-9);
            }
        }
    }
}

/// The weights after a round, a pair for each term.
pub(crate) fn fit(options: &Options) -> Result<Fitted, Box<dyn Error>> {
    fs::create_dir_all(&options.dir)?;
    play_all(options)?;
    let files = files(&options.dir)?;
    let is_held_out = |file: &&PathBuf| number_of(file).is_some_and(|number| number.is_multiple_of(HELD_OUT));
    let (held_out, taught): (Vec<&PathBuf>, Vec<&PathBuf>) = files.iter().partition(is_held_out);
    let (taught, held_out) = (read(&taught)?, read(&held_out)?);
    let aim = Aim { result: options.result, spread: spread_of(&taught) };
    let (count, held) = (taught.len(), held_out.len());
    eprintln!("{count} positions, {held} held out, {} hundredths multiply the odds by e", aim.spread);
    let mut fitted: Vec<[f64; 2]> = weights().iter().map(|pair| pair.map(f64::from)).collect();
    assert_eq!(fitted.len(), TERMS, "a pair for each term");
    let before = left(&held_out, &fitted, aim);
    descend(&taught, &held_out, aim, options, &mut fitted);
    let after = left(&held_out, &fitted, aim);
    let rows = fitted.iter().map(|pair| pair.iter().map(|weight| weight.round() as i32).collect()).collect();
    let last_round = format!(
        "{} games at {} nodes a move, {} of them by the weights before, seed {}, {} positions, the result for\n\
         //! {} of the aim; of those held out, {after:.4} of a point is left unexplained, and was {before:.4} before",
        GAMES_A_FILE * files.len(),
        options.nodes,
        options.games,
        options.seed,
        taught.len(),
        options.result,
    );
    eprintln!("{last_round}");
    Ok(Fitted { weights: rows, last_round })
}

/// The files of games in a directory, of earlier rounds too, in the order of their names.
fn files(dir: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let found = fs::read_dir(dir)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>()?;
    let mut files: Vec<PathBuf> = found.into_iter().filter(|file| number_of(file).is_some()).collect();
    files.sort();
    Ok(files)
}

/// The number of a file of games in its round, if it is one.
fn number_of(file: &Path) -> Option<usize> {
    let name = file.file_name()?.to_str()?.strip_prefix("games-")?.strip_suffix(".txt")?;
    name.rsplit('-').next()?.parse().ok()
}

/// Plays the games of this round, as far as they are not there.
fn play_all(options: &Options) -> Result<(), Box<dyn Error>> {
    let Options { nodes, seed, .. } = *options;
    // Games by other weights are other games.
    let by = weights().iter().flatten().fold(0, |sum, &weight| mix64(sum ^ u64::from(weight as u16))) >> 32;
    let name = |number: usize| options.dir.join(format!("games-{by:08x}-{seed}-{nodes}-{number:04}.txt"));
    let files: Vec<PathBuf> = (0..options.games.div_ceil(GAMES_A_FILE)).map(name).collect();
    kept::play(&files, "games".into(), options.threads, None, |number| {
        let table = TranspositionTable::new(1).map_err(|error| error.to_string())?;
        let mut rng = Mixer::new(mix64(seed) ^ mix64(number as u64));
        let mut lines = String::new();
        for _ in 0..GAMES_A_FILE {
            table.clear();
            play(&mut rng, nodes, &table, &mut lines);
        }
        Ok(lines.into_bytes())
    })?;
    Ok(())
}
