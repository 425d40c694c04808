//! Loads of bytes that nobody writes while the kernel runs go through the non-coherent path (M6): `ptxas` moves them over all stores.

use super::accesses::{AccessId, Accesses};
use super::conflicts::Conflicts;
use crate::{Claim, Fate, Remark, Rewrite, Session};
use ptxasw_emulator::domains::alias::{self, Bytes, Harmless};
use ptxasw_emulator::trace::EventKind;
use ptxasw_ir::function::InstId;
use ptxasw_ir::opcode::{BarrierKind, Opcode};
use ptxasw_ir::patch::{Amend, Amendment, Copied};
use ptxasw_ir::types::Space;
use rustc_hash::FxHashSet;

/// The first architecture that has the path (PTX ISA, "ld.global.nc").
const FIRST_ARCHITECTURE: u32 = 32;
/// Objects that are written, of which each load must be apart.
const MAX_OBJECTS: usize = 64;

impl Conflicts<'_> {
    /// Loads of parameters whose objects no store of the kernel writes, with why; none where another grid or the host may be waited for.
    pub fn unwritten(&mut self, session: &Session) -> Vec<(AccessId, Harmless)> {
        let architecture = session.target.architecture;
        let has_path = architecture.is_some_and(|number| number >= FIRST_ARCHITECTURE);
        if !has_path || !self.known.function.entry || !self.only_weak() || self.polls() {
            return Vec::new();
        }
        let Some(written) = self.written() else {
            return Vec::new();
        };
        let mut found = Vec::new();
        for id in self.known.accesses.ids() {
            let access = self.known.accesses.get(id);
            let bytes = self.bytes(access);
            let plain = !access.is_store && !access.access.non_coherent && !access.access.hints;
            if !plain || access.partial || access.access.space != Space::Global {
                continue;
            }
            let apart = written
                .iter()
                .map(|other| alias::objects_apart(&bytes, other, self.known.assumed));
            // Without a store nothing is in the way of `ptxas`.
            let apart = apart.collect::<Option<Vec<Harmless>>>();
            if let Some([how, ..]) = apart.as_deref() {
                found.push((id, *how));
            }
        }
        found
    }

    /// Whether no block of the kernel waits for another block, another grid, or the host (M10).
    pub fn waits_for_none(&mut self) -> bool {
        self.known.function.entry && self.only_weak() && !self.waits_for_cluster() && !self.polls()
    }

    /// Whether the blocks of a cluster wait for one another.
    fn waits_for_cluster(&self) -> bool {
        let cluster = |opcode: &Opcode| {
            let Opcode::Barrier { kind, .. } = opcode else {
                return false;
            };
            matches!(kind, BarrierKind::ClusterArrive | BarrierKind::ClusterWait)
        };
        self.known
            .function
            .insts
            .iter()
            .any(|inst| cluster(&inst.opcode))
    }

    /// Whether the function has no sync ops but barriers and what lanes do together.
    fn only_weak(&self) -> bool {
        self.known.function.block_ids().all(|block| {
            let stops = &self.known.accesses.block(block).stops;
            stops.iter().all(|&(_, inst)| {
                let opcode = &self.known.function.inst(inst).opcode;
                matches!(
                    opcode,
                    Opcode::Barrier { .. } | Opcode::Shuffle { .. } | Opcode::Vote { .. }
                )
            })
        })
    }

    /// Whether a loop loads from one place again and again: it may wait for somebody.
    pub fn polls(&mut self) -> bool {
        let accesses = self.known.accesses;
        accesses.list.iter().any(|access| {
            let inside = self.known.analyses.loops.innermost(access.block);
            let Some(inside) = inside.filter(|_| !access.is_store && !access.reads_constant())
            else {
                return false;
            };
            let address = self.known.events[access.event as usize].address;
            address.is_none_or(|address| {
                let invariant = self.separation.is_invariant(self.terms, address, inside);
                invariant.unwrap_or(true)
            })
        })
    }

    /// What the stores to global memory write, each object once; none if there are too many.
    fn written(&self) -> Option<Vec<Bytes>> {
        let mut objects = Vec::new();
        let mut seen = FxHashSet::default();
        for event in self.known.events {
            if !matches!(event.kind, EventKind::Store(_)) {
                continue;
            }
            if seen.insert((event.space, event.provenance)) {
                objects.push(event.bytes());
            }
        }
        (objects.len() <= MAX_OBJECTS).then_some(objects)
    }
}

/// Adds the loads to a rewriting, in all copies of the code. `copied`: whether an instruction has a second one.
pub fn amend(
    loads: &[(AccessId, Harmless)],
    accesses: &Accesses,
    copied: impl Fn(InstId) -> bool,
    rewrite: &mut Rewrite,
) {
    let patch = &mut rewrite.patch;
    let gone: FxHashSet<_> = patch
        .remove
        .iter()
        .map(|one| (one.clone, one.inst))
        .collect();
    let clones = patch.clones.iter().map(|clone| Some(clone.id));
    let copies: Vec<Copied> = std::iter::once(None).chain(clones).collect();
    for &(id, how) in loads {
        let inst = accesses.get(id).inst;
        let stays = copies
            .iter()
            .filter(|&&clone| (clone.is_none() || copied(inst)) && !gone.contains(&(clone, inst)));
        let amendments = stays.map(|&clone| Amendment {
            clone,
            inst,
            amend: Amend::NonCoherent,
        });
        let before = patch.amend.len();
        patch.amend.extend(amendments);
        if patch.amend.len() == before {
            continue;
        }
        let what = "nobody writes what its pointer points to: it takes the non-coherent path";
        rewrite
            .remarks
            .push(Remark::new(inst, Fate::NonCoherent, what));
        let why = super::report::structure(how);
        let evidence = format!("the stores of the kernel touch {why}");
        rewrite.claims.push(Claim::new(inst, evidence));
    }
}
