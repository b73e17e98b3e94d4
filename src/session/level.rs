//! Levels: how far a weaker player looks, and which of its nearly equal moves it plays.
//!
//! Layer 4; pure. A level below full strength looks a limited number of plies ahead, uses no theory and no tables, and draws
//! with a seed among its best lines, the likelier the nearer a line is to the best one. It plays for a win that it sees, and
//! plays a clearly better move. The level next to full strength searches few nodes. The game says what a level is worth and
//! whether it reduces moves ([`LevelScale`](crate::game::family::LevelScale)). Values are in hundredths of the game's unit, for
//! the side to move.

use crate::game::family::FULL_STRENGTH;
use crate::game::{EvaluationMode, SplitMix64, mix64};
use crate::score::{Meaning, Score};
use crate::search::MAX_DEPTH;

/// The level that searches as full strength does, with few nodes.
const HASTY: usize = FULL_STRENGTH - 1;

/// Nodes after which that level begins no iteration.
const NODES_IN_HASTE: u64 = 40_000;

/// Tolerance in hundredths: how much worse than the best move a move may look, by half the level.
const TOLERANCES: [i64; FULL_STRENGTH / 2] = [400, 300, 200, 150, 120, 100, 80, 60, 50, 40];

/// Number of lines that a weaker level chooses from.
const LINES_WEIGHED: usize = 8;

/// Nodes after which level 0 begins no iteration; doubled every second level.
const NODES_OF_LEVEL_0: u64 = 1000;

/// Plies that a selective level searches less, since it has quiescence search.
const PLIES_OF_SELECTION: u32 = 3;

/// Knowledge of a level: theory and tables only from the second highest level on.
pub(super) const fn sight_of(number: usize) -> EvaluationMode {
    if number < HASTY { EvaluationMode::NoTheory } else { EvaluationMode::Full }
}

/// A level below full strength in one position.
#[derive(Debug, Clone)]
pub(super) struct Level {
    /// Search depth in plies.
    pub(super) depth: u32,
    /// Nodes after which it begins no iteration.
    pub(super) nodes: u64,
    /// Number of lines it chooses from.
    pub(super) lines: usize,
    /// Whether its search is selective.
    pub(super) selective: bool,
    /// Moves further behind the best one than this, in hundredths, are not played.
    tolerance: i64,
    chance: SplitMix64,
}

impl Level {
    /// The level in the position with this hash, `selective` or not; `None` for full strength. LAW 10: its draw depends on the
    /// position and the seed alone.
    pub(super) fn new(number: usize, selective: bool, position: u64, seed: u64) -> Option<Level> {
        let half = number / 2;
        let &tolerance = TOLERANCES.get(half)?;
        let mut chance = SplitMix64::new(position ^ mix64(seed));
        if number == HASTY {
            return Some(Level {
                depth: MAX_DEPTH,
                nodes: NODES_IN_HASTE,
                lines: 1,
                selective: true,
                tolerance,
                chance,
            });
        }
        // An odd level has the depth of one of its two neighbours, drawn per position.
        let plies = 1 + ((number + chance.below(2)) / 2) as u32;
        let depth = if selective { plies.saturating_sub(PLIES_OF_SELECTION).max(1) } else { plies };
        let nodes = NODES_OF_LEVEL_0 << half;
        Some(Level { depth, nodes, lines: LINES_WEIGHED, selective, tolerance, chance })
    }

