//! Which loads can be a source or a destination at all, whatever their addresses.

use super::covered;
use crate::shuffle::model::data::Data;
use crate::shuffle::model::run::Run;
use crate::shuffle::refusal::{Refusal, c1, limit};
use ptxasw_base::mutation::{Mutation, active};
use ptxasw_emulator::trace::Event;
use ptxasw_ir::function::{Value, ValueDef};
use ptxasw_ir::opcode::Opcode;
use ptxasw_ir::types::Space;
use rustc_hash::FxHashSet;

/// Operations between a guard and what it comes from that are looked at.
const MAX_GUARD_STEPS: usize = 1024;

impl Run<'_> {
    /// Whether a load can be a source or a destination at all, and of which bytes.
    pub(super) fn eligible(&self, event: &Event) -> Result<Data, Refusal> {
        let Some(access) = event.load() else {
            return Err(Refusal::new(&limit::NO_LOAD));
        };
        if !access.order.is_weak() {
            return Err(Refusal::new(&c1::ORDERED));
        }
        if event.space == Space::Generic {
            return Err(Refusal::new(&c1::GENERIC));
        }
        if event.space == Space::Shared && !self.options.shared {
            return Err(Refusal::new(&c1::SHARED));
        }
        if !matches!(event.space, Space::Global | Space::Const | Space::Shared) {
            return Err(Refusal::new(&c1::LOCAL));
        }
        if event.guarded
            && (covered::is_corner_load(self.function, event.inst) || self.is_corner_load(event))
        {
            return Err(Refusal::new(&limit::CORNER));
        }
        let data = match event.carried {
            None => self.data(event)?,
            Some(_) => self.carried_data(event)?,
        };
        if event.address.is_none() {
            return Err(Refusal::new(&limit::WIDE_ADDRESS));
        }
        if self.analyses.loops.irreducible(event.block) {
            return Err(Refusal::new(&limit::IRREDUCIBLE));
        }
        Ok(data)
    }

    /// The bytes of a load whose registers the back end can take apart.
    fn data(&self, event: &Event) -> Result<Data, Refusal> {
        let (Some(access), Some(loaded)) = (event.load(), self.text.loaded(event.origin)) else {
            return Err(Refusal::new(&limit::OPERANDS));
        };
        if event.bytes > u32::BITS || !loaded.elements.iter().flatten().all(|held| held.movable) {
            return Err(Refusal::new(&limit::VALUE));
        }
        let element = access.ty.bits / 8;
        let each = ((1u64 << element) - 1) as u32;
        let used = loaded.used_bytes.map_or(u32::MAX, |used| used as u32);
        let (mut given, mut needed) = (0, 0);
        for (index, _) in (0..)
            .zip(&loaded.elements)
            .filter(|(_, held)| held.is_some())
        {
            let bytes = each << (index * element);
            given |= match active(Mutation::UndefinedBytes) {
                true => bytes,
                false => bytes & used,
            };
            if bytes & used != 0 {
                needed |= bytes;
            }
        }
        if needed == 0 {
            return Err(Refusal::new(&limit::DROPPED));
        }
        Ok(Data {
            element,
            given,
            needed,
        })
    }

    /// Whether its guard comes from a shuffle, a vote or an active mask: a corner load of code that shuffles already.
    fn is_corner_load(&self, event: &Event) -> bool {
        let Some((guard, _)) = self.function.inst(event.inst).guard else {
            return false;
        };
        let mut seen: FxHashSet<Value> = FxHashSet::default();
        let mut work = vec![guard];
        while let Some(value) = work.pop() {
            if seen.len() >= MAX_GUARD_STEPS || !seen.insert(value) {
                continue;
            }
            let ValueDef::Result(inst, _) = self.function.value(value).def else {
                continue;
            };
            let inst = self.function.inst(inst);
            match &inst.opcode {
                Opcode::Shuffle { .. } | Opcode::Vote { .. } | Opcode::ActiveMask => return true,
                Opcode::Op(_) => work.extend(&inst.args),
                _ => {}
            }
        }
        false
    }
}
