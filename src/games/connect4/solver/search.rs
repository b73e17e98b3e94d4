//! Alpha-beta with null windows over the result and its distance. Layer 2.
//!
//! Every node finds out whether its value is above `alpha`; results are fail-soft: at or below `alpha` an upper bound, above it a
//! lower one.
//! CITE: P. Pons, "Solving Connect 4: how to build a perfect AI", 2015 (moves that do not lose at once, order by threats); A.
//! Plaat et al., "Exploiting graph properties of game trees", 1996 (enhanced transposition cutoffs); V. Allis, "A
//! Knowledge-based Approach of Connect-Four", 1988 (see `follow_up`); J. Schaeffer, "The History Heuristic", 1989.
//!
//! Most time is spent waiting for the table. Positions near the end, nearly all, use a table that stays in the processor's
//! cache, and entries are prefetched.

use std::sync::Arc;

use super::super::exact::Values;
use super::super::follow_up::{FollowUp, answering, from_lowest};
use super::super::lines::{begun_lines, open_lines};
use super::super::rules::{completions, has_line, mirrored, safe};
use super::super::{Board, Parameters};
use super::memory::ThreadMemory;
use super::table::{Entry, LEAST, MOST, NO_COLUMN};
use super::{MAX_COLS, Value};
use crate::game::split::{Searcher, SplitPoint, SplitSearch};

/// Positions with at least this many free cells are stored in the table.
const KEPT: u32 = 7;
/// From this many free cells on, the table is probed for each move before one is searched.
const ASKED: u32 = 9;
/// From this many free cells on, static knowledge of the positions after all moves is used before one is searched.
const LOOKED_AT: u32 = 5;
/// Up to this many stones, mirror images share an entry. Later they hardly ever meet.
const MIRRORED: u32 = 16;
/// From this many free cells on, moves are shared among threads.
const SHARED: u32 = 18;
/// Nodes between two calls of `stop`.
const POLL: u64 = 4096;

/// Move order: the value of a threat, and of a column nearer to the middle; history counts at most as much as a threat.
const THREAT: i32 = 64;
const NEARER: i32 = 12;
/// From this many free cells on, lines that two stones complete count, and lines open to the opponent.
const LINES: u32 = 26;
const BEGUN: i32 = 16;
const OPEN: i32 = 6;
/// The column that was best before comes first.
const FIRST: i32 = 1 << 16;

/// Called every few thousand nodes with the number of nodes since the last call; returns whether to stop.
pub(super) type Halt<'a> = dyn Fn(u64) -> bool + Sync + 'a;

/// The search was stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stopped;

/// A move with its rank.
#[derive(Debug, Clone, Copy, Default)]
struct Tried {
    rank: i32,
    cell: u64,
    /// The cells on which its player completes a line after it.
    threats: u64,
    /// The key of the position after it, if the table is probed for that.
    behind: u64,
}

/// A node whose moves are shared.
#[derive(Debug)]
pub(super) struct Node {
    mine: u64,
    mask: u64,
    free: u32,
    moves: [Tried; MAX_COLS as usize],
}

impl<B: Board> Searcher for Worker<'_, B> {
    type Node = Node;

    fn split(&mut self) -> &mut Option<Arc<SplitPoint<Node>>> {
        &mut self.split
    }

    fn search_move(&mut self, node: &Node, number: usize, beta: Value) -> Option<Value> {
        let &Node { mine, mask, free, ref moves } = node;
        let Tried { cell, threats, .. } = moves[number];
        self.node::<true>(mask ^ mine, mask | cell, free - 1, threats, -beta).ok().map(|value| -value)
    }
}

/// The searcher.
pub(super) struct Worker<'a, B> {
    board: B,
    memory: ThreadMemory<'a>,
    stop: &'a Halt<'a>,
    /// The split_search, if there are several threads.
    pub(super) split_search: Option<&'a SplitSearch<Node>>,
    split: Option<Arc<SplitPoint<Node>>>,
    /// Positions visited.
    pub(super) nodes: u64,
    /// The search stops after this many nodes.
    pub(super) limit: u64,
    /// The book of the first plies, and its least number of free cells.
    book: Option<(&'a Values, u32)>,
    next_poll: u64,
    told: u64,
}

