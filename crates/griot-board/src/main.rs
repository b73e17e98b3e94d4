//! A board in the browser: one page, and the engine as a process behind it.
//!
//! ```text
//!   browser <--HTTP--> connections --> http (host, origin) --> lobby --> visitor (a task each) <--UGI, pipes--> griot
//!   a board of others <--WebSocket-->                      --> socket (an engine each) <--lines of the protocol--> griot
//! ```
//!
//! An external front end: it knows the engine only by `protocol.md`, so any program that speaks the same UGI can replace
//! it. Of the crate `griot` it uses the rules, to read and write game records (`records`). The page has no rules: legal
//! moves, boards and results come from the engine.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program with a command line")]

mod assets;
mod clock;
mod connections;
mod engine;
mod game;
mod http;
mod lobby;
mod openings;
mod records;
mod seats;
mod socket;
mod visitor;
mod words;

use std::collections::HashSet;
use std::env;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::sync::Arc;
use std::time::Duration;

use clap::Parser;
use griot_client::griot_beside;
use tokio::net::TcpListener;
use tokio::sync::{Mutex, Semaphore, mpsc, watch};
use tokio::time::timeout;

use connections::Limits;
use engine::Engine;
use http::Door;
use lobby::Lobby;
use seats::Seats;
use socket::Share;
use visitor::Shared;
use words::GameName;

/// How long visitors and connections may take to end.
const CLOSING_PATIENCE: Duration = Duration::from_secs(3);
/// With fewer connections a browser could not load a second page.
const LEAST_CONNECTIONS: usize = 16;
/// Open files besides connections: those of the server and of starting an engine, and those of each engine, including a
/// WebSocket.
const FILES: (usize, usize) = (32, 5);

/// Serves a board on which griot is played in a browser
#[derive(Debug, Parser)]
#[command(name = "griot-board", bin_name = "griot-board")]
struct Args {
    /// Where to listen; another address than a loopback one needs --allow-host
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8017")]
    listen: SocketAddr,
    /// The engine, a program that speaks UGI; default: the griot built beside this program
    #[arg(long, value_name = "PATH")]
    engine: Option<PathBuf>,
    /// A further name, with its port if it has one, under which browsers find this server; may be repeated
    #[arg(long, value_name = "HOST[:PORT]")]
    allow_host: Vec<String>,
    /// A further origin whose pages may use an engine over a WebSocket; "null" is a page opened as a file; may be repeated
    #[arg(long, value_name = "SCHEME://HOST[:PORT]", value_parser = origin)]
    allow_origin: Vec<String>,
    /// How many visitors and WebSockets may have an engine at the same time
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = whole::<u16>(1, 1000))]
    visitors: u16,
    /// The transposition table of each engine, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 16, value_parser = whole::<u32>(1, 65_536))]
    hash: u32,
    /// The most threads that an engine behind a WebSocket may search with
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u32>(1, 256))]
    threads: u32,
    /// An engine without a command for so long is ended; the page's game is kept
    #[arg(long, value_name = "SECONDS", default_value_t = 900.0, value_parser = seconds)]
    idle: f64,
    /// Connections at the same time, fewer if the system allows fewer open files; default: 64, and 8 for each of --visitors
    #[arg(long, value_name = "N", value_parser = whole::<u32>(LEAST_CONNECTIONS as u64, 65_536))]
    connections: Option<u32>,
    /// The head of a request must be there after so long, and its body after so long again
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0, value_parser = seconds)]
    patience: f64,
}

/// Parses a whole number in a range; the error says what is accepted.
fn whole<T: TryFrom<u64>>(least: u64, most: u64) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static {
    move |text| {
        let number = text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten();
        let number =
            number.filter(|number| (least..=most).contains(number)).and_then(|number| T::try_from(number).ok());
        number.ok_or_else(|| format!("expected a whole number from {least} to {most}"))
    }
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if (0.1..=1e7).contains(&number) => Ok(number),
        _ => Err("expected seconds, from 0.1 on".into()),
    }
}

