//! Proofs by the rules alone: full-width play to the end of every line. Layer 3.
//!
//! Independent of the search: no evaluation, no window, no pruning. The prover needs one move that keeps its claim, against
//! every legal move of the other side. Claims hold or fail from the prover's point of view; depths are in plies. Endgame tables
//! are used where they are exact, after an irreversible move. On boards with very many moves the prover tries moves that end
//! the game and one that is suggested to it: then a claim can hold or stay open, but not fail.

mod any;

use std::collections::HashMap;

pub use any::{Advice, AnyProver, Asked, Feat};

use crate::game::{Outcome, Position, Probe, Side, mix64, sort_few};

/// From this many moves on, the prover tries only moves that end the game and the suggested one.
const WIDE: usize = 24;

/// First depth limit in plies, in games of unknown length.
const FIRST_DEPTH: u32 = 6;
/// Increment of the depth limit.
const DEEPER: usize = 4;
/// Greatest depth limit: a claim that needs more stays open.
const LAST_DEPTH: u32 = 90;

/// Nodes between two checks for a stop.
const NODES_BETWEEN_LOOKS: u64 = 1024;

/// What the prover claims to force.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Claim {
    /// A draw or more.
    NoLoss,
    Win,
    /// This lead in captures where the search ends and no capture must be played, or a win before.
    Lead(i32),
}

/// The effort of a proof.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Effort {
    /// The number of positions visited.
    pub nodes: u64,
    /// The longest line, in plies.
    pub depth: u32,
}

/// Suggests the move to try in a position with too many moves, if any.
type Adviser<'a, P> = dyn FnMut(&P) -> Option<<P as Position>::Move> + 'a;

/// Why a claim was neither proven nor refuted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Open;

/// Proves claims about one position after another.
struct Prover<'a, P: Position, T> {
    tables: &'a T,
    adviser: &'a mut Adviser<'a, P>,
    is_stopped: &'a dyn Fn() -> bool,
    /// The limit of nodes.
    limit: u64,
    /// The proving side and its claim.
    prover: Side,
    claim: Claim,
    /// Whether a claim about a game that goes on is decided at the depth limit: it is not won; otherwise it is open.
    is_bounded: bool,
    /// Results by everything that they depend on.
    known: HashMap<u64, Result<bool, Open>>,
    /// How often a move was right, by its index: such moves are tried first.
    merits: Vec<u32>,
    /// The positions of the line, the root first, with their hashes.
    path: Vec<(P, u64)>,
    effort: Effort,
}

impl<'a, P: Position, T: Probe<P>> Prover<'a, P, T> {
    /// A prover that may visit `limit` nodes.
    fn new(tables: &'a T, adviser: &'a mut Adviser<'a, P>, is_stopped: &'a dyn Fn() -> bool, limit: u64) -> Self {
        Prover {
            tables,
            adviser,
            is_stopped,
            limit,
            prover: Side::First,
            claim: Claim::Win,
            is_bounded: false,
            known: HashMap::new(),
            merits: vec![0; P::MOVE_INDICES],
            path: Vec::new(),
            effort: Effort::default(),
        }
    }

    /// The effort of all proofs so far.
    fn effort(&self) -> Effort {
        self.effort
    }

    /// Whether `prover` can force `claim` after `mv`, within `plies` more plies if given: a game that goes on then is not won. A lead
    /// needs that limit.
    ///
    /// # Errors
    /// [`Open`] if it is undecided.
    fn holds(&mut self, root: &P, mv: P::Move, prover: Side, claim: Claim, plies: Option<u32>) -> Result<bool, Open> {
        if (self.prover, self.claim) != (prover, claim) {
            (self.prover, self.claim) = (prover, claim);
            self.known.clear();
        }
        self.is_bounded = plies.is_some();
        let next = root.after(mv);
        let is_irreversible = root.is_irreversible(&next);
        self.path = if is_irreversible { Vec::new() } else { vec![(root.clone(), root.hash())] };
        match plies.or_else(|| next.plies_left()) {
            Some(plies) => self.node(&next, is_irreversible, 0, 1, plies),
            None => {
                let mut depths = (FIRST_DEPTH..=LAST_DEPTH).step_by(DEEPER);
                depths.find_map(|plies| self.node(&next, is_irreversible, 0, 1, plies).ok()).ok_or(Open)
            }
        }
    }

    /// Whether the claim holds in `position`. The positions of `path` from `since` on can still repeat.
    fn node(
        &mut self,
        position: &P,
        is_irreversible: bool,
        since: usize,
        depth: u32,
        plies: u32,
    ) -> Result<bool, Open> {
        self.effort.nodes += 1;
        self.effort.depth = self.effort.depth.max(depth);
        if self.effort.nodes >= self.limit
            || self.effort.nodes.is_multiple_of(NODES_BETWEEN_LOOKS) && (self.is_stopped)()
        {
            return Err(Open);
        }
        let mut moves = Vec::new();
        let hash = position.hash();
        let outcome = position.status(&mut moves).or_else(|| {
            let earlier = self.path[since..].iter().filter(|(_, earlier)| *earlier == hash).count();
            position.outcome_by_history(|| earlier as u32 + 1 >= P::OCCURRENCES)
        });
        if let Some(outcome) = outcome {
            return Ok(self.is_met_by(outcome));
        }
        let goes_on = matches!(self.claim, Claim::Lead(_)) && position.must_capture();
        if plies == 0 && !goes_on {
            return if self.is_bounded { Ok(self.is_met_at_limit(position)) } else { Err(Open) };
        }
        if is_irreversible
            && !self.is_bounded
            && let Some(told) = self.told_by_tables(position)
        {
            return Ok(told);
        }
        let key = self.key(position, hash, since, plies);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        self.path.push((position.clone(), hash));
        let held = if position.side_to_move() == self.prover {
            self.one_move(position, moves, since, depth, plies)
        } else {
            self.all_moves(position, moves, since, depth, plies)
        };
        self.path.pop();
        self.known.insert(key, held);
        held
    }

