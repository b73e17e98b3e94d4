//! Response times: `stop` to `bestmove`, `isready` during a search, overshoot of `movetime`, `quit` to the end of the
//! process; compared with Debian's Stockfish if it is installed.
//!
//! Runs the programs over pipes, as a client does, in turn, so that disturbances affect all of them: alone, and with
//! twice as many busy loops as processors. `cargo bench --bench latency [-- TRIES]`. Prints the median, the 99th
//! percentile and the maximum of each in milliseconds, and the ratio of the first two to Stockfish's. `Move Overhead`
//! is 0, so the engines aim at the exact time; a negative number is an answer before it.

#![allow(clippy::print_stdout, clippy::unwrap_used, clippy::expect_used)]

use std::hint::spin_loop;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, available_parallelism, sleep};
use std::time::{Duration, Instant};

use griot_client::Client;

const STOCKFISH: &str = "/usr/games/stockfish";
/// Milliseconds of a search by `movetime`.
const MOVETIME: u32 = 30;

/// A program to measure.
struct Candidate {
    name: &'static str,
    program: &'static str,
    /// `None` for a program with a single game.
    game: Option<&'static str>,
    threads: u32,
}

const GRIOT: &str = env!("CARGO_BIN_EXE_griot");
const CANDIDATES: [Candidate; 5] = [
    Candidate { name: "stockfish", program: STOCKFISH, game: None, threads: 1 },
    Candidate { name: "griot, awale", program: GRIOT, game: Some("awale"), threads: 1 },
    Candidate { name: "griot, gomoku", program: GRIOT, game: Some("gomoku"), threads: 1 },
    Candidate { name: "stockfish", program: STOCKFISH, game: None, threads: 2 },
    Candidate { name: "griot, awale", program: GRIOT, game: Some("awale"), threads: 2 },
];

const WHAT: [&str; 4] =
    ["`isready` during a search", "`stop` to `bestmove`", "`go movetime`, beyond it", "`quit` to the end"];

/// Longer than any answer takes.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running engine; times are those at which its lines arrived.
struct Running(Client);

impl Running {
    fn new(candidate: &Candidate) -> Running {
        let client = Client::start(&mut Command::new(candidate.program)).expect("the engine starts");
        let mut running = Running(client);
        running.send("uci");
        running.until("uciok");
        running.send("setoption name Move Overhead value 0");
        running.send(&format!("setoption name Threads value {}", candidate.threads));
        if let Some(game) = candidate.game {
            running.send(&format!("setoption name Game value {game}"));
        }
        running.ready();
        running
    }

    fn send(&mut self, line: &str) {
        self.0.send(line).unwrap();
    }

    /// Waits for a line with this beginning; returns its time.
    fn until(&mut self, beginning: &str) -> Instant {
        loop {
            let line = self.0.line(Instant::now() + PATIENCE).expect("a line");
            if line.text.starts_with(beginning) {
                return line.came;
            }
        }
    }

    fn ready(&mut self) {
        self.send("isready");
        self.until("readyok");
    }

    /// Sends a line; returns the milliseconds until a line with this beginning.
    fn time(&mut self, line: &str, beginning: &str) -> f64 {
        let told = Instant::now();
        self.send(line);
        self.until(beginning).saturating_duration_since(told).as_secs_f64() * 1000.0
    }

    /// Starts a search and waits for a time that varies with `number`.
    fn search(&mut self, number: u64) {
        self.send("go infinite");
        sleep(Duration::from_micros(10_000 + 137 * (number % 100)));
    }
}

/// The times of each of [`WHAT`], in milliseconds.
#[derive(Default)]
struct Times([Vec<f64>; WHAT.len()]);

/// A quantile of sorted times.
fn at(times: &[f64], share: f64) -> f64 {
    times[((times.len() - 1) as f64 * share).round() as usize]
}

fn measure(candidates: &[&Candidate], tries: u64) -> Vec<Times> {
    let mut clients: Vec<Running> = candidates.iter().map(|candidate| Running::new(candidate)).collect();
    let mut all: Vec<Times> = candidates.iter().map(|_| Times::default()).collect();
    for number in 0..tries {
        for ((candidate, client), Times(times)) in candidates.iter().zip(&mut clients).zip(&mut all) {
            client.search(number);
            times[0].push(client.time("isready", "readyok"));
            times[1].push(client.time("stop", "bestmove"));
            client.send("ucinewgame");
            client.ready();
            let searched = client.time(&format!("go movetime {MOVETIME}"), "bestmove");
            times[2].push(searched - f64::from(MOVETIME));
            let mut brief = Running::new(candidate);
            brief.search(number);
            let told = Instant::now();
            brief.send("quit");
            brief.0.process().join().unwrap();
            times[3].push(told.elapsed().as_secs_f64() * 1000.0);
        }
    }
    for times in all.iter_mut().flat_map(|Times(times)| times) {
        times.sort_by(f64::total_cmp);
    }
    all
}

fn report(load: &str, candidates: &[&Candidate], all: &[Times]) {
    for (i, what) in WHAT.iter().enumerate() {
        for (candidate, Times(times)) in candidates.iter().zip(all) {
            let [median, p99, worst] = [0.5, 0.99, 1.0].map(|share| at(&times[i], share));
            let same = |other: &&Candidate| other.program == STOCKFISH && other.threads == candidate.threads;
            let stockfish = candidates.iter().position(same);
            let ratio = |share, own: f64| {
                let theirs = stockfish.map(|place| at(&all[place].0[i], share));
                theirs.map_or("-".into(), |theirs| format!("{:.2}", own / theirs))
            };
            let (tries, name, threads) = (times[i].len(), candidate.name, candidate.threads);
            let (by_median, by_p99) = (ratio(0.5, median), ratio(0.99, p99));
            println!(
                "| {what} | {load} | {name} | {threads} | {tries} | {median:.2} | {p99:.2} | {worst:.2} | {by_median} | {by_p99} |"
            );
        }
    }
}

/// Ends the busy loops when dropped, also by a panic.
struct Load<'a>(&'a AtomicBool);

impl Drop for Load<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

fn main() {
    let tries = std::env::args().skip(1).find_map(|word| word.parse().ok()).unwrap_or(500);
    let present = |candidate: &&Candidate| Path::new(candidate.program).exists();
    let candidates: Vec<&Candidate> = CANDIDATES.iter().filter(present).collect();
    println!(
        "| what | load | engine | threads | tries | median ms | p99 ms | worst ms | median / stockfish's | p99 / stockfish's |"
    );
    println!("|---|---|---|--:|--:|--:|--:|--:|--:|--:|");
    report("none", &candidates, &measure(&candidates, tries));
    let loops = 2 * available_parallelism().map_or(1, usize::from);
    let over = AtomicBool::new(false);
    thread::scope(|scope| {
        let _load = Load(&over);
        for _ in 0..loops {
            scope.spawn(|| {
                while !over.load(Ordering::Relaxed) {
                    spin_loop();
                }
            });
        }
        report(&format!("{loops} busy loops"), &candidates, &measure(&candidates, tries));
    });
}
