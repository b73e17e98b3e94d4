//! Learns during the search at which depths transposition table look-ups pay.
//!
//! Layer 3, private to the full search; one per thread, and a function of the nodes it has seen. In some games half of
//! the nodes are transpositions, in others hardly any. A look-up costs as much as a node or two, and saves the tree
//! below the node if it causes a cutoff. The policy counts both for each depth, on a sample of positions chosen by hash
//! that is always looked up.

/// The number of depths with separate counts; all greater depths count as the last one.
const DEPTHS: usize = 32;

/// One position in `SAMPLE` belongs to the sample.
const SAMPLE: u64 = 32;

/// The counts of a depth are halved after this many look-ups of the sample.
const MEMORY: u64 = 2048;

/// The number of look-ups before the gate may close.
const ENOUGH: u64 = 64;

/// The cost of a look-up, in nodes.
const COST: u64 = 2;

/// The counts of the sample at one depth.
#[derive(Debug, Clone, Copy, Default)]
struct Tally {
    lookups: u64,
    cuts: u64,
    /// The nodes of the trees that were searched because there was no cutoff.
    nodes: u64,
    closed: bool,
}

/// Decides whether nodes use the transposition table.
#[derive(Debug, Default)]
pub(super) struct ProbePolicy {
    tallies: [Tally; DEPTHS],
}

impl ProbePolicy {
    /// Whether the position with this hash, searched to `depth`, is looked up and stored.
    #[inline]
    pub(super) fn is_open(&self, hash: u64, depth: u32) -> bool {
        !self.tallies[(depth as usize).min(DEPTHS - 1)].closed || is_sample(hash)
    }

    /// Counts a look-up: `None` for a cutoff, else the number of nodes that the search took.
    #[inline]
    pub(super) fn learn(&mut self, hash: u64, depth: u32, nodes: Option<u64>) {
        if !is_sample(hash) {
            return;
        }
        let tally = &mut self.tallies[(depth as usize).min(DEPTHS - 1)];
        tally.lookups += 1;
        match nodes {
            None => tally.cuts += 1,
            Some(nodes) => tally.nodes += nodes,
        }
        let searched = (tally.lookups - tally.cuts).max(1);
        // Each cutoff saves a tree of mean size.
        tally.closed = tally.lookups >= ENOUGH && tally.cuts * tally.nodes < COST * tally.lookups * searched;
        if tally.lookups >= MEMORY {
            tally.lookups /= 2;
            tally.cuts /= 2;
            tally.nodes /= 2;
        }
    }
}

#[inline]
fn is_sample(hash: u64) -> bool {
    hash.is_multiple_of(SAMPLE)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A hash in the sample, and one outside it.
    const INSIDE: u64 = 5 * SAMPLE;
    const OUTSIDE: u64 = INSIDE + 1;

    /// Look-ups of the sample at depth 3: one in `every` is a cutoff, and the other trees have `nodes` nodes.
    fn look_up(gate: &mut ProbePolicy, times: u64, every: u64, nodes: u64) {
        for number in 1..=times {
            gate.learn(INSIDE, 3, if number % every == 0 { None } else { Some(nodes) });
        }
    }

    #[test]
    fn it_closes_where_cuts_save_less_than_look_ups_cost() {
        let mut gate = ProbePolicy::default();
        look_up(&mut gate, ENOUGH - 1, 10, 5);
        assert!(gate.is_open(OUTSIDE, 3), "nothing is concluded from little");
        look_up(&mut gate, 1, 10, 5);
        assert!(!gate.is_open(OUTSIDE, 3));
        assert!(gate.is_open(INSIDE, 3), "the sample is always looked up");
        assert!(gate.is_open(OUTSIDE, 4), "each depth has its own count");
        let mut gate = ProbePolicy::default();
        // One cutoff in ten that saves 25 nodes saves 2.5 nodes per look-up.
        look_up(&mut gate, 10 * ENOUGH, 10, 25);
        assert!(gate.is_open(OUTSIDE, 3));
        look_up(&mut gate, 10 * ENOUGH, 10, 15);
        assert!(gate.is_open(OUTSIDE, 3), "20 on average");
    }

    #[test]
    fn it_opens_again_when_the_sample_shows_that_it_pays() {
        let mut gate = ProbePolicy::default();
        look_up(&mut gate, 10 * MEMORY, 100, 5);
        assert!(!gate.is_open(OUTSIDE, 3));
        // Old counts weigh little.
        look_up(&mut gate, 2 * MEMORY, 2, 10);
        assert!(gate.is_open(OUTSIDE, 3));
    }

    #[test]
    fn only_the_sample_counts() {
        let mut gate = ProbePolicy::default();
        for _ in 0..10 * MEMORY {
            gate.learn(OUTSIDE, 3, Some(1));
        }
        assert!(gate.is_open(OUTSIDE, 3));
        // All depths from the last one on share their counts.
        for _ in 0..ENOUGH {
            gate.learn(INSIDE, 200, Some(1));
        }
        assert!(!gate.is_open(OUTSIDE, DEPTHS as u32 - 1) && !gate.is_open(OUTSIDE, 100));
    }
}
