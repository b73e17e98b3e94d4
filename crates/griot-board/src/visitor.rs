//! A visitor: one task with a game and, while needed, its own engine.
//!
//! ```text
//!   page --POST--> requests --> Visitor --lines--> Engine
//!   page <--SSE--- state, thinking, notices <---+
//! ```
//!
//! Requests are done one at a time. A change is kept only after the engine has confirmed it. If an engine dies, it is
//! started again, the game is set up, and the request repeated. A search stops ten seconds after the last page is closed; the
//! engine stays until it has been idle for a while, or another visitor needs its seat.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use griot_records::Outcome;
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::sync::{Mutex, broadcast, mpsc, oneshot, watch};
use tokio::time::{Instant, interval, sleep_until};

use crate::clock::{Clock, Clocks};
use crate::engine::{Engine, Fault, Info, Stroke};
use crate::game::{
    Ended, FULL_STRENGTH, Judgement, MOST_LINES, MoveWorth, Node, Player, Record, Settings, Spot, Worth,
};
use crate::lobby::closes;
use crate::openings;
use crate::seats::{Holder, Seat, Seats};
use crate::words::{GameName, LONGEST_GAME, MoveText, Pasted, Refusal};

/// How long a search goes on without an open page: long enough for a reload.
const ABSENCE: Duration = Duration::from_secs(10);
/// The number of restarts within a time after which the engine is given up.
const RESTARTS: (usize, Duration) = (4, Duration::from_secs(60));
/// A search that says nothing for so long is asked whether it is there, and given up when it has not answered by then.
const SILENCE: (Duration, Duration) = (Duration::from_secs(2), Duration::from_secs(5));
/// The least time for a hint, in milliseconds.
const HINT_TIME: u32 = 500;

/// The nodes of the short search for each value of the graph.
const GLANCE_NODES: u32 = 10_000;
/// The nodes of the search for the values of all moves. Positions of endgame tables take fewer.
const EXPLORE_NODES: u64 = 30_000;
/// The graph is published after this many new values.
const GLANCES_AT_ONCE: usize = 8;

/// What all visitors share.
pub(crate) struct Shared {
    pub(crate) program: PathBuf,
    /// The game of a new visitor.
    pub(crate) game: GameName,
    /// The transposition table of each engine, in MiB.
    pub(crate) hash: u32,
    /// An engine without a command for this long is ended.
    pub(crate) idle: Duration,
    /// The seats for engines.
    pub(crate) seats: Arc<Seats>,
    /// An engine that searches nothing: it describes positions for visitors who wait for a seat.
    pub(crate) describer: Mutex<Option<Engine>>,
}

/// A command of a page.
#[derive(Debug, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Command {
    New {
        game: GameName,
        players: Option<[Player; 2]>,
        #[serde(default)]
        clock: Option<Clock>,
    },
    Play {
        #[serde(rename = "move")]
        text: MoveText,
        /// The position that the move is for: the page may be behind.
        at: usize,
        /// Whether the game stays paused: a user tries a move.
        #[serde(default)]
        hold: bool,
    },
    GoTo {
        at: usize,
    },
    /// Takes moves back in a game against an engine, which may decline.
    TakeBack {
        at: usize,
    },
    /// Shows a position of the tree.
    Visit {
        node: usize,
    },
    Promote {
        node: usize,
    },
    Delete {
        node: usize,
    },
    Comment {
        node: usize,
        text: String,
    },
    /// Sets the glyph of a move, or takes it away.
    Glyph {
        node: usize,
        glyph: Option<u8>,
    },
    /// Sets up `[GAME|]BOARD[|MOVES]`, which only the engine reads: positions of the editor, and games that griot does not have.
    Paste {
        text: String,
    },
    /// Sets up a game that was read from a record.
    #[serde(skip)]
    Load(Arc<Record>),
    /// Searches every position of the line shown with the same limit; or only the positions given, as part of the
    /// review.
    Review {
        limit: Limit,
        #[serde(default)]
        nodes: Option<Vec<usize>>,
    },
    StopReview,
    Set {
        settings: Settings,
    },
    Swap,
    Hint,
    MoveNow,
    /// Resigns for the human player; with two human players, for the one to move.
    Resign {
        at: usize,
    },
    /// Asks for a draw. An engine takes it unless it stands better.
    OfferDraw {
        at: usize,
    },
    Pause,
    Resume,
}

/// The limit of each search of a review.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "by", content = "value", rename_all = "lowercase", deny_unknown_fields)]
pub(crate) enum Limit {
    /// In plies.
    Depth(u32),
    /// In milliseconds.
    Movetime(u32),
    /// The same effort on every machine.
    Nodes(u32),
}

impl Limit {
    /// # Errors
    /// When a number is out of its range.
    fn go(self) -> Result<String, Refusal> {
        match self {
            Limit::Depth(depth) if (1..=60).contains(&depth) => Ok(format!("go depth {depth}")),
            Limit::Movetime(time) if (20..=60_000).contains(&time) => Ok(format!("go movetime {time}")),
            Limit::Nodes(nodes) if (1000..=1_000_000_000).contains(&nodes) => Ok(format!("go nodes {nodes}")),
            _ => Err(Refusal::new(
                "bad_settings",
                "review: expected a depth from 1 to 60, 20 to 60000 milliseconds, or at least 1000 nodes",
            )),
        }
    }
}

/// A running review.
#[derive(Debug)]
struct Review {
    limit: Limit,
    /// The line under review.
    line: Vec<usize>,
    /// The positions left.
    todo: VecDeque<usize>,
    of: usize,
}

/// A request to a visitor's task.
pub(crate) enum Request {
    Command(Command, oneshot::Sender<Result<(), Refusal>>),
    /// A page wants a copy of the game.
    Copy(oneshot::Sender<Record>),
    /// A page was opened.
    Look,
    /// Another visitor needs an engine. Answered once the seat is given up or kept.
    Yield(oneshot::Sender<()>),
}

/// The outgoing channels of a visitor.
pub(crate) struct News {
    pub(crate) state: watch::Sender<Arc<str>>,
    pub(crate) thinking: watch::Sender<Arc<str>>,
    pub(crate) notices: broadcast::Sender<Arc<str>>,
}

#[derive(Debug)]
enum Trouble {
    Refused(Refusal),
    Fault(Fault),
}

impl From<Refusal> for Trouble {
    fn from(refusal: Refusal) -> Trouble {
        Trouble::Refused(refusal)
    }
}

