//! `griot play` over a pipe: what a person types, and what is shown.

use std::fs;
#[cfg(unix)]
use std::io::Read;
use std::io::Write;
use std::process::{Command, Stdio};

use crate::support::Folder;
#[cfg(target_os = "linux")]
use crate::support::Terminal;

/// A time for a move that no search needs: small games are solved long before.
const ENDLESS: &str = "600000";

/// What is said to somebody who types these lines and then goes away.
fn said(arguments: &[&str], typed: impl AsRef<[u8]>) -> String {
    said_in("C", arguments, typed)
}

fn said_in(locale: &str, arguments: &[&str], typed: impl AsRef<[u8]>) -> String {
    let typed = typed.as_ref();
    let mut child = Command::new(env!("CARGO_BIN_EXE_griot"))
        .arg("play")
        .args(arguments)
        .env_remove("LC_MESSAGES")
        .env_remove("LANG")
        .env("LC_ALL", locale)
        .env("TERM", "xterm-256color")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Who quits before the last line does not read it.
    let _ = child.stdin.take().unwrap().write_all(typed);
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    assert_eq!(
        (output.status.code(), text(output.stderr).as_str()),
        (Some(0), ""),
        "{arguments:?} {}",
        typed.escape_ascii()
    );
    let out = text(output.stdout);
    assert!(!out.contains('\x1b') && !out.contains('\r'), "no terminal, no colours: {out:?}");
    out
}

/// Whether `parts` stand in `text`, one behind the other.
fn has_in_order(text: &str, parts: &[&str]) {
    let mut rest = text;
    for part in parts {
        rest = rest.split_once(part).unwrap_or_else(|| panic!("'{part}' is not where it should be: {text}")).1;
    }
}

#[test]
fn a_whole_game_of_tic_tac_toe_between_two_people() {
    // By name, by number, in capitals; x takes the diagonal.
    let text = said(&["--game", "tictactoe", "--side", "both"], "b2\n1\nA3\na2\nc1\nb1\nquit\n");
    has_in_order(
        &text,
        &[
            "griot plays tictactoe, at full strength.\nBoth sides are yours.\n",
            "\n 3 . . .\n 2 . . .\n 1 . . .\n   a b c\nx to move: your move.\n  1 a1  2 a2  3 a3  4 b1  5 b2",
            "\n 3 . . .\n 2 . x .\n 1 . . .\n   a b c\nx plays b2.\no to move: your move.\n  1 a1  2 a2  3 a3  4 b1  5 b3",
            "o plays a1.\n",
            "x plays a3.\n",
            "o plays a2.\n",
            "\n 3 x . .\n 2 o x .\n 1 o . x\n   a b c\nx plays c1.\nThe game is over: x wins.\n",
            "The game is over; type review, new, undo or quit.\n",
            "Goodbye.\n",
        ],
    );
    assert!(!text.contains("You have won"), "nobody in particular has: {text}");
}

#[test]
fn griot_answers_and_a_game_against_it_with_its_own_hints_is_a_draw() {
    let mut typed = String::new();
    let mut moves: Vec<String> = Vec::new();
    loop {
        let text = said(&["--game", "tictactoe", "--movetime", ENDLESS], format!("{typed}hint\n"));
        if text.contains("The game is over") {
            assert!(text.contains("The game is over: a draw.\n"), "{text}");
            assert_eq!(moves.len(), 5, "{text}");
            break;
        }
        let hint = text.rsplit_once("\nHint: ").unwrap().1;
        assert!(hint.contains(" (depth "), "{hint}");
        let mv = hint.split(' ').next().unwrap().to_owned();
        assert!(!moves.contains(&mv), "{text}");
        typed.push_str(&format!("{mv}\n"));
        moves.push(mv);
    }
}

