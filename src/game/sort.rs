//! Sorting of moves. Layer 0.
//!
//! The standard library's sorts are thirty functions for each type of move and key: a tenth of the program, where each search has one.

/// Stable sort by key, the smallest first, by one function for all types. The key is asked once for each item, in order.
pub fn sort_by<T: Copy>(items: &mut [T], mut key: impl FnMut(T) -> i64) {
    let mut ranks: Vec<(i64, usize)> = items.iter().enumerate().map(|(at, &item)| (key(item), at)).collect();
    ranks.sort_unstable();
    let before = items.to_vec();
    for (item, (_, at)) in items.iter_mut().zip(ranks) {
        *item = before[at];
    }
}

/// Stable insertion sort by key, the smallest first; quadratic, and the fastest for a dozen.
pub fn sort_few<T, K: Ord>(items: &mut [T], mut key: impl FnMut(&T) -> K) {
    for end in 1..items.len() {
        let mut at = end;
        while at > 0 && key(&items[at - 1]) > key(&items[at]) {
            items.swap(at - 1, at);
            at -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn things_are_sorted_as_the_standard_library_sorts_them() {
        let mut state = 7_u64;
        for length in 0..60 {
            let mut things: Vec<(u64, usize)> = (0..length)
                .map(|place| {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    (state >> 60, place)
                })
                .collect();
            let mut expected = things.clone();
            let mut by_rank = things.clone();
            expected.sort_by_key(|thing| std::cmp::Reverse(thing.0));
            sort_by(&mut by_rank, |thing| -(thing.0 as i64));
            sort_few(&mut things, |thing| std::cmp::Reverse(thing.0));
            assert_eq!(things, expected);
            assert_eq!(by_rank, expected);
        }
    }
}
