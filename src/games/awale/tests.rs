//! One test for each rule, on a position that fails if the rule is wrong.

use super::board::{captured, largest_byte};
use super::*;
use crate::game::{Evaluate, Notation, Outcome, Position as _, Side, SplitMix64, conformance};
use crate::message::{Pile, Point, Shape, Way};
use crate::score::Score;
use griot_testing::{Cases, sample};

fn read<V: Variant>(text: &str) -> Position<V> {
    AwaleNotation::default().parse_position(text).unwrap()
}

/// The board text after the moves `line`, each of which must be legal.
fn after<V: Variant>(text: &str, line: &str) -> String {
    let notation = AwaleNotation::<V>::default();
    let mut position = read::<V>(text);
    for (_, word) in notation.split_moves(line) {
        let mv = notation.parse_move(&position, word).unwrap();
        position.play(mv);
    }
    notation.position_text(&position)
}

fn legal<V: Variant>(text: &str) -> String {
    let position = read::<V>(text);
    let mut moves = Vec::new();
    position.generate(&mut moves);
    moves.iter().map(|&mv| AwaleNotation::default().move_text(&position, mv)).collect()
}

/// The end of a game: its reason, its winner, and the balance for the side to move.
fn end<V: Variant>(text: &str) -> Option<(Ending, Outcome, i32)> {
    let position = read::<V>(text);
    let ending = position.ending()?;
    Some((ending, position.outcome().unwrap(), position.final_balance().unwrap()))
}

/// Any number of seeds in any number of houses, the rest nearly even in the stores; South is to move. Few houses
/// produce slams and laps, many produce runs.
pub(super) fn random_board<V: Variant>(rng: &mut SplitMix64) -> Position<V> {
    let mut houses = vec![0; 2 * V::HOUSES];
    let seeds = 1 + rng.below(usize::from(V::TOTAL)) as u8;
    let used = 1 + rng.below(houses.len());
    for _ in 0..seeds {
        houses[rng.below(used) * 5 % (2 * V::HOUSES)] += 1;
    }
    let rest = V::TOTAL - seeds;
    let store = (rest / 2 + rng.below(5) as u8).saturating_sub(2).min(rest);
    Position::from_parts(&houses, [store, rest - store], Side::First).unwrap()
}

const SOUTH: Outcome = Outcome::Win(Side::First);
const NORTH: Outcome = Outcome::Win(Side::Second);

#[test]
fn every_variant_keeps_the_laws_of_a_game() {
    fn check<V: Variant>(games: u32) {
        let Cases { seed, rounds } = sample(1, games as usize, games as usize / 10);
        let report = conformance::check(&game::<V>(), seed, rounds as u32).unwrap();
        assert_eq!(report.games, rounds as u32);
    }
    check::<Abapa>(150);
    check::<Awari>(150);
    check::<Tipe>(150);
    check::<Mini>(1_500);
}

#[test]
fn names_and_starts_are_those_of_the_variants() {
    let names = [game::<Abapa>().name, game::<Awari>().name, game::<Tipe>().name, game::<Mini>().name];
    assert_eq!(names, ["awale", "awale:awari", "awale:tipe", "awale:mini"]);
    assert_eq!(format!("{:?}", Position::<Tipe>::start()), "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S");
    assert_eq!(format!("{:?}", Position::<Mini>::start()), "2-2-2-2-2-2-0-0-S");
    assert_eq!([Abapa::TOTAL, Abapa::MAJORITY, Mini::TOTAL, Mini::MAJORITY], [48, 25, 12, 7]);
    assert_eq!(size_of::<Position<Abapa>>(), 16);
}

#[test]
fn sowing_passes_over_the_origin_on_every_lap() {
    assert_eq!(after::<Abapa>("4-4-4-4-4-4-4-4-4-4-4-4-0-0-S", "C"), "4-4-0-5-5-5-5-4-4-4-4-4-0-0-N");
    assert_eq!(after::<Abapa>("11-0-0-0-0-0-0-0-0-0-0-0-18-19-S", "A"), "0-1-1-1-1-1-1-1-1-1-1-1-18-19-N");
    assert_eq!(after::<Abapa>("12-0-0-0-0-0-0-0-0-0-0-0-18-18-S", "A"), "0-2-1-1-1-1-1-1-1-1-1-1-18-18-N");
    assert_eq!(after::<Abapa>("0-0-0-0-0-0-0-0-0-11-0-0-18-19-N", "d"), "1-1-1-1-1-1-1-1-1-0-1-1-18-19-S");
    assert_eq!(after::<Abapa>("22-0-0-0-0-0-0-0-0-0-0-0-13-13-S", "A"), "0-2-2-2-2-2-2-2-2-2-2-2-13-13-N");
    assert_eq!(after::<Abapa>("23-0-0-0-0-0-0-0-0-0-0-0-12-13-S", "A"), "0-3-2-2-2-2-2-2-2-2-2-2-12-13-N");
    assert_eq!(after::<Abapa>("0-0-0-0-0-0-0-0-0-0-34-0-7-7-N", "e"), "3-3-3-3-3-3-3-3-3-3-0-4-7-7-S");
    assert_eq!(after::<Abapa>("48-0-0-0-0-0-0-0-0-0-0-0-0-0-S", "A"), "0-5-5-5-5-4-4-4-4-4-4-4-0-0-N");
}

