//! What the emitter needs to know of a load, and which loads it can rewrite.

use super::Error;
use crate::mutation::{Mutation, active};
use crate::ptx::ast::{Body, Instruction, Module, Operand, Span, StatementKind};

/// A load of 32 bits into one register, without a guard.
#[derive(Clone, Copy, Debug)]
pub struct Load<'a> {
    /// The whole statement.
    pub span: Span,
    /// The register that it sets.
    pub register: &'a str,
    /// The register or symbol of its address.
    pub base: Option<&'a str>,
}

impl<'a> Load<'a> {
    /// Reads statement `index`. Other widths, vectors and guarded loads are refused: no wrapping is written for them.
    pub fn read(module: &Module<'a>, body: &Body, index: u32) -> Result<Self, Error> {
        let statement = body
            .statements
            .get(index as usize)
            .ok_or(Error::NoStatement(index))?;
        let StatementKind::Instruction(instruction) = &statement.kind else {
            return Err(Error::NotALoad(index));
        };
        if !is_word_load(module, instruction) {
            return Err(Error::NotALoad(index));
        }
        let predicated =
            active(Mutation::PredicatedOverwritten) || active(Mutation::PredicatedSource);
        if instruction.guard.is_some() && !predicated {
            return Err(Error::Guarded(index));
        }
        match module.operands(instruction) {
            [
                Operand::Name {
                    span,
                    negated: false,
                },
                Operand::Address { base, .. },
                ..,
            ] => Ok(Load {
                span: statement.span,
                register: module.str(*span),
                base: base.map(|span| module.str(span)),
            }),
            _ => Err(Error::NotALoad(index)),
        }
    }
}

/// Modifiers come in any order; the type is the one of 32 bits.
fn is_word_load(module: &Module, instruction: &Instruction) -> bool {
    let mut words = module.str(instruction.opcode).split('.');
    matches!(words.next(), Some("ld" | "ldu"))
        && words.any(|word| {
            matches!(word, "b32" | "u32" | "s32" | "f32")
                || word == "u16" && active(Mutation::WidthMismatch)
        })
}
