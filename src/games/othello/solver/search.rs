//! Alpha-beta over the final disc difference. Layer 2.
//!
//! Values are for the side to move, the empty cells given to the winner, and fail-soft: at or below `alpha` an upper bound, at
//! or above `beta` a lower one. CITE: A. Reinefeld, "An improvement to the Scout tree search algorithm", 1983 (PVS);
//! A. Plaat et al., "Exploiting graph properties of game trees", 1996 (enhanced transposition cutoffs); M. Buro, "ProbCut", 1995.

use std::sync::Arc;

use super::super::patterns::{DISC, Patterns, Runs};
use super::super::rules::{neighbours, odd_quadrants};
use super::CORNERS;
use super::guess::Guesser;
use super::last::{Last, NONE, over};
use super::processor::Processor;
use super::shallow::{SHALLOW, hopeless};
use super::table::{Entry, NO_CELL, Table};
use crate::game::sort_few;
use crate::game::split::{Searcher, SplitPoint, SplitSearch};

/// With at most this many empty cells, a thread uses its own table, of this many bytes.
const NEAR: u32 = 9;
pub(super) const NEAR_BYTES: usize = 1 << 19;
/// From this many empty cells on, the table is probed for each move before one is searched.
const ASKED: u32 = 9;
/// From this many empty cells on, moves are ordered by the evaluation.
const VALUED: u32 = 14;
/// From this many empty cells on, selective levels prune.
const PRUNED: u32 = 11;
/// From this many empty cells on, moves are shared among threads.
const SHARED: u32 = 14;
/// The error of a shallow search of each depth, in discs: the standard deviation, measured on endings of noisy games
/// with 11 to 20 empty cells. It hardly depends on their number.
const DEVIATIONS: [f32; 8] = [8.8, 7.8, 7.3, 6.5, 6.0, 5.5, 5.3, 5.0];
/// Nodes between two calls of `stop`.
const POLL: u64 = 4096;

/// The search was stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stopped;

/// The confidence of a search: the number of standard deviations by which a shallow search must lie outside the window
/// to prune.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Level {
    /// Greater for higher confidence.
    pub(super) rank: u8,
    /// The standard deviations; infinite without pruning.
    pub(super) deviations: f32,
}

impl Level {
    pub(super) const EXACT: Level = Level { rank: u8::MAX, deviations: f32::INFINITY };
}

/// A move in the move list.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tried {
    turned: u64,
    key: i32,
    cell: u8,
}

/// A node whose moves are shared, and all its moves.
#[derive(Debug)]
pub(crate) struct Node {
    own: u64,
    opponent: u64,
    empty: u32,
    level: Level,
    moves: Box<[Tried]>,
}

impl<P: Processor> Searcher for Worker<'_, P> {
    type Node = Node;

    fn split(&mut self) -> &mut Option<Arc<SplitPoint<Node>>> {
        &mut self.split
    }

    fn search_move(&mut self, node: &Node, number: usize, beta: i32) -> Option<i32> {
        self.level = node.level;
        let Tried { turned, cell, .. } = node.moves[number];
        let (own, opponent) = (node.own | turned | 1 << cell, node.opponent ^ turned);
        self.search(opponent, own, -beta, 1 - beta, node.empty - 1).ok().map(|value| -value)
    }
}

/// One thread's searcher.
pub struct Worker<'a, P> {
    table: &'a Table,
    /// For positions with few empty cells; small enough for the processor's cache.
    near: &'a Table,
    stop: &'a (dyn Fn(u64) -> bool + Sync),
    split_search: &'a SplitSearch<Node>,
    split: Option<Arc<SplitPoint<Node>>>,
    pub(super) guesser: Guesser<'a, P>,
    patterns: &'a Patterns,
    pub(super) last: Last<P>,
    pub(super) level: Level,
    next_poll: u64,
    /// The nodes already reported to `stop`.
    told: u64,
}

