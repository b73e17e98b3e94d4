//! Gomoku: plays games of a short search against itself, and trains a network on them.
//!
//! A run is a round: it plays with the compiled network and trains on the games of all rounds found. Files hold `GAMES_A_FILE`
//! games, one a line: `rules|moves|values of the last positions by the search|points of the first player`. Existing games are
//! not played again. The same seed and options give the same network, with any number of threads. The target of a position is a
//! mean of the values from it on, as at chess.

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use clap::Args;
use griot::game::{Notation as _, Position as _, Side, SplitMix64, mix64};
use griot::games::mnk::network::{BUCKETS, FITTED, HIDDEN, INPUTS, SCALE};
use griot::games::mnk::{Evaluate, Notation, Position, Style, parse_parameters};
use griot::score::{Meaning, Score};
use griot::search::{Knowledge, Task, TranspositionTable, search};

use super::training::{Lesson, Samples, Told, Walk, Weights};
use super::{MOST_NODES, Whole, files};

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
const JUDGED: u64 = 500;
/// The largest lead of either side in an opening, and in one game in four.
const AHEAD: [i32; 2] = [90, 250];
/// Stones after which a game is a draw.
const LONGEST: usize = 150;
/// What a won game counts, and the most that a value counts.
const GREATEST: f32 = 600.0;

/// The spreads that are tried, in tens of units.
const SPREADS: std::ops::Range<u32> = 4..40;

