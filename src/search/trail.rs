//! The earlier positions that a line may repeat, and which of them are within reach of a node.
//!
//! Layer 3, private to the full search. A cycle takes at least `min_cycle` plies, so a node of depth `plies` can only repeat
//! positions far enough behind it, and only nodes of at least that depth are recorded.
//!
//! ```text
//!   history of the game | line of the search               position number
//!   0   1   2   ...       ...   q    ...   at - 1  [at]
//!           ^live                ^ last one within reach: q + min_cycle <= at + plies
//!           first position after the last irreversible move
//! ```

use crate::game::{Position, mix64};

/// The place of a node on the line, passed down by value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    /// The number of positions before it.
    at: u32,
    /// The number of the first of them that can still repeat; `at` or more if none can.
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

    /// The number of the first position that can still repeat.
    #[inline]
    pub(super) fn live(self) -> u32 {
        self.live
    }
}

/// The recorded earlier positions.
#[derive(Debug)]
pub(super) struct Trail<P> {
    min_cycle: u32,
    hashes: Vec<u64>,
    /// Prefix sums of the mixed hashes; the difference of two is the fingerprint of the set between them.
    sums: Vec<u64>,
    /// The recorded positions of the search. Of the game's positions before it, only the hashes are known.
    positions: Vec<P>,
}

impl<P: Position> Trail<P> {
    /// The trail of a game with these earlier positions, oldest first, all of which can still repeat, and the place of
    /// the position after them. Records nothing if positions do not repeat.
    pub(super) fn new(history: &[u64], repeats: bool) -> (Trail<P>, Place) {
        let min_cycle = if repeats { P::MIN_CYCLE.next_multiple_of(2).max(2) } else { u32::MAX };
        let mut trail = Trail { min_cycle, hashes: Vec::new(), sums: vec![0], positions: Vec::new() };
        for &hash in history {
            trail.push_hash(hash);
        }
        let place = Place { at: history.len() as u32, live: 0 };
        (trail, place)
    }

    /// Whether a node searched to `depth` is recorded for the nodes below it.
    #[inline]
    pub(super) fn marks(&self, depth: u32) -> bool {
        depth >= self.min_cycle
    }

    fn push_hash(&mut self, hash: u64) {
        let sum = self.sums.last().copied().unwrap_or_default();
        self.sums.push(sum.wrapping_add(mix64(hash)));
        self.hashes.push(hash);
    }

    /// Records the next position. INVARIANT: the recorded positions are 0, 1, 2, ... without a gap, because depth never
    /// grows along a line.
    pub(super) fn push(&mut self, position: &P) {
        self.push_hash(position.hash());
        self.positions.push(position.clone());
    }

    /// Removes the last record.
    pub(super) fn pop(&mut self) {
        self.hashes.pop();
        self.sums.pop();
        self.positions.pop();
    }

    /// One more than the number of the last earlier position that a line of `plies` plies from `position` at `place`
    /// can repeat; at most `live` if there is none. All positions that a line can repeat within the depth of the search
    /// are recorded.
    #[inline]
    pub(super) fn reach(&self, position: &P, place: Place, plies: u32) -> u32 {
        let far = place.at.saturating_add(plies).saturating_add(1).saturating_sub(self.min_cycle).min(place.at);
        if far <= place.live { far } else { self.looked_at(position, place.live, far, plies) }
    }

    /// [`Trail::reach`] with a check of each position from `live` to before `far`.
    fn looked_at(&self, position: &P, live: u32, far: u32, plies: u32) -> u32 {
        let known_by_hash = self.hashes.len() - self.positions.len();
        let mut reach = far;
        while reach > live {
            let earlier = (reach as usize - 1).checked_sub(known_by_hash).and_then(|number| self.positions.get(number));
            if earlier.is_none_or(|earlier| position.may_return_to(earlier, plies)) {
                break;
            }
            reach -= 1;
        }
        reach
    }

    /// Whether such a line can repeat an earlier position, or use up the count of reversible plies.
    #[inline]
    pub(super) fn matters(&self, position: &P, place: Place, plies: u32) -> bool {
        count_within(position, plies).is_some() || self.reach(position, place, plies) > place.live
    }

    /// Whether the earlier positions affect a line of `plies` plies in the same way as one of `other` plies.
    #[inline]
    pub(super) fn matters_alike(&self, position: &P, place: Place, plies: u32, other: u32) -> bool {
        count_within(position, plies) == count_within(position, other)
            && self.reach(position, place, plies) == self.reach(position, place, other)
    }

    /// A fingerprint of the set of positions that such a line can repeat, and of the count of reversible plies if the
    /// line can use it up; 0 for neither.
    #[inline]
    pub(super) fn fingerprint(&self, position: &P, place: Place, plies: u32) -> u64 {
        let counted = count_within(position, plies).map_or(0, |left| mix64(u64::from(left) + 1));
        let reach = self.reach(position, place, plies);
        if reach <= place.live {
            return counted;
        }
        let sum = |at: u32| self.sums.get(at as usize).copied().unwrap_or_default();
        sum(reach).wrapping_sub(sum(place.live)).wrapping_add(counted)
    }

    /// The number of the earlier position that the one at `place`, with this hash, repeats: the `times`th match from
    /// the end, from 1. The turn passes with every ply, so only every second position can match.
    #[inline]
    pub(super) fn find(&self, place: Place, times: u32, hash: impl FnOnce() -> u64) -> Option<u32> {
        let last = place.at.checked_sub(self.min_cycle).filter(|&last| last >= place.live)?;
        let hash = hash();
        (place.live..=last)
            .rev()
            .step_by(2)
            .filter(|&number| self.hashes.get(number as usize).is_some_and(|&earlier| earlier == hash))
            .nth(times as usize - 1)
    }
}

