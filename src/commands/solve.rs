//! `griot solve`: what every move of a position comes to. Layer 6.
//!
//! One search with as many lines as there are moves, which ends by itself when all of them are settled.

use std::io::{IsTerminal, Write, stderr};
use std::time::Duration;

use griot::message::{Go, Info, Problem, ReportedScore};
use griot::registry::{DEFAULT_GAME, has_tables};
use griot::session::MAX_LINES;
use indicatif::ProgressBar;
use serde::Serialize;

use super::stop::Stop;
use super::{Failure, open, options, search_heard};
use crate::cli::{self, Cli};

/// How a game ends for the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum SolvedResult {
    Win,
    Draw,
    Loss,
    /// It was not found out.
    Open,
}

/// From here on, hundredths mean a certain result of unknown length; see protocol.md.
const UNKNOWN_LENGTH: i32 = 100_000;

/// A move, and what it comes to.
#[derive(Debug, Serialize)]
pub(super) struct Solved {
    #[serde(rename = "move")]
    pub(super) mv: String,
    pub(super) result: SolvedResult,
    /// The winner's own moves to the end, where they are known: exactly so many, or so many at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) moves: Option<u32>,
    /// The final balance for the side to move, in whole units of the game (discs), where that is what is played for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) margin: Option<i32>,
    pub(super) pv: Vec<String>,
}

/// What `--json` writes.
#[derive(Debug, Serialize)]
struct Report<'a> {
    game: &'a str,
    board: String,
    solved: bool,
    result: SolvedResult,
    #[serde(skip_serializing_if = "Option::is_none")]
    repetition: Option<String>,
    /// Whether the `moves` of the lines are limits: they may take fewer.
    at_most: bool,
    nodes: u64,
    moves: Vec<Solved>,
}

pub(super) fn run(cli: &Cli, args: &cli::Solve, out: &mut dyn Write) -> Result<(), Failure> {
    let game = args.game.as_ref().or(cli.game.as_ref()).map_or(DEFAULT_GAME, String::as_str);
    let mut session = open(cli, game, args.fen.as_deref())?;
    let moves = session.legal_moves().len();
    let board = session.state().map(|state| state.board).unwrap_or_default();
    if moves == 0 {
        return Err(Problem::new(format!("{game} {board}: the game is over, there is nothing to solve")).into());
    }
    session.set_option("MultiPV", Some(&(moves as u64).min(MAX_LINES).to_string()))?;
    if has_tables(game) {
        // A table knows who wins, and not how soon.
        session.set_option("Evaluation", Some("plain"))?;
    }
    // The last word counts.
    let selective = options(cli)?.into_iter().rev().find(|(name, _)| name.eq_ignore_ascii_case("Selective"));
    let is_exact = selective.and_then(|(_, value)| value).is_some_and(|value| value.eq_ignore_ascii_case("false"));
    let stop = Stop::by_ctrl_c()?;
    let bar = if stderr().is_terminal() { ProgressBar::new_spinner() } else { ProgressBar::hidden() };
    bar.enable_steady_tick(Duration::from_millis(200));
    let movetime = args.movetime.map(Duration::from_millis);
    let go = Go { depth: Some(cli::DEEPEST), movetime, ..Go::default() };
    let answer = search_heard(&mut *session, &go, Some(&stop), &mut |info| {
        bar.set_message(format!("{game}: depth {}, {} nodes", info.depth, info.nodes));
    })?;
    bar.finish_and_clear();
    let solved: Vec<Solved> = answer.lines.iter().map(settled).collect();
    let report = Report {
        game: session.game(),
        board,
        solved: solved.iter().all(|line| line.result != SolvedResult::Open) && solved.len() == moves,
        result: solved.first().map_or(SolvedResult::Open, |best| best.result),
        // With everything on, the search may overlook a shorter way that leads over a position that comes up again.
        at_most: session.repetition().is_some() && !is_exact,
        repetition: session.repetition(),
        nodes: answer.lines.iter().map(|line| line.nodes).max().unwrap_or_default(),
        moves: solved,
    };
    if args.json {
        let text = serde_json::to_string(&report).map_err(|error| Problem::new(error.to_string()))?;
        writeln!(out, "{text}")?;
    } else {
        tell(&report, out)?;
    }
    if report.solved { Ok(()) } else { Err(Problem::new("not solved: some moves are still open").into()) }
}

/// What a line says of its move.
pub(super) fn settled(line: &Info) -> Solved {
    let (result, moves, margin) = match line.score {
        _ if !line.certain => (SolvedResult::Open, None, None),
        Some((ReportedScore::Mate(moves), _)) => {
            (if moves > 0 { SolvedResult::Win } else { SolvedResult::Loss }, Some(moves.unsigned_abs()), None)
        }
        Some((ReportedScore::Centi(centi), _)) if centi != 0 => {
            let is_balance = centi.abs() < UNKNOWN_LENGTH;
            let result = if centi > 0 { SolvedResult::Win } else { SolvedResult::Loss };
            (result, None, is_balance.then_some(centi / 100))
        }
        _ => (SolvedResult::Draw, None, None),
    };
    let pv = line.pv.moves.clone();
    Solved { mv: pv.first().cloned().unwrap_or_default(), result, moves, margin, pv }
}

fn tell(report: &Report<'_>, out: &mut dyn Write) -> Result<(), Failure> {
    let Report { game, board, result, repetition, at_most, nodes, moves, .. } = report;
    let said = match result {
        SolvedResult::Win => "the side to move wins",
        SolvedResult::Draw => "a draw",
        SolvedResult::Loss => "the side to move loses",
        SolvedResult::Open => "not solved",
    };
    writeln!(out, "{game}  {board}\n{said}")?;
    if let Some(rule) = repetition {
        writeln!(out, "{rule}")?;
    }
    let width = moves.iter().map(|line| line.mv.len()).max().unwrap_or_default();
    let or_less = if *at_most { " or less" } else { "" };
    let result_text = |line: &Solved| match (line.result, line.moves) {
        (SolvedResult::Win, None) if line.margin.is_some() => format!("wins by {}", line.margin.unwrap_or_default()),
        (SolvedResult::Loss, None) if line.margin.is_some() => format!("loses by {}", -line.margin.unwrap_or_default()),
        (SolvedResult::Win, Some(moves)) => format!("wins in {moves}{or_less}"),
        (SolvedResult::Loss, Some(moves)) => format!("loses in {moves}{or_less}"),
        (SolvedResult::Win, None) => "wins".into(),
        (SolvedResult::Loss, None) => "loses".into(),
        (SolvedResult::Draw, _) => "draws".into(),
        (SolvedResult::Open, _) => "open".into(),
    };
    let result_width = moves.iter().map(|line| result_text(line).len()).max().unwrap_or_default();
    for line in moves {
        writeln!(out, "  {:<width$}  {:<result_width$}  {}", line.mv, result_text(line), line.pv.join(" "))?;
    }
    writeln!(out, "{nodes} nodes")?;
    Ok(())
}
