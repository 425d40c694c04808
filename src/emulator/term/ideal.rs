//! The wrap-free reading of an address: what it would be if 32-bit index arithmetic never wrapped.

use super::{Node, TermId, Terms, Unary, signed};

/// An extension that the wrap-free reading took for a homomorphism: the reading is right where `inner` does not wrap.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Opened {
    /// The narrower sum.
    pub inner: TermId,
    /// It was sign-extended.
    pub signed: bool,
}

/// A 64-bit term as an integer sum over atoms.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ideal {
    /// The constant.
    pub constant: i64,
    /// 64-bit atoms in ascending order with coefficients modulo 2^64, none zero.
    pub terms: Vec<(TermId, i64)>,
    /// The extensions that were opened, sorted.
    pub opened: Vec<Opened>,
}

impl Terms {
    /// The wrap-free reading of `t`: extensions of sums are sums of extensions, with signed coefficients and constant.
    /// It proposes candidates; a proof has to show for each [`Opened`] that its reading holds.
    pub fn ideal(&mut self, t: TermId) -> Ideal {
        let width = self.width(t);
        let (constant, mut pending) = self.affine(t);
        let mut total = constant;
        let mut leaves: Vec<(TermId, u64)> = Vec::new();
        let mut opened = Vec::new();
        while let Some((atom, coefficient)) = pending.pop() {
            let Node::Unary(op @ (Unary::Zext | Unary::Sext), inner) = *self.node(atom) else {
                leaves.push((atom, coefficient));
                continue;
            };
            if !matches!(self.node(inner), Node::Affine { .. }) {
                leaves.push((atom, coefficient));
                continue;
            }
            let is_signed = op == Unary::Sext;
            opened.push(Opened {
                inner,
                signed: is_signed,
            });
            let from = self.width(inner);
            let (constant, sum) = self.affine(inner);
            total = total.wrapping_add(coefficient.wrapping_mul(signed(from, constant) as u64));
            for (part, factor) in sum {
                let factor = coefficient.wrapping_mul(signed(from, factor) as u64);
                let extended = self.apply_unary(op, width, part);
                let (constant, parts) = self.affine(extended);
                total = total.wrapping_add(factor.wrapping_mul(constant));
                pending.extend(
                    parts
                        .into_iter()
                        .map(|(part, inner)| (part, inner.wrapping_mul(factor))),
                );
            }
        }
        opened.sort_unstable();
        opened.dedup();
        let sum = self.sum(width, total, &leaves);
        let (constant, terms) = self.affine(sum);
        Ideal {
            constant: signed(width, constant),
            terms: terms
                .into_iter()
                .map(|(atom, coefficient)| (atom, signed(width, coefficient)))
                .collect(),
            opened,
        }
    }
}