#[test]
fn a_run_of_twos_and_threes_is_captured() {
    assert_eq!(after::<Abapa>("1-0-0-0-0-3-1-1-2-4-0-0-18-18-S", "F"), "1-0-0-0-0-0-0-0-0-4-0-0-25-18-N");
    // The four in b breaks the run: a stays.
    assert_eq!(after::<Abapa>("0-0-0-0-0-4-1-3-1-2-0-0-18-19-S", "F"), "0-0-0-0-0-0-2-4-0-0-0-0-23-19-N");
    // The last house decides: d becomes four, then one.
    assert_eq!(after::<Abapa>("0-0-0-0-0-4-1-1-1-3-0-0-19-19-S", "F"), "0-0-0-0-0-0-2-2-2-4-0-0-19-19-N");
    assert_eq!(after::<Abapa>("0-0-0-0-0-4-1-1-1-0-0-0-20-21-S", "F"), "0-0-0-0-0-0-2-2-2-1-0-0-20-21-N");
    // F would be a two before the run, but it is the mover's own house.
    assert_eq!(after::<Abapa>("0-0-0-0-2-1-1-0-4-0-0-0-20-20-S", "E"), "0-0-0-0-0-2-0-0-4-0-0-0-22-20-N");
    // Nothing is captured in the mover's row, and North captures from South's.
    assert_eq!(after::<Abapa>("1-1-1-0-0-0-4-0-0-0-0-0-20-21-S", "A"), "0-2-1-0-0-0-4-0-0-0-0-0-20-21-N");
    assert_eq!(after::<Abapa>("1-2-9-0-0-0-1-0-0-0-0-2-16-17-N", "f"), "0-0-9-0-0-0-1-0-0-0-0-0-16-22-S");
    // On a second lap: 13 from D end in the mover's row, 13 from F in b.
    assert_eq!(after::<Abapa>("0-0-0-13-0-0-0-0-0-0-0-1-17-17-S", "D"), "1-1-1-0-2-2-1-1-1-1-1-2-17-17-N");
    assert_eq!(after::<Abapa>("0-0-0-0-0-13-0-0-0-0-0-1-17-17-S", "F"), "1-1-1-1-1-0-0-0-1-1-1-2-21-17-N");
}

/// Every house of random boards with few and with many seeds, in every variant.
#[test]
fn captures_by_table_are_captures_by_sowing() {
    fn check<V: Variant>() {
        let mut rng = SplitMix64::new(4);
        for _ in 0..20_000 {
            let position = random_board::<V>(&mut rng);
            let captures = position.captures();
            let aims = position.aims();
            let most = position.most_captured(aims);
            assert_eq!(most, u32::from(largest_byte(captures)), "{position:?}");
            assert!(!position.some_aim_captures(aims) || most > 0, "{position:?}");
            for house in (0..V::HOUSES).filter_map(House::new) {
                let playable = position.playable() >> house.index() & 1 != 0;
                let expected = if playable { position.captured(house) } else { 0 };
                assert_eq!(captured(captures, house) as u32, expected, "{position:?} {house:?}");
            }
        }
    }
    check::<Abapa>();
    check::<Awari>();
    check::<Tipe>();
    check::<Mini>();
}

