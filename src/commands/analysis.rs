//! One position after the other, each searched from an empty table: what `analyse`, `explore` and `book` have in common.
//! Layer 6.
//!
//! A result depends on its position, the limits and the options alone: not on the positions before it, nor on how many jobs
//! there are. Scores are for the side to move.

use std::time::Instant;

use griot::message::{Go, Info, Picture, Problem, ReportedBound, ReportedScore, Setup, Text};
use griot::session::Session;
use serde::{Deserialize, Serialize};

use super::stop::Stop;
use super::{Answer, Failure, Games, open_of, search_until};
use crate::cli::{Cli, Limits};

/// The nodes of each search, where no limit is given.
const DEFAULT_NODES: u64 = 100_000;

/// What stands for the board of a game's start.
const START: &str = "startpos";

/// A position, as it was written.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenPosition {
    /// The game, by any of its names.
    pub(super) game: String,
    /// The board text, or `startpos`.
    pub(super) board: String,
    /// The moves played from there.
    pub(super) moves: String,
}

impl WrittenPosition {
    /// A position; `None` or nothing written stands for the start, and for no moves.
    pub(super) fn new(game: &str, board: Option<&str>, moves: Option<&str>) -> WrittenPosition {
        let board = board.map(str::trim).filter(|board| !board.is_empty()).unwrap_or(START);
        WrittenPosition {
            game: game.trim().into(),
            board: board.into(),
            moves: moves.map(str::trim).unwrap_or_default().into(),
        }
    }

    /// Whether it begins at a board of its own.
    pub(super) fn has_board(&self) -> bool {
        !self.board.eq_ignore_ascii_case(START)
    }
}

/// The value of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum ScoreWord {
    /// Hundredths of the game's unit.
    Cp(i32),
    /// The winner's own moves to the end, negative when the side to move loses.
    Mate(i32),
}

/// Which side of the value a score stands on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum BoundWord {
    Exact,
    Lower,
    Upper,
}

/// A value and its bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Worth {
    #[serde(flatten)]
    pub(super) value: ScoreWord,
    pub(super) bound: BoundWord,
}

impl Worth {
    pub(super) fn new((score, bound): (ReportedScore, ReportedBound)) -> Worth {
        let value = match score {
            ReportedScore::Centi(centi) => ScoreWord::Cp(centi),
            ReportedScore::Mate(moves) => ScoreWord::Mate(moves),
        };
        let bound = match bound {
            ReportedBound::Exact => BoundWord::Exact,
            ReportedBound::Lower => BoundWord::Lower,
            ReportedBound::Upper => BoundWord::Upper,
        };
        Worth { value, bound }
    }
}

/// One of the best lines, where several were asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct RankedLine {
    rank: usize,
    score: Worth,
    pv: Vec<String>,
}

/// What the search of a position came to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Analysis {
    /// Nothing where the game is over.
    pub(super) bestmove: Option<String>,
    pub(super) score: Worth,
    pub(super) depth: u32,
    pub(super) seldepth: u32,
    pub(super) nodes: u64,
    /// Milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) time: Option<u64>,
    pub(super) tbhits: u64,
    pub(super) pv: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) multipv: Vec<RankedLine>,
    /// What was dropped from the board text to read it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) warnings: Vec<String>,
}

/// Somebody who analyses positions, with a session of his own.
pub(super) struct Analyst<'a> {
    games: Games<'a>,
    cli: &'a Cli,
    limits: &'a Limits,
    stop: &'a Stop,
    /// The name by which the game was asked for, and its session.
    session: Option<(String, Box<dyn Session>)>,
}

