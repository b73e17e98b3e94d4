//! Pairing strategies: why a side that only defends cannot lose. Layer 2.
//!
//! If every line still open to the attacker holds two empty cells of its own, the defender answers each stone on one of them by
//! a stone on the other, and no line is ever full. Overlapping lines share a pair where they share two empty cells:
//!
//! ```text
//!   7 cells in a row, k = 5:   . . . . . . .     three lines, and one pair among the three cells in the middle is in each
//!                                  * * *
//! ```
//! A group of lines gets the cells that its lines share; then every group gets two cells of its own, by augmenting paths.
//! CITE: A. W. Hales, R. I. Jewett, "Regularity and positional games", 1963 (pairing strategies); W.-Y. Hsu et al., "On solving
//! the 7,7,5-game and the 8,8,5-game", 2020 (pairings within a search).

/// The owner of a free cell.
const NOBODY: u8 = u8::MAX;
/// The most groups that can get cells on a board of 64: each needs two.
const MOST_GROUPS: usize = 32;

/// Lines that share a pair: the empty cells that they have in common, at least two.
#[derive(Default)]
pub(super) struct Groups {
    shared: [u64; MOST_GROUPS],
    count: usize,
}

impl Groups {
    /// Adds a group, if there is room for one more.
    pub(super) fn push(&mut self, shared: u64) -> bool {
        let has_room = self.count < MOST_GROUPS;
        if has_room {
            self.shared[self.count] = shared;
            self.count += 1;
        }
        has_room
    }

    /// Whether every group can have two cells of its own.
    pub(super) fn have_pairs(&mut self) -> bool {
        let groups = &mut self.shared[..self.count];
        // Groups with the fewest cells first: a failure shows soonest there.
        groups.sort_unstable_by_key(|shared| shared.count_ones());
        let mut owners = Owners { groups, owner: [NOBODY; 64], taken: 0 };
        (0..owners.groups.len()).all(|group| (0..2).all(|_| owners.give(group, &mut 0)))
    }
}

/// The owner of each cell.
struct Owners<'a> {
    groups: &'a [u64],
    owner: [u8; 64],
    taken: u64,
}

impl Owners<'_> {
    /// Gives a group one more cell, reassigning cells of other groups if needed; `seen` are the cells tried already.
    fn give(&mut self, group: usize, seen: &mut u64) -> bool {
        let free = self.groups[group] & !self.taken;
        if free != 0 {
            let cell = free.trailing_zeros();
            self.taken |= 1 << cell;
            self.owner[cell as usize] = group as u8;
            return true;
        }
        loop {
            let left = self.groups[group] & !*seen;
            if left == 0 {
                return false;
            }
            let cell = left.trailing_zeros();
            *seen |= 1 << cell;
            let owner = usize::from(self.owner[cell as usize]);
            if owner != group && self.give(owner, seen) {
                self.owner[cell as usize] = group as u8;
                return true;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::SplitMix64;

    /// Whether the groups from this one on can get two cells each, by exhaustive search.
    fn by_trying(groups: &[u64], taken: u64) -> bool {
        let Some((&shared, rest)) = groups.split_first() else { return true };
        let cells: Vec<u32> = (0..64).filter(|cell| (shared & !taken) >> cell & 1 != 0).collect();
        cells
            .iter()
            .enumerate()
            .any(|(at, first)| cells[at + 1..].iter().any(|second| by_trying(rest, taken | 1 << first | 1 << second)))
    }

    #[test]
    fn pairs_are_found_where_there_are_any() {
        let mut rng = SplitMix64::new(5);
        let mut found = [0; 2];
        for _ in 0..2_000 {
            let mut groups = Groups::default();
            for _ in 0..1 + rng.below(6) {
                let shared = (0..2 + rng.below(3)).fold(0, |shared, _| shared | 1 << rng.below(12));
                assert!(groups.push(shared));
            }
            let expected = by_trying(&groups.shared[..groups.count], 0);
            assert_eq!(groups.have_pairs(), expected, "{:?}", &groups.shared[..groups.count]);
            found[usize::from(expected)] += 1;
        }
        assert!(found[0] > 300 && found[1] > 300, "{found:?}");
    }
}
