//! The SSA dataflow IR: what both front ends lower into and all passes work on. It knows neither PTX nor LLVM.

pub mod analyses;
pub mod ancestors;
pub mod between;
pub mod builder;
pub mod cfg;
pub mod control;
pub mod divergence;
pub mod dominators;
pub mod effects;
pub mod function;
pub mod lanes;
pub mod liveness;
pub mod loops;
pub mod minima;
pub mod module;
pub mod op;
pub mod opcode;
pub mod patch;
pub mod prune;
pub mod registers;
pub mod semantics;
pub mod text;
pub mod types;
pub mod verify;
pub mod widen;
