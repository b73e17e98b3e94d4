//! An engine as a process: greeting, set-up, questions and answers over pipes, every wait with an end.
//!
//! Lines that are no answer are skipped, as both protocols ask. Whatever goes wrong is a [`Fault`] of this engine. The process is
//! told to quit, ended and reaped when its [`Engine`] is dropped.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use griot::message::DialectName;
use griot::protocol::{tidy, words};
use griot_client::{Client, LONGEST_LINE, Silence};

use crate::record::{Reason, Thought};
use crate::referee::Style;
use crate::waiting::kept_waiting;

/// How long `auto` waits for an answer to `ugi` before it says `uci`.
const UGI_PATIENCE: Duration = Duration::from_secs(2);
/// How long an engine may take to end after `quit`.
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
}

/// Everything needed to start an engine.
#[derive(Debug, Clone)]
pub(crate) struct Spec {
    pub(crate) command: Vec<String>,
    /// The name of the game.
    pub(crate) game: String,
    /// Nothing: try.
    pub(crate) dialect: Option<DialectName>,
    /// Nothing: as the dialect and `UCI_Variant` ask for.
    pub(crate) style: Option<Style>,
    /// Whether the game can be written in [`Style::Drops`].
    pub(crate) has_drops: bool,
    /// Options as given by the user.
    pub(crate) options: Vec<(String, String)>,
    /// Whether the engine's stderr is shown.
    pub(crate) show_stderr: bool,
    /// How long greeting and set-up may take, each.
    pub(crate) patience: Duration,
}

/// An answer to `go`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Answer {
    pub(crate) best: String,
    /// From the `go` to the `bestmove`.
    pub(crate) took: Duration,
    /// How much of that its threads waited for a processor, all together; nothing where the system does not tell.
    pub(crate) kept_waiting: Option<Duration>,
    pub(crate) thought: Thought,
}

/// A running engine.
pub(crate) struct Engine {
    /// Nothing once it is killed.
    client: Option<Client>,
    pub(crate) dialect: DialectName,
    pub(crate) style: Style,
    /// By its own account.
    pub(crate) name: Option<String>,
}

impl Engine {
    /// Starts an engine, greets it, sets its options and waits until it is ready.
    ///
    /// # Errors
    /// When it cannot be started, ends, does not answer, or speaks no dialect.
    pub(crate) fn start(spec: &Spec) -> Result<Engine, Fault> {
        let [program, arguments @ ..] = spec.command.as_slice() else {
            return Err(Fault::new(Reason::Crash, "no command to start it by"));
        };
        let mut command = Command::new(program);
        command.args(arguments).stderr(if spec.show_stderr { Stdio::inherit() } else { Stdio::null() });
        let client = Client::start(&mut command)
            .map_err(|error| Fault::new(Reason::Crash, format!("'{program}' cannot be started: {error}")))?;
        let dialect = spec.dialect.unwrap_or_default();
        let mut engine = Engine { client: Some(client), dialect, style: Style::Coordinates, name: None };
        let offers = engine.greet(spec)?;
        engine.set_up(spec, &offers)?;
        Ok(engine)
    }

    /// Greets; answers the `option` lines.
    fn greet(&mut self, spec: &Spec) -> Result<Vec<String>, Fault> {
        let deadline = Instant::now() + spec.patience;
        let mut try_uci = spec.dialect.is_none().then(|| Instant::now() + UGI_PATIENCE.min(spec.patience / 2));
        let mut options = Vec::new();
        self.send(words(self.dialect).greeting)?;
        loop {
            let line = match self.next_line(try_uci.unwrap_or(deadline)) {
                Ok((_, line)) => line,
                Err(fault) if fault.reason == Reason::Hang && try_uci.take().is_some() => {
                    self.send(words(DialectName::Uci).greeting)?;
                    continue;
                }
                Err(fault) => {
                    let expected = if spec.dialect.is_some() { words(self.dialect).ok } else { "ugiok or uciok" };
                    let detail = format!("{} while waiting for {expected}", fault.detail);
                    return Err(Fault { detail, ..fault });
                }
            };
            let line = line.trim();
            match [DialectName::Ugi, DialectName::Uci].into_iter().find(|dialect| words(*dialect).ok == line) {
                Some(dialect) => {
                    self.dialect = dialect;
                    return Ok(options);
                }
                None if line.starts_with("option ") => options.push(line.to_owned()),
                None => {
                    if let Some(name) = line.strip_prefix("id name ") {
                        self.name = Some(name.trim().to_owned());
                    }
                }
            }
        }
    }

