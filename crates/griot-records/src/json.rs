//! A game as an object of JSON, on one line: what `griot convert --to json` prints.
//!
//! ```text
//! {"game":"chess","start":"startpos","moves":["e2e4",…],"result":"p1win","ending":null,"players":["a",null],
//!  "tags":{"Event":"x",…},"notes":{"1":{"comments":["good"],"nags":[1]}},"remarks":[…],"guessed":null,"format":"pgn",
//!  "variations":[{"of":0,"ply":1,"moves":["c7c5"],"notes":{}}]}
//! ```
//!
//! `variations` is flat: each departs from line `of` (0 is the main line, 1 the first variation) after `ply` moves. `notes` go by
//! the number of the move in the whole line, 0 is before the first. A tag that stands there several times has a list of values.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::{Map, Value, json};

use crate::model::{Format, Notes, Outcome, Record, Side, Tag};
use crate::raw::Raw;

/// Writes a game.
#[must_use]
pub fn write(record: &Record) -> String {
    let lines = record.lines();
    let moves = |nodes: &[usize]| nodes.iter().map(|&node| record.mv(node)).collect::<Vec<_>>();
    let notes = |nodes: &[usize], ply: usize| {
        let mut map = Map::new();
        for (at, &node) in nodes.iter().enumerate() {
            if let Some(notes) = record.notes(node).filter(|notes| !notes.is_empty()) {
                map.insert((ply + at + 1).to_string(), write_notes(notes));
            }
        }
        map
    };
    let main = &lines[0].nodes;
    let mut main_notes = notes(main, 0);
    if let Some(notes) = record.notes(0).filter(|notes| !notes.is_empty()) {
        main_notes.insert("0".into(), write_notes(notes));
    }
    let variations: Vec<Value> = lines[1..]
        .iter()
        .map(|line| json!({ "of": line.of, "ply": line.ply, "moves": moves(&line.nodes), "notes": notes(&line.nodes, line.ply) }))
        .collect();
    let remarks: Vec<String> = record
        .remarks
        .iter()
        .map(|remark| match remark.ply {
            Some(ply) => format!("ply {ply}: {}", remark.text),
            None => remark.text.clone(),
        })
        .collect();
    let fields = [
        ("game", json!(record.game)),
        ("start", json!(record.start.as_deref().unwrap_or("startpos"))),
        ("moves", json!(moves(main))),
        ("result", json!(record.result.map(Outcome::word))),
        ("ending", json!(record.ending)),
        ("players", json!(record.players)),
        ("tags", Value::Null),
        ("notes", Value::Object(main_notes)),
        ("remarks", json!(remarks)),
        ("guessed", json!(record.guessed)),
        ("format", json!(record.format.name())),
        ("variations", Value::Array(variations)),
    ];
    let mut text = String::from("{");
    for (name, value) in fields {
        if text.len() > 1 {
            text.push(',');
        }
        let value = if name == "tags" { write_tags(&record.tags) } else { value.to_string() };
        text += &format!("\"{name}\":{value}");
    }
    text.push('}');
    text
}

/// Tags as an object, in their order.
fn write_tags(tags: &[Tag]) -> String {
    let mut text = String::from("{");
    for (at, tag) in tags.iter().enumerate() {
        let is_new = !tags[..at].iter().any(|before| before.name == tag.name);
        if !is_new {
            continue;
        }
        let values: Vec<&str> =
            tags[at..].iter().filter(|other| other.name == tag.name).map(|other| other.value.as_str()).collect();
        let value = if let [one] = values[..] { json!(one) } else { json!(values) };
        if text.len() > 1 {
            text.push(',');
        }
        text += &format!("{}:{value}", json!(tag.name));
    }
    text.push('}');
    text
}

/// The tags of an object, in their order, which a map of JSON does not keep.
#[derive(Default)]
struct Tags(Vec<Tag>);

impl<'de> Deserialize<'de> for Tags {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Tags, D::Error> {
        struct InOrder;

        impl<'de> Visitor<'de> for InOrder {
            type Value = Tags;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of tags")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Tags, A::Error> {
                let mut tags = Vec::new();
                while let Some((name, value)) = map.next_entry::<String, Value>()? {
                    let values = if let Value::Array(list) = value { list } else { vec![value] };
                    for value in values {
                        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                        tags.push(Tag { name: name.clone(), value });
                    }
                }
                Ok(Tags(tags))
            }
        }

        deserializer.deserialize_map(InOrder)
    }
}

fn write_notes(notes: &Notes) -> Value {
    let mut map = Map::new();
    let mut put = |name: &str, value: Value| {
        map.insert(name.to_owned(), value);
    };
    if !notes.before.is_empty() {
        put("before", json!(notes.before));
    }
    if !notes.comments.is_empty() {
        put("comments", json!(notes.comments));
    }
    if !notes.nags.is_empty() {
        put("nags", json!(notes.nags));
    }
    if let Some(clock) = notes.clock {
        put("clock", json!(clock));
    }
    if let Some(spent) = notes.spent {
        put("spent", json!(spent));
    }
    if let Some(eval) = &notes.eval {
        put("eval", json!(eval));
    }
    if !notes.marks.is_empty() {
        let marks: Vec<[&str; 2]> = notes.marks.iter().map(|tag| [tag.name.as_str(), tag.value.as_str()]).collect();
        put("marks", json!(marks));
    }
    Value::Object(map)
}

fn read_notes(value: &Value) -> Notes {
    let texts = |name: &str| match value.get(name).and_then(Value::as_array) {
        Some(list) => list.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        None => Vec::new(),
    };
    let nags = value.get("nags").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    Notes {
        before: texts("before"),
        comments: texts("comments"),
        nags: nags.iter().filter_map(|nag| u8::try_from(nag.as_u64()?).ok()).collect(),
        clock: value.get("clock").and_then(Value::as_f64),
        spent: value.get("spent").and_then(Value::as_f64),
        eval: value.get("eval").and_then(Value::as_str).map(str::to_owned),
        marks: pairs(value.get("marks")),
    }
}

