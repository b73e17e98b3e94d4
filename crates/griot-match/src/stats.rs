//! Match statistics: Elo with its error, the likelihood of superiority, and the sequential test (SPRT).
//!
//! Everything is from the view of one engine. An opening is played twice with sides swapped, and both games share its bias. So
//! the independent unit is the pair, with five results (pentanomial), which gives smaller and more accurate errors than single
//! games.
//! CITE: Fishtest mathematics, official-stockfish/fishtest wiki (pentanomial model, Elo, LOS, SPRT).
//! CITE: A. Wald, "Sequential tests of statistical hypotheses", 1945 (the bounds).

use std::ops::Add;

/// 97.5 % of a normal distribution lies below so many standard deviations.
const NORMAL_95: f64 = 1.959_964;

/// Won, drawn and lost games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Tally {
    pub(crate) wins: u32,
    pub(crate) draws: u32,
    pub(crate) losses: u32,
}

impl Tally {
    /// Books a game by its points in halves: 2 a win, 1 a draw, 0 a loss.
    pub(crate) fn book(&mut self, halves: usize) {
        match halves {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
    }

    pub(crate) fn games(self) -> u32 {
        self.wins + self.draws + self.losses
    }

    pub(crate) fn points(self) -> f64 {
        f64::from(self.wins) + f64::from(self.draws) / 2.0
    }

    /// Points of the games played, between 0 and 1; one half without games.
    pub(crate) fn score(self) -> f64 {
        if self.games() == 0 { 0.5 } else { self.points() / f64::from(self.games()) }
    }
}

impl Add for Tally {
    type Output = Tally;

    fn add(self, more: Tally) -> Tally {
        Tally { wins: self.wins + more.wins, draws: self.draws + more.draws, losses: self.losses + more.losses }
    }
}

/// Pairs of games by their points in halves, 0 to 4.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Pentanomial(pub(crate) [u32; 5]);

/// A difference in Elo, and the half of its 95 % interval; that is infinite as long as it is not known, because all pairs
/// ended alike or the interval reaches a score of 0 or 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Elo {
    pub(crate) difference: f64,
    pub(crate) error: f64,
}

impl Pentanomial {
    pub(crate) fn book(&mut self, halves: usize) {
        self.0[halves.min(4)] += 1;
    }

    pub(crate) fn pairs(self) -> u32 {
        self.0.iter().sum()
    }

    /// Number, mean and variance of pair scores between 0 and 1; nothing without pairs.
    fn moments(self) -> Option<(f64, f64, f64)> {
        if self.pairs() == 0 {
            return None;
        }
        let classes = || self.0.iter().map(|&n| f64::from(n)).zip(SCORES);
        let pairs = f64::from(self.pairs());
        let mean = classes().map(|(n, score)| n * score).sum::<f64>() / pairs;
        let variance = classes().map(|(n, score)| n * (score - mean).powi(2)).sum::<f64>() / pairs;
        Some((pairs, mean, variance))
    }

    /// The difference in Elo; the bounds of the score become bounds in Elo. Nothing without pairs.
    pub(crate) fn elo(self) -> Option<Elo> {
        let (pairs, mean, variance) = self.moments()?;
        let error = NORMAL_95 * (variance / pairs).sqrt();
        let error = if variance > 0.0 { (elo_of(mean + error) - elo_of(mean - error)) / 2.0 } else { f64::INFINITY };
        Some(Elo { difference: elo_of(mean), error })
    }

    /// The difference in normalised Elo, which is measured in the deviation of a game's score; the bounds as in [`Self::elo`].
    /// Nothing without pairs, or while all ended alike.
    ///
    /// CITE: M. Van den Bergh, "Normalized Elo", 2022, hardy.uhasselt.be/Fishtest/normalized_elo_practical.pdf.
    pub(crate) fn normalised_elo(self) -> Option<Elo> {
        let (pairs, mean, variance) = self.moments()?;
        // The variance of a game is twice that of the mean of two.
        let scale = 800.0 / std::f64::consts::LN_10 / (2.0 * variance).sqrt();
        let error = NORMAL_95 * (variance / pairs).sqrt();
        (variance > 0.0).then_some(Elo { difference: (mean - 0.5) * scale, error: error * scale })
    }

    /// How likely it is that A is the stronger one, from 0 to 1. Nothing while all pairs ended alike.
    pub(crate) fn superiority(self) -> Option<f64> {
        let (pairs, mean, variance) = self.moments()?;
        (variance > 0.0).then(|| normal_below((mean - 0.5) / (variance / pairs).sqrt()))
    }

    /// The logarithm of the generalised likelihood ratio of `elo1` against `elo0`; 0 without pairs.
    ///
    /// Each hypothesis is given the likeliest distribution with its mean. Empty classes count a thousandth of a pair, as on
    /// Fishtest, so that every mean is possible.
    pub(crate) fn log_likelihood_ratio(self, elo0: f64, elo1: f64) -> f64 {
        if self.pairs() == 0 {
            return 0.0;
        }
        let counts = self.0.map(|n| f64::from(n).max(1e-3));
        let [s0, s1] = [elo0, elo1].map(score_of);
        let [x0, x1] = [s0, s1].map(|mean| tilt(counts, mean));
        let terms = counts.iter().zip(SCORES).map(|(n, a)| n * ((1.0 + x0 * (a - s0)) / (1.0 + x1 * (a - s1))).ln());
        terms.sum()
    }
}

