//! One game in play: its position, its options, and a thread that searches it. Generic over the game.
//!
//! Layer 4. [`GameSession`] implements [`Session`] for every game. It sets up positions and answers queries on the engine
//! thread. `go` copies what the search needs and passes it to a worker thread, which runs one search after another, so queries
//! are answered while a search runs. A search that panics still ends with a `bestmove` line (LAW 1 of protocol.md).

use std::any::Any;
use std::io::{self, Read};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Sender, unbounded};

use super::control::{Control, SearchHandle};
use super::known_result::{KnownResult, LastResult};
use super::level::Level;
use super::opening::{OpeningBook, Said, advice, open_book};
use super::report::{Reporter, chances, line_text, reported, sure_balance};
use super::settings::Effect;
use super::stability::StabilityTracker;
use super::tree::tree;
use super::{Evaluation, Resources, Session, Settings, Sink};
use crate::files;
use crate::game::{
    Dropped, Evaluate, EvaluationMode, Evaluator, Game, Notation, Outcome, Position, Probe, Side, TextError, stroke,
};
use crate::message::{
    GameResult, GameTree, Go, Info, MoveLine, OptionSpec, Picture, PositionState, Problem, Reply, ReportedBound,
    ReportedScore, Setup, Stroke, Text, TreeOrder,
};
use crate::search::perft::perft_until;
use crate::search::{
    Algorithm, Knowledge, MAX_DEPTH, Progress, Stopped, Task, Technique, TranspositionTable, Verdict, search,
};
use crate::time::{Budget, Clock, budget, fixed};

/// The greatest size of a file of weights.
const MAX_WEIGHT_BYTES: u64 = 1 << 26;

/// How often to check whether tables are ready.
const TABLES_AWAITED: Duration = Duration::from_millis(1);

/// Nodes searched for a single legal reply with a clock: enough to find the previous search's result again.
const SINGLE_REPLY_NODES: u64 = 20_000;

/// One game being played.
pub struct GameSession<N: Notation, E, T> {
    game: Arc<Game<N, E>>,
    /// The same game with its built-in weights.
    as_it_came: Arc<Game<N, E>>,
    /// Exact knowledge, with the tables that the settings name.
    probe: T,
    /// The opening book, if the settings use one.
    book: Option<OpeningBook<N::Position>>,
    resources: Resources,
    /// `None` after a refused position.
    played: Option<Played<N::Position>>,
    /// What was dropped from the text of the position.
    warnings: Vec<Problem>,
    last_result: LastResult,
    /// Started by the first `go`; a session that only referees needs none.
    worker: Option<Worker>,
}

/// A game so far.
#[derive(Debug, Clone)]
struct Played<P: Position> {
    position: P,
    /// The position before it, and the move that was played there.
    last: Option<(P, P::Move)>,
    /// The positions before it that can still come back, oldest first.
    history: Vec<P>,
    /// The player who lost by an illegal move.
    forfeit: Option<Side>,
}

impl<P: Position> Played<P> {
    fn new(position: P) -> Played<P> {
        Played { position, last: None, history: Vec::new(), forfeit: None }
    }

    fn play(&mut self, mv: P::Move) {
        let next = self.position.after(mv);
        let before = std::mem::replace(&mut self.position, next);
        self.last = Some((before.clone(), mv));
        if before.is_irreversible(&self.position) {
            self.history.clear();
        } else {
            self.history.push(before);
        }
    }

    /// Whether the position has come up often enough to end the game.
    fn repeats(&self) -> bool {
        let earlier = self.history.iter().filter(|&earlier| *earlier == self.position).count();
        earlier as u32 >= P::OCCURRENCES - 1
    }

    /// The result, except one that a player has to claim.
    fn outcome_unclaimed(&self) -> Option<Outcome> {
        let goes_on = P::DRAWS_ARE_CLAIMED && self.forfeit.is_none() && self.position.outcome().is_none();
        if goes_on { None } else { self.outcome() }
    }

    fn outcome(&self) -> Option<Outcome> {
        let by_forfeit = self.forfeit.map(|side| Outcome::Win(side.other()));
        let by_rules = || self.position.outcome();
        let by_history = || self.position.outcome_by_history(|| self.repeats());
        by_forfeit.or_else(by_rules).or_else(by_history)
    }
}

