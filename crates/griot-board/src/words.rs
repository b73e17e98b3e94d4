//! Input of pages, and which of it may reach an engine.
//!
//! Every text from a page is converted to one of these types before use, and nothing else is sent to an engine. None of
//! them can hold a control character, so none can end a line; none becomes part of a path or of a command line.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Why a command is refused. The page translates the code; the detail is for people.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Refusal {
    pub(crate) error: &'static str,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) detail: String,
}

impl Refusal {
    pub(crate) fn new(error: &'static str, detail: impl Into<String>) -> Refusal {
        Refusal { error, detail: detail.into() }
    }
}

/// The longest name of a game, and the longest board text.
const LONGEST: [usize; 2] = [120, 800];
/// The longest move, in bytes: a capture with all its stops.
const LONGEST_MOVE: usize = 120;
/// The most matches in a heap that a page draws, and the most heaps.
const MATCHES: u32 = 60;
const HEAPS: usize = 12;
/// The longest game.
pub(crate) const LONGEST_GAME: usize = 1000;

/// The name of a game with its parameters, as the engine expects it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(crate) struct GameName(String);

impl GameName {
    /// # Errors
    /// When it cannot be the name of a game, or the game is too large for the page.
    pub(crate) fn new(text: &str) -> Result<GameName, Refusal> {
        let name = text.trim().to_ascii_lowercase();
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, ':' | ',' | '-' | '=');
        if name.is_empty() || name.len() > LONGEST[0] || !name.chars().all(is_plain) {
            return Err(Refusal::new("bad_game", "expected letters, digits and : , - ="));
        }
        if let Some(parameters) = name.strip_prefix("nim:") {
            let heaps = parameters.split(',').next().filter(|first| !first.contains(char::is_alphabetic));
            small_heaps(heaps.unwrap_or_default())?;
        }
        Ok(GameName(name))
    }

    pub(crate) fn is_nim(&self) -> bool {
        self.0 == "nim" || self.0.starts_with("nim:")
    }
}

/// Checks that heaps, joined by hyphens, can be drawn; the engine checks their syntax.
fn small_heaps(text: &str) -> Result<(), Refusal> {
    let is_large =
        |heap: &str| heap.bytes().all(|b| b.is_ascii_digit()) && heap.parse().is_ok_and(|n: u32| n > MATCHES);
    let too_long = text.split('-').any(|heap| heap.len() > 9 || is_large(heap));
    if text.split('-').count() > HEAPS || too_long {
        return Err(Refusal::new("too_many_matches", format!("at most {HEAPS} heaps of {MATCHES} matches")));
    }
    Ok(())
}

/// A move text or a move name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(crate) struct MoveText(String);

impl MoveText {
    /// # Errors
    /// When it cannot be a move of any game. Moves of other engines may have any letters of any alphabet.
    pub(crate) fn new(text: &str) -> Result<MoveText, Refusal> {
        let is_part = |c: char| !c.is_control() && !c.is_whitespace();
        if (1..=LONGEST_MOVE).contains(&text.len()) && text.chars().all(is_part) {
            Ok(MoveText(text.to_owned()))
        } else {
            Err(Refusal::new("bad_move", format!("expected 1 to {LONGEST_MOVE} bytes without blanks")))
        }
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

/// A board text; the engine checks its syntax.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Board(String);

impl Board {
    /// # Errors
    /// When it cannot be the text of a board.
    pub(crate) fn new(text: &str) -> Result<Board, Refusal> {
        let text = text.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
        let is_plain =
            |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '-' | '.' | ' ' | ':' | ',' | '+' | '@');
        if text.is_empty() || text.len() > LONGEST[1] || !text.chars().all(is_plain) {
            return Err(Refusal::new("bad_board", "expected letters, digits, blanks and / - . : , + @"));
        }
        Ok(Board(text))
    }

    /// # Errors
    /// When the board is too large for the page.
    pub(crate) fn fits(&self, game: &GameName) -> Result<(), Refusal> {
        if game.is_nim() { small_heaps(self.0.split(' ').next().unwrap_or_default()) } else { Ok(()) }
    }
}

macro_rules! texts {
    ($($name:ident),*) => {$(
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    )*};
}
texts!(GameName, MoveText, Board);

macro_rules! from_json {
    ($($name:ident),*) => {$(
        impl TryFrom<String> for $name {
            type Error = String;
            fn try_from(text: String) -> Result<$name, String> {
                $name::new(&text).map_err(|refusal| refusal.detail)
            }
        }
        impl From<$name> for String {
            fn from(text: $name) -> String {
                text.0
            }
        }
    )*};
}
from_json!(GameName, MoveText);

/// A pasted position: `[GAME|] (startpos | BOARD) [| or moves MOVES]`, perhaps with `position` and `fen` before the board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pasted {
    pub(crate) game: Option<GameName>,
    /// `None` for the start position.
    pub(crate) board: Option<Board>,
    pub(crate) moves: Vec<MoveText>,
}

