//! Patches, carried out on modules of LLVM's.

use crate::kernels::{self, Entry};
use crate::lower;
use crate::mark;
use crate::numbering::Numbering;
use crate::origins::{Before, Copies, StatementOrigins};
use crate::view::View;
use crate::write::{self, stored};
use inkwell::module::Module;
use ptxasw_driver::pipeline::Mark;
use ptxasw_driver::pipeline::ssa::Refused;
use ptxasw_ir::patch::{Patch, Target, verify};
use rustc_hash::FxHashSet;

/// The number of a function, its patch, and the mark that it has then.
pub type Patched = (usize, (Patch, Mark));

/// What the writer makes of a patch.
pub fn patch_target(architecture: Option<u32>) -> Target {
    Target {
        architecture,
        merges_arms: true,
        has_32_bytes: false,
        bypasses_division: true,
        contracts: false,
        optimizes_scalars: true,
    }
}

/// Whether LLVM finds a module valid.
///
/// # Errors
/// Its first complaint.
pub fn valid(module: &Module) -> Result<(), String> {
    module.verify().map_err(|message| {
        let message = message.to_string_lossy();
        message.lines().next().unwrap_or_default().to_owned()
    })
}

/// Carries out the patches of a round, and marks their functions.
///
/// # Errors
/// The functions of which the patches can't be carried out, and why: all others are changed.
pub fn write_patches(
    module: &Module,
    patches: &[Patched],
    mut origins: Option<&mut StatementOrigins>,
) -> Result<(), Vec<(usize, Refused)>> {
    let view = View::new(module);
    let entries = kernels::functions(view);
    let mut refused = Vec::new();
    for (function, (patch, mark)) in patches {
        let entry = &entries[*function];
        let lowered = lower::lower(view, entry);
        let before = Before::new(lowered.numbering.clone());
        let removed = patch.remove.iter().filter(|one| one.clone.is_none());
        let removed = removed.map(|one| lowered.function.inst(one.inst).origin);
        let removed = removed.collect();
        let written = match verify(&lowered.function, patch) {
            Ok(verified) => write::write(view, &lowered, &verified)
                .map_err(|error| Refused::Text(error.to_string())),
            Err(error) => Err(Refused::Fault(error.to_string())),
        };
        match written {
            Ok(copies) => {
                mark::write(entry, mark);
                if let Some(origins) = &mut origins {
                    origins.patched(&before, &removed, &copies);
                }
            }
            Err(why) => refused.push((*function, why)),
        }
    }
    if !refused.is_empty() {
        return Err(refused);
    }
    if patches.iter().any(|(_, (patch, _))| stored::cuts(patch)) {
        freeze_others(view, &entries, patches, origins);
    }
    Ok(())
}

/// Freezes what functions store that are no kernels, and have no patch: a kernel that has one may call them.
fn freeze_others(
    view: View,
    entries: &[Entry],
    patches: &[Patched],
    mut origins: Option<&mut StatementOrigins>,
) {
    for (number, entry) in entries.iter().enumerate() {
        if entry.kernel || patches.iter().any(|(function, _)| *function == number) {
            continue;
        }
        let before = Before::new(Numbering::new(entry.function));
        stored::freeze(view, entry.function);
        if let Some(origins) = &mut origins {
            origins.patched(&before, &FxHashSet::default(), &Copies::default());
        }
    }
}
