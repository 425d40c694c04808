//! Kernels of any size, each shape large in one respect.

use std::fmt::Write;

/// A shape, and the sizes at which it is measured.
pub struct Shape {
    /// For the table.
    pub name: &'static str,
    /// What its size counts.
    pub unit: &'static str,
    /// Sizes, each about four times the one before.
    pub sizes: [usize; 3],
    /// Makes the module.
    pub make: fn(usize) -> String,
}

/// All shapes.
pub const SHAPES: [Shape; 8] = [
    Shape {
        name: "stencil in one block",
        unit: "instructions",
        sizes: [6_000, 25_000, 100_000],
        make: stencil,
    },
    Shape {
        name: "loads that may be stored to",
        unit: "loads",
        sizes: [300, 1_200, 5_000],
        make: loads,
    },
    Shape {
        name: "loads and stores in turn",
        unit: "stores",
        sizes: [200, 800, 3_000],
        make: stores,
    },
    Shape {
        name: "guards, each behind the last",
        unit: "blocks",
        sizes: [125, 500, 2_000],
        make: guards,
    },
    Shape {
        name: "`if`s that join",
        unit: "blocks",
        sizes: [250, 1_000, 4_000],
        make: ifs,
    },
    Shape {
        name: "loops in a row",
        unit: "loops",
        sizes: [125, 500, 2_000],
        make: loops,
    },
    Shape {
        name: "loops in each other",
        unit: "loops",
        sizes: [15, 60, 250],
        make: nest,
    },
    Shape {
        name: "index that is a long sum",
        unit: "summands",
        sizes: [600, 2_500, 10_000],
        make: sums,
    },
];

/// A kernel around `body`: `%rd1` to `%rd3` are global pointers, `%r1` is the thread's index, `%r2` the width `n`.
fn kernel(name: &str, body: &str) -> String {
    let count = 2 * body.lines().count() + 64;
    format!(
        ".visible .entry {name}(\n\t.param .u64 {name}_param_0,\n\t.param .u64 {name}_param_1,\n\t.param .u64 {name}_param_2,\n\
         \t.param .u32 {name}_param_3\n)\n{{\n\t.reg .pred \t%p<3>;\n\t.reg .pred \t%q<{count}>;\n\t.reg .f32 \t%f<{count}>;\n\t.reg .b32 \t%r<{count}>;\n\
         \t.reg .b64 \t%rd<{count}>;\n\n\tld.param.u64 \t%rd4, [{name}_param_0];\n\tld.param.u64 \t%rd5, [{name}_param_1];\n\
         \tld.param.u64 \t%rd6, [{name}_param_2];\n\tld.param.u32 \t%r2, [{name}_param_3];\n\tcvta.to.global.u64 \t%rd1, %rd4;\n\
         \tcvta.to.global.u64 \t%rd2, %rd5;\n\tcvta.to.global.u64 \t%rd3, %rd6;\n\tmov.u32 \t%r3, %ctaid.x;\n\tmov.u32 \t%r4, %ntid.x;\n\
         \tmov.u32 \t%r5, %tid.x;\n\tmad.lo.s32 \t%r1, %r3, %r4, %r5;\n\tsetp.ge.s32 \t%p1, %r1, %r2;\n\t@%p1 bra \t$L__end;\n\n\
         \tmul.wide.s32 \t%rd7, %r1, 4;\n\tadd.s64 \t%rd8, %rd1, %rd7;\n\tadd.s64 \t%rd9, %rd2, %rd7;\n\tmov.f32 \t%f1, 0f00000000;\n\
         {body}\tadd.s64 \t%rd10, %rd3, %rd7;\n\tst.global.f32 \t[%rd10], %f1;\n\n$L__end:\n\tret;\n}}\n"
    )
}

/// The lines in front of the first kernel.
pub const HEADER: &str = ".version 8.5\n.target sm_80\n.address_size 64\n\n";

fn module(body: &str) -> String {
    HEADER.to_owned() + &kernel("k", body)
}

/// Rows of five loads, each with its address and a sum: eight instructions a row.
fn stencil(instructions: usize) -> String {
    let mut body = String::new();
    for row in 0..instructions / 13 {
        let (r, rd, f) = (row + 10, row + 20, 5 * row + 10);
        let _ = write!(
            body,
            "\tmad.lo.s32 \t%r{r}, %r2, {row}, %r1;\n\tmul.wide.s32 \t%rd{rd}, %r{r}, 4;\n\tadd.s64 \t%rd{rd}, %rd1, %rd{rd};\n"
        );
        for column in 0..5 {
            let offset = 4 * column as i32 - 8;
            let f = f + column;
            let _ = write!(
                body,
                "\tld.global.nc.f32 \t%f{f}, [%rd{rd}+{offset}];\n\tfma.rn.f32 \t%f1, %f{f}, 0f3F000000, %f1;\n"
            );
        }
    }
    module(&body)
}

/// One block of loads without `.nc`; each third reads what the one before it brought to the neighbour.
fn loads(count: usize) -> String {
    let mut body = String::new();
    for load in 0..count {
        let offset = 4 * (load % 3) + 400 * (load / 3);
        let _ = write!(
            body,
            "\tld.global.f32 \t%f{0}, [%rd8+{offset}];\n\tadd.f32 \t%f1, %f1, %f{0};\n",
            load + 10
        );
    }
    module(&body)
}

