//! Awalé against a second implementation: plain arrays and loops, written from the table of rules and sharing no code with
//! the engine. Random games, random sparse boards, and the perft data of `src/games/awale` must agree on both.

use std::fs;
use std::path::Path;

use crate::support;
use griot::game::{Notation, Outcome, Position as _, Side, SplitMix64};
use griot::games::awale::{Abapa, AwaleNotation, Awari, Mini, Position, Tipe, Variant};
use griot::search::perft::perft;
use griot_testing::{Cases, full_run, sample};

#[derive(Clone, Copy, PartialEq, Debug)]
enum Slam {
    CapturesNothing,
    Illegal,
    Captures,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Unfed {
    EachKeepsTheirSide,
    Played,
    MoverGetsAllButOne,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Repetition {
    EachKeepsTheirSide,
    StoresDecide,
}

#[derive(Clone, Copy, Debug)]
struct Rules {
    file: &'static str,
    row: usize,
    each: u8,
    skip_origin: bool,
    skip_on_every_lap: bool,
    captured: (u8, u8),
    captured_houses: usize,
    unbroken_run: bool,
    own_row_too: bool,
    slam: Slam,
    must_feed: bool,
    unfed: Unfed,
    few: u8,
    majority: u8,
    repetition: Repetition,
}

const ABAPA: Rules = Rules {
    file: "awale.perft",
    row: 6,
    each: 4,
    skip_origin: true,
    skip_on_every_lap: true,
    captured: (2, 3),
    captured_houses: 6,
    unbroken_run: true,
    own_row_too: false,
    slam: Slam::CapturesNothing,
    must_feed: true,
    unfed: Unfed::EachKeepsTheirSide,
    few: 0,
    majority: 25,
    repetition: Repetition::EachKeepsTheirSide,
};
const AWARI: Rules = Rules {
    file: "awari.perft",
    slam: Slam::Illegal,
    unfed: Unfed::Played,
    repetition: Repetition::StoresDecide,
    ..ABAPA
};
const TIPE: Rules = Rules {
    file: "tipe.perft",
    captured_houses: 4,
    slam: Slam::Illegal,
    unfed: Unfed::MoverGetsAllButOne,
    few: 6,
    repetition: Repetition::StoresDecide,
    ..ABAPA
};
const MINI: Rules =
    Rules { file: "mini.perft", row: 3, each: 2, captured: (2, 2), captured_houses: 1, majority: 7, ..ABAPA };

#[derive(Clone, PartialEq, Debug)]
struct Plain {
    houses: Vec<u8>,
    stores: [u8; 2],
    side: usize,
}

/// How often the rare rules came up.
#[derive(Default, Debug)]
struct Reached {
    long_sowings: u32,
    capped_runs: u32,
    slams_captured_nothing: u32,
    slams_forbidden: u32,
    slams_forced: u32,
    feeding_forced: u32,
    unfed: u32,
    no_seeds: u32,
    few: u32,
    majority: u32,
    draws: u32,
}

impl Plain {
    fn start(rules: &Rules) -> Plain {
        Plain { houses: vec![rules.each; 2 * rules.row], stores: [0, 0], side: 0 }
    }

    fn text(&self) -> String {
        let mut fields: Vec<String> = self.houses.iter().chain(&self.stores).map(u8::to_string).collect();
        fields.push(["S", "N"][self.side].to_string());
        fields.join("-")
    }

    fn parse(text: &str) -> Plain {
        let fields: Vec<&str> = text.split('-').collect();
        let numbers: Vec<u8> = fields[..fields.len() - 1].iter().map(|field| field.parse::<u8>().unwrap()).collect();
        let (houses, stores) = numbers.split_at(numbers.len() - 2);
        let side = usize::from(fields[fields.len() - 1] == "N");
        Plain { houses: houses.to_vec(), stores: [stores[0], stores[1]], side }
    }

    fn row_sum(&self, rules: &Rules, side: usize) -> u8 {
        self.houses[side * rules.row..(side + 1) * rules.row].iter().sum()
    }

    fn is_opponents(&self, rules: &Rules, house: usize) -> bool {
        house / rules.row != self.side
    }

    fn play(&self, rules: &Rules, house: usize, reached: &mut Reached) -> Plain {
        let board = 2 * rules.row;
        let mut next = self.clone();
        let mut hand = next.houses[house];
        reached.long_sowings += u32::from(usize::from(hand) >= board);
        next.houses[house] = 0;
        let mut at = house;
        let mut met_origin = 0;
        while hand > 0 {
            at = (at + 1) % board;
            if at == house {
                met_origin += 1;
                if rules.skip_origin && (rules.skip_on_every_lap || met_origin == 1) {
                    continue;
                }
            }
            next.houses[at] += 1;
            hand -= 1;
        }
        let before = next.clone();
        let mut taken = 0;
        let mut houses_taken = 0;
        let in_range = |seeds: u8| (rules.captured.0..=rules.captured.1).contains(&seeds);
        if self.is_opponents(rules, at) && in_range(next.houses[at]) {
            let mut here = at;
            loop {
                if in_range(next.houses[here]) {
                    if houses_taken == rules.captured_houses {
                        reached.capped_runs += 1;
                        break;
                    }
                    taken += next.houses[here];
                    next.houses[here] = 0;
                    houses_taken += 1;
                } else if rules.unbroken_run {
                    break;
                }
                here = (here + board - 1) % board;
                if !self.is_opponents(rules, here) && !rules.own_row_too || here == at {
                    break;
                }
            }
        }
        if taken > 0 && next.row_sum(rules, 1 - self.side) == 0 && rules.slam == Slam::CapturesNothing {
            reached.slams_captured_nothing += 1;
            next = before;
            taken = 0;
        }
        next.stores[self.side] += taken;
        next.side = 1 - self.side;
        next
    }

    fn is_decisive(&self, rules: &Rules) -> bool {
        self.stores.iter().any(|&store| store >= rules.majority) || self.houses.iter().sum::<u8>() <= rules.few
    }

    /// The legal houses, as board numbers.
    fn legal(&self, rules: &Rules, reached: &mut Reached) -> Vec<usize> {
        if self.is_decisive(rules) {
            return Vec::new();
        }
        let mine = self.side * rules.row..(self.side + 1) * rules.row;
        let all: Vec<usize> = mine.filter(|&house| self.houses[house] > 0).collect();
        let opponent = 1 - self.side;
        let quiet = &mut Reached::default();
        let mut leaves = all.clone();
        leaves.retain(|&house| self.play(rules, house, quiet).row_sum(rules, opponent) > 0);
        if self.row_sum(rules, opponent) == 0 {
            if !rules.must_feed {
                return all;
            }
            reached.feeding_forced += u32::from(!leaves.is_empty() && leaves != all);
            if leaves.is_empty() && rules.unfed == Unfed::Played { all } else { leaves }
        } else if rules.slam == Slam::Illegal {
            reached.slams_forbidden += u32::from(!leaves.is_empty() && leaves != all);
            reached.slams_forced += u32::from(leaves.is_empty() && !all.is_empty());
            if leaves.is_empty() { all } else { leaves }
        } else {
            all
        }
    }

    /// South's seeds minus North's when the game is over.
    fn result(&self, rules: &Rules, reached: &mut Reached) -> Option<i32> {
        let [mut south, mut north] = self.stores.map(i32::from);
        let rows = [0, 1].map(|side| i32::from(self.row_sum(rules, side)));
        if self.stores.iter().any(|&store| store >= rules.majority) {
            reached.majority += 1;
        } else if self.is_decisive(rules) {
            reached.few += 1;
        } else if rows[self.side] == 0 {
            reached.no_seeds += 1;
            if self.side == 0 { north += rows[1] } else { south += rows[0] }
        } else if self.legal(rules, &mut Reached::default()).is_empty() {
            reached.unfed += 1;
            match (rules.unfed, self.side) {
                (Unfed::MoverGetsAllButOne, 0) => (south, north) = (south + rows[0] - 1, north + 1),
                (Unfed::MoverGetsAllButOne, _) => (south, north) = (south + 1, north + rows[1] - 1),
                _ => (south, north) = (south + rows[0], north + rows[1]),
            }
        } else {
            return None;
        }
        reached.draws += u32::from(south == north);
        Some(south - north)
    }

    fn repetition(&self, rules: &Rules) -> i32 {
        let stores = i32::from(self.stores[0]) - i32::from(self.stores[1]);
        let rows = i32::from(self.row_sum(rules, 0)) - i32::from(self.row_sum(rules, 1));
        if rules.repetition == Repetition::EachKeepsTheirSide { stores + rows } else { stores }
    }

    fn perft(&self, rules: &Rules, depth: u32) -> u64 {
        let quiet = &mut Reached::default();
        let legal = self.legal(rules, quiet);
        match depth {
            0 => 1,
            1 => legal.len() as u64,
            _ => legal.iter().map(|&house| self.play(rules, house, quiet).perft(rules, depth - 1)).sum(),
        }
    }

    /// A board that is likely to reach rare rules: few seeds, or empty rows, or one house with more than a lap of seeds.
    fn random(rules: &Rules, rng: &mut SplitMix64) -> Plain {
        let total = usize::from(rules.each) * 2 * rules.row;
        let board = 2 * rules.row;
        let side = rng.below(2);
        let mut houses = vec![0; board];
        let mut left = match rng.below(3) {
            0 => rng.below(total + 1),
            _ => rng.below(total / 3 + 1),
        };
        if rng.below(4) == 0 && left > 0 {
            let kroo = (left / 2) + rng.below(left - left / 2 + 1);
            houses[rng.below(board)] += kroo as u8;
            left -= kroo;
        }
        let slam = rng.below(16);
        if (1..=rules.row).contains(&slam) && 3 * slam <= left {
            // The mover's last house reaches as far as the opponent has seeds.
            houses = vec![0; board];
            houses[(side + 1) * rules.row - 1] = slam as u8;
            for i in 0..slam {
                houses[(1 - side) * rules.row + i] = 1 + rng.below(usize::from(rules.captured.1) - 1) as u8;
            }
            left = 0;
        }
        let own_row_only = rng.below(3) == 0;
        let some: Vec<usize> = (0..board).filter(|house| !own_row_only || house / rules.row == side).collect();
        let used = 1 + rng.below(some.len());
        for _ in 0..left {
            houses[some[(rng.below(used) * 5 + used) % some.len()]] += 1;
        }
        let stored = total - houses.iter().map(|&seeds| usize::from(seeds)).sum::<usize>();
        let south = match rng.below(8) {
            0 => rng.below(stored + 1),
            _ => stored / 2,
        };
        Plain { houses, stores: [south as u8, (stored - south) as u8], side }
    }
}

fn outcome_of(balance: i32) -> Outcome {
    match balance {
        0 => Outcome::Draw,
        1.. => Outcome::Win(Side::First),
        _ => Outcome::Win(Side::Second),
    }
}

/// Compares everything that can be seen of one position; returns the legal houses.
fn compare<V: Variant>(plain: &Plain, rules: &Rules, position: &Position<V>, reached: &mut Reached) -> Vec<usize> {
    let text = plain.text();
    let notation = AwaleNotation::<V>::default();
    assert_eq!(notation.position_text(position), text);
    let result = plain.result(rules, reached);
    assert_eq!(position.outcome(), result.map(outcome_of), "{text}");
    let sign = if plain.side == 0 { 1 } else { -1 };
    assert_eq!(position.final_balance(), result.map(|balance| sign * balance), "{text}");
    assert_eq!(position.outcome_by_repetition(), Some(outcome_of(plain.repetition(rules))), "{text}");
    let legal = plain.legal(rules, reached);
    let mut moves = Vec::new();
    position.generate(&mut moves);
    let indices: Vec<usize> = moves.iter().map(|house| house.index() + plain.side * rules.row).collect();
    assert_eq!(indices, legal, "{text}");
    for (mv, &house) in moves.iter().zip(&legal) {
        let next = plain.play(rules, house, reached);
        let gain = u32::from(next.stores[plain.side] - plain.stores[plain.side]);
        assert_eq!(position.captured(*mv), gain, "{text}");
        assert_eq!(position.is_irreversible(&position.after(*mv)), gain > 0, "{text}");
        assert_eq!(notation.position_text(&position.after(*mv)), next.text(), "{text}");
    }
    legal
}

/// Whole games from the start, and 40,000 short ones from random boards, of which the gate plays a quarter.
fn play_random_games<V: Variant>(rules: &Rules, from_start: usize) -> Reached {
    let Cases { seed, rounds } = sample(0x41_57_41_4C_45, 40_000, 10_000);
    let mut rng = SplitMix64::new(seed);
    let mut reached = Reached::default();
    for game in 0..from_start + rounds {
        let mut plain = if game < from_start { Plain::start(rules) } else { Plain::random(rules, &mut rng) };
        let mut position: Position<V> = AwaleNotation::default().parse_position(&plain.text()).unwrap();
        for _ in 0..if game < from_start { 250 } else { 12 } {
            let legal = compare(&plain, rules, &position, &mut reached);
            if legal.is_empty() {
                break;
            }
            let house = legal[rng.below(legal.len())];
            plain = plain.play(rules, house, &mut Reached::default());
            let mv = griot::games::awale::House::new(house % rules.row).unwrap();
            position.play(mv);
        }
    }
    reached
}

#[test]
fn abapa_agrees_with_the_plain_implementation() {
    let reached = play_random_games::<Abapa>(&ABAPA, 200);
    let Reached { long_sowings, slams_captured_nothing, feeding_forced, unfed, no_seeds, majority, draws, .. } =
        reached;
    for count in [long_sowings, slams_captured_nothing, feeding_forced, unfed, no_seeds, majority, draws] {
        assert!(!full_run() || count > 100, "{reached:?}");
    }
}

#[test]
fn awari_agrees_with_the_plain_implementation() {
    let reached = play_random_games::<Awari>(&AWARI, 200);
    let Reached { long_sowings, slams_forbidden, slams_forced, feeding_forced, no_seeds, majority, draws, .. } =
        reached;
    for count in [long_sowings, slams_forbidden, slams_forced, feeding_forced, no_seeds, majority, draws] {
        assert!(!full_run() || count > 100, "{reached:?}");
    }
    assert_eq!(reached.unfed, 0);
}

#[test]
fn tipe_agrees_with_the_plain_implementation() {
    let reached = play_random_games::<Tipe>(&TIPE, 200);
    let Reached { long_sowings, capped_runs, slams_forbidden, slams_forced, feeding_forced, unfed, .. } = reached;
    let Reached { few, no_seeds, majority, draws, .. } = reached;
    for count in [long_sowings, slams_forbidden, feeding_forced, unfed, few, no_seeds, majority, draws] {
        assert!(!full_run() || count > 100, "{reached:?}");
    }
    assert!(!full_run() || capped_runs > 100 && slams_forced > 20, "{reached:?}");
}

#[test]
fn mini_agrees_with_the_plain_implementation() {
    let reached = play_random_games::<Mini>(&MINI, 2_000);
    let Reached { long_sowings, slams_captured_nothing, feeding_forced, unfed, no_seeds, majority, draws, .. } =
        reached;
    for count in [long_sowings, slams_captured_nothing, feeding_forced, unfed, no_seeds, majority, draws] {
        assert!(!full_run() || count > 100, "{reached:?}");
    }
}

/// Board text and counts from depth 1 of each line of a data file.
fn perft_lines(rules: &Rules) -> Vec<(String, Vec<u64>)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/games/awale").join(rules.file);
    let text = fs::read_to_string(path).unwrap();
    let counts = |line: support::plain::PerftLine<'_>| {
        let (depths, counts): (Vec<u32>, _) = line.counts.iter().copied().unzip();
        assert!(depths.iter().copied().eq(1..=depths.len() as u32), "{}", line.board);
        (line.board.to_string(), counts)
    };
    support::plain::perft_lines(&text).map(counts).collect()
}

