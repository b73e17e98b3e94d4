//! The speed-up by threads: time of one thread to a depth, or to the end of the game, over that of several.
//!
//! Runs the program over a pipe, as a client does. Every search starts a new game with an empty table, with one thread
//! and several in turn, on random openings, to one depth or as deep as one thread gets in about SECONDS; Connect Four
//! is solved. `cargo bench --bench threads [-- --game connect4] [--seconds 5 | --depth D] [--positions 12] [--threads
//! 2] [--engine PATH]`. One row per game: the time of one thread over that of several, by the sums of the times and by
//! the geometric mean of the ratios with its standard error, and the nodes of several threads over those of one. Run it
//! on an idle machine.

#![allow(clippy::print_stdout, clippy::expect_used, missing_docs)]

use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use clap::Parser;
use griot::game::{Evaluate, Game, Notation, Position, Probe, SplitMix64};
use griot::registry::{Visitor, with_game};
use griot_client::Client;

#[derive(Parser)]
struct Arguments {
    /// The games; repeat the option for each.
    #[arg(long = "game", default_values = ["awale", "othello", "connect4", "chess", "gomoku"])]
    games: Vec<String>,
    /// Seconds that one thread should search: from half to twice this.
    #[arg(long, default_value_t = 5.0)]
    seconds: f64,
    /// Search all positions to this depth, however long that takes. Choosing depths by time prefers those that one
    /// thread reaches quickly, which makes the speed-up seem smaller.
    #[arg(long)]
    depth: Option<u32>,
    /// Positions of each game.
    #[arg(long, default_value_t = 12)]
    positions: usize,
    /// The number of threads to compare with one.
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// The table, in MiB.
    #[arg(long, default_value_t = 64)]
    hash: usize,
    /// Random plies at the beginning of a game.
    #[arg(long, default_value_t = 6)]
    random_plies: usize,
    /// The seed of the openings.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The program to measure.
    #[arg(long, default_value = env!("CARGO_BIN_EXE_griot"))]
    engine: PathBuf,
    /// Given by cargo.
    #[arg(long, hide = true)]
    bench: bool,
}

/// Longer than any answer takes.
const PATIENCE: Duration = Duration::from_secs(600);
/// The openings tried for each position before it fails because none takes as long as required.
const TRIES: usize = 50;
/// The game that is searched to its end.
const SOLVED: &str = "connect4";
/// Deeper than any search reaches.
const DEEPEST: u32 = 200;

/// Random moves from the start, to a position where the game goes on, as a client sends them.
struct Opening<'r>(&'r mut SplitMix64, usize);

impl Visitor for Opening<'_> {
    type Output = Vec<String>;

    fn visit<N, E, T>(self, game: Game<N, E, T>) -> Vec<String>
    where
        N: Notation,
        E: Evaluate<N::Position>,
        T: Probe<N::Position>,
    {
        let Opening(rng, plies) = self;
        loop {
            let (mut position, mut told) = (game.notation.start(), Vec::new());
            let mut moves = Vec::new();
            while position.status(&mut moves).is_none() && told.len() < plies {
                let mv = moves[rng.below(moves.len())];
                told.push(game.notation.move_text(&position, mv));
                position = position.after(mv);
                moves.clear();
            }
            if told.len() == plies && position.outcome().is_none() {
                return told;
            }
        }
    }
}

/// An engine at a game.
struct Engine(Client);

/// The progress of a search at some moment.
#[derive(Clone, Copy, Default)]
struct Mark {
    depth: u32,
    seconds: f64,
    nodes: f64,
}

impl Engine {
    fn new(arguments: &Arguments, game: &str) -> Engine {
        let client = Client::start(&mut Command::new(&arguments.engine)).expect("the engine starts");
        let mut engine = Engine(client);
        engine.send(&format!("setoption name Game value {game}"));
        engine.send(&format!("setoption name Hash value {}", arguments.hash));
        if game == SOLVED {
            // Its values of the first plies would leave nothing to solve.
            engine.send("setoption name Tablebases value false");
        }
        engine
    }

    fn send(&mut self, line: &str) {
        self.0.send(line).expect("the engine listens");
    }