/// The count of reversible plies that are left, if a line of `plies` plies can use it up.
#[inline]
fn count_within<P: Position>(position: &P, plies: u32) -> Option<u32> {
    position.reversible_plies_left().filter(|&left| left <= plies)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Outcome, Side};

    /// A number that changes by at most one per ply and repeats after `CYCLE` plies at the earliest.
    #[derive(Debug, Clone, PartialEq, Eq)]
    struct Dial<const CYCLE: u32>(u64);

    impl<const CYCLE: u32> Position for Dial<CYCLE> {
        type Move = u64;
        const MIN_CYCLE: u32 = CYCLE;

        fn side_to_move(&self) -> Side {
            Side::First
        }

        fn outcome(&self) -> Option<Outcome> {
            None
        }

        fn generate(&self, moves: &mut Vec<u64>) {
            moves.extend([self.0 - 1, self.0 + 1]);
        }

        fn play(&mut self, number: u64) {
            self.0 = number;
        }

        fn hash(&self) -> u64 {
            self.0
        }

        fn may_return_to(&self, earlier: &Self, plies: u32) -> bool {
            self.0.abs_diff(earlier.0) <= plies.into()
        }
    }

    #[test]
    fn an_irreversible_move_hides_what_was_before() {
        let (mut trail, place) = Trail::<Dial<2>>::new(&[1, 2, 3], true);
        assert_eq!(trail.find(place, 1, || 2), Some(1));
        assert_eq!(trail.find(place, 1, || 3), None, "the turn has passed");
        trail.push(&Dial(4));
        let quiet = place.after(false);
        assert_eq!(trail.find(quiet, 1, || 3), Some(2));
        let capture = place.after(true);
        assert_eq!(trail.find(capture, 1, || 3), None);
        assert!(!trail.matters(&Dial(5), capture, 1) && trail.matters(&Dial(5), quiet, 1));
        assert_eq!(trail.fingerprint(&Dial(5), capture, 100), 0);
    }

    #[test]
    fn only_positions_within_reach_count() {
        let (trail, place) = Trail::<Dial<4>>::new(&[9, 1, 2, 3, 4], true);
        assert_eq!(trail.find(place, 1, || 1), Some(1));
        assert_eq!(trail.find(place, 1, || 3), None, "nearer than a cycle");
        // From here, a line of one ply can repeat the positions 0, 1 and 2, one of two plies also 3.
        assert_eq!(trail.reach(&Dial(5), place, 1), 3);
        let sum = |numbers: &[u64]| numbers.iter().copied().map(mix64).fold(0, u64::wrapping_add);
        assert_eq!(trail.fingerprint(&Dial(5), place, 1), sum(&[9, 1, 2]));
        assert_eq!(trail.reach(&Dial(5), place, 50), 5);
        let short = Trail::<Dial<4>>::new(&[9], true).0;
        assert!(short.matters(&Dial(5), Place { at: 1, live: 0 }, 3));
        assert!(!short.matters(&Dial(5), Place { at: 1, live: 0 }, 2));
    }

    #[test]
    fn the_times_a_position_came_up_are_counted_from_behind() {
        let (trail, place) = Trail::<Dial<2>>::new(&[7, 1, 7, 2, 7, 3], true);
        assert_eq!([1, 2, 3, 4].map(|times| trail.find(place, times, || 7)), [Some(4), Some(2), Some(0), None]);
    }

    #[test]
    fn what_the_game_says_not_to_return_is_beyond_reach() {
        let (mut trail, mut place) = Trail::<Dial<2>>::new(&[50], true);
        for number in [7, 8, 9, 10] {
            trail.push(&Dial(number));
            place = place.after(false);
        }
        // The positions 1 to 4 are 7 to 10. Of position 0, only the hash is known.
        assert_eq!(trail.reach(&Dial(11), place, 3), 5);
        assert_eq!(trail.reach(&Dial(14), place, 4), 5);
        assert_eq!(trail.reach(&Dial(14), place, 3), 1);
        assert_eq!(trail.fingerprint(&Dial(14), place, 3), mix64(50));
        assert_eq!(trail.reach(&Dial(5), place, 3), 3);
        // Positions before an irreversible move are out of reach.
        let later = Place { live: 2, ..place };
        assert!(trail.matters(&Dial(9), later, 1) && !trail.matters(&Dial(5), later, 2));
        trail.pop();
        trail.pop();
        assert_eq!(trail.reach(&Dial(11), Place { at: 3, live: 0 }, 2), 1);
    }

    #[test]
    fn where_nothing_repeats_nothing_is_marked() {
        let (trail, place) = Trail::<Dial<2>>::new(&[1, 2], false);
        assert!(!trail.marks(200) && !trail.matters(&Dial(1), place, 200));
        assert_eq!(trail.find(place, 1, || 1), None);
    }

    #[test]
    fn the_fingerprint_forgets_the_order_only() {
        let all = |history: &[u64]| {
            let (trail, place) = Trail::<Dial<2>>::new(history, true);
            trail.fingerprint(&Dial(5), place, 9)
        };
        assert_eq!(all(&[1, 2]), all(&[2, 1]));
        assert_ne!(all(&[1, 2]), all(&[1, 3]));
        assert_ne!(all(&[7]), 0);
    }
}
