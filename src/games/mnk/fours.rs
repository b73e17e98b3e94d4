//! Wins by fours alone, on the shapes: each move threatens a line that one reply stops. Layer 2, private to m,n,k games.
//!
//! A win found is a win against every defence; finding none proves nothing. A quick search leaves out fours whose stone does
//! nothing else: hardly any of them is part of a win. At renju the first player makes no forbidden move, and a four that it may
//! not stop wins.

use super::shapes::{Fours, Shapes, Threat};
use crate::game::Side;

/// The most fours in a row.
const MOST_FOURS: u32 = 24;

/// An upper bound on the plies in which `side`, to move, wins by fours, if a quick search of `effort` positions finds a
/// win.
pub(super) fn win_by_fours<const W: usize>(shapes: &Shapes<W>, side: Side, effort: u32) -> Option<u32> {
    by_fours::<W, true>(shapes, side, MOST_FOURS, (&mut within(effort), &mut false), &mut |_| ())
}

/// The moves of such a win by the fewest fours, both sides in turn. `step` is called at every four and returns whether
/// to continue.
pub(super) fn line_of_fours<const W: usize>(
    shapes: &Shapes<W>,
    side: Side,
    step: &mut impl FnMut() -> bool,
) -> Option<Vec<u16>> {
    let mut is_spent = false;
    for most in 0..=MOST_FOURS {
        let (mut line, mut is_cut) = (Vec::new(), false);
        let mut step = || {
            is_spent = is_spent || !step();
            !is_spent
        };
        let means = (&mut step, &mut is_cut);
        if by_fours::<W, false>(shapes, side, most, means, &mut |cell| line.push(cell as u16)).is_some() {
            line.reverse();
            return Some(line);
        }
        if !is_cut || is_spent {
            break;
        }
    }
    None
}

/// A step function that allows this many steps.
pub(super) fn within(mut effort: u32) -> impl FnMut() -> bool {
    move || match effort.checked_sub(1) {
        Some(rest) => {
            effort = rest;
            true
        }
        None => false,
    }
}

/// A win by at most this many fours before the last stone; if there is none, reports whether more fours might win.
/// `tell` is called with the moves of the win, the last one first.
fn by_fours<const W: usize, const QUICK: bool>(
    shapes: &Shapes<W>,
    side: Side,
    most: u32,
    (step, is_cut): (&mut impl FnMut() -> bool, &mut bool),
    tell: &mut impl FnMut(usize),
) -> Option<u32> {
    if let Some(cell) = shapes.threats(side, Threat::Five).iter().next() {
        tell(cell);
        return Some(1);
    }
    let may_help = |cell| !QUICK || shapes.has_support(side, cell);
    if shapes.threats(side, Threat::OpenFour).is_empty() && !shapes.threats(side, Threat::Four).iter().any(may_help) {
        return None;
    }
    Search::<W, QUICK, _, _> { fours: Fours::new(shapes), side, step, is_cut, tell }.attack(most)
}

/// A search for a win by fours; calls `tell` with its moves, the last one first.
struct Search<'s, const W: usize, const QUICK: bool, S, T> {
    fours: Fours<W>,
    side: Side,
    step: &'s mut S,
    is_cut: &'s mut bool,
    tell: &'s mut T,
}

impl<const W: usize, const QUICK: bool, S: FnMut() -> bool, T: FnMut(usize)> Search<'_, W, QUICK, S, T> {
    /// The plies to a win by at most this many fours before the last stone.
    fn attack(&mut self, most: u32) -> Option<u32> {
        let side = self.side;
        if let Some(cell) = self.fours.threats(side, Threat::Five).iter().next() {
            (self.tell)(cell);
            return Some(1);
        }
        let theirs = self.fours.threats(side.other(), Threat::Five);
        let doubles = self.fours.threats(side, Threat::OpenFour);
        let fours = self.fours.threats(side, Threat::Four);
        let (doubles, fours) = match theirs.count() {
            0 => (doubles, fours),
            1 => (doubles & theirs, fours & theirs),
            _ => return None,
        };
        // The last moves of a line are reported first.
        for cell in doubles.iter().chain(fours.iter()) {
            if QUICK && !doubles.has(cell) && !self.fours.has_support(side, cell) || !self.fours.allows(side, cell) {
                continue;
            }
            if most == 0 {
                *self.is_cut = true;
                return None;
            }
            if !(self.step)() {
                return None;
            }
            let placed = self.fours.place(cell, side);
            let plies = self.reply(most - 1);
            self.fours.take_back(&placed);
            if let Some(plies) = plies {
                (self.tell)(cell);
                return Some(plies + 1);
            }
        }
        None
    }

    /// The only reply to a four, and its continuation: the plies to the win from there.
    fn reply(&mut self, most: u32) -> Option<u32> {
        let side = self.side;
        let mut fives = self.fours.threats(side, Threat::Five).iter();
        let (first, second) = (fives.next()?, fives.next());
        let may_reply = |cell| self.fours.allows(side.other(), cell);
        let (reply, win) = match second {
            None if may_reply(first) => (first, None),
            Some(second) if may_reply(first) => (first, Some(second)),
            Some(second) if may_reply(second) => (second, Some(first)),
            _ => match self.fours.another(side.other(), first) {
                Some(reply) => (reply, Some(first)),
                // It has no move left, which loses.
                None => return Some(0),
            },
        };
        let plies = match win {
            Some(win) => {
                (self.tell)(win);
                1
            }
            None => {
                // The reply makes no fours for this side.
                let mut left = self.fours.threats(side, Threat::OpenFour) | self.fours.threats(side, Threat::Four);
                left.remove(reply);
                if left.is_empty() {
                    return None;
                }
                let placed = self.fours.place(reply, side.other());
                let plies = self.attack(most);
                self.fours.take_back(&placed);
                plies?
            }
        };
        (self.tell)(reply);
        Some(plies + 1)
    }
}

