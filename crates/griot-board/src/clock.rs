//! The clocks of a game: a base time for each side, and an increment for each of its moves. Plain data, in
//! milliseconds.
//!
//! From the first move on, the clock of the side to move runs; it stops while the game is paused.

use std::sync::LazyLock;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::words::Refusal;

/// The time control of both sides, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Clock {
    base: u32,
    /// Added after each move.
    increment: u32,
}

pub(crate) struct Clocks {
    clock: Clock,
    left: [Duration; 2],
    /// The side whose clock runs, and since when.
    running: Option<(usize, Instant)>,
}

impl Clocks {
    /// # Errors
    /// When a number is out of its range.
    pub(crate) fn new(clock: Clock) -> Result<Clocks, Refusal> {
        if !(1000..=36_000_000).contains(&clock.base) || clock.increment > 600_000 {
            return Err(Refusal::new(
                "bad_settings",
                "clock: expected a second to ten hours, and at most ten minutes a move",
            ));
        }
        Ok(Clocks { clock, left: [Duration::from_millis(clock.base.into()); 2], running: None })
    }

    /// Starts the clock of `side`, if it is not running.
    pub(crate) fn run(&mut self, side: usize, now: Instant) {
        if self.running.is_none_or(|(running, _)| running != side) {
            self.hold(now);
            self.running = Some((side, now));
        }
    }

    /// Records a move of `side`; the first move of a game takes no time.
    pub(crate) fn press(&mut self, side: usize, is_first: bool, now: Instant) {
        if is_first {
            self.running = None;
        }
        self.hold(now);
        if let Some(left) = self.left.get_mut(side).filter(|_| !is_first) {
            *left += Duration::from_millis(self.clock.increment.into());
        }
    }

    /// Stops the clocks.
    pub(crate) fn hold(&mut self, now: Instant) {
        self.left = self.left_at(now);
        self.running = None;
    }

    /// When the time of the side to move is up.
    pub(crate) fn falls(&self) -> Option<Instant> {
        let (side, since) = self.running?;
        Some(since + *self.left.get(side)?)
    }

    /// The time that a side has left.
    pub(crate) fn left(&self, side: usize, now: Instant) -> Duration {
        self.left_at(now).get(side).copied().unwrap_or_default()
    }

    fn left_at(&self, now: Instant) -> [Duration; 2] {
        let mut left = self.left;
        if let Some((side, since)) = self.running
            && let Some(left) = left.get_mut(side)
        {
            *left = left.saturating_sub(now.saturating_duration_since(since));
        }
        left
    }

    /// The `go` command with these clocks.
    pub(crate) fn go(&self, now: Instant) -> String {
        let [first, second] = self.left_at(now).map(|left| left.as_millis().max(1));
        let increment = self.clock.increment;
        format!("go p1time {first} p2time {second} p1inc {increment} p2inc {increment}")
    }

    /// The state for pages: the time left, and whose clock runs.
    pub(crate) fn told(&self, now: Instant) -> Value {
        json!({
            // A page that reads this later knows how much later.
            "at": millis(),
            "base": self.clock.base,
            "increment": self.clock.increment,
            "left": self.left_at(now).map(|left| u64::try_from(left.as_millis()).unwrap_or(u64::MAX)),
            "running": self.running.map(|(side, _)| side),
        })
    }
}

/// The time of this server, in milliseconds since it was first asked for.
pub(crate) fn millis() -> u64 {
    static BEGUN: LazyLock<Instant> = LazyLock::new(Instant::now);
    u64::try_from(BEGUN.elapsed().as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_runs_for_whoever_is_to_move_and_falls() {
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        let mut clocks = Clocks::new(Clock { base: 10_000, increment: 1000 }).unwrap();
        assert!(clocks.falls().is_none());
        clocks.run(0, at(0));
        clocks.press(0, true, at(60));
        clocks.run(1, at(60));
        clocks.run(1, at(64));
        assert_eq!(clocks.falls(), Some(at(70)));
        assert_eq!(clocks.go(at(64)), "go p1time 10000 p2time 6000 p1inc 1000 p2inc 1000");
        clocks.press(1, false, at(64));
        assert_eq!(clocks.told(at(99))["left"], json!([10_000, 7000]));
        clocks.run(0, at(100));
        clocks.hold(at(103));
        assert!(clocks.falls().is_none() && clocks.told(at(103))["running"].is_null());
        assert_eq!(clocks.told(at(200))["left"], json!([7000, 7000]));
        assert!(Clocks::new(Clock { base: 0, increment: 0 }).is_err());
        assert!(Clocks::new(Clock { base: 1000, increment: 900_000 }).is_err());
    }
}
