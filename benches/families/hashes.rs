//! Unrolled hashes: each round turns a word by rotations, exclusive ors and choices, and may look something up at an index
//! that all rounds before it have made.

use super::module;
use std::fmt::Write;

/// What a round does with its index `%r9`, which has 12 bits.
#[derive(Clone, Copy)]
enum Use {
    /// It goes into a sum in a register.
    Value,
    /// A table in global memory is read there.
    Load,
    /// The next round begins with what is read there.
    Feedback,
    /// One array is written there, and another one read at an index that does not depend on the hash.
    Scatter,
    /// A table in shared or in local memory is written and read there.
    Table(&'static str),
}

impl Use {
    fn write(self, number: usize, body: &mut String) {
        let (rd, next, f) = (2 * number + 20, 2 * number + 21, number + 10);
        let at = |pointer: &str| {
            format!("\tmul.wide.u32 \t%rd{rd}, %r9, 4;\n\tadd.s64 \t%rd{rd}, {pointer}, %rd{rd};\n")
        };
        let _ = match self {
            Use::Value => writeln!(body, "\txor.b32 \t%r15, %r15, %r9;"),
            Use::Load => write!(
                body,
                "{}\tld.global.f32 \t%f{f}, [%rd{rd}];\n\tadd.f32 \t%f1, %f1, %f{f};\n",
                at("%rd1")
            ),
            Use::Feedback => write!(
                body,
                "{}\tld.global.u32 \t%r14, [%rd{rd}];\n\txor.b32 \t%r6, %r6, %r14;\n",
                at("%rd1")
            ),
            Use::Scatter => write!(
                body,
                "{}\tst.global.u32 \t[%rd{rd}], %r6;\n\tld.global.f32 \t%f{f}, [%rd8+{}];\n\tadd.f32 \t%f1, %f1, %f{f};\n",
                at("%rd2"),
                4 * (number % 8)
            ),
            Use::Table(space) => write!(
                body,
                "{}\tst.{space}.u32 \t[%rd{rd}], %r7;\n\tand.b32 \t%r13, %r8, 1023;\n\tmul.wide.u32 \t%rd{next}, %r13, 4;\n\
                 \tadd.s64 \t%rd{next}, %rd12, %rd{next};\n\tld.{space}.u32 \t%r14, [%rd{next}];\n\txor.b32 \t%r15, %r15, %r14;\n",
                at("%rd12")
            ),
        };
    }
}

/// `r = rotate(x, k); y = x ^ (r + c); x = (y & bit ? y : r) ^ r ^ y`, and an index of `x`.
fn round(number: usize, used: Use, body: &mut String) {
    let _ = write!(
        body,
        "\tshf.l.wrap.b32 \t%r7, %r6, %r6, {};\n\tadd.s32 \t%r8, %r7, {};\n\txor.b32 \t%r8, %r6, %r8;\n\
         \tand.b32 \t%r16, %r8, {};\n\tsetp.ne.s32 \t%q0, %r16, 0;\n\tselp.b32 \t%r6, %r8, %r7, %q0;\n\
         \tlop3.b32 \t%r6, %r6, %r7, %r8, 0x96;\n\tshr.u32 \t%r9, %r6, 20;\n",
        1 + number % 31,
        0x9e37_79b9usize.wrapping_mul(number + 1) & 0x7fff_ffff,
        1u32 << (number % 31),
    );
    used.write(number, body);
}

/// So many rounds of the words in `%r6`; `%r15` has what was looked up.
fn rounds(count: usize, used: Use) -> String {
    let mut body = String::new();
    for number in 0..count {
        round(number, used, &mut body);
    }
    body
}

/// A module of a kernel that begins with the thread's index and stores what the rounds left.
fn hash(rounds: &str, table: &str) -> String {
    let begin = match table {
        "" => String::new(),
        _ => format!("{table}\tmov.u64 \t%rd12, table;\n"),
    };
    module(&format!(
        "{begin}\tmov.u32 \t%r6, %r1;\n\tmov.u32 \t%r15, 0;\n{rounds}\tst.global.u32 \t[%rd9], %r6;\n\tst.global.u32 \t[%rd9+4], %r15;\n"
    ))
}

/// All in registers.
pub fn values(count: usize) -> String {
    hash(&rounds(count, Use::Value), "")
}

/// A look-up in each round.
pub fn look_ups(count: usize) -> String {
    hash(&rounds(count, Use::Load), "")
}

/// A look-up in each round, which the next one begins with.
pub fn feedback(count: usize) -> String {
    hash(&rounds(count, Use::Feedback), "")
}

/// A store in each round, and a load of something else.
pub fn scatter(count: usize) -> String {
    hash(&rounds(count, Use::Scatter), "")
}

const SHARED: &str = "\t.shared .align 16 .b8 table[16384];\n";
const LOCAL: &str = "\t.local .align 16 .b8 table[16384];\n";

/// A table in shared memory that each round writes and reads.
pub fn shared(count: usize) -> String {
    hash(&rounds(count, Use::Table("shared")), SHARED)
}

/// A table in local memory that each round writes and reads.
pub fn local(count: usize) -> String {
    hash(&rounds(count, Use::Table("local")), LOCAL)
}

/// The rounds in a loop, `n` times.
fn looped(count: usize, used: Use, table: &str) -> String {
    let rounds = rounds(count, used);
    let rounds = format!(
        "\tmov.u32 \t%r17, 0;\n$L__hash:\n{rounds}\tadd.s32 \t%r17, %r17, 1;\n\tsetp.lt.s32 \t%q1, %r17, %r2;\n\t@%q1 bra \t$L__hash;\n"
    );
    hash(&rounds, table)
}

/// A store in each round and a load of something else, in a loop.
pub fn scatter_in_loop(count: usize) -> String {
    looped(count, Use::Scatter, "")
}

/// A table in shared memory that each round of a loop writes and reads.
pub fn shared_in_loop(count: usize) -> String {
    looped(count, Use::Table("shared"), SHARED)
}

/// Words of 32 candidates each, bit by bit: `a = a + (rotate(a, k) ^ b)` by full adders, then a choice between them by one of their bits.
pub fn sliced(count: usize) -> String {
    let mut body = String::new();
    for bit in 0..32 {
        let _ = write!(
            body,
            "\tld.global.nc.u32 \t%r{}, [%rd8+{}];\n\tld.global.nc.u32 \t%r{}, [%rd8+{}];\n",
            20 + bit,
            4 * bit,
            60 + bit,
            4 * bit + 128
        );
    }
    for number in 0..count {
        body.push_str("\tmov.u32 \t%r10, 0;\n");
        for bit in 0..32 {
            let (a, b, from) = (20 + bit, 60 + bit, 20 + (bit + 1 + number % 31) % 32);
            let _ = write!(
                body,
                "\txor.b32 \t%r11, %r{from}, %r{b};\n\tlop3.b32 \t%r12, %r{a}, %r11, %r10, 0x96;\n\
                 \tlop3.b32 \t%r10, %r{a}, %r11, %r10, 0xe8;\n\tsetp.lt.s32 \t%q0, %r11, 0;\n\
                 \tmov.u32 \t%r{b}, %r{a};\n\tselp.b32 \t%r{a}, %r12, %r11, %q0;\n"
            );
        }
        let (a, rd, f) = (20 + number % 32, number + 20, number + 10);
        let _ = write!(
            body,
            "\tshr.u32 \t%r13, %r{a}, 24;\n\tmul.wide.u32 \t%rd{rd}, %r13, 4;\n\tadd.s64 \t%rd{rd}, %rd1, %rd{rd};\n\
             \tld.global.f32 \t%f{f}, [%rd{rd}];\n\tadd.f32 \t%f1, %f1, %f{f};\n"
        );
    }
    for bit in 0..32 {
        let _ = writeln!(
            body,
            "\tst.global.u32 \t[%rd9+{}], %r{};",
            4 * bit,
            20 + bit
        );
    }
    module(&body)
}
