//! `griot puzzles`: positions in which exactly one move wins, or saves the game, each proven twice. Layer 6.
//!
//! The positions come from games of the engine against itself, with chance in them. A first search, the engine's, has to settle what the
//! best move comes to and that no other comes to as much; then [`griot::prover`] has to confirm both by the rules alone. What either leaves open
//! is no puzzle. Game by game, the seed decides everything: how many threads there are, or whether the work was interrupted, does not.
//! Scores are for the side to move.

use std::collections::HashSet;
use std::io::Write;
use std::path::Path;
use std::thread;

use crossbeam_channel::bounded;
use griot::game::{SplitMix64, mix64};
use griot::message::{Go, Problem, ReportedBound, ReportedScore, Setup, Text};
use griot::prover::{AnyProver, Asked, Feat};
use griot::registry::{DEFAULT_GAME, any_prover};
use griot::session::Session;
use serde::{Deserialize, Serialize};

use super::lines::{Known, LineFile, begins_as, breaks_off, write_line};
use super::pool::with_pool;
use super::progress::{Whole, bar};
use super::solve::{Solved, SolvedResult, settled};
use super::stop::Stop;
use super::{Answer, Failure, open, search_until};
use crate::cli::{self, Cli, DEEPEST};

/// Plies at the beginning of a game that are played by chance alone, at most; at least 1.
const RANDOM_PLIES: usize = 8;
/// Of so many later moves, one is by chance.
const ONE_OF: usize = 8;
/// The others are those of levels, from this one on and so many: players who threaten, and overlook threats.
const PLAYERS: (u64, usize) = (2, 12);
/// Nodes of each of their moves.
const MOVE_NODES: u64 = 500;
/// No game is played further, in plies.
const LONGEST_GAME: usize = 300;
/// So many positions of a game are tried, until one is a puzzle.
const TRIES: usize = 12;
/// A position is looked at with a part of the nodes of a whole search: one of so many.
const GLANCES: u64 = 10;
/// The levels by which a puzzle is graded.
const LEVELS: std::ops::RangeInclusive<u64> = 1..=20;
/// Nodes that each of them has.
const LEVEL_NODES: u64 = 10_000;
/// Nodes of the search that advises the second proof.
const ADVICE_NODES: u64 = 20_000;
/// A line of fewer moves that does not end the game is gone on with.
const LINE: usize = 7;
/// Games that are tried ahead of the first one that is not done.
const AHEAD: usize = 64;

/// What the side to move is to achieve.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Goal {
    Win,
    Draw,
    /// To capture more than by any other move.
    Gain,
}

/// A puzzle, as it is written.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Puzzle {
    /// Of the game that it comes from, in this run.
    number: u64,
    game: String,
    board: String,
    /// Whose turn it is.
    side: String,
    goal: Goal,
    /// Within how many own moves, if only a win so soon counts: another may win later. Of a gain, after how many moves of each side it
    /// is counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    within: Option<u32>,
    /// What is captured less what the other side captures.
    #[serde(skip_serializing_if = "Option::is_none")]
    gain: Option<i32>,
    /// What every other move lacks to that, at least.
    #[serde(skip_serializing_if = "Option::is_none")]
    ahead: Option<i32>,
    /// By how much the solver falls behind on the line before that, if he does.
    #[serde(skip_serializing_if = "Option::is_none")]
    given: Option<i32>,
    /// The winner's own moves to the end, at most, where they are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<u32>,
    /// The final balance, in whole units of the game, that is sure, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    margin: Option<i32>,
    /// The only move that achieves the goal.
    #[serde(rename = "move")]
    mv: String,
    /// A way on, beginning with that move.
    line: Vec<String>,
    /// Its moves as people write them, in games where that is something else.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    names: Vec<String>,
    /// How many moves there are.
    legal: usize,
    /// How many levels fail.
    grade: usize,
    fails: Vec<u64>,
    proof: Proof,
    seed: u64,
    limits: String,
}

/// A position that is a puzzle, and the levels that fail.
struct Tried<'b> {
    number: u64,
    board: &'b str,
    side: &'static str,
    legal: usize,
    fails: Vec<u64>,
}

