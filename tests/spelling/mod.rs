//! Spelled operations, executed: the executor computes what they mean.

mod executed;
#[cfg(debug_assertions)]
mod mutated;
#[path = "../../src/ptx/spell/tests/ops.rs"]
mod ops;
#[path = "../../src/ptx/spell/tests/statements.rs"]
mod statements;