/// Parses an origin as browsers write it, or "null".
fn origin(text: &str) -> Result<String, String> {
    let host = text.strip_prefix("http://").or_else(|| text.strip_prefix("https://"));
    let is_host = |host: &str| !host.is_empty() && !host.contains(|c: char| c == '/' || c == '*' || c.is_whitespace());
    if text == "null" || host.is_some_and(is_host) {
        Ok(text.to_ascii_lowercase())
    } else {
        Err("expected null, or http:// or https:// with a host and nothing behind it".into())
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    match serve(Args::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("griot-board: {problem}");
            ExitCode::from(2)
        }
    }
}

async fn serve(args: Args) -> Result<(), String> {
    if !args.listen.ip().is_loopback() && args.allow_host.is_empty() {
        return Err(format!("--listen {}: say with --allow-host by what name browsers reach this", args.listen));
    }
    let program = match args.engine {
        Some(program) => program,
        None => own_engine()?,
    };
    let visitors = usize::from(args.visitors);
    let connections =
        room(args.connections.map_or(64 + 8 * visitors, |wanted| wanted as usize), visitors, open_files())?;
    let limits = Limits { connections, patience: Duration::from_secs_f64(args.patience) };
    let listener = TcpListener::bind(args.listen).await.map_err(|error| format!("{}: {error}", args.listen))?;
    let address = listener.local_addr().map_err(|error| error.to_string())?;

    let (close, closing) = watch::channel(false);
    let (at_work, mut all_ended) = mpsc::channel(1);
    // Check the engine at the start, not with the first visitor.
    let no_engine = |fault: engine::Fault| format!("no engine: {}", fault.0);
    let mut engine = Engine::start(&program).await.map_err(no_engine)?;
    let (name, game) = (engine.name.clone(), first_game(&engine.game)?);
    let menu = engine.menu().await.map_err(no_engine)?;
    engine.quit().await;
    let idle = Duration::from_secs_f64(args.idle);
    let shared =
        Shared { program, game, hash: args.hash, idle, seats: Seats::new(visitors), describer: Mutex::default() };

    let door = Door {
        lobby: Lobby::new(shared, visitors, closing.clone(), at_work),
        hosts: hosts(address, &args.allow_host),
        origins: args.allow_origin.into_iter().collect(),
        share: Share { hash: args.hash, threads: args.threads },
        cookie: format!("griot_board_{}", address.port()),
        patience: limits.patience,
        pages: Arc::new(Semaphore::new(connections / 4 * 3)),
        conversions: Arc::new(Semaphore::new(http::CONVERSIONS)),
        menu,
    };
    let router = http::router(Arc::new(door));
    println!(
        "{name} plays on http://{address}/ ; boards of others use ws://{address}{} ; Ctrl-C ends it",
        socket::PATH
    );
    let serving = tokio::spawn(connections::serve(listener, router, limits, closing));
    end_of_service().await.map_err(|error| format!("cannot catch signals: {error}"))?;
    // Event streams end, and every visitor quits its engine.
    close.send_replace(true);
    // Connections that remain are cut when the process ends, and engines end with their input.
    let _ = timeout(CLOSING_PATIENCE, serving).await;
    let _ = timeout(CLOSING_PATIENCE, all_ended.recv()).await;
    Ok(())
}

/// The game of a new visitor: the engine's default.
fn first_game(told: &str) -> Result<GameName, String> {
    let name = if told.is_empty() { "awale" } else { told };
    GameName::new(name).map_err(|refusal| format!("no engine: its game is '{name}': {}", refusal.detail))
}

/// Waits for Ctrl-C or another signal to end.
async fn end_of_service() -> std::io::Result<()> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let mut terminated = signal(SignalKind::terminate())?;
        let mut hung_up = signal(SignalKind::hangup())?;
        tokio::select! {
            done = tokio::signal::ctrl_c() => done,
            _ = terminated.recv() => Ok(()),
            _ = hung_up.recv() => Ok(()),
        }
    }
    #[cfg(windows)]
    {
        use tokio::signal::windows::{ctrl_break, ctrl_close, ctrl_shutdown};
        let (mut broken, mut closed, mut shut_down) = (ctrl_break()?, ctrl_close()?, ctrl_shutdown()?);
        tokio::select! {
            done = tokio::signal::ctrl_c() => done,
            _ = broken.recv() => Ok(()),
            _ = closed.recv() => Ok(()),
            _ = shut_down.recv() => Ok(()),
        }
    }
}

