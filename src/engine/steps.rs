//! The steps of the game that the engine keeps, for GTP and Gomocup.
//!
//! Floor 5, on the engine's thread. A step is done when those before it are; each has one [`Reply::Answer`], that of a search
//! when its move is found. A step that fails changes nothing: a move is looked up among the legal ones before it is played, so
//! an illegal move loses no game here (LAW 7 is about `position`).

use std::io;
use std::time::{Duration, Instant};

use super::Engine;
use crate::message::{Answer, Player, Problem, Reply, Setup, Step, Text};
use crate::protocol::{Grammar, Said, View, tidy};

const HASH: &str = "Hash";

/// Why a step was not done.
type Failed = String;

/// What comes of a step.
enum StepResult {
    /// It is done, and this is its answer.
    Answer(Answer),
    /// It is done, and there is only this to be said, for people.
    Remark(String),
    /// It is answered when a move is found.
    Search,
}

impl Engine<'_> {
    /// Does a step; one that searches is answered later.
    pub(super) fn step(&mut self, id: Option<u64>, step: Step, received: Instant) -> io::Result<()> {
        match self.attempt(step) {
            Ok(StepResult::Search) => self.generate(id, received),
            Ok(StepResult::Remark(text)) => self.say(&Reply::Note(text)),
            Ok(StepResult::Answer(answer)) => self.say(&Reply::Answer { id, answer }),
            Err(failed) => self.say(&Reply::Answer { id, answer: Answer::Failed(failed) }),
        }
    }

    /// Does a step up to its search.
    fn attempt(&mut self, step: Step) -> Result<StepResult, Failed> {
        let mut text = String::new();
        match step {
            Step::Unknown(what) => return Ok(StepResult::Answer(Answer::Unknown(what))),
            Step::Refused(problem) => return Err(problem.to_string()),
            Step::Tell(answer) => text = answer,
            Step::Show(question) => text = self.view().answer(question)?,
            Step::Size(side) => {
                self.check_size(side)?;
                self.clear()?;
            }
            Step::FiveInARow(cols, rows) => {
                self.open_five(cols, rows, self.kept.exact)?;
                self.clear()?;
                text = self.dialect.done.into();
            }
            Step::Clear => {
                self.check_started()?;
                self.clear()?;
                text = self.dialect.done.into();
            }
            Step::Play(player, mv) => self.play(player, &mv)?,
            Step::Undo(mv) => {
                self.undo(mv.as_ref())?;
                text = self.dialect.done.into();
            }
            Step::Generate(player, after) => match self.prepare_search(player, after.as_ref())? {
                Some(pass) => text = pass,
                None => return Ok(StepResult::Search),
            },
            Step::Board => {
                self.check_started()?;
                self.kept.stones = Some(Vec::new());
            }
            Step::Stone(point, own) => {
                self.kept.stones.as_mut().ok_or("expected BOARD before a stone")?.push((point.text, own));
            }
            Step::Stones => {
                self.place_stones()?;
                return Ok(StepResult::Search);
            }
            Step::Timing(timing) => self.kept.clocks.set(timing),
            Step::Memory(bytes) => self.limit_memory(bytes)?,
            Step::Rule(bits) => {
                if let Some(remark) = self.set_rule(bits)? {
                    return Ok(StepResult::Remark(remark));
                }
            }
        }
        Ok(StepResult::Answer(Answer::Done(text)))
    }

    /// The game as its session tells it.
    fn view(&mut self) -> View {
        let ask = |question| self.session.query(question).unwrap_or_default();
        let mut view = View::new(&Said {
            game: self.session.game(),
            board: &ask("fen"),
            drawing: &self.session.board().unwrap_or_default(),
            moves: &ask("legalmoves"),
            p1turn: &ask("p1turn"),
            result: &ask("result"),
        });
        if self.kept.moves.is_empty() {
            self.kept.side = view.side().unwrap_or_default();
        }
        view.grow(self.kept.side);
        view
    }

    /// Sets up the moves that are kept.
    fn set_up(&mut self) -> Result<(), Failed> {
        let moves = Text { column: 1, text: self.kept.moves.join(" ") };
        self.session.set_position(&Setup { board: None, moves }).map_err(|problem| problem.text)
    }

    fn check_size(&mut self, side: u64) -> Result<(), Failed> {
        let own = self.view().side();
        if own.is_some_and(|own| own as u64 == side) {
            return Ok(());
        }
        let has = own.map_or("no board of points".into(), |own| format!("a board of {own}"));
        Err(format!("unacceptable size: {} has {has}", self.session.game()))
    }

    fn clear(&mut self) -> Result<(), Failed> {
        self.kept.clear();
        self.set_up()
    }

    /// Opens the game of five in a row on such a board.
    fn open_five(&mut self, cols: u64, rows: u64, exact: bool) -> Result<(), Failed> {
        let name = self.catalogue.five_in_a_row(cols, rows, exact);
        let name = name.ok_or_else(|| format!("no board of {cols} by {rows}: expected 5 to 22 columns and rows"))?;
        self.choose_game(&name).map_err(|problem: Problem| problem.text)?;
        self.kept.five = Some((cols, rows));
        Ok(())
    }

    /// Sets the rules of five in a row; answers a remark when there are some among them that are not known.
    fn set_rule(&mut self, bits: u64) -> Result<Option<String>, Failed> {
        const EXACT: u64 = 1;
        /// The board stays when a game is over; all that the engine sees of it is the next `BOARD`.
        const CONTINUOUS: u64 = 2;
        self.kept.exact = bits & EXACT != 0;
        if let Some((cols, rows)) = self.kept.five {
            self.open_five(cols, rows, self.kept.exact)?;
            self.set_up()?;
        }
        let known = if self.kept.exact { "exactly five" } else { "five or more" };
        let unknown = bits & !(EXACT | CONTINUOUS) != 0;
        Ok(unknown.then(|| format!("rule {bits} is not known; playing {known} in a row without forbidden moves")))
    }

    /// Keeps the table within half of what the client allows.
    fn limit_memory(&mut self, bytes: u64) -> Result<(), Failed> {
        let allowed = (bytes >> 21).max(1);
        if bytes == 0 || allowed >= self.session.resources().settings.hash_mib as u64 {
            return Ok(());
        }
        self.set_option(HASH, Some(&allowed.to_string())).map_err(|problem| problem.text)
    }

    /// Whether the dialect needs a board to be chosen, and none has been.
    fn check_started(&self) -> Result<(), Failed> {
        let needs_board = self.dialect.grammar == Grammar::Gomocup;
        if needs_board && self.kept.five.is_none() { Err("expected START before it".into()) } else { Ok(()) }
    }

    fn play(&mut self, player: Option<Player>, mv: &Text) -> Result<(), Failed> {
        self.check_started()?;
        let view = self.view();
        let points = self.dialect.points;
        if view.is_over() {
            // A client that goes on after the end does so by passing.
            if view.name(points, None).is_some_and(|pass| mv.text.eq_ignore_ascii_case(&pass)) {
                self.kept.passes += 1;
                return Ok(());
            }
            return Err("illegal move: the game is over".into());
        }
        check_turn(&view, player)?;
        let Some(found) = view.find(points, &mv.text) else {
            return Err(format!("illegal move: column {}: '{}'", mv.column, tidy(&mv.text)));
        };
        self.kept.moves.push(found.to_owned());
        self.set_up()
    }

    fn undo(&mut self, mv: Option<&Text>) -> Result<(), Failed> {
        if self.kept.passes > 0 {
            self.kept.passes -= 1;
            return Ok(());
        }
        let last = self.kept.moves.pop().ok_or("cannot undo: no move was played")?;
        self.set_up()?;
        let points = self.dialect.points;
        if mv.is_some_and(|mv| self.view().find(points, &mv.text) != Some(&last)) {
            self.kept.moves.push(last);
            self.set_up()?;
            return Err("cannot take back: expected the point of the last move".into());
        }
        Ok(())
    }

    /// Sets up the stones told since `BOARD`: each player's in the order in which they came, one after the other in turn.
    fn place_stones(&mut self) -> Result<(), Failed> {
        let stones = self.kept.stones.take().ok_or("expected BOARD before DONE")?;
        let of = |whose| stones.iter().filter(move |(_, own)| *own == whose).map(|(point, _)| point.as_str());
        let [own, other] = [true, false].map(|whose| of(whose).collect::<Vec<&str>>());
        // The engine is to move: it began if it has as many stones as its opponent, and went second if it has one less.
        let (first, second) = match other.len().checked_sub(own.len()) {
            Some(0) => (own, other),
            Some(1) => (other, own),
            _ => {
                let (own, other) = (own.len(), other.len());
                return Err(format!("{own} own stones and {other} of the opponent: expected as many, or one more"));
            }
        };
        let in_turn = (0..stones.len()).map(|i| if i % 2 == 0 { first[i / 2] } else { second[i / 2] });
        let in_turn: Vec<&str> = in_turn.collect();
        let before = std::mem::take(&mut self.kept.moves);
        let placed = self.set_up_board(&in_turn);
        if placed.is_err() {
            self.kept.moves = before;
            self.set_up()?;
        }
        placed
    }

    /// Plays these points from the start, to a position in which the game goes on.
    fn set_up_board(&mut self, points: &[&str]) -> Result<(), Failed> {
        self.set_up()?;
        for &point in points {
            self.play(None, &Text { column: 1, text: point.to_owned() })?;
        }
        if self.view().is_over() { Err("the game is over".into()) } else { Ok(()) }
    }

    /// Plays the opponent's move, if there is one, and checks that there is a move to be searched for. After the end there is
    /// none: a pass is answered where the dialect has one.
    fn prepare_search(&mut self, player: Option<Player>, after: Option<&Text>) -> Result<Option<String>, Failed> {
        self.check_started()?;
        if let Some(mv) = after {
            self.play(None, mv)?;
        }
        let view = self.view();
        if !view.is_over() {
            return check_turn(&view, player).map(|()| None);
        }
        if let Some(pass) = view.name(self.dialect.points, None) {
            self.kept.passes += 1;
            return Ok(Some(pass));
        }
        if after.is_some() {
            self.undo(None)?;
        }
        Err("the game is over".into())
    }

    /// Searches for a move of the player to move, to be played when it is found.
    fn generate(&mut self, id: Option<u64>, received: Instant) -> io::Result<()> {
        let turn = self.view().turn();
        let limits = self.kept.clocks.limits(turn);
        self.go(&limits, received)?;
        if let Some(running) = &mut self.running {
            running.asked = Some(id);
        }
        Ok(())
    }

    /// Plays the move that was found, and answers it.
    pub(super) fn play_found(&mut self, id: Option<u64>, best: Option<&str>, time: Duration) -> io::Result<()> {
        let view = self.view();
        self.kept.clocks.spend(view.turn(), time);
        let name = best.and_then(|best| view.name(self.dialect.points, Some(best)));
        let answer = match (best, name) {
            (Some(best), Some(name)) => {
                self.kept.moves.push(best.to_owned());
                self.set_up().map_or_else(Answer::Failed, |()| Answer::Done(name))
            }
            _ => Answer::Failed("no move was found".into()),
        };
        self.say(&Reply::Answer { id, answer })
    }
}

/// Checks that it is this player's turn.
fn check_turn(view: &View, player: Option<Player>) -> Result<(), Failed> {
    match player {
        Some(player) if player != view.turn() => {
            let turn = if player == Player::First { "white" } else { "black" };
            Err(format!("illegal move: it is {turn}'s turn"))
        }
        _ => Ok(()),
    }
}
