//! The single list of games, and the way from a name to a game.
//!
//! Layer 5. [`FAMILIES`], made by `families!`, is the only list; everything else is derived from it. Each family defines how
//! its names and parameters are written. [`with_game`] passes a game with its types to a [`Visitor`], which is compiled for
//! every game ([`with_tables`]: for those with tables). Callers that need no types use trait objects: a session, [`any_book`],
//! [`any_tables`], [`any_prover`].

mod records;

use std::path::Path;
use std::sync::LazyLock;

use crate::book::{self, AnyBook};
pub use crate::game::family::Visitor;
use crate::game::family::{Asked, BenchPosition, Descriptor, ExactBook, Family, LevelScale, Name, Sample};
use crate::game::{Evaluate, Game, Notation, Probe, TextError};
use crate::message::{BoardPicture, FiveRule, GameFacts, Problem};
use crate::protocol::tidy;
use crate::prover::AnyProver;
use crate::session::{Catalogue, GameSession, MenuItem, RecordedGame, Resources, Session, Variant};
use crate::spelling::{instead, nearest};
pub use crate::tablebase::TableVisitor;
use crate::tablebase::{AnyTables, Layered, Tabled};

/// Generates all code that covers every family, type by type.
macro_rules! families {
    ($($family:ty,)*) => {
        /// The descriptions of all families.
        pub const FAMILIES: &[&Descriptor] = &[$(&<$family as Family>::DESCRIPTOR),*];

        /// Passes the game to `visitor`; `None` if no family has it.
        fn open<V: Visitor>(asked: &Asked<'_>, visitor: V) -> Option<Result<V::Output, TextError>> {
            $(
                if <$family as Family>::DESCRIPTOR.is_named(asked.word) {
                    return Some(<$family as Family>::open(asked, visitor));
                }
            )*
            None
        }

        /// Passes the tables of the game to `visitor`; `None` if it has none.
        fn open_tables<V: TableVisitor>(asked: &Asked<'_>, visitor: V) -> Option<V::Output> {
            $(
                if <$family as Family>::DESCRIPTOR.is_named(asked.word) {
                    return <$family as Tabled>::open_tables(asked, visitor);
                }
            )*
            None
        }

        /// A book of exact values of the game; `None` if it has none.
        fn open_exact_book(asked: &Asked<'_>, plies: u32, bytes: usize) -> Option<Result<Box<dyn ExactBook>, String>> {
            $(
                if <$family as Family>::DESCRIPTOR.is_named(asked.word) {
                    return <$family as Family>::exact_book(asked, plies, bytes);
                }
            )*
            None
        }
    };
}

// All families, in the order of lists and menus.
families! {
    crate::games::awale::Awale,
    crate::games::mnk::Mnk,
    crate::games::connect4::ConnectFour,
    crate::games::othello::Othello,
    crate::games::chess::Chess,
    crate::games::draughts::Draughts,
    crate::games::nim::Nim,
}

/// The family of a name, whatever its parameters.
#[must_use]
pub fn family_of(name: &str) -> Option<&'static Descriptor> {
    let lower = name.trim().to_ascii_lowercase();
    FAMILIES.iter().copied().find(|family| family.is_named(Asked::new(&lower, false).word))
}

/// The default game.
pub const DEFAULT_GAME: &str = FAMILIES[0].names[0].form;

/// The forms of all names.
pub fn names() -> impl Iterator<Item = &'static Name> {
    FAMILIES.iter().flat_map(|family| family.names)
}

/// The positions of `griot bench`, family by family.
pub fn bench_positions() -> impl Iterator<Item = &'static BenchPosition> {
    FAMILIES.iter().flat_map(|family| family.bench)
}

/// Games of every family, for tests.
pub fn samples() -> impl Iterator<Item = &'static Sample> {
    FAMILIES.iter().flat_map(|family| family.samples)
}