impl Pasted {
    /// # Errors
    /// When it is not such a text.
    pub(crate) fn read(text: &str) -> Result<Pasted, Refusal> {
        let text = text.trim();
        if text.chars().any(|c| c.is_control() && c != '\t') {
            return Err(Refusal::new("bad_paste", "expected one line"));
        }
        let (game, rest) = match text.split_once('|') {
            Some((game, rest)) => (Some(GameName::new(game)?), rest),
            None => (None, text),
        };
        let mut words = rest.trim_start();
        for word in ["position ", "fen "] {
            words = words.strip_prefix(word).unwrap_or(words).trim_start();
        }
        let (board, moves) = match (words.split_once('|'), words.split_once(" moves ")) {
            (Some(parts), _) | (None, Some(parts)) => parts,
            (None, None) => (words, ""),
        };
        let board = match board.trim() {
            "startpos" => None,
            board => Some(Board::new(board)?),
        };
        let moves = moves.split_ascii_whitespace().map(MoveText::new).collect::<Result<Vec<_>, _>>()?;
        if moves.len() > LONGEST_GAME {
            return Err(Refusal::new("too_long", format!("at most {LONGEST_GAME} moves")));
        }
        Ok(Pasted { game, board, moves })
    }

    /// # Errors
    /// When the board is too large for the page.
    pub(crate) fn fits(&self, game: &GameName) -> Result<(), Refusal> {
        self.board.as_ref().map_or(Ok(()), |board| board.fits(game))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_of_a_page_can_end_a_line() {
        for end in ["\n", "\r", "\u{b}", "\u{85}", "\u{2028}", "\0"] {
            let text = |start: &str| format!("{start}{end}quit");
            assert!(GameName::new(&text("nim")).is_err(), "{end:?}");
            assert!(MoveText::new(&text("a1")).is_err(), "{end:?}");
            assert!(Pasted::read(&text("startpos")).is_err(), "{end:?}");
            assert!(Pasted::read(&text("nim|startpos|a1")).is_err(), "{end:?}");
            assert!(Pasted::read(&text("7 1 moves a1")).is_err(), "{end:?}");
        }
        assert!(serde_json::from_str::<MoveText>(r#""a1\nquit""#).is_err());
        assert!(serde_json::from_str::<GameName>(r#""nim\nquit""#).is_err());
    }

    #[test]
    fn a_position_is_read_in_every_form_in_which_it_is_copied() {
        let board = "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S";
        for (text, game, start, moves) in [
            (board, None, Some(board), 0),
            (" position fen 3/1x1/3  o moves a1 ", None, Some("3/1x1/3 o"), 1),
            ("position startpos moves A b", None, None, 2),
            ("startpos", None, None, 0),
            ("tictactoe|startpos|b2 a1 c3", Some("tictactoe"), None, 3),
            (
                "draughts:english|W:W21,K22:B1,2:H3|26x17x8x19x30",
                Some("draughts:english"),
                Some("W:W21,K22:B1,2:H3"),
                1,
            ),
            ("nim:3-4|3-1 2|", Some("nim:3-4"), Some("3-1 2"), 0),
        ] {
            let read = Pasted::read(text).unwrap();
            assert_eq!(read.game.map(|game| game.to_string()).as_deref(), game, "{text}");
            assert_eq!(read.board.map(|board| board.to_string()).as_deref(), start, "{text}");
            assert_eq!(read.moves.len(), moves, "{text}");
        }
        for wrong in ["", "|", "a|b|c|d e\u{7}f", "game name|startpos", "x;y"] {
            assert!(Pasted::read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn heaps_stay_small_enough_to_be_drawn() {
        for good in ["nim", "nim:7", "nim:3-4-5,take=any,normal", "nim:normal", "mnk:7,7,5"] {
            assert!(GameName::new(good).is_ok(), "{good}");
        }
        for bad in ["nim:61", "nim:4000000000,take=9", "nim:1-1-1-1-1-1-1-1-1-1-1-1-1"] {
            assert_eq!(GameName::new(bad).unwrap_err().error, "too_many_matches", "{bad}");
        }
        let nim = GameName::new("nim").unwrap();
        assert!(Pasted::read("60 1").unwrap().fits(&nim).is_ok());
        assert!(Pasted::read("99999 1").unwrap().fits(&nim).is_err());
    }
}
