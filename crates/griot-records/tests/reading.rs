//! What readers make of files: kept ones, and each of the ways in which people write games.

#![allow(clippy::panic, clippy::unwrap_used, reason = "the helpers of tests stand outside the test functions")]

use std::fs;
use std::path::Path;

use griot::registry::Registry;
use griot_records::{Fault, Format, Hints, Outcome, Reader, Record, Side, Splitter, read, write};

/// The board of `othello-board-ffo.txt`.
const FFO: &str = "o2oooox/1oooooox/ooxxooox/ooxoooxx/ooooooxx/3oooox/4o2x/8 x";

fn folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases")
}

fn all(text: &str) -> Vec<Result<Record, Fault>> {
    read(text.as_bytes(), &Registry, &Hints::default())
}

fn one(text: &str) -> Record {
    let mut games = all(text);
    assert_eq!(games.len(), 1, "{text}: {games:?}");
    games.remove(0).unwrap_or_else(|fault| panic!("{text}: {fault}"))
}

fn of(game: &str, text: &str) -> Record {
    let hints = Hints { game: Some(game), ..Hints::default() };
    let mut games = read(text.as_bytes(), &Registry, &hints);
    assert_eq!(games.len(), 1, "{text}: {games:?}");
    games.remove(0).unwrap_or_else(|fault| panic!("{text}: {fault}"))
}

/// The games of a file as `cases.tsv` has them.
fn summary(games: &[Result<Record, Fault>]) -> String {
    let game = |game: &Result<Record, Fault>| match game {
        Ok(record) => format!("{}:{}", record.game, record.moves().len()),
        Err(fault) => format!("fault: {fault}"),
    };
    games.iter().map(game).collect::<Vec<_>>().join(" ")
}

fn moves(record: &Record) -> String {
    record.moves().join(" ")
}

fn remarks(record: &Record) -> String {
    record.remarks.iter().map(|remark| remark.text.as_str()).collect::<Vec<_>>().join("; ")
}

#[test]
fn kept_files_are_read_right() {
    let cases = fs::read_to_string(folder().join("cases.tsv")).unwrap();
    let mut read_files = 0;
    for line in cases.lines().filter(|line| !line.starts_with('#')) {
        let (file, right) = line.split_once('\t').unwrap();
        let bytes = fs::read(folder().join(file)).unwrap();
        assert_eq!(summary(&read(&bytes, &Registry, &Hints::default())), right, "{file}");
        read_files += 1;
    }
    assert_eq!(read_files, 27);
}

#[test]
fn kept_files_say_what_the_formats_say() {
    let case = |file: &str| {
        let bytes = fs::read(folder().join(file)).unwrap();
        read(&bytes, &Registry, &Hints::default()).into_iter().map(Result::unwrap).collect::<Vec<_>>()
    };
    let first = |file: &str| case(file).remove(0);
    let players = |record: &Record| record.players.clone().map(Option::unwrap_or_default);
    let won_by = |side| Some(Outcome::Win(side));

    let passes = first("othello-passes-left-out.txt");
    assert_eq!(passes.moves().iter().filter(|mv| **mv == "0000").count(), 2);
    assert_eq!(passes.result, won_by(Side::First));
    let archive = first("othello-without-variant.pgn");
    // Black begins, and has won.
    assert_eq!((players(&archive), archive.result), (["b".into(), "a".into()], won_by(Side::First)));
    let seeds = first("awale-captures.ogn");
    assert_eq!(
        (seeds.result, players(&seeds)),
        (won_by(Side::First), ["A \"quoted\" \\ name".into(), "Aalina".into()])
    );
    assert_eq!(remarks(&seeds), "");
    let second = first("second-starts.psq");
    assert_eq!(players(&second), ["pbrain-b.exe", "pbrain-a.exe"]);
    assert_eq!(second.notes(3).unwrap().spent, Some(0.005));
    assert_eq!(players(&first("parenthesis-in-name.ggf"))[0], "Edax (21)");
    assert_eq!(first("connect4-with-values.txt").tag(&["Value"]), Some("-1"));
    let repeated = first("chess-past-third-repetition.pgn");
    assert!(remarks(&repeated).contains("over here, a draw by repetition"), "{}", remarks(&repeated));
    assert_eq!(repeated.remarks[0].ply, Some(8));
    let latin = first("chess-latin1-variations.pgn");
    assert_eq!(players(&latin)[0], "Müller");
    assert_eq!(latin.lines().len(), 3);
    let notes = latin.notes(1).unwrap();
    assert_eq!((notes.clock, notes.eval.as_deref()), (Some(300.0), Some("0.2")));
    assert!(
        latin.main_line().any(|node| {
            latin.notes(node).is_some_and(|notes| notes.comments == ["a remark to the end of the line"])
        })
    );
    let guessed = first("minimal.sgf");
    assert_eq!(guessed.guessed.as_deref(), Some(&["gomokufreestyle".to_owned(), "renju".to_owned()][..]));
    let cute = case("cutechess-pocket.pgn");
    assert_eq!(cute[0].start, None);
    assert_eq!((moves(&cute[0]), cute[0].result), ("d d c c e e f".into(), won_by(Side::First)));
    let board = first("othello-board-ffo.txt");
    assert_eq!(board.start.as_deref(), Some(FFO));
    assert_eq!(first("othello-board-ggs.txt").start, None);
}

