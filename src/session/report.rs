//! The search's observer: limits of time on the way in, `info` on the way out.
//!
//! Floor 4; runs on the search thread. LAW 4: moves become text by the position the search started from, never by the
//! session's present one. Lines come at most once per iteration, and numbers at most once a second.

use std::time::{Duration, Instant};

use super::Sink;
use super::control::Control;
use crate::game::{Evaluate, Game, Notation, Position};
use crate::message::{Info, MoveLine, Reply, ReportedBound, ReportedScore};
use crate::score::{Bound, Meaning, Score};
use crate::search::{News, Observer, Poll, Progress};
use crate::time::Budget;

/// The time between two lines of mere numbers.
const NUMBERS_EVERY: Duration = Duration::from_secs(1);

/// The `cp` of a certain win whose distance nobody computed.
const CERTAIN_CENTI: i32 = 100_000;

pub(super) struct Reporter<'a, N: Notation, E, T> {
    pub(super) game: &'a Game<N, E, T>,
    pub(super) root: &'a N::Position,
    pub(super) control: &'a Control,
    pub(super) budget: Option<Budget>,
    pub(super) received: Instant,
    pub(super) sink: &'a mut Sink,
    /// Whether nodes are counted for each iteration alone.
    pub(super) textbook: bool,
    pub(super) last_line: Instant,
    pub(super) current: Option<(<N::Position as Position>::Move, usize)>,
}

impl<N: Notation, E: Evaluate<N::Position>, T> Reporter<'_, N, E, T> {
    /// Time used of the budget, if the clock runs.
    fn used(&self) -> Option<(Budget, Duration)> {
        Some((self.budget?, self.control.clock_start(self.received)?.elapsed()))
    }

    fn info(&self, progress: Progress) -> Info {
        let time = self.received.elapsed();
        let nps = u128::from(progress.nodes) * 1_000_000 / time.as_micros().max(1);
        Info {
            depth: progress.depth,
            seldepth: progress.seldepth,
            nodes: if self.textbook { progress.iteration_nodes } else { progress.nodes },
            nps: u64::try_from(nps).unwrap_or(u64::MAX),
            hashfull: progress.permille_full,
            tbhits: progress.table_hits,
            time,
            ..Info::default()
        }
    }
}

impl<N, E, T> Observer<<N::Position as Position>::Move> for Reporter<'_, N, E, T>
where
    N: Notation,
    E: Evaluate<N::Position>,
{
    fn poll(&mut self) -> Poll {
        if self.control.is_stopped() || self.used().is_some_and(|(budget, used)| used >= budget.hard) {
            Poll::Stop
        } else if self.last_line.elapsed() >= NUMBERS_EVERY {
            Poll::Report
        } else {
            Poll::Continue
        }
    }

    fn another_iteration(&mut self) -> bool {
        !self.control.is_stopped() && self.used().is_none_or(|(budget, used)| used < budget.soft)
    }

    fn report(&mut self, news: News<'_, <N::Position as Position>::Move>) {
        let info = match news {
            News::CurrentMove { mv, number, .. } => {
                self.current = Some((mv, number));
                return;
            }
            News::Progress(progress) => {
                let text = |(mv, number)| (self.game.notation.move_text(self.root, mv), number);
                Info { current_move: self.current.map(text), ..self.info(progress) }
            }
            News::Line { progress, score, bound, pv, .. } => Info {
                score: Some((reported(score, |units| self.game.evaluate.centi_units(units)), reported_bound(bound))),
                pv: line_text(self.game, self.root, pv),
                ..self.info(progress)
            },
        };
        self.last_line = Instant::now();
        (self.sink)(Reply::Info(info));
    }
}

/// A line of moves as text.
pub(super) fn line_text<N: Notation, E, T>(
    game: &Game<N, E, T>,
    root: &N::Position,
    line: &[<N::Position as Position>::Move],
) -> MoveLine {
    let mut position = root.clone();
    let moves = line
        .iter()
        .map(|&mv| {
            let text = game.notation.move_text(&position, mv);
            position.play(mv);
            text
        })
        .collect();
    MoveLine { moves, may_glue: game.notation.glues_moves() }
}

/// A score in the protocols' words; `centi` turns the game's units to hundredths.
pub(super) fn reported(score: Score, centi: impl Fn(i32) -> i32) -> ReportedScore {
    // Distances stay far below 2^31.
    let moves = |plies: u32| i32::try_from(plies).unwrap_or(i32::MAX);
    match score.meaning() {
        Meaning::Win(plies) => ReportedScore::Mate(moves(plies.div_ceil(2).max(1))),
        Meaning::Loss(0) => ReportedScore::Mate(0),
        Meaning::Loss(plies) => ReportedScore::Mate(-moves((plies / 2).max(1))),
        Meaning::KnownWin => ReportedScore::Centi(CERTAIN_CENTI),
        Meaning::KnownLoss => ReportedScore::Centi(-CERTAIN_CENTI),
        Meaning::Units(units) => ReportedScore::Centi(centi(units)),
    }
}

fn reported_bound(bound: Bound) -> ReportedBound {
    match bound {
        Bound::Exact => ReportedBound::Exact,
        Bound::Lower => ReportedBound::Lower,
        Bound::Upper => ReportedBound::Upper,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mate_counts_the_winners_own_moves() {
        for (score, said) in [
            (Score::win_in(1), ReportedScore::Mate(1)),
            (Score::win_in(2), ReportedScore::Mate(1)),
            (Score::win_in(3), ReportedScore::Mate(2)),
            (Score::loss_in(0), ReportedScore::Mate(0)),
            (Score::loss_in(1), ReportedScore::Mate(-1)),
            (Score::loss_in(2), ReportedScore::Mate(-1)),
            (Score::loss_in(5), ReportedScore::Mate(-2)),
            (Score::known_win().backed_up(), ReportedScore::Centi(CERTAIN_CENTI)),
            (Score::units(-7), ReportedScore::Centi(-21)),
        ] {
            assert_eq!(reported(score, |units| units * 3), said, "{score:?}");
        }
    }
}
