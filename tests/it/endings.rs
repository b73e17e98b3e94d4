//! Endgame tables in the search: the same values as minimax that asks the tables too, and only true results called certain.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::Duration;

use crate::support::{Ignorant, Known, Talk, random_line, word};
use griot::game::{Evaluate, Game, Notation, Position, Probe, SplitMix64};
use griot::games::awale::{Abapa, AwaleLayers, AwaleNotation, Awari, Tipe, Variant};
use griot::registry::{Visitor, with_game};
use griot::score::{Meaning, Score};
use griot::search::{Algorithm, Knowledge, Task, TranspositionTable, Verdict, search};
use griot::tablebase::{Layered, Monitor, Plan, Table};
use griot_testing::{Cases, full_run, sample};

/// Minimax with tables, straight from their contract.
struct Reference<'a, P, E, T> {
    evaluate: &'a E,
    tables: &'a T,
    /// The positions of the game and of the line that can still come back.
    path: Vec<P>,
}

impl<P: Position, E: Evaluate<P>, T: Probe<P>> Reference<'_, P, E, T> {
    /// The value of the last position of the path. `behind`: whether no position of the game can come back there.
    fn value(&mut self, depth: u32, behind: bool) -> Score {
        let (position, earlier) = self.path.split_last().unwrap();
        let result = position.outcome();
        let result = result.or_else(|| position.outcome_by_repetition().filter(|_| earlier.contains(position)));
        if let Some(result) = result {
            return result.score_for(position.side_to_move());
        }
        let balance = self.tables.balance(position);
        if let Some(score) = balance.filter(|_| behind).and_then(|balance| balance.result()) {
            return score;
        }
        if depth == 0 {
            let estimate = self.evaluate.evaluate(position);
            let Meaning::Units(units) = estimate.meaning() else { return estimate };
            return Score::units(balance.map_or(units, |balance| units.clamp(balance.low, balance.high)));
        }
        let position = position.clone();
        let score = self.best(&position, depth, behind);
        match balance.filter(|_| behind) {
            Some(balance) if balance.low == 0 => score.max(Score::DRAW),
            Some(balance) if balance.high == 0 => score.min(Score::DRAW),
            _ => score,
        }
    }

    fn best(&mut self, position: &P, depth: u32, behind: bool) -> Score {
        let mut moves = Vec::new();
        position.generate(&mut moves);
        let values = moves.into_iter().map(|mv| {
            let next = position.after(mv);
            let irreversible = position.is_irreversible(&next);
            let path = if irreversible { vec![next] } else { [&self.path[..], &[next]].concat() };
            let before = std::mem::replace(&mut self.path, path);
            let value = (-self.value(depth - 1, behind || irreversible)).backed_up();
            self.path = before;
            value
        });
        values.max().unwrap()
    }
}

/// The result alone, for the side to move.
fn result(score: Score) -> Option<i32> {
    match score.meaning() {
        Meaning::Win(_) | Meaning::KnownWin(_) => Some(1),
        Meaning::Loss(_) | Meaning::KnownLoss(_) => Some(-1),
        Meaning::Units(_) => None,
    }
}

/// A search that ends early has a certain result, and may not have looked for the largest margin or the longest way.
fn check<M>(verdict: &Verdict<M>, depth: u32, expected: Score, text: &str) {
    if verdict.depth == depth {
        assert_eq!(verdict.score, expected, "depth {depth}: {text}");
    } else {
        assert!(result(verdict.score).is_some() || verdict.score == expected, "depth {}: {text}", verdict.depth);
        assert_eq!(result(verdict.score), result(expected), "depth {} of {depth}: {text}", verdict.depth);
    }
}

struct Endings {
    positions: usize,
    depth: u32,
    plies: usize,
    boards: &'static [&'static str],
}

/// Nodes in which a search without tables finds out what most of these positions come to.
const SOLVING_NODES: u64 = 300_000;

