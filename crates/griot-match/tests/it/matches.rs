//! Matches, played by the program as a user would have them played, with good and with bad engines.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// A file of this test's own, which does not exist yet.
fn fresh_file(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("matches-{}-{name}", std::process::id()));
    let _ = fs::remove_file(&path);
    path
}

fn run(arguments: &[&str]) -> Output {
    // The engine that griot-match plays by default.
    griot_testing::workspace_program("griot");
    Command::new(env!("CARGO_BIN_EXE_griot-match")).args(arguments).output().unwrap()
}

/// A finished match: its table, and its records, which agree with the rules.
struct Match {
    table: String,
    records: Vec<Value>,
}

fn play(name: &str, arguments: &[&str]) -> Match {
    let path = fresh_file(name);
    let file = path.to_str().unwrap();
    let table = griot_testing::stdout_of(run(&[&["--records", file], arguments].concat()));
    let records = fs::read_to_string(&path).unwrap();
    assert!(records.ends_with('\n'));
    let records: Vec<Value> = records.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let replayed = griot_testing::stdout_of(run(&["--replay", file]));
    assert_eq!(replayed, format!("{} records, 0 of them wrong\n", records.len()));
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
fn loses_by(how: &str, [reason, told]: [&str; 2], games: usize, more: &[&str]) -> Vec<Value> {
    if !has_python() {
        return Vec::new();
    }
    let engine = bad_engine(how);
    // The good engine must not be late on a busy machine.
    let arguments = ["--game", "tictactoe", "--movetime", "50", "--margin", "1500"];
    let count = games.to_string();
    let arguments =
        [&arguments[..], &["--games", &count, "--engine", "name=good", "--engine", &engine, "name=bad"], more].concat();
    let name = how.split(' ').next().unwrap();
    let Match { table, records } = play(name, &arguments);
    assert_eq!(records.len(), games);
    for record in &records {
        let (fault, winner) = if record["p1"]["name"] == "bad" { ("p1", "p2win") } else { ("p2", "p1win") };
        assert_eq!([&record["reason"], &record["by"], &record["result"]], [reason, fault, winner], "{record}");
    }
    let row = table.lines().find(|line| line.starts_with("bad ")).unwrap();
    assert!(row.contains(&format!(" 0.0/{games} ")) && row.ends_with(&format!("  {told} {games}")), "{table}");
    records
}

#[test]
fn a_crash_is_lost_and_the_engine_starts_again() {
    loses_by("crash", ["crash", "by a crash"], 4, &["--concurrency", "2"]);
}

#[test]
fn an_engine_that_is_never_ready_is_no_engine() {
    let output = run(&["--engine", &bad_engine("unready")]);
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(!has_python() || told.contains("it ended, exit status: 0 while waiting for readyok"), "{told}");
}

#[test]
fn a_hang_is_lost_and_the_process_is_killed() {
    let pids = fresh_file("pids");
    let how = format!("hang '{}'", pids.to_str().unwrap());
    loses_by(&how, ["hang", "by silence"], 2, &["--hang", "500"]);
    for pid in fs::read_to_string(&pids).unwrap_or_default().lines() {
        assert!(!PathBuf::from(format!("/proc/{pid}")).exists(), "engine {pid} is left over");
    }
}

#[test]
fn a_late_move_is_lost_on_time() {
    for record in loses_by("late", ["time", "on time"], 4, &["dialect=ugi"]) {
        let detail = record["detail"].as_str().unwrap();
        let waited = !cfg!(target_os = "linux") || detail.contains("; its threads waited ");
        assert!(detail.contains(" ms for a move that had 50 ms") && waited, "{detail}");
    }
}

#[test]
fn an_illegal_move_is_lost() {
    loses_by("illegal", ["illegal", "by an illegal move"], 4, &["dialect=uci"]);
}

#[test]
fn no_move_in_a_running_game_is_lost() {
    loses_by("no-move", ["no-move", "by telling no move"], 2, &[]);
}

#[test]
fn a_bestmove_without_a_move_is_lost() {
    loses_by("garbage", ["garbage", "by a garbled answer"], 2, &[]);
}

#[test]
fn noise_is_no_answer() {
    loses_by("noise", ["hang", "by silence"], 2, &["--hang", "500"]);
}

#[test]
fn a_line_without_end_is_lost() {
    loses_by("flood", ["garbage", "by a garbled answer"], 2, &[]);
}

#[test]
fn an_engine_that_only_knows_uci_is_found_to_do_so() {
    if !has_python() {
        return;
    }
    let engine = bad_engine("uci-only");
    let games = ["--game", "tictactoe", "--depth", "9", "--games", "2", "--engine", &engine, "name=python"];
    let Match { records, table } = play("uci-only", &games);
    assert_eq!(records[0]["p2"]["dialect"], "uci");
    assert!(records.iter().all(|record| record["reason"] == "rules"), "{records:?}");
    assert!(table.lines().any(|line| line.starts_with("python ") && line.contains(" 0.0/2 ")), "{table}");
}

/// UCI_Variant makes griot speak of drops; the other griot is asked in coordinates. Perfect play is a draw.
#[test]
fn dialects_and_styles_play_together() {
    let games =
        ["--game", "tictactoe", "--depth", "9", "--games", "4", "--engine", "dialect=ugi", "--engine", "dialect=uci"];
    let Match { records, table } = play("styles", &games);
    assert!(records.iter().all(|record| record["result"] == "draw" && record["moves"].as_array().unwrap().len() == 9));
    assert!(table.contains("griot 0") && table.contains("2 of 1,"), "{table}");
}

/// Stones that fall, under both names of the game, and sides that pass.
#[test]
fn connect_four_and_othello_are_refereed_in_both_dialects() {
    for game in ["connect4", "cfour", "othello"] {
        let games = ["--game", game, "--depth", "2", "--games", "4", "--random-plies", "5"];
        let dialects = ["--engine", "dialect=ugi", "--engine", "dialect=uci"];
        let Match { records, .. } = play(&format!("refereed-{game}"), &[&games[..], &dialects].concat());
        assert_eq!(records.len(), 4, "{game}");
        assert!(records.iter().all(|record| record["reason"] == "rules"), "{game}: {records:?}");
    }
}

#[test]
fn a_clock_and_a_depth_are_kept_and_openings_differ() {
    let games = ["--game", "awale:mini", "--depth", "3", "--clock", "5000+50", "--games", "5", "--random-plies", "3"];
    let more = ["--seed", "9", "--concurrency", "2", "--engine", "name=plain", "option.Selective=false"];
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
    assert!(output.status.code() == Some(2) && told.contains("line 2, column 16, ply 1: 'z' is not legal"), "{told}");
    fs::remove_file(&file).unwrap();
}

/// An engine of points that speaks this.
fn point_engine(how: &str) -> String {
    format!("python3 '{}/tests/data/point_engine.py' {how}", env!("CARGO_MANIFEST_DIR"))
}

/// griot behind a program that keeps what is sent to it in a file.
#[cfg(unix)]
fn overheard(log: &Path, arguments: &str) -> String {
    let griot = griot_testing::workspace_program("griot").display().to_string();
    format!("sh -c 'tee \"{}\" | \"{griot}\" {arguments}'", log.display())
}

#[test]
fn engines_of_gtp_and_gomocup_are_found_out_and_played() {
    if !has_python() {
        return;
    }
    let (gtp, gomocup) = (point_engine("gtp"), point_engine("gomocup"));
    let engines = [
        "--engine",
        "dialect=gtp",
        "time=decimal",
        "name=g",
        "--engine",
        &gtp,
        "name=p",
        "--engine",
        &gomocup,
        "name=q",
    ];
    let match_of = ["--game", "mnk:6,6,5", "--movetime", "1000", "--games", "2", "--margin", "2000"];
    let Match { records, .. } = play("points", &[&match_of[..], &engines].concat());
    assert_eq!(records.len(), 6);
    assert!(records.iter().all(|record| record["reason"] == "rules"), "{records:?}");
    let dialects = |name: &str| {
        let of = records.iter().flat_map(|record| [&record["p1"], &record["p2"]]).find(|who| who["name"] == name);
        of.unwrap()["dialect"].clone()
    };
    assert_eq!([dialects("g"), dialects("p"), dialects("q")], ["gtp", "gtp", "gomocup"]);
    // Each against each. The one that thinks loses none; on a quick machine it proves that the game is drawn, and then any drawing
    // move does.
    for record in &records {
        let lost = ["p2win", "p1win"]
            .into_iter()
            .zip(["p1", "p2"])
            .any(|(result, player)| record["result"] == result && record[player]["name"] == "g");
        assert!(!lost, "{record}");
    }
}

#[test]
fn an_engine_of_nboard_is_told_the_whole_game_and_passes() {
    if !has_python() {
        return;
    }
    let engine = format!("python3 '{}/tests/data/nboard_engine.py'", env!("CARGO_MANIFEST_DIR"));
    let engine = ["--engine", "name=griot", "--engine", &engine, "dialect=nboard"];
    let match_of = ["--game", "othello", "--depth", "2", "--games", "12", "--random-plies", "8"];
    let Match { records, table } = play("nboard", &[&match_of[..], &engine].concat());
    assert!(records.iter().all(|record| record["reason"] == "rules"), "{records:?}");
    let passes = records.iter().filter(|record| record["moves"].as_array().unwrap().contains(&"0000".into()));
    assert!(passes.count() > 0, "no game had a pass");
    let row = table.lines().find(|line| line.starts_with("double of NBoard")).unwrap();
    assert!(row.contains("0/"), "its lines of play are checked: {table}");
    assert_eq!(records[0]["thoughts"][1]["score"], "cp -150");
    let output = run(&[&["--game", "othello", "--movetime", "50"][..], &engine].concat());
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("nboard has no word for a limit of movetime 50; give this engine depth=N"), "{said}");
}

