//! A family of games: what one folder of `games` plays, and what other modules need to know of it.
//!
//! Layer 0: knows the other traits of a game only. A family is a type without values that implements [`Family`] and
//! `tablebase::Tabled` in its folder, beside `NAME.perft` (counts of lines with their sources). One line in the registry makes
//! it known. Its [`Descriptor`] gives names for help and errors, UCI variants, completions, opening books, bench positions, the
//! menu of `query games`, the tables of the docs, and the games of the tests. A descriptor is plain data and compiles no game;
//! only [`Family::open`] chooses types.

use serde::Serialize;

use super::{Evaluate, Game, Notation, Probe, TextError};
use crate::message::{Detail, FiveRule, GameFacts};

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
    /// Scores from here on, in hundredths, are certain wins, if fewer than usual suffice.
    pub certain: Option<u32>,
    /// How many in a row win in the game of that name, in families of that kind.
    pub row: fn(name: &str) -> Option<u32>,
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
    /// The format of records in which players of the game of that name exchange games, as `griot convert` calls it.
    pub records: fn(name: &str) -> &'static str,
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
    /// A family without games, books or tables, for a descriptor to begin with: `Descriptor { names: …, ..Descriptor::new(…) }`.
    /// What is left out has the usual value.
    #[must_use]
    pub const fn new(folder: &'static str, title: &'static str) -> Descriptor {
        Descriptor {
            folder,
            title,
            names: &[],
            also_called: &[],
            clear_lead: |_| 300,
            certain: None,
            row: |_| None,
            board: "",
            moves: "",
            variants: &[],
            levels: LevelScale::USUAL,
            bench: &[],
            with_tables: &[],
            books: &[],
            records: |_| "pgn",
            menu: &[],
            samples: &[],
            five_in_a_row: None,
            chess960: None,
        }
    }

    /// What front ends show of the game with this canonical name: its menu entry, with the choices and sizes that differ from
    /// the usual ones.
    #[must_use]
    pub fn facts(&self, name: &str) -> GameFacts {
        let row = (self.row)(name);
        let word = |name: &'_ str| name.split(':').next().unwrap_or_default().to_owned();
        let chosen = self.menu.iter().find_map(|entry| Some((entry, entry.read(name)?)));
        let usual = || self.menu.iter().find(|entry| word(entry.name) == word(name)).or(self.menu.first());
        let (entry, values) = chosen.map_or_else(|| (usual(), Vec::new()), |(entry, values)| (Some(entry), values));
        let title = entry.map_or(self.title, |entry| entry.title);
        GameFacts {
            key: entry.map_or(self.folder, |entry| entry.key),
            title: match (title.strip_prefix("K "), row) {
                (Some(rest), Some(row)) => format!("{row} {rest}"),
                _ => title.into(),
            },
            details: entry.map_or(Vec::new(), |entry| entry.details(&values)),
            clear_lead: (self.clear_lead)(name),
            certain: self.certain,
            row,
        }
    }

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
            500, 570, 680, 820, 960, 1060, 1160, 1250, 1330, 1390, 1450, 1500, 1550, 1610, 1670, 1740, 1820, 1870,
            1920, 2330, 2400,
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
    /// The key for front ends with words of their own.
    pub key: &'static str,
    /// Its title in English. A `K` at its beginning stands for how many in a row win.
    pub title: &'static str,
    /// The name of the game that is chosen: each `{KEY}` stands for the value of the field of that key.
    pub name: &'static str,
    /// The fields.
    pub fields: &'static [Field],
    /// One of its games and a board text of it, whose picture stands in the menu.
    #[serde(skip)]
    pub example: (&'static str, &'static str),
}

