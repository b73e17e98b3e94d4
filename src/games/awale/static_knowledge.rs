//! The value of plain minimax by the stores for the last few plies, exact and without the overhead of a full search. Layer 2.
//!
//! Alpha-beta over integers: seeds for an estimate; a win in n plies is [`WIN`] - n, a loss the opposite, a draw 0. Distances
//! count from the first call, so windows go down unchanged. Most positions are far from any end but a majority, which
//! [`Position::goes_on`] shows; the others are played out house by house.

use super::board::{Position, captured, largest_byte};
use super::evaluate::SEED;
use super::rules::Variant;
use crate::game::{Outcome, Position as _, StaticKnowledge};
use crate::score::{Bound, Meaning, Score};

/// The largest depth of trees searched here, in plies.
const DEEPEST: u32 = 5;

/// An immediate win. INVARIANT: greater than any number of seeds even after [`DEEPEST`] plies are subtracted.
const WIN: i32 = 1000;
/// The smallest capture, in seeds.
const LEAST: i32 = 2;
/// Above every balance of seeds, below every win.
const KNOWN: i32 = WIN / 2;

/// See [`crate::game::Expertise::static_knowledge_by_material`]: all trees of at most [`DEEPEST`] plies.
#[inline]
pub(super) fn static_knowledge<V: Variant>(
    position: &Position<V>,
    depth: u32,
    alpha: Score,
    beta: Score,
) -> Option<StaticKnowledge> {
    const { assert!(DEEPEST < Position::<V>::MIN_CYCLE, "no position comes back in what is looked through") };
    if depth > DEEPEST {
        return None;
    }
    // An open window of scores stays open as numbers: low < high.
    let (low, high) = (at_most(alpha), at_least(beta));
    let value = value(position, depth, 0, low, high);
    let bound = match value {
        value if value >= high => Bound::Lower,
        value if value <= low => Bound::Upper,
        _ => Bound::Exact,
    };
    Some(StaticKnowledge { score: score(value), bound, proven: false })
}

/// The score of a number.
#[inline]
fn score(value: i32) -> Score {
    debug_assert!(value.abs() < WIN, "no limit is taken for a value");
    match value {
        KNOWN.. => Score::win_in((WIN - value).cast_unsigned()),
        ..=0 if value <= -KNOWN => Score::loss_in((WIN + value).cast_unsigned()),
        _ => Score::units(SEED * value),
    }
}

/// The largest number whose score is no better than this.
#[inline]
fn at_most(score: Score) -> i32 {
    match score.meaning() {
        Meaning::Units(units) => units.div_euclid(SEED).clamp(-KNOWN, KNOWN - 1),
        _ if score > Score::win_in(0) => WIN + 1,
        _ if score < Score::loss_in(0) => -WIN - 1,
        Meaning::Win(plies) => WIN - plies.min(WIN as u32 / 2 + 1) as i32,
        Meaning::Loss(plies) => plies.min(WIN as u32 / 2) as i32 - WIN,
        Meaning::KnownWin(_) => KNOWN - 1,
        Meaning::KnownLoss(_) => -KNOWN,
    }
}

/// The smallest number whose score is no worse than this.
#[inline]
fn at_least(score: Score) -> i32 {
    -at_most(-score)
}

/// The value for the side to move of a position in which the game goes on, `ply` plies from the first call: exact
/// inside the window, a bound outside.
#[inline]
fn value<V: Variant>(position: &Position<V>, depth: u32, ply: i32, low: i32, high: i32) -> i32 {
    match depth {
        _ if !position.goes_on() => played_out(position, depth, ply, low, high),
        1 => of_last_ply(position, ply, high),
        2 => of_last_two(position, ply, low, high),
        _ => of_more(position, depth, ply, low, high),
    }
}

/// [`value`] of one ply.
#[inline]
fn of_last_ply<V: Variant>(position: &Position<V>, ply: i32, high: i32) -> i32 {
    let balance = position.store_balance();
    if balance >= high {
        // Seeds never leave a store.
        return balance;
    }
    let aims = position.aims();
    if high - balance <= LEAST && position.some_aim_captures(aims) {
        return balance + LEAST;
    }
    let most = position.most_captured(aims);
    if position.wins_by_capturing(most) { WIN - ply - 1 } else { balance + most as i32 }
}

/// [`value`] of two plies.
fn of_last_two<V: Variant>(position: &Position<V>, ply: i32, mut low: i32, high: i32) -> i32 {
    let balance = position.store_balance();
    let answered = |next: Position<V>, gain: i32, low: i32| {
        if !next.goes_on() {
            -played_out(&next, 1, ply + 1, -high, -low)
        } else if balance + gain <= low {
            // A reply that does not end the game can only lower this.
            balance + gain
        } else {
            -of_last_ply(&next, ply + 1, -low)
        }
    };
    let mut best = -WIN;
    if balance >= high
        && let Some(house) = position.first_playable()
    {
        // Most moves suffice, whatever they capture. If this one wins, the value is a bound.
        best = answered(position.after(house), 0, low);
        if best >= high {
            return best;
        }
    }
    let most = position.most_captured(position.aims());
    if position.wins_by_capturing(most) {
        return WIN - ply - 1;
    }
    low = low.max(best);
    if balance + most as i32 <= low && position.goes_on_twice(most > 0) {
        return best.max(balance + most as i32);
    }
    let captures = if most > 0 { position.captures() } else { 0 };
    if most > 0 {
        for house in position.playable_houses() {
            let gain = captured(captures, house);
            if gain > 0 {
                best = best.max(answered(position.after(house), gain, low));
                if best >= high {
                    return best;
                }
                low = low.max(best);
            }
        }
    }
    if balance <= low && position.goes_on_twice(false) {
        return best.max(balance);
    }
    for house in position.playable_houses() {
        if captured(captures, house) == 0 {
            best = best.max(answered(position.after_sowing(house), 0, low));
            if best >= high {
                return best;
            }
            low = low.max(best);
        }
    }
    best
}

