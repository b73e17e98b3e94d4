//! The HTTP interface: one page with its files, commands by POST, news as server-sent events.
//!
//! Every request first passes [`guard`]. Its `Host` must be a name of this server, which defeats DNS rebinding, and it
//! must come from this server's own page or, for [`socket`], from an origin given by `--allow-origin`. The guard reads
//! the whole body, with a timeout.

use std::collections::HashSet;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::rejection::JsonRejection;
use axum::extract::{DefaultBodyLimit, Json, Path, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::sse::{Event, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use futures_util::{StreamExt, stream};
use serde::Deserialize;
use tokio::sync::Semaphore;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::{Instant, sleep_until, timeout};

use crate::assets;
use crate::clock::millis;
use crate::connections::Place;
use crate::lobby::{Guest, Lobby, closes};
use crate::records;
use crate::socket::{self, Share};
use crate::visitor::Command;
use crate::words::Refusal;

/// The longest body of a command.
const LONGEST_BODY: usize = 32 * 1024;
/// The longest body with games in it.
const LONGEST_RECORDS: usize = 32 * 1024 * 1024;
/// So many texts with games are converted at the same time.
pub(crate) const CONVERSIONS: usize = 2;
/// The interval of heartbeats: a page detects a lost server by them, and the server a lost page.
const BEAT: Duration = Duration::from_secs(15);
/// The least time between two events with lines of a search. A search of a small game reports hundreds of lines a second.
const LINES_PAUSE: Duration = Duration::from_millis(50);

/// Headers of every response. The page may load nothing from other origins and may not be framed.
const HEADERS: [(HeaderName, &str); 7] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' blob:; manifest-src 'self'; base-uri 'none'; \
         form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types griot",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::CACHE_CONTROL, "no-store"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// The state of the server for its requests.
pub(crate) struct Door {
    pub(crate) lobby: Lobby,
    /// The allowed values of `Host`.
    pub(crate) hosts: HashSet<String>,
    /// Origins whose pages may open a [`socket`], besides this server's own.
    pub(crate) origins: HashSet<String>,
    /// The limits of an engine behind a socket.
    pub(crate) share: Share,
    /// The name of the cookie. It contains the port, as browsers share cookies between the ports of a host.
    pub(crate) cookie: String,
    /// The time limit for the body of a request.
    pub(crate) patience: Duration,
    /// Limits open event streams: fewer than connections, so that some are left for requests.
    pub(crate) pages: Arc<Semaphore>,
    /// Limits the conversions of records that run at the same time.
    pub(crate) conversions: Arc<Semaphore>,
    /// The menu of games, as JSON.
    pub(crate) menu: String,
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let status = match self.error {
            "bad_host" | "bad_origin" => StatusCode::FORBIDDEN,
            "no_visitor" => StatusCode::UNAUTHORIZED,
            "not_found" => StatusCode::NOT_FOUND,
            "too_late" => StatusCode::REQUEST_TIMEOUT,
            "too_large" => StatusCode::PAYLOAD_TOO_LARGE,
            "full" | "crowded" | "too_many_pages" => StatusCode::SERVICE_UNAVAILABLE,
            "too_fast" => StatusCode::TOO_MANY_REQUESTS,
            "engine_failed" | "server" => StatusCode::INTERNAL_SERVER_ERROR,
            "stale" | "over" | "not_your_turn" | "busy" | "nothing_to_stop" => StatusCode::CONFLICT,
            _ => StatusCode::BAD_REQUEST,
        };
        (status, Json(self)).into_response()
    }
}

pub(crate) fn router(door: Arc<Door>) -> Router {
    let mut router = Router::new();
    for &(path, kind, text) in assets::files() {
        let tag = assets::tag();
        let file = move || async move { ([(header::CONTENT_TYPE, kind.to_owned()), (header::ETAG, tag)], text) };
        router = router.route(path, get(file));
    }
    let (kind, worker) = assets::worker();
    router
        .route("/worker.js", get(move || async move { ([(header::CONTENT_TYPE, kind)], worker) }))
        .route("/api/open", post(open))
        .route("/api/do", post(command))
        .route("/api/news", get(news))
        .route("/api/games", get(games))
        .route("/api/puzzles", get(|| async { ([(header::CONTENT_TYPE, "application/json")], assets::sets()) }))
        .route("/api/read/{game}", post(read))
        .route("/api/write/{format}", post(write))
        .route("/api/load", post(load))
        .route("/api/view", post(view))
        .route("/api/record", post(record))
        .route(socket::PATH, get(socket::open))
        .fallback(|| async { Refusal::new("not_found", "") })
        // The guard has read the body, and limits it by its path.
        .layer(DefaultBodyLimit::disable())
        .layer(middleware::from_fn_with_state(Arc::clone(&door), guard))
        .with_state(door)
}

async fn guard(State(door): State<Arc<Door>>, request: Request, next: Next) -> Response {
    let mut response = match door.lets_in(request).await {
        Ok(request) => {
            let answering = request.extensions().get::<Place>().map(Place::answers);
            let response = next.run(request).await;
            match answering {
                Some(answering) => answering.with(response),
                None => response,
            }
        }
        Err(refusal) => refusal.into_response(),
    };
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

/// The value of a header that occurs at most once.
///
/// # Errors
/// When it occurs more than once, or is not text.
fn only(headers: &HeaderMap, name: HeaderName) -> Result<Option<&str>, ()> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (None, _) => Ok(None),
        (Some(value), None) => value.to_str().map(Some).map_err(|_| ()),
        (Some(_), Some(_)) => Err(()),
    }
}