/// The games that have endgame tables, by name.
pub fn names_with_tables() -> impl Iterator<Item = &'static str> {
    FAMILIES.iter().flat_map(|family| family.with_tables).copied()
}

/// The values of `UCI_Variant`.
static VARIANTS: LazyLock<Vec<Variant>> =
    LazyLock::new(|| FAMILIES.iter().flat_map(|family| family.variants).copied().collect());

/// The game that a word probably means: another name of the game, or a misspelt one.
#[must_use]
pub fn meant(asked: &str) -> Option<&'static str> {
    // Names are also accepted with capitals, blanks or underscores, as in "Connect Four" and "puissance_4".
    let asked = asked.trim().to_lowercase().replace([' ', '_'], "-");
    let also = || FAMILIES.iter().flat_map(|family| family.also_called);
    let word = |asked: &str| also().find(|(word, _)| *word == asked).map(|(_, game)| *game);
    if let Some(game) = word(&asked) {
        return Some(game);
    }
    let known = names().filter(|name| name.is_complete()).map(|name| name.form);
    let near = nearest(&asked, known.chain(also().map(|(word, _)| *word)))?;
    Some(word(near).unwrap_or(near))
}

/// Names for people to choose from, in one line.
fn list<'n>(names: impl Iterator<Item = &'n str>) -> String {
    names.collect::<Vec<_>>().join(" | ")
}

/// Passes the layers of the endgame tables of the game called `name` to `visitor`.
///
/// # Errors
/// When there is no such game, its parameters are wrong, or it has no endgame tables; the problem names what is
/// accepted.
pub fn with_tables<V: TableVisitor>(name: &str, visitor: V) -> Result<V::Output, Problem> {
    let lower = name.trim().to_ascii_lowercase();
    // An unknown game is reported before missing tables.
    let known_as = known_as(name)?;
    open_tables(&Asked::new(&lower, false), visitor).ok_or_else(|| {
        let some = list(names_with_tables());
        Problem::new(format!("game '{known_as}' has no endgame tables; there are some for {some}"))
    })
}

/// A new book of exact values of the game called `name`, up to `plies` plies, with a solver's table of `bytes` bytes.
///
/// # Errors
/// When there is no such game, its parameters are wrong, or it has no such books.
pub fn exact_book(name: &str, plies: u32, bytes: usize) -> Result<Box<dyn ExactBook>, Problem> {
    let lower = name.trim().to_ascii_lowercase();
    let known_as = with_game(name, KnownAs)?;
    open_exact_book(&Asked::new(&lower, false), plies, bytes)
        .ok_or_else(|| Problem::new(format!("game '{known_as}' has no books of exact values")))?
        .map_err(|problem| Problem::new(format!("{known_as}: {problem}")))
}

/// The endgame tables of the game called `name`.
///
/// # Errors
/// As [`with_tables`].
pub fn any_tables(name: &str) -> Result<Box<dyn AnyTables>, Problem> {
    struct Any;

    impl TableVisitor for Any {
        type Output = Box<dyn AnyTables>;

        fn visit<N, L>(self, notation: N, layers: L) -> Self::Output
        where
            N: Notation,
            L: Layered<Board = N::Position>,
        {
            <dyn AnyTables>::new(notation, layers)
        }
    }

    with_tables(name, Any)
}

/// Reads the text of an opening book of any game.
///
/// # Errors
/// An error in the text, with its line, or an unknown game.
pub fn any_book(text: &str) -> Result<Box<dyn AnyBook>, Problem> {
    struct Parse<'t>(&'t str);

    impl Visitor for Parse<'_> {
        type Output = Result<Box<dyn AnyBook>, Problem>;

        fn visit<N, E, T>(self, game: Game<N, E, T>) -> Self::Output
        where
            N: Notation,
            E: Evaluate<N::Position>,
            T: Probe<N::Position>,
        {
            <dyn AnyBook>::parse(self.0, game.name, game.notation)
        }
    }

    with_game(book::game_of(text)?, Parse(text))?
}

