//! The meaning of each [`Op`], once, over any [`Domain`].
//!
//! [`apply`] breaks an operation down into the bit-vector primitives of the domain. What is no bit-vector arithmetic
//! (floating point above all) goes to [`Domain::opaque`]; [`Concrete`] computes it, see [`floating`] and [`address`].
//! Files go by topic: `integer`, `bits`, `lop3`, `permute`, `compare`, `convert`.
//!
//! **Precondition.** [`apply`] is called with as many operands as [`operand_widths`] lists, of those widths; the IR
//! verifier checks both. No operation here is wider than 64 bits, and none has an operand or result type of
//! [`Kind::Other`](super::types::Kind::Other): front ends make such instructions
//! [`Opcode::Opaque`](super::opcode::Opcode::Opaque).

pub mod address;
mod bits;
mod compare;
pub mod concrete;
mod convert;
pub mod domain;
pub mod floating;
mod integer;
mod lop3;
mod permute;
#[cfg(test)]
mod tests;
mod widths;

pub use concrete::Concrete;
pub use domain::Domain;
pub use widths::{operand_widths, result_widths};

use super::op::Op;
use smallvec::{SmallVec, smallvec};

/// The results of an operation. All but `Unpack` have one or two.
pub type Results<V> = SmallVec<[V; 2]>;

/// What `op` computes from `args` in `domain`; one value for each of [`result_widths`].
///
/// # Panics
/// If there are fewer operands than [`operand_widths`] lists.
pub fn apply<D: Domain>(domain: &mut D, op: &Op, args: &[D::Value]) -> Results<D::Value> {
    match *op {
        Op::Unpack { parts, width } => convert::unpack(domain, parts, width, &args[0]),
        Op::Copies { count, .. } => args[..usize::from(count)].iter().cloned().collect(),
        Op::Compare {
            comparison,
            ty,
            logic,
            ftz,
        } => compare::compare(domain, comparison, ty, logic, ftz, args),
        Op::Carry {
            subtract,
            width,
            carry_in,
            carry_out,
        } => {
            let carry = carry_in.then(|| args[2].clone());
            let (a, b) = (args[0].clone(), args[1].clone());
            integer::carry(domain, subtract, width, a, b, carry, carry_out)
        }
        Op::MulAddCarry {
            product,
            width,
            signed,
            carry_in,
            carry_out,
        } => {
            let carry = carry_in.then(|| args[3].clone());
            let low = integer::product(domain, product, width, signed, &args[0], &args[1]);
            integer::carry(domain, false, width, low, args[2].clone(), carry, carry_out)
        }
        Op::Lop3 {
            table,
            predicate: Some(logic),
        } => lop3::with_predicate(domain, table, logic, args),
        _ => smallvec![single(domain, op, args)],
    }
}

/// The operations that have exactly one result.
fn single<D: Domain>(domain: &mut D, op: &Op, args: &[D::Value]) -> D::Value {
    let arg = |i: usize| args[i].clone();
    match *op {
        Op::Copy { .. } => arg(0),
        Op::Add { width } => domain.add(width, arg(0), arg(1)),
        Op::Sub { width } => domain.sub(width, arg(0), arg(1)),
        Op::Div { width, signed } => domain.div(width, signed, arg(0), arg(1)),
        Op::Rem { width, signed } => domain.rem(width, signed, arg(0), arg(1)),
        Op::And { width } => domain.and(width, arg(0), arg(1)),
        Op::Or { width } => domain.or(width, arg(0), arg(1)),
        Op::Xor { width } => domain.xor(width, arg(0), arg(1)),
        Op::Not { width } => domain.not(width, arg(0)),
        Op::Brev { width } => domain.brev(width, arg(0)),
        Op::Select { width } => domain.select(width, arg(2), arg(0), arg(1)),
        Op::Extend { from, to, signed } => domain.extend(from, to, signed, arg(0)),
        Op::AddSaturate { .. }
        | Op::SumOfThree { .. }
        | Op::Mul { .. }
        | Op::MulAdd { .. }
        | Op::Mul24 { .. }
        | Op::Sad { .. }
        | Op::Abs { .. }
        | Op::Neg { .. }
        | Op::Min { .. }
        | Op::Max { .. }
        | Op::Dp4a { .. }
        | Op::Dp2a { .. } => integer::apply(domain, op, args),
        Op::LogicalNot { .. }
        | Op::Shl { .. }
        | Op::Shr { .. }
        | Op::Funnel { .. }
        | Op::Bfe { .. }
        | Op::Bfi { .. }
        | Op::Bfind { .. }
        | Op::Clz { .. }
        | Op::Popc { .. }
        | Op::Bmsk { .. }
        | Op::Szext { .. } => bits::apply(domain, op, args),
        Op::Lop3 { table, .. } => lop3::apply(domain, table, args),
        Op::Prmt(mode) => permute::apply(domain, mode, args),
        Op::SelectSign { width, float, ftz } => {
            compare::select_sign(domain, width, float, ftz, args)
        }
        Op::Set {
            comparison,
            ty,
            to,
            logic,
            ftz,
        } => compare::set(domain, comparison, ty, to, logic, ftz, args),
        Op::Convert { .. }
        | Op::Float { .. }
        | Op::Pack { .. }
        | Op::ToGeneric { .. }
        | Op::FromGeneric { .. } => convert::apply(domain, op, args),
        Op::Fns | Op::Test { .. } | Op::IsSpace { .. } => opaque(domain, op, args),
        // `apply` has these; listed, so that a new operation cannot be forgotten.
        Op::Unpack { .. }
        | Op::Copies { .. }
        | Op::Compare { .. }
        | Op::Carry { .. }
        | Op::MulAddCarry { .. } => {
            unreachable!("operations of several results are handled by apply")
        }
    }
}

/// The only result of an operation that is no bit-vector arithmetic.
fn opaque<D: Domain>(domain: &mut D, op: &Op, args: &[D::Value]) -> D::Value {
    domain.opaque(op, 0, result_widths(op)[0], args)
}

/// Constant folding: [`apply`] on plain bits. Operands have all bits above their width zero, and so have the results.
///
/// # Panics
/// As [`apply`].
pub fn fold(op: &Op, args: &[u64]) -> Results<u64> {
    apply(&mut Concrete, op, args)
}
