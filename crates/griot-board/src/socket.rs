//! Protocol lines over a WebSocket, for boards by others: one engine for each connection.
//!
//! A text frame is a line, in both directions. A page may send what a native client may, within limits: options that
//! name files are not offered, and memory and threads are bounded. The engine takes one of the seats of the page's
//! visitors for as long as the connection lasts. A client that is silent for too long, or does not read, is
//! disconnected.

use std::borrow::Cow;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code};
use axum::response::Response;
use griot_client::LONGEST_LINE;
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep, sleep_until};

use crate::engine::{Engine, Fault};
use crate::http::Door;
use crate::lobby::closes;
use crate::seats::Holder;
use crate::words::Refusal;

/// Where a WebSocket is opened.
pub(crate) const PATH: &str = "/engine";

/// The interval of pings, which detect clients that are gone.
const BEAT: Duration = Duration::from_secs(15);

/// How long a newcomer waits for a seat, and the pause between tries: after a reload, the old engine may still be
/// ending.
const SEAT_PATIENCE: Duration = Duration::from_secs(1);
const SEAT_PAUSE: Duration = Duration::from_millis(50);

/// The first words of the lines that are passed on: the UGI and UCI commands of `protocol.md`.
const COMMANDS: [&str; 14] = [
    "ugi",
    "uci",
    "isready",
    "debug",
    "setoption",
    "uginewgame",
    "ucinewgame",
    "position",
    "go",
    "stop",
    "ponderhit",
    "query",
    "help",
    "quit",
];

/// The limits of an engine behind a socket.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Share {
    /// Its transposition table, in MiB.
    pub(crate) hash: u32,
    pub(crate) threads: u32,
}

/// Opens a WebSocket with an engine.
///
/// # Errors
/// When the request is no WebSocket request, or there is no seat or no engine.
pub(crate) async fn open(
    State(door): State<Arc<Door>>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, Refusal> {
    let upgrade = upgrade.map_err(|rejection| Refusal::new("unreadable", rejection.body_text()))?;
    let shared = door.lobby.shared();
    let (holder, staying) = Holder::steadfast();
    let mut seat = shared.seats.take(&holder).await;
    let deadline = Instant::now() + SEAT_PATIENCE;
    while seat.is_none() && Instant::now() < deadline {
        sleep(SEAT_PAUSE).await;
        seat = shared.seats.take(&holder).await;
    }
    let seat = seat.ok_or_else(|| Refusal::new("full", ""))?;
    let failed = |fault: Fault| Refusal::new("engine_failed", fault.0);
    let mut engine = Engine::start(&shared.program).await.map_err(failed)?;
    let terms = Terms { options: engine.options().to_vec(), share: door.share };
    if engine.knows("Hash") {
        engine.tell(&format!("setoption name Hash value {}", door.share.hash)).await.map_err(failed)?;
    }
    let writer = engine.writer().map_err(failed)?;
    let talk = Talk { engine, writer, terms, idle: shared.idle };
    let (mut closing, at_work) = (door.lobby.closing(), door.lobby.at_work());
    let longest = LONGEST_LINE as usize;
    Ok(upgrade.max_message_size(longest).max_frame_size(longest).on_upgrade(async move |socket| {
        tokio::select! {
            () = talk.run(socket) => {}
            () = closes(&mut closing) => {}
        }
        drop((seat, staying, at_work));
    }))
}

/// The options offered and their limits.
struct Terms {
    /// The engine's options: name and type.
    options: Vec<(String, String)>,
    share: Share,
}

impl Terms {
    /// Whether an option is offered: of those with text only `Game`, as the others name files.
    fn offers(name: &str, kind: &str) -> bool {
        kind != "string" || name.eq_ignore_ascii_case("Game")
    }

    /// The largest value of a number that is limited for clients.
    fn most(&self, name: &str) -> Option<u32> {
        match name.to_ascii_lowercase().as_str() {
            "hash" => Some(self.share.hash),
            "threads" => Some(self.share.threads),
            _ => None,
        }
    }

    /// The engine command for a client's line. It is put together from the parsed words, so that the engine reads
    /// exactly what was checked.
    ///
    /// # Errors
    /// What is wrong with the line.
    fn command(&self, line: &str) -> Result<String, String> {
        if line.contains(|c: char| c.is_control() && c != '\t') {
            return Err("a frame is one line, without control characters".into());
        }
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let Some(first) = words.first() else { return Ok(String::new()) };
        if !COMMANDS.iter().any(|command| command.eq_ignore_ascii_case(first)) {
            return Err(format!("'{}' is not a command here", first.escape_debug()));
        }
        if first.eq_ignore_ascii_case("setoption") { self.set_option(&words) } else { Ok(words.join(" ")) }
    }

    fn set_option(&self, words: &[&str]) -> Result<String, String> {
        if !words.get(1).is_some_and(|word| word.eq_ignore_ascii_case("name")) {
            return Err("setoption: expected 'name' and the name of an option".into());
        }
        let rest = &words[2..];
        let at = rest.iter().position(|word| word.eq_ignore_ascii_case("value")).unwrap_or(rest.len());
        let (name, value) = (rest[..at].join(" "), rest[at..].join(" "));
        let known = self.options.iter().find(|(known, _)| known.eq_ignore_ascii_case(&name));
        let Some((name, _)) = known.filter(|(name, kind)| Self::offers(name, kind)) else {
            return Err(format!("option {}: there is none of that name here", name.escape_debug()));
        };
        let wanted = rest.get(at + 1).and_then(|number| number.parse::<u64>().ok());
        match self.most(name) {
            // The engine rejects a value that is not a number.
            Some(most) if wanted.is_some_and(|wanted| wanted > u64::from(most)) => {
                Err(format!("option {name}: at most {most} here"))
            }
            _ => Ok(format!("setoption name {name} {value}").trim_end().to_owned()),
        }
    }

    /// The line for the client for a line of the engine; `None` for options that are not offered.
    fn told<'l>(&self, line: &'l str) -> Option<Cow<'l, str>> {
        let option = line.strip_prefix("option name ").and_then(|rest| rest.split_once(" type "));
        let Some((name, rest)) = option else { return Some(line.into()) };
        let kind = rest.split(' ').next().unwrap_or_default();
        if !Self::offers(name, kind) {
            return None;
        }
        match (self.most(name), rest.split_once(" max ")) {
            (Some(most), Some((before, _))) => {
                // The default of `Hash` is the value that was set.
                let before = match before.split_once(" default ") {
                    Some((kind, after)) if name.eq_ignore_ascii_case("Hash") => {
                        let least = after.split_once(' ').map_or("", |(_, least)| least);
                        format!("{kind} default {most} {least}")
                    }
                    _ => before.to_owned(),
                };
                Some(format!("option name {name} type {before} max {most}").into())
            }
            _ => Some(line.into()),
        }
    }
}