/// A prover for the game called `name`, with the endgame tables of this folder or those that the game builds in memory.
///
/// # Errors
/// When there is no such game, or the directory has no good tables of it.
pub fn any_prover(name: &str, tables: Option<&Path>) -> Result<Box<dyn AnyProver>, Problem> {
    struct Prove<'d>(Option<&'d Path>);

    impl Visitor for Prove<'_> {
        type Output = Result<Box<dyn AnyProver>, Problem>;

        fn visit<N, E, T>(self, game: Game<N, E, T>) -> Self::Output
        where
            N: Notation,
            E: Evaluate<N::Position>,
            T: Probe<N::Position>,
        {
            <dyn AnyProver>::new(game.notation, game.probe, self.0)
        }
    }

    with_game(name, Prove(tables))?
}

/// The board of a position of the game of that name.
fn board_picture(name: &str, board: &str) -> Option<BoardPicture> {
    struct Show<'b>(&'b str);

    impl Visitor for Show<'_> {
        type Output = Option<BoardPicture>;

        fn visit<N, E, T>(self, game: Game<N, E, T>) -> Self::Output
        where
            N: Notation,
            E: Evaluate<N::Position>,
            T: Probe<N::Position>,
        {
            let position = game.notation.parse_position(self.0).ok()?;
            Some(game.notation.picture(&position).board)
        }
    }

    with_game(name, Show(board)).ok()?
}

/// Whether the game of that name has endgame tables.
#[must_use]
pub fn has_tables(name: &str) -> bool {
    any_tables(name).is_ok()
}

/// Visitor that returns the canonical name of a game.
struct KnownAs;

impl Visitor for KnownAs {
    type Output = String;

    fn visit<N, E, T>(self, game: Game<N, E, T>) -> String
    where
        N: Notation,
        E: Evaluate<N::Position>,
        T: Probe<N::Position>,
    {
        game.name
    }
}

/// The canonical name of the game called `name`.
///
/// # Errors
/// When there is no such game, or its parameters are wrong.
pub fn known_as(name: &str) -> Result<String, Problem> {
    with_game(name, KnownAs)
}

/// Passes the game called `name` to `visitor`.
///
/// # Errors
/// When there is no such game, or its parameters are wrong; the problem names what is accepted.
pub fn with_game<V: Visitor>(name: &str, visitor: V) -> Result<V::Output, Problem> {
    find(name, false, visitor)
}

/// [`with_game`] for a name of a UCI variant: the game writes moves and boards as such clients do.
///
/// # Errors
/// When there is no such game.
pub fn with_variant<V: Visitor>(name: &str, visitor: V) -> Result<V::Output, Problem> {
    find(name, true, visitor)
}

fn find<V: Visitor>(name: &str, as_variant: bool, visitor: V) -> Result<V::Output, Problem> {
    let lower = name.trim().to_ascii_lowercase();
    let found = open(&Asked::new(&lower, as_variant), visitor).ok_or_else(|| {
        let known = list(names().map(|name| name.form));
        Problem::new(format!("no game '{}'{}", tidy(name), instead(meant(name), &known)))
    })?;
    found.map_err(|error| {
        let quoted = error.found.strip_prefix('\'').and_then(|found| found.strip_suffix('\''));
        let found = quoted.map_or_else(|| tidy(&error.found), |found| format!("'{}'", tidy(found)));
        // A word for one game may also be a prefix of other names.
        let meant = meant(name).filter(|meant| *meant != lower);
        let meant = meant.map(|meant| format!("; did you mean '{meant}'?")).unwrap_or_default();
        Problem::new(format!("game '{}': {}{meant}", tidy(name), TextError { found, ..error }))
    })
}

/// All the games of griot.
#[derive(Debug, Clone, Copy, Default)]
pub struct Registry;

/// Opens a session of the game visited.
struct Open(Resources);

