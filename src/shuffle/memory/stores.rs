//! Whether a store and a load of one thread share a byte: by bounds of their distance, or by the solver.

use super::{Apart, Memory, Reason, Side, Under};
use crate::emulator::alias::{self, Bytes, Harmless};
use crate::emulator::term::{Node, Symbol, TermId, Terms};
use crate::emulator::trace::Event;
use crate::ir::function::BlockId;
use crate::ir::loops::LoopId;
use crate::mutation::{Mutation, active};
use crate::shuffle::pair::Pair;
use crate::solver::{Proof, Query, Reading, Solver, Verdict};
use rustc_hash::FxHashMap;

/// Pairs of a store and a load of one kernel that the solver is asked about.
const MAX_QUERIES: u32 = 8;

/// What the solver is asked: a store's and a load's bytes, the blocks whose conditions hold.
pub(super) type Question = (TermId, u32, TermId, u32, BlockId, Option<BlockId>);

impl Memory<'_> {
    /// Why a store shares no byte with one of the loads. `other`: the outermost loop of which it may be in another iteration.
    pub(super) fn apart(
        &mut self,
        terms: &mut Terms,
        solver: &mut dyn Solver,
        event: &Event,
        other: Option<LoopId>,
        pair: &Pair,
        side: Side,
    ) -> Option<Reason> {
        let load = match side {
            Side::Source => pair.source,
            Side::Destination => pair.destination,
        };
        let address = match (event.address, other) {
            (Some(address), Some(id)) => Some(self.in_other_iteration(terms, address, id)),
            (address, _) => address,
        };
        let store = Bytes {
            address,
            ..event.bytes()
        };
        let bytes = load.bytes();
        let assumed = self.choice.assumed;
        let proved = |address, reading, under| {
            Some(Reason::Apart(
                side,
                Apart {
                    address,
                    reading,
                    under,
                },
            ))
        };
        match alias::apart(terms, &mut self.distances, &store, &bytes, assumed) {
            Some(Harmless::Distance) => proved(address?, Reading::Abstract, Under::Nothing),
            Some(how) => Some(Reason::Harmless(side, how)),
            None => {
                let here = pair.destination.block;
                let there = other.is_none().then_some(event.block);
                let (from, to) = alias::comparable(&store, &bytes)?;
                let question = (from, store.count, to, bytes.count, here, there);
                let reading = self.ask(terms, solver, question)?;
                let under = match there {
                    Some(_) => Under::Both,
                    None => Under::Destination,
                };
                proved(address?, reading, under)
            }
        }
    }

    /// The address that a store may have in another iteration of a loop: symbols of the loop are others.
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

    /// Asks the solver whether a store and a load share no byte, under the path conditions of the thread.
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
