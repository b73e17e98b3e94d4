//! Othello against a board of letters that shares no code with it, and endings solved by brute force.

use griot::game::{Notation as _, Outcome, Position as _, Side, SplitMix64};
use griot::games::othello::{Notation, Position};
use griot::registry::{Visitor, with_game};
use griot::score::{Meaning, Score};
use griot::search::perft::perft;
use griot::search::{Knowledge, Task, Technique, Techniques, TranspositionTable, search};

use crate::support::plain::{self, Plain as _, perft_lines};

/// A board as one would write it down: `cells[row][col]`, row 1 first.
#[derive(Clone)]
struct Plain {
    cells: Vec<Vec<char>>,
    turn: char,
}

fn other(who: char) -> char {
    if who == 'x' { 'o' } else { 'x' }
}

impl Plain {
    fn read(text: &str) -> Plain {
        let (board, turn) = text.split_once(' ').unwrap();
        let cells = board.split('/').map(|row| {
            row.chars().flat_map(|c| c.to_digit(10).map_or(vec![c], |empty| vec!['.'; empty as usize])).collect()
        });
        Plain { cells: cells.collect(), turn: turn.chars().next().unwrap() }
    }

    fn at(&self, col: i32, row: i32) -> Option<char> {
        self.cells.get(usize::try_from(row).ok()?)?.get(usize::try_from(col).ok()?).copied()
    }

    /// The cells that a disc of `who` turns over.
    fn turned(&self, who: char, col: i32, row: i32) -> Vec<(i32, i32)> {
        let mut turned = Vec::new();
        if self.at(col, row) != Some('.') {
            return turned;
        }
        for (dc, dr) in (-1..=1).flat_map(|dc| (-1..=1).map(move |dr| (dc, dr))) {
            let line = |i: i32| (col + i * dc, row + i * dr);
            let run = (1..8).take_while(|&i| self.at(line(i).0, line(i).1) == Some(other(who))).count() as i32;
            if (dc, dr) != (0, 0) && self.at(line(run + 1).0, line(run + 1).1) == Some(who) {
                turned.extend((1..=run).map(line));
            }
        }
        turned
    }

    fn cells_to_play(&self, who: char) -> Vec<String> {
        let cells = (0..8).flat_map(|row| (0..8).map(move |col| (col, row)));
        let legal = cells.filter(|&(col, row)| !self.turned(who, col, row).is_empty());
        legal.map(|(col, row)| format!("{}{}", char::from(b'a' + col as u8), row + 1)).collect()
    }
}

impl plain::Plain for Plain {
    fn text(&self) -> String {
        let row = |cells: &Vec<char>| {
            let mut text: String = cells.iter().collect();
            for empty in (1..=8).rev() {
                text = text.replace(&".".repeat(empty), &empty.to_string());
            }
            text
        };
        format!("{} {}", self.cells.iter().map(row).collect::<Vec<_>>().join("/"), self.turn)
    }

    fn outcome(&self) -> Option<Outcome> {
        let count = |who| self.cells.iter().flatten().filter(|&&cell| cell == who).count();
        self.moves().is_empty().then(|| match count('x').cmp(&count('o')) {
            std::cmp::Ordering::Greater => Outcome::Win(Side::First),
            std::cmp::Ordering::Less => Outcome::Win(Side::Second),
            std::cmp::Ordering::Equal => Outcome::Draw,
        })
    }

    fn moves(&self) -> Vec<String> {
        let moves = self.cells_to_play(self.turn);
        let must_pass = moves.is_empty() && !self.cells_to_play(other(self.turn)).is_empty();
        if must_pass { vec!["0000".into()] } else { moves }
    }

    fn play(&mut self, mv: &str) {
        if mv != "0000" {
            let (col, row) = (i32::from(mv.as_bytes()[0] - b'a'), i32::from(mv.as_bytes()[1] - b'1'));
            for (col, row) in self.turned(self.turn, col, row).into_iter().chain([(col, row)]) {
                self.cells[row as usize][col as usize] = self.turn;
            }
        }
        self.turn = other(self.turn);
    }
}

fn moves(position: &Position) -> Vec<u8> {
    let mut moves = Vec::new();
    position.generate(&mut moves);
    moves
}

#[test]
fn random_games_agree_with_the_plain_board() {
    let mut rng = SplitMix64::new(11);
    let (mut endings, mut passes) = ([0; 3], 0);
    for _ in 0..120 {
        let ending = plain::compare(&Notation, Plain::read("8/8/8/3ox3/3xo3/8/8/8 x"), &mut rng, |_, _, moves| {
            passes += u32::from(moves == ["0000"]);
        });
        endings[ending] += 1;
    }
    assert!(endings.iter().all(|&endings| endings > 0) && passes > 40, "{endings:?} {passes}");
}

