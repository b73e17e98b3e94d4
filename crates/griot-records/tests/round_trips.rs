//! What is written is read back equal, for each format and each of its games.

#![allow(clippy::panic, clippy::unwrap_used, reason = "the helpers of tests stand outside the test functions")]

use griot::registry::Registry;
use griot_records::{Catalogue, Format, Hints, Outcome, Record, Side, Tag, read, write};
use proptest::prelude::*;

/// Which games a format holds.
const GAMES: [(Format, &[&str]); 9] = [
    (
        Format::Pgn,
        &["chess", "chess960:5", "tictactoe", "connect4", "gomoku", "gomokufreestyle", "othello", "awale", "nim"],
    ),
    (
        Format::Sgf,
        &[
            "gomoku",
            "gomokufreestyle",
            "renju",
            "mnk:7,7,5,renju",
            "othello",
            "connect4",
            "tictactoe",
            "mnk:20,20,5",
            "mnk:7,7,4",
            "connect4:8,7,5",
        ],
    ),
    (
        Format::Pdn,
        &[
            "draughts:international",
            "draughts:english",
            "draughts:russian",
            "draughts:brazilian",
            "draughts:pool",
            "draughts:italian",
            "draughts:frisian",
            "draughts:breakthrough",
            "draughts:losing",
        ],
    ),
    (Format::Ggf, &["othello"]),
    (Format::Ogn, &["awale", "awale:awari", "awale:tipe", "awale:mini"]),
    (Format::Psq, &["gomoku", "gomokufreestyle", "renju", "mnk:20,20,5"]),
    (Format::Obf, &["othello"]),
    (Format::Moves, &["chess", "othello", "connect4", "awale", "nim:3-4-5,take=any,normal", "renju", "chess960:0"]),
    (Format::Json, &["chess", "othello", "connect4", "awale:mini", "nim", "renju", "mnk:22,22,6"]),
];

/// Formats that hold variations and remarks.
fn holds_trees(format: Format) -> bool {
    matches!(format, Format::Pgn | Format::Pdn | Format::Sgf | Format::Json)
}

/// A generator of numbers: the same seed, the same numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % most
    }
}

/// A game of random moves, with a variation now and then where `with_trees` says so.
///
/// It stops where a repetition or a count of moves ends it, too: readers remark on a game that goes on, and what was
/// never read has no remark.
fn random_game(game: &str, seed: u64, plies: usize, with_trees: bool) -> Record {
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) + 1);
    let mut rules = Registry.open(game).unwrap();
    let mut record = Record::new(rules.name(), Format::Json);
    let mut current = 0;
    for _ in 0..plies {
        let legal = rules.legal();
        if legal.is_empty() || rules.end().is_some() {
            break;
        }
        let mv = legal[random.below(legal.len())].clone();
        let parent = current;
        current = record.add(parent, mv.as_str());
        if with_trees && legal.len() > 1 && random.below(8) == 0 {
            let ply = rules.ply();
            let mut other = parent;
            for _ in 0..random.below(3) + 1 {
                let legal = rules.legal();
                let fits = |choice: &String| other != parent || *choice != mv;
                let Some(choice) =
                    legal.iter().cycle().skip(random.below(legal.len().max(1))).take(legal.len()).find(|mv| fits(mv))
                else {
                    break;
                };
                let choice = choice.clone();
                other = record.add(other, choice.as_str());
                rules.play(&choice).unwrap();
            }
            rules.back_to(ply);
        }
        rules.play(&mv).unwrap();
    }
    record.result = rules.end().filter(|end| !end.by_history).map(|end| end.outcome);
    record
}

fn written(record: &Record, format: Format) -> (String, Record) {
    let text =
        write(record, format, &Registry).unwrap_or_else(|problem| panic!("{} as {format:?}: {problem}", record.game));
    let mut games = read(text.as_bytes(), &Registry, &Hints::default());
    assert_eq!(games.len(), 1, "{text}");
    let back = games.remove(0).unwrap_or_else(|fault| panic!("{fault} in\n{text}"));
    (text, back)
}