impl From<Fault> for Trouble {
    fn from(fault: Fault) -> Trouble {
        Trouble::Fault(fault)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Purpose {
    Play,
    Hint,
    Analysis,
    /// An analysis of the position as if the other side were to move.
    Threat,
    Review,
    /// The values of all moves, for the explorer.
    Explore,
    /// A value for the graph; the opening book may supply it.
    Glance {
        by_book: bool,
    },
}

impl Purpose {
    /// The name of the purpose for pages, if it is shown.
    fn word(self) -> Option<&'static str> {
        match self {
            Purpose::Play => Some("play"),
            Purpose::Hint => Some("hint"),
            Purpose::Analysis => Some("analysis"),
            Purpose::Threat => Some("threat"),
            Purpose::Review => Some("review"),
            Purpose::Explore | Purpose::Glance { .. } => None,
        }
    }

    /// Whether the lines are shown.
    fn is_shown(self) -> bool {
        matches!(self, Purpose::Play | Purpose::Hint | Purpose::Analysis | Purpose::Threat)
    }

    /// Whether someone waits for the move.
    fn is_awaited(self) -> bool {
        matches!(self, Purpose::Play | Purpose::Hint)
    }
}

/// A running search.
struct Search {
    purpose: Purpose,
    /// The node searched: the one on the board, unless it is for the graph or a review.
    node: usize,
    /// The lines reported, the best one first.
    lines: Vec<Info>,
    /// The last value of each move that began a line, where all moves are to have one.
    worth: Vec<MoveWorth>,
    /// The lines whose move names were requested, with their moves; the answers come in this order.
    unnamed: VecDeque<(usize, Vec<String>)>,
}

impl Search {
    /// Notes the value of the move that begins a line. An iteration that is cut short leaves the other moves the values of the one before.
    fn note_worth(&mut self, place: usize) {
        let Some((info, score)) = self.lines.get(place).and_then(|info| Some((info, info.score?))) else { return };
        let Some(mv) = info.pv.first() else { return };
        let found = MoveWorth { mv: mv.clone(), score, depth: info.depth };
        match self.worth.iter_mut().find(|known| known.mv == found.mv) {
            Some(known) => *known = found,
            None => self.worth.push(found),
        }
    }

    /// Names the moves of the line that was asked about first. The answer is ignored if that line now has other moves.
    fn name_line(&mut self, names: &str) -> bool {
        let Some((place, pv)) = self.unnamed.pop_front() else { return false };
        let Some(info) = self.lines.get_mut(place).filter(|info| info.pv == pv) else { return false };
        info.names = Stroke::names(serde_json::from_str(names).unwrap_or_default());
        true
    }
}

/// The search settings last sent to the engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Manner {
    level: u8,
    lines: u16,
    by_book: bool,
}

impl Manner {
    /// The settings of a new engine.
    const AT_FIRST: Manner = Manner { level: FULL_STRENGTH, lines: 1, by_book: false };
    const JUDGE: Manner = Manner::AT_FIRST;
}

/// An analysis: the node, the depth at which it ends, its lines, and whether the other side was to move.
type Analysed = (usize, u8, u16, bool);

pub(crate) struct Visitor {
    shared: Arc<Shared>,
    news: News,
    /// The open pages, and the way to reach this task.
    holder: Holder,
    /// Kept while the engine is restarted.
    seat: Option<Seat>,
    engine: Option<Engine>,
    /// The name that the last engine reported.
    engine_name: String,
    manner: Manner,
    /// Why there is no engine, as a code for the page.
    absent: &'static str,
    record: Record,
    settings: Settings,
    /// Whether the engine waits for `Resume` or a move.
    paused: bool,
    search: Option<Search>,
    review: Option<Review>,
    /// `None` without a time control.
    clocks: Option<Clocks>,
    /// Values of the graph not yet published.
    untold: usize,
    hint: Option<String>,
    /// The analysis that has reached its depth: node, depth, lines and threat.
    analysed: Option<Analysed>,
    /// The seed for the choices of weaker levels in this game.
    seed: u32,
    /// When the search for the next move between two engines may begin.
    next_move: Option<Instant>,
    moved: Instant,
    touched: Instant,
    /// When the engine last said something.
    heard: Instant,
    restarts: Vec<Instant>,
    /// How often moves of this game were taken back.
    taken_back: u32,
    /// The number of games begun.
    round: u64,
    published: u64,
}

impl Visitor {
    /// # Errors
    /// When the system has no random numbers.
    pub(crate) fn new(shared: Arc<Shared>, news: News, holder: Holder) -> Result<Visitor, Refusal> {
        let now = Instant::now();
        Ok(Visitor {
            record: Record::new(shared.game.clone(), None),
            shared,
            news,
            holder,
            seat: None,
            engine: None,
            engine_name: String::new(),
            manner: Manner::AT_FIRST,
            absent: "resting",
            settings: Settings {
                players: [Player::Human, Player::Engine { level: 6 }],
                movetime: 1000,
                pace: 800,
                analysis: false,
                lines: 3,
                depth: 0,
                threat: false,
                explore: false,
            },
            paused: false,
            search: None,
            review: None,
            clocks: None,
            untold: 0,
            hint: None,
            analysed: None,
            seed: seed()?,
            next_move: None,
            moved: now,
            touched: now,
            heard: now,
            restarts: Vec::new(),
            taken_back: 0,
            round: 0,
            published: 0,
        })
    }

