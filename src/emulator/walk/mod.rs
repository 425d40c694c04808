//! The walk: blocks in reverse post-order, each once.
//!
//! | file | what |
//! | --- | --- |
//! | `execute`, `memory`, `provenance` | one instruction; loads and memory events; the objects that addresses point into |
//! | `phis`, `dead_edges` | the parameters of a block with several predecessors; edges that are never taken |
//! | `loop_invariants`, `induction`, `carried` | of loops: facts of their headers, induction variables, values carried in registers |

mod carried;
mod dead_edges;
mod execute;
mod induction;
mod loop_invariants;
mod memory;
mod phis;
mod provenance;

use super::conditions::{self, Fact, PathConditions};
use super::term::{Symbol, TermId, Terms, Variance};
use super::trace::{Provenance, Trace};
use super::{Emulation, HeaderFact, JoinPaths, Pruned, symbols};
use ptxasw_base::mutation::{Mutation, active};
use ptxasw_ir::analyses::Analyses;
use ptxasw_ir::divergence::Level;
use ptxasw_ir::function::{Base, BlockId, Function, Terminator, Value, ValueDef};
use ptxasw_ir::loops::LoopId;
use ptxasw_ir::types::Space;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// Values wider than this have no term.
pub(super) const MAX_WIDTH: u8 = 64;

pub(super) struct Walk<'a> {
    pub(super) function: &'a Function,
    pub(super) analyses: &'a Analyses,
    pub(super) terms: Terms,
    pub(super) values: Vec<Option<TermId>>,
    pub(super) conditions: PathConditions,
    pub(super) trace: Trace,
    /// Edges that are never taken.
    pub(super) dead: FxHashSet<(BlockId, BlockId)>,
    /// Counters of loops' steps, 64 bits.
    pub(super) counters: FxHashMap<LoopId, TermId>,
    /// The steps that the back edges of loops make, latch by latch.
    pub(super) steps: FxHashMap<LoopId, SmallVec<[u32; 2]>>,
    /// Loads of constant bytes by address and element: equal addresses give equal values.
    pub(super) constants: FxHashMap<(Space, TermId, u16, u8), TermId>,
    /// Terms that are the address of an object: a pointer parameter, a variable.
    pub(super) bases: FxHashMap<TermId, (Provenance, Space)>,
    /// Whether a term may hold an address, or a part of it; symbols that are listed by their definition, others when asked.
    pub(super) may_be_address: FxHashMap<TermId, bool>,
    /// The first event of the block that is being walked.
    pub(super) block_start: u32,
    pub(super) pruned: Vec<Pruned>,
    pub(super) header_facts: Vec<HeaderFact>,
    /// The blocks that symbols are defined in.
    pub(super) defining_blocks: FxHashMap<TermId, BlockId>,
    pub(super) lockstep_variance: FxHashMap<TermId, Variance>,
    pub(super) join_paths: FxHashMap<TermId, JoinPaths>,
    /// How together threads leave a loop and all loops around it, by the loop's number.
    exits: Vec<Level>,
}

/// Terms that an instruction is mostly made of, with what the search adds: room for so many is made at once.
const TERMS_PER_INST: usize = 2;

impl<'a> Walk<'a> {
    pub(super) fn new(function: &'a Function, analyses: &'a Analyses) -> Self {
        let blocks = function.blocks.len();
        let mut terms = Terms::new();
        terms.reserve(TERMS_PER_INST * function.insts.len());
        Walk {
            function,
            analyses,
            terms,
            values: vec![None; function.values.len()],
            conditions: PathConditions::new(blocks),
            trace: Trace {
                events: Vec::new(),
                blocks: vec![0..0; blocks],
                carried: Vec::new(),
            },
            dead: FxHashSet::default(),
            counters: FxHashMap::default(),
            steps: FxHashMap::default(),
            constants: FxHashMap::default(),
            bases: FxHashMap::default(),
            may_be_address: FxHashMap::default(),
            block_start: 0,
            pruned: Vec::new(),
            header_facts: Vec::new(),
            defining_blocks: FxHashMap::default(),
            lockstep_variance: FxHashMap::default(),
            join_paths: FxHashMap::default(),
            exits: exits(analyses),
        }
    }

    pub(super) fn run(mut self) -> Emulation {
        self.blocks(usize::MAX);
        self.finish()
    }

    /// As [`Walk::run`], unless that takes more terms.
    pub(super) fn run_within(mut self, most: usize) -> Option<Emulation> {
        if !self.blocks(most) {
            return None;
        }
        let emulation = self.finish();
        (emulation.terms.len() <= most).then_some(emulation)
    }

    /// Walks through all blocks; false if the walk makes more terms than `most`.
    fn blocks(&mut self, most: usize) -> bool {
        let analyses = self.analyses;
        analyses.cfg.reverse_post_order().iter().all(|&block| {
            self.block(block, most);
            self.terms.len() <= most
        })
    }

