//! Literals as bits of an operand's type.

use ptxasw_ir::types::{Kind, Type};

/// The lower bits of a value.
fn cut(value: u64, bits: u8) -> u64 {
    match bits {
        64.. => value,
        _ => value & ((1 << bits) - 1),
    }
}

/// An integer literal: cut to the operand's width; for a predicate, whether it is not zero. There is none for `.f32` and `.f64`.
pub(super) fn integer(value: u64, ty: Type) -> Option<u64> {
    match ty.kind {
        Kind::Predicate => Some(u64::from(value != 0)),
        Kind::Float if ty.bits > 16 => None,
        _ => Some(cut(value, ty.bits)),
    }
}

/// A float literal of `width` bits: its bits where the widths agree, else converted by value, as ptxas does.
pub(super) fn float(bits: u64, width: u8, ty: Type) -> u64 {
    if ty.bits == width {
        return bits;
    }
    let value = match width {
        32 => f64::from(f32::from_bits(bits as u32)),
        _ => f64::from_bits(bits),
    };
    match (ty.kind, ty.bits) {
        (Kind::BFloat, _) => u64::from(half::bf16::from_f64(value).to_bits()),
        (_, 16) => u64::from(half::f16::from_f64(value).to_bits()),
        (_, 32) => u64::from((value as f32).to_bits()),
        (_, 64) => value.to_bits(),
        _ => cut(bits, ty.bits),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers() {
        assert_eq!(integer(u64::MAX, Type::B32), Some(0xffff_ffff));
        assert_eq!(integer(u64::MAX, Type::B64), Some(u64::MAX));
        assert_eq!(integer(2, Type::PRED), Some(1));
        assert_eq!(integer(1, Type::F32), None);
        assert_eq!(integer(0x13c00, Type::new(Kind::Float, 16)), Some(0x3c00));
    }

    #[test]
    fn floats() {
        let one = 1f64.to_bits();
        assert_eq!(float(0x3f80_0000, 32, Type::F64), one);
        assert_eq!(float(one, 64, Type::F32), 0x3f80_0000);
        assert_eq!(float(0x3f80_0000, 32, Type::B32), 0x3f80_0000);
        assert_eq!(float(0x7fa0_0001, 32, Type::F32), 0x7fa0_0001);
        assert_eq!(float(one, 64, Type::new(Kind::Float, 16)), 0x3c00);
        assert_eq!(float(one, 64, Type::new(Kind::BFloat, 16)), 0x3f80);
    }
}
