//! Texts of lines: a game, a position or an opening in each, as people paste them and as test sets have them.
//!
//! ```text
//! F5D6C3D3C4                      f5 d6 c3              4567             2252576 -1          moves; a value behind them
//! startpos moves b2 a1            3/1x1/3 o moves a1    awale|startpos|A b                    a board and moves
//! rnbqkbnr/… w KQkq - bm e4;      O--OOOOX… X           [8 -------- … *]  … X; d3:+2; c4:-1;  EPD, FFO, GGF, OBF
//! 8,-3, 6,-4, 5,-4                                                                            Gomocup: from the middle
//! ```
//!
//! `#` and `%` begin a comment. Several lines that only together make a game are one game.
//! CITE: S. J. Edwards, 1994 (EPD); R. Delorme, Edax (OBF); P. Pons, "Solving Connect 4" (test sets `MOVES VALUE`).

use crate::boards::{cell, five, letters};
use crate::fault::{Fault, Piece, quoted};
use crate::guess;
use crate::model::{Format, Record};
use crate::raw::Raw;
use crate::resolve::{Hints, Opened, resolve};

/// The operations that stand behind a position in EPD.
const OPERATIONS: [&str; 14] =
    ["acd", "acn", "acs", "am", "bm", "c0", "c1", "ce", "dm", "fmvn", "hmvc", "id", "pm", "pv"];

/// What is done with each game.
pub(crate) type Each<'e> = dyn FnMut(Result<Record, Fault>) -> bool + 'e;

/// Reads the lines of a text. Answers whether `each` wanted all of them.
pub(crate) fn read(piece: &Piece<'_>, opened: &mut Opened<'_>, hints: &Hints<'_>, each: &mut Each<'_>) -> bool {
    let mut at = 0;
    let mut lines: Vec<(usize, &str)> = Vec::new();
    for line in piece.text.split_inclusive('\n') {
        let text = without_comment(line.trim_end());
        let begin = text.len() - text.trim_start().len();
        if !text.trim().is_empty() {
            lines.push((at + begin, text.trim()));
        }
        at += line.len();
    }
    let is_five = hints.game.or(hints.on_board).and_then(crate::boards::five_of).is_some();
    // Columns of Connect Four are digits from 1.
    let is_offset = |&(x, y): &(i64, i64)| is_five || [x, y].iter().any(|number| !(1..=9).contains(number));
    let is_offsets = lines.iter().any(|(_, text)| offsets(text).is_some_and(|pairs| pairs.iter().any(is_offset)));
    let reach = lines
        .iter()
        .filter_map(|(_, text)| offsets(text))
        .flatten()
        .map(|(x, y)| x.abs().max(y.abs()))
        .max()
        .unwrap_or(0);
    let mut number = 0;
    while let Some(&(at, text)) = lines.get(number) {
        number += 1;
        if let Some((board, end)) = drawn(&lines, number - 1) {
            number = end;
            if !each(resolve(piece, &board, opened, hints)) {
                return false;
            }
            continue;
        }
        let raw = if is_offsets && offsets(text).is_some() {
            opening(text, at, reach, hints)
        } else {
            line(text, at, opened, hints)
        };
        let raw = match raw {
            Ok(raw) => raw,
            Err((at, problem)) => {
                if !each(Err(piece.fault(at, None, problem))) {
                    return false;
                }
                continue;
            }
        };
        let mut found = resolve(piece, &raw, opened, hints);
        if found.is_err() && raw.record.format == Format::Moves && raw.record.start.is_none() {
            // The lines may be one game together.
            let end = (number..lines.len()).find(|&next| !is_moves(lines[next].1)).unwrap_or(lines.len());
            if end > number
                && let Some(record) = together(piece, &lines[number - 1..end], opened, hints)
            {
                number = end;
                found = Ok(record);
            }
        } else if number == 1
            && raw.record.format == Format::Moves
            && lines.len() > 1
            && lines.iter().all(|(_, text)| is_moves(text))
        {
            // The first line is a game; if the next ones are none, it is only the beginning.
            let next = line(lines[1].1, lines[1].0, opened, hints).ok();
            let is_game = next.is_some_and(|next| {
                resolve(piece, &next, opened, hints)
                    .is_ok_and(|next| found.as_ref().is_ok_and(|first| next.game == first.game))
            });
            if !is_game && let Some(record) = together(piece, &lines, opened, hints) {
                number = lines.len();
                found = Ok(record);
            }
        }
        if !each(found) {
            return false;
        }
    }
    true
}

