//! Chess: plays games of a short search against itself, and trains a network on them.
//!
//! A run is a round: it plays with the compiled network and trains on the games of all rounds found. Files hold
//! `GAMES_A_FILE` games, one a line: `FEN|result|move value move value …`: where the searches begin, the points of White, and each
//! move with what the search that chose it said, in hundredths of a pawn for White. Existing games are not played again. The same
//! seed and options give the same network, with any number of threads.
//!
//! With `--from` a run plays no games. It searches positions of games found there anew, and writes each as a game of one move. Games
//! take many short searches; the few positions that are taught may have longer ones. Train on such files with `--lambda 0`.
//!
//! The target of a position is a mean of its value and of those behind it, each weighing `--lambda` times the one before, with the
//! result behind the last one: it errs less than the value of one short search, and costs nothing.

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use super::training::{Lesson, Samples, Told, Walk, Weights};
use super::{MOST_NODES, Whole, files, play_on};
use clap::Args;
use griot::game::network;
use griot::game::{Evaluate as _, Notation as _, Outcome, Position as _, Side, SplitMix64, mix64};
use griot::games::chess::network::{BUCKETS, FITTED, HIDDEN, INPUTS, SCALE, bucket, inputs};
use griot::games::chess::{Position, game};
use griot::score::{Meaning, Score};
use griot::search::{Knowledge, Task, TranspositionTable, search};

type Move = <Position as griot::game::Position>::Move;

/// Games in a file.
const GAMES_A_FILE: usize = 100;
/// Random plies at the beginning of a game: from the first number up to, not including, the second.
const OPENING: [usize; 2] = [4, 13];
/// Plies after which a game counts as drawn.
const LONGEST: usize = 300;
/// Greatest value of a position that is taught, and what a won game counts.
const GREATEST: i32 = 1_200;
/// Plies for which a value must reach `--decided` to end a game.
const DECIDED: u32 = 6;
/// Greatest number of pawns of a side in a random ending, and of other pieces.
const ENDING: [usize; 2] = [5, 2];
/// Greatest lead of a side in such an ending, in hundredths of a pawn.
const AHEAD: i32 = 350;

/// The spreads that are tried, in tens of hundredths of a pawn.
const SPREADS: std::ops::Range<u32> = 10..60;

/// Options of a run.
#[derive(Debug, Args)]
pub struct Options {
    /// Folder of the games. Existing games are not played again; those of earlier rounds are used for training, too.
    #[arg(long, default_value = "target/fit-chess")]
    dir: PathBuf,
    /// Number of games.
    #[arg(long, default_value_t = 100_000)]
    games: usize,
    /// Nodes after which the search of a move begins no further iteration. The value of a whole iteration errs as much as that of a
    /// search that is stopped anywhere after twice the nodes.
    #[arg(long, default_value_t = 40)]
    nodes: u64,
    /// Folder of games whose positions are searched by these nodes, in place of playing games.
    #[arg(long)]
    from: Option<PathBuf>,
    /// With `--from`: one quiet position of a game in this many is searched.
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u64).range(1..))]
    every: u64,
    /// Percentage of games that begin with a random ending.
    #[arg(long, default_value_t = 15)]
    endings: usize,
    /// A game is won after this value for six plies, in hundredths of a pawn. Lower values leave more time for positions that are
    /// not decided: with 600, 14 of 1,000 games are given to the wrong side.
    #[arg(long, default_value_t = GREATEST, value_parser = clap::value_parser!(i32).range(1..))]
    decided: i32,
    /// Weight of the game's result, from 0 to 1; the rest is the value by the search. All positions of a game share its result, so
    /// a large weight needs many games.
    #[arg(long, default_value_t = 0.2)]
    result: f32,
    /// Weight of what comes behind a position in its target, from 0 to 1: 0 takes the value of its own search alone.
    #[arg(long, default_value_t = 0.8)]
    lambda: f32,
    /// Passes over all positions.
    #[arg(long, default_value_t = 3)]
    passes: usize,
    /// Start from random numbers, not from the compiled network.
    #[arg(long)]
    fresh: bool,
    /// Size of the first training steps; the last ones are a hundredth of it.
    #[arg(long, default_value_t = 3e-4)]
    stride: f32,
    /// Weight decay: the share of each weight that a step of size 1 takes away. It lessens overfitting of a network that starts from
    /// random numbers; 0.1 was best of 0, 0.1 and 0.3.
    #[arg(long, default_value_t = 0.0)]
    decay: f32,
    /// Threads for playing and training.
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Seed of the games.
    #[arg(long, default_value_t = 2026)]
    seed: u64,
    /// File of the network.
    #[arg(long, default_value = "src/games/chess/network.bin")]
    out: PathBuf,
}

