//! The one list of games: from a name to a game, and from there to whatever is done with it.
//!
//! Floor 5. Knows every game and how its parameters are written. [`with_game`] hands a game to a [`Visitor`] with all its
//! types; that is the only place where a name chooses a type. A session is one visitor, the tests of all games are others.

use crate::game::{Evaluate, Game, Notation, Probe, TextError};
use crate::games::awale::Variant as _;
use crate::games::mnk::{self, Style};
use crate::games::{awale, connect4, nim, othello};
use crate::message::Problem;
use crate::protocol::tidy;
use crate::session::{Catalogue, GameSession, Resources, Session, Variant};
use crate::tablebase::Layered;

/// The game that is played when none is chosen.
pub const DEFAULT_GAME: &str = "awale";

/// How games are named, for people.
pub const NAMES: &str = "awale | awale:awari | awale:tipe | awale:mini | tictactoe | morpion:M | mnk:COLS,ROWS,K | gomoku \
                         | gomokufreestyle | connect4 | connect4:COLS,ROWS,K | othello | nim \
                         | nim:HEAP-HEAP,take=N|any,normal|misere";

/// Names under which UCI clients ask for games, where `UCI_Variant` is all they know to set. The m,n,k games and Connect
/// Four (`cfour`) are those of Cute Chess, and written as it does.
const VARIANTS: [Variant; 9] = [
    Variant { name: "awale", restyled: false },
    Variant { name: "awale:awari", restyled: false },
    Variant { name: "awale:tipe", restyled: false },
    Variant { name: "awale:mini", restyled: false },
    Variant { name: "tictactoe", restyled: true },
    Variant { name: "cfour", restyled: true },
    Variant { name: "gomoku", restyled: true },
    Variant { name: "gomokufreestyle", restyled: true },
    Variant { name: "othello", restyled: false },
];

/// The positions by which the search is measured: game, board text (nothing: the start position), depth in plies.
pub const BENCH_POSITIONS: &[(&str, &str, u32)] = &[
    ("awale", "", 12),
    ("awale", "1-0-2-9-1-8-0-7-2-1-6-3-4-4-S", 12),
    ("awale", "0-1-0-3-0-2-1-0-2-0-0-1-20-18-N", 16),
    ("awale:awari", "0-12-1-0-3-1-2-0-1-2-1-1-12-12-S", 12),
    ("awale:tipe", "5-5-0-0-5-5-4-4-4-4-4-4-2-2-S", 11),
    ("awale:mini", "", 16),
    ("tictactoe", "", 9),
    ("mnk:4,4,4", "4/1x2/2o1/4 x", 10),
    ("mnk:7,7,5", "", 4),
    ("gomoku", "15/15/15/15/15/15/7x7/6ox7/7o7/15/15/15/15/15/15 x", 3),
    ("gomokufreestyle", "15/15/15/15/15/6oxo6/7x7/7x7/15/15/15/15/15/15/15 o", 3),
    ("connect4", "", 11),
    ("connect4", "7/7/3o3/3x3/2xo3/1oxxo2 x", 13),
    ("connect4", "2o4/2x4/2xox2/o1oxo2/x1xox2/xooxo1x o", 40),
    ("connect4:6,5,4", "", 12),
    ("othello", "", 9),
    ("othello", "8/8/2xx4/2ooooo1/2oooo2/2x1oox1/3x2o1/4x3 x", 7),
    ("othello", "1ox1oox1/1ox1oxx1/2oxxxx1/1ooooxx1/1xooxxx1/3oxxx1/3xx1ox/2oooo1o x", 7),
    ("othello", "oo1oooxx/xoxooox1/1xooooxx/1xxxooxx/1xxxooxx/oxxxxxx1/o1xxxxxo/o1xxxxx1 o", 20),
    ("nim", "", 8),
    ("nim:3-4-5,take=any", "", 8),
];

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

/// Something to be done with the endgame tables of a game of any type.
pub trait TableVisitor {
    /// What comes of it.
    type Output;
    /// Does it.
    fn visit<N, L>(self, notation: N, layers: L) -> Self::Output
    where
        N: Notation,
        L: Layered<Board = N::Position>;
}

/// The games that have endgame tables, for people.
pub const NAMES_WITH_TABLES: &str = "awale | awale:awari | awale:tipe | awale:mini";

/// Finds the game called `name` and hands the layers of its endgame tables to `visitor`.
///
/// # Errors
/// When there is no such game, its parameters are wrong, or it has no endgame tables; the problem tells what would be right.
pub fn with_tables<V: TableVisitor>(name: &str, visitor: V) -> Result<V::Output, Problem> {
    use awale::{Abapa, AwaleLayers, AwaleNotation, Awari, Mini, Tipe};
    // Names are understood in one place.
    match with_game(name, Name)?.as_str() {
        Abapa::NAME => Ok(visitor.visit(AwaleNotation::<Abapa>::default(), AwaleLayers::<Abapa>::default())),
        Awari::NAME => Ok(visitor.visit(AwaleNotation::<Awari>::default(), AwaleLayers::<Awari>::default())),
        Tipe::NAME => Ok(visitor.visit(AwaleNotation::<Tipe>::default(), AwaleLayers::<Tipe>::default())),
        Mini::NAME => Ok(visitor.visit(AwaleNotation::<Mini>::default(), AwaleLayers::<Mini>::default())),
        other => {
            Err(Problem::new(format!("game '{other}' has no endgame tables; there are some for {NAMES_WITH_TABLES}")))
        }
    }
}

