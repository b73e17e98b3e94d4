//! `griot convert`, and the other subcommands that read and write game records.

use std::fs;
use std::io::Write;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use crate::support::Folder;

fn run(arguments: &[&str], input: impl AsRef<[u8]>) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_griot"))
        .args(arguments)
        .env("LC_ALL", "C")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that refuses its arguments does not read.
    let _ = child.stdin.take().unwrap().write_all(input.as_ref());
    child.wait_with_output().unwrap()
}

fn texts(output: &Output) -> (Option<i32>, String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn games_are_converted_and_bad_ones_are_told_with_their_file() {
    let folder = Folder::new("convert");
    let file = folder.join("games.pgn");
    let games = "[Event \"a\"]\n[White \"w\"]\n\n1. e4 {x} e5 (1... c5) 1-0\n\n[Event \"b\"]\n\n1. e5 *\n\n[Event \"c\"]\n\n1. d4 *\n";
    fs::write(&file, games).unwrap();
    let path = file.to_str().unwrap();
    let (code, out, err) = texts(&run(&["convert", path], ""));
    let read: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((code, read.len()), (Some(2), 2), "{out}{err}");
    assert_eq!(read[0]["moves"], serde_json::json!(["e2e4", "e7e5"]));
    assert_eq!((&read[0]["result"], &read[0]["tags"]["Event"]), (&Value::from("p1win"), &Value::from("a")));
    assert_eq!(read[0]["variations"][0]["moves"], serde_json::json!(["c7c5"]));
    assert_eq!(read[0]["notes"]["1"]["comments"], serde_json::json!(["x"]));
    let told: Vec<&str> = err.lines().collect();
    assert!(
        told[0].starts_with(&format!("{path}: game 2, line 8, column 4, ply 1: 'e5' is not legal; legal are ")),
        "{err}"
    );
    assert_eq!(told[1], "griot: 1 of 3 games could not be converted");
}

#[test]
fn stdin_is_read_and_each_format_is_written() {
    let convert = |to: &str, input: &str| {
        let (code, out, err) = texts(&run(&["convert", "--to", to, "-"], input));
        assert_eq!((code, err.as_str()), (Some(0), ""), "{to}");
        out
    };
    assert_eq!(convert("moves", "F5D6C3"), "othello|startpos|f5 d6 c3\n");
    assert!(convert("ggf", "F5D6C3").ends_with("*]B[F5]W[D6]B[C3];)\n"));
    assert_eq!(convert("obf", "F5"), "---------------------------OX------XO--------------------------- X f5\n");
    let stones = "(;GM[4]RU[4]SZ[15];B[hh];W[ii])";
    assert_eq!(convert("sgf", stones), "(;FF[4]CA[UTF-8]GM[4]SZ[15]RU[renju];B[hh];W[ii])\n");
    assert!(convert("psq", stones).starts_with("Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,0\n"));
    assert!(convert("pgn", "1.e4 e5 2.Nf3").contains("\n1. e4 e5 2. Nf3 *\n"));
    assert!(convert("ogn", "awale||F f B").contains("\n1. F f 2. B\n"));
    let (code, _, err) = texts(&run(&["convert", "--to", "ogn"], "F5D6"));
    assert!(code == Some(2) && err.starts_with("stdin: OGN is for awale, not for othello\n"), "{err}");
    let (code, _, err) = texts(&run(&["convert"], "\n# nothing\n"));
    assert_eq!((code, err.as_str()), (Some(2), "griot: no game found\n"));
    let (code, _, err) = texts(&run(&["convert", "--to", "docx"], ""));
    assert!(code == Some(2) && err.contains("expected one of json, pgn, pdn, sgf"), "{err}");
}

#[test]
fn the_game_that_is_named_is_that_of_lists() {
    let (_, out, _) = texts(&run(&["convert", "--game", "renju", "--to", "moves"], "8,8\nh8 i9\n"));
    assert!(out.ends_with("renju|startpos|h8 i9\n"), "{out}");
    let offsets = "0,0, 1,-1\n-1,3\n";
    let (_, out, _) = texts(&run(&["convert", "--game", "gomokufreestyle", "--to", "moves"], offsets));
    assert_eq!(out, "gomokufreestyle|startpos|h8 i9\ngomokufreestyle|startpos|g5\n");
}

#[test]
fn records_and_lists_are_analysed() {
    let (code, out, err) = texts(&run(
        &["analyse", "--depth", "2", "--omit", "time"],
        "[Event \"x\"]\n\n1. e4 e5 *\n\n[Event \"y\"]\n\n1. e5 *\n",
    ));
    let answers: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((code, answers.len()), (Some(0), 2), "{out}{err}");
    assert_eq!(answers[0]["position"], serde_json::json!({"game":"chess","board":"startpos","moves":"e2e4 e7e5"}));
    assert!(
        answers[1]["error"].as_str().unwrap().starts_with("game 2, line 7, column 4, ply 1: 'e5' is not legal"),
        "{out}"
    );
    let (_, out, _) = texts(&run(&["analyse", "--depth", "2"], "F5D6C3\n4-4-4-4-4-4-4-4-4-4-4-4-0-0-N\n"));
    let answers: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers[0]["position"]["game"], "othello", "{out}");
    assert_eq!(answers[1]["position"]["game"], "awale", "{out}");
}

#[test]
fn a_game_is_saved_and_loaded_in_other_formats() {
    let folder = Folder::new("saved");
    let play = |game: &str, typed: String| {
        let (code, out, err) = texts(&run(&["play", game, "--side", "both"], typed));
        assert_eq!((code, err.as_str()), (Some(0), ""));
        out
    };
    let file = folder.join("game.pgn");
    let path = file.to_str().unwrap();
    let out = play("chess", format!("e4\ne5\nNf3\nsave {path}\nsave {path}\n"));
    assert!(out.contains("the file is there already"), "{out}");
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.contains("\n1. e4 e5 2. Nf3 *\n"), "{text}");
    let out = play("tictactoe", format!("load {path}\nrecord\n"));
    assert!(out.contains("1. e4  2. e5  3. Nf3"), "{out}");
    let sgf = folder.join("stones.sgf");
    fs::write(&sgf, "(;GM[4]RU[4]SZ[15];B[hh];W[ii])").unwrap();
    let out = play("tictactoe", format!("load {}\nrecord\n", sgf.display()));
    assert!(out.contains("1. h8  2. i7"), "{out}");
    let out = play("chess", "8/P7/8/8/8/8/8/k1K5 w - - 0 1\na8Q\nrecord\n".into());
    assert!(out.contains("1. a8=Q"), "{out}");
}

#[test]
fn white_and_black_are_seats() {
    let turn = |game: &str, side: &str| {
        let (code, out, err) = texts(&run(&["play", game, "--side", side, "--movetime", "1"], ""));
        assert_eq!(code, Some(0), "{err}");
        out
    };
    let first = |game: &str| turn(game, "first");
    assert_eq!(turn("chess", "white"), first("chess"));
    assert_eq!(turn("othello", "black"), first("othello"));
    assert_ne!(turn("othello", "white"), first("othello"));
}