/// A game, or a position with its value.
struct Game {
    /// The points of White.
    result: f32,
    /// Each position with its value for White, and whether it is taught: if it is quiet, and not decided.
    seen: Vec<(Position, i32, bool)>,
}

impl Game {
    /// The game in a line of a file; `None` if it is no such line.
    fn of_line(line: &str) -> Option<Game> {
        let game = game();
        let [start, result, moves] = line.splitn(3, '|').collect::<Vec<_>>().try_into().ok()?;
        let result = result.parse().ok()?;
        let mut position = game.notation.parse_position(start).ok()?;
        let mut seen = Vec::new();
        let mut words = moves.split_ascii_whitespace();
        while let Some(mv) = words.next() {
            let mv = game.notation.parse_move(&position, mv).ok()?;
            let value: i32 = words.next()?.parse().ok()?;
            let is_quiet = position.board().checkers().is_empty() && !game.evaluate.is_noisy(&position, mv);
            let next = position.after(mv);
            seen.push((position, value, is_quiet && value.abs() < GREATEST));
            position = next;
        }
        Some(Game { result, seen })
    }
}

/// Adds the quiet positions of a line of a file of games to the samples; `None` if it is no such line.
fn take_in(samples: &mut Samples, lambda: f32, line: &str) -> Option<()> {
    let Game { result, seen } = Game::of_line(line)?;
    let greatest = GREATEST as f32;
    let mut behind = (2.0 * result - 1.0) * greatest;
    for (position, value, is_taught) in seen.into_iter().rev() {
        behind = lambda * behind + (1.0 - lambda) * (value as f32).clamp(-greatest, greatest);
        if is_taught {
            let board = position.board();
            let side = board.side_to_move();
            let told = Told { bucket: bucket(board.occupied().len()), known: 0.0, thought: behind, result };
            let told = if position.side_to_move() == Side::First { told } else { told.for_the_other() };
            samples.add([side, !side].map(|side| inputs(board, side)), told);
        }
    }
    Some(())
}

/// Plays a round, or searches positions of another one, trains a network on all games found, and writes it.
pub fn fit(options: &Options) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(&options.dir)?;
    match &options.from {
        Some(from) => search_all(options, from)?,
        None => play_all(options)?,
    }
    let weights: Weights<INPUTS, HIDDEN, BUCKETS> = if options.fresh {
        Weights::random(options.seed, 0.1, 0.0)
    } else {
        Weights::of_numbers(&network::numbers(FITTED))
    };
    let Options { passes, stride, decay, threads, seed, .. } = *options;
    let walk = Walk { passes, stride, decay, threads, seed, greatest: network::GREATEST };
    let (dir, out) = (&options.dir, &options.out);
    let lesson = Lesson { dir, result: options.result, spreads: SPREADS, scale: SCALE, walk, out };
    lesson.teach(weights, |samples, line| take_in(samples, options.lambda, line))
}

/// A random ending: kings, few pieces and pawns, about even.
fn ending(rng: &mut SplitMix64) -> Position {
    let game = game();
    loop {
        let mut board = [['1'; 8]; 8];
        for king in ['K', 'k'] {
            board[rng.below(8)][rng.below(8)] = king;
        }
        for is_white in [true, false] {
            for (most, kinds) in ENDING.into_iter().zip(["p", "nbrq"]) {
                for _ in 0..rng.below(most + 1) {
                    let kind = char::from(kinds.as_bytes()[rng.below(kinds.len())]);
                    let rank = if kind == 'p' { 1 + rng.below(6) } else { rng.below(8) };
                    board[rank][rng.below(8)] = if is_white { kind.to_ascii_uppercase() } else { kind };
                }
            }
        }
        let ranks = board.map(String::from_iter).join("/");
        let side = ["w", "b"][rng.below(2)];
        // A king may have been replaced, or the side not to move may be in check.
        let Ok(position) = game.notation.parse_position(&format!("{ranks} {side} - - 0 1")) else { continue };
        if game.evaluate.material(&position).abs() <= AHEAD && position.status(&mut Vec::new()).is_none() {
            return position;
        }
    }
}

