//! Comparison and selection (PTX ISA, "Comparison and Selection Instructions").

use crate::operations::harness::{Instruction, Reg, Suite};
use crate::operations::softfloat::{FORMATS, Format};
use crate::operations::values::{Operand, cut, number, rows};
use std::cmp::Ordering;

/// The comparisons of integers.
const INTEGER: [(&str, fn(Ordering) -> bool); 6] = [
    ("eq", Ordering::is_eq),
    ("ne", Ordering::is_ne),
    ("lt", Ordering::is_lt),
    ("le", Ordering::is_le),
    ("gt", Ordering::is_gt),
    ("ge", Ordering::is_ge),
];

/// Those of unsigned integers by other names.
const UNSIGNED: [(&str, fn(Ordering) -> bool); 4] = [
    ("lo", Ordering::is_lt),
    ("ls", Ordering::is_le),
    ("hi", Ordering::is_gt),
    ("hs", Ordering::is_ge),
];

/// The comparisons of floats, with the answer for an operand that is NaN.
pub const FLOAT: [(&str, fn(Ordering) -> bool, bool); 14] = [
    ("eq", Ordering::is_eq, false),
    ("ne", Ordering::is_ne, false),
    ("lt", Ordering::is_lt, false),
    ("le", Ordering::is_le, false),
    ("gt", Ordering::is_gt, false),
    ("ge", Ordering::is_ge, false),
    ("equ", Ordering::is_eq, true),
    ("neu", Ordering::is_ne, true),
    ("ltu", Ordering::is_lt, true),
    ("leu", Ordering::is_le, true),
    ("gtu", Ordering::is_gt, true),
    ("geu", Ordering::is_ge, true),
    ("num", |_| true, false),
    ("nan", |_| false, true),
];

pub const LOGIC: [(&str, fn(bool, bool) -> bool); 3] = [
    ("and", |a, b| a & b),
    ("or", |a, b| a | b),
    ("xor", |a, b| a ^ b),
];

/// A type of operands and a comparison of them.
struct Comparison {
    /// `lt.ftz.f32` without the dot that follows.
    word: &'static str,
    ftz: &'static str,
    ty: String,
    operand: Operand,
    bits: u32,
    holds: Box<dyn Fn(u64, u64) -> bool>,
}

/// All comparisons of all types.
fn comparisons() -> Vec<Comparison> {
    let mut all = Vec::new();
    for bits in [16, 32, 64] {
        let mut integer = |kind: &str, signed: bool, word, test: fn(Ordering) -> bool| {
            all.push(Comparison {
                word,
                ftz: "",
                ty: format!("{kind}{bits}"),
                operand: Operand::Integer(bits),
                bits,
                holds: Box::new(move |a, b| {
                    test(number(bits, signed, a).cmp(&number(bits, signed, b)))
                }),
            });
        };
        for (word, test) in INTEGER {
            integer("u", false, word, test);
            integer("s", true, word, test);
            if matches!(word, "eq" | "ne") {
                integer("b", false, word, test);
            }
        }
        for (word, test) in UNSIGNED {
            integer("u", false, word, test);
        }
    }
    for format in FORMATS {
        for ftz in [false, true] {
            if ftz && matches!(format, Format::BF16 | Format::F64) {
                continue;
            }
            for (word, test, unordered) in FLOAT {
                all.push(Comparison {
                    word,
                    ftz: if ftz { ".ftz" } else { "" },
                    ty: format.word().to_owned(),
                    operand: Operand::Float(format.bits(), format.fraction()),
                    bits: format.bits(),
                    holds: Box::new(move |a, b| compared(format, ftz, test, unordered, a, b)),
                });
            }
        }
    }
    all
}

/// One comparison of floats, by binary64, which holds them all.
pub fn compared(
    format: Format,
    ftz: bool,
    test: fn(Ordering) -> bool,
    unordered: bool,
    a: u64,
    b: u64,
) -> bool {
    let value = |bits| format.to_f64(if ftz { format.flush(bits) } else { bits });
    value(a).partial_cmp(&value(b)).map_or(unordered, test)
}

/// Rows with a predicate at the end.
fn flagged(rows: &[Vec<u64>]) -> Vec<Vec<u64>> {
    let flag = |i: usize| (i / 5 % 2) as u64;
    let rows = rows.iter().enumerate();
    rows.map(|(i, row)| [&row[..], &[flag(i)]].concat())
        .collect()
}

