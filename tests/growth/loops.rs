//! Batches and tests over iterations on kernels of many loops, of nests, and of loops with many instructions and blocks.

use super::memory::{counted, kernel};
use crate::growth::grows_too_fast;
use ptxasw::passes::Fate;
use ptxasw::passes::loops::Batches;
use ptxasw::passes::memory::{Memory, MemoryOptions};
use std::fmt::Write;

/// Sizes of a family, by its first one.
const TIMES: [usize; 3] = [1, 2, 4];
const SOAK: usize = 4;

/// Three pointers: what is loaded, what is stored, and a third that a test has to tell from both.
const POINTERS: usize = 3;

/// The first element is at the place of the thread in its block.
const START: &str = "mov.u32 %r4, %r0;\n";

/// The element of an iteration, at some offset; its address is in `%rd3`.
fn load(out: &mut String, at: usize) {
    let _ = writeln!(
        out,
        "mad.wide.s32 %rd3, %r4, 4, %rd0;\nld.global.u32 %r1, [%rd3+{at}];\nadd.u32 %r2, %r2, %r1;"
    );
}

/// The same around a store: to one place, or to another array's element.
fn around(out: &mut String, at: usize, moves: bool) {
    load(out, at);
    let to = if moves { "%rd4" } else { "%rd1" };
    let _ = writeln!(
        out,
        "mad.wide.s32 %rd4, %r4, 4, %rd1;\nst.global.u32 [{to}+{at}], %r2;\nld.global.u32 %r3, [%rd3+{at}];\n\
         add.u32 %r2, %r2, %r3;"
    );
}

/// Goes back to a label as long as there are elements.
fn back(out: &mut String, label: &str) {
    let _ = writeln!(
        out,
        "add.s32 %r4, %r4, %r0;\nsetp.lt.s32 %p3, %r4, %r5;\n@%p3 bra {label};"
    );
}

/// So many loops, one after the other: each third one stores nothing, to one place, to another array.
fn row(count: usize) -> String {
    let mut body = String::new();
    for number in 0..count {
        let _ = writeln!(body, "{START}LOOP{number}:");
        match number % 3 {
            0 => load(&mut body, 4 * number),
            kind => around(&mut body, 4 * number, kind == 2),
        }
        back(&mut body, &format!("LOOP{number}"));
    }
    kernel(POINTERS, &body)
}

/// Loops in each other, each with a load of its own.
fn nest(depth: usize) -> String {
    let mut body = String::new();
    for level in 0..depth {
        let _ = writeln!(body, "mov.u32 %c{level}, 0;\nLOOP{level}:");
    }
    let _ = writeln!(body, "{START}INNER:");
    load(&mut body, 0);
    back(&mut body, "INNER");
    for level in (0..depth).rev() {
        around(&mut body, 4 * level, false);
        let _ = writeln!(
            body,
            "add.s32 %c{level}, %c{level}, 1;\nsetp.lt.s32 %p3, %c{level}, %r5;\n@%p3 bra LOOP{level};"
        );
    }
    kernel(POINTERS, &format!(".reg .b32 %c<{depth}>;\n{body}"))
}

/// One loop of so many accesses.
fn long(accesses: usize) -> String {
    let mut body = format!("{START}LOOP:\n");
    for number in 0..accesses / 3 {
        around(&mut body, 4 * number, number % 2 == 0);
    }
    back(&mut body, "LOOP");
    kernel(POINTERS, &body)
}

/// One loop of so many small blocks.
fn blocks(count: usize) -> String {
    let mut body = format!("{START}LOOP:\n");
    for number in 0..count {
        let _ = writeln!(
            body,
            "setp.lt.s32 %p3, %r2, {number};\n@%p3 bra END{number};"
        );
        load(&mut body, 4 * number);
        let _ = writeln!(body, "END{number}:");
    }
    back(&mut body, "LOOP");
    kernel(POINTERS, &body)
}

/// A name, the smallest size, what writes a kernel of a size, and whether loops of it run in batches.
type Family = (&'static str, usize, fn(usize) -> String, bool);

const FAMILIES: [Family; 4] = [
    ("loops in a row", 250, row, true),
    ("nested loops", 5, nest, true),
    ("accesses in one loop", 1_000, long, false),
    ("blocks in one loop", 500, blocks, false),
];

#[test]
fn loops_grow_about_as_the_kernel() {
    let more = if crate::soak() { SOAK } else { 1 };
    let mut found = String::new();
    for (family, least, make, batched) in FAMILIES {
        let sizes = TIMES.map(|times| times * least * more);
        let name = format!("{family}, {sizes:?}");
        let measured = |size| {
            let passes = [&Batches as _, &Memory as _];
            let (counts, reports) = counted(&make(size), &passes, MemoryOptions::default());
            let mut remarks = reports.iter().flat_map(|report| &report.remarks);
            let any = remarks.any(|one| one.fate == Fate::Batched);
            assert_eq!(any, batched, "{name}");
            counts
        };
        if let Some(line) = grows_too_fast(&name, &sizes, measured) {
            let _ = writeln!(found, "{line}");
        }
    }
    assert!(found.is_empty(), "exponents are too large:\n{found}");
}
