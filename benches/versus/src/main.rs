//! Compares griot's search with the crate `minimax`, a common choice for Rust programs.
//!
//! Both search the same positions by the same rules (griot's), with the same evaluation (the store difference in awalé,
//! zero in m,n,k games), to the same depth, on one thread and from empty tables, in turn within one process. Every
//! set-up of `minimax` in [`rival::SETUPS`] has one trial per task; the two quickest, and the quickest with a large
//! table, then run with the others, and griot is compared with the best of them. A difference in value between griot's
//! exact search and `minimax` is an error. The crate shuffles the root moves, so its nodes differ from run to run; the
//! median run's are shown.

mod measure;
mod own;
mod rival;

use std::fs::File;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use griot::game::{Evaluate, Evaluator, Position, TextError};
use griot::games::awale::{self, Abapa, AwaleEvaluation};
use griot::games::mnk::{self, Parameters};
use griot::search::NoMemory;
use minimax::Evaluator as RivalEvaluator;

use measure::{HEAD, Measurement, Run, Value, median};
use rival::{Indexed, Rules, SETUPS, Setup, Stores, Zero};

/// Compares griot's search with the crate minimax, and prints one JSON object for each measurement.
#[derive(Debug, Parser)]
struct Args {
    /// Print a Markdown table instead.
    #[arg(long)]
    table: bool,
    /// Only the tasks whose name contains this.
    #[arg(long, value_name = "NAME")]
    only: Option<String>,
    /// Runs of each contender.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..))]
    runs: u16,
    /// Seconds after which a search is given up.
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..))]
    limit_seconds: u64,
    /// Sizes of griot's table to try, in MiB.
    #[arg(long, value_name = "MIB", value_delimiter = ',', default_values_t = [1, 16])]
    hash: Vec<usize>,
    /// Run the slow tasks, too.
    #[arg(long)]
    long: bool,
    /// Write the JSON objects to this file.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Print the trial of each set-up of minimax on stderr.
    #[arg(long)]
    verbose: bool,
}

