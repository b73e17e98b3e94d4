//! Opening books: when a move is played from one and when not, `griot book`, and the books of the repository.

use std::collections::{HashMap, HashSet};
use std::fs;
#[cfg(unix)]
use std::io::Read;
use std::path::Path;
use std::process::{Command, Output, Stdio};
#[cfg(unix)]
use std::thread::sleep;
use std::time::Duration;
#[cfg(unix)]
use std::time::Instant;

#[cfg(unix)]
use crate::support;
use crate::support::{Folder, Talk, stdout_of, word};
use griot::book::{self, Book, Entry, Worth};
use griot::game::{Evaluate, Game, Notation, Outcome, Position, Probe, SplitMix64};
use griot::games::awale::{AwaleNotation, Mini};
use griot::games::mnk;
use griot::registry::{Visitor, book_of, with_game};

// ------------------------------------------------------------------------------------------------ what the session plays

/// A book with moves and numbers that no search would come to.
fn odd_book(game: &str, lines: &[(&str, &str)]) -> String {
    let entry =
        |&(board, mv): &(&str, &str)| Entry { board: board.into(), mv: mv.into(), worth: Worth::Centi(-77), depth: 33 };
    book::text(game, &[], &lines.iter().map(entry).collect::<Vec<_>>())
}

/// What `odd_book` makes the engine say.
const FROM_BOOK: &str = "info depth 33 score cp -77 nodes 0 *";

/// An engine that plays tic-tac-toe from an odd book in that file.
fn odd_talk(file: &Path, greeting: &str) -> Talk {
    let lines = [("3/3/3 x", "b1"), ("3/3/1x1 o", "c2"), ("3/2o/1x1 x", "a3")];
    talk_by(file, &odd_book("tictactoe", &lines), greeting)
}

/// An engine that plays tic-tac-toe from this book, which is written to that file.
fn talk_by(file: &Path, book: &str, greeting: &str) -> Talk {
    fs::write(file, book).unwrap();
    let mut talk = Talk::in_memory();
    talk.send(greeting);
    talk.until(&format!("{greeting}ok"));
    for option in ["Game value tictactoe", &format!("BookFile value {}", file.display()), "OwnBook value true"] {
        talk.send(&format!("setoption name {option}"));
    }
    talk.send("position startpos");
    talk
}

#[test]
fn a_move_of_the_book_is_answered_at_once_with_the_line_behind_it() {
    let folder = Folder::new("book-played");
    for (greeting, best) in [("ugi", "bestmove b1"), ("uci", "bestmove b1 ponder c2")] {
        let mut talk = odd_talk(&folder.join("odd.book"), greeting);
        for go in [
            "go movetime 3600000",
            "go depth 4",
            "go nodes 1000",
            "go wtime 100 btime 100",
            "go depth 3 searchmoves b1 a1",
        ] {
            talk.send(go);
            assert!(talk.expect(FROM_BOOK).ends_with(" pv b1 c2 a3"), "{go}");
            talk.expect(best);
        }
        // A position that is not in the book, and an image of one that is.
        talk.send("position startpos moves b2");
        talk.send("go depth 2");
        assert_ne!(word(&talk.expect("info *"), "nodes"), Some("0"));
        talk.until("bestmove *");
        talk.send("position startpos moves a2");
        talk.send("go depth 2");
        talk.expect(FROM_BOOK);
        let best = talk.expect("bestmove *");
        assert!(best.starts_with("bestmove b3") || best.starts_with("bestmove b1"), "{best}");
        talk.send("setoption name OwnBook value false");
        talk.send("position startpos");
        talk.send("go depth 4");
        assert!(!talk.until("bestmove *").iter().any(|line| line.contains("depth 33")));
    }
}

