//! Hub, the protocol of draughts engines: `pos` with the board, `level`, `go think`, and `done move=…`.
//!
//! With a board go the moves of kings that led to it, so that the engine sees repetitions; other moves cannot be taken back. An
//! engine of Hub is silent until it is greeted: its dialect must be given.
//! CITE: F. Letouzey, "Hub protocol for draughts", version 2, 2017 (in the archive of Scan 3).

use std::time::{Duration, Instant};

use super::{Dialect, Speech};
use crate::engine::{Answer, Fault, Question, Wire};
use crate::limits::Turn;
use crate::record::{Reason, Thought};
use crate::referee::{Referee, Style};
use crate::spec::Spec;

/// The variants of Scan and other engines, and the games that they are; other games go by their own names.
const VARIANTS: [(&str, &str); 4] = [
    ("draughts:international", "normal"),
    ("draughts:breakthrough", "bt"),
    ("draughts:frisian", "frisian"),
    ("draughts:losing", "losing"),
];

pub(super) struct Hub;

impl Hub {
    pub(super) fn greet(
        wire: &mut Wire,
        spec: &Spec,
        referee: &Referee,
    ) -> Result<(Box<dyn Dialect>, Option<String>), Fault> {
        let Some(rules) = referee.game().strip_prefix("draughts:") else {
            return Err(Fault::new(Reason::Position, format!("Hub is for draughts, not for {}", referee.game())));
        };
        let deadline = Instant::now() + spec.patience;
        let (mut name, mut variant) = (None, None);
        wire.send("hub")?;
        loop {
            let (_, line) = wire.line(deadline).map_err(|fault| fault.while_waiting_for("wait"))?;
            match line.split_ascii_whitespace().next() {
                Some("wait") => break,
                Some("id") => name = value(&line, "name").map(str::to_owned),
                Some("param") if value(&line, "name") == Some("variant") => {
                    variant = value(&line, "value").map(str::to_owned);
                }
                _ => {}
            }
        }
        let known = VARIANTS.iter().find(|(game, _)| *game == referee.game());
        let wanted = spec.variant.as_deref().unwrap_or(known.map_or(rules, |(_, variant)| *variant));
        match variant {
            Some(now) if now != wanted => wire.send(&format!("set-param name=variant value={wanted}"))?,
            None if wanted != VARIANTS[0].1 => {
                return Err(Fault::new(Reason::Position, format!("it plays no variants, so not {}", referee.game())));
            }
            _ => {}
        }
        for (name, value) in &spec.options {
            wire.send(&format!("set-param name={} value={}", quoted(name), quoted(value)))?;
        }
        for line in &spec.init {
            wire.send(line)?;
        }
        wait_for(wire, "init", "ready", spec.patience)?;
        Ok((Box::new(Hub), name))
    }
}

/// Sends a command and waits for its answer.
fn wait_for(wire: &mut Wire, command: &str, answer: &str, patience: Duration) -> Result<(), Fault> {
    wire.send(command)?;
    let deadline = Instant::now() + patience;
    loop {
        let (_, line) = wire.line(deadline).map_err(|fault| fault.while_waiting_for(answer))?;
        if line.trim() == answer {
            return Ok(());
        }
        if let Some(said) = value(&line, "message").filter(|_| line.starts_with("error ")) {
            return Err(Fault::new(Reason::Crash, format!("it reports an error: {said}")));
        }
    }
}

/// The value of an argument, without its quotes.
fn value<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let at = line.find(&format!(" {name}="))? + name.len() + 2;
    let rest = &line[at..];
    match rest.strip_prefix('"') {
        Some(quoted) => Some(quoted.split('"').next().unwrap_or(quoted)),
        None => rest.split_ascii_whitespace().next(),
    }
}

fn quoted(text: &str) -> String {
    let is_plain = !text.is_empty() && !text.contains(|c: char| c.is_whitespace() || c == '=');
    if is_plain { text.to_owned() } else { format!("\"{text}\"") }
}

/// The limits of a move.
fn level(turn: &Turn) -> String {
    let seconds = |time: Duration| format!("{:.3}", time.as_secs_f64());
    let mut line = "level".to_owned();
    let limits = turn.limits;
    if let Some(depth) = limits.depth {
        line += &format!(" depth={depth}");
    }
    if let Some(nodes) = limits.nodes {
        line += &format!(" nodes={nodes}");
    }
    if let Some(time) = limits.movetime {
        line += &format!(" move-time={}", seconds(time));
    }
    if let (Some(left), Some((_, increment))) = (turn.left, limits.clock) {
        line += &format!(" time={} inc={}", seconds(left[turn.side.index()]), seconds(increment));
    }
    if line == "level" { "level infinite".into() } else { line }
}

