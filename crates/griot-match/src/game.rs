//! One game between two engines: turns, clocks, and the reason for its end.

use std::time::Duration;

use griot::game::Side;

use crate::engine::{Engine, Fault, Question, quoted};
use crate::limits::{Judging, Turn};
use crate::openings::Opening;
use crate::record::{Player, Reason, Thought};
use crate::referee::{GameResult, PASS, Referee};
use crate::spec::{Passes, Spec};

/// Words by which engines say that they have no move.
const NO_MOVE: [&str; 6] = ["0000", "(none)", "none", "null", "--", "pass"];

/// A seat in the match: its engine is started when needed, and again after it was killed.
pub(crate) struct Seat<'s> {
    spec: &'s Spec,
    engine: Option<Engine>,
}

impl<'s> Seat<'s> {
    pub(crate) fn new(spec: &'s Spec) -> Seat<'s> {
        Seat { spec, engine: None }
    }

    /// Starts the engine if there is none, and tells it of a new game.
    fn prepare(&mut self, referee: &Referee) -> Result<(), Fault> {
        if self.spec.restarts {
            self.engine = None;
        }
        // An engine may have ended between two games; that one is over, and another one starts.
        if let Some(engine) = &mut self.engine
            && engine.new_game(self.spec.patience).is_ok()
        {
            return Ok(());
        }
        self.dismiss();
        let mut engine = Engine::start(self.spec, referee)?;
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
    /// A move that was refused.
    pub(crate) answer: Option<String>,
    pub(crate) detail: String,
}

/// A searched move.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Seen {
    pub(crate) side: Side,
    pub(crate) thought: Thought,
}

/// A finished game; the referee has its moves.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Played {
    /// The searched moves, in order.
    pub(crate) seen: Vec<Seen>,
    pub(crate) end: End,
}

/// Plays a game from an opening. `seats` are in the order of play: that of the first player first.
pub(crate) fn play(referee: &mut Referee, seats: [&mut Seat<'_>; 2], opening: &Opening, judging: &Judging) -> Played {
    let mut seen = Vec::new();
    let end = play_to_end(referee, seats, opening, judging, &mut seen);
    Played { seen, end }
}

fn play_to_end(
    referee: &mut Referee,
    seats: [&mut Seat<'_>; 2],
    opening: &Opening,
    judging: &Judging,
    seen: &mut Vec<Seen>,
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
        if let Err(fault) = seats[side.index()].prepare(referee) {
            return lost(side, fault, None);
        }
    }
    let clock = |side: Side| {
        let spec = seats[side.index()].spec;
        spec.limits.clock.filter(|_| spec.keeps_time())
    };
    let increments = [Side::First, Side::Second].map(|side| clock(side).map(|(_, increment)| increment));
    let mut left = [Side::First, Side::Second].map(|side| clock(side).map(|(base, _)| base));
    loop {
        if let Some(result) = referee.result() {
            let reason = if referee.is_repetition() { Reason::Repetition } else { Reason::Rules };
            let detail = referee.counts().map_or(String::new(), |[first, second]| format!("{first} to {second}"));
            return End { result, reason, by: None, answer: None, detail };
        }
        if referee.moves().len() >= judging.max_plies {
            let detail = format!("no end after {} plies", judging.max_plies);
            return End { result: GameResult::Draw, reason: Reason::Unfinished, by: None, answer: None, detail };
        }
        let side = referee.turn();
        let seat = &mut *seats[side.index()];
        if seat.spec.manner.passes == Passes::Made && referee.legal_moves() == [PASS] {
            let _ = referee.play(PASS);
            // It is on neither clock, but the report of each move counts.
            seen.push(Seen { side, thought: Thought::default() });
            continue;
        }
        let Some(engine) = &mut seat.engine else {
            return lost(side, Fault::new(Reason::Crash, "no engine"), None);
        };
        let turn = Turn {
            side,
            limits: seat.spec.limits,
            left: left[side.index()].map(|own| left.map(|left| left.unwrap_or(own))),
        };
        let allowed = turn.allowed().filter(|_| seat.spec.keeps_time());
        let question = Question { referee, turn: &turn, patience: judging.patience(allowed, seat.spec.keeps_time()) };
        let answer = match engine.think(&question) {
            Ok(answer) => answer,
            Err(fault) => {
                // What it may still say belongs to this search, so it cannot play on.
                seat.dismiss();
                return lost(side, fault, None);
            }
        };
        let over = allowed.map(|allowed| (answer.took.as_secs_f64() - allowed.as_secs_f64()) * 1000.0);
        let mut thought = Thought { over_ms: over, ..answer.thought };
        for line in &answer.lines {
            thought.lines += 1;
            if let Err(problem) = referee.check_line(line, &seat.spec.manner.pass) {
                thought.illegal_lines += 1;
                let told = || format!("{} after {} plies: {problem}", quoted(line), referee.moves().len());
                thought.illegal_line.get_or_insert_with(told);
            }
        }
        seen.push(Seen { side, thought });
        if let Some(allowed) = allowed.filter(|&allowed| answer.took > allowed + judging.margin) {
            let ms = |time: Duration| time.as_millis();
            let mut detail = format!("{} ms for a move that had {} ms", ms(answer.took), ms(allowed));
            if let Some(waited) = answer.kept_waiting {
                detail += &format!("; its threads waited {} ms for a processor", ms(waited));
            }
            return lost(side, Fault::new(Reason::Time, detail), Some(answer.best));
        }
        if referee.play_in(answer.style, &answer.best).is_none() {
            let said = answer.best.to_ascii_lowercase();
            let reason = match said.as_str() {
                "resign" => Reason::Resignation,
                said if NO_MOVE.contains(&said) => Reason::NoMove,
                _ => Reason::Illegal,
            };
            let detail = format!("{} in {}", quoted(&answer.best), referee.board());
            return lost(side, Fault::new(reason, detail), Some(answer.best));
        }
        if let (Some(left), Some(increment)) = (&mut left[side.index()], increments[side.index()]) {
            *left = left.saturating_sub(answer.took) + increment;
        }
    }
}