#[test]
fn what_asks_for_a_search_gets_one() {
    let folder = Folder::new("book-searched");
    for greeting in ["ugi", "uci"] {
        let mut talk = odd_talk(&folder.join("odd.book"), greeting);
        for go in ["go depth 3 searchmoves a1 c3", "go mate 3", "go perft 2"] {
            talk.send(go);
            assert!(!talk.until("bestmove *").iter().any(|line| line.contains("depth 33")), "{go}");
        }
        // LAW 5: nothing is answered before it is asked for, and then what the search has found.
        for go in ["go infinite", "go", "go ponder", "go ponder movetime 10", "go infinite depth 2"] {
            talk.send(go);
            let said = talk.lines_within(Duration::from_millis(50));
            assert!(said.iter().all(|line| line.starts_with("info ") && !line.contains("depth 33")), "{go}: {said:?}");
            talk.send(if go.contains("ponder") { "ponderhit" } else { "stop" });
            assert!(!talk.until("bestmove *").iter().any(|line| line.contains("depth 33")), "{go}");
        }
        // What is not the full strength, or not one line, and back again.
        for (option, back) in [
            ("MultiPV value 2", "MultiPV value 1"),
            ("Skill Level value 19", "Skill Level value 20"),
            ("UCI_LimitStrength value true\nsetoption name UCI_Elo value 600", "UCI_LimitStrength value false"),
            ("Evaluation value plain", "Evaluation value full"),
            ("Algorithm value mcts", "Algorithm value alphabeta"),
            ("Algorithm value negamax", "Algorithm value alphabeta"),
        ] {
            talk.send(&format!("setoption name {option}"));
            talk.send("go depth 2 nodes 500");
            assert!(!talk.until("bestmove *").iter().any(|line| line.contains("depth 33")), "{option}");
            talk.send(&format!("setoption name {back}"));
            talk.send("go depth 2");
            talk.expect(FROM_BOOK);
            talk.expect("bestmove b1*");
        }
    }
}

#[test]
fn every_go_has_one_answer_whether_it_comes_from_the_book_or_not() {
    let folder = Folder::new("book-storm");
    for greeting in ["ugi", "uci"] {
        let mut talk = odd_talk(&folder.join("odd.book"), greeting);
        let round = "go movetime 1000\ngo infinite\nstop\nposition startpos moves b2\ngo depth 3\nposition startpos\nstop\ngo depth 1\n";
        talk.send_raw(round.repeat(50).as_bytes());
        let said = talk.rest();
        let bests: Vec<&String> = said.iter().filter(|line| line.starts_with("bestmove ")).collect();
        assert_eq!(bests.len(), 4 * 50);
        for four in bests.chunks(4) {
            assert!(four[0].starts_with("bestmove b1") && four[3].starts_with("bestmove b1"), "{four:?}");
        }
        // LAW 1: before each stands a line whose first move it is.
        for (before, best) in said.iter().zip(&said[1..]).filter(|(_, best)| best.starts_with("bestmove ")) {
            let pv = before.split_once(" pv ").map_or_else(|| panic!("{before}"), |(_, pv)| pv);
            assert_eq!(pv.split(' ').next(), best.split(' ').nth(1), "{before} {best}");
        }
    }
}

#[test]
fn a_bad_book_is_refused_and_the_engine_plays_on() {
    let folder = Folder::new("book-bad");
    let file = folder.join("odd.book");
    let mut talk = odd_talk(&file, "ugi");
    let good = fs::read_to_string(&file).unwrap();
    for (name, text, said) in [
        ("cut", &good[..good.len() / 2], "*cut: line *: expected 'checksum' and eight digits at the end*"),
        ("move", &good.replace("|b1|", "|b9|"), "*move: line 4: * expected *"),
        ("sum", &good.replace("|33", "|34"), "*sum: line 7: expected checksum *"),
        ("other", &odd_book("awale", &[]), "*other: line 2: expected a book for tictactoe, found one for 'awale'*"),
        ("empty", "", "*empty: line 1: expected 'griot-book 1', found nothing*"),
    ] {
        fs::write(folder.join(name), text).unwrap();
        talk.send(&format!("setoption name BookFile value {}", folder.join(name).display()));
        talk.expect(&format!("info string error: column 31: option BookFile: {said}"));
    }
    talk.send(&format!("setoption name BookFile value {}", folder.join("nowhere").display()));
    talk.expect("info string error: column 31: option BookFile: *nowhere: *");
    talk.send(&format!("setoption name BookFile value {}", folder.join(".").display()));
    talk.expect("info string error: column 31: option BookFile: *: expected a file, found a directory");
    fs::write(folder.join("bytes"), b"griot-book 1\n\xFF").unwrap();
    talk.send(&format!("setoption name BookFile value {}", folder.join("bytes").display()));
    talk.expect("info string error: column 31: option BookFile: *bytes: *UTF-8");
    // The book it had is still there.
    talk.send("go depth 2");
    talk.expect(FROM_BOOK);
    talk.expect("bestmove b1");
    // A game that the book is not for is played without it, and a game without a book too.
    for game in ["awale", "nim"] {
        talk.send(&format!("setoption name Game value {game}"));
        talk.send("go depth 2");
        assert!(!talk.until("bestmove *").iter().any(|line| line.contains(" nodes 0 ")));
    }
    talk.send("setoption name Game value tictactoe");
    talk.send("go depth 2");
    talk.expect(FROM_BOOK);
    talk.expect("bestmove b1");
    // Without it there is no book for this game.
    talk.send("setoption name BookFile value <empty>");
    talk.send("go depth 2");
    assert!(!talk.until("bestmove *").iter().any(|line| line.contains("depth 33")));
}

