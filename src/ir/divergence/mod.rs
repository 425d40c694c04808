//! Which values and branches are the same in all threads of a thread block, or in all threads of a row of it.
//!
//! The claim about a value is one about threads that execute *the same dynamic instance*: the same block, in the same
//! iteration of every loop around it. Two things make a value differ that is computed from equal operands:
//! - *joins*: paths that a branch with a varying condition separated meet again, and a block parameter takes the
//!   argument of one or the other (`joins`);
//! - *time*: threads leave a loop in different iterations, so that a value of the loop differs outside although it is
//!   the same in each iteration. [`Divergence::value_at`] counts that in, [`Divergence::value`] does not.
//!
//! The analysis starts with everything uniform and raises levels to a fixed point; each value, branch and loop rises at most
//! twice. In functions with irreducible cycles, where iterations cannot be distinguished, and where the search for joins would
//! take too long (`STEPS_PER_BLOCK`), all block parameters are divergent; what is not is then the same at all times.

mod joins;
mod leaving;
#[cfg(test)]
mod tests;
mod transfer;

use super::cfg::{Adjacency, Cfg};
use super::dominators::DominatorTree;
use super::function::{BlockId, Function, InstId, Terminator, Value, ValueDef};
use super::loops::{LoopId, LoopNest};
use joins::Joins;
use leaving::{Leaving, Reader};
use transfer::Memory;

/// Steps that the search for joins may take for each block of the function, on top of [`STEPS`]. Ladders of divergent
/// branches, each of which skips a few blocks, make it quadratic.
const STEPS_PER_BLOCK: usize = 64;

/// Steps that the search for joins may take in any function.
const STEPS: usize = 1 << 20;

/// How equal a value is between threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Level {
    /// In all threads of the thread block that execute the instance.
    Uniform,
    /// In those of them that have the same `%tid.y` and `%tid.z`.
    Row,
    /// Not known to be.
    Divergent,
}

/// The result of the analysis.
#[derive(Clone, Debug)]
pub struct Divergence {
    values: Vec<Level>,
    branches: Vec<Level>,
    exits: Vec<Level>,
    /// What the parameters of each block are at least.
    joined: Vec<Level>,
    innermost_loops: Vec<Option<LoopId>>,
}

impl Divergence {
    /// Runs the analysis.
    pub fn new(
        function: &Function,
        cfg: &Cfg,
        post_dominators: &DominatorTree,
        nest: &LoopNest,
    ) -> Self {
        let mut solver = Solver::new(function, cfg, post_dominators, nest);
        solver.run();
        solver.state
    }

    /// The level of a value where it is defined, and wherever it is used inside the loops around its definition.
    pub fn value(&self, value: Value) -> Level {
        self.values[value.index()]
    }

    /// The level of a value as `block` reads it: outside a loop that threads leave in different iterations, values of
    /// the loop are divergent.
    pub fn value_at(&self, nest: &LoopNest, value: Value, block: BlockId) -> Level {
        let mut level = self.value(value);
        let mut enclosing = self.innermost_loops[value.index()];
        while let Some(id) = enclosing.filter(|&id| !nest.contains(id, block)) {
            level = level.max(self.exits[id.0 as usize]);
            enclosing = nest.get(id).parent;
        }
        level
    }

    /// The level of the decision at the end of a block; [`Level::Uniform`] if there is none.
    pub fn branch(&self, block: BlockId) -> Level {
        self.branches[block.index()]
    }

    /// Whether threads took the same path to a join, in the same iteration of the loops around it: all of the block of threads,
    /// of a row, or neither. For loops on the path, see [`Divergence::loop_exits`].
    pub fn joined(&self, block: BlockId) -> Level {
        self.joined[block.index()]
    }

    /// Whether threads leave the loop together: in the same iteration, all of the block, of a row, or neither.
    pub fn loop_exits(&self, id: LoopId) -> Level {
        self.exits[id.0 as usize]
    }
}

