//! What steps read: values of the function in registers of the text, and what the patch itself makes.

use super::names::{From, Named, fresh};
use super::reads::{new_of, read_by, typed_reads, value_of};
use super::{RewriteContext, WriteError, coalesce};
use crate::text::registers::Registers;
use ptxasw_base::mutation::{Mutation, active};
use ptxasw_ir::function::{Value, ValueDef};
use ptxasw_ir::op::Op;
use ptxasw_ir::opcode::Opcode;
use ptxasw_ir::patch::{NewResult, NewValue, Step, VariableId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::hash_map::Entry;

/// Operations without a register of their own that are computed anew, one reading the other.
const MAX_DEPTH: u32 = 8;

/// What all names mean.
pub(super) struct Values {
    /// Values that have a register of the patch.
    copies: FxHashMap<Value, (Named, From)>,
    variables: Vec<Named>,
    new: FxHashMap<NewValue, Named>,
    /// What steps make and somebody reads.
    read: FxHashSet<NewValue>,
}

impl Values {
    /// Gives a register to all that needs one.
    pub fn new(source: &RewriteContext, registers: &mut Registers) -> Result<Self, WriteError> {
        let patch = source.verified.patch();
        let mut values = Values {
            copies: FxHashMap::default(),
            variables: Vec::new(),
            new: FxHashMap::default(),
            read: FxHashSet::default(),
        };
        let refs = read_by(patch);
        values.read.extend(refs.iter().copied().filter_map(new_of));
        for (value, destination) in coalesce::destinations(source)? {
            values.new.insert(value, destination);
        }
        for variable in &patch.variables {
            values.variables.push(fresh(registers, variable.width)?);
        }
        // In the order of the text a result may be read before it is computed.
        for insertion in &patch.insert {
            values.results(&insertion.steps, registers)?;
        }
        let mut read: Vec<Value> = refs.iter().copied().filter_map(value_of).collect();
        for &(_, id) in source.agenda.moved.keys() {
            read.extend(source.view.reads(id));
            read.extend(
                source
                    .view
                    .completed(id)
                    .into_iter()
                    .map(|(_, value)| value),
            );
        }
        read.sort_unstable();
        read.dedup();
        let moved: FxHashSet<Value> = source.moved_values();
        let typed = typed_reads(source);
        for value in read {
            let untyped = !typed.contains(&value) && !moved.contains(&value);
            if untyped && source.held_as_it_is(value).is_some() {
                continue;
            }
            values.demand(source, value, &moved, registers, 0)?;
        }
        Ok(values)
    }

    /// Names the results of steps.
    fn results(&mut self, steps: &[Step], registers: &mut Registers) -> Result<(), WriteError> {
        for step in steps {
            let results: Vec<NewResult> = match step {
                Step::Inst {
                    opcode, results, ..
                } => self.printed(opcode, results).to_vec(),
                Step::If {
                    then,
                    otherwise,
                    results,
                    ..
                } => {
                    self.results(then, registers)?;
                    self.results(otherwise, registers)?;
                    results.iter().map(|merged| merged.result).collect()
                }
            };
            for NewResult { value, width } in results {
                if let Entry::Vacant(unnamed) = self.new.entry(value) {
                    unnamed.insert(fresh(registers, width)?);
                }
            }
        }
        Ok(())
    }

    /// The results that an instruction names: a shuffle or comparison without the second predicate that nobody reads.
    pub fn printed<'r>(&self, opcode: &Opcode, results: &'r [NewResult]) -> &'r [NewResult] {
        let first_only = match opcode {
            Opcode::Shuffle { .. } => true,
            Opcode::Op(Op::Compare { ty, .. }) => !ty.float(),
            _ => false,
        };
        match results {
            [first, second] if first_only && !self.read.contains(&second.value) => {
                std::slice::from_ref(first)
            }
            _ => results,
        }
    }

    /// The register of a step's result.
    pub fn result(&self, value: NewValue) -> Result<&Named, WriteError> {
        let found = self.new.get(&value);
        found.ok_or_else(|| WriteError::Opcode(format!("{value:?}")))
    }

    fn demand(
        &mut self,
        source: &RewriteContext,
        value: Value,
        moved: &FxHashSet<Value>,
        registers: &mut Registers,
        depth: u32,
    ) -> Result<(), WriteError> {
        // Its register gets another value after its statement, or in another place.
        let redirected = source.agenda.redirected.contains(&value);
        let kept =
            !redirected && !moved.contains(&value) || active(Mutation::RedirectedReadDirectly);
        if self.copies.contains_key(&value) || kept && source.view.direct(value).is_some() {
            return Ok(());
        }
        let data = source.view.lowered.function.value(value);
        if !matches!(data.def, ValueDef::Result(..) | ValueDef::Parameter(..)) {
            return Ok(());
        }
        let from = source
            .view
            .comes_from(value)
            .ok_or(WriteError::Unreadable(value))?;
        if let From::Computed(_) = from {
            let gone =
                matches!(data.def, ValueDef::Result(id, _) if source.agenda.is_gone_anywhere(id));
            if depth == MAX_DEPTH || gone {
                return Err(WriteError::Unreadable(value));
            }
            for arg in source.view.operands_of(value) {
                if source.agenda.redirected.contains(&arg) {
                    return Err(WriteError::Unreadable(value));
                }
                self.demand(source, arg, moved, registers, depth + 1)?;
            }
        }
        let named = fresh(registers, data.width)?;
        self.copies.insert(value, (named, from));
        Ok(())
    }

    /// The register of the patch that holds a value, and how it gets it.
    pub fn copy(&self, value: Value) -> Option<&(Named, From)> {
        self.copies.get(&value)
    }

    /// The values that have such a register, in their order.
    pub fn copied(&self) -> Vec<Value> {
        let mut values: Vec<Value> = self.copies.keys().copied().collect();
        values.sort_unstable();
        values
    }

    /// The register of a variable.
    pub fn variable(&self, id: VariableId) -> Result<&Named, WriteError> {
        let found = self.variables.get(id.0 as usize);
        found.ok_or_else(|| WriteError::Opcode(format!("{id:?}")))
    }
}

impl<'a> RewriteContext<'a> {
    /// The register of any type that holds a value wherever it is there, with what a patch makes of it.
    pub fn held_as_it_is(&self, value: Value) -> Option<&'a str> {
        let redirected = self.agenda.redirected.contains(&value);
        let kept = !redirected || active(Mutation::RedirectedReadDirectly);
        self.view.held_once(value).filter(|_| kept)
    }

    /// All values of moved statements.
    fn moved_values(&self) -> FxHashSet<Value> {
        let moved = self.agenda.moved.keys();
        let insts = moved.map(|&(_, id)| self.view.lowered.function.inst(id));
        insts
            .flat_map(|inst| inst.results.iter().copied())
            .collect()
    }
}
