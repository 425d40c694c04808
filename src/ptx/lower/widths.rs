//! The widths of operands and results of instructions that are no pure operations.

use ptxasw_ir::opcode::{BarrierKind, Opcode, VoteMode, VoteOrCount};
use ptxasw_ir::semantics;
use smallvec::{SmallVec, smallvec};

/// The width that operand `index` of `count` is read with; none for its own.
pub(crate) fn operand(opcode: &Opcode, index: usize, count: usize) -> Option<u8> {
    match opcode {
        Opcode::Op(op) => semantics::operand_widths(op).get(index).copied(),
        Opcode::Load(_) => None,
        Opcode::Store(access) => (1..=usize::from(access.elements))
            .contains(&index)
            .then_some(access.ty.bits),
        Opcode::Atomic { ty, .. } => (index > 0).then_some(ty.bits),
        Opcode::Barrier { kind, .. } => match kind {
            BarrierKind::Reduce(_) if index + 1 == count => Some(1),
            _ => Some(32),
        },
        Opcode::Shuffle { .. } | Opcode::Elect => Some(32),
        Opcode::Vote { .. } => Some(if index == 0 { 1 } else { 32 }),
        Opcode::Match { width, .. } => Some(if index == 0 { *width } else { 32 }),
        Opcode::Redux { ty, .. } => Some(if index == 0 { ty.bits } else { 32 }),
        Opcode::Fence(..)
        | Opcode::ActiveMask
        | Opcode::Call { .. }
        | Opcode::Nop
        | Opcode::Opaque { .. } => None,
    }
}

/// The widths of the results; none if the instruction gives whatever its destinations take.
pub(crate) fn results(opcode: &Opcode) -> Option<SmallVec<[u8; 2]>> {
    Some(match opcode {
        Opcode::Op(op) => semantics::result_widths(op),
        Opcode::Load(access) => SmallVec::from_elem(access.ty.bits, access.elements.into()),
        Opcode::Atomic { ty, .. } | Opcode::Redux { ty, .. } => smallvec![ty.bits],
        Opcode::Barrier { kind, .. } => match kind {
            BarrierKind::Reduce(VoteOrCount::Popc) => smallvec![32],
            BarrierKind::Reduce(_) => smallvec![1],
            _ => smallvec![],
        },
        Opcode::Shuffle { .. } | Opcode::Elect => smallvec![32, 1],
        Opcode::Vote { mode, .. } => match mode {
            VoteMode::Ballot => smallvec![32],
            _ => smallvec![1],
        },
        Opcode::Match { all, .. } => match all {
            true => smallvec![32, 1],
            false => smallvec![32],
        },
        Opcode::ActiveMask => smallvec![32],
        Opcode::Store(_) | Opcode::Fence(..) => smallvec![],
        Opcode::Call { .. } | Opcode::Nop | Opcode::Opaque { .. } => return None,
    })
}
