//! `examples/spark_analyse.py` under a local cluster of Spark: the same answers, byte for byte, as from one process.
//!
//! It needs PySpark and a Java, and half a minute: it runs with `CI_FULL=1` in the environment, and passes by without.
//! `GRIOT_SPARK_PYTHON` names the Python that has PySpark, if it is not `python3`.

use std::env;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use crate::support::{self, Folder};
use griot::message::{Setup, Text};
use griot::registry::Registry;
use griot::session::{Catalogue, Resources, Settings};
use griot_testing::left_to_the_full_run;

/// Every reply to every first move of some games, with lines among them that are none.
fn positions() -> String {
    let mut lines = String::from("# positions\n");
    for game in ["awale", "tictactoe", "connect4", "othello", "nim:9"] {
        let mut session = Registry.open(game, Resources::new(Settings::default()).unwrap()).unwrap();
        let mut legal = |moves: &str| -> Vec<String> {
            let moves = Text { column: 1, text: moves.into() };
            session.set_position(&Setup { moves, ..Setup::default() }).unwrap();
            session.legal_moves()
        };
        for first in legal("") {
            for second in legal(&first) {
                lines += &format!("{game}||{first} {second}\n");
            }
        }
        lines += &format!("{game}|this is not a board\n\n{{\"game\":\"{game}\",\"id\":\"é\"}}\n");
    }
    lines
}

fn run(positions: &Path, arguments: &[&str]) -> Output {
    let python = env::var_os("GRIOT_SPARK_PYTHON").unwrap_or_else(|| "python3".into());
    Command::new(python)
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/spark_analyse.py"))
        .args(["--engine", env!("CARGO_BIN_EXE_griot")])
        .arg(positions)
        .args(arguments)
        .output()
        .unwrap()
}

#[test]
fn a_cluster_answers_as_one_process_does() {
    if left_to_the_full_run() {
        return;
    }
    let folder = Folder::new("spark");
    let file = folder.join("positions.txt");
    fs::write(&file, positions()).unwrap();
    let one = Command::new(env!("CARGO_BIN_EXE_griot"))
        .args(["analyse", "--depth", "4", "--omit", "line,time"])
        .arg(&file)
        .output()
        .unwrap();
    let one = support::stdout_of(one);
    let output = run(&file, &["--depth", "4", "--omit", "time"]);
    println!("{}", String::from_utf8_lossy(&output.stderr));
    let cluster = support::stdout_of(output);
    println!(
        "{} answers, {} of them errors, from one process and from Spark",
        one.lines().count(),
        one.lines().filter(|line| line.contains("\"error\"")).count()
    );
    assert!(one.lines().count() > 150, "{one}");
    assert_eq!(cluster, one);
}

#[test]
fn what_the_engine_refuses_fails_the_job() {
    if left_to_the_full_run() {
        return;
    }
    let folder = Folder::new("spark-refused");
    let file = folder.join("positions.txt");
    fs::write(&file, "nim:7\n").unwrap();
    let output = run(&file, &["--deepness", "4"]);
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("--deepness"));
    assert!(output.stdout.is_empty());
}
