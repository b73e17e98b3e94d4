//! Games in the formats of other programs: PGN, Auale's OGN (awalé), GGF (Othello) and SGF (games of stones).
//!
//! The ending of the file name chooses the format. Each game is added when it is over; a resumed match rewrites the file from
//! its records.
//! CITE: S. J. Edwards, "Portable Game Notation", 1994; M. Buro, "Generic Game Format"; A. Hollosi, "SGF, version 4", 2006; J.
//! Sala Soler, Auale (the tags of OGN).

use std::fmt::Write as _;
use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use griot::files::Claim;
use griot::game::Side;
use griot::message::{Player, Shape};

use crate::record::{Reason, Record};
use crate::referee::{GameResult, PASS, Referee, Style};

/// The longest line of a text of moves.
const LINE: usize = 79;

/// How games are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    Pgn,
    Ogn,
    Ggf,
    Sgf,
}

impl Format {
    /// The format of a file of that name.
    fn of(path: &Path) -> Result<Format, String> {
        match path.extension().and_then(|ending| ending.to_str()).map(str::to_ascii_lowercase).as_deref() {
            Some("pgn") => Ok(Format::Pgn),
            Some("ogn") => Ok(Format::Ogn),
            Some("ggf") => Ok(Format::Ggf),
            Some("sgf") => Ok(Format::Sgf),
            _ => Err("expected a name that ends with .pgn, .ogn, .ggf or .sgf".into()),
        }
    }

    /// How every file of this format begins that is written here.
    fn beginning(self) -> &'static str {
        match self {
            Format::Pgn => "[Event \"griot-match\"]",
            Format::Ogn => "[Variant \"",
            Format::Ggf => "(;GM[Othello]PC[griot-match]",
            Format::Sgf => "(;FF[4]CA[UTF-8]AP[griot-match]",
        }
    }

    /// Whether games of that kind can be written so.
    fn suits(self, referee: &Referee) -> bool {
        let grid = matches!(referee.picture().board.shape, Shape::Grid(_));
        match self {
            Format::Pgn => true,
            Format::Ogn => referee.game().starts_with("awale"),
            Format::Ggf => referee.game() == "othello",
            Format::Sgf => grid && referee.is_placed(),
        }
    }

    /// A game as its text.
    ///
    /// # Errors
    /// When the record is not one of a game under its rules.
    pub(crate) fn text(self, record: &Record, referee: &mut Referee) -> Result<String, String> {
        record.play(referee)?;
        Ok(match self {
            Format::Pgn => pgn(record, referee),
            Format::Ogn => ogn(record, referee),
            Format::Ggf => ggf(record, referee)?,
            Format::Sgf => sgf(record, referee)?,
        })
    }
}

/// A file that games are added to.
pub(crate) struct Export {
    path: PathBuf,
    format: Format,
    referee: Referee,
    file: File,
    /// Held until the end.
    _claim: Claim,
}

impl Export {
    /// Begins a file with these games. One that is there is replaced only where `again`, and only if it was written so.
    ///
    /// # Errors
    /// When the format is not known or does not suit the game, or the file cannot be written.
    pub(crate) fn begin(path: &Path, referee: Referee, games: &[Record], again: bool) -> Result<Export, String> {
        let told = |problem: String| format!("{}: {problem}", path.display());
        let system = |error: std::io::Error| format!("{}: {error}", path.display());
        let format = Format::of(path).map_err(told)?;
        if !format.suits(&referee) {
            return Err(told(format!("games of {} cannot be written so", referee.game())));
        }
        let claim = Claim::of_file(path).map_err(system)?;
        if !again && std::fs::metadata(path).is_ok_and(|data| data.len() > 0) {
            return Err(told(
                "the file is there already; name another one, or go on with its match by --resume".into(),
            ));
        }
        claim.expect(format.beginning()).map_err(system)?;
        let mut referee = referee;
        let mut text = String::new();
        for game in games {
            text += &format.text(game, &mut referee).map_err(told)?;
        }
        claim.replace(|file| file.write_all(text.as_bytes())).map_err(system)?;
        let file = claim.append().map_err(system)?;
        Ok(Export { path: path.to_owned(), format, referee, file, _claim: claim })
    }

    /// Adds a game.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn add(&mut self, game: &Record) -> Result<(), String> {
        let text = self.format.text(game, &mut self.referee);
        let written = text.and_then(|text| self.file.write_all(text.as_bytes()).map_err(|error| error.to_string()));
        written.map_err(|problem| format!("{}: {problem}", self.path.display()))
    }
}

