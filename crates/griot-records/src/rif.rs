//! RenjuNet's database of renju games, an XML file: `<game … black="2" white="3" bresult="1"><move>h8 h9 …</move></game>`.
//!
//! Of players and tournaments the games have numbers; their names stand before, in `<player id="2" name=… surname=…>` and
//! `<tournament id="1" name=…>`. Other attributes of a game become tags. No schema is published.
//! CITE: A. Meritee, RenjuNet, `renjunet_v10.rif`.

use std::collections::HashMap;

use crate::fault::{Fault, Piece};
use crate::model::{Format, Outcome, Record, Side};
use crate::raw::Raw;

/// Whether a text is such a file.
pub(crate) fn looks_right(text: &str) -> bool {
    text.starts_with('<') && text.contains("<game") && text.contains("<move")
}

/// An element's beginning: its name, its attributes, and where the text behind it begins.
struct Element<'t> {
    name: &'t str,
    attributes: Vec<(&'t str, String)>,
    at: usize,
    end: usize,
}

fn next(text: &str, from: usize) -> Option<Element<'_>> {
    let mut at = from;
    loop {
        at += text.get(at..)?.find('<')?;
        let end = at + text[at..].find('>')?;
        let inner = &text[at + 1..end];
        let name = inner.split(|letter: char| letter.is_whitespace() || letter == '/').next().unwrap_or_default();
        if name.starts_with(|letter: char| letter.is_ascii_alphabetic()) {
            let mut attributes = Vec::new();
            let mut rest = &inner[name.len()..];
            while let Some((key, after)) = rest.split_once('=') {
                let after = after.trim_start();
                let Some(quote) = after.chars().next().filter(|quote| matches!(quote, '"' | '\'')) else { break };
                let Some((value, behind)) = after[1..].split_once(quote) else { break };
                attributes.push((key.trim(), unescaped(value)));
                rest = behind;
            }
            return Some(Element { name, attributes, at, end: end + 1 });
        }
        at = end + 1;
    }
}

fn unescaped(text: &str) -> String {
    let plain = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&apos;", "'");
    plain.replace("&amp;", "&")
}

/// Reads the games.
pub(crate) fn read(piece: &Piece<'_>, each: &mut dyn FnMut(Result<Raw, Fault>) -> bool) {
    let text = piece.text;
    let mut names: HashMap<(&str, String), String> = HashMap::new();
    let mut game: Option<(Record, usize)> = None;
    let mut from = 0;
    while let Some(element) = next(text, from) {
        from = element.end;
        let get = |name: &str| element.attributes.iter().find(|(own, _)| *own == name).map(|(_, value)| value.as_str());
        match element.name {
            "player" | "tournament" => {
                let full = [get("name"), get("surname")].into_iter().flatten().collect::<Vec<_>>().join(" ");
                names.insert((element.name, get("id").unwrap_or_default().to_owned()), full);
            }
            "game" => {
                let mut record = Record::new("renju", Format::Rif);
                let name = |kind, attribute: &str| names.get(&(kind, get(attribute)?.to_owned())).cloned();
                record.players = [name("player", "black"), name("player", "white")];
                if let Some(event) = name("tournament", "tournament") {
                    record.push_tag("Event", event);
                }
                record.result = match get("bresult") {
                    Some("1") => Some(Outcome::Win(Side::First)),
                    Some("0") => Some(Outcome::Win(Side::Second)),
                    Some("0.5" | "0,5") => Some(Outcome::Draw),
                    _ => None,
                };
                for (name, value) in &element.attributes {
                    let name = if *name == "round" { "Round" } else { name };
                    if !value.is_empty() && !matches!(name, "black" | "white" | "tournament" | "bresult") {
                        record.push_tag(name, value.as_str());
                    }
                }
                game = Some((record, element.at));
            }
            "move" => {
                let Some((record, _)) = game.take() else { continue };
                let end = text[from..].find('<').map_or(text.len(), |end| from + end);
                let mut raw = Raw::new(record);
                raw.games = vec!["renju".into()];
                raw.is_certain = true;
                let mut current = 0;
                for word in text[from..end].split_whitespace() {
                    current = raw.add(current, word, word.as_ptr() as usize - text.as_ptr() as usize, None);
                }
                from = end;
                if !each(Ok(raw)) {
                    return;
                }
            }
            _ => {}
        }
    }
    if let Some((_, at)) = game {
        each(Err(piece.fault(at, None, "expected <move> with the moves of the game")));
    }
}