fn check_perft_file<V: Variant>(rules: &Rules) {
    let lines = perft_lines(rules);
    assert!(lines.len() > 5);
    for (board, counts) in lines {
        let position: Position<V> = AwaleNotation::default().parse_position(&board).unwrap();
        let plain = Plain::parse(&board);
        for (depth, &count) in (1..).zip(&counts) {
            if count < 1_000_000 {
                assert_eq!(perft(&position, depth), count, "{board} at depth {depth}");
            }
            if count < 10_000 {
                assert_eq!(plain.perft(rules, depth), count, "{board} at depth {depth}, plain implementation");
            }
        }
    }
}

#[test]
fn both_implementations_count_what_the_perft_files_say() {
    check_perft_file::<Abapa>(&ABAPA);
    check_perft_file::<Awari>(&AWARI);
    check_perft_file::<Tipe>(&TIPE);
    check_perft_file::<Mini>(&MINI);
}

/// `rules` with one rule wrong, in every way that changes which moves there are.
fn mutants(rules: Rules) -> Vec<Rules> {
    let mut all = vec![
        Rules { skip_origin: false, ..rules },
        Rules { skip_on_every_lap: false, ..rules },
        Rules { captured: (1, rules.captured.1), ..rules },
        Rules { captured: (2, 5 - rules.captured.1), ..rules },
        Rules { captured: (2, 4), ..rules },
        Rules { must_feed: false, ..rules },
        Rules { majority: rules.majority + 1, ..rules },
        Rules { majority: rules.majority - 1, ..rules },
        Rules { few: if rules.few == 0 { 3 } else { rules.few - 1 }, ..rules },
        Rules { few: rules.few + 1, ..rules },
        Rules { unfed: if rules.unfed == Unfed::Played { Unfed::EachKeepsTheirSide } else { Unfed::Played }, ..rules },
    ];
    if rules.captured_houses == 1 {
        all.push(Rules { captured_houses: 3, ..rules });
    } else {
        all.push(Rules { captured_houses: rules.captured_houses - 1, ..rules });
        all.push(Rules { unbroken_run: false, ..rules });
        all.push(Rules { own_row_too: true, ..rules });
    }
    if rules.captured_houses == 4 {
        all.push(Rules { captured_houses: 5, ..rules });
    }
    let slams = [Slam::CapturesNothing, Slam::Illegal, Slam::Captures];
    all.extend(slams.iter().filter(|&&slam| slam != rules.slam).map(|&slam| Rules { slam, ..rules }));
    all
}

#[test]
fn a_wrong_rule_changes_a_count_of_the_perft_files() {
    for rules in [ABAPA, AWARI, TIPE, MINI] {
        let lines = perft_lines(&rules);
        for mutant in mutants(rules) {
            let is_caught = |(board, counts): &(String, Vec<u64>)| {
                let depths = (1..).zip(counts).take_while(|&(_, &count)| count < 3_000);
                depths.into_iter().any(|(depth, &count)| Plain::parse(board).perft(&mutant, depth) != count)
            };
            assert!(lines.iter().any(is_caught), "no position tells {mutant:?}");
        }
    }
}
