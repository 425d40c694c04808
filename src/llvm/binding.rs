//! What the passes may ask about the LLVM IR that the SSA IR was lowered from.

use crate::lower::Lowered;
use crate::text::{Text, printed_name};
use crate::view::Val;
use crate::view::layout::Layout;
use inkwell::llvm_sys::LLVMOpcode;
use ptxasw_ir::function::BlockId;
use ptxasw_ir::patch::{Place, Site};
use rustc_hash::FxHashMap;

/// Characters of a statement that reports show.
const MAX_SHOWN: usize = 120;

/// Metadata of a branch that goes to the original of a copy where it is not taken.
pub const FALLBACK: &str = "ptxasw.fallback";

/// The values and statements of one function.
pub struct Binding<'a, 'm> {
    pub(crate) lowered: &'a Lowered<'m>,
    pub(crate) layout: Layout<'m>,
    text: &'a Text,
    /// The function as LLVM prints it.
    name: String,
    /// Blocks by their place in the text.
    pub(crate) blocks: FxHashMap<u32, BlockId>,
}

impl<'a, 'm> Binding<'a, 'm> {
    /// Binds a lowered function to the module as LLVM prints it.
    pub fn new(lowered: &'a Lowered<'m>, layout: Layout<'m>, text: &'a Text) -> Self {
        let parts = (0..).zip(&lowered.parts);
        Binding {
            lowered,
            layout,
            text,
            name: printed_name(&lowered.numbering.function.name()),
            blocks: parts
                .filter_map(|(block, part)| Some(((*part)?, BlockId(block))))
                .collect(),
        }
    }

    /// Where a statement is in the printed module.
    pub fn place_of(&self, statement: u32) -> Place {
        let span = self.text.span(&self.name, statement);
        span.map_or_else(Place::default, |span| Place {
            at: span.start,
            line: self.text.line(span.start),
        })
    }

    /// The place and text of a statement in the printed module.
    pub fn site_of(&self, statement: u32) -> Site {
        let Some(span) = self.text.span(&self.name, statement) else {
            return Site::default();
        };
        let text = &self.text.text[span.start as usize..span.end as usize];
        let words: Vec<&str> = text.split_whitespace().collect();
        Site {
            place: self.place_of(statement),
            text: words.join(" ").chars().take(MAX_SHOWN).collect(),
        }
    }

    /// The block of the text that a block was lowered from.
    pub(crate) fn part(&self, block: BlockId) -> Option<&crate::numbering::NumberedBlock<'m>> {
        let part = (*self.lowered.parts.get(block.index())?)?;
        self.lowered.numbering.parts().get(part as usize)
    }
}

/// A load, or an intrinsic that is one.
pub fn is_load(instruction: Val<'_>) -> bool {
    match instruction.opcode() {
        LLVMOpcode::LLVMLoad => true,
        LLVMOpcode::LLVMCall => instruction.callee().is_some_and(|callee| {
            let name = callee.name();
            ["llvm.nvvm.ldg.global.", "llvm.nvvm.ldu.global."]
                .iter()
                .any(|prefix| name.starts_with(prefix))
        }),
        _ => false,
    }
}