impl Add for Pentanomial {
    type Output = Pentanomial;

    fn add(self, more: Pentanomial) -> Pentanomial {
        let mut sum = self.0;
        sum.iter_mut().zip(more.0).for_each(|(count, more)| *count += more);
        Pentanomial(sum)
    }
}

/// The scores of a pair, class by class, between 0 and 1.
const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// The `x` that makes `n / (1 + x (score - mean))`, class by class, the likeliest distribution with that mean.
///
/// CITE: M. Van den Bergh, maximum likelihood estimate of a multinomial distribution with a given mean,
/// hardy.uhasselt.be/Fishtest/support_MLE_multinomial.pdf, proposition 1.1, which Fishtest computes by.
fn tilt(counts: [f64; 5], mean: f64) -> f64 {
    let excess = |x: f64| counts.iter().zip(SCORES).map(|(n, a)| n * (a - mean) / (1.0 + x * (a - mean))).sum::<f64>();
    // The excess falls from plus to minus infinity between the poles of the lowest and the highest score.
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    for _ in 0..200 {
        let middle = f64::midpoint(low, high);
        if excess(middle) > 0.0 { low = middle } else { high = middle }
    }
    f64::midpoint(low, high)
}

/// The expected score at a difference in Elo.
fn score_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// The difference in Elo at which a score is expected.
fn elo_of(score: f64) -> f64 {
    let score = score.clamp(0.0, 1.0);
    400.0 * (score / (1.0 - score)).log10()
}

/// The part of a standard normal distribution below `x`, to seven digits.
///
/// CITE: M. Abramowitz, I. Stegun, "Handbook of mathematical functions", 1964, formula 7.1.26.
fn normal_below(x: f64) -> f64 {
    let z = x.abs() / std::f64::consts::SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * z);
    let terms = [1.061_405_429, -1.453_152_027, 1.421_413_741, -0.284_496_736, 0.254_829_592];
    let above = terms.iter().fold(0.0, |sum, term| (sum + term) * t) * (-z * z).exp() / 2.0;
    if x >= 0.0 { 1.0 - above } else { above }
}

/// A sequential test: is A better by `elo1` rather than `elo0`?
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Sprt {
    pub(crate) elo0: f64,
    pub(crate) elo1: f64,
    /// The chance to accept `elo1` when `elo0` is true.
    pub(crate) alpha: f64,
    /// The chance to accept `elo0` when `elo1` is true.
    pub(crate) beta: f64,
}

/// What a sequential test has found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Decision {
    Undecided,
    AcceptElo0,
    AcceptElo1,
}

impl Sprt {
    /// The log-likelihood ratios at which `elo0` and `elo1` are accepted.
    pub(crate) fn bounds(self) -> [f64; 2] {
        [(self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln()]
    }

    /// The log-likelihood ratio so far, and what it decides.
    pub(crate) fn judge(self, pairs: Pentanomial) -> (f64, Decision) {
        let ratio = pairs.log_likelihood_ratio(self.elo0, self.elo1);
        let [lower, upper] = self.bounds();
        let decision = match ratio {
            _ if ratio <= lower => Decision::AcceptElo0,
            _ if ratio >= upper => Decision::AcceptElo1,
            _ => Decision::Undecided,
        };
        (ratio, decision)
    }
}

impl std::str::FromStr for Sprt {
    type Err = String;

