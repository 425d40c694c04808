//! The objects that addresses point into.
//!
//! As in C, an address is one of the object whose address is a summand of it. Where another summand could be an address, too,
//! nothing is known. What `mov` gives of a variable that is not in global memory is an offset in the window of its space: it
//! becomes a generic address by `cvta` alone.

use super::Walk;
use crate::term::{Node, TermId, Unary};
use crate::trace::Provenance;
use ptxasw_base::mutation::{Mutation, active};
use ptxasw_ir::function::{Base, Value, ValueDef};
use ptxasw_ir::types::Space;
use smallvec::SmallVec;

/// The object that an address points into.
#[derive(Clone, Copy)]
pub(super) struct Target {
    pub(super) provenance: Provenance,
    /// The state space of the object.
    pub(super) space: Space,
    /// The start of the window that was added to make the address generic. Without one, it is counted in the object's own space;
    /// in global memory that is a generic address as well.
    pub(super) window: Option<TermId>,
}

impl Target {
    /// Whether a generic access may use the address.
    pub(super) fn is_generic(&self) -> bool {
        self.window.is_some() || self.space == Space::Global
    }
}

impl Walk<'_> {
    /// The only object whose address is a summand with factor 1, where nothing else in the sum but the window of its space can be an
    /// address.
    pub(super) fn provenance(&mut self, address: TermId) -> Option<Target> {
        let (mut found, mut window) = (None, None);
        let mut others: SmallVec<[(TermId, u64); 8]> = SmallVec::new();
        let (constant, parts) = self.terms.affine(address);
        for (atom, coefficient) in parts {
            match (self.bases.get(&atom), self.terms.window_at(atom)) {
                (Some(&base), _) if coefficient == 1 && found.is_none() => found = Some(base),
                (None, Some(_)) if coefficient == 1 && window.is_none() => window = Some(atom),
                // No address lies in two windows.
                (None, Some(_)) => return None,
                _ => others.push((atom, coefficient)),
            }
        }
        let found = found.or_else(|| self.extended(&mut others));
        let (provenance, space) = found?;
        let fits = |start: TermId| self.terms.window_at(start) == Some(space);
        if !window.is_none_or(fits) {
            return None;
        }
        let width = self.terms.width(address);
        // Addresses of these have few bits: what is narrow may be one.
        let short = width < 64 || space != Space::Global;
        // 2^32 or more, added to a 32-bit offset, may select another window.
        let is_far =
            |number: u64| width == 64 && short && (number as i64).unsigned_abs() >> 32 != 0;
        if is_far(constant) {
            return None;
        }
        let distances = others.into_iter().all(|(atom, coefficient)| {
            let multiple = coefficient != 1 && coefficient != u64::MAX >> (64 - width);
            match short {
                _ if is_far(coefficient) => false,
                _ if multiple => self.is_count(atom) || !self.may_hold_address(atom),
                true => !self.may_hold_address(atom),
                false => self.is_narrow(atom),
            }
        });
        distances.then_some(Target {
            provenance,
            space,
            window,
        })
    }

    /// Takes an extended address of 32 bits out of the parts of a sum, which shared and local memory have.
    fn extended(
        &mut self,
        parts: &mut SmallVec<[(TermId, u64); 8]>,
    ) -> Option<(Provenance, Space)> {
        let found = parts.iter().enumerate().find_map(|(at, &(atom, factor))| {
            let Node::Unary(Unary::Zext, inner) = *self.terms.node(atom) else {
                return None;
            };
            let inner = self.provenance(inner).filter(|_| factor == 1)?;
            let own = inner.window.is_none() && matches!(inner.space, Space::Shared | Space::Local);
            own.then_some((at, (inner.provenance, inner.space)))
        });
        let (at, object) = found?;
        parts.remove(at);
        Some(object)
    }

    /// Made of values of at most 32 bits.
    fn is_narrow(&self, atom: TermId) -> bool {
        let narrow = |term: TermId| match *self.terms.node(term) {
            Node::Unary(Unary::Zext | Unary::Sext, inner) => self.terms.width(inner) <= 32,
            _ => false,
        };
        narrow(atom)
            || matches!(self.terms.node(atom), Node::Product(factors) if factors.iter().all(|&factor| narrow(factor)))
    }

    /// A number of things, or a product of such: narrow, or what a parameter holds that is not declared to be a pointer. No
    /// address is among their multiples, while one that was shifted or masked may be.
    fn is_count(&self, atom: TermId) -> bool {
        let count = |factor: TermId| {
            let pointer = match self.bases.get(&factor) {
                Some((Provenance::Pointer { parameter, .. }, _)) => {
                    let declared =
                        parameter.and_then(|index| self.function.params.get(index as usize));
                    declared.is_none_or(|declared| declared.pointer.is_some())
                }
                _ => true,
            };
            !pointer || self.is_narrow(factor)
        };
        match self.terms.node(atom) {
            Node::Product(factors) => factors.iter().all(|&factor| count(factor)),
            _ => count(atom),
        }
    }

    /// Whether a term has a part that can be an address: of a variable, a pointer parameter, or a value of which nothing is
    /// known.
    pub(super) fn may_hold_address(&mut self, root: TermId) -> bool {
        // The answers for other symbols are there.
        let terms = &self.terms;
        let is_window = |term| terms.window_at(term).is_some();
        terms.any_part(root, &mut self.may_be_address, is_window)
    }

    /// Notes the address of a variable.
    pub(super) fn note_variable(&mut self, address: TermId, space: Space, index: u32) {
        let dynamic = &self.function.dynamic_shared;
        // All of them lie in one place.
        let object = match dynamic.first() {
            Some(&first)
                if dynamic.contains(&index) && !active(Mutation::DynamicSharedDistinct) =>
            {
                first
            }
            _ => index,
        };
        self.bases
            .insert(address, (Provenance::Variable(object), space));
        self.may_be_address.insert(address, true);
    }

    /// Notes the address of a parameter in memory.
    pub(super) fn note_parameter_address(&mut self, address: TermId) {
        let space = match self.function.entry {
            true => Space::ParamEntry,
            false => Space::ParamFunc,
        };
        self.bases.insert(address, (Provenance::Unknown, space));
        self.may_be_address.insert(address, true);
    }

    /// Notes what `term` is, `width` bits of the parameter block at `address + offset`: a pointer, or a number.
    pub(super) fn parameter(
        &mut self,
        term: TermId,
        width: u8,
        address: Option<Value>,
        offset: i64,
    ) {
        if width < 64 {
            // A caller may pass the address of an array in shared memory.
            self.may_be_address.insert(term, !self.function.entry);
            return;
        }
        let parameter = address.and_then(|address| self.parameter_at(address, offset));
        let declared = parameter.and_then(|index| self.function.params.get(index as usize));
        // No address of another space lives as long as a launch, unless it is declared as one of dynamic shared memory.
        let space = match declared {
            Some(declared) if declared.pointer.flatten() == Some(Space::Shared) => Space::Shared,
            Some(declared) if !declared.points_to_global => return,
            _ => Space::Global,
        };
        // What calls pass in different parameters may be one pointer.
        let parameter = parameter.filter(|_| self.function.entry);
        let pointer = Provenance::Pointer {
            value: term,
            parameter,
            no_alias: self.function.entry && declared.is_some_and(|declared| declared.no_alias),
        };
        self.bases.insert(term, (pointer, space));
    }

    /// The parameter that 64 bits at `address + offset` are of.
    fn parameter_at(&self, address: Value, offset: i64) -> Option<u32> {
        let ValueDef::Address(Base::Parameter(index), start) = self.function.value(address).def
        else {
            return None;
        };
        let bytes = self.function.params.get(index as usize)?.bytes;
        let at = u64::try_from(start.checked_add(offset)?).ok()?;
        (at.checked_add(8)? <= bytes).then_some(index)
    }
}
