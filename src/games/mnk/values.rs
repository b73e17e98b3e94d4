//! The numbers of cells by their shapes, and their values for move ordering. Layer 2, private to m,n,k games.

use super::shapes::{Threat, shape};

/// The number of these four shapes in any order: without gaps, from 0 for four times shape 0.
pub(super) fn multiset(mut shapes: [u8; 4]) -> usize {
    shapes.sort_unstable();
    let [a, b, c, d] = shapes.map(usize::from);
    // Count the multisets with a smaller highest shape, then those with a smaller second one, and so on.
    d * (d + 1) * (d + 2) * (d + 3) / 24 + c * (c + 1) * (c + 2) / 6 + b * (b + 1) / 2 + a
}

/// The shapes of all cells in rising order, by number.
pub(super) fn all_shapes() -> impl Iterator<Item = [u8; 4]> {
    let all = 0..shape::COUNT as u8;
    all.flat_map(|d| (0..=d).flat_map(move |c| (0..=c).flat_map(move |b| (0..=b).map(move |a| [a, b, c, d]))))
}

/// The value for move ordering, by shape.
const RANK: [u16; shape::COUNT] = [0, 1, 2, 3, 4, 8, 9, 10, 8, 9, 24, 26, 24, 200, 400];

/// The value of a cell for move ordering.
pub(super) fn rank(shapes: [u8; 4], threat: Threat) -> u16 {
    let has = |from: u8, to: u8| shapes.iter().filter(|&&shape| (from..=to).contains(&shape)).count() as u16;
    let threes = has(shape::OPEN_THREE, shape::BROAD_OPEN_THREE);
    let twos = has(shape::OPEN_TWO, shape::BROAD_THREE);
    let together = match threat {
        Threat::Five => 0,
        Threat::OpenFour => 100,
        Threat::Four if threes > 0 => 90,
        Threat::Four => 12 * twos.min(2),
        Threat::Three if threes > 1 => 70,
        Threat::Three => 12 * twos.min(2),
        Threat::Quiet => 4 * twos.saturating_sub(1),
    };
    together + shapes.iter().map(|&shape| RANK[usize::from(shape)]).sum::<u16>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_numbered_without_gaps() {
        let all = || 0..shape::COUNT as u8;
        let mut seen = vec![false; all_shapes().count()];
        for d in all() {
            for c in 0..=d {
                for b in 0..=c {
                    for a in 0..=b {
                        let number = multiset([c, a, d, b]);
                        assert!(!std::mem::replace(&mut seen[number], true));
                    }
                }
            }
        }
        assert!(seen.into_iter().all(|seen| seen));
    }
}
