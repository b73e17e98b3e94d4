//! Records of board games: one model, readers of it for the formats that people keep games in, and writers for most of them.
//!
//! ```text
//!  bytes --decode--> text --pgn, sgf, ggf, …--> words of the file --resolve + rules--> Record --write + rules--> text
//! ```
//!
//! No input or output and no engine: readers take bytes, and the caller supplies the rules, as [`Catalogue`] and [`Rules`].
//! Nothing is recursive, so that nested variations cannot overflow the stack. Readers are lenient and put what was odd into
//! [`Record::remarks`]; a game that cannot be read is a [`Fault`] with its place, and the games after it are still read. Writers
//! write what the format's definition allows, and nothing else.

mod boards;
mod decode;
mod fault;
mod ggf;
mod guess;
pub mod json;
mod lenient;
mod lists;
mod model;
mod pdn;
mod pgn;
mod psq;
mod raw;
mod renlib;
mod resolve;
mod rif;
mod rules;
mod sgf;
mod stream;
mod thor;

pub use decode::{is_utf16, text as decode, windows_1252};
pub use fault::Fault;
pub use model::{Format, Line, Notes, Outcome, Record, Remark, Side, Tag};
pub use resolve::Hints;
pub use rules::{Catalogue, End, Grid, Rules};
pub use stream::Splitter;

use fault::Piece;
use raw::Raw;
use resolve::{Opened, resolve};

/// Reads games, file after file, and keeps the rules of the games that were opened.
pub struct Reader<'c> {
    opened: Opened<'c>,
    /// How many games were read.
    games: usize,
}

impl std::fmt::Debug for Reader<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reader").field("games", &self.games).finish_non_exhaustive()
    }
}

impl<'c> Reader<'c> {
    /// A reader of games that `catalogue` knows.
    #[must_use]
    pub fn new(catalogue: &'c dyn Catalogue) -> Reader<'c> {
        Reader { opened: Opened::new(catalogue), games: 0 }
    }

    /// Begins another file: its games are counted from 1.
    pub fn begin_file(&mut self) {
        self.games = 0;
        self.opened.latest = None;
    }

    /// Reads the games of a whole file. `beside` gives the bytes of the file in the same folder that ends so: a database of Thor has
    /// the names of its players there.
    pub fn read_file(
        &mut self,
        bytes: &[u8],
        hints: &Hints<'_>,
        beside: &dyn Fn(&str) -> Option<Vec<u8>>,
        each: &mut dyn FnMut(Result<Record, Fault>) -> bool,
    ) {
        self.begin_file();
        let opened = &mut self.opened;
        let games = &mut self.games;
        let mut one = |raw: Result<Raw, Fault>| {
            *games += 1;
            let piece = Piece { text: "", line: 1 };
            let found = raw.and_then(|raw| resolve(&piece, &raw, opened, hints));
            each(found.map_err(|fault| Fault { game: *games, ..fault }))
        };
        if thor::looks_right(bytes) {
            thor::read(bytes, beside, &mut one);
        } else if renlib::looks_right(bytes) {
            one(renlib::read(bytes));
        } else {
            self.read(bytes, 1, hints, each);
        }
    }

    /// Reads the games of some bytes, of which the first stands on line `line`, and hands each to `each` until it answers `false`.
    pub fn read(
        &mut self,
        bytes: &[u8],
        line: usize,
        hints: &Hints<'_>,
        each: &mut dyn FnMut(Result<Record, Fault>) -> bool,
    ) {
        let text = decode::text(bytes);
        let piece = Piece { text: &text, line };
        let opened = &mut self.opened;
        let games = &mut self.games;
        let mut counted = |found: Result<Record, Fault>| {
            *games += 1;
            each(found.map_err(|fault| Fault { game: *games, ..fault }))
        };
        read_text(&piece, opened, hints, &mut counted);
    }
}

/// The games of a text in PGN or OGN as they are written, without the rules: the moves are the words of the file.
pub fn written_games(text: &str) -> impl Iterator<Item = Record> + '_ {
    pgn::Games::new(Piece { text, line: 1 }).map(|raw| raw.record)
}

/// Whether a file that begins with these bytes has game records, and not lines of moves or boards.
#[must_use]
pub fn has_records(start: &[u8]) -> bool {
    if renlib::looks_right(start) || thor::looks_right(start) {
        return true;
    }
    let text = decode::text(start);
    let text = text.trim_start();
    ggf::looks_right(text) || is_tree(text) || rif::looks_right(text) || psq::looks_right(text) || is_movetext(text)
}

/// Reads all games of a file.
#[must_use]
pub fn read(bytes: &[u8], catalogue: &dyn Catalogue, hints: &Hints<'_>) -> Vec<Result<Record, Fault>> {
    let mut found = Vec::new();
    Reader::new(catalogue).read(bytes, 1, hints, &mut |game| {
        found.push(game);
        true
    });
    found
}

