//! The time of the pass grows with the function: steps are counted, and large functions are done.

use super::{passed, taken};
use ptxasw::passes::memory::MemoryOptions;
use std::fmt::Write as _;

/// A kernel of so many loads, each of which is made twice with a store of its own word between, by so many pointers.
fn kernel(pairs: usize, roots: usize) -> String {
    let mut out = String::from(
        ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(\n.param .u64 k_0",
    );
    for root in 1..roots {
        let _ = write!(out, ",\n.param .u64 k_{root}");
    }
    out += ")\n{\n.reg .b32 %r<4>;\n.reg .b64 %rd<";
    let _ = writeln!(out, "{}>;", roots + 1);
    for root in 0..roots {
        let _ = writeln!(out, "ld.param.u64 %rd{root}, [k_{root}];");
        let _ = writeln!(out, "cvta.to.global.u64 %rd{root}, %rd{root};");
    }
    for pair in 0..pairs {
        let (root, at) = (pair % roots, 8 * (pair / roots));
        let _ = writeln!(out, "ld.global.u32 %r1, [%rd{root}+{at}];");
        let _ = writeln!(out, "st.global.u32 [%rd{root}+{}], %r1;", at + 4);
        let _ = writeln!(out, "ld.global.u32 %r2, [%rd{root}+{at}];");
        let _ = writeln!(out, "st.global.u32 [%rd{root}+{at}], %r2;");
    }
    out += "ret;\n}\n";
    out
}

fn removed(text: &str, no_alias: bool) -> usize {
    let mut memory = MemoryOptions::default();
    memory.assumed.no_alias = no_alias;
    let passed = passed(text, memory);
    taken("growth", &passed.reports);
    let remarks = passed.reports.iter().flat_map(|report| report.lines());
    remarks
        .filter(|line| line.contains("removed, same"))
        .count()
}

#[test]
fn all_loads_of_a_long_block_are_served() {
    assert_eq!(removed(&kernel(4000, 1), false), 4000);
}

#[test]
fn many_roots_that_may_alias_or_not() {
    assert_eq!(removed(&kernel(4000, 200), false), 4000);
    assert_eq!(removed(&kernel(4000, 200), true), 4000);
}
