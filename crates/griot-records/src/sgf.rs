//! SGF: trees of nodes, for games of stones and for Othello. Points are two letters, column and row from the top left corner.
//!
//! Lenient: brackets may be missing, properties may have small letters in their names, moves may be written as coordinates
//! (`B[f5]`). Which game it is: a name of a game in `GN` or `RU`; else `GM`, `SZ` and the rule in `RU`, as c-gomoku-cli
//! (0, 1, 4) or in words. Without them it is a guess. Properties of nodes that mean nothing here stay with their move.
//! CITE: A. Hollosi, "SGF File Format FF[4]", 1999.

use std::fmt::Write as _;

use crate::boards::{Cells, cell, five, five_of, five_rule};
use crate::fault::{Fault, Piece, quoted};
use crate::model::{Format, Outcome, Record, Side, Tag};
use crate::pgn::fact;
use crate::raw::Raw;
use crate::rules::{Catalogue, Rules};

/// What a file has after another: the properties of a node, or the beginning or end of a variation.
#[derive(Debug)]
enum Token {
    Open,
    Close,
    Node,
    /// A property, and where its first value begins.
    Property {
        name: String,
        values: Vec<String>,
        at: usize,
    },
}

/// Reads the games of a text.
#[derive(Debug)]
pub(crate) struct Games<'t> {
    piece: Piece<'t>,
    at: usize,
}