/// How a puzzle was proven.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Proof {
    /// The engine's search of all moves.
    best: Effort,
    /// Its search of all moves but the only one, and what the best of them comes to.
    others: Others,
    /// The second proof of both, by the rules at full width.
    second: Effort,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct Effort {
    nodes: u64,
    /// In plies.
    depth: u32,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct Others {
    result: OtherResult,
    #[serde(flatten)]
    effort: Effort,
}

/// What the best of the other moves comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum OtherResult {
    Draw,
    Loss,
    /// No win within the moves that count.
    Later,
    /// Fewer captures.
    Less,
}

pub(super) fn run(cli: &Cli, args: &cli::Puzzles, out: &mut dyn Write) -> Result<(), Failure> {
    let game = args.game.as_ref().or(cli.game.as_ref()).map_or(DEFAULT_GAME, String::as_str);
    // What is wrong with the command line is said before the first search.
    let game = open(cli, game, None)?.game().to_owned();
    let limits = limits_text(cli, args);
    let folding = any_prover(&game, None)?;
    if args.gain.is_some() {
        let start = open(cli, &game, None)?.state().map(|state| state.board).unwrap_or_default();
        if folding.captured_lead(&start).is_none() {
            return Err(Problem::new(format!(
                "--gain: expected a game that counts captures (awale, draughts), found {game}"
            ))
            .into());
        }
    }
    let mut held =
        Held { game: &game, seed: args.seed, limits: &limits, resumes: args.resume, boards: Vec::new(), next: 0 };
    let mut file = match &args.out {
        Some(path) => Some(LineFile::open(path, &mut held)?),
        None => None,
    };
    let out: &mut dyn Write = match &mut file {
        Some(file) => file,
        None => out,
    };
    let mut seen: HashSet<u64> = held.boards.iter().filter_map(|board| folding.folded(board)).collect();
    let mut found = held.boards.len() as u64;
    if found >= args.count {
        return Ok(());
    }

    let stop = Stop::by_ctrl_c()?;
    let bar = bar(Whole::Exactly(args.count), "puzzles");
    bar.set_position(found);
    let (numbers, tasks) = bounded(AHEAD);
    let games = held.next..args.games.unwrap_or(u64::MAX);
    // It ends when its numbers are not received any more.
    thread::Builder::new()
        .name("games".into())
        .spawn(move || games.into_iter().all(|number| numbers.send(number).is_ok()))
        .map_err(|error| Problem::new(format!("cannot start a thread to count on: {error}")))?;
    let worker = || {
        let mut finder = Finder::new(cli, args, &game, &limits, &stop);
        move |number: u64| match &mut finder {
            Ok(finder) => finder.puzzle_of(number),
            Err(failure) => Err(Problem::new(failure.to_string()).into()),
        }
    };
    // The first error ends the work, and so does the last puzzle.
    let done = with_pool(args.jobs, &stop, worker, |pool| {
        pool.in_order(&tasks, |result: Result<Option<Puzzle>, Failure>| {
            let puzzle = result.map_err(Some)?;
            bar.tick();
            let Some(puzzle) = puzzle else { return Ok(()) };
            if folding.folded(&puzzle.board).is_some_and(|image| !seen.insert(image)) {
                return Ok(());
            }
            let text = serde_json::to_string(&puzzle).map_err(|error| Some(Problem::new(error.to_string()).into()))?;
            bar.suspend(|| write_line(out, text)).map_err(|error| Some(error.into()))?;
            bar.inc(1);
            found += 1;
            if found == args.count { Err(None) } else { Ok(()) }
        })
    });
    bar.finish_and_clear();
    match done {
        Err(Some(failure)) => Err(failure),
        Err(None) => Ok(()),
        Ok(()) if stop.is_said() => {
            let rest = match &args.out {
                Some(path) => format!("the same command with --resume goes on with {}", path.display()),
                None => "--out FILE writes to a file, and --resume goes on with it".into(),
            };
            Err(Problem::new(format!("stopped with {found} of {} puzzles; {rest}", args.count)).into())
        }
        Ok(()) => {
            let games = args.games.unwrap_or(u64::MAX);
            Err(Problem::new(format!("{found} of {} puzzles found in {games} games", args.count)).into())
        }
    }
}

