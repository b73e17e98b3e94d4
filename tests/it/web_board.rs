//! The server of the web board: whom it lets in, what it passes on, and that a game outlives its engine.
//!
//! The page itself is tested in a browser, by tests/web.

#![cfg(target_os = "linux")] // The tests look for processes in /proc.
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::support::{self, PATIENCE};
use serde_json::{Value, json};

const ENGINE: &str = env!("CARGO_BIN_EXE_griot");

struct Server {
    process: Child,
    port: u16,
}

struct Answer {
    status: u16,
    head: String,
    body: String,
}

impl Server {
    fn start(arguments: &[&str]) -> Server {
        let mut process = Command::new(support::example("web_board"))
            .args(["--listen", "127.0.0.1:0", "--engine", ENGINE])
            .args(arguments)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let port = line.split("http://127.0.0.1:").nth(1).and_then(|rest| rest.split('/').next()).unwrap();
        Server { port: port.parse().unwrap(), process }
    }

    fn own_host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    fn connect(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> TcpStream {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let mut head = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\n", body.len());
        if !headers.iter().any(|(name, _)| *name == "Host") {
            head += &format!("Host: {}\r\n", self.own_host());
        }
        for (name, value) in headers {
            head += &format!("{name}: {value}\r\n");
        }
        stream.write_all(format!("{head}\r\n{body}").as_bytes()).unwrap();
        stream
    }

    fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        let mut text = String::new();
        self.connect(method, path, headers, body).read_to_string(&mut text).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Answer { status, head: head.to_ascii_lowercase(), body: body.into() }
    }

    /// The engines that run.
    fn engines(&self) -> Vec<u32> {
        let parent = |pid: u32| {
            let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
            let field = |name: &str| status.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
            let is_gone = field("State:")?.starts_with('Z');
            field("PPid:")?.parse::<u32>().ok().filter(|_| !is_gone)
        };
        let processes = fs::read_dir("/proc").unwrap();
        let pids = processes.filter_map(|entry| entry.unwrap().file_name().to_str()?.parse::<u32>().ok());
        pids.filter(|pid| parent(*pid) == Some(self.process.id())).collect()
    }

    fn wait_for_engines(&self, count: usize) -> Vec<u32> {
        let start = Instant::now();
        loop {
            let engines = self.engines();
            if engines.len() == count {
                return engines;
            }
            assert!(start.elapsed() < PATIENCE, "expected {count} engines, found {engines:?}");
            thread::sleep(Duration::from_millis(10));
        }
    }