#[test]
fn griot_wins_where_it_can_and_says_so() {
    // o lets x have the corner and the edge; griot has x.
    let text = said(&["--game", "mnk:3,3,2", "--side", "second", "--movetime", ENDLESS], "1\n2\n3\n");
    has_in_order(
        &text,
        &["You are o.\n", "x (griot) plays ", ": depth ", "wins in ", "The game is over: x wins.\ngriot has won.\n"],
    );
    let text = said(&["--game", "mnk:3,3,2", "--side", "first", "--movetime", ENDLESS], "b2\n1\n");
    has_in_order(&text, &["You are x.\n", "loses in 1, expects ", "The game is over: x wins.\nYou have won.\n"]);
}

#[test]
fn a_refused_move_is_told_why_and_the_turn_stays() {
    let text = said(&["--game", "tictactoe", "--side", "both"], "b2\nb2\nd7\n9\n0\n\nc3\n");
    has_in_order(
        &text,
        &[
            "x plays b2.\n",
            "'b2' cannot be played: move: expected an empty cell, found ",
            "'d7' cannot be played: move: expected ",
            "There is no move 9; there are 1 to 8.\n",
            "There is no move 0; there are 1 to 8.\n",
            "o plays c3.\n",
        ],
    );
    assert!(!text.contains("lost by it"), "{text}");
    let text = said(&["--side", "both"], "A\nf\nBc\nb\n");
    has_in_order(&text, &["South plays A.\n", "North plays f.\n", "'Bc' is more than one move", "South plays B.\n"]);
    let text = said(&["--side", "both"], format!("{0}\n{1}\n", "A".repeat(100_000), "9".repeat(100_000)));
    has_in_order(&text, &["AAAA…' is more than one move", "There is no move 9999", "…; there are 1 to 6."]);
    assert!(text.len() < 2000, "{text}");
    // Other spellings of a move that the game knows.
    let text = said(&["--game", "connect4", "--side", "both"], "d1\nd1\nd2\n");
    has_in_order(&text, &["x plays d.\n", "'d1' cannot be played: move: expected d2", "o plays d.\n"]);
}

#[test]
fn undo_takes_back_the_move_and_the_answer() {
    let arguments = ["--game", "tictactoe", "--side", "both"];
    let text = said(&arguments, "undo\nb2\na1\nundo\nc1\n");
    has_in_order(
        &text,
        &[
            "There is no move of yours to take back.\n",
            "o plays a1.\n",
            "\n 3 . . .\n 2 . x .\n 1 . . .\n   a b c\nTaken back; moves played: 1.\no to move",
            "o plays c1.\n",
        ],
    );
    let text = said(&["--game", "tictactoe"], "b2\nundo\n");
    has_in_order(
        &text,
        &[
            "o (griot) plays ",
            "\n 3 . . .\n 2 . . .\n 1 . . .\n   a b c\nTaken back; moves played: 0.\nx to move: your move.",
        ],
    );
    // griot begins: its first move is no person's.
    let text = said(&["--game", "tictactoe", "--side", "second"], "undo\nboard\n");
    has_in_order(&text, &["x (griot) plays ", "There is no move of yours to take back.\n", "o to move: your move.\n"]);
}

#[test]
fn swap_hands_griot_the_other_side() {
    let text = said(&["--game", "nim:5"], "a1\nswap\n");
    has_in_order(
        &text,
        &["You are player 1.\n", "player 1 plays a1.\n", "player 2 (griot) plays ", "You are player 2.\n"],
    );
    has_in_order(&text, &["You are player 2.\n", "player 1 to move: griot thinks.\n", "player 1 (griot) plays "]);
    assert!(said(&["--game", "nim:5", "--side", "both"], "swap\n").contains("There are no sides to change"));
    // Who has won has won.
    let text = said(&["--game", "nim:1"], "1\nswap\n");
    has_in_order(&text, &["griot has won.\n", "The game is over; type review, new, undo or quit.\n"]);
    assert!(!text.contains("You have won"), "{text}");
}

