//! The values of one layer, by retrograde analysis with counters of unresolved successors.
//!
//! Floor 1. Each board has two claims: `low`, what the mover can force, and `high`, what the opponent can hold the mover to.
//! They hang together by negamax: low = max(gain - high of the successor), high = max(gain - low of the successor).
//!
//! 1. A first look at every board: the best value among its moves that leave the layer (for either claim), and the number of
//!    moves that stay.
//! 2. For t from the stake down: a board forces t when a move out of the layer is worth t, or a move within it leads to a
//!    board whose mover is held to -t. A board is held to -t when no move out is worth more and every move within leads to a
//!    board whose mover forces t. What is found out about a board is passed on to its parents at once; each claim is
//!    resolved once, so the work is one look forward and two back, however many values there are.
//! 3. What is left rests on endless play. With `Bounds` t goes down to 1 - stake, and who needs endless play gets
//!    nothing; with `Exact` t goes down to 1, and the rest is 0.
//!
//! ```text
//!  record, 32 bits    | 31 .. 22 | 21 high known | 20 low known | 19..16 moves left | 15..8 high | 7..0 low |
//!    low, high        until they are known: the best value among the moves out of the layer
//!    moves left       moves within the layer to boards whose `low` is not known
//! ```
//!
//! The result is the least solution of the equations, whatever the order of work and the number of threads.

use std::sync::atomic::{AtomicU32, Ordering};

use super::build::Table;
use super::crew::Work;
use super::{Bounds, Convention, Layered, Monitor, Step, Stopped, memory};

/// What is known of a board while its layer is built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Record(u32);

const LOW_KNOWN: u32 = 1 << 20;
const HIGH_KNOWN: u32 = 1 << 21;
const ONE_MOVE: u32 = 1 << 16;

impl Record {
    const fn new(bounds: Bounds, moves: u32) -> Record {
        Record(bounds.low as u8 as u32 | ((bounds.high as u8 as u32) << 8) | (moves * ONE_MOVE))
    }

    const fn low(self) -> i8 {
        self.0 as i8
    }

    const fn high(self) -> i8 {
        (self.0 >> 8) as i8
    }

    const fn moves_left(self) -> u32 {
        (self.0 / ONE_MOVE) & 15
    }

    const fn knows(self, claim: Claim) -> bool {
        self.0
            & match claim {
                Claim::Low => LOW_KNOWN,
                Claim::High => HIGH_KNOWN,
            }
            != 0
    }

    const fn with(self, claim: Claim, value: i8) -> Record {
        Record(match claim {
            Claim::Low => (self.0 & !0xFF) | value as u8 as u32 | LOW_KNOWN,
            Claim::High => (self.0 & !0xFF00) | ((value as u8 as u32) << 8) | HIGH_KNOWN,
        })
    }

    /// Whether the claim holds at threshold `t` by what the board itself knows.
    const fn is_due(self, claim: Claim, t: i8) -> bool {
        match claim {
            Claim::Low => !self.knows(claim) && self.low() == t,
            Claim::High => !self.knows(claim) && self.moves_left() == 0 && self.high() == -t,
        }
    }

    /// What becomes of a parent when the claim of a successor is resolved at threshold `t`, and whether a claim of its
    /// own is resolved by that: the opposite one.
    const fn after_child(self, claim: Claim, t: i8) -> (Record, bool) {
        match claim {
            // The opponent is held to -t there: the move forces t.
            Claim::High if self.knows(Claim::Low) => (self, false),
            Claim::High => (self.with(Claim::Low, t), true),
            // The opponent forces t there: one hope less. INVARIANT: each successor tells this once, so it never underflows.
            Claim::Low => {
                let next = Record(self.0 - ONE_MOVE);
                // With a better move out of the layer the claim is due at a lower threshold.
                let is_resolved = next.moves_left() == 0 && next.high() <= -t;
                if is_resolved { (next.with(Claim::High, -t), true) } else { (next, false) }
            }
        }
    }

