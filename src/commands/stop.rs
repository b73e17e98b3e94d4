//! The word "stop", which everybody in a command hears at once. Layer 6.
//!
//! A channel that is never written to, only closed: waiting for it can be joined with waiting for anything else.

use std::convert::Infallible;
use std::sync::{Arc, Mutex, PoisonError};

use crossbeam_channel::{Receiver, Sender, TryRecvError, bounded};
use griot::message::Problem;

/// One command's "stop".
#[derive(Debug, Clone)]
pub(super) struct Stop {
    open: Arc<Mutex<Option<Sender<Infallible>>>>,
    closed: Receiver<Infallible>,
}

impl Stop {
    pub(super) fn new() -> Stop {
        let (open, closed) = bounded(0);
        Stop { open: Arc::new(Mutex::new(Some(open))), closed }
    }

    /// One that is said by Ctrl-C, and by the signals to terminate and to hang up.
    pub(super) fn by_ctrl_c() -> Result<Stop, Problem> {
        let stop = Stop::new();
        let heard = stop.clone();
        ctrlc::set_handler(move || heard.say())
            .map_err(|error| Problem::new(format!("listening for Ctrl-C: {error}")))?;
        Ok(stop)
    }

    /// Says it.
    pub(super) fn say(&self) {
        self.open.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    /// Whether it was said.
    pub(super) fn is_said(&self) -> bool {
        self.closed.try_recv() == Err(TryRecvError::Disconnected)
    }

    /// A channel that is closed by it.
    pub(super) fn channel(&self) -> &Receiver<Infallible> {
        &self.closed
    }
}
