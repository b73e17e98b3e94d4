//! griot: a board-game engine.
//!
//! griot plays chess, draughts, awalé, m,n,k games, Connect Four, Othello and Nim, and speaks UGI, UCI, GTP, Gomocup, NBoard
//! and Hub on stdin and stdout; `protocol.md` is the protocol specification. This crate is the whole engine as a library; the program is a thin
//! layer over it.
//!
//! ```
//! use griot::games::awale::{Abapa, AwaleEvaluation, AwaleNotation};
//! use griot::game::Notation as _;
//! use griot::search::{Knowledge, Task, TranspositionTable, search};
//!
//! let notation = AwaleNotation::<Abapa>::new();
//! let table = TranspositionTable::new(16)?; // MiB
//! let position = notation.parse_position("0-0-0-0-0-1-0-0-0-1-1-5-20-20-S")?;
//! let task = Task { depth: 10, ..Task::new(position) };
//! let best = search(&task, Knowledge::new(&AwaleEvaluation::default(), &(), &table), &mut ());
//! println!("{}: {}", notation.move_text(&position, best.pv[0]), best.score);
//! # assert_eq!(notation.move_text(&position, best.pv[0]), "F");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The layers
//!
//! A module imports only from layers below its own, and two modules of one layer do not import each other.
//!
//! | layer | modules | contents |
//! |--:|---|---|
//! | 6 | the program | command line and subcommands |
//! | 5 | [`engine`], [`registry`] | event loop and connection; the single list of games |
//! | 4 | [`protocol`], [`session`] | text to message and back; message to action, the search thread |
//! | 3 | [`search`], [`time`] | tree search over any game; clock to budget |
//! | 2 | [`games`] | rules, texts, evaluation and table index of each game |
//! | 1 | [`tablebase`] | endgame tables of any layered game |
//! | 1 | [`book`] | opening books of any game |
//! | 1 | the grid of [`games`] | texts that games on a grid of cells share |
//! | 0 | [`message`], [`game`], [`score`] | plain data, pictures included; the traits of a game; scores |
//! | 0 | [`spelling`] | suggestions for misspelt words |
//! | 0 | [`files`] | the one module that opens and writes files |
//! | 0 | [`encoding`] | input as UTF-8 |
//! | 0 | `memory` | memory hints for processor and system |
//! | 0 | `vector` | arithmetic on rows of numbers, with AVX2 where the processor has it |
//!
//! # How a line travels
//!
//! ```text
//! stdin -> reader thread -> protocol::parse -> Command -> engine -> session -> search thread
//! stdout <- engine's outbox <- protocol::render(dialect) <- Reply <- engine, session, search thread
//! ```
//!
//! One channel, one consumer, one output; see [`engine`]. The search prints nothing: its only contact with the outside is
//! [`search::Observer`]. A session is generic over its game; the engine uses it through [`session::Session`], with strings and
//! plain data, once per command and never once per node.
//!
//! # An engine in memory
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
//! # Searching without a protocol
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
//! let knowledge = Knowledge::new(&evaluate, &(), &table);
//! // The observer `()` ignores results and never stops: the search ends when the position is solved.
//! let verdict = search(&task, knowledge, &mut ());
//!
//! assert_eq!(notation.move_text(&task.root, verdict.pv[0]), "c3");
//! assert_eq!(verdict.score, Score::win_in(1)); // plies
//! # Ok(())
//! # }
//! ```
//!
//! # A game of your own
//!
//! Three traits make a game: [`game::Position`] has the rules, [`game::Notation`] the texts, and [`game::Evaluate`] the
//! evaluation. Here is a complete one: two players count up from 0, by 1, 2 or 3 at a time, and the player who says ten
//! wins.
//!
//! ```
//! use griot::game::{Evaluate, Game, NoExpertise, Notation, Outcome, Position, Side, TextError, conformance, mix64};
//! use griot::score::Score;
//! use griot::search::{Knowledge, Task, TranspositionTable, search};
//!
//! /// 1. The rules: a plain value, cheap to copy, without history and without text.
//! #[derive(Debug, Clone, PartialEq, Eq)]
//! struct Counting {
//!     said: u8,
//!     turn: Side,
//! }
//!
//! impl Position for Counting {
//!     /// The number that is said.
//!     type Move = u8;
//!
//!     fn side_to_move(&self) -> Side {
//!         self.turn
//!     }
//!
//!     fn outcome(&self) -> Option<Outcome> {
//!         (self.said == 10).then(|| Outcome::Win(self.turn.other()))
//!     }
//!
//!     fn generate(&self, moves: &mut Vec<u8>) {
//!         moves.extend((self.said + 1..=self.said + 3).filter(|&number| number <= 10));
//!     }
//!
//!     fn play(&mut self, number: u8) {
//!         *self = Counting { said: number, turn: self.turn.other() };
//!     }
//!
//!     fn hash(&self) -> u64 {
//!         mix64(1 << 8 | u64::from(self.said) << 1 | self.turn.index() as u64)
//!     }
//! }
//!
//! /// 2. The texts: boards as `7 a`, the number and the player to move; moves as `8`. They read back what they write.
//! #[derive(Clone)]
//! struct Texts;
//!
//! impl Notation for Texts {
//!     type Position = Counting;
//!
//!     fn start(&self) -> Counting {
//!         Counting { said: 0, turn: Side::First }
//!     }
//!
//!     fn parse_position(&self, text: &str) -> Result<Counting, TextError> {
//!         let turn = if text.ends_with('a') { Side::First } else { Side::Second };
//!         let said = text.split(' ').next().and_then(|number| number.parse().ok()).filter(|&number| number <= 10);
//!         let position = said.map(|said| Counting { said, turn });
//!         position
//!             .filter(|position| self.position_text(position) == text)
//!             .ok_or_else(|| TextError::new(0, "board", "a number up to 10, and 'a' or 'b', like 7 a", format!("'{text}'")))
//!     }
//!
//!     fn position_text(&self, position: &Counting) -> String {
//!         format!("{} {}", position.said, ['a', 'b'][position.turn.index()])
//!     }
//!
//!     fn parse_move(&self, position: &Counting, text: &str) -> Result<u8, TextError> {
//!         let mut moves = Vec::new();
//!         position.generate(&mut moves);
//!         let legal = moves.iter().copied().find(|number| number.to_string() == text);
//!         legal.ok_or_else(|| TextError::new(0, "move", format!("one of {moves:?}"), format!("'{text}'")))
//!     }
//!
//!     fn move_text(&self, _position: &Counting, number: u8) -> String {
//!         number.to_string()
//!     }
//! }
//!
//! /// 3. The evaluation for the side to move. Here every position counts as even; the search looks ahead.
//! #[derive(Clone)]
//! struct Even;
//!
//! impl Evaluate<Counting> for Even {
//!     fn evaluate(&self, _position: &Counting) -> Score {
//!         Score::DRAW
//!     }
//! }
//!
//! // Knowledge beyond that is for later.
//! impl NoExpertise for Even {}
//!
//! /// 4. An engine for every UGI, UCI and GTP front end, on stdin and stdout: this is all of `main`.
//! fn serve() -> std::io::Result<()> {
//!     griot::engine::serve(Game::new("counting", Texts, Even))
//! }
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // 5. The law suite finds mistakes in steps 1 to 3: texts, hashes, moves, ends of random games.
//! conformance::check(&Game::new("counting", Texts, Even), 1, 100)?;
//!
//! // The search finds the winning strategy: say 2, then 6, then 10, whatever the opponent says.
//! let table = TranspositionTable::new(1)?;
//! let task = Task { depth: 12, ..Task::new(Texts.start()) };
//! let verdict = search(&task, Knowledge::new(&Even, &(), &table), &mut ());
//! assert_eq!((verdict.pv[0], verdict.score), (2, Score::win_in(5)));
//! # Ok(())
//! # }
//! ```
//!
//! `examples/add_a_game.rs` is a larger one, hexapawn, as a program; it also describes its board ([`game::Notation::board`]), which
//! is all that terminals, GTP and the web page need. To make a game strong, add an evaluation, [`game::Expertise::score_moves`]
//! for move ordering, [`game::Expertise::static_knowledge`] for results known without a search, [`game::Position::folded`] for
//! symmetries, and [`game::Probe`] and [`tablebase`] for exact values.
//!
//! # Versions and safety
//!
//! A version covers the wire protocol and the public items here; `Cargo.toml` names the oldest compiler. `unsafe` is denied
//! except in three small modules: one gives memory hints to processor and system, two ask the processor for its instructions.
//!
//! # Features
//!
//! `cli` (default) is the program `griot`, and `line-editor` (default) its line editor. A library user needs neither:
//! `default-features = false, features = ["engine"]` has everything described here, with fewer dependencies. Without `engine`
//! there are the rules, evaluations, tables and solvers of the games, and no search.

pub mod book;
pub mod encoding;
#[cfg(feature = "engine")]
pub mod engine;
pub mod files;
pub mod game;
pub mod games;
pub mod memory;
pub mod message;
#[cfg(feature = "engine")]
pub mod protocol;
#[cfg(feature = "engine")]
pub mod prover;
#[cfg(feature = "engine")]
pub mod registry;
pub mod score;
#[cfg(feature = "engine")]
pub mod search;
#[cfg(feature = "engine")]
pub mod session;
pub mod spelling;
pub mod tablebase;
#[cfg(feature = "engine")]
pub mod time;
mod vector;
