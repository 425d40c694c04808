//! Random expressions: what the pass makes of them gives the same bits.

use super::{count, rewritten};
use crate::launches::of_header;
use ptxasw::passes::saturate::SaturationOptions;
use ptxasw::verify::{self, Module, Verdict};
use std::fmt::Write as _;

/// Kernels of each kind, in a soak test and usually.
const KERNELS: [u64; 2] = [250, 80];
/// Statements that the pass takes from a kernel, at least, on average.
const LEAST_SAVED: i64 = 4;
/// Expressions of a kernel.
const EXPRESSIONS: usize = 100;

/// Numbers that look random (Marsaglia, "Xorshift RNGs", 2003).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }

    fn of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }
}

/// A kernel of one type of registers.
struct Kernel {
    random: Random,
    text: String,
    /// How many registers of the type are defined.
    defined: usize,
    predicates: usize,
}

impl Kernel {
    /// A register: mostly one of the last.
    fn operand(&mut self) -> String {
        let last = self.defined.min(6);
        let back = match self.random.below(3) {
            0 => self.random.below(self.defined),
            _ => self.random.below(last),
        };
        format!("%v{}", self.defined - 1 - back)
    }

    fn next(&mut self) -> String {
        self.defined += 1;
        format!("%v{}", self.defined - 1)
    }

    /// A 32-bit operation.
    fn integer(&mut self) {
        const NUMBERS: [&str; 8] = ["0", "1", "2", "4", "5", "-1", "8", "1073741824"];
        let (a, b, c) = (self.operand(), self.operand(), self.operand());
        let number = *self.random.of(&NUMBERS);
        let shift = self.random.below(34);
        let second = if self.random.below(3) == 0 {
            number
        } else {
            &b
        };
        let kind = self.random.below(14);
        let to = self.next();
        let line = match kind {
            0..=2 => format!("add.s32 {to}, {a}, {second}"),
            3 => format!("sub.s32 {to}, {a}, {second}"),
            4 | 5 => format!("mul.lo.s32 {to}, {a}, {second}"),
            6 => format!("mad.lo.s32 {to}, {a}, {second}, {c}"),
            7 => format!("shl.b32 {to}, {a}, {shift}"),
            8 => format!(
                "{}.b32 {to}, {a}, {second}",
                self.random.of(&["and", "or", "xor"])
            ),
            9 => format!("{} {to}, {a}", self.random.of(&["neg.s32", "not.b32"])),
            10 => format!(
                "{}.{} {to}, {a}, {second}",
                self.random.of(&["min", "max"]),
                self.random.of(&["s32", "u32"])
            ),
            11 => {
                let p = self.predicates;
                self.predicates += 1;
                let _ = writeln!(self.text, "	setp.lt.s32 %p{p}, {a}, {second};");
                format!("selp.b32 {to}, {b}, {c}, %p{p}")
            }
            12 => {
                let sign = self.random.of(&["s32", "u32"]);
                let _ = writeln!(self.text, "	mul.wide.{sign} %w1, {a}, {second};");
                let _ = writeln!(self.text, "	cvt.s64.{sign} %w2, {c};");
                let _ = writeln!(self.text, "	add.s64 %w3, %w1, %w2;");
                let _ = writeln!(self.text, "	shl.b64 %w4, %w2, {shift};");
                let _ = writeln!(self.text, "	xor.b64 %w5, %w3, %w4;");
                let _ = writeln!(self.text, "	shr.u64 %w6, %w5, 7;");
                format!("cvt.u32.u64 {to}, %w6")
            }
            _ => {
                let _ = writeln!(self.text, "	setp.ne.s32 %p0, {a}, {second};");
                let _ = writeln!(self.text, "	mov.b32 {to}, {b};");
                format!("@%p0 add.s32 {to}, {a}, {c}")
            }
        };
        let _ = writeln!(self.text, "	{line};");
    }

