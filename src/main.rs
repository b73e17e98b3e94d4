//! The griot program: the protocol loop, or a subcommand.
//!
//! Layer 6: wiring. Logs go to stderr, and only through `log`.

mod cli;
mod commands;

use std::io::{self, Write};
use std::process::{self, ExitCode};

use clap::Parser;

/// The exit code of a command line that cannot be carried out.
const WRONG: u8 = 2;

/// Shown to the user whatever the log level. A closed stderr is no reason to stop.
fn complain(text: &str) {
    let _ = writeln!(io::stderr(), "griot: {text}");
}

fn main() -> ExitCode {
    griot::memory::share_heaps();
    let cli = cli::Cli::try_parse().unwrap_or_else(|error| match commands::game_for_subcommand(&error) {
        Some(hint) => {
            complain(&hint);
            process::exit(WRONG.into())
        }
        None => error.exit(),
    });
    env_logger::Builder::new().filter_level(cli.log_level).init();
    match commands::run(&cli, &mut io::stdout()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(commands::Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(failure) => {
            complain(&failure.to_string());
            ExitCode::from(WRONG)
        }
    }
}
