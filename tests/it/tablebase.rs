//! Endgame tables: against published numbers, against a second and simpler method, and against play with its whole history.

use griot::game::{Notation as _, Outcome, Position as _, Side};
use griot::games::awale::{Abapa, AwaleLayers, AwaleNotation, Awari, GrandSlam, Mini, Position, Rest, Tipe, Variant};
use griot::games::draughts::EnglishLayers;
use griot::tablebase::{Bounds, Convention, Layered, Monitor, Step, Table, Tally};
use griot_testing::{left_to_the_full_run, picked, rounds};

type Awale<V> = Table<AwaleLayers<V>>;

/// Boards of other sizes, under the rules of `Abapa`, and no majority: a game goes on to the end of its board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Small<const HOUSES: usize>;

impl<const HOUSES: usize> Variant for Small<HOUSES> {
    const NAME: &'static str = "small";
    const HOUSES: usize = HOUSES;
    const GRAND_SLAM: GrandSlam = GrandSlam::CapturesNothing;
    const UNFED: Option<Rest> = Some(Rest::OwnSide);
    const REPETITION: Rest = Rest::OwnSide;
    const MAJORITY: u8 = 100;
}

/// The captures of `Mini`, and no majority.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct MiniToTheEnd;

impl Variant for MiniToTheEnd {
    const NAME: &'static str = "mini to the end";
    const HOUSES: usize = Mini::HOUSES;
    const SEEDS: u8 = Mini::SEEDS;
    const CAPTURE_MAX: u8 = Mini::CAPTURE_MAX;
    const CAPTURE_HOUSES: usize = Mini::CAPTURE_HOUSES;
    const GRAND_SLAM: GrandSlam = Mini::GRAND_SLAM;
    const UNFED: Option<Rest> = Mini::UNFED;
    const REPETITION: Rest = Mini::REPETITION;
    const MAJORITY: u8 = 100;
}

fn table<V: Variant>(top: usize, threads: usize) -> Awale<V> {
    Table::in_memory(AwaleLayers::default(), top, threads, &Monitor::default()).unwrap()
}

/// Win, draw and loss of all awari boards with 1, 2, ... seeds, from an independent builder.
const AWARI: [[u64; 3]; 14] = [
    [5, 0, 7],
    [25, 13, 40],
    [123, 63, 178],
    [580, 143, 642],
    [2_165, 0, 2_203],
    [5_698, 1_548, 5_130],
    [14_921, 4_487, 12_416],
    [37_767, 8_351, 29_464],
    [85_285, 20_308, 62_367],
    [157_721, 93_743, 101_252],
    [371_960, 92_787, 240_685],
    [714_486, 197_894, 439_698],
    [1_364_947, 312_251, 818_946],
    [2_270_977, 905_779, 1_280_644],
];

fn check_awari(top: usize) {
    let table = table::<Awari>(top, 2);
    for (layer, [win, draw, loss]) in (1..=top).zip(AWARI) {
        let boards = win + draw + loss;
        let expected = Tally { win, draw, loss, unknown: 0, exact: boards };
        assert_eq!(table.layers()[layer].tally(), expected, "{layer} seeds");
    }
}

#[test]
fn awari_has_the_known_numbers_of_wins_draws_and_losses() {
    check_awari(rounds(14, 10));
}