    fn signal(&mut self, signal: &str) -> ExitStatus {
        kill(signal, self.process.id());
        let start = Instant::now();
        loop {
            if let Some(status) = self.process.try_wait().unwrap() {
                return status;
            }
            assert!(start.elapsed() < PATIENCE, "the server does not end");
            thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have been ended by the test.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn kill(signal: &str, pid: u32) {
    assert!(Command::new("kill").args([signal, &pid.to_string()]).status().unwrap().success());
}

/// A visitor with a page that looks.
struct Page<'s> {
    server: &'s Server,
    cookie: String,
    news: Receiver<(String, Value)>,
}

impl<'s> Page<'s> {
    fn open(server: &'s Server) -> Page<'s> {
        let origin = format!("http://{}", server.own_host());
        let opened = server.ask("POST", "/api/open", &[("Origin", &origin)], "");
        assert_eq!(opened.status, 200, "{}", opened.body);
        let cookie = opened.head.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap();
        assert!(cookie.contains("; httponly; samesite=strict"), "{cookie}");
        let cookie = cookie.split(';').next().unwrap().to_owned();
        let stream = server.connect("GET", "/api/news", &[("Cookie", &cookie)], "");
        let (sender, news) = channel();
        thread::spawn(move || {
            let mut event = String::new();
            for line in BufReader::new(stream).lines() {
                let Ok(line) = line else { return };
                if let Some(name) = line.strip_prefix("event: ") {
                    name.clone_into(&mut event);
                } else if let Some(data) = line.strip_prefix("data: ") {
                    let data = serde_json::from_str(data).unwrap();
                    if sender.send((event.clone(), data)).is_err() {
                        return;
                    }
                }
            }
        });
        Page { server, cookie, news }
    }

    fn wish(&self, wish: &Value) -> (u16, Value) {
        let origin = format!("http://{}", self.server.own_host());
        let headers = [("Origin", origin.as_str()), ("Cookie", &self.cookie), ("Content-Type", "application/json")];
        let answer = self.server.ask("POST", "/api/do", &headers, &wish.to_string());
        (answer.status, serde_json::from_str(&answer.body).unwrap())
    }

    fn does(&self, wish: &Value) {
        assert_eq!(self.wish(wish), (200, json!({})), "{wish}");
    }

    fn refuses(&self, wish: &Value, status: u16, error: &str) -> String {
        let (found, body) = self.wish(wish);
        assert_eq!((found, body["error"].as_str()), (status, Some(error)), "{wish}: {body}");
        body["detail"].as_str().unwrap_or_default().to_owned()
    }

    fn wait(&self, event: &str, is_it: impl Fn(&Value) -> bool) -> Value {
        let start = Instant::now();
        loop {
            let left = PATIENCE.saturating_sub(start.elapsed());
            let (name, data) = self.news.recv_timeout(left).unwrap_or_else(|error| panic!("no such {event}: {error}"));
            if name == event && is_it(&data) {
                return data;
            }
        }
    }

    fn state(&self, is_it: impl Fn(&Value) -> bool) -> Value {
        self.wait("state", is_it)
    }
}

fn people() -> Value {
    json!([{ "kind": "human" }, { "kind": "human" }])
}

fn against_the_engine() -> Value {
    json!([{ "kind": "human" }, { "kind": "engine", "level": 20 }])
}

#[test]
fn another_host_is_refused_so_that_no_name_can_be_rebound_to_this_server() {
    let server = Server::start(&[]);
    let port = server.port;
    for host in ["evil.example", &format!("evil.example:{port}"), "localhost", "", &format!("127.0.0.1.:{port}")] {
        for path in ["/", "/main.js", "/api/news"] {
            let answer = server.ask("GET", path, &[("Host", host)], "");
            assert_eq!(answer.status, 403, "{host} {path}");
            assert!(answer.body.contains("bad_host"), "{}", answer.body);
        }
    }
    for host in [format!("localhost:{port}"), format!("127.0.0.1:{port}"), format!("LOCALHOST:{port}")] {
        assert_eq!(server.ask("GET", "/", &[("Host", &host)], "").status, 200, "{host}");
    }
    assert_eq!(server.engines().len(), 0);
}

#[test]
fn another_origin_is_refused() {
    let server = Server::start(&[]);
    let own = format!("http://{}", server.own_host());
    let status = |headers: &[(&str, &str)]| server.ask("POST", "/api/open", headers, "").status;
    for origin in ["http://evil.example", "null", "http://127.0.0.1:1", "file://", &format!("{own}.evil.example")] {
        assert_eq!(status(&[("Origin", origin)]), 403, "{origin}");
    }
    assert_eq!(status(&[]), 403, "a POST tells its origin");
    assert_eq!(status(&[("Origin", &own), ("Sec-Fetch-Site", "cross-site")]), 403);
    assert_eq!(status(&[("Origin", &own), ("Sec-Fetch-Site", "same-origin")]), 200);
    // A link may lead to the page, and to nothing else.
    let linked = |path: &str| server.ask("GET", path, &[("Sec-Fetch-Site", "cross-site")], "").status;
    assert_eq!((linked("/"), linked("/main.js"), linked("/api/news")), (200, 403, 403));
    assert_eq!(server.ask("GET", "/", &[("Origin", "http://evil.example")], "").status, 403);
}

#[test]
fn the_page_loads_nothing_from_elsewhere() {
    let server = Server::start(&[]);
    let page = server.ask("GET", "/", &[], "");
    for header in [
        "content-security-policy: default-src 'none'; script-src 'self'",
        "x-content-type-options: nosniff",
        "referrer-policy: no-referrer",
    ] {
        assert!(page.head.contains(header), "{}", page.head);
    }
    let mut parts = vec!["/".to_owned()];
    for folder in fs::read_dir("examples/web_board/assets").unwrap() {
        parts.push(format!("/{}", folder.unwrap().file_name().to_str().unwrap()));
    }
    parts.retain(|part| part != "/index.html");
    assert!(parts.len() > 10);
    for part in parts {
        let text = server.ask("GET", &part, &[], "");
        assert_eq!(text.status, 200, "{part}");
        let addresses = text.body.matches("://").count();
        assert_eq!(addresses, text.body.matches("http://www.w3.org/2000/svg").count(), "{part}");
        assert!(!text.body.contains("style=\"") && !text.body.contains("innerHTML"), "{part}");
    }
    assert_eq!(server.ask("GET", "/../Cargo.toml", &[], "").status, 404);
    assert_eq!(server.ask("GET", "/assets/main.js", &[], "").status, 404);
}

#[test]
fn no_text_of_a_page_ends_a_line_to_the_engine() {
    let server = Server::start(&[]);
    let page = Page::open(&server);
    let engine = server.wait_for_engines(1);
    for end in ["\n", "\r", "\r\n", "\u{0}", "\u{85}"] {
        let text = |start: &str| format!("{start}{end}quit");
        page.refuses(&json!({ "do": "play", "move": text("A"), "at": 0 }), 400, "unreadable");
        page.refuses(&json!({ "do": "new", "game": text("nim") }), 400, "unreadable");
        page.refuses(&json!({ "do": "paste", "text": text("startpos") }), 400, "bad_paste");
        page.refuses(&json!({ "do": "paste", "text": text("nim|startpos|a1") }), 400, "bad_paste");
    }
    for wrong in [json!({ "do": "shell" }), json!({ "do": "go_to", "at": 0, "and": 1 }), json!({}), json!(7)] {
        page.refuses(&wrong, 400, "unreadable");
    }
    let settings = |level: u8, movetime: u32| {
        let players = json!([{ "kind": "human" }, { "kind": "engine", "level": level }]);
        json!({ "do": "set", "settings": { "players": players, "movetime": movetime, "pace": 0, "analysis": false } })
    };
    page.refuses(&settings(21, 100), 400, "bad_settings");
    page.refuses(&settings(20, 0), 400, "bad_settings");
    page.does(&settings(20, 100));
    assert_eq!(server.engines(), engine, "the same engine as before");
}

#[test]
fn a_game_is_played_taken_back_and_taken_up_again() {
    let server = Server::start(&[]);
    let page = Page::open(&server);
    page.does(&json!({ "do": "new", "game": "tictactoe", "players": people() }));
    let play = |text: &str, at: usize| json!({ "do": "play", "move": text, "at": at });
    page.does(&play("b2", 0));
    page.does(&play("a1", 1));
    page.refuses(&play("a2", 1), 409, "stale");
    let told = page.refuses(&play("a1", 2), 400, "illegal_move");
    assert!(told.starts_with("a1; b1 c1"), "{told}");
    page.does(&json!({ "do": "go_to", "at": 1 }));
    let state = page.state(|state| state["at"] == 1 && state["moves"].as_array().unwrap().len() == 2);
    assert_eq!((&state["boards"][1], &state["legal"][0]), (&json!("3/1x1/3 o"), &json!("a1")));
    page.refuses(&json!({ "do": "go_to", "at": 3 }), 409, "stale");
    page.does(&play("c3", 1));
    for (at, text) in ["a1", "a3", "c1"].iter().enumerate() {
        page.does(&play(text, at + 2));
    }
    page.does(&play("b1", 5));
    page.does(&play("a2", 6));
    let state = page.state(|state| state["at"] == 7);
    assert_eq!((&state["result"], &state["legal"]), (&Value::Null, &json!(["c2", "b3"])));
    page.does(&json!({ "do": "paste", "text": "tictactoe|startpos|a1 a2 b1 b2 c1" }));
    let state = page.state(|state| state["at"] == 5 && state["result"] != Value::Null);
    assert_eq!(state["result"], "p1win");
    page.refuses(&play("a3", 5), 409, "over");
    page.refuses(&json!({ "do": "hint" }), 409, "over");
}

#[test]
fn what_the_engine_says_is_passed_on_and_what_it_refuses_changes_nothing() {
    let server = Server::start(&[]);
    let page = Page::open(&server);
    page.does(&json!({ "do": "new", "game": "nim:3-4-5,take=any,normal", "players": people() }));
    let told = page.refuses(&json!({ "do": "new", "game": "chess" }), 400, "engine_says");
    assert!(told.contains("no game 'chess'; there are"), "{told}");
    let told =
        page.refuses(&json!({ "do": "paste", "text": "awale|4-4-4-4-4-4-4-4-4-4-4-5-0-0-S" }), 400, "engine_says");
    assert!(told.contains("expected 48 seeds"), "{told}");
    page.refuses(&json!({ "do": "paste", "text": "nim:3-4-5|startpos|a1 z9" }), 400, "illegal_move");
    page.refuses(&json!({ "do": "new", "game": "nim:4000000000" }), 400, "unreadable");
    page.refuses(&json!({ "do": "paste", "text": "4000000000-1-1 1" }), 400, "too_many_matches");
    // The engine is still in the old game.
    page.does(&json!({ "do": "play", "move": "a2", "at": 0 }));
    let state = page.state(|state| state["at"] == 1);
    assert_eq!((&state["game"], &state["boards"][1]), (&json!("nim:3-4-5,take=any,normal"), &json!("1-4-5 2")));
}

#[test]
fn the_engine_answers_hints_and_stops_when_told() {
    let server = Server::start(&[]);
    let page = Page::open(&server);
    let settings = json!({ "players": against_the_engine(), "movetime": 60000, "pace": 0, "analysis": false });
    page.does(&json!({ "do": "set", "settings": settings }));
    page.does(&json!({ "do": "play", "move": "C", "at": 0 }));
    page.wait("thinking", |thinking| thinking["info"]["depth"].as_u64() > Some(3));
    page.refuses(&json!({ "do": "play", "move": "a", "at": 1 }), 409, "not_your_turn");
    page.refuses(&json!({ "do": "hint" }), 409, "busy");
    page.does(&json!({ "do": "move_now" }));
    let state = page.state(|state| state["at"] == 2);
    assert!(state["scores"][1].is_object() && state["doing"].is_null(), "{state}");
    page.does(&json!({ "do": "hint" }));
    page.state(|state| state["doing"] == "hint");
    page.does(&json!({ "do": "move_now" }));
    let state = page.state(|state| state["hint"].is_string());
    assert!(state["legal"].as_array().unwrap().contains(&state["hint"]), "{state}");
    // Analysis goes on until it is switched off.
    let settings = json!({ "players": against_the_engine(), "movetime": 1000, "pace": 0, "analysis": true });
    page.does(&json!({ "do": "set", "settings": settings }));
    page.wait("thinking", |thinking| thinking["purpose"] == "analysis" && thinking["info"]["pv"].is_array());
    page.refuses(&json!({ "do": "move_now" }), 409, "nothing_to_stop");
    page.does(&json!({ "do": "go_to", "at": 0 }));
    page.wait("thinking", |thinking| thinking["at"] == 0);
}

#[test]
fn there_are_no_more_engines_than_seats() {
    let server = Server::start(&["--visitors", "1"]);
    let first = Page::open(&server);
    server.wait_for_engines(1);
    let second = Page::open(&server);
    second.state(|state| state["engine"] == "full");
    second.refuses(&json!({ "do": "resume" }), 503, "full");
    second.refuses(&json!({ "do": "new", "game": "nim" }), 503, "full");
    assert_eq!(server.engines().len(), 1);
    first.does(&json!({ "do": "new", "game": "tictactoe", "players": people() }));
}

#[test]
fn an_idle_engine_is_ended_and_gives_up_its_seat_and_its_game_is_kept() {
    let server = Server::start(&["--visitors", "1", "--idle", "1"]);
    let first = Page::open(&server);
    first.does(&json!({ "do": "new", "game": "tictactoe", "players": people() }));
    first.does(&json!({ "do": "play", "move": "b2", "at": 0 }));
    let state = first.state(|state| state["engine"] == "resting" && state["at"] == 1);
    assert_eq!(state["moves"], json!(["b2"]));
    server.wait_for_engines(0);
    // The seat is free for another one.
    let second = Page::open(&server);
    second.state(|state| state["boards"].as_array().is_some_and(|boards| !boards.is_empty()));
    second.state(|state| state["engine"] == "resting");
    // And then for the first one again, whose command starts an engine that knows the game.
    first.does(&json!({ "do": "play", "move": "a1", "at": 1 }));
    let state = first.state(|state| state["at"] == 2);
    assert_eq!(state["boards"][2], "3/1x1/o2 x");
}

#[test]
fn a_killed_engine_is_started_again_and_the_game_goes_on() {
    let server = Server::start(&[]);
    let page = Page::open(&server);
    let settings = json!({ "players": against_the_engine(), "movetime": 60000, "pace": 0, "analysis": false });
    page.does(&json!({ "do": "set", "settings": settings }));
    let engines = server.wait_for_engines(1);
    // While it waits.
    kill("-KILL", engines[0]);
    let notice = page.wait("notice", |_| true);
    assert_eq!(notice["notice"], "engine_restarted");
    assert!(notice["detail"].as_str().unwrap().contains("signal: 9"), "{notice}");
    let second = server.wait_for_engines(1);
    assert_ne!(second, engines);
    // While it thinks: the new one thinks on.
    page.does(&json!({ "do": "play", "move": "C", "at": 0 }));
    page.wait("thinking", |thinking| thinking["at"] == 1 && thinking["info"]["depth"].as_u64() > Some(2));
    kill("-KILL", second[0]);
    page.wait("notice", |notice| notice["notice"] == "engine_restarted");
    page.wait("thinking", |thinking| thinking["at"] == 1 && thinking["info"]["depth"].as_u64() > Some(2));
    page.does(&json!({ "do": "move_now" }));
    let state = page.state(|state| state["at"] == 2);
    assert_eq!((&state["moves"][0], state["moves"].as_array().unwrap().len()), (&json!("C"), 2));
    // One that ends again and again is given up, until somebody asks for another try.
    let mut killed = 2;
    loop {
        for engine in server.engines() {
            kill("-KILL", engine);
            killed += 1;
        }
        let (event, data) = page.news.recv_timeout(PATIENCE).unwrap();
        if event == "notice" && data["notice"] == "engine_failed" {
            break;
        }
        assert!(killed < 50, "the server starts engines without end");
        thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(server.engines().len(), 0);
    page.does(&json!({ "do": "resume" }));
    server.wait_for_engines(1);
    page.does(&json!({ "do": "go_to", "at": 1 }));
}

#[test]
fn a_visitor_is_known_by_its_cookie_alone() {
    let server = Server::start(&[]);
    let page = Page::open(&server);
    let origin = format!("http://{}", server.own_host());
    let json = ("Content-Type", "application/json");
    for cookie in ["", "griot_board=1", &format!("griot_board_{}=0123456789abcdef0123456789abcdef", server.port)] {
        let headers = [("Origin", origin.as_str()), ("Cookie", cookie), json];
        assert_eq!(server.ask("POST", "/api/do", &headers, "{\"do\":\"hint\"}").status, 401, "{cookie}");
        assert_eq!(server.ask("GET", "/api/news", &[("Cookie", cookie)], "").status, 401, "{cookie}");
    }
    // A form of another page cannot send JSON; a body without end is none.
    let headers = [("Origin", origin.as_str()), ("Cookie", page.cookie.as_str())];
    assert_eq!(server.ask("POST", "/api/do", &headers, "{\"do\":\"hint\"}").status, 400);
    let long = format!("{{\"do\":\"paste\",\"text\":\"{}\"}}", "x".repeat(40_000));
    assert_eq!(server.ask("POST", "/api/do", &[headers[0], headers[1], json], &long).status, 400);
    // Who comes back finds the same game; another one finds another.
    let again = server.ask("POST", "/api/open", &headers, "");
    assert!(again.status == 200 && !again.head.contains("set-cookie"), "{}", again.head);
    assert_ne!(Page::open(&server).cookie, page.cookie);
    // A visitor has a few pages, not any number.
    let look = |_| BufReader::new(server.connect("GET", "/api/news", &headers[1..], ""));
    let mut streams: Vec<_> = (0..5).map(look).collect();
    let more: Vec<_> = streams.iter_mut().map(|stream| stream.lines().next().unwrap().unwrap()).collect();
    assert_eq!(more.iter().filter(|line| line.contains(" 503 ")).count(), 1, "{more:?}");
}

#[test]
fn the_server_ends_with_all_its_engines() {
    for signal in ["-INT", "-TERM"] {
        let mut server = Server::start(&[]);
        let engines = {
            let pages = [Page::open(&server), Page::open(&server)];
            let engines = server.wait_for_engines(2);
            let settings = json!({ "players": people(), "movetime": 100, "pace": 0, "analysis": true });
            pages[0].does(&json!({ "do": "set", "settings": settings }));
            pages[0].wait("thinking", |thinking| thinking["purpose"] == "analysis");
            engines
        };
        assert_eq!(server.signal(signal).code(), Some(0), "{signal}");
        for engine in engines {
            let status = fs::read_to_string(format!("/proc/{engine}/comm"));
            assert!(!status.is_ok_and(|name| name.starts_with("griot")), "engine {engine} outlives its server");
        }
    }
}

#[test]
fn a_command_line_that_cannot_be_carried_out_is_told() {
    let fails = |arguments: &[&str], words: &str| {
        let output = Command::new(support::example("web_board")).args(arguments).output().unwrap();
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && told.contains(words), "{arguments:?}: {} {told}", output.status);
    };
    fails(&["--listen", "0.0.0.0:0", "--engine", ENGINE], "--allow-host");
    fails(&["--listen", "127.0.0.1:0", "--engine", "/there/is/none"], "no engine: /there/is/none");
    fails(&["--listen", "127.0.0.1:0", "--engine", "true"], "no engine");
    fails(&["--idle=-1"], "expected seconds");
}