    /// Walks through a block, as far as there are terms.
    fn block(&mut self, block: BlockId, most: usize) {
        self.enter(block);
        self.block_start = self.trace.events.len() as u32;
        for &id in &self.function.block(block).insts {
            if self.terms.len() > most {
                return;
            }
            self.execute(id);
        }
        self.trace.blocks[block.index()] = self.block_start..self.trace.events.len() as u32;
        self.add_assumed(block);
        self.mark_dead_edges(block);
    }

    fn finish(mut self) -> Emulation {
        self.state_steps();
        self.add_carried();
        let counters = self.counters.iter();
        let counters = counters.map(|(&id, &term)| (term, self.counted(id)));
        let counters = counters.collect();
        Emulation {
            terms: self.terms,
            values: self.values,
            conditions: self.conditions,
            trace: self.trace,
            pruned: self.pruned,
            header_facts: self.header_facts,
            defining_blocks: self.defining_blocks,
            counters,
            lockstep_variance: self.lockstep_variance,
            join_paths: self.join_paths,
            altered: false,
        }
    }

    /// The term of a value that the walk has reached, or of a constant.
    pub(super) fn term(&mut self, value: Value) -> Option<TermId> {
        if let Some(term) = self.values[value.index()] {
            return Some(term);
        }
        let data = self.function.value(value);
        if data.width > MAX_WIDTH {
            return None;
        }
        let term = match &data.def {
            ValueDef::Constant(bits) => self.terms.constant(data.width, *bits),
            ValueDef::Special(special) => {
                symbols::special(&mut self.terms, self.function, *special, data.width)
            }
            ValueDef::Address(base, offset) => {
                let name = match base {
                    Base::Parameter(index) => format!("&param.{index}"),
                    Base::Variable(_, index) => {
                        format!("&{}.{index}", self.variable_name(*index))
                    }
                    Base::Function(index) => format!("&function.{index}"),
                };
                // Each thread has its own.
                let private = matches!(base, Base::Variable(Space::Local | Space::ParamFunc, _))
                    && !active(Mutation::GenericIsGlobal);
                let variance = if private {
                    Variance::Of(Level::Divergent)
                } else {
                    Variance::Of(Level::Uniform)
                };
                let symbol = self.terms.symbol(Symbol::new(name, data.width, variance));
                match *base {
                    Base::Variable(space, index) => self.note_variable(symbol, space, index),
                    Base::Parameter(_) => self.note_parameter_address(symbol),
                    Base::Function(_) => _ = self.may_be_address.insert(symbol, true),
                }
                self.terms.offset(symbol, *offset as u64)
            }
            // What was never written, or is used before the walk gets there: nothing is known.
            ValueDef::Undefined | ValueDef::Result(..) | ValueDef::Parameter(..) => {
                let defined_in = self.defined_in(value).unwrap_or(BlockId(0));
                self.opaque(
                    format!("undefined.{value}"),
                    data.width,
                    Variance::Of(Level::Divergent),
                    defined_in,
                )
            }
        };
        self.values[value.index()] = Some(term);
        Some(term)
    }

    fn variable_name(&self, index: u32) -> &str {
        self.function
            .variables
            .get(index as usize)
            .map_or("variable", |name| name)
    }

    /// A symbol that is defined in the block `defined_in`. Equal names mean equal values: those of parameters are PTX
    /// identifiers, all others have a dot.
    pub(super) fn opaque(
        &mut self,
        name: String,
        width: u8,
        variance: Variance,
        defined_in: BlockId,
    ) -> TermId {
        let symbol = self.terms.symbol(Symbol::new(name, width, variance));
        self.defining_blocks.entry(symbol).or_insert(defined_in);
        self.may_be_address.entry(symbol).or_insert(true);
        symbol
    }

    /// The symbol of `value`, which is defined in the block `defined_in`.
    pub(super) fn opaque_value(
        &mut self,
        name: String,
        width: u8,
        value: Value,
        defined_in: BlockId,
    ) -> TermId {
        let level = self.analyses.divergence.value(value);
        self.opaque_of_level(name, width, level, defined_in)
    }

    /// A symbol of this level within an iteration of the loops around `defined_in`.
    pub(super) fn opaque_of_level(
        &mut self,
        name: String,
        width: u8,
        level: Level,
        defined_in: BlockId,
    ) -> TermId {
        let variance = self.in_loops(level, self.analyses.loops.innermost(defined_in));
        let symbol = self.opaque(name, width, variance, defined_in);
        let lockstep = Variance::Of(level);
        if lockstep != variance {
            self.lockstep_variance.entry(symbol).or_insert(lockstep);
        }
        symbol
    }

    /// The block that a value is defined in.
    fn defined_in(&self, value: Value) -> Option<BlockId> {
        match self.function.value(value).def {
            ValueDef::Result(inst, _) => Some(self.function.inst(inst).block),
            ValueDef::Parameter(block, _) => Some(block),
            _ => None,
        }
    }

    /// A value of a loop that threads leave in different iterations differs after it, even if it is uniform inside.
    fn in_loops(&self, level: Level, defined_in: Option<LoopId>) -> Variance {
        let defined_in = defined_in.filter(|_| !active(Mutation::LoopExitsUniform));
        let left = defined_in.map_or(Level::Uniform, |id| self.exits[id.0 as usize]);
        Variance::Of(level.max(left))
    }