pub fn predicates(suite: &mut Suite) {
    for comparison in comparisons() {
        let Comparison {
            word,
            ftz,
            ty,
            operand,
            bits,
            holds,
        } = &comparison;
        let class = Reg::of(*bits);
        let rows = rows(&[*operand; 2], 200);
        let opcode = format!("setp.{word}{ftz}.{ty}");
        let one = Instruction::new(&opcode, &[Reg::P], &[class; 2]);
        suite.check(&one, &rows, |row| [u64::from(holds(row[0], row[1]))]);
        // In half precision there is no second predicate.
        let second = !matches!(&ty[..], "f16" | "bf16");
        if second {
            let both = Instruction::new(&opcode, &[Reg::P; 2], &[class; 2]);
            suite.check(&both, &rows, |row| {
                let truth = holds(row[0], row[1]);
                [truth, !truth].map(u64::from)
            });
        }
        let rows = flagged(&rows);
        for (logic, f) in LOGIC {
            for negated in [false, true] {
                let not = if negated { "!" } else { "" };
                let results = if second { "%d0|%d1" } else { "%d0" };
                let text = format!("setp.{word}.{logic}{ftz}.{ty} {results}, %a0, %a1, {not}%a2;");
                let results = &[Reg::P; 2][..if second { 2 } else { 1 }];
                let operands = [class, class, Reg::P];
                let instruction = Instruction::written(&text, results, &operands);
                let some = if bits == &32 {
                    &rows[..]
                } else {
                    &rows[rows.len() - 100..]
                };
                suite.judge(&instruction, some, |row, results| {
                    let truth = holds(row[0], row[1]);
                    let c = (row[2] != 0) != negated;
                    let expected = [f(truth, c), f(!truth, c)].map(u64::from);
                    match results == &expected[..results.len()] {
                        true => Ok(()),
                        false => Err(format!("{expected:?}")),
                    }
                });
            }
        }
    }
}

/// Types of `set`'s result for a type of operands: word, bits, the value of true.
fn answers(ty: &str) -> Vec<(&'static str, u32, u64)> {
    let half = [("f16", 16, 0x3C00), ("bf16", 16, 0x3F80)];
    let word = [("u32", 32, 0xFFFF_FFFF), ("s32", 32, 0xFFFF_FFFF)];
    let short = [("u16", 16, 0xFFFF), ("s16", 16, 0xFFFF)];
    match ty {
        "f16" => [&half[..], &word, &short].concat(),
        "bf16" => [&word[..], &short].concat(),
        _ => [&half[..], &word, &[("f32", 32, 0x3F80_0000)]].concat(),
    }
}

pub fn sets(suite: &mut Suite) {
    for comparison in comparisons() {
        let Comparison {
            word,
            ftz,
            ty,
            operand,
            bits,
            holds,
        } = &comparison;
        let class = Reg::of(*bits);
        let rows = rows(&[*operand; 2], 200);
        let rows = &rows[rows.len() - 200..];
        for (answer, width, yes) in answers(ty) {
            // `.ftz` is no modifier of a set into bf16.
            if !ftz.is_empty() && answer == "bf16" {
                continue;
            }
            let result = Reg::of(width);
            let opcode = format!("set.{word}{ftz}.{answer}.{ty}");
            let instruction = Instruction::new(&opcode, &[result], &[class; 2]);
            suite.check(&instruction, rows, |row| {
                [if holds(row[0], row[1]) { yes } else { 0 }]
            });
        }
        let (answer, width, yes) = answers(ty)[2];
        for (logic, f) in LOGIC {
            let text = format!("set.{word}.{logic}{ftz}.{answer}.{ty} %d0, %a0, %a1, !%a2;");
            let operands = [class, class, Reg::P];
            let instruction = Instruction::written(&text, &[Reg::of(width)], &operands);
            suite.check(&instruction, &flagged(rows), |row| {
                let truth = f(holds(row[0], row[1]), row[2] == 0);
                [if truth { yes } else { 0 }]
            });
        }
    }
}

pub fn selections(suite: &mut Suite) {
    for bits in [16, 32, 64] {
        let class = Reg::of(bits);
        for kind in ["b", "u", "s", "f"] {
            if (kind, bits) == ("f", 16) {
                continue;
            }
            let values = rows(&[Operand::Integer(bits); 2], 20);
            let selp = Instruction::new(
                &format!("selp.{kind}{bits}"),
                &[class],
                &[class, class, Reg::P],
            );
            suite.check(&selp, &flagged(&values), |row| {
                [if row[2] != 0 { row[0] } else { row[1] }]
            });
            let by_integer = Instruction::new(
                &format!("slct.{kind}{bits}.s32"),
                &[class],
                &[class, class, Reg::R],
            );
            let value = Operand::Integer(bits);
            suite.check(
                &by_integer,
                &rows(&[value, value, Operand::Integer(32)], 100),
                |row| [if (row[2] as i32) >= 0 { row[0] } else { row[1] }],
            );
            for (ftz, flush) in [("", false), (".ftz", true)] {
                // "For .f32 comparisons, negative zero equals zero"; a NaN selects b.
                let opcode = format!("slct{ftz}.{kind}{bits}.f32");
                let by_float = Instruction::new(&opcode, &[class], &[class, class, Reg::R]);
                suite.check(
                    &by_float,
                    &rows(&[value, value, crate::operations::values::F32], 200),
                    |row| {
                        let c = f32::from_bits(row[2] as u32);
                        let positive = c >= 0.0 || flush && c.is_subnormal();
                        [cut(bits, if positive { row[0] } else { row[1] })]
                    },
                );
            }
        }
    }
}
