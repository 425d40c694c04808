//! The nodes of an e-graph: the operations of the IR, and what they start from.

use egg::{Id, Language};
use ptxasw_ir::fast_math::FastMath;
use ptxasw_ir::function::Value;
use ptxasw_ir::op::{FloatMode, FloatOp, Op, Rounding};
use ptxasw_ir::semantics::result_widths;
use ptxasw_ir::types::Type;
use smallvec::SmallVec;

/// How operations on floating-point numbers round, and what is allowed with them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Rounded {
    /// Rounding and flushing.
    pub mode: FloatMode,
    /// Permissions of their author.
    pub allowed: FastMath,
}

impl Rounded {
    /// What holds for a value that operations of both kinds make.
    pub fn and(self, other: Rounded) -> Rounded {
        let mode = match other.mode.rounding {
            Rounding::Contractible => self.mode,
            _ => other.mode,
        };
        Rounded {
            mode,
            allowed: self.allowed.and(other.allowed),
        }
    }
}

/// A node. Operations are those of [`Op`]: they are listed nowhere else.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Node {
    /// A value that the region only reads, and its bits.
    Leaf(Value, u8),
    /// A number of so many bits.
    Constant(u8, u64),
    /// The first result of a pure operation.
    Op(Op, FastMath, SmallVec<[Id; 4]>),
    /// A one-way replacement: the e-class (first field) of values of so many bits may be computed as the operand, as its fast-math flags
    /// allow, but not the other way round, so the operand stays in an e-class of its own. The node names the e-class that it replaces;
    /// otherwise hash-consing would merge all e-classes with the same replacement.
    Instead(Id, u8, [Id; 1]),
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
    /// A one-way replacement of an e-class.
    Instead(Id),
}

impl Node {
    /// An operation on numbers without permissions.
    pub fn op(op: Op, args: impl IntoIterator<Item = Id>) -> Self {
        Node::Op(op, FastMath::NONE, args.into_iter().collect())
    }

    /// Bits of its value.
    pub fn width(&self) -> u8 {
        match self {
            Node::Leaf(_, width) | Node::Constant(width, _) | Node::Instead(_, width, _) => *width,
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
            Node::Instead(of, ..) => Head::Instead(of),
        }
    }

    fn matches(&self, other: &Self) -> bool {
        match (self, other) {
            (Node::Op(one, by, args), Node::Op(other, and, others)) => {
                one == other && by == and && args.len() == others.len()
            }
            (Node::Instead(one, ..), Node::Instead(other, ..)) => one == other,
            _ => self == other,
        }
    }

    fn children(&self) -> &[Id] {
        match self {
            Node::Op(.., args) => args,
            Node::Instead(.., arg) => arg,
            _ => &[],
        }
    }

    fn children_mut(&mut self) -> &mut [Id] {
        match self {
            Node::Op(.., args) => args,
            Node::Instead(.., arg) => arg,
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

/// A sum, difference, product or quotient of floating-point numbers that is rounded to nearest and not clamped: its type and how it
/// rounds. Its author may have given permissions with it; with an `fma` there are none, since nothing unfuses it.
pub fn rounded(op: &Op) -> Option<(Type, FloatMode)> {
    use FloatOp::{Add, Div, Mul, Sub};
    plain(op, &[Add, Sub, Mul, Div])
}

/// One of some operations on floating-point numbers that is rounded to nearest and not clamped: its type and how it rounds.
pub fn plain(op: &Op, of: &[FloatOp]) -> Option<(Type, FloatMode)> {
    let Op::Float { op, ty, mode } = *op else {
        return None;
    };
    let nearest = matches!(mode.rounding, Rounding::Nearest | Rounding::Contractible);
    let plain = FloatMode {
        rounding: mode.rounding,
        ftz: mode.ftz,
        ..FloatMode::NEAREST
    };
    (of.contains(&op) && nearest && mode == plain).then_some((ty, mode))
}
