//! Loads and memory events: addresses, and the values of constant bytes.

use super::{MAX_WIDTH, Walk};
use crate::symbols;
use crate::term::TermId;
use crate::trace::{Event, EventKind, Provenance};
use ptxasw_base::mutation::{Mutation, active};
use ptxasw_ir::function::{Base, Inst, InstId, Value, ValueDef};
use ptxasw_ir::opcode::{Access, Opcode};
use ptxasw_ir::types::Space;

impl Walk<'_> {
    pub(super) fn load(&mut self, id: InstId, inst: &Inst, access: &Access) {
        self.record(id, inst, EventKind::Load(*access));
        let Some(event) = self.trace.events.last() else {
            return;
        };
        let constant = access.order.is_weak() && event.reads_constant() && !event.guarded;
        let space = event.space;
        let (Some(address), true) = (event.address, constant) else {
            return self.opaque_results(inst);
        };
        for (element, &result) in inst.results.iter().enumerate() {
            let width = self.function.value(result).width;
            if width > MAX_WIDTH {
                continue;
            }
            let key = (space, address, element as u16, width);
            let term = match self.constants.get(&key) {
                Some(&term) => term,
                None => {
                    let name = self.loaded_name(inst, access, element, result);
                    let term = self.opaque_value(name, width, result, inst.block);
                    self.constants.insert(key, term);
                    if access.space == Space::ParamEntry {
                        self.note_parameter(term, width, inst, access, element);
                    }
                    term
                }
            };
            self.values[result.index()] = Some(term);
        }
    }

    /// Where a loaded element of a kernel parameter points to, or that it is no address.
    fn note_parameter(
        &mut self,
        term: TermId,
        width: u8,
        inst: &Inst,
        access: &Access,
        element: usize,
    ) {
        let offset = access.offset + element as i64 * i64::from(access.ty.bits / 8);
        self.parameter(term, width, inst.args.first().copied(), offset);
    }

    /// Kernel parameters carry their name, other loaded values that of the IR value.
    fn loaded_name(&self, inst: &Inst, access: &Access, element: usize, result: Value) -> String {
        if let (Space::ParamEntry, Some(&address)) = (access.space, inst.args.first())
            && let ValueDef::Address(Base::Parameter(index), offset) =
                self.function.value(address).def
            && let Some(parameter) = self.function.params.get(index as usize)
        {
            let offset = offset + access.offset + element as i64 * i64::from(access.ty.bits / 8);
            return if offset == 0 {
                parameter.name.to_string()
            } else {
                format!("{}+{offset}", parameter.name)
            };
        }
        format!("value.{result}")
    }

    pub(super) fn record(&mut self, inst_id: InstId, inst: &Inst, kind: EventKind) {
        let (space, bytes, offset) = match &inst.opcode {
            Opcode::Load(access) | Opcode::Store(access) => {
                (access.space, access.bytes(), access.offset)
            }
            Opcode::Atomic {
                ty, space, offset, ..
            } => (*space, u32::from(ty.bits) / 8, *offset),
            _ => (Space::Generic, 0, 0),
        };
        let written = match (bytes, inst.args.first()) {
            (0, _) | (_, None) => None,
            // Offsets wrap in the width of the address.
            (_, Some(&base)) => self
                .term(base)
                .map(|base| self.terms.offset(base, offset as u64)),
        };
        let target = written.and_then(|address| self.provenance(address));
        let (found, unconverted) = match target {
            Some(target) if space == Space::Generic && !target.is_generic() => {
                (None, Some(target.space))
            }
            Some(target) if space != Space::Generic => {
                let own = target.window.is_none() && target.space.may_overlap(space);
                (Some(target).filter(|_| own), None)
            }
            // LLVM lets a function write to its copies of parameters.
            Some(target) if matches!(target.space, Space::ParamEntry | Space::ParamFunc) => {
                (None, None)
            }
            target => (target, None),
        };
        let mut address = written.map(|address| symbols::resize(&mut self.terms, address, 64));
        let provenance = found.map_or(Provenance::Unknown, |target| target.provenance);
        let space = match found {
            Some(target) if space == Space::Generic => {
                // Counted in its own space, it can be compared with accesses that name that.
                if let (Some(start), Some(generic)) = (target.window, written) {
                    let own = self.terms.sub(generic, start);
                    address = Some(symbols::resize(&mut self.terms, own, 64));
                }
                target.space
            }
            None if space == Space::Generic && active(Mutation::GenericIsGlobal) => Space::Global,
            _ => space,
        };
        self.trace.events.push(Event {
            kind,
            inst: inst_id,
            block: inst.block,
            position: self.trace.events.len() as u32 - self.block_start,
            address,
            bytes,
            space,
            provenance,
            unconverted,
            guarded: inst.guard.is_some(),
            origin: inst.origin,
            carried: None,
        });
    }
}
