//! Floating-point arithmetic that is rounded once (PTX ISA, "Floating Point Instructions", "Half Precision Floating Point
//! Instructions"), in every rounding, with `.ftz`, `.sat` and `.relu`.

use crate::operations::harness::{Instruction, Reg, Suite};
use crate::operations::softfloat::{Basic, FORMATS, Format, ROUNDINGS};
use crate::operations::values::{Operand, rows};
use rustc_apfloat::Round;

/// What follows the rounding.
#[derive(Clone, Copy, Debug, Default)]
pub struct Modifiers {
    pub ftz: bool,
    pub sat: bool,
    pub relu: bool,
}

impl Modifiers {
    pub fn words(self) -> String {
        let words = [(self.ftz, ".ftz"), (self.sat, ".sat"), (self.relu, ".relu")];
        let words = words.iter().filter(|(there, _)| *there);
        words.map(|(_, word)| *word).collect()
    }

    /// Those that a format has; `.relu` is one of `fma` in half precision.
    pub fn of(format: Format, fma: bool) -> Vec<Modifiers> {
        let some = |ftz, sat, relu| Modifiers { ftz, sat, relu };
        let mut all = vec![Modifiers::default()];
        if matches!(format, Format::F32 | Format::F16) {
            all.extend(
                [(true, false), (false, true), (true, true)].map(|(f, s)| some(f, s, false)),
            );
        }
        if fma && format == Format::F16 {
            all.extend([some(false, false, true), some(true, false, true)]);
        }
        if fma && format == Format::BF16 {
            all.push(some(false, false, true));
        }
        all
    }

    pub fn operands(self, format: Format, row: &[u64]) -> Vec<u64> {
        let flush = |&bits: &u64| if self.ftz { format.flush(bits) } else { bits };
        row.iter().map(flush).collect()
    }

    pub fn result(self, format: Format, bits: u64) -> u64 {
        let bits = if self.ftz { format.flush(bits) } else { bits };
        let bits = if self.sat {
            format.saturate(bits)
        } else {
            bits
        };
        if self.relu { format.relu(bits) } else { bits }
    }
}

/// Whether a result is the expected one; of a NaN the canonical one, where there is one.
pub fn same(format: Format, expected: u64, result: u64) -> Result<(), String> {
    let right = match format.is_nan(expected) {
        true => match format.canonical_nan() {
            Some(nan) => result == nan,
            None => format.is_nan(result),
        },
        false => result == expected,
    };
    match right {
        true => Ok(()),
        false => Err(format!(
            "{expected:#x} ({}) was expected",
            format.to_f64(expected)
        )),
    }
}

/// One instruction on one format.
fn check(
    suite: &mut Suite,
    opcode: &str,
    format: Format,
    operands: usize,
    modifiers: Modifiers,
    value: impl Fn(&[u64]) -> u64,
) {
    let class = Reg::of(format.bits());
    let instruction = Instruction::new(opcode, &[class], &vec![class; operands]);
    let operand = Operand::Float(format.bits(), format.fraction());
    suite.judge(
        &instruction,
        &rows(&vec![operand; operands], 600),
        |row, results| {
            let value = value(&modifiers.operands(format, row));
            same(format, modifiers.result(format, value), results[0])
        },
    );
}

/// The roundings of a format, and none where that is allowed.
fn roundings(format: Format, none: bool) -> Vec<(String, Round)> {
    let all = match format {
        Format::F32 | Format::F64 => &ROUNDINGS[..],
        Format::F16 | Format::BF16 => &ROUNDINGS[..1],
    };
    let mut list: Vec<(String, Round)> = all
        .iter()
        .map(|&(word, round)| (format!(".{word}"), round))
        .collect();
    if none {
        list.push((String::new(), Round::NearestTiesToEven));
    }
    list
}

