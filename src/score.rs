//! Scores: the value of a position for the side to move.
//!
//! Layer 0: knows nothing else. A score belongs to a node: distances are plies *from that node*, and [`Score::backed_up`] moves
//! it one ply towards the root. The middle band is in the units of the game's evaluation.
//!
//! ```text
//!  -WIN                          -KNOWN                0                +KNOWN                        +WIN
//!   |loss_in(0) loss_in(1) ...    |known loss ...  -units .. +units  ... known win|     ... win_in(1) win_in(0)|
//! ```
//!
//! Every win is above every known win, every known win above every estimate. A sooner win is better, a later loss is better.
//! Among known wins the larger margin is better, then the nearer one.
//!
//! Certainty, here and in the search: an *estimate*; a *bound*; a *decisive* score (a certain win or loss); a *proven* value,
//! which no deeper search can change (decisive scores, and draws by finished games and exact knowledge); a *solved* position,
//! whose value is proven with its shortest win or longest defence.

use std::fmt;
use std::ops::Neg;

/// The value of `win_in(0)`.
const WIN: i32 = 2_000_000_000;
/// The value of a known win without a margin.
const KNOWN: i32 = 1_000_000_000;
/// The value of a unit of margin in a known win: more than the plies of any line.
const MARGIN: i32 = 1 << 10;
/// The largest margin of a known win.
const MAX_MARGIN: i32 = 400_000;

/// The value of a position for the side to move there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Score(i32);

/// The meaning of a [`Score`]. The sign is the side to move's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meaning {
    /// The side to move wins in this many plies, counted from the node.
    Win(u32),
    /// The side to move loses in this many plies, counted from the node.
    Loss(u32),
    /// A certain win by at least this margin in the game's evaluation units, at an unknown distance.
    KnownWin(u32),
    /// A certain loss by at least this margin in the game's evaluation units, at an unknown distance.
    KnownLoss(u32),
    /// An estimate, or an exact draw, in the game's evaluation units.
    Units(i32),
}

impl Score {
    /// Equal chances, and the value of a draw.
    pub const DRAW: Score = Score(0);
    /// Above every score a position can have.
    pub const INFINITY: Score = Score(WIN + 1);
    /// Below every score a position can have: the opposite of [`Score::INFINITY`].
    pub const MINUS_INFINITY: Score = Score(-(WIN + 1));
    /// The largest estimate; [`Score::units`] clamps to it.
    pub const MAX_UNITS: i32 = 100_000_000;
    /// The longest exact distance of [`Score::win_in`], in plies.
    pub const MAX_DISTANCE: u32 = 500_000_000;

    /// The side to move wins, `plies` plies from here; 0 means the game is over and it has won.
    #[inline]
    #[must_use]
    pub const fn win_in(plies: u32) -> Score {
        let plies = if plies > Self::MAX_DISTANCE { Self::MAX_DISTANCE } else { plies };
        Score(WIN - plies as i32)
    }

    /// The side to move loses, `plies` plies from here; 0 means the game is over and it has lost.
    #[inline]
    #[must_use]
    pub const fn loss_in(plies: u32) -> Score {
        Score(-Self::win_in(plies).0)
    }

    /// A certain win by theory or table, at an unknown distance.
    #[must_use]
    pub const fn known_win() -> Score {
        Score(KNOWN)
    }

    /// A certain loss by theory or table, at an unknown distance.
    #[must_use]
    pub const fn known_loss() -> Score {
        Score(-KNOWN)
    }

    /// The score of a final balance that a table guarantees the side to move, in evaluation units: a known win by that margin above
    /// 0, a known loss below it, a draw at 0.
    #[must_use]
    pub const fn of_final_balance(units: i32) -> Score {
        let margin = if units.unsigned_abs() > MAX_MARGIN as u32 { MAX_MARGIN } else { units.abs() };
        Score(units.signum() * (KNOWN + MARGIN * margin))
    }

    /// An estimate in the game's units, positive when the side to move stands better; clamped to ±[`Score::MAX_UNITS`].
    #[inline]
    #[must_use]
    pub const fn units(units: i32) -> Score {
        if units > Self::MAX_UNITS {
            Score(Self::MAX_UNITS)
        } else if units < -Self::MAX_UNITS {
            Score(-Self::MAX_UNITS)
        } else {
            Score(units)
        }
    }

