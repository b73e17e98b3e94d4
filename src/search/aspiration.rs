//! Aspiration windows: each iteration is first searched with a window around the value of an earlier one.
//!
//! Layer 3, private to the search. The side with the last move differs between even and odd depths, so the guess is the
//! value of the last iteration of the same parity. The first window extends on either side by [`WIDTH`] times the
//! recent difference between values of iterations of the same parity. Narrower windows cost more than they save
//! (docs/experiments/search.md), except in games that prune boldly, whose values differ little between depths: there the
//! guess is the value of the last iteration, and the width a number of units.

use super::parameters::Parameters;
use super::window::Window;
use crate::score::{Meaning, Score};

/// The last two values of the iterations of even depth, and of those of odd depth, in units, the later one first;
/// `None` for decisive values.
#[derive(Debug)]
pub(super) struct Aspiration {
    values: [[Option<i32>; 2]; 2],
    /// In percent of the usual width.
    width: u16,
    /// The usual width in games that prune boldly, in units; elsewhere [`WIDTH`] and [`LEAST`] give it.
    narrow: Option<i32>,
}

/// The first window extends on either side by `WIDTH` times the difference of the last values, plus `LEAST` units.
const WIDTH: u32 = 4;
const LEAST: u32 = 10;

/// The factor by which a window grows on the side where the search failed.
const GROWTH: i32 = 4;

impl Aspiration {
    /// An aspiration without values.
    pub(super) fn new(parameters: Parameters, narrow: Option<i32>) -> Aspiration {
        Aspiration { values: Default::default(), width: parameters.aspiration, narrow }
    }

    /// Stores the value of an iteration.
    pub(super) fn learn(&mut self, depth: u32, score: Score) {
        let values = &mut self.values[depth as usize % 2];
        values.rotate_right(1);
        values[0] = match score.meaning() {
            Meaning::Units(units) => Some(units),
            _ => None,
        };
    }

