//! GGF: games of Othello as its servers and programs have them, `(;GM[Othello]…BO[8 … *]B[F5//1.2]W[PA];)`.
//!
//! Values may hold brackets of other kinds; a `]` in them is escaped by `\`. A number before a game says how many games belong
//! together. A move is its cell, the mover's evaluation and its seconds.
//! CITE: M. Buro, I. Durdanovic, "The Generic Game Format", as C. Welty's NBoard reads and writes it.

use std::fmt::Write as _;

use crate::boards::{Cells, letters};
use crate::fault::{Fault, Piece, quoted};
use crate::model::{Format, Outcome, Record, Side, Tag};
use crate::pgn::fact;
use crate::raw::Raw;
use crate::rules::Rules;

/// Whether a text has games of this format.
pub(crate) fn looks_right(text: &str) -> bool {
    // Something of the server may stand before the first game, but no tags and no object.
    let Some(begin) = text.find("(;").filter(|_| !text.starts_with(['[', '{', '<'])) else { return false };
    let Some(at) = text[begin..].find("GM[").map(|at| begin + at + 3) else { return false };
    text[at..].trim_start().get(..7).is_some_and(|game| game.eq_ignore_ascii_case("othello"))
}

/// Reads the game that begins at or behind `at`: where it begins, its end, and the game.
pub(crate) fn next(piece: &Piece<'_>, at: usize) -> Option<(usize, Result<Raw, Fault>)> {
    let text = piece.text;
    let begin = at + text[at..].find("(;")?;
    let mut raw = Raw::new(Record::new("othello", Format::Ggf));
    raw.games = vec!["othello".into()];
    raw.is_certain = true;
    let mut fault = None;
    let mut at = begin + 2;
    let mut current = 0;
    let bytes = text.as_bytes();
    let mut is_closed = false;
    while let Some(&byte) = bytes.get(at) {
        if byte == b')' {
            at += 1;
            is_closed = true;
            break;
        }
        if byte == b'(' && text[at..].starts_with("(;") {
            break;
        }
        if !byte.is_ascii_alphabetic() {
            at += 1;
            continue;
        }
        let name_end = (at..bytes.len()).find(|&at| !bytes[at].is_ascii_alphanumeric()).unwrap_or(bytes.len());
        let name = text[at..name_end].to_ascii_uppercase();
        let Some(open) = (name_end..bytes.len()).find(|&at| !bytes[at].is_ascii_whitespace()) else { break };
        if bytes[open] != b'[' {
            at = name_end;
            continue;
        }
        let (value, end) = value(text, open + 1);
        match name.as_str() {
            "B" | "W" => {
                let mover = if name == "B" { Side::First } else { Side::Second };
                let mut fields = value.split('/').map(str::trim);
                let word = fields.next().unwrap_or_default().to_ascii_lowercase();
                let word = if word.starts_with("pa") { "0000" } else { &word };
                current = raw.add(current, word, open + 1, Some(mover));
                let eval = fields.next().filter(|eval| !eval.is_empty()).map(str::to_owned);
                let spent = fields.next().and_then(|spent| spent.parse::<f64>().ok()).filter(|spent| spent.is_finite());
                if eval.is_some() || spent.is_some() {
                    let notes = raw.record.notes_mut(current);
                    (notes.eval, notes.spent) = (eval, spent);
                }
            }
            "C" if !value.trim().is_empty() => raw.record.notes_mut(current).comments.push(value.trim().to_owned()),
            _ if current > 0 => raw.record.notes_mut(current).marks.push(Tag { name, value: value.trim().to_owned() }),
            "BO" => match board(&value) {
                Ok(board) => raw.record.start = (board != Cells::othello()).then(|| board.text()),
                Err(problem) => {
                    fault.get_or_insert_with(|| piece.fault(open + 1, None, problem));
                }
            },
            _ => property(&mut raw.record, name, value.trim()),
        }
        at = end;
    }
    if !is_closed {
        raw.record.remark(None, "the end ';)' is missing");
    }
    Some((at, fault.map_or(Ok(raw), Err)))
}

/// Takes a property that says something about the whole game.
fn property(record: &mut Record, name: String, value: &str) {
    let player = |value: &str| Some(value.to_owned()).filter(|name| !name.is_empty() && name != "?");
    match name.as_str() {
        "PB" | "PW" => {
            record.players[usize::from(name == "PW")] = player(value);
            record.push_tag(name, value);
        }
        "GM" => {}
        "RE" => {
            let (points, how) = value.split_once(':').unwrap_or((value, ""));
            record.result = points.trim().trim_start_matches('+').parse::<f64>().ok().map(|points| match points {
                0.0 => Outcome::Draw,
                points if points > 0.0 => Outcome::Win(Side::First),
                _ => Outcome::Win(Side::Second),
            });
            record.ending = match how.trim() {
                "r" => Some("resignation".into()),
                "t" => Some("time".into()),
                "l" => Some("left".into()),
                "s" => Some("agreement".into()),
                _ => None,
            };
            record.push_tag(name, value);
        }
        "TY" => {
            if value.contains('a') {
                record.remark(None, format!("TY[{value}] is anti-Othello, in which the fewest discs win"));
            }
            record.push_tag(name, value);
        }
        _ => record.push_tag(name, value),
    }
}

/// A value from `at` on, and where the text goes on behind it.
fn value(text: &str, at: usize) -> (String, usize) {
    let mut value = String::new();
    let mut letters = text[at..].char_indices().peekable();
    while let Some((offset, letter)) = letters.next() {
        match letter {
            ']' => return (value, at + offset + 1),
            '\\' if matches!(letters.peek(), Some((_, ']' | '\\'))) => {
                value.extend(letters.next().map(|(_, letter)| letter))
            }
            _ => value.push(letter),
        }
    }
    (value, text.len())
}