impl Visitor for Endings {
    type Output = ();
    fn visit<N, E, T>(self, game: Game<N, E, T>)
    where
        N: Notation,
        E: Evaluate<N::Position>,
        T: Probe<N::Position>,
    {
        let Game { name, notation, probe, .. } = &game;
        let [tables, no_tables] = [Known(Some(probe.clone())), Known(None)];
        let evaluate = &Ignorant::Noise;
        let starts: Vec<_> = self.boards.iter().map(|board| notation.parse_position(board).unwrap()).collect();
        while !probe.prepare(&starts[0]) {
            thread::sleep(Duration::from_millis(1));
        }
        let Cases { seed, rounds } = sample(5, self.positions, self.positions / 10);
        let mut rng = SplitMix64::new(seed);
        let [exact, free, alone] = [(); 3].map(|()| TranspositionTable::new(4).unwrap());
        let mut checked = 0;
        for number in 0..rounds {
            let (root, _) = random_line(starts[number % starts.len()].clone(), self.plies, &mut rng);
            // The past that matters is made here, for the reference wants positions and not their hashes.
            let (root, past) = walk(root, number % 5, &mut rng);
            let text = format!("{name} {} after {} plies", notation.position_text(&root), past.len());
            let task = Task { history: past.iter().map(Position::hash).collect(), ..Task::new(root.clone()) };
            let with_tables = Knowledge::new(evaluate, &tables, &exact);
            for depth in 1..=self.depth {
                let path = [&past[..], std::slice::from_ref(&root)].concat();
                let expected = Reference { evaluate, tables: probe, path }.best(&root, depth, past.is_empty());
                let verdict = search(&Task { depth, selective: false, ..task.clone() }, with_tables, &mut ());
                check(&verdict, depth, expected, &text);
                // The textbook algorithms ask the tables too; they have time for few plies.
                for algorithm in [Algorithm::Minimax, Algorithm::Negamax, Algorithm::NegaBeta] {
                    if depth <= 3 {
                        let verdict = search(&Task { depth, algorithm, ..task.clone() }, with_tables, &mut ());
                        check(&verdict, depth, expected, &format!("{algorithm}, {text}"));
                    }
                }
            }
            // What was behind an irreversible move there lies before the line here, and the memory must know the difference.
            for next in irreversible(&root) {
                let task = Task { depth: self.depth - 1, selective: false, ..Task::new(next.clone()) };
                let path = vec![next.clone()];
                let expected = Reference { evaluate, tables: probe, path }.best(&next, task.depth, true);
                let verdict = search(&task, with_tables, &mut ());
                check(&verdict, task.depth, expected, &format!("{text}, one move on"));
            }
            let task = Task { depth: self.depth + 4, ..task };
            let found = search(&task, Knowledge::new(evaluate, &tables, &free), &mut ()).score;
            let without = Knowledge::new(evaluate, &no_tables, &alone);
            let truth = search(&Task { depth: 60, nodes: SOLVING_NODES, ..task }, without, &mut ()).score;
            if let (Some(found), Some(truth)) = (result(found), result(truth)) {
                assert_eq!(found, truth, "{text}");
                checked += 1;
            }
        }
        assert!(!full_run() || checked > rounds / 6, "{name}: only {checked} results in {rounds}");
    }
}

/// The positions that irreversible moves lead to, in which the game goes on.
fn irreversible<P: Position>(position: &P) -> Vec<P> {
    let mut moves = Vec::new();
    position.generate(&mut moves);
    let next = moves.into_iter().map(|mv| position.after(mv));
    next.filter(|next| position.is_irreversible(next) && next.outcome().is_none()).collect()
}

