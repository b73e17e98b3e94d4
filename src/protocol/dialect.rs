//! Dialects as data: the words in which UGI and UCI differ.
//!
//! Floor 4. A dialect is a row of this table; there is no code for one.

use crate::message::DialectName;

/// How a dialect writes what all dialects say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dialect {
    /// Which one it is.
    pub name: DialectName,
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
    /// Whether lines of one-letter moves are written without blanks.
    pub glued_lines: bool,
}

/// The dialects, in the order of [`DialectName`].
pub(super) const DIALECTS: [Dialect; 2] = [
    Dialect {
        name: DialectName::Ugi,
        greeting: "ugi",
        ok: "ugiok",
        new_game: "uginewgame",
        time: ["p1time", "p2time"],
        increment: ["p1inc", "p2inc"],
        ponder_move: false,
        glued_lines: false,
    },
    Dialect {
        name: DialectName::Uci,
        greeting: "uci",
        ok: "uciok",
        new_game: "ucinewgame",
        time: ["wtime", "btime"],
        increment: ["winc", "binc"],
        ponder_move: true,
        glued_lines: true,
    },
];

/// The dialect of that name.
#[must_use]
pub fn dialect(name: DialectName) -> &'static Dialect {
    &DIALECTS[name as usize]
}
