//! The command line, as clap reads it. Floor 6.

use clap::{Args, Parser, Subcommand};
use log::LevelFilter;

/// A board-game engine for other people's front ends: awalé, m,n,k games, Connect Four, Othello and Nim over UGI and UCI.
///
/// Without a subcommand griot speaks the protocol on stdin and stdout; type `help` there, or read protocol.md.
#[derive(Debug, Parser)]
#[command(version, after_help = EXAMPLES)]
pub(crate) struct Cli {
    /// The game: awale, awale:awari|tipe|mini, tictactoe, morpion:M, mnk:COLS,ROWS,K, gomoku, gomokufreestyle,
    /// connect4, connect4:COLS,ROWS,K, othello, nim, nim:3-4-5,take=any,normal
    #[arg(long, value_name = "GAME")]
    pub(crate) game: Option<String>,

    /// Set an option before the first command, as setoption would; may be repeated
    #[arg(long = "option", value_name = "NAME=VALUE", global = true)]
    pub(crate) options: Vec<String>,

    /// How much to log, on stderr: off, error, warn, info, debug (every line in and out), trace
    #[arg(long, value_name = "LEVEL", default_value = "error", global = true)]
    pub(crate) log_level: LevelFilter,

    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

const EXAMPLES: &str = "\
Examples:
  printf 'position startpos\\ngo movetime 1000\\n' | griot
  griot --game mnk:5,5,4 --option Hash=256
  griot perft awale 8 --divide
  griot compare --game tictactoe --depth 9
  griot bench";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Count the lines of so many plies, to check the rules and their speed
    Perft(Perft),
    /// Search fixed positions of every game to fixed depths: the sum of nodes and a hash of moves and scores
    Bench(Bench),
    /// Search one position with every algorithm of the course and with the full search, side by side
    Compare(Compare),
}

#[derive(Debug, Args)]
pub(crate) struct Perft {
    /// The game, named as for --game
    #[arg(value_name = "GAME")]
    pub(crate) name: String,
    /// Plies
    #[arg(value_parser = clap::value_parser!(u32).range(..=250))]
    pub(crate) depth: u32,
    /// Show the count behind each move
    #[arg(long)]
    pub(crate) divide: bool,
    /// Count from this board text instead of the start position
    #[arg(long, value_name = "BOARD")]
    pub(crate) fen: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Bench {
    /// Plies, the same for every position, instead of the depths that make the signature
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) depth: Option<u32>,
}

#[derive(Debug, Args)]
pub(crate) struct Compare {
    /// The game; awale if none is named
    #[arg(long, value_name = "GAME")]
    pub(crate) game: Option<String>,
    /// Plies
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) depth: u32,
    /// Search this board text instead of the start position
    #[arg(long, value_name = "BOARD")]
    pub(crate) fen: Option<String>,
}
