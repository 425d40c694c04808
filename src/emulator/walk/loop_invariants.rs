//! Facts of loop headers: what holds of a header's parameters on every edge that enters it.
//!
//! Compilers rotate loops: the test is in front of the back edge, and once more in front of the loop. At the header itself
//! nothing was tested, and still the test holds there of the parameters: of their first values by what is known in front of the
//! loop, of all others by the branch that led back. A condition on the path to a back edge is read as one of the values that
//! the edge passes; all else in it must come from outside of the loop, so that it is the same in every iteration.

use super::induction;
use super::{MAX_WIDTH, Walk};
use crate::conditions::{self, Fact};
use crate::domains::intervals;
use crate::term::TermId;
use crate::{HeaderEdge, HeaderFact};
use ptxasw_base::mutation::{Mutation, active};
use ptxasw_ir::function::{BlockId, Terminator, Value, ValueDef};
use ptxasw_ir::loops::LoopId;
use ptxasw_ir::opcode::Opcode;
use ptxasw_ir::semantics;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Blocks looked at from a back edge upward.
const MAX_PATH: usize = 16;
/// Operations of the loop that the conditions of one back edge are made of.
const MAX_OPERATIONS: u32 = 64;
/// Facts of one header.
const MAX_FACTS: usize = 8;

/// The conditions of one back edge as conditions of the parameters that it leads to.
struct BackEdge<'w, 'a> {
    walk: &'w mut Walk<'a>,
    inside: LoopId,
    /// Values of the loop by the parameters of the next iteration.
    known: FxHashMap<Value, TermId>,
    operations: u32,
}