fn pairs(value: Option<&Value>) -> Vec<Tag> {
    let list = value.and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let pair = |pair: &Value| {
        let text = |at: usize| pair.get(at).and_then(Value::as_str).map(str::to_owned);
        Some(Tag { name: text(0)?, value: text(1)? })
    };
    list.iter().filter_map(pair).collect()
}

/// The objects of a text that has them in a list, or over several lines, each on a line of its own; or what is wrong, and where.
pub(crate) fn values(text: &str) -> Vec<Result<String, (usize, String)>> {
    let mut found = Vec::new();
    let mut stream = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    while let Some(value) = stream.next() {
        match value {
            Ok(Value::Array(list)) => found.extend(list.iter().map(|value| Ok(value.to_string()))),
            Ok(value) => found.push(Ok(value.to_string())),
            Err(error) => {
                found.push(Err((stream.byte_offset(), format!("expected objects of JSON: {error}"))));
                break;
            }
        }
    }
    found
}

/// Reads a game: an object that [`write`] has written, or a line or an answer of `griot analyse`.
///
/// # Errors
/// The byte at which it is wrong, and what is expected there.
pub(crate) fn read(line: &str) -> Result<Raw, (usize, String)> {
    #[derive(Deserialize)]
    struct WithTags {
        #[serde(default)]
        tags: Tags,
    }
    let value: Value = serde_json::from_str(line).map_err(|error| {
        let column = error.column().saturating_sub(1);
        (column, format!("expected an object of JSON: {error}"))
    })?;
    let value = value.get("position").cloned().unwrap_or(value);
    let mut raw = read_object(&value).map_err(|problem| (0, problem))?;
    raw.record.tags = serde_json::from_str::<WithTags>(line).map(|object| object.tags.0).unwrap_or_default();
    Ok(raw)
}

fn read_object(value: &Value) -> Result<Raw, String> {
    if !value.is_object() {
        return Err("expected an object with 'game' and 'moves'".into());
    }
    let text = |name: &str| value.get(name).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty());
    let mut raw = Raw::new(Record::new("", Format::Json));
    match text("game") {
        Some(game) => {
            raw.games = vec![game.to_ascii_lowercase()];
            raw.is_certain = true;
        }
        None if value.get("moves").is_none() && value.get("board").is_none() => {
            return Err("expected an object with 'game' and 'moves'".into());
        }
        None => {}
    }
    let board = text("start").or_else(|| text("board"));
    raw.record.start = board.filter(|board| !board.eq_ignore_ascii_case("startpos")).map(str::to_owned);
    let words = |value: Option<&Value>| -> Vec<String> {
        match value {
            Some(Value::String(text)) => text.split_whitespace().map(str::to_owned).collect(),
            Some(Value::Array(list)) => list.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
            _ => Vec::new(),
        }
    };
    let add = |raw: &mut Raw, from: usize, ply: usize, line: &Value, is_main: bool| {
        let mut nodes = Vec::new();
        let mut current = from;
        let notes = line.get("notes");
        if is_main && let Some(said) = notes.and_then(|notes| notes.get("0")) {
            *raw.record.notes_mut(0) = read_notes(said);
        }
        for (at, word) in words(line.get("moves")).iter().enumerate() {
            current = raw.add(current, word, 0, None);
            if let Some(said) = notes.and_then(|notes| notes.get((ply + at + 1).to_string())) {
                *raw.record.notes_mut(current) = read_notes(said);
            }
            nodes.push(current);
        }
        nodes
    };
    let mut lines: Vec<(usize, Vec<usize>)> = vec![(0, add(&mut raw, 0, 0, value, true))];
    for variation in value.get("variations").and_then(Value::as_array).map_or(&[][..], Vec::as_slice) {
        let number =
            |name: &str| variation.get(name).and_then(Value::as_u64).and_then(|number| usize::try_from(number).ok());
        let (Some(of), Some(ply)) = (number("of"), number("ply")) else {
            return Err("a variation needs the numbers 'of' and 'ply'".into());
        };
        let Some((begin, nodes)) = lines.get(of) else {
            return Err(format!("a variation of line {of}, which is not there"));
        };
        let parent = match ply.checked_sub(*begin) {
            Some(0) if of == 0 => 0,
            Some(0) | None => {
                return Err(format!("a variation after {ply} moves of line {of}, which begins there or later"));
            }
            Some(behind) => *nodes
                .get(behind - 1)
                .ok_or_else(|| format!("a variation after {ply} moves of line {of}, which is shorter"))?,
        };
        let nodes = add(&mut raw, parent, ply, variation, false);
        lines.push((ply, nodes));
    }
    if raw.games.is_empty() {
        let moves = raw.record.moves();
        raw.games = match &raw.record.start {
            Some(board) => crate::guess::games_of_board(board),
            None => crate::guess::games_of(&moves),
        };
    }
    let record = &mut raw.record;
    record.result = match text("result") {
        Some("p1win") => Some(Outcome::Win(Side::First)),
        Some("p2win") => Some(Outcome::Win(Side::Second)),
        Some("draw") => Some(Outcome::Draw),
        _ => None,
    };
    record.ending = text("ending").map(str::to_owned);
    for player in 0..2 {
        let name = value.get("players").and_then(|players| players.get(player)).and_then(Value::as_str);
        record.players[player] = name.map(str::to_owned);
    }
    if let Some(format) = text("format").and_then(Format::named) {
        record.format = format;
    }
    Ok(raw)
}
