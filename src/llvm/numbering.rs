//! Statement numbers and names of values.
//!
//! Plans and reports name a place in a function by a number. Number 0 is the start of the function, where its parameters
//! are defined; the instructions follow in the order of the text, over all basic blocks, phis and terminators included:
//! the first has number 1. Values are named as LLVM prints them: `%i`, or `%12` for one without a name.

use crate::view::print::quoted;
use crate::view::{Block, Val};
use inkwell::llvm_sys::{LLVMOpcode, LLVMTypeKind};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// A basic block and its statements.
#[derive(Clone, Debug)]
pub struct NumberedBlock<'m> {
    /// The block.
    pub block: Block<'m>,
    /// Its statements, the terminator included. Those of the first block start at 1.
    pub statements: Range<u32>,
    /// How many of them are phis.
    pub phis: u32,
}

/// The statements of a function.
#[derive(Clone, Debug)]
pub struct Numbering<'m> {
    /// The function.
    pub function: Val<'m>,
    /// Instructions; that of number `n` is at `n - 1`.
    instructions: Vec<Val<'m>>,
    /// Blocks in the order of the text.
    parts: Vec<NumberedBlock<'m>>,
    numbers: FxHashMap<Val<'m>, u32>,
    blocks: FxHashMap<Block<'m>, u32>,
    names: FxHashMap<Val<'m>, Box<str>>,
}

impl<'m> Numbering<'m> {
    /// Numbers a function with a body.
    pub fn new(function: Val<'m>) -> Self {
        let mut numbering = Numbering {
            function,
            instructions: Vec::new(),
            parts: Vec::new(),
            numbers: FxHashMap::default(),
            blocks: FxHashMap::default(),
            names: FxHashMap::default(),
        };
        // LLVM counts parameters, blocks and instructions without a name together.
        let mut slot = 0;
        for parameter in function.parameters() {
            numbering.name(parameter, &mut slot);
        }
        for block in function.blocks() {
            if block.name().is_empty() {
                slot += 1;
            }
            numbering.add(block, &mut slot);
        }
        numbering
    }

    fn add(&mut self, block: Block<'m>, slot: &mut u32) {
        let start = self.instructions.len() as u32 + 1;
        let mut phis = 0;
        for instruction in block.instructions() {
            phis += u32::from(instruction.opcode() == LLVMOpcode::LLVMPHI);
            self.instructions.push(instruction);
            self.numbers
                .insert(instruction, self.instructions.len() as u32);
            if instruction.ty().kind() != LLVMTypeKind::LLVMVoidTypeKind {
                self.name(instruction, slot);
            }
        }
        self.blocks.insert(block, self.parts.len() as u32);
        self.parts.push(NumberedBlock {
            block,
            statements: start..self.instructions.len() as u32 + 1,
            phis,
        });
    }

    fn name(&mut self, value: Val<'m>, slot: &mut u32) {
        let name = value.name();
        let printed = match name.is_empty() {
            true => {
                *slot += 1;
                format!("%{}", *slot - 1)
            }
            false => format!("%{}", quoted(&name)),
        };
        self.names.insert(value, printed.into());
    }

    /// The instruction of a number; none for 0 and for numbers past the end.
    pub fn instruction(&self, statement: u32) -> Option<Val<'m>> {
        let index = statement.checked_sub(1)?;
        self.instructions.get(index as usize).copied()
    }

    /// The number of an instruction of the function.
    pub fn statement(&self, instruction: Val<'m>) -> Option<u32> {
        self.numbers.get(&instruction).copied()
    }

    /// All blocks, in the order of the text.
    pub fn parts(&self) -> &[NumberedBlock<'m>] {
        &self.parts
    }

    /// The place of a block in [`Numbering::parts`].
    pub fn part(&self, block: Block<'m>) -> Option<usize> {
        self.blocks.get(&block).map(|&index| index as usize)
    }

    /// How LLVM prints a parameter or the result of an instruction, with `%`.
    pub fn name_of(&self, value: Val<'m>) -> Option<&str> {
        self.names.get(&value).map(|name| &**name)
    }

    /// All parameters and results by their names.
    pub fn by_name(&self) -> FxHashMap<&str, Val<'m>> {
        let pairs = self.names.iter();
        pairs.map(|(&value, name)| (&**name, value)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::read;
    use crate::view::View;
    use inkwell::context::Context;

    const TEXT: &str = r#"
define i32 @f(i32 %0, i32 %"a b") {
  %2 = add i32 %0, %"a b"
  store i32 %2, ptr null
  br label %next

next:
  %3 = phi i32 [ %2, %1 ], [ %x, %4 ]
  br label %4

4:
  %x = add i32 %3, 1
  %5 = icmp eq i32 %x, 0
  br i1 %5, label %next, label %6

6:
  ret i32 %x
}
"#;

    #[test]
    fn names_and_numbers_are_llvms() {
        let context = Context::create();

        let module = read(&context, TEXT.as_bytes(), "a.ll").expect("reads");
        let function = View::new(&module).functions()[0];
        let numbering = Numbering::new(function);
        let ranges: Vec<_> = numbering
            .parts()
            .iter()
            .map(|part| (part.statements.clone(), part.phis))
            .collect();
        assert_eq!(ranges, [(1..4, 0), (4..6, 1), (6..9, 0), (9..10, 0)]);
        for statement in 1..10 {
            let instruction = numbering.instruction(statement).expect("there");
            assert_eq!(numbering.statement(instruction), Some(statement));
            let printed = instruction.print();
            match numbering.name_of(instruction) {
                Some(name) => {
                    assert!(
                        printed.trim().starts_with(&format!("{name} = ")),
                        "{printed}"
                    );
                    assert_eq!(numbering.by_name()[name], instruction);
                }
                None => assert!(!printed.contains(" = "), "{printed}"),
            }
        }
        let second = function.parameters()[1];
        assert_eq!(numbering.name_of(second), Some("%\"a b\""));
        assert!(numbering.instruction(0).is_none() && numbering.instruction(10).is_none());
    }
}
