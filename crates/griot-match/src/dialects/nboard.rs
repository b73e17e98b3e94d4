//! NBoard, the protocol of Othello's front end: the whole game as GGF with every question, `go`, and `=== MOVE/EVAL/TIME`.
//!
//! A depth limit is `set depth`; clocks are part of the game. The protocol has no time for a single move.
//! CITE: C. Welty, "NBoard Protocol", version 2, 2014 (in the NTest repository).

use std::time::{Duration, Instant};

use griot::game::Side;
use griot::registry::Registry;
use griot_records::{Format, Record};

use super::{Dialect, Speech};
use crate::engine::{Answer, Fault, Question, Wire};
use crate::limits::Turn;
use crate::record::{Reason, Thought};
use crate::referee::{PASS, Referee, Style};
use crate::spec::Spec;

pub(super) struct NBoard {
    pings: u64,
    depth: Option<u32>,
}

impl NBoard {
    pub(super) fn greet(
        wire: &mut Wire,
        spec: &Spec,
        referee: &Referee,
    ) -> Result<(Box<dyn Dialect>, Option<String>), Fault> {
        if referee.game() != "othello" {
            return Err(Fault::new(Reason::Position, format!("NBoard is for Othello, not for {}", referee.game())));
        }
        let mut nboard = NBoard { pings: 0, depth: None };
        wire.send("nboard 2")?;
        for (name, value) in &spec.options {
            wire.send(&format!("set {name} {value}"))?;
        }
        for line in &spec.init {
            wire.send(line)?;
        }
        let mut name = None;
        nboard.ping(wire, spec.patience, |line| {
            if let Some(own) = line.strip_prefix("set myname ") {
                name = Some(own.trim().to_owned());
            }
        })?;
        Ok((Box::new(nboard), name))
    }

    /// Waits until the engine has done all that it was told.
    fn ping(&mut self, wire: &mut Wire, patience: Duration, mut hear: impl FnMut(&str)) -> Result<(), Fault> {
        self.pings += 1;
        let pong = format!("pong {}", self.pings);
        wire.send(&format!("ping {}", self.pings))?;
        let deadline = Instant::now() + patience;
        loop {
            let (_, line) = wire.line(deadline).map_err(|fault| fault.while_waiting_for(&pong))?;
            if line.trim() == pong {
                return Ok(());
            }
            hear(&line);
        }
    }
}

/// The game so far. Of the time that a side has used, all stands behind its last move.
fn game(referee: &Referee, turn: &Turn) -> String {
    let mut record = Record::new(referee.game(), Format::Ggf);
    record.start = referee.start().map(str::to_owned);
    record.players = [Some("black".into()), Some("white".into())];
    record.push_tag("PC", "griot-match");
    if let Some((base, increment)) = turn.limits.clock {
        let time = |time: Duration| format!("{}:{:02}", time.as_secs() / 60, time.as_secs() % 60);
        record.push_tag("TI", format!("{}/{}", time(base), time(increment)));
    }
    let moves = referee.moves();
    let last = |side: Side| (0..moves.len()).rfind(|&at| referee.side_of(at) == side);
    let mut node = 0;
    for (at, mv) in moves.iter().enumerate() {
        let side = referee.side_of(at);
        node = record.add(node, mv.as_str());
        if let (Some(left), Some((base, increment)), true) = (turn.left, turn.limits.clock, last(side) == Some(at)) {
            let own = (0..moves.len()).filter(|&at| referee.side_of(at) == side).count();
            let given = base + increment * u32::try_from(own).unwrap_or(u32::MAX);
            let spent = given.saturating_sub(left[side.index()]).as_secs_f64();
            record.notes_mut(node).spent = Some((spent * 1000.0).round() / 1000.0);
        }
    }
    // The referee has played it, so that it can be written.
    griot_records::write(&record, Format::Ggf, &Registry).unwrap_or_default().trim_end().to_owned()
}

impl Dialect for NBoard {
    fn speech(&self) -> Speech {
        Speech::NBoard
    }

    fn new_game(&mut self, wire: &mut Wire, patience: Duration) -> Result<(), Fault> {
        self.ping(wire, patience, |_| {})
    }

