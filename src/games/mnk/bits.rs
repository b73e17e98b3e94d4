//! A set of up to 64·W cells, one bit each. Layer 2, private to m,n,k games; the layout is drawn in the module above.

use std::ops::{BitAnd, BitOr, BitXor, Not};

/// A set of bit numbers below `64 * W`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Bits<const W: usize>([u64; W]);

impl<const W: usize> Bits<W> {
    /// No bit.
    pub(super) const EMPTY: Bits<W> = Bits([0; W]);

    /// Whether `bit` is in the set; never for a number beyond the words, as a step off the board gives.
    #[inline]
    pub(super) fn has(&self, bit: usize) -> bool {
        self.0.get(bit / 64).is_some_and(|word| word >> (bit % 64) & 1 != 0)
    }

    /// The set as one word, if `W` is 1.
    #[inline]
    pub(super) fn word(&self) -> Option<u64> {
        if W == 1 { Some(self.0[0]) } else { None }
    }

    /// The bits below 64.
    #[inline]
    pub(super) fn first_word(self) -> u64 {
        self.0[0]
    }

    /// Adds a missing bit, or removes a present one.
    #[inline]
    pub(super) fn flip(&mut self, bit: usize) {
        self.0[bit / 64] ^= 1 << (bit % 64);
    }

    /// Adds `bits` bits from `first` on, at most 63.
    #[inline]
    pub(super) fn fill(&mut self, first: usize, bits: u32) {
        let run = (1_u64 << bits) - 1;
        let (word, at) = (first / 64, first as u32 % 64);
        self.0[word] |= run << at;
        if at + bits > 64 {
            self.0[word + 1] |= run >> (64 - at);
        }
    }

    /// The set with this bit added.
    #[inline]
    pub(super) fn with(mut self, bit: usize) -> Bits<W> {
        self.0[bit / 64] |= 1 << (bit % 64);
        self
    }

    /// Removes a bit, if present.
    #[inline]
    pub(super) fn remove(&mut self, bit: usize) {
        self.0[bit / 64] &= !(1 << (bit % 64));
    }

    /// Whether no bit is in the set.
    #[inline]
    pub(super) fn is_empty(self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    /// The number of bits in the set.
    #[inline]
    pub(super) fn count(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Every bit moved down by `step`, which is above 0 and below 64.
    #[inline]
    pub(super) fn down(self, step: u32) -> Bits<W> {
        Bits::each(|i| {
            let above = if i + 1 < W { self.0[i + 1] } else { 0 };
            self.0[i] >> step | above << (64 - step)
        })
    }

    /// Every bit moved up by `step`, which is above 0 and below 64.
    #[inline]
    pub(super) fn up(self, step: u32) -> Bits<W> {
        Bits::each(|i| {
            let below = if i > 0 { self.0[i - 1] } else { 0 };
            self.0[i] << step | below >> (64 - step)
        })
    }

    /// The bits of the set, lowest first.
    #[inline]
    pub(super) fn iter(self) -> Iter<W> {
        Iter { rest: self.0, word: 0 }
    }

    /// The set whose words are given by their index. A loop, as `std::array::from_fn` makes a call for each word when
    /// the crate is compiled in several codegen units.
    #[inline(always)]
    fn each(word: impl Fn(usize) -> u64) -> Bits<W> {
        let mut words = [0; W];
        for (i, made) in words.iter_mut().enumerate() {
            *made = word(i);
        }
        Bits(words)
    }
}

/// The bits of a set, lowest first. A type of its own, as it takes half of the time of m,n,k games: chained iterator
/// adapters compile to a dozen functions for each loop over cells and each board width.
#[derive(Debug, Clone)]
pub(super) struct Iter<const W: usize> {
    rest: [u64; W],
    /// The first word that may have bits left.
    word: usize,
}

impl<const W: usize> Iterator for Iter<W> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        while let Some(rest) = self.rest.get_mut(self.word) {
            if *rest != 0 {
                let bit = self.word * 64 + rest.trailing_zeros() as usize;
                *rest &= *rest - 1;
                return Some(bit);
            }
            self.word += 1;
        }
        None
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let bits = Bits(self.rest).count() as usize;
        (bits, Some(bits))
    }
}

impl<const W: usize> ExactSizeIterator for Iter<W> {}

impl Bits<1> {
    /// The bits of a word.
    #[inline]
    pub(super) fn of(word: u64) -> Bits<1> {
        Bits([word])
    }
}

impl<const W: usize> BitAnd for Bits<W> {
    type Output = Bits<W>;
    #[inline]
    fn bitand(self, other: Bits<W>) -> Bits<W> {
        Bits::each(|i| self.0[i] & other.0[i])
    }
}

impl<const W: usize> BitOr for Bits<W> {
    type Output = Bits<W>;
    #[inline]
    fn bitor(self, other: Bits<W>) -> Bits<W> {
        Bits::each(|i| self.0[i] | other.0[i])
    }
}

impl<const W: usize> BitXor for Bits<W> {
    type Output = Bits<W>;
    #[inline]
    fn bitxor(self, other: Bits<W>) -> Bits<W> {
        Bits::each(|i| self.0[i] ^ other.0[i])
    }
}

impl<const W: usize> Not for Bits<W> {
    type Output = Bits<W>;
    #[inline]
    fn not(self) -> Bits<W> {
        Bits::each(|i| !self.0[i])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shifts_carry_from_word_to_word() {
        let mut bits = Bits::<4>::EMPTY;
        for bit in [0, 63, 64, 130, 255] {
            bits.flip(bit);
        }
        assert_eq!(bits.down(3).iter().collect::<Vec<_>>(), [60, 61, 127, 252]);
        assert_eq!(bits.up(3).iter().collect::<Vec<_>>(), [3, 66, 67, 133]);
        assert_eq!((bits.count(), bits.iter().len()), (5, 5));
        assert!(bits.has(130) && !bits.has(131) && !bits.has(256) && !bits.has(usize::MAX));
    }
}
