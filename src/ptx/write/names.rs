//! Registers: those of the patch, and which of the text's a step can define.

use super::WriteError;
use crate::decode::form::Register;
use crate::text::registers::{Class, Registers};
use ptxasw_ir::op::Op;

/// A register of the patch.
#[derive(Clone, Debug)]
pub(super) struct Named {
    pub name: String,
    pub width: u8,
}

/// How a register of the patch gets a value of the function.
#[derive(Clone, Debug)]
pub(super) enum From {
    /// It is in this register after its statement, or at the start of its block; of so many bits.
    Register(String, u8),
    /// It is one half of this register of 128 bits after its statement, the upper one if so.
    Half(String, bool),
    /// This operation, in front of its statement.
    Computed(Op),
}

/// The class of registers for values of a width: those of 8 bits are the lower half of 16.
pub(super) fn class(width: u8) -> Option<Class> {
    Some(match width {
        1 => Class::Predicate,
        8 | 16 => Class::Half,
        32 => Class::Word,
        64 => Class::Double,
        _ => return None,
    })
}

/// A new register.
pub(super) fn fresh(registers: &mut Registers, width: u8) -> Result<Named, WriteError> {
    let class = class(width).ok_or_else(|| WriteError::Opcode(format!("{width} bits")))?;
    let name = registers.fresh(class);
    Ok(Named { name, width })
}

/// Whether a step can define a register as a value of so many bits.
pub(super) fn is_definable(register: &Register, width: u8) -> bool {
    register.ty.bits == width
        && matches!(width, 1 | 8 | 16 | 32 | 64)
        && !register.half
        && !register.name.contains('.')
}

impl Named {
    /// The statement by which the lower bits of a register get here.
    pub fn narrowed(&self, from: &str, bits: u8) -> Option<String> {
        let name = &self.name;
        Some(match (self.width, bits) {
            (1, 1) => format!("mov.pred {name}, {from};"),
            (8 | 16, 16) => format!("mov.b16 {name}, {from};"),
            (8, 8) => format!("cvt.u16.u8 {name}, {from};"),
            (32, 32) => format!("mov.b32 {name}, {from};"),
            (64, 64) => format!("mov.b64 {name}, {from};"),
            (8 | 16, 32 | 64) => format!("cvt.u16.u{bits} {name}, {from};"),
            (32, 64) => format!("cvt.u32.u64 {name}, {from};"),
            _ => return None,
        })
    }
}
