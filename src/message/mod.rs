//! Commands and replies as plain owned data, passed between protocol, session and engine.
//!
//! Layer 0: knows nothing else. Positions and moves are still text; only a session can read them. Times are durations; columns
//! count characters of the command line from 1.

mod picture;

use std::time::Duration;

use serde::Serialize;

pub use picture::{
    BoardPicture, Color, Detail, GameFacts, GameResult, GridPicture, Picture, Piece, PieceStyle, Pile, PlayerNames,
    Point, Shape, Stroke, Surface, Way,
};

/// A piece of a command line that only the game can read, with its column.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Text {
    /// Column of its first character.
    pub column: usize,
    /// The text, without blanks at its ends.
    pub text: String,
}

/// An error in a command: one line for people.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct Problem {
    /// Column of the error, if it has one.
    pub column: Option<usize>,
    /// What was wrong and what was expected.
    pub text: String,
}

impl Problem {
    /// A problem with a command as a whole.
    pub fn new(text: impl Into<String>) -> Problem {
        Problem { column: None, text: text.into() }
    }

    /// A problem at a column of the command line.
    pub fn at(column: usize, text: impl Into<String>) -> Problem {
        Problem { column: Some(column), text: text.into() }
    }
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.column {
            Some(column) => write!(f, "column {column}: {}", self.text),
            None => f.write_str(&self.text),
        }
    }
}

/// The dialect of a client, chosen by its greeting, its first word, or the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum DialectName {
    /// The Universal Game Interface.
    #[default]
    Ugi,
    /// The Universal Chess Interface, as board GUIs use it for other games.
    Uci,
    /// The Go Text Protocol, with the commands by which GoGui learns other games.
    Gtp,
    /// The protocol of gomoku tournaments.
    Gomocup,
    /// The protocol of Othello's front end.
    NBoard,
    /// The protocol of draughts engines.
    Hub,
}

/// A parsed command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// `ugi`, `uci`: asks for identity and options.
    Greet(DialectName),
    /// `debug on|off`.
    Debug(bool),
    /// `isready`, `init`.
    IsReady,
    /// `ping` of Hub: answered at once.
    Ping,
    /// `setoption name … [value …]`.
    SetOption {
        /// The option's name, in the client's spelling.
        name: Text,
        /// Its new value; a button has none.
        value: Option<Text>,
    },
    /// `uginewgame`, `ucinewgame`.
    NewGame,
    /// `position …`.
    Position(Setup),
    /// `go …`.
    Go(Go),
    /// A `position` that could not be parsed: it leaves the session without a position.
    RefusedPosition(Problem),
    /// A `go` that could not be parsed: it is answered all the same.
    RefusedGo(Problem),
    /// `stop`.
    Stop,
    /// `ponderhit`.
    PonderHit,
    /// `query …`.
    Query(Query),
    /// `help`.
    Help,
    /// `flip`: the position seen from the other side.
    Flip,
    /// `bench`: the bench positions of the game, to a depth or their own.
    Bench(Option<u32>),
    /// An unknown command: its first word.
    Unknown(Text),
    /// `quit`, `END`.
    Quit,
    /// A command on the game that the engine keeps.
    Step(Step),
}

/// A player: black or white, x or o.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Player {
    /// The player who begins; black in GTP.
    First,
    /// The second player.
    Second,
}

impl Player {
    /// 0 for `First`, 1 for `Second`.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// The state of a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PositionState {
    /// The board text.
    pub board: String,
    /// Whose turn it is, or would be.
    pub turn: Player,
    /// How the game ended, by its rules or by an illegal move; `None` while it goes on.
    pub result: Option<GameResult>,
}

/// A question about the position, in UGI and UCI.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Query {
    /// Whether the game is over.
    Over,
    /// Whose turn it is.
    Turn,
    /// How the game ended.
    Result,
    /// The board text.
    BoardText,
    /// The board text with the other side to move.
    Pass,
    /// The legal moves.
    Moves,
    /// A drawing for people.
    Drawing,
    /// The static evaluation, for people.
    Evaluation,
    /// The picture, as data.
    Picture,
    /// Moves played from the position, as data.
    Line(String),
    /// The menu of games.
    Games,
    /// An unknown question.
    Unknown,
}

/// The answer to a [`Query`]; a drawing is told in notes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Response {
    /// Whether the game is over.
    Over(bool),
    /// Whose turn it is, or would be.
    Turn(Player),
    /// How the game ended; nothing while it goes on.
    Result(Option<GameResult>),
    /// The board text.
    BoardText(String),
    /// The legal moves.
    Moves(Vec<String>),
    /// The picture.
    Picture(Box<Picture>),
    /// Moves, as data.
    Line(Vec<Stroke>),
    /// The menu of games, as JSON.
    Games(String),
    /// There is no such question, or no position.
    Unknown,
}

