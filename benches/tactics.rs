//! The tactical set of chess: 200 mates and 100 wins of material, each by one move, solved with a fixed number of nodes.
//!
//! `cargo bench --bench tactics [-- --nodes 1000,10000,100000]`. Runs griot and, if it is installed, Debian's Stockfish over pipes, on
//! one thread each, from an empty table of 16 MiB. A position is solved if the move played is the only one.
//!
//! `-- --find 100 --seed 1` prints that many positions in which one move wins material, as `tests/data/tactics.txt` has them: from
//! games of players who see one move ahead, one of each game.

#![allow(clippy::print_stdout, clippy::unwrap_used, clippy::expect_used, missing_docs)]

use std::collections::HashSet;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use clap::Parser;
use griot::game::{SplitMix64, mix64};
use griot_client::Client;
use griot_testing::tactics::{Prover, Tactic, gains, game, mates, solved};

#[derive(Parser)]
struct Arguments {
    /// Nodes for a position.
    #[arg(long, value_delimiter = ',', default_value = "1000,10000,100000")]
    nodes: Vec<u64>,
    /// Find this many positions in which one move wins material.
    #[arg(long)]
    find: Option<usize>,
    /// The seed of the games to find them in.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Given by cargo.
    #[arg(long, hide = true)]
    bench: bool,
}

/// The programs with their arguments.
const PROGRAMS: [(&str, &str, &[&str]); 2] =
    [("griot", env!("CARGO_BIN_EXE_griot"), &["--game", "chess"]), ("stockfish", "/usr/games/stockfish", &[])];
/// Longer than any search takes.
const PATIENCE: Duration = Duration::from_secs(600);

fn main() {
    let arguments = Arguments::parse();
    match arguments.find {
        Some(count) => find(count, arguments.seed),
        None => solve(&arguments.nodes),
    }
}

fn solve(nodes: &[u64]) {
    let sets = [mates(), gains()];
    let [all_mates, all_gains] = [sets[0].len(), sets[1].len()];
    println!(
        "| engine | nodes | mates, of {all_mates} | material, of {all_gains} | solved of {} |",
        all_mates + all_gains
    );
    println!("|---|--:|--:|--:|--:|");
    for (name, program, options) in PROGRAMS.into_iter().filter(|(_, program, _)| Path::new(program).exists()) {
        let mut client = Client::start(Command::new(program).args(options)).expect("the engine starts");
        client.send("uci").unwrap();
        client.answer("uciok", PATIENCE).unwrap();
        client.send("setoption name Hash value 16").unwrap();
        for &nodes in nodes {
            let [mates, gains] = [0, 1].map(|set: usize| solved(&mut client, &sets[set], nodes, PATIENCE));
            println!("| {name} | {nodes} | {mates} | {gains} | {} |", mates + gains);
        }
    }
}

/// Prints positions in which one move wins material, at most one of each game.
fn find(count: usize, seed: u64) {
    let mut prover = Prover::default();
    let mut found = HashSet::new();
    for number in 0.. {
        let boards = game(&mut SplitMix64::new(mix64(seed ^ mix64(number))));
        let tactic = boards.iter().find_map(|board| prover.tactic(&board.to_string()));
        let Some(Tactic { board, mv }) = tactic.filter(|tactic| found.insert(tactic.board.clone())) else { continue };
        println!("{board} ; {mv}");
        if found.len() == count {
            return;
        }
    }
}
