//! The two ends of a connection: stdin and stdout, or a pair in memory for tests.
//!
//! Layer 5. Bytes become text here; invalid UTF-8 and overlong lines are passed on as bad lines, cut to their beginning. Where
//! the system reports it, an [`Output`] knows whether its reader has room and whether it is gone.

#[cfg(unix)]
use std::fs::File;
use std::io::{self, BufRead, BufReader, PipeReader, PipeWriter, Write};
#[cfg(unix)]
use std::os::fd::{AsFd, OwnedFd};
#[cfg(unix)]
use std::thread;

#[cfg(unix)]
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::encoding::Utf8Reader;
use crate::message::Problem;

/// The longest line in bytes, without its end.
const LONGEST_LINE: usize = 1 << 20;
/// Bytes kept of a longer line: enough to recognise its command.
const KEPT_OF_LONGER: usize = 1 << 10;
/// `PIPE_BUF` in bytes: what can be written at once to an output that reports room.
#[cfg(unix)]
const SURE_ROOM: usize = if cfg!(target_os = "linux") { 4096 } else { 512 };

/// A line that is not valid text.
#[derive(Debug, PartialEq, Eq)]
pub struct BadLine {
    /// Its valid beginning.
    pub beginning: String,
    /// The error, with its column.
    pub problem: Problem,
}

/// The input and output of an engine.
pub struct Connection {
    pub(super) input: Box<dyn BufRead + Send>,
    pub(super) output: Output,
}

/// The other end of a [`Connection`] in memory.
#[derive(Debug)]
pub struct Client {
    /// Where commands go; drop it to end the input.
    pub input: PipeWriter,
    /// Where replies come from.
    pub output: BufReader<PipeReader>,
}

impl Connection {
    /// Stdin and stdout.
    #[must_use]
    pub fn stdio() -> Connection {
        Connection { input: Box::new(Utf8Reader::new(BufReader::new(io::stdin()))), output: Output::stdout() }
    }

    /// Any input and output.
    pub fn new(input: impl BufRead + Send + 'static, output: impl Write + Send + 'static) -> Connection {
        Connection { input: Box::new(input), output: Output::Any(Box::new(output)) }
    }

    /// A connection without a process, and its other end.
    ///
    /// # Errors
    /// When the system has no pipes left.
    pub fn memory() -> io::Result<(Connection, Client)> {
        let (engine_reads, client_writes) = io::pipe()?;
        let (client_reads, engine_writes) = io::pipe()?;
        #[cfg(unix)]
        let output = Output::Pipe(File::from(OwnedFd::from(engine_writes)));
        #[cfg(not(unix))]
        let output = Output::Any(Box::new(engine_writes));
        let connection = Connection { input: Box::new(BufReader::new(engine_reads)), output };
        Ok((connection, Client { input: client_writes, output: BufReader::new(client_reads) }))
    }
}

/// Where lines are written.
pub(super) enum Output {
    /// An output that reports whether its reader has room: a pipe, a terminal, a socket, a file.
    #[cfg(unix)]
    Pipe(File),
    /// Any other output; writing may block.
    Any(Box<dyn Write + Send>),
}

impl Output {
    #[cfg(unix)]
    fn stdout() -> Output {
        match io::stdout().as_fd().try_clone_to_owned() {
            Ok(stdout) => Output::Pipe(File::from(stdout)),
            Err(_) => Output::Any(Box::new(io::stdout())),
        }
    }

    #[cfg(not(unix))]
    fn stdout() -> Output {
        Output::Any(Box::new(io::stdout()))
    }

    /// Writes what can be written without blocking; returns how much.
    pub(super) fn write_now(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            #[cfg(unix)]
            Output::Pipe(pipe) => {
                let mut written = 0;
                while written < bytes.len() && is_ready(pipe)? {
                    let part = &bytes[written..bytes.len().min(written + SURE_ROOM)];
                    pipe.write_all(part)?;
                    written += part.len();
                }
                Ok(written)
            }
            // It does not report room: all of it is for the thread that may block.
            Output::Any(_) => {
                let _ = bytes;
                Ok(0)
            }
        }
    }

    /// Writes everything; blocks as long as the reader needs.
    pub(super) fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            #[cfg(unix)]
            Output::Pipe(pipe) => pipe.write_all(bytes),
            Output::Any(any) => any.write_all(bytes).and_then(|()| any.flush()),
        }
    }
}

