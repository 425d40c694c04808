//! Whether two accesses of one thread share a byte: by objects and state spaces, by bounds of their distance, and last by the
//! solver under path conditions.
//!
//! Addresses speak of one iteration of each loop. Where an access may be one of another iteration, the symbols of the loop are
//! renamed in its address: what then is proved holds for any two iterations.

use super::{Proof, Query, Reading, Solver, Verdict};
use crate::conditions::PathConditions;
use crate::domains::alias::{self, Assumptions, Bytes, Harmless};
use crate::domains::disjointness::Distances;
use crate::term::{Node, Symbol, TermId, Terms, Unary};
use crate::trace::Event;
use ptxasw_base::mutation::{Mutation, active};
use ptxasw_ir::analyses::Analyses;
use ptxasw_ir::function::BlockId;
use ptxasw_ir::loops::LoopId;
use rustc_hash::FxHashMap;

/// Pairs of accesses of one kernel that the solver is asked about.
const MAX_QUERIES: u32 = 8;

/// Terms that the walks of any function may go through.
const LEAST_STEPS: usize = 1 << 16;
/// Further terms that they may go through, for each term of the function: a dozen loops may be asked about all of them.
const STEPS_OF_TERM: usize = 12;

/// Path conditions, of the thread itself.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Under {
    /// No condition: the claim holds everywhere.
    Nothing,
    /// Those of the later access, which C3 calls the destination.
    Destination,
    /// Those of both, in one iteration.
    Both,
}

/// A proof over terms that two accesses share no byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Apart {
    /// The first one's address, with the symbols of other iterations renamed.
    pub address: TermId,
    /// How the claim is to be read.
    pub reading: Reading,
    /// Under which path conditions it holds.
    pub under: Under,
}

/// Why two accesses share no byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Disjoint {
    /// By what they access: objects, state spaces.
    Structure(Harmless),
    /// By their addresses: a claim over terms, which a certificate can state.
    Terms(Apart),
}

/// What the solver is asked: both accesses' bytes, the blocks whose conditions hold.
type Question = (TermId, u32, TermId, u32, BlockId, Option<BlockId>);

/// Proves for pairs of accesses of one function that they share no byte. It remembers what it was asked.
pub struct Separation<'a> {
    analyses: &'a Analyses,
    conditions: &'a PathConditions,
    /// Where symbols are defined.
    def_blocks: &'a FxHashMap<TermId, BlockId>,
    assumed: Assumptions,
    /// Bounds of distances between shapes of addresses.
    pub distances: Distances,
    walks: Walks,
    asked: FxHashMap<Question, Option<Reading>>,
    /// Whether the distance of two shapes of addresses takes every value in these blocks.
    anywhere: FxHashMap<(TermId, TermId, BlockId, Option<BlockId>), bool>,
}

/// What was found out by walks over terms, each of which goes through what no walk with the same question has been through.
#[derive(Default)]
struct Walks {
    /// Terms in other iterations of a loop: addresses, and all that they are made of.
    elsewhere: FxHashMap<LoopId, FxHashMap<TermId, TermId>>,
    /// Whether terms differ between the iterations of a loop.
    varies: FxHashMap<LoopId, FxHashMap<TermId, bool>>,
    /// Whether terms have a symbol as a part.
    mentions: FxHashMap<TermId, FxHashMap<TermId, bool>>,
    /// Terms that may still be gone through.
    left: usize,
}

/// Answers a question about a term, as long as there are steps left: one for each term for which `known` gets an answer.
fn limited<K, A>(
    left: &mut usize,
    known: &mut FxHashMap<TermId, K>,
    answer: impl FnOnce(&mut FxHashMap<TermId, K>) -> A,
) -> Option<A> {
    if *left == 0 {
        return None;
    }
    let before = known.len();
    let found = answer(known);
    *left = left.saturating_sub(known.len() - before);
    Some(found)
}

/// Whether a term is a symbol that is defined in a loop.
fn is_of_loop(
    analyses: &Analyses,
    def_blocks: &FxHashMap<TermId, BlockId>,
    term: TermId,
    id: LoopId,
) -> bool {
    let defined_in = def_blocks.get(&term);
    defined_in.is_some_and(|&block| analyses.loops.contains(id, block))
}

impl<'a> Separation<'a> {
    /// Nothing was asked yet.
    pub fn new(
        terms: &Terms,
        analyses: &'a Analyses,
        conditions: &'a PathConditions,
        def_blocks: &'a FxHashMap<TermId, BlockId>,
        assumed: Assumptions,
    ) -> Self {
        Separation {
            analyses,
            conditions,
            def_blocks,
            assumed,
            distances: Distances::default(),
            walks: Walks {
                left: LEAST_STEPS + STEPS_OF_TERM * terms.len(),
                ..Walks::default()
            },
            asked: FxHashMap::default(),
            anywhere: FxHashMap::default(),
        }
    }

