//! Techniques of the search, one by one: none of them changes an exact value, and what reductions overlook is found in the end.

use crate::support::{random_line, random_walk};
use griot::game::{Evaluate, EvaluationMode, Evaluator, Game, Notation, Position, Probe, SplitMix64};
use griot::registry::{Visitor, bench_positions, with_game};
use griot::score::{Bound, Meaning, Score};
use griot::search::{
    Knowledge, News, Observer, Poll, Task, Technique, Techniques, TranspositionTable, Verdict, search,
};

/// Random positions of a game, each searched without each technique in turn.
struct OneLess {
    positions: usize,
    plies: usize,
    depth: u32,
}

impl Visitor for OneLess {
    type Output = ();
    fn visit<N, E, T>(self, game: Game<N, E, T>)
    where
        N: Notation,
        E: Evaluate<N::Position>,
        T: Probe<N::Position>,
    {
        let mut rng = SplitMix64::new(7);
        for _ in 0..self.positions {
            let (root, history) = random_line(game.notation.start(), self.plies, &mut rng);
            let text = format!("{} {}", game.name, game.notation.position_text(&root));
            let run = |techniques, selective| {
                let table = TranspositionTable::new(1).unwrap();
                let no_tables = game.probe.without_tables();
                // Its theory would leave nothing of Nim to search.
                let sight = if game.name.starts_with("nim") { EvaluationMode::NoTheory } else { EvaluationMode::Full };
                let knowledge = Knowledge::new(Evaluator::new(&game.evaluate, sight), &no_tables, &table);
                let (root, history) = (root.clone(), history.clone());
                let task = Task { history, depth: self.depth, selective, techniques, ..Task::new(root) };
                search(&task, knowledge, &mut ()).score
            };
            let expected = run(Techniques::ALL, false);
            let free = run(Techniques::ALL, true);
            let repeats = root.outcome_by_repetition().is_some();
            for technique in Technique::ALL {
                let rest = Techniques::ALL.without(technique);
                assert_eq!(run(rest, false), expected, "without {technique}: {text}");
                let other = run(rest, true);
                if let (Some(mine), Some(theirs)) = (free.distance(), other.distance()) {
                    assert_eq!(result(free), result(other), "without {technique}, Selective on: {text}");
                    let seen = mine.max(theirs) <= self.depth;
                    assert!(
                        repeats || !seen || mine == theirs,
                        "without {technique}, {mine} or {theirs} plies: {text}"
                    );
                }
            }
        }
    }
}

fn result(score: Score) -> i32 {
    match score.meaning() {
        Meaning::Win(_) | Meaning::KnownWin(_) => 1,
        Meaning::Loss(_) | Meaning::KnownLoss(_) => -1,
        Meaning::Units(_) => 0,
    }
}

#[test]
fn no_technique_changes_an_exact_value() {
    for (name, positions, plies, depth) in [
        ("awale", 6, 120, 6),
        ("awale:mini", 20, 20, 8),
        ("tictactoe", 6, 3, 9),
        ("mnk:4,4,4", 4, 8, 5),
        ("connect4", 4, 24, 6),
        ("connect4:4,4,3", 8, 6, 10),
        ("othello", 3, 40, 4),
        // Where images are one.
        ("othello", 2, 4, 6),
        ("nim:9", 6, 2, 6),
    ] {
        with_game(name, OneLess { positions, plies, depth }).unwrap();
    }
}

/// What searches some nodes less deep than others.
const REDUCING: [Technique; 4] = [Technique::Lmr, Technique::Iir, Technique::ReverseFutility, Technique::Razoring];

/// The nodes that the bench positions of a game take, with these techniques.
struct Nodes<'a> {
    board: &'a str,
    depth: u32,
    techniques: Techniques,
    selective: bool,
}

impl Visitor for Nodes<'_> {
    type Output = u64;
    fn visit<N, E, T>(self, game: Game<N, E, T>) -> u64
    where
        N: Notation,
        E: Evaluate<N::Position>,
        T: Probe<N::Position>,
    {
        let root = match self.board {
            "" => game.notation.start(),
            text => game.notation.parse_position(text).unwrap(),
        };
        let table = TranspositionTable::new(4).unwrap();
        let no_tables = game.probe.without_tables();
        let knowledge = Knowledge::new(&game.evaluate, &no_tables, &table);
        let Nodes { depth, techniques, selective, .. } = self;
        search(&Task { depth, techniques, selective, ..Task::new(root) }, knowledge, &mut ()).nodes
    }
}