impl Visitor for Open {
    type Output = Box<dyn Session>;

    fn visit<N, E, T>(self, game: Game<N, E, T>) -> Self::Output
    where
        N: Notation,
        E: Evaluate<N::Position>,
        T: Probe<N::Position>,
    {
        let Open(mut resources) = self;
        resources.settings.levels = levels_of(&game.name);
        resources.settings.book_text = book_of(&game.name);
        resources.settings.facts = facts_of(&game.name);
        Box::new(GameSession::new(game, resources))
    }
}

/// Strength and search of the levels of the game called `name`.
#[must_use]
pub fn levels_of(name: &str) -> LevelScale {
    family_of(name).map_or(LevelScale::USUAL, |family| family.levels)
}

/// What front ends show of the game called `name`.
#[must_use]
pub fn facts_of(name: &str) -> Option<GameFacts> {
    family_of(name).map(|family| family.facts(name))
}

/// The format in which players of the game called `name` exchange records.
#[must_use]
pub fn records_of(name: &str) -> Option<&'static str> {
    family_of(name).map(|family| (family.records)(name))
}

/// The text of the built-in opening book of the game called `name`, if there is one.
#[must_use]
pub fn book_of(name: &str) -> Option<&'static str> {
    family_of(name)?.books.iter().find(|book| book.game == name).map(|book| book.text)
}

impl Catalogue for Registry {
    fn default_game(&self) -> &str {
        DEFAULT_GAME
    }

    fn names(&self) -> String {
        list(names().map(|name| name.form))
    }

    fn menu(&self) -> Vec<MenuItem> {
        let entries = FAMILIES.iter().flat_map(|family| family.menu);
        entries.map(|&entry| MenuItem { entry, picture: board_picture(entry.example.0, entry.example.1) }).collect()
    }

    fn open(&self, name: &str, resources: Resources) -> Result<Box<dyn Session>, Problem> {
        with_game(name, Open(resources))
    }

    fn read_record(&self, bytes: &[u8], game: &str) -> Result<RecordedGame, Problem> {
        records::first(bytes, game)
    }

    fn five_in_a_row(&self, cols: u64, rows: u64, rule: FiveRule) -> Option<String> {
        FAMILIES.iter().find_map(|family| family.five_in_a_row?(cols, rows, rule))
    }

