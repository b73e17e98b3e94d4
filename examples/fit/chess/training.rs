//! The training of the network of chess: samples, slopes, and the walk down by them.
//!
//! The same samples and numbers come to the same network with any number of threads: a batch is cut into [`PARTS`] parts, whose
//! slopes are summed in order. CITE: D. Kingma, J. Ba, "Adam: A Method for Stochastic Optimization", 2015.

use std::array;
use std::thread;

use griot::game::network::{GREATEST, GREATEST_OUTPUT, ONE, OUTPUT_ONE};
use griot::game::{Mixer, Notation as _, Position as _, Side};
use griot::games::chess::Notation;
use griot::games::chess::network::{BUCKETS, HIDDEN, INPUTS, KING_REGIONS, Network, SCALE, bucket, inputs};

/// Samples that are looked at before the weights change.
const BATCH: usize = 4_096;
/// Parts of a batch.
const PARTS: usize = 4;
/// The last steps go so far, of the first ones.
const LAST_STRIDE: f32 = 0.01;

/// Positions, with what is to be told of them.
#[derive(Debug, Default)]
pub(super) struct Samples {
    /// The inputs of each, as the side to move sees it, then as many as the other side does.
    inputs: Vec<u16>,
    all: Vec<Sample>,
}

/// What is to be told of a position, for the side to move.
#[derive(Debug, Clone, Copy)]
struct Sample {
    /// Where its inputs begin, and how many each side has.
    first: usize,
    pieces: u8,
    /// What the search thought, in hundredths of a pawn, and the points of the game.
    thought: f32,
    result: f32,
}

/// What is to be told of a position.
#[derive(Debug, Clone, Copy)]
pub(super) struct Aim {
    /// The share of the result in it; the rest is what the search thought.
    pub(super) result: f32,
    /// So many hundredths of a pawn multiply the odds by e.
    pub(super) spread: f32,
}

impl Aim {
    fn of(self, sample: &Sample) -> f32 {
        self.result * sample.result + (1.0 - self.result) * chance(sample.thought / self.spread)
    }
}

fn chance(odds: f32) -> f32 {
    1.0 / (1.0 + (-odds).exp())
}

impl Samples {
    /// Takes in a line of a file of games: `FEN|what the search thought|result`, both for White.
    pub(super) fn read(&mut self, notation: &Notation, line: &str) -> Option<()> {
        let mut fields = line.split('|');
        let position = notation.parse_position(fields.next()?).ok()?;
        let [thought, result] = [fields.next()?, fields.next()?].map(|number| number.parse().ok());
        let [thought, result]: [f32; 2] = [thought?, result?];
        let board = position.board();
        let side = board.side_to_move();
        let first = self.inputs.len();
        for side in [side, !side] {
            self.inputs.extend(inputs(board, side).map(|input| input as u16));
        }
        let (thought, result) =
            if position.side_to_move() == Side::First { (thought, result) } else { (-thought, 1.0 - result) };
        let pieces = ((self.inputs.len() - first) / 2) as u8;
        self.all.push(Sample { first, pieces, thought, result });
        Some(())
    }

    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// The spread by which the values of the search tell the results of its games best.
    pub(super) fn spread(&self) -> f32 {
        let wrong = |spread: f32| -> f64 {
            let one = |sample: &Sample| f64::from(chance(sample.thought / spread) - sample.result).powi(2);
            self.all.iter().map(one).sum()
        };
        let spreads = (10..60).map(|tens| (10 * tens) as f32);
        spreads.min_by(|&a, &b| wrong(a).total_cmp(&wrong(b))).unwrap_or(220.0)
    }

    /// What the side to move and the other one see of a sample.
    fn seen(&self, sample: &Sample) -> [&[u16]; 2] {
        let count = usize::from(sample.pieces);
        let (own, theirs) = self.inputs[sample.first..sample.first + 2 * count].split_at(count);
        [own, theirs]
    }
}

type Row = [f32; HIDDEN];

