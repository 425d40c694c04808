//! What every crate of ptxasw may use. It knows none of them, and nothing of PTX, LLVM or GPUs.
//!
//! | file | what |
//! | --- | --- |
//! | [`console`], [`mod@table`], [`progress`] | lines for people, tables of them, and a bar for long work |
//! | [`lines`], [`snippet`] | places in a text, and messages that show them |
//! | [`atomic_file`], [`memory_file`] | files that appear whole, and files that only memory holds |
//! | [`process`], [`interrupt`] | other programs, and signals that end this one |
//! | [`threads`], [`malloc`] | work on several threads, memory from the system |
//! | [`kernel_filter`], [`mod@named`] | kernels by name, values by name |
//! | `reduction` | delta debugging |
//! | `mutation` | faults on purpose, for tests |
//!
//! # Invariants
//! 1. A file appears whole or not at all.
//! 2. Work on several threads gives the same results in the same order as on one.

pub mod atomic_file;
pub mod console;
pub mod interrupt;
pub mod kernel_filter;
pub mod lines;
pub mod malloc;
pub mod memory_file;
#[doc(hidden)]
pub mod mutation;
pub mod named;
pub mod names;
pub mod process;
pub mod progress;
#[doc(hidden)]
pub mod reduction;
pub mod shell;
pub mod snippet;
pub mod table;
pub mod threads;