/// Layers of English draughts: men and kings of one side and of the other, and how many boards the side to move loses, draws and
/// wins, whichever side that is. CITE: M. Fierz, the database of two to four pieces of CheckerBoard
/// (github.com/eygilbert/CheckerBoard), read for every board; E. Trice, damforum.nl, has the same numbers for a king against a king.
const ENGLISH: [(usize, [u8; 4], [u64; 3]); 23] = [
    (2, [0, 1, 0, 1], [108, 654, 230]),
    (4, [1, 0, 0, 1], [247, 1105, 384]),
    (6, [1, 0, 1, 0], [47, 611, 102]),
    (8, [0, 2, 0, 1], [13_018, 1484, 15_258]),
    (10, [1, 0, 0, 2], [12_248, 716, 13_076]),
    (11, [1, 1, 0, 1], [22_359, 2677, 27_044]),
    (13, [1, 1, 1, 0], [21_182, 1472, 22_946]),
    (14, [2, 0, 0, 1], [9415, 1363, 11_902]),
    (16, [2, 0, 1, 0], [9083, 765, 10_024]),
    (18, [0, 2, 0, 2], [3943, 153_456, 58_361]),
    (19, [0, 3, 0, 1], [140_908, 2326, 144_446]),
    (20, [1, 0, 0, 3], [125_035, 764, 125_921]),
    (21, [1, 1, 0, 2], [33_742, 500_715, 220_703]),
    (22, [1, 2, 0, 1], [368_797, 6503, 379_860]),
    (23, [1, 1, 1, 1], [14_122, 485_306, 161_772]),
    (24, [1, 2, 1, 0], [328_070, 2325, 330_805]),
    (25, [2, 0, 0, 2], [67_442, 120_395, 141_023]),
    (26, [2, 1, 0, 1], [320_071, 6061, 331_588]),
    (27, [2, 0, 1, 1], [51_831, 339_405, 185_052]),
    (28, [2, 1, 1, 0], [285_555, 2363, 288_370]),
    (29, [3, 0, 0, 1], [92_068, 1870, 96_070]),
    (30, [2, 0, 2, 0], [3088, 95_631, 26_945]),
    (31, [3, 0, 1, 0], [82_418, 802, 83_388]),
];

#[test]
fn english_draughts_has_the_known_numbers_of_wins_draws_and_losses() {
    let pieces = rounds(4, 3);
    let table = Table::in_memory(EnglishLayers, EnglishLayers::last_of(pieces), 2, &Monitor::default()).unwrap();
    for (layer, material, [loss, draw, win]) in ENGLISH.into_iter().take_while(|(layer, ..)| *layer < table.len()) {
        let tally = table.layers()[layer].tally();
        assert_eq!((tally.loss, tally.win), (loss, win), "{material:?}");
        // With men of both sides there are numbers without a board, which count as drawn.
        let has_gaps = material[0] > 0 && material[2] > 0;
        assert!(if has_gaps { tally.draw > draw } else { tally.draw == draw }, "{material:?}");
    }
}

/// All boards of `layer`, in the order of their ranks.
fn boards<V: Variant>(layer: usize) -> impl Iterator<Item = Position<V>> {
    let rules = AwaleLayers::<V>::default();
    (0..rules.size(layer)).map(move |rank| rules.unrank(layer, rank))
}

#[test]
fn the_published_board_has_its_published_values() {
    if left_to_the_full_run() {
        return;
    }
    let table = table::<Awari>(16, 2);
    let board = AwaleNotation::<Awari>::default().parse_position("1-1-1-1-1-2-4-2-3-0-0-0-16-16-S").unwrap();
    let mut values = Vec::new();
    table.rules().steps(&board, |step| {
        values.push(table.worth(&step).unwrap().low);
    });
    assert_eq!(table.bounds(&board), Some(Bounds::exactly(0)));
    assert_eq!(values, [-1, -1, -2, -2, -2, 0]);
}