#[test]
fn lists_of_moves_are_read_in_every_spelling() {
    let othello = "f5 d6 c3 d3 c4";
    for text in [
        "F5D6C3D3C4",
        "f5 d6 c3 d3 c4",
        "1. f5 d6 2. c3 d3 3. c4",
        "1.F5 D6 2.C3 D3 3.C4",
        "f5, d6, c3, d3, c4",
        "f5-d6-c3-d3-c4",
        "f5;d6;c3;d3;c4\r\n",
        "\u{FEFF}F5 D6\nC3 D3\nC4",
    ] {
        let record = one(text);
        assert_eq!((record.game.as_str(), moves(&record).as_str()), ("othello", othello), "{text}");
    }
    let chess = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1";
    for text in [
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O",
        "1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.Ba4 Nf6 5.0-0",
        "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 o-o",
        "1 e4 e5 2 Nf3 Nc6 3 Bb5 a6 4 Ba4 Nf6 5 O-O",
        "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1",
        "e2-e4 e7-e5 Ng1-f3 Nb8-c6 Bf1-b5 a7-a6 Bb5-a4 Ng8-f6 0-0",
        "1. e4! e5 2. nf3 (2. f4 exf4) Nc6 3. Bb5?! a6 {Morphy} 4. Ba4 Ngf6 5. O-O *",
        "e4,e5,Nf3,Nc6,Bb5,a6,Ba4,Nf6,O-O",
        "♙e4 e5 ♘f3 ♞c6 ♗b5 a6 ♗a4 ♞f6 O-O",
        "e2e4e7e5g1f3b8c6f1b5a7a6b5a4g8f6e1g1",
    ] {
        let record = one(text);
        assert_eq!((record.game.as_str(), moves(&record).as_str()), ("chess", chess), "{text}");
    }
    for (text, game, own) in [
        ("4567", "connect4", "d e f g"),
        ("d1 d2 c1", "connect4", "d d c"),
        ("4 4 3", "connect4", "d d c"),
        ("F f D a", "awale", "F f D a"),
        ("FfDa", "awale", "F f D a"),
        ("h8 i9 j10", "gomoku", "h8 i9 j10"),
        ("H8I9J10", "gomoku", "h8 i9 j10"),
        ("h8i9j10a1", "gomoku", "h8 i9 j10 a1"),
        ("b2 a1 c3", "tictactoe", "b2 a1 c3"),
        ("awale|startpos|A b", "awale", "A b"),
        ("nim:3-4-5,take=any,normal||a3 b1", "nim:3-4-5,take=any,normal", "a3 b1"),
        ("{\"game\":\"nim\",\"moves\":[\"a1\",\"a2\"]}", "nim", "a1 a2"),
        ("position startpos moves e2e4 e7e5 g1f3", "chess", "e2e4 e7e5 g1f3"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4; id \"a;b\";", "chess", ""),
        ("3/1x1/3 o moves a1", "tictactoe", "a1"),
    ] {
        let record = one(text);
        assert_eq!((record.game.as_str(), moves(&record).as_str()), (game, own), "{text}");
    }
    // A list that is legal in the game on the board is of that game.
    let hints = Hints { on_board: Some("renju"), ..Hints::default() };
    let record = read(b"h8 i9", &Registry, &hints).remove(0).unwrap();
    assert_eq!(record.game, "renju");
    assert!(
        remarks(&record).starts_with("the game is a guess: renju; it could also be gomoku"),
        "{}",
        remarks(&record)
    );
}