/// The same engine behind two dialects plays the same game: at the same depth there is nothing else to choose by.
#[test]
fn griot_plays_alike_as_an_engine_of_nboard_and_of_ugi() {
    let engine = ["--engine", "name=ugi", "--engine", "dialect=nboard", "name=nboard"];
    let match_of = ["--game", "othello", "--depth", "2", "--games", "6", "--random-plies", "8"];
    let Match { records, table } = play("griot-nboard", &[&match_of[..], &engine].concat());
    assert!(records.iter().all(|record| record["reason"] == "rules"), "{records:?}");
    let moves = |record: &Value| record["moves"].clone();
    assert!(records.chunks(2).all(|pair| moves(&pair[0]) == moves(&pair[1])), "{table}");
    let row = table.lines().find(|line| line.starts_with("nboard")).unwrap();
    assert!(row.contains("0/"), "its lines of play are checked: {table}");
    // By the clock, which stands in the game.
    let clock = ["--game", "othello", "--clock", "2000+20", "--margin", "2000", "--games", "2", "--random-plies", "20"];
    let Match { records, .. } = play("griot-nboard-clock", &[&clock[..], &engine].concat());
    assert!(records.iter().all(|record| record["reason"] == "rules"), "{records:?}");
}

#[test]
fn griot_plays_alike_as_an_engine_of_hub_and_of_ugi() {
    let engine = ["--engine", "name=ugi", "--engine", "dialect=hub", "name=hub"];
    for game in ["draughts:english", "draughts:international", "draughts:russian"] {
        let match_of = ["--game", game, "--depth", "2", "--games", "4", "--random-plies", "6", "--max-plies", "120"];
        let Match { records, table } = play(&format!("griot-hub-{}", &game[9..]), &[&match_of[..], &engine].concat());
        let moves = |record: &Value| record["moves"].clone();
        assert!(records.chunks(2).all(|pair| moves(&pair[0]) == moves(&pair[1])), "{table}");
        let row = table.lines().find(|line| line.starts_with("hub")).unwrap();
        assert!(row.contains("0/"), "its lines of play are checked: {table}");
    }
    let timed =
        ["--game", "draughts:frisian", "--movetime", "20", "--margin", "2000", "--games", "2", "--max-plies", "20"];
    let Match { records, .. } = play("griot-hub-timed", &[&timed[..], &engine].concat());
    assert!(records.iter().all(|record| record["reason"] == "unfinished"), "{records:?}");
    let output = run(&[&["--game", "othello", "--depth", "1"][..], &engine].concat());
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("Hub is for draughts, not for othello"), "{said}");
}

