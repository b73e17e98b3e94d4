//! The Connect Four solver: exact values, nodes and seconds, for random positions and empty boards of many sizes.
//!
//! `cargo bench --bench connect4 [-- --plies 8,12,18] [--sizes 60] [--empty] [--hash MIB]`. Every position starts from
//! a cleared table. A node is any position reached. Seconds are processor time where Linux reports it. The positions
//! come from seeded random games; none is won in one move. With `--sizes SECONDS`, it instead solves the empty boards
//! of Tromp's table up to eight columns and rows that take at most that long. Fails if a value differs from the
//! literature.

#![allow(clippy::print_stdout, clippy::expect_used, missing_docs)]

use std::fs;
use std::time::Instant;

use clap::Parser;
use griot::game::{Position as _, SplitMix64};
use griot::games::connect4::solver::{Solution, Solver};
use griot::games::connect4::{Board, Parameters, Position, Standard};
use griot::score::{Meaning, Score};

/// Four in a row on empty boards with this number of columns and 4, 5, ... rows, as far as they fit 64 bits: the number
/// of the last stone, below 0 if the second player wins, 0 for a draw.
///
/// CITE: J. Tromp, "John's Connect Four Playground" (who wins); C. Steininger, `ChristopheSteininger/c4` (the last stone).
const TROMP: [(u8, &[i32]); 5] = [
    (4, &[0, 0, 0, 0, 0]),
    (5, &[0, 0, 0, 0, 0]),
    (6, &[-24, 0, -36, 41, -48]),
    (7, &[0, 0, 41, 0, 55]),
    (8, &[-32, 39, -48, 53]),
];

#[derive(Parser)]
struct Arguments {
    /// The numbers of plies after which positions are taken.
    #[arg(long, value_delimiter = ',', default_value = "8,12,18,24")]
    plies: Vec<usize>,
    /// The number of positions for each number of plies.
    #[arg(long, default_value_t = 20)]
    positions: usize,
    /// Solve the empty standard board.
    #[arg(long)]
    empty: bool,
    /// Solve empty boards of all sizes, for at most this many seconds each.
    #[arg(long)]
    sizes: Option<f64>,
    /// The size of the table, in MiB.
    #[arg(long, default_value_t = 64)]
    hash: usize,
    /// Given by cargo.
    #[arg(long, hide = true)]
    bench: bool,
}

/// This thread's processor time in seconds, from an arbitrary start; wall time where it is not reported.
fn seconds(start: Instant) -> f64 {
    let told = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split_whitespace().next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| start.elapsed().as_secs_f64(), |nanoseconds| nanoseconds / 1e9)
}

fn random_positions(plies: usize, count: usize) -> Vec<Position<Standard>> {
    let mut rng = SplitMix64::new(18);
    let mut found = Vec::new();
    while found.len() < count {
        let mut position = Position::start(Standard);
        let mut moves = Vec::new();
        for _ in 0..plies {
            moves.clear();
            position.generate(&mut moves);
            let Some(last) = moves.len().checked_sub(1) else { break };
            position.play(moves[rng.below(last + 1)]);
        }
        if position.outcome().is_none() && !position.can_win() {
            found.push(position);
        }
    }
    found
}

/// Solves a position for at most `limit` seconds; returns the solution and its time.
fn solve<B: Board>(solver: &mut Solver<B>, position: &Position<B>, limit: f64) -> (Solution, f64) {
    let start = Instant::now();
    let before = seconds(start);
    let solution = solver.solve(position, &|_| seconds(start) - before > limit, &mut |_| {});
    (solution, seconds(start) - before)
}

/// A value in words.
fn said(score: Score) -> String {
    match score.meaning() {
        Meaning::Win(plies) => format!("the first player wins in {plies} plies"),
        Meaning::Loss(plies) => format!("the second player wins in {plies} plies"),
        _ => "a draw".to_owned(),
    }
}

fn sizes(limit: f64, hash: usize) {
    println!("| columns × rows | value | nodes | seconds |\n|---|---|--:|--:|");
    let mut wrong = 0;
    for (cols, results) in TROMP {
        for (rows, &last) in (4..).zip(results) {
            let board = Parameters::new(cols, rows, 4).expect("a board of 64 bits");
            let mut solver = Solver::new(board, hash << 20).expect("memory for the table");
            let (Solution { lower, upper, nodes, .. }, time) = solve(&mut solver, &Position::start(board), limit);
            let plies = last.unsigned_abs();
            let expected = match last {
                1.. => Score::win_in(plies),
                0 => Score::DRAW,
                _ => Score::loss_in(plies),
            };
            let value = if lower == upper { said(lower) } else { "open".to_owned() };
            println!("| {cols} × {rows} | {value} | {nodes} | {time:.2} |");
            wrong += u32::from(lower > expected || upper < expected);
        }
    }
    assert!(wrong == 0, "{wrong} boards are not what the literature says");
}

fn main() {
    let arguments = Arguments::parse();
    if let Some(limit) = arguments.sizes {
        return sizes(limit, arguments.hash);
    }
    let mut solver = Solver::new(Standard, arguments.hash << 20).expect("memory for the table");
    if arguments.empty {
        let (solution, time) = solve(&mut solver, &Position::start(Standard), f64::INFINITY);
        println!("{}: {} nodes, {time:.1} seconds", said(solution.lower), solution.nodes);
        assert_eq!(solution.exact(), Some(Score::win_in(41)));
        return;
    }
    println!("| plies | positions | mean nodes | most | mean ms | most | M nodes a second |");
    println!("|--:|--:|--:|--:|--:|--:|--:|");
    for plies in arguments.plies {
        let (mut all, mut most) = ((0, 0.0), (0, 0.0_f64));
        for position in random_positions(plies, arguments.positions) {
            solver.clear();
            let (solution, time) = solve(&mut solver, &position, f64::INFINITY);
            let milliseconds = 1000.0 * time;
            all = (all.0 + solution.nodes, all.1 + milliseconds);
            most = (most.0.max(solution.nodes), most.1.max(milliseconds));
        }
        let count = arguments.positions as u64;
        println!(
            "| {plies} | {count} | {} | {} | {:.2} | {:.2} | {:.1} |",
            all.0 / count,
            most.0,
            all.1 / count as f64,
            most.1,
            all.0 as f64 / all.1 / 1000.0,
        );
    }
}
