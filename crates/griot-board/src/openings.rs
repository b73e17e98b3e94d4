//! Names of openings: what people call a position of chess or Othello, whichever moves led to it.
//!
//! ```text
//!   board text --game and first three fields--> FNV-1a, 48 bits --> line of data/openings.txt: code, name
//! ```
//!
//! Pure. The data is embedded; its head names its sources and `tools/openings.py` makes it. A wrong name for a position that is no
//! opening has a chance of one in 2^36. Other games and variants have no names: their boards are hashed with their own names.

use std::collections::HashMap;
use std::sync::LazyLock;

use griot::registry::Registry;
use griot_records::{Catalogue as _, Record};
use serde::Serialize;

const DATA: &str = include_str!("../data/openings.txt");

/// No opening is longer, in plies.
pub(crate) const LONGEST: usize = 40;

/// The name of an opening.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(crate) struct Opening {
    /// The code of the Encyclopaedia of Chess Openings; empty in Othello.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(crate) code: &'static str,
    pub(crate) name: &'static str,
}

static TABLE: LazyLock<HashMap<u64, Opening>> = LazyLock::new(|| {
    let lines = DATA.lines().filter(|line| !line.starts_with('#'));
    let fields = lines.filter_map(|line| {
        let mut fields = line.split('\t');
        Some((Opening { code: fields.next()?, name: fields.next()? }, fields.next()?))
    });
    let entries = fields.flat_map(|(opening, keys)| {
        let keys = keys.split(' ').filter_map(|key| u64::from_str_radix(key, 16).ok());
        keys.map(move |key| (key, opening))
    });
    entries.collect()
});

/// The key of a position.
fn key(game: &str, board: &str) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut add = |byte: u8| hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    game.bytes().for_each(&mut add);
    for field in board.split_ascii_whitespace().take(3) {
        add(b' ');
        field.bytes().for_each(&mut add);
    }
    hash >> 16
}

/// Whether openings of this game have names.
fn has_names(game: &str) -> bool {
    matches!(game, "chess" | "othello")
}

/// The name of a position.
pub(crate) fn named(game: &str, board: &str) -> Option<Opening> {
    if has_names(game) { TABLE.get(&key(game, board)).copied() } else { None }
}

/// The name of the last named position of a game that was read.
pub(crate) fn of(record: &Record) -> Option<Opening> {
    if !has_names(&record.game) || record.start.is_some() {
        return None;
    }
    let mut rules = Registry.open(&record.game).ok()?;
    rules.begin(None).ok()?;
    let mut found = None;
    for mv in record.moves().into_iter().take(LONGEST) {
        if rules.play(mv).is_err() {
            break;
        }
        found = named(&record.game, &rules.board()).or(found);
    }
    found
}

#[cfg(test)]
mod tests {
    use griot_records::Hints;

    use super::*;

    fn opening(text: &str) -> Option<(&'static str, &'static str)> {
        let record = griot_records::read(text.as_bytes(), &Registry, &Hints::default()).remove(0).unwrap();
        of(&record).map(|opening| (opening.code, opening.name))
    }

    #[test]
    fn openings_are_named_by_their_positions() {
        assert!(TABLE.len() > 3500, "{}", TABLE.len());
        let ruy = Some(("C60", "Ruy Lopez"));
        assert_eq!(opening("1. e4 e5 2. Nf3 Nc6 3. Bb5"), ruy);
        // The same position by another order of moves.
        assert_eq!(opening("1. Nf3 Nc6 2. e4 e5 3. Bb5"), ruy);
        // A move that has no name of its own keeps the name before it.
        assert_eq!(opening("1. e4 e5 2. Nf3 Nc6 3. Bb5 h5 4. Rg1"), ruy);
        assert_eq!(opening("1. d4 d5 2. c4"), Some(("D06", "Queen's Gambit")));
    }

    #[test]
    fn openings_of_othello_are_named_whichever_way_the_board_lies() {
        for lines in ["c4e3f6e6f5", "f5d6c3d3c4", "d3c5f6f5e6", "e6f4c3c4d3"] {
            assert_eq!(opening(lines), Some(("", "Tiger")), "{lines}");
        }
    }

    #[test]
    fn variants_have_no_openings() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(named("chess", start), None);
        let board = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
        assert!(named("chess", board).is_some());
        assert_eq!((named("chess960", board), named("gomoku", board)), (None, None));
    }
}