#[test]
fn what_is_plain_to_see_is_so() {
    fn check<V: Variant>() {
        let mut rng = SplitMix64::new(6);
        let mut seen = [0; 3];
        for _ in 0..20_000 {
            let position = random_board::<V>(&mut rng);
            if position.outcome().is_some() || !position.goes_on() {
                continue;
            }
            seen[0] += 1;
            assert_eq!(position.first_playable(), position.playable_houses().next(), "{position:?}");
            for house in position.playable_houses() {
                let next = position.after(house);
                let captures = position.captured(house) > 0;
                let by_majority = next.ending() == Some(Ending::Majority);
                assert!(by_majority || next.outcome().is_none(), "{position:?} {house:?}");
                if !captures {
                    assert_eq!(position.after_sowing(house), next);
                }
                if position.goes_on_twice(captures) {
                    seen[if captures { 2 } else { 1 }] += 1;
                    assert!(next.goes_on(), "{position:?} {house:?}");
                }
            }
        }
        assert!(seen.iter().all(|&times| times > 20), "{}: {seen:?}", V::NAME);
    }
    check::<Abapa>();
    check::<Awari>();
    check::<Tipe>();
    check::<Mini>();
}

#[test]
fn what_comes_back_was_said_to_return() {
    fn check<V: Variant>() {
        let mut rng = SplitMix64::new(5);
        let (mut returns, mut denied, mut asked) = (0, 0, 0);
        for _ in 0..2_000 {
            // Few seeds repeat positions often.
            let mut houses = vec![0; 2 * V::HOUSES];
            let seeds = 2 + rng.below(usize::from(V::TOTAL) / 3) as u8;
            for _ in 0..seeds {
                houses[rng.below(2 * V::HOUSES)] += 1;
            }
            let rest = V::TOTAL - seeds;
            let position = Position::<V>::from_parts(&houses, [rest / 2, rest - rest / 2], Side::First).unwrap();
            let mut line = vec![position];
            while line.len() < 60 && line[line.len() - 1].outcome().is_none() {
                let position = line[line.len() - 1];
                let quiet: Vec<House> =
                    position.playable_houses().filter(|&house| position.captured(house) == 0).collect();
                if quiet.is_empty() {
                    break;
                }
                line.push(position.after(quiet[rng.below(quiet.len())]));
            }
            for (end, position) in line.iter().enumerate() {
                for (start, earlier) in line[..end].iter().enumerate() {
                    asked += 1;
                    denied += u32::from(!position.may_return_to(earlier, V::HOUSES as u32 - 1));
                    if earlier == position {
                        returns += 1;
                        for (middle, on_the_way) in line[..end].iter().enumerate().skip(start + 1) {
                            let plies = (end - middle) as u32;
                            assert!(on_the_way.may_return_to(earlier, plies), "{earlier:?} {on_the_way:?} {plies}");
                        }
                    }
                }
            }
        }
        assert!(returns > 5 && denied > asked / 20, "{}: {returns}, {denied} of {asked}", V::NAME);
    }
    check::<Abapa>();
    check::<Awari>();
    check::<Tipe>();
    check::<Mini>();
}

#[test]
fn captures_are_told_before_they_are_played() {
    let position = read::<Abapa>("1-0-0-0-0-3-1-1-2-4-0-0-18-18-S");
    let [a, f] = [0, 5].map(|house| House::new(house).unwrap());
    assert_eq!((position.captured(a), position.captured(f)), (0, 7));
    let evaluate = AwaleEvaluation::default();
    assert!(!evaluate.is_noisy(&position, a) && evaluate.is_noisy(&position, f));
    assert!(!position.is_irreversible(&position.after(a)) && position.is_irreversible(&position.after(f)));
    assert_eq!(House::new(6), None);
}

#[test]
fn tipe_captures_no_more_than_four_houses() {
    let board = "1-0-0-0-0-5-1-1-1-1-1-4-16-17-S";
    assert_eq!(after::<Abapa>(board, "F"), "1-0-0-0-0-0-0-0-0-0-0-4-26-17-N");
    assert_eq!(after::<Tipe>(board, "F"), "1-0-0-0-0-0-2-0-0-0-0-4-24-17-N");
}

#[test]
fn mini_captures_exactly_two_from_the_last_house_alone() {
    assert_eq!(after::<Mini>("0-0-2-1-1-2-3-3-S", "C"), "0-0-0-2-0-2-5-3-N");
    assert_eq!(after::<Mini>("0-0-2-1-2-2-2-3-S", "C"), "0-0-0-2-3-2-2-3-N");
    assert_eq!(after::<Mini>("0-0-6-0-0-0-3-3-S", "C"), "1-1-0-0-1-1-5-3-N");
    assert_eq!(after::<Mini>("0-5-0-0-0-0-3-4-S", "B"), "1-0-1-1-1-1-3-4-N");
    assert_eq!(after::<Mini>("11-0-0-0-0-1-0-0-S", "A"), "0-3-2-2-2-3-0-0-N");
}

