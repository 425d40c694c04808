//! The lowering of arithmetic against LLVM's own: numbers go through every operation, once as constants that LLVM folds, once
//! as parameters of a function whose SSA IR is evaluated. Both must store the same.

use inkwell::context::Context;
use proptest::prelude::RngCore;
use proptest::test_runner::{RngAlgorithm, TestRng};
use ptxasw::ir::function::{Function, ValueDef};
use ptxasw::ir::opcode::Opcode;
use ptxasw::ir::semantics::fold;
use ptxasw_llvm::view::View;
use ptxasw_llvm::{kernels, lower, read};
use rustc_hash::FxHashMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

const WIDTHS: [u32; 12] = [1, 2, 7, 8, 15, 16, 17, 24, 32, 33, 48, 64];
const OPERATIONS: [&str; 13] = [
    "add", "sub", "mul", "udiv", "sdiv", "urem", "srem", "shl", "lshr", "ashr", "and", "or", "xor",
];
const COMPARISONS: [&str; 10] = [
    "eq", "ne", "ugt", "uge", "ult", "ule", "sgt", "sge", "slt", "sle",
];
const INTRINSICS: [&str; 10] = [
    "smin",
    "smax",
    "umin",
    "umax",
    "ctpop",
    "bitreverse",
    "ctlz",
    "cttz",
    "fshl",
    "fshr",
];
/// Those that say whether they wrap.
const OVERFLOWS: [&str; 6] = ["sadd", "ssub", "smul", "uadd", "usub", "umul"];
/// Numbers for each operation and width.
const ROUNDS: usize = 12;

/// One function for each computation; each stores one number.
struct Functions {
    /// With constants.
    folded: String,
    /// With parameters.
    lowered: String,
    /// The values of the parameters.
    numbers: Vec<Vec<u64>>,
    declared: String,
    random: TestRng,
}

