//! PSQ: games of gomoku as Piskvork saves them, and the archives of the Gomocup tournaments.
//!
//! ```text
//! Piskvorky 15x15, 11:11, 0     size, levels, and which of the two programs begins: 0 the first, 1 the second
//! 8,8,0                         column and row from 1 at the top left corner, milliseconds
//! …
//! one                           the two programs
//! two
//! 0                             how the game ended
//! 0,Renju                       Gomocup: the rule
//! ```
//!
//! CITE: P. Lastovicka, Piskvork, `savePsq` and `openPsq`.

use std::fmt::Write as _;

use crate::boards::{cell, five, five_of, five_rule};
use crate::fault::{Fault, Piece};
use crate::model::{Format, Outcome, Record, Side};
use crate::raw::Raw;
use crate::rules::Rules;

const HEAD: &str = "Piskvorky";

/// Whether a text begins as such a game.
pub(crate) fn looks_right(text: &str) -> bool {
    text.get(..HEAD.len()).is_some_and(|head| head.eq_ignore_ascii_case(HEAD))
}

/// Reads the game that begins at line `at` of the lines. Returns it, and the line behind it.
pub(crate) fn next(piece: &Piece<'_>, lines: &[(usize, &str)], at: usize) -> (usize, Result<Raw, Fault>) {
    let (offset, head) = lines[at];
    let end = (at + 1..lines.len()).find(|&line| looks_right(lines[line].1.trim_start())).unwrap_or(lines.len());
    let Some((cols, rows, second_begins)) = read_head(head.trim()) else {
        let problem = "expected a first line like 'Piskvorky 15x15, 11:11, 0'";
        return (end, Err(piece.fault(offset, None, problem)));
    };
    let mut raw = Raw::new(Record::new("", Format::Psq));
    let mut current = 0;
    let mut line = at + 1;
    while line < end {
        let (offset, text) = lines[line];
        let numbers: Option<Vec<i64>> = text.trim().split(',').map(|part| part.trim().parse().ok()).collect();
        let Some(numbers) = numbers.filter(|numbers| matches!(numbers.len(), 2 | 3)) else { break };
        let on = |number: i64, size: usize| usize::try_from(number).ok()?.checked_sub(1).filter(|at| *at < size);
        let word = on(numbers[0], cols).zip(on(numbers[1], rows)).and_then(|(col, row)| cell(col, row, rows, false));
        let Some(word) = word else {
            let problem = format!("expected a column from 1 to {cols} and a row from 1 to {rows}");
            return (end, Err(piece.fault(offset, Some(raw.record.len()), problem)));
        };
        current = raw.add(current, &word, offset, None);
        if let Some(&ms) = numbers.get(2).filter(|ms| **ms > 0) {
            raw.record.notes_mut(current).spent = Some(ms as f64 / 1000.0);
        }
        line += 1;
    }
    let rest: Vec<&str> =
        lines[line..end].iter().map(|(_, text)| text.trim()).filter(|text| !text.is_empty()).collect();
    let is_number = |text: &&str| text.parse::<i64>().is_ok();
    let is_last = |text: &&str| text.split_once(',').is_some_and(|(number, _)| number.trim().parse::<i64>().is_ok());
    let mut names: Vec<Option<String>> = rest
        .iter()
        .take(2)
        .filter(|text| !is_number(text) && !is_last(text))
        .map(|text| Some((*text).to_owned()).filter(|name| name != "?"))
        .collect();
    names.resize(2, None);
    let mut winner = None;
    let mut rule = None;
    if let Some((number, words)) = rest.iter().find(|text| is_last(text)).and_then(|text| text.split_once(',')) {
        rule = five_rule(words);
        winner = match number.trim() {
            "1" => Some(0),
            "2" => Some(1),
            _ => None,
        };
        if rule.is_none() {
            raw.record.remark(None, format!("the rule '{}' is not known", words.trim()));
        }
    }
    if second_begins {
        names.reverse();
        winner = winner.map(|winner| 1 - winner);
    }
    let record = &mut raw.record;
    record.players = [names[0].take(), names[1].take()];
    record.result = winner.map(|winner| Outcome::Win(if winner == 0 { Side::First } else { Side::Second }));
    if let Some(code) = rest.iter().find(|text| is_number(text)) {
        record.push_tag("Ending", *code);
    }
    let of = |rule| five(cols, rows, rule);
    // Piskvork's own rule is five or more.
    raw.games = rule.map_or_else(|| vec![of(0), of(1), of(4)], |rule| vec![of(rule)]);
    raw.is_certain = rule.is_some();
    (end, Ok(raw))
}

fn read_head(line: &str) -> Option<(usize, usize, bool)> {
    let mut fields = line.get(HEAD.len()..)?.split(',').map(str::trim);
    let (cols, rows) = fields.next()?.split_once(['x', 'X'])?;
    let size = |text: &str| text.trim().parse::<usize>().ok().filter(|size| (1..=52).contains(size));
    let second = fields.nth(1).is_some_and(|who| who == "1");
    Some((size(cols)?, size(rows)?, second))
}

/// Writes the main line of a game of five in a row. The format has no start position but the empty board.
///
/// # Errors
/// When the game or its start does not fit, or a move of the record is not legal.
pub(crate) fn write(record: &Record, rules: &mut dyn Rules) -> Result<String, String> {
    let name = rules.name().to_owned();
    let (cols, rows, rule) = five_of(&name).ok_or_else(|| format!("PSQ is for five in a row, not for {name}"))?;
    if record.start.is_some() {
        return Err("PSQ has no start position but the empty board".into());
    }
    rules.begin(None)?;
    let mut text = format!("Piskvorky {cols}x{rows}, 11:11, 0\n");
    for node in record.main_line() {
        let mv = rules.play(record.mv(node)).or_else(|problem| rules.play_on(record.mv(node)).ok_or(problem))?;
        let col = mv.bytes().next().map_or(0, |letter| usize::from(letter.saturating_sub(b'a')));
        let row = mv.get(1..).and_then(|number| number.parse::<usize>().ok()).ok_or("a move without a row")?;
        let spent = record.notes(node).and_then(|notes| notes.spent).unwrap_or_default();
        let _ = writeln!(text, "{},{},{}", col + 1, rows + 1 - row, (spent * 1000.0).round());
    }
    for player in &record.players {
        let _ =
            writeln!(text, "{}", player.as_deref().map_or_else(|| "?".into(), |name| name.replace(['\n', '\r'], " ")));
    }
    let winner = match record.result {
        Some(Outcome::Win(side)) => side.index() + 1,
        _ => 0,
    };
    let rule = ["Freestyle", "Standard", "", "", "Renju"][usize::from(rule)];
    let _ = writeln!(text, "{}\n{winner},{rule}", record.tag(&["Ending"]).unwrap_or("-1"));
    Ok(text)
}
