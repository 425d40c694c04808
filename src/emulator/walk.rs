//! The walk: blocks in reverse post-order, each once.

use super::conditions::{self, PathConditions};
use super::term::{Node, Symbol, TermId, Terms, Unary, Variance};
use super::trace::{self, Event, EventKind, Provenance, Trace};
use super::{Emulation, bounds, induction, joins, symbols};
use crate::ir::analyses::Analyses;
use crate::ir::divergence::Level;
use crate::ir::function::{Base, BlockId, Function, Inst, InstId, Terminator, Value, ValueDef};
use crate::ir::loops::LoopId;
use crate::ir::opcode::{Access, Opcode};
use crate::ir::semantics;
use crate::ir::types::Space;
use crate::solver::{Query, Solver};
use rustc_hash::{FxHashMap, FxHashSet};

/// Values wider than this have no term.
const MAX_WIDTH: u8 = 64;
/// Branch conditions of one kernel that the solver is asked about.
const MAX_QUERIES: u32 = 32;

pub(super) struct Walk<'a> {
    function: &'a Function,
    analyses: &'a Analyses,
    terms: Terms,
    values: Vec<Option<TermId>>,
    conditions: PathConditions,
    trace: Trace,
    /// Edges that are never taken.
    dead: FxHashSet<(BlockId, BlockId)>,
    /// Iteration counters of loops, 64 bits.
    counters: FxHashMap<LoopId, TermId>,
    /// Loads of constant bytes by address and element: equal addresses give equal values.
    constants: FxHashMap<(Space, TermId, u16, u8), TermId>,
    /// Terms that are the address of an object: a pointer parameter, a variable.
    bases: FxHashMap<TermId, (Provenance, Space)>,
    /// The first event of the block that is being walked.
    block_start: u32,
    pruned: u32,
    queries: u32,
    solver: &'a mut dyn Solver,
}

impl<'a> Walk<'a> {
    pub(super) fn new(
        function: &'a Function,
        analyses: &'a Analyses,
        solver: &'a mut dyn Solver,
    ) -> Self {
        let blocks = function.blocks.len();
        Walk {
            function,
            analyses,
            terms: Terms::new(),
            values: vec![None; function.values.len()],
            conditions: PathConditions::new(blocks),
            trace: Trace {
                events: Vec::new(),
                blocks: vec![0..0; blocks],
            },
            dead: FxHashSet::default(),
            counters: FxHashMap::default(),
            constants: FxHashMap::default(),
            bases: FxHashMap::default(),
            block_start: 0,
            pruned: 0,
            queries: 0,
            solver,
        }
    }

    pub(super) fn run(mut self) -> Emulation {
        for &block in self.analyses.cfg.reverse_post_order() {
            self.enter(block);
            self.block_start = self.trace.events.len() as u32;
            for &id in &self.function.block(block).insts {
                self.execute(id);
            }
            self.trace.blocks[block.index()] = self.block_start..self.trace.events.len() as u32;
            self.prune(block);
        }
        Emulation {
            terms: self.terms,
            values: self.values,
            conditions: self.conditions,
            trace: self.trace,
            pruned: self.pruned,
        }
    }

