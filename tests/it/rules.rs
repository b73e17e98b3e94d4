//! The rules of every registered game: the law suite, and the perft files.

use std::fs;

use griot::game::{Evaluate, Game, Notation, Probe, conformance};
use griot::registry::{Visitor, with_game};
use griot::search::perft::perft;

use crate::support::plain::perft_lines;

/// Games of every family, and how many random games the law suite plays of each.
const GAMES: &[(&str, u32)] = &[
    ("awale", 30),
    ("awale:awari", 30),
    ("awale:tipe", 30),
    ("awale:mini", 60),
    ("tictactoe", 60),
    ("mnk:4,4,4", 20),
    ("mnk:4,3,3", 40),
    ("mnk:7,7,5", 4),
    ("mnk:8,7,4", 4),
    ("mnk:12,10,6", 2),
    ("mnk:1,1,1", 2),
    ("morpion:5", 10),
    ("gomoku", 1),
    ("gomokufreestyle", 1),
    ("mnk:22,22,6", 1),
    ("connect4", 40),
    ("connect4:4,4,3", 30),
    ("connect4:8,7,5", 10),
    ("connect4:1,63,4", 1),
    ("connect4:26,1,3", 5),
    ("connect4:1,1,1", 1),
    ("othello", 40),
    ("nim", 30),
    ("nim:0", 1),
    ("nim:3-4-5,take=any,normal", 30),
    ("nim:30-2-9-1,take=4", 20),
];

struct Laws {
    games: u32,
}

impl Visitor for Laws {
    type Output = Result<conformance::Report, String>;
    fn visit<N, E, T>(self, game: Game<N, E, T>) -> Self::Output
    where
        N: Notation,
        E: Evaluate<N::Position>,
        T: Probe<N::Position>,
    {
        conformance::check(&game, 2026, self.games)
    }
}

#[test]
fn every_game_keeps_the_laws() {
    for &(name, games) in GAMES {
        let report = with_game(name, Laws { games }).unwrap();
        let report = report.unwrap_or_else(|broken| panic!("{name}: {broken}"));
        assert_eq!(report.games, games, "{name}");
        assert!(report.positions >= games, "{name}");
    }
}

/// Counts lines from a board text.
struct Count<'a> {
    board: &'a str,
    depths: &'a [u32],
}

impl Visitor for Count<'_> {
    type Output = Vec<u64>;
    fn visit<N, E, T>(self, game: Game<N, E, T>) -> Vec<u64>
    where
        N: Notation,
        E: Evaluate<N::Position>,
        T: Probe<N::Position>,
    {
        let position = match self.board {
            "startpos" => game.notation.start(),
            board => game.notation.parse_position(board).unwrap_or_else(|error| panic!("{board}: {error}")),
        };
        self.depths.iter().map(|&depth| perft(&position, depth)).collect()
    }
}

/// What one line of a perft file may cost, in lines of play: the files hold deeper counts than every run can afford.
const LARGEST_COUNT: u64 = 4_000_000;

#[test]
fn perft_files_count_what_the_rules_allow() {
    let mut files: Vec<_> = fs::read_dir("tests/perft").unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut positions = 0;
    for file in &files {
        let text = fs::read_to_string(file).unwrap();
        for line in perft_lines(&text) {
            let (game, board) = (line.game, line.board);
            let counts: Vec<_> = line.counts.into_iter().filter(|&(_, count)| count <= LARGEST_COUNT).collect();
            let depths: Vec<u32> = counts.iter().map(|&(depth, _)| depth).collect();
            let counted = with_game(game, Count { board, depths: &depths }).unwrap();
            let expected: Vec<u64> = counts.iter().map(|&(_, count)| count).collect();
            assert_eq!(counted, expected, "{}: {game} {board}, depths {depths:?}", file.display());
            positions += 1;
        }
    }
    assert!(files.len() >= 6 && positions >= 100, "{} files, {positions} positions", files.len());
}
