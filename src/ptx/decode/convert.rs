//! `cvt`, `cvta`, `isspacep` (PTX ISA, "Data Movement and Conversion Instructions").

use super::memory::space;
use super::modifiers::Spelling;
use super::shape::{Shape, op};
use ptxasw_ir::op::{Op, Rounding};
use ptxasw_ir::types::{Kind, Space, Type};

/// A number of one lane: an integer of 8 to 64 bits, or `f16`, `bf16`, `f32`, `f64`.
fn scalar(ty: Type) -> bool {
    matches!(
        ty.kind,
        Kind::Unsigned | Kind::Signed | Kind::Float | Kind::BFloat
    )
}

/// `cvt`. Everything that names another format (`.tf32`, `.e4m3x2`, ...), packs integers or rounds at random is left
/// to be opaque.
pub(super) fn cvt(s: &mut Spelling) -> Option<Shape> {
    let (to, from) = (s.ty()?, s.ty()?);
    let rounding = s.rounding();
    let integral = s.choose(&[
        ("rni", Rounding::Nearest),
        ("rzi", Rounding::Zero),
        ("rmi", Rounding::Down),
        ("rpi", Rounding::Up),
    ]);
    // Exact conversions have no rounding: to nearest changes nothing there.
    let mode = s.mode(rounding.or(integral).unwrap_or(Rounding::Nearest));
    if mode.nan || mode.xorsign_abs {
        return None;
    }
    let packs = matches!(to.kind, Kind::Float16x2 | Kind::BFloat16x2);
    if packs && from == Type::F32 && s.operands == 3 {
        rounding?;
        return convert(from, to, mode, false, &[from, from]);
    }
    if !scalar(to) || !scalar(from) {
        return None;
    }
    let to_integral = match (from.float(), to.float()) {
        (false, false) => (rounding.is_none() && integral.is_none()).then_some(false),
        (false, true) => (rounding.is_some() && integral.is_none()).then_some(false),
        (true, false) => (rounding.is_none() && integral.is_some()).then_some(false),
        (true, true) if from == to => rounding.is_none().then_some(integral.is_some()),
        (true, true) if to.bits > from.bits => integral.is_none().then_some(false),
        (true, true) => (rounding.is_some() && integral.is_none()).then_some(false),
    }?;
    convert(from, to, mode, to_integral, &[from])
}

fn convert(
    from: Type,
    to: Type,
    mode: ptxasw_ir::op::FloatMode,
    integral: bool,
    sources: &[Type],
) -> Option<Shape> {
    let operation = Op::Convert {
        from,
        to,
        mode,
        integral,
    };
    op(operation, sources)
}

/// `.param` of an address conversion is a kernel's.
fn explicit_space(s: &mut Spelling) -> Option<Space> {
    match space(s) {
        (Space::Generic, _) => None,
        (Space::ParamFunc, true) => Some(Space::ParamEntry),
        (space, _) => Some(space),
    }
}

/// `cvta`, `cvta.to`
pub(super) fn cvta(s: &mut Spelling) -> Option<Shape> {
    let from_generic = s.take("to");
    let space = explicit_space(s)?;
    let ty = s.ty().filter(|t| matches!(t.bits, 32 | 64))?;
    let width = ty.bits;
    let operation = match from_generic {
        true => Op::FromGeneric { space, width },
        false => Op::ToGeneric { space, width },
    };
    op(operation, &[ty])
}

/// `isspacep`
pub(super) fn isspacep(s: &mut Spelling) -> Option<Shape> {
    let space = explicit_space(s)?;
    op(Op::IsSpace { space }, &[Type::U64])
}