#[test]
fn gtp_and_gomocup_play_from_the_book_too() {
    let folder = Folder::new("book-dialects");
    let file = folder.join("odd.book");
    fs::write(&file, odd_book("tictactoe", &[("3/3/3 x", "b1")])).unwrap();
    let option = format!("BookFile={}", file.display());
    let arguments = ["--game", "tictactoe", "--option", &option, "--option", "OwnBook=true", "--dialect", "gtp"];
    let mut talk = Talk::process(&arguments);
    talk.send("time_settings 0 1 1");
    talk.expect("= ");
    talk.expect("");
    talk.send("genmove b");
    talk.expect("= B1");

    let file = folder.join("five.book");
    fs::write(&file, odd_book("mnk:9,9,5", &[("9/9/9/9/9/9/9/9/9 x", "b1")])).unwrap();
    let mut talk = Talk::process(&["--dialect", "gomocup"]);
    talk.send("START 9");
    talk.until("OK");
    talk.end();
    let arguments = [
        "--game",
        "mnk:9,9,5",
        "--option",
        &format!("BookFile={}", file.display()),
        "--option",
        "OwnBook=true",
        "--dialect",
        "gomocup",
    ];
    let mut talk = Talk::process(&arguments);
    talk.send("START 9");
    talk.until("OK");
    talk.send("BEGIN");
    let said = talk.until("1,0");
    assert!(said.iter().any(|line| line.contains("depth 33 score cp -77")), "{said:?}");
}

#[test]
fn a_move_is_drawn_from_those_that_fall_short_by_no_more_than_is_said() {
    let entry = |board: &str, mv: &str, centi, depth| Entry {
        board: board.into(),
        mv: mv.into(),
        worth: Worth::Centi(centi),
        depth,
    };
    // The middle, a corner and an edge; each corner and edge stands for four.
    let lines = [
        entry("3/3/3 x", "b2", 20, 9),
        entry("3/1x1/3 o", "a1", -20, 8),
        entry("3/3/x2 o", "b2", 30, 6),
        entry("3/3/1x1 o", "b2", 81, 5),
        // Who wins here is known: nothing is drawn, though another move is worth no less.
        Entry { worth: Worth::Win(1), ..entry("3/oo1/xx1 x", "c1", 0, 1) },
        Entry { worth: Worth::Loss(1), ..entry("3/oox/xx1 o", "c1", 0, 1) },
    ];
    let folder = Folder::new("book-variety");
    let mut talk = talk_by(&folder.join("some.book"), &book::text("tictactoe", &[], &lines), "ugi");
    let mut play = |position: &str, variety: u32, seed: u32| {
        talk.send(&format!("setoption name BookVariety value {variety}"));
        talk.send(&format!("setoption name Seed value {seed}"));
        talk.send(&format!("position {position}"));
        talk.send("go movetime 60000");
        let info = talk.expect("info depth *");
        assert_eq!(word(&info, "nodes"), Some("0"), "{info}");
        let best = talk.expect("bestmove *");
        let mv = best.split(' ').nth(1).unwrap().to_owned();
        assert_eq!(word(&info, "pv"), Some(mv.as_str()), "{info}");
        (mv, word(&info, "depth").unwrap().to_owned(), word(&info, "cp").map(str::to_owned))
    };
    for (variety, expected) in [
        (0, vec!["b2"]),
        (49, vec!["b2"]),
        (50, vec!["a1", "a3", "b2", "c1", "c3"]),
        (100, vec!["a1", "a3", "b2", "c1", "c3"]),
        (101, vec!["a1", "a2", "a3", "b1", "b2", "b3", "c1", "c2", "c3"]),
    ] {
        let mut seen = HashMap::new();
        for seed in 0..120 {
            let played = play("startpos", variety, seed);
            let (depth, centi) = match played.0.as_str() {
                "b2" => ("9", "20"),
                "a1" | "a3" | "c1" | "c3" => ("7", "-30"),
                _ => ("6", "-81"),
            };
            assert_eq!((played.1.as_str(), played.2.as_deref()), (depth, Some(centi)), "{played:?}");
            assert!(seed > 3 || play("startpos", variety, seed) == played, "the same seed draws the same");
            *seen.entry(played.0).or_insert(0) += 1;
        }
        let mut moves: Vec<&str> = seen.keys().map(String::as_str).collect();
        moves.sort_unstable();
        assert_eq!(moves, expected, "{variety}");
        // Each as likely as the others.
        let (most, least) = (seen.values().max().unwrap(), seen.values().min().unwrap());
        assert!(most < &(4 * least), "{seen:?}");
    }
    for seed in 0..20 {
        assert_eq!(play("fen 3/oo1/xx1 x", 1000, seed).0, "c1");
    }
}

