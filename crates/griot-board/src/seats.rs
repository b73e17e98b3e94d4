//! Seats: how many engines may run at the same time, and who gives one up for a newcomer.
//!
//! A visitor with an open page keeps its seat. Without one, it keeps the seat until another visitor needs it: the
//! visitor who left longest ago is asked first, and agrees unless a page was opened meanwhile.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, oneshot};
use tokio::time::{Instant, timeout};

use crate::visitor::Request;

/// How long a newcomer waits for a seat to be given up.
const PATIENCE: Duration = Duration::from_secs(10);

/// The open pages of a visitor.
#[derive(Debug)]
pub(crate) struct Presence(Mutex<Pages>);

#[derive(Debug)]
struct Pages {
    open: usize,
    /// When the last page was closed, or the visitor was admitted.
    left: Instant,
    /// Whether there ever was a page.
    ever: bool,
}

impl Presence {
    pub(crate) fn new() -> Arc<Presence> {
        Arc::new(Presence(Mutex::new(Pages { open: 0, left: Instant::now(), ever: false })))
    }

    /// Registers a page, until the returned value is dropped; `None` if `most` are open already.
    pub(crate) fn look(self: &Arc<Presence>, most: usize) -> Option<Looking> {
        let mut pages = self.pages();
        if pages.open >= most {
            return None;
        }
        pages.open += 1;
        pages.ever = true;
        Some(Looking(Arc::clone(self)))
    }

    pub(crate) fn open_pages(&self) -> usize {
        self.pages().open
    }

    pub(crate) fn is_watched(&self) -> bool {
        self.open_pages() > 0
    }

    /// Whether there ever was a page, and when the last one was closed; `None` while one is open.
    pub(crate) fn left(&self) -> Option<(bool, Instant)> {
        let pages = self.pages();
        (pages.open == 0).then_some((pages.ever, pages.left))
    }

    fn pages(&self) -> MutexGuard<'_, Pages> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An open page.
#[derive(Debug)]
pub(crate) struct Looking(Arc<Presence>);

impl Drop for Looking {
    fn drop(&mut self) {
        let mut pages = self.0.pages();
        pages.open -= 1;
        pages.left = Instant::now();
    }
}

/// How a visitor with a seat is asked to give it up.
#[derive(Clone)]
pub(crate) struct Holder {
    pub(crate) presence: Arc<Presence>,
    /// Weak, so that it keeps no visitor alive: a visitor ends when no sender of requests is left.
    pub(crate) requests: mpsc::WeakSender<Request>,
}

impl Holder {
    /// A holder that never gives up its seat while the other value lives.
    pub(crate) fn steadfast() -> (Holder, Option<Looking>) {
        let presence = Presence::new();
        let looking = presence.look(1);
        (Holder { presence, requests: mpsc::channel(1).0.downgrade() }, looking)
    }
}

pub(crate) struct Seats {
    free: Arc<Semaphore>,
    holders: Mutex<Vec<(u64, Holder)>>,
    next: AtomicU64,
}

/// The right to run an engine.
pub(crate) struct Seat {
    number: u64,
    seats: Arc<Seats>,
    _permit: OwnedSemaphorePermit,
}

impl Seats {
    pub(crate) fn new(number: usize) -> Arc<Seats> {
        Arc::new(Seats { free: Arc::new(Semaphore::new(number)), holders: Mutex::default(), next: AtomicU64::new(0) })
    }

    /// A seat for `holder`: a free one, or one from a visitor without a page. `None` if there is none.
    pub(crate) async fn take(self: &Arc<Seats>, holder: &Holder) -> Option<Seat> {
        let permit = match Arc::clone(&self.free).try_acquire_owned() {
            Ok(permit) => permit,
            Err(_) => timeout(PATIENCE, self.ask_for_one()).await.ok().flatten()?,
        };
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        self.holders().push((number, holder.clone()));
        Some(Seat { number, seats: Arc::clone(self), _permit: permit })
    }

    async fn ask_for_one(&self) -> Option<OwnedSemaphorePermit> {
        let mut asked = Vec::new();
        // Queue before asking: otherwise another visitor could take the seat that becomes free.
        let mut next = std::pin::pin!(Arc::clone(&self.free).acquire_owned());
        loop {
            let (number, requests) = self.longest_absent(&asked)?;
            asked.push(number);
            let (answer, mut answered) = oneshot::channel();
            let Some(requests) = requests.upgrade() else { continue };
            tokio::select! {
                biased;
                permit = &mut next => return permit.ok(),
                // A visitor with a full queue is busy: ask the next one.
                () = std::future::ready(()) => if requests.try_send(Request::Yield(answer)).is_err() { continue },
            }
            drop(requests);
            tokio::select! {
                biased;
                permit = &mut next => return permit.ok(),
                // The answer came without a seat: a page was opened, or someone else was first.
                _ = &mut answered => {}
            }
        }
    }

    fn longest_absent(&self, but: &[u64]) -> Option<(u64, mpsc::WeakSender<Request>)> {
        let holders = self.holders();
        let others = holders.iter().filter(|(number, _)| !but.contains(number));
        let absent = others.filter_map(|(number, holder)| Some((holder.presence.left()?.1, *number, &holder.requests)));
        absent.min_by_key(|(left, number, _)| (*left, *number)).map(|(_, number, requests)| (number, requests.clone()))
    }

    fn holders(&self) -> MutexGuard<'_, Vec<(u64, Holder)>> {
        self.holders.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.seats.holders().retain(|(number, _)| *number != self.number);
    }
}
