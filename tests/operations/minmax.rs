//! Minimum and maximum, sign operations and classes of floats, by the PTX ISA's pseudo-code.

use crate::operations::float::same;
use crate::operations::harness::{Instruction, Reg, Suite};
use crate::operations::softfloat::{FORMATS, Format};
use crate::operations::values::{Operand, rows};

fn operand(format: Format) -> Operand {
    Operand::Float(format.bits(), format.fraction())
}

/// Whether x < y, where -0 < +0.
fn less(format: Format, x: u64, y: u64) -> bool {
    let (a, b) = (format.to_f64(x), format.to_f64(y));
    match a == b {
        true => a.is_sign_negative() && !b.is_sign_negative(),
        false => a < b,
    }
}

/// `minNum`, `maxNum` of IEEE 754.
fn pick(format: Format, max: bool, x: u64, y: u64) -> u64 {
    match (format.is_nan(x), format.is_nan(y)) {
        (true, true) => format.infinity() + 1,
        (true, false) => y,
        (false, true) => x,
        (false, false) => {
            if less(format, x, y) != max {
                x
            } else {
                y
            }
        }
    }
}

/// Modifiers of `min` and `max`.
#[derive(Clone, Copy)]
struct Mode {
    max: bool,
    ftz: bool,
    nan: bool,
    /// `.abs`, of two operands `.xorsign.abs`.
    abs: bool,
}

fn extreme(format: Format, mode: Mode, row: &[u64]) -> u64 {
    let flush = |&bits: &u64| if mode.ftz { format.flush(bits) } else { bits };
    let mut values: Vec<u64> = row.iter().map(flush).collect();
    let sign = values.iter().fold(0, |s, v| s ^ v) & format.sign();
    if mode.nan && values.iter().any(|&v| format.is_nan(v)) {
        return format.infinity() + 1;
    }
    if mode.abs {
        values.iter_mut().for_each(|v| *v &= !format.sign());
    }
    let picked = values
        .into_iter()
        .reduce(|x, y| pick(format, mode.max, x, y));
    let picked = picked.unwrap_or(0);
    match mode.abs && row.len() == 2 && !format.is_nan(picked) {
        true => picked | sign,
        false => picked,
    }
}

pub fn extremes(suite: &mut Suite) {
    for (format, operands) in FORMATS
        .map(|f| (f, 2))
        .into_iter()
        .chain([(Format::F32, 3)])
    {
        let class = Reg::of(format.bits());
        let instruction_rows = rows(&vec![operand(format); operands], 800);
        for bits in 0..16 {
            let [max, ftz, nan, abs] = [1, 2, 4, 8].map(|bit| bits & bit != 0);
            let no_ftz = matches!(format, Format::F64 | Format::BF16);
            if ftz && no_ftz || format == Format::F64 && (nan || abs) {
                continue;
            }
            let name = if max { "max" } else { "min" };
            let words = [
                (ftz, ".ftz"),
                (nan, ".NaN"),
                (abs && operands == 2, ".xorsign.abs"),
                (abs && operands == 3, ".abs"),
            ];
            let words = words.iter().filter(|w| w.0).map(|w| w.1);
            let opcode = format!("{name}{}.{}", words.collect::<String>(), format.word());
            let instruction = Instruction::new(&opcode, &[class], &vec![class; operands]);
            let mode = Mode { max, ftz, nan, abs };
            suite.judge(&instruction, &instruction_rows, |row, results| {
                same(format, extreme(format, mode, row), results[0])
            });
        }
    }
}

/// `neg` and `abs` "of NaN yield an unspecified NaN".
pub fn signs(suite: &mut Suite) {
    for format in FORMATS {
        let class = Reg::of(format.bits());
        let rows = rows(&[operand(format)], 500);
        let no_ftz = matches!(format, Format::F64 | Format::BF16);
        for ftz in [false, true].into_iter().filter(|ftz| !(ftz & no_ftz)) {
            for (name, clear, flip) in [("neg", 0, format.sign()), ("abs", format.sign(), 0)] {
                let ftz_word = if ftz { ".ftz" } else { "" };
                let opcode = format!("{name}{ftz_word}.{}", format.word());
                let instruction = Instruction::new(&opcode, &[class], &[class]);
                suite.judge(&instruction, &rows, |row, results| {
                    let a = if ftz { format.flush(row[0]) } else { row[0] };
                    let right = match format.is_nan(a) {
                        true => format.is_nan(results[0]),
                        false => results[0] == (a & !clear) ^ flip,
                    };
                    right.then_some(()).ok_or_else(|| "wrong sign".to_owned())
                });
            }
        }
    }
    for format in [Format::F32, Format::F64] {
        let class = Reg::of(format.bits());
        let opcode = format!("copysign.{}", format.word());
        let instruction = Instruction::new(&opcode, &[class], &[class; 2]);
        suite.check(&instruction, &rows(&[operand(format); 2], 300), |row| {
            [row[0] & format.sign() | row[1] & !format.sign()]
        });
    }
}

/// "As a special case, positive and negative zero are considered normal numbers."
pub fn classes(suite: &mut Suite) {
    use std::num::FpCategory::{Infinite, Nan, Normal, Subnormal, Zero};
    for format in [Format::F32, Format::F64] {
        let category = |bits: u64| match format {
            Format::F32 => f32::from_bits(bits as u32).classify(),
            _ => f64::from_bits(bits).classify(),
        };
        let classes: [(&str, &[std::num::FpCategory]); 6] = [
            ("finite", &[Zero, Normal, Subnormal]),
            ("infinite", &[Infinite]),
            ("number", &[Zero, Normal, Subnormal, Infinite]),
            ("notanumber", &[Nan]),
            ("normal", &[Zero, Normal]),
            ("subnormal", &[Subnormal]),
        ];
        for (class, members) in classes {
            let opcode = format!("testp.{class}.{}", format.word());
            let instruction = Instruction::new(&opcode, &[Reg::P], &[Reg::of(format.bits())]);
            suite.check(&instruction, &rows(&[operand(format)], 500), |row| {
                [u64::from(members.contains(&category(row[0])))]
            });
        }
    }
}
