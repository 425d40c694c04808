//! `cvt` between every pair of types (PTX ISA, `cvt`).

use crate::operations::harness::{Instruction, Reg, Suite};
use crate::operations::softfloat::{FORMATS, Format, ROUNDINGS};
use crate::operations::values::{Operand, cut, number, range, rows};
use rustc_apfloat::Round;

/// An integer type: word, bits, signed.
type Integer = (&'static str, u32, bool);

const INTEGERS: [Integer; 8] = [
    ("u8", 8, false),
    ("s8", 8, true),
    ("u16", 16, false),
    ("s16", 16, true),
    ("u32", 32, false),
    ("s32", 32, true),
    ("u64", 64, false),
    ("s64", 64, true),
];

/// Classes of registers that can hold a type: its own and wider ones.
fn holders(bits: u32) -> Vec<Reg> {
    let sizes = [16, 32, 64].into_iter().filter(|&size| size >= bits);
    sizes.map(Reg::of).collect()
}

fn width(class: Reg) -> u32 {
    match class {
        Reg::P => 1,
        Reg::H => 16,
        Reg::R => 32,
        Reg::D => 64,
    }
}

/// A number in a register: sign- or zero-extended by its type.
fn in_register(class: Reg, value: i128) -> u64 {
    cut(width(class), value as u64)
}

/// "The lower n bits of a wider source; a wider destination is sign- or zero-extended."
pub fn integers(suite: &mut Suite) {
    for (to_word, to_bits, to_signed) in INTEGERS {
        for (from_word, from_bits, from_signed) in INTEGERS {
            for from in holders(from_bits) {
                let rows = rows(&[Operand::Integer(width(from))], 60);
                let value = |row: &[u64]| number(from_bits, from_signed, row[0]);
                for to in holders(to_bits) {
                    let opcode = format!("cvt.{to_word}.{from_word}");
                    suite.check(&Instruction::new(&opcode, &[to], &[from]), &rows, |row| {
                        [in_register(
                            to,
                            number(to_bits, to_signed, value(row) as u64),
                        )]
                    });
                    let (least, most) = range(to_bits, to_signed);
                    let (from_least, from_most) = range(from_bits, from_signed);
                    // "illegal in cases where saturation is not possible"
                    if from_least >= least && from_most <= most {
                        continue;
                    }
                    let opcode = format!("cvt.sat.{to_word}.{from_word}");
                    suite.check(&Instruction::new(&opcode, &[to], &[from]), &rows, |row| {
                        [in_register(to, value(row).clamp(least, most))]
                    });
                }
            }
        }
    }
}

pub fn from_integers(suite: &mut Suite) {
    for format in FORMATS {
        for (word, bits, signed) in INTEGERS {
            // `.bf16` has no conversions from or to 8 bits.
            if format == Format::BF16 && bits == 8 {
                continue;
            }
            let from = Reg::of(bits);
            let rows = rows(&[Operand::Integer(width(from))], 400);
            for (rounding, round) in ROUNDINGS {
                let opcode = format!("cvt.{rounding}.{}.{word}", format.word());
                let to = Reg::of(format.bits());
                let exact = |row: &[u64]| format.of_integer(round, number(bits, signed, row[0]));
                suite.check(&Instruction::new(&opcode, &[to], &[from]), &rows, |row| {
                    [exact(row)]
                });
                // The results of `.sat` are 0 and 1.
                if matches!(format, Format::F32 | Format::F64 | Format::F16) {
                    let opcode = format!("cvt.{rounding}.sat.{}.{word}", format.word());
                    suite.check(&Instruction::new(&opcode, &[to], &[from]), &rows, |row| {
                        [format.saturate(exact(row))]
                    });
                }
            }
        }
    }
}

const INTEGRAL: [(&str, Round); 4] = [
    ("rni", Round::NearestTiesToEven),
    ("rzi", Round::TowardZero),
    ("rmi", Round::TowardNegative),
    ("rpi", Round::TowardPositive),
];

/// Floats around the ends of the integer types, besides the usual ones.
fn around_integers(format: Format) -> Vec<Vec<u64>> {
    let mut rows = rows(&[Operand::Float(format.bits(), format.fraction())], 400);
    for bits in [7, 8, 15, 16, 23, 24, 31, 32, 52, 53, 63, 64, 65] {
        for offset in [-1.5, -1.0, -0.5, 0.0, 0.5, 1.0] {
            let value = 2f64.powi(bits) + offset;
            for value in [value, -value] {
                let near = format.nearest(value);
                rows.extend([near - 1, near, near + 1].map(|bits| vec![bits]));
            }
        }
    }
    for halves in -9..10 {
        rows.push(vec![format.nearest(f64::from(halves) / 2.0)]);
    }
    rows
}

/// "The result is clamped to the destination range by default". NaN gives "zero if source is not .f64 and destination is
/// not .s64, .u64; otherwise 1 << (BitWidth(dst) - 1)".
pub fn to_integers(suite: &mut Suite) {
    for format in FORMATS {
        let (rows, from) = (around_integers(format), Reg::of(format.bits()));
        for (word, bits, signed) in INTEGERS {
            for (rounding, round) in INTEGRAL {
                for modifiers in ["", ".sat", ".ftz", ".ftz.sat"] {
                    let ftz = modifiers.contains("ftz");
                    if ftz && format != Format::F32 {
                        continue;
                    }
                    let bfloat = format == Format::BF16;
                    if bfloat && (!modifiers.is_empty() || bits == 8) {
                        continue;
                    }
                    let opcode = format!("cvt.{rounding}{modifiers}.{word}.{}", format.word());
                    // Registers of `.bf16` conversions are not relaxed.
                    let most = if bfloat { 1 } else { 3 };
                    for to in holders(bits).into_iter().take(most) {
                        let instruction = Instruction::new(&opcode, &[to], &[from]);
                        suite.check(&instruction, &rows, |row| {
                            let a = if ftz { format.flush(row[0]) } else { row[0] };
                            let nan = match format != Format::F64 && bits != 64 {
                                true => 0,
                                false => number(bits, signed, 1 << (bits - 1)),
                            };
                            let value = format.to_integer(round, a, bits, signed);
                            [in_register(to, value.unwrap_or(nan))]
                        });
                    }
                }
            }
        }
    }
}

/// One conversion between floats; a NaN may be any NaN.
fn float_to_float(
    suite: &mut Suite,
    (from, to): (Format, Format),
    opcode: &str,
    value: impl Fn(u64) -> u64,
) {
    let (source, target) = (Reg::of(from.bits()), Reg::of(to.bits()));
    let instruction = Instruction::new(opcode, &[target], &[source]);
    suite.judge(&instruction, &around_integers(from), |row, results| {
        let expected = value(row[0]);
        let right = match to.is_nan(expected) {
            true => to.is_nan(results[0]),
            false => results[0] == expected,
        };
        right
            .then_some(())
            .ok_or_else(|| format!("{expected:#x} was expected"))
    });
}

/// `.ftz` "applies only to single precision inputs and results".
fn flush(format: Format, ftz: bool, bits: u64) -> u64 {
    match ftz && format == Format::F32 {
        true => format.flush(bits),
        false => bits,
    }
}

pub fn floats(suite: &mut Suite) {
    for (from, to) in FORMATS.into_iter().flat_map(|f| FORMATS.map(|t| (f, t))) {
        let types = format!("{}.{}", to.word(), from.word());
        let single = from == Format::F32 || to == Format::F32;
        let widens = to.bits() > from.bits();
        for ftz in [false, true] {
            // `.ftz` with `.bf16` exists in `cvt.ftz.f32.bf16` alone.
            if ftz && (!single || to == Format::BF16) {
                continue;
            }
            let word = if ftz { ".ftz" } else { "" };
            if from == to {
                // Rounding to an integer, or saturation.
                for (rounding, round) in INTEGRAL {
                    float_to_float(
                        suite,
                        (from, to),
                        &format!("cvt.{rounding}{word}.{types}"),
                        |a| from.integral(round, flush(from, ftz, a)),
                    );
                }
                if from != Format::BF16 {
                    float_to_float(suite, (from, to), &format!("cvt{word}.sat.{types}"), |a| {
                        to.saturate(flush(from, ftz, a))
                    });
                }
            } else if widens {
                float_to_float(suite, (from, to), &format!("cvt{word}.{types}"), |a| {
                    let exact = from.convert(to, Round::NearestTiesToEven, flush(from, ftz, a));
                    flush(to, ftz, exact)
                });
            } else {
                narrowing(suite, (from, to), ftz, &types);
            }
        }
    }
}

fn narrowing(suite: &mut Suite, (from, to): (Format, Format), ftz: bool, types: &str) {
    let word = if ftz { ".ftz" } else { "" };
    for (rounding, round) in ROUNDINGS {
        let converted = |a| {
            let value = from.convert(to, round, flush(from, ftz, a));
            flush(to, ftz, value)
        };
        float_to_float(
            suite,
            (from, to),
            &format!("cvt.{rounding}{word}.{types}"),
            converted,
        );
        if to != Format::BF16 && from != Format::BF16 {
            let opcode = format!("cvt.{rounding}{word}.sat.{types}");
            float_to_float(suite, (from, to), &opcode, |a| to.saturate(converted(a)));
        }
        if from == Format::F32 && !ftz && matches!(rounding, "rn" | "rz") {
            let opcode = format!("cvt.{rounding}.relu.{types}");
            float_to_float(suite, (from, to), &opcode, |a| to.relu(converted(a)));
        }
    }
}

/// `cvt.rn.f16x2.f32 d, a, b`: "d[31:16] = convert(a); d[15:0] = convert(b)". Results agree with the `half` crate.
pub fn packs(suite: &mut Suite) {
    let operands = [crate::operations::values::F32; 2];
    for format in [Format::F16, Format::BF16] {
        for (rounding, round) in &ROUNDINGS[..2] {
            for (word, relu) in [("", false), (".relu", true)] {
                let opcode = format!("cvt.{rounding}{word}.{}x2.f32", format.word());
                let instruction = Instruction::new(&opcode, &[Reg::R], &[Reg::R; 2]);
                suite.judge(&instruction, &rows(&operands, 800), |row, results| {
                    [(row[0], 16), (row[1], 0)]
                        .into_iter()
                        .try_for_each(|(a, low)| {
                            let value = Format::F32.convert(format, *round, a);
                            let value = if relu { format.relu(value) } else { value };
                            crate::operations::float::same(
                                format,
                                value,
                                results[0] >> low & 0xFFFF,
                            )
                        })
                });
            }
        }
        let opcode = format!("cvt.rn.{}x2.f32", format.word());
        let instruction = Instruction::new(&opcode, &[Reg::R], &[Reg::R; 2]);
        let numbers: Vec<Vec<u64>> = rows(&operands, 800)
            .into_iter()
            .filter(|row| row.iter().all(|&a| !Format::F32.is_nan(a)))
            .collect();
        suite.check(&instruction, &numbers, |row| {
            let half = |a: u64| match format {
                Format::F16 => half::f16::from_f32(f32::from_bits(a as u32)).to_bits(),
                _ => half::bf16::from_f32(f32::from_bits(a as u32)).to_bits(),
            };
            [u64::from(half(row[0])) << 16 | u64::from(half(row[1]))]
        });
    }
}
