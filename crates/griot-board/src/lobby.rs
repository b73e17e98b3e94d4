//! The visitors, each known by an unguessable name that only the visitor's browser has.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{broadcast, mpsc, oneshot, watch};

use crate::game::Record;
use crate::seats::{Holder, Looking, Presence};
use crate::visitor::{Command, News, Request, Shared, Visitor};
use crate::words::Refusal;

/// The most queued requests of a visitor; more are refused.
const ERRANDS_AHEAD: usize = 16;
/// The most open pages of a visitor. A browser opens six connections to a server; one is left for commands.
const PAGES: usize = 5;
/// Games stored for each engine that may run. A game without an engine takes a few thousand bytes.
const GAMES_KEPT: usize = 16;

/// The handle of a visitor.
#[derive(Clone)]
pub(crate) struct Guest {
    requests: mpsc::Sender<Request>,
    pub(crate) state: watch::Receiver<Arc<str>>,
    pub(crate) thinking: watch::Receiver<Arc<str>>,
    notices: broadcast::Sender<Arc<str>>,
    presence: Arc<Presence>,
}

/// An open page: it receives notices, and is counted as long as this lives.
pub(crate) struct Look {
    pub(crate) notices: broadcast::Receiver<Arc<str>>,
    _looking: Looking,
}

impl Guest {
    /// Sends a command and waits for its result.
    ///
    /// # Errors
    /// When the command fails.
    pub(crate) async fn command(&self, command: Command) -> Result<(), Refusal> {
        let (answer, answered) = oneshot::channel();
        self.requests.try_send(Request::Command(command, answer)).map_err(|_| Refusal::new("too_fast", ""))?;
        answered.await.unwrap_or_else(|_| Err(Refusal::new("server", "the server is closing")))
    }

    /// A copy of the game.
    ///
    /// # Errors
    /// When too many commands wait, or the server is closing.
    pub(crate) async fn game(&self) -> Result<Record, Refusal> {
        let (answer, answered) = oneshot::channel();
        self.requests.try_send(Request::Copy(answer)).map_err(|_| Refusal::new("too_fast", ""))?;
        answered.await.map_err(|_| Refusal::new("server", "the server is closing"))
    }

    /// # Errors
    /// When too many pages are open.
    pub(crate) fn has_room(&self) -> Result<(), Refusal> {
        if self.presence.open_pages() >= PAGES { Err(too_many_pages()) } else { Ok(()) }
    }

    /// Registers an open page.
    ///
    /// # Errors
    /// When too many pages are open.
    pub(crate) fn look(&self) -> Result<Look, Refusal> {
        let looking = self.presence.look(PAGES).ok_or_else(too_many_pages)?;
        let notices = self.notices.subscribe();
        // If the queue is full, the visitor notices the page by itself.
        let _ = self.requests.try_send(Request::Look);
        Ok(Look { notices, _looking: looking })
    }
}

fn too_many_pages() -> Refusal {
    Refusal::new("too_many_pages", format!("at most {PAGES}"))
}

pub(crate) struct Lobby {
    shared: Arc<Shared>,
    guests: Mutex<HashMap<String, Guest>>,
    most: usize,
    closing: watch::Receiver<bool>,
    /// Every visitor's task holds a clone, so that the receiver learns when all have ended.
    at_work: mpsc::Sender<()>,
}

impl Lobby {
    /// A lobby for a server with this many engines.
    pub(crate) fn new(
        shared: Shared,
        engines: usize,
        closing: watch::Receiver<bool>,
        at_work: mpsc::Sender<()>,
    ) -> Lobby {
        let most = engines * GAMES_KEPT;
        Lobby { shared: Arc::new(shared), guests: Mutex::default(), most, closing, at_work }
    }

    /// The visitor of this name.
    pub(crate) fn find(&self, name: &str) -> Option<Guest> {
        self.guests().get(name).cloned()
    }

    /// Admits a new visitor and returns the name. When too many games are stored, one without an open page is dropped:
    /// first one that never had a page, else the one left longest ago.
    ///
    /// # Errors
    /// When too many games have an open page.
    pub(crate) fn admit(&self) -> Result<String, Refusal> {
        let mut guests = self.guests();
        if guests.len() >= self.most {
            let absent = guests.iter().filter_map(|(name, guest)| Some((guest.presence.left()?, name)));
            let name = absent.min().map(|(_, name)| name.clone()).ok_or_else(|| Refusal::new("crowded", ""))?;
            // The task of a visitor ends when no sender of requests is left.
            guests.remove(&name);
        }
        let mut bytes = [0_u8; 16];
        getrandom::fill(&mut bytes).map_err(|error| Refusal::new("server", error.to_string()))?;
        let name = bytes.iter().fold(String::new(), |mut name, byte| {
            // Writing to a string does not fail.
            let _ = write!(name, "{byte:02x}");
            name
        });
        let (requests, inbox) = mpsc::channel(ERRANDS_AHEAD);
        let (state, state_seen) = watch::channel("null".into());
        let (thinking, thinking_seen) = watch::channel("null".into());
        let (notices, _) = broadcast::channel(ERRANDS_AHEAD);
        let news = News { state, thinking, notices: notices.clone() };
        let presence = Presence::new();
        let holder = Holder { presence: Arc::clone(&presence), requests: requests.downgrade() };
        let visitor = Visitor::new(Arc::clone(&self.shared), news, holder)?;
        let (closing, at_work) = (self.closing.clone(), self.at_work.clone());
        tokio::spawn(async move {
            visitor.run(inbox, closing).await;
            drop(at_work);
        });
        let guest = Guest { requests, state: state_seen, thinking: thinking_seen, notices, presence };
        guests.insert(name.clone(), guest);
        Ok(name)
    }

    /// What all visitors share.
    pub(crate) fn shared(&self) -> Arc<Shared> {
        Arc::clone(&self.shared)
    }

    /// A handle that delays the end of the server until it is dropped.
    pub(crate) fn at_work(&self) -> mpsc::Sender<()> {
        self.at_work.clone()
    }

    /// Whether the server is closing.
    pub(crate) fn closing(&self) -> watch::Receiver<bool> {
        self.closing.clone()
    }

    fn guests(&self) -> MutexGuard<'_, HashMap<String, Guest>> {
        self.guests.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Waits until the server is closing.
pub(crate) async fn closes(closing: &mut watch::Receiver<bool>) {
    // This fails when the server is gone.
    let _ = closing.wait_for(|closes| *closes).await;
}
