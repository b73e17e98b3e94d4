//! Sorting of short lists, such as the moves of a root. Layer 0.

/// Stable insertion sort by key, the smallest first; quadratic.
///
/// The standard library's sorts are thirty functions for each type of move and key, a tenth of the program.
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
    fn few_things_are_sorted_as_the_standard_library_sorts_them() {
        let mut state = 7_u64;
        for length in 0..60 {
            let mut things: Vec<(u64, usize)> = (0..length)
                .map(|place| {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    (state >> 60, place)
                })
                .collect();
            let mut expected = things.clone();
            expected.sort_by_key(|thing| std::cmp::Reverse(thing.0));
            sort_few(&mut things, |thing| std::cmp::Reverse(thing.0));
            assert_eq!(things, expected);
        }
    }
}