#[test]
fn new_begins_again_or_another_game() {
    let text =
        said(&["--game", "tictactoe", "--side", "both"], "b2\nnew\nnew shogi\nnew nim:7\na3\nlevel 3\nlevel 99\n");
    has_in_order(
        &text,
        &[
            "x plays b2.\n",
            "griot plays tictactoe",
            "x to move",
            "no game 'shogi'; there are awale",
            "griot plays nim:7",
            "\na 7  |||||||\ntake 1 to 3 from one heap, the last match loses\nplayer 1 to move: your move.\n  1 a1  2 a2  3 a3\n",
            "player 1 plays a3.\n",
            "griot plays nim:7, at level 3.\n",
            "expected a whole number from 0 to 20, found '99'",
        ],
    );
}

#[test]
fn griot_plays_itself_to_the_end() {
    let text = said(&["--game", "tictactoe", "--side", "none", "--movetime", "50", "--level", "5"], "");
    has_in_order(
        &text,
        &[
            "tictactoe, at level 5.\ngriot plays both sides.\n",
            "x (griot) plays ",
            "o (griot) plays ",
            "The game is over: ",
        ],
    );
    assert!(!text.contains("griot has won"), "{text}");
}

#[test]
fn a_pass_is_typed_as_a_word_and_discs_are_counted() {
    let moves = "d3 c3 f5 d2 d1 e1 b3 c1".replace(' ', "\n");
    let text = said(&["--game", "othello", "--side", "both"], format!("{moves}\n0\na1\npass\n"));
    has_in_order(
        &text,
        &[
            "\nx 2, o 2\n",
            "\nx 4, o 1\nx plays d3.\n",
            "o plays c1.\nx to move: your move.\n  1 pass\n",
            "There is no move 0; there are 1 to 1.\n",
            "'a1' cannot be played: ",
            "x plays pass.\no to move: your move.\n",
        ],
    );
    assert!(
        said_in("fr_FR", &["--game", "othello", "--side", "both"], format!("{moves}\n1\n")).contains("x joue passe.")
    );
}

#[test]
fn it_speaks_french_by_locale_or_when_told() {
    let typed = "b2\nb2\nconseil\nannuler\n?\nquitter\n";
    for text in [
        said_in("fr_FR.UTF-8", &["--game", "tictactoe", "--side", "both"], typed),
        said_in("C", &["--game", "tictactoe", "--side", "both", "--language", "fr"], typed),
    ] {
        has_in_order(
            &text,
            &[
                "griot joue à tictactoe, à pleine force.\nLes deux camps sont à vous.\n",
                "Trait : x. À vous de jouer.\n",
                "x joue b2.\n",
                "« b2 » ne peut être joué (le moteur dit : move: expected an empty cell",
                "Conseil : ",
                "(profondeur ",
                "Repris ; coups joués : 0.\n",
                "Un coup se tape",
                "Au revoir.\n",
            ],
        );
    }
    let text = said_in("fr_FR.UTF-8", &["--side", "both"], "A\n");
    has_in_order(&text, &["Trait : Sud.", "Sud joue A.\n", "Trait : Nord."]);
    let text = said_in("fr_FR", &["--game", "nim:1", "--side", "both"], "1\n");
    has_in_order(
        &text,
        &["la dernière allumette perd\nTrait : joueur 1.", "joueur 1 joue a1.\n", "La partie est finie : "],
    );
    assert!(said_in("fr_FR", &["--language", "en"], "").contains("South to move: your move.\n"));
}

#[test]
fn the_end_of_the_input_is_a_quiet_end_and_bad_text_is_told() {
    assert!(said(&[], "").ends_with("  1 A  2 B  3 C  4 D  5 E  6 F\n"));
    assert!(said(&["--game", "gomoku"], "").ends_with("225 moves are possible; 'moves' lists them.\n"));
    assert!(said(&["--game", "gomoku"], "moves").contains("\n    1 a1     2 a2     3 a3  "));
    let text = said(&["--side", "both"], b"\xffA\r\n\xf0\x9f\xa5\x9c\r\n\tA \r\n");
    has_in_order(
        &text,
        &["column 1: expected UTF-8 text, found byte 0xff.\n", "'🥜' cannot be played: ", "South plays A.\n"],
    );
}

