//! Differences of sums, seen from their atoms: without a term being made of them.

use super::{Atoms, Node, TermId, Terms, Unary, mask};

impl Terms {
    /// `to - from` if that is a constant. Sums that differ in an atom other than a field are found to differ without a term
    /// being made.
    pub fn difference(&mut self, from: TermId, to: TermId) -> Option<u64> {
        if self.width(from) != self.width(to) {
            return None;
        }
        if let Some(decided) = self.difference_of_atoms(from, to) {
            return decided;
        }
        let difference = self.sub(to, from);
        self.as_const(difference)
    }

    /// The constant that two sums of the same atoms with the same coefficients differ by: `to - from`, modulo 2^width.
    pub fn constant_apart(&self, from: TermId, to: TermId) -> Option<u64> {
        let (own_from, own_to) = ([(from, 1)], [(to, 1)]);
        let (less, from_atoms) = self.atoms(from, &own_from);
        let (more, to_atoms) = self.atoms(to, &own_to);
        let width = self.width(from);
        let same = width == self.width(to) && from_atoms == to_atoms;
        same.then(|| more.wrapping_sub(less) & mask(width))
    }

    /// The atoms of a sum with their coefficients; none of what is no sum.
    pub fn summands(&self, t: TermId) -> &[(TermId, u64)] {
        match self.node(t) {
            Node::Affine { terms, .. } => terms,
            _ => &[],
        }
    }

    /// As [`Terms::difference`], by comparing atoms; nothing where fields are left that may yet be joined.
    fn difference_of_atoms(&self, from: TermId, to: TermId) -> Option<Option<u64>> {
        let (own_a, own_b) = ([(from, 1)], [(to, 1)]);
        let (a_constant, mut a) = self.atoms(from, &own_a);
        let (b_constant, mut b) = self.atoms(to, &own_b);
        let mut fields = false;
        loop {
            let left_over = match (a.split_first(), b.split_first()) {
                (None, None) => break,
                (Some((x, rest_a)), Some((y, rest_b))) if x == y => {
                    (a, b) = (rest_a, rest_b);
                    continue;
                }
                (Some((x, rest)), y) if y.is_none_or(|(y, _)| x.0 <= y.0) => {
                    a = rest;
                    x.0
                }
                (_, Some((y, rest))) => {
                    b = rest;
                    y.0
                }
                (Some((x, rest)), None) => {
                    a = rest;
                    x.0
                }
            };
            if !matches!(self.node(left_over), Node::Unary(Unary::Zext, _)) {
                return Some(None);
            }
            fields = true;
        }
        let constant = b_constant.wrapping_sub(a_constant) & mask(self.width(from));
        (!fields).then_some(Some(constant))
    }

    /// The affine form of `a - b` where nothing is left of both but sign extensions: no rule joins those. None where a term
    /// must be made to see it.
    pub fn sign_extended_difference(&self, a: TermId, b: TermId) -> Option<(u64, Atoms)> {
        let width = self.width(a);
        let (own_a, own_b) = ([(a, 1)], [(b, 1)]);
        let (a_constant, mut a) = self.atoms(a, &own_a);
        let (b_constant, mut b) = self.atoms(b, &own_b);
        let mut rest = Atoms::new();
        loop {
            let (atom, coefficient) = match (a.split_first(), b.split_first()) {
                (None, None) => break,
                (Some((x, rest_a)), Some((y, rest_b))) if x.0 == y.0 => {
                    if x.1 != y.1 {
                        return None;
                    }
                    (a, b) = (rest_a, rest_b);
                    continue;
                }
                (Some((x, rest_a)), y) if y.is_none_or(|(y, _)| x.0 < y.0) => {
                    a = rest_a;
                    *x
                }
                (_, Some((y, rest_b))) => {
                    b = rest_b;
                    (y.0, y.1.wrapping_neg() & mask(width))
                }
                (Some(_), None) => return None,
            };
            if !matches!(self.node(atom), Node::Unary(Unary::Sext, _)) {
                return None;
            }
            rest.push((atom, coefficient));
        }
        let constant = a_constant.wrapping_sub(b_constant) & mask(width);
        Some((constant, rest))
    }

    /// The affine form of a term without a copy; `own` is the term as its own only atom.
    pub(super) fn atoms<'t>(
        &'t self,
        t: TermId,
        own: &'t [(TermId, u64)],
    ) -> (u64, &'t [(TermId, u64)]) {
        match self.node(t) {
            Node::Const(bits) => (*bits, &[]),
            Node::Affine { constant, terms } => (*constant, terms),
            _ => (0, own),
        }
    }
}
