//! Text as other systems write it: CRLF, a byte order mark, and UTF-16, which PowerShell's `>` writes. All of it reads the same.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use griot::book::{self, Book, Entry, Worth};
use griot::games::mnk::{Notation, Parameters, Style};

use crate::support::{Folder, stdout_of};

/// A text in each encoding, with its name. The first is plain UTF-8.
fn encodings(text: &str) -> Vec<(&'static str, Vec<u8>)> {
    let crlf = text.replace('\n', "\r\n");
    let utf16 = |bytes: fn(u16) -> [u8; 2]| crlf.encode_utf16().flat_map(bytes).collect::<Vec<u8>>();
    vec![
        ("UTF-8", text.as_bytes().to_vec()),
        ("CRLF", crlf.as_bytes().to_vec()),
        ("UTF-8 with a mark", [&b"\xEF\xBB\xBF"[..], crlf.as_bytes()].concat()),
        ("UTF-16LE", [&b"\xFF\xFE"[..], &utf16(u16::to_le_bytes)].concat()),
        ("UTF-16BE", [&b"\xFE\xFF"[..], &utf16(u16::to_be_bytes)].concat()),
    ]
}

fn run(arguments: &[&str], input: &[u8]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_griot"));
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // A program that refuses its arguments does not read.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

/// Checks that `read` says the same of a text in every encoding, and what it says.
fn reads_the_same(text: &str, has: &str, read: impl Fn(&[u8]) -> String) {
    let mut first = None;
    for (name, bytes) in encodings(text) {
        let said = read(&bytes);
        assert!(said.contains(has), "{name}: {said}");
        assert_eq!(&said, first.get_or_insert_with(|| said.clone()), "{name}");
    }
}

fn path(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn positions_of_a_file_and_of_stdin_are_read_in_every_encoding() {
    let folder = Folder::new("encodings-analyse");
    let file = folder.join("positions.txt");
    let text = "# é\ntictactoe||b2\n{\"game\":\"nim:7\",\"id\":\"é\"}\n";
    let analyse = ["analyse", "--depth", "2", "--omit", "time"];
    let has = "\"id\":\"é\"";
    reads_the_same(text, has, |bytes| stdout_of(run(&analyse, bytes)));
    reads_the_same(text, has, |bytes| {
        fs::write(&file, bytes).unwrap();
        stdout_of(run(&[&analyse[..], &[path(&file)]].concat(), b""))
    });
}

#[test]
fn commands_of_an_engine_are_read_in_every_encoding() {
    let commands = "position startpos moves b2\nquery fen\nquit\n";
    reads_the_same(commands, "response 3/1x1/3 o\n", |bytes| stdout_of(run(&["--game", "tictactoe"], bytes)));
    reads_the_same("b2\nquit\n", "b2", |bytes| {
        stdout_of(run(&["play", "tictactoe", "--side", "both", "--language", "en"], bytes))
    });
}

#[test]
fn a_book_is_read_in_every_encoding() {
    let folder = Folder::new("encodings-book");
    let file = folder.join("odd.book");
    let entry = Entry { board: "3/3/3 x".into(), mv: "b1".into(), worth: Worth::Centi(-77), depth: 33 };
    let notation: Notation<1> = Notation::new(Parameters::TIC_TAC_TOE, Style::Coordinates);
    let text = book::text("tictactoe", &[], &[entry]);
    reads_the_same(&text, "tictactoe", |bytes| {
        fs::write(&file, bytes).unwrap();
        let text = book::read(&file).unwrap();
        Book::parse(&text, "tictactoe", &notation).unwrap();
        text.replace('\r', "")
    });
}

#[test]
fn saved_games_and_records_are_read_in_every_encoding() {
    let folder = Folder::new("encodings-records");
    let file = folder.join("game.txt");
    let read = |bytes: &[u8]| {
        fs::write(&file, bytes).unwrap();
        let typed = format!("load {}\nquit\n", path(&file));
        let play = ["play", "tictactoe", "--side", "both", "--language", "en"];
        stdout_of(run(&play, typed.as_bytes()))
    };
    reads_the_same(
        "# griot play: é\n# resigned: first\ntictactoe||b2 a1\n",
        "moves: 2.\nThe game is over: o wins.",
        read,
    );
    let record = "[Event \"é\"]\n[Variant \"tictactoe\"]\n[Result \"*\"]\n\n1. b2 a1 *\n";
    let convert = |bytes: &[u8]| stdout_of(run(&["convert", "--game", "tictactoe", "--to", "json"], bytes));
    reads_the_same(record, "\"é\"", convert);
}

/// griot adds lines in UTF-8, so a file in UTF-16 is refused and left alone; one with CRLF is continued.
#[test]
fn answers_in_utf16_are_refused_with_the_reason_and_crlf_is_continued() {
    let folder = Folder::new("encodings-resume");
    let file = folder.join("answers.jsonl");
    let arguments = ["analyse", "--depth", "2", "--omit", "time", "--resume", path(&file)];
    let positions = b"tictactoe||b2\ntictactoe||a1\n";
    stdout_of(run(&arguments, positions));
    let whole = fs::read_to_string(&file).unwrap();
    assert_eq!(whole.lines().count(), 2);
    for (name, bytes) in encodings(&whole) {
        fs::write(&file, &bytes).unwrap();
        let output = run(&arguments, positions);
        let said = String::from_utf8_lossy(&output.stderr);
        if name.starts_with("UTF-16") {
            let told =
                "line 1: expected UTF-8, found UTF-16, which PowerShell's '>' writes; let griot write the file itself";
            assert!(output.status.code() == Some(2) && said.contains(told), "{name}: {said}");
        } else {
            assert!(output.status.success() && said.contains("answers before: 2, added: 0"), "{name}: {said}");
        }
        assert_eq!(fs::read(&file).unwrap(), bytes, "{name}");
    }
}
