//! A segment tree over minima: finds the numbers below a bound without a look at the others.

use std::ops::Range;

/// The tree: node `i` has the children `2 i` and `2 i + 1`; the leaves are the numbers.
#[derive(Clone, Debug, Default)]
pub struct RangeMin(Vec<u32>);

impl RangeMin {
    /// Of these numbers.
    pub fn new(numbers: impl ExactSizeIterator<Item = u32>) -> Self {
        let leaves = numbers.len();
        let mut tree = vec![u32::MAX; leaves];
        tree.extend(numbers);
        for node in (1..leaves).rev() {
            tree[node] = tree[2 * node].min(tree[2 * node + 1]);
        }
        RangeMin(tree)
    }

    fn leaves(&self) -> usize {
        self.0.len() / 2
    }

    /// Calls `found` with the places in `range` whose numbers are less than `bound`, in no particular order, as long as it
    /// returns true. The time it takes grows with the number of calls and the logarithm of the row's length.
    pub fn below(&self, range: Range<usize>, bound: u32, mut found: impl FnMut(usize) -> bool) {
        // The nodes that together are the leaves of the range.
        let (mut low, mut high) = (range.start + self.leaves(), range.end + self.leaves());
        while low < high {
            if low % 2 == 1 {
                if !self.collect(low, bound, &mut found) {
                    return;
                }
                low += 1;
            }
            if high % 2 == 1 {
                high -= 1;
                if !self.collect(high, bound, &mut found) {
                    return;
                }
            }
            (low, high) = (low / 2, high / 2);
        }
    }

    /// Calls `found` with the leaves under a node that are below `bound`; false when `found` wants no more.
    fn collect(&self, node: usize, bound: u32, found: &mut impl FnMut(usize) -> bool) -> bool {
        if self.0[node] >= bound {
            return true;
        }
        match node.checked_sub(self.leaves()) {
            Some(index) => found(index),
            None => {
                self.collect(2 * node, bound, found) && self.collect(2 * node + 1, bound, found)
            }
        }
    }

    /// Takes a number out: it is below no bound any more.
    pub fn remove(&mut self, index: usize) {
        let mut node = index + self.leaves();
        self.0[node] = u32::MAX;
        while node > 1 {
            node /= 2;
            self.0[node] = self.0[2 * node].min(self.0[2 * node + 1]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn those_below_a_bound_are_found(
            numbers in proptest::collection::vec(0u32..50, 1..100),
            ends in (0usize..100, 0usize..100),
            bound in 0u32..60,
            removed in proptest::collection::vec(0usize..100, 0..8),
        ) {
            let mut tree = RangeMin::new(numbers.iter().copied());
            let removed: Vec<usize> = removed.into_iter().filter(|&at| at < numbers.len()).collect();
            for &at in &removed {
                tree.remove(at);
            }
            let range = ends.0.min(numbers.len())..ends.1.min(numbers.len());
            let expected: Vec<usize> = range
                .clone()
                .filter(|&at| numbers[at] < bound && !removed.contains(&at))
                .collect();
            let mut found = Vec::new();
            tree.below(range.clone(), bound, |at| {
                found.push(at);
                true
            });
            found.sort_unstable();
            prop_assert_eq!(&found, &expected);
            let mut some = 0;
            tree.below(range, bound, |_| {
                some += 1;
                some < 3
            });
            prop_assert_eq!(some, expected.len().min(3));
        }
    }
}
