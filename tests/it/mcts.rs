//! Monte Carlo tree search: what it must find, what it may never claim, and the limits it keeps.

use crate::support::{Ignorant, Known};
use griot::game::{Evaluate, Game, Notation, Outcome, Position, Probe, Side, SplitMix64};
use griot::registry::{Visitor, with_game};
use griot::score::{Bound, Meaning, Score};
use griot::search::textbook::{Textbook, UNBOUNDED};
use griot::search::{Algorithm, Knowledge, News, Observer, Path, Poll, Task, TranspositionTable, Verdict, search};

/// Writes down everything it is told, and says stop when it has been asked so many times.
#[derive(Debug, Default)]
struct Log {
    lines: Vec<String>,
    fullest: u32,
    polls: u32,
    stop_at: Option<u32>,
}

impl<M: std::fmt::Debug> Observer<M> for Log {
    fn poll(&mut self) -> Poll {
        self.polls += 1;
        if self.stop_at.is_some_and(|polls| self.polls >= polls) { Poll::Stop } else { Poll::Continue }
    }
    fn another_iteration(&mut self) -> bool {
        true
    }
    fn report(&mut self, news: News<'_, M>) {
        if let News::Line { progress, score, bound, pv, .. } = news {
            assert_eq!(bound, Bound::Exact);
            assert_eq!(progress.depth as usize, pv.len());
            self.fullest = self.fullest.max(progress.permille_full);
            self.lines.push(format!("{progress:?} {score:?} {pv:?}"));
        }
    }
}

/// A search of a board, or of the start position, with limits.
#[derive(Debug, Clone, Copy)]
struct Run<'a> {
    board: Option<&'a str>,
    nodes: u64,
    depth: Option<u32>,
    mate: Option<u32>,
    moves: &'a [&'a str],
    mebibytes: usize,
    blind: bool,
    stop_at: Option<u32>,
}

const USUAL: Run<'_> =
    Run { board: None, nodes: 20_000, depth: None, mate: None, moves: &[], mebibytes: 16, blind: false, stop_at: None };

#[derive(Debug, PartialEq, Eq)]
struct Found {
    score: Score,
    pv: Vec<String>,
    nodes: u64,
    lines: Vec<String>,
    fullest: u32,
}

impl Found {
    fn meaning(&self) -> Meaning {
        self.score.meaning()
    }
}

impl Visitor for Run<'_> {
    type Output = Found;
    fn visit<N, E, T>(self, game: Game<N, E, T>) -> Found
    where
        N: Notation,
        E: Evaluate<N::Position>,
        T: Probe<N::Position>,
    {
        let notation = &game.notation;
        let root = self.board.map_or(notation.start(), |board| notation.parse_position(board).unwrap());
        let table = TranspositionTable::new(self.mebibytes).unwrap();
        let task = Task {
            nodes: self.nodes,
            depth: self.depth.unwrap_or(250),
            mate: self.mate,
            moves: self.moves.iter().map(|mv| notation.parse_move(&root, mv).unwrap()).collect(),
            algorithm: Algorithm::Mcts,
            ..Task::new(root.clone())
        };
        let mut log = Log { stop_at: self.stop_at, ..Log::default() };
        let verdict: Verdict<_> = if self.blind {
            search(&task, Knowledge::new(&Ignorant::Blind, &Known::nothing(&game.probe), &table), &mut log)
        } else {
            search(&task, Knowledge::new(&game.evaluate, &game.probe, &table), &mut log)
        };
        assert_eq!(verdict.depth as usize, verdict.pv.len());
        let mut position = root;
        let mut pv = Vec::new();
        for mv in verdict.pv {
            let mut legal = Vec::new();
            position.generate(&mut legal);
            assert!(legal.contains(&mv), "{mv:?} is not legal");
            pv.push(notation.move_text(&position, mv));
            position.play(mv);
        }
        Found { score: verdict.score, pv, nodes: verdict.nodes, lines: log.lines, fullest: log.fullest }
    }
}

fn run(game: &str, run: Run<'_>) -> Found {
    with_game(game, run).unwrap()
}

#[test]
fn small_games_are_proven() {
    for blind in [false, true] {
        let nodes = 400_000;
        let draw = run("tictactoe", Run { blind, nodes, ..USUAL });
        assert_eq!((draw.score, draw.pv.len()), (Score::DRAW, 9), "{draw:?}");
        assert!(draw.nodes < nodes, "a proof ends the search: {draw:?}");
        for game in ["mnk:4,3,3", "mnk:4,4,3"] {
            let win = run(game, Run { blind, nodes, ..USUAL });
            assert!(matches!(win.meaning(), Meaning::Win(_)), "{game}: {win:?}");
            assert!(win.nodes < nodes, "{game}: {win:?}");
        }
    }
    // Nim, by its theory at once and by search alone.
    for n in 2..=16 {
        for blind in [false, true] {
            let found = run(&format!("nim:{n}"), Run { blind, nodes: 300_000, ..USUAL });
            let lost = n % 4 == 1;
            assert_eq!(matches!(found.meaning(), Meaning::Loss(_)), lost, "{n}: {found:?}");
            assert_eq!(matches!(found.meaning(), Meaning::Win(_)), !lost, "{n}: {found:?}");
        }
    }
    assert!(matches!(run("nim:21", USUAL).meaning(), Meaning::Loss(_)));
}

