//! Which loads can be a source or a destination at all, whatever their addresses.

use super::covered;
use super::refusal::{ConditionName, Refusal, UNKNOWN_ORIGIN};
use super::search::Run;
use crate::emulator::trace::Event;
use crate::ir::function::{Value, ValueDef};
use crate::ir::opcode::Opcode;
use crate::ir::types::Space;
use crate::mutation::{Mutation, active};
use rustc_hash::FxHashSet;

/// Operations between a guard and what it comes from that are looked at.
const MAX_GUARD_STEPS: usize = 1024;

/// The bytes of a load. Masks have bit 0 for the first.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Data {
    /// Of one element.
    pub element: u8,
    /// That its registers hold behind it.
    pub given: u32,
    /// That a shuffle in its place must bring: whole elements, of those of which some byte is used.
    pub needed: u32,
}

impl Data {
    /// All bytes of a load, whatever its registers keep of them.
    pub fn whole(event: &Event) -> Self {
        let all = 1u64 << event.bytes.min(u32::BITS);
        let element = event.load().map_or(u8::BITS as u8, |access| access.ty.bits);
        Data {
            element: element.max(u8::BITS as u8) / u8::BITS as u8,
            given: (all - 1) as u32,
            needed: (all - 1) as u32,
        }
    }
}

impl Run<'_> {
    /// Whether a load can be a source or a destination at all, and of which bytes.
    pub(super) fn eligible(&self, event: &Event) -> Result<Data, Refusal> {
        let limit = |reason: &'static str| Err(Refusal::new(ConditionName::Limit, reason));
        let Some(access) = event.load() else {
            return limit("not a load");
        };
        if !access.order.is_weak() {
            return Err(Refusal::new(
                ConditionName::C1,
                "the load is volatile or orders memory",
            ));
        }
        if event.space == Space::Generic {
            return Err(Refusal::new(ConditionName::C1, UNKNOWN_ORIGIN)
                .lift("a pointer that comes from a kernel parameter or a variable"));
        }
        if event.space == Space::Shared && !self.options.shared {
            return Err(
                Refusal::new(ConditionName::C1, "a generic pointer into shared memory")
                    .lift("`--space shared`"),
            );
        }
        if !matches!(event.space, Space::Global | Space::Const | Space::Shared) {
            return Err(Refusal::new(
                ConditionName::C1,
                "a generic pointer into memory of the thread's own",
            ));
        }
        if event.guarded
            && (covered::is_corner_load(self.function, event.inst) || self.is_corner_load(event))
        {
            return limit("a shuffle covers the load already, but for corner lanes");
        }
        let data = match event.carried {
            None => self.data(event)?,
            Some(_) => self.carried_data(event)?,
        };
        if event.address.is_none() {
            return limit("the address has more than 64 bits");
        }
        if self.analyses.loops.irreducible(event.block) {
            return limit("the control flow is irreducible here");
        }
        Ok(data)
    }

    /// The bytes of a load whose registers the back end can take apart.
    fn data(&self, event: &Event) -> Result<Data, Refusal> {
        let limit = |reason: &'static str| Err(Refusal::new(ConditionName::Limit, reason));
        let (Some(access), Some(loaded)) = (event.load(), self.registers.loaded(event.origin))
        else {
            return limit("its registers or its address are not taken apart");
        };
        if event.bytes > u32::BITS || !loaded.elements.iter().flatten().all(|held| held.movable) {
            return limit("its value does not fit its register as plain bytes");
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
            return limit("its value is dropped");
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
