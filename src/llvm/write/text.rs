//! What a pass may ask about the LLVM IR of a function, before it makes a patch.

use super::check::{clonable, unsupported};
use super::error::WriteError;
use super::sites::Sites;
use crate::binding::{Binding, FALLBACK, is_load};
use crate::lower::{Lowered, memory_type};
use crate::view::layout::Scalar;
use crate::view::{Ty, Val, View};
use inkwell::llvm_sys::{LLVMOpcode, LLVMTypeKind};
use ptxasw_ir::function::{BlockId, InstId, Value};
use ptxasw_ir::patch::{Place, Readable, RegionClone, Site, Text, Uncopyable};
use ptxasw_ir::registers::{BlockText, Carrier, Element, Held, Loaded};
use ptxasw_ir::types::Type;
use std::ops::Range;

/// Elements of a vector that a load may have.
const MAX_ELEMENTS: u64 = 8;

/// A function as the writer sees it.
pub struct FunctionText<'a, 'm> {
    view: View<'m>,
    sites: Sites<'a, 'm>,
    binding: Binding<'a, 'm>,
}

impl<'a, 'm> FunctionText<'a, 'm> {
    /// Of a lowered function of a module; `binding` knows its lines.
    pub fn new(view: View<'m>, lowered: &'a Lowered<'m>, binding: Binding<'a, 'm>) -> Self {
        FunctionText {
            view,
            sites: Sites::new(view, lowered),
            binding,
        }
    }
}

impl Text for FunctionText<'_, '_> {
    fn readable(&self, value: Value) -> Readable {
        let (mut values, mut ops) = (Vec::new(), Vec::new());
        if self.sites.readable(value, &mut values, &mut ops).is_err() {
            return Readable::No;
        }
        let ftz = self.sites.lowered.numbering.function.flushes();
        match unsupported(self.view.raw(), ftz, &ops) {
            None if ops.is_empty() => Readable::Directly,
            None => Readable::ByCopy,
            Some(_) => Readable::No,
        }
    }

    fn redirectable(&self, value: Value) -> bool {
        self.sites.scalar(value).is_some()
    }

    fn defines_all(&self, _: InstId) -> bool {
        true
    }

    fn place(&self, statement: u32) -> Place {
        self.binding.place_of(statement)
    }

    fn site(&self, statement: u32) -> Site {
        self.binding.site_of(statement)
    }

    fn keeps_loop(&self, header: BlockId) -> bool {
        let function = self.sites.function();
        let goes_there = |block: &BlockId| {
            let mut targets = function.block(*block).terminator.targets().into_iter();
            targets.any(|target| target.block == header)
        };
        let mut ends = function
            .block_ids()
            .filter(goes_there)
            .filter_map(|block| self.sites.terminator(block));
        ends.any(|end| {
            let properties = end.metadata("llvm.loop").map(|node| node.node_operands());
            let mut properties = properties.unwrap_or_default().into_iter().flatten();
            properties.any(|property| {
                let name = property.node_operands().into_iter().flatten().next();
                let name = name.and_then(|name| name.metadata_text());
                name.as_deref() == Some("llvm.loop.unroll.disable")
            })
        })
    }

