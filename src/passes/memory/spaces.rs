//! Memory-space inference (gpucc, section 4): a generic access whose pointer provably comes from global memory is one of global
//! memory. The provenance of addresses is the emulator's.

use crate::emulator::trace::Event;
use crate::ir::function::InstId;
use crate::ir::opcode::Opcode;
use crate::ir::patch::{Amend, Amendment, Copied};
use crate::ir::types::Space;
use crate::passes::{Kind, Remark, Rewrite, Session};
use rustc_hash::FxHashSet;

/// Amends generic accesses that stay, where their state space is known to be global, in all copies of the code; `copied`: whether an
/// instruction has a second one. `named`: of these the second one alone, as tests at its entry show it.
pub fn resolve(
    session: &Session,
    events: &[Event],
    copied: impl Fn(InstId) -> bool,
    named: &FxHashSet<InstId>,
    rewrite: &mut Rewrite,
) {
    let patch = &mut rewrite.patch;
    let gone = patch.remove.iter().map(|one| (one.clone, one.inst));
    let gone: FxHashSet<_> = gone.collect();
    let clones = patch.clones.iter().map(|clone| Some(clone.id));
    let copies: Vec<Copied> = std::iter::once(None).chain(clones).collect();
    for event in events {
        let inst = session.function.inst(event.inst);
        let generic = match &inst.opcode {
            Opcode::Load(access) | Opcode::Store(access) => access.space == Space::Generic,
            _ => false,
        };
        let tested = named.contains(&event.inst);
        let global = event.space == Space::Global || tested;
        if !generic || event.carried.is_some() || !global {
            continue;
        }
        let stays = copies.iter().filter(|&&clone| {
            let there = clone.is_none() && !tested || clone.is_some() && copied(event.inst);
            there && !gone.contains(&(clone, event.inst))
        });
        let amendments = stays.map(|&clone| Amendment {
            clone,
            inst: event.inst,
            amend: Amend::Space(Space::Global),
        });
        let before = patch.amend.len();
        patch.amend.extend(amendments);
        if patch.amend.len() > before {
            let what = match tested {
                true => "its pointer is one of global memory, tested at the entry",
                false => "its pointer is one of global memory",
            };
            let remark = Remark::new(event.inst, Kind::Space, what);
            rewrite.remarks.push(remark);
        }
    }
}
