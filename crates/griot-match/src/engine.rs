//! An engine as a process: greeting, set-up, questions and answers over pipes, each with a timeout.
//!
//! The text of each line belongs to the dialect (`dialects`). Every failure is a [`Fault`] of this engine. Dropping an
//! [`Engine`] quits, kills and reaps its process.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use griot::protocol::tidy;
use griot_client::{Client, LONGEST_LINE, Silence};

use crate::dialects::{self, Dialect};
use crate::limits::Turn;
use crate::record::{Reason, Thought};
use crate::referee::{Referee, Style};
use crate::spec::Spec;
use crate::waiting::kept_waiting;

/// How long an engine may take to end after it was told to.
const QUIT_PATIENCE: Duration = Duration::from_millis(500);

/// What an engine did wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) reason: Reason,
    pub(crate) detail: String,
}

impl Fault {
    pub(crate) fn new(reason: Reason, detail: impl Into<String>) -> Fault {
        Fault { reason, detail: detail.into() }
    }

    /// The same fault, with what was waited for.
    pub(crate) fn while_waiting_for(self, what: &str) -> Fault {
        Fault { detail: format!("{} while waiting for {what}", self.detail), ..self }
    }
}

/// A question to an engine: its move in this position.
pub(crate) struct Question<'q> {
    pub(crate) referee: &'q Referee,
    pub(crate) turn: &'q Turn,
    /// Timeout of the answer.
    pub(crate) patience: Duration,
}

/// Its answer.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Answer {
    pub(crate) best: String,
    /// Notation of the move and of the lines.
    pub(crate) style: Style,
    /// From the question to the answer.
    pub(crate) took: Duration,
    /// Time of that in which its threads waited for a processor, summed; `None` where the system does not report it.
    pub(crate) kept_waiting: Option<Duration>,
    pub(crate) thought: Thought,
    /// The lines of play that it reported, as text.
    pub(crate) lines: Vec<String>,
}

/// The pipes of an engine.
pub(crate) struct Wire {
    /// `None` once it is killed.
    client: Option<Client>,
}

/// A question that is being answered.
#[derive(Clone)]
pub(crate) struct Asked {
    at: Instant,
    deadline: Instant,
    waited: Option<Duration>,
}

impl Wire {
    pub(crate) fn send(&mut self, line: &str) -> Result<(), Fault> {
        let Some(client) = &mut self.client else { return Err(gone()) };
        // An engine that is gone may have left lines; the one that reads them finds out that it is.
        client.send(line).map_err(|_| fault_of(client.ended()))
    }

    /// The next line, without trailing blanks, and its time of arrival.
    pub(crate) fn line(&mut self, deadline: Instant) -> Result<(Instant, String), Fault> {
        let line = self.client.as_mut().ok_or_else(gone)?.line(deadline).map_err(fault_of)?;
        if line.is_too_long {
            return Err(Fault::new(Reason::Garbage, format!("a line of more than {LONGEST_LINE} bytes")));
        }
        Ok((line.came, line.text.trim_end().to_owned()))
    }

    /// Sends the timed question, and starts the timer.
    pub(crate) fn ask(&mut self, line: &str, patience: Duration) -> Result<Asked, Fault> {
        let waited = self.kept_waiting();
        let at = Instant::now();
        self.send(line)?;
        Ok(Asked { at, deadline: at + patience, waited })
    }

    /// The next line of the answer.
    pub(crate) fn hear(&mut self, asked: &Asked) -> Result<(Instant, String), Fault> {
        self.line(asked.deadline)
    }

    /// The answer `best`, which came then.
    pub(crate) fn answered(
        &mut self,
        asked: &Asked,
        came: Instant,
        (style, best): (Style, &str),
        thought: Thought,
        lines: Vec<String>,
    ) -> Answer {
        let took = came.saturating_duration_since(asked.at);
        let waited = self.kept_waiting().zip(asked.waited);
        Answer {
            best: best.to_owned(),
            style,
            took,
            kept_waiting: waited.map(|(now, before)| now.saturating_sub(before)),
            thought: Thought { ms: (took.as_secs_f64() * 1e6).round() / 1e3, ..thought },
            lines,
        }
    }

