//! The techniques of the full search, by name, so that each can be switched off and measured.
//!
//! Layer 3. All are on by default. Without any of them the search is plain fail-soft alpha-beta. In every case proven results
//! are true, and with [`super::Task::selective`] off the value at a depth is the same.

use std::fmt;
use std::str::FromStr;

/// One thing that makes the full search faster or stronger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Technique {
    /// Cutoffs by the transposition table.
    TtCutoffs,
    /// Tries the move first that the transposition table remembers.
    HashMove,
    /// Looks mirrored and turned positions up as one.
    Symmetry,
    /// Principal variation search: asks after all moves but the first by a zero window.
    Pvs,
    /// Aspiration windows: looks for the value of an iteration near that of an earlier one.
    Aspiration,
    /// Looks at every second depth only, on the way to the depth that was asked for. Not with [`super::Task::selective`] on, and
    /// not without such a depth.
    DoubleSteps,
    /// Tries moves first by the scores that the game gives them ([`crate::game::Expertise::score_moves`]).
    MoveScores,
    /// Leaves out moves that the game calls dominated. Not without [`Technique::StaticKnowledge`]: the game may judge by it.
    Dominated,
    /// Killer moves: tries quiet moves early that refuted a sister node.
    Killers,
    /// History heuristic: tries quiet moves by how often they were good elsewhere in the tree.
    History,
    /// Takes values from the game that need no search ([`crate::game::Expertise::static_knowledge`]).
    StaticKnowledge,
    /// Late move reductions. Not with [`super::Task::selective`] off.
    Lmr,
    /// Internal iterative reductions: searches nodes without a hash move one ply less deep. Not with [`super::Task::selective`]
    /// off.
    Iir,
    /// Reverse futility pruning: gives up nodes whose static evaluation is far above beta
    /// ([`crate::game::Expertise::futility_margin`]). Not with [`super::Task::selective`] off.
    ReverseFutility,
    /// Razoring: gives up nodes whose static evaluation is far below alpha ([`crate::game::Expertise::razoring_margin`]). Not with
    /// [`super::Task::selective`] off.
    Razoring,
    /// Null move pruning: gives up nodes that are too good even if the turn passes ([`crate::game::Position::null_move`]). Not with
    /// [`super::Task::selective`] off.
    NullMove,
    /// Looks one ply further where the side to move must answer ([`crate::game::Expertise::must_answer`]): check extensions. Not
    /// with [`super::Task::selective`] off.
    Extensions,
    /// Late move pruning, futility pruning and delta pruning: leaves moves out near the leaves
    /// ([`crate::game::Expertise::PRUNES_MOVES`]). Not with [`super::Task::selective`] off.
    MovePruning,
    /// Quiescence search: goes on at leaves through noisy moves ([`crate::game::Expertise::QUIESCES`]). Not with
    /// [`super::Task::selective`] off.
    Quiescence,
    /// Lets the game choose the moves of a node and tell what it foresees ([`crate::game::Expertise::candidates`]). Not with
    /// [`super::Task::selective`] off.
    Candidates,
    /// Lets the game prove wins by its own means, and looks to the end of the game when it is near. Not with
    /// [`super::Task::selective`] off.
    Proofs,
}

impl Technique {
    /// Every technique.
    pub const ALL: [Technique; 21] = [
        Technique::TtCutoffs,
        Technique::HashMove,
        Technique::Symmetry,
        Technique::Pvs,
        Technique::Aspiration,
        Technique::DoubleSteps,
        Technique::MoveScores,
        Technique::Dominated,
        Technique::Killers,
        Technique::History,
        Technique::StaticKnowledge,
        Technique::Lmr,
        Technique::Iir,
        Technique::ReverseFutility,
        Technique::Razoring,
        Technique::NullMove,
        Technique::Extensions,
        Technique::MovePruning,
        Technique::Quiescence,
        Technique::Candidates,
        Technique::Proofs,
    ];

    /// Those that search some nodes less deep than others.
    pub(super) const REDUCING: [Technique; 8] = [
        Technique::Lmr,
        Technique::Iir,
        Technique::ReverseFutility,
        Technique::Razoring,
        Technique::NullMove,
        Technique::Extensions,
        Technique::MovePruning,
        Technique::Candidates,
    ];

    /// The name users know it by.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Technique::TtCutoffs => "tt-cutoffs",
            Technique::HashMove => "hash-move",
            Technique::Symmetry => "symmetry",
            Technique::Pvs => "pvs",
            Technique::Aspiration => "aspiration",
            Technique::DoubleSteps => "double-steps",
            Technique::MoveScores => "move-scores",
            Technique::Dominated => "dominated",
            Technique::Killers => "killers",
            Technique::History => "history",
            Technique::StaticKnowledge => "static-knowledge",
            Technique::Lmr => "lmr",
            Technique::Iir => "iir",
            Technique::ReverseFutility => "reverse-futility",
            Technique::Razoring => "razoring",
            Technique::NullMove => "null-move",
            Technique::Extensions => "extensions",
            Technique::MovePruning => "move-pruning",
            Technique::Quiescence => "quiescence",
            Technique::Candidates => "candidates",
            Technique::Proofs => "proofs",
        }
    }
}

impl fmt::Display for Technique {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Technique {
    type Err = String;

    fn from_str(text: &str) -> Result<Technique, String> {
        let known = || Technique::ALL.map(Technique::name).join(", ");
        let found = Technique::ALL.into_iter().find(|technique| technique.name() == text);
        found.ok_or_else(|| format!("no technique '{text}'; there are {}", known()))
    }
}

/// A set of techniques.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Techniques(u32);

impl Techniques {
    /// All of them.
    pub const ALL: Techniques = Techniques(u32::MAX);

    /// The same without this one.
    ///
    /// # Examples
    /// ```
    /// use griot::search::{Technique, Techniques};
    ///
    /// let techniques = Techniques::ALL.without(Technique::History);
    /// assert!(!techniques.has(Technique::History) && techniques.has(Technique::Killers));
    /// ```
    #[must_use]
    pub const fn without(self, technique: Technique) -> Techniques {
        Techniques(self.0 & !(1 << technique as u8))
    }

    /// Whether it is among them.
    #[inline]
    #[must_use]
    pub const fn has(self, technique: Technique) -> bool {
        self.0 >> technique as u8 & 1 == 1
    }
}

impl Default for Techniques {
    fn default() -> Techniques {
        Techniques::ALL
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_technique_is_found_by_its_name_and_left_out_alone() {
        for technique in Technique::ALL {
            assert_eq!(technique.name().parse(), Ok(technique));
            let rest = Techniques::ALL.without(technique);
            for other in Technique::ALL {
                assert_eq!(rest.has(other), other != technique, "{other} without {technique}");
            }
        }
        let error = "futility".parse::<Technique>().unwrap_err();
        assert!(error.starts_with("no technique 'futility'; there are tt-cutoffs, hash-move,"), "{error}");
    }
}
