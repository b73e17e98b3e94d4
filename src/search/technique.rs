//! The techniques of the full search. Each can be switched off by name and measured.
//!
//! Layer 3. All are on by default. With none of them, the search is plain fail-soft alpha-beta. Proven results are true
//! with any set of techniques, and with [`super::Task::selective`] off the value at a depth does not depend on the set.

use std::fmt;
use std::str::FromStr;

/// A technique of the full search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Technique {
    /// Cutoffs by the transposition table.
    TtCutoffs,
    /// Searches the hash move first.
    HashMove,
    /// Symmetric positions share an entry of the transposition table.
    Symmetry,
    /// Principal variation search: searches all moves but the first with a zero window.
    Pvs,
    /// Aspiration windows: searches an iteration with a window around the value of an earlier one.
    Aspiration,
    /// Searches only every second depth on the way to the requested depth. Only with [`super::Task::selective`] off and
    /// a requested depth.
    DoubleSteps,
    /// Orders moves by the scores that the game gives them ([`crate::game::Expertise::score_moves`]).
    MoveScores,
    /// Leaves out moves that the game calls dominated. Not without [`Technique::StaticKnowledge`], which the game may
    /// use to judge.
    Dominated,
    /// Killer moves: searches quiet moves early that refuted a sibling node.
    Killers,
    /// History heuristic: orders quiet moves by how often they caused cutoffs elsewhere in the tree.
    History,
    /// Uses values from the game that need no search ([`crate::game::Expertise::static_knowledge`]).
    StaticKnowledge,
    /// Late move reductions. Not with [`super::Task::selective`] off.
    Lmr,
    /// Internal iterative reductions: searches nodes without a hash move one ply less deep. Not with [`super::Task::selective`]
    /// off.
    Iir,
    /// Reverse futility pruning: prunes nodes whose static evaluation is far above beta
    /// ([`crate::game::Pruning::futility_margin`]). Not with [`super::Task::selective`] off.
    ReverseFutility,
    /// Razoring: prunes nodes whose static evaluation is far below alpha ([`crate::game::Pruning::razoring_margin`]).
    /// Not with [`super::Task::selective`] off.
    Razoring,
    /// `ProbCut`: prunes nodes of which a search half as deep says that their value is far outside the window
    /// ([`crate::game::Pruning::deviation`]). Not with [`super::Task::selective`] off.
    ProbCut,
    /// Null move pruning: prunes nodes that fail high even if the side to move passes
    /// ([`crate::game::Position::null_move`]). Not with [`super::Task::selective`] off.
    NullMove,
    /// Check extensions: searches one ply deeper where the side to move must answer
    /// ([`crate::game::Pruning::must_answer`]). Not with [`super::Task::selective`] off.
    Extensions,
    /// Singular extensions: searches a hash move one ply deeper if no other move comes near it
    /// ([`crate::game::Pruning::singular_margin`]). Not with [`super::Task::selective`] off.
    Singular,
    /// Correction history: corrects the evaluation by the errors of earlier nodes that are alike in part
    /// ([`crate::game::Pruning::parts_that_err`]). Not with [`super::Task::selective`] off.
    Correction,
    /// Late move pruning, futility pruning and delta pruning: prunes moves near the leaves
    /// ([`crate::game::Pruning::PRUNES_MOVES`]). Not with [`super::Task::selective`] off.
    MovePruning,
    /// Quiescence search: searches noisy moves at the leaves ([`crate::game::Pruning::QUIESCES`]). Not with
    /// [`super::Task::selective`] off.
    Quiescence,
    /// Lets the game choose the moves of a node ([`crate::game::Threats::candidates`]) and use its threat_result. Not
    /// with [`super::Task::selective`] off.
    Candidates,
    /// Uses the game's own proofs and solver, and searches to the end of the game when it is near. Not with
    /// [`super::Task::selective`] off.
    Proofs,
}

impl Technique {
    /// Every technique.
    pub const ALL: [Technique; 24] = [
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
        Technique::ProbCut,
        Technique::NullMove,
        Technique::Extensions,
        Technique::Singular,
        Technique::Correction,
        Technique::MovePruning,
        Technique::Quiescence,
        Technique::Candidates,
        Technique::Proofs,
    ];

    /// Those that change the depth of some nodes or leave moves out.
    pub(super) const REDUCING: [Technique; 10] = [
        Technique::Lmr,
        Technique::Iir,
        Technique::ReverseFutility,
        Technique::Razoring,
        Technique::ProbCut,
        Technique::NullMove,
        Technique::Extensions,
        Technique::Singular,
        Technique::MovePruning,
        Technique::Candidates,
    ];

    /// The name in options and messages.
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
            Technique::ProbCut => "probcut",
            Technique::NullMove => "null-move",
            Technique::Extensions => "extensions",
            Technique::Singular => "singular",
            Technique::Correction => "correction",
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

    /// The set without `technique`.
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

    /// Whether `technique` is in the set.
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
