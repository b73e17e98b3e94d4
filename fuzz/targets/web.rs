//! Requests to griot-board over a connection in memory: every request is answered or ends the connection, with a status
//! that the board uses, and no text of a page becomes more than one line for an engine.
//!
//! `COOKIE` in the input stands for a visitor's cookie; that visitor's engine cannot be started.

#![no_main]
#![allow(dead_code, unreachable_pub, reason = "all of the board is built in")]

#[path = "../../crates/griot-board/src/assets.rs"]
mod assets;
#[path = "../../crates/griot-board/src/clock.rs"]
mod clock;
#[path = "../../crates/griot-board/src/connections.rs"]
mod connections;
#[path = "../../crates/griot-board/src/engine.rs"]
mod engine;
#[path = "../../crates/griot-board/src/game.rs"]
mod game;
#[path = "../../crates/griot-board/src/http.rs"]
mod http;
#[path = "../../crates/griot-board/src/lobby.rs"]
mod lobby;
#[path = "../../crates/griot-board/src/openings.rs"]
mod openings;
#[path = "../../crates/griot-board/src/records.rs"]
mod records;
#[path = "../../crates/griot-board/src/seats.rs"]
mod seats;
#[path = "../../crates/griot-board/src/socket.rs"]
mod socket;
#[path = "../../crates/griot-board/src/visitor.rs"]
mod visitor;
#[path = "../../crates/griot-board/src/words.rs"]
mod words;

use std::collections::HashSet;
use std::sync::{Arc, LazyLock, Mutex};
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use libfuzzer_sys::fuzz_target;
use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::{Semaphore, mpsc, watch};
use tokio::time::timeout;

use words::{GameName, MoveText, Pasted};

const STATUSES: [&str; 15] =
    ["200", "400", "401", "403", "404", "405", "408", "409", "413", "414", "426", "429", "431", "500", "503"];

struct Board {
    runtime: Runtime,
    router: Router,
    cookie: String,
    _close: (watch::Sender<bool>, mpsc::Receiver<()>),
}

static BOARD: LazyLock<Mutex<Board>> = LazyLock::new(|| {
    let runtime = Builder::new_current_thread().enable_all().build().unwrap();
    let (close, closing) = watch::channel(false);
    let (at_work, all_ended) = mpsc::channel(1);
    let shared = visitor::Shared {
        program: "/there/is/none".into(),
        game: GameName::new("awale").unwrap(),
        hash: 1,
        idle: Duration::from_secs(900),
        seats: seats::Seats::new(2),
        describer: tokio::sync::Mutex::default(),
    };
    let lobby = lobby::Lobby::new(shared, 2, closing, at_work);
    let name = runtime.block_on(async { lobby.admit() }).unwrap();
    // This viewer never leaves, so that its engine stays.
    std::mem::forget(lobby.find(&name).unwrap().look());
    let door = http::Door {
        lobby,
        hosts: HashSet::from(["localhost:1".to_owned()]),
        origins: HashSet::new(),
        share: socket::Share { hash: 1, threads: 1 },
        cookie: "board".into(),
        patience: Duration::from_millis(100),
        pages: Arc::new(Semaphore::new(4)),
        conversions: Arc::new(Semaphore::new(http::CONVERSIONS)),
        menu: "[]".into(),
    };
    let router = http::router(Arc::new(door));
    Mutex::new(Board { runtime, router, cookie: format!("board={name}"), _close: (close, all_ended) })
});

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    for line in [
        GameName::new(&text).map(|name| name.to_string()),
        MoveText::new(&text).map(|text| text.to_string()),
        Pasted::read(&text).map(|pasted| {
            let board = pasted.board.map(|board| board.to_string()).unwrap_or_default();
            format!("{board} {}", pasted.moves.iter().map(MoveText::as_str).collect::<String>())
        }),
    ]
    .into_iter()
    .flatten()
    {
        assert!(!line.chars().any(char::is_control), "{line:?}");
    }

    let board = BOARD.lock().unwrap();
    let request = match text.contains("COOKIE") {
        true => text.replace("COOKIE", &board.cookie).into_bytes(),
        false => bytes.to_vec(),
    };
    let answer = board.runtime.block_on(async {
        let (mut client, server) = duplex(1 << 20);
        let mut builder = http1::Builder::new();
        builder.timer(TokioTimer::new()).header_read_timeout(Duration::from_millis(100));
        let serving = builder.serve_connection(TokioIo::new(server), TowerToHyperService::new(board.router.clone()));
        let talk = async {
            // The connection may be closed before everything is sent.
            let _ = client.write_all(&request).await;
            let _ = client.shutdown().await;
            let mut answer = Vec::new();
            let all = timeout(Duration::from_millis(500), client.read_to_end(&mut answer)).await;
            // An event stream stays open for a client that sent data after its request.
            assert!(all.is_ok() || answer.windows(17).any(|bytes| bytes == b"text/event-stream"), "no end");
            drop(client);
            answer
        };
        tokio::select! {
            biased;
            answer = talk => answer,
            _ = async { let _ = serving.await; std::future::pending::<()>().await } => unreachable!(),
        }
    });
    let answer = String::from_utf8_lossy(&answer);
    if !answer.is_empty() {
        let status = answer.strip_prefix("HTTP/1.").and_then(|rest| rest.get(2..5)).expect("a status line");
        assert!(STATUSES.contains(&status), "{answer}");
        // hyper itself answers malformed requests.
        assert!(matches!(status, "400" | "414" | "431") || answer.contains("content-security-policy: "), "{answer}");
    }
});
