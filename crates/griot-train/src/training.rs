//! Training of a [`network`](griot::game::network): samples, gradients, and Adam.
//!
//! The same samples and options give the same network with any number of threads: a batch is cut into `PARTS` parts, whose
//! gradients are summed in order. CITE: D. Kingma, J. Ba, "Adam: A Method for Stochastic Optimization", 2015; I. Loshchilov,
//! F. Hutter, "Decoupled Weight Decay Regularization", 2019.

use std::array;
use std::error::Error;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::thread;

use griot::game::SplitMix64;
use griot::game::network::{GREATEST, GREATEST_OUTPUT, ONE, OUTPUT_ONE};

use super::files;

/// Samples in a batch.
const BATCH: usize = 4_096;
/// Parts of a batch.
const PARTS: usize = 4;
/// Sums worked on at a time, for all samples of a part: so few that their share of all input rows stays in the processor's second
/// cache. Their number divides every network's.
const COLUMNS: usize = 64;
/// Files whose samples are in memory twice while they are read.
const FILES_AT_ONCE: usize = 64;
/// Fewer than twice so many samples choose the spread.
const MOST_FOR_SPREAD: usize = 1 << 22;
/// Size of the last steps, relative to the first ones.
const LAST_STRIDE: f32 = 0.01;

/// Positions with their training targets.
#[derive(Debug, Default)]
pub struct Samples {
    /// The inputs of each position for the side to move, then as many for the other side.
    inputs: Vec<u16>,
    all: Vec<Sample>,
}

/// The target of a position, for the side to move. Values are in the units of the evaluation.
#[derive(Debug, Clone, Copy)]
pub struct Told {
    /// The bucket.
    pub bucket: usize,
    /// The value known without the network, which learns the rest.
    pub known: f32,
    /// The value by the search.
    pub thought: f32,
    /// The points of the game, from 0 to 1.
    pub result: f32,
}

impl Told {
    /// The same position for the other side.
    pub fn for_the_other(self) -> Told {
        Told { known: -self.known, thought: -self.thought, result: 1.0 - self.result, ..self }
    }
}

/// A position and its [`Told`], in 24 bytes: there are a hundred million of them.
#[derive(Debug, Clone, Copy)]
struct Sample {
    /// Where its inputs begin, and how many each side has.
    first: usize,
    count: u8,
    bucket: u8,
    known: f32,
    thought: f32,
    result: f32,
}

impl Sample {
    fn told(&self) -> Told {
        let &Sample { bucket, known, thought, result, .. } = self;
        Told { bucket: bucket.into(), known, thought, result }
    }
}

/// The target of training.
#[derive(Debug, Clone, Copy)]
pub struct Aim {
    /// The share of the result; the rest is the value by the search.
    pub result: f32,
    /// Units that multiply the odds by e.
    pub spread: f32,
    /// Units of the network's number 1.
    pub scale: f32,
}

impl Aim {
    fn of(self, told: &Told) -> f32 {
        self.result * told.result + (1.0 - self.result) * chance(told.thought / self.spread)
    }
}

fn chance(odds: f32) -> f32 {
    1.0 / (1.0 + (-odds).exp())
}

impl Samples {
    /// Adds a position with equally many inputs for the side to move and for the other side.
    pub fn add(&mut self, seen: [impl IntoIterator<Item = usize>; 2], told: Told) {
        let first = self.inputs.len();
        self.inputs.extend(seen.into_iter().flatten().map(|input| input as u16));
        let count = ((self.inputs.len() - first) / 2) as u8;
        let Told { bucket, known, thought, result } = told;
        self.all.push(Sample { first, count, bucket: bucket as u8, known, thought, result });
    }

    /// Adds the samples of another file.
    fn append(&mut self, other: Samples) {
        let before = self.inputs.len();
        self.inputs.extend(other.inputs);
        self.all.extend(other.all.into_iter().map(|sample| Sample { first: before + sample.first, ..sample }));
    }