#[test]
fn who_resigns_has_lost_and_a_bad_line_of_play_is_told() {
    if !has_python() {
        return;
    }
    let engine = point_engine("gtp resign");
    let games = ["--game", "tictactoe", "--movetime", "1000", "--margin", "2000", "--games", "2"];
    let Match { records, table } = play("resign", &[&games[..], &["--engine", &engine, "name=meek"]].concat());
    assert!(records.iter().all(|record| record["reason"] == "resignation"), "{records:?}");
    assert!(table.contains("by resigning 2"), "{table}");
    let engine = bad_engine("bad-pv");
    let games = ["--game", "tictactoe", "--depth", "2", "--games", "2", "--engine", &engine, "name=boaster"];
    let Match { table, .. } = play("bad-pv", &games);
    assert!(
        table.contains("boaster told ") && table.contains("lines of play that the rules refuse, the first 'z9 a1'"),
        "{table}"
    );
}

#[cfg(unix)]
#[test]
fn moves_and_times_are_told_as_an_engine_wants_them() {
    let log = fresh_file("overheard");
    let heard = |arguments: &str, words: &[&str], games: &[&str]| {
        let command = overheard(&log, arguments);
        let engine = [&["--engine", "name=other", "--engine", &command], words].concat();
        griot_testing::stdout_of(run(&[games, &["--games", "2", "--margin", "5000"], &engine].concat()));
        fs::read_to_string(&log).unwrap()
    };
    let awale = ["--depth", "2", "--random-plies", "3", "--max-plies", "8"];
    let text = heard("--game awale", &["dialect=uci", "moves=glued"], &awale);
    let is_glued = |line: &str| line.strip_prefix("position startpos moves ").is_none_or(|moves| !moves.contains(' '));
    assert!(text.contains(" moves ") && text.lines().all(is_glued), "{text}");
    // Each engine moves once in a game: what is given there is taken.
    let gtp = ["--game", "othello", "--random-plies", "4", "--max-plies", "6"];
    let text = heard("--dialect gtp --game othello", &["dialect=gtp", "movetime=2000"], &gtp);
    assert!(text.contains("\nboardsize 8\n") && text.contains("\ntime_settings 0 2 1\n"), "{text}");
    assert_eq!(text.matches("clear_board").count(), 2, "{text}");
    let text = heard("--dialect gtp --game othello", &["dialect=gtp", "clock=9000+0", "time=decimal"], &gtp);
    assert!(text.contains("\ntime_settings 9.000 0 0\n") && text.contains("\ntime_left w 9.000 0\n"), "{text}");
    let five = ["--game", "gomoku", "--random-plies", "4", "--max-plies", "9"];
    let text = heard("--dialect gomocup", &["dialect=gomocup", "movetime=100"], &five);
    assert!(text.contains("START 15\nINFO rule 1\n") && text.contains("INFO timeout_turn 100\n"), "{text}");
    assert!(text.contains("\nBOARD\n") && text.contains("\nDONE\n") && text.contains("\nTURN "), "{text}");
    fs::remove_file(&log).unwrap();
}

