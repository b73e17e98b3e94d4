//! Awalé: plays games of a short search against itself, and trains a network on them.
//!
//! A run is a round: it plays with the compiled network, or that of `--from`, and trains on the games of all rounds found. One
//! file in twenty is of each rule variant. Files hold `GAMES_A_FILE` games, one a line: `GAME|BOARD|result|end|move value move
//! value …`: where the searches begin, the points of South, the final balance, and each move with what the search that chose it
//! said; values are in hundredths of a seed for South. Existing games are not played again. The same seed, options and tables give
//! the same network, with any number of threads.
//!
//! The target of a position is a mean of its value and of those behind it, each weighing `--lambda` times the one before, with the
//! final balance behind the last one. A game that ends by repetition has no final balance: the last value takes its place.

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use clap::Args;
use griot::game::network;
use griot::game::{
    Evaluate, Evaluator, Game, Notation as _, Outcome, Position as _, Probe as _, Side, SplitMix64, mix64,
};
use griot::games::awale::network::{BUCKETS, FITTED, HIDDEN, INPUTS, SCALE, bucket, inputs};
use griot::games::awale::{
    Abapa, AwaleEndings, AwaleEvaluation, AwaleNotation, Awari, Mini, Position, Tipe, Variant, game,
};
use griot::score::{Meaning, Score};
use griot::search::{Knowledge, Task, TranspositionTable, search};

use super::training::{Lesson, Samples, Told, Walk, Weights};
use super::{MOST_NODES, Whole, files, play_on};

/// Games in a file.
const GAMES_A_FILE: usize = 100;
/// Random plies at the beginning of a game: from the first number up to, not including, the second.
const OPENING: [usize; 2] = [2, 16];
/// Games longer than this are left out, in plies.
const LONGEST: usize = 300;
/// Clamp of the search's values, in hundredths of a seed.
const GREATEST: i32 = 2_500;
/// The spreads that are tried, in tens of hundredths of a seed.
const SPREADS: std::ops::Range<u32> = 10..100;

/// Options of a run.
#[derive(Debug, Args)]
pub struct Options {
    /// Folder of the games. Existing games are not played again; those of earlier rounds are used for training, too.
    #[arg(long, default_value = "target/fit-awale")]
    dir: PathBuf,
    /// Number of games.
    #[arg(long, default_value_t = 20_000)]
    games: usize,
    /// Nodes after which the search of a move begins no further iteration.
    #[arg(long, default_value_t = 300)]
    nodes: u64,
    /// Folder of endgame tables of the usual rules. Without it, the tables that an engine builds for itself.
    #[arg(long)]
    tables: Option<PathBuf>,
    /// Weight of the game's result, from 0 to 1; the rest is the value by the search.
    #[arg(long, default_value_t = 0.3)]
    result: f32,
    /// Weight of what comes behind a position in its target, from 0 to 1: 0 takes the value of its own search alone.
    #[arg(long, default_value_t = 0.8)]
    lambda: f32,
    /// Passes over all positions.
    #[arg(long, default_value_t = 16)]
    passes: usize,
    /// Play with the network of this file, and start from it, not from the compiled one.
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Start training from random numbers, not from the network that plays.
    #[arg(long)]
    fresh: bool,
    /// Size of the first training steps; the last ones are a hundredth of it.
    #[arg(long, default_value_t = 0.003)]
    stride: f32,
    /// Weight decay: the share of each weight that a step of size 1 takes away.
    #[arg(long, default_value_t = 0.0)]
    decay: f32,
    /// Threads for playing and training.
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Seed of the games.
    #[arg(long, default_value_t = 2026)]
    seed: u64,
    /// File of the network.
    #[arg(long, default_value = "src/games/awale/network.bin")]
    out: PathBuf,
}

/// Plays a round, trains a network on all games found, and writes it.
pub fn fit(options: &Options) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(&options.dir)?;
    let playing = match &options.from {
        Some(file) => fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?,
        None => FITTED.to_vec(),
    };
    play_all(options, &playing)?;
    let weights = match options.fresh {
        true => Weights::<INPUTS, HIDDEN, BUCKETS>::random(options.seed, 0.1, 0.0),
        false => Weights::of_numbers(&network::numbers(&playing)),
    };
    let Options { passes, stride, decay, threads, seed, .. } = *options;
    let walk = Walk { passes, stride, decay, threads, seed, greatest: network::GREATEST };
    let (dir, out) = (&options.dir, &options.out);
    let lesson = Lesson { dir, result: options.result, spreads: SPREADS, scale: SCALE, walk, out };
    lesson.teach(weights, |samples, line| take_in(samples, options.lambda, line))
}

