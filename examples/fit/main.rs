//! Fits the weights of an evaluation to games that it plays against itself, and prints the source file that holds them.
//!
//! ```sh
//! cargo run --release --example fit -- othello --threads 2
//! cargo run --release --example fit -- awale --threads 2
//! cargo run --release --example fit -- connect4 > weights.rs && mv weights.rs src/games/connect4/
//! cargo run --release --example fit -- gomoku --threads 2
//! cargo run --release --example fit -- chess --threads 2
//! ```
//!
//! Each round plays games from random openings by a shallow search with the weights so far, knows how they end by an exact
//! solution of their endings, and takes the least squares of the final balance, or of who wins, over their positions. Nothing but
//! the numbers in the code and on the command line decides the result: one seed, any number of threads.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program with a command line")]

mod awale;
mod chess;
mod connect4;
mod gomoku;
mod kept;
mod least_squares;
mod othello;
mod training;

use std::error::Error;

use clap::{Parser, Subcommand};
use griot::game::Position;

/// Fits the weights of an evaluation and prints the source file that holds them.
#[derive(Debug, Parser)]
struct Args {
    /// The game.
    #[command(subcommand)]
    game: Game,
}

#[derive(Debug, Subcommand)]
enum Game {
    /// Plays one more round with the network that is compiled in, trains another one, and writes src/games/awale/network.bin.
    Awale(awale::Options),
    /// Plays one more round with the network that is compiled in, trains another one, and writes src/games/chess/network.bin.
    Chess(chess::Options),
    /// Prints src/games/connect4/weights.rs.
    Connect4,
    /// Plays one more round with the weights that are compiled in, fits others, and writes src/games/mnk/weights.bin.
    Gomoku(gomoku::Options),
    /// Plays, solves and fits for hours, and writes src/games/othello/weights.bin.
    Othello(othello::Options),
}

fn main() -> Result<(), Box<dyn Error>> {
    match &Args::parse().game {
        Game::Awale(options) => awale::fit(options)?,
        Game::Chess(options) => chess::fit(options)?,
        Game::Connect4 => print_source("connect4", "a threat", &connect4::fit()?),
        Game::Gomoku(options) => gomoku::fit(options)?,
        Game::Othello(options) => othello::fit(options)?,
    }
    Ok(())
}

/// Plays a move, and keeps the hashes of the positions that can still come back.
pub(crate) fn play_on<P: Position>(position: &mut P, mv: P::Move, history: &mut Vec<u64>) {
    let next = position.after(mv);
    if position.is_irreversible(&next) {
        history.clear();
    } else {
        history.push(position.hash());
    }
    *position = next;
}

/// What a fit has come to: the weights, a row for each phase, and a sentence on the last round.
pub(crate) struct Fitted {
    weights: Vec<Vec<i32>>,
    last_round: String,
}

fn print_source(game: &str, unit: &str, fitted: &Fitted) {
    println!("//! The fitted weights of the evaluation. Floor 2.");
    println!("//!");
    println!("//! Written by `cargo run --release --example fit -- {game}`, and by nothing else. The last round:");
    println!("//! {}.", fitted.last_round);
    println!();
    println!("use super::evaluate::Weights;");
    println!();
    println!("/// A row for each phase, in the order of `features`; hundredths of {unit}.");
    println!("pub(super) const FITTED: Weights = [");
    for row in &fitted.weights {
        let row: Vec<String> = row.iter().map(i32::to_string).collect();
        println!("    [{}],", row.join(", "));
    }
    println!("];");
}
