//! Commands of GTP, Gomocup and NBoard on the game that the engine keeps.
//!
//! Layer 5, engine thread. Commands run in order; each has one [`Reply::Answer`], that of a search when its move is found. A
//! command that fails changes nothing: a move is checked before it is played, so an illegal move loses no game here (LAW 7 is
//! about `position`).

use std::fmt::Display;
use std::io::{self, Read};
use std::mem;
use std::path::Path;
use std::time::{Duration, Instant};

use super::Engine;
use super::hosted_game::ListedPoint;
use crate::files;
use crate::message::{
    Answer, ClockTime, FiveRule, GameRecord, Go, List, Player, Problem, Reply, ReportedScore, Setup, Step, Swap2Choice,
    Text,
};
use crate::protocol::{Grammar, NextPoint, Points, View, tidy, tidy_path, vertex};
use crate::session::{MAX_HASH_MIB, MAX_LINES};

const HASH: &str = "Hash";
const MULTI_PV: &str = "MultiPV";

/// The purpose of a search that a step started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Asked {
    /// The move, which is played, in the answer with this number.
    Move(Option<u64>),
    /// The move, which is not played, in the answer with this number.
    Point(Option<u64>),
    /// The move.
    Advice,
    /// Only its lines.
    Lines,
    /// Which side to take in the swap2 opening.
    Swap2,
    /// How even the position is with two more stones: the first is placed, the search finds the second. Holds the value
    /// before.
    TwoMore(Evenness),
    /// The value of the opening with this number, to find the most even one. Holds the best so far and its value.
    Opening(usize, Option<(usize, u64)>),
    /// The value of the position after this many plies, and of all before it. The search reports nothing else.
    Worth(usize),
}

/// The value of a position of the swap2 opening.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Evenness {
    /// Its distance from even, in hundredths.
    odds: u64,
    /// Whether the side to move stands worse.
    is_worse: bool,
}

impl Evenness {
    fn of(score: Option<ReportedScore>) -> Evenness {
        match score {
            Some(ReportedScore::Centi(centi)) => Evenness { odds: centi.unsigned_abs().into(), is_worse: centi < 0 },
            Some(ReportedScore::Mate(moves)) => Evenness { odds: u64::MAX, is_worse: moves <= 0 },
            None => Evenness { odds: u64::MAX, is_worse: false },
        }
    }
}

/// The result of a search.
pub(super) struct Found<'a> {
    pub(super) best: Option<&'a str>,
    pub(super) score: Option<ReportedScore>,
    pub(super) time: Duration,
    /// Whether the client ended it.
    pub(super) stopped: bool,
}

/// The note when a search begins whose move is not played.
const THINKING: &str = "thinking";

/// Openings of three stones (black, white, black), as steps right and up from the middle of the board: white is near, and the
/// second black stone so far away that it helps little. The search chooses the most even one.
const OPENINGS: [[(i64, i64); 3]; 6] = [
    [(0, 0), (1, 1), (2, -1)],
    [(0, 0), (1, 0), (2, 2)],
    [(-1, 0), (0, 1), (2, -2)],
    [(0, 0), (1, 1), (-2, 1)],
    [(-2, -2), (0, 0), (2, 1)],
    [(-2, 0), (0, 0), (2, 2)],
];

/// The greatest sum of the distances from even, in hundredths, of three and five stones for placing two more stones: no
/// more than a position's value changes from one depth to the next.
const EVEN: u64 = 50;

/// The share of a limit for each of several searches.
fn share(limits: Go, searches: u32) -> Go {
    let clock = |clock: ClockTime| ClockTime { remaining: clock.remaining.map(|time| time / searches), ..clock };
    Go {
        movetime: limits.movetime.map(|time| time / searches),
        nodes: limits.nodes.map(|nodes| (nodes / u64::from(searches)).max(1)),
        clocks: limits.clocks.map(clock),
        ..limits
    }
}

/// The most bytes that are read of a file with a game.
const LARGEST_RECORD: u64 = 64 << 20;

const NO_MOVE: &str = "no move was found";

/// The error of a step.
type Failed = String;

/// The outcome of a step.
enum StepResult {
    /// Done, with this answer.
    Answer(Answer),
    /// Done, with only this remark for people.
    Remark(String),
    /// Answered when a move is found.
    Search,
    /// The same; the move is not played.
    Consider,
    /// The same, with this purpose and these limits.
    SearchFor(Asked, Go),
}