/// Adds the positions of a line of a file to the samples; `None` if it is no such line.
fn take_in(samples: &mut Samples, lambda: f32, line: &str) -> Option<()> {
    let (name, rest) = line.split_once('|')?;
    match name {
        Abapa::NAME => take_in_of::<Abapa>(samples, lambda, rest),
        Awari::NAME => take_in_of::<Awari>(samples, lambda, rest),
        Tipe::NAME => take_in_of::<Tipe>(samples, lambda, rest),
        Mini::NAME => take_in_of::<Mini>(samples, lambda, rest),
        _ => None,
    }
}

fn take_in_of<V: Variant>(samples: &mut Samples, lambda: f32, line: &str) -> Option<()> {
    let notation = AwaleNotation::<V>::default();
    let [start, result, end, moves] = line.splitn(4, '|').collect::<Vec<_>>().try_into().ok()?;
    let (result, mut behind): (f32, f32) = (result.parse().ok()?, end.parse().ok()?);
    let mut position = notation.parse_position(start).ok()?;
    let mut seen: Vec<(Position<V>, f32)> = Vec::new();
    let mut words = moves.split_ascii_whitespace();
    while let Some(mv) = words.next() {
        let mv = notation.parse_move(&position, mv).ok()?;
        seen.push((position, words.next()?.parse().ok()?));
        position.play(mv);
    }
    for (position, value) in seen.into_iter().rev() {
        behind = lambda * behind + (1.0 - lambda) * value;
        let known = 100.0 * position.store_balance() as f32;
        let told = Told { bucket: bucket(position.seeds_on_board()), known, thought: behind, result };
        let told = match position.side_to_move() {
            Side::First => told,
            Side::Second => Told { known, ..told.for_the_other() },
        };
        samples.add(inputs(&position), told);
    }
    Some(())
}

type Awale<V> = Game<AwaleNotation<V>, AwaleEvaluation, AwaleEndings<V>>;

/// A score for the side to move, in hundredths of a seed.
fn hundredths(score: Score) -> i32 {
    let units = match score.meaning() {
        Meaning::Units(units) => units,
        Meaning::KnownWin(margin) => margin as i32,
        Meaning::KnownLoss(margin) => -(margin as i32),
        Meaning::Win(_) => GREATEST,
        Meaning::Loss(_) => -GREATEST,
    };
    units.clamp(-GREATEST, GREATEST)
}

/// Plays a game, and writes it in a line.
fn play<V: Variant>(
    rng: &mut SplitMix64,
    game: &Awale<V>,
    (nodes, table): (u64, &TranspositionTable),
    lines: &mut String,
) {
    let mut position = game.notation.start();
    let mut history: Vec<u64> = Vec::new();
    let (mut start, mut played, mut last) = (String::new(), String::new(), 0);
    let evaluate = Evaluator::full(&game.evaluate);
    let random = OPENING[0] + rng.below(OPENING[1] - OPENING[0]);
    for ply in 0..LONGEST {
        let mut moves = Vec::new();
        let status = position.status(&mut moves);
        let end = status.or_else(|| position.outcome_by_history(|| history.contains(&position.hash())));
        let sign = if position.side_to_move() == Side::First { 1 } else { -1 };
        let of_south =
            |score: Score| (0.5 + 0.5 * f64::from(sign * score.cmp(&Score::DRAW) as i32), sign * hundredths(score));
        let by_table = || game.probe.balance(&position).and_then(|balance| balance.result()).map(of_south);
        let points = |outcome: Outcome| of_south(outcome.score_for(position.side_to_move())).0;
        let known = match (status, end) {
            (Some(outcome), _) => Some((points(outcome), of_south(evaluate.final_score(&position, outcome)).1)),
            // The rules say who wins a game that repeats; its balance is taken from the last search.
            (None, Some(outcome)) => Some((points(outcome), last)),
            (None, None) => by_table(),
        };
        if let Some((result, end)) = known {
            if !played.is_empty() {
                let _ = writeln!(lines, "{}|{start}|{result}|{end}|{}", V::NAME, played.trim_start());
            }
            return;
        }
        let mut mv = moves[rng.below(moves.len())];
        if ply == random {
            start = game.notation.position_text(&position);
        }
        if ply >= random {
            let task = Task { nodes: MOST_NODES * nodes, history: history.clone(), ..Task::new(position) };
            let verdict = search(&task, Knowledge::new(&game.evaluate, &game.probe, table), &mut Whole::from(nodes));
            mv = verdict.pv[0];
            last = sign * hundredths(verdict.score);
            let _ = write!(played, " {} {last}", game.notation.move_text(&position, mv));
        }
        play_on(&mut position, mv, &mut history);
    }
}

