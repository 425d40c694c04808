//! The widths of an operation's operands and results, in bits.

use crate::op::{FloatOp, Op, Product};
use crate::types::{Kind, Type};
use smallvec::{SmallVec, smallvec};

/// The width of each operand of `op`, in the order in which PTX writes them.
pub fn operand_widths(op: &Op) -> SmallVec<[u8; 4]> {
    match *op {
        Op::Copy { width }
        | Op::Abs { width }
        | Op::Neg { width }
        | Op::Not { width }
        | Op::LogicalNot { width }
        | Op::Bfind { width, .. }
        | Op::Clz { width }
        | Op::Popc { width }
        | Op::Brev { width }
        | Op::ToGeneric { width, .. }
        | Op::FromGeneric { width, .. } => smallvec![width],
        Op::Add { width }
        | Op::Sub { width }
        | Op::Mul { width, .. }
        | Op::Div { width, .. }
        | Op::Rem { width, .. }
        | Op::Min { width, .. }
        | Op::Max { width, .. }
        | Op::And { width }
        | Op::Or { width }
        | Op::Xor { width } => smallvec![width, width],
        Op::Sad { width, .. } => smallvec![width, width, width],
        Op::AddSaturate { .. } | Op::Bmsk { .. } | Op::Szext { .. } => smallvec![32, 32],
        Op::Mul24 { add, .. } => SmallVec::from_elem(32, if add { 3 } else { 2 }),
        Op::SumOfThree { .. }
        | Op::Funnel { .. }
        | Op::Fns
        | Op::Prmt(_)
        | Op::Dp4a { .. }
        | Op::Dp2a { .. } => {
            smallvec![32, 32, 32]
        }
        Op::MulAdd { product, width, .. } => {
            smallvec![width, width, product_width(product, width)]
        }
        Op::Carry {
            width, carry_in, ..
        } => with_flag(&[width, width], carry_in),
        Op::MulAddCarry {
            width, carry_in, ..
        } => with_flag(&[width, width, width], carry_in),
        Op::Shl { width } | Op::Shr { width, .. } => smallvec![width, 32],
        Op::Lop3 { predicate, .. } => with_flag(&[32, 32, 32], predicate.is_some()),
        Op::Bfe { width, .. } => smallvec![width, 32, 32],
        Op::Bfi { width } => smallvec![width, width, 32, 32],
        Op::Select { width } => smallvec![width, width, 1],
        Op::SelectSign { width, .. } => smallvec![width, width, 32],
        Op::Compare { ty, logic, .. } | Op::Set { ty, logic, .. } => {
            with_flag(&[ty.bits, ty.bits], logic.is_some())
        }
        Op::Convert { from, to, .. } => SmallVec::from_elem(from.bits, convert_arity(from, to)),
        Op::Extend { from, .. } => smallvec![from],
        Op::Float { op, ty, .. } => SmallVec::from_elem(ty.bits, float_arity(op)),
        Op::Test { ty, .. } => smallvec![ty.bits],
        Op::Pack { parts, width }
        | Op::Copies {
            count: parts,
            width,
        } => SmallVec::from_elem(width, usize::from(parts)),
        Op::Unpack { parts, width } => smallvec![parts.saturating_mul(width)],
        // Front ends extend 32-bit addresses.
        Op::IsSpace { .. } => smallvec![64],
    }
}

/// The width of each result of `op`.
pub fn result_widths(op: &Op) -> SmallVec<[u8; 2]> {
    match *op {
        Op::Copy { width }
        | Op::Add { width }
        | Op::Sub { width }
        | Op::Sad { width, .. }
        | Op::Div { width, .. }
        | Op::Rem { width, .. }
        | Op::Abs { width }
        | Op::Neg { width }
        | Op::Min { width, .. }
        | Op::Max { width, .. }
        | Op::And { width }
        | Op::Or { width }
        | Op::Xor { width }
        | Op::Not { width }
        | Op::LogicalNot { width }
        | Op::Shl { width }
        | Op::Shr { width, .. }
        | Op::Bfe { width, .. }
        | Op::Bfi { width }
        | Op::Brev { width }
        | Op::Select { width }
        | Op::SelectSign { width, .. }
        | Op::ToGeneric { width, .. }
        | Op::FromGeneric { width, .. } => smallvec![width],
        Op::AddSaturate { .. }
        | Op::SumOfThree { .. }
        | Op::Mul24 { .. }
        | Op::Funnel { .. }
        | Op::Bfind { .. }
        | Op::Clz { .. }
        | Op::Popc { .. }
        | Op::Bmsk { .. }
        | Op::Szext { .. }
        | Op::Fns
        | Op::Prmt(_)
        | Op::Dp4a { .. }
        | Op::Dp2a { .. } => smallvec![32],
        Op::Mul { product, width, .. } | Op::MulAdd { product, width, .. } => {
            smallvec![product_width(product, width)]
        }
        Op::Carry {
            width, carry_out, ..
        }
        | Op::MulAddCarry {
            width, carry_out, ..
        } => match carry_out {
            true => smallvec![width, 1, 1],
            false => smallvec![width],
        },
        Op::Lop3 { predicate, .. } => with_flag(&[32], predicate.is_some()),
        Op::Compare { .. } => smallvec![1, 1],
        Op::Set { to, .. } | Op::Convert { to, .. } => smallvec![to.bits],
        Op::Extend { to, .. } => smallvec![to],
        Op::Float { ty, .. } => smallvec![ty.bits],
        Op::Test { .. } | Op::IsSpace { .. } => smallvec![1],
        Op::Pack { parts, width } => smallvec![parts.saturating_mul(width)],
        Op::Unpack { parts, width }
        | Op::Copies {
            count: parts,
            width,
        } => SmallVec::from_elem(width, usize::from(parts)),
    }
}

/// `widths`, and one bit more where the operation has a predicate or carry.
fn with_flag<const N: usize>(widths: &[u8], flag: bool) -> SmallVec<[u8; N]> {
    let mut all: SmallVec<[u8; N]> = widths.into();
    if flag {
        all.push(1);
    }
    all
}

/// The width of a product of factors of `width`.
pub(super) fn product_width(product: Product, width: u8) -> u8 {
    match product {
        Product::Low | Product::High => width,
        Product::Wide => width.saturating_mul(2),
    }
}

/// `cvt.rn.f16x2.f32 d, a, b` packs two operands; everything else has one.
fn convert_arity(from: Type, to: Type) -> usize {
    match (from.kind, to.kind) {
        (Kind::Float, Kind::Float16x2 | Kind::BFloat16x2) => 2,
        _ => 1,
    }
}

/// Number of operands of a floating-point operation.
fn float_arity(op: FloatOp) -> usize {
    match op {
        FloatOp::Fma | FloatOp::Min3 | FloatOp::Max3 => 3,
        FloatOp::Add
        | FloatOp::Sub
        | FloatOp::Mul
        | FloatOp::Div
        | FloatOp::Min
        | FloatOp::Max
        | FloatOp::CopySign => 2,
        FloatOp::Rcp
        | FloatOp::Sqrt
        | FloatOp::Rsqrt
        | FloatOp::Neg
        | FloatOp::Abs
        | FloatOp::Sin
        | FloatOp::Cos
        | FloatOp::Lg2
        | FloatOp::Ex2
        | FloatOp::Tanh => 1,
    }
}
