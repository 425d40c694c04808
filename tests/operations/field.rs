//! Bit fields, counting, byte permutation (PTX ISA, "Integer Arithmetic Instructions", "prmt").

use crate::operations::harness::{Instruction, Reg, Suite};
use crate::operations::values::{Operand, cut, number, rows};

const TYPES: [(&str, u32, bool); 4] = [
    ("u32", 32, false),
    ("s32", 32, true),
    ("u64", 64, false),
    ("s64", 64, true),
];

/// So many ones from bit `position`, of 128; beyond there are none.
fn ones(position: u64, length: u64) -> u128 {
    let below = u128::MAX.checked_shl(length as u32).unwrap_or(0);
    (!below).checked_shl(position as u32).unwrap_or(0)
}

/// Positions and lengths are at most 255. Above PTX does not say what happens: 32-bit instructions take the lower byte,
/// 64-bit ones end with the value.
fn place(bits: u32, value: u64) -> u64 {
    match bits {
        64 => value.min(255),
        _ => value & 0xFF,
    }
}

pub fn fields(suite: &mut Suite) {
    for (word, bits, signed) in TYPES {
        let class = Reg::of(bits);
        let instruction =
            Instruction::new(&format!("bfe.{word}"), &[class], &[class, Reg::R, Reg::R]);
        let rows = rows(
            &[Operand::Integer(bits), Operand::Amount, Operand::Amount],
            1500,
        );
        suite.check(&instruction, &rows, |row| {
            // Bits above the value are copies of its sign, or zeros.
            let value = number(bits, signed, row[0]);
            let [position, length] = [row[1], row[2]].map(|value| place(bits, value) as u8);
            let field = value >> u32::from(position).min(127);
            let field = match length {
                0 => 0,
                1..=100 => {
                    let room = 128 - u32::from(length);
                    match signed {
                        true => field << room >> room,
                        false => ((field as u128) << room >> room) as i128,
                    }
                }
                _ => field,
            };
            [cut(bits, field as u64)]
        });
    }
    for bits in [32, 64] {
        let class = Reg::of(bits);
        let operands = [class, class, Reg::R, Reg::R];
        let instruction = Instruction::new(&format!("bfi.b{bits}"), &[class], &operands);
        let value = Operand::Integer(bits);
        let rows = rows(&[value, value, Operand::Amount, Operand::Amount], 2000);
        suite.check(&instruction, &rows, |row| {
            let [position, length] = [row[2], row[3]].map(|value| place(bits, value));
            let mask = ones(position, length);
            let field = u128::from(row[0]).checked_shl(position as u32).unwrap_or(0);
            [cut(
                bits,
                (u128::from(row[1]) & !mask | field & mask) as u64,
            )]
        });
    }
}

pub fn counts(suite: &mut Suite) {
    for bits in [32, 64] {
        let class = Reg::of(bits);
        let rows = rows(&[Operand::Integer(bits)], 500);
        let unused = 64 - u64::from(bits);
        let mut count = |opcode: &str, result: Reg, f: &dyn Fn(u64) -> u64| {
            let instruction = Instruction::new(&format!("{opcode}.b{bits}"), &[result], &[class]);
            suite.check(&instruction, &rows, |row| [f(row[0])]);
        };
        count("clz", Reg::R, &|a| u64::from(a.leading_zeros()) - unused);
        count("popc", Reg::R, &|a| u64::from(a.count_ones()));
        count("brev", class, &|a| a.reverse_bits() >> unused);
    }
    for (word, bits, signed) in TYPES {
        let rows = rows(&[Operand::Integer(bits)], 500);
        // "For unsigned integers the bit position of the most significant 1, for signed ones of the most significant 0
        // of negative and 1 of other inputs"; 0xffffffff if there is none.
        let position = |a: u64| {
            let value = number(bits, signed, a);
            let value = if value < 0 { !value } else { value };
            (value != 0).then(|| u64::from(127 - value.leading_zeros()))
        };
        for (modifier, shift) in [("", false), ("shiftamt.", true)] {
            let opcode = format!("bfind.{modifier}{word}");
            let instruction = Instruction::new(&opcode, &[Reg::R], &[Reg::of(bits)]);
            suite.check(&instruction, &rows, |row| {
                let top = u64::from(bits) - 1;
                let found = position(row[0]).map(|p| if shift { top - p } else { p });
                [found.unwrap_or(0xFFFF_FFFF)]
            });
        }
    }
}

