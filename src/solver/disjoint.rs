//! Whether two accesses of one thread share a byte: by objects and state spaces, by bounds of their distance, and last by the
//! solver under path conditions.
//!
//! Addresses speak of one iteration of each loop. Where an access may be one of another iteration, the symbols of the loop are
//! renamed in its address: what then is proved holds for any two iterations.

use super::{Proof, Query, Reading, Solver, Verdict};
use crate::emulator::alias::{self, Assumptions, Bytes, Harmless};
use crate::emulator::conditions::PathConditions;
use crate::emulator::distance::Distances;
use crate::emulator::term::{Node, Symbol, TermId, Terms};
use crate::emulator::trace::Event;
use crate::ir::analyses::Analyses;
use crate::ir::function::BlockId;
use crate::ir::loops::LoopId;
use crate::mutation::{Mutation, active};
use rustc_hash::FxHashMap;

/// Pairs of accesses of one kernel that the solver is asked about.
const MAX_QUERIES: u32 = 8;

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
    homes: &'a FxHashMap<TermId, BlockId>,
    assumed: Assumptions,
    /// Bounds of distances between shapes of addresses.
    pub distances: Distances,
    /// Addresses in other iterations of a loop.
    elsewhere: FxHashMap<(TermId, LoopId), TermId>,
    asked: FxHashMap<Question, Option<Reading>>,
}

impl<'a> Separation<'a> {
    /// Nothing was asked yet.
    pub fn new(
        analyses: &'a Analyses,
        conditions: &'a PathConditions,
        homes: &'a FxHashMap<TermId, BlockId>,
        assumed: Assumptions,
    ) -> Self {
        Separation {
            analyses,
            conditions,
            homes,
            assumed,
            distances: Distances::default(),
            elsewhere: FxHashMap::default(),
            asked: FxHashMap::default(),
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
            (Some(address), Some(id)) => Some(self.in_other_iteration(terms, address, id)),
            (address, _) => address,
        }
    }

    /// Whether a term has the same value in all iterations of a loop.
    pub fn is_invariant(&self, terms: &Terms, term: TermId, id: LoopId) -> bool {
        let parts = terms.reachable(&[term]).into_iter();
        !parts
            .filter_map(|part| self.homes.get(&part))
            .any(|&block| self.analyses.loops.contains(id, block))
    }

    /// The address that an access may have in another iteration of a loop: symbols of the loop are others.
    fn in_other_iteration(&mut self, terms: &mut Terms, address: TermId, id: LoopId) -> TermId {
        if active(Mutation::IterationsAlike) {
            return address;
        }
        if let Some(&known) = self.elsewhere.get(&(address, id)) {
            return known;
        }
        let mut renamed = FxHashMap::default();
        for part in terms.reachable(&[address]) {
            let Node::Symbol(symbol) = *terms.node(part) else {
                continue;
            };
            let varies = self
                .homes
                .get(&part)
                .is_some_and(|&block| self.analyses.loops.contains(id, block));
            if varies {
                let own = terms.symbol_data(symbol);
                // No name of a parameter has a dot.
                let other = Symbol {
                    name: format!("{}.in-other-iteration", own.name),
                    ..own.clone()
                };
                renamed.insert(part, terms.symbol(other));
            }
        }
        let other = match renamed.is_empty() {
            true => address,
            false => terms.replace(address, &renamed),
        };
        self.elsewhere.insert((address, id), other);
        other
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
        let distance = terms.sub(to, from);
        // Where nothing bounds a part of it, the two may be anywhere.
        let (_, atoms) = terms.affine(distance);
        let unbounded = atoms
            .iter()
            .any(|&(atom, _)| terms.signed_range(atom) == (i64::MIN, i64::MAX));
        if unbounded || self.asked.len() >= MAX_QUERIES as usize {
            return None;
        }
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