#[test]
fn the_book_in_protocol_md_is_a_good_one() {
    let protocol = fs::read_to_string("protocol.md").unwrap();
    let start = protocol.find("```\ngriot-book 1\n").unwrap() + 4;
    let text = protocol[start..].split("```").next().unwrap();
    let game = mnk::game::<1>("tictactoe", mnk::Parameters::TIC_TAC_TOE, mnk::Style::Coordinates);
    assert_eq!(Book::parse(text, book::game_of(text).unwrap(), &game.notation).unwrap().lines().len(), 2);
}

/// A game of mini-wari that ends because a position comes up again: its moves.
fn endless_game() -> Vec<String> {
    let notation = AwaleNotation::<Mini>::default();
    let mut rng = SplitMix64::new(5);
    loop {
        let mut position = notation.start();
        let (mut seen, mut line) = (Vec::new(), Vec::new());
        while position.outcome().is_none() && !seen.contains(&position) {
            seen.push(position);
            let mut moves = Vec::new();
            position.generate(&mut moves);
            let mv = moves[rng.below(moves.len())];
            line.push(notation.move_text(&position, mv));
            position.play(mv);
        }
        if seen.contains(&position) {
            return line;
        }
    }
}

#[test]
fn where_a_position_of_the_game_may_come_back_a_search_is_made() {
    let folder = Folder::new("book-repetition");
    let notation = AwaleNotation::<Mini>::default();
    let line = endless_game();
    // The last move repeats; three plies before it that still lies within sight, and when the move captures or the game has
    // only begun, nothing can come back.
    for (back, is_played) in [(1, false), (2, false), (3, false), (4, false), (line.len(), true)] {
        let before = &line[..line.len() - back];
        let mut position = notation.start();
        for mv in before {
            position.play(notation.parse_move(&position, mv).unwrap());
        }
        let (board, mv) = (notation.position_text(&position), line[line.len() - back].as_str());
        let file = folder.join(&format!("{back}.book"));
        fs::write(&file, odd_book("awale:mini", &[(&board, mv)])).unwrap();
        let mut talk = Talk::in_memory();
        for option in ["Game value awale:mini", &format!("BookFile value {}", file.display()), "OwnBook value true"] {
            talk.send(&format!("setoption name {option}"));
        }
        // As a board without a past it is played.
        talk.send(&format!("position fen {board}"));
        talk.send("go depth 2");
        talk.expect(FROM_BOOK);
        talk.expect(&format!("bestmove {mv}"));
        talk.send(&format!("position startpos moves {}", before.join(" ")));
        talk.send("go depth 2");
        let said = talk.until("bestmove *");
        assert_eq!(said.iter().any(|line| line.contains("depth 33")), is_played, "{back}: {said:?}");
    }
}

// ------------------------------------------------------------------------------------------- the books of the repository

/// Reads the book of a game and looks at all of it.
struct Own {
    name: &'static str,
}

impl Visitor for Own {
    type Output = Option<usize>;

