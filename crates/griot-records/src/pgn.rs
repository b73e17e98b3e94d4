//! PGN, and OGN and PDN, which have the same syntax: tags, then moves with numbers, comments and variations.
//!
//! [`Games`] reads the games of a text one after the other, without the rules: it needs one pass and memory for one game.
//! Lenient: tags may be missing or broken, numbers glued to moves, results missing; a `[` in the text that begins no tag is
//! skipped. The writer keeps to the export format: seven tags first, lines of fewer than 80 characters.
//! CITE: S. J. Edwards, "Portable Game Notation Specification and Implementation Guide", 1994.
//! CITE: "PGN extension: embedded commands" (`%clk`, `%emt`, `%eval`), as ChessBase and lichess write them.
//! CITE: J. Serrano, Auale (OGN: `a+2` is a move that captures two; South begins).

use std::borrow::Cow;
use std::fmt::Write as _;

use crate::fault::Piece;
use crate::model::{Format, Notes, Outcome, Record, Side, Tag};
use crate::raw::Raw;
use crate::rules::Rules;

/// The tags that PGN wants first, in its order.
const ROSTER: [&str; 7] = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];
/// What Auale writes first, in its order.
const OGN_ROSTER: [&str; 8] = ["Variant", "Event", "Site", "Date", "Round", "South", "North", "Result"];
/// The tag of OGN that holds a comment before all moves: Auale ends with an error where a comment follows no move.
const BEFORE_ALL: &str = "Comment";
/// No line is longer than this.
const LINE: usize = 79;
/// Tags that say what the record has elsewhere, in PGN and OGN, and properties of SGF and GGF that do.
const WRITTEN: [&str; 22] = [
    "Variant", "GameType", "FEN", "SetUp", "South", "North", "White", "Black", "Result", "PlyCount", "PB", "PW", "RE",
    "SZ", "GM", "RU", "FF", "CA", "AP", "BO", "TY", "Ending",
];

/// Whether a text looks like tags.
pub(crate) fn looks_tagged(text: &str) -> bool {
    let is_comment = |line: &&str| line.trim().is_empty() || line.starts_with(['%', ';']);
    let before: usize = text.split_inclusive('\n').take_while(is_comment).map(str::len).sum();
    let text = &text[before..];
    text.starts_with('[') && tag(text.as_bytes(), 0).is_some()
}

/// Reads the games of a text.
#[derive(Debug)]
pub(crate) struct Games<'t> {
    text: &'t str,
    at: usize,
}

/// A variation that was left for another one.
struct Open {
    current: usize,
}

impl<'t> Games<'t> {
    pub(crate) fn new(piece: Piece<'t>) -> Games<'t> {
        Games { text: piece.text, at: 0 }
    }
}

impl Iterator for Games<'_> {
    type Item = Raw;

    fn next(&mut self) -> Option<Raw> {
        let bytes = self.text.as_bytes();
        let mut raw = Raw::new(Record::new("", Format::Pgn));
        let mut body = Body::default();
        while let Some(&byte) = bytes.get(self.at) {
            match byte {
                b' ' | b'\n' | b'\r' | b'\t' => self.at += 1,
                b'[' => match tag(bytes, self.at) {
                    Some(_) if body.has_begun() => break,
                    Some((name, value, end)) => {
                        let value = unescaped(&self.text[value.0..value.1]);
                        raw.record.tags.push(Tag { name: self.text[name.0..name.1].to_owned(), value });
                        body.is_draughts = crate::pdn::is_told(&raw.record);
                        self.at = end;
                    }
                    None => self.at = skip_to(bytes, self.at, b']', b'\n'),
                },
                b'{' => {
                    let end = find(bytes, self.at + 1, b'}');
                    body.comment(&mut raw, &self.text[self.at + 1..end]);
                    self.at = (end + 1).min(bytes.len());
                }
                b';' => {
                    let end = find(bytes, self.at, b'\n');
                    body.comment(&mut raw, &self.text[self.at + 1..end]);
                    self.at = end;
                }
                b'%' if self.at == 0 || bytes[self.at - 1] == b'\n' => self.at = find(bytes, self.at, b'\n'),
                b'(' => {
                    // PDN has the signs of a move in brackets, too: `(!?)`.
                    let is_sign = |byte: u8| matches!(byte, b'!' | b'?' | b'+' | b'-' | b'=');
                    let end = (self.at + 1..bytes.len()).find(|&at| !is_sign(bytes[at])).unwrap_or(bytes.len());
                    if end > self.at + 1 && bytes.get(end) == Some(&b')') {
                        if let Some(nag) = nag_of(&self.text[self.at + 1..end]) {
                            body.nag(&mut raw, nag);
                        }
                        self.at = end + 1;
                        continue;
                    }
                    body.open();
                    self.at += 1;
                }
                b')' => {
                    body.close();
                    self.at += 1;
                }
                b'<' => self.at = skip_to(bytes, self.at, b'>', b'\n'),
                b'}' | b']' | b'>' | b',' => self.at += 1,
                b'$' => {
                    let end = end_of_digits(bytes, self.at + 1);
                    if let Ok(nag) = self.text[self.at + 1..end].parse() {
                        body.nag(&mut raw, nag);
                    }
                    self.at = end.max(self.at + 1);
                }
                b'!' | b'?' => {
                    let end =
                        (self.at..bytes.len()).find(|&at| !matches!(bytes[at], b'!' | b'?')).unwrap_or(bytes.len());
                    if let Some(nag) = nag_of(&self.text[self.at..end]) {
                        body.nag(&mut raw, nag);
                    }
                    self.at = end;
                }
                _ => {
                    let mut end = end_of_word(bytes, self.at);
                    let mut word = Cow::Borrowed(&self.text[self.at..end]);
                    if crate::pdn::is_half(&word[word.rfind('.').map_or(0, |dot| dot + 1)..]) {
                        let rest = self.text[end..].trim_start_matches(' ');
                        let begin = self.text.len() - rest.len();
                        let digits = end_of_digits(bytes, begin) - begin;
                        if begin > end && (1..=2).contains(&digits) {
                            end = end_of_word(bytes, begin);
                            word.to_mut().push_str(&self.text[begin..end]);
                        }
                    }
                    if !body.word(&mut raw, &word, self.at) {
                        break;
                    }
                    self.at = end;
                }
            }
        }
        let is_game = body.has_begun() || !raw.record.tags.is_empty();
        if !is_game {
            return None;
        }
        body.finish(&mut raw);
        Some(raw)
    }
}

