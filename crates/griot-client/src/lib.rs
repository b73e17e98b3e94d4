//! An engine as a process at the other end of two pipes: lines to its stdin, lines from its stdout, every wait with a timeout.
//!
//! The match runner, griot-board, tests and benchmarks use it. It knows no protocol.
//! [`Process`] hands each line to a function; [`Client`] puts them into a channel and waits.
//!
//! A thread reads the lines and stamps each with its time of arrival. If the receiver stops taking lines, the thread waits, and
//! so does an engine that floods its output. Dropping a [`Process`] kills it and all that it has started, and reaps it.
//!
//! ```no_run
//! use std::process::Command;
//! use std::time::Duration;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut engine = griot_client::Client::start(Command::new("griot").args(["--game", "tictactoe"]))?;
//! engine.send("position startpos\ngo movetime 100")?;
//! println!("{}", engine.answer("bestmove", Duration::from_secs(10))?);
//! # Ok(())
//! # }
//! ```

mod group;

use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use group::Group;
pub use group::end_all;

/// The longest line of an engine, in bytes.
pub const LONGEST_LINE: u64 = 1 << 20;
/// Bound of unread lines of a [`Client`]; an engine that is further ahead waits.
const LINES_AHEAD: usize = 1024;
/// How often to check whether a process has ended.
const LOOK: Duration = Duration::from_millis(2);

/// A line of an engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Its time of arrival.
    pub came: Instant,
    /// The line without its end; invalid bytes are replaced. Only the beginning of a line longer than [`LONGEST_LINE`].
    pub text: String,
    /// Whether it was cut.
    pub is_too_long: bool,
}

/// Why there is no line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Silence {
    /// None came in time.
    Late,
    /// The engine closed its output, with this exit status if it has ended.
    Ended(Option<ExitStatus>),
}

impl std::fmt::Display for Silence {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Silence::Late => f.write_str("no answer"),
            Silence::Ended(Some(status)) => write!(f, "it ended, {status}"),
            Silence::Ended(None) => f.write_str("it closed its pipes"),
        }
    }
}

impl std::error::Error for Silence {}

/// A running engine.
#[derive(Debug)]
pub struct Process {
    child: Child,
    group: Group,
    /// `None` once its input was closed.
    input: Option<ChildStdin>,
}

impl Process {
    /// Starts `command` with pipes; its stderr is the caller's choice. `hear` is called for every line, on a thread of its own,
    /// until it returns `false` or the output ends; then it is dropped.
    ///
    /// # Errors
    /// When the program cannot be started, or there is no thread to read its lines.
    pub fn start(command: &mut Command, hear: impl FnMut(Line) -> bool + Send + 'static) -> io::Result<Process> {
        Group::prepare(command);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let group = Group::of(&child);
        // From here on the process is reaped when `process` is dropped.
        let process = Process { child, group, input };
        let output = output.ok_or_else(|| io::Error::other("it has no pipes"))?;
        thread::Builder::new().name("engine output".into()).spawn(move || read_lines(output, hear))?;
        Ok(process)
    }

    /// The number of the process.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends a line, or several with line ends between them; the last line end is added.
    ///
    /// # Errors
    /// If the engine has ended, or its input was closed.
    pub fn send(&mut self, line: &str) -> io::Result<()> {
        self.send_bytes(format!("{line}\n").as_bytes())
    }

