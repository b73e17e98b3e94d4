//! The gain of each search technique: nodes and time without it, on the positions of `griot bench`.
//!
//! `cargo bench --bench ablation [-- --only NAME] [--runs N] [--exact] [--json FILE]`. Every position is searched to
//! its depth on one thread from an empty table, with all techniques and with all but one, in turn; the shortest time of
//! the runs counts. The numbers are ratios over all positions of a game: nodes without the technique to nodes with it,
//! and the same for time. Above 1, the technique pays. Prints a Markdown table; the file gets one JSON object per
//! position and technique.
//!
//! For techniques that change the result of a depth (reductions, futility, proofs), the ratios are not enough:
//! docs/experiments/search.md has the matches. With `--exact`, all searches have `selective` off.

#![allow(clippy::print_stdout, clippy::expect_used, missing_docs)]

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use clap::Parser;
use griot::game::family::BenchPosition;
use griot::game::{Evaluate, Game, Notation, Probe};
use griot::registry::{Visitor, bench_positions, family_of, with_game};
use griot::search::{Knowledge, Task, Technique, Techniques, TranspositionTable, search};
use serde_json::json;

#[derive(Parser)]
struct Arguments {
    /// Only the games whose name contains this.
    #[arg(long, default_value = "")]
    only: String,
    /// The number of timed runs of each search.
    #[arg(long, default_value_t = 3)]
    runs: usize,
    /// Plies to search deeper than `griot bench`.
    #[arg(long, default_value_t = 0)]
    deeper: u32,
    /// Search with `Selective` off.
    #[arg(long)]
    exact: bool,
    /// Write one line of JSON for each position and technique.
    #[arg(long)]
    json: Option<PathBuf>,
    /// Given by cargo.
    #[arg(long, hide = true)]
    bench: bool,
}

/// The cost of a search.
#[derive(Debug, Clone, Copy, Default)]
struct Cost {
    nodes: u64,
    seconds: f64,
}

/// Searches one position with all techniques, and with all but each.
struct Measure<'a> {
    board: &'a str,
    depth: u32,
    arguments: &'a Arguments,
}

impl Visitor for Measure<'_> {
    /// With all techniques first, then without each of [`Technique::ALL`].
    type Output = Vec<Cost>;

    fn visit<N, E, T>(self, game: Game<N, E, T>) -> Vec<Cost>
    where
        N: Notation,
        E: Evaluate<N::Position>,
        T: Probe<N::Position>,
    {
        let root = match self.board {
            "" => game.notation.start(),
            board => game.notation.parse_position(board).expect("a board of the bench"),
        };
        let left_out = Technique::ALL.map(|technique| Techniques::ALL.without(technique));
        let sets: Vec<Techniques> = [Techniques::ALL].into_iter().chain(left_out).collect();
        let mut costs = vec![Cost { seconds: f64::INFINITY, ..Cost::default() }; sets.len()];
        for _ in 0..self.arguments.runs {
            for (cost, &techniques) in costs.iter_mut().zip(&sets) {
                let table = TranspositionTable::new(64).expect("memory for the table");
                let knowledge = Knowledge::new(&game.evaluate, &game.probe, &table);
                let task = Task {
                    depth: self.depth + self.arguments.deeper,
                    selective: !self.arguments.exact,
                    techniques,
                    ..Task::new(root.clone())
                };
                while !game.probe.prepare(&root) {
                    std::thread::yield_now();
                }
                let start = Instant::now();
                cost.nodes = search(&task, knowledge, &mut ()).nodes;
                cost.seconds = cost.seconds.min(start.elapsed().as_secs_f64());
            }
        }
        costs
    }
}

/// The family of a game of the bench.
fn family(game: &str) -> &'static str {
    family_of(game).expect("a game of the bench").folder
}

fn main() {
    let arguments = Arguments::parse();
    let mut json = arguments.json.as_ref().map(|path| File::create(path).expect("the file can be created"));
    // For each family, the costs with all techniques and without each one.
    let mut sums: BTreeMap<&str, Vec<Cost>> = BTreeMap::new();
    // Nim is solved by theory, without a search.
    let measured =
        bench_positions().filter(|bench| bench.game.contains(&arguments.only) && family(bench.game) != "nim");
    for &BenchPosition { game, board, depth } in measured {
        let measure = Measure { board, depth, arguments: &arguments };
        let costs = with_game(game, measure).expect("a game of the bench");
        if let Some(file) = &mut json {
            let names = ["none"].into_iter().chain(Technique::ALL.map(Technique::name));
            for (without, cost) in names.zip(&costs) {
                let record = json!({
                    "game": game, "board": board, "depth": depth + arguments.deeper, "without": without,
                    "nodes": cost.nodes, "seconds": cost.seconds,
                });
                writeln!(file, "{record}").expect("the file can be written");
            }
        }
        let sum = sums.entry(family(game)).or_insert_with(|| vec![Cost::default(); costs.len()]);
        for (sum, cost) in sum.iter_mut().zip(costs) {
            sum.nodes += cost.nodes;
            sum.seconds += cost.seconds;
        }
    }
    let heads: String = sums.keys().map(|game| format!(" {game} nodes | time |")).collect();
    println!("| without |{heads}");
    println!("|---|{}", "--:|--:|".repeat(sums.len()));
    for (number, technique) in Technique::ALL.into_iter().enumerate() {
        let cells = sums.values().map(|costs| {
            let (all, without) = (costs[0], costs[number + 1]);
            let nodes = without.nodes as f64 / all.nodes as f64;
            format!(" {nodes:.2} | {:.2} |", without.seconds / all.seconds)
        });
        println!("| {technique} |{}", cells.collect::<String>());
    }
}