/// [`value`] of three plies and more.
fn of_more<V: Variant>(position: &Position<V>, depth: u32, ply: i32, mut low: i32, high: i32) -> i32 {
    let answered = |next: Position<V>, low: i32| -value(&next, depth - 1, ply + 1, -high, -low);
    let mut best = -WIN;
    if position.store_balance() >= high
        && let Some(house) = position.first_playable()
    {
        best = answered(position.after(house), low);
        if best >= high {
            return best;
        }
    }
    let captures = position.captures();
    if position.wins_by_capturing(largest_byte(captures).into()) {
        return WIN - ply - 1;
    }
    low = low.max(best);
    for captures_something in [true, false] {
        for house in position.playable_houses() {
            if (captured(captures, house) > 0) != captures_something {
                continue;
            }
            let next = if captures_something { position.after(house) } else { position.after_sowing(house) };
            best = best.max(answered(next, low));
            if best >= high {
                return best;
            }
            low = low.max(best);
        }
    }
    best
}

/// [`value`], where the game may end in any way.
#[cold]
fn played_out<V: Variant>(position: &Position<V>, depth: u32, ply: i32, mut low: i32, high: i32) -> i32 {
    let mut best = -WIN - 1;
    for house in position.playable_houses() {
        let next = position.after(house);
        let theirs = match next.outcome() {
            Some(Outcome::Draw) => 0,
            Some(Outcome::Win(side)) if side == next.side_to_move() => WIN - ply - 1,
            Some(Outcome::Win(_)) => ply + 1 - WIN,
            None if depth == 1 => next.store_balance(),
            None => value(&next, depth - 1, ply + 1, -high, -low),
        };
        best = best.max(-theirs);
        if best >= high {
            break;
        }
        low = low.max(best);
    }
    best
}

#[cfg(test)]
mod tests {
    use super::super::tests::random_board;
    use super::super::{Abapa, AwaleEvaluation, Awari, Mini, Tipe};
    use super::*;
    use crate::game::conformance::check_static_knowledge;
    use crate::game::{Evaluator, SplitMix64};

    /// Random boards on which the game goes on.
    fn boards<V: Variant>(number: usize, look: impl FnMut(Position<V>)) {
        let mut rng = SplitMix64::new(23);
        let boards = std::iter::repeat_with(|| random_board::<V>(&mut rng));
        boards.filter(|board| board.outcome().is_none()).take(number).for_each(look);
    }

    #[test]
    fn what_is_known_of_the_stores_is_what_minimax_finds() {
        fn check<V: Variant>() {
            let mut limits: Vec<Score> = (-8..=8).map(|seeds| Score::units(SEED * seeds)).collect();
            limits.extend([-150, -99, -1, 1, 99, 250].map(Score::units));
            limits.extend([Score::known_loss(), Score::known_win(), Score::loss_in(40), Score::win_in(40)]);
            limits.extend((1..=6).flat_map(|plies| [Score::win_in(plies), Score::loss_in(plies)]));
            limits.sort();
            for depth in 1..=DEEPEST {
                let (mut told, mut ends) = ([0; 3], 0);
                boards::<V>(if depth > 3 { 60 } else { 300 }, |position| {
                    ends += u32::from(!position.goes_on());
                    check_static_knowledge(
                        &position,
                        Evaluator::plain(&AwaleEvaluation::default()),
                        depth,
                        &limits,
                        &mut told,
                    )
                    .unwrap();
                });
                assert!(told.iter().all(|&times| times > 50) && ends > 5, "{}, {depth}: {told:?} {ends}", V::NAME);
            }
        }
        check::<Abapa>();
        check::<Awari>();
        check::<Tipe>();
        check::<Mini>();
    }

    #[test]
    fn numbers_are_ordered_as_scores_are() {
        for value in [WIN - 1, WIN - 5, 48, 1, 0, -1, -48, 5 - WIN, 1 - WIN] {
            assert_eq!((at_most(score(value)), at_least(score(value))), (value, value));
        }
        let scores = [
            -Score::INFINITY,
            Score::loss_in(1),
            Score::loss_in(5),
            Score::loss_in(600),
            Score::known_loss(),
            Score::units(-49 * SEED),
            Score::units(-1),
            Score::units(0),
            Score::units(1),
            Score::units(49 * SEED),
            Score::known_win(),
            Score::win_in(600),
            Score::win_in(5),
            Score::win_in(1),
            Score::INFINITY,
        ];
        for two in scores.windows(2) {
            assert!(at_most(two[0]) < at_least(two[1]), "{two:?}");
        }
        // Between two numbers of seeds, the window widens to both sides.
        assert_eq!((at_most(Score::units(-1)), at_least(Score::units(-1))), (-1, 0));
        assert_eq!((at_most(Score::units(150)), at_least(Score::units(150))), (1, 2));
    }
}