#[test]
fn options_of_the_command_line_hold_for_griot_and_not_for_hints() {
    // Nim is solved at depth 1 by who knows its theory, which weaker levels do not.
    let text = said(&["--option", "Skill Level=2", "--option", "Hash=1", "--game", "nim"], "hint\na1\n");
    has_in_order(
        &text,
        &[
            "griot plays nim, at level 2.\n",
            "(depth 1, player 1 loses in 5, expects a3 a1 a3 a1)",
            "player 2 (griot) plays ",
        ],
    );
    assert!(!text.contains("wins in"), "{text}");
    let options = ["--option", "UCI_LimitStrength=true", "--option", "UCI_Elo=900"];
    assert!(said(&options, "").starts_with("griot plays awale, at 900 Elo.\n"));
    // The scale of chess ends at 2260.
    let options = ["--game", "chess", "--option", "UCI_LimitStrength=true", "--option", "UCI_Elo=2400"];
    assert!(said(&options, "").starts_with("griot plays chess, at 2260 Elo.\n"));
}

/// Ctrl-C while somebody thinks, and while griot does.
#[cfg(unix)]
#[test]
fn ctrl_c_is_a_quiet_end() {
    for (arguments, last) in [
        (&["--side", "first"][..], "6 F\n"),
        (&["--side", "none", "--movetime", ENDLESS], "South to move: griot thinks.\n"),
    ] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_griot"))
            .args(["play", "--language", "en"])
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut out = child.stdout.take().unwrap();
        let mut text = Vec::new();
        while !text.ends_with(last.as_bytes()) {
            let mut byte = [0];
            out.read_exact(&mut byte).unwrap();
            text.push(byte[0]);
        }
        let id = child.id();
        assert!(Command::new("sh").args(["-c", &format!("kill -INT {id}")]).status().unwrap().success());
        // The input stays open.
        let _input = child.stdin.take();
        assert_eq!(child.wait().unwrap().code(), Some(0), "{arguments:?}");
        let mut rest = String::new();
        out.read_to_string(&mut rest).unwrap();
        child.stderr.take().unwrap().read_to_string(&mut rest).unwrap();
        assert_eq!(rest, "", "{arguments:?}");
    }
}

#[test]
fn a_wrong_command_line_is_told_what_would_be_right() {
    for (arguments, says) in [
        (&["--game", "shogi"][..], "no game 'shogi'; there are awale"),
        (&["--level", "21"], "expected a whole number from 0 to 20"),
        (&["--side", "third"], "possible values: first, second, white, black, both, none"),
        (&["--movetime", "0"], "expected a whole number from 1 to "),
        (&["othelo"], "no game 'othelo'; did you mean 'othello'?"),
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_griot")).arg("play").args(arguments).output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {err}");
        assert!(err.contains(says), "{arguments:?}: {err}");
    }
}

#[test]
fn legal_moves_are_marked_where_that_says_more_than_the_board() {
    let text = said(&["othello", "--side", "both"], "d3\n");
    has_in_order(&text, &[" 3 . . . + . . . .\n", "\nx 4, o 1\n"]);
    // Every empty cell is a move.
    assert!(!said(&["tictactoe", "--side", "both"], "b2\n").contains('+'));
    // A game of chess, in SAN and otherwise; a capital is a piece.
    let text = said(&["chess", "--side", "both"], "e4\ne7e5\nnf3\nNf6\nBC4\nNc6\n0-0\nrecord\nmoves N\nresign\n");
    has_in_order(
        &text,
        &[
            "White plays e4.\nBlack to move: your move.\n",
            "Black plays e5.\n",
            "White plays Nf3.\n",
            "White plays Bc4.\n",
            "White plays O-O.\n",
            "\n1. e4  2. e5  3. Nf3  4. Nf6  5. Bc4  6. Nc6  7. O-O\n",
            "\nNa5 Nb4 Nb8 Nd4 Nd5 Ne7 Ng4 Ng8 Nh5 Nxe4\n",
            "Black resigns.\nThe game is over: White wins.\n",
        ],
    );
    // Of a piece with several ways those that are asked for.
    let text = said(&["chess", "--side", "both"], "moves e2\n");
    has_in_order(&text, &[" 4 . . . . + . . .\n 3 . . . . + . . .\n", "\ne3 e4\n"]);
}