/// What a puzzle depends on, beside its number and the seed.
fn limits_text(cli: &Cli, args: &cli::Puzzles) -> String {
    let mut words = vec![format!("nodes {}", args.nodes), format!("second {}", args.second_nodes)];
    words.extend(args.within.map(|moves| format!("within {moves}")));
    words.extend(args.least.map(|moves| format!("least {moves}")));
    words.extend(args.gain.map(|more| format!("gain {more}")));
    words.extend(args.sacrifice.map(|given| format!("sacrifice {given}")));
    words.extend(cli.options.iter().cloned());
    words.join(", ")
}

/// The directory that the option names, if it does.
fn tables_of(cli: &Cli) -> Option<&Path> {
    let options = cli.options.iter().rev().filter_map(|option| option.split_once('='));
    let path = options.into_iter().find(|(name, _)| name.trim().eq_ignore_ascii_case("TablebasePath"))?.1.trim();
    (!path.is_empty() && path != "<empty>").then(|| Path::new(path))
}

/// What the file holds.
struct Held<'a> {
    game: &'a str,
    seed: u64,
    limits: &'a str,
    resumes: bool,
    boards: Vec<String>,
    /// The first game that is not done.
    next: u64,
}

impl Known for Held<'_> {
    fn take(&mut self, line: &str) -> Result<(), Problem> {
        if !self.resumes {
            return Err(Problem::new("expected an empty file; --resume goes on with one of griot puzzles"));
        }
        let puzzle: Puzzle = serde_json::from_str(line)
            .map_err(|error| Problem::new(format!("expected a puzzle of griot puzzles; {error}")))?;
        if puzzle.game != self.game || puzzle.seed != self.seed || puzzle.limits != self.limits {
            return Err(Problem::new(format!(
                "expected a puzzle of {} from seed {} with {}, found one of {} from seed {} with {}; others need another --out",
                self.game, self.seed, self.limits, puzzle.game, puzzle.seed, puzzle.limits
            )));
        }
        if puzzle.number < self.next {
            return Err(Problem::new(format!("expected games in order, found {} after {}", puzzle.number, self.next)));
        }
        self.next = puzzle.number + 1;
        self.boards.push(puzzle.board);
        Ok(())
    }

    fn may_begin(&self, text: &str, _: bool) -> bool {
        self.resumes && begins_as(text, r#"{"number":#,"game":""#) && breaks_off(text)
    }
}

/// What a position turned out to be.
enum Try {
    Puzzle(Box<Puzzle>),
    Nothing,
    /// A glance does not settle what it comes to.
    Open,
}

/// Somebody who looks for puzzles, with sessions of his own.
struct Finder<'a> {
    args: &'a cli::Puzzles,
    limits: &'a str,
    stop: &'a Stop,
    game: &'a str,
    /// Plays, proves, and grades.
    player: Player<'a>,
    second: Box<dyn AnyProver>,
}

/// A session that is asked for one search at a time.
struct Player<'a> {
    session: Box<dyn Session>,
    stop: &'a Stop,
}

