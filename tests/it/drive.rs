//! The shortest clients, run against the engine.

use crate::support;
use std::path::Path;
use std::process::{Command, Stdio};

const ENGINE: &str = env!("CARGO_BIN_EXE_griot");

/// A game of tic-tac-toe was played to its end, with numbers on the way. How well depends on the machine's speed.
fn shows_a_game(said: &str) {
    assert!(said.contains("id name griot "), "{said}");
    assert!(said.lines().any(|line| line.starts_with("info depth ") && line.contains(" pv ")), "{said}");
    let played = said.lines().filter(|line| line.ends_with(" is played")).count();
    assert!((5..=9).contains(&played), "{said}");
    let last = said.lines().last().unwrap();
    let result = last.rsplit(' ').next().unwrap();
    assert!(last.starts_with("moves ") && ["draw", "p1win", "p2win"].contains(&result), "{last}");
    assert_eq!(last.split_whitespace().count(), 1 + played + 2, "{last}");
}

#[test]
fn the_rust_client_plays_a_game_with_the_engine_beside_it_or_a_given_one() {
    let client = support::workspace_example("drive");
    shows_a_game(&support::stdout_of(Command::new(&client).output().unwrap()));
    shows_a_game(&support::stdout_of(Command::new(&client).args([ENGINE, "--game", "nim"]).output().unwrap()));
}

#[test]
fn the_python_client_plays_a_game() {
    let python = Command::new("python3").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    if !python.is_ok_and(|status| status.success()) {
        println!("skipped: there is no python3");
        return;
    }
    let client = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/drive.py");
    shows_a_game(&support::stdout_of(Command::new("python3").arg(client).arg(ENGINE).output().unwrap()));
}

#[test]
fn clients_are_short_enough_to_be_read_at_once() {
    for client in [include_str!("../../examples/drive.rs"), include_str!("../../examples/drive.py")] {
        let lines = client.lines().count();
        assert!(lines <= 60, "{lines} lines");
    }
}

#[test]
fn an_engine_that_ends_at_once_is_told() {
    let output = Command::new(support::workspace_example("drive")).args([ENGINE, "--version"]).output().unwrap();
    assert!(!output.status.success());
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(told.contains("did not answer 'ugi' with 'ugiok': it ended"), "{told}");
    let output = Command::new(support::workspace_example("drive")).arg("/there/is/no/engine").output().unwrap();
    assert!(String::from_utf8_lossy(&output.stderr).contains("name another engine"));
}