/// Whether something can be written without blocking. A closed reader is detected by writing.
#[cfg(unix)]
fn is_ready(pipe: &File) -> io::Result<bool> {
    let mut asked = [PollFd::new(pipe, PollFlags::OUT)];
    match poll(&mut asked, Some(&Timespec::default())) {
        Ok(ready) => Ok(ready > 0),
        Err(rustix::io::Errno::INTR) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// A thread that reports a closed output even if nothing is written to it. It ends when this is dropped; quitting does not wait for
/// it.
pub(super) struct Watch {
    #[cfg(unix)]
    _until: Option<PipeWriter>,
}

impl Watch {
    /// Watches `output`, if it can be watched.
    ///
    /// # Errors
    /// When the system has no thread or no pipe left.
    #[cfg(unix)]
    pub(super) fn new(output: &Output, gone: impl FnOnce() + Send + 'static) -> io::Result<Watch> {
        let Output::Pipe(pipe) = output else { return Ok(Watch { _until: None }) };
        let (pipe, (end, until)) = (pipe.try_clone()?, io::pipe()?);
        let watch = move || {
            // `poll` reports a closed reader even without a requested event.
            let mut asked = [PollFd::new(&pipe, PollFlags::empty()), PollFd::new(&end, PollFlags::IN)];
            while let Ok(0) | Err(rustix::io::Errno::INTR) = poll(&mut asked, None) {}
            if !asked[0].revents().is_empty() {
                gone();
            }
        };
        thread::Builder::new().name("watch".into()).spawn(watch)?;
        Ok(Watch { _until: Some(until) })
    }

    /// Not supported here: a closed reader is detected by writing.
    #[cfg(not(unix))]
    pub(super) fn new(_: &Output, _: impl FnOnce() + Send + 'static) -> io::Result<Watch> {
        Ok(Watch {})
    }
}

/// The next line without its end, or its error; `None` at the end of the input. A last line needs no end.
///
/// # Errors
/// When the input cannot be read.
pub fn next_line(input: &mut impl BufRead) -> io::Result<Option<Result<String, BadLine>>> {
    let mut bytes = Vec::new();
    let mut length = 0;
    let mut ended = false;
    while !ended {
        let available = match input.fill_buf() {
            Ok(available) => available,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if available.is_empty() {
            if length == 0 {
                return Ok(None);
            }
            break;
        }
        let end = available.iter().position(|&byte| byte == b'\n');
        let part = &available[..end.unwrap_or(available.len())];
        ended = end.is_some();
        length += part.len();
        let room = LONGEST_LINE - bytes.len();
        bytes.extend_from_slice(&part[..part.len().min(room)]);
        let used = part.len() + usize::from(ended);
        input.consume(used);
    }
    if length > LONGEST_LINE {
        let text = format!("a line of {length} bytes; expected at most {LONGEST_LINE}");
        let beginning = String::from_utf8_lossy(&bytes[..KEPT_OF_LONGER]).into_owned();
        return Ok(Some(Err(BadLine { beginning, problem: Problem::new(text) })));
    }
    Ok(Some(String::from_utf8(bytes).map_err(|error| {
        let good = error.utf8_error().valid_up_to();
        let beginning = String::from_utf8_lossy(&error.as_bytes()[..good]).into_owned();
        let text = format!("expected UTF-8 text, found byte 0x{:02x}", error.as_bytes()[good]);
        let problem = Problem::at(beginning.chars().count() + 1, text);
        // The bad byte becomes a replacement character, so that its word is not read as another word.
        BadLine { beginning: beginning + "\u{FFFD}", problem }
    })))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(bytes: &[u8]) -> Vec<Result<String, BadLine>> {
        let mut input = BufReader::with_capacity(3, bytes);
        std::iter::from_fn(|| next_line(&mut input).unwrap()).collect()
    }

    #[test]
    fn lines_end_anywhere_and_the_last_needs_no_end() {
        assert_eq!(lines(b"go\r\n\nstop"), [Ok("go\r".into()), Ok(String::new()), Ok("stop".into())]);
        assert_eq!(lines(b""), []);
        assert_eq!(lines(b"\n"), [Ok(String::new())]);
    }

    #[test]
    fn what_is_no_text_is_told_with_its_column_and_the_next_line_is_read() {
        let read = lines(b"\xc3\xa9\xff go\nisready\n");
        let problem = Problem::at(2, "expected UTF-8 text, found byte 0xff");
        assert_eq!(read[0], Err(BadLine { beginning: "é\u{FFFD}".into(), problem }));
        assert_eq!(read[1], Ok("isready".into()));
    }

    #[test]
    fn of_a_line_without_end_the_beginning_is_kept() {
        let mut bytes = vec![b'a'; LONGEST_LINE + 1];
        bytes.extend_from_slice(b"\nisready");
        let read = lines(&bytes);
        let bad = read[0].as_ref().unwrap_err();
        assert!(bad.problem.text.starts_with("a line of 1048577 bytes"), "{bad:?}");
        assert_eq!(bad.beginning, "a".repeat(KEPT_OF_LONGER));
        assert_eq!(read[1], Ok("isready".into()));
        bytes.remove(0);
        assert_eq!(lines(&bytes)[0].as_ref().unwrap().len(), LONGEST_LINE);
    }
}
