//! The subcommands, one file each, and what they share.
//!
//! Layer 6. A command asks the registry for a session and talks to it in messages; it knows no game and no search. Output goes
//! to the writer it is given; a writer that is gone is a quiet end.

mod analyse;
mod analysis;
mod bench;
mod book;
mod compare;
mod convert;
mod doctor;
mod drawing;
mod explore;
mod lines;
mod lists;
mod man;
mod named;
mod openings;
mod perft;
mod play;
mod pool;
mod progress;
mod puzzles;
mod serve;
mod shared_tables;
mod solve;
mod stop;
mod tablebase;
mod tree;

/// A stranger's game, by which the tests see whether a command needs to know a game.
#[cfg(test)]
#[path = "../../examples/add_a_game.rs"]
#[allow(dead_code, reason = "it is a program of its own")]
mod add_a_game;

use std::env;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use clap::error::{ContextKind, ContextValue};
use crossbeam_channel::{never, select_biased, unbounded};
use griot::engine::{Connection, Engine, options as engine_options};
use griot::message::{DialectName, Go, Info, Problem, Reply, Setup, Text};
use griot::protocol::tidy;
use griot::registry::{Registry, known_as, meant};
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
    let names_its_games = matches!(cli.command, Some(Command::Tablebase(_)));
    if names_its_games && let Some(game) = &cli.game {
        let text = format!("--game {game}: expected no --game before this subcommand, which names its games itself");
        return Err(Problem::new(text).into());
    }
    match &cli.command {
        None => speak(cli),
        Some(Command::Games) => lists::games(out),
        Some(Command::Options) => lists::options(out),
        Some(Command::Doctor) => doctor::run(out),
        Some(Command::Perft(args)) => perft::run(cli, args, out),
        Some(Command::Bench(args)) => bench::run(cli, args, out),
        Some(Command::Compare(args)) => compare::run(cli, args, out),
        Some(Command::Tablebase(command)) => tablebase::run(cli, command, out),
        Some(Command::Book(command)) => book::run(cli, command, out),
        Some(Command::Analyse(args)) => analyse::run(cli, args, out),
        Some(Command::Convert(args)) => convert::run(cli, args, out),
        Some(Command::Explore(args)) => explore::run(cli, args, out),
        Some(Command::Tree(args)) => tree::run(cli, args, out),
        Some(Command::Solve(args)) => solve::run(cli, args, out),
        Some(Command::Puzzles(args)) => puzzles::run(cli, args, out),
        Some(Command::Play(args)) => play::run(cli, args, out),
        Some(Command::Serve(args)) => serve::run(cli, args),
        Some(Command::Completions { shell }) => man::completions(*shell, out),
        Some(Command::Man { out: folder }) => man::pages(folder.as_deref(), out),
    }
}

/// What to type where somebody has named a game instead of a subcommand.
pub(crate) fn game_for_subcommand(error: &clap::Error) -> Option<String> {
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand) else { return None };
    let game = if known_as(word).is_ok() { word } else { meant(word)? };
    let what = if game == word { "a game".into() } else { format!("another word for the game {game}") };
    Some(format!(
        "'{}' is no subcommand, but {what}: 'griot play {game}' plays it here, 'griot --game {game}' waits for a front end",
        tidy(word)
    ))
}

/// Tells a person at a terminal what griot waits for; a program at the other end of a pipe knows, and hears nothing.
fn greet(cli: &Cli) {
    let text = match cli.dialect {
        Some(DialectName::Gtp) => "griot waits for commands of GTP: list_commands, quit",
        Some(DialectName::Gomocup) => "griot waits for commands of Gomocup: START 15, BEGIN, END",
        Some(DialectName::Hub) => "griot waits for commands of Hub: hub, init, pos, level, go think, quit",
        Some(DialectName::NBoard) => "griot waits for commands of NBoard: nboard 2, set game, go",
        _ => {
            "griot waits for commands of UGI or UCI: help lists them, d draws the board, quit ends; to play: griot play"
        }
    };
    if io::stdin().is_terminal() {
        // A closed stderr is no reason to stop.
        let _ = writeln!(io::stderr(), "{text}");
    }
}

/// The protocol loop.
fn speak(cli: &Cli) -> Result<(), Failure> {
    let mut resources = Resources::new(Settings::default())?;
    resources.shared_tables = shared_tables::shared_tables().map(Arc::new);
    let mut engine = Engine::with_resources(&Registry, Connection::stdio(), resources)?;
    let named = named::by_file_name(env::args_os().next().as_deref().map(Path::new));
    if let Some(dialect) = cli.dialect.or(named.dialect) {
        engine.speak(dialect);
    }
    if let Some(game) = cli.game.as_ref().or(named.game.as_ref()) {
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
    greet(cli);
    engine.run()?;
    // The process ends at once: its threads need not end first, nor its memory be freed.
    std::mem::forget(engine);
    Ok(())
}

/// The options of the command line, where the blanks of a name may be left out.
fn options(cli: &Cli) -> Result<Vec<(&str, Option<&str>)>, Problem> {
    let without_blanks = |name: &str| name.replace(' ', "").to_ascii_lowercase();
    let known = engine_options(&Registry);
    let full = |name| {
        let spec = known.iter().find(|spec| without_blanks(spec.name) == without_blanks(name));
        spec.map_or(name, |spec| spec.name)
    };
    cli.options
        .iter()
        .map(|option| match option.split_once('=') {
            Some((name, value)) if !name.trim().is_empty() => Ok((full(name.trim()), Some(value.trim()))),
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
    for warning in session.warnings() {
        log::warn!("{warning}");
    }
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
