//! Solves one layer of a game by retrograde analysis, with a counter of unresolved successors for each board.
//!
//! Layer 1. A board gets two values for its side to move: it can force `low`, and the opponent can hold it to `high`. An
//! *exit* is a move that leaves the layer, an *inner* move stays in it, and an *offer* is a value that a side may take instead
//! of moving. A pass visits every board once for its exits, inner moves and offer. Then it lowers a threshold t from the
//! stake, the greatest value of the layer. A value found is passed back to the parents of its board once, so the work is one
//! visit forward and at most two back. The result is the least solution of the equations, for any order and number of threads.
//!
//! `Bounds` needs two passes. Pass 1 finds what a side can force if either may stop at any board, for its repetition value.
//! What a side cannot force even so, the opponent holds, by staying on boards where a repetition is worth no less to it. Pass
//! 2 offers what pass 1 holds. A value forced in pass 2 is reached by a path without repeated boards, since each is nearer to
//! its end: by an exit, or at a board that holds it and is not on the path.
//!
//! ```text
//!  equations         low  = max over moves of (gain - high of the successor)
//!                    high = max over moves of (gain - low of the successor)
//!  low is t          if an exit or the offer is worth t, or an inner move leads to a board whose high is -t
//!  high is -t        if the offer is -t, or no exit is worth more and every inner move leads to a board whose low is t or more
//!
//!  Exact             one pass without offers, t down to 1; what is left is endless play, worth 0
//!  Bounds, pass 1    the offer is the board's repetition value, t down to -stake; exits count with low and high swapped
//!  Bounds, pass 2    the offer is low and high of pass 1, swapped; t down to -stake
//!
//!  record, 32 bits   | 31..24 offer | 21 high known | 20 low known | 19..16 moves left | 15..8 high | 7..0 low |
//!    low             until known: the best of the exits and of the offer to the side to move
//!    high            until known: the best of the exits
//!    offer           the offer to the opponent: to hold the side to move to this value
//!    moves left      inner moves to boards whose low is not known
//! ```

use std::sync::atomic::{AtomicU32, Ordering};

use super::build::Table;
use super::pool::Work;
use super::{Bounds, Convention, Layered, Monitor, Step, Stopped};
use crate::memory;

/// The record of a board while its layer is built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Record(u32);

const LOW_KNOWN: u32 = 1 << 20;
const HIGH_KNOWN: u32 = 1 << 21;
const ONE_MOVE: u32 = 1 << 16;

impl Record {
    /// A board with the best values `exits` of its moves out of the layer, its number of moves within it, and an offer.
    fn new(exits: Bounds, moves: u32, offer: Bounds) -> Record {
        let byte = |value: i8| u32::from(value as u8);
        let low = byte(exits.low.max(offer.low));
        Record(low | (byte(exits.high) << 8) | (moves * ONE_MOVE) | (byte(offer.high) << 24))
    }

    /// A finished board.
    fn finished(value: i8) -> Record {
        let bounds = Bounds::exactly(value);
        Record::new(bounds, 0, bounds).with(Claim::Low, value).with(Claim::High, value)
    }

    const fn low(self) -> i8 {
        self.0 as i8
    }

    const fn high(self) -> i8 {
        (self.0 >> 8) as i8
    }

