//! Statements about one function as obligations: with what its registers are called, and the branches that hypotheses come from.

use super::{Kind, Obligation, Site};
use crate::conditions::PathConditions;
use crate::solver::Reading;
use crate::solver::statement::{self, Hypothesis, Statement};
use crate::term::{TermId, Terms};
use crate::trace::Trace;
use ptxasw_ir::analyses::Analyses;
use ptxasw_ir::function::{BlockId, Function, Value, ValueDef};
use ptxasw_ir::lanes::LaneMap;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Prints the obligations of one function.
pub struct Certifier<'a> {
    /// The function that they are about.
    pub function: &'a Function,
    /// Its dominators and loops.
    pub analyses: &'a Analyses,
    /// The facts that hold in each of its blocks.
    pub conditions: &'a PathConditions,
    /// Its accesses to memory.
    pub trace: &'a Trace,
    /// The line and text of a statement, by its origin.
    sites: Box<dyn Fn(u32) -> Site + 'a>,
    /// The register and line of a term, where some register holds it.
    notes: FxHashMap<TermId, String>,
    /// Terms left open of which something is taken as known.
    pub(super) known: BTreeSet<TermId>,
}

impl<'a> Certifier<'a> {
    /// `values` are the terms of the function's values; `sites` is asked by the statement that an instruction stems from, and
    /// `name` for what the text calls a value.
    pub fn new(
        function: &'a Function,
        analyses: &'a Analyses,
        (conditions, trace, values): (&'a PathConditions, &'a Trace, &[Option<TermId>]),
        sites: impl Fn(u32) -> Site + 'a,
        name: impl Fn(Value) -> Option<String>,
    ) -> Self {
        let mut notes = FxHashMap::default();
        for index in 0..function.values.len() as u32 {
            let value = Value(index);
            let Some(term) = values[value.index()] else {
                continue;
            };
            let ValueDef::Result(inst, _) = function.value(value).def else {
                continue;
            };
            if notes.contains_key(&term) {
                continue;
            }
            let Some(name) = name(value) else { continue };
            let line = sites(function.inst(inst).origin).place.line;
            notes.insert(term, format!("{name}, line {line}"));
        }
        Certifier {
            function,
            analyses,
            conditions,
            trace,
            sites: Box::new(sites),
            notes,
            known: BTreeSet::new(),
        }
    }

    /// The line and text of a statement, by the origin of its instructions.
    pub fn site(&self, origin: u32) -> Site {
        (self.sites)(origin)
    }

    /// A statement as an obligation.
    pub fn print(
        &mut self,
        terms: &Terms,
        kind: Kind,
        line: Option<u32>,
        about: &str,
        statement: &Statement,
        reading: Reading,
    ) -> Obligation {
        let notes = |t: TermId| {
            let own = terms.own_symbol(t);
            let note = self.notes.get(&own)?;
            Some(match own == t {
                true => note.clone(),
                false => format!("{note}, of another lane"),
            })
        };
        let printed = statement::print(terms, statement, reading, &notes);
        if reading == Reading::Abstract {
            self.known.extend(printed.known);
        }
        Obligation {
            kind,
            line,
            about: about.to_string(),
            smt: printed.smt,
        }
    }

    /// All conditions of the code that the facts of a block come from, in their own thread.
    pub fn facts_of(&self, terms: &mut Terms, block: BlockId) -> Vec<Hypothesis> {
        let all: Vec<TermId> = self.conditions.of_block(block).collect();
        self.facts_in_lane(terms, block, &all, LaneMap::OWN)
    }

    /// The conditions of the code that `needed` facts of a block come from, as they hold in a lane.
    pub fn facts_in_lane(
        &self,
        terms: &mut Terms,
        block: BlockId,
        needed: &[TermId],
        map: LaneMap,
    ) -> Vec<Hypothesis> {
        self.conditions
            .facts(block)
            .filter(|fact| needed.contains(&fact.term))
            .map(|fact| {
                let mut before = self.analyses.cfg.predecessors(fact.block);
                let (branch, other) = (before.next(), before.next());
                let line = |block| self.site(self.function.block(block).origin).place.line;
                // A fact of several edges is that of a loop's header.
                let why = match other {
                    _ if fact.promised => {
                        let line = line(fact.block);
                        format!("promised of the block that ends at line {line}, in lane {map}")
                    }
                    None => {
                        let line = line(branch.unwrap_or(fact.block));
                        format!("branch at line {line}, in lane {map}")
                    }
                    Some(_) => {
                        let line = line(branch.unwrap_or(fact.block));
                        format!("loop entered from line {line}, in lane {map}")
                    }
                };
                Hypothesis {
                    term: terms.map_lane(fact.stated, map),
                    why,
                }
            })
            .collect()
    }
}