/// A board of Othello in eight lines, and the side to move behind the last or on the next line; and the line behind it.
fn drawn(lines: &[(usize, &str)], from: usize) -> Option<(Raw, usize)> {
    let rows = lines.get(from..from + 8)?;
    let is_row = |text: &str| text.chars().filter(|letter| !letter.is_whitespace()).count() == 8;
    if !rows[..7].iter().all(|(_, text)| is_row(text)) {
        return None;
    }
    let mut text: String = rows.iter().map(|(_, text)| format!("{text} ")).collect();
    let mut end = from + 8;
    if is_row(rows[7].1) {
        let turn = lines.get(end)?.1.split_whitespace().next()?.to_lowercase();
        text.push_str(match turn.as_str() {
            "x" | "black" | "*" | "b" => "X",
            "o" | "white" | "w" => "O",
            _ => return None,
        });
        end += 1;
    }
    othello(&text, rows[0].0).map(|raw| (raw, end))
}

/// Reads lines of moves as one game.
fn together(piece: &Piece<'_>, lines: &[(usize, &str)], opened: &mut Opened<'_>, hints: &Hints<'_>) -> Option<Record> {
    let words: Vec<(usize, &str)> = lines.iter().flat_map(|&(at, text)| words(text, at)).collect();
    let raw = moves(&words, None);
    resolve(piece, &raw, opened, hints).ok()
}

fn is_moves(text: &str) -> bool {
    !text.contains(['|', '/', '[', '{', '"']) && !text.starts_with("startpos") && !text.starts_with("position")
}

/// A line without the comment at its end.
fn without_comment(line: &str) -> &str {
    let text = line.trim_start();
    match text.chars().next() {
        Some('#' | '%') => return "",
        // Within texts of JSON these are letters.
        Some('{') => return line,
        _ => {}
    }
    let mut from = 0;
    while let Some(at) = line[from..].find(['#', '%']).map(|at| from + at) {
        // A mate is no comment, nor is a command within one.
        if line[..at].ends_with([' ', '\t', ';']) {
            return line[..at].trim_end();
        }
        from = at + 1;
    }
    line
}

/// The words of a line, each with its place in the text.
fn words(text: &str, at: usize) -> Vec<(usize, &str)> {
    let begin = text.as_ptr() as usize;
    text.split([' ', '\t', ',', ';', '\u{A0}'])
        .filter(|word| !word.is_empty())
        .map(|word| (at + word.as_ptr() as usize - begin, word))
        .collect()
}

/// A game of these words.
fn moves(words: &[(usize, &str)], start: Option<String>) -> Raw {
    let mut raw = Raw::new(Record::new("", Format::Moves));
    let mut current = 0;
    let mut plain: Vec<&str> = Vec::new();
    for &(at, word) in words {
        // `1.e4`, `1.`, `1)`
        let digits = word.bytes().take_while(u8::is_ascii_digit).count();
        let dots = word[digits..].bytes().take_while(|&byte| matches!(byte, b'.' | b')')).count();
        let (at, word) = if digits > 0 && dots > 0 { (at + digits + dots, &word[digits + dots..]) } else { (at, word) };
        let is_result = matches!(word, "1-0" | "0-1" | "1/2-1/2" | "*");
        if word.is_empty() || is_result || word.bytes().all(|byte| matches!(byte, b'.' | b'-')) && word != "--" {
            if let Some(outcome) = is_result.then(|| result(word)).flatten() {
                raw.record.result = Some(outcome);
            }
            continue;
        }
        plain.push(word);
        current = raw.add(current, word, at, None);
    }
    raw.games = match &start {
        Some(board) => guess::games_of_board(board),
        None => guess::games_of(&plain),
    };
    raw.record.start = start;
    raw
}