#[test]
fn tactics_are_found() {
    for blind in [false, true] {
        // A win in one, which is also a threat of the opponent's.
        let win = run("tictactoe", Run { board: Some("2o/1o1/xx1 x"), blind, ..USUAL });
        assert_eq!((win.score, win.pv[0].as_str()), (Score::win_in(1), "c1"));
        let win = run("gomoku", Run { board: Some(GOMOKU_FOUR), blind, nodes: 2_000, ..USUAL });
        assert_eq!((win.score, win.pv[0].as_str()), (Score::win_in(1), "e1"));
        // The position worked through in the course: only the middle right holds.
        let held = run("tictactoe", Run { board: Some("xox/oo1/1x1 x"), blind, ..USUAL });
        assert_eq!((held.score, held.pv[0].as_str()), (Score::DRAW, "c2"));
        // A block that is forced.
        let block = run("mnk:5,5,4", Run { board: Some("5/4o/1x3/1x3/1x1o1 o"), blind, ..USUAL });
        assert_eq!(block.pv[0], "b4", "{block:?}");
    }
}

/// Four in a row from a1 on, and o elsewhere.
const GOMOKU_FOUR: &str = "15/15/15/15/15/15/15/15/15/15/15/15/15/oooo11/xxxx11 x";

#[test]
fn tic_tac_toe_is_not_lost_against_anybody() {
    struct Games;
    impl Visitor for Games {
        type Output = ();
        fn visit<N, E, T>(self, game: Game<N, E, T>)
        where
            N: Notation,
            E: Evaluate<N::Position>,
            T: Probe<N::Position>,
        {
            let table = TranspositionTable::new(1).unwrap();
            let knowledge = Knowledge::new(&game.evaluate, &game.probe, &table);
            let mut rng = SplitMix64::new(3);
            for number in 0..40 {
                let side = if number % 2 == 0 { Side::First } else { Side::Second };
                let mut position = game.notation.start();
                while position.outcome().is_none() {
                    let mut moves = Vec::new();
                    position.generate(&mut moves);
                    let mv = if position.side_to_move() == side {
                        // Few visits: not enough for a proof from the start.
                        let task = Task { nodes: 300, algorithm: Algorithm::Mcts, ..Task::new(position.clone()) };
                        search(&task, knowledge, &mut ()).pv[0]
                    } else {
                        moves[rng.below(moves.len())]
                    };
                    position.play(mv);
                }
                assert_ne!(position.outcome(), Some(Outcome::Win(side.other())), "game {number}");
            }
        }
    }
    with_game("tictactoe", Games).unwrap();
}

#[test]
fn the_same_again_is_the_same() {
    for game in ["awale", "awale:mini", "mnk:7,7,5", "nim:13"] {
        for blind in [false, true] {
            let task = Run { nodes: 5_000, blind, ..USUAL };
            assert_eq!(run(game, task), run(game, task), "{game}");
        }
    }
}

#[test]
fn limits_are_kept() {
    for nodes in [1, 2, 6, 7, 100, 255, 256, 257, 5_001] {
        assert_eq!(run("awale", Run { nodes, ..USUAL }).nodes, nodes);
    }
    assert_eq!(run("gomoku", Run { nodes: 1, ..USUAL }).nodes, 1);

    let nodes = u64::MAX;
    assert_eq!(run("awale", Run { nodes, depth: Some(1), ..USUAL }).nodes, 6);
    for depth in 2..8 {
        let found = run("awale", Run { nodes, depth: Some(depth), ..USUAL });
        assert!(found.pv.len() >= depth as usize, "{found:?}");
        let found = run("gomoku", Run { nodes, depth: Some(depth.min(3)), ..USUAL });
        assert!(!found.pv.is_empty());
    }
    for stop_at in 1..4 {
        let found = run("awale", Run { nodes, stop_at: Some(stop_at), ..USUAL });
        assert!(found.nodes >= 6 && found.nodes < 2_000, "{found:?}");
    }
    let found = run("awale", Run { moves: &["A", "F"], nodes: 3_000, ..USUAL });
    assert!(["A", "F"].contains(&found.pv[0].as_str()));
    let only = run("tictactoe", Run { board: Some("xox/oo1/1x1 x"), moves: &["a1"], ..USUAL });
    assert!(matches!(only.meaning(), Meaning::Loss(_)), "{only:?}");

    // A mate that is there, and one that is not.
    let mate = run("tictactoe", Run { board: Some("3/1o1/x1x o"), nodes, mate: Some(2), ..USUAL });
    assert!(!mate.pv.is_empty());
    let mate = run("mnk:4,3,3", Run { nodes, mate: Some(8), ..USUAL });
    assert!(matches!(mate.meaning(), Meaning::Win(n) if n <= 8), "{mate:?}");
    assert!(!run("awale", Run { nodes, mate: Some(2), ..USUAL }).score.is_decisive());
}

