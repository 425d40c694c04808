//! `atom` and `red` of every operation and type (PTX ISA, "atom", "red"): "d = *a; *a = operation(*a, b)".

use crate::operations::float::same;
use crate::operations::harness::{Instruction, Reg, Suite};
use crate::operations::memory::{STORAGES, Storage};
use crate::operations::softfloat::{Basic, Format};
use crate::operations::values::{Operand, number, rows, wrap};
use rustc_apfloat::Round;

/// One operation on memory that holds `%a0`, with the other operands in their order: `expected` gives what stays there.
fn check(
    suite: &mut Suite,
    operation: &str,
    bits: u32,
    operands: &[Operand],
    accept: impl Fn(bool, &[u64], u64) -> Result<(), String>,
) {
    let class = Reg::of(bits);
    let list: Vec<String> = (1..operands.len()).map(|i| format!("%a{i}")).collect();
    let list = list.join(", ");
    // Local memory has no atomics.
    for Storage {
        space,
        declaration,
        address,
    } in &STORAGES[..3]
    {
        let before = format!("{declaration}st{space}.b{bits} [{address}], %a0;\n");
        let after = format!("\nld{space}.b{bits} %d1, [{address}];");
        let atom = format!("{before}atom{space}.{operation} %d0, [{address}], {list};{after}");
        let atom = Instruction::written(&atom, &[class; 2], &vec![class; operands.len()]);
        let red = format!(
            "{before}red{space}.{operation} [{address}], {list};\nmov.b{bits} %d0, %a0;{after}"
        );
        let red = Instruction::written(&red, &[class; 2], &vec![class; operands.len()]);
        let rows = rows(operands, 100);
        // Exchanges have no `red`.
        let exchange = operation.starts_with("exch") || operation.starts_with("cas");
        for instruction in [Some(&atom), (!exchange).then_some(&red)]
            .into_iter()
            .flatten()
        {
            suite.judge(instruction, &rows, |row, results| {
                if results[0] != row[0] {
                    return Err("the old value was expected".to_owned());
                }
                accept(*space == ".shared", row, results[1])
            });
        }
    }
}

fn exactly(expected: u64, result: u64) -> Result<(), String> {
    match result == expected {
        true => Ok(()),
        false => Err(format!("{expected:#x} was expected in memory")),
    }
}

pub fn integers(suite: &mut Suite) {
    for (word, bits, signed) in [
        ("u32", 32, false),
        ("s32", 32, true),
        ("u64", 64, false),
        ("s64", 64, true),
    ] {
        let operands = [Operand::Integer(bits); 2];
        let mut check = |name: &str, f: fn(i128, i128) -> i128| {
            check(
                suite,
                &format!("{name}.{word}"),
                bits,
                &operands,
                |_, row, result| {
                    let [a, b] = [row[0], row[1]].map(|x| number(bits, signed, x));
                    exactly(wrap(bits, f(a, b)), result)
                },
            );
        };
        if word != "s64" {
            check("add", |a, b| a + b);
        }
        check("min", |a, b| a.min(b));
        check("max", |a, b| a.max(b));
        if word == "u32" {
            // "inc(r, s) = (r >= s) ? 0 : r+1; dec(r, s) = (r==0 || r > s) ? s : r-1"
            check("inc", |r, s| if r >= s { 0 } else { r + 1 });
            check("dec", |r, s| if r == 0 || r > s { s } else { r - 1 });
        }
    }
    for bits in [32, 64] {
        let operands = [Operand::Integer(bits); 2];
        let mut check = |name: &str, f: fn(u64, u64) -> u64| {
            check(
                suite,
                &format!("{name}.b{bits}"),
                bits,
                &operands,
                |_, row, result| exactly(f(row[0], row[1]), result),
            );
        };
        check("and", |a, b| a & b);
        check("or", |a, b| a | b);
        check("xor", |a, b| a ^ b);
    }
}

pub fn exchanges(suite: &mut Suite) {
    for bits in [16, 32, 64] {
        let operand = Operand::Integer(bits);
        if bits > 16 {
            check(
                suite,
                &format!("exch.b{bits}"),
                bits,
                &[operand; 2],
                |_, row, result| exactly(row[1], result),
            );
        }
        // The edges are few enough that the comparison often holds.
        check(
            suite,
            &format!("cas.b{bits}"),
            bits,
            &[operand; 3],
            |_, row, result| exactly(if row[0] == row[1] { row[2] } else { row[0] }, result),
        );
    }
}

/// "atom.add rounds to nearest even. Current implementation of atom.add.f32 on global memory flushes subnormal inputs and
/// results to sign-preserving zero; whereas atom.add.f32 on shared memory supports subnormal inputs and results";
/// `.noftz` keeps them in half precision.
pub fn floats(suite: &mut Suite) {
    let round = Round::NearestTiesToEven;
    for (word, format, operand) in [
        ("f32", Format::F32, crate::operations::values::F32),
        ("f64", Format::F64, crate::operations::values::F64),
        ("noftz.f16", Format::F16, crate::operations::values::F16),
        ("noftz.bf16", Format::BF16, crate::operations::values::BF16),
    ] {
        check(
            suite,
            &format!("add.{word}"),
            format.bits(),
            &[operand; 2],
            |shared, row, result| {
                let flush = |bits| match format == Format::F32 && !shared {
                    true => format.flush(bits),
                    false => bits,
                };
                let sum = format.compute(Basic::Add, round, &[flush(row[0]), flush(row[1])]);
                same(format, flush(sum), result)
            },
        );
    }
    for format in [Format::F16, Format::BF16] {
        let operands = [Operand::Pair(format.fraction()); 2];
        let operation = format!("add.noftz.{}x2", format.word());
        check(suite, &operation, 32, &operands, |_, row, result| {
            [0, 16].into_iter().try_for_each(|low| {
                let lane = |word: u64| word >> low & 0xFFFF;
                let sum = format.compute(Basic::Add, round, &[lane(row[0]), lane(row[1])]);
                same(format, sum, lane(result))
            })
        });
    }
}