    const fn bounds(self, convention: Convention, stake: i8) -> Bounds {
        match convention {
            Convention::Exact if self.knows(Claim::Low) => Bounds::exactly(self.low()),
            Convention::Exact if self.knows(Claim::High) => Bounds::exactly(self.high()),
            Convention::Exact => Bounds::exactly(0),
            Convention::Bounds => Bounds {
                low: if self.knows(Claim::Low) { self.low() } else { -stake },
                high: if self.knows(Claim::High) { self.high() } else { stake },
            },
        }
    }
}

/// One of the two things to be found out about a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Claim {
    Low,
    High,
}

impl Claim {
    const fn other(self) -> Claim {
        match self {
            Claim::Low => Claim::High,
            Claim::High => Claim::Low,
        }
    }
}

/// The thresholds at which some board may become due by what it knows itself: bit t + 64.
type Thresholds = u128;

const fn threshold(t: i8) -> Thresholds {
    1 << (t as i32 + 64)
}

/// A solved layer.
pub(super) struct Solved {
    records: Vec<AtomicU32>,
    convention: Convention,
    stake: i8,
}

impl Solved {
    /// Bytes that solving takes for each board, the values themselves not counted.
    pub(super) const BYTES_PER_BOARD: u64 = size_of::<Record>() as u64;

    /// The values as they are stored, in the order of ranks.
    pub(super) fn bytes(&self) -> impl Iterator<Item = u8> + '_ {
        self.records.iter().flat_map(|record| {
            let bounds = Record(record.load(Ordering::Relaxed)).bounds(self.convention, self.stake);
            [bounds.low as u8, bounds.high as u8].into_iter().take(self.convention.entry_bytes())
        })
    }
}

/// Solves `layer` of `rules` on `threads` threads, with the layers below it in `below`.
pub(super) fn solve<L: Layered>(
    rules: &L,
    below: &Table<L>,
    layer: usize,
    threads: usize,
    monitor: &Monitor,
) -> Result<Solved, Stopped> {
    let size = rules.size(layer);
    let stake = rules.stake(layer);
    let mut records = Vec::new();
    records.resize_with(size as usize, AtomicU32::default);
    let solver = Solver { rules, below, layer, stake, records, monitor };

    let mut due = 0;
    for thresholds in Work::<()>::share(size, threads, |work| solver.look(work)) {
        due |= thresholds?;
    }
    let least = match L::CONVENTION {
        Convention::Exact => 1,
        Convention::Bounds => 1 - stake,
    };
    // What is passed on at a threshold resolves boards there and then, or leaves them due at their own best move out.
    for t in (least..=stake).rev().filter(|&t| due & threshold(t) != 0) {
        for result in Work::share(size, threads, |work| solver.resolve(t, work)) {
            result?;
        }
    }
    Ok(Solved { records: solver.records, convention: L::CONVENTION, stake })
}

struct Solver<'a, L: Layered> {
    rules: &'a L,
    below: &'a Table<L>,
    layer: usize,
    stake: i8,
    records: Vec<AtomicU32>,
    monitor: &'a Monitor,
}

impl<L: Layered> Solver<'_, L> {
    fn record(&self, rank: u64) -> &AtomicU32 {
        &self.records[rank as usize]
    }

    /// The first look, at every board.
    fn look(&self, work: &Work<()>) -> Result<Thresholds, Stopped> {
        let mut due = 0;
        while let Some(ranks) = work.chunk() {
            self.monitor.check()?;
            let mut board = self.rules.unrank(self.layer, ranks.start);
            self.monitor.done.fetch_add((ranks.end - ranks.start) / 2, Ordering::Relaxed);
            for rank in ranks {
                let record = self.first_record(&board);
                due |= threshold(record.low()) | threshold(-record.high());
                self.record(rank).store(record.0, Ordering::Relaxed);
                board = self.rules.next(&board);
            }
        }
        Ok(due)
    }

    fn first_record(&self, board: &L::Board) -> Record {
        if let Some(value) = self.rules.end(board) {
            return Record::new(Bounds::exactly(value), 0).with(Claim::Low, value).with(Claim::High, value);
        }
        let mut best = Bounds::exactly(-self.stake);
        let mut moves = 0;
        self.rules.steps(board, |step| match step {
            Step::Within(_) => moves += 1,
            Step::End(value) => best = best.or(Bounds::exactly(value)),
            Step::Down { gain, board } => {
                // The layers below are complete.
                if let Some(next) = self.below.bounds(&board) {
                    best = best.or(next.before(gain));
                }
            }
        });
        Record::new(best, moves)
    }

    /// Resolves everything that is due at threshold `t`, and what follows from it.
    fn resolve(&self, t: i8, work: &Work<(L::Board, Claim)>) -> Result<(), Stopped> {
        let mut follower = Follower { solver: self, t, stack: Vec::new(), parents: Vec::new() };
        let result = follower.run(work);
        if result.is_err() {
            work.end();
        }
        result
    }
}

