//! Two halves side by side: every lane as the instruction on one half (PTX ISA, "Half Precision Floating Point
//! Instructions").

use crate::operations::compare::{FLOAT, LOGIC, compared};
use crate::operations::float::{Modifiers, same};
use crate::operations::harness::{Instruction, Reg, Suite};
use crate::operations::softfloat::{Basic, Format};
use crate::operations::values::{Operand, rows};
use rustc_apfloat::Round;

const FORMATS: [Format; 2] = [Format::F16, Format::BF16];

fn lane(row: &[u64], low: u32) -> Vec<u64> {
    row.iter().map(|word| word >> low & 0xFFFF).collect()
}

/// Each lane of the result, judged by what that lane of the operands gives.
fn check(
    suite: &mut Suite,
    opcode: &str,
    format: Format,
    operands: usize,
    value: impl Fn(&[u64]) -> u64,
) {
    let instruction = Instruction::new(opcode, &[Reg::R], &vec![Reg::R; operands]);
    let operand = Operand::Pair(format.fraction());
    suite.judge(
        &instruction,
        &rows(&vec![operand; operands], 600),
        |row, results| {
            [0, 16].into_iter().try_for_each(|low| {
                let result = results[0] >> low & 0xFFFF;
                same(format, value(&lane(row, low)), result)
            })
        },
    );
}

pub fn arithmetic(suite: &mut Suite) {
    let round = Round::NearestTiesToEven;
    for format in FORMATS {
        let ty = format!("{}x2", format.word());
        for (name, op, operands) in [
            ("add", Basic::Add, 2),
            ("sub", Basic::Sub, 2),
            ("mul", Basic::Mul, 2),
            ("fma.rn", Basic::Fma, 3),
        ] {
            for modifiers in Modifiers::of(format, op == Basic::Fma) {
                let opcode = format!("{name}{}.{ty}", modifiers.words());
                check(suite, &opcode, format, operands, |row| {
                    let row = modifiers.operands(format, row);
                    modifiers.result(format, format.compute(op, round, &row))
                });
            }
        }
        for (name, clear, flip) in [("neg", 0, 0x8000), ("abs", 0x8000, 0)] {
            let instruction = Instruction::new(&format!("{name}.{ty}"), &[Reg::R], &[Reg::R]);
            let rows = rows(&[Operand::Pair(format.fraction())], 300);
            suite.judge(&instruction, &rows, |row, results| {
                let wrong = [0, 16].into_iter().find(|&low| {
                    let (a, d) = (row[0] >> low & 0xFFFF, results[0] >> low & 0xFFFF);
                    match format.is_nan(a) {
                        true => !format.is_nan(d),
                        false => d != (a & !clear) ^ flip,
                    }
                });
                wrong.map_or(Ok(()), |low| Err(format!("the lane from bit {low}")))
            });
        }
        extremes(suite, format, &ty);
    }
}

/// `min`, `max` with `.NaN` or without.
fn extremes(suite: &mut Suite, format: Format, ty: &str) {
    for (name, max) in [("min", false), ("max", true)] {
        for (word, propagates) in [("", false), (".NaN", true)] {
            check(suite, &format!("{name}{word}.{ty}"), format, 2, |row| {
                let [x, y] = [row[0], row[1]].map(|bits| format.to_f64(bits));
                if propagates && (x.is_nan() || y.is_nan()) {
                    return format.infinity() + 1;
                }
                // IEEE 754-2008 minNum, with -0 < +0: Rust's leaves the order of zeros open.
                if x == 0.0 && y == 0.0 {
                    let both = if max {
                        row[0] & row[1]
                    } else {
                        row[0] | row[1]
                    };
                    return both & format.sign();
                }
                format.nearest(if max { x.max(y) } else { x.min(y) })
            });
        }
    }
}

pub fn comparisons(suite: &mut Suite) {
    for format in FORMATS {
        let ty = format!("{}x2", format.word());
        let operand = Operand::Pair(format.fraction());
        let mut rows = rows(&[operand; 2], 300);
        rows.iter_mut()
            .enumerate()
            .for_each(|(i, row)| row.push((i / 3 % 2) as u64));
        let operands = [Reg::R, Reg::R, Reg::P];
        for (word, test, unordered) in FLOAT {
            let truth = |row: &[u64], low| {
                let pair = lane(&row[..2], low);
                compared(format, false, test, unordered, pair[0], pair[1])
            };
            let plain = format!("setp.{word}.{ty} %d0|%d1, %a0, %a1;");
            let plain = Instruction::written(&plain, &[Reg::P; 2], &operands);
            suite.check(&plain, &rows, |row| {
                [0, 16].map(|low| u64::from(truth(row, low)))
            });
            for (logic, f) in LOGIC {
                let text = format!("setp.{word}.{logic}.{ty} %d0|%d1, %a0, %a1, %a2;");
                let instruction = Instruction::written(&text, &[Reg::P; 2], &operands);
                suite.check(&instruction, &rows, |row| {
                    [0, 16].map(|low| u64::from(f(truth(row, low), row[2] != 0)))
                });
            }
            let one = if format == Format::F16 {
                0x3C00
            } else {
                0x3F80
            };
            // "the results of individual operations are packed": 0xffff in each half for integers.
            for (answer, yes) in [(&ty[..], one), ("u32", 0xFFFF), ("s32", 0xFFFF)] {
                let text = format!("set.{word}.xor.{answer}.{ty} %d0, %a0, %a1, !%a2;");
                let instruction = Instruction::written(&text, &[Reg::R], &operands);
                suite.check(&instruction, &rows, |row| {
                    let half = |low| {
                        if truth(row, low) ^ (row[2] == 0) {
                            yes
                        } else {
                            0
                        }
                    };
                    [half(16) << 16 | half(0)]
                });
            }
        }
    }
}