/// A command of dialects that leave the game to the engine and send one move at a time. Steps run in order, each when those before
/// it are done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Answers this text; the dialect knows the answer.
    Tell(String),
    /// Answers that the command is unknown.
    Unknown(String),
    /// Answers what is wrong with a command.
    Refused(Problem),
    /// `boardsize`: a square board of so many points a side.
    Size(u64),
    /// `START`, `RECTSTART`: five in a row on so many columns and rows.
    FiveInARow(u64, u64),
    /// `clear_board`, `RESTART`: the start position.
    Clear,
    /// `play`: the player's move, or that of the side to move.
    Play(Option<Player>, Text),
    /// `genmove`, `BEGIN`, `TURN`: after a move of the opponent, if there is one, a search whose move is played.
    Generate(Option<Player>, Option<Text>),
    /// `reg_genmove`: a search whose move is answered and not played.
    Consider(Player),
    /// `gogui-play_sequence`: moves of both players, all of them or none.
    Sequence(Vec<(Player, Text)>),
    /// `loadsgf`: the first game of a file, up to before the move with this number.
    Load(Text, Option<u64>),
    /// `undo`, `TAKEBACK`: takes back the last move, which must be this one if one is named.
    Undo(Option<Text>),
    /// `BOARD` and the like: points follow, each a [`Step::Stone`], up to [`Step::Done`].
    List(List),
    /// A point of a list: a stone of the engine (`true`), of its opponent, or of the side that was to move.
    Stone(Text, Option<bool>),
    /// `DONE`: the list is complete.
    Done,
    /// `PLAY`: the engine's own move, as its client wants it.
    Impose(Text),
    /// `YXNBEST N`, `YXSEARCHDEFEND`: a search for so many best lines, or one for each move; its move is played.
    Best(Option<u32>),
    /// A choice of the swap2 opening, for the stones that lie there or, if `anew`, for the empty board.
    Swap2 {
        /// Whether a game begins.
        anew: bool,
    },
    /// `YXSHOWFORBID`: the points that the player to move must not take.
    Forbidden,
    /// `YXHASHCLEAR`: forgets what was learnt.
    Forget,
    /// `YXSHOWINFO`: the client shows a board, has rules by numbers of its own, and is answered this.
    Graphical(String),
    /// `INFO show_detail`: whether it is told of every better move at once.
    Detail(bool),
    /// `INFO hash_size`: so many KiB for the table.
    HashSize(u64),
    /// `YXBLOCKRESET`: all moves may be looked at again.
    Unblock,
    /// A time setting.
    Timing(Timing),
    /// `INFO max_memory`: so many bytes at most; 0 says nothing.
    Memory(u64),
    /// `INFO rule`: the rules of five in a row, as bits.
    Rule(u64),
    /// `set depth`: a limit of every search to come.
    Limit(Limit),
    /// `set NAME VALUE`: an option, if there is one of that name.
    SetOption(Text, Text),
    /// A question about the game.
    Show(Question),
    /// `set game`: a whole game so far.
    Game(Box<GameRecord>),
    /// `move`: a move that was played, and how long it took.
    Played(Text, Duration),
    /// `go`: a search by the clock, whose move is told and not played; `hint N`: a search without a clock, for so many best lines.
    Advise(Option<u32>),
    /// `analyze`: what every position of the game is worth, from the last one back.
    Analyse,
    /// `ping`: ends the search that runs, and says so when all that came before it is done.
    Ping(u64),
    /// `set-param name=variant`: the game of this name, in the notation of the protocol.
    Variant(String),
    /// `level`: the limits of every search to come.
    Level(Box<Go>),
}

/// A limit other than time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// Plies; nothing: no limit.
    Depth(Option<u32>),
    /// Nodes; nothing: no limit.
    Nodes(Option<u64>),
}

/// The purpose of a list of points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum List {
    /// `BOARD`: the position, in which a move is searched for and played.
    Search,
    /// `YXBOARD`: the position.
    Position,
    /// `SWAP2BOARD`: the position, in which a choice of the swap2 opening is made.
    Swap2,
    /// `YXBLOCK`: moves that no search looks at.
    Block,
    /// Ignored.
    Skip,
}

/// The rule of a game of five in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FiveRule {
    /// Five or more.
    #[default]
    OrMore,
    /// Exactly five.
    Exactly,
    /// Renju: exactly five for the first player, who has forbidden moves; five or more for the second.
    Renju,
}

/// A choice in the swap2 opening: three stones are put down; the other player takes a side, or puts down two more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Swap2Choice {
    /// The first three stones, in order.
    Open(Vec<String>),
    /// The other side is taken.
    Swap,
    /// The side to move is kept, and this is its move.
    Stay(String),
    /// The fourth and the fifth stone, after which the other player takes a side.
    TwoMore([String; 2]),
}

