//! Lines for `griot analyse`: each gets one JSON object, in order. The command runs once and reads from a pipe; a known
//! good line follows each fuzzed one.

#![no_main]
#![allow(
    dead_code,
    unused_imports,
    unreachable_pub,
    reason = "all of the program is built in, and one command is used"
)]

#[path = "../../src/cli.rs"]
mod cli;
#[path = "../../src/commands/mod.rs"]
mod commands;

use std::io::{self, PipeWriter, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{LazyLock, Mutex};
use std::thread;
use std::time::Duration;

use clap::Parser;
use libfuzzer_sys::fuzz_target;

/// Writes whole lines into a channel.
struct Lines(Sender<Vec<u8>>, Vec<u8>);

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for byte in bytes {
            match byte {
                b'\n' => self.0.send(std::mem::take(&mut self.1)).map_err(|_| io::ErrorKind::BrokenPipe)?,
                byte => self.1.push(*byte),
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

static COMMAND: LazyLock<Mutex<(PipeWriter, Receiver<Vec<u8>>)>> = LazyLock::new(|| {
    let (reader, writer) = io::pipe().unwrap();
    rustix::stdio::dup2_stdin(&reader).unwrap();
    let (sender, answers) = channel();
    thread::spawn(move || {
        let words =
            "griot analyse --nodes 50 --option Hash=1 --option Tablebases=false --option OwnBook=false --jobs 1";
        let cli = cli::Cli::parse_from(words.split(' '));
        let done = commands::run(&cli, &mut Lines(sender, Vec::new()));
        panic!("griot analyse has ended: {:?}", done.map_err(|failure| failure.to_string()));
    });
    Mutex::new((writer, answers))
});

fuzz_target!(|bytes: &[u8]| {
    let line = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let (input, answers) = &mut *COMMAND.lock().unwrap();
    input.write_all(line).unwrap();
    input.write_all(b"\n{\"game\":\"nim:1\",\"id\":\"the last\"}\n").unwrap();
    let mut count = 0;
    loop {
        let answer = answers.recv_timeout(Duration::from_secs(60)).expect("an answer");
        let answer: serde_json::Value = serde_json::from_slice(&answer).expect("JSON");
        let object = answer.as_object().expect("an object");
        if object.get("id").is_some_and(|id| id == "the last") && object.contains_key("score") {
            break;
        }
        count += 1;
        assert!(count <= 1, "a line was answered twice");
    }
});
