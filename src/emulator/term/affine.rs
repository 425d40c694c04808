//! Sums and products: the affine form and what is multiplied out into it.

use super::divide::Remainder;
use super::facts::integer_sum;
use super::{
    Atoms, Binary, MAX_AFFINE_TERMS, MAX_FACTORS, MAX_PRODUCT_TERMS, Node, TermId, Terms, Unary,
    mask, signed,
};
use smallvec::SmallVec;

/// Atoms with coefficients, in the making.
type Summands = SmallVec<[(TermId, u64); 8]>;

/// A sum under construction.
struct Sum {
    width: u8,
    constant: u64,
    terms: Summands,
}

impl Sum {
    fn new(width: u8, constant: u64) -> Self {
        Sum {
            width,
            constant,
            terms: Summands::new(),
        }
    }

    /// Adds `factor * t`, taking sums apart.
    fn add(&mut self, terms: &mut Terms, t: TermId, factor: u64) {
        debug_assert_eq!(terms.width(t), self.width);
        match terms.node(t) {
            Node::Const(bits) => self.add_constant(bits.wrapping_mul(factor)),
            Node::Affine { constant, .. } => {
                self.add_constant(constant.wrapping_mul(factor));
                for position in 0.. {
                    let Node::Affine { terms: inner, .. } = terms.node(t) else {
                        break;
                    };
                    let Some(&(atom, coefficient)) = inner.get(position) else {
                        break;
                    };
                    self.add_atom(terms, atom, coefficient.wrapping_mul(factor));
                }
            }
            _ => self.add_atom(terms, t, factor),
        }
    }

    fn add_constant(&mut self, bits: u64) {
        self.constant = self.constant.wrapping_add(bits) & mask(self.width);
    }

    /// Adds `coefficient * atom`. Where the coefficient shifts out all that an extension adds, its kind does not matter
    /// and it distributes over a sum (rule `no-wrap`).
    fn add_atom(&mut self, terms: &mut Terms, atom: TermId, coefficient: u64) {
        let coefficient = coefficient & mask(self.width);
        if coefficient == 0 {
            return;
        }
        if let Node::Unary(op @ (Unary::Zext | Unary::Sext), inner) = *terms.node(atom) {
            let lost = u32::from(terms.width(inner)) + coefficient.trailing_zeros();
            if lost >= u32::from(self.width) {
                if let Node::Affine {
                    constant,
                    terms: sum,
                } = terms.node(inner)
                {
                    let sum = sum.clone();
                    self.add_constant(constant.wrapping_mul(coefficient));
                    for &(part, factor) in &sum {
                        let extended = terms.zext(part, self.width);
                        self.add_part(terms, extended, factor.wrapping_mul(coefficient));
                    }
                    return;
                }
                if let Node::Unary(Unary::Extract(0), whole) = *terms.node(inner) {
                    let whole = terms.zext(whole, self.width);
                    return self.add_part(terms, whole, coefficient);
                }
                if op == Unary::Sext {
                    let extended = terms.zext(inner, self.width);
                    return self.add_part(terms, extended, coefficient);
                }
            }
        }
        if let Some((dividend, remainder, quotient)) = terms.as_remainder(atom, coefficient) {
            self.add_part(terms, dividend, quotient);
            return self.add_part(terms, remainder, quotient.wrapping_neg());
        }
        self.terms.push((atom, coefficient));
    }

    /// Adds the extension of an atom, which is itself a sum only where ranges allowed it.
    fn add_part(&mut self, terms: &mut Terms, t: TermId, factor: u64) {
        match terms.node(t) {
            Node::Const(bits) => self.add_constant(bits.wrapping_mul(factor)),
            Node::Affine {
                constant,
                terms: sum,
            } => {
                let sum = sum.clone();
                self.add_constant(constant.wrapping_mul(factor));
                for &(atom, coefficient) in &sum {
                    self.push(atom, coefficient.wrapping_mul(factor));
                }
            }
            _ => self.push(t, factor),
        }
    }

    fn push(&mut self, atom: TermId, coefficient: u64) {
        let coefficient = coefficient & mask(self.width);
        if coefficient != 0 {
            self.terms.push((atom, coefficient));
        }
    }

    /// Sorts, adds up equal atoms and joins adjacent fields.
    fn merge(&mut self, terms: &mut Terms) {
        loop {
            self.terms.sort_unstable_by_key(|&(atom, _)| atom);
            let all = mask(self.width);
            self.terms.dedup_by(|next, kept| {
                let equal = next.0 == kept.0;
                if equal {
                    kept.1 = kept.1.wrapping_add(next.1) & all;
                }
                equal
            });
            self.terms.retain(|&mut (_, coefficient)| coefficient != 0);
            if !self.join_fields(terms) && !self.join_quotient(terms) {
                break;
            }
        }
    }

