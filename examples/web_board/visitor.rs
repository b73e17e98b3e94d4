//! A visitor: one task with a game and, while it is needed, an engine of its own.
//!
//! ```text
//!   page --POST--> errands --> Visitor --lines--> Engine
//!   page <--SSE--- state, thinking, notices <---+
//! ```
//!
//! One errand is done at a time. What an errand changes is kept only when the engine has confirmed it, so an engine that
//! dies is started again, told the game, and the errand repeated. Without a page to see it, nothing is thought about, and the
//! engine is there until somebody else needs it.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;
use serde_json::json;
use tokio::sync::{broadcast, mpsc, oneshot, watch};
use tokio::time::{Instant, interval, sleep_until};

use crate::engine::{Engine, Fault, Info};
use crate::game::{FULL_STRENGTH, Player, Record, Settings, Spot};
use crate::lobby::closes;
use crate::seats::{Holder, Seat, Seats};
use crate::words::{GameName, LONGEST_GAME, MoveText, Pasted, Refusal};

/// How long a search goes on when no page looks: long enough for a reload.
const ABSENCE: Duration = Duration::from_secs(10);
/// So many restarts of an engine in so long a time are one too many.
const RESTARTS: (usize, Duration) = (4, Duration::from_secs(60));
/// The least time for a hint, in milliseconds.
const HINT_TIME: u32 = 500;

/// What all visitors share.
pub(crate) struct House {
    pub(crate) program: PathBuf,
    /// That of a new visitor.
    pub(crate) game: GameName,
    /// Of each engine, in MiB.
    pub(crate) hash: u32,
    /// After so long without a command the engine is ended.
    pub(crate) idle: Duration,
    /// One for each engine that may run.
    pub(crate) seats: Arc<Seats>,
}

/// A command of a page.
#[derive(Debug, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Wish {
    New {
        game: GameName,
        players: Option<[Player; 2]>,
    },
    Play {
        #[serde(rename = "move")]
        text: MoveText,
        /// On which position: the page may be behind.
        at: usize,
    },
    GoTo {
        at: usize,
    },
    Paste {
        text: String,
    },
    Set {
        settings: Settings,
    },
    Swap,
    Hint,
    MoveNow,
    Pause,
    Resume,
}

/// What a visitor's task is asked to do.
pub(crate) enum Errand {
    Wish(Wish, oneshot::Sender<Result<(), Refusal>>),
    /// A page has begun to look.
    Look,
    /// Somebody else needs an engine. Answered when the seat is given up, or is not.
    Yield(oneshot::Sender<()>),
}

/// Where a visitor's news go.
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
}

impl Purpose {
    fn word(self) -> &'static str {
        match self {
            Purpose::Play => "play",
            Purpose::Hint => "hint",
            Purpose::Analysis => "analysis",
        }
    }
}

/// A search that runs, about the position on the board.
struct Search {
    purpose: Purpose,
    info: Info,
}

pub(crate) struct Visitor {
    house: Arc<House>,
    news: News,
    /// Who looks, and how this task is reached by others.
    holder: Holder,
    /// Kept while the engine is started again.
    seat: Option<Seat>,
    engine: Option<Engine>,
    /// By the account of the last one.
    engine_name: String,
    /// What the engine was last told.
    level: Option<u8>,
    /// Why there is no engine, for the page.
    absent: &'static str,
    record: Record,
    settings: Settings,
    /// The engine waits for `Resume` or a move.
    paused: bool,
    search: Option<Search>,
    hint: Option<String>,
    /// Decides the choices of weaker levels in this game.
    seed: u32,
    /// When the next move of two engines may be thought about.
    next_move: Option<Instant>,
    moved: Instant,
    touched: Instant,
    restarts: Vec<Instant>,
    published: u64,
}

impl Visitor {
    /// # Errors
    /// When the system has no random numbers.
    pub(crate) fn new(house: Arc<House>, news: News, holder: Holder) -> Result<Visitor, Refusal> {
        let now = Instant::now();
        Ok(Visitor {
            record: Record::new(house.game.clone(), None),
            house,
            news,
            holder,
            seat: None,
            engine: None,
            engine_name: String::new(),
            level: None,
            absent: "resting",
            settings: Settings {
                players: [Player::Human, Player::Engine { level: 6 }],
                movetime: 1000,
                pace: 800,
                analysis: false,
            },
            paused: false,
            search: None,
            hint: None,
            seed: seed()?,
            next_move: None,
            moved: now,
            touched: now,
            restarts: Vec::new(),
            published: 0,
        })
    }