    fn chess960(&self, name: &str, on: bool) -> Option<&'static str> {
        FAMILIES.iter().find_map(|family| family.chess960?(name, on))
    }

    fn bench(&self, name: &str) -> &[BenchPosition] {
        family_of(name).map_or(&[], |family| family.bench)
    }

    fn variants(&self) -> &[Variant] {
        &VARIANTS
    }

    fn open_variant(&self, name: &str, resources: Resources) -> Result<Box<dyn Session>, Problem> {
        with_variant(name, Open(resources))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::{Entry, Said, Worth};
    use crate::prover::{Asked, Feat};
    use crate::tablebase::{Built, Monitor, Plan, ProbeError};

    #[test]
    fn every_way_to_name_a_game_finds_it() {
        for (asked, name) in [
            ("awale", "awale"),
            ("AWALE:abapa", "awale"),
            ("awale:awari", "awale:awari"),
            (" awale:tipe ", "awale:tipe"),
            ("awale:mini", "awale:mini"),
            ("tictactoe", "tictactoe"),
            ("morpion:3", "tictactoe"),
            ("morpion:4", "mnk:4,4,4"),
            ("mnk:9,9,5", "mnk:9,9,5"),
            ("mnk:22,22,6", "mnk:22,22,6"),
            ("gomoku", "gomoku"),
            ("gomokufreestyle", "gomokufreestyle"),
            ("connect4", "connect4"),
            ("Connect4:7,6,4", "connect4"),
            ("connect4:5,4,3", "connect4:5,4,3"),
            ("cfour", "connect4"),
            ("othello", "othello"),
            ("draughts", "draughts:international"),
            ("Dames", "draughts:international"),
            ("checkers", "draughts:english"),
            ("draughts:italian", "draughts:italian"),
            ("nim", "nim"),
            ("nim:21", "nim"),
            ("nim:7", "nim:7"),
            ("nim:3-4-5,take=any,normal", "nim:3-4-5,take=any,normal"),
        ] {
            assert_eq!(super::known_as(asked).as_deref(), Ok(name), "{asked}");
        }
        for &Variant { name, .. } in Registry.variants() {
            let known_as = match name {
                "cfour" => "connect4",
                "standard" => "chess",
                other => other,
            };
            assert_eq!(super::known_as(name).as_deref(), Ok(known_as));
        }
    }

    #[test]
    fn a_book_is_read_without_knowing_its_game() {
        let board = "3/1x1/3 o";
        let entry = Entry { board: board.into(), mv: "a1".into(), worth: Worth::Centi(0), depth: 8 };
        let text = book::text("tictactoe", &[], std::slice::from_ref(&entry));
        let book = any_book(&text).unwrap();
        assert_eq!((book.game(), book.positions(), book.worth(0)), ("tictactoe", 1, Some((Worth::Centi(0), 8))));
        assert_eq!((book.entry(0), book.entry(1), book.worth(1)), (Some(entry), None, None));
        let said = |depth, line: &[&str]| Said {
            worth: Worth::Centi(0),
            depth,
            line: line.iter().map(|&mv| mv.into()).collect(),
        };
        let seen = book.look_up(Some(board), "").unwrap();
        assert_eq!((seen.said, seen.moves), (Some(said(8, &["a1"])), vec![]));
        // The book has no value for the start position, only for the move from it.
        let seen = book.look_up(None, "").unwrap();
        assert_eq!((seen.said, seen.moves), (None, vec![said(8, &["b2", "a1"])]));
        assert_eq!(book.look_up(None, "b2").unwrap().said, Some(said(8, &["a1"])));
        let wrong = |board, moves| book.look_up(board, moves).unwrap_err().to_string();
        assert!(wrong(Some("3/3"), "").starts_with("board: "));
        assert!(wrong(None, "b2 b2").starts_with("move 'b2': "));
        let unknown = book::text("shogi", &[], &[]);
        assert!(any_book(&unknown).err().unwrap().to_string().contains("no game 'shogi'"));
    }

    #[test]
    fn tables_are_made_and_probed_without_knowing_their_game() {
        let folder = tempfile::tempdir().unwrap();
        let tables = || any_tables("awale:mini").unwrap();
        let plan = Plan { top: 3, threads: 1, memory: None };
        let mut written = 0;
        let report = &mut |built: Built<'_>| written += u32::from(matches!(built, Built::Written(_)));
        let boards = tables().build(folder.path(), &plan, &Monitor::default(), report).unwrap();
        let header = tables().header(3);
        assert_eq!((written, header.layer, folder.path().join(header.file_name()).exists()), (4, 3, true));
        // There are 1, 6, 21 and 56 ways to put 0 to 3 seeds into 6 houses.
        assert_eq!((boards, tables().top(), tables().header(usize::MAX).layer), (84, 12, 12));
        let probed = tables().look_up(folder.path(), "1-0-1-0-1-0-5-4-S").unwrap();
        let moves: Vec<&str> = probed.moves.iter().map(|(mv, _)| mv.as_str()).collect();
        assert_eq!(moves, ["A", "C"]);
        let best = probed.moves.iter().filter_map(|(_, worth)| *worth).map(|worth| worth.low).max();
        assert_eq!(best, Some(probed.bounds.low));
        let wrong = |board: &str| tables().look_up(folder.path(), board).unwrap_err();
        assert!(matches!(wrong("none"), ProbeError::Board(_)));
        assert!(matches!(wrong("2-2-2-2-2-2-0-0-S"), ProbeError::TooHigh { found: 12, most: 3, .. }));
        assert!(any_tables("chess").err().unwrap().to_string().contains("has no endgame tables"));
    }

    #[test]
    fn a_move_is_proven_without_knowing_its_game() {
        let prover = any_prover("tictactoe", None).unwrap();
        let confirm = |board, mv, wins| {
            let feat = if wins { Feat::Win } else { Feat::Draw };
            let asked = Asked { board, mv, feat, within: None };
            prover.confirm(&asked, u64::MAX, &mut |_| None, &|| false).is_some()
        };
        // x completes its row; no other move wins.
        assert!(confirm("3/oo1/xx1 x", "c1", true) && !confirm("3/oo1/xx1 x", "c2", true));
        // o must block it; only that draws.
        assert!(confirm("3/1o1/xx1 o", "c1", false) && !confirm("3/1o1/xx1 o", "c2", false));
        // A board and its mirror image share a number.
        assert_eq!(prover.folded("3/1o1/xx1 o"), prover.folded("3/1o1/1xx o"));
        assert!(prover.folded("3/1o1/xx1 o").is_some() && prover.folded("none").is_none());
    }

    #[test]
    fn a_lead_is_proven_after_the_captures_that_must_be_played() {
        let prover = any_prover("draughts:english", None).unwrap();
        let board = "W:W13,17,21,22:B5,7,20,23";
        assert_eq!((prover.captured_lead(board), prover.must_capture(board)), (Some(0), false));
        let confirm = |mv, lead, more| {
            let asked = Asked { board, mv, feat: Feat::Lead { lead, more }, within: Some(1) };
            prover.confirm(&asked, u64::MAX, &mut |_| None, &|| false).is_some()
        };
        // 13-9 5x14 17x10x3 takes two men for one, and is crowned. The last capture comes after one move of each side.
        assert!(confirm("13-9", 2, 2));
        assert!(!confirm("13-9", 3, 2) && !confirm("13-9", 2, 3));
        assert!(!confirm("22-18", 0, 1) && !confirm("22-18", 2, 1));
        assert!(prover.must_capture("B:W9,17,21,22:B5,7,20,23"));
    }

    #[test]
    fn a_wrong_name_is_told_what_would_be_right() {
        for (asked, part) in [
            ("shogi", "no game 'shogi'; there are awale"),
            ("awele", "no game 'awele'; did you mean 'awale'? There are awale | "),
            ("Puissance 4", "no game 'Puissance 4'; did you mean 'connect4'?"),
            ("puissance4", "did you mean 'connect4'?"),
            ("reversi", "did you mean 'othello'?"),
            ("morpion", "game 'morpion': "),
            ("morpion", "; did you mean 'tictactoe'?"),
            ("echecs", "did you mean 'chess'?"),
            ("Échecs", "did you mean 'chess'?"),
            ("otello", "did you mean 'othello'?"),
            ("gomuku", "did you mean 'gomoku'?"),
            ("", "no game ''"),
            ("awale:oware", "variant: expected abapa, awari, tipe or mini, found 'oware'"),
            ("mnk:3,3", "game 'mnk:3,3': "),
            ("mnk:23,3,3", "22"),
            ("mnk:3,3,4", "game 'mnk:3,3,4': "),
            ("morpion:", "game 'morpion:': "),
            ("connect4:7,6", "game 'connect4:7,6': line length: "),
            ("connect4:9,9,4", "rows: expected at most 6 rows on 9 columns, found 9"),
            ("cfour:7,6,4", "game 'cfour:7,6,4': parameters: expected none"),
            ("othello:6", "game 'othello:6': parameters: expected none, found '6'"),
            ("nim:x", "game 'nim:x': "),
            ("tictactoe:4", "game 'tictactoe:4': parameters: expected none, found '4'"),
        ] {
            let said = with_game(asked, KnownAs).unwrap_err().to_string();
            assert!(said.contains(part), "{asked}: {said}");
        }
    }
}
