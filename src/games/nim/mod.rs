//! Nim: heaps of matches; a move takes some from one heap, and the last match decides.
//!
//! Layer 2: knows [`crate::game`] and [`crate::score`] only. By default one heap of 21, one to three matches a move, and
//! the player who takes the last match loses (misère); heaps, the most a move may take and the meaning of the last match are
//! [`Parameters`]. Every position is solved by a formula (`theory.rs`). Sides: player 1 is `First`, player 2 `Second`.
//!
//! CITE: J. David, "Comment faire jouer un programme à un jeu de société ?" (the one-heap game, its counts of games and
//! nodes); C. Bouton, "Nim, a game with a complete mathematical theory", 1901.

mod family;
mod notation;
mod theory;

pub use family::Nim;
pub use notation::{NimNotation, Parameters};
pub use theory::{NimEvaluation, NimTheory};

use crate::game::{Game, Outcome, Position, Side, mix64};

/// The most heaps a game may have: they are named `a` to `z`.
pub const MAX_HEAPS: usize = 26;
/// The most matches one heap may have.
pub const MAX_HEAP: u32 = 4_000_000_000;
/// The most moves a position may have, as the search numbers moves in 16 bits. Every node of a line stores a list of
/// them.
pub const MAX_MOVES: u64 = u16::MAX as u64;

/// Nim with these parameters, with its full theory.
#[must_use]
pub fn game(parameters: Parameters) -> Game<NimNotation, NimEvaluation, NimTheory> {
    Game { name: parameters.name(), notation: NimNotation::new(parameters), evaluate: NimEvaluation, probe: NimTheory }
}

/// What a move may take, and the meaning of the last match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Rule {
    /// The most matches a move may take; [`Rule::ANY`] when there is no limit.
    most: u32,
    /// Whether the player who takes the last match wins.
    last_wins: bool,
}

impl Rule {
    /// The value of `most` without a limit: above every heap.
    const ANY: u32 = u32::MAX;
}

/// Heaps, rule and player to move.
///
/// INVARIANT: entries of `heaps` from `count` on are 0, so that the derived equality is that of positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NimPosition {
    heaps: [u32; MAX_HEAPS],
    count: u8,
    side: Side,
    rule: Rule,
}

/// A number of matches taken from one heap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NimMove {
    heap: u8,
    take: u32,
}

impl NimPosition {
    /// The heaps, including empty ones.
    #[must_use]
    pub fn heaps(&self) -> &[u32] {
        &self.heaps[..usize::from(self.count)]
    }

    /// The number of legal moves.
    fn choices(&self) -> u64 {
        self.heaps().iter().map(|&heap| u64::from(heap.min(self.rule.most))).sum()
    }
}

impl Position for NimPosition {
    type Move = NimMove;

    fn side_to_move(&self) -> Side {
        self.side
    }

    fn outcome(&self) -> Option<Outcome> {
        if self.heaps().iter().any(|&heap| heap > 0) {
            return None;
        }
        // The opponent took the last match.
        let winner = if self.rule.last_wins { self.side.other() } else { self.side };
        Some(Outcome::Win(winner))
    }

    fn generate(&self, moves: &mut Vec<NimMove>) {
        for (heap, &size) in (0..).zip(self.heaps()) {
            moves.extend((1..=size.min(self.rule.most)).map(|take| NimMove { heap, take }));
        }
    }

    fn play(&mut self, mv: NimMove) {
        self.heaps[usize::from(mv.heap)] -= mv.take;
        self.side = self.side.other();
    }

    fn after_pass(&self) -> Option<NimPosition> {
        Some(NimPosition { side: self.side.other(), ..*self })
    }

    fn hash(&self) -> u64 {
        let rule = u64::from(self.rule.most) << 2 | u64::from(self.rule.last_wins) << 1 | self.side.index() as u64;
        self.heaps().iter().fold(mix64(rule), |key, &heap| mix64(key ^ u64::from(heap)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Notation, conformance};

    fn start(parameters: &str) -> NimPosition {
        game(Parameters::parse(parameters).unwrap()).notation.start()
    }

    fn moves(position: &NimPosition) -> Vec<NimMove> {
        let mut moves = Vec::new();
        position.generate(&mut moves);
        moves
    }

    #[test]
    fn a_move_takes_one_to_three_and_never_more_than_the_heap_has() {
        let takes = |name| moves(&start(name)).iter().map(|mv| mv.take).collect::<Vec<_>>();
        assert_eq!(takes("21"), [1, 2, 3]);
        assert_eq!(takes("2"), [1, 2]);
        assert_eq!(takes("5,take=any"), [1, 2, 3, 4, 5]);
        assert_eq!(takes("5,take=1"), [1]);
    }

    #[test]
    fn moves_come_heap_by_heap_and_small_before_large() {
        let order: Vec<(u8, u32)> = moves(&start("2-0-4")).iter().map(|mv| (mv.heap, mv.take)).collect();
        assert_eq!(order, [(0, 1), (0, 2), (2, 1), (2, 2), (2, 3)]);
        assert_eq!(moves(&start("65535,take=any")).len(), 65_535);
    }

    #[test]
    fn a_move_empties_its_heap_only_and_passes_the_turn() {
        let after = start("3-4-5").after(NimMove { heap: 1, take: 3 });
        assert_eq!(after.heaps(), [3, 1, 5]);
        assert_eq!(after.side_to_move(), Side::Second);
        assert_eq!(after.outcome(), None);
    }

    #[test]
    fn the_last_match_loses_or_wins_by_the_rule() {
        let last = NimMove { heap: 0, take: 2 };
        assert_eq!(start("2").after(last).outcome(), Some(Outcome::Win(Side::Second)));
        assert_eq!(start("2,normal").after(last).outcome(), Some(Outcome::Win(Side::First)));
        assert_eq!(start("0").outcome(), Some(Outcome::Win(Side::First)));
        assert_eq!(start("0-0,normal").outcome(), Some(Outcome::Win(Side::Second)));
    }

    #[test]
    fn hashes_tell_heaps_sides_and_rules_apart() {
        let positions = [
            start("3-4"),
            start("4-3"),
            start("3-4-0"),
            start("3-4,normal"),
            start("3-4,take=any"),
            start("3-5").after(NimMove { heap: 1, take: 1 }),
        ];
        for (i, a) in positions.iter().enumerate() {
            for (j, b) in positions.iter().enumerate() {
                assert_eq!(a == b, i == j);
                assert_eq!(a.hash() == b.hash(), i == j, "{a:?} and {b:?}");
            }
        }
    }

    #[test]
    fn every_parameter_set_keeps_the_laws_of_a_game() {
        for parameters in
            ["", "0", "1", "7", "40,take=6", "30,take=any,normal", "3-4-5", "3-4-5,take=any,normal", "1-0-2-3-1-2-9"]
        {
            let game = game(Parameters::parse(parameters).unwrap());
            let report = conformance::check(&game, 3, 40).unwrap();
            assert_eq!(report.games, 40, "{parameters}");
        }
    }
}
