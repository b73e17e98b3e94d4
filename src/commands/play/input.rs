//! Where the lines of `griot play` come from: a terminal, with a line editor that remembers them, or anything else. Floor 6.
//!
//! They are read on a thread of its own, which is not waited for: it may sit in a read that nothing ends. The editor reads when it is
//! asked to, so that its prompt stands below what was said.

use std::io::{self, BufReader};
use std::thread;

use crossbeam_channel::{Receiver, Sender, bounded};
use griot::engine::next_line;
use griot::message::Problem;

/// What stands before what is typed.
pub(super) const PROMPT: &str = "> ";

/// Lines, each text or what is wrong with it.
pub(super) struct Lines {
    lines: Receiver<Result<String, Problem>>,
    /// Asks the editor for a line. Nothing where there is no editor.
    asks: Option<Sender<()>>,
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
            let mut input = BufReader::new(io::stdin());
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
        Ok(Lines { lines, asks: None })
    }

    /// Lines that are there already.
    #[cfg(test)]
    pub(super) fn of(lines: Receiver<Result<String, Problem>>) -> Lines {
        Lines { lines, asks: None }
    }

    /// Whether the prompt is the editor's business.
    pub(super) fn prompts(&self) -> bool {
        self.asks.is_some()
    }

    /// Where the next line comes from; it is closed when there is none.
    pub(super) fn next(&self) -> &Receiver<Result<String, Problem>> {
        if let Some(asks) = &self.asks {
            // An editor that is gone has closed the channel of lines as well.
            let _ = asks.send(());
        }
        &self.lines
    }
}

fn spawn(read: impl FnOnce() + Send + 'static) -> Result<(), Problem> {
    let spawned = thread::Builder::new().name("reader".into()).spawn(read);
    spawned.map(drop).map_err(|error| Problem::new(format!("no thread to read on: {error}")))
}

/// Lines by an editor: the arrow keys move in the line and through those before it. Ctrl-C and Ctrl-D are the end.
#[cfg(feature = "line-editor")]
fn edited() -> Result<Lines, Problem> {
    use rustyline::config::Configurer;
    use rustyline::error::ReadlineError;

    let broken = |error: ReadlineError| Problem::new(format!("no line editor: {error}"));
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
    Ok(Lines { lines, asks: Some(asks) })
}
