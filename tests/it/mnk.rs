//! m,n,k games against a plain two-dimensional array that shares no code with them, and against what is known of
//! tic-tac-toe: the tree of 549,946 nodes, 255,168 games and 5,478 positions, and the value of a draw.

use std::collections::HashSet;

use griot::game::{Notation as _, Outcome, Position as _, Side, SplitMix64};
use griot::games::mnk::{Notation, Parameters, Position, Style, parse_parameters};
use griot::search::perft::perft;

use crate::support::plain::{self, Plain as _, perft_lines};

/// A board as one would write it down: `cells[row][col]`, row 0 at the bottom.
#[derive(Clone)]
struct Plain {
    cells: Vec<Vec<char>>,
    k: usize,
    exact: bool,
    turn: char,
}

impl Plain {
    fn new(cols: usize, rows: usize, k: usize, exact: bool) -> Plain {
        Plain { cells: vec![vec!['.'; cols]; rows], k, exact, turn: 'x' }
    }

    /// Every straight line of cells of the board, edge to edge.
    fn lines(&self) -> Vec<String> {
        let (rows, cols) = (self.cells.len() as i32, self.cells[0].len() as i32);
        let mut lines = Vec::new();
        for (dc, dr) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
            for row in 0..rows {
                for col in 0..cols {
                    let on_board = |c: i32, r: i32| (0..cols).contains(&c) && (0..rows).contains(&r);
                    if on_board(col - dc, row - dr) {
                        continue;
                    }
                    let cells = (0..).map(|i| (col + i * dc, row + i * dr)).take_while(|&(c, r)| on_board(c, r));
                    lines.push(cells.map(|(c, r)| self.cells[r as usize][c as usize]).collect());
                }
            }
        }
        lines
    }

    fn has_won(&self, who: char) -> bool {
        let wins = |run: &str| if self.exact { run.len() == self.k } else { run.len() >= self.k };
        self.lines().iter().any(|line| line.split(|c| c != who).any(|run| !run.is_empty() && wins(run)))
    }
}

impl plain::Plain for Plain {
    fn outcome(&self) -> Option<Outcome> {
        if self.has_won('x') {
            Some(Outcome::Win(Side::First))
        } else if self.has_won('o') {
            Some(Outcome::Win(Side::Second))
        } else {
            self.cells.iter().all(|row| !row.contains(&'.')).then_some(Outcome::Draw)
        }
    }

    fn moves(&self) -> Vec<String> {
        if self.outcome().is_some() {
            return Vec::new();
        }
        let mut moves = Vec::new();
        for (rank, row) in (1..).zip(&self.cells) {
            for (file, cell) in ('a'..).zip(row) {
                if *cell == '.' {
                    moves.push(format!("{file}{rank}"));
                }
            }
        }
        moves
    }

    fn play(&mut self, mv: &str) {
        let col = (mv.as_bytes()[0] - b'a') as usize;
        let row: usize = mv[1..].parse().unwrap();
        self.cells[row - 1][col] = self.turn;
        self.turn = if self.turn == 'x' { 'o' } else { 'x' };
    }

    fn text(&self) -> String {
        let mut rows = Vec::new();
        for row in self.cells.iter().rev() {
            let mut text = String::new();
            let mut rest: String = row.iter().collect();
            while !rest.is_empty() {
                let empty = rest.len() - rest.trim_start_matches('.').len();
                if empty > 0 {
                    text += &empty.to_string();
                    rest.drain(..empty);
                } else {
                    text.push(rest.remove(0));
                }
            }
            rows.push(text);
        }
        format!("{} {}", rows.join("/"), self.turn)
    }
}

/// Plays random games on both boards and compares moves, outcomes and texts at every ply; returns how games ended.
fn compare<const W: usize>(name: &str, games: usize) -> [usize; 3] {
    let parameters = parse_parameters(name).unwrap();
    let notation = Notation::<W>::new(parameters, Style::Coordinates);
    let drops = Notation::<W>::new(parameters, Style::Drops);
    let mut rng = SplitMix64::new(11);
    let mut endings = [0; 3];
    for _ in 0..games {
        let [cols, rows, k] = [parameters.cols(), parameters.rows(), parameters.k()].map(usize::from);
        let plain = Plain::new(cols, rows, k, parameters.exact());
        let ending = plain::compare(&notation, plain, &mut rng, |position, text, _| {
            assert_eq!(drops.parse_position(text).as_ref(), Ok(position), "{name}: {text}");
            let read = notation.parse_position(&drops.position_text(position));
            assert_eq!(read.as_ref(), Ok(position), "{name}: {text}");
        });
        endings[ending] += 1;
    }
    endings
}

#[test]
fn every_size_of_small_board_agrees_with_the_plain_board() {
    for cols in 1..=5_u8 {
        for rows in 1..=5_u8 {
            for k in 1..=cols.max(rows) {
                for exact in ["", ",exact"] {
                    compare::<1>(&format!("mnk:{cols},{rows},{k}{exact}"), 8);
                }
            }
        }
    }
}

#[test]
fn large_boards_agree_with_the_plain_board() {
    compare::<1>("mnk:7,8,4", 20);
    compare::<1>("mnk:8,7,4,exact", 20);
    compare::<1>("mnk:22,2,4", 20);
    compare::<1>("mnk:2,21,6", 20);
    compare::<2>("mnk:10,11,5", 10);
    compare::<2>("mnk:9,9,4,exact", 20);
    compare::<4>("gomoku", 4);
    compare::<4>("gomokufreestyle", 4);
    compare::<4>("mnk:22,10,3,exact", 20);
    compare::<8>("mnk:19,19,5,exact", 2);
    compare::<8>("mnk:22,22,4", 4);
    compare::<8>("mnk:22,22,3,exact", 8);
}