    /// Rule `join`: `c * zext x[l..m] + (c << (m-l)) * zext x[m..h]` is `c * zext x[l..h]`. One pair at a time.
    fn join_fields(&mut self, terms: &mut Terms) -> bool {
        let fields: SmallVec<[(usize, Field); 8]> = self
            .terms
            .iter()
            .enumerate()
            .filter_map(|(position, &(atom, _))| Some((position, field(terms, atom)?)))
            .collect();
        if fields.len() < 2 {
            return false;
        }
        for &(lower_at, lower) in &fields {
            for &(upper_at, upper) in &fields {
                let adjacent = lower.of == upper.of && lower.low + lower.bits == upper.low;
                if !adjacent || lower.bits >= self.width {
                    continue;
                }
                let coefficient = self.terms[lower_at].1;
                if (coefficient << lower.bits) & mask(self.width) != self.terms[upper_at].1 {
                    continue;
                }
                let bits = (lower.bits + upper.bits).min(self.width);
                let joined = terms.extract(lower.of, lower.low, bits);
                let joined = terms.zext(joined, self.width);
                self.terms[lower_at].1 = 0;
                self.terms[upper_at].1 = 0;
                self.terms.retain(|&mut (_, c)| c != 0);
                self.add_part(terms, joined, coefficient);
                return true;
            }
        }
        false
    }

    /// Rule `quotient`: the two summands of a signed quotient, an arithmetic shift and the sign that rounds towards zero. One
    /// pair at a time.
    fn join_quotient(&mut self, terms: &mut Terms) -> bool {
        let signs: SmallVec<[(usize, TermId, u64); 4]> = self
            .terms
            .iter()
            .enumerate()
            .filter(|&(_, &(atom, _))| {
                let part = field(terms, atom);
                part.is_some_and(|part| part.bits == 1 && part.low + 1 == self.width)
            })
            .map(|(at, &(atom, coefficient))| (at, atom, coefficient))
            .collect();
        for (sign_at, sign, coefficient) in signs {
            let lower_bits = self.width - coefficient.trailing_zeros().min(63) as u8;
            for shifted_at in 0..self.terms.len() {
                let (shifted, factor) = self.terms[shifted_at];
                if shifted_at == sign_at || factor != coefficient {
                    continue;
                }
                let Some(quotient) = terms.signed_quotient(shifted, sign, lower_bits) else {
                    continue;
                };
                self.terms[sign_at].1 = 0;
                self.terms[shifted_at].1 = 0;
                self.terms.retain(|&mut (_, c)| c != 0);
                self.add(terms, quotient, coefficient);
                return true;
            }
        }
        false
    }

    /// The canonical term, or nothing if it has too many atoms.
    fn finish(mut self, terms: &mut Terms, bounded: bool) -> Option<TermId> {
        self.merge(terms);
        match self.terms.as_slice() {
            [] => Some(terms.constant(self.width, self.constant)),
            [(atom, 1)] if self.constant == 0 => Some(*atom),
            list if bounded && list.len() > MAX_AFFINE_TERMS => None,
            list => {
                let node = Node::Affine {
                    constant: self.constant,
                    terms: list.into(),
                };
                Some(terms.intern(self.width, node))
            }
        }
    }
}

/// `bits` bits of a term from bit `low`.
#[derive(Clone, Copy)]
struct Field {
    of: TermId,
    low: u8,
    bits: u8,
}

/// An atom that is a zero-extended field.
fn field(terms: &Terms, atom: TermId) -> Option<Field> {
    let Node::Unary(Unary::Zext, inner) = *terms.node(atom) else {
        return None;
    };
    let Node::Unary(Unary::Extract(low), of) = *terms.node(inner) else {
        return None;
    };
    Some(Field {
        of,
        low,
        bits: terms.width(inner),
    })
}

impl Terms {
    /// `constant + sum(coefficient * term)` modulo 2^width.
    pub fn sum(&mut self, width: u8, constant: u64, summands: &[(TermId, u64)]) -> TermId {
        if width == 1 {
            return self.sum_of_bits(constant, summands);
        }
        let mut sum = Sum::new(width, constant & mask(width));
        for &(t, coefficient) in summands {
            sum.add(self, t, coefficient);
        }
        if let Some(t) = sum.finish(self, true) {
            return t;
        }
        let mut opaque = Sum::new(width, constant & mask(width));
        for &(t, coefficient) in summands {
            match self.as_const(t) {
                Some(bits) => opaque.add_constant(bits.wrapping_mul(coefficient)),
                None => opaque.push(t, coefficient),
            }
        }
        opaque
            .finish(self, false)
            .unwrap_or_else(|| self.constant(width, 0))
    }

    /// Sums of single bits are exclusive ors.
    fn sum_of_bits(&mut self, constant: u64, summands: &[(TermId, u64)]) -> TermId {
        let mut result = self.constant(1, constant);
        for &(t, coefficient) in summands {
            if coefficient & 1 == 1 {
                result = self.xor(result, t);
            }
        }
        result
    }

    /// Sum modulo 2^width.
    pub fn add(&mut self, a: TermId, b: TermId) -> TermId {
        self.sum(self.width(a), 0, &[(a, 1), (b, 1)])
    }