impl<N, E, T> GameSession<N, E, T>
where
    N: Notation,
    E: Evaluate<N::Position>,
    T: Probe<N::Position>,
{
    /// A session of `game`, at its start position.
    #[must_use]
    pub fn new(game: Game<N, E, T>, resources: Resources) -> Self {
        let played = Some(Played::new(game.notation.start()));
        let Game { name, notation, evaluate, probe } = game;
        let game = Arc::new(Game::new(name, notation, evaluate));
        let probe = tables_if_any(&probe, &resources, &game.name);
        let book = book_if_any(&resources.settings, &game.name, &game.notation);
        GameSession {
            game: weights_if_any(&game, &resources.settings),
            as_it_came: game,
            probe,
            book,
            resources,
            played,
            warnings: Vec::new(),
            last_result: LastResult::default(),
            worker: None,
        }
    }

    /// The job of a `go`, for the search thread.
    fn job(&self, go: &Go, received: Instant, control: Control, mut sink: Sink) -> Job {
        let Some(played) = &self.played else {
            let problem = Problem::new("go: there is no position, because the last one was refused");
            return Box::new(move || refuse(&mut sink, &problem));
        };
        if let Some(depth) = go.perft.filter(|_| played.forfeit.is_none()) {
            if depth > MAX_DEPTH {
                // Games that never end would overflow the stack.
                let problem = Problem::new(format!("go perft: expected at most {MAX_DEPTH} plies"));
                return Box::new(move || refuse(&mut sink, &problem));
            }
            let (game, root) = (Arc::clone(&self.game), played.position.clone());
            return Box::new(move || {
                answer(&control, &mut sink, |sink| {
                    count_lines(&game, &root, depth, received, &control, sink);
                    Vec::new()
                });
            });
        }
        if let Some(outcome) = played.outcome_unclaimed() {
            // A game lost by an illegal move has no final count.
            let by_rules = played.position.outcome().filter(|_| played.forfeit.is_none());
            let score = match by_rules {
                Some(outcome) => self.game.evaluate.final_score(&played.position, outcome),
                None => outcome.score_for(played.position.side_to_move()),
            };
            let balance = by_rules
                .and_then(|_| sure_balance(&self.game, &played.position, score, &[]).map(|balance| balance.centi));
            let told = reported(score, |units| self.game.evaluate.centi_units(units));
            // A draw is certain here, whatever the model says of `cp 0`.
            let chances =
                if told == ReportedScore::Centi(0) { Some([0, 1000, 0]) } else { chances::<N::Position, E>(told) };
            let chances = chances.filter(|_| self.resources.settings.show_wdl);
            let score = Some((told, ReportedBound::Exact));
            return Box::new(move || {
                answer(&control, &mut sink, |sink| {
                    let time = received.elapsed();
                    sink(Reply::Info(Info { score, balance, chances, time, ..Info::default() }));
                    Vec::new()
                });
            });
        }
        match self.task(played, go) {
            Err(problem) => Box::new(move || refuse(&mut sink, &problem)),
            Ok((task, budget)) => {
                if let Some(job) = self.book_job(played, go, &task, received) {
                    return Box::new(move || answer(&control, &mut sink, job));
                }
                let (game, probe) = (Arc::clone(&self.game), self.probe.clone());
                let shared = self.resources.shared_tables().cloned();
                let Resources { settings, table, .. } = self.resources.clone();
                let has_time = budget.is_none() && !go.infinite && !go.ponder;
                let last_result = self.last_result.clone();
                // The earlier result holds for all moves together, not for a selection of them.
                let before = played.last.as_ref().filter(|_| task.moves.is_empty());
                let earlier = before.and_then(|(before, _)| last_result.after(before));
                Box::new(move || {
                    answer(&control, &mut sink, |sink| {
                        if settings.asks_tables() && has_time {
                            while !probe.prepare(&task.root) && !control.is_stopped() {
                                thread::sleep(TABLES_AWAITED);
                            }
                        } else if settings.asks_tables() {
                            probe.prepare_on_clock(&task.root);
                        }
                        let game = (&*game, &probe);
                        let begun = Instant::now();
                        let Found { line, known_result } =
                            find_move(game, &settings, &table, &task, (budget, earlier), received, &control, sink);
                        last_result.set(known_result);
                        if let Some(note) = shared.and_then(|shared| shared.searched(&game.0.name, begun.elapsed())) {
                            sink(Reply::Note(note));
                        }
                        line_text(game.0, &task.root, &line).moves
                    });
                })
            }
        }
    }

    /// Reports the book's line, if a move is played from it.
    fn book_job(
        &self,
        played: &Played<N::Position>,
        go: &Go,
        task: &Task<N::Position>,
        received: Instant,
    ) -> Option<impl FnOnce(&mut Sink) -> Vec<String> + Send + 'static> {
        let settings = &self.resources.settings;
        let Said { worth, depth, line } =
            advice(self.book.as_ref()?, &self.game.notation, settings, go, task, &played.history)?;
        let pv = line_text(&self.game, &task.root, &line);
        let chances = chances::<N::Position, E>(worth.reported()).filter(|_| settings.show_wdl);
        let score = Some((worth.reported(), ReportedBound::Exact));
        Some(move |sink: &mut Sink| {
            let moves = pv.moves.clone();
            sink(Reply::Info(Info { depth, score, chances, pv, time: received.elapsed(), ..Info::default() }));
            moves
        })
    }

    fn read_position(&mut self, setup: &Setup) -> Result<Played<N::Position>, Problem> {
        let notation = &self.game.notation;
        let Some(board) = &setup.board else { return Ok(Played::new(notation.start())) };
        let mut dropped = Vec::new();
        let read = notation.read_position(&board.text, &mut dropped).map_err(|error| problem_in(board, &error))?;
        let warning = |dropped: Dropped| Problem::at(column_in(board, dropped.offset), dropped.text);
        self.warnings = dropped.into_iter().map(warning).collect();
        Ok(Played::new(read))
    }

    /// Plays the moves of `line` up to the first that is illegal.
    fn play_moves(&self, played: &mut Played<N::Position>, line: &Text) -> Result<(), Problem> {
        let notation = &self.game.notation;
        for (offset, text) in notation.split_moves(&line.text) {
            if played.position.outcome().is_some() {
                let column = column_in(line, offset);
                return Err(Problem::at(column, format!("move '{text}': the game is over before it")));
            }
            match notation.parse_move(&played.position, text) {
                Ok(mv) => played.play(mv),
                Err(error) => {
                    played.forfeit = Some(played.position.side_to_move());
                    let error = TextError { offset: offset + error.offset, ..error };
                    return Err(problem_in(line, &error));
                }
            }
        }
        Ok(())
    }

    /// The task and the time limits that `go` asks for.
    fn task(&self, played: &Played<N::Position>, go: &Go) -> Result<(Task<N::Position>, Option<Budget>), Problem> {
        let root = &played.position;
        let settings = &self.resources.settings;
        let mut moves = Vec::new();
        if let Some(line) = &go.search_moves {
            for (offset, text) in self.game.notation.split_moves(&line.text) {
                let mv = self.game.notation.parse_move(root, text);
                let mv = mv.map_err(|e| problem_in(line, &TextError { offset: offset + e.offset, ..e }))?;
                if !moves.contains(&mv) {
                    moves.push(mv);
                }
            }
        }
        let history: Vec<u64> = played.history.iter().map(Position::hash).collect();
        if moves.is_empty() && settings.multi_pv == 1 && settings.asks_tables() {
            moves = self.probe.root_moves(root, &history).unwrap_or_default();
        }
        let may_repeat = N::Position::DRAWS_ARE_CLAIMED && history.len() as u32 >= N::Position::MIN_CYCLE;
        if may_repeat && go.search_moves.is_none() && settings.multi_pv == 1 && settings.mode() == EvaluationMode::Full
        {
            let value = reported(self.game.evaluate.evaluate(root), |units| self.game.evaluate.centi_units(units));
            if matches!(value, ReportedScore::Centi(centi) if centi >= CLEAR_LEAD) {
                moves = without_draws(root, &played.history, moves);
            }
        }
        let level = settings.level(root.hash());
        let level = level.as_ref();
        // A search without iterations may stop anywhere; the others finish their iteration, see `Reporter`.
        let enough = level.filter(|_| settings.algorithm == Algorithm::Mcts).map_or(u64::MAX, |level| level.nodes);
        let mut task = Task {
            moves,
            lines: settings.multi_pv.max(level.map_or(1, |level| level.lines)),
            // Weaker levels need little time, and several threads would not be reproducible.
            threads: level.map_or(settings.threads, |_| 1),
            history,
            depth: go.depth.unwrap_or(MAX_DEPTH).min(level.map_or(MAX_DEPTH, |level| level.depth)),
            nodes: go.nodes.unwrap_or(u64::MAX).min(enough),
            // Moves to plies: the winner moves every other ply, and the loser may make the last move.
            mate: go.mate.map(|moves| moves.saturating_mul(2)),
            algorithm: settings.algorithm,
            selective: settings.selective && level.is_none_or(|level| level.selective),
            parameters: settings.parameters,
            ..Task::new(root.clone())
        };
        let moves_left = moves_left(root.plies_left(), E::SOLVED_FROM);
        let budget = time_budget(go, root.side_to_move(), moves_left, settings);
        if level.is_some() || budget.is_some() || go.nodes.is_some() {
            // If anything but the depth may end the search, the depths on the way count.
            task.techniques = task.techniques.without(Technique::DoubleSteps);
        }
        Ok((task, budget))
    }
}