pub fn masks(suite: &mut Suite) {
    let two = rows(&[Operand::Amount; 2], 500);
    let extended = rows(&[Operand::Integer(32), Operand::Amount], 500);
    for (mode, wrapping) in [("clamp", false), ("wrap", true)] {
        let bmsk = Instruction::new(&format!("bmsk.{mode}.b32"), &[Reg::R], &[Reg::R; 2]);
        suite.check(&bmsk, &two, |row| {
            let limit = |x: u64| if wrapping { x & 31 } else { x.min(64) };
            [cut(32, ones(limit(row[0]), limit(row[1])) as u64)]
        });
        for (word, signed) in [("u32", false), ("s32", true)] {
            let opcode = format!("szext.{mode}.{word}");
            let szext = Instruction::new(&opcode, &[Reg::R], &[Reg::R; 2]);
            suite.check(&szext, &extended, |row| {
                let length = if wrapping {
                    row[1] & 31
                } else {
                    row[1].min(32)
                };
                let value = match length {
                    0 => 0,
                    _ => number(length as u32, signed, row[0]),
                };
                [cut(32, value as u64)]
            });
        }
    }
    // The PTX ISA's examples.
    let bmsk = Instruction::new("bmsk.wrap.b32", &[Reg::R], &[Reg::R; 2]);
    suite.check(&bmsk, &[vec![1, 2]], |_| [6]);
    find(suite);
}

/// `fns`, as the PTX ISA's pseudo-code has it. A base above 31 is left open there; none is found here.
fn find(suite: &mut Suite) {
    let instruction = Instruction::new("fns.b32", &[Reg::R], &[Reg::R; 3]);
    let mut rows = Vec::new();
    for mask in Operand::Integer(32).edges() {
        for base in 0..32 {
            rows.extend(
                (-33..34)
                    .step_by(3)
                    .map(|n: i64| vec![mask, base, cut(32, n as u64)]),
            );
        }
    }
    rows.extend([0, 31].map(|base| vec![0xFFFF_FFFF, base, 0x8000_0000]));
    rows.extend([32, 0xFFFF_FFFF].map(|base| vec![0xFFFF_FFFF, base, 1]));
    suite.check(&instruction, &rows, |row| {
        let (mask, base, n) = (row[0], row[1] as u32 as i64, row[2] as i32 as i64);
        let set = |at: i64| mask >> at & 1 == 1;
        let none = 0xFFFF_FFFF;
        if base as u64 > 31 {
            return [none];
        }
        if n == 0 {
            return [if set(base) { base as u64 } else { none }];
        }
        let (mut at, mut left) = (base, n.abs() - 1);
        while (0..32).contains(&at) {
            if set(at) {
                if left == 0 {
                    return [at as u64];
                }
                left -= 1;
            }
            at += n.signum();
        }
        [none]
    });
    // The examples: fns.b32 d, 0xaaaaaaaa, 3, 1 and so on.
    let examples = [(3, 1, 3), (3, -1, 3), (2, 1, 3), (2, -1, 1)];
    for (base, n, found) in examples {
        let row = vec![0xAAAA_AAAA, base, cut(32, n as i64 as u64)];
        suite.check(&instruction, &[row], |_| [found]);
    }
}

pub fn permutations(suite: &mut Suite) {
    let generic = Instruction::new("prmt.b32", &[Reg::R], &[Reg::R; 3]);
    let byte = |row: &[u64], i: u64| (row[1] << 32 | row[0]) >> (8 * (i & 7)) & 0xFF;
    let assembled = |bytes: [u64; 4]| (0..4).fold(0, |sum, i| sum | bytes[i] << (8 * i));
    suite.check(&generic, &rows(&[Operand::Integer(32); 3], 3000), |row| {
        [assembled([0, 1, 2, 3].map(|i| {
            let selector = row[2] >> (4 * i) & 15;
            let byte = byte(row, selector);
            match selector >> 3 {
                0 => byte,
                _ => 0xFF * (byte >> 7),
            }
        }))]
    });
    // For each mode the byte that goes to place `i` of the result, by the two bits of the selector.
    let modes: [(&str, fn(u64, u64) -> u64); 6] = [
        ("f4e", |i, s| s + i),
        ("b4e", |i, s| s.wrapping_sub(i) & 7),
        ("rc8", |_, s| s),
        ("ecl", |i, s| i.max(s)),
        ("ecr", |i, s| i.min(s)),
        ("rc16", |i, s| 2 * (s & 1) + (i & 1)),
    ];
    for (mode, source) in modes {
        let instruction = Instruction::new(&format!("prmt.b32.{mode}"), &[Reg::R], &[Reg::R; 3]);
        suite.check(
            &instruction,
            &rows(&[Operand::Integer(32); 3], 200),
            |row| {
                [assembled(
                    [0, 1, 2, 3].map(|i| byte(row, source(i, row[2] & 3))),
                )]
            },
        );
    }
}
