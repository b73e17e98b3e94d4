//! The gain of each search technique in play: matches of the search with all techniques against the search without one.
//!
//! `cargo bench --bench techniques [-- --game NAME ...] [--only TECHNIQUE] [--games N] [--nodes N] [--random-plies N]
//! [--threads N]`. Games are played in this process, both sides with equal nodes per move on one thread, from random
//! openings that each side plays once. The Markdown table has the score of the search with all techniques, its Elo with
//! the 95 % error by pairs of games, and the time per node without the technique as a ratio to that with it: a
//! technique that makes nodes slower gains less than its Elo. The same arguments give the same games, with any number
//! of threads.

#![allow(clippy::print_stdout, clippy::expect_used, missing_docs)]

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use clap::Parser;
use griot::game::{Evaluate, Game, Notation, Outcome, Position, Probe, Side, SplitMix64, mix64};
use griot::registry::{Visitor, with_game};
use griot::search::{Knowledge, Task, Technique, Techniques, TranspositionTable, search};

#[derive(Parser)]
struct Arguments {
    /// The games to play; repeat the option for each.
    #[arg(long = "game", default_values = ["chess", "awale", "othello", "connect4", "gomoku"])]
    games_of: Vec<String>,
    /// Only the techniques whose name contains this.
    #[arg(long, default_value = "")]
    only: String,
    /// Games of each match; two for each opening.
    #[arg(long, default_value_t = 400)]
    games: usize,
    /// Nodes for each move.
    #[arg(long, default_value_t = 2_000)]
    nodes: u64,
    /// Random plies at the beginning of a game.
    #[arg(long, default_value_t = 8)]
    random_plies: usize,
    /// Games played in parallel.
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// The seed of the openings.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Given by cargo.
    #[arg(long, hide = true)]
    bench: bool,
}

/// Plies after which a game counts as drawn.
const LONGEST: usize = 400;
/// The table of each side, in mebibytes.
const TABLE: usize = 4;

/// The nodes and time of one side.
#[derive(Debug, Clone, Copy, Default)]
struct Cost {
    nodes: u64,
    time: Duration,
}

/// The result of a match: for each opening the points of the search with all techniques, from 0 to 2; and the cost of
/// each search.
#[derive(Debug, Default)]
struct Tally {
    pairs: Vec<f64>,
    costs: [Cost; 2],
}

/// A match of all techniques against a subset.
struct Match<'a> {
    without: Techniques,
    arguments: &'a Arguments,
}