/// A tag of PGN and OGN.
fn tag(text: &mut String, name: &str, value: &str) {
    let value = value.replace('\\', "\\\\").replace('"', "\\\"");
    let _ = writeln!(text, "[{name} \"{value}\"]");
}

/// Words as lines.
fn wrapped(words: &[String]) -> String {
    let mut text = String::new();
    let mut length = 0;
    for word in words {
        let own = word.chars().count();
        if length > 0 {
            let fits = length + 1 + own <= LINE;
            text.push(if fits { ' ' } else { '\n' });
            length = if fits { length + 1 } else { 0 };
        }
        text += word;
        length += own;
    }
    text
}

fn points(result: GameResult) -> &'static str {
    match result {
        GameResult::P1Win => "1-0",
        GameResult::P2Win => "0-1",
        GameResult::Draw => "1/2-1/2",
    }
}

/// The thought of a move, if it was thought about.
fn thought(record: &Record, at: usize) -> Option<&crate::record::Thought> {
    record.thoughts.get(at.checked_sub(record.opening)?)
}

/// What readers of PGN want to know of the start of a game. One of Chess960 always tells its board.
struct Start<'r> {
    /// What the variant is called, if it is not the chess that everybody plays.
    variant: Option<&'r str>,
    /// The board text, if it is not the usual one.
    board: Option<String>,
    /// The number of the first move, and whether Black makes it.
    first: (usize, bool),
}

