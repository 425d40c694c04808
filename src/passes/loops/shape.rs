//! Which loops may run in batches: L1, L6, L8 and L9 of the contract, but for what exit conditions are computed from.

use super::refusal::Refusal;
use crate::Session;
use ptxasw_ir::effects;
use ptxasw_ir::function::{BlockId, Function, InstId, Terminator, Value, ValueDef};
use ptxasw_ir::loops::LoopId;
use ptxasw_ir::op::{FloatOp, Op, Rounding};
use ptxasw_ir::opcode::Opcode;

/// Instructions of a loop: copies of more do not fit the instruction cache.
const MAX_INSTS: usize = 512;
/// Blocks of a loop.
const MAX_BLOCKS: usize = 32;

/// A branch that may leave a loop.
#[derive(Clone, Copy, Debug)]
pub struct LoopExit {
    /// The block that it ends.
    pub block: BlockId,
    /// The predicate of the branch.
    pub condition: Value,
    /// The loop goes on where the condition is this.
    pub on_where: bool,
    /// It is the back edge, or else the exit: nothing of the iteration follows.
    pub at_end: bool,
}

/// A loop that may have copies of its iterations.
pub struct Shape {
    /// Where an iteration begins.
    pub header: BlockId,
    /// All blocks, the header first.
    pub blocks: Vec<BlockId>,
    /// Where iterations end.
    pub latches: Vec<BlockId>,
    /// Where it is left.
    pub exits: Vec<LoopExit>,
    /// Its iterations take several paths.
    pub branches: bool,
    /// The assembler makes several blocks of an operation of it.
    pub expands: bool,
}

impl Shape {
    /// Of an innermost loop.
    ///
    /// # Errors
    /// What keeps it from running in batches.
    pub fn of(session: &Session, id: LoopId) -> Result<Self, Refusal> {
        let (function, loops) = (session.function, &session.analyses().loops);
        let one = loops.get(id);
        let blocks = loops.blocks(id).to_vec();
        if one.irreducible {
            return Err(Refusal::Shape);
        }
        let size: usize = blocks
            .iter()
            .map(|&block| function.block(block).insts.len())
            .sum();
        if size > MAX_INSTS || blocks.len() > MAX_BLOCKS {
            return Err(Refusal::Large(MAX_INSTS));
        }
        let (mut exits, mut branches, mut expands) = (Vec::new(), false, false);
        for &block in &blocks {
            for &inst in &function.block(block).insts {
                may_repeat(session, inst)?;
                expands |= is_expanded(function, inst);
            }
            let exit = exit(session, id, block)?;
            let decides = function.block(block).terminator.decision().is_some();
            branches |= decides && exit.is_none();
            exits.extend(exit);
        }
        match exits.is_empty() {
            true => Err(Refusal::Endless),
            false => Ok(Shape {
                header: one.header,
                blocks,
                latches: one.latches.clone(),
                exits,
                branches,
                expands,
            }),
        }
    }

    /// How many blocks there are but for those that only go back to the header.
    pub fn work_blocks(&self, session: &Session) -> usize {
        let works = |&&block: &&BlockId| !is_back_edge(session.function, block, self.header);
        self.blocks.iter().filter(works).count()
    }
}

/// Whether an operation becomes a sequence with a branch: quotients and roots that are rounded right, and 64-bit quotients of integers.
fn is_expanded(function: &Function, inst: InstId) -> bool {
    match function.inst(inst).opcode {
        Opcode::Op(Op::Div { width, .. } | Op::Rem { width, .. }) => width == 64,
        Opcode::Op(Op::Float { op, mode, .. }) => {
            let rounded = !matches!(mode.rounding, Rounding::Approximate | Rounding::Full);
            rounded && matches!(op, FloatOp::Div | FloatOp::Rcp | FloatOp::Sqrt)
        }
        _ => false,
    }
}

/// Whether the loop is left at the end of a block.
fn exit(session: &Session, id: LoopId, block: BlockId) -> Result<Option<LoopExit>, Refusal> {
    let (function, loops) = (session.function, &session.analyses().loops);
    let header = loops.get(id).header;
    match &function.block(block).terminator {
        Terminator::Jump(_) => Ok(None),
        // Lanes that agree in each iteration need not agree where they are in different ones.
        Terminator::Branch { uniform: true, .. } => Err(Refusal::Agreed),
        Terminator::Branch {
            condition,
            then,
            otherwise,
            ..
        } => {
            let [on_then, on_else] = [then, otherwise].map(|one| loops.contains(id, one.block));
            let goes_on = if on_then { then } else { otherwise };
            Ok((on_then != on_else).then_some(LoopExit {
                block,
                condition: *condition,
                on_where: on_then,
                at_end: goes_on.block == header || is_back_edge(function, goes_on.block, header),
            }))
        }
        _ => Err(Refusal::Shape),
    }
}

/// Whether a block only goes to the header: the way of compilers that branch out of the loop (`@p bra EXIT; bra HEADER;`).
fn is_back_edge(function: &Function, block: BlockId, header: BlockId) -> bool {
    let data = function.block(block);
    let goes_there = matches!(&data.terminator, Terminator::Jump(to) if to.block == header);
    data.insts.is_empty() && goes_there
}

/// Whether an instruction does nothing but compute, load and store: what lanes do together has one copy, and what orders memory is
/// no part of a batch.
fn may_repeat(session: &Session, id: InstId) -> Result<(), Refusal> {
    let function = session.function;
    let inst = function.inst(id);
    let is_plain = match &inst.opcode {
        Opcode::Op(_) | Opcode::Nop => true,
        Opcode::Load(access) | Opcode::Store(access) => access.order.is_weak(),
        _ => false,
    };
    let effects = effects::of_instruction(inst);
    if !is_plain || effects.waits || effects.convergent || effects.exits || effects.polls {
        return Err(Refusal::Orders(id));
    }
    let changes = |value: &Value| matches!(function.value(*value).def, ValueDef::Special(special) if special.changes());
    match inst.args.iter().any(changes) {
        true => Err(Refusal::Changes),
        false => Ok(()),
    }
}
