//! Each rule by a position in which another rule would have other moves, texts, counts, and the law suite.

use std::collections::{HashMap, HashSet};

use super::*;
use crate::game::conformance;
use crate::game::{Evaluate as _, Evaluator, Notation as _, Outcome, Position as _, Pruning as _, Side, SplitMix64};
use crate::score::Score;

fn notation(rules: &str) -> Notation {
    Notation { kind: named(rules).unwrap_or_else(|| panic!("no rules {rules}")), hub: false }
}

fn at(rules: &str, board: &str) -> Position {
    notation(rules).parse_position(board).unwrap_or_else(|error| panic!("{rules} {board}: {error}"))
}

/// The legal moves as texts, in the order of their texts.
fn moves(rules: &str, board: &str) -> String {
    let position = at(rules, board);
    let mut moves = Vec::new();
    position.generate(&mut moves);
    let mut texts: Vec<String> = moves.into_iter().map(|mv| notation(rules).move_text(&position, mv)).collect();
    texts.sort();
    texts.join(" ")
}

/// The board after some moves.
fn after(rules: &str, board: &str, moves: &str) -> String {
    let notation = notation(rules);
    let mut position = at(rules, board);
    for text in moves.split_whitespace() {
        let mv = notation.parse_move(&position, text).unwrap_or_else(|error| panic!("{rules} {board} {text}: {error}"));
        position.play(mv);
    }
    notation.position_text(&position)
}

fn lines(position: &Position, depth: u32) -> u64 {
    let mut moves = Vec::new();
    position.generate(&mut moves);
    if depth == 1 {
        return moves.len() as u64;
    }
    moves.into_iter().map(|mv| lines(&position.after(mv), depth - 1)).sum()
}

/// CITE: R. Halbersma, "Perft for all recognized draughts variants", damforum.nl, 2010 (international, Russian, Brazilian); A. Bik,
/// "Perft for 8x8 checkers", talkchess.com, 2009 (English). Italian and Frisian as counted by pydraughts 0.6.7, to fewer plies.
#[test]
fn lines_from_the_start_are_as_many_as_others_count() {
    for (rules, counts) in [
        ("english", &[7, 49, 302, 1469, 7361, 36768, 179_740, 845_931][..]),
        ("international", &[9, 81, 658, 4265, 27117, 167_140, 1_049_442]),
        ("russian", &[7, 49, 302, 1469, 7482, 37986, 190_146, 929_899]),
        ("brazilian", &[7, 49, 302, 1469, 7473, 37628, 187_302]),
        ("italian", &[7, 49, 302, 1469, 7361]),
        ("frisian", &[9, 81, 658, 3874]),
    ] {
        let start = notation(rules).start();
        for (depth, &count) in (1..).zip(counts) {
            assert_eq!(lines(&start, depth), count, "{rules}, {depth} plies");
        }
    }
}

/// What the side to move has more of after exchanges and threats of some plies.
fn material(position: &Position, plies: u32, mut low: i32, high: i32) -> i32 {
    let mut moves = Vec::new();
    position.generate(&mut moves);
    let forced = moves.first().is_some_and(|mv| mv.is_capture());
    if moves.is_empty() || plies == 0 && !forced {
        let [white, black] = position.pieces.map(|pieces| pieces.count_ones() as i32);
        return if position.turn == Color::White { white - black } else { black - white };
    }
    for mv in moves {
        low = low.max(-material(&position.after(mv), plies.saturating_sub(1), -high, -low));
        if low >= high {
            break;
        }
    }
    low
}

/// CITE: American Checker Federation, "The 156-opening three-move deck", 2003: of the 302 ways to begin, 174 differ and lose no man
/// at once, and 18 of those are barred, as they were held to lose.
#[test]
fn the_three_move_ballots_are_different_and_lose_no_man() {
    let notation = notation("english");
    let start = notation.start();
    let mut sound = HashMap::new();
    let mut lines = 0;
    let replies = |position: &Position| {
        let mut moves = Vec::new();
        position.generate(&mut moves);
        moves.into_iter().map(|mv| position.after(mv)).collect::<Vec<_>>()
    };
    for third in replies(&start).iter().flat_map(replies).flat_map(|second| replies(&second)) {
        lines += 1;
        let board = notation.position_text(&third);
        sound.entry(board).or_insert_with(|| material(&third, 7, -12, 12) == 0);
    }
    assert_eq!((lines, sound.len()), (302, 216));
    assert_eq!(sound.values().filter(|&&is_sound| is_sound).count(), 174);
    let deck = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/three-move-ballots.txt"));
    let boards: HashSet<String> = deck
        .lines()
        .map(|line| {
            let board =
                after("english", &notation.position_text(&start), line.strip_prefix("startpos moves ").unwrap());
            assert!(sound[&board], "{line}");
            board
        })
        .collect();
    assert_eq!((deck.lines().count(), boards.len()), (156, 156));
}

