//! Connect Four against columns of letters that share no code with it, and against what is known of it.

use griot::game::{Notation as _, Outcome, Position as _, Side, SplitMix64};
use griot::games::connect4::solver::Solver;
use griot::games::connect4::{Board, Notation, Position, Standard, Style, game, parse_parameters};
use griot::search::perft::perft;
use griot::search::{Knowledge, Task, TranspositionTable, search};

use crate::support::plain::{self, Plain as _, perft_lines};

/// A board as one would write it down: each column from the ground up.
#[derive(Clone)]
struct Plain {
    columns: Vec<String>,
    rows: usize,
    k: usize,
    turn: char,
}

impl Plain {
    fn new(cols: u8, rows: u8, k: u8) -> Plain {
        Plain { columns: vec![String::new(); cols.into()], rows: rows.into(), k: k.into(), turn: 'x' }
    }

    fn at(&self, col: i32, row: i32) -> Option<char> {
        self.columns.get(usize::try_from(col).ok()?)?.chars().nth(usize::try_from(row).ok()?)
    }

    fn has_won(&self, who: char) -> bool {
        let directions = [(1, 0), (0, 1), (1, 1), (1, -1)];
        let cells = (0..self.columns.len() as i32).flat_map(|col| (0..self.rows as i32).map(move |row| (col, row)));
        cells.into_iter().any(|(col, row)| {
            directions
                .into_iter()
                .any(|(dc, dr)| (0..self.k as i32).all(|i| self.at(col + i * dc, row + i * dr) == Some(who)))
        })
    }

    fn read(text: &str, cols: u8, rows: u8, k: u8) -> Plain {
        let mut plain = Plain::new(cols, rows, k);
        let (board, turn) = text.split_once(' ').unwrap();
        for row in board.split('/').rev() {
            let (mut col, mut empty) = (0, 0);
            for letter in row.chars() {
                match letter.to_digit(10) {
                    Some(digit) => empty = 10 * empty + digit as usize,
                    None => {
                        col += std::mem::take(&mut empty);
                        plain.columns[col].push(letter);
                        col += 1;
                    }
                }
            }
        }
        plain.turn = turn.chars().next().unwrap();
        plain
    }
}

impl plain::Plain for Plain {
    fn outcome(&self) -> Option<Outcome> {
        if self.has_won('x') {
            Some(Outcome::Win(Side::First))
        } else if self.has_won('o') {
            Some(Outcome::Win(Side::Second))
        } else {
            self.columns.iter().all(|column| column.len() == self.rows).then_some(Outcome::Draw)
        }
    }

    fn moves(&self) -> Vec<String> {
        if self.outcome().is_some() {
            return Vec::new();
        }
        let open = ('a'..).zip(&self.columns).filter(|(_, column)| column.len() < self.rows);
        open.map(|(letter, _)| letter.to_string()).collect()
    }

    fn play(&mut self, mv: &str) {
        self.columns[(mv.as_bytes()[0] - b'a') as usize].push(self.turn);
        self.turn = if self.turn == 'x' { 'o' } else { 'x' };
    }

    fn text(&self) -> String {
        let mut rows = Vec::new();
        for row in (0..self.rows as i32).rev() {
            let cells: String = (0..self.columns.len() as i32).map(|col| self.at(col, row).unwrap_or('.')).collect();
            let mut text = cells;
            for empty in (1..=text.len()).rev() {
                text = text.replace(&".".repeat(empty), &empty.to_string());
            }
            rows.push(text);
        }
        format!("{} {}", rows.join("/"), self.turn)
    }
}

/// Plays random games on both boards and compares moves, outcomes and texts at every ply; returns how games ended.
fn compare<B: Board>(board: B, games: usize) -> [usize; 3] {
    let parameters = *board.parameters();
    let notation = Notation::new(board, Style::Coordinates);
    let drops = Notation::new(board, Style::Drops);
    let mut rng = SplitMix64::new(11);
    let mut endings = [0; 3];
    for _ in 0..games {
        let plain = Plain::new(parameters.cols(), parameters.rows(), parameters.k());
        let ending = plain::compare(&notation, plain, &mut rng, |position, text, _| {
            assert_eq!(drops.parse_position(text).as_ref(), Ok(position), "{text}");
            assert_eq!(notation.parse_position(&drops.position_text(position)).as_ref(), Ok(position), "{text}");
        });
        endings[ending] += 1;
    }
    endings
}

