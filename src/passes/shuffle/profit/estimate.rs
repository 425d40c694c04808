//! How many machine instructions the hot path of a kernel has, from its SSA form.
//!
//! The path goes through the blocks whose loads would be shuffles, then
//! those with the most loads, then the longest. On it every statement counts as one, but parameters, copies and address
//! conversions, which become operands, constants that are added to addresses, products that are fused with a sum, and what
//! nobody uses; divisions and roots that are not approximated count as several.
//! For the operators of KernelGen (PTX of nvcc for two targets, of clang) the hot path has 0.89 to 1.3 machine instructions for each
//! that is counted; more where `ptxas` unrolls a loop. So four fifths of the count are there for sure, with some room for
//! what a target adds beyond the prices: a kernel that is estimated too low gets too few shuffles, never too many.

use ptxasw_ir::analyses::Analyses;
use ptxasw_ir::function::{BlockId, Function, Inst, InstId, Terminator, Value, ValueDef};
use ptxasw_ir::loops::LoopId;
use ptxasw_ir::op::{FloatOp, Op, Rounding};
use ptxasw_ir::opcode::Opcode;
use ptxasw_ir::types::Space;
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// Instructions of a division of floating-point numbers.
const LONG: u32 = 8;
/// Instructions of a division of integers by a constant.
const SHORT: u32 = 3;

/// A block: shuffles that it would get, loads, instructions. Compared in this order.
type Weight = (u32, u32, u32);

/// The hot paths of a function.
pub struct Estimate<'a> {
    analyses: &'a Analyses,
    weights: Vec<Weight>,
    /// Numerator and denominator of the part of the count that is sure to be there.
    share: (u32, u32),
    /// What was asked for before.
    known: RefCell<FxHashMap<Option<LoopId>, u32>>,
}

impl<'a> Estimate<'a> {
    /// `share`: the part of the count that is sure to be there; `repeated`: for each value whether it is computed without it; `covered`: the block of each load that would be a
    /// shuffle.
    pub fn new(
        function: &Function,
        analyses: &'a Analyses,
        share: (u32, u32),
        repeated: &[bool],
        covered: impl Iterator<Item = BlockId>,
    ) -> Self {
        let used = Used::new(function, repeated);
        let mut weights: Vec<Weight> = function
            .blocks
            .iter()
            .map(|block| {
                let insts = block.insts.iter().map(|&inst| function.inst(inst));
                let loads = insts.clone().filter(|inst| is_global_load(inst)).count();
                let statements = block
                    .insts
                    .chunk_by(|&a, &b| function.inst(a).origin == function.inst(b).origin);
                let all: u32 = statements.map(|insts| used.weight(function, insts)).sum();
                let end = u32::from(!matches!(block.terminator, Terminator::Jump(_)));
                (0, loads as u32, all + end)
            })
            .collect();
        for block in covered {
            weights[block.index()].0 += 1;
        }
        Estimate {
            analyses,
            weights,
            share,
            known: RefCell::default(),
        }
    }

    /// Machine instructions of the heaviest path through the kernel, or of one iteration of a loop.
    pub fn hot(&self, frame: Option<LoopId>) -> u32 {
        if let Some(&known) = self.known.borrow().get(&frame) {
            return known;
        }
        let (part, of) = self.share;
        let hot = self.path(frame).2 * part / of;
        self.known.borrow_mut().insert(frame, hot);
        hot
    }

    /// The heaviest path, back edges aside: from the entry to any end, or from the header to a latch.
    fn path(&self, frame: Option<LoopId>) -> Weight {
        let cfg = &self.analyses.cfg;
        let inside = frame.map(|id| self.analyses.loops.get(id));
        let mut blocks = match frame {
            Some(id) => self.analyses.loops.blocks(id).to_vec(),
            None => cfg.reverse_post_order().to_vec(),
        };
        blocks.sort_unstable_by_key(|&block| cfg.position(block));
        let mut best: FxHashMap<BlockId, Weight> = FxHashMap::default();
        for &block in blocks.iter().rev() {
            let forward = cfg
                .successors(block)
                .filter(|&next| cfg.position(next) > cfg.position(block));
            let rest = forward.filter_map(|next| best.get(&next).copied()).max();
            let ends = inside.is_none_or(|inside| inside.latches.contains(&block));
            if let Some(rest) = rest.or(ends.then_some((0, 0, 0))) {
                let own = self.weights[block.index()];
                best.insert(block, (own.0 + rest.0, own.1 + rest.1, own.2 + rest.2));
            }
        }
        let first = blocks.first().and_then(|first| best.get(first));
        first.copied().unwrap_or_default()
    }
}

