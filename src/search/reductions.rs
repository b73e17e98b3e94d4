//! Reductions and pruning: late move reductions, internal iterative reductions, reverse futility pruning, razoring, ProbCut
//! and null move pruning.
//!
//! Layer 3, private to the full search. The constants were tuned by matches at awalé, Othello and Connect Four; there,
//! reductions of noisy moves and of root moves gained nothing. Games that prune boldly
//! ([`crate::game::Pruning::PRUNES_BOLDLY`]) have formulas of their own, tuned at chess.
//! CITE: chessprogramming wiki, "Late Move Reductions", "Internal Iterative Reductions", "Reverse Futility Pruning",
//! "Razoring", "ProbCut", "Null Move Pruning", "Node Types", "Improving".

use super::parameters::Parameters;
use super::technique::Technique;
use super::{Algorithm, Task};
use crate::game::Position;

/// The least depth of a node whose moves may be reduced.
pub(super) const LMR_MIN_DEPTH: u32 = 3;

/// The first index in a node's move order at which a move may be reduced.
pub(super) const LMR_FIRST_MOVE: usize = 2;

/// The first index of a root move that is reduced in games that prune boldly.
pub(super) const ROOT_FIRST_REDUCED: usize = 3;

/// The percentage of late move reductions in games that prune boldly but have no null moves: half as much again. At
/// draughts this saves two fifths of the nodes.
pub(super) fn further(percent: u16) -> u16 {
    percent.saturating_add(percent / 2)
}

/// The percentage of late move reductions in games that prune boldly and have null moves: four fifths.
pub(super) fn less_far(percent: u16) -> u16 {
    percent - percent / 5
}

/// A node of at least so many plies is searched a ply less deep where its entry in the transposition table is of a search that
/// was so much shallower, as it is where there is no entry.
pub(super) const OLD_ENTRY_MIN_DEPTH: u32 = 6;
pub(super) const OLD_ENTRY_PLIES: u32 = 5;

/// The greatest depth of a node that may be pruned for its static evaluation: far above beta, or far below alpha.
pub(super) const RFP_MAX_DEPTH: u32 = 8;
pub(super) const RAZORING_MAX_DEPTH: u32 = 8;

/// The least depth of a node that may be pruned by ProbCut. From depth 5 on it lost games (docs/experiments/othello.md).
pub(super) const PROBCUT_MIN_DEPTH: u32 = 9;

/// How far beyond a bound the shallow search must find the value, in percent of the game's standard deviation.
pub(super) const PROBCUT_PERCENT: i32 = 150;

/// The depth of the search that decides for ProbCut: half of it, odd or even as `depth`.
#[inline]
pub(super) fn probcut_depth(depth: u32) -> u32 {
    depth / 2 - (depth / 2 + depth) % 2
}

/// The least depth of a node that may be pruned by a null move.
pub(super) const NULL_MOVE_MIN_DEPTH: u32 = 3;

/// From this depth on, a null move cutoff is verified by a search without a null move.
pub(super) const NULL_MOVE_VERIFIED: u32 = 12;

/// The least depth of a node whose hash move may be singular.
pub(super) const SINGULAR_MIN_DEPTH: u32 = 7;

/// The value of the hash move in the transposition table counts if its search was at most so many plies less deep.
pub(super) const SINGULAR_PLIES: u32 = 3;

/// The reduction of the search after a null move, in plies, besides the null move itself.
#[inline]
pub(super) fn null_move_plies(depth: u32, parameters: Parameters) -> u32 {
    (3 + depth / 4) * u32::from(parameters.null_move) / 100
}

/// The same in games that prune boldly: more plies the further the static evaluation is above beta, in margins of reverse
/// futility pruning.
#[inline]
pub(super) fn bold_null_move_plies(depth: u32, margins_above: i32, parameters: Parameters) -> u32 {
    let more = (2 * margins_above / 5).clamp(0, 3).cast_unsigned();
    (3 + depth / 3 + more) * u32::from(parameters.null_move) / 100
}

/// What the search expects of a node. CITE: chessprogramming wiki, "Node Types".
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Its window is open: its value will be exact.
    Pv,
    /// A move will fail high.
    Cut,
    /// All moves will fail low.
    All,
}

impl Kind {
    /// The kind of a child that is searched with a zero window.
    #[inline]
    pub(super) fn of_scout(self) -> Kind {
        if self == Kind::Cut { Kind::All } else { Kind::Cut }
    }
}

/// The exchange that a move may lose without being pruned at a node of this depth, in quarters of the margin of reverse
/// futility pruning.
#[inline]
pub(super) fn exchange_quarters(depth: u32, is_quiet: bool) -> i32 {
    let depth = depth as i32;
    if is_quiet { 5 * depth * depth / 4 } else { 5 * depth }
}

