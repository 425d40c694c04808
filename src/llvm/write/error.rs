//! Why a patch is not carried out.

use ptxasw_ir::function::{BlockId, InstId, Value};
use ptxasw_ir::op::Op;
use ptxasw_ir::opcode::Opcode;
use ptxasw_ir::patch::PatchError;
use ptxasw_ir::types::Special;
use std::fmt;

/// What LLVM has no exact form for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unwritable {
    /// A pure operation that LLVM has only in another form or not at all.
    Op(Op),
    /// A memory access or warp-level instruction without an intrinsic.
    Instruction(Opcode),
    /// A special register without an intrinsic, or one that changes.
    Special(Special),
}

impl fmt::Display for Unwritable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unwritable::Op(op) => write!(f, "{op:?}"),
            Unwritable::Instruction(opcode) => write!(f, "{opcode:?}"),
            Unwritable::Special(special) => write!(f, "{special:?}"),
        }
    }
}

/// Why a patch is not carried out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WriteError {
    /// LLVM 19 has no instruction that computes exactly this.
    #[error("LLVM has no exact form for {0}")]
    Unwritable(Unwritable),
    /// The module has no such function with a body.
    #[error("the module has no function {0} with a body")]
    NoFunction(u32),
    /// The patch is for another function.
    #[error("the patch is for another function: {0}")]
    Other(#[from] PatchError),
    /// No LLVM value has the bits of a value, and nothing computes them anew.
    #[error("no LLVM value holds {0}, and it cannot be computed anew")]
    NotReadable(Value),
    /// The value is no scalar of an LLVM value: its uses in LLVM are not those of the IR.
    #[error("{0} is no scalar of an LLVM value: its uses cannot be replaced")]
    NotReplaceable(Value),
    /// The block is a part of a `switch`.
    #[error("{0} is a part of a `switch`, which has no place for instructions")]
    InsideSwitch(BlockId),
    /// A region has a part of a `switch` and not the whole of it.
    #[error("the clone has {0} and not all of its `switch`")]
    PartOfSwitch(BlockId),
    /// A guarded load gives something that is not chosen elsewhere, and LLVM has uses of its result that the IR does not have.
    #[error(
        "not all that the load {0} gives is chosen where it is not executed, and LLVM uses its result as a whole"
    )]
    NotChosen(InstId),
    /// A statement goes, and LLVM has uses of its result that the IR does not have.
    #[error("the statement of {0} is removed, and LLVM still uses its result")]
    StillUsed(InstId),
    /// An instruction that LLVM cannot have elsewhere, or not without, such as a phi.
    #[error("the statement of {0} cannot be moved or removed")]
    Fixed(InstId),
    /// An operand in LLVM, unlike those of the IR, is not there at the new place.
    #[error("an operand of the statement of {0} is not there at its new place")]
    OperandElsewhere(InstId),
    /// A use in LLVM, unlike those of the IR, comes before the new place.
    #[error("LLVM uses the statement of {0} before its new place")]
    UsedBefore(InstId),
    /// The access is no load or store, or has no form in that address space.
    #[error("{0} is no load or store that can be amended so")]
    Amend(InstId),
    /// An unread instruction is to stay, and LLVM removes what has no effect.
    #[error("LLVM does not keep {0} if nobody reads it")]
    Keep(Unwritable),
    /// A block to be cloned has an instruction that may not be there twice.
    #[error("{0} has an instruction that LLVM cannot clone")]
    NotCloneable(BlockId),
    /// LLVM finds the result invalid: a fault of the writer.
    #[error("internal error: the rewritten module is invalid: {0}")]
    Invalid(String),
}