#[test]
fn every_size_of_board_agrees_with_the_plain_one() {
    assert!(compare(Standard, 400).iter().all(|&endings| endings > 0));
    for cols in 1..=9 {
        for rows in 1..=(64 / cols - 1).min(9) {
            for k in 1..=cols.max(rows).min(6) {
                compare(parse_parameters(&format!("connect4:{cols},{rows},{k}")).unwrap(), 4);
            }
        }
    }
    for name in ["connect4:26,1,4", "connect4:21,2,3", "connect4:12,4,4", "connect4:1,63,5", "connect4:2,31,4"] {
        compare(parse_parameters(name).unwrap(), 4);
    }
}

#[test]
fn the_perft_file_agrees_with_the_plain_board() {
    let mut seen = 0;
    for line in perft_lines(include_str!("../../src/games/connect4/connect4.perft")) {
        let parameters = parse_parameters(line.game).unwrap();
        let position = Notation::new(parameters, Style::Coordinates).parse_position(line.board).unwrap();
        let plain = Plain::read(line.board, parameters.cols(), parameters.rows(), parameters.k());
        assert_eq!(plain.text(), line.board);
        for (depth, nodes) in line.counts {
            if nodes <= 4_000_000 {
                assert_eq!(perft(&position, depth), nodes, "{}, depth {depth}", line.board);
            }
            // The plain board is slow: it checks the depths it can afford.
            if nodes <= 3_000 {
                assert_eq!(plain.perft(depth), nodes, "{}, depth {depth}", line.board);
                seen += 1;
            }
        }
    }
    assert!(seen >= 60, "{seen}");
}

/// A position after so many random plies in which nobody wins at once.
fn random_position<B: Board>(board: B, plies: usize, rng: &mut SplitMix64) -> Position<B> {
    loop {
        let mut position = Position::start(board);
        let mut moves = Vec::new();
        for _ in 0..plies {
            moves.clear();
            position.generate(&mut moves);
            let Some(last) = moves.len().checked_sub(1) else { break };
            position.play(moves[rng.below(last + 1)]);
        }
        if position.outcome().is_none() && !position.can_win() {
            return position;
        }
    }
}

#[test]
fn the_search_finds_what_the_solver_does_and_tells_a_line_to_the_end() {
    fn check<B: Board>(board: B, plies: usize, lines: usize) {
        let game = game(board, Style::Coordinates);
        let mut solver = Solver::new(board, 1 << 22).unwrap();
        let mut rng = SplitMix64::new(21);
        for _ in 0..12 {
            let root = random_position(board, plies, &mut rng);
            let value = solver.solve(&root, &|_| false, &mut |_| {}).exact().unwrap();
            let table = TranspositionTable::new(4).unwrap();
            let task = Task { lines, ..Task::new(root) };
            let verdict = search(&task, Knowledge::new(&game.evaluate, &game.probe, &table), &mut ());
            assert_eq!(verdict.score, value, "{root:?}");
            let all = verdict.others.iter().map(|line| (line.score, &line.pv)).chain([(verdict.score, &verdict.pv)]);
            for (score, pv) in all {
                let end = pv.iter().fold(root, |position, &mv| position.after(mv));
                assert_eq!(end.outcome().is_some(), score.distance().is_none_or(|plies| plies as usize == pv.len()));
                let next = root.after(pv[0]);
                let behind = match next.outcome() {
                    Some(outcome) => outcome.score_for(next.side_to_move()),
                    None => solver.solve(&next, &|_| false, &mut |_| {}).exact().unwrap(),
                };
                assert_eq!((-behind).backed_up(), score, "{root:?} {pv:?}");
            }
        }
    }
    check(Standard, 16, 1);
    check(Standard, 18, 7);
    check(parse_parameters("connect4:6,5,4").unwrap(), 12, 3);
    check(parse_parameters("connect4:8,4,4").unwrap(), 14, 1);
}