    /// Whether one of the prover's moves keeps the claim.
    fn one_move(
        &mut self,
        position: &P,
        mut moves: Vec<P::Move>,
        since: usize,
        depth: u32,
        plies: u32,
    ) -> Result<bool, Open> {
        self.sort(&mut moves);
        if moves.len() >= WIDE {
            for &mv in &moves {
                self.effort.nodes += 1;
                if position.after(mv).outcome().is_some_and(|outcome| self.is_met_by(outcome)) {
                    self.praise(mv);
                    return Ok(true);
                }
            }
            if !self.is_bounded {
                let advised = (self.adviser)(position).ok_or(Open)?;
                let held = self.child(position, advised, since, depth, plies)?;
                return if held { Ok(true) } else { Err(Open) };
            }
        }
        let mut is_open = false;
        for mv in moves {
            match self.child(position, mv, since, depth, plies) {
                Ok(true) => {
                    self.praise(mv);
                    return Ok(true);
                }
                Ok(false) => {}
                Err(Open) => is_open = true,
            }
        }
        if is_open { Err(Open) } else { Ok(false) }
    }

    /// Whether the claim holds against all moves of the other side.
    fn all_moves(
        &mut self,
        position: &P,
        mut moves: Vec<P::Move>,
        since: usize,
        depth: u32,
        plies: u32,
    ) -> Result<bool, Open> {
        self.sort(&mut moves);
        let is_wide = moves.len() >= WIDE;
        let mut is_open = false;
        for mv in moves {
            match self.child(position, mv, since, depth, plies) {
                Ok(true) => {}
                Ok(false) => {
                    self.praise(mv);
                    return Ok(false);
                }
                // With very many moves, hardly any refutes a claim for certain.
                Err(Open) if is_wide => return Err(Open),
                Err(Open) => is_open = true,
            }
        }
        if is_open { Err(Open) } else { Ok(true) }
    }

    fn child(&mut self, position: &P, mv: P::Move, since: usize, depth: u32, plies: u32) -> Result<bool, Open> {
        let next = position.after(mv);
        let is_irreversible = position.is_irreversible(&next);
        let since = if is_irreversible { self.path.len() } else { since };
        self.node(&next, is_irreversible, since, depth + 1, plies.saturating_sub(1))
    }

    fn is_met_by(&self, outcome: Outcome) -> bool {
        match outcome {
            Outcome::Draw => self.claim == Claim::NoLoss,
            Outcome::Win(side) => side == self.prover,
        }
    }

    /// Whether the claim holds where the game goes on and the search ends.
    fn is_met_at_limit(&self, position: &P) -> bool {
        match self.claim {
            Claim::NoLoss => true,
            Claim::Win => false,
            Claim::Lead(least) => position.captured_lead().is_some_and(|lead| {
                let own = if position.side_to_move() == self.prover { lead } else { -lead };
                own >= least
            }),
        }
    }

    /// The claim's result by endgame tables.
    fn told_by_tables(&self, position: &P) -> Option<bool> {
        let balance = self.tables.balance(position)?;
        let is_own = position.side_to_move() == self.prover;
        let (low, high) = if is_own { (balance.low, balance.high) } else { (-balance.high, -balance.low) };
        let least = match self.claim {
            Claim::NoLoss => 0,
            // Never asked for a lead, which has a limit.
            Claim::Win | Claim::Lead(_) => 1,
        };
        if low >= least {
            Some(true)
        } else if high < least {
            Some(false)
        } else {
            None
        }
    }

    /// The key of a result: position, depth limit, earlier positions that can repeat, and the count of plies.
    fn key(&self, position: &P, hash: u64, since: usize, plies: u32) -> u64 {
        let earlier = self.path[since..].iter().filter(|(earlier, _)| position.may_return_to(earlier, plies));
        let line = earlier.fold(0_u64, |sum, (_, earlier)| sum.wrapping_add(mix64(!earlier)));
        let left = position.reversible_plies_left().map_or(0, |left| u64::from(left) + 1);
        hash ^ mix64(line ^ mix64(left << 32 | u64::from(plies)))
    }

    /// Orders moves by how often they were right.
    fn sort(&self, moves: &mut [P::Move]) {
        if !self.merits.is_empty() {
            sort_few(moves, |&mv| std::cmp::Reverse(self.merits[P::move_index(mv)]));
        }
    }

    fn praise(&mut self, mv: P::Move) {
        if let Some(merit) = self.merits.get_mut(P::move_index(mv)) {
            *merit = merit.saturating_add(1);
        }
    }
}
