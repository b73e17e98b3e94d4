//! Game records for pages: texts and files of every format become games, and games become texts.
//!
//! ```text
//!   page --text or file--> read  --> records as JSON --> page (library), or
//!   page --one record----> tree  --> the visitor's game          (game::Record, with the boards that the rules give)
//!   the visitor's game --> record --> write --> PGN, SGF, …  --> page
//! ```
//!
//! The formats are those of `griot_records`, the rules those of griot's games. Both run on this server and need no engine. What is
//! said about a game (tags, comments, glyphs, clocks, variations, result) passes through unchanged.

use std::fmt::Write as _;

use griot::message::{Setup, Text};
use griot::registry::{Registry, records_of};
use griot::session;
use griot_records::{Catalogue, Fault, Format, Hints, Notes, Outcome, Reader, Record, Rules, Side, write};
use serde_json::{Value, json};

use crate::game::{self, About, Spot};
use crate::openings;
use crate::words::{Board, GameName, LONGEST_GAME, MoveText, Refusal};

/// The most games of one text. A page keeps them all in its library.
const MOST_GAMES: usize = 20_000;
/// The most faults that are reported one by one.
const MOST_FAULTS: usize = 100;
/// The formats that can be written.
const WRITTEN: [Format; 8] =
    [Format::Pgn, Format::Sgf, Format::Ggf, Format::Ogn, Format::Psq, Format::Obf, Format::Moves, Format::Json];

/// The formats that can be written, first the one in which players of this game exchange games.
fn formats_of(game: &str) -> Vec<Format> {
    let own = records_of(game).and_then(Format::named).unwrap_or(Format::Pgn);
    std::iter::once(own).chain(WRITTEN.into_iter().filter(|format| *format != own)).collect()
}

/// Reads all games of a text or file. A list of moves that is legal in the game on the board is of that game. Returns JSON:
/// `{"games":[RECORD,…],"openings":[{"code":"C60","name":"Ruy Lopez"},null,…],"faults":["game 2, line 7, …",…],"knows":true}`; `openings`
/// are those of the games, `knows` tells whether griot has the game on the board.
pub(crate) fn read(bytes: &[u8], on_board: &str) -> String {
    let on_board = Some(on_board).filter(|game| Registry.open(game).is_ok());
    let hints = Hints { on_board, ..Hints::default() };
    let mut games = String::new();
    let mut named = Vec::new();
    let mut faults: Vec<String> = Vec::new();
    let mut unreported = 0;
    Reader::new(&Registry).read_file(bytes, &hints, &|_| None, &mut |found: Result<Record, Fault>| {
        match found {
            Ok(_) if named.len() == MOST_GAMES => {
                faults.push(format!("only the first {MOST_GAMES} games were read"));
                return false;
            }
            Ok(record) => {
                if !named.is_empty() {
                    games.push(',');
                }
                games.push_str(&griot_records::json::write(&record));
                named.push(openings::of(&record));
            }
            Err(_) if faults.len() >= MOST_FAULTS => unreported += 1,
            Err(fault) => faults.push(fault.to_string()),
        }
        true
    });
    if unreported > 0 {
        faults.push(format!("and {unreported} more games that could not be read"));
    }
    let (named, faults, knows) = (json!(named), json!(faults), on_board.is_some());
    format!("{{\"games\":[{games}],\"openings\":{named},\"faults\":{faults},\"knows\":{knows}}}")
}

/// Reads one record as JSON.
fn parse(text: &str) -> Result<Record, Refusal> {
    let mut found = griot_records::read(text.as_bytes(), &Registry, &Hints::default()).into_iter();
    match (found.next(), found.next()) {
        (Some(Ok(record)), None) => Ok(record),
        (Some(Err(fault)), _) => Err(Refusal::new("bad_paste", fault.to_string())),
        _ => Err(Refusal::new("bad_paste", "expected one game")),
    }
}