    /// The number of positions.
    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    /// The spread that makes the search's values predict the results best, in tens of units.
    pub fn spread(&self, tens: Range<u32>) -> f32 {
        let step = self.all.len() / MOST_FOR_SPREAD + 1;
        let wrong = |spread: f32| -> f64 {
            let one = |sample: &Sample| f64::from(chance(sample.thought / spread) - sample.result).powi(2);
            self.all.iter().step_by(step).map(one).sum()
        };
        let spreads = tens.map(|tens| (10 * tens) as f32);
        spreads.min_by(|&a, &b| wrong(a).total_cmp(&wrong(b))).unwrap_or(1.0)
    }

    /// The inputs of a sample for the side to move and the other side.
    fn seen(&self, sample: &Sample) -> [&[u16]; 2] {
        let count = usize::from(sample.count);
        let (own, theirs) = self.inputs[sample.first..sample.first + 2 * count].split_at(count);
        [own, theirs]
    }
}

/// The targets that `take_in` adds to samples, in that order; `None` if it says so.
#[cfg(test)]
pub(crate) fn told_by(take_in: impl FnOnce(&mut Samples) -> Option<()>) -> Option<Vec<Told>> {
    let mut samples = Samples::default();
    take_in(&mut samples)?;
    Some(samples.all.iter().map(Sample::told).collect())
}

/// The same as pairs of value and result.
#[cfg(test)]
pub(crate) fn targets_by(take_in: impl FnOnce(&mut Samples) -> Option<()>) -> Vec<(f32, f32)> {
    told_by(take_in).expect("a game").iter().map(|told| (told.thought, told.result)).collect()
}

/// Numbers of some columns, in whole cache lines.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
struct Block([f32; COLUMNS]);

impl Block {
    const ZERO: Block = Block([0.0; COLUMNS]);

    fn add(&mut self, other: &Block) {
        self.0.iter_mut().zip(other.0).for_each(|(number, other)| *number += other);
    }
}

/// The numbers of a network in training, or their gradient.
#[derive(Debug, Clone)]
pub struct Weights<const INPUTS: usize, const HIDDEN: usize, const BUCKETS: usize> {
    /// The rows of the inputs, the biases, and for each bucket the output weights of the side to move and of the other
    /// side: first the first columns of all of them, and so on.
    blocks: Vec<Block>,
    output_bias: [f32; BUCKETS],
}

impl<const INPUTS: usize, const HIDDEN: usize, const BUCKETS: usize> Weights<INPUTS, HIDDEN, BUCKETS> {
    const ROWS: usize = INPUTS + 1 + 2 * BUCKETS;
    /// Blocks in a row.
    const BLOCKS: usize = {
        assert!(HIDDEN.is_multiple_of(COLUMNS));
        HIDDEN / COLUMNS
    };
    /// Numbers in the rows. Those of a network are counted row by row; the output biases come behind.
    const IN_ROWS: usize = Self::ROWS * HIDDEN;

    fn nothing() -> Self {
        Weights { blocks: vec![Block::ZERO; Self::ROWS * Self::BLOCKS], output_bias: [0.0; BUCKETS] }
    }

    /// Small random weights, those of inputs within ±`of_inputs`, and sums that begin at `bias`. The more inputs are active, the
    /// smaller must their weights be, as sums beyond 0 and 1 learn nothing.
    pub fn random(seed: u64, of_inputs: f32, bias: f32) -> Self {
        let mut rng = SplitMix64::new(seed);
        let mut weights = Self::nothing();
        for number in 0..Self::IN_ROWS {
            let row = number / HIDDEN;
            *weights.number_mut(number) =
                if row == INPUTS { bias } else { random(&mut rng, if row < INPUTS { of_inputs } else { 0.1 }) };
        }
        weights
    }

    fn numbers(&self) -> impl Iterator<Item = f32> {
        let in_rows = (0..Self::IN_ROWS).map(|number| {
            let (block, column) = Self::place(number);
            self.blocks[block].0[column]
        });
        in_rows.chain(self.output_bias)
    }

    fn number_mut(&mut self, number: usize) -> &mut f32 {
        if number >= Self::IN_ROWS {
            return &mut self.output_bias[number - Self::IN_ROWS];
        }
        let (block, column) = Self::place(number);
        &mut self.blocks[block].0[column]
    }

    /// The block of a number of the rows, and where it is in there.
    const fn place(number: usize) -> (usize, usize) {
        let (row, column) = (number / HIDDEN, number % HIDDEN);
        (column / COLUMNS * Self::ROWS + row, column % COLUMNS)
    }