impl<'a, P: Processor> Worker<'a, P> {
    pub(super) fn new(
        processor: P,
        [table, near]: [&'a Table; 2],
        patterns: &'a Patterns,
        split_search: &'a SplitSearch<Node>,
        stop: &'a (dyn Fn(u64) -> bool + Sync),
    ) -> Worker<'a, P> {
        Worker {
            table,
            near,
            stop,
            split_search,
            split: None,
            guesser: Guesser::on(processor, patterns),
            patterns,
            last: Last::new(processor),
            level: Level::EXACT,
            next_poll: 0,
            told: 0,
        }
    }

    #[inline(always)]
    fn processor(&self) -> P {
        self.last.processor
    }

    /// The best move of a position in the table, if there is one.
    pub(super) fn known(&self, own: u64, opponent: u64) -> Option<u8> {
        let empty = (!(own | opponent)).count_ones();
        self.table(empty).get(own, opponent).map(|entry| entry.best[0]).filter(|&cell| cell != NO_CELL)
    }

    /// Positions visited so far: all, those without an empty cell, and those of shallow searches with an evaluation.
    pub(super) fn counts(&self) -> [u64; 3] {
        [self.last.nodes + self.guesser.nodes, self.last.full, self.guesser.nodes]
    }

    /// Reports the nodes since the last call, and returns an error if the search must stop.
    #[cold]
    fn ask(&mut self) -> Result<(), Stopped> {
        self.next_poll = self.last.nodes + POLL;
        let nodes = self.last.nodes + self.guesser.nodes;
        let is_stopped = (self.stop)(nodes - self.told);
        self.told = nodes;
        let is_cut = self.split.as_ref().is_some_and(|split| split.is_cut());
        if is_cut || is_stopped { Err(Stopped) } else { Ok(()) }
    }

    #[inline(always)]
    fn poll(&mut self) -> Result<(), Stopped> {
        if self.last.nodes < self.next_poll { Ok(()) } else { self.ask() }
    }

    /// The value of a position with this many empty cells.
    #[inline(always)]
    pub(super) fn search(
        &mut self,
        own: u64,
        opponent: u64,
        alpha: i32,
        beta: i32,
        empty: u32,
    ) -> Result<i32, Stopped> {
        if empty <= SHALLOW {
            return Ok(self.last.between(own, opponent, alpha, beta));
        }
        match empty {
            ..=12 => P::node::<12>(self, own, opponent, alpha, beta, empty, false),
            13..=20 => P::node::<20>(self, own, opponent, alpha, beta, empty, false),
            21..=32 => P::node::<32>(self, own, opponent, alpha, beta, empty, false),
            _ => P::node::<60>(self, own, opponent, alpha, beta, empty, false),
        }
    }

