//! The review of a game: what each move lost, from values that one search found in one time for every position. Layer 6; pure.
//!
//! A loss is one of expected result, from 0 to 1 for the player who moved, so that it means the same in every game. The sizes of
//! mistakes, the expected result and the accuracy are those of the page of griot-board, which says the same of the same game.

use griot::message::{GameResult, Info, Player, ReportedScore};
use griot::registry::family_of;

/// How large a mistake is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Size {
    Blunder,
    Mistake,
    Slip,
}

impl Size {
    /// From the largest to the smallest.
    pub(super) const ALL: [Size; 3] = [Size::Blunder, Size::Mistake, Size::Slip];

    /// The sign that players write behind a move.
    pub(super) const fn sign(self) -> &'static str {
        match self {
            Size::Blunder => "??",
            Size::Mistake => "?",
            Size::Slip => "?!",
        }
    }

    /// The least loss of such a mistake.
    const fn least(self) -> f64 {
        match self {
            Size::Blunder => 0.15,
            Size::Mistake => 0.1,
            Size::Slip => 0.05,
        }
    }

    fn of(loss: f64) -> Option<Size> {
        Size::ALL.into_iter().find(|size| loss >= size.least())
    }
}

/// An estimate is never as good as a fact.
const ESTIMATE: f64 = 0.96;
/// The scale of games of which nothing is known, in hundredths.
const SCALE: u32 = 300;

/// What the first player may expect of a game, from 0 to 1, by a search of a position in which `turn` is to move.
pub(super) fn expected(game: &str, info: &Info, turn: Player) -> f64 {
    let scale = family_of(game).map_or(SCALE, |family| (family.clear_lead)(game));
    let share = match info.score {
        None => 0.0,
        Some((ReportedScore::Mate(moves), _)) => {
            if moves > 0 {
                1.0
            } else {
                -1.0
            }
        }
        Some((ReportedScore::Centi(centi), _)) if info.certain => f64::from(centi.signum()),
        Some((ReportedScore::Centi(centi), _)) => ESTIMATE * (f64::from(centi) / f64::from(scale)).tanh(),
    };
    match turn {
        Player::First => (1.0 + share) / 2.0,
        Player::Second => (1.0 - share) / 2.0,
    }
}

/// The same of a game that is over.
pub(super) fn result(result: GameResult) -> f64 {
    match result {
        GameResult::Win(Player::First) => 1.0,
        GameResult::Win(Player::Second) => 0.0,
        GameResult::Draw => 0.5,
    }
}

/// What a move of `mover` lost of what the first player could expect before and after it, and how large a mistake that is. The move
/// that the search would have played loses nothing.
pub(super) fn judge(mover: Player, before: f64, after: f64, is_best: bool) -> (f64, Option<Size>) {
    let lost = match mover {
        Player::First => before - after,
        Player::Second => after - before,
    };
    let loss = if is_best { 0.0 } else { lost.max(0.0) };
    (loss, Size::of(loss))
}

/// What moves with these losses kept, from 0 to 100; nothing where there are none.
pub(super) fn accuracy(losses: &[f64]) -> Option<f64> {
    let sum: f64 = losses.iter().map(|loss| 100.0 * (-4.0 * loss).exp()).sum();
    (!losses.is_empty()).then(|| sum / losses.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use griot::message::ReportedBound;

    fn info(score: ReportedScore, certain: bool) -> Info {
        Info { score: Some((score, ReportedBound::Exact)), certain, ..Info::default() }
    }

    #[test]
    fn what_is_expected_is_the_same_for_both_sides() {
        for (score, certain) in [
            (ReportedScore::Centi(900), false),
            (ReportedScore::Centi(-250), false),
            (ReportedScore::Centi(100_700), true),
            (ReportedScore::Mate(3), true),
            (ReportedScore::Mate(0), true),
        ] {
            let info = info(score, certain);
            let sum = expected("awale", &info, Player::First) + expected("awale", &info, Player::Second);
            assert!((sum - 1.0).abs() < 1e-12, "{score:?}");
        }
        let awale = expected("awale:tipe", &info(ReportedScore::Centi(900), false), Player::First);
        assert!((awale - (1.0 + 0.96 * 1_f64.tanh()) / 2.0).abs() < 1e-12, "{awale}");
        assert_eq!(expected("nim", &info(ReportedScore::Mate(-2), true), Player::Second), 1.0);
        assert_eq!(expected("awale", &info(ReportedScore::Centi(-100_700), true), Player::First), 0.0);
    }

    #[test]
    fn mistakes_have_three_sizes() {
        let size = |before, after| judge(Player::First, before, after, false).1;
        assert_eq!(size(0.5, 0.46), None);
        assert_eq!(
            (size(0.5, 0.44), size(0.5, 0.39), size(0.5, 0.1)),
            (Some(Size::Slip), Some(Size::Mistake), Some(Size::Blunder))
        );
        // What is good for one is bad for the other.
        assert_eq!(judge(Player::Second, 0.5, 0.1, false), (0.0, None));
        assert_eq!(judge(Player::Second, 0.25, 1.0, false), (0.75, Some(Size::Blunder)));
        assert_eq!(judge(Player::First, 0.9, 0.1, true), (0.0, None));
        assert_eq!(accuracy(&[]), None);
        assert_eq!(accuracy(&[0.0, 0.0]), Some(100.0));
        assert!(accuracy(&[0.0, 0.25]).is_some_and(|kept| (68.3..68.5).contains(&kept)));
    }
}