    // ---- entering a block -------------------------------------------------------------------------------------------

    fn enter(&mut self, block: BlockId) {
        let above = self.analyses.dominators.immediate(block);
        let facts = self.entry_facts(block, above);
        self.conditions.set(block, above, facts);
        let header = self
            .analyses
            .loops
            .innermost(block)
            .filter(|&id| self.analyses.loops.get(id).header == block);
        for index in 0..self.function.block(block).params.len() {
            let parameter = self.function.block(block).params[index];
            let width = self.function.value(parameter).width;
            if width > MAX_WIDTH {
                continue;
            }
            let term = match header {
                Some(header) => self.induction_variable(header, index, width),
                None => self.join(block, index),
            };
            let term = term.unwrap_or_else(|| {
                self.opaque_value(format!("value.{parameter}"), width, parameter, block)
            });
            self.values[parameter.index()] = Some(term);
        }
        if let Some(header) = header {
            let facts = self.header_facts(header);
            self.conditions.set(block, above, facts);
        }
    }

    /// Adds what the producer promises of values that are known now.
    fn add_assumed(&mut self, block: BlockId) {
        for &condition in &self.function.block(block).assumed {
            if let Some(term) = self.term(condition) {
                let facts = conditions::conjuncts(&mut self.terms, block, term);
                self.conditions.promise(block, facts);
            }
        }
    }

    /// The condition of the only edge that enters a block, as facts.
    fn entry_facts(&mut self, block: BlockId, above: Option<BlockId>) -> Vec<Fact> {
        let mut predecessors = self.analyses.cfg.predecessors(block);
        let (Some(single), None) = (predecessors.next(), predecessors.next()) else {
            return Vec::new();
        };
        if above != Some(single) {
            return Vec::new();
        }
        match self.edge_condition(single, block) {
            Some(condition) => conditions::conjuncts(&mut self.terms, block, condition),
            None => Vec::new(),
        }
    }

    /// The condition under which `from` goes to `to`; none for switches and for two edges to one block.
    pub(super) fn edge_condition(&mut self, from: BlockId, to: BlockId) -> Option<TermId> {
        let function = self.function;
        match &function.block(from).terminator {
            Terminator::Jump(_) => Some(self.terms.boolean(true)),
            Terminator::Branch {
                condition,
                then,
                otherwise,
                ..
            } if then.block != otherwise.block => {
                let condition = self.term(*condition)?;
                Some(if then.block == to {
                    condition
                } else {
                    self.terms.not(condition)
                })
            }
            _ => None,
        }
    }

    /// `ite` over the paths that lead to a join.
    fn join(&mut self, block: BlockId, index: usize) -> Option<TermId> {
        // A block of an irreducible cycle is entered again by edges that the walk has not come to yet.
        if self.analyses.loops.irreducible(block) {
            return None;
        }
        let mut arms = Vec::new();
        let mut predecessors: Vec<BlockId> = self.analyses.cfg.predecessors(block).collect();
        predecessors.dedup();
        for &predecessor in &predecessors {
            if self.dead.contains(&(predecessor, block)) {
                continue;
            }
            for argument in
                induction::arguments(self.function, &self.analyses.cfg, predecessor, block, index)
            {
                arms.push((predecessor, self.term(argument)?));
            }
        }
        let &(_, last) = arms.last()?;
        if arms.iter().all(|&(_, term)| term == last) || active(Mutation::OnePathToJoin) {
            return Some(last);
        }
        let dominator = self.analyses.dominators.immediate(block)?;
        let analyses = self.analyses;
        // How often a thread went through a loop decides it, which the condition of an `ite` says nothing about.
        let defined_in = analyses.loops.innermost(block);
        let from_loop =
            |&(from, _): &(BlockId, TermId)| analyses.loops.innermost(from) != defined_in;
        if analyses.divergence.joined(block) == Level::Divergent
            && arms.iter().any(from_loop)
            && let Some(value) = self.apart(block, index, &arms)
        {
            return Some(value);
        }
        let mut value = last;
        for &(predecessor, term) in arms.iter().rev().skip(1) {
            let mut terms = std::mem::take(&mut self.terms);
            let condition = phis::condition_of_path(
                &mut terms,
                analyses,
                dominator,
                predecessor,
                block,
                |terms, from, to| {
                    std::mem::swap(&mut self.terms, terms);
                    let condition = self.edge_condition(from, to);
                    std::mem::swap(&mut self.terms, terms);
                    condition
                },
            );
            self.terms = terms;
            let Some(condition) = condition else {
                return self.apart(block, index, &arms);
            };
            value = self.terms.ite(condition, term, value);
        }
        Some(value)
    }
}

/// See [`Walk::exits`].
fn exits(analyses: &Analyses) -> Vec<Level> {
    let mut exits: Vec<Level> = Vec::with_capacity(analyses.loops.loops.len());
    // Outer loops come first.
    for id in analyses.loops.ids() {
        let own = analyses.divergence.loop_exits(id);
        let parent = analyses.loops.get(id).parent;
        exits.push(parent.map_or(own, |parent| own.max(exits[parent.0 as usize])));
    }
    exits
}
