//! What is tested once at the kernel's entry: that accesses share no byte, that addresses are aligned, and that pointers are
//! of global memory.
//!
//! Tests of the same two pointers become one, of all distances at which some pair of bytes meets (their hull).

use super::distances::{GapShape, TestableDistances};
use super::entry::{Entry, Roots, Writing};
use super::exits::{Loops, Place};
use super::gaps::{Gap, GapKey, hull};
use crate::Tested;
use indexmap::IndexSet;
use ptxasw_base::mutation::{Mutation, active};
use ptxasw_emulator::domains::alias::{self, Bytes};
use ptxasw_emulator::domains::disjointness::Distances;
use ptxasw_emulator::term::{TermId, Terms};
use ptxasw_ir::function::BlockId;
use ptxasw_ir::op::Op;
use ptxasw_ir::patch::{Cursor, Ref};
use ptxasw_ir::types::Space;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::collections::{BTreeMap, BTreeSet};

/// Two accesses that may share bytes: a number in [`Checks`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct GapId(u32);

/// Pairs of accesses of one test that are stated.
const MAX_STATED: usize = 128;

/// That a sum is zero modulo 2 to its width.
pub type Aligned = TermId;

/// The shapes of the addresses of two accesses.
pub type Between = (TermId, TermId);

/// Two accesses: the shapes of their addresses, what is added to the distance of those, and the bytes of both.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Pair {
    between: Between,
    constant: u64,
    bytes: (u32, u32),
    at: Place,
}

/// A number in [`Checks::shapes`].
type ShapeId = u32;

/// A pair whose bytes overlap where the distance is in a range.
#[derive(Clone, Copy)]
struct Overlap {
    pair: Pair,
    shape: ShapeId,
    range: (i128, i128),
}

/// Tests that decisions may rest on.
pub struct Checks<'s> {
    /// What can be tested of distances.
    pub distances: TestableDistances<'s>,
    shapes: IndexSet<GapShape, FxBuildHasher>,
    between: FxHashMap<(Between, Place), Option<ShapeId>>,
    overlaps: Vec<Overlap>,
    known: FxHashMap<Pair, Option<GapId>>,
}

/// What one test shows, as a claim: where it holds, so many bytes share none with others at a distance.
#[derive(Clone, Copy, Debug)]
pub struct TestedPair {
    /// The test, one bit.
    pub test: TermId,
    /// From the first bytes to the others, modulo 2 to its width: who meets there at no distance meets nowhere.
    pub distance: TermId,
    /// How many there are of each.
    pub bytes: (u32, u32),
}

/// All tests of a kernel.
#[derive(Clone, Debug, Default)]
pub struct Tests {
    gaps: Vec<Gap>,
    aligned: BTreeSet<Aligned>,
    /// Generic pointers that must be of global memory.
    global: BTreeSet<TermId>,
    /// What must hold of loops for the gaps to be what they are.
    loops: BTreeSet<TermId>,
    /// Operations of all that.
    bounds: usize,
    /// The pairs that the gaps are of, each with the index of its gap.
    pairs: Vec<(Pair, usize)>,
}

impl<'s> Checks<'s> {
    /// Nothing is tested yet.
    pub fn new(entry: Entry<'s>, roots: &'s Roots, loops: Loops<'s>) -> Self {
        Checks {
            distances: TestableDistances::new(entry, roots, loops),
            shapes: IndexSet::default(),
            between: FxHashMap::default(),
            overlaps: Vec::new(),
            known: FxHashMap::default(),
        }
    }

    /// What must be tested for two accesses to share no byte, where both of two blocks are executed in one iteration; none if nothing that the
    /// entry can test shows it.
    pub fn apart(
        &mut self,
        terms: &mut Terms,
        shapes: &mut Distances,
        (first, second): (&Bytes, &Bytes),
        (one, other): (BlockId, BlockId),
    ) -> Option<GapId> {
        let (from, to) = alias::comparable(first, second)?;
        if first.counted_in != Space::Global {
            return None;
        }
        let (from, to) = (shapes.shape(terms, from), shapes.shape(terms, to));
        let pair = Pair {
            between: (from.0, to.0),
            constant: to.1.wrapping_sub(from.1),
            bytes: (first.count, second.count),
            at: self.distances.hulls.loops.place(one, other),
        };
        if let Some(&known) = self.known.get(&pair) {
            return known;
        }
        let found = self.overlap(terms, pair);
        self.known.insert(pair, found);
        found
    }

    fn overlap(&mut self, terms: &mut Terms, pair: Pair) -> Option<GapId> {
        let Checks {
            distances, shapes, ..
        } = self;
        let known = self.between.entry((pair.between, pair.at));
        let shape = known.or_insert_with(|| {
            let found = distances.between(terms, pair.between, pair.at)?;
            Some(shapes.insert_full(found).0 as ShapeId)
        });
        let shape = (*shape)?;
        let range = shapes[shape as usize].range(pair.constant, pair.bytes)?;
        self.overlaps.push(Overlap { pair, shape, range });
        Some(GapId(self.overlaps.len() as u32 - 1))
    }

