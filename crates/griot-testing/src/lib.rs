//! What the integration tests of griot's packages share: a conversation with an engine in memory or in a process, the programs of the
//! workspace, folders for files, and globs.
//!
//! A dev-dependency of the packages, never published. Its functions panic where a test has to end.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "this code is part of tests"
)]

mod folder;
mod programs;
mod sample;
pub mod tactics;

use std::io::{BufRead, Write};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use griot::engine::Connection;
use griot::registry::Registry;
use griot::session::{Catalogue, Resources, Settings};
use griot_client::Process;

pub use folder::Folder;
pub use programs::{stdout_of, workspace, workspace_example, workspace_program};
pub use sample::{Cases, full_run, left_to_the_full_run, picked, rounds, sample};

/// Far beyond what any answer takes: a test that waits this long has hung.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// Where an engine is.
enum Engine {
    /// Here; nothing once its input was ended.
    Memory(Option<Box<dyn Write + Send>>),
    Process(Process),
}

/// One end of a conversation with an engine.
pub struct Talk {
    engine: Engine,
    lines: Receiver<String>,
    /// All that was said, for messages.
    pub log: Vec<String>,
}

impl Talk {
    /// With an engine in memory that knows every game.
    pub fn in_memory() -> Talk {
        Talk::with(&Registry)
    }

    /// With an engine in memory that knows the games of `catalogue`.
    pub fn with(catalogue: &'static (impl Catalogue + Sync)) -> Talk {
        Talk::with_resources(catalogue, Resources::new(Settings::default()).unwrap())
    }

    /// The same, with these resources.
    pub fn with_resources(catalogue: &'static (impl Catalogue + Sync), resources: Resources) -> Talk {
        let (connection, client) = Connection::memory().unwrap();
        thread::spawn(move || griot::engine::Engine::with_resources(catalogue, connection, resources).unwrap().run());
        let engine = Engine::Memory(Some(Box::new(client.input)));
        Talk { engine, lines: read_lines(client.output), log: Vec::new() }
    }

    /// With the program itself.
    pub fn process(arguments: &[&str]) -> Talk {
        Talk::with_program(&workspace_program("griot"), arguments)
    }

    /// With another program.
    pub fn with_program(program: &Path, arguments: &[&str]) -> Talk {
        Talk::with_command(Command::new(program).args(arguments))
    }

    /// With what this command starts.
    pub fn with_command(command: &mut Command) -> Talk {
        let (sender, lines) = channel();
        let process = Process::start(command.stderr(Stdio::null()), move |line| {
            // It goes on, so that the engine is not blocked by a test that has seen enough.
            drop(sender.send(line.text));
            true
        });
        Talk { engine: Engine::Process(process.unwrap()), lines, log: Vec::new() }
    }

    /// Sends text as it is; the caller ends the lines.
    pub fn send_raw(&mut self, bytes: &[u8]) {
        match &mut self.engine {
            Engine::Memory(input) => {
                let input = input.as_mut().expect("the input was ended");
                input.write_all(bytes).unwrap();
                input.flush().unwrap();
            }
            Engine::Process(process) => process.send_bytes(bytes).unwrap(),
        }
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) {
        self.log.push(format!("> {line}"));
        self.send_raw(format!("{line}\n").as_bytes());
    }

    /// Ends the input.
    pub fn end(&mut self) {
        match &mut self.engine {
            Engine::Memory(input) => *input = None,
            Engine::Process(process) => process.end_input(),
        }
    }

    /// The next line, or nothing when the output has ended.
    pub fn line(&mut self) -> Option<String> {
        match self.lines.recv_timeout(PATIENCE) {
            Ok(line) => {
                self.log.push(format!("< {line}"));
                Some(line)
            }
            Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => None,
            Err(std::sync::mpsc::RecvTimeoutError::Timeout) => panic!("no answer\n{}", self.log.join("\n")),
        }
    }

    /// The next line, which must match.
    pub fn expect(&mut self, glob: &str) -> String {
        let line = self.line().unwrap_or_else(|| panic!("expected '{glob}', found the end\n{}", self.log.join("\n")));
        assert!(matches(glob, &line), "expected '{glob}', found '{line}'\n{}", self.log.join("\n"));
        line
    }

    /// The lines up to and including the first that matches.
    pub fn until(&mut self, glob: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let line =
                self.line().unwrap_or_else(|| panic!("expected '{glob}', found the end\n{}", self.log.join("\n")));
            lines.push(line);
            if matches(glob, &lines[lines.len() - 1]) {
                return lines;
            }
        }
    }

    /// Sends a line and answers the line that comes back.
    pub fn ask(&mut self, line: &str) -> String {
        self.send(line);
        self.line().expect("an answer")
    }

    /// The lines that come within `time`.
    pub fn lines_within(&mut self, time: Duration) -> Vec<String> {
        let deadline = Instant::now() + time;
        let mut lines = Vec::new();
        while let Ok(line) = self.lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            self.log.push(format!("< {line}"));
            lines.push(line);
        }
        lines
    }

    /// Ends the input, and answers what is still said.
    pub fn rest(&mut self) -> Vec<String> {
        self.end();
        std::iter::from_fn(|| self.line()).collect()
    }

    /// Sends a signal to the process.
    #[cfg(unix)]
    pub fn signal(&self, name: &str) {
        signal(self.process_id(), name);
    }

    /// The number of the process.
    pub fn process_id(&self) -> u32 {
        let Engine::Process(process) = &self.engine else { panic!("an engine in memory is no process") };
        process.id()
    }

    /// Ends the input and waits for the process.
    pub fn exit_status(mut self) -> ExitStatus {
        self.rest();
        let Engine::Process(process) = &mut self.engine else { panic!("an engine in memory is no process") };
        process.wait(PATIENCE).expect("the process ends")
    }
}

fn read_lines(mut reader: impl BufRead + Send + 'static) -> Receiver<String> {
    let (sender, lines) = channel();
    thread::spawn(move || {
        let mut line = String::new();
        while reader.read_line(&mut line).unwrap_or(0) > 0 {
            let text = line.strip_suffix('\n').unwrap_or(&line).to_owned();
            line.clear();
            if sender.send(text).is_err() {
                // Go on reading, so that the engine is not blocked by a test that has seen enough.
                let _ = reader.read_to_end(&mut Vec::new());
                return;
            }
        }
    });
    lines
}

/// Sends a signal to a process.
#[cfg(unix)]
pub fn signal(process: u32, name: &str) {
    let sent = Command::new("kill").args([format!("-{name}"), process.to_string()]).stderr(Stdio::null()).status();
    assert!(sent.unwrap().success(), "{name} to {process}");
}

/// Whether `text` is what `glob` says, where `*` stands for anything.
pub fn matches(glob: &str, text: &str) -> bool {
    match glob.split_once('*') {
        None => glob == text,
        Some((before, after)) => text.strip_prefix(before).is_some_and(|rest| {
            (0..=rest.len()).filter(|&i| rest.is_char_boundary(i)).any(|i| matches(after, &rest[i..]))
        }),
    }
}

/// The value of a word of an info line: `word("info depth 3 nodes 7", "nodes")` is `7`.
pub fn word<'l>(line: &'l str, name: &str) -> Option<&'l str> {
    let mut words = line.split(' ');
    words.find(|word| *word == name)?;
    words.next()
}