impl<'t> Games<'t> {
    pub(crate) fn new(piece: Piece<'t>) -> Games<'t> {
        Games { piece, at: 0 }
    }

    fn token(&mut self) -> Option<Token> {
        let bytes = self.piece.text.as_bytes();
        loop {
            let byte = *bytes.get(self.at)?;
            match byte {
                b'(' | b')' | b';' => {
                    self.at += 1;
                    return Some(match byte {
                        b'(' => Token::Open,
                        b')' => Token::Close,
                        _ => Token::Node,
                    });
                }
                b'A'..=b'Z' | b'a'..=b'z' => {
                    let begin = self.at;
                    while bytes.get(self.at).is_some_and(|byte| byte.is_ascii_alphanumeric()) {
                        self.at += 1;
                    }
                    let word = &self.piece.text[begin..self.at];
                    let capitals: String = word.chars().filter(|letter| !letter.is_ascii_lowercase()).collect();
                    let name = if capitals.is_empty() { word.to_uppercase() } else { capitals };
                    let mut values = Vec::new();
                    let mut first = None;
                    loop {
                        while bytes.get(self.at).is_some_and(u8::is_ascii_whitespace) {
                            self.at += 1;
                        }
                        if bytes.get(self.at) != Some(&b'[') {
                            break;
                        }
                        self.at += 1;
                        first.get_or_insert(self.at);
                        values.push(self.value());
                    }
                    if let Some(at) = first {
                        return Some(Token::Property { name, values, at });
                    }
                }
                _ => self.at += 1,
            }
        }
    }

    /// The value that begins here, up to its `]`.
    fn value(&mut self) -> String {
        let rest = &self.piece.text[self.at..];
        let mut value = String::new();
        let mut letters = rest.char_indices();
        while let Some((at, letter)) = letters.next() {
            match letter {
                ']' => {
                    self.at += at + 1;
                    return value;
                }
                '\\' => match letters.next() {
                    // An escaped end of a line joins the lines.
                    Some((_, '\n')) => {}
                    Some((_, '\r')) => {
                        let mut ahead = letters.clone();
                        if let Some((_, '\n')) = ahead.next() {
                            letters = ahead;
                        }
                    }
                    Some((_, letter)) => value.push(letter),
                    None => {}
                },
                '\r' => {}
                _ => value.push(letter),
            }
        }
        self.at = self.piece.text.len();
        value
    }

    /// The next game, if there is one, or what is wrong with it; the reader stands behind it.
    pub(crate) fn next(&mut self, catalogue: &dyn Catalogue) -> Option<Result<Raw, Fault>> {
        let begin = loop {
            let at = self.at;
            if let Token::Open = self.token()? {
                break at;
            }
        };
        let mut raw = Raw::new(Record::new("", Format::Sgf));
        let mut root: Vec<Property> = Vec::new();
        let mut reading = Reading::default();
        let mut open = vec![0];
        let mut current = 0;
        let mut nodes = 0;
        while let Some(token) = self.token() {
            match token {
                Token::Open => open.push(current),
                Token::Close => {
                    current = open.pop().unwrap_or(0);
                    if open.is_empty() {
                        break;
                    }
                }
                Token::Node => {
                    nodes += 1;
                    reading.own = None;
                }
                Token::Property { name, values, at } => {
                    let property = Property { name, values, at };
                    let is_root = nodes <= 1;
                    current = reading.take(&mut raw, &mut root, property, current, is_root);
                }
            }
        }
        if !open.is_empty() {
            raw.record.remark(None, "the last ')' is missing");
        }
        let piece = self.piece;
        let finished = finish(&piece, &mut raw, root, reading, begin, catalogue);
        Some(finished.map(|()| raw))
    }
}

#[derive(Debug)]
struct Property {
    name: String,
    values: Vec<String>,
    at: usize,
}

/// What is known while the nodes of a game are read.
#[derive(Debug, Default)]
struct Reading {
    /// The move of the node that is being read.
    own: Option<usize>,
    /// Stones set up before the first move, with their places.
    setup: Vec<(Option<Side>, String, usize)>,
    turn: Option<Side>,
}

impl Reading {
    /// Takes a property of a node. Returns the node of the tree that the next ones belong to.
    fn take(
        &mut self,
        raw: &mut Raw,
        root: &mut Vec<Property>,
        property: Property,
        current: usize,
        is_root: bool,
    ) -> usize {
        let Property { name, values, at } = property;
        let value = values.first().map_or("", String::as_str);
        match name.as_str() {
            "B" | "W" => {
                let mover = if name == "B" { Side::First } else { Side::Second };
                let node = raw.add(current, value.trim(), at, Some(mover));
                self.own = Some(node);
                return node;
            }
            "AB" | "AW" | "AE" if current == 0 => {
                let side = match name.as_str() {
                    "AB" => Some(Side::First),
                    "AW" => Some(Side::Second),
                    _ => None,
                };
                self.setup.extend(values.into_iter().map(|value| (side, value, at)));
            }
            "AB" | "AW" | "AE" => raw.record.remark(None, format!("{name} after the first move is left out")),
            "PL" if current == 0 => {
                let is_white = value.trim().to_ascii_lowercase().starts_with(['w', '2']);
                self.turn = Some(if is_white { Side::Second } else { Side::First });
            }
            "C" => raw
                .record
                .notes_mut(current)
                .comments
                .extend(Some(value.trim().to_owned()).filter(|text| !text.is_empty())),
            "BL" | "WL" if current != 0 && value.trim().parse::<f64>().is_ok() => {
                raw.record.notes_mut(current).clock = value.trim().parse().ok();
            }
            _ if is_root && self.own.is_none() => root.push(Property { name, values, at }),
            _ => {
                let marks = &mut raw.record.notes_mut(current).marks;
                marks.extend(values.into_iter().map(|value| Tag { name: name.clone(), value }));
            }
        }
        current
    }
}

/// Finds out which game it is, and turns points into words.
fn finish(
    piece: &Piece<'_>,
    raw: &mut Raw,
    root: Vec<Property>,
    reading: Reading,
    begin: usize,
    catalogue: &dyn Catalogue,
) -> Result<(), Fault> {
    let get = |name: &str| {
        let property = root.iter().find(|property| property.name == name);
        property.and_then(|property| property.values.first()).map(|value| value.trim())
    };
    // A number, as c-gomoku-cli has it, is not the name of a game.
    let is_name =
        |text: &&str| text.starts_with(|letter: char| letter.is_ascii_lowercase()) && catalogue.open(text).is_ok();
    // A rule of five in a row is the name of another game, too: Cute Chess calls chess "standard", and renju has boards of all sizes.
    let is_rule = matches!(get("RU"), Some("standard" | "renju"));
    let names = if is_rule { &["GN"][..] } else { &["GN", "RU"][..] };
    let named = names.iter().find_map(|&name| get(name).filter(is_name).map(|text| (name, text.to_owned())));
    let kind = get("GM").unwrap_or_default().to_owned();
    let is_othello = kind == "2" || kind.eq_ignore_ascii_case("othello");
    let size = get("SZ").unwrap_or_default();
    let number = |text: &str| text.trim().parse::<usize>().ok().filter(|size| (1..=52).contains(size));
    let (cols, rows) = match size.split_once(':') {
        Some((cols, rows)) => (number(cols), number(rows)),
        None => (number(size), number(size)),
    };
    let usual = match () {
        () if is_othello => 8,
        () if kind == "1" => 19,
        () => 15,
    };
    let (mut cols, mut rows) = (cols.unwrap_or(usual), rows.unwrap_or(usual));
    let rule = get("RU").and_then(five_rule);
    match (&named, kind.as_str()) {
        (Some((_, name)), _) => {
            raw.games = vec![name.clone()];
            raw.is_certain = true;
            if let Ok(rules) = catalogue.open(name)
                && let Some(grid) = rules.grid()
            {
                (cols, rows) = (grid.cols, grid.rows);
            }
        }
        (None, _) if is_othello => {
            if (cols, rows) != (8, 8) {
                let problem = format!("Othello on {cols}×{rows} is not played; expected SZ[8]");
                return Err(piece.fault(begin, None, problem));
            }
            raw.games = vec!["othello".into()];
            raw.is_certain = true;
        }
        (None, "4" | "11" | "1" | "") => {
            let of = |rule| five(cols, rows, rule);
            let small = cols.max(rows) < 5;
            raw.games = match rule {
                _ if small && (cols, rows) == (3, 3) => vec!["tictactoe".into()],
                _ if small => vec![format!("mnk:{cols},{rows},{}", cols.max(rows))],
                Some(rule) => vec![of(rule)],
                None => vec![of(1), of(0), of(4)],
            };
            raw.is_certain = rule.is_some() && (kind == "4" || get("RU") == Some("renju"));
        }
        (None, other) => {
            let problem = format!(
                "GM[{}] is not a game of griot; expected GM[2], Othello, or GM[4], gomoku",
                quoted(other).trim_matches('\'')
            );
            return Err(piece.fault(begin, None, problem));
        }
    }
    let from_top = raw.games.first().is_some_and(|game| game == "othello");
    let record = &mut raw.record;
    // Points to words.
    for node in 1..record.len() {
        let sign = record.mv(node).to_owned();
        let word = match point(&sign) {
            Some((col, row)) if col < cols && row < rows => cell(col, row, rows, from_top),
            _ if is_pass(&sign, cols) => Some("0000".into()),
            _ if is_cell(&sign) => Some(sign.to_ascii_lowercase()),
            _ => None,
        };
        match word {
            Some(word) => record.nodes[node].mv = word.into(),
            None => record.nodes[node].mv = format!("[{sign}]").into(),
        }
    }
    // Stones on the board.
    if !reading.setup.is_empty() || reading.turn == Some(Side::Second) {
        let mut board = Cells::empty(cols, rows);
        for (side, value, at) in &reading.setup {
            for (col, row) in rectangle(value) {
                if !board.put(col, row, *side) {
                    let problem = format!("{}: expected a point on the board of {cols}×{rows}", quoted(value));
                    return Err(piece.fault(*at, None, problem));
                }
            }
        }
        if is_othello && reading.setup.is_empty() {
            board = Cells::othello();
        }
        let more = board.count(Side::First) > board.count(Side::Second) && !is_othello;
        board.turn = reading.turn.unwrap_or(if more { Side::Second } else { Side::First });
        let is_usual = is_othello && board == Cells::othello();
        let is_start = !is_othello && board.cells.iter().all(Option::is_none) && board.turn == Side::First;
        record.start = (!is_usual && !is_start).then(|| board.text());
    }
    // What else is said.
    for property in &root {
        let value = property.values.first().map_or("", |value| value.trim());
        match property.name.as_str() {
            "PB" | "PW" => {
                let player = usize::from(property.name == "PW");
                record.players[player] = Some(value.to_owned()).filter(|name| !name.is_empty() && name != "?");
            }
            "RE" => {
                let (result, ending) = read_result(value);
                record.result = result;
                record.ending = ending;
            }
            _ => {}
        }
        for value in &property.values {
            record.push_tag(property.name.as_str(), value.trim());
        }
    }
    Ok(())
}

/// `B+R`: who won, and how.
fn read_result(text: &str) -> (Option<Outcome>, Option<String>) {
    let lower = text.to_ascii_lowercase();
    let winner = match lower.split_once('+') {
        Some(("b" | "black", _)) => Some(Side::First),
        Some(("w" | "white", _)) => Some(Side::Second),
        _ => None,
    };
    let Some(winner) = winner else {
        return (matches!(lower.as_str(), "0" | "draw" | "jigo").then_some(Outcome::Draw), None);
    };
    let ending = match lower.split_once('+').map_or("", |(_, how)| how) {
        "r" | "resign" => Some("resignation"),
        "t" | "time" => Some("time"),
        "f" | "forfeit" => Some("forfeit"),
        _ => None,
    };
    (Some(Outcome::Win(winner)), ending.map(str::to_owned))
}

/// Column and row of two letters.
fn point(text: &str) -> Option<(usize, usize)> {
    let number = |letter: u8| match letter {
        b'a'..=b'z' => Some(usize::from(letter - b'a')),
        b'A'..=b'Z' => Some(usize::from(letter - b'A') + 26),
        _ => None,
    };
    match text.as_bytes() {
        [col, row] => Some((number(*col)?, number(*row)?)),
        _ => None,
    }
}

/// The points of a value: one, or a rectangle `aa:cc`.
fn rectangle(text: &str) -> Vec<(usize, usize)> {
    let outside = vec![(usize::MAX, usize::MAX)];
    let Some((one, two)) = text.trim().split_once(':') else {
        return point(text.trim()).map_or(outside, |point| vec![point]);
    };
    match (point(one), point(two)) {
        (Some((left, top)), Some((right, bottom))) => {
            (top..=bottom).flat_map(|row| (left..=right).map(move |col| (col, row))).collect()
        }
        _ => outside,
    }
}

fn is_pass(sign: &str, cols: usize) -> bool {
    sign.is_empty()
        || sign == "tt" && cols <= 19
        || matches!(sign.to_ascii_lowercase().as_str(), "pa" | "pass" | "ps" | "--")
}

/// A cell as people write it: `f5`.
fn is_cell(sign: &str) -> bool {
    let mut letters = sign.bytes();
    letters.next().is_some_and(|letter| letter.is_ascii_alphabetic())
        && sign.len() > 1
        && letters.all(|letter| letter.is_ascii_digit())
}

/// Whether a game can be written.
pub(crate) fn suits(rules: &dyn Rules) -> bool {
    rules.grid().is_some_and(|grid| grid.cols <= 52 && grid.rows <= 52 && grid.has_stones)
}

/// Writes a game of stones, with its variations.
///
/// # Errors
/// When a move of the record is not legal.
pub(crate) fn write(record: &Record, rules: &mut dyn Rules) -> Result<String, String> {
    enum Step {
        Move { node: usize, depth: usize },
        Open,
        Close,
    }
    let Some(grid) = rules.grid() else { return Err(format!("SGF has no game {}", rules.name())) };
    let name = rules.name().to_owned();
    rules.begin(record.start.as_deref())?;
    let mut text = String::from("(;FF[4]CA[UTF-8]");
    if let Some(program) = record.tag(&["AP"]) {
        let _ = write!(text, "AP[{}]", escaped(program));
    }
    let size = if grid.cols == grid.rows { grid.cols.to_string() } else { format!("{}:{}", grid.cols, grid.rows) };
    let rule = match five_of(&name) {
        Some((_, _, 0)) => Some("freestyle"),
        Some((_, _, 1)) => Some("standard"),
        Some(_) => Some("renju"),
        None => None,
    };
    match (rule, name.as_str()) {
        (Some(rule), _) => {
            let _ = write!(text, "GM[4]SZ[{size}]RU[{rule}]");
        }
        (None, "othello") => {
            let _ = write!(text, "GM[2]SZ[{size}]");
        }
        _ => {
            let _ = write!(text, "SZ[{size}]RU[{name}]");
        }
    }
    for (property, player) in ["PB", "PW"].into_iter().zip(&record.players) {
        if let Some(player) = player {
            let _ = write!(text, "{property}[{}]", escaped(player));
        }
    }
    let is_foreign = record.format != Format::Sgf;
    if is_foreign {
        for (property, name) in [("EV", "Event"), ("PC", "Site"), ("DT", "Date"), ("RO", "Round")] {
            if let Some(value) = fact(record, name).filter(|value| !value.trim_matches(['?', '.']).is_empty()) {
                let value = if property == "DT" { value.replace('.', "-") } else { value.to_owned() };
                let _ = write!(text, "{property}[{}]", escaped(&value));
            }
        }
    }
    if let Some(result) = result_word(record) {
        let _ = write!(text, "RE[{}]", escaped(&result));
    }
    let is_property =
        |name: &str| !name.is_empty() && name.len() <= 8 && name.bytes().all(|byte| byte.is_ascii_uppercase());
    let mut last = None;
    for Tag { name, value } in &record.tags {
        // The rule is written above, and the name of a game is one.
        let is_own =
            matches!(name.as_str(), "RE" | "FF" | "CA" | "SZ" | "GM" | "RU" | "AP" | "B" | "W" | "C" | "PB" | "PW")
                || name == "GN" && *value == record.game;
        let is_known = is_foreign && matches!(name.as_str(), "EV" | "PC" | "DT" | "RO" | "BO" | "TY" | "ECO");
        if is_property(name) && !is_own && !is_known {
            if last != Some(name) {
                text += name;
            }
            let _ = write!(text, "[{}]", escaped(value));
            last = Some(name);
        }
    }
    if let Some(board) = record.start.as_deref().map(|_| rules.board()).as_deref().and_then(Cells::read) {
        for (property, side) in [("AB", Side::First), ("AW", Side::Second)] {
            let stones = board.cells.iter().enumerate().filter(|(_, cell)| **cell == Some(side));
            let stones: String =
                stones.map(|(at, _)| format!("[{}]", sign(at % board.cols, at / board.cols))).collect();
            if !stones.is_empty() {
                text += property;
                text += &stones;
            }
        }
        text += if board.turn == Side::First { "PL[B]" } else { "PL[W]" };
    }
    if let Some(notes) = record.notes(0) {
        write_notes(&mut text, notes, None);
    }
    let mut steps = Vec::new();
    let push = |steps: &mut Vec<Step>, record: &Record, node: usize, depth: usize| {
        let children: Vec<usize> = record.children(node).collect();
        for &child in children.iter().rev() {
            if children.len() > 1 {
                steps.push(Step::Close);
            }
            steps.push(Step::Move { node: child, depth });
            if children.len() > 1 {
                steps.push(Step::Open);
            }
        }
    };
    push(&mut steps, record, 0, 0);
    let mut on_line = 0;
    while let Some(step) = steps.pop() {
        match step {
            Step::Open => text.push_str("\n("),
            Step::Close => text.push(')'),
            Step::Move { node, depth } => {
                rules.back_to(depth);
                let mv = record.mv(node);
                let turn = rules.turn();
                let colour = if turn == Side::First { 'B' } else { 'W' };
                let at = rules.cell(mv);
                rules.play(mv).or_else(|problem| rules.play_on(mv).ok_or(problem))?;
                let at = at.or_else(|| own_cell(mv, &grid));
                let _ = write!(
                    text,
                    "{};{colour}[{}]",
                    if on_line == 10 { "\n" } else { "" },
                    at.map_or(String::new(), |(col, row)| sign(col, row))
                );
                on_line = if on_line == 10 { 1 } else { on_line + 1 };
                if let Some(notes) = record.notes(node) {
                    write_notes(&mut text, notes, Some(turn));
                }
                push(&mut steps, record, node, depth + 1);
            }
        }
    }
    text += ")\n";
    Ok(text)
}

/// The cell that a move names, where the rules do not say: after the end of the game.
fn own_cell(mv: &str, grid: &crate::rules::Grid) -> Option<(usize, usize)> {
    let col = mv.bytes().next().filter(u8::is_ascii_lowercase).map(|letter| usize::from(letter - b'a'))?;
    let row = mv[1..].parse::<usize>().ok()?.checked_sub(1)?;
    Some((col, if grid.from_top { row } else { grid.rows.checked_sub(row + 1)? }))
}

fn write_notes(text: &mut String, notes: &crate::model::Notes, mover: Option<Side>) {
    let mut last = None;
    for Tag { name, value } in &notes.marks {
        if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_uppercase()) || matches!(name.as_str(), "B" | "W")
        {
            continue;
        }
        if last != Some(name) {
            *text += name;
        }
        let _ = write!(text, "[{}]", escaped(value));
        last = Some(name);
    }
    if let (Some(clock), Some(mover)) = (notes.clock, mover) {
        let _ = write!(text, "{}[{clock}]", if mover == Side::First { "BL" } else { "WL" });
    }
    let comments: Vec<&str> = notes.before.iter().chain(&notes.comments).map(String::as_str).collect();
    if !comments.is_empty() {
        let _ = write!(text, "C[{}]", escaped(&comments.join("\n")));
    }
}

/// The result: the words of the file where they agree with it.
fn result_word(record: &Record) -> Option<String> {
    if let Some(word) = record.tag(&["RE"])
        && record.format == Format::Sgf
        && read_result(word).0 == record.result
    {
        return Some(word.to_owned());
    }
    let how = match record.ending.as_deref() {
        Some("resignation") => "R",
        Some("time") => "T",
        Some("forfeit") => "F",
        _ => "",
    };
    match record.result? {
        Outcome::Win(Side::First) => Some(format!("B+{how}")),
        Outcome::Win(Side::Second) => Some(format!("W+{how}")),
        Outcome::Draw => Some("0".into()),
    }
}

fn sign(col: usize, row: usize) -> String {
    let letter = |at: usize| match u8::try_from(at).unwrap_or(51).min(51) {
        low @ 0..26 => char::from(b'a' + low),
        high => char::from(b'A' + high - 26),
    };
    [letter(col), letter(row)].iter().collect()
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace(']', "\\]")
}
