//! Approximations: within the error that the PTX ISA gives for each, with the results that it lists for special operands,
//! and the same every time.

use crate::operations::harness::{Instruction, Reg, Suite};
use crate::operations::softfloat::Format;
use crate::operations::values::{Operand, rows};
use std::f64::consts::PI;

/// How far a result may be from the exact one.
#[derive(Clone, Copy, Debug)]
enum Bound {
    /// Absolutely.
    Absolute(f64),
    /// Relatively to the exact value.
    Relative(f64),
    /// In units of the last place of the exact value, in the format of the result.
    Units(f64),
    /// None is given.
    Open,
}

/// The exact result, or none where the ISA's table says NaN.
type Exact = dyn Fn(&[f64]) -> f64;

/// A function and its bound, which may depend on the operand.
struct Approximation<'a> {
    opcode: &'a str,
    format: Format,
    operands: usize,
    ftz: bool,
    exact: &'a Exact,
    bound: &'a dyn Fn(&[f64]) -> Bound,
}

/// The distance of the numbers of a format around a value.
fn unit(format: Format, value: f64) -> f64 {
    let exponent = value.abs().log2().floor();
    let least = match format {
        Format::F16 => -14.0,
        Format::BF16 | Format::F32 => -126.0,
        Format::F64 => -1022.0,
    };
    (exponent.max(least) - f64::from(format.fraction())).exp2()
}

impl Approximation<'_> {
    fn judge(&self, row: &[u64], result: u64) -> Result<(), String> {
        let format = self.format;
        let flush = |bits| if self.ftz { format.flush(bits) } else { bits };
        let values: Vec<f64> = row.iter().map(|&bits| format.to_f64(flush(bits))).collect();
        let exact = (self.exact)(&values);
        let found = format.to_f64(result);
        let wrong = || {
            Err(format!(
                "{exact:e} approximated by {found:e} ({:?})",
                (self.bound)(&values)
            ))
        };
        if exact.is_nan() {
            return match format.canonical_nan() {
                Some(nan) if result != nan => wrong(),
                _ if !found.is_nan() => wrong(),
                _ => Ok(()),
            };
        }
        // Zeros and infinities are exact, with their sign.
        if exact == 0.0 || exact.is_infinite() {
            let same = found == exact && found.is_sign_negative() == exact.is_sign_negative();
            return if same { Ok(()) } else { wrong() };
        }
        // What rounds to zero or infinity, or is flushed.
        let rounded = format.nearest(exact);
        if flush(rounded) == result {
            return Ok(());
        }
        let least = unit(format, 0.0f64.max(f64::MIN_POSITIVE));
        let slack = match (self.bound)(&values) {
            Bound::Absolute(error) => error,
            Bound::Relative(error) => error * exact.abs() + least,
            Bound::Units(units) => units * unit(format, exact),
            Bound::Open => f64::INFINITY,
        };
        match (found - exact).abs() <= slack {
            true => Ok(()),
            false => wrong(),
        }
    }

    fn check(&self, suite: &mut Suite) {
        let class = Reg::of(self.format.bits());
        let instruction = Instruction::new(self.opcode, &[class], &vec![class; self.operands]);
        let operand = Operand::Float(self.format.bits(), self.format.fraction());
        let rows = rows(&vec![operand; self.operands], 2000);
        suite.judge(&instruction, &rows, |row, results| {
            self.judge(row, results[0])
        });
        let again = suite.execute(&instruction, &rows);
        assert_eq!(again, suite.execute(&instruction, &rows), "{}", self.opcode);
    }
}

/// With `.ftz` and without.
fn with_and_without(
    suite: &mut Suite,
    name: &str,
    operands: usize,
    exact: &Exact,
    bound: &dyn Fn(&[f64]) -> Bound,
) {
    for (word, ftz) in [("", false), (".ftz", true)] {
        let opcode = format!("{name}{word}.f32");
        let format = Format::F32;
        Approximation {
            opcode: &opcode,
            format,
            operands,
            ftz,
            exact,
            bound,
        }
        .check(suite);
    }
}

/// A divisor whose reciprocal is subnormal.
fn large(b: f64) -> bool {
    b.is_finite() && b.abs() > 2f64.powi(126)
}

pub fn quotients(suite: &mut Suite) {
    // "For |b| in [2^-126, 2^126] the maximum ulp error is 2. For 2^126 < |b| < 2^128, if a is infinity, div.approx.f32
    // returns NaN, otherwise it returns a sign-preserving zero."
    with_and_without(
        suite,
        "div.approx",
        2,
        &|v| match large(v[1]) {
            true if !v[0].is_finite() => f64::NAN,
            true => 0f64.copysign(v[0]) / v[1],
            false => v[0] / v[1],
        },
        &|v| match v[1].abs() < 2f64.powi(-126) {
            true => Bound::Open,
            false => Bound::Units(2.0),
        },
    );
    with_and_without(suite, "div.full", 2, &|v| v[0] / v[1], &|_| {
        Bound::Units(2.0)
    });
    with_and_without(suite, "rcp.approx", 1, &|v| 1.0 / v[0], &|_| {
        Bound::Units(1.0)
    });
    let bound = &|_: &[f64]| Bound::Relative(2f64.powi(-23));
    with_and_without(suite, "sqrt.approx", 1, &|v| v[0].sqrt(), bound);
}

/// The bound of sine and cosine.
fn trigonometric(v: &[f64]) -> Bound {
    match v[0].abs() {
        x if x <= 2.0 * PI => Bound::Absolute(2f64.powf(-20.5)),
        x if x <= 100.0 * PI => Bound::Absolute(2f64.powf(-14.7)),
        _ => Bound::Open,
    }
}

