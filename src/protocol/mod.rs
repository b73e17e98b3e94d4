//! Text to message and back: the only module that knows how a line is written.
//!
//! Layer 4. Pure functions of text: no state, no I/O, no game. `parse` reads a line and `render` writes one, in the dialect
//! that the greeting, the first word or the command line chose; the words of UGI and UCI are read in both. `protocol.md` is the
//! specification.

use crate::spelling::nearest;

mod dialect;
mod drawing;
mod ggf;
mod gomocup;
mod gtp;
mod hub;
mod nboard;
mod parse;
mod render;
mod view;

pub use dialect::{Dialect, Grammar, Points, Words, dialect, dialect_for, dialects, words};
pub use drawing::{DrawnLine, Span, SpanRole, draw, plain, sketch, sketch_moves};
pub use parse::{Request, is_empty, opened_by, parse, refuse};
pub use render::{render, tidy, tidy_path};
pub use view::{NextPoint, View, vertex};

/// The suggestion for a line that begins with this word, which is not a command of UGI and UCI.
#[must_use]
pub fn meant(word: &str) -> Option<String> {
    let lower = word.to_lowercase();
    let hint = HINTS.iter().find(|(words, _)| words.contains(&lower.as_str())).map(|(_, hint)| (*hint).to_owned());
    hint.or_else(|| {
        nearest(&lower, PROGRAM_COMMANDS.into_iter().chain(TYPED_COMMANDS))
            .map(|command| format!("did you mean '{command}'?"))
    })
}

/// The commands of UGI and UCI that programs send, those most used first.
const PROGRAM_COMMANDS: [&str; 12] = [
    "go",
    "stop",
    "position",
    "setoption",
    "isready",
    "quit",
    "ugi",
    "uci",
    "uginewgame",
    "ucinewgame",
    "ponderhit",
    "debug",
];

/// The other commands of UGI and UCI, which people type.
const TYPED_COMMANDS: [&str; 5] = ["query", "help", "eval", "flip", "bench"];

/// Words of people and of other programs, with the command to suggest.
const HINTS: &[(&[&str], &str)] = &[
    (&["play", "move"], "'position startpos moves …' plays moves, and 'griot play' is a program for people"),
    (&["moves", "legal"], "'query legalmoves' lists the moves"),
    (&["evaluate", "score", "think", "analyse", "analyze"], "'go movetime 1000' values the position"),
    (&["board", "show", "display", "print"], "'d' draws the board"),
    (&["startpos"], "'position startpos' sets up the start"),
    (&["fen"], "'query fen' tells the board text, 'position fen …' sets one up"),
    (&["new", "newgame"], "'position startpos' sets up the start, 'uginewgame' forgets the game before"),
    (&["undo", "back"], "'position startpos moves …' with fewer moves takes one back"),
    (&["perft"], "'go perft N' counts lines of play"),
    (&["level"], "'setoption name Skill Level value N' chooses a level, 0 to 20"),
    (&["game"], "'setoption name Game value NAME' chooses a game"),
    (&["games"], "'query games' lists the games"),
    (&["set", "option", "options"], "'setoption name NAME value VALUE' sets an option, 'ugi' lists them"),
    (&["exit", "bye", "end"], "'quit' ends griot"),
];

/// The lines of `help`.
pub fn help() -> impl Iterator<Item = &'static str> {
    HELP.lines()
}

const HELP: &str = "\
griot speaks UGI, UCI, GTP, Gomocup, NBoard and Hub; protocol.md is the specification. Commands of UGI and UCI:
  ugi | uci                          greet: identity, options, ugiok | uciok
  isready                            answer readyok, also during a search
  setoption name NAME [value VALUE]  set an option; names in any case
  uginewgame | ucinewgame            forget the last game
  position startpos [moves M ...]    set up the start position, play moves
  position fen BOARD [moves M ...]   set up a board text, play moves
  go [depth N] [nodes N] [movetime MS] [infinite] [ponder] [mate N] [searchmoves M ...]
     [p1time MS p2time MS p1inc MS p2inc MS | wtime MS btime MS winc MS binc MS] [movestogo N]
                                     search; whichever limit comes first; none: until stop
  go perft N                         count the lines of N plies
  stop | ponderhit                   end the search | the expected move was played
  query gameover|p1turn|result|fen|legalmoves|board|picture|games|line MOVES
  d                                  draw the board, as query board does
  eval | flip                        value the position without a search | turn the board round
  bench [N]                          search the bench positions of the game, to N plies
  debug on|off | help | quit";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_types_another_programs_word_is_told_the_command() {
        for (word, hint) in [
            ("Moves", Some("'query legalmoves' lists the moves")),
            ("score", Some("'go movetime 1000' values the position")),
            ("postion", Some("did you mean 'position'?")),
            ("isredy", Some("did you mean 'isready'?")),
            ("exit", Some("'quit' ends griot")),
            ("xboard", None),
            ("nonsense", None),
            ("A", None),
        ] {
            assert_eq!(meant(word).as_deref(), hint, "{word}");
        }
    }
}
