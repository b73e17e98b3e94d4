//! The griot program: the protocol loop, or a subcommand.
//!
//! Floor 6: wiring. Logs go to stderr, and only through `log`.

mod cli;
mod commands;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    let cli = cli::Cli::parse();
    env_logger::Builder::new().filter_level(cli.log_level).init();
    match commands::run(&cli, &mut io::stdout()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(commands::Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(failure) => {
            // Whoever typed the command is to see this, whatever the log level. A stderr that is gone is nobody's fault.
            let _ = writeln!(io::stderr(), "griot: {failure}");
            ExitCode::from(2)
        }
    }
}