    /// Chooses the game, sets the user's options, and waits until the engine is ready.
    fn set_up(&mut self, spec: &Spec, offers: &[String]) -> Result<(), Fault> {
        let by_user = |name: &str| spec.options.iter().any(|(option, _)| option.eq_ignore_ascii_case(name));
        let is_uci = self.dialect == DialectName::Uci;
        let has_variant = is_uci && offers.iter().any(|line| offers_choice(line, "UCI_Variant", &spec.game));
        let chosen = by_user("Game") || by_user("UCI_Variant");
        if !chosen && has_variant {
            self.set_option("UCI_Variant", &spec.game)?;
        } else if !chosen && offers.iter().any(|line| option_name(line).eq_ignore_ascii_case("Game")) {
            self.set_option("Game", &spec.game)?;
        }
        for (name, value) in &spec.options {
            self.set_option(name, value)?;
        }
        let by_variant = is_uci && (by_user("UCI_Variant") || has_variant && !by_user("Game"));
        let fitting = if by_variant && spec.has_drops { Style::Drops } else { Style::Coordinates };
        self.style = spec.style.unwrap_or(fitting);
        self.wait_until_ready(spec.patience)
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), Fault> {
        self.send(&if value.is_empty() {
            format!("setoption name {name}")
        } else {
            format!("setoption name {name} value {value}")
        })
    }

    /// Tells of a new game, and waits until the engine is ready for it.
    ///
    /// # Errors
    /// When it ends or does not answer.
    pub(crate) fn new_game(&mut self, patience: Duration) -> Result<(), Fault> {
        self.send(words(self.dialect).new_game)?;
        self.wait_until_ready(patience)
    }

    fn wait_until_ready(&mut self, patience: Duration) -> Result<(), Fault> {
        let deadline = Instant::now() + patience;
        self.send("isready")?;
        loop {
            match self.next_line(deadline) {
                Ok((_, line)) if line.trim() == "readyok" => return Ok(()),
                Ok(_) => {}
                Err(fault) => {
                    return Err(Fault { detail: format!("{} while waiting for readyok", fault.detail), ..fault });
                }
            }
        }
    }

    /// Sets up a position, asks for a move, and waits for it, `patience` long.
    ///
    /// # Errors
    /// When the engine ends, does not answer in time, or answers with no move at all.
    pub(crate) fn think(&mut self, position: &str, go: &str, patience: Duration) -> Result<Answer, Fault> {
        self.send(position)?;
        let waited_before = self.kept_waiting();
        let asked = Instant::now();
        self.send(go)?;
        let mut thought = Thought::default();
        loop {
            let (came, line) = self.next_line(asked + patience)?;
            let mut words = line.split_ascii_whitespace();
            match words.next() {
                Some("info") => read_info(words, &mut thought),
                Some("bestmove") => {
                    let took = came.saturating_duration_since(asked);
                    thought.ms = (took.as_secs_f64() * 1e6).round() / 1e3;
                    let waited = self.kept_waiting().zip(waited_before);
                    let kept_waiting = waited.map(|(now, before)| now.saturating_sub(before));
                    return match words.next() {
                        Some(best) => Ok(Answer { best: best.to_owned(), took, kept_waiting, thought }),
                        None => Err(Fault::new(Reason::Garbage, "bestmove without a move")),
                    };
                }
                _ => {}
            }
        }
    }

    fn kept_waiting(&mut self) -> Option<Duration> {
        kept_waiting(self.client.as_mut()?.process().id())
    }

    fn send(&mut self, line: &str) -> Result<(), Fault> {
        let Some(client) = &mut self.client else { return Err(gone()) };
        // An engine that is gone may have left lines; the one that reads them finds out that it is.
        client.send(line).map_err(|_| fault_of(client.ended()))
    }

