//! Memory-space inference (gpucc, section 4): a generic access whose pointer provably comes from global memory is one of global
//! memory. The provenance of addresses is the emulator's.

use crate::ir::opcode::Opcode;
use crate::ir::patch::{Amend, Amendment};
use crate::ir::types::Space;
use crate::passes::{Kind, Remark, Rewrite, Session};
use rustc_hash::FxHashSet;

/// Amends generic accesses that stay, where their state space is known to be global.
pub fn resolve(session: &Session, rewrite: &mut Rewrite) {
    let Some(emulation) = session.emulation() else {
        return;
    };
    let gone: FxHashSet<_> = rewrite.patch.remove.iter().map(|one| one.inst).collect();
    for event in &emulation.trace.events {
        let inst = session.function.inst(event.inst);
        let generic = match &inst.opcode {
            Opcode::Load(access) | Opcode::Store(access) => access.space == Space::Generic,
            _ => false,
        };
        let known = generic && event.carried.is_none() && event.space == Space::Global;
        if !known || gone.contains(&event.inst) {
            continue;
        }
        rewrite.patch.amend.push(Amendment {
            clone: None,
            inst: event.inst,
            amend: Amend::Space(Space::Global),
        });
        let what = "its pointer is one of global memory";
        rewrite
            .remarks
            .push(Remark::new(event.inst, Kind::Space, what));
    }
}