/// The moves of a game while they are read.
#[derive(Default)]
struct Body {
    /// The last node of the line that is being read.
    current: usize,
    /// Lines that wait for this variation to end.
    open: Vec<Open>,
    /// Whether the next move begins a variation: then it is an alternative to `current`.
    begins: bool,
    /// Comments that stand before the first move of a variation.
    before: Vec<String>,
    /// The word of the result.
    result: Option<String>,
    /// How many moves the main line has.
    plies: usize,
    /// Closing brackets without an opening one.
    strays: usize,
    /// Whether it is a game of draughts, where `12-16` is a move.
    is_draughts: bool,
}

impl Body {
    fn has_begun(&self) -> bool {
        self.plies > 0 || self.result.is_some() || !self.open.is_empty()
    }

    fn open(&mut self) {
        self.open.push(Open { current: self.current });
        self.begins = true;
    }

    fn close(&mut self) {
        match self.open.pop() {
            Some(open) => {
                self.current = open.current;
                self.begins = false;
                self.before.clear();
            }
            None => self.strays += 1,
        }
    }

    fn nag(&mut self, raw: &mut Raw, nag: u8) {
        if !self.begins {
            raw.record.notes_mut(self.current).nags.push(nag);
        }
    }

    fn comment(&mut self, raw: &mut Raw, text: &str) {
        if self.begins {
            let text = joined(text);
            if !text.is_empty() {
                self.before.push(text);
            }
            return;
        }
        let mut notes = Notes::default();
        read_comment(text, &mut notes);
        if notes.is_empty() {
            return;
        }
        let own = raw.record.notes_mut(self.current);
        own.comments.append(&mut notes.comments);
        own.marks.append(&mut notes.marks);
        own.clock = notes.clock.or(own.clock);
        own.spent = notes.spent.or(own.spent);
        own.eval = notes.eval.or(own.eval.take());
    }

