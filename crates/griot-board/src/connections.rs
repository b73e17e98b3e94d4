//! HTTP connections: their number, their timeouts, and which one is closed when there are too many.
//!
//! A connection is idle before each complete request. It is closed when the head or the body of a request is late, or
//! when the client does not read the response. If there are too many connections or open files, the one idle longest is
//! closed; if none is idle, the new connection gets an error.

use std::collections::HashMap;
use std::io;
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes, HttpBody};
use axum::response::Response;
use hyper::Request;
use hyper::body::{Frame, Incoming, SizeHint};
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::task::{AbortHandle, JoinSet, yield_now};
use tokio::time::{Instant, sleep, timeout};
use tokio_io_timeout::TimeoutStream;

use crate::lobby::closes;

/// How long a response may wait for the client to read more of it.
const ANSWER_PATIENCE: Duration = Duration::from_secs(30);
/// A connection whose peer's system does not answer for this long is closed; news are sent more often than that.
const SIGN_OF_LIFE: Duration = Duration::from_secs(45);
/// The size of the read buffer, and so the longest head, in bytes.
const LONGEST_HEAD: usize = 32 * 1024;
/// The most lines of a head.
const MOST_HEADERS: usize = 64;
/// The pause after a failed accept.
const ACCEPT_PAUSE: Duration = Duration::from_millis(20);
/// The most rejected connections open at the same time, and how long rejecting one may take.
const LEAVING: (usize, Duration) = (8, Duration::from_secs(1));
const CROWDED: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nRetry-After: 2\r\n\
    Content-Length: 19\r\nConnection: close\r\n\r\n{\"error\":\"crowded\"}";

/// The limits of connections.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// The most connections at the same time.
    pub(crate) connections: usize,
    /// The time limit for the head of a request, from the moment it can arrive, and then for its body.
    pub(crate) patience: Duration,
}

/// The open connections by number, each with the start of its idle time; `None` while it answers.
#[derive(Default)]
struct Places {
    open: HashMap<u64, (Option<Instant>, AbortHandle)>,
}

type Shared = Arc<Mutex<Places>>;

fn lock(places: &Shared) -> MutexGuard<'_, Places> {
    places.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Closes the connection that has been idle longest, if there is one.
fn make_room(places: &Shared) -> bool {
    let mut places = lock(places);
    let waiting = places.open.iter().filter_map(|(number, (since, _))| since.map(|since| (since, *number)));
    let Some((_, longest)) = waiting.min() else { return false };
    if let Some((_, connection)) = places.open.remove(&longest) {
        connection.abort();
    }
    true
}

/// A connection, as its requests use it.
#[derive(Clone)]
pub(crate) struct Place {
    number: u64,
    places: Shared,
}

impl Place {
    /// Marks the request as complete: the connection is not closed for others until the returned value is dropped.
    pub(crate) fn answers(&self) -> Answering {
        self.set(None);
        Answering(self.clone())
    }

    fn set(&self, waits_since: Option<Instant>) {
        if let Some((since, _)) = lock(&self.places).open.get_mut(&self.number) {
            *since = waits_since;
        }
    }
}

/// A response being sent.
pub(crate) struct Answering(Place);

impl Answering {
    /// Keeps the mark until the whole response is sent.
    pub(crate) fn with(self, response: Response) -> Response {
        response.map(|body| Body::new(HeldBody { body, _answering: self }))
    }
}

impl Drop for Answering {
    fn drop(&mut self) {
        self.0.set(Some(Instant::now()));
    }
}

struct HeldBody {
    body: Body,
    _answering: Answering,
}