#[test]
fn a_grand_slam_captures_nothing_in_abapa_and_mini() {
    let board = "0-0-0-0-1-2-1-1-0-0-0-0-21-22-S";
    assert_eq!(legal::<Abapa>(board), "EF");
    assert_eq!(after::<Abapa>(board, "F"), "0-0-0-0-1-0-2-2-0-0-0-0-21-22-N");
    assert_eq!(read::<Abapa>(board).captured(House::new(5).unwrap()), 0);
    assert_eq!(legal::<Mini>("0-1-2-0-1-0-4-4-S"), "BC");
    assert_eq!(after::<Mini>("0-2-1-1-0-0-4-4-S", "C"), "0-2-0-2-0-0-4-4-N");
    // With a seed elsewhere it is an ordinary capture.
    assert_eq!(after::<Abapa>("0-0-0-0-0-2-1-1-0-0-0-1-21-22-S", "F"), "0-0-0-0-0-0-0-0-0-0-0-1-25-22-N");
    // All six empty houses get two seeds.
    assert_eq!(after::<Abapa>("0-0-0-0-0-17-0-0-0-0-0-0-15-16-S", "F"), "1-1-1-1-1-0-2-2-2-2-2-2-15-16-N");
}

#[test]
fn a_grand_slam_is_illegal_in_awari_and_tipe_unless_it_is_forced() {
    let board = "0-0-0-0-3-4-2-2-1-1-0-0-17-18-S";
    assert_eq!(legal::<Abapa>(board), "EF");
    assert_eq!(legal::<Awari>(board), "E");
    assert_eq!(legal::<Tipe>(board), "E");
    let forced = "0-0-0-0-0-4-2-2-1-1-0-0-19-19-S";
    assert_eq!((legal::<Awari>(forced), legal::<Tipe>(forced)), ("F".into(), "F".into()));
    assert_eq!(after::<Awari>(forced, "F"), "0-0-0-0-0-0-0-0-0-0-0-0-29-19-N");
    // If no move leaves North a seed, every house may be sown, and F is a slam.
    let starving = "1-0-0-0-0-17-0-0-0-0-0-0-15-15-S";
    assert_eq!(legal::<Awari>(starving), "AF");
    assert_eq!(after::<Awari>(starving, "F"), "2-1-1-1-1-0-0-0-0-0-0-0-27-15-N");
    assert_eq!(after::<Tipe>(starving, "F"), "2-1-1-1-1-0-2-2-0-0-0-0-23-15-N");
    // As at most four houses are captured, five twos are no slam in the exam's game.
    let five = "1-0-0-0-0-5-1-1-1-1-1-0-18-19-S";
    assert_eq!((legal::<Awari>(five), legal::<Tipe>(five)), ("A".into(), "AF".into()));
}

#[test]
fn an_opponent_without_seeds_must_be_fed() {
    let board = "6-4-1-2-1-2-0-0-0-0-0-0-16-16-S";
    for moves in [legal::<Abapa>(board), legal::<Awari>(board), legal::<Tipe>(board)] {
        assert_eq!(moves, "AF");
    }
    assert_eq!(legal::<Mini>("3-1-1-0-0-0-3-4-S"), "AC");
    assert_eq!(legal::<Abapa>("0-0-0-0-0-0-1-2-3-4-1-0-18-19-N"), "d");
}

#[test]
fn each_variant_ends_in_its_own_way_when_nothing_feeds() {
    let board = "0-4-2-1-0-0-0-0-0-0-0-0-20-21-S";
    assert_eq!(end::<Abapa>(board), Some((Ending::NoFeedingMove, SOUTH, 6)));
    assert_eq!(end::<Awari>(board), None);
    assert_eq!(legal::<Awari>(board), "BCD");
    assert_eq!(end::<Awari>(&after::<Awari>(board, "B")), Some((Ending::NoSeeds, SOUTH, -6)));
    assert_eq!(end::<Tipe>(board), Some((Ending::NoFeedingMove, SOUTH, 4)));
    // The one seed that the opponent gets can decide.
    assert_eq!(end::<Abapa>("0-0-0-0-0-0-5-2-1-0-0-0-23-17-N"), Some((Ending::NoFeedingMove, NORTH, 2)));
    assert_eq!(end::<Tipe>("0-0-0-0-0-0-5-2-1-0-0-0-23-17-N"), Some((Ending::NoFeedingMove, Outcome::Draw, 0)));
    assert_eq!(end::<Mini>("2-1-0-0-0-0-4-5-S"), Some((Ending::NoFeedingMove, SOUTH, 2)));
}

