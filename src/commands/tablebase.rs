//! `griot tablebase`: endgame tables as files. Layer 6.
//!
//! Building is done on the thread that was called, and as many more as are asked for; one more thread draws the progress,
//! on stderr and only where that is a terminal. What is written to the output is the same everywhere.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use griot::files::Claim;
use griot::message::Problem;
use griot::registry::any_tables;
use griot::tablebase::{
    AnyTables, Bounds, BuildError, Built, Convention, Counted, FileError, Form, Header, Monitor, Plan, ProbeError,
    Reader, Tally, file,
};
use indicatif::ProgressBar;
use serde_json::json;

use super::Failure;
use super::progress::{Whole, bar, time};
use super::shared_tables::{self, VARIABLE, stay_in_the_background};
use super::stop::Stop;
use crate::cli::{BuildTables, Cli, ProbeTables, Tablebase};

pub(super) fn run(cli: &Cli, command: &Tablebase, out: &mut dyn Write) -> Result<(), Failure> {
    if let Some(option) = cli.options.first() {
        return Err(Problem::new(format!("--option {option}: tables have no options")).into());
    }
    match command {
        Tablebase::Build(args) => build(args, out),
        Tablebase::Verify { directory } => verify(&chosen(directory.as_deref())?, out),
        Tablebase::Info { directory, json } => info(&chosen(directory.as_deref())?, *json, out),
        Tablebase::Probe(args) => probe(args, out),
        Tablebase::Pack { directory } => repack(&chosen(directory.as_deref())?, Form::Packed, out),
        Tablebase::Unpack { directory } => repack(&chosen(directory.as_deref())?, Form::Plain, out),
        Tablebase::Clear => clear(&chosen(None)?, out),
    }
}

/// The directory that was named, or else the shared folder.
fn chosen(named: Option<&Path>) -> Result<PathBuf, Failure> {
    let shared = || shared_tables::folder().ok_or_else(no_folder);
    named.map_or_else(shared, |named| Ok(named.to_owned()))
}

fn no_folder() -> Failure {
    let text = format!("expected a directory: there is no shared folder, as {VARIABLE} is empty or there is no home");
    Problem::new(text).into()
}

fn build(args: &BuildTables, out: &mut dyn Write) -> Result<(), Failure> {
    let BuildTables { game, out: directory, threads, memory, background, .. } = args;
    let tables = any_tables(game)?;
    let directory = chosen(directory.as_deref())?;
    let top = last_layer(args, &*tables)?;
    let counts: Vec<usize> = (0..=tables.top()).map(|layer| tables.count(layer)).collect();
    let word = tables.counted().word();
    let threads = match threads {
        Some(threads) => usize::from(*threads),
        None => thread::available_parallelism().map_or(1, usize::from),
    };
    let plan = Plan { top, threads, memory: *memory };
    let monitor = Arc::new(Monitor::default());
    let stopper = Arc::clone(&monitor);
    ctrlc::set_handler(move || stopper.stop())
        .map_err(|error| Problem::new(format!("listening for Ctrl-C: {error}")))?;
    if *background {
        let stopper = Arc::clone(&monitor);
        stay_in_the_background(move || stopper.stop())
            .map_err(|error| Problem::new(format!("--background: {error}")))?;
    }

    let start = Instant::now();
    let mut written = Ok(());
    let bar = bar(Whole::Exactly(0), "boards");
    let label = |layer: usize| format!("{} {word} ", counts.get(layer).copied().unwrap_or(layer));
    let result = with_progress(&bar, &monitor, label, || {
        let mut report = |built: Built<'_>| {
            if written.is_ok() {
                written = bar.suspend(|| say(out, built));
            }
            if written.is_err() {
                monitor.stop();
            }
        };
        tables.build(&directory, &plan, &monitor, &mut report)
    });
    written?;
    let boards = result.map_err(|error| match error {
        BuildError::File(error) => error.into(),
        BuildError::Stopped(_) => {
            let text = format!("{}: stopped; the same command goes on with the layer it was at", directory.display());
            Failure::from(Problem::new(text))
        }
        other => Failure::from(Problem::new(other.to_string())),
    })?;
    writeln!(out, "{boards} boards in {} on {threads} threads", time(start.elapsed()))?;
    Ok(())
}