    /// A node above the shallow ones, with space for `MOST` moves.
    #[inline(always)]
    pub(super) fn node<const MOST: usize>(
        &mut self,
        own: u64,
        opponent: u64,
        mut alpha: i32,
        beta: i32,
        empty: u32,
        passed: bool,
    ) -> Result<i32, Stopped> {
        self.poll()?;
        let before = self.last.nodes;
        self.last.nodes += 1;
        let is_null = beta - alpha == 1;
        let level = if empty < PRUNED { Level::EXACT } else { self.level };

        // 1. Stable discs.
        if let Some(bound) = hopeless(own, opponent, alpha) {
            return Ok(bound);
        }

        // 2. The table.
        let mut known = [NO_CELL; 2];
        if let Some(entry) = self.table(empty).get(own, opponent) {
            known = entry.best;
            if entry.level >= level.rank {
                let (lower, upper) = (i32::from(entry.lower), i32::from(entry.upper));
                if lower >= beta || lower == upper {
                    return Ok(lower);
                }
                if upper <= alpha {
                    return Ok(upper);
                }
            }
        }

        // 3. Passes and the end of the game.
        let mut cells = self.processor().moves(own, opponent);
        if cells == 0 {
            return if passed || self.processor().moves(opponent, own) == 0 {
                Ok(over(own, opponent))
            } else {
                Ok(-P::node::<MOST>(self, opponent, own, -beta, -alpha, empty, true)?)
            };
        }

        // 4. ProbCut: prune if a shallow search is far outside the window.
        let prunes = level.deviations.is_finite();
        let runs = if prunes || empty >= VALUED { Runs::new(own, opponent) } else { Runs::default() };
        if prunes
            && is_null
            && let Some(bound) = self.believed(own, opponent, &runs, alpha, level, empty)
        {
            return Ok(bound);
        }

        // 5. The moves, and their table entries.
        let mut tried = [Tried { turned: 0, key: 0, cell: NO_CELL }; MOST];
        let mut length = 0;
        let first = alpha;
        let asks = empty >= ASKED && is_null;
        while cells != 0 && length < MOST {
            let cell = cells.trailing_zeros() as u8;
            cells &= cells - 1;
            let turned = self.processor().flips(cell, own, opponent);
            if turned == opponent {
                self.last.nodes += 1;
                return Ok(64);
            }
            if asks {
                self.table(empty - 1).prefetch(opponent ^ turned, own | turned | 1 << cell);
            }
            tried[length] = Tried { turned, key: 0, cell };
            length += 1;
        }
        if asks {
            for &Tried { turned, cell, .. } in &tried[..length] {
                if let Some(entry) = self.table(empty - 1).get(opponent ^ turned, own | turned | 1 << cell)
                    && entry.level >= level.rank
                    && -i32::from(entry.upper) > alpha
                {
                    let best = -i32::from(entry.upper);
                    self.store(own, opponent, [best, 64], cell, level, before);
                    return Ok(best);
                }
            }
        }

        // 6. The table's move comes first. The others are ordered only if it gives no cutoff.
        let mut ordered = 0;
        if let Some(at) = tried[..length].iter().position(|one| one.cell == known[0]) {
            tried.swap(0, at);
            ordered = 1;
        }

        // 7. Search the moves.
        let mut best = NONE;
        let mut best_cell = NO_CELL;
        for i in 0..length {
            if i == ordered && length - i > 1 {
                self.score_moves(own, opponent, &runs, &mut tried[i..length], known[1], [first, beta], empty);
            }
            if i > 0 && empty >= SHARED && is_null && length - i > 1 && self.split_search.is_idle() {
                sort_few(&mut tried[i..length], |one| -one.key);
                let moves = tried[..length].into();
                let node = Node { own, opponent, empty, level: self.level, moves };
                let split_search = self.split_search;
                let (value, number) = split_search.share(self, node, i..length, beta, best).ok_or(Stopped)?;
                (best, best_cell) = (value, number.map_or(best_cell, |number| tried[number].cell));
                break;
            }
            let mut next = i;
            for at in i + 1..length {
                if tried[at].key > tried[next].key {
                    next = at;
                }
            }
            tried.swap(i, next);
            let Tried { turned, cell, .. } = tried[i];
            let (own, opponent) = (own | turned | 1 << cell, opponent ^ turned);
            let mut value;
            if i == 0 {
                value = -self.search(opponent, own, -beta, -alpha, empty - 1)?;
            } else {
                value = -self.search(opponent, own, -alpha - 1, -alpha, empty - 1)?;
                if value > alpha && value < beta {
                    value = -self.search(opponent, own, -beta, -alpha, empty - 1)?;
                }
            }
            if value > best {
                (best, best_cell) = (value, cell);
                alpha = alpha.max(best);
                if best >= beta {
                    break;
                }
            }
        }
        let lower = if best > first { best } else { -64 };
        let upper = if best < beta { best } else { 64 };
        self.store(own, opponent, [lower, upper], best_cell, level, before);
        Ok(best)
    }

