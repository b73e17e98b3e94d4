//! A small network that says what a position of chess is worth. Floor 2.
//!
//! ```text
//!  INPUTS, twice    the pieces on their squares, as either side sees them
//!  HIDDEN, twice    sums of the weights of what is there, carried down a line; the side to move first
//!  one number       the squares of the sums, within 0 and ONE, times weights that go by how many pieces are left
//! ```
//!
//! A side sees its own first rank at the bottom, and its king on the left half of the board: where the king is on the right one,
//! left and right are exchanged. Weights are fixed-point numbers. CITE: Y. Nasu, "Efficiently Updatable Neural-Network-based
//! Evaluation Functions for Computer Shogi", 2018; chessprogramming wiki, "NNUE".

use std::sync::{Arc, OnceLock};

use cozy_chess::{Board, Color, File, Move, Piece, Square};

use super::rules::Position;

/// Own pieces on their squares, then theirs.
pub const INPUTS: usize = 2 * Piece::NUM * Square::NUM;

/// The sums for each side.
pub const HIDDEN: usize = 128;

/// The sets of weights behind the sums, by how many pieces are left ([`bucket`]).
pub const BUCKETS: usize = 8;

/// The number 1 among the sums and the weights of inputs.
pub const ONE: i16 = 255;
/// The number 1 among the weights of sums.
pub const OUTPUT_ONE: i16 = 64;

/// The greatest weight of either kind: what the sums come to stays within their type.
pub const GREATEST: f32 = 1.98;

/// What the number 1 is worth, in hundredths of a pawn.
pub const SCALE: i32 = 400;

/// Which weights count where so many pieces are left, kings included.
#[must_use]
#[inline]
pub const fn bucket(pieces: u32) -> usize {
    (pieces as usize).saturating_sub(1) * BUCKETS / 32
}

/// Whether a side whose king is there sees left and right exchanged.
#[inline]
fn is_mirrored(king: Square) -> bool {
    king.file() > File::D
}

/// The input of a piece of `color`, as `side` sees it.
#[inline]
fn input(side: Color, mirrored: bool, color: Color, piece: Piece, square: Square) -> usize {
    let mirror = if mirrored { File::H as usize } else { 0 };
    let owner = usize::from(color != side);
    (owner * Piece::NUM + piece as usize) * Square::NUM + (square.relative_to(side) as usize ^ mirror)
}

/// What a side sees: an input for each piece.
pub fn inputs(board: &Board, side: Color) -> impl Iterator<Item = usize> + '_ {
    let mirrored = is_mirrored(board.king(side));
    let pieces = Color::ALL.into_iter().flat_map(|color| Piece::ALL.map(|piece| (color, piece)));
    pieces.flat_map(move |(color, piece)| {
        let squares = board.colored_pieces(color, piece).into_iter();
        squares.map(move |square| input(side, mirrored, color, piece, square))
    })
}

/// The sums of a side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(align(64))]
struct Sums([i16; HIDDEN]);

impl Sums {
    /// Wrapping, as the sums of a network within [`GREATEST`] never leave their type.
    #[inline]
    fn add(&mut self, weights: &Sums) {
        for (sum, &weight) in self.0.iter_mut().zip(&weights.0) {
            *sum = sum.wrapping_add(weight);
        }
    }

    #[inline]
    fn subtract(&mut self, weights: &Sums) {
        for (sum, &weight) in self.0.iter_mut().zip(&weights.0) {
            *sum = sum.wrapping_sub(weight);
        }
    }

    /// The squares of the sums, within 0 and [`ONE`], times weights. A sum times a weight stays within its type.
    #[inline]
    fn times(&self, weights: &Sums) -> i32 {
        let each = self.0.iter().zip(&weights.0).map(|(&sum, &weight)| {
            let sum = sum.clamp(0, ONE);
            i32::from(sum.wrapping_mul(weight)) * i32::from(sum)
        });
        each.fold(0, i32::wrapping_add)
    }
}

/// What is carried down a line: the sums of White and of Black.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State([Sums; 2]);

impl Default for State {
    fn default() -> State {
        State([Sums([0; HIDDEN]); 2])
    }
}

/// The weights, as fixed-point numbers.
#[derive(Clone, PartialEq, Eq)]
pub struct Network {
    inputs: Vec<Sums>,
    bias: Sums,
    output: Vec<[Sums; 2]>,
    output_bias: [i32; BUCKETS],
}

impl std::fmt::Debug for Network {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Network").finish_non_exhaustive()
    }
}

/// How many numbers a network consists of: for each input [`HIDDEN`] of them, their biases, and for each bucket twice so many, and a
/// bias.
pub const NUMBERS: usize = INPUTS * HIDDEN + HIDDEN + BUCKETS * 2 * HIDDEN + BUCKETS;