impl Player<'_> {
    fn new<'a>(cli: &Cli, game: &str, stop: &'a Stop) -> Result<Player<'a>, Failure> {
        Ok(Player { session: open(cli, game, None)?, stop })
    }

    /// Puts a board, and moves played from there, before the session.
    fn set(&mut self, board: &str, moves: &str) -> Result<(), Problem> {
        let text = |text: &str| Text { column: 1, text: text.into() };
        self.session.set_position(&Setup { board: Some(text(board)), moves: text(moves), ..Setup::default() })
    }

    /// The board after a move.
    fn after(&mut self, board: &str, mv: &str) -> Result<String, Problem> {
        self.set(board, mv)?;
        Ok(self.session.state().map(|state| state.board).unwrap_or_default())
    }

    /// Whether the game is over after these moves.
    fn is_over(&mut self, board: &str, moves: &str) -> Result<bool, Problem> {
        self.set(board, moves)?;
        Ok(self.session.state().is_some_and(|state| state.result.is_some()))
    }

    /// A line that was proven, with what is played behind its end where that is near.
    fn gone_on(&mut self, board: &str, line: &[String], nodes: u64) -> Result<Vec<String>, Failure> {
        let mut line = line.to_vec();
        while line.len() < LINE {
            let moves = line.join(" ");
            if self.is_over(board, &moves)? {
                break;
            }
            let board = self.after(board, &moves)?;
            let go = Go { nodes: Some(nodes), ..Go::default() };
            let answer = self.search(&board, FULL, true, &go)?;
            match answer.lines.into_iter().next() {
                Some(best) if !best.pv.moves.is_empty() => line.extend(best.pv.moves),
                _ => break,
            }
        }
        Ok(line)
    }

    /// The moves of a line as people write them, if any of them has a name.
    fn names(&mut self, board: &str, line: &[String]) -> Result<Vec<String>, Problem> {
        self.set(board, "")?;
        let line = self.session.line(&line.join(" "));
        let has_names = line.iter().any(|stroke| stroke.name.is_some());
        Ok(line.into_iter().filter(|_| has_names).map(|stroke| stroke.name.unwrap_or(stroke.mv)).collect())
    }

    /// Searches a board from an empty table, as a level does and by these options.
    fn search(&mut self, board: &str, level: u64, selective: bool, go: &Go) -> Result<Answer, Failure> {
        self.session.set_option("Skill Level", Some(&level.to_string()))?;
        self.session.set_option("Selective", Some(if selective { "true" } else { "false" }))?;
        self.set(board, "")?;
        self.session.new_game();
        search_until(&mut *self.session, go, Some(self.stop))
    }

    /// Searches a board at full width to a depth, and counts captures alone: at the end those that must be played are played out.
    fn count_captures(&mut self, board: &str, depth: u32, moves: Option<&[&str]>) -> Result<Answer, Failure> {
        let search_moves = moves.map(|moves| Text { column: 1, text: moves.join(" ") });
        self.session.set_option("Evaluation", Some("plain"))?;
        let go = Go { depth: Some(depth), search_moves, ..Go::default() };
        let answer = self.search(board, FULL, false, &go);
        self.session.set_option("Evaluation", Some("full"))?;
        answer
    }
}

/// The level that knows most.
const FULL: u64 = 20;