    fn from_str(text: &str) -> Result<Sprt, String> {
        let told = || format!("'{text}': expected elo0,elo1 or elo0,elo1,alpha,beta, like 0,10 or 0,10,0.05,0.05");
        let numbers: Result<Vec<f64>, _> = text.split(',').map(|number| number.trim().parse()).collect();
        let (elo0, elo1, alpha, beta) = match numbers.as_deref() {
            Ok(&[elo0, elo1]) => (elo0, elo1, 0.05, 0.05),
            Ok(&[elo0, elo1, alpha, beta]) => (elo0, elo1, alpha, beta),
            _ => return Err(told()),
        };
        let is_chance = |chance: f64| chance > 0.0 && chance < 0.5;
        if elo0 < elo1 && elo0.is_finite() && elo1.is_finite() && is_chance(alpha) && is_chance(beta) {
            Ok(Sprt { elo0, elo1, alpha, beta })
        } else {
            Err(format!("{}; elo0 must be below elo1, alpha and beta between 0 and 0.5", told()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: f64, expected: f64) -> bool {
        (found - expected).abs() < 1e-4 * expected.abs().max(1.0)
    }

    #[test]
    fn elo_and_score_are_the_logistic_curve() {
        for (elo, score) in [(0.0, 0.5), (400.0, 10.0 / 11.0), (-400.0, 1.0 / 11.0), (190.848_501_888, 0.75)] {
            assert!(near(score_of(elo), score) && near(elo_of(score), elo), "{elo}");
        }
        assert_eq!((elo_of(1.0), elo_of(-0.1)), (f64::INFINITY, f64::NEG_INFINITY));
    }

    /// 1, 2, 4, 2, 1 has mean 1/2 and variance 0.075; 0, 1, 2, 4, 3 has mean 0.725 and variance 0.055625.
    #[test]
    fn pairs_give_elo_and_error() {
        let even = Pentanomial([1, 2, 4, 2, 1]).elo().unwrap();
        assert!(near(even.difference, 0.0) && near(even.error, 122.818_4), "{even:?}");
        let better = Pentanomial([0, 1, 2, 4, 3]).elo().unwrap();
        assert!(near(better.difference, 168.402_1) && near(better.error, 138.407_9), "{better:?}");
        assert_eq!(Pentanomial::default().elo(), None);
        assert_eq!(Pentanomial([0, 0, 0, 0, 3]).elo().unwrap().difference, f64::INFINITY);
        let draws = Pentanomial([0, 0, 9, 0, 0]);
        assert_eq!((draws.elo().unwrap().error, draws.superiority()), (f64::INFINITY, None));
    }

    /// The figures that fastchess's own tests expect of the same pairs (`elo_test.cpp`, `sprt_test.cpp`).
    #[test]
    fn elo_superiority_and_likelihood_are_those_of_fastchess() {
        let close = |found: f64, expected: f64| (found - expected).abs() <= 0.01 * (1.0 + expected.abs());
        for (pairs, elo, normalised, superiority) in [
            ([34, 54, 63, 64, 75], (55.58, 27.65), (57.94, 28.28), 1.0),
            ([332, 433, 498, 333, 334], (-8.64, 10.33), (-9.17, 10.96), 0.0505),
            ([7895, 8757, 5685, 568, 9999], (-21.04, 2.95), (-19.01, 2.65), 0.0),
        ] {
            let pairs = Pentanomial(pairs);
            let (found, own) = (pairs.elo().unwrap(), pairs.normalised_elo().unwrap());
            assert!(close(found.difference, elo.0) && close(found.error, elo.1), "{found:?}");
            assert!(close(own.difference, normalised.0) && close(own.error, normalised.1), "{own:?}");
            assert!((pairs.superiority().unwrap() - superiority).abs() < 5e-5);
        }
        for (pairs, elo0, elo1, ratio) in
            [([223, 9863, 21279, 10037, 246], 0.5, 2.5, -3.07), ([871, 26175, 55983, 26678, 821], 0.0, 2.0, -4.98)]
        {
            let found = Pentanomial(pairs).log_likelihood_ratio(elo0, elo1);
            assert!(close(found, ratio), "{found} for {ratio}");
        }
    }

    #[test]
    fn superiority_is_the_normal_distribution() {
        for (x, below) in [(0.0, 0.5), (1.0, 0.841_344_7), (-1.959_964, 0.025), (3.0, 0.998_650_1)] {
            assert!((normal_below(x) - below).abs() < 2e-7, "{x}");
        }
        assert!(near(Pentanomial([1, 2, 4, 2, 1]).superiority().unwrap(), 0.5));
        assert!(near(Pentanomial([0, 1, 2, 4, 3]).superiority().unwrap(), 0.998_723));
    }

    #[test]
    fn the_sequential_test_decides_at_walds_bounds() {
        let test: Sprt = "0,10".parse().unwrap();
        let [lower, upper] = test.bounds();
        assert!(near(lower, -2.944_439) && near(upper, 2.944_439));
        assert_eq!(test.judge(Pentanomial::default()), (0.0, Decision::Undecided));
        assert_eq!(test.judge(Pentanomial([0, 0, 1, 0, 0])).1, Decision::Undecided);
        let many = Pentanomial([10, 50, 200, 90, 20]);
        assert!(near(many.log_likelihood_ratio(0.0, 10.0), 4.019_580), "{}", many.log_likelihood_ratio(0.0, 10.0));
        assert_eq!(test.judge(many).1, Decision::AcceptElo1);
        assert_eq!(test.judge(Pentanomial([100, 200, 400, 100, 40])).1, Decision::AcceptElo0);
        for wrong in ["", "5", "10,0", "0,10,0.05", "0,10,0,0.05", "a,b", "0,inf"] {
            assert!(wrong.parse::<Sprt>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn games_are_booked_and_added() {
        let mut tally = Tally::default();
        [2, 2, 1, 0].into_iter().for_each(|halves| tally.book(halves));
        assert_eq!((tally.games(), tally.points(), tally.score()), (4, 2.5, 0.625));
        let both = tally + Tally { wins: 1, draws: 2, losses: 3 };
        assert_eq!((both.wins, both.draws, both.losses), (3, 3, 4));
    }
}
