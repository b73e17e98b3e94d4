//! The two ends of a conversation: stdin and stdout, or a pair in memory for tests.
//!
//! Floor 5. A thread of its own reads lines and stamps them with the time (LAW 9). Bytes become text here: what is no UTF-8, or
//! longer than a line can be, is handed on as a bad line; of a long one only the beginning is kept.

use std::io::{self, BufRead, BufReader, PipeReader, PipeWriter, Write};
use std::thread;
use std::time::Instant;

use crossbeam_channel::Sender;

use super::Event;
use crate::message::Problem;

/// The longest line, in bytes, its end not counted.
const LONGEST_LINE: usize = 1 << 20;
/// How much is kept of a longer one, in bytes: enough to tell which command it is.
const KEPT_OF_LONGER: usize = 1 << 10;

/// A line that is no text.
#[derive(Debug, PartialEq, Eq)]
pub struct BadLine {
    /// As much of it as is text, or can be kept.
    pub beginning: String,
    /// What is wrong with it, and where.
    pub problem: Problem,
}

/// What an engine reads from and writes to.
pub struct Connection {
    pub(super) input: Box<dyn BufRead + Send>,
    pub(super) output: Box<dyn Write + Send>,
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
        Connection { input: Box::new(BufReader::new(io::stdin())), output: Box::new(io::stdout()) }
    }

    /// Any input and output.
    pub fn new(input: impl BufRead + Send + 'static, output: impl Write + Send + 'static) -> Connection {
        Connection { input: Box::new(input), output: Box::new(output) }
    }

    /// A connection without a process, and its other end.
    ///
    /// # Errors
    /// When the system has no pipes left.
    pub fn memory() -> io::Result<(Connection, Client)> {
        let (engine_reads, client_writes) = io::pipe()?;
        let (client_reads, engine_writes) = io::pipe()?;
        let connection = Connection::new(BufReader::new(engine_reads), engine_writes);
        Ok((connection, Client { input: client_writes, output: BufReader::new(client_reads) }))
    }
}

/// Starts the thread that turns `input` into events, until it ends or the engine is gone.
pub(super) fn read_lines(mut input: Box<dyn BufRead + Send>, events: Sender<Event>) -> io::Result<()> {
    thread::Builder::new().name("reader".into()).spawn(move || {
        let mut first = true;
        loop {
            let line = match next_line(&mut input) {
                Ok(Some(line)) => line,
                Ok(None) => break,
                Err(error) => {
                    log::error!("reading the input: {error}");
                    break;
                }
            };
            let line = match line {
                // Some shells send a byte order mark before the first line.
                Ok(text) if first => Ok(text.trim_start_matches('\u{FEFF}').to_owned()),
                line => line,
            };
            first = false;
            if events.send(Event::Line(line, Instant::now())).is_err() {
                return;
            }
        }
        // Nobody listening is as good an end as any.
        let _ = events.send(Event::Eof);
    })?;
    Ok(())
}

/// The next line without its end, or what is wrong with it; nothing at the end of the input. A last line needs no end.
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
        // The byte is kept as a mark, so that a word it stands in does not become another word.
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
