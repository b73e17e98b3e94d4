//! The subcommands, one file each, and what they share.
//!
//! Floor 6. A command asks the registry for a session and talks to it in messages; it knows no game and no search. Output goes
//! to the writer it is given; a writer that is gone is a quiet end.

mod analyse;
mod analysis;
mod bench;
mod book;
mod compare;
mod drawing;
mod explore;
mod lines;
mod man;
mod openings;
mod perft;
mod play;
mod pool;
mod puzzles;
mod solve;
mod stop;
mod tablebase;
mod tree;

/// A stranger's game, by which the tests see whether a command needs to know a game.
#[cfg(test)]
#[path = "../../examples/add_a_game.rs"]
#[allow(dead_code, reason = "it is a program of its own")]
mod add_a_game;

use std::io::{self, Write};
use std::time::Instant;

use crossbeam_channel::{never, select_biased, unbounded};
use griot::engine::{Connection, Engine};
use griot::message::{Go, Info, Problem, Reply, Setup, Text};
use griot::registry::Registry;
use griot::session::{Catalogue, Resources, Session, Settings};
use griot::tablebase::FileError;

use crate::cli::{Cli, Command};
use stop::Stop;

/// Why a command could not be carried out.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// Something was asked for that cannot be.
    #[error("{0}")]
    Problem(#[from] Problem),
    /// A file cannot be used.
    #[error(transparent)]
    File(#[from] FileError),
    /// The output failed.
    #[error("writing the output: {0}")]
    Output(#[from] io::Error),
}

/// A failure as an answer to what was asked.
impl From<Failure> for Problem {
    fn from(failure: Failure) -> Problem {
        match failure {
            Failure::Problem(problem) => problem,
            other => Problem::new(other.to_string()),
        }
    }
}

/// Does what the command line asks for.
pub(crate) fn run(cli: &Cli, out: &mut dyn Write) -> Result<(), Failure> {
    let names_its_games = matches!(cli.command, Some(Command::Perft(_) | Command::Bench(_) | Command::Tablebase(_)));
    if names_its_games && let Some(game) = &cli.game {
        let text = format!("--game {game}: expected no --game before this subcommand, which names its games itself");
        return Err(Problem::new(text).into());
    }
    match &cli.command {
        None => serve(cli),
        Some(Command::Perft(args)) => perft::run(cli, args, out),
        Some(Command::Bench(args)) => bench::run(cli, args, out),
        Some(Command::Compare(args)) => compare::run(cli, args, out),
        Some(Command::Tablebase(command)) => tablebase::run(cli, command, out),
        Some(Command::Book(command)) => book::run(cli, command, out),
        Some(Command::Analyse(args)) => analyse::run(cli, args, out),
        Some(Command::Explore(args)) => explore::run(cli, args, out),
        Some(Command::Tree(args)) => tree::run(cli, args, out),
        Some(Command::Solve(args)) => solve::run(cli, args, out),
        Some(Command::Puzzles(args)) => puzzles::run(cli, args, out),
        Some(Command::Play(args)) => play::run(cli, args, out),
        Some(Command::Completions { shell }) => man::completions(*shell, out),
        Some(Command::Man { out: folder }) => man::pages(folder.as_deref(), out),
    }
}

/// The protocol loop.
fn serve(cli: &Cli) -> Result<(), Failure> {
    let mut engine = Engine::new(&Registry, Connection::stdio())?;
    if let Some(dialect) = cli.dialect {
        engine.speak(dialect);
    }
    if let Some(game) = &cli.game {
        engine.set_option("Game", Some(game))?;
    }
    for (name, value) in options(cli)? {
        engine.set_option(name, value)?;
    }
    let interrupter = engine.interrupter();
    // An engine that cannot hear of signals ends by them as any program does.
    if let Err(error) = ctrlc::set_handler(move || interrupter.interrupt()) {
        log::warn!("listening for signals: {error}");
    }
    engine.run()?;
    // The process ends here and now: nobody needs its threads to come to an end first, nor its memory to be given back.
    std::mem::forget(engine);
    Ok(())
}

/// The options of the command line.
fn options(cli: &Cli) -> Result<Vec<(&str, Option<&str>)>, Problem> {
    cli.options
        .iter()
        .map(|option| match option.split_once('=') {
            Some((name, value)) if !name.trim().is_empty() => Ok((name.trim(), Some(value.trim()))),
            _ => Err(Problem::new(format!("--option: expected NAME=VALUE, found '{option}'"))),
        })
        .collect()
}

/// A session of griot's `game`, at `board` or the start, with the options of the command line.
fn open(cli: &Cli, game: &str, board: Option<&str>) -> Result<Box<dyn Session>, Failure> {
    open_of(&Registry, cli, game, board)
}

/// The same of a game of any catalogue.
fn open_of(games: Games<'_>, cli: &Cli, game: &str, board: Option<&str>) -> Result<Box<dyn Session>, Failure> {
    let mut session = games.open(game, Resources::new(Settings::default())?)?;
    for (name, value) in options(cli)? {
        session.set_option(name, value)?;
    }
    let board = board.map(|text| Text { column: 1, text: text.to_owned() });
    session.set_position(&Setup { board, ..Setup::default() })?;
    Ok(session)
}

/// The games that a command opens: griot's own, or those of somebody else.
type Games<'a> = &'a (dyn Catalogue + Sync);

/// What a search said: its counts, its last line of numbers, its lines of play, best first, and its move.
#[derive(Debug, Default)]
struct Answer {
    counts: Vec<(String, u64)>,
    info: Option<Info>,
    lines: Vec<Info>,
    best: Option<String>,
}

/// Searches, and waits for the answer. A search that says what is wrong with it has failed.
fn search(session: &mut dyn Session, go: &Go) -> Result<Answer, Failure> {
    search_until(session, go, None)
}

/// Searches until the limits are reached, or stop is said.
fn search_until(session: &mut dyn Session, go: &Go, stop: Option<&Stop>) -> Result<Answer, Failure> {
    search_heard(session, go, stop, &mut |_| ())
}

/// The same, with an ear for the numbers as they come.
fn search_heard(
    session: &mut dyn Session,
    go: &Go,
    stop: Option<&Stop>,
    heard: &mut dyn FnMut(&Info),
) -> Result<Answer, Failure> {
    let (sender, replies) = unbounded();
    let sink = Box::new(move |reply| {
        // Who has heard of a failure does not listen any longer.
        let _ = sender.send(reply);
    });
    let handle = session.go(go, Instant::now(), sink);
    let nobody = never();
    let mut stopped = stop.map_or(&nobody, Stop::channel);
    let mut answer = Answer::default();
    loop {
        let reply = select_biased! {
            recv(stopped) -> _ => {
                handle.stop();
                stopped = &nobody;
                continue;
            }
            recv(replies) -> reply => reply,
        };
        match reply {
            Ok(Reply::Note(note)) => match note.strip_prefix("error: ") {
                Some(error) => return Err(Problem::new(error).into()),
                None => log::info!("{note}"),
            },
            Ok(Reply::Count { mv, lines }) => answer.counts.push((mv, lines)),
            Ok(Reply::Info(info)) => {
                heard(&info);
                answer.hear(info);
            }
            Ok(Reply::BestMove { best, .. }) => {
                answer.best = best;
                break;
            }
            Ok(_) => {}
            // LAW 1: a best move comes before the end.
            Err(_) => break,
        }
    }
    Ok(answer)
}

impl Answer {
    fn hear(&mut self, info: Info) {
        if info.score.is_some() {
            // Lines of one iteration are told together, the best one first; an iteration that was stopped leaves the others.
            let place = info.rank.map_or(0, |rank| rank - 1);
            match self.lines.get_mut(place) {
                Some(line) => *line = info.clone(),
                None => self.lines.push(info.clone()),
            }
        }
        self.info = Some(info);
    }
}

/// A score for people: hundredths, or the winner's own moves to the end.
fn score_text(info: &Info) -> String {
    use griot::message::ReportedScore::{Centi, Mate};
    match info.score {
        Some((Centi(centi), _)) => format!("{:+.2}", f64::from(centi) / 100.0),
        Some((Mate(moves), _)) => format!("mate {moves}"),
        None => "-".into(),
    }
}
