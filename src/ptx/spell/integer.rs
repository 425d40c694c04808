//! Integer arithmetic (PTX ISA, "Integer Arithmetic Instructions").

use super::words::{dotted, integer, when};
use ptxasw_base::mutation::{Mutation, active};
use ptxasw_ir::op::{Op, Product};

/// Operations of this file. Where a sign makes no difference, the type is signed.
pub(super) fn spell(op: &Op) -> Option<String> {
    Some(match *op {
        Op::Add { width } => dotted(["add", integer(true, width)?]),
        Op::Sub { width } => dotted(["sub", integer(true, width)?]),
        Op::AddSaturate { subtract: false } => dotted(["add", "sat", "s32"]),
        Op::AddSaturate { subtract: true } => dotted(["sub", "sat", "s32"]),
        Op::SumOfThree { subtract } => {
            let base = if subtract { "vsub" } else { "vadd" };
            dotted([base, "u32", "u32", "u32", "add"])
        }
        Op::Mul {
            product,
            width,
            signed,
        } => dotted(["mul", half(product, width)?, integer(signed, width)?]),
        Op::MulAdd {
            product,
            width,
            signed,
            saturate,
        } => multiply_add(product, width, signed, saturate)?,
        Op::Mul24 {
            product,
            signed,
            add,
        } => {
            let base = if add { "mad24" } else { "mul24" };
            let product = half(product, 32).filter(|_| product != Product::Wide)?;
            dotted([base, product, integer(signed, 32)?])
        }
        Op::Sad { width, signed } => dotted(["sad", integer(signed, width)?]),
        Op::Div { width, signed } => dotted(["div", integer(signed, width)?]),
        Op::Rem { width, signed } => dotted(["rem", integer(signed, width)?]),
        Op::Abs { width } => dotted(["abs", integer(true, width)?]),
        Op::Neg { width } => dotted(["neg", integer(true, width)?]),
        Op::Min {
            width,
            signed,
            relu,
        } => extremum("min", width, signed, relu)?,
        Op::Max {
            width,
            signed,
            relu,
        } => extremum("max", width, signed, relu)?,
        Op::Dp4a { signed_a, signed_b } => {
            dotted(["dp4a", integer(signed_a, 32)?, integer(signed_b, 32)?])
        }
        Op::Dp2a {
            signed_a,
            signed_b,
            high,
        } => {
            let half = if high { "hi" } else { "lo" };
            dotted(["dp2a", half, integer(signed_a, 32)?, integer(signed_b, 32)?])
        }
        _ => return None,
    })
}

/// Which half of a product of factors of `width`; no register holds all of one of 64 bits.
fn half(product: Product, width: u8) -> Option<&'static str> {
    match product {
        Product::Low if active(Mutation::HighForLow) => Some("hi"),
        Product::Wide if active(Mutation::WideLost) => Some("lo"),
        Product::Low => Some("lo"),
        Product::High => Some("hi"),
        Product::Wide => (width < 64).then_some("wide"),
    }
}

/// `mad`; only `mad.hi.s32` can saturate.
fn multiply_add(product: Product, width: u8, signed: bool, saturate: bool) -> Option<String> {
    if saturate && (product, width, signed) != (Product::High, 32, true) {
        return None;
    }
    let (half, ty) = (half(product, width)?, integer(signed, width)?);
    Some(dotted(["mad", half, when(saturate, "sat"), ty]))
}

/// `min`, `max`; only those of `.s32` have `.relu`.
fn extremum(base: &str, width: u8, signed: bool, relu: bool) -> Option<String> {
    if relu && (width, signed) != (32, true) {
        return None;
    }
    Some(dotted([base, when(relu, "relu"), integer(signed, width)?]))
}
