//! Dialects as data: the words in which they differ, and the grammar that each is read and written by.
//!
//! Layer 4. A dialect is a row of this table. UGI and UCI share one grammar; GTP, Gomocup, NBoard and Hub have one each, which
//! turns their lines into the same messages.

use crate::message::DialectName;

/// The properties of a dialect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dialect {
    /// Its name.
    pub name: DialectName,
    /// Its name on the command line.
    pub called: &'static str,
    /// Its grammar.
    pub grammar: Grammar,
    /// Its naming of moves.
    pub points: Points,
    /// Its answer to a board that is set up, and to a move that is taken back.
    pub done: &'static str,
    /// Its only game, if it has one.
    pub game: Option<&'static str>,
}

impl Dialect {
    /// Whether every command has an answer, and the engine keeps the game.
    #[must_use]
    pub fn answers(&self) -> bool {
        !matches!(self.grammar, Grammar::Universal(_) | Grammar::Hub)
    }
}

/// The grammar of lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grammar {
    /// As in UGI and UCI.
    Universal(Words),
    /// As in GTP.
    Gtp,
    /// As in Gomocup.
    Gomocup,
    /// As in NBoard.
    NBoard,
    /// As in Hub.
    Hub,
}

/// The naming of moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Points {
    /// As the game writes it.
    Moves,
    /// By a letter without I and a number from 1 at the bottom, `J3`; there is `pass`.
    Letters,
    /// By two numbers from 0, `8,2`.
    Numbers,
    /// As the game writes it, in capitals, `F5`; `PA` passes.
    Capitals,
}

/// The words in which UGI and UCI differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Words {
    /// The client's greeting.
    pub greeting: &'static str,
    /// The end of the answer to it.
    pub ok: &'static str,
    /// The command that starts a new game.
    pub new_game: &'static str,
    /// Time left for the first and the second player.
    pub time: [&'static str; 2],
    /// Time added per move for the first and the second player.
    pub increment: [&'static str; 2],
    /// Whether `bestmove M ponder M` is understood; where not, `bestmove` has two words.
    pub ponder_move: bool,
    /// Whether a score may have a `mate` and a `cp`, which is then the final balance.
    pub both_scores: bool,
    /// Whether lines of one-letter moves are written without blanks.
    pub glued_lines: bool,
    /// The best move where there is none.
    pub no_move: &'static str,
}

const UGI: Words = Words {
    greeting: "ugi",
    ok: "ugiok",
    new_game: "uginewgame",
    time: ["p1time", "p2time"],
    increment: ["p1inc", "p2inc"],
    ponder_move: false,
    both_scores: false,
    glued_lines: false,
    no_move: "0000",
};

const UCI: Words = Words {
    greeting: "uci",
    ok: "uciok",
    new_game: "ucinewgame",
    time: ["wtime", "btime"],
    increment: ["winc", "binc"],
    ponder_move: true,
    both_scores: true,
    glued_lines: true,
    no_move: "0000",
};

/// The dialects, in the order of [`DialectName`].
pub(super) const DIALECTS: [Dialect; 6] = [
    Dialect {
        name: DialectName::Ugi,
        called: "ugi",
        grammar: Grammar::Universal(UGI),
        points: Points::Moves,
        done: "",
        game: None,
    },
    Dialect {
        name: DialectName::Uci,
        called: "uci",
        grammar: Grammar::Universal(UCI),
        points: Points::Moves,
        done: "",
        game: None,
    },
    Dialect {
        name: DialectName::Gtp,
        called: "gtp",
        grammar: Grammar::Gtp,
        points: Points::Letters,
        done: "",
        game: None,
    },
    Dialect {
        name: DialectName::Gomocup,
        called: "gomocup",
        grammar: Grammar::Gomocup,
        points: Points::Numbers,
        done: "OK",
        game: None,
    },
    Dialect {
        name: DialectName::NBoard,
        called: "nboard",
        grammar: Grammar::NBoard,
        points: Points::Capitals,
        done: "",
        game: Some("othello"),
    },
    Dialect {
        name: DialectName::Hub,
        called: "hub",
        grammar: Grammar::Hub,
        points: Points::Moves,
        done: "",
        game: None,
    },
];

/// UCI of games with null moves: chess programs take `0000` for one and play on, but all of them know `(none)`. Front ends of other
/// games know `0000` alone.
static UCI_WITH_NULL_MOVES: Dialect = Dialect {
    name: DialectName::Uci,
    called: "uci",
    grammar: Grammar::Universal(Words { no_move: "(none)", ..UCI }),
    points: Points::Moves,
    done: "",
    game: None,
};

/// The dialects that share a grammar: UGI and UCI.
pub(super) fn universal() -> impl Iterator<Item = (DialectName, &'static Words)> {
    DIALECTS.iter().filter_map(|dialect| match &dialect.grammar {
        Grammar::Universal(words) => Some((dialect.name, words)),
        _ => None,
    })
}

/// The dialect of that name.
#[must_use]
pub fn dialect(name: DialectName) -> &'static Dialect {
    &DIALECTS[name as usize]
}

/// The dialect of that name, as it is written for a game with or without null moves.
#[must_use]
pub fn dialect_for(name: DialectName, has_null_moves: bool) -> &'static Dialect {
    if name == DialectName::Uci && has_null_moves { &UCI_WITH_NULL_MOVES } else { dialect(name) }
}

/// The words of UGI or UCI; UGI's for a dialect whose grammar is another one.
#[must_use]
pub fn words(name: DialectName) -> &'static Words {
    universal().find(|(known, _)| *known == name).map_or(&UGI, |(_, words)| words)
}

/// The names of the dialects on the command line.
pub fn dialects() -> impl Iterator<Item = (&'static str, DialectName)> {
    DIALECTS.iter().map(|dialect| (dialect.called, dialect.name))
}
