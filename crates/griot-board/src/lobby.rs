//! The visitors: who is there, by an unguessable name that only the visitor's browser knows.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{broadcast, mpsc, oneshot, watch};

use crate::seats::{Holder, Looking, Presence};
use crate::visitor::{Errand, News, Shared, Visitor, Wish};
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
    presence: Arc<Presence>,
}

/// A page that looks: it hears the notices, and is counted as long as this lives.
pub(crate) struct Look {
    pub(crate) notices: broadcast::Receiver<Arc<str>>,
    _looking: Looking,
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
        if self.presence.open_pages() >= PAGES { Err(too_many_pages()) } else { Ok(()) }
    }

    /// Begins to look.
    ///
    /// # Errors
    /// When too many pages look already.
    pub(crate) fn look(&self) -> Result<Look, Refusal> {
        let looking = self.presence.look(PAGES).ok_or_else(too_many_pages)?;
        let notices = self.notices.subscribe();
        // A visitor with so many errands will find out by itself that somebody looks.
        let _ = self.errands.try_send(Errand::Look);
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
    /// Every visitor's task holds a clone: who holds the other end knows when all have ended.
    at_work: mpsc::Sender<()>,
}

impl Lobby {
    /// For a server with so many engines.
    pub(crate) fn new(
        shared: Shared,
        engines: usize,
        closing: watch::Receiver<bool>,
        at_work: mpsc::Sender<()>,
    ) -> Lobby {
        let most = engines * GAMES_KEPT;
        Lobby { shared: Arc::new(shared), guests: Mutex::default(), most, closing, at_work }
    }

    /// The visitor of that name.
    pub(crate) fn find(&self, name: &str) -> Option<Guest> {
        self.guests().get(name).cloned()
    }

    /// Lets a new visitor in; answers the name. When too many games are kept, one that nobody looks at is given up: one that
    /// nobody ever looked at, or else that of whoever left longest ago.
    ///
    /// # Errors
    /// When there are too many that somebody looks at.
    pub(crate) fn admit(&self) -> Result<String, Refusal> {
        let mut guests = self.guests();
        if guests.len() >= self.most {
            let absent = guests.iter().filter_map(|(name, guest)| Some((guest.presence.left()?, name)));
            let name = absent.min().map(|(_, name)| name.clone()).ok_or_else(|| Refusal::new("crowded", ""))?;
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
        let presence = Presence::new();
        let holder = Holder { presence: Arc::clone(&presence), errands: errands.downgrade() };
        let visitor = Visitor::new(Arc::clone(&self.shared), news, holder)?;
        let (closing, at_work) = (self.closing.clone(), self.at_work.clone());
        tokio::spawn(async move {
            visitor.run(inbox, closing).await;
            drop(at_work);
        });
        let guest = Guest { errands, state: state_seen, thinking: thinking_seen, notices, presence };
        guests.insert(name.clone(), guest);
        Ok(name)
    }

    /// What every visitor's engine is started with.
    pub(crate) fn shared(&self) -> Arc<Shared> {
        Arc::clone(&self.shared)
    }

    /// Held by whatever the end of the server waits for.
    pub(crate) fn at_work(&self) -> mpsc::Sender<()> {
        self.at_work.clone()
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
