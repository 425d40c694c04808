//! What a floating-point operation is, and how it rounds.

use serde::{Deserialize, Serialize};

/// Rounding of a floating-point result or of a conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Rounding {
    /// To nearest, ties to even: `.rn`, `.rni`.
    Nearest,
    /// To nearest because none was given: the assembler may make one operation of this one and another, as of `mul` and
    /// `add` an `fma` (PTX ISA, `add`: "may be optimized aggressively by the code optimizer"). Executed as if it did
    /// not; in proofs two such operations are never the same function.
    Contractible,
    /// Towards zero: `.rz`, `.rzi`.
    Zero,
    /// Towards minus infinity: `.rm`, `.rmi`.
    Down,
    /// Towards plus infinity: `.rp`, `.rpi`.
    Up,
    /// To nearest, ties away from zero: `.rna`.
    NearestAway,
    /// None given, or `.approx`: the target's approximation.
    Approximate,
    /// `.full`: the target's approximation of a quotient over the full range, another one than `.approx`.
    Full,
}

/// Modifiers of a floating-point operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FloatMode {
    /// Rounding.
    pub rounding: Rounding,
    /// `.ftz`: subnormal inputs and results are flushed to zero of the same sign.
    pub ftz: bool,
    /// `.sat`: the result is clamped to [0, 1], NaN to +0.
    pub saturate: bool,
    /// `.relu`: negative results become +0, NaN the canonical NaN.
    pub relu: bool,
    /// `.NaN`: `min`/`max` give the canonical NaN if an operand is NaN.
    pub nan: bool,
    /// `.xorsign.abs` of `min`/`max`, or of three operands `.abs`.
    pub xorsign_abs: bool,
}

impl FloatMode {
    /// Round to nearest even, nothing else.
    pub const NEAREST: FloatMode = FloatMode {
        rounding: Rounding::Nearest,
        ftz: false,
        saturate: false,
        relu: false,
        nan: false,
        xorsign_abs: false,
    };
}

/// A floating-point operation on one type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum FloatOp {
    Add,
    Sub,
    Mul,
    /// Fused multiply-add: one rounding (`fma`, and `mad` of sm_20 and later).
    Fma,
    Div,
    Rcp,
    Sqrt,
    Rsqrt,
    Neg,
    Abs,
    Min,
    Max,
    /// Three-operand forms.
    Min3,
    Max3,
    Sin,
    Cos,
    Lg2,
    Ex2,
    Tanh,
    /// `copysign a, b`: the sign of `a`, the magnitude of `b`.
    CopySign,
}

/// `testp` classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum TestClass {
    Finite,
    Infinite,
    Number,
    NotANumber,
    Normal,
    Subnormal,
}