    const fn offer(self) -> i8 {
        (self.0 >> 24) as i8
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

    /// Whether the claim holds at threshold `t` by the board's own record.
    ///
    /// Called for every record at every threshold, so it is a mask and a comparison for each case.
    const fn is_due(self, claim: Claim, t: i8) -> bool {
        const NO_MOVES_LEFT: u32 = 15 * ONE_MOVE;
        let (t, other) = (t as u8 as u32, (-t) as u8 as u32);
        match claim {
            Claim::Low => self.0 & (LOW_KNOWN | 0xFF) == t,
            Claim::High => {
                self.0 & (HIGH_KNOWN | (0xFF << 24)) == other << 24
                    || self.0 & (HIGH_KNOWN | NO_MOVES_LEFT | (0xFF << 8)) == other << 8
            }
        }
    }

    /// The record of a parent when a successor's claim is resolved at threshold `t`, and whether that resolves its own (opposite)
    /// claim.
    const fn after_child(self, claim: Claim, t: i8) -> (Record, bool) {
        match claim {
            _ if self.knows(claim.other()) => (self, false),
            // The opponent is held to -t there: the move forces t.
            Claim::High => (self.with(Claim::Low, t), true),
            // The opponent forces t there: one move fewer prevents it. INVARIANT: each successor reports this once, so
            // the count never underflows.
            Claim::Low => {
                let next = Record(self.0 - ONE_MOVE);
                // With a better move out of the layer the claim is due at a lower threshold.
                let is_resolved = next.moves_left() == 0 && next.high() <= -t;
                if is_resolved { (next.with(Claim::High, -t), true) } else { (next, false) }
            }
        }
    }

    /// The values; unresolved claims of an exact table are endless play.
    const fn bounds(self, convention: Convention) -> Bounds {
        match convention {
            Convention::Bounds => Bounds { low: self.low(), high: self.high() },
            Convention::Exact if self.knows(Claim::Low) => Bounds::exactly(self.low()),
            Convention::Exact if self.knows(Claim::High) => Bounds::exactly(self.high()),
            Convention::Exact => Bounds::exactly(0),
        }
    }
}

/// One of the two values of a board.
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

/// Thresholds at which a board may become due by its own record: bit t + 64.
type Thresholds = u128;

const fn threshold(t: i8) -> Thresholds {
    1 << (t as i32 + 64)
}

/// A solved layer.
pub(super) struct Solved {
    records: Vec<AtomicU32>,
    convention: Convention,
}

impl Solved {
    /// Bytes a board while solving, without the values.
    pub(super) const BYTES_PER_BOARD: u64 = size_of::<Record>() as u64;

    /// The values as they are stored, in the order of ranks.
    pub(super) fn bytes(&self) -> impl Iterator<Item = u8> + '_ {
        self.records.iter().flat_map(|record| {
            let bounds = Record(record.load(Ordering::Relaxed)).bounds(self.convention);
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
    let solver = Solver { rules, below, layer, stake, records, threads, monitor };
    match L::CONVENTION {
        Convention::Exact => {
            let nothing = Bounds { low: -stake, high: stake + 1 };
            solver.pass(1, |_, _, exits| (exits, nothing))?;
        }
        Convention::Bounds => {
            // In this pass `low` is what the opponent cannot prevent, so an exit counts with its bound for the
            // opponent: exits are swapped.
            solver.pass(-stake, |board, _, exits| (exits.swapped(), Bounds::exactly(rules.repetition(board))))?;
            // What one side forces by stopping at any board is the most that the other can hold.
            solver.pass(-stake, |_, found, exits| (exits, found.bounds(Convention::Bounds).swapped()))?;
        }
    }
    Ok(Solved { records: solver.records, convention: L::CONVENTION })
}

struct Solver<'a, L: Layered> {
    rules: &'a L,
    below: &'a Table<L>,
    layer: usize,
    stake: i8,
    records: Vec<AtomicU32>,
    threads: usize,
    monitor: &'a Monitor,
}

impl<L: Layered> Solver<'_, L> {
    /// Work units of a board for the monitor: two for each visit, one for each claim followed.
    const PARTS: u64 = match L::CONVENTION {
        Convention::Exact => 2 + 1,
        Convention::Bounds => 2 * (2 + 2),
    };

    fn record(&self, rank: u64) -> &AtomicU32 {
        &self.records[rank as usize]
    }

    /// One pass over the layer, down to threshold `least`. `plan` returns the initial record of a board from its present one and
    /// the best of its moves out of the layer: those values, perhaps swapped, and an offer.
    fn pass(
        &self,
        least: i8,
        plan: impl Fn(&L::Board, Record, Bounds) -> (Bounds, Bounds) + Sync,
    ) -> Result<(), Stopped> {
        let size = self.records.len() as u64;
        let mut due = 0;
        for thresholds in Work::<()>::share(size, self.threads, |work| self.look(work, &plan)) {
            due |= thresholds?;
        }
        // A result that is passed on either resolves a board at this threshold or leaves it due at a lower one.
        for t in (least..=self.stake).rev().filter(|&t| due & threshold(t) != 0) {
            for result in Work::share(size, self.threads, |work| self.resolve(t, work)) {
                result?;
            }
        }
        Ok(())
    }

    /// Visits every board.
    fn look(
        &self,
        work: &Work<()>,
        plan: &impl Fn(&L::Board, Record, Bounds) -> (Bounds, Bounds),
    ) -> Result<Thresholds, Stopped> {
        let mut due = 0;
        while let Some(ranks) = work.chunk() {
            self.monitor.check()?;
            let mut board = self.rules.unrank(self.layer, ranks.start);
            self.monitor.done.fetch_add((ranks.end - ranks.start) * 2 / Self::PARTS, Ordering::Relaxed);
            for rank in ranks {
                let place = self.record(rank);
                let record =
                    self.first_record(&board, |exits| plan(&board, Record(place.load(Ordering::Relaxed)), exits));
                due |= threshold(record.low()) | threshold(-record.high()) | threshold(-record.offer());
                place.store(record.0, Ordering::Relaxed);
                board = self.rules.next(&board);
            }
        }
        Ok(due)
    }

