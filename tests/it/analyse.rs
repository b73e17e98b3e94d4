//! `griot analyse`: positions in, answers out, whatever is wrong with some of them and whoever ends it when.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};

use griot_testing::picked;
use serde_json::Value;

use crate::support::{self, Folder};

/// Positions of several games, lines that are none, and one position twice.
const POSITIONS: &str = "\
# a remark
awale||AbC
{\"game\":\"tictactoe\",\"moves\":[\"b2\",\"a1\"],\"id\":\"corner\"}
mnk:4,4,3||b2 a1

tictactoe|3/3/3 x|b2 b2
connect4||dddd
nim:3-4-5,take=any,normal
shogi
othello||d3 c3
awale|0-1-0-3-0-2-1-0-2-0-0-1-20-18-N
{\"board\":1}
awale||AbC
tictactoe|xxx/oo1/3 o
";

fn program(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_griot"));
    command.arg("analyse").args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(arguments: &[&str], input: &str) -> Output {
    let mut child = program(arguments).spawn().unwrap();
    // A program that refuses its arguments does not read.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

/// What comes out of a run that ends well. One that goes on with a file says so, and nothing else.
fn answers(arguments: &[&str], input: &str) -> String {
    let output = run(arguments, input);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.lines().all(|line| line.contains("answers before: ")), "{arguments:?}: {said}");
    support::stdout_of(output)
}

fn parsed(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))).collect()
}

#[test]
fn every_line_gets_its_answer_in_order_and_bad_lines_stop_nothing() {
    let answers = parsed(&answers(&["--depth", "5"], POSITIONS));
    let numbers: Vec<u64> = answers.iter().map(|answer| answer["line"].as_u64().unwrap()).collect();
    assert_eq!(numbers, [2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14]);
    let of = |line: u64| answers.iter().find(|answer| answer["line"] == line).unwrap();

    assert_eq!(of(2)["position"]["game"], "awale");
    assert_eq!(of(2)["position"]["moves"], "AbC");
    assert_eq!((&of(2)["depth"], of(2)["bestmove"].is_string()), (&5.into(), true));
    assert!(of(2)["score"]["cp"].is_i64() && of(2)["score"]["bound"] == "exact");
    for field in ["seldepth", "nodes", "time", "tbhits"] {
        assert!(of(2)[field].is_u64(), "{field}");
    }
    assert_eq!(of(2)["pv"][0], of(2)["bestmove"]);
    assert_eq!(of(3)["id"], "corner");
    assert_eq!(of(3)["position"]["moves"], "b2 a1");
    assert_eq!(of(4)["score"]["mate"], 2);
    assert_eq!((&of(14)["bestmove"], &of(14)["score"]["mate"]), (&Value::Null, &0.into()), "a game that is over");

    for (line, input, says) in [
        (6, "tictactoe|3/3/3 x|b2 b2", "column 22: move: expected an empty cell, found a stone on b2"),
        (9, "shogi", "no game 'shogi'; there are awale | "),
        (12, "{\"board\":1}", "expected a string"),
    ] {
        assert_eq!(of(line)["input"], input);
        assert!(of(line)["error"].as_str().unwrap().contains(says), "{}", of(line));
        assert!(!of(line).to_string().contains("lost by it"), "nobody plays here");
        assert!(of(line)["bestmove"].is_null());
    }
}

#[test]
fn answers_depend_neither_on_the_number_of_jobs_nor_on_each_other() {
    for limit in picked([["--depth", "5"], ["--nodes", "3000"]], 1) {
        let one = answers(&[limit[0], limit[1], "--omit", "time"], POSITIONS);
        for jobs in ["2", "5"] {
            assert_eq!(answers(&[limit[0], limit[1], "--omit", "time", "--jobs", jobs], POSITIONS), one, "{jobs}");
        }
        let without_numbers = answers(&[limit[0], limit[1], "--omit", "time,line"], POSITIONS);
        assert!(!without_numbers.contains("\"line\"") && !without_numbers.contains("\"time\""), "{without_numbers}");
        let alone: String = POSITIONS
            .lines()
            .map(|line| answers(&[limit[0], limit[1], "--omit", "line", "--omit", "time"], line))
            .collect();
        assert_eq!(alone, without_numbers);
    }
}