    /// Why an access shares no byte with a later one, which is executed in block `here`; none if it may. `other`: the outermost
    /// loop of which the first may be in another iteration than the one that the later one's address speaks of.
    pub fn prove(
        &mut self,
        terms: &mut Terms,
        solver: &mut dyn Solver,
        event: &Event,
        other: Option<LoopId>,
        (bytes, here): (&Bytes, BlockId),
    ) -> Option<Disjoint> {
        let address = self.address(terms, event, other);
        let first = Bytes {
            address,
            ..event.bytes()
        };
        let proved = |address, reading, under| {
            Some(Disjoint::Terms(Apart {
                address,
                reading,
                under,
            }))
        };
        match alias::apart(terms, &mut self.distances, &first, bytes, self.assumed) {
            Some(Harmless::Distance) => proved(address?, Reading::Abstract, Under::Nothing),
            Some(how) => Some(Disjoint::Structure(how)),
            None => {
                let there = other.is_none().then_some(event.block);
                let (from, to) = alias::comparable(&first, bytes)?;
                let question = (from, first.count, to, bytes.count, here, there);
                let reading = self.ask(terms, solver, question)?;
                let under = match there {
                    Some(_) => Under::Both,
                    None => Under::Destination,
                };
                proved(address?, reading, under)
            }
        }
    }

    /// The address of an access, in another iteration of a loop if one is named.
    pub fn address(
        &mut self,
        terms: &mut Terms,
        event: &Event,
        other: Option<LoopId>,
    ) -> Option<TermId> {
        match (event.address, other) {
            (Some(address), Some(id)) => self.in_other_iteration(terms, address, id),
            (address, _) => address,
        }
    }

    /// Whether a term has the same value in all iterations of a loop; none where that took too many steps.
    pub fn is_invariant(&mut self, terms: &Terms, term: TermId, id: LoopId) -> Option<bool> {
        let (analyses, def_blocks) = (self.analyses, self.def_blocks);
        let varies = self.walks.varies.entry(id).or_default();
        let left = &mut self.walks.left;
        let found = limited(left, varies, |known| {
            terms.any_part(term, known, |part| {
                is_of_loop(analyses, def_blocks, part, id)
            })
        });
        found.map(|varies| !varies)
    }

    /// The address that an access may have in another iteration of a loop: symbols of the loop are others. None where that took too
    /// many steps.
    fn in_other_iteration(
        &mut self,
        terms: &mut Terms,
        address: TermId,
        id: LoopId,
    ) -> Option<TermId> {
        if active(Mutation::IterationsAlike) || self.is_invariant(terms, address, id)? {
            return Some(address);
        }
        let (analyses, def_blocks) = (self.analyses, self.def_blocks);
        let elsewhere = self.walks.elsewhere.entry(id).or_default();
        limited(&mut self.walks.left, elsewhere, |done| {
            terms.replace_symbols(address, done, |terms, part| {
                let &Node::Symbol(symbol) = terms.node(part) else {
                    return None;
                };
                is_of_loop(analyses, def_blocks, part, id).then(|| {
                    let own = terms.symbol_data(symbol);
                    // No name of a parameter has a dot.
                    let other = Symbol {
                        name: format!("{}.in-other-iteration", own.name),
                        ..own.clone()
                    };
                    terms.symbol(other)
                })
            })
        })
    }

    /// Whether the distance of two addresses takes every value; constants in them make no difference.
    fn may_be_anywhere(
        &mut self,
        terms: &mut Terms,
        (from, to): (TermId, TermId),
        (here, there): (BlockId, Option<BlockId>),
    ) -> bool {
        let [(from, _), (to, _)] = [from, to].map(|one| self.distances.shape(terms, one));
        if let Some(&known) = self.anywhere.get(&(from, to, here, there)) {
            return known;
        }
        let distance = terms.sub(to, from);
        let found = self.is_anything(terms, distance, [Some(here), there]);
        self.anywhere.insert((from, to, here, there), found);
        found
    }

    /// Whether a distance is every number for some values of its symbols, whatever the others are: then no question has an answer.
    ///
    /// Numbers of `w` bits, each a symbol that occurs nowhere else, times an odd number and 2 to `k`, bring every sum whose lower `k`
    /// bits are right to one whose lower `k + w` bits are: a pointer that is put together from two halves is such a sum.
    fn is_anything(
        &mut self,
        terms: &Terms,
        distance: TermId,
        blocks: [Option<BlockId>; 2],
    ) -> bool {
        let (_, atoms) = terms.affine(distance);
        let mut numbers: Vec<Number> = Vec::new();
        for &(atom, factor) in &atoms {
            let symbol = match *terms.node(atom) {
                Node::Unary(Unary::Zext | Unary::Sext, inner) => inner,
                _ => atom,
            };
            let width = terms.width(symbol);
            let (least, most) = terms.signed_range(atom);
            let full = most.abs_diff(least) == u64::MAX >> (64 - width);
            if full && matches!(terms.node(symbol), Node::Symbol(_)) {
                numbers.push((factor, width, symbol));
            }
        }
        let Some(free) = every_sum(numbers) else {
            return false;
        };
        let mut free = free.into_iter().map(|(_, _, symbol)| {
            let mut count = 0;
            for &(atom, _) in &atoms {
                count += usize::from(self.mentions(terms, atom, symbol)?);
            }
            let mut bound = false;
            for fact in blocks
                .into_iter()
                .flatten()
                .flat_map(|block| self.conditions.of_block(block))
            {
                bound |= self.mentions(terms, fact, symbol)?;
            }
            Some(count == 1 && !bound)
        });
        // What takes too many steps is not asked.
        free.all(|one| one.unwrap_or(true))
    }

