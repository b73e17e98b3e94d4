//! The connections: how many there are, how long each may take, and which of them makes room for another.
//!
//! A connection waits for its visitor until it has a whole request, and again when that is answered. A head that is late, a
//! body that is late and an answer that is not taken end it. When there are too many, or no more files may be opened, the
//! one that has waited longest makes room; when none waits, the newcomer is told so.

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

/// How long an answer may wait for its visitor to take more of it.
const ANSWER_PATIENCE: Duration = Duration::from_secs(30);
/// After so long without a sign from the other end's system the connection is gone: news are sent more often than that.
const SIGN_OF_LIFE: Duration = Duration::from_secs(45);
/// The most that is read ahead of a connection, and so the longest head, in bytes.
const LONGEST_HEAD: usize = 32 * 1024;
/// The most lines of a head.
const MOST_HEADERS: usize = 64;
/// The pause when no connection can be accepted.
const ACCEPT_PAUSE: Duration = Duration::from_millis(20);
/// Newcomers that may be on their way out at the same time, and how long that may take.
const LEAVING: (usize, Duration) = (8, Duration::from_secs(1));
const CROWDED: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nRetry-After: 2\r\n\
    Content-Length: 19\r\nConnection: close\r\n\r\n{\"error\":\"crowded\"}";

/// What connections are held to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// At the same time.
    pub(crate) connections: usize,
    /// How long the head of a request may take, from the first moment that it could have come, and then its body.
    pub(crate) patience: Duration,
}

/// The open connections by number: since when each has waited for its visitor, nothing while it answers.
#[derive(Default)]
struct Places {
    open: HashMap<u64, (Option<Instant>, AbortHandle)>,
}

type Shared = Arc<Mutex<Places>>;

fn lock(places: &Shared) -> MutexGuard<'_, Places> {
    places.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends the connection that has waited longest, if one waits.
fn make_room(places: &Shared) -> bool {
    let mut places = lock(places);
    let waiting = places.open.iter().filter_map(|(number, (since, _))| since.map(|since| (since, *number)));
    let Some((_, longest)) = waiting.min() else { return false };
    if let Some((_, connection)) = places.open.remove(&longest) {
        connection.abort();
    }
    true
}

/// A connection, as its requests see it.
#[derive(Clone)]
pub(crate) struct Place {
    number: u64,
    places: Shared,
}

impl Place {
    /// Says that the request is whole: until what is returned is dropped, the connection makes room for nobody.
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

/// An answer on its way.
pub(crate) struct Answering(Place);

impl Answering {
    /// Keeps on until all of the answer is taken.
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

/// Serves until the server closes, and then what was begun.
pub(crate) async fn serve(listener: TcpListener, router: Router, limits: Limits, mut closing: watch::Receiver<bool>) {
    let places = Shared::default();
    let leaving = Arc::new(Semaphore::new(LEAVING.0));
    let mut connections = JoinSet::new();
    for number in 0.. {
        // Those that have ended.
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
                // No more files may be opened, or no more memory is there: time helps, and so does an end.
                make_room(&places);
                sleep(ACCEPT_PAUSE).await;
                continue;
            }
        };
        if lock(&places).open.len() >= limits.connections {
            // Requests that have arrived are read first: who sent one does not wait.
            yield_now().await;
        }
        if lock(&places).open.len() >= limits.connections && !make_room(&places) {
            if let Ok(permit) = Arc::clone(&leaving).try_acquire_owned() {
                tokio::spawn(async move {
                    // Who does not take the answer goes without.
                    let _ = timeout(LEAVING.1, send_away(stream)).await;
                    drop(permit);
                });
            }
            continue;
        }
        let place = Place { number, places: Arc::clone(&places) };
        let talk = converse(stream, router.clone(), place, limits.patience, closing.clone());
        // The task cannot run, and so not end, before this function waits again.
        let handle = connections.spawn(talk);
        lock(&places).open.insert(number, (Some(Instant::now()), handle));
    }
    drop(listener);
    while connections.join_next().await.is_some() {}
}

/// Whether it was the newcomer who went away again.
fn is_of_the_visitor(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset, Interrupted};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset | Interrupted)
}

/// Tells a newcomer that there is no room.
async fn send_away(mut stream: TcpStream) -> io::Result<()> {
    stream.write_all(CROWDED).await?;
    stream.shutdown().await?;
    // Closing with unread bytes would take the answer back.
    let mut unread = [0; 1024];
    while stream.read(&mut unread).await? > 0 {}
    Ok(())
}

/// Answers what comes over one connection.
async fn converse(
    stream: TcpStream,
    router: Router,
    place: Place,
    patience: Duration,
    mut closing: watch::Receiver<bool>,
) {
    // Aborted or not, its place is free when it is dropped.
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
    // A connection that becomes a WebSocket leaves its place: an engine's seat is scarcer.
    let mut connection = pin!(http.serve_connection(TokioIo::new(Box::pin(stream)), service).with_upgrades());
    tokio::select! {
        // What went wrong is the other end's business, which has been told or is gone.
        _ = connection.as_mut() => return,
        () = closes(&mut closing) => connection.as_mut().graceful_shutdown(),
    }
    let _ = connection.await;
}

/// Has the system find out when the other end is gone without a word. Where it cannot, an answer that nobody takes still ends.
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
        // Its answer is taken: now it waits, and longer than nobody.
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