impl<'r> Start<'r> {
    fn of(record: &'r Record, referee: &mut Referee) -> Start<'r> {
        let is_960 = match record.game.split(':').next() {
            Some("chess") => false,
            Some("chess960") => true,
            // In other games nobody counts by whose turn it is.
            _ => return Start { variant: Some(&record.game), board: record.board.clone(), first: (1, false) },
        };
        let board = if is_960 || record.board.is_some() { referee.first_board() } else { None };
        let mut fields = board.as_deref().unwrap_or_default().split_whitespace().skip(1);
        let is_black = fields.next() == Some("b");
        let number = fields.nth(3).and_then(|text| text.parse().ok()).unwrap_or(1);
        Start { variant: is_960.then_some("Chess960"), board, first: (number, is_black) }
    }
}

/// White is the player who begins, but in chess, where White is White. Moves are as people write them; a comment tells score, depth
/// and time.
fn pgn(record: &Record, referee: &mut Referee) -> String {
    let mut text = String::new();
    let result = points(record.result);
    let start = Start::of(record, referee);
    let (number, is_black) = start.first;
    for (name, value) in [
        ("Event", "griot-match"),
        ("Site", "?"),
        ("Date", "????.??.??"),
        ("Round", &record.round.to_string()),
        ("White", &record.p1.name),
        ("Black", &record.p2.name),
        ("Result", result),
    ] {
        tag(&mut text, name, value);
    }
    if let Some(variant) = start.variant {
        tag(&mut text, "Variant", variant);
    }
    if let Some(board) = &start.board {
        tag(&mut text, "SetUp", "1");
        tag(&mut text, "FEN", board);
    }
    tag(&mut text, "PlyCount", &record.moves.len().to_string());
    tag(&mut text, "TimeControl", &record.limits);
    let termination = match record.reason {
        Reason::Rules | Reason::Repetition | Reason::Resignation => "normal",
        Reason::Time => "time forfeit",
        Reason::Illegal | Reason::NoMove | Reason::Garbage => "rules infraction",
        Reason::Unfinished => "unterminated",
        Reason::Hang | Reason::Crash | Reason::Position => "abandoned",
    };
    tag(&mut text, "Termination", termination);
    let mut words = Vec::new();
    for (at, mv) in referee.names().into_iter().enumerate() {
        let ply = at + usize::from(is_black);
        if ply % 2 == 0 {
            words.push(format!("{}.", number + ply / 2));
        } else if at == 0 {
            words.push(format!("{number}..."));
        }
        words.push(mv);
        if let Some(thought) = thought(record, at) {
            let score = thought.score.as_deref().map_or(String::new(), |score| format!("{score} "));
            let depth = thought.depth.map_or(String::new(), |depth| format!("depth {depth} "));
            words.push(format!("{{{score}{depth}{:.3}s}}", thought.ms / 1000.0));
        }
    }
    if record.by.is_some() {
        words.push(format!("{{{}}}", record.detail.replace(['{', '}'], " ")));
    }
    words.push(result.to_owned());
    let _ = writeln!(text, "\n{}\n", wrapped(&words));
    text
}

/// As Auale writes it: South begins, the result is the seeds of both.
fn ogn(record: &Record, referee: &Referee) -> String {
    let mut text = String::new();
    let variant = match record.game.split_once(':') {
        None => "Abapa",
        Some((_, variant)) => variant,
    };
    let result = match (record.by, referee.counts()) {
        (None, Some([south, north])) if record.reason != Reason::Unfinished => format!("{south}-{north}"),
        _ => "*".into(),
    };
    for (name, value) in [
        ("Variant", variant),
        ("Event", "griot-match"),
        ("Site", "?"),
        ("Date", "?"),
        ("Round", &record.round.to_string()),
        ("South", &record.p1.name),
        ("North", &record.p2.name),
        ("Result", &result),
    ] {
        tag(&mut text, name, value);
    }
    if let Some(board) = &record.board {
        tag(&mut text, "FEN", board);
    }
    let mut words = Vec::new();
    for (at, mv) in record.moves.iter().enumerate() {
        // A game that North begins has its first number all the same.
        words.push(if at % 2 == 0 { format!("{}. {mv}", at / 2 + 1) } else { mv.clone() });
    }
    if !words.is_empty() {
        let _ = writeln!(text, "\n{}", wrapped(&words));
    }
    text.push('\n');
    text
}

/// A game of Othello in one line, as GGS and NBoard have it; evaluations in discs, times in seconds.
fn ggf(record: &Record, referee: &mut Referee) -> Result<String, String> {
    let counts = referee.counts().unwrap_or_default();
    let margin = f64::from(counts[0]) - f64::from(counts[1]);
    let result = match (record.by, record.reason) {
        (Some(_), reason) => {
            let lost = if record.result == GameResult::P1Win { 64.0 } else { -64.0 };
            format!("{lost:+.3}:{}", if reason == Reason::Time { 't' } else { 'r' })
        }
        (None, Reason::Unfinished) => "?".into(),
        _ => format!("{margin:+.3}"),
    };
    let mut text = Format::Ggf.beginning().to_owned();
    let _ = write!(text, "PB[{}]PW[{}]RE[{result}]", escaped(&record.p1.name), escaped(&record.p2.name));
    let mut moves = String::new();
    referee.begin(record.board.as_deref()).map_err(|problem| problem.text)?;
    text += &format!("TY[8]BO[{}]", crate::ggf::board(referee.beginning()));
    for (at, mv) in record.moves.iter().enumerate() {
        let colour = if referee.turn() == Side::First { 'B' } else { 'W' };
        let name = if mv == PASS { "PA".to_owned() } else { mv.to_ascii_uppercase() };
        let told = thought(record, at).map_or(String::new(), |thought| {
            let discs = thought.score.as_deref().and_then(|score| score.strip_prefix("cp ")?.parse::<f64>().ok());
            let discs = discs.map_or(String::new(), |discs| format!("{:.2}", discs / 100.0));
            format!("/{discs}/{:.3}", thought.ms / 1000.0)
        });
        let _ = write!(moves, "{colour}[{name}{told}]");
        referee.play(mv).ok_or("a move that is not legal")?;
    }
    let _ = writeln!(text, "{moves};)");
    Ok(text)
}

/// A game of stones. Connect Four has no number among the games of SGF: without one, a viewer shows stones on a board.
fn sgf(record: &Record, referee: &mut Referee) -> Result<String, String> {
    referee.begin(record.board.as_deref()).map_err(|problem| problem.text)?;
    let Shape::Grid(grid) = referee.picture().board.shape else { return Err("not a board of cells".into()) };
    let (cols, rows) = (grid.columns.len(), grid.rows.len());
    let letter = |at: usize| char::from(b'a' + u8::try_from(at).unwrap_or(25).min(25));
    let cell = |point: &str| {
        let (col, row) = point.split_once(',').ok_or("a move without a point")?;
        let (col, row) = (col.parse().map_err(|_| "no column")?, row.parse::<usize>().map_err(|_| "no row")?);
        let down = if grid.from_top { row } else { rows - 1 - row };
        Ok::<String, String>(format!("{}{}", letter(col), letter(down)))
    };
    let mut text = Format::Sgf.beginning().to_owned();
    if !grid.falls {
        text += "GM[4]";
    }
    let size = if cols == rows { cols.to_string() } else { format!("{cols}:{rows}") };
    let result = match (record.result, record.by, record.reason) {
        (GameResult::Draw, _, Reason::Unfinished) => "Void",
        (GameResult::Draw, ..) => "0",
        (GameResult::P1Win, _, Reason::Time) => "B+T",
        (GameResult::P2Win, _, Reason::Time) => "W+T",
        (GameResult::P1Win, _, Reason::Resignation) => "B+R",
        (GameResult::P2Win, _, Reason::Resignation) => "W+R",
        (GameResult::P1Win, Some(_), _) => "B+F",
        (GameResult::P2Win, Some(_), _) => "W+F",
        (GameResult::P1Win, ..) => "B+",
        (GameResult::P2Win, ..) => "W+",
    };
    let (black, white) = (escaped(&record.p1.name), escaped(&record.p2.name));
    let _ = write!(text, "SZ[{size}]GN[{}]PB[{black}]PW[{white}]RO[{}]RE[{result}]", record.game, record.round);
    for (property, player) in [("AB", Player::First), ("AW", Player::Second)] {
        let stones =
            referee.stones().into_iter().filter(|(_, side)| (*side == Side::First) == (player == Player::First));
        let stones: Result<String, String> = stones.map(|(point, _)| Ok(format!("[{}]", cell(&point)?))).collect();
        let stones = stones?;
        if !stones.is_empty() {
            text += property;
            text += &stones;
        }
    }
    if referee.turn() == Side::Second {
        text += "PL[W]";
    }
    for mv in &record.moves {
        let colour = if referee.turn() == Side::First { 'B' } else { 'W' };
        referee.play(mv).ok_or("a move that is not legal")?;
        let point = referee.moves_in(Style::Numbers).last().copied().unwrap_or_default().to_owned();
        let _ = write!(text, ";{colour}[{}]", cell(&point)?);
    }
    text += ")\n";
    Ok(text)
}

/// Text between brackets.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace(']', "\\]")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Thought, Who};

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
        format.text(record, &mut Referee::new(&record.game).unwrap()).unwrap()
    }

    #[test]
    fn chess_is_written_in_san_with_the_numbers_of_its_board() {
        let mate = record("chess", &["f2f3", "e7e5", "g2g4", "d8h4"], GameResult::P2Win);
        let mate = text(Format::Pgn, &mate);
        assert!(!mate.contains("Variant") && !mate.contains("FEN"), "{mate}");
        assert!(mate.replace('\n', " ").contains("s} 2. g4 {cp 150 depth 4 0.250s} Qh4# {"), "{mate}");
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
            "(;FF[4]CA[UTF-8]AP[griot-match]GM[4]SZ[3]GN[tictactoe]PB[a\\]\"b]PW[c]RO[2]RE[B+]\
             ;B[ac];W[bc];B[ab];W[bb];B[aa])\n"
        );
        let late = Record {
            reason: Reason::Time,
            by: Some(crate::record::Player::P1),
            ..record("connect4", &["d", "d", "e"], GameResult::P2Win)
        };
        assert!(
            text(Format::Sgf, &late).ends_with("SZ[7:6]GN[connect4]PB[a\\]\"b]PW[c]RO[2]RE[W+T];B[df];W[de];B[ef])\n")
        );
    }

    #[test]
    fn othello_is_one_line_of_ggf() {
        let late = Record {
            reason: Reason::Time,
            by: Some(crate::record::Player::P2),
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
        assert!(text.contains("\n1. a1 b1 {cp 150 depth 4 0.250s} 2. a2"), "{text}");
        assert!(text.ends_with(" 1-0\n\n") && text.lines().all(|line| line.len() <= LINE), "{text}");
        let seeds = record("awale", &["F", "a", "B"], GameResult::P1Win);
        let seeds = Record { reason: Reason::Crash, by: Some(crate::record::Player::P2), ..seeds };
        let text = super::tests::text(Format::Ogn, &seeds);
        assert!(
            text.starts_with("[Variant \"Abapa\"]\n[Event \"griot-match\"]\n[Site \"?\"]\n[Date \"?\"]\n"),
            "{text}"
        );
        assert!(text.ends_with("[Result \"*\"]\n\n1. F a 2. B\n\n"), "{text}");
    }

    #[test]
    fn a_format_is_for_its_games() {
        let suits = |format: Format, game: &str| format.suits(&Referee::new(game).unwrap());
        assert!(suits(Format::Sgf, "gomoku") && suits(Format::Sgf, "connect4") && suits(Format::Ogn, "awale:awari"));
        assert!(!suits(Format::Sgf, "awale") && !suits(Format::Sgf, "othello") && !suits(Format::Ggf, "gomoku"));
        assert!(Format::of(Path::new("a.txt")).is_err() && Format::of(Path::new("a.PGN")).is_ok());
    }
}
