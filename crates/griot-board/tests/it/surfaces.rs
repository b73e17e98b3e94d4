//! A game of every sample of the registry, through every surface that takes texts: the page, the WebSocket, `griot analyse`, and records
//! of every format that a page writes. python/tests/test_samples.py does the same with the Python client.

#![cfg(target_os = "linux")] // As the tests of the server.
use std::io::Write as _;
use std::process::{Command, Stdio};

use griot::game::family::Sample;
use griot::game::{Evaluate, Game, Notation, Position as _, Probe, SplitMix64, mix64};
use griot::registry::{Registry, Visitor, samples, with_game};
use griot_records::{Format, Hints, read, write};
use griot_testing::{picked, workspace_program};
use serde_json::{Value, json};

use crate::server::{Page, Server, people};
use crate::sockets::Board;

/// Some plies of a game, in texts.
struct Played {
    game: String,
    /// A board in the middle, its rows if it is a grid, and the moves from there; the game goes on after them.
    board: String,
    rows: Option<String>,
    moves: Vec<String>,
    /// The names of these moves for people.
    names: Vec<String>,
    /// The board at the end, and the legal moves there.
    end: String,
    legal: Vec<String>,
}

/// Plays at random: up to so many plies to the board, then up to so many more.
struct Random {
    seed: u64,
    before: usize,
    after: usize,
}

impl Visitor for Random {
    type Output = Played;
    fn visit<N, E, T>(self, game: Game<N, E, T>) -> Played
    where
        N: Notation,
        E: Evaluate<N::Position>,
        T: Probe<N::Position>,
    {
        let notation = &game.notation;
        let mut rng = SplitMix64::new(self.seed);
        let mut position = notation.start();
        let legal = |position: &N::Position| {
            let mut moves = Vec::new();
            position.generate(&mut moves);
            moves
        };
        let mut step = |position: &N::Position| {
            let moves = legal(position);
            let mv = moves[rng.below(moves.len())];
            Some(mv).filter(|&mv| position.after(mv).outcome().is_none())
        };
        for _ in 0..self.before {
            let Some(mv) = step(&position) else { break };
            position.play(mv);
        }
        let (board, rows) = (notation.position_text(&position), notation.picture(&position));
        let rows = rows.board.in_rows(rows.turn);
        let (mut moves, mut names) = (Vec::new(), Vec::new());
        for _ in 0..self.after {
            let Some(mv) = step(&position) else { break };
            moves.push(notation.move_text(&position, mv));
            names.push(notation.move_name(&position, mv));
            position.play(mv);
        }
        let legal = legal(&position).into_iter().map(|mv| notation.move_text(&position, mv)).collect();
        Played { game: game.name, board, rows, moves, names, end: notation.position_text(&position), legal }
    }
}

/// A game of each sample that is not over from the start. Few plies: no position comes up a second time.
fn games() -> Vec<Played> {
    let games = picked(samples(), 12).into_iter().zip(0..);
    let play = |(sample, number): (&Sample, u64)| {
        let random = Random { seed: mix64(number), before: 4, after: 3 };
        with_game(sample.game, random).unwrap()
    };
    games.filter(|(sample, _)| !["nim:0", "mnk:1,1,1", "connect4:1,1,1"].contains(&sample.game)).map(play).collect()
}