    /// The output row of the side to move, or of the other side.
    const fn behind(bucket: usize, is_other: bool) -> usize {
        INPUTS + 1 + 2 * bucket + is_other as usize
    }

    /// The weights of a network in fixed-point numbers.
    pub fn of_numbers(numbers: &[i16]) -> Self {
        let mut weights = Self::nothing();
        for (number, (&fixed, one)) in numbers.iter().zip(Self::ones()).enumerate() {
            *weights.number_mut(number) = f32::from(fixed) / one;
        }
        weights
    }

    /// The fixed-point numbers of the network.
    pub fn fixed(&self) -> Vec<i16> {
        self.numbers().zip(Self::ones()).map(|(number, one)| (number * one).round() as i16).collect()
    }

    /// The fixed-point 1 of each number of a network.
    fn ones() -> impl Iterator<Item = f32> {
        let (one, output_one) = (f32::from(ONE), f32::from(OUTPUT_ONE));
        let counts = [(INPUTS + 1) * HIDDEN, BUCKETS * 2 * HIDDEN, BUCKETS];
        let ones = counts.into_iter().zip([one, output_one, one * output_one]);
        ones.flat_map(|(count, one)| std::iter::repeat_n(one, count))
    }

    /// The sums of samples for the side to move and the other side, into `sums`: first the first columns of all samples.
    fn sum(&self, samples: &Samples, part: &[Sample], sums: &mut Vec<[Block; 2]>) {
        sums.clear();
        for rows in self.blocks.chunks_exact(Self::ROWS) {
            sums.extend(part.iter().map(|sample| {
                samples.seen(sample).map(|seen| {
                    let mut sum = rows[INPUTS];
                    seen.iter().for_each(|&input| sum.add(&rows[usize::from(input)]));
                    sum
                })
            }));
        }
    }

    /// The output of the network for a sample, in log odds, by its sums: every `step`th of these blocks.
    fn value(&self, sample: &Sample, sums: &[[Block; 2]], step: usize, aim: Aim) -> f32 {
        let bucket = usize::from(sample.bucket);
        // Eight sums in parallel.
        let mut parts = [0.0_f32; 8];
        for side in [false, true] {
            let weights = self.blocks[Self::behind(bucket, side)..].iter().step_by(Self::ROWS);
            for (sums, weights) in sums.iter().step_by(step).zip(weights) {
                let sums = sums[usize::from(side)].0.as_chunks::<8>().0;
                for (sums, weights) in sums.iter().zip(weights.0.as_chunks::<8>().0) {
                    for ((part, sum), weight) in parts.iter_mut().zip(sums).zip(weights) {
                        let within = sum.clamp(0.0, 1.0);
                        *part += within * within * weight;
                    }
                }
            }
        }
        let value = parts.iter().sum::<f32>() + self.output_bias[bucket];
        (sample.known + value * aim.scale) / aim.spread
    }

    /// The outputs for samples, as [`Weights::value`] tells; their sums go to `sums`.
    fn values(&self, samples: &Samples, part: &[Sample], aim: Aim, sums: &mut Vec<[Block; 2]>) -> Vec<f32> {
        self.sum(samples, part, sums);
        let value = |(number, sample)| self.value(sample, &sums[number..], part.len(), aim);
        part.iter().enumerate().map(value).collect()
    }

    /// Adds the gradient of the squared errors of samples, whose sums go to `sums`.
    fn add_slopes(&mut self, of: &Self, samples: &Samples, part: &[Sample], aim: Aim, sums: &mut Vec<[Block; 2]>) {
        let mut outer = of.values(samples, part, aim, sums);
        for (sample, slope) in part.iter().zip(&mut outer) {
            let told = chance(*slope);
            *slope = (told - aim.of(&sample.told())) * told * (1.0 - told) * aim.scale / aim.spread;
            self.output_bias[usize::from(sample.bucket)] += *slope;
        }
        let blocks = self.blocks.chunks_exact_mut(Self::ROWS).zip(of.blocks.chunks_exact(Self::ROWS));
        for ((rows, of), sums) in blocks.zip(sums.chunks_exact(part.len().max(1))) {
            for ((sample, sums), slope) in part.iter().zip(sums).zip(&outer) {
                for (side, seen) in samples.seen(sample).into_iter().enumerate() {
                    let row = Self::behind(sample.bucket.into(), side > 0);
                    let (sums, weights, slopes) = (&sums[side].0, &of[row].0, &mut rows[row].0);
                    let behind = Block(array::from_fn(|i| {
                        let within = sums[i].clamp(0.0, 1.0);
                        slopes[i] += slope * within * within;
                        if within == sums[i] { 2.0 * slope * weights[i] * within } else { 0.0 }
                    }));
                    rows[INPUTS].add(&behind);
                    seen.iter().for_each(|&input| rows[usize::from(input)].add(&behind));
                }
            }
        }
    }

