//! Search windows, and the result of a node. Layer 3, private to the search.

use crate::score::{Bound, Score};

/// The values that matter to a node: the side to move already has `alpha` elsewhere, and its opponent avoids `beta` or
/// more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Window {
    pub(super) alpha: Score,
    pub(super) beta: Score,
}

impl Window {
    pub(super) const FULL: Window = Window { alpha: Score::MINUS_INFINITY, beta: Score::INFINITY };

    /// The same window as a child sees it.
    #[inline]
    pub(super) fn handed_down(self) -> Window {
        Window { alpha: -self.beta.handed_down(), beta: -self.alpha.handed_down() }
    }

    /// The zero window, which only tests whether a value is above alpha.
    #[inline]
    pub(super) fn zero(self) -> Window {
        Window { beta: self.alpha.successor(), ..self }
    }

    /// Whether `score` lies strictly inside the window.
    #[inline]
    pub(super) fn holds(self, score: Score) -> bool {
        self.alpha < score && score < self.beta
    }

    /// Whether the window is wider than a zero window, as at a PV node.
    #[inline]
    pub(super) fn is_open(self) -> bool {
        self.alpha.successor() < self.beta
    }

    /// The bound that a search with this window says `score` to be; its alpha was `old_alpha` at first.
    #[inline]
    pub(super) fn bound_of(self, score: Score, old_alpha: Score) -> Bound {
        if score >= self.beta {
            Bound::Lower
        } else if score > old_alpha {
            Bound::Exact
        } else {
            Bound::Upper
        }
    }

    /// Whether a node with this known score and bound needs no search: the value is exact or outside the window.
    #[inline]
    pub(super) fn is_cut_by(self, score: Score, bound: Bound) -> bool {
        match bound {
            Bound::Exact => true,
            Bound::Lower => score >= self.beta,
            Bound::Upper => score <= self.alpha,
        }
    }
}

/// The value of a node.
#[derive(Debug, Clone, Copy)]
pub(super) struct NodeValue {
    pub(super) score: Score,
    /// Whether it depends only on finished games and exact knowledge, so that it holds at every greater depth.
    pub(super) proven: bool,
    /// The number of the earliest position that a repetition below depends on, or [`NodeValue::NO_PATH`].
    pub(super) leans_on: u32,
}

impl NodeValue {
    /// The `leans_on` of a value that holds on every path.
    pub(super) const NO_PATH: u32 = u32::MAX;

    /// An estimate that holds on every path.
    #[inline]
    pub(super) fn estimate(score: Score) -> NodeValue {
        NodeValue { score, proven: false, leans_on: NodeValue::NO_PATH }
    }

    /// A proven value that holds on every path.
    #[inline]
    pub(super) fn proven(score: Score) -> NodeValue {
        NodeValue { score, proven: true, leans_on: NodeValue::NO_PATH }
    }

    /// Whether no deeper search can change it. A decisive score is always proven.
    #[inline]
    pub(super) fn is_proven(self) -> bool {
        self.proven || self.score.is_decisive()
    }
}
