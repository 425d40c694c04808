//! Ancestors in a forest, to any of them in a number of steps that is the logarithm of theirs (Myers, "An applicative
//! random-access stack", 1983).

/// Nodes with parents that have smaller numbers.
#[derive(Clone, Debug, Default)]
pub struct Ancestors(Vec<Links>);

/// Links from a node to its ancestors.
#[derive(Clone, Copy, Debug, Default)]
struct Links {
    /// To the parent.
    next: Option<u32>,
    /// To one further up, if there is one.
    far: Option<u32>,
    /// How many ancestors there are.
    depth: u32,
}

impl Ancestors {
    /// From the parent of each node.
    pub fn new(parents: impl Iterator<Item = Option<u32>>) -> Self {
        let mut links: Vec<Links> = Vec::with_capacity(parents.size_hint().0);
        for next in parents {
            let of = |node: u32| links[node as usize];
            let link = next.map_or_else(Links::default, |next| {
                let depth = |node: Option<u32>| node.map_or(0, |node| of(node).depth + 1);
                let (near, far) = (of(next).far, of(next).far.and_then(|far| of(far).far));
                // Two steps of one length become one of twice the length, and one more.
                let equal = depth(Some(next)) - depth(near) == depth(near) - depth(far);
                Links {
                    next: Some(next),
                    far: if equal { far } else { Some(next) },
                    depth: depth(Some(next)),
                }
            });
            links.push(link);
        }
        Ancestors(links)
    }

    /// The last node on the path from `node` to its root that passes, or none if `node` does not. All nodes up to it must pass,
    /// and none above it.
    pub fn last(&self, node: u32, passes: impl Fn(u32) -> bool) -> Option<u32> {
        let passes = |node: &u32| passes(*node);
        let mut last = Some(node).filter(passes)?;
        while let Some(up) = {
            let Links { next, far, .. } = self.0[last as usize];
            far.filter(passes).or_else(|| next.filter(passes))
        } {
            last = up;
        }
        Some(last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::cell::Cell;

    proptest! {
        #[test]
        fn the_last_that_passes_is_found_in_few_steps(
            parents in proptest::collection::vec(proptest::option::weighted(0.95, 0u32..8), 1..400),
            least in 0u32..400,
        ) {
            // A node's parent is one of the eight in front of it.
            let parents: Vec<Option<u32>> = (0..)
                .zip(parents)
                .map(|(node, back): (u32, _)| node.checked_sub(1 + back?))
                .collect();
            let ancestors = Ancestors::new(parents.iter().copied());
            for node in 0..parents.len() as u32 {
                let asked = Cell::new(0);
                let found = ancestors.last(node, |node| {
                    asked.set(asked.get() + 1);
                    node >= least
                });
                let up = std::iter::successors(Some(node), |&node| parents[node as usize]);
                prop_assert_eq!(found, up.take_while(|&node| node >= least).last());
                prop_assert!(asked.get() <= 64, "{} questions", asked.get());
            }
        }
    }
}
