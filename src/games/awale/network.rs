//! Inputs and weights of the network of awalé. Layer 2.
//!
//! The inputs of a side are the seeds in each of the twelve houses, its own first, and the most that either side could capture
//! with its next move. The bucket is the number of seeds on the board. The output is the final balance beyond that of the
//! stores.

use std::sync::{Arc, OnceLock};

use super::board::Position;
use super::rules::Variant;
use crate::game::network;

/// The houses of a row.
const HOUSES: usize = 6;
/// The distinct numbers of seeds in a house; larger numbers count as the last.
const SEEDS: usize = 24;
/// The distinct numbers of seeds that can be captured.
const CAPTURES: usize = 18;
/// The houses with each number of seeds, own ones first, then the captures, own ones first.
pub const INPUTS: usize = 2 * (HOUSES * SEEDS + CAPTURES);
/// The number of active inputs in every position.
pub const SEEN: usize = 2 * (HOUSES + 1);
/// The sums for each side.
pub const HIDDEN: usize = 64;
/// The number of output weight sets.
pub const BUCKETS: usize = 8;
/// The value of the network's 1, in hundredths of a seed.
pub const SCALE: i32 = 1600;

/// The weights.
pub type Network = network::Network<INPUTS, HIDDEN, BUCKETS>;

/// The output weights for this number of seeds on the board.
#[must_use]
#[inline]
pub const fn bucket(seeds: u8) -> usize {
    let bucket = seeds as usize / 6;
    if bucket < BUCKETS { bucket } else { BUCKETS - 1 }
}

/// The active inputs, for the side to move and for the opponent.
#[must_use]
#[inline]
pub fn inputs<V: Variant>(position: &Position<V>) -> [[usize; SEEN]; 2] {
    let most = |position: &Position<V>| (position.most_captured(position.aims()) as usize).min(CAPTURES - 1);
    let (rows, captures) = ([position.mine(), position.theirs()], [most(position), most(&position.passed())]);
    let mut seen = [[0; SEEN]; 2];
    for (side, seen) in seen.iter_mut().enumerate() {
        for place in 0..2 {
            let owner = place ^ side;
            for house in 0..HOUSES {
                let number = place * HOUSES + house;
                let seeds = (rows[owner] >> (8 * house)) as usize & 0xFF;
                seen[number] = number * SEEDS + seeds.min(SEEDS - 1);
            }
            seen[2 * HOUSES + place] = 2 * HOUSES * SEEDS + place * CAPTURES + captures[owner];
        }
    }
    seen
}

/// The file of the network that comes with the crate.
pub const FITTED: &[u8] = include_bytes!("network.bin");

/// The network that comes with the crate.
pub(super) fn fitted() -> Arc<Network> {
    static NETWORK: OnceLock<Arc<Network>> = OnceLock::new();
    Arc::clone(NETWORK.get_or_init(|| Arc::new(Network::new(&network::numbers(FITTED)))))
}

/// The final balance beyond that of the stores, in hundredths of a seed, for the side to move.
#[inline]
pub(super) fn value<V: Variant>(network: &Network, position: &Position<V>) -> i32 {
    let [own, theirs] = &inputs(position);
    let [own, theirs] = [network.sums_of(own), network.sums_of(theirs)];
    network.value(bucket(position.seeds_on_board()), &own, &theirs, SCALE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::network::{GREATEST, GREATEST_OUTPUT, ONE, OUTPUT_ONE};

    /// Sums and products stay within their types on every board.
    #[test]
    fn no_number_is_beyond_the_greatest() {
        assert!(Network::read(FITTED).is_ok());
        let limit = |greatest: f32, one: i16| (greatest * f32::from(one)).round() as i32;
        assert!((SEEN as i32 + 1) * limit(GREATEST, ONE) <= i16::MAX.into());
        assert!(limit(GREATEST_OUTPUT, OUTPUT_ONE) * i32::from(ONE) <= i16::MAX.into());
    }

    /// A new network changes this checksum, docs/experiments/awale.md and the signature.
    #[test]
    fn the_network_is_the_one_that_was_measured() {
        assert_eq!(format!("{:08x}", crc32fast::hash(FITTED)), "40d71e55");
    }
}