    /// The root of the mean squared error, in points of a game, of the first of every `step` samples.
    pub fn left(&self, samples: &Samples, aim: Aim, step: usize, threads: usize) -> f64 {
        let looked_at: Vec<Sample> = samples.all.iter().step_by(step).copied().collect();
        let mut wrong = vec![0.0; looked_at.len().div_ceil(BATCH)];
        let mut parts: Vec<_> = looked_at.chunks(BATCH).zip(&mut wrong).collect();
        in_shares(&mut parts, threads, |share| {
            let mut sums = Vec::new();
            for (part, wrong) in share {
                let values = self.values(samples, part, aim, &mut sums);
                let one = |(sample, value): (&Sample, f32)| f64::from(chance(value) - aim.of(&sample.told())).powi(2);
                **wrong = part.iter().zip(values).map(one).sum();
            }
        });
        (wrong.iter().sum::<f64>() / looked_at.len().max(1) as f64).sqrt()
    }
}

/// Lets each thread work on a share of the items.
fn in_shares<I: Send>(items: &mut [I], threads: usize, work: impl Fn(&mut [I]) + Sync) {
    let share = items.len().div_ceil(threads.max(1)).max(1);
    thread::scope(|scope| items.chunks_mut(share).for_each(|share| drop(scope.spawn(|| work(share)))));
}

/// A random number between -`limit` and `limit`.
fn random(rng: &mut SplitMix64, limit: f32) -> f32 {
    ((rng.below(1 << 20) as f32) / (1 << 19) as f32 - 1.0) * limit
}

/// The schedule of training.
#[derive(Debug, Clone, Copy)]
pub struct Walk {
    /// Passes over the samples.
    pub passes: usize,
    /// Size of the first steps.
    pub stride: f32,
    /// Weight decay: the share of each weight that a step of size 1 takes away, besides its gradient. It lessens overfitting where
    /// there are few games.
    pub decay: f32,
    /// The number of threads; it does not change the result.
    pub threads: usize,
    /// The seed of the first weights and of the order of the samples.
    pub seed: u64,
    /// The greatest weight of an input: with as many as are active, no sum may overflow.
    pub greatest: f32,
}

/// A training run.
#[derive(Debug)]
pub struct Lesson<'a> {
    /// The directory of the games, of earlier rounds too.
    pub dir: &'a Path,
    /// See [`Aim::result`].
    pub result: f32,
    /// The spreads that are tried, in tens of units.
    pub spreads: Range<u32>,
    /// See [`Aim::scale`].
    pub scale: i32,
    /// Its schedule.
    pub walk: Walk,
    /// File of the network.
    pub out: &'a Path,
}

