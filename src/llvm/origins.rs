//! Places of a module that passes have changed, as places of the module as it came.

use crate::numbering::Numbering;
use crate::text::{Text, printed_name};
use inkwell::llvm_sys::LLVMOpcode;
use inkwell::llvm_sys::prelude::LLVMValueRef;
use ptxasw_driver::pipeline::{Descent, Origins, Stretch};
use rustc_hash::{FxHashMap, FxHashSet};

/// For each statement of each function, where it comes from in the input module: of statement `n` at `n - 1`.
#[derive(Clone)]
pub struct StatementOrigins {
    functions: FxHashMap<String, Vec<(u32, Descent)>>,
}

/// Instructions that repeat a statement, and its number.
pub type Copies = FxHashMap<LLVMValueRef, u32>;

/// The statements of a function in front of a patch: number and opcode of each.
pub struct Before<'m> {
    numbering: Numbering<'m>,
    opcodes: Vec<LLVMOpcode>,
}

impl<'m> Before<'m> {
    /// Those of a function as it is now.
    pub fn new(numbering: Numbering<'m>) -> Self {
        let statements = (1..).map_while(|statement| numbering.instruction(statement));
        let opcodes = statements.map(|one| one.opcode()).collect();
        Before { numbering, opcodes }
    }
}

impl StatementOrigins {
    /// Of a module as it came, which is printed like this.
    pub fn new(text: &Text) -> Self {
        let functions = text.functions().map(|(name, spans)| {
            let starts = spans.iter().map(|span| (span.start, Descent::Kept));
            (name.to_owned(), starts.collect())
        });
        StatementOrigins {
            functions: functions.collect(),
        }
    }

    /// After a patch of a function, which removed some statements and repeated others. What else it wrote comes from the statement whose
    /// place it takes; where it takes none's, from the statement before.
    pub fn patched(&mut self, before: &Before, removed: &FxHashSet<u32>, copies: &Copies) {
        let function = before.numbering.function;
        let Some(origins) = self.functions.get_mut(&printed_name(&function.name())) else {
            return;
        };
        let now = Numbering::new(function);
        let mut last = origins.first().map_or(0, |(at, _)| *at);
        // The statement after the last one that is still there.
        let mut next = 1;
        let mut new = Vec::new();
        for instruction in (1..).map_while(|statement| now.instruction(statement)) {
            // LLVM may have put a new instruction where a removed one was in memory.
            let alike = |statement: &u32| {
                let opcode = before.opcodes.get(*statement as usize - 1);
                opcode == Some(&instruction.opcode())
            };
            let kept = before.numbering.statement(instruction);
            let kept = kept.filter(|one| !removed.contains(one) && alike(one));
            let copied = copies.get(&instruction.raw()).copied().filter(alike);
            let from = kept
                .or(copied)
                .or_else(|| removed.contains(&next).then_some(next));
            let from = from.and_then(|statement| origins.get(statement as usize - 1));
            let (at, before) = from.copied().unwrap_or((last, Descent::Inserted));
            let descent = match (kept, copied) {
                (Some(_), _) => before,
                (None, Some(_)) => Descent::Copied,
                (None, None) => Descent::Inserted,
            };
            last = at;
            next = kept.map_or(next, |statement| statement + 1);
            new.push((at, descent));
        }
        *origins = new;
    }

    /// For the module as it is now, which is printed like this. What is between statements comes from the last one in front of it.
    pub fn of(&self, text: &Text) -> Origins {
        let mut stretches = Vec::new();
        for (name, spans) in text.functions() {
            let origins = self.functions.get(name);
            let pairs = origins.map(|origins| spans.iter().zip(origins));
            stretches.extend(
                pairs
                    .into_iter()
                    .flatten()
                    .map(|(span, &(to, descent))| Stretch {
                        from: span.start,
                        to,
                        moves: false,
                        descent,
                    }),
            );
        }
        stretches.sort_unstable_by_key(|stretch| stretch.from);
        Origins::new(stretches)
    }
}
