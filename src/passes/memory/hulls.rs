//! What a loop's counter, or a thread's place in its block, adds to a distance: an extent that the entry computes.
//!
//! A distance has parts `factor * n * v` with a number `v` from 0 to a greatest, and a product `n` of numbers that the entry can compute. As an
//! integer each is between 0 and `factor * extent`, with an extent that is `n` times the greatest `v`. A part of `v` that is a multiple of the
//! step of the number that the loop tests needs no product and no division: what that number gets away from its first value is the extent.

use super::entry::Entry;
use super::exits::{Loops, Place, times_counter};
use super::ranges::{Advance, Conditions, within};
use ptxasw_emulator::symbols;
use ptxasw_emulator::term::{Node, TermId, Terms, Unary, signed};
use ptxasw_ir::types::Special;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::collections::{BTreeMap, BTreeSet};

/// Largest factor of an extent.
const MAX_FACTOR: u64 = 1 << 12;
/// The greatest number that is taken for a place.
const MAX_PLACE: i64 = 1 << 16;
/// Products of what the entry computes are tested to be no more than 2 to this, of either sign: times a range of less than 2^33 no bit of them is lost.
const PRODUCT_BITS: u8 = 30;
/// Extents are tested to be no more than 2 to this, of either sign.
const EXTENT_BITS: u8 = 40;

/// Extents with the range of their factors in a distance.
pub type Extents = BTreeMap<TermId, (i64, i64)>;

/// Extents of the distances of a function.
pub struct Hulls<'s> {
    /// What is known of the loops.
    pub loops: Loops<'s>,
    advances: FxHashMap<(TermId, Place), Vec<Advance>>,
    /// Under which conditions extents are what they are taken for.
    under: FxHashMap<TermId, BTreeSet<TermId>>,
}

/// A part of a distance that is a multiple of a number.
#[derive(Clone)]
struct Multiple {
    factor: u64,
    /// Numbers that the entry can compute, whose product it is a multiple of.
    others: SmallVec<[TermId; 4]>,
}

impl<'s> Hulls<'s> {
    /// Those of these loops, each made when a distance asks for it.
    pub fn new(loops: Loops<'s>) -> Self {
        Hulls {
            loops,
            advances: FxHashMap::default(),
            under: FxHashMap::default(),
        }
    }

    /// The conditions under which a term is an extent; none if it is none.
    pub fn under(&self, extent: TermId) -> Option<&BTreeSet<TermId>> {
        self.under.get(&extent)
    }

    /// The extents of parts of a distance modulo 2 to a width; none if one of them has none.
    pub fn extents(
        &mut self,
        terms: &mut Terms,
        entry: &Entry,
        (width, at): (u8, Place),
        parts: &[(TermId, u64)],
    ) -> Option<Extents> {
        let mut by_counter: BTreeMap<TermId, Vec<Multiple>> = BTreeMap::new();
        let mut extents = Extents::new();
        for &(atom, factor) in parts {
            let product = dissolved(terms, atom, factor, width)?;
            if let Some((counter, others)) = self.of_counter(terms, product) {
                let ready = others
                    .iter()
                    .all(|&other| entry.ready(terms, other).is_some());
                let multiple = Multiple { factor, others };
                let multiple = ready.then_some(multiple)?;
                by_counter.entry(counter).or_default().push(multiple);
            } else {
                let (place, others) = place_of(terms, entry, product)?;
                let greatest = self.greatest(terms, entry, place);
                let multiple = Multiple { factor, others };
                self.add(
                    terms,
                    entry,
                    &mut extents,
                    (width, &multiple, 1, greatest),
                    &[],
                )?;
            }
        }
        for (counter, multiples) in by_counter {
            let of = (counter, at);
            self.of_loop(terms, entry, &mut extents, (of, width, &multiples))?;
        }
        Some(extents)
    }