/// The inputs of one region of the king.
const OF_REGION: usize = INPUTS / KING_REGIONS;

/// The numbers of a network, as they are trained; or the slopes at them.
#[derive(Debug, Clone)]
pub(super) struct Weights {
    /// Those of each input, their biases, and for each bucket those behind the sums of the side to move and of the other one.
    rows: Vec<Row>,
    output_bias: [f32; BUCKETS],
}

impl Weights {
    fn nothing() -> Weights {
        Weights { rows: vec![[0.0; HIDDEN]; INPUTS + 1 + 2 * BUCKETS], output_bias: [0.0; BUCKETS] }
    }

    /// Small random weights.
    pub(super) fn random(seed: u64) -> Weights {
        let mut rng = Mixer::new(seed);
        let mut weights = Weights::nothing();
        let of_inputs_and_sums = weights.rows.iter_mut().enumerate().filter(|&(number, _)| number != INPUTS);
        of_inputs_and_sums.flat_map(|(_, row)| row).for_each(|weight| *weight = random(&mut rng, 0.1));
        weights
    }

    fn numbers(&self) -> impl Iterator<Item = &f32> {
        self.rows.iter().flatten().chain(&self.output_bias)
    }

    fn numbers_mut(&mut self) -> impl Iterator<Item = &mut f32> {
        self.rows.iter_mut().flatten().chain(&mut self.output_bias)
    }

    /// The row behind the sums of the side to move, or of the other one.
    const fn behind(bucket: usize, is_other: bool) -> usize {
        INPUTS + 1 + 2 * bucket + is_other as usize
    }

    /// The weights of a network of such fixed-point numbers.
    pub(super) fn of_numbers(numbers: &[i16]) -> Weights {
        let mut weights = Weights::nothing();
        for ((weight, &number), one) in weights.numbers_mut().zip(numbers).zip(ones()) {
            *weight = f32::from(number) / one;
        }
        weights
    }

    /// The weights of a network that does not ask where the king is, whose fixed-point numbers these are: all regions begin with
    /// the same. Nothing if there are too few numbers, or too many.
    pub(super) fn split(numbers: &[i16]) -> Option<Weights> {
        if numbers.len() + (INPUTS - OF_REGION) * HIDDEN != Network::NUMBERS {
            return None;
        }
        let (of_inputs, others) = numbers.split_at(OF_REGION * HIDDEN);
        Some(Weights::of_numbers(&[&of_inputs.repeat(KING_REGIONS), others].concat()))
    }

    /// The fixed-point numbers of the network.
    pub(super) fn fixed(&self) -> Vec<i16> {
        self.numbers().zip(ones()).map(|(number, one)| (number * one).round() as i16).collect()
    }

    /// The sums of a side that sees this.
    fn sums(&self, seen: &[u16]) -> Row {
        let mut sums = self.rows[INPUTS];
        for &input in seen {
            add(&mut sums, &self.rows[usize::from(input)]);
        }
        sums
    }

    /// What the network says of a sample, in odds; and the sums behind it.
    fn value(&self, samples: &Samples, sample: &Sample, aim: Aim) -> (f32, [Row; 2]) {
        let sums = samples.seen(sample).map(|seen| self.sums(seen));
        let bucket = bucket(sample.pieces.into());
        // Eight sums side by side.
        let mut parts = [0.0_f32; 8];
        for (sums, weights) in sums.iter().zip(&self.rows[Weights::behind(bucket, false)..]) {
            for (sums, weights) in sums.chunks_exact(8).zip(weights.chunks_exact(8)) {
                for ((part, sum), weight) in parts.iter_mut().zip(sums).zip(weights) {
                    let within = sum.clamp(0.0, 1.0);
                    *part += within * within * weight;
                }
            }
        }
        let value = parts.iter().sum::<f32>() + self.output_bias[bucket];
        (value * SCALE as f32 / aim.spread, sums)
    }