/// Up to `plies` moves on, as far as they take nothing and repeat nothing; and the positions before.
fn walk<P: Position>(start: P, plies: usize, rng: &mut SplitMix64) -> (P, Vec<P>) {
    let (mut position, mut past) = (start, Vec::new());
    for _ in 0..plies {
        let mut moves = Vec::new();
        position.generate(&mut moves);
        moves.retain(|&mv| {
            let next = position.after(mv);
            !position.is_irreversible(&next) && next.outcome().is_none() && !past.contains(&next)
        });
        if moves.is_empty() {
            break;
        }
        let next = position.after(moves[rng.below(moves.len())]);
        past.push(std::mem::replace(&mut position, next));
    }
    (position, past)
}

#[test]
fn the_search_with_tables_is_minimax_with_tables() {
    const MINI: &[&str] = &["2-1-1-1-2-1-2-2-S", "1-0-2-2-1-1-3-2-N", "1-1-1-2-2-2-1-2-S"];
    with_game("awale:mini", Endings { positions: 600, depth: 9, plies: 6, boards: MINI }).unwrap();
    const AWALE: &[&str] = &[
        "1-0-1-0-2-1-1-1-0-2-1-0-19-19-S",
        "0-2-0-1-0-3-1-0-1-1-1-1-18-19-N",
        "2-1-0-1-1-0-0-1-2-0-1-1-20-18-S",
        "0-0-1-2-0-1-2-1-0-0-1-0-19-21-S",
    ];
    for name in ["awale", "awale:awari"] {
        with_game(name, Endings { positions: 80, depth: 8, plies: 6, boards: AWALE }).unwrap();
    }
}

#[test]
fn the_textbook_algorithms_ask_the_tables_that_the_full_search_asks() {
    let mut talk = Talk::in_memory();
    talk.send("setoption name Selective value false");
    for board in ["0-0-0-0-0-1-0-0-0-1-1-5-20-20-S", "1-0-1-0-2-1-1-1-0-2-1-0-19-19-S"] {
        for depth in 1..=5 {
            let mut score = |algorithm: &str| {
                talk.send(&format!("setoption name Algorithm value {algorithm}\nsetoption name Clear Hash"));
                talk.send(&format!("position fen {board}\ngo depth {depth}"));
                let said = talk.until("bestmove *");
                let last = said.iter().rev().find_map(|line| word(line, "cp")).unwrap();
                last.to_owned()
            };
            let expected = score("alphabeta");
            for algorithm in ["minimax", "negamax", "negabeta"] {
                assert_eq!(score(algorithm), expected, "{algorithm}, depth {depth}: {board}");
            }
        }
    }
}

#[test]
fn tables_are_used_and_counted() {
    let mut talk = Talk::in_memory();
    talk.send("position fen 1-0-1-0-2-1-1-1-0-2-1-0-19-19-S");
    talk.send("go depth 12");
    let lines = talk.until("bestmove *");
    let hits = lines.iter().filter_map(|line| word(line, "tbhits")?.parse::<u64>().ok());
    assert!(hits.max().unwrap() > 0, "{lines:?}");
}

