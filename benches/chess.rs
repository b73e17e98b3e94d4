//! Chess compared with Debian's Stockfish, on one thread each: nodes per second, the time to depth 12, and the
//! Bratko-Kopec test.
//!
//! `cargo bench --bench chess [-- MOVETIME]`. Runs the programs over pipes, in turn, from an empty table of 64 MiB. The
//! first table has the six usual perft positions; a depth does not mean the same in two programs. The second table has
//! the number of the 24 test positions that are solved within MOVETIME milliseconds (default 1,000), and the time until
//! the final move was found. Stockfish is left out if it is not installed.

#![allow(clippy::print_stdout, clippy::unwrap_used, clippy::expect_used)]

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use griot_client::Client;

/// The programs with their arguments.
const PROGRAMS: [(&str, &str, &[&str]); 2] =
    [("griot", env!("CARGO_BIN_EXE_griot"), &["--game", "chess"]), ("stockfish", "/usr/games/stockfish", &[])];
/// The positions of the first table, with their names.
const POSITIONS: [(&str, &str); 6] = [
    ("start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
    ("kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"),
    ("rook ending", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"),
    ("promotions", "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1"),
    ("castling", "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8"),
    ("middlegame", "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10"),
];
const DEPTH: u32 = 12;
/// The test, one position per line: board ; best moves.
const TEST: &str = include_str!("../tests/data/bratko-kopec.txt");
/// Longer than any search takes.
const PATIENCE: Duration = Duration::from_secs(600);

/// The result of a search: its last node count, its time, its move, and the time since which that was the best move.
struct Search {
    nodes: u64,
    took: Duration,
    best: String,
    since: Duration,
}

/// Searches a board from an empty table.
fn search(client: &mut Client, board: &str, limit: &str) -> Search {
    client.send("ucinewgame").unwrap();
    client.send(&format!("position fen {board}")).unwrap();
    client.send("isready").unwrap();
    client.answer("readyok", PATIENCE).unwrap();
    let begun = Instant::now();
    client.send(&format!("go {limit}")).unwrap();
    let mut found = Search { nodes: 0, took: Duration::ZERO, best: String::new(), since: Duration::ZERO };
    loop {
        let line = client.line(begun + PATIENCE).expect("a line");
        let words: Vec<&str> = line.text.split_whitespace().collect();
        let after = |name: &str| words.iter().position(|&word| word == name).and_then(|at| words.get(at + 1)).copied();
        let came = line.came.saturating_duration_since(begun);
        found.nodes = after("nodes").and_then(|number| number.parse().ok()).unwrap_or(found.nodes);
        if let Some(best) = after("pv").or_else(|| after("bestmove")).filter(|&best| best != found.best) {
            (found.best, found.since) = (best.to_owned(), came);
        }
        if words.first() == Some(&"bestmove") {
            found.took = came;
            return found;
        }
    }
}

fn main() {
    let movetime: u32 = std::env::args().skip(1).find_map(|word| word.parse().ok()).unwrap_or(1_000);
    let present = PROGRAMS.iter().filter(|(_, program, _)| Path::new(program).exists());
    let mut clients: Vec<(&str, Client)> = present
        .map(|&(name, program, arguments)| {
            let mut client = Client::start(Command::new(program).args(arguments)).expect("the engine starts");
            client.send("uci").unwrap();
            client.answer("uciok", PATIENCE).unwrap();
            client.send("setoption name Hash value 64").unwrap();
            (name, client)
        })
        .collect();
    println!("| position | engine | nodes to depth {DEPTH} | seconds | k nodes a second |\n|---|---|--:|--:|--:|");
    for (position, board) in POSITIONS {
        for (name, client) in &mut clients {
            let Search { nodes, took, .. } = search(client, board, &format!("depth {DEPTH}"));
            let seconds = took.as_secs_f64();
            println!("| {position} | {name} | {nodes} | {seconds:.3} | {:.0} |", nodes as f64 / seconds / 1e3);
        }
    }
    let test: Vec<(&str, &str)> =
        TEST.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once(" ; ")).collect();
    println!(
        "\n| engine | of {} solved by 10 ms | 100 ms | {movetime} ms | not solved |\n|---|--:|--:|--:|---|",
        test.len()
    );
    for (name, client) in &mut clients {
        let found: Vec<Search> =
            test.iter().map(|(board, _)| search(client, board, &format!("movetime {movetime}"))).collect();
        let is_right = |place: usize| test[place].1.split(' ').any(|best| best == found[place].best);
        let solved: Vec<usize> = (0..test.len()).filter(|&place| is_right(place)).collect();
        let by = |limit| solved.iter().filter(|&&place| found[place].since <= Duration::from_millis(limit)).count();
        let missed: Vec<String> =
            (0..test.len()).filter(|place| !solved.contains(place)).map(|place| (place + 1).to_string()).collect();
        let (all, first, second) = (solved.len(), by(10), by(100));
        println!("| {name} | {first} | {second} | {all} | {} |", missed.join(", "));
    }
}
