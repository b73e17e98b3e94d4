//! A family of games: what one folder of `games` plays, and what other modules need to know of it.
//!
//! Layer 0: knows the other traits of a game only. A family is a type without values that implements [`Family`] and
//! `tablebase::Tabled` in its folder, beside `NAME.perft` (counts of lines with their sources). One line in the registry makes
//! it known. Its [`Descriptor`] gives names for help and errors, UCI variants, completions, opening books, bench positions, the
//! menu of `query games`, the tables of the docs, and the games of the tests. A descriptor is plain data and compiles no game;
//! only [`Family::open`] chooses types.

use serde::Serialize;

use super::{Evaluate, Game, Notation, Probe, TextError};
use crate::message::FiveRule;

/// The description of a family, the same for all its games.
#[derive(Debug, Clone, Copy)]
pub struct Descriptor {
    /// The folder of the family in `games`.
    pub folder: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// The names of its games; the first is that of the best known one.
    pub names: &'static [Name],
    /// Other words for its games, in English and in French, each with the name of the game.
    pub also_called: &'static [(&'static str, &'static str)],
    /// A clear lead in the game of that name, in hundredths of its unit. The expected result of a position is computed from it: see
    /// `expected` of `griot play`, and the page of griot-board.
    pub clear_lead: fn(name: &str) -> u32,
    /// A board text, as an example.
    pub board: &'static str,
    /// Examples of moves, in Markdown.
    pub moves: &'static str,
    /// The names of its games for `UCI_Variant`.
    pub variants: &'static [Variant],
    /// Strength and search of the levels of its games.
    pub levels: LevelScale,
    /// The positions of `griot bench`.
    pub bench: &'static [BenchPosition],
    /// Its games that have endgame tables, by name.
    pub with_tables: &'static [&'static str],
    /// The opening books that come with its games.
    pub books: &'static [OpeningBook],
    /// Its entries in a menu of games.
    pub menu: &'static [Entry],
    /// Games of every size and every rule, for tests.
    pub samples: &'static [Sample],
    /// Names its game of five in a row, in families that have one.
    pub five_in_a_row: Option<FiveInARow>,
    /// Names its games with and without Chess960 castling, in families that have them.
    pub chess960: Option<Chess960>,
}

/// The name of the game of five in a row with that rule and board size; `None` if there is none.
pub type FiveInARow = fn(cols: u64, rows: u64, rule: FiveRule) -> Option<String>;

/// The name of the same game with or without Chess960 castling; `None` if it is that game or there is none.
pub type Chess960 = fn(name: &str, on: bool) -> Option<&'static str>;

impl Descriptor {
    /// Whether names with `word` before the colon belong to this family.
    #[must_use]
    pub fn is_named(&self, word: &str) -> bool {
        let heads = self.names.iter().map(|name| name.form.split(':').next());
        heads.flatten().chain(self.variants.iter().map(|variant| variant.name)).any(|known| known == word)
    }
}

/// The level of full strength; the weakest is 0.
pub const FULL_STRENGTH: usize = 20;

/// Strength and search of the levels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LevelScale {
    /// Elo of each level, rising.
    pub elo: [u64; FULL_STRENGTH + 1],
    /// Levels from this one on are selective: they search as full strength does, with quiescence search, but less deep. Lower ones
    /// search all moves to their depth. The level next to full strength is always selective.
    pub selective_from: usize,
}

impl LevelScale {
    /// The scale of games without one of their own: measured at awalé (docs/levels.md). Level 0 is 500 by convention; odd levels
    /// but 1 and 19 are halfway between their neighbours.
    pub const USUAL: LevelScale = LevelScale {
        elo: [
            500, 620, 700, 830, 970, 1030, 1100, 1170, 1240, 1290, 1350, 1410, 1480, 1540, 1600, 1630, 1670, 1700,
            1740, 2370, 2470,
        ],
        selective_from: FULL_STRENGTH - 1,
    };

    /// The level with the nearest strength to `elo`; of two as near, the weaker one.
    #[must_use]
    pub fn level_of(&self, elo: u64) -> usize {
        (0..self.elo.len()).min_by_key(|&level| self.elo[level].abs_diff(elo)).unwrap_or(FULL_STRENGTH)
    }
}

/// The form of a game's name.
#[derive(Debug, Clone, Copy)]
pub struct Name {
    /// The name; capitals stand for numbers and for a choice of words: `mnk:COLS,ROWS,K`.
    pub form: &'static str,
    /// A note in Markdown, possibly empty.
    pub note: &'static str,
}

impl Name {
    /// Whether it is complete, with nothing to fill in.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        !self.form.contains(|c: char| c.is_ascii_uppercase())
    }
}

/// A value of `UCI_Variant`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Variant {
    /// The name, which is also one of the game.
    pub name: &'static str,
    /// Whether its moves and board texts are written as UCI clients do, not as for the option `Game`.
    pub restyled: bool,
}

/// An opening book that comes with a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpeningBook {
    /// The name of the game.
    pub game: &'static str,
    /// The book, as [`crate::book::text`] writes it.
    pub text: &'static str,
}

/// A position of `griot bench`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BenchPosition {
    /// The name of the game.
    pub game: &'static str,
    /// The board text; empty for the start position.
    pub board: &'static str,
    /// Search depth in plies.
    pub depth: u32,
}

/// A game for tests to play.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sample {
    /// Its name.
    pub game: &'static str,
    /// Number of random games that a test plays quickly.
    pub games: u32,
    /// Search depth that a test reaches quickly, in plies; 0 if no test searches it.
    pub depth: u32,
}