    /// Whether a symbol is a part of a term; none where that took too many steps.
    fn mentions(&mut self, terms: &Terms, term: TermId, symbol: TermId) -> Option<bool> {
        let mentions = self.walks.mentions.entry(symbol).or_default();
        limited(&mut self.walks.left, mentions, |known| {
            terms.any_part(term, known, |part| part == symbol)
        })
    }

    /// Asks the solver whether two accesses share no byte, under the path conditions of the thread.
    fn ask(
        &mut self,
        terms: &mut Terms,
        solver: &mut dyn Solver,
        question: Question,
    ) -> Option<Reading> {
        if let Some(&known) = self.asked.get(&question) {
            return known;
        }
        let (from, bytes, to, other_bytes, here, there) = question;
        if self.asked.len() >= MAX_QUERIES as usize || self.distances.is_unbounded(terms, from, to)
        {
            return None;
        }
        if self.may_be_anywhere(terms, (from, to), (here, there)) {
            return None;
        }
        let distance = terms.sub(to, from);
        let mut hypotheses: Vec<TermId> = self.conditions.of_block(here).collect();
        for fact in there.into_iter().flat_map(|b| self.conditions.of_block(b)) {
            if !hypotheses.contains(&fact) {
                hypotheses.push(fact);
            }
        }
        let backward = terms.neg(distance);
        let bytes = terms.constant(64, u64::from(bytes));
        let other_bytes = terms.constant(64, u64::from(other_bytes));
        let begins_inside = terms.less(false, distance, bytes);
        let ends_inside = terms.less(false, backward, other_bytes);
        let overlap = terms.or(begins_inside, ends_inside);
        let query = Query {
            name: format!("C3 of blocks {here} and {there:?}"),
            hypotheses,
            goal: terms.not(overlap),
        };
        let reading = match solver.prove(terms, &query) {
            Verdict::Proved(Proof::Solver(reading)) => Some(reading),
            Verdict::Proved(Proof::Algebra) => Some(Reading::Abstract),
            _ => None,
        };
        self.asked.insert(question, reading);
        reading
    }
}

/// A factor, and a number of so many bits with a name.
type Number = (u64, u8, TermId);

/// Those of some numbers times their factors whose sums are all numbers of 64 bits; none if there are sums that they do not have.
fn every_sum(mut numbers: Vec<Number>) -> Option<Vec<Number>> {
    numbers
        .sort_unstable_by_key(|&(factor, width, symbol)| (factor.trailing_zeros(), width, symbol));
    let mut right = 0;
    let mut chosen = Vec::new();
    for number in numbers {
        let (low, width) = (number.0.trailing_zeros(), u32::from(number.1));
        if low <= right && low + width > right {
            right = low + width;
            chosen.push(number);
        }
    }
    (right >= u64::BITS).then_some(chosen)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The inverse of an odd number modulo 2^64, by Newton's iteration.
    fn inverse(odd: u64) -> u64 {
        (0..6).fold(odd, |x, _| {
            x.wrapping_mul(2_u64.wrapping_sub(odd.wrapping_mul(x)))
        })
    }

    fn number() -> impl Strategy<Value = (u64, u8)> {
        let width = prop_oneof![Just(16_u8), Just(32), Just(64)];
        (any::<u64>(), 0_u32..50, width).prop_map(|(odd, low, width)| ((odd | 1) << low, width))
    }

    proptest! {
        /// Bit by bit, the numbers can be chosen so that the sum is what is asked for.
        #[test]
        fn every_sum_is_one(all in prop::collection::vec(number(), 1..7), wanted: u64) {
            let mut terms = Terms::new();
            let name = terms.constant(64, 0);
            let numbers = all.into_iter().map(|(factor, width)| (factor, width, name));
            if let Some(chosen) = every_sum(numbers.collect()) {
                let mut rest = wanted;
                for (factor, width, _) in chosen {
                    let low = factor.trailing_zeros();
                    prop_assert_eq!(rest.trailing_zeros().min(low), low);
                    let value = (rest >> low).wrapping_mul(inverse(factor >> low));
                    let value = value & u64::MAX >> (64 - width);
                    rest = rest.wrapping_sub(value.wrapping_mul(factor));
                }
                prop_assert_eq!(rest, 0);
            }
        }
    }

    #[test]
    fn halves_of_a_pointer_are_every_sum_and_one_half_is_not() {
        let mut terms = Terms::new();
        let [lower, upper] = [1, 2].map(|name| terms.constant(64, name));
        let halves = [(1, 32, lower), (1 << 32, 32, upper)];
        assert!(every_sum(halves.to_vec()).is_some());
        assert!(halves.iter().all(|&half| every_sum(vec![half]).is_none()));
        assert!(every_sum(vec![(2, 32, lower), (1 << 32, 32, upper)]).is_none());
    }
}
