//! The search's observer: time limits in, `info` lines out.
//!
//! Layer 4; search thread. LAW 4: moves are written for the position that the search started from, never for the session's
//! present one. The lines of an iteration come together; numbers alone come at most once a second.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::Sink;
use super::control::Control;
use super::stability::StabilityTracker;
use crate::game::{Evaluate, Game, Notation, Position};
use crate::message::{Info, MoveLine, Reply, ReportedBound, ReportedScore};
use crate::score::{Bound, Meaning, Score};
use crate::search::{News, Observer, Poll, Progress};
use crate::time::Budget;

/// The interval between two lines with numbers only.
const NUMBERS_EVERY: Duration = Duration::from_secs(1);

/// The `cp` of a certain win of unknown length; its margin is added.
const CERTAIN_CENTI: i32 = 100_000;

/// The largest `cp` of an estimate, a readable number.
const MOST_CENTI: i32 = 10_000;

pub(super) struct Reporter<'a, N: Notation, E, T> {
    pub(super) game: &'a Game<N, E, T>,
    pub(super) root: &'a N::Position,
    pub(super) control: &'a Control,
    pub(super) budget: Option<Budget>,
    pub(super) received: Instant,
    pub(super) sink: &'a mut Sink,
    /// Whether nodes are counted for each iteration alone.
    pub(super) textbook: bool,
    /// Number of lines the client wants; a search may find more.
    pub(super) lines: usize,
    /// Whether chances are reported.
    pub(super) shows_chances: bool,
    /// Nodes after which no iteration begins.
    pub(super) enough_nodes: u64,
    /// The same while a clock runs.
    pub(super) enough_on_clock: u64,
    /// Plies within which the game is won, known from an earlier search or an earlier line of this one.
    pub(super) won_within: Option<u32>,
    /// The final balance in hundredths of the last line that reached the end, in this or an earlier search.
    pub(super) balance: Option<i32>,
    /// The search's progress; `None` for a search without iterations.
    pub(super) stability: Option<StabilityTracker<<N::Position as Position>::Move>>,
    pub(super) last_line: Instant,
    /// The numbers of the last line.
    pub(super) progress: Progress,
    pub(super) current: Option<(<N::Position as Position>::Move, usize)>,
}

