//! The protocol over a WebSocket: that lines are frames, whose pages may come, and what no page may do to the machine.

#![cfg(target_os = "linux")] // The tests look for processes in /proc.
use std::fs;
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::process::Command;
use std::time::{Duration, Instant};

use tungstenite::client::client;
use tungstenite::protocol::frame::coding::CloseCode;
use tungstenite::{ClientRequestBuilder, Error, HandshakeError, Message, WebSocket};

use crate::server::Server;
use griot_testing::{Folder, PATIENCE, matches};

/// A connection whose reads have a time limit: the system does not go on with such a read when a signal comes between.
struct Patient(TcpStream);

impl Read for Patient {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.0.read(bytes) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                other => return other,
            }
        }
    }
}

impl Write for Patient {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// A board of somebody else.
pub(super) struct Board(WebSocket<Patient>);

impl Board {
    pub(super) fn open(server: &Server) -> Board {
        Board::from(server, &[]).unwrap()
    }

    /// With these headers; else the status that is answered.
    fn from(server: &Server, headers: &[(&str, &str)]) -> Result<Board, u16> {
        let stream = TcpStream::connect(("127.0.0.1", server.port)).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let uri = format!("ws://{}/engine", server.own_host()).parse().unwrap();
        let request = headers
            .iter()
            .fold(ClientRequestBuilder::new(uri), |request, (name, value)| request.with_header(*name, *value));
        match client(request, Patient(stream)) {
            Ok((socket, _)) => Ok(Board(socket)),
            Err(HandshakeError::Failure(Error::Http(response))) => Err(response.status().as_u16()),
            Err(other) => panic!("{other}"),
        }
    }

    pub(super) fn say(&mut self, line: &str) {
        self.0.send(Message::text(line)).unwrap();
    }

    /// The next line, or why the connection was closed.
    fn hear(&mut self) -> Result<String, CloseCode> {
        loop {
            match self.0.read().unwrap() {
                Message::Text(line) => {
                    assert!(!line.contains('\n'), "{line:?}");
                    return Ok(line.as_str().to_owned());
                }
                Message::Close(frame) => return Err(frame.unwrap().code),
                _ => {}
            }
        }
    }

    /// The lines up to the first that matches.
    pub(super) fn until(&mut self, glob: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            lines.push(self.hear().unwrap_or_else(|code| panic!("closed with {code} before {glob}: {lines:?}")));
            if matches(glob, &lines[lines.len() - 1]) {
                return lines;
            }
        }
    }

    fn ask(&mut self, line: &str) -> String {
        self.say(line);
        self.hear().unwrap()
    }
}

#[test]
fn a_frame_is_a_line_and_each_connection_has_an_engine() {
    let server = Server::start(&[]);
    let mut boards = [Board::open(&server), Board::open(&server)];
    server.wait_for_engines(2);
    for (board, game) in boards.iter_mut().zip(["tictactoe", "nim:7"]) {
        board.say("uci\n");
        assert!(board.until("uciok").iter().any(|line| line.starts_with("id name griot")));
        board.say(&format!("setoption name Game value {game}\r\n"));
        board.say("");
        board.say("position startpos");
    }
    let [first, second] = &mut boards;
    assert_eq!(first.ask("query fen"), "response 3/3/3 x");
    assert_eq!(second.ask("query fen"), "response 7 1");
    // A search goes on while it is asked and stopped.
    first.say("go infinite");
    first.say("isready");
    first.until("readyok");
    first.say("stop");
    let said = first.until("bestmove *");
    assert!(said.iter().any(|line| line.contains(" score ")) || said.len() == 1, "{said:?}");
    drop(boards);
    server.wait_for_engines(0);
}

#[test]
fn quit_and_frames_that_are_no_text_end_it() {
    let server = Server::start(&[]);
    let mut board = Board::open(&server);
    board.say("quit");
    assert_eq!(board.hear(), Err(CloseCode::Normal));
    let mut board = Board::open(&server);
    board.0.send(Message::binary(vec![1, 2, 3])).unwrap();
    assert_eq!(board.hear(), Err(CloseCode::Unsupported));
    server.wait_for_engines(0);
    let mut board = Board::open(&server);
    let engine = server.wait_for_engines(1)[0];
    assert!(Command::new("kill").args(["-9", &engine.to_string()]).status().unwrap().success());
    assert_eq!(board.hear(), Err(CloseCode::Error));
}

#[test]
fn pages_of_others_come_in_only_by_name() {
    let server = Server::start(&["--allow-origin", "https://Board.Example", "--allow-origin", "http://localhost:8000"]);
    let own = format!("http://{}", server.own_host());
    for origin in ["https://board.example", "http://localhost:8000", &own] {
        let site = if origin == own { "same-origin" } else { "cross-site" };
        assert!(Board::from(&server, &[("Origin", origin), ("Sec-Fetch-Site", site)]).is_ok(), "{origin}");
    }
    for origin in
        ["null", "https://evil.example", "http://board.example", "https://board.example:444", "http://localhost"]
    {
        assert_eq!(Board::from(&server, &[("Origin", origin)]).err(), Some(403), "{origin}");
    }
    assert_eq!(Board::from(&server, &[("Sec-Fetch-Site", "cross-site")]).err(), Some(403));
    // A name that leads here is none of this server's.
    let headers =
        |host| [("Host", host), ("Connection", "Upgrade"), ("Upgrade", "websocket"), ("Sec-WebSocket-Version", "13")];
    assert_eq!(server.ask("GET", "/engine", &headers("evil.example"), "").status, 403);
    // The name opens no other door.
    let posted = server.ask("POST", "/api/open", &[("Origin", "https://board.example")], "");
    assert_eq!(posted.status, 403, "{}", posted.body);
    assert_eq!(server.ask("GET", "/engine", &[], "").status, 400);
    server.wait_for_engines(0);
    let server = Server::start(&["--allow-origin", "null"]);
    assert!(Board::from(&server, &[("Origin", "null")]).is_ok());
}

