//! Games in the formats of other programs: PGN, PDN (draughts), Auale's OGN (awalé), GGF (Othello), SGF (games of stones) and PSQ (five in a row).
//!
//! The ending of the file name chooses the format. Each game is added when it is over; a resumed match rewrites the file from
//! its records. The formats are those of `griot_records`; this module turns a record of a match into one of a game.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use griot::files::{Claim, GrowingFile};
use griot::registry::Registry;
use griot_records::{Format, Outcome, Record as Game, Side};

use crate::record::{Reason, Record, Thought};
use crate::referee::GameResult;

/// What says who wrote a file.
const PROGRAM: &str = "griot-match";

/// The format of a file of that name.
fn format_of(path: &Path) -> Result<Format, String> {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let known = Format::named(ending);
    known
        .filter(|format| {
            matches!(format, Format::Pgn | Format::Pdn | Format::Ogn | Format::Ggf | Format::Sgf | Format::Psq)
        })
        .ok_or_else(|| "expected a name that ends with .pgn, .pdn, .ogn, .ggf, .sgf or .psq".into())
}

/// How every file of this format begins that is written here.
fn beginning(format: Format) -> &'static str {
    match format {
        Format::Pgn | Format::Pdn => "[Event \"griot-match\"]",
        Format::Ogn => "[Variant \"",
        Format::Ggf => "(;GM[Othello]PC[griot-match]",
        Format::Psq => "Piskvorky ",
        _ => "(;FF[4]CA[UTF-8]AP[griot-match]",
    }
}

/// A file that games are added to.
pub(crate) struct Export {
    path: PathBuf,
    format: Format,
    file: GrowingFile,
    /// Held until the end.
    _claim: Claim,
}

impl Export {
    /// Writes games of other programs to a file that is not there yet.
    ///
    /// # Errors
    /// When the format is not known or does not suit a game, or the file cannot be written.
    pub(crate) fn of_games(path: &Path, games: &[Game]) -> Result<(), String> {
        let told = |problem: String| format!("{}: {problem}", path.display());
        let system = |error: std::io::Error| format!("{}: {error}", path.display());
        let format = format_of(path).map_err(told)?;
        let text: Result<String, String> =
            games.iter().map(|game| griot_records::write(game, format, &Registry)).collect();
        let text = text.map_err(told)?;
        let claim = Claim::of_file(path).map_err(system)?;
        if std::fs::metadata(path).is_ok_and(|data| data.len() > 0) {
            return Err(told("the file is there already; name another one".into()));
        }
        claim.replace(|file| file.write_all(text.as_bytes())).map_err(system)
    }

    /// Begins a file with these games. One that is there is replaced only where `again`, and only if it was written so.
    ///
    /// # Errors
    /// When the format is not known or does not suit the game, or the file cannot be written.
    pub(crate) fn begin(path: &Path, game: &str, games: &[Record], again: bool) -> Result<Export, String> {
        let told = |problem: String| format!("{}: {problem}", path.display());
        let system = |error: std::io::Error| format!("{}: {error}", path.display());
        let format = format_of(path).map_err(told)?;
        // A game without moves shows whether the format suits.
        griot_records::write(&Game::new(game, format), format, &Registry).map_err(told)?;
        let claim = Claim::of_file(path).map_err(system)?;
        if !again && std::fs::metadata(path).is_ok_and(|data| data.len() > 0) {
            return Err(told(
                "the file is there already; name another one, or go on with its match by --resume".into(),
            ));
        }
        claim.expect(beginning(format)).map_err(system)?;
        let mut whole = String::new();
        for game in games {
            whole += &text(game, format).map_err(told)?;
        }
        claim.replace(|file| file.write_all(whole.as_bytes())).map_err(system)?;
        let file = claim.append().map_err(system)?;
        Ok(Export { path: path.to_owned(), format, file, _claim: claim })
    }

    /// Adds a game.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn add(&mut self, game: &Record) -> Result<(), String> {
        let text = text(game, self.format);
        let written = text.and_then(|text| self.file.write_all(text.as_bytes()).map_err(|error| error.to_string()));
        written.map_err(|problem| format!("{}: {problem}", self.path.display()))
    }
}

/// A game as its text.
///
/// # Errors
/// When the record is not one of a game under its rules.
pub(crate) fn text(record: &Record, format: Format) -> Result<String, String> {
    griot_records::write(&game(record, format), format, &Registry)
}

/// The thought of a move, if it was thought about.
fn thought(record: &Record, at: usize) -> Option<&Thought> {
    record.thoughts.get(at.checked_sub(record.opening)?)
}