/// The numbers of the network that comes with the crate: two bytes each, the lower one first.
#[must_use]
pub fn fitted_numbers() -> Vec<i16> {
    let (numbers, _) = include_bytes!("network.bin").as_chunks();
    numbers.iter().map(|&bytes| i16::from_le_bytes(bytes)).collect()
}

impl Network {
    /// The network that comes with the crate.
    #[must_use]
    pub fn fitted() -> Arc<Network> {
        static FITTED: OnceLock<Arc<Network>> = OnceLock::new();
        Arc::clone(FITTED.get_or_init(|| Arc::new(Network::new(&fitted_numbers()))))
    }

    /// A network of these [`NUMBERS`] numbers; those that are missing are 0.
    #[must_use]
    pub fn new(numbers: &[i16]) -> Network {
        let mut numbers = numbers.iter().copied().chain(std::iter::repeat(0));
        let mut sums = || Sums(std::array::from_fn(|_| numbers.next().unwrap_or(0)));
        let inputs = (0..INPUTS).map(|_| sums()).collect();
        let bias = sums();
        let output = (0..BUCKETS).map(|_| [sums(), sums()]).collect();
        let output_bias = std::array::from_fn(|_| i32::from(numbers.next().unwrap_or(0)));
        Network { inputs, bias, output, output_bias }
    }

    /// The state of a position.
    pub(super) fn state(&self, board: &Board) -> State {
        State(Color::ALL.map(|side| self.sums(board, side)))
    }

    fn sums(&self, board: &Board, side: Color) -> Sums {
        let mut sums = self.bias;
        for input in inputs(board, side) {
            sums.add(&self.inputs[input]);
        }
        sums
    }

    /// The state of `next`, to which `mv` leads from `position`, which has this one.
    pub(super) fn next_state(&self, state: &State, position: &Position, mv: Move, next: &Board) -> State {
        let mut state = state.clone();
        for side in Color::ALL {
            let mirrored = is_mirrored(next.king(side));
            let sums = &mut state.0[side as usize];
            if mirrored != is_mirrored(position.board().king(side)) {
                *sums = self.sums(next, side);
                continue;
            }
            position.for_each_change(mv, |color, piece, square, comes| {
                let weights = &self.inputs[input(side, mirrored, color, piece, square)];
                if comes { sums.add(weights) } else { sums.subtract(weights) }
            });
        }
        state
    }

    /// What a position with this state is worth, in hundredths of a pawn, for the side to move.
    pub(super) fn value(&self, state: &State, board: &Board) -> i32 {
        let side = board.side_to_move();
        let bucket = bucket(board.occupied().len());
        let [own, theirs] = &self.output[bucket];
        let sum = state.0[side as usize].times(own) + state.0[!side as usize].times(theirs);
        (sum / i32::from(ONE) + self.output_bias[bucket]) * SCALE / (i32::from(ONE) * i32::from(OUTPUT_ONE))
    }
}

#[cfg(test)]
mod tests {
    use super::super::game;
    use super::*;
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

    fn value(board: &Board) -> i32 {
        let network = Network::fitted();
        network.value(&network.state(board), board)
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
        let network = Network::fitted();
        positions(40, |position| {
            let state = network.state(position.board());
            let mut moves = Vec::new();
            position.generate(&mut moves);
            for mv in moves {
                let next = position.after(mv);
                assert_eq!(
                    network.next_state(&state, position, mv, next.board()),
                    network.state(next.board()),
                    "{} {mv}",
                    position.board()
                );
            }
        });
    }

    #[test]
    fn both_sides_and_both_wings_are_seen_alike() {
        positions(40, |position| {
            let board = position.board();
            for files in [false, true] {
                assert_eq!(value(board), value(&mirrored(board, files)), "{board}");
            }
        });
    }

    /// Sums and products of any board stay within their types, which wrap.
    #[test]
    fn no_number_is_beyond_the_greatest() {
        let numbers = fitted_numbers();
        assert_eq!(numbers.len(), NUMBERS);
        let (of_inputs, of_sums) = numbers.split_at((INPUTS + 1) * HIDDEN);
        let limit = |one: i16| (GREATEST * f32::from(one)).round() as i16;
        assert!(of_inputs.iter().all(|number| number.abs() <= limit(ONE)));
        assert!(of_sums[..BUCKETS * 2 * HIDDEN].iter().all(|number| number.abs() <= limit(OUTPUT_ONE)));
        assert!(33 * i32::from(limit(ONE)) <= i16::MAX.into());
        assert!(i32::from(limit(OUTPUT_ONE)) * i32::from(ONE) <= i16::MAX.into());
        assert!(2 * HIDDEN as i64 * i64::from(ONE).pow(2) * i64::from(limit(OUTPUT_ONE)) <= i32::MAX.into());
    }

    /// The numbers of now; another network says so here, in the docs (chess.md) and in the signature.
    #[test]
    fn the_network_is_the_one_that_was_measured() {
        assert_eq!(format!("{:08x}", crc32fast::hash(include_bytes!("network.bin"))), "fbe839b5");
    }
}