#[test]
fn what_a_dialect_cannot_say_is_told_before_the_first_game() {
    for (arguments, told) in [
        (&["--engine", "dialect=gtp", "--nodes", "100"][..], "gtp has no word for a limit of nodes 100"),
        (&["--engine", "dialect=gtp", "movetime=1500"][..], "GTP tells whole seconds, not movetime 1500"),
        (&["--engine", "dialect=gomocup"][..], "Gomocup is for five in a row, not for awale"),
        (&["--engine", "dialect=gtp", "--sprt", "0,5", "--engine", "a", "--engine", "b"][..], "two engines, not 3"),
        (&["--gauntlet", "2"][..], "expected less than 2 engines"),
        (&["--export", "x.sgf"][..], "x.sgf: SGF is for games of stones, not for awale"),
        (&["--export", "x.txt"][..], "x.txt: expected a name that ends with"),
    ] {
        let output = run(arguments);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && said.contains(told), "{arguments:?}: {said}");
    }
}

/// A game by its number, without what depends on the time.
fn timeless(text: &str) -> Vec<(u64, Value, Value)> {
    let record = |line: &str| -> Value { serde_json::from_str(line).unwrap() };
    let mut games: Vec<(u64, Value, Value)> = text
        .lines()
        .map(record)
        .map(|record| (record["round"].as_u64().unwrap(), record["moves"].clone(), record["result"].clone()))
        .collect();
    games.sort_by_key(|game| game.0);
    games
}