impl Engine<'_> {
    /// Runs a step; one that searches is answered later.
    pub(super) fn step(&mut self, id: Option<u64>, step: Step, received: Instant) -> io::Result<()> {
        match self.attempt(step) {
            Ok(StepResult::Search) => self.generate(Asked::Move(id), received),
            Ok(StepResult::Consider) => self.generate(Asked::Point(id), received),
            Ok(StepResult::SearchFor(asked, limits)) => {
                self.say(&Reply::Note(THINKING.into()))?;
                self.search_for(asked, &limits, received)
            }
            Ok(StepResult::Remark(text)) => self.say(&Reply::Note(text)),
            Ok(StepResult::Answer(answer)) => self.say(&Reply::Answer { id, answer }),
            Err(failed) => self.say(&Reply::Answer { id, answer: Answer::Failed(failed) }),
        }
    }

    /// Runs a step up to its search.
    fn attempt(&mut self, step: Step) -> Result<StepResult, Failed> {
        self.open_own_game()?;
        let mut text = String::new();
        match step {
            Step::Unknown(what) => return Ok(StepResult::Answer(Answer::Unknown(what))),
            Step::Refused(problem) => {
                self.hosted.list_has_gap = true;
                return Err(problem.to_string());
            }
            Step::Tell(answer) => text = answer,
            Step::Show(question) => text = self.view().answer(question)?,
            Step::Size(side) => {
                self.check_size(side)?;
                self.clear()?;
            }
            Step::FiveInARow(cols, rows) => {
                self.open_five(cols, rows, self.hosted.rule)?;
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
                // The rest of a move that was found before needs no search.
                None => match self.name_next_point(None)? {
                    Some(point) => text = point,
                    None => return Ok(StepResult::Search),
                },
            },
            Step::Consider(player) => {
                let view = self.view();
                if !view.is_over() {
                    check_turn(&view, Some(player))?;
                    return Ok(StepResult::Consider);
                }
                text = view.name(self.dialect.points, None).ok_or("the game is over")?;
            }
            Step::Sequence(moves) => self.play_sequence(&moves)?,
            Step::Load(path, number) => self.load(&path.text, number)?,
            Step::List(list) => {
                self.check_started()?;
                self.hosted.list = Some((list, Vec::new()));
                self.hosted.list_has_gap = false;
            }
            Step::Stone(point, own) => {
                let (list, points) = self.hosted.list.as_mut().ok_or("expected BOARD before a stone")?;
                if own.is_none() && matches!(list, List::Search | List::Position) {
                    self.hosted.list_has_gap = true;
                    return Err("expected a stone and whose it is, as in 7,7,1".into());
                }
                points.push((point.text, own));
            }
            Step::Done => return self.end_list(),
            Step::Impose(mv) => {
                self.play(None, &mv)?;
                text = mv.text;
            }
            Step::Best(lines) => {
                self.prepare_search(None, None)?;
                self.tell_lines(lines.map_or(MAX_LINES, u64::from))?;
                return Ok(StepResult::Search);
            }
            Step::Swap2 { anew } => {
                self.check_started()?;
                // Only Yixin-Board has these commands, whether it has asked for what it shows or not.
                self.hosted.graphical = true;
                if anew {
                    self.clear()?;
                }
                return self.prepare_swap2();
            }
            Step::Forbidden => {
                self.check_started()?;
                return Ok(StepResult::Answer(Answer::Forbidden(self.view().untakeable())));
            }
            Step::Forget => self.session.new_game(),
            Step::Graphical(limits) => {
                self.hosted.graphical = true;
                text = limits;
            }
            Step::Detail(on) => self.hosted.detail = on,
            Step::HashSize(kib) => {
                let mib = (kib >> 10).clamp(1, MAX_HASH_MIB as u64);
                self.set_option(HASH, Some(&mib.to_string())).map_err(|problem| problem.text)?;
            }
            Step::Unblock => self.hosted.blocked.clear(),
            Step::Timing(timing) => self.hosted.clocks.set(timing),
            Step::Limit(limit) => self.hosted.clocks.limit(limit),
            Step::SetOption(name, value) => self.set_own_option(&name.text, &value.text)?,
            Step::Game(record) => self.take_game(*record)?,
            Step::Played(mv, time) => {
                self.check_game()?;
                let player = self.view().turn();
                self.play(None, &mv)?;
                self.hosted.clocks.spend(player, time);
            }
            Step::Advise(lines) => return self.prepare_advice(lines),
            Step::Analyse => {
                self.check_game()?;
                let plies = self.hosted.moves.len();
                return Ok(StepResult::SearchFor(Asked::Worth(plies), self.hosted.clocks.limits_untimed()));
            }
            Step::Ping(number) => return Ok(StepResult::Answer(Answer::Pong(number))),
            Step::Variant(name) => self.choose_written(&name).map_err(|problem| problem.text)?,
            Step::Level(limits) => self.level = *limits,
            Step::Memory(bytes) => self.limit_memory(bytes)?,
            Step::Rule(bits) => {
                if let Some(remark) = self.set_rule(bits)? {
                    return Ok(StepResult::Remark(remark));
                }
            }
        }
        Ok(StepResult::Answer(Answer::Done(text)))
    }

    /// The state of the game, from its session.
    fn view(&mut self) -> View {
        // The kept moves are legal, so there is a position; the default is an empty picture.
        let picture = self.session.picture().unwrap_or_default();
        let mut view = View::new(self.session.game(), picture).choosing(&self.hosted.chosen);
        if self.hosted.moves.is_empty() {
            self.hosted.side = view.side().unwrap_or_default();
        }
        view.grow(self.hosted.side);
        view
    }

    /// Sets up the moves that are kept.
    fn set_up(&mut self) -> Result<(), Failed> {
        self.set_up_to(self.hosted.moves.len())
    }

    /// Sets up the first of the kept moves, up to this number.
    fn set_up_to(&mut self, plies: usize) -> Result<(), Failed> {
        let moves = Text { column: 1, text: self.hosted.moves[..plies].join(" ") };
        let setup = Setup { board: self.hosted.board.clone(), moves, ..Setup::default() };
        self.session.set_position(&setup).map_err(|problem| problem.text)
    }

    /// Opens the dialect's only game, if it has one.
    fn open_own_game(&mut self) -> Result<(), Failed> {
        match self.dialect.game {
            Some(game) if self.session.game() != game => {
                self.choose_game(game).map_err(|problem| problem.text)?;
                self.clear()
            }
            _ => Ok(()),
        }
    }

    /// Sets an option if it exists; clients may send options of other engines.
    fn set_own_option(&mut self, name: &str, value: &str) -> Result<(), Failed> {
        if self.options().iter().any(|spec| spec.name.eq_ignore_ascii_case(name)) {
            self.set_option(name, Some(value)).map_err(|problem| problem.to_string())?;
        }
        Ok(())
    }

    /// Takes over a whole game. If it cannot be played, there is no game, since the client no longer means the one
    /// before.
    fn take_game(&mut self, record: GameRecord) -> Result<(), Failed> {
        self.hosted.clear();
        self.hosted.board = record.board;
        let mut taken = self.set_up();
        for (player, mv, _) in &record.moves {
            taken = taken.and_then(|()| self.play_recorded(*player, mv));
        }
        if let Err(failed) = &taken {
            self.hosted.clear();
            self.hosted.refused = Some(failed.clone());
            self.set_up()?;
        }
        self.hosted.clocks.start(record.clocks);
        taken
    }

    /// Plays a move of a record, and before it the pass of the other player if the record leaves that out.
    fn play_recorded(&mut self, player: Player, mv: &Text) -> Result<(), Failed> {
        let view = self.view();
        if view.turn() != player
            && let Some(pass) = view.only_pass()
        {
            self.hosted.moves.push(pass.to_owned());
            self.set_up()?;
        }
        self.play(Some(player), mv)
    }

    /// Whether there is a game.
    fn check_game(&self) -> Result<(), Failed> {
        let refused = |why: &String| Err(format!("there is no game, because the last one was refused: {why}"));
        self.hosted.refused.as_ref().map_or(Ok(()), refused)
    }

    /// Prepares a search whose move is reported and not played, or one for several lines.
    fn prepare_advice(&mut self, lines: Option<u32>) -> Result<StepResult, Failed> {
        self.check_game()?;
        let view = self.view();
        if view.is_over() {
            return Err("the game is over".into());
        }
        let Some(lines) = lines else {
            return Ok(StepResult::SearchFor(Asked::Advice, self.hosted.clocks.limits(view.turn())));
        };
        self.tell_lines(lines.into())?;
        Ok(StepResult::SearchFor(Asked::Lines, self.hosted.clocks.limits_untimed()))
    }

    fn check_size(&mut self, side: u64) -> Result<(), Failed> {
        let own = self.view().side();
        if own.is_some_and(|own| u64::from(own) == side) {
            return Ok(());
        }
        let has = own.map_or("no board of points".into(), |own| format!("a board of {own}"));
        Err(format!("unacceptable size: {} has {has}", self.session.game()))
    }

    fn clear(&mut self) -> Result<(), Failed> {
        self.hosted.clear();
        self.set_up()
    }

    /// Opens five in a row on a board of this size, with this rule.
    fn open_five(&mut self, cols: u64, rows: u64, rule: FiveRule) -> Result<(), Failed> {
        let name = self.catalogue.five_in_a_row(cols, rows, rule);
        let name = name.ok_or_else(|| format!("no board of {cols} by {rows}: expected 5 to 22 columns and rows"))?;
        self.choose_game(&name).map_err(|problem: Problem| problem.text)?;
        self.hosted.five = Some((cols, rows));
        Ok(())
    }

    /// Sets the rules of five in a row; returns a remark if some are unknown.
    fn set_rule(&mut self, bits: u64) -> Result<Option<String>, Failed> {
        const EXACT: u64 = 1;
        /// A finished game stays on the board; the engine sees only the next `BOARD`.
        const CONTINUOUS: u64 = 2;
        const RENJU: u64 = 4;
        /// Yixin-Board's number for Renju.
        const GRAPHICAL_RENJU: u64 = 2;
        let renju = if self.hosted.graphical { bits == GRAPHICAL_RENJU } else { bits & RENJU != 0 };
        self.hosted.rule = match (renju, bits & EXACT != 0) {
            (true, _) => FiveRule::Renju,
            (false, true) => FiveRule::Exactly,
            (false, false) => FiveRule::OrMore,
        };
        if let Some((cols, rows)) = self.hosted.five {
            self.open_five(cols, rows, self.hosted.rule)?;
            // If the new rules forbid the stones on the board, start an empty one.
            if self.set_up().is_err() {
                self.clear()?;
            }
        }
        let known = match self.hosted.rule {
            FiveRule::OrMore => "five or more in a row",
            FiveRule::Exactly => "exactly five in a row",
            FiveRule::Renju => "renju",
        };
        let unknown = bits & !(EXACT | CONTINUOUS | RENJU) != 0;
        Ok(unknown.then(|| format!("rule {bits} is not known; playing {known}")))
    }

    /// Limits the transposition table to half of the memory that the client allows.
    fn limit_memory(&mut self, bytes: u64) -> Result<(), Failed> {
        let allowed = (bytes >> 21).max(1);
        if bytes == 0 || allowed >= self.session.resources().settings.hash_mib as u64 {
            return Ok(());
        }
        self.set_option(HASH, Some(&allowed.to_string())).map_err(|problem| problem.text)
    }

    /// Whether the dialect needs a board and none was chosen.
    fn check_started(&self) -> Result<(), Failed> {
        let needs_board = self.dialect.grammar == Grammar::Gomocup;
        if needs_board && self.hosted.five.is_none() { Err("expected START before it".into()) } else { Ok(()) }
    }

    fn play(&mut self, player: Option<Player>, mv: &Text) -> Result<(), Failed> {
        self.check_started()?;
        let view = self.view();
        let points = self.dialect.points;
        if view.is_over() {
            // Clients that go on after the end of the game send passes.
            if view.name(points, None).is_some_and(|pass| mv.text.eq_ignore_ascii_case(&pass)) {
                self.hosted.passes += 1;
                return Ok(());
            }
            return Err("illegal move: the game is over".into());
        }
        check_turn(&view, player)?;
        let illegal = || format!("illegal move: column {}: '{}'", mv.column, tidy(&mv.text));
        let next = if points == Points::Letters { view.next(&mv.text) } else { None };
        let found = match next {
            Some(NextPoint::Part(point)) => {
                self.hosted.chosen.push(point);
                self.hosted.planned = None;
                return Ok(());
            }
            Some(NextPoint::Move(found)) => found,
            // A whole move is not the rest of one.
            None if !self.hosted.chosen.is_empty() => return Err(illegal()),
            None => view.find(points, &mv.text).ok_or_else(illegal)?,
        };
        self.complete(found.to_owned(), next.is_some())
    }

    /// Plays a legal move, the last point of which was named now; `by_points`: it was named by points.
    fn complete(&mut self, mv: String, by_points: bool) -> Result<(), Failed> {
        self.hosted.drop_points();
        if by_points {
            self.hosted.by_points.push(self.hosted.moves.len());
        }
        self.hosted.moves.push(mv);
        self.set_up()
    }

    /// Names the next point of the move that a search has found, `found` if it was just now, and plays the move when it is its last
    /// one. `None` if one point names that move, there is none, or points were chosen that do not lead to it.
    fn name_next_point(&mut self, found: Option<&str>) -> Result<Option<String>, Failed> {
        if self.dialect.points != Points::Letters {
            return Ok(None);
        }
        let Some(mv) = found.map(str::to_owned).or_else(|| self.hosted.planned.clone()) else { return Ok(None) };
        let view = self.view();
        let steps = view.steps(&mv);
        let Some((&next, rest)) = steps.strip_prefix(&self.hosted.chosen[..]).and_then(<[_]>::split_first) else {
            return Ok(None);
        };
        if steps.len() < 2 {
            return Ok(None);
        }
        if rest.is_empty() {
            self.complete(mv, true)?;
        } else {
            self.hosted.chosen.push(next);
            self.hosted.planned = Some(mv);
        }
        Ok(Some(vertex(next)))
    }

    /// Plays all these moves, or none if one of them is refused.
    fn play_sequence(&mut self, moves: &[(Player, Text)]) -> Result<(), Failed> {
        let before = (self.hosted.moves.len(), self.hosted.passes, self.hosted.chosen.clone());
        for (player, mv) in moves {
            if let Err(failed) = self.play(Some(*player), mv) {
                self.hosted.moves.truncate(before.0);
                self.hosted.by_points.retain(|&ply| ply < before.0);
                self.hosted.passes = before.1;
                self.hosted.chosen = before.2;
                self.hosted.planned = None;
                self.set_up()?;
                return Err(failed);
            }
        }
        Ok(())
    }

    /// Takes over the first game of a file of any format, up to before the move with this number, and the game it is of.
    fn load(&mut self, path: &str, number: Option<u64>) -> Result<(), Failed> {
        let read = || {
            let mut bytes = Vec::new();
            files::open(Path::new(path))?.take(LARGEST_RECORD).read_to_end(&mut bytes).map(|_| bytes)
        };
        let failed = |why: &dyn Display| format!("cannot load file: {}: {why}", tidy_path(path));
        let bytes = read().map_err(|error| failed(&error))?;
        let record =
            self.catalogue.read_record(&bytes, self.session.game()).map_err(|problem| failed(&problem.text))?;
        let before =
            (self.session.game().to_owned(), mem::take(&mut self.hosted.board), mem::take(&mut self.hosted.moves));
        let plies = number.map_or(usize::MAX, |number| usize::try_from(number.saturating_sub(1)).unwrap_or(usize::MAX));
        let chosen = self.choose_game(&record.game).map_err(|problem| problem.text);
        self.hosted.board = record.board.map(|text| Text { column: 1, text });
        self.hosted.moves = record.moves.into_iter().take(plies).collect();
        let taken = chosen.and_then(|()| self.set_up()).map_err(|why| failed(&why));
        if taken.is_err() {
            self.choose_game(&before.0).map_err(|problem| problem.text)?;
            (self.hosted.board, self.hosted.moves) = (before.1, before.2);
            self.set_up()?;
            return taken;
        }
        (self.hosted.passes, self.hosted.refused) = (0, None);
        self.hosted.by_points.clear();
        self.hosted.drop_points();
        self.hosted.clocks.reset();
        Ok(())
    }

    fn undo(&mut self, mv: Option<&Text>) -> Result<(), Failed> {
        if self.hosted.passes > 0 {
            self.hosted.passes -= 1;
            return Ok(());
        }
        if self.hosted.chosen.pop().is_some() {
            self.hosted.planned = None;
            return Ok(());
        }
        let last = self.hosted.moves.pop().ok_or("cannot undo: no move was played")?;
        self.set_up()?;
        let points = self.dialect.points;
        if self.hosted.by_points.pop_if(|ply| *ply == self.hosted.moves.len()).is_some() {
            let view = self.view();
            self.hosted.chosen.extend(view.steps(&last).split_last().map_or(&[][..], |(_, before)| before));
        }
        if mv.is_some_and(|mv| self.view().find(points, &mv.text) != Some(&last)) {
            self.hosted.moves.push(last);
            self.set_up()?;
            return Err("cannot take back: expected the point of the last move".into());
        }
        Ok(())
    }

    /// Sets up a board of stones: each player's in their order, alternating; or in the given order if owners are unknown.
    fn place_stones(&mut self, stones: &[ListedPoint]) -> Result<(), Failed> {
        let is_told = stones.iter().all(|(_, own)| own.is_some());
        if !is_told {
            let in_turn: Vec<&str> = stones.iter().map(|(point, _)| point.as_str()).collect();
            return self.take_board(&in_turn);
        }
        let of = |whose| stones.iter().filter(move |(_, own)| *own == Some(whose)).map(|(point, _)| point.as_str());
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
        self.take_board(&in_turn)
    }

    /// Takes over a board of these points; keeps the current one on an error.
    fn take_board(&mut self, in_turn: &[&str]) -> Result<(), Failed> {
        let before = std::mem::take(&mut self.hosted.moves);
        let placed = self.set_up_board(in_turn);
        if placed.is_err() {
            self.hosted.moves = before;
            self.set_up()?;
        }
        placed
    }

    /// Uses a complete list of points.
    fn end_list(&mut self) -> Result<StepResult, Failed> {
        let (list, points) = self.hosted.list.take().ok_or("expected BOARD before DONE")?;
        if self.hosted.list_has_gap && list != List::Skip {
            return Err("a stone of the board was refused, and so is the board".into());
        }
        match list {
            List::Search => {
                self.place_stones(&points)?;
                return Ok(StepResult::Search);
            }
            List::Position => self.place_stones(&points)?,
            List::Swap2 => {
                self.place_stones(&points)?;
                return self.prepare_swap2();
            }
            List::Block => self.hosted.blocked.extend(points.into_iter().map(|(point, _)| point)),
            List::Skip => {}
        }
        Ok(StepResult::Answer(Answer::Done(String::new())))
    }

    /// Prepares a choice of the swap2 opening. Without stones the most even opening is chosen; otherwise a side, by the value of
    /// the position. If three stones are even, a second search considers two more.
    fn prepare_swap2(&mut self) -> Result<StepResult, Failed> {
        let view = self.view();
        let limits = self.hosted.clocks.limits(view.turn());
        match self.hosted.moves.len() {
            0 => {
                let limits = share(limits, OPENINGS.len() as u32);
                Ok(StepResult::SearchFor(Asked::Opening(0, None), limits))
            }
            3 => Ok(StepResult::SearchFor(Asked::Swap2, share(limits, 2))),
            5 => Ok(StepResult::SearchFor(Asked::Swap2, limits)),
            stones => Err(format!("{stones} stones: expected none, 3 or 5")),
        }
    }

    /// Sets the number of lines of the next search.
    fn tell_lines(&mut self, lines: u64) -> Result<(), Failed> {
        let before = self.session.resources().settings.multi_pv;
        self.set_option(MULTI_PV, Some(&lines.clamp(1, MAX_LINES).to_string())).map_err(|problem| problem.text)?;
        self.hosted.lines = Some(before);
        Ok(())
    }

    /// Plays these points from the start, to a position in which the game goes on.
    fn set_up_board(&mut self, points: &[&str]) -> Result<(), Failed> {
        self.set_up()?;
        for &point in points {
            self.play(None, &Text { column: 1, text: point.to_owned() })?;
        }
        if self.view().is_over() { Err("the game is over".into()) } else { Ok(()) }
    }

    /// Plays the opponent's move, if any, and checks that there is a move to search for. After the end there is none: the answer is
    /// a pass where the dialect has one.
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
            self.hosted.passes += 1;
            return Ok(Some(pass));
        }
        if after.is_some() {
            self.undo(None)?;
        }
        Err("the game is over".into())
    }

    /// Searches for a move of the player to move, to be used as `asked` when it is found.
    fn generate(&mut self, asked: Asked, received: Instant) -> io::Result<()> {
        let turn = self.view().turn();
        let limits = self.hosted.clocks.limits(turn);
        self.search_for(asked, &limits, received)
    }

    /// Starts a search for the purpose `asked`.
    fn search_for(&mut self, asked: Asked, limits: &Go, received: Instant) -> io::Result<()> {
        let ready = match asked {
            Asked::Worth(plies) => self.set_up_to(plies),
            Asked::Opening(number, _) => self.set_up_opening(number),
            _ => Ok(()),
        };
        if let Err(failed) = ready {
            return self.say(&Reply::Answer { id: None, answer: Answer::Failed(failed) });
        }
        let mut limits = limits.clone();
        limits.search_moves = self.unblocked();
        self.search(&limits, received, Some(asked))
    }

    /// Uses the result of a search for its purpose.
    pub(super) fn use_found(&mut self, asked: Asked, found: &Found<'_>) -> io::Result<()> {
        let Found { best, score, time, stopped } = *found;
        if let Some(lines) = self.hosted.lines.take() {
            // The old value is valid, so this cannot fail.
            let restored = self.set_option(MULTI_PV, Some(&lines.to_string()));
            self.complain_if(restored)?;
        }
        let answer = match asked {
            Asked::Move(id) => return self.play_found(id, best, time),
            Asked::Point(id) => {
                let view = self.view();
                let next = best.and_then(|best| view.steps(best).get(self.hosted.chosen.len()));
                let next = next.filter(|_| self.dialect.points == Points::Letters).map(|point| vertex(*point));
                let name = best.and_then(|best| next.or_else(|| view.name(self.dialect.points, Some(best))));
                let answer = name.map_or_else(|| Answer::Failed(NO_MOVE.into()), Answer::Done);
                return self.say(&Reply::Answer { id, answer });
            }
            Asked::Advice => {
                let mv = self.view().name(self.dialect.points, best);
                mv.map_or_else(|| Answer::Failed(NO_MOVE.into()), |mv| Answer::Move { mv, score, time })
            }
            Asked::Lines => Answer::Advised,
            Asked::Swap2 => return self.choose_side(best, score, stopped),
            Asked::TwoMore(before) => self.choose_two_more(best, score, before),
            Asked::Opening(number, most_even) => return self.choose_opening(number, most_even, score, stopped),
            Asked::Worth(plies) => return self.tell_worth(plies, score, stopped),
        };
        self.say(&Reply::Answer { id: None, answer })
    }

    /// Takes the better side; if three stones are even, goes on with two more.
    fn choose_side(&mut self, best: Option<&str>, score: Option<ReportedScore>, stopped: bool) -> io::Result<()> {
        let balance = Evenness::of(score);
        if let Some(best) = best.filter(|_| self.hosted.moves.len() == 3 && balance.odds <= EVEN && !stopped) {
            let limits = share(self.hosted.clocks.limits(Player::Second), 2);
            self.hosted.moves.push(best.to_owned());
            if self.set_up().is_ok() {
                return self.search_for(Asked::TwoMore(balance), &limits, Instant::now());
            }
            self.hosted.moves.pop();
        }
        let choice = if balance.is_worse {
            Some(Swap2Choice::Swap)
        } else {
            self.view().name(self.dialect.points, best).map(Swap2Choice::Stay)
        };
        let answer = self.tell_choice(choice);
        self.say(&Reply::Answer { id: None, answer })
    }

    /// Places two more stones, the given one and the best reply, if the result is even, too; else takes a side of the
    /// three by the value `before`. Placing costs at most the sum of both distances from even.
    fn choose_two_more(&mut self, best: Option<&str>, score: Option<ReportedScore>, before: Evenness) -> Answer {
        let points = self.dialect.points;
        let reply = best.and_then(|best| self.view().name(points, Some(best)));
        let fourth = self.hosted.moves.pop();
        if let Err(failed) = self.set_up() {
            return Answer::Failed(failed);
        }
        let fourth = fourth.and_then(|fourth| self.view().name(points, Some(&fourth)));
        let is_even = Evenness::of(score).odds.saturating_add(before.odds) <= EVEN;
        let choice = match (fourth, reply) {
            (Some(fourth), Some(reply)) if is_even => Some(Swap2Choice::TwoMore([fourth, reply])),
            _ if before.is_worse => Some(Swap2Choice::Swap),
            (fourth, _) => fourth.map(Swap2Choice::Stay),
        };
        self.tell_choice(choice)
    }

    fn tell_choice(&self, choice: Option<Swap2Choice>) -> Answer {
        let (stones, graphical) = (self.hosted.moves.len(), self.hosted.graphical);
        choice.map_or_else(|| Answer::Failed(NO_MOVE.into()), |choice| Answer::Swap2 { choice, stones, graphical })
    }

    /// Records how even an opening is, and continues with the next one or answers with the most even one.
    fn choose_opening(
        &mut self,
        number: usize,
        most_even: Option<(usize, u64)>,
        score: Option<ReportedScore>,
        stopped: bool,
    ) -> io::Result<()> {
        let odds = match score {
            Some(ReportedScore::Centi(centi)) => u64::from(centi.unsigned_abs()),
            _ => u64::MAX,
        };
        let most_even = most_even.filter(|(_, least)| *least <= odds).unwrap_or((number, odds));
        if number + 1 < OPENINGS.len() && !stopped {
            let limits = share(self.hosted.clocks.limits(Player::First), OPENINGS.len() as u32);
            return self.search_for(Asked::Opening(number + 1, Some(most_even)), &limits, Instant::now());
        }
        let placed = self.set_up_opening(most_even.0);
        let points = self.hosted.moves.clone();
        self.hosted.moves.clear();
        let answer = placed.and_then(|()| self.set_up()).map_or_else(Answer::Failed, |()| {
            let view = self.view();
            let name = |mv: &String| view.name(self.dialect.points, Some(mv));
            let points = points.iter().filter_map(name).collect();
            Answer::Swap2 { choice: Swap2Choice::Open(points), stones: 0, graphical: self.hosted.graphical }
        });
        self.say(&Reply::Answer { id: None, answer })
    }

    /// Places the stones of the opening with this number around the middle of the board.
    fn set_up_opening(&mut self, number: usize) -> Result<(), Failed> {
        let (cols, rows) = self.hosted.five.ok_or("expected START before it")?;
        self.hosted.moves.clear();
        self.set_up()?;
        for (right, up) in OPENINGS[number] {
            let (col, row) = ((cols / 2).saturating_add_signed(right), (rows / 2).saturating_add_signed(up));
            self.play(None, &Text { column: 1, text: format!("{col},{row}") })?;
        }
        Ok(())
    }

    /// The moves that are not blocked, if any are.
    fn unblocked(&mut self) -> Option<Text> {
        if !self.hosted.chosen.is_empty() {
            let begun = self.view().moves_begun().collect::<Vec<&str>>().join(" ");
            return Some(Text { column: 1, text: begun });
        }
        if self.hosted.blocked.is_empty() {
            return None;
        }
        let view = self.view();
        let points = self.dialect.points;
        let blocked: Vec<&str> = self.hosted.blocked.iter().filter_map(|point| view.find(points, point)).collect();
        let moves = self.session.legal_moves();
        let others: Vec<&str> = moves.iter().map(String::as_str).filter(|mv| !blocked.contains(mv)).collect();
        (!others.is_empty()).then(|| Text { column: 1, text: others.join(" ") })
    }

    /// Reports the value of a position of the game, and continues with the position before it.
    fn tell_worth(&mut self, plies: usize, score: Option<ReportedScore>, stopped: bool) -> io::Result<()> {
        if let Some(score) = score.filter(|_| !stopped) {
            self.say(&Reply::Answer { id: None, answer: Answer::Worth(plies, score) })?;
            if let Some(before) = plies.checked_sub(1) {
                let limits = self.hosted.clocks.limits_untimed();
                return self.search_for(Asked::Worth(before), &limits, Instant::now());
            }
        }
        let answer = self.set_up().map_or_else(Answer::Failed, |()| Answer::Advised);
        self.say(&Reply::Answer { id: None, answer })
    }

    /// Plays the found move and answers it.
    fn play_found(&mut self, id: Option<u64>, best: Option<&str>, time: Duration) -> io::Result<()> {
        let view = self.view();
        self.hosted.clocks.spend(view.turn(), time);
        let name = best.and_then(|best| view.name(self.dialect.points, Some(best)));
        let next = best.map_or(Ok(None), |best| self.name_next_point(Some(best)));
        let answer = match (best, name) {
            _ if next != Ok(None) => next.map_or_else(Answer::Failed, |next| Answer::Done(next.unwrap_or_default())),
            (Some(best), Some(name)) => {
                self.complete(best.to_owned(), true).map_or_else(Answer::Failed, |()| Answer::Done(name))
            }
            _ => Answer::Failed(NO_MOVE.into()),
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