    fn visit<N, E, T>(self, game: Game<N, E, T>) -> Option<usize>
    where
        N: Notation,
        E: Evaluate<N::Position>,
        T: Probe<N::Position>,
    {
        let text = book_of(&game.name)?;
        assert!(text.len() < 150_000, "{}: {} bytes", self.name, text.len());
        let book =
            Book::parse(text, &game.name, &game.notation).unwrap_or_else(|problem| panic!("{}: {problem}", self.name));
        // From the start, every position is reached by moves from one that is in the book.
        let mut reached: Vec<N::Position> = vec![game.notation.start()];
        let mut known: HashMap<u64, ()> = reached.iter().map(|position| (position.folded().0, ())).collect();
        let mut next = 0;
        while let Some(position) = reached.get(next).cloned() {
            next += 1;
            let advice = book.find(&position).expect("what is reached is in the book");
            let board = game.notation.position_text(&position);
            match advice.worth {
                Worth::Centi(centi) => assert!(centi.abs() < 200_000, "{board}"),
                Worth::Win(plies) | Worth::Loss(plies) => assert!(plies <= 250, "{board}"),
            }
            assert!((1..=250).contains(&advice.depth), "{board}");
            let mut moves = Vec::new();
            position.generate(&mut moves);
            assert!(moves.contains(&advice.mv), "{board}");
            for mv in moves {
                let after = position.after(mv);
                if let Some(behind) = book.find(&after) {
                    // What wins does not lead to what wins for the other side, and what loses has no way out.
                    let (here, there) = (advice.worth, behind.worth.backed_up());
                    let is = |worth: Worth, sign: i64| worth.is_decisive() && worth.rank().signum() == sign;
                    assert!(!(mv == advice.mv && is(here, 1) && is(there, -1)), "{board}");
                    assert!(!(is(here, -1) && is(there, 1)), "{board}");
                    if known.insert(after.folded().0, ()).is_none() {
                        reached.push(after);
                    }
                }
            }
        }
        assert_eq!(reached.len(), book.lines().len(), "{}: some positions cannot be reached", self.name);
        Some(reached.len())
    }
}

#[test]
fn the_books_of_the_repository_are_good() {
    for (name, expected) in
        [("awale", true), ("awale:mini", false), ("awale:awari", false), ("othello", true), ("nim", false)]
    {
        let positions = with_game(name, Own { name }).unwrap();
        assert_eq!(positions.is_some(), expected, "{name}");
        assert!(positions.is_none_or(|positions| positions >= 300), "{name}: {positions:?}");
    }
}

#[test]
fn a_game_is_played_from_its_book_when_the_option_is_on() {
    let positions = [
        ("awale", ["startpos", "fen 4-4-4-4-4-4-4-4-4-4-4-4-0-0-S", "startpos moves F"]),
        ("othello", ["startpos", "fen 8/8/8/3ox3/3xo3/8/8/8 x", "startpos moves f5 d6"]),
    ];
    for (game, positions) in positions {
        let mut talk = Talk::process(&["--game", game]);
        talk.send("uci");
        talk.until("uciok");
        for (on, is_from_book) in [("true", true), ("false", false)] {
            talk.send(&format!("setoption name OwnBook value {on}"));
            for position in positions {
                talk.send(&format!("position {position}"));
                talk.send("go depth 16 movetime 100");
                let said = talk.until("bestmove *");
                assert_eq!(said[0].contains(" nodes 0 "), is_from_book, "{position}: {said:?}");
                assert!(!is_from_book || said.len() == 2, "{said:?}");
            }
        }
    }
}

/// Every game of a match may begin otherwise: lines of six plies, by moves a seed or two discs short of the best one or less.
#[test]
fn the_books_of_the_repository_know_many_openings() {
    for (game, variety) in [("awale", "100"), ("othello", "200")] {
        let variety = format!("BookVariety={variety}");
        let mut talk = Talk::process(&["--game", game, "--option", "OwnBook=true", "--option", &variety]);
        let mut openings = HashSet::new();
        for seed in 0..60 {
            talk.send(&format!("setoption name Seed value {seed}"));
            let mut line = String::new();
            for _ in 0..6 {
                let moves = if line.is_empty() { String::new() } else { format!(" moves{line}") };
                talk.send(&format!("position startpos{moves}"));
                talk.send("go depth 1");
                let said = talk.until("bestmove *");
                line += " ";
                line += said.last().unwrap().split(' ').nth(1).unwrap();
            }
            openings.insert(line);
        }
        assert!(openings.len() >= 20, "{game}: {}", openings.len());
    }
}

// --------------------------------------------------------------------------------------------------------- griot book

