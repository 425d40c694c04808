//! What a kernel does to memory, in the order of its text.

use super::data::{Access, AccessKind};
use super::subject::Text;
use ptxasw_driver::pipeline::Reading;
use ptxasw_ir::opcode::Opcode;
use ptxasw_ir::types::Space;
use ptxasw_ptx::decode::form::{Action, Instruction};

/// Loads, stores, atomics, shuffles and barriers of a kernel, but for its parameters.
pub fn all(text: &Text, name: &str) -> Vec<Access> {
    let functions = &text.source.form.functions;
    let index = functions
        .iter()
        .position(|one| one.defined && *one.name == *name);
    let Some(index) = index else {
        return Vec::new();
    };
    let function = &functions[index];
    let depths = depths(text, index, function.instructions.len());
    let instructions = function.instructions.iter().zip(depths);
    let accesses = instructions.filter_map(|(instruction, depth)| {
        let (kind, space, bytes) = access(instruction)?;
        Some(Access {
            line: text.source.lines.line(instruction.span.start),
            kind,
            space: space.to_owned(),
            bytes,
            guarded: instruction.guard.is_some(),
            depth,
        })
    });
    accesses.collect()
}

/// Loops around each instruction.
fn depths(text: &Text, index: usize, count: usize) -> Vec<u32> {
    let mut depths = vec![0; count];
    let Ok(reading) = Reading::read(&text.tree, &text.source.form, index) else {
        return depths;
    };
    let blocks = reading.body.lowered.texts.iter().enumerate();
    for (number, block) in blocks {
        let depth = reading
            .analyses()
            .loops
            .depth(ptxasw_ir::function::BlockId(number as u32));
        let own = depths.get_mut(block.instructions.clone());
        own.into_iter().flatten().for_each(|one| *one = depth);
    }
    depths
}

fn access(instruction: &Instruction) -> Option<(AccessKind, &'static str, u32)> {
    let Action::Do(opcode) = &instruction.action else {
        return None;
    };
    Some(match opcode {
        Opcode::Load(access) => (AccessKind::Load, space(access.space)?, access.bytes()),
        Opcode::Store(access) => (AccessKind::Store, space(access.space)?, access.bytes()),
        Opcode::Atomic { ty, space: of, .. } => {
            (AccessKind::Atomic, space(*of)?, u32::from(ty.bits) / 8)
        }
        Opcode::Shuffle { .. } => (AccessKind::Shuffle, "", 4),
        Opcode::Barrier { .. } => (AccessKind::Barrier, "", 0),
        _ => return None,
    })
}

/// None for parameters, which are no memory that anyone waits for.
fn space(space: Space) -> Option<&'static str> {
    Some(match space {
        Space::Generic => "generic",
        Space::Global => "global",
        Space::Const => "const",
        Space::Shared | Space::SharedCluster => "shared",
        Space::Local => "local",
        Space::ParamEntry | Space::ParamFunc => return None,
    })
}
