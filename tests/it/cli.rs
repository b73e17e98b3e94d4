//! The command line: what the program and its subcommands print, where, and how they end.

use std::io::{Read, Write};
use std::process::{Command, Stdio};

use griot::registry::names;

use crate::support::{self, Talk};

/// What a run of the program came to.
struct Run {
    code: Option<i32>,
    out: String,
    err: String,
}

fn griot(arguments: &[&str]) -> Run {
    griot_with(arguments, "")
}

fn griot_with(arguments: &[&str], input: &str) -> Run {
    let mut child = Command::new(env!("CARGO_BIN_EXE_griot"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that refuses its arguments does not read; that is not what is tested here.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Run { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

/// Runs what must end well and without a word on stderr.
fn good(arguments: &[&str]) -> String {
    let run = griot(arguments);
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{arguments:?}");
    run.out
}

/// The node count of a line such as `nodes 5219 in 1 ms, 5.2 M/s`.
fn nodes(text: &str) -> u64 {
    support::word(text.lines().last().unwrap(), "nodes").unwrap().parse().unwrap()
}

#[test]
fn help_tells_of_every_option_that_the_greeting_lists() {
    let help = good(&["help", "options"]);
    assert!(good(&["options"]).lines().all(|line| help.contains(line)));
    let mut talk = Talk::in_memory();
    talk.send("ugi");
    let said = talk.until("ugiok");
    let names: Vec<&str> =
        said.iter().filter_map(|line| Some(line.strip_prefix("option name ")?.split_once(" type ")?.0)).collect();
    assert!(names.len() >= 20, "{names:?}");
    for name in names {
        let told = help.lines().find_map(|line| line.strip_prefix(&format!("  {name}: ")));
        assert!(told.is_some_and(|told| told.len() > 20), "{name}: {help}");
    }
    assert!(help.contains(
        "  Hash: size of the transposition table in MiB; a new size empties it (1 to 1048576; 16 if not set)"
    ));
}

#[test]
fn help_names_the_subcommands_and_the_games() {
    let help = good(&["--help"]);
    for part in [
        "perft",
        "bench",
        "compare",
        "tablebase",
        "analyse",
        "explore",
        "tree",
        "play",
        "completions",
        "man",
        "griot-match",
        "griot help options",
        "--game",
        "--dialect",
        "--option",
        "--log-level",
        "awale",
        "mnk:COLS,ROWS,K",
        "connect4:COLS,ROWS,K",
        "othello",
        "nim",
    ] {
        assert!(help.contains(part), "{part}: {help}");
    }
    for command in
        ["perft", "bench", "compare", "tablebase", "analyse", "explore", "tree", "play", "completions", "man"]
    {
        assert!(good(&[command, "--help"]).contains("Usage: griot"), "{command}");
    }
}

#[test]
fn games_are_listed_a_line_each_from_the_list_there_is() {
    let listed = good(&["games"]);
    let forms: Vec<&str> = listed.lines().map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!(forms, names().map(|name| name.form).collect::<Vec<_>>());
    assert!(listed.contains("connect4:COLS,ROWS,K   Connect Four: up to 64 bits\n"), "{listed}");
    assert!(!listed.contains('`'), "{listed}");
}

/// What people type who expect another program.
#[test]
fn a_word_of_another_program_is_told_the_command_that_was_meant() {
    for (typed, hint) in [
        ("play", "'position startpos moves …' plays moves"),
        ("play b2", "'griot play'"),
        ("moves", "'query legalmoves' lists the moves"),
        ("score", "'go movetime 1000' values the position"),
        ("b2", "'position startpos moves … b2' plays a move"),
        ("positon startpos", "did you mean 'position'?"),
    ] {
        let run = griot_with(&["--game", "tictactoe"], &format!("{typed}\nquery fen\n"));
        let lines: Vec<&str> = run.out.lines().collect();
        assert_eq!((lines.len(), lines[1], run.err.as_str()), (2, "response 3/3/3 x", ""), "{typed}: {}", run.out);
        let word = typed.split(' ').next().unwrap();
        assert!(lines[0].starts_with(&format!("info string error: column 1: unknown command '{word}'; ")), "{lines:?}");
        assert!(lines[0].contains(hint) && lines[0].ends_with("'help' lists the commands"), "{lines:?}");
    }
    // With all that GTP wants, it is GTP.
    assert_eq!(griot_with(&["--game", "tictactoe"], "play b B2\nquit\n").out, "= \n\n= \n\n");
}

#[test]
fn d_draws_the_board_as_query_board_does() {
    let said = |line: &str| griot_with(&["--game", "tictactoe"], &format!("position startpos moves b2\n{line}\n")).out;
    assert_eq!(said("d"), said("query board"));
    assert!(said("d").starts_with("info string  3 . . .\n"), "{}", said("d"));
    assert_eq!(griot_with(&[], "position nowhere\nd\n").out.lines().last(), Some("response unknown"));
}

/// A greeting would be a line too many for a program at the other end.
#[test]
fn nobody_is_greeted_over_a_pipe() {
    let run = griot_with(&[], "isready\nquit\n");
    assert_eq!((run.out.as_str(), run.err.as_str()), ("readyok\n", ""));
}

/// A person at a terminal is told in one line what griot waits for, and the conversation is what it is over a pipe.
#[cfg(target_os = "linux")]
#[test]
fn a_person_at_a_terminal_is_greeted_in_one_line() {
    let Some(mut screen) = support::Terminal::start(&["--game", "tictactoe"], &[]) else { return };
    let greeting = screen.until("\n");
    assert!(greeting.starts_with("griot waits for commands of UGI or UCI: help lists them"), "{greeting:?}");
    assert!(greeting.contains("griot play"), "{greeting:?}");
    screen.press("d\n");
    assert_eq!(screen.until("x to move").matches("info string").count(), 5);
    screen.press("quit\n");
    screen.rest();
}

#[test]
fn the_command_line_or_the_first_word_chooses_the_dialect() {
    let said = |arguments: &[&str], input| {
        let run = griot_with(arguments, input);
        assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{arguments:?} {input:?}");
        run.out
    };
    for (arguments, input, starts) in [
        (&["--dialect", "gtp"][..], "quit\n", "= \n\n"),
        (&["--dialect", "GTP", "--game", "othello"], "gogui-rules_game_id\n", "= Othello\n\n"),
        (&["--dialect", "gomocup"], "start 15\n", "OK\n"),
        (&["--dialect", "uci"], "go depth 1\n", "info depth 1 "),
        (&["--dialect", "ugi"], "name\n", "info string error: column 1: unknown command 'name'"),
        (&[], "\r\n# remark\n7 name\n", "=7 griot\n\n"),
        (&[], "list_commands\r\n", "= boardsize\nclear_board\n"),
        (&[], "START 20\r\n", "OK\n"),
        (&[], "INFO rule 1\nABOUT\n", "name=\"griot\""),
        (&[], "query gameover\nname\n", "response false\ninfo string error: column 1: unknown command 'name'"),
        (&[], "xboard\nSTART 15\n", "info string error: column 1: unknown command 'xboard'"),
        (&[], "quit\n", ""),
    ] {
        let out = said(arguments, input);
        assert!(out.starts_with(starts), "{arguments:?} {input:?}: {out:?}");
    }
    let refused = griot(&["--dialect", "xboard"]);
    assert_eq!(refused.code, Some(2));
    assert!(refused.err.contains("expected one of ugi, uci, gtp, gomocup"), "{}", refused.err);
}

#[test]
fn the_version_is_that_of_the_package_and_of_the_greeting() {
    let version = concat!("griot ", env!("CARGO_PKG_VERSION"));
    assert_eq!(good(&["--version"]).trim_end(), version);
    let mut talk = Talk::process(&[]);
    assert_eq!(talk.ask("ugi"), format!("id name {version}"));
}

#[test]
fn the_game_can_be_chosen_before_the_first_command() {
    for (game, board) in [
        ("nim:7", "7 1"),
        ("NIM:7", "7 1"),
        ("tictactoe", "3/3/3 x"),
        ("mnk:4,3,3", "4/4/4 x"),
        ("awale:mini", "2-2-2-2-2-2-0-0-S"),
    ] {
        let mut talk = Talk::process(&["--game", game]);
        assert_eq!(talk.ask("query fen"), format!("response {board}"), "{game}");
        assert_eq!(talk.exit_status().code(), Some(0));
    }
}

#[test]
fn options_can_be_set_before_the_first_command_and_the_last_one_counts() {
    let arguments = ["--option", "hash=32", "--option", "Hash = 8", "--option", "Move Overhead=0"];
    assert_eq!(griot_with(&arguments, "isready\n").out, "readyok\n");
    // Blanks of a name may be left out, as what shells offer does.
    assert_eq!(griot_with(&["--option", "SkillLevel=5", "--option", "clearhash="], "isready\n").out, "readyok\n");
    assert!(griot(&["--option", "SkillLevel=21"]).err.contains("option Skill Level: expected a whole number"));
    let run = griot_with(&["--option", "Game=nim:7", "--option", "Clear Hash="], "query fen\n");
    assert_eq!((run.code, run.out.as_str()), (Some(0), "response 7 1\n"));
    let run = griot_with(&["--option", "UCI_Variant=tictactoe"], "query legalmoves\n");
    assert!(run.out.starts_with("response P@a1 "), "{}", run.out);
}

#[test]
fn a_wrong_command_line_ends_with_2_and_stderr_names_what_would_be_right() {
    for (arguments, says) in [
        (&["--game", "shogi"][..], "no game 'shogi'; there are awale | "),
        (&["--game", "mnk:3,3,4"], "game 'mnk:3,3,4': "),
        (&["--game", "awale:oware"], "expected abapa, awari, tipe or mini, found 'oware'"),
        (&["--game", "shogi", "--log-level", "off"], "no game 'shogi'"),
        (&["--option", "Hsh=3"], "no option 'Hsh'; did you mean 'Hash'? There are Game, "),
        (&["--option", "Colour=3"], "no option 'Colour'; there are Game, "),
        (&["--game", "puissance4"], "no game 'puissance4'; did you mean 'connect4'? There are awale | "),
        (
            &["awale"],
            "'awale' is no subcommand, but a game: 'griot play awale' plays it here, 'griot --game awale' waits",
        ),
        (&["nim:3-4-5", "--depth", "3"], "'griot play nim:3-4-5'"),
        (&["reversi"], "another word for the game othello: 'griot play othello'"),
        (&["echecs"], "'griot play chess'"),
        (&["play", "othello", "--game", "awale"], "cannot be used with"),
        (&["--option", "Hash=lots"], "option Hash: expected a whole number from 1 to 1048576, found 'lots'"),
        (&["--option", "Hash"], "expected NAME=VALUE, found 'Hash'"),
        (&["--option", "=3"], "expected NAME=VALUE, found '=3'"),
        (&["--log-level", "loud"], "--log-level"),
        (&["--colour"], "--colour"),
        (&["frobnicate"], "frobnicate"),
        (&["perft"], "Usage: griot perft"),
        (&["perft", "shogi", "3"], "no game 'shogi'; there are awale | "),
        (&["perft", "awale"], "<DEPTH>"),
        (&["perft", "awale", "deep"], "invalid value 'deep' for '<DEPTH>': expected a whole number from 0 to 250"),
        (&["perft", "awale", "251"], "expected a whole number from 0 to 250"),
        (&["perft", "awale", "2", "--fen", "1-2"], "column 4: house C: expected"),
        (&["perft", "tictactoe", "2", "--fen", "3/3 x"], "expected 3 rows, found 2"),
        (&["compare", "--depth", "0"], "expected a whole number from 1 to 4294967295"),
        (&["compare", "--game", "shogi"], "no game 'shogi'"),
        (&["bench", "--depth", "0"], "expected a whole number from 1 to 4294967295"),
    ] {
        let run = griot(arguments);
        assert_eq!(run.code, Some(2), "{arguments:?}: {}", run.err);
        assert!(run.err.contains(says), "{arguments:?}: '{says}' is not in '{}'", run.err);
        assert!(!run.err.contains("panicked"), "{arguments:?}: {}", run.err);
        assert!(!run.out.contains(says), "{arguments:?}: {}", run.out);
    }
}

#[test]
fn perft_counts_the_lines_of_play() {
    assert_eq!(nodes(&good(&["perft", "awale", "5"])), 5219);
    assert_eq!(nodes(&good(&["perft", "5"])), 5219);
    for arguments in [&["perft", "--game", "tictactoe", "4"][..], &["--game", "tictactoe", "perft", "4"]] {
        assert_eq!(nodes(&good(arguments)), 9 * 8 * 7 * 6);
    }
    assert_eq!(nodes(&good(&["perft", "tictactoe", "4"])), 9 * 8 * 7 * 6);
    assert_eq!(nodes(&good(&["perft", "awale", "0"])), 1);
    // Lines that end earlier do not count: the last match is taken, a1 makes three in a row.
    assert_eq!(nodes(&good(&["perft", "nim", "9", "--fen", "1 2"])), 0);
    assert_eq!(nodes(&good(&["perft", "nim", "1", "--fen", "1 2"])), 1);
    assert_eq!(nodes(&good(&["perft", "tictactoe", "2", "--fen", "xo1/xo1/3 x"])), 4 * 4);
}

#[test]
fn perft_divides_the_count_among_the_first_moves() {
    let text = good(&["perft", "awale", "3", "--divide"]);
    let moves: Vec<(&str, u64)> = text
        .lines()
        .filter_map(|line| line.split_once(' '))
        .filter(|(mv, _)| mv.len() == 1)
        .map(|(mv, count)| (mv, count.parse().unwrap()))
        .collect();
    assert_eq!(moves.iter().map(|(mv, _)| *mv).collect::<String>(), "ABCDEF");
    assert_eq!(moves.iter().map(|(_, count)| count).sum::<u64>(), nodes(&text));
    assert_eq!(nodes(&text), nodes(&good(&["perft", "awale", "3"])));
}

#[test]
fn compare_shows_what_each_algorithm_visits() {
    let text = good(&["compare", "--game", "tictactoe", "--depth", "9"]);
    let row =
        |algorithm: &str| text.lines().find(|line| line.starts_with(algorithm)).unwrap_or_else(|| panic!("{text}"));
    assert!(row("minimax").split_whitespace().any(|word| word == "549946"), "{text}");
    assert!(row("negamax").split_whitespace().any(|word| word == "549946"), "{text}");
    for algorithm in ["minimax", "negamax", "negabeta", "alphabeta"] {
        assert_eq!(row(algorithm).split_whitespace().nth(1), Some("+0.00"), "{text}");
    }
}

#[test]
fn bench_ends_with_its_signature_which_is_always_the_same() {
    let last = || good(&["bench", "--depth", "2"]).lines().last().unwrap().to_owned();
    let signature = last();
    let words: Vec<&str> = signature.split(' ').collect();
    assert_eq!((words.len(), words[0]), (3, "Bench:"), "{signature}");
    assert!(words[1].parse::<u64>().unwrap() > 0, "{signature}");
    assert!(words[2].len() == 16 && words[2].bytes().all(|b| b.is_ascii_hexdigit()), "{signature}");
    assert_eq!(last(), signature);
}

#[test]
fn an_output_that_is_closed_is_a_quiet_end_of_every_subcommand() {
    for arguments in [
        &["perft", "awale", "6", "--divide"][..],
        &["bench", "--depth", "2"],
        &["compare", "--depth", "3"],
        &["tree", "--game", "nim:7"],
        &["play", "--game", "nim:7"],
        &["completions", "zsh"],
        &["man"],
        &["--help"],
        &["--version"],
        &["perft", "--help"],
    ] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_griot"))
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let mut err = String::new();
        child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
        assert_eq!((child.wait().unwrap().code(), err.as_str()), (Some(0), ""), "{arguments:?}");
    }
}

#[test]
fn logs_go_to_stderr_and_only_when_asked_for() {
    let input = "isready\nnonsense\ngo depth 1\n";
    let quiet = griot_with(&[], input);
    assert_eq!(quiet.err, "");
    let loud = griot_with(&["--log-level", "debug"], input);
    assert!(loud.err.contains("> isready") && loud.err.contains("< readyok"), "{}", loud.err);
    assert!(loud.out.starts_with("readyok\n"), "{}", loud.out);
    assert!(!loud.out.contains("DEBUG"), "{}", loud.out);
    assert_eq!(loud.out.lines().count(), quiet.out.lines().count());
}
