//! The schedule: who plays whom, with which opening, as which game.
//!
//! Games `2n + 1` and `2n + 2` are a pair: the same opening, sides swapped. All pairings play an opening before the next one
//! begins, so the standing is fair at any time.

/// All games of a match or tournament.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Schedule {
    /// The pairings, the lower engine first.
    meetings: Vec<[usize; 2]>,
    /// Pairs of games of each meeting.
    pairs: usize,
}

/// A game of the schedule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Slot {
    /// From 1.
    pub(crate) round: usize,
    /// The engines, the one that plays first before the other.
    pub(crate) engines: [usize; 2],
    /// The opening, from 0.
    pub(crate) opening: usize,
}

impl Schedule {
    /// `pairs` for every pairing of this many engines: all against all, or each of the first `seeds` against all others.
    pub(crate) fn new(engines: usize, seeds: Option<usize>, pairs: usize) -> Schedule {
        let meet = |a: usize, b: usize| seeds.is_none_or(|seeds| a < seeds && b >= seeds);
        let all = (0..engines).flat_map(|a| (a + 1..engines).map(move |b| [a, b]));
        Schedule { meetings: all.filter(|&[a, b]| meet(a, b)).collect(), pairs }
    }

    /// Number of pairs of games.
    pub(crate) fn pairs(&self) -> usize {
        self.meetings.len() * self.pairs
    }

    /// Number of games.
    pub(crate) fn games(&self) -> usize {
        2 * self.pairs()
    }

    /// A game, by its number from 1; `None` beyond the last.
    pub(crate) fn slot(&self, round: usize) -> Option<Slot> {
        let pair = round.checked_sub(1)? / 2;
        let [a, b] = *self.meetings.get(pair % self.meetings.len().max(1))?;
        let opening = pair / self.meetings.len();
        let engines = if round % 2 == 1 { [a, b] } else { [b, a] };
        (opening < self.pairs).then_some(Slot { round, engines, opening })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_meet_all_with_each_opening_on_both_sides() {
        let schedule = Schedule::new(4, None, 3);
        assert_eq!((schedule.pairs(), schedule.games()), (18, 36));
        let slots: Vec<Slot> = (1..=36).map(|round| schedule.slot(round).unwrap()).collect();
        assert_eq!((schedule.slot(0), schedule.slot(37)), (None, None));
        for a in 0..4 {
            for b in (0..4).filter(|&b| b != a) {
                let mut openings: Vec<usize> =
                    slots.iter().filter(|slot| slot.engines == [a, b]).map(|slot| slot.opening).collect();
                openings.sort_unstable();
                assert_eq!(openings, [0, 1, 2]);
            }
        }
        assert!(slots.windows(2).all(|two| two[0].opening <= two[1].opening));
        assert!(slots.chunks(2).all(|two| two[0].engines == [two[1].engines[1], two[1].engines[0]]));
    }

    #[test]
    fn in_a_gauntlet_the_seeds_meet_the_others() {
        let meetings = |seeds| Schedule::new(4, Some(seeds), 1).meetings;
        assert_eq!(meetings(1), [[0, 1], [0, 2], [0, 3]]);
        assert_eq!(meetings(2), [[0, 2], [0, 3], [1, 2], [1, 3]]);
        assert_eq!(Schedule::new(2, None, 50).games(), 100);
    }
}
