//! ptxasw: an optimizing stage between a GPU compiler and `ptxas`.
//!
//! It reads PTX, proves which loads the thread itself or a neighbouring lane of the warp has already made, and leaves these out, or
//! lets the lanes hand the values to each other by warp shuffles. A kernel goes this way:
//!
//! ```text
//! ptx (lex, parse, decode, lower) -> ir -> passes (emulator, solver) -> ir::patch -> ptx::write -> the changed functions, read again
//! ```
//!
//! Its layers are crates. Each depends only on crates above it in this table; this one re-exports them under the names in the first
//! column:
//!
//! | name | crate |
//! | --- | --- |
//! | [`support`] | `ptxasw-base`: lines, files, threads, console |
//! | [`ir`] | `ptxasw-ir`: functions in SSA form, analyses, the meaning of operations, patches |
//! | [`ptx`] | `ptxasw-ptx`: PTX, read and written |
//! | [`executor`] | `ptxasw-executor`: PTX on a CPU |
//! | [`emulator`], [`solver`], [`certificate`] | `ptxasw-emulator`: values as terms, proofs about them, proofs as texts |
//! | [`passes`], [`rules`] | `ptxasw-passes`: the passes |
//! | [`toolchain`], [`cost`], [`cache`] | `ptxasw-machine`: assemblers, machine code and what it costs |
//! | [`verify`] | `ptxasw-verify`: kernels beside their originals, on the executor or on a GPU |
//! | [`driver`], [`pipeline`], [`guard`], [`report`] | `ptxasw-driver`: the stage as a whole, for every entry point |
//! | [`cli`], [`dropin`], [`mod@clang`] and others | `ptxasw-tools`: commands |
//!
//! A [`pipeline::Module`] goes from pass to pass: it is parsed once, and a function is read, analysed and emulated once until it
//! changes.
//!
//! [`driver`] runs the whole for every entry point: the per-thread passes, then the cross-lane pass (shuffles); after each, kernels that
//! differ from their originals, or lose occupancy, are reverted.
//!
//! # Invariants
//! 1. Lossless: the output is the input and a sorted, non-overlapping list of edits. No plan, no byte changed.
//! 2. Total parsing: an unknown instruction becomes an opaque operation; it disqualifies at worst its function.
//! 3. Front ends and writers know text, passes know only the IR, [`ir`] knows neither PTX nor LLVM.
//! 4. No Z3 type outside [`solver`].
//! 5. Detect, prove, price, apply are four places. Only what is proved is applied.
//! 6. Limits are counts (steps, terms, candidates, solver `rlimit`), not wall time: the same input gives the same bytes.
//! 7. Whatever goes wrong, the original text is still there.
//!
//! The words are those of the [`glossary`].

#[doc = include_str!("../docs/glossary.md")]
pub mod glossary {}

pub use ptxasw_base::{self as support, say, tell};
pub use ptxasw_driver::{self as driver, guard, pipeline, report};
pub use ptxasw_emulator::{self as emulator, certificate, solver};
pub use ptxasw_executor as executor;
pub use ptxasw_ir as ir;
pub use ptxasw_machine::{cache, cost, toolchain};
pub use ptxasw_passes::{self as passes, rules};
pub use ptxasw_ptx as ptx;
#[cfg(feature = "report")]
pub use ptxasw_tools::page;
pub use ptxasw_tools::{certificates, clang, cli, corpus, doctor, dropin, recording, tune};
pub use ptxasw_verify as verify;

pub use pipeline::{Error, Options, Output, optimize};
