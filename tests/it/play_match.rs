//! Matches, played by the example as a user would have them played, with good and with bad engines.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use crate::support;
use serde_json::Value;

/// A file of this test's own, which does not exist yet.
fn fresh_file(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("play_match-{}-{name}", std::process::id()));
    let _ = fs::remove_file(&path);
    path
}

fn run(arguments: &[&str]) -> Output {
    Command::new(support::product("play_match")).args(arguments).output().unwrap()
}

/// A finished match: its table, and its records, which agree with the rules.
struct Match {
    table: String,
    records: Vec<Value>,
}

fn play(name: &str, arguments: &[&str]) -> Match {
    let path = fresh_file(name);
    let file = path.to_str().unwrap();
    let table = support::stdout_of(run(&[&["--records", file], arguments].concat()));
    let records = fs::read_to_string(&path).unwrap();
    assert!(records.ends_with('\n'));
    let records: Vec<Value> = records.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let replayed = support::stdout_of(run(&["--replay", file]));
    assert_eq!(replayed, format!("{} records, 0 of them not true\n", records.len()));
    fs::remove_file(&path).unwrap();
    Match { table, records }
}

fn has_python() -> bool {
    let python = Command::new("python3").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    let found = python.is_ok_and(|status| status.success());
    if !found {
        println!("skipped: there is no python3");
    }
    found
}

fn bad_engine(how: &str) -> String {
    format!("python3 '{}/tests/data/bad_engine.py' {how}", env!("CARGO_MANIFEST_DIR"))
}

/// Games of `how` against griot: every one is played, and booked to it. Answers their records; none without a Python.
fn loses_by(how: &str, reason: &str, games: usize, more: &[&str]) -> Vec<Value> {
    if !has_python() {
        return Vec::new();
    }
    let engine = bad_engine(how);
    // The good engine must not be late on a busy machine.
    let arguments = ["--game", "tictactoe", "--movetime", "50", "--margin", "1500"];
    let count = games.to_string();
    let arguments =
        [&arguments[..], &["--games", &count, "--engine-b", &engine, "--name-a", "good", "--name-b", "bad"], more]
            .concat();
    let name = how.split(' ').next().unwrap();
    let Match { table, records } = play(name, &arguments);
    assert_eq!(records.len(), games);
    for record in &records {
        let (fault, winner) = if record["p1"]["name"] == "bad" { ("p1", "p2win") } else { ("p2", "p1win") };
        assert_eq!([&record["reason"], &record["by"], &record["result"]], [reason, fault, winner], "{record}");
    }
    let row = table.lines().find(|line| line.starts_with("bad ")).unwrap();
    assert!(row.contains(&format!(" 0.0/{games} ")) && row.ends_with(&format!("  {reason} {games}")), "{table}");
    records
}

#[test]
fn a_crash_is_lost_and_the_engine_starts_again() {
    loses_by("crash", "crash", 4, &["--concurrency", "2"]);
}

#[test]
fn an_engine_that_is_never_ready_is_no_engine() {
    let output = run(&["--engine-b", &bad_engine("unready")]);
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(!has_python() || told.contains("it ended, exit status: 0 while waiting for readyok"), "{told}");
}

#[test]
fn a_hang_is_lost_and_the_process_is_killed() {
    let pids = fresh_file("pids");
    let how = format!("hang '{}'", pids.to_str().unwrap());
    loses_by(&how, "hang", 2, &["--hang", "500"]);
    for pid in fs::read_to_string(&pids).unwrap_or_default().lines() {
        assert!(!PathBuf::from(format!("/proc/{pid}")).exists(), "engine {pid} is left over");
    }
}

#[test]
fn a_late_move_is_lost_on_time() {
    for record in loses_by("late", "time", 4, &["--dialect-b", "ugi"]) {
        let detail = record["detail"].as_str().unwrap();
        let waited = !cfg!(target_os = "linux") || detail.contains("; its threads waited ");
        assert!(detail.contains(" ms for a move that had 50 ms") && waited, "{detail}");
    }
}

#[test]
fn an_illegal_move_is_lost() {
    loses_by("illegal", "illegal", 4, &["--dialect-b", "uci"]);
}

#[test]
fn no_move_in_a_running_game_is_lost() {
    loses_by("no-move", "no-move", 2, &[]);
}

#[test]
fn a_bestmove_without_a_move_is_lost() {
    loses_by("garbage", "garbage", 2, &[]);
}

#[test]
fn noise_is_no_answer() {
    loses_by("noise", "hang", 2, &["--hang", "500"]);
}

#[test]
fn a_line_without_end_is_lost() {
    loses_by("flood", "garbage", 2, &[]);
}

#[test]
fn an_engine_that_only_knows_uci_is_found_to_do_so() {
    if !has_python() {
        return;
    }
    let engine = bad_engine("uci-only");
    let games = ["--game", "tictactoe", "--depth", "9", "--games", "2", "--engine-b", &engine, "--name-b", "python"];
    let Match { records, table } = play("uci-only", &games);
    assert_eq!(records[0]["p2"]["dialect"], "uci");
    assert!(records.iter().all(|record| record["reason"] == "rules"), "{records:?}");
    assert!(table.lines().any(|line| line.starts_with("python ") && line.contains(" 0.0/2 ")), "{table}");
}

