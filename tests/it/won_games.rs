//! Won games: where a win or a loss comes within the horizon, the nodes to each depth grow by a bounded factor.
//!
//! A forced mate within the horizon once made a search of depth 13 take 500 times the nodes of depth 12, as nothing was reduced or
//! pruned where a bound of the window was decisive. The positions are from games of the engine against itself, up to 16 plies before
//! their end. `CI_FULL=1 cargo test --test it -- won_games:: --nocapture` looks at 200 positions of each game and prints the table.

use std::num::NonZero;
use std::sync::Mutex;
use std::thread::{self, available_parallelism};

use crate::support::{Talk, word};
use griot::game::SplitMix64;
use griot::game::family::Sample;
use griot::registry::samples;
use griot_testing::{picked, rounds};

/// Positions of each game in the full run, and in the gate, where chess and four other games take part.
const POSITIONS: [usize; 2] = [200, 2];
/// The deepest iteration, and the most nodes of a search.
const DEPTH: u32 = 10;
const NODES: u64 = 1_000_000;
/// An iteration may take so many times the nodes of all before it, of which there are so many at least.
const GROWTH: u64 = 12;
const FEW: u64 = 50_000;
/// The least score of a certain win, whose margin is what is beyond it, in hundredths.
const CERTAIN: i64 = 100_000;
/// A game is played with so many nodes a move, after so many random plies, and its last plies are looked at.
const NODES_A_MOVE: u64 = 1_000;
const RANDOM_PLIES: usize = 6;
const LAST_PLIES: usize = 16;
const MOST_PLIES: usize = 200;

/// Nodes of all iterations up to each depth that was told, and what the search ended with.
struct Search {
    told: Vec<(u32, u64)>,
    last: String,
    /// Whether the last score is an exact mate, or a draw.
    is_solved: bool,
    /// Whether the last score is a mate, be it only a bound, or a certain win or loss of a game that counts points.
    is_won: bool,
    /// The most nodes that any line told.
    nodes: u64,
}

fn search(talk: &mut Talk, position: &str, limits: &str) -> Search {
    talk.send(position);
    talk.send(&format!("go {limits}"));
    let lines = talk.until("bestmove *");
    let number = |line: &str, name| word(line, name).and_then(|number| number.parse::<u64>().ok());
    let told = lines.iter().filter(|line| line.contains(" score ")).filter_map(|line| {
        let depth = number(line, "depth")?;
        Some((depth as u32, number(line, "nodes")?))
    });
    let is_exact = |line: &String| (line.contains(" mate ") && !line.contains("bound ")) || line.contains(" cp 0 ");
    let score = lines.iter().rfind(|line| line.contains(" score "));
    let centi = score.and_then(|line| word(line, "cp")).and_then(|centi| centi.parse::<i64>().ok());
    let is_won = score.is_some_and(|line| line.contains(" mate ")) || centi.is_some_and(|centi| centi.abs() >= CERTAIN);
    let is_solved = score.is_some_and(is_exact);
    let nodes = lines.iter().filter_map(|line| number(line, "nodes")).max().unwrap_or_default();
    Search { told: told.collect(), last: lines[lines.len() - 1].clone(), is_solved, is_won, nodes }
}

/// The most that an iteration took of the nodes before it, at least [`FEW`]; and the depth.
fn growth(told: &[(u32, u64)]) -> (u64, u32) {
    let pairs = told.windows(2).map(|pair| ((pair[1].1 - pair[0].1) / pair[0].1.max(FEW), pair[1].0));
    pairs.max().unwrap_or_default()
}

/// Depth 13 of the first took 45 million nodes, depth 12 of the third 75 million; the second did not come to depth 13 in a minute.
/// How many nodes they take depends on the network: the third 88,000, 4.2 million and 13,000 with three of them, the second 600,000.
#[test]
fn a_mate_within_the_horizon_is_told_at_once() {
    for board in [
        "Q7/7k/8/8/8/8/7K/8 w - - 0 1",
        "Q7/6p1/6k1/5p1p/1RP3n1/7N/8/6K1 w - - 0 54",
        "1k6/2p3KP/1p1p4/pP1P2p1/P1P3P1/5B2/8/8 w - - 1 99",
    ] {
        let mut talk = Talk::in_memory();
        talk.send("setoption name Game value chess");
        talk.send(&format!("position fen {board}"));
        talk.send("go nodes 1000000");
        let lines = talk.until("bestmove *");
        assert!(lines.iter().any(|line| line.contains(" score mate ")), "{board}: no mate\n{}", lines.join("\n"));
    }
}

