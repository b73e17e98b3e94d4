//! The shortest client: starts an engine, greets it, and lets it play a game against itself.
//!
//! `cargo run --example drive` uses the griot built beside it; `cargo run --example drive -- ENGINE [ARGUMENT]...` any other.
#![allow(clippy::print_stdout)]

use std::error::Error;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use griot_client::{Client, griot_beside};

/// Longer than any answer takes.
const PATIENCE: Duration = Duration::from_secs(60);

/// Sends a line, reads up to the line that begins with `answer`, and returns the rest of that line.
fn ask(engine: &mut Client, line: &str, answer: &str) -> Result<String, Box<dyn Error>> {
    // If the engine has ended, reading fails below.
    let _ = engine.send(line);
    loop {
        let said = engine.line(Instant::now() + PATIENCE);
        let said = said.map_err(|silence| format!("the engine did not answer '{line}' with '{answer}': {silence}"))?;
        match said.text.trim_end().strip_prefix(answer) {
            Some(rest) => return Ok(rest.trim_start().to_owned()),
            None => println!("{}", said.text.trim_end()),
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args_os().skip(1);
    let program = words.next().map_or_else(griot_beside, |path| Ok(PathBuf::from(path)))?;
    let mut command = Command::new(program);
    let hint = |error| format!("{error}; build it, or name another engine");
    let mut engine = Client::start(command.args(words)).map_err(hint)?;
    ask(&mut engine, "ugi", "ugiok")?;
    ask(&mut engine, "setoption name Game value tictactoe\nuginewgame\nposition startpos\nisready", "readyok")?;
    let mut moves = String::new();
    while ask(&mut engine, "query gameover", "response")? == "false" {
        let best = ask(&mut engine, "go movetime 20", "bestmove")?;
        println!("{best} is played");
        moves += &format!(" {best}");
        ask(&mut engine, &format!("position startpos moves{moves}\nisready"), "readyok")?;
    }
    println!("moves{moves}, result {}", ask(&mut engine, "query result", "response")?);
    engine.quit(PATIENCE);
    Ok(())
}
