//! The game that the engine keeps for dialects that send one move at a time, with the client's time settings.
//!
//! Layer 5. Plain data: moves are texts of the game, times are durations.

use std::time::Duration;

use crate::message::{ClockTime, FiveRule, Go, Limit, List, Player, Point, Text, Timing};

/// The time for a move when the client says nothing about time.
const UNTIMED: Duration = Duration::from_secs(3);

/// A point, and whether its stone is the engine's own, if known.
pub(super) type ListedPoint = (String, Option<bool>);

/// A game received move by move.
#[derive(Debug, Default)]
pub(super) struct HostedGame {
    /// The initial board text; `None` for the start position.
    pub(super) board: Option<Text>,
    /// The moves from there, as the game writes them.
    pub(super) moves: Vec<String>,
    /// The points that were named of the next move, which is not complete.
    pub(super) chosen: Vec<Point>,
    /// The plies that were played point by point; each point can be taken back by itself.
    pub(super) by_points: Vec<usize>,
    /// The move that a search has found and of which the first points were answered.
    pub(super) planned: Option<String>,
    /// Why there is no game: the last one could not be read.
    pub(super) refused: Option<String>,
    /// Passes after the end of the game; each can be undone.
    pub(super) passes: usize,
    /// The side of the board at the start position; boards of heaps would shrink otherwise.
    pub(super) side: u32,
    /// The board of five in a row, once it is chosen.
    pub(super) five: Option<(u64, u64)>,
    /// Its rule.
    pub(super) rule: FiveRule,
    /// The list of points being received: its purpose and its points.
    pub(super) list: Option<(List, Vec<ListedPoint>)>,
    /// Whether a line of that list was refused.
    pub(super) list_has_gap: bool,
    /// Points that no search considers.
    pub(super) blocked: Vec<String>,
    /// Lines to report without a request, while a search reports others.
    pub(super) lines: Option<usize>,
    /// Whether the client shows a board.
    pub(super) graphical: bool,
    /// Whether the client wants every better move at once.
    pub(super) detail: bool,
    pub(super) clocks: Clocks,
}

impl HostedGame {
    /// Back to the start position, with full clocks.
    pub(super) fn clear(&mut self) {
        self.board = None;
        self.refused = None;
        self.moves.clear();
        self.by_points.clear();
        self.drop_points();
        self.passes = 0;
        self.clocks.reset();
    }

    /// Forgets the points of a move that is not complete.
    pub(super) fn drop_points(&mut self) {
        self.chosen.clear();
        self.planned = None;
    }
}

/// The time left for one player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Left {
    time: Duration,
    /// Moves that the time is for; 0: all.
    moves: u32,
}

/// Both players' clocks, and the other limits of a search.
#[derive(Debug, Default)]
pub(super) struct Clocks {
    /// Time for each move.
    turn: Option<Duration>,
    /// Plies for each move.
    depth: Option<u32>,
    /// Nodes for each move.
    nodes: Option<u64>,
    left: [Option<Left>; 2],
    /// Increment.
    increments: [Duration; 2],
    /// Initial time, and the periods after it.
    control: Option<(Left, Option<Left>)>,
}

impl Clocks {
    /// Applies a time setting of the client.
    pub(super) fn set(&mut self, timing: Timing) {
        match timing {
            Timing::Turn(time) => self.turn = Some(time),
            Timing::Match(time) => self.left = [time.map(|time| Left { time, moves: 0 }); 2],
            Timing::Left(player, time, moves) => self.left[player as usize] = Some(Left { time, moves }),
            Timing::Control { main, period, moves } => {
                let further = (moves > 0).then_some(Left { time: period, moves });
                let first = if main.is_zero() { further } else { None };
                let unlimited = moves == 0 && !period.is_zero();
                self.control = (!unlimited).then(|| (first.unwrap_or(Left { time: main, moves: 0 }), further));
                self.reset();
            }
        }
    }

    /// Applies a limit other than time.
    pub(super) fn limit(&mut self, limit: Limit) {
        match limit {
            Limit::Depth(depth) => self.depth = depth,
            Limit::Nodes(nodes) => self.nodes = nodes,
        }
    }