/// A game so far.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GameRecord {
    /// The board text it began from; `None` is the start position.
    pub board: Option<Text>,
    /// Who moved where, in the words of the dialect, and how long it took.
    pub moves: Vec<(Player, Text, Duration)>,
    /// What is left on the clocks; nothing where none is told.
    pub clocks: [Option<ClockTime>; 2],
}

/// A time setting of a client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Timing {
    /// `time_settings`: time for all moves, then so much for each so many moves; no moves in no time is no limit.
    Control {
        /// Time for all moves.
        main: Duration,
        /// Time of a period after it.
        period: Duration,
        /// Moves of a period.
        moves: u32,
    },
    /// `time_left`: what a player has left, for so many moves; 0 moves: for all.
    Left(Player, Duration, u32),
    /// `INFO timeout_turn`: time for each move.
    Turn(Duration),
    /// `INFO timeout_match`, `INFO time_left`: what is left for all moves; nothing: no limit.
    Match(Option<Duration>),
}

/// A question about the game that the engine keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Question {
    /// Which game it is.
    Game,
    /// The side of the board.
    Size,
    /// The stones on the board.
    Stones,
    /// What else is to be seen on the board.
    Graphics,
    /// The legal moves.
    Moves,
    /// Whose turn it is.
    Turn,
    /// How the game ended, for people.
    Result,
    /// How the game ended, in short.
    Score,
    /// What each player has captured.
    Captured,
    /// A drawing for people.
    Drawing,
}

/// The answer to a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// Done, with this text.
    Done(String),
    /// Not done, for this reason.
    Failed(String),
    /// There is no such command.
    Unknown(String),
    /// A move that was found.
    Move {
        /// The move, in the words of the dialect.
        mv: String,
        /// Its value, if reported.
        score: Option<ReportedScore>,
        /// How long it took.
        time: Duration,
    },
    /// The best lines were reported.
    Advised,
    /// The value of a position of the game, after this many plies.
    Worth(usize, ReportedScore),
    /// All that came before this `ping` is done.
    Pong(u64),
    /// A choice in the swap2 opening, made when so many stones lay there, for a client that shows a board or for a manager.
    Swap2 {
        /// The choice.
        choice: Swap2Choice,
        /// How many stones there are.
        stones: usize,
        /// Whether the client shows a board.
        graphical: bool,
    },
    /// The points that must not be taken, as column and row from 0.
    Forbidden(Vec<Point>),
}

/// A position to be set up.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Setup {
    /// The board text; `None` is the start position.
    pub board: Option<Text>,
    /// The moves played from there, as one text.
    pub moves: Text,
    /// A warning about the command: what was wrong, and what was done.
    pub warnings: Vec<Problem>,
}

/// One player's clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ClockTime {
    /// Time left. A clock that has run out says 0.
    pub remaining: Option<Duration>,
    /// Time added with each move.
    pub increment: Duration,
}

/// The limits of a search; the first one reached ends it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Go {
    /// Plies.
    pub depth: Option<u32>,
    /// Nodes.
    pub nodes: Option<u64>,
    /// Time for this move.
    pub movetime: Option<Duration>,
    /// The clocks of the first and the second player.
    pub clocks: [ClockTime; 2],
    /// Moves to the next time control.
    pub moves_to_go: Option<u32>,
    /// Look for a win in so many of the winner's own moves.
    pub mate: Option<u32>,
    /// Search until told to stop.
    pub infinite: bool,
    /// Search on the opponent's time until told that the move was played.
    pub ponder: bool,
    /// The root moves to choose from, as one text.
    pub search_moves: Option<Text>,
    /// Count lines of so many plies instead of searching.
    pub perft: Option<u32>,
    /// Whether the limits are those that were told before ([`Step::Level`]).
    pub by_level: bool,
    /// A warning about a limit: what was wrong, and what was done.
    pub warnings: Vec<Problem>,
}

impl Go {
    /// Whether any limit is given. Increments, moves to go and a choice of moves are none.
    #[must_use]
    pub fn is_limited(&self) -> bool {
        self.depth.is_some()
            || self.nodes.is_some()
            || self.movetime.is_some()
            || self.mate.is_some()
            || self.perft.is_some()
            || self.clocks.iter().any(|clock| clock.remaining.is_some())
    }

    /// Whether the search ends by itself. A bare `go` is `go infinite`.
    #[must_use]
    pub fn is_bounded(&self) -> bool {
        self.is_limited() && !self.infinite && !self.ponder
    }
}

/// A score in protocol terms, for the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReportedScore {
    /// Hundredths of the game's unit.
    Centi(i32),
    /// The winner's own moves to the end of the game: positive when the side to move wins, negative when it loses, 0 when it
    /// has lost.
    Mate(i32),
}