    /// Takes a word: a number, a move, a result. Answers whether it belongs to this game.
    fn word(&mut self, raw: &mut Raw, word: &str, at: usize) -> bool {
        let bare = word[end_of_digits(word.as_bytes(), 0)..].trim_start_matches('.');
        let bare = if bare.len() < word.len() && word.contains('.') { bare } else { word };
        let bare = bare.trim_end_matches(['!', '?', '+', '*']);
        if self.plies == 0
            && !self.is_draughts
            && (crate::pdn::is_move(bare) || raw.record.tag(&["FEN"]).is_none() && crate::pdn::begins_by_letters(bare))
        {
            let of_awale = ["South", "North", "Variant"].iter().any(|name| raw.record.tag(&[name]).is_some());
            self.is_draughts = !of_awale;
        }
        let is_result =
            if self.is_draughts { crate::pdn::result_of(word).is_some() } else { result_of(word).is_some() };
        // A match for points may end with a result like 4-6. It is a result if the tag `Result` has the same word.
        let is_told = self.is_draughts && self.plies > 0 && raw.record.tag(&["Result"]) == Some(word);
        if is_result || is_told {
            if self.open.is_empty() {
                if self.result.is_some() {
                    return false;
                }
                self.result = Some(word.to_owned());
            }
            return true;
        }
        let digits = end_of_digits(word.as_bytes(), 0);
        let dots = word[digits..].bytes().take_while(|&byte| byte == b'.').count();
        let is_number = digits > 0 && dots > 0;
        if self.open.is_empty() {
            // Another game begins, though no tags say so.
            let restarts = is_number && dots == 1 && &word[..digits] == "1" && self.plies >= 2;
            if restarts || self.result.is_some() {
                return false;
            }
        }
        let (word, at) = if is_number { (&word[digits + dots..], at + digits + dots) } else { (word, at) };
        let word = word.strip_prefix('…').unwrap_or(word);
        let bare = word.trim_end_matches(['!', '?']);
        if bare.is_empty() || bare.bytes().all(|byte| byte == b'.') || bare.eq_ignore_ascii_case("e.p.") {
            return true;
        }
        let parent = if self.begins { raw.record.parent(self.current).unwrap_or(0) } else { self.current };
        let node = raw.add(parent, bare, at, None);
        if let Some(nag) = nag_of(&word[bare.len()..]) {
            raw.record.notes_mut(node).nags.push(nag);
        }
        if !self.before.is_empty() {
            raw.record.notes_mut(node).before.append(&mut self.before);
        }
        self.begins = false;
        self.current = node;
        if self.open.is_empty() {
            self.plies += 1;
        }
        true
    }

    fn finish(self, raw: &mut Raw) {
        if !self.open.is_empty() {
            raw.record.remark(None, format!("{} variations are not closed", self.open.len()));
        }
        if self.strays > 0 {
            raw.record.remark(None, format!("{} ')' too many", self.strays));
        }
        read_tags(raw, self.result.as_deref(), self.is_draughts);
    }
}

/// Takes the tags that say what every record has.
fn read_tags(raw: &mut Raw, said: Option<&str>, is_draughts: bool) {
    let record = &mut raw.record;
    let take = |record: &Record, name: &str| record.tag(&[name]).map(str::to_owned);
    let has = |name: &str| record.tag(&[name]).is_some();
    let is_awale = record.tag(&["Variant"]).is_some_and(|variant| awale_of(variant).is_some());
    let is_ogn = has("South") || has("North") || is_awale && !has("White") && !has("Black");
    let names = if is_ogn { ["South", "North"] } else { ["White", "Black"] };
    let known = |name: String| Some(name).filter(|name| !name.is_empty() && name != "?");
    record.players = names.map(|name| take(record, name).and_then(known));
    let told = take(record, "Result");
    let variant = take(record, "Variant");
    let board = take(record, "FEN").filter(|board| !matches!(board.trim(), "" | "startpos" | "?"));
    record.format = match () {
        () if is_draughts => Format::Pdn,
        () if is_ogn => Format::Ogn,
        () => Format::Pgn,
    };
    record.start = board;
    if is_draughts && let Some(rest) = record.start.as_deref().and_then(|board| board.trim().strip_prefix('?')) {
        record.start = Some(format!("W{rest}"));
        record.remark(None, "the board does not say who is to move: White");
    }

    let read_one = |word: &str| match is_draughts {
        true => crate::pdn::result_of(word).map(|result| result.map_or(Said::Open, Said::Outcome)),
        false => result_of(word),
    };
    let read = |word: Option<&str>| word.and_then(|word| read_one(word.trim()));
    let (in_tag, in_text) = (read(told.as_deref()), read(said));
    for found in [&in_tag, &in_text].into_iter().flatten() {
        match *found {
            Said::Outcome(outcome) => record.result = Some(outcome),
            Said::Points(points) => raw.points = Some(points),
            Said::Open => {}
        }
    }
    let (Some(tag), Some(text)) = (&in_tag, &in_text) else { return finish_game(raw, variant, is_ogn) };
    if tag != text && *tag != Said::Open && *text != Said::Open {
        let words = (told.unwrap_or_default(), said.unwrap_or_default());
        record.remark(None, format!("the tag says {}, the moves end with {}", words.0, words.1));
    }
    finish_game(raw, variant, is_ogn);
}

