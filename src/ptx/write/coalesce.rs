//! Results of steps that are computed in a register of the text at once, where a `mov` would put them there and nobody else reads
//! them. `ptxas` would find that by itself: the text is shorter, nothing else.

use super::names::{Named, is_definable};
use super::reads::{new_of, read_beside_steps, read_by_steps};
use super::{RewriteContext, WriteError};
use crate::decode::form::Register;
use ptxasw_base::mutation::{Mutation, active};
use ptxasw_ir::function::{InstId, Value, ValueDef};
use ptxasw_ir::op::Op;
use ptxasw_ir::opcode::Opcode;
use ptxasw_ir::patch::{Copied, NewResult, NewValue, Point, Position, Ref, Step};
use ptxasw_ir::types::Kind;
use rustc_hash::{FxHashMap, FxHashSet};

/// A place of a copy.
type CopiedPosition = (Copied, Position);

/// Where every thread that comes there gets a result, and by what.
struct Made<'a> {
    at: CopiedPosition,
    opcode: &'a Opcode,
    width: u8,
}

struct Coalescer<'a> {
    source: &'a RewriteContext<'a>,
    made: FxHashMap<NewValue, Made<'a>>,
    /// How often a result is read by others than steps of its own place.
    elsewhere: FxHashMap<NewValue, u32>,
    /// Places at which old registers are defined, or clones are entered or left.
    busy: FxHashSet<CopiedPosition>,
}

/// The registers of the text in which results are computed.
pub(super) fn destinations(source: &RewriteContext) -> Result<Vec<(NewValue, Named)>, WriteError> {
    let patch = source.verified.patch();
    if patch.guard.is_empty() && patch.remove.is_empty() {
        return Ok(Vec::new());
    }
    let mut found = Coalescer {
        source,
        made: FxHashMap::default(),
        elsewhere: FxHashMap::default(),
        busy: FxHashSet::default(),
    };
    found.reads()?;
    found.definitions()?;
    let mut destinations = Vec::new();
    for guarded in &patch.guard {
        let plain = source.own_guard(guarded.inst)?.is_none();
        if !plain || source.reads_what_it_gives(guarded)? {
            continue;
        }
        let (front, _) = found.around(guarded.inst)?;
        for chosen in &guarded.otherwise {
            let at = [(guarded.clone, front)];
            destinations.extend(found.destination(chosen.value, chosen.to, &at));
        }
    }
    for redirect in &patch.redirect {
        let ValueDef::Result(id, _) = source.view.lowered.function.value(redirect.value).def else {
            continue;
        };
        if source.agenda.removed.contains(&(redirect.clone, id)) {
            let (front, after) = found.around(id)?;
            let at = [(redirect.clone, front), (redirect.clone, after)];
            // The register is defined after the statement in any case, after all steps.
            destinations.extend(found.destination(redirect.value, redirect.to, &at));
        }
    }
    Ok(destinations)
}

impl<'a> Coalescer<'a> {
    /// Notes who makes what, and who reads it.
    fn reads(&mut self) -> Result<(), WriteError> {
        let source = self.source;
        let patch = source.verified.patch();
        let mut places = Vec::with_capacity(patch.insert.len());
        for insertion in &patch.insert {
            let position = source.view.positions.of(insertion.at.point)?;
            let at = (insertion.at.clone, position);
            places.push(at);
            for step in &insertion.steps {
                self.made(step, at);
            }
        }
        let mut refs = Vec::new();
        for (insertion, at) in patch.insert.iter().zip(places) {
            let mut read = Vec::new();
            read_by_steps(&insertion.steps, &mut read);
            let made = &self.made;
            let here = |value: &NewValue| made.get(value).is_some_and(|made| made.at == at);
            refs.extend(read.into_iter().filter_map(new_of).filter(|one| !here(one)));
        }
        let mut others = Vec::new();
        read_beside_steps(patch, &mut others);
        for value in refs
            .into_iter()
            .chain(others.into_iter().filter_map(new_of))
        {
            *self.elsewhere.entry(value).or_default() += 1;
        }
        Ok(())
    }

