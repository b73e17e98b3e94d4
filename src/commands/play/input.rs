//! Where the lines of `griot play` come from: a terminal, with a line editor that remembers them, or anything else. Layer 6.
//!
//! They are read on a thread of its own, which is not waited for: it may sit in a read that nothing ends. The editor reads when it is
//! asked to, so that its prompt stands below what was said.

use std::cell::Cell;
use std::io::{self, BufReader};
use std::thread;

#[cfg(unix)]
use crossbeam_channel::TryRecvError;
use crossbeam_channel::{Receiver, RecvError, Sender, bounded};
use griot::encoding::Utf8Reader;
use griot::engine::next_line;
use griot::message::Problem;

/// What stands before what is typed.
pub(super) const PROMPT: &str = "> ";

/// Lines, each text or what is wrong with it.
pub(super) struct Lines {
    lines: Receiver<Result<String, Problem>>,
    /// Asks the editor for a line. Nothing where there is no editor.
    asks: Option<Sender<()>>,
    /// Whether a line was asked for that has not come: the editor has the terminal as it needs it, or is about to.
    is_awaited: Cell<bool>,
    /// The terminal as it was before the editor, which leaves it so only after a line. A console of Windows needs none: there, the
    /// keys that end a program come to the editor while it reads, and a console that is closed has no modes.
    #[cfg(unix)]
    terminal: Option<rustix::termios::Termios>,
}

impl Lines {
    /// Of stdin. A person at a terminal gets an editor, where this program was built with one.
    pub(super) fn of_stdin(is_terminal: bool) -> Result<Lines, Problem> {
        #[cfg(feature = "line-editor")]
        if is_terminal && io::IsTerminal::is_terminal(&io::stdin()) {
            return edited();
        }
        let _ = is_terminal;
        let (sender, lines) = bounded(1);
        spawn(move || {
            let mut input = Utf8Reader::new(BufReader::new(io::stdin()));
            loop {
                let line = match next_line(&mut input) {
                    Ok(Some(line)) => line.map_err(|bad| bad.problem),
                    Ok(None) => break,
                    Err(error) => {
                        log::error!("reading the input: {error}");
                        break;
                    }
                };
                if sender.send(line).is_err() {
                    break;
                }
            }
        })?;
        Ok(Lines::new(lines, None))
    }

    /// Lines that are there already.
    #[cfg(test)]
    pub(super) fn of(lines: Receiver<Result<String, Problem>>) -> Lines {
        Lines::new(lines, None)
    }

    fn new(lines: Receiver<Result<String, Problem>>, asks: Option<Sender<()>>) -> Lines {
        #[cfg(unix)]
        let terminal = None;
        Lines {
            lines,
            asks,
            is_awaited: Cell::new(false),
            #[cfg(unix)]
            terminal,
        }
    }

    /// Whether the prompt is the editor's business.
    pub(super) fn prompts(&self) -> bool {
        self.asks.is_some()
    }

    /// Where the next line comes from; it is closed when there is none. What came is told to [`Lines::got`].
    pub(super) fn next(&self) -> &Receiver<Result<String, Problem>> {
        if let Some(asks) = &self.asks {
            // An editor that is gone has closed the channel of lines as well.
            let _ = asks.send(());
            self.is_awaited.set(true);
        }
        &self.lines
    }

    /// The line that came, or nothing at the end.
    pub(super) fn got(&self, line: Result<Result<String, Problem>, RecvError>) -> Option<Result<String, Problem>> {
        self.is_awaited.set(false);
        line.ok()
    }
}

/// Who goes away while a line is typed, because a signal says so, leaves the terminal as it was: the editor sits in a read that
/// nothing ends.
#[cfg(unix)]
impl Drop for Lines {
    fn drop(&mut self) {
        use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcsetattr};

        let Some(modes) = &self.terminal else { return };
        let stdin = io::stdin();
        // An editor that was asked just now first changes the terminal: that is waited for, but not for ever.
        for _ in 0..PATIENCE {
            let is_open = self.lines.try_recv() == Err(TryRecvError::Empty);
            if !self.is_awaited.get() || !is_open {
                return;
            }
            if tcgetattr(&stdin).is_ok_and(|now| !now.local_modes.contains(LocalModes::ICANON)) {
                break;
            }
            thread::sleep(STEP);
        }
        // A terminal that hung up has no modes any more.
        let _ = tcsetattr(&stdin, OptionalActions::Now, modes);
    }
}

/// How often, and how long each time, an editor is waited for that is about to begin.
#[cfg(unix)]
const PATIENCE: u32 = 200;
#[cfg(unix)]
const STEP: std::time::Duration = std::time::Duration::from_millis(1);

fn spawn(read: impl FnOnce() + Send + 'static) -> Result<(), Problem> {
    let spawned = thread::Builder::new().name("reader".into()).spawn(read);
    spawned.map(drop).map_err(|error| Problem::new(format!("cannot start a thread to read on: {error}")))
}

/// Lines by an editor: the arrow keys move in the line and through those before it. Ctrl-C and Ctrl-D are the end.
#[cfg(feature = "line-editor")]
fn edited() -> Result<Lines, Problem> {
    use rustyline::config::Configurer;
    use rustyline::error::ReadlineError;

    let broken = |error: ReadlineError| Problem::new(format!("no line editor: {error}"));
    #[cfg(unix)]
    let terminal = rustix::termios::tcgetattr(io::stdin()).ok();
    let mut editor = rustyline::DefaultEditor::new().map_err(broken)?;
    editor.enable_bracketed_paste(false);
    let (asks, asked) = bounded(1);
    let (sender, lines) = bounded(1);
    spawn(move || {
        while asked.recv().is_ok() {
            let line = match editor.readline(PROMPT) {
                Ok(line) => line,
                Err(ReadlineError::Interrupted | ReadlineError::Eof) => break,
                Err(error) => {
                    log::error!("reading the input: {error}");
                    break;
                }
            };
            // A line that cannot be remembered can be played all the same.
            let _ = editor.add_history_entry(&line);
            if sender.send(Ok(line)).is_err() {
                break;
            }
        }
    })?;
    let lines = Lines::new(lines, Some(asks));
    #[cfg(unix)]
    let lines = {
        let mut lines = lines;
        lines.terminal = terminal;
        lines
    };
    Ok(lines)
}
