//! Where the nodes of a tree go: parents in the middle over their children, subtrees as near to each other as they fit.
//! Layer 6.
//!
//! Bottom up, each subtree keeps its outline, level by level, and is pushed against the outlines of those before it. Lengths are
//! pixels along a level. CITE: E. Reingold, J. Tilford, "Tidier drawings of trees", 1981.

/// The room between nodes of one level.
const GAP: f64 = 10.0;

/// A subtree's extent on one level, from its root's middle.
#[derive(Clone, Copy)]
struct Extent {
    low: f64,
    high: f64,
}

/// The middle of each node along its level, so that the least extent begins at 0. `children` come behind their parents.
pub(super) fn places(children: &[Vec<usize>], sizes: &[f64]) -> Vec<f64> {
    // From the parent's middle; the root has none.
    let mut offsets = vec![0.0; children.len()];
    let mut outlines: Vec<Vec<Extent>> = vec![Vec::new(); children.len()];
    for node in (0..children.len()).rev() {
        let mut outline: Vec<Extent> = Vec::new();
        for &child in &children[node] {
            let own = std::mem::take(&mut outlines[child]);
            let touching = outline.iter().zip(&own).map(|(left, right)| left.high - right.low + GAP);
            let shift = touching.fold(0.0, f64::max);
            offsets[child] = shift;
            for (level, extent) in own.iter().enumerate() {
                let moved = Extent { low: extent.low + shift, high: extent.high + shift };
                match outline.get_mut(level) {
                    Some(extent) => extent.high = moved.high,
                    None => outline.push(moved),
                }
            }
        }
        let middle = match (children[node].first(), children[node].last()) {
            (Some(&first), Some(&last)) => (offsets[first] + offsets[last]) / 2.0,
            _ => 0.0,
        };
        for &child in &children[node] {
            offsets[child] -= middle;
        }
        let half = sizes[node] / 2.0;
        let below = outline.iter().map(|extent| Extent { low: extent.low - middle, high: extent.high - middle });
        outlines[node] = std::iter::once(Extent { low: -half, high: half }).chain(below).collect();
    }
    let least = outlines.first().map_or(0.0, |outline| outline.iter().map(|extent| extent.low).fold(0.0, f64::min));
    let mut places = vec![-least; children.len()];
    for (node, below) in children.iter().enumerate() {
        for &child in below {
            places[child] = places[node] + offsets[child];
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tree from the parents of its nodes after the root.
    fn tree(parents: &[usize]) -> Vec<Vec<usize>> {
        let mut children = vec![Vec::new(); parents.len() + 1];
        for (place, &parent) in parents.iter().enumerate() {
            children[parent].push(place + 1);
        }
        children
    }

    #[test]
    fn a_parent_stands_in_the_middle_over_its_children() {
        let children = tree(&[0, 0, 0, 1, 1, 3]);
        let places = places(&children, &[20.0; 7]);
        for (node, below) in children.iter().enumerate().filter(|(_, below)| !below.is_empty()) {
            let middle = (places[below[0]] + places[below[below.len() - 1]]) / 2.0;
            assert!((places[node] - middle).abs() < 1e-9, "{node}: {places:?}");
        }
    }

    #[test]
    fn nodes_of_a_level_never_touch_and_stand_in_order() {
        // Deep subtrees beside shallow ones, and boxes of different widths.
        let children = tree(&[0, 0, 0, 1, 1, 1, 2, 4, 4, 7, 3, 11, 12, 10, 10]);
        let sizes: Vec<f64> = (0..children.len()).map(|node| 10.0 + 7.0 * (node % 4) as f64).collect();
        let places = places(&children, &sizes);
        let mut level = vec![0];
        while !level.is_empty() {
            for pair in level.windows(2) {
                let gap = places[pair[1]] - sizes[pair[1]] / 2.0 - places[pair[0]] - sizes[pair[0]] / 2.0;
                assert!(gap > GAP - 1e-9, "{pair:?}: {gap}");
            }
            level = level.iter().flat_map(|&node| children[node].iter().copied()).collect();
        }
        let least = places.iter().zip(&sizes).map(|(place, size)| place - size / 2.0).fold(f64::MAX, f64::min);
        assert!(least.abs() < 1e-9, "{least}");
    }

    #[test]
    fn subtrees_of_different_depths_are_pushed_into_each_other() {
        // The right child is a leaf: it stands beside the left child, not beside all that is below that.
        let children = tree(&[0, 0, 1, 1, 1, 1]);
        let places = places(&children, &[20.0; 7]);
        assert!((places[2] - places[1] - 30.0).abs() < 1e-9, "{places:?}");
    }
}