/// A position with stones near each other, as in a game, and its shapes; for tests.
#[cfg(test)]
pub(super) fn crowded(
    name: &str,
    stones: usize,
    rng: &mut crate::game::SplitMix64,
) -> Option<(super::Position<4>, Shapes<4>)> {
    use super::shapes::Tables;
    use super::{Position, parse_parameters};
    use crate::game::Position as _;

    let parameters = parse_parameters(name).ok()?;
    let mut position = Position::<4>::start(parameters);
    let mut shapes = Shapes::new(Tables::of(parameters)?, parameters, position.stones);
    let mut mv = parameters.bit(7, 7);
    for _ in 0..stones {
        shapes.place(mv.into(), position.side_to_move());
        position.play(mv);
        let near: Vec<usize> = (shapes.near & position.empty & !shapes.forbidden(&position)).iter().collect();
        mv = near[rng.below(near.len())] as u16;
    }
    position.outcome().is_none().then_some((position, shapes))
}

#[cfg(test)]
mod tests {
    use super::super::forcing::Forcing;
    use super::*;
    use crate::game::{Outcome, Position as _, SplitMix64};

    #[test]
    fn a_quick_look_tells_no_win_that_is_none_and_overlooks_few() {
        let mut rng = SplitMix64::new(19);
        let (mut found, mut seen_at_once) = (0, 0);
        for number in 0..3_000 {
            let name = ["gomoku", "gomokufreestyle", "renju"][number % 3];
            let Some((_, shapes)) = crowded(name, 16 + rng.below(40), &mut rng) else { continue };
            for side in [Side::First, Side::Second] {
                let line = line_of_fours(&shapes, side, &mut within(100_000));
                let quick = win_by_fours(&shapes, side, 100_000);
                // The win may be longer than the shortest.
                let length = line.map(|line| line.len() as u32);
                assert!(
                    quick.is_none() || length.is_some_and(|length| quick >= Some(length)),
                    "{name} {length:?} {quick:?}"
                );
                found += u32::from(length.is_some());
                seen_at_once += u32::from(quick.is_some());
            }
        }
        assert!(found > 500 && 100 * seen_at_once >= 98 * found, "{seen_at_once} of {found}");
    }

    #[test]
    fn no_win_by_fours_is_missed_and_every_line_can_be_played_to_its_end() {
        let mut rng = SplitMix64::new(18);
        let (mut problems, mut long) = (0, 0);
        for number in 0.. {
            let name = ["gomoku", "gomokufreestyle"][number % 2];
            let Some((position, shapes)) = crowded(name, 16 + rng.below(40), &mut rng) else { continue };
            let side = position.side_to_move();
            let mut steps = 200_000_u32;
            let mut step = || {
                steps -= 1;
                steps > 0
            };
            let Ok(expected) = Forcing::new(&mut step).shortest_by_fours(&position, 40) else { continue };
            let line = line_of_fours(&shapes, side, &mut within(1_000_000));
            assert_eq!(line.is_some(), expected.is_some(), "{name} {position:?}");
            let Some(line) = line else { continue };
            // After any other reply the line is completed at once.
            let mut at = position;
            for (number, &mv) in line.iter().enumerate() {
                if number % 2 == 1 && number + 2 < line.len() {
                    let stopped = at.after(mv);
                    let completed = |cell: usize| stopped.completes(side, cell as u16);
                    assert!(at.completes(side, mv) && !stopped.empty.iter().any(completed), "{name} {position:?}");
                }
                assert!(at.outcome().is_none() && at.empty.has(mv.into()), "{name} {position:?}");
                at.play(mv);
            }
            assert_eq!(at.outcome(), Some(Outcome::Win(side)), "{name} {position:?} {line:?}");
            problems += 1;
            long += usize::from(line.len() > 5);
            if problems == 1_000 {
                break;
            }
        }
        assert!(long > 50, "{long}");
    }

    #[test]
    fn a_look_for_fours_ends_at_the_first_no() {
        let mut rng = SplitMix64::new(20);
        let mut stopped = 0;
        for _ in 0..600 {
            let Some((_, shapes)) = crowded("gomokufreestyle", 40 + rng.below(30), &mut rng) else { continue };
            let (mut asked, mut refused) = (0, 0);
            let line = line_of_fours(&shapes, Side::First, &mut || {
                asked += 1;
                refused += u32::from(asked > 20);
                asked <= 20
            });
            assert!(refused <= 1 && (refused == 0 || line.is_none()), "{asked} {line:?}");
            stopped += refused;
        }
        assert!(stopped > 10, "{stopped}");
    }
}