/// The estimate from which on a player does without moves that let the opponent draw, in hundredths.
const CLEAR_LEAD: i32 = 300;

/// The root moves (all, if `moves` is empty) without those after which a position has come up often enough for a draw, or does so
/// after a reply; empty if that leaves nothing out, or nothing over. In games where a player claims such a draw. The search may
/// overlook it where a value from the transposition table stands for the replies.
fn without_draws<P: Position>(root: &P, history: &[P], moves: Vec<P::Move>) -> Vec<P::Move> {
    if root.outcome_by_repetition() != Some(Outcome::Draw) {
        return moves;
    }
    let earlier: Vec<u64> = history.iter().chain([root]).map(Position::hash).collect();
    let comes_back = |before: &P, position: &P| {
        let hash = position.hash();
        let often = earlier.iter().filter(|&&earlier| earlier == hash).count() as u32;
        !before.is_irreversible(position) && often >= P::OCCURRENCES - 1
    };
    let draws = |mv: &P::Move| {
        let next = root.after(*mv);
        let mut replies = Vec::new();
        next.generate(&mut replies);
        comes_back(root, &next)
            || (!root.is_irreversible(&next) && replies.into_iter().any(|reply| comes_back(&next, &next.after(reply))))
    };
    let mut all = moves.clone();
    if all.is_empty() {
        root.generate(&mut all);
    }
    let kept: Vec<P::Move> = all.iter().copied().filter(|mv| !draws(mv)).collect();
    if kept.is_empty() || kept.len() == all.len() { moves } else { kept }
}