    fn first_record(&self, board: &L::Board, plan: impl Fn(Bounds) -> (Bounds, Bounds)) -> Record {
        if let Some(value) = self.rules.end(board) {
            return Record::finished(value);
        }
        let mut exits = Bounds::exactly(-self.stake);
        let mut moves = 0;
        self.rules.steps(board, |step| match step {
            Step::Within(_) => moves += 1,
            Step::End(value) => exits = exits.or(Bounds::exactly(value)),
            Step::Down { gain, board } => {
                // The layers below are complete.
                if let Some(next) = self.below.bounds(&board) {
                    exits = exits.or(next.before(gain));
                }
            }
        });
        let (exits, offer) = plan(exits);
        Record::new(exits, moves, offer)
    }

    /// Resolves everything due at threshold `t`, and what follows.
    fn resolve(&self, t: i8, work: &Work<(L::Board, Claim)>) -> Result<(), Stopped> {
        let mut follower = Follower { solver: self, t, stack: Vec::new(), parents: Vec::new(), followed: 0 };
        let result = follower.run(work);
        if result.is_err() {
            work.end();
        }
        result
    }
}

/// One thread's work from resolved boards back to their parents.
struct Follower<'a, L: Layered> {
    solver: &'a Solver<'a, L>,
    t: i8,
    /// Boards with a claim that has just been resolved.
    stack: Vec<(L::Board, Claim)>,
    /// Parents of some of them with rank and claim of the successor; the buffer is reused.
    parents: Vec<(L::Board, u64, Claim)>,
    /// Boards followed and not yet reported to the monitor.
    followed: u64,
}

/// Parents that are prefetched before the first is used: their records are spread over the layer's memory.
const BATCH: usize = 128;

impl<L: Layered> Follower<'_, L> {
    fn run(&mut self, work: &Work<(L::Board, Claim)>) -> Result<(), Stopped> {
        while let Some(ranks) = work.chunk() {
            for rank in ranks {
                let record = Record(self.solver.record(rank).load(Ordering::Relaxed));
                for claim in [Claim::Low, Claim::High] {
                    if record.is_due(claim, self.t) {
                        self.resolve_if_due(rank, claim);
                    }
                }
            }
            self.follow(work)?;
            self.solver.monitor.check()?;
        }
        while let Some(batch) = work.receive() {
            self.stack = batch;
            self.follow(work)?;
        }
        Ok(())
    }

    /// Resolves a claim, unless another thread has just done it.
    fn resolve_if_due(&mut self, rank: u64, claim: Claim) {
        let resolved = |bits| Record(bits).is_due(claim, self.t).then(|| Record(bits).with(claim, self.value(claim)).0);
        if self.solver.record(rank).fetch_update(Ordering::Relaxed, Ordering::Relaxed, resolved).is_ok() {
            self.stack.push((self.solver.rules.unrank(self.solver.layer, rank), claim));
        }
    }

    const fn value(&self, claim: Claim) -> i8 {
        match claim {
            Claim::Low => self.t,
            Claim::High => -self.t,
        }
    }

    /// Works through the stack until it is empty.
    fn follow(&mut self, work: &Work<(L::Board, Claim)>) -> Result<(), Stopped> {
        while !self.stack.is_empty() {
            if self.followed > 4096 {
                self.solver.monitor.check()?;
                let boards = std::mem::take(&mut self.followed) / Solver::<L>::PARTS;
                self.solver.monitor.done.fetch_add(boards, Ordering::Relaxed);
            }
            self.gather();
            self.pass_on();
            work.offer(&mut self.stack);
        }
        Ok(())
    }

    /// Takes boards from the stack and gathers their parents.
    fn gather(&mut self) {
        let Follower { solver, stack, parents, followed, .. } = self;
        parents.clear();
        while parents.len() < BATCH
            && let Some((board, claim)) = stack.pop()
        {
            *followed += 1;
            solver.rules.parents(&board, |parent| {
                let rank = solver.rules.rank(&parent);
                memory::prefetch(solver.record(rank));
                parents.push((parent, rank, claim));
            });
        }
    }

    /// Updates the gathered parents, and pushes those that this resolves.
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
