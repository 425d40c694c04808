//! Lines of a module that passes have changed, as lines of the module as it came.

use crate::numbering::Numbering;
use crate::text::{Text, printed_name};
use crate::view::View;
use inkwell::llvm_sys::LLVMOpcode;
use inkwell::llvm_sys::prelude::LLVMValueRef;
use ptxasw::pipeline::Lines;
use rustc_hash::{FxHashMap, FxHashSet};

/// For each statement of each function, the line of the input module that it comes from: of statement `n` at `n - 1`.
pub struct InputLines {
    functions: FxHashMap<String, Vec<u32>>,
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

impl InputLines {
    /// Of a module as it came, which is printed like this.
    pub fn new(text: &Text) -> Self {
        let lines = ends(&text.text);
        let functions = text.functions().map(|(name, spans)| {
            let of_statement = spans.iter().map(|span| line(&lines, span.start));
            (name.to_owned(), of_statement.collect())
        });
        InputLines {
            functions: functions.collect(),
        }
    }

    /// After a patch of a function, which removed some statements and repeated others. What else it wrote has the line of the statement
    /// whose place it takes; where it takes none's, that of the statement before.
    pub fn patched(&mut self, before: &Before, removed: &FxHashSet<u32>, copies: &Copies) {
        let function = before.numbering.function;
        let Some(lines) = self.functions.get_mut(&printed_name(&function.name())) else {
            return;
        };
        let now = Numbering::new(function);
        let mut last = lines.first().copied().unwrap_or_default();
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
            let line = from.and_then(|statement| lines.get(statement as usize - 1));
            last = line.copied().unwrap_or(last);
            next = kept.map_or(next, |statement| statement + 1);
            new.push(last);
        }
        *lines = new;
    }

    /// For the module as it is now. Lines between functions have the line of the last statement in front of them.
    pub fn of(&self, view: View) -> Lines {
        let text = Text::new(view);
        let ends = ends(&text.text);
        let mut lines = vec![0; ends.len() + 1];
        for (name, spans) in text.functions() {
            let Some(input) = self.functions.get(name) else {
                continue;
            };
            for (span, &of_input) in spans.iter().zip(input) {
                let index = line(&ends, span.start) as usize - 1;
                lines[index] = of_input;
            }
        }
        let mut last = 1;
        for line in &mut lines {
            last = if *line == 0 { last } else { *line };
            *line = last;
        }
        Lines::new(lines)
    }
}

/// The places of all ends of lines.
fn ends(text: &str) -> Vec<u32> {
    let bytes = (0..).zip(text.bytes());
    bytes
        .filter_map(|(at, byte)| (byte == b'\n').then_some(at))
        .collect()
}

/// The line, from 1, of a byte.
fn line(ends: &[u32], at: u32) -> u32 {
    ends.partition_point(|&end| end < at) as u32 + 1
}
