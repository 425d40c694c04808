//! What a pass may ask about the LLVM IR of a function, before it makes a patch.

use super::check::{clonable, unsupported};
use super::error::WriteError;
use super::sites::Sites;
use crate::binding::Binding;
use crate::lower::Lowered;
use crate::view::View;
use ptxasw::ir::function::{InstId, Value};
use ptxasw::ir::patch::{Readable, RegionClone, Site, Text, Uncopyable};

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

    fn site(&self, statement: u32) -> Site {
        self.binding.site_of(statement)
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
}