    fn think(&mut self, wire: &mut Wire, question: &Question<'_>) -> Result<Answer, Fault> {
        // With a clock alone, nothing else is to end the search.
        let depth = question.turn.limits.depth.unwrap_or(60);
        let is_told = !question.turn.limits.is_empty();
        if is_told && self.depth != Some(depth) {
            wire.send(&format!("set depth {depth}"))?;
            self.depth = Some(depth);
        }
        wire.send(&format!("set game {}", game(question.referee, question.turn)))?;
        self.ping(wire, question.patience, |_| {})?;
        let asked = wire.ask("go", question.patience)?;
        let (mut thought, mut lines) = (Thought::default(), Vec::new());
        loop {
            let (came, line) = wire.hear(&asked)?;
            let mut words = line.split(['/', ' ', '\t']).filter(|word| !word.is_empty());
            match words.next() {
                Some("===") => {
                    let Some(best) = words.next() else {
                        return Err(Fault::new(Reason::Garbage, "=== without a move"));
                    };
                    let best = own_move(best);
                    return Ok(wire.answered(&asked, came, (Style::Coordinates, &best), thought, lines));
                }
                Some("search") => read_search(&line, &mut thought, &mut lines),
                Some("nodestats") => thought.nodes = words.next().and_then(|count| count.parse().ok()),
                _ => {}
            }
        }
    }

    fn farewell(&self) -> &'static str {
        "quit"
    }
}

/// A move as griot writes it.
fn own_move(text: &str) -> String {
    if text.to_ascii_uppercase().starts_with("PA") { PASS.into() } else { text.to_ascii_lowercase() }
}

/// Takes `search PV EVAL 0 DEPTH …`; evaluations are discs.
fn read_search(line: &str, thought: &mut Thought, lines: &mut Vec<String>) {
    let mut words = line.split_ascii_whitespace().skip(1);
    let (pv, eval, depth) = (words.next().unwrap_or_default(), words.next(), words.nth(1));
    let eval = eval.and_then(|eval| eval.split(',').next()?.parse::<f64>().ok());
    if let Some(eval) = eval {
        thought.score = Some(format!("cp {:.0}", 100.0 * eval));
    }
    let digits = depth.map(|depth| depth.chars().take_while(char::is_ascii_digit).collect::<String>());
    // A depth in per cent is the certainty of an endgame search.
    if depth.is_some_and(|depth| !depth.contains('%')) {
        thought.depth = digits.and_then(|digits| digits.parse().ok()).or(thought.depth);
    }
    let letters: Vec<char> = pv.chars().filter(char::is_ascii_alphanumeric).collect();
    let moves: Vec<String> = letters.chunks(2).map(|two| own_move(&two.iter().collect::<String>())).collect();
    lines.push(moves.join(" "));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;

    #[test]
    fn a_line_of_search_has_its_numbers_and_its_moves() {
        let (mut thought, mut lines) = (Thought::default(), Vec::new());
        read_search("search F5-d6PAc4 -1.25 0 12@98% some text", &mut thought, &mut lines);
        assert_eq!((thought.score.as_deref(), thought.depth), (Some("cp -125"), None));
        read_search("search f5 2.5,-1 0 9 x", &mut thought, &mut lines);
        assert_eq!((thought.score.as_deref(), thought.depth), (Some("cp 250"), Some(9)));
        assert_eq!(lines, ["f5 d6 0000 c4", "f5"]);
    }

    #[test]
    fn the_game_tells_what_is_left_of_the_clocks() {
        let mut referee = Referee::new("othello").unwrap();
        for mv in ["f5", "d6", "c3"] {
            referee.play(mv).unwrap();
        }
        let seconds = Duration::from_secs;
        let limits = Limits { clock: Some((seconds(90), seconds(2))), ..Limits::default() };
        let turn = Turn { side: Side::Second, limits, left: Some([seconds(84), seconds(92)]) };
        let text = game(&referee, &turn);
        assert!(text.contains("TI[1:30/0:02]PB[black]PW[white]RE[?]TY[8]BO[8 -------- "), "{text}");
        assert!(text.ends_with(" *]B[F5]W[D6//0.000]B[C3//10.000];)"), "{text}");
    }
}