#[test]
fn promotions_and_other_slips_are_read() {
    let start = "8/P7/8/8/8/8/8/k1K5 w - - 0 1";
    for word in ["a8=Q", "a8Q", "a8=q", "a7a8q", "a7-a8=Q", "a8=Q+", "a8/Q"] {
        let record = one(&format!("[FEN \"{start}\"]\n\n1. {word} *"));
        assert_eq!(moves(&record), "a7a8q", "{word}");
    }
    let text = "[FEN \"rnbqkbnr/ppp1pppp/8/8/3pP3/5N2/PPPP1PPP/RNBQKB1R b KQkq e3 0 1\"]\n\n1... dxe3 e.p. 2. dxe3 *";
    assert_eq!(moves(&one(text)), "d4e3 d2e3");
}

#[test]
fn a_fault_has_its_place_and_what_would_have_been_right() {
    let text = "[Event \"a\"]\n\n1. e4 e5 2. Nf3\nNc6 3. Nf7 *\n\n[Event \"b\"]\n\n1. d4 *\n";
    let games = all(text);
    assert_eq!(games.len(), 2);
    let fault = games[0].as_ref().unwrap_err().to_string();
    let begins = "game 1, line 4, column 8, ply 5: 'Nf7' is not legal; legal are ";
    assert!(fault.starts_with(begins) && !fault.contains('\n'), "{fault}");
    assert_eq!(moves(games[1].as_ref().unwrap()), "d2d4");
    // What is no chess is no other game for that.
    for text in ["[Event \"a\"]\n\n1. e5 *", "[Event \"a\"]\n\n1. e4 e5 2. e5 d5 *", "1. e4 e5 2. Nf3 Nf3"] {
        assert!(all(text)[0].is_err(), "{text}");
    }
    // Moves beyond the chessboard are none of chess.
    assert_eq!(one("[Event \"?\"]\n[Site \"PlayOK\"]\n\n1. h8 i9 2. j10 h9 *").game, "gomoku");
    for (text, says) in [
        (
            "(;GM[Othello]TY[10]BO[10 ---------- *]B[F5];)",
            "game 1, line 1, column 23: a board of 10×10: griot plays Othello on 8×8 only",
        ),
        ("(;GM[Othello]TY[4]BO[4 ---- -*O- -O*- ---- *]B[A2];)", "a board of 4×4"),
        ("(;GM[7]FF[4];B[aa])", "GM[7] is not a game of griot"),
        ("[Variant \"crazyhouse\"]\n\n1. e4 *", "no game 'crazyhouse'"),
        ("Piskvorky 15x15, 11:11, 0\n16,1,0\na\nb\n0\n", "line 2, column 1, ply 1: expected a column from 1 to 15"),
        ("awale|x|A|b", "column 10: expected GAME|BOARD|MOVES"),
        ("hello world", "is not legal"),
        // Letters of several bytes are not cut.
        (")é", "is not legal"),
    ] {
        let fault = all(text).remove(0).unwrap_err().to_string();
        assert!(fault.contains(says), "{text}: {fault}");
    }
}

#[test]
fn what_is_odd_is_a_remark() {
    for (text, says) in [
        ("[Variant \"Oware Abapa\"]\n[Result \"*\"]\n\n1. F+3 f", "'F+3': it captures 0"),
        (
            "[Event \"x\"]\n[Result \"1-0\"]\n\n1. f3 e5 2. g4 Qh4# 1-0",
            "the result is 1-0, by the rules it would be 0-1",
        ),
        ("[Event \"x\"]\n[Result \"1-0\"]\n\n1. e4 0-1", "the tag says 1-0, the moves end with 0-1"),
        ("[Event \"x\"]\n\n1. e4 (1. d4 (1. c4 e5 *", "2 variations are not closed"),
        ("[Event \"x\"]\n\n1. e4 (1. Nd4) e5 *", "a variation ends before 'Nd4'"),
        ("(;GM[4]RU[0]SZ[15];B[aa];W[ab]", "the last ')' is missing"),
        ("connect4||1212121 3", "over here, a win of the first player; it goes on"),
        ("tictactoe||a1 b1 a2 b2 a3 b3", "over here, a win of the first player; it goes on"),
    ] {
        let record = one(text);
        assert!(remarks(&record).contains(says), "{text}: {}", remarks(&record));
    }
    // Awalé goes on when one player has more than half of the seeds.
    let late = of("awale", "1-0-0-0-0-1-0-0-0-0-1-0-25-20-S moves F a");
    assert_eq!((moves(&late), late.remarks[0].ply), ("F a".into(), Some(0)));
}

