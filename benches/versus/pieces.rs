//! The parts of a search, one by one: moves played, positions evaluated, tables probed.
//!
//! `cargo bench --manifest-path benches/versus/Cargo.toml --bench pieces`. Each part is measured on the same walk through its game. Awalé's board is compared
//! with a plain one in this file: an array of twelve houses, sown seed by seed, with the same rules.

#![allow(clippy::unwrap_used, missing_docs, reason = "a bench; the macros of criterion write no documentation")]

use std::hint::black_box;

use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main, measurement::WallTime};
use griot::game::{Evaluate, Game, Notation, Position, Probe, SplitMix64};
use griot::games::awale::{Abapa, AwaleEndings, AwaleLayers, AwaleNotation};
use griot::registry::{Visitor, with_game};
use griot::score::{Bound, Score};
use griot::search::{Entry, TranspositionTable};
use griot::tablebase::{Monitor, Table};

/// Plays every line of `depth` plies, including the last ply, and counts the positions.
fn walk<P: Position>(position: &P, depth: u32, moves: &mut Vec<P::Move>) -> u64 {
    let base = moves.len();
    position.generate(moves);
    let end = moves.len();
    let mut positions = 0;
    for number in base..end {
        let next = position.after(moves[number]);
        positions += 1;
        if depth > 1 {
            positions += walk(&next, depth - 1, moves);
        } else {
            black_box(&next);
        }
    }
    moves.truncate(base);
    positions
}

/// A plain implementation of `awale`: South's houses, North's houses, stores.
#[derive(Clone, Copy)]
struct Plain {
    houses: [u8; 12],
    stores: [u8; 2],
    south_moves: bool,
}

impl Plain {
    fn own(&self) -> std::ops::Range<usize> {
        if self.south_moves { 0..6 } else { 6..12 }
    }

    fn is_over(&self) -> bool {
        self.stores.iter().any(|&store| store > 24)
    }

    fn after(mut self, house: usize) -> Plain {
        let seeds = std::mem::take(&mut self.houses[house]);
        let mut at = house;
        for _ in 0..seeds {
            at = (at + 1) % 12;
            if at == house {
                at = (at + 1) % 12;
            }
            self.houses[at] += 1;
        }
        let own = self.own();
        let mut taken = self;
        while !own.contains(&at) && (2..=3).contains(&taken.houses[at]) {
            taken.stores[usize::from(!self.south_moves)] += std::mem::take(&mut taken.houses[at]);
            at = (at + 11) % 12;
        }
        // A move that would capture all of the opponent's seeds captures none.
        let opponent_has = |board: &Plain| (0..12).any(|at| !own.contains(&at) && board.houses[at] > 0);
        let mut next = if opponent_has(&taken) { taken } else { self };
        next.south_moves = !self.south_moves;
        next
    }

    fn moves(&self) -> Vec<usize> {
        if self.is_over() {
            return Vec::new();
        }
        let own = self.own();
        let feeds = |board: &Plain| (0..12).any(|at| !own.contains(&at) && board.houses[at] > 0);
        let hungry = !feeds(self);
        self.own().filter(|&house| self.houses[house] > 0 && (!hungry || feeds(&self.after(house)))).collect()
    }

    fn walk(&self, depth: u32) -> u64 {
        let mut positions = 0;
        for house in self.moves() {
            let next = self.after(house);
            positions += 1;
            if depth > 1 {
                positions += next.walk(depth - 1);
            } else {
                black_box(&next);
            }
        }
        positions
    }
}

const WALK_PLIES: u32 = 7;

fn awale_board(criterion: &mut Criterion) {
    let start = AwaleNotation::<Abapa>::default().start();
    let plain = Plain { houses: [4; 12], stores: [0; 2], south_moves: true };
    let positions = walk(&start, WALK_PLIES, &mut Vec::new());
    assert_eq!(plain.walk(WALK_PLIES), positions, "both boards play the same game");
    let mut group = criterion.benchmark_group("awale, every move to 7 plies");
    group.throughput(Throughput::Elements(positions));
    group.bench_function("griot", |bencher| bencher.iter(|| walk(black_box(&start), WALK_PLIES, &mut Vec::new())));
    group.bench_function("array", |bencher| bencher.iter(|| black_box(&plain).walk(WALK_PLIES)));
    group.finish();
}

/// One position from each of `count` random games.
fn positions<N: Notation>(notation: &N, count: usize, plies: usize) -> Vec<N::Position> {
    let mut rng = SplitMix64::new(1);
    let mut found = Vec::new();
    while found.len() < count {
        let mut position = notation.start();
        for _ in 0..rng.below(plies) {
            let mut moves = Vec::new();
            position.generate(&mut moves);
            if moves.is_empty() {
                break;
            }
            position.play(moves[rng.below(moves.len())]);
        }
        if position.outcome().is_none() {
            found.push(position);
        }
    }
    found
}

