//! The words that opcodes are made of.

use ptxasw_base::mutation::{Mutation, active};
use ptxasw_ir::op::{FloatMode, Logic, Rounding};
use ptxasw_ir::types::{Kind, Space, Type};

/// Joins words by dots; empty ones are modifiers that are not there.
pub(super) fn dotted<const N: usize>(words: [&str; N]) -> String {
    let mut text = String::new();
    for word in words.into_iter().filter(|word| !word.is_empty()) {
        if !text.is_empty() {
            text.push('.');
        }
        text.push_str(word);
    }
    text
}

/// A word, if it is there.
pub(super) fn when(there: bool, word: &'static str) -> &'static str {
    if there { word } else { "" }
}

/// The name of a type. None for those of [`Kind::Other`], of which several have one kind and width.
pub(super) fn name(ty: Type) -> Option<&'static str> {
    Some(match (ty.kind, ty.bits) {
        (Kind::Predicate, 1) => "pred",
        (Kind::Bits, 8) => "b8",
        (Kind::Bits, 16) => "b16",
        (Kind::Bits, 32) => "b32",
        (Kind::Bits, 64) => "b64",
        (Kind::Bits, 128) => "b128",
        (Kind::Unsigned, 8) => "u8",
        (Kind::Unsigned, 16) => "u16",
        (Kind::Unsigned, 32) => "u32",
        (Kind::Unsigned, 64) => "u64",
        (Kind::Signed, 8) => "s8",
        (Kind::Signed, 16) => "s16",
        (Kind::Signed, 32) => "s32",
        (Kind::Signed, 64) => "s64",
        (Kind::Float, 16) => "f16",
        (Kind::Float, 32) => "f32",
        (Kind::Float, 64) => "f64",
        (Kind::BFloat, 16) => "bf16",
        (Kind::Float16x2, 32) => "f16x2",
        (Kind::BFloat16x2, 32) => "bf16x2",
        (Kind::Unsigned16x2, 32) => "u16x2",
        (Kind::Signed16x2, 32) => "s16x2",
        _ => return None,
    })
}

/// `.s8` to `.u64`.
pub(super) fn any_integer(signed: bool, width: u8) -> Option<&'static str> {
    let kind = match signed && !active(Mutation::SignLost) {
        true => Kind::Signed,
        false => Kind::Unsigned,
    };
    name(Type::new(kind, width))
}

/// The types of integer arithmetic: `.s16` to `.u64`.
pub(super) fn integer(signed: bool, width: u8) -> Option<&'static str> {
    any_integer(signed, width).filter(|_| width >= 16)
}

/// `.s32` to `.u64`.
pub(super) fn wide_integer(signed: bool, width: u8) -> Option<&'static str> {
    any_integer(signed, width).filter(|_| width >= 32)
}

/// `.b16`, `.b32`, `.b64`
pub(super) fn bits(width: u8) -> Option<&'static str> {
    name(Type::new(Kind::Bits, width)).filter(|_| matches!(width, 16 | 32 | 64))
}

/// `.b32`, `.b64`
pub(super) fn wide_bits(width: u8) -> Option<&'static str> {
    bits(width).filter(|_| width >= 32)
}

/// `.pred`, `.b16`, `.b32`, `.b64`
pub(super) fn bits_or_predicate(width: u8) -> Option<&'static str> {
    if width == 1 {
        return Some("pred");
    }
    bits(width)
}

/// `.and`, `.or`, `.xor`
pub(super) fn logic(logic: Option<Logic>) -> &'static str {
    match logic {
        None => "",
        Some(Logic::And) if active(Mutation::LogicMixed) => "or",
        Some(Logic::And) => "and",
        Some(Logic::Or) => "or",
        Some(Logic::Xor) => "xor",
    }
}

/// The roundings to a float type. The others are spelled by their operations, if at all.
pub(super) fn rounding(rounding: Rounding) -> Option<&'static str> {
    Some(match rounding {
        Rounding::Nearest => "rn",
        Rounding::Zero if active(Mutation::RoundingLost) => "rn",
        Rounding::Zero => "rz",
        Rounding::Down => "rm",
        Rounding::Up => "rp",
        Rounding::Contractible | Rounding::NearestAway | Rounding::Approximate | Rounding::Full => {
            return None;
        }
    })
}

/// The roundings to an integer.
pub(super) fn integral_rounding(rounding: Rounding) -> Option<&'static str> {
    Some(match rounding {
        Rounding::Nearest => "rni",
        Rounding::Zero => "rzi",
        Rounding::Down => "rmi",
        Rounding::Up => "rpi",
        Rounding::Contractible | Rounding::NearestAway | Rounding::Approximate | Rounding::Full => {
            return None;
        }
    })
}

/// `.ftz`, `.sat`, `.NaN` and `.relu`, in the order in which the PTX ISA has those of them that go together.
pub(super) fn modifiers(mode: &FloatMode) -> [&'static str; 4] {
    [
        when(mode.ftz && !active(Mutation::FtzLost), "ftz"),
        when(mode.saturate && !active(Mutation::SaturationLost), "sat"),
        when(mode.nan, "NaN"),
        when(mode.relu, "relu"),
    ]
}

/// A state space that an instruction on addresses can name.
pub(super) fn space(space: Space) -> Option<&'static str> {
    Some(match space {
        Space::Generic => return None,
        Space::Global => "global",
        Space::Const => "const",
        Space::Shared => "shared",
        Space::SharedCluster => "shared::cluster",
        Space::Local => "local",
        // Without `::entry`, which came later.
        Space::ParamEntry => "param",
        Space::ParamFunc => "param::func",
    })
}