impl Door {
    /// The request with its complete body.
    ///
    /// # Errors
    /// When it is not for this server, not from its page, or incomplete.
    async fn lets_in(&self, request: Request) -> Result<Request, Refusal> {
        self.admits(&request)?;
        let (head, body) = request.into_parts();
        let late = |_| {
            Refusal::new(
                "too_late",
                format!("the body of the request is not complete after {} seconds", self.patience.as_secs_f32()),
            )
        };
        let longest = match head.uri.path() {
            path if ["/api/read/", "/api/write/", "/api/load"].iter().any(|records| path.starts_with(records)) => {
                LONGEST_RECORDS
            }
            _ => LONGEST_BODY,
        };
        let bytes = timeout(self.patience, whole(body, longest)).await.map_err(late)??;
        Ok(Request::from_parts(head, Body::from(bytes)))
    }

    /// Checks the host and the origin of a request.
    ///
    /// # Errors
    /// When it is not for this server, or not from its page.
    fn admits(&self, request: &Request) -> Result<(), Refusal> {
        let text = |name: HeaderName| only(request.headers(), name);
        let host = text(header::HOST).ok().flatten().unwrap_or_default().to_ascii_lowercase();
        // A proxy request names a host in its first line, too.
        let is_elsewhere = |target: &axum::http::uri::Authority| !target.as_str().eq_ignore_ascii_case(&host);
        if !self.hosts.contains(&host) || request.uri().authority().is_some_and(is_elsewhere) {
            return Err(Refusal::new("bad_host", format!("no page of '{}' is here", host.escape_debug())));
        }
        let is_own = |origin: &str| {
            let authority = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
            authority.is_some_and(|authority| authority.eq_ignore_ascii_case(&host))
        };
        let elsewhere = |()| Refusal::new("bad_origin", "only this server's own page may ask for this");
        let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
        let is_socket = request.uri().path() == socket::PATH;
        match text(header::ORIGIN).map_err(elsewhere)? {
            Some(origin) if is_socket && self.origins.contains(&origin.to_ascii_lowercase()) => return Ok(()),
            Some(origin) if is_socket && !is_own(origin) => {
                let detail = "--allow-origin says whose pages may use this engine";
                return Err(Refusal::new("bad_origin", detail));
            }
            Some(origin) if !is_own(origin) => return Err(elsewhere(())),
            None if !is_read => return Err(elsewhere(())),
            _ => {}
        }
        // A link on another site may lead to the page, but to nothing else.
        let site = text(HeaderName::from_static("sec-fetch-site")).map_err(elsewhere)?.unwrap_or("same-origin");
        let is_page = is_read && request.uri().path() == "/";
        if matches!(site, "same-origin" | "none") || is_page { Ok(()) } else { Err(elsewhere(())) }
    }

