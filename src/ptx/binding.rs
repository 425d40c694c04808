//! What the passes may ask about the text behind the IR.

use super::decode::form::{self, Reg, Register};
use super::lower::Lowered;
use crate::ir::function::{BlockId, Terminator, Value, ValueDef};
use crate::ir::types::Kind;
use crate::shuffle::place::{Held, Registers};

/// The registers and statements of one body.
pub struct Binding<'a> {
    form: &'a form::Function,
    lowered: &'a Lowered,
}

impl<'a> Binding<'a> {
    /// Binds a lowered function to its register form.
    pub fn new(form: &'a form::Function, lowered: &'a Lowered) -> Self {
        Binding { form, lowered }
    }

    /// The register that an instruction wrote a value to, as wide as the value.
    fn register(&self, value: Value) -> Option<(Reg, &'a Register)> {
        let register = (*self.lowered.registers.get(value.index())?)?;
        let data = self.form.registers.get(register.0 as usize)?;
        (data.ty.bits == self.lowered.function.value(value).width).then_some((register, data))
    }

    /// A guarded statement leaves its register as it was where the guard fails.
    fn guarded(&self, value: Value) -> bool {
        let ValueDef::Result(inst, _) = self.lowered.function.value(value).def else {
            return true;
        };
        let statement = self.lowered.function.inst(inst).origin;
        match self
            .form
            .instructions
            .binary_search_by_key(&statement, |instruction| instruction.statement)
        {
            Ok(index) => self.form.instructions[index].guard.is_some(),
            Err(_) => true,
        }
    }
}

impl Registers for Binding<'_> {
    fn held(&self, value: Value) -> Option<Held> {
        let (register, data) = self.register(value)?;
        let once = self.lowered.definitions.get(register.0 as usize) == Some(&1);
        Some(Held {
            name: data.name.clone(),
            stable: once && data.depth == 0 && !self.guarded(value),
            integer: matches!(data.ty.kind, Kind::Bits | Kind::Unsigned | Kind::Signed),
        })
    }

    fn last_statement(&self, block: BlockId) -> Option<u32> {
        let data = self.lowered.function.block(block);
        // An empty block that runs into the next one has no statement of its own.
        let own = !data.insts.is_empty()
            || matches!(
                data.terminator,
                Terminator::Branch { .. } | Terminator::Switch { .. }
            );
        own.then_some(data.origin)
    }
}
