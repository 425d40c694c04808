//! Distances of accesses, taken apart into what the kernel's entry can test and what is bounded.
//!
//! All of it holds modulo 2 to a width. Modulo 2^64 a distance often has no bound, because the 32-bit index in it may wrap:
//! `4*sext(i + n) - 4*sext(i)`. Modulo 2^34 it is `4*n`.
//!
//! There are as many distances as pairs of accesses. So the difference of two sums is a list of atoms here, and no term.

use super::checks::Between;
use super::entry::{Entry, Roots};
use super::exits::{Loops, Place};
use super::gaps::{Gap, Pointers, Stride};
use super::hulls::{Extents, Hulls};
use ptxasw_base::mutation::{Mutation, active};
use ptxasw_emulator::domains::disjointness::extension_widths;
use ptxasw_emulator::term::{Node, TermId, Terms, Unary, mask, signed};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Bytes over which the part of a distance that is not tested may spread: a test of more would nearly always fail.
const MAX_SPREAD: u128 = 1 << 20;
/// Bound of everything that is added to the pointers of a distance: no sum of such numbers wraps.
const MAX_REACH: i128 = 1 << 60;
/// What is added for a stride at most.
const MAX_STRIDE: i128 = 1 << 48;
/// What an extent is at most, of either sign: it is tested, or known.
const MAX_EXTENT: u64 = 1 << 40;
/// Widths below 64 bits that are tried.
const MAX_WIDTHS: usize = 3;

/// Atoms with factors: both addresses have a base and an index.
type Atoms = SmallVec<[(TermId, u64); 8]>;

/// A sum modulo 2 to a width: a constant, and atoms with factors, ascending.
#[derive(Debug)]
struct Sum {
    width: u8,
    constant: u64,
    atoms: Atoms,
}

impl Sum {
    fn of(terms: &mut Terms, term: TermId, width: u8) -> Self {
        let low = terms.truncate(term, width);
        let (constant, atoms) = terms.affine(low);
        Sum {
            width,
            constant,
            atoms: atoms.into_iter().collect(),
        }
    }

    fn minus(&self, other: &Sum) -> Sum {
        let subtrahend = other.atoms.iter();
        let subtrahend = subtrahend.map(|&(atom, factor)| (atom, factor.wrapping_neg()));
        let mut atoms: Atoms = self.atoms.iter().copied().chain(subtrahend).collect();
        atoms.sort_unstable_by_key(|one| one.0);
        atoms.dedup_by(|next, kept| {
            let equal = next.0 == kept.0;
            if equal {
                kept.1 = kept.1.wrapping_add(next.1);
            }
            equal
        });
        let all = mask(self.width);
        atoms.iter_mut().for_each(|one| one.1 &= all);
        atoms.retain(|one| one.1 != 0);
        Sum {
            width: self.width,
            constant: self.constant.wrapping_sub(other.constant) & all,
            atoms,
        }
    }
}

/// The distances of addresses that the entry can test.
pub struct TestableDistances<'s> {
    /// What the entry can compute.
    pub entry: Entry<'s>,
    roots: &'s Roots,
    ready: FxHashMap<TermId, bool>,
    sums: FxHashMap<(TermId, u8), Rc<Sum>>,
    /// What loops add to distances.
    pub hulls: Hulls<'s>,
}

impl<'s> TestableDistances<'s> {
    /// Of addresses that are made of these pointers.
    pub fn new(entry: Entry<'s>, roots: &'s Roots, loops: Loops<'s>) -> Self {
        TestableDistances {
            entry,
            roots,
            ready: FxHashMap::default(),
            sums: FxHashMap::default(),
            hulls: Hulls::new(loops),
        }
    }

    /// What the entry can test of the distance of two addresses.
    pub fn between(&mut self, terms: &mut Terms, pair: Between, at: Place) -> Option<GapShape> {
        if let Some(shape) = self.modulo(terms, pair, at, 64) {
            return Some(shape);
        }
        let (from, to) = pair;
        let mut widths: SmallVec<[u8; 4]> = SmallVec::new();
        for address in [from, to] {
            let sum = self.sum(terms, address, 64);
            widths.extend(extension_widths(terms, &sum.atoms));
        }
        widths.sort_unstable_by_key(|&width| std::cmp::Reverse(width));
        widths.dedup();
        widths.truncate(MAX_WIDTHS);
        let narrow = |&width: &u8| self.modulo(terms, pair, at, width);
        if let Some(shape) = widths.iter().find_map(narrow) {
            return Some(shape);
        }
        // The rules of terms may find what is left in bounds.
        let distance = terms.sub(to, from);
        widths.insert(0, 64);
        widths.into_iter().find_map(|width| {
            let mut sum = Sum::of(terms, distance, width);
            let rest = self.split(terms, &mut sum);
            let rest = terms.sum(width, 0, &rest);
            let (least, greatest) = terms.signed_range(rest);
            let rest = (least.into(), greatest.into());
            self.shape(terms, &sum, rest, &Extents::new())
        })
    }

