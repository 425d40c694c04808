//! Kernels of any size, each family large in one respect: for the figures, and for the test that counts how work and
//! memory grow.

mod control;
mod hashes;
mod straight;
pub mod values;

use std::fmt::Write;

/// A family, and the sizes at which it is measured.
pub struct Shape {
    /// For the table.
    pub name: &'static str,
    /// What its size counts.
    pub unit: &'static str,
    /// Sizes, each about four times the one before.
    pub sizes: &'static [usize],
    /// Makes the module.
    pub make: fn(usize) -> String,
}

/// Sizes that are large enough for what depends on the size to outweigh the rest.
const MANY: &[usize] = &[1_000, 4_000, 16_000];

const fn shape(
    name: &'static str,
    unit: &'static str,
    sizes: &'static [usize],
    make: fn(usize) -> String,
) -> Shape {
    Shape {
        name,
        unit,
        sizes,
        make,
    }
}

/// All families.
pub const SHAPES: &[Shape] = &[
    shape(
        "stencil in one block",
        "instructions",
        &[10_000, 40_000, 160_000],
        straight::stencil,
    ),
    shape("rows of 64 arrays", "loads", MANY, straight::arrays),
    shape(
        "loads that may be stored to",
        "loads",
        MANY,
        straight::loads,
    ),
    shape(
        "loads and stores in turn",
        "stores",
        &[500, 2_000, 8_000],
        straight::stores,
    ),
    shape(
        "stores between two loads",
        "stores",
        MANY,
        straight::between,
    ),
    shape(
        "one address again and again",
        "loads",
        &[3_000, 6_000, 12_000],
        straight::again,
    ),
    shape(
        "pointers with an array each",
        "pointers",
        &[250, 1_000, 4_000],
        straight::pointers,
    ),
    shape("loads with predicates", "loads", MANY, straight::predicated),
    shape(
        "barriers between loads",
        "barriers",
        &[500, 2_000, 8_000],
        straight::barriers,
    ),
    shape(
        "registers in use at once",
        "registers",
        MANY,
        straight::registers,
    ),
    shape(
        "guards, each behind the last",
        "blocks",
        &[500, 2_000, 8_000],
        control::guards,
    ),
    shape(
        "`if`s that join",
        "blocks",
        &[1_000, 4_000, 16_000],
        control::ifs,
    ),
    shape(
        "`if`s that load the same words",
        "blocks",
        &[1_000, 4_000, 16_000],
        control::ifs_of_few,
    ),
    shape(
        "`if`s in each other",
        "blocks",
        &[500, 2_000, 8_000],
        control::ladder,
    ),
    shape(
        "`else if`s",
        "blocks",
        &[500, 2_000, 8_000],
        control::else_ifs,
    ),
    shape(
        "loops in a row",
        "loops",
        &[500, 2_000, 8_000],
        control::loops,
    ),
    shape(
        "loops that lanes leave one by one",
        "loops",
        &[500, 2_000, 8_000],
        control::divergent_loops,
    ),
    shape(
        "loops that wait for others",
        "loops",
        &[500, 2_000, 8_000],
        control::spins,
    ),
    shape(
        "loops in each other",
        "loops",
        &[60, 250, 1_000],
        control::nest,
    ),
    shape(
        "loops in each other, one divergent",
        "loops",
        &[500, 2_000, 8_000],
        control::divergent_nest,
    ),
    shape(
        "loops in each other, with ways out of all",
        "loops",
        &[500, 2_000, 8_000],
        control::nest_with_exits,
    ),
    shape(
        "calls of one function",
        "calls",
        &[500, 2_000, 8_000],
        control::calls,
    ),
    shape(
        "ways of one `brx.idx`",
        "ways",
        &[500, 2_000, 8_000],
        control::switch_cases,
    ),
    shape(
        "ways of one `brx.idx` that go on with the next",
        "ways",
        MANY,
        control::falling_cases,
    ),
    shape(
        "index that is a long sum",
        "summands",
        &[600, 2_500, 10_000],
        values::sums,
    ),
    shape(
        "index of exclusive ors",
        "operations",
        MANY,
        values::exclusive_ors,
    ),
    shape(
        "index of shifts and exclusive ors",
        "rounds",
        &[50, 200, 800],
        values::rounds,
    ),
    shape(
        "tables at rotated and exclusive-ored indices",
        "loads",
        &[100, 400, 1_600],
        values::tables,
    ),
    shape(
        "index of funnel shifts",
        "operations",
        MANY,
        values::funnels,
    ),
    shape("index of choices", "operations", MANY, values::choices),
    shape("index of minima", "operations", MANY, values::minima),
    shape(
        "hash in registers",
        "rounds",
        &[100, 400, 1_600],
        hashes::values,
    ),
    shape(
        "hash with look-ups",
        "rounds",
        &[100, 400, 1_600],
        hashes::look_ups,
    ),
    shape(
        "hash of look-ups",
        "rounds",
        &[100, 400, 1_600],
        hashes::feedback,
    ),
    shape(
        "hash that stores",
        "rounds",
        &[100, 400, 1_600],
        hashes::scatter,
    ),
    shape(
        "hash with a table in shared memory",
        "rounds",
        &[100, 400, 1_600],
        hashes::shared,
    ),
    shape(
        "hash with a table in local memory",
        "rounds",
        &[100, 400, 1_600],
        hashes::local,
    ),
    shape(
        "hash that stores, in a loop",
        "rounds",
        &[100, 400, 1_600],
        hashes::scatter_in_loop,
    ),
    shape(
        "hash with a table in shared memory, in a loop",
        "rounds",
        &[100, 400, 1_600],
        hashes::shared_in_loop,
    ),
    shape(
        "hash of 32 candidates at once",
        "rounds",
        &[5, 20, 80],
        hashes::sliced,
    ),
];

/// A kernel around `body`, with `more` after its parameters: `%rd1` to `%rd3` are global pointers, `%r1` is the thread's index, `%r2` the width `n`.
fn kernel(name: &str, more: &str, body: &str) -> String {
    let count = 2 * body.lines().count() + 64;
    format!(
        ".visible .entry {name}(\n\t.param .u64 {name}_param_0,\n\t.param .u64 {name}_param_1,\n\t.param .u64 {name}_param_2,\n\
         \t.param .u32 {name}_param_3{more}\n)\n{{\n\t.reg .pred \t%p<3>;\n\t.reg .pred \t%q<{count}>;\n\t.reg .f32 \t%f<{count}>;\n\t.reg .b32 \t%r<{count}>;\n\
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
    HEADER.to_owned() + &kernel("k", "", body)
}

/// As [`module`], with `more` after the parameters of the kernel.
fn module_of_parameters(more: &str, body: &str) -> String {
    HEADER.to_owned() + &kernel("k", more, body)
}

/// As [`module`], with a function in front of the kernel.
fn module_with(function: &str, body: &str) -> String {
    HEADER.to_owned() + function + &kernel("k", "", body)
}

/// A module of small kernels, one after the other.
pub fn many_kernels(count: usize) -> String {
    let mut text = String::from(HEADER);
    let mut body = String::new();
    for tap in 0..5 {
        let _ = write!(
            body,
            "\tld.global.nc.f32 \t%f{0}, [%rd8+{1}];\n\tadd.f32 \t%f1, %f1, %f{0};\n",
            tap + 10,
            4 * tap
        );
    }
    for number in 0..count {
        text.push_str(&kernel(&format!("k{number}"), "", &body));
    }
    text
}