/// An operand: its name, bits and value.
type Operand = (&'static str, u32, u64);

impl Functions {
    /// A number: often one at a limit.
    fn number(&mut self, width: u32) -> u64 {
        let mask = u64::MAX >> (64 - width);
        let value = self.random.next_u64();
        let limits = [0, 1, mask, mask >> 1, (mask >> 1) + 1, mask - 1, 2, 31];
        match value & 3 {
            0 => limits[(value >> 8) as usize % limits.len()] & mask,
            1 => (value >> 8 & 0xff) & mask,
            _ => value >> 2 & mask,
        }
    }

    /// `%r` of so many bits, computed from the operands, is stored.
    fn add(&mut self, width: u32, operands: &[Operand], body: &str) {
        let number = self.numbers.len();
        let _ = writeln!(self.folded, "define void @f{number}(ptr %p) {{");
        let _ = write!(self.lowered, "define void @f{number}(ptr %p");
        for (name, bits, value) in operands {
            let _ = writeln!(self.folded, "  %{name} = or i{bits} {value}, 0");
            let _ = write!(self.lowered, ", i{bits} %{name}");
        }
        let _ = writeln!(self.lowered, ") {{");
        let end = match width {
            64 => "  store i64 %r, ptr %p\n  ret void\n}".to_owned(),
            _ => format!("  %w = zext i{width} %r to i64\n  store i64 %w, ptr %p\n  ret void\n}}"),
        };
        for text in [&mut self.folded, &mut self.lowered] {
            let _ = writeln!(text, "{body}\n{end}");
        }
        let values = operands.iter().map(|&(_, _, value)| value);
        self.numbers.push(values.collect());
    }
}

/// Everything that is lowered exactly, on numbers that leave nothing undefined.
fn functions() -> Functions {
    let mut all = Functions {
        folded: String::new(),
        lowered: String::new(),
        numbers: Vec::new(),
        declared: String::new(),
        random: TestRng::deterministic_rng(RngAlgorithm::ChaCha),
    };
    for width in WIDTHS {
        for operation in OPERATIONS {
            for _ in 0..ROUNDS {
                binary(&mut all, operation, width);
            }
        }
        for comparison in COMPARISONS {
            for _ in 0..ROUNDS {
                let (a, b) = (all.number(width), all.number(width));
                let operands = [("a", width, a), ("b", width, b)];
                all.add(
                    1,
                    &operands,
                    &format!("  %r = icmp {comparison} i{width} %a, %b"),
                );
            }
        }
        for other in WIDTHS {
            let a = all.number(width);
            let casts: &[&str] = match other.cmp(&width) {
                std::cmp::Ordering::Less => &["trunc"],
                std::cmp::Ordering::Equal => &[],
                std::cmp::Ordering::Greater => &["zext", "sext"],
            };
            for cast in casts {
                all.add(
                    other,
                    &[("a", width, a)],
                    &format!("  %r = {cast} i{width} %a to i{other}"),
                );
            }
        }
    }
    for width in [32, 64] {
        for name in INTRINSICS.iter().chain(&["uadd.sat", "usub.sat"]) {
            intrinsic(&mut all, name, width);
        }
        for name in OVERFLOWS {
            overflow(&mut all, name, width);
        }
    }
    vectors(&mut all);
    all
}

/// Not by zero, no overflowing quotient, no shift by too much.
fn binary(all: &mut Functions, operation: &str, width: u32) {
    let (mut a, mut b) = (all.number(width), all.number(width));
    let lowest = 1u64 << (width - 1);
    let ones = u64::MAX >> (64 - width);
    match operation {
        "shl" | "lshr" | "ashr" => b %= u64::from(width),
        "udiv" | "sdiv" | "urem" | "srem" => {
            b = b.max(1);
            // The lowest number by -1 does not fit.
            if operation.starts_with('s') && b == ones {
                a &= !lowest;
            }
        }
        _ => {}
    }
    let operands = [("a", width, a), ("b", width, b)];
    let body = format!("  %r = {operation} i{width} %a, %b");
    all.add(width, &operands, &body);
}

fn intrinsic(all: &mut Functions, name: &str, width: u32) {
    let ty = format!("i{width}");
    let operands = match name {
        "ctpop" | "bitreverse" => 1,
        "fshl" | "fshr" => 3,
        _ => 2,
    };
    let flag = matches!(name, "ctlz" | "cttz");
    let types: Vec<&str> = match flag {
        true => vec![&ty, "i1"],
        false => vec![&ty; operands],
    };
    let _ = writeln!(
        all.declared,
        "declare {ty} @llvm.{name}.{ty}({})",
        types.join(", ")
    );
    if name.starts_with("fsh") && width == 64 {
        return;
    }
    for _ in 0..ROUNDS {
        let mut operands: Vec<Operand> = Vec::new();
        let words: Vec<String> = types
            .iter()
            .zip(["a", "b", "c"])
            .map(|(one, name)| {
                if *one == "i1" {
                    return "i1 false".to_owned();
                }
                operands.push((name, width, all.number(width)));
                format!("{ty} %{name}")
            })
            .collect();
        let call = words.join(", ");
        let body = format!("  %r = call {ty} @llvm.{name}.{ty}({call})");
        all.add(width, &operands, &body);
    }
}

/// Both results of an operation that says whether it wraps.
fn overflow(all: &mut Functions, name: &str, width: u32) {
    let (ty, called) = (
        format!("i{width}"),
        format!("@llvm.{name}.with.overflow.i{width}"),
    );
    let _ = writeln!(all.declared, "declare {{ {ty}, i1 }} {called}({ty}, {ty})");
    for round in 0..2 * ROUNDS as u32 {
        let operands = [
            ("a", width, all.number(width)),
            ("b", width, all.number(width)),
        ];
        let (index, bits) = (round % 2, [width, 1][round as usize % 2]);
        let body = format!(
            "  %both = call {{ {ty}, i1 }} {called}({ty} %a, {ty} %b)\n  %r = extractvalue {{ {ty}, i1 }} %both, {index}"
        );
        all.add(bits, &operands, &body);
    }
}

/// What vectors are taken apart into and made of.
fn vectors(all: &mut Functions) {
    for _ in 0..ROUNDS {
        let (a, b, c) = (all.number(32), all.number(16), all.number(16));
        let operands = [("x", 32, a), ("y", 16, b), ("z", 16, c)];
        let bodies = [
            (
                32,
                "  %a = bitcast i32 %x to <2 x i16>\n  %i = insertelement <2 x i16> poison, i16 %y, i32 0\n  \
                 %j = insertelement <2 x i16> %i, i16 %z, i32 1\n  %b = add <2 x i16> %a, %j\n  \
                 %c = shufflevector <2 x i16> %b, <2 x i16> %a, <2 x i32> <i32 3, i32 0>\n  \
                 %r = bitcast <2 x i16> %c to i32",
            ),
            (
                16,
                "  %a = insertvalue { i32, [2 x i16] } poison, i16 %y, 1, 0\n  \
                 %b = insertvalue { i32, [2 x i16] } %a, i16 %z, 1, 1\n  \
                 %r = extractvalue { i32, [2 x i16] } %b, 1, 1",
            ),
            (
                16,
                "  %a = insertelement <4 x i16> zeroinitializer, i16 %y, i32 2\n  \
                 %r = extractelement <4 x i16> %a, i32 2",
            ),
            (
                16,
                "  %c = trunc i32 %x to i1\n  %r = select i1 %c, i16 %y, i16 %z",
            ),
        ];
        for (width, body) in bodies {
            all.add(width, &operands, body);
        }
    }
}

/// Of the version that this is built for.
const OPT: &str = concat!("opt-", env!("BUILT_FOR_LLVM"));

/// What each function stores, as LLVM's folding has it.
fn folded(text: &str) -> Option<Vec<Option<u64>>> {
    let child = Command::new(OPT)
        .args(["-S", "-passes=instsimplify,instcombine"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let Ok(mut child) = child else {
        assert!(std::env::var_os("CI").is_none(), "no {OPT}");
        eprintln!("skipped: no {OPT}");
        return None;
    };
    child
        .stdin
        .take()
        .unwrap()
        .write_all(text.as_bytes())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    let printed = String::from_utf8(output.stdout).unwrap();
    let stores = printed.lines().filter(|line| line.starts_with("  store "));
    let number = |line: &str| {
        let word = line.trim().strip_prefix("store i64 ")?.split(',').next()?;
        word.parse::<i64>().ok().map(|number| number as u64)
    };
    Some(stores.map(number).collect())
}

/// What a function of one block stores.
fn evaluated(function: &Function, numbers: &[u64]) -> Option<u64> {
    let mut values: FxHashMap<u32, u64> = FxHashMap::default();
    // The first is the pointer.
    let parameters = function
        .insts
        .iter()
        .filter(|inst| inst.origin == 0 && matches!(inst.opcode, Opcode::Opaque { .. }));
    for (inst, &number) in parameters.skip(1).zip(numbers) {
        values.insert(inst.results[0].0, number);
    }
    for inst in &function.insts {
        let value = |index: usize| {
            let value = inst.args[index];
            match function.value(value).def {
                ValueDef::Constant(bits) => Some(bits),
                _ => values.get(&value.0).copied(),
            }
        };
        match &inst.opcode {
            Opcode::Op(op) => {
                let args: Option<Vec<u64>> = (0..inst.args.len()).map(value).collect();
                let Some(args) = args else { continue };
                let results = fold(op, &args);
                values.extend(inst.results.iter().map(|one| one.0).zip(results));
            }
            Opcode::Store(_) => return value(1),
            _ => {}
        }
    }
    None
}

#[test]
fn arithmetic_is_llvms() {
    let all = functions();
    let Some(expected) = folded(&(all.folded + &all.declared)) else {
        return;
    };
    assert_eq!(expected.len(), all.numbers.len());
    let context = Context::create();
    let text = all.lowered + &all.declared;
    let module = read::read(&context, text.as_bytes(), "a.ll").unwrap();
    let view = View::new(&module);
    let entries = kernels::functions(view);
    assert_eq!(entries.len(), all.numbers.len());
    for ((entry, expected), numbers) in entries.iter().zip(expected).zip(&all.numbers) {
        let function = lower::lower(view, entry).function;
        let expected = expected.expect("LLVM folds all of it");
        let found = evaluated(&function, numbers);
        assert_eq!(
            found,
            Some(expected),
            "{numbers:?}\n{}\n{function}",
            entry.function.print()
        );
    }
}