    /// The tests that decisions rest on; none if a sum of one could wrap.
    pub fn tests(
        &mut self,
        terms: &mut Terms,
        gaps: &BTreeSet<GapId>,
        aligned: BTreeSet<Aligned>,
        global: BTreeSet<TermId>,
    ) -> Option<Tests> {
        let groups = self.groups(terms, gaps);
        let mut hulls: BTreeMap<(GapKey, u8), (Gap, Vec<Pair>)> = BTreeMap::new();
        for (shape, group) in groups {
            let gap = self.shapes[shape as usize].with(group.range);
            match hulls.get_mut(&(gap.key(), gap.width)) {
                Some((hull, pairs)) => {
                    hull.join(&gap);
                    pairs.extend(group.pairs);
                }
                None => {
                    hulls.insert((gap.key(), gap.width), (gap, group.pairs));
                }
            }
        }
        let (gaps, pairs): (Vec<Gap>, Vec<Vec<Pair>>) = hulls.into_values().unzip();
        let pairs = pairs.into_iter().enumerate();
        let pairs = pairs.flat_map(|(gap, of)| of.into_iter().map(move |pair| (pair, gap)));
        let bounded = gaps.iter().all(Gap::is_bounded);
        let hulls = &self.distances.hulls;
        let of_extents = |gap: &Gap| gap.strides.keys().copied().collect::<Vec<TermId>>();
        let extents: BTreeSet<TermId> = gaps.iter().flat_map(of_extents).collect();
        let extents: Vec<TermId> = extents
            .into_iter()
            .filter(|&one| hulls.under(one).is_some())
            .collect();
        let conditions = extents.iter().filter_map(|&one| hulls.under(one));
        let conditions: BTreeSet<TermId> = conditions.flatten().copied().collect();
        let roots: Vec<TermId> = extents.iter().chain(&conditions).copied().collect();
        bounded.then_some(Tests {
            bounds: terms.reachable(&roots).len(),
            loops: conditions,
            pairs: pairs.collect(),
            gaps,
            aligned,
            global,
        })
    }

    /// Pairs by the shapes of their gaps. Gaps with the same key are taken modulo the narrowest width of them, so that one test serves
    /// all.
    fn groups(&mut self, terms: &mut Terms, gaps: &BTreeSet<GapId>) -> BTreeMap<ShapeId, Group> {
        let all = || gaps.iter().map(|id| id.0 as usize);
        let of: BTreeSet<ShapeId> = all().map(|id| self.overlaps[id].shape).collect();
        let gap = |shape: ShapeId| self.shapes[shape as usize].gap();
        let mut narrowest: BTreeMap<GapKey, u8> = BTreeMap::new();
        for &shape in &of {
            let width = narrowest.entry(gap(shape).key()).or_insert(64);
            *width = gap(shape).width.min(*width);
        }
        let narrower = of.into_iter().map(|shape| {
            let width = narrowest[&gap(shape).key()];
            (shape, (width < gap(shape).width).then_some(width))
        });
        let narrower: FxHashMap<ShapeId, Option<u8>> = narrower.collect();
        let mut groups: BTreeMap<ShapeId, Group> = BTreeMap::new();
        for id in all() {
            let Overlap { pair, shape, range } = self.overlaps[id];
            let narrow = narrower[&shape].and_then(|width| self.narrow(terms, &pair, width));
            let (shape, range) = narrow.unwrap_or((shape, range));
            let pairs = Vec::new();
            let group = groups.entry(shape).or_insert(Group { range, pairs });
            group.range = hull(group.range, range);
            group.pairs.push(pair);
        }
        groups
    }

    /// The gap of a pair modulo 2 to a width.
    fn narrow(
        &mut self,
        terms: &mut Terms,
        pair: &Pair,
        width: u8,
    ) -> Option<(ShapeId, (i128, i128))> {
        let shape = self.distances.modulo(terms, pair.between, pair.at, width)?;
        let range = shape.range(pair.constant, pair.bytes)?;
        Some((self.shapes.insert_full(shape).0 as ShapeId, range))
    }
}

/// Pairs whose gaps have one shape, and the hull of the ranges in which they overlap.
struct Group {
    range: (i128, i128),
    pairs: Vec<Pair>,
}

impl Tests {
    /// Nothing is tested.
    pub fn is_empty(&self) -> bool {
        self.gaps.is_empty() && self.aligned.is_empty() && self.global.is_empty()
    }

