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
