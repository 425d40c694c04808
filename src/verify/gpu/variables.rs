//! The global variables of a module on a GPU.

use super::buffers;
use super::driver::Module;
use super::error::GpuError;
use super::program::Program;
use ptxasw_executor::launch::Element;
use ptxasw_ir::types::Space;
use ptxasw_ptx::decode::form;
use std::ops::Range;

/// Where a variable that is just loaded holds addresses, and which.
fn addresses(initial: &form::Initial, loaded: &[u8]) -> Vec<(Range<usize>, Vec<u8>)> {
    let form::Initial::Known(contents) = initial else {
        return Vec::new();
    };
    let size = loaded.len();
    let address = |one: &form::InitialAddress| {
        let start = usize::try_from(one.at).map_or(size, |at| at.min(size));
        let range = start..(start + usize::from(one.bytes)).min(size);
        (range.clone(), loaded[range].to_vec())
    };
    contents.addresses.iter().map(address).collect()
}

/// A variable of the original.
pub(super) struct Variable {
    pub name: String,
    pub element: Element,
    /// What it holds before the run, then what it holds after it.
    pub bytes: Vec<u8>,
    /// Where its initial value holds addresses, and these: each module that is loaded has others.
    pub addresses: Vec<(Range<usize>, Vec<u8>)>,
}

/// What a variable of a module holds now.
pub(super) fn held(variable: &Variable, module: &Module) -> Result<Vec<u8>, GpuError> {
    let bytes = variable.bytes.len();
    let view = module.global(&variable.name);
    let Some(view) = view.filter(|view| view.bytes() == bytes as u64) else {
        let name = &variable.name;
        return Err(GpuError::Launch(format!(
            "the module has no variable {name} of {bytes} bytes"
        )));
    };
    buffers::read(view)
}

/// The module's global variables as it is loaded, as far as the driver knows them by name.
pub(super) fn variables(program: &Program, module: &Module) -> Result<Vec<Variable>, GpuError> {
    let mut all = Vec::new();
    let global = |v: &&form::Variable| v.space == Space::Global && !v.external && v.bytes > 0;
    for variable in program.module.variables.iter().filter(global) {
        if let Some(view) = module.global(&variable.name) {
            let bytes = buffers::read(view)?;
            all.push(Variable {
                name: variable.name.to_string(),
                element: Element::unsigned(variable.ty.bits / 8),
                addresses: addresses(&variable.initial, &bytes),
                bytes,
            });
        }
    }
    Ok(all)
}