    /// The term of a value that the walk has reached, or of a constant.
    fn term(&mut self, value: Value) -> Option<TermId> {
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
                let private = matches!(base, Base::Variable(Space::Local | Space::ParamFunc, _));
                let variance = if private {
                    Variance::Lane
                } else {
                    Variance::Uniform
                };
                let symbol = self.terms.symbol(Symbol::new(name, data.width, variance));
                if let &Base::Variable(space, index) = base {
                    self.bases
                        .insert(symbol, (Provenance::Variable(index), space));
                }
                self.terms.offset(symbol, *offset as u64)
            }
            // What was never written, or is used before the walk gets there: nothing is known.
            ValueDef::Undefined | ValueDef::Result(..) | ValueDef::Parameter(..) => {
                self.opaque(format!("undefined.{value}"), data.width, Variance::Lane)
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

    /// A symbol. Equal names mean equal values: those of parameters are PTX identifiers, all others have a dot.
    fn opaque(&mut self, name: String, width: u8, variance: Variance) -> TermId {
        self.terms.symbol(Symbol::new(name, width, variance))
    }

    /// How a symbol that stands for `value` varies, wherever its term is used.
    fn variance(&self, value: Value) -> Variance {
        let block = match self.function.value(value).def {
            ValueDef::Result(inst, _) => Some(self.function.inst(inst).block),
            ValueDef::Parameter(block, _) => Some(block),
            _ => None,
        };
        let home = block.and_then(|block| self.analyses.loops.innermost(block));
        self.in_loops(self.analyses.divergence.value(value), home)
    }

    /// A value of a loop that threads leave in different iterations differs behind it, even if it is uniform inside.
    fn in_loops(&self, level: Level, home: Option<LoopId>) -> Variance {
        let loops = &self.analyses.loops;
        let around = std::iter::successors(home, |&id| loops.get(id).parent);
        match around
            .map(|id| self.analyses.divergence.loop_exits(id))
            .fold(level, Level::max)
        {
            Level::Uniform => Variance::Uniform,
            Level::Row => Variance::Row,
            Level::Divergent => Variance::Lane,
        }
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
                self.opaque(
                    format!("value.{parameter}"),
                    width,
                    self.variance(parameter),
                )
            });
            self.values[parameter.index()] = Some(term);
        }
    }

    /// The condition of the only edge that enters a block, as facts.
    fn entry_facts(&mut self, block: BlockId, above: Option<BlockId>) -> Vec<TermId> {
        let mut predecessors = self.analyses.cfg.predecessors(block);
        let (Some(single), None) = (predecessors.next(), predecessors.next()) else {
            return Vec::new();
        };
        if above != Some(single) {
            return Vec::new();
        }
        match self.edge_condition(single, block) {
            Some(condition) => conditions::conjuncts(&mut self.terms, condition),
            None => Vec::new(),
        }
    }

    /// The condition under which `from` goes to `to`; none for switches and for two edges to one block.
    fn edge_condition(&mut self, from: BlockId, to: BlockId) -> Option<TermId> {
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

    /// `init + step * k`.
    fn induction_variable(&mut self, header: LoopId, index: usize, width: u8) -> Option<TermId> {
        let data = self.analyses.loops.get(header);
        if data.irreducible {
            return None;
        }
        let step = induction::step(self.function, self.analyses, header, index)?;
        let mut init = None;
        for &entry in &data.entries {
            for argument in induction::arguments(self.function, entry, data.header, index) {
                let term = self.term(argument)?;
                if *init.get_or_insert(term) != term {
                    return None;
                }
            }
        }
        let mut total = self.terms.constant(width, 0);
        for (value, subtract) in step {
            let term = self.term(value)?;
            total = if subtract {
                self.terms.sub(total, term)
            } else {
                self.terms.add(total, term)
            };
        }
        let counter = self.counter(header);
        let counter = symbols::resize(&mut self.terms, counter, width);
        let grown = self.terms.mul(total, counter);
        Some(self.terms.add(init?, grown))
    }

    /// The number of the iteration. It is the same for all lanes of a row only if nothing but uniform branches decides how
    /// often the loop runs; else a lane's counter says nothing of its neighbour's.
    fn counter(&mut self, header: LoopId) -> TermId {
        if let Some(&counter) = self.counters.get(&header) {
            return counter;
        }
        let variance = self.in_loops(Level::Uniform, Some(header));
        let name = format!("iteration.{}", self.analyses.loops.get(header).header);
        let counter = self.opaque(name, 64, variance);
        self.counters.insert(header, counter);
        counter
    }

    /// `ite` over the ways that lead to a join.
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
            for argument in induction::arguments(self.function, predecessor, block, index) {
                arms.push((predecessor, self.term(argument)?));
            }
        }
        let &(_, last) = arms.last()?;
        if arms.iter().all(|&(_, term)| term == last) {
            return Some(last);
        }
        let dominator = self.analyses.dominators.immediate(block)?;
        let analyses = self.analyses;
        let mut value = last;
        for &(predecessor, term) in arms.iter().rev().skip(1) {
            let mut terms = std::mem::take(&mut self.terms);
            let condition = joins::condition_of_way(
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
            value = self.terms.ite(condition?, term, value);
        }
        Some(value)
    }

    // ---- leaving a block --------------------------------------------------------------------------------------------

    /// Marks the edges that are never taken: all of a block that is never entered, else what bounds or the solver decide.
    fn prune(&mut self, block: BlockId) {
        let function = self.function;
        if self.never_entered(block) {
            self.dead.extend(
                self.analyses
                    .cfg
                    .successors(block)
                    .map(|next| (block, next)),
            );
            return;
        }
        let Terminator::Branch {
            condition,
            then,
            otherwise,
            ..
        } = &function.block(block).terminator
        else {
            return;
        };
        let Some(condition) = self.term(*condition) else {
            return;
        };
        let facts: Vec<TermId> = self.conditions.of_block(block).collect();
        let known = bounds::decide(&mut self.terms, condition, &facts)
            .or_else(|| self.ask(block, condition, &facts));
        if let Some(taken) = known
            && then.block != otherwise.block
        {
            let never = if taken { otherwise } else { then };
            self.dead.insert((block, never.block));
            self.pruned += 1;
        }
    }

    /// Every edge that enters the block is dead. Back edges don't count: they come from behind the block.
    fn never_entered(&self, block: BlockId) -> bool {
        let Analyses { cfg, loops, .. } = self.analyses;
        let position = cfg.position(block);
        let mut before = cfg
            .predecessors(block)
            .filter(|&from| cfg.position(from) < position)
            .peekable();
        before.peek().is_some()
            && !loops.irreducible(block)
            && before.all(|from| self.dead.contains(&(from, block)))
    }

    /// Asks the solver about a condition that a fact may decide: a comparison of the same terms, but for constants.
    fn ask(&mut self, block: BlockId, condition: TermId, facts: &[TermId]) -> Option<bool> {
        let about = self.compared(condition)?;
        let related = facts
            .iter()
            .any(|&fact| self.compared(fact).as_ref() == Some(&about));
        if !related || self.queries >= MAX_QUERIES {
            return None;
        }
        self.queries += 1;
        let negated = self.terms.not(condition);
        [(condition, true), (negated, false)]
            .into_iter()
            .find_map(|(goal, taken)| {
                let name = format!("branch of {block} is always {taken}");
                let query = Query {
                    name,
                    hypotheses: facts.to_vec(),
                    goal,
                };
                self.solver
                    .prove(&self.terms, &query)
                    .proved()
                    .then_some(taken)
            })
    }

    /// The atoms that a comparison is about; none if it is no comparison of two non-constants.
    fn compared(&self, condition: TermId) -> Option<Vec<TermId>> {
        let comparison = bounds::comparison(&self.terms, condition)?;
        let mut atoms = Vec::new();
        for side in [comparison.left, comparison.right] {
            let (_, terms) = self.terms.affine(side);
            if terms.is_empty() {
                return None;
            }
            atoms.extend(terms.into_iter().map(|(atom, _)| atom));
        }
        atoms.sort_unstable();
        atoms.dedup();
        Some(atoms)
    }

    // ---- instructions -----------------------------------------------------------------------------------------------

    fn execute(&mut self, id: InstId) {
        let function = self.function;
        let inst = function.inst(id);
        match &inst.opcode {
            Opcode::Op(op) => {
                if !self.apply(inst, op) {
                    self.opaque_results(inst);
                }
            }
            Opcode::Load(access) => self.load(id, inst, access),
            opcode => {
                if let Some(kind) = trace::kind(opcode) {
                    self.record(id, inst, kind);
                }
                self.opaque_results(inst);
            }
        }
    }

    fn apply(&mut self, inst: &Inst, op: &crate::ir::op::Op) -> bool {
        let mut args: smallvec::SmallVec<[TermId; 4]> = smallvec::SmallVec::new();
        for &arg in &inst.args {
            match self.term(arg) {
                Some(term) => args.push(term),
                None => return false,
            }
        }
        if inst
            .results
            .iter()
            .any(|&result| self.function.value(result).width > MAX_WIDTH)
        {
            return false;
        }
        let results = semantics::apply(&mut self.terms, op, &args);
        for (&value, term) in inst.results.iter().zip(results) {
            self.values[value.index()] = Some(term);
        }
        true
    }

    fn opaque_results(&mut self, inst: &Inst) {
        for &result in &inst.results {
            let width = self.function.value(result).width;
            if width <= MAX_WIDTH && self.values[result.index()].is_none() {
                let variance = self.variance(result);
                let term = self.opaque(format!("value.{result}"), width, variance);
                self.values[result.index()] = Some(term);
            }
        }
    }

    fn load(&mut self, id: InstId, inst: &Inst, access: &Access) {
        self.record(id, inst, EventKind::Load(*access));
        let Some(event) = self.trace.events.last() else {
            return;
        };
        let constant = access.order.is_weak() && event.reads_constant() && !event.guarded;
        let space = event.space;
        let (Some(address), true) = (event.address, constant) else {
            return self.opaque_results(inst);
        };
        for (element, &result) in inst.results.iter().enumerate() {
            let width = self.function.value(result).width;
            if width > MAX_WIDTH {
                continue;
            }
            let key = (space, address, element as u16, width);
            let term = match self.constants.get(&key) {
                Some(&term) => term,
                None => {
                    let variance = self.variance(result);
                    let term = self.opaque(
                        self.loaded_name(inst, access, element, result),
                        width,
                        variance,
                    );
                    self.constants.insert(key, term);
                    if access.space == Space::ParamEntry && width == 64 {
                        self.bases
                            .insert(term, (Provenance::Pointer(term), Space::Global));
                    }
                    term
                }
            };
            self.values[result.index()] = Some(term);
        }
    }

    /// Kernel parameters carry their name, other loaded values that of the IR value.
    fn loaded_name(&self, inst: &Inst, access: &Access, element: usize, result: Value) -> String {
        if let (Space::ParamEntry, Some(&address)) = (access.space, inst.args.first())
            && let ValueDef::Address(Base::Parameter(index), offset) =
                self.function.value(address).def
            && let Some(parameter) = self.function.params.get(index as usize)
        {
            let offset = offset + access.offset + element as i64 * i64::from(access.ty.bits / 8);
            return if offset == 0 {
                parameter.name.to_string()
            } else {
                format!("{}+{offset}", parameter.name)
            };
        }
        format!("value.{result}")
    }

    // ---- memory events ----------------------------------------------------------------------------------------------

    fn record(&mut self, inst_id: InstId, inst: &Inst, kind: EventKind) {
        let (space, bytes, offset) = match &inst.opcode {
            Opcode::Load(access) | Opcode::Store(access) => {
                (access.space, access.bytes(), access.offset)
            }
            Opcode::Atomic {
                ty, space, offset, ..
            } => (*space, u32::from(ty.bits) / 8, *offset),
            _ => (Space::Generic, 0, 0),
        };
        let address = match (bytes, inst.args.first()) {
            (0, _) | (_, None) => None,
            (_, Some(&base)) => self.term(base).map(|base| {
                // Offsets wrap in the width of the address.
                let address = self.terms.offset(base, offset as u64);
                symbols::resize(&mut self.terms, address, 64)
            }),
        };
        let (provenance, found) = match address {
            Some(address) => self.provenance(address),
            None => (Provenance::Unknown, None),
        };
        let space = if space == Space::Generic {
            found.unwrap_or(space)
        } else {
            space
        };
        self.trace.events.push(Event {
            kind,
            inst: inst_id,
            block: inst.block,
            position: self.trace.events.len() as u32 - self.block_start,
            address,
            bytes,
            space,
            provenance,
            guarded: inst.guard.is_some(),
            origin: inst.origin,
        });
    }

    /// What an address points into: the only object whose address stands in the sum with factor 1, where nothing else in the
    /// sum can be an address. A kernel's pointer parameters point to global memory: no address of another space lives as
    /// long as a launch.
    fn provenance(&self, address: TermId) -> (Provenance, Option<Space>) {
        let unknown = (Provenance::Unknown, None);
        let mut found = None;
        for (atom, coefficient) in self.terms.affine(address).1 {
            match self.bases.get(&atom) {
                Some(&base) if coefficient == 1 && found.is_none() => found = Some(base),
                _ if self.is_distance(atom, coefficient) => {}
                _ => return unknown,
            }
        }
        found.map_or(unknown, |(provenance, space)| (provenance, Some(space)))
    }

    /// A summand that is no address of an object: a multiple, or made of values of at most 32 bits.
    fn is_distance(&self, atom: TermId, coefficient: u64) -> bool {
        let narrow = |term: TermId| match *self.terms.node(term) {
            Node::Unary(Unary::Zext | Unary::Sext, inner) => self.terms.width(inner) <= 32,
            _ => false,
        };
        let multiple = coefficient != 1 && coefficient != u64::MAX;
        multiple
            || narrow(atom)
            || matches!(self.terms.node(atom), Node::Product(factors) if factors.iter().all(|&factor| narrow(factor)))
    }
}