    fn made(&mut self, step: &'a Step, at: CopiedPosition) {
        let Step::Inst {
            opcode,
            results,
            guard: None,
            ..
        } = step
        else {
            return;
        };
        for &NewResult { value, width } in results {
            self.made.insert(value, Made { at, opcode, width });
        }
    }

    /// Notes the places at which more happens than steps.
    fn definitions(&mut self) -> Result<(), WriteError> {
        let source = self.source;
        for at in source.agenda.places() {
            let wanted = source.agenda.at(at.0, at.1);
            let more = wanted.is_some_and(|wanted| {
                wanted.resumed
                    || !(wanted.moved.is_empty()
                        && wanted.sets.is_empty()
                        && wanted.enters.is_empty()
                        && wanted.exits.is_empty())
            });
            self.busy.extend(more.then_some(at));
        }
        for redirect in &source.verified.patch().redirect {
            let at = match source.view.lowered.function.value(redirect.value).def {
                ValueDef::Result(id, _) => self.around(id)?.1,
                ValueDef::Parameter(block, _) => (block, 0),
                _ => continue,
            };
            self.busy.insert((redirect.clone, at));
        }
        for &(copied, id) in source.agenda.moved.keys() {
            let at = self.around(id)?.1;
            self.busy.insert((copied, at));
        }
        Ok(())
    }

    /// The positions in front of the statement of an instruction, and after it.
    fn around(&self, id: InstId) -> Result<(Position, Position), WriteError> {
        let positions = &self.source.view.positions;
        let statement = positions.statement(id)?;
        let first = statement.first().copied().unwrap_or(id);
        let last = statement.last().copied().unwrap_or(id);
        let after = positions.of(Point::After(last))?;
        Ok((positions.of(Point::Before(first))?, after))
    }

    /// The register of a completed value, if what it is to be is computed for it alone at one of these places: in front of its
    /// statement, or after it.
    fn destination(
        &self,
        value: Value,
        to: Ref,
        at: &[CopiedPosition],
    ) -> Option<(NewValue, Named)> {
        let to = new_of(to)?;
        let made = self.made.get(&to)?;
        let place = at.iter().position(|&at| at == made.at)?;
        // After its statement the register is defined there in any case, and by nothing else.
        let free = match place {
            0 => !self.busy.contains(&made.at),
            _ => self.moves_nothing(made.at),
        };
        let once = self.elsewhere.get(&to) == Some(&1) || active(Mutation::CoalescedThoughRead);
        let register = self.register(value).filter(|_| free && once)?;
        let width = self.source.view.lowered.function.value(value).width;
        let fits = made.width == width
            && width != 8
            && is_definable(register, width)
            && self.source.view.binding.visible(register)
            && takes(register, made.opcode);
        let name = register.name.to_string();
        fits.then_some((to, Named { name, width }))
    }

    fn moves_nothing(&self, at: CopiedPosition) -> bool {
        let wanted = self.source.agenda.at(at.0, at.1);
        wanted.is_none_or(|wanted| wanted.moved.is_empty())
    }

    /// The register that holds a completed value after its statement.
    fn register(&self, value: Value) -> Option<&'a Register> {
        let view = &self.source.view;
        let ValueDef::Result(id, _) = view.lowered.function.value(value).def else {
            return None;
        };
        let completed = view.completed(id).into_iter();
        let (reg, _) = completed.rev().find(|(_, last)| *last == value)?;
        view.form.registers.get(reg.0 as usize)
    }
}

/// Whether an instruction may give its result in a register: only what has no type of its own fits all.
fn takes(register: &Register, opcode: &Opcode) -> bool {
    match register.ty.kind {
        Kind::Bits | Kind::Predicate => true,
        _ => matches!(
            opcode,
            Opcode::Shuffle { .. }
                | Opcode::Load(_)
                | Opcode::Op(Op::Copy { .. } | Op::Select { .. })
        ),
    }
}
