//! Binary interchange formats, and numbers taken apart.

use crate::types::{Kind, Type};

/// A format with a sign bit, a biased exponent, and a fraction after an implicit leading one (IEEE 754, and `.bf16`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Format {
    /// Bits in all.
    pub width: u32,
    /// Bits of the fraction, without the implicit one.
    pub fraction: u32,
    /// The NaN that operations give. For all formats but binary64 it is what the PTX ISA calls canonical; binary64 has
    /// none there, and this is the one that the hardware makes of an invalid operation.
    pub nan: u64,
}

pub(super) const F16: Format = Format {
    width: 16,
    fraction: 10,
    nan: 0x7FFF,
};
pub(super) const BF16: Format = Format {
    width: 16,
    fraction: 7,
    nan: 0x7FFF,
};
pub(super) const F32: Format = Format {
    width: 32,
    fraction: 23,
    nan: 0x7FFF_FFFF,
};
pub(super) const F64: Format = Format {
    width: 64,
    fraction: 52,
    nan: 0xFFF8_0000_0000_0000,
};

/// A number's magnitude.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Magnitude {
    Zero,
    /// `significand * 2^exponent`; the significand is not zero.
    Finite {
        significand: u64,
        exponent: i32,
    },
    Infinite,
    NotANumber,
}

/// A number taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Number {
    pub negative: bool,
    pub magnitude: Magnitude,
}

impl Format {
    /// The format of an unpacked floating-point type.
    pub fn of(ty: Type) -> Option<Format> {
        match (ty.kind, ty.bits) {
            (Kind::Float, 16) => Some(F16),
            (Kind::Float, 32) => Some(F32),
            (Kind::Float, 64) => Some(F64),
            (Kind::BFloat, 16) => Some(BF16),
            _ => None,
        }
    }

    /// The sign bit.
    pub fn sign(self) -> u64 {
        1 << (self.width - 1)
    }

    /// Plus infinity, which is also the exponent's mask and just above the largest number.
    pub fn infinity(self) -> u64 {
        self.sign() - self.smallest_normal()
    }

    /// The smallest normal number; below are zero and the subnormal ones.
    pub fn smallest_normal(self) -> u64 {
        1 << self.fraction
    }

    /// The exponent of the smallest normal number.
    pub fn least_exponent(self) -> i32 {
        2 - (1 << (self.width - self.fraction - 2))
    }

    /// 1.0
    pub fn one(self) -> u64 {
        self.infinity() >> 1 & self.infinity()
    }

    /// The bits without the sign.
    pub fn magnitude(self, bits: u64) -> u64 {
        bits & (self.sign() - 1)
    }

    pub fn negative(self, bits: u64) -> bool {
        bits & self.sign() != 0
    }

    pub fn is_nan(self, bits: u64) -> bool {
        self.magnitude(bits) > self.infinity()
    }

    pub fn is_subnormal(self, bits: u64) -> bool {
        (1..self.smallest_normal()).contains(&self.magnitude(bits))
    }

    /// A subnormal number as zero of the same sign, where `ftz` asks for it.
    pub fn flush(self, ftz: bool, bits: u64) -> u64 {
        if ftz && self.is_subnormal(bits) {
            bits & self.sign()
        } else {
            bits
        }
    }

    /// The sign bit set or not, on a magnitude.
    pub fn with_sign(self, negative: bool, magnitude: u64) -> u64 {
        if negative {
            magnitude | self.sign()
        } else {
            magnitude
        }
    }

    /// Takes a number apart.
    pub fn decode(self, bits: u64) -> Number {
        let magnitude = self.magnitude(bits);
        let biased = (magnitude >> self.fraction) as i32;
        let fraction = magnitude & (self.smallest_normal() - 1);
        let lowest = self.least_exponent() - self.fraction as i32;
        let magnitude = if magnitude > self.infinity() {
            Magnitude::NotANumber
        } else if magnitude == self.infinity() {
            Magnitude::Infinite
        } else if magnitude == 0 {
            Magnitude::Zero
        } else if biased == 0 {
            Magnitude::Finite {
                significand: fraction,
                exponent: lowest,
            }
        } else {
            Magnitude::Finite {
                significand: fraction | self.smallest_normal(),
                exponent: lowest + biased - 1,
            }
        };
        Number {
            negative: self.negative(bits),
            magnitude,
        }
    }

    /// The value in binary64, which holds every number of every format here.
    pub fn to_f64(self, bits: u64) -> f64 {
        if self == F32 {
            return f64::from(f32::from_bits(bits as u32));
        }
        if self == F64 {
            return f64::from_bits(bits);
        }
        let number = self.decode(bits);
        let magnitude = match number.magnitude {
            Magnitude::Zero => 0.0,
            // The exponents of the 16-bit formats are well inside the normal range of binary64.
            Magnitude::Finite {
                significand,
                exponent,
            } => significand as f64 * f64::from_bits(((exponent + 1023) as u64) << 52),
            Magnitude::Infinite => f64::INFINITY,
            Magnitude::NotANumber => return f64::NAN,
        };
        if number.negative {
            -magnitude
        } else {
            magnitude
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants() {
        assert_eq!(F16.one(), 0x3C00);
        assert_eq!(BF16.one(), 0x3F80);
        assert_eq!(F32.one(), u64::from(1f32.to_bits()));
        assert_eq!(F64.one(), 1f64.to_bits());
        assert_eq!(F32.infinity(), u64::from(f32::INFINITY.to_bits()));
        assert_eq!(F64.infinity(), f64::INFINITY.to_bits());
        assert_eq!(F16.least_exponent(), -14);
        assert_eq!(BF16.least_exponent(), -126);
        assert_eq!(F32.least_exponent(), -126);
        assert_eq!(F64.least_exponent(), -1022);
        for format in [F16, BF16, F32, F64] {
            assert!(format.is_nan(format.nan));
        }
    }

    #[test]
    fn halves_as_doubles() {
        for bits in 0..=u16::MAX {
            let f16 = half::f16::from_bits(bits).to_f64();
            let bf16 = half::bf16::from_bits(bits).to_f64();
            for (format, expected) in [(F16, f16), (BF16, bf16)] {
                let value = format.to_f64(u64::from(bits));
                assert!(
                    value.to_bits() == expected.to_bits() || value.is_nan() && expected.is_nan(),
                    "{format:?} {bits:#x}"
                );
            }
        }
    }
}
