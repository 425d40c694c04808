//! Values as text.

use ptxasw_executor::launch::Element;
use ptxasw_ir::types::{Kind, Type};
use ptxasw_verify::{Memory, Value};

/// An element: `0.25 (0x3e800000)`, or what is undefined of it.
pub(super) fn value(ty: Type, size: u8, value: Value) -> String {
    let all = ((1u16 << size.min(8)) - 1) as u8;
    match value.undefined & all {
        0 => bits(ty, value.bits),
        mask if mask == all => "undefined".to_owned(),
        mask => format!(
            "{} with undefined bytes {mask:#010b}",
            hexadecimal(ty, value.bits)
        ),
    }
}

/// Defined bits. Words without a type may well be floats.
pub(super) fn bits(ty: Type, bits: u64) -> String {
    let hexadecimal = hexadecimal(ty, bits);
    let element = element(ty);
    match ty.kind {
        Kind::Bits if matches!(ty.bits, 32 | 64) => {
            let float = if ty.bits == 32 {
                Element::F32
            } else {
                Element::F64
            };
            format!("{hexadecimal}, as {float} {}", float.format(bits))
        }
        _ => element.map_or(hexadecimal.clone(), |element| {
            format!("{} ({hexadecimal})", element.format(bits))
        }),
    }
}

fn hexadecimal(ty: Type, bits: u64) -> String {
    let digits = usize::from(ty.bits.max(8) / 4).min(16);
    format!("{bits:#0width$x}", width = digits + 2)
}

fn element(ty: Type) -> Option<Element> {
    Some(match (ty.kind, ty.bits) {
        (Kind::Float, 16) => Element::F16,
        (Kind::Float, 32) => Element::F32,
        (Kind::Float, 64) => Element::F64,
        (Kind::BFloat, 16) => Element::Bf16,
        (Kind::Signed, 8) => Element::I8,
        (Kind::Signed, 16) => Element::I16,
        (Kind::Signed, 32) => Element::I32,
        (Kind::Signed, 64) => Element::I64,
        (Kind::Unsigned, 8..=64) => Element::unsigned(ty.bits / 8),
        _ => return None,
    })
}

/// A piece of memory.
pub(super) fn memory(memory: &Memory) -> String {
    match memory {
        Memory::Buffer(number) => format!("buffer {number}"),
        Memory::Variable(name) => format!("variable `{name}`"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_by_type() {
        assert_eq!(bits(Type::F32, 0x3e80_0000), "0.25 (0x3e800000)");
        assert_eq!(bits(Type::S32, 0xffff_fffd), "-3 (0xfffffffd)");
        assert_eq!(bits(Type::B32, 0x3e80_0000), "0x3e800000, as f32 0.25");
        assert_eq!(bits(Type::new(Kind::Bits, 8), 7), "0x07");
        let of = |bits, undefined| value(Type::U32, 4, Value { bits, undefined });
        assert_eq!(of(5, 0), "5 (0x00000005)");
        assert_eq!(of(0, 0xf), "undefined");
        assert_eq!(
            of(0x0102, 0b1100),
            "0x00000102 with undefined bytes 0b00001100"
        );
    }
}
