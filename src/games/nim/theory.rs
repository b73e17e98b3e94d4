//! The theory of Nim: who wins, and in exactly how many plies with the shortest win and the longest defence. Layer 2.
//!
//! CITE: C. Bouton, "Nim, a game with a complete mathematical theory", 1901 (who wins); E. Berlekamp, J. Conway, R. Guy,
//! "Winning Ways", 1982 (bounded takes by remainders, misère play). The plies are proved at `solve`.

use super::NimPosition;
use crate::game::{Evaluate, NoExpertise, Probe};
use crate::score::Score;

/// The evaluation of Nim: exact everywhere, with the exact distance as far as [`Score`] can hold it.
#[derive(Debug, Clone, Copy, Default)]
pub struct NimEvaluation;

impl Evaluate<NimPosition> for NimEvaluation {
    fn evaluate(&self, position: &NimPosition) -> Score {
        value(position)
    }
}

impl NoExpertise for NimEvaluation {}

/// The theory of Nim as a probe: it knows every position, with the same scores as [`NimEvaluation`].
#[derive(Debug, Clone, Copy, Default)]
pub struct NimTheory;

impl Probe<NimPosition> for NimTheory {
    fn probe(&self, position: &NimPosition) -> Option<Score> {
        Some(value(position))
    }
}

/// The value for the side to move; in time proportional to the number of heaps, whatever their size.
fn value(position: &NimPosition) -> Score {
    let (wins, plies) = solve(position);
    match (wins, u32::try_from(plies)) {
        (true, Ok(plies)) if plies < Score::MAX_DISTANCE => Score::win_in(plies),
        (false, Ok(plies)) if plies < Score::MAX_DISTANCE => Score::loss_in(plies),
        (true, _) => Score::known_win(),
        (false, _) => Score::known_loss(),
    }
}