    fn clonable(&self, clone: &RegionClone) -> Result<(), Uncopyable> {
        let function = self.sites.function();
        clonable(&self.sites, clone).map_err(|error| {
            let (block, what) = match error {
                WriteError::PartOfSwitch(block) => (Some(block), "a part of a `switch`"),
                WriteError::NotCloneable(block) => (Some(block), "what LLVM cannot clone"),
                _ => (None, "a place that the function does not have"),
            };
            Uncopyable {
                origin: block.map_or(0, |block| function.block(block).origin),
                what,
            }
        })
    }
    fn held(&self, value: Value) -> Option<Held<'_>> {
        let held = (*self.binding.lowered.held.get(value.index())?)?;
        let name = self.binding.lowered.numbering.name_of(held)?;
        let scalar = match self.binding.layout.leaves(held.ty())[..] {
            [leaf] => leaf.scalar,
            _ => return None,
        };
        let width = self.binding.lowered.function.value(value).width;
        (scalar.bits() == u64::from(width)).then(|| Held {
            name: name.into(),
            stable: true,
            integer: matches!(scalar, Scalar::Integer(_)),
        })
    }

    fn loaded(&self, statement: u32) -> Option<Loaded> {
        let load = self.binding.lowered.numbering.instruction(statement)?;
        if !is_load(load) {
            return None;
        }
        let ty = load.ty();
        let simple = match ty.kind() {
            LLVMTypeKind::LLVMVectorTypeKind => ty.count() <= MAX_ELEMENTS,
            LLVMTypeKind::LLVMStructTypeKind | LLVMTypeKind::LLVMArrayTypeKind => false,
            _ => true,
        };
        let movable = fits(ty);
        let element = Some(Element {
            movable,
            stable: true,
            exact: true,
        });
        let leaves = self.binding.layout.leaves(ty);
        simple.then(|| Loaded {
            elements: leaves.iter().map(|_| element).collect(),
            used_bytes: None,
        })
    }

    /// The phi.
    fn carrier(&self, parameter: Value, ty: Type) -> Option<Carrier> {
        let phi = (*self.binding.lowered.held.get(parameter.index())?)?;
        let name = self.binding.lowered.numbering.name_of(phi)?;
        let own = match self.binding.layout.leaves(phi.ty())[..] {
            [leaf] if fits(phi.ty()) => memory_type(leaf.scalar)?,
            _ => return None,
        };
        (own.bits == ty.bits).then(|| Carrier {
            name: name.into(),
            ty: own,
        })
    }

    /// The phi.
    fn kept(&self, parameter: Value, _statement: u32) -> Option<Box<str>> {
        let held = self.held(parameter)?;
        held.integer.then(|| held.name.into())
    }

    /// The first that is no phi.
    fn first_statement(&self, block: BlockId) -> Option<u32> {
        let part = self.binding.part(block)?;
        Some(part.statements.start + part.phis)
    }

    /// The terminator. A `switch` decides in several blocks; only the first of them is a place.
    fn last_statement(&self, block: BlockId) -> Option<u32> {
        self.binding.part(block)?.statements.end.checked_sub(1)
    }

    fn block_text(&self, block: BlockId) -> BlockText {
        let Some(part) = self.binding.part(block) else {
            return BlockText::default();
        };
        let last = part.statements.end - 1;
        let terminator = self.binding.lowered.numbering.instruction(last);
        let branch = terminator.filter(|one| one.is_branch());
        let targets = branch.map_or_else(Vec::new, Val::successors);
        let target = |index: usize| {
            let part = self.binding.lowered.numbering.part(*targets.get(index)?)?;
            self.binding.blocks.get(&(part as u32)).copied()
        };
        BlockText {
            statements: part.statements.clone(),
            branch: Some(last),
            taken: target(0),
            otherwise: target(1),
            // Nothing can be placed between two blocks.
            next: None,
        }
    }

    fn fallback(&self, block: BlockId) -> Option<BlockId> {
        let last = self.binding.part(block)?.statements.end - 1;
        let test = self.binding.lowered.numbering.instruction(last)?;
        test.has_metadata(FALLBACK)
            .then(|| self.block_text(block).otherwise)?
    }

    /// The code generator finds more that addresses have in common.
    fn machine_share(&self) -> (u32, u32) {
        (7, 10)
    }

    /// LLVM may move an `activemask` that both arms begin with in front of the branch; a ballot differs by its vote.
    fn keeps_arms_apart(&self) -> bool {
        false
    }

    /// The code generator steps addresses in a loop, but finds less of that where the loop is left in the middle.
    fn copied_access(&self) -> u32 {
        1
    }

    fn uncopyable(
        &self,
        _before: u32,
        mut statements: Range<u32>,
        leaves: &[u32],
    ) -> Option<(u32, &'static str)> {
        statements.find_map(|statement| {
            let instruction = self.binding.lowered.numbering.instruction(statement)?;
            let leaves = leaves.contains(&statement);
            single(instruction, leaves).map(|what| (statement, what))
        })
    }
}

/// Why an instruction can't be in a function twice; or why a vote can't be placed in front of it where a copy `leaves`.
fn single(instruction: Val<'_>, leaves: bool) -> Option<&'static str> {
    use LLVMOpcode::*;
    match instruction.opcode() {
        _ if instruction.ty().kind() == LLVMTypeKind::LLVMTokenTypeKind => Some("a token"),
        LLVMCall if instruction.call_attribute("noduplicate").is_some() => {
            Some("a call that may not be doubled")
        }
        LLVMSwitch if leaves => Some("a `switch`"),
        LLVMInvoke | LLVMCallBr | LLVMIndirectBr | LLVMCatchSwitch | LLVMCatchRet
        | LLVMCleanupRet | LLVMResume => Some("a branch to where a label is taken"),
        _ => None,
    }
}

/// Bytes of the widest load that shuffles take apart.
const MAX_BYTES: u64 = 32;

/// Whether values of a type can be taken apart into words: a number or pointer of 8, 16, 32 or 64 bits, or a vector of them that
/// fills its bytes. Pointers are those of 64 bits, as all of the generic, global and constant spaces are.
fn fits(ty: Ty<'_>) -> bool {
    use LLVMTypeKind::*;
    let (element, count) = match ty.kind() {
        LLVMVectorTypeKind => (ty.element(), ty.count()),
        _ => (ty, 1),
    };
    let bytes = match element.kind() {
        LLVMIntegerTypeKind => match element.integer_bits() {
            8 => 1,
            16 => 2,
            32 => 4,
            64 => 8,
            _ => return false,
        },
        LLVMHalfTypeKind | LLVMBFloatTypeKind => 2,
        LLVMFloatTypeKind => 4,
        LLVMDoubleTypeKind => 8,
        // Of the other spaces, some have pointers of 32 bits by an option.
        LLVMPointerTypeKind if matches!(element.address_space(), 0 | 1 | 4) => 8,
        _ => return false,
    };
    bytes * count <= MAX_BYTES
}
