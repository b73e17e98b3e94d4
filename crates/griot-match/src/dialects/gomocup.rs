//! The protocol of gomoku tournaments: `START`, `BEGIN`, `TURN x,y`, `BOARD … DONE`, and an answer of two numbers from 0.
//!
//! Black is the player who begins. A game that the engine has not followed is sent by `BOARD`.
//! CITE: M. Petříček, P. Laštovička, "Gomoku AI protocol", 2000-2020.

use std::time::{Duration, Instant};

use griot::message::FiveRule;

use super::universal::read_info;
use super::{Dialect, Speech};
use crate::engine::{Answer, Fault, Question, Wire, quoted};
use crate::limits::Turn;
use crate::record::{Reason, Thought};
use crate::referee::{FiveInARow, Referee, Style};
use crate::spec::Spec;

/// What a manager says when there is no limit.
const NO_LIMIT: u128 = i32::MAX as u128;

pub(super) struct Gomocup {
    five: FiveInARow,
    /// The moves that the engine knows of, in griot's own style.
    known: Vec<String>,
    options: Vec<(String, String)>,
    /// What was said of the time of a move and of a match.
    told: Option<(u128, u128)>,
    /// What was last said of the time left.
    left: String,
}

impl Gomocup {
    pub(super) fn greet(
        wire: &mut Wire,
        spec: &Spec,
        referee: &Referee,
    ) -> Result<(Box<dyn Dialect>, Option<String>), Fault> {
        let Some(five) = referee.five_in_a_row() else {
            let detail = format!("Gomocup is for five in a row, not for {}", referee.game());
            return Err(Fault::new(Reason::Position, detail));
        };
        let mut gomocup =
            Gomocup { five, known: Vec::new(), options: spec.options.clone(), told: None, left: String::new() };
        wire.send("ABOUT")?;
        let deadline = Instant::now() + spec.patience;
        // Refusals of what was said in other dialects may come before it.
        let name = loop {
            let (_, line) = wire.line(deadline).map_err(|fault| fault.while_waiting_for("the answer to ABOUT"))?;
            if line.contains('=') {
                break about(&line);
            }
        };
        for line in &spec.init {
            wire.send(line)?;
        }
        gomocup.start(wire, spec.patience)?;
        Ok((Box::new(gomocup), name))
    }

    fn start(&mut self, wire: &mut Wire, patience: Duration) -> Result<(), Fault> {
        let FiveInARow { cols, rows, rule } = self.five;
        let line = if cols == rows { format!("START {cols}") } else { format!("RECTSTART {cols},{rows}") };
        wire.send(&line)?;
        let deadline = Instant::now() + patience;
        loop {
            let (_, said) = wire.line(deadline).map_err(|fault| fault.while_waiting_for("OK"))?;
            match said.split_ascii_whitespace().next() {
                Some("OK") => break,
                Some("ERROR" | "UNKNOWN") if !self.is_about_info(&said) => {
                    return Err(Fault::new(Reason::Position, format!("'{line}' was refused: {}", quoted(&said))));
                }
                _ => {}
            }
        }
        self.known.clear();
        self.told = None;
        let rule = match rule {
            FiveRule::OrMore => 0,
            FiveRule::Exactly => 1,
            FiveRule::Renju => 4,
        };
        wire.send(&format!("INFO rule {rule}"))?;
        wire.send("INFO game_type 1")?;
        for (name, value) in &self.options {
            wire.send(&format!("INFO {name} {value}"))?;
        }
        Ok(())
    }

    fn tell_time(&mut self, wire: &mut Wire, turn: &Turn) -> Result<(), Fault> {
        let whole = turn.limits.clock.map_or(0, |(base, _)| base.as_millis());
        // A time of 0 for a move is as little as can be.
        let each = turn.limits.movetime.map_or(if whole > 0 { whole } else { NO_LIMIT }, |time| time.as_millis());
        if self.told != Some((each, whole)) {
            wire.send(&format!("INFO timeout_turn {each}"))?;
            wire.send(&format!("INFO timeout_match {whole}"))?;
            self.told = Some((each, whole));
        }
        let left = turn.left.map_or(NO_LIMIT, |left| left[turn.side.index()].as_millis());
        self.left = left.to_string();
        wire.send(&format!("INFO time_left {left}"))?;
        if let Some(nodes) = turn.limits.nodes {
            wire.send(&format!("INFO max_node {nodes}"))?;
        }
        if let Some(depth) = turn.limits.depth {
            wire.send(&format!("INFO max_depth {depth}"))?;
        }
        Ok(())
    }