    /// Serves requests until all their senders are dropped or the server closes; then ends the engine.
    pub(crate) async fn run(mut self, mut requests: mpsc::Receiver<Request>, mut closing: watch::Receiver<bool>) {
        let mut tick = interval((self.shared.idle / 4).clamp(Duration::from_millis(50), Duration::from_secs(1)));
        loop {
            let next_move = self.next_move;
            let pause = async {
                match next_move {
                    Some(time) => sleep_until(time).await,
                    None => std::future::pending().await,
                }
            };
            let flag = self.clocks.as_ref().and_then(Clocks::falls);
            let time = async {
                match flag {
                    Some(time) => sleep_until(time).await,
                    None => std::future::pending().await,
                }
            };
            let line = async {
                match &mut self.engine {
                    Some(engine) => engine.next_line().await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                biased;
                () = closes(&mut closing) => break,
                request = requests.recv() => match request {
                    Some(Request::Command(command, answer)) => {
                        let done = self.attend(command).await;
                        self.publish();
                        // The page may be gone.
                        let _ = answer.send(done);
                    }
                    Some(Request::Copy(answer)) => {
                        // The page may be gone.
                        let _ = answer.send(self.record.clone());
                    }
                    Some(Request::Look) => {
                        let outcome = self.welcome().await;
                        self.settle_and_tell(outcome).await;
                    }
                    Some(Request::Yield(answer)) => {
                        if !self.is_watched() {
                            self.end_engine("yielded").await;
                        }
                        // The other visitor may have an engine by now.
                        let _ = answer.send(());
                    }
                    None => break,
                },
                line = line => {
                    self.heard = Instant::now();
                    let outcome = match line {
                        Ok(line) => self.hear(&line).await,
                        Err(fault) => Err(fault.into()),
                    };
                    self.settle_and_tell(outcome).await;
                }
                () = time => {
                    let outcome = self.lose_on_time().await;
                    self.settle_and_tell(outcome).await;
                    self.publish();
                }
                () = pause => {
                    let outcome = self.advance().await;
                    self.settle_and_tell(outcome).await;
                }
                _ = tick.tick() => {
                    let outcome = self.rest().await;
                    self.settle_and_tell(outcome).await;
                }
            }
        }
        if let Some(engine) = self.engine.take() {
            engine.quit().await;
        }
    }

    /// Carries out a command; repeats it once if the engine dies.
    async fn attend(&mut self, command: Command) -> Result<(), Refusal> {
        self.touched = Instant::now();
        if matches!(command, Command::Resume) {
            // The user asks for another try.
            self.restarts.clear();
        }
        loop {
            match self.obey(&command).await {
                Ok(()) => return Ok(()),
                Err(Trouble::Refused(refusal)) => {
                    // Continue what a refused command has stopped.
                    let outcome = self.advance().await;
                    self.settle(outcome).await?;
                    return Err(refusal);
                }
                Err(Trouble::Fault(fault)) => {
                    self.recover(fault).await?;
                }
            }
        }
    }

    async fn obey(&mut self, command: &Command) -> Result<(), Trouble> {
        match command {
            Command::New { game, players, clock } => {
                let settings = Settings { players: players.unwrap_or(self.settings.players), ..self.settings.clone() };
                settings.check()?;
                let clocks = clock.map(Clocks::new).transpose()?;
                self.set_up(Record::new(game.clone(), None), &[]).await?;
                self.settings = settings;
                self.clocks = clocks;
                self.begin_game().await?;
                self.paused = false;
            }
            Command::Paste { text } => {
                self.paste(text).await?;
                self.clocks = None;
                self.begin_game().await?;
                self.paused = true;
            }
            Command::Load(record) => {
                self.set_up(record.as_ref().clone(), &[]).await?;
                // A loaded game is for analysis: both sides are human until the user gives one to an engine.
                self.settings.players = [Player::Human; 2];
                self.clocks = None;
                self.begin_game().await?;
                self.paused = true;
            }
            Command::Play { text, at, hold } => {
                let waits = self.paused || self.settings.players[self.record.turn()] == Player::Human;
                if *at != self.record.at {
                    return Err(Refusal::new("stale", "").into());
                }
                if self.record.is_over() {
                    return Err(Refusal::new("over", "").into());
                }
                if !waits {
                    return Err(Refusal::new("not_your_turn", "").into());
                }
                self.play(text).await?;
                self.paused = *hold;
            }
            Command::TakeBack { at } if *at >= self.record.at => return Err(Refusal::new("stale", "").into()),
            Command::TakeBack { .. } if !self.agrees_to_take_back() => self.tell("back_declined", ""),
            Command::GoTo { at } | Command::TakeBack { at } => {
                if *at >= self.record.line().len() {
                    return Err(Refusal::new("stale", "").into());
                }
                if matches!(command, Command::TakeBack { .. }) {
                    self.taken_back += 1;
                }
                for at in self.record.way_to(*at) {
                    let mut record = self.record.clone();
                    record.at = at;
                    self.set_up(record, &[]).await?;
                }
                self.hold();
            }
            Command::Visit { node } => {
                let mut record = self.record.clone();
                record.look_at(*node)?;
                self.set_up(record, &[]).await?;
                self.hold();
            }
            Command::Promote { node } => self.record.promote(*node)?,
            Command::Comment { node, text } => self.record.comment(*node, text)?,
            Command::Glyph { node, glyph } => self.record.annotate(*node, *glyph)?,
            Command::Delete { node } => {
                let mut record = self.record.clone();
                if record.delete(*node)? {
                    self.set_up(record, &[]).await?;
                    self.hold();
                } else {
                    self.abandon().await?;
                    self.record = record;
                    self.prune_review();
                }
            }
            Command::Review { limit, nodes } => {
                limit.go()?;
                self.wake().await?;
                self.abandon().await?;
                if nodes.is_none() {
                    self.record.forget_review();
                }
                let is_open = |node: &usize| self.record.node(*node).is_some_and(|node| node.result().is_none());
                let todo: VecDeque<usize> =
                    nodes.as_deref().unwrap_or(self.record.line()).iter().copied().filter(is_open).collect();
                // A variation tried during a review is judged as part of that review.
                let line = match (nodes, &self.review) {
                    (Some(_), Some(review)) => review.line.clone(),
                    _ => self.record.line().to_vec(),
                };
                self.review = Some(Review { limit: *limit, line, of: todo.len(), todo });
                self.hold();
            }
            Command::StopReview => {
                self.abandon().await?;
                if let Some(review) = &mut self.review {
                    review.todo.clear();
                }
            }
            Command::Set { settings } => {
                settings.check()?;
                self.wake_if_free().await?;
                let parts = |settings: &Settings| {
                    (
                        settings.players,
                        settings.analysis,
                        settings.lines,
                        settings.depth,
                        settings.threat,
                        settings.explore,
                    )
                };
                let same = parts(settings) == parts(&self.settings);
                if !same {
                    self.abandon().await?;
                }
                self.settings = settings.clone();
            }
            Command::Swap => {
                self.wake_if_free().await?;
                self.abandon().await?;
                self.settings.players.swap(0, 1);
                self.paused = false;
            }
            Command::Hint => {
                self.wake().await?;
                if self.search.as_ref().is_some_and(|search| search.purpose.is_awaited()) {
                    return Err(Refusal::new("busy", "").into());
                }
                if self.record.is_over() {
                    return Err(Refusal::new("over", "").into());
                }
                return self.begin_hint().await;
            }
            Command::MoveNow => match (&self.search, &mut self.engine) {
                (Some(search), Some(engine)) if search.purpose.is_awaited() => engine.send("stop").await?,
                _ => return Err(Refusal::new("nothing_to_stop", "").into()),
            },
            Command::Resign { at } => {
                self.is_at(*at)?;
                let seats = self.settings.players;
                let loser = match seats.iter().position(|player| *player == Player::Human) {
                    Some(human) if seats.contains(&Player::Human) && seats[1 - human] != Player::Human => human,
                    _ => self.record.turn(),
                };
                self.abandon().await?;
                self.end_game(["p2win", "p1win"][loser], "resignation");
            }
            Command::OfferDraw { at } => {
                self.is_at(*at)?;
                let engine = self.settings.players.iter().position(|player| *player != Player::Human);
                if engine.is_some_and(|side| !self.is_drawish(side)) {
                    self.tell("draw_declined", "");
                } else {
                    self.abandon().await?;
                    self.end_game("draw", "agreement");
                }
            }
            Command::Pause => {
                self.abandon().await?;
                self.next_move = None;
                self.hold();
            }
            Command::Resume => {
                self.wake().await?;
                self.paused = false;
            }
        }
        self.advance().await
    }

    /// Sets up a position and moves as the engine reads them, of the game that they name or of the one on the board.
    async fn paste(&mut self, text: &str) -> Result<(), Trouble> {
        let pasted = Pasted::read(text)?;
        let game = pasted.game.clone().unwrap_or_else(|| self.record.game.clone());
        pasted.fits(&game)?;
        self.set_up(Record::new(game, pasted.board.clone()), &pasted.moves).await
    }

    /// Plays a move on the board and presses the clock.
    async fn play(&mut self, text: &MoveText) -> Result<(), Trouble> {
        let (record, mover) = (self.record.clone(), self.record.turn());
        let is_first = record.at == 0;
        self.set_up(record, std::slice::from_ref(text)).await?;
        self.moved = Instant::now();
        if let Some(clocks) = &mut self.clocks {
            clocks.press(mover, is_first, Instant::now());
            if self.record.is_over() {
                clocks.hold(Instant::now());
            }
            let (left, here) = (clocks.left(mover, Instant::now()), self.record.here());
            if let Some(node) = self.record.node_mut(here) {
                node.notes.clock = Some((left.as_secs_f64() * 10.0).round() / 10.0);
            }
        }
        Ok(())
    }

    /// Pauses the game and its clocks.
    fn hold(&mut self) {
        self.paused = true;
        if let Some(clocks) = &mut self.clocks {
            clocks.hold(Instant::now());
        }
    }

    /// Ends the game: the time of the player to move is up.
    async fn lose_on_time(&mut self) -> Result<(), Trouble> {
        self.abandon().await?;
        let loser = self.record.turn();
        self.end_game(["p2win", "p1win"][loser], "time");
        self.advance().await
    }

    /// Ends the game on the board, other than by its rules.
    fn end_game(&mut self, result: &'static str, why: &'static str) {
        if let Some(clocks) = &mut self.clocks {
            clocks.hold(Instant::now());
        }
        let here = self.record.here();
        if let Some(node) = self.record.node_mut(here) {
            node.ended = Some(Ended { result, why });
        }
    }

    /// # Errors
    /// When the page is behind, or the game is over.
    fn is_at(&self, at: usize) -> Result<(), Refusal> {
        if at != self.record.at {
            return Err(Refusal::new("stale", ""));
        }
        if self.record.is_over() { Err(Refusal::new("over", "")) } else { Ok(()) }
    }

    /// Whether an opponent agrees to take moves back: always in a game without a clock, once in a game with one.
    fn agrees_to_take_back(&self) -> bool {
        self.clocks.is_none() || self.taken_back == 0
    }

    /// Whether the engine of a side does not stand better, by the last value on the line to the board.
    fn is_drawish(&self, side: usize) -> bool {
        let line = self.record.line();
        let known = line.iter().take(self.record.at + 1).rev().find_map(|node| {
            let node = self.record.node(*node)?;
            node.score.or(node.glance)
        });
        known.is_some_and(|score| !score.favours(side))
    }

    /// Sets up a game and plays moves from there, each of which must be legal by the engine's list.
    ///
    /// Changes nothing when it fails.
    async fn set_up(&mut self, mut record: Record, moves: &[MoveText]) -> Result<(), Trouble> {
        self.abandon().await?;
        self.wake_if_free().await?;
        let outcome = match &mut self.engine {
            Some(engine) => describe(engine, &mut record, moves).await,
            None => self.describe_without_engine(&mut record, moves).await,
        };
        match outcome {
            Ok(()) => {
                self.record = record;
                self.hint = None;
                self.settings.threat = false;
                self.prune_review();
                Ok(())
            }
            Err(Trouble::Refused(refusal)) => {
                if let Some(engine) = &mut self.engine {
                    choose(engine, &self.record.game).await?;
                    look(engine, &mut self.record).await?;
                }
                Err(refusal.into())
            }
            Err(fault) => Err(fault),
        }
    }

    /// Describes positions without an engine of one's own. The shared engine `describer` is started when needed, and again after a fault.
    async fn describe_without_engine(&self, record: &mut Record, moves: &[MoveText]) -> Result<(), Trouble> {
        let mut describer = self.shared.describer.lock().await;
        if describer.is_none() {
            let mut engine = Engine::start(&self.shared.program).await?;
            option(&mut engine, "Hash", 1).await?;
            *describer = Some(engine);
        }
        let Some(engine) = describer.as_mut() else { return Err(no_engine()) };
        let outcome = describe(engine, record, moves).await;
        match outcome {
            Err(Trouble::Fault(fault)) => {
                *describer = None;
                Err(Refusal::new("engine_failed", fault.0).into())
            }
            other => other,
        }
    }

    /// Removes deleted nodes from the review.
    fn prune_review(&mut self) {
        if let Some(review) = &mut self.review {
            let is_there = |node: &usize| self.record.node(*node).is_some();
            review.todo.retain(is_there);
            review.line.retain(is_there);
        }
    }

    /// Tells the engine of a new game, with a new seed for weaker levels.
    async fn begin_game(&mut self) -> Result<(), Trouble> {
        self.seed = seed()?;
        self.review = None;
        self.analysed = None;
        self.taken_back = 0;
        self.round += 1;
        let Some(engine) = &mut self.engine else { return Ok(()) };
        engine.send("uginewgame").await?;
        option(engine, "Seed", self.seed).await
    }

    /// Starts what the game needs next, if anything: a move, the review, the graph, an analysis.
    async fn advance(&mut self) -> Result<(), Trouble> {
        self.next_move = None;
        if self.search.is_some() || !self.is_watched() || !self.record.is_described {
            return Ok(());
        }
        if self.engine.is_none() {
            // Two people need none, and their clocks run.
            if self.settings.players == [Player::Human; 2] {
                self.run_clock();
            }
            return Ok(());
        }
        let is_over = self.record.is_over();
        let here = self.record.here();
        if let (Player::Engine { level }, false, false) =
            (self.settings.players[self.record.turn()], self.paused, is_over)
        {
            if self.record.at >= LONGEST_GAME {
                self.hold();
                self.tell("too_long", "");
                return Ok(());
            }
            let earliest = self.moved + Duration::from_millis(self.settings.pace.into());
            let between_engines = !self.settings.players.contains(&Player::Human);
            if between_engines && self.record.at > 0 && Instant::now() < earliest {
                self.next_move = Some(earliest);
                return match self.unjudged() {
                    Some(node) => self.begin_glance(node).await,
                    None => Ok(()),
                };
            }
            if let Some(clocks) = &mut self.clocks {
                clocks.run(self.record.turn(), Instant::now());
            }
            let go = match &self.clocks {
                Some(clocks) => clocks.go(Instant::now()),
                None => format!("go movetime {}", self.settings.movetime),
            };
            return self.begin(Purpose::Play, here, Manner { level, ..Manner::JUDGE }, &go).await;
        }
        self.run_clock();
        if let Some((node, limit)) = self.review.as_ref().and_then(|review| Some((*review.todo.front()?, review.limit)))
        {
            return self.begin(Purpose::Review, node, Manner::JUDGE, &limit.go()?).await;
        }
        if let Some(node) = self.unjudged() {
            return self.begin_glance(node).await;
        }
        if self.untold > 0 {
            self.publish();
        }
        if self.is_to_be_explored() {
            let legal = u16::try_from(self.record.legal.len()).unwrap_or(u16::MAX);
            let manner = Manner { lines: legal.clamp(1, MOST_LINES), ..Manner::JUDGE };
            return self.begin(Purpose::Explore, here, manner, &format!("go nodes {EXPLORE_NODES}")).await;
        }
        if self.settings.analysis && !is_over && self.analysed != Some(self.analysis()) {
            let (_, depth, lines, threat) = self.analysis();
            let go = if depth == 0 { "go infinite".to_owned() } else { format!("go depth {depth}") };
            let purpose = if threat { Purpose::Threat } else { Purpose::Analysis };
            return self.begin(purpose, here, Manner { lines, ..Manner::JUDGE }, &go).await;
        }
        Ok(())
    }

    /// Starts the clock of a person who is to move at the end of the line, after the first move.
    fn run_clock(&mut self) {
        let (turn, is_over) = (self.record.turn(), self.record.is_over());
        let is_played = self.record.at > 0 && self.record.at + 1 == self.record.line().len();
        if let (Some(clocks), false, false, true) = (&mut self.clocks, is_over, self.paused, is_played) {
            clocks.run(turn, Instant::now());
        }
    }

    /// The analysis that is wanted.
    fn analysis(&self) -> Analysed {
        let legal = u16::try_from(self.record.legal.len()).unwrap_or(u16::MAX);
        let Settings { depth, lines, threat, .. } = self.settings;
        // How many moves the other side has is not known.
        (self.record.here(), depth, if threat { lines.min(5) } else { lines.min(legal).max(1) }, threat)
    }

    /// Whether the moves of the position on the board are to have values and have none yet. In a game against an engine they have none.
    fn is_to_be_explored(&self) -> bool {
        let engine_plays = !self.paused && self.settings.players.iter().any(|player| *player != Player::Human);
        let has_none = self.record.node(self.record.here()).is_some_and(|node| node.worth.is_none());
        self.settings.explore && has_none && !engine_plays && !self.record.is_over()
    }

    /// A position of the line without a value for the graph, first the one on the board.
    fn unjudged(&self) -> Option<usize> {
        let wants =
            |node: &usize| self.record.node(*node).is_some_and(|node| node.glance.is_none() && node.result().is_none());
        let line = self.record.line();
        std::iter::once(self.record.here()).chain(line.iter().copied()).find(wants)
    }

    async fn begin_glance(&mut self, node: usize) -> Result<(), Trouble> {
        let has_book = self.engine.as_ref().is_some_and(|engine| engine.knows("OwnBook"));
        let by_book = has_book && self.record.node(node).is_some_and(|node| !node.is_looked_up);
        let go = format!("go nodes {GLANCE_NODES}");
        self.begin(Purpose::Glance { by_book }, node, Manner { by_book, ..Manner::JUDGE }, &go).await
    }

    async fn begin_hint(&mut self) -> Result<(), Trouble> {
        self.abandon().await?;
        let go = format!("go movetime {}", self.settings.movetime.max(HINT_TIME));
        self.begin(Purpose::Hint, self.record.here(), Manner::JUDGE, &go).await
    }

    async fn begin(&mut self, purpose: Purpose, node: usize, manner: Manner, go: &str) -> Result<(), Trouble> {
        let mut position = self.record.position_at(node);
        let engine = self.engine.as_mut().ok_or_else(no_engine)?;
        if self.manner.level != manner.level {
            option(engine, "Skill Level", manner.level).await?;
            self.manner.level = manner.level;
        }
        if self.manner.lines != manner.lines && engine.knows("MultiPV") {
            option(engine, "MultiPV", manner.lines).await?;
            self.manner.lines = manner.lines;
        }
        if self.manner.by_book != manner.by_book && engine.knows("OwnBook") {
            option(engine, "OwnBook", manner.by_book).await?;
            self.manner.by_book = manner.by_book;
        }
        if purpose == Purpose::Threat {
            let complaint = engine.tell(&position).await?;
            let passed = engine.query("pass").await?;
            if complaint.is_some() || passed == "unknown" {
                // A king in check cannot wait, for example.
                return self.give_up_threat().await;
            }
            position = format!("position fen {passed}");
        }
        if let Some(complaint) = engine.tell(&position).await? {
            return Err(Refusal::new("engine_says", complaint).into());
        }
        engine.send(go).await?;
        self.heard = Instant::now();
        self.search = Some(Search { purpose, node, lines: Vec::new(), worth: Vec::new(), unnamed: VecDeque::new() });
        if purpose.word().is_some() {
            self.publish();
        }
        Ok(())
    }

    /// The other side cannot be to move here: the position is analysed as it is.
    async fn give_up_threat(&mut self) -> Result<(), Trouble> {
        self.settings.threat = false;
        self.tell("no_threat", "");
        Box::pin(self.advance()).await
    }

    /// Stops a running search and ignores its move.
    async fn abandon(&mut self) -> Result<(), Trouble> {
        self.next_move = None;
        if self.search.take().is_some() {
            self.news.thinking.send_replace("null".into());
            if let Some(engine) = &mut self.engine {
                engine.abandon().await?;
            }
        }
        Ok(())
    }

    /// Handles a line that the engine sends by itself.
    async fn hear(&mut self, line: &str) -> Result<(), Trouble> {
        if let Some(complaint) = line.strip_prefix("info string error: ") {
            self.tell("engine_says", complaint);
            return Ok(());
        }
        if let Some(best) = line.strip_prefix("bestmove ") {
            // A short analysis may be over before the names of its moves are here.
            if let (Some(search), Some(engine)) = (&mut self.search, &mut self.engine)
                && matches!(search.purpose, Purpose::Analysis | Purpose::Threat)
                && !search.unnamed.is_empty()
            {
                for names in engine.responses().await? {
                    search.name_line(&names);
                }
                self.show_thoughts();
            }
            let Some(search) = self.search.take() else { return Ok(()) };
            let is_told = search.purpose.word().is_some();
            self.conclude(search, best.split_ascii_whitespace().next().unwrap_or_default()).await?;
            if is_told || self.untold >= GLANCES_AT_ONCE {
                self.publish();
            }
            return Ok(());
        }
        let Some(search) = &mut self.search else { return Ok(()) };
        if let Some(names) = line.strip_prefix("response ") {
            if search.name_line(names) {
                self.show_thoughts();
            }
            return Ok(());
        }
        let Some(node) = self.record.node_mut(search.node) else { return Ok(()) };
        let is_threat = search.purpose == Purpose::Threat;
        let first_to_move = node.spot.first_to_move != is_threat;
        let is_shown = search.purpose.is_shown();
        let Some(place) = Info::note(&mut search.lines, line, first_to_move) else { return Ok(()) };
        if search.purpose == Purpose::Explore {
            search.note_worth(place);
        }
        if !is_shown {
            return Ok(());
        }
        if !is_threat {
            node.score = search.lines.first().and_then(|best| best.score).or(node.score);
        }
        let noted = search.lines.get(place).filter(|info| info.names.is_empty() && !info.pv.is_empty());
        if let (true, Some(info), Some(engine)) = (self.record.has_names(), noted, &mut self.engine) {
            // The line is shown once its names are known.
            engine.send(&format!("query line {}", info.pv.join(" "))).await?;
            search.unnamed.push_back((place, info.pv.clone()));
            return Ok(());
        }
        self.show_thoughts();
        Ok(())
    }

    /// Publishes the lines of the search.
    fn show_thoughts(&self) {
        let Some(search) = &self.search else { return };
        let (word, lines) = (search.purpose.word(), &search.lines);
        let thinking = json!({ "at": self.record.at, "purpose": word, "info": lines.first(), "lines": lines });
        self.news.thinking.send_replace(thinking.to_string().into());
    }

    /// Uses the result of a finished search.
    async fn conclude(&mut self, search: Search, best: &str) -> Result<(), Trouble> {
        if search.purpose == Purpose::Explore {
            let settled = search.lines.iter().map(|info| info.nodes).max().unwrap_or_default() < EXPLORE_NODES;
            if let Some(node) = self.record.node_mut(search.node) {
                node.worth = Some(Worth { settled, moves: search.worth });
            }
            self.publish();
            return self.advance().await;
        }
        let is_shown = search.purpose.is_shown();
        let judgement = search.lines.into_iter().next().and_then(|info| {
            let judgement = Judgement { score: info.score?, depth: info.depth, pv: info.pv, names: Vec::new() };
            Some((judgement, info.nodes))
        });
        let judgement = match (judgement, &mut self.engine) {
            // The names were not requested yet, and the engine still has the position that was searched.
            (Some((mut judgement, nodes)), Some(engine)) if self.record.has_names() && !is_shown => {
                judgement.names = Stroke::names(engine.line(&judgement.pv.join(" ")).await?);
                Some((judgement, nodes))
            }
            (judgement, _) => judgement,
        };
        match search.purpose {
            Purpose::Review => {
                // A long review is not idle time.
                self.touched = Instant::now();
                if let Some(review) = &mut self.review {
                    review.todo.pop_front();
                }
                if let Some(node) = self.record.node_mut(search.node) {
                    node.review = judgement.map(|(judgement, _)| judgement);
                }
                return self.advance().await;
            }
            Purpose::Glance { by_book } => {
                let Some((judgement, nodes)) = judgement else {
                    return Err(Fault("it answered without a score".into()).into());
                };
                if let Some(node) = self.record.node_mut(search.node) {
                    node.is_looked_up = true;
                    if by_book && nodes == 0 {
                        node.book = Some(judgement);
                    } else {
                        node.glance = Some(judgement.score);
                    }
                }
                self.untold += 1;
                return self.advance().await;
            }
            Purpose::Analysis | Purpose::Threat => {
                self.analysed = Some(self.analysis());
                return self.advance().await;
            }
            Purpose::Play | Purpose::Hint | Purpose::Explore => {}
        }
        let found = MoveText::new(best).ok().and_then(|found| self.record.legal_move(&found));
        let Some(found) = found else {
            return Err(Fault(format!("it answered '{}', which is not a legal move", best.escape_debug())).into());
        };
        match search.purpose {
            Purpose::Hint => self.hint = Some(found.to_string()),
            Purpose::Play => self.play(&found).await?,
            Purpose::Analysis | Purpose::Threat | Purpose::Review | Purpose::Explore | Purpose::Glance { .. } => {}
        }
        self.advance().await
    }

    /// Handles a newly opened page: describes the game and starts an engine if the first page needs them. An engine
    /// that was given up while no page was open is started again if a seat is free.
    async fn welcome(&mut self) -> Result<(), Trouble> {
        if !self.record.is_described || matches!(self.absent, "yielded" | "full") {
            self.wake_if_free().await?;
            if !self.record.is_described {
                let mut record = self.record.clone();
                self.describe_without_engine(&mut record, &[]).await?;
                self.record = record;
            }
            self.publish();
        }
        self.advance().await
    }

    /// Periodic work: stops searches of a visitor without an open page, ends an idle engine, restarts a hanging one, and
    /// starts one for a visitor that waits for a free engine.
    async fn rest(&mut self) -> Result<(), Trouble> {
        let is_gone = self.holder.presence.left().is_some_and(|(_, left)| left.elapsed() >= ABSENCE);
        if is_gone && (self.search.is_some() || self.next_move.is_some()) {
            self.abandon().await?;
            self.publish();
        }
        if self.absent == "full" && !self.is_watched() {
            // A visitor that returns should not read that all engines were busy earlier.
            self.absent = "yielded";
            self.publish();
        }
        if self.engine.is_some() && self.touched.elapsed() >= self.shared.idle {
            self.end_engine("resting").await;
        }
        if self.search.is_some() && self.heard.elapsed() >= SILENCE.1 {
            return Err(Fault("it does not answer".into()).into());
        }
        if let (Some(engine), true) = (&mut self.engine, self.search.is_some() && self.heard.elapsed() >= SILENCE.0) {
            engine.send("isready").await?;
        }
        if self.engine.is_none() && self.absent == "full" && self.is_watched() {
            match self.wake().await {
                Ok(()) => {
                    // Other waiting visitors start a new one.
                    if let Some(describer) = self.shared.describer.lock().await.take() {
                        describer.quit().await;
                    }
                    self.publish();
                    self.advance().await?;
                }
                // The page knows that already.
                Err(Trouble::Refused(refusal)) if refusal.error == "full" => {}
                Err(trouble) => return Err(trouble),
            }
        }
        Ok(())
    }

    /// Ends the engine and gives up the seat; the game is kept.
    async fn end_engine(&mut self, why: &'static str) {
        // Do not wait for the answer to `stop`: the engine quits.
        self.search = None;
        self.next_move = None;
        if let Some(engine) = self.engine.take() {
            engine.quit().await;
            self.absent = why;
            self.publish();
        }
        self.seat = None;
    }

    /// Makes sure that there is an engine, unless all are busy.
    async fn wake_if_free(&mut self) -> Result<(), Trouble> {
        match self.wake().await {
            Err(Trouble::Refused(refusal)) if refusal.error == "full" => Ok(()),
            other => other,
        }
    }

    /// Makes sure that there is an engine and that the game is set up.
    async fn wake(&mut self) -> Result<(), Trouble> {
        if self.engine.is_some() {
            return Ok(());
        }
        if self.seat.is_none() {
            self.seat = self.shared.seats.take(&self.holder).await;
        }
        if self.seat.is_none() {
            self.absent = "full";
            return Err(Refusal::new("full", "").into());
        }
        self.absent = "failed";
        let outcome = self.start_engine().await;
        if matches!(outcome, Err(Trouble::Refused(_))) {
            self.seat = None;
        }
        outcome
    }

    async fn start_engine(&mut self) -> Result<(), Trouble> {
        let mut engine = Engine::start(&self.shared.program).await?;
        option(&mut engine, "Hash", self.shared.hash).await?;
        option(&mut engine, "Seed", self.seed).await?;
        choose(&mut engine, &self.record.game).await?;
        look(&mut engine, &mut self.record).await?;
        self.engine_name.clone_from(&engine.name);
        self.manner = Manner::AT_FIRST;
        self.engine = Some(engine);
        // The engine was needed now, however old the last command is.
        self.touched = Instant::now();
        Ok(())
    }

    /// Starts a new engine after a fault.
    async fn recover(&mut self, fault: Fault) -> Result<(), Refusal> {
        let mut fault = fault;
        loop {
            self.engine = None;
            self.search = None;
            self.next_move = None;
            self.absent = "failed";
            self.news.thinking.send_replace("null".into());
            self.restarts.retain(|time| time.elapsed() < RESTARTS.1);
            if self.restarts.len() >= RESTARTS.0 {
                self.seat = None;
                self.publish();
                return Err(Refusal::new("engine_failed", fault.0));
            }
            self.restarts.push(Instant::now());
            match self.wake().await {
                Ok(()) => {
                    self.tell("engine_restarted", &fault.0);
                    return Ok(());
                }
                Err(Trouble::Refused(refusal)) => return Err(refusal),
                Err(Trouble::Fault(next)) => fault = next,
            }
        }
    }

    /// Handles the outcome of an action that no page requested.
    async fn settle(&mut self, mut outcome: Result<(), Trouble>) -> Result<(), Refusal> {
        loop {
            match outcome {
                Ok(()) => return Ok(()),
                Err(Trouble::Refused(refusal)) => return Err(refusal),
                Err(Trouble::Fault(fault)) => {
                    let hinted = self.search.as_ref().is_some_and(|search| search.purpose == Purpose::Hint);
                    self.recover(fault).await?;
                    outcome = if hinted { self.begin_hint().await } else { self.advance().await };
                    self.publish();
                }
            }
        }
    }

    async fn settle_and_tell(&mut self, outcome: Result<(), Trouble>) {
        if let Err(refusal) = self.settle(outcome).await {
            self.publish();
            self.tell(refusal.error, &refusal.detail);
        }
    }

    fn is_watched(&self) -> bool {
        self.holder.presence.is_watched()
    }

    /// Sends a notice to the open pages, as a code that they translate.
    fn tell(&self, code: &'static str, detail: &str) {
        // Without an open page there is no use for it.
        let _ = self.news.notices.send(json!({ "notice": code, "detail": detail }).to_string().into());
    }

    fn publish(&mut self) {
        self.published += 1;
        self.untold = 0;
        let record = &self.record;
        let Record { game, start, at, legal, pictures, .. } = record;
        let line = if record.is_described { record.line() } else { &[] };
        let nodes: Vec<&Node> = line.iter().filter_map(|node| record.node(*node)).collect();
        let each = |part: fn(&Node) -> serde_json::Value| nodes.iter().map(|node| part(node)).collect::<Vec<_>>();
        let name = game.to_string();
        let openings: Vec<_> =
            nodes.iter().take(openings::LONGEST + 1).map(|node| openings::named(&name, &node.spot.board)).collect();
        let here = record.node(record.here());
        let review = self.review.as_ref().map(|review| {
            let line = review.line.iter().filter_map(|number| {
                let node = record.node(*number)?;
                Some(json!({ "node": number, "move": node.played, "name": node.name, "first": node.spot.first_to_move,
                    "result": node.result(), "review": node.review }))
            });
            json!({ "limit": review.limit, "done": review.of.saturating_sub(review.todo.len()), "of": review.of,
                "runs": !review.todo.is_empty(), "line": line.collect::<Vec<_>>() })
        });
        let state = json!({
            "n": self.published,
            "round": self.round,
            "game": game,
            "start": start.as_ref().map_or_else(|| "startpos".to_owned(), ToString::to_string),
            "moves": nodes.iter().filter_map(|node| node.played.as_ref()).collect::<Vec<_>>(),
            "names": nodes.iter().skip(1).map(|node| &node.name).collect::<Vec<_>>(),
            "boards": each(|node| node.spot.board.as_str().into()),
            "first": each(|node| node.spot.first_to_move.into()),
            "openings": openings,
            "results": each(|node| json!(node.result())),
            "scores": each(|node| json!(node.score)),
            "glances": each(|node| json!(node.glance)),
            "reviews": each(|node| json!(node.review)),
            "nodes": line,
            "tree": tree(record),
            "comment": record.node(0).map(Node::comment),
            "about": about(record),
            "review": review,
            "worth": here.and_then(|here| here.worth.as_ref()),
            "book": here.and_then(|here| here.book.as_ref()),
            "clock": self.clocks.as_ref().map(|clocks| clocks.told(Instant::now())),
            "ended": here.and_then(|here| here.ended.as_ref()).map(|ended| ended.why),
            "at": at,
            "legal": legal,
            "pictures": pictures,
            "result": record.result(),
            "settings": self.settings,
            "paused": self.paused,
            "doing": self.search.as_ref().and_then(|search| search.purpose.word()),
            "hint": self.hint,
            "engine": match self.absent {
                _ if self.engine.is_some() => "ready",
                // No page was open when the engine ended; a returning visitor gets the current state.
                "yielded" => "resting",
                absent => absent,
            },
            "name": self.engine_name,
            "idle": self.shared.idle.as_secs(),
        });
        self.news.state.send_replace(state.to_string().into());
        if !self.search.as_ref().is_some_and(|search| search.purpose.is_shown())
            && self.analysed != Some(self.analysis())
        {
            self.news.thinking.send_replace("null".into());
        }
    }
}

/// What is known of a game that was read.
fn about(record: &Record) -> serde_json::Value {
    let about = &record.about;
    let tags: Vec<[&str; 2]> = about.tags.iter().map(|tag| [tag.name.as_str(), tag.value.as_str()]).collect();
    json!({ "players": about.players, "tags": tags, "result": about.result.map(Outcome::word), "ending": about.ending,
        "is_read": about.format.is_some() })
}

/// All moves of the tree, each after its parent, variations in order.
fn tree(record: &Record) -> Vec<serde_json::Value> {
    let mut told = Vec::new();
    let mut open = vec![0];
    while let Some(number) = open.pop() {
        open.extend(record.children(number).iter().rev());
        let Some((parent, node)) = record.node(number).and_then(|node| Some((node.parent()?, node))) else { continue };
        let mut one = json!({ "id": number, "parent": parent, "move": node.played });
        if let Some(name) = &node.name {
            one["name"] = name.as_str().into();
        }
        let notes = &node.notes;
        if !notes.comments.is_empty() {
            one["comment"] = node.comment().into();
        }
        if !notes.before.is_empty() {
            one["before"] = notes.before.join("\n").into();
        }
        if !notes.nags.is_empty() {
            one["nags"] = json!(notes.nags);
        }
        if let Some(clock) = notes.clock {
            one["clock"] = json!(clock);
        }
        told.push(one);
    }
    told
}

fn no_engine() -> Trouble {
    Fault("there is no engine".into()).into()
}

/// A seed for an engine's choices.
fn seed() -> Result<u32, Refusal> {
    let mut bytes = [0; 4];
    getrandom::fill(&mut bytes).map_err(|error| Refusal::new("server", error.to_string()))?;
    Ok(u32::from_le_bytes(bytes) >> 1)
}

async fn option(engine: &mut Engine, name: &str, value: impl std::fmt::Display) -> Result<(), Trouble> {
    match engine.tell(&format!("setoption name {name} value {value}")).await? {
        Some(complaint) => Err(Refusal::new("engine_says", complaint).into()),
        None => Ok(()),
    }
}

/// Plays moves from the position of a record, each of which must be legal by the engine's list, and describes where they lead.
async fn describe(engine: &mut Engine, record: &mut Record, moves: &[MoveText]) -> Result<(), Trouble> {
    choose(engine, &record.game).await?;
    if moves.is_empty() || !record.is_described {
        look(engine, record).await?;
    }
    for wanted in moves {
        let mut found = record.legal_move(wanted);
        if found.is_none() && record.has_names() {
            // The engine may accept other spellings of a move. Another position may have been described since.
            if let Some(complaint) = engine.tell(&record.position()).await? {
                return Err(Refusal::new("engine_says", complaint).into());
            }
            if let [stroke] = &engine.line(wanted.as_str()).await?[..] {
                found = MoveText::new(&stroke.mv).ok().and_then(|text| record.legal_move(&text));
            }
        }
        let Some(legal) = found else {
            let detail = format!("{wanted}; {}", record.legal.join(" "));
            return Err(Refusal::new("illegal_move", detail).into());
        };
        record.push(legal)?;
        look(engine, record).await?;
    }
    Ok(())
}

async fn choose(engine: &mut Engine, game: &GameName) -> Result<(), Trouble> {
    option(engine, "Game", game).await
}

/// Sets up the position on the board, and queries its description.
async fn look(engine: &mut Engine, record: &mut Record) -> Result<(), Trouble> {
    if let Some(complaint) = engine.tell(&record.position()).await? {
        return Err(Refusal::new("engine_says", complaint).into());
    }
    let here = record.here();
    let spot = Spot {
        board: engine.query("fen").await?,
        first_to_move: engine.query("p1turn").await? == "true",
        result: Some(engine.query("result").await?).filter(|result| result != "none"),
    };
    let legal = engine.query("legalmoves").await?;
    record.legal = legal.split_ascii_whitespace().map(str::to_owned).collect();
    // Other engines may not know this query.
    let picture: Option<serde_json::Value> = serde_json::from_str(&engine.query("picture").await?).ok();
    let stroke = |one: &serde_json::Value| serde_json::from_value::<Stroke>(one.clone()).ok();
    let moves = picture.as_ref().and_then(|picture| picture["moves"].as_array());
    let named = moves.into_iter().flatten().filter_map(|one| stroke(one).and_then(|one| Some((one.mv, one.name?))));
    record.names = named.collect();
    let name = picture.as_ref().and_then(|picture| stroke(&picture["last"])?.name);
    record.show(picture);
    record.is_described = true;
    if let Some(node) = record.node_mut(here) {
        node.name = name;
        node.spot = spot;
    }
    Ok(())
}