impl<N: Notation, E: Evaluate<N::Position>, T> Reporter<'_, N, E, T> {
    /// Time used of the budget, if the clock runs.
    fn used(&self) -> Option<(Budget, Duration)> {
        Some((self.budget?, self.control.clock_start(self.received)?.elapsed()))
    }

    /// The time after which no iteration begins.
    fn soft(&self, budget: &Budget) -> Duration {
        self.stability.as_ref().map_or(budget.soft, |keeper| budget.soft_after(&keeper.stability()))
    }

    /// Reports the line that is played although it is not the best one.
    pub(super) fn report_choice(&mut self, score: Score, pv: &[<N::Position as Position>::Move]) {
        // The plies known for the best line do not hold for this one.
        self.won_within = None;
        self.report_line(self.progress, 1, (score, Bound::Exact), false, pv);
    }

    fn report_line(
        &mut self,
        progress: Progress,
        rank: usize,
        (score, bound): (Score, Bound),
        certain: bool,
        pv: &[<N::Position as Position>::Move],
    ) {
        let balance = sure_balance(self.game, self.root, score, pv).map(|balance| {
            let known = self.balance.filter(|_| rank == 1 && score.distance().is_some());
            let told = balance.or(known);
            if rank == 1 && balance.is_end {
                self.balance = Some(told);
            }
            told
        });
        let plies_left = self.root.plies_left().filter(|_| balance.is_none());
        // The plies are known only for the best line.
        let (score, bound) = last_result(self.won_within.filter(|_| rank == 1), score, bound);
        if let (1, Bound::Exact | Bound::Lower, Meaning::Win(plies)) = (rank, bound, score.meaning()) {
            // A later report may be a win without a distance.
            self.won_within = Some(plies);
        }
        let score = within(plies_left, score, bound)
            .unwrap_or_else(|| (reported(score, |units| self.game.evaluate.centi_units(units)), reported_bound(bound)));
        let info = Info {
            rank: (self.lines > 1).then_some(rank),
            score: Some(score),
            balance,
            chances: chances::<N::Position, E>(score.0).filter(|_| self.shows_chances),
            certain,
            pv: line_text(self.game, self.root, pv),
            ..self.info(progress)
        };
        self.say(info);
    }

    fn say(&mut self, info: Info) {
        self.last_line = Instant::now();
        (self.sink)(Reply::Info(info));
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

    fn stop_flag(&self) -> Option<Arc<AtomicBool>> {
        Some(self.control.stop_flag())
    }

    fn another_iteration(&mut self) -> bool {
        !self.control.is_stopped()
            && self.progress.nodes < self.enough_nodes
            && self
                .used()
                .is_none_or(|(budget, used)| used < self.soft(&budget) && self.progress.nodes < self.enough_on_clock)
    }

    fn report(&mut self, news: News<'_, <N::Position as Position>::Move>) {
        match news {
            News::CurrentMove { depth, nodes, mv, number } => {
                self.current = Some((mv, number));
                if let Some(keeper) = &mut self.stability {
                    keeper.turned_to(depth, mv, nodes);
                }
            }
            News::Progress(progress) => {
                let text = |(mv, number)| (self.game.notation.move_text(self.root, mv), number);
                let info = Info { current_move: self.current.map(text), ..self.info(progress) };
                self.say(info);
            }
            News::Line { progress, rank, score, bound, certain, pv } => {
                self.progress = progress;
                if let (1, Some(keeper)) = (rank, &mut self.stability) {
                    keeper.ended_with(pv[0], centi(score, &self.game.evaluate), progress.nodes);
                }
                if rank <= self.lines {
                    self.report_line(progress, rank, (score, bound), certain, pv);
                }
            }
        }
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

/// The least by which a game that counts something is won, in hundredths of its unit.
const LEAST: i32 = 100;

/// The final balance of a certain win or loss, in hundredths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SureBalance {
    pub(super) centi: i32,
    /// Whether it is the balance at the end of the game, not only the least.
    is_end: bool,
}

impl SureBalance {
    /// The balance to report, if another line of this result has reached `known`.
    fn or(self, known: Option<i32>) -> i32 {
        let known = known.filter(|known| !self.is_end && known.signum() == self.centi.signum());
        known.filter(|known| known.abs() > self.centi.abs()).unwrap_or(self.centi)
    }
}

/// The final balance of a certain win or loss in a game that counts something, else `None`: that at the end of `line` if the game
/// ends there with this result, else the margin, else the least.
pub(super) fn sure_balance<N: Notation, E: Evaluate<N::Position>, T>(
    game: &Game<N, E, T>,
    root: &N::Position,
    score: Score,
    line: &[<N::Position as Position>::Move],
) -> Option<SureBalance> {
    // Games that end without moves end by mate: nothing is counted, whatever the material.
    if N::Position::ENDS_WITHOUT_MOVES {
        return None;
    }
    let (sign, margin) = match score.meaning() {
        Meaning::Win(_) => (1, 0),
        Meaning::Loss(_) => (-1, 0),
        Meaning::KnownWin(margin) => (1, margin.cast_signed()),
        Meaning::KnownLoss(margin) => (-1, margin.cast_signed()),
        Meaning::Units(_) => return None,
    };
    let end = line.iter().fold(root.clone(), |position, &mv| position.after(mv));
    let seen_from = if end.side_to_move() == root.side_to_move() { sign } else { -sign };
    let won_by = seen_from * game.evaluate.centi_units(game.evaluate.material(&end));
    let counts = won_by != 0 || margin != 0 || game.evaluate.material(root) != 0;
    let is_end = score.distance().is_some() && end.outcome().is_some() && won_by > 0;
    let least = game.evaluate.centi_units(margin).max(LEAST);
    counts.then_some(SureBalance { centi: sign * if is_end { won_by } else { least }, is_end })
}

/// Limits a win reported as a bound to the plies known from an earlier search.
fn last_result(won_within: Option<u32>, score: Score, bound: Bound) -> (Score, Bound) {
    match (won_within, score.meaning()) {
        (Some(plies), Meaning::KnownWin(0)) => (Score::win_in(plies), Bound::Lower),
        (Some(plies), Meaning::Win(_)) if bound == Bound::Lower => (score.max(Score::win_in(plies)), bound),
        _ => (score, bound),
    }
}

/// Limits a certain result of unknown length to the plies that are left, where the game knows them.
fn within(plies_left: Option<u32>, score: Score, bound: Bound) -> Option<(ReportedScore, ReportedBound)> {
    let plies = plies_left?;
    let (score, sure) = match score.meaning() {
        Meaning::KnownWin(_) => (Score::win_in(plies.max(1)), Bound::Lower),
        Meaning::KnownLoss(_) => (Score::loss_in(plies.max(1)), Bound::Upper),
        _ => return None,
    };
    // The lower bound of an unfinished iteration stays a lower bound.
    let bound = if bound == Bound::Exact { sure } else { bound };
    Some((reported(score, |units| units), reported_bound(bound)))
}

/// A score in hundredths of the game's unit, where a certain result counts more than any estimate.
fn centi<P: Position>(score: Score, evaluate: &impl Evaluate<P>) -> i32 {
    match reported(score, |units| evaluate.centi_units(units)) {
        ReportedScore::Centi(centi) => centi,
        ReportedScore::Mate(moves) => moves.signum() * CERTAIN_CENTI,
    }
}

/// A score in protocol terms; `centi` converts the game's units to hundredths.
pub(super) fn reported(score: Score, centi: impl Fn(i32) -> i32) -> ReportedScore {
    // Distances stay far below 2^31.
    let moves = |plies: u32| i32::try_from(plies).unwrap_or(i32::MAX);
    match score.meaning() {
        Meaning::Win(plies) => ReportedScore::Mate(moves(plies.div_ceil(2).max(1))),
        Meaning::Loss(0) => ReportedScore::Mate(0),
        Meaning::Loss(plies) => ReportedScore::Mate(-moves((plies / 2).max(1))),
        Meaning::KnownWin(margin) => ReportedScore::Centi(CERTAIN_CENTI + centi(margin.cast_signed())),
        Meaning::KnownLoss(margin) => ReportedScore::Centi(-CERTAIN_CENTI - centi(margin.cast_signed())),
        // An estimate stays below any certain result.
        Meaning::Units(units) => ReportedScore::Centi(centi(units).clamp(-MOST_CENTI, MOST_CENTI)),
    }
}

/// How often the side to move wins, draws and loses after this score; `None` in a game without a model.
pub(super) fn chances<P: Position, E: Evaluate<P>>(score: ReportedScore) -> Option<[u32; 3]> {
    match score {
        ReportedScore::Mate(moves) => Some(if moves > 0 { [1000, 0, 0] } else { [0, 0, 1000] }),
        ReportedScore::Centi(centi) if centi >= CERTAIN_CENTI => Some([1000, 0, 0]),
        ReportedScore::Centi(centi) if centi <= -CERTAIN_CENTI => Some([0, 0, 1000]),
        ReportedScore::Centi(centi) => E::CHANCES.map(|chances| chances.per_thousand(centi)),
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

    /// The Python package has the same numbers (`Score.wdl`).
    #[test]
    fn chances_follow_the_model_of_the_game() {
        use crate::games::chess;
        let of = |score| chances::<chess::Position, chess::Evaluate>(score);
        assert_eq!(of(ReportedScore::Mate(3)), Some([1000, 0, 0]));
        assert_eq!(of(ReportedScore::Mate(0)), Some([0, 0, 1000]));
        assert_eq!(of(ReportedScore::Centi(-CERTAIN_CENTI)), Some([0, 0, 1000]));
        let [even, ahead, behind] = [0, 150, -150].map(|centi| of(ReportedScore::Centi(centi)).unwrap());
        assert_eq!((even[0], even.iter().sum::<u32>()), (even[2], 1000));
        assert!(ahead[0] > even[0] && ahead[2] < even[2]);
        assert_eq!(behind, [ahead[2], ahead[1], ahead[0]]);
    }

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
            (Score::of_final_balance(-100).backed_up(), ReportedScore::Centi(-CERTAIN_CENTI - 300)),
            (Score::units(-7), ReportedScore::Centi(-21)),
        ] {
            assert_eq!(reported(score, |units| units * 3), said, "{score:?}");
        }
    }

    /// A win without a distance must not follow "mate 6 lowerbound" as "mate 103 lowerbound", the number of free cells
    /// (gomoku).
    #[test]
    fn a_win_takes_no_longer_than_an_earlier_search_has_found() {
        let within_nine = |score, bound| last_result(Some(9), score, bound);
        assert_eq!(within_nine(Score::known_win(), Bound::Exact), (Score::win_in(9), Bound::Lower));
        assert_eq!(within_nine(Score::win_in(11), Bound::Lower), (Score::win_in(9), Bound::Lower));
        for (score, bound) in [
            (Score::win_in(7), Bound::Lower),
            (Score::win_in(11), Bound::Exact),
            (Score::of_final_balance(4), Bound::Exact),
            (Score::known_loss(), Bound::Exact),
            (Score::units(300), Bound::Lower),
        ] {
            assert_eq!(within_nine(score, bound), (score, bound), "{score:?}");
        }
        assert_eq!(last_result(None, Score::known_win(), Bound::Exact), (Score::known_win(), Bound::Exact));
    }

    /// A line that ends before the game must not change a balance of 13 seeds to 1 (seen in Auale).
    #[test]
    fn a_line_that_breaks_off_has_the_balance_of_one_that_did_not() {
        let least = SureBalance { centi: -100, is_end: false };
        assert_eq!([None, Some(-1300), Some(1300)].map(|known| least.or(known)), [-100, -1300, -100]);
        assert_eq!(SureBalance { centi: 1500, is_end: false }.or(Some(1300)), 1500);
        assert_eq!(SureBalance { centi: 900, is_end: true }.or(Some(1300)), 900);
    }

    #[test]
    fn a_win_without_distance_lies_within_what_is_left_of_the_game() {
        let lower = Some((ReportedScore::Mate(4), ReportedBound::Lower));
        assert_eq!(within(Some(7), Score::known_win(), Bound::Exact), lower);
        let upper = Some((ReportedScore::Mate(-3), ReportedBound::Upper));
        assert_eq!(within(Some(7), Score::known_loss(), Bound::Exact), upper);
        assert_eq!(within(None, Score::known_win(), Bound::Exact), None);
        assert_eq!(within(Some(7), Score::units(300), Bound::Exact), None);
        assert_eq!(within(Some(7), Score::win_in(3), Bound::Exact), None);
    }

    /// Three lost visits of Monte Carlo are not a certain loss.
    #[test]
    fn an_estimate_however_high_is_no_certainty() {
        for units in [9_999, 10_000, 50_000, Score::MAX_UNITS] {
            assert_eq!(reported(Score::units(units), |units| units), ReportedScore::Centi(units.min(10_000)));
            assert_eq!(reported(Score::units(-units), |units| units), ReportedScore::Centi(-units.min(10_000)));
        }
    }
}
