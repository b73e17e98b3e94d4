//! Evaluation and move ordering of chess.
//!
//! Layer 2. The value is the network's ([`super::network`]); against a bare king, the way to the mate counts, too. Hundredths
//! of a pawn, for the side to move.

use std::sync::Arc;

use cozy_chess::{Board, Color, Move, Piece, Square};

use super::network::{self, Network, State};
use super::rules::{Position, VALUES, piece_at};
use crate::game::{self, Expertise, Position as _};
use crate::score::Score;

/// Progress towards the mate of a bare king by pieces that can mate, for the side to move: the bare king near the edge,
/// the other king beside it.
fn drive(board: &Board) -> i32 {
    for side in Color::ALL.into_iter().filter(|&side| board.colors(!side).len() == 1) {
        let of = |piece| board.colored_pieces(side, piece);
        if !(of(Piece::Rook) | of(Piece::Queen)).is_empty() || (of(Piece::Knight) | of(Piece::Bishop)).len() >= 2 {
            let place = |king: Square| [king.file() as i32, king.rank() as i32];
            let (theirs, own) = (place(board.king(!side)), place(board.king(side)));
            let edge = 6 - theirs.map(|at| at.min(7 - at)).into_iter().sum::<i32>();
            let near = 7 - theirs.into_iter().zip(own).map(|(a, b)| (a - b).abs()).fold(0, i32::max);
            let value = 40 * edge + 20 * near;
            return if side == board.side_to_move() { value } else { -value };
        }
    }
    0
}

/// The evaluation of chess.
#[derive(Debug, Clone)]
pub struct Evaluate {
    network: Arc<Network>,
}

impl Default for Evaluate {
    fn default() -> Evaluate {
        Evaluate { network: network::fitted() }
    }
}

/// The score of a losing capture: below all other moves, and of greater magnitude than any gain.
const LOSING: i32 = -(1 << 15);

/// The values of the captured piece and of the promotion.
fn gain(position: &Position, mv: Move) -> i32 {
    [position.victim(mv), mv.promotion].into_iter().flatten().map(|piece| VALUES[piece as usize]).sum()
}

/// The score of a capture for move ordering: the most valuable victim first, then the least valuable attacker.
fn capture_score(position: &Position, mv: Move) -> i32 {
    8 * gain(position, mv) - piece_at(position.board(), mv.from) as i32
}

impl Expertise<Position> for Evaluate {
    type State = State;

    const QUIESCES: bool = true;
    const PRUNES_MOVES: bool = true;

    fn state(&self, position: &Position) -> State {
        network::state(&self.network, position.board())
    }

    fn next_state(&self, state: &State, position: &Position, mv: Move, next: &Position) -> State {
        network::next_state(&self.network, state, position, mv, next.board())
    }

    /// The sums of a side do not depend on the side to move.
    fn passed_state(&self, state: &State, _passed: &Position) -> State {
        *state
    }

    fn score_moves(&self, position: &Position, _state: &Self::State, depth: u32, moves: &[Move], scores: &mut [i32]) {
        // The moves come from `noisy_moves`, which has tested their exchanges.
        let are_chosen = depth == 0 && !self.must_answer(position);
        for (score, &mv) in scores.iter_mut().zip(moves) {
            *score = match game::Evaluate::is_noisy(self, position, mv) {
                _ if are_chosen => 1 + capture_score(position, mv),
                false if mv.promotion.is_some() => LOSING,
                false => 0,
                true if position.exchange_wins(mv, 0) => 1 + capture_score(position, mv),
                true => LOSING + capture_score(position, mv),
            };
        }
    }

    fn must_answer(&self, position: &Position) -> bool {
        !position.board().checkers().is_empty()
    }

    fn forces(&self, position: &Position, mv: Move) -> bool {
        position.gives_check(mv)
    }

    fn noisy_moves(&self, position: &Position, moves: &mut Vec<Move>) {
        let first = moves.len();
        position.captures_and_promotions(moves);
        let mut kept = first;
        for number in first..moves.len() {
            if position.exchange_wins(moves[number], 0) {
                moves.swap(kept, number);
                kept += 1;
            }
        }
        moves.truncate(kept);
    }

    /// The gain, plus a pawn and a half for a better place.
    fn greatest_gain(&self, position: &Position, mv: Move) -> Option<i32> {
        Some(gain(position, mv) + 150)
    }

    fn futility_margin(&self) -> Option<i32> {
        Some(80)
    }
}

impl game::Evaluate<Position> for Evaluate {
    fn evaluate(&self, position: &Position) -> Score {
        self.evaluate_with(position, &self.state(position))
    }

    fn evaluate_with(&self, position: &Position, state: &State) -> Score {
        let board = position.board();
        Score::units(network::value(&self.network, state, board) + drive(board))
    }

    fn with_weights(&self, file: &[u8]) -> Result<Evaluate, String> {
        Network::read(file).map(|network| Evaluate { network: Arc::new(network) })
    }

    fn is_noisy(&self, position: &Position, mv: Move) -> bool {
        mv.promotion == Some(Piece::Queen) || position.captures(mv)
    }

    fn material(&self, position: &Position) -> i32 {
        if position.outcome().is_some() {
            return 0;
        }
        let (board, side) = (position.board(), position.board().side_to_move());
        let count = |side, piece| board.colored_pieces(side, piece).len() as i32;
        Piece::ALL.into_iter().map(|piece| (count(side, piece) - count(!side, piece)) * VALUES[piece as usize]).sum()
    }
}
