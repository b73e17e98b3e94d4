//! Gomoku: plays games of a short search against itself, and fits the weights of cells and threats to them.
//!
//! A run is a round: it plays with the compiled weights and fits to the games of all rounds found. Files hold `GAMES_A_FILE`
//! games, one a line: `rules|moves|values of the last positions by the search|points of the first player`. Existing games are
//! not played again. The same seed and options give the same weights, with any number of threads.

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use clap::Args;
use griot::game::{Notation as _, Position as _, Side, SplitMix64, mix64};
use griot::games::mnk::{CELLS, Evaluate, FITTED, Features, Notation, Position, Style, THREATS, parse_parameters};
use griot::score::{Meaning, Score};
use griot::search::{Knowledge, Task, TranspositionTable, search};

use super::files;

/// Games in a file.
const GAMES_A_FILE: usize = 100;
/// One game in this many needs exactly five, the others five or more.
const EXACT: usize = 3;
/// Random stones at the beginning of a game: from the first number up to, not including, the second.
const OPENING: [usize; 2] = [1, 9];
/// The random stones lie within this many columns and rows of one cell: from the first number up to, not including, the
/// second.
const NEAR: [usize; 2] = [2, 6];
/// Nodes of the search that tests whether an opening is even.
const JUDGED: u64 = 3_000;
/// The largest lead of either side in an opening, and in one game in four.
const AHEAD: [i32; 2] = [90, 250];
/// Stones after which a game is a draw.
const LONGEST: usize = 150;
/// Positions in a batch.
const BATCH: usize = 1_024;
/// The first step size of a weight, in logistic units; the last one is a hundredth of it.
const STRIDE: f32 = 0.005;
/// Units of the evaluation to one logistic unit.
const UNIT: f32 = 100.0;
/// Shapes of a stone in one direction.
const SHAPES: usize = 15;

/// Options of a run.
#[derive(Debug, Args)]
pub struct Options {
    /// Folder of the games. Existing games are not played again; those of earlier rounds are used for training, too.
    #[arg(long, default_value = "target/fit-gomoku")]
    dir: PathBuf,
    /// Number of games.
    #[arg(long, default_value_t = 12_000)]
    games: usize,
    /// Nodes for each move.
    #[arg(long, default_value_t = 1_000)]
    nodes: u64,
    /// Weight of the game's result, from 0 to 1; the rest is the value by the search.
    #[arg(long, default_value_t = 0.4)]
    result: f32,
    /// Passes over all positions.
    #[arg(long, default_value_t = 12)]
    passes: usize,
    /// Threads for playing.
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Seed of the games.
    #[arg(long, default_value_t = 2026)]
    seed: u64,
    /// File of the weights.
    #[arg(long, default_value = "src/games/mnk/weights.bin")]
    out: PathBuf,
}

/// The rules of the game of this number, by name.
fn rules(number: usize) -> &'static str {
    if number % EXACT == EXACT - 1 { "gomoku" } else { "gomokufreestyle" }
}

fn notation(rules: &str) -> Result<Notation<4>, Box<dyn Error>> {
    Ok(Notation::new(parse_parameters(rules)?, Style::Coordinates))
}

/// Random stones near each other, with neither side much ahead.
fn opening(
    rng: &mut SplitMix64,
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
    rng: &mut SplitMix64,
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

/// Positions with their training targets.
#[derive(Debug, Default)]
struct Samples {
    /// The inputs of each position for the side to move, then for the other side, with their counts.
    inputs: Vec<(u16, u8)>,
    all: Vec<Sample>,
}

/// The target of a position, for the side to move.
#[derive(Debug, Clone, Copy)]
struct Sample {
    /// Where its inputs begin, where those of the other side begin, and where they end.
    at: [usize; 3],
    /// The index of both sides' threats.
    threats: u16,
    /// The value by the search, in units, and the points of the game.
    thought: f32,
    result: f32,
}

/// The inputs of cells with these numbers: the cells, then their single shapes; none for cells without possible lines.
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
    /// Adds a line of a file of games to the samples.
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
            // Positions in which a line can be made need no evaluation.
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

    /// The inputs of a sample for the side to move or for the other side.
    fn inputs(&self, sample: &Sample, role: usize) -> &[(u16, u8)] {
        &self.inputs[sample.at[role]..sample.at[role + 1]]
    }
}

/// The inputs: cells and single shapes, so that rare cells learn from similar ones.
const INPUTS: usize = CELLS + SHAPES;
/// The inputs for the side to move, those for the other side, and the threats of both.
const NUMBERS: usize = 2 * INPUTS + THREATS;

/// The weights in training, in logistic units.
struct Model(Vec<f32>);

fn chance(odds: f32) -> f32 {
    1.0 / (1.0 + (-odds).exp())
}

/// The target of a sample: the probability of a win.
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

    /// Cross entropy of the results, in bits.
    fn left(&self, samples: &Samples) -> f64 {
        let bits = |sample: &Sample| {
            let p = chance(self.odds(samples, sample)).clamp(1e-6, 1.0 - 1e-6);
            f64::from(-sample.result * p.log2() - (1.0 - sample.result) * (1.0 - p).log2())
        };
        samples.all.iter().map(bits).sum::<f64>() / samples.all.len().max(1) as f64
    }

    /// Gradient descent over the samples. CITE: D. Kingma, J. Ba, "Adam: A Method for Stochastic Optimization", 2015.
    fn train(&mut self, samples: &Samples, options: &Options, mut tell: impl FnMut(usize, &Model)) {
        let mut rng = SplitMix64::new(options.seed);
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

    /// The weights, in units: for each cell, two values for the side to move and the other side; then one for each
    /// combination of threats.
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

/// Plays the missing games of this round.
fn play_all(options: &Options) -> Result<(), Box<dyn Error>> {
    let Options { nodes, seed, .. } = *options;
    // Games by other weights are different games, so the file name contains their checksum.
    let by = crc32fast::hash(FITTED);
    let name = |number: usize| options.dir.join(format!("games-{by:08x}-{seed}-{nodes}-{number:04}.txt"));
    let files: Vec<PathBuf> = (0..options.games.div_ceil(GAMES_A_FILE)).map(name).collect();
    files::play(&files, "games".into(), options.threads, None, |number| {
        let table = TranspositionTable::new(4).map_err(|error| error.to_string())?;
        let mut rng = SplitMix64::new(mix64(seed) ^ mix64(number as u64));
        let mut lines = String::new();
        for game in 0..GAMES_A_FILE {
            play(&mut rng, rules(game), nodes, &table, &mut lines).map_err(|error| error.to_string())?;
        }
        Ok(lines.into_bytes())
    })?;
    Ok(())
}

/// Plays a round, fits the weights to all games found, and writes them.
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