#[test]
fn limits_and_options_are_those_of_the_engine() {
    let one = |arguments: &[&str], line: &str| parsed(&answers(arguments, line)).remove(0);
    assert_eq!(one(&["--depth", "3"], "awale")["depth"], 3);
    assert!(one(&["--nodes", "500"], "awale")["nodes"].as_u64().unwrap() <= 500);
    assert!(one(&[], "awale")["nodes"].as_u64().unwrap() <= 100_000);
    assert!(one(&["--movetime", "20"], "awale")["depth"].as_u64().unwrap() >= 1);
    assert_eq!(one(&["--depth", "2", "--game", "nim:9"], "||a1")["position"]["game"], "nim:9");

    let several = one(&["--depth", "4", "--multipv", "3", "--hash", "1"], "awale");
    let lines = several["multipv"].as_array().unwrap();
    assert_eq!(lines.iter().map(|line| line["rank"].as_u64().unwrap()).collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!((&lines[0]["pv"], &lines[0]["score"]), (&several["pv"], &several["score"]));
    let worth = |line: &Value| line["score"]["cp"].as_i64().unwrap();
    assert!(worth(&lines[0]) >= worth(&lines[1]) && worth(&lines[1]) >= worth(&lines[2]));

    // What minimax counts, the full search does not need.
    let all = one(&["--depth", "4", "--option", "Algorithm=minimax"], "tictactoe");
    assert_eq!(all["nodes"], 1 + 9 + 72 + 504 + 3024);
    assert!(one(&["--depth", "4"], "tictactoe")["nodes"].as_u64().unwrap() < 3610);
}

#[test]
fn an_answer_leads_to_another_search_of_its_position() {
    let first = parsed(&answers(&["--depth", "2"], "awale||AbC\ntictactoe|3/1x1/3 o\n"));
    let again: String = first.iter().map(|answer| format!("{}\n", answer["position"])).collect();
    let second = parsed(&answers(&["--depth", "2"], &again));
    for (first, second) in first.iter().zip(&second) {
        assert_eq!((&first["position"], &first["score"]), (&second["position"], &second["score"]));
    }
}

#[test]
fn files_are_read_one_after_the_other() {
    let folder = Folder::new("analyse-files");
    let (one, two) = (folder.join("one"), folder.join("two"));
    fs::write(&one, "\u{FEFF}nim:7\r\nnim:6").unwrap();
    fs::write(&two, "nim:5\n").unwrap();
    let (one, two) = (one.to_str().unwrap(), two.to_str().unwrap());
    let answers = parsed(&answers(&["--depth", "1", one, "-", two], "nim:4\n"));
    let games: Vec<&str> = answers.iter().map(|answer| answer["position"]["game"].as_str().unwrap()).collect();
    assert_eq!(games, ["nim:7", "nim:6", "nim:4", "nim:5"]);
    assert_eq!(answers[3]["line"], 4);
}

#[test]
fn what_a_file_holds_is_not_searched_again_wherever_it_was_cut_off() {
    let folder = Folder::new("analyse-resume");
    let out = folder.join("answers.jsonl");
    let path = out.to_str().unwrap();
    let arguments = ["--depth", "4", "--omit", "time", "--resume", path];
    assert_eq!(answers(&arguments, POSITIONS), "", "answers go to the file");
    let whole = fs::read(&out).unwrap();
    assert_eq!(whole, answers(&arguments[..4], POSITIONS).as_bytes());

    let middle = whole.iter().position(|&byte| byte == b'\n').unwrap() + 20;
    for cut in [0, 1, middle, whole.len() / 2, whole.len() - 1, whole.len()] {
        fs::write(&out, &whole[..cut]).unwrap();
        answers(&arguments, POSITIONS);
        assert_eq!(String::from_utf8(fs::read(&out).unwrap()), String::from_utf8(whole.clone()), "cut at {cut}");
    }
    // Only what is new is searched, and that is said.
    let held = parsed(&String::from_utf8(whole.clone()).unwrap()).len();
    let output = run(&arguments, &format!("nim:9\n{POSITIONS}"));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), format!("{path}: answers before: {held}, added: 1\n"));
    let grown = fs::read_to_string(&out).unwrap();
    assert_eq!(grown.as_bytes()[..whole.len()], whole);
    assert_eq!(parsed(&grown[whole.len()..]).len(), 1);
    assert!(grown.ends_with("\n") && grown[whole.len()..].contains("nim:9"));
}