    fn next_line(&mut self, deadline: Instant) -> Result<(Instant, String), Fault> {
        let line = self.client.as_mut().ok_or_else(gone)?.line(deadline).map_err(fault_of)?;
        if line.is_too_long {
            return Err(Fault::new(Reason::Garbage, format!("a line of more than {LONGEST_LINE} bytes")));
        }
        Ok((line.came, line.text.trim_end().to_owned()))
    }

    /// Ends the process at once, without waiting for it to obey.
    pub(crate) fn kill(mut self) {
        self.client = None;
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        if let Some(client) = self.client.take() {
            client.quit(QUIT_PATIENCE);
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

/// The name in an `option` line: the words between `name` and `type`.
fn option_name(line: &str) -> &str {
    let name = line.split_once(" name ").map_or("", |(_, rest)| rest);
    name.split_once(" type ").map_or(name, |(name, _)| name).trim()
}

/// Whether an `option` line is that of `name`, and `value` is among its choices.
fn offers_choice(line: &str, name: &str, value: &str) -> bool {
    option_name(line).eq_ignore_ascii_case(name)
        && line.split(" var ").skip(1).any(|choice| choice.trim().eq_ignore_ascii_case(value))
}

/// Takes the numbers of an `info` line that has a score; the last one counts.
fn read_info<'l>(mut words: impl Iterator<Item = &'l str>, thought: &mut Thought) {
    let mut said = Thought::default();
    while let Some(word) = words.next() {
        match word {
            "depth" => said.depth = words.next().and_then(|number| number.parse().ok()),
            "nodes" => said.nodes = words.next().and_then(|number| number.parse().ok()),
            "score" => {
                let score = (words.next(), words.next().and_then(|number| number.parse::<i64>().ok()));
                if let (Some(unit @ ("cp" | "mate")), Some(number)) = score {
                    said.score = Some(format!("{unit} {number}"));
                }
            }
            "pv" | "string" => break,
            _ => {}
        }
    }
    if said.score.is_some() {
        *thought = Thought {
            depth: said.depth.or(thought.depth),
            nodes: said.nodes.or(thought.nodes),
            score: said.score,
            ms: thought.ms,
        };
    }
}

/// A piece of an engine's text, fit for a report.
pub(crate) fn quoted(text: &str) -> String {
    format!("'{}'", tidy(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_with_blanks_in_their_names() {
        let line = "option name UCI_Variant type combo default chess var chess var tictactoe";
        assert_eq!(option_name(line), "UCI_Variant");
        assert_eq!(option_name("option name Clear Hash type button"), "Clear Hash");
        assert!(offers_choice(line, "uci_variant", "tictactoe"));
        assert!(!offers_choice(line, "UCI_Variant", "var") && !offers_choice(line, "Game", "chess"));
    }

    #[test]
    fn the_last_info_line_with_a_score_counts() {
        let mut thought = Thought::default();
        for line in [
            "depth 3 seldepth 9 score cp -12 upperbound nodes 70 nps 1 pv depth 4",
            "depth 4 currmove a1 currmovenumber 1",
            "score mate 3 depth x string score cp 5",
            "string depth 7 score cp 8",
        ] {
            read_info(line.split_ascii_whitespace(), &mut thought);
        }
        let expected = Thought { ms: 0.0, depth: Some(3), score: Some("mate 3".into()), nodes: Some(70) };
        assert_eq!(thought, expected);
    }

    #[test]
    fn an_engine_that_is_none_is_a_fault_and_is_reaped() {
        let spec = |command: &[&str]| Spec {
            command: command.iter().map(|&word| word.to_owned()).collect(),
            game: "awale".into(),
            dialect: None,
            style: None,
            has_drops: false,
            options: Vec::new(),
            show_stderr: false,
            patience: Duration::from_millis(100),
        };
        let fault = |command: &[&str]| Engine::start(&spec(command)).err().map(|fault| fault.reason);
        assert_eq!(fault(&[]), Some(Reason::Crash));
        assert_eq!(fault(&["/there/is/no/such/engine"]), Some(Reason::Crash));
        assert_eq!(fault(&["true"]), Some(Reason::Crash));
        assert_eq!(fault(&["sleep", "60"]), Some(Reason::Hang));
    }
}
