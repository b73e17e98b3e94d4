//! Gomoku: games of a short search against itself, and what the cells are worth that tells their results and what the search thought.
//!
//! The games are played with the weights that are compiled in, so that each run is a round that begins where the last one ended; the
//! weights are fitted to the games of all rounds that are there. They are kept in files of `GAMES_A_FILE`, a game a line:
//! `rules|moves|what the search thought|points`, the values of the last positions and the points of the first player. What is there
//! already is not played again. The same seed and numbers come to the same weights, with any number of threads.

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use clap::Args;
use griot::game::{Mixer, Notation as _, Position as _, Side, mix64};
use griot::games::mnk::{CELLS, Evaluate, FITTED, Features, Notation, Position, Style, THREATS, parse_parameters};
use griot::score::{Meaning, Score};
use griot::search::{Knowledge, Task, TranspositionTable, search};

use super::files;

/// The games of a file.
const GAMES_A_FILE: usize = 100;
/// One game in so many is of exactly five, the others of five or more.
const EXACT: usize = 3;
/// Random stones at the beginning of a game: from the first number up to, not including, the second.
const OPENING: [usize; 2] = [1, 9];
/// They lie within so many columns and rows of one cell: from the first number up to, not including, the second.
const NEAR: [usize; 2] = [2, 6];
/// Nodes that tell whether an opening is fair.
const JUDGED: u64 = 3_000;
/// The most that either side of an opening may be ahead, and in one game of four.
const AHEAD: [i32; 2] = [90, 250];
/// Stones after which a game is a draw.
const LONGEST: usize = 150;
/// Positions that are looked at before the weights change.
const BATCH: usize = 1_024;
/// The first step of a weight, in logistic units; the last ones go a hundredth as far.
const STRIDE: f32 = 0.005;
/// Units of the evaluation to one logistic unit.
const UNIT: f32 = 100.0;
/// Shapes of a stone in one direction.
const SHAPES: usize = 15;

/// Where the games are kept, and how many.
#[derive(Debug, Args)]
pub struct Options {
    /// Directory for the games. Those that are there are not played again; those of earlier rounds teach, too.
    #[arg(long, default_value = "target/fit-gomoku")]
    dir: PathBuf,
    /// Games.
    #[arg(long, default_value_t = 12_000)]
    games: usize,
    /// Nodes searched for each move.
    #[arg(long, default_value_t = 1_000)]
    nodes: u64,
    /// What the result of the game counts for, from 0 to 1; the rest is what the search thought.
    #[arg(long, default_value_t = 0.4)]
    result: f32,
    /// How often each position is looked at.
    #[arg(long, default_value_t = 12)]
    passes: usize,
    /// Threads that play.
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Another seed, other games.
    #[arg(long, default_value_t = 2026)]
    seed: u64,
    /// Where the weights go.
    #[arg(long, default_value = "src/games/mnk/weights.bin")]
    out: PathBuf,
}

/// The rules of a game of this number, and their name.
fn rules(number: usize) -> &'static str {
    if number % EXACT == EXACT - 1 { "gomoku" } else { "gomokufreestyle" }
}

fn notation(rules: &str) -> Result<Notation<4>, Box<dyn Error>> {
    Ok(Notation::new(parse_parameters(rules)?, Style::Coordinates))
}

/// Random stones near each other, after which neither side is much ahead.
fn opening(
    rng: &mut Mixer,
    evaluate: &Evaluate<4>,
    start: &Position<4>,
    table: &TranspositionTable,
) -> (Position<4>, Vec<u16>) {
    loop {
        let (mut position, mut played) = (*start, Vec::new());
        let stones = OPENING[0] + rng.below(OPENING[1] - OPENING[0]);
        let near = NEAR[0] + rng.below(NEAR[1] - NEAR[0]);
        let side = usize::from(start.parameters().cols());
        let middle = [(); 2].map(|()| side / 3 + rng.below(side / 3));
        let ahead = if rng.below(4) == 0 { AHEAD[1] } else { AHEAD[0] };
        while played.len() < stones && position.outcome().is_none() {
            let mut moves = Vec::new();
            position.generate(&mut moves);
            let [col, row] = middle.map(|at| (at + rng.below(2 * near + 1)).saturating_sub(near).min(side - 1));
            let mv = (row * (side + 1) + col) as u16;
            if moves.contains(&mv) {
                position.play(mv);
                played.push(mv);
            }
        }
        if position.outcome().is_none() {
            table.clear();
            let task = Task { nodes: JUDGED, ..Task::new(position) };
            let score = search(&task, Knowledge::new(evaluate, &(), table), &mut ()).score;
            if matches!(score.meaning(), Meaning::Units(units) if units.abs() <= ahead) {
                return (position, played);
            }
        }
    }
}

