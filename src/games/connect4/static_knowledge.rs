//! Static knowledge: lines about to be completed, and claimeven. Layer 2.
//!
//! A line completed in the next three plies is exact; beyond that there are bounds: neither side wins within the plies examined,
//! a side without an open line does not win, and see [`super::follow_up`].

use super::Board;
use super::follow_up::{FollowUp, answering, beginning};
use super::lines::open_lines;
use super::rules::{Position, safe};
use crate::game::{Position as _, StaticKnowledge};
use crate::score::{Bound, Score};

/// What the search sees at its leaves.
#[derive(Debug, Clone, Copy)]
pub(super) struct Horizon {
    /// The plies within which it finds every end of the game: its depth, and those that the evaluation adds.
    pub(super) plies: u32,
    /// The evaluation of a win by following up beyond them.
    pub(super) far_win: Score,
}

/// See [`crate::game::Expertise::static_knowledge`]; `horizon` sees at least one ply.
#[inline]
pub(super) fn static_knowledge<B: Board>(
    position: &Position<B>,
    horizon: Horizon,
    alpha: Score,
    beta: Score,
) -> Option<StaticKnowledge> {
    let told = |score, bound| Some(StaticKnowledge { score, bound, proven: true });
    let parameters = position.parameters();
    let side = position.side_to_move();
    let (mine, theirs) = (position.stones(side), position.stones(side.other()));
    let (playable, threats) = (position.playable(), position.winning_cells(side));
    if threats & playable != 0 {
        return told(Score::win_in(1), Bound::Exact);
    }
    let opposing = position.winning_cells(side.other());
    let safe = safe(playable, opposing);
    if safe == 0 && horizon.plies >= 2 {
        return told(Score::loss_in(2), Bound::Exact);
    }
    let free = position.free().count_ones();
    if horizon.plies <= 2 || free <= 2 {
        return Some(StaticKnowledge { score: Score::DRAW, bound: Bound::Exact, proven: free <= horizon.plies });
    }
    if beta <= Score::loss_in(4) {
        return told(Score::loss_in(4), Bound::Lower);
    }
    if alpha >= Score::win_in(3) {
        return told(Score::win_in(3), Bound::Upper);
    }
    if position.wins_in_three(safe) {
        return told(Score::win_in(3), Bound::Exact);
    }
    if alpha >= Score::win_in(5) {
        return told(Score::win_in(5), Bound::Upper);
    }
    if alpha >= Score::loss_in(4) {
        let most = match answering(parameters, theirs, mine, playable, opposing) {
            FollowUp::Wins(plies) if plies <= horizon.plies => Some(Score::loss_in(plies)),
            FollowUp::Wins(_) => Some(-horizon.far_win),
            FollowUp::Holds => Some(Score::DRAW),
            FollowUp::Open => None,
        };
        if let Some(most) = most.filter(|&most| most <= alpha) {
            return told(most, Bound::Upper);
        }
    }
    if beta <= Score::win_in(5) {
        let least = match beginning(parameters, mine, theirs, playable, threats) {
            FollowUp::Wins(plies) if plies <= horizon.plies => Some(Score::win_in(plies)),
            FollowUp::Wins(_) => Some(horizon.far_win),
            FollowUp::Holds => Some(Score::DRAW),
            FollowUp::Open => None,
        };
        if let Some(least) = least.filter(|&least| least >= beta) {
            return told(least, Bound::Lower);
        }
    }
    if alpha >= Score::DRAW && open_lines(parameters, theirs) == 0 {
        told(Score::DRAW, Bound::Upper)
    } else if beta <= Score::DRAW && open_lines(parameters, mine) == 0 {
        told(Score::DRAW, Bound::Lower)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Evaluate, parse_parameters};
    use super::*;
    use crate::game::conformance::check_static_knowledge;
    use crate::game::{Evaluator, SplitMix64};

    /// Compares all static knowledge of random games with minimax in many windows; returns how often each bound was
    /// reported.
    fn check(evaluate: Evaluator<'_, Evaluate>, depth: u32, games: usize) -> [u32; 3] {
        let mut rng = SplitMix64::new(17);
        let mut told = [0; 3];
        for name in
            ["connect4", "connect4:5,4,4", "connect4:4,5,3", "connect4:4,3,3", "connect4:6,2,3", "connect4:3,5,2"]
        {
            for _ in 0..games {
                let mut position = Position::start(parse_parameters(name).unwrap());
                let mut moves = Vec::new();
                while position.outcome().is_none() {
                    let mut limits: Vec<Score> = (0..10).flat_map(|n| [Score::win_in(n), Score::loss_in(n)]).collect();
                    limits.extend([-10_000, -9_999, -1, 0, 1, 9_999, 10_000].map(Score::units));
                    limits.sort();
                    check_static_knowledge(&position, evaluate, depth, &limits, &mut told).unwrap();
                    moves.clear();
                    position.generate(&mut moves);
                    position.play(moves[rng.below(moves.len())]);
                }
            }
        }
        told
    }

    #[test]
    fn what_is_known_is_what_minimax_finds() {
        for depth in 1..=5 {
            let told = check(Evaluator::full(&Evaluate::default()), depth, if depth > 3 { 6 } else { 40 });
            assert!(told.iter().all(|&times| times > 100), "{depth}: {told:?}");
        }
    }

    #[test]
    fn what_is_known_of_the_plain_evaluation_is_what_minimax_finds() {
        for depth in 1..=5 {
            let told = check(Evaluator::plain(&Evaluate::default()), depth, if depth > 3 { 6 } else { 40 });
            // Two plies are always exact.
            assert!(told[2] > 100 && (depth <= 2 || told.iter().all(|&times| times > 100)), "{depth}: {told:?}");
        }
    }
}