#[test]
fn a_side_without_seeds_leaves_the_rest_to_the_opponent() {
    let board = "0-0-0-0-0-0-1-0-0-3-0-4-22-18-S";
    for end in [end::<Abapa>(board), end::<Awari>(board), end::<Tipe>(board)] {
        assert_eq!(end, Some((Ending::NoSeeds, NORTH, -4)));
    }
    assert_eq!(end::<Mini>("1-0-1-0-0-0-4-6-N"), Some((Ending::NoSeeds, Outcome::Draw, 0)));
    assert_eq!(end::<Abapa>("0-0-0-0-0-0-0-0-0-0-0-0-24-24-S"), Some((Ending::NoSeeds, Outcome::Draw, 0)));
}

#[test]
fn more_than_half_of_the_seeds_in_a_store_end_the_game() {
    let board = "1-1-1-1-1-1-1-1-1-1-1-1-25-11-S";
    for end in [end::<Abapa>(board), end::<Awari>(board), end::<Tipe>(board)] {
        assert_eq!(end, Some((Ending::Majority, SOUTH, 14)));
    }
    assert_eq!(end::<Abapa>("1-1-1-1-1-1-1-1-1-1-1-1-11-25-S"), Some((Ending::Majority, NORTH, -14)));
    assert_eq!(end::<Abapa>("1-1-1-1-1-1-1-1-1-1-1-1-24-12-S"), None);
    assert_eq!(end::<Mini>("1-1-1-0-0-1-7-1-N"), Some((Ending::Majority, SOUTH, -6)));
    assert_eq!(end::<Mini>("1-1-1-0-0-1-6-2-N"), None);
    assert_eq!(legal::<Abapa>(board), "");
}

#[test]
fn six_seeds_end_the_exams_game_alone() {
    let six = "0-2-0-2-0-0-0-0-2-0-0-0-20-22-S";
    assert_eq!(end::<Tipe>(six), Some((Ending::FewSeeds, NORTH, -2)));
    assert_eq!((end::<Abapa>(six), end::<Awari>(six)), (None, None));
    assert_eq!(end::<Tipe>("0-2-0-2-0-0-0-0-2-0-0-0-21-21-N"), Some((Ending::FewSeeds, Outcome::Draw, 0)));
    assert_eq!(end::<Tipe>("0-2-0-2-0-0-0-0-3-0-0-0-20-21-S"), None);
    // This rule comes before those about sides without seeds: the stores decide, and neither side gets the rest.
    assert_eq!(end::<Tipe>("0-0-0-0-0-0-0-0-6-0-0-0-22-20-S"), Some((Ending::FewSeeds, SOUTH, 2)));
}

#[test]
fn each_variant_has_its_own_end_by_repetition() {
    // South has more in store, North more in store and row together.
    let board = "0-1-0-2-0-0-0-4-0-4-0-0-20-17-S";
    assert_eq!(read::<Abapa>(board).outcome_by_repetition(), Some(NORTH));
    assert_eq!(read::<Awari>(board).outcome_by_repetition(), Some(SOUTH));
    assert_eq!(read::<Tipe>(board).outcome_by_repetition(), Some(SOUTH));
    assert_eq!(read::<Mini>("1-0-0-1-1-2-4-3-N").outcome_by_repetition(), Some(NORTH));
    let level = "0-1-0-2-0-0-0-4-0-4-0-1-18-18-N";
    assert_eq!(read::<Abapa>(level).outcome_by_repetition(), Some(NORTH));
    assert_eq!(read::<Awari>(level).outcome_by_repetition(), Some(Outcome::Draw));
}

