//! `griot puzzles`: one move and no other, the same for the same seed, and what is kept is kept. Other searches judge them again.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;

use griot::message::{GameResult, Setup, Text};
use griot::registry::Registry;
use griot::session::{Catalogue, Resources, Session, Settings};
use griot_testing::tactics::Prover;
use griot_testing::{picked, rounds};
use serde_json::Value;

use crate::support::{self, Folder};

fn griot(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_griot"));
    command.args(arguments).stdin(Stdio::null()).output().unwrap()
}

fn puzzles(arguments: &[&str]) -> Output {
    griot(&[&["puzzles"], arguments].concat())
}

/// What comes out of a run that ends well.
fn found(arguments: &[&str]) -> String {
    support::stdout_of(puzzles(arguments))
}

fn parsed(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))).collect()
}

fn text<'a>(puzzle: &'a Value, field: &str) -> &'a str {
    puzzle[field].as_str().unwrap_or_else(|| panic!("{field}: {puzzle}"))
}

/// The sign of what a position with this answer of `griot analyse` is worth to its side to move.
fn sign(answer: &Value) -> i64 {
    let score = &answer["score"];
    // A mate in 0 is a lost game.
    let mate = score["mate"].as_i64().map(|moves| if moves > 0 { 1 } else { -1 });
    mate.unwrap_or_else(|| score["cp"].as_i64().unwrap_or_else(|| panic!("{answer}")).signum())
}

/// Plays every move of the puzzles and searches what comes of it, each by itself; then the line as it is told. Puzzles that were
/// found with endgame tables are judged with some.
fn judge(puzzles: &[Value], more: &[&str]) {
    let folder = Folder::new("puzzles-judged");
    let mut more: Vec<String> = more.iter().map(|&word| word.to_owned()).collect();
    if text(&puzzles[0], "limits").contains("TablebasePath") {
        let tables = folder.join("tables").display().to_string();
        support::stdout_of(griot(&["tablebase", "build", "--seeds", TABLES, "--out", &tables]));
        more.extend(["--option".into(), format!("TablebasePath={tables}")]);
    }
    let mut positions = String::new();
    let mut asked = Vec::new();
    for (number, puzzle) in puzzles.iter().enumerate() {
        let (game, board) = (text(puzzle, "game"), text(puzzle, "board"));
        let legal = legal_moves(game, board);
        assert_eq!(legal.len() as u64, puzzle["legal"].as_u64().unwrap(), "{puzzle}");
        assert!(legal.len() > 1 && legal.iter().any(|mv| mv == text(puzzle, "move")), "{puzzle}");
        for mv in legal {
            positions += &format!("{game}|{board}|{mv}\n");
            asked.push((number, mv));
        }
        let line: Vec<&str> = puzzle["line"].as_array().unwrap().iter().map(|mv| mv.as_str().unwrap()).collect();
        assert_eq!(line[0], text(puzzle, "move"));
        positions += &format!("{game}|{board}|{}\n", line.join(" "));
        asked.push((number, String::new()));
    }
    let file = folder.join("positions.txt");
    fs::write(&file, positions).unwrap();
    let more: Vec<&str> = more.iter().map(String::as_str).collect();
    let output = griot(&[&["analyse", "--nodes", "3000000", file.to_str().unwrap()], &more[..]].concat());
    let answers = parsed(&support::stdout_of(output));
    assert_eq!(answers.len(), asked.len());
    for (answer, (number, mv)) in answers.iter().zip(asked) {
        let puzzle = &puzzles[number];
        assert_eq!(answer.get("error"), None, "{puzzle}: {answer}");
        if mv.is_empty() {
            continue;
        }
        // The answer is the opponent's point of view.
        let value = -sign(answer);
        let right = match (text(puzzle, "goal"), mv == text(puzzle, "move")) {
            ("win", true) => value > 0,
            ("win", false) => value <= 0,
            ("draw", true) => value == 0,
            ("draw", false) => value < 0,
            other => panic!("{other:?}"),
        };
        assert!(right, "{mv} is worth {value}: {puzzle}, {answer}");
    }
}

fn legal_moves(game: &str, board: &str) -> Vec<String> {
    opened(game, board).legal_moves()
}

fn opened(game: &str, board: &str) -> Box<dyn Session> {
    let resources = Resources::new(Settings { hash_mib: 1, ..Settings::default() }).unwrap();
    let mut session = Registry.open(game, resources).unwrap();
    let board = Some(Text { column: 1, text: board.into() });
    session.set_position(&Setup { board, ..Setup::default() }).unwrap();
    session
}

