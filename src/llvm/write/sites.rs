//! Where a patch's places are among LLVM's instructions, and which LLVM value has the bits of a value.

use super::error::WriteError;
use crate::lower::Lowered;
use crate::mutation::{Mutation, active};
use crate::view::layout::{Layout, Scalar};
use crate::view::{Block, Val, View};
use inkwell::llvm_sys::LLVMOpcode;
use ptxasw_ir::function::{Base, BlockId, Function, InstId, Value, ValueDef};
use ptxasw_ir::op::Op;
use ptxasw_ir::opcode::Opcode;
use ptxasw_ir::patch::{PatchError, Position, Positions};
use ptxasw_ir::types::{LaneMask, Special};

/// Operations that are computed anew to read one value.
const MAX_COMPUTED: usize = 64;

/// How a value is read.
pub(super) enum ValueSource<'m> {
    Constant(u64),
    /// By the name of the register, as its intrinsic has it.
    Special(&'static str),
    /// The address of a variable in its own space, and a number of bytes to add.
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
    pub positions: Positions<'a>,
}

impl<'a, 'm> Sites<'a, 'm> {
    pub fn new(view: View<'m>, lowered: &'a Lowered<'m>) -> Self {
        Sites {
            lowered,
            layout: Layout::new(view),
            positions: Positions::new(&lowered.function),
        }
    }

    pub fn function(&self) -> &'a Function {
        &self.lowered.function
    }

    /// The statement in front of which a position is: directly after what is in front of it in the IR, so that instructions that
    /// are none of the IR's (`insertelement`) read what values are redirected to there.
    pub fn anchor(&self, (block, index): Position) -> Result<u32, WriteError> {
        let numbering = &self.lowered.numbering;
        let part = self.lowered.parts[block.index()].ok_or(WriteError::InsideSwitch(block))?;
        let part = &numbering.parts()[part as usize];
        let (first, last) = (part.statements.start + part.phis, part.statements.end - 1);
        // Constants are computed in the first block, wherever it was when they were needed.
        let own = |id: &InstId| {
            let origin = self.function().inst(*id).origin;
            (first..=last).contains(&origin).then_some(origin)
        };
        let before = self.function().block(block).insts[..index].iter().rev();
        let before = before.filter_map(own).next();
        let found = match active(Mutation::PlaceTooEarly) {
            true => before.unwrap_or(first),
            false => before.map_or(first, |before| before + 1),
        };
        // Room on the stack is made at the start of the function.
        let is_alloca = |statement: &u32| {
            let instruction = numbering.instruction(*statement);
            instruction.is_some_and(|one| one.opcode() == LLVMOpcode::LLVMAlloca)
        };
        Ok((found..last).find(|one| !is_alloca(one)).unwrap_or(last))
    }

    /// The IR's block of one of LLVM's; none of what is not reached.
    pub fn block(&self, block: Block<'m>) -> Option<BlockId> {
        let part = self.lowered.numbering.part(block)? as u32;
        let found = self
            .lowered
            .parts
            .iter()
            .position(|one| *one == Some(part))?;
        Some(BlockId(found as u32))
    }

    /// What ends a block; none of a part of a `switch`.
    pub fn terminator(&self, block: BlockId) -> Option<Val<'m>> {
        let numbering = &self.lowered.numbering;
        let part = (*self.lowered.parts.get(block.index())?)?;
        numbering.instruction(numbering.parts()[part as usize].statements.end - 1)
    }

    /// LLVM's instruction of a statement, if it is exactly one.
    pub fn instruction(&self, id: InstId) -> Result<Val<'m>, WriteError> {
        self.positions.statement(id)?;
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
    pub fn source(&self, value: Value) -> Result<ValueSource<'m>, WriteError> {
        let function = self.function();
        let Some(data) = function.values.get(value.index()) else {
            return Err(PatchError::Unknown(value.to_string()).into());
        };
        let error = WriteError::NotReadable(value);
        match &data.def {
            ValueDef::Constant(bits) => return Ok(ValueSource::Constant(*bits)),
            ValueDef::Special(special) => {
                return register(*special).map(ValueSource::Special).ok_or(error);
            }
            ValueDef::Address(Base::Variable(_, number), bytes) => {
                let variable = self.lowered.variables.get(*number as usize);
                let variable = variable.copied().flatten();
                return variable
                    .map(|one| ValueSource::Address(one, *bytes))
                    .ok_or(error);
            }
            _ => {}
        }
        if let Some((holder, scalar)) = self.scalar(value) {
            return Ok(ValueSource::Scalar(holder, scalar));
        }
        if let ValueDef::Result(id, number) = data.def
            && let inst = function.inst(id)
            && let (Opcode::Op(op), None) = (&inst.opcode, inst.guard)
        {
            return Ok(ValueSource::Computed(
                *op,
                number.into(),
                inst.args.to_vec(),
            ));
        }
        Err(error)
    }

    /// Whether a value can be read, and the LLVM values and operations that reading it needs.
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
                ValueSource::Scalar(holder, _) => values.push(holder),
                ValueSource::Computed(op, _, args) => {
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
