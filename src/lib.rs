//! griot: a board-game engine for other people's front ends.
//!
//! griot plays awalé, m,n,k games, Connect Four, Othello and Nim, and speaks UGI, UCI, GTP and the protocol of Gomocup on stdin
//! and stdout; `protocol.md` is the contract with the programs at the other end of the pipe. This crate is the whole engine as
//! a library; the program is a thin layer over it.
//!
//! # The house
//!
//! A module imports only from floors below its own, and two rooms on one floor do not know each other.
//!
//! | floor | rooms | what is there |
//! |--:|---|---|
//! | 6 | the program | command line and subcommands |
//! | 5 | [`engine`], [`registry`] | event loop and connection; the one list of games |
//! | 4 | [`protocol`], [`session`] | text to message and back; message to action, the search thread |
//! | 3 | [`search`], [`time`] | tree search over any game; clock to budget |
//! | 2 | [`games`] | rules, texts, evaluation and table index of each game |
//! | 1 | [`tablebase`] | endgame tables of any layered game |
//! | 1 | the grid of [`games`] | texts that games on a grid of cells share |
//! | 0 | [`message`], [`game`], [`score`] | plain data; the traits of a game; values |
//!
//! # How a line travels
//!
//! ```text
//! stdin -> reader thread -> protocol::parse -> Command -> engine -> session -> search thread
//! stdout <- protocol::render(dialect) <- Reply <- engine <----------------------- news
//! ```
//!
//! One channel, one consumer, one writer. The search prints nothing: its whole contact with the world is
//! [`search::Observer`]. A session is generic over its game and compiled for it; behind [`session::Session`] the engine
//! sees only strings and plain data, once per command and never once per node.
//!
//! # Talking to an engine in memory
//!
//! ```
//! use std::io::{BufRead, Write};
//!
//! use griot::engine::{Connection, Engine};
//! use griot::registry::Registry;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let (connection, mut client) = Connection::memory()?;
//! let engine = std::thread::spawn(move || Engine::new(&Registry, connection).map(|mut engine| engine.run()));
//!
//! writeln!(client.input, "setoption name Game value tictactoe")?;
//! writeln!(client.input, "position startpos moves a1 a2 b1 b2\ngo depth 3\nquit")?;
//! let lines = client.output.lines().collect::<Result<Vec<String>, _>>()?;
//!
//! assert!(lines[0].starts_with("info depth 1 seldepth 1 score mate 1 "));
//! assert_eq!(lines.last().map(String::as_str), Some("bestmove c1"));
//! engine.join().expect("the engine does not panic")??;
//! # Ok(())
//! # }
//! ```
//!
//! # Searching without any protocol
//!
//! ```
//! use griot::game::Notation as _;
//! use griot::games::mnk::{Evaluate, Notation, Parameters, Style};
//! use griot::score::Score;
//! use griot::search::{Knowledge, Task, TranspositionTable, search};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // Boards of up to 64 bits need one word.
//! let notation: Notation<1> = Notation::new(Parameters::TIC_TAC_TOE, Style::Coordinates);
//! let evaluate: Evaluate<1> = Evaluate::new(Parameters::TIC_TAC_TOE);
//! let table = TranspositionTable::new(1)?; // MiB
//!
//! let task = Task::new(notation.parse_position("xx1/oo1/3 x")?);
//! let knowledge = Knowledge { evaluate: &evaluate, probe: &(), table: &table };
//! // The observer `()` listens to nothing and never says stop: the search ends when the position is solved.
//! let verdict = search(&task, knowledge, &mut ());
//!
//! assert_eq!(notation.move_text(&task.root, verdict.pv[0]), "c3");
//! assert_eq!(verdict.score, Score::win_in(1)); // plies
//! # Ok(())
//! # }
//! ```
//!
//! # A game of one's own
//!
//! Implement [`game::Position`], [`game::Notation`] and [`game::Evaluate`], put them into a [`game::Game`], and hand it to
//! [`engine::serve`]; [`game::conformance`] tells whether it keeps the laws that the search relies on.

pub mod engine;
pub mod game;
pub mod games;
pub mod message;
pub mod protocol;
pub mod registry;
pub mod score;
pub mod search;
pub mod session;
pub mod tablebase;
pub mod time;