#[test]
fn the_perft_file_agrees_with_the_plain_board() {
    let mut seen = 0;
    for line in perft_lines(include_str!("../../src/games/othello/othello.perft")) {
        let (position, plain) = (Notation.parse_position(line.board).unwrap(), Plain::read(line.board));
        assert_eq!((line.game, plain.text().as_str()), ("othello", line.board));
        for (depth, nodes) in line.counts {
            // Both boards check the depths that they can afford.
            if nodes <= 4_000_000 {
                assert_eq!(perft(&position, depth), nodes, "{}, depth {depth}", line.board);
            }
            if nodes <= 3_000 {
                assert_eq!(plain.perft(depth), nodes, "{}, depth {depth}", line.board);
                seen += 1;
            }
        }
    }
    assert!(seen >= 80, "{seen}");
}

/// The final balance in discs for the side to move, by plain negamax.
fn balance(position: &Position) -> i32 {
    if position.outcome().is_some() {
        return position.balance();
    }
    moves(position).into_iter().map(|mv| -balance(&position.after(mv))).max().unwrap()
}

/// The search's value of a position.
struct Solve<'a>(&'a str);

impl Visitor for Solve<'_> {
    type Output = Score;
    fn visit<N, E, T>(self, game: griot::game::Game<N, E, T>) -> Score
    where
        N: griot::game::Notation,
        E: griot::game::Evaluate<N::Position>,
        T: griot::game::Probe<N::Position>,
    {
        let root = game.notation.parse_position(self.0).unwrap();
        let table = TranspositionTable::new(4).unwrap();
        let knowledge = Knowledge::new(&game.evaluate, &game.probe, &table);
        search(&Task::new(root), knowledge, &mut ()).score
    }
}

/// What a search of so many nodes comes to, with the game's own proofs and without.
struct WithAndWithoutProofs<'a>(&'a str, u64);

impl Visitor for WithAndWithoutProofs<'_> {
    type Output = [(u32, Score, u64); 2];
    fn visit<N, E, T>(self, game: griot::game::Game<N, E, T>) -> Self::Output
    where
        N: griot::game::Notation,
        E: griot::game::Evaluate<N::Position>,
        T: griot::game::Probe<N::Position>,
    {
        let root = game.notation.parse_position(self.0).unwrap();
        [Techniques::ALL, Techniques::ALL.without(Technique::Proofs)].map(|techniques| {
            let table = TranspositionTable::new(4).unwrap();
            let task = Task { nodes: self.1, techniques, ..Task::new(root.clone()) };
            let verdict = search(&task, Knowledge::new(&game.evaluate, &game.probe, &table), &mut ());
            (verdict.depth, verdict.score, verdict.nodes)
        })
    }
}

#[test]
fn the_solver_is_asked_when_it_may_come_to_an_end() {
    let mut rng = SplitMix64::new(3);
    let mut asked = 0;
    for _ in 0..4 {
        let mut position = Notation.start();
        while position.outcome().is_none() {
            let empty = position.empty().count_ones();
            if empty == 22 || empty == 12 {
                let text = Notation.position_text(&position);
                let [with, without] = with_game("othello", WithAndWithoutProofs(&text, 30_000)).unwrap();
                // Far from the end the iterations have all nodes to themselves.
                assert!(empty < 20 || with == without, "{text}: {with:?}, {without:?}");
                asked += u32::from(empty < 20 && with != without);
            }
            let moves = moves(&position);
            position.play(moves[rng.below(moves.len())]);
        }
    }
    assert_eq!(asked, 4);
}

#[test]
fn endings_have_the_balance_that_brute_force_gives_them() {
    let mut rng = SplitMix64::new(21);
    let mut results = [0; 3];
    for _ in 0..60 {
        let mut position = Notation.start();
        while position.outcome().is_none() && position.empty().count_ones() > 8 {
            let moves = moves(&position);
            position.play(moves[rng.below(moves.len())]);
        }
        if position.outcome().is_some() {
            continue;
        }
        let text = Notation.position_text(&position);
        let best = balance(&position);
        let found = match with_game("othello", Solve(&text)).unwrap().meaning() {
            Meaning::Units(units) => units,
            other => panic!("{text}: {other:?}"),
        };
        assert_eq!(found, 100 * best, "{text}");
        results[(found.signum() + 1) as usize] += 1;
    }
    assert!(results[0] > 10 && results[2] > 10, "{results:?}");
}