impl Lesson<'_> {
    /// Trains a network on all games found, prints its error after each pass, and writes it. An interrupted run leaves the network of
    /// its last pass in a file beside it, with the extension `pass`. `take_in` adds a line of a file, or returns `None` if it is invalid.
    pub fn teach<const INPUTS: usize, const HIDDEN: usize, const BUCKETS: usize>(
        &self,
        mut weights: Weights<INPUTS, HIDDEN, BUCKETS>,
        take_in: impl Fn(&mut Samples, &str) -> Option<()> + Sync,
    ) -> Result<(), Box<dyn Error>> {
        let threads = self.walk.threads;
        let files = files::files(self.dir)?;
        let (held_out, taught): (Vec<&PathBuf>, Vec<&PathBuf>) =
            files.iter().partition(|file| files::is_held_out(file));
        let (taught, held_out) = (read(&taught, threads, &take_in)?, read(&held_out, threads, &take_in)?);
        let aim = Aim { result: self.result, spread: taught.spread(self.spreads.clone()), scale: self.scale as f32 };
        eprintln!(
            "{} positions, {} held out, {} hundredths multiply the odds by e",
            taught.len(),
            held_out.len(),
            aim.spread
        );
        // As many of those taught as are held out: what a network explains only where it was taught, more games would teach.
        let left = |weights: &Weights<INPUTS, HIDDEN, BUCKETS>| {
            let left = |samples, step| weights.left(samples, aim, step, threads);
            let (held_out, taught) = (left(&held_out, 1), left(&taught, files::HELD_OUT));
            format!("{held_out:.5} of a point left unexplained where held out, {taught:.5} where taught")
        };
        eprintln!("before: {}", left(&weights));
        let so_far = self.out.with_extension("pass");
        train(&mut weights, &taught, aim, self.walk, |pass, weights| {
            eprintln!("pass {}: {}", pass + 1, left(weights));
            let bytes: Vec<u8> = weights.fixed().into_iter().flat_map(i16::to_le_bytes).collect();
            files::write(&so_far, &bytes)
        })?;
        if self.walk.passes > 0 {
            fs::rename(&so_far, self.out).map_err(|error| format!("{}: {error}", self.out.display()))?;
        }
        Ok(())
    }
}

/// Reads the positions of files.
fn read(
    files: &[&PathBuf],
    threads: usize,
    take_in: impl Fn(&mut Samples, &str) -> Option<()> + Sync,
) -> Result<Samples, Box<dyn Error>> {
    let mut all = Samples::default();
    for files in files.chunks(FILES_AT_ONCE) {
        let mut read: Vec<(&PathBuf, Result<Samples, String>)> =
            files.iter().map(|&file| (file, Ok(Samples::default()))).collect();
        in_shares(&mut read, threads, |share| {
            share.iter_mut().for_each(|(file, samples)| *samples = read_file(file, &take_in));
        });
        for (_, samples) in read {
            all.append(samples?);
        }
    }
    Ok(all)
}

fn read_file(file: &Path, take_in: impl Fn(&mut Samples, &str) -> Option<()>) -> Result<Samples, String> {
    let text = fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let mut samples = Samples::default();
    for (number, line) in text.lines().enumerate() {
        take_in(&mut samples, line)
            .ok_or_else(|| format!("{}: line {}: not a position of this fit", file.display(), number + 1))?;
    }
    Ok(samples)
}

/// Trains a network, and calls `tell` after each pass; an error of it ends the training.
pub fn train<const INPUTS: usize, const HIDDEN: usize, const BUCKETS: usize>(
    weights: &mut Weights<INPUTS, HIDDEN, BUCKETS>,
    samples: &Samples,
    aim: Aim,
    Walk { passes, stride, decay, threads, seed, greatest }: Walk,
    mut tell: impl FnMut(usize, &Weights<INPUTS, HIDDEN, BUCKETS>) -> Result<(), String>,
) -> Result<(), String> {
    let mut rng = SplitMix64::new(seed);
    let mut order: Vec<u32> = (0..samples.len() as u32).collect();
    let mut parts: [Part<INPUTS, HIDDEN, BUCKETS>; PARTS] =
        array::from_fn(|_| Part { samples: Vec::new(), sums: Vec::new(), slopes: Weights::nothing() });
    let mut moments = [Weights::nothing(), Weights::nothing()];
    let steps = (passes * samples.len().div_ceil(BATCH)) as f32;
    let mut step = 0;
    for pass in 0..passes {
        for last in (1..order.len()).rev() {
            order.swap(last, rng.below(last + 1));
        }
        for batch in order.chunks(BATCH) {
            let mut numbers = batch.chunks(batch.len().div_ceil(PARTS));
            for part in &mut parts {
                let numbers = numbers.next().unwrap_or_default();
                part.samples.clear();
                part.samples.extend(numbers.iter().map(|&number| samples.all[number as usize]));
            }
            in_shares(&mut parts, threads, |share| {
                for Part { samples: part, sums, slopes } in share {
                    slopes.blocks.fill(Block::ZERO);
                    slopes.output_bias.fill(0.0);
                    slopes.add_slopes(weights, samples, part, aim, sums);
                }
            });
            step += 1;
            let done = step as f32 / steps;
            let stride = stride * LAST_STRIDE.max(0.5 * (1.0 + (std::f32::consts::PI * done).cos()));
            descend(
                weights,
                parts.each_ref().map(|part| &part.slopes),
                &mut moments,
                Step { stride, decay, number: step, batch: batch.len(), threads, greatest },
            );
        }
        tell(pass, weights)?;
    }
    Ok(())
}

