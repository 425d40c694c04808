//! What operations cost: 32-bit machine instructions, roughly, of which an addition of 64 bits takes two.
//!
//! It only has to rank an addition against what it replaces. Whether a kernel gains is for the comparison of the machine code.

use ptxasw_ir::op::{Op, Product};
use ptxasw_ir::semantics::result_widths;

/// Of a division by a subroutine, and of one by an inlined sequence.
const DIVISION: [u32; 2] = [70, 20];

/// An addition of so many bits.
pub(super) const fn addition(width: u8) -> u32 {
    if width > 32 { 2 } else { 1 }
}

/// A multiplication by a constant of so many bits.
pub(super) fn multiple(width: u8, factor: u64) -> u32 {
    match factor.is_power_of_two() {
        true => addition(width),
        false => product(Product::Low, width),
    }
}

const fn product(product: Product, width: u8) -> u32 {
    match (product, width > 32) {
        (Product::Low, false) => 1,
        (Product::Wide | Product::High, false) => 2,
        (_, true) => 4,
    }
}

/// An operation by itself.
pub(super) fn operation(op: &Op) -> u32 {
    match *op {
        Op::Copy { .. } | Op::Copies { .. } => 0,
        Op::ToGeneric { .. } | Op::FromGeneric { .. } => 0,
        // The lower half, or a zero beside it, is no instruction.
        Op::Extend { from, to, signed } => u32::from(signed || from.min(to) < 32),
        Op::Mul {
            product: half,
            width,
            ..
        }
        | Op::MulAdd {
            product: half,
            width,
            ..
        } => product(half, width),
        Op::Div { width, .. } | Op::Rem { width, .. } => DIVISION[usize::from(width <= 32)],
        _ => {
            let widest = result_widths(op).into_iter().max();
            addition(widest.unwrap_or(0))
        }
    }
}

/// Whether an operation takes the sum of a product or shift and another operand at no further cost.
pub(super) fn is_fused(sum: &Op, operand: &Op) -> bool {
    matches!(sum, Op::Add { .. }) && matches!(operand, Op::Mul { .. } | Op::Shl { .. })
}