    /// Searches a position of a new game with `threads` threads, to `depth` or for `limit` seconds. Returns the
    /// progress at its deepest line, and at its end if it reached it.
    fn search(&mut self, opening: &[String], threads: usize, depth: u32, limit: f64) -> (Mark, Option<Mark>) {
        self.send(&format!("setoption name Threads value {threads}"));
        self.send("ucinewgame");
        self.send("isready");
        self.until("readyok");
        self.send(&format!("position startpos moves {}", opening.join(" ")));
        let start = Instant::now();
        self.send(&format!("go depth {depth}"));
        let (mut deepest, mut now) = (Mark::default(), Mark::default());
        loop {
            let Ok(line) = self.0.line(start + Duration::from_secs_f64(limit)) else {
                self.send("stop");
                while !self.0.line(Instant::now() + PATIENCE).expect("the engine stops").text.starts_with("bestmove") {}
                return (deepest, None);
            };
            now.seconds = line.came.saturating_duration_since(start).as_secs_f64();
            let words: Vec<&str> = line.text.split(' ').collect();
            let after = |name| words.get(words.iter().position(|&word| word == name)? + 1)?.parse().ok();
            match words[0] {
                "bestmove" => return (deepest, Some(now)),
                "info" => {
                    now.nodes = after("nodes").unwrap_or(now.nodes);
                    now.depth = after("depth").map_or(now.depth, |depth| depth as u32);
                    if now.depth > deepest.depth && !line.text.contains("bound ") {
                        deepest = now;
                    }
                }
                _ => {}
            }
        }
    }

    fn until(&mut self, word: &str) {
        while self.0.line(Instant::now() + PATIENCE).expect("an answer").text != word {}
    }
}

/// Measures a game; returns its row.
fn measure(arguments: &Arguments, game: &str) -> String {
    let mut engine = Engine::new(arguments, game);
    let mut rng = SplitMix64::new(arguments.seed);
    let range = arguments.seconds / 2.0..arguments.seconds * 2.0;
    let (mut times, mut nodes, mut ratios) = ([0.0; 2], [0.0; 2], Vec::new());
    let mut openings = 0..TRIES * arguments.positions;
    while ratios.len() < arguments.positions {
        openings.next().expect("positions of this game that one thread searches for about so many seconds");
        let opening = with_game(game, Opening(&mut rng, arguments.random_plies)).expect("a game");
        let (depth, limit) = arguments.depth.map_or((DEEPEST, range.end), |depth| (depth, PATIENCE.as_secs_f64()));
        let one = match engine.search(&opening, 1, depth, limit) {
            (_, Some(end)) => Mark { depth, ..end },
            (_, None) if game == SOLVED => continue,
            (deepest, None) => deepest,
        };
        if arguments.depth.is_none() && !range.contains(&one.seconds) {
            continue;
        }
        let (_, several) = engine.search(&opening, arguments.threads, one.depth, PATIENCE.as_secs_f64());
        let both = [one, several.expect("it comes to an end")];
        for (at, Mark { seconds, nodes: looked_at, .. }) in both.into_iter().enumerate() {
            times[at] += seconds;
            nodes[at] += looked_at;
        }
        ratios.push((both[0].seconds / both[1].seconds).ln());
        println!("{game}: {}: {:.2} s, {:.2} s", opening.join(" "), both[0].seconds, both[1].seconds);
    }
    let count = ratios.len() as f64;
    let mean = ratios.iter().sum::<f64>() / count;
    let variance = ratios.iter().map(|ratio| (ratio - mean).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
    format!(
        "| {game} | {} | {:.1} | {:.2} | {:.2} ± {:.2} | {:.2} |",
        ratios.len(),
        times[0] / count,
        times[0] / times[1],
        mean.exp(),
        mean.exp() * (variance / count).sqrt(),
        nodes[1] / nodes[0]
    )
}

fn main() {
    let arguments = Arguments::parse();
    let rows: Vec<String> = arguments.games.iter().map(|game| measure(&arguments, game)).collect();
    println!(
        "\n| game | positions | seconds, 1 thread | {} threads, sums | mean of ratios | nodes |",
        arguments.threads
    );
    println!("|---|--:|--:|--:|--:|--:|");
    for row in rows {
        println!("{row}");
    }
}