#[test]
fn a_man_on_the_last_row_stops_goes_on_or_is_crowned_as_the_rules_say() {
    // The man jumps to the last row, from where a man that captures backwards reaches 9, and a flying king 13, too.
    let board = "W:W11:B6,7";
    assert_eq!(moves("english", board), "11x2");
    assert_eq!(moves("italian", "W:W12:B7,8"), "12x3");
    assert_eq!(moves("pool", board), "11x9");
    assert_eq!(moves("brazilian", board), "f6xb6");
    assert_eq!(moves("russian", board), "f6xa5 f6xb6");
    assert_eq!(after("pool", board, "11x9"), "B:W9:B");
    assert_eq!(after("brazilian", board, "f6xb6"), "B:Wb6:B");
    assert_eq!(after("russian", board, "f6xb6"), "B:WKb6:B");
    // A man that ends on the last row is crowned everywhere.
    assert_eq!(after("pool", "W:W11:B7", "11x2"), "B:WK2:B");
    assert_eq!(after("international", "W:W12:B8,30", "12x3"), "B:WK3:B30");
}

#[test]
fn men_capture_backwards_only_where_the_rules_say() {
    let board = "W:W14,32:B18";
    assert_eq!(moves("english", board), "14-10 14-9 32-27 32-28");
    assert_eq!(moves("pool", board), "14x23");
    assert_eq!(moves("brazilian", board), "c5xe3");
}

#[test]
fn the_most_pieces_must_be_taken_where_the_rules_say() {
    let board = "W:W33:B17,28,29";
    assert_eq!(moves("international", board), "33x11");
    assert_eq!(moves("losing", board), "33x11");
    // Free choice, but a capture is played to its end.
    assert_eq!(moves("english", "W:W27:B15,23,24"), "27x11 27x20");
    assert_eq!(moves("pool", "W:W22:B17,18,10"), "22x13 22x6");
    assert_eq!(moves("brazilian", "W:W22:B17,18,10"), "c3xc7");
}

#[test]
fn captured_pieces_are_taken_off_when_the_move_is_over() {
    // The Turkish stroke: the king would go on if a captured man were gone.
    assert_eq!(moves("international", "W:WK26:B14,22,28,29,31"), "26x27");
    assert_eq!(after("international", "W:WK26:B14,22,28,29,31", "26x27"), "B:WK27:B28");
    assert_eq!(moves("russian", "W:WK32:B17,22,23,25,26"), "g1xc1");
}

#[test]
fn a_flying_king_must_land_where_it_can_go_on() {
    // Behind 25 it may stop on 22 or 18; only from 18 does it take 14, too.
    assert_eq!(moves("pool", "W:WK29:B25,14"), "29x5 29x9");
    assert_eq!(moves("pool", "W:WK29:B25,15"), "29x11 29x4 29x8");
    assert_eq!(moves("pool", "W:WK29:B25,28"), "29x11 29x15 29x18 29x22 29x4 29x8");
}

#[test]
fn frisian_men_capture_along_rows_and_columns_and_value_decides() {
    // Down a column, and along a row.
    assert_eq!(moves("frisian", "W:W28:B18"), "28x8");
    assert_eq!(moves("frisian", "W:W28:B27"), "28x26");
    // A king is worth a little less than two men, and more than one.
    assert_eq!(moves("frisian", "W:W28:BK22,23,14"), "28x10");
    assert_eq!(moves("frisian", "W:W28:BK22,23"), "28x17");
}

#[test]
fn a_frisian_king_rests_after_three_moves_while_there_are_men() {
    let three = "50-44 1-7 44-50 7-1 50-44";
    let held = after("frisian", "W:WK50,36:B6,K1", three);
    assert_eq!(held, "B:W36,K44:BK1,6:H5:+3@44+2@1");
    let next = after("frisian", &held, "1-7");
    assert_eq!(moves("frisian", &next), "36-31");
    // Its king moves again after a man's move; without men there is no limit.
    let freed = after("frisian", &next, "36-31");
    assert_eq!(freed, "B:W31,K44:B6,K7:+0+3@7");
    assert_eq!(moves("frisian", &freed), "6-11");
    let bare = after("frisian", "W:WK50:B6,K1", three);
    assert_eq!(bare, "B:WK44:BK1,6:H5:+0+2@1");
    assert!(notation("international").parse_position("W:WK46:BK5:+1+0").is_err());
}