/// Whether the side to move wins, and the plies to the end.
///
/// Let a move take at most N, and M = N + 1. Write heap i as M qᵢ + rᵢ with rᵢ < M, let X be the exclusive or of all rᵢ, and
///
/// ```text
///  F = 2 Σqᵢ + Σrᵢ
///
///  last match   lost for the side to move       plies    won: best move                          plies
///  wins         X = 0                           F        X to 0, with the largest take c         1 + F - c
///  loses        all rᵢ ≤ 1, odd number of ones  F        make the number of ones odd             F
///               some rᵢ ≥ 2, X = 0              F - 1    X to 0, with the largest take c         F - c
///               never with exactly one rᵢ ≥ 2            take c from it: an odd number of ones   1 + F - c
/// ```
///
/// With N unlimited every qᵢ is 0. A take x ≤ rᵢ lowers rᵢ; a larger one lowers qᵢ and raises rᵢ. So a raise lowers F
/// by at most 1.
///
/// **The last match wins, X = 0.** The winner needs at most F plies: a raise by x is answered by M - x from the same
/// heap, which restores rᵢ, and any other move as in plain Nim on the remainders; each pair of moves lowers F by at
/// least 2. The loser lasts F plies by taking single matches. Let 2ᵏ be the lowest bit set in any remainder: the loser
/// takes one match from a heap with that bit. Then X = 2ᵏ⁺¹ - 1, and only remainders with bit k, which have no lower
/// bit, can be lowered to X = 0, by exactly 1; a raise lowers F by at most 1. If all remainders are 0, the loser takes
/// one from any heap. The answer is M - 1 from the same heap, which lowers F by 2 together, or one from another heap,
/// which lowers it by 6 - 2M ≤ 2. A winning first move lowers a remainder, since a raise lowers F by at most 1.
///
/// **The last match loses.** While all rᵢ ≤ 1, both arguments hold with an odd number of ones in place of X = 0.
/// Otherwise play is as above until a move of the loser leaves a single rᵢ ≥ 2 and the winner's reply an odd number of
/// ones. As F is even when X = 0 and odd with an odd number of ones, this pair of moves lowers F by at least 3. Single
/// matches keep it at 3: they leave one large remainder only from 2 and 2 without ones, and 2 and 1 is answered by 2.
fn solve(position: &NimPosition) -> (bool, u64) {
    let modulus = u64::from(position.rule.most) + 1;
    let remainders = || position.heaps().iter().map(|&heap| u64::from(heap) % modulus);
    let rounds: u64 = position.heaps().iter().map(|&heap| u64::from(heap) / modulus).sum();
    let slow = 2 * rounds + remainders().sum::<u64>();
    let xor = remainders().fold(0, |xor, r| xor ^ r);
    let largest_take = || remainders().map(|r| r.saturating_sub(r ^ xor)).max().unwrap_or(0);

    if position.rule.last_wins {
        return if xor == 0 { (false, slow) } else { (true, 1 + slow - largest_take()) };
    }
    let odd_ones = remainders().filter(|&r| r == 1).count() % 2 == 1;
    let mut large = remainders().filter(|&r| r >= 2);
    match (large.next(), large.next()) {
        (None, _) => (!odd_ones, slow),
        (Some(single), None) => {
            let left = u64::from(!odd_ones);
            (true, 1 + slow - (single - left))
        }
        _ if xor == 0 => (false, slow - 1),
        _ => (true, slow - largest_take()),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::game::{Notation, Position};
    use crate::games::nim::{NimNotation, Parameters};
    use crate::score::Meaning;

    /// The value by trying every move: the soonest win, or else the latest loss.
    fn brute_force(position: &NimPosition, seen: &mut HashMap<Vec<u32>, Score>) -> Score {
        if let Some(outcome) = position.outcome() {
            return outcome.score_for(position.side_to_move());
        }
        let mut key = position.heaps().to_vec();
        key.sort_unstable();
        if let Some(&score) = seen.get(&key) {
            return score;
        }
        let mut moves = Vec::new();
        position.generate(&mut moves);
        let scores = moves.iter().map(|&mv| (-brute_force(&position.after(mv), seen)).backed_up());
        let best = scores.max().unwrap();
        seen.insert(key, best);
        best
    }

    /// Compares theory and brute force at every position of `heaps` heaps of up to `size` matches.
    fn compare(heaps: usize, size: u32, rule: &str) {
        let start = vec!["0"; heaps].join("-");
        let notation = NimNotation::new(Parameters::parse(&format!("{start},{rule}")).unwrap());
        let mut seen = HashMap::new();
        for number in 1..(size + 1).pow(heaps as u32) {
            let mut position = notation.start();
            for heap in 0..heaps {
                position.heaps[heap] = number / (size + 1).pow(heap as u32) % (size + 1);
            }
            let text = notation.position_text(&position);
            assert_eq!(value(&position), brute_force(&position, &mut seen), "{text} with {rule}");
        }
    }

    fn value_of(parameters: &str) -> Score {
        value(&NimNotation::new(Parameters::parse(parameters).unwrap()).start())
    }

    #[test]
    fn theory_is_brute_force_on_one_heap() {
        for last in ["misere", "normal"] {
            for take in ["1", "2", "3", "4", "5", "6", "any"] {
                compare(1, 40, &format!("take={take},{last}"));
            }
        }
    }

    #[test]
    fn theory_is_brute_force_on_several_heaps() {
        for last in ["misere", "normal"] {
            for take in ["1", "2", "3", "4", "any"] {
                let rule = format!("take={take},{last}");
                compare(2, 17, &rule);
                compare(3, 9, &rule);
                compare(4, 5, &rule);
            }
        }
    }

    #[test]
    fn one_heap_of_the_default_rule_is_lost_exactly_one_above_the_multiples_of_four() {
        for matches in 1..200_u32 {
            let rounds = (matches - 1) / 4;
            let expected =
                if matches % 4 == 1 { Score::loss_in(2 * rounds + 1) } else { Score::win_in(2 * rounds + 2) };
            assert_eq!(value_of(&matches.to_string()), expected, "{matches}");
        }
        assert_eq!(value_of("21"), Score::loss_in(11));
    }

    #[test]
    fn large_heaps_are_answered_at_once() {
        assert_eq!(value_of("1000000"), Score::win_in(500_000));
        assert_eq!(value_of("1000001"), Score::loss_in(500_001));
        assert_eq!(value_of("65535,take=any"), Score::win_in(2));
        assert_eq!(value_of("65535,take=any,normal"), Score::win_in(1));
        assert_eq!(value_of("30000-30000,take=any,normal"), Score::loss_in(60_000));
        assert_eq!(value_of("30000-30000,take=any"), Score::loss_in(59_999));
    }

    #[test]
    fn distances_a_score_cannot_hold_are_left_out() {
        let longest = Score::MAX_DISTANCE - 2;
        assert_eq!(value_of(&format!("{},take=1,normal", longest)), Score::loss_in(longest));
        assert_eq!(value_of("500000000,take=1,normal").meaning(), Meaning::KnownLoss(0));
        assert_eq!(value_of("4000000000,take=1").meaning(), Meaning::KnownWin(0));
        let all = vec!["4000000000"; 26].join("-");
        assert_eq!(value_of(&format!("{all},take=1,normal")).meaning(), Meaning::KnownLoss(0));
    }
}