/// Plays the games of a file.
fn play_file<V: Variant>(options: &Options, number: usize, game: &Awale<V>) -> Result<Vec<u8>, String> {
    let table = TranspositionTable::new(4).map_err(|error| error.to_string())?;
    let mut rng = SplitMix64::new(mix64(options.seed) ^ mix64(number as u64));
    let mut lines = String::new();
    for _ in 0..GAMES_A_FILE {
        table.clear();
        play(&mut rng, game, (options.nodes, &table), &mut lines);
    }
    Ok(lines.into_bytes())
}

/// The game with this network, and the tables of a folder or those that an engine builds for itself.
fn playing<V: Variant>(network: &[u8], tables: Option<&Path>) -> Result<Awale<V>, String> {
    let mut game = game::<V>();
    game.evaluate = Evaluate::<Position<V>>::with_weights(&game.evaluate, network)?;
    if tables.is_some() {
        game.probe = game.probe.with_tables(tables)?;
        return Ok(game);
    }
    // A board with one seed in each house has few enough seeds for tables to be built.
    let houses = vec![1; 2 * V::HOUSES];
    let stores = [V::TOTAL / 2 - V::HOUSES as u8; 2];
    let near = Position::from_parts(&houses, stores, Side::First).ok_or("a board with wrong numbers")?;
    while !game.probe.prepare(&near) {
        thread::sleep(Duration::from_millis(1));
    }
    Ok(game)
}

/// Plays the missing games of this round.
fn play_all(options: &Options, network: &[u8]) -> Result<(), Box<dyn Error>> {
    let Options { nodes, seed, .. } = *options;
    let by = files::hash_of_player(&network::numbers(network));
    let name = |number: usize| options.dir.join(format!("games-{by:08x}-{seed}-from{nodes}-{number:04}.txt"));
    let files: Vec<PathBuf> = (0..options.games.div_ceil(GAMES_A_FILE)).map(name).collect();
    let usual = playing::<Abapa>(network, options.tables.as_deref())?;
    let (awari, tipe, mini) = (playing(network, None)?, playing(network, None)?, playing(network, None)?);
    files::play(&files, "games".into(), options.threads, None, |number| match number % 20 {
        17 => play_file::<Awari>(options, number, &awari),
        18 => play_file::<Tipe>(options, number, &tipe),
        19 => play_file::<Mini>(options, number, &mini),
        _ => play_file::<Abapa>(options, number, &usual),
    })?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options_of;
    use crate::training::{targets_by, told_by};

    #[test]
    fn a_target_is_a_mean_of_the_values_from_a_position_on() {
        let start = AwaleNotation::<Abapa>::default().position_text(&game::<Abapa>().notation.start());
        let line = format!("{}|{start}|1|300|A 40 a 20", Abapa::NAME);
        let targets = |lambda| targets_by(|samples| take_in(samples, lambda, &line));
        // From the last position, which is North's, to the first.
        assert_eq!(targets(0.0), [(-20.0, 0.0), (40.0, 1.0)]);
        assert_eq!(targets(0.5), [(-160.0, 0.0), (100.0, 1.0)]);
        for wrong in ["", "abapa", &line.replace("A 40", "X 40"), &line.replace(" 20", ""), &line.replace("|300", "")] {
            assert!(told_by(|samples| take_in(samples, 0.5, wrong)).is_none(), "{wrong}");
        }
    }

    #[test]
    fn the_games_that_are_played_are_read() {
        let options = options_of::<Options>(&["", "--nodes", "20"]);
        let table = TranspositionTable::new(1).unwrap();
        let (mut rng, mut lines) = (SplitMix64::new(5), String::new());
        (0..4).for_each(|_| play(&mut rng, &game::<Mini>(), (options.nodes, &table), &mut lines));
        for line in lines.lines() {
            let told = told_by(|samples| take_in(samples, options.lambda, line)).expect("a line");
            // A game goes to its end, and the side that has the balance has the points.
            let [_, _, result, end, _] = line.split('|').collect::<Vec<_>>().try_into().expect("five fields");
            let (result, end): (f32, i32) = (result.parse().unwrap(), end.parse().unwrap());
            assert!(
                told.len() > 5 && (result - 0.5).signum() as i32 * i32::from(result != 0.5) == end.signum(),
                "{line}"
            );
        }
        assert!(lines.lines().count() > 2, "{lines}");
    }
}
