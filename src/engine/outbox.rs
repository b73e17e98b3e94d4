//! The engine's output: every line of every thread goes through here, so lines never mix.
//!
//! Layer 5; used by the engine, reader and search threads. A thread writes its line itself if the client has room; otherwise
//! the line waits, in order, for the writer thread, the only one that a slow client can block. Equal lines in a row wait as one
//! and a number. The waiting lines are bounded (LAW 9): beyond the bound the producer waits, except for `readyok` and
//! `bestmove`.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::mem;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use super::OwnOption;
use super::connection::Output;
use crate::message::{DialectName, Reply};
use crate::protocol::{Dialect, dialect, render};

/// Bound of unread output, in bytes.
const LONGEST_UNREAD: usize = 4 << 20;
/// Overhead of a line, in bytes.
const LINE: usize = 64;
/// Batch size of the writer thread, in bytes.
const BATCH: usize = 64 << 10;
/// How long to wait for a client that does not read, once the engine ends.
const LAST_PATIENCE: Duration = Duration::from_secs(1);

/// The output of an engine.
pub(super) struct Outbox {
    state: Mutex<Voice>,
    changed: Condvar,
    /// Called when the output fails.
    failed: Box<dyn Fn() + Send + Sync>,
}

/// The locked output.
pub(super) struct Voice {
    dialect: &'static Dialect,
    record: Option<Record>,
    /// `None` while the writer thread has it, and after the end.
    output: Option<Output>,
    unread: VecDeque<Lines>,
    /// The size of what is unread.
    bytes: usize,
    /// How often the client has read something.
    progress: u64,
    failure: Option<io::Error>,
    /// Whether the engine ends and waits only briefly.
    hurried: bool,
    ended: bool,
}

/// Equal pieces of text in a row.
struct Lines {
    text: String,
    times: u64,
}

/// A file in which all lines are recorded.
struct Record {
    path: String,
    file: File,
}

impl Outbox {
    /// Starts the writing thread.
    ///
    /// # Errors
    /// When there is no thread for it.
    pub(super) fn new(output: Output, failed: impl Fn() + Send + Sync + 'static) -> io::Result<Arc<Outbox>> {
        let state = Mutex::new(Voice {
            dialect: dialect(DialectName::default()),
            record: None,
            output: Some(output),
            unread: VecDeque::new(),
            bytes: 0,
            progress: 0,
            failure: None,
            hurried: false,
            ended: false,
        });
        let outbox = Arc::new(Outbox { state, changed: Condvar::new(), failed: Box::new(failed) });
        let written = Arc::clone(&outbox);
        thread::Builder::new().name("writer".into()).spawn(move || written.write_unread())?;
        Ok(outbox)
    }

    /// Locks the output.
    pub(super) fn lock(&self) -> MutexGuard<'_, Voice> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes or queues a line without waiting for room.
    pub(super) fn say(&self, reply: &Reply) {
        let mut voice = self.lock();
        voice.say(reply);
        self.release(voice);
    }

    /// Unlocks the output.
    pub(super) fn release(&self, voice: MutexGuard<'_, Voice>) {
        let (unread, failed) = (!voice.unread.is_empty(), voice.failure.is_some());
        drop(voice);
        if failed {
            (self.failed)();
        }
        if failed || unread {
            self.changed.notify_all();
        }
    }

    /// Writes a line when there is room, or when the caller stops waiting.
    pub(super) fn say_in_time(&self, reply: &Reply, impatient: &AtomicBool) {
        let mut voice = self.lock();
        if let Some(line) = render(voice.dialect, reply) {
            voice = self.wait_for_room(voice, |voice| !voice.repeats(&line) && !impatient.load(Ordering::Relaxed));
            voice.write(line, 1);
        }
        self.release(voice);
    }

    /// Writes a line `times` times, when there is room.
    ///
    /// # Errors
    /// When the output has failed.
    pub(super) fn say_when_read(&self, reply: &Reply, times: u64) -> io::Result<()> {
        let mut voice = self.lock();
        if let Some(line) = render(voice.dialect, reply) {
            voice = self.wait_for_room(voice, |voice| !voice.repeats(&line));
            voice.write(line, times);
        }
        let result = voice.check();
        self.release(voice);
        result
    }

    /// Waits until there is room for more.
    ///
    /// # Errors
    /// When the output has failed.
    pub(super) fn wait_until_read(&self) -> io::Result<()> {
        self.wait_for_room(self.lock(), |_| true).check()
    }