/// Steps and parents must be each other's inverse, and ranks be without gaps.
fn check_walks<V: Variant>(top: usize) {
    let rules = AwaleLayers::<V>::default();
    for layer in 0..=top {
        let mut forwards: Vec<Vec<u64>> = vec![Vec::new(); rules.size(layer) as usize];
        let mut backwards = forwards.clone();
        let mut following = rules.unrank(layer, 0);
        for (rank, board) in (0..).zip(boards::<V>(layer)) {
            assert_eq!((rules.layer(&board), rules.rank(&board)), (layer, rank));
            assert_eq!(board, following);
            following = rules.next(&board);
            if rules.end(&board).is_some() {
                continue;
            }
            let mut moves = 0;
            rules.steps(&board, |step| {
                moves += 1;
                match step {
                    Step::Within(next) => forwards[rules.rank(&next) as usize].push(rank),
                    Step::Down { gain, board } => assert_eq!(rules.layer(&board) + gain as usize, layer),
                    Step::End(value) => assert!(value.unsigned_abs() as usize <= layer),
                }
            });
            assert!(moves > 0, "{board:?}");
            rules.parents(&board, |parent| backwards[rank as usize].push(rules.rank(&parent)));
        }
        for (there, back) in forwards.iter_mut().zip(&mut backwards) {
            there.sort_unstable();
            back.sort_unstable();
            assert!(there == back, "{} with {layer} seeds", V::NAME);
        }
    }
}

#[test]
fn moves_taken_back_are_the_moves_that_can_be_made() {
    check_walks::<Abapa>(8);
    check_walks::<Awari>(8);
    check_walks::<Tipe>(9);
    check_walks::<Mini>(12);
    check_walks::<Small<2>>(16);
    check_walks::<Small<4>>(10);
    // Many seeds in few houses: sowing over several laps.
    check_walks::<Small<1>>(8);
}

#[test]
fn ends_are_those_of_the_rule_book() {
    fn check<V: Variant>(top: usize) {
        for layer in 0..=top {
            for board in boards::<V>(layer) {
                let houses: Vec<u8> = [Side::First, Side::Second]
                    .iter()
                    .flat_map(|&side| (0..V::HOUSES).map(move |house| board.seeds(side, house)))
                    .collect();
                let stored = V::TOTAL - layer as u8;
                let stores = [stored / 2, stored - stored / 2];
                let position = Position::<V>::from_parts(&houses, stores, Side::First).unwrap();
                let rest = position.final_balance().map(|balance| (balance - position.store_balance()) as i8);
                assert_eq!(AwaleLayers::default().end(&position), rest, "{position:?}");
            }
        }
    }
    check::<Abapa>(6);
    check::<Awari>(6);
    check::<Tipe>(8);
    check::<Mini>(12);
}

/// Sweeps over all boards of a layer until nothing changes: each board gets what `settle` makes of its rank and the best of
/// its moves. All begin with `start`.
fn sweep_layer<V: Variant>(
    layers: &[Vec<Bounds>],
    start: Bounds,
    settle: impl Fn(usize, Bounds) -> Bounds,
) -> Vec<Bounds> {
    let rules = AwaleLayers::<V>::default();
    let mut now = vec![start; rules.size(layers.len()) as usize];
    loop {
        let mut next = now.clone();
        for (rank, board) in boards::<V>(layers.len()).enumerate() {
            next[rank] = match rules.end(&board) {
                Some(value) => Bounds::exactly(value),
                None => {
                    let mut best = Bounds::exactly(i8::MIN);
                    rules.steps(&board, |step| {
                        best = best.or(match step {
                            Step::End(value) => Bounds::exactly(value),
                            Step::Within(board) => now[rules.rank(&board) as usize].before(0),
                            Step::Down { gain, board } => {
                                layers[rules.layer(&board)][rules.rank(&board) as usize].before(gain)
                            }
                        });
                    });
                    settle(rank, best)
                }
            };
        }
        if next == now {
            return now;
        }
        now = next;
    }
}