fn result(word: &str) -> Option<crate::model::Outcome> {
    use crate::model::{Outcome, Side};
    match word {
        "1-0" => Some(Outcome::Win(Side::First)),
        "0-1" => Some(Outcome::Win(Side::Second)),
        "1/2-1/2" => Some(Outcome::Draw),
        _ => None,
    }
}

/// Reads a line.
fn line(text: &str, at: usize, opened: &mut Opened<'_>, hints: &Hints<'_>) -> Result<Raw, (usize, String)> {
    if text.starts_with('{') {
        return crate::json::read(text).map_err(|(column, problem)| (at + column, problem));
    }
    if let Some(raw) = othello(text, at) {
        return Ok(raw);
    }
    if text.contains('|') {
        return fields(text, at);
    }
    let begin = text.as_ptr() as usize;
    let offset = |part: &str| at + part.as_ptr() as usize - begin;
    let rest = text.strip_prefix("position").map_or(text, str::trim_start);
    let rest = rest.strip_prefix("fen ").map_or(rest, str::trim_start);
    let (board, played) = match rest.split_once("moves") {
        Some((board, played)) => (board.trim(), Some(played)),
        None => (rest, None),
    };
    if board == "startpos" || board.is_empty() && played.is_some() {
        let list = words(played.unwrap_or_default(), played.map_or(at, offset));
        let mut raw = moves(&list, None);
        if list.is_empty() && raw.games.is_empty() {
            raw.games = hints.game.or(hints.on_board).map(str::to_owned).into_iter().collect();
            if raw.games.is_empty() {
                return Err((at, "expected a game for the start position; --game names it".into()));
            }
        }
        return Ok(raw);
    }
    if is_fen(board) {
        return Ok(epd(board, played.map(|played| words(played, offset(played))), offset(board)));
    }
    let first = board.split_whitespace().next().unwrap_or_default();
    let looks_like_board =
        first.contains('/') || first.contains('-') && (board.ends_with("-S") || board.ends_with("-N"));
    let is_heaps = || {
        let mut parts = board.split_whitespace();
        let heaps = parts.next().unwrap_or_default();
        heaps.contains('-')
            && heaps.split('-').all(|heap| !heap.is_empty() && heap.bytes().all(|byte| byte.is_ascii_digit()))
            && matches!(parts.next(), Some("1" | "2"))
            && parts.next().is_none()
    };
    if looks_like_board || is_heaps() || played.is_some() {
        let list = played.map_or(Vec::new(), |played| words(played, offset(played)));
        // Other games than chess have operations behind their boards, too.
        let operations = board
            .split_whitespace()
            .find(|word| OPERATIONS.contains(word))
            .map(|word| word.as_ptr() as usize - board.as_ptr() as usize);
        let (board, operations) = board.split_at(operations.unwrap_or(board.len()));
        let mut raw = moves(&list, Some(board.trim().to_owned()));
        for operation in operations_of(operations) {
            let (name, value) = operation.split_once(char::is_whitespace).unwrap_or((operation, ""));
            raw.record.push_tag(name, value.trim().trim_matches('"'));
        }
        return Ok(raw);
    }
    let mut list = words(text, at);
    // A value behind the moves, as in Pons's test sets; elsewhere it has a sign.
    let mut value = None;
    let is_value = |&&(_, last): &&(usize, &str)| match list[..] {
        [(_, first), _] if first.len() > 1 && first.bytes().all(|byte| byte.is_ascii_digit()) => {
            last.parse::<i32>().is_ok()
        }
        [_, _, ..] => last.starts_with(['+', '-']) && last[1..].parse::<f64>().is_ok(),
        _ => false,
    };
    if let Some(&(_, last)) = list.last().filter(is_value) {
        value = Some(last.to_owned());
        list.pop();
    }
    let mut raw = moves(&list, None);
    if let Some(value) = value {
        raw.record.remark(None, format!("value {value}"));
        raw.record.push_tag("Value", value);
    }
    if raw.games.is_empty() {
        return Err((at, format!("{}: expected moves or a board", quoted(text))));
    }
    // A game by its name alone.
    if let [(_, name)] = list[..]
        && opened.catalogue.open(name).is_ok()
        && name.len() > 2
    {
        let mut raw = Raw::new(Record::new("", Format::Moves));
        raw.games = vec![name.to_owned()];
        raw.is_certain = true;
        return Ok(raw);
    }
    Ok(raw)
}