impl<'a> Analyst<'a> {
    pub(super) fn new(games: Games<'a>, cli: &'a Cli, limits: &'a Limits, stop: &'a Stop) -> Analyst<'a> {
        Analyst { games, cli, limits, stop, session: None }
    }

    /// Searches a position. A search that was told to stop answers what it has.
    ///
    /// # Errors
    /// What is wrong with the position, and with which part of it.
    pub(super) fn analyse(&mut self, place: &WrittenPosition, columns: Columns) -> Result<Analysis, Problem> {
        let (limits, stop) = (self.limits, self.stop);
        let session = self.set_up(place, columns)?;
        let warnings = session.warnings().iter().map(ToString::to_string).collect();
        let go = limits.go();
        session.new_game();
        let start = Instant::now();
        let answer = search_until(session, &go, Some(stop)).map_err(Problem::from)?;
        let time = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
        Ok(Analysis { warnings, ..analysis(answer, time) })
    }

    /// The position that was analysed last, as it is shown.
    pub(super) fn picture(&self) -> Option<Picture> {
        self.session.as_ref().and_then(|(_, session)| session.picture())
    }

    /// A session of the place's game, at the place.
    pub(super) fn set_up(&mut self, place: &WrittenPosition, columns: Columns) -> Result<&mut dyn Session, Problem> {
        let session = match self.session.take() {
            Some((game, session)) if game == place.game => session,
            _ => open_limited(self.games, self.cli, &place.game, self.limits)
                .map_err(|failure| columns.at(Part::Game, failure.into()))?,
        };
        let (_, session) = self.session.insert((place.game.clone(), session));
        let text = |part, text: &str| Text { column: columns.of(part), text: text.into() };
        let board = place.has_board().then(|| text(Part::Board, &place.board));
        let mut setup = Setup { board, ..Setup::default() };
        session.set_position(&setup).map_err(|problem| columns.at(Part::Board, problem))?;
        if !place.moves.is_empty() {
            setup.moves = text(Part::Moves, &place.moves);
            session.set_position(&setup).map_err(|problem| columns.at(Part::Moves, problem))?;
        }
        Ok(&mut **session)
    }
}

/// A session of `game` with the options and limits of the command line.
pub(super) fn open_limited(
    games: Games<'_>,
    cli: &Cli,
    game: &str,
    limits: &Limits,
) -> Result<Box<dyn Session>, Failure> {
    let mut session = open_of(games, cli, game, None)?;
    for (name, value) in [("Hash", limits.hash), ("MultiPV", limits.multipv)] {
        if let Some(value) = value {
            session.set_option(name, Some(&value.to_string()))?;
        }
    }
    Ok(session)
}

impl Limits {
    /// The limits of each search.
    pub(super) fn go(&self) -> Go {
        let movetime = self.movetime.map(std::time::Duration::from_millis);
        let go = Go { depth: self.depth, nodes: self.nodes, movetime, ..Go::default() };
        if go.is_limited() { go } else { Go { nodes: Some(DEFAULT_NODES), ..go } }
    }
}

/// A part of a position's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Game,
    Board,
    Moves,
}

/// Where the parts of a position stood.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Columns {
    /// In one line: the columns of the board and of the moves.
    InLine(usize, usize),
    /// Each by itself.
    Apart,
}

impl Columns {
    fn of(self, part: Part) -> usize {
        match (self, part) {
            (Columns::InLine(board, _), Part::Board) => board,
            (Columns::InLine(_, moves), Part::Moves) => moves,
            _ => 1,
        }
    }

    /// A problem with a part.
    pub(super) fn at(self, part: Part, problem: Problem) -> Problem {
        match (self, part) {
            (Columns::InLine(..), _) | (_, Part::Game) => problem,
            (Columns::Apart, Part::Board) => Problem::new(format!("board: {problem}")),
            (Columns::Apart, Part::Moves) => Problem::new(format!("moves: {problem}")),
        }
    }
}

fn analysis(answer: Answer, time: u64) -> Analysis {
    let Answer { mut lines, best, .. } = answer;
    let ranked = lines.iter().filter_map(|line| {
        let (rank, score) = (line.rank?, Worth::new(line.score?));
        Some(RankedLine { rank, score, pv: line.pv.moves.clone() })
    });
    let multipv = ranked.collect();
    // Numbers count as they stood with the last line that was found: later ones depend on when they were told.
    let nodes = lines.iter().map(|line| line.nodes).max().unwrap_or_default();
    let tbhits = lines.iter().map(|line| line.tbhits).max().unwrap_or_default();
    let first = if lines.is_empty() { Info::default() } else { lines.swap_remove(0) };
    Analysis {
        bestmove: best,
        // Every search tells a score, also that of a game that is over.
        score: Worth::new(first.score.unwrap_or((ReportedScore::Centi(0), ReportedBound::Exact))),
        depth: first.depth,
        seldepth: first.seldepth,
        nodes,
        time: Some(time),
        tbhits,
        pv: first.pv.moves,
        multipv,
        warnings: Vec::new(),
    }
}