/// The work on a part of a batch.
#[derive(Debug)]
struct Part<const INPUTS: usize, const HIDDEN: usize, const BUCKETS: usize> {
    /// Its samples.
    samples: Vec<Sample>,
    /// Their sums.
    sums: Vec<[Block; 2]>,
    /// Their gradient.
    slopes: Weights<INPUTS, HIDDEN, BUCKETS>,
}

/// A descent step.
#[derive(Debug, Clone, Copy)]
struct Step {
    stride: f32,
    /// See [`Walk::decay`].
    decay: f32,
    /// From 1.
    number: i32,
    /// Samples of the gradient.
    batch: usize,
    threads: usize,
    /// See [`Walk::greatest`].
    greatest: f32,
}

impl Step {
    /// Updates numbers, clamped to `limit`, by the gradients of the parts of a batch.
    fn change<const N: usize>(
        self,
        numbers: &mut [f32; N],
        slopes: [&[f32; N]; PARTS],
        [means, squares]: [&mut [f32; N]; 2],
        limit: f32,
    ) {
        let warm = |rate: f32| 1.0 - rate.powi(self.number);
        let (warm_mean, warm_square) = (warm(0.9), warm(0.999));
        for (i, ((number, mean), square)) in numbers.iter_mut().zip(means).zip(squares).enumerate() {
            let slope = slopes.iter().map(|slopes| slopes[i]).sum::<f32>() / self.batch as f32;
            *mean = 0.9 * *mean + 0.1 * slope;
            *square = 0.999 * *square + 0.001 * slope * slope;
            let change = (*mean / warm_mean) / ((*square / warm_square).sqrt() + 1e-8) + self.decay * *number;
            *number = (*number - self.stride * change).clamp(-limit, limit);
        }
    }
}

/// Updates all weights, in parallel.
fn descend<const INPUTS: usize, const HIDDEN: usize, const BUCKETS: usize>(
    weights: &mut Weights<INPUTS, HIDDEN, BUCKETS>,
    slopes: [&Weights<INPUTS, HIDDEN, BUCKETS>; PARTS],
    [means, squares]: &mut [Weights<INPUTS, HIDDEN, BUCKETS>; 2],
    step: Step,
) {
    let blocks = weights.blocks.iter_mut().zip(&mut means.blocks).zip(&mut squares.blocks);
    let mut blocks: Vec<_> = blocks.enumerate().collect();
    in_shares(&mut blocks, step.threads, |share| {
        for (number, ((weights, means), squares)) in share {
            let limit = match *number % Weights::<INPUTS, HIDDEN, BUCKETS>::ROWS {
                row if row > INPUTS => GREATEST_OUTPUT,
                _ => step.greatest,
            };
            let slopes = slopes.map(|slopes| &slopes.blocks[*number].0);
            step.change(&mut weights.0, slopes, [&mut means.0, &mut squares.0], limit);
        }
    });
    let slopes = slopes.map(|slopes| &slopes.output_bias);
    step.change(&mut weights.output_bias, slopes, [&mut means.output_bias, &mut squares.output_bias], GREATEST);
}

#[cfg(test)]
mod tests {
    use griot::game::network;

    use super::*;

    const INPUTS: usize = 24;
    const HIDDEN: usize = 2 * COLUMNS;
    const BUCKETS: usize = 2;
    type Small = Weights<INPUTS, HIDDEN, BUCKETS>;

    const AIM: Aim = Aim { result: 0.2, spread: 200.0, scale: 400.0 };

    const WALK: Walk = Walk { passes: 30, stride: 0.02, decay: 0.0, threads: 1, seed: 1, greatest: GREATEST };

