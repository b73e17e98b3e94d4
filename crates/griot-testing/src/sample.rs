//! How much of a long test runs: a sample in the gate, everything in the full run.
//!
//! The full run (`CI_FULL=1`) plays the whole loop with the seed that the test names, the same every time. The gate plays a part of
//! it with another seed every day: `.ci/run` sets `GRIOT_SEED` to the date. Without `GRIOT_SEED` it is 1. A test that fails prints
//! the `GRIOT_SEED` that repeats it.

use griot::game::mix64;

/// Whether everything runs: `CI_FULL=1`.
pub fn full_run() -> bool {
    std::env::var("CI_FULL").is_ok_and(|value| value == "1")
}

/// Whether a test is left to the full run, which it then prints: the test returns.
pub fn left_to_the_full_run() -> bool {
    if !full_run() {
        println!("skipped: CI_FULL is not 1");
    }
    !full_run()
}

/// `all` in the full run, else `part`: for loops whose seed is fixed, and for sizes.
pub fn rounds(all: usize, part: usize) -> usize {
    if full_run() { all } else { part }
}

/// A loop over random cases.
#[derive(Debug, Clone, Copy)]
pub struct Cases {
    /// What the random numbers start from.
    pub seed: u64,
    /// How many cases there are.
    pub rounds: usize,
}

/// `all` rounds from `seed` in the full run, else `part` rounds from a seed that changes by the day.
///
/// What is asserted must hold for every seed. Counts of how often something came up are to be asked only in the [`full_run`].
pub fn sample(seed: u64, all: usize, part: usize) -> Cases {
    if full_run() { Cases { seed, rounds: all } } else { Cases { seed: mix64(seed ^ mix64(day())), rounds: part } }
}

/// All `items` in the full run, else `part` of them, in their order, from a place that changes by the day.
pub fn picked<T>(items: impl IntoIterator<Item = T>, part: usize) -> Vec<T> {
    let items: Vec<T> = items.into_iter().collect();
    if full_run() || items.len() <= part {
        return items;
    }
    let chosen = choice(items.len(), part, day());
    items.into_iter().enumerate().filter(|(number, _)| chosen.contains(number)).map(|(_, item)| item).collect()
}

/// `part` different numbers below `all`. One day's are spread evenly.
fn choice(all: usize, part: usize, seed: u64) -> Vec<usize> {
    let first = (mix64(seed) % all as u64) as usize;
    (0..part).map(|number| (first + number * all / part) % all).collect()
}

/// The number that the samples of this run are drawn by. It is printed, which a failed test shows.
fn day() -> u64 {
    let day = std::env::var("GRIOT_SEED").map_or(1, |text| text.parse().expect("GRIOT_SEED: a number"));
    println!("GRIOT_SEED={day} repeats this sample");
    day
}

#[cfg(test)]
mod tests {
    use super::choice;

    #[test]
    fn a_choice_has_no_number_twice_and_every_number_gets_its_day() {
        let mut seen = [false; 7];
        for seed in 0..40 {
            let mut chosen = choice(7, 3, seed);
            chosen.iter().for_each(|&number| seen[number] = true);
            chosen.sort_unstable();
            chosen.dedup();
            assert_eq!(chosen.len(), 3, "{seed}");
        }
        assert_eq!(seen, [true; 7]);
    }
}
