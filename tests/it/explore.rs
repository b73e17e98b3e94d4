//! `griot explore`: the tree of openings, grown best first, interrupted, resumed and drawn.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
#[cfg(unix)]
use std::thread::sleep;
#[cfg(unix)]
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::{self, Folder};

fn program(file: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_griot"));
    command.arg("explore").arg("--out").arg(file).args(arguments);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(file: &Path, arguments: &[&str]) -> Output {
    program(file, arguments).output().unwrap()
}

fn explored(file: &Path, arguments: &[&str]) -> String {
    support::stdout_of(run(file, arguments))
}

fn positions(file: &Path) -> Vec<Value> {
    let text = fs::read_to_string(file).unwrap();
    assert!(text.is_empty() || text.ends_with('\n'));
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn board(position: &Value) -> &str {
    position["position"]["board"].as_str().unwrap()
}

#[test]
fn a_small_tree_is_grown_to_its_end_and_ways_that_meet_are_one() {
    let folder = Folder::new("explore-whole");
    let file = folder.join("tree.jsonl");
    let said = explored(&file, &["--game", "tictactoe", "--plies", "2", "--depth", "9"]);
    let positions = positions(&file);
    // 1, 9 and 72 lines; the second stone goes to any other cell than the first.
    assert_eq!(positions.len(), 1 + 9 + 72);
    assert!(
        said.starts_with("tictactoe: 82 positions, 82 of them searched now; 10 have all their moves, 0 moves lead")
    );
    let said = explored(&file, &["--game", "tictactoe", "--plies", "3", "--depth", "9"]);
    // After three plies: two stones of x out of nine cells, one of o in the rest.
    assert_eq!(self::positions(&file).len(), 82 + 36 * 7, "{said}");
    assert!(said.contains(&format!("{} moves lead to a position that was there", 72 * 7 - 36 * 7)), "{said}");
    // The game is a draw, whatever is played first.
    for mv in ["a1", "b2", "c2"] {
        let row = said.lines().find(|line| line.starts_with(mv)).unwrap();
        assert_eq!(row.split_whitespace().nth(1), Some("0"), "{said}");
    }
}

#[test]
fn every_position_tells_where_its_moves_lead_and_is_searched_as_analyse_does() {
    let folder = Folder::new("explore-fields");
    let file = folder.join("tree.jsonl");
    explored(&file, &["--plies", "2", "--depth", "4", "--positions", "30"]);
    let positions = positions(&file);
    let boards: HashSet<&str> = positions.iter().map(board).collect();
    assert_eq!(boards.len(), positions.len());
    let steps = |position: &Value| -> HashMap<String, String> {
        let moves = position["moves"].as_array().unwrap().iter();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        moves.map(|step| (text(&step["move"]), text(&step["board"]))).collect()
    };
    let root = &positions[0];
    assert_eq!((root["ply"].as_u64(), steps(root).len()), (Some(0), 6));
    for position in &positions[1..] {
        // Its line leads from the root to it.
        let line: Vec<&str> = position["line"].as_array().unwrap().iter().map(|mv| mv.as_str().unwrap()).collect();
        let mut at = root;
        for mv in &line {
            let next = &steps(at)[*mv];
            at = positions.iter().find(|other| board(other) == next).unwrap();
        }
        assert_eq!(board(at), board(position));
        assert_eq!(position["ply"], line.len());
    }
    // The same searches as one by one.
    let asked: String = positions.iter().map(|position| format!("{}\n", position["position"])).collect();
    let asked_for = folder.join("positions");
    fs::write(&asked_for, asked).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_griot"))
        .args(["analyse", "--depth", "4", "--omit", "line,time"])
        .arg(&asked_for)
        .output()
        .unwrap();
    for (answer, position) in support::stdout_of(output).lines().zip(&positions) {
        let answer: Value = serde_json::from_str(answer).unwrap();
        for field in ["position", "bestmove", "score", "depth", "seldepth", "nodes", "tbhits", "pv"] {
            assert_eq!(answer[field], position[field], "{field}");
        }
    }
}

#[test]
fn values_come_up_and_the_winning_move_is_found_by_the_tree_alone() {
    let folder = Folder::new("explore-values");
    let file = folder.join("tree.jsonl");
    // One ply of search sees nothing of this; without its theory Nim has to be played out.
    let plain = ["--game", "nim:7", "--depth", "1", "--option", "Evaluation=plain"];
    let said = explored(&file, &[&plain[..], &["--plies", "7"]].concat());
    let best: Vec<&str> = said.lines().nth(2).unwrap().split_whitespace().collect();
    assert_eq!(&best[..3], ["a2", "win", "2"], "{said}");
    assert!(said.contains("a1") && said.contains("loss"), "{said}");
}

#[test]
fn a_tree_that_was_cut_off_anywhere_grows_to_the_same() {
    let folder = Folder::new("explore-resume");
    let file = folder.join("tree.jsonl");
    let arguments = ["--game", "connect4:5,4,3", "--plies", "4", "--depth", "3", "--positions", "60"];
    let said = explored(&file, &arguments);
    let whole = fs::read(&file).unwrap();
    for jobs in ["1", "3"] {
        for cut in [0, 40, whole.len() / 3, whole.len() / 2, whole.len() - 1, whole.len()] {
            fs::write(&file, &whole[..cut]).unwrap();
            let again = explored(&file, &[&arguments[..], &["--jobs", jobs]].concat());
            assert_eq!(String::from_utf8(fs::read(&file).unwrap()), String::from_utf8(whole.clone()), "cut at {cut}");
            // All but the number of searches made now.
            let told = |text: &str| text.lines().skip(1).map(str::to_owned).collect::<Vec<_>>();
            assert_eq!(told(&again), told(&said));
        }
    }
    // A larger tree has the smaller one within it.
    explored(&file, &[&arguments[..6], &["--positions", "90"]].concat());
    assert!(fs::read(&file).unwrap().starts_with(&whole));
    assert!(positions(&file).len() > 60 - 5);
}

#[test]
fn another_tree_is_refused_and_left_as_it_is() {
    let folder = Folder::new("explore-foreign");
    let file = folder.join("tree.jsonl");
    explored(&file, &["--game", "nim:7", "--depth", "2", "--plies", "1"]);
    let before = fs::read(&file).unwrap();
    for arguments in [["--game", "nim:7", "--depth", "3"], ["--game", "nim:8", "--depth", "2"]] {
        let output = run(&file, &arguments);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("tree.jsonl, line 1: expected a position of "), "{said}");
        assert!(said.contains("found one of nim:7 with depth 2; another tree needs another --out"), "{said}");
    }
    assert_eq!(fs::read(&file).unwrap(), before);
}

#[test]
#[cfg(unix)]
fn ctrl_c_ends_the_growth_and_leaves_whole_lines() {
    let folder = Folder::new("explore-interrupted");
    let file = folder.join("tree.jsonl");
    // Far more than is ever waited for.
    let mut child =
        program(&file, &["--plies", "20", "--positions", "1000000", "--depth", "8", "--jobs", "2"]).spawn().unwrap();
    let started = Instant::now();
    while fs::read_to_string(&file).unwrap_or_default().lines().count() < 20 {
        assert!(started.elapsed() < support::PATIENCE);
        sleep(Duration::from_millis(5));
    }
    assert!(Command::new("sh").args(["-c", &format!("kill -INT {}", child.id())]).status().unwrap().success());
    let mut said = String::new();
    std::io::Read::read_to_string(child.stderr.as_mut().unwrap(), &mut said).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(2), "{said}");
    assert!(said.contains("the same command goes on with") && said.contains("tree.jsonl"), "{said}");
    assert!(positions(&file).len() >= 20);
}

