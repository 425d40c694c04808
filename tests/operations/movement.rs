//! Moves, packing, address spaces, immediates (PTX ISA, "Data Movement and Conversion Instructions", "Constants").

use crate::operations::harness::{Instruction, Reg, Suite, buffer, contents};
use crate::operations::values::{Operand, cut, number, rows, wrap};
use ptxasw::executor::{Launch, Schedule};
use ptxasw::ir::op::Op;

pub fn moves(suite: &mut Suite) {
    for (kinds, bits) in [("bus", 16), ("busf", 32), ("busf", 64)] {
        let class = Reg::of(bits);
        for kind in kinds.chars() {
            let instruction = Instruction::new(&format!("mov.{kind}{bits}"), &[class], &[class]);
            suite.check(&instruction, &rows(&[Operand::Integer(bits)], 50), |row| {
                [row[0]]
            });
        }
    }
    let pred = Instruction::new("mov.pred", &[Reg::P], &[Reg::P]);
    suite.check(&pred, &[vec![0], vec![1]], |row| [row[0]]);
    vectors(suite);
    halves(suite);
}

/// `mov.b128`: the first half is the lower one.
fn halves(suite: &mut Suite) {
    let text = "{ .reg .b128 %q<2>; mov.b128 %q0, {%a0, %a1}; mov.b128 %q1, %q0; mov.b128 {%d0, %d1}, %q1; }";
    let both = Instruction::written(text, &[Reg::D, Reg::D], &[Reg::D, Reg::D]);
    let rows = rows(&[Operand::Integer(64), Operand::Integer(64)], 50);
    suite.judge(&both, &rows, |row, results| match results == row {
        true => Ok(()),
        false => Err(format!("{row:x?}")),
    });
}

/// `mov.b64 d, {a, b}` and back: the first element is the lowest.
fn vectors(suite: &mut Suite) {
    for (bits, parts) in [(32, 2), (64, 2), (64, 4)] {
        let part = bits / parts;
        let (whole, element) = (Reg::of(bits), Reg::of(part));
        let list = |letter: char| {
            let names: Vec<String> = (0..parts).map(|i| format!("%{letter}{i}")).collect();
            names.join(", ")
        };
        let elements = vec![element; parts as usize];
        let pack = format!("mov.b{bits} %d0, {{{}}};", list('a'));
        let pack = Instruction::written(&pack, &[whole], &elements);
        let operands = vec![Operand::Integer(part); parts as usize];
        suite.check(&pack, &rows(&operands, 200), |row| {
            [row.iter().rev().fold(0, |sum, &a| sum << part | a)]
        });
        let unpack = format!("mov.b{bits} {{{}}}, %a0;", list('d'));
        let unpack = Instruction::written(&unpack, &elements, &[whole]);
        suite.judge(
            &unpack,
            &rows(&[Operand::Integer(bits)], 200),
            |row, results| {
                let expected: Vec<u64> = (0..parts)
                    .map(|i| cut(part, row[0] >> (i * part)))
                    .collect();
                match results == expected {
                    true => Ok(()),
                    false => Err(format!("{expected:x?}")),
                }
            },
        );
    }
    let upper = Instruction::written("mov.b64 {_, %d0}, %a0;", &[Reg::R], &[Reg::D]);
    suite.check(&upper, &rows(&[Operand::Integer(64)], 50), |row| {
        [row[0] >> 32]
    });
}

/// `Op::Extend` is in no text: it is what lowering makes of registers wider than their instructions.
pub fn extensions(suite: &mut Suite) {
    for value in rows(&[Operand::Integer(64)], 300) {
        for (from, to) in [1u8, 8, 16, 24, 32, 48, 64]
            .into_iter()
            .flat_map(|from| [1u8, 8, 16, 32, 64].map(|to| (from, to)))
        {
            for signed in [false, true] {
                let (wide, narrow) = (u32::from(to), u32::from(from));
                let operand = cut(narrow, value[0]);
                let expected = wrap(wide, number(narrow, signed, operand));
                let found = suite.folded(Op::Extend { from, to, signed }, &[operand]);
                assert_eq!(found, [expected], "{from} to {to} bits, {operand:#x}");
            }
        }
    }
}