    /// Difference modulo 2^width.
    pub fn sub(&mut self, a: TermId, b: TermId) -> TermId {
        self.sum(self.width(a), 0, &[(a, 1), (b, u64::MAX)])
    }

    /// `-a` modulo 2^width.
    pub fn neg(&mut self, a: TermId) -> TermId {
        self.sum(self.width(a), 0, &[(a, u64::MAX)])
    }

    /// `a` plus a constant.
    pub fn offset(&mut self, a: TermId, constant: u64) -> TermId {
        if constant == 0 {
            return a;
        }
        self.sum(self.width(a), constant, &[(a, 1)])
    }

    /// `a` times a constant.
    pub fn scale(&mut self, a: TermId, factor: u64) -> TermId {
        self.sum(self.width(a), 0, &[(a, factor)])
    }

    /// The affine form of any term: constant and atoms with coefficients.
    pub fn affine(&self, t: TermId) -> (u64, Atoms) {
        match self.node(t) {
            Node::Const(bits) => (*bits, Atoms::new()),
            Node::Affine { constant, terms } => (*constant, terms.as_slice().into()),
            _ => (0, Atoms::from_slice(&[(t, 1)])),
        }
    }

    /// The least and greatest of the sum that a term is, read over the integers: atoms, factors and constant are signed. None
    /// where it is beyond 128 bits.
    pub fn integer_range(&self, t: TermId) -> Option<(i128, i128)> {
        let width = self.width(t);
        let (constant, atoms) = self.affine(t);
        integer_sum(
            self,
            width,
            true,
            i128::from(signed(width, constant)),
            &atoms,
        )
    }

    /// The least and greatest of a sum of atoms of a width with factors, all signed, read over the integers. None where it is beyond
    /// 128 bits.
    pub fn integer_sum(&self, width: u8, atoms: &[(TermId, u64)]) -> Option<(i128, i128)> {
        integer_sum(self, width, true, 0, atoms)
    }

    /// Lower half of the product.
    pub fn mul(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        if width == 1 {
            return self.and(a, b);
        }
        if let Some(factor) = self.as_const(a) {
            return self.scale(b, factor);
        }
        if let Some(factor) = self.as_const(b) {
            return self.scale(a, factor);
        }
        let (a_constant, a_terms) = self.affine(a);
        let (b_constant, b_terms) = self.affine(b);
        let count = |constant: u64, list: &[(TermId, u64)]| list.len() + usize::from(constant != 0);
        if count(a_constant, &a_terms) * count(b_constant, &b_terms) > MAX_PRODUCT_TERMS {
            return self.product(width, &[a, b]);
        }
        let mut summands = Summands::new();
        for &(x, c) in &a_terms {
            for &(y, d) in &b_terms {
                let product = self.product(width, &[x, y]);
                summands.push((product, c.wrapping_mul(d)));
            }
            summands.push((x, c.wrapping_mul(b_constant)));
        }
        for &(y, d) in &b_terms {
            summands.push((y, d.wrapping_mul(a_constant)));
        }
        self.sum(width, a_constant.wrapping_mul(b_constant), &summands)
    }

    /// The product of non-constants as one atom, flat as long as it is short.
    fn product(&mut self, width: u8, operands: &[TermId]) -> TermId {
        let mut factors: SmallVec<[TermId; 8]> = SmallVec::new();
        for &t in operands {
            match self.node(t) {
                Node::Product(inner) => factors.extend_from_slice(inner),
                _ => factors.push(t),
            }
        }
        if let Some(difference) = self.without_quotient(&factors) {
            return difference;
        }
        if factors.len() > MAX_FACTORS {
            factors = operands.into();
        }
        factors.sort_unstable();
        self.intern(width, Node::Product(factors.as_slice().into()))
    }

    /// Rule `quotient`: a product with `x / d` and `d` has `x - x % d` in their place. Where `d` is 0, that is right for the
    /// remainder `x`, which an instruction need not give.
    fn without_quotient(&mut self, factors: &[TermId]) -> Option<TermId> {
        for (at, &factor) in factors.iter().enumerate() {
            let Node::Binary(op @ (Binary::UDiv | Binary::SDiv), dividend, divisor) =
                *self.node(factor)
            else {
                continue;
            };
            let mut rest: SmallVec<[TermId; 8]> = factors.into();
            rest.remove(at);
            let parts: SmallVec<[TermId; 8]> = match self.node(divisor) {
                Node::Product(parts) => parts.as_ref().into(),
                _ => SmallVec::from_slice(&[divisor]),
            };
            let all = parts.iter().all(|part| {
                let found = rest.iter().position(|other| other == part);
                found.map(|at| rest.remove(at)).is_some()
            });
            if !all || !self.agrees(divisor, Remainder::OfQuotient) {
                continue;
            }
            let remainder = self.rem(op == Binary::SDiv, dividend, divisor);
            let mut result = self.sub(dividend, remainder);
            for other in rest {
                result = self.mul(result, other);
            }
            return Some(result);
        }
        None
    }
}