    /// Its meaning.
    #[inline]
    #[must_use]
    pub const fn meaning(self) -> Meaning {
        match self.0 {
            s if s >= WIN - Self::MAX_DISTANCE as i32 => Meaning::Win((WIN - s) as u32),
            s if s <= Self::MAX_DISTANCE as i32 - WIN => Meaning::Loss((WIN + s) as u32),
            s if s > Self::MAX_UNITS => Meaning::KnownWin(margin(s)),
            s if s < -Self::MAX_UNITS => Meaning::KnownLoss(margin(-s)),
            s => Meaning::Units(s),
        }
    }

    /// Plies to the end of the game, if the score is a win or a loss of known distance.
    #[inline]
    #[must_use]
    pub const fn distance(self) -> Option<u32> {
        match self.meaning() {
            Meaning::Win(plies) | Meaning::Loss(plies) => Some(plies),
            _ => None,
        }
    }

    /// Whether the result is certain, whatever its distance.
    #[inline]
    #[must_use]
    pub const fn is_decisive(self) -> bool {
        !matches!(self.meaning(), Meaning::Units(_))
    }

    /// Whether the result is certain and its distance is not known.
    #[inline]
    #[must_use]
    pub const fn is_known(self) -> bool {
        matches!(self.meaning(), Meaning::KnownWin(_) | Meaning::KnownLoss(_))
    }

    /// The same result one ply earlier: a win or loss is one ply further away, everything else unchanged.
    ///
    /// With negation this carries a child's value to its parent: `(-child).backed_up()`.
    #[inline]
    #[must_use]
    pub const fn backed_up(self) -> Score {
        match self.meaning() {
            Meaning::Win(plies) => Self::win_in(plies + 1),
            Meaning::Loss(plies) => Self::loss_in(plies + 1),
            Meaning::KnownWin(_) => Score(self.0 - 1),
            Meaning::KnownLoss(_) => Score(self.0 + 1),
            Meaning::Units(_) => self,
        }
    }

    /// The inverse of [`Score::backed_up`], for search windows on their way down the tree: for scores `a` and `b`,
    /// `a.backed_up() >= b` exactly when `a >= b.handed_down()`.
    #[inline]
    #[must_use]
    pub const fn handed_down(self) -> Score {
        match self.0 {
            s if s > Self::MAX_UNITS => Score(s.saturating_add(1)),
            s if s < -Self::MAX_UNITS => Score(s.saturating_sub(1)),
            _ => self,
        }
    }

    /// The estimate raised by this many units; decided scores, and sums out of range, stay as they are.
    #[must_use]
    pub const fn plus_units(self, units: i32) -> Score {
        match self.meaning() {
            Meaning::Units(own) => Self::units(own.saturating_add(units)),
            _ => self,
        }
    }

    /// The next higher score.
    #[inline]
    #[must_use]
    pub const fn successor(self) -> Score {
        Score(self.0.saturating_add(1))
    }

    /// The number of the score, for storage; ordered as scores are.
    #[must_use]
    pub const fn to_bits(self) -> u32 {
        self.0.cast_unsigned()
    }

    /// The inverse of [`Score::to_bits`].
    #[must_use]
    pub const fn from_bits(bits: u32) -> Score {
        Score(bits.cast_signed())
    }
}

/// The margin of a known win of this value, which [`Score::backed_up`] has lowered by one for every ply.
const fn margin(value: i32) -> u32 {
    let above = value - KNOWN;
    if above <= 0 { 0 } else { ((above - 1) / MARGIN + 1) as u32 }
}

impl Neg for Score {
    type Output = Score;
    #[inline]
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl fmt::Debug for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.meaning() {
            Meaning::Units(units) => write!(f, "{units:+}"),
            meaning => write!(f, "{meaning:?}"),
        }
    }
}