    /// Serves until nobody can send errands any more, or the server closes; then the engine is ended.
    pub(crate) async fn run(mut self, mut errands: mpsc::Receiver<Errand>, mut closing: watch::Receiver<bool>) {
        let mut tick = interval((self.house.idle / 4).clamp(Duration::from_millis(50), Duration::from_secs(1)));
        loop {
            let next_move = self.next_move;
            let pause = async {
                match next_move {
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
                errand = errands.recv() => match errand {
                    Some(Errand::Wish(wish, answer)) => {
                        let done = self.attend(wish).await;
                        self.publish();
                        // A page that went away meanwhile needs no answer.
                        let _ = answer.send(done);
                    }
                    Some(Errand::Look) => {
                        let outcome = self.welcome().await;
                        self.settle_and_tell(outcome).await;
                    }
                    Some(Errand::Yield(answer)) => {
                        if !self.is_watched() {
                            self.end_engine("yielded").await;
                        }
                        // Who asked may have an engine by now.
                        let _ = answer.send(());
                    }
                    None => break,
                },
                line = line => {
                    let outcome = match line {
                        Ok(line) => self.hear(&line).await,
                        Err(fault) => Err(fault.into()),
                    };
                    self.settle_and_tell(outcome).await;
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

    /// Does what a page wants; once more, if the engine dies over it.
    async fn attend(&mut self, wish: Wish) -> Result<(), Refusal> {
        self.touched = Instant::now();
        if matches!(wish, Wish::Resume) {
            // Somebody asks for another try.
            self.restarts.clear();
        }
        loop {
            match self.obey(&wish).await {
                Ok(()) => return Ok(()),
                Err(Trouble::Refused(refusal)) => {
                    // What a refused command has stopped goes on.
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

    async fn obey(&mut self, wish: &Wish) -> Result<(), Trouble> {
        match wish {
            Wish::New { game, players } => {
                let settings = Settings { players: players.unwrap_or(self.settings.players), ..self.settings.clone() };
                settings.check()?;
                self.set_up(Record::new(game.clone(), None), &[]).await?;
                self.settings = settings;
                self.begin_game().await?;
                self.paused = false;
            }
            Wish::Paste { text } => {
                let pasted = Pasted::read(text)?;
                let game = pasted.game.clone().unwrap_or_else(|| self.record.game.clone());
                pasted.fits(&game)?;
                self.set_up(Record::new(game, pasted.board), &pasted.moves).await?;
                self.begin_game().await?;
                self.paused = true;
            }
            Wish::Play { text, at } => {
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
                if self.record.at >= LONGEST_GAME {
                    return Err(Refusal::new("too_long", format!("at most {LONGEST_GAME} moves")).into());
                }
                let record = self.record.clone();
                self.set_up(record, std::slice::from_ref(text)).await?;
                self.moved = Instant::now();
                self.paused = false;
            }
            Wish::GoTo { at } => {
                if *at >= self.record.spots.len() {
                    return Err(Refusal::new("stale", "").into());
                }
                for at in self.record.way_to(*at) {
                    let mut record = self.record.clone();
                    record.at = at;
                    self.set_up(record, &[]).await?;
                }
                self.paused = true;
            }
            Wish::Set { settings } => {
                settings.check()?;
                self.wake().await?;
                let same = (settings.players, settings.analysis) == (self.settings.players, self.settings.analysis);
                if !same {
                    self.abandon().await?;
                }
                self.settings = settings.clone();
            }
            Wish::Swap => {
                self.wake().await?;
                self.abandon().await?;
                self.settings.players.swap(0, 1);
                self.paused = false;
            }
            Wish::Hint => {
                self.wake().await?;
                if self.search.as_ref().is_some_and(|search| search.purpose != Purpose::Analysis) {
                    return Err(Refusal::new("busy", "").into());
                }
                if self.record.is_over() {
                    return Err(Refusal::new("over", "").into());
                }
                return self.begin_hint().await;
            }
            Wish::MoveNow => match (&self.search, &mut self.engine) {
                (Some(search), Some(engine)) if search.purpose != Purpose::Analysis => engine.send("stop").await?,
                _ => return Err(Refusal::new("nothing_to_stop", "").into()),
            },
            Wish::Pause => {
                self.abandon().await?;
                self.next_move = None;
                self.paused = true;
            }
            Wish::Resume => {
                self.wake().await?;
                self.paused = false;
            }
        }
        self.advance().await
    }

    /// Puts a game on the board and plays moves from there, each of which the engine lists as legal.
    ///
    /// Nothing has changed when it fails.
    async fn set_up(&mut self, mut record: Record, moves: &[MoveText]) -> Result<(), Trouble> {
        self.abandon().await?;
        self.wake().await?;
        let engine = self.engine.as_mut().ok_or_else(no_engine)?;
        let outcome = async {
            choose(engine, &record.game).await?;
            if moves.is_empty() || record.spots.is_empty() {
                look(engine, &mut record).await?;
            }
            for wanted in moves {
                let Some(legal) = record.legal_move(wanted) else {
                    let detail = format!("{wanted}; {}", record.legal.join(" "));
                    return Err(Refusal::new("illegal_move", detail).into());
                };
                record.push(legal);
                look(engine, &mut record).await?;
            }
            Ok(())
        };
        match outcome.await {
            Ok(()) => {
                self.record = record;
                self.hint = None;
                Ok(())
            }
            Err(Trouble::Refused(refusal)) => {
                choose(engine, &self.record.game).await?;
                look(engine, &mut self.record).await?;
                Err(refusal.into())
            }
            Err(fault) => Err(fault),
        }
    }

    /// Tells the engine of a new game, whose weaker levels choose anew.
    async fn begin_game(&mut self) -> Result<(), Trouble> {
        self.seed = seed()?;
        let engine = self.engine.as_mut().ok_or_else(no_engine)?;
        engine.send("uginewgame").await?;
        option(engine, "Seed", self.seed).await
    }

    /// Lets the engine do what the game wants of it now, if anything.
    async fn advance(&mut self) -> Result<(), Trouble> {
        self.next_move = None;
        if self.search.is_some() || self.engine.is_none() || !self.is_watched() || self.record.is_over() {
            return Ok(());
        }
        let level = match self.settings.players[self.record.turn()] {
            Player::Engine { level } if !self.paused => level,
            _ if self.settings.analysis => return self.begin(Purpose::Analysis, FULL_STRENGTH, "go infinite").await,
            _ => return Ok(()),
        };
        if self.record.at >= LONGEST_GAME {
            self.paused = true;
            self.tell("too_long", "");
            return Ok(());
        }
        let earliest = self.moved + Duration::from_millis(self.settings.pace.into());
        let between_engines = !self.settings.players.contains(&Player::Human);
        if between_engines && self.record.at > 0 && Instant::now() < earliest {
            self.next_move = Some(earliest);
            return Ok(());
        }
        let go = format!("go movetime {}", self.settings.movetime);
        self.begin(Purpose::Play, level, &go).await
    }

    async fn begin_hint(&mut self) -> Result<(), Trouble> {
        self.abandon().await?;
        let go = format!("go movetime {}", self.settings.movetime.max(HINT_TIME));
        self.begin(Purpose::Hint, FULL_STRENGTH, &go).await
    }

    async fn begin(&mut self, purpose: Purpose, level: u8, go: &str) -> Result<(), Trouble> {
        let engine = self.engine.as_mut().ok_or_else(no_engine)?;
        if self.level != Some(level) {
            option(engine, "Skill Level", level).await?;
            self.level = Some(level);
        }
        engine.send(go).await?;
        self.search = Some(Search { purpose, info: Info::default() });
        self.publish();
        Ok(())
    }

    /// Stops a search that runs, and forgets its move.
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

    /// A line that the engine said by itself.
    async fn hear(&mut self, line: &str) -> Result<(), Trouble> {
        if let Some(complaint) = line.strip_prefix("info string error: ") {
            self.tell("engine_says", complaint);
            return Ok(());
        }
        if let Some(best) = line.strip_prefix("bestmove ") {
            let Some(search) = self.search.take() else { return Ok(()) };
            self.conclude(search.purpose, best.split_ascii_whitespace().next().unwrap_or_default()).await?;
            self.publish();
            return Ok(());
        }
        let first_to_move = self.record.turn() == 0;
        let Some(search) = &mut self.search else { return Ok(()) };
        if search.info.take(line, first_to_move) {
            if let (Some(score), Some(spot)) = (search.info.score, self.record.spots.get_mut(self.record.at)) {
                spot.score = Some(score);
            }
            let thinking = json!({ "at": self.record.at, "purpose": search.purpose.word(), "info": search.info });
            self.news.thinking.send_replace(thinking.to_string().into());
        }
        Ok(())
    }

    /// Does what a finished search was for.
    async fn conclude(&mut self, purpose: Purpose, best: &str) -> Result<(), Trouble> {
        let found = MoveText::new(best).ok().and_then(|found| self.record.legal_move(&found));
        let Some(found) = found else {
            return Err(Fault(format!("it answered '{}', which is no legal move", best.escape_debug())).into());
        };
        match purpose {
            Purpose::Hint => self.hint = Some(found.to_string()),
            Purpose::Analysis => {}
            Purpose::Play => {
                let record = self.record.clone();
                self.set_up(record, &[found]).await?;
                self.moved = Instant::now();
            }
        }
        self.advance().await
    }

    /// A page looks: the first one finds a game and an engine, a later one what there is. An engine that was given up to
    /// somebody else only while nobody looked is there again, if one can be had.
    async fn welcome(&mut self) -> Result<(), Trouble> {
        if self.record.spots.is_empty() || matches!(self.absent, "yielded" | "full") {
            self.wake().await?;
            self.publish();
        }
        self.advance().await
    }

    /// Ends what nobody waits for: searches without a page, an engine without commands. Who waits for an engine tries again.
    async fn rest(&mut self) -> Result<(), Trouble> {
        let is_gone = self.holder.presence.left().is_some_and(|(_, left)| left.elapsed() >= ABSENCE);
        if is_gone && (self.search.is_some() || self.next_move.is_some()) {
            self.abandon().await?;
            self.publish();
        }
        if self.engine.is_some() && self.touched.elapsed() >= self.house.idle {
            self.end_engine("resting").await;
        }
        if self.engine.is_none() && self.absent == "full" && self.is_watched() {
            match self.wake().await {
                Ok(()) => {
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
        // Its answer to `stop` is not waited for: it is told to quit.
        self.search = None;
        self.next_move = None;
        if let Some(engine) = self.engine.take() {
            engine.quit().await;
            self.absent = why;
            self.publish();
        }
        self.seat = None;
    }

    /// Makes sure that there is an engine, and that it knows the game.
    async fn wake(&mut self) -> Result<(), Trouble> {
        if self.engine.is_some() {
            return Ok(());
        }
        if self.seat.is_none() {
            self.seat = self.house.seats.take(&self.holder).await;
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
        let mut engine = Engine::start(&self.house.program).await?;
        option(&mut engine, "Hash", self.house.hash).await?;
        option(&mut engine, "Seed", self.seed).await?;
        choose(&mut engine, &self.record.game).await?;
        look(&mut engine, &mut self.record).await?;
        self.engine_name.clone_from(&engine.name);
        self.level = None;
        self.engine = Some(engine);
        // It was needed now, however long ago the last command was.
        self.touched = Instant::now();
        Ok(())
    }

    /// Starts a new engine in the place of one that failed.
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

    /// Brings what happened by itself to a good end.
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

    /// Says something to the pages that look, in a code that they have words for.
    fn tell(&self, code: &'static str, detail: &str) {
        // Without a page nobody needs to know.
        let _ = self.news.notices.send(json!({ "notice": code, "detail": detail }).to_string().into());
    }

    fn publish(&mut self) {
        self.published += 1;
        let Record { game, start, moves, spots, at, legal, pictures } = &self.record;
        let each = |part: fn(&Spot) -> serde_json::Value| spots.iter().map(part).collect::<Vec<_>>();
        let state = json!({
            "n": self.published,
            "game": game,
            "start": start.as_ref().map_or_else(|| "startpos".to_owned(), ToString::to_string),
            "moves": moves,
            "boards": each(|spot| spot.board.as_str().into()),
            "first": each(|spot| spot.first_to_move.into()),
            "scores": each(|spot| json!(spot.score)),
            "at": at,
            "legal": legal,
            "pictures": pictures,
            "result": self.record.here().and_then(|spot| spot.result.as_deref()),
            "settings": self.settings,
            "paused": self.paused,
            "doing": self.search.as_ref().map(|search| search.purpose.word()),
            "hint": self.hint,
            "engine": match self.absent {
                _ if self.engine.is_some() => "ready",
                // Nobody has seen it go; whoever comes back is told what there is then.
                "yielded" => "resting",
                absent => absent,
            },
            "name": self.engine_name,
            "idle": self.house.idle.as_secs(),
        });
        self.news.state.send_replace(state.to_string().into());
        if self.search.is_none() {
            self.news.thinking.send_replace("null".into());
        }
    }
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

async fn choose(engine: &mut Engine, game: &GameName) -> Result<(), Trouble> {
    option(engine, "Game", game).await
}

/// Sets up the position on the board, and has the engine describe it.
async fn look(engine: &mut Engine, record: &mut Record) -> Result<(), Trouble> {
    if let Some(complaint) = engine.tell(&record.position()).await? {
        return Err(Refusal::new("engine_says", complaint).into());
    }
    let spot = Spot {
        board: engine.query("fen").await?,
        first_to_move: engine.query("p1turn").await? == "true",
        result: Some(engine.query("result").await?).filter(|result| result != "none"),
        score: record.here().and_then(|spot| spot.score),
    };
    let legal = engine.query("legalmoves").await?;
    record.legal = legal.split_ascii_whitespace().map(str::to_owned).collect();
    // Another engine may know no such question.
    record.show(serde_json::from_str(&engine.query("picture").await?).ok());
    match record.spots.get_mut(record.at) {
        Some(known) => *known = spot,
        None => record.spots.push(spot),
    }
    Ok(())
}