    /// The table for positions with this many empty cells.
    #[inline(always)]
    fn table(&self, empty: u32) -> &Table {
        if empty <= NEAR { self.near } else { self.table }
    }

    #[inline(always)]
    fn store(&self, own: u64, opponent: u64, bounds: [i32; 2], best: u8, level: Level, before: u64) {
        let empty = (!(own | opponent)).count_ones();
        let work = (self.last.nodes - before).max(1).ilog2() as u8;
        let [lower, upper] = bounds.map(|bound| bound as i8);
        self.table(empty).put(own, opponent, Entry { lower, upper, best: [best, NO_CELL], level: level.rank, work });
    }

    /// A bound that a shallow search makes likely enough.
    #[inline(always)]
    fn believed(&mut self, own: u64, opponent: u64, runs: &Runs, alpha: i32, level: Level, empty: u32) -> Option<i32> {
        let depth = probe_depth(empty);
        let margin = (level.deviations * DEVIATIONS[depth as usize % DEVIATIONS.len()] * DISC as f32) as i32;
        let value = self.patterns.value(
            runs,
            self.processor().moves(own, opponent),
            self.processor().moves(opponent, own),
            empty,
        );
        if value > alpha * DISC {
            let limit = (alpha + 1) * DISC + margin;
            if limit < 64 * DISC
                && value + 2 * DISC >= limit - margin
                && P::guess(&mut self.guesser, own, opponent, runs, depth, limit - 1, limit) >= limit
            {
                return Some(alpha + 1);
            }
        } else {
            let limit = alpha * DISC - margin;
            if limit > -64 * DISC && P::guess(&mut self.guesser, own, opponent, runs, depth, limit, limit + 1) <= limit
            {
                return Some(alpha);
            }
        }
        None
    }

    /// Scores each move: greater keys are tried first.
    #[allow(clippy::too_many_arguments)]
    #[inline(always)]
    fn score_moves(
        &mut self,
        own: u64,
        opponent: u64,
        runs: &Runs,
        tried: &mut [Tried],
        known: u8,
        [alpha, beta]: [i32; 2],
        empty: u32,
    ) {
        let odd = odd_quadrants(!(own | opponent));
        let depth = if beta - alpha > 1 { presearch(empty) + 1 } else { presearch(empty) };
        let [low, high] = [(alpha - 12) * DISC, (beta + 12) * DISC];
        for one in tried {
            let Tried { turned, cell, .. } = *one;
            if cell == known {
                one.key = 1 << 30;
                continue;
            }
            let (own, opponent) = (opponent ^ turned, own | turned | 1 << cell);
            let cells = !(own | opponent);
            let replies = self.processor().moves(own, opponent);
            let count = replies.count_ones() as i32 + (replies & CORNERS).count_ones() as i32;
            let beside = (neighbours(opponent) & cells).count_ones() as i32;
            let is_odd = (odd >> cell & 1) as i32;
            one.key = if empty >= VALUED {
                let runs = runs.after(1 << cell, turned);
                let value = P::guess(&mut self.guesser, own, opponent, &runs, depth - 1, -high, -low);
                -value * 2 - count * 32 - beside * 8 + is_odd * 16
            } else {
                let corner = i32::from(1 << cell & CORNERS != 0);
                -count * 32 - beside * 8 + is_odd * 16 + corner * 16
            };
        }
    }
}

/// The depth of the search that orders moves, including the move itself.
fn presearch(empty: u32) -> u32 {
    match empty {
        ..=16 => 1,
        17..=20 => 2,
        21..=24 => 3,
        _ => 4,
    }
}

/// The depth of the search for ProbCut: to an even number of empty cells, and lower where the exact search costs little
/// more.
fn probe_depth(empty: u32) -> u32 {
    let depth = (empty / 4).clamp(2, 7);
    let odd = (depth + empty) % 2;
    if empty < 15 { depth - odd } else { depth + odd }
}
