//! From the syntax tree to the register form.
//!
//! [`headers`] reads everything but the bodies, [`body`] one body: an error in one function does not touch the others.
//! An opcode is understood in two steps. Its spelling gives a shape, looked up once per body and spelling (`opcodes` and
//! the files by topic below it); the shape says how the operands become results and sources (`instruction`).
//!
//! An opcode or a combination of modifiers that is not known is never an error: it is
//! [`Opaque`](ptxasw_ir::opcode::Opcode::Opaque), with the effects that it may have. Functions that use words which no instruction
//! has ([`unknown_words`]) are not rewritten.

pub mod form;

mod body;
mod compare;
mod control;
mod convert;
mod error;
mod floating;
mod flow;
mod header;
mod immediate;
mod initial;
mod instruction;
mod integer;
mod labels;
mod memory;
mod modifiers;
mod names;
mod opcodes;
mod operands;
pub(crate) mod pragma;
mod scoped;
mod shape;
mod special;
mod transfer;
mod unmodelled;
mod warp;
mod words;

#[cfg(test)]
mod tests;

pub use body::body;
pub use error::{DecodeError, DecodeErrors};
pub use header::headers;
pub use modifiers::type_of;
pub use special::special_name;
pub use words::{UnknownWord, unknown_word, unknown_words};

use crate::ast;

/// Decodes a whole module; on errors, the first of each function that has one.
pub fn decode(module: &ast::Module) -> Result<form::Module, DecodeErrors> {
    let mut form = headers(module);
    let mut functions = Vec::with_capacity(form.functions.len());
    let mut errors = Vec::new();
    for index in 0..form.functions.len() {
        match body(module, &form, index) {
            Ok(function) => functions.push(function),
            Err(error) => errors.push(error),
        }
    }
    if !errors.is_empty() {
        return Err(DecodeErrors(errors));
    }
    form.functions = functions;
    Ok(form)
}
