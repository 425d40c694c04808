//! PTX, read and written: a front end and a back end that are of use by themselves (`examples/accesses.rs`).
//!
//! | module | what |
//! | --- | --- |
//! | [`parse`], [`ast`] | the text as a syntax tree: a generic grammar, which parses unknown instructions as well |
//! | [`decode`] | register form: what the instructions are, by a table of opcodes |
//! | [`lower`], [`binding`], [`calls`] | SSA form ([`ptxasw_ir`]), what of the text holds its values, functions that call each other |
//! | [`write`](mod@write), [`text`] | a patch of the SSA form as edits of the text |
//! | [`spell`] | single operations as instructions |
//!
//! It knows the IR, and no pass.
//!
//! # Invariants
//! 1. Lossless: what is written is the text and a sorted list of edits that do not overlap. No patch, no byte changed.
//! 2. Total: whatever `ptxas` accepts is parsed; an unknown instruction becomes an opaque operation.
//! 3. `decode(spell(operation))` is the operation.

pub mod ast;
pub mod binding;
pub mod calls;
pub mod decode;
pub mod error;
mod lex;
pub mod lower;
mod parse;
pub mod spell;
pub mod text;
pub mod write;

pub use parse::{parse, parse_again, parse_on, parse_owned};

// A file of unit tests is one of the library's tests, too (`tests/spelling`): it names this crate from outside.
#[cfg(test)]
extern crate self as ptxasw_ptx;