/// The relation of a reported score to the true value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ReportedBound {
    /// The score is the value.
    #[default]
    Exact,
    /// The value is at least the score.
    Lower,
    /// The value is at most the score.
    Upper,
}

/// A request for the tree of a textbook algorithm.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeOrder {
    /// The algorithm's name.
    pub algorithm: String,
    /// Plies; nothing: to the end of every game.
    pub depth: Option<u32>,
    /// The most nodes the tree may have.
    pub nodes: usize,
}

/// The tree that a textbook algorithm visits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameTree {
    /// The game's name.
    pub game: String,
    /// Whether values are the first player's, who maximises, and not those of the side to move.
    pub for_first: bool,
    /// The root, then parents before children, and children in the order of the moves.
    pub nodes: Vec<TreeNode>,
}

/// A node of a tree of play.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeNode {
    /// The place of its parent; the root has none.
    pub parent: Option<usize>,
    /// The move that leads here; none leads to the root.
    pub mv: Option<String>,
    /// The board text.
    pub board: String,
    /// What is to be seen of the position.
    pub seen: BoardPicture,
    /// Who is to move.
    pub player: Player,
    /// Whether the game is over here.
    pub over: bool,
    /// Its value; `None` where the algorithm never went, because of a cutoff.
    pub value: Option<(ReportedScore, ReportedBound)>,
    /// Whether its parent chose it: the first of the best.
    pub chosen: bool,
}

/// A list of moves.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MoveLine {
    /// The moves, in order.
    pub moves: Vec<String>,
    /// Whether the game's moves can be written without blanks between them.
    pub may_glue: bool,
}

/// An `info` line about a search.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Info {
    /// Depth of the iteration, in plies.
    pub depth: u32,
    /// Longest line looked at, in plies.
    pub seldepth: u32,
    /// The rank of the line, from 1, if more than one was asked for.
    pub rank: Option<usize>,
    /// The value of the line, and its bound.
    pub score: Option<(ReportedScore, ReportedBound)>,
    /// The final balance of a certain win or loss in hundredths, in games that count something: that at the end of the line, or
    /// else the least that is sure.
    pub balance: Option<i32>,
    /// Wins, draws and losses of the side to move in a thousand games like this, if they are to be shown.
    pub chances: Option<[u32; 3]>,
    /// Whether the result of the game is certain, so that no deeper search changes it. Not part of the protocols.
    pub certain: bool,
    /// Nodes so far.
    pub nodes: u64,
    /// Nodes a second.
    pub nps: u64,
    /// How full the transposition table is, in thousandths.
    pub hashfull: u32,
    /// Exact values found by theory or table.
    pub tbhits: u64,
    /// Time since the search was asked for.
    pub time: Duration,
    /// The root move under search, and its number from 1.
    pub current_move: Option<(String, usize)>,
    /// The principal variation.
    pub pv: MoveLine,
}

/// What kind of value an option takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OptionKind {
    /// `true` or `false`.
    Check {
        /// The value at the start.
        default: bool,
    },
    /// A whole number.
    Spin {
        /// The value at the start.
        default: u64,
        /// The least value.
        min: u64,
        /// The greatest value.
        max: u64,
    },
    /// One of several words.
    Combo {
        /// The value at the start.
        default: String,
        /// The words.
        choices: Vec<String>,
    },
    /// No value: it does something.
    Button,
    /// Any text.
    String {
        /// The value at the start.
        default: String,
    },
}

/// An option, as the greeting lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OptionSpec {
    /// Its name.
    pub name: &'static str,
    /// Its kind and default.
    pub kind: OptionKind,
    /// Its help.
    pub help: &'static str,
}

/// A line to the client; a [`Reply::Answer`] may have several.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    /// Name and version.
    Name(String),
    /// The authors.
    Author(String),
    /// An option that can be set.
    Option(OptionSpec),
    /// The end of the answer to a greeting.
    GreetingDone,
    /// The answer to `isready`.
    Ready,
    /// The answer to [`Command::Ping`].
    Pong,
    /// Numbers of a search.
    Info(Info),
    /// The numbers of a better move, for a client that shows it on its board at once.
    Better(Info),
    /// `go perft`: the lines behind one move.
    Count {
        /// The move.
        mv: String,
        /// The number of lines.
        lines: u64,
    },
    /// `go perft`: the lines of all moves together.
    Total(u64),
    /// A line for people.
    Note(String),
    /// The answer to `query`.
    Response(Response),
    /// The answer to `go`.
    BestMove {
        /// The move, or `None` when there is none to play.
        best: Option<String>,
        /// The reply expected, to ponder on.
        ponder: Option<String>,
    },
    /// The answer to a step.
    Answer {
        /// The number that the client gave its command.
        id: Option<u64>,
        /// Its outcome.
        answer: Answer,
    },
}