#[test]
fn a_bad_board_text_is_answered_by_the_name_of_the_field() {
    let complaint = |text: &str| {
        let error = AwaleNotation::<Abapa>::default().parse_position(text).unwrap_err();
        (error.offset, error.field, error.expected, error.found)
    };
    let seeds = "a number of seeds from 0 to 48";
    let cases = [
        ("4-4-x-4-4-4-4-4-4-4-4-4-0-0-S", 4, "house C", seeds, "'x'"),
        ("4-4-4-4-4-4-4-4-4-49-4-4-0-0-S", 18, "house d", seeds, "'49'"),
        (
            "4-4-4-4-4-4-4-4-4-4-4-4-99999999999999999999999999-0-S",
            24,
            "South's store",
            seeds,
            "'99999999999999999999...'",
        ),
        ("4-4-4-4-4-4-4-4-4-4-4-4-0-+0-S", 26, "North's store", seeds, "'+0'"),
        ("4-4-4-4-4-4-4-4-4-4-4-4-0- 0-S", 26, "North's store", seeds, "' 0'"),
        ("04-4-4-4-4-4-4-4-4-4-4-4-0-0-S", 0, "house A", seeds, "'04'"),
        ("-4-4-4-4-4-4-4-4-4-4-4-0-0-S", 0, "house A", seeds, "nothing"),
        ("", 0, "house A", seeds, "nothing"),
        ("4-4-4", 5, "house D", "'-' and then house D", "the end of the text"),
        ("4-4-4-4-4-4-4-4-4-4-4-4-0-0", 27, "side to move", "'-' and then side to move", "the end of the text"),
        ("4-4-4-4-4-4-4-4-4-4-4-4-0-0-", 28, "side to move", "S or N, and no more text", "nothing"),
        ("4-4-4-4-4-4-4-4-4-4-4-4-0-0-s", 28, "side to move", "S or N, and no more text", "'s'"),
        ("4-4-4-4-4-4-4-4-4-4-4-4-0-0-S-1", 28, "side to move", "S or N, and no more text", "'S-1'"),
        ("4-4-4-4-4-4-4-4-4-4-4-4-0-1-S", 0, "seed total", "48 seeds in houses and stores together", "49"),
        ("4-4-4-4-4-é-4-4-4-4-4-4-0-0-S", 10, "house F", seeds, "'é'"),
    ];
    for (text, offset, field, expected, found) in cases {
        assert_eq!(complaint(text), (offset, field.into(), expected.into(), found.into()), "{text}");
    }
    let mini = AwaleNotation::<Mini>::default();
    assert_eq!(
        mini.parse_position("2-2-2-2-2-2-0-1-S").unwrap_err().to_string(),
        "seed total: expected 12 seeds in houses and stores together, found 13"
    );
    assert_eq!(mini.parse_position("2-2-2-2-2-13-0-1-S").unwrap_err().field, "house c");
    assert_eq!(mini.parse_position("4-4-4-4-4-4-4-4-4-4-4-4-0-0-S").unwrap_err().field, "side to move");
}

#[test]
fn a_bad_move_is_answered_by_what_is_legal() {
    let complaint = |board: &str, mv: &str| {
        let error = AwaleNotation::<Awari>::default().parse_move(&read(board), mv).unwrap_err();
        (error.offset, error.field, error.expected, error.found)
    };
    let board = "0-0-0-0-3-4-2-2-1-1-0-0-17-18-S";
    let case = |expected: &str, found: &str| (0, "move".to_string(), expected.to_string(), found.to_string());
    assert_eq!(complaint(board, "A"), case("E, the only legal move", "'A', an empty house"));
    assert_eq!(complaint(board, "F"), case("E, the only legal move", "'F', which leaves the opponent without seeds"));
    assert_eq!(complaint(board, "G"), case("a house, A to F", "'G'"));
    assert_eq!(complaint(board, "EE"), case("a house, A to F", "'EE'"));
    assert_eq!(complaint("0-0-0-1-3-4-2-2-1-1-0-0-16-18-N", "f"), case("one of a, b, c, d", "'f', an empty house"));
    let over = "1-1-1-1-1-1-1-1-1-1-1-1-25-11-S";
    assert_eq!(complaint(over, "A"), case("no move, for the game is over", "'A'"));
}

#[test]
fn a_letter_of_the_wrong_case_is_read_as_the_movers() {
    let notation = AwaleNotation::<Abapa>::default();
    let start = notation.start();
    let [c, same] = ["C", "c"].map(|text| notation.parse_move(&start, text).unwrap());
    assert_eq!((c, notation.move_text(&start, c)), (same, "C".into()));
    assert_eq!(notation.move_text(&start.after(c), c), "c");
    assert_eq!(
        after::<Abapa>("4-4-4-4-4-4-4-4-4-4-4-4-0-0-S", "AaF"),
        after::<Abapa>("4-4-4-4-4-4-4-4-4-4-4-4-0-0-S", "a A f")
    );
}

