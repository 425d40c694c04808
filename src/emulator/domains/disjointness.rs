//! What is known of the distance between two addresses: enough to decide whether accesses share a byte.
//!
//! Addresses are distinguished by shape and constant: `a + 8*i + 4` is `4` from the shape `a + 8*i`. Of two shapes, bounds of
//! their distance are found once: where it can lie, counted modulo some number. All of them hold for every value of the
//! symbols, wraps included:
//! - ranges, modulo 2^64;
//! - known low bits: `8*i - 8*j` is 0 modulo 8;
//! - where extensions of 32-bit indices are cut off again: `4*sext(i + 2) - 4*sext(i)` is 8 modulo 2^34, wherever the
//!   index wraps;
//! - a common divisor of all factors, if the sum is too small to wrap: `12*sext(i) - 12*sext(j)` is 0 modulo 12.

use crate::term::{Node, TermId, Terms, Unary};
use ptxasw_base::mutation::{Mutation, active};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Widths below 64 bits in which the distance of two shapes is looked at.
const MAX_WIDTHS: usize = 3;

/// `[low, high]` holds the distance modulo `modulus`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Bound {
    modulus: i128,
    low: i128,
    high: i128,
    /// It counts integers: it holds where the integer sum plus the constant is none that wraps. The least and greatest of the
    /// sum.
    exact: Option<(i128, i128)>,
}

impl Bound {
    /// Whether, `constant` added to the distance `to - from`, `bytes` of them from `from` and `other_bytes` from `to` share
    /// none.
    fn excludes_overlap(&self, constant: u64, bytes: u32, other_bytes: u32) -> bool {
        let constant = i128::from(constant as i64);
        if let Some((least, greatest)) = self.exact
            && (least + constant <= i128::from(i64::MIN)
                || greatest + constant >= i128::from(i64::MAX))
        {
            return false;
        }
        // Bytes are shared where the distance is from -(other_bytes - 1) to bytes - 1.
        let shared = i128::from(bytes) + i128::from(other_bytes) - 1;
        let first = self.low + constant + i128::from(other_bytes) - 1;
        let first = first.rem_euclid(self.modulus);
        first >= shared && first + (self.high - self.low) < self.modulus
    }
}

/// What is known of the distance of two shapes.
#[derive(Debug)]
struct Known {
    bounds: Vec<Bound>,
    /// A summand of it has the full range of 64 bits.
    unbounded: bool,
}

/// Distances of shapes that were asked for, with what is known of them.
#[derive(Debug, Default)]
pub struct Distances {
    shapes: FxHashMap<TermId, (TermId, u64)>,
    /// An unconstrained summand of a shape: see [`unconstrained`].
    free: FxHashMap<TermId, Option<TermId>>,
    known: FxHashMap<(TermId, TermId), Known>,
}

impl Distances {
    /// An address without its constant, and the constant.
    pub fn shape(&mut self, terms: &mut Terms, address: TermId) -> (TermId, u64) {
        if let Some(&known) = self.shapes.get(&address) {
            return known;
        }
        let constant = match terms.node(address) {
            Node::Affine { constant, .. } => *constant,
            Node::Const(bits) => *bits,
            _ => 0,
        };
        let shape = terms.offset(address, constant.wrapping_neg());
        self.shapes.insert(address, (shape, constant));
        (shape, constant)
    }

    /// Whether so many bytes from one address and so many from another, 64 bits both, share none.
    pub fn apart(
        &mut self,
        terms: &mut Terms,
        (from, bytes): (TermId, u32),
        (to, other_bytes): (TermId, u32),
    ) -> bool {
        let bytes = match active(Mutation::StoreWidthIgnored) {
            true => 1,
            false => bytes,
        };
        let (from, from_constant) = self.shape(terms, from);
        let (to, to_constant) = self.shape(terms, to);
        let constant = to_constant.wrapping_sub(from_constant);
        if from == to {
            let (forward, backward) = (constant, constant.wrapping_neg());
            return forward >= u64::from(bytes) && backward >= u64::from(other_bytes);
        }
        let mut bounds = self.known(terms, from, to).bounds.iter();
        bounds.any(|bound| bound.excludes_overlap(constant, bytes, other_bytes))
    }

    /// Whether the distance of two addresses has a summand that nothing bounds, so that no solver could show a bound of it.
    pub fn is_unbounded(&mut self, terms: &mut Terms, from: TermId, to: TermId) -> bool {
        let ((from, _), (to, _)) = (self.shape(terms, from), self.shape(terms, to));
        from != to && self.known(terms, from, to).unbounded
    }