    /// The counter that a product is a multiple of, and its other factors.
    fn of_counter(
        &self,
        terms: &Terms,
        product: TermId,
    ) -> Option<(TermId, SmallVec<[TermId; 4]>)> {
        let mut parts: SmallVec<[TermId; 8]> = SmallVec::new();
        match terms.node(product) {
            Node::Product(factors) => parts.extend(factors.iter().copied()),
            _ => parts.push(product),
        }
        parts.into_iter().find_map(|part| {
            let whole = match *terms.node(part) {
                Node::Unary(Unary::Extract(0), whole) => whole,
                _ => part,
            };
            let is_counter = self.loops.counters.contains_key(&whole);
            is_counter
                .then(|| times_counter(terms, product, whole).map(|others| (whole, others)))?
        })
    }

    /// Adds the extents of multiples of a loop's counter.
    fn of_loop(
        &mut self,
        terms: &mut Terms,
        entry: &Entry,
        extents: &mut Extents,
        (of, width, multiples): ((TermId, Place), u8, &[Multiple]),
    ) -> Option<()> {
        if !self.advances.contains_key(&of) {
            let ready = |terms: &Terms, term| entry.computable(terms, term).is_some();
            let found = self.loops.advances(terms, &ready, of);
            self.advances.insert(of, found);
        }
        let advances = self.advances.get(&of)?.clone();
        for advance in &advances {
            let mut found = extents.clone();
            if self
                .by_advance(terms, entry, &mut found, (advance, width, multiples))
                .is_some()
            {
                *extents = found;
                return Some(());
            }
        }
        None
    }

    fn by_advance(
        &mut self,
        terms: &mut Terms,
        entry: &Entry,
        extents: &mut Extents,
        (advance, width, multiples): (&Advance, u8, &[Multiple]),
    ) -> Option<()> {
        if let Some(times) = steps(terms, advance, width, multiples) {
            let factor = match advance.down {
                false => times,
                true => times.checked_neg()?,
            };
            self.note(advance.most, &advance.conditions);
            return insert(extents, advance.most, factor);
        }
        let step = signed(terms.width(advance.step), terms.as_const(advance.step)?);
        for multiple in multiples {
            let of = (width, multiple, step.unsigned_abs(), advance.most);
            self.add(terms, entry, extents, of, &advance.conditions)?;
        }
        Some(())
    }

    /// Adds the extent of a multiple of a number that gets no further than `most / step`.
    fn add(
        &mut self,
        terms: &mut Terms,
        entry: &Entry,
        extents: &mut Extents,
        (width, multiple, step, most): (u8, &Multiple, u64, TermId),
        conditions: &[TermId],
    ) -> Option<()> {
        let factor = signed(width, multiple.factor);
        let times = factor.unsigned_abs().div_ceil(step.max(1));
        let times = i64::try_from(times).ok()? * factor.signum();
        let mut under: Conditions = conditions.iter().copied().collect();
        let (mut extent, mut product) = (most, None);
        if !multiple.others.is_empty() {
            for &other in &multiple.others {
                let other = terms.sext(other, 64);
                product = Some(match product {
                    None => other,
                    Some(product) => terms.mul(product, other),
                });
            }
            let product = product?;
            within(terms, product, either(PRODUCT_BITS), &mut under);
            extent = terms.mul(most, product);
            within(terms, extent, either(EXTENT_BITS), &mut under);
        }
        let (truth, lie) = (terms.boolean(true), terms.boolean(false));
        under.retain(|condition| *condition != truth);
        let computable = entry.computable(terms, extent).is_some()
            && under
                .iter()
                .all(|&one| entry.computable(terms, one).is_some());
        if !computable || under.contains(&lie) {
            return None;
        }
        self.note(extent, &under);
        insert(extents, extent, times)
    }

    fn note(&mut self, extent: TermId, conditions: &[TermId]) {
        self.under.entry(extent).or_default().extend(conditions);
    }

