//! The rules of every registered game: the law suite, and the perft files.

use std::fs;
use std::path::Path;

use griot::game::family::Sample;
use griot::game::{Evaluate, Game, Notation, Probe, conformance};
use griot::registry::{FAMILIES, Visitor, family_of, samples, with_game};
use griot::search::perft::perft;

use crate::support::plain::perft_lines;

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
    for &Sample { game: name, games, .. } in samples() {
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
fn every_family_has_perft_files_with_their_sources_and_the_rules_count_the_same() {
    for family in FAMILIES {
        let folder = Path::new("src/games").join(family.folder);
        let mut files: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.retain(|file| file.extension().is_some_and(|extension| extension == "perft"));
        files.sort();
        let mut positions = 0;
        for file in &files {
            let text = fs::read_to_string(file).unwrap();
            assert!(text.lines().any(|line| line.starts_with("# Source: ")), "{}: no source", file.display());
            for line in perft_lines(&text) {
                let (game, board) = (line.game, line.board);
                assert_eq!(family_of(game).map(|family| family.folder), Some(family.folder), "{game}");
                let counts: Vec<_> = line.counts.into_iter().filter(|&(_, count)| count <= LARGEST_COUNT).collect();
                let depths: Vec<u32> = counts.iter().map(|&(depth, _)| depth).collect();
                let counted = with_game(game, Count { board, depths: &depths }).unwrap();
                let expected: Vec<u64> = counts.iter().map(|&(_, count)| count).collect();
                assert_eq!(counted, expected, "{}: {game} {board}, depths {depths:?}", file.display());
                positions += 1;
            }
        }
        assert!(positions >= 10, "{}: {} files, {positions} positions", folder.display(), files.len());
    }
}
