//! The oracle: every algorithm against plain minimax, on every game, over random positions with their histories.
//!
//! With `selective` off, the full search must give plain minimax's value at every depth. With it on, it may see deeper, but
//! what it calls proven must be what a deeper minimax finds.

use crate::support::{Ignorant, Known, random_line};
use griot::game::family::Sample;
use griot::game::{Evaluate, Evaluator, Game, Notation, Position, Probe, Side, SplitMix64};
use griot::registry::{Visitor, samples, with_game};
use griot::score::{Meaning, Score};
use griot::search::textbook::Textbook;
use griot::search::{Algorithm, Knowledge, Parameters, Path, Task, TranspositionTable, search};
use griot_testing::{Cases, full_run, picked, sample};

struct Oracle {
    seed: u64,
    positions: usize,
    depth: u32,
    /// Plies of random play before a position is taken: up to so many.
    plies: usize,
    /// Board texts to start from; the start position if there are none.
    boards: &'static [&'static str],
    /// Whether the game's exact knowledge is hidden, so that the search has work to do.
    dull: bool,
    /// Whether the evaluation is the plain count of `Evaluation plain`, without exact knowledge.
    plain: bool,
}

/// From a tenth to ten times of what the search does by itself, each as likely to be more as to be less.
fn random_parameters(rng: &mut SplitMix64) -> Parameters {
    let mut percent = || match rng.below(2) {
        0 => 10 + rng.below(90) as u16,
        _ => 100 + rng.below(901) as u16,
    };
    Parameters {
        lmr: percent(),
        futility: percent(),
        razoring: percent(),
        late_moves: percent(),
        null_move: percent(),
        aspiration: percent(),
    }
}