#[test]
fn italian_men_leave_kings_alone_and_the_best_capture_must_be_played() {
    assert_eq!(
        moves("italian", "W:W22:BK18"),
        moves("italian", "W:W22:BK18,4").split(' ').collect::<Vec<_>>().join(" ")
    );
    assert!(!moves("italian", "W:W22:BK18").contains('x'));
    // As many pieces: by the king. As many by the king: more kings. As many kings: a king first.
    assert_eq!(moves("italian", "W:W22,K24:B18,20"), "24x15");
    assert_eq!(moves("italian", "W:WK22:B18,K17"), "22x13");
}

#[test]
fn moves_and_boards_of_other_writers_are_read() {
    let start = notation("international").start();
    let read = |text: &str| {
        notation("international").parse_move(&start, text).map(|mv| notation("international").move_text(&start, mv))
    };
    assert_eq!(read("32-28").as_deref(), Ok("32-28"));
    assert_eq!(read("d4e5").as_deref(), Ok("32-28"));
    assert_eq!(read("d4c6").unwrap_err().to_string(), "move: expected a legal move as 32-28 or 26x17x8, found 'd4c6'");
    for wrong in ["", "-", "32", "32-", "-28", "32--28", "32x28x", "99-1", "0-5", "32 28", "32-28é", "1-6", "18-23"] {
        assert!(read(wrong).is_err(), "{wrong}");
    }
    let russian = notation("russian");
    let start = russian.start();
    for text in ["c3-d4", "c3d4", "C3-D4", "22-18", "c3:d4"] {
        assert_eq!(russian.move_text(&start, russian.parse_move(&start, text).unwrap()), "c3-d4", "{text}");
    }
    // Ranges, either order, blanks, the counts of lidraughts, letters of Hub.
    let same = notation("international").start();
    for text in ["W:W31-50:B1-20", "W:B1-20:W31-50.", "W:W31-50:B1-20:H0:F1"] {
        assert_eq!(notation("international").parse_position(text).as_ref(), Ok(&same), "{text}");
    }
    let hub = format!("W{}{}{}", "b".repeat(20), "e".repeat(10), "w".repeat(20));
    assert_eq!(notation("international").parse_position(&hub), Ok(same));
    for (wrong, said) in [
        ("", "side to move: expected 'W' or 'B', then ':', found nothing"),
        ("W:W31", "board: expected the pieces of B, too, found nothing"),
        ("W:W31:B51", "square: expected a square of the board, a range of them, and K before kings, found '51'"),
        ("W:W31:B31", "square: expected each square once, found '31'"),
        ("W:W26-50:B1", "White: expected at most 20 pieces, found 25"),
        ("W:W:B", "board: expected at least one piece, found none"),
        ("W:W31:B1:X", "board: expected the pieces of each side, W21,K22 and B1,2, or a count, found 'X'"),
    ] {
        assert_eq!(notation("international").parse_position(wrong).unwrap_err().to_string(), said, "{wrong}");
    }
}

#[test]
fn captures_with_the_same_ends_are_told_apart_by_their_stops() {
    // Round a square of four men, one way or the other.
    let board = "W:W33,K50:B17,18,27,28,29";
    let all = moves("international", board);
    let position = at("international", board);
    let notation = notation("international");
    for text in all.split(' ') {
        let mv = notation.parse_move(&position, text).unwrap();
        assert_eq!(notation.move_text(&position, mv), text);
        // As Hub writes it.
        let way = notation.way(&position, mv);
        assert_eq!(way.takes.len(), mv.taken.count_ones() as usize, "{text}");
    }
    let board = "W:WK47:B37,38,28,18,27";
    let position = at("international", board);
    let mut moves = Vec::new();
    position.generate(&mut moves);
    let texts: HashSet<String> = moves.iter().map(|&mv| notation.move_text(&position, mv)).collect();
    assert_eq!(texts.len(), moves.len());
}

#[test]
fn draws_are_counted_as_the_rules_say() {
    // 25 moves of each without a capture or a man's move.
    assert_eq!(at("international", "W:WK46,41:BK5,10").reversible_plies_left(), Some(50));
    // Three pieces against a king: 16 moves; two or one: 5. Men may move meanwhile.
    let three = at("international", "W:WK46,K47,41:BK5");
    assert_eq!(three.reversible_plies_left(), Some(32));
    assert_eq!(
        at("international", &after("international", "W:WK46,K47,41:BK5", "41-36")).reversible_plies_left(),
        Some(31)
    );
    assert_eq!(at("international", "W:WK46,K47:BK5").reversible_plies_left(), Some(10));
    // A man's move begins the usual count anew, and so does a capture.
    let quiet = after("international", "W:WK47,36:B6,K5:H30", "47-42");
    assert!(quiet.ends_with(":H31"), "{quiet}");
    assert!(!after("international", "W:WK47,36:B6,K5:H30", "36-31").contains(":H"));
    let drawn = at("international", "W:WK46,41:B6,K5:H50");
    assert_eq!(drawn.outcome_by_history(|| false), Some(Outcome::Draw));
    assert_eq!(at("frisian", "W:WK46:BK5").reversible_plies_left(), Some(4));
    assert_eq!(at("frisian", "W:WK46,K47:BK5").reversible_plies_left(), Some(14));
    assert_eq!(at("english", "W:WK29:BK4").reversible_plies_left(), Some(80));
    assert_eq!(at("pool", "B:WK29,K30,K31:BK4").reversible_plies_left(), Some(26));
    // The long diagonal from a1 to h8.
    assert_eq!(at("russian", "W:WKb2,Kc1,a3:BKh8").reversible_plies_left(), Some(10));
    assert_eq!(at("russian", "W:WKb2,Kc1,a3:BKg7").reversible_plies_left(), Some(10));
    assert_eq!(at("russian", "W:WKb2,Kc1,a3:BKa5").reversible_plies_left(), Some(30));
}