    /// Waits until there is room or the caller stops waiting.
    fn wait_for_room<'v>(
        &self,
        mut voice: MutexGuard<'v, Voice>,
        wants: impl Fn(&Voice) -> bool,
    ) -> MutexGuard<'v, Voice> {
        while voice.bytes >= LONGEST_UNREAD && voice.failure.is_none() && wants(&voice) {
            voice = self.wait(voice);
        }
        voice
    }

    /// Waits for a change. In a hurry, no change for a while is a failure.
    fn wait<'v>(&self, voice: MutexGuard<'v, Voice>) -> MutexGuard<'v, Voice> {
        if !voice.hurried {
            return self.changed.wait(voice).unwrap_or_else(PoisonError::into_inner);
        }
        let before = voice.progress;
        let waited = self.changed.wait_timeout(voice, LAST_PATIENCE);
        let (mut voice, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
        if timeout.timed_out() && voice.progress == before && voice.failure.is_none() {
            voice.fail(io::Error::from(ErrorKind::BrokenPipe));
        }
        voice
    }

    /// Wakes waiting threads to check whether they still wait.
    pub(super) fn wake(&self) {
        // A thread that is about to wait holds the lock until it waits. While there is room, only the writer thread
        // waits, for text.
        if self.lock().bytes >= LONGEST_UNREAD {
            self.changed.notify_all();
        }
    }

    /// From now on waits only briefly for a client that does not read.
    pub(super) fn hurry(&self) {
        self.lock().hurried = true;
        self.changed.notify_all();
    }

    /// Waits until everything is written, and releases the output.
    ///
    /// # Errors
    /// When the output has failed.
    pub(super) fn end(&self) -> io::Result<()> {
        let mut voice = self.lock();
        // If there is no output here, the writer thread has it.
        while voice.failure.is_none() && !(voice.unread.is_empty() && voice.output.is_some()) {
            voice = self.wait(voice);
        }
        let result = voice.check();
        drop(voice);
        self.let_go();
        result
    }

    /// Ends the writer thread, and closes the output as soon as nothing is being written.
    pub(super) fn let_go(&self) {
        let mut voice = self.lock();
        voice.output = None;
        voice.ended = true;
        drop(voice);
        self.changed.notify_all();
    }

    /// Sets the dialect.
    pub(super) fn speak(&self, dialect: &'static Dialect) {
        self.lock().dialect = dialect;
    }

    /// Logs an input line.
    pub(super) fn record_read(&self, line: &str) {
        log::debug!("> {line}");
        self.lock().record('>', line);
    }

    /// The path of the log; empty without one.
    pub(super) fn record_path(&self) -> String {
        self.lock().record.as_ref().map_or(String::new(), |record| record.path.clone())
    }

    /// Sets or removes the log.
    pub(super) fn record_in(&self, record: Option<(String, File)>) {
        self.lock().record = record.map(|(path, file)| Record { path, file });
    }

    /// The writer thread: writes queued lines.
    fn write_unread(&self) {
        let mut voice = self.lock();
        loop {
            let has_unread = !voice.unread.is_empty();
            let Some(mut output) = voice.output.take_if(|_| has_unread) else {
                if voice.ended || voice.failure.is_some() {
                    return;
                }
                voice = self.changed.wait(voice).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            let batch = voice.take_batch();
            drop(voice);
            let written = output.write_all(batch.as_bytes());
            voice = self.lock();
            voice.progress += 1;
            match written {
                Ok(()) if !voice.ended => voice.output = Some(output),
                Ok(()) => {}
                Err(error) => {
                    voice.fail(error);
                    (self.failed)();
                }
            }
            self.changed.notify_all();
        }
    }
}

impl Voice {
    /// Writes a reply in the dialect.
    pub(super) fn say(&mut self, reply: &Reply) {
        if let Some(line) = render(self.dialect, reply) {
            self.write(line, 1);
        }
    }

    fn write(&mut self, mut line: String, times: u64) {
        for _ in 0..times {
            log::debug!("< {line}");
            self.record('<', &line);
        }
        line.push('\n');
        self.put(line, times);
    }

    /// Whether this line equals the last one.
    fn repeats(&self, line: &str) -> bool {
        self.unread.back().is_some_and(|last| last.text.strip_suffix('\n') == Some(line))
    }

    fn put(&mut self, text: String, mut times: u64) {
        if self.ended || self.failure.is_some() {
            return;
        }
        while times > 0
            && self.unread.is_empty()
            && let Some(output) = &mut self.output
        {
            times -= 1;
            match output.write_now(text.as_bytes()) {
                Ok(written) if written == text.len() => {}
                Ok(written) => self.keep(text[written..].to_owned(), 1),
                Err(error) => return self.fail(error),
            }
        }
        if times > 0 {
            self.keep(text, times);
        }
    }

    fn keep(&mut self, text: String, times: u64) {
        match self.unread.back_mut() {
            Some(last) if last.text == text => last.times += times,
            _ => {
                self.bytes += LINE + text.len();
                self.unread.push_back(Lines { text, times });
            }
        }
    }

    fn take_batch(&mut self) -> String {
        let mut batch = String::new();
        while batch.len() < BATCH
            && let Some(first) = self.unread.front_mut()
        {
            batch.push_str(&first.text);
            first.times -= 1;
            if first.times == 0 {
                self.bytes -= LINE + first.text.len();
                self.unread.pop_front();
            }
        }
        if self.unread.is_empty() {
            self.unread = VecDeque::new();
        }
        batch
    }

    fn check(&mut self) -> io::Result<()> {
        match &self.failure {
            Some(error) => Err(io::Error::new(error.kind(), error.to_string())),
            None => Ok(()),
        }
    }

    fn fail(&mut self, error: io::Error) {
        self.failure.get_or_insert(error);
        self.bytes = 0;
        drop(mem::take(&mut self.unread));
    }

    /// Adds a line to the log. If that fails, logging ends and the engine goes on.
    fn record(&mut self, mark: char, line: &str) {
        if let Some(Record { path, file }) = &mut self.record
            && let Err(error) = file.write_all(format!("{mark} {line}\n").as_bytes())
        {
            log::error!("{}: cannot write to '{path}': {error}; the record ends here", OwnOption::LogFile.name());
            self.record = None;
        }
    }
}
