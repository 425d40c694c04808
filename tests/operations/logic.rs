//! Logic and shifts (PTX ISA, "Logic and Shift Instructions").

use crate::operations::harness::{Instruction, Reg, Suite};
use crate::operations::values::{Operand, cut, number, rows, wrap};

pub fn bitwise(suite: &mut Suite) {
    for bits in [16, 32, 64] {
        let (class, word) = (Reg::of(bits), format!("b{bits}"));
        let two = rows(&[Operand::Integer(bits); 2], 200);
        let mut binary = |name: &str, f: fn(u64, u64) -> u64| {
            let instruction = Instruction::new(&format!("{name}.{word}"), &[class], &[class; 2]);
            suite.check(&instruction, &two, |row| [f(row[0], row[1])]);
        };
        binary("and", |a, b| a & b);
        binary("or", |a, b| a | b);
        binary("xor", |a, b| a ^ b);
        let one = rows(&[Operand::Integer(bits)], 200);
        let unary = |name: &str| Instruction::new(&format!("{name}.{word}"), &[class], &[class]);
        suite.check(&unary("not"), &one, |row| [cut(bits, !row[0])]);
        suite.check(&unary("cnot"), &one, |row| [u64::from(row[0] == 0)]);
    }
    let rows: Vec<Vec<u64>> = (0..4).map(|i| vec![i & 1, i >> 1]).collect();
    let mut predicates = |name: &str, f: fn(u64, u64) -> u64| {
        let instruction = Instruction::new(&format!("{name}.pred"), &[Reg::P], &[Reg::P; 2]);
        suite.check(&instruction, &rows, |row| [f(row[0], row[1])]);
    };
    predicates("and", |a, b| a & b);
    predicates("or", |a, b| a | b);
    predicates("xor", |a, b| a ^ b);
    let not = Instruction::new("not.pred", &[Reg::P], &[Reg::P]);
    suite.check(&not, &[vec![0], vec![1]], |row| [1 - row[0]]);
}

/// Bit `i` of the result is bit `4a + 2b + c` of the table.
fn lookup(table: u64, row: &[u64]) -> u64 {
    let bit = |word: u64, i: u32| word >> i & 1;
    (0..32).fold(0, |sum, i| {
        let index = bit(row[0], i) << 2 | bit(row[1], i) << 1 | bit(row[2], i);
        sum | bit(table, index as u32) << i
    })
}

pub fn tables(suite: &mut Suite) {
    let rows = rows(&[Operand::Integer(32); 3], 100);
    let some = &rows[rows.len() - 100..];
    for table in 0..256 {
        let text = format!("lop3.b32 %d0, %a0, %a1, %a2, {table:#x};");
        let instruction = Instruction::written(&text, &[Reg::R], &[Reg::R; 3]);
        suite.check(&instruction, some, |row| [lookup(table, row)]);
    }
    // The PTX ISA's examples of tables.
    for (table, formula) in [
        (0x80, (|a, b, c| a & b & c) as fn(u64, u64, u64) -> u64),
        (0xFE, |a, b, c| a | b | c),
        (0x40, |a, b, c| a & b & !c),
        (0xEA, |a, b, c| (a & b) | c),
        (0x1A, |a, b, c| (a & b | c) ^ a),
    ] {
        let text = format!("lop3.b32 %d0, %a0, %a1, %a2, {table};");
        let instruction = Instruction::written(&text, &[Reg::R], &[Reg::R; 3]);
        suite.check(&instruction, &rows, |row| {
            [cut(32, formula(row[0], row[1], row[2]))]
        });
    }
    with_predicate(suite, some);
}

/// `lop3.BoolOp d|p, a, b, c, table, q`
fn with_predicate(suite: &mut Suite, rows: &[Vec<u64>]) {
    let rows: Vec<Vec<u64>> = rows
        .iter()
        .enumerate()
        .map(|(i, row)| [&row[..], &[i as u64 & 1]].concat())
        .collect();
    for (table, negate) in [(0x80, ""), (0x00, "!"), (0x96, "!"), (0x16, ""), (0x00, "")] {
        for (word, f) in [
            ("or", (|a, b| a | b) as fn(u64, u64) -> u64),
            ("and", |a, b| a & b),
        ] {
            let text = format!("lop3.{word}.b32 %d0|%d1, %a0, %a1, %a2, {table}, {negate}%a3;");
            let operands = [Reg::R, Reg::R, Reg::R, Reg::P];
            let instruction = Instruction::written(&text, &[Reg::R, Reg::P], &operands);
            suite.check(&instruction, &rows, |row| {
                let value = lookup(table, row);
                let q = row[3] ^ u64::from(negate == "!");
                [value, f(u64::from(value != 0), q)]
            });
        }
    }
}

/// "Shift amounts greater than the register width N are clamped to N."
pub fn shifts(suite: &mut Suite) {
    for bits in [16, 32, 64] {
        let class = Reg::of(bits);
        let rows = rows(&[Operand::Integer(bits), Operand::Amount], 400);
        let amount = |row: &[u64]| row[1].min(u64::from(bits)) as u32;
        let instruction = |opcode: String| Instruction::new(&opcode, &[class], &[class, Reg::R]);
        suite.check(&instruction(format!("shl.b{bits}")), &rows, |row| {
            [wrap(bits, i128::from(row[0]) << amount(row))]
        });
        for (kind, signed) in [("b", false), ("u", false), ("s", true)] {
            suite.check(&instruction(format!("shr.{kind}{bits}")), &rows, |row| {
                [wrap(bits, number(bits, signed, row[0]) >> amount(row))]
            });
        }
    }
    let operands = [Operand::Integer(32), Operand::Integer(32), Operand::Amount];
    let rows = rows(&operands, 400);
    for (mode, wrapping) in [("clamp", false), ("wrap", true)] {
        // "{b, a}: b the more significant"; the left shift gives the upper half of 64 bits, the right one the lower.
        let amount = |c: u64| if wrapping { c & 31 } else { c.min(32) } as u32;
        let both = |row: &[u64]| u128::from(row[1]) << 32 | u128::from(row[0]);
        let left = Instruction::new(&format!("shf.l.{mode}.b32"), &[Reg::R], &[Reg::R; 3]);
        suite.check(&left, &rows, |row| {
            [u64::from((both(row) << amount(row[2]) >> 32) as u32)]
        });
        let right = Instruction::new(&format!("shf.r.{mode}.b32"), &[Reg::R], &[Reg::R; 3]);
        suite.check(&right, &rows, |row| {
            [u64::from((both(row) >> amount(row[2])) as u32)]
        });
    }
}
