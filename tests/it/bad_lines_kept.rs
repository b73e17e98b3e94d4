//! LAW 6 for the dialects whose engine keeps the game, GTP and Gomocup: what must not be accepted, and what is said to it.
//!
//! Every line has exactly one answer, a failure that says what would have been right. Nothing changes, and the engine lives.

use crate::support::Talk;

/// No answer may be longer, in characters.
const LONGEST_ANSWER: usize = 700;
const MIB: usize = 1 << 20;

/// Lines that no dialect has a word for, as bytes.
fn garbage() -> Vec<Vec<u8>> {
    let mut lines: Vec<Vec<u8>> = [
        "frobnicate",
        "ugi",
        "uci",
        "isready",
        "position startpos",
        "go depth 3",
        "setoption name Hash value 1",
        "xboard",
        "-",
        "'",
        "$(reboot)",
        "%s%n",
        "<empty>",
        "\0",
        "\u{1b}[2J",
        "\u{feff}name",
        "\u{202e}",
        "é",
        "🦀",
        "ｎａｍｅ",
        "info string",
    ]
    .map(|line| line.as_bytes().to_vec())
    .into();
    lines.push("a".repeat(MIB).into_bytes());
    lines.push("\u{1b}[31m".repeat(1000).into_bytes());
    lines.push("x ".repeat(MIB).into_bytes());
    lines.push(b"\xff".to_vec());
    lines.push(b"na\xc3".to_vec());
    lines.push(b"\xed\xa0\x80".to_vec());
    lines
}

fn check_text(line: &[u8], said: &str) {
    let shown: String = String::from_utf8_lossy(line).chars().take(60).collect();
    assert!(!said.contains(char::is_control), "{shown:?}: {said:?}");
    assert!(said.chars().count() <= LONGEST_ANSWER, "{shown:?}: {} characters", said.chars().count());
}

/// An answer of GTP: one line and a blank one.
fn gtp_answer(talk: &mut Talk) -> String {
    let lines = talk.until("");
    assert_eq!(lines.len(), 2, "{lines:?}");
    lines[0].clone()
}

fn gtp_state(talk: &mut Talk) -> Vec<Vec<String>> {
    [
        "gogui-rules_board",
        "gogui-rules_legal_moves",
        "gogui-rules_side_to_move",
        "gogui-rules_final_result",
        "showboard",
    ]
    .map(|question| {
        talk.send(question);
        talk.until("")
    })
    .into()
}

#[test]
fn no_bad_line_is_accepted_in_gtp() {
    let bad: Vec<(&str, &str)> = vec![
        ("7", "expected a command"),
        ("7 7", "unknown command '7'"),
        ("-7 name", "unknown command '-7'"),
        ("18446744073709551616 name", "unknown command"),
        ("Name", "unknown command"),
        ("play", "column 5: expected 'black' or 'white', found the end of the line"),
        ("play b", "expected a point"),
        ("play x b3", "column 6: expected 'black' or 'white', found 'x'"),
        ("play blackish b3", "expected 'black' or 'white'"),
        ("play b b2", "it is white's turn"),
        ("play w b2", "illegal move: column 8: 'b2'"),
        ("play w i1", "illegal move"),
        ("play w a0", "illegal move"),
        ("play w a+1", "illegal move"),
        ("play w d1", "illegal move"),
        ("play w a99999999999999999999", "illegal move"),
        ("play w é", "illegal move"),
        ("play w \u{1b}[31m", "illegal move"),
        ("play w pass", "illegal move"),
        ("play w resign", "illegal move"),
        ("play w 0000", "illegal move"),
        ("genmove", "expected 'black' or 'white'"),
        ("genmove b", "it is white's turn"),
        ("genmove 3", "expected 'black' or 'white'"),
        ("boardsize", "expected a whole number"),
        ("boardsize 19", "unacceptable size: tictactoe has a board of 3"),
        ("boardsize -3", "expected a whole number"),
        ("boardsize 18446744073709551615", "unacceptable size"),
        ("komi", "expected a number"),
        ("komi half", "expected a number"),
        ("known_command", "expected the name of a command"),
        ("time_settings", "expected a number of seconds"),
        ("time_settings 1 2", "expected a whole number"),
        ("time_settings 1 -2 3", "expected a number of seconds"),
        ("time_left", "expected 'black' or 'white'"),
        ("time_left b", "expected a number of seconds"),
        ("time_left b soon 0", "expected a number of seconds"),
        ("final_score", "cannot score"),
    ];
    for mut talk in [Talk::in_memory(), Talk::process(&["--dialect", "gtp"])] {
        // There is no option in GTP: the game that the engine begins with is awalé, unless the command line says another one.
        talk.send("list_commands");
        talk.until("");
        talk.send("play b a3");
        assert_eq!(gtp_answer(&mut talk), "= ");
        let before = gtp_state(&mut talk);
        // GTP drops control characters, and a blank line has no answer.
        let is_blank = |line: &[u8]| line.iter().all(|byte| byte.is_ascii_control() || *byte == b' ');
        for line in garbage().into_iter().filter(|line| !is_blank(line)) {
            talk.send_raw(&line);
            talk.send_raw(b"\n");
            let said = gtp_answer(&mut talk);
            assert!(said.starts_with("? "), "{said}");
            check_text(&line, &said);
        }
        assert_eq!(gtp_state(&mut talk), before);
        assert!(talk.rest().is_empty());
    }
    let mut talk = Talk::process(&["--dialect", "gtp", "--game", "tictactoe"]);
    talk.send("play b b2");
    assert_eq!(gtp_answer(&mut talk), "= ");
    let before = gtp_state(&mut talk);
    for (i, (line, says)) in bad.into_iter().enumerate() {
        talk.send(line);
        let said = gtp_answer(&mut talk);
        assert!(said.starts_with('?') && said.contains(says), "{line:?}: {said}");
        check_text(line.as_bytes(), &said);
        if !line.starts_with(|c: char| c.is_ascii_digit()) {
            talk.send(&format!("{i} {line}"));
            assert!(gtp_answer(&mut talk).starts_with(&format!("?{i} ")), "{line:?}");
        }
        assert_eq!(gtp_state(&mut talk), before, "{line:?} changed something");
    }
    // Remarks and blank lines have no answer at all.
    for line in ["", "   \t", "# remark", "#", "# interrupt"] {
        talk.send(line);
    }
    talk.send("undo # the only move");
    assert_eq!(gtp_answer(&mut talk), "= ");
    talk.send("undo");
    assert!(gtp_answer(&mut talk).starts_with("? cannot undo"));
    assert!(talk.exit_status().success());
}