/// The greatest depth of a node at which moves are pruned.
pub(super) const PRUNING_MAX_DEPTH: u32 = 6;

/// The same where moves are pruned by the depth that their reduction leaves, if that is no more than [`PRUNING_MAX_DEPTH`].
pub(super) const BOLD_PRUNING_MAX_DEPTH: u32 = 12;

/// Late move pruning: quiet moves from this index of a node's order on are pruned. At least 1.
#[inline]
pub(super) fn late_moves_begin(depth: u32, parameters: Parameters) -> usize {
    ((3 + (depth * depth) as usize) * usize::from(parameters.late_moves) / 100).max(1)
}

/// The same in games that prune boldly, where the evaluation has not risen since the side's last move.
#[inline]
pub(super) fn falling_late_moves(begin: usize) -> usize {
    (begin * 3 / 5).max(1)
}

/// Futility pruning: the number of reverse futility margins by which a quiet move can raise the static evaluation.
#[inline]
pub(super) const fn futile_margins(depth: u32) -> i32 {
    1 + depth as i32
}

/// The plies by which a good history score lessens a move's reduction; negative for a bad score.
#[inline]
pub(super) const fn plies_by_history(history: i32) -> i32 {
    history / 8192
}

/// The adjustment of a late move's reduction, in plies: positive for a move expected to be worth many units `less` than
/// alpha. `margin` is the margin of reverse futility pruning.
#[inline]
pub(super) fn plies_by_worth(less: i32, margin: i32) -> i32 {
    // In half margins. One more ply from `FROM` on, and another one for each `STEP`.
    const FROM: i32 = 8;
    const STEP: i32 = 5;
    (1 + (2 * less / margin - FROM).div_euclid(STEP)).clamp(-1, 2)
}

/// A game's pruning margin in units, scaled by `percent`; at least 1.
pub(super) fn scaled(margin: i32, percent: u16) -> i32 {
    (i64::from(margin) * i64::from(percent) / 100).clamp(1, i32::MAX.into()) as i32
}

/// Which nodes are searched to the full depth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Width {
    /// All nodes.
    Full,
    /// Reductions and pruning are on: late moves are searched to the full depth only if a reduced search fails high.
    /// Such a search may overlook the shortest win.
    Reduced,
}

impl Width {
    /// The width of a task's iterations. A search for a mate is at full width. So is a search for several lines, except
    /// in games with null moves, which have too many moves to reach much depth at full width.
    pub(super) fn of<P: Position>(task: &Task<P>) -> Width {
        let full = task.algorithm == Algorithm::AlphaBeta && task.selective;
        let free = full && (task.lines == 1 || P::HAS_NULL_MOVE) && task.mate.is_none();
        let reduces = Technique::REDUCING.iter().any(|&technique| task.techniques.has(technique));
        if free && reduces { Width::Reduced } else { Width::Full }
    }
}

/// The base-2 logarithm of 1 to 255, in eighths.
const fn eighths(n: u64) -> u32 {
    n.pow(8).ilog2()
}

/// The late move reduction in plies at a node of `depth` plies: ½ + ½ ln depth ln place, times the percentage, rounded
/// down, leaving at least one ply. `place` is the move's index in the node's order, at least 1.
#[inline]
pub(super) fn lmr_plies(depth: u32, place: usize, parameters: Parameters) -> u32 {
    let place = place.min(255) as u64;
    // (ln 2 / 8)² / 2 is 1/266.
    let plies = (133 + eighths(depth.into()) * eighths(place)) * u32::from(parameters.lmr) / 26_600;
    plies.min(depth - 2)
}

/// What a late move's reduction depends on in games that prune boldly, besides depth and place.
#[derive(Debug, Clone, Copy)]
pub(super) struct Late {
    /// Its history score; `None` for killers and losing captures.
    pub(super) history: Option<i32>,
    pub(super) kind: Kind,
    /// Whether the side to move must answer.
    pub(super) must_answer: bool,
    /// Whether the evaluation has risen since the side's last move.
    pub(super) improving: bool,
}

