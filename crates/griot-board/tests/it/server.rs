//! The server of griot-board: whom it lets in, what it passes on, and that a game outlives its engine.
//!
//! The page itself is tested in a browser, by crates/griot-board/tests/web.

#![cfg(target_os = "linux")] // The tests look for processes in /proc.
use std::fs;
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use griot_testing::{PATIENCE, Talk};
use serde_json::{Value, json};

/// The path of the engine, which is built if need be.
fn engine() -> String {
    griot_testing::workspace_program("griot").display().to_string()
}

pub(super) struct Server {
    process: Child,
    pub(super) port: u16,
}

pub(super) struct Answer {
    pub(super) status: u16,
    head: String,
    pub(super) body: String,
}

impl Server {
    pub(super) fn start(arguments: &[&str]) -> Server {
        Server::begin(Command::new(env!("CARGO_BIN_EXE_griot-board")), arguments)
    }

    /// With no more than so many open files.
    fn start_with_files(files: usize, arguments: &[&str]) -> Server {
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("ulimit -n {files}; exec \"$0\" \"$@\"")]).arg(env!("CARGO_BIN_EXE_griot-board"));
        Server::begin(shell, arguments)
    }

    fn begin(mut command: Command, arguments: &[&str]) -> Server {
        if !arguments.contains(&"--engine") {
            command.args(["--engine", &engine()]);
        }
        let mut process =
            command.args(["--listen", "127.0.0.1:0"]).args(arguments).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let port = line.split("http://127.0.0.1:").nth(1).and_then(|rest| rest.split('/').next()).unwrap();
        Server { port: port.parse().unwrap(), process }
    }

    pub(super) fn own_host(&self) -> String {
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

    pub(super) fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        let mut text = String::new();
        self.connect(method, path, headers, body).read_to_string(&mut text).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Answer { status, head: head.to_ascii_lowercase(), body: body.into() }
    }

    /// Sends these bytes and nothing more.
    fn send(&self, bytes: &[u8]) -> TcpStream {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        // It may be closed over the first half of them.
        let _ = stream.write_all(bytes);
        stream
    }

    /// Everything that is answered to these bytes until the connection is closed.
    fn told(&self, bytes: &[u8]) -> String {
        heard(self.send(bytes))
    }

    fn post(&self, path: &str, cookie: &str, length: usize) -> String {
        let host = self.own_host();
        format!(
            "POST {path} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nCookie: {cookie}\r\n\
             Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
        )
    }

    /// Processor time taken so far, in hundredths of a second.
    fn ticks(&self) -> u64 {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.process.id())).unwrap();
        let fields: Vec<_> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
        fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
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

    pub(super) fn wait_for_engines(&self, count: usize) -> Vec<u32> {
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

    pub(super) fn signal(&mut self, signal: &str) -> ExitStatus {
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

/// What is answered until the connection is closed, by whatever means.
fn heard(mut stream: TcpStream) -> String {
    let mut bytes = Vec::new();
    if let Err(error) = stream.read_to_end(&mut bytes) {
        assert_eq!(error.kind(), ErrorKind::ConnectionReset, "{}", String::from_utf8_lossy(&bytes));
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// A visitor with a page that looks, until it is dropped.
pub(super) struct Page<'s> {
    server: &'s Server,
    cookie: String,
    news: Receiver<(String, Value)>,
    stream: TcpStream,
}

impl Drop for Page<'_> {
    fn drop(&mut self) {
        // The server may have ended it.
        let _ = self.stream.shutdown(Shutdown::Both);
    }
}

impl<'s> Page<'s> {
    pub(super) fn open(server: &'s Server) -> Page<'s> {
        let origin = format!("http://{}", server.own_host());
        let opened = server.ask("POST", "/api/open", &[("Origin", &origin)], "");
        assert_eq!(opened.status, 200, "{}", opened.body);
        let cookie = opened.head.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap();
        assert!(cookie.contains("; httponly; samesite=strict"), "{cookie}");
        Page::look(server, cookie.split(';').next().unwrap())
    }

    /// A page of a visitor who was there before.
    fn look(server: &'s Server, cookie: &str) -> Page<'s> {
        let cookie = cookie.to_owned();
        let stream = server.connect("GET", "/api/news", &[("Cookie", &cookie)], "");
        let ours = stream.try_clone().unwrap();
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
        Page { server, cookie, news, stream: ours }
    }

    fn command(&self, command: &Value) -> (u16, Value) {
        let origin = format!("http://{}", self.server.own_host());
        let headers = [("Origin", origin.as_str()), ("Cookie", &self.cookie), ("Content-Type", "application/json")];
        let answer = self.server.ask("POST", "/api/do", &headers, &command.to_string());
        (answer.status, serde_json::from_str(&answer.body).unwrap())
    }

    /// Posts a body; the status and the answer.
    fn asks(&self, path: &str, body: &[u8]) -> (u16, Value) {
        let origin = format!("http://{}", self.server.own_host());
        let headers = [("Origin", origin.as_str()), ("Cookie", &self.cookie), ("Content-Type", "application/json")];
        let answer = self.server.ask("POST", path, &headers, std::str::from_utf8(body).unwrap());
        (answer.status, serde_json::from_str(&answer.body).unwrap())
    }

    pub(super) fn does(&self, command: &Value) {
        assert_eq!(self.command(command), (200, json!({})), "{command}");
    }

    fn refuses(&self, command: &Value, status: u16, error: &str) -> String {
        let (found, body) = self.command(command);
        assert_eq!((found, body["error"].as_str()), (status, Some(error)), "{command}: {body}");
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

    pub(super) fn state(&self, is_it: impl Fn(&Value) -> bool) -> Value {
        self.wait("state", is_it)
    }
}

pub(super) fn people() -> Value {
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
    for folder in fs::read_dir("assets").unwrap() {
        parts.push(format!("/{}", folder.unwrap().file_name().to_str().unwrap()));
    }
    parts.retain(|part| part != "/index.html");
    // Every puzzle is in one of the sets that are offered, each with what its game is called.
    let sets: Vec<Value> = serde_json::from_str(&server.ask("GET", "/api/puzzles", &[], "").body).unwrap();
    let paths: Vec<String> =
        sets.iter().map(|set| format!("/puzzles/{}.jsonl", set["name"].as_str().unwrap())).collect();
    let served: usize = paths.iter().map(|path| server.ask("GET", path, &[], "").body.lines().count()).sum();
    let files = fs::read_dir("puzzles").unwrap().map(|file| fs::read_to_string(file.unwrap().path()).unwrap());
    assert_eq!(served, files.map(|text| text.lines().count()).sum::<usize>());
    let five = sets.iter().find(|set| set["name"] == "mnk775").unwrap();
    assert_eq!((&five["game"]["key"], &five["game"]["row"]), (&json!("mnk"), &json!(5)));
    parts.extend(paths);
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
fn the_menu_of_the_page_is_that_of_the_engine() {
    let server = Server::start(&[]);
    let menu = server.ask("GET", "/api/games", &[], "");
    assert!(menu.status == 200 && menu.head.contains("content-type: application/json"), "{}", menu.head);
    let told = Talk::in_memory().ask("query games");
    assert_eq!(menu.body, told.strip_prefix("response ").unwrap());
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
fn another_move_keeps_the_old_one_as_a_variation() {
    let server = Server::start(&[]);
    let page = Page::open(&server);
    page.does(&json!({ "do": "paste", "text": "connect4|startpos|d c d" }));
    page.does(&json!({ "do": "go_to", "at": 1 }));
    page.does(&json!({ "do": "play", "move": "e", "at": 1 }));
    let state = page.state(|state| state["moves"] == json!(["d", "e"]));
    let moves = |state: &Value| -> Vec<(u64, u64, String)> {
        let of = |one: &Value| {
            (one["id"].as_u64().unwrap(), one["parent"].as_u64().unwrap(), one["move"].as_str().unwrap().to_owned())
        };
        state["tree"].as_array().unwrap().iter().map(of).collect()
    };
    let tree = moves(&state);
    assert_eq!(tree.iter().map(|(_, _, text)| text.as_str()).collect::<String>(), "dcde");
    assert_eq!((tree[1].1, tree[3].1), (tree[0].0, tree[0].0), "both follow the first move");
    let variation = tree[3].0;
    page.does(&json!({ "do": "comment", "node": variation, "text": "a word" }));
    page.does(&json!({ "do": "promote", "node": variation }));
    let state = page.state(|state| moves(state).get(1).is_some_and(|(id, ..)| *id == variation));
    assert_eq!(state["tree"][1]["comment"], "a word");
    page.does(&json!({ "do": "visit", "node": tree[2].0 }));
    page.state(|state| state["moves"] == json!(["d", "c", "d"]) && state["at"] == 3);
    page.does(&json!({ "do": "delete", "node": tree[1].0 }));
    page.state(|state| state["moves"] == json!(["d", "e"]) && state["at"] == 1);
    for what in ["visit", "promote", "delete"] {
        page.refuses(&json!({ "do": what, "node": tree[2].0 }), 409, "stale");
    }
}

#[test]
fn a_review_judges_every_position_of_a_pasted_game_with_one_limit() {
    let server = Server::start(&[]);
    let page = Page::open(&server);
    page.does(&json!({ "do": "paste", "text": "tictactoe|startpos|a1 a2 b1 b2 c1" }));
    // The graph has a value of one kind for each position that is not over, without anybody asking.
    page.state(|state| {
        let known = state["glances"].as_array().map(|all| all.iter().filter(|one| one.is_object()).count());
        state["game"] == "tictactoe" && known == Some(5)
    });
    page.does(&json!({ "do": "review", "limit": { "by": "depth", "value": 4 } }));
    let state = page.state(|state| state["review"]["done"] == 5);
    assert_eq!((&state["review"]["of"], &state["review"]["runs"]), (&json!(5), &json!(false)));
    let depths: Vec<_> = (0..5).map(|at| state["reviews"][at]["depth"].as_u64().unwrap()).collect();
    assert!(depths.iter().all(|depth| (1..=4).contains(depth)), "{depths:?}");
    assert_eq!((&state["reviews"][4]["score"], &state["reviews"][4]["pv"]), (&json!({ "mate": 1 }), &json!(["c1"])));
    assert!(state["reviews"][5].is_null() && state["results"][5] == "p1win", "a finished game has a result");
    page.refuses(&json!({ "do": "review", "limit": { "by": "depth", "value": 0 } }), 400, "bad_settings");
    page.refuses(&json!({ "do": "review", "limit": { "by": "movetime", "value": 100_000 } }), 400, "bad_settings");
}

/// Chess with tags, a variation, a comment, a glyph, clocks and a result that the board does not show.
const FULL: &str = "[Event \"Casual\"]\n[Site \"?\"]\n[Date \"2024.01.05\"]\n[Round \"3\"]\n[White \"Ann\"]\n[Black \"Bob\"]\n\
    [Result \"0-1\"]\n[WhiteElo \"2000\"]\n\n1. e4 {[%clk 0:10:00] best by test} e5 $1 (1... c5 {sharp} 2. Nf3) 2. Nf3 Nc6 0-1\n";

#[test]
fn records_are_read_put_on_the_board_and_written_without_loss() {
    let server = Server::start(&[]);
    let page = Page::open(&server);
    let read = page.asks("/api/read/awale", FULL.as_bytes());
    assert_eq!((read.0, &read.1["knows"], &read.1["faults"]), (200, &json!(true), &json!([])));
    let record = &read.1["games"][0];
    assert_eq!((&record["game"], &record["players"]), (&json!("chess"), &json!(["Ann", "Bob"])));
    assert_eq!(page.asks("/api/load", record.to_string().as_bytes()), (200, json!({})));
    let state = page.state(|state| state["game"] == "chess");
    assert_eq!((&state["at"], &state["names"]), (&json!(4), &json!(["e4", "e5", "Nf3", "Nc6"])));
    assert_eq!((&state["about"]["result"], &state["result"]), (&json!("p2win"), &Value::Null));
    let tree = state["tree"].as_array().unwrap();
    assert_eq!(tree.iter().filter(|node| node["name"].is_string()).count(), 6, "each move has its name");
    assert_eq!(
        (&tree[0]["comment"], &tree[1]["nags"], &tree[0]["clock"]),
        (&json!("best by test"), &json!([1]), &json!(600.0))
    );
    // From a variation, and after another comment.
    let side = tree.iter().find(|node| node["move"] == "c7c5").unwrap()["id"].clone();
    page.does(&json!({ "do": "visit", "node": side }));
    let copy = page.asks("/api/record", br#"{"players":["me",null],"date":"2026.11.28"}"#);
    let pgn = copy.1["texts"]["pgn"].as_str().unwrap();
    for part in [
        "[Event \"Casual\"]",
        "[WhiteElo \"2000\"]",
        "[White \"Ann\"]",
        "best by test",
        "%clk 0:10:00",
        "$1",
        "(1... c5 {sharp}",
        "0-1",
    ] {
        assert!(pgn.contains(part), "{part}: {pgn}");
    }
    let mut again = page.asks("/api/read/awale", pgn.as_bytes());
    // The writer counts the plies.
    again.1["games"][0]["tags"].as_object_mut().unwrap().remove("PlyCount");
    let same = |name: &str| assert_eq!(again.1["games"][0][name], record[name], "{name}");
    ["moves", "notes", "variations", "tags", "players", "result"].into_iter().for_each(same);
    // Many games in one text, one of them bad.
    let two = page.asks("/api/read/connect4", b"4455\nzzz\nd e f\n");
    assert_eq!(
        (two.1["games"].as_array().unwrap().len(), two.1["faults"].as_array().unwrap().len()),
        (2, 1),
        "{}",
        two.1
    );
    let lines: Vec<String> = two.1["games"].as_array().unwrap().iter().map(ToString::to_string).collect();
    let texts = page.asks("/api/write/pgn", lines.join("\n").as_bytes());
    assert_eq!(texts.1["texts"]["pgn"].as_str().unwrap().matches("[Variant \"cfour\"]").count(), 2, "{}", texts.1);
    // For the time without the server, with the pictures of its positions.
    let places = page.asks("/api/view", br#"{"game":"chess","moves":["e2e4","e7e5"]}"#).1["places"].clone();
    let facts = |at: usize| (places[at]["move"].clone(), places[at]["name"].clone(), places[at]["first"].clone());
    assert_eq!(facts(0), (Value::Null, Value::Null, json!(true)));
    assert_eq!(facts(2), (json!("e7e5"), json!("e5"), json!(true)));
    let picture = &places[2]["picture"];
    assert_eq!(
        (&picture["moves"], &picture["last"]["name"], picture["board"]["cells"].as_array().unwrap().len()),
        (&json!([]), &json!("e5"), 64)
    );
    assert_eq!(page.asks("/api/write/doc", b"[]").0, 400);
    for bad in [&b"{"[..], b"null", b"", br#"{"game":"chess","moves":["e9"]}"#, br#"{"game":"nim:99","moves":[]}"#] {
        assert_eq!(page.asks("/api/load", bad).0, 400, "{}", String::from_utf8_lossy(bad));
    }
    page.state(|state| state["game"] == "chess");
}

#[test]
fn an_analysis_ends_at_its_depth_and_shows_what_the_other_side_threatens() {
    let server = Server::start(&[]);
    let page = Page::open(&server);
    page.does(&json!({ "do": "paste", "text": "chess|6k1/8/8/8/8/1r6/r7/7K w - - 0 1|" }));
    let settings = |depth: u8, threat: bool| {
        json!({ "do": "set", "settings": { "players": people(), "movetime": 1000, "pace": 0, "analysis": true, "lines": 2,
            "depth": depth, "threat": threat } })
    };
    page.does(&settings(3, false));
    page.wait("thinking", |thinking| thinking["purpose"] == "analysis" && !thinking["info"]["pv"].is_null());
    // It comes to its end, and its lines stay.
    let later = Page::look(&server, &page.cookie);
    later.state(|state| state["doing"].is_null() && state["settings"]["depth"] == 3);
    assert_eq!(later.wait("thinking", |thinking| !thinking.is_null())["info"]["pv"][0], "h1g1");
    // Black would mate at once: the score is for the first player as always.
    page.does(&settings(3, true));
    let told = page.wait("thinking", |thinking| thinking["purpose"] == "threat" && !thinking["info"]["pv"].is_null());
    assert_eq!(told["info"]["score"], json!({ "mate": -1 }), "{told}");
    // The next position is its own again.
    page.does(&json!({ "do": "play", "move": "h1g1", "at": 0 }));
    page.wait("thinking", |thinking| thinking["purpose"] == "analysis" && thinking["at"] == 1);
    // Who is in check cannot wait.
    page.does(&json!({ "do": "paste", "text": "chess|4k3/8/8/8/8/8/4r3/4K3 w - - 0 1|" }));
    page.does(&settings(3, true));
    page.wait("notice", |notice| notice["notice"] == "no_threat");
    page.wait("thinking", |thinking| thinking["purpose"] == "analysis" && !thinking["info"]["pv"].is_null());
    page.refuses(&settings(61, false), 400, "bad_settings");
    // In games of stones, too: what another move of the other side would do.
    let goes_on = |text: &str, is_told: fn(&Value) -> bool| {
        page.does(&json!({ "do": "paste", "text": text }));
        page.does(&settings(3, true));
        page.wait("thinking", |told| told["purpose"] == "threat" && is_told(&told["info"]));
    };
    goes_on("gomoku|startpos|a1 h8 a3 i8 a5 j8", |told| told["score"]["mate"].as_i64() < Some(0));
    goes_on("othello|startpos|", |told| ["e3", "f4", "c5", "d6"].contains(&told["pv"][0].as_str().unwrap_or_default()));
    goes_on("awale|startpos|", |told| {
        told["pv"][0].as_str().is_some_and(|mv| mv.bytes().all(|b| b.is_ascii_lowercase()))
    });
    goes_on("draughts|W:W28,48:B1,23|", |told| told["pv"][0] == "23x32");
    page.does(&json!({ "do": "paste", "text": "connect4|startpos|d" }));
    page.does(&settings(3, true));
    page.wait("notice", |notice| notice["notice"] == "no_threat");
}

#[test]
fn a_game_that_ends_on_time_is_written_so_with_its_clocks() {
    let server = Server::start(&[]);
    let page = Page::open(&server);
    let clock = json!({ "base": 1000, "increment": 0 });
    page.does(&json!({ "do": "new", "game": "chess", "players": people(), "clock": clock }));
    page.does(&json!({ "do": "play", "move": "e2e4", "at": 0 }));
    page.state(|state| state["game"] == "chess" && state["ended"] == "time");
    let copy = page.asks("/api/record", br#"{"players":["me","you"],"date":"2026.11.28"}"#).1;
    assert_eq!((&copy["record"]["result"], &copy["record"]["ending"]), (&json!("p1win"), &json!("time")));
    assert_eq!(copy["record"]["notes"]["1"]["clock"], json!(1.0));
    let pgn = copy["texts"]["pgn"].as_str().unwrap();
    assert!(pgn.contains("[Date \"2026.11.28\"]") && pgn.contains("[White \"me\"]") && pgn.contains("1-0"), "{pgn}");
}

#[test]
fn a_player_resigns_and_a_draw_is_agreed() {
    let server = Server::start(&[]);
    let page = Page::open(&server);
    page.does(&json!({ "do": "new", "game": "connect4", "players": people() }));
    page.does(&json!({ "do": "play", "move": "d", "at": 0 }));
    page.refuses(&json!({ "do": "resign", "at": 0 }), 409, "stale");
    page.does(&json!({ "do": "resign", "at": 1 }));
    let state = page.state(|state| state["ended"] == "resignation");
    assert_eq!((&state["result"], &state["results"][1]), (&json!("p1win"), &json!("p1win")));
    page.refuses(&json!({ "do": "play", "move": "d", "at": 1 }), 409, "over");
    page.refuses(&json!({ "do": "offer_draw", "at": 1 }), 409, "over");
    let record = page.asks("/api/record", b"{}").1["record"].clone();
    assert_eq!((&record["result"], &record["ending"]), (&json!("p1win"), &json!("resignation")));
    page.does(&json!({ "do": "new", "game": "connect4", "players": people() }));
    page.does(&json!({ "do": "offer_draw", "at": 0 }));
    let state = page.state(|state| state["ended"] == "agreement");
    assert_eq!(state["result"], "draw");
    // An engine that stands better plays on: the first stone at the edge loses.
    page.does(&json!({ "do": "new", "game": "connect4", "players": against_the_engine() }));
    page.does(&json!({ "do": "play", "move": "a", "at": 0 }));
    page.state(|state| state["game"] == "connect4" && state["at"] == 2);
    page.does(&json!({ "do": "offer_draw", "at": 2 }));
    page.wait("notice", |notice| notice["notice"] == "draw_declined");
    // Of a person and an engine it is the person who resigns, also while the engine is to move.
    page.does(&json!({ "do": "new", "game": "othello", "players": against_the_engine() }));
    let settings = json!({ "players": against_the_engine(), "movetime": 60000, "pace": 0, "analysis": false });
    page.does(&json!({ "do": "set", "settings": settings }));
    page.does(&json!({ "do": "play", "move": "d3", "at": 0 }));
    page.state(|state| state["game"] == "othello" && state["doing"] == "play");
    page.does(&json!({ "do": "resign", "at": 1 }));
    let state = page.state(|state| state["ended"] == "resignation");
    assert_eq!((&state["result"], &state["doing"]), (&json!("p2win"), &Value::Null));
}

#[test]
fn who_comes_later_reads_the_clock_as_it_is() {
    let server = Server::start(&[]);
    let page = Page::open(&server);
    let clock = json!({ "base": 60_000, "increment": 0 });
    page.does(&json!({ "do": "new", "game": "chess", "players": people(), "clock": clock }));
    page.does(&json!({ "do": "play", "move": "e2e4", "at": 0 }));
    let told = page.state(|state| state["game"] == "chess" && state["at"] == 1)["clock"].clone();
    assert_eq!(told["running"], json!(1));
    // A moment later, in which nothing is published.
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_millis(200) {
        thread::yield_now();
    }
    let other = Page::look(&server, &page.cookie);
    let now = other.wait("beat", |beat| beat["now"].is_u64())["now"].as_u64().unwrap();
    let later = other.state(|_| true)["clock"].clone();
    let age = now - later["at"].as_u64().unwrap();
    let left = later["left"][1].as_u64().unwrap() - age;
    assert!((59_000..=59_800).contains(&left), "{later} {now}");
}

#[test]
fn moves_after_the_end_of_the_rules_are_on_the_board() {
    let server = Server::start(&[]);
    let page = Page::open(&server);
    let read = page.asks("/api/read/awale", b"1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. e4 e5").1;
    assert_eq!(page.asks("/api/load", read["games"][0].to_string().as_bytes()).0, 200);
    let state = page.state(|state| state["game"] == "chess" && state["at"] == 10);
    assert_eq!((&state["result"], &state["results"][8]), (&Value::Null, &json!("draw")));
    assert!(state["boards"][10].as_str().unwrap().starts_with("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w"));
    page.does(&json!({ "do": "go_to", "at": 9 }));
    page.does(&json!({ "do": "go_to", "at": 10 }));
    page.does(&json!({ "do": "play", "move": "g1f3", "at": 10 }));
}

#[test]
fn several_lines_are_told_and_time_is_lost() {
    let server = Server::start(&[]);
    let page = Page::open(&server);
    let settings = json!({ "players": people(), "movetime": 1000, "pace": 0, "analysis": true, "lines": 4 });
    page.does(&json!({ "do": "set", "settings": settings }));
    let told = page.wait("thinking", |thinking| thinking["lines"].as_array().is_some_and(|lines| lines.len() == 4));
    assert_eq!(told["info"], told["lines"][0]);
    page.refuses(&json!({ "do": "new", "game": "nim", "clock": { "base": 0, "increment": 0 } }), 400, "bad_settings");
    let clock = json!({ "base": 1000, "increment": 0 });
    page.does(&json!({ "do": "new", "game": "tictactoe", "players": people(), "clock": clock }));
    page.does(&json!({ "do": "play", "move": "b2", "at": 0 }));
    let state = page.state(|state| state["game"] == "tictactoe" && state["result"] != Value::Null);
    assert_eq!((&state["result"], &state["ended"]), (&json!("p1win"), &json!("time")));
    page.refuses(&json!({ "do": "play", "move": "a1", "at": 1 }), 409, "over");
}

/// A game that the page has not heard of: the program that plays it is the engine, and its picture is all that is known of it.
#[test]
fn hexapawn_has_a_board_on_the_page() {
    let engine = griot_testing::workspace_example("add_a_game");
    let server = Server::start(&["--engine", engine.to_str().unwrap()]);
    let page = Page::open(&server);
    let state = page.state(|state| state["legal"].as_array().is_some_and(|legal| !legal.is_empty()));
    assert_eq!((&state["game"], &state["legal"]), (&json!("hexapawn"), &json!(["a1a2", "b1b2", "c1c2"])));
    let picture = &state["pictures"]["0"];
    assert_eq!(picture["players"], json!({ "marks": ["P", "p"] }));
    assert_eq!(picture["board"]["columns"], json!(["a", "b", "c"]));
    assert_eq!(picture["board"]["cells"][0], json!({ "owner": "first", "mark": "P" }));
    assert_eq!(picture["moves"][1], json!({ "move": "b1b2", "from": [1, 0], "to": [1, 1] }));
    page.does(&json!({ "do": "new", "game": "hexapawn", "players": people() }));
    let play = |text: &str, at: usize| json!({ "do": "play", "move": text, "at": at });
    page.does(&play("b1b2", 0));
    page.does(&play("a3b2", 1));
    let state = page.state(|state| state["at"] == 2);
    let picture = &state["pictures"]["2"];
    assert_eq!(picture["board"]["cells"][4], json!({ "owner": "second", "mark": "p" }));
    assert_eq!(picture["last"], json!({ "move": "a3b2", "from": [0, 2], "to": [1, 1] }));
    page.does(&json!({ "do": "paste", "text": "hexapawn|.../P.p/... P|a2a3" }));
    let state = page.state(|state| state["result"] == "p1win");
    assert_eq!(
        (&state["pictures"]["1"]["result"], &state["boards"][1]),
        (&json!({ "win": "first" }), &json!("P../..p/... p"))
    );
    page.refuses(&json!({ "do": "new", "game": "awale" }), 400, "engine_says");
}

#[test]
fn pictures_lead_from_each_position_to_the_next() {
    let server = Server::start(&[]);
    let page = Page::open(&server);
    page.does(&json!({ "do": "paste", "text": "tictactoe|startpos|b2 a1 c3 a3 a2" }));
    let shown = |state: &Value| -> Vec<String> { state["pictures"].as_object().unwrap().keys().cloned().collect() };
    let state = page.state(|state| state["at"] == 5 && state["game"] == "tictactoe");
    assert_eq!(shown(&state), ["2", "3", "4", "5"]);
    assert_eq!(state["pictures"]["5"]["last"], json!({ "move": "a2", "to": [0, 1] }));
    page.does(&json!({ "do": "go_to", "at": 1 }));
    let state = page.state(|state| state["at"] == 1);
    assert_eq!(shown(&state), ["1"]);
    // Two steps on, of which the page shows one after the other.
    page.does(&json!({ "do": "go_to", "at": 3 }));
    let state = page.state(|state| state["at"] == 3);
    assert_eq!(shown(&state), ["1", "2", "3"]);
    assert_eq!(state["pictures"]["2"]["last"]["move"], "a1");
}

#[test]
fn what_the_engine_says_is_passed_on_and_what_it_refuses_changes_nothing() {
    let server = Server::start(&[]);
    let page = Page::open(&server);
    page.does(&json!({ "do": "new", "game": "nim:3-4-5,take=any,normal", "players": people() }));
    let told = page.refuses(&json!({ "do": "new", "game": "shogi" }), 400, "engine_says");
    assert!(told.contains("no game 'shogi'; there are"), "{told}");
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
fn without_a_free_engine_the_board_works_and_the_next_free_one_is_taken() {
    let server = Server::start(&["--visitors", "1"]);
    let first = Page::open(&server);
    server.wait_for_engines(1);
    let second = Page::open(&server);
    let state = second.state(|state| state["engine"] == "full" && !state["legal"].as_array().unwrap().is_empty());
    assert_eq!(state["boards"][0], "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S");
    second.refuses(&json!({ "do": "resume" }), 503, "full");
    second.refuses(&json!({ "do": "hint" }), 503, "full");
    // One engine more describes positions for all who wait.
    second.does(&json!({ "do": "new", "game": "tictactoe", "players": people() }));
    second.does(&json!({ "do": "play", "move": "b2", "at": 0 }));
    let told = second.refuses(&json!({ "do": "play", "move": "b2", "at": 1 }), 400, "illegal_move");
    assert!(told.starts_with("b2; a1"), "{told}");
    second.does(&json!({ "do": "play", "move": "a1", "at": 1 }));
    second.does(&json!({ "do": "go_to", "at": 1 }));
    let state = second.state(|state| state["at"] == 1 && state["moves"].as_array().unwrap().len() == 2);
    assert_eq!((&state["boards"][1], &state["engine"]), (&json!("3/1x1/3 o"), &json!("full")));
    // The clocks of two people run without an engine.
    let clock = json!({ "base": 60_000, "increment": 0 });
    second.does(&json!({ "do": "new", "game": "tictactoe", "players": people(), "clock": clock }));
    second.does(&json!({ "do": "play", "move": "b2", "at": 0 }));
    second.state(|state| state["at"] == 1 && state["clock"]["running"] == 1);
    second.does(&json!({ "do": "play", "move": "a1", "at": 1 }));
    second.state(|state| state["at"] == 2 && state["clock"]["running"] == 0 && state["engine"] == "full");
    let record = second.asks("/api/read/tictactoe", b"1. e4 e5 2. Nf3").1["games"][0].to_string();
    assert_eq!(second.asks("/api/load", record.as_bytes()).0, 200);
    second.state(|state| state["game"] == "chess" && state["names"][2] == "Nf3");
    let third = Page::open(&server);
    third.state(|state| state["engine"] == "full" && !state["boards"].as_array().unwrap().is_empty());
    assert_eq!(server.engines().len(), 2);
    drop(third);
    first.does(&json!({ "do": "new", "game": "tictactoe", "players": people() }));
    // The seat gets free.
    drop(first);
    second.state(|state| state["engine"] == "ready" && state["game"] == "chess" && state["at"] == 3);
    server.wait_for_engines(1);
}

#[test]
fn an_opponent_agrees_to_take_back_once_where_a_clock_runs() {
    let server = Server::start(&[]);
    let page = Page::open(&server);
    let settings = json!({ "players": against_the_engine(), "movetime": 20, "pace": 0, "analysis": false });
    page.does(&json!({ "do": "set", "settings": settings }));
    let play = |clock: Option<Value>, times: usize| {
        page.does(&json!({ "do": "new", "game": "awale", "players": against_the_engine(), "clock": clock }));
        page.state(|state| state["moves"] == json!([]));
        page.refuses(&json!({ "do": "take_back", "at": 0 }), 409, "stale");
        for _ in 0..times {
            page.does(&json!({ "do": "play", "move": "A", "at": 0 }));
            page.state(|state| state["at"] == 2);
            page.does(&json!({ "do": "take_back", "at": 0 }));
            page.state(|state| state["at"] == 0);
        }
    };
    play(None, 3);
    play(Some(json!({ "base": 60_000, "increment": 0 })), 1);
    page.does(&json!({ "do": "play", "move": "A", "at": 0 }));
    page.state(|state| state["at"] == 2);
    page.does(&json!({ "do": "take_back", "at": 0 }));
    assert_eq!(page.wait("notice", |_| true)["notice"], "back_declined");
    assert_eq!(page.state(|_| true)["at"], 2);
}

#[test]
fn an_engine_that_hangs_is_noticed_and_started_again() {
    let server = Server::start(&[]);
    let page = Page::open(&server);
    let settings = json!({ "players": against_the_engine(), "movetime": 60000, "pace": 0, "analysis": false });
    page.does(&json!({ "do": "set", "settings": settings }));
    let engine = server.wait_for_engines(1)[0];
    page.does(&json!({ "do": "play", "move": "C", "at": 0 }));
    page.wait("thinking", |thinking| thinking["at"] == 1);
    kill("-STOP", engine);
    let begun = Instant::now();
    let notice = page.wait("notice", |_| true);
    assert_eq!((&notice["notice"], &notice["detail"]), (&json!("engine_restarted"), &json!("it does not answer")));
    assert!(begun.elapsed() < Duration::from_secs(8), "{:?}", begun.elapsed());
    page.wait("thinking", |thinking| thinking["at"] == 1 && thinking["info"]["depth"].as_u64() > Some(2));
    assert_ne!(server.wait_for_engines(1)[0], engine);
    // An engine that hangs while idle is noticed at the next command, which is then carried out by its successor.
    page.does(&json!({ "do": "pause" }));
    kill("-STOP", server.wait_for_engines(1)[0]);
    page.does(&json!({ "do": "go_to", "at": 0 }));
    page.state(|state| state["at"] == 0);
}

#[test]
fn who_comes_back_is_not_told_that_all_engines_were_busy_a_while_ago() {
    // The server looks four times in the time after which an engine is idle whether somebody is still there.
    let server = Server::start(&["--visitors", "1", "--idle", "2"]);
    let first = Page::open(&server);
    server.wait_for_engines(1);
    let second = Page::open(&server);
    second.state(|state| state["engine"] == "full");
    let cookie = second.cookie.clone();
    drop((first, second));
    thread::sleep(Duration::from_secs(1));
    let back = Page::look(&server, &cookie);
    assert_ne!(back.state(|_| true)["engine"], "full", "the first word");
    back.state(|state| state["engine"] == "ready");
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
    assert_eq!(server.ask("POST", "/api/do", &[headers[0], headers[1], json], &long).status, 413);
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
        let output = Command::new(env!("CARGO_BIN_EXE_griot-board")).args(arguments).output().unwrap();
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && told.contains(words), "{arguments:?}: {} {told}", output.status);
    };
    fails(&["--listen", "0.0.0.0:0", "--engine", &engine()], "--allow-host");
    fails(&["--listen", "127.0.0.1:0", "--engine", "/there/is/none"], "no engine: /there/is/none");
    fails(&["--listen", "127.0.0.1:0", "--engine", "true"], "no engine");
    fails(&["--idle=-1"], "expected seconds");
}

#[test]
fn a_request_that_does_not_come_whole_is_not_waited_for() {
    let server = Server::start(&["--patience", "0.4"]);
    let page = Page::open(&server);
    let host = server.own_host();
    // Nothing at all, half a head, and nothing after an answer.
    assert_eq!(heard(server.send(b"")), "");
    assert_eq!(heard(server.send(format!("GET / HTTP/1.1\r\nHost: {host}\r\nX").as_bytes())), "");
    let kept = server.told(format!("GET /icon.svg HTTP/1.1\r\nHost: {host}\r\n\r\n").as_bytes());
    assert!(kept.starts_with("HTTP/1.1 200 "), "{kept}");
    // A head and a body of which a little comes, again and again.
    let trickles = |start: &str, piece: &[u8]| {
        let mut stream = server.send(start.as_bytes());
        let began = Instant::now();
        while stream.write_all(piece).is_ok() {
            assert!(began.elapsed() < PATIENCE, "still waited for: {start}");
            thread::sleep(Duration::from_millis(50));
        }
    };
    trickles(&format!("GET / HTTP/1.1\r\nHost: {host}\r\n"), b"X-More: 1\r\n");
    trickles(&server.post("/api/do", &page.cookie, 10_000), b" ");
    let chunked = server.post("/api/do", &page.cookie, 0).replace("Content-Length: 0", "Transfer-Encoding: chunked");
    trickles(&chunked, b"1\r\n \r\n");
    // Half a body is told why it is not waited for, also where no body is wanted.
    for path in ["/api/do", "/api/open", "/nowhere"] {
        let told = server.told((server.post(path, &page.cookie, 30) + "{\"do\":").as_bytes());
        assert!(told.starts_with("HTTP/1.1 408 ") && told.contains("too_late"), "{path}: {told}");
    }
    // The page has been open all the time.
    page.does(&json!({ "do": "new", "game": "nim" }));
    page.state(|state| state["game"] == "nim");
}

#[test]
fn three_hundred_half_sent_requests_shut_nobody_out_who_may_open_256_files() {
    let server = Server::start_with_files(256, &["--patience", "600"]);
    let early = Page::open(&server);
    let half_sent: Vec<_> = (0..300)
        .map(|number| {
            let head = format!("GET / HTTP/1.1\r\nHost: {}\r\n", server.own_host());
            let body = server.post("/api/open", "", 10) + "{";
            server.send(if number % 2 == 0 { head.as_bytes() } else { body.as_bytes() })
        })
        .collect();
    let late = Page::open(&server);
    for page in [&early, &late] {
        page.does(&json!({ "do": "new", "game": "tictactoe", "players": people() }));
        page.does(&json!({ "do": "play", "move": "b2", "at": 0 }));
        page.state(|state| state["at"] == 1);
    }
    server.wait_for_engines(2);
    // Nor do they keep the server at work.
    let (ticks, start) = (server.ticks(), Instant::now());
    thread::sleep(Duration::from_millis(500));
    let hundredths = start.elapsed().as_millis() as u64 / 10;
    assert!(server.ticks() - ticks < hundredths / 2, "{} of {hundredths}", server.ticks() - ticks);
    drop(half_sent);
}

#[test]
fn a_server_that_may_open_no_more_files_lets_the_oldest_half_sent_request_make_room() {
    let server = Server::start(&["--patience", "600"]);
    assert_eq!(server.ask("GET", "/", &[], "").status, 200);
    let files = fs::read_dir(format!("/proc/{}/fd", server.process.id())).unwrap().count();
    // As if something else had taken all but four.
    let limit = format!("--nofile={0}:{0}", files + 4);
    let pid = server.process.id().to_string();
    assert!(Command::new("prlimit").args(["--pid", &pid, &limit]).status().unwrap().success());
    let half_sent: Vec<_> = (0..20).map(|_| server.send(b"GET / HTTP/1.1\r\n")).collect();
    for _ in 0..5 {
        assert_eq!(server.ask("GET", "/main.js", &[], "").status, 200);
    }
    drop(half_sent);
}

#[test]
fn a_crowd_is_told_that_there_is_no_room() {
    let server = Server::start(&["--connections", "16", "--visitors", "4"]);
    // As many pages as may look; there are connections left to tell the next one.
    let pages: Vec<_> = (0..3).map(|_| Page::open(&server)).collect();
    let looking: Vec<_> = (0..9).map(|number| Page::look(&server, &pages[number % 3].cookie)).collect();
    looking.iter().for_each(|page| drop(page.state(|state| state["boards"][0].is_string())));
    let told = server.ask("GET", "/api/news", &[("Cookie", &pages[0].cookie)], "");
    assert!(told.status == 503 && told.body.contains("crowded"), "{}", told.body);
    // Engines that do not answer hold the commands, and their connections.
    let command = r#"{"do":"new","game":"tictactoe"}"#;
    let held = |stream: &TcpStream| {
        stream.set_nonblocking(true).unwrap();
        stream.peek(&mut [0]).is_err_and(|error| error.kind() == ErrorKind::WouldBlock)
    };
    let mut wishes: Vec<TcpStream> = Vec::new();
    let start = Instant::now();
    loop {
        server.engines().iter().for_each(|engine| kill("-STOP", *engine));
        wishes.retain(held);
        while wishes.len() < 4 {
            wishes.push(server.send((server.post("/api/do", &pages[0].cookie, command.len()) + command).as_bytes()));
        }
        let told = server.told(b"GET / HTTP/1.0\r\n\r\n");
        if told.starts_with("HTTP/1.1 503 ") {
            assert!(told.ends_with("\r\n\r\n{\"error\":\"crowded\"}"), "{told}");
            break;
        }
        // A command had not arrived, and made room for the newcomer, who heard that it names no host.
        assert!(told.contains(" 403 ") && start.elapsed() < PATIENCE, "{told}");
    }
    server.engines().iter().for_each(|engine| kill("-CONT", *engine));
    for mut stream in wishes {
        stream.set_nonblocking(false).unwrap();
        let mut first = [0; 13];
        stream.read_exact(&mut first).unwrap();
        assert_eq!(&first, b"HTTP/1.1 200 ");
    }
    assert_eq!(server.ask("GET", "/", &[], "").status, 200);
}

#[test]
fn the_ninth_visitor_gets_an_engine_when_the_pages_of_eight_are_closed() {
    let server = Server::start(&[]);
    let pages: Vec<_> = (0..8).map(|_| Page::open(&server)).collect();
    let engines = server.wait_for_engines(8);
    let cookies: Vec<_> = pages.iter().map(|page| page.cookie.clone()).collect();
    pages[0].does(&json!({ "do": "new", "game": "tictactoe", "players": people() }));
    pages[0].does(&json!({ "do": "play", "move": "b2", "at": 0 }));
    drop(pages);
    let ninth = Page::open(&server);
    ninth.state(|state| state["engine"] == "ready" && state["boards"][0].is_string());
    let now = server.wait_for_engines(8);
    assert_eq!(now.iter().filter(|engine| engines.contains(engine)).count(), 7, "one engine has yielded");
    // Who comes back finds the game, and an engine.
    for cookie in &cookies[..7] {
        let page = Page::look(&server, cookie);
        let state = page.state(|state| state["engine"] == "ready");
        if cookie == &cookies[0] {
            assert_eq!(state["moves"], json!(["b2"]));
        }
    }
}

#[test]
fn an_open_page_never_loses_its_engine_to_a_newcomer() {
    let server = Server::start(&["--visitors", "2"]);
    let stays = Page::open(&server);
    let own = server.wait_for_engines(1)[0];
    let leaves = Page::open(&server);
    server.wait_for_engines(2);
    leaves.does(&json!({ "do": "new", "game": "tictactoe", "players": people() }));
    leaves.does(&json!({ "do": "play", "move": "b2", "at": 0 }));
    let cookie = leaves.cookie.clone();
    drop(leaves);
    let newcomer = Page::open(&server);
    newcomer.state(|state| state["engine"] == "ready");
    // However many come, and whatever they ask for.
    for _ in 0..10 {
        let other = Page::open(&server);
        other.state(|state| state["engine"] == "full");
        other.refuses(&json!({ "do": "hint" }), 503, "full");
    }
    // One more describes positions for those who wait.
    assert!(server.wait_for_engines(3).contains(&own));
    stays.does(&json!({ "do": "new", "game": "tictactoe", "players": people() }));
    // Who was away waits now, and is served without asking again when a page is closed.
    let back = Page::look(&server, &cookie);
    back.state(|state| state["engine"] == "full" && state["moves"] == json!(["b2"]));
    drop(newcomer);
    back.state(|state| state["engine"] == "ready");
    back.does(&json!({ "do": "play", "move": "a1", "at": 1 }));
    assert!(server.engines().contains(&own));
    // A page that is loaded again keeps its engine when nobody has come meanwhile; so does one whose engine is started again.
    let engines = server.engines();
    let cookie = back.cookie.clone();
    drop(back);
    let back = Page::look(&server, &cookie);
    back.state(|state| state["engine"] == "ready");
    assert_eq!(server.engines(), engines);
    kill("-KILL", own);
    let waits = Page::open(&server);
    waits.state(|state| state["engine"] == "full");
    stays.wait("notice", |notice| notice["notice"] == "engine_restarted");
    stays.does(&json!({ "do": "play", "move": "b2", "at": 0 }));
}

#[test]
fn visitors_who_never_look_shut_nobody_out_and_push_out_nobody_who_looks() {
    let server = Server::start(&["--visitors", "1"]);
    let page = Page::open(&server);
    page.does(&json!({ "do": "new", "game": "tictactoe", "players": people() }));
    // One game for each of sixteen is kept.
    let origin = format!("http://{}", server.own_host());
    for number in 0..100 {
        let opened = server.ask("POST", "/api/open", &[("Origin", &origin)], "");
        assert_eq!(opened.status, 200, "visitor {number}: {}", opened.body);
    }
    page.does(&json!({ "do": "play", "move": "b2", "at": 0 }));
    let cookie = page.cookie.clone();
    drop(page);
    for _ in 0..100 {
        assert_eq!(server.ask("POST", "/api/open", &[("Origin", &origin)], "").status, 200);
    }
    // Somebody who did look is kept, as long as there are others.
    Page::look(&server, &cookie).state(|state| state["moves"] == json!(["b2"]));
}

#[test]
fn requests_that_no_browser_makes_are_refused_and_harm_nothing() {
    let server = Server::start(&["--patience", "600"]);
    let page = Page::open(&server);
    let host = server.own_host();
    let status = |request: &str| {
        let told = server.told(request.as_bytes());
        told.split(' ').nth(1).and_then(|status| status.parse::<u16>().ok()).unwrap_or_default()
    };
    let get =
        |path: &str, more: &str| format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{more}\r\n");
    // A body that is too long is not read, whether it says so or not.
    let asked = server.post("/api/do", &page.cookie, 10_000_000_000);
    assert_eq!(status(&asked), 413);
    let chunked = server.post("/api/do", &page.cookie, 0).replace("Content-Length: 0", "Transfer-Encoding: chunked");
    assert_eq!(status(&(chunked.clone() + "8001\r\n" + &" ".repeat(0x8001) + "\r\n")), 413);
    // Text that is none, and JSON that is none or deep.
    let body = |body: &[u8]| {
        let head = server.post("/api/do", &page.cookie, body.len());
        let head = head.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n");
        server.told(&[head.as_bytes(), body].concat())
    };
    for bad in
        [&b"{\"do\":\"paste\",\"text\":\"\xff\xfe\"}"[..], b"\xc0\x80", b"{", b"", b"null", b"{\"do\":\"hint\"}x"]
    {
        let told = body(bad);
        assert!(told.contains(" 400 ") && told.contains("unreadable"), "{bad:?}: {told}");
    }
    for deep in ["[", "{\"do\":"] {
        assert!(body(deep.repeat(4000).as_bytes()).contains("unreadable"));
    }
    // Paths lead nowhere but to the parts of the page.
    for path in [
        "/../Cargo.toml",
        "/..%2fCargo.toml",
        "/%2e%2e/Cargo.toml",
        "//etc/passwd",
        "/assets/../main.js",
        "/main.js/",
        "/%00",
    ] {
        assert_eq!(status(&get(path, "")), 404, "{path}");
    }
    // Two hosts, two origins, none that can be read, another one in the first line.
    assert_eq!(status(&get("/", &format!("Host: {host}\r\n"))), 403);
    assert_eq!(status(&get("/", "Host: evil.example\r\n")), 403);
    assert_eq!(status(&get("http://evil.example/", "")), 403);
    assert_eq!(status(&get(&format!("http://{host}/"), "")), 200);
    let own = format!("Origin: http://{host}\r\n");
    assert_eq!(status(&get("/main.js", &(own.clone() + "Origin: http://evil.example\r\n"))), 403);
    assert_eq!(status(&get("/main.js", "Origin: http://\u{e9}vil.example\r\n")), 403);
    assert_eq!(status(&get("/main.js", "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Site: same-origin\r\n")), 403);
    // The old protocol, with a host and without; a new one, and none.
    assert_eq!(status(&format!("GET / HTTP/1.0\r\nHost: {host}\r\n\r\n")), 200);
    assert_eq!(status("GET / HTTP/1.0\r\n\r\n"), 403);
    for none in
        ["PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "\u{16}\u{3}\u{1}\u{2}\u{0}\r\n\r\n", "ugi\r\n\r\n", "GET /\r\n\r\n"]
    {
        assert!(matches!(status(none), 0 | 400), "{none:?}");
    }
    // A body whose length is said twice is none.
    let twice = server.post("/api/open", "", 2).replace("Content-Length: 2", "Content-Length: 2\r\nContent-Length: 3");
    assert_eq!(status(&(twice + "{}")), 400);
    // Too many lines, and too long ones.
    assert_eq!(status(&get("/", &"X-More: 1\r\n".repeat(1000))), 431);
    assert_eq!(status(&get("/", &format!("X-More: {}\r\n", "x".repeat(100_000)))), 431);
    assert!(matches!(status(&get(&format!("/{}", "x".repeat(100_000)), "")), 414 | 431));
    // One request behind the other, all answered in order.
    let many = format!("GET /icon.svg HTTP/1.1\r\nHost: {host}\r\n\r\n").repeat(50) + &get("/nowhere", "");
    let told = server.told(many.as_bytes());
    assert_eq!((told.matches("HTTP/1.1 200 ").count(), told.matches("HTTP/1.1 404 ").count()), (50, 1));
    // More behind the one that goes on.
    let news = format!("GET /api/news HTTP/1.1\r\nHost: {host}\r\nCookie: {}\r\n\r\n", page.cookie);
    let stream = server.send((news + &get("/", "").repeat(2000)).as_bytes());
    page.does(&json!({ "do": "new", "game": "tictactoe" }));
    page.state(|state| state["game"] == "tictactoe");
    drop(stream);
}
