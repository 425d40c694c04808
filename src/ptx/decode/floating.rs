//! Floating-point instructions (PTX ISA, "Floating Point", "Half Precision").

use super::modifiers::Spelling;
use super::shape::{Shape, op};
use ptxasw_ir::op::{FloatMode, FloatOp, Op, Rounding, TestClass};
use ptxasw_ir::types::{Kind, Type};

fn float(operation: FloatOp, ty: Type, mode: FloatMode, operands: usize) -> Option<Shape> {
    let operation = Op::Float {
        op: operation,
        ty,
        mode,
    };
    op(operation, [ty; 3].get(..operands)?)
}

/// `add`, `sub`, `mul`, `fma` and `mad`: without a rounding they round to nearest.
///
/// `mad.f32` is fused from sm_20 on. ptxas may contract `add` and `mul` without a rounding into one `fma`.
pub(super) fn arithmetic(s: &mut Spelling, operation: FloatOp) -> Option<Shape> {
    let ty = s.float()?;
    let rounding = s.rounding().unwrap_or(Rounding::Contractible);
    let mode = s.mode(rounding);
    let operands = if operation == FloatOp::Fma { 3 } else { 2 };
    float(operation, ty, mode, operands)
}

/// `div`, `rcp`, `sqrt`: with a rounding, or the target's approximation.
pub(super) fn quotient(s: &mut Spelling, operation: FloatOp) -> Option<Shape> {
    let ty = s.float().filter(|t| t.kind == Kind::Float)?;
    let rounding = match s.rounding() {
        Some(given) => given,
        None if operation == FloatOp::Div && s.take("full") => Rounding::Full,
        None => {
            s.take("approx");
            Rounding::Approximate
        }
    };
    let mode = s.mode(rounding);
    let operands = if operation == FloatOp::Div { 2 } else { 1 };
    float(operation, ty, mode, operands)
}

/// `rsqrt`, `sin`, `cos`, `lg2`, `ex2`, `tanh`: approximations.
pub(super) fn approximation(s: &mut Spelling, operation: FloatOp) -> Option<Shape> {
    let ty = s.float()?;
    s.take("approx");
    let mode = s.mode(Rounding::Approximate);
    float(operation, ty, mode, 1)
}

/// `neg`, `abs`, `copysign`
pub(super) fn sign(s: &mut Spelling, operation: FloatOp) -> Option<Shape> {
    let ty = s.float()?;
    let mode = s.mode(Rounding::Nearest);
    let operands = if operation == FloatOp::CopySign { 2 } else { 1 };
    float(operation, ty, mode, operands)
}

/// `min`, `max`, of two or three; of three there is `.abs`, but no `.xorsign`.
pub(super) fn min(s: &mut Spelling, max: bool) -> Option<Shape> {
    let ty = s.float()?;
    let mut mode = s.mode(Rounding::Nearest);
    if s.operands == 4 {
        if mode.xorsign_abs {
            return None;
        }
        mode.xorsign_abs = s.take("abs");
    }
    match (s.operands, max) {
        (4, false) => float(FloatOp::Min3, ty, mode, 3),
        (4, true) => float(FloatOp::Max3, ty, mode, 3),
        (_, false) => float(FloatOp::Min, ty, mode, 2),
        (_, true) => float(FloatOp::Max, ty, mode, 2),
    }
}

/// `testp`
pub(super) fn testp(s: &mut Spelling) -> Option<Shape> {
    let class = s.choose(&[
        ("finite", TestClass::Finite),
        ("infinite", TestClass::Infinite),
        ("number", TestClass::Number),
        ("notanumber", TestClass::NotANumber),
        ("normal", TestClass::Normal),
        ("subnormal", TestClass::Subnormal),
    ])?;
    let ty = s.float().filter(|t| t.kind == Kind::Float)?;
    op(Op::Test { class, ty }, &[ty])
}