#[test]
fn who_wins_depends_on_the_goal() {
    let outcome = |rules, board| at(rules, board).outcome();
    // White cannot move, in two games.
    assert_eq!(outcome("international", "W:W46:B41,37"), Some(Outcome::Win(Side::Second)));
    assert_eq!(outcome("losing", "W:W46:B41,37"), Some(Outcome::Win(Side::First)));
    assert_eq!(outcome("losing", "W:W:B41"), Some(Outcome::Win(Side::First)));
    // Black begins in English draughts, so it is the first player.
    assert_eq!(outcome("english", "W:W:B1"), Some(Outcome::Win(Side::First)));
    assert_eq!(outcome("breakthrough", "B:WK1,40:B20"), Some(Outcome::Win(Side::First)));
    assert_eq!(outcome("international", "B:WK1,40:B20"), None);
}

#[test]
fn leads_are_counted_in_men_and_after_captures() {
    let lead = |rules, board| at(rules, board).captured_lead();
    // A king counts two men, or three where it flies.
    assert_eq!((lead("english", "W:WK1:B25"), lead("english", "B:WK1:B5")), (Some(1), Some(-1)));
    assert_eq!(lead("international", "W:WK1:B40"), Some(2));
    assert_eq!(lead("losing", "W:WK1:B40"), None);
    let must_capture = |rules, board| at(rules, board).must_capture();
    assert!(must_capture("english", "B:W18:B15") && !must_capture("english", "W:W18:B15,11"));
    // Nothing is played after the first king.
    assert!(!must_capture("breakthrough", "B:WK1,18:B12"));
    let evaluate = Evaluate::fitted(named("english").unwrap());
    let plain = |board| Evaluator::plain(&evaluate).evaluate(&at("english", board));
    assert_eq!(plain("W:W18,32:B1,2"), Score::units(0));
    // Black takes a man, and where White takes one back nothing is won; of two captures the better one counts.
    assert_eq!(plain("B:W18,32:B1,15"), Score::units(100));
    assert_eq!(plain("B:W18,25,29,32:B1,15"), Score::units(-200));
    assert_eq!(plain("B:W18,19,25,29,32:B1,15"), Score::units(-200));
    // A game that ends by a capture is won.
    assert_eq!(plain("B:W18:B15"), Score::win_in(1));
}

#[test]
fn the_games_keep_the_laws() {
    for (kind, rules) in (0..).zip(&RULES) {
        let report = conformance::check(&game(kind), 7, 12).unwrap_or_else(|broken| panic!("{}: {broken}", rules.name));
        assert_eq!(report.games, 12);
    }
}

#[test]
fn noisy_moves_are_the_noisy_ones_of_all_moves() {
    let mut rng = SplitMix64::new(5);
    let (mut captures, mut crownings) = (0, 0);
    for (kind, rules) in (0..).zip(&RULES) {
        let game = game(kind);
        for _ in 0..20 {
            let mut position = game.notation.start();
            for _ in 0..150 {
                let (mut all, mut noisy) = (Vec::new(), Vec::new());
                position.generate(&mut all);
                game.evaluate.noisy_moves(&position, &mut noisy);
                let Some(&mv) = all.get(rng.below(all.len().max(1))) else { break };
                all.retain(|&mv| game.evaluate.is_noisy(&position, mv));
                let text = |&mv: &Move| game.notation.move_text(&position, mv);
                let [expected, found] = [&all, &noisy].map(|moves| moves.iter().map(text).collect::<HashSet<String>>());
                assert_eq!(found, expected, "{} {}", rules.name, game.notation.position_text(&position));
                captures += usize::from(all.iter().any(|mv| mv.is_capture()));
                crownings += usize::from(all.iter().any(|mv| mv.crowns && !mv.is_capture()));
                position.play(mv);
            }
        }
    }
    assert!(captures > 1000 && crownings > 100, "{captures} {crownings}");
}
