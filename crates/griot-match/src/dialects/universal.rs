//! UGI and UCI: `position` with the whole game, `go`, `info`, `bestmove`.

use std::time::{Duration, Instant};

use griot::message::DialectName;
use griot::protocol::{Words, words};

use super::{Dialect, Speech};
use crate::engine::{Answer, Fault, Question, Wire};
use crate::limits::Turn;
use crate::record::{Reason, Thought};
use crate::referee::{Referee, Style};
use crate::spec::{Manner, Moves, Spec};

/// Lines of play that are kept of one search, the last ones.
const LINES_KEPT: usize = 64;

pub(super) struct Universal {
    speech: Speech,
    style: Style,
    manner: Manner,
}

impl Universal {
    pub(super) fn greet(
        wire: &mut Wire,
        spec: &Spec,
        speech: Speech,
        referee: &Referee,
    ) -> Result<(Box<dyn Dialect>, Option<String>), Fault> {
        let mut universal = Universal { speech, style: Style::Coordinates, manner: spec.manner.clone() };
        let deadline = Instant::now() + spec.patience;
        let (mut name, mut offers) = (None, Vec::new());
        wire.send(universal.words().greeting)?;
        loop {
            let ok = universal.words().ok;
            let (_, line) = wire.line(deadline).map_err(|fault| fault.while_waiting_for(ok))?;
            let line = line.trim();
            if line == ok {
                break;
            } else if line.starts_with("option ") {
                offers.push(line.to_owned());
            } else if let Some(own) = line.strip_prefix("id name ") {
                name = Some(own.trim().to_owned());
            }
        }
        universal.set_up(wire, spec, &offers, referee)?;
        Ok((Box::new(universal), name))
    }

    fn words(&self) -> &'static Words {
        words(if self.speech == Speech::Uci { DialectName::Uci } else { DialectName::Ugi })
    }

    /// Chooses the game, sets the user's options, and waits until the engine is ready.
    fn set_up(&mut self, wire: &mut Wire, spec: &Spec, offers: &[String], referee: &Referee) -> Result<(), Fault> {
        let by_user = |name: &str| spec.options.iter().any(|(option, _)| option.eq_ignore_ascii_case(name));
        let offers_game = offers.iter().any(|line| option_name(line).eq_ignore_ascii_case("Game"));
        let is_uci = self.speech == Speech::Uci;
        let offered = is_uci && offers.iter().any(|line| offers_choice(line, "UCI_Variant", referee.game()));
        let variant = spec.variant.clone().or_else(|| offered.then(|| referee.game().to_owned()));
        let chosen = by_user("Game") || by_user("UCI_Variant");
        match &variant {
            Some(variant) if !chosen => set_option(wire, "UCI_Variant", variant)?,
            None if !chosen && offers_game => set_option(wire, "Game", referee.game())?,
            _ => {}
        }
        for (name, value) in &spec.options {
            set_option(wire, name, value)?;
        }
        for line in &spec.init {
            wire.send(line)?;
        }
        let by_variant = is_uci && (by_user("UCI_Variant") || variant.is_some() && !by_user("Game"));
        let fitting = if by_variant && referee.has_drops() { Style::Drops } else { Style::Coordinates };
        self.style = spec.style.unwrap_or(fitting);
        match wait_until_ready(wire, spec.patience)? {
            Some(problem) => Err(Fault::new(Reason::Crash, format!("it refuses what it is told: {problem}"))),
            None => Ok(()),
        }
    }

    /// The `go` command.
    fn go(&self, turn: &Turn) -> String {
        let mut line = "go".to_owned();
        let words = self.words();
        if let (Some(left), Some((_, increment))) = (turn.left, turn.limits.clock) {
            for (name, time) in words.time.iter().zip(left) {
                line += &format!(" {name} {}", time.as_millis());
            }
            for name in words.increment {
                line += &format!(" {name} {}", increment.as_millis());
            }
        }
        let limits = turn.limits;
        line += &limits.movetime.map_or(String::new(), |time| format!(" movetime {}", time.as_millis()));
        line += &limits.depth.map_or(String::new(), |depth| format!(" depth {depth}"));
        line + &limits.nodes.map_or(String::new(), |nodes| format!(" nodes {nodes}"))
    }
}