    /// What it can test of that modulo 2 to a width.
    pub fn modulo(
        &mut self,
        terms: &mut Terms,
        (from, to): Between,
        at: Place,
        width: u8,
    ) -> Option<GapShape> {
        let to = self.sum(terms, to, width);
        let mut distance = to.minus(&self.sum(terms, from, width));
        let mut rest = self.split(terms, &mut distance);
        let mut extents = Extents::new();
        if terms.integer_sum(width, &rest).is_none_or(is_loose) {
            let near = |one: &(TermId, u64)| {
                let alone = terms.integer_sum(width, &[*one]);
                alone.is_some_and(|range| !is_loose(range))
            };
            let far: Atoms = rest.iter().copied().filter(|one| !near(one)).collect();
            rest.retain(|one| near(one));
            extents = self.hulls.extents(terms, &self.entry, (width, at), &far)?;
        }
        let rest = terms.integer_sum(width, &rest)?;
        self.shape(terms, &distance, rest, &extents)
    }

    /// Takes out of a sum what the entry cannot compute.
    fn split(&mut self, terms: &Terms, sum: &mut Sum) -> Atoms {
        let atoms = std::mem::take(&mut sum.atoms).into_iter();
        let (tested, rest) = atoms.partition(|one| self.is_ready(terms, one.0));
        sum.atoms = tested;
        rest
    }

    /// A sum of what can be tested, and a rest.
    fn shape(
        &self,
        terms: &mut Terms,
        sum: &Sum,
        mut rest: (i128, i128),
        extents: &Extents,
    ) -> Option<GapShape> {
        let (width, mut reach) = (sum.width, 0);
        let mut pointers = Pointers::new();
        let mut strides: BTreeMap<Stride, (i64, i64)> = BTreeMap::new();
        for &(atom, factor) in &sum.atoms {
            let factor_signed = signed(width, factor);
            if let Some(root) = self.roots.of(terms, atom) {
                pointers.push((root, factor_signed));
                continue;
            }
            let (stride, range) = stride(terms, atom, factor, width)?;
            let largest = range.0.unsigned_abs().max(range.1.unsigned_abs());
            let reached = i128::from(largest) * i128::from(factor_signed).abs();
            if reached > MAX_STRIDE && width == 64 && sum.atoms.len() > 1 {
                // A part of a pointer: a hull of several multiples of it would hold everything.
                pointers.push((atom, factor_signed));
                continue;
            }
            reach += reached;
            let negated = factor_signed.checked_neg()?;
            // Two atoms that are one number modulo the width.
            if strides.insert(stride, (negated, negated)).is_some() {
                return None;
            }
        }
        for (&extent, &(least, greatest)) in extents {
            let most = terms.signed_range(extent);
            let most = most
                .0
                .unsigned_abs()
                .max(most.1.unsigned_abs())
                .min(MAX_EXTENT);
            if let Some(known) = terms.as_const(extent) {
                if self
                    .hulls
                    .under(extent)
                    .is_some_and(|under| !under.is_empty())
                {
                    return None;
                }
                let ends =
                    [least, greatest].map(|factor| i128::from(factor) * i128::from(known as i64));
                rest = (rest.0 + ends[0].min(ends[1]), rest.1 + ends[0].max(ends[1]));
                continue;
            }
            let largest = least.unsigned_abs().max(greatest.unsigned_abs());
            reach += i128::from(largest) * i128::from(most);
            if strides.insert(extent, (-greatest, -least)).is_some() {
                return None;
            }
        }
        let over_loops = !extents.is_empty();
        let alone = sum.atoms.len() == 1 && pointers.is_empty() && !over_loops;
        // Places of one array are tested to be far enough from each other, and not too far.
        let far = reach > MAX_REACH && !alone;
        let nothing = pointers.is_empty() && !alone;
        let loose = is_loose(rest) || rest.0.unsigned_abs() > MAX_REACH.unsigned_abs();
        if far || nothing || loose {
            return None;
        }
        let mut gap = Gap {
            pointers,
            width,
            range: (0, 0),
            strides,
            reach: if alone { 0 } else { reach },
            over_loops,
        };
        Some(GapShape {
            negated: gap.make_canonical(),
            gap,
            constant: sum.constant,
            rest,
        })
    }

    fn is_ready(&mut self, terms: &Terms, atom: TermId) -> bool {
        let entry = &self.entry;
        let known = self.ready.entry(atom);
        *known.or_insert_with(|| entry.ready(terms, atom).is_some())
    }

    fn sum(&mut self, terms: &mut Terms, address: TermId, width: u8) -> Rc<Sum> {
        let known = self.sums.entry((address, width));
        let sum = known.or_insert_with(|| Rc::new(Sum::of(terms, address, width)));
        Rc::clone(sum)
    }
}