/// Boards of seven seeds for which tables know one final balance: so much is told, beyond 100000 where somebody wins.
fn check_balances<V: Variant>(game: &str) {
    const SEEDS: usize = 7;
    let table = Table::in_memory(AwaleLayers::<V>::default(), SEEDS, 1, &Monitor::default()).unwrap();
    let (rules, notation) = (table.rules(), AwaleNotation::<V>::default());
    let mut rng = SplitMix64::new(1717);
    let mut talk = Talk::in_memory();
    talk.send("ugi");
    talk.until("ugiok");
    talk.send(&format!("setoption name Game value {game}"));
    let mut counts = [0; 3];
    for _ in 0..300 {
        let board = rules.unrank(SEEDS, rng.next_u64() % rules.size(SEEDS));
        let known = table.bounds(&board).unwrap();
        if known.low != known.high || board.outcome().is_some() {
            continue;
        }
        // The stores hold 41 seeds, as evenly as may be or nearly so.
        let south = 19 + rng.below(4) as i32;
        let text = notation.position_text(&board);
        let houses = text.rsplitn(4, '-').nth(3).unwrap();
        let text = format!("{houses}-{south}-{}-{}", 41 - south, &text[text.len() - 1..]);
        let position = notation.parse_position(&text).unwrap();
        // A move that ends the game at once is told by its distance.
        let mut moves = Vec::new();
        position.generate(&mut moves);
        if moves.into_iter().any(|mv| position.after(mv).outcome().is_some()) {
            continue;
        }
        let balance = 100 * (position.store_balance() + i32::from(known.low));
        talk.send(&format!("position fen {text}"));
        talk.send("go depth 3");
        let said = talk.until("bestmove *");
        let last = &said[said.len() - 2];
        let told: i32 = word(last, "cp").unwrap().parse().unwrap();
        assert_eq!(told, 100_000 * balance.signum() + balance, "{text}: {last}");
        counts[(balance.signum() + 1) as usize] += 1;
    }
    // Where a side may keep a seed less than the other, seven seeds never come out even.
    let [lost, drawn, won] = counts;
    assert!(lost > 50 && won > 50 && (drawn > 5 || game == "awale:tipe"), "{game}: {counts:?}");
}

#[test]
fn the_final_balance_that_tables_prove_is_told_exactly() {
    check_balances::<Awari>("awale:awari");
    check_balances::<Tipe>("awale:tipe");
    check_balances::<Abapa>("awale");
}

/// The exact values that a search to depth 12 from this board finds.
fn hits(talk: &mut Talk, board: &str) -> u64 {
    talk.send(&format!("position fen {board}"));
    talk.send("setoption name Clear Hash");
    talk.send("go depth 12");
    let lines = talk.until("bestmove *");
    lines.iter().filter_map(|line| word(line, "tbhits")?.parse().ok()).max().unwrap()
}

#[test]
fn tables_from_files_take_the_place_of_the_small_ones() {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("endings");
    let _ = fs::remove_dir_all(&directory);
    let plan = Plan { top: 10, threads: 1, memory: None };
    Table::in_directory(AwaleLayers::<Abapa>::default(), &directory, &plan, &Monitor::default(), |_| ()).unwrap();
    let path = directory.display();
    let damaged = directory.join("damaged");
    fs::create_dir(&damaged).unwrap();
    for file in fs::read_dir(&directory).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_file()) {
        let mut bytes = fs::read(&file).unwrap();
        bytes[20] ^= 1;
        fs::write(damaged.join(file.file_name().unwrap()), bytes).unwrap();
    }
    let mut talk = Talk::in_memory();
    let board = "2-1-1-1-2-1-1-1-1-1-1-1-17-17-S";
    let small = hits(&mut talk, board);
    talk.send(&format!("setoption name TablebasePath value {path}"));
    let large = hits(&mut talk, board);
    assert!(large > small, "{large} after {small}");
    for (wrong, why) in [
        (directory.join("nowhere"), "info string error:*option TablebasePath: *nowhere*"),
        (damaged.clone(), "info string error:*option TablebasePath: *checksum*"),
    ] {
        talk.send(&format!("setoption name TablebasePath value {}", wrong.display()));
        talk.expect(why);
        assert_eq!(hits(&mut talk, board), large, "a refused value changes nothing");
    }
    // The directory says nothing of this game, which goes on with what it has.
    talk.send("setoption name Game value awale:mini");
    assert!(hits(&mut talk, "1-1-1-1-1-1-3-3-S") > 0);
    talk.send("setoption name Game value awale");
    assert_eq!(hits(&mut talk, board), large, "the option outlives a change of game");
    talk.send("setoption name Tablebases value false");
    assert_eq!(hits(&mut talk, board), 0);
    talk.send("setoption name TablebasePath value <empty>");
    assert_eq!(hits(&mut talk, board), 0, "nor are small ones built");
    talk.send("setoption name Tablebases value true");
    assert_eq!(hits(&mut talk, board), small);
}