/// The values of all layers to `top` by the plainest method there is.
fn sweep<V: Variant>(top: usize) -> Vec<Vec<Bounds>> {
    let rules = AwaleLayers::<V>::default();
    let mut layers: Vec<Vec<Bounds>> = Vec::new();
    for layer in 0..=top {
        let stake = rules.stake(layer);
        // Nobody can be sure of anything until it is shown.
        let (worst, best) = (Bounds { low: -stake, high: stake }, Bounds { low: stake, high: -stake });
        let solved = match AwaleLayers::<V>::CONVENTION {
            Convention::Exact => {
                let mut solved = sweep_layer::<V>(&layers, worst, |_, best| best);
                for bounds in &mut solved {
                    *bounds = Bounds::exactly(bounds.low.max(0) + bounds.high.min(0));
                }
                solved
            }
            Convention::Bounds => {
                // Each holds everything until it is shown that it cannot.
                let repetition: Vec<i8> = boards::<V>(layer).map(|board| rules.repetition(&board)).collect();
                let held = sweep_layer::<V>(&layers, best, |rank, best| Bounds {
                    low: best.low.min(repetition[rank]),
                    high: best.high.max(repetition[rank]),
                });
                sweep_layer::<V>(&layers, worst, |rank, best| Bounds {
                    low: best.low.max(held[rank].low),
                    high: best.high.min(held[rank].high),
                })
            }
        };
        layers.push(solved);
    }
    layers
}

#[test]
fn counters_and_sweeps_find_the_same_values() {
    fn check<V: Variant>(top: usize) {
        let table = table::<V>(top, 2);
        for (layer, swept) in sweep::<V>(top).iter().enumerate() {
            let own: Vec<Bounds> = (0..).map_while(|rank| table.layers()[layer].bounds(rank)).collect();
            assert!(own == *swept, "{} with {layer} seeds", V::NAME);
        }
    }
    check::<Abapa>(rounds(7, 6));
    check::<Awari>(rounds(7, 6));
    check::<Tipe>(rounds(9, 7));
    check::<Mini>(12);
    check::<Small<2>>(12);
    check::<Small<3>>(rounds(9, 8));
    check::<Small<4>>(rounds(8, 7));
}

/// Play that remembers everything: the first position that comes up again ends the game.
struct Memory<'a, V> {
    /// The side that wants the goal.
    side: Side,
    /// Whether a finished game, or one that a repetition has ended, is what `side` wants.
    goal: &'a dyn Fn(&Position<V>, bool) -> bool,
    /// The game so far.
    path: Vec<Position<V>>,
    /// Positions that may still be visited.
    room: u32,
}

impl<V: Variant> Memory<'_, V> {
    /// Whether `side` can make sure of the goal, or `None` when that takes too long to tell.
    fn reaches(&mut self, position: Position<V>) -> Option<bool> {
        self.room = self.room.checked_sub(1)?;
        let is_repeated = self.path.contains(&position);
        if is_repeated || position.ending().is_some() {
            return Some((self.goal)(&position, is_repeated));
        }
        let tries = position.side_to_move() == self.side;
        let mut moves = Vec::new();
        position.generate(&mut moves);
        self.path.push(position);
        for mv in moves {
            if self.reaches(position.after(mv))? == tries {
                self.path.pop();
                return Some(tries);
            }
        }
        self.path.pop();
        Some(!tries)
    }
}

/// What `side` has more than the other one at the end, each keeping its row after a repetition.
fn difference<V: Variant>(position: &Position<V>, side: Side, is_repeated: bool) -> i32 {
    let own = |side| {
        let row: u8 = (0..V::HOUSES).map(|house| position.seeds(side, house)).sum();
        i32::from(position.store(side)) + i32::from(row)
    };
    match position.final_balance() {
        Some(balance) if !is_repeated && position.side_to_move() == side => balance,
        Some(balance) if !is_repeated => -balance,
        _ => own(side) - own(side.other()),
    }
}