/// Pairs of loads with a store between that touches other bytes of the same array.
fn stores(count: usize) -> String {
    let mut body = String::new();
    for store in 0..count {
        let (a, b, offset) = (2 * store + 10, 2 * store + 11, 400 * store);
        let (next, beside) = (offset + 4, offset + 200);
        let _ = write!(
            body,
            "\tld.global.f32 \t%f{a}, [%rd9+{offset}];\n\tst.global.f32 \t[%rd9+{beside}], %f{a};\n\
             \tld.global.f32 \t%f{b}, [%rd9+{next}];\n\tadd.f32 \t%f1, %f1, %f{b};\n"
        );
    }
    module(&body)
}

/// `if (i + k >= n) return;` in front of a pair of loads, again and again.
fn guards(count: usize) -> String {
    let mut body = String::new();
    for guard in 0..count {
        let (r, f, offset) = (guard + 10, 2 * guard + 10, 400 * guard);
        let (g, next) = (f + 1, offset + 4);
        let _ = write!(
            body,
            "\tadd.s32 \t%r{r}, %r1, {guard};\n\tsetp.ge.s32 \t%q{guard}, %r{r}, %r2;\n\t@%q{guard} bra \t$L__end;\n\
             \tld.global.f32 \t%f{f}, [%rd8+{offset}];\n\tld.global.f32 \t%f{g}, [%rd8+{next}];\n\
             \tfma.rn.f32 \t%f1, %f{f}, %f{g}, %f1;\n"
        );
    }
    module(&body)
}

/// `if (i < k) x += a[i + k] + a[i + k + 1]`: two blocks each.
fn ifs(count: usize) -> String {
    let mut body = String::new();
    for branch in 0..count / 2 {
        let (f, offset) = (2 * branch + 10, 400 * branch);
        let (g, next) = (f + 1, offset + 4);
        let _ = write!(
            body,
            "\tsetp.ge.s32 \t%q{branch}, %r1, {branch};\n\t@%q{branch} bra \t$L__join{branch};\n\
             \tld.global.f32 \t%f{f}, [%rd8+{offset}];\n\tld.global.f32 \t%f{g}, [%rd8+{next}];\n\
             \tfma.rn.f32 \t%f1, %f{f}, %f{g}, %f1;\n$L__join{branch}:\n"
        );
    }
    module(&body)
}

/// `for (k = 0; k < n; k++) x += a[i + k] + a[i + k + 1]`, again and again.
fn loops(count: usize) -> String {
    let mut body = String::new();
    for number in 0..count {
        let (counter, pointer, f) = (number + 10, number + 20, 2 * number + 10);
        let g = f + 1;
        let _ = write!(
            body,
            "\tmov.u32 \t%r{counter}, 0;\n\tmov.u64 \t%rd{pointer}, %rd8;\n$L__loop{number}:\n\
             \tld.global.nc.f32 \t%f{f}, [%rd{pointer}];\n\tld.global.nc.f32 \t%f{g}, [%rd{pointer}+4];\n\
             \tfma.rn.f32 \t%f1, %f{f}, %f{g}, %f1;\n\tadd.s64 \t%rd{pointer}, %rd{pointer}, 400;\n\
             \tadd.s32 \t%r{counter}, %r{counter}, 1;\n\tsetp.lt.s32 \t%q{number}, %r{counter}, %r2;\n\
             \t@%q{number} bra \t$L__loop{number};\n"
        );
    }
    module(&body)
}

/// `for (k0...) for (k1...) ... x += a[i + k0 + k1 ...] + ...`.
fn nest(depth: usize) -> String {
    let mut body = String::from("\tmov.u64 \t%rd20, %rd8;\n");
    for level in 0..depth {
        let counter = level + 10;
        let _ = write!(body, "\tmov.u32 \t%r{counter}, 0;\n$L__loop{level}:\n");
    }
    body.push_str(
        "\tld.global.nc.f32 \t%f10, [%rd20];\n\tld.global.nc.f32 \t%f11, [%rd20+4];\n\tfma.rn.f32 \t%f1, %f10, %f11, %f1;\n",
    );
    for level in (0..depth).rev() {
        let counter = level + 10;
        let _ = write!(
            body,
            "\tadd.s64 \t%rd20, %rd20, 4;\n\tadd.s32 \t%r{counter}, %r{counter}, 1;\n\
             \tsetp.lt.s32 \t%q{level}, %r{counter}, %r2;\n\t@%q{level} bra \t$L__loop{level};\n"
        );
    }
    module(&body)
}

/// An index that adds up values of unknown origin, with a load at each partial sum.
fn sums(count: usize) -> String {
    let mut body = String::from("\tmov.u32 \t%r6, %r1;\n");
    for summand in 0..count {
        let (r, rd, f) = (summand + 10, summand + 20, summand + 10);
        let _ = write!(
            body,
            "\tld.global.nc.u32 \t%r{r}, [%rd9+{}];\n\tadd.s32 \t%r6, %r6, %r{r};\n\tmul.wide.s32 \t%rd{rd}, %r6, 4;\n\
             \tadd.s64 \t%rd{rd}, %rd1, %rd{rd};\n\tld.global.nc.f32 \t%f{f}, [%rd{rd}];\n\tadd.f32 \t%f1, %f1, %f{f};\n",
            400 * summand
        );
    }
    module(&body)
}

/// A module of small kernels, one after the other.
pub fn many_kernels(bytes: usize) -> String {
    let mut text = String::with_capacity(bytes + 4096);
    text.push_str(HEADER);
    let mut body = String::new();
    for tap in 0..5 {
        let _ = write!(
            body,
            "\tld.global.nc.f32 \t%f{0}, [%rd8+{1}];\n\tadd.f32 \t%f1, %f1, %f{0};\n",
            tap + 10,
            4 * tap
        );
    }
    let mut number = 0;
    while text.len() < bytes {
        text.push_str(&kernel(&format!("k{number}"), &body));
        number += 1;
    }
    text
}
