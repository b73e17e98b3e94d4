//! The meter: counts nodes, asks the observer whether to stop, and passes on what was found.
//!
//! Floor 3. One for each search, lent to the algorithm of the moment. A poll looks at a clock and costs far more than a node,
//! hence one poll in some hundred nodes; a limit of nodes is met exactly by a search on one thread.

use super::smp::Role;
use super::{Line, News, Observer, Poll, Progress, Stopped, Task, TranspositionTable};
use crate::game::Position;
use crate::score::{Bound, Score};

/// Nodes between two questions to the observer.
const POLL_NODES: u64 = 256;

pub(super) struct Meter<'a, M> {
    observer: &'a mut dyn Observer<M>,
    table: &'a TranspositionTable,
    /// Nodes after which to stop.
    pub(super) limit: u64,
    role: Role<'a>,
    /// Nodes that a helper has told the others of.
    told: u64,
    /// The depth that is told with what was found.
    pub(super) depth: u32,
    seldepth: u32,
    /// Nodes of all iterations.
    pub(super) nodes: u64,
    /// Nodes of the earlier iterations.
    earlier: u64,
    next_check: u64,
    table_hits: u64,
    /// How full the tree is, in thousandths, for an algorithm that keeps one.
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
        Meter {
            observer,
            table,
            limit: task.nodes,
            role,
            told: 0,
            depth: 0,
            seldepth: 0,
            nodes: 0,
            earlier: 0,
            next_check: u64::MAX,
            table_hits: 0,
            tree_full: None,
        }
    }

    /// Begins an iteration. The first one always completes: there must be a move to answer.
    pub(super) fn start(&mut self, depth: u32) {
        self.depth = depth;
        self.seldepth = 0;
        self.earlier = self.nodes;
        self.next_check = if depth == 1 { u64::MAX } else { self.nodes + 1 };
    }

    /// Goes on with a tree whose best line is `depth` plies long, and which is so full (in thousandths) and has met so many
    /// exact values. From now on the limits hold.
    pub(super) fn go_on(&mut self, depth: u32, tree_full: u32, table_hits: u64) {
        self.depth = depth;
        self.tree_full = Some(tree_full);
        self.table_hits = table_hits;
        self.next_check = self.next_check.min(self.nodes + 1);
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
        if let Role::Helper(crew, _) = self.role {
            crew.add_nodes(self.nodes - self.told);
            self.told = self.nodes;
        }
        if self.all_nodes() >= self.limit {
            return Err(Stopped);
        }
        match self.observer.poll() {
            Poll::Stop => return Err(Stopped),
            Poll::Report => {
                let progress = self.progress();
                self.observer.report(News::Progress(progress));
            }
            Poll::Continue => {}
        }
        self.next_check = (self.nodes + POLL_NODES).min(self.limit.saturating_add(1));
        Ok(())
    }

    /// Counts nodes of the game's own proofs, as long as there are not more than `nodes` of them and nothing says stop.
    pub(super) fn allow(&mut self, nodes: u64) -> impl FnMut() -> bool {
        let last = self.nodes.saturating_add(nodes);
        move || self.nodes < last && self.count(0).is_ok()
    }

    /// From now on, allows only so many nodes more, if the limit does not allow less; answers the limit so far.
    pub(super) fn allow_only(&mut self, nodes: u64) -> u64 {
        let limit = self.limit;
        self.limit = limit.min(self.all_nodes().saturating_add(nodes));
        self.next_check = self.nodes + 1;
        limit
    }

    /// Counts an exact value from the game's probe.
    pub(super) fn count_table_hit(&mut self) {
        self.count_table_hits(1);
    }

    /// Counts so many of them.
    pub(super) fn count_table_hits(&mut self, hits: u64) {
        self.table_hits += hits;
    }

    pub(super) fn report_current_move(&mut self, mv: M, number: usize) {
        self.observer.report(News::CurrentMove { depth: self.depth, nodes: self.nodes, mv, number });
    }

    pub(super) fn report_line(&mut self, rank: usize, line: &Line<M>, bound: Bound) {
        let progress = self.progress();
        let Line { score, pv, complete } = line;
        let certain = match bound {
            Bound::Exact => *complete || score.is_decided(),
            Bound::Lower => score.is_decided() && *score > Score::DRAW,
            Bound::Upper => score.is_decided() && *score < Score::DRAW,
        };
        self.observer.report(News::Line { progress, rank, score: *score, bound, certain, pv });
    }

    pub(super) fn another_iteration(&mut self) -> bool {
        self.observer.another_iteration()
    }

    /// Nodes of this thread, and of its helpers if it has some.
    pub(super) fn all_nodes(&self) -> u64 {
        match self.role {
            Role::Main(crew) => self.nodes + crew.nodes(),
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
