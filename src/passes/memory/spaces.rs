//! Memory-space inference (gpucc, section 4): a generic access whose pointer provably comes from global memory is one of global
//! memory, and one whose pointer comes from a variable of shared or local memory is one of that, at an address that is converted.
//! The provenance of addresses is the emulator's.

use super::accesses::AccessId;
use super::conflicts::Conflicts;
use super::wide::Wide;
use crate::{Fate, Remark, Rewrite, Session};
use ptxasw_emulator::trace::Event;
use ptxasw_ir::function::InstId;
use ptxasw_ir::opcode::Opcode;
use ptxasw_ir::patch::{Amend, Amendment, Copied};
use ptxasw_ir::types::Space;
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
        let stays = !session.may_change(event.inst);
        if !generic || event.carried.is_some() || !global || stays {
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
            let remark = Remark::new(event.inst, Fate::Space, what);
            rewrite.remarks.push(remark);
        }
    }
}

/// What makes an access right that uses the offset of a variable.
const CONVERT: &str = "convert the address by `cvta` (`addrspacecast` in LLVM IR), or name the state space in the access";

/// Names generic accesses whose address was never made generic. They fault, so they stay, and nothing is concluded from them.
pub fn name_unconverted(events: &[Event], rewrite: &mut Rewrite) {
    for event in events.iter().filter(|event| event.carried.is_none()) {
        let Some(space) = event.unconverted else {
            continue;
        };
        let space = match space {
            Space::Shared | Space::SharedCluster => "shared memory",
            Space::Local => "local memory",
            Space::Const => "constant memory",
            _ => "a parameter",
        };
        let what =
            format!("generic access through an address of {space} that was not converted by cvta");
        rewrite.remarks.push(Remark {
            lift: Some(CONVERT),
            ..Remark::new(event.inst, Fate::Kept, what)
        });
    }
}

/// Whether addresses of a space are others than generic ones.
pub fn is_windowed(space: Space) -> bool {
    matches!(space, Space::Shared | Space::Local)
}

impl Conflicts<'_> {
    /// Generic accesses of shared and of local memory that stay, each by itself; `ptxas` leaves them generic.
    pub fn windowed(&self, gone: impl Fn(AccessId) -> bool) -> Vec<Wide> {
        let ids = self.known.accesses.ids().filter(|&id| {
            let access = self.known.accesses.get(id);
            let event = &self.known.events[access.event as usize];
            is_windowed(event.space)
                && access.access.space == Space::Generic
                && event.carried.is_none()
                && self.may_change(access)
                && !access.partial
                && !access.access.hints
                && access.access.skipped == 0
                && access.has_whole_elements()
                && access.element_bytes() > 1
                && !gone(id)
        });
        ids.map(|id| self.alone(id)).collect()
    }
}
