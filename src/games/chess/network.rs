//! Inputs and weights of the network of chess. Layer 2.
//!
//! The inputs are the pieces on their squares, for each of the [`KING_REGIONS`] of the viewing side's king. A side sees its own
//! first rank at the bottom and its king on the left half: otherwise left and right are swapped. The bucket is the number of
//! pieces left.

use std::sync::{Arc, OnceLock};

use cozy_chess::{Board, Color, File, Move, Piece, Square};

use super::rules::{Placed, Position};
use crate::game::network;

/// Where the own king may be: in the corner, near the middle of the first rank, on the second one, beyond.
pub const KING_REGIONS: usize = 4;
/// Own pieces on their squares, then theirs; all that for each region.
pub const INPUTS: usize = KING_REGIONS * 2 * Piece::NUM * Square::NUM;
/// The sums for each side.
pub const HIDDEN: usize = 256;
/// The sets of weights behind the sums.
pub const BUCKETS: usize = 8;
/// What the number 1 is worth, in hundredths of a pawn.
pub const SCALE: i32 = 400;

/// The weights.
pub type Network = network::Network<INPUTS, HIDDEN, BUCKETS>;

/// What is carried down a line: the sums of White and of Black.
pub type State = [network::Sums<HIDDEN>; 2];

/// Which weights count where so many pieces are left, kings included.
#[must_use]
#[inline]
pub const fn bucket(pieces: u32) -> usize {
    (pieces as usize).saturating_sub(1) * BUCKETS / 32
}

/// The region of a king that its side sees on one of the files a to d, first on the first rank, then on the second one.
const REGIONS: [usize; 8] = [0, 0, 1, 1, 2, 2, 2, 2];

/// How a side sees the board: what changes the number of a square into that of the square it is seen as, and the first input of the
/// region where its king is.
type View = [usize; 2];

#[inline]
fn view(board: &Board, side: Color) -> View {
    let king = board.king(side).relative_to(side) as usize;
    let (file, rank) = (king % File::NUM, king / File::NUM);
    let mirror = if file < 4 { 0 } else { 7 };
    let ranks = if side == Color::White { 0 } else { 56 };
    let region = REGIONS.get(4 * rank + (file ^ mirror)).copied().unwrap_or(KING_REGIONS - 1);
    [ranks ^ mirror, region * (INPUTS / KING_REGIONS)]
}

/// The input of a piece, as `side` sees it.
#[inline]
fn input(side: Color, [turn, first]: View, (color, piece, square): Placed) -> usize {
    let owner = usize::from(color != side);
    first + (owner * Piece::NUM + piece as usize) * Square::NUM + (square as usize ^ turn)
}

/// What a side sees: an input for each piece.
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
    Color::ALL.map(|side| network.sums(inputs(board, side)))
}

/// The state of `next`, to which `mv` leads from `position`, which has this one.
pub(super) fn next_state(network: &Network, state: &State, position: &Position, mv: Move, next: &Board) -> State {
    let ([from, to], gone, come) = position.changes(mv);
    let mut changed = State::default();
    for side in Color::ALL {
        let (sums, changed, seen) = (&state[side as usize], &mut changed[side as usize], view(next, side));
        // Only its own king's move changes how a side sees the board.
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
    changed
}

/// What a position with this state is worth, in hundredths of a pawn, for the side to move.
pub(super) fn value(network: &Network, state: &State, board: &Board) -> i32 {
    let side = board.side_to_move();
    network.value(bucket(board.occupied().len()), &state[side as usize], &state[!side as usize], SCALE)
}

#[cfg(test)]
mod tests {
    use super::super::game;
    use super::*;
    use crate::game::network::{GREATEST, GREATEST_OUTPUT, ONE, OUTPUT_ONE};
    use crate::game::{Mixer, Notation as _, Position as _, mix64};

    /// Positions of random games.
    fn positions(games: u64, mut look: impl FnMut(&Position)) {
        for number in 0..games {
            let mut rng = Mixer::new(mix64(number));
            let mut position = game().notation.start();
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

    /// The board in a glass: ranks turned and colours exchanged, or files turned; without rights to castle.
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
        positions(40, |position| {
            let before = state(&network, position.board());
            let mut moves = Vec::new();
            position.generate(&mut moves);
            for mv in moves {
                let next = position.after(mv);
                let carried = next_state(&network, &before, position, mv, next.board());
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

    /// Sums and products of any board stay within their types, which wrap.
    #[test]
    fn no_number_is_beyond_the_greatest() {
        assert!(Network::read(FITTED).is_ok());
        // 33 weights of inputs, and a weight of a sum times it.
        let limit = |greatest: f32, one: i16| (greatest * f32::from(one)).round() as i32;
        assert!(33 * limit(GREATEST, ONE) <= i16::MAX.into());
        assert!(limit(GREATEST_OUTPUT, OUTPUT_ONE) * i32::from(ONE) <= i16::MAX.into());
    }

    /// The numbers of now; another network says so here, in the docs (chess.md) and in the signature.
    #[test]
    fn the_network_is_the_one_that_was_measured() {
        assert_eq!(format!("{:08x}", crc32fast::hash(FITTED)), "18f9cabd");
    }
}
