//! Zero extensions that are sign extensions: path conditions say that what they extend is not negative.
//!
//! A compiler extends one index by its sign and the next by zeros where it knows better (`zext nneg` in LLVM IR), so that
//! a row has both: `a[sext(i + 1)]` is `a[zext(i) + 1]` where `i` is not negative.

use super::Cases;
use ptxasw_base::mutation::{Mutation, active};
use ptxasw_emulator::domains::difference_bounds;
use ptxasw_emulator::term::{Node, TermId, Terms, Unary};
use rustc_hash::FxHashMap;

/// Extended summands of a pair of addresses that are looked at.
const MAX_EXTENDED: usize = 8;

/// The zero extensions in the difference of two addresses that are opposed to a sign extension of the same shape, and what they
/// extend.
pub(super) fn mixed(terms: &mut Terms, from: TermId, to: TermId) -> Vec<(TermId, TermId)> {
    let difference = terms.sub(from, to);
    let (_, atoms) = terms.affine(difference);
    let (mut by_sign, mut by_zeros) = (Vec::new(), Vec::new());
    for (atom, _) in atoms.into_iter().take(MAX_EXTENDED) {
        let (found, inner) = match *terms.node(atom) {
            Node::Unary(Unary::Sext, inner) => (&mut by_sign, inner),
            Node::Unary(Unary::Zext, inner) => (&mut by_zeros, inner),
            _ => continue,
        };
        let (shape, _) = difference_bounds::split(terms, inner);
        found.push((shape, atom, inner));
    }
    by_zeros.retain(|(shape, ..)| by_sign.iter().any(|(other, ..)| other == shape));
    by_zeros
        .into_iter()
        .map(|(_, atom, inner)| (atom, inner))
        .collect()
}

impl Cases<'_> {
    /// The sign extensions that zero extensions are by what is known of both lanes.
    pub(super) fn signs(&mut self, mixed: &[(TermId, TermId)]) -> FxHashMap<TermId, TermId> {
        let mut map = FxHashMap::default();
        for &(atom, inner) in mixed {
            let zero = self.terms.constant(self.terms.width(inner), 0);
            let negative = self.terms.less(true, inner, zero);
            let goal = self.terms.not(negative);
            if active(Mutation::SignIgnored) || self.follows(goal) {
                let extended = self.terms.sext(inner, self.terms.width(atom));
                map.insert(atom, extended);
            }
        }
        map
    }
}