/// Checks the bounds of the boards with `layer` seeds against play that remembers everything. At least so many of a hundred
/// claims must be short enough to be told.
fn check_soundness<V: Variant>(layer: usize, percent: usize) {
    let table = table::<V>(layer, 1);
    let (mut claims, mut told) = (0, 0);
    for board in boards::<V>(layer) {
        let Bounds { low, high } = table.bounds(&board).unwrap();
        for (goal, expected) in [(i32::from(low), true), (i32::from(high) + 1, false)] {
            let side = board.side_to_move();
            let goal = |position: &Position<V>, is_repeated| difference(position, side, is_repeated) >= goal;
            let answer = Memory { side, goal: &goal, path: Vec::new(), room: 10_000 }.reaches(board);
            assert!(answer.is_none_or(|answer| answer == expected), "{board:?}: {low} to {high}");
            claims += 1;
            told += usize::from(answer.is_some());
        }
    }
    assert!(100 * told >= percent * claims, "{} with {layer} seeds: only {told} of {claims} claims told", V::NAME);
}

#[test]
fn bounds_hold_in_play_that_remembers_everything() {
    (0..=10).for_each(|layer| check_soundness::<Small<2>>(layer, 90));
    (0..=4).for_each(|layer| check_soundness::<Small<3>>(layer, 90));
    (0..=4).for_each(|layer| check_soundness::<MiniToTheEnd>(layer, 90));
    (0..=3).for_each(|layer| check_soundness::<Small<4>>(layer, 90));
    (0..=3).for_each(|layer| check_soundness::<Abapa>(layer, 90));
    // Where cycles are long, what can be told.
    check_soundness::<Small<3>>(5, 20);
    check_soundness::<MiniToTheEnd>(5, 20);
    check_soundness::<Small<4>>(4, 10);
}

#[test]
fn bounds_and_stores_together_tell_the_winner_though_a_majority_ends_the_game() {
    let mut told = 0;
    for layer in 1..=5 {
        let table = table::<Mini>(layer, 1);
        for (board, own) in boards::<Mini>(layer).flat_map(|board| (0..=6).map(move |own| (board, own))) {
            let Some(other) = (Mini::TOTAL - layer as u8).checked_sub(own).filter(|&other| other < Mini::MAJORITY)
            else {
                continue;
            };
            let houses = [Side::First, Side::Second].map(|side| [0, 1, 2].map(|house| board.seeds(side, house)));
            let position = Position::<Mini>::from_parts(houses.as_flattened(), [own, other], Side::First).unwrap();
            let Bounds { low, high } = table.bounds(&position).unwrap();
            let balance = position.store_balance();
            let mut check = |least: i32, claim: Option<bool>| {
                let Some(claim) = claim else { return };
                let goal = |position: &Position<Mini>, is_repeated: bool| {
                    let ended = if is_repeated { position.outcome_by_repetition() } else { position.outcome() };
                    let result = match ended.unwrap() {
                        Outcome::Draw => 0,
                        Outcome::Win(Side::First) => 1,
                        Outcome::Win(Side::Second) => -1,
                    };
                    result >= least
                };
                let memory = &mut Memory { side: Side::First, goal: &goal, path: Vec::new(), room: 10_000 };
                if let Some(answer) = memory.reaches(position) {
                    assert_eq!(answer, claim, "{position:?}: {low} to {high}, {least}");
                    told += 1;
                }
            };
            let claim = |yes: bool, no: bool| (yes || no).then_some(yes);
            check(1, claim(balance + i32::from(low) > 0, balance + i32::from(high) <= 0));
            check(0, claim(balance + i32::from(low) >= 0, balance + i32::from(high) < 0));
        }
    }
    assert!(told > 1_500, "{told}");
}

#[test]
fn the_values_do_not_depend_on_the_number_of_threads() {
    let one = table::<Abapa>(10, 1);
    for threads in picked([2, 3, 8], 1) {
        let several = table::<Abapa>(10, threads);
        for (a, b) in one.layers().iter().zip(several.layers()) {
            assert!(a.values() == b.values(), "{threads} threads");
        }
    }
}

#[test]
fn a_build_in_memory_stops_when_it_is_told_to() {
    let monitor = Monitor::default();
    monitor.stop();
    assert!(Table::in_memory(AwaleLayers::<Abapa>::default(), 12, 1, &monitor).is_err());
}