/// `GAME|BOARD|MOVES`, as `griot analyse` reads it.
fn fields(text: &str, at: usize) -> Result<Raw, (usize, String)> {
    let begin = text.as_ptr() as usize;
    let parts: Vec<&str> = text.split('|').collect();
    if parts.len() > 3 {
        let place = parts[3].as_ptr() as usize - begin;
        return Err((at + place - 1, "expected GAME|BOARD|MOVES; found a third '|'".into()));
    }
    let name = parts[0].trim();
    let board = Some(parts[1].trim()).filter(|board| !board.is_empty() && !board.eq_ignore_ascii_case("startpos"));
    let list = parts.get(2).map_or(Vec::new(), |played| words(played, at + played.as_ptr() as usize - begin));
    let mut raw = moves(&list, board.map(str::to_owned));
    if !name.is_empty() {
        raw.games = vec![name.to_ascii_lowercase()];
        raw.is_certain = true;
    }
    Ok(raw)
}

/// A board of Othello, with values of moves or with moves behind it.
fn othello(text: &str, at: usize) -> Option<Raw> {
    let begin = text.as_ptr() as usize;
    let inner = text.strip_prefix('[').unwrap_or(text).trim_start();
    let inner = inner.strip_prefix("8 ").map_or(inner, str::trim_start);
    let (board, end) = letters(inner)?;
    let rest = inner[end..].trim_start_matches([']', ' ', '\t']);
    let mut raw = Raw::new(Record::new("othello", Format::Obf));
    raw.games = vec!["othello".into()];
    raw.is_certain = true;
    raw.record.start = Some(board.text());
    let mut current = 0;
    for part in rest.split(';').map(str::trim).filter(|part| !part.is_empty()) {
        match part.split_once(':') {
            Some((mv, value)) => {
                let tag = crate::model::Tag { name: mv.trim().to_owned(), value: value.trim().to_owned() };
                raw.record.notes_mut(0).marks.push(tag);
            }
            None => {
                for (place, word) in words(part, at + part.as_ptr() as usize - begin) {
                    current = raw.add(current, word, place, None);
                }
            }
        }
    }
    Some(raw)
}

/// Whether a text begins as a chess position.
fn is_fen(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let Some(ranks) = words.next() else { return false };
    let is_rank = |rank: &str| !rank.is_empty() && rank.chars().all(|letter| "pnbrqkPNBRQK12345678".contains(letter));
    ranks.split('/').count() == 8
        && ranks.split('/').all(is_rank)
        && ranks.contains(['k', 'K'])
        && matches!(words.next(), Some("w" | "b"))
}

