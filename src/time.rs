//! Time control: from a clock to the limits of one move.
//!
//! Layer 3: imports nothing; pure functions of numbers, which never read a clock. Durations count from the arrival of the
//! request. `overhead` is what a move costs outside the search (transport, front end).

use std::time::Duration;

/// The clock of the player to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clock {
    /// Time left.
    pub remaining: Duration,
    /// Time added after each move.
    pub increment: Duration,
    /// Moves until the next time control, this one included. `None`, or 0: there is none.
    pub moves_to_go: Option<u32>,
    /// Moves of this player, this one included, that probably still take time, if the game knows.
    pub moves_left: Option<u32>,
}

/// The time limits of one move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// No iteration begins after this.
    pub soft: Duration,
    /// The search stops at this; never below `soft`.
    pub hard: Duration,
    /// Whether `soft` is adjusted by the progress of the search.
    pub elastic: bool,
}

/// The progress of a search, for its clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Stability {
    /// Iterations in a row that confirmed the best move.
    pub stable_iterations: u32,
    /// How far the score is below both earlier iterations, in hundredths of the game's unit; at least 0.
    pub score_drop: u32,
    /// The share of its nodes that the last iteration spent on the best move, in thousandths.
    pub best_move_share: u32,
}

/// `soft` in hundredths of the plan, by the number of iterations that have confirmed the best move.
const PACE_BY_UNCHANGED: [u32; 6] = [130, 115, 100, 90, 80, 70];

/// A fall of the score by this much or more makes `soft` half as long again, the maximum.
const WORST_FALL: u32 = 200;

/// A move with a greater share of the nodes is an easy one: the others were refuted at once.
const EASY_EFFORT: u32 = 900;

impl Budget {
    /// The adjusted `soft`: shorter when the move is settled or easy, longer when it is in doubt, and never beyond `hard`.
    ///
    /// # Examples
    /// ```
    /// use griot::time::{Budget, Stability};
    /// use std::time::Duration;
    ///
    /// let (soft, hard) = (Duration::from_secs(1), Duration::from_secs(4));
    /// let budget = Budget { soft, hard, elastic: true };
    /// let doubtful = Stability { stable_iterations: 0, score_drop: 200, best_move_share: 500 };
    /// let easy = Stability { stable_iterations: 9, score_drop: 0, best_move_share: 950 };
    /// assert_eq!(budget.soft_after(&doubtful).as_millis(), 1_950);
    /// assert_eq!(budget.soft_after(&easy).as_millis(), 420);
    /// ```
    #[must_use]
    pub fn soft_after(&self, stability: &Stability) -> Duration {
        if !self.elastic {
            return self.soft;
        }
        let by_unchanged = PACE_BY_UNCHANGED[(stability.stable_iterations as usize).min(PACE_BY_UNCHANGED.len() - 1)];
        let by_fall = 100 + 50 * stability.score_drop.min(WORST_FALL) / WORST_FALL;
        let by_effort = if stability.best_move_share > EASY_EFFORT { 60 } else { 100 };
        let pace = by_unchanged * by_fall / 100 * by_effort / 100;
        // Divide first, so that the longest duration does not overflow.
        (self.soft / 100).saturating_mul(pace).min(self.hard)
    }
}

/// The divisor of the clock for one move, or the moves to go if they are fewer.
///
/// A game lasts 30 to 60 moves a side, but most are decided before their end. Each share is taken from the time left,
/// so the clock shrinks by a factor (a third is left after 25 moves, an eighth after 50) and is never empty. If the
/// game knows that fewer moves are left, the clock is divided by those.
const MOVES_TO_PLAN_FOR: u32 = 25;

/// Ratio of `hard` to `soft`: an iteration costs a few times as much as the one before, and one begun just before `soft` should
/// finish.
const HARD_PER_SOFT: u32 = 4;