/// The nodes that all bench positions of a game take, to a depth of 9 plies at most.
fn nodes(name: &str, techniques: Techniques, selective: bool) -> u64 {
    let positions = bench_positions().filter(|bench| bench.game == name);
    let search = |board, depth| with_game(name, Nodes { board, depth, techniques, selective }).unwrap();
    positions.map(|bench| search(bench.board, bench.depth.min(9))).sum()
}

#[test]
fn two_plies_at_a_time_save_nodes_on_the_way_to_an_exact_value() {
    let rest = Techniques::ALL.without(Technique::DoubleSteps);
    for game in ["awale:awari", "awale:mini", "tictactoe", "connect4", "othello"] {
        let [with, without] = [Techniques::ALL, rest].map(|techniques| nodes(game, techniques, false));
        assert!(with < without, "{game}: {with} nodes, {without} without");
        let [with, without] = [Techniques::ALL, rest].map(|techniques| nodes(game, techniques, true));
        assert_eq!(with, without, "{game}, Selective on");
    }
}

/// The depths of the lines that are told.
#[derive(Default)]
struct Depths(Vec<u32>);

impl<M> Observer<M> for Depths {
    fn poll(&mut self) -> Poll {
        Poll::Continue
    }
    fn another_iteration(&mut self) -> bool {
        self.0.last().is_none_or(|&depth| depth < 9)
    }
    fn report(&mut self, news: News<'_, M>) {
        if let News::Line { progress, .. } = news {
            self.0.push(progress.depth);
        }
    }
}

/// The depths that a search from the start position tells of, which ends after depth 9 by itself.
struct Steps {
    depth: Option<u32>,
    selective: bool,
}

impl Visitor for Steps {
    type Output = Vec<u32>;
    fn visit<N, E, T>(self, game: Game<N, E, T>) -> Vec<u32>
    where
        N: Notation,
        E: Evaluate<N::Position>,
        T: Probe<N::Position>,
    {
        let table = TranspositionTable::new(1).unwrap();
        let no_tables = game.probe.without_tables();
        let knowledge = Knowledge::new(&game.evaluate, &no_tables, &table);
        let task = Task::new(game.notation.start());
        let depth = self.depth.unwrap_or(task.depth);
        let mut depths = Depths::default();
        search(&Task { depth, selective: self.selective, ..task }, knowledge, &mut depths);
        depths.0
    }
}

#[test]
fn only_the_way_to_a_given_depth_skips_depths() {
    let steps = |depth, selective| with_game("awale", Steps { depth, selective }).unwrap();
    assert_eq!(steps(Some(8), false), [1, 2, 4, 6, 8]);
    assert_eq!(steps(Some(7), false), [1, 3, 5, 7]);
    assert_eq!(steps(Some(1), false), [1]);
    assert_eq!(steps(Some(6), true), [1, 2, 3, 4, 5, 6]);
    assert_eq!(steps(None, false), [1, 2, 3, 4, 5, 6, 7, 8, 9], "a clock may end this one");
}

#[test]
fn to_look_less_deep_saves_nodes_where_the_game_and_the_task_allow_it() {
    for technique in REDUCING {
        for game in ["awale", "othello", "connect4"] {
            let rest = Techniques::ALL.without(technique);
            let [with, without] = [Techniques::ALL, rest].map(|techniques| nodes(game, techniques, true));
            match (game, technique) {
                // Connect Four says of no margin how much a search may differ from the evaluation, awalé only how much it may fall
                // below.
                ("connect4", Technique::ReverseFutility | Technique::Razoring) | ("awale", Technique::Razoring) => {
                    assert_eq!(with, without);
                }
                // So few positions of Othello show no more than that the tree is another one: its moves are ordered well
                // without a hash move, too.
                ("othello", Technique::Iir) => assert_ne!(with, without),
                _ => assert!(with < without, "{game}: {with} nodes with {technique}, {without} without"),
            }
        }
        let [with, without] = [Techniques::ALL, Techniques::ALL.without(technique)].map(|t| nodes("awale", t, false));
        assert_eq!(with, without, "{technique}, Selective off");
    }
}