/// The root moves that a task chooses from.
fn choices<P: Position>(task: &Task<P>) -> Vec<P::Move> {
    let mut moves = task.moves.clone();
    if moves.is_empty() {
        task.root.generate(&mut moves);
    }
    moves
}

/// Moves added to the game's estimate: an ending close enough to be solved is not always solved quickly.
const MOVES_IN_DOUBT: u32 = 2;

/// The number of one player's moves that take time: `plies_left` are left, and from `solved_from` on the solver takes
/// no time.
fn moves_left(plies_left: Option<u32>, solved_from: u32) -> Option<u32> {
    plies_left.map(|left| left.saturating_sub(solved_from).div_ceil(2) + MOVES_IN_DOUBT)
}

/// The time limits of `go` for the player to move, who has `moves_left` moves that take time. LAW 9: the first limit
/// reached ends the search.
fn time_budget(go: &Go, side: Side, moves_left: Option<u32>, settings: &Settings) -> Option<Budget> {
    if go.infinite {
        return None;
    }
    let overhead = settings.move_overhead;
    // A client that sends only one clock means the player to move.
    let own = go.clocks[side.index()];
    let clock = if own.remaining.is_some() { own } else { go.clocks[side.other().index()] };
    let by_clock = clock.remaining.map(|remaining| {
        budget(&Clock { remaining, increment: clock.increment, moves_to_go: go.moves_to_go, moves_left }, overhead)
    });
    let by_move = go.movetime.map(|movetime| fixed(movetime, overhead));
    match (by_clock, by_move) {
        (Some(clock), Some(fixed)) => {
            Some(Budget { soft: clock.soft.min(fixed.soft), hard: clock.hard.min(fixed.hard), elastic: false })
        }
        (a, b) => a.or(b),
    }
}

