//! The SSA dataflow IR: what both front ends lower into and all passes work on. It knows neither PTX nor LLVM.

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
