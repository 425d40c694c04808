//! Distances of accesses, taken apart into what the kernel's entry can test and what is bounded.
//!
//! All of it holds modulo 2 to a width. Modulo 2^64 a distance often has no bound, because the 32-bit index in it may wrap:
//! `4*sext(i + n) - 4*sext(i)`. Modulo 2^34 it is `4*n`.
//!
//! There are as many distances as pairs of accesses. So the difference of two sums is a list of atoms here, and no term.

use super::entry::{Entry, Roots};
use super::gaps::{Gap, Pointers, Stride};
use crate::emulator::term::{Node, TermId, Terms, Unary};
use crate::mutation::{Mutation, active};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Bytes over which the part of a distance that is not tested may spread: a test of more would nearly always fail.
const MAX_SPREAD: i128 = 1 << 20;
/// Bound of everything that is added to the pointers of a distance: no sum of such numbers wraps.
const MAX_REACH: i128 = 1 << 60;
/// What is added for a stride at most.
const MAX_STRIDE: i128 = 1 << 48;
/// Widths below 64 bits that are tried.
const MAX_WIDTHS: usize = 3;

/// A sum modulo 2 to a width: a constant, and atoms with factors, ascending.
#[derive(Debug)]
struct Sum {
    width: u8,
    constant: u64,
    atoms: SmallVec<[(TermId, u64); 8]>,
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
        let above = 64 - u32::from(self.width);
        let low = |bits: u64| bits << above >> above;
        let mut atoms = SmallVec::new();
        let (mut own, mut others) = (&self.atoms[..], &other.atoms[..]);
        loop {
            let order = match (own.first(), others.first()) {
                (None, None) => break,
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(one), Some(other)) => one.0.cmp(&other.0),
            };
            let mut factor = 0u64;
            let mut atom = None;
            if order.is_le() {
                (atom, factor, own) = (Some(own[0].0), own[0].1, &own[1..]);
            }
            if order.is_ge() {
                (atom, factor, others) = (
                    Some(others[0].0),
                    factor.wrapping_sub(others[0].1),
                    &others[1..],
                );
            }
            atoms.extend(
                atom.map(|atom| (atom, low(factor)))
                    .filter(|one| one.1 != 0),
            );
        }
        Sum {
            width: self.width,
            constant: low(self.constant.wrapping_sub(other.constant)),
            atoms,
        }
    }

    /// The widths modulo which its distance from another sum may be known.
    fn widths(&self, terms: &Terms) -> impl Iterator<Item = u8> {
        self.atoms.iter().filter_map(|&(atom, factor)| {
            let Node::Unary(Unary::Zext | Unary::Sext, inner) = *terms.node(atom) else {
                return None;
            };
            let width = u32::from(terms.width(inner)) + factor.trailing_zeros();
            (width < 64).then_some(width as u8)
        })
    }
}

/// What can be tested, and the sums that addresses are.
pub struct Distances<'s> {
    /// What the entry can compute.
    pub entry: Entry<'s>,
    roots: &'s Roots,
    ready: FxHashMap<TermId, bool>,
    sums: FxHashMap<(TermId, u8), Rc<Sum>>,
}

impl<'s> Distances<'s> {
    /// Nothing is known yet.
    pub fn new(entry: Entry<'s>, roots: &'s Roots) -> Self {
        Distances {
            entry,
            roots,
            ready: FxHashMap::default(),
            sums: FxHashMap::default(),
        }
    }

    /// What the entry can test of the distance of two addresses.
    pub fn between(&mut self, terms: &mut Terms, from: TermId, to: TermId) -> Option<GapShape> {
        if let Some(shape) = self.modulo(terms, from, to, 64) {
            return Some(shape);
        }
        let mut widths: SmallVec<[u8; 4]> = SmallVec::new();
        for address in [from, to] {
            widths.extend(self.sum(terms, address, 64).widths(terms));
        }
        widths.sort_unstable_by_key(|&width| std::cmp::Reverse(width));
        widths.dedup();
        widths.truncate(MAX_WIDTHS);
        let narrow = |&width: &u8| self.modulo(terms, from, to, width);
        if let Some(shape) = widths.iter().find_map(narrow) {
            return Some(shape);
        }
        // The rules of terms may find what is left in bounds.
        let distance = terms.sub(to, from);
        widths.insert(0, 64);
        widths.into_iter().find_map(|width| {
            let mut sum = Sum::of(terms, distance, width);
            let is_rest = |one: &(TermId, u64)| !self.is_ready(terms, one.0);
            let rest: SmallVec<[(TermId, u64); 8]> =
                sum.atoms.iter().copied().filter(is_rest).collect();
            sum.atoms.retain(|one| !rest.contains(one));
            let rest = terms.sum(width, 0, &rest);
            let (least, greatest) = terms.signed_range(rest);
            self.shape(terms, &sum, (least.into(), greatest.into()))
        })
    }

