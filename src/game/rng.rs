//! Reproducible random numbers: hash mixing, and the generator of tests and random openings.
//!
//! Layer 0. CITE: G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators", 2014 (the finaliser).

/// Mixes the bits of a word: a bijection on `u64` whose every output bit depends on every input bit.
#[must_use]
pub const fn mix64(word: u64) -> u64 {
    let word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    word ^ (word >> 31)
}

/// A seeded generator: the same seed gives the same numbers on every machine.
#[derive(Debug, Clone)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// A generator that starts from `seed`.
    #[must_use]
    pub const fn new(seed: u64) -> SplitMix64 {
        SplitMix64(seed)
    }

    /// The next 64 bits.
    pub const fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mix64(self.0)
    }

    /// A number below `limit`; the bias is below `limit / 2^64`.
    ///
    /// # Panics
    /// When `limit` is 0.
    pub const fn below(&mut self, limit: usize) -> usize {
        assert!(limit > 0, "nothing is below 0");
        ((self.next_u64() as u128 * limit as u128) >> 64) as usize
    }
}