#[test]
fn a_resigned_game_contradicts_nothing() {
    let record = one("[Event \"x\"]\n[Result \"1-0\"]\n\n1. e4 1-0");
    assert_eq!((remarks(&record), record.result), (String::new(), Some(Outcome::Win(Side::First))));
}

#[test]
fn encodings_are_read() {
    let text = "[White \"Müller\"]\r\n\r\n1. e4 e5 *\r\n";
    let latin: Vec<u8> = text.chars().map(|letter| letter as u8).collect();
    let little: Vec<u8> = [0xFF, 0xFE].into_iter().chain(text.encode_utf16().flat_map(u16::to_le_bytes)).collect();
    let big: Vec<u8> = [0xFE, 0xFF].into_iter().chain(text.encode_utf16().flat_map(u16::to_be_bytes)).collect();
    let marked = [b"\xEF\xBB\xBF", text.as_bytes()].concat();
    for bytes in [text.as_bytes().to_vec(), latin, little, big, marked] {
        let record = read(&bytes, &Registry, &Hints::default()).remove(0).unwrap();
        assert_eq!(record.players[0].as_deref(), Some("Müller"));
        assert_eq!(moves(&record), "e2e4 e7e5");
    }
}

#[test]
fn obf_and_epd_keep_their_values() {
    let line = "-XXXXXX---XOOO--OOXXOXXOOXXOXOOXXOOXXOOX--XXOOOX--XXXXOO-OOOOOO- X; G8:+18; H1:+12; % FFO";
    let record = one(line);
    let marks: Vec<_> =
        record.notes(0).unwrap().marks.iter().map(|tag| format!("{}:{}", tag.name, tag.value)).collect();
    assert_eq!(marks, ["G8:+18", "H1:+12"]);
    let obf = write(&record, Format::Obf, &Registry).unwrap();
    assert_eq!(one(&obf).start, record.start);
    assert!(obf.ends_with(" X; G8:+18; H1:+12;\n"), "{obf}");
    let epd = one("r1b1k2r/ppppnppp/2n2q2/2b5/3NP3/2P1B3/PP3PPP/RN1QKB1R w KQkq - bm Bc4 a3; id \"a; b\"; hmvc 3;");
    assert_eq!((epd.tag(&["bm"]), epd.tag(&["id"])), (Some("Bc4 a3"), Some("a; b")));
    assert!(epd.start.as_deref().unwrap().ends_with(" w KQkq - 3 1"), "{:?}", epd.start);
}

#[test]
fn a_hundred_thousand_variations_do_not_overflow() {
    let depth = 100_000;
    let nested = format!("1. e4 {}d4{}*", "(1. ".repeat(depth).replace("(1. ", "(1. d4 "), ")".repeat(depth));
    let record = one(&nested);
    assert_eq!(moves(&record), "e2e4");
    let record = of("gomoku", &format!("(;GM[4]SZ[15]{};B[hh]{})", "(;C[a]".repeat(depth), ")".repeat(depth)));
    assert_eq!(record.moves().len(), 1);
    // A line of variations, each within the one before.
    let knights: String = (0..1000).map(|at| format!("{} (", ["Nf3", "Nf6", "Ng1", "Ng8"][at % 4])).collect();
    assert!(all(&format!("1. {knights}")).len() == 1);
    for format in [Format::Pgn, Format::Json] {
        assert!(write(&one(&nested), format, &Registry).is_ok());
    }
}

