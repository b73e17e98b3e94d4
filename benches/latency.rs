//! How soon the engine answers: `stop` to `bestmove`, how far `movetime` is overshot, `isready` during a search.
//!
//! The program itself over real pipes, as a client sees it. `cargo bench --bench latency [-- TRIES]`; prints the median, the
//! 99th percentile and the worst of each, in milliseconds. `movetime` is measured with `Move Overhead 0`, so that the engine
//! aims at the time itself; a negative number is an answer before it.

#![allow(clippy::print_stdout, clippy::unwrap_used, clippy::expect_used)]

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

struct Client {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Client {
    fn new(game: &str, threads: u32) -> Client {
        let mut child = Command::new(env!("CARGO_BIN_EXE_griot"))
            .args(["--game", game, "--option", "Move Overhead=0", "--option", &format!("Threads={threads}")])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the engine starts");
        let input = child.stdin.take().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let mut client = Client { child, input, output };
        client.send("isready");
        client.until("readyok");
        client
    }

    fn send(&mut self, line: &str) {
        self.input.write_all(format!("{line}\n").as_bytes()).unwrap();
    }

    fn until(&mut self, beginning: &str) {
        let mut line = String::new();
        while !line.starts_with(beginning) {
            line.clear();
            assert!(self.output.read_line(&mut line).unwrap() > 0, "the engine ended");
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn report(what: &str, game: &str, threads: u32, mut times: Vec<f64>) {
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times[((times.len() - 1) as f64 * share).round() as usize];
    let [median, p99, worst] = [0.5, 0.99, 1.0].map(at);
    println!("| {what} | {game} | {threads} | {} | {median:.2} | {p99:.2} | {worst:.2} |", times.len());
}

fn main() {
    let tries = std::env::args().skip(1).find_map(|word| word.parse().ok()).unwrap_or(200);
    println!("| what | game | threads | tries | median ms | p99 ms | worst ms |");
    println!("|---|---|--:|--:|--:|--:|--:|");
    for (game, threads) in [("awale", 1), ("awale", 2), ("gomoku", 1), ("gomoku", 2)] {
        let mut client = Client::new(game, threads);
        let mut stops = Vec::new();
        let mut readies = Vec::new();
        for number in 0..tries {
            client.send("go infinite");
            // Somewhere in the search, never at the same place.
            sleep(Duration::from_micros(10_000 + 137 * (number % 100)));
            let asked = Instant::now();
            client.send("isready");
            client.until("readyok");
            readies.push(asked.elapsed().as_secs_f64() * 1000.0);
            let told = Instant::now();
            client.send("stop");
            client.until("bestmove");
            stops.push(told.elapsed().as_secs_f64() * 1000.0);
        }
        report("`stop` to `bestmove`", game, threads, stops);
        report("`isready` during a search", game, threads, readies);
        for movetime in [10, 50] {
            let mut overshoots = Vec::new();
            for _ in 0..tries {
                client.send("uginewgame");
                client.send("isready");
                client.until("readyok");
                let told = Instant::now();
                client.send(&format!("go movetime {movetime}"));
                client.until("bestmove");
                overshoots.push(told.elapsed().as_secs_f64() * 1000.0 - f64::from(movetime));
            }
            report(&format!("`go movetime {movetime}`, beyond it"), game, threads, overshoots);
        }
    }
}