    /// Sends bytes as they are.
    ///
    /// # Errors
    /// As [`Process::send`].
    pub fn send_bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        let input = self.input.as_mut().ok_or_else(|| io::Error::other("its input was ended"))?;
        input.write_all(bytes)?;
        input.flush()
    }

    /// Its input, for writing from another thread; dropping it closes it. `None` if it was taken or closed before.
    pub fn take_input(&mut self) -> Option<ChildStdin> {
        self.input.take()
    }

    /// Closes its input.
    pub fn end_input(&mut self) {
        self.input = None;
    }

    /// Its exit status, if it has ended.
    pub fn exit_status(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().ok().flatten().inspect(|_| self.group.kill())
    }

    /// Waits until it ends, but no longer than `patience`.
    pub fn wait(&mut self, patience: Duration) -> Option<ExitStatus> {
        let deadline = Instant::now() + patience;
        loop {
            match self.exit_status() {
                None if Instant::now() < deadline => thread::sleep(LOOK),
                status => return status,
            }
        }
    }

    /// Waits until it ends, however long that takes.
    ///
    /// # Errors
    /// If the system reports an error.
    pub fn join(&mut self) -> io::Result<ExitStatus> {
        self.child.wait().inspect(|_| self.group.kill())
    }

    /// Closes its input and kills the process, and what it has started.
    pub fn kill(&mut self) {
        self.end_input();
        self.group.kill();
        // A process that is gone already need not be killed.
        let _ = self.child.kill();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
        let _ = self.child.wait();
    }
}

fn read_lines(output: ChildStdout, mut hear: impl FnMut(Line) -> bool) {
    let mut output = BufReader::new(output);
    loop {
        let mut bytes = Vec::new();
        let read = output.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes);
        let came = Instant::now();
        if !read.is_ok_and(|length| length > 0) {
            return;
        }
        let is_whole = bytes.pop_if(|last| *last == b'\n').is_some();
        let is_too_long = !is_whole && bytes.len() as u64 == LONGEST_LINE;
        let text =
            String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
        if !hear(Line { came, text, is_too_long }) {
            return;
        }
    }
}

/// A running engine whose lines are queued.
#[derive(Debug)]
pub struct Client {
    process: Process,
    lines: Receiver<Line>,
}

impl Client {
    /// Starts `command`, as [`Process::start`] does.
    ///
    /// # Errors
    /// When the program cannot be started, or there is no thread to read its lines.
    pub fn start(command: &mut Command) -> io::Result<Client> {
        let (sender, lines) = sync_channel(LINES_AHEAD);
        let process = Process::start(command, move |line| sender.send(line).is_ok())?;
        Ok(Client { process, lines })
    }

    /// The process.
    pub fn process(&mut self) -> &mut Process {
        &mut self.process
    }

    /// Sends a line, as [`Process::send`] does.
    ///
    /// # Errors
    /// When the engine is gone, or its input was closed.
    pub fn send(&mut self, line: &str) -> io::Result<()> {
        self.process.send(line)
    }

    /// The next line, if it comes by `deadline`.
    ///
    /// # Errors
    /// If there is none.
    pub fn line(&mut self, deadline: Instant) -> Result<Line, Silence> {
        match self.lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(line) => Ok(line),
            Err(RecvTimeoutError::Timeout) => Err(Silence::Late),
            Err(RecvTimeoutError::Disconnected) => Err(self.ended()),
        }
    }

    /// Reads up to the line that begins with `word`; returns what follows the word.
    ///
    /// # Errors
    /// When no such line comes within `patience`.
    pub fn answer(&mut self, word: &str, patience: Duration) -> Result<String, Silence> {
        let deadline = Instant::now() + patience;
        loop {
            if let Some(rest) = self.line(deadline)?.text.strip_prefix(word) {
                return Ok(rest.trim().to_owned());
            }
        }
    }

    /// Why an engine whose output is closed sends nothing.
    pub fn ended(&mut self) -> Silence {
        Silence::Ended(self.process.wait(Duration::from_millis(500)))
    }

    /// Sends stop and quit, and waits this long for the engine to end.
    pub fn quit(self, patience: Duration) {
        self.end("stop\nquit", patience);
    }

    /// Sends these commands of its protocol, and waits this long for the engine to end.
    pub fn end(mut self, farewell: &str, patience: Duration) {
        // It may have ended already.
        let _ = self.send(farewell);
        self.process.end_input();
        let _ = self.process.wait(patience);
    }
}

