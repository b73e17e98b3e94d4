//! The last empty cells, solved without a table: who wins, and in how many plies. Floor 2.
//!
//! Alpha-beta over whole numbers: a win in n plies is [`WIN`] - n, a loss the opposite, a draw 0. Cells are tried by parity,
//! those of quadrants with an odd number of empty cells first, and where there are more than a few by how few replies they leave.

use super::evaluate::stable;
use super::flips::{flips, moves};
use super::rules::{Position, odd_quadrants};
use crate::game::{Position as _, StaticKnowledge};
use crate::score::{Bound, Meaning, Score};

/// So many empty cells at most are solved at once.
pub(super) const LAST: u32 = 7;
/// From so many on, replies are counted.
const COUNTED: u32 = 5;
/// A win on the spot. INVARIANT: more than twice the plies of any ending.
const WIN: i32 = 1000;

/// The value of `position`, in which the game goes on with at most [`LAST`] empty cells: exact inside the window, a bound
/// outside. Nothing where a line comes to more than `depth` plies and then has more than `known` empty cells left.
pub(super) fn static_knowledge(
    position: &Position,
    depth: u32,
    known: u32,
    alpha: Score,
    beta: Score,
) -> Option<StaticKnowledge> {
    let side = position.side_to_move();
    let (mine, theirs) = (position.discs(side), position.discs(side.other()));
    let (low, high) = (at_most(alpha), at_least(beta));
    let value = Solver { known }.solve(mine, theirs, depth, low, high)?;
    let score = score(value);
    let bound = match value {
        value if value >= high => Bound::Lower,
        value if value <= low => Bound::Upper,
        _ => Bound::Exact,
    };
    Some(StaticKnowledge { score, bound, proven: true })
}

/// The value of a position in which the game goes on, with at most [`LAST`] empty cells.
pub(super) fn value(position: &Position) -> Score {
    let side = position.side_to_move();
    let (mine, theirs) = (position.discs(side), position.discs(side.other()));
    Solver { known: LAST }.solve(mine, theirs, u32::MAX, -WIN - 1, WIN + 1).map_or(Score::DRAW, score)
}

/// What a number stands for.
fn score(value: i32) -> Score {
    match value {
        0 => Score::DRAW,
        1.. => Score::win_in((WIN - value).cast_unsigned()),
        _ => Score::loss_in((WIN + value).cast_unsigned()),
    }
}

/// The largest number that stands for no better score than this.
fn at_most(score: Score) -> i32 {
    // Windows reach beyond what a position can have.
    if score > Score::win_in(0) || score < Score::loss_in(0) {
        return if score > Score::DRAW { WIN + 1 } else { -WIN - 1 };
    }
    match score.meaning() {
        Meaning::Win(plies) => WIN - plies.min(WIN as u32 - 1) as i32,
        Meaning::Loss(plies) => plies.min(WIN as u32 - 1) as i32 - WIN,
        Meaning::KnownWin(_) => 1,
        Meaning::Units(0..) => 0,
        Meaning::Units(_) | Meaning::KnownLoss(_) => -1,
    }
}

/// The smallest number that stands for no worse score than this.
fn at_least(score: Score) -> i32 {
    -at_most(-score)
}

/// The value a ply earlier, for the other side.
#[inline]
fn backed_up(value: i32) -> i32 {
    value.signum() - value
}

/// A limit of the value, seen by the other side a ply later.
#[inline]
fn handed_down(limit: i32) -> i32 {
    -limit - limit.signum()
}

/// How far a solver may look.
struct Solver {
    /// With so many empty cells or fewer, whatever the depth.
    known: u32,
}

impl Solver {
    /// The value for the side with `mine`; see [`static_knowledge`].
    fn solve(&self, mine: u64, theirs: u64, depth: u32, mut low: i32, high: i32) -> Option<i32> {
        let empty = !(mine | theirs);
        let count = empty.count_ones();
        if depth == 0 && count > self.known {
            return None;
        }
        if count <= 1 {
            return last(mine, theirs, if self.known > 0 { 2 } else { depth });
        }
        let odd = odd_quadrants(empty);
        let mut best = -WIN - 1;
        let mut can_move = false;
        if count >= COUNTED {
            // Every other ply may be a pass.
            let sure = count.saturating_sub(self.known) * 2 <= depth;
            let lost = 2 * count as i32 - WIN;
            if sure && low >= lost && stable(theirs, mine).count_ones() > 32 {
                return Some(lost);
            }
            let mut cells = moves(mine, theirs);
            can_move = cells != 0;
            // What is turned over and the cell, by the replies that are left.
            let mut tried = [(0, 0, 0); LAST as usize];
            let mut length = 0;
            while cells != 0 {
                let cell = cells & cells.wrapping_neg();
                cells ^= cell;
                let turned = flips(cell.trailing_zeros() as u8, mine, theirs);
                let replies = moves(theirs ^ turned, mine | turned | cell).count_ones();
                tried[length] = (2 * replies + u32::from(odd & cell == 0), cell, turned);
                length += 1;
            }
            tried[..length].sort_unstable_by_key(|&(order, ..)| order);
            for &(_, cell, turned) in &tried[..length] {
                best = best.max(self.behind(mine | turned | cell, theirs ^ turned, depth, low, high)?);
                low = low.max(best);
                if best >= high {
                    return Some(best);
                }
            }
        } else {
            for mut cells in [empty & odd, empty & !odd] {
                while cells != 0 {
                    let cell = cells & cells.wrapping_neg();
                    cells ^= cell;
                    let turned = flips(cell.trailing_zeros() as u8, mine, theirs);
                    if turned == 0 {
                        continue;
                    }
                    can_move = true;
                    best = best.max(self.behind(mine | turned | cell, theirs ^ turned, depth, low, high)?);
                    low = low.max(best);
                    if best >= high {
                        return Some(best);
                    }
                }
            }
        }
        if can_move {
            Some(best)
        } else if moves(theirs, mine) == 0 {
            Some(over(mine, theirs))
        } else {
            self.behind(mine, theirs, depth, low, high)
        }
    }