#[test]
fn random_games_reach_every_ending() {
    assert!(compare::<1>("tictactoe", 300).iter().all(|&endings| endings > 0));
    assert!(compare::<1>("mnk:5,5,4,exact", 100).iter().all(|&endings| endings > 0));
}

/// What a plain walk of a whole game tree finds.
#[derive(Debug, Default)]
struct Tree {
    nodes: u32,
    /// Games won by x, won by o, drawn.
    games: [u32; 3],
    positions: HashSet<String>,
    hashes: HashSet<u64>,
}

fn walk(notation: &Notation<1>, position: &Position<1>, tree: &mut Tree) {
    tree.nodes += 1;
    tree.positions.insert(notation.position_text(position));
    tree.hashes.insert(position.hash());
    let ending = match position.outcome() {
        Some(Outcome::Win(side)) => Some(side.index()),
        Some(Outcome::Draw) => Some(2),
        None => None,
    };
    if let Some(ending) = ending {
        tree.games[ending] += 1;
    }
    let mut moves = Vec::new();
    position.generate(&mut moves);
    for mv in moves {
        walk(notation, &position.after(mv), tree);
    }
}

/// 1, 0 or -1 for the side to move, by plain negamax.
fn value(position: &Position<1>) -> i32 {
    match position.outcome() {
        Some(Outcome::Draw) => 0,
        Some(Outcome::Win(side)) => 1 - 2 * i32::from(side != position.side_to_move()),
        None => {
            let mut moves = Vec::new();
            position.generate(&mut moves);
            moves.iter().map(|&mv| -value(&position.after(mv))).max().unwrap()
        }
    }
}

fn tic_tac_toe() -> Notation<1> {
    Notation::new(Parameters::TIC_TAC_TOE, Style::Coordinates)
}

/// A course document gives 576,285 nodes; there are 549,946.
#[test]
fn the_tree_of_tic_tac_toe_has_its_known_size() {
    let mut tree = Tree::default();
    walk(&tic_tac_toe(), &tic_tac_toe().start(), &mut tree);
    assert_eq!(tree.nodes, 549_946);
    assert_eq!(tree.games, [131_184, 77_904, 46_080]);
    assert_eq!(tree.games.iter().sum::<u32>(), 255_168);
    assert_eq!((tree.positions.len(), tree.hashes.len()), (5_478, 5_478));
}

#[test]
fn the_plies_of_tic_tac_toe_have_their_known_numbers_of_lines() {
    let start = tic_tac_toe().start();
    let lines: Vec<u64> = (1..=9).map(|depth| perft(&start, depth)).collect();
    assert_eq!(lines, [9, 72, 504, 3024, 15_120, 54_720, 148_176, 200_448, 127_872]);
    assert_eq!(1 + lines.iter().sum::<u64>(), 549_946);
}

#[test]
fn tic_tac_toe_is_a_draw() {
    assert_eq!(value(&tic_tac_toe().start()), 0);
}

/// The worked example of a course document: middle right holds the draw, the two other moves lose.
#[test]
fn the_example_of_a_course_document_has_its_values() {
    let notation = tic_tac_toe();
    let position = notation.parse_position("xox/oo1/1x1 x").unwrap();
    let after = |mv: &str| -value(&position.after(notation.parse_move(&position, mv).unwrap()));
    assert_eq!([after("c2"), after("a1"), after("c1")], [0, -1, -1]);
    assert_eq!(value(&position), 0);
    let next = position.after(notation.parse_move(&position, "c2").unwrap());
    let replies = ["a1", "c1"].map(|mv| -value(&next.after(notation.parse_move(&next, mv).unwrap())));
    assert_eq!(replies, [-1, 0]);
}

#[test]
fn the_perft_file_agrees_with_the_plain_board() {
    fn counts<const W: usize>(parameters: Parameters, text: &str, depths: &[u32]) -> Vec<u64> {
        let position = Notation::<W>::new(parameters, Style::Coordinates).parse_position(text).unwrap();
        depths.iter().map(|&depth| perft(&position, depth)).collect()
    }
    let mut seen = 0;
    for line in perft_lines(include_str!("../../src/games/mnk/mnk.perft")) {
        let text = line.board;
        let parameters = parse_parameters(line.game).unwrap();
        let (depths, nodes): (Vec<u32>, Vec<u64>) = line.counts.into_iter().unzip();
        let found = match parameters.words() {
            1 => counts::<1>(parameters, text, &depths),
            2 => counts::<2>(parameters, text, &depths),
            4 => counts::<4>(parameters, text, &depths),
            _ => counts::<8>(parameters, text, &depths),
        };
        assert_eq!(found, nodes, "{text}");

        let [cols, rows, k] = [parameters.cols(), parameters.rows(), parameters.k()].map(usize::from);
        let mut plain = Plain::new(cols, rows, k, parameters.exact());
        let (board, side) = text.split_once(' ').unwrap();
        for (row, cells) in board.split('/').rev().enumerate() {
            let mut col = 0;
            let mut run = 0;
            for letter in cells.chars() {
                if let Some(digit) = letter.to_digit(10) {
                    run = 10 * run + digit as usize;
                } else {
                    col += std::mem::take(&mut run);
                    plain.cells[row][col] = letter;
                    col += 1;
                }
            }
        }
        plain.turn = side.chars().next().unwrap();
        assert_eq!(plain.text(), text);
        // The plain board is slow: it checks the depths it can afford.
        for (&depth, &nodes) in depths.iter().zip(&nodes).filter(|&(_, &nodes)| nodes <= 60_000 / (cols * rows) as u64)
        {
            assert_eq!(plain.perft(depth), nodes, "{text}, depth {depth}");
            seen += 1;
        }
    }
    assert!(seen >= 40, "{seen}");
}
