//! The published endgame positions of Othello are solved to their published scores.

use griot::games::othello::solver::{Solver, Task};

/// The positions of tests/data/ffo.txt: number, discs of the side to move and of the other, score.
fn positions() -> Vec<(u32, u64, u64, i32)> {
    let lines = include_str!("../data/ffo.txt").lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let fields: Vec<&str> = line.split_whitespace().collect();
            let [number, board, turn, score] = fields[..] else { panic!("four fields: {line}") };
            assert!(board.len() == 64 && board.bytes().all(|byte| b"XO-".contains(&byte)), "{line}");
            let bits = |wanted: &dyn Fn(u8) -> bool| {
                board.bytes().enumerate().filter(|&(_, byte)| wanted(byte)).fold(0, |bits, (cell, _)| bits | 1 << cell)
            };
            let mine = turn.as_bytes()[0];
            let own = bits(&|byte| byte == mine);
            let opponent = bits(&|byte| byte != mine && byte != b'-');
            (number.parse().unwrap(), own, opponent, score.parse().unwrap())
        })
        .collect()
}

#[test]
fn the_list_is_whole() {
    let numbers: Vec<u32> = positions().iter().map(|&(number, ..)| number).collect();
    assert_eq!(numbers, (1..=59).collect::<Vec<_>>());
}

#[test]
fn ffo_1_to_25_have_their_published_scores() {
    for threads in [1, 2] {
        let mut solver = Solver::new(16 << 20, threads).unwrap();
        for (number, own, opponent, score) in positions().into_iter().take(25) {
            let solution = solver.solve(&Task::new(own, opponent), &|_| false, &mut |_| {});
            assert_eq!(solution.exact(), Some(score), "#{number}, {threads} threads");
            let who = solver.solve(&Task::new(own, opponent).outcome(), &|_| false, &mut |_| {});
            assert_eq!(who.outcome(), Some(score.cmp(&0)), "#{number}");
        }
    }
}

#[test]
fn nodes_stay_within_one_and_a_half_times_the_yardstick() {
    // Edax 4.5 takes 10.9 million nodes to the exact score of #40; every position played is counted here.
    let (_, own, opponent, score) = positions()[39];
    let solution = Solver::new(64 << 20, 1).unwrap().solve(&Task::new(own, opponent), &|_| false, &mut |_| {});
    assert_eq!(solution.exact(), Some(score));
    assert!(solution.nodes < 16_350_000, "{} nodes", solution.nodes);
}
