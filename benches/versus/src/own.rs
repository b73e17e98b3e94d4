//! griot's own searches, each from an empty table, on this thread.

use std::time::Duration;

use griot::game::{Evaluate, Evaluator, Position};
use griot::score::{Meaning, Score};
use griot::search::textbook::Textbook;
use griot::search::{Knowledge, NoMemory, Observer, Path, Poll, Task, TranspositionTable, search};

use crate::measure::{Run, Stopwatch, Value};

/// Nodes between two checks of the clock in the textbook algorithms.
const POLL_NODES: u64 = 1024;

/// Stops the search when the time is up, and ignores its reports.
struct Limit {
    watch: Stopwatch,
    limit: Duration,
    stopped: bool,
}

impl<M> Observer<M> for Limit {
    fn poll(&mut self) -> Poll {
        self.stopped = self.watch.is_over(self.limit);
        if self.stopped { Poll::Stop } else { Poll::Continue }
    }

    fn another_iteration(&mut self) -> bool {
        true
    }

    fn report(&mut self, _news: griot::search::News<'_, M>) {}
}

/// The full search to `depth`.
pub(crate) fn full<P, E>(
    root: &P,
    evaluate: Evaluator<'_, E>,
    depth: u32,
    selective: bool,
    hash: usize,
    limit: Duration,
) -> Result<Run, NoMemory>
where
    P: Position,
    E: Evaluate<P>,
{
    let table = TranspositionTable::new(hash)?;
    // The table of `minimax` is also zeroed before the clock starts.
    table.clear();
    let task = Task { depth, selective, ..Task::new(root.clone()) };
    let watch = Stopwatch::start();
    let mut observer = Limit { watch, limit, stopped: false };
    let verdict = search(&task, Knowledge::new(evaluate, &(), &table), &mut observer);
    Ok(Run {
        time: watch.elapsed(),
        nodes: Some(verdict.nodes),
        value: (!observer.stopped).then(|| value(evaluate, verdict.score)),
    })
}

/// One of the textbook algorithms, searched to `depth` without iterative deepening.
pub(crate) fn textbook<P, E>(root: &P, evaluate: Evaluator<'_, E>, depth: u32, cuts: bool, limit: Duration) -> Run
where
    P: Position,
    E: Evaluate<P>,
{
    let watch = Stopwatch::start();
    let mut until_poll = POLL_NODES;
    let mut stop = |_: u32| {
        until_poll -= 1;
        if until_poll > 0 {
            return false;
        }
        until_poll = POLL_NODES;
        watch.is_over(limit)
    };
    let mut book = Textbook::new(evaluate, Path::default(), &mut stop);
    let score =
        if cuts { book.nega_beta(root, depth, -Score::INFINITY, Score::INFINITY) } else { book.negamax(root, depth) };
    Run { time: watch.elapsed(), nodes: Some(book.nodes()), value: score.ok().map(|score| value(evaluate, score)) }
}

fn value<P: Position, E: Evaluate<P>>(evaluate: Evaluator<'_, E>, score: Score) -> Value {
    match score.meaning() {
        Meaning::Win(_) | Meaning::KnownWin(_) => Value::Win,
        Meaning::Loss(_) | Meaning::KnownLoss(_) => Value::Loss,
        Meaning::Units(units) => Value::Hundredths(evaluate.centi_units::<P>(units)),
    }
}
