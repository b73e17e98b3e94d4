//! Trains griot's evaluations by self-play.
//!
//! ```sh
//! griot-train othello --threads 2
//! griot-train awale --threads 2
//! griot-train connect4 > weights.rs && mv weights.rs src/games/connect4/
//! griot-train draughts --rules english
//! griot-train gomoku --threads 2
//! griot-train chess --threads 2
//! ```

#![allow(clippy::print_stdout, reason = "a program with a command line")]

use std::error::Error;

use clap::{Parser, Subcommand};
use griot_train::{Fitted, awale, chess, connect4, draughts, gomoku, othello};

/// Train the evaluation of a game by self-play. Run it in the folder of the repository.
#[derive(Debug, Parser)]
#[command(version)]
struct Args {
    /// The game.
    #[command(subcommand)]
    game: Game,
}

#[derive(Debug, Subcommand)]
enum Game {
    /// Play one more round with the compiled network, train the next one, write src/games/awale/network.bin.
    Awale(awale::Options),
    /// Play one more round with the compiled network, train the next one, write src/games/chess/network.bin.
    Chess(chess::Options),
    /// Print src/games/connect4/weights.rs.
    Connect4,
    /// Play and fit round after round, write src/games/draughts/RULES.bin.
    Draughts(draughts::Options),
    /// Play one more round with the compiled network, train the next one, write src/games/mnk/network.bin.
    Gomoku(gomoku::Options),
    /// Play, solve and fit for hours, write src/games/othello/weights.bin.
    Othello(othello::Options),
}

fn main() -> Result<(), Box<dyn Error>> {
    match &Args::parse().game {
        Game::Awale(options) => awale::fit(options)?,
        Game::Chess(options) => chess::fit(options)?,
        Game::Connect4 => print_source("connect4", "a threat", &connect4::fit()?),
        Game::Draughts(options) => draughts::fit(options)?,
        Game::Gomoku(options) => gomoku::fit(options)?,
        Game::Othello(options) => othello::fit(options)?,
    }
    Ok(())
}

fn print_source(game: &str, unit: &str, fitted: &Fitted) {
    println!("//! The fitted weights of the evaluation. Layer 2.");
    println!("//!");
    println!("//! Written by `cargo run --release -p griot-train -- {game}`, and by nothing else. The last round:");
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