    /// Sets both clocks; `None` for a clock that does not exist.
    pub(super) fn start(&mut self, clocks: [Option<ClockTime>; 2]) {
        let left = |clock: ClockTime| clock.remaining.map(|time| Left { time, moves: 0 });
        self.left = clocks.map(|clock| clock.and_then(left));
        self.increments = clocks.map(|clock| clock.map_or(Duration::ZERO, |clock| clock.increment));
    }

    /// Resets both clocks to their initial time, where it is known.
    pub(super) fn reset(&mut self) {
        self.left = match self.control {
            Some((first, _)) => [Some(first); 2],
            None => self.left,
        };
    }

    /// The limits of a search for a player.
    pub(super) fn limits(&self, player: Player) -> Go {
        let left = self.left[player as usize];
        let mut go = Go { movetime: self.turn, depth: self.depth, nodes: self.nodes, ..Go::default() };
        if let Some(left) = left {
            let increment = self.increments[player as usize];
            go.clocks[player as usize] = ClockTime { remaining: Some(left.time), increment };
            go.moves_to_go = (left.moves > 0).then_some(left.moves);
        } else if !go.is_limited() {
            go.movetime = Some(UNTIMED);
        }
        go
    }

    /// The limits of a search without a clock.
    pub(super) fn limits_untimed(&self) -> Go {
        let go = Go { depth: self.depth, nodes: self.nodes, ..Go::default() };
        if go.is_limited() { go } else { Go { movetime: Some(UNTIMED), ..go } }
    }

    /// Subtracts the time of a move from a player's clock, until the client says otherwise.
    pub(super) fn spend(&mut self, player: Player, time: Duration) {
        let further = self.control.and_then(|(_, further)| further);
        let increment = self.increments[player as usize];
        let Some(left) = &mut self.left[player as usize] else { return };
        let period_is_over = left.moves == 1 || time >= left.time;
        match further {
            Some(further) if period_is_over => *left = further,
            _ => {
                let time = left.time.saturating_sub(time) + increment;
                *left = Left { time, moves: left.moves.saturating_sub(1) };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn s(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    /// Time and moves to go of the first player, and time for the move.
    fn limits(clocks: &Clocks) -> (Option<Duration>, Option<u32>, Option<Duration>) {
        let go = clocks.limits(Player::First);
        assert!(go.is_bounded());
        (go.clocks[0].remaining, go.moves_to_go, go.movetime)
    }

    #[test]
    fn a_client_that_says_nothing_of_time_gets_a_move_all_the_same() {
        let mut clocks = Clocks::default();
        assert_eq!(limits(&clocks), (None, None, Some(UNTIMED)));
        clocks.set(Timing::Control { main: s(0), period: s(1), moves: 0 });
        assert_eq!(limits(&clocks), (None, None, Some(UNTIMED)));
    }

    #[test]
    fn main_time_is_followed_by_periods() {
        let mut clocks = Clocks::default();
        clocks.set(Timing::Control { main: s(60), period: s(10), moves: 2 });
        assert_eq!(limits(&clocks), (Some(s(60)), None, None));
        clocks.spend(Player::First, s(20));
        assert_eq!(limits(&clocks), (Some(s(40)), None, None));
        clocks.spend(Player::First, s(41));
        assert_eq!(limits(&clocks), (Some(s(10)), Some(2), None));
        clocks.spend(Player::First, s(4));
        assert_eq!(limits(&clocks), (Some(s(6)), Some(1), None));
        clocks.spend(Player::First, s(4));
        assert_eq!(limits(&clocks), (Some(s(10)), Some(2), None));
        assert_eq!(clocks.limits(Player::Second).clocks[1].remaining, Some(s(60)));
        clocks.set(Timing::Left(Player::First, s(3), 1));
        assert_eq!(limits(&clocks), (Some(s(3)), Some(1), None));
    }

    #[test]
    fn time_for_a_move_and_for_the_match_combine() {
        let mut clocks = Clocks::default();
        clocks.set(Timing::Turn(s(5)));
        assert_eq!(limits(&clocks), (None, None, Some(s(5))));
        clocks.set(Timing::Match(Some(s(100))));
        clocks.spend(Player::First, s(7));
        assert_eq!(limits(&clocks), (Some(s(93)), None, Some(s(5))));
        clocks.set(Timing::Match(None));
        assert_eq!(limits(&clocks), (None, None, Some(s(5))));
    }
}