/// What gaps have in common whose distances differ by a constant.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct GapShape {
    /// A gap, but for its range.
    gap: Gap,
    /// The distance itself has the negated factors.
    negated: bool,
    /// The constant of the shape, modulo 2 to the width.
    constant: u64,
    /// The least and greatest of what is not tested.
    rest: (i128, i128),
}

impl GapShape {
    /// The range of the sum of pointers in which `from` bytes at one address overlap `to` bytes at another; `constant` is added to the
    /// shape's distance. None where a bound of the range is so large that a test of it could wrap.
    pub fn range(&self, constant: u64, (from, to): (u32, u32)) -> Option<(i128, i128)> {
        let constant = self.constant.wrapping_add(constant);
        let constant = i128::from(signed(self.gap.width, constant));
        let (from, to) = match active(Mutation::CheckOfOneByte) {
            true => (1, 1),
            false => (i128::from(from), i128::from(to)),
        };
        let low = -(to - 1) - constant - self.rest.1;
        let high = from - 1 - constant - self.rest.0;
        let range = match self.negated {
            true => (-high, -low),
            false => (low, high),
        };
        (low.abs().max(high.abs()) < MAX_REACH).then_some(range)
    }

    /// The gap with a range.
    pub fn with(&self, range: (i128, i128)) -> Gap {
        let mut gap = self.gap.clone();
        gap.range = range;
        gap
    }

    /// A gap, but for its range.
    pub fn gap(&self) -> &Gap {
        &self.gap
    }
}

/// Whether so much is not tested that a test would nearly always fail.
fn is_loose(rest: (i128, i128)) -> bool {
    rest.1.abs_diff(rest.0) > MAX_SPREAD
}

/// The stride of an atom with a factor, and its signed range. The stride of an extended 16- or 32-bit number is that number, where it
/// is extended by its sign or the factor shifts out the bits in which both extensions differ.
fn stride(terms: &mut Terms, atom: TermId, factor: u64, width: u8) -> Option<(Stride, (i64, i64))> {
    if let Node::Unary(op @ (Unary::Zext | Unary::Sext), inner) = *terms.node(atom) {
        let bits = terms.width(inner);
        let either = u32::from(bits) + factor.trailing_zeros() >= u32::from(width);
        if matches!(bits, 16 | 32) && (op == Unary::Sext || either) {
            return Some((inner, terms.signed_range(inner)));
        }
        // What is not negative is the same with its sign.
        let wide = terms.zext(inner, 64);
        return Some((wide, terms.signed_range(wide)));
    }
    // Modulo 2 to its own width a number is the same with its sign.
    matches!(width, 16 | 32 | 64).then(|| (atom, terms.signed_range(atom)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use ptxasw_emulator::term::{Symbol, Variance};
    use ptxasw_ir::divergence::Level;

    const NAMES: [&str; 4] = ["p", "q", "i", "n"];

    /// A sum of symbols of 64 bits and extended ones of 32 bits, with a constant.
    fn address(terms: &mut Terms, constant: u64, parts: &[(usize, u64)]) -> TermId {
        let mut sum = terms.constant(64, constant);
        for &(name, factor) in parts {
            let width = if name < 2 { 64 } else { 32 };
            let symbol = terms.symbol(Symbol::new(
                NAMES[name],
                width,
                Variance::Of(Level::Divergent),
            ));
            let whole = terms.sext(symbol, 64);
            let scaled = terms.scale(whole, factor);
            sum = terms.add(sum, scaled);
        }
        sum
    }

    proptest! {
        /// Modulo every width, for all values.
        #[test]
        fn a_difference_of_sums_is_that_of_the_addresses(
            from in prop::collection::vec((0usize..4, any::<u64>()), 0..5),
            to in prop::collection::vec((0usize..4, prop_oneof![Just(4u64), any::<u64>()]), 0..5),
            constants: (u64, u64),
            width in prop_oneof![Just(64u8), 33u8..64],
            values: [u64; 4],
        ) {
            let mut terms = Terms::new();
            let from = address(&mut terms, constants.0, &from);
            let to = address(&mut terms, constants.1, &to);
            let one = Sum::of(&mut terms, to, width);
            let other = Sum::of(&mut terms, from, width);
            let distance = one.minus(&other);
            let value = |id| {
                let data = terms.symbol_data(id);
                let name = NAMES.iter().position(|one| *one == data.name);
                values[name.unwrap_or(0)] & mask(data.width)
            };
            let atoms = distance.atoms.iter();
            let sum = atoms.fold(distance.constant, |sum, &(atom, factor)| {
                sum.wrapping_add(terms.evaluate(atom, &value).wrapping_mul(factor))
            });
            let expected = terms.evaluate(to, &value).wrapping_sub(terms.evaluate(from, &value));
            prop_assert_eq!(sum & mask(width), expected & mask(width));
            prop_assert!(distance.atoms.is_sorted_by(|one, next| one.0 < next.0));
        }
    }
}
