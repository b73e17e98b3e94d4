//! Games against fairy-stockfish, another program's idea of the same rules: every move of every game must be among those that it
//! counts, and where no move is left to it the game must be over.
//!
//! The tests pass by, and say so, where the program is not installed.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use crate::support;
use serde_json::Value;

const VARIANTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/variants.ini");

/// The program, where it is installed; Debian puts games beside the path of most users.
fn program() -> Option<&'static str> {
    let found = ["fairy-stockfish", "/usr/games/fairy-stockfish"].into_iter().find(|program| {
        let mut run = Command::new(program);
        run.arg("quit").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        run.status().is_ok_and(|status| status.success())
    });
    if found.is_none() {
        println!("skipped: there is no fairy-stockfish");
    }
    found
}

/// A match against it, sides swapped after every game; the records of the games.
fn play(program: &str, game: &str, variant: &str, games: usize) -> Vec<Value> {
    let name = format!("fairy-{}-{variant}", std::process::id());
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_file(&path);
    let output = Command::new(support::workspace_program("griot-match"))
        .args(["--records", path.to_str().unwrap(), "--game", game, "--games", &games.to_string()])
        // One random ply: at tic-tac-toe every first move is a draw.
        .args(["--random-plies", "1", "--nodes", "3000", "--engine", "name=griot"])
        .args(["--engine", &format!("{program} load '{VARIANTS}'"), "name=fairy", &format!("variant={variant}")])
        .output()
        .unwrap();
    support::stdout_of(output);
    let records = fs::read_to_string(&path).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    fs::remove_file(&path).unwrap();
    records
}

/// The program as a judge of moves.
struct Judge {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Judge {
    fn new(program: &str, variant: &str) -> Judge {
        let mut child = Command::new(program)
            .args(["load", VARIANTS])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let (input, output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        let mut judge = Judge { child, input, output };
        writeln!(judge.input, "uci\nsetoption name UCI_Variant value {variant}").unwrap();
        judge
    }

    /// The legal moves after these.
    fn legal_moves(&mut self, moves: &[String]) -> Vec<String> {
        let moves = if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
        writeln!(self.input, "position startpos{moves}\ngo perft 1").unwrap();
        let mut legal = Vec::new();
        for line in (&mut self.output).lines() {
            match line.unwrap().split_once(": ") {
                Some(("Nodes searched", count)) => {
                    assert_eq!(count, legal.len().to_string());
                    return legal;
                }
                Some((mv, "1")) => legal.push(mv.to_owned()),
                _ => {}
            }
        }
        panic!("the program has ended");
    }
}

impl Drop for Judge {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Holds the moves of a game, which `drop_of` writes as drops, against what the judge counts.
fn judge(judge: &mut Judge, record: &Value, drop_of: impl Fn(&[String], &str) -> String) {
    let mut played = Vec::new();
    for mv in record["moves"].as_array().unwrap() {
        let legal = judge.legal_moves(&played);
        let drop = drop_of(&played, mv.as_str().unwrap());
        assert!(legal.contains(&drop), "{drop} is not among {legal:?} after {played:?}");
        played.push(drop);
    }
    assert!(judge.legal_moves(&played).is_empty(), "the game goes on after {played:?}");
    assert_eq!(record["reason"], "rules", "{record}");
}

#[test]
fn fairy_stockfish_does_not_win_at_tic_tac_toe() {
    let Some(program) = program() else { return };
    let records = play(program, "tictactoe", "tictactoe", 18);
    assert_eq!(records.len(), 18);
    let mut referee = Judge::new(program, "tictactoe");
    for record in &records {
        judge(&mut referee, record, |_, mv| format!("P@{mv}"));
        let loses = if record["p1"]["name"] == "griot" { "p2win" } else { "p1win" };
        assert_ne!(record["result"], loses, "{record}");
    }
}

#[test]
fn fairy_stockfish_and_griot_agree_on_connect_four() {
    let Some(program) = program() else { return };
    let mut referee = Judge::new(program, "cfour");
    for record in &play(program, "connect4", "cfour", 6) {
        judge(&mut referee, record, |played, file| {
            // The stone falls onto those that were dropped into its file before.
            let height = played.iter().filter(|drop| drop.starts_with(&format!("P@{file}"))).count();
            format!("P@{file}{}", height + 1)
        });
    }
}