/// Seeds of the tables with which awalé's puzzles were found: `--option TablebasePath=tables`.
const TABLES: &str = "12";

const FEW: [&str; 6] = ["--game", "tictactoe", "--seed", "3", "--count", "4"];

/// What they find.
static FOUND: LazyLock<String> = LazyLock::new(|| found(&FEW));

#[test]
fn every_move_of_a_puzzle_is_worth_what_is_said_of_it() {
    let puzzles = parsed(&FOUND);
    assert_eq!(puzzles.len(), 4);
    judge(&puzzles, &["--option", "Selective=false"]);
    for puzzle in &puzzles {
        let fails = puzzle["fails"].as_array().unwrap();
        assert!(!fails.is_empty() && fails.len() as u64 == puzzle["grade"].as_u64().unwrap(), "{puzzle}");
        assert!(fails.iter().all(|level| (1..=20).contains(&level.as_u64().unwrap())));
        for proof in ["best", "others", "second"] {
            assert!(puzzle["proof"][proof]["nodes"].as_u64().unwrap() > 0, "{puzzle}");
        }
    }
}

#[test]
fn the_seed_decides_and_the_jobs_do_not() {
    assert_eq!(found(&[&FEW[..], &["--jobs", "2"]].concat()), *FOUND);
    let other = found(&["--game", "tictactoe", "--seed", "4", "--count", "1"]);
    assert!(!FOUND.starts_with(&other), "{other}");
}

