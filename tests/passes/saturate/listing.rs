//! The paper's example (ACC Saturator, listings 2 and 3): statements of a block-tridiagonal solve, in a kernel written for this test.

use super::{count, rewritten};
use crate::launches::of_header;
use ptxasw::passes::Passes;
use ptxasw::passes::memory::MemoryOptions;
use ptxasw::passes::saturate::SaturationOptions;
use ptxasw::pipeline::Options;
use ptxasw::verify::{self, Module, Tolerated, Verdict};

/// Fifteen statements, each with the products of scalars that it needs.
const ROW: &str = include_str!("../../../ptx-tests/passes/block-row.ptx");

/// How two texts compare under the launch of the file.
fn compared(new: &str, tolerance: u64) -> (Verdict, Tolerated) {
    let how = verify::Options {
        launches: of_header(ROW),
        jobs: 1,
        tolerance,
        ..verify::Options::default()
    };
    let (before, after) = (
        Module::read(ROW.as_bytes()).expect("the original"),
        Module::read(new.as_bytes()).expect("the rewritten module"),
    );
    let mut reports = verify::verify(&before, &after, &how).expect("both have the kernel");
    let report = reports.remove(0);
    (report.verdict, report.tolerated)
}

#[test]
fn products_are_computed_once_and_fused() {
    assert_eq!((count(ROW, "mul.f64"), count(ROW, "sub.f64")), (63, 18));
    let new = rewritten(ROW, SaturationOptions::default());
    // Of each statement one product is left, the other one and what is on the diagonal are fused; two are common to all.
    assert_eq!(count(&new, "mul.f64"), 17, "{new}");
    assert_eq!(count(&new, "fma.rn.f64"), 18, "{new}");
    assert_eq!(count(&new, "sub.f64"), 0, "{new}");
    // Where two products nearly cancel, one rounding less is seen in more than the last place.
    let (verdict, tolerated) = compared(&new, 1 << 20);
    assert_eq!(verdict, Verdict::Equal);
    assert!(tolerated.ulps > 0);
    // One rounding less brings the results nearer to those of twice the precision.
    let [original, fused] = tolerated.errors.expect("a run in twice the precision");
    assert!(fused < original, "{original} {fused}");
    assert!(matches!(compared(&new, 0).0, Verdict::Different(_)));
}

/// To the last bit, products are shared, and nothing is fused.
#[test]
fn without_permission_every_bit_stays() {
    let options = SaturationOptions {
        exact: true,
        ..SaturationOptions::default()
    };
    let new = rewritten(ROW, options);
    assert_eq!(count(&new, "fma.rn.f64"), 0, "{new}");
    assert_eq!(count(&new, "mul.f64"), 33, "{new}");
    assert_eq!(compared(&new, 0).0, Verdict::Equal);
}

/// The four variants of figure 2 by their names.
#[test]
fn the_variants_of_the_paper() {
    let floats = |passes: &str| {
        let passes: Passes = passes.parse().expect("known names");
        let options = Options {
            memory: passes.memory(MemoryOptions::default()),
            passes,
            ..Options::default()
        };
        let new = ptxasw::optimize(ROW.as_bytes(), &options).expect("the text is PTX");
        let new = String::from_utf8(new.text).expect("it is text");
        ["mul.f64", "fma.rn.f64", "sub.f64"].map(|word| count(&new, word))
    };
    // Floats that the assembler may fuse are no common subexpressions of the scalar pass.
    assert_eq!(floats("cse"), [63, 0, 18]);
    assert_eq!(floats("cse,sat"), [17, 18, 0]);
    // Loads move up in a second copy.
    assert_eq!(floats("cse,bulk"), [126, 0, 36]);
    assert_eq!(floats("cse,sat,bulk"), [34, 36, 0]);
}