/// The limit of open files of this process.
fn open_files() -> usize {
    #[cfg(unix)]
    if let Some(most) = rustix::process::getrlimit(rustix::process::Resource::Nofile).current {
        return usize::try_from(most).unwrap_or(usize::MAX);
    }
    usize::MAX
}

/// The number of connections that fit.
///
/// # Errors
/// When too few fit for a page.
fn room(wanted: usize, visitors: usize, files: usize) -> Result<usize, String> {
    let others = FILES.0 + FILES.1 * visitors;
    let most = files.saturating_sub(others);
    if most < LEAST_CONNECTIONS {
        let needed = others + LEAST_CONNECTIONS;
        return Err(format!("--visitors {visitors} needs {needed} open files, the system allows {files} (ulimit -n)"));
    }
    Ok(wanted.min(most))
}

/// The allowed values of `Host`.
fn hosts(address: SocketAddr, further: &[String]) -> HashSet<String> {
    let mut names = vec!["localhost".to_owned(), "127.0.0.1".into(), "[::1]".into()];
    if !address.ip().is_unspecified() {
        names.push(match address.ip() {
            IpAddr::V4(ip) => ip.to_string(),
            IpAddr::V6(ip) => format!("[{ip}]"),
        });
    }
    let with_port = names.iter().map(|name| format!("{name}:{}", address.port()));
    // Browsers omit the default port.
    let without = names.iter().filter(|_| address.port() == 80).cloned();
    with_port.chain(without).chain(further.iter().map(|host| host.to_ascii_lowercase())).collect()
}

/// The griot beside this program. Under `cargo run` it is built first, as cargo builds only the program that it runs.
fn own_engine() -> Result<PathBuf, String> {
    if let (Some(cargo), Some(manifest)) = (env::var_os("CARGO"), env::var_os("CARGO_MANIFEST_DIR")) {
        let profile = if cfg!(debug_assertions) { "dev" } else { "release" };
        let mut build = Command::new(cargo);
        // The workspace root, so that the build output is shared.
        let root = PathBuf::from(manifest).join("../..");
        build.args(["build", "--quiet", "--bin", "griot", "--profile", profile]).current_dir(root);
        match build.status() {
            Ok(status) if status.success() => {}
            Ok(status) => return Err(format!("the engine was not built: {status}")),
            Err(error) => return Err(format!("the engine was not built: {error}")),
        }
    }
    griot_beside().map_err(|problem| format!("{problem}, or give --engine PATH"))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        Args::command().debug_assert();
        for wrong in ["x --listen localhost", "x --visitors 0", "x --hash 0", "x --idle 0", "x --idle NaN"] {
            assert!(Args::try_parse_from(wrong.split(' ')).is_err(), "{wrong}");
        }
        assert!(Args::parse_from(["x"]).listen.ip().is_loopback());
        for right in ["null", "https://Board.Example", "http://localhost:8000"] {
            assert_eq!(origin(right), Ok(right.to_ascii_lowercase()));
        }
        for wrong in ["*", "", "board.example", "https://", "https://*", "https://a/", "file://", "http://a b"] {
            assert!(origin(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn connections_leave_files_for_engines() {
        assert_eq!(room(128, 8, usize::MAX), Ok(128));
        assert_eq!(room(128, 8, 100), Ok(28));
        assert!(room(128, 8, 70).unwrap_err().contains("needs 88 open files"));
    }

    #[test]
    fn a_server_goes_by_its_own_names_only() {
        let names = |address: &str, further: &[&str]| {
            hosts(address.parse().unwrap(), &further.iter().map(|&host| host.to_owned()).collect::<Vec<_>>())
        };
        let local = names("127.0.0.1:8017", &[]);
        assert!(["localhost:8017", "127.0.0.1:8017", "[::1]:8017"].iter().all(|host| local.contains(*host)));
        assert!(["localhost", "localhost:80", "evil.example:8017", ""].iter().all(|host| !local.contains(*host)));
        let open = names("0.0.0.0:80", &["Board.Example"]);
        assert!(open.contains("board.example") && open.contains("localhost") && !open.contains("0.0.0.0"));
    }
}