/// The late move reduction in plies at a node of `depth` plies in games that prune boldly: ln depth ln place, times the
/// percentage, more or less by what is known of the move and the node; rounded down, leaving at least one ply.
#[inline]
pub(super) fn bold_lmr_plies(depth: u32, place: usize, late: Late, parameters: Parameters) -> u32 {
    /// A ply.
    const ONE: i32 = 1024;
    // ln 2 of the two base-2 logarithms in eighths: 1024 × (ln 2 / 8)² is 123/16.
    let plies = (eighths(depth.into()) * eighths(place.min(255) as u64)).cast_signed() * 123 / 16;
    let mut plies = plies * i32::from(parameters.lmr) / 100;
    plies -= late.history.map_or(ONE, |history| history * ONE / 8192);
    plies += match late.kind {
        Kind::Pv => -ONE,
        Kind::Cut => ONE,
        Kind::All => 0,
    };
    if late.must_answer {
        plies -= ONE;
    }
    if !late.improving {
        plies += ONE / 2;
    }
    (plies.max(0) / ONE).cast_unsigned().min(depth - 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_reduced_more_the_less_it_seems_to_be_worth() {
        for (less, plies) in [(-1000, -1), (0, -1), (149, -1), (150, 0), (399, 0), (400, 1), (650, 2), (9000, 2)] {
            assert_eq!(plies_by_worth(less, 100), plies, "{less}");
        }
    }

    #[test]
    fn percentages_change_reductions_and_margins_in_proportion() {
        let twice = Parameters { lmr: 200, late_moves: 200, null_move: 200, ..Parameters::default() };
        let once = Parameters::default();
        assert_eq!((lmr_plies(20, 30, once), lmr_plies(20, 30, twice)), (5, 10));
        assert_eq!((late_moves_begin(3, once), late_moves_begin(3, twice)), (12, 24));
        assert_eq!(late_moves_begin(1, Parameters { late_moves: 10, ..once }), 1, "the first move is looked at");
        assert_eq!((null_move_plies(9, once), null_move_plies(9, twice)), (5, 10));
        assert_eq!([scaled(70, 100), scaled(70, 150), scaled(3, 10), scaled(i32::MAX, 1000)], [70, 105, 1, i32::MAX]);
    }

    #[test]
    fn a_late_move_of_a_bold_game_is_reduced_by_what_is_known_of_it() {
        let plain = Late { history: Some(0), kind: Kind::All, must_answer: false, improving: true };
        let plies = |late| bold_lmr_plies(9, 20, late, Parameters::default());
        // ln 9 ln 20 is 6.6.
        assert_eq!(plies(plain), 6);
        for (late, expected) in [
            (Late { history: Some(8192), ..plain }, 5),
            (Late { history: Some(-16384), ..plain }, 7),
            (Late { history: None, ..plain }, 5),
            (Late { kind: Kind::Cut, ..plain }, 7),
            (Late { kind: Kind::Pv, ..plain }, 5),
            (Late { must_answer: true, ..plain }, 5),
            (Late { kind: Kind::Cut, improving: false, ..plain }, 7),
        ] {
            assert_eq!(plies(late), expected, "{late:?}");
        }
        for depth in LMR_MIN_DEPTH..=super::super::MAX_DEPTH {
            for place in LMR_FIRST_MOVE..300 {
                let worst = Late { history: Some(-49_152), kind: Kind::Cut, must_answer: false, improving: false };
                assert!(bold_lmr_plies(depth, place, worst, Parameters::default()) <= depth - 2);
            }
        }
    }

    #[test]
    fn a_probe_is_half_as_deep_and_ends_with_the_same_side_to_move() {
        assert_eq!([9, 10, 11, 12, 13, 14, 15, 16].map(probcut_depth), [3, 4, 5, 6, 5, 6, 7, 8]);
    }

    #[test]
    fn what_a_scout_expects_alternates() {
        assert_eq!([Kind::Pv, Kind::Cut, Kind::All].map(Kind::of_scout), [Kind::Cut, Kind::All, Kind::Cut]);
    }

    #[test]
    fn bold_margins_grow_with_the_depth() {
        let plies = |margins| bold_null_move_plies(6, margins, Parameters::default());
        assert_eq!([-5, 0, 2, 3, 5, 100].map(plies), [5, 5, 5, 6, 7, 8]);
        assert_eq!([1, 2, 4].map(|depth| exchange_quarters(depth, true)), [1, 5, 20]);
        assert_eq!([1, 2, 4].map(|depth| exchange_quarters(depth, false)), [5, 10, 20]);
        assert_eq!([1, 2, 7, 12].map(falling_late_moves), [1, 1, 4, 7]);
    }

    #[test]
    fn late_moves_are_reduced_more_the_later_and_deeper_but_a_ply_is_left() {
        for depth in LMR_MIN_DEPTH..=super::super::MAX_DEPTH {
            for place in LMR_FIRST_MOVE..600 {
                let lmr_plies = |depth, place| lmr_plies(depth, place, Parameters::default());
                let plies = lmr_plies(depth, place);
                assert!(plies <= depth - 2);
                assert!(plies <= lmr_plies(depth, place + 1) && plies <= lmr_plies(depth + 1, place));
                let exact = 0.5 + 0.5 * f64::from(depth).ln() * (place.min(255) as f64).ln();
                let exact = exact.min(f64::from(depth - 2));
                // The logarithms are rounded down to eighths, twice.
                assert!(exact - f64::from(plies) < 2.0 && f64::from(plies) <= exact + 1.0, "{depth} {place}");
            }
        }
    }
}
