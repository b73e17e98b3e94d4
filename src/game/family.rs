//! A family of games: all that one folder of `games` plays, and what the rest of the house has to know of it.
//!
//! Layer 0: knows the other traits of a game, and nothing else. A family is a type without values; in its folder it implements
//! [`Family`] and `tablebase::Tabled`, and keeps `NAME.perft`, counts of lines with their sources. One line in the list of the
//! registry then makes it known to everybody: from the [`Descriptor`] come the names that help and errors tell, the UCI
//! variants, the completions, the opening books, the positions of `griot bench`, the menu of `query games`, the tables of the docs,
//! and the games that the laws, the perft files and the conversations of the tests go through.
//!
//! A descriptor is plain data, so that whoever wants a name compiles no game; [`Family::open`] alone chooses types.

use serde::Serialize;

use super::{Evaluate, Game, Notation, Probe, TextError};
use crate::message::FiveRule;

/// What is to be known of a family, whichever of its games is played.
#[derive(Debug, Clone, Copy)]
pub struct Descriptor {
    /// The folder of the family in `games`.
    pub folder: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// How its games are named; the first name is that of the game it is best known by.
    pub names: &'static [Name],
    /// What else people call its games, in English and in French, each with the name of the game.
    pub also_called: &'static [(&'static str, &'static str)],
    /// By how many hundredths of its unit a side of the game of that name is clearly ahead. The expected result of a position is
    /// reckoned from it: see `expected` of `griot play`, and of the page of griot-board.
    pub clear_lead: fn(name: &str) -> u32,
    /// A board text, as an example.
    pub board: &'static str,
    /// What moves look like, for people, in Markdown.
    pub moves: &'static str,
    /// The names under which UCI clients ask for its games, where `UCI_Variant` is all they know to set.
    pub variants: &'static [Variant],
    /// What the levels of its games are worth, and how they search.
    pub levels: LevelScale,
    /// The positions by which the search is measured.
    pub bench: &'static [BenchPosition],
    /// Its games that have endgame tables, by name.
    pub with_tables: &'static [&'static str],
    /// The opening books that come with its games.
    pub books: &'static [OpeningBook],
    /// What a menu of games offers.
    pub menu: &'static [Entry],
    /// Games of every size and every rule, for tests.
    pub samples: &'static [Sample],
    /// How its game in which five in a row win is named, in families that have one.
    pub five_in_a_row: Option<FiveInARow>,
    /// How its games are named that differ in whether castling is written as Chess960 has it, in families that have them.
    pub chess960: Option<Chess960>,
}

/// The name of the game in which five in a row win by that rule, on a board of that size; nothing where the board cannot have it.
pub type FiveInARow = fn(cols: u64, rows: u64, rule: FiveRule) -> Option<String>;

/// The name of the game that is the one of this name, written as Chess960 has it or not; nothing where it is that itself, or there
/// is none.
pub type Chess960 = fn(name: &str, on: bool) -> Option<&'static str>;

impl Descriptor {
    /// Whether names that begin with `word`, up to the colon, are names of this family.
    #[must_use]
    pub fn is_named(&self, word: &str) -> bool {
        let heads = self.names.iter().map(|name| name.form.split(':').next());
        heads.flatten().chain(self.variants.iter().map(|variant| variant.name)).any(|known| known == word)
    }
}

/// The level of full strength; the weakest is 0.
pub const FULL_STRENGTH: usize = 20;

/// How strong the levels are, and how they search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LevelScale {
    /// What each level is worth in Elo, rising.
    pub elo: [u64; FULL_STRENGTH + 1],
    /// The levels from this one on are selective: they search as the full strength does, but not so deep, and at their leaves on
    /// through noisy moves. Those below look at all moves, and no further. The level next to the full strength always is.
    pub selective_from: usize,
}

impl LevelScale {
    /// The scale of games that have none of their own: what the levels are worth at awalé, by the matches that docs/levels.md tells
    /// of; level 0 is 500 by convention. Of the odd levels, 1 and 19 were measured, and the others are put halfway between their
    /// neighbours.
    pub const USUAL: LevelScale = LevelScale {
        elo: [
            500, 620, 700, 830, 970, 1030, 1100, 1170, 1240, 1290, 1350, 1410, 1480, 1540, 1600, 1630, 1670, 1700,
            1740, 2370, 2470,
        ],
        selective_from: FULL_STRENGTH - 1,
    };

    /// The level whose strength comes nearest to `elo`; of two as near, the weaker one.
    #[must_use]
    pub fn level_of(&self, elo: u64) -> usize {
        (0..self.elo.len()).min_by_key(|&level| self.elo[level].abs_diff(elo)).unwrap_or(FULL_STRENGTH)
    }
}

/// How a game, or all games of a kind, are named.
#[derive(Debug, Clone, Copy)]
pub struct Name {
    /// The name; capitals stand for numbers and for a choice of words: `mnk:COLS,ROWS,K`.
    pub form: &'static str,
    /// What is to be said of it, in Markdown, if anything.
    pub note: &'static str,
}

