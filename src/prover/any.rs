//! A prover as a trait object, for callers without game types: boards and moves are texts. Layer 3.

use std::path::Path;
use std::thread;
use std::time::Duration;

use super::{Claim, Effort, Prover};
use crate::game::{Notation, Position, Probe};
use crate::message::Problem;

/// How often to check whether tables are ready.
const TABLES_AWAITED: Duration = Duration::from_millis(1);

/// What the only move does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Feat {
    /// It wins.
    Win,
    /// It draws, where no move wins.
    Draw,
    /// It leads to this lead in captures, and every other move to a lead that is less by `more` or further behind. Captures that must
    /// be played are played out before a lead is counted.
    Lead {
        /// The lead of the side to move.
        lead: i32,
        /// What the best of the other moves lacks, at least.
        more: i32,
    },
}

/// A claim to confirm.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    /// The position.
    pub board: &'a str,
    /// The only move.
    pub mv: &'a str,
    /// What it does.
    pub feat: Feat,
    /// The number of own moves, including this one, within which it must win; of a lead, the number of moves of each side after
    /// which it is counted. `None` for no limit; a lead has one.
    pub within: Option<u32>,
}

/// Suggests a move for a board, both as texts.
pub type Advice<'a> = dyn FnMut(&str) -> Option<String> + 'a;

/// A prover of one game. `<dyn AnyProver>::new` makes it and is compiled for every game; callers are not.
pub trait AnyProver: Send {
    /// The effort of a proof that the move fulfils the claim and no other move does; `None` if that is false or not
    /// decided within `limit` nodes.
    fn confirm(
        &self,
        asked: &Asked<'_>,
        limit: u64,
        advice: &mut Advice<'_>,
        is_stopped: &dyn Fn() -> bool,
    ) -> Option<Effort>;

    /// By how much the side to move leads in captures, in games that count them ([`Position::captured_lead`]).
    fn captured_lead(&self, board: &str) -> Option<i32>;

    /// Whether the side to move must capture ([`Position::must_capture`]).
    fn must_capture(&self, board: &str) -> bool;

    /// A hash that a position shares with its images.
    fn folded(&self, board: &str) -> Option<u64>;
}

impl dyn AnyProver {
    /// A prover with the endgame tables of this folder, or those that the game builds in memory.
    ///
    /// # Errors
    /// When the directory has no good tables of this game.
    pub fn new<N: Notation, T: Probe<N::Position>>(
        notation: N,
        tables: T,
        directory: Option<&Path>,
    ) -> Result<Box<dyn AnyProver>, Problem> {
        let tables = match directory {
            Some(_) => tables.with_tables(directory).map_err(Problem::new)?,
            None => tables,
        };
        Ok(Box::new(Rules { notation, tables }))
    }
}

/// The rules of a game, and its endgame tables.
struct Rules<N, T> {
    notation: N,
    tables: T,
}

impl<N: Notation, T: Probe<N::Position>> AnyProver for Rules<N, T> {
    fn confirm(
        &self,
        asked: &Asked<'_>,
        limit: u64,
        advice: &mut Advice<'_>,
        is_stopped: &dyn Fn() -> bool,
    ) -> Option<Effort> {
        let notation = &self.notation;
        let root = notation.parse_position(asked.board).ok()?;
        let only = notation.parse_move(&root, asked.mv).ok()?;
        while !self.tables.prepare(&root) && !is_stopped() {
            thread::sleep(TABLES_AWAITED);
        }
        let mut adviser = |position: &N::Position| {
            let text = advice(&notation.position_text(position))?;
            notation.parse_move(position, &text).ok()
        };
        let (own, other) = (root.side_to_move(), root.side_to_move().other());
        // Two plies for each further own move: the reply and the move. A lead is counted after the last reply.
        let is_lead = matches!(asked.feat, Feat::Lead { .. });
        let plies = asked.within.map(|moves| 2 * moves.saturating_sub(1) + u32::from(is_lead));
        let mut prover = Prover::new(&self.tables, &mut adviser, is_stopped, limit);
        let mut moves = Vec::new();
        root.generate(&mut moves);
        moves.retain(|&mv| mv != only);
        // Check equal claims in a row, since a new claim empties the prover's memory.
        let (own_claim, against) = match asked.feat {
            Feat::Win => (Claim::Win, Claim::NoLoss),
            Feat::Draw => (Claim::NoLoss, Claim::Win),
            Feat::Lead { .. } if plies.is_none() => return None,
            Feat::Lead { lead, more } => (Claim::Lead(lead), Claim::Lead(more - lead)),
        };
        let mut holds = |mv, side, claim| prover.holds(&root, mv, side, claim, plies) == Ok(true);
        let is_only = holds(only, own, own_claim)
            && moves.into_iter().all(|mv| holds(mv, other, against))
            // A move that draws must not win; a move that loses does neither.
            && (asked.feat != Feat::Draw || holds(only, other, Claim::NoLoss));
        is_only.then(|| prover.effort())
    }

    fn captured_lead(&self, board: &str) -> Option<i32> {
        self.notation.parse_position(board).ok()?.captured_lead()
    }

    fn must_capture(&self, board: &str) -> bool {
        self.notation.parse_position(board).is_ok_and(|position| position.must_capture())
    }

    fn folded(&self, board: &str) -> Option<u64> {
        Some(self.notation.parse_position(board).ok()?.folded().0)
    }
}
