//! A session: one game being played, its options, and the search thread behind it.
//!
//! Layer 4. Knows the games' traits, the search and the time manager; knows no dialect, no line of text of the protocol, no
//! stdout. [`Session`] is object-safe: the engine calls it once per command, and below it everything is monomorphised.
//! Methods run on the engine's thread and never wait for the search; news of a search arrive through its [`Sink`].

mod control;
mod course;
mod game_session;
mod level;
mod opening;
mod promise;
mod report;
mod settings;
mod shared_tables;
mod tree;

use std::sync::Arc;
use std::time::Instant;

pub use control::SearchHandle;
pub use game_session::GameSession;
pub use settings::{Evaluation, MAX_HASH_MIB, MAX_LINES, Settings};
pub use shared_tables::{SharedTables, TableBuilder};

use crate::game::family::Entry;
pub use crate::game::family::Variant;
use crate::message::{
    FiveRule, GameTree, Go, OptionSpec, Picture, PositionState, Problem, Reply, Setup, Stroke, TreeOrder,
};
use crate::search::TranspositionTable;

/// Where the replies of a search go, from the search thread; the last one is its [`Reply::BestMove`].
pub type Sink = Box<dyn FnMut(Reply) + Send>;

/// One game being played.
pub trait Session: Send {
    /// The name of the game, with its parameters.
    fn game(&self) -> &str;

    /// Settings and memory, to be handed to the session that follows this one.
    fn resources(&self) -> &Resources;

    /// Sets up a position. One that cannot be read leaves the session without a position. LAW 7: an illegal move makes the
    /// game over, lost by the player who made it; that is reported as a problem too.
    ///
    /// # Errors
    /// What is wrong with the position, and where.
    fn set_position(&mut self, setup: &Setup) -> Result<(), Problem>;

    /// Whether the game ended by an illegal move.
    fn is_forfeited(&self) -> bool;

    /// Leaves the session without a position, as after one that cannot be read.
    fn drop_position(&mut self);

    /// Forgets what was learnt in earlier games. The position stays.
    fn new_game(&mut self);

    /// Starts a search. `received` is when the command was read: the clock runs from there. The last reply into `sink` is
    /// always a [`Reply::BestMove`], also when the search is refused.
    fn go(&mut self, go: &Go, received: Instant, sink: Sink) -> SearchHandle;

    /// What is known of the position; nothing when there is none.
    fn state(&self) -> Option<PositionState>;

    /// The legal moves, always in the same order; none when the game is over, or there is no position.
    fn legal_moves(&self) -> Vec<String>;

    /// The position as it is shown, with its legal moves and the move that led to it; nothing when there is none.
    fn picture(&self) -> Option<Picture>;

    /// Moves played from the position one after the other, in any spelling that the game reads, each as it is shown: as far as they
    /// are legal.
    fn line(&self, moves: &str) -> Vec<Stroke>;

    /// The tree below the position, as an algorithm of the course goes through it; endgame tables have no say. Takes as
    /// long as its nodes take.
    ///
    /// # Errors
    /// When there is no position, no such algorithm, or the tree has more nodes than the order has room for.
    fn tree(&self, order: &TreeOrder) -> Result<GameTree, Problem>;

    /// How a repetition ends the game, for people; nothing where no position comes up twice.
    fn repetition(&self) -> Option<String> {
        None
    }

    /// The options of this session.
    fn options(&self) -> Vec<OptionSpec>;

    /// Sets an option, by its name in any case. The value it already has changes nothing.
    ///
    /// # Errors
    /// When there is no such option, or the value is not one of its values.
    fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), Problem>;
}

/// A table up to this size, in MiB, is emptied in place: in about a tenth of a second the first time, then in a tenth of that.
const MOST_CLEARED_MIB: usize = 256;

/// What outlives a change of game: the settings, the memory of the table, and the folder of endgame tables.
#[derive(Debug, Clone)]
pub struct Resources {
    /// The values of the options.
    pub settings: Settings,
    /// The transposition table.
    pub table: Arc<TranspositionTable>,
    /// The endgame tables that are shared with other engines; nothing for an engine that keeps to itself.
    pub shared_tables: Option<Arc<SharedTables>>,
}

impl Resources {
    /// Resources by `settings`, with a table of their size, that share nothing.
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

    /// Empties the table. A new one would be there at once, but the first searches in it would wait for its memory, page by page:
    /// several threads on a virtual machine were seen to wait for a tenth of a second and more.
    fn forget(&mut self) {
        let new = (self.settings.hash_mib > MOST_CLEARED_MIB).then(|| TranspositionTable::new(self.settings.hash_mib));
        match new {
            Some(Ok(table)) => self.table = Arc::new(table),
            Some(Err(_)) | None => self.table.clear(),
        }
    }
}

/// The games there are, by name.
pub trait Catalogue {
    /// The name of the game that is played when none is chosen.
    fn default_game(&self) -> &str;

    /// One line for people on how to name a game.
    fn names(&self) -> String;

    /// What a menu of games offers; nothing where there is no choice.
    fn menu(&self) -> Vec<Entry> {
        Vec::new()
    }

    /// A session of the game of that name.
    ///
    /// # Errors
    /// When there is no such game, or its parameters are wrong; the problem tells the names there are.
    fn open(&self, name: &str, resources: Resources) -> Result<Box<dyn Session>, Problem>;

    /// The name of the game in which five in a row win by that rule, on a board of that size; nothing where there is none.
    fn five_in_a_row(&self, _cols: u64, _rows: u64, _rule: FiveRule) -> Option<String> {
        None
    }

    /// The name of the game that is the one of this name, with castling written as Chess960 has it or not; nothing where there is
    /// no other.
    fn chess960(&self, _name: &str, _on: bool) -> Option<&'static str> {
        None
    }

    /// The games by the names that UCI clients know as variants.
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