/// The game of a record, with the board, the side to move and the result of every position.
///
/// # Errors
/// When it cannot be read, or is too large for a page.
pub(crate) fn tree(text: &str) -> Result<game::Record, Refusal> {
    let record = parse(text)?;
    let bad = |problem: String| Refusal::new("bad_paste", problem);
    let mut rules = Registry.open(&record.game).map_err(bad)?;
    let name = GameName::new(&record.game)?;
    let start = record.start.as_deref().map(Board::new).transpose()?;
    if let Some(start) = &start {
        start.fits(&name)?;
    }
    rules.begin(record.start.as_deref()).map_err(bad)?;
    let mut grown = game::Record::new(name, start);
    grown.describe(spot(rules.as_ref()), record.notes(0).cloned().unwrap_or_default());
    // A node of the record, its parent in the tree, and how many moves stand before it.
    let mut steps: Vec<(usize, usize, usize)> = Vec::new();
    let push = |steps: &mut Vec<_>, node: usize, own: usize, depth: usize| {
        let begun = steps.len();
        steps.extend(record.children(node).map(|child| (child, own, depth)));
        steps[begun..].reverse();
    };
    push(&mut steps, 0, game::ROOT, 0);
    while let Some((node, parent, depth)) = steps.pop() {
        if depth >= LONGEST_GAME {
            return Err(Refusal::new("too_long", format!("at most {LONGEST_GAME} moves")));
        }
        rules.back_to(depth);
        let mv = record.mv(node);
        let name = Some(rules.name_of(mv)).filter(|name| name != mv);
        let is_past_end = rules.end().is_some();
        if rules.play(mv).is_err() && rules.play_on(mv).is_none() {
            return Err(bad(format!("move {}: {mv} is not legal", depth + 1)));
        }
        let notes = record.notes(node).cloned().unwrap_or_default();
        let own = grown.grow(parent, MoveText::new(mv)?, name, spot(rules.as_ref()), notes, is_past_end)?;
        push(&mut steps, node, own, depth + 1);
    }
    grown.about = About {
        players: record.players.clone(),
        tags: record.tags.clone(),
        result: record.result,
        ending: record.ending.clone(),
        format: Some(record.format),
    };
    grown.go_to_end();
    Ok(grown)
}

/// The positions of a game's main line with their pictures, and the moves that led to them; not what is legal in them. Returns JSON:
/// `{"places":[{"board":"…","first":true,"result":null,"move":null,"name":null,"picture":{…}},…]}`.
///
/// # Errors
/// When the game cannot be read, or is too large for a page.
pub(crate) fn view(text: &str) -> Result<String, Refusal> {
    let game = tree(text)?;
    let failed = |problem: String| Refusal::new("bad_paste", problem);
    let settings = session::Settings { hash_mib: 1, ..session::Settings::default() };
    let resources = session::Resources::new(settings).map_err(|problem| failed(problem.to_string()))?;
    let mut rules = session::Catalogue::open(&Registry, &game.game.to_string(), resources)
        .map_err(|problem| failed(problem.to_string()))?;
    let word = |text: &str| Text { column: 1, text: text.to_owned() };
    let mut moves = String::new();
    let mut places = Vec::new();
    for node in game.line().iter().filter_map(|node| game.node(*node)) {
        if let Some(played) = &node.played {
            moves += &format!(" {played}");
        }
        let board = game.start.as_ref().map(|board| word(&board.to_string()));
        // A game may go on after its end by the rules; there is no picture of that.
        let set = rules.set_position(&Setup { board, moves: word(moves.trim_start()), ..Setup::default() });
        let Some(mut picture) = set.ok().and_then(|()| rules.picture()) else { break };
        picture.moves.clear();
        let spot = &node.spot;
        places.push(json!({ "board": spot.board, "first": spot.first_to_move, "result": spot.result,
            "move": node.played, "name": node.name, "picture": picture }));
    }
    Ok(json!({ "places": places }).to_string())
}

/// The position that the rules are at.
fn spot(rules: &dyn Rules) -> Spot {
    Spot {
        board: rules.board(),
        first_to_move: rules.turn() == Side::First,
        result: rules.end().map(|end| end.outcome.word().to_owned()),
    }
}