    /// The value for the side that has moved, before its move.
    #[inline]
    fn behind(&self, mine: u64, theirs: u64, depth: u32, low: i32, high: i32) -> Option<i32> {
        let depth = depth.saturating_sub(1);
        self.solve(theirs, mine, depth, handed_down(high), handed_down(low)).map(backed_up)
    }
}

/// The value with one empty cell, or none, if that takes `depth` plies at most.
#[inline]
fn last(mine: u64, theirs: u64, depth: u32) -> Option<i32> {
    let cell = !(mine | theirs);
    let at = cell.trailing_zeros() as u8;
    let turned = if cell == 0 { 0 } else { flips(at, mine, theirs) };
    if turned != 0 {
        return Some(backed_up(over(theirs ^ turned, mine | turned | cell)));
    }
    let turned = if cell == 0 { 0 } else { flips(at, theirs, mine) };
    if turned == 0 {
        Some(over(mine, theirs))
    } else if depth >= 2 {
        Some(backed_up(backed_up(over(mine ^ turned, theirs | turned | cell))))
    } else {
        None
    }
}

/// The value of a finished game.
#[inline]
fn over(mine: u64, theirs: u64) -> i32 {
    WIN * (mine.count_ones() as i32 - theirs.count_ones() as i32).signum()
}

#[cfg(test)]
mod tests {
    use super::super::Evaluate;
    use super::super::rules::random_positions;
    use super::*;
    use crate::game::Sighted;
    use crate::game::conformance::{check_static_knowledge, minimax};

    /// Games that go on with so few empty cells.
    fn endings(games: usize, empty: std::ops::RangeInclusive<u32>, mut look: impl FnMut(&Position)) {
        random_positions(games, |position| {
            if position.outcome().is_none() && empty.contains(&position.empty().count_ones()) {
                look(position);
            }
        });
    }

    #[test]
    fn values_are_those_of_brute_force() {
        let (mut results, mut passes) = ([0; 3], 0);
        endings(60, 1..=6, |position| {
            let expected = minimax(position, Sighted::plain(&Evaluate::default()), u32::MAX);
            assert_eq!(value(position), expected, "{position:?}");
            results[(expected.cmp(&Score::DRAW) as i8 + 1) as usize] += 1;
            passes += u32::from(position.moves() == 0);
        });
        assert!(results.iter().all(|&times| times > 0) && passes > 10, "{results:?} {passes}");
    }

    /// Holds what is known of endings against minimax, at many windows; how often each bound was told.
    fn check(evaluate: Sighted<'_, Evaluate>, games: usize) -> [u32; 3] {
        let mut told = [0; 3];
        let mut limits: Vec<Score> = (0..16).flat_map(|n| [Score::win_in(n), Score::loss_in(n)]).collect();
        limits.extend([-1, 0, 1].map(Score::units));
        limits.extend([Score::known_loss(), Score::known_win(), Score::INFINITY, -Score::INFINITY]);
        limits.sort();
        endings(games, 2..=LAST, |position| {
            for depth in 1..=8 {
                check_static_knowledge(position, evaluate, depth, &limits, &mut told).unwrap();
            }
        });
        told
    }

    #[test]
    fn what_is_known_is_what_minimax_finds() {
        let told = check(Sighted::full(&Evaluate::default()), 8);
        assert!(told.iter().all(|&times| times > 100), "{told:?}");
    }

    #[test]
    fn what_is_known_of_the_plain_count_is_what_minimax_finds() {
        let told = check(Sighted::plain(&Evaluate::default()), 8);
        assert!(told.iter().all(|&times| times > 100), "{told:?}");
    }

    #[test]
    fn numbers_are_ordered_as_scores_are() {
        for value in [WIN, WIN - 1, WIN - 14, 0, 14 - WIN, 1 - WIN, -WIN] {
            assert_eq!((at_most(score(value)), at_least(score(value))), (value, value));
            assert_eq!(score(backed_up(value)), (-score(value)).backed_up());
        }
        assert_eq!([-3, -1, 0, 5].map(|units| at_most(Score::units(units))), [-1, -1, 0, 0]);
        assert_eq!([-3, 0, 1, 5].map(|units| at_least(Score::units(units))), [0, 0, 1, 1]);
        assert_eq!((at_most(-Score::INFINITY), at_least(Score::INFINITY)), (-WIN - 1, WIN + 1));
        for low in [WIN - 5, 1, 0, -1, 5 - WIN] {
            for value in [WIN, WIN - 5, WIN - 6, 0, 6 - WIN, 5 - WIN] {
                assert_eq!(backed_up(value) > low, value < handed_down(low), "{value} {low}");
            }
        }
    }
}
