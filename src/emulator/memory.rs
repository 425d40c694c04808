//! Loads and memory events: addresses, the objects that they point into, and the values of constant bytes.

use super::symbols;
use super::term::{Node, TermId, Unary};
use super::trace::{Event, EventKind, Provenance};
use super::walk::{MAX_WIDTH, Walk};
use crate::ir::function::{Base, Inst, InstId, Value, ValueDef};
use crate::ir::opcode::{Access, Opcode};
use crate::ir::types::Space;
use crate::mutation::{Mutation, active};

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
                    if access.space == Space::ParamEntry && width == 64 && self.may_point(inst) {
                        self.bases
                            .insert(term, (Provenance::Pointer(term), Space::Global));
                    }
                    term
                }
            };
            self.values[result.index()] = Some(term);
        }
    }

    /// Whether an address in what a load of a kernel parameter gives points to global memory.
    fn may_point(&self, inst: &Inst) -> bool {
        let address = inst
            .args
            .first()
            .map(|&value| &self.function.value(value).def);
        match address {
            Some(ValueDef::Address(Base::Parameter(index), _)) => {
                let parameter = self.function.params.get(*index as usize);
                parameter.is_some_and(|parameter| parameter.points_to_global)
            }
            _ => true,
        }
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
        let address = match (bytes, inst.args.first()) {
            (0, _) | (_, None) => None,
            (_, Some(&base)) => self.term(base).map(|base| {
                // Offsets wrap in the width of the address.
                let address = self.terms.offset(base, offset as u64);
                symbols::resize(&mut self.terms, address, 64)
            }),
        };
        let (provenance, found) = match address {
            Some(address) => self.provenance(address),
            None => (Provenance::Unknown, None),
        };
        let space = if space == Space::Generic {
            found.unwrap_or(match active(Mutation::GenericIsGlobal) {
                true => Space::Global,
                false => space,
            })
        } else {
            space
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
            guarded: inst.guard.is_some(),
            origin: inst.origin,
        });
    }

    /// What an address points into: the only object whose address stands in the sum with factor 1, where nothing else in the
    /// sum can be an address. A kernel's pointer parameters point to global memory: no address of another space lives as
    /// long as a launch.
    fn provenance(&self, address: TermId) -> (Provenance, Option<Space>) {
        let unknown = (Provenance::Unknown, None);
        let mut found = None;
        for (atom, coefficient) in self.terms.affine(address).1 {
            match self.bases.get(&atom) {
                Some(&base) if coefficient == 1 && found.is_none() => found = Some(base),
                _ if self.is_distance(atom, coefficient) => {}
                _ => return unknown,
            }
        }
        found.map_or(unknown, |(provenance, space)| (provenance, Some(space)))
    }

    /// A summand that is no address of an object: a multiple, or made of values of at most 32 bits.
    fn is_distance(&self, atom: TermId, coefficient: u64) -> bool {
        let narrow = |term: TermId| match *self.terms.node(term) {
            Node::Unary(Unary::Zext | Unary::Sext, inner) => self.terms.width(inner) <= 32,
            _ => false,
        };
        let multiple = coefficient != 1 && coefficient != u64::MAX;
        multiple
            || narrow(atom)
            || matches!(self.terms.node(atom), Node::Product(factors) if factors.iter().all(|&factor| narrow(factor)))
    }
}
