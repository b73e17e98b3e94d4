//! Inputs and weights of the network of chess. Layer 2.
//!
//! The inputs are the pieces on their squares. A side sees its own first rank at the bottom and its king on the left half:
//! otherwise left and right are swapped. The bucket is the number of pieces left.

use std::sync::{Arc, OnceLock};

use cozy_chess::{Board, Color, File, Move, Piece, Square};

use super::rules::{Placed, Position};
use crate::game::network;

/// Own pieces on their squares, then the opponent's.
pub const INPUTS: usize = 2 * Piece::NUM * Square::NUM;
/// The sums for each side.
pub const HIDDEN: usize = 384;
/// The number of output weight sets.
pub const BUCKETS: usize = 8;
/// The value of the network's 1, in hundredths of a pawn.
pub const SCALE: i32 = 400;

/// The weights.
pub type Network = network::Network<INPUTS, HIDDEN, BUCKETS>;

/// The state carried down a line: the sums of White and of Black.
pub type State = Box<[network::Sums<HIDDEN>; 2]>;

/// The output weights for this number of pieces, kings included.
#[must_use]
#[inline]
pub const fn bucket(pieces: u32) -> usize {
    (pieces as usize).saturating_sub(1) * BUCKETS / 32
}

/// A side's view of the board: the number that maps a square to the square it is seen as, by exclusive or.
#[inline]
fn view(board: &Board, side: Color) -> usize {
    let mirror = if (board.king(side).file() as usize) < File::NUM / 2 { 0 } else { 7 };
    let ranks = if side == Color::White { 0 } else { 56 };
    ranks ^ mirror
}

/// The input of a piece in the view of `side`.
#[inline]
fn input(side: Color, view: usize, (color, piece, square): Placed) -> usize {
    let owner = usize::from(color != side);
    (owner * Piece::NUM + piece as usize) * Square::NUM + (square as usize ^ view)
}

/// The active inputs of a side, one for each piece.
pub fn inputs(board: &Board, side: Color) -> impl Iterator<Item = usize> + '_ {
    let view = view(board, side);
    let pieces = Color::ALL.into_iter().flat_map(|color| Piece::ALL.map(|piece| (color, piece)));
    pieces.flat_map(move |(color, piece)| {
        let squares = board.colored_pieces(color, piece).into_iter();
        squares.map(move |square| input(side, view, (color, piece, square)))
    })
}

/// The file of the network that comes with the crate.
pub const FITTED: &[u8] = include_bytes!("network.bin");

/// The network that comes with the crate.
#[must_use]
pub fn fitted() -> Arc<Network> {
    static NETWORK: OnceLock<Arc<Network>> = OnceLock::new();
    Arc::clone(NETWORK.get_or_init(|| Arc::new(Network::new(&network::numbers(FITTED)))))
}

/// The state of a position.
pub(super) fn state(network: &Network, board: &Board) -> State {
    Box::new(Color::ALL.map(|side| network.sums(inputs(board, side))))
}

/// Makes `changed` the state of `next`, reached by `mv` from `position`, which has this state.
pub(super) fn change_state(
    network: &Network,
    state: &State,
    changed: &mut State,
    (position, mv, next): (&Position, Move, &Board),
) {
    let ([from, to], gone, come) = position.changes(mv);
    for side in Color::ALL {
        let (sums, changed, seen) = (&state[side as usize], &mut changed[side as usize], view(next, side));
        // Only a move of its own king changes a side's view.
        if from.1 == Piece::King && seen != view(position.board(), side) {
            *changed = network.sums(inputs(next, side));
            continue;
        }
        let input = |placed| input(side, seen, placed);
        match (gone.map(input), come.map(input)) {
            (None, _) => network.change(sums, changed, [input(from)], [input(to)]),
            (Some(taken), None) => network.change(sums, changed, [input(from), taken], [input(to)]),
            (Some(rook), Some(castled)) => network.change(sums, changed, [input(from), rook], [input(to), castled]),
        }
    }
}

/// The value of a position with this state, in hundredths of a pawn, for the side to move.
pub(super) fn value(network: &Network, state: &State, board: &Board) -> i32 {
    let side = board.side_to_move();
    network.value(bucket(board.occupied().len()), &state[side as usize], &state[!side as usize], SCALE)
}

#[cfg(test)]
mod tests {
    use super::super::chess960;
    use super::*;
    use crate::game::network::{GREATEST, GREATEST_OUTPUT, ONE, OUTPUT_ONE};
    use crate::game::{Notation as _, Position as _, SplitMix64, mix64};

    /// Positions of random games from the starts of Chess960.
    fn positions(games: u64, mut look: impl FnMut(&Position)) {
        for number in 0..games {
            let mut rng = SplitMix64::new(mix64(number));
            let mut position = chess960((number * 24 % 960) as u32).notation.start();
            let mut moves = Vec::new();
            while position.status(&mut moves).is_none() && rng.below(150) > 0 {
                look(&position);
                position.play(moves[rng.below(moves.len())]);
                moves.clear();
            }
        }
    }

    fn worth(board: &Board) -> i32 {
        let network = fitted();
        value(&network, &state(&network, board), board)
    }

    /// The board mirrored: ranks reversed and colours exchanged, or files reversed; without castling rights.
    fn mirrored(board: &Board, files: bool) -> Board {
        let mut text = board.to_string();
        let fields: Vec<&str> = text.split(' ').collect();
        let ranks = fields[0].split('/');
        let (ranks, side) = if files {
            (ranks.map(|rank| rank.chars().rev().collect()).collect::<Vec<String>>(), fields[1])
        } else {
            let swap = |c: char| if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() };
            let other = if fields[1] == "w" { "b" } else { "w" };
            (ranks.rev().map(|rank| rank.chars().map(swap).collect()).collect(), other)
        };
        text = format!("{} {side} - - 0 1", ranks.join("/"));
        text.parse().unwrap()
    }

    #[test]
    fn what_is_carried_down_a_line_is_what_is_made_from_nothing() {
        let network = fitted();
        let mut carried = State::default();
        positions(40, |position| {
            for square in position.board().occupied() {
                assert_eq!(Some(position.piece_on(square)), position.board().piece_on(square), "{}", position.board());
            }
            let before = state(&network, position.board());
            let mut moves = Vec::new();
            position.generate(&mut moves);
            for mv in moves {
                let next = position.after(mv);
                change_state(&network, &before, &mut carried, (position, mv, next.board()));
                assert_eq!(carried, state(&network, next.board()), "{} {mv}", position.board());
            }
        });
    }

    #[test]
    fn both_sides_and_both_wings_are_seen_alike() {
        positions(40, |position| {
            let board = position.board();
            for files in [false, true] {
                assert_eq!(worth(board), worth(&mirrored(board, files)), "{board}");
            }
        });
    }

    /// Sums and products stay within their types on every board.
    #[test]
    fn no_number_is_beyond_the_greatest() {
        assert!(Network::read(FITTED).is_ok());
        // At most 33 input weights are added, and an output weight is multiplied by such a sum.
        let limit = |greatest: f32, one: i16| (greatest * f32::from(one)).round() as i32;
        assert!(33 * limit(GREATEST, ONE) <= i16::MAX.into());
        assert!(limit(GREATEST_OUTPUT, OUTPUT_ONE) * i32::from(ONE) <= i16::MAX.into());
    }

    /// A new network changes this checksum, the docs (chess.md) and the signature.
    #[test]
    fn the_network_is_the_one_that_was_measured() {
        assert_eq!(format!("{:08x}", crc32fast::hash(FITTED)), "45ac8c4a");
    }
}