/// A menu entry: a game with fields to fill in.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Entry {
    /// The key for front ends with words and pictures of their own.
    pub key: &'static str,
    /// Its title in English.
    pub title: &'static str,
    /// The name of the game that is chosen: each `{KEY}` stands for the value of the field of that key.
    pub name: &'static str,
    /// The fields.
    pub fields: &'static [Field],
}

/// A field of a menu entry.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Field {
    /// Its key for front ends.
    pub key: &'static str,
    /// Its title in English.
    pub title: &'static str,
    /// Its type.
    #[serde(flatten)]
    pub input: Input,
}

/// The type of a field, with its default and limits.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Input {
    /// A whole number.
    Number {
        /// The default.
        default: u32,
        /// The least.
        min: u32,
        /// The greatest. Not every combination is valid; the engine reports errors.
        max: u32,
    },
    /// One of several values.
    Choice {
        /// The default.
        default: &'static str,
        /// The values.
        choices: &'static [Choice],
    },
    /// A tick box, initially off.
    Tick {
        /// Its value when ticked; empty when not.
        value: &'static str,
    },
    /// A text.
    Text {
        /// The default.
        default: &'static str,
        /// A regular expression (as in HTML) for the whole text.
        pattern: &'static str,
        /// A hint in English.
        hint: &'static str,
    },
}

/// One of several values.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Choice {
    /// Its part of the game's name.
    pub value: &'static str,
    /// Its key for front ends.
    pub key: &'static str,
    /// Its title in English.
    pub title: &'static str,
}

/// A parsed name of a game.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    /// The whole name, in lower case.
    pub name: &'a str,
    /// The part before the colon.
    pub word: &'a str,
    /// The part after the colon, if any.
    pub parameters: Option<&'a str>,
    /// Whether it is a value of `UCI_Variant`: moves and boards are then written as [`Variant::restyled`] says.
    pub as_variant: bool,
}

impl<'a> Asked<'a> {
    /// Parses a name in lower case.
    #[must_use]
    pub fn new(name: &'a str, as_variant: bool) -> Asked<'a> {
        let (word, parameters) = name.split_once(':').map_or((name, None), |(word, rest)| (word, Some(rest)));
        Asked { name, word, parameters, as_variant }
    }

    /// Returns an error if the name has parameters.
    ///
    /// # Errors
    /// When there is a colon.
    pub fn without_parameters(&self) -> Result<(), TextError> {
        match self.parameters {
            None => Ok(()),
            Some(found) => Err(TextError::new(self.word.len() + 1, "parameters", "none", format!("'{found}'"))),
        }
    }
}

/// An operation on a game of any type.
pub trait Visitor {
    /// Its result.
    type Output;
    /// Runs it.
    fn visit<N, E, T>(self, game: Game<N, E, T>) -> Self::Output
    where
        N: Notation,
        E: Evaluate<N::Position>,
        T: Probe<N::Position>;
}

/// A family of games.
pub trait Family {
    /// Its description.
    const DESCRIPTOR: Descriptor;

    /// Finds the game, whose word is one of this family's, and hands it to `visitor`.
    ///
    /// # Errors
    /// When there is no such game, or its parameters are wrong.
    fn open<V: Visitor>(asked: &Asked<'_>, visitor: V) -> Result<V::Output, TextError>;

    /// An empty book of exact values of the game, up to this many plies, with a table of this many bytes to grow it. `None` if the
    /// family has none.
    ///
    /// # Errors
    /// The reason for the failure.
    fn exact_book(_asked: &Asked<'_>, _plies: u32, _bytes: usize) -> Option<Result<Box<dyn ExactBook>, String>> {
        None
    }
}

/// A book of exact values being grown.
pub trait ExactBook {
    /// The beginning of its file.
    fn beginning(&self) -> &'static str;

    /// Loads the values of a file.
    ///
    /// # Errors
    /// What is wrong with the file.
    fn read(&mut self, bytes: &[u8]) -> Result<(), String>;

    /// From now on finds winners only, without distances; such a file can be continued either way.
    fn look_for_winners(&mut self);

    /// Number of known values, and of all values.
    fn progress(&self) -> (usize, usize);

    /// Finds one more value. `stop` gets the number of positions visited now and then, and ends it by returning `true`. Returns
    /// whether one was found: not if all are known, or it was stopped.
    fn grow(&mut self, stop: &(dyn Fn(u64) -> bool + Sync)) -> bool;

    /// The bytes of its file.
    fn bytes(&self) -> Vec<u8>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_taken_apart_at_its_first_colon() {
        let parts = |name| {
            let Asked { word, parameters, .. } = Asked::new(name, false);
            (word, parameters)
        };
        assert_eq!(parts("nim"), ("nim", None));
        assert_eq!(parts("nim:"), ("nim", Some("")));
        assert_eq!(parts("nim:3:4"), ("nim", Some("3:4")));
        assert!(Asked::new("othello", false).without_parameters().is_ok());
        let error = Asked::new("othello:", false).without_parameters().unwrap_err();
        assert_eq!((error.offset, error.to_string().as_str()), (8, "parameters: expected none, found ''"));
    }

    #[test]
    fn capitals_leave_something_to_be_filled_in() {
        let complete = |form| Name { form, note: "" }.is_complete();
        assert!(complete("awale:awari") && complete("connect4") && !complete("morpion:M") && !complete("nim:HEAP"));
    }
}