    /// Whether some of them are of what loops do.
    pub fn over_loops(&self) -> bool {
        self.gaps.iter().any(|gap| gap.over_loops)
    }

    /// The kinds of tests.
    pub fn kinds(&self) -> Tested {
        Tested {
            disjoint: !self.gaps.is_empty(),
            aligned: !self.aligned.is_empty(),
            global: !self.global.is_empty(),
            lanes: false,
        }
    }

    /// What pairs of accesses rest on, as far as [`Gap::holds`] states it, and there are not too many of them.
    pub fn shown(&self, terms: &mut Terms) -> Vec<TestedPair> {
        let mut pairs = vec![0; self.gaps.len()];
        for &(_, gap) in &self.pairs {
            pairs[gap] += 1;
        }
        let gaps = self.gaps.iter().zip(pairs);
        let stated = gaps.map(|(gap, pairs)| gap.holds(terms).filter(|_| pairs <= MAX_STATED));
        let tests: Vec<Option<TermId>> = stated.collect();
        let shown = self.pairs.iter().filter_map(|&(pair, gap)| {
            let test = tests[gap]?;
            let (from, to) = pair.between;
            let distance = terms.sub(to, from);
            let distance = terms.offset(distance, pair.constant);
            Some(TestedPair {
                test,
                distance: terms.truncate(distance, self.gaps[gap].width),
                bytes: pair.bytes,
            })
        });
        shown.collect()
    }

    /// Instructions that the tests take, roughly.
    pub fn cost(&self) -> usize {
        let gaps = self.gaps.iter().map(Gap::cost);
        let aligned = match self.aligned.len() {
            0 => 0,
            tests => 2 + tests,
        };
        gaps.sum::<usize>() + aligned + 2 * self.global.len() + self.bounds
    }

    /// After how many instructions of the entry block all tested values are available.
    pub fn ready(&self, checks: &Checks, terms: &Terms) -> Option<usize> {
        let all = self.gaps.iter().flat_map(Gap::terms);
        let all = all.chain(self.aligned.iter().chain(&self.global).copied());
        let all = all.chain(self.loops.iter().copied());
        let ready = all.map(|term| checks.distances.entry.computable(terms, term));
        ready.collect::<Option<Vec<usize>>>()?.into_iter().max()
    }

    /// One bit: all tests hold. None if there is none.
    pub fn write(
        &self,
        checks: &Checks,
        terms: &Terms,
        at: &mut Cursor,
        hold: bool,
    ) -> Option<Ref> {
        // Bounds of loops have much in common.
        let at = &mut Writing::new(at, self.over_loops());
        let mut all = self.write_aligned(checks, terms, at);
        if !self.aligned.is_empty() && all.is_none() {
            return None;
        }
        if active(Mutation::AlignmentIgnored) {
            all = Some(at.equal(64, Ref::Constant(64, 0), Ref::Constant(64, 0)));
        }
        for gap in &self.gaps {
            let one = gap.write(&checks.distances.entry, terms, at)?;
            all = Some(both(all, one, at));
        }
        for &condition in &self.loops {
            let one = checks.distances.entry.holds(terms, condition, at)?;
            all = Some(both(all, one, at));
        }
        for &pointer in &self.global {
            let address = checks.distances.entry.write(terms, pointer, at)?;
            let space = Space::Global;
            let one = at.single(Op::IsSpace { space }, &[address]);
            all = Some(both(all, one, at));
        }
        match active(Mutation::CheckIgnored) || hold {
            true => Some(at.equal(64, Ref::Constant(64, 0), Ref::Constant(64, 0))),
            false => all,
        }
    }

    /// True where all sums are aligned.
    fn write_aligned(&self, checks: &Checks, terms: &Terms, at: &mut Writing) -> Option<Ref> {
        let width = 64;
        let mut by_bits: BTreeMap<u8, Ref> = BTreeMap::new();
        for &term in &self.aligned {
            let one = checks.distances.entry.write(terms, term, at)?;
            let bits = terms.width(term);
            let all = match by_bits.get(&bits) {
                None => one,
                Some(&all) => at.single(Op::Or { width }, &[all, one]),
            };
            by_bits.insert(bits, all);
        }
        let mut low = None;
        for (bits, all) in by_bits {
            let mask = Ref::Constant(64, (1 << bits) - 1);
            let one = at.single(Op::And { width }, &[all, mask]);
            low = Some(match low {
                None => one,
                Some(low) => at.single(Op::Or { width }, &[low, one]),
            });
        }
        low.map(|low| at.equal(64, low, Ref::Constant(64, 0)))
    }
}

/// One bit: both hold.
fn both(all: Option<Ref>, one: Ref, at: &mut Cursor) -> Ref {
    match all {
        None => one,
        Some(all) => at.single(Op::And { width: 1 }, &[all, one]),
    }
}
