//! Matches and tournaments of engines of any dialect, refereed by griot's own rules. `--help` teaches how to play one.
//!
//! ```text
//!   args, spec ----> tournament ---- one thread per game at a time ----> game ----> engine (process), dialects
//!                        |  <------- finished games, one channel ---------  |----> referee (a griot session)
//!                        +----> standing, stats, record
//! ```
//!
//! The threads take the next opening, play both games of it, and send them; the main one books, prints and records them, so a
//! line of the record is written by one write of one thread. Ctrl-C ends the program between two such lines, and the
//! engines, whose input ends with it.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program with a command line")]

mod args;
mod command;
mod dialects;
mod engine;
mod game;
mod limits;
mod openings;
mod record;
mod referee;
mod schedule;
mod spec;
mod standing;
mod stats;
mod tournament;
mod waiting;

use std::process::ExitCode;

use args::Args;

fn main() -> ExitCode {
    let args = Args::read();
    let result = match &args.replay {
        Some(path) => {
            std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display())).map(|text| {
                let (count, wrong) = record::replay(&text);
                wrong.iter().for_each(|problem| eprintln!("{problem}"));
                println!("{count} records, {} of them not true", wrong.len());
                ExitCode::from(u8::from(!wrong.is_empty()))
            })
        }
        None => tournament::run(&args).map(|()| ExitCode::SUCCESS),
    };
    result.unwrap_or_else(|problem| {
        eprintln!("griot-match: {problem}");
        ExitCode::from(2)
    })
}
