//! What an operation costs.

use super::facts::Graph;
use super::language::Node;
use ptxasw_base::named::named;
use ptxasw_ir::op::{FloatOp, Op, Product, Rounding};

/// What extraction makes small (`--cost`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Cost {
    /// The paper's numbers (ACC Saturator, section 5.2): an operation is as dear as any other, a division ten times that.
    Paper,
    /// Tenths of the time in which a scheduler issues one operation of single precision, on sm_80. Other GPUs have other numbers for
    /// double precision only, which all ways to compute a value share.
    #[default]
    Target,
}

named!(Cost {
    "paper" = Cost::Paper, "The numbers of the paper: all operations cost the same, a division ten times that";
    "target" = Cost::Target, "The time in which the target issues the operations";
});

impl Cost {
    /// Of one node, without its operands.
    pub fn of(self, graph: &Graph, node: &Node) -> u64 {
        match (node, self) {
            (Node::Constant(..) | Node::Instead(..), _) => 0,
            (Node::Leaf(..), Cost::Paper) => 1,
            (Node::Leaf(..), Cost::Target) => 0,
            (Node::Op(op, ..), Cost::Paper) => paper(op),
            // The assembler makes it the offset of an access.
            (Node::Op(Op::Add { width: 64 }, _, args), Cost::Target)
                if args.iter().any(|&arg| graph[arg].data.constant.is_some()) =>
            {
                1
            }
            (Node::Op(op, ..), Cost::Target) => target(op),
        }
    }
}

fn paper(op: &Op) -> u64 {
    let divides = match op {
        Op::Div { .. } | Op::Rem { .. } => true,
        Op::Float { op, .. } => !is_arithmetic(*op),
        _ => false,
    };
    if divides { 100 } else { 10 }
}

/// Sums, products, and what is as fast.
fn is_arithmetic(op: FloatOp) -> bool {
    use FloatOp::*;
    matches!(
        op,
        Add | Sub | Mul | Fma | Neg | Abs | Min | Max | Min3 | Max3 | CopySign
    )
}

fn target(op: &Op) -> u64 {
    let halves = |width: u8| if width > 32 { 2 } else { 1 };
    match *op {
        Op::Copy { .. } => 0,
        Op::Mul { product, width, .. } | Op::MulAdd { product, width, .. } => match product {
            Product::Low if width > 32 => 40,
            Product::Low => 10,
            Product::Wide => 15,
            Product::High => 20 * halves(width) * halves(width),
        },
        Op::Div { width, .. } | Op::Rem { width, .. } => {
            if width > 32 {
                800
            } else {
                200
            }
        }
        Op::Popc { .. } | Op::Clz { .. } | Op::Brev { .. } | Op::Bfind { .. } => 40,
        Op::Convert { .. } => 40,
        Op::Float { op, ty, mode } => {
            let slow = matches!(mode.rounding, Rounding::Approximate);
            let wide = halves(ty.bits);
            match op {
                // A modifier of the operand.
                FloatOp::Neg | FloatOp::Abs => 1,
                _ if is_arithmetic(op) => 10 * wide,
                _ if slow => 40,
                // Half the steps of a quotient, on the path without a call.
                FloatOp::Rcp => 100 * wide,
                _ => 200 * wide,
            }
        }
        Op::Extend { to, signed, .. } => {
            // The upper half of a zero extension is the zero register.
            if signed || to <= 32 { 10 } else { 1 }
        }
        Op::Add { width }
        | Op::Sub { width }
        | Op::Neg { width }
        | Op::And { width }
        | Op::Or { width }
        | Op::Xor { width }
        | Op::Select { width }
        | Op::Shl { width }
        | Op::Shr { width, .. }
        | Op::Min { width, .. }
        | Op::Max { width, .. } => 10 * halves(width),
        Op::Not { width } => 5 * halves(width),
        _ => 10,
    }
}
