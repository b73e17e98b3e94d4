//! The tactical set of chess, which `cargo bench --bench tactics` solves: its positions are proven again.

use std::collections::HashSet;
use std::process::Command;
use std::time::Duration;

use griot::game::Notation as _;
use griot::games::chess::Notation;
use griot_client::Client;
use griot_testing::picked;
use griot_testing::tactics::{Prover, Tactic, gains, mates, solved};

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

/// As the bench asks, in which a misread answer would look like an unsolved position.
#[test]
fn most_of_the_set_is_solved_with_ten_thousand_nodes() {
    let mut griot = Command::new(env!("CARGO_BIN_EXE_griot"));
    let mut client = Client::start(griot.args(["--game", "chess"])).unwrap();
    client.send("uci").unwrap();
    let patience = Duration::from_secs(600);
    client.answer("uciok", patience).unwrap();
    let every_tenth: Vec<Tactic> = mates().into_iter().chain(gains()).step_by(10).collect();
    let solved = solved(&mut client, &every_tenth, 10_000, patience);
    assert!(solved > every_tenth.len() * 3 / 4, "{solved} of {}", every_tenth.len());
}