impl Dialect for Universal {
    fn speech(&self) -> Speech {
        self.speech
    }

    fn new_game(&mut self, wire: &mut Wire, patience: Duration) -> Result<(), Fault> {
        wire.send(self.words().new_game)?;
        wait_until_ready(wire, patience).map(|_| ())
    }

    fn think(&mut self, wire: &mut Wire, question: &Question<'_>) -> Result<Answer, Fault> {
        let between = if self.manner.moves == Moves::Glued { "" } else { " " };
        wire.send(&question.referee.position_command(self.style, between, &self.manner.pass))?;
        let asked = wire.ask(&self.go(question.turn), question.patience)?;
        let mut thought = Thought::default();
        let mut lines = Vec::new();
        loop {
            let (came, line) = wire.hear(&asked)?;
            let mut words = line.split_ascii_whitespace();
            match words.next() {
                Some("info") => {
                    read_info(line.trim_start().trim_start_matches("info"), &mut thought, &mut lines);
                    if lines.len() > LINES_KEPT {
                        lines.remove(0);
                    }
                }
                Some("bestmove") => {
                    let Some(best) = words.next() else {
                        return Err(Fault::new(Reason::Garbage, "bestmove without a move"));
                    };
                    let best = self.manner.own_pass(best, question.referee);
                    return Ok(wire.answered(&asked, came, (self.style, &best), thought, lines));
                }
                _ => {}
            }
        }
    }

    fn farewell(&self) -> &'static str {
        "stop\nquit"
    }
}

fn set_option(wire: &mut Wire, name: &str, value: &str) -> Result<(), Fault> {
    wire.send(&if value.is_empty() {
        format!("setoption name {name}")
    } else {
        format!("setoption name {name} value {value}")
    })
}

/// Waits until an engine has done what it was told; the first thing that it refused, in griot's words.
fn wait_until_ready(wire: &mut Wire, patience: Duration) -> Result<Option<String>, Fault> {
    let deadline = Instant::now() + patience;
    wire.send("isready")?;
    let mut refused = None;
    loop {
        let (_, line) = wire.line(deadline).map_err(|fault| fault.while_waiting_for("readyok"))?;
        if line.trim() == "readyok" {
            return Ok(refused);
        }
        refused = refused.or_else(|| line.trim().strip_prefix("info string error: ").map(str::to_owned));
    }
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

/// Takes the numbers of an `info` line that has a score, the last one counts; and its line of play, which goes to `lines`.
pub(super) fn read_info(info: &str, thought: &mut Thought, lines: &mut Vec<String>) {
    let mut words = info.split_ascii_whitespace();
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
            // Some tell both, the balance and the distance.
            "mate" if said.score.is_some() => {
                if let Some(number) = words.next().and_then(|number| number.parse::<i64>().ok()) {
                    said.score = Some(format!("mate {number}"));
                }
            }
            "pv" => {
                lines.push(words.collect::<Vec<&str>>().join(" "));
                break;
            }
            "string" => break,
            _ => {}
        }
    }
    if said.score.is_some() {
        *thought = Thought {
            depth: said.depth.or(thought.depth),
            nodes: said.nodes.or(thought.nodes),
            score: said.score,
            ..Thought::default()
        };
    }
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
    fn the_last_info_line_with_a_score_counts_and_every_line_of_play() {
        let (mut thought, mut lines) = (Thought::default(), Vec::new());
        for line in [
            "depth 3 seldepth 9 score cp -12 upperbound nodes 70 nps 1 pv depth 4",
            "depth 4 currmove a1 currmovenumber 1",
            "score cp 2600 mate 3 depth x string score cp 5",
            "string depth 7 score cp 8",
        ] {
            read_info(line, &mut thought, &mut lines);
        }
        let expected = Thought { depth: Some(3), score: Some("mate 3".into()), nodes: Some(70), ..Thought::default() };
        assert_eq!((thought, lines), (expected, vec!["depth 4".to_owned()]));
    }
}