    /// Calls `root` with growing windows until the value of an iteration of `depth` plies lies inside, and returns its
    /// last result. `root` returns the value, or `None` if it was stopped. If `takes_any_win`, a win with a distance
    /// above the window ends the search: it is then a lower bound.
    pub(super) fn search<R>(
        &self,
        depth: u32,
        takes_any_win: bool,
        mut root: impl FnMut(Window) -> (R, Option<Score>),
    ) -> R {
        let [alike, unlike] = [depth, depth + 1].map(|depth| self.values[depth as usize % 2]);
        let [Some(guess), Some(before)] = alike else { return root(Window::FULL).0 };
        let (guess, width) = match self.narrow {
            Some(width) => (unlike[0].unwrap_or(guess), u64::from(width.unsigned_abs())),
            None => {
                let elsewhere = unlike[0].zip(unlike[1]).map_or(0, |(last, before)| last.abs_diff(before));
                let apart = guess.abs_diff(before).max(elsewhere);
                (guess, u64::from(apart) * u64::from(WIDTH) + u64::from(LEAST))
            }
        };
        let width = width * u64::from(self.width) / 100;
        let width = width.clamp(1, i32::MAX as u64) as i32;
        let (mut below, mut above) = (width, width);
        let mut window = Window {
            alpha: Score::units(guess.saturating_sub(below)),
            beta: Score::units(guess.saturating_add(above)),
        };
        loop {
            let (result, score) = root(window);
            match score {
                Some(score) if score <= window.alpha && window.alpha != Score::MINUS_INFINITY => {
                    below = below.saturating_mul(GROWTH);
                    window.alpha = match score.meaning() {
                        Meaning::Units(units) => Score::units(units.saturating_sub(below)),
                        _ => Score::MINUS_INFINITY,
                    };
                }
                Some(score) if score >= window.beta && window.beta != Score::INFINITY => {
                    if takes_any_win && score.distance().is_some() {
                        return result;
                    }
                    above = above.saturating_mul(GROWTH);
                    window.beta = match score.meaning() {
                        Meaning::Units(units) => Score::units(units.saturating_add(above)),
                        _ => Score::INFINITY,
                    };
                }
                _ => return result,
            }
            // Near the end of the scale, open the window.
            if window.alpha <= Score::units(i32::MIN) {
                window.alpha = Score::MINUS_INFINITY;
            }
            if window.beta >= Score::units(i32::MAX) {
                window.beta = Score::INFINITY;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The windows that are tried at depth 5 until `truth` is found, given these values at the depths 1 to 4.
    fn windows(values: [i32; 4], truth: Score) -> Vec<Window> {
        let mut aspiration = Aspiration::new(Parameters::default(), None);
        for (depth, value) in (1..).zip(values) {
            aspiration.learn(depth, Score::units(value));
        }
        let mut tried = Vec::new();
        aspiration.search(5, false, |window| {
            tried.push(window);
            ((), Some(truth))
        });
        tried
    }

    fn window(alpha: i32, beta: i32) -> Window {
        Window { alpha: Score::units(alpha), beta: Score::units(beta) }
    }

    #[test]
    fn a_guess_that_holds_needs_one_window() {
        assert_eq!(windows([0, 0, 0, 0], Score::units(0)), [window(-10, 10)]);
        // Depth 3 has value 7. The two values of its parity differ by 6.
        assert_eq!(windows([1, -3, 7, -4], Score::units(9)), [window(7 - 34, 7 + 34)]);
        // Those of the other parity differ by 9.
        assert_eq!(windows([1, 5, 7, -4], Score::units(9)), [window(7 - 46, 7 + 46)]);
    }

    #[test]
    fn the_window_grows_on_the_side_of_the_value_to_the_end_of_the_scale() {
        assert_eq!(windows([0, 0, 0, 0], Score::units(30)), [window(-10, 10), window(-10, 70)]);
        assert_eq!(windows([0, 0, 0, 0], Score::units(-30)), [window(-10, 10), window(-70, 10)]);
        let high = windows([0, 0, 0, 0], Score::win_in(3));
        assert_eq!(high, [window(-10, 10), Window { beta: Score::INFINITY, ..window(-10, 10) }]);
        let low = windows([0, 0, 0, 0], Score::loss_in(3));
        assert_eq!(low, [window(-10, 10), Window { alpha: Score::MINUS_INFINITY, ..window(-10, 10) }]);
    }

    #[test]
    fn a_win_above_the_window_may_be_taken_as_a_bound() {
        let mut aspiration = Aspiration::new(Parameters::default(), None);
        for depth in 1..5 {
            aspiration.learn(depth, Score::units(0));
        }
        for (truth, tried) in [(Score::win_in(3), 1), (Score::known_win(), 2), (Score::loss_in(3), 2)] {
            let mut windows = 0;
            aspiration.search(5, true, |_| {
                windows += 1;
                ((), Some(truth))
            });
            assert_eq!(windows, tried, "{truth}");
        }
    }

    #[test]
    fn two_depths_of_a_kind_are_enough() {
        let mut aspiration = Aspiration::new(Parameters::default(), None);
        for (depth, value) in [(2, 10), (4, 16)] {
            aspiration.learn(depth, Score::units(value));
        }
        aspiration.search(6, false, |tried| {
            assert_eq!(tried, window(16 - 34, 16 + 34));
            ((), Some(Score::units(16)))
        });
        aspiration.search(7, false, |tried| {
            assert_eq!(tried, Window::FULL);
            ((), Some(Score::units(16)))
        });
    }

    #[test]
    fn a_narrow_window_lies_around_the_last_value() {
        let mut aspiration = Aspiration::new(Parameters::default(), Some(20));
        for (depth, value) in [(1, 50), (2, 10), (3, 70), (4, 16)] {
            aspiration.learn(depth, Score::units(value));
        }
        let mut tried = Vec::new();
        aspiration.search(5, false, |window| {
            tried.push(window);
            ((), Some(Score::units(60)))
        });
        assert_eq!(tried, [window(-4, 36), window(-4, 140)]);
    }

    #[test]
    fn without_two_estimates_of_a_kind_there_is_no_guess() {
        let mut aspiration = Aspiration::new(Parameters::default(), None);
        for depth in 1..10 {
            aspiration.search(depth, false, |window| {
                assert_eq!(window, Window::FULL);
                ((), Some(Score::known_win()))
            });
            // Of either parity, every second value is decisive.
            aspiration.learn(depth, if depth % 4 < 2 { Score::units(1) } else { Score::known_win() });
        }
    }
}
