//! Progress of a search, for the clock: how stable its best move is, iteration by iteration.
//!
//! Layer 4; search thread. Counts nodes, never time.

use crate::time::Stability;

/// The most root moves recorded in an iteration; the nodes of later ones count for the last of them.
const MOST_FOLLOWED: usize = 1 << 12;

/// Follows a search from report to report.
#[derive(Debug)]
pub(super) struct StabilityTracker<M> {
    best: Option<M>,
    /// The scores of the last two iterations, in hundredths of the game's unit, the older one first.
    scores: [i32; 2],
    /// The root moves of this iteration, and the nodes at which their searches began.
    begun: Vec<(M, u64)>,
    depth: u32,
    stability: Stability,
}

impl<M: Copy + PartialEq> StabilityTracker<M> {
    pub(super) fn new() -> Self {
        StabilityTracker {
            best: None,
            scores: [i32::MIN; 2],
            begun: Vec::new(),
            depth: 0,
            stability: Stability::default(),
        }
    }

    /// The search begins `mv` in the iteration of this depth.
    pub(super) fn turned_to(&mut self, depth: u32, mv: M, nodes: u64) {
        if depth != self.depth {
            self.begun.clear();
            self.depth = depth;
        }
        if self.begun.len() < MOST_FOLLOWED {
            self.begun.push((mv, nodes));
        }
    }

    /// An iteration has ended with this best move.
    pub(super) fn ended_with(&mut self, best: M, centi: i32, nodes: u64) {
        self.stability = Stability {
            stable_iterations: if self.best == Some(best) {
                self.stability.stable_iterations.saturating_add(1)
            } else {
                0
            },
            // Scores differ between even and odd depths, so compare with the lower of the last two.
            score_drop: self.scores[0].min(self.scores[1]).saturating_sub(centi).max(0).cast_unsigned(),
            best_move_share: self.best_move_share(best, nodes),
        };
        self.best = Some(best);
        self.scores = [self.scores[1], centi];
    }

    /// The progress so far.
    pub(super) fn stability(&self) -> Stability {
        self.stability
    }

    /// The share of this iteration's nodes, `end` of them since the search began, that went to `mv`, in thousandths.
    fn best_move_share(&self, mv: M, end: u64) -> u32 {
        let ends = self.begun.iter().skip(1).map(|&(_, nodes)| nodes).chain([end]);
        let spent = self.begun.iter().zip(ends).filter(|((other, _), _)| *other == mv);
        let own: u64 = spent.map(|(&(_, begin), end)| end - begin).sum();
        let all = self.begun.first().map_or(0, |&(_, begin)| end - begin);
        (u128::from(own) * 1000 / u128::from(all.max(1))) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_course_tells_of_the_best_move_its_share_and_a_falling_score() {
        let mut keeper = StabilityTracker::new();
        // The nodes at the start of each move's search; best move, score, nodes at the end; stable_iterations, score_drop, best_move_share.
        let table = [
            ([('a', 1), ('b', 3), ('c', 4)], ('a', 50, 5), (0, 0, 500)),
            ([('a', 6), ('b', 46), ('c', 56)], ('a', -20, 106), (1, 0, 400)),
            ([('a', 106), ('b', 206), ('c', 256)], ('a', -50, 306), (2, 30, 500)),
            ([('a', 306), ('b', 326), ('c', 1316)], ('b', 10, 1326), (0, 0, 970)),
            // With several lines, a move may be searched more than once.
            ([('b', 1326), ('a', 1426), ('b', 1526)], ('b', -90, 1726), (1, 40, 750)),
        ];
        for (depth, (begun, (best, centi, nodes), (stable_iterations, score_drop, best_move_share))) in (1..).zip(table)
        {
            for (mv, nodes) in begun {
                keeper.turned_to(depth, mv, nodes);
            }
            keeper.ended_with(best, centi, nodes);
            assert_eq!(
                keeper.stability(),
                Stability { stable_iterations, score_drop, best_move_share },
                "depth {depth}"
            );
        }
    }
}