/// One thread's walk from resolved boards back to their parents.
struct Follower<'a, L: Layered> {
    solver: &'a Solver<'a, L>,
    t: i8,
    /// Boards with a claim that has just been resolved.
    stack: Vec<(L::Board, Claim)>,
    /// Parents of some of them, each with its rank and the claim of its successor: room that is used again and again.
    parents: Vec<(L::Board, u64, Claim)>,
}

/// Parents that are asked for before the first is waited for: their records are spread over the whole memory of the layer.
const BATCH: usize = 128;

impl<L: Layered> Follower<'_, L> {
    fn run(&mut self, work: &Work<(L::Board, Claim)>) -> Result<(), Stopped> {
        while let Some(ranks) = work.chunk() {
            for rank in ranks {
                for claim in [Claim::Low, Claim::High] {
                    self.resolve_if_due(rank, claim);
                }
                if !self.stack.is_empty() {
                    self.follow(work)?;
                }
            }
            self.solver.monitor.check()?;
        }
        while let Some(batch) = work.receive() {
            self.stack = batch;
            self.follow(work)?;
        }
        Ok(())
    }

    fn resolve_if_due(&mut self, rank: u64, claim: Claim) {
        let place = self.solver.record(rank);
        let is_due = |bits| Record(bits).is_due(claim, self.t).then(|| Record(bits).with(claim, self.value(claim)).0);
        if Record(place.load(Ordering::Relaxed)).is_due(claim, self.t)
            && place.fetch_update(Ordering::Relaxed, Ordering::Relaxed, is_due).is_ok()
        {
            self.stack.push((self.solver.rules.unrank(self.solver.layer, rank), claim));
        }
    }

    const fn value(&self, claim: Claim) -> i8 {
        match claim {
            Claim::Low => self.t,
            Claim::High => -self.t,
        }
    }

    /// Passes on what is on the stack until it is empty.
    fn follow(&mut self, work: &Work<(L::Board, Claim)>) -> Result<(), Stopped> {
        while !self.stack.is_empty() {
            self.solver.monitor.check()?;
            let followed = self.gather();
            // The first look was half of a board's work, each of its claims is half of the rest.
            self.solver.monitor.done.fetch_add(followed / 4, Ordering::Relaxed);
            self.pass_on();
            work.offer(&mut self.stack);
        }
        Ok(())
    }

    /// Takes boards from the stack and gathers their parents; returns how many boards.
    fn gather(&mut self) -> u64 {
        let Follower { solver, stack, parents, .. } = self;
        let mut followed = 0;
        parents.clear();
        while parents.len() < BATCH
            && let Some((board, claim)) = stack.pop()
        {
            followed += 1;
            solver.rules.parents(&board, |parent| {
                let rank = solver.rules.rank(&parent);
                memory::prefetch(solver.record(rank));
                parents.push((parent, rank, claim));
            });
        }
        followed
    }

    /// Tells the gathered parents, and stacks those that are resolved by it.
    fn pass_on(&mut self) {
        for &(parent, rank, claim) in &self.parents {
            let place = self.solver.record(rank);
            let mut seen = place.load(Ordering::Relaxed);
            loop {
                let (next, is_resolved) = Record(seen).after_child(claim, self.t);
                if next.0 == seen {
                    break;
                }
                match place.compare_exchange_weak(seen, next.0, Ordering::Relaxed, Ordering::Relaxed) {
                    Err(now) => seen = now,
                    Ok(_) => {
                        if is_resolved {
                            self.stack.push((parent, claim.other()));
                        }
                        break;
                    }
                }
            }
        }
    }
}