#[test]
fn a_bad_line_of_gtp_during_a_search_is_answered_behind_its_move() {
    let mut talk = Talk::process(&["--dialect", "gtp", "--game", "gomoku"]);
    talk.send_raw(b"time_settings 3600 0 0\n1 genmove b\n2 nonsense\n3 play red\n4 \xff\n# interrupt\n");
    assert_eq!(gtp_answer(&mut talk), "= ");
    assert!(gtp_answer(&mut talk).starts_with("=1 "));
    for (id, rest) in [(2, "unknown command 'nonsense'"), (3, "column 8: "), (4, "column 3: expected UTF-8")] {
        let said = gtp_answer(&mut talk);
        assert!(said.starts_with(&format!("?{id} {rest}")), "{said}");
    }
    talk.send("9 quit");
    assert_eq!(gtp_answer(&mut talk), "=9 ");
    assert!(talk.exit_status().success());
}

/// What the engine says to a line of Gomocup, messages left out.
fn gomocup_answer(talk: &mut Talk) -> String {
    loop {
        let line = talk.line().expect("an answer");
        if !line.starts_with("MESSAGE ") {
            return line;
        }
    }
}

#[test]
fn no_bad_line_is_accepted_in_gomocup() {
    let unknown = "UNKNOWN unknown command";
    for (started, line, says) in [
        (false, "BEGIN", "ERROR expected START"),
        (false, "TURN 1,1", "ERROR expected START"),
        (false, "BOARD", "ERROR expected START"),
        (false, "RESTART", "ERROR expected START"),
        (false, "DONE", "ERROR expected BOARD before DONE"),
        (false, "1,1,1", "ERROR expected BOARD before a stone"),
        (false, "START", "ERROR column 6: expected a whole number"),
        (false, "START x", "ERROR column 7: expected a whole number"),
        (false, "START -15", "ERROR column 7: expected a whole number"),
        (false, "START 4", "ERROR no board of 4 by 4: expected 5 to 22"),
        (false, "START 23", "ERROR no board of 23 by 23"),
        (false, "START 18446744073709551615", "ERROR no board"),
        (false, "RECTSTART 15", "ERROR column 11: expected a width and a height"),
        (false, "RECTSTART 15,x", "ERROR column 11: expected a width"),
        (false, "RECTSTART 15,30", "ERROR no board of 15 by 30"),
        (true, "TURN", "ERROR column 5: expected a point"),
        (true, "TURN 7", "ERROR column 6: expected a point"),
        (true, "TURN 7,7,7", "ERROR column 6: expected a point"),
        (true, "TURN 7,-7", "ERROR column 6: expected a point"),
        (true, "TURN h8", "ERROR column 6: expected a point"),
        (true, "TURN ７,７", "ERROR column 6: expected a point"),
        (true, "TURN 15,0", "ERROR illegal move"),
        (true, "TURN 0,15", "ERROR illegal move"),
        (true, "TURN 99999999999,0", "ERROR illegal move"),
        (true, "TAKEBACK", "ERROR column 9: expected a point"),
        (true, "TAKEBACK 3,3", "ERROR cannot undo"),
        (true, "1,2", "ERROR expected BOARD"),
        (true, "1,2,3", "ERROR column 1: expected an owner of 1 or 2"),
        (true, "1,2,4", "ERROR column 1: expected a stone"),
        (true, "1,2,1", "ERROR expected BOARD"),
        (true, "INFO timeout_turn", "ERROR column 18: expected a whole number of milliseconds"),
        (true, "INFO timeout_turn -1", "ERROR column 19: expected"),
        (true, "INFO time_left soon", "ERROR column 16: expected"),
        (true, "INFO rule five", "ERROR column 11: expected"),
        (true, "INFO max_memory 1e9", "ERROR column 17: expected"),
        (true, "SUGGEST 1,1", unknown),
        (false, "PLAY 1,1", "ERROR expected START"),
        (true, "PLAY 1", "ERROR column 6: expected a point"),
        (true, "PLAY 15,0", "ERROR illegal move"),
        (false, "SWAP2BOARD", "ERROR expected START"),
        (false, "YXBOARD", "ERROR expected START"),
        (false, "YXSHOWFORBID", "ERROR expected START"),
        (true, "YXNBEST", "ERROR column 8: expected a whole number"),
        (true, "INFO max_node many", "ERROR column 15: expected"),
    ] {
        let mut talk = Talk::in_memory();
        talk.send("ABOUT");
        gomocup_answer(&mut talk);
        if started {
            talk.send("START 15");
            assert_eq!(gomocup_answer(&mut talk), "OK");
        }
        talk.send(line);
        let said = gomocup_answer(&mut talk);
        assert!(said.starts_with(says), "{line:?}: {said}");
        check_text(line.as_bytes(), &said);
        talk.send("INFO timeout_turn 1");
        talk.send("START 15");
        assert_eq!(gomocup_answer(&mut talk), "OK");
        talk.send("BEGIN");
        assert!(gomocup_answer(&mut talk).contains(','));
        talk.send("END");
        assert!(talk.rest().is_empty());
    }
    let mut talk = Talk::process(&["--dialect", "gomocup"]);
    for line in garbage() {
        talk.send_raw(&line);
        talk.send_raw(b"\n");
        // `info` is a word of it, with keys that are skipped.
        if line != b"info string" {
            let said = gomocup_answer(&mut talk);
            assert!(said.starts_with("UNKNOWN ") || said.starts_with("ERROR "), "{said}");
            check_text(&line, &said);
        }
    }
    assert!(talk.exit_status().success());
}