#[test]
fn boards_values_and_objects_are_read_as_people_have_them() {
    let board = "--------\n--------\n--------\n---OX---\n---XO---\n--------\n--------\n--------\nX to move\n";
    assert_eq!((one(board).game.as_str(), one(board).start), ("othello", None));
    let valued = one("f5d6c3d3c4 +4");
    assert_eq!((moves(&valued).as_str(), valued.tag(&["Value"])), ("f5 d6 c3 d3 c4", Some("+4")));
    let offsets = all("0,0,1,1\n0,0,2,2,3,3\n");
    assert_eq!(summary(&offsets), "gomokufreestyle:2 gomokufreestyle:3");
    let list =
        all("[\n {\"game\": \"nim\", \"moves\": [\"a1\"]},\n {\"game\": \"chess\", \"moves\": \"e2e4 e7e5\"}\n]\n");
    assert_eq!(summary(&list), "nim:1 chess:2");
    assert_eq!(summary(&all("{\n \"game\": \"nim\",\n \"moves\": [\"a1\"]\n}\n")), "nim:1");
    let mac = one("[White \"a\"]\r\r1. e4 e5 *\r");
    assert_eq!((mac.players[0].as_deref(), moves(&mac).as_str()), (Some("a"), "e2e4 e7e5"));
    let rights = one("[FEN \"4k3/8/8/8/8/8/4P3/4K3 w KQkq e3 0 1\"]\n\n1. e4 *");
    let told = ["castling: 'K' is dropped; ", "castling: 'k' is dropped; ", "en passant: 'e3' is dropped; "];
    assert!(told.iter().all(|told| remarks(&rights).contains(told)), "{}", remarks(&rights));
}

#[test]
fn a_stream_of_games_is_split() {
    let text = "[Event \"a\"]\n\n1. e4 {[not a tag\n[neither]} e5 *\n\n[Event \"b\"]\n\n1. d4 *\n".repeat(50);
    let text = text.replacen("[Event \"b\"]", "% escaped\n; remark\n{[two\n}\n[Event \"b\"]", 1);
    let whole = summary(&all(&text));
    assert_eq!(all(&text).len(), 100);
    for size in [1, 7, 64, 100_000] {
        let mut splitter = Splitter::default();
        let mut reader = Reader::new(&Registry);
        let mut found = Vec::new();
        let mut most = 0;
        let mut take = |splitter: &mut Splitter, is_end: bool| {
            while let Some((line, game)) = splitter.next(is_end) {
                reader.read(&game, line, &Hints::default(), &mut |game| {
                    found.push(game);
                    true
                });
            }
        };
        for block in text.as_bytes().chunks(size) {
            splitter.push(block);
            take(&mut splitter, false);
            most = most.max(splitter.waiting());
        }
        take(&mut splitter, true);
        assert_eq!(summary(&found), whole, "in blocks of {size}");
        assert!(most < 200 + size, "{most}");
    }
}

#[test]
fn a_database_of_thor_has_the_names_beside_it() {
    let mut base = vec![20, 24, 1, 15];
    base.extend(1_u32.to_le_bytes());
    base.extend(0_u16.to_le_bytes());
    base.extend(2023_u16.to_le_bytes());
    base.extend([8, 0, 0, 0]);
    base.extend([0, 0, 1, 0, 0, 0, 33, 32]);
    let mut played = [0_u8; 60];
    // f5 d6 c3
    played[..3].copy_from_slice(&[56, 64, 33]);
    base.extend(played);
    let named = |names: &[&str], length: usize| {
        let mut bytes = vec![0; 16];
        for name in names {
            let mut entry = name.as_bytes().to_vec();
            entry.resize(length, 0);
            bytes.extend(entry);
        }
        bytes
    };
    let players = named(&["Piau", "Tastet"], 20);
    let events = named(&["Meijin"], 26);
    let mut found = Vec::new();
    Reader::new(&Registry).read_file(
        &base,
        &Hints::default(),
        &|ending| match ending {
            "jou" => Some(players.clone()),
            "trn" => Some(events.clone()),
            _ => None,
        },
        &mut |game| {
            found.push(game.unwrap());
            true
        },
    );
    let record = found.remove(0);
    assert_eq!(record.players, [Some("Tastet".to_owned()), Some("Piau".to_owned())]);
    assert_eq!((moves(&record), record.tag(&["Event"])), ("f5 d6 c3".into(), Some("Meijin")));
    assert_eq!(record.result, Some(Outcome::Win(Side::First)));
}