/// Something that reads values and is evaluated again when one of them rises.
#[derive(Clone, Copy)]
enum User {
    /// An instruction, by its operands and guard.
    Inst(InstId),
    /// The end of a block, by its condition or index.
    End(BlockId),
    /// The block parameters that a value is passed to.
    Passed(Value),
}

struct Solver<'a> {
    function: &'a Function,
    cfg: &'a Cfg,
    post_dominators: &'a DominatorTree,
    nest: &'a LoopNest,
    memory: Memory,
    joins: Joins,
    /// Steps that `joins` may still take; 0 when the search has given up.
    steps: usize,
    /// Users of each value: instructions by number, then block ends.
    users: Adjacency,
    /// The block parameters that each value is passed to.
    passed: Adjacency,
    /// Reads of values outside their loops.
    leaving: Leaving,
    /// The level of what an instruction or a block's end reads of loops that it is outside of, at least.
    outside: Vec<Level>,
    /// Where threads that leave a loop are together again at the latest: the first post-dominator of its header outside.
    reconvergence: Vec<Option<BlockId>>,
    state: Divergence,
    /// Loops that threads leave in different iterations, whose exits are still to be looked at.
    leaves: Vec<LoopId>,
    queue: Vec<User>,
    queued: Vec<bool>,
}

impl<'a> Solver<'a> {
    fn new(
        function: &'a Function,
        cfg: &'a Cfg,
        post_dominators: &'a DominatorTree,
        nest: &'a LoopNest,
    ) -> Self {
        let blocks = function.blocks.len();
        let innermost_loops = function.values.iter().map(|data| match data.def {
            ValueDef::Result(inst, _) => nest.innermost(function.inst(inst).block),
            ValueDef::Parameter(block, _) => nest.innermost(block),
            _ => None,
        });
        let state = Divergence {
            values: function
                .values
                .iter()
                .map(|v| transfer::leaf(&v.def))
                .collect(),
            branches: vec![Level::Uniform; blocks],
            exits: vec![Level::Uniform; nest.loops.len()],
            joined: vec![Level::Uniform; blocks],
            innermost_loops: innermost_loops.collect(),
        };
        Solver {
            function,
            cfg,
            post_dominators,
            nest,
            memory: Memory::of(function),
            joins: Joins::new(blocks),
            steps: STEPS + STEPS_PER_BLOCK * blocks,
            users: users(function),
            passed: passed(function),
            leaving: Leaving::new(function, nest, &state.innermost_loops),
            outside: vec![Level::Uniform; function.insts.len() + blocks],
            reconvergence: reconvergence_points(nest, post_dominators),
            state,
            leaves: Vec::new(),
            queue: Vec::new(),
            queued: vec![false; function.insts.len() + blocks + function.values.len()],
        }
    }

    fn run(&mut self) {
        if self.nest.any_irreducible() {
            self.give_up();
        }
        let function = self.function;
        for index in 0..function.values.len() as u32 {
            if self.state.value(Value(index)) > Level::Uniform {
                self.enqueue(User::Passed(Value(index)));
            }
        }
        // The queue is a stack: filled backwards, the first pass is in the order of execution.
        for &id in self.cfg.reverse_post_order().iter().rev() {
            self.enqueue(User::End(id));
            for &inst in function.block(id).insts.iter().rev() {
                self.enqueue(User::Inst(inst));
            }
        }
        loop {
            if let Some(id) = self.leaves.pop() {
                self.split_exits(id, self.state.exits[id.0 as usize]);
                continue;
            }
            let Some(user) = self.queue.pop() else { break };
            let slot = self.slot(user);
            self.queued[slot] = false;
            match user {
                User::Inst(id) => self.visit_inst(id),
                User::End(id) => self.visit_end(id),
                User::Passed(value) => self.visit_passed(value),
            }
        }
    }