    fn known(&mut self, terms: &mut Terms, from: TermId, to: TermId) -> &Known {
        let Distances { free, known, .. } = self;
        known.entry((from, to)).or_insert_with(|| {
            // Most pairs are of two pointers, and their distance need not become a term.
            let mut has_free = |of: TermId, other: TermId| {
                let free = *free.entry(of).or_insert_with(|| unconstrained(terms, of));
                free.is_some_and(|atom| coefficient(terms, other, atom).is_multiple_of(2))
            };
            if has_free(from, to) || has_free(to, from) {
                return Known {
                    bounds: Vec::new(),
                    unbounded: true,
                };
            }
            let distance = terms.sub(to, from);
            let (_, atoms) = terms.affine(distance);
            let full =
                |&(atom, _): &(TermId, u64)| terms.signed_range(atom) == (i64::MIN, i64::MAX);
            Known {
                unbounded: atoms.iter().any(full),
                bounds: bounds(terms, distance),
            }
        })
    }
}

/// An atom with an odd factor of which neither a bound nor a bit is known. The distance to a sum in which its factor is even keeps an odd
/// multiple of it, so nothing is known of that distance either.
fn unconstrained(terms: &Terms, sum: TermId) -> Option<TermId> {
    let free = |atom: TermId| {
        let known = terms.known_bits(atom);
        terms.signed_range(atom) == (i64::MIN, i64::MAX) && known == (0, 0)
    };
    let (_, atoms) = terms.affine(sum);
    let mut atoms = atoms.iter().filter(|&&(_, factor)| factor % 2 == 1);
    atoms.find(|one| free(one.0)).map(|one| one.0)
}

/// The factor of a part of a sum.
fn coefficient(terms: &Terms, sum: TermId, atom: TermId) -> u64 {
    match terms.node(sum) {
        Node::Affine { terms, .. } => {
            let found = terms.iter().find(|one| one.0 == atom);
            found.map_or(0, |one| one.1)
        }
        _ => (sum == atom).into(),
    }
}

/// Bounds of a distance.
fn bounds(terms: &mut Terms, distance: TermId) -> Vec<Bound> {
    let mut found = Vec::new();
    add_known(terms, distance, &mut found);
    let (_, atoms) = terms.affine(distance);
    let mut widths: SmallVec<[u8; 8]> = extension_widths(terms, &atoms).collect();
    widths.sort_unstable();
    widths.dedup();
    for &width in widths.iter().take(MAX_WIDTHS) {
        let low = terms.truncate(distance, width);
        add_known(terms, low, &mut found);
    }
    found.extend(common_divisor(terms, distance));
    found
}

/// Widths below 64 bits modulo which extensions in a sum are the extended numbers themselves.
pub fn extension_widths(terms: &Terms, atoms: &[(TermId, u64)]) -> impl Iterator<Item = u8> {
    atoms.iter().filter_map(|&(atom, factor)| {
        let Node::Unary(Unary::Zext | Unary::Sext, inner) = *terms.node(atom) else {
            return None;
        };
        let width = u32::from(terms.width(inner)) + factor.trailing_zeros();
        (width < 64).then_some(width as u8)
    })
}

/// Bounds from what the arena knows of a distance, or of its low bits.
fn add_known(terms: &Terms, distance: TermId, found: &mut Vec<Bound>) {
    let width = terms.width(distance);
    let facts = terms.facts(distance);
    let mut add = |bits: u32, low: i128, high: i128| {
        let modulus = 1i128 << bits;
        if high - low + 1 < modulus {
            found.push(Bound {
                modulus,
                low,
                high,
                exact: None,
            });
        }
    };
    let bits = u32::from(width);
    add(bits, i128::from(facts.umin), i128::from(facts.umax));
    add(bits, i128::from(facts.smin), i128::from(facts.smax));
    let low_bits = (facts.zeros | facts.ones).trailing_ones().min(bits);
    if low_bits > 0 {
        let value = i128::from(facts.ones) & ((1 << low_bits) - 1);
        add(low_bits, value, value);
    }
}

/// The distance modulo what divides all of its factors, read as an integer sum.
fn common_divisor(terms: &Terms, distance: TermId) -> Option<Bound> {
    let (constant, atoms) = terms.affine(distance);
    let divisor = atoms.iter().fold(0u128, |divisor, &(atom, coefficient)| {
        let multiple = terms.known_bits(atom).0.trailing_ones().min(63);
        gcd(
            divisor,
            u128::from((coefficient as i64).unsigned_abs()) << multiple,
        )
    });
    // Powers of two are known bits.
    if divisor == 0 || divisor.is_power_of_two() {
        return None;
    }
    let sum = terms.integer_range(distance)?;
    let wraps = [sum.0, sum.1].iter().any(|&n| i64::try_from(n).is_err());
    if wraps && !active(Mutation::DistanceNeverWraps) {
        return None;
    }
    let modulus = i128::try_from(divisor).ok()?;
    let value = i128::from(constant as i64).rem_euclid(modulus);
    Some(Bound {
        modulus,
        low: value,
        high: value,
        exact: (!active(Mutation::DistanceNeverWraps)).then_some(sum),
    })
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests;
