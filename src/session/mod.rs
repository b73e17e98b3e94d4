//! A session: one game being played, its options, and the search thread behind it.
//!
//! Layer 4. Knows the games' traits, the search and the time manager; no dialect, no protocol text, no stdout. [`Session`] is
//! object-safe: the engine calls it once per command, and everything below is monomorphised. Methods run on the engine thread
//! and never wait for the search; results of a search arrive through its [`Sink`].

mod control;
mod game_session;
mod known_result;
mod level;
mod opening;
mod report;
mod settings;
mod shared_tables;
mod stability;
mod tree;

use std::sync::Arc;
use std::time::Instant;

use serde::Serialize;

pub use control::SearchHandle;
pub use game_session::GameSession;
pub use settings::{Evaluation, MAX_HASH_MIB, MAX_LINES, Settings};
pub use shared_tables::{SharedTables, TableBuilder};

pub use crate::game::family::Variant;
use crate::game::family::{BenchPosition, Entry};
use crate::message::{
    BoardPicture, FiveRule, GameTree, Go, OptionSpec, Picture, PositionState, Problem, Reply, Setup, Stroke, TreeOrder,
};
use crate::search::TranspositionTable;

/// The receiver of a search's replies, on the search thread; the last one is its [`Reply::BestMove`].
pub type Sink = Box<dyn FnMut(Reply) + Send>;

/// One game being played.
pub trait Session: Send {
    /// The name of the game, with its parameters.
    fn game(&self) -> &str;

    /// Settings and memory, for the next session.
    fn resources(&self) -> &Resources;

    /// Sets up a position. If it cannot be read, the session has none. LAW 7: an illegal move loses the game for the player who
    /// made it, and is reported as a problem, too.
    ///
    /// # Errors
    /// What is wrong with the position, and where.
    fn set_position(&mut self, setup: &Setup) -> Result<(), Problem>;

    /// What was dropped from the board text of the position to read it, with columns; empty for most texts.
    fn warnings(&self) -> &[Problem] {
        &[]
    }

    /// Whether the game has null moves, which some clients write `0000`.
    fn has_null_moves(&self) -> bool {
        false
    }

    /// Whether the game ended by an illegal move.
    fn is_forfeited(&self) -> bool;

    /// Leaves the session without a position, as after a refused one.
    fn drop_position(&mut self);

    /// Empties the transposition table. The position stays.
    fn new_game(&mut self);

    /// Starts a search. `received` is when the command was read: the clock runs from then. The last reply to `sink` is always a
    /// [`Reply::BestMove`], also if the search is refused.
    fn go(&mut self, go: &Go, received: Instant, sink: Sink) -> SearchHandle;

    /// The state of the position; `None` without a position.
    fn state(&self) -> Option<PositionState>;

    /// The legal moves, always in the same order; empty if the game is over or there is no position.
    fn legal_moves(&self) -> Vec<String>;

    /// The picture of the position, with its legal moves and the last move; `None` without a position.
    fn picture(&self) -> Option<Picture>;

    /// The board text with the other side to move; `None` where there is no such position, or the game is or would be over.
    fn after_pass(&self) -> Option<String> {
        None
    }

    /// Plays moves from the position, in any spelling that the game reads, as far as they are legal; returns each as it is shown.
    fn line(&self, moves: &str) -> Vec<Stroke>;

    /// The tree that a textbook algorithm visits below the position, without endgame tables. Blocks while it is searched.
    ///
    /// # Errors
    /// When there is no position, no such algorithm, or the tree has more nodes than the order has room for.
    fn tree(&self, order: &TreeOrder) -> Result<GameTree, Problem>;

    /// The static evaluation of the position and what each piece adds to it, as lines for people; empty without a position.
    fn evaluation(&self) -> Vec<String> {
        Vec::new()
    }

    /// Exchanges the players of the position: the board is turned round, and the other side is to move.
    ///
    /// # Errors
    /// When there is no position, or the game has no such position.
    fn flip(&mut self) -> Result<(), Problem> {
        Err(Problem::new(format!("flip: a position of {} cannot be turned round", self.game())))
    }

    /// How a repetition ends the game, in a sentence; `None` in games without repetition.
    fn repetition(&self) -> Option<String> {
        None
    }

    /// The options of this session.
    fn options(&self) -> Vec<OptionSpec>;