/// Whether the game of that name has endgame tables.
#[must_use]
pub fn has_tables(name: &str) -> bool {
    with_tables(name, Yes).is_ok()
}

struct Yes;

impl TableVisitor for Yes {
    type Output = ();
    fn visit<N, L>(self, _notation: N, _layers: L)
    where
        N: Notation,
        L: Layered<Board = N::Position>,
    {
    }
}

/// Asks a game for the name it goes by.
struct Name;

impl Visitor for Name {
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

/// Finds the game called `name` and hands it to `visitor`.
///
/// # Errors
/// When there is no such game, or its parameters are wrong; the problem tells what would be right.
pub fn with_game<V: Visitor>(name: &str, visitor: V) -> Result<V::Output, Problem> {
    with_styled_game(name, Style::Coordinates, visitor)
}

fn with_styled_game<V: Visitor>(name: &str, style: Style, visitor: V) -> Result<V::Output, Problem> {
    let lower = name.trim().to_ascii_lowercase();
    let (family, parameters) = lower.split_once(':').unwrap_or((&lower, ""));
    let wrong = |error: &TextError| Problem::new(format!("game '{}': {error}", tidy(name)));
    match family {
        "awale" => match parameters {
            "" | "abapa" => Ok(visitor.visit(awale::game::<awale::Abapa>())),
            "awari" => Ok(visitor.visit(awale::game::<awale::Awari>())),
            "tipe" => Ok(visitor.visit(awale::game::<awale::Tipe>())),
            "mini" => Ok(visitor.visit(awale::game::<awale::Mini>())),
            _ => Err(wrong(&TextError::new(0, "variant", "abapa, awari, tipe or mini", format!("'{parameters}'")))),
        },
        "tictactoe" | "gomoku" | "gomokufreestyle" | "cfour" | "othello" if lower.contains(':') => {
            Err(wrong(&TextError::new(0, "parameters", "none", format!("'{}'", tidy(parameters)))))
        }
        "mnk" | "morpion" | "tictactoe" | "gomoku" | "gomokufreestyle" => {
            let parameters = mnk::parse_parameters(&lower).map_err(|error| wrong(&error))?;
            let name = parameters.to_string();
            Ok(match parameters.words() {
                1 => visitor.visit(mnk::game::<1>(name, parameters, style)),
                2 => visitor.visit(mnk::game::<2>(name, parameters, style)),
                4 => visitor.visit(mnk::game::<4>(name, parameters, style)),
                _ => visitor.visit(mnk::game::<8>(name, parameters, style)),
            })
        }
        "connect4" | "cfour" => {
            let parameters = connect4::parse_parameters(&lower).map_err(|error| wrong(&error))?;
            Ok(if parameters == connect4::Parameters::STANDARD {
                visitor.visit(connect4::game(connect4::Standard, style))
            } else {
                visitor.visit(connect4::game(parameters, style))
            })
        }
        "othello" => Ok(visitor.visit(othello::game())),
        "nim" => {
            let parameters = nim::Parameters::parse(parameters).map_err(|error| wrong(&error))?;
            Ok(visitor.visit(nim::game(parameters)))
        }
        _ => Err(Problem::new(format!("no game '{}'; there are {NAMES}", tidy(name)))),
    }
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
        Box::new(GameSession::new(game, self.0))
    }
}

impl Catalogue for Registry {
    fn default_game(&self) -> &str {
        DEFAULT_GAME
    }

    fn names(&self) -> String {
        NAMES.into()
    }

    fn open(&self, name: &str, resources: Resources) -> Result<Box<dyn Session>, Problem> {
        with_game(name, Open(resources))
    }

    fn five_in_a_row(&self, cols: u64, rows: u64, exact: bool) -> Option<String> {
        let fits = |side| (5..=u64::from(mnk::MAX_SIDE)).contains(&side);
        (fits(cols) && fits(rows)).then(|| format!("mnk:{cols},{rows},5{}", if exact { ",exact" } else { "" }))
    }

    fn variants(&self) -> &[Variant] {
        &VARIANTS
    }

    fn open_variant(&self, name: &str, resources: Resources) -> Result<Box<dyn Session>, Problem> {
        with_styled_game(name, Style::Drops, Open(resources))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            ("nim", "nim"),
            ("nim:21", "nim"),
            ("nim:7", "nim:7"),
            ("nim:3-4-5,take=any,normal", "nim:3-4-5,take=any,normal"),
        ] {
            assert_eq!(with_game(asked, Name).as_deref(), Ok(name), "{asked}");
        }
        for Variant { name, .. } in VARIANTS {
            let known_as = if name == "cfour" { "connect4" } else { name };
            assert_eq!(with_game(name, Name).as_deref(), Ok(known_as));
        }
    }

    #[test]
    fn a_wrong_name_is_told_what_would_be_right() {
        for (asked, part) in [
            ("chess", "no game 'chess'; there are awale"),
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
            let said = with_game(asked, Name).unwrap_err().to_string();
            assert!(said.contains(part), "{asked}: {said}");
        }
    }
}
