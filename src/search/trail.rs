//! The positions a line of play may come back to, and what of them matters to a node.
//!
//! Floor 3, private to the full search. A cycle takes at least `min_cycle` plies, so a node that is searched `plies` deep can
//! only come back to positions that lie far enough behind it; and only nodes searched that deep need leave a mark at all.
//!
//! ```text
//!   history of the game | line of the search               position number
//!   0   1   2   ...       ...   q    ...   at - 1  [at]
//!           ^live                ^ last one within reach: q + min_cycle <= at + plies
//!           first position after the last irreversible move
//! ```

use crate::game::mix64;

/// Where a node stands: handed down from node to node by value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    /// The number of positions before it.
    at: u32,
    /// The first of them that can still come back; `at` or more: none can.
    live: u32,
}

impl Place {
    /// The place after a move from here.
    #[inline]
    pub(super) fn after(self, irreversible: bool) -> Place {
        let at = self.at + 1;
        Place { at, live: if irreversible { at } else { self.live } }
    }

    /// The number of this position.
    #[inline]
    pub(super) fn number(self) -> u32 {
        self.at
    }

    /// The number of the first position that can still come back.
    #[inline]
    pub(super) fn live(self) -> u32 {
        self.live
    }
}

/// The marks of the earlier positions.
#[derive(Debug)]
pub(super) struct Trail {
    min_cycle: u32,
    hashes: Vec<u64>,
    /// The sum of the mixed hashes before each position, and of all: differences are fingerprints of sets.
    sums: Vec<u64>,
}

impl Trail {
    /// The trail of a game with these earlier positions, oldest first, all of which can still come back, and the place of the
    /// position after them.
    pub(super) fn new(history: &[u64], min_cycle: u32) -> (Trail, Place) {
        let mut trail = Trail { min_cycle: min_cycle.next_multiple_of(2).max(2), hashes: Vec::new(), sums: vec![0] };
        for &hash in history {
            trail.push(hash);
        }
        let place = Place { at: history.len() as u32, live: 0 };
        (trail, place)
    }

    /// Whether a node searched `depth` plies deep leaves a mark for those below it.
    #[inline]
    pub(super) fn marks(&self, depth: u32) -> bool {
        depth >= self.min_cycle
    }

    /// Leaves the mark of the next position. INVARIANT: the marks are those of the positions 0, 1, 2, ... without a gap,
    /// because depth only shrinks along a line.
    pub(super) fn push(&mut self, hash: u64) {
        let sum = self.sums.last().copied().unwrap_or_default();
        self.sums.push(sum.wrapping_add(mix64(hash)));
        self.hashes.push(hash);
    }

    /// Takes the last mark back.
    pub(super) fn pop(&mut self) {
        self.hashes.pop();
        self.sums.pop();
    }

    /// One more than the number of the last position that a line of `plies` plies from `place` can come back to, marked or
    /// not; not above `live` if there is none. Those that a line can come back to within the depth of the search are marked.
    #[inline]
    pub(super) fn reach(&self, place: Place, plies: u32) -> u32 {
        place.at.saturating_add(plies).saturating_add(1).saturating_sub(self.min_cycle).min(place.at)
    }

    /// Whether a line of `plies` plies from `place` can come back to an earlier position.
    #[inline]
    pub(super) fn may_repeat(&self, place: Place, plies: u32) -> bool {
        self.reach(place, plies) > place.live
    }

    /// A fingerprint of the set of positions that such a line can come back to; 0 for none.
    #[inline]
    pub(super) fn fingerprint(&self, place: Place, plies: u32) -> u64 {
        let reach = self.reach(place, plies);
        if reach <= place.live {
            return 0;
        }
        let sum = |at: u32| self.sums.get(at as usize).copied().unwrap_or_default();
        sum(reach).wrapping_sub(sum(place.live))
    }

    /// The number of the earlier position with this hash, if the one at `place` is a repetition. The turn passes with every
    /// ply, so only every second position can be the same.
    #[inline]
    pub(super) fn find(&self, place: Place, hash: impl FnOnce() -> u64) -> Option<u32> {
        if !self.may_repeat(place, 0) {
            return None;
        }
        let hash = hash();
        let last = place.at - self.min_cycle;
        (place.live..=last)
            .rev()
            .step_by(2)
            .find(|&number| self.hashes.get(number as usize).is_some_and(|&earlier| earlier == hash))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_irreversible_move_hides_what_was_before() {
        let (mut trail, place) = Trail::new(&[1, 2, 3], 2);
        assert_eq!(trail.find(place, || 2), Some(1));
        assert_eq!(trail.find(place, || 3), None, "the turn has passed");
        trail.push(4);
        let quiet = place.after(false);
        assert_eq!(trail.find(quiet, || 3), Some(2));
        let capture = place.after(true);
        assert_eq!(trail.find(capture, || 3), None);
        assert!(!trail.may_repeat(capture, 1) && trail.may_repeat(quiet, 1));
        assert_eq!(trail.fingerprint(capture, 100), 0);
    }

    #[test]
    fn only_positions_within_reach_count() {
        let (trail, place) = Trail::new(&[9, 1, 2, 3, 4], 4);
        assert_eq!(trail.find(place, || 1), Some(1));
        assert_eq!(trail.find(place, || 3), None, "nearer than a cycle");
        // From here, a line of one ply can come back to the positions 0, 1 and 2, one of two plies to 3 as well.
        assert_eq!(trail.reach(place, 1), 3);
        assert_eq!(trail.fingerprint(place, 1), [9, 1, 2].map(mix64).into_iter().fold(0, u64::wrapping_add));
        assert_eq!(trail.reach(place, 50), 5);
        assert!(Trail::new(&[9], 4).0.may_repeat(Place { at: 1, live: 0 }, 3));
        assert!(!Trail::new(&[9], 4).0.may_repeat(Place { at: 1, live: 0 }, 2));
    }

    #[test]
    fn the_fingerprint_forgets_the_order_only() {
        let all = |history: &[u64]| {
            let (trail, place) = Trail::new(history, 2);
            trail.fingerprint(place, 9)
        };
        assert_eq!(all(&[1, 2]), all(&[2, 1]));
        assert_ne!(all(&[1, 2]), all(&[1, 3]));
        assert_ne!(all(&[7]), 0);
    }
}
