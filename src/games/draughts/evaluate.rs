//! Evaluation, move ordering and quiescence of draughts.
//!
//! Layer 2. Hundredths of a man, for the side to move. A capture is forced, so a position with one has no value of its own: the
//! search plays captures out ([`game::Pruning::must_answer`]).

use std::sync::Arc;

use super::board::{Move, Position, crowned};
use super::patterns::Patterns;
use super::rule_sets::{Color, Goal};
use crate::game::{self, Expertise, Position as _, Pruning, Solving, Threats};
use crate::score::Score;

/// The value of a man, and of a king that flies or does not.
const MAN: i32 = 100;
const FLYING: i32 = 300;
const SHORT: i32 = 140;

/// A king that does not stand on the border.
const INNER_KING: i32 = 8;

/// Of a lead, so many parts are one part more when no piece is left.
const TRADES: i32 = 4;

/// The evaluation: by patterns ([`Patterns`]) where there are weights, else by counts of men, kings, and where they stand.
#[derive(Debug, Clone, Default)]
pub struct Evaluate {
    patterns: Option<Arc<Patterns>>,
}

fn count(bits: u64) -> i32 {
    bits.count_ones() as i32
}

impl Evaluate {
    /// The evaluation with the weights that come with the crate.
    #[must_use]
    pub fn fitted(kind: u8) -> Evaluate {
        Evaluate { patterns: Patterns::fitted(kind) }
    }

    /// The evaluation with these weights.
    #[must_use]
    pub fn new(patterns: Patterns) -> Evaluate {
        Evaluate { patterns: Some(Arc::new(patterns)) }
    }

    /// The value for White, by counts.
    fn value(position: &Position) -> i32 {
        let rules = position.rules();
        let king = if rules.flying { FLYING } else { SHORT };
        let rows = rules.size as i32;
        let mut value = 0;
        for (color, sign) in [(Color::White, 1), (Color::Black, -1)] {
            let (men, kings) = (position.men(color), position.kings_of(color));
            let mut own = MAN * count(men) + king * count(kings);
            // Men that have come far, and those that guard the own first row.
            let mut rest = men;
            let pair = rules.size + 3;
            while rest != 0 {
                let bit = rest.trailing_zeros();
                rest &= rest - 1;
                let row = (2 * (bit / pair) + u32::from(bit % pair > rules.size / 2)) as i32;
                own += if color == Color::White { rows - 1 - row } else { row };
            }
            own += 5 * count(men & position.crown_row(color.other()));
            let [left, right] = position.steps(color);
            own += 2 * (count(left) + count(right));
            own += INNER_KING * count(kings & position.inner_squares());
            value += sign * own;
        }
        // A lead weighs more the fewer pieces there are: the leader trades.
        let pieces = count(position.pieces[0] | position.pieces[1]);
        let all = (rules.rows * rules.size) as i32;
        value + value * (all - pieces) / (TRADES * all)
    }
}

impl Expertise<Position> for Evaluate {
    type State = ();

    fn score_moves(&self, position: &Position, (): &(), _depth: u32, moves: &[Move], scores: &mut [i32]) {
        for (score, &mv) in scores.iter_mut().zip(moves) {
            let kings = (mv.taken & position.kings).count_ones() as i32;
            *score = if mv.is_capture() || mv.crowns {
                1 + 8 * count(mv.taken) + 8 * kings + 4 * i32::from(mv.crowns)
            } else {
                0
            };
        }
    }
}

impl Pruning<Position> for Evaluate {
    const QUIESCES: bool = true;
    const PRUNES_MOVES: bool = true;
    const PRUNES_BOLDLY: bool = true;

    /// Captures are too many: without an extension a tree is a quarter as large.
    const EXTENDS_ANSWERS: bool = false;

    fn must_answer(&self, position: &Position) -> bool {
        position.can_capture()
    }

    fn forces(&self, position: &Position, mv: Move) -> bool {
        position.after(mv).can_capture()
    }

    /// Captures, or else moves that crown a man.
    fn noisy_moves(&self, position: &Position, moves: &mut Vec<Move>) {
        if position.can_capture() {
            position.generate(moves);
        } else if crowned(position).is_none() {
            position.crownings(moves);
        }
    }

    fn futility_margin(&self) -> Option<i32> {
        Some(60)
    }
}

impl Threats<Position> for Evaluate {}
impl Solving<Position> for Evaluate {}

impl game::Evaluate<Position> for Evaluate {
    fn evaluate(&self, position: &Position) -> Score {
        let value = match &self.patterns {
            Some(patterns) if patterns.size() == position.rules().size => patterns.value(position),
            _ if position.rules().goal == Goal::Lose => -Evaluate::value(position),
            _ => Evaluate::value(position),
        };
        Score::units(if position.turn == Color::White { value } else { -value })
    }

    fn is_noisy(&self, _position: &Position, mv: Move) -> bool {
        mv.is_capture() || mv.crowns
    }

    /// An empty file stands for the evaluation by counts.
    fn with_weights(&self, file: &[u8]) -> Result<Evaluate, String> {
        if file.is_empty() {
            return Ok(Evaluate { patterns: None });
        }
        let known = [8, 10].map(|size| Patterns::read(size, file));
        let error = match &known {
            [Err(small), Err(large)] => format!("{small}; {large}"),
            _ => String::new(),
        };
        known.into_iter().find_map(Result::ok).map(Evaluate::new).ok_or(error)
    }

    fn material(&self, position: &Position) -> i32 {
        MAN * position.lead()
    }
}
