//! The example that adds a game: short enough to be read at once, and an engine for any front end.

use crate::support;
use std::io::Write;
use std::process::{Command, Stdio};

// Its law suite runs here.
#[allow(dead_code, reason = "its main is for the program")]
#[path = "../../examples/add_a_game.rs"]
mod hexapawn;

/// Everything that a run of the engine answers to `commands`.
fn answers(commands: &str) -> String {
    let mut engine = Command::new(support::workspace_example("add_a_game"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    engine.stdin.take().unwrap().write_all(commands.as_bytes()).unwrap();
    support::stdout_of(engine.wait_with_output().unwrap())
}

#[test]
fn a_whole_game_takes_less_than_150_lines() {
    let lines = include_str!("../../examples/add_a_game.rs").lines().count();
    assert!(lines < 150, "{lines} lines");
}

#[test]
fn it_greets_as_an_engine_of_its_one_game() {
    let said = answers("ugi\nisready\nsetoption name Game value awale\nquit\n");
    assert!(said.contains("option name Game type string default hexapawn\n"), "{said}");
    assert!(said.contains("ugiok\nreadyok\n"), "{said}");
    assert!(said.contains("no game 'awale'; there is hexapawn\n"), "{said}");
}

/// The second player wins with the third move at the latest, as Gardner's matchboxes learn.
#[test]
fn the_search_solves_it() {
    let said = answers("uci\nposition startpos\ngo depth 12\n");
    assert!(said.contains(" score mate -3 "), "{said}");
    let said = answers("position startpos moves b1b2 a3b2\ngo depth 12\n");
    assert!(said.contains(" score mate -2 "), "{said}");
}

#[test]
fn it_referees_its_own_games() {
    let said = answers(
        "position fen .../P../.p. p\nquery gameover\nposition fen .../P.p/... P moves a2a3\nquery gameover\nquery result\n\
         position fen .../.p./.P. P\nquery result\nposition startpos moves a1a3\nquery result\n",
    );
    let responses: Vec<&str> = said.lines().filter_map(|line| line.strip_prefix("response ")).collect();
    assert_eq!(responses, ["unknown", "true", "p1win", "p2win", "p2win"], "{said}");
    assert!(said.contains("move: expected a1a2 or b1b2 or c1c2, found 'a1a3'"), "{said}");
}