impl<N, E, T> Session for GameSession<N, E, T>
where
    N: Notation,
    E: Evaluate<N::Position>,
    T: Probe<N::Position>,
{
    fn game(&self) -> &str {
        &self.game.name
    }

    fn resources(&self) -> &Resources {
        &self.resources
    }

    fn set_position(&mut self, setup: &Setup) -> Result<(), Problem> {
        self.played = None;
        self.warnings.clear();
        let mut played = self.read_position(setup)?;
        let result = self.play_moves(&mut played, &setup.moves);
        self.played = Some(played);
        result
    }

    fn warnings(&self) -> &[Problem] {
        &self.warnings
    }

    fn has_null_moves(&self) -> bool {
        N::Position::HAS_NULL_MOVE
    }

    fn is_forfeited(&self) -> bool {
        self.played.as_ref().is_some_and(|played| played.forfeit.is_some())
    }

    fn drop_position(&mut self) {
        self.played = None;
    }

    fn new_game(&mut self) {
        self.last_result.set(None);
        self.resources.forget();
    }

    fn go(&mut self, go: &Go, received: Instant, mut sink: Sink) -> SearchHandle {
        let over = self.played.as_ref().is_some_and(|played| played.outcome_unclaimed().is_some());
        let (handle, control) = SearchHandle::new(go, !over);
        if self.worker.is_none() {
            match Worker::new() {
                Ok(worker) => self.worker = Some(worker),
                Err(error) => {
                    refuse(&mut sink, &Problem::new(format!("go: cannot start a thread for the search: {error}")));
                    return handle;
                }
            }
        }
        if self.resources.shared_tables().is_some_and(|shared| shared.have_grown()) {
            self.probe = tables_if_any(&self.probe, &self.resources, &self.game.name);
        }
        let job = self.job(go, received, control, sink);
        if let Some(worker) = &self.worker {
            worker.run(job);
        }
        handle
    }

    fn state(&self) -> Option<PositionState> {
        let played = self.played.as_ref()?;
        Some(PositionState {
            board: self.game.notation.position_text(&played.position),
            turn: played.position.side_to_move().into(),
            result: played.outcome().map(GameResult::from),
        })
    }

    fn legal_moves(&self) -> Vec<String> {
        let mut moves = Vec::new();
        let Some(played) = self.played.as_ref().filter(|played| played.outcome().is_none()) else { return Vec::new() };
        played.position.generate(&mut moves);
        moves.into_iter().map(|mv| self.game.notation.move_text(&played.position, mv)).collect()
    }

    fn picture(&self) -> Option<Picture> {
        let played = self.played.as_ref()?;
        let notation = &self.game.notation;
        let mut picture = notation.picture(&played.position);
        // The position does not know about repetitions, illegal moves and the last move.
        if let Some(outcome) = played.outcome() {
            picture.result = Some(outcome.into());
            picture.moves.clear();
        }
        picture.last = played.last.as_ref().map(|(before, mv)| stroke(notation, before, *mv));
        picture.game.clone_from(&self.resources.settings.facts);
        Some(picture)
    }

    fn after_pass(&self) -> Option<String> {
        let played = self.played.as_ref().filter(|played| played.outcome_unclaimed().is_none())?;
        let passed = played.position.after_pass().filter(|passed| passed.outcome().is_none())?;
        let text = self.game.notation.position_text(&passed);
        // A style of texts may have no word for it.
        self.game.notation.parse_position(&text).is_ok_and(|back| back == passed).then_some(text)
    }

    fn line(&self, moves: &str) -> Vec<Stroke> {
        let Some(played) = self.played.as_ref().filter(|played| played.outcome_unclaimed().is_none()) else {
            return Vec::new();
        };
        let notation = &self.game.notation;
        let mut position = played.position.clone();
        let mut line = Vec::new();
        for (_, text) in notation.split_moves(moves) {
            let Ok(mv) = notation.parse_move(&position, text) else { break };
            line.push(stroke(notation, &position, mv));
            position.play(mv);
        }
        line
    }

    fn tree(&self, order: &TreeOrder) -> Result<GameTree, Problem> {
        let Some(played) = self.played.as_ref().filter(|played| played.forfeit.is_none()) else {
            return Err(Problem::new("tree: there is no position, because the last one was refused"));
        };
        let history: Vec<u64> = played.history.iter().map(Position::hash).collect();
        let evaluate = match self.resources.settings.evaluation {
            Evaluation::Full => Evaluator::full(&self.game.evaluate),
            Evaluation::Plain => Evaluator::plain(&self.game.evaluate),
        };
        tree(&self.game, evaluate, &played.position, &history, order)
    }

    fn evaluation(&self) -> Vec<String> {
        let Some(played) = &self.played else { return Vec::new() };
        if played.position.outcome().is_some() {
            return vec!["the game is over: nothing to evaluate".into()];
        }
        let evaluate = &self.game.evaluate;
        let value = match reported(evaluate.evaluate(&played.position), |units| evaluate.centi_units(units)) {
            ReportedScore::Centi(centi) => in_units(centi),
            ReportedScore::Mate(moves) => format!("mate {moves}"),
        };
        let mut lines = vec![format!("evaluation {value} for the side to move, without a search")];
        let parts = evaluate.parts(&played.position);
        for group in parts.chunk_by(|one, other| one.group == other.group) {
            let centi: Vec<i32> = group.iter().map(|part| evaluate.centi_units(part.units)).collect();
            let pieces = group.iter().zip(&centi).map(|(part, &centi)| format!("{} {}", part.name, in_units(centi)));
            let (all, pieces) = (in_units(centi.iter().sum()), pieces.collect::<Vec<String>>().join(", "));
            lines.push(format!("{} {all}: {pieces}", group[0].group));
        }
        lines
    }

    fn flip(&mut self) -> Result<(), Problem> {
        let Some(played) = &self.played else {
            return Err(Problem::new("flip: there is no position, because the last one was refused"));
        };
        let flipped =
            self.game.notation.flipped(&played.position).ok_or_else(|| {
                Problem::new(format!("flip: a position of {} cannot be turned round", self.game.name))
            })?;
        self.warnings.clear();
        self.played = Some(Played::new(flipped));
        Ok(())
    }

    fn repetition(&self) -> Option<String> {
        self.game.notation.repetition_rule().map(str::to_owned)
    }

    fn options(&self) -> Vec<OptionSpec> {
        Settings::options()
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), Problem> {
        let mut resources = self.resources.clone();
        let effect = resources.settings.set(name, value)?;
        let settings = &resources.settings;
        match effect {
            Effect::Nothing => {}
            Effect::EmptyHash => {
                resources.forget();
                self.last_result = LastResult::default();
            }
            Effect::LoadWeights => {
                let problem = |problem| Problem::new(format!("option {name}: {problem}"));
                self.game = with_weights(&self.as_it_came, settings).map_err(problem)?;
                resources.forget();
                self.last_result = LastResult::default();
            }
            Effect::ResizeHash => resources.table = Resources::new(settings.clone())?.table,
            Effect::OpenBook => {
                let problem = |problem| Problem::new(format!("option {name}: {problem}"));
                self.book = open_book(settings, &self.game.name, &self.game.notation).map_err(problem)?;
            }
            Effect::OpenTables => {
                let problem = |error| Problem::new(format!("option {name}: {error}"));
                self.probe = with_tables(&self.probe, &resources).map_err(problem)?;
            }
            Effect::TurnBook => self.book = book_if_any(settings, &self.game.name, &self.game.notation),
            Effect::TurnTables => self.probe = tables_if_any(&self.probe, &resources, &self.game.name),
        }
        self.resources = resources;
        Ok(())
    }
}

