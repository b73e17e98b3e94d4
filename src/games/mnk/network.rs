//! Inputs and weights of the network of m,n,k games with shapes. Layer 2.
//!
//! The inputs of a side are its empty cells by their kind, then those of the opponent. The kind of a cell is what a stone would
//! make there in the four directions, in any order; where a line would need more than three further stones in each of them, the
//! cell is no input. So a network knows how many cells of each kind both sides have, and not where they are.

use std::sync::{Arc, OnceLock};

use super::bits::Bits;
use super::shapes::{MAX_REACH, Shapes, shape};
use super::values::multiset;
use crate::game::Side;
use crate::game::network::{self, Sums};

/// The number of multisets of four shapes of the first `count`.
const fn multisets(count: usize) -> usize {
    count * (count + 1) * (count + 2) * (count + 3) / 24
}

/// The multisets that are no input: of shapes below [`shape::TWO`].
const BLANK: usize = multisets(shape::TWO as usize);
/// The kinds of cells that are inputs.
const KINDS: usize = multisets(shape::COUNT) - BLANK;
/// Own cells by their kinds, then the opponent's.
pub const INPUTS: usize = 2 * KINDS;
/// The sums for each side.
pub const HIDDEN: usize = 64;
/// The number of output weight sets.
pub const BUCKETS: usize = 1;
/// The value of the network's 1, in units of the evaluation.
pub const SCALE: i32 = 200;

/// The most kinds that a stone changes: of its own cell, and of those in reach on four lines in both directions; for both players.
const MOST_CHANGES: usize = 2 * (1 + 4 * 2 * MAX_REACH);

/// The weights.
pub type Network = network::Network<INPUTS, HIDDEN, BUCKETS>;

/// The kind of a cell with these shapes; 0 is no input.
pub(super) fn kind(shapes: [u8; 4]) -> u16 {
    (multiset(shapes) + 1).saturating_sub(BLANK) as u16
}

/// The input of a cell of this kind for its side, or for the opponent; `INPUTS` for none. Without branches, which a processor would
/// predict badly.
#[inline]
fn input(kind: u16, is_theirs: bool) -> usize {
    let input = usize::from(kind) + usize::from(is_theirs) * KINDS;
    if kind == 0 { INPUTS } else { input - 1 }
}

/// The inputs of a cell of this kind, for its side and for the opponent.
#[inline]
pub(super) fn inputs(kind: u16) -> Option<[usize; 2]> {
    (kind != 0).then(|| [false, true].map(|is_theirs| input(kind, is_theirs)))
}

/// The file of the network that comes with the crate.
pub const FITTED: &[u8] = include_bytes!("network.bin");

/// The network that comes with the crate.
pub(super) fn fitted() -> Arc<Network> {
    static NETWORK: OnceLock<Arc<Network>> = OnceLock::new();
    Arc::clone(NETWORK.get_or_init(|| Arc::new(Network::new(&network::numbers(FITTED)))))
}

/// Shapes with the sums of the network for both players.
#[derive(Debug, Clone)]
pub struct State<const W: usize> {
    pub(super) shapes: Shapes<W>,
    sums: [Sums<HIDDEN>; 2],
}

impl<const W: usize> State<W> {
    /// The state of a board with these shapes and empty cells.
    pub(super) fn new(network: &Network, shapes: Shapes<W>, empty: Bits<W>) -> State<W> {
        let sums = [Side::First, Side::Second].map(|side| network.sums(shapes.inputs(side, empty)));
        State { shapes, sums }
    }

    /// Puts a stone of `side` on an empty cell.
    pub(super) fn place(&mut self, network: &Network, bit: usize, side: Side) {
        // The player whose cell it is, and its kinds before and after.
        let (mut changes, mut count) = ([[0; 3]; MOST_CHANGES], 0);
        self.shapes.place_and_tell(bit, side, |owner, before, after| {
            changes[count] = [owner as u16, before, after];
            count += 1;
        });
        for (player, sums) in self.sums.iter_mut().enumerate() {
            let seen = |when: usize| {
                let of = move |change: &[u16; 3]| input(change[when], usize::from(change[0]) != player);
                changes[..count].iter().map(of)
            };
            *sums = network.exchange(sums, seen(1), seen(2));
        }
    }

    /// The value of the position for `side`, which is to move, in units of the evaluation.
    #[inline]
    pub(super) fn value(&self, network: &Network, side: Side) -> i32 {
        let [own, theirs] = [side, side.other()].map(|side| &self.sums[side.index()]);
        network.value(0, own, theirs, SCALE)
    }
}

#[cfg(test)]
mod tests {
    use super::super::shapes::Tables;
    use super::super::{Position, parse_parameters};
    use super::*;
    use crate::game::{Position as _, SplitMix64};

    /// A new network changes this checksum, docs/experiments/gomoku.md and the signature.
    #[test]
    fn the_network_is_the_one_that_was_measured() {
        assert_eq!(format!("{:08x}", crc32fast::hash(FITTED)), "e5353527");
    }

    /// Sums that are kept up to date are those of the stones, and no sum of either leaves its type.
    #[test]
    fn sums_kept_up_to_date_are_those_of_the_stones() {
        let network = Network::read(FITTED).unwrap();
        let weights = network::numbers(FITTED);
        let mut rng = SplitMix64::new(7);
        for name in ["gomoku", "gomokufreestyle", "renju", "mnk:19,19,5", "mnk:22,11,4,exact", "mnk:15,15,6"] {
            let parameters = parse_parameters(name).unwrap();
            let tables = Tables::of(parameters).unwrap();
            let mut position = Position::<8>::start(parameters);
            let shapes = |position: &Position<8>| Shapes::new(tables, parameters, position.stones);
            let mut state = State::new(&network, shapes(&position), position.empty);
            let mut moves = Vec::new();
            while position.outcome().is_none() {
                moves.clear();
                position.generate(&mut moves);
                let near = |mv: &u16| state.shapes.near.has((*mv).into());
                let near: Vec<u16> = moves.iter().copied().filter(near).collect();
                let from = if near.is_empty() { &moves } else { &near };
                let mv = from[rng.below(from.len())];
                state.place(&network, mv.into(), position.side_to_move());
                position.play(mv);
                let anew = State::new(&network, shapes(&position), position.empty);
                assert_eq!(state.sums, anew.sums, "{name}");
                for side in [Side::First, Side::Second] {
                    let seen = anew.shapes.inputs(side, position.empty);
                    for sum in 0..HIDDEN {
                        let rows = seen.iter().chain(&[INPUTS]).map(|row| i32::from(weights[row * HIDDEN + sum]));
                        assert!(i16::try_from(rows.sum::<i32>()).is_ok(), "{name}");
                    }
                }
            }
        }
    }
}