fn program(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_griot"));
    command.arg("book").args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(arguments: &[&str]) -> Output {
    program(arguments).output().unwrap()
}

fn good(arguments: &[&str]) -> String {
    stdout_of(run(arguments))
}

/// What a command that must fail has written to stderr.
fn bad(arguments: &[&str]) -> String {
    let output = run(arguments);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
    assert!(!said.contains("panicked"), "{said}");
    said
}

/// The value of a position by looking at everything.
fn minimax(position: &mnk::Position<1>, known: &mut HashMap<u64, Worth>) -> Worth {
    if let Some(worth) = known.get(&position.hash()) {
        return *worth;
    }
    let worth = match position.outcome() {
        Some(Outcome::Draw) => Worth::Centi(0),
        Some(_) => Worth::Loss(0),
        None => {
            let mut moves = Vec::new();
            position.generate(&mut moves);
            let worths = moves.into_iter().map(|mv| minimax(&position.after(mv), known).backed_up());
            worths.max_by_key(|worth| worth.rank()).unwrap()
        }
    };
    known.insert(position.hash(), worth);
    worth
}

#[test]
fn a_book_of_tic_tac_toe_never_contradicts_minimax() {
    let folder = Folder::new("book-minimax");
    let file = folder.join("t.book");
    let path = file.to_str().unwrap();
    // To the end of the game, and a part of it whose values come from searches of one ply: the tree alone makes them true.
    let said =
        good(&["grow", "--game", "tictactoe", "--depth", "9", "--plies", "9", "--margin", "1000000", "--out", path]);
    assert!(said.starts_with(&format!("{path}: ")) && said.contains(" positions of tictactoe, "), "{said}");
    let game = mnk::game::<1>("tictactoe", mnk::Parameters::TIC_TAC_TOE, mnk::Style::Coordinates);
    let book = Book::open(&file, "tictactoe", &game.notation).unwrap();
    assert!(book.lines().len() > 250, "{}", book.lines().len());
    let mut known = HashMap::new();
    for book::Line { position, advice } in book.lines() {
        let board = game.notation.position_text(position);
        let worth = minimax(position, &mut known);
        assert_eq!(advice.worth, worth, "{board}");
        assert_eq!(minimax(&position.after(advice.mv), &mut known).backed_up(), worth, "{board}");
    }
    // The engine plays by it, on every image of every position.
    let mut talk = Talk::in_memory();
    for option in ["Game value tictactoe", &format!("BookFile value {path}"), "OwnBook value true"] {
        talk.send(&format!("setoption name {option}"));
    }
    for (board, mate) in [("3/3/3 x", 0), ("o2/1x1/3 x", 0), ("2o/1x1/3 x", 0), ("3/1x1/1o1 x", 3), ("3/1x1/o2 x", 0)] {
        talk.send(&format!("position fen {board}"));
        talk.send("go depth 1");
        let info = talk.expect("info * nodes 0 *");
        let score = if mate == 0 { " score cp 0 ".to_owned() } else { format!(" score mate {mate} ") };
        assert!(info.contains(&score), "{board}: {info}");
        talk.expect("bestmove *");
    }
}

#[test]
fn in_its_wide_plies_a_book_follows_every_move_of_both_sides() {
    let folder = Folder::new("book-wide");
    let file = folder.join("t.book");
    let path = file.to_str().unwrap();
    // To answer a corner with an edge loses, so a book has no reply to it where nothing may be given away.
    for (wide_plies, is_there) in [("0", false), ("3", true)] {
        let limits = ["--depth", "9", "--plies", "3", "--margin", "0", "--wide-plies", wide_plies];
        good(&[&["grow", "--game", "tictactoe", "--out", path][..], &limits].concat());
        let text = fs::read_to_string(&file).unwrap();
        assert_eq!(text.contains(" --wide-plies 3"), is_there, "{text}");
        let said = good(&["show", path, "--moves", "a1 b1 c3"]);
        assert_eq!(!said.contains("not in the book"), is_there, "{said}");
    }
}

#[test]
fn a_book_that_was_interrupted_grows_to_the_same() {
    let folder = Folder::new("book-resume");
    for (game, extra) in [("tictactoe", &["--depth", "2"][..]), ("awale:mini", &["--depth", "6", "--margin", "40"])] {
        let (book, searches) = (folder.join("x.book"), folder.join("x.book.jsonl"));
        let arguments =
            [&["grow", "--game", game, "--out", book.to_str().unwrap(), "--positions", "60"], extra].concat();
        good(&arguments);
        let (whole, kept) = (fs::read(&book).unwrap(), fs::read(&searches).unwrap());
        for (jobs, cut) in [
            ("1", 0),
            ("2", 40),
            ("1", kept.len() / 3),
            ("3", kept.len() / 2),
            ("1", kept.len() - 1),
            ("2", kept.len()),
        ] {
            fs::write(&searches, &kept[..cut]).unwrap();
            fs::remove_file(&book).unwrap();
            good(&[&arguments[..], &["--jobs", jobs]].concat());
            assert!(fs::read(&searches).unwrap() == kept, "{game} cut at {cut}");
            assert_eq!(
                String::from_utf8(fs::read(&book).unwrap()),
                String::from_utf8(whole.clone()),
                "{game} cut at {cut}"
            );
        }
        // What has other limits is not mixed in, and the book that is there stays.
        let said = bad(&["grow", "--game", game, "--out", book.to_str().unwrap(), "--nodes", "77"]);
        assert!(said.contains("x.book.jsonl, line 1: expected a position of "), "{said}");
        assert_eq!(fs::read(&book).unwrap(), whole);
        fs::remove_file(&searches).unwrap();
    }
}

#[test]
fn a_book_of_exact_values_is_grown_once_and_believed() {
    let folder = Folder::new("book-exact");
    let file = folder.join("connect4-4-4-4.exact");
    let path = file.to_str().unwrap();
    let arguments = ["grow", "--exact", "--game", "connect4:4,4,4", "--plies", "4", "--hash=1", "--out", path];
    let said = good(&arguments);
    assert!(said.contains("values of connect4:4,4,4; ") && !said.contains("; 0 were found now"), "{said}");
    let bytes = fs::read(&file).unwrap();
    assert!(good(&arguments).contains("; 0 were found now, 0 nodes"));
    assert_eq!(fs::read(&file).unwrap(), bytes);
    // Who wins first, then how soon.
    let by_winners = folder.join("winners.exact");
    let arguments = [&arguments[..8], &[by_winners.to_str().unwrap()]].concat();
    let of_winners = [&arguments[..], &["--winners"]].concat();
    good(&of_winners);
    let winners = fs::read(&by_winners).unwrap();
    assert!(winners.starts_with(b"griot exact book 3 connect4:4,4,4 plies 4 values ") && winners != bytes);
    assert!(good(&of_winners).contains("; 0 were found now, 0 nodes"));
    good(&arguments);
    assert_eq!(fs::read(&by_winners).unwrap(), bytes);
    assert!(bad(&["grow", "--winners", "--game", "connect4:4,4,4", "--out", path]).contains("--exact"));
    let other = bad(&["grow", "--exact", "--game", "connect4:4,4,4", "--plies", "5", "--out", path]);
    assert!(other.contains("a book up to ply 4, not 5"), "{other}");
    assert!(bad(&["grow", "--exact", "--game", "awale", "--out", path]).contains("no books of exact values"));
    assert!(bad(&["grow", "--exact", "--game", "connect4", "--plies", "13", "--out", path]).contains("at most 12"));
    assert!(bad(&["grow", "--exact", "--game", "connect4:9,6,4", "--plies", "2", "--out", path]).contains("8 columns"));
    assert_eq!(fs::read(&file).unwrap(), bytes);
    // The empty board is a draw, and its value is looked up.
    let mut talk = Talk::in_memory();
    talk.send("setoption name Game value connect4:4,4,4");
    talk.send(&format!("setoption name TablebasePath value {}", file.parent().unwrap().display()));
    talk.send("position startpos");
    talk.send("go depth 5");
    let said = talk.until("bestmove *");
    let last = said.iter().rev().find(|line| line.starts_with("info depth")).unwrap();
    assert!(last.contains("score cp 0 ") && !last.contains("tbhits 0 "), "{said:?}");
}

#[test]
#[cfg(unix)]
fn ctrl_c_ends_the_growth_and_leaves_an_old_book_as_it_is() {
    let folder = Folder::new("book-interrupted");
    let (book, searches) = (folder.join("x.book"), folder.join("x.book.jsonl"));
    fs::write(&book, "griot-book 1: an older one").unwrap();
    // Far more than is ever waited for.
    let arguments =
        ["grow", "--plies", "30", "--positions", "1000000", "--depth", "8", "--out", book.to_str().unwrap()];
    let mut child = program(&arguments).spawn().unwrap();
    let started = Instant::now();
    while fs::read_to_string(&searches).unwrap_or_default().lines().count() < 20 {
        assert!(started.elapsed() < support::PATIENCE);
        sleep(Duration::from_millis(5));
    }
    assert!(Command::new("sh").args(["-c", &format!("kill -INT {}", child.id())]).status().unwrap().success());
    let mut said = String::new();
    child.stderr.as_mut().unwrap().read_to_string(&mut said).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(2), "{said}");
    assert!(said.contains("the same command goes on with") && said.contains("x.book.jsonl"), "{said}");
    assert_eq!(fs::read_to_string(&book).unwrap(), "griot-book 1: an older one");
    // What is kept makes a book.
    let positions = fs::read_to_string(&searches).unwrap().lines().count().to_string();
    good(&[&arguments[..3], &["--positions", &positions], &arguments[5..]].concat());
    assert!(good(&["verify", book.to_str().unwrap()]).contains(": good, "));
}

