//! Which values are live where.
//!
//! From each use a walk backwards to the definition (Appel and Palsberg, "Modern Compiler Implementation", section
//! 19.6): the work is the size of the result. Constants, special registers, addresses and undefined values are nowhere
//! live: they can be had anywhere.

use super::cfg::{Adjacency, Cfg};
use super::function::{BlockId, Function, Terminator, Value, ValueDef};

/// Values live at block boundaries.
#[derive(Clone, Debug)]
pub struct Liveness {
    live_in: Vec<Vec<Value>>,
    live_out: Vec<Vec<Value>>,
}

impl Liveness {
    /// Computes liveness; `cfg` is the function's.
    pub fn new(function: &Function, cfg: &Cfg) -> Self {
        let blocks = function.blocks.len();
        let mut liveness = Liveness {
            live_in: vec![Vec::new(); blocks],
            live_out: vec![Vec::new(); blocks],
        };
        let uses = uses(function, cfg);
        let mut stack = Vec::new();
        for index in 0..function.values.len() as u32 {
            let value = Value(index);
            let Some(def_block) = def_block(function, value) else {
                continue;
            };
            for &block in uses.of(index) {
                liveness.enter(value, BlockId(block), def_block, &mut stack);
            }
            while let Some(block) = stack.pop() {
                for predecessor in cfg.predecessors(block).filter(|&p| cfg.reachable(p)) {
                    push(&mut liveness.live_out[predecessor.index()], value);
                    liveness.enter(value, predecessor, def_block, &mut stack);
                }
            }
        }
        liveness
    }

    /// Values that are live at the start of a block, ascending. Its parameters are not: they begin there.
    pub fn live_in(&self, block: BlockId) -> &[Value] {
        &self.live_in[block.index()]
    }

    /// Values that a successor of the block needs, ascending. Arguments that the block passes are not among them if
    /// nothing else needs them: they end there.
    pub fn live_out(&self, block: BlockId) -> &[Value] {
        &self.live_out[block.index()]
    }

    /// Whether `value` is live at the start of `block`.
    pub fn is_live_in(&self, value: Value, block: BlockId) -> bool {
        self.live_in(block).binary_search(&value).is_ok()
    }

    /// Whether a successor of `block` needs `value`.
    pub fn is_live_out(&self, value: Value, block: BlockId) -> bool {
        self.live_out(block).binary_search(&value).is_ok()
    }

    /// Notes that `value` is needed in `block`, which is to be walked on from if the value comes from above.
    fn enter(
        &mut self,
        value: Value,
        block: BlockId,
        def_block: BlockId,
        stack: &mut Vec<BlockId>,
    ) {
        if block != def_block && push(&mut self.live_in[block.index()], value) {
            stack.push(block);
        }
    }
}

/// Adds `value` to a list that holds no greater one; false if it is there.
fn push(list: &mut Vec<Value>, value: Value) -> bool {
    let new = list.last() != Some(&value);
    if new {
        list.push(value);
    }
    new
}

/// The block that defines a value.
fn def_block(function: &Function, value: Value) -> Option<BlockId> {
    match function.value(value).def {
        ValueDef::Result(inst, _) => Some(function.inst(inst).block),
        ValueDef::Parameter(block, _) => Some(block),
        _ => None,
    }
}

/// The reachable blocks that use each value, as operands, guards, conditions or arguments.
fn uses(function: &Function, cfg: &Cfg) -> Adjacency {
    let mut edges = Vec::with_capacity(function.insts.len() * 2);
    for &id in cfg.reverse_post_order() {
        let block = function.block(id);
        for &inst in &block.insts {
            let inst = function.inst(inst);
            let guard = inst.guard.map(|guard| guard.0);
            let values = inst.args.iter().copied().chain(guard);
            edges.extend(values.map(|value| (value.0, id.0)));
        }
        match block.terminator {
            Terminator::Branch { condition, .. } => edges.push((condition.0, id.0)),
            Terminator::Switch { index, .. } => edges.push((index.0, id.0)),
            _ => {}
        }
        for target in block.terminator.targets() {
            edges.extend(target.args.iter().map(|arg| (arg.0, id.0)));
        }
    }
    Adjacency::new(function.values.len(), &edges)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builder::{FunctionBuilder, target};
    use crate::op::Op;
    use crate::opcode::Opcode;

    #[test]
    fn a_value_from_before_a_loop_is_live_all_around_it() {
        // entry: a = 1 + 1; header(p): q = p + a; branch header(q), end; end: a + a
        let mut builder = FunctionBuilder::new("f", true);
        let [entry, header, end] = std::array::from_fn(|_| builder.block());
        let add = Opcode::Op(Op::Add { width: 32 });
        let one = builder.constant(32, 1);
        let a = builder.single(entry, add.clone(), &[one, one], 32, 0);
        let p = builder.param(header, 32);
        let q = builder.single(header, add.clone(), &[p, a], 32, 0);
        let condition = builder.undefined(1);
        builder.single(end, add, &[a, a], 32, 0);
        builder.terminate(entry, Terminator::Jump(target(header, &[one])), 0);
        let branch = Terminator::Branch {
            condition,
            then: target(header, &[q]),
            otherwise: target(end, &[]),
            uniform: false,
        };
        builder.terminate(header, branch, 0);
        builder.terminate(end, Terminator::Return, 0);
        let function = builder.finish();
        let liveness = Liveness::new(&function, &Cfg::new(&function));
        assert_eq!(liveness.live_in(entry), []);
        assert_eq!(liveness.live_out(entry), [a]);
        assert_eq!(liveness.live_in(header), [a]);
        assert_eq!(liveness.live_out(header), [a]);
        assert_eq!(liveness.live_out(end), []);
        assert!(liveness.is_live_in(a, end) && !liveness.is_live_out(q, header));
        assert!(!liveness.is_live_in(one, header) && !liveness.is_live_in(p, header));
    }
}