    /// Calls all block parameters and all exits divergent.
    fn give_up(&mut self) {
        self.steps = 0;
        for id in self.function.block_ids() {
            self.raise_params(id, Level::Divergent);
        }
        for id in self.nest.ids() {
            self.raise_exits(id, Level::Divergent);
        }
    }

    fn slot(&self, user: User) -> usize {
        match user {
            User::Inst(id) => id.index(),
            User::End(id) => self.function.insts.len() + id.index(),
            User::Passed(value) => {
                self.function.insts.len() + self.function.blocks.len() + value.index()
            }
        }
    }

    fn enqueue(&mut self, user: User) {
        let slot = self.slot(user);
        if !std::mem::replace(&mut self.queued[slot], true) {
            self.queue.push(user);
        }
    }

    /// The level of what a user reads of loops that it is outside of, at least.
    fn outside(&mut self, user: User) -> &mut Level {
        let slot = self.slot(user);
        &mut self.outside[slot]
    }

    fn raise(&mut self, value: Value, level: Level) {
        let old = self.state.values[value.index()];
        if level <= old {
            return;
        }
        self.state.values[value.index()] = level;
        self.enqueue_users(value);
    }

    /// Enqueues all that reads a value.
    fn enqueue_users(&mut self, value: Value) {
        for index in 0..self.users.of(value.0).len() {
            let user = self.users.of(value.0)[index];
            self.enqueue_number(user);
        }
        if !self.passed.of(value.0).is_empty() {
            self.enqueue(User::Passed(value));
        }
    }

    /// Enqueues a user by its number in [`Solver::users`].
    fn enqueue_number(&mut self, user: u32) {
        let insts = self.function.insts.len() as u32;
        self.enqueue(match user.checked_sub(insts) {
            None => User::Inst(InstId(user)),
            Some(block) => User::End(BlockId(block)),
        });
    }

    fn raise_params(&mut self, block: BlockId, level: Level) {
        if level <= self.state.joined[block.index()] {
            return;
        }
        self.state.joined[block.index()] = level;
        let function = self.function;
        for &param in &function.block(block).params {
            self.raise(param, level);
        }
    }

    fn visit_inst(&mut self, id: InstId) {
        let function = self.function;
        let inst = function.inst(id);
        let operands = inst.args.iter().copied().chain(inst.guard.map(|g| g.0));
        let operands = operands
            .map(|value| self.state.value(value))
            .max()
            .unwrap_or(Level::Uniform)
            .max(*self.outside(User::Inst(id)));
        let level = self.memory.result(&inst.opcode, operands);
        for &result in &inst.results {
            self.raise(result, level);
        }
    }

    fn visit_passed(&mut self, value: Value) {
        for index in 0..self.passed.of(value.0).len() {
            let param = Value(self.passed.of(value.0)[index]);
            self.raise(param, self.state.value(value));
        }
    }

    fn visit_end(&mut self, id: BlockId) {
        let condition = match self.function.block(id).terminator {
            Terminator::Branch { condition, .. } => condition,
            Terminator::Switch { index, .. } => index,
            _ => return,
        };
        let level = self
            .state
            .value(condition)
            .max(*self.outside(User::End(id)));
        if level > self.state.branches[id.index()] {
            self.state.branches[id.index()] = level;
            self.split_branch(id, level);
        }
    }

    /// Threads part at the end of a block.
    fn split_branch(&mut self, id: BlockId, level: Level) {
        let targets = self.function.block(id).terminator.targets();
        let edges: Vec<BlockId> = targets.iter().map(|target| target.block).collect();
        let stop = self.post_dominators.immediate(id);
        self.split(&edges, self.nest.innermost(id), stop, level);
    }

    /// Threads leave a loop in different iterations: its exits are like one branch in the loop around it.
    fn split_exits(&mut self, id: LoopId, level: Level) {
        if self.steps == 0 {
            return;
        }
        let exits = self.nest.exits(id);
        // In a nest each loop may have the exits of all.
        if !self.spend(exits.len()) {
            return;
        }
        let mut edges = Vec::new();
        for (from, to) in exits {
            edges.extend(self.cfg.targets_between(from, to).map(|_| to));
        }
        let enclosing = self.nest.get(id).parent;
        self.split(&edges, enclosing, self.reconvergence[id.0 as usize], level);
    }