#[test]
fn a_book_is_told_of_checked_and_shown() {
    let folder = Folder::new("book-told");
    let file = folder.join("t.book");
    let path = file.to_str().unwrap();
    good(&["grow", "--game", "tictactoe", "--depth", "9", "--plies", "3", "--out", path]);
    let info: serde_json::Value = serde_json::from_str(&good(&["info", path, "--json"])).unwrap();
    let text = fs::read_to_string(&file).unwrap();
    let positions = text.lines().filter(|line| line.contains('|')).count();
    assert_eq!((info["game"].as_str(), info["positions"].as_u64()), (Some("tictactoe"), Some(positions as u64)));
    assert_eq!(info["checksum"].as_str(), text.lines().last().unwrap().strip_prefix("checksum "));
    assert_eq!(info["line"].as_array().unwrap().len(), 4);
    assert!(good(&["info", path]).contains(&format!("{positions} positions, ")));
    assert!(
        text.contains("\n# griot book grow --game tictactoe --positions 1000 --plies 3 --margin 150 --depth 9\n"),
        "{text}"
    );

    let said = good(&["verify", path, "--search", "5", "--depth", "9"]);
    assert!(
        said.contains("t.book: good, ") && said.contains("5 positions searched again, the same move in "),
        "{said}"
    );
    let said = good(&["show", path, "--moves", "b1"]);
    assert!(said.contains("o to move\nvalue 0, depth 8, "), "{said}");
    assert!(good(&["show", path, "--fen", "xx1/oo1/3 x"]).contains("not in the book"));

    // Any change is found, by every one of them.
    fs::write(&file, text.replacen("|0|", "|+1|", 1)).unwrap();
    for command in [&["info", path][..], &["verify", path], &["show", path]] {
        let said = bad(command);
        assert!(said.contains("t.book: line ") && said.contains("expected checksum "), "{said}");
    }
    fs::write(&file, text.replacen("game tictactoe", "game shogi", 1)).unwrap();
    assert!(bad(&["verify", path]).contains("t.book: no game 'shogi'"));
}