fn check(record: &Record, format: Format) {
    let (text, back) = written(record, format);
    // A list of moves has no result, and a board has no game before it.
    let lost = if matches!(format, Format::Moves | Format::Obf) { None } else { Some(()) };
    assert!(back.has_the_same_tree(record), "{text}\n{record:?}\n{back:?}");
    // A game that comes from another start has its board in the format.
    let start = |record: &Record| {
        let mut rules = Registry.open(&record.game).unwrap();
        rules.begin(record.start.as_deref()).unwrap();
        rules.board()
    };
    assert_eq!(start(&back), start(record), "{text}");
    if lost.is_some() {
        assert_eq!(back.result, record.result, "{text}");
        assert_eq!(back.players, record.players, "{text}");
    }
}

#[test]
fn a_thousand_games_of_each_format_come_back() {
    for (format, games) in GAMES {
        for seed in 0..1000_u64 {
            let game = games[seed as usize % games.len()];
            let record = random_game(game, seed, 40, holds_trees(format));
            check(&record, format);
        }
    }
}

#[test]
fn games_to_the_end_come_back() {
    for (format, games) in GAMES {
        for game in games {
            check(&random_game(game, 7, 600, holds_trees(format)), format);
        }
    }
}

#[test]
fn a_thousand_games_of_othello_without_their_passes_are_read() {
    let mut with_passes = 0;
    for seed in 0..1000 {
        let record = random_game("othello", seed, 200, false);
        let moves = record.moves();
        let text: String = moves.iter().filter(|mv| **mv != "0000").map(|mv| mv.to_uppercase()).collect();
        let games = read(text.as_bytes(), &Registry, &Hints::default());
        let back = games[0].as_ref().unwrap_or_else(|fault| panic!("{text}: {fault}"));
        assert_eq!(back.game, "othello");
        // Passes at the very end are nobody's move.
        let played = moves.iter().rposition(|mv| *mv != "0000").map_or(0, |last| last + 1);
        assert_eq!(back.moves(), &moves[..played], "{text}");
        assert_eq!(back.result, record.result, "{text}");
        with_passes += usize::from(moves.contains(&"0000"));
    }
    assert!(with_passes > 300, "{with_passes} of 1000 games have passes");
}

/// Text as people write it, with the signs that formats use for themselves.
fn text() -> impl Strategy<Value = String> {
    proptest::string::string_regex("[a-zA-Z0-9éß€\\[\\]\\\\\"();:!?$%#*, .'/-]{1,40}")
        .unwrap()
        .prop_map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "))
        .prop_filter("some text", |text| !text.is_empty() && text != "?")
}

prop_compose! {
    fn full_record(format: Format)(
        seed in 0_u64..1000,
        game in 0_usize..9,
        plies in 0_usize..30,
        names in [proptest::option::of(text()), proptest::option::of(text())],
        event in text(),
        comments in proptest::collection::vec((0_usize..40, text()), 0..6),
        marks in proptest::collection::vec((0_usize..40, 1_u8..140), 0..4),
        clocks in proptest::collection::vec((0_usize..40, 0_u32..20_000_000), 0..4),
        result in 0_usize..4,
    ) -> Record {
        let games = GAMES.iter().find(|(own, _)| *own == format).unwrap().1;
        let mut record = random_game(games[game % games.len()], seed, plies, holds_trees(format));
        record.players = names;
        record.format = format;
        let name = if format == Format::Sgf { "EV" } else { "Event" };
        record.push_tag(name, event);
        let count = record.len();
        for (node, comment) in comments {
            // A comment that says nothing but a command is a command.
            record.notes_mut(node % count).comments.push(comment.replace("[%", ""));
        }
        for (node, nag) in marks {
            if format != Format::Sgf && node % count > 0 {
                record.notes_mut(node % count).nags.push(nag);
            }
        }
        for (node, ms) in clocks {
            if node % count > 0 {
                record.notes_mut(node % count).clock = Some(f64::from(ms) / 1000.0);
            }
        }
        if record.result.is_none() {
            record.result = [None, Some(Outcome::Draw), Some(Outcome::Win(Side::First)), Some(Outcome::Win(Side::Second))][result];
        }
        record
    }
}

