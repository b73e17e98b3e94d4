//! The program on a terminal, which `script` (bsdutils) is to the program that it runs.

use std::io::{Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Instant;

use super::PATIENCE;

/// A program on a terminal, and somebody who types.
pub struct Terminal {
    child: Child,
    keys: Option<ChildStdin>,
    shown: Receiver<Vec<u8>>,
    /// What was shown and not yet looked at.
    text: String,
    /// What was looked at.
    seen: String,
}

impl Terminal {
    /// Starts griot; nothing where there is no `script`.
    pub fn start(arguments: &[&str], variables: &[(&str, &str)]) -> Option<Terminal> {
        Terminal::run(&format!("{} {}", env!("CARGO_BIN_EXE_griot"), arguments.join(" ")), variables)
    }

    /// Starts what a shell is told to run; nothing where there is no `script`.
    pub fn run(program: &str, variables: &[(&str, &str)]) -> Option<Terminal> {
        let mut command = Command::new("script");
        command.args(["-qec", program, "/dev/null"]).env_remove("NO_COLOR").env("TERM", "xterm").env("LC_ALL", "C");
        command.envs(variables.iter().copied()).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().ok()?;
        let mut screen = child.stdout.take().unwrap();
        let (sender, shown) = channel();
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = screen.read(&mut bytes) {
                if sender.send(bytes[..count].to_vec()).is_err() {
                    break;
                }
            }
        });
        Some(Terminal { keys: child.stdin.take(), child, shown, text: String::new(), seen: String::new() })
    }

    /// Presses keys.
    pub fn press(&mut self, keys: &str) {
        let stdin = self.keys.as_mut().unwrap();
        stdin.write_all(keys.as_bytes()).unwrap();
        stdin.flush().unwrap();
    }

    /// What is shown up to and with `part`.
    pub fn until(&mut self, part: &str) -> String {
        let end = Instant::now() + PATIENCE;
        loop {
            if let Some(at) = self.text.find(part) {
                let rest = self.text.split_off(at + part.len());
                let shown = std::mem::replace(&mut self.text, rest);
                self.seen.push_str(&shown);
                return shown;
            }
            match self.shown.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(bytes) => self.text.push_str(&String::from_utf8_lossy(&bytes)),
                Err(_) => panic!("'{part}' is not shown: {}", self.text.escape_debug()),
            }
        }
    }

    /// What has been looked at so far.
    pub fn seen(&self) -> &str {
        &self.seen
    }

    /// What is shown until the program has ended, which it does without more keys.
    pub fn rest(mut self) -> String {
        while let Ok(bytes) = self.shown.recv_timeout(PATIENCE) {
            self.text.push_str(&String::from_utf8_lossy(&bytes));
        }
        drop(self.keys.take());
        assert!(self.child.wait().unwrap().success(), "{}", self.text);
        self.text
    }
}
