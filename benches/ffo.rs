//! The published endgame test suite of Othello (FFO), solved exactly: nodes, time, and both beside what is known of Edax.
//!
//! `cargo bench --bench ffo [-- --from 40 --to 45 --threads N --hash MIB]`. Every position starts from a cleared table whose
//! memory is there already. A node is any position reached by playing a disc or a pass, in the selective searches before the
//! exact one and in the shallow ones that order moves too; none is left out. Seconds are those of the processor where one
//! thread searches and Linux tells them, else those of the clock. Fails when a score is not the published one.
//!
//! The yardstick: Edax 4.5, one thread, millions of nodes to the exact score of #40 to #45.

#![allow(clippy::print_stdout, clippy::expect_used, missing_docs)]

use std::fs;
use std::hint::black_box;
use std::time::Instant;

use clap::Parser;
use griot::game::Mixer;
use griot::games::othello::solver::{Likely, Solver, Task, moves, played};

const EDAX: [(u32, f64); 6] = [(40, 10.9), (41, 23.6), (42, 29.7), (43, 84.4), (44, 22.8), (45, 266.0)];

#[derive(Parser)]
struct Arguments {
    /// The first position.
    #[arg(long, default_value_t = 1)]
    from: u32,
    /// The last position, up to 49.
    #[arg(long, default_value_t = 45)]
    to: u32,
    /// The number of threads.
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// The size of the table, in MiB.
    #[arg(long, default_value_t = 64)]
    hash: usize,
    /// Also say what the searches on the way have found.
    #[arg(long)]
    news: bool,
    /// Given by cargo.
    #[arg(long, hide = true)]
    bench: bool,
}

/// Seconds from some moment on, of this thread's processor time where that is to be had and wanted.
fn seconds(start: Instant, of_processor: bool) -> f64 {
    let told = of_processor.then(|| fs::read_to_string("/proc/thread-self/schedstat").ok()).flatten();
    let nanoseconds = told.and_then(|text| text.split_whitespace().next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| start.elapsed().as_secs_f64(), |nanoseconds| nanoseconds / 1e9)
}

/// How many moves a second can be made in a loop that does nothing else, in millions: boards of random games with up to 12
/// empty cells.
fn pure_flips() -> f64 {
    let mut rng = Mixer::new(1);
    let mut boards = Vec::new();
    while boards.len() < 10_000 {
        let (mut own, mut opponent) = (1 << 28 | 1 << 35, 1 << 27 | 1 << 36);
        loop {
            let mut cells = moves(own, opponent);
            if cells == 0 {
                break;
            }
            (0..rng.below(cells.count_ones() as usize)).for_each(|_| cells &= cells - 1);
            let cell = cells.trailing_zeros() as u8;
            if (!(own | opponent)).count_ones() <= 12 {
                boards.push((own, opponent, cell));
            }
            (own, opponent) = played(own, opponent, cell);
        }
    }
    let start = Instant::now();
    let before = seconds(start, true);
    let rounds = 2000;
    for _ in 0..rounds {
        for &(own, opponent, cell) in &boards {
            black_box(played(own, opponent, cell));
        }
    }
    f64::from(rounds) * boards.len() as f64 / (seconds(start, true) - before) / 1e6
}

fn main() {
    let arguments = Arguments::parse();
    let of_processor = arguments.threads == 1;
    let flips = pure_flips();
    println!("A loop that only makes moves: {flips:.0} million a second.\n");
    let mut solver = Solver::new(arguments.hash << 20, arguments.threads).expect("memory for the table");
    println!(
        "| # | empty | score | published | M nodes | seconds | M nodes a second | of the loop | of Edax's nodes |"
    );
    println!("|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
    let (mut all_nodes, mut all_seconds, mut wrong) = (0.0, 0.0, 0);
    for line in include_str!("../tests/data/ffo.txt").lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let [number, board, turn, published] = fields[..] else { continue };
        let number: u32 = number.parse().expect("a number");
        if !(arguments.from..=arguments.to).contains(&number) {
            continue;
        }
        let mine = turn.as_bytes()[0];
        let bits = |wanted: &dyn Fn(u8) -> bool| {
            board.bytes().enumerate().filter(|&(_, byte)| wanted(byte)).fold(0, |bits, (cell, _)| bits | 1_u64 << cell)
        };
        let (own, opponent) = (bits(&|byte| byte == mine), bits(&|byte| byte != mine && byte != b'-'));
        let empty = (!(own | opponent)).count_ones();
        solver.clear();
        let start = Instant::now();
        let before = seconds(start, of_processor);
        let solution = solver.solve(&Task::new(own, opponent), &|_| false, &mut |news| {
            if arguments.news {
                let so_far = seconds(start, of_processor) - before;
                let likely = news.likely.map(|Likely { score, percent }| format!("{score:+} at {percent} %"));
                let likely = likely.unwrap_or_default();
                println!(
                    "    {likely:<12} proven {:+} to {:+}, {} nodes, {so_far:.2} s",
                    news.lower, news.upper, news.nodes
                );
            }
        });
        let time = seconds(start, of_processor) - before;
        let nodes = solution.nodes as f64 / 1e6;
        // The system tells the processor's time in steps of milliseconds.
        let speed = (time > 0.02).then_some(nodes / time);
        let [speed, of_loop] =
            [speed.map(|speed| format!("{speed:.1}")), speed.map(|speed| format!("1/{:.1}", flips / speed))];
        let of_edax = EDAX.iter().find(|&&(of, _)| of == number).map(|(_, edax)| format!("{:.2}", nodes / edax));
        let score = solution.exact().map_or_else(|| "open".to_owned(), |score| format!("{score:+}"));
        println!(
            "| {number} | {empty} | {score} | {published} | {nodes:.2} | {time:.2} | {} | {} | {} |",
            speed.unwrap_or_default(),
            of_loop.unwrap_or_default(),
            of_edax.unwrap_or_default(),
        );
        wrong += u32::from(solution.exact() != published.parse().ok());
        all_nodes += nodes;
        all_seconds += time;
    }
    println!("| all | | | | {all_nodes:.2} | {all_seconds:.2} | {:.1} | | |", all_nodes / all_seconds);
    assert_eq!(wrong, 0, "scores differ from the published ones");
}
