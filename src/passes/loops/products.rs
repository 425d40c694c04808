//! Products of one iteration that meet sums of the next one.
//!
//! A product and a sum without rounding modifiers may become one operation with one rounding (PTX ISA, `add`), if the assembler sees both in one
//! block. In a loop they are in one block where they belong to one iteration; in a batch, where they do not, too. Results would differ in their
//! last bits from those of the original.

use super::is_in;
use super::shape::Shape;
use crate::Session;
use ptxasw_ir::fast_math::FastMath;
use ptxasw_ir::function::{InstId, Value, ValueDef};
use ptxasw_ir::op::{FloatOp, Op, Rounding};
use ptxasw_ir::opcode::Opcode;
use rustc_hash::FxHashSet;

/// Moves between a product and a sum that are looked through.
const MAX_MOVES: usize = 8;

/// A sum that may be contracted with a product of the iteration before.
pub fn contracted(session: &Session, shape: &Shape) -> Option<InstId> {
    let function = session.function;
    let edges = shape.latches.iter().flat_map(|&latch| {
        let targets = function.block(latch).terminator.targets().into_iter();
        targets.filter(|target| target.block == shape.header)
    });
    let params = &function.block(shape.header).params;
    let mut products: FxHashSet<Value> = FxHashSet::default();
    for target in edges {
        let handed = params.iter().zip(&target.args);
        let handed = handed.filter(|(_, arg)| is_product(session, shape, **arg));
        products.extend(handed.map(|(&param, _)| param));
    }
    let insts = shape
        .blocks
        .iter()
        .flat_map(|&block| &function.block(block).insts);
    insts.copied().find(|&id| {
        let is_sum = may_contract(session, id, &[FloatOp::Add, FloatOp::Sub]);
        let mut args = function.inst(id).args.iter();
        // An exit that is not asked in a batch parted these two.
        let parted = |one: &Value| match function.value(*one).def {
            ValueDef::Result(product, _) => {
                function.inst(product).block != function.inst(id).block
                    && is_in(session, product, &shape.blocks)
                    && may_contract(session, product, &[FloatOp::Mul])
            }
            _ => false,
        };
        let meets = |one: &Value| products.contains(one) || parted(one);
        is_sum && args.any(|&arg| moved(session, arg).iter().any(meets))
    })
}

/// Whether a value is a product of the loop, or made of one by moves.
fn is_product(session: &Session, shape: &Shape, value: Value) -> bool {
    let is_mul = |value: &Value| match session.function.value(*value).def {
        ValueDef::Result(id, _) => {
            is_in(session, id, &shape.blocks) && may_contract(session, id, &[FloatOp::Mul])
        }
        // What paths of an iteration bring together may be one.
        ValueDef::Parameter(block, _) => block != shape.header && shape.blocks.contains(&block),
        _ => false,
    };
    moved(session, value).iter().any(is_mul)
}

/// A value and those that it is one of, with either sign.
fn moved(session: &Session, value: Value) -> Vec<Value> {
    let (mut all, mut next) = (vec![value], 0);
    while next < all.len().min(MAX_MOVES) {
        if let ValueDef::Result(id, _) = session.function.value(all[next]).def {
            let inst = session.function.inst(id);
            let is_move = matches!(
                inst.opcode,
                Opcode::Op(
                    Op::Copy { .. }
                        | Op::Select { .. }
                        | Op::Float {
                            op: FloatOp::Neg | FloatOp::Abs,
                            ..
                        }
                )
            );
            if is_move {
                all.extend(&inst.args);
            }
        }
        next += 1;
    }
    all
}

/// Whether an instruction is one of some operations and may become part of another one.
fn may_contract(session: &Session, id: InstId, ops: &[FloatOp]) -> bool {
    let function = session.function;
    let inst = function.inst(id);
    let Opcode::Op(Op::Float { op, mode, .. }) = &inst.opcode else {
        return false;
    };
    let promises = inst
        .results
        .iter()
        .filter_map(|&one| function.value(one).promises.as_deref());
    let mut flags = promises.map(|one| one.fast_math);
    let unmarked = mode.rounding == Rounding::Contractible;
    ops.contains(op) && (unmarked || flags.any(|flags| flags.has(FastMath::CONTRACT)))
}
