//! Tree search over any game.

pub mod perft;

/// The search was told to stop before it was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stopped;
