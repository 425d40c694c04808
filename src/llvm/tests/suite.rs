//! Everything of the LLVM IR front end that is tested in functions; `llvm-golden` has the tests that are files.

mod annotated;
mod arithmetic;
mod clang;
mod cli;
mod copies;
mod large;
#[path = "../../../tests/listing/mod.rs"]
#[allow(dead_code, unused_imports)]
mod listing;
mod loops;
mod memory;
mod opt;
mod permissions;
mod plans;
mod profit;
mod random;
mod ssa;
mod write;

/// Whether everything is tried, which takes many times as long (`make soak`).
fn soak() -> bool {
    std::env::var_os("PTXASW_SOAK").is_some()
}
