//! Several threads on one question: whether a position is worth more than so much. Floor 2.
//!
//! All look at the same tree and share what they find through the table. A move that one of them is at is put off by the others,
//! so that they part early and meet again when the answer is known. Whoever has the answer first ends the question for all.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::Value;
use crate::game::busy::{Busy, Stay};

/// What the threads share besides the table.
#[derive(Debug, Default)]
pub(super) struct Team {
    state: Mutex<State>,
    wake: Condvar,
    /// The number of the question that is open; 0 for none.
    open: AtomicU64,
    busy: Busy,
    /// Positions that the helpers have looked at.
    nodes: AtomicU64,
}

#[derive(Debug, Default)]
struct State {
    asked: u64,
    question: Option<Value>,
    answer: Option<Answer>,
    is_over: bool,
}

/// What has come of a question.
#[derive(Debug, Clone, Copy)]
pub(super) struct Answer {
    /// A bound of the value that answers it.
    pub(super) value: Value,
    /// The move that shows it, where the value is above what was asked for.
    pub(super) cell: Option<u64>,
}

impl Team {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Opens a question: whether the value is above `alpha`. Any earlier one is closed.
    pub(super) fn ask(&self, alpha: Value) -> Member<'_> {
        let mut state = self.state();
        state.asked += 1;
        (state.question, state.answer) = (Some(alpha), None);
        self.open.store(state.asked, Ordering::Relaxed);
        self.wake.notify_all();
        Member { team: self, question: state.asked }
    }

    /// Waits for a question that it has not seen; nothing when there will be none.
    pub(super) fn next_question(&self, seen: u64) -> Option<(Member<'_>, Value)> {
        let mut state = self.state();
        loop {
            if state.is_over {
                return None;
            }
            let question = state.asked;
            if let Some(alpha) = state.question.filter(|_| question > seen) {
                return Some((Member { team: self, question }, alpha));
            }
            state = self.wake.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// There are no questions for now.
    pub(super) fn rest(&self) {
        self.state().question = None;
        self.open.store(0, Ordering::Relaxed);
    }

    /// Told by a helper.
    pub(super) fn add_nodes(&self, nodes: u64) {
        self.nodes.fetch_add(nodes, Ordering::Relaxed);
    }

    /// Positions that the helpers have looked at, as far as they have told.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }
}

/// Ends the work of the helpers when it goes out of scope, were it by a panic.
pub(super) struct Dismissal<'a>(pub(super) &'a Team);

impl Drop for Dismissal<'_> {
    fn drop(&mut self) {
        self.0.rest();
        self.0.state().is_over = true;
        self.0.wake.notify_all();
    }
}

/// One of the threads, at a question.
#[derive(Debug, Clone, Copy)]
pub(super) struct Member<'a> {
    team: &'a Team,
    pub(super) question: u64,
}

impl<'a> Member<'a> {
    /// Whether the question is not open any more.
    pub(super) fn is_answered(self) -> bool {
        self.team.open.load(Ordering::Relaxed) != self.question
    }

    /// Answers the question, unless somebody has.
    pub(super) fn answer(self, answer: Answer) {
        let mut state = self.team.state();
        if !self.is_answered() {
            state.answer = Some(answer);
            state.question = None;
            self.team.open.store(0, Ordering::Relaxed);
        }
    }

    /// What somebody has answered.
    pub(super) fn answered(self) -> Option<Answer> {
        let state = self.team.state();
        state.answer.filter(|_| state.asked == self.question)
    }

    /// Whether another thread is at the position of this key.
    pub(super) fn is_busy(self, key: u64) -> bool {
        self.team.busy.is_at(key)
    }

    /// Tells the others that this thread is at the position of this key.
    pub(super) fn enter(self, key: u64) -> Stay<'a> {
        self.team.busy.enter(key)
    }
}
