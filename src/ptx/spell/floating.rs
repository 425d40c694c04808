//! Floating-point arithmetic (PTX ISA, "Floating Point Instructions", "Half Precision Floating Point Instructions").

use super::words::{dotted, modifiers, name, rounding, when};
use ptxasw_ir::op::{FloatMode, FloatOp, Rounding, TestClass};
use ptxasw_ir::types::{Kind, Type};

/// An arithmetic operation with all its modifiers.
pub(super) fn spell(op: FloatOp, ty: Type, mode: &FloatMode) -> Option<String> {
    let type_name = name(ty).filter(|_| ty.float() && computes(op, ty))?;
    let [ftz, sat, nan, relu] = modifiers(mode);
    let three = matches!(op, FloatOp::Min3 | FloatOp::Max3);
    let sign = when(mode.xorsign_abs && !three, "xorsign");
    let magnitude = when(mode.xorsign_abs, "abs");
    Some(dotted([
        base(op, mode.rounding),
        rounding_of(op, mode.rounding)?,
        ftz,
        sat,
        nan,
        relu,
        sign,
        magnitude,
        type_name,
    ]))
}

/// Whether an operation has a form for a type: quotients and roots have none in `.bf16` and none of two lanes.
fn computes(op: FloatOp, ty: Type) -> bool {
    let quotient = matches!(op, FloatOp::Div | FloatOp::Rcp | FloatOp::Sqrt);
    !quotient || ty.kind == Kind::Float
}

/// The word before the first dot.
fn base(op: FloatOp, rounding: Rounding) -> &'static str {
    match op {
        FloatOp::Add => "add",
        FloatOp::Sub => "sub",
        FloatOp::Mul => "mul",
        // `fma` without a rounding is no PTX, `mad` was.
        FloatOp::Fma if rounding == Rounding::Contractible => "mad",
        FloatOp::Fma => "fma",
        FloatOp::Div => "div",
        FloatOp::Rcp => "rcp",
        FloatOp::Sqrt => "sqrt",
        FloatOp::Rsqrt => "rsqrt",
        FloatOp::Neg => "neg",
        FloatOp::Abs => "abs",
        FloatOp::Min | FloatOp::Min3 => "min",
        FloatOp::Max | FloatOp::Max3 => "max",
        FloatOp::Sin => "sin",
        FloatOp::Cos => "cos",
        FloatOp::Lg2 => "lg2",
        FloatOp::Ex2 => "ex2",
        FloatOp::Tanh => "tanh",
        FloatOp::CopySign => "copysign",
    }
}

/// The word for an operation's rounding, which is empty where none is written; none if it has no such rounding.
fn rounding_of(op: FloatOp, mode: Rounding) -> Option<&'static str> {
    match op {
        FloatOp::Add | FloatOp::Sub | FloatOp::Mul | FloatOp::Fma => match mode {
            Rounding::Contractible => Some(""),
            given => rounding(given),
        },
        FloatOp::Div if mode == Rounding::Full => Some("full"),
        FloatOp::Div | FloatOp::Rcp | FloatOp::Sqrt => match mode {
            Rounding::Approximate => Some("approx"),
            given => rounding(given),
        },
        FloatOp::Rsqrt
        | FloatOp::Sin
        | FloatOp::Cos
        | FloatOp::Lg2
        | FloatOp::Ex2
        | FloatOp::Tanh => (mode == Rounding::Approximate).then_some("approx"),
        // Exact.
        FloatOp::Neg
        | FloatOp::Abs
        | FloatOp::Min
        | FloatOp::Max
        | FloatOp::Min3
        | FloatOp::Max3
        | FloatOp::CopySign => (mode == Rounding::Nearest).then_some(""),
    }
}

/// `testp`
pub(super) fn test(class: TestClass, ty: Type) -> Option<String> {
    let class = match class {
        TestClass::Finite => "finite",
        TestClass::Infinite => "infinite",
        TestClass::Number => "number",
        TestClass::NotANumber => "notanumber",
        TestClass::Normal => "normal",
        TestClass::Subnormal => "subnormal",
    };
    let ty = name(ty).filter(|_| ty.kind == Kind::Float)?;
    Some(dotted(["testp", class, ty]))
}
