//! `griot serve`: hands over to `griot-board`, which serves this engine over HTTP and WebSockets. Layer 6.
//!
//! A server needs a network, and so much more code than an engine: it is a program of its own.

use std::ffi::OsStr;
use std::io;
use std::path::PathBuf;
use std::process::Command;

use griot::message::Problem;

use super::Failure;
use crate::cli::{self, Cli};

const SERVER: &str = "griot-board";

pub(super) fn run(cli: &Cli, args: &cli::Serve) -> Result<(), Failure> {
    if cli.game.is_some() || cli.dialect.is_some() || !cli.options.is_empty() {
        let text = "serve: expected no options of the engine before 'serve'; each client sets them with setoption";
        return Err(Problem::new(text).into());
    }
    let engine = std::env::current_exe()?;
    let beside = engine.with_file_name(format!("{SERVER}{}", std::env::consts::EXE_SUFFIX));
    let program = if beside.is_file() { beside } else { PathBuf::from(SERVER) };
    let mut command = Command::new(program);
    if !args.arguments.iter().any(|argument| names_engine(argument)) {
        command.arg("--engine").arg(&engine);
    }
    let error = match hand_over(command.args(&args.arguments)) {
        Ok(never) => match never {},
        Err(error) => error,
    };
    let text = match error.kind() {
        io::ErrorKind::NotFound => format!(
            "serve: there is no {SERVER} beside griot, nor on the path; 'cargo install --path crates/{SERVER}' installs it"
        ),
        _ => format!("serve: {SERVER}: {error}"),
    };
    Err(Problem::new(text).into())
}

/// Whether the server is told of an engine already.
fn names_engine(argument: &OsStr) -> bool {
    argument.to_str().is_some_and(|text| text == "--engine" || text.starts_with("--engine="))
}

/// Becomes that program.
#[cfg(unix)]
fn hand_over(command: &mut Command) -> io::Result<std::convert::Infallible> {
    use std::os::unix::process::CommandExt;
    Err(command.exec())
}

/// Runs that program, and ends as it does. Ctrl-C reaches both: this one waits for the other to end.
#[cfg(not(unix))]
fn hand_over(command: &mut Command) -> io::Result<std::convert::Infallible> {
    ctrlc::set_handler(|| {}).map_err(io::Error::other)?;
    let mut child = command.spawn()?;
    // Closed by the end of this process, however that comes, and the other ends with it.
    #[cfg(windows)]
    let _job = job(&child);
    let status = child.wait()?;
    std::process::exit(status.code().unwrap_or(1))
}

/// A job with that process; a system that gives none leaves the process to itself.
#[cfg(windows)]
fn job(child: &std::process::Child) -> Option<win32job::Job> {
    let job = win32job::Job::create().ok()?;
    let mut limits = job.query_extended_limit_info().ok()?;
    limits.limit_kill_on_job_close();
    job.set_extended_limit_info(&limits).ok()?;
    job.assign_process(std::os::windows::io::AsRawHandle::as_raw_handle(child) as isize).ok()?;
    Some(job)
}