#[test]
fn a_match_that_is_killed_goes_on_where_it_was() {
    let [whole, killed, games] = ["whole", "killed", "killed.pgn"].map(fresh_file);
    let [whole, killed, games] = [&whole, &killed, &games].map(|path| path.to_str().unwrap());
    let match_of = ["--game", "othello", "--nodes", "3000", "--random-plies", "6", "--games", "24", "--records"];
    griot_testing::stdout_of(run(&[&match_of[..], &[whole]].concat()));
    let expected = timeless(&fs::read_to_string(whole).unwrap());
    let again = [&match_of[..], &[killed, "--resume", "--concurrency", "2", "--export", games]].concat();
    for games in [1, 5, 9] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_griot-match"))
            .args(&again)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        while fs::read_to_string(killed).unwrap_or_default().lines().count() < games {
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        // What a write that was cut short leaves.
        fs::OpenOptions::new().append(true).open(killed).unwrap().write_all(b"{\"game\":\"oth").unwrap();
    }
    let told = run(&[&match_of[..], &[killed]].concat());
    assert!(String::from_utf8_lossy(&told.stderr).contains("there are records in it already"), "{told:?}");
    let other = run(&[
        &["--game", "othello", "--nodes", "3000", "--random-plies", "7", "--games", "24", "--resume"][..],
        &["--records", killed],
    ]
    .concat());
    assert!(
        String::from_utf8_lossy(&other.stderr).contains("record 1: not of this match: it has another opening"),
        "{other:?}"
    );
    let table = griot_testing::stdout_of(run(&again));
    assert_eq!(timeless(&fs::read_to_string(killed).unwrap()), expected);
    assert!(table.contains("/24"), "{table}");
    let exported = fs::read_to_string(games).unwrap();
    assert_eq!(exported.matches("[Event \"griot-match\"]").count(), 24);
    // A match that is over is over.
    griot_testing::stdout_of(run(&again));
    assert_eq!(timeless(&fs::read_to_string(killed).unwrap()), expected);
    for file in [whole, killed, games] {
        fs::remove_file(file).unwrap();
    }
}

