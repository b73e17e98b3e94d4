//! One game between two engines: whose turn it is, how long each may think, and why it ends.

use std::time::Duration;

use griot::game::Side;
use griot::protocol::words;

use crate::engine::{Engine, Fault, Spec, quoted};
use crate::openings::Opening;
use crate::record::{Player, Reason, Thought};
use crate::referee::{GameResult, Referee};

/// Words by which engines say that they have no move.
const NO_MOVE: [&str; 6] = ["0000", "(none)", "none", "null", "resign", "--"];

/// What a move may take, and how that is judged.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Limits {
    pub(crate) movetime: Option<Duration>,
    pub(crate) depth: Option<u32>,
    pub(crate) nodes: Option<u64>,
    /// Time at the start, and time added with each move.
    pub(crate) clock: Option<(Duration, Duration)>,
    /// What may be overdrawn before the game is lost by it: the way through the pipes.
    pub(crate) margin: Duration,
    /// How long after that an engine counts as hanging; from the `go` on when there is no time limit.
    pub(crate) hang: Duration,
    /// The longest game.
    pub(crate) max_plies: usize,
}

impl Limits {
    /// The limits in the words of the command line.
    pub(crate) fn text(&self) -> String {
        let mut words = Vec::new();
        words.extend(self.movetime.map(|time| format!("movetime {}", time.as_millis())));
        words.extend(self.depth.map(|depth| format!("depth {depth}")));
        words.extend(self.nodes.map(|nodes| format!("nodes {nodes}")));
        words.extend(self.clock.map(|(base, inc)| format!("clock {}+{}", base.as_millis(), inc.as_millis())));
        words.join(" ")
    }

    /// The `go` command, given both clocks.
    fn go(&self, engine: &Engine, clocks: [Duration; 2]) -> String {
        let mut line = "go".to_owned();
        if let Some((_, increment)) = self.clock {
            for (name, time) in words(engine.dialect).time.iter().zip(clocks) {
                line += &format!(" {name} {}", time.as_millis());
            }
            for name in words(engine.dialect).increment {
                line += &format!(" {name} {}", increment.as_millis());
            }
        }
        line += &self.movetime.map_or(String::new(), |time| format!(" movetime {}", time.as_millis()));
        line += &self.depth.map_or(String::new(), |depth| format!(" depth {depth}"));
        line + &self.nodes.map_or(String::new(), |nodes| format!(" nodes {nodes}"))
    }
}

/// An engine's place in the match: the engine is started when it is needed, and again after it had to be ended.
pub(crate) struct Seat<'s> {
    spec: &'s Spec,
    engine: Option<Engine>,
}

impl<'s> Seat<'s> {
    pub(crate) fn new(spec: &'s Spec) -> Seat<'s> {
        Seat { spec, engine: None }
    }

    /// Starts the engine if there is none, and tells it of a new game.
    fn prepare(&mut self) -> Result<(), Fault> {
        // An engine may have ended between two games; that one is over, and another one starts.
        if let Some(engine) = &mut self.engine
            && engine.new_game(self.spec.patience).is_ok()
        {
            return Ok(());
        }
        self.dismiss();
        let mut engine = Engine::start(self.spec)?;
        engine.new_game(self.spec.patience)?;
        self.engine = Some(engine);
        Ok(())
    }

    /// Ends the engine at once.
    fn dismiss(&mut self) {
        if let Some(engine) = self.engine.take() {
            engine.kill();
        }
    }
}

/// How a game ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct End {
    pub(crate) result: GameResult,
    pub(crate) reason: Reason,
    pub(crate) by: Option<Player>,
    /// A `bestmove` that was refused.
    pub(crate) answer: Option<String>,
    pub(crate) detail: String,
}

/// A game as it was played; its moves are with the referee.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Played {
    /// Who thought what, in order.
    pub(crate) thoughts: Vec<(Side, Thought)>,
    pub(crate) end: End,
}

/// Plays a game from an opening. `seats` are in the order of play: that of the first player first.
pub(crate) fn play(referee: &mut Referee, seats: [&mut Seat<'_>; 2], opening: &Opening, limits: &Limits) -> Played {
    let mut thoughts = Vec::new();
    let end = play_to_end(referee, seats, opening, limits, &mut thoughts);
    Played { thoughts, end }
}

fn play_to_end(
    referee: &mut Referee,
    seats: [&mut Seat<'_>; 2],
    opening: &Opening,
    limits: &Limits,
    thoughts: &mut Vec<(Side, Thought)>,
) -> End {
    let lost = |side: Side, fault: Fault, answer| End {
        result: GameResult::won_by(side.other()),
        reason: fault.reason,
        by: Some(side.into()),
        answer,
        detail: fault.detail,
    };
    // Openings have been read by a referee of this game, so they are good here too.
    let _ = referee.begin(opening.board.as_deref());
    for mv in &opening.moves {
        let _ = referee.play(mv);
    }
    for side in [Side::First, Side::Second] {
        if let Err(fault) = seats[side.index()].prepare() {
            return lost(side, fault, None);
        }
    }
    let mut clocks = [limits.clock.map_or(Duration::ZERO, |(base, _)| base); 2];
    loop {
        if let Some(result) = referee.result() {
            let reason = if referee.is_repetition() { Reason::Repetition } else { Reason::Rules };
            return End { result, reason, by: None, answer: None, detail: String::new() };
        }
        if referee.moves().len() >= limits.max_plies {
            let detail = format!("no end after {} plies", limits.max_plies);
            return End { result: GameResult::Draw, reason: Reason::Unfinished, by: None, answer: None, detail };
        }
        let side = referee.turn();
        let seat = &mut *seats[side.index()];
        let Some(engine) = &mut seat.engine else {
            return lost(side, Fault::new(Reason::Crash, "no engine"), None);
        };
        let by_clock = limits.clock.map(|_| clocks[side.index()]);
        let allowed = [limits.movetime, by_clock].into_iter().flatten().min();
        let patience = allowed.map_or(limits.hang, |allowed| allowed + limits.margin + limits.hang);
        let go = limits.go(engine, clocks);
        let answer = match engine.think(&referee.position_command(engine.style), &go, patience) {
            Ok(answer) => answer,
            Err(fault) => {
                // What it may still say belongs to this search, so it cannot play on.
                seat.dismiss();
                return lost(side, fault, None);
            }
        };
        thoughts.push((side, answer.thought));
        if let Some(allowed) = allowed.filter(|&allowed| answer.took > allowed + limits.margin) {
            let ms = |time: Duration| time.as_millis();
            let mut detail = format!("{} ms for a move that had {} ms", ms(answer.took), ms(allowed));
            if let Some(waited) = answer.kept_waiting {
                detail += &format!("; its threads waited {} ms for a processor", ms(waited));
            }
            return lost(side, Fault::new(Reason::Time, detail), Some(answer.best));
        }
        if referee.play(&answer.best).is_none() {
            let reason = if NO_MOVE.contains(&answer.best.as_str()) { Reason::NoMove } else { Reason::Illegal };
            let detail = format!("bestmove {} in {}", quoted(&answer.best), referee.board());
            return lost(side, Fault::new(reason, detail), Some(answer.best));
        }
        if let Some((_, increment)) = limits.clock {
            let clock = &mut clocks[side.index()];
            *clock = clock.saturating_sub(answer.took) + increment;
        }
    }
}