#[test]
fn a_small_memory_is_enough_to_go_on() {
    for (game, nodes) in [("awale", 100_000), ("gomoku", 5_000)] {
        let found = run(game, Run { mebibytes: 1, nodes, ..USUAL });
        assert_eq!(found.nodes, nodes, "{game}");
        assert!(found.fullest <= 1000, "{game}");
    }
}

/// What is proven, with its distance, must agree with minimax to the end of the game, over random positions.
struct Oracle {
    positions: usize,
    boards: &'static [&'static str],
    plies: usize,
    depth: u32,
    blind: bool,
}

impl Visitor for Oracle {
    type Output = usize;
    fn visit<N, E, T>(self, game: Game<N, E, T>) -> usize
    where
        N: Notation,
        E: Evaluate<N::Position>,
        T: Probe<N::Position>,
    {
        let notation = &game.notation;
        let table = TranspositionTable::new(1).unwrap();
        let mut rng = SplitMix64::new(11);
        let mut proven = 0;
        for number in 0..self.positions {
            let mut position = match self.boards {
                [] => notation.start(),
                boards => notation.parse_position(boards[number % boards.len()]).unwrap(),
            };
            let mut history: Vec<N::Position> = Vec::new();
            for _ in 0..rng.below(self.plies + 1) {
                let mut moves = Vec::new();
                position.generate(&mut moves);
                let Some(&mv) = moves.get(rng.below(moves.len().max(1))) else { break };
                if position.is_irreversible(&position.after(mv)) {
                    history.clear();
                } else {
                    history.push(position.clone());
                }
                position.play(mv);
            }
            if position.outcome().is_some() || history.contains(&position) {
                continue;
            }
            let hashes: Vec<u64> = history.iter().map(Position::hash).collect();
            let task = Task {
                nodes: 2_000,
                history: hashes.clone(),
                algorithm: Algorithm::Mcts,
                ..Task::new(position.clone())
            };
            let (score, nodes) = if self.blind {
                let verdict =
                    search(&task, Knowledge::new(&Ignorant::Blind, &Known::nothing(&game.probe), &table), &mut ());
                (verdict.score, verdict.nodes)
            } else {
                let knowledge = Knowledge::new(&game.evaluate, &game.probe, &table);
                let verdict = search(&task, knowledge, &mut ());
                (verdict.score, verdict.nodes)
            };
            let mut never = |_: u32| false;
            let text = format!("{} after {} plies: {score:?}", notation.position_text(&position), hashes.len());
            let mut book = Textbook::new(&Ignorant::Blind, Path::new(&hashes), &mut never);
            match score.meaning() {
                Meaning::Win(n) | Meaning::Loss(n) if n <= self.depth => {
                    let truth = book.nega_beta(&position, n, -Score::INFINITY, Score::INFINITY).unwrap();
                    // A shorter win may exist; a longer one is no contradiction for the loser's side.
                    assert!(
                        truth.is_decisive() && (truth > Score::DRAW) == (score > Score::DRAW),
                        "{text}, is {truth:?}"
                    );
                    assert!(truth.distance().is_some_and(|plies| plies <= n), "{text}, is {truth:?}");
                    proven += 1;
                }
                Meaning::Units(0) if nodes < 2_000 && self.depth == UNBOUNDED => {
                    let truth = book.nega_beta(&position, self.depth, -Score::INFINITY, Score::INFINITY).unwrap();
                    assert_eq!(truth, Score::DRAW, "{text}");
                    proven += 1;
                }
                _ => {}
            }
        }
        proven
    }
}

#[test]
fn what_is_proven_agrees_with_minimax() {
    const FEW: &[&str] =
        &["1-0-0-0-0-0-0-0-1-0-0-0-23-23-S", "0-0-1-0-1-0-1-0-0-0-0-0-24-21-N", "0-1-0-0-0-0-1-0-0-0-0-1-22-23-S"];
    const MINI: &[&str] = &["1-0-0-0-1-0-5-5-S", "0-1-0-1-0-1-5-4-N", "2-0-0-1-0-1-4-4-S", "1-1-0-0-2-1-3-4-S"];
    for blind in [false, true] {
        for (game, positions, boards, plies, depth) in [
            ("tictactoe", 60, &[][..], 6, UNBOUNDED),
            ("mnk:4,3,3", 60, &[], 8, UNBOUNDED),
            ("mnk:4,4,4", 30, &[], 14, 8),
            ("nim:3-4-2,take=any", 20, &[], 4, UNBOUNDED),
            ("nim:13", 20, &[], 3, UNBOUNDED),
            ("awale", 60, FEW, 14, 10),
            ("awale:awari", 60, FEW, 14, 10),
            ("awale:mini", 80, MINI, 16, 11),
        ] {
            let proven = with_game(game, Oracle { positions, boards, plies, depth, blind }).unwrap();
            assert!(proven > 0, "{game}: nothing was proven");
        }
    }
}
