//! The loads and stores of a module as it came: reports say of each of them what became of it.

use crate::report::positions::SourcePosition;
use ptxasw_ir::function::Function;
use ptxasw_ir::opcode::Opcode;
use ptxasw_ir::types::Space;

/// A load or store of the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct InputAccess {
    /// Where its statement is in the input, in bytes.
    pub at: u32,
    /// It is a store; else it is a load.
    pub is_store: bool,
}

/// The loads and stores of a function of the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputFunction {
    /// Its mangled name.
    pub name: Box<str>,
    /// It is a kernel, not a device function.
    pub entry: bool,
    /// The first position of the source that the text names in it.
    pub source: Option<SourcePosition>,
    /// Some pass has read it; else nothing is known of its accesses.
    pub is_read: bool,
    /// Each statement that loads or stores once, in the order of the text.
    pub accesses: Vec<InputAccess>,
}

/// The loads and stores of a function that no pass has changed yet. `place` is where a statement is in the input. Parameters are
/// no memory.
pub fn of_function(function: &Function, place: impl Fn(u32) -> Option<u32>) -> Vec<InputAccess> {
    let accesses = function.insts.iter().filter_map(|inst| {
        let (access, is_store) = match &inst.opcode {
            Opcode::Load(access) => (access, false),
            Opcode::Store(access) => (access, true),
            _ => return None,
        };
        let is_memory = !matches!(access.space, Space::ParamEntry | Space::ParamFunc);
        let at = is_memory.then(|| place(inst.origin))??;
        Some(InputAccess { at, is_store })
    });
    let mut accesses: Vec<InputAccess> = accesses.collect();
    accesses.sort_unstable();
    accesses.dedup_by_key(|access| access.at);
    accesses
}