/// What a format makes of a record once must stay the same from then on, and the moves, players, result and comments are kept at once.
fn keeps(record: &Record, format: Format) -> Result<(), TestCaseError> {
    let (text, back) = written(record, format);
    prop_assert_eq!(back.result, record.result);
    let (again, third) = written(&back, format);
    prop_assert_eq!(&text, &again);
    prop_assert!(third.says_the_same(&back) && third.tags == back.tags, "{}", text);
    prop_assert_eq!(back.moves(), record.moves());
    prop_assert_eq!(&back.players, &record.players, "{}", text);
    let event = |record: &Record| record.tag(&["Event", "EV"]).map(str::to_owned);
    prop_assert_eq!(event(&back), event(record));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn pgn_keeps_everything(record in full_record(Format::Pgn)) {
        keeps(&record, Format::Pgn)?;
        let (text, back) = written(&record, Format::Pgn);
        prop_assert!(back.has_the_same_tree(&record), "{}\n{:?}\n{:?}", text, record, back);
    }

    #[test]
    fn sgf_keeps_everything(record in full_record(Format::Sgf)) {
        keeps(&record, Format::Sgf)?;
    }

    #[test]
    fn json_keeps_everything(record in full_record(Format::Json)) {
        keeps(&record, Format::Json)?;
        let (text, back) = written(&record, Format::Json);
        prop_assert!(back.says_the_same(&record) && back.tags == record.tags, "{}", text);
    }

    #[test]
    fn ogn_keeps_everything(record in full_record(Format::Ogn)) {
        keeps(&record, Format::Ogn)?;
    }

    #[test]
    fn no_text_makes_a_reader_panic(text in "[ -~\\n]{0,80}", game in 0_usize..5) {
        let game = ["chess", "othello", "gomoku", "awale", "connect4"][game];
        let hints = Hints { game: Some(game), ..Hints::default() };
        for found in read(text.as_bytes(), &Registry, &hints) {
            if let Err(fault) = found {
                prop_assert!(!fault.to_string().contains('\n'));
            }
        }
    }

    #[test]
    fn no_signs_of_formats_make_a_reader_panic(text in "(\\(;|\\)|\\[|\\]|GM\\[4\\]|GM\\[Othello\\]|B\\[|BO\\[8 |aa|;|W\\[f5\\]|SZ\\[|9:|1\\.|e4|\\(|\\{|\\}|\\$1|Nf3|[a-h][1-8]|\n|\\[White \"|\"\\]|Piskvorky 9x9, 1:1, 0\n|1,1,0\n|-1|\\\\|%|#|é){0,40}") {
        for record in read(text.as_bytes(), &Registry, &Hints::default()).into_iter().flatten() {
            for format in [Format::Pgn, Format::Sgf, Format::Json, Format::Moves] {
                if let Ok(written) = write(&record, format, &Registry) {
                    let back = read(written.as_bytes(), &Registry, &Hints::default());
                    prop_assert!(back.len() == 1, "{}", written);
                }
            }
        }
    }
}

#[test]
fn tags_that_nobody_knows_keep_their_order() {
    let text = "[Event \"e\"]\n[Site \"s\"]\n[Date \"2024.01.01\"]\n[Round \"1\"]\n[White \"a\"]\n[Black \"b\"]\n[Result \"*\"]\n\
        [WhiteElo \"1800\"]\n[Zeta \"z\"]\n[ECO \"C20\"]\n[PlyCount \"1\"]\n\n1. e4 *\n\n";
    let record = read(text.as_bytes(), &Registry, &Hints::default()).remove(0).unwrap();
    assert_eq!(write(&record, Format::Pgn, &Registry).unwrap(), text);
    let json = write(&record, Format::Json, &Registry).unwrap();
    let back = read(json.as_bytes(), &Registry, &Hints::default()).remove(0).unwrap();
    assert_eq!(back.tags, record.tags);
    assert_eq!(back.tags[8], Tag { name: "Zeta".into(), value: "z".into() });
    assert_eq!(write(&back, Format::Pgn, &Registry).unwrap(), text);
}