/// UCI_Variant makes griot speak of drops; the other griot is asked in coordinates. Perfect play is a draw.
#[test]
fn dialects_and_styles_play_together() {
    let games = ["--game", "tictactoe", "--depth", "9", "--games", "4", "--dialect-a", "ugi", "--dialect-b", "uci"];
    let Match { records, table } = play("styles", &games);
    assert!(records.iter().all(|record| record["result"] == "draw" && record["moves"].as_array().unwrap().len() == 9));
    assert!(table.contains("griot 0") && table.contains("2 of 1,"), "{table}");
}

/// Stones that fall, under both names of the game, and sides that pass.
#[test]
fn connect_four_and_othello_are_refereed_in_both_dialects() {
    for game in ["connect4", "cfour", "othello"] {
        let games = ["--game", game, "--depth", "2", "--games", "4", "--random-plies", "5"];
        let dialects = ["--dialect-a", "ugi", "--dialect-b", "uci"];
        let Match { records, .. } = play(&format!("refereed-{game}"), &[&games[..], &dialects].concat());
        assert_eq!(records.len(), 4, "{game}");
        assert!(records.iter().all(|record| record["reason"] == "rules"), "{game}: {records:?}");
    }
}

#[test]
fn a_clock_and_a_depth_are_kept_and_openings_differ() {
    let games = ["--game", "awale:mini", "--depth", "3", "--clock", "5000+50", "--games", "5", "--random-plies", "3"];
    let more = ["--seed", "9", "--concurrency", "2", "--option-b", "Selective=false"];
    let Match { records, .. } = play("clock", &[&games[..], &more].concat());
    assert_eq!(records.len(), 6, "an odd number of games is rounded up");
    let mut openings: Vec<String> =
        records.iter().map(|record| Value::from(&record["moves"].as_array().unwrap()[..3]).to_string()).collect();
    openings.sort();
    assert!(openings.chunks(2).all(|pair| pair[0] == pair[1]), "each is played twice: {openings:?}");
    openings.dedup();
    assert_eq!(openings.len(), 3);
    for record in &records {
        assert!(record["seed"] == 9 && record["limits"] == "depth 3 clock 5000+50", "{record}");
        assert!(record["reason"] == "rules" || record["reason"] == "repetition", "{record}");
        let moves = record["moves"].as_array().unwrap().len();
        assert_eq!(record["thoughts"].as_array().unwrap().len() + 3, moves);
        assert!(record["thoughts"].as_array().unwrap().iter().all(|thought| thought["score"].is_string()));
    }
}

#[test]
fn a_file_of_openings_is_played_and_a_long_game_is_unfinished() {
    let file = fresh_file("openings.txt");
    fs::write(&file, "startpos moves AaB # a comment\n4-4-4-4-4-4-4-4-4-4-4-4-0-0-N\n").unwrap();
    let games = ["--games", "4", "--nodes", "100", "--max-plies", "6", "--openings", file.to_str().unwrap()];
    let Match { records, .. } = play("openings", &games);
    assert!(records.iter().all(|record| record["reason"] == "unfinished" && record["result"] == "draw"));
    let boards: Vec<bool> = records.iter().map(|record| record["board"].is_null()).collect();
    assert_eq!(boards, [true, true, false, false]);
    fs::write(&file, "startpos\nstartpos moves z\n").unwrap();
    let output = run(&["--openings", file.to_str().unwrap()]);
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && told.contains("line 2: move 'z' is not legal"), "{told}");
    fs::remove_file(&file).unwrap();
}

#[test]
fn a_sequential_test_stops_the_match() {
    let games = ["--game", "nim:9", "--depth", "20", "--games", "2000", "--sprt", "50,100"];
    let Match { records, table } = play("sprt", &games);
    assert!(table.contains("SPRT 50 against 100: Elo 50 accepted"), "{table}");
    assert!(records.len() < 2000, "{}", records.len());
}

#[test]
fn a_record_that_was_changed_is_found_out() {
    let file = fresh_file("changed");
    let arguments = ["--game", "tictactoe", "--depth", "2", "--games", "2", "--records", file.to_str().unwrap()];
    support::stdout_of(run(&arguments));
    let records = fs::read_to_string(&file).unwrap();
    fs::write(&file, records.replacen("\"reason\":\"rules\"", "\"reason\":\"repetition\"", 1)).unwrap();
    let output = run(&["--replay", file.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8_lossy(&output.stdout), "2 records, 1 of them not true\n");
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("line 1: it ends with"));
    fs::remove_file(&file).unwrap();
}

#[test]
fn what_is_wrong_is_told_before_the_first_game() {
    for (arguments, told) in [
        (&["--game", "shogi"][..], "no game 'shogi'; there are awale"),
        (&["--engine-a", "'open"][..], "--engine-a: ''open': the quote ' is not closed"),
        (&["--engine-b", "/there/is/no/engine"][..], "engine B (/there/is/no/engine): '/there/is/no/engine' cannot"),
        (&["--openings", "/there/is/no/file"][..], "/there/is/no/file: "),
        (&["--random-plies", "100000"][..], "take fewer"),
        (&["--style-a", "drops"][..], "only m,n,k games have drops"),
        (&["--depth", "0"][..], "--depth"),
    ] {
        let output = run(arguments);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && said.contains(told), "{arguments:?}: {said}");
    }
}
