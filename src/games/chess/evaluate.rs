//! Evaluation and move ordering of chess.
//!
//! Layer 2. The value is the network's ([`super::network`]); against a bare king, the way to the mate counts, too. Hundredths
//! of a pawn, for the side to move.

use std::sync::Arc;

use cozy_chess::{BitBoard, Board, BoardBuilder, Color, File, Move, Piece, Rank, Square};

use super::network::{self, Network, State};
use super::rules::{Position, VALUES};
use crate::game::{self, Chances, EvaluationPart, Expertise, Position as _, Pruning, Solving, Threats};
use crate::score::Score;

/// A place on the board: file and rank.
fn place(square: Square) -> [i32; 2] {
    [square.file() as i32, square.rank() as i32]
}

/// The king's steps between two squares.
fn steps(one: Square, other: Square) -> i32 {
    place(one).into_iter().zip(place(other)).map(|(a, b)| (a - b).abs()).fold(0, i32::max)
}

/// Progress towards the mate of a bare king by pieces that can mate, for the side to move: the bare king near the edge,
/// the other king beside it.
fn drive(board: &Board) -> i32 {
    for side in Color::ALL.into_iter().filter(|&side| board.colors(!side).len() == 1) {
        let of = |piece| board.colored_pieces(side, piece);
        if !(of(Piece::Rook) | of(Piece::Queen)).is_empty() || (of(Piece::Knight) | of(Piece::Bishop)).len() >= 2 {
            let (theirs, own) = (board.king(!side), board.king(side));
            let value = 40 * edge(theirs) + 20 * (7 - steps(theirs, own));
            return if side == board.side_to_move() { value } else { -value };
        }
    }
    0
}

/// How near a square is to the edges, from 0 to 6 in a corner.
fn edge(square: Square) -> i32 {
    6 - place(square).map(|at| at.min(7 - at)).into_iter().sum::<i32>()
}

/// The value of a mating attack without pawns, for the side to move, in place of the network: against a bare king, or by a queen
/// or rook against one lesser piece. The network tells such boards apart by noise, which moves the pieces round in circles until a
/// position has come up three times.
fn attack_without_pawns(board: &Board) -> Option<i32> {
    if board.occupied().len() > 5 || !board.pieces(Piece::Pawn).is_empty() {
        return None;
    }
    let worth = |side: Color| {
        let lesser = Piece::ALL.into_iter().filter(|&piece| piece != Piece::King);
        lesser.map(|piece| board.colored_pieces(side, piece).len() as i32 * VALUES[piece as usize]).sum::<i32>()
    };
    let [white, black] = Color::ALL.map(worth);
    let side = if white > black { Color::White } else { Color::Black };
    let (theirs, own) = (board.king(!side), board.king(side));
    let of = |piece| board.colored_pieces(side, piece);
    let lead = (white - black).abs();
    let defenders = board.colors(!side).len();
    let near = 7 - steps(theirs, own);
    let value = if defenders == 1 && lead >= VALUES[Piece::Rook as usize] {
        let minors = of(Piece::Knight) | of(Piece::Bishop);
        let (knights, bishops) = (of(Piece::Knight).len(), of(Piece::Bishop));
        if minors.len() as usize == board.colors(side).len() as usize - 1 && bishops.is_empty() {
            // Two knights cannot force it.
            return None;
        }
        let corner: i32 = if minors.len() == 2 && knights == 1 && board.colors(side).len() == 3 {
            // Bishop and knight mate in a corner of the bishop's colour.
            let [file, rank] = place(theirs);
            let is_dark = !(bishops & BitBoard::DARK_SQUARES).is_empty();
            60 * if is_dark { (7 - file - rank).abs() } else { (file - rank).abs() } + 6 * near
        } else {
            48 * edge(theirs) + 14 * near
        };
        lead + corner
    } else if defenders == 2 && board.colors(side).len() == 2 && lead >= 150 {
        // A queen or rook against one lesser piece: the king goes to the edge, away from its piece.
        let piece = (board.colors(!side) & !board.pieces(Piece::King)).next_square()?;
        lead + 12 * edge(theirs) + 10 * near + 6 * steps(theirs, piece)
    } else {
        return None;
    };
    Some(if side == board.side_to_move() { value } else { -value })
}

/// The names of groups of pieces, for White and for Black.
const GROUPS: [[&str; 5]; 2] = [
    ["white pawns", "white knights", "white bishops", "white rooks", "white queens"],
    ["black pawns", "black knights", "black bishops", "black rooks", "black queens"],
];

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

/// Odd random numbers, by which sets of squares are hashed.
const FACTORS: [u64; Piece::NUM] = [
    game::mix64(1) | 1,
    game::mix64(2) | 1,
    game::mix64(3) | 1,
    game::mix64(4) | 1,
    game::mix64(5) | 1,
    game::mix64(6) | 1,
];

/// The score of a losing capture: below all other moves, and of greater magnitude than any gain.
const LOSING: i32 = -(1 << 15);

/// The values of the captured piece and of the promotion.
fn gain(position: &Position, mv: Move) -> i32 {
    [position.victim(mv), mv.promotion].into_iter().flatten().map(|piece| VALUES[piece as usize]).sum()
}

/// The score of a capture for move ordering: the most valuable victim first, then the least valuable attacker.
fn capture_score(position: &Position, mv: Move) -> i32 {
    8 * gain(position, mv) - position.piece_on(mv.from) as i32
}

impl Expertise<Position> for Evaluate {
    type State = State;