    /// Random samples of three to six inputs. The search's value is the sum of the values of the inputs for each side,
    /// plus a bonus for pairs, plus the known value; the result follows it.
    fn samples(count: usize) -> Samples {
        let mut rng = SplitMix64::new(5);
        let mut samples = Samples::default();
        let worth = |seen: &[usize]| -> f32 {
            let sum: f32 = seen.iter().map(|&input| 15.0 * (input % 7) as f32).sum();
            if seen.contains(&3) && seen.contains(&5) { sum + 200.0 } else { sum }
        };
        while samples.len() < count {
            let inputs = 3 + rng.below(4);
            let seen = [(); 2].map(|()| (0..inputs).map(|_| rng.below(INPUTS)).collect::<Vec<_>>());
            let known = rng.below(200) as f32 - 100.0;
            let thought = known + worth(&seen[0]) - worth(&seen[1]);
            let result = if thought > 0.0 { 1.0 } else { 0.0 };
            samples.add(seen, Told { bucket: inputs % BUCKETS, known, thought, result });
        }
        samples
    }

    #[test]
    fn slopes_are_those_of_the_error() {
        let samples = samples(64);
        let weights = Small::random(3, 0.1, 0.0);
        // Half the squared error of all samples.
        let error = |weights: &Small| weights.left(&samples, AIM, 1, 1).powi(2) * samples.len() as f64 / 2.0;
        let mut slopes = Small::nothing();
        slopes.add_slopes(&weights, &samples, &samples.all, AIM, &mut Vec::new());
        let slopes: Vec<f32> = slopes.numbers().collect();
        let mut steepest: Vec<usize> = (0..slopes.len()).collect();
        steepest.sort_by(|&a, &b| slopes[b].abs().total_cmp(&slopes[a].abs()));
        // Some weights of each kind: input weights, their biases, output weights, their biases.
        let kinds = [0, INPUTS * HIDDEN, (INPUTS + 1) * HIDDEN, slopes.len() - BUCKETS, slopes.len()];
        for kind in kinds.windows(2) {
            for &number in steepest.iter().filter(|&number| (kind[0]..kind[1]).contains(number)).take(4) {
                let moved = |by: f32| {
                    let mut moved = weights.clone();
                    *moved.number_mut(number) += by;
                    error(&moved)
                };
                let (step, slope) = (0.004, f64::from(slopes[number]));
                let measured = (moved(step) - moved(-step)) / f64::from(2.0 * step);
                assert!((measured - slope).abs() < 0.02 * slope.abs() + 1e-4, "number {number}: {slope}, {measured}");
            }
        }
    }

    #[test]
    fn training_explains_more_and_comes_to_the_same_with_any_number_of_threads() {
        let samples = samples(3 * BATCH / 2);
        let fresh = Small::random(3, 0.1, 0.0);
        let trained = [1, 2, 3].map(|threads| {
            let mut weights = fresh.clone();
            train(&mut weights, &samples, AIM, Walk { threads, ..WALK }, |_, _| Ok(())).unwrap();
            weights
        });
        let [before, after] = [&fresh, &trained[0]].map(|weights| weights.left(&samples, AIM, 1, 2));
        assert!(after < 0.5 * before, "{before} {after}");
        assert!(trained.iter().all(|weights| weights.fixed() == trained[0].fixed()));
        // Written numbers are read back unchanged.
        assert_eq!(Small::of_numbers(&trained[0].fixed()).fixed(), trained[0].fixed());
    }

    #[test]
    fn the_network_of_each_pass_is_kept_until_the_last_one_is_written() {
        let folder = griot_testing::Folder::new("train");
        let (dir, out) = (folder.join("games"), folder.join("network.bin"));
        fs::create_dir(&dir).unwrap();
        // The first file is held out.
        for number in 0..3 {
            fs::write(dir.join(format!("games-{number}.txt")), "1 4 2\n3 5 9\n").unwrap();
        }
        let take_in = |samples: &mut Samples, line: &str| {
            let seen: Vec<usize> = line.split(' ').map(|word| word.parse().ok()).collect::<Option<_>>()?;
            samples.add([seen.clone(), seen], Told { bucket: 0, known: 0.0, thought: 100.0, result: 1.0 });
            Some(())
        };
        let teach = |passes, out: &Path| {
            let walk = Walk { passes, ..WALK };
            let lesson = Lesson { dir: &dir, result: 0.2, spreads: 10..60, scale: 400, walk, out };
            lesson.teach(Small::random(3, 0.1, 0.0), take_in).map_err(|error| error.to_string())
        };
        teach(0, &out).unwrap();
        assert!(!out.exists());
        teach(2, &out).unwrap();
        let numbers = network::numbers(&fs::read(&out).unwrap());
        assert_eq!(numbers.len(), Small::nothing().fixed().len());
        assert!(!folder.join("network.pass").exists());
        // What cannot be written at the end is still beside it.
        let taken = folder.join("taken");
        fs::create_dir_all(taken.join("inside")).unwrap();
        assert!(teach(1, &taken).is_err());
        assert!(folder.join("taken.pass").exists());
    }