    /// Converts records on a thread of its own, of which there are few.
    ///
    /// # Errors
    /// Those of the conversion; or when the server is closing.
    async fn convert<T: Send + 'static>(
        &self,
        conversion: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let closing = || Refusal::new("server", "the server is closing");
        let turn = Arc::clone(&self.conversions).acquire_owned().await.map_err(|_| closing())?;
        tokio::task::spawn_blocking(move || {
            let _turn = turn;
            conversion()
        })
        .await
        .map_err(|_| closing())?
    }

    fn visitor(&self, headers: &HeaderMap) -> Option<Guest> {
        let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        let mut pairs = cookies.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
        pairs.find(|(name, _)| *name == self.cookie).and_then(|(_, value)| self.lobby.find(value))
    }
}

async fn whole(body: Body, longest: usize) -> Result<Vec<u8>, Refusal> {
    let too_large = || Refusal::new("too_large", format!("at most {longest} bytes"));
    // The length may be known in advance.
    if body.size_hint().lower() > longest as u64 {
        return Err(too_large());
    }
    let mut pieces = body.into_data_stream();
    let mut bytes = Vec::new();
    while let Some(piece) = pieces.next().await {
        let piece = piece.map_err(|error| Refusal::new("unreadable", error.to_string()))?;
        if bytes.len() + piece.len() > longest {
            return Err(too_large());
        }
        bytes.extend_from_slice(&piece);
    }
    Ok(bytes)
}

/// Opens a session: a known visitor is recognised, others get a name.
async fn open(State(door): State<Arc<Door>>, headers: HeaderMap) -> Result<Response, Refusal> {
    if let Some(guest) = door.visitor(&headers) {
        guest.has_room()?;
        return Ok(Json(serde_json::json!({})).into_response());
    }
    let name = door.lobby.admit()?;
    let cookie = format!("{}={name}; Path=/; HttpOnly; SameSite=Strict; Max-Age=2592000", door.cookie);
    Ok(([(header::SET_COOKIE, cookie)], Json(serde_json::json!({}))).into_response())
}

async fn command(
    State(door): State<Arc<Door>>,
    headers: HeaderMap,
    command: Result<Json<Command>, JsonRejection>,
) -> Result<Response, Refusal> {
    let guest = door.visitor(&headers).ok_or_else(no_visitor)?;
    let Json(command) = command.map_err(|rejection| Refusal::new("unreadable", rejection.body_text()))?;
    guest.command(command).await?;
    Ok(Json(serde_json::json!({})).into_response())
}

/// Reads the games of a text or file in any format. A list of moves that is legal in `game` is of that game.
async fn read(
    State(door): State<Arc<Door>>,
    headers: HeaderMap,
    Path(game): Path<String>,
    body: Bytes,
) -> Result<Response, Refusal> {
    door.visitor(&headers).ok_or_else(no_visitor)?;
    Ok(as_json(door.convert(move || Ok(records::read(&body, &game))).await?))
}

/// Writes games that a page has as JSON.
async fn write(
    State(door): State<Arc<Door>>,
    headers: HeaderMap,
    Path(format): Path<String>,
    body: String,
) -> Result<Response, Refusal> {
    door.visitor(&headers).ok_or_else(no_visitor)?;
    Ok(as_json(door.convert(move || records::write_all(&body, &format)).await?))
}