/// The limits of a move with this clock.
///
/// The clock is what remains less the overhead of this move and, as far as increments do not cover it, of the further
/// moves. `soft` is a share of the clock plus nine tenths of the increment less the overhead: if moves take the planned
/// time, the clock settles at two and a half increments. `hard` is four times `soft`, but never more than a third of
/// the clock plus, when `m` moves are to go, two thirds divided by `m`: all of it for the last move, two thirds with
/// two to go, and so on. With nothing left the limits are 0, and a search ends during or after its first iteration.
///
/// `hard` and the overhead never exceed what remains, if the overhead alone does not. With `m` moves to go and at least `m`
/// times the overhead left, no move oversteps, even if each uses `hard` and loses the overhead.
///
/// # Examples
/// ```
/// use griot::time::{Clock, budget};
/// use std::time::Duration;
///
/// let remaining = Duration::from_secs(60);
/// let clock = Clock { remaining, increment: Duration::ZERO, moves_to_go: None, moves_left: None };
/// let long = budget(&clock, Duration::from_millis(10));
/// assert_eq!((long.soft.as_millis(), long.hard.as_millis()), (2_390, 9_560));
/// let late = budget(&Clock { moves_left: Some(10), ..clock }, Duration::from_millis(10));
/// assert_eq!((late.soft.as_millis(), late.hard.as_millis()), (5_975, 19_916));
/// ```
#[must_use]
pub fn budget(clock: &Clock, overhead: Duration) -> Budget {
    let available = clock.remaining.saturating_sub(overhead);
    let moves_to_go = clock.moves_to_go.filter(|&moves| moves > 0);
    let loss = overhead.saturating_sub(clock.increment);
    let reserve = match moves_to_go {
        Some(moves) => loss.saturating_mul(moves - 1),
        // The number of further moves is a guess and the overhead often cautious: reserve at most half of a small
        // clock.
        None => loss.saturating_mul(MOVES_TO_PLAN_FOR - 1).min(available / 2),
    };
    let available = available.saturating_sub(reserve);

    let planned = clock.moves_left.unwrap_or(MOVES_TO_PLAN_FOR).clamp(1, MOVES_TO_PLAN_FOR);
    let share = available / moves_to_go.unwrap_or(planned).min(planned);
    let gain = clock.increment.saturating_sub(overhead) / 10 * 9;
    let third = available / 3;
    let most = third + moves_to_go.map_or(Duration::ZERO, |moves| third / moves * 2);

    let soft = share.saturating_add(gain).min(most);
    Budget { soft, hard: soft.saturating_mul(HARD_PER_SOFT).min(most), elastic: true }
}