    /// Whether a refusal names what `INFO` said: a key, or the time left (not of two digits, as points have
    /// them). No engine need know that, and Rapfi refuses a part of it that comes while its last search is still ending: the answer
    /// to the question follows.
    fn is_about_info(&self, refusal: &str) -> bool {
        const SAID: [&str; 5] = ["timeout_turn", "timeout_match", "time_left", "max_node", "max_depth"];
        let mut words = refusal.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
        words.any(|word| {
            SAID.iter().any(|said| said.eq_ignore_ascii_case(word)) || (word.len() > 2 && word == self.left)
        })
    }

    /// The question, by what the engine knows of the game.
    fn question(&self, question: &Question<'_>) -> String {
        let referee = question.referee;
        let moves = referee.moves();
        let points = referee.moves_in(Style::Numbers);
        match moves.split_last() {
            None if !referee.begins_elsewhere() => "BEGIN".into(),
            Some((_, before)) if before == self.known => format!("TURN {}", points[points.len() - 1]),
            _ => {
                let mut lines = "BOARD\n".to_owned();
                for (point, side) in referee.stones() {
                    let whose = if side == question.turn.side { 1 } else { 2 };
                    lines += &format!("{point},{whose}\n");
                }
                lines + "DONE"
            }
        }
    }
}

impl Dialect for Gomocup {
    fn speech(&self) -> Speech {
        Speech::Gomocup
    }

    fn new_game(&mut self, wire: &mut Wire, patience: Duration) -> Result<(), Fault> {
        self.start(wire, patience)
    }

    fn think(&mut self, wire: &mut Wire, question: &Question<'_>) -> Result<Answer, Fault> {
        self.tell_time(wire, question.turn)?;
        let asked = wire.ask(&self.question(question), question.patience)?;
        let mut thought = Thought::default();
        loop {
            let (came, line) = wire.hear(&asked)?;
            let (first, rest) = line.split_once(' ').unwrap_or((&line, ""));
            match first {
                "MESSAGE" | "DEBUG" => read_info(rest, &mut thought, &mut Vec::new()),
                "ERROR" | "UNKNOWN" if !rest.is_empty() && !self.is_about_info(rest) => {
                    return Err(Fault::new(Reason::Garbage, format!("it refused the question: {}", quoted(&line))));
                }
                point if point.starts_with(|letter: char| letter.is_ascii_digit()) => {
                    let own = question.referee.own_text(Style::Numbers, point);
                    self.known = question.referee.moves().to_vec();
                    self.known.extend(own);
                    return Ok(wire.answered(&asked, came, (Style::Numbers, point), thought, Vec::new()));
                }
                _ => {}
            }
        }
    }

    fn farewell(&self) -> &'static str {
        "END"
    }
}

/// The name in an answer to `ABOUT`, with the version.
fn about(line: &str) -> Option<String> {
    let field = |key: &str| {
        let (_, rest) = line.split_once(key)?;
        let rest = rest.trim_start().strip_prefix('=')?.trim_start();
        let value = match rest.strip_prefix('"') {
            Some(quoted) => quoted.split('"').next()?,
            None => rest.split(',').next()?,
        };
        Some(value.trim().to_owned()).filter(|value| !value.is_empty())
    };
    let name = field("name")?;
    Some(match field("version") {
        Some(version) => format!("{name} {version}"),
        None => name,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_read_with_its_version() {
        for (line, name) in [
            (r#"name="griot", version="0.1.0", author="x""#, Some("griot 0.1.0")),
            (r#"name = "a b""#, Some("a b")),
            ("name=plain, version=2", Some("plain 2")),
            ("no fields = at all", None),
        ] {
            assert_eq!(about(line).as_deref(), name, "{line}");
        }
    }
}