impl HttpBody for HeldBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// Serves until the server closes, and then finishes open requests.
pub(crate) async fn serve(listener: TcpListener, router: Router, limits: Limits, mut closing: watch::Receiver<bool>) {
    let places = Shared::default();
    let leaving = Arc::new(Semaphore::new(LEAVING.0));
    let mut connections = JoinSet::new();
    for number in 0.. {
        // Remove the tasks that have ended.
        while connections.try_join_next().is_some() {}
        let accepted = tokio::select! {
            biased;
            () = closes(&mut closing) => break,
            accepted = listener.accept() => accepted,
        };
        let stream = match accepted {
            Ok((stream, _)) => stream,
            Err(error) if is_of_the_visitor(&error) => continue,
            Err(_) => {
                // Too many open files, or no memory: wait, and close an idle connection.
                make_room(&places);
                sleep(ACCEPT_PAUSE).await;
                continue;
            }
        };
        if lock(&places).open.len() >= limits.connections {
            // Read requests that have arrived first, so that their connections do not count as idle.
            yield_now().await;
        }
        if lock(&places).open.len() >= limits.connections && !make_room(&places) {
            if let Ok(permit) = Arc::clone(&leaving).try_acquire_owned() {
                tokio::spawn(async move {
                    // If the client does not read the response, drop it.
                    let _ = timeout(LEAVING.1, send_away(stream)).await;
                    drop(permit);
                });
            }
            continue;
        }
        let place = Place { number, places: Arc::clone(&places) };
        let talk = converse(stream, router.clone(), place, limits.patience, closing.clone());
        // The task cannot run, and so not end, before this function awaits again.
        let handle = connections.spawn(talk);
        lock(&places).open.insert(number, (Some(Instant::now()), handle));
    }
    drop(listener);
    while connections.join_next().await.is_some() {}
}

/// Whether the error was caused by the client, which went away.
fn is_of_the_visitor(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset, Interrupted};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset | Interrupted)
}

/// Tells a new connection that there are too many.
async fn send_away(mut stream: TcpStream) -> io::Result<()> {
    stream.write_all(CROWDED).await?;
    stream.shutdown().await?;
    // Closing with unread bytes would discard the response.
    let mut unread = [0; 1024];
    while stream.read(&mut unread).await? > 0 {}
    Ok(())
}

/// Serves the requests of one connection.
async fn converse(
    stream: TcpStream,
    router: Router,
    place: Place,
    patience: Duration,
    mut closing: watch::Receiver<bool>,
) {
    // Its entry is removed when this is dropped, also when the task is aborted.
    let _leaves = Leaves(place.clone());
    set_up(&stream);
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(ANSWER_PATIENCE));
    let router = TowerToHyperService::new(router);
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(place.clone());
        router.call(request)
    });
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(patience);
    http.max_buf_size(LONGEST_HEAD).max_headers(MOST_HEADERS);
    // A connection that becomes a WebSocket gives up its entry: engine seats limit those.
    let mut connection = pin!(http.serve_connection(TokioIo::new(Box::pin(stream)), service).with_upgrades());
    tokio::select! {
        // The client knows about errors, or is gone.
        _ = connection.as_mut() => return,
        () = closes(&mut closing) => connection.as_mut().graceful_shutdown(),
    }
    let _ = connection.await;
}

/// Enables keepalive, so that the system detects a peer that is gone. Where that fails, the timeout of responses still
/// works.
fn set_up(stream: &TcpStream) {
    let _ = stream.set_nodelay(true);
    let socket = socket2::SockRef::from(stream);
    let _ = socket.set_tcp_keepalive(&socket2::TcpKeepalive::new().with_time(SIGN_OF_LIFE));
    #[cfg(target_os = "linux")]
    let _ = socket.set_tcp_user_timeout(Some(SIGN_OF_LIFE));
}

struct Leaves(Place);

impl Drop for Leaves {
    fn drop(&mut self) {
        lock(&self.0.places).open.remove(&self.0.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(flavor = "current_thread")]
    async fn who_has_waited_longest_makes_room_and_who_is_answered_does_not() {
        let places = Shared::default();
        let mut tasks = JoinSet::new();
        let place = |number| Place { number, places: Arc::clone(&places) };
        for number in 0..3 {
            let handle = tasks.spawn(std::future::pending::<()>());
            lock(&places).open.insert(number, (Some(Instant::now()), handle));
            sleep(Duration::from_millis(2)).await;
        }
        let answering = place(0).answers();
        assert!(make_room(&places));
        assert!(!lock(&places).open.contains_key(&1));
        // Its response is sent: it is idle now, and the only idle one.
        drop(answering);
        assert!(make_room(&places));
        assert!(lock(&places).open.contains_key(&0));
        let _answering = place(0).answers();
        assert!(!make_room(&places));
        for _ in 0..2 {
            assert!(tasks.join_next().await.unwrap().unwrap_err().is_cancelled());
        }
    }
}