/// The best move of a search that begins no further iteration after so many nodes, and its value for White.
fn searched(task: Task<Position>, nodes: u64, table: &TranspositionTable) -> (Move, i32) {
    let task = Task { nodes: MOST_NODES * nodes, ..task };
    let verdict = search(&task, Knowledge::new(&game().evaluate, &(), table), &mut Whole::from(nodes));
    let sign = if task.root.side_to_move() == Side::First { 1 } else { -1 };
    let units = match verdict.score.meaning() {
        Meaning::Units(units) => sign * units,
        _ if verdict.score > Score::DRAW => sign * 4 * GREATEST,
        _ => -sign * 4 * GREATEST,
    };
    (verdict.pv[0], units)
}

/// Searches one in `every` taught positions of the game in a line, and writes each in a line; `None` if it is no such line.
fn search_some(rng: &mut SplitMix64, options: &Options, table: &TranspositionTable, line: &str) -> Option<String> {
    let Game { result, seen } = Game::of_line(line)?;
    let notation = &game().notation;
    let every = options.every as usize;
    let taught = seen.iter().filter(|(.., is_taught)| *is_taught).skip(rng.below(every)).step_by(every);
    let mut lines = String::new();
    for (position, ..) in taught {
        let (mv, units) = searched(Task::new(position.clone()), options.nodes, table);
        let (text, mv) = (notation.position_text(position), notation.move_text(position, mv));
        let _ = writeln!(lines, "{text}|{result}|{mv} {units}");
    }
    Some(lines)
}

/// Plays a game, and writes it in a line.
fn play(rng: &mut SplitMix64, options: &Options, table: &TranspositionTable, lines: &mut String) {
    let game = game();
    let nodes = options.nodes;
    let is_ending = rng.below(100) < options.endings;
    let mut position = if is_ending { ending(rng) } else { game.notation.start() };
    let mut history: Vec<u64> = Vec::new();
    let (mut start, mut played) = (String::new(), String::new());
    let (mut decided, mut result) = (0, 0.5);
    let random = if is_ending { 0 } else { OPENING[0] + rng.below(OPENING[1] - OPENING[0]) };
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
        if ply == random {
            start = game.notation.position_text(&position);
        }
        if ply >= random {
            let task = Task { history: history.clone(), ..Task::new(position.clone()) };
            let units;
            (mv, units) = searched(task, nodes, table);
            let _ = write!(played, " {} {units}", game.notation.move_text(&position, mv));
            decided = if units.abs() >= options.decided { decided + 1 } else { 0 };
            if decided >= DECIDED {
                result = if units > 0 { 1.0 } else { 0.0 };
                break;
            }
        }
        play_on(&mut position, mv, &mut history);
    }
    if !played.is_empty() {
        let _ = writeln!(lines, "{start}|{result}|{}", played.trim_start());
    }
}

/// Searches positions of the games in a folder, a file for each file that is not there yet.
fn search_all(options: &Options, from: &Path) -> Result<(), Box<dyn Error>> {
    let Options { nodes, seed, every, .. } = *options;
    let by = files::hash_of_player(&network::numbers(FITTED));
    let games = files::files(from)?;
    if from.canonicalize()? == options.dir.canonicalize()? {
        let error = "--from: the same folder as --dir; a second run would search the positions of the first, so name another one";
        return Err(error.into());
    }
    let name = |games: &PathBuf| {
        let of = games.file_name().unwrap_or_default().to_string_lossy();
        options
            .dir
            .join(format!("games-{by:08x}-{seed}-from{nodes}-each{every}-of-{}", of.trim_start_matches("games-")))
    };
    let files: Vec<PathBuf> = games.iter().map(name).collect();
    files::play(&files, "files of games".into(), options.threads, None, |number| {
        let table = TranspositionTable::new(1).map_err(|error| error.to_string())?;
        let (file, mut lines) = (&games[number], String::new());
        // By its name, not its number: games may be added before the next run.
        let name = file.file_name().unwrap_or_default().as_encoded_bytes();
        let mut rng = SplitMix64::new(name.iter().fold(seed, |sum, &byte| mix64(sum ^ u64::from(byte))));
        let text = fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
        for (number, line) in text.lines().enumerate() {
            table.clear();
            let searched = search_some(&mut rng, options, &table, line);
            lines += &searched.ok_or_else(|| format!("{}: line {}: no game of chess", file.display(), number + 1))?;
        }
        Ok(lines.into_bytes())
    })?;
    Ok(())
}