impl Walk<'_> {
    /// The facts of the loop's header, whose parameters have their terms already.
    pub(super) fn header_facts(&mut self, inside: LoopId) -> Vec<Fact> {
        let data = self.analyses.loops.get(inside);
        if data.irreducible || self.function.block(data.header).params.is_empty() {
            return Vec::new();
        }
        let mut found: Option<Vec<Fact>> = None;
        for &latch in &data.latches {
            let here = self.facts_of_latch(inside, latch);
            let all = match found {
                None => here,
                Some(earlier) => earlier
                    .into_iter()
                    .filter(|fact| here.iter().any(|other| other.term == fact.term))
                    .collect(),
            };
            if all.is_empty() {
                return all;
            }
            found = Some(all);
        }
        let mut facts = found.unwrap_or_default();
        let mut holds = FxHashMap::default();
        facts.retain(|fact| {
            *holds
                .entry(fact.stated)
                .or_insert_with(|| self.holds_first(inside, fact.stated))
        });
        facts.truncate(MAX_FACTS);
        for fact in facts.iter().filter(|fact| fact.term == fact.stated) {
            self.header_facts.push(HeaderFact {
                header: data.header,
                fact: fact.stated,
                edges: Vec::new(),
            });
        }
        facts
    }

    /// The facts that the branches on the path to a back edge state of the parameters that it leads to.
    fn facts_of_latch(&mut self, inside: LoopId, latch: BlockId) -> Vec<Fact> {
        let header = self.analyses.loops.get(inside).header;
        let tested = self.tested(latch, header);
        if tested.is_empty() {
            return Vec::new();
        }
        let known = self.known_after(inside, latch);
        let mut back_edge = BackEdge {
            walk: self,
            inside,
            known,
            operations: MAX_OPERATIONS,
        };
        let conditions: Vec<(TermId, bool)> = tested
            .into_iter()
            .filter_map(|(value, holds)| Some((back_edge.term(value)?, holds)))
            .collect();
        let mut facts = Vec::new();
        for (condition, holds) in conditions {
            let condition = match holds {
                true => condition,
                false => self.terms.not(condition),
            };
            facts.extend(conditions::conjuncts(&mut self.terms, header, condition));
        }
        // Facts that do not contain the parameters are stated in front of the loop.
        facts.truncate(MAX_PATH);
        facts
    }

    /// The conditions that were true, or false, on the path from the header to a back edge.
    fn tested(&self, latch: BlockId, header: BlockId) -> Vec<(Value, bool)> {
        let mut tested = Vec::new();
        let (mut from, mut to) = (latch, header);
        // Whether control came to `to` over the edge from `from`, or only after it.
        let mut over_edge = true;
        for _ in 0..MAX_PATH {
            if let Terminator::Branch {
                condition,
                then,
                otherwise,
                ..
            } = &self.function.block(from).terminator
                && over_edge
                && then.block != otherwise.block
            {
                tested.push((*condition, then.block == to));
            }
            let Some(above) = self.analyses.dominators.immediate(from) else {
                break;
            };
            if from == header {
                break;
            }
            let mut before = self.analyses.cfg.predecessors(from);
            over_edge = before.next() == Some(above) && before.next().is_none();
            (from, to) = (above, from);
        }
        tested
    }

    /// Values at the end of a latch by the parameters of the next iteration: those that are passed for them, and the
    /// parameters of this one where they grow by a known step.
    fn known_after(&mut self, inside: LoopId, latch: BlockId) -> FxHashMap<Value, TermId> {
        let header = self.analyses.loops.get(inside).header;
        let parameters = &self.function.block(header).params;
        let mut known = FxHashMap::default();
        let mut stepped = Vec::new();
        for (index, &parameter) in parameters.iter().enumerate() {
            let Some(term) = self.values[parameter.index()] else {
                continue;
            };
            let passed =
                induction::arguments(self.function, &self.analyses.cfg, latch, header, index);
            let &[passed] = passed.as_slice() else {
                continue;
            };
            if !induction::defined_outside(self.function, self.analyses, inside, passed) {
                known.entry(passed).or_insert(term);
            }
            if let Some(step) = self.step(inside, index)
                && let Some(steps) = self.counted(inside).steps(latch)
            {
                let grown = self.terms.scale(step, steps.into());
                stepped.push((parameter, self.terms.sub(term, grown)));
            }
        }
        for (parameter, before) in stepped {
            known.entry(parameter).or_insert(before);
        }
        known
    }

    /// Whether a fact holds of the parameters' first values, by what is known in front of the loop.
    fn holds_first(&mut self, inside: LoopId, fact: TermId) -> bool {
        if active(Mutation::HeaderFactOfBackEdge) {
            return true;
        }
        let data = self.analyses.loops.get(inside);
        !data.entries.is_empty()
            && data.entries.iter().all(|&entry| {
                let Some(claim) = self.over_edge(inside, entry, fact) else {
                    return false;
                };
                let mut facts: Vec<TermId> = self.conditions.of_block(entry).collect();
                if let Some(condition) = self.edge_condition(entry, data.header) {
                    let own = conditions::conjuncts(&mut self.terms, entry, condition);
                    facts.extend(own.iter().map(|fact| fact.term));
                }
                intervals::decide(&mut self.terms, claim, &facts) == Some(true)
            })
    }

    /// A fact of the header's parameters as one of what an edge passes for them. The values of a back edge must have their
    /// terms.
    fn over_edge(&mut self, inside: LoopId, from: BlockId, fact: TermId) -> Option<TermId> {
        let header = self.analyses.loops.get(inside).header;
        let back = self.analyses.loops.contains(inside, from);
        let mut map = FxHashMap::default();
        if let Some(&counter) = self.counters.get(&inside) {
            let next = match back {
                true => {
                    let steps = self.counted(inside).steps(from)?;
                    self.terms.offset(counter, steps.into())
                }
                false => self.terms.constant(64, 0),
            };
            map.insert(counter, next);
        }
        for (index, &parameter) in self.function.block(header).params.iter().enumerate() {
            let Some(term) = self.values[parameter.index()] else {
                continue;
            };
            // The terms of induction variables speak of the counter instead.
            if self.defining_blocks.get(&term) != Some(&header) {
                continue;
            }
            let passed: SmallVec<[Value; 2]> =
                induction::arguments(self.function, &self.analyses.cfg, from, header, index);
            let &[passed] = passed.as_slice() else {
                return None;
            };
            let passed = self.term(passed)?;
            map.insert(term, passed);
        }
        Some(self.terms.replace(fact, &map))
    }

    /// States why each fact of a header holds, once all values have their terms.
    pub(super) fn state_steps(&mut self) {
        let mut stated = std::mem::take(&mut self.header_facts);
        for one in &mut stated {
            let Some(inside) = self.analyses.loops.innermost(one.header) else {
                continue;
            };
            let data = self.analyses.loops.get(inside);
            for &from in data.entries.iter().chain(&data.latches) {
                // Without terms there is no fact: `false` can't be proved.
                let claim = self.over_edge(inside, from, one.fact);
                let claim = claim.unwrap_or_else(|| self.terms.boolean(false));
                let condition = self.edge_condition(from, data.header);
                one.edges.push(HeaderEdge {
                    from,
                    condition,
                    claim,
                });
            }
        }
        self.header_facts = stated;
    }
}

impl BackEdge<'_, '_> {
    /// A value by the parameters of the next iteration and values from outside of the loop; none if it takes others.
    fn term(&mut self, value: Value) -> Option<TermId> {
        if let Some(&known) = self.known.get(&value) {
            return Some(known);
        }
        let function = self.walk.function;
        if induction::defined_outside(function, self.walk.analyses, self.inside, value) {
            return self.walk.term(value);
        }
        let ValueDef::Result(inst, index) = function.value(value).def else {
            return None;
        };
        let inst = function.inst(inst);
        let Opcode::Op(op) = &inst.opcode else {
            return None;
        };
        let narrow = |value: &Value| function.value(*value).width <= MAX_WIDTH;
        self.operations = self.operations.checked_sub(1)?;
        if !inst.results.iter().chain(&inst.args).all(narrow) {
            return None;
        }
        let mut args: SmallVec<[TermId; 4]> = SmallVec::new();
        for &arg in &inst.args {
            args.push(self.term(arg)?);
        }
        let results = semantics::apply(&mut self.walk.terms, op, &args);
        let term = results.get(usize::from(index)).copied()?;
        self.known.insert(value, term);
        Some(term)
    }
}
