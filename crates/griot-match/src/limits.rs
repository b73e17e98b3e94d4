//! Limits of a move: those of the engine and of the match, and what both allow in one turn.

use std::time::Duration;

use griot::game::Side;
use serde::{Deserialize, Serialize};

/// The limits of an engine; whichever comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Limits {
    pub(crate) movetime: Option<Duration>,
    pub(crate) depth: Option<u32>,
    pub(crate) nodes: Option<u64>,
    /// Time at the start, and time added with each move.
    pub(crate) clock: Option<(Duration, Duration)>,
}

impl Limits {
    /// Whether there are none.
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

/// How limits are judged, for both engines alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Judging {
    /// What may be overdrawn before the game is lost by it: the way through the pipes.
    pub(crate) margin: Duration,
    /// How long after that an engine counts as hanging; nothing: five seconds, a minute from the question on when there is no
    /// limit of time, and ten for an engine that plays at its own level.
    pub(crate) hang: Option<Duration>,
    /// The longest game.
    pub(crate) max_plies: usize,
}

impl Judging {
    /// How long it is waited for an answer to a question that allows so much time.
    pub(crate) fn patience(&self, allowed: Option<Duration>, keeps_time: bool) -> Duration {
        match allowed {
            Some(allowed) => allowed + self.margin + self.hang.unwrap_or(Duration::from_secs(5)),
            None => self.hang.unwrap_or(Duration::from_secs(if keeps_time { 60 } else { 600 })),
        }
    }
}

/// What an engine may take for one move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Turn {
    pub(crate) side: Side,
    pub(crate) limits: Limits,
    /// What is left for both sides; for an opponent without a clock as much as for this one. Nothing without a clock.
    pub(crate) left: Option<[Duration; 2]>,
}

impl Turn {
    /// The time it may take, if that is limited.
    pub(crate) fn allowed(&self) -> Option<Duration> {
        [self.limits.movetime, self.left.map(|left| left[self.side.index()])].into_iter().flatten().min()
    }
}
