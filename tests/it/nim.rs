//! Nim against the counts of the course it comes from, and its perft data against a recursion that shares no code with it.

use griot::game::{Notation, Position};
use griot::games::nim::{self, NimPosition, Parameters};
use griot::search::perft::perft;

/// Finished games and nodes of the whole tree below `position`.
fn walk(position: &NimPosition) -> (u64, u64) {
    if position.outcome().is_some() {
        return (1, 1);
    }
    let mut moves = Vec::new();
    position.generate(&mut moves);
    moves.iter().fold((0, 1), |(games, nodes), &mv| {
        let (more_games, more_nodes) = walk(&position.after(mv));
        (games + more_games, nodes + more_nodes)
    })
}

/// The lines of `depth` plies from these heaps with takes of 1 to `most`.
fn lines(heaps: &mut [u64], most: u64, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut count = 0;
    for heap in 0..heaps.len() {
        let size = heaps[heap];
        for left in size.saturating_sub(most)..size {
            heaps[heap] = left;
            count += lines(heaps, most, depth - 1);
        }
        heaps[heap] = size;
    }
    count
}

/// CITE: J. David, "Comment faire jouer un programme à un jeu de société ?": games p(n) and nodes s(n) for n matches. The
/// recurrences there are p(n) = p(n-1) + p(n-2) + p(n-3) and s(n) = 1 + s(n-1) + s(n-2) + s(n-3).
#[test]
fn one_heap_has_the_numbers_of_games_and_nodes_of_the_course() {
    let games = [1, 1, 2, 4, 7, 13, 24, 44, 81, 149, 274, 504, 927, 1705, 3136];
    let nodes = [1, 2, 4, 8, 15, 28, 52, 96, 177, 326, 600, 1104, 2031, 3736, 6872];
    for (n, counts) in games.into_iter().zip(nodes).enumerate() {
        for parameters in [n.to_string(), format!("{n},normal")] {
            let start = nim::game(Parameters::parse(&parameters).unwrap()).notation.start();
            assert_eq!(walk(&start), counts, "nim:{parameters}");
        }
    }
}

#[test]
fn perft_data_agree_with_a_plain_recursion_and_with_the_rules() {
    let data = include_str!("../../src/games/nim/nim.perft");
    let entries = data.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut checked = 0;
    for entry in entries {
        let mut fields = entry.split(';').map(str::trim);
        let (name, board) = (fields.next().unwrap(), fields.next().unwrap());
        let parameters = name.strip_prefix("nim").unwrap().trim_start_matches(':');
        let most = match parameters.split(',').find_map(|word| word.strip_prefix("take=")) {
            None => 3,
            Some("any") => u64::MAX,
            Some(most) => most.parse().unwrap(),
        };
        let heaps = board.split_once(' ').unwrap().0;
        let mut heaps: Vec<u64> = heaps.split('-').map(|heap| heap.parse().unwrap()).collect();
        let game = nim::game(Parameters::parse(parameters).unwrap());
        let position = game.notation.parse_position(board).unwrap();
        for field in fields {
            let (depth, count) = field.strip_prefix('D').unwrap().split_once(' ').unwrap();
            let (depth, count): (u32, u64) = (depth.parse().unwrap(), count.parse().unwrap());
            assert_eq!(lines(&mut heaps, most, depth), count, "{name}: {board}, depth {depth}");
            assert_eq!(perft(&position, depth), count, "{name}: {board}, depth {depth}");
            checked += 1;
        }
    }
    assert!(checked > 40);
}
