//! The integration tests, in one binary: each module is one subject, `cargo test --test it -- oracle::` runs one of them.
//!
//! One binary, because each would compile the searches of all games again.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    unreachable_pub,
    reason = "the helpers of tests stand outside the test functions"
)]

mod support;

// The structure: layers, the program's edges, the examples.
mod add_a_game;
mod cli;
mod convert;
mod dist;
mod docs;
mod doctor;
mod drive;
mod encodings;
mod faults;
mod files;
mod first_minute;
mod layers;
mod man;
mod play;
mod spark;

// The protocol: laws, conversations, what must be refused.
mod bad_lines;
mod bad_lines_kept;
mod clients;
mod laws;
mod load;
mod model;
mod transcripts;

// The games: rules and evaluations.
mod awale;
mod chess;
mod connect4;
mod evaluation;
mod fairy_stockfish;
mod families;
mod ffo;
mod mnk;
mod nim;
mod othello;
mod rules;
mod tactics;
mod threats;
mod truths;

// The search, its tables and its books.
mod book;
mod endings;
mod levels;
mod limits;
mod lines_of_play;
mod mcts;
mod oracle;
mod quiescence;
mod rules_of_repetition;
mod shared_tables;
mod signature;
mod tablebase;
mod tablebase_files;
mod techniques;
mod weights;
mod won_games;

// What works through many positions.
mod analyse;
mod explore;
mod puzzles;
mod solve;
mod trees;
