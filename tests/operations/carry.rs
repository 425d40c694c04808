//! Extended-precision arithmetic (PTX ISA, "Extended-Precision Integer Arithmetic Instructions"): the carry goes in by an
//! instruction that makes it, and comes out by one that reads it.

use crate::operations::harness::{Instruction, Reg, Suite};
use crate::operations::values::{Operand, cut, number, rows, wrap};

const TYPES: [(&str, u32, bool); 4] = [
    ("u32", 32, false),
    ("s32", 32, true),
    ("u64", 64, false),
    ("s64", 64, true),
];

/// Instructions around the one under test: its carry in is operand number `flag` (0 or 1), its carry out is `%d1`.
struct Chain<'a> {
    word: &'a str,
    /// Borrows instead of carries.
    subtract: bool,
    flag: Option<usize>,
    out: bool,
}

impl Chain<'_> {
    fn instruction(&self, middle: &str, bits: u32, operands: usize) -> Instruction {
        let (word, name) = (self.word, if self.subtract { "sub" } else { "add" });
        let mut text = String::new();
        if let Some(flag) = self.flag {
            // A carry, or a borrow, where the flag is 1.
            text += &match self.subtract {
                true => format!("sub.cc.{word} %d1, 0, %a{flag};\n"),
                false => format!("add.cc.{word} %d1, %a{flag}, -1;\n"),
            };
        }
        text += middle;
        text += &match self.out {
            true => format!("\n{name}c.{word} %d1, 0, 0;"),
            false => format!("\nmov.b{bits} %d1, 0;"),
        };
        let class = Reg::of(bits);
        Instruction::written(&text, &[class; 2], &vec![class; operands])
    }

    /// Operands, and a flag after them.
    fn rows(&self, bits: u32, operands: usize) -> Vec<Vec<u64>> {
        let mut rows = rows(&vec![Operand::Integer(bits); operands], 300);
        if self.flag.is_some() {
            for (i, row) in rows.iter_mut().enumerate() {
                row.push((i / 3 % 2) as u64);
            }
        }
        rows
    }

    /// `%d0` and `%d1` of an exact result, in the unsigned range if nothing is carried.
    fn results(&self, bits: u32, exact: i128) -> [u64; 2] {
        let carried = i128::from(exact < 0 || exact >> bits != 0);
        let carried = match (self.out, self.subtract) {
            (false, _) => 0,
            (true, false) => carried,
            (true, true) => -carried,
        };
        [wrap(bits, exact), wrap(bits, carried)]
    }
}

pub fn sums(suite: &mut Suite) {
    for (word, bits, _) in TYPES {
        for (subtract, name) in [(false, "add"), (true, "sub")] {
            for (carry_in, out) in [(false, true), (true, false), (true, true)] {
                let chain = Chain {
                    word,
                    subtract,
                    flag: carry_in.then_some(2),
                    out,
                };
                let (c, cc) = (
                    if carry_in { "c" } else { "" },
                    if out { ".cc" } else { "" },
                );
                let middle = format!("{name}{c}{cc}.{word} %d0, %a0, %a1;");
                let operands = 2 + usize::from(carry_in);
                let instruction = chain.instruction(&middle, bits, operands);
                suite.check(&instruction, &chain.rows(bits, 2), |row| {
                    let [a, b] = [row[0], row[1]].map(i128::from);
                    let flag = row.get(2).map_or(0, |&flag| i128::from(flag));
                    let exact = if subtract { a - b - flag } else { a + b + flag };
                    chain.results(bits, exact)
                });
            }
        }
    }
    wide_sum(suite);
}

/// What the instructions are for: 128 bits as four words.
fn wide_sum(suite: &mut Suite) {
    let text = |name: &str| {
        format!(
            "{name}.cc.u32 %d0, %a0, %a4; {name}c.cc.u32 %d1, %a1, %a5;
             {name}c.cc.u32 %d2, %a2, %a6; {name}c.u32 %d3, %a3, %a7;"
        )
    };
    let value = |words: &[u64]| {
        (0..4).fold(0u128, |sum, i| {
            sum | u128::from(words[i]) << (32 * i as u32)
        })
    };
    let words = |value: u128| [0, 32, 64, 96].map(|shift| u64::from((value >> shift) as u32));
    let rows: Vec<Vec<u64>> = rows(&[Operand::Integer(32); 8], 500);
    let instruction = |name| Instruction::written(&text(name), &[Reg::R; 4], &[Reg::R; 8]);
    suite.check(&instruction("add"), &rows[rows.len() - 500..], |row| {
        words(value(&row[..4]).wrapping_add(value(&row[4..])))
    });
    suite.check(&instruction("sub"), &rows[rows.len() - 500..], |row| {
        words(value(&row[..4]).wrapping_sub(value(&row[4..])))
    });
}

pub fn products(suite: &mut Suite) {
    for (word, bits, signed) in TYPES {
        for (half, high) in [("lo", false), ("hi", true)] {
            for (carry_in, out) in [(false, true), (true, false), (true, true)] {
                let chain = Chain {
                    word,
                    subtract: false,
                    flag: carry_in.then_some(3),
                    out,
                };
                let (c, cc) = (
                    if carry_in { "c" } else { "" },
                    if out { ".cc" } else { "" },
                );
                let middle = format!("mad{c}.{half}{cc}.{word} %d0, %a0, %a1, %a2;");
                let operands = 3 + usize::from(carry_in);
                let instruction = chain.instruction(&middle, bits, operands);
                suite.check(&instruction, &chain.rows(bits, 3), |row| {
                    let part = part(bits, signed, high, row[0], row[1]);
                    let flag = row.get(3).map_or(0, |&flag| i128::from(flag));
                    chain.results(bits, i128::from(part) + i128::from(row[2]) + flag)
                });
            }
        }
    }
    wide_product(suite);
}

/// The bits of half a product.
fn part(bits: u32, signed: bool, high: bool, a: u64, b: u64) -> u64 {
    let product = match signed {
        true => (number(bits, true, a) * number(bits, true, b)) as u128,
        false => u128::from(a) * u128::from(b),
    };
    cut(bits, (product >> if high { bits } else { 0 }) as u64)
}

/// The PTX ISA's example: the 128-bit product of two 64-bit numbers from four of 32 bits.
fn wide_product(suite: &mut Suite) {
    let text = "mul.lo.u32 %d0, %a0, %a2;
        mul.hi.u32 %d1, %a0, %a2;
        mad.lo.cc.u32 %d1, %a1, %a2, %d1;
        madc.hi.u32 %d2, %a1, %a2, 0;
        mad.lo.cc.u32 %d1, %a0, %a3, %d1;
        madc.hi.cc.u32 %d2, %a0, %a3, %d2;
        addc.u32 %d3, 0, 0;
        mad.lo.cc.u32 %d2, %a1, %a3, %d2;
        madc.hi.u32 %d3, %a1, %a3, %d3;";
    let instruction = Instruction::written(text, &[Reg::R; 4], &[Reg::R; 4]);
    suite.check(
        &instruction,
        &rows(&[Operand::Integer(32); 4], 500),
        |row| {
            let factor = |low: u64, high: u64| u128::from(high << 32 | low);
            let product = factor(row[0], row[1]) * factor(row[2], row[3]);
            [0, 32, 64, 96].map(|shift| u64::from((product >> shift) as u32))
        },
    );
}
