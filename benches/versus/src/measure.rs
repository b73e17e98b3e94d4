//! Runs, medians, and their output.

use std::fmt;
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use serde_json::{Value as Json, json};

use crate::Kind;

/// The value that a search found, for the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Value {
    /// A win of any length.
    Win,
    /// A loss of any length.
    Loss,
    /// An estimate or a draw, in hundredths of the game's unit.
    Hundredths(i32),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Win => f.write_str("win"),
            Value::Loss => f.write_str("loss"),
            Value::Hundredths(units) => write!(f, "{:+.2}", f64::from(*units) / 100.0),
        }
    }
}

/// Measures a search by the processor time of the process, which other programs disturb less than wall time, and which
/// counts all threads of a strategy.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stopwatch {
    processor: ProcessTime,
    wall: Instant,
}

impl Stopwatch {
    /// Starts now.
    pub(crate) fn start() -> Stopwatch {
        Stopwatch { processor: ProcessTime::now(), wall: Instant::now() }
    }

    /// Processor time since the start.
    pub(crate) fn elapsed(&self) -> Duration {
        self.processor.elapsed()
    }

    /// Whether `limit` of wall time has passed.
    pub(crate) fn is_over(&self, limit: Duration) -> bool {
        self.wall.elapsed() >= limit
    }
}

/// One search.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Run {
    /// Processor time from the call to the result; tables are allocated before.
    pub(crate) time: Duration,
    /// Nodes visited, if known.
    pub(crate) nodes: Option<u64>,
    /// The value found; `None` if the time ran out.
    pub(crate) value: Option<Value>,
}

/// The result of all runs of one contender on one task.
#[derive(Debug, Clone)]
pub(crate) struct Measurement {
    /// The task's name.
    pub(crate) task: &'static str,
    /// The depth searched, in plies.
    pub(crate) depth: u32,
    /// The kind of search.
    pub(crate) kind: Kind,
    /// The name of the contender.
    pub(crate) who: String,
    /// The run of median time.
    pub(crate) median: Run,
    /// The number of runs.
    pub(crate) runs: usize,
    /// The time limit for each.
    pub(crate) limit: Duration,
    /// The time of the best set-up of `minimax` as a multiple of this one, if both finished.
    pub(crate) times_faster: Option<f64>,
}

impl Measurement {
    /// The measurement as one JSON object.
    pub(crate) fn json(&self) -> Json {
        json!({
            "task": self.task,
            "depth": self.depth,
            "who": self.who,
            "value": self.median.value.map(|value| value.to_string()),
            "nodes": self.median.nodes,
            "seconds": self.median.value.map(|_| self.median.time.as_secs_f64()),
            "runs": self.runs,
            "limit_seconds": self.limit.as_secs_f64(),
            "times_faster_than_minimax": self.times_faster,
        })
    }

    /// The measurement as a row of a table, as in [`HEAD`].
    pub(crate) fn row(&self) -> String {
        let (value, time) = match self.median.value {
            Some(value) => (value.to_string(), seconds(self.median.time)),
            None => ("-".into(), format!("not within {} s", self.limit.as_secs_f64())),
        };
        let nodes = self.median.nodes.map_or("-".into(), grouped);
        let ratio = self.times_faster.map_or("-".into(), |ratio| format!("{ratio:.2}"));
        format!("| {} | {} | {} | {value} | {nodes} | {time} | {ratio} |", self.task, self.depth, self.who)
    }
}

/// The first two lines of the table.
pub(crate) const HEAD: &str = "| task | depth | who | value | nodes | seconds | times faster than `minimax` |
|---|--:|---|--:|--:|--:|--:|";

/// The run of median time; runs that ran out of time count as the longest.
pub(crate) fn median(mut runs: Vec<Run>) -> Option<Run> {
    runs.sort_by_key(|run| (run.value.is_none(), run.time));
    runs.get(runs.len() / 2).copied()
}

fn seconds(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    if seconds < 0.1 { format!("{seconds:.4}") } else { format!("{seconds:.2}") }
}

/// `1234567` as `1,234,567`.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_counts_an_unfinished_run_as_the_longest() {
        let run = |millis, done: bool| Run {
            time: Duration::from_millis(millis),
            nodes: None,
            value: done.then_some(Value::Hundredths(0)),
        };
        let middle = median(vec![run(3, false), run(9, true), run(5, true)]).unwrap();
        assert_eq!(middle.time, Duration::from_millis(9));
        assert!(median(Vec::new()).is_none());
    }

    #[test]
    fn numbers_are_grouped_in_threes() {
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
    }
}
