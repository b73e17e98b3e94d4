//! Least error weights of each stage: gradient descent with a step size for each weight.
//!
//! CITE: J. Duchi et al., "Adaptive Subgradient Methods", 2011.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::thread;

use griot::game::SplitMix64;
use griot::games::othello::patterns::{ACTIVE, DISC, Patterns, Runs, SIZE, STAGES, canonical, stage};

use super::games::{LEFT_TO_SOLVER, Sample};

/// Passes over the samples of a stage, from nothing and from existing weights.
const EPOCHS: [usize; 2] = [16, 8];
/// Step size of a weight, first and last, for a gradient as large as all before it.
const RATES: [f32; 2] = [1.2, 0.03];
/// Expected distance of weights from their start, in discs: weights with few samples are drawn to it (ridge regression).
const SPREAD: f32 = 4.0;
/// Clamp of a sample's error, in discs.
const PULL: f32 = 24.0;
/// Samples of neighbouring stages within this many empty cells are used for a stage, too.
const BORDER: u32 = 1;
/// A stage with fewer samples takes the weights of the one before.
const ENOUGH: usize = 1000;

/// Fits all stages; returns the weights in eighths of a disc, [`SIZE`] for each. They begin with the weights of
/// `start`, if given; the stages that are left to the solver then keep those.
pub(super) fn descend(taught: &[Sample], held_out: &[Sample], threads: usize, start: Option<&Patterns>) -> Vec<i8> {
    let places: Vec<u32> = (0..SIZE).map(|place| canonical(place) as u32).collect();
    let todo = Mutex::new((0..STAGES).collect::<Vec<_>>());
    let done = Mutex::new(vec![Vec::new(); STAGES]);
    thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(|| {
                loop {
                    let Some(number) = todo.lock().unwrap_or_else(PoisonError::into_inner).pop() else { return };
                    let start = start.map(|start| start.of_stage(number));
                    let weights = fit_stage((number, start), (taught, held_out), &places);
                    done.lock().unwrap_or_else(PoisonError::into_inner)[number] = weights;
                }
            });
        }
    });
    let mut stages = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    // The last stages are solved instead of evaluated, and the first has hardly a position.
    for number in 1..STAGES {
        if stages[number].is_empty() {
            stages[number] = stages[number - 1].clone();
        }
    }
    for number in (0..STAGES - 1).rev() {
        if stages[number].is_empty() {
            stages[number] = stages[number + 1].clone();
        }
    }
    stages.concat()
}

/// The indices of the weights of a sample.
fn active(sample: &Sample, places: &[u32]) -> [u32; ACTIVE] {
    let Sample { own, opponent, .. } = *sample;
    Runs::new(own, opponent).active(own, opponent).map(|place| places[place])
}

/// The root mean square error, in discs.
fn unexplained(samples: &[&Sample], weights: &[f32], places: &[u32]) -> f64 {
    let error = |sample: &&Sample| {
        let sum: f32 = active(sample, places).iter().map(|&place| weights[place as usize]).sum();
        f64::from((sample.discs() - sum).powi(2))
    };
    (samples.iter().map(error).sum::<f64>() / samples.len().max(1) as f64).sqrt()
}

/// The weights of one stage; with too few samples none, or those of the start.
fn fit_stage(
    (number, start): (usize, Option<&[i8]>),
    (taught, held_out): (&[Sample], &[Sample]),
    places: &[u32],
) -> Vec<i8> {
    let is_near = |sample: &&Sample| {
        let empty = sample.empty();
        [empty + BORDER, empty, empty - BORDER].into_iter().any(|empty| stage(empty) == number)
    };
    let mut samples: Vec<&Sample> = taught.iter().filter(is_near).collect();
    if samples.len() < ENOUGH || start.is_some() && number >= stage(LEFT_TO_SOLVER) {
        return start.map(<[i8]>::to_vec).unwrap_or_default();
    }
    let epochs = EPOCHS[usize::from(start.is_some())];
    let start: Vec<f32> =
        (0..SIZE).map(|place| start.map_or(0.0, |start| f32::from(start[place]) / DISC as f32)).collect();
    let mut weights = start.clone();
    let mut pulls = vec![1_f32; SIZE];
    let mut counts = vec![0_f32; SIZE];
    for sample in &samples {
        active(sample, places).iter().for_each(|&place| counts[place as usize] += 1.0);
    }
    // The variance of the samples, and later of the errors left.
    let mut variance = samples.iter().map(|sample| sample.discs().powi(2)).sum::<f32>() / samples.len() as f32;
    let mut rng = SplitMix64::new(number as u64);
    let mut left = 0.0;
    for epoch in 0..epochs {
        let rate = RATES[1] + (RATES[0] - RATES[1]) * (1.0 - epoch as f32 / epochs as f32);
        for i in (1..samples.len()).rev() {
            samples.swap(i, rng.below(i + 1));
        }
        let ridge = variance / SPREAD.powi(2);
        left = 0.0;
        for sample in &samples {
            let active = active(sample, places);
            let sum: f32 = active.iter().map(|&place| weights[place as usize]).sum();
            let error = (sample.discs() - sum).clamp(-PULL, PULL);
            left += f64::from(error * error);
            for &place in &active {
                let place = place as usize;
                pulls[place] += 0.01 * error * error;
                let step = rate / (ACTIVE as f32 * pulls[place].sqrt());
                // Add this sample's share of the ridge after the step; it is then stable for every share.
                let drawn = step * ridge / counts[place];
                weights[place] = (weights[place] + step * error + drawn * start[place]) / (1.0 + drawn);
            }
        }
        left /= samples.len() as f64;
        variance = left as f32;
    }
    let apart: Vec<&Sample> = held_out.iter().filter(|sample| stage(sample.empty()) == number).collect();
    let [before, after] = [&start, &weights].map(|weights| unexplained(&apart, weights, places));
    eprintln!(
        "stage {number:2}: {:8} positions, {:.2} discs left unexplained, {after:.2} of those held out, {before:.2} before",
        samples.len(),
        left.sqrt(),
    );
    let limit = f32::from(i8::MAX);
    weights.iter().map(|weight| (weight * DISC as f32).round().clamp(-limit, limit) as i8).collect()
}