    /// Adds the slope of the squared error of a sample.
    fn add_slope(&mut self, of: &Weights, samples: &Samples, sample: &Sample, aim: Aim) {
        let (odds, sums) = of.value(samples, sample, aim);
        let told = chance(odds);
        let slope = (told - aim.of(sample)) * told * (1.0 - told) * SCALE as f32 / aim.spread;
        let bucket = bucket(sample.pieces.into());
        self.output_bias[bucket] += slope;
        for (side, seen) in samples.seen(sample).into_iter().enumerate() {
            let row = Weights::behind(bucket, side > 0);
            let (weights, slopes) = (&of.rows[row], &mut self.rows[row]);
            let behind: Row = array::from_fn(|i| {
                let within = sums[side][i].clamp(0.0, 1.0);
                slopes[i] += slope * within * within;
                if within == sums[side][i] { 2.0 * slope * weights[i] * within } else { 0.0 }
            });
            add(&mut self.rows[INPUTS], &behind);
            for &input in seen {
                add(&mut self.rows[usize::from(input)], &behind);
            }
        }
    }

    /// The root of the mean squared error, in points of a game.
    pub(super) fn left(&self, samples: &Samples, aim: Aim) -> f64 {
        let wrong = |sample: &Sample| f64::from(chance(self.value(samples, sample, aim).0) - aim.of(sample)).powi(2);
        (samples.all.iter().map(wrong).sum::<f64>() / samples.len().max(1) as f64).sqrt()
    }
}

/// A number within so much of 0.
fn random(rng: &mut Mixer, limit: f32) -> f32 {
    ((rng.below(1 << 20) as f32) / (1 << 19) as f32 - 1.0) * limit
}

/// What the number 1 is to each number of a network.
fn ones() -> impl Iterator<Item = f32> {
    let (one, output_one) = (f32::from(ONE), f32::from(OUTPUT_ONE));
    let counts = [(INPUTS + 1) * HIDDEN, BUCKETS * 2 * HIDDEN, BUCKETS];
    counts.into_iter().zip([one, output_one, one * output_one]).flat_map(|(count, one)| std::iter::repeat_n(one, count))
}

fn add(row: &mut Row, other: &Row) {
    for (number, other) in row.iter_mut().zip(other) {
        *number += other;
    }
}

/// How far the training goes, and how.
#[derive(Debug, Clone, Copy)]
pub(super) struct Walk {
    /// How often each sample is looked at.
    pub(super) passes: usize,
    /// How far the first steps go.
    pub(super) stride: f32,
    pub(super) threads: usize,
    pub(super) seed: u64,
}

/// Trains a network, and tells of each pass by `tell`.
pub(super) fn train(
    weights: &mut Weights,
    samples: &Samples,
    aim: Aim,
    Walk { passes, stride, threads, seed }: Walk,
    mut tell: impl FnMut(usize, &Weights),
) {
    let mut rng = Mixer::new(seed);
    let mut order: Vec<u32> = (0..samples.len() as u32).collect();
    let mut slopes: Vec<Weights> = (0..PARTS).map(|_| Weights::nothing()).collect();
    let mut moments = [Weights::nothing(), Weights::nothing()];
    let steps = (passes * samples.len().div_ceil(BATCH)) as f32;
    let mut step = 0;
    for pass in 0..passes {
        for last in (1..order.len()).rev() {
            order.swap(last, rng.below(last + 1));
        }
        for batch in order.chunks(BATCH) {
            slopes_of(weights, samples, aim, batch, (&mut slopes, threads));
            step += 1;
            let done = step as f32 / steps;
            let stride = stride * LAST_STRIDE.max(0.5 * (1.0 + (std::f32::consts::PI * done).cos()));
            descend(weights, &slopes, &mut moments, Step { stride, number: step, batch: batch.len(), threads });
        }
        tell(pass, weights);
    }
}

