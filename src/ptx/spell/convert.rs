//! `mov`, `cvt`, `cvta`, `isspacep` (PTX ISA, "Data Movement and Conversion Instructions").

use super::spelled::{Form, Spelled};
use super::words::{
    any_integer, bits, bits_or_predicate, dotted, integer, integral_rounding, modifiers, name,
    rounding, space, wide_integer,
};
use ptxasw_base::mutation::{Mutation, active};
use ptxasw_ir::op::{FloatMode, Op, Rounding};
use ptxasw_ir::types::{Kind, Type};

/// Operations of this file.
pub(super) fn spell(op: &Op) -> Option<Spelled> {
    Some(match *op {
        Op::Copy { width } => copy(width)?,
        Op::Convert {
            from,
            to,
            mode,
            integral,
        } => Spelled::plain(convert(from, to, &mode, integral)?),
        Op::Extend { from, to, signed } => extend(from, to, signed)?,
        Op::Pack { parts, width } => Spelled::of(vector_move(parts, width)?, Form::Pack),
        Op::Unpack { parts, width } => Spelled::of(vector_move(parts, width)?, Form::Unpack),
        Op::ToGeneric { space: from, width } => {
            Spelled::plain(dotted(["cvta", space(from)?, wide_integer(false, width)?]))
        }
        Op::FromGeneric { space: to, width } => {
            let ty = wide_integer(false, width)?;
            Spelled::plain(dotted(["cvta", "to", space(to)?, ty]))
        }
        Op::IsSpace { space: asked } => Spelled::plain(dotted(["isspacep", space(asked)?])),
        _ => return None,
    })
}

/// `mov` of one register.
fn copy(width: u8) -> Option<Spelled> {
    Some(Spelled::plain(dotted(["mov", bits_or_predicate(width)?])))
}

/// `mov` between a register and a vector of its parts.
fn vector_move(parts: u8, width: u8) -> Option<String> {
    let whole = parts.checked_mul(width)?;
    let divides = matches!(parts, 2 | 4 | 8) && width >= 8;
    Some(dotted(["mov", bits(whole).filter(|_| divides)?]))
}

/// Another width of an integer. A predicate becomes a number by a selection between two constants.
fn extend(from: u8, to: u8, signed: bool) -> Option<Spelled> {
    if from == to {
        return copy(to);
    }
    if from == 1 {
        let minus = signed && !active(Mutation::PredicateUnsigned);
        let yes = if minus { "-1" } else { "1" };
        let selected = Spelled::plain(dotted(["selp", integer(signed, to)?]));
        return Some(selected.with_constants(0, format!("{yes}, 0")));
    }
    let (to, from) = (any_integer(signed, to)?, any_integer(signed, from)?);
    Some(Spelled::plain(dotted(["cvt", to, from])))
}

/// `cvt`
fn convert(from: Type, to: Type, mode: &FloatMode, integral: bool) -> Option<String> {
    if mode.nan || mode.xorsign_abs {
        return None;
    }
    let rounding = conversion_rounding(from, to, mode.rounding, integral)?;
    let [ftz, sat, _, relu] = modifiers(mode);
    let (mut to, mut from) = (name(to)?, name(from)?);
    if active(Mutation::ConversionInverted) {
        std::mem::swap(&mut to, &mut from);
    }
    Some(dotted(["cvt", rounding, ftz, sat, relu, to, from]))
}

/// The rounding that a conversion names: empty where it names none; none if there is no such conversion.
fn conversion_rounding(
    from: Type,
    to: Type,
    mode: Rounding,
    integral: bool,
) -> Option<&'static str> {
    let exact = (mode == Rounding::Nearest).then_some("");
    let packs = matches!(to.kind, Kind::Float16x2 | Kind::BFloat16x2) && from == Type::F32;
    if integral {
        // To an integral value of the same float type.
        return integral_rounding(mode).filter(|_| from == to && scalar(from) && from.float());
    }
    if packs {
        return rounding(mode);
    }
    if !scalar(from) || !scalar(to) {
        return None;
    }
    match (from.float(), to.float()) {
        (false, false) => exact,
        (false, true) => rounding(mode),
        (true, false) => integral_rounding(mode),
        (true, true) if from == to => exact,
        // Exact, and a rounding may be written all the same.
        (true, true) if to.bits > from.bits => exact.or_else(|| rounding(mode)),
        (true, true) => rounding(mode),
    }
}

/// A number of one lane.
fn scalar(ty: Type) -> bool {
    matches!(
        ty.kind,
        Kind::Unsigned | Kind::Signed | Kind::Float | Kind::BFloat
    )
}