#[test]
fn the_tree_is_drawn_with_ways_that_meet_and_no_more_nodes_than_asked_for() {
    let folder = Folder::new("explore-drawn");
    let (file, svg, dot) = (folder.join("tree.jsonl"), folder.join("tree.svg"), folder.join("tree.dot"));
    let game = ["--game", "tictactoe", "--plies", "3", "--depth", "9", "--boards", "drawing"];
    let files = ["--svg", svg.to_str().unwrap(), "--dot", dot.to_str().unwrap()];
    explored(&file, &[&game[..], &files].concat());
    let picture = fs::read_to_string(&svg).unwrap();
    assert_eq!(picture.matches("<g><title>").count(), 100);
    assert!(picture.contains("tictactoe: openings, 100 of 334 positions, searched with depth 9"), "{picture}");
    assert!(picture.contains("class=\"edge line\"") && picture.contains("Thick: best play."));

    explored(&file, &[&game[..], &files, &["--drawn", "1000"]].concat());
    let graph = fs::read_to_string(&dot).unwrap();
    let nodes = graph.lines().filter(|line| line.trim_start().starts_with('n') && !line.contains(" -> ")).count();
    // One line for the looks of all nodes; and every move of the graph is there, on the tree or beside it.
    assert_eq!(nodes - 1, 334);
    assert_eq!(graph.matches(" -> ").count(), 9 + 72 + 72 * 7);
    assert_eq!(graph.matches("constraint=false").count(), 72 * 7 - 36 * 7);
}

#[test]
fn a_wrong_command_line_ends_with_2() {
    let folder = Folder::new("explore-wrong");
    let file = folder.join("tree.jsonl");
    for (arguments, says) in [
        (&["--game", "shogi"][..], "no game 'shogi'"),
        (&["--fen", "1-2"], "expected"),
        (&["--plies", "0"], "expected a whole number from 1 to 250"),
        (&["--positions", "0"], "expected a whole number from 1 to 1844"),
        (&["--option", "Hsh=1"], "no option 'Hsh'"),
    ] {
        let output = run(&file, arguments);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(says), "{arguments:?}: '{says}' is not in '{said}'");
    }
    assert!(!file.exists());
}