/// Where pointers of each space point, asked of generic and converted addresses.
pub fn spaces(suite: &mut Suite) {
    let text = ".const .align 8 .b64 constant;
.visible .entry k(.param .u64 out)
{
.reg .b64 %out, %own, %generic, %back, %spare;
.reg .b32 %result, %bit;
.reg .pred %p;
.shared .align 8 .b8 tile[64];
.local .align 8 .b8 depot[64];
ld.param.u64 %out, [out];
";
    // A pointer, the conversion of it, and the spaces that it is in: global, shared, local, const, in this order.
    let cases = [
        ("mov.u64 %own, %out;", "global", 0b0001),
        ("mov.u64 %own, tile;", "shared", 0b0010),
        ("mov.u64 %own, depot;", "local", 0b0100),
        ("mov.u64 %own, constant;", "const", 0b1000),
    ];
    let mut body = text.to_owned();
    let mut expected = Vec::new();
    for (at, (pointer, space, found)) in cases.into_iter().enumerate() {
        body += &format!("{pointer}\ncvta.{space}.u64 %generic, %own;\nmov.u32 %result, 0;\n");
        for (bit, asked) in ["global", "shared", "local", "const"].iter().enumerate() {
            body += &format!(
                "isspacep.{asked} %p, %generic;\nselp.u32 %bit, {}, 0, %p;\nor.b32 %result, %result, %bit;\n",
                1 << bit
            );
        }
        // There and back, and what is stored through one address is loaded through the other.
        body += &format!("cvta.to.{space}.u64 %back, %generic;\nxor.b64 %spare, %back, %own;\n");
        body += &format!(
            "st.global.u32 [%out+{}], %result;\nst.global.u64 [%out+{}], %spare;\n",
            32 * at,
            32 * at + 8
        );
        if matches!(space, "shared" | "local") {
            body += &format!(
                "mov.u64 %spare, {};\nst.u64 [%generic+16], %spare;\nld.{space}.u64 %spare, [%own+16];\n",
                at + 70
            );
            body += &format!("st.global.u64 [%out+{}], %spare;\n", 32 * at + 16);
            expected.extend([found, 0, at as u64 + 70, 0]);
        } else {
            expected.extend([found, 0, 0, 0]);
        }
    }
    body += "}\n";
    let launch = Launch::new([1; 3], [1; 3]).with_buffer(buffer(&[0; 16]));
    let outcome = suite.kernel(&body, &launch, Schedule::Lockstep);
    let outcome = outcome.unwrap_or_else(|e| panic!("{e}"));
    // Constant memory has no window of its own in the generic addresses of this machine.
    let found = contents(&outcome, 0);
    assert_eq!(found[..12], expected[..12]);
    assert_eq!(found[13], 0);
    for space in ["global", "shared", "local"] {
        let there = Instruction::written(
            &format!("cvta.{space}.u64 %d0, %a0;\ncvta.to.{space}.u64 %d0, %d0;"),
            &[Reg::D],
            &[Reg::D],
        );
        suite.check(&there, &[vec![0], vec![0x1234], vec![1 << 20]], |row| {
            [row[0]]
        });
    }
}

/// Literals of integers (decimal, octal, hexadecimal, binary, negative, unsigned) and floats (decimal, by their bits).
pub fn immediates(suite: &mut Suite) {
    let mut literal = |opcode: &str, class: Reg, text: &str, expected: u64| {
        let text = format!("{opcode} %d0, {text};");
        let instruction = Instruction::written(&text, &[class], &[Reg::R]);
        suite.check(&instruction, &[vec![0]], |_| [expected]);
    };
    for (text, value) in [
        ("10", 10),
        ("-10", 10u64.wrapping_neg()),
        ("0x1F", 31),
        ("017", 15),
        ("0b101", 5),
        ("12U", 12),
        ("0xFFFFFFFFU", 0xFFFF_FFFF),
        ("-0x8000", 0x8000u64.wrapping_neg()),
        ("(3+4)*5", 35),
        ("1<<12|3", 0x1003),
        ("~0", u64::MAX),
    ] {
        literal("mov.u16", Reg::H, text, cut(16, value));
        literal("mov.s32", Reg::R, text, cut(32, value));
        literal("mov.b64", Reg::D, text, value);
    }
    for (text, value) in [
        ("0f3F800000", 1.0),
        ("0d3FF8000000000000", 1.5),
        ("2.5", 2.5),
        ("-0.125", -0.125),
        ("1e3", 1000.0),
    ] {
        literal("mov.f32", Reg::R, text, u64::from((value as f32).to_bits()));
        literal("mov.f64", Reg::D, text, f64::to_bits(value));
    }
    // As operands of arithmetic.
    let add = Instruction::written("add.f32 %d0, %a0, 0f40000000;", &[Reg::R], &[Reg::R]);
    suite.check(&add, &rows(&[Operand::Integer(10)], 20), |row| {
        [u64::from((f32::from_bits(row[0] as u32) + 2.0).to_bits())]
    });
    let subtract = Instruction::written("sub.s64 %d0, -7, %a0;", &[Reg::D], &[Reg::D]);
    suite.check(&subtract, &rows(&[Operand::Integer(64)], 20), |row| {
        [(-7i64 as u64).wrapping_sub(row[0])]
    });
    let bits = Instruction::written("and.b32 %d0, %a0, -16;", &[Reg::R], &[Reg::R]);
    suite.check(&bits, &rows(&[Operand::Integer(32)], 20), |row| {
        [row[0] & 0xFFFF_FFF0]
    });
    let shift = Instruction::written("shl.b64 %d0, %a0, 3;", &[Reg::D], &[Reg::D]);
    suite.check(&shift, &rows(&[Operand::Integer(64)], 20), |row| {
        [row[0] << 3]
    });
}