/// Says which game it is.
fn finish_game(raw: &mut Raw, variant: Option<String>, is_ogn: bool) {
    let record = &mut raw.record;
    if record.format == Format::Pdn {
        // Players and result are those of White and Black.
        raw.white_first = true;
        match record.tag(&["GameType"]).and_then(crate::pdn::game_of) {
            Some(game) => {
                raw.games = vec![game.map_or_else(|unknown| unknown, str::to_owned)];
                raw.is_certain = true;
            }
            None => {
                let by_moves = crate::pdn::games_of(&record.moves());
                let by_board = record.start.as_deref().map_or(Vec::new(), crate::pdn::games_of_board);
                let is_by_letters = record.moves().first().is_some_and(|mv| mv.starts_with(char::is_alphabetic));
                raw.games = if record.start.is_some() && !is_by_letters { Vec::new() } else { by_moves };
                raw.games.extend(by_board);
            }
        }
        return;
    }
    let variant = variant.unwrap_or_default();
    let plain = variant.trim().to_lowercase();
    if is_ogn {
        let mut notes = record.notes(0).cloned().unwrap_or_default();
        for Tag { value, .. } in record.tags.extract_if(.., |tag| tag.name == BEFORE_ALL) {
            read_comment(&value, &mut notes);
        }
        if !notes.is_empty() {
            *record.notes_mut(0) = notes;
        }
        raw.games = vec![awale_of(&plain).unwrap_or("awale").to_owned()];
        raw.is_certain = true;
        return;
    }
    let is_960 = plain.replace(['-', ' '], "").contains("960") || plain.contains("fischer");
    let is_chess =
        matches!(plain.as_str(), "standard" | "chess" | "classical" | "normal" | "from position" | "orthodox");
    if !is_960 && !is_chess && !plain.is_empty() && plain != "?" {
        // A later reader may know a variant that griot does not: its name stays in the record if it is not that of a game.
        let awale = plain.contains("oware").then(|| awale_of(&plain)).flatten();
        raw.games = vec![awale.map_or(plain, str::to_owned)];
        raw.is_certain = true;
        return;
    }
    let game_type = record.tag(&["GameType", "Game"]).unwrap_or_default().to_lowercase();
    raw.is_certain = is_960 || is_chess;
    raw.white_first = !raw.is_certain;
    raw.games = match () {
        () if is_960 => vec!["chess960".into()],
        () if game_type.contains("reversi") || game_type.contains("othello") => vec!["othello".into()],
        () => crate::guess::games_of_tagged(record),
    };
}

/// The game of awalé that a variant of OGN is.
fn awale_of(variant: &str) -> Option<&'static str> {
    let variant = variant.to_lowercase();
    let word = |name: &str| variant.split(|letter: char| !letter.is_alphanumeric()).any(|word| word == name);
    match () {
        () if word("awari") => Some("awale:awari"),
        () if word("tipe") => Some("awale:tipe"),
        () if word("mini") => Some("awale:mini"),
        () if word("oware") || word("abapa") || word("awale") => Some("awale"),
        () => None,
    }
}

/// What a word says about the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Said {
    Outcome(Outcome),
    Points([u32; 2]),
    Open,
}

/// Reads the word of a result, if it is one.
fn result_of(word: &str) -> Option<Said> {
    if !word.starts_with(['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '½']) {
        return None;
    }
    match word {
        "*" => Some(Said::Open),
        "1-0" | "1:0" => Some(Said::Outcome(Outcome::Win(Side::First))),
        "0-1" | "0:1" => Some(Said::Outcome(Outcome::Win(Side::Second))),
        "1/2-1/2" | "1/2" | "½-½" | "½" | "0.5-0.5" | "1/2:1/2" => Some(Said::Outcome(Outcome::Draw)),
        _ => {
            let (one, two) = word.split_once('-')?;
            let number =
                |text: &str| text.parse::<u32>().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()));
            let points = [number(one)?, number(two)?];
            // `0-0` is a castling move.
            (points != [0, 0]).then_some(Said::Points(points))
        }
    }
}

/// The glyph that these marks are.
fn nag_of(marks: &str) -> Option<u8> {
    match marks {
        "!" => Some(1),
        "?" => Some(2),
        "!!" => Some(3),
        "??" => Some(4),
        "!?" => Some(5),
        "?!" => Some(6),
        _ => None,
    }
}

/// A name and a value, each as a range of the text, and the end of the tag that begins at `at`.
type TagAt = ((usize, usize), (usize, usize), usize);

