//! A static function: one bit for each of many keys, in little more than a bit each, without storing the keys. Layer 2.
//!
//! The bit of a key is the parity of four bits of the array, in four consecutive segments, at places given by the key's hash.
//! For a key that was not in the set the answer is meaningless.
//!
//! ```text
//!  as bytes     seed, u64 | number of first segments, u32 | binary logarithm of their length, u8 | the bits, lowest first
//! ```
//! CITE: T. M. Graf, D. Lemire, "Binary Fuse Filters: Fast and Smaller Than Xor Filters", 2022 (the segments, and how many bits
//! are enough); B. S. Majewski et al., "A Family of Perfect Hashing Methods", 1996 (values of keys by parities, and how to find
//! them).

use std::borrow::Cow;

use crate::game::mix64;

/// Places for each key.
const PLACES: usize = 4;
/// Bytes before the bits.
const HEAD: usize = 8 + 4 + 1;
/// Seeds tried before the array is enlarged.
const TRIES: u64 = 8;

/// The array.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Keyless {
    seed: u64,
    /// The segments that the first place of a key may be in. Three more follow.
    segments: u32,
    /// The binary logarithm of a segment's bits.
    length: u8,
    bits: Cow<'static, [u8]>,
}

impl Keyless {
    /// The array of these keys, all different, with their bits.
    pub(super) fn new(keys: &[(u64, bool)]) -> Keyless {
        // CITE: Graf and Lemire, for four places: the length of a segment, and the space for the keys.
        let logarithm = (keys.len().max(2) as f64).ln();
        let length = (logarithm / 2.91_f64.ln() - 0.5).max(0.0) as u8;
        let room = (0.77 + 0.305 * 600_000_f64.ln() / logarithm).max(1.075) * keys.len() as f64;
        let mut segments = ((room / f64::from(1_u32 << length)).ceil() as u32).saturating_sub(PLACES as u32 - 1).max(1);
        let mut seed = 0;
        loop {
            let bytes = Keyless::bits(segments, length).div_ceil(8);
            let mut made = Keyless { seed, segments, length, bits: vec![0; bytes].into() };
            if made.fill(keys) {
                return made;
            }
            seed += 1;
            segments += u32::from(seed % TRIES == 0);
        }
    }

    /// The number of bits of an array.
    const fn bits(segments: u32, length: u8) -> usize {
        (segments as usize + PLACES - 1) << length
    }

    /// The places of a key.
    #[inline]
    fn places(&self, key: u64) -> [usize; PLACES] {
        let hash = mix64(key ^ mix64(self.seed));
        let first = ((u128::from(hash) * u128::from(u64::from(self.segments) << self.length)) >> 64) as usize;
        let within = (1 << self.length) - 1;
        let mut place = 0;
        [0, 0, 18, 36].map(|shift| {
            let begin = first + (place << self.length);
            place += 1;
            // The first place is the hash itself; the others are moved within their segments.
            if place == 1 { begin } else { begin ^ (hash >> shift) as usize & within }
        })
    }

    /// The bit of a key.
    #[inline]
    pub(super) fn get(&self, key: u64) -> bool {
        self.places(key)
            .into_iter()
            .fold(false, |parity, place| parity ^ (self.bits[place / 8] >> (place % 8) & 1 != 0))
    }

    /// Finds bits that give each key its own. A key that is alone at one of its places can have any bit there, so it is
    /// set last; without it other keys are alone. Fails with some seeds.
    fn fill(&mut self, keys: &[(u64, bool)]) -> bool {
        let size = Keyless::bits(self.segments, self.length);
        // For each place, the number of its keys and the XOR of their indices, which is the index of the last one left.
        let (mut counts, mut numbers) = (vec![0_u32; size], vec![0_u32; size]);
        for (number, &(key, _)) in (0..).zip(keys) {
            for place in self.places(key) {
                counts[place] += 1;
                numbers[place] ^= number;
            }
        }
        let mut alone: Vec<u32> =
            (0..).zip(&counts).filter(|&(_, &count)| count == 1).map(|(place, _)| place).collect();
        let mut order = Vec::with_capacity(keys.len());
        while let Some(free) = alone.pop() {
            if counts[free as usize] != 1 {
                continue;
            }
            let number = numbers[free as usize];
            order.push((number, free as usize));
            for place in self.places(keys[number as usize].0) {
                counts[place] -= 1;
                numbers[place] ^= number;
                if counts[place] == 1 {
                    alone.push(place as u32);
                }
            }
        }
        if order.len() < keys.len() {
            return false;
        }
        for &(number, place) in order.iter().rev() {
            let (key, bit) = keys[number as usize];
            if self.get(key) != bit {
                self.bits.to_mut()[place / 8] |= 1 << (place % 8);
            }
        }
        true
    }

    /// The array as bytes.
    pub(super) fn bytes(&self) -> Vec<u8> {
        let mut bytes = self.seed.to_le_bytes().to_vec();
        bytes.extend(self.segments.to_le_bytes());
        bytes.push(self.length);
        bytes.extend(&*self.bits);
        bytes
    }

    /// Parses an array at the beginning of these bytes; returns it and the rest, or `None` if there are too few bytes.
    pub(super) fn read(bytes: Cow<'static, [u8]>) -> Option<(Keyless, Cow<'static, [u8]>)> {
        let (seed, rest) = bytes.split_first_chunk::<8>()?;
        let (segments, rest) = rest.split_first_chunk::<4>()?;
        let (&length, rest) = rest.split_first()?;
        let segments = u32::from_le_bytes(*segments);
        if segments == 0 || length >= 32 {
            return None;
        }
        let end = HEAD + Keyless::bits(segments, length).div_ceil(8);
        if HEAD + rest.len() < end {
            return None;
        }
        let seed = u64::from_le_bytes(*seed);
        let part = |from: usize, to: usize| match &bytes {
            &Cow::Borrowed(bytes) => Cow::Borrowed(&bytes[from..to]),
            Cow::Owned(bytes) => Cow::Owned(bytes[from..to].to_vec()),
        };
        let (bits, rest) = (part(HEAD, end), part(end, bytes.len()));
        Some((Keyless { seed, segments, length, bits }, rest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::SplitMix64;

    #[test]
    fn every_key_has_its_bit_in_little_more_room_than_that() {
        let mut rng = SplitMix64::new(5);
        for count in [0, 1, 2, 3, 10, 100, 1000, 30_000, 300_000] {
            // Keys that differ in few bits, like those of positions.
            let keys: Vec<(u64, bool)> = (0..count).map(|key| (key * 128, rng.below(3) == 0)).collect();
            let made = Keyless::new(&keys);
            assert!(keys.iter().all(|&(key, bit)| made.get(key) == bit), "{count}");
            let bytes = made.bytes();
            assert!(count < 300_000 || bytes.len() * 8 < count as usize * 112 / 100, "{count}: {}", bytes.len());
            let (again, rest) = Keyless::read([&bytes[..], b"abc"].concat().into()).unwrap();
            assert_eq!((again, &*rest), (made, &b"abc"[..]));
            assert_eq!(Keyless::read(bytes[..bytes.len() - 1].to_vec().into()), None);
        }
    }
}