/// Plays a game, and writes its line.
fn play(
    rng: &mut Mixer,
    rules: &str,
    nodes: u64,
    table: &TranspositionTable,
    lines: &mut String,
) -> Result<(), Box<dyn Error>> {
    let notation = notation(rules)?;
    let start = notation.start();
    let evaluate = Evaluate::<4>::new(start.parameters());
    let (mut position, mut moves) = opening(rng, &evaluate, &start, table);
    let (mut values, mut first) = (Vec::new(), Score::DRAW);
    table.clear();
    while moves.len() < LONGEST {
        if let Some(outcome) = position.outcome() {
            first = outcome.score_for(Side::First);
            break;
        }
        let task = Task { nodes, ..Task::new(position) };
        let verdict = search(&task, Knowledge::new(&evaluate, &(), table), &mut ());
        let sign = if position.side_to_move() == Side::First { 1 } else { -1 };
        match verdict.score.meaning() {
            Meaning::Units(units) => values.push((sign * units).to_string()),
            _ => {
                first = if sign > 0 { verdict.score } else { -verdict.score };
                break;
            }
        }
        position.play(verdict.pv[0]);
        moves.push(verdict.pv[0]);
    }
    let points = 0.5 + 0.5 * first.cmp(&Score::DRAW) as i8 as f32;
    let mut at = start;
    let mut texts = Vec::new();
    for mv in moves {
        texts.push(notation.move_text(&at, mv));
        at.play(mv);
    }
    writeln!(lines, "{rules}|{}|{}|{points}", texts.join(" "), values.join(" "))?;
    Ok(())
}

/// Positions, with what is to be told of them.
#[derive(Debug, Default)]
struct Samples {
    /// The inputs of each position to the side to move, then to the other side, and how often each comes.
    inputs: Vec<(u16, u8)>,
    all: Vec<Sample>,
}

/// What is to be told of a position, for the side to move.
#[derive(Debug, Clone, Copy)]
struct Sample {
    /// Where its inputs begin, where those of the other side begin, and where they end.
    at: [usize; 3],
    /// What both sides threaten.
    threats: u16,
    /// What the search thought, in units, and the points of the game.
    thought: f32,
    result: f32,
}

/// The inputs of cells with these numbers: the cells, then their shapes one by one; but nothing for what cannot become a line.
fn counted(mut numbers: Vec<u16>, shapes: &[[usize; 4]]) -> Vec<(u16, u8)> {
    numbers.sort_unstable();
    let mut by_shape = [0_u32; SHAPES];
    let mut inputs = Vec::new();
    for same in numbers.chunk_by(|a, b| a == b).filter(|same| same[0] > 0) {
        inputs.push((same[0], same.len() as u8));
        for &shape in &shapes[usize::from(same[0])] {
            by_shape[shape] += same.len() as u32;
        }
    }
    let of_shapes = by_shape.iter().enumerate().skip(1).filter(|&(_, &count)| count > 0);
    inputs.extend(of_shapes.map(|(shape, &count)| ((CELLS + shape) as u16, count.min(u8::MAX.into()) as u8)));
    inputs
}

/// The shapes of each cell, in the order of their numbers.
fn shapes() -> Vec<[usize; 4]> {
    let mut all = Vec::new();
    for d in 0..SHAPES {
        for c in 0..=d {
            for b in 0..=c {
                all.extend((0..=b).map(|a| [a, b, c, d]));
            }
        }
    }
    all
}