#[test]
fn it_is_said_for_whom_a_value_is() {
    let text = said(&["tictactoe", "--movetime", ENDLESS], "b2\nhint\n");
    assert!(!text.contains("-0") && text.contains("0.00"), "{text}");
    let text = said(&["othello", "--movetime", "50"], "hint\n");
    let hint = text.rsplit_once("Hint: ").unwrap().1;
    assert!(hint.contains(" for x") || hint.contains(" for o") || hint.contains("0.00"), "{hint}");
    assert!(said_in("fr_FR", &["nim:7", "--side", "both"], "conseil\n").contains("joueur 1 gagne en"));
}

#[test]
fn who_resigns_has_lost_and_may_take_it_back() {
    let text = said(&["tictactoe", "--side", "both"], "b2\nresign\nc1\nresign\nundo\nc1\n");
    has_in_order(
        &text,
        &[
            "o resigns.\nThe game is over: x wins.\n",
            "The game is over; type review, new, undo or quit.\n",
            "The game is over; type review, new, undo or quit.\n",
            "Taken back; moves played: 1.\no to move",
            "o plays c1.\n",
        ],
    );
    let text = said(&["nim:7", "--movetime", ENDLESS], "resign\n");
    has_in_order(&text, &["player 1 resigns.\n", "player 2 wins.\ngriot has won.\n"]);
}

#[test]
fn a_game_is_told_saved_and_loaded() {
    let folder = Folder::new("play-save");
    let file = folder.join("game.txt");
    let path = file.to_str().unwrap();
    let typed = format!("record\nsave\nF\nd\nE\nrecord\nsave {path}\nquit\n");
    let text = said(&["--side", "both"], typed);
    has_in_order(
        &text,
        &["No move has been played.\n", "Name a file: ", "\n1. F  2. d  3. E\n", "Saved to ", "; moves: 3.\n"],
    );
    let saved = fs::read_to_string(&file).unwrap();
    assert_eq!(saved.lines().nth(1), Some("awale||F d E"), "{saved}");
    // Another game, another board, and moves without blanks.
    let text = said(&["nim", "--side", "both"], format!("load {path}\nrecord\nundo\n"));
    has_in_order(
        &text,
        &[
            "griot plays nim",
            "griot plays awale",
            "Loaded from ",
            "North to move",
            "1. F  2. d  3. E\n",
            "Taken back; moves played: 2.",
        ],
    );
    let from = folder.join("from.txt");
    fs::write(&from, "# remark\n\nawale|4-4-4-4-4-4-4-4-4-4-4-4-0-0-N|fE\n").unwrap();
    let text = said(&["--side", "both"], format!("load {}\nundo\nundo\nsave {path}\n", from.display()));
    has_in_order(&text, &["moves: 2.\n", "Taken back; moves played: 0.\nNorth to move", "Saved to "]);
    assert_eq!(fs::read_to_string(&file).unwrap().lines().nth(1), Some("awale|4-4-4-4-4-4-4-4-4-4-4-4-0-0-N|"));
    // What it wrote is what analyse reads.
    let output = Command::new(env!("CARGO_BIN_EXE_griot")).args(["analyse", "--depth", "2", path]).output().unwrap();
    assert!(String::from_utf8(output.stdout).unwrap().contains("\"bestmove\":\""));
}