    /// The index of the line to play among those with these values, the first of which is the best; `centi` converts units to
    /// hundredths.
    ///
    /// A line `gap` behind the best one is drawn with a probability proportional to the square of the remaining tolerance. The
    /// tolerance is at most the mean gap, so a move that stands out is always played, in any unit. Decided lines are never drawn.
    pub(super) fn choose(mut self, scores: &[Score], centi: impl Fn(i32) -> i32) -> usize {
        let value = |score: &Score| match score.meaning() {
            Meaning::Units(units) => Some(i64::from(centi(units))),
            _ => None,
        };
        let Some(best) = scores.first().and_then(value) else { return 0 };
        let gaps: Vec<Option<i64>> =
            scores.iter().map(|score| value(score).map(|value| (best - value).max(0))).collect();
        let open = || gaps.iter().flatten();
        let tolerance = self.tolerance.min(open().sum::<i64>() / open().count().max(1) as i64);
        let weight = |gap: &Option<i64>| gap.map_or(0, |gap| (tolerance + 1 - gap).max(0).pow(2) as usize);
        // The sum of the weights is at least 1: the best line has a gap of 0.
        let mut drawn = self.chance.below(gaps.iter().map(weight).sum());
        gaps.iter()
            .position(|gap| {
                let passed = drawn >= weight(gap);
                drawn = drawn.saturating_sub(weight(gap));
                !passed
            })
            .unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How often each line is chosen in a thousand draws.
    fn choices(level: usize, scores: &[Score]) -> Vec<u32> {
        let mut counts = vec![0; scores.len()];
        for seed in 0..1000 {
            let level = Level::new(level, false, 99, seed).expect("a weaker level");
            counts[level.choose(scores, |units| units)] += 1;
        }
        counts
    }

    fn units<const N: usize>(values: [i32; N]) -> [Score; N] {
        values.map(Score::units)
    }

    #[test]
    fn the_nearer_a_line_the_likelier_and_none_beyond_the_tolerance() {
        let counts = choices(0, &units([20, 0, -20, -500, -500]));
        assert!(counts[0] > counts[1] && counts[1] > counts[2] && counts[2] > 100, "{counts:?}");
        assert_eq!(counts[3..], [0, 0]);
        // Level 18 has a tolerance of 40.
        let counts = choices(18, &units([20, 0, -30, -500, -500]));
        assert!(counts[1] > 0 && counts[2..] == [0, 0, 0], "{counts:?}");
    }

    #[test]
    fn a_move_that_stands_out_is_played_and_equal_ones_by_turns() {
        assert_eq!(choices(0, &units([90, 10, 0, 0])), [1000, 0, 0, 0]);
        assert_eq!(choices(0, &units([0])), [1000]);
        let equal = choices(0, &units([7, 7, 7]));
        assert!(equal.iter().all(|&count| count > 250), "{equal:?}");
    }

    #[test]
    fn what_is_decided_is_no_matter_of_chance() {
        let counts = choices(0, &[Score::win_in(3), Score::win_in(5), Score::units(10)]);
        assert_eq!(counts, [1000, 0, 0]);
        let counts = choices(0, &[Score::units(10), Score::units(10), Score::loss_in(4), Score::known_loss()]);
        assert!(counts[0] > 0 && counts[1] > 0 && counts[2..] == [0, 0], "{counts:?}");
        assert_eq!(choices(0, &[Score::loss_in(6), Score::loss_in(2)]), [1000, 0]);
    }

    #[test]
    fn an_odd_level_sees_as_far_as_the_one_below_or_the_one_above() {
        for number in 0..HASTY {
            let depths =
                (0..200).map(|seed| Level::new(number, false, 7, seed).map_or(0, |level| level.depth) as usize);
            let deeper = depths.filter(|&depth| depth == 2 + number / 2).count();
            assert!(if number % 2 == 0 { deeper == 0 } else { (60..140).contains(&deeper) }, "{number}: {deeper}");
        }
        assert!(Level::new(FULL_STRENGTH, false, 7, 0).is_none());
    }

    #[test]
    fn selective_levels_see_three_plies_less_and_no_less_than_one() {
        let level = |number, selective| {
            let level = Level::new(number, selective, 7, 0).expect("a weaker level");
            (level.depth, level.selective)
        };
        assert_eq!([level(8, false), level(8, true), level(18, true)], [(5, false), (2, true), (7, true)]);
        assert_eq!([level(0, true), level(4, true)], [(1, true); 2]);
    }

    #[test]
    fn the_level_below_full_strength_knows_what_that_knows_and_the_others_no_theory() {
        assert_eq!([HASTY, FULL_STRENGTH].map(sight_of), [EvaluationMode::Full; 2]);
        assert!((0..HASTY).all(|number| sight_of(number) == EvaluationMode::NoTheory));
    }

    #[test]
    fn the_level_below_full_strength_plays_its_best_move_and_takes_less_time() {
        let level = Level::new(HASTY, false, 7, 0).expect("a weaker level");
        assert_eq!((level.lines, level.depth, level.selective), (1, MAX_DEPTH, true));
        assert!(level.nodes < Level::new(HASTY - 1, false, 7, 0).expect("a weaker level").nodes);
    }
}