impl Oracle {
    fn check<N, E, T>(&self, name: &str, notation: &N, evaluate: Evaluator<'_, E>, probe: &T)
    where
        N: Notation,
        E: Evaluate<N::Position>,
        T: Probe<N::Position>,
    {
        let Cases { seed, rounds } = sample(self.seed, self.positions, self.positions.div_ceil(10));
        let [mut rng, mut percents] = [seed, !seed].map(SplitMix64::new);
        let starts: Vec<N::Position> = match self.boards {
            [] => vec![notation.start()],
            boards => boards.iter().map(|board| notation.parse_position(board).unwrap()).collect(),
        };
        let table = TranspositionTable::new(4).unwrap();
        let [exact, free, shared] = [(); 3].map(|()| TranspositionTable::new(4).unwrap());
        // A part of the boards has its turn every day.
        let first = if full_run() { 0 } else { seed as usize % starts.len() };
        for number in first..first + rounds {
            let (position, history) = random_line(starts[number % starts.len()].clone(), self.plies, &mut rng);
            let text = format!("{name} {} after {} plies", notation.position_text(&position), history.len());
            let mut never = |_: u32| false;
            let mut book = Textbook::new(evaluate, Path::new(&history), &mut never);
            let mut expected = Score::DRAW;
            for depth in 1..=self.depth {
                expected = book.negamax(&position, depth).unwrap();
                let for_first = if position.side_to_move() == Side::First { expected } else { -expected };
                // Looking at the same tree, it takes as long: the deepest is left out.
                if depth < self.depth {
                    assert_eq!(book.minimax(&position, depth), Ok(for_first), "minimax {depth}: {text}");
                }
                let (low, high) = (-Score::INFINITY, Score::INFINITY);
                assert_eq!(book.alpha_beta(&position, depth, low, high), Ok(for_first), "alpha-beta {depth}: {text}");
                assert_eq!(book.nega_beta(&position, depth, low, high), Ok(expected), "negabeta {depth}: {text}");
            }
            let task = Task { history: history.clone(), depth: self.depth, ..Task::new(position.clone()) };
            let knowledge = Knowledge::new(evaluate, probe, &exact);
            let verdict = search(&Task { selective: false, ..task.clone() }, knowledge, &mut ());
            // A search that ended early has proven its value.
            assert_eq!(verdict.score, expected, "selective off, depth {}: {text}", verdict.depth);
            // Several threads share a table, and the value is the same.
            let task_of_three = Task { selective: false, threads: 3, ..task.clone() };
            let knowledge = Knowledge::new(evaluate, probe, &shared);
            let verdict = search(&task_of_three, knowledge, &mut ());
            assert_eq!(verdict.score, expected, "three threads, depth {}: {text}", verdict.depth);
            for algorithm in [Algorithm::Minimax, Algorithm::Negamax, Algorithm::NegaBeta] {
                let task = Task { algorithm, depth: self.depth.min(3), ..task.clone() };
                let expected = book.negamax(&position, task.depth).unwrap();
                let verdict = search(&task, Knowledge::new(evaluate, probe, &table), &mut ());
                assert_eq!(verdict.score, expected, "{algorithm}: {text}");
            }
            self.check_lines(evaluate, probe, &task, &text);
            let result = |score: Score| match score.meaning() {
                Meaning::Win(_) => 1,
                Meaning::Loss(_) => -1,
                _ => 0,
            };
            // However eagerly it reduces and prunes.
            for parameters in [Parameters::default(), random_parameters(&mut percents)] {
                let task = Task { parameters, ..task.clone() };
                let verdict = search(&task, Knowledge::new(evaluate, probe, &free), &mut ());
                let text = format!("{text}, {parameters}");
                let proven = verdict.score.distance().is_some_and(|plies| plies <= self.depth);
                if position.outcome_by_repetition().is_none() && (proven || verdict.depth < self.depth) {
                    // The table is full of earlier searches: what ended the search must be right all the same, to the ply.
                    assert_eq!(verdict.score, expected, "selective on, solved at depth {}: {text}", verdict.depth);
                } else if proven {
                    assert_eq!(result(verdict.score), result(expected), "selective on, a proven result: {text}");
                }
            }
        }
    }
}

impl Oracle {
    /// As many lines as there are moves: each is worth what minimax finds behind its move, and the best comes first.
    fn check_lines<P, E, T>(&self, evaluate: Evaluator<'_, E>, probe: &T, task: &Task<P>, text: &str)
    where
        P: Position,
        E: Evaluate<P>,
        T: Probe<P>,
    {
        let root = &task.root;
        let mut moves = Vec::new();
        root.generate(&mut moves);
        moves.truncate(8);
        let table = TranspositionTable::new(1).unwrap();
        for algorithm in [Algorithm::AlphaBeta, Algorithm::Minimax, Algorithm::Negamax, Algorithm::NegaBeta] {
            let depth = if algorithm.is_textbook() { 2 } else { self.depth };
            let task = Task { algorithm, depth, selective: false, lines: 256, moves: moves.clone(), ..task.clone() };
            let verdict = search(&task, Knowledge::new(evaluate, probe, &table), &mut ());
            let first = (verdict.score, verdict.pv[0]);
            let lines: Vec<_> = [first].into_iter().chain(verdict.others.iter().map(|l| (l.score, l.pv[0]))).collect();
            assert!(lines.windows(2).all(|pair| pair[0].0 >= pair[1].0), "{algorithm}, best first: {lines:?}: {text}");
            assert_eq!(lines.len(), moves.len(), "{algorithm}: {text}");
            for &mv in &moves {
                let (score, _) = lines.iter().find(|line| line.1 == mv).expect("a line for every move");
                let mut path = Path::new(&task.history);
                let next = root.after(mv);
                path.play(root, root.hash(), &next);
                let mut never = |_: u32| false;
                let behind = Textbook::new(evaluate, path, &mut never).negamax(&next, depth - 1).unwrap();
                assert_eq!(*score, (-behind).backed_up(), "{algorithm}, depth {depth}, {mv:?}: {text}");
            }
        }
    }
}

impl Visitor for Oracle {
    type Output = ();
    fn visit<N, E, T>(self, game: Game<N, E, T>)
    where
        N: Notation,
        E: Evaluate<N::Position>,
        T: Probe<N::Position>,
    {
        if self.dull {
            self.check(&game.name, &game.notation, Evaluator::full(&Ignorant::Folded), &Known::nothing(&game.probe));
        } else if self.plain {
            self.check(&game.name, &game.notation, Evaluator::plain(&game.evaluate), &game.probe);
        } else {
            self.check(&game.name, &game.notation, Evaluator::full(&game.evaluate), &game.probe);
        }
    }
}

const USUAL: Oracle = Oracle { seed: 1, positions: 12, depth: 5, plies: 60, boards: &[], dull: false, plain: false };

#[test]
fn every_sample_of_every_family() {
    for &Sample { game, depth, .. } in picked(samples().filter(|sample| sample.depth > 0), 6) {
        let positions = if depth <= 2 { 1 } else { 3 };
        with_game(game, Oracle { positions, depth: depth.min(3), plies: 3, seed: 4, ..USUAL }).unwrap();
    }
}

#[test]
fn awale_from_openings_to_endings() {
    for name in ["awale", "awale:awari", "awale:tipe"] {
        with_game(name, USUAL).unwrap();
        with_game(name, Oracle { plies: 140, seed: 2, ..USUAL }).unwrap();
    }
}

#[test]
fn awale_where_positions_repeat() {
    // Few seeds that run round and round: with a history behind them, repetition is within reach of a shallow search.
    const FEW: &[&str] =
        &["1-0-0-0-0-0-0-0-1-0-0-0-23-23-S", "0-0-1-0-1-0-1-0-0-0-0-0-24-21-N", "0-1-0-0-0-0-1-0-0-0-0-1-22-23-S"];
    const MORE: &[&str] = &["1-0-1-0-1-0-1-0-1-1-0-1-20-21-S", "0-1-1-0-0-1-1-0-1-0-2-0-21-20-N"];
    for (name, boards) in picked([("awale", FEW), ("awale:awari", FEW), ("awale:tipe", MORE)], 1) {
        with_game(name, Oracle { boards, plies: 14, positions: 90, depth: 9, ..USUAL }).unwrap();
        // Deep enough for a way back to a position of the search itself.
        for plain in [false, true] {
            with_game(name, Oracle { boards, plies: 4, positions: 9, depth: 14, plain, ..USUAL }).unwrap();
        }
    }
}

#[test]
fn mini_wari_to_its_end() {
    with_game("awale:mini", Oracle { positions: 60, depth: 8, plies: 24, ..USUAL }).unwrap();
    const FEW: &[&str] =
        &["1-0-0-0-1-0-5-5-S", "0-1-0-1-0-1-5-4-N", "2-0-0-1-0-1-4-4-S", "1-1-0-0-2-1-3-4-S", "0-0-1-1-1-0-4-5-N"];
    for plain in [false, true] {
        with_game("awale:mini", Oracle { boards: FEW, positions: 400, depth: 11, plies: 20, plain, ..USUAL }).unwrap();
    }
}

#[test]
fn m_n_k() {
    for (name, depth, plies) in
        [("tictactoe", 9, 4), ("mnk:4,3,3", 6, 6), ("mnk:4,4,4", 5, 10), ("mnk:5,4,3", 4, 6), ("mnk:1,5,2", 5, 0)]
    {
        with_game(name, Oracle { depth, plies, ..USUAL }).unwrap();
        with_game(name, Oracle { depth, plies, dull: true, ..USUAL }).unwrap();
    }
    // A sample of its family, too.
    if full_run() {
        with_game("gomoku", Oracle { positions: 1, depth: 2, plies: 9, ..USUAL }).unwrap();
    }
}

#[test]
fn connect_four() {
    for (name, depth, plies) in [
        ("connect4", 6, 20),
        ("connect4", 7, 38),
        ("connect4:4,4,3", 8, 8),
        ("connect4:3,3,3", 9, 3),
        ("connect4:5,2,3", 7, 5),
        ("connect4:2,5,2", 6, 2),
    ] {
        with_game(name, Oracle { depth, plies, ..USUAL }).unwrap();
        with_game(name, Oracle { depth, plies, dull: true, ..USUAL }).unwrap();
    }
}

#[test]
fn othello() {
    with_game("othello", Oracle { depth: 4, plies: 40, ..USUAL }).unwrap();
    // Endings, in which sides pass, and games that end early.
    const ENDINGS: &[&str] = &[
        "ooooooox/oooooooo/oooxxxoo/oooxxooo/xxxxoxo1/xxxxoxo1/xxxoxxo1/oooooxxo o",
        "x1xxxxxx/xxxxxxo1/xxxxxxox/xxxxoxoo/ooxxxoxx/ooxxooxx/oooooxx1/xxxxxxxx o",
        "oo1oooxx/xoxooox1/1xooooxx/1xxxooxx/1xxxooxx/oxxxxxx1/o1xxxxxo/o1xxxxx1 o",
        "xxx1oox1/1xoooooo/xxooooxx/1xxoooxo/ooxoxxxo/1xoxooxo/ox1xxxxo/1xxxxxxo o",
    ];
    for dull in [false, true] {
        with_game("othello", Oracle { boards: ENDINGS, depth: 8, plies: 3, dull, positions: 40, ..USUAL }).unwrap();
    }
    const EARLY: &[&str] = &["4o3/4o3/2oxox2/2oxxx2/2ooo3/4o3/4o3/8 o"];
    with_game("othello", Oracle { boards: EARLY, depth: 4, plies: 3, ..USUAL }).unwrap();
}

#[test]
fn nim_with_and_without_its_theory() {
    for name in ["nim:13", "nim:3-4-2,take=any", "nim:3-4-2,take=any,normal", "nim:5-6,take=2"] {
        with_game(name, Oracle { depth: 6, plies: 3, ..USUAL }).unwrap();
        with_game(name, Oracle { depth: 6, plies: 3, dull: true, ..USUAL }).unwrap();
    }
    // To the end, so that every distance is proven by search alone.
    with_game("nim:9", Oracle { depth: 9, plies: 3, dull: true, ..USUAL }).unwrap();
}

#[test]
fn the_plain_evaluation_on_every_game() {
    for (name, depth, plies) in [
        ("awale", 6, 140),
        ("awale:awari", 5, 140),
        ("awale:tipe", 5, 140),
        ("awale:mini", 8, 24),
        ("mnk:4,4,4", 5, 10),
        ("connect4", 5, 30),
        ("othello", 4, 50),
        ("nim:13", 6, 3),
    ] {
        with_game(name, Oracle { depth, plies, seed: 3, plain: true, ..USUAL }).unwrap();
    }
}