#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error("{0}")]
    NoMemory(#[from] NoMemory),
    #[error("game: {0}")]
    Game(#[from] TextError),
    #[error("output: {0}")]
    Output(#[from] io::Error),
    #[error("no task is called '{0}'")]
    NoTask(String),
    #[error("{task}, depth {depth}: griot finds {own}, minimax {rival}")]
    Disagreement { task: &'static str, depth: u32, own: Value, rival: Value },
}

/// The position to search.
#[derive(Debug, Clone, Copy)]
enum Start {
    Awale,
    /// Columns, rows, stones in a row.
    Mnk(u8, u8, u8),
}

#[derive(Debug, Clone, Copy)]
struct Task {
    name: &'static str,
    start: Start,
    depth: u8,
    /// The depth of the trials of `minimax`.
    trial: u8,
    /// Whether the task runs only with `--long`.
    long: bool,
    /// Also run the textbook algorithms, for comparison.
    textbook: bool,
}

const fn awale(name: &'static str, depth: u8) -> Task {
    Task { name, start: Start::Awale, depth, trial: depth, long: depth > 18, textbook: depth <= 8 }
}

/// A game is solved at the depth of its number of cells.
const fn mnk(name: &'static str, size: (u8, u8, u8), depth: u8) -> Task {
    Task { name, start: Start::Mnk(size.0, size.1, size.2), depth, trial: depth, long: false, textbook: depth <= 9 }
}

const TASKS: &[Task] = &[
    awale("awale-8", 8),
    awale("awale-10", 10),
    awale("awale-12", 12),
    awale("awale-14", 14),
    awale("awale-16", 16),
    awale("awale-18", 18),
    awale("awale-20", 20),
    mnk("mnk-3,3,3", (3, 3, 3), 9),
    mnk("mnk-4,4,4", (4, 4, 4), 16),
    Task { trial: 9, ..mnk("mnk-5,5,4", (5, 5, 4), 25) },
    Task { trial: 9, long: true, ..mnk("mnk-5,6,4", (5, 6, 4), 30) },
    Task { textbook: false, ..mnk("mnk-7,7,5", (7, 7, 5), 6) },
    Task { textbook: false, ..mnk("mnk-7,7,5", (7, 7, 5), 8) },
];

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("versus: {failure}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &Args) -> Result<(), Failure> {
    let wanted = |task: &&Task| {
        let named = args.only.as_ref().is_none_or(|part| task.name.contains(part.as_str()));
        named && (args.long || !task.long)
    };
    let tasks: Vec<&Task> = TASKS.iter().filter(wanted).collect();
    if tasks.is_empty() {
        return Err(Failure::NoTask(args.only.clone().unwrap_or_default()));
    }
    let mut file = args.json.as_ref().map(File::create).transpose()?;
    let mut out = io::stdout().lock();
    if args.table {
        writeln!(out, "{HEAD}")?;
    }
    for task in tasks {
        let measurements = match task.start {
            Start::Awale => {
                let root = awale::Position::<Abapa>::start();
                measure(task, args, &root, Evaluator::plain(&AwaleEvaluation::default()), Stores, 100)?
            }
            Start::Mnk(cols, rows, k) => {
                let parameters = Parameters::new(cols, rows, k, false)?;
                let root = mnk::Position::<1>::start(parameters);
                measure(task, args, &root, Evaluator::plain(&mnk::Evaluate::<1>::new(parameters)), Zero, 1)?
            }
        };
        for measurement in &measurements {
            if let Some(file) = &mut file {
                writeln!(file, "{}", measurement.json())?;
            }
            if args.table {
                writeln!(out, "{}", measurement.row())?;
            } else {
                writeln!(out, "{}", measurement.json())?;
            }
        }
        out.flush()?;
        agree(&measurements)?;
    }
    Ok(())
}

/// A search with its set-up.
#[derive(Debug, Clone, Copy)]
enum Contender {
    Full {
        selective: bool,
        /// Size of the table, in MiB.
        hash: usize,
    },
    Textbook {
        cuts: bool,
    },
    Rival(Setup),
}

/// The kinds of searches; only the best set-up of each kind is reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Exact,
    Selective,
    Negabeta,
    Negamax,
    Rival,
}

impl Contender {
    fn kind(self) -> Kind {
        match self {
            Contender::Full { selective: true, .. } => Kind::Selective,
            Contender::Full { selective: false, .. } => Kind::Exact,
            Contender::Textbook { cuts: true } => Kind::Negabeta,
            Contender::Textbook { cuts: false } => Kind::Negamax,
            Contender::Rival(_) => Kind::Rival,
        }
    }

    fn name(self) -> String {
        match self {
            Contender::Full { selective: true, hash } => format!("griot ({hash} MiB)"),
            Contender::Full { selective: false, hash } => format!("griot, `Selective` off ({hash} MiB)"),
            Contender::Textbook { cuts: true } => "textbook negabeta".into(),
            Contender::Textbook { cuts: false } => "textbook negamax".into(),
            Contender::Rival(setup) => format!("`minimax` ({})", setup.name),
        }
    }
}

/// Runs all contenders on one task, in turn; returns the best of each kind.
fn measure<P, E, V>(
    task: &Task,
    args: &Args,
    root: &P,
    evaluate: Evaluator<'_, E>,
    evaluator: V,
    unit: i32,
) -> Result<Vec<Measurement>, Failure>
where
    P: Position<Move: Indexed>,
    E: Evaluate<P>,
    V: RivalEvaluator<G = Rules<P>> + Clone + Send + Sync + 'static,
{
    let limit = Duration::from_secs(args.limit_seconds);
    let depth = u32::from(task.depth);
    let search = |contender: Contender| -> Result<Run, Failure> {
        Ok(match contender {
            Contender::Full { selective, hash } => own::full(root, evaluate, depth, selective, hash, limit)?,
            Contender::Textbook { cuts } => own::textbook(root, evaluate, depth, cuts, limit),
            Contender::Rival(setup) => setup.run(root, evaluator.clone(), unit, task.depth, limit),
        })
    };

    let full = |selective| args.hash.iter().map(move |&hash| Contender::Full { selective, hash });
    let mut contenders: Vec<Contender> = full(false).chain(full(true)).collect();
    contenders.extend(quickest(
        |setup, limit| setup.run(root, evaluator.clone(), unit, task.trial, limit),
        limit,
        args.verbose,
    ));
    if task.textbook {
        contenders.extend([Contender::Textbook { cuts: true }, Contender::Textbook { cuts: false }]);
    }

    let mut runs: Vec<Vec<Run>> = vec![Vec::new(); contenders.len()];
    for _ in 0..args.runs {
        for (contender, runs) in contenders.iter().zip(&mut runs) {
            // A contender that ran out of time does not run again.
            if runs.last().is_none_or(|last| last.value.is_some()) {
                runs.push(search(*contender)?);
            }
        }
    }

    let mut measurements: Vec<Measurement> = Vec::new();
    for (contender, runs) in contenders.into_iter().zip(runs) {
        let count = runs.len();
        let Some(median) = median(runs) else { continue };
        let measurement = Measurement {
            task: task.name,
            depth,
            kind: contender.kind(),
            who: contender.name(),
            median,
            runs: count,
            limit,
            times_faster: None,
        };
        match measurements.iter_mut().find(|best| best.kind == measurement.kind) {
            None => measurements.push(measurement),
            Some(best) if is_quicker(&measurement.median, &best.median) => *best = measurement,
            Some(_) => {}
        }
    }
    let rival = measurements.iter().find(|measurement| measurement.kind == Kind::Rival).map(|rival| rival.median);
    for measurement in measurements.iter_mut().filter(|measurement| measurement.kind != Kind::Rival) {
        let done = rival.filter(|rival| rival.value.is_some() && measurement.median.value.is_some());
        let seconds = measurement.median.time.as_secs_f64().max(1e-9);
        measurement.times_faster = done.map(|rival| rival.time.as_secs_f64() / seconds);
    }
    Ok(measurements)
}

/// The two quickest set-ups of `minimax` and the quickest other one with a large table, by one trial each. A trial that
/// takes much longer than the best is stopped.
fn quickest(trial: impl Fn(Setup, Duration) -> Run, limit: Duration, verbose: bool) -> Vec<Contender> {
    let mut trials: Vec<(Run, Setup)> = Vec::new();
    for &setup in SETUPS {
        let best = trials.first().filter(|(best, _)| best.value.is_some());
        // The limit is wall time, which is several times the processor time on a busy machine.
        let bar = best.map_or(limit, |(best, _)| (4 * best.time + Duration::from_millis(50)).min(limit));
        let run = trial(setup, bar);
        if verbose {
            eprintln!("{:<40} {run:?}", setup.name);
        }
        trials.push((run, setup));
        trials.sort_by_key(|(run, _)| (run.value.is_none(), run.time));
    }
    // Trials to a smaller depth are unfair to large tables.
    let large = trials.iter().skip(2).find(|(_, setup)| setup.has_large_table());
    trials.iter().take(2).chain(large).map(|&(_, setup)| Contender::Rival(setup)).collect()
}

fn is_quicker(run: &Run, other: &Run) -> bool {
    (run.value.is_none(), run.time) < (other.value.is_none(), other.time)
}

/// Checks that all but the selective search found the same value.
fn agree(measurements: &[Measurement]) -> Result<(), Failure> {
    let exact = measurements.iter().filter(|m| m.kind != Kind::Selective);
    let mut values = exact.filter_map(|m| Some((m, m.median.value?)));
    let Some((first, own)) = values.next() else { return Ok(()) };
    match values.find(|(_, value)| *value != own) {
        None => Ok(()),
        Some((_, rival)) => Err(Failure::Disagreement { task: first.task, depth: first.depth, own, rival }),
    }
}
