//! Counts nodes, polls the observer for a stop, and reports results to it.
//!
//! Layer 3. One per thread of a search, lent to the current algorithm. A poll reads a clock and costs far more than a
//! node, so polls are 64 nodes apart; less where a node has many moves and takes long. The first polls are skipped, so
//! that a search that is stopped at once has searched more than one move. LAW 9: a limit of nodes holds from the first
//! node on and is never exceeded; threads draw from one budget.

use super::abdada::CurrentlySearching;
use super::smp::{Role, SharedSearch};
use super::{Line, News, Observer, Poll, Progress, Stopped, Task, TranspositionTable};
use crate::game::Position;
use crate::score::{Bound, Score};

/// The nodes between two polls if nodes have few moves: 10 to 50 microseconds, of which a poll takes less than a
/// hundredth.
const POLL_NODES: u64 = 64;

/// The nodes before the first poll: enough to find a move, and soon searched.
const FIRST_POLL: u64 = 1024;

/// A node with this many moves counts as taking one node's time more.
const MOVES_A_NODE: usize = 32;

pub(super) struct Meter<'a, M> {
    observer: &'a mut dyn Observer<M>,
    table: &'a TranspositionTable,
    /// The limit of this thread's nodes.
    pub(super) limit: u64,
    role: Role<'a>,
    /// The nodes that this thread has drawn from the shared budget.
    drawn: u64,
    /// The nodes that a helper has added to the shared count.
    told: u64,
    /// The depth in reports.
    pub(super) depth: u32,
    seldepth: u32,
    /// Nodes of all iterations.
    pub(super) nodes: u64,
    /// Nodes of the earlier iterations.
    earlier: u64,
    /// The number of the node before which the observer is polled next.
    next_poll: u64,
    /// The number of the node before which a poll or a limit is due.
    next_check: u64,
    /// The nodes between two polls.
    poll_nodes: u64,
    table_hits: u64,
    /// How full the tree is, in thousandths, for algorithms that keep one.
    tree_full: Option<u32>,
}

impl<'a, M> Meter<'a, M> {
    pub(super) fn new<P>(
        observer: &'a mut dyn Observer<M>,
        table: &'a TranspositionTable,
        task: &Task<P>,
        role: Role<'a>,
    ) -> Self
    where
        P: Position<Move = M>,
    {
        let (limit, drawn) = match role {
            Role::Alone => (task.nodes, u64::MAX),
            Role::Main(shared) if shared.is_limited() => (u64::MAX, shared.main_share()),
            Role::Helper(shared) if shared.is_limited() => (u64::MAX, 0),
            Role::Main(_) | Role::Helper(_) => (u64::MAX, u64::MAX),
        };
        Meter {
            observer,
            table,
            limit,
            role,
            drawn,
            told: 0,
            depth: 0,
            seldepth: 0,
            nodes: 0,
            earlier: 0,
            next_poll: 0,
            next_check: 0,
            poll_nodes: POLL_NODES,
            table_hits: 0,
            tree_full: None,
        }
    }

    /// Begins the search of a root with this number of moves.
    pub(super) fn begin(&mut self, moves: usize) {
        let weight = (1 + moves / (2 * MOVES_A_NODE)) as u64;
        self.poll_nodes = (POLL_NODES / weight).max(1);
        // A helper need not find a move.
        let first = if matches!(self.role, Role::Helper(_)) { 1 } else { (FIRST_POLL / weight).max(1) };
        self.ask_before(first);
    }

    /// Begins an iteration.
    pub(super) fn start(&mut self, depth: u32) {
        self.depth = depth;
        self.seldepth = 0;
        self.earlier = self.nodes;
        if self.nodes > 0 {
            self.ask_before(self.nodes + 1);
        }
    }

    /// Sets the numbers of a tree search: the length of its best line, how full the tree is (in thousandths), and its
    /// exact values.
    pub(super) fn go_on(&mut self, depth: u32, tree_full: u32, table_hits: u64) {
        self.depth = depth;
        self.tree_full = Some(tree_full);
        self.table_hits = table_hits;
        self.ask_before(self.nodes + 1);
    }

    /// Sets the node before which the observer is polled.
    fn ask_before(&mut self, node: u64) {
        self.next_poll = node;
        self.next_check = node.min(self.limit.saturating_add(1)).min(self.drawn.saturating_add(1));
    }

    /// Records the number of moves of a node: the more there are, the sooner the next poll.
    #[inline]
    pub(super) fn has_moves(&mut self, moves: usize) {
        if moves >= MOVES_A_NODE {
            self.work((moves / MOVES_A_NODE) as u64);
        }
    }

    /// Records work that takes as long as this many nodes.
    pub(super) fn work(&mut self, nodes: u64) {
        self.next_poll = self.next_poll.saturating_sub(nodes);
        self.next_check = self.next_check.min(self.next_poll);
    }

    /// The same, but polls at once if a poll is due, since the next node may be far.
    pub(super) fn work_between(&mut self, nodes: u64) -> Result<(), Stopped> {
        self.work(nodes);
        if self.nodes + 1 >= self.next_poll { self.poll() } else { Ok(()) }
    }