#[test]
fn a_file_is_gone_on_with_wherever_it_breaks_off() {
    let whole = FOUND.as_str();
    let folder = Folder::new("puzzles-resumed");
    let path = folder.join("puzzles.jsonl");
    let with = |more: &[&'static str]| puzzles(&[&FEW[..], &["--out", path.to_str().unwrap()], more].concat());
    let ends: Vec<usize> = whole.match_indices('\n').map(|(at, _)| at + 1).collect();
    for length in picked([7, ends[1] - 1, ends[2] + 40, whole.len()], 2) {
        fs::write(&path, &whole[..length]).unwrap();
        support::stdout_of(with(&["--resume"]));
        assert_eq!(fs::read_to_string(&path).unwrap(), whole, "after {length} bytes");
    }
    // Without the word nothing is added, and what is something else is left as it is.
    let refused = |output: Output, says: &str| {
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && said.contains(says), "{said}");
    };
    refused(with(&[]), "--resume goes on with");
    for (text, says) in [
        ("Dear diary,\n".to_owned(), "expected a puzzle of griot puzzles"),
        (whole.replace("\"seed\":3", "\"seed\":5"), "others need another --out"),
        (whole.lines().rev().map(|line| format!("{line}\n")).collect(), "expected games in order"),
    ] {
        fs::write(&path, &text).unwrap();
        refused(with(&["--resume"]), says);
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
}

#[test]
fn what_is_not_found_is_said() {
    let output = puzzles(&["--game", "tictactoe", "--count", "1000", "--games", "30"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(2) && said.contains(" of 1000 puzzles found in 30 games"), "{said}");
    assert!(!output.stdout.is_empty());
    let output = puzzles(&["--resume"]);
    assert!(!output.status.success(), "--resume without --out");
}

#[test]
fn the_only_mate_in_so_many_is_found_at_chess() {
    let puzzles =
        parsed(&found(&["--game", "chess", "--within", "2", "--count", "1", "--seed", "1", "--nodes", "5000"]));
    let puzzle = &puzzles[0];
    assert_eq!((&puzzle["goal"], &puzzle["within"], &puzzle["moves"]), (&"win".into(), &2.into(), &2.into()));
    assert_eq!(puzzle["proof"]["others"]["result"], "later");
    judge_mates(&puzzles);
    // Short ones are left out where only long ones are asked for.
    let output = puzzles_of("chess", &["--within", "2", "--least", "3", "--games", "3", "--nodes", "5000"]);
    assert!(output.stdout.is_empty() && !output.status.success());
}

/// Plays every move of the puzzles of mates, searches what comes of it at full width as far as the mate is away, and holds the names
/// to those of the moves.
fn judge_mates(puzzles: &[Value]) {
    for puzzle in puzzles {
        let (game, board, only) = (text(puzzle, "game"), text(puzzle, "board"), text(puzzle, "move"));
        let within = puzzle["within"].as_i64().unwrap();
        let folder = Folder::new("puzzles-mates");
        let file = folder.join("positions.txt");
        let legal = legal_moves(game, board);
        assert_eq!(legal.len() as u64, puzzle["legal"].as_u64().unwrap(), "{puzzle}");
        fs::write(&file, legal.iter().map(|mv| format!("{game}|{board}|{mv}\n")).collect::<String>()).unwrap();
        let depth = (2 * within - 2).to_string();
        let options = ["--depth", &depth, "--option", "Selective=false"];
        let answers = griot(&[&["analyse", file.to_str().unwrap()], &options[..]].concat());
        for (answer, mv) in parsed(&support::stdout_of(answers)).iter().zip(&legal) {
            let mates = answer["score"]["mate"].as_i64().is_some_and(|moves| moves <= 0 && -moves < within);
            assert_eq!(mates, mv == only, "{mv}: {puzzle}: {answer}");
        }
        judge_line(puzzle);
    }
}

/// Plays the line, and holds the names to those of its moves.
fn judge_line(puzzle: &Value) {
    let line = puzzle["line"].as_array().unwrap();
    let line: Vec<&str> = line.iter().map(|mv| mv.as_str().unwrap()).collect();
    let session = opened(text(puzzle, "game"), text(puzzle, "board"));
    let names: Vec<String> =
        session.line(&line.join(" ")).into_iter().map(|stroke| stroke.name.unwrap_or(stroke.mv)).collect();
    assert!(
        line[0] == text(puzzle, "move") && names.len() == line.len() && puzzle["names"] == serde_json::json!(names),
        "{puzzle}"
    );
}

/// The puzzles that the page serves.
fn kept() -> Vec<(PathBuf, Vec<Value>)> {
    let folder = Path::new("crates/griot-board/puzzles");
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files.into_iter().map(|path| (path.clone(), parsed(&fs::read_to_string(&path).unwrap()))).collect()
}

/// Judges them by the signs of values, which say nothing of mates, or by the mates or the captures.
fn judge_any(puzzles: &[Value]) {
    match (text(&puzzles[0], "goal"), puzzles[0].get("within")) {
        ("gain", _) => judge_gains(puzzles),
        ("material", _) => judge_material(puzzles),
        (_, Some(_)) => judge_mates(puzzles),
        (_, None) => judge(puzzles, &[]),
    }
}

/// Proves that no other move wins material.
fn judge_material(puzzles: &[Value]) {
    let mut prover = Prover::default();
    for puzzle in puzzles {
        let tactic = prover.tactic(text(puzzle, "board"));
        assert_eq!(tactic.map(|tactic| tactic.mv).as_deref(), Some(text(puzzle, "move")), "{puzzle}");
        judge_line(puzzle);
    }
}

/// What a game that is over counts: more than all that can be captured.
const OVER: i32 = 100;

/// Plays all moves of both sides as far as the puzzles count, and compares what each side has then.
fn judge_gains(puzzles: &[Value]) {
    for puzzle in puzzles {
        let (game, board, only) = (text(puzzle, "game"), text(puzzle, "board"), text(puzzle, "move"));
        let number = |field: &str| puzzle[field].as_i64().unwrap_or_default() as i32;
        let mut session = opened(game, board);
        let legal = session.legal_moves();
        assert_eq!(legal.len() as i32, number("legal"), "{puzzle}");
        let before = counted(game, board);
        for mv in legal {
            let next = board_after(&mut *session, board, &mv);
            let gain = -lead(&mut *session, game, &next, 2 * number("within") - 1, -OVER, OVER) - before;
            let is_right = if mv == only { gain == number("gain") } else { gain <= number("gain") - number("ahead") };
            assert!(is_right, "{mv} gains {gain}: {puzzle}");
        }
        // The line comes to as much, after giving what is said.
        let line: Vec<&str> = puzzle["line"].as_array().unwrap().iter().map(|mv| mv.as_str().unwrap()).collect();
        let gains: Vec<i32> = (1..=line.len())
            .map(|plies| {
                let lead = counted(game, &board_after(&mut *session, board, &line[..plies].join(" ")));
                if plies % 2 == 0 { lead - before } else { -lead - before }
            })
            .collect();
        assert_eq!(gains.last(), Some(&number("gain")), "{puzzle}");
        if puzzle.get("given").is_some() {
            assert_eq!(gains.iter().min(), Some(&-number("given")), "{puzzle}");
        }
    }
}

/// By how much the side to move leads when so many plies, and the captures that must be played then, were played well.
fn lead(session: &mut dyn Session, game: &str, board: &str, plies: i32, mut low: i32, high: i32) -> i32 {
    set(session, board, "");
    let state = session.state().unwrap();
    match state.result {
        Some(GameResult::Draw) => return 0,
        Some(GameResult::Win(winner)) => return if winner == state.turn { OVER } else { -OVER },
        None => {}
    }
    let legal = session.legal_moves();
    if plies <= 0 && !legal.iter().any(|mv| mv.contains('x')) {
        return counted(game, board);
    }
    for mv in legal {
        let next = board_after(session, board, &mv);
        low = low.max(-lead(session, game, &next, plies - 1, -high, -low));
        if low >= high {
            break;
        }
    }
    low
}

fn set(session: &mut dyn Session, board: &str, moves: &str) {
    let text = |text: &str| Text { column: 1, text: text.into() };
    session.set_position(&Setup { board: Some(text(board)), moves: text(moves), ..Setup::default() }).unwrap();
}

fn board_after(session: &mut dyn Session, board: &str, mv: &str) -> String {
    set(session, board, mv);
    session.state().unwrap().board
}

/// What the side to move has more of. At awalé the board text ends in both stores and the side to move; at draughts it has the pieces of
/// White and of Black, and a king counts two men, or three where it flies.
fn counted(game: &str, board: &str) -> i32 {
    if game.starts_with("draughts") {
        let king = if game == "draughts:english" { 2 } else { 3 };
        let parts: Vec<&str> = board.split(':').collect();
        let [white, black] = [1, 2].map(|part: usize| {
            let squares = parts[part][1..].split(',').filter(|square| !square.is_empty());
            squares.map(|square| if square.starts_with('K') { king } else { 1 }).sum::<i32>()
        });
        return if parts[0] == "W" { white - black } else { black - white };
    }
    let fields: Vec<&str> = board.rsplit('-').collect();
    let [south, north] = [2, 1].map(|field: usize| fields[field].parse::<i32>().unwrap());
    if fields[0] == "S" { south - north } else { north - south }
}

#[test]
fn the_only_move_that_captures_most_is_found_at_awale() {
    let count = rounds(2, 1).to_string();
    let captures = ["--within", "2", "--gain", "3", "--count", &count, "--seed", "1", "--nodes", "5000"];
    let puzzles = parsed(&found(&[&["--game", "awale"], &captures[..]].concat()));
    for puzzle in &puzzles {
        assert_eq!((&puzzle["goal"], &puzzle["within"]), (&"gain".into(), &2.into()), "{puzzle}");
        assert!(puzzle["gain"].as_i64() >= Some(3) && puzzle["ahead"].as_i64() >= Some(3), "{puzzle}");
        assert_eq!(puzzle["proof"]["others"]["result"], "less");
    }
    judge_gains(&puzzles);
    // Where nothing is counted, that is said.
    let output = puzzles_of("chess", &captures);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(2) && said.contains("expected a game that counts captures"), "{said}");
}

#[test]
fn shots_are_found_at_draughts() {
    let shots = ["--within", "3", "--gain", "2", "--sacrifice", "1", "--count", "1", "--seed", "1", "--nodes", "5000"];
    let puzzles = parsed(&found(&[&["--game", "draughts:english"], &shots[..]].concat()));
    for puzzle in &puzzles {
        assert_eq!((&puzzle["goal"], &puzzle["within"]), (&"gain".into(), &3.into()), "{puzzle}");
        for (field, least) in [("gain", 2), ("ahead", 2), ("given", 1)] {
            assert!(puzzle[field].as_i64() >= Some(least), "{field}: {puzzle}");
        }
    }
    judge_gains(&puzzles);
    // Where the goal is to lose the pieces, nothing is captured for gain.
    let said = puzzles_of("draughts:losing", &shots);
    assert!(String::from_utf8_lossy(&said.stderr).contains("expected a game that counts captures"));
}

fn puzzles_of(game: &str, arguments: &[&str]) -> Output {
    puzzles(&[&["--game", game], arguments].concat())
}

#[test]
fn of_the_puzzles_of_the_page_those_with_the_shortest_proofs_are_judged_again() {
    for (path, mut puzzles) in kept() {
        assert!(fs::metadata(&path).unwrap().len() < 100_000, "{}", path.display());
        let boards: std::collections::HashSet<&str> = puzzles.iter().map(|puzzle| text(puzzle, "board")).collect();
        assert_eq!(boards.len(), puzzles.len(), "{}", path.display());
        puzzles.sort_by_key(|puzzle| puzzle["proof"]["second"]["nodes"].as_u64());
        puzzles.truncate(rounds(2, 1));
        judge_any(&puzzles);
    }
}

#[test]
#[ignore = "all of them: hours"]
fn all_the_puzzles_of_the_page_are_judged_again() {
    for (_, puzzles) in kept() {
        judge_any(&puzzles);
    }
}
