//! Positions per second: `griot analyse` with one and two jobs, and under Spark, on the same positions in one run.
//!
//! `cargo bench --bench bulk [-- NODES]`: nodes per position, by default 1,000,000. The set-ups take turns, three
//! times; each row is the best of its runs. Spark takes part if `GRIOT_SPARK_PYTHON` names a Python with PySpark; the
//! time to start its cluster is shown separately. Prints a table, and each row as JSON on stderr.

#![allow(clippy::print_stdout, clippy::print_stderr, clippy::unwrap_used, clippy::expect_used)]

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use griot::message::{Setup, Text};
use griot::registry::Registry;
use griot::session::{Catalogue, Resources, Settings};

const ROUNDS: usize = 3;

/// A way to analyse the positions, and the seconds of each run: to start, and at work.
struct Contender {
    name: &'static str,
    command: Vec<String>,
    runs: Vec<(f64, f64)>,
}

impl Contender {
    fn new(name: &'static str, command: &[&str]) -> Contender {
        Contender { name, command: command.iter().map(ToString::to_string).collect(), runs: Vec::new() }
    }

    /// Runs it and returns its output.
    fn run(&mut self) -> Vec<u8> {
        let start = Instant::now();
        let output = Command::new(&self.command[0])
            .args(&self.command[1..])
            .stdin(Stdio::null())
            .output()
            .expect("the program starts");
        let seconds = start.elapsed().as_secs_f64();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{}: {said}", self.name);
        // Spark prints its start and working time; the rest of the command's time is its shutdown.
        let told = said.lines().flat_map(|line| line.split('\r')).find_map(|line| line.rsplit_once("spark: "));
        self.runs.push(told.map_or((0.0, seconds), |(_, told)| {
            let numbers: Vec<f64> = told.split(' ').filter_map(|word| word.parse().ok()).collect();
            (numbers[0], numbers[1])
        }));
        output.stdout
    }

    /// The seconds of the best run.
    fn best(&self) -> (f64, f64) {
        let least = |pick: fn(&(f64, f64)) -> f64| self.runs.iter().map(pick).fold(f64::MAX, f64::min);
        (least(|run| run.0), least(|run| run.1))
    }
}

/// Every position of awalé after three plies.
fn positions() -> Vec<String> {
    let mut session = Registry.open("awale", Resources::new(Settings::default()).unwrap()).unwrap();
    let mut lines = vec![String::new()];
    for _ in 0..3 {
        let mut longer = Vec::new();
        for line in &lines {
            let moves = Text { column: 1, text: line.clone() };
            session.set_position(&Setup { moves, ..Setup::default() }).unwrap();
            longer.extend(session.legal_moves().iter().map(|mv| format!("{line}{mv}")));
        }
        lines = longer;
    }
    lines
}

fn main() {
    let nodes = env::args().skip(1).find(|word| word.parse::<u64>().is_ok()).unwrap_or_else(|| "1000000".into());
    let engine = env!("CARGO_BIN_EXE_griot");
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("bulk-{}.txt", std::process::id()));
    let positions = positions();
    fs::write(&file, positions.iter().map(|line| format!("awale||{line}\n")).collect::<String>()).unwrap();
    let path = file.to_str().unwrap();

    let own = |jobs| [engine, "analyse", "--nodes", &nodes, "--omit", "line,time", "--jobs", jobs, path];
    let mut contenders = vec![Contender::new("1 job", &own("1")), Contender::new("2 jobs", &own("2"))];
    if let Ok(python) = env::var("GRIOT_SPARK_PYTHON") {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/spark_analyse.py");
        let script = script.to_str().unwrap();
        let command = [&python, script, "--engine", engine, path, "--nodes", &nodes, "--omit", "time"];
        contenders.push(Contender::new("Spark, 2 workers", &command));
    }
    let mut answers = None;
    for _ in 0..ROUNDS {
        for contender in &mut contenders {
            let said = contender.run();
            assert!(answers.get_or_insert(said.clone()) == &said, "{} answers otherwise", contender.name);
        }
    }
    let _ = fs::remove_file(&file);

    let count = positions.len() as f64;
    let (_, alone) = contenders[0].best();
    println!(
        "| set-up | positions | nodes each | seconds to start | seconds at work | positions a second | times one job |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|");
    for contender in &contenders {
        let (start, work) = contender.best();
        let (rate, ratio) = (count / work, alone / work);
        println!("| {} | {count} | {nodes} | {start:.1} | {work:.1} | {rate:.1} | {ratio:.2} |", contender.name);
        let name = contender.name;
        let row = serde_json::json!({"setup": name, "start": start, "work": work, "rate": rate, "ratio": ratio});
        eprintln!("{row}");
    }
}