pub fn basic(suite: &mut Suite) {
    for format in FORMATS {
        let ty = format.word();
        for (name, op) in [
            ("add", Basic::Add),
            ("sub", Basic::Sub),
            ("mul", Basic::Mul),
        ] {
            for (rounding, round) in roundings(format, true) {
                for modifiers in Modifiers::of(format, false) {
                    let opcode = format!("{name}{rounding}{}.{ty}", modifiers.words());
                    check(suite, &opcode, format, 2, modifiers, |row| {
                        format.compute(op, round, row)
                    });
                }
            }
        }
        for (rounding, round) in roundings(format, false) {
            for modifiers in Modifiers::of(format, true) {
                let opcode = format!("fma{rounding}{}.{ty}", modifiers.words());
                check(suite, &opcode, format, 3, modifiers, |row| {
                    format.compute(Basic::Fma, round, row)
                });
            }
            // "mad is the same as fma"
            if matches!(format, Format::F32 | Format::F64) {
                let opcode = format!("mad{rounding}.{ty}");
                check(suite, &opcode, format, 3, Modifiers::default(), |row| {
                    format.compute(Basic::Fma, round, row)
                });
            }
        }
    }
}

pub fn divisions(suite: &mut Suite) {
    for format in [Format::F32, Format::F64] {
        let ty = format.word();
        let flushes = if format == Format::F32 { 2 } else { 1 };
        for ftz in [false, true].into_iter().take(flushes) {
            let modifiers = Modifiers {
                ftz,
                ..Modifiers::default()
            };
            let words = modifiers.words();
            for (rounding, round) in ROUNDINGS {
                let opcode = format!("div.{rounding}{words}.{ty}");
                check(suite, &opcode, format, 2, modifiers, |row| {
                    format.compute(Basic::Div, round, row)
                });
                let opcode = format!("rcp.{rounding}{words}.{ty}");
                check(suite, &opcode, format, 1, modifiers, |row| {
                    format.compute(Basic::Div, round, &[format.one(), row[0]])
                });
                roots(suite, format, rounding, round, modifiers);
            }
        }
    }
}

/// `sqrt`: its results are squared.
fn roots(suite: &mut Suite, format: Format, rounding: &str, round: Round, modifiers: Modifiers) {
    let class = Reg::of(format.bits());
    let opcode = format!("sqrt.{rounding}{}.{}", modifiers.words(), format.word());
    let instruction = Instruction::new(&opcode, &[class], &[class]);
    let operand = Operand::Float(format.bits(), format.fraction());
    suite.judge(&instruction, &rows(&[operand], 1500), |row, results| {
        let x = modifiers.operands(format, row)[0];
        let root = results[0];
        if x & !format.sign() == 0 || x == format.infinity() {
            return same(format, x, root);
        }
        if x & format.sign() != 0 || format.is_nan(x) {
            return same(format, format.infinity() + 1, root);
        }
        match is_root(format, round, root, x) {
            true => Ok(()),
            false => Err("its square is too far away".to_owned()),
        }
    });
}

/// A positive number as significand and exponent.
fn parts(format: Format, bits: u64) -> (u128, i32) {
    let biased = (bits >> format.fraction()) as i32;
    let fraction = bits & ((1 << format.fraction()) - 1);
    let hidden = u64::from(biased != 0) << format.fraction();
    (u128::from(fraction | hidden), biased.max(1))
}

/// ((a + b) / 2)^2 compared with x. All three are near each other or are each other's squares, so that nothing overflows.
fn square_of_middle(format: Format, a: u64, b: u64, x: u64) -> std::cmp::Ordering {
    let ((a, i), (b, j), (x, k)) = (parts(format, a), parts(format, b), parts(format, x));
    let low = i.min(j);
    let sum = (a << (i - low)) + (b << (j - low));
    // Exponents are biased by the same number and count units of the last place.
    let bias = (1 << (format.bits() - format.fraction() - 2)) - 1 + format.fraction() as i32;
    let (square, exponent) = (sum * sum, 2 * (low - bias) - 2);
    let shift = (k - bias) - exponent;
    match shift {
        0.. => square.cmp(&(x << shift)),
        _ => (square << -shift).cmp(&x),
    }
}

/// Whether `root` is the square root of `x` in that rounding. No square root lies in the middle of two numbers.
fn is_root(format: Format, round: Round, root: u64, x: u64) -> bool {
    let middle = |a, b| square_of_middle(format, a, b, x);
    match round {
        Round::TowardPositive => middle(root, root).is_ge() && middle(root - 1, root - 1).is_lt(),
        Round::NearestTiesToEven => {
            middle(root - 1, root).is_lt() && middle(root, root + 1).is_gt()
        }
        _ => middle(root, root).is_le() && middle(root + 1, root + 1).is_gt(),
    }
}
