//! LLVM's soft floats, as plain bits of any format.

use rustc_apfloat::ieee::{BFloat, Double, Half, Single};
use rustc_apfloat::{Float, FloatConvert, Round};

/// The roundings of PTX, by their words.
pub const ROUNDINGS: [(&str, Round); 4] = [
    ("rn", Round::NearestTiesToEven),
    ("rz", Round::TowardZero),
    ("rm", Round::TowardNegative),
    ("rp", Round::TowardPositive),
];

/// A format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    F16,
    BF16,
    F32,
    F64,
}

use Format::{BF16, F16, F32, F64};

/// All of them.
pub const FORMATS: [Format; 4] = [F16, BF16, F32, F64];

/// An operation that IEEE 754 defines, but for the square root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basic {
    Add,
    Sub,
    Mul,
    Div,
    Fma,
}

impl Format {
    /// As PTX writes it.
    pub fn word(self) -> &'static str {
        match self {
            F16 => "f16",
            BF16 => "bf16",
            F32 => "f32",
            F64 => "f64",
        }
    }

    pub fn bits(self) -> u32 {
        match self {
            F16 | BF16 => 16,
            F32 => 32,
            F64 => 64,
        }
    }

    /// Bits of the fraction.
    pub fn fraction(self) -> u32 {
        match self {
            F16 => 10,
            BF16 => 7,
            F32 => 23,
            F64 => 52,
        }
    }

    pub fn sign(self) -> u64 {
        1 << (self.bits() - 1)
    }

    pub fn infinity(self) -> u64 {
        self.sign() - (1 << self.fraction())
    }

    pub fn one(self) -> u64 {
        ((1 << (self.bits() - self.fraction() - 2)) - 1) << self.fraction()
    }

    pub fn is_nan(self, bits: u64) -> bool {
        bits & !self.sign() > self.infinity()
    }

    /// The only NaN that operations may give (PTX ISA, "Floating Point": 0x7fffffff; in half precision 0x7fff). None in
    /// binary64, where the ISA names none.
    pub fn canonical_nan(self) -> Option<u64> {
        match self {
            F16 | BF16 => Some(0x7FFF),
            F32 => Some(0x7FFF_FFFF),
            F64 => None,
        }
    }

    pub fn is_subnormal(self, bits: u64) -> bool {
        let magnitude = bits & !self.sign();
        magnitude != 0 && magnitude < 1 << self.fraction()
    }

    /// `.ftz`
    pub fn flush(self, bits: u64) -> u64 {
        match self.is_subnormal(bits) {
            true => bits & self.sign(),
            false => bits,
        }
    }

    /// `.sat`: the nearest number of [0, 1], NaN as +0.
    pub fn saturate(self, bits: u64) -> u64 {
        if self.is_nan(bits) || bits & self.sign() != 0 {
            0
        } else {
            bits.min(self.one())
        }
    }

    /// `.relu`
    pub fn relu(self, bits: u64) -> u64 {
        match !self.is_nan(bits) && bits & self.sign() != 0 {
            true => 0,
            false => bits,
        }
    }

    /// The operation, rounded once.
    pub fn compute(self, op: Basic, round: Round, args: &[u64]) -> u64 {
        match self {
            F16 => compute::<Half>(op, round, args),
            BF16 => compute::<BFloat>(op, round, args),
            F32 => compute::<Single>(op, round, args),
            F64 => compute::<Double>(op, round, args),
        }
    }

    /// The nearest number of binary64: exact but for NaN.
    pub fn to_f64(self, bits: u64) -> f64 {
        f64::from_bits(self.convert(F64, Round::NearestTiesToEven, bits))
    }

    /// The nearest number of this format.
    pub fn nearest(self, value: f64) -> u64 {
        F64.convert(self, Round::NearestTiesToEven, value.to_bits())
    }

    /// This number in another format.
    pub fn convert(self, to: Format, round: Round, bits: u64) -> u64 {
        match self {
            F16 => convert_from::<Half>(to, round, bits),
            BF16 => convert_from::<BFloat>(to, round, bits),
            F32 => convert_from::<Single>(to, round, bits),
            F64 => convert_from::<Double>(to, round, bits),
        }
    }

    /// An integral number of this format.
    pub fn integral(self, round: Round, bits: u64) -> u64 {
        match self {
            F16 => integral::<Half>(round, bits),
            BF16 => integral::<BFloat>(round, bits),
            F32 => integral::<Single>(round, bits),
            F64 => integral::<Double>(round, bits),
        }
    }

    /// From an integer.
    pub fn of_integer(self, round: Round, value: i128) -> u64 {
        match self {
            F16 => Half::from_i128_r(value, round).value.to_bits() as u64,
            BF16 => BFloat::from_i128_r(value, round).value.to_bits() as u64,
            F32 => Single::from_i128_r(value, round).value.to_bits() as u64,
            F64 => Double::from_i128_r(value, round).value.to_bits() as u64,
        }
    }

    /// To an integer, which the range of the type clamps; none for NaN.
    pub fn to_integer(self, round: Round, bits: u64, width: u32, signed: bool) -> Option<i128> {
        if self.is_nan(bits) {
            return None;
        }
        let integral = self.to_f64(self.integral(round, bits));
        let (least, most) = crate::operations::values::range(width, signed);
        // Beyond 2^64 nothing but the clamping is left; below, an integral binary64 number is an exact integer.
        let value = integral.clamp(-2f64.powi(100), 2f64.powi(100)) as i128;
        Some(value.clamp(least, most))
    }
}

fn compute<F: Float>(op: Basic, round: Round, args: &[u64]) -> u64 {
    let arg = |i: usize| F::from_bits(u128::from(args[i]));
    let result = match op {
        Basic::Add => arg(0).add_r(arg(1), round),
        Basic::Sub => arg(0).sub_r(arg(1), round),
        Basic::Mul => arg(0).mul_r(arg(1), round),
        Basic::Div => arg(0).div_r(arg(1), round),
        Basic::Fma => arg(0).mul_add_r(arg(1), arg(2), round),
    };
    result.value.to_bits() as u64
}

fn convert_from<F>(to: Format, round: Round, bits: u64) -> u64
where
    F: Float
        + FloatConvert<Half>
        + FloatConvert<BFloat>
        + FloatConvert<Single>
        + FloatConvert<Double>,
{
    fn one<F: FloatConvert<T>, T: Float>(value: F, round: Round) -> u64 {
        value.convert_r(round, &mut false).value.to_bits() as u64
    }
    let value = F::from_bits(u128::from(bits));
    match to {
        F16 => one::<F, Half>(value, round),
        BF16 => one::<F, BFloat>(value, round),
        F32 => one::<F, Single>(value, round),
        F64 => one::<F, Double>(value, round),
    }
}

fn integral<F: Float>(round: Round, bits: u64) -> u64 {
    let value = F::from_bits(u128::from(bits));
    value.round_to_integral(round).value.to_bits() as u64
}