#[test]
fn every_game_is_set_up_and_played_on_the_page() {
    let server = Server::start(&[]);
    let page = Page::open(&server);
    for Played { game, board, rows, moves, names, end, legal } in games() {
        page.does(&json!({ "do": "new", "game": game, "players": people() }));
        page.does(&json!({ "do": "paste", "text": format!("{game}|{board}|{}", moves.join(" ")) }));
        let at = moves.len();
        let state = page.state(|state| state["game"] == *game && state["boards"][at] == *end);
        assert_eq!(state["legal"], json!(legal), "{game}|{board}|{moves:?}");
        let picture = &state["pictures"][at.to_string()];
        let facts = griot::registry::facts_of(&game).unwrap();
        assert_eq!(picture["game"], serde_json::to_value(facts).unwrap(), "{game}");
        assert_eq!(picture["moves"].as_array().unwrap().len(), legal.len(), "{game}");
        // The same moves by their names, from the board as the editor writes it.
        page.does(&json!({ "do": "paste", "text": format!("{game}|{}|", rows.as_ref().unwrap_or(&board)) }));
        page.state(|state| state["boards"].as_array().is_some_and(|boards| boards.len() == 1));
        for (at, name) in names.iter().enumerate() {
            page.does(&json!({ "do": "play", "move": name, "at": at }));
            page.state(|state| state["at"] == at + 1);
        }
    }
}

#[test]
fn every_game_is_set_up_and_searched_over_a_websocket() {
    let server = Server::start(&[]);
    let mut board = Board::open(&server);
    board.say("ugi");
    board.until("ugiok");
    for Played { game, board: start, moves, end, legal, .. } in games() {
        board.say(&format!("setoption name Game value {game}"));
        board.say(&format!("position fen {start} moves {}", moves.join(" ")));
        board.say("query fen");
        assert_eq!(board.until("response *").last().unwrap(), &format!("response {end}"), "{game}");
        board.say("go nodes 20");
        let best = board.until("bestmove *").pop().unwrap();
        let best = best.split(' ').nth(1).unwrap();
        assert!(legal.iter().any(|mv| mv == best), "{game}: {best} is not among {legal:?}");
    }
}

#[test]
fn every_game_is_analysed_in_bulk() {
    let games = games();
    let mut griot = Command::new(workspace_program("griot"))
        .args(["analyse", "--nodes", "20"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = games.iter().map(|one| format!("{}|{}|{}\n", one.game, one.board, one.moves.join(" ")));
    griot.stdin.take().unwrap().write_all(lines.collect::<String>().as_bytes()).unwrap();
    let told = griot.wait_with_output().unwrap();
    let told = String::from_utf8(told.stdout).unwrap();
    let told: Vec<Value> = told.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(told.len(), games.len());
    for answer in told {
        let Played { game, legal, .. } = &games[answer["line"].as_u64().unwrap() as usize - 1];
        let best = answer["bestmove"].as_str().unwrap_or_else(|| panic!("{game}: {answer}"));
        assert!(legal.iter().any(|mv| mv == best), "{game}: {best}");
    }
}

#[test]
fn every_game_comes_back_from_the_records_that_hold_it() {
    let mut held = 0;
    for Played { game, board, moves, .. } in games() {
        let text = format!("{game}|{board}|{}", moves.join(" "));
        let whole = read(text.as_bytes(), &Registry, &Hints::default()).remove(0).unwrap();
        assert_eq!((whole.game.as_str(), whole.moves()), (game.as_str(), moves.iter().map(String::as_str).collect()));
        for format in [Format::Json, Format::Pgn, Format::Sgf, Format::Ogn, Format::Psq, Format::Ggf, Format::Moves] {
            // A format says so when it has no such game.
            let Ok(written) = write(&whole, format, &Registry) else {
                assert!(!matches!(format, Format::Json | Format::Pgn), "{game} as {format:?}");
                continue;
            };
            let back = read(written.as_bytes(), &Registry, &Hints::default()).remove(0);
            let back = back.unwrap_or_else(|fault| panic!("{fault} in\n{written}"));
            // PGN has the start of a game of Chess960 as a board, and not by its number.
            let known = if format == Format::Pgn { game.split("960:").next().unwrap() } else { &game };
            assert!(back.game.starts_with(known), "{} is not {game}:\n{written}", back.game);
            assert_eq!(back.moves(), whole.moves(), "{written}");
            held += 1;
        }
    }
    assert!(held >= 20, "{held}");
}
