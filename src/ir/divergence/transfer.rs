//! The level of a result from the levels of the operands.

use super::Level;
use crate::function::{Base, Function, ValueDef};
use crate::opcode::Opcode;
use crate::types::{Space, Special};
use ptxasw_base::mutation::{Mutation, active};

/// The level of a value that no instruction computes.
pub(super) fn leaf(def: &ValueDef) -> Level {
    match def {
        ValueDef::Constant(_) => Level::Uniform,
        ValueDef::Special(special) => special_register(*special),
        // Each thread has its own.
        ValueDef::Address(Base::Variable(Space::Local | Space::ParamFunc, _), _) => {
            Level::Divergent
        }
        ValueDef::Address(..) => Level::Uniform,
        ValueDef::Undefined => Level::Divergent,
        // These rise when they are visited.
        ValueDef::Result(..) | ValueDef::Parameter(..) => Level::Uniform,
    }
}

fn special_register(special: Special) -> Level {
    match special {
        Special::Ntid(_) | Special::Ctaid(_) | Special::Nctaid(_) => Level::Uniform,
        Special::Tid(1 | 2) => Level::Row,
        _ => Level::Divergent,
    }
}

/// Which memory the function leaves as it is, so that two loads of one address give the same.
pub(super) struct Memory {
    /// Nothing in the function can write global memory or order other threads' writes to it.
    global_fixed: bool,
    /// Nothing in the function can write shared memory or order other threads' writes to it.
    shared_fixed: bool,
}

impl Memory {
    pub(super) fn of(function: &Function) -> Self {
        // The callers of a device function, and what other threads do meanwhile, are not known.
        let mut memory = Memory {
            global_fixed: function.entry,
            shared_fixed: function.entry,
        };
        for inst in &function.insts {
            memory.touch(&inst.opcode);
        }
        memory
    }

    fn touch(&mut self, opcode: &Opcode) {
        let (global, shared) = match opcode {
            Opcode::Store(access) if access.order.is_weak() => match access.space {
                Space::Local | Space::ParamFunc => (false, false),
                Space::Global => (true, false),
                Space::Shared | Space::SharedCluster => (false, true),
                _ => (true, true),
            },
            Opcode::Load(access) => (!access.order.is_weak(), !access.order.is_weak()),
            Opcode::Call { effects, .. } | Opcode::Opaque { effects } => {
                (effects.writes, effects.writes)
            }
            Opcode::Store(_)
            | Opcode::Atomic { .. }
            | Opcode::Barrier { .. }
            | Opcode::Fence(..) => (true, true),
            Opcode::Op(_)
            | Opcode::Shuffle { .. }
            | Opcode::Vote { .. }
            | Opcode::Match { .. }
            | Opcode::Redux { .. }
            | Opcode::ActiveMask
            | Opcode::Elect
            | Opcode::Nop => (false, false),
        };
        self.global_fixed &= !global;
        self.shared_fixed &= !shared;
    }

    /// The level of the results of an instruction whose operands (and guard) have at most the level `operands`.
    pub(super) fn result(&self, opcode: &Opcode, operands: Level) -> Level {
        let fixed = match opcode {
            Opcode::Op(_) => true,
            Opcode::Load(_) if active(Mutation::UniformAcrossStores) => true,
            Opcode::Load(access) if !access.order.is_weak() => active(Mutation::VolatileUniform),
            Opcode::Load(access) => match access.space {
                Space::ParamEntry | Space::Const => true,
                Space::Global => access.non_coherent || self.global_fixed,
                Space::Shared => self.shared_fixed,
                Space::Generic => self.global_fixed && self.shared_fixed,
                Space::SharedCluster | Space::Local | Space::ParamFunc => false,
            },
            Opcode::Atomic { .. } => active(Mutation::AtomicUniform),
            _ => false,
        };
        if fixed { operands } else { Level::Divergent }
    }
}
