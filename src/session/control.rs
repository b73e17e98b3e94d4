//! Control of a running search by the engine: stop, and "the expected move was played".
//!
//! Layer 4. LAW 3: every search has its own control, made before the search starts, so that no signal is lost or reaches
//! another search.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use crossbeam_channel::{Receiver, Sender, bounded};

use crate::message::Go;

/// The engine's end.
#[derive(Debug, Clone)]
pub struct SearchHandle {
    flags: Arc<Flags>,
    /// Wakes a finished search that waits for `stop`.
    wake: Sender<()>,
}

/// The search's end.
#[derive(Debug)]
pub(super) struct Control {
    flags: Arc<Flags>,
    woken: Receiver<()>,
    /// Whether the search must wait for `stop` or `ponderhit` before it answers.
    infinite: bool,
    ponder: bool,
    /// Whether the search has a limit once the expected move was played.
    limited: bool,
}

#[derive(Debug, Default)]
struct Flags {
    stop: Arc<AtomicBool>,
    /// When the expected move was played.
    ponder_hit: OnceLock<Instant>,
}

impl SearchHandle {
    /// Both ends, for a search with these limits. `searches`: whether there is anything to search; a bare `go` in a finished game
    /// is answered at once.
    pub(super) fn new(go: &Go, searches: bool) -> (SearchHandle, Control) {
        let (wake, woken) = bounded(2);
        let flags = Arc::new(Flags::default());
        let limited = go.is_limited();
        let infinite = go.infinite || (searches && !limited && !go.ponder);
        let control = Control { flags: Arc::clone(&flags), woken, infinite, ponder: go.ponder, limited };
        (SearchHandle { flags, wake }, control)
    }

    /// Stops the search.
    pub fn stop(&self) {
        self.flags.stop.store(true, Ordering::Relaxed);
        // A full channel or one without a receiver needs no wake-up.
        let _ = self.wake.try_send(());
    }

    /// Tells a pondering search that the expected move was played: its clock starts.
    pub fn ponder_hit(&self) {
        let _ = self.flags.ponder_hit.set(Instant::now());
        let _ = self.wake.try_send(());
    }
}

impl Control {
    /// Whether the search must stop: it was told to, or it has no limit and its expected move was played.
    pub(super) fn is_stopped(&self) -> bool {
        self.flags.stop.load(Ordering::Relaxed) || (self.is_hit() && !self.limited && !self.infinite)
    }

    /// The flag that `stop` sets.
    pub(super) fn stop_flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.flags.stop)
    }

    /// Whether the search ponders, and the expected move was played.
    fn is_hit(&self) -> bool {
        self.ponder && self.flags.ponder_hit.get().is_some()
    }

    /// When the search's own clock started, if it runs: `received` for a plain search.
    pub(super) fn clock_start(&self, received: Instant) -> Option<Instant> {
        if self.ponder { self.flags.ponder_hit.get().copied() } else { Some(received) }
    }

    /// LAW 5: waits until an answer is wanted.
    pub(super) fn wait_until_wanted(&self) {
        let wanted = || self.is_stopped() || ((!self.ponder || self.is_hit()) && !self.infinite);
        while !wanted() {
            if self.woken.recv().is_err() {
                return; // the engine has ended: no answer is needed
            }
        }
    }
}
