//! Carries a [`Patch`] out on the LLVM module that its function was lowered from.
//!
//! First all of the patch is looked at (`check`): what LLVM has no exact form for, and what the IR cannot say about LLVM's
//! values, is an error before anything changes. Then blocks are cut at the patch's places and cloned (`blocks`), values that
//! several copies of the code define go through slots on the stack (`slots`), and the steps are written. In the end LLVM
//! makes values of the slots and joins what was cut.
//!
//! | file | what |
//! | --- | --- |
//! | `check`, `error` | whether LLVM can have the patch, and why not |
//! | `sites` | places and values of the IR among LLVM's |
//! | `blocks`, `slots` | cut and cloned blocks; values with several definitions |
//! | `places`, `steps`, `reads` | what happens at a place; inserted code; what it reads |
//! | `instruction`, `scalars` | accesses and what lanes do together; parts of vectors and structs |
//! | `guarded` | loads that fewer threads execute |
//! | `builder`, `domain` | new instructions; bit-vector arithmetic |
//! | `opaque`, `floats`, `conversions` | what is no bit-vector arithmetic |
//! | `edits` | statements that go, move and are amended; directives |
//! | `promises`, `lanes` | what a load that serves another one says of other accesses; what other lanes get |
//! | `text` | what passes ask before they make a patch |
//!
//! # Undefined values
//! LLVM's values may be poison where those of the IR are the bits that the hardware would compute. The IR's promises
//! (`no_wrap`) allow no more than that nothing depends on them; so what a step reads forgets the flags of all that it is
//! computed from, unless poison there is undefined behaviour in the original, too. What is left (values of callers, of memory)
//! is frozen where it decides a branch or divides.

mod blocks;
mod builder;
mod check;
mod conversions;
mod domain;
mod edits;
mod error;
mod floats;
mod guarded;
mod instruction;
mod lanes;
mod opaque;
mod places;
mod promises;
mod reads;
mod scalars;
mod sites;
mod slots;
mod steps;
pub mod stored;
#[cfg(test)]
mod tests;
mod text;

pub use error::{Unwritable, WriteError};
pub use text::FunctionText;

use crate::kernels;
use crate::lower::{Lowered, lower};
use crate::mutation::{Mutation, active};
use crate::origins::Copies;
use crate::view::{Val, View};
use blocks::Blocks;
use builder::Builder;
use check::{Outline, check};
use inkwell::llvm_sys::prelude::LLVMValueRef;
use inkwell::module::Module;
use places::Places;
use ptxasw_ir::patch::{Patch, Verified};
use rustc_hash::FxHashSet;
use sites::Sites;
use slots::Slots;
use steps::Writer;

unsafe extern "C" {
    fn ptxasw_forget_promises(values: *const LLVMValueRef, count: usize, handed: bool);
    /// In C++: products and sums of a block are to stay together.
    fn ptxasw_note_homes(function: LLVMValueRef);
}

/// A copy of a module with patches carried out on its functions, which LLVM finds valid. Patches are of functions by their
/// places among those with a body.
///
/// # Errors
/// A patch does not fit its function, or LLVM has no exact form for it.
pub fn written<'c>(
    module: &Module<'c>,
    patches: &[(u32, &Verified)],
) -> Result<Module<'c>, WriteError> {
    let copy = module.clone();
    for &(item, verified) in patches {
        let view = View::new(&copy);
        let functions = kernels::functions(view);
        let entry = functions.get(item as usize);
        let entry = entry.ok_or(WriteError::NoFunction(item))?;
        write(view, &lower(view, entry), verified)?;
    }
    copy.verify().map_err(|message| {
        let message = message.to_string_lossy();
        WriteError::Invalid(message.lines().next().unwrap_or_default().to_owned())
    })?;
    Ok(copy)
}

/// Carries out a patch of a function, and returns the statements of its clones. What was lowered is no longer the function's afterwards. A fault of the writer can leave
/// an invalid module: see [`written`].
///
/// # Errors
/// LLVM has no exact form for the patch; the module is as it was.
pub fn write<'m>(
    view: View<'m>,
    lowered: &Lowered<'m>,
    verified: &Verified,
) -> Result<Copies, WriteError> {
    let patch = verified.patch();
    if patch.is_empty() {
        return Ok(Copies::default());
    }
    let sites = Sites::new(view, lowered);
    let ftz = lowered.numbering.function.flushes();
    let outline = check(view, &sites, patch, ftz)?;
    let places = Places::new(&sites, patch, &outline)?;
    let handed = lanes::handed(&sites, patch)?;
    // From here on the module changes.
    forget_promises(&outline.read, false);
    if !active(Mutation::HandedPromiseKept) {
        forget_promises(&handed, true);
    }
    promises::share(&sites, patch, &outline)?;
    let function = lowered.numbering.function;
    if !active(Mutation::ProductElsewhere) {
        unsafe { ptxasw_note_homes(function.raw()) };
    }
    let b = Builder::new(view.raw(), ftz);
    let mut slots = Slots::new(function.raw());
    let blocks = prepared(&sites, patch, &outline, &places, &b, &mut slots)?;
    let copies = blocks.copies(&lowered.numbering);
    let mut writer = Writer::new(&sites, patch, b, slots, blocks);
    writer.amend(patch)?;
    writer.places(&places)?;
    writer.finish(&outline)?;
    lanes::talk(function, patch);
    edits::directives(view, function, &patch.directives);
    if stored::cuts(patch) {
        stored::freeze(view, function);
    }
    Ok(copies)
}

/// Values, and what they are computed from, lose what may make them poison.
fn forget_promises(values: &[Val], handed: bool) {
    let values: Vec<LLVMValueRef> = values.iter().map(|value| value.raw()).collect();
    unsafe { ptxasw_forget_promises(values.as_ptr(), values.len(), handed) };
}

/// The blocks of a function, cut and cloned, with slots for all values that have several definitions.
fn prepared(
    sites: &Sites,
    patch: &Patch,
    outline: &Outline,
    places: &Places,
    b: &Builder,
    slots: &mut Slots,
) -> Result<Blocks, WriteError> {
    let mut regions = Vec::new();
    for clone in &patch.clones {
        regions.push((clone, sites.positions.of(clone.enter)?));
    }
    let entries = regions.iter().map(|(clone, at)| (clone.id, *at)).collect();
    let mut blocks = Blocks::cut(sites, &places.positions(), entries)?;
    let redirected: FxHashSet<LLVMValueRef> = outline
        .redirects
        .iter()
        .map(|one| one.holder.raw())
        .collect();
    let cloned = blocks.prepare(&regions, slots, b)?;
    let own = outline.redirects.iter().map(|one| one.holder.raw());
    for value in cloned.into_iter().chain(own) {
        slots.demote(b, value, redirected.contains(&value));
    }
    for &(clone, enter) in &regions {
        blocks.clone(b, clone, enter)?;
    }
    for &(clone, enter) in &regions {
        let next = patch.clones.iter().find(|one| one.after == Some(clone.id));
        if clone.after.is_some() || next.is_some() {
            blocks.link(b, clone, next, enter)?;
        }
    }
    Ok(blocks)
}