#[test]
fn a_board_of_gomocup_is_taken_whole_or_not_at_all() {
    let mut talk = Talk::in_memory();
    for line in ["START 15", "INFO timeout_turn 5"] {
        talk.send(line);
    }
    assert_eq!(gomocup_answer(&mut talk), "OK");
    talk.send("TURN 7,7");
    let reply = gomocup_answer(&mut talk);
    for (stones, says) in [
        (&["1,1,1", "2,2,1"][..], "ERROR 2 own stones and 0 of the opponent"),
        (&["1,1,2", "2,2,2"], "ERROR 0 own stones and 2 of the opponent"),
        (&["1,1,1", "1,1,2"], "ERROR illegal move"),
        (&["1,1,1", "15,2,2"], "ERROR illegal move"),
        (
            &["1,1,1", "1,2,2", "2,1,1", "2,2,2", "3,1,1", "3,2,2", "4,1,1", "4,2,2", "5,1,1", "5,2,2"],
            "ERROR illegal move: the game is over",
        ),
        (
            &["1,1,1", "1,2,2", "2,1,1", "2,2,2", "3,1,1", "3,2,2", "4,1,1", "4,2,2", "9,9,1", "5,2,2"],
            "ERROR the game is over",
        ),
    ] {
        talk.send("BOARD");
        stones.iter().for_each(|stone| talk.send(stone));
        talk.send("DONE");
        let said = gomocup_answer(&mut talk);
        assert!(said.starts_with(says), "{stones:?}: {said}");
    }
    // The game from before is still there.
    talk.send("TURN 7,7");
    assert!(gomocup_answer(&mut talk).starts_with("ERROR illegal move"));
    talk.send(&format!("TAKEBACK {reply}"));
    assert_eq!(gomocup_answer(&mut talk), "OK");
}

#[test]
fn a_turn_that_ends_the_game_is_an_error_and_is_not_kept() {
    let mut talk = Talk::in_memory();
    // Four of the opponent with both ends open: one of them is left, whatever is played.
    for line in ["START 15", "INFO timeout_turn 5", "BOARD", "0,0,1", "3,5,2", "14,0,1", "4,5,2", "0,14,1", "5,5,2"] {
        talk.send(line);
    }
    for line in ["14,14,1", "6,5,2", "DONE"] {
        talk.send(line);
    }
    assert_eq!(gomocup_answer(&mut talk), "OK");
    let mv = gomocup_answer(&mut talk);
    let end = if mv == "2,5" { "7,5" } else { "2,5" };
    for _ in 0..2 {
        talk.send(&format!("TURN {end}"));
        assert_eq!(gomocup_answer(&mut talk), "ERROR the game is over");
    }
    talk.send(&format!("TAKEBACK {mv}"));
    assert_eq!(gomocup_answer(&mut talk), "OK");
}