fn tag(bytes: &[u8], at: usize) -> Option<TagAt> {
    let blank = |mut at: usize| {
        while matches!(bytes.get(at), Some(b' ' | b'\t')) {
            at += 1;
        }
        at
    };
    let name = blank(at + 1);
    let name_end =
        (name..bytes.len()).find(|&at| !(bytes[at].is_ascii_alphanumeric() || matches!(bytes[at], b'_' | b'-')))?;
    let quote = blank(name_end);
    if name == name_end || bytes.get(quote) != Some(&b'"') {
        return None;
    }
    let mut end = quote + 1;
    while let Some(&byte) = bytes.get(end) {
        match byte {
            b'\\' if matches!(bytes.get(end + 1), Some(b'"' | b'\\')) => end += 2,
            b'"' => {
                let close = blank(end + 1);
                if bytes.get(close) == Some(&b']') {
                    return Some(((name, name_end), (quote + 1, end), close + 1));
                }
                // A quote without a backslash.
                end += 1;
            }
            b'\n' => break,
            _ => end += 1,
        }
    }
    // Nothing closes it before the end of the line.
    let line = &bytes[quote + 1..end];
    let kept = line.iter().rposition(|byte| !matches!(byte, b'\r' | b' ' | b'"' | b']')).map_or(0, |last| last + 1);
    Some(((name, name_end), (quote + 1, quote + 1 + kept), end))
}

fn unescaped(value: &str) -> String {
    if !value.contains('\\') {
        return value.to_owned();
    }
    let mut text = String::with_capacity(value.len());
    let mut letters = value.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' if matches!(letters.peek(), Some('"' | '\\')) => text.extend(letters.next()),
            _ => text.push(letter),
        }
    }
    text
}

fn find(bytes: &[u8], from: usize, wanted: u8) -> usize {
    let from = from.min(bytes.len());
    bytes[from..].iter().position(|&byte| byte == wanted).map_or(bytes.len(), |at| from + at)
}

/// Behind the next `wanted`, or at the next `end`, whichever comes first.
fn skip_to(bytes: &[u8], from: usize, wanted: u8, end: u8) -> usize {
    let at = (from + 1..bytes.len()).find(|&at| bytes[at] == wanted || bytes[at] == end).unwrap_or(bytes.len());
    (at + 1).min(bytes.len())
}

fn end_of_digits(bytes: &[u8], from: usize) -> usize {
    (from..bytes.len()).find(|&at| !bytes[at].is_ascii_digit()).unwrap_or(bytes.len())
}

fn end_of_word(bytes: &[u8], from: usize) -> usize {
    let ends = |byte: u8| {
        matches!(
            byte,
            b' ' | b'\n' | b'\r' | b'\t' | b'(' | b')' | b'{' | b'}' | b';' | b'$' | b'[' | b']' | b',' | b'<'
        )
    };
    (from..bytes.len()).find(|&at| ends(bytes[at])).unwrap_or(bytes.len()).max(from + 1)
}

/// A text on one line, with single blanks.
fn joined(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line += word;
    }
    line
}

/// Takes the commands out of a comment: `[%clk 0:05:00]`.
fn read_comment(text: &str, notes: &mut Notes) {
    let mut rest = text;
    let mut said = String::new();
    while let Some(at) = rest.find("[%") {
        let Some(end) = rest[at..].find(']').map(|end| at + end) else { break };
        said += &rest[..at];
        said.push(' ');
        let command = rest[at + 2..end].trim();
        let (name, value) = command.split_once(char::is_whitespace).unwrap_or((command, ""));
        let value = value.trim();
        match name {
            "clk" if seconds(value).is_some() => notes.clock = seconds(value),
            "emt" if seconds(value).is_some() => notes.spent = seconds(value),
            "eval" if !value.is_empty() => notes.eval = Some(joined(value)),
            _ => notes.marks.push(Tag { name: name.to_owned(), value: joined(value) }),
        }
        rest = &rest[end + 1..];
    }
    said += rest;
    let said = joined(&said);
    if !said.is_empty() {
        notes.comments.push(said);
    }
}

/// `1:02:03.4` in seconds, to the thousandth.
fn seconds(text: &str) -> Option<f64> {
    let mut sum = 0.0;
    let mut parts = 0;
    for part in text.split(':') {
        let is_number = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        sum = sum * 60.0 + part.parse::<f64>().ok().filter(|_| is_number)?;
        parts += 1;
    }
    (parts <= 3 && sum < 1e9).then(|| (sum * 1000.0).round() / 1000.0)
}

