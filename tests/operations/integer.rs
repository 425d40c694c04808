//! Integer arithmetic (PTX ISA, "Integer Arithmetic Instructions") against 128-bit integers.

use crate::operations::harness::{Instruction, Reg, Suite};
use crate::operations::values::{Operand, number, range, rows, wrap};

/// The integer types of arithmetic: word, bits, signed.
pub const TYPES: [(&str, u32, bool); 6] = [
    ("u16", 16, false),
    ("s16", 16, true),
    ("u32", 32, false),
    ("s32", 32, true),
    ("u64", 64, false),
    ("s64", 64, true),
];

/// An instruction of one result and so many operands, all of one width, on edges and random rows.
fn uniform(
    suite: &mut Suite,
    opcode: &str,
    (bits, signed): (u32, bool),
    operands: usize,
    value: impl Fn(&[i128]) -> i128,
) {
    let class = Reg::of(bits);
    let instruction = Instruction::new(opcode, &[class], &vec![class; operands]);
    let rows = rows(&vec![Operand::Integer(bits); operands], 400);
    suite.check(&instruction, &rows, |row| {
        let numbers: Vec<i128> = row.iter().map(|&a| number(bits, signed, a)).collect();
        [wrap(bits, value(&numbers))]
    });
}

pub fn sums(suite: &mut Suite) {
    for (word, bits, signed) in TYPES {
        let ty = (bits, signed);
        uniform(suite, &format!("add.{word}"), ty, 2, |n| n[0] + n[1]);
        uniform(suite, &format!("sub.{word}"), ty, 2, |n| n[0] - n[1]);
        uniform(suite, &format!("sad.{word}"), ty, 3, |n| {
            (n[0] - n[1]).abs() + n[2]
        });
        if signed {
            uniform(suite, &format!("abs.{word}"), ty, 1, |n| n[0].abs());
            uniform(suite, &format!("neg.{word}"), ty, 1, |n| -n[0]);
        }
    }
    let (least, most) = range(32, true);
    let ty = (32, true);
    uniform(suite, "add.sat.s32", ty, 2, |n| {
        (n[0] + n[1]).clamp(least, most)
    });
    uniform(suite, "sub.sat.s32", ty, 2, |n| {
        (n[0] - n[1]).clamp(least, most)
    });
    for signed in [false, true] {
        let (word, ty) = (if signed { "s32" } else { "u32" }, (32, signed));
        let types = [word; 3].join(".");
        uniform(suite, &format!("vadd.{types}.add"), ty, 3, |n| {
            n[0] + n[1] + n[2]
        });
        uniform(suite, &format!("vsub.{types}.add"), ty, 3, |n| {
            n[0] - n[1] + n[2]
        });
    }
}

/// The two 64-bit factors of an unsigned product fill 128 bits: no sign is left in `i128`.
fn high(bits: u32, signed: bool, a: i128, b: i128) -> i128 {
    match signed {
        true => (a * b) >> bits,
        false => ((a as u128 * b as u128) >> bits) as i128,
    }
}

pub fn products(suite: &mut Suite) {
    let (least, most) = range(32, true);
    for (word, bits, signed) in TYPES {
        let ty = (bits, signed);
        let low = |a: i128, b: i128| a.wrapping_mul(b);
        let high = |a, b| high(bits, signed, a, b);
        uniform(suite, &format!("mul.lo.{word}"), ty, 2, |n| low(n[0], n[1]));
        uniform(suite, &format!("mul.hi.{word}"), ty, 2, |n| {
            high(n[0], n[1])
        });
        uniform(suite, &format!("mad.lo.{word}"), ty, 3, |n| {
            low(n[0], n[1]).wrapping_add(n[2])
        });
        uniform(suite, &format!("mad.hi.{word}"), ty, 3, |n| {
            high(n[0], n[1]) + n[2]
        });
        if bits < 64 {
            wide(suite, word, bits, signed);
        }
    }
    uniform(suite, "mad.hi.sat.s32", (32, true), 3, |n| {
        (high(32, true, n[0], n[1]) + n[2]).clamp(least, most)
    });
    for (word, signed) in [("u32", false), ("s32", true)] {
        for (part, shift) in [("lo", 0), ("hi", 16)] {
            // "mul24.hi: bits 47..16 of the 48-bit product; mul24.lo: bits 31..0"
            let product = |a: i128, b: i128| {
                let [a, b] = [a, b].map(|x| number(24, signed, x as u64));
                (a * b) >> shift
            };
            let ty = (32, signed);
            uniform(suite, &format!("mul24.{part}.{word}"), ty, 2, |n| {
                product(n[0], n[1])
            });
            uniform(suite, &format!("mad24.{part}.{word}"), ty, 3, |n| {
                product(n[0], n[1]) + n[2]
            });
        }
    }
}

