//! Nodes and time to solve random positions of Connect Four and Othello, and m,n,k games from their start.
//!
//! `cargo bench --bench solve [-- --only NAME] [--json FILE] [--plain] [--hash MIB]`. Every position is searched on one
//! thread from an empty table until its value is proven: a draw, or a win or loss with its distance. The positions come
//! from seeded random games; none is won in one move. m,n,k games are solved by their solver alone. Prints a Markdown
//! table; the file gets one JSON object per random position.

#![allow(clippy::print_stdout, clippy::expect_used, missing_docs)]

use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use clap::Parser;
use griot::game::{Evaluate, EvaluationMode, Evaluator, Game, Notation, Outcome, Position, Probe, SplitMix64};
use griot::games::mnk::solver::Solver;
use griot::games::{connect4, mnk, othello};
use griot::score::{Meaning, Score};
use griot::search::{Knowledge, Task, TranspositionTable, search};
use serde_json::json;

#[derive(Parser)]
struct Arguments {
    /// Only the sets whose name contains this.
    #[arg(long, default_value = "")]
    only: String,
    /// Write one line of JSON for each position.
    #[arg(long)]
    json: Option<PathBuf>,
    /// Search with the plain count as evaluation.
    #[arg(long)]
    plain: bool,
    /// The size of the table, in MiB.
    #[arg(long, default_value_t = 64)]
    hash: usize,
    /// Given by cargo.
    #[arg(long, hide = true)]
    bench: bool,
}

/// One position, solved.
struct Solved {
    board: String,
    score: Score,
    nodes: u64,
    seconds: f64,
}

/// `count` random positions after `plies` plies; none is decided or won in one move, and the side to move has a choice.
fn positions<N: Notation>(notation: &N, plies: usize, count: usize, seed: u64) -> Vec<N::Position> {
    let mut rng = SplitMix64::new(seed);
    let mut found = Vec::new();
    'again: while found.len() < count {
        let mut position = notation.start();
        let mut moves = Vec::new();
        for ply in 0..=plies {
            moves.clear();
            position.generate(&mut moves);
            if moves.is_empty() || ply == plies && moves.len() == 1 {
                continue 'again;
            }
            if ply < plies {
                position.play(moves[rng.below(moves.len())]);
            }
        }
        let wins = |&mv: &_| position.after(mv).outcome() == Some(Outcome::Win(position.side_to_move()));
        if !moves.iter().any(wins) {
            found.push(position);
        }
    }
    found
}

fn solve<P: Position>(
    root: &P,
    evaluate: Evaluator<'_, impl Evaluate<P>>,
    probe: &impl Probe<P>,
    table: &TranspositionTable,
) -> (Score, u64, f64) {
    let start = Instant::now();
    let verdict = search(&Task::new(root.clone()), Knowledge::new(evaluate, probe, table), &mut ());
    (verdict.score, verdict.nodes, start.elapsed().as_secs_f64())
}

/// Solves a set and prints its row.
fn measure<N, E, T>(
    arguments: &Arguments,
    name: &str,
    game: &Game<N, E, T>,
    positions: Vec<N::Position>,
    json: &mut Option<File>,
) where
    N: Notation,
    E: Evaluate<N::Position>,
    T: Probe<N::Position>,
{
    if !name.contains(&arguments.only) {
        return;
    }
    let sight = if arguments.plain { EvaluationMode::Plain } else { EvaluationMode::Full };
    let evaluate = Evaluator::new(&game.evaluate, sight);
    let mut solved = Vec::new();
    for root in positions {
        let table = TranspositionTable::new(arguments.hash).expect("memory for the table");
        let (score, nodes, seconds) = solve(&root, evaluate, &game.probe, &table);
        let board = game.notation.position_text(&root);
        if let Some(file) = json {
            let record = json!({ "set": name, "board": board, "score": format!("{score:?}"), "nodes": nodes, "seconds": seconds });
            writeln!(file, "{record}").expect("the file can be written");
        }
        solved.push(Solved { board, score, nodes, seconds });
    }
    report(name, solved);
}

fn report(name: &str, mut solved: Vec<Solved>) {
    let count = solved.len();
    let nodes: u64 = solved.iter().map(|one| one.nodes).sum();
    let seconds: f64 = solved.iter().map(|one| one.seconds).sum();
    let results = |wanted: i32| {
        let sign = |one: &&Solved| match one.score.meaning() {
            Meaning::Win(_) | Meaning::KnownWin(_) => 1,
            Meaning::Loss(_) | Meaning::KnownLoss(_) => -1,
            Meaning::Units(_) => 0,
        };
        solved.iter().filter(|one| sign(one) == wanted).count()
    };
    let results = format!("{} / {} / {}", results(1), results(0), results(-1));
    solved.sort_by_key(|one| one.nodes);
    let (median, worst) = (&solved[count / 2], &solved[count - 1]);
    println!(
        "| {name} | {count} | {results} | {} | {} | {} | {:.4} | {:.4} | {:.1} | `{}` |",
        nodes / count as u64,
        median.nodes,
        worst.nodes,
        seconds / count as f64,
        worst.seconds,
        nodes as f64 / seconds / 1e6,
        worst.board,
    );
}

fn main() {
    let arguments = Arguments::parse();
    let mut json = arguments.json.as_ref().map(|path| File::create(path).expect("the file can be created"));
    println!(
        "| set | positions | won / drawn / lost | mean nodes | median | most | mean seconds | most | M nodes a second | hardest |"
    );
    println!("|---|--:|:-:|--:|--:|--:|--:|--:|--:|---|");
    let connect4 = connect4::game(connect4::Standard, connect4::Style::Coordinates);
    for (name, plies, count) in [("connect4-18", 18, 100), ("connect4-12", 12, 20)] {
        measure(&arguments, name, &connect4, positions(&connect4.notation, plies, count, 18), &mut json);
    }
    let othello = othello::game();
    let endings: Vec<othello::Position> = (16..=20)
        .flat_map(|empties| {
            // A pass fills no cell, so keep only positions with the right number of empty cells.
            let found = positions(&othello.notation, 60 - empties, 20, 16);
            found.into_iter().filter(move |position| position.empty().count_ones() as usize == empties).take(2)
        })
        .collect();
    measure(&arguments, "othello-16..20", &othello, endings, &mut json);
    for name in ["mnk:5,5,4", "mnk:6,5,4", "mnk:6,6,4", "mnk:7,7,4", "mnk:6,6,5", "mnk:7,7,5"] {
        if name.contains(&arguments.only) {
            report(name, vec![empty_board(name, arguments.hash)]);
        }
    }
}

/// An m,n,k game from its start, by its own solver alone.
fn empty_board(name: &str, hash: usize) -> Solved {
    let parameters = mnk::parse_parameters(name).expect("the name of a game");
    let mut solver = Solver::new(parameters, hash << 20).expect("a game for the solver, and memory for its table");
    let start = Instant::now();
    let solution = solver.solve(&mnk::Position::<1>::start(parameters), &|_| false, &mut |_| {});
    let seconds = start.elapsed().as_secs_f64();
    let score = solution.exact().expect("it was not stopped");
    Solved { board: name.to_owned(), score, nodes: solution.nodes, seconds }
}