impl Samples {
    /// Takes in a line of a file of games.
    fn read(&mut self, line: &str, shapes: &[[usize; 4]]) -> Result<(), Box<dyn Error>> {
        let mut fields = line.split('|');
        let mut field = || fields.next().ok_or("too few fields");
        let (rules, moves, values, points) = (field()?, field()?, field()?, field()?);
        let notation = notation(rules)?;
        let mut position = notation.start();
        let evaluate = Evaluate::<4>::new(position.parameters());
        let moves: Vec<&str> = moves.split_ascii_whitespace().collect();
        let values: Vec<f32> = values.split_ascii_whitespace().map(str::parse).collect::<Result<_, _>>()?;
        let points: f32 = points.parse()?;
        let random = moves.len().checked_sub(values.len()).ok_or("more values than moves")?;
        for (ply, text) in moves.into_iter().enumerate() {
            let value = ply.checked_sub(random).map(|at| values[at]);
            // Where a line is about to be made there is nothing to weigh up.
            if let Some((value, Features { cells, threats })) = value.zip(evaluate.features(&position)) {
                let is_first = position.side_to_move() == Side::First;
                let mut at = [self.inputs.len(); 3];
                for (end, cells) in at[1..].iter_mut().zip(cells) {
                    self.inputs.extend(counted(cells, shapes));
                    *end = self.inputs.len();
                }
                let (thought, result) = if is_first { (value, points) } else { (-value, 1.0 - points) };
                self.all.push(Sample { at, threats, thought, result });
            }
            let mv = notation.parse_move(&position, text)?;
            position.play(mv);
        }
        Ok(())
    }

    /// Reads the games of files.
    fn read_all(files: &[&PathBuf]) -> Result<Samples, Box<dyn Error>> {
        let mut samples = Samples::default();
        let shapes = shapes();
        for file in files {
            for (number, line) in fs::read_to_string(file)?.lines().enumerate() {
                let told = |error| format!("{}: line {}: {error}", file.display(), number + 1);
                samples.read(line, &shapes).map_err(told)?;
            }
        }
        Ok(samples)
    }

    /// The inputs of a sample to a side: to the side to move, or to the other one.
    fn inputs(&self, sample: &Sample, role: usize) -> &[(u16, u8)] {
        &self.inputs[sample.at[role]..sample.at[role + 1]]
    }
}

/// The inputs: the cells, and the shapes one by one, so that what is seldom seen learns from what is like it.
const INPUTS: usize = CELLS + SHAPES;
/// Those to the side to move, those to the other one, and what both threaten.
const NUMBERS: usize = 2 * INPUTS + THREATS;

/// What is fitted, in logistic units.
struct Model(Vec<f32>);

fn chance(odds: f32) -> f32 {
    1.0 / (1.0 + (-odds).exp())
}

/// What is to be told of a sample: the chance to win.
fn aim(sample: &Sample, result: f32) -> f32 {
    result * sample.result + (1.0 - result) * chance(sample.thought / UNIT)
}

impl Model {
    fn odds(&self, samples: &Samples, sample: &Sample) -> f32 {
        let sum = |role: usize| -> f32 {
            let worth = |&(input, count): &(u16, u8)| f32::from(count) * self.0[role * INPUTS + usize::from(input)];
            samples.inputs(sample, role).iter().map(worth).sum()
        };
        sum(0) - sum(1) + self.0[2 * INPUTS + usize::from(sample.threats)]
    }

    /// The bits of the results that are left unexplained.
    fn left(&self, samples: &Samples) -> f64 {
        let bits = |sample: &Sample| {
            let p = chance(self.odds(samples, sample)).clamp(1e-6, 1.0 - 1e-6);
            f64::from(-sample.result * p.log2() - (1.0 - sample.result) * (1.0 - p).log2())
        };
        samples.all.iter().map(bits).sum::<f64>() / samples.all.len().max(1) as f64
    }