/// For people: `win in 3 plies`, `loss in 1 ply`, `win by 12`, `draw or level`, `+25`; margins and estimates in the game's units.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plies = |f: &mut fmt::Formatter<'_>, end, plies| {
            write!(f, "{end} in {plies} {}", if plies == 1 { "ply" } else { "plies" })
        };
        match self.meaning() {
            Meaning::Win(distance) => plies(f, "win", distance),
            Meaning::Loss(distance) => plies(f, "loss", distance),
            Meaning::KnownWin(0) => f.write_str("win"),
            Meaning::KnownLoss(0) => f.write_str("loss"),
            Meaning::KnownWin(margin) => write!(f, "win by {margin}"),
            Meaning::KnownLoss(margin) => write!(f, "loss by {margin}"),
            Meaning::Units(0) => f.write_str("draw or level"),
            Meaning::Units(units) => write!(f, "{units:+}"),
        }
    }
}

/// The relation of a score to the true value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Bound {
    /// The true value is at most the score (the search failed low).
    Upper,
    /// The true value is at least the score (the search failed high).
    Lower,
    /// The score is the true value.
    Exact,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples() -> Vec<Score> {
        let mut all = vec![
            Score::loss_in(0),
            Score::loss_in(1),
            Score::loss_in(7),
            Score::loss_in(Score::MAX_DISTANCE - 1),
            Score::of_final_balance(-300),
            Score::of_final_balance(-1).backed_up().backed_up(),
            Score::known_loss(),
            Score::known_loss().backed_up().backed_up(),
            Score::units(i32::MIN),
            Score::units(-3),
            Score::DRAW,
        ];
        let mirrored: Vec<Score> = all.iter().rev().skip(1).map(|&s| -s).collect();
        all.extend(mirrored);
        all
    }

    #[test]
    fn scores_are_ordered_from_soonest_loss_to_soonest_win() {
        let all = samples();
        assert!(all.windows(2).all(|pair| pair[0] < pair[1]), "{all:?}");
    }

    #[test]
    fn backing_up_moves_a_result_one_ply_away_and_keeps_the_order() {
        assert_eq!(Score::win_in(3).backed_up(), Score::win_in(4));
        assert_eq!(Score::loss_in(3).backed_up(), Score::loss_in(4));
        assert_eq!(Score::units(17).backed_up(), Score::units(17));
        assert!(samples().windows(2).all(|pair| pair[0].backed_up() < pair[1].backed_up()));
    }

    #[test]
    fn handing_a_window_down_is_the_adjoint_of_backing_up() {
        for a in samples() {
            for b in samples().into_iter().chain([Score::INFINITY, -Score::INFINITY]) {
                assert_eq!(a.backed_up() >= b, a >= b.handed_down(), "{a:?} against {b:?}");
            }
        }
    }

    #[test]
    fn people_read_a_score_in_words() {
        for (score, words) in [
            (Score::win_in(3), "win in 3 plies"),
            (Score::loss_in(1), "loss in 1 ply"),
            (Score::of_final_balance(12).backed_up(), "win by 12"),
            (Score::of_final_balance(-1), "loss by 1"),
            (Score::known_loss().backed_up(), "loss"),
            (Score::DRAW, "draw or level"),
            (Score::units(-25), "-25"),
            (Score::units(7), "+7"),
        ] {
            assert_eq!(score.to_string(), words);
        }
    }

    #[test]
    fn meaning_and_distance_tell_what_was_put_in() {
        assert_eq!(Score::win_in(12).meaning(), Meaning::Win(12));
        assert_eq!(Score::loss_in(0).distance(), Some(0));
        assert_eq!(Score::known_win().backed_up().meaning(), Meaning::KnownWin(0));
        assert_eq!(Score::of_final_balance(0), Score::DRAW);
        let far = (0..1000).fold(Score::of_final_balance(-300), |score, _| score.backed_up());
        assert_eq!(far.meaning(), Meaning::KnownLoss(300));
        assert_eq!((-far).meaning(), Meaning::KnownWin(300));
        assert_eq!(Score::known_loss().distance(), None);
        assert_eq!(Score::units(-250).meaning(), Meaning::Units(-250));
        assert!(!Score::DRAW.is_decisive());
        for score in samples() {
            assert_eq!(Score::from_bits(score.to_bits()), score);
        }
    }
}