impl<'a, B: Board> Worker<'a, B> {
    pub(super) fn new(board: B, memory: ThreadMemory<'a>, stop: &'a Halt<'a>) -> Worker<'a, B> {
        Worker {
            board,
            memory,
            stop,
            split_search: None,
            split: None,
            nodes: 0,
            limit: u64::MAX,
            book: None,
            next_poll: POLL,
            told: 0,
        }
    }

    #[inline(always)]
    fn parameters(&self) -> &Parameters {
        self.board.parameters()
    }

    /// Reports the nodes since the last call, and returns an error if the search must stop.
    #[cold]
    fn ask(&mut self) -> Result<(), Stopped> {
        self.next_poll = self.nodes + POLL;
        let is_stopped = (self.stop)(self.nodes - self.told);
        self.told = self.nodes;
        let is_cut = self.split.as_ref().is_some_and(|split| split.is_cut());
        if is_stopped || is_cut || self.nodes >= self.limit { Err(Stopped) } else { Ok(()) }
    }

    /// The key of a position in the table, and whether it is the key of the mirror image.
    #[inline(always)]
    pub(super) fn key(&self, mine: u64, mask: u64, free: u32) -> (u64, bool) {
        let parameters = self.parameters();
        let key = mine + mask;
        if free + MIRRORED < parameters.cells.count_ones() {
            return (key, false);
        }
        let image = mirrored(parameters, key);
        (key.min(image), image < key)
    }

    /// The same, with a book of this board.
    pub(super) fn with_book(self, book: Option<&'a Values>) -> Worker<'a, B> {
        let cells = self.parameters().cells.count_ones();
        Worker { book: book.map(|book| (book, cells - book.last_ply())), ..self }
    }

    /// Bounds of the value of a position, if the book has them.
    #[inline(always)]
    pub(super) fn in_book(&self, mine: u64, mask: u64, free: u32) -> Option<(Value, Value)> {
        let (book, _) = self.book.filter(|&(_, least)| free >= least)?;
        book.bounds(self.key(mine, mask, free).0, free)
    }

    /// The best column of a position in the table, as bits, if there is one.
    pub(super) fn best_column(&self, mine: u64, mask: u64) -> u64 {
        let parameters = self.parameters();
        let free = (parameters.cells & !mask).count_ones();
        let (key, is_image) = self.key(mine, mask, free);
        self.memory.table(free).get(key).map_or(0, |entry| self.column(entry.column, is_image))
    }

    /// The bits of a column from the table.
    #[inline(always)]
    fn column(&self, column: u32, is_image: bool) -> u64 {
        let parameters = self.parameters();
        let cols = u32::from(parameters.cols());
        match column {
            column if column >= cols || column == NO_COLUMN => 0,
            column => parameters.column(if is_image { cols - 1 - column } else { column }),
        }
    }

    /// A bound on the value of a position that decides whether it is above `alpha`.
    ///
    /// `mine` are the stones of the side to move, `mask` all, `free` is the number of free cells, `threats` are the free cells on
    /// which the opponent completes a line. The side to move cannot complete one at once.
    pub(super) fn search(
        &mut self,
        mine: u64,
        mask: u64,
        free: u32,
        threats: u64,
        alpha: Value,
    ) -> Result<Value, Stopped> {
        self.node::<false>(mine, mask, free, threats, alpha)
    }

    /// [`Worker::search`]; `LOOKED` if [`known`] was called by the parent.
    fn node<const LOOKED: bool>(
        &mut self,
        mine: u64,
        mask: u64,
        free: u32,
        threats: u64,
        alpha: Value,
    ) -> Result<Value, Stopped> {
        self.nodes += 1;
        if self.nodes >= self.next_poll {
            self.ask()?;
        }
        let board = self.board;
        let parameters = board.parameters();
        let playable = (mask + parameters.bottom) & parameters.cells;
        let moves = safe(playable, threats);
        let left = free as Value;
        if moves == 0 {
            // The opponent completes a line in reply; without a cell to play the game is drawn.
            return Ok(if free < 2 { 0 } else { -left / 2 });
        }
        if free <= 2 {
            return Ok(0);
        }
        // Nobody wins before the second move from now.
        let (least, most) = (-(left - 2) / 2, (left - 1) / 2);
        if least > alpha {
            return Ok(least);
        }
        if most <= alpha {
            return Ok(most);
        }
        if let Some((lower, upper)) = self.in_book(mine, mask, free) {
            if lower > alpha {
                return Ok(lower);
            }
            if upper <= alpha {
                return Ok(upper);
            }
        }
        let theirs = mask ^ mine;
        if moves & (moves - 1) == 0 {
            let threats_after = completions(parameters, mine | moves) & !(mask | moves);
            return Ok(-self.search(theirs, mask | moves, free - 1, threats_after, -alpha - 1)?);
        }
        if !LOOKED && let Some(bound) = known(parameters, [mine, theirs], playable, threats, alpha, left) {
            return Ok(bound);
        }
        let (mut key, mut first, mut is_image) = (0, 0, false);
        if free >= KEPT {
            (key, is_image) = self.key(mine, mask, free);
            if let Some(entry) = self.memory.table(free).get(key) {
                if let Some(bound) = entry.answer(alpha) {
                    return Ok(bound);
                }
                first = self.column(entry.column, is_image);
            }
        }
        // A threat above one of the opponent's is useless.
        let of_use = !(from_lowest(parameters, threats) << 1);
        let mut all = [Tried::default(); MAX_COLS as usize];
        let mut count = 0;
        let mut nearness = NEARER * Value::from(MAX_COLS);
        for column in parameters.columns() {
            nearness -= NEARER;
            let cell = moves & column;
            if cell == 0 {
                continue;
            }
            let taken = mask | cell;
            let threats_after = completions(parameters, mine | cell) & !taken;
            let answers = (taken + parameters.bottom) & parameters.cells;
            if safe(answers, threats_after) == 0 {
                return Ok(most);
            }
            let mut behind = 0;
            if free >= ASKED {
                (behind, _) = self.key(theirs, taken, free - 1);
                self.memory.table(free - 1).prefetch(behind);
            }
            let mut rank = THREAT * (threats_after & of_use).count_ones() as i32
                + self.memory.history.of(free, cell)
                + nearness
                + if cell & first != 0 { FIRST } else { 0 };
            if free >= LINES {
                let stones = mine | cell;
                rank += BEGUN * (begun_lines(parameters, stones, theirs) - begun_lines(parameters, theirs, stones))
                    - OPEN * open_lines(parameters, stones);
            }
            let mut place = count;
            while place > 0 && all[place - 1].rank < rank {
                all[place] = all[place - 1];
                place -= 1;
            }
            all[place] = Tried { rank, cell, threats: threats_after, behind };
            count += 1;
        }
        let list = &all[..count];
        let looks = free >= LOOKED_AT;
        if looks {
            for &Tried { cell, threats: threats_after, .. } in list {
                let taken = mask | cell;
                let answers = (taken + parameters.bottom) & parameters.cells;
                let bound = known(parameters, [theirs, mine | cell], answers, threats_after, -alpha - 1, left - 1);
                if let Some(bound) = bound.filter(|&bound| -bound > alpha) {
                    return Ok(-bound);
                }
            }
        }
        let height = parameters.height();
        let column_of = |cell: u64| cell.trailing_zeros() / height;
        let in_table = |column: u32| if is_image { u32::from(parameters.cols()) - 1 - column } else { column };
        if free >= ASKED {
            for tried in list {
                let found = self.memory.table(free - 1).get(tried.behind);
                if let Some(entry) = found.filter(|entry| -entry.upper > alpha) {
                    let column = in_table(column_of(tried.cell));
                    self.memory.table(free).put(key, Entry { lower: -entry.upper, upper: MOST, column }, 1);
                    return Ok(-entry.upper);
                }
            }
        }
        let start = self.nodes;
        let mut best = least;
        let split_search = self.split_search.filter(|_| free >= SHARED);
        let mut next = 0;
        while next < count {
            // The move that gives the value.
            let mut place = next;
            let is_shared =
                next > 0 && next + 1 < count && split_search.is_some_and(|split_search| split_search.is_idle());
            let value = if let Some(split_search) = split_search.filter(|_| is_shared) {
                let node = Node { mine, mask, free, moves: all };
                let (value, number) = split_search.share(self, node, next..count, alpha + 1, best).ok_or(Stopped)?;
                place = number.unwrap_or(place);
                next = count;
                value
            } else {
                let Tried { cell, threats: threats_after, .. } = list[next];
                let (taken, beta) = (mask | cell, -alpha - 1);
                next += 1;
                -match looks {
                    true => self.node::<true>(theirs, taken, free - 1, threats_after, beta)?,
                    false => self.node::<false>(theirs, taken, free - 1, threats_after, beta)?,
                }
            };
            best = best.max(value);
            if value > alpha {
                let cell = list[place].cell;
                self.memory.history.learn(free, list[..place].iter().map(|tried| tried.cell), cell);
                if free >= KEPT {
                    let found = Entry { lower: value, upper: MOST, column: in_table(column_of(cell)) };
                    self.memory.table(free).put(key, found, self.nodes - start);
                }
                return Ok(value);
            }
        }
        if free >= KEPT {
            let found = Entry { lower: LEAST, upper: best, column: NO_COLUMN };
            self.memory.table(free).put(key, found, self.nodes - start);
        }
        Ok(best)
    }
}

/// A bound known without a search: an upper bound at most `alpha`, or a lower bound above it.
#[inline(always)]
fn known(
    parameters: &Parameters,
    [mine, theirs]: [u64; 2],
    playable: u64,
    threats: u64,
    alpha: Value,
    left: Value,
) -> Option<Value> {
    let most = match answering(parameters, theirs, mine, playable, threats) {
        FollowUp::Wins(plies) => -(left + 2 - plies as Value) / 2,
        FollowUp::Holds => 0,
        FollowUp::Open => MOST,
    };
    if most <= alpha {
        return Some(most);
    }
    // A side with no line left to complete cannot win.
    let free = parameters.cells & !(mine | theirs);
    let stones = if alpha >= 0 { mine } else { theirs };
    (!has_line(parameters, stones | free)).then_some(0)
}