/// The last layer to build, from the flag that fits the game.
fn last_layer(args: &BuildTables, tables: &dyn AnyTables) -> Result<usize, Failure> {
    let word = tables.counted().word();
    let (asked, other) = match tables.counted() {
        Counted::Seeds => (args.seeds, args.pieces.map(|count| ("pieces", count))),
        Counted::Pieces => (args.pieces, args.seeds.map(|count| ("seeds", count))),
    };
    if let Some((flag, count)) = other {
        let text = format!("--{flag} {count}: expected --{word} N, as the tables of {} count {word}", args.game);
        return Err(Problem::new(text).into());
    }
    let Some(count) = asked else { return Ok(tables.shared()) };
    let most = tables.count(tables.top());
    if count > most {
        return Err(Problem::new(format!("--{word} {count}: the tables of {} end at {most} {word}", args.game)).into());
    }
    Ok(tables.last_layer(count))
}

/// Tells what became of a layer.
fn say(out: &mut dyn Write, built: Built<'_>) -> std::io::Result<()> {
    match built {
        Built::Kept(path) => writeln!(out, "{}: kept", path.display()),
        Built::Replaces(error) => writeln!(out, "{error}"),
        Built::Written(path) => writeln!(out, "{}: written", path.display()),
    }?;
    out.flush()
}

/// Shows how far `work` is until it is done. The bar hides itself where stderr is no terminal.
fn with_progress<R>(
    bar: &ProgressBar,
    monitor: &Monitor,
    label: impl Fn(usize) -> String + Send,
    work: impl FnOnce() -> R,
) -> R {
    let (done, is_done) = channel::<()>();
    thread::scope(|scope| {
        scope.spawn(move || {
            while is_done.recv_timeout(Duration::from_millis(200)) == Err(RecvTimeoutError::Timeout) {
                let (boards, all) = monitor.boards();
                bar.set_length(all);
                bar.set_position(boards);
                bar.set_message(label(monitor.layer()));
            }
            bar.finish_and_clear();
        });
        let result = work();
        drop(done);
        result
    })
}

/// The table files of a directory, which must have some.
fn files(directory: &Path) -> Result<Vec<std::path::PathBuf>, Failure> {
    let paths = file::list(directory)?;
    if paths.is_empty() {
        let text =
            format!("{}: expected table files, found none; griot tablebase build makes them", directory.display());
        return Err(Problem::new(text).into());
    }
    Ok(paths)
}

/// Opens a file and checks everything about it but its values.
fn open(path: &Path) -> Result<Reader, Failure> {
    let reader = Reader::open(path)?;
    let header = reader.header();
    let expected = any_tables(&header.identity.name)
        .map(|tables| tables.header(header.layer))
        .map_err(|problem| Problem::new(format!("{}: {problem}", path.display())))?;
    header.expect(path, &expected)?;
    let found = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    if found != expected.file_name() {
        let expected = expected.file_name();
        return Err(FileError::Other { path: path.to_owned(), field: "file name", expected, found }.into());
    }
    Ok(reader)
}

fn verify(directory: &Path, out: &mut dyn Write) -> Result<(), Failure> {
    let paths = files(directory)?;
    let mut bad = 0;
    for path in &paths {
        match open(path).and_then(|reader| Ok(reader.verify()?)) {
            Ok(()) => writeln!(out, "{}: good", path.display())?,
            Err(failure) => {
                bad += 1;
                writeln!(out, "{failure}")?;
            }
        }
        out.flush()?;
    }
    match bad {
        0 => Ok(()),
        _ => Err(Problem::new(format!("{bad} of {} files are damaged", paths.len())).into()),
    }
}

fn info(directory: &Path, as_json: bool, out: &mut dyn Write) -> Result<(), Failure> {
    let mut layers = Vec::new();
    if !as_json {
        writeln!(
            out,
            "{:<16} {:>5} {:>14} {:>13} {:>13} {:>13} {:>13} {:>8} {:>14}",
            "game", "layer", "boards", "win", "draw", "loss", "unknown", "exact", "bytes"
        )?;
    }
    for path in files(directory)? {
        let reader = open(&path)?;
        let header = reader.header().clone();
        let Header { identity, layer, boards } = &header;
        let (game, bytes) = (&identity.name, reader.bytes());
        let Tally { win, draw, loss, unknown, exact } = reader.layer().tally();
        if as_json {
            let convention = match identity.convention {
                Convention::Exact => "exact",
                Convention::Bounds => "bounds",
            };
            let (word, count) =
                any_tables(game).map_or(("seeds", *layer), |tables| (tables.counted().word(), tables.count(*layer)));
            layers.push(json!({
                "game": game, "convention": convention, "layer": layer, word: count, "boards": boards, "win": win,
                "draw": draw, "loss": loss, "unknown": unknown, "exact": exact, "bytes": bytes,
            }));
        } else {
            let exact = 100.0 * exact as f64 / *boards as f64;
            writeln!(
                out,
                "{game:<16} {layer:>5} {boards:>14} {win:>13} {draw:>13} {loss:>13} {unknown:>13} {exact:>6.1} % {bytes:>14}"
            )?;
            out.flush()?;
        }
    }
    if as_json {
        writeln!(out, "{}", json!({ "layers": layers }))?;
    }
    Ok(())
}