/// The limits of a move with a fixed time: that time less the overhead, but at least a millisecond.
#[must_use]
pub fn fixed(movetime: Duration, overhead: Duration) -> Budget {
    let limit = movetime.saturating_sub(overhead).max(Duration::from_millis(1)).min(movetime);
    Budget { soft: limit, hard: limit, elastic: false }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const MS: Duration = Duration::from_millis(1);

    fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    fn clock(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> Clock {
        Clock { remaining: ms(remaining), increment: ms(increment), moves_to_go, moves_left: None }
    }

    #[test]
    fn budgets_of_usual_and_of_odd_clocks() {
        const HUGE: u64 = u64::MAX;
        // remaining, increment, moves to go, overhead; soft, hard in whole milliseconds.
        let table = [
            // Sudden death: a 25th, and four times that.
            ((60_000, 0, None, 0), (2_400, 9_600)),
            ((60_000, 0, None, 10), (2_390, 9_560)),
            ((1_000, 0, None, 10), (30, 120)),
            ((100, 0, None, 10), (1, 7)),
            // With increment: nine tenths of it on top; a low clock is held at a third.
            ((60_000, 1_000, None, 0), (3_300, 13_200)),
            ((60_000, 1_000, None, 200), (3_112, 12_448)),
            ((3_000, 1_000, None, 0), (1_000, 1_000)),
            ((1_000, 10_000, None, 0), (333, 333)),
            ((100, 1, None, 1), (3, 15)),
            // Moves to go: an even share, more of the clock the fewer they are; 0 is no promise of more time.
            ((60_000, 0, Some(40), 0), (2_400, 9_600)),
            ((60_000, 0, Some(10), 0), (6_000, 24_000)),
            ((60_000, 0, Some(3), 0), (20_000, 33_333)),
            ((60_000, 0, Some(2), 0), (30_000, 40_000)),
            ((60_000, 0, Some(1), 100), (59_900, 59_900)),
            ((60_000, 0, Some(11), 100), (5_354, 21_418)),
            ((60_000, 0, Some(0), 0), (2_400, 9_600)),
            ((60_000, 0, Some(u32::MAX), 0), (2_400, 9_600)),
            // Next to nothing.
            ((0, 0, None, 0), (0, 0)),
            ((0, 5_000, Some(1), 10), (0, 0)),
            ((10, 0, None, 10), (0, 0)),
            ((10, 0, None, 9), (0, 0)),
            ((10, 0, Some(1), 5), (5, 5)),
            // Absurd.
            ((HUGE, 0, None, 0), (HUGE / 25, HUGE / 25 * 4 + 2)),
            ((HUGE, HUGE, Some(1), HUGE), (0, 0)),
            ((1_000, HUGE, None, 10), (330, 330)),
        ];
        for ((remaining, increment, moves_to_go, overhead), (soft, hard)) in table {
            let budget = budget(&clock(remaining, increment, moves_to_go), ms(overhead));
            // A division may round away the last nanosecond.
            let whole = |limit: Duration| (limit + Duration::from_nanos(2)).as_millis() as u64;
            let told = format!("{remaining} + {increment}, {moves_to_go:?} to go, overhead {overhead}");
            assert_eq!((whole(budget.soft), whole(budget.hard)), (soft, hard), "{told}");
        }
    }

    #[test]
    fn where_the_game_ends_soon_its_moves_share_the_clock() {
        let table = [
            ((None, None), (2_400, 9_600)),
            ((None, Some(400)), (2_400, 9_600)),
            ((None, Some(10)), (6_000, 20_000)),
            // A third at most, as long as the clock is not filled up again.
            ((None, Some(2)), (20_000, 20_000)),
            ((None, Some(0)), (20_000, 20_000)),
            ((Some(4), Some(10)), (15_000, 30_000)),
            ((Some(20), Some(10)), (6_000, 22_000)),
        ];
        for ((moves_to_go, moves_left), (soft, hard)) in table {
            let budget = budget(&Clock { moves_left, ..clock(60_000, 0, moves_to_go) }, Duration::ZERO);
            assert_eq!(
                (budget.soft.as_millis(), budget.hard.as_millis()),
                (soft, hard),
                "{moves_to_go:?} {moves_left:?}"
            );
        }
    }

    #[test]
    fn a_fixed_time_leaves_the_overhead_but_at_least_a_millisecond() {
        for (movetime, overhead, limit) in
            [(1_000, 10, 990), (10, 10, 1), (5, 100, 1), (1, 0, 1), (0, 0, 0), (0, 10, 0), (u64::MAX, 1, u64::MAX - 1)]
        {
            let budget = fixed(ms(movetime), ms(overhead));
            assert_eq!(
                budget,
                Budget { soft: ms(limit), hard: ms(limit), elastic: false },
                "{movetime} less {overhead}"
            );
        }
    }

    #[test]
    fn a_settled_move_is_played_sooner_and_a_doubtful_one_later() {
        let stability = |stable_iterations, score_drop, best_move_share| Stability {
            stable_iterations,
            score_drop,
            best_move_share,
        };
        // What is planned, and what is the most; soft in milliseconds.
        let table = [
            (stability(0, 0, 0), (1_000, 4_000), 1_300),
            (stability(1, 0, 0), (1_000, 4_000), 1_150),
            (stability(2, 0, 0), (1_000, 4_000), 1_000),
            (stability(5, 0, 0), (1_000, 4_000), 700),
            (stability(u32::MAX, 0, 0), (1_000, 4_000), 700),
            // A falling score.
            (stability(2, 100, 500), (1_000, 4_000), 1_250),
            (stability(2, u32::MAX, 500), (1_000, 4_000), 1_500),
            (stability(5, 200, 500), (1_000, 4_000), 1_050),
            // Easy moves.
            (stability(2, 0, 900), (1_000, 4_000), 1_000),
            (stability(2, 0, 901), (1_000, 4_000), 600),
            (stability(9, 0, 1_000), (1_000, 4_000), 420),
            // Never past hard.
            (stability(0, 200, 0), (1_000, 1_000), 1_000),
            (stability(0, 200, 0), (0, 0), 0),
        ];
        for (stability, (soft, hard), expected) in table {
            let budget = Budget { soft: ms(soft), hard: ms(hard), elastic: true };
            assert_eq!(budget.soft_after(&stability), ms(expected), "{stability:?}, {soft} of {hard}");
            let fixed = Budget { elastic: false, ..budget };
            assert_eq!(fixed.soft_after(&stability), ms(soft), "{stability:?}, fixed");
        }
    }

    /// Plays `moves` moves that all use `hard` and lose `lost` more; the time left at the end, or the move that overstepped.
    fn play_to_the_limit(mut clock: Clock, overhead: Duration, lost: Duration, moves: u32) -> Result<Duration, u32> {
        let refill = clock.moves_to_go.map(|moves| (clock.remaining, moves));
        for mv in 0..moves {
            let spent = budget(&clock, overhead).hard + lost;
            clock.remaining = clock.remaining.checked_sub(spent).ok_or(mv)? + clock.increment;
            if let Some((time, period)) = refill {
                clock.moves_to_go = clock.moves_to_go.map(|left| left - 1);
                if clock.moves_to_go == Some(0) {
                    clock.moves_to_go = Some(period);
                    clock.remaining += time;
                }
            }
        }
        Ok(clock.remaining)
    }

    #[test]
    fn a_long_game_on_a_tiny_clock_is_not_lost_on_time() {
        for lost in [Duration::ZERO, MS / 2, MS] {
            let left = play_to_the_limit(clock(100, 1, None), MS, lost, 200);
            assert!(left.is_ok(), "losing {lost:?} a move: overstepped in move {left:?}");
        }
        assert!(play_to_the_limit(clock(10_000, 100, None), ms(10), ms(10), 1_000).is_ok());
        assert!(play_to_the_limit(clock(60_000, 0, None), ms(10), Duration::ZERO, 1_000).is_ok());
    }

    #[test]
    fn the_overhead_of_all_moves_to_go_is_kept() {
        for (remaining, increment, moves) in [(10_000, 0, 40), (400, 0, 40), (20, 0, 2), (50, 3, 5), (300, 20, 10)] {
            let left = play_to_the_limit(clock(remaining, increment, Some(moves)), ms(10), ms(10), 10 * moves);
            assert!(left.is_ok(), "{remaining} + {increment} for {moves}: overstepped in move {left:?}");
        }
    }

    fn any_ms() -> impl Strategy<Value = u64> {
        prop_oneof![0..20_u64, 0..10_000_u64, 0..10_000_000_u64, any::<u64>(), u64::MAX - 20..=u64::MAX]
    }

    proptest! {
        #[test]
        fn budgets_keep_to_the_clock_and_grow_with_it(
            remaining in any_ms(),
            more in any_ms(),
            increment in any_ms(),
            overhead in any_ms(),
            moves_to_go in prop::option::of(prop_oneof![0..60_u32, any::<u32>()]),
            moves_left in prop::option::of(prop_oneof![0..60_u32, any::<u32>()]),
        ) {
            let overhead = ms(overhead);
            let now = budget(&Clock { moves_left, ..clock(remaining, increment, moves_to_go) }, overhead);
            prop_assert!(now.soft <= now.hard);
            prop_assert!(now.hard <= ms(remaining).saturating_sub(overhead));
            if moves_to_go.is_none() {
                prop_assert!(now.hard <= ms(remaining) / 3);
            }
            let refilled = clock(remaining.saturating_add(more), increment, moves_to_go);
            let later = budget(&Clock { moves_left, ..refilled }, overhead);
            prop_assert!(now.soft <= later.soft && now.hard <= later.hard);
        }

        #[test]
        fn no_course_leads_past_the_hard_limit_and_fixed_times_stay(
            remaining in any_ms(),
            increment in any_ms(),
            stable_iterations in any::<u32>(),
            score_drop in any::<u32>(),
            best_move_share in 0..=1000_u32,
        ) {
            let stability = Stability { stable_iterations, score_drop, best_move_share };
            let by_clock = budget(&clock(remaining, increment, None), MS);
            prop_assert!(by_clock.soft_after(&stability) <= by_clock.hard);
            let doubtful = Stability { stable_iterations: 0, score_drop: u32::MAX, best_move_share: 0 };
            prop_assert!(by_clock.soft_after(&stability) <= by_clock.soft_after(&doubtful));
            let by_move = fixed(ms(remaining), MS);
            prop_assert_eq!(by_move.soft_after(&stability), by_move.soft);
        }

        #[test]
        fn fixed_times_are_never_exceeded(movetime in any_ms(), overhead in any_ms()) {
            let limits = fixed(ms(movetime), ms(overhead));
            prop_assert!(limits.soft == limits.hard && limits.hard <= ms(movetime));
            prop_assert!(limits.hard >= MS.min(ms(movetime)));
        }
    }
}
