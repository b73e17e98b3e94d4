//! The tactical set of chess, which `cargo bench --bench tactics` solves: its positions are proven again.

use std::collections::HashSet;

use griot::game::Notation as _;
use griot::games::chess::Notation;
use griot_testing::picked;
use griot_testing::tactics::{Prover, gains, mates};

#[test]
fn the_set_has_three_hundred_positions_and_one_legal_move_for_each() {
    let all: Vec<_> = mates().into_iter().chain(gains()).collect();
    let boards: HashSet<&str> = all.iter().map(|tactic| tactic.board.as_str()).collect();
    assert_eq!((all.len(), boards.len()), (300, 300));
    for tactic in &all {
        let position = Notation::default().parse_position(&tactic.board).unwrap();
        assert!(Notation::default().parse_move(&position, &tactic.mv).is_ok(), "{tactic:?}");
    }
}

/// `tests/it/puzzles.rs` proves the mates.
#[test]
fn what_wins_material_is_the_only_move_that_does() {
    let mut prover = Prover::default();
    for tactic in picked(gains(), 2) {
        assert_eq!(prover.tactic(&tactic.board), Some(tactic.clone()));
    }
}
