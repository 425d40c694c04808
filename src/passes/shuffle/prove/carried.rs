//! Sources that a loop carries in a register from the last iteration into this one (see [`ptxasw_emulator::trace::Carried`]).
//!
//! A carried value counts as a load at the start of the iteration if memory holds it there, at the address that the trace
//! says. That is shown by induction over the iterations, edge by edge:
//! - *the value is one of memory*: each edge to the header passes what a load brought in front of the loop (then every path to
//!   the edge passes that load, and no loop lies between), a load in this iteration, or another value that the loop carries,
//!   for which the same is shown;
//! - *the address*: what the load in front of the loop read is the address of the first iteration, and what is read in an
//!   iteration is the address of the next. Both are claims about terms;
//! - *the memory*: between the load and the end of the edge nothing may have changed these bytes (C3).
//!
//! From the start of the iteration on, it is a source as any other: the conditions C1 to C6 are those of a load at that place.
//! The neighbour's value is the one of the same iteration, which is a matter of the mask.

use super::address;
use super::c2_instance;
use crate::shuffle::model::data::Data;
use crate::shuffle::model::evidence::{Carried, Shown};
use crate::shuffle::model::run::Run;
use crate::shuffle::refusal::{Reason, Refusal, c1, c2, c6, limit};
use ptxasw_base::mutation::{Mutation, active};
use ptxasw_emulator::term::TermId;
use ptxasw_emulator::trace::{self, Edge, Event};
use std::rc::Rc;

/// Carried values that one rests on.
const MAX_CHAIN: usize = 32;
const CARRIED: &str = "loaded here, and carried into the next iteration";

/// How C2 is met.
pub(in crate::shuffle) const PROOF: &str =
    "the loop carries the value into this iteration: on every path into it memory holds it";

impl<'a> Run<'a> {
    /// What the trace records about a carried value.
    fn carried(&self, event: &Event) -> Option<&'a trace::Carried> {
        self.trace.carried.get(event.carried? as usize)
    }

    /// The bytes that a carried value gives, if the back end can take them out of its register.
    pub(in crate::shuffle) fn carried_data(&self, event: &Event) -> Result<Data, Refusal> {
        let parameter = self.carried(event).map(|carried| carried.parameter);
        let ty = event.load().map(|access| access.ty);
        let register = parameter.zip(ty);
        let register = register.and_then(|(value, ty)| self.text.carrier(value, ty));
        let start = self.text.first_statement(event.block);
        match register.and(start) {
            Some(_) if event.bytes <= u64::BITS / u8::BITS => Ok(Data::whole(event)),
            _ => Err(Refusal::new(&limit::UNNAMED)),
        }
    }

    /// That memory holds a carried value, and all that it rests on; nothing for a load. `constant`: the bytes do not change
    /// while the kernel runs, for source and destination.
    pub(in crate::shuffle) fn check_carried(
        &mut self,
        source: &Event,
        constant: bool,
    ) -> Result<Vec<Rc<Carried>>, Refusal> {
        let mut chain: Vec<u32> = source.carried.into_iter().collect();
        let mut all = Vec::with_capacity(chain.len());
        while let Some(&number) = chain.get(all.len()) {
            let known = self.known_carried.get(&(number, constant)).cloned();
            let shown = match known {
                Some(known) => known,
                None => {
                    let shown = self.all_edges(number, constant).map(Rc::new);
                    self.known_carried.insert((number, constant), shown.clone());
                    shown
                }
            };
            let shown = shown?;
            for edge in &shown.edges {
                let other = self.trace.events[edge.source as usize].carried;
                chain.extend(other.filter(|other| !chain.contains(other)));
            }
            if chain.len() > MAX_CHAIN {
                return Err(Refusal::new(&limit::CHAIN));
            }
            all.push(shown);
        }
        Ok(all)
    }

    fn all_edges(&mut self, number: u32, constant: bool) -> Result<Carried, Refusal> {
        let trace = self.trace;
        let carried = &trace.carried[number as usize];
        let edges = carried.edges.iter();
        let edges = edges.map(|edge| self.edge(carried, edge, constant));
        Ok(Carried {
            edges: edges.collect::<Result<_, _>>()?,
        })
    }

    /// The three conditions of one edge.
    fn edge(
        &mut self,
        carried: &trace::Carried,
        edge: &Edge,
        constant: bool,
    ) -> Result<Shown, Refusal> {
        let trace = self.trace;
        let Some(number) = edge.source else {
            return Err(Refusal::new(match edge.back {
                true => &c2::CARRIED_BACK,
                false => &c2::CARRIED_FIRST,
            }));
        };
        let source = &trace.events[number as usize];
        let at_end = Event {
            block: edge.from,
            position: trace.of_block(edge.from).len() as u32,
            ..source.clone()
        };
        let inside = &self.analyses.loops;
        let here = !edge.back || inside.innermost(source.block) == Some(carried.inside);
        let same = c2_instance::check(self.analyses, source, &at_end);
        if !here || same.is_err() || inside.irreducible(source.block) {
            return Err(Refusal::new(&c2::CARRIED_LOOP).at(source.origin, CARRIED));
        }
        if !self.loads_whole(source) {
            return Err(Refusal::new(&c6::UNDEFINED).at(source.origin, CARRIED));
        }
        let equal = self.edge_address(edge);
        let equal = equal.map_err(|reason| Refusal::new(reason).at(source.origin, CARRIED))?;
        let passed = match constant || active(Mutation::CarriedNeverKilled) {
            true => Vec::new(),
            false => self
                .memory
                .unchanged(self.terms, self.solver, source, &at_end)?,
        };
        Ok(Shown {
            source: number,
            from: edge.from,
            back: edge.back,
            equal,
            passed,
        })
    }

    /// The two equal addresses of an edge; none of them if only the user's assumption makes them equal.
    fn edge_address(&mut self, edge: &Edge) -> Result<Option<(TermId, TermId)>, &'static Reason> {
        let wanted = edge.wanted;
        let Some(brings) = edge.brings else {
            return Err(&c1::UNKNOWN_ADDRESS);
        };
        if brings == wanted || active(Mutation::CarriedEntryUnchecked) {
            return Ok(Some((brings, wanted)));
        }
        match address::equal_without_wraps(self.terms, brings, wanted) {
            true if self.options.assume_no_wrap => Ok(None),
            true => Err(&c1::CARRIED_OVERFLOW),
            false if edge.back => Err(&c1::CARRIED_BACK),
            false => Err(&c1::CARRIED_FIRST),
        }
    }

    /// Whether a source of a carried value defines all its bytes.
    fn loads_whole(&self, source: &Event) -> bool {
        let loaded = self.text.loaded(source.origin);
        loaded.is_some_and(|loaded| loaded.used_bytes.is_none())
    }
}