/// A record of a match as one of a game, with what this format holds.
fn game(record: &Record, format: Format) -> Game {
    let mut game = Game::new(record.game.as_str(), format);
    game.start.clone_from(&record.board);
    game.players = [Some(record.p1.name.clone()), Some(record.p2.name.clone())];
    let is_unfinished = record.reason == Reason::Unfinished;
    let result = match record.result {
        GameResult::P1Win => Outcome::Win(Side::First),
        GameResult::P2Win => Outcome::Win(Side::Second),
        GameResult::Draw => Outcome::Draw,
    };
    // A draw by the number of moves is one of the match only, and seeds are counted where the board decides.
    let is_known = match format {
        Format::Pgn | Format::Pdn | Format::Psq => true,
        Format::Ogn => !is_unfinished && record.by.is_none(),
        _ => !is_unfinished,
    };
    game.result = is_known.then_some(result);
    game.ending = match (record.reason, record.by) {
        (Reason::Time, _) => Some("time".into()),
        (Reason::Resignation, _) => Some("resignation".into()),
        (_, Some(_)) => Some("forfeit".into()),
        _ => None,
    };
    let round = record.round.to_string();
    match format {
        Format::Sgf => {
            game.push_tag("AP", PROGRAM);
            game.push_tag("RO", round);
            if is_unfinished {
                game.push_tag("RE", "Void");
            }
        }
        Format::Ggf => game.push_tag("PC", PROGRAM),
        _ => {
            game.push_tag("Event", PROGRAM);
            game.push_tag("Round", round);
        }
    }
    if matches!(format, Format::Pgn | Format::Pdn) {
        game.push_tag("TimeControl", record.limits.as_str());
        game.push_tag("Termination", termination(record.reason));
    }
    let mut node = 0;
    for (at, mv) in record.moves.iter().enumerate() {
        node = game.add(node, mv.as_str());
        let Some(thought) = thought(record, at) else { continue };
        let notes = game.notes_mut(node);
        match format {
            Format::Pgn | Format::Pdn => {
                let score = thought.score.as_deref().map_or(String::new(), |score| format!("{score} "));
                let depth = thought.depth.map_or(String::new(), |depth| format!("depth {depth} "));
                notes.comments.push(format!("{score}{depth}{:.3}s", thought.ms / 1000.0));
            }
            Format::Ggf => {
                // Evaluations in discs.
                let discs = thought.score.as_deref().and_then(|score| score.strip_prefix("cp ")?.parse::<f64>().ok());
                notes.eval = discs.map(|discs| format!("{:.2}", discs / 100.0));
                notes.spent = Some((thought.ms.round()) / 1000.0);
            }
            Format::Psq => notes.spent = Some(thought.ms.round() / 1000.0),
            _ => {}
        }
    }
    if matches!(format, Format::Pgn | Format::Pdn) && record.by.is_some() {
        game.notes_mut(node).comments.push(record.detail.clone());
    }
    game
}