impl Name {
    /// Whether it is a name as it stands, with nothing left to be filled in.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        !self.form.contains(|c: char| c.is_ascii_uppercase())
    }
}

/// A game as UCI clients name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Variant {
    /// The name, which is also one of the game.
    pub name: &'static str,
    /// Whether its moves and board texts are written otherwise than when the game is chosen by its name.
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

/// A position by which the search is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BenchPosition {
    /// The name of the game.
    pub game: &'static str,
    /// The board text; empty for the start position.
    pub board: &'static str,
    /// How deep it is searched, in plies.
    pub depth: u32,
}

/// A game for tests to play.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sample {
    /// Its name.
    pub game: &'static str,
    /// How many random games of it take no time.
    pub games: u32,
    /// How deep a search may go that takes no time, in plies; 0 for games that no test needs to search.
    pub depth: u32,
}

/// A game on a menu, and what it leaves to choose.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Entry {
    /// What front ends that have words and pictures of their own know it by.
    pub key: &'static str,
    /// What it is called, in English.
    pub title: &'static str,
    /// The name of the game that is chosen: each `{KEY}` stands for the value of the field of that key.
    pub name: &'static str,
    /// What is to be filled in.
    pub fields: &'static [Field],
}

/// Something to be filled in.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Field {
    /// What front ends know it by.
    pub key: &'static str,
    /// What it is called, in English.
    pub title: &'static str,
    /// What may be filled in.
    #[serde(flatten)]
    pub input: Input,
}

/// What may be filled in.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Input {
    /// A whole number.
    Number {
        /// What stands there first.
        default: u32,
        /// The least.
        min: u32,
        /// The greatest. Not every pair of numbers need go together: the engine tells what is wrong.
        max: u32,
    },
    /// One of several values.
    Choice {
        /// The one that stands there first.
        default: &'static str,
        /// The values.
        choices: &'static [Choice],
    },
    /// Something that is so or not; at first it is not.
    Tick {
        /// Its value if it is so. It is empty if not.
        value: &'static str,
    },
    /// A text.
    Text {
        /// What stands there first.
        default: &'static str,
        /// A regular expression, as HTML has them, that it must match as a whole.
        pattern: &'static str,
        /// What it must be, in English.
        hint: &'static str,
    },
}

/// One of several values.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Choice {
    /// What stands in the name of the game.
    pub value: &'static str,
    /// What front ends know it by.
    pub key: &'static str,
    /// What it is called, in English.
    pub title: &'static str,
}

/// A name by which a game is asked for, taken apart.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    /// The whole name, in small letters.
    pub name: &'a str,
    /// What stands before the colon.
    pub word: &'a str,
    /// What stands behind it; nothing if there is none.
    pub parameters: Option<&'a str>,
    /// Whether a UCI client asks, which writes moves and boards in its own way where [`Variant::restyled`] says so.
    pub as_variant: bool,
}

impl<'a> Asked<'a> {
    /// Takes a name in small letters apart.
    #[must_use]
    pub fn new(name: &'a str, as_variant: bool) -> Asked<'a> {
        let (word, parameters) = name.split_once(':').map_or((name, None), |(word, rest)| (word, Some(rest)));
        Asked { name, word, parameters, as_variant }
    }

    /// Refuses parameters, for a name that has none.
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

/// Something to be done with a game of any type.
pub trait Visitor {
    /// What comes of it.
    type Output;
    /// Does it.
    fn visit<N, E, T>(self, game: Game<N, E, T>) -> Self::Output
    where
        N: Notation,
        E: Evaluate<N::Position>,
        T: Probe<N::Position>;
}

/// A family of games.
pub trait Family {
    /// What is to be known of it.
    const DESCRIPTOR: Descriptor;

    /// Finds the game asked for, whose word is one of this family's, and hands it to `visitor`.
    ///
    /// # Errors
    /// When there is no such game, or its parameters are wrong.
    fn open<V: Visitor>(asked: &Asked<'_>, visitor: V) -> Result<V::Output, TextError>;

    /// A book of exact values of the game asked for, which [`Family::open`] knows, up to so many plies, with nothing in it yet, and
    /// a table of so many bytes to grow it with. Nothing where the family has none.
    ///
    /// # Errors
    /// What hinders it, in words.
    fn exact_book(_asked: &Asked<'_>, _plies: u32, _bytes: usize) -> Option<Result<Box<dyn ExactBook>, String>> {
        None
    }
}

/// A book of exact values that is being made.
pub trait ExactBook {
    /// What its file begins with.
    fn beginning(&self) -> &'static str;

    /// Takes up what a file knows.
    ///
    /// # Errors
    /// What is wrong with the file, in words.
    fn read(&mut self, bytes: &[u8]) -> Result<(), String>;

    /// Who wins is all that is looked for from now on, not how soon; a file of that can be gone on with either way.
    fn look_for_winners(&mut self);

    /// How many values are known, and how many there are.
    fn progress(&self) -> (usize, usize);

    /// Finds one more value. `stop` is told now and then how many positions were looked at, and ends it when it says yes. Answers
    /// whether one was found: not when all are known, or it was stopped.
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
