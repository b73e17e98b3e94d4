//! Self-play and training of griot's evaluations.
//!
//! Each game has a module with its options and a function `fit`. A round plays games from random openings by a shallow search
//! with the present weights, takes results from exact endings where the game has a solver, and fits the weights to them. The
//! seed and the options decide everything; the number of threads does not.
//!
//! [`training`] trains the small networks of awalé and chess, [`least_squares`] fits the linear evaluation of Connect Four, and
//! [`files`] stores games so that a run can be interrupted and resumed.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "training reports its progress")]

pub mod awale;
pub mod chess;
pub mod connect4;
pub mod draughts;
pub mod files;
pub mod gomoku;
pub mod least_squares;
pub mod othello;
pub mod training;

use griot::game::Position;
use griot::search::{News, Observer, Poll};

/// A search ends at once after this many times the nodes after which it begins no further iteration.
pub(crate) const MOST_NODES: u64 = 20;

/// Ends a search after the iteration that reaches a number of nodes: a search that is stopped in the middle of an iteration has spent
/// nodes on a value that it does not have yet.
pub(crate) struct Whole {
    enough: u64,
    nodes: u64,
}

impl Whole {
    /// Ends after the iteration that reaches this number of nodes.
    pub(crate) fn from(enough: u64) -> Whole {
        Whole { enough, nodes: 0 }
    }
}

impl<M> Observer<M> for Whole {
    fn poll(&mut self) -> Poll {
        Poll::Continue
    }
    fn another_iteration(&mut self) -> bool {
        self.nodes < self.enough
    }
    fn report(&mut self, news: News<'_, M>) {
        if let News::Line { progress, .. } = news {
            self.nodes = progress.nodes;
        }
    }
}

/// Plays a move, and keeps the hashes of the positions that can still repeat.
pub(crate) fn play_on<P: Position>(position: &mut P, mv: P::Move, history: &mut Vec<u64>) {
    let next = position.after(mv);
    if position.is_irreversible(&next) {
        history.clear();
    } else {
        history.push(position.hash());
    }
    *position = next;
}

/// The result of a fit that prints Rust source.
#[derive(Debug)]
pub struct Fitted {
    /// A row of weights for each phase.
    pub weights: Vec<Vec<i32>>,
    /// A sentence about the last round, for the header of the source file.
    pub last_round: String,
}

/// The options of a command line, whose first word is passed over.
#[cfg(test)]
pub(crate) fn options_of<O: clap::Args>(line: &[&str]) -> O {
    let matches = O::augment_args(clap::Command::new("griot-train")).get_matches_from(line);
    O::from_arg_matches(&matches).expect("options")
}
