//! The FFO endgame test suite of Othello, solved exactly: nodes and time, compared with published numbers of Edax.
//!
//! `cargo bench --bench ffo [-- --from 40 --to 45 --threads N --hash MIB]`. Every position starts from a cleared table
//! whose memory is already allocated. A node is any position reached by playing a disc or a pass, including those of
//! the selective searches before the exact one and of the shallow searches that order moves. Seconds are processor time
//! with one thread where Linux reports it, else wall time. Fails if a score differs from the published one.
//!
//! `-- --random 500` instead solves that many random positions with 12 to 16 empty cells, and compares them with a
//! simple alpha-beta search that has its own rules and no table.
//!
//! The reference: Edax 4.5, one thread, millions of nodes to the exact score of #40 to #45.

#![allow(clippy::print_stdout, clippy::expect_used, missing_docs)]

use std::fs;
use std::hint::black_box;
use std::time::Instant;

use clap::Parser;
use griot::game::SplitMix64;
use griot::games::othello::solver::{Likely, Solver, Task, moves, played};

const EDAX: [(u32, f64); 6] = [(40, 10.9), (41, 23.6), (42, 29.7), (43, 84.4), (44, 22.8), (45, 266.0)];

#[derive(Parser)]
struct Arguments {
    /// The first position.
    #[arg(long, default_value_t = 1)]
    from: u32,
    /// The last position, up to 59.
    #[arg(long, default_value_t = 45)]
    to: u32,
    /// Solve this many random positions instead, a fifth with each number of empty cells from 12 to 16.
    #[arg(long)]
    random: Option<usize>,
    /// The number of threads.
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// The size of the table, in MiB.
    #[arg(long, default_value_t = 64)]
    hash: usize,
    /// Also print the results of the searches before the exact one.
    #[arg(long)]
    news: bool,
    /// Given by cargo.
    #[arg(long, hide = true)]
    bench: bool,
}

/// Seconds from an arbitrary start: this thread's processor time if it is reported and `of_processor`, else wall time.
fn seconds(start: Instant, of_processor: bool) -> f64 {
    let told = of_processor.then(|| fs::read_to_string("/proc/thread-self/schedstat").ok()).flatten();
    let nanoseconds = told.and_then(|text| text.split_whitespace().next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| start.elapsed().as_secs_f64(), |nanoseconds| nanoseconds / 1e9)
}

/// Moves per second, in millions, of a loop that only flips discs: boards of random games with up to 12 empty cells.
fn pure_flips() -> f64 {
    let mut rng = SplitMix64::new(1);
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

/// The steps from a cell to its eight neighbours, as columns and rows.
const STEPS: [(i32, i32); 8] = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];

/// The discs flipped by a disc of `own` on an empty cell, found step by step.
fn turned(own: u64, opponent: u64, cell: u32) -> u64 {
    let bit = |col: i32, row: i32| {
        if (0..8).contains(&col) && (0..8).contains(&row) { 1_u64 << (8 * row + col) } else { 0 }
    };
    let turned_by = |(right, up): (i32, i32)| {
        let (mut col, mut row, mut turned) = (cell as i32 % 8 + right, cell as i32 / 8 + up, 0);
        while opponent & bit(col, row) != 0 {
            turned |= bit(col, row);
            (col, row) = (col + right, row + up);
        }
        if own & bit(col, row) != 0 { turned } else { 0 }
    };
    STEPS.into_iter().fold(0, |all, step| all | turned_by(step))
}

/// The boards after each move, from the opponent's view; those with few moves come first, to save time.
fn successors(own: u64, opponent: u64) -> Vec<(u64, u64)> {
    let empty = (0..64).filter(|cell| (own | opponent) >> cell & 1 == 0);
    let after = empty.filter_map(|cell| {
        let turned = turned(own, opponent, cell);
        (turned != 0).then_some((opponent & !turned, own | turned | 1 << cell))
    });
    let mut after: Vec<(u64, u64)> = after.collect();
    if (own | opponent).count_ones() < 58 {
        after.sort_by_cached_key(|&(own, opponent)| moves(own, opponent).count_ones());
    }
    after
}

/// The final difference of discs for the side of `own`, the empty cells given to the winner, within alpha and beta.
fn plain(own: u64, opponent: u64, mut alpha: i32, beta: i32) -> i32 {
    let after = successors(own, opponent);
    if after.is_empty() {
        if !successors(opponent, own).is_empty() {
            return -plain(opponent, own, -beta, -alpha);
        }
        let [mine, theirs] = [own, opponent].map(|discs| discs.count_ones() as i32);
        return mine - theirs + (mine - theirs).signum() * (64 - mine - theirs);
    }
    let mut best = -64;
    for (next_own, next_opponent) in after {
        best = best.max(-plain(next_own, next_opponent, -beta, -alpha));
        alpha = alpha.max(best);
        if alpha >= beta {
            break;
        }
    }
    best
}

/// Solves random positions and compares the results with the plain search.
fn solve_random(count: usize, solver: &mut Solver<'_>) {
    println!("| empty cells | positions | exact and right | likely scores on the way | of them right |");
    println!("|--:|--:|--:|--:|--:|");
    let mut rng = SplitMix64::new(12);
    let mut wrong = 0;
    for empty in 12..=16 {
        let (mut positions, mut right, mut likely, mut likely_right) = (0, 0, 0, 0);
        while positions < count.div_ceil(5) {
            let (mut own, mut opponent) = (1_u64 << 28 | 1 << 35, 1_u64 << 27 | 1 << 36);
            while (own | opponent).count_ones() < 64 - empty {
                let mut cells = moves(own, opponent);
                if cells == 0 {
                    break;
                }
                (0..rng.below(cells.count_ones() as usize)).for_each(|_| cells &= cells - 1);
                (own, opponent) = played(own, opponent, cells.trailing_zeros() as u8);
            }
            if (own | opponent).count_ones() < 64 - empty || moves(own, opponent) == 0 {
                continue;
            }
            positions += 1;
            solver.clear();
            let mut told = Vec::new();
            let solution = solver
                .solve(&Task::new(own, opponent), &|_| false, &mut |news| told.extend(news.likely.map(|it| it.score)));
            let truth = plain(own, opponent, -64, 64);
            right += usize::from(solution.exact() == Some(truth));
            told.dedup();
            likely += told.len();
            likely_right += told.iter().filter(|&&score| score == truth).count();
        }
        println!("| {empty} | {positions} | {right} | {likely} | {likely_right} |");
        wrong += positions - right;
    }
    assert_eq!(wrong, 0, "values differ from those of the plain search");
}

fn main() {
    let arguments = Arguments::parse();
    if let Some(count) = arguments.random {
        let mut solver = Solver::new(arguments.hash << 20, arguments.threads).expect("memory for the table");
        return solve_random(count, &mut solver);
    }
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
        // The system reports processor time in steps of milliseconds.
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
