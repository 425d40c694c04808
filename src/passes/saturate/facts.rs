//! What is known of all nodes of a class: the e-class analysis.

use super::language::Node;
use egg::{Analysis, DidMerge, EGraph, Id};
use ptxasw_ir::op::{FloatOp, Op, Rounding};
use ptxasw_ir::semantics::fold;
use ptxasw_ir::types::{Kind, Type};
use std::num::FpCategory;

/// An e-graph of one region.
pub type Graph = EGraph<Node, Facts>;

/// The analysis, and which rule made which nodes.
#[derive(Clone, Default, Debug)]
pub struct Facts {
    /// The rule that is at work: an index into the table.
    pub rule: Option<usize>,
    /// Nodes that rules made, in their order.
    pub made: Vec<(Node, usize)>,
    /// Two values were found to be equal that are not. A rule is wrong; nothing of the region is used.
    pub contradiction: bool,
}

/// What is known of a class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fact {
    /// Bits of its value.
    pub width: u8,
    /// The number that it is, if it is one.
    pub constant: Option<u64>,
}

impl Analysis<Node> for Facts {
    type Data = Fact;

    fn make(graph: &mut Graph, node: &Node, _: Id) -> Fact {
        if let (Some(rule), Node::Op(..) | Node::Instead(..)) = (graph.analysis.rule, node) {
            graph.analysis.made.push((node.clone(), rule));
        }
        Fact {
            width: node.width(),
            constant: constant(graph, node),
        }
    }

    fn remake(graph: &mut Graph, node: &Node, _: Id) -> Fact {
        Fact {
            width: node.width(),
            constant: constant(graph, node),
        }
    }

    fn merge(&mut self, a: &mut Fact, b: Fact) -> DidMerge {
        let differ = |one: Option<u64>, other| one.is_some_and(|one| Some(one) != other);
        if a.width != b.width || b.constant.is_some() && differ(a.constant, b.constant) {
            self.contradiction = true;
        }
        let before = *a;
        a.constant = a.constant.or(b.constant);
        DidMerge(*a != before, *a != b)
    }

    fn modify(graph: &mut Graph, id: Id) {
        let Fact { width, constant } = graph[id].data;
        if let Some(bits) = constant {
            let rule = graph.analysis.rule.take();
            let number = graph.add(Node::Constant(width, bits));
            graph.analysis.rule = rule;
            graph.union(id, number);
        }
    }
}

/// The number that a node is.
fn constant(graph: &Graph, node: &Node) -> Option<u64> {
    match node {
        Node::Leaf(..) | Node::Instead(..) => None,
        Node::Constant(_, bits) => Some(*bits),
        Node::Op(op, _, args) => {
            let args: Option<Vec<u64>> = args.iter().map(|&arg| graph[arg].data.constant).collect();
            folded(op, &args?)
        }
    }
}

/// The result of an operation on numbers, where the ISA leaves nothing of it open.
pub fn folded(op: &Op, args: &[u64]) -> Option<u64> {
    let result = || fold(op, args).first().copied();
    match *op {
        // Their result is the target's own.
        Op::ToGeneric { .. } | Op::FromGeneric { .. } | Op::IsSpace { .. } | Op::Fns => None,
        Op::Bfe { .. } | Op::Bfi { .. } => None,
        Op::Div { .. } | Op::Rem { .. } if args[1] == 0 => None,
        Op::Float { op, ty, mode } => {
            use FloatOp::{Add, Fma, Mul, Neg, Rcp, Sub};
            let exact = !matches!(mode.rounding, Rounding::Approximate | Rounding::Full)
                && matches!(op, Add | Sub | Mul | Fma | Neg | Rcp);
            // A reciprocal without a full fraction is no factor that serves in place of a divisor.
            let number = |bits: &u64| {
                let class = class(ty, *bits);
                class != FpCategory::Nan && (op != Rcp || class == FpCategory::Normal)
            };
            exact.then(result).flatten().filter(number)
        }
        Op::Convert { from, to, .. } if from.float() || to.float() => None,
        Op::Compare { ty, .. } | Op::Set { ty, .. } if ty.float() => None,
        Op::SelectSign { float: true, .. } | Op::Test { .. } => None,
        Op::Set { to, .. } if to.float() => None,
        _ => result(),
    }
}

/// What kind of number bits are: of types with an unknown layout all are NaNs.
fn class(ty: Type, bits: u64) -> FpCategory {
    match (ty.kind, ty.bits) {
        (Kind::Float, 32) => f32::from_bits(bits as u32).classify(),
        (Kind::Float, 64) => f64::from_bits(bits).classify(),
        _ => FpCategory::Nan,
    }
}