/// Options of a run.
#[derive(Debug, Args)]
pub struct Options {
    /// Folder of the games. Existing games are not played again; those of earlier rounds are used for training, too.
    #[arg(long, default_value = "target/fit-gomoku")]
    dir: PathBuf,
    /// Number of games.
    #[arg(long, default_value_t = 12_000)]
    games: usize,
    /// Nodes after which the search of a move begins no further iteration.
    #[arg(long, default_value_t = 100)]
    nodes: u64,
    /// Weight of the game's result, from 0 to 1; the rest is the value by the search.
    #[arg(long, default_value_t = 0.4)]
    result: f32,
    /// Weight of what comes behind a position in its target, from 0 to 1: 0 takes the value of its own search alone.
    #[arg(long, default_value_t = 0.5)]
    lambda: f32,
    /// Passes over all positions.
    #[arg(long, default_value_t = 4)]
    passes: usize,
    /// Size of the first training steps; the last ones are a hundredth of it.
    #[arg(long, default_value_t = 2e-3)]
    stride: f32,
    /// Weight decay: the share of each weight that a step of size 1 takes away.
    #[arg(long, default_value_t = 0.1)]
    decay: f32,
    /// Threads for playing and training.
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Seed of the games.
    #[arg(long, default_value_t = 2026)]
    seed: u64,
    /// File of the network.
    #[arg(long, default_value = "src/games/mnk/network.bin")]
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
        let task = Task { nodes: MOST_NODES * nodes, ..Task::new(position) };
        let verdict = search(&task, Knowledge::new(&evaluate, &(), table), &mut Whole::from(nodes));
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

/// Adds the positions of a line of a file of games to the samples; `None` if it is no such line.
fn take_in(samples: &mut Samples, lambda: f32, line: &str) -> Option<()> {
    let [rules, moves, values, points] = line.splitn(4, '|').collect::<Vec<_>>().try_into().ok()?;
    let notation = notation(rules).ok()?;
    let points: f32 = points.parse().ok()?;
    let values: Vec<f32> = values.split_ascii_whitespace().map(|value| value.parse().ok()).collect::<Option<_>>()?;
    let moves: Vec<&str> = moves.split_ascii_whitespace().collect();
    let random = moves.len().checked_sub(values.len())?;
    let mut position = notation.start();
    let mut seen = Vec::new();
    for (ply, mv) in moves.into_iter().enumerate() {
        seen.extend(ply.checked_sub(random).map(|at| (position, values[at])));
        position.play(notation.parse_move(&position, mv).ok()?);
    }
    let evaluate = Evaluate::<4>::new(position.parameters());
    let mut behind = (2.0 * points - 1.0) * GREATEST;
    for (position, value) in seen.into_iter().rev() {
        behind = lambda * behind + (1.0 - lambda) * value.clamp(-GREATEST, GREATEST);
        if let Some(inputs) = evaluate.inputs(&position) {
            let told = Told { bucket: 0, known: 0.0, thought: behind, result: points };
            let told = if position.side_to_move() == Side::First { told } else { told.for_the_other() };
            samples.add(inputs, told);
        }
    }
    Some(())
}

/// Plays the missing games of this round.
fn play_all(options: &Options) -> Result<(), Box<dyn Error>> {
    let Options { nodes, seed, .. } = *options;
    // Games by another network are different games, so the file name contains its checksum.
    let by = crc32fast::hash(FITTED);
    let name = |number: usize| options.dir.join(format!("games-{by:08x}-{seed}-from{nodes}-{number:04}.txt"));
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

/// Plays a round, trains a network on all games found, and writes it.
pub fn fit(options: &Options) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(&options.dir)?;
    play_all(options)?;
    let Options { passes, stride, decay, threads, seed, .. } = *options;
    // A hundred and more inputs are active. From these numbers the sums begin between 0 and 1, and with weights of at most a half they
    // stay within their type.
    let weights: Weights<INPUTS, HIDDEN, BUCKETS> = Weights::random(seed, 0.02, 0.3);
    let walk = Walk { passes, stride, decay, threads, seed, greatest: 0.5 };
    let (dir, out) = (&options.dir, &options.out);
    let lesson = Lesson { dir, result: options.result, spreads: SPREADS, scale: SCALE, walk, out };
    lesson.teach(weights, |samples, line| take_in(samples, options.lambda, line))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::training::{targets_by, told_by};

    /// What comes behind a position counts in its target; the last one is followed by the result.
    #[test]
    fn a_target_is_a_mean_of_the_values_from_a_position_on() {
        // The first stone was random; the second position with a value is the opponent's.
        let line = "gomoku|h8 a1 c15 o3|20 -40 900|0";
        let targets = |lambda| targets_by(|samples| take_in(samples, lambda, line));
        assert_eq!(targets(0.0), [(-600.0, 1.0), (-40.0, 0.0), (-20.0, 1.0)]);
        let last = 0.5 * 600.0 - 0.5 * 600.0;
        let second = 0.5 * -40.0 + 0.5 * last;
        let first = 0.5 * 20.0 + 0.5 * second;
        assert_eq!(targets(0.5), [(-last, 1.0), (second, 0.0), (-first, 1.0)]);
        for wrong in ["", "gomoku|h8", "gomoku|h8 h8|1|0", "gomoku|h8|1 2|0", "gomoku|h8|x|0", "chess|e2e4|1|0"] {
            assert!(told_by(|samples| take_in(samples, 0.5, wrong)).is_none(), "{wrong}");
        }
    }

    /// A position in which a line can be made needs no evaluation.
    #[test]
    fn positions_that_threats_decide_are_not_taught() {
        let line = "gomokufreestyle|h8 a1 i8 a15 j8 o1 k8 o15|0 0 0 0 0 0 0|1";
        assert_eq!(targets_by(|samples| take_in(samples, 0.0, line)).len(), 5);
    }

    #[test]
    fn the_games_that_are_played_are_read() {
        let table = TranspositionTable::new(1).unwrap();
        let (mut rng, mut lines) = (SplitMix64::new(5), String::new());
        (0..6).for_each(|number| play(&mut rng, rules(number), 50, &table, &mut lines).unwrap());
        let told: usize = lines.lines().map(|line| targets_by(|samples| take_in(samples, 0.5, line)).len()).sum();
        assert!(told > 50, "{lines}");
    }
}
