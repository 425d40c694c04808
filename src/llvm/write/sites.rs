//! Where a patch's places are among LLVM's instructions, and which LLVM value has the bits of a value.

use super::error::WriteError;
use crate::lower::Lowered;
use crate::mutation::{Mutation, active};
use crate::view::layout::{Layout, Scalar};
use crate::view::{Val, View};
use inkwell::llvm_sys::LLVMOpcode;
use ptxasw::ir::function::{Base, BlockId, Function, InstId, Value, ValueDef};
use ptxasw::ir::op::Op;
use ptxasw::ir::opcode::Opcode;
use ptxasw::ir::patch::{CloneId, Point};
use ptxasw::ir::types::{LaneMask, Special};
use std::ops::Range;

/// A copy of the code: none for the original.
pub(super) type Copied = Option<CloneId>;

/// A block and the index of an instruction in it, or the number of its instructions.
pub(super) type Position = (BlockId, usize);

/// Operations that are computed anew to read one value.
const MAX_COMPUTED: usize = 64;

/// How a value is read.
pub(super) enum Source<'m> {
    Constant(u64),
    /// By the name of the register, as its intrinsic has it.
    Special(&'static str),
    /// The address of a variable in its own space, and bytes behind it.
    Address(Val<'m>, i64),
    /// A scalar of an LLVM value.
    Scalar(Val<'m>, u32),
    /// A result of an operation on other values.
    Computed(Op, usize, Vec<Value>),
}

/// A function in both forms.
pub(super) struct Sites<'a, 'm> {
    pub lowered: &'a Lowered<'m>,
    pub layout: Layout<'m>,
    /// Places of instructions in their blocks.
    of: Vec<usize>,
}

impl<'a, 'm> Sites<'a, 'm> {
    pub fn new(view: View<'m>, lowered: &'a Lowered<'m>) -> Self {
        let mut of = vec![0; lowered.function.insts.len()];
        for block in &lowered.function.blocks {
            for (index, id) in block.insts.iter().enumerate() {
                of[id.index()] = index;
            }
        }
        let layout = Layout::new(view);
        Sites {
            lowered,
            layout,
            of,
        }
    }

    pub fn function(&self) -> &'a Function {
        &self.lowered.function
    }

    /// The instructions of a statement: a block, and which of it.
    pub fn statement(&self, id: InstId) -> Result<(BlockId, Range<usize>), WriteError> {
        let function = self.function();
        if id.index() >= function.insts.len() {
            return Err(WriteError::Unknown(id.to_string()));
        }
        let (inst, at) = (function.inst(id), self.of[id.index()]);
        let insts = &function.block(inst.block).insts;
        let own = |id: &&InstId| function.inst(**id).origin == inst.origin;
        let before = insts[..at].iter().rev().take_while(own).count();
        let behind = insts[at..].iter().take_while(own).count();
        Ok((inst.block, at - before..at + behind))
    }

    /// Where a point is.
    pub fn position(&self, point: Point) -> Result<Position, WriteError> {
        let blocks = &self.function().blocks;
        let of_block = |block: BlockId| {
            let found = blocks.get(block.index());
            found.ok_or_else(|| WriteError::Unknown(block.to_string()))
        };
        Ok(match point {
            Point::Before(id) => {
                let (block, insts) = self.statement(id)?;
                (block, insts.start)
            }
            Point::Behind(id) => {
                let (block, insts) = self.statement(id)?;
                match active(Mutation::PlaceTooEarly) {
                    true => (block, insts.start),
                    false => (block, insts.end),
                }
            }
            Point::Start(block) => of_block(block).map(|_| (block, 0))?,
            Point::End(block) => (block, of_block(block)?.insts.len()),
        })
    }

    /// The statement in front of which a position is.
    pub fn anchor(&self, (block, index): Position) -> Result<u32, WriteError> {
        let numbering = &self.lowered.numbering;
        let part = self.lowered.parts[block.index()].ok_or(WriteError::InsideSwitch(block))?;
        let part = &numbering.parts()[part as usize];
        let (first, last) = (part.statements.start + part.phis, part.statements.end - 1);
        let insts = &self.function().block(block).insts;
        let origin = |id: &InstId| {
            let origin = self.function().inst(*id).origin;
            (first..=last).contains(&origin).then_some(origin)
        };
        let Some(next) = insts.get(index) else {
            return Ok(last);
        };
        // Constants are computed in the first block, wherever it was when they were needed.
        let before = insts[..index].iter().rev().find_map(origin);
        let found = match (before, origin(next)) {
            (None, Some(next)) => next,
            (Some(before), Some(next)) if next > before => next,
            (Some(before), _) => (before + 1).min(last),
            (None, None) => first,
        };
        // Room on the stack is made at the start of the function.
        let is_alloca = |statement: &u32| {
            let instruction = numbering.instruction(*statement);
            instruction.is_some_and(|one| one.opcode() == LLVMOpcode::LLVMAlloca)
        };
        Ok((found..last).find(|one| !is_alloca(one)).unwrap_or(last))
    }

    /// LLVM's instruction of a statement, if one stands alone for it.
    pub fn instruction(&self, id: InstId) -> Result<Val<'m>, WriteError> {
        self.statement(id)?;
        let origin = self.function().inst(id).origin;
        let found = self.lowered.numbering.instruction(origin);
        found.ok_or(WriteError::Fixed(id))
    }

    /// The scalar that a value is: of what defines it.
    pub fn scalar(&self, value: Value) -> Option<(Val<'m>, u32)> {
        let (holder, scalar) = (*self.lowered.scalars.get(value.index())?)?;
        let data = self.function().value(value);
        let own = match data.def {
            ValueDef::Result(id, _) => {
                let statement = self.lowered.numbering.statement(holder).unwrap_or(0);
                statement == self.function().inst(id).origin
            }
            ValueDef::Parameter(..) => {
                holder.is_instruction() && holder.opcode() == LLVMOpcode::LLVMPHI
            }
            _ => false,
        };
        let leaf = self.layout.leaves(holder.ty()).get(scalar as usize)?.scalar;
        let bits = !matches!(leaf, Scalar::Other(_)) && leaf.bits() == u64::from(data.width);
        (own && bits && data.width <= 64).then_some((holder, scalar))
    }

    /// How a value is read.
    pub fn source(&self, value: Value) -> Result<Source<'m>, WriteError> {
        let function = self.function();
        let Some(data) = function.values.get(value.index()) else {
            return Err(WriteError::Unknown(value.to_string()));
        };
        let error = WriteError::NotReadable(value);
        match &data.def {
            ValueDef::Constant(bits) => return Ok(Source::Constant(*bits)),
            ValueDef::Special(special) => {
                return register(*special).map(Source::Special).ok_or(error);
            }
            ValueDef::Address(Base::Variable(_, number), bytes) => {
                let variable = self.lowered.variables.get(*number as usize);
                let variable = variable.copied().flatten();
                return variable
                    .map(|one| Source::Address(one, *bytes))
                    .ok_or(error);
            }
            _ => {}
        }
        if let Some((holder, scalar)) = self.scalar(value) {
            return Ok(Source::Scalar(holder, scalar));
        }
        if let ValueDef::Result(id, number) = data.def
            && let inst = function.inst(id)
            && let (Opcode::Op(op), None) = (&inst.opcode, inst.guard)
        {
            return Ok(Source::Computed(*op, number.into(), inst.args.to_vec()));
        }
        Err(error)
    }

    /// Whether a value can be read; tells which LLVM values, and which operations, that takes.
    pub fn readable(
        &self,
        value: Value,
        values: &mut Vec<Val<'m>>,
        ops: &mut Vec<Op>,
    ) -> Result<(), WriteError> {
        let mut work = vec![value];
        let mut computed = 0;
        while let Some(one) = work.pop() {
            match self.source(one)? {
                Source::Scalar(holder, _) => values.push(holder),
                Source::Computed(op, _, args) => {
                    computed += 1;
                    if computed > MAX_COMPUTED {
                        return Err(WriteError::NotReadable(value));
                    }
                    ops.push(op);
                    work.extend(args);
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// The intrinsic's name of a special register that does not change.
pub(super) fn register(special: Special) -> Option<&'static str> {
    const TID: [&str; 3] = ["tid.x", "tid.y", "tid.z"];
    const NTID: [&str; 3] = ["ntid.x", "ntid.y", "ntid.z"];
    const CTAID: [&str; 3] = ["ctaid.x", "ctaid.y", "ctaid.z"];
    const NCTAID: [&str; 3] = ["nctaid.x", "nctaid.y", "nctaid.z"];
    let axis = |names: [&'static str; 3], axis: u8| names.get(usize::from(axis)).copied();
    match special {
        Special::Tid(number) => axis(TID, number),
        Special::Ntid(number) => axis(NTID, number),
        Special::Ctaid(number) => axis(CTAID, number),
        Special::Nctaid(number) => axis(NCTAID, number),
        Special::LaneId => Some("laneid"),
        Special::LaneMask(which) => Some(match which {
            LaneMask::Eq => "lanemask.eq",
            LaneMask::Le => "lanemask.le",
            LaneMask::Lt => "lanemask.lt",
            LaneMask::Ge => "lanemask.ge",
            LaneMask::Gt => "lanemask.gt",
        }),
        _ => None,
    }
}
