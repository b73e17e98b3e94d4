//! Dialects of engines: one module for each grammar, behind one small trait, and detection of the dialect.
//!
//! A dialect writes a new game, a position and a question to its engine, and finds the answer. Other lines are skipped.

mod gomocup;
mod gtp;
mod hub;
mod nboard;
mod universal;

use std::time::{Duration, Instant};

use clap::ValueEnum;

use crate::engine::{Answer, Fault, Question, Wire};
use crate::openings::Opening;
use crate::record::Reason;
use crate::referee::Referee;
use crate::spec::{Clocks, Spec};
use universal::Universal;

/// The dialect of an engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Speech {
    /// The Universal Game Interface.
    Ugi,
    /// The Universal Chess Interface, for chess and other games.
    Uci,
    /// The Go Text Protocol.
    Gtp,
    /// The protocol of gomoku tournaments.
    Gomocup,
    /// The protocol of Othello's front end.
    #[value(name = "nboard")]
    NBoard,
    /// The protocol of draughts engines.
    Hub,
}

impl Speech {
    /// Its name, as on the command line and in records.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Speech::Ugi => "ugi",
            Speech::Uci => "uci",
            Speech::Gtp => "gtp",
            Speech::Gomocup => "gomocup",
            Speech::NBoard => "nboard",
            Speech::Hub => "hub",
        }
    }

    /// Checks that the dialect can express these openings and limits.
    ///
    /// # Errors
    /// What it cannot express, and what would help.
    pub(crate) fn can_play(self, spec: &Spec, openings: &[Opening]) -> Result<(), String> {
        if self == Speech::Gtp && openings.iter().any(|opening| opening.board.is_some()) {
            return Err("GTP has no board texts; take openings of moves from the start position".into());
        }
        let limits = spec.limits;
        let (is_told, would_do) = match self {
            Speech::Gtp => (limits.is_timed(), "movetime=MS or clock=MS+MS"),
            Speech::NBoard => (limits.clock.is_some() || limits.depth.is_some(), "depth=N or clock=MS+MS"),
            Speech::Ugi | Speech::Uci | Speech::Gomocup | Speech::Hub => (true, ""),
        };
        if spec.keeps_time() && !is_told {
            return Err(format!(
                "{} has no word for a limit of {}; give this engine {would_do}, or time=untold if its own level decides",
                self.word(),
                limits.text()
            ));
        }
        let is_whole = |time: Duration| time.subsec_nanos() == 0;
        if self == Speech::Gtp && spec.manner.clocks == Clocks::Seconds && !limits.movetime.is_none_or(is_whole) {
            let limits = limits.text();
            return Err(format!(
                "GTP tells whole seconds, not {limits}; give this engine others, or time=decimal or untold"
            ));
        }
        Ok(())
    }
}

/// Communication with an engine of a known dialect.
pub(crate) trait Dialect: Send {
    fn speech(&self) -> Speech;

    /// Announces a new game, and waits until the engine is ready.
    fn new_game(&mut self, wire: &mut Wire, patience: Duration) -> Result<(), Fault>;

    /// Sets up the position, asks for a move, and waits for it.
    fn think(&mut self, wire: &mut Wire, question: &Question<'_>) -> Result<Answer, Fault>;

    /// The lines that make the engine end.
    fn farewell(&self) -> &'static str;
}

/// Timeout of a greeting that may not be the engine's own.
const GUESS_PATIENCE: Duration = Duration::from_secs(2);

/// Greets an engine and sets it up; returns its dialect and the name it reports.
///
/// An engine of unknown dialect is greeted as in UGI. A GTP engine refuses that with `?`, a Gomocup engine with `UNKNOWN` or
/// `ERROR`; a silent one is greeted as in UCI. An engine of NBoard or Hub stays silent: its dialect must be given.
pub(crate) fn greet(
    wire: &mut Wire,
    spec: &Spec,
    referee: &Referee,
) -> Result<(Box<dyn Dialect>, Option<String>), Fault> {
    let speech = match spec.speech {
        Some(speech) => speech,
        None => guess(wire, spec)?,
    };
    match speech {
        Speech::Ugi | Speech::Uci => Universal::greet(wire, spec, speech, referee),
        Speech::Gtp => gtp::Gtp::greet(wire, spec, referee),
        Speech::Gomocup => gomocup::Gomocup::greet(wire, spec, referee),
        Speech::NBoard => nboard::NBoard::greet(wire, spec, referee),
        Speech::Hub => hub::Hub::greet(wire, spec, referee),
    }
}

/// Detects the dialect of an engine, which must be greeted again afterwards.
fn guess(wire: &mut Wire, spec: &Spec) -> Result<Speech, Fault> {
    wire.send("ugi")?;
    let deadline = Instant::now() + spec.patience;
    let mut silent = Some(Instant::now() + GUESS_PATIENCE.min(spec.patience / 2));
    loop {
        let line = match wire.line(silent.unwrap_or(deadline)) {
            Ok((_, line)) => line,
            Err(fault) if fault.reason == Reason::Hang && silent.take().is_some() => {
                wire.send("uci")?;
                continue;
            }
            Err(fault) => return Err(fault.while_waiting_for("ugiok or uciok")),
        };
        match line.split_ascii_whitespace().next().unwrap_or_default() {
            "ugiok" => return Ok(Speech::Ugi),
            "uciok" => return Ok(Speech::Uci),
            word if word.starts_with('?') => return Ok(Speech::Gtp),
            "UNKNOWN" | "ERROR" => return Ok(Speech::Gomocup),
            _ => {}
        }
    }
}