    /// An operation of single precision.
    fn float(&mut self) {
        let (a, b, c) = (self.operand(), self.operand(), self.operand());
        let number = *self
            .random
            .of(&["0f00000000", "0f3F800000", "0f40000000", "0f3DCCCCCD"]);
        let second = if self.random.below(4) == 0 {
            number
        } else {
            &b
        };
        let rounding = *self.random.of(&["", ".rn", ".rz"]);
        let ftz = *self.random.of(&["", "", ".ftz"]);
        let kind = self.random.below(8);
        let to = self.next();
        let line = match kind {
            0..=2 => format!("add{rounding}{ftz}.f32 {to}, {a}, {second}"),
            3 => format!("sub{rounding}{ftz}.f32 {to}, {a}, {second}"),
            4 | 5 => format!("mul{rounding}{ftz}.f32 {to}, {a}, {second}"),
            6 => format!("fma.rn{ftz}.f32 {to}, {a}, {second}, {c}"),
            _ => format!("neg{ftz}.f32 {to}, {a}"),
        };
        let _ = writeln!(self.text, "	{line};");
    }
}

/// A kernel with random expressions, each of which is stored.
fn kernel(seed: u64, float: bool) -> String {
    let mut kernel = Kernel {
        random: Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1),
        text: String::new(),
        defined: 4,
        predicates: 1,
    };
    let mut stores = String::new();
    for number in 0..EXPRESSIONS {
        for _ in 0..2 + kernel.random.below(3) {
            match float {
                true => kernel.float(),
                false => kernel.integer(),
            }
        }
        let (last, offset) = (kernel.defined - 1, number * 128);
        let _ = writeln!(stores, "	st.global.b32 [%rd5+{offset}], %v{last};");
    }
    let register = if float { "f32" } else { "b32" };
    let loads: String = (0..4)
        .map(|at| format!("	ld.global.b32 %v{at}, [%rd4+{}];\n", at * 128))
        .collect();
    let (registers, predicates) = (kernel.defined, kernel.predicates);
    format!(
        ".version 8.0\n.target sm_80\n.address_size 64\n\n.visible .entry k(.param .u64 out, .param .u64 in)\n{{\n	\
         .reg .pred %p<{predicates}>;\n	.reg .b32 %r<4>;\n	.reg .b64 %rd<8>, %w<8>;\n	.reg .{register} %v<{registers}>;\n	\
         ld.param.u64 %rd1, [out];\n	ld.param.u64 %rd2, [in];\n	mov.u32 %r1, %tid.x;\n	mul.wide.u32 %rd3, %r1, 4;\n	\
         add.s64 %rd4, %rd2, %rd3;\n	add.s64 %rd5, %rd1, %rd3;\n{loads}{}{stores}	ret;\n}}\n",
        kernel.text
    )
}

/// Operations of a text, without moves: those between registers of the pass cost nothing.
fn operations(text: &str) -> i64 {
    const WORDS: [&str; 15] = [
        "add", "sub", "mul", "mad", "fma", "neg", "shl", "and", "or", "xor", "not", "min", "max",
        "selp", "cvt",
    ];
    WORDS.map(|word| count(text, word) as i64).iter().sum()
}

/// The pass takes statements from kernels whose results stay.
fn results_stay(float: bool) {
    let soak = crate::soak();
    let kernels = KERNELS[usize::from(!soak)];
    let mut saved = 0;
    for seed in 1..=kernels {
        let text = kernel(seed, float);
        let options = SaturationOptions {
            exact: true,
            nodes: 3000,
            iterations: 4,
            ..SaturationOptions::default()
        };
        let new = rewritten(&text, options);
        let before = Module::read(text.as_bytes()).expect("the original");
        let after = Module::read(new.as_bytes()).expect("the rewritten module");
        let words = 32 * EXPRESSIONS;
        let ty = if float { "f32" } else { "u32" };
        let header = format!("// launch: k grid=1 block=32 args={ty}[{words}],{ty}[128]\n");
        let how = verify::Options {
            launches: of_header(&(header + &text)),
            jobs: 1,
            ..verify::Options::default()
        };
        let reports = verify::verify(&before, &after, &how).expect("the kernel");
        let equal = |verdict: &Verdict| matches!(verdict, Verdict::Equal);
        assert!(
            !reports.is_empty() && reports.iter().all(|report| equal(&report.verdict)),
            "seed {seed}: {reports:?}"
        );
        saved += operations(&text) - operations(&new);
    }
    assert!(saved > LEAST_SAVED * kernels as i64, "{saved}");
}

#[test]
fn integers_stay() {
    results_stay(false);
}

#[test]
fn floats_stay() {
    results_stay(true);
}