/// Runs a `go` on the worker thread and returns its line. LAW 1: also after a panic.
fn answer(control: &Control, sink: &mut Sink, find: impl FnOnce(&mut Sink) -> Vec<String>) {
    let line = catch_unwind(AssertUnwindSafe(|| find(&mut *sink))).unwrap_or_else(|panic| {
        sink(Reply::Note(format!("error: go failed ({})", reason(&*panic))));
        Vec::new()
    });
    control.wait_until_wanted();
    let mut line = line.into_iter();
    sink(Reply::BestMove { best: line.next(), ponder: line.next() });
}

/// The same knowledge with the tables of the options: those of the folder, else shared ones.
fn with_tables<P: Position, T: Probe<P>>(probe: &T, resources: &Resources) -> Result<T, String> {
    let settings = &resources.settings;
    if let Some(folder) = settings.tables().filter(|folder| !folder.is_dir()) {
        return Err(format!("{}: expected a folder with endgame tables, found none", folder.display()));
    }
    let tables = probe.with_tables(settings.tables())?;
    if !settings.tablebases {
        return Ok(tables.without_tables());
    }
    let shared = resources.shared_tables().map(|shared| probe.with_tables(Some(shared.folder())));
    let tables = match shared {
        Some(Ok(shared)) => shared,
        Some(Err(error)) => {
            log::info!("no shared endgame tables: {error}");
            tables
        }
        None => tables,
    };
    tables.with_outside(&settings.outside)
}

/// [`with_tables`] for a game that the folder may not be for: the game is then played without.
fn tables_if_any<P: Position, T: Probe<P>>(probe: &T, resources: &Resources, game: &str) -> T {
    with_tables(probe, resources).unwrap_or_else(|error| {
        log::warn!("no endgame tables for {game}: {error}");
        probe.without_tables()
    })
}

/// The game with the weights of the settings, if any.
fn with_weights<N, E>(game: &Arc<Game<N, E>>, settings: &Settings) -> Result<Arc<Game<N, E>>, String>
where
    N: Notation,
    E: Evaluate<N::Position>,
{
    let Some(path) = settings.weights() else { return Ok(Arc::clone(game)) };
    let wrong = |problem: String| format!("{}: {problem}", path.display());
    let mut weights = Vec::new();
    let read = files::open(path).and_then(|file| file.take(MAX_WEIGHT_BYTES).read_to_end(&mut weights));
    read.map_err(|error| wrong(error.to_string()))?;
    let evaluate = game.evaluate.with_weights(&weights).map_err(wrong)?;
    Ok(Arc::new(Game::new(game.name.clone(), game.notation.clone(), evaluate)))
}

/// [`with_weights`] for a game that the file may not be for: the game then uses its own.
fn weights_if_any<N, E>(game: &Arc<Game<N, E>>, settings: &Settings) -> Arc<Game<N, E>>
where
    N: Notation,
    E: Evaluate<N::Position>,
{
    with_weights(game, settings).unwrap_or_else(|problem| {
        log::warn!("{} is played by the weights that come with it: {problem}", game.name);
        Arc::clone(game)
    })
}

/// [`open_book`] for a game that the file may not be for: the game is then played without.
fn book_if_any<N: Notation>(settings: &Settings, game: &str, notation: &N) -> Option<OpeningBook<N::Position>> {
    open_book(settings, game, notation).unwrap_or_else(|problem| {
        log::warn!("no opening book for {game}: {problem}");
        None
    })
}