/// Seconds as `1:02:03.4`.
fn clock(seconds: f64) -> String {
    let thousandths = (seconds * 1000.0).round().max(0.0) as u64;
    let (whole, rest) = (thousandths / 1000, thousandths % 1000);
    let mut text = format!("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
    if rest > 0 {
        let _ = write!(text, ".{rest:03}");
        text.truncate(text.trim_end_matches('0').len());
    }
    text
}

/// Writes a game of chess, or one of the games that Cute Chess has in this format.
///
/// # Errors
/// When a move of the record is not legal.
pub(crate) fn write(record: &Record, rules: &mut dyn Rules) -> Result<String, String> {
    let head = rules.name().split(':').next().unwrap_or_default().to_owned();
    let is_960 = head == "chess960";
    let is_chess = is_960 || head == "chess";
    let result = record.result.map_or("*", outcome_word);
    let mut text = roster(record, Side::First, result);
    if is_960 {
        write_tag(&mut text, "Variant", "Chess960");
    } else if !is_chess {
        write_tag(&mut text, "Variant", if record.game == "connect4" { "cfour" } else { &record.game });
    }
    rules.begin(record.start.as_deref())?;
    let board = if is_chess { rules.board() } else { record.start.clone().unwrap_or_default() };
    if record.start.is_some() || is_960 {
        write_tag(&mut text, "SetUp", "1");
        write_tag(&mut text, "FEN", &board);
    }
    write_other_tags(&mut text, record, &ROSTER);
    write_tag(&mut text, "PlyCount", &record.main_line().count().to_string());
    let mut fields = board.split_whitespace().skip(1);
    let is_black = is_chess && fields.next() == Some("b");
    let number = if is_chess { fields.nth(3).and_then(|text| text.parse().ok()).unwrap_or(1) } else { 1 };
    let numbering = Numbering { number, is_black, name: if is_chess { Names::San } else { Names::Drops } };
    text += &movetext(record, rules, &numbering, result)?;
    Ok(text)
}

/// The seven tags that come first; `white` is the side that plays White.
fn roster(record: &Record, white: Side, result: &str) -> String {
    let player = |side: Side| record.players[side.index()].as_deref().unwrap_or("?");
    let mut text = String::new();
    for name in ROSTER {
        let value = match name {
            "White" => player(white),
            "Black" => player(white.other()),
            "Result" => result,
            "Date" => fact(record, name).unwrap_or("????.??.??"),
            _ => fact(record, name).unwrap_or("?"),
        };
        write_tag(&mut text, name, value);
    }
    text
}

/// Writes a game of draughts as PDN.
///
/// # Errors
/// When a move of the record is not legal.
pub(crate) fn write_pdn(record: &Record, rules: &mut dyn Rules) -> Result<String, String> {
    let game = rules.name().to_owned();
    let black_begins = crate::pdn::black_begins(&game);
    let winner = match record.result {
        Some(Outcome::Win(side)) if black_begins => Some(Outcome::Win(side.other())),
        result => result,
    };
    let result = winner.map_or("*", outcome_word);
    let mut text = roster(record, if black_begins { Side::Second } else { Side::First }, result);
    if let Some(number) = crate::pdn::type_of(&game) {
        write_tag(&mut text, "GameType", &number);
    }
    rules.begin(record.start.as_deref())?;
    if record.start.is_some() {
        write_tag(&mut text, "SetUp", "1");
        write_tag(&mut text, "FEN", &rules.board());
    }
    write_other_tags(&mut text, record, &ROSTER);
    write_tag(&mut text, "PlyCount", &record.main_line().count().to_string());
    let is_black = rules.turn() == Side::Second;
    let numbering = Numbering { number: 1, is_black, name: Names::San };
    text += &movetext(record, rules, &numbering, result)?;
    Ok(text)
}

/// Writes a game of awalé as Auale does.
///
/// # Errors
/// When a move of the record is not legal.
pub(crate) fn write_ogn(record: &Record, rules: &mut dyn Rules) -> Result<String, String> {
    let variant = match record.game.split_once(':') {
        Some((_, "awari")) => "Oware Awari",
        Some((_, "tipe")) => "Oware Tipe",
        Some((_, "mini")) => "Oware Mini",
        _ => "Oware Abapa",
    };
    rules.begin(record.start.as_deref())?;
    for node in record.main_line() {
        play(record.mv(node), rules)?;
    }
    // The result is in seeds. One that the board does not show is written as points.
    let result = match (record.result, rules.end(), rules.counts()) {
        (Some(result), Some(end), Some([south, north])) if end.outcome == result => match (result, south.cmp(&north)) {
            (Outcome::Win(Side::First), std::cmp::Ordering::Greater)
            | (Outcome::Win(Side::Second), std::cmp::Ordering::Less)
            | (Outcome::Draw, std::cmp::Ordering::Equal) => format!("{south}-{north}"),
            _ => outcome_word(result).into(),
        },
        (Some(result), ..) => outcome_word(result).into(),
        _ => "*".into(),
    };
    let mut text = String::new();
    for name in OGN_ROSTER {
        let value = match name {
            "Variant" => variant,
            "South" => record.players[0].as_deref().unwrap_or("?"),
            "North" => record.players[1].as_deref().unwrap_or("?"),
            "Result" => &result,
            _ => fact(record, name).unwrap_or("?"),
        };
        write_tag(&mut text, name, value);
    }
    if let Some(start) = &record.start {
        write_tag(&mut text, "FEN", start);
    }
    write_other_tags(&mut text, record, &OGN_ROSTER);
    if let Some(notes) = record.notes(0) {
        let mut said = String::new();
        write_notes(&mut Lines { text: &mut said, column: 0, glue: true }, notes, false);
        for comment in said.split(['{', '}']).filter(|comment| !comment.trim().is_empty()) {
            write_tag(&mut text, BEFORE_ALL, comment);
        }
    }
    let numbering = Numbering { number: 1, is_black: false, name: Names::Captures };
    text += &movetext(record, rules, &numbering, if result == "*" { "" } else { &result })?;
    Ok(text)
}

const fn outcome_word(result: Outcome) -> &'static str {
    match result {
        Outcome::Win(Side::First) => "1-0",
        Outcome::Win(Side::Second) => "0-1",
        Outcome::Draw => "1/2-1/2",
    }
}