impl Visitor for Match<'_> {
    type Output = Tally;

    fn visit<N, E, T>(self, game: Game<N, E, T>) -> Tally
    where
        N: Notation,
        E: Evaluate<N::Position>,
        T: Probe<N::Position>,
    {
        let Match { without, arguments } = self;
        let pairs = arguments.games.div_ceil(2);
        let next = AtomicUsize::new(0);
        let tally = Mutex::new(Tally { pairs: vec![0.0; pairs], ..Tally::default() });
        while !game.probe.prepare(&game.notation.start()) {
            thread::yield_now();
        }
        thread::scope(|scope| {
            for _ in 0..arguments.threads.max(1) {
                scope.spawn(|| {
                    let tables = [(); 2].map(|()| TranspositionTable::new(TABLE).expect("memory for the tables"));
                    loop {
                        let pair = next.fetch_add(1, Ordering::Relaxed);
                        if pair >= pairs {
                            return;
                        }
                        let seed = mix64(arguments.seed) ^ mix64(pair as u64);
                        let opening = opening(&game.notation, &mut SplitMix64::new(seed), arguments.random_plies);
                        let game_by = |all_begins: bool| {
                            tables.iter().for_each(TranspositionTable::clear);
                            let sides = if all_begins { [0, 1] } else { [1, 0] };
                            play(&game, &opening, sides, without, arguments.nodes, &tables)
                        };
                        let games = [true, false].map(game_by);
                        let mut tally = tally.lock().unwrap_or_else(PoisonError::into_inner);
                        for (points, costs) in games {
                            tally.pairs[pair] += points;
                            for (sum, cost) in tally.costs.iter_mut().zip(costs) {
                                sum.nodes += cost.nodes;
                                sum.time += cost.time;
                            }
                        }
                    }
                });
            }
        });
        tally.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Random moves from the start, to a position where the game goes on.
fn opening<N: Notation>(notation: &N, rng: &mut SplitMix64, plies: usize) -> Vec<N::Position> {
    loop {
        let mut line = vec![notation.start()];
        for _ in 0..plies {
            let position = &line[line.len() - 1];
            let mut moves = Vec::new();
            if position.status(&mut moves).is_some() {
                break;
            }
            line.push(position.after(moves[rng.below(moves.len())]));
        }
        if line.len() == plies + 1 && line[plies].outcome().is_none() {
            return line;
        }
    }
}

/// Plays a game from an opening; `sides` is the player who begins and the other one: 0 for the search with all techniques, 1 for
/// the one without. Returns the points of the former and the cost of both.
fn play<N, E, T>(
    game: &Game<N, E, T>,
    opening: &[N::Position],
    sides: [usize; 2],
    without: Techniques,
    nodes: u64,
    tables: &[TranspositionTable; 2],
) -> (f64, [Cost; 2])
where
    N: Notation,
    E: Evaluate<N::Position>,
    T: Probe<N::Position>,
{
    let mut costs = [Cost::default(); 2];
    let mut history: Vec<u64> = Vec::new();
    let mut position = opening[0].clone();
    for ply in 1..LONGEST {
        let repeats = || {
            let earlier = history.iter().filter(|&&hash| hash == position.hash()).count();
            earlier + 1 >= N::Position::OCCURRENCES as usize
        };
        if let Some(outcome) = position.outcome().or_else(|| position.outcome_by_history(repeats)) {
            let points = match outcome {
                Outcome::Win(Side::First) => [1.0, 0.0],
                Outcome::Win(Side::Second) => [0.0, 1.0],
                Outcome::Draw => [0.5, 0.5],
            };
            return (points[sides[0]], costs);
        }
        let next = match opening.get(ply) {
            Some(next) => next.clone(),
            None => {
                let who = sides[position.side_to_move() as usize];
                let techniques = if who == 0 { Techniques::ALL } else { without };
                let task = Task { nodes, techniques, history: history.clone(), ..Task::new(position.clone()) };
                let begun = Instant::now();
                let verdict = search(&task, Knowledge::new(&game.evaluate, &game.probe, &tables[who]), &mut ());
                costs[who].time += begun.elapsed();
                costs[who].nodes += verdict.nodes;
                position.after(verdict.pv[0])
            }
        };
        if position.is_irreversible(&next) {
            history.clear();
        } else {
            history.push(position.hash());
        }
        position = next;
    }
    (0.5, costs)
}

/// The Elo of a share of the points, clamped so that it is finite.
fn elo(share: f64) -> f64 {
    let share = share.clamp(0.001, 0.999);
    400.0 * (share / (1.0 - share)).log10()
}

/// The cells of a match: the points, the Elo with its error, and the ratio of the time per node without the technique.
fn cells(Tally { pairs, costs }: &Tally) -> String {
    let count = pairs.len() as f64;
    let mean = pairs.iter().sum::<f64>() / count;
    let variance = pairs.iter().map(|points| (points - mean).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
    let error = 1.96 * (variance / count).sqrt() / 2.0;
    let share = mean / 2.0;
    let width = (elo(share + error) - elo(share - error)) / 2.0;
    let [with, without] = costs.map(|cost| cost.time.as_secs_f64() / cost.nodes.max(1) as f64);
    format!("{:.1} % | {:+.0} ± {width:.0} | {:.2}", 100.0 * share, elo(share), without / with)
}

fn main() {
    let arguments = Arguments::parse();
    println!("| without | game | points | Elo | time of a node |\n|---|---|--:|--:|--:|");
    for technique in Technique::ALL.into_iter().filter(|technique| technique.name().contains(&arguments.only)) {
        for game in &arguments.games_of {
            let played = Match { without: Techniques::ALL.without(technique), arguments: &arguments };
            let tally = with_game(game, played).expect("a game");
            println!("| {technique} | {game} | {} |", cells(&tally));
        }
    }
}