#[test]
fn no_page_reaches_a_file_or_more_than_its_share() {
    let folder = Folder::new("serve");
    let file = folder.join("log.txt");
    let server = Server::start(&["--hash", "3", "--threads", "2"]);
    let mut board = Board::open(&server);
    board.say("ugi");
    let greeting = board.until("ugiok");
    assert!(!greeting.iter().any(|line| line.contains("File") || line.contains("Path")), "{greeting:?}");
    assert!(greeting.iter().any(|line| line == "option name Hash type spin default 3 min 1 max 3"), "{greeting:?}");
    assert!(greeting.iter().any(|line| line == "option name Threads type spin default 1 min 1 max 2"));
    for line in [
        format!("setoption name Log File value {}", file.display()),
        format!("\u{a0}setoption name Log File value {}", file.display()),
        format!("isready\nsetoption name Log File value {}", file.display()),
        "setoption name BookFile value /etc/passwd".into(),
        "setoption name Hash value 4".into(),
        "setoption name Threads value 3".into(),
        "list_commands".into(),
    ] {
        let answer = board.ask(&line);
        assert!(answer.starts_with("info string error: "), "{line:?}: {answer}");
    }
    board.say("setoption name threads value 2");
    assert_eq!(board.ask("isready"), "readyok");
    assert!(!file.exists());
    assert_eq!(fs::read_dir(folder.join(".")).unwrap().count(), 0);
}

#[test]
fn there_are_no_more_engines_than_seats_and_an_idle_one_is_ended() {
    let server = Server::start(&["--visitors", "1", "--idle", "2"]);
    let mut board = Board::open(&server);
    assert_eq!(Board::from(&server, &[]).err(), Some(503));
    // A search that nobody asks after is idle, too.
    board.say("go infinite");
    let end = loop {
        if let Err(code) = board.hear() {
            break code;
        }
    };
    assert_eq!(end, CloseCode::Normal);
    server.wait_for_engines(0);
    assert!(Board::from(&server, &[]).is_ok());
}

#[test]
fn who_floods_and_never_reads_holds_nobody_up() {
    let server = Server::start(&[]);
    let mut flood = Board::open(&server);
    let mut other = Board::open(&server);
    flood.0.get_mut().0.set_write_timeout(Some(Duration::from_millis(200))).unwrap();
    let start = Instant::now();
    // Until nothing is taken any more.
    while start.elapsed() < Duration::from_secs(20) && flood.0.send(Message::text("help")).is_ok() {}
    assert_eq!(other.ask("isready"), "readyok");
    other.say("go depth 3");
    other.until("bestmove *");
    drop(flood);
    server.wait_for_engines(1);
}

#[test]
fn the_server_ends_with_the_engines_of_its_sockets() {
    let mut server = Server::start(&[]);
    let mut board = Board::open(&server);
    board.say("go infinite");
    server.wait_for_engines(1);
    assert!(server.signal("-TERM").success());
    // What was on its way may still come.
    while let Ok(message) = board.0.read() {
        assert!(!matches!(message, Message::Binary(_)));
    }
}

#[test]
fn griot_serve_hands_over_to_the_server_beside_it() {
    let folder = Folder::new("serve-alone");
    let alone = folder.join("griot");
    fs::copy(griot_testing::workspace_program("griot"), &alone).unwrap();
    let run = |arguments: &[&str]| Command::new(&alone).args(arguments).env("PATH", "/nowhere").output().unwrap();
    let told = run(&["serve"]);
    let problem = String::from_utf8_lossy(&told.stderr).into_owned();
    assert!(problem.contains("cargo install --path crates/griot-board"), "{problem}");
    assert_eq!(told.status.code(), Some(2));
    assert!(!run(&["--game", "chess", "serve"]).status.success());
    // A server that tells its arguments.
    let mut server = fs::File::create(folder.join("griot-board")).unwrap();
    server.write_all(b"#!/bin/sh\necho \"$@\"\n").unwrap();
    drop(server);
    assert!(Command::new("chmod").arg("+x").arg(folder.join("griot-board")).status().unwrap().success());
    let told = run(&["serve", "--visitors", "2", "--allow-origin", "null"]);
    let expected = format!("--engine {} --visitors 2 --allow-origin null\n", alone.display());
    assert_eq!(String::from_utf8_lossy(&told.stdout), expected);
    assert_eq!(String::from_utf8_lossy(&run(&["serve", "--engine=x"]).stdout), "--engine=x\n");
}
