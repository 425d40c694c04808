//! The nodes of an e-graph: the operations of the IR, and what they start from.

use crate::ir::function::{FastMath, Value};
use crate::ir::op::{FloatMode, FloatOp, Op, Rounding};
use crate::ir::semantics::result_widths;
use crate::ir::types::Type;
use egg::{Id, Language};
use smallvec::SmallVec;

/// A node. Operations are those of [`Op`]: they are listed nowhere else.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Node {
    /// A value that the region only reads, and its bits.
    Leaf(Value, u8),
    /// A number of so many bits.
    Constant(u8, u64),
    /// The first result of a pure operation.
    Op(Op, FastMath, SmallVec<[Id; 4]>),
}

/// A node without its operands: nodes that share it differ in these only.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Head {
    /// A leaf: the value that it reads.
    Leaf(Value),
    /// A constant: its bits, and how many.
    Constant(u8, u64),
    /// An operation with its permissions.
    Op(Op, FastMath),
}

impl Node {
    /// An operation on numbers without permissions.
    pub fn op(op: Op, args: impl IntoIterator<Item = Id>) -> Self {
        Node::Op(op, FastMath::default(), args.into_iter().collect())
    }

    /// Bits of its value.
    pub fn width(&self) -> u8 {
        match self {
            Node::Leaf(_, width) | Node::Constant(width, _) => *width,
            Node::Op(op, ..) => result_widths(op).first().copied().unwrap_or_default(),
        }
    }
}

impl Language for Node {
    type Discriminant = Head;

    fn discriminant(&self) -> Head {
        match *self {
            Node::Leaf(value, _) => Head::Leaf(value),
            Node::Constant(width, bits) => Head::Constant(width, bits),
            Node::Op(op, allowed, _) => Head::Op(op, allowed),
        }
    }

    fn matches(&self, other: &Self) -> bool {
        match (self, other) {
            (Node::Op(one, by, args), Node::Op(other, and, others)) => {
                one == other && by == and && args.len() == others.len()
            }
            _ => self == other,
        }
    }

    fn children(&self) -> &[Id] {
        match self {
            Node::Op(.., args) => args,
            _ => &[],
        }
    }

    fn children_mut(&mut self) -> &mut [Id] {
        match self {
            Node::Op(.., args) => args,
            _ => &mut [],
        }
    }
}

/// Whether an operation may be a node: it has one result that matters, which depends on its operands alone.
///
/// Carries are left out: the condition code is one register, and what lies between two of its readers must not touch it.
pub fn is_node(op: &Op) -> bool {
    !matches!(
        op,
        Op::Carry { .. }
            | Op::MulAddCarry { .. }
            | Op::Unpack { .. }
            | Op::Copies { .. }
            | Op::Copy { .. }
            | Op::Lop3 {
                predicate: Some(_),
                ..
            }
    )
}

/// A sum, difference or product of floating-point numbers that is rounded to nearest and not clamped: its type and how it rounds.
pub fn rounded(op: &Op) -> Option<(Type, FloatMode)> {
    match *op {
        Op::Float {
            op: FloatOp::Add | FloatOp::Sub | FloatOp::Mul,
            ty,
            mode,
        } => {
            let nearest = matches!(mode.rounding, Rounding::Nearest | Rounding::Contractible);
            let plain = FloatMode {
                rounding: mode.rounding,
                ftz: mode.ftz,
                ..FloatMode::NEAREST
            };
            (nearest && mode == plain).then_some((ty, mode))
        }
        _ => None,
    }
}