    /// The greatest that a place can be.
    fn greatest(&self, terms: &mut Terms, entry: &Entry, place: TermId) -> TermId {
        let lane = match *terms.node(place) {
            Node::Unary(Unary::Zext, inner) => inner,
            _ => place,
        };
        for axis in 0..3 {
            let function = self.loops.function;
            if symbols::special(terms, function, Special::Tid(axis), 32) == lane {
                let threads = symbols::special(terms, function, Special::Ntid(axis), 64);
                if entry.computable(terms, threads).is_some() {
                    return terms.offset(threads, u64::MAX);
                }
            }
        }
        let greatest = terms.signed_range(place).1;
        terms.constant(64, greatest as u64)
    }
}

/// Numbers of either sign.
fn either(bits: u8) -> (i128, i128) {
    (-(1 << bits), 1 << bits)
}

/// What an atom is congruent to, times its factor, modulo 2 to a width: without an extension whose bits the factor shifts out.
fn dissolved(terms: &Terms, atom: TermId, factor: u64, width: u8) -> Option<TermId> {
    let Node::Unary(Unary::Zext | Unary::Sext, inner) = *terms.node(atom) else {
        return Some(atom);
    };
    let bits = u32::from(terms.width(inner)) + factor.trailing_zeros();
    (bits >= u32::from(width)).then_some(inner)
}

/// A factor of a product with a known range from 0 on, and the other factors, which the entry can compute.
fn place_of(
    terms: &Terms,
    entry: &Entry,
    product: TermId,
) -> Option<(TermId, SmallVec<[TermId; 4]>)> {
    let Node::Product(factors) = terms.node(product) else {
        return None;
    };
    let mut others: SmallVec<[TermId; 4]> = factors.iter().copied().collect();
    let mut own = (0..others.len()).filter(|&at| entry.ready(terms, others[at]).is_none());
    let (Some(at), None) = (own.next(), own.next()) else {
        return None;
    };
    drop(own);
    let place = others.remove(at);
    let (least, greatest) = terms.signed_range(place);
    (least >= 0 && greatest <= MAX_PLACE).then_some((place, others))
}

/// How many steps of the tested number some multiples of the counter are together, modulo 2 to a width.
fn steps(terms: &mut Terms, advance: &Advance, width: u8, multiples: &[Multiple]) -> Option<i64> {
    let mut sum = terms.constant(width, 0);
    for multiple in multiples {
        let mut product: Option<TermId> = None;
        for &other in &multiple.others {
            product = Some(match product {
                None => other,
                Some(product) => terms.mul(product, other),
            });
        }
        let part = match product {
            None => terms.constant(width, multiple.factor),
            Some(product) => {
                let wide = terms.zext(product, width);
                terms.scale(wide, multiple.factor)
            }
        };
        sum = terms.add(sum, part);
    }
    let own = terms.width(advance.step);
    let (constant, atoms) = terms.affine(advance.step);
    let whole = terms.sext(advance.step, width);
    let factors = atoms.iter().map(|one| one.1).chain([constant, 1]);
    let factors: SmallVec<[i64; 4]> = factors.map(|factor| signed(own, factor)).collect();
    let of = signed(width, multiples.first()?.factor);
    factors
        .into_iter()
        .filter(|&factor| factor != 0)
        .find_map(|factor| {
            let times = of.checked_div(factor)?;
            (terms.scale(whole, times as u64) == sum).then_some(times)
        })
}

/// Adds an extent: what is added to the distance is between 0 and its multiple.
fn insert(extents: &mut Extents, extent: TermId, factor: i64) -> Option<()> {
    let known = extents.entry(extent).or_insert((0, 0));
    known.0 += factor.min(0);
    known.1 += factor.max(0);
    let largest = known.0.unsigned_abs().max(known.1.unsigned_abs());
    (largest <= MAX_FACTOR).then_some(())
}