/// How values are used, and computed.
struct Used<'a> {
    /// By something that has an effect, decides a branch, or is used so itself.
    live: Vec<bool>,
    /// By something else than the address of an access.
    computed_with: Vec<bool>,
    /// How often.
    times: Vec<u32>,
    /// By a sum that may be fused with a product.
    summed: Vec<bool>,
    /// Computed before, but for a constant.
    repeated: &'a [bool],
}

impl<'a> Used<'a> {
    fn new(function: &Function, repeated: &'a [bool]) -> Self {
        let values = function.values.len();
        let mut used = Used {
            live: vec![false; values],
            computed_with: vec![false; values],
            times: vec![0; values],
            summed: vec![false; values],
            repeated,
        };
        let mut work: Vec<Value> = Vec::new();
        for inst in &function.insts {
            let address = matches!(inst.opcode, Opcode::Load(_) | Opcode::Store(_));
            for (index, &arg) in inst.args.iter().enumerate() {
                used.computed_with[arg.index()] |= !address || index > 0;
                used.times[arg.index()] += 1;
                used.summed[arg.index()] |= is_fusible(inst, &[FloatOp::Add, FloatOp::Sub]);
            }
            if !matches!(inst.opcode, Opcode::Op(_)) {
                work.extend(&inst.args);
                work.extend(inst.guard.map(|(guard, _)| guard));
            }
        }
        for block in &function.blocks {
            work.extend(decided_by(&block.terminator));
            for target in block.terminator.targets() {
                work.extend(&target.args);
                for arg in &target.args {
                    used.computed_with[arg.index()] = true;
                    used.times[arg.index()] += 1;
                }
            }
        }
        while let Some(value) = work.pop() {
            if std::mem::replace(&mut used.live[value.index()], true) {
                continue;
            }
            if let ValueDef::Result(inst, _) = function.value(value).def {
                work.extend(&function.inst(inst).args);
            }
        }
        used
    }

    /// What the instructions of one statement count as.
    fn weight(&self, function: &Function, insts: &[InstId]) -> u32 {
        let counted = insts.iter().map(|&id| function.inst(id));
        let counted = counted.filter(|inst| !self.is_dropped(function, inst));
        counted.map(instructions).max().unwrap_or(0)
    }

    /// Nobody uses it, or it only adds a constant to an address, which the access does by itself.
    fn is_dropped(&self, function: &Function, inst: &Inst) -> bool {
        let Opcode::Op(op) = inst.opcode else {
            return false;
        };
        let offset = matches!(op, Op::Add { .. })
            && matches!(function.value(inst.args[1]).def, ValueDef::Constant(_));
        let product = is_fusible(inst, &[FloatOp::Mul]);
        let result = |value: &Value| {
            let index = value.index();
            let fused = product && self.summed[index] && self.times[index] == 1;
            self.live[index]
                && !self.repeated[index]
                && !fused
                && (!offset || self.computed_with[index])
        };
        !inst.results.iter().any(result)
    }
}

/// One of some operations that the assembler may fuse.
fn is_fusible(inst: &Inst, ops: &[FloatOp]) -> bool {
    matches!(&inst.opcode, Opcode::Op(Op::Float { op, mode, .. })
        if ops.contains(op) && mode.rounding == Rounding::Contractible)
}

/// What decides where a block goes.
fn decided_by(terminator: &Terminator) -> Option<Value> {
    match terminator {
        Terminator::Branch { condition, .. } => Some(*condition),
        Terminator::Switch { index, .. } => Some(*index),
        _ => None,
    }
}

fn is_global_load(inst: &Inst) -> bool {
    matches!(&inst.opcode, Opcode::Load(access) if matches!(access.space, Space::Global | Space::Generic))
}

/// What an instruction counts as.
fn instructions(inst: &Inst) -> u32 {
    match &inst.opcode {
        Opcode::Load(access) if access.space == Space::ParamEntry => 0,
        Opcode::Op(
            Op::Copy { .. } | Op::Copies { .. } | Op::ToGeneric { .. } | Op::FromGeneric { .. },
        ) => 0,
        Opcode::Op(Op::Div { .. } | Op::Rem { .. }) => SHORT,
        Opcode::Op(Op::Float { op, mode, .. }) => match op {
            FloatOp::Div | FloatOp::Sqrt | FloatOp::Rcp
                if !matches!(mode.rounding, Rounding::Approximate | Rounding::Full) =>
            {
                LONG
            }
            _ => 1,
        },
        _ => 1,
    }
}