/// The slopes of the parts of a batch, by threads.
fn slopes_of(
    weights: &Weights,
    samples: &Samples,
    aim: Aim,
    batch: &[u32],
    (slopes, threads): (&mut [Weights], usize),
) {
    let mut parts = batch.chunks(batch.len().div_ceil(slopes.len()).max(1));
    let mut parts: Vec<(&[u32], &mut Weights)> =
        slopes.iter_mut().map(|slopes| (parts.next().unwrap_or_default(), slopes)).collect();
    let share = parts.len().div_ceil(threads.max(1)).max(1);
    thread::scope(|scope| {
        for share in parts.chunks_mut(share) {
            scope.spawn(move || {
                for (part, slopes) in share {
                    slopes.rows.as_flattened_mut().fill(0.0);
                    slopes.output_bias.fill(0.0);
                    for &number in *part {
                        slopes.add_slope(weights, samples, &samples.all[number as usize], aim);
                    }
                }
            });
        }
    });
}

/// A step down.
#[derive(Debug, Clone, Copy)]
struct Step {
    stride: f32,
    /// From 1.
    number: i32,
    /// How many samples the slopes are of.
    batch: usize,
    threads: usize,
}

impl Step {
    /// Changes numbers that stay within `limit`, by the slopes of the parts of a batch.
    fn change(self, numbers: &mut [f32], slopes: &[&[f32]], [means, squares]: [&mut [f32]; 2], limit: f32) {
        let warm = |rate: f32| 1.0 - rate.powi(self.number);
        let (warm_mean, warm_square) = (warm(0.9), warm(0.999));
        for (i, ((number, mean), square)) in numbers.iter_mut().zip(means).zip(squares).enumerate() {
            let slope = slopes.iter().map(|slopes| slopes[i]).sum::<f32>() / self.batch as f32;
            *mean = 0.9 * *mean + 0.1 * slope;
            *square = 0.999 * *square + 0.001 * slope * slope;
            *number -= self.stride * (*mean / warm_mean) / ((*square / warm_square).sqrt() + 1e-8);
            *number = number.clamp(-limit, limit);
        }
    }
}

