//! Levels of chess make the mistakes that people of their strength make: a player of 1200 does not overlook a mate in one, and one of
//! 1800 does not leave a rook where it can be taken.
//!
//! `CI_FULL=1 cargo test --test it -- levels:: --nocapture` prints the mistakes of each strength.

use cozy_chess::{Board, Move};
use griot::game::SplitMix64;
use griot_testing::tactics::{Prover, after, legal};
use griot_testing::{full_run, rounds};

use crate::support::Talk;

/// Positions in the full run and in the gate.
const POSITIONS: [usize; 2] = [300, 40];
/// They come up after so many random plies.
const PLIES: std::ops::Range<usize> = 10..50;
/// All strengths that are looked at in the full run.
const STRENGTHS: [u32; 8] = [850, 1000, 1100, 1200, 1400, 1600, 1800, 2000];

/// Positions with mistakes: half of the moves at least are some, and one is none.
fn with_mistakes(seed: u64, count: usize, mut is_mistake: impl FnMut(&Board, Move) -> bool) -> Vec<(Board, Vec<Move>)> {
    let mut rng = SplitMix64::new(seed);
    let mut found = Vec::new();
    while found.len() < count {
        let mut board = Board::default();
        for _ in 0..PLIES.start + rng.below(PLIES.len()) {
            let moves = legal(&board);
            if moves.is_empty() {
                break;
            }
            board = after(&board, moves[rng.below(moves.len())]);
        }
        let moves = legal(&board);
        let mistakes: Vec<Move> = moves.iter().copied().filter(|&mv| is_mistake(&board, mv)).collect();
        if 2 * mistakes.len() >= moves.len() && mistakes.len() < moves.len() {
            found.push((board, mistakes));
        }
    }
    found
}

/// How many of the positions a player of this strength answers by a mistake.
fn mistakes(elo: u32, positions: &[(Board, Vec<Move>)]) -> usize {
    let mut talk = Talk::in_memory();
    talk.send("uci\nsetoption name UCI_Variant value chess\nsetoption name UCI_LimitStrength value true");
    talk.until("uciok");
    talk.send(&format!("setoption name UCI_Elo value {elo}"));
    let mut errs = |(board, mistakes): &&(Board, Vec<Move>)| {
        talk.send(&format!("position fen {board}\ngo nodes 200000"));
        let best = talk.until("bestmove *").pop().unwrap();
        let mv = best.split(' ').nth(1).unwrap();
        mistakes.iter().any(|&mistake| cozy_chess::util::display_uci_move(board, mistake).to_string() == mv)
    };
    positions.iter().filter(|position| errs(position)).count()
}

fn check(what: &str, positions: &[(Board, Vec<Move>)], from: u32) {
    for elo in STRENGTHS.into_iter().filter(|&elo| elo == from || full_run()) {
        let mistakes = mistakes(elo, positions);
        println!("{what}, {elo}: {mistakes} of {}", positions.len());
        assert!(mistakes == 0 || elo < from, "{what}: {mistakes} of {} at {elo}", positions.len());
    }
}

fn is_mate(board: &Board) -> bool {
    legal(board).is_empty() && !board.checkers().is_empty()
}

#[test]
fn no_mate_in_one_is_given_away_at_1200() {
    let allows_mate = |board: &Board, mv: Move| {
        let next = after(board, mv);
        legal(&next).into_iter().any(|reply| is_mate(&after(&next, reply)))
    };
    let [all, part] = POSITIONS;
    check("mates", &with_mistakes(1, rounds(all, part), allows_mate), 1200);
}

#[test]
fn no_rook_is_given_away_at_1800() {
    let mut prover = Prover::default();
    let [all, part] = POSITIONS;
    check("rooks", &with_mistakes(2, rounds(all, part), |board, mv| prover.gives_a_rook(board, mv)), 1800);
}