/// As PowerShell's `>` and Windows' editors leave a file of records.
#[test]
fn records_with_other_line_ends_are_continued_and_utf16_is_read_but_not_continued() {
    let path = fresh_file("encoded");
    let file = path.to_str().unwrap();
    let match_of = ["--game", "tictactoe", "--depth", "2", "--games", "2", "--records", file];
    griot_testing::stdout_of(run(&match_of));
    let crlf = fs::read_to_string(&path).unwrap().replace('\n', "\r\n");
    let again = [&match_of[..], &["--resume"]].concat();
    let mark = [&b"\xEF\xBB\xBF"[..], crlf.as_bytes()].concat();
    for bytes in [crlf.as_bytes(), &mark] {
        fs::write(&path, bytes).unwrap();
        assert!(griot_testing::stdout_of(run(&again)).contains("/2"));
        assert_eq!(griot_testing::stdout_of(run(&["--replay", file])), "2 records, 0 of them wrong\n");
        assert_eq!(fs::read(&path).unwrap(), bytes);
    }
    let utf16: Vec<u8> = [0xFEFF].into_iter().chain(crlf.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    fs::write(&path, &utf16).unwrap();
    let told = run(&again);
    let errors = String::from_utf8_lossy(&told.stderr);
    assert!(
        told.status.code() == Some(2) && errors.contains("expected UTF-8, found UTF-16; it is left as it is"),
        "{errors}"
    );
    assert_eq!(griot_testing::stdout_of(run(&["--replay", file])), "2 records, 0 of them wrong\n");
    assert_eq!(fs::read(&path).unwrap(), utf16);
    fs::remove_file(&path).unwrap();
}

#[test]
fn games_are_exported_and_read_again_as_openings_and_the_page_tells_the_standing() {
    for (game, ending) in
        [("awale", "ogn"), ("othello", "ggf"), ("mnk:7,7,5", "sgf"), ("connect4", "pgn"), ("chess", "pgn")]
    {
        let kind = game.split(':').next().unwrap();
        let [file, page] = [format!("{kind}.{ending}"), format!("{kind}.html")].map(|name| fresh_file(&name));
        let [file, page] = [&file, &page].map(|path| path.to_str().unwrap());
        let match_of = ["--game", game, "--depth", "2", "--games", "4", "--random-plies", "4", "--export", file];
        let Match { records, .. } = play(&format!("export-{kind}"), &[&match_of[..], &["--page", page]].concat());
        let html = fs::read_to_string(page).unwrap();
        assert!(
            html.contains("4 of 4 games, the end") && html.contains("<td>griot") && !html.contains("refresh"),
            "{html}"
        );
        let again = ["--game", game, "--depth", "1", "--games", "8", "--openings", file, "--opening-plies", "4"];
        let again = play(&format!("again-{kind}"), &again);
        let openings = |records: &[Value]| {
            let openings = records.iter().map(|record| record["moves"].as_array().unwrap()[..4].to_vec());
            openings.collect::<Vec<_>>()
        };
        // Every opening was played twice, and each of these games twice again.
        let mut expected: Vec<_> = openings(&records).into_iter().flat_map(|moves| [moves.clone(), moves]).collect();
        let mut found = openings(&again.records);
        expected.sort_by_key(|moves| Value::from(moves.clone()).to_string());
        found.sort_by_key(|moves| Value::from(moves.clone()).to_string());
        assert_eq!(found, expected, "{game}");
        fs::remove_file(file).unwrap();
        fs::remove_file(page).unwrap();
    }
}

#[test]
fn a_sequential_test_stops_the_match() {
    let games = ["--game", "nim:9", "--depth", "20", "--games", "2000", "--sprt", "50,100"];
    let Match { records, table } = play("sprt", &games);
    assert!(table.contains("SPRT 50 against 100: Elo 50 accepted"), "{table}");
    assert!(records.len() < 2000, "{}", records.len());
}

/// The words of a tuning whose games are short, and say little: what is asked for, played and kept is the same.
const TUNING: [&str; 13] = [
    "--game",
    "tictactoe",
    "--nodes",
    "50",
    "--random-plies",
    "2",
    "--tune",
    "lmr=100,50,200,20",
    "--tune",
    "futility=100,50,200,10",
    "--engine",
    "option.SearchParameters=lmr={lmr},futility={futility}",
    "--games",
];

#[test]
fn a_tuning_tries_numbers_on_both_sides_and_goes_on_where_it_was() {
    let rounds = |path: &Path| -> Vec<Value> {
        fs::read_to_string(path).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let path = fresh_file("tuning");
    let file = path.to_str().unwrap();
    let all = [&TUNING[..], &["12", "--records", file]].concat();
    let told = griot_testing::stdout_of(run(&all));
    let whole = rounds(&path);
    assert_eq!(whole.len(), 6);
    let mut before = [100.0, 100.0];
    for (round, number) in whole.iter().zip(1..) {
        assert_eq!((&round["round"], &round["of"]), (&Value::from(number), &Value::from(6)));
        let moved = round["result"].as_i64().expect("nothing went wrong") != 0;
        for at in 0..2 {
            let [one, other] = [0, 1].map(|side| round["tried"][side][at].as_f64().unwrap());
            assert!((one + other - 2.0 * before[at]).abs() <= 1.0 && (one - other).abs() >= 20.0, "{round}");
            let value = round["values"][at].as_f64().unwrap();
            assert_eq!(value != before[at], moved, "{round}");
            before[at] = value;
        }
    }
    assert!(
        told.lines().any(|line| line.starts_with("futility") && line.contains(&format!("{:.1}", before[1]))),
        "{told}"
    );

    // Killed after three rounds, in the middle of the line of the fourth.
    let kept: String = whole.iter().take(3).map(|round| format!("{round}\n")).collect();
    fs::write(&path, kept + "{\"round\":4,").unwrap();
    let refused = run(&all);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("--resume"));
    let resumed = griot_testing::stdout_of(run(&[&all[..], &["--resume"]].concat()));
    assert_eq!((rounds(&path), resumed), (whole, told), "the seed and the nodes decide");
    let other = run(&[&TUNING[..], &["10", "--records", file, "--resume"]].concat());
    let told = String::from_utf8_lossy(&other.stderr).into_owned();
    assert!(
        told.contains("expected 5 rounds of tictactoe, lmr, futility, with the seed 1, found 6 of tictactoe"),
        "{told}"
    );
    fs::remove_file(&path).unwrap();
}

#[test]
fn what_cannot_be_tuned_is_told_before_the_first_game() {
    for (words, said) in [
        (&["--tune", "lmr=100,50,200,20"][..], "expected one --engine, which plays itself, found 0"),
        (&["--tune", "lmr=100,50,200,20", "--engine", "name=a"], "no word of the engine has '{lmr}' where lmr belongs"),
        (
            &["--tune", "a=100,50,200,20", "--engine", "option.SearchParameters=a={a}"],
            "option SearchParameters: expected NAME=PERCENT",
        ),
        (&["--tune", "lmr=100"], "such as lmr=100,50,200,10"),
    ] {
        let output = run(&[&["--game", "tictactoe", "--games", "2"], words].concat());
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && told.contains(said), "{words:?}: {told}");
    }
}

