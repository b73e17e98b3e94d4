//! Text to message and back: the only room that knows how a line is written.
//!
//! Floor 4. Pure functions of text: no state, no input or output, no game. `parse` reads a line and `render` writes one, in the
//! dialect that the client's greeting, its first word or the command line chose; the words of UGI and UCI are read in both.
//! The contract for strangers is `protocol.md`.

mod dialect;
mod drawing;
mod ggf;
mod gomocup;
mod gtp;
mod nboard;
mod parse;
mod render;
mod view;

pub use dialect::{Dialect, Grammar, Points, Words, dialect, dialects, words};
pub use drawing::{DrawnLine, Span, SpanRole, draw, plain, sketch};
pub use parse::{Request, is_empty, opened_by, parse, refuse};
pub use render::{render, tidy};
pub use view::View;

/// What `help` answers, a line each.
pub fn help() -> impl Iterator<Item = &'static str> {
    HELP.lines()
}

const HELP: &str = "\
griot speaks UGI, UCI, GTP, Gomocup and NBoard; protocol.md is the whole contract. Commands of UGI and UCI:
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
  query gameover|p1turn|result|fen|legalmoves|board|picture|games
  debug on|off | help | quit";