/// Plays the missing games of this round.
fn play_all(options: &Options) -> Result<(), Box<dyn Error>> {
    let Options { nodes, seed, endings, decided, .. } = *options;
    let by = files::hash_of_player(&network::numbers(FITTED));
    let name = |number: usize| {
        options.dir.join(format!("games-{by:08x}-{seed}-from{nodes}-{endings}-{decided}-{number:04}.txt"))
    };
    let files: Vec<PathBuf> = (0..options.games.div_ceil(GAMES_A_FILE)).map(name).collect();
    files::play(&files, "games".into(), options.threads, None, |number| {
        let table = TranspositionTable::new(1).map_err(|error| error.to_string())?;
        let mut rng = SplitMix64::new(mix64(seed) ^ mix64(number as u64));
        let mut lines = String::new();
        for _ in 0..GAMES_A_FILE {
            table.clear();
            play(&mut rng, options, &table, &mut lines);
        }
        Ok(lines.into_bytes())
    })?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options_of;
    use crate::training::targets_by;

    /// What is taught of a game are its quiet positions; what comes behind one counts in its target.
    #[test]
    fn a_target_is_a_mean_of_the_values_from_a_position_on() {
        let start = game().notation.position_text(&game().notation.start());
        // The third move captures; the second position is Black's.
        let line = format!("{start}|1|e2e4 40 d7d5 20 e4d5 1300 g8f6 60");
        let told = |lambda| targets_by(|samples| take_in(samples, lambda, &line));
        assert_eq!(told(0.0), [(-60.0, 0.0), (-20.0, 0.0), (40.0, 1.0)]);
        // From the last position to the first: 1200 is the result, and the most that a value counts.
        let last = 0.5 * 60.0 + 0.5 * 1200.0;
        let third = 0.5 * 1200.0 + 0.5 * last;
        let second = 0.5 * 20.0 + 0.5 * third;
        let first = 0.5 * 40.0 + 0.5 * second;
        assert_eq!(told(0.5), [(-last, 0.0), (-second, 0.0), (first, 1.0)]);
        for wrong in ["", "8/8/8|1|", &format!("{start}|1|e2e5 3"), &format!("{start}|1|e2e4"), &format!("{start}|x|")]
        {
            assert!(take_in(&mut Samples::default(), 0.5, wrong).is_none(), "{wrong}");
        }
    }

    #[test]
    fn the_games_that_are_played_are_read() {
        let table = TranspositionTable::new(1).unwrap();
        let options = options_of::<Options>(&["", "--nodes", "60", "--endings", "50"]);
        let (mut rng, mut lines) = (SplitMix64::new(5), String::new());
        (0..6).for_each(|_| play(&mut rng, &options, &table, &mut lines));
        let mut samples = Samples::default();
        for line in lines.lines() {
            assert!(take_in(&mut samples, options.lambda, line).is_some(), "{line}");
        }
        assert!(samples.len() > 50, "{lines}");
    }

    #[test]
    fn positions_of_games_are_searched_anew() {
        let folder = griot_testing::Folder::new("train");
        let (from, dir) = (folder.join("from"), folder.join("dir"));
        [&from, &dir].iter().for_each(|dir| fs::create_dir(dir).unwrap());
        let start = game().notation.position_text(&game().notation.start());
        // The third move captures, the last one is made when all is decided.
        let lines = [
            format!("{start}|1|e2e4 40 d7d5 20 e4d5 30 g8f6 60 b1c3 1300"),
            format!("{start}|0.5|d2d4 40 d7d5 20 c2c4 30 e7e6 60 b1c3 20"),
        ];
        fs::write(from.join("games-x-0007.txt"), lines.join("\n")).unwrap();
        let searched = |every: &str, line: &str| {
            let options = options_of::<Options>(&["", "--nodes", "300", "--every", every]);
            let table = TranspositionTable::new(1).unwrap();
            search_some(&mut SplitMix64::new(3), &options, &table, line)
        };
        let all: String = lines.iter().map(|line| searched("1", line).unwrap()).collect();
        assert_eq!(all.lines().count(), 3 + 5);
        for (line, after) in all.lines().zip(["", "e2e4", "e2e4 d7d5 e4d5", "", "d2d4", "d2d4 d7d5"]) {
            let Game { result, seen } = Game::of_line(line).unwrap();
            let [(position, value, _)] = seen.as_slice() else { panic!("{line}") };
            assert_eq!(result, if line.contains("|1|") { 1.0 } else { 0.5 });
            assert!(value.abs() < 200, "{line}");
            let mut expected = game().notation.start();
            for mv in after.split_ascii_whitespace() {
                expected.play(game().notation.parse_move(&expected, mv).unwrap());
            }
            assert_eq!(position.hash(), expected.hash(), "{line}");
        }
        assert_eq!(
            searched("3", &lines[1]).unwrap().lines().count(),
            2 - usize::from(SplitMix64::new(3).below(3) == 2)
        );
        assert!(searched("1", "8/8/8|1|").is_none());

        let [from, dir] = [from, dir].map(|dir| dir.display().to_string());
        let options = options_of::<Options>(&["", "--nodes", "300", "--every", "1", "--from", &from, "--dir", &dir]);
        search_all(&options, from.as_ref()).unwrap();
        let files = files::files(dir.as_ref()).unwrap();
        let name = files[0].file_name().unwrap().to_str().unwrap();
        assert!(name.ends_with("-2026-from300-each1-of-x-0007.txt"), "{name}");
        assert_eq!(fs::read_to_string(&files[0]).unwrap(), all);
        // What is there already is not searched again.
        fs::write(&files[0], "kept").unwrap();
        search_all(&options, from.as_ref()).unwrap();
        assert_eq!(fs::read_to_string(&files[0]).unwrap(), "kept");

        let missing = folder.join("missing");
        let refused = |from: &Path| search_all(&options, from).unwrap_err().to_string();
        assert!(refused(&missing).starts_with(&format!("{}: ", missing.display())), "{}", refused(&missing));
        assert!(refused(dir.as_ref()).contains("the same folder"), "{}", refused(dir.as_ref()));
    }

    #[test]
    fn values_are_those_of_whole_iterations() {
        let search = |depth: u32, enough: u64| {
            let table = TranspositionTable::new(1).unwrap();
            let task = Task { depth, ..Task::new(game().notation.start()) };
            search(&task, Knowledge::new(&game().evaluate, &(), &table), &mut Whole::from(enough))
        };
        for enough in [1, 100, 1000] {
            let found = search(Task::new(game().notation.start()).depth, enough);
            assert!(found.nodes >= enough);
            assert_eq!(found, search(found.depth, u64::MAX));
            assert!(found.depth == 1 || search(found.depth - 1, u64::MAX).nodes < enough);
        }
    }

    #[test]
    fn a_game_ends_when_it_has_been_decided_for_six_plies() {
        let table = TranspositionTable::new(1).unwrap();
        let options = options_of::<Options>(&["", "--nodes", "60", "--endings", "0", "--decided", "100"]);
        let (mut rng, mut lines) = (SplitMix64::new(5), String::new());
        (0..4).for_each(|_| play(&mut rng, &options, &table, &mut lines));
        let mut ended = 0;
        for line in lines.lines() {
            let words: Vec<&str> = line.splitn(3, '|').nth(2).unwrap().split(' ').collect();
            let decided: Vec<bool> =
                words.iter().skip(1).step_by(2).map(|v| v.parse::<i32>().unwrap().abs() >= 100).collect();
            let first = decided.windows(6).position(|plies| plies.iter().all(|&is_decided| is_decided));
            assert!(first.is_none_or(|first| first + 6 == decided.len()), "{line}");
            ended += usize::from(first.is_some());
        }
        assert!(ended > 0, "{lines}");
    }
}