#[test]
fn a_wrong_command_is_told_what_would_be_right() {
    let folder = Folder::new("book-wrong");
    let file = folder.join("x.book");
    let path = file.to_str().unwrap();
    for (arguments, says) in [
        (&["--game", "shogi"][..], "no game 'shogi'"),
        (&["--fen", "1-2"], "expected"),
        (&["--plies", "0"], "expected a whole number from 1 to 250"),
        (&["--option", "OwnBook=true"], "--option OwnBook=true: a book is not grown from a book"),
        (&["--option", "bookfile=x"], "a book is not grown from a book"),
    ] {
        let said = bad(&[&["grow", "--out", path], arguments].concat());
        assert!(said.contains(says), "{arguments:?}: '{says}' is not in '{said}'");
    }
    assert!(!file.exists());
    let nowhere = folder.join("nowhere").join("x.book");
    assert!(bad(&["grow", "--out", nowhere.to_str().unwrap()]).contains("nowhere"));
    assert!(bad(&["verify", path]).contains("x.book: "));
    for command in ["grow", "info", "verify", "show"] {
        assert!(good(&[command, "--help"]).contains("Usage: griot book"), "{command}");
    }
    for command in ["grow", "verify", "show"] {
        assert!(good(&[command, "--help"]).contains("Examples:\n  griot book "), "{command}");
    }
}

#[test]
fn what_stands_in_a_book_reaches_a_terminal_without_control_characters() {
    let folder = Folder::new("book-controls");
    let file = folder.join("odd.book");
    fs::write(&file, odd_book("tictactoe", &[("3/1x1/3 o", "a\u{1b}]0;owned\u{7}1")])).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_griot")).args(["book", "verify"]).arg(&file).output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains(r"found '\u{1b}]0;owned\u{7}1'"), "{told:?}");
}