/// Measures the parts that every game has.
struct Pieces<'a, 'c>(&'a mut BenchmarkGroup<'c, WallTime>);

impl Visitor for Pieces<'_, '_> {
    type Output = ();
    fn visit<N, E, T>(self, game: Game<N, E, T>)
    where
        N: Notation,
        E: Evaluate<N::Position>,
        T: Probe<N::Position>,
    {
        let some = positions(&game.notation, 1000, 60);
        self.0.throughput(Throughput::Elements(some.len() as u64));
        self.0.bench_function(format!("{}: evaluate", game.name), |bencher| {
            bencher.iter(|| some.iter().map(|at| game.evaluate.evaluate(at)).max());
        });
        let states: Vec<_> = some.iter().map(|at| game.evaluate.state(at)).collect();
        self.0.bench_function(format!("{}: evaluate, with the state", game.name), |bencher| {
            bencher.iter(|| some.iter().zip(&states).map(|(at, state)| game.evaluate.evaluate_with(at, state)).max());
        });
        let mut moves = Vec::new();
        self.0.bench_function(format!("{}: generate", game.name), |bencher| {
            bencher.iter(|| {
                for at in &some {
                    moves.clear();
                    at.generate(&mut moves);
                    black_box(&moves);
                }
            });
        });
        let mut scores = Vec::new();
        self.0.bench_function(format!("{}: order moves", game.name), |bencher| {
            bencher.iter(|| {
                for at in &some {
                    moves.clear();
                    at.generate(&mut moves);
                    scores.clear();
                    scores.resize(moves.len(), 0);
                    game.evaluate.score_moves(at, &game.evaluate.state(at), 4, &moves, &mut scores);
                    black_box(&scores);
                }
            });
        });
        self.0.bench_function(format!("{}: hash, folded", game.name), |bencher| {
            bencher.iter(|| some.iter().map(|at| at.folded().0).max());
        });
        // One move from each position, and the cost of the leaf after it: the board, the state, the value.
        let mut rng = SplitMix64::new(2);
        let mut any = |at: &N::Position| {
            let mut moves = Vec::new();
            at.generate(&mut moves);
            moves[rng.below(moves.len())]
        };
        let played: Vec<_> = some.iter().map(|at| (at, any(at))).collect();
        self.0.bench_function(format!("{}: play a move", game.name), |bencher| {
            bencher.iter(|| {
                for &(at, mv) in &played {
                    black_box(at.after(mv));
                }
            });
        });
        let led: Vec<_> = played.iter().map(|&(at, mv)| (at, mv, at.after(mv))).collect();
        self.0.bench_function(format!("{}: carry the state", game.name), |bencher| {
            bencher.iter(|| {
                for ((at, mv, next), state) in led.iter().zip(&states) {
                    black_box(game.evaluate.next_state(state, at, *mv, next));
                }
            });
        });
        self.0.bench_function(format!("{}: a leaf", game.name), |bencher| {
            bencher.iter(|| {
                for (&(at, mv), state) in played.iter().zip(&states) {
                    let next = at.after(mv);
                    let state = game.evaluate.next_state(state, at, mv, &next);
                    black_box(game.evaluate.evaluate_with(&next, &state));
                }
            });
        });
    }
}

fn games(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("a thousand positions");
    for name in ["awale", "gomoku", "connect4", "othello"] {
        with_game(name, Pieces(&mut group)).unwrap();
    }
    group.finish();
}

fn tables(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("tables");
    let endings = Table::in_memory(AwaleLayers::<Abapa>::default(), 9, 1, &Monitor::default()).unwrap();
    let layers = endings.rules();
    let boards: Vec<_> = (0..1000).map(|number| griot::tablebase::Layered::unrank(layers, 9, number * 160)).collect();
    group.throughput(Throughput::Elements(boards.len() as u64));
    group.bench_function("endgame table, nine seeds", |bencher| {
        bencher.iter(|| boards.iter().filter_map(|board| endings.bounds(board)).map(|bounds| bounds.low).max());
    });
    let nothing = AwaleEndings::<Abapa>::default();
    group.bench_function("endgame table that is not there", |bencher| {
        bencher.iter(|| boards.iter().filter_map(|board| nothing.balance(board)).count());
    });
    let memory = TranspositionTable::new(64).unwrap();
    let entry = Entry { score: Score::DRAW, bound: Bound::Exact, depth: 3, proven: false, best: None };
    let mut rng = SplitMix64::new(3);
    let keys: Vec<u64> = (0..1000).map(|_| rng.next_u64()).collect();
    group.bench_function("transposition table, put and get", |bencher| {
        bencher.iter(|| {
            for &key in &keys {
                memory.put(key, entry);
                black_box(memory.get(key));
            }
        });
    });
    group.finish();
}

criterion_group!(benches, awale_board, games, tables);
criterion_main!(benches);