/// Changes all weights, by threads.
fn descend(weights: &mut Weights, slopes: &[Weights], [means, squares]: &mut [Weights; 2], step: Step) {
    let rows = weights.rows.len().div_ceil(step.threads.max(1));
    let shares = weights.rows.chunks_mut(rows).zip(means.rows.chunks_mut(rows)).zip(squares.rows.chunks_mut(rows));
    thread::scope(|scope| {
        for (share, ((weights, means), squares)) in shares.enumerate() {
            scope.spawn(move || {
                for (i, ((weights, means), squares)) in weights.iter_mut().zip(means).zip(squares).enumerate() {
                    let row = share * rows + i;
                    let slopes: [&[f32]; PARTS] = array::from_fn(|part| slopes[part].rows[row].as_slice());
                    let limit = if row > INPUTS { GREATEST_OUTPUT } else { GREATEST };
                    step.change(weights, &slopes, [means, squares], limit);
                }
            });
        }
    });
    let slopes: [&[f32]; PARTS] = array::from_fn(|part| slopes[part].output_bias.as_slice());
    step.change(&mut weights.output_bias, &slopes, [&mut means.output_bias, &mut squares.output_bias], GREATEST);
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use cozy_chess::Color;
    use griot::game::network;

    use super::*;

    const AIM: Aim = Aim { result: 0.2, spread: 200.0 };

    /// Samples of random games: what was thought is the difference in pieces, and whoever has more of them wins.
    fn samples(count: usize) -> Samples {
        let notation = Notation::default();
        let mut rng = Mixer::new(5);
        let mut samples = Samples::default();
        while samples.len() < count {
            let mut position = notation.start();
            let mut moves = Vec::new();
            while position.status(&mut moves).is_none() && rng.below(80) > 0 && samples.len() < count {
                position.play(moves[rng.below(moves.len())]);
                moves.clear();
                let [white, black] = [Color::White, Color::Black].map(|color| position.board().colors(color).len());
                let more = 100 * (i64::from(white) - i64::from(black));
                let line = format!("{}|{more}|{}", notation.position_text(&position), 0.5 + 0.5 * more.signum() as f64);
                samples.read(&notation, &line).expect("a line of a file of games");
            }
        }
        samples
    }

    #[test]
    fn slopes_are_those_of_the_error() {
        let samples = samples(64);
        let weights = Weights::random(3);
        // Half the squared error of all samples.
        let error = |weights: &Weights| weights.left(&samples, AIM).powi(2) * samples.len() as f64 / 2.0;
        let mut slopes = Weights::nothing();
        samples.all.iter().for_each(|sample| slopes.add_slope(&weights, &samples, sample, AIM));
        let slopes: Vec<f32> = slopes.numbers().copied().collect();
        let mut steepest: Vec<usize> = (0..Network::NUMBERS).collect();
        steepest.sort_by(|&a, &b| slopes[b].abs().total_cmp(&slopes[a].abs()));
        // Some of each kind: weights of inputs and their biases, weights of sums and their biases.
        let kinds = [0, INPUTS * HIDDEN, (INPUTS + 1) * HIDDEN, Network::NUMBERS - BUCKETS, Network::NUMBERS];
        for kind in kinds.windows(2) {
            for &number in steepest.iter().filter(|&number| (kind[0]..kind[1]).contains(number)).take(4) {
                let moved = |by: f32| {
                    let mut moved = weights.clone();
                    *moved.numbers_mut().nth(number).expect("a number") += by;
                    error(&moved)
                };
                let (step, slope) = (0.004, f64::from(slopes[number]));
                let measured = (moved(step) - moved(-step)) / f64::from(2.0 * step);
                assert!((measured - slope).abs() < 0.02 * slope.abs() + 1e-4, "number {number}: {slope}, {measured}");
            }
        }
    }

    /// Networks of now ask where the king is; wherever it is, one that was made of one that does not tells the same.
    #[test]
    fn a_split_network_tells_what_the_one_before_it_did() {
        type Before = network::Network<OF_REGION, HIDDEN, BUCKETS>;
        let mut rng = Mixer::new(7);
        let numbers: Vec<i16> = (0..Before::NUMBERS).map(|_| rng.below(81) as i16 - 40).collect();
        let before = Before::new(&numbers);
        let split = Weights::split(&numbers).expect("a network without regions");
        let samples = samples(1000);
        for sample in &samples.all {
            let sums = |seen: &[u16]| before.sums(seen.iter().map(|&input| usize::from(input) % OF_REGION));
            let [own, theirs] = samples.seen(sample).map(sums);
            let told = before.value(bucket(sample.pieces.into()), &own, &theirs, SCALE);
            let (odds, _) = split.value(&samples, sample, AIM);
            assert!((odds * AIM.spread - told as f32).abs() < 5.0, "{} {told}", odds * AIM.spread);
        }
        let regions: BTreeSet<usize> = samples.inputs.iter().map(|&input| usize::from(input) / OF_REGION).collect();
        assert_eq!(regions.len(), KING_REGIONS, "kings everywhere");
        assert!(Weights::split(&numbers[1..]).is_none());
        assert!(Weights::split(&split.fixed()).is_none());
    }

    #[test]
    fn training_explains_more_and_comes_to_the_same_with_any_number_of_threads() {
        let samples = samples(3 * BATCH / 2);
        let fresh = Weights::random(3);
        let trained = [1, 2, 3].map(|threads| {
            let mut weights = fresh.clone();
            train(&mut weights, &samples, AIM, Walk { passes: 8, stride: 0.01, threads, seed: 1 }, |_, _| {});
            weights
        });
        let [before, after] = [&fresh, &trained[0]].map(|weights| weights.left(&samples, AIM));
        assert!(after < 0.7 * before, "{before} {after}");
        assert!(trained.iter().all(|weights| weights.fixed() == trained[0].fixed()));
        // What is written is what is read.
        assert_eq!(Weights::of_numbers(&trained[0].fixed()).fixed(), trained[0].fixed());
    }
}