impl<'a> Finder<'a> {
    fn new(
        cli: &'a Cli,
        args: &'a cli::Puzzles,
        game: &'a str,
        limits: &'a str,
        stop: &'a Stop,
    ) -> Result<Finder<'a>, Failure> {
        Ok(Finder {
            args,
            limits,
            stop,
            game,
            player: Player::new(cli, game, stop)?,
            second: any_prover(game, tables_of(cli))?,
        })
    }

    /// The puzzle of the game of this number, if it has one.
    fn puzzle_of(&mut self, number: u64) -> Result<Option<Puzzle>, Failure> {
        let mut chance = SplitMix64::new(mix64(self.args.seed ^ mix64(number)));
        let mut boards = self.play(&mut chance)?;
        for _ in 0..TRIES {
            if boards.is_empty() || self.stop.is_said() {
                break;
            }
            // The earlier of two draws: more of the game is left.
            let place = chance.below(boards.len()).min(chance.below(boards.len()));
            let board = boards.remove(place);
            match self.puzzle_at(number, &board)? {
                Try::Puzzle(puzzle) => return Ok(Some(*puzzle)),
                Try::Nothing => {}
                // Nor will those before it be settled.
                Try::Open => drop(boards.drain(..place)),
            }
        }
        Ok(None)
    }

    /// Plays a game, and tells its boards with more than one legal move.
    fn play(&mut self, chance: &mut SplitMix64) -> Result<Vec<String>, Failure> {
        self.player.session.set_position(&Setup::default())?;
        let mut board = self.player.session.state().map(|state| state.board).unwrap_or_default();
        let by_chance = 1 + chance.below(RANDOM_PLIES);
        let levels = [0; 2].map(|_| PLAYERS.0 + chance.below(PLAYERS.1) as u64);
        let mut boards = Vec::new();
        for ply in 0..LONGEST_GAME {
            let legal = self.player.session.legal_moves();
            if legal.is_empty() || self.stop.is_said() {
                break;
            }
            let mv = if ply < by_chance || chance.below(ONE_OF) == 0 {
                legal[chance.below(legal.len())].clone()
            } else {
                let go = Go { nodes: Some(MOVE_NODES), ..Go::default() };
                match self.player.search(&board, levels[ply % 2], true, &go)?.best {
                    Some(best) => best,
                    None => break,
                }
            };
            let next = self.player.after(&board, &mv)?;
            if legal.len() > 1 {
                boards.push(board);
            }
            board = next;
        }
        Ok(boards)
    }

    /// The puzzle that a position is, if it is one.
    fn puzzle_at(&mut self, number: u64, board: &str) -> Result<Try, Failure> {
        if let (Some(within), Some(more)) = (self.args.within, self.args.gain) {
            return self.gain_at(number, board, within, more);
        }
        let go = |nodes| Go { nodes: Some(nodes), ..Go::default() };
        let glance = self.player.search(board, FULL, true, &go(self.args.nodes.div_ceil(GLANCES)))?;
        let is_open = glance.lines.first().is_none_or(|line| settled(line).result == SolvedResult::Open);
        let Some(glanced) = First::of(&glance, self.args.within) else {
            return Ok(if is_open { Try::Open } else { Try::Nothing });
        };
        if self.args.least.is_some_and(|least| glanced.within < Some(least)) {
            return Ok(Try::Nothing);
        }
        let legal = self.player.session.legal_moves();
        let side = self.side();
        if self.player.is_over(board, &glanced.solved.mv)? {
            return Ok(Try::Nothing);
        }
        let rest: Vec<&str> = legal.iter().map(String::as_str).filter(|mv| *mv != glanced.solved.mv).collect();
        let Some((first, best, others)) = self.first_proof(board, &glanced, &rest)? else { return Ok(Try::Nothing) };
        let feat = if first.goal == Goal::Win { Feat::Win } else { Feat::Draw };
        let asked = Asked { board, mv: &first.solved.mv, feat, within: first.within };
        // This takes less than the second proof.
        let fails = self.fails(board, &first.solved.mv)?;
        if fails.is_empty() || self.stop.is_said() {
            return Ok(Try::Nothing);
        }
        let Some(second) = self.second_proof(&asked) else { return Ok(Try::Nothing) };
        let line = self.player.gone_on(board, &first.solved.pv, self.args.nodes)?;
        if self.stop.is_said() {
            return Ok(Try::Nothing);
        }
        let tried = Tried { number, board, side, legal: legal.len(), fails };
        let puzzle = self.puzzle(tried, first.goal, line, Proof { best, others, second })?;
        Ok(Try::Puzzle(Box::new(Puzzle {
            within: first.within,
            moves: first.solved.moves.filter(|_| first.is_counted),
            margin: first.solved.margin,
            ..puzzle
        })))
    }

    /// A puzzle of a position, without what only some puzzles have.
    fn puzzle(&mut self, tried: Tried<'_>, goal: Goal, line: Vec<String>, proof: Proof) -> Result<Puzzle, Failure> {
        let Tried { number, board, side, legal, fails } = tried;
        Ok(Puzzle {
            number,
            game: self.game.into(),
            board: board.into(),
            side: side.into(),
            goal,
            within: None,
            gain: None,
            ahead: None,
            given: None,
            moves: None,
            margin: None,
            mv: line[0].clone(),
            names: self.player.names(board, &line)?,
            line,
            legal,
            grade: fails.len(),
            fails,
            proof,
            seed: self.args.seed,
            limits: self.limits.into(),
        })
    }

    /// The puzzle of captures that a position is, if it is one.
    fn gain_at(&mut self, number: u64, board: &str, within: u32, more: i32) -> Result<Try, Failure> {
        let Some(before) = self.second.captured_lead(board) else { return Ok(Try::Nothing) };
        let best = self.player.count_captures(board, 2 * within, None)?;
        let Some((mv, lead)) = captures(&best) else { return Ok(Try::Nothing) };
        if lead - before < more {
            return Ok(Try::Nothing);
        }
        let (legal, side) = (self.player.session.legal_moves(), self.side());
        let rest: Vec<&str> = legal.iter().map(String::as_str).filter(|other| *other != mv).collect();
        let others = self.player.count_captures(board, 2 * within, Some(&rest))?;
        let Some((_, other)) = captures(&others) else { return Ok(Try::Nothing) };
        let ahead = lead - other;
        if ahead < more {
            return Ok(Try::Nothing);
        }
        let line = self.capturing_line(board, &mv, 2 * within)?;
        let given = self.given(board, &line, before)?;
        if self.args.sacrifice.is_some_and(|least| given < least) {
            return Ok(Try::Nothing);
        }
        // What is captured must not cost the game.
        let go = Go { nodes: Some(self.args.nodes), ..Go::default() };
        if self.player.search(board, FULL, true, &go)?.best.as_ref() != Some(&mv) {
            return Ok(Try::Nothing);
        }
        let fails = self.fails(board, &mv)?;
        if fails.is_empty() || self.stop.is_said() {
            return Ok(Try::Nothing);
        }
        let asked = Asked { board, mv: &mv, feat: Feat::Lead { lead, more: ahead }, within: Some(within) };
        let Some(second) = self.second_proof(&asked) else { return Ok(Try::Nothing) };
        let others = Others { result: OtherResult::Less, effort: effort(&others) };
        let proof = Proof { best: effort(&best), others, second };
        let tried = Tried { number, board, side, legal: legal.len(), fails };
        Ok(Try::Puzzle(Box::new(Puzzle {
            within: Some(within),
            gain: Some(lead - before),
            ahead: Some(ahead),
            given: Some(given).filter(|&given| given > 0),
            ..self.puzzle(tried, Goal::Gain, line, proof)?
        })))
    }

    /// The line of so many plies that begins with `mv` and in which both sides play for captures, with those that must be played
    /// behind it: the search tells no more of it than its first moves.
    fn capturing_line(&mut self, board: &str, mv: &str, plies: u32) -> Result<Vec<String>, Failure> {
        let mut line = vec![mv.to_owned()];
        loop {
            let moves = line.join(" ");
            if self.player.is_over(board, &moves)? {
                break;
            }
            let board = self.player.after(board, &moves)?;
            let left = plies.saturating_sub(line.len() as u32);
            if left == 0 && !self.second.must_capture(&board) {
                break;
            }
            let answer = self.player.count_captures(&board, left.max(1), None)?;
            let Some(next) = answer.lines.into_iter().next().and_then(|best| best.pv.moves.into_iter().next()) else {
                break;
            };
            line.push(next);
        }
        Ok(line)
    }

    /// By how much the side to move falls behind on a line, at most, from where it stood `before`.
    fn given(&mut self, board: &str, line: &[String], before: i32) -> Result<i32, Problem> {
        let mut given = 0;
        for plies in 1..=line.len() {
            let after = self.player.after(board, &line[..plies].join(" "))?;
            let lead = self.second.captured_lead(&after).unwrap_or(before);
            given = given.max(before - if plies % 2 == 0 { lead } else { -lead });
        }
        Ok(given)
    }

    /// Whose turn it is in the position that was set up last.
    fn side(&self) -> &'static str {
        match self.player.session.state().map(|state| state.turn) {
            Some(griot::message::Player::First) => "first",
            _ => "second",
        }
    }

    /// The proof by the rules alone.
    fn second_proof(&mut self, asked: &Asked<'_>) -> Option<Effort> {
        let (player, stop) = (&mut self.player, self.stop);
        let mut adviser = |board: &str| {
            let go = Go { nodes: Some(ADVICE_NODES), ..Go::default() };
            player.search(board, FULL, true, &go).ok()?.best
        };
        let second = self.second.confirm(asked, self.args.second_nodes, &mut adviser, &|| stop.is_said())?;
        Some(Effort { nodes: second.nodes, depth: second.depth })
    }

    /// The engine's own proof: what it says of the only move, and what its searches took, if they settle that no other comes to as
    /// much.
    fn first_proof(
        &mut self,
        board: &str,
        glanced: &First,
        rest: &[&str],
    ) -> Result<Option<(First, Effort, Others)>, Failure> {
        // A win within so many moves is looked for at full width, to the depth at which it shows if there is one.
        let depth = glanced.within.map(|moves| 2 * moves - 1);
        let nodes = if depth.is_some() { self.args.second_nodes } else { self.args.nodes };
        let go = Go { depth, nodes: Some(nodes), ..Go::default() };
        let search_moves = Some(Text { column: 1, text: rest.join(" ") });
        let go_others = Go { search_moves, ..go.clone() };
        if depth.is_none() {
            // Most often another move does as well, which shows at once.
            let glance = Go { nodes: Some(nodes.div_ceil(GLANCES)), ..go_others.clone() };
            let others = self.player.search(board, FULL, true, &glance)?;
            let result = others.lines.first().map(|line| settled(line).result);
            if result == Some(SolvedResult::Win) || glanced.goal == Goal::Draw && result == Some(SolvedResult::Draw) {
                return Ok(None);
            }
        }
        let others = self.player.search(board, FULL, depth.is_none(), &go_others)?;
        let Some(other) = others.lines.first() else { return Ok(None) };
        let solved = settled(other);
        let result = match (glanced.within, solved.result) {
            (Some(within), _) if wins_within(&solved, within) => return Ok(None),
            (Some(within), _) if other.certain || other.depth >= 2 * within - 1 => OtherResult::Later,
            (None, SolvedResult::Loss) => OtherResult::Loss,
            (None, SolvedResult::Draw) if glanced.goal == Goal::Win => OtherResult::Draw,
            _ => return Ok(None),
        };
        let best = self.player.search(board, FULL, depth.is_none(), &go)?;
        let is_same = |first: &First| {
            (first.goal, first.within, &first.solved.mv) == (glanced.goal, glanced.within, &glanced.solved.mv)
        };
        let Some(first) = First::of(&best, glanced.within).filter(is_same) else { return Ok(None) };
        Ok(Some((first, effort(&best), Others { result, effort: effort(&others) })))
    }

    /// The levels that play another move.
    fn fails(&mut self, board: &str, mv: &str) -> Result<Vec<u64>, Failure> {
        let go = Go { nodes: Some(LEVEL_NODES), ..Go::default() };
        let mut fails = Vec::new();
        for level in LEVELS {
            if self.player.search(board, level, true, &go)?.best.as_deref() != Some(mv) {
                fails.push(level);
            }
        }
        Ok(fails)
    }
}