    const STATES_ON_HEAP: bool = true;

    fn state(&self, position: &Position) -> State {
        network::state(&self.network, position.board())
    }

    fn next_state(&self, state: &State, position: &Position, mv: Move, next: &Position) -> State {
        self.next_state_in(State::default(), state, position, mv, next)
    }

    fn next_state_in(&self, mut spare: State, state: &State, position: &Position, mv: Move, next: &Position) -> State {
        network::change_state(&self.network, state, &mut spare, (position, mv, next.board()));
        spare
    }

    /// The sums of a side do not depend on the side to move.
    fn passed_state(&self, _state: &State, _passed: &Position) -> Option<State> {
        None
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
}

impl Pruning<Position> for Evaluate {
    const QUIESCES: bool = true;
    const PRUNES_MOVES: bool = true;
    const PRUNES_BOLDLY: bool = true;

    fn must_answer(&self, position: &Position) -> bool {
        !position.board().checkers().is_empty()
    }

    fn forces(&self, position: &Position, mv: Move) -> bool {
        position.gives_check(mv)
    }

    fn loses(&self, position: &Position, mv: Move, units: i32) -> bool {
        !position.exchange_wins(mv, -units)
    }

    /// The pawns, and the other pieces of each side. CITE: M. Dietzfelbinger and others, "A reliable randomized algorithm for the
    /// closest-pair problem", 1997 (multiply-shift hashing).
    fn parts_that_err(&self, position: &Position) -> Option<[u64; 3]> {
        let board = position.board();
        let hashed = |side, piece, factor: usize| board.colored_pieces(side, piece).0.wrapping_mul(FACTORS[factor]);
        let pawns = hashed(Color::White, Piece::Pawn, 0).wrapping_add(hashed(Color::Black, Piece::Pawn, 1));
        let pieces = |side| {
            let others = [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen, Piece::King];
            others.map(|piece| hashed(side, piece, piece as usize)).into_iter().fold(0, u64::wrapping_add)
        };
        Some([pawns, pieces(Color::White), pieces(Color::Black)])
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

    fn singular_margin(&self) -> Option<i32> {
        Some(1)
    }
}

impl Threats<Position> for Evaluate {}
impl Solving<Position> for Evaluate {}

impl game::Evaluate<Position> for Evaluate {
    fn evaluate(&self, position: &Position) -> Score {
        self.evaluate_with(position, &self.state(position))
    }

    fn evaluate_with(&self, position: &Position, state: &State) -> Score {
        let board = position.board();
        let known = attack_without_pawns(board);
        Score::units(known.unwrap_or_else(|| network::value(&self.network, state, board) + drive(board)))
    }

    /// The evaluation, less that of the board without the piece; pieces whose removal leaves no legal board are left out.
    fn parts(&self, position: &Position) -> Vec<EvaluationPart> {
        let board = position.board();
        let whole = network::value(&self.network, &self.state(position), board);
        let mut parts = Vec::new();
        for color in Color::ALL {
            for piece in Piece::ALL.into_iter().filter(|&piece| piece != Piece::King) {
                for square in board.colored_pieces(color, piece) {
                    let mut builder = BoardBuilder::from_board(board);
                    *builder.square_mut(square) = None;
                    let kept = |file: &File| Square::new(*file, Rank::First.relative_to(color)) != square;
                    let rights = builder.castle_rights_mut(color);
                    rights.short = rights.short.filter(kept);
                    rights.long = rights.long.filter(kept);
                    builder.en_passant = None;
                    let Ok(without) = builder.build() else { continue };
                    let less = network::value(&self.network, &network::state(&self.network, &without), &without);
                    let group = GROUPS[color as usize][piece as usize];
                    parts.push(EvaluationPart { group, name: square.to_string(), units: whole - less });
                }
            }
        }
        parts
    }

    const CHANCES: Option<Chances> = Some(Chances { middle: 97.9, width: 193.6 });

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

#[cfg(test)]
mod tests {
    use super::super::chess960;
    use super::*;
    use crate::game::{Notation as _, SplitMix64, mix64};

    #[test]
    fn the_key_of_a_part_changes_where_the_part_changes() {
        let evaluate = Evaluate::default();
        let mut changed = [0; 3];
        for number in 0..20 {
            let mut rng = SplitMix64::new(mix64(number));
            let mut position = chess960((number * 48 % 960) as u32).notation.start();
            let mut moves = Vec::new();
            while position.status(&mut moves).is_none() && rng.below(150) > 0 {
                let next = position.after(moves[rng.below(moves.len())]);
                let parts = |position: &Position| {
                    let board = position.board();
                    let pawns = board.pieces(Piece::Pawn);
                    let pieces = |side| Piece::ALL.map(|piece| board.colored_pieces(side, piece) & !pawns);
                    ([Color::White, Color::Black].map(|side| board.colors(side) & pawns), Color::ALL.map(pieces))
                };
                let (before, after) = (parts(&position), parts(&next));
                let keys = |position| evaluate.parts_that_err(position).unwrap();
                let (old, new) = (keys(&position), keys(&next));
                let differs = [before.0 != after.0, before.1[0] != after.1[0], before.1[1] != after.1[1]];
                for part in 0..3 {
                    assert_eq!(old[part] != new[part], differs[part], "part {part}, {}", next.board());
                    changed[part] += u32::from(differs[part]);
                }
                position = next;
                moves.clear();
            }
        }
        assert!(changed.iter().all(|&times| times > 200), "{changed:?}");
    }
}