#[test]
fn a_file_of_renjunet_has_its_games() {
    let text = "<?xml version=\"1.0\"?><database><players><player id=\"1\" name=\"A\" surname=\"B&amp;C\"/><player id=\"2\" name=\"D\"/></players>\
        <tournaments><tournament id=\"7\" name=\"T\"/></tournaments><games>\
        <game id=\"1\" tournament=\"7\" round=\"2\" black=\"2\" white=\"1\" bresult=\"0.5\"><move>h8 h9 i10</move><info/></game>\
        <game id=\"2\"><move>h8 x99</move></game></games></database>";
    let games = all(text);
    let record = games[0].as_ref().unwrap();
    assert_eq!(
        (record.game.as_str(), moves(record), record.result),
        ("renju", "h8 h9 i10".into(), Some(Outcome::Draw))
    );
    assert_eq!(record.players, [Some("D".to_owned()), Some("A B&C".to_owned())]);
    assert_eq!((record.tag(&["Event"]), record.tag(&["Round"])), (Some("T"), Some("2")));
    assert!(games[1].as_ref().unwrap_err().to_string().contains("ply 2: 'x99' is not legal"));
}

/// White and Black are colours: Black begins in English draughts.
#[test]
fn pdn_has_the_colours_and_results_of_its_game() {
    let text = "[Event \"x\"]\n[White \"W\"]\n[Black \"B\"]\n[Result \"1-0\"]\n[GameType \"21\"]\n\n1. 11-15 22-18 2. 15x22 25x18 1-0\n";
    let english = one(text);
    assert_eq!((english.game.as_str(), english.format), ("draughts:english", Format::Pdn));
    assert_eq!(english.players, [Some("B".into()), Some("W".into())]);
    assert_eq!(english.result, Some(Outcome::Win(Side::Second)));
    assert_eq!(english.moves(), ["11-15", "22-18", "15x22", "25x18"]);
    let written = write(&english, Format::Pdn, &Registry).unwrap();
    assert!(
        written.contains("[White \"W\"]\n[Black \"B\"]\n[Result \"1-0\"]\n[GameType \"21,B,8,8,N1,0\"]"),
        "{written}"
    );
    assert!(written.ends_with("1. 11-15 22-18 2. 15x22 25x18 1-0\n\n"), "{written}");
    // Points, and the first player is White.
    let international =
        one(&text.replace("21", "20").replace("1-0", "2-0").replace("1. 11-15 22-18 2. 15x22 25x18", "1. 32-28 19-23"));
    assert_eq!(
        (international.game.as_str(), international.result),
        ("draughts:international", Some(Outcome::Win(Side::First)))
    );
    let drawn = one("[GameType \"25\"]\n[Result \"1-1\"]\n1.g3-h4 b6-a5 2.c3-b4 a5:c3 3.b2:d4 1-1");
    assert_eq!((drawn.game.as_str(), drawn.result), ("draughts:russian", Some(Outcome::Draw)));
    assert_eq!(drawn.moves(), ["g3-h4", "b6-a5", "c3-b4", "a5xc3", "b2xd4"]);
    let unknown = all("[GameType \"30\"]\n1. 1-5 *").remove(0).unwrap_err().to_string();
    assert!(unknown.contains("draughts of type 30"), "{unknown}");
}

#[test]
fn a_game_of_draughts_is_known_by_its_moves_or_its_board() {
    let names = |text: &str| all(text).into_iter().map(|game| game.unwrap().game).collect::<Vec<_>>();
    assert_eq!(names("1. 32-28 19-23 2. 28x19 14x23 *\n\n1. 33-29 1-0\n"), ["draughts:international"; 2]);
    assert_eq!(names("1. 11-15 23-19 2. 8-11 22-17"), ["draughts:english"]);
    assert_eq!(names("11-15 23-19 8-11 22-17"), ["draughts:english"]);
    let set_up = one("[FEN \"W:W31,K22:B1,18\"]\n[SetUp \"1\"]\n{begin} 1. 22x15 (1. 31-27 {no}) 1-6 $2 *");
    assert_eq!((set_up.game.as_str(), set_up.start.as_deref()), ("draughts:english", Some("W:WK22,31:B1,18")));
    let from = one("draughts:international|W:W31,K22:B1,18|22x9");
    assert_eq!(from.moves(), ["22x9"]);
}