/// A chess position, and the operations of EPD behind it.
fn epd(text: &str, played: Option<Vec<(usize, &str)>>, at: usize) -> Raw {
    let words: Vec<&str> = text.split_whitespace().collect();
    let begin = text.as_ptr() as usize;
    let is_counter = |word: &&str| word.bytes().all(|byte| byte.is_ascii_digit());
    let field = |place: usize| words.get(place).copied();
    let is_rights = |word: &&str| *word == "-" || word.chars().all(|letter| "KQkqABCDEFGHabcdefgh".contains(letter));
    let is_square = |word: &&str| *word == "-" || word.len() == 2 && word.as_bytes()[1].is_ascii_digit();
    let mut used = 2;
    let mut take = |fits: bool| {
        used += usize::from(fits);
        fits
    };
    let rights = field(2).filter(is_rights).filter(|_| take(true)).unwrap_or("-");
    let behind = field(used).filter(is_square).unwrap_or("-");
    used += usize::from(field(used).filter(is_square).is_some());
    let counters: Vec<&str> = words[used..].iter().copied().take(2).take_while(is_counter).collect();
    used += counters.len();
    let mut counters =
        [counters.first().copied().unwrap_or("0").to_owned(), counters.get(1).copied().unwrap_or("1").to_owned()];
    let operations = words.get(used).map_or("", |word| &text[word.as_ptr() as usize - begin..]);
    let mut raw = moves(&played.unwrap_or_default(), None);
    raw.at[0] = u32::try_from(at).unwrap_or(u32::MAX);
    raw.record.format = Format::Epd;
    for operation in operations_of(operations) {
        let (name, value) = operation.split_once(char::is_whitespace).unwrap_or((operation, ""));
        let value = value.trim();
        match name {
            "hmvc" if is_counter(&value) => value.clone_into(&mut counters[0]),
            "fmvn" if is_counter(&value) => value.clone_into(&mut counters[1]),
            _ => raw.record.push_tag(name, value.trim_matches('"')),
        }
    }
    raw.record.start = Some(format!("{} {} {rights} {behind} {} {}", words[0], words[1], counters[0], counters[1]));
    raw.games = vec!["chess".into(), "chess960".into()];
    raw
}

/// The operations of a line, which `;` ends, but not within quotes.
fn operations_of(text: &str) -> Vec<&str> {
    let mut operations = Vec::new();
    let mut begin = 0;
    let mut is_quoted = false;
    for (at, letter) in text.char_indices().chain([(text.len(), ';')]) {
        match letter {
            '"' => is_quoted = !is_quoted,
            ';' if !is_quoted || at == text.len() => {
                operations.push(text[begin..at].trim());
                begin = (at + 1).min(text.len());
            }
            _ => {}
        }
    }
    operations.retain(|operation| !operation.is_empty());
    operations
}

/// The pairs of a line of offsets.
fn offsets(text: &str) -> Option<Vec<(i64, i64)>> {
    if !text.contains(',') {
        return None;
    }
    let numbers: Option<Vec<i64>> = text
        .split([',', ' ', '\t', ';'])
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .map(|part| part.parse().ok())
        .collect();
    let numbers = numbers.filter(|numbers| !numbers.is_empty() && numbers.len() % 2 == 0)?;
    Some(numbers.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect())
}

/// An opening of Gomocup. Offsets go right and down from the middle of the board.
fn opening(text: &str, at: usize, reach: i64, hints: &Hints<'_>) -> Result<Raw, (usize, String)> {
    let named = hints.game.or(hints.on_board).and_then(crate::boards::five_of);
    let (cols, rows) = match named {
        Some((cols, rows, _)) => (cols, rows),
        // The usual boards of Gomocup.
        None if reach <= 7 => (15, 15),
        None => (20, 20),
    };
    let mut raw = Raw::new(Record::new("", Format::Offsets));
    let mut current = 0;
    for (x, y) in offsets(text).unwrap_or_default() {
        let on = |offset: i64, size: usize| usize::try_from(offset + (size / 2) as i64).ok().filter(|at| *at < size);
        let word = on(x, cols).zip(on(y, rows)).and_then(|(col, row)| cell(col, row, rows, false));
        let word = word.ok_or_else(|| (at, format!("{x},{y}: expected offsets on a board of {cols}×{rows}")))?;
        current = raw.add(current, &word, at, None);
    }
    // The first rule is that of most of its tournaments.
    raw.games = [0, 1, 4].map(|rule| five(cols, rows, rule)).to_vec();
    Ok(raw)
}

/// Writes a game as one line: `startpos moves …`, or the board and the moves.
pub(crate) fn write(record: &Record) -> String {
    let moves = record.moves();
    let board = record.start.as_deref().unwrap_or("startpos");
    if moves.is_empty() {
        format!("{}|{board}\n", record.game)
    } else {
        format!("{}|{board}|{}\n", record.game, moves.join(" "))
    }
}
