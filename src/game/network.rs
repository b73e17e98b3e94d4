//! A small neural network as an evaluation, for any game (NNUE). Layer 0.
//!
//! ```text
//!  INPUTS, twice    what is true of a position, as either side sees it
//!  HIDDEN, twice    sums of the weights of what is true, carried down a line; the side to move first
//!  one number       the squares of the sums, within 0 and ONE, times weights that go by the bucket of the position
//! ```
//!
//! The game defines its inputs, which of them a move changes, and the bucket of a position. Weights are fixed-point numbers.
//! CITE: Y. Nasu, "Efficiently Updatable Neural-Network-based Evaluation Functions for Computer Shogi", 2018; chessprogramming
//! wiki, "NNUE".

use crate::vector;

/// The fixed-point 1 of sums and input weights.
pub const ONE: i16 = 255;
/// The fixed-point 1 of output weights.
pub const OUTPUT_ONE: i16 = 128;

/// The greatest input weight, so that sums stay within their type.
pub const GREATEST: f32 = 1.98;
/// The greatest output weight, so that products stay within their type.
pub const GREATEST_OUTPUT: f32 = 0.99;

/// The numbers of a network file: two bytes each, little-endian.
#[must_use]
pub fn numbers(bytes: &[u8]) -> Vec<i16> {
    bytes.as_chunks().0.iter().map(|&bytes| i16::from_le_bytes(bytes)).collect()
}

/// The sums of a side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(align(64))]
pub struct Sums<const HIDDEN: usize>([i16; HIDDEN]);

impl<const HIDDEN: usize> Default for Sums<HIDDEN> {
    fn default() -> Self {
        Sums([0; HIDDEN])
    }
}

/// The weights, as fixed-point numbers.
#[derive(Clone, PartialEq, Eq)]
pub struct Network<const INPUTS: usize, const HIDDEN: usize, const BUCKETS: usize> {
    /// The weights of each input, and a row of zeros for what is none.
    inputs: Vec<Sums<HIDDEN>>,
    bias: Sums<HIDDEN>,
    output: Vec<[Sums<HIDDEN>; 2]>,
    output_bias: [i32; BUCKETS],
}

impl<const INPUTS: usize, const HIDDEN: usize, const BUCKETS: usize> std::fmt::Debug
    for Network<INPUTS, HIDDEN, BUCKETS>
{
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Network").finish_non_exhaustive()
    }
}

impl<const INPUTS: usize, const HIDDEN: usize, const BUCKETS: usize> Network<INPUTS, HIDDEN, BUCKETS> {
    /// Number of values of a network: HIDDEN for each input, HIDDEN biases, and for each bucket twice HIDDEN and a bias.
    pub const NUMBERS: usize = (INPUTS + 1) * HIDDEN + BUCKETS * (2 * HIDDEN + 1);

    /// A network of [`Self::NUMBERS`] numbers, in the order above; those that are missing are 0.
    #[must_use]
    pub fn new(numbers: &[i16]) -> Self {
        const { assert!(HIDDEN.is_multiple_of(vector::LANES)) }
        let mut numbers = numbers.iter().copied().chain(std::iter::repeat(0));
        let mut sums = || Sums(std::array::from_fn(|_| numbers.next().unwrap_or(0)));
        let mut inputs: Vec<_> = (0..INPUTS).map(|_| sums()).collect();
        inputs.push(Sums::default());
        let bias = sums();
        let output = (0..BUCKETS).map(|_| [sums(), sums()]).collect();
        let output_bias = std::array::from_fn(|_| i32::from(numbers.next().unwrap_or(0)));
        Network { inputs, bias, output, output_bias }
    }

    /// The network of a file, as [`numbers`] reads it.
    ///
    /// # Errors
    /// If the file has another length, or weights that would overflow.
    pub fn read(file: &[u8]) -> Result<Self, String> {
        if file.len() != 2 * Self::NUMBERS {
            return Err(format!("expected a network of {} bytes, found {}", 2 * Self::NUMBERS, file.len()));
        }
        let numbers = numbers(file);
        let (of_inputs, of_sums) = numbers.split_at((INPUTS + 1) * HIDDEN);
        let (of_sums, _) = of_sums.split_at(BUCKETS * 2 * HIDDEN);
        for (what, weights, greatest, one) in
            [("an input", of_inputs, GREATEST, ONE), ("a sum", of_sums, GREATEST_OUTPUT, OUTPUT_ONE)]
        {
            let greatest = (greatest * f32::from(one)).round() as u16;
            if let Some(weight) = weights.iter().find(|weight| weight.unsigned_abs() > greatest) {
                return Err(format!("expected weights of {what} within ±{greatest}, found {weight}"));
            }
        }
        for bucket in of_sums.chunks(2 * HIDDEN) {
            let all: i64 = bucket.iter().map(|&weight| i64::from(weight).abs()).sum();
            let greatest = i64::from(i32::MAX) / i64::from(ONE).pow(2);
            if all > greatest {
                return Err(format!("expected weights of sums of at most {greatest} together, found {all}"));
            }
        }
        Ok(Self::new(&numbers))
    }