/// The moves of a game that the engine plays against itself, which somebody has won; nothing of another game.
fn won_game(talk: &mut Talk, rng: &mut SplitMix64) -> Option<Vec<String>> {
    let mut moves: Vec<String> = Vec::new();
    while moves.len() < MOST_PLIES {
        let position = format!("position startpos moves {}", moves.join(" "));
        talk.send(&position);
        if talk.ask("query gameover") != "response false" {
            let result = talk.ask("query result");
            return (result != "response draw" && moves.len() > RANDOM_PLIES).then_some(moves);
        }
        if moves.len() < RANDOM_PLIES {
            let legal = talk.ask("query legalmoves");
            let legal: Vec<&str> = legal.split(' ').skip(1).collect();
            moves.push(legal[rng.below(legal.len())].to_owned());
        } else {
            let Search { last, .. } = search(talk, &position, &format!("nodes {NODES_A_MOVE}"));
            moves.push(last.split(' ').nth(1).unwrap().to_owned());
        }
    }
    None
}

#[test]
fn nodes_to_each_depth_grow_by_a_bounded_factor() {
    let [all, part] = POSITIONS;
    let wanted = rounds(all, part);
    // Chess has shown the fault.
    let (chess, others): (Vec<&Sample>, Vec<&Sample>) = samples().partition(|sample| sample.game == "chess");
    let games = Mutex::new(chess.into_iter().chain(picked(others, 4)));
    let work = || {
        while let Some(sample) = { games.lock().unwrap().next() } {
            println!("{}", look_at(sample.game, wanted));
        }
    };
    let threads = available_parallelism().map_or(1, NonZero::get);
    thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
}

/// Looks at so many positions of a game; returns a row of the table.
fn look_at(game: &str, wanted: usize) -> String {
    let mut talk = Talk::in_memory();
    talk.send("setoption name Hash value 64");
    talk.send(&format!("setoption name Game value {game}"));
    talk.send("setoption name OwnBook value false");
    talk.send("isready");
    talk.until("readyok");
    let mut rng = SplitMix64::new(1);
    let (mut looked_at, mut games, mut worst, mut cut) = (0, 0, (0, 0), 0);
    while looked_at < wanted && games < wanted {
        games += 1;
        let Some(moves) = won_game(&mut talk, &mut rng) else { continue };
        for _ in 0..2 {
            let back = 1 + rng.below(LAST_PLIES.min(moves.len() - RANDOM_PLIES));
            let position = format!("position startpos moves {}", moves[..moves.len() - back].join(" "));
            talk.send("uginewgame");
            let found = search(&mut talk, &position, &format!("depth {DEPTH} nodes {NODES}"));
            looked_at += 1;
            let grew = growth(&found.told);
            worst = worst.max(grew);
            // A search that neither came to the depth nor was solved has spent its nodes in one iteration.
            let is_deep = found.told.last().is_some_and(|&(depth, _)| depth >= DEPTH);
            let is_cut = !is_deep && !found.is_solved;
            cut += usize::from(is_cut);
            // Once it is known who wins, the nodes go into the distance: each check of a depth at full width may take as many
            // as were searched before it. The end of the game also ends a search early.
            let is_unknown = !found.is_won && found.nodes >= NODES / 2;
            assert!(!(is_cut && is_unknown), "{game}: {position}: {:?}, and then {NODES} nodes", found.told);
            assert!(grew.0 <= GROWTH, "{game}: {position}: {:?}", found.told);
        }
    }
    format!(
        "{game}: {looked_at} positions of {games} games, {cut} neither at depth {DEPTH} nor at a mate within {NODES} nodes, growth \
         {} at most, to depth {}",
        worst.0, worst.1
    )
}