#[test]
fn a_record_that_was_changed_is_found_out() {
    let file = fresh_file("changed");
    let arguments = ["--game", "tictactoe", "--depth", "2", "--games", "2", "--records", file.to_str().unwrap()];
    griot_testing::stdout_of(run(&arguments));
    let records = fs::read_to_string(&file).unwrap();
    fs::write(&file, records.replacen("\"reason\":\"rules\"", "\"reason\":\"repetition\"", 1)).unwrap();
    let output = run(&["--replay", file.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8_lossy(&output.stdout), "2 records, 1 of them wrong\n");
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("line 1: it ends with"));
    fs::remove_file(&file).unwrap();
}

#[test]
fn what_is_wrong_is_told_before_the_first_game() {
    for (arguments, told) in [
        (&["--game", "shogi"][..], "no game 'shogi'; there are awale"),
        (&["--engine", "\"open"][..], "engine 2: '\"open': the quote \" is not closed"),
        (&["--engine", "/there/is/no/engine"][..], "engine 2 (/there/is/no/engine): '/there/is/no/engine' cannot"),
        (&["--openings", "/there/is/no/file"][..], "/there/is/no/file: "),
        (&["--random-plies", "100000"][..], "take fewer"),
        (&["--engine", "style=drops"][..], "engine 2: 'style=drops': awale has no drops"),
        (&["--depth", "0"][..], "--depth"),
    ] {
        let output = run(arguments);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && said.contains(told), "{arguments:?}: {said}");
    }
}

/// The program of that name, where it is installed; Debian puts games beside the path of most users.
fn installed(name: &str) -> Option<String> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain([PathBuf::from("/usr/games")]);
    let found = folders.map(|folder| folder.join(name)).find(|file| file.is_file());
    if found.is_none() {
        println!("skipped: there is no {name}");
    }
    found.map(|file| file.display().to_string())
}

/// Other people's programs by their presets: both referees agree to the end, and every line of play of either is legal.
#[test]
fn real_programs_play_to_the_end() {
    for (program, arguments, game) in
        [("gtp-rhino", " -l 1", "othello"), ("stockfish", "", "chess"), ("fairy-stockfish", "", "chess")]
    {
        let Some(file) = installed(program) else { continue };
        let engine = format!("'{file}'{arguments}");
        let match_of = ["--game", game, "--nodes", "1000", "--games", "2", "--random-plies", "6", "--margin", "60000"];
        let Match { records, table } =
            play(program, &[&match_of[..], &["--engine", "name=griot", "--engine", &engine]].concat());
        assert_eq!(records.len(), 2, "{table}");
        let is_over = |record: &Value| ["rules", "repetition"].contains(&record["reason"].as_str().unwrap());
        assert!(records.iter().all(|record| is_over(record) && record["by"].is_null()), "{records:?}");
        let row = table.lines().find(|line| line.starts_with("griot ")).unwrap();
        assert!(row.contains(" 0/"), "{table}");
    }
}

#[test]
fn games_of_other_programs_are_replayed_and_exported() {
    let (from, to) = (fresh_file("others.pgn"), fresh_file("others.ggf"));
    fs::write(&from, "[Variant \"othello\"]\n\n1. f5 d6 *\n\n[Variant \"othello\"]\n\n1. f5 f5 *\n").unwrap();
    let arguments = ["--replay", from.to_str().unwrap(), "--export", to.to_str().unwrap()];
    let output = run(&arguments);
    let (said, told) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!((output.status.code(), said.as_ref()), (Some(1), "2 records, 1 of them wrong\n"), "{told}");
    assert!(told.contains("game 2, line 7, column 7, ply 2: 'f5' is not legal"), "{told}");
    assert!(fs::read_to_string(&to).unwrap().ends_with(" *]B[F5]W[D6];)\n"));
    for file in [from, to] {
        fs::remove_file(file).unwrap();
    }
}
