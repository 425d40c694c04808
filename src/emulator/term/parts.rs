//! Walks over what terms are made of.

use super::{TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

impl Terms {
    /// All terms that the given ones are made of, themselves included, operands first.
    pub fn reachable(&self, roots: &[TermId]) -> Vec<TermId> {
        self.reachable_where(roots, |_| true)
    }

    /// As [`Terms::reachable`], without the terms that are not `wanted` and what only they use.
    pub fn reachable_where(
        &self,
        roots: &[TermId],
        wanted: impl Fn(TermId) -> bool,
    ) -> Vec<TermId> {
        let mut found = DistinctTerms::default();
        for &root in roots {
            if wanted(root) {
                found.enter(root);
            }
        }
        let mut done = 0;
        while let Some(&t) = found.order.get(done) {
            done += 1;
            self.node(t).for_each_operand(|operand| {
                if wanted(operand) {
                    found.enter(operand);
                }
            });
        }
        let mut order = found.order;
        order.sort_unstable();
        order
    }

    /// Whether a term or one of its parts is `wanted`. `known` has the answers for terms that were looked at before and gets those
    /// for all parts, so that each is looked at once, however many terms are asked about.
    pub fn any_part(
        &self,
        root: TermId,
        known: &mut FxHashMap<TermId, bool>,
        wanted: impl Fn(TermId) -> bool,
    ) -> bool {
        let mut work = vec![root];
        while let Some(&term) = work.last() {
            if known.contains_key(&term) {
                work.pop();
                continue;
            }
            let open = work.len();
            let mut found = wanted(term);
            if !found {
                self.node(term)
                    .for_each_operand(|operand| match known.get(&operand) {
                        Some(&part) => found |= part,
                        None => work.push(operand),
                    });
            }
            if found || work.len() == open {
                work.truncate(open - 1);
                known.insert(term, found);
            }
        }
        known.get(&root).copied().unwrap_or(false)
    }
}

/// Terms, each once. Of the most there are few: only many are hashed.
#[derive(Default)]
struct DistinctTerms {
    order: Vec<TermId>,
    seen: FxHashSet<TermId>,
}

impl DistinctTerms {
    const FEW: usize = 16;

    fn enter(&mut self, t: TermId) {
        if self.order.len() < Self::FEW {
            if !self.order.contains(&t) {
                self.order.push(t);
            }
            return;
        }
        if self.seen.is_empty() {
            self.seen.extend(&self.order);
        }
        if self.seen.insert(t) {
            self.order.push(t);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::{Symbol, Variance};
    use proptest::prelude::*;
    use ptxasw_ir::divergence::Level;

    proptest! {
        /// Asked in any order, with one memory, about terms that share their parts.
        #[test]
        fn a_wanted_part_is_one_of_all_parts(
            steps in prop::collection::vec((0usize..40, 0usize..40, 0u8..4), 1..40),
            roots in prop::collection::vec(0usize..40, 1..10),
            wanted in prop::collection::vec(0usize..40, 0..3),
        ) {
            let mut terms = Terms::new();
            let name = |terms: &mut Terms, name: &str| {
                terms.symbol(Symbol::new(name, 32, Variance::Of(Level::Uniform)))
            };
            let mut all = ["x", "y", "z"].map(|one| name(&mut terms, one)).to_vec();
            for (a, b, op) in steps {
                let [a, b] = [a, b].map(|at| all[at % all.len()]);
                all.push(match op {
                    0 => terms.add(a, b),
                    1 => terms.xor(a, b),
                    2 => terms.shl(a, b),
                    _ => terms.mul(a, b),
                });
            }
            let wanted: Vec<TermId> = wanted.iter().map(|at| all[at % all.len()]).collect();
            let mut known = FxHashMap::default();
            for at in roots {
                let root = all[at % all.len()];
                let expected = terms.reachable(&[root]).iter().any(|part| wanted.contains(part));
                let found = terms.any_part(root, &mut known, |part| wanted.contains(&part));
                prop_assert_eq!(found, expected);
            }
            prop_assert!(known.len() <= terms.len());
        }
    }

    /// Each of many terms is asked about, and each part is looked at once.
    #[test]
    fn parts_are_looked_at_once() {
        let mut terms = Terms::new();
        let name = |terms: &mut Terms, name: &str| {
            terms.symbol(Symbol::new(name, 32, Variance::Of(Level::Uniform)))
        };
        let (mut chain, by) = (name(&mut terms, "x"), name(&mut terms, "y"));
        let looks = std::cell::Cell::new(0);
        let mut known = FxHashMap::default();
        for _ in 0..1_000 {
            let shifted = terms.shl(chain, by);
            chain = terms.xor(chain, shifted);
            terms.any_part(chain, &mut known, |_| {
                looks.set(looks.get() + 1);
                false
            });
        }
        assert!(looks.get() <= 2 * terms.len(), "{}", looks.get());
    }
}