/// A client and its engine.
struct Talk {
    engine: Engine,
    writer: mpsc::Sender<String>,
    terms: Terms,
    idle: Duration,
}

impl Talk {
    /// Passes lines on until client or engine ends, then quits the engine.
    async fn run(mut self, mut socket: WebSocket) {
        let (code, reason) = self.pass_on(&mut socket).await;
        let reason = reason.chars().take(100).collect::<String>();
        // The client may be gone.
        let _ = socket.send(Message::Close(Some(CloseFrame { code, reason: reason.into() }))).await;
        let _ = self.writer.try_send("stop\nquit".into());
        drop(self.writer);
        self.engine.quit().await;
    }

    /// Passes lines on; returns the close code and reason.
    async fn pass_on(&mut self, socket: &mut WebSocket) -> (u16, Cow<'static, str>) {
        let mut waiting = None;
        let mut quits = false;
        let mut heard = Instant::now();
        let mut beat = Instant::now() + BEAT;
        loop {
            tokio::select! {
                () = sleep_until(heard + self.idle) => return (close_code::NORMAL, "closed after a long time without a command".into()),
                () = sleep_until(beat) => {
                    beat = Instant::now() + BEAT;
                    if socket.send(Message::Ping(Vec::new().into())).await.is_err() {
                        return (close_code::AWAY, "".into());
                    }
                }
                // While the engine is behind, nothing more is read.
                permit = self.writer.reserve(), if waiting.is_some() => match (permit, waiting.take()) {
                    (Ok(permit), Some(line)) => permit.send(line),
                    _ => return (close_code::ERROR, "the engine takes no commands".into()),
                },
                line = self.engine.next_line() => match line {
                    Ok(line) => if let Some(line) = self.terms.told(&line)
                        && socket.send(Message::Text(line.as_ref().into())).await.is_err()
                    {
                        return (close_code::AWAY, "".into());
                    },
                    Err(_) if quits => return (close_code::NORMAL, "the engine has quit".into()),
                    Err(fault) => return (close_code::ERROR, format!("the engine failed: {}", fault.0).into()),
                },
                message = socket.recv(), if waiting.is_none() => match self.read(message, &mut heard) {
                    ControlFlow::Continue(None) => {}
                    ControlFlow::Continue(Some(Ok(line))) => {
                        quits |= line.eq_ignore_ascii_case("quit");
                        waiting = Some(line);
                    }
                    ControlFlow::Continue(Some(Err(problem))) => {
                        let error = format!("info string error: {problem}");
                        if socket.send(Message::Text(error.into())).await.is_err() {
                            return (close_code::AWAY, "".into());
                        }
                    }
                    ControlFlow::Break(end) => return end,
                },
            }
        }
    }