#[test]
fn a_file_of_something_else_is_refused_and_left_as_it_is() {
    let folder = Folder::new("analyse-foreign");
    let out = folder.join("letter.txt");
    fs::write(&out, "Dear Sir,\nhow").unwrap();
    let output = run(&["--depth", "1", "--resume", out.to_str().unwrap()], "nim:7\n");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2));
    assert!(said.contains("letter.txt, line 1: expected an answer of griot analyse"), "{said}");
    assert_eq!(fs::read_to_string(&out).unwrap(), "Dear Sir,\nhow");
}

/// A run whose input stays open.
struct Open {
    child: Child,
    out: BufReader<std::process::ChildStdout>,
}

impl Open {
    fn new(arguments: &[&str]) -> Open {
        let mut child = program(arguments).spawn().unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        Open { child, out }
    }

    fn say(&mut self, lines: &str) {
        self.child.stdin.as_mut().unwrap().write_all(lines.as_bytes()).unwrap();
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.out.read_line(&mut line).unwrap();
        line
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn an_answer_comes_as_soon_as_it_is_there() {
    let mut open = Open::new(&["--depth", "2", "--jobs", "2"]);
    for game in ["nim:7", "awale", "othello"] {
        open.say(&format!("{game}\n"));
        let line = open.line();
        assert!(line.ends_with("}\n") && line.contains(game), "{line}");
    }
}

#[test]
#[cfg(unix)]
fn ctrl_c_ends_a_search_and_leaves_whole_lines() {
    let folder = Folder::new("analyse-interrupted");
    let out = folder.join("answers.jsonl");
    let path = out.to_str().unwrap();
    let mut open = Open::new(&["--depth", "250", "--jobs", "2", "--resume", path]);
    // The first two are solved at once, the others never.
    open.say("nim:7\ntictactoe\nothello\nawale\n");
    let started = std::time::Instant::now();
    while fs::read_to_string(&out).unwrap_or_default().lines().count() < 2 {
        assert!(started.elapsed() < support::PATIENCE);
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let id = open.child.id();
    assert!(Command::new("sh").args(["-c", &format!("kill -INT {id}")]).status().unwrap().success());
    assert_eq!(open.child.wait().unwrap().code(), Some(2));
    let held = fs::read_to_string(&out).unwrap();
    assert!(held.ends_with('\n') && parsed(&held).len() == 2, "{held}");
    let mut said = String::new();
    std::io::Read::read_to_string(open.child.stderr.as_mut().unwrap(), &mut said).unwrap();
    assert!(said.contains("stopped after 2 positions; the same command goes on with"), "{said}");
    assert!(said.contains("answers.jsonl, which holds 2 answers"), "{said}");
}

#[test]
fn an_output_that_is_closed_is_a_quiet_end() {
    let mut child = program(&["--depth", "1"]).spawn().unwrap();
    drop(child.stdout.take());
    let mut input = child.stdin.take().unwrap();
    // Nobody may read any longer.
    let _ = input.write_all("nim:7\n".repeat(1000).as_bytes());
    drop(input);
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
}

#[test]
fn a_wrong_command_line_is_told_before_anything_is_read() {
    let none = PathBuf::from("there").join("is").join("none");
    for (arguments, says) in [
        (&["--game", "shogi"][..], "no game 'shogi'"),
        (&["--depth", "0"], "expected a whole number from 1 to 4294967295"),
        (&["--jobs", "0"], "expected a whole number from 1 to 256"),
        (&["--multipv", "0"], "option MultiPV: expected a whole number from 1 to 256, found '0'"),
        (&["--option", "Hsh=3"], "no option 'Hsh'"),
        (&["--omit", "score"], "possible values: line, time"),
        (&[none.to_str().unwrap()], "none: "),
        (&["tests"], "tests: expected a file, found a directory"),
        (&["--resume", none.to_str().unwrap()], "none: "),
    ] {
        let output = run(arguments, "");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(says), "{arguments:?}: '{says}' is not in '{said}'");
    }
}
