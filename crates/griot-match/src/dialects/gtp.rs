//! GTP: the engine keeps the game and gets one move at a time; every command has one answer, `=` or `?`.
//!
//! Black is the player who begins. GTP has no board texts, so games begin at the start position. Times are whole seconds unless
//! the engine's settings say otherwise; a clock is rounded down.
//! CITE: G. Farnebäck, "Specification of the Go Text Protocol, version 2, draft 2", 2002.

use std::time::{Duration, Instant};

use griot::game::Side;

use super::{Dialect, Speech};
use crate::engine::{Answer, Fault, Question, Wire, quoted};
use crate::limits::Turn;
use crate::record::{Reason, Thought};
use crate::referee::{Named, PASS, Referee, Style};
use crate::spec::{Clocks, Spec};

pub(super) struct Gtp {
    /// The moves that the engine knows of, in griot's own style.
    known: Vec<String>,
    /// The last time settings that it was told in this game.
    settings: Option<String>,
    clocks: Clocks,
    knows_time: bool,
    patience: Duration,
}

impl Gtp {
    pub(super) fn greet(
        wire: &mut Wire,
        spec: &Spec,
        referee: &Referee,
    ) -> Result<(Box<dyn Dialect>, Option<String>), Fault> {
        let patience = spec.patience;
        // The answers to what was said in other dialects come first.
        wire.send("protocol_version")?;
        let deadline = Instant::now() + patience;
        let version = loop {
            let answer = answer(wire, deadline).map_err(|fault| fault.while_waiting_for("an answer of GTP"))?;
            if let Ok(version) = answer {
                break version;
            }
        };
        if !matches!(version.trim(), "1" | "2") {
            return Err(Fault::new(Reason::Garbage, format!("GTP of version {}", quoted(&version))));
        }
        let name = ask(wire, "name", patience)?.ok();
        let version = ask(wire, "version", patience)?.ok();
        let commands = ask(wire, "list_commands", patience)?.unwrap_or_default();
        let knows = |command: &str| commands.split_ascii_whitespace().any(|known| known == command);
        for (name, value) in &spec.options {
            must(wire, format!("{name} {value}").trim(), patience)?;
        }
        for line in &spec.init {
            must(wire, line, patience)?;
        }
        if let Some(side) = referee.side_of_board()
            && knows("boardsize")
        {
            must(wire, &format!("boardsize {side}"), patience)?;
        }
        let knows_time = knows("time_settings");
        let clocks = spec.manner.clocks;
        let gtp = Gtp { known: Vec::new(), settings: None, clocks, knows_time, patience };
        let full_name = name.map(|name| match version {
            Some(version) if !version.trim().is_empty() => format!("{name} {version}"),
            _ => name,
        });
        Ok((Box::new(gtp), full_name))
    }

    /// Tells the moves that the engine does not know of.
    fn tell_moves(&mut self, wire: &mut Wire, referee: &Referee) -> Result<(), Fault> {
        if referee.begins_elsewhere() {
            return Err(Fault::new(Reason::Position, "GTP has no board texts: take openings of moves"));
        }
        let moves = referee.moves();
        if !moves.starts_with(&self.known) {
            must(wire, "clear_board", self.patience)?;
            self.known.clear();
        }
        let names = referee.moves_in(Style::Letters);
        for at in self.known.len()..moves.len() {
            let line = format!("play {} {}", colour(referee.side_of(at)), names[at]);
            match ask(wire, &line, self.patience)? {
                Ok(_) => {}
                // Engines that pass by themselves take no pass.
                Err(_) if moves[at] == PASS => {}
                Err(said) => {
                    let detail = format!("'{line}' was refused: {}", quoted(&said));
                    return Err(Fault::new(Reason::Position, detail));
                }
            }
            self.known.push(moves[at].clone());
        }
        Ok(())
    }