/// What the engine's search of a position says, where that may be a puzzle.
struct First {
    goal: Goal,
    within: Option<u32>,
    solved: Solved,
    /// Whether the moves of a win are counted, and not but limited.
    is_counted: bool,
}

impl First {
    /// Nothing where nothing is settled, or all is lost.
    fn of(answer: &Answer, within: Option<u32>) -> Option<First> {
        let line = answer.lines.first()?;
        let solved = settled(line);
        let is_counted = line.score.is_some_and(|(_, bound)| bound == ReportedBound::Exact);
        if within.is_some() && !within.is_some_and(|most| wins_within(&solved, most)) {
            return None;
        }
        match solved.result {
            SolvedResult::Win => Some(First { goal: Goal::Win, within: within.and(solved.moves), solved, is_counted }),
            SolvedResult::Draw => Some(First { goal: Goal::Draw, within: None, solved, is_counted }),
            SolvedResult::Loss | SolvedResult::Open => None,
        }
    }
}

/// Whether a line wins within so many own moves.
fn wins_within(line: &Solved, most: u32) -> bool {
    line.result == SolvedResult::Win && line.moves.is_some_and(|moves| moves <= most)
}

/// The best move of a search that counts captures, and the exact lead it comes to, unless the game is decided by then.
fn captures(answer: &Answer) -> Option<(String, i32)> {
    let line = answer.lines.first().filter(|line| !line.certain)?;
    let Some((ReportedScore::Centi(centi), ReportedBound::Exact)) = line.score else { return None };
    Some((line.pv.moves.first()?.clone(), centi / 100))
}

/// What a search took.
fn effort(answer: &Answer) -> Effort {
    let most = |of: fn(&griot::message::Info) -> u64| answer.lines.iter().map(of).max().unwrap_or_default();
    Effort { nodes: most(|line| line.nodes), depth: most(|line| u64::from(line.depth)).min(u64::from(DEEPEST)) as u32 }
}
