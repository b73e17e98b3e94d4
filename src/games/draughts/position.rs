//! The rules as the trait [`game::Position`]: results, repetition, counts, indices. Layer 2.

use super::board::{Move, Position, crowned};
use super::rule_sets::{Color, Goal};
use crate::game::{self, Outcome, Side};

/// The numbers of bits of a square, and of ordinals that have an index of their own.
const BITS: usize = 64;
const ORDINALS: usize = 16;

impl Position {
    /// The side that plays a colour.
    #[must_use]
    pub fn side_of(&self, color: Color) -> Side {
        if color == self.rules().first { Side::First } else { Side::Second }
    }

    /// The colour that a side plays.
    #[must_use]
    pub fn color_of(&self, side: Side) -> Color {
        let first = self.rules().first;
        if side == Side::First { first } else { first.other() }
    }

    /// The result where the side to move cannot move.
    fn blocked(&self) -> Outcome {
        let loses = self.rules().goal != Goal::Lose;
        let side = self.side_of(self.turn);
        Outcome::Win(if loses { side.other() } else { side })
    }

    /// What the side to move has more of, in men: a king counts two, or three where it flies.
    pub(super) fn lead(&self) -> i32 {
        let king = if self.rules().flying { 3 } else { 2 };
        let of = |color| (self.men(color).count_ones() + king * self.kings_of(color).count_ones()) as i32;
        of(self.turn) - of(self.turn.other())
    }

    /// The pieces of both that move in one direction alone.
    fn all_men(&self) -> u64 {
        (self.pieces[0] | self.pieces[1]) & !self.kings
    }
}

impl game::Position for Position {
    type Move = Move;

    const OCCURRENCES: u32 = 3;
    const ENDS_WITHOUT_MOVES: bool = true;
    const MIN_CYCLE: u32 = 4;
    const MOVE_INDICES: usize = ORDINALS * BITS * BITS;

    /// The number among moves with the same ends, from, and to. Moves beyond the sixteenth share its index.
    fn move_index(mv: Move) -> usize {
        let ordinal = usize::from(mv.ordinal).min(ORDINALS - 1);
        (ordinal * BITS + usize::from(mv.from)) * BITS + usize::from(mv.to)
    }

    const LANDINGS: usize = 2 * BITS;

    /// Man or king, and the square that it reaches.
    fn landing(&self, mv: Move) -> usize {
        let is_king = usize::from(self.kings >> mv.from & 1 == 1);
        is_king * BITS + usize::from(mv.to)
    }

    fn side_to_move(&self) -> Side {
        self.side_of(self.turn)
    }

    fn outcome(&self) -> Option<Outcome> {
        if let Some(winner) = crowned(self) {
            return Some(Outcome::Win(self.side_of(winner)));
        }
        (!self.can_move()).then(|| self.blocked())
    }

    fn generate(&self, moves: &mut Vec<Move>) {
        if crowned(self).is_none() {
            self.moves(moves);
        }
    }

    fn count(&self, moves: &mut Vec<Move>) -> usize {
        if crowned(self).is_some() { 0 } else { self.number_of_moves(moves) }
    }

    fn count_two(&self, moves: &mut Vec<Move>) -> Option<u64> {
        Some(if crowned(self).is_some() { 0 } else { self.number_of_pairs(moves) })
    }

    fn play(&mut self, mv: Move) {
        self.apply(mv);
    }

    fn after_pass(&self) -> Option<Position> {
        Some(Position { turn: self.turn.other(), ..*self })
    }

    fn hash(&self) -> u64 {
        self.key()
    }

    /// A capture, and a man's move outside of endings that count those, too.
    fn is_irreversible(&self, next: &Position) -> bool {
        let other = self.turn.other() as usize;
        next.quiet == 0 && (self.pieces[other] != next.pieces[other] || self.all_men() != next.all_men())
    }

    /// By the pieces left; not where the goal is to lose them.
    fn captured_lead(&self) -> Option<i32> {
        (self.rules().goal != Goal::Lose).then(|| self.lead())
    }

    fn must_capture(&self) -> bool {
        crowned(self).is_none() && self.can_capture()
    }

    fn reversible_plies_left(&self) -> Option<u32> {
        Some(self.plies_to_draw())
    }

    /// Men do not come back, and a ply brings at most one king of one side back.
    fn may_return_to(&self, earlier: &Position, plies: u32) -> bool {
        let away = |color: Color| (self.kings_of(color) & !earlier.kings_of(color)).count_ones();
        self.all_men() == earlier.all_men()
            && away(self.turn) <= plies.div_ceil(2)
            && away(self.turn.other()) <= plies / 2
    }

    fn outcome_by_repetition(&self) -> Option<Outcome> {
        Some(Outcome::Draw)
    }
}