/// The record of a visitor's game. A game that was not read from a record has these players and this date.
pub(crate) fn record(game: &game::Record, players: [Option<String>; 2], today: &str) -> Record {
    let about = &game.about;
    let given = game.game.to_string();
    // One name for a game that has several.
    let name = Registry.open(&given).map_or(given, |rules| rules.name().to_owned());
    let mut record = Record::new(name, about.format.unwrap_or(Format::Json));
    record.start = game.start.as_ref().map(ToString::to_string);
    record.players = about.players.clone();
    record.tags.clone_from(&about.tags);
    if about.format.is_none() {
        record.players = players.map(|name| name.filter(|name| !name.trim().is_empty()));
        if !today.is_empty() {
            record.push_tag("Date", today);
        }
    }
    let notes = |node: usize| game.node(node).map(|node| node.notes.clone()).filter(|notes| *notes != Notes::default());
    if let Some(notes) = notes(game::ROOT) {
        *record.notes_mut(0) = notes;
    }
    let mut open: Vec<(usize, usize)> = game.children(game::ROOT).iter().rev().map(|&child| (child, 0)).collect();
    let mut last = game::ROOT;
    while let Some((node, parent)) = open.pop() {
        let Some(played) = game.node(node).and_then(|node| node.played.as_ref()) else { continue };
        let own = record.add(parent, played.as_str());
        if let Some(notes) = notes(node) {
            *record.notes_mut(own) = notes;
        }
        open.extend(game.children(node).iter().rev().map(|&child| (child, own)));
    }
    while let Some(&next) = game.children(last).first() {
        last = next;
    }
    let end = game.node(last);
    let outcome = |word: &str| match word {
        "p1win" => Some(Outcome::Win(Side::First)),
        "p2win" => Some(Outcome::Win(Side::Second)),
        "draw" => Some(Outcome::Draw),
        _ => None,
    };
    record.result = about.result.or_else(|| end.and_then(|end| outcome(end.result()?)));
    record.ending = about.ending.clone().or_else(|| end.and_then(|end| Some(end.ended.as_ref()?.why.to_owned())));
    record
}

/// A record and how it is written in each format that can hold it. Returns JSON:
/// `{"record":{…},"opening":{…},"texts":{"pgn":"…",…}}`.
pub(crate) fn texts(record: &Record) -> String {
    let mut texts = String::new();
    for format in formats_of(&record.game) {
        let Ok(text) = write(record, format, &Registry) else { continue };
        let comma = if texts.is_empty() { "" } else { "," };
        // Writing to a string does not fail.
        let _ = write!(texts, "{comma}{}:{}", json!(format.name()), json!(text));
    }
    let (own, opening) = (griot_records::json::write(record), json!(openings::of(record)));
    format!("{{\"record\":{own},\"opening\":{opening},\"texts\":{{{texts}}}}}")
}

/// Writes records, each a line of JSON: in `format`, or with `own` each in the first format that its game has. Returns JSON:
/// `{"texts":{"pgn":"…"},"faults":[…]}`.
///
/// # Errors
/// When there is no such format.
pub(crate) fn write_all(text: &str, format: &str) -> Result<String, Refusal> {
    let wanted = match Format::named(format) {
        Some(format) if WRITTEN.contains(&format) => Some(format),
        None if format == "own" => None,
        _ => return Err(Refusal::new("unreadable", format!("format: expected own, or one of {}", names()))),
    };
    let mut texts: Vec<(Format, String)> = Vec::new();
    let mut faults: Vec<String> = Vec::new();
    for (at, found) in griot_records::read(text.as_bytes(), &Registry, &Hints::default()).into_iter().enumerate() {
        let record = match found {
            Ok(record) => record,
            Err(fault) => {
                faults.push(fault.to_string());
                continue;
            }
        };
        let mut problem = String::new();
        let formats = wanted.map_or_else(|| formats_of(&record.game), |format| vec![format]);
        let written = formats.into_iter().find_map(|format| match write(&record, format, &Registry) {
            Ok(text) => Some((format, text)),
            Err(why) => {
                problem = why;
                None
            }
        });
        match written {
            Some((format, text)) => match texts.iter_mut().find(|(known, _)| *known == format) {
                Some((_, all)) => all.push_str(&text),
                None => texts.push((format, text)),
            },
            None => faults.push(format!("game {}: {problem}", at + 1)),
        }
    }
    let texts: serde_json::Map<String, Value> =
        texts.into_iter().map(|(format, text)| (format.name().to_owned(), text.into())).collect();
    Ok(json!({ "texts": texts, "faults": faults }).to_string())
}