    /// Sets an option; its name is read in any case. Setting the present value does nothing.
    ///
    /// # Errors
    /// When there is no such option, or the value is not one of its values.
    fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), Problem>;
}

/// Tables up to this size, in MiB, are emptied in place, which takes about 0.1 s the first time and 0.01 s after that.
const MOST_CLEARED_MIB: usize = 256;

/// What is kept across a change of game: settings, transposition table, folder of endgame tables.
#[derive(Debug, Clone)]
pub struct Resources {
    /// The values of the options.
    pub settings: Settings,
    /// The transposition table.
    pub table: Arc<TranspositionTable>,
    /// The endgame tables shared with other engines, if any.
    pub shared_tables: Option<Arc<SharedTables>>,
}

impl Resources {
    /// Resources with these `settings` and a table of their size, sharing nothing.
    ///
    /// # Errors
    /// When there is no memory for the table.
    pub fn new(settings: Settings) -> Result<Resources, Problem> {
        let table = TranspositionTable::new(settings.hash_mib).map_err(|error| Problem::new(error.to_string()))?;
        Ok(Resources { settings, table: Arc::new(table), shared_tables: None })
    }

    /// The shared endgame tables, if they are to be used.
    fn shared_tables(&self) -> Option<&Arc<SharedTables>> {
        let settings = &self.settings;
        let is_wanted = settings.asks_tables() && settings.shared_tables && settings.tables().is_none();
        self.shared_tables.as_ref().filter(|_| is_wanted)
    }

    /// Empties the table. A new one would be allocated at once, but its first searches would wait for its pages: 0.1 s and more
    /// with several threads on a virtual machine.
    fn forget(&mut self) {
        let new = (self.settings.hash_mib > MOST_CLEARED_MIB).then(|| TranspositionTable::new(self.settings.hash_mib));
        match new {
            Some(Ok(table)) => self.table = Arc::new(table),
            Some(Err(_)) | None => self.table.clear(),
        }
    }
}

/// The main line of a record of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedGame {
    /// The name of the game.
    pub game: String,
    /// The board text of the first position; nothing for the game's start position.
    pub board: Option<String>,
    /// The moves as the game writes them, passes included.
    pub moves: Vec<String>,
}

/// A game that a menu offers.
#[derive(Debug, Clone, Serialize)]
pub struct MenuItem {
    /// What it is called, and what the user fills in.
    #[serde(flatten)]
    pub entry: Entry,
    /// The board of its example; nothing when the example is no position.
    #[serde(flatten)]
    pub picture: Option<BoardPicture>,
}

/// The games, by name.
pub trait Catalogue {
    /// The name of the game that is played when none is chosen.
    fn default_game(&self) -> &str;

    /// One line for people on how to name a game.
    fn names(&self) -> String;

    /// The menu of games; empty if there is no choice.
    fn menu(&self) -> Vec<MenuItem> {
        Vec::new()
    }

    /// A session of the game of that name.
    ///
    /// # Errors
    /// When there is no such game, or its parameters are wrong; the problem names what is accepted.
    fn open(&self, name: &str, resources: Resources) -> Result<Box<dyn Session>, Problem>;

    /// The first game of a file of records; a list of moves that names no game is taken for `game` if its moves are legal there.
    ///
    /// # Errors
    /// When no game can be read from it.
    fn read_record(&self, _bytes: &[u8], _game: &str) -> Result<RecordedGame, Problem> {
        Err(Problem::new("this engine reads no records of games"))
    }

    /// The name of the game of five in a row with that rule and board size, if any.
    fn five_in_a_row(&self, _cols: u64, _rows: u64, _rule: FiveRule) -> Option<String> {
        None
    }

    /// The name of the same game with or without Chess960 castling; `None` if there is no other.
    fn chess960(&self, _name: &str, _on: bool) -> Option<&'static str> {
        None
    }

    /// The bench positions of the family of this game.
    fn bench(&self, _name: &str) -> &[BenchPosition] {
        &[]
    }

    /// The values of `UCI_Variant`.
    fn variants(&self) -> &[Variant] {
        &[]
    }

    /// A session of the variant of that name, with moves and board texts as UCI clients write them.
    ///
    /// # Errors
    /// When there is no such variant.
    fn open_variant(&self, name: &str, resources: Resources) -> Result<Box<dyn Session>, Problem> {
        self.open(name, resources)
    }
}