#[test]
fn who_has_resigned_has_in_the_file_too() {
    let folder = Folder::new("play-resigned");
    let file = folder.join("game.txt");
    let path = file.to_str().unwrap();
    let text = said(&["tictactoe", "--side", "both"], format!("b2\na1\nresign\nsave {path}\n"));
    has_in_order(&text, &["x resigns.\n", "o wins.\n", "; moves: 2.\n"]);
    let saved = fs::read_to_string(&file).unwrap();
    assert_eq!(saved.lines().skip(1).collect::<Vec<_>>(), ["# resigned: first", "tictactoe||b2 a1"]);
    // Loaded it is over; whoever resigned takes it back, and no move with it.
    let again = folder.join("again.txt");
    let typed = format!("load {path}\nc1\nsave {}\nundo\nsave {path}\nc1\n", again.display());
    let text = said(&["nim", "--side", "both"], typed);
    has_in_order(
        &text,
        &[
            "Loaded from ",
            "; moves: 2.\nThe game is over: o wins.\n",
            "The game is over; type review, new, undo or quit.\n",
            "Saved to ",
            "Taken back; moves played: 2.\nx to move",
            "x plays c1.\n",
        ],
    );
    assert_eq!(fs::read_to_string(&again).unwrap(), saved);
    assert!(!fs::read_to_string(&file).unwrap().contains("resigned"));
    // A game that was over before, and somebody who plays in no game.
    fs::write(&file, "# resigned: second\nnim:1||a1\n").unwrap();
    let text = said(&["tictactoe", "--side", "both"], format!("load {path}\n"));
    has_in_order(&text, &["moves: 1.\nThe game is over: player 2 wins.\n"]);
    fs::write(&file, "# resigned: both\ntictactoe||b2\n").unwrap();
    let text = said(&["tictactoe", "--side", "both"], format!("load {path}\nrecord\n"));
    has_in_order(&text, &["# resigned: expected 'first' or 'second', found 'both'.\n", "No move has been played.\n"]);
    // The remark is none of analyse's business.
    let output = Command::new(env!("CARGO_BIN_EXE_griot"))
        .args(["analyse", "--depth", "2", again.to_str().unwrap()])
        .output()
        .unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap().lines().count(), 1);
}

#[test]
fn a_file_that_is_no_game_leaves_all_as_it_is() {
    let folder = Folder::new("play-load");
    let other = folder.join("letter.txt");
    fs::write(&other, "Dear reader,\n").unwrap();
    let wrong = folder.join("wrong.txt");
    fs::write(&wrong, "tictactoe||b2 b2\n").unwrap();
    let (other, wrong) = (other.to_str().unwrap(), wrong.to_str().unwrap());
    let none = folder.join("none");
    let typed = format!("b2\nsave {other}\nload {other}\nload {wrong}\nload {}\nrecord\nc1\n", none.display());
    let text = said(&["tictactoe", "--side", "both"], typed);
    has_in_order(
        &text,
        &[
            "letter.txt: expected a file that begins with '# griot play', or none",
            "letter.txt: no game 'Dear reader,'",
            "wrong.txt: move 2: 'b2' cannot be played.\n",
            "none: ",
            "\n1. b2\n",
            "o plays c1.\n",
        ],
    );
    assert_eq!(fs::read_to_string(other).unwrap(), "Dear reader,\n");
}