/// Found by fuzzing: a property with a bracket of PGN in its value cut the comment, and with it the game, in two.
#[test]
fn brackets_in_properties_do_not_end_a_comment_of_pgn() {
    let record = one("(;GM[4]SZ[7:6]GN[connect4];B[bf];W[af];B[ef]XX[}8{ ]]YY[(;)])");
    let text = write(&record, Format::Pgn, &Registry).unwrap();
    let back = one(&text);
    assert_eq!((moves(&back), back.game.as_str()), (moves(&record), "connect4"), "{text}");
}

/// ChessBase and its like end an analysis with null moves.
#[test]
fn a_null_move_ends_what_is_read() {
    for null in ["Z0", "--", "null", "@@@@"] {
        let record = one(&format!(
            "[Event \"?\"]\n[Result \"1-0\"]\n\n1. e4 (1. d4 {null} 2. c4) e5 2. Nf3 {null} 3. Bc4 1-0\n"
        ));
        assert_eq!(record.moves(), ["e2e4", "e7e5", "g1f3"], "{null}");
        assert!(remarks(&record).contains(&format!("'{null}' is a null move")), "{}", remarks(&record));
        assert_eq!((record.lines().len(), record.result), (2, Some(Outcome::Win(Side::First))), "{null}");
    }
}

/// The result is that of the board at the end of the main line, wherever a variation ends.
#[test]
fn a_variation_that_ends_the_game_decides_nothing() {
    let record = one("[Event \"?\"]\n[Result \"*\"]\n\n1. f3 e5 2. g4 (2. e4 d6) (2. h4 h5 3. g4 Qxh4#) d6 *\n");
    assert_eq!((record.result, remarks(&record)), (None, String::new()));
    let nim = of("nim:3", "a1 a1");
    assert_eq!(nim.result, None);
    let text =
        "{\"game\":\"nim:3\",\"moves\":[\"a1\",\"a1\"],\"variations\":[{\"of\":0,\"ply\":1,\"moves\":[\"a2\"]}]}";
    assert_eq!(one(text).result, None);
}

/// What published files of draughts have beside the definition of PDN.
#[test]
fn draughts_are_read_as_people_write_them() {
    let moves = |text: &str| one(text).moves().into_iter().map(str::to_owned).collect::<Vec<_>>();
    // Squares are set in columns.
    let padded = "[Event \"10x10\"]\n[Result \"2-0\"]\n\n  1. 32-28 19-23  2. 28x19 14x23  3. 37-32 10-14  4. 34-30 20-25  5. 33-28 25x34\n  6. 28x10  5x14\n2-0\n";
    assert_eq!(moves(padded)[11], "5x14");
    assert_eq!(one(&padded.replace("5x14", "5x 14")).moves()[11], "5x14");
    let points = one("[Result \"4-6\"]\n\n01. 34-29  18-22 02. 32-28  16-21 03. 31-26  11-16 04. 37-32  06-11 4-6\n");
    assert_eq!((points.moves().len(), points.moves()[7]), (8, "6-11"));
    // Letters, and no type of game: chess has no such moves.
    let letters = one("[White \"Krista,V.\"]\n[Result \"1/2-1/2\"]\n\n1. c3-b4 b6-c5 2. b2-c3 f6-e5 1/2-1/2\n");
    assert_eq!((letters.game.as_str(), letters.format), ("draughts:russian", Format::Pdn));
    let board = "[FEN \"W:W29,30,31,32,25,26,27,28,21,22,23,24:B9,10,11,12,5,6,7,8,1,2,3,4.\"]";
    assert_eq!(one(&format!("{board}\n\n1. c3-d4 d6-e5\n")).game, "draughts:russian");
    // The sign of a move in brackets, a number glued to the first move, a comment before the tags.
    let signs = one("1.32-28!? 19-23(!?) 2.28x19 *");
    assert_eq!((signs.moves().len(), signs.notes(2).unwrap().nags.as_slice()), (3, &[5][..]));
    assert_eq!(one("[White \"a\"]\n1.32-28 19-23").moves().len(), 2);
    let variations = "32-28 19-23 (18-23 38-32 (37-32? 23-29! { Black wins }) 12-18) 28x19 14x23";
    assert_eq!((moves(variations).len(), one(variations).lines().len()), (4, 3));
    assert_eq!(one("e4 e5 (c5 Nf3) Nf3 {the knight} Nc6").lines().len(), 2);
    assert_eq!(one("% Board game: draughts\r\n[Date \"2012.02.01\"]\r\n1. 32-28 19-23\r\n").moves().len(), 2);
    // A game that was not played, among others.
    let games =
        all("[White \"a\"]\n[Black \"B.  van C\"]\n\n1. 32-28 19-23 *\n\n[White \"c\"]\n[Result \"1-0\"]\n\n1-0\n");
    let games: Vec<Record> = games.into_iter().map(Result::unwrap).collect();
    assert_eq!(games[1].game, "draughts:international");
    assert!(write(&games[0], Format::Pdn, &Registry).unwrap().contains("[Black \"B.  van C\"]"));
    // Boards alone: a side that is not known, a man that stands on its last row.
    let unknown = one("[FEN \"?:W29,13,11:B22,4,2\"]\r\n*\r\n");
    assert!(remarks(&unknown).contains("who is to move"), "{}", remarks(&unknown));
    let crowned = one("[GameType \"21\"]\n[FEN \"W:W4,K31:B14,13\"]\n*\n");
    assert!(remarks(&crowned).contains("'4' is on the last row, and is read as a king"), "{}", remarks(&crowned));
    assert!(crowned.start.unwrap().contains("K4"));
    let empty = all("[FEN \"W::.\"]\n1/2-1/2\n").remove(0).unwrap_err().to_string();
    assert!(!empty.contains("ranks"), "{empty}");
}