    /// The sums of a side with these inputs active.
    pub fn sums(&self, inputs: impl IntoIterator<Item = usize>) -> Sums<HIDDEN> {
        let mut sums = self.bias;
        let mut inputs = inputs.into_iter();
        while let Some(first) = inputs.next() {
            let before = sums;
            // Four at a time, as each step reads and writes all sums.
            match [inputs.next(), inputs.next(), inputs.next()] {
                [Some(second), Some(third), Some(fourth)] => {
                    self.change(&before, &mut sums, [], [first, second, third, fourth]);
                }
                [Some(second), Some(third), None] => self.change(&before, &mut sums, [], [first, second, third]),
                [Some(second), ..] => self.change(&before, &mut sums, [], [first, second]),
                [None, ..] => self.change(&before, &mut sums, [], [first]),
            }
        }
        sums
    }

    /// The same for few inputs known at compile time.
    #[must_use]
    #[inline]
    pub fn sums_of<const COUNT: usize>(&self, inputs: &[usize; COUNT]) -> Sums<HIDDEN> {
        let rows = inputs.iter().map(|&input| &self.inputs[input].0);
        Sums(vector::exchange(&self.bias.0, std::iter::empty(), rows))
    }

    /// Updates `sums` of a side to `changed`: some inputs become inactive, others active.
    #[inline]
    pub fn change<const GONE: usize, const COME: usize>(
        &self,
        sums: &Sums<HIDDEN>,
        changed: &mut Sums<HIDDEN>,
        gone: [usize; GONE],
        come: [usize; COME],
    ) {
        let row = |input: usize| &self.inputs[input].0;
        vector::change(&sums.0, &mut changed.0, gone.map(row), come.map(row));
    }

    /// The sums of a side after these: some inputs became inactive, others active; `INPUTS` is none. Quicker than [`Self::change`]
    /// for many inputs and short rows.
    #[must_use]
    #[inline]
    pub fn exchange(
        &self,
        sums: &Sums<HIDDEN>,
        gone: impl Iterator<Item = usize> + Clone,
        come: impl Iterator<Item = usize> + Clone,
    ) -> Sums<HIDDEN> {
        let row = |input: usize| &self.inputs[input].0;
        Sums(vector::exchange(&sums.0, gone.map(row), come.map(row)))
    }

    /// The value of a position with these sums, for the side whose sums are `own`; `scale` is the value of the number 1.
    #[must_use]
    #[inline]
    pub fn value(&self, bucket: usize, own: &Sums<HIDDEN>, theirs: &Sums<HIDDEN>, scale: i32) -> i32 {
        let [of_own, of_theirs] = &self.output[bucket];
        let sum = vector::weighted_squares([&own.0, &theirs.0], [&of_own.0, &of_theirs.0], ONE);
        let value = i64::from(sum / i32::from(ONE) + self.output_bias[bucket]) * i64::from(scale);
        (value / (i64::from(ONE) * i64::from(OUTPUT_ONE))) as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vector::LANES;

    /// Two inputs, one sum that is not 0, two buckets, by hand.
    #[test]
    fn a_network_is_worth_what_is_reckoned_by_hand() {
        type Small = Network<2, LANES, 2>;
        assert_eq!(Small::NUMBERS, 114);
        let half = ONE / 2;
        let of_sums = [half, -ONE, 51, OUTPUT_ONE, -OUTPUT_ONE, 0, OUTPUT_ONE];
        let of_sums = of_sums.iter().flat_map(|&number| std::iter::once(number).chain([0; LANES - 1]));
        let network = Small::new(&of_sums.chain([0, ONE]).collect::<Vec<_>>());
        let own = network.sums([0]);
        let theirs = network.sums([0, 1]);
        // The sums are 178 of 255, and -77, which counts as 0.
        let worth = |squares: i32| squares * i32::from(OUTPUT_ONE) / 255 * 1000 / (255 * i32::from(OUTPUT_ONE));
        assert_eq!(network.value(0, &own, &theirs, 1000), worth(178 * 178));
        // Of the other bucket: theirs counts, and a bias of ONE in ONE times OUTPUT_ONE.
        assert_eq!(network.value(1, &own, &theirs, 1000), 1000 / i32::from(OUTPUT_ONE));
        let mut changed = Sums::default();
        network.change(&theirs, &mut changed, [1], []);
        assert_eq!(changed, own);
        assert_eq!([network.sums_of(&[0]), network.sums_of(&[0, 1])], [own, theirs]);
        network.change(&own, &mut changed, [], [0]);
        let theirs = changed;
        // 305 counts as 255.
        assert_eq!(network.value(0, &own, &theirs, 1000), worth(178 * 178 - 255 * 255));
    }
}