    /// Takes steps; false if there are no more, and the search gives up.
    fn spend(&mut self, steps: usize) -> bool {
        self.steps = self.steps.saturating_sub(steps);
        if self.steps == 0 {
            self.give_up();
        }
        self.steps > 0
    }

    fn split(
        &mut self,
        edges: &[BlockId],
        enclosing: Option<LoopId>,
        stop: Option<BlockId>,
        level: Level,
    ) {
        if self.steps == 0 {
            return;
        }
        let mut joins = std::mem::take(&mut self.joins);
        let leaves = joins.find(self.function, self.cfg, self.nest, edges, enclosing, stop);
        for &block in joins.blocks() {
            self.raise_params(block, level);
        }
        let steps = joins.steps();
        self.joins = joins;
        if self.spend(steps)
            && leaves
            && let Some(enclosing) = enclosing
        {
            self.raise_exits(enclosing, level);
        }
    }

    fn raise_exits(&mut self, id: LoopId, level: Level) {
        if level <= self.state.exits[id.0 as usize] {
            return;
        }
        self.state.exits[id.0 as usize] = level;
        for reader in self.leaving.take(self.nest, id, level) {
            let user = match reader {
                // The edge leaves the loop: the parameter is what is seen after it.
                Reader::Param(param) => {
                    self.raise(param, level);
                    continue;
                }
                Reader::Inst(id) => User::Inst(id),
                Reader::End(id) => User::End(id),
            };
            let outside = self.outside(user);
            *outside = level.max(*outside);
            self.enqueue(user);
        }
        // Not at once: that leads to the loops around it, as deep as they are.
        self.leaves.push(id);
    }
}

/// The first post-dominator of each loop's header outside the loop.
fn reconvergence_points(nest: &LoopNest, post_dominators: &DominatorTree) -> Vec<Option<BlockId>> {
    let mut points: Vec<Option<BlockId>> = vec![None; nest.loops.len()];
    // Inner loops first: the path up the post-dominator tree skips them.
    for id in nest.ids().rev() {
        let mut next = post_dominators.immediate(nest.get(id).header);
        while let Some(block) = next.filter(|&block| nest.contains(id, block)) {
            next = match nest.innermost(block) {
                Some(inner) if inner != id && nest.get(inner).header == block => {
                    points[inner.0 as usize]
                }
                _ => post_dominators.immediate(block),
            };
        }
        points[id.0 as usize] = next;
    }
    points
}

/// The users of each value, by number: instructions, then block ends.
fn users(function: &Function) -> Adjacency {
    let insts = function.insts.len() as u32;
    let mut edges = Vec::with_capacity(function.insts.len() * 2);
    for (index, inst) in function.insts.iter().enumerate() {
        let guard = inst.guard.iter().map(|guard| guard.0);
        edges.extend(
            inst.args
                .iter()
                .copied()
                .chain(guard)
                .map(|v| (v.0, index as u32)),
        );
    }
    for id in function.block_ids() {
        match function.block(id).terminator {
            Terminator::Branch { condition, .. } => edges.push((condition.0, insts + id.0)),
            Terminator::Switch { index, .. } => edges.push((index.0, insts + id.0)),
            _ => {}
        }
    }
    Adjacency::new(function.values.len(), &edges)
}

/// The block parameters that each value is passed to.
fn passed(function: &Function) -> Adjacency {
    let mut edges = Vec::new();
    for block in &function.blocks {
        for target in block.terminator.targets() {
            let params = &function.block(target.block).params;
            edges.extend(
                params
                    .iter()
                    .zip(&target.args)
                    .map(|(param, arg)| (arg.0, param.0)),
            );
        }
    }
    Adjacency::new(function.values.len(), &edges)
}
