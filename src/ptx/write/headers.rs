//! What a patch says of the whole function: directives in front of its body, and the `.version` of its module.

use super::WriteError;
use crate::ast::{Function, Module};
use crate::text::layout::{Layout, Place};
use ptxasw_ir::opcode::Opcode;
use ptxasw_ir::patch::{Directives, Patch, Step};

/// Puts directives in front of the body.
pub(super) fn directives(
    wanted: &Directives,
    (function, entry): (&Function, bool),
    module: &Module,
    layout: &mut Layout,
) -> Result<(), WriteError> {
    let registers = wanted.max_registers.map(|count| (".maxnreg", vec![count]));
    let threads = wanted.required_threads;
    let threads = threads.map(|threads| (".reqntid", threads.to_vec()));
    let body = function.body.as_ref().ok_or(WriteError::NoBody)?;
    for (name, numbers) in registers.into_iter().chain(threads) {
        let excludes = |one: &str| one == name || name == ".reqntid" && one == ".maxntid";
        let mut there = function.directives.iter();
        let there = there.any(|one| excludes(module.str(one.name)));
        if !entry || there || numbers.contains(&0) {
            return Err(WriteError::Directive(name));
        }
        let numbers: Vec<String> = numbers.iter().map(u32::to_string).collect();
        let line = format!("{name} {}", numbers.join(", "));
        layout.before(Place::Before, body.span.start, &[line.into()]);
    }
    Ok(())
}

/// The lowest `.version` that knows what a patch inserts: major, minor (PTX ISA, "Release Notes"). Of pure operations, some of which
/// are young (`szext`, `bmsk`, those of bf16), the pass says so itself, by the version among its directives.
pub fn needed_version(patch: &Patch) -> Option<(u16, u16)> {
    let declared = patch.directives.version;
    let declared = declared.map(|(major, minor)| (u16::from(major), u16::from(minor)));
    let steps = patch.insert.iter().flat_map(|insertion| &insertion.steps);
    steps.filter_map(of_step).chain(declared).max()
}

/// The version of PTX from which on accesses may have 32 bytes.
pub const VECTORS_OF_32_BYTES: (u16, u16) = (8, 8);

fn of_step(step: &Step) -> Option<(u16, u16)> {
    match step {
        Step::If {
            then, otherwise, ..
        } => then.iter().chain(otherwise).filter_map(of_step).max(),
        Step::Inst { opcode, .. } => match opcode {
            Opcode::ActiveMask => Some((6, 2)),
            Opcode::Shuffle { .. } | Opcode::Vote { .. } | Opcode::Match { .. } => Some((6, 0)),
            Opcode::Barrier { .. } => Some((6, 0)),
            Opcode::Load(access) | Opcode::Store(access) if access.bytes() > 16 => {
                Some(VECTORS_OF_32_BYTES)
            }
            Opcode::Load(access) | Opcode::Store(access) if !access.order.is_weak() => Some((6, 0)),
            _ => None,
        },
    }
}