/// A fact of the roster, by the names it has in PGN, SGF and GGF.
pub(crate) fn fact<'r>(record: &'r Record, name: &str) -> Option<&'r str> {
    let names: &[&str] = match name {
        "Event" => &["Event", "EV"],
        "Site" => &["Site", "PC"],
        "Date" => &["Date", "DT"],
        "Round" => &["Round", "RO"],
        _ => return record.tag(&[name]),
    };
    record.tag(names)
}

fn write_other_tags(text: &mut String, record: &Record, written: &[&str]) {
    let is_ogn = written.contains(&"South");
    let is_foreign = !matches!(record.format, Format::Pgn | Format::Ogn | Format::Pdn);
    for Tag { name, value } in &record.tags {
        let is_fact = is_foreign && matches!(name.as_str(), "EV" | "PC" | "DT" | "RO");
        // Auale knows no '-' in a name: it would read the tag, and all that follow, as moves.
        let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-' && !is_ogn;
        let is_name = !name.is_empty() && name.bytes().all(is_letter);
        if is_name
            && !is_fact
            && !WRITTEN.contains(&name.as_str())
            && !written.iter().any(|own| own.eq_ignore_ascii_case(name))
        {
            write_tag(text, name, value);
        }
    }
}

fn write_tag(text: &mut String, name: &str, value: &str) {
    let value = value.replace(char::is_control, " ").replace('\\', "\\\\").replace('"', "\\\"");
    let _ = writeln!(text, "[{name} \"{value}\"]");
}

/// How moves are written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Names {
    San,
    /// `P@d1`, as Cute Chess has it.
    Drops,
    /// `a+2`, as Auale has it.
    Captures,
}

struct Numbering {
    number: usize,
    is_black: bool,
    name: Names,
}

/// The moves with their numbers, variations behind the move that they replace.
fn movetext(record: &Record, rules: &mut dyn Rules, numbering: &Numbering, result: &str) -> Result<String, String> {
    enum Step {
        /// A move after so many plies; whether it needs its number, and whether its siblings are written behind it.
        Move {
            node: usize,
            depth: usize,
            is_main: bool,
        },
        /// Back to a move that was written, behind its variations.
        Again {
            node: usize,
            depth: usize,
        },
        Open,
        Close,
    }
    let mut text = String::from("\n");
    let mut lines = Lines { text: &mut text, column: 0, glue: true };
    if let Some(notes) = record.notes(0).filter(|_| numbering.name != Names::Captures) {
        write_notes(&mut lines, notes, false);
    }
    let mut needs_number = true;
    let mut steps: Vec<Step> = Vec::new();
    if let Some(first) = record.main_line().next() {
        steps.push(Step::Move { node: first, depth: 0, is_main: true });
    }
    while let Some(step) = steps.pop() {
        match step {
            Step::Open => {
                lines.word("(");
                lines.glue = true;
                needs_number = true;
            }
            Step::Close => {
                lines.glue = true;
                lines.word(")");
                needs_number = true;
            }
            Step::Again { node, depth } => {
                rules.back_to(depth);
                play(record.mv(node), rules)?;
            }
            Step::Move { node, depth, is_main } => {
                rules.back_to(depth);
                let name = name_and_play(record.mv(node), rules, numbering.name)?;
                let notes = record.notes(node);
                if let Some(notes) = notes {
                    for before in &notes.before {
                        write_comment(&mut lines, &[], before);
                    }
                }
                let ply = depth + usize::from(numbering.is_black);
                let number = numbering.number + ply / 2;
                if ply % 2 == 0 {
                    lines.word(&format!("{number}."));
                } else if needs_number {
                    lines.word(&format!("{number}..."));
                }
                lines.word(&name);
                needs_number = false;
                if let Some(notes) = notes {
                    let has_comment = write_notes(&mut lines, notes, true);
                    needs_number = has_comment;
                }
                // What follows is pushed in reverse.
                if let Some(next) = record.children(node).next() {
                    steps.push(Step::Move { node: next, depth: depth + 1, is_main: true });
                }
                if is_main {
                    let parent = record.parent(node).unwrap_or(0);
                    let siblings: Vec<usize> = record.children(parent).skip(1).collect();
                    if !siblings.is_empty() {
                        steps.push(Step::Again { node, depth });
                    }
                    for &sibling in siblings.iter().rev() {
                        steps.push(Step::Close);
                        steps.push(Step::Move { node: sibling, depth, is_main: false });
                        steps.push(Step::Open);
                    }
                }
            }
        }
    }
    lines.word(result);
    text.push_str("\n\n");
    Ok(text)
}

