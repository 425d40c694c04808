//! The SSA dataflow IR of ptxasw: what both front ends lower into and all passes work on. It knows neither PTX nor LLVM.
//!
//! | module | what |
//! | --- | --- |
//! | [`function`], [`opcode`], [`op`], [`types`], [`lanes`], [`fast_math`] | a function: blocks, instructions, values |
//! | [`module`] | functions that call each other, and what is known of each by that |
//! | [`semantics`] | what each operation computes, bit by bit |
//! | [`mod@cfg`], [`dominators`], [`loops`], [`divergence`], [`liveness`] ... | analyses, together [`analyses`] |
//! | [`patch`] | what is to become of a function: steps, removals, second copies |
//! | [`text`] | functions as text, and back |
//! | [`verify`], [`builder`] | whether a function is well formed, and functions for tests |
//!
//! # Invariants
//! 1. A function changes by a patch alone, and [`verify`] holds before and after.
//! 2. Every instruction names the statement of the text that it comes from.
//! 3. [`semantics`] is what the passes, the solver and the executor take an operation for: it is written once.

pub mod analyses;
pub mod ancestors;
pub mod builder;
pub mod cfg;
pub mod control;
pub mod divergence;
pub mod dominators;
pub mod effects;
pub mod fast_math;
pub mod function;
pub mod lanes;
pub mod liveness;
pub mod loops;
pub mod module;
pub mod op;
pub mod opcode;
pub mod patch;
pub mod range_min;
pub mod reachability;
pub mod redundant_params;
pub mod registers;
pub mod semantics;
pub mod text;
pub mod types;
pub mod verify;
pub mod widen;
