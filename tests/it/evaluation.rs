//! The option `Evaluation`, as a client sees it: what `plain` counts, what it leaves out, and that it is searched exactly.

use crate::support::{Talk, word};
use griot::game::{Evaluate, Evaluator, Game, Notation, Probe};
use griot::registry::{Visitor, with_game};
use griot::score::Meaning;
use griot::search::Path;
use griot::search::textbook::Textbook;

/// The score that plain minimax finds, in the words of the protocol; there are no wins within the depths asked here.
struct Minimax<'a>(&'a str, u32);

impl Visitor for Minimax<'_> {
    type Output = String;
    fn visit<N, E, T>(self, game: Game<N, E, T>) -> String
    where
        N: Notation,
        E: Evaluate<N::Position>,
        T: Probe<N::Position>,
    {
        let root = game.notation.parse_position(self.0).unwrap();
        let mut never = |_: u32| false;
        let score = Textbook::new(Evaluator::plain(&game.evaluate), Path::default(), &mut never)
            .negamax(&root, self.1)
            .unwrap();
        match score.meaning() {
            Meaning::Units(units) => format!("cp {}", game.evaluate.centi_units(units)),
            other => panic!("{other:?}"),
        }
    }
}

/// The two words after `score` in the last line that has a score.
fn score(talk: &mut Talk, go: &str) -> String {
    talk.send(go);
    let lines = talk.until("bestmove *");
    let line = lines.iter().rev().find(|line| line.contains(" score ")).unwrap();
    let kind = word(line, "score").unwrap();
    format!("{kind} {}", word(line, kind).unwrap())
}

fn talk(game: &str, board: &str) -> Talk {
    let mut talk = Talk::in_memory();
    talk.send(&format!("setoption name Game value {game}"));
    talk.send(&format!("position {board}"));
    talk
}

#[test]
fn plain_awale_is_the_difference_of_the_stores() {
    // F makes the third seed of the fourth house beyond the corner: one house of three is captured.
    let board = "4-4-4-4-0-4-0-0-0-2-8-8-5-5-S";
    let mut talk = talk("awale", &format!("fen {board}"));
    let full = score(&mut talk, "go depth 1");
    talk.send("setoption name Evaluation value plain");
    assert_eq!(score(&mut talk, "go depth 1"), "cp 300");
    assert_ne!(full, "cp 300", "the full evaluation sees the houses too");
    talk.send("setoption name Selective value false");
    for depth in 1..=7 {
        let expected = with_game("awale", Minimax(board, depth)).unwrap();
        assert_eq!(score(&mut talk, &format!("go depth {depth}")), expected, "depth {depth}");
    }
    talk.send("setoption name Selective value true");
    talk.send("setoption name Evaluation value full");
    assert_eq!(score(&mut talk, "go depth 1"), full, "nothing of the plain search is left in the table");
}

#[test]
fn plain_m_n_k_knows_finished_games_only() {
    let mut talk = talk("mnk:4,4,4", "startpos");
    assert_ne!(score(&mut talk, "go depth 1"), "cp 0");
    talk.send("setoption name Evaluation value plain");
    assert_eq!(score(&mut talk, "go depth 4"), "cp 0");
    talk.send("position fen 4/4/ooo1/xxx1 x");
    assert_eq!(score(&mut talk, "go depth 4"), "mate 1");
}

#[test]
fn plain_othello_is_the_difference_of_the_discs() {
    let mut talk = talk("othello", "startpos");
    talk.send("setoption name Evaluation value plain");
    // One disc more, and one turned over.
    assert_eq!(score(&mut talk, "go depth 1"), "cp 300");
    talk.send("setoption name Selective value false");
    for depth in 1..=5 {
        let expected = with_game("othello", Minimax("8/8/8/3ox3/3xo3/8/8/8 x", depth)).unwrap();
        assert_eq!(score(&mut talk, &format!("go depth {depth}")), expected, "depth {depth}");
    }
}

#[test]
fn plain_nim_is_without_its_theory() {
    let mut talk = talk("nim:14", "startpos");
    assert_eq!(score(&mut talk, "go depth 1"), "mate 4");
    talk.send("setoption name Evaluation value plain");
    assert_eq!(score(&mut talk, "go depth 1"), "cp 0");
    assert_eq!(score(&mut talk, "go depth 14"), "mate 4", "the search finds what the theory knew");
}
