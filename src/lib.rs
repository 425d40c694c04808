//! ptxasw: an optimizing stage between a GPU compiler and `ptxas`.
//!
//! It reads PTX, proves which loads the thread itself or a neighbouring lane of the warp has already made, and leaves these out, or
//! lets the lanes hand the values to each other by warp shuffles. A kernel goes through the folders in this order, and each stage
//! knows only those before it, and [`support`]:
//!
//! ```text
//! ptx (lex, parse, decode, lower) -> ir -> passes (emulator, solver) -> ir::patch -> ptx::write -> the changed functions, read again
//! ```
//!
//! A [`pipeline::Module`] goes from pass to pass: it is parsed once, and a function is read, analysed and emulated once until it
//! changes.
//!
//! [`driver`] is the whole of it for every entry point: the passes that stay within lanes, what goes back of them, those across lanes
//! (the shuffles), what goes back of those.
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

pub mod cache;
pub mod certificate;
pub mod clang;
pub mod cli;
pub mod corpus;
pub mod cost;
pub mod doctor;
pub mod driver;
pub mod dropin;
pub mod emulator;
#[doc = include_str!("../docs/glossary.md")]
pub mod glossary {}
pub mod executor;
pub mod guard;
pub mod ir;
pub mod passes;
pub mod pipeline;
pub mod ptx;
pub mod recording;
pub mod report;
pub mod rules;
pub mod solver;
pub mod support;
pub mod toolchain;
pub mod tune;
pub mod verify;

pub use pipeline::{Error, Options, Output, optimize};