    fn kept_waiting(&mut self) -> Option<Duration> {
        kept_waiting(self.client.as_mut()?.process().id())
    }
}

/// A running engine.
pub(crate) struct Engine {
    wire: Wire,
    dialect: Box<dyn Dialect>,
    /// The name that it reports.
    pub(crate) name: Option<String>,
}

impl Engine {
    /// Starts an engine, greets it, sets its options and waits until it is ready. The game is that of `referee`.
    ///
    /// # Errors
    /// When it cannot be started, ends, does not answer, or speaks no dialect.
    pub(crate) fn start(spec: &Spec, referee: &Referee) -> Result<Engine, Fault> {
        let [program, arguments @ ..] = spec.command.as_slice() else {
            return Err(Fault::new(Reason::Crash, "no command to start it by"));
        };
        let mut command = Command::new(program);
        command.args(arguments).stderr(if spec.show_stderr { Stdio::inherit() } else { Stdio::null() });
        if let Some(folder) = &spec.folder {
            command.current_dir(folder);
        }
        let client = Client::start(&mut command)
            .map_err(|error| Fault::new(Reason::Crash, format!("'{program}' cannot be started: {error}")))?;
        let mut wire = Wire { client: Some(client) };
        let (dialect, name) = dialects::greet(&mut wire, spec, referee)?;
        Ok(Engine { wire, dialect, name })
    }

    /// Its dialect.
    pub(crate) fn speech(&self) -> dialects::Speech {
        self.dialect.speech()
    }

    /// Announces a new game, and waits until the engine is ready.
    ///
    /// # Errors
    /// When it ends or does not answer.
    pub(crate) fn new_game(&mut self, patience: Duration) -> Result<(), Fault> {
        self.dialect.new_game(&mut self.wire, patience)
    }

    /// Sets up a position, asks for a move, and waits for it.
    ///
    /// # Errors
    /// When the engine ends, does not answer in time, refuses the position, or answers with no move at all.
    pub(crate) fn think(&mut self, question: &Question<'_>) -> Result<Answer, Fault> {
        self.dialect.think(&mut self.wire, question)
    }

    /// Kills the process at once.
    pub(crate) fn kill(mut self) {
        self.wire.client = None;
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        if let Some(client) = self.wire.client.take() {
            client.end(self.dialect.farewell(), QUIT_PATIENCE);
        }
    }
}

fn gone() -> Fault {
    Fault::new(Reason::Crash, "it was told to quit")
}

fn fault_of(silence: Silence) -> Fault {
    let reason = match silence {
        Silence::Late => Reason::Hang,
        Silence::Ended(_) => Reason::Crash,
    };
    Fault::new(reason, silence.to_string())
}

/// An engine's text, escaped for a report.
pub(crate) fn quoted(text: &str) -> String {
    format!("'{}'", tidy(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_that_is_none_is_a_fault_and_is_reaped() {
        let referee = Referee::new("awale").unwrap();
        let fault = |command: &[&str]| {
            let command = command.iter().map(|&word| word.to_owned()).collect();
            let spec = Spec { command, patience: Duration::from_millis(100), ..Spec::default() };
            Engine::start(&spec, &referee).err().map(|fault| fault.reason)
        };
        assert_eq!(fault(&[]), Some(Reason::Crash));
        assert_eq!(fault(&["/there/is/no/such/engine"]), Some(Reason::Crash));
        let (ends, waits): (&[&str], &[&str]) = match cfg!(windows) {
            true => (&["hostname"], &["ping", "-n", "60", "127.0.0.1"]),
            false => (&["true"], &["sleep", "60"]),
        };
        assert_eq!(fault(ends), Some(Reason::Crash));
        assert_eq!(fault(waits), Some(Reason::Hang));
    }
}