    #[test]
    fn files_are_read_in_their_order_by_any_number_of_threads() {
        let folder = griot_testing::Folder::new("train");
        let files: Vec<PathBuf> = (0..FILES_AT_ONCE + 3).map(|number| folder.join(&format!("{number}.txt"))).collect();
        for (number, file) in files.iter().enumerate() {
            fs::write(file, format!("{number} 1\n{number} 2\n")).unwrap();
        }
        let take_in = |samples: &mut Samples, line: &str| {
            let seen: Vec<usize> = line.split(' ').map(|word| word.parse().ok()).collect::<Option<_>>()?;
            samples.add([seen.clone(), seen], Told { bucket: 0, known: 0.0, thought: 0.0, result: 1.0 });
            Some(())
        };
        let files: Vec<&PathBuf> = files.iter().collect();
        for threads in [1, 2, 5] {
            let samples = read(&files, threads, take_in).unwrap();
            for (number, sample) in samples.all.iter().enumerate() {
                assert_eq!(samples.seen(sample)[1], [number as u16 / 2, number as u16 % 2 + 1], "{threads}");
            }
            assert_eq!(samples.len(), 2 * files.len());
        }
        fs::write(files[2], "2 1\nx\n").unwrap();
        let error = read(&files, 2, take_in).unwrap_err().to_string();
        assert!(error.ends_with("2.txt: line 2: not a position of this fit"), "{error}");
    }

    #[test]
    fn weights_that_no_sample_uses_decay() {
        let samples = samples(BATCH);
        let fresh = Weights::<{ INPUTS + 1 }, HIDDEN, BUCKETS>::random(3, 0.1, 0.0);
        for decay in [0.0, 0.5] {
            let mut weights = fresh.clone();
            train(&mut weights, &samples, AIM, Walk { passes: 1, decay, ..WALK }, |_, _| Ok(())).unwrap();
            // One batch is one step, the last one.
            let left = 1.0 - WALK.stride * LAST_STRIDE * decay;
            for (number, before) in weights.blocks[INPUTS].0.iter().zip(fresh.blocks[INPUTS].0) {
                assert!((number - before * left).abs() < 1e-7, "{decay}");
            }
        }
    }

    /// The trainer and the network give the same values, up to rounding.
    #[test]
    fn the_network_of_trained_weights_tells_what_they_do() {
        let samples = samples(400);
        let weights = Small::of_numbers(&Small::random(3, 0.1, 0.0).fixed());
        let network = network::Network::<INPUTS, HIDDEN, BUCKETS>::new(&weights.fixed());
        let values = weights.values(&samples, &samples.all, AIM, &mut Vec::new());
        for (sample, odds) in samples.all.iter().zip(values) {
            let sums = |seen: &[u16]| network.sums(seen.iter().map(|&input| usize::from(input)));
            let [own, theirs] = samples.seen(sample).map(sums);
            let told = sample.known + network.value(usize::from(sample.bucket), &own, &theirs, AIM.scale as i32) as f32;
            assert!((odds * AIM.spread - told).abs() < 5.0, "{} {told}", odds * AIM.spread);
        }
    }

    #[test]
    fn the_spread_is_that_of_the_results() {
        let mut samples = Samples::default();
        // Of positions valued 300, three in four are won: odds of e to the power of 300 / 273.
        for number in 0..400 {
            let result = if number % 4 == 0 { 0.0 } else { 1.0 };
            samples.add([[0], [1]], Told { bucket: 0, known: 0.0, thought: 300.0, result });
        }
        assert_eq!(samples.spread(10..60), 270.0);
    }
}