fn logarithm(v: &[f64]) -> Bound {
    match v[0] > 0.5 && v[0] < 2.0 {
        true => Bound::Absolute(2f64.powi(-22)),
        false => Bound::Relative(2f64.powi(-22)),
    }
}

pub fn functions(suite: &mut Suite) {
    with_and_without(suite, "sin.approx", 1, &|v| v[0].sin(), &trigonometric);
    with_and_without(suite, "cos.approx", 1, &|v| v[0].cos(), &trigonometric);
    // The logarithm of either zero is minus infinity.
    let log2 = |v: &[f64]| {
        if v[0] == 0.0 {
            f64::NEG_INFINITY
        } else {
            v[0].log2()
        }
    };
    with_and_without(suite, "lg2.approx", 1, &log2, &logarithm);
    with_and_without(suite, "ex2.approx", 1, &|v| v[0].exp2(), &|_| {
        Bound::Units(2.0)
    });
    let root = |v: &[f64]| match v[0] == 0.0 {
        true => f64::INFINITY.copysign(v[0]),
        false => 1.0 / v[0].sqrt(),
    };
    let bound = |_: &[f64]| Bound::Relative(2f64.powf(-22.9));
    with_and_without(suite, "rsqrt.approx", 1, &root, &bound);
    let tanh = |v: &[f64]| v[0].tanh();
    let exp2 = |v: &[f64]| v[0].exp2();
    let mut one = |opcode: &str, format, ftz, exact: &Exact, bound: Bound| {
        let bound = &move |_: &[f64]| bound;
        Approximation {
            opcode,
            format,
            operands: 1,
            ftz,
            exact,
            bound,
        }
        .check(suite);
    };
    one(
        "tanh.approx.f32",
        Format::F32,
        false,
        &tanh,
        Bound::Relative(2f64.powi(-11)),
    );
    one(
        "tanh.approx.f16",
        Format::F16,
        false,
        &tanh,
        Bound::Absolute(2f64.powf(-10.987)),
    );
    one(
        "tanh.approx.bf16",
        Format::BF16,
        false,
        &tanh,
        Bound::Absolute(2f64.powi(-8)),
    );
    one(
        "ex2.approx.f16",
        Format::F16,
        false,
        &exp2,
        Bound::Relative(2f64.powf(-9.9)),
    );
    one(
        "ex2.approx.ftz.bf16",
        Format::BF16,
        true,
        &exp2,
        Bound::Relative(2f64.powi(-7)),
    );
    pairs(suite);
}

/// Both lanes as the instruction on one half.
fn pairs(suite: &mut Suite) {
    for (name, format) in [
        ("tanh.approx.f16", Format::F16),
        ("tanh.approx.bf16", Format::BF16),
        ("ex2.approx.f16", Format::F16),
        ("ex2.approx.ftz.bf16", Format::BF16),
    ] {
        let pair = Instruction::new(&format!("{name}x2"), &[Reg::R], &[Reg::R]);
        let rows = rows(&[Operand::Pair(format.fraction())], 500);
        let half = Instruction::new(name, &[Reg::H], &[Reg::H]);
        let lanes = [0, 16].map(|low| {
            let lane: Vec<Vec<u64>> = rows.iter().map(|r| vec![r[0] >> low & 0xFFFF]).collect();
            suite.execute(&half, &lane)
        });
        let found = suite.execute(&pair, &rows);
        for (i, row) in rows.iter().enumerate() {
            let expected = lanes[1][i][0] << 16 | lanes[0][i][0];
            assert_eq!(found[i][0], expected, "{name}x2 of {row:#x?}");
        }
    }
}

/// `rcp.approx.ftz.f64` and `rsqrt.approx.ftz.f64` read and write the upper 32 bits alone: 1.11.20 format; a NaN gives
/// 0x7fffffff00000000. `rsqrt.approx.f64` has no bound in the ISA.
pub fn doubles(suite: &mut Suite) {
    let upper = |bits: u64| bits & 0xFFFF_FFFF_0000_0000;
    let functions: [(&str, fn(f64) -> f64); 2] = [
        ("rcp.approx.ftz.f64", |x| 1.0 / x),
        ("rsqrt.approx.ftz.f64", |x| match x == 0.0 {
            true => f64::INFINITY.copysign(x),
            false => 1.0 / x.sqrt(),
        }),
    ];
    let rows = rows(&[crate::operations::values::F64], 2000);
    for (opcode, function) in functions {
        let instruction = Instruction::new(opcode, &[Reg::D], &[Reg::D]);
        suite.judge(&instruction, &rows, |row, results| {
            let format = Format::F64;
            let exact = function(f64::from_bits(format.flush(upper(row[0]))));
            let result = results[0];
            let right = if f64::from_bits(upper(row[0])).is_nan() {
                result == 0x7FFF_FFFF_0000_0000
            } else if exact.is_nan() {
                f64::from_bits(result).is_nan() && upper(result) == result
            } else if exact == 0.0 || exact.is_infinite() {
                result == exact.to_bits()
            } else if exact.is_subnormal() {
                result == exact.to_bits() & format.sign()
            } else {
                let error = (f64::from_bits(result) - exact).abs();
                upper(result) == result && error <= exact.abs() * 2f64.powi(-20)
            };
            right.then_some(()).ok_or_else(|| format!("{exact:e}"))
        });
    }
    let exact: &Exact = &|v| match v[0] == 0.0 {
        true => f64::INFINITY.copysign(v[0]),
        false => 1.0 / v[0].sqrt(),
    };
    let bound = &|_: &[f64]| Bound::Relative(2f64.powi(-40));
    let (opcode, format) = ("rsqrt.approx.f64", Format::F64);
    Approximation {
        opcode,
        format,
        operands: 1,
        ftz: false,
        exact,
        bound,
    }
    .check(suite);
}
