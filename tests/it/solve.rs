//! `griot solve`: what small games come to, and what is said of one that is too large.

use std::process::{Command, Output, Stdio};

use griot_testing::full_run;
use serde_json::Value;

fn griot(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_griot"));
    command.arg("solve").args(arguments).stdin(Stdio::null()).output().unwrap()
}

fn json(arguments: &[&str]) -> Value {
    let output = griot(&[arguments, &["--json"]].concat());
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Each move with its result and its length in the winner's own moves.
fn moves(report: &Value) -> Vec<(String, String, Option<u64>)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let moves = report["moves"].as_array().unwrap().iter();
    moves.map(|line| (text(&line["move"]), text(&line["result"]), line["moves"].as_u64())).collect()
}

#[test]
fn mini_wari_is_lost_for_whoever_begins() {
    let report = json(&["--game", "awale:mini"]);
    assert_eq!((&report["solved"], &report["result"]), (&Value::Bool(true), &"loss".into()));
    assert!(report["repetition"].as_str().unwrap().contains("each side keeps the seeds in its row"));
    let mut found = moves(&report);
    found.sort();
    // The exact numbers take 612 million nodes: `griot --option Selective=false solve --game awale:mini`.
    let exact = [("A", 27), ("B", 29), ("C", 20)];
    assert_eq!(found.len(), exact.len());
    for ((mv, result, moves), (exact_mv, exact_moves)) in found.iter().zip(exact) {
        let moves = moves.unwrap();
        assert!(mv == exact_mv && result == "loss" && (exact_moves..60).contains(&moves), "{mv} {result} {moves}");
    }
    let text = String::from_utf8(griot(&["--game", "awale:mini"]).stdout).unwrap();
    assert!(
        text.lines().filter(|line| line.contains("loses in ") && line.contains(" or less ")).count() == 3,
        "{text}"
    );
}

#[test]
fn a_distance_is_a_limit_only_where_positions_repeat_and_moves_are_chosen() {
    let few = ["--game", "awale:mini", "--fen", "1-0-0-0-1-0-5-5-S"];
    let limits = |arguments: &[&str]| json(arguments)["at_most"].clone();
    assert_eq!(limits(&few), Value::Bool(true));
    assert_eq!(limits(&[&few[..], &["--option", "selective=false"]].concat()), Value::Bool(false));
    let twice = ["--option", "Selective=false", "--option", "Selective=true"];
    assert_eq!(limits(&[&few[..], &twice].concat()), Value::Bool(true));
    assert_eq!(limits(&["--game", "tictactoe"]), Value::Bool(false));
}

#[test]
fn draws_are_draws_with_every_first_move() {
    for (game, cells) in [("tictactoe", 9), ("mnk:4,4,4", 16), ("mnk:5,5,4", 25), ("mnk:6,6,5", 36)] {
        let report = json(&["--game", game]);
        assert_eq!((&report["solved"], &report["result"]), (&Value::Bool(true), &"draw".into()), "{game}");
        assert_eq!(report.get("repetition"), None, "{game}");
        let found = moves(&report);
        assert!(found.len() == cells && found.iter().all(|(_, result, _)| result == "draw"), "{game}: {found:?}");
    }
}

#[test]
fn nim_is_won_by_its_theory_and_a_board_is_solved_like_a_start() {
    let found = moves(&json(&["--game", "nim:7"]));
    assert_eq!(found[0], ("a2".into(), "win".into(), Some(2)));
    assert!(found[1..].iter().all(|(_, result, _)| result == "loss"), "{found:?}");
    // Two in a row, and a third to be blocked: the win first, then the rest.
    let found = moves(&json(&["--game", "tictactoe", "--fen", "xx1/oo1/3 x"]));
    assert_eq!(found[0], ("c3".into(), "win".into(), Some(1)));
}

#[test]
fn what_is_too_large_is_told_as_far_as_it_is_known() {
    let output = griot(&["--game", "gomoku", "--movetime", "300"]);
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("not solved") && said.contains("  open  "), "{said}");
    let output = griot(&["--game", "tictactoe", "--fen", "xxx/oo1/3 o"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("the game is over, there is nothing to solve"));
}

#[test]
fn othello_is_solved_to_the_last_disc_for_every_move() {
    // FFO #30, 16 empty cells, and #4, 13 empty cells: the published scores are 0.
    let number = if full_run() { "30 " } else { "4 " };
    let board = std::fs::read_to_string("tests/data/ffo.txt").unwrap();
    let line = board.lines().find(|line| line.starts_with(number)).unwrap();
    let fields: Vec<&str> = line.split_whitespace().collect();
    let rows: Vec<String> = fields[1].as_bytes().chunks(8).map(row_text).collect();
    let fen = format!("{} {}", rows.join("/"), fields[2].to_lowercase());
    let report = json(&["--game", "othello", "--fen", &fen]);
    assert_eq!((&report["solved"], &report["result"]), (&Value::Bool(true), &"draw".into()));
    let margins: Vec<i64> =
        report["moves"].as_array().unwrap().iter().map(|line| line["margin"].as_i64().unwrap_or(0)).collect();
    assert_eq!(margins[0], 0);
    assert!(margins.len() > 3 && margins.is_sorted_by(|a, b| a >= b), "{margins:?}");
    assert!(margins.iter().all(|margin| margin % 2 == 0), "of 64 cells: {margins:?}");
    let text = String::from_utf8(griot(&["--game", "othello", "--fen", &fen]).stdout).unwrap();
    assert!(text.contains("a draw\n") && text.contains(&format!("loses by {}", -margins.last().unwrap())), "{text}");
}

/// A row of a board as griot writes it: discs, and numbers of empty cells.
fn row_text(cells: &[u8]) -> String {
    let mut text = String::new();
    let mut empty = 0;
    for &cell in cells {
        if cell == b'-' {
            empty += 1;
            continue;
        }
        if empty > 0 {
            text += &empty.to_string();
            empty = 0;
        }
        text.push(char::from(cell.to_ascii_lowercase()));
    }
    if empty > 0 {
        text += &empty.to_string();
    }
    text
}