/// How a game ended, in the words of PGN.
fn termination(reason: Reason) -> &'static str {
    match reason {
        Reason::Rules | Reason::Repetition | Reason::Resignation => "normal",
        Reason::Time => "time forfeit",
        Reason::Illegal | Reason::NoMove | Reason::Garbage => "rules infraction",
        Reason::Unfinished => "unterminated",
        Reason::Hang | Reason::Crash | Reason::Position => "abandoned",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Player, Who};

    fn record(game: &str, moves: &[&str], result: GameResult) -> Record {
        let who =
            |name: &str| Who { name: name.into(), command: vec!["x".into()], dialect: "ugi".into(), limits: None };
        let thought = Thought { ms: 250.0, depth: Some(4), score: Some("cp 150".into()), ..Thought::default() };
        Record {
            game: game.into(),
            round: 2,
            seed: None,
            limits: "depth 4".into(),
            p1: who("a]\"b"),
            p2: who("c"),
            board: None,
            opening: 1,
            moves: moves.iter().map(|&mv| mv.to_owned()).collect(),
            thoughts: vec![thought; moves.len() - 1],
            result,
            reason: Reason::Rules,
            by: None,
            answer: None,
            detail: String::new(),
        }
    }

    fn text(format: Format, record: &Record) -> String {
        super::text(record, format).unwrap()
    }

    #[test]
    fn chess_is_written_in_san_with_the_numbers_of_its_board() {
        let mate = record("chess", &["f2f3", "e7e5", "g2g4", "d8h4"], GameResult::P2Win);
        let mate = text(Format::Pgn, &mate);
        assert!(!mate.contains("Variant") && !mate.contains("FEN"), "{mate}");
        assert!(mate.replace('\n', " ").contains("s} 2. g4 {cp 150 depth 4 0.250s} 2... Qh4# {"), "{mate}");
        let ending = Record {
            board: Some("4k3/8/8/8/8/8/4P3/4K3 b - - 3 40".into()),
            reason: Reason::Unfinished,
            ..record("chess", &["e8d7", "e2e4"], GameResult::Draw)
        };
        let ending = text(Format::Pgn, &ending);
        assert!(ending.contains("[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 3 40\"]\n"), "{ending}");
        assert!(ending.contains("\n40... Kd7 41. e4 {"), "{ending}");
        let numbered = record("chess960:0", &["g2g3", "g7g6"], GameResult::Draw);
        let numbered = text(Format::Pgn, &Record { reason: Reason::Unfinished, ..numbered });
        assert!(numbered.contains("[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \""), "{numbered}");
    }

    #[test]
    fn stones_have_their_points_from_the_top_left() {
        let won = record("tictactoe", &["a1", "b1", "a2", "b2", "a3"], GameResult::P1Win);
        assert_eq!(
            text(Format::Sgf, &won),
            "(;FF[4]CA[UTF-8]AP[griot-match]SZ[3]RU[tictactoe]PB[a\\]\"b]PW[c]RE[B+]RO[2]\
             ;B[ac];W[bc];B[ab];W[bb];B[aa])\n"
        );
        let late = Record {
            reason: Reason::Time,
            by: Some(Player::P1),
            ..record("connect4", &["d", "d", "e"], GameResult::P2Win)
        };
        assert!(
            text(Format::Sgf, &late).ends_with("SZ[7:6]RU[connect4]PB[a\\]\"b]PW[c]RE[W+T]RO[2];B[df];W[de];B[ef])\n"),
            "{}",
            text(Format::Sgf, &late)
        );
    }

    #[test]
    fn othello_is_one_line_of_ggf() {
        let late = Record {
            reason: Reason::Time,
            by: Some(Player::P2),
            ..record("othello", &["d3", "c3"], GameResult::P1Win)
        };
        assert_eq!(
            text(Format::Ggf, &late),
            "(;GM[Othello]PC[griot-match]PB[a\\]\"b]PW[c]RE[+64.000:t]TY[8]BO[8 -------- -------- -------- ---O*--- \
             ---*O--- -------- -------- -------- *]B[D3]W[C3/1.50/0.250];)\n"
        );
    }

    #[test]
    fn tags_are_escaped_and_moves_stand_in_lines() {
        let text = text(Format::Pgn, &record("tictactoe", &["a1", "b1", "a2", "b2", "a3"], GameResult::P1Win));
        assert!(text.starts_with("[Event \"griot-match\"]\n") && text.contains("[White \"a]\\\"b\"]\n"), "{text}");
        assert!(text.contains("\n1. P@a1 P@b1 {cp 150 depth 4 0.250s} 2. P@a2"), "{text}");
        assert!(text.ends_with(" 1-0\n\n") && text.lines().all(|line| line.len() <= 79), "{text}");
        let seeds = record("awale", &["F", "a", "B"], GameResult::P1Win);
        let seeds = Record { reason: Reason::Crash, by: Some(Player::P2), ..seeds };
        let text = super::text(&seeds, Format::Ogn).unwrap();
        assert!(
            text.starts_with("[Variant \"Oware Abapa\"]\n[Event \"griot-match\"]\n[Site \"?\"]\n[Date \"?\"]\n"),
            "{text}"
        );
        assert!(text.ends_with("[Result \"*\"]\n\n1. F a 2. B\n\n"), "{text}");
    }

    #[test]
    fn a_format_is_for_its_games() {
        let folder = griot_testing::Folder::new("exports");
        let suits = |ending: &str, game: &str| {
            let path = folder.join(&format!("{}.{ending}", game.replace(':', "-")));
            Export::begin(&path, game, &[], false).map(|_| ())
        };
        assert!(
            suits("sgf", "gomoku").is_ok() && suits("sgf", "connect4").is_ok() && suits("ogn", "awale:awari").is_ok()
        );
        let wrong = suits("sgf", "awale").unwrap_err();
        assert!(wrong.ends_with("SGF is for games of stones, not for awale"), "{wrong}");
        assert!(suits("ggf", "gomoku").is_err() && suits("psq", "othello").is_err());
        assert!(format_of(Path::new("a.txt")).is_err() && format_of(Path::new("a.PGN")).is_ok());
    }
}
