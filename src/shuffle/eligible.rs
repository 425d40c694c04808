//! Which loads can be a source or a destination at all, whatever their addresses.

use super::covered;
use super::refusal::{ConditionName, Refusal};
use super::synthesis::Run;
use crate::emulator::trace::Event;
use crate::ir::function::Value;
use crate::ir::types::Space;
use crate::mutation::{Mutation, active};

impl Run<'_> {
    /// Whether a load can be a source or a destination at all.
    pub(super) fn eligible(&self, event: &Event) -> Result<(), Refusal> {
        let limit = |reason: &str| Err(Refusal::new(ConditionName::Limit, reason));
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
            return Err(
                Refusal::new(ConditionName::C1, "a generic pointer of unknown origin")
                    .lift("a pointer that comes from a kernel parameter or a variable"),
            );
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
        if event.guarded && covered::is_corner_load(self.function, event.inst) {
            return limit("a shuffle covers the load already, but for corner lanes");
        }
        let predicated =
            active(Mutation::PredicatedOverwritten) || active(Mutation::PredicatedSource);
        if event.guarded && !predicated {
            return limit("the load is predicated (not covered yet)");
        }
        if access.elements != 1 {
            return limit("a vector load (not covered yet)");
        }
        let result = self.function.inst(event.inst).results.first();
        let word = access.ty.bits == 32 && result.is_some_and(|&value| self.is_word(value));
        if !word && !active(Mutation::WidthMismatch) {
            return limit("only 32-bit data in 32-bit registers are covered yet");
        }
        if !self.registers.loads_all_bytes(event.origin) && !active(Mutation::UndefinedBytes) {
            return Err(Refusal::new(
                ConditionName::C6,
                "not all bytes of the load are defined",
            ));
        }
        if event.address.is_none() {
            return limit("the address has more than 64 bits");
        }
        if self.analyses.loops.irreducible(event.block) {
            return limit("the control flow is irreducible here");
        }
        Ok(())
    }

    /// A value of 32 bits in a register of 32 bits.
    fn is_word(&self, value: Value) -> bool {
        self.function.value(value).width == 32 && self.registers.held(value).is_some()
    }
}
