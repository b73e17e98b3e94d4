//! The visitors: who is there, by an unguessable name that only the visitor's browser knows.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{broadcast, mpsc, oneshot, watch};
use tokio::time::Instant;

use crate::visitor::{Errand, House, News, Visitor, Wish};
use crate::words::Refusal;

/// Errands of a visitor that wait; more are refused.
const ERRANDS_AHEAD: usize = 16;
/// Pages of one visitor that may look at the same time. A browser keeps six connections to a server; one stays for commands.
const PAGES: usize = 5;
/// Games that are kept for each engine that may run. A game without an engine is a few thousand bytes.
const GAMES_KEPT: usize = 16;

/// How a page reaches its visitor.
#[derive(Clone)]
pub(crate) struct Guest {
    errands: mpsc::Sender<Errand>,
    pub(crate) state: watch::Receiver<Arc<str>>,
    pub(crate) thinking: watch::Receiver<Arc<str>>,
    notices: broadcast::Sender<Arc<str>>,
    touched: Instant,
}

impl Guest {
    /// Has a wish done.
    ///
    /// # Errors
    /// When it cannot be done.
    pub(crate) async fn wish(&self, wish: Wish) -> Result<(), Refusal> {
        let (answer, answered) = oneshot::channel();
        self.errands.try_send(Errand::Wish(wish, answer)).map_err(|_| Refusal::new("too_fast", ""))?;
        answered.await.unwrap_or_else(|_| Err(Refusal::new("server", "the server is closing")))
    }

    /// # Errors
    /// When too many pages look already.
    pub(crate) fn has_room(&self) -> Result<(), Refusal> {
        let is_full = self.notices.receiver_count() >= PAGES;
        if is_full { Err(Refusal::new("too_many_pages", format!("at most {PAGES}"))) } else { Ok(()) }
    }

    /// Begins to look; what is returned hears the notices, and is counted as long as it lives.
    ///
    /// # Errors
    /// When too many pages look already.
    pub(crate) fn look(&self) -> Result<broadcast::Receiver<Arc<str>>, Refusal> {
        self.has_room()?;
        let notices = self.notices.subscribe();
        // A visitor with so many errands will find out by itself that somebody looks.
        let _ = self.errands.try_send(Errand::Look);
        Ok(notices)
    }
}

pub(crate) struct Lobby {
    house: Arc<House>,
    guests: Mutex<HashMap<String, Guest>>,
    most: usize,
    closing: watch::Receiver<bool>,
    /// Every visitor's task holds a clone: who holds the other end knows when all have ended.
    at_work: mpsc::Sender<()>,
}

impl Lobby {
    pub(crate) fn new(house: House, closing: watch::Receiver<bool>, at_work: mpsc::Sender<()>) -> Lobby {
        let most = house.seats.available_permits() * GAMES_KEPT;
        Lobby { house: Arc::new(house), guests: Mutex::default(), most, closing, at_work }
    }

    /// The visitor of that name.
    pub(crate) fn find(&self, name: &str) -> Option<Guest> {
        let mut guests = self.guests();
        let guest = guests.get_mut(name)?;
        guest.touched = Instant::now();
        Some(guest.clone())
    }

    /// Lets a new visitor in; answers the name.
    ///
    /// # Errors
    /// When there are too many.
    pub(crate) fn admit(&self) -> Result<String, Refusal> {
        let mut guests = self.guests();
        if guests.len() >= self.most {
            let oldest = guests.iter().min_by_key(|(_, guest)| guest.touched);
            let leaves = oldest.filter(|(_, guest)| guest.touched.elapsed() >= self.house.idle);
            let name = leaves.map(|(name, _)| name.clone()).ok_or_else(|| Refusal::new("full", ""))?;
            // Its task ends when nobody can send it errands.
            guests.remove(&name);
        }
        let mut bytes = [0_u8; 16];
        getrandom::fill(&mut bytes).map_err(|error| Refusal::new("server", error.to_string()))?;
        let name = bytes.iter().fold(String::new(), |mut name, byte| {
            // Writing to a string does not fail.
            let _ = write!(name, "{byte:02x}");
            name
        });
        let (errands, inbox) = mpsc::channel(ERRANDS_AHEAD);
        let (state, state_seen) = watch::channel("null".into());
        let (thinking, thinking_seen) = watch::channel("null".into());
        let (notices, _) = broadcast::channel(ERRANDS_AHEAD);
        let news = News { state, thinking, notices: notices.clone() };
        let visitor = Visitor::new(Arc::clone(&self.house), news)?;
        let (closing, at_work) = (self.closing.clone(), self.at_work.clone());
        tokio::spawn(async move {
            visitor.run(inbox, closing).await;
            drop(at_work);
        });
        let (state, thinking, touched) = (state_seen, thinking_seen, Instant::now());
        guests.insert(name.clone(), Guest { errands, state, thinking, notices, touched });
        Ok(name)
    }

    /// Whether the server is about to end.
    pub(crate) fn closing(&self) -> watch::Receiver<bool> {
        self.closing.clone()
    }

    fn guests(&self) -> MutexGuard<'_, HashMap<String, Guest>> {
        self.guests.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Waits until the server is about to end.
pub(crate) async fn closes(closing: &mut watch::Receiver<bool>) {
    // It fails when there is no server any more.
    let _ = closing.wait_for(|closes| *closes).await;
}