fn read_text(piece: &Piece<'_>, opened: &mut Opened<'_>, hints: &Hints<'_>, each: &mut lists::Each<'_>) {
    let text = piece.text;
    let begin = text.len() - text.trim_start().len();
    let start = &text[begin..];
    let mut one = |raw: Result<Raw, Fault>, opened: &mut Opened<'_>| {
        each(raw.and_then(|raw| resolve(piece, &raw, opened, hints)))
    };
    if ggf::looks_right(start) {
        let mut at = begin;
        while let Some((end, raw)) = ggf::next(piece, at) {
            at = end;
            if !one(raw, opened) {
                return;
            }
        }
    } else if is_json(start) {
        for value in json::values(start) {
            let raw = match value {
                Ok(value) => json::read(&value).map_err(|(_, problem)| piece.fault(begin, None, problem)),
                Err((at, problem)) => Err(piece.fault(begin + at, None, problem)),
            };
            if !one(raw, opened) {
                return;
            }
        }
    } else if is_tree(start) {
        let mut games = sgf::Games::new(*piece);
        while let Some(raw) = games.next(opened.catalogue) {
            if !one(raw, opened) {
                return;
            }
        }
    } else if rif::looks_right(start) {
        rif::read(piece, &mut |raw| one(raw, opened));
    } else if psq::looks_right(start) {
        let mut lines = Vec::new();
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            if !line.trim().is_empty() {
                lines.push((at, line.trim_end()));
            }
            at += line.len();
        }
        let mut line = 0;
        while line < lines.len() {
            let (end, raw) = psq::next(piece, &lines, line);
            line = end;
            if !one(raw, opened) {
                return;
            }
        }
    } else if is_movetext(start) {
        let has_tags = pgn::looks_tagged(start);
        for mut raw in pgn::Games::new(*piece) {
            if raw.record.tags.is_empty() && !has_tags {
                // Nobody says that it is chess.
                let moves = raw.record.moves();
                raw.games = guess::games_of(&moves[..moves.len().min(200)]);
                raw.white_first = false;
                raw.record.format = Format::Moves;
            }
            if !one(Ok(raw), opened) {
                return;
            }
        }
    } else {
        lists::read(piece, opened, hints, each);
    }
}

/// Whether a text is JSON that does not have an object on each line.
fn is_json(text: &str) -> bool {
    let is_list = text.strip_prefix('[').is_some_and(|rest| rest.trim_start().starts_with(['{', ']']));
    let first = text.lines().next().unwrap_or_default().trim_end();
    is_list || text.starts_with('{') && !first.ends_with('}') && text[1..].trim_start().starts_with('"')
}

/// Whether a text begins as a tree of SGF.
fn is_tree(text: &str) -> bool {
    text.strip_prefix('(').is_some_and(|rest| rest.trim_start().starts_with([';', '(']))
}

/// Whether a text has tags, or moves with numbers, comments or variations: a text that PGN's syntax fits.
fn is_movetext(text: &str) -> bool {
    if pgn::looks_tagged(text) {
        return true;
    }
    // Variations and comments between moves without numbers.
    let first = text.split_whitespace().next().unwrap_or_default();
    let is_word = first.chars().all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '-' | ':' | '+' | '='));
    let line = text.lines().next().unwrap_or_default();
    if is_word && !line.contains(['/', '|']) && [" (", " {"].iter().any(|sign| line.contains(sign)) {
        return true;
    }
    let numbered = text.trim_start_matches(|letter: char| letter.is_ascii_digit());
    numbered.len() < text.len() && numbered.starts_with('.')
        || text.starts_with(['{', ';']) && !text[1..].trim_start().starts_with('"')
}

/// Writes a record.
///
/// # Errors
/// When the format cannot hold the game, or a move of the record is not legal; the text says which.
pub fn write(record: &Record, format: Format, catalogue: &dyn Catalogue) -> Result<String, String> {
    let mut rules = catalogue.open(&record.game)?;
    let name = rules.name().to_owned();
    let head = name.split(':').next().unwrap_or_default();
    let only = |game: &str| Err(format!("{} is for {game}, not for {name}", format.name().to_uppercase()));
    match format {
        Format::Json => Ok(json::write(record) + "\n"),
        Format::Moves => Ok(lists::write(record)),
        Format::Pgn | Format::Pdn if head == "draughts" => pgn::write_pdn(record, rules.as_mut()),
        Format::Pdn => only("draughts"),
        Format::Pgn => pgn::write(record, rules.as_mut()),
        Format::Ogn if head == "awale" => pgn::write_ogn(record, rules.as_mut()),
        Format::Ogn => only("awale"),
        Format::Ggf if head == "othello" => ggf::write(record, rules.as_mut()),
        Format::Ggf => only("othello"),
        Format::Sgf if sgf::suits(rules.as_ref()) => sgf::write(record, rules.as_mut()),
        Format::Sgf => only("games of stones"),
        Format::Psq => psq::write(record, rules.as_mut()),
        Format::Obf if head == "othello" => write_obf(record, rules.as_mut()),
        Format::Obf => only("othello"),
        Format::Epd | Format::Thor | Format::RenLib | Format::Rif | Format::Offsets => Err(format!(
            "{} is read only; written are json, pgn, pdn, sgf, ggf, ogn, psq, obf and moves",
            format.name()
        )),
    }
}

/// Writes a board of Othello and the values of moves there; moves that were played stand behind it.
fn write_obf(record: &Record, rules: &mut dyn Rules) -> Result<String, String> {
    rules.begin(record.start.as_deref())?;
    let board = boards::Cells::read(&rules.board()).ok_or("no board of Othello")?;
    let mut text: String = ggf::board_text(&board, false).replace('*', "X");
    let moves = record.moves();
    if moves.is_empty() {
        text.push(';');
        for tag in record.notes(0).map_or(&[][..], |notes| &notes.marks) {
            text += &format!(" {}:{};", tag.name, tag.value);
        }
    } else {
        text.push(' ');
        text += &moves.join(" ");
    }
    text.push('\n');
    Ok(text)
}