#[test]
fn the_picture_has_north_on_top_and_turned() {
    let notation = AwaleNotation::<Abapa>::default();
    let picture = notation.picture(&read::<Abapa>("0-1-2-3-4-5-6-7-8-9-0-1-2-0-N"));
    let Shape::Houses { rows: [south, north], stores } = picture.board.shape else { panic!() };
    let names = |row: &[Pile]| row.iter().map(|house| house.name.as_str()).collect::<String>();
    let seeds = |row: &[Pile]| row.iter().map(|house| house.count).collect::<Vec<u32>>();
    assert_eq!((names(&south), names(&north), stores), ("ABCDEF".into(), "fedcba".into(), [2, 0]));
    assert_eq!((seeds(&south), seeds(&north)), (vec![0, 1, 2, 3, 4, 5], vec![1, 0, 9, 8, 7, 6]));
    let first = &picture.moves[0];
    assert_eq!((first.mv.as_str(), first.way.clone()), ("a", Way::from(Point::new(5_u8, 1_u8))));
    let south = notation.picture(&notation.start());
    assert_eq!(south.moves[2].way, Way::from(Point::new(2_u8, 0_u8)));
}

#[test]
fn positions_are_made_of_parts_that_add_up() {
    let start = Position::<Mini>::from_parts(&[2; 6], [0, 0], Side::First);
    assert_eq!(start, Some(Position::start()));
    assert_eq!(Position::<Mini>::from_parts(&[2; 6], [0, 1], Side::First), None);
    assert_eq!(Position::<Mini>::from_parts(&[2; 5], [2, 0], Side::First), None);
    let position = read::<Abapa>("0-1-2-3-4-5-6-7-8-9-0-1-2-0-N");
    assert_eq!([position.seeds(Side::First, 1), position.seeds(Side::Second, 3)], [1, 9]);
    assert_eq!([position.store(Side::First), position.store(Side::Second)], [2, 0]);
    assert_eq!((position.store_balance(), position.seeds_on_board()), (-2, 46));
}

/// The same game with the sides exchanged.
fn turned<V: Variant>(position: &Position<V>) -> Position<V> {
    let [south, north] = [Side::First, Side::Second].map(|side| (0..V::HOUSES).map(move |i| (side, i)));
    let houses: Vec<u8> = north.chain(south).map(|(side, i)| position.seeds(side, i)).collect();
    let stores = [position.store(Side::Second), position.store(Side::First)];
    Position::from_parts(&houses, stores, position.side_to_move().other()).unwrap()
}

#[test]
fn evaluation_does_not_know_south_from_north() {
    fn check<V: Variant>() {
        let (mut rng, evaluate) = (SplitMix64::new(9), AwaleEvaluation::default());
        for _ in 0..200 {
            let mut position = Position::<V>::start();
            while position.outcome().is_none() && rng.below(60) > 0 {
                assert_eq!(evaluate.evaluate(&turned(&position)), evaluate.evaluate(&position));
                let mut moves = Vec::new();
                position.generate(&mut moves);
                position.play(moves[rng.below(moves.len())]);
            }
        }
    }
    check::<Abapa>();
    check::<Mini>();
}

#[test]
fn the_network_sees_houses_and_captures_as_counted_by_hand() {
    use network::inputs;
    // The input of a house is its number times 24 plus its seeds; of a capture, 288 (plus 18 for the opponent's) plus
    // its seeds.
    let seen = |text: &str| inputs(&read::<Abapa>(text));
    let of = |own: [usize; 6], theirs: [usize; 6], captures: [usize; 2]| -> [usize; network::SEEN] {
        std::array::from_fn(|input| match input {
            0..6 => 24 * input + own[input],
            6..12 => 24 * input + theirs[input - 6],
            _ => 288 + 18 * (input - 12) + captures[input - 12],
        })
    };
    assert_eq!(seen("4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"), [of([4; 6], [4; 6], [0, 0]); 2]);
    // South's last house captures the two seeds of North's fifth. North can reach a house of one or two seeds only from
    // its fifth house, which ends on the empty first one.
    let (south, north) = ([0, 0, 12, 1, 2, 5], [3, 3, 3, 3, 4, 2]);
    let position = "0-0-12-1-2-5-3-3-3-3-4-2-7-3";
    assert_eq!(seen(&format!("{position}-S")), [of(south, north, [0, 0]), of(north, south, [0, 0])]);
    // South's C captures North's c, which then holds two; North's b captures nothing.
    let (south, north) = ([4, 4, 6, 4, 4, 4], [4, 4, 1, 4, 4, 4]);
    let [by_south, by_north] = [of(south, north, [2, 0]), of(north, south, [0, 2])];
    let position = "4-4-6-4-4-4-4-4-1-4-4-4-1-0";
    assert_eq!(seen(&format!("{position}-S")), [by_south, by_north]);
    assert_eq!(seen(&format!("{position}-N")), [by_north, by_south]);
    // Numbers from 23 seeds on share an input.
    assert_eq!(seen("30-0-0-0-0-0-1-0-0-0-0-0-9-8-S")[0][0], 23);
    // On the small board three houses of each side stay empty.
    let mini = inputs(&read::<Mini>("0-6-0-3-3-0-0-0-S"));
    assert_eq!(mini[0][..12], of([0, 6, 0, 0, 0, 0], [3, 3, 0, 0, 0, 0], [0, 0])[..12]);
}