fn names() -> String {
    WRITTEN.map(Format::name).join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(text: &str, on_board: &str) -> (Vec<Value>, Vec<String>) {
        let told: Value = serde_json::from_str(&read(text.as_bytes(), on_board)).unwrap();
        let faults = told["faults"].as_array().unwrap().iter().map(|one| one.as_str().unwrap().to_owned()).collect();
        (told["games"].as_array().unwrap().clone(), faults)
    }

    fn one(text: &str, on_board: &str) -> Value {
        let (mut found, faults) = games(text, on_board);
        assert_eq!((found.len(), faults.len()), (1, 0), "{text}: {faults:?}");
        found.remove(0)
    }

    #[test]
    fn the_commonest_paste_of_all_is_read() {
        let text = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O";
        for on_board in ["tictactoe", "awale", "chess", "gomoku"] {
            let read = one(text, on_board);
            assert_eq!((&read["game"], read["moves"].as_array().unwrap().len()), (&json!("chess"), 9), "{on_board}");
        }
    }

    #[test]
    fn a_list_that_is_legal_in_the_game_on_the_board_is_that_game() {
        for (text, on_board) in [
            ("d4 e5", "chess"),
            ("d4 e5", "gomoku"),
            ("b2 a1 c3", "tictactoe"),
            ("b2 a1 c3", "gomokufreestyle"),
            ("4 4 5", "connect4"),
            ("c d e", "connect4"),
        ] {
            assert_eq!(one(text, on_board)["game"], on_board, "{text}");
        }
        // One that is not, is something else.
        assert_eq!(one("f5d6c3d3c4", "tictactoe")["game"], "othello");
    }

    #[test]
    fn texts_are_read_as_the_games_that_they_are() {
        for (text, game, format, plies) in [
            (
                "[Variant \"Oware Abapa\"]\n[South \"a\"]\n[North \"b\"]\n[Result \"*\"]\n\n1. F d 2. E { good } a",
                "awale",
                "ogn",
                4,
            ),
            (
                "(;GM[Othello]PC[x]PB[a]PW[b]RE[?]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]\
                 B[F5]W[D6//1];)",
                "othello",
                "ggf",
                2,
            ),
            ("(;FF[4]GM[4]SZ[15];B[hh];W[hg](;B[ii])(;B[jj]))", "gomoku", "sgf", 3),
            ("Piskvorky 20x20, 11:11, 0\n10,10,0\n11,11,500\nai1\nai2\n-1\n1,Freestyle\n", "mnk:20,20,5", "psq", 2),
            (
                "[White \"a\"]\n[Black \"b\"]\n[Result \"*\"]\n[Variant \"cfour\"]\n\n1. P@d1 P@d2 2. P@c1 *",
                "connect4",
                "pgn",
                3,
            ),
            ("f5d6c3d3c4", "othello", "moves", 5),
            ("1. F d 2. E a", "awale", "moves", 4),
            ("h8 h9 i9", "gomoku", "moves", 3),
            ("4455", "connect4", "moves", 4),
            ("2-2-2-2-2-2-0-0-S", "awale:mini", "moves", 0),
            ("8/8/8/3ox3/3xo3/8/8/8 x", "othello", "moves", 0),
            ("7/7/7/7/3o3/3x3 x", "connect4", "moves", 0),
            ("{\"game\": \"tictactoe\", \"moves\": [\"b2\", \"a1\"]}", "tictactoe", "json", 2),
            ("position startpos moves F d", "awale", "moves", 2),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "chess", "epd", 0),
            ("e2e4 e7e5 g1f3", "chess", "moves", 3),
            ("tictactoe|startpos|a1 b2 c3", "tictactoe", "moves", 3),
        ] {
            let read = one(text, if game == "tictactoe" { "nim" } else { "tictactoe" });
            assert_eq!(
                (&read["game"], read["moves"].as_array().unwrap().len()),
                (&json!(game), plies),
                "{text}: {read}"
            );
            assert_eq!(read["format"], format, "{text}");
        }
    }

    #[test]
    fn a_file_of_many_games_is_read_past_a_bad_one() {
        let text = "[White \"a\"]\n\n1. e4 e5 *\n\n[White \"b\"]\n\n1. e4 e6 2. Ke7 *\n\n[White \"c\"]\n\n1. d4 *\n";
        let (found, faults) = games(text, "awale");
        assert_eq!(found.len(), 2);
        assert_eq!(faults.len(), 1);
        assert!(faults[0].starts_with("game 2, line 7, ") && !faults[0].contains('\n'), "{faults:?}");
        let (found, faults) = games("what is this?", "chess");
        assert_eq!((found.len(), faults.len()), (0, 1), "{faults:?}");
    }

    const FULL: &str = "[Event \"Casual\"]\n[Site \"?\"]\n[Date \"2024.01.05\"]\n[Round \"3\"]\n[White \"Ann\"]\n[Black \"Bob\"]\n\
        [Result \"0-1\"]\n[WhiteElo \"2000\"]\n[ECO \"C50\"]\n[Annotator \"me\"]\n\n\
        {Before all} 1. e4 {[%clk 0:10:00] best by test} e5 $1 (1... c5 {sharp} 2. Nf3 (2. c3 d5) 2... d6) \
        2. Nf3 Nc6 3. Bc4?! Nd4 {[%eval -0.2] a trap} 0-1\n";

    #[test]
    fn a_pgn_in_and_out_of_the_board_loses_nothing() {
        let before = griot_records::read(FULL.as_bytes(), &Registry, &Hints::default()).remove(0).unwrap();
        let mut tree = tree(&griot_records::json::write(&before)).unwrap();
        // Where one stands in the tree makes no difference.
        let side = tree.children(1).to_vec()[1];
        tree.look_at(side).unwrap();
        let out = record(&tree, [Some("someone".into()), None], "2026.11.28");
        assert!(out.says_the_same(&before), "{out:?}\n{before:?}");
        assert_eq!((&out.tags, &out.ending), (&before.tags, &before.ending));
        let text = write(&out, Format::Pgn, &Registry).unwrap();
        for part in [
            "[Event \"Casual\"]",
            "[WhiteElo \"2000\"]",
            "[Annotator \"me\"]",
            "$1",
            "%clk 0:10:00",
            "%eval -0.2",
            "(2. c3",
            "0-1",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }

    #[test]
    fn moves_after_the_end_are_kept() {
        let text = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. e4 e5";
        let tree = tree(&one(text, "chess").to_string()).unwrap();
        let out = record(&tree, [None, None], "");
        assert_eq!(out.moves().len(), 10);
        let last = tree.line()[10];
        let position = tree.position_at(last);
        assert!(position.starts_with("position fen ") && position.ends_with(" moves e7e5"), "{position}");
    }

    #[test]
    fn each_game_is_written_in_its_own_formats() {
        for (text, formats) in [
            ("tictactoe|startpos|a1 b2", "pgn sgf moves json"),
            ("awale|startpos|F d", "ogn pgn moves json"),
            ("othello|startpos|f5 d6", "ggf pgn sgf obf moves json"),
            ("gomoku|startpos|h8 h9", "sgf pgn psq moves json"),
            ("nim|startpos|a3", "pgn moves json"),
            ("draughts:english|startpos|11-15", "pdn pgn moves json"),
        ] {
            let told = texts(&parse(&one(text, "chess").to_string()).unwrap());
            let texts: serde_json::Map<String, Value> =
                serde_json::from_value(serde_json::from_str::<Value>(&told).unwrap()["texts"].take()).unwrap();
            let mut found: Vec<&str> = texts.keys().map(String::as_str).collect();
            let mut wanted: Vec<&str> = formats.split(' ').collect();
            assert!(told.contains(&format!("\"texts\":{{\"{}\":", wanted[0])), "{text}: {told}");
            found.sort_unstable();
            wanted.sort_unstable();
            assert_eq!(found, wanted, "{text}");
        }
        let list = format!("{}\n{}", one("tictactoe|startpos|a1 b2", "chess"), one("awale|startpos|F d", "chess"));
        let own: Value = serde_json::from_str(&write_all(&list, "own").unwrap()).unwrap();
        assert!(own["texts"]["pgn"].is_string() && own["texts"]["ogn"].is_string(), "{own}");
        let ogn: Value = serde_json::from_str(&write_all(&list, "ogn").unwrap()).unwrap();
        assert_eq!(ogn["faults"].as_array().unwrap().len(), 1, "{ogn}");
        assert!(write_all(&list, "doc").is_err() && write_all(&list, "wtb").is_err());
    }
}