/// Puts a game that was read on the visitor's board.
async fn load(State(door): State<Arc<Door>>, headers: HeaderMap, body: String) -> Result<Response, Refusal> {
    let guest = door.visitor(&headers).ok_or_else(no_visitor)?;
    let game = door.convert(move || records::tree(&body)).await?;
    guest.command(Command::Load(Arc::new(game))).await?;
    Ok(Json(serde_json::json!({})).into_response())
}

/// The positions of a game's main line, for a page that is to show it when this server is away.
async fn view(State(door): State<Arc<Door>>, headers: HeaderMap, body: String) -> Result<Response, Refusal> {
    door.visitor(&headers).ok_or_else(no_visitor)?;
    Ok(as_json(door.convert(move || records::view(&body)).await?))
}

/// Names and a date for a game that has none.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Naming {
    players: [Option<String>; 2],
    date: String,
}

/// The visitor's game, in every format that can hold it.
async fn record(
    State(door): State<Arc<Door>>,
    headers: HeaderMap,
    naming: Result<Json<Naming>, JsonRejection>,
) -> Result<Response, Refusal> {
    let guest = door.visitor(&headers).ok_or_else(no_visitor)?;
    let Json(Naming { players, date }) =
        naming.map_err(|rejection| Refusal::new("unreadable", rejection.body_text()))?;
    let game = guest.game().await?;
    Ok(as_json(door.convert(move || Ok(records::texts(&records::record(&game, players, &date)))).await?))
}

fn as_json(text: String) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], text).into_response()
}

/// The menu for a new game.
async fn games(State(door): State<Arc<Door>>) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json")], door.menu.clone())
}

fn no_visitor() -> Refusal {
    Refusal::new("no_visitor", "")
}

/// The events of a visitor's game, beginning with its current state.
async fn news(State(door): State<Arc<Door>>, headers: HeaderMap) -> Result<impl IntoResponse, Refusal> {
    let guest = door.visitor(&headers).ok_or_else(no_visitor)?;
    let page = Arc::clone(&door.pages).try_acquire_owned().map_err(|_| Refusal::new("crowded", ""))?;
    let look = guest.look()?;
    let closing = door.lobby.closing();
    let Guest { mut state, mut thinking, .. } = guest;
    // Send the current state first.
    state.mark_changed();
    thinking.mark_changed();
    let begin = (state, thinking, look, page, Instant::now());
    let events = stream::unfold(begin, move |(mut state, mut thinking, mut look, page, next_lines)| {
        let mut closing = closing.clone();
        let beat = Instant::now() + BEAT;
        async move {
            let event = loop {
                tokio::select! {
                    biased;
                    () = closes(&mut closing) => return None,
                    changed = state.changed() => {
                        changed.ok()?;
                        break event("state", &state.borrow_and_update().clone());
                    }
                    changed = thinking.changed(), if Instant::now() >= next_lines => {
                        changed.ok()?;
                        let event = event("thinking", &thinking.borrow_and_update().clone());
                        return Some((event, (state, thinking, look, page, Instant::now() + LINES_PAUSE)));
                    }
                    notice = look.notices.recv() => match notice {
                        Ok(text) => break event("notice", &text),
                        Err(RecvError::Lagged(_)) => {}
                        Err(RecvError::Closed) => return None,
                    },
                    () = sleep_until(next_lines), if Instant::now() < next_lines => {}
                    () = sleep_until(beat) => break server_time(),
                }
            };
            Some((event, (state, thinking, look, page, next_lines)))
        }
    });
    // Tell proxies not to buffer the events.
    // The time comes first: a page reads the clocks by it.
    let events = stream::once(async { server_time() }).chain(events);
    Ok(([(HeaderName::from_static("x-accel-buffering"), "no")], Sse::new(events)))
}

/// A heartbeat, with the time of this server.
fn server_time() -> Result<Event, Infallible> {
    event("beat", &serde_json::json!({ "now": millis() }).to_string())
}

fn event(name: &str, text: &str) -> Result<Event, Infallible> {
    Ok(Event::default().event(name).data(text))
}