#[test]
fn other_weights_are_taken_and_broken_ones_refused() {
    let fitted = network::FITTED;
    let evaluate = AwaleEvaluation::default();
    let position = read::<Abapa>("4-4-6-4-4-4-4-4-1-4-4-4-1-0-S");
    let with = |file: &[u8]| Evaluate::<Position<Abapa>>::with_weights(&evaluate, file);
    assert_eq!(with(fitted).unwrap().evaluate(&position), evaluate.evaluate(&position));
    // An empty network leaves only the stores.
    assert_eq!(with(&vec![0; fitted.len()]).unwrap().evaluate(&position), Score::units(100));
    let error = with(&fitted[1..]).unwrap_err();
    assert_eq!(error, format!("expected a network of {} bytes, found {}", fitted.len(), fitted.len() - 1));
}

#[test]
fn material_is_the_store_and_in_the_end_the_share() {
    assert_eq!(AwaleEvaluation::default().material(&read::<Abapa>("0-4-2-1-0-0-1-0-0-0-0-0-20-20-N")), 0);
    assert_eq!(AwaleEvaluation::default().material(&read::<Abapa>("0-4-2-1-0-0-0-0-0-0-0-0-20-21-S")), 600);
    assert_eq!(AwaleEvaluation::default().material(&read::<Awari>("0-4-2-1-0-0-0-0-0-0-0-0-20-21-S")), -100);
}

#[test]
fn boards_are_counted_as_the_formulas_say() {
    assert_eq!(count::binomial(17, 5), 6188);
    assert_eq!((count::binomial(5, 6), count::binomial(5, 0), count::binomial(59, 11)), (0, 1, 279_871_768_995));
    assert_eq!(count::boards(12, 20), 84_672_315);
    assert_eq!(count::reachable_boards(), 889_063_398_406);
    assert_eq!(count::mini_boards(), 11_087);
}

/// Calls `visit` with every way to put `seeds` seeds into the houses from `from` on.
fn fill(houses: &mut [u8; 6], from: usize, seeds: u8, visit: &mut impl FnMut(&[u8; 6])) {
    if from == 5 {
        houses[5] = seeds;
        return visit(houses);
    }
    for here in 0..=seeds {
        houses[from] = here;
        fill(houses, from + 1, seeds - here, visit);
    }
}

#[test]
fn the_exams_number_of_small_boards_is_found_by_listing_them() {
    let (mut all, mut after_a_move) = (0, 0);
    for seeds in (2..=12).step_by(2) {
        fill(&mut [0; 6], 0, seeds, &mut |houses| {
            let stores = [(12 - seeds) / 2, (12 - seeds) / 2];
            all += u64::from(Position::<Mini>::from_parts(houses, stores, Side::First).is_some());
            after_a_move += u64::from(houses[..3].contains(&0));
        });
    }
    assert_eq!(all, 11_087);
    let formula: u64 = (2..=12).step_by(2).map(|seeds| count::boards_after_a_move(3, seeds)).sum();
    assert_eq!(after_a_move, formula);
}

#[test]
fn hashes_of_neighbouring_boards_differ_everywhere() {
    let mut low = std::collections::HashSet::new();
    let mut boards = 0_u32;
    for seeds in (0..=12).step_by(2) {
        fill(&mut [0; 6], 0, seeds, &mut |houses| {
            for side in [Side::First, Side::Second] {
                for south in 0..=12 - seeds {
                    let position = Position::<Mini>::from_parts(houses, [south, 12 - seeds - south], side).unwrap();
                    low.insert(position.hash() & 0xFFFF_FFFF);
                    boards += 1;
                }
            }
        });
    }
    // Two boards of a few hundred thousand may share 32 bits: about boards² / 2^33 pairs do.
    let expected = f64::from(boards) * f64::from(boards) / 2_f64.powi(33);
    assert!(f64::from(boards) - low.len() as f64 <= 3.0 * expected + 5.0, "{} of {boards}", low.len());
}