/// The message of a panic.
fn reason(panic: &(dyn Any + Send)) -> &str {
    let said = panic.downcast_ref::<&str>().copied();
    said.or(panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no reason given")
}

/// The outcome of a search.
struct Found<M> {
    /// The line to play.
    line: Vec<M>,
    /// The decisive result that it reported, if any.
    known_result: Option<KnownResult>,
}

/// Runs the search on the worker thread. Always returns a legal line. `earlier` is the decisive result of the previous
/// search.
#[allow(clippy::too_many_arguments)] // all that a search needs, called once
fn find_move<N, E, T>(
    (game, probe): (&Game<N, E>, &T),
    settings: &Settings,
    table: &TranspositionTable,
    task: &Task<N::Position>,
    (budget, earlier): (Option<Budget>, Option<KnownResult>),
    received: Instant,
    control: &Control,
    sink: &mut Sink,
) -> Found<<N::Position as Position>::Move>
where
    N: Notation,
    E: Evaluate<N::Position>,
    T: Probe<N::Position>,
{
    let level = settings.level(task.root.hash());
    // With a single legal move, save the clock; a fixed time per move is used in full.
    let is_single = budget.is_some_and(|budget| budget.elastic) && choices(task).len() == 1;
    let result = catch_unwind(AssertUnwindSafe(|| {
        let mut reporter = Reporter {
            game,
            root: &task.root,
            control,
            budget,
            received,
            sink,
            textbook: task.algorithm.is_textbook(),
            lines: settings.multi_pv,
            shows_chances: settings.show_wdl,
            enough_nodes: level.as_ref().map_or(u64::MAX, |level| level.nodes),
            enough_on_clock: if is_single { SINGLE_REPLY_NODES } else { u64::MAX },
            won_within: earlier.and_then(|known_result| known_result.won_within()),
            balance: earlier.and_then(|known_result| known_result.balance()),
            stability: (task.algorithm != Algorithm::Mcts).then(StabilityTracker::new),
            last_line: Instant::now(),
            progress: Progress::default(),
            current: None,
        };
        let evaluate = Evaluator::new(&game.evaluate, settings.mode());
        let verdict = search(task, Knowledge::new(evaluate, probe, table), &mut reporter);
        let (score, best) = (verdict.score, verdict.pv.first().copied());
        let line = match level {
            None => verdict.pv,
            Some(level) => choose_line(level, verdict, &mut reporter),
        };
        let is_best = best.filter(|_| line.first() == best.as_ref());
        Found { known_result: is_best.and_then(|mv| KnownResult::of(&task.root, score, reporter.balance, mv)), line }
    }));
    result.unwrap_or_else(|panic| {
        let text = format!("error: the search failed ({}); playing any legal move", reason(&*panic));
        log::error!("{text}");
        table.clear();
        let mut moves = choices(task);
        moves.truncate(1);
        let pv: MoveLine = line_text(game, &task.root, &moves);
        sink(Reply::Note(text));
        let rank = (settings.multi_pv > 1).then_some(1);
        let score = Some((ReportedScore::Centi(0), ReportedBound::Exact));
        sink(Reply::Info(Info { depth: 1, rank, score, pv, time: received.elapsed(), ..Info::default() }));
        Found { line: moves, known_result: None }
    })
}

/// The line that a weaker level plays; reported if it is not the best one.
fn choose_line<N, E, T>(
    level: Level,
    verdict: Verdict<<N::Position as Position>::Move>,
    reporter: &mut Reporter<'_, N, E, T>,
) -> Vec<<N::Position as Position>::Move>
where
    N: Notation,
    E: Evaluate<N::Position>,
{
    let scores: Vec<_> = [verdict.score].into_iter().chain(verdict.others.iter().map(|line| line.score)).collect();
    let place = level.choose(&scores, |units| reporter.game.evaluate.centi_units(units));
    match place.checked_sub(1).and_then(|other| verdict.others.into_iter().nth(other)) {
        None => verdict.pv,
        Some(line) => {
            reporter.report_choice(line.score, &line.pv);
            line.pv
        }
    }
}

/// `go perft`: the number of lines after each move, and their sum.
fn count_lines<N: Notation, E, T>(
    game: &Game<N, E, T>,
    root: &N::Position,
    depth: u32,
    received: Instant,
    control: &Control,
    sink: &mut Sink,
) {
    let mut moves = Vec::new();
    let mut total = u64::from(depth == 0);
    let mut stop = || control.is_stopped();
    if depth > 0 {
        root.generate(&mut moves);
    }
    for mv in moves {
        // At depth 1, `perft_until` would not check for a stop.
        let lines = if stop() { Err(Stopped) } else { perft_until(&root.after(mv), depth - 1, &mut stop) };
        let Ok(lines) = lines else {
            sink(Reply::Note("perft stopped; the count is not complete".into()));
            break;
        };
        sink(Reply::Count { mv: game.notation.move_text(root, mv), lines });
        total += lines;
    }
    let time = received.elapsed();
    let nps = (u128::from(total) * 1_000_000 / time.as_micros().max(1)) as u64;
    sink(Reply::Info(Info { depth, nodes: total, nps, time, ..Info::default() }));
    sink(Reply::Total(total));
}

/// Answers a `go` that cannot be carried out. LAW 1: with a best move, too.
fn refuse(sink: &mut Sink, problem: &Problem) {
    sink(Reply::Note(format!("error: {problem}")));
    sink(Reply::BestMove { best: None, ponder: None });
}

/// Hundredths as people write them.
fn in_units(centi: i32) -> String {
    format!("{:+.2}", f64::from(centi) / 100.0)
}

/// An error in a text of a command line, with its column.
fn problem_in(text: &Text, error: &TextError) -> Problem {
    Problem::at(column_in(text, error.offset), error.to_string())
}

fn column_in(text: &Text, offset: usize) -> usize {
    text.column + text.text.get(..offset).map_or(0, |before| before.chars().count())
}

/// A job for the search thread.
type Job = Box<dyn FnOnce() + Send>;

/// A thread that runs jobs one after the other, and ends with the session.
struct Worker {
    jobs: Option<Sender<Job>>,
    thread: Option<thread::JoinHandle<()>>,
}

impl Worker {
    /// Stack sizes, the first for the deepest line of the largest game with much to spare. Where the system allows no such
    /// thread, as under a limit of memory, a smaller one does for most lines.
    const STACK_BYTES: [usize; 3] = [64 << 20, 16 << 20, 6 << 20];

    /// What must still be there behind the stack: the table and what else a search allocates, and 64 MiB of addresses that the
    /// C library may set aside for a thread's allocations.
    const SPARE_BYTES: usize = (48 + 64) << 20;

    fn new() -> io::Result<Worker> {
        let (jobs, inbox) = unbounded::<Job>();
        let has_room = |bytes: usize| Vec::<u8>::new().try_reserve_exact(bytes + Self::SPARE_BYTES).is_ok();
        let start = |bytes| {
            let inbox = inbox.clone();
            thread::Builder::new().name("search".into()).stack_size(bytes).spawn(move || {
                for job in inbox {
                    job();
                }
            })
        };
        let [larger @ .., least] = Self::STACK_BYTES;
        let thread = larger.into_iter().filter(|&bytes| has_room(bytes)).find_map(|bytes| start(bytes).ok());
        let thread = thread.map_or_else(|| start(least), Ok)?;
        Ok(Worker { jobs: Some(jobs), thread: Some(thread) })
    }

    /// Runs `job` when the jobs before it are done.
    fn run(&self, job: Job) {
        if let Some(jobs) = &self.jobs {
            // INVARIANT: the thread takes jobs until the sender is dropped, since jobs catch their panics.
            let _ = jobs.send(job);
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        drop(self.jobs.take());
        if let Some(thread) = self.thread.take() {
            // A job that panicked has already been reported.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::ClockTime;

    /// A queen that has gone to and fro twice: if it goes back once more, the king can claim a draw.
    #[test]
    fn who_is_winning_leaves_out_moves_that_let_the_opponent_repeat() {
        let text = |text: &str| Text { column: 1, text: text.into() };
        let mut session = GameSession::new(crate::games::chess::game(), Resources::new(Settings::default()).unwrap());
        let mut moves_left = |side: &str, moves: &str| {
            let board = Some(text(&format!("8/8/8/3k4/8/8/8/KQ6 {side} - - 0 1")));
            session.set_position(&Setup { board, moves: text(moves), ..Setup::default() }).unwrap();
            let played = session.played.as_ref().unwrap();
            let go = Go { depth: Some(1), ..Go::default() };
            let (task, _) = session.task(played, &go).unwrap();
            let text = |&mv: &_| session.game.notation.move_text(&task.root, mv);
            task.moves.iter().map(text).collect::<Vec<String>>()
        };
        let once = "b1b2 d5d6 b2b1 d6d5 b1b2 d5d6";
        let left = moves_left("w", once);
        assert!(left.contains(&"b2c3".to_owned()) && !left.contains(&"b2b1".to_owned()), "{left:?}");
        // All moves where nothing has come back.
        assert_eq!(moves_left("w", "b1b2 d5d6"), Vec::<String>::new());
        // Who is losing may repeat.
        assert_eq!(moves_left("b", "d5d6 b1b2 d6d5 b2b1 d5d6 b1b2"), Vec::<String>::new());
    }

    #[test]
    fn a_clock_is_planned_for_the_moves_before_the_solver_takes_no_time_any_more() {
        assert_eq!(moves_left(None, 22), None);
        for (plies, solved_from, expected) in
            [(64, 22, 23), (28, 22, 5), (27, 22, 5), (22, 22, 2), (3, 22, 2), (9, 0, 7)]
        {
            assert_eq!(
                moves_left(Some(plies), solved_from),
                Some(expected),
                "{plies} plies, solved from {solved_from}"
            );
        }
        let clock = ClockTime { remaining: Some(Duration::from_secs(60)), ..ClockTime::default() };
        let go = Go { clocks: [clock, ClockTime::default()], ..Go::default() };
        let settings = Settings { move_overhead: Duration::ZERO, ..Settings::default() };
        for (plies, seconds) in [(None, 2.4), (Some(400), 2.4), (Some(28), 12.0), (Some(3), 20.0)] {
            let budget = time_budget(&go, Side::First, moves_left(plies, 22), &settings).unwrap();
            assert_eq!(budget.soft, Duration::from_secs_f64(seconds), "{plies:?}");
        }
    }
}