/// Keeps others from writing tables of this game there.
fn claim(directory: &Path, reader: &Reader) -> io::Result<Claim> {
    Claim::of_name(&directory.join(reader.header().identity.file_stem()))
}

/// Gives all tables of a directory this form.
fn repack(directory: &Path, form: Form, out: &mut dyn Write) -> Result<(), Failure> {
    let stop = Stop::by_ctrl_c()?;
    let paths = files(directory)?;
    let readers = paths.iter().map(|path| open(path)).collect::<Result<Vec<Reader>, Failure>>()?;
    let boards = readers.iter().map(|reader| reader.header().boards).sum();
    let bar = bar(Whole::Exactly(boards), "boards");
    let (mut before, mut after) = (0, 0);
    for (path, reader) in paths.iter().zip(&readers) {
        let begun = bar.position();
        let _claim = claim(directory, reader).map_err(|error| Problem::new(format!("{}: {error}", path.display())))?;
        let bytes = file::repack(path, form, |boards| bar.set_position(begun + boards))?;
        bar.set_position(begun + reader.header().boards);
        let text = match bytes {
            Some(bytes) => format!("{} bytes, of {}", bytes, reader.bytes()),
            None => "kept".into(),
        };
        bar.suspend(|| writeln!(out, "{}: {text}", path.display()).and_then(|()| out.flush()))?;
        (before, after) = (before + reader.bytes(), after + bytes.unwrap_or(reader.bytes()));
        if stop.is_said() {
            bar.finish_and_clear();
            return Err(Problem::new("stopped; the same command goes on with the next file").into());
        }
    }
    bar.finish_and_clear();
    writeln!(out, "{}: {:.1} MB, of {:.1} MB", directory.display(), after as f64 / 1e6, before as f64 / 1e6)?;
    Ok(())
}

/// Deletes the tables of a directory, but nothing that is none of griot's, and no game's while somebody builds them.
fn clear(directory: &Path, out: &mut dyn Write) -> Result<(), Failure> {
    let (mut gone, mut bytes) = (0, 0);
    let paths = if directory.exists() { file::list(directory)? } else { Vec::new() };
    for path in paths {
        let Ok(reader) = Reader::open(&path) else {
            writeln!(out, "{}: left, as it is not a table of this version", path.display())?;
            continue;
        };
        let delete = || claim(directory, &reader).and_then(|_claim| fs::remove_file(&path));
        delete().map_err(|error| Problem::new(format!("{}: {error}", path.display())))?;
        (gone, bytes) = (gone + 1, bytes + reader.bytes());
    }
    writeln!(out, "{}: {gone} tables deleted, {:.1} MB", directory.display(), bytes as f64 / 1e6)?;
    Ok(())
}

fn probe(args: &ProbeTables, out: &mut dyn Write) -> Result<(), Failure> {
    let ProbeTables { game, directory, fen, .. } = args;
    let tables = any_tables(game)?;
    let counted = tables.counted();
    let directory = chosen(directory.as_deref())?;
    let probed = tables.look_up(&directory, fen).map_err(|error| match error {
        ProbeError::Board(error) => Problem::new(format!("column {}: {error}", error.offset + 1)).into(),
        ProbeError::File(error) => Failure::from(error),
        ProbeError::TooHigh { counted, found, most } => Problem::new(format!(
            "{fen}: expected a board of at most {most} {}, as {} has it, found {found}",
            match counted {
                Counted::Seeds => "seeds",
                Counted::Pieces => "pieces, three a side",
            },
            directory.display()
        ))
        .into(),
    })?;
    writeln!(out, "{:<5} {}", "board", text(probed.bounds))?;
    for (mv, worth) in probed.moves {
        writeln!(out, "{mv:<5} {}", worth.map_or_else(|| "-".into(), text))?;
    }
    let meaning = match counted {
        Counted::Seeds => "seeds that the side to move wins from this board less those that the opponent wins",
        Counted::Pieces => "+1 a win of the side to move, +0 a draw, -1 a loss; counts of moves are ignored",
    };
    writeln!(out, "{meaning}")?;
    Ok(())
}

/// A value, or two bounds.
fn text(Bounds { low, high }: Bounds) -> String {
    if low == high { format!("{low:+}") } else { format!("{low:+} to {high:+}") }
}
