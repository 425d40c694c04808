//! From an operation back to PTX: the opcode that means it, and the statement that computes it.
//!
//! For every operation that the decoder ([`super::decode`]) makes of an instruction and that is spelled here, decoding
//! the spelling gives the same operation again. Of several spellings of one operation the one is taken that needs the
//! oldest target and names the fewest words.
//!
//! An operation is spelled if the decoder understands an opcode for it, even where no assembler takes that opcode
//! (`add.relu.f32`, `setp.lt.ftz.s32`): only a text that is no PTX leads to such an operation.
//!
//! # Registers
//! An operand or result of n bits is a register `.bN`, which PTX takes for integers and floats alike; one bit is a
//! `.pred`. The parts of [`Op::Pack`] and [`Op::Unpack`] that have 8 bits must be `.b8`; conversions take 8-bit operands
//! and results in wider registers as well, of which they read the lower bits, and which they fill.
//!
//! # What is not spelled
//! - What reads or writes the condition code: [`Op::Carry`], [`Op::MulAddCarry`]. The code is a register without a name,
//!   so that such an instruction means something only beside its neighbours.
//! - [`Op::Copies`]: the copy of a register of 128 bits, whose halves have no names of their own. Two copies of 64 bits
//!   do the same.
//! - [`Op::Select`] of predicates and [`Op::Extend`] to one bit: PTX has no single instruction for them.
//! - [`Op::Extend`] from or to anything but 1, 8, 16, 32 and 64 bits, and of 1 or 8 bits to 8.
//! - [`Op::Copy`], bit operations and [`Op::Select`] of 8 bits, or of a width that is no register's.
//! - Combinations of fields that the decoder never makes: a product of twice 64 bits, `add` of 8 bits, types of
//!   [`Kind::Other`](ptxasw_ir::types::Kind::Other), a rounding that the operation does not have.
//!
//! [`Op::Extend`] is the one operation that decodes to another one with the same results, [`Op::Convert`], [`Op::Copy`] or
//! [`Op::Select`]: the front end makes it where registers are wider or narrower than operands.
//!
//! | file | what |
//! | --- | --- |
//! | `integer` | integer arithmetic |
//! | `bits` | logic, shifts, bit fields, permutations |
//! | `floating` | floating-point arithmetic, `testp` |
//! | `compare` | `setp`, `set`, `selp`, `slct` |
//! | `convert` | `mov`, `cvt`, `cvta`, `isspacep` |
//! | `spelled` | an opcode and its operands put together |
//! | `words` | names of types and modifiers |

mod bits;
mod compare;
mod convert;
mod floating;
mod integer;
mod spelled;
#[cfg(test)]
mod tests;
mod words;

pub use spelled::{Form, Spelled};

use ptxasw_ir::op::Op;
use ptxasw_ir::semantics::{operand_widths, result_widths};

/// How PTX spells an operation; none where no single instruction computes it wherever it is put (see the list above).
pub fn opcode(op: &Op) -> Option<Spelled> {
    match op {
        Op::Add { .. }
        | Op::AddSaturate { .. }
        | Op::SumOfThree { .. }
        | Op::Sub { .. }
        | Op::Mul { .. }
        | Op::MulAdd { .. }
        | Op::Mul24 { .. }
        | Op::Sad { .. }
        | Op::Div { .. }
        | Op::Rem { .. }
        | Op::Abs { .. }
        | Op::Neg { .. }
        | Op::Min { .. }
        | Op::Max { .. }
        | Op::Dp4a { .. }
        | Op::Dp2a { .. } => integer::spell(op).map(Spelled::plain),
        Op::And { .. }
        | Op::Or { .. }
        | Op::Xor { .. }
        | Op::Not { .. }
        | Op::LogicalNot { .. }
        | Op::Shl { .. }
        | Op::Shr { .. }
        | Op::Funnel { .. }
        | Op::Bfe { .. }
        | Op::Bfi { .. }
        | Op::Bfind { .. }
        | Op::Clz { .. }
        | Op::Popc { .. }
        | Op::Brev { .. }
        | Op::Bmsk { .. }
        | Op::Szext { .. }
        | Op::Fns
        | Op::Prmt(_) => bits::spell(op).map(Spelled::plain),
        Op::Lop3 { table, predicate } => Some(bits::lop3(*table, *predicate)),
        Op::Select { .. } | Op::SelectSign { .. } | Op::Compare { .. } | Op::Set { .. } => {
            compare::spell(op)
        }
        Op::Float { op, ty, mode } => floating::spell(*op, *ty, mode).map(Spelled::plain),
        Op::Test { class, ty } => floating::test(*class, *ty).map(Spelled::plain),
        Op::Copy { .. }
        | Op::Convert { .. }
        | Op::Extend { .. }
        | Op::Pack { .. }
        | Op::Unpack { .. }
        | Op::ToGeneric { .. }
        | Op::FromGeneric { .. }
        | Op::IsSpace { .. } => convert::spell(op),
        Op::Carry { .. } | Op::MulAddCarry { .. } | Op::Copies { .. } => None,
    }
}

/// One statement that computes an operation, `add.s32 %r1, %r2, 5;`, without a guard. Operands are registers or literals
/// in the text of the operand's type (`0f3F800000` for an `.f32`); a result that nobody reads has no name and becomes `_`.
///
/// None if the operation has no spelling, if there are more or fewer operands or results than it has, if a result has no
/// name that PTX wants to have one (the only one, the predicate of `lop3.or`, at least one of several), or if one has a
/// name that can have none (the second one of `setp.f16`).
pub fn instruction(op: &Op, results: &[Option<&str>], operands: &[&str]) -> Option<String> {
    let spelled = opcode(op)?;
    if operands.len() != operand_widths(op).len() || results.len() != result_widths(op).len() {
        return None;
    }
    spelled.statement(results, operands)
}
