//! A board in the browser: one page, and the engine as a process behind it.
//!
//! ```text
//!   browser <--HTTP--> http (host, origin) --> lobby --> visitor (a task each) <--UGI, pipes--> griot
//! ```
//!
//! This is an external front end. It uses nothing of the crate that it is built with: it knows the engine by `protocol.md`
//! alone, so any other program that speaks UGI as griot does can stand behind it. The page has no rules either; what is
//! legal, what the board is after a move and how a game ended is what the engine says.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program with a command line")]

mod assets;
#[path = "../shared/beside.rs"]
mod beside;
mod engine;
mod game;
mod http;
mod lobby;
mod visitor;
mod words;

use std::collections::HashSet;
use std::env;
use std::future::IntoFuture;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::sync::Arc;
use std::time::Duration;

use clap::Parser;
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, mpsc, watch};
use tokio::time::timeout;

use engine::Engine;
use http::Door;
use lobby::{Lobby, closes};
use visitor::House;

/// How long visitors and connections may take to end.
const CLOSING_PATIENCE: Duration = Duration::from_secs(3);

/// Serves a board on which griot is played in a browser
#[derive(Debug, Parser)]
#[command(name = "web_board")]
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
    /// How many visitors may have an engine at the same time
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=1000))]
    visitors: u16,
    /// The transposition table of each engine, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash: u32,
    /// An engine without a command for so long is ended; its game is kept
    #[arg(long, value_name = "SECONDS", default_value_t = 900.0, value_parser = seconds)]
    idle: f64,
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if (0.1..=1e7).contains(&number) => Ok(number),
        _ => Err("expected seconds, from 0.1 on".into()),
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    match serve(Args::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("web_board: {problem}");
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
    let listener = TcpListener::bind(args.listen).await.map_err(|error| format!("{}: {error}", args.listen))?;
    let address = listener.local_addr().map_err(|error| error.to_string())?;

    let (close, closing) = watch::channel(false);
    let (at_work, mut all_ended) = mpsc::channel(1);
    let house = House {
        program,
        hash: args.hash,
        idle: Duration::from_secs_f64(args.idle),
        seats: Arc::new(Semaphore::new(args.visitors.into())),
    };
    // Better to find out now than with the first visitor.
    let seat = Arc::clone(&house.seats).acquire_owned().await.map_err(|error| error.to_string())?;
    let engine = Engine::start(&house.program, seat).await.map_err(|fault| format!("no engine: {}", fault.0))?;
    let name = engine.name.clone();
    engine.quit().await;

    let door = Door {
        lobby: Lobby::new(house, closing, at_work),
        hosts: hosts(address, &args.allow_host),
        cookie: format!("griot_board_{}", address.port()),
    };
    let router = http::router(Arc::new(door));
    let mut closed = close.subscribe();
    let server = axum::serve(listener, router).with_graceful_shutdown(async move { closes(&mut closed).await });
    println!("{name} plays on http://{address}/ ; Ctrl-C ends it");
    let serving = tokio::spawn(server.into_future());
    end_of_service().await.map_err(|error| format!("no signals: {error}"))?;
    // News end, and every visitor tells its engine to quit.
    close.send_replace(true);
    // A connection that does not end is cut off with the process, and an engine ends with its input.
    let _ = timeout(CLOSING_PATIENCE, serving).await;
    let _ = timeout(CLOSING_PATIENCE, all_ended.recv()).await;
    Ok(())
}

/// Waits for Ctrl-C, or for whatever else tells a program to end.
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
    #[cfg(not(unix))]
    tokio::signal::ctrl_c().await
}

/// What a browser may call this server.
fn hosts(address: SocketAddr, further: &[String]) -> HashSet<String> {
    let mut names = vec!["localhost".to_owned(), "127.0.0.1".into(), "[::1]".into()];
    if !address.ip().is_unspecified() {
        names.push(match address.ip() {
            IpAddr::V4(ip) => ip.to_string(),
            IpAddr::V6(ip) => format!("[{ip}]"),
        });
    }
    let with_port = names.iter().map(|name| format!("{name}:{}", address.port()));
    // A browser does not say the port that is usual.
    let without = names.iter().filter(|_| address.port() == 80).cloned();
    with_port.chain(without).chain(further.iter().map(|host| host.to_ascii_lowercase())).collect()
}

/// The griot beside this program. Where cargo runs the program, cargo also brings the engine up to date first: it builds no
/// other program for an example.
fn own_engine() -> Result<PathBuf, String> {
    if let (Some(cargo), Some(manifest)) = (env::var_os("CARGO"), env::var_os("CARGO_MANIFEST_DIR")) {
        let profile = if cfg!(debug_assertions) { "dev" } else { "release" };
        let mut build = Command::new(cargo);
        build.args(["build", "--quiet", "--bin", "griot", "--profile", profile]).current_dir(manifest);
        match build.status() {
            Ok(status) if status.success() => {}
            Ok(status) => return Err(format!("the engine was not built: {status}")),
            Err(error) => return Err(format!("the engine was not built: {error}")),
        }
    }
    beside::griot_beside().map_err(|problem| format!("{problem}, or give --engine PATH"))
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
