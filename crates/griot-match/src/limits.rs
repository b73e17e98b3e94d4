//! Limits of a move: those of the engine and of the match, and what both allow in one turn.

use std::time::Duration;

use griot::game::Side;
use serde::{Deserialize, Serialize};

/// The limits of an engine; the first one reached counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Limits {
    pub(crate) movetime: Option<Duration>,
    pub(crate) depth: Option<u32>,
    pub(crate) nodes: Option<u64>,
    /// Time at the start, and time added with each move.
    pub(crate) clock: Option<(Duration, Duration)>,
}

impl Limits {
    /// Whether there is no limit.
    pub(crate) fn is_empty(&self) -> bool {
        *self == Limits::default()
    }

    /// The limits in the words of the command line.
    pub(crate) fn text(&self) -> String {
        let mut words = Vec::new();
        words.extend(self.movetime.map(|time| format!("movetime {}", time.as_millis())));
        words.extend(self.depth.map(|depth| format!("depth {depth}")));
        words.extend(self.nodes.map(|nodes| format!("nodes {nodes}")));
        words.extend(self.clock.map(|(base, inc)| format!("clock {}+{}", base.as_millis(), inc.as_millis())));
        words.join(" ")
    }

    /// Whether any of them is one of time.
    pub(crate) fn is_timed(&self) -> bool {
        self.movetime.is_some() || self.clock.is_some()
    }
}

/// How the referee judges limits, for both engines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Judging {
    /// The margin: time that may be overdrawn before the game is lost, for the way through pipes.
    pub(crate) margin: Duration,
    /// How long after that an engine counts as hanging; `None`: five seconds; a minute from the question without a time limit; ten
    /// minutes for an engine at its own level.
    pub(crate) hang: Option<Duration>,
    /// The longest game.
    pub(crate) max_plies: usize,
}

impl Judging {
    /// The timeout for an answer that may take this long.
    pub(crate) fn patience(&self, allowed: Option<Duration>, keeps_time: bool) -> Duration {
        match allowed {
            Some(allowed) => allowed + self.margin + self.hang.unwrap_or(Duration::from_secs(5)),
            None => self.hang.unwrap_or(Duration::from_secs(if keeps_time { 60 } else { 600 })),
        }
    }
}

/// The time of an engine for one move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Turn {
    pub(crate) side: Side,
    pub(crate) limits: Limits,
    /// Time left for both sides; an opponent without a clock counts as this one. `None` without a clock.
    pub(crate) left: Option<[Duration; 2]>,
}

impl Turn {
    /// The time it may take, if that is limited.
    pub(crate) fn allowed(&self) -> Option<Duration> {
        [self.limits.movetime, self.left.map(|left| left[self.side.index()])].into_iter().flatten().min()
    }
}