/// `mul.wide`, `mad.wide`
fn wide(suite: &mut Suite, word: &str, bits: u32, signed: bool) {
    let (narrow, wide) = (Reg::of(bits), Reg::of(2 * bits));
    let factors = [Operand::Integer(bits); 2];
    let product = |row: &[u64]| number(bits, signed, row[0]) * number(bits, signed, row[1]);
    let mul = Instruction::new(&format!("mul.wide.{word}"), &[wide], &[narrow; 2]);
    suite.check(&mul, &rows(&factors, 400), |row| {
        [wrap(2 * bits, product(row))]
    });
    let mad = Instruction::new(
        &format!("mad.wide.{word}"),
        &[wide],
        &[narrow, narrow, wide],
    );
    let summand = Operand::Integer(2 * bits);
    suite.check(
        &mad,
        &rows(&[factors[0], factors[1], summand], 400),
        |row| [wrap(2 * bits, product(row) + i128::from(row[2]))],
    );
}

/// "Division by zero yields an unspecified, machine-specific value": all ones here, and the dividend as remainder. The
/// quotient of the least number and -1 wraps.
pub fn quotients(suite: &mut Suite) {
    for (word, bits, signed) in TYPES {
        let ty = (bits, signed);
        uniform(suite, &format!("div.{word}"), ty, 2, |n| {
            n[0].checked_div(n[1]).unwrap_or(-1)
        });
        uniform(suite, &format!("rem.{word}"), ty, 2, |n| {
            n[0].checked_rem(n[1]).unwrap_or(-1)
        });
    }
}

pub fn extremes(suite: &mut Suite) {
    for (word, bits, signed) in TYPES {
        let ty = (bits, signed);
        uniform(suite, &format!("min.{word}"), ty, 2, |n| n[0].min(n[1]));
        uniform(suite, &format!("max.{word}"), ty, 2, |n| n[0].max(n[1]));
    }
    let ty = (32, true);
    uniform(suite, "min.relu.s32", ty, 2, |n| n[0].min(n[1]).max(0));
    uniform(suite, "max.relu.s32", ty, 2, |n| n[0].max(n[1]).max(0));
}

/// Part number `i` of `bits` bits.
fn part(bits: u32, signed: bool, word: u64, i: u32) -> i128 {
    number(bits, signed, word >> (bits * i))
}

pub fn dots(suite: &mut Suite) {
    let rows = rows(&[Operand::Integer(32); 3], 1000);
    let types = [("u32", false), ("s32", true)];
    for ((a_word, a_signed), (b_word, b_signed)) in
        types.into_iter().flat_map(|a| types.map(|b| (a, b)))
    {
        let class = [Reg::R; 3];
        let four = Instruction::new(&format!("dp4a.{a_word}.{b_word}"), &[Reg::R], &class);
        suite.check(&four, &rows, |row| {
            let products =
                (0..4).map(|i| part(8, a_signed, row[0], i) * part(8, b_signed, row[1], i));
            [wrap(32, products.sum::<i128>() + i128::from(row[2]))]
        });
        for (half, first) in [("lo", 0), ("hi", 2)] {
            let opcode = format!("dp2a.{half}.{a_word}.{b_word}");
            suite.check(
                &Instruction::new(&opcode, &[Reg::R], &class),
                &rows,
                |row| {
                    let products = (0..2).map(|i| {
                        part(16, a_signed, row[0], i) * part(8, b_signed, row[1], first + i)
                    });
                    [wrap(32, products.sum::<i128>() + i128::from(row[2]))]
                },
            );
        }
    }
}