    /// Walks down the slopes of the samples. CITE: D. Kingma, J. Ba, "Adam: A Method for Stochastic Optimization", 2015.
    fn train(&mut self, samples: &Samples, options: &Options, mut tell: impl FnMut(usize, &Model)) {
        let mut rng = Mixer::new(options.seed);
        let mut order: Vec<u32> = (0..samples.all.len() as u32).collect();
        let (mut slopes, mut means, mut squares) = (vec![0.0; NUMBERS], vec![0.0; NUMBERS], vec![0.0; NUMBERS]);
        let steps = (options.passes * order.len().div_ceil(BATCH)) as f32;
        let mut step = 0;
        for pass in 0..options.passes {
            for last in (1..order.len()).rev() {
                order.swap(last, rng.below(last + 1));
            }
            for batch in order.chunks(BATCH) {
                slopes.fill(0.0);
                for &number in batch {
                    let sample = &samples.all[number as usize];
                    let slope = chance(self.odds(samples, sample)) - aim(sample, options.result);
                    slopes[2 * INPUTS + usize::from(sample.threats)] += slope;
                    for (role, slope) in [slope, -slope].into_iter().enumerate() {
                        for &(input, count) in samples.inputs(sample, role) {
                            slopes[role * INPUTS + usize::from(input)] += slope * f32::from(count);
                        }
                    }
                }
                step += 1;
                let done = step as f32 / steps;
                let stride = STRIDE * (0.5 * (1.0 + (std::f32::consts::PI * done).cos())).max(0.01);
                let (warm_mean, warm_square) = (1.0 - 0.9_f32.powi(step), 1.0 - 0.999_f32.powi(step));
                for (i, number) in self.0.iter_mut().enumerate() {
                    let slope = slopes[i] / batch.len() as f32;
                    means[i] = 0.9 * means[i] + 0.1 * slope;
                    squares[i] = 0.999 * squares[i] + 0.001 * slope * slope;
                    *number -= stride * (means[i] / warm_mean) / ((squares[i] / warm_square).sqrt() + 1e-7);
                }
            }
            tell(pass, self);
        }
    }

    /// The weights, in units: a row for each cell, to the side to move and to the other one, and a number for all that is threatened.
    fn weights(&self) -> Vec<i16> {
        let worth = |role: usize, cell: usize, shapes: &[usize; 4]| {
            let of_shapes: f32 = shapes.iter().map(|&shape| self.0[role * INPUTS + CELLS + shape]).sum();
            self.0[role * INPUTS + cell] + of_shapes
        };
        let in_units = |worth: f32| (worth * UNIT).round() as i16;
        let cells = shapes().into_iter().enumerate();
        let rows = cells.flat_map(|(cell, shapes)| [0, 1].map(|role| in_units(worth(role, cell, &shapes))));
        rows.chain(self.0[2 * INPUTS..].iter().map(|&worth| in_units(worth))).collect()
    }
}

/// Plays the games of this round, as far as they are not there.
fn play_all(options: &Options) -> Result<(), Box<dyn Error>> {
    let Options { nodes, seed, .. } = *options;
    // Games by other weights are other games.
    let by = crc32fast::hash(FITTED);
    let name = |number: usize| options.dir.join(format!("games-{by:08x}-{seed}-{nodes}-{number:04}.txt"));
    let files: Vec<PathBuf> = (0..options.games.div_ceil(GAMES_A_FILE)).map(name).collect();
    files::play(&files, "games".into(), options.threads, None, |number| {
        let table = TranspositionTable::new(4).map_err(|error| error.to_string())?;
        let mut rng = Mixer::new(mix64(seed) ^ mix64(number as u64));
        let mut lines = String::new();
        for game in 0..GAMES_A_FILE {
            play(&mut rng, rules(game), nodes, &table, &mut lines).map_err(|error| error.to_string())?;
        }
        Ok(lines.into_bytes())
    })?;
    Ok(())
}

/// Plays a round, fits the weights to all games that are there, and writes them.
pub fn fit(options: &Options) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(&options.dir)?;
    play_all(options)?;
    let files = files::files(&options.dir)?;
    let (held_out, taught): (Vec<&PathBuf>, Vec<&PathBuf>) = files.iter().partition(|file| files::is_held_out(file));
    let (taught, held_out) = (Samples::read_all(&taught)?, Samples::read_all(&held_out)?);
    eprintln!("{} positions, {} held out", taught.all.len(), held_out.all.len());
    let mut model = Model(vec![0.0; NUMBERS]);
    model.train(&taught, options, |pass, model| {
        eprintln!(
            "pass {}: {:.4} bits of the results left unexplained where held out",
            pass + 1,
            model.left(&held_out)
        );
    });
    let bytes: Vec<u8> = model.weights().into_iter().flat_map(i16::to_le_bytes).collect();
    files::write(&options.out, &bytes)?;
    Ok(())
}