/// Reads a board: its size, its rows, and who is to move.
pub(crate) fn board(text: &str) -> Result<Cells, String> {
    let text = text.trim();
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    if digits > 0 && &text[..digits] != "8" {
        let size = &text[..digits];
        return Err(format!("a board of {size}×{size}: griot plays Othello on 8×8 only"));
    }
    match letters(text[digits..].trim()) {
        Some((board, _)) => Ok(board),
        None => Err(format!("{}: expected 64 cells of '*', 'O' and '-', and who is to move", quoted(text))),
    }
}

/// A board as GGF writes it, without its size.
pub(crate) fn board_text(board: &Cells, rows_apart: bool) -> String {
    let mark = |side: Option<Side>| match side {
        Some(Side::First) => '*',
        Some(Side::Second) => 'O',
        None => '-',
    };
    let rows: Vec<String> =
        board.cells.chunks(board.cols).map(|row| row.iter().map(|&cell| mark(cell)).collect()).collect();
    format!("{} {}", rows.join(if rows_apart { " " } else { "" }), mark(Some(board.turn)))
}

/// Writes the main line of a game of Othello on one line.
///
/// # Errors
/// When a move of the record is not legal.
pub(crate) fn write(record: &Record, rules: &mut dyn Rules) -> Result<String, String> {
    rules.begin(record.start.as_deref())?;
    let board = Cells::read(&rules.board()).ok_or("no board of Othello")?;
    let mut moves = String::new();
    for node in record.main_line() {
        let colour = if rules.turn() == Side::First { 'B' } else { 'W' };
        let mv = rules.play(record.mv(node))?;
        let name = if mv == "0000" { "PA".to_owned() } else { mv.to_ascii_uppercase() };
        let _ = write!(moves, "{colour}[{name}");
        if let Some(notes) = record.notes(node) {
            let eval = notes.eval.as_deref().unwrap_or_default();
            match notes.spent {
                Some(spent) => {
                    let _ = write!(moves, "/{}/{}", escaped(eval), seconds(spent));
                }
                None if !eval.is_empty() => {
                    let _ = write!(moves, "/{}", escaped(eval));
                }
                None => {}
            }
        }
        moves.push(']');
        for Tag { name, value } in record.notes(node).map_or(&[][..], |notes| &notes.marks) {
            if !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_uppercase()) {
                let _ = write!(moves, "{name}[{}]", escaped(value));
            }
        }
        for comment in record.notes(node).map_or(&[][..], |notes| &notes.comments) {
            let _ = write!(moves, "C[{}]", escaped(comment));
        }
    }
    let is_own = record.format == Format::Ggf;
    let mut text = String::from("(;GM[Othello]");
    if !is_own {
        for (property, name) in [("PC", "Site"), ("DT", "Date")] {
            if let Some(value) = fact(record, name).filter(|value| !value.trim_matches(['?', '.']).is_empty()) {
                let _ = write!(text, "{property}[{}]", escaped(value));
            }
        }
    }
    for Tag { name, value } in &record.tags {
        let is_written = matches!(name.as_str(), "RE" | "TY" | "BO" | "GM" | "PB" | "PW");
        if !is_written && is_own && !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_uppercase()) {
            let _ = write!(text, "{name}[{}]", escaped(value));
        }
    }
    for (property, player) in ["PB", "PW"].into_iter().zip(&record.players) {
        let _ = write!(text, "{property}[{}]", escaped(player.as_deref().unwrap_or("?")));
    }
    let kept = |name: &str| record.tags.iter().find(|tag| is_own && tag.name == name).map(|tag| tag.value.as_str());
    let said = kept("RE").filter(|said| {
        let mut probe = Record::new("othello", Format::Ggf);
        property(&mut probe, "RE".into(), said);
        probe.result == record.result
    });
    let result = said.map_or_else(|| result_word(record, rules), str::to_owned);
    let _ = write!(text, "RE[{}]", escaped(&result));
    let _ = write!(text, "TY[{}]BO[8 {}]", escaped(kept("TY").unwrap_or("8")), board_text(&board, true));
    for comment in record.notes(0).map_or(&[][..], |notes| &notes.comments) {
        let _ = write!(text, "C[{}]", escaped(comment));
    }
    let _ = writeln!(text, "{moves};)");
    Ok(text)
}

/// Seconds with the thousandths that clocks have, or with all that there is.
fn seconds(spent: f64) -> String {
    let thousandths = spent * 1000.0;
    if (thousandths - thousandths.round()).abs() < 1e-6 { format!("{spent:.3}") } else { spent.to_string() }
}

/// The result in discs, where the board shows it.
fn result_word(record: &Record, rules: &dyn Rules) -> String {
    let Some(result) = record.result else { return "?".into() };
    let how = match record.ending.as_deref() {
        Some("time") => ":t",
        Some("left") => ":l",
        Some("agreement") => ":s",
        _ => ":r",
    };
    let margin = rules.counts().map_or(0.0, |[black, white]| f64::from(black) - f64::from(white));
    match result {
        Outcome::Draw => "+0.000".into(),
        Outcome::Win(Side::First) if rules.end().is_some() && margin > 0.0 => format!("{margin:+.3}"),
        Outcome::Win(Side::Second) if rules.end().is_some() && margin < 0.0 => format!("{margin:+.3}"),
        Outcome::Win(Side::First) => format!("+64.000{how}"),
        Outcome::Win(Side::Second) => format!("-64.000{how}"),
    }
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace(']', "\\]")
}