#[test]
fn probcut_saves_nodes_in_deep_searches_of_othello() {
    let rest = Techniques::ALL.without(Technique::ProbCut);
    let to_depth = |most: u32, techniques, selective| -> u64 {
        let positions = bench_positions().filter(|bench| bench.game == "othello");
        let search = |board| with_game("othello", Nodes { board, depth: most, techniques, selective }).unwrap();
        positions.map(|bench| search(bench.board)).sum()
    };
    let [with, without] = [Techniques::ALL, rest].map(|techniques| to_depth(12, techniques, true));
    assert!(with < without, "{with} nodes, {without} without");
    // No node below these roots is deep enough.
    let [with, without] = [Techniques::ALL, rest].map(|techniques| to_depth(8, techniques, true));
    assert_eq!(with, without);
    let [with, without] = [Techniques::ALL, rest].map(|techniques| to_depth(7, techniques, false));
    assert_eq!(with, without, "Selective off");
    let [with, without] = [Techniques::ALL, rest].map(|techniques| nodes("awale", techniques, true));
    assert_eq!(with, without, "awalé says nothing of what its searches err");
}

/// The scores of the lines that are told, with their bounds.
#[derive(Default)]
struct Told(Vec<(Score, Bound)>);

impl<M> Observer<M> for Told {
    fn poll(&mut self) -> Poll {
        Poll::Continue
    }
    fn another_iteration(&mut self) -> bool {
        true
    }
    fn report(&mut self, news: News<'_, M>) {
        if let News::Line { score, bound, .. } = news {
            self.0.push((score, bound));
        }
    }
}

/// Random positions late in a game, searched until they are solved.
struct Solved {
    positions: usize,
    plies: usize,
}

impl Visitor for Solved {
    /// How many wins and losses were told as bounds first.
    type Output = usize;
    fn visit<N, E, T>(self, game: Game<N, E, T>) -> usize
    where
        N: Notation,
        E: Evaluate<N::Position>,
        T: Probe<N::Position>,
    {
        let mut rng = SplitMix64::new(11);
        let mut bounds = 0;
        for _ in 0..self.positions {
            let start = game.notation.start();
            let (root, _) =
                std::iter::repeat_with(|| random_walk(&start, self.plies, &mut rng)).flatten().next().unwrap();
            let text = format!("{} {}", game.name, game.notation.position_text(&root));
            let run = |techniques| {
                let table = TranspositionTable::new(8).unwrap();
                let no_tables = game.probe.without_tables();
                let knowledge = Knowledge::new(&game.evaluate, &no_tables, &table);
                let mut told = Told::default();
                let verdict: Verdict<_> = search(&Task { techniques, ..Task::new(root.clone()) }, knowledge, &mut told);
                (verdict.score, told.0)
            };
            // Without proofs of the game's own it is the reductions that come first to a result.
            let alone = Techniques::ALL.without(Technique::Proofs).without(Technique::StaticKnowledge);
            let (score, told) = run(alone);
            let (wide, _) = run(REDUCING.into_iter().fold(alone, Techniques::without));
            assert_eq!(score, wide, "{text}: {told:?}");
            assert_eq!(told.last(), Some(&(score, Bound::Exact)), "{text}");
            let provisional = told.iter().filter(|(score, bound)| score.distance().is_some() && *bound != Bound::Exact);
            for &(first, bound) in provisional {
                let expected = if score > Score::DRAW { Bound::Lower } else { Bound::Upper };
                assert_eq!((result(first), bound), (result(score), expected), "{text}: {told:?}");
                assert!(first.distance() >= score.distance(), "{text}: {told:?}");
                bounds += 1;
            }
        }
        bounds
    }
}

#[test]
fn a_win_is_a_bound_until_no_shorter_one_can_be() {
    let mut bounds = 0;
    for (name, positions, plies) in [("connect4", 40, 22), ("connect4:5,5,4", 30, 8), ("mnk:5,5,4", 10, 10)] {
        bounds += with_game(name, Solved { positions, plies }).unwrap();
    }
    assert!(bounds > 5, "{bounds} wins were told as bounds");
}