/// Plays a move of the record, which may stand after the end of the game.
pub(crate) fn play(mv: &str, rules: &mut dyn Rules) -> Result<(), String> {
    rules.play(mv).or_else(|problem| rules.play_on(mv).ok_or(problem)).map(|_| ())
}

/// Plays a move, and returns how the format writes it.
fn name_and_play(mv: &str, rules: &mut dyn Rules, names: Names) -> Result<String, String> {
    let turn = rules.turn();
    let before = rules.counts();
    let mut name = match names {
        Names::San => rules.name_of(mv),
        Names::Captures => mv.to_owned(),
        Names::Drops => match rules.grid() {
            Some(grid) if grid.falls && !grid.from_top => rules
                .cell(mv)
                .map_or_else(|| mv.to_owned(), |(col, row)| format!("P@{}{}", column(col), grid.rows - row)),
            Some(grid) if !grid.from_top => format!("P@{mv}"),
            _ => mv.to_owned(),
        },
    };
    play(mv, rules)?;
    if names == Names::Captures
        && let (Some(before), Some(after)) = (before, rules.counts())
    {
        let gained = after[turn.index()].saturating_sub(before[turn.index()]);
        if gained > 0 {
            let _ = write!(name, "+{gained}");
        }
    }
    Ok(name)
}

fn column(col: usize) -> char {
    char::from(b'a' + u8::try_from(col).unwrap_or(25).min(25))
}

/// Writes what is said about a move. Answers whether there was a comment.
fn write_notes(lines: &mut Lines<'_>, notes: &Notes, has_move: bool) -> bool {
    if has_move {
        for nag in &notes.nags {
            lines.word(&format!("${nag}"));
        }
    }
    let mut commands: Vec<String> = Vec::new();
    if let Some(eval) = &notes.eval {
        commands.push(command("eval", eval));
    }
    if let Some(seconds) = notes.clock {
        commands.push(format!("[%clk {}]", clock(seconds)));
    }
    if let Some(seconds) = notes.spent {
        commands.push(format!("[%emt {}]", clock(seconds)));
    }
    for Tag { name, value } in &notes.marks {
        commands.push(command(name, value));
    }
    let mut comments = notes.comments.iter();
    let first = comments.next();
    if commands.is_empty() && first.is_none() {
        return false;
    }
    write_comment(lines, &commands, first.map_or("", String::as_str));
    for comment in comments {
        write_comment(lines, &[], comment);
    }
    true
}

/// A command in a comment, without the brackets that would end it or the comment.
fn command(name: &str, value: &str) -> String {
    let plain = |text: &str| text.replace(['{', '}', '[', ']'], "");
    format!("[%{} {}]", plain(name), joined(&plain(value)))
}

fn write_comment(lines: &mut Lines<'_>, commands: &[String], text: &str) {
    let mut words: Vec<String> = commands.to_vec();
    words.extend(text.split_whitespace().map(|word| word.replace(['{', '}'], "")).filter(|word| !word.is_empty()));
    if words.is_empty() {
        return;
    }
    let last = words.len() - 1;
    words[last].push('}');
    words[0].insert(0, '{');
    for word in &words {
        lines.word(word);
    }
}

/// Lines that words are put into.
struct Lines<'t> {
    text: &'t mut String,
    /// How many letters the last line has.
    column: usize,
    /// Whether the next word follows without a blank.
    glue: bool,
}

impl Lines<'_> {
    fn word(&mut self, word: &str) {
        if word.is_empty() {
            return;
        }
        let own = word.chars().count();
        if !self.glue {
            let fits = self.column + 1 + own <= LINE;
            self.text.push(if fits { ' ' } else { '\n' });
            self.column = if fits { self.column + 1 } else { 0 };
        }
        // A comment may begin a line, but a line that begins so is no escape.
        self.text.push_str(word);
        self.column += own;
        self.glue = false;
    }
}