    /// The command in a frame, an error, or the end.
    #[allow(clippy::type_complexity, reason = "read at one place")]
    fn read(
        &self,
        message: Option<Result<Message, axum::Error>>,
        heard: &mut Instant,
    ) -> ControlFlow<(u16, Cow<'static, str>), Option<Result<String, String>>> {
        match message {
            Some(Ok(Message::Text(text))) => {
                *heard = Instant::now();
                let line = text.strip_suffix('\n').unwrap_or(&text);
                let command = self.terms.command(line.strip_suffix('\r').unwrap_or(line));
                ControlFlow::Continue(Some(command).filter(|command| command.as_deref() != Ok("")))
            }
            Some(Ok(Message::Binary(_))) => ControlFlow::Break((close_code::UNSUPPORTED, "text frames only".into())),
            Some(Ok(Message::Ping(_) | Message::Pong(_))) => ControlFlow::Continue(None),
            Some(Ok(Message::Close(_)) | Err(_)) | None => ControlFlow::Break((close_code::NORMAL, "".into())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms() -> Terms {
        let option = |name: &str, kind: &str| (name.to_owned(), kind.to_owned());
        let options = vec![
            option("Game", "string"),
            option("Log File", "string"),
            option("BookFile", "string"),
            option("Hash", "spin"),
            option("Threads", "spin"),
            option("Clear Hash", "button"),
            option("Ponder", "check"),
        ];
        Terms { options, share: Share { hash: 32, threads: 2 } }
    }

    #[test]
    fn commands_of_the_protocol_are_passed_on() {
        for (said, sent) in [
            ("isready", "isready"),
            ("  GO  depth\t5 ", "GO depth 5"),
            (
                "position fen 4-4-4-4-4-4-4-4-4-4-4-4-0-0-S moves A",
                "position fen 4-4-4-4-4-4-4-4-4-4-4-4-0-0-S moves A",
            ),
            ("setoption name clear HASH", "setoption name Clear Hash"),
            ("setoption name Game value nim:3-4-5", "setoption name Game value nim:3-4-5"),
            ("setoption name hash value 32", "setoption name Hash value 32"),
            ("", ""),
        ] {
            assert_eq!(terms().command(said).as_deref(), Ok(sent), "{said}");
        }
    }

    #[test]
    fn nothing_reaches_files_or_more_than_its_share() {
        for said in [
            "setoption name Log File value /tmp/x",
            "setoption  name\tlog  file value /tmp/x",
            "SETOPTION NAME BOOKFILE VALUE /etc/passwd",
            "setoption name Hash value 33",
            "setoption name threads value 3",
            "setoption name Elsewhere value 1",
            "setoption Log File",
            "\u{a0}setoption name Log File value /tmp/x",
            "\u{feff}setoption name Log File value /tmp/x",
            "isready\nsetoption name Log File value /tmp/x",
            "isready\rquit",
            "\u{85}quit",
            "ABOUT",
            "1 quit",
        ] {
            assert!(terms().command(said).is_err(), "{said:?}");
        }
    }

    #[test]
    fn options_are_told_as_they_are_offered() {
        let told = |line| terms().told(line).map(Cow::into_owned);
        assert_eq!(told("option name Log File type string default <empty>"), None);
        let game = "option name Game type string default awale";
        assert_eq!(told(game).as_deref(), Some(game));
        assert_eq!(
            told("option name Hash type spin default 16 min 1 max 1048576").as_deref(),
            Some("option name Hash type spin default 32 min 1 max 32")
        );
        assert_eq!(
            told("option name Threads type spin default 1 min 1 max 256").as_deref(),
            Some("option name Threads type spin default 1 min 1 max 2")
        );
        assert_eq!(told("bestmove a").as_deref(), Some("bestmove a"));
    }
}