    /// Tells how much time there is.
    fn tell_time(&mut self, wire: &mut Wire, turn: &Turn) -> Result<(), Fault> {
        if !self.knows_time || self.clocks == Clocks::Untold {
            return Ok(());
        }
        let seconds = |time: Duration| match self.clocks {
            Clocks::Decimal => format!("{:.3}", time.as_secs_f64()),
            _ => time.as_secs().to_string(),
        };
        let settings = match (turn.limits.movetime, turn.limits.clock) {
            (Some(time), _) => format!("time_settings 0 {} 1", seconds(time)),
            (None, Some((base, _))) => format!("time_settings {} 0 0", seconds(base)),
            (None, None) => return Ok(()),
        };
        if self.settings.as_ref() != Some(&settings) {
            // An engine may do without: what it takes is looked at by the referee.
            let _ = ask(wire, &settings, self.patience)?;
            self.settings = Some(settings);
        }
        if let Some(left) = turn.left {
            for side in [Side::First, Side::Second] {
                let line = format!("time_left {} {} 0", colour(side), seconds(left[side.index()]));
                let _ = ask(wire, &line, self.patience)?;
            }
        }
        Ok(())
    }
}

impl Dialect for Gtp {
    fn speech(&self) -> Speech {
        Speech::Gtp
    }

    fn new_game(&mut self, wire: &mut Wire, patience: Duration) -> Result<(), Fault> {
        self.known.clear();
        self.settings = None;
        must(wire, "clear_board", patience)
    }

    fn think(&mut self, wire: &mut Wire, question: &Question<'_>) -> Result<Answer, Fault> {
        self.tell_moves(wire, question.referee)?;
        self.tell_time(wire, question.turn)?;
        let command = format!("genmove {}", colour(question.turn.side));
        let asked = wire.ask(&command, question.patience)?;
        let mut heard = asked.clone();
        // A piece that moves goes by several points, each of which the engine is asked for.
        let mut points = Vec::new();
        loop {
            let (came, line) = wire.hear(&heard)?;
            if let Some(said) = line.strip_prefix('?') {
                return Err(Fault::new(Reason::Garbage, format!("genmove was refused: {}", quoted(said.trim()))));
            }
            let Some(said) = line.strip_prefix('=') else { continue };
            let best = said.trim();
            if best.is_empty() {
                return Err(Fault::new(Reason::Garbage, "an answer to genmove without a move"));
            }
            points.push(best.to_owned());
            match question.referee.named(&points) {
                Named::Part => {
                    heard = wire.ask(&command, question.patience)?;
                    continue;
                }
                Named::Move(own) => {
                    self.known.push(own.clone());
                    let best = (Style::Coordinates, own.as_str());
                    return Ok(wire.answered(&asked, came, best, Thought::default(), Vec::new()));
                }
                Named::Nothing => {}
            }
            // The engine has played it on its own board.
            if let Some(own) = question.referee.own_text(Style::Letters, best) {
                self.known.push(own);
            }
            return Ok(wire.answered(&asked, came, (Style::Letters, best), Thought::default(), Vec::new()));
        }
    }

    fn farewell(&self) -> &'static str {
        "quit"
    }
}

fn colour(side: Side) -> &'static str {
    match side {
        Side::First => "b",
        Side::Second => "w",
    }
}

/// What the engine answers, up to the blank line at its end; `?` is an error.
fn answer(wire: &mut Wire, deadline: Instant) -> Result<Result<String, String>, Fault> {
    let mut said: Option<(bool, String)> = None;
    loop {
        let (_, line) = wire.line(deadline)?;
        match &mut said {
            None => {
                let is_good = line.starts_with('=');
                if is_good || line.starts_with('?') {
                    said = Some((is_good, line[1..].trim().to_owned()));
                }
            }
            Some((is_good, text)) if line.is_empty() => {
                let text = std::mem::take(text);
                return Ok(if *is_good { Ok(text) } else { Err(text) });
            }
            Some((_, text)) => {
                text.push('\n');
                text.push_str(&line);
            }
        }
    }
}

fn ask(wire: &mut Wire, line: &str, patience: Duration) -> Result<Result<String, String>, Fault> {
    wire.send(line)?;
    answer(wire, Instant::now() + patience).map_err(|fault| fault.while_waiting_for(&format!("the answer to '{line}'")))
}

/// Asks for what must not be refused.
fn must(wire: &mut Wire, line: &str, patience: Duration) -> Result<(), Fault> {
    match ask(wire, line, patience)? {
        Ok(_) => Ok(()),
        Err(said) => Err(Fault::new(Reason::Position, format!("'{line}' was refused: {}", quoted(&said)))),
    }
}