    /// Counts a node at `ply`.
    #[inline]
    pub(super) fn count(&mut self, ply: u32) -> Result<(), Stopped> {
        if self.nodes + 1 >= self.next_check {
            self.check()?;
        }
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply);
        Ok(())
    }

    #[cold]
    fn check(&mut self) -> Result<(), Stopped> {
        self.tell_nodes();
        if self.nodes >= self.limit {
            return Err(Stopped);
        }
        if self.nodes >= self.drawn {
            self.drawn += match self.role {
                Role::Main(shared) | Role::Helper(shared) => shared.draw(self.poll_nodes),
                Role::Alone => 0,
            };
            if self.nodes >= self.drawn {
                return Err(Stopped);
            }
        }
        if self.nodes + 1 >= self.next_poll {
            return self.poll();
        }
        self.ask_before(self.next_poll);
        Ok(())
    }

    /// Polls the observer.
    fn poll(&mut self) -> Result<(), Stopped> {
        match self.observer.poll() {
            Poll::Stop => {
                // Stop the helpers now, not after this thread has ended.
                if let Role::Main(shared) = self.role {
                    shared.stop();
                }
                return Err(Stopped);
            }
            Poll::Report => {
                let progress = self.progress();
                self.observer.report(News::Progress(progress));
            }
            Poll::Continue => {}
        }
        self.ask_before(self.nodes + self.poll_nodes);
        Ok(())
    }

    /// Adds a helper's nodes to the shared count.
    fn tell_nodes(&mut self) {
        if let Role::Helper(shared) = self.role {
            shared.add_nodes(self.nodes - self.told);
            self.told = self.nodes;
        }
    }

    /// Counts nodes of the game's own proofs: the result returns whether the next of at most `nodes` nodes may be
    /// searched.
    pub(super) fn allow(&mut self, nodes: u64) -> impl FnMut() -> bool {
        let last = self.nodes.saturating_add(nodes);
        move || self.nodes < last && self.count(0).is_ok()
    }

    /// Reserves up to `nodes` nodes for a solver that works for this thread; returns how many there are.
    pub(super) fn set_aside(&mut self, nodes: u64) -> u64 {
        let missing = nodes.saturating_sub(self.drawn - self.nodes);
        if let Role::Main(shared) | Role::Helper(shared) = self.role
            && missing > 0
        {
            self.drawn += shared.draw(missing);
        }
        nodes.min(self.drawn - self.nodes).min(self.limit.saturating_sub(self.nodes))
    }

    /// Counts reserved nodes that were searched.
    pub(super) fn add(&mut self, nodes: u64) {
        self.nodes += nodes;
        self.ask_before(self.nodes + 1);
    }

    /// Lowers the limit to at most `nodes` more nodes; returns the old limit.
    pub(super) fn allow_only(&mut self, nodes: u64) -> u64 {
        let limit = self.limit;
        self.limit = limit.min(self.nodes.saturating_add(nodes));
        self.ask_before(self.nodes + 1);
        limit
    }

    /// Whether the limit of nodes is reached.
    pub(super) fn is_spent(&self) -> bool {
        let none_left = match self.role {
            Role::Main(shared) | Role::Helper(shared) => shared.is_spent(),
            Role::Alone => true,
        };
        self.nodes >= self.limit || (self.nodes >= self.drawn && none_left)
    }

    /// Counts an exact value from the game's probe.
    pub(super) fn count_table_hit(&mut self) {
        self.count_table_hits(1);
    }

    /// Counts several exact values.
    pub(super) fn count_table_hits(&mut self, hits: u64) {
        self.table_hits += hits;
    }

    pub(super) fn report_current_move(&mut self, mv: M, number: usize) {
        self.observer.report(News::CurrentMove { depth: self.depth, nodes: self.nodes, mv, number });
    }

    pub(super) fn report_line(&mut self, rank: usize, line: &Line<M>, bound: Bound) {
        let progress = self.progress();
        let Line { score, pv, proven } = line;
        let certain = match bound {
            Bound::Exact => *proven || score.is_decisive(),
            Bound::Lower => score.is_decisive() && *score > Score::DRAW,
            Bound::Upper => score.is_decisive() && *score < Score::DRAW,
        };
        self.observer.report(News::Line { progress, rank, score: *score, bound, certain, pv });
    }

    pub(super) fn another_iteration(&mut self) -> bool {
        self.observer.another_iteration()
    }

    /// The positions that the threads are searching, if there are several threads and `depth` is at least three fifths
    /// of the iteration's. At lesser depths the check costs more than it saves.
    #[inline]
    pub(super) fn busy(&self, depth: u32) -> Option<&'a CurrentlySearching> {
        match self.role {
            Role::Main(shared) | Role::Helper(shared) if depth >= (self.depth * 3 / 5).max(2) => Some(&shared.busy),
            _ => None,
        }
    }

    /// The state shared with the helpers, if this is the main thread of several.
    pub(super) fn shared(&self) -> Option<&'a SharedSearch> {
        match self.role {
            Role::Main(shared) => Some(shared),
            Role::Alone | Role::Helper(_) => None,
        }
    }

    /// Nodes of this thread, and of its helpers if it has some.
    pub(super) fn all_nodes(&self) -> u64 {
        match self.role {
            Role::Main(shared) => self.nodes + shared.nodes(),
            _ => self.nodes,
        }
    }

    fn progress(&self) -> Progress {
        Progress {
            depth: self.depth,
            seldepth: self.seldepth,
            nodes: self.all_nodes(),
            iteration_nodes: self.nodes - self.earlier,
            table_hits: self.table_hits,
            permille_full: self.tree_full.unwrap_or_else(|| self.table.permille_full()),
        }
    }
}

/// Returns the drawn nodes that were not used.
impl<M> Drop for Meter<'_, M> {
    fn drop(&mut self) {
        self.tell_nodes();
        if let Role::Main(shared) | Role::Helper(shared) = self.role
            && shared.is_limited()
        {
            shared.give_back(self.drawn - self.nodes);
        }
    }
}
