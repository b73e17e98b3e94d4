//! Othello: fits the weights of the patterns to games of self-play, generation by generation.
//!
//! A generation plays with the weights of the one before (the first by mobility), gets results from exact solutions of the
//! endings (`games`), and finds the weights with the least error (`descent`). Files hold `GAMES_A_FILE` games; existing
//! ones are not played again. The same seed and options give the same weights, with any number of threads.
//!
//! `--refine` continues from the compiled weights: the full search plays, and its values replace the results of the games.

mod descent;
mod games;

use std::error::Error;
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use games::{Sample, play_file, search_file};
use griot::games::othello::patterns::{Patterns, SIZE, STAGES, numbers};

use super::files;

/// Games in a file.
const GAMES_A_FILE: usize = 500;
/// One file in this many is held out for validation.
const HELD_OUT: usize = 20;

/// Options of a run.
#[derive(Debug, Args)]
pub struct Options {
    /// Folder of the games and the weights of each generation; a run continues with what it finds.
    #[arg(long, default_value = "target/fit-othello")]
    dir: PathBuf,
    /// Games of each generation; a quarter in the first.
    #[arg(long, default_value_t = 60_000)]
    games: usize,
    /// Generations.
    #[arg(long, default_value_t = 3)]
    generations: usize,
    /// Refine the compiled weights by one generation of games of the full search.
    #[arg(long, conflicts_with = "generations")]
    refine: bool,
    /// End the games of a generation after its share of this many hours.
    #[arg(long)]
    hours: Option<f64>,
    /// Threads for playing.
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Seed of the games.
    #[arg(long, default_value_t = 2026)]
    seed: u64,
    /// File of the last weights.
    #[arg(long, default_value = "src/games/othello/weights.bin")]
    out: PathBuf,
}

/// Fits the weights and writes them.
pub fn fit(options: &Options) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(&options.dir)?;
    if options.refine {
        return refine(options);
    }
    let mut patterns = by_mobility();
    let mut kept: Vec<PathBuf> = Vec::new();
    for generation in 0..options.generations {
        let files = play(options, generation, &patterns)?;
        // Train on the games of the last two generations, but not on those of the first, which are too weak.
        let earlier = std::mem::take(&mut kept);
        let [mut taught, mut held_out] = [Vec::new(), Vec::new()];
        for (number, file) in files.iter().enumerate().chain(earlier.iter().enumerate()) {
            let samples = Sample::read(file)?;
            if number % HELD_OUT == 0 { &mut held_out } else { &mut taught }.extend(samples);
        }
        if generation > 0 {
            kept = files;
        }
        eprintln!("generation {generation}: {} positions, {} held out", taught.len(), held_out.len());
        patterns = Patterns::new(&descent::descend(&taught, &held_out, options.threads, None));
        fs::write(options.dir.join(format!("generation-{generation}.bin")), patterns.pack())?;
    }
    write(options, &patterns)
}

fn write(options: &Options, patterns: &Patterns) -> Result<(), Box<dyn Error>> {
    fs::write(&options.out, patterns.pack())?;
    eprintln!("{}: {} bytes", options.out.display(), fs::metadata(&options.out)?.len());
    Ok(())
}

/// Continues from the compiled weights.
fn refine(options: &Options) -> Result<(), Box<dyn Error>> {
    let files = files(options, "games-refined-", options.games);
    let until = options.hours.map(|hours| Instant::now() + Duration::from_secs_f64(3600.0 * hours));
    let files = files::play(&files, "refinement".to_owned(), options.threads, until, |number| {
        let samples =
            search_file(options.seed ^ (number as u64) << 20, GAMES_A_FILE).map_err(|error| error.to_string())?;
        Ok(Sample::bytes(&samples))
    })?;
    let [mut taught, mut held_out] = [Vec::new(), Vec::new()];
    for (number, file) in files.iter().enumerate() {
        if number % HELD_OUT == 0 { &mut held_out } else { &mut taught }.extend(Sample::read(file)?);
    }
    eprintln!("refinement: {} positions, {} held out", taught.len(), held_out.len());
    let weights = descent::descend(&taught, &held_out, options.threads, Some(Patterns::fitted()));
    write(options, &Patterns::new(&weights))
}

/// The files of this many games.
fn files(options: &Options, beginning: &str, games: usize) -> Vec<PathBuf> {
    (0..games.div_ceil(GAMES_A_FILE)).map(|number| options.dir.join(format!("{beginning}{number:04}.bin"))).collect()
}

/// Initial weights: half a disc for each move more than the opponent has.
fn by_mobility() -> Patterns {
    let mut weights = vec![0; SIZE * STAGES];
    for stage in 0..STAGES {
        for count in 0..32 {
            let [own, replies, _] = numbers(count, count, 0);
            weights[stage * SIZE + own] = 4 * count as i8;
            weights[stage * SIZE + replies] = -4 * count as i8;
        }
    }
    Patterns::new(&weights)
}

/// Plays the missing games of a generation; returns their files.
fn play(options: &Options, generation: usize, patterns: &Patterns) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let games = if generation == 0 { options.games / 4 } else { options.games };
    let files = files(options, &format!("games-{generation}-"), games);
    let until = options
        .hours
        .map(|hours| Instant::now() + Duration::from_secs_f64(3600.0 * hours / options.generations as f64));
    files::play(&files, format!("generation {generation}"), options.threads, until, |number| {
        let seed = options.seed ^ (generation as u64) << 48 ^ (number as u64) << 16;
        let samples = play_file(seed, GAMES_A_FILE, generation, patterns).map_err(|error| error.to_string())?;
        Ok(Sample::bytes(&samples))
    })
}