/// The griot beside this program, or in the folder above, where cargo puts it for examples.
///
/// # Errors
/// When there is none.
pub fn griot_beside() -> Result<PathBuf, String> {
    let here = std::env::current_exe().map_err(|error| format!("this program does not know where it is: {error}"))?;
    let name = format!("griot{}", std::env::consts::EXE_SUFFIX);
    let candidates = here.ancestors().skip(1).take(2).map(|directory| directory.join(&name));
    let found = candidates.into_iter().find(|path| path.is_file());
    found.ok_or_else(|| "there is no griot beside this program; build it with 'cargo build' in the same profile".into())
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    const PATIENCE: Duration = Duration::from_secs(60);

    fn shell(script: &str) -> Client {
        Client::start(Command::new("sh").args(["-c", script])).unwrap()
    }

    fn next(client: &mut Client) -> Result<Line, Silence> {
        client.line(Instant::now() + PATIENCE)
    }

    #[test]
    fn lines_come_as_they_were_said_and_answers_are_what_follows_their_word() {
        let mut client = shell("cat");
        client.send("one\r\ntwo  \nbest c3 d4 \nlast").unwrap();
        assert_eq!(next(&mut client).unwrap().text, "one\r");
        assert_eq!(client.answer("best", PATIENCE), Ok("c3 d4".into()));
        assert_eq!(next(&mut client).unwrap().text, "last");
    }

    #[test]
    fn an_engine_that_says_nothing_is_late_and_one_that_ended_says_how() {
        let mut client = shell("read line; exit 3");
        assert_eq!(client.line(Instant::now()), Err(Silence::Late));
        client.send("go").unwrap();
        let silence = next(&mut client).unwrap_err();
        assert!(matches!(silence, Silence::Ended(Some(status)) if status.code() == Some(3)), "{silence}");
    }

    #[test]
    fn the_last_line_needs_no_end_and_a_line_without_end_is_cut() {
        let mut client = shell("printf 'a\\nb'; exec 1>&-; cat >/dev/null");
        assert_eq!([next(&mut client).unwrap().text, next(&mut client).unwrap().text], ["a", "b"]);
        let mut client = shell("head -c 3000000 /dev/zero");
        let line = next(&mut client).unwrap();
        assert!(line.is_too_long && line.text.len() as u64 == LONGEST_LINE);
    }

    #[test]
    fn what_is_dropped_is_gone() {
        let client = shell("exec sleep 600");
        let id = client.process.id();
        let is_there = || std::path::Path::new(&format!("/proc/{id}")).exists();
        assert!(!cfg!(target_os = "linux") || is_there());
        drop(client);
        assert!(!is_there());
    }

    /// What an engine has started, as wrappers in shell do, ends with it: when it is dropped, when it is killed, when it ends.
    #[cfg(target_os = "linux")]
    #[test]
    fn what_an_engine_has_started_ends_with_it() {
        for (end, script) in [
            ("drop", "sleep 600 & echo $!; exec cat >/dev/null"),
            ("kill", "sleep 600 & echo $!; exec cat >/dev/null"),
            ("by itself", "sleep 600 >/dev/null & echo $!; read line"),
        ] {
            let mut client = shell(script);
            let id = next(&mut client).unwrap().text;
            // What is killed stays a zombie until its new parent looks.
            let runs = || {
                let status = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
                !status.is_empty() && !status.contains(") Z ")
            };
            assert!(runs(), "{end}");
            match end {
                "kill" => client.process().kill(),
                "by itself" => {
                    client.send("end").unwrap();
                    assert!(client.process().wait(PATIENCE).is_some());
                }
                _ => drop(client),
            }
            let deadline = Instant::now() + PATIENCE;
            while runs() {
                assert!(Instant::now() < deadline, "{end}: it goes on");
                thread::sleep(LOOK);
            }
        }
    }

    #[test]
    fn quit_lets_it_end_by_itself() {
        let folder = std::env::temp_dir().join(format!("griot-client-{}", std::process::id()));
        let script = format!("while read line; do echo $line >>'{}'; done", folder.display());
        shell(&script).quit(PATIENCE);
        let told = std::fs::read_to_string(&folder);
        std::fs::remove_file(&folder).unwrap();
        assert_eq!(told.unwrap(), "stop\nquit\n");
    }
}