/// The position before the moves of kings that led to the present one, and these moves.
fn position(referee: &Referee) -> String {
    let (boards, moves) = (referee.written_boards(), referee.moves_in(Style::Drops));
    let is_kings = |at: &usize| {
        let from = moves[*at].split('-').next().and_then(|square| square.parse::<usize>().ok());
        !moves[*at].contains('x')
            && from.and_then(|square| boards[*at].as_bytes().get(square)).is_some_and(u8::is_ascii_uppercase)
    };
    let first = (0..moves.len()).rev().take_while(is_kings).last().unwrap_or(moves.len());
    let mut line = format!("pos pos={}", boards[first]);
    if first < moves.len() {
        line += &format!(" moves=\"{}\"", moves[first..].join(" "));
    }
    line
}

impl Dialect for Hub {
    fn speech(&self) -> Speech {
        Speech::Hub
    }

    fn new_game(&mut self, wire: &mut Wire, patience: Duration) -> Result<(), Fault> {
        wire.send("new-game")?;
        wait_for(wire, "ping", "pong", patience)
    }

    fn think(&mut self, wire: &mut Wire, question: &Question<'_>) -> Result<Answer, Fault> {
        wire.send(&position(question.referee))?;
        wire.send(&level(question.turn))?;
        let asked = wire.ask("go think", question.patience)?;
        let (mut thought, mut lines) = (Thought::default(), Vec::new());
        loop {
            let (came, line) = wire.hear(&asked)?;
            match line.split_ascii_whitespace().next() {
                Some("done") => {
                    let Some(best) = value(&line, "move") else {
                        return Err(Fault::new(Reason::Garbage, "done without a move"));
                    };
                    return Ok(wire.answered(&asked, came, (Style::Drops, best), thought, lines));
                }
                Some("info") => read_info(&line, &mut thought, &mut lines),
                _ => {}
            }
        }
    }

    fn farewell(&self) -> &'static str {
        "quit"
    }
}

/// Takes the numbers of a line with a score, which is in men.
fn read_info(line: &str, thought: &mut Thought, lines: &mut Vec<String>) {
    if let Some(men) = value(line, "score").and_then(|score| score.parse::<f64>().ok()) {
        thought.score = Some(format!("cp {:.0}", 100.0 * men));
        thought.depth = value(line, "depth").and_then(|depth| depth.parse().ok()).or(thought.depth);
        thought.nodes = value(line, "nodes").and_then(|nodes| nodes.parse().ok()).or(thought.nodes);
    }
    if let Some(pv) = value(line, "pv").filter(|pv| !pv.is_empty()) {
        lines.push(pv.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;
    use griot::game::Side;

    #[test]
    fn values_are_read_with_and_without_quotes() {
        let line = "info depth=21 mean-depth=20.8 score=-0.01 nodes=312 time=3.9 pv=\"32-28 17-22 28x17x22\"";
        assert_eq!(
            (value(line, "depth"), value(line, "score"), value(line, "move")),
            (Some("21"), Some("-0.01"), None)
        );
        let (mut thought, mut lines) = (Thought::default(), Vec::new());
        read_info(line, &mut thought, &mut lines);
        assert_eq!((thought.score.as_deref(), thought.depth, thought.nodes), (Some("cp -1"), Some(21), Some(312)));
        assert_eq!(lines, ["32-28 17-22 28x17x22"]);
    }

    #[test]
    fn the_moves_of_kings_are_told_and_no_others() {
        let mut referee = Referee::new("draughts:international").unwrap();
        assert!(position(&referee).starts_with("pos pos=Wbbbb"), "{}", position(&referee));
        referee.begin(Some("W:WK50,36:B6,K1")).unwrap();
        for mv in ["36-31", "1-7", "50-44", "7-1"] {
            assert!(referee.play(mv).is_some(), "{mv}");
        }
        let told = position(&referee);
        assert!(told.starts_with("pos pos=BBeeeeb") && told.ends_with(" moves=\"1-7 50-44 7-1\""), "{told}");
    }

    #[test]
    fn a_level_has_every_limit_and_times_in_seconds() {
        let seconds = Duration::from_secs;
        let clock = Limits { clock: Some((seconds(90), seconds(2))), ..Limits::default() };
        let turn = Turn { side: Side::Second, limits: clock, left: Some([seconds(84), seconds(92)]) };
        assert_eq!(level(&turn), "level time=92.000 inc=2.000");
        let movetime = Some(Duration::from_millis(50));
        let fixed = Limits { depth: Some(9), nodes: Some(5000), movetime, ..Limits::default() };
        assert_eq!(level(&Turn { limits: fixed, left: None, ..turn }), "level depth=9 nodes=5000 move-time=0.050");
    }
}
