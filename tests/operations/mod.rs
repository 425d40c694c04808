//! Every operation that the executor knows, as a kernel of one instruction: decoded and executed, and compared with
//! values from elsewhere.
//!
//! The values come from Rust's own integers (128 bits wide, so that nothing wraps by accident), from LLVM's soft floats
//! (`rustc_apfloat`) in all formats and roundings, from the `half` crate, from binary64 for the error bounds of
//! approximations, and from the formulas and worked examples of the PTX ISA, written out anew. Nothing here looks at how
//! `ptxasw` computes them.
//!
//! After all tests [`coverage`] demands that every variant of every enumeration of operations was executed by the test
//! that it names, and the real assembler that every instruction is one.

// Tables of names and functions say what they are.
#![allow(clippy::type_complexity)]

mod approximate;
mod atomics;
mod carry;
mod compare;
mod convert;
mod coverage;
mod exchange;
mod field;
mod float;
mod harness;
mod integer;
mod logic;
mod memory;
mod minmax;
mod movement;
mod packed;
mod ptxas;
mod softfloat;
mod values;

use crate::times::trial;
use harness::Suite;
use libtest_mimic::Trial;

/// A family of operations.
type Test = fn(&mut Suite);

/// All tests, by the names that [`coverage`] uses.
const TESTS: &[(&str, Test)] = &[
    ("integer::sums", integer::sums),
    ("integer::products", integer::products),
    ("integer::quotients", integer::quotients),
    ("integer::extremes", integer::extremes),
    ("integer::dots", integer::dots),
    ("carry::sums", carry::sums),
    ("carry::products", carry::products),
    ("logic::bitwise", logic::bitwise),
    ("logic::tables", logic::tables),
    ("logic::shifts", logic::shifts),
    ("field::fields", field::fields),
    ("field::counts", field::counts),
    ("field::masks", field::masks),
    ("field::permutations", field::permutations),
    ("compare::predicates", compare::predicates),
    ("compare::sets", compare::sets),
    ("compare::selections", compare::selections),
    ("float::basic", float::basic),
    ("float::divisions", float::divisions),
    ("minmax::extremes", minmax::extremes),
    ("minmax::signs", minmax::signs),
    ("minmax::classes", minmax::classes),
    ("packed::arithmetic", packed::arithmetic),
    ("packed::comparisons", packed::comparisons),
    ("approximate::quotients", approximate::quotients),
    ("approximate::functions", approximate::functions),
    ("approximate::doubles", approximate::doubles),
    ("convert::integers", convert::integers),
    ("convert::from_integers", convert::from_integers),
    ("convert::to_integers", convert::to_integers),
    ("convert::floats", convert::floats),
    ("convert::packs", convert::packs),
    ("movement::moves", movement::moves),
    ("movement::extensions", movement::extensions),
    ("movement::spaces", movement::spaces),
    ("movement::immediates", movement::immediates),
    ("memory::loads", memory::loads),
    ("memory::stores", memory::stores),
    ("memory::vectors", memory::vectors),
    ("memory::misaligned", memory::misaligned),
    ("atomics::integers", atomics::integers),
    ("atomics::floats", atomics::floats),
    ("atomics::exchanges", atomics::exchanges),
    ("exchange::shuffles", exchange::shuffles),
    ("exchange::votes", exchange::votes),
    ("exchange::matches", exchange::matches),
    ("exchange::reductions", exchange::reductions),
    ("exchange::elections", exchange::elections),
    ("exchange::barriers", exchange::barriers),
];

/// A trial for each group of operations.
pub fn trials() -> Vec<Trial> {
    let trials = TESTS.iter().map(|&(name, test)| {
        trial(format!("operations::{name}"), move || {
            let mut suite = Suite::default();
            test(&mut suite);
            coverage::record(name, suite);
            Ok(())
        })
    });
    trials.collect()
}

/// When all groups have passed: whether they tried every operation, and `ptxas` takes what they executed. Of some of the groups
/// nothing can be said.
pub fn covered() -> bool {
    if coverage::groups() < TESTS.len() {
        return true;
    }
    let checks: [(&str, fn() -> Result<String, String>); 2] = [
        ("coverage", coverage::check),
        ("ptxas", || ptxas::check(&coverage::instructions())),
    ];
    let mut passed = true;
    for (name, check) in checks {
        match check() {
            Ok(said) => println!("operations, {name}: {said}"),
            Err(said) => {
                println!("operations, {name}: FAILED\n{said}");
                passed = false;
            }
        }
    }
    passed
}
