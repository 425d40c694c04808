//! The memory pass on kernels of many accesses, pointers and nested branches, with and without `--assume noalias`.

use crate::growth::{COUNTS, Counts, grows_too_fast};
use ptxasw::Options;
use ptxasw::passes::Pass;
use ptxasw::passes::memory::{Loads, Memory, MemoryOptions};
use ptxasw::pipeline::ssa::{self, Report};
use std::fmt::Write;

/// Sizes of the families in a usual run, by their first ones, and in a soak test.
const TIMES: [usize; 3] = [1, 2, 4];
const SOAK: usize = 8;

/// A kernel by so many pointers; what it loops for is in `%r5`.
pub fn kernel(roots: usize, body: &str) -> String {
    let mut out = String::from(
        ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(\n.param .u64 k_0",
    );
    for root in 1..roots {
        let _ = write!(out, ",\n.param .u64 k_{root}");
    }
    let _ = write!(out, ",\n.param .u32 k_n");
    let _ = writeln!(
        out,
        ")\n{{\n.reg .pred %p<4>;\n.reg .b32 %r<6>;\n.reg .b64 %rd<{}>;\nld.param.u32 %r5, [k_n];\nmov.u32 %r2, 0;",
        roots + 2
    );
    for root in 0..roots {
        let _ = writeln!(out, "ld.param.u64 %rd{root}, [k_{root}];");
        let _ = writeln!(out, "cvta.to.global.u64 %rd{root}, %rd{root};");
    }
    out + "mov.u32 %r0, %tid.x;\nsetp.gt.u32 %p1, %r0, 7;\nsetp.gt.u32 %p2, %r0, 9;\n"
        + body
        + "ret;\n}\n"
}

/// A word that is loaded, another one that is stored, and the first once more.
fn again(out: &mut String, root: usize, at: usize) {
    let _ = writeln!(out, "ld.global.u32 %r1, [%rd{root}+{at}];");
    let _ = writeln!(out, "st.global.u32 [%rd{root}+{}], %r1;", at + 4);
    let _ = writeln!(out, "ld.global.u32 %r2, [%rd{root}+{at}];");
    let _ = writeln!(out, "st.global.u32 [%rd{root}+{at}], %r2;");
}

/// So many accesses in one block, by one pointer.
fn block(accesses: usize) -> String {
    let mut body = String::new();
    for number in 0..accesses / 4 {
        again(&mut body, 0, 8 * number);
    }
    kernel(1, &body)
}

/// So many pointers in turn, twenty accesses by each.
fn roots(roots: usize) -> String {
    let mut body = String::new();
    for turn in 0..5 {
        for root in 0..roots {
            again(&mut body, root, 8 * turn);
        }
    }
    kernel(roots, &body)
}

/// Branches inside of branches, with accesses before each, on both sides, and after it.
fn nested(depth: usize) -> String {
    let mut body = String::new();
    for level in 0..depth {
        again(&mut body, 0, 16 * level);
        let _ = writeln!(body, "@%p{} bra ELSE{level};", 1 + level % 2);
    }
    for level in (0..depth).rev() {
        let _ = writeln!(body, "bra END{level};\nELSE{level}:");
        let _ = writeln!(body, "st.global.u32 [%rd0+{}], %r0;", 16 * level + 8);
        let _ = writeln!(body, "END{level}:");
        again(&mut body, 0, 16 * level);
    }
    kernel(1, &body)
}

/// As many branches, one after the other.
fn row(count: usize) -> String {
    let mut body = String::new();
    for number in 0..count {
        again(&mut body, 0, 16 * number);
        let _ = writeln!(body, "@%p{} bra END{number};", 1 + number % 2);
        let _ = writeln!(body, "st.global.u32 [%rd0+{}], %r0;", 16 * number + 8);
        let _ = writeln!(body, "END{number}:");
        let _ = writeln!(body, "ld.global.u32 %r3, [%rd0+{}];", 16 * number + 8);
        let _ = writeln!(body, "st.global.u32 [%rd0+{}], %r3;", 16 * number + 12);
    }
    kernel(1, &body)
}

/// The family of [`roots`].
const POINTERS: &str = "pointers";
/// A name, the smallest size, and what writes a kernel of a size.
type Family = (&'static str, usize, fn(usize) -> String);

const FAMILIES: [Family; 4] = [
    ("accesses in one block", 2_000, block),
    (POINTERS, 50, roots),
    ("nested branches", 100, nested),
    ("branches in a row", 200, row),
];

/// What passes take, and what they make.
pub fn counted(
    text: &str,
    passes: &[&'static dyn Pass],
    memory: MemoryOptions,
) -> (Counts, Vec<Report>) {
    let options = Options {
        memory,
        jobs: 1,
        ..Options::of_passes(passes)
    };
    COUNTS.set(Counts::default());
    let passed = ssa::run(text.as_bytes(), &options).expect("a module");
    let counts = COUNTS.get();
    let refused = |one: &Report| Report::refusal(one).is_some();
    assert!(!passed.reports.iter().any(refused));
    (counts, passed.reports)
}

/// What the pass takes, and how many accesses it changes.
fn passed(text: &str, loads: Loads, no_alias: bool) -> (Counts, usize) {
    let mut memory = MemoryOptions {
        loads,
        ..MemoryOptions::default()
    };
    memory.assumed.no_alias = no_alias;
    let (counts, reports) = counted(text, &[&Memory], memory);
    let remarks = reports.iter().flat_map(|report| &report.remarks);
    let done = remarks.filter(|remark| remark.fate.is_done()).count();
    (counts, done)
}

/// Exponents of what is allocated, and the share of what is changed, which must not get smaller.
#[test]
fn the_memory_pass_grows_about_as_the_kernel() {
    let soak = crate::soak();
    let more = if soak { SOAK } else { 1 };
    let mut found = String::new();
    for (family, least, make) in FAMILIES {
        let sizes = TIMES.map(|times| times * least * more);
        // Each access is compared with a number of others that is bounded, but large: fewer pointers are all compared with all.
        let compares = soak || family != POINTERS;
        for (loads, no_alias) in [
            (Loads::Proofs, false),
            (Loads::Proofs, true),
            (Loads::default(), false),
        ] {
            if loads != Loads::Proofs && !compares {
                continue;
            }
            let name = format!("{family}, {sizes:?}, {loads:?}, noalias {no_alias}");
            let measured = |size| {
                let (counts, done) = passed(&make(size), loads, no_alias);
                assert!(done >= size / 4, "{name}: {done} of {size}");
                counts
            };
            if let Some(line) = grows_too_fast(&name, &sizes, measured) {
                let _ = writeln!(found, "{line}");
            }
        }
    }
    assert!(found.is_empty(), "exponents are too large:\n{found}");
}