impl Entry {
    /// The values of the fields in this name of a game, in their order; `None` if the entry has no such game.
    fn read<'n>(&self, name: &'n str) -> Option<Vec<&'n str>> {
        let mut values = Vec::new();
        let mut rest = name;
        let mut template = self.name;
        while let Some((before, after)) = template.split_once('{') {
            let (key, behind) = after.split_once('}')?;
            rest = rest.strip_prefix(before)?;
            let field = self.fields.iter().find(|field| field.key == key)?;
            let value = field.input.longest_in(rest)?;
            values.push(value);
            rest = &rest[value.len()..];
            template = behind;
        }
        (rest == template).then_some(values)
    }

    /// What these values, in the order of the fields, say besides the title.
    fn details(&self, values: &[&str]) -> Vec<Detail> {
        let value = |key: &str| self.fields.iter().zip(values).find(|(field, _)| field.key == key).map(|(_, v)| *v);
        let mut details = Vec::new();
        for (field, value) in self.fields.iter().zip(values) {
            match field.input {
                Input::Choice { default, choices } if *value != default => {
                    let chosen = choices.iter().find(|choice| choice.value == *value);
                    details
                        .extend(chosen.map(|choice| Detail { key: Some(choice.key), title: choice.title.to_owned() }));
                }
                Input::Number { .. } if !["columns", "rows", "in_a_row"].contains(&field.key) => {
                    details.push(Detail { key: None, title: (*value).to_owned() });
                }
                Input::Tick { .. } if !value.is_empty() => {
                    details.push(Detail { key: Some(field.key), title: field.title.to_owned() });
                }
                _ => {}
            }
        }
        if let (Some(cols), Some(rows)) = (value("columns"), value("rows")) {
            details.insert(0, Detail { key: None, title: format!("{cols} × {rows}") });
        }
        details
    }
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

impl Input {
    /// The longest value of the field at the beginning of this text.
    fn longest_in<'n>(&self, text: &'n str) -> Option<&'n str> {
        let up_to = |is_part: fn(&char) -> bool| {
            let length = text.chars().take_while(is_part).map(char::len_utf8).sum();
            Some(&text[..length]).filter(|value| !value.is_empty())
        };
        match self {
            Input::Number { .. } => up_to(char::is_ascii_digit),
            Input::Choice { choices, .. } => {
                let found = choices.iter().map(|choice| choice.value).filter(|value| text.starts_with(value));
                found.max_by_key(|value| value.len()).map(|value| &text[..value.len()])
            }
            Input::Tick { value } => Some(if text.starts_with(value) { &text[..value.len()] } else { "" }),
            Input::Text { .. } => up_to(|letter| *letter != ','),
        }
    }
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
    fn a_name_is_read_by_its_entry_of_the_menu() {
        const NUMBER: Input = Input::Number { default: 7, min: 1, max: 9 };
        const RULES: &[Choice] =
            &[Choice { value: "a", key: "a", title: "A" }, Choice { value: "ab", key: "b", title: "B" }];
        const ENTRY: Entry = Entry {
            key: "rows",
            title: "K in a row",
            name: "rows:{columns},{rows},{rules}{exact}",
            example: ("rows:3,3,a", "3/3/3 x"),
            fields: &[
                Field { key: "columns", title: "Columns", input: NUMBER },
                Field { key: "rows", title: "Rows", input: NUMBER },
                Field { key: "rules", title: "Rules", input: Input::Choice { default: "a", choices: RULES } },
                Field { key: "exact", title: "Exactly", input: Input::Tick { value: ",exact" } },
            ],
        };
        assert_eq!(ENTRY.read("rows:12,3,ab,exact"), Some(vec!["12", "3", "ab", ",exact"]));
        assert_eq!(ENTRY.read("rows:1,3,a"), Some(vec!["1", "3", "a", ""]));
        for other in ["rows", "rows:1,3,c", "rows:1,3,a,free", "lines:1,3,a", "rows:,3,a"] {
            assert_eq!(ENTRY.read(other), None, "{other}");
        }
        let family = Descriptor { menu: &[ENTRY], row: |_| Some(4), ..Descriptor::new("rows", "Rows") };
        let told = |name| {
            let GameFacts { title, details, .. } = family.facts(name);
            std::iter::once(title).chain(details.into_iter().map(|detail| detail.title)).collect::<Vec<_>>().join(" | ")
        };
        assert_eq!(told("rows:5,3,ab,exact"), "4 in a row | 5 × 3 | B | Exactly");
        assert_eq!((told("rows:5,3,a"), told("rows")), ("4 in a row | 5 × 3".into(), "4 in a row".into()));
    }

    #[test]
    fn capitals_leave_something_to_be_filled_in() {
        let complete = |form| Name { form, note: "" }.is_complete();
        assert!(complete("awale:awari") && complete("connect4") && !complete("morpion:M") && !complete("nim:HEAP"));
    }
}