#[test]
fn a_review_tells_mistakes_by_size_with_what_was_better() {
    // x has two in a row; o does not look, and then x does not either.
    let moves = "b2\na1\nc3\nb1\na2\nc1\n";
    let text = said(&["tictactoe", "--side", "both"], format!("review\n{moves}review soon\nreview 5000\nrevue 0\n"));
    has_in_order(
        &text,
        &[
            "No move has been played.\n",
            "o plays c1.\nThe game is over: o wins.\n",
            "review: expected a whole number of nodes from 1, found 'soon'.\n",
            "Review: moves: 6, 5000 nodes for each position.\n",
            "4. o b1 ??  a blunder: ",
            "5. x a2 ??  a blunder: x wins in ",
            ", then o wins in 1; better: c1",
            "x: accuracy ",
            " %, ?? 1, ? 0, ?! 0\n",
            "o: accuracy ",
            " %, ?? 1, ? 0, ?! 0\n",
            "found '0'.\n",
        ],
    );
    let text = said_in("fr_FR", &["tictactoe", "--side", "both"], format!("{moves}revue 5000\n"));
    has_in_order(&text, &["5. x a2 ??  une gaffe : ", " mieux : c1", "x : précision "]);
}

/// The arrow keys go through the lines that were typed.
#[cfg(target_os = "linux")]
#[test]
fn a_line_that_was_typed_comes_back_by_the_arrow_keys() {
    let Some(mut screen) = Terminal::start(&["play", "tictactoe", "--side", "both"], &[]) else { return };
    screen.until("> ");
    screen.press("b2\r");
    screen.until("x plays b2.");
    screen.until("> ");
    // The line before, once more; its last character changed.
    screen.press("\x1b[A\x7f3\r");
    screen.until("o plays b3.");
    screen.until("> ");
    screen.press("\x1b[A\x1b[A\r");
    screen.until("'b2' cannot be played");
    screen.until("> ");
    screen.press("\x04");
    screen.rest();
}

/// A signal ends the game while a line is typed; the terminal is as it was before.
#[cfg(target_os = "linux")]
#[test]
fn a_signal_while_a_line_is_typed_leaves_the_terminal_as_it_was() {
    for signal in ["TERM", "HUP"] {
        let game = format!("exec {} play tictactoe --side both", env!("CARGO_BIN_EXE_griot"));
        let typist = format!("stty -g; sh -c 'echo pid $$; {game}'; echo; stty -g; echo end");
        let Some(mut screen) = Terminal::run(&typist, &[]) else { return };
        screen.until("pid ");
        let id = screen.until("\r").trim().to_owned();
        screen.until("> ");
        screen.press("b");
        screen.until("b");
        let kill = Command::new("sh").args(["-c", &format!("kill -{signal} {id}")]).status().unwrap();
        assert!(kill.success(), "{signal}");
        let before = screen.seen().lines().next().unwrap_or_default().trim().to_owned();
        let rest = screen.until("end");
        assert!(before.contains(':') && rest.contains(&before), "{signal}: {before} is not in {rest:?}");
        screen.rest();
    }
}

/// On a terminal, which `script` is to the program that it runs.
#[cfg(target_os = "linux")]
#[test]
fn colours_are_for_terminals_and_who_wants_them() {
    let shown = |variables: &[(&str, &str)]| {
        let arguments = ["play", "tictactoe", "--side", "second", "--language", "en"];
        let mut screen = Terminal::start(&arguments, variables)?;
        let shown = screen.until("> ");
        screen.press("\x04");
        Some(shown + &screen.rest())
    };
    // Where it is not installed there is nothing to be seen.
    let Some(text) = shown(&[("TERM", "xterm")]) else { return };
    has_in_order(&text, &["\x1b[1;7mx\x1b[0m", "o to move: your move.", "> "]);
    for variables in [[("TERM", "dumb"), ("NO_COLOR", "")], [("TERM", "xterm"), ("NO_COLOR", "1")]] {
        let text = shown(&variables).unwrap();
        // A terminal that knows how to edit a line is told to, without colours.
        let codes = text.split("\x1b[").skip(1);
        let mut ends = codes.map(|code| code.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';'));
        let is_coloured = ends.any(|code| code.starts_with('m'));
        assert!(text.contains("o to move: your move.") && !is_coloured, "{variables:?}: {text:?}");
    }
}