/// A capture between two squares that can go two ways is the one after which the rest of the game is legal.
#[test]
fn a_capture_that_can_go_two_ways_goes_as_the_game_goes_on() {
    let game = |rest: &str| one(&format!("[GameType \"21\"]\n[FEN \"B:W14,15,22,23:B10,1\"]\n\n1. 10x26 {rest} *\n"));
    for (next, way) in [("15-10", "10x17x26"), ("15-11", "10x17x26")] {
        let record = game(next);
        assert_eq!(record.moves()[0], way, "{:?}", record.remarks);
        assert!(remarks(&record).contains("'10x26' can go 2 ways"), "{}", remarks(&record));
    }
    assert_eq!(game("14-9").moves()[0], "10x19x26");
}

/// Recordings: games that griot wrote, as the readers and writers of NBoard (`COsGame`) and Auale (`OGNSerializer`) gave them back.
#[test]
fn games_come_back_from_nboard_and_auale() {
    let moves = ["f5", "d6", "c3", "d3", "c4", "f4", "f6", "g5"];
    let nboard = one("(;GM[Othello]PC[null]PB[Anna]PW[Bert (2)]RE[?]TI[0]TY[8]BO[8 \
                      ---------------------------O*------*O--------------------------- *]\
                      B[F5]W[D6]B[C3]W[D3]B[C4]W[F4]B[F6]W[G5];)");
    assert_eq!(nboard.moves(), moves);
    assert_eq!(
        (nboard.players[1].as_deref(), nboard.result, remarks(&nboard)),
        (Some("Bert (2)"), None, String::new())
    );

    let auale = one(
        "[Variant \"Oware Abapa\"]\n[Event \"Club\"]\n[Site \"?\"]\n[Date \"?\"]\n[Round \"?\"]\n[South \"Anna\"]\n\
         [North \"Bert\"]\n[Result \"*\"]\n\n1. F { takes care } c 2. E a 3. B b\n",
    );
    assert_eq!(auale.moves(), ["F", "c", "E", "a", "B", "b"]);
    assert_eq!(auale.notes(1).unwrap().comments, ["takes care"]);
}

/// Auale ends with an error where a comment follows no move, and takes a tag whose name has a '-' for moves.
#[test]
fn ogn_is_written_as_auale_can_read_it() {
    let mut record = Record::new("awale", Format::Json);
    record.add(0, "F");
    record.notes_mut(0).comments = vec!["before all".into(), "(twice)".into()];
    record.push_tag("A-Tag", "abc");
    let text = write(&record, Format::Ogn, &Registry).unwrap();
    let (tags, moves) = text.split_once("\n\n").unwrap();
    assert!(!moves.contains('{') && !tags.contains("A-Tag"), "{text}");
    let back = one(&text);
    assert_eq!(back.notes(0).unwrap().comments, ["before all", "(twice)"]);
    assert_eq!(back.tag(&["Comment"]), None);
}
