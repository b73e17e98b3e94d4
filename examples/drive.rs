//! The shortest client: starts an engine, greets it, and lets it play a game against itself, with the standard library only.
//!
//! `cargo run --example drive` uses the griot built beside it; `cargo run --example drive -- ENGINE [ARGUMENT]...` any other.
#![allow(clippy::print_stdout)]

use std::io::{self, BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

struct Engine {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Engine {
    fn start(command: &mut Command) -> io::Result<Engine> {
        let spawned = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let hint = |error| io::Error::other(format!("{command:?}: {error}; build it, or name another engine"));
        let mut process = spawned.map_err(hint)?;
        let gone = || io::Error::other("the engine has no pipes");
        let input = process.stdin.take().ok_or_else(gone)?;
        let output = BufReader::new(process.stdout.take().ok_or_else(gone)?);
        Ok(Engine { process, input, output })
    }

    /// Sends a line, and reads up to the line that begins with `answer`: what follows that word there.
    fn ask(&mut self, line: &str, answer: &str) -> io::Result<String> {
        writeln!(self.input, "{line}")?;
        loop {
            let mut said = String::new();
            if self.output.read_line(&mut said)? == 0 {
                return Err(io::Error::other(format!("the engine ended before it answered '{line}' with '{answer}'")));
            }
            match said.trim_end().strip_prefix(answer) {
                Some(rest) => return Ok(rest.trim_start().to_owned()),
                None => println!("{}", said.trim_end()),
            }
        }
    }
}

fn main() -> io::Result<()> {
    let mut words = std::env::args_os().skip(1);
    let beside = || std::env::current_exe().map(|path| path.with_file_name("").join("../griot"));
    let program = words.next().map_or_else(beside, |path| Ok(PathBuf::from(path)))?;
    let mut engine = Engine::start(Command::new(program).args(words))?;
    engine.ask("ugi", "ugiok")?;
    engine.ask("setoption name Game value tictactoe\nuginewgame\nposition startpos\nisready", "readyok")?;
    let mut moves = String::new();
    while engine.ask("query gameover", "response")? == "false" {
        let best = engine.ask("go movetime 20", "bestmove")?;
        println!("{best} is played");
        moves += &format!(" {best}");
        engine.ask(&format!("position startpos moves{moves}\nisready"), "readyok")?;
    }
    println!("moves{moves}, result {}", engine.ask("query result", "response")?);
    writeln!(engine.input, "quit")?;
    engine.process.wait().map(|_| ())
}