    /// What it can test modulo 2 to a width.
    pub fn modulo(
        &mut self,
        terms: &mut Terms,
        from: TermId,
        to: TermId,
        width: u8,
    ) -> Option<GapShape> {
        let to = self.sum(terms, to, width);
        let mut distance = to.minus(&self.sum(terms, from, width));
        let mut rest = (0, 0);
        let mut tested = SmallVec::new();
        for &(atom, factor) in &distance.atoms {
            if self.is_ready(terms, atom) {
                tested.push((atom, factor));
                continue;
            }
            let (least, greatest) = terms.signed_range(atom);
            let factor = i128::from(signed(factor, width));
            let ends = [i128::from(least) * factor, i128::from(greatest) * factor];
            rest = (rest.0 + ends[0].min(ends[1]), rest.1 + ends[0].max(ends[1]));
            if rest.1 - rest.0 > MAX_SPREAD {
                return None;
            }
        }
        distance.atoms = tested;
        self.shape(terms, &distance, rest)
    }

    /// A sum of what can be tested, and a rest.
    fn shape(&self, terms: &mut Terms, sum: &Sum, rest: (i128, i128)) -> Option<GapShape> {
        let (width, mut reach) = (sum.width, 0);
        let mut pointers = Pointers::new();
        let mut strides: BTreeMap<Stride, (i64, i64)> = BTreeMap::new();
        for &(atom, factor) in &sum.atoms {
            let signed = signed(factor, width);
            if let Some(root) = self.roots.of(terms, atom) {
                pointers.push((root, signed));
                continue;
            }
            let (stride, range) = stride(terms, atom, factor, width)?;
            let largest = range.0.unsigned_abs().max(range.1.unsigned_abs());
            let reached = i128::from(largest) * i128::from(signed).abs();
            if reached > MAX_STRIDE && width == 64 && sum.atoms.len() > 1 {
                // A part of a pointer: a hull of several multiples of it would hold everything.
                pointers.push((atom, signed));
                continue;
            }
            reach += reached;
            let negated = signed.checked_neg()?;
            // Two atoms that are one number modulo the width.
            if strides.insert(stride, (negated, negated)).is_some() {
                return None;
            }
        }
        let alone = sum.atoms.len() == 1 && pointers.is_empty();
        // Places of one array are tested to be far enough from each other, and not too far.
        let far = reach > MAX_REACH && !alone;
        let nothing = pointers.is_empty() && !alone;
        if far || nothing || rest.1 - rest.0 > MAX_SPREAD {
            return None;
        }
        let mut gap = Gap {
            pointers,
            width,
            range: (0, 0),
            strides,
            reach: if alone { 0 } else { reach },
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

/// What all gaps of distances have in common that differ by constants.
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
    /// The range in which `from` bytes at one address meet `to` bytes that are at the distance and a constant of it; none if it is too
    /// far away.
    pub fn range(&self, constant: u64, (from, to): (u32, u32)) -> Option<(i128, i128)> {
        let constant = self.constant.wrapping_add(constant);
        let constant = i128::from(signed(constant, self.gap.width));
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

/// A number of so many bits as two's complement.
fn signed(bits: u64, width: u8) -> i64 {
    let above = 64 - u32::from(width);
    (bits << above) as i64 >> above
}

/// The number that stands for an atom with a factor, and its range. An extension of a number of at most 32 bits is that number
/// with its sign, where the factor makes no difference between the extensions.
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
    (width == 64).then(|| (atom, terms.signed_range(atom)))
}
