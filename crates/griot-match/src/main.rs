//! Plays matches and tournaments of engines of any dialect, refereed by griot's own rules. See `--help`.
//!
//! ```text
//!   args, spec ----> tournament ---- one thread per game at a time ----> game ----> engine (process), dialects
//!                        |  <------- finished games, one channel ---------  |----> referee (a griot session)
//!                        +----> standing, stats, record, export, page, live
//!
//!   args, spec ----> tune: pairs of games of an engine against itself, with other numbers in its words
//! ```
//!
//! Worker threads take the next opening and play both its games; the main thread counts, prints and records them, so each
//! record is one write of one thread. On Ctrl-C or another signal to end, the program kills the
//! engines and their child processes, and exits. `--resume` drops a last record that was cut off.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program with a command line")]

mod args;
mod command;
mod dialects;
mod engine;
mod export;
mod game;
mod limits;
mod live;
mod openings;
mod page;
mod record;
mod referee;
mod schedule;
mod spec;
mod standing;
mod stats;
mod tournament;
mod tune;
mod waiting;

use std::path::Path;
use std::process::{self, ExitCode};

use args::Args;
use export::Export;
use griot::registry::Registry;
use griot_records::{Hints, Reader};

/// The exit code after a signal to end, as a shell tells it.
const INTERRUPTED: i32 = 130;

fn main() -> ExitCode {
    let args = Args::read();
    let is_heard = ctrlc::set_handler(|| {
        griot_client::end_all();
        process::exit(INTERRUPTED)
    });
    if let Err(error) = is_heard {
        eprintln!("griot-match: cannot catch signals, so engines may go on when it is killed: {error}");
    }
    let result = match &args.replay {
        Some(path) => replay(&args, path),
        None if args.tune.is_empty() => tournament::run(&args).map(|()| ExitCode::SUCCESS),
        None => tune::run(&args).map(|()| ExitCode::SUCCESS),
    };
    result.unwrap_or_else(|problem| {
        eprintln!("griot-match: {problem}");
        ExitCode::from(2)
    })
}

/// Checks the records of a file, and writes those that are true elsewhere.
fn replay(args: &Args, path: &Path) -> Result<ExitCode, String> {
    let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    if griot_records::has_records(&bytes) {
        return replay_games(args, path, &bytes);
    }
    let replayed = record::replay(&griot_records::decode(&bytes));
    for file in &args.export {
        let game = replayed.good.first().map_or(args.game.as_str(), |record| &record.game);
        Export::begin(file, game, &replayed.good, false)?;
    }
    replayed.wrong.iter().for_each(|problem| eprintln!("{problem}"));
    println!("{} records, {} of them wrong", replayed.good.len() + replayed.wrong.len(), replayed.wrong.len());
    Ok(ExitCode::from(u8::from(!replayed.wrong.is_empty())))
}

/// Checks the games of a file of another format against the rules, and writes those that are legal elsewhere.
fn replay_games(args: &Args, path: &Path, bytes: &[u8]) -> Result<ExitCode, String> {
    let name = path.display().to_string();
    let hints = Hints { game: None, on_board: Some(&args.game), file_name: &name };
    let (mut good, mut wrong) = (Vec::new(), 0_usize);
    Reader::new(&Registry).read_file(bytes, &hints, &|_| None, &mut |found| {
        match found {
            Ok(record) => good.push(record),
            Err(fault) => {
                wrong += 1;
                eprintln!("{name}: {fault}");
            }
        }
        true
    });
    for file in &args.export {
        Export::of_games(file, &good)?;
    }
    println!("{} records, {wrong} of them wrong", good.len() + wrong);
    Ok(ExitCode::from(u8::from(wrong > 0)))
}
