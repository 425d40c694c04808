//! What a patch asks for, by its places: what [`apply`](super::apply) and both writers go through a function with.

use super::error::PatchError;
use super::position::{Copied, Position, Positions};
use super::{Amend, CloneId, Exit, Guarded, Patch, Ref, RegionClone, Step, VariableId};
use crate::cfg::Cfg;
use crate::dominators::DominatorTree;
use crate::function::{BlockId, Function, InstId, Terminator, Value, ValueDef};
use crate::op::Op;
use crate::opcode::Opcode;
use rustc_hash::{FxHashMap, FxHashSet};

/// What a patch asks for at one place, in the order in which it happens there.
#[derive(Default)]
pub struct Wanted<'a> {
    /// Inserted code, of all insertions at this place.
    pub steps: Vec<&'a Step>,
    /// Statements that are moved here, each by all of its instructions.
    pub moved: Vec<InstId>,
    /// What variables are set to, after the redirections of the statement in front.
    pub sets: Vec<(VariableId, Ref)>,
    /// Clones that are entered.
    pub enters: Vec<&'a RegionClone>,
    /// Where this clone is left.
    pub exits: Vec<&'a Exit>,
    /// Clones that are left at this place go on here.
    pub resumed: bool,
}

/// A patch by its places.
#[derive(Default)]
pub struct Agenda<'a> {
    wanted: FxHashMap<(Copied, Position), Wanted<'a>>,
    /// The instructions of moved statements, and whether they are executed earlier than they were.
    pub moved: FxHashMap<(Copied, InstId), bool>,
    /// The instructions of removed statements.
    pub removed: FxHashSet<(Copied, InstId)>,
    /// What is changed of instructions.
    pub amends: FxHashMap<(Copied, InstId), Amend>,
    /// Loads that fewer threads execute.
    pub guarded: FxHashMap<(Copied, InstId), &'a Guarded>,
    /// What guarded loads give elsewhere, by the values that their statements give to those that pass its own guard.
    pub chosen: FxHashMap<(Copied, Value), (&'a Guarded, Ref)>,
    /// Values of guarded loads that are not to be read.
    pub unread: FxHashSet<(Copied, Value)>,
    /// Clones about whose condition and exits all threads of a warp agree.
    pub together: FxHashSet<CloneId>,
    /// Which edge of a branch a clone has, of those of which it has one.
    pub settled: FxHashMap<(CloneId, BlockId), bool>,
    /// What is read in place of values.
    pub redirects: FxHashMap<(Copied, Value), Ref>,
    /// Values that some copy redirects.
    pub redirected: FxHashSet<Value>,
    /// The places at which clones are entered: from there to the end of the block is copied.
    pub entries: FxHashMap<CloneId, Position>,
    /// The blocks that are copied as a whole.
    pub cloned: FxHashSet<(CloneId, BlockId)>,
    /// The clone that comes after one.
    next: FxHashMap<CloneId, &'a RegionClone>,
}

impl<'a> Agenda<'a> {
    /// Sorts a patch of a function.
    ///
    /// # Errors
    /// It names what the function does not have, or one thing twice.
    pub fn new(function: &Function, patch: &'a Patch) -> Result<Self, PatchError> {
        let positions = Positions::new(function);
        let mut agenda = Agenda::default();
        for clone in &patch.clones {
            agenda.region(function, &positions, clone)?;
        }
        for insertion in &patch.insert {
            let at = agenda.located(insertion.at.clone, positions.of(insertion.at.point)?)?;
            agenda.at_mut(at).steps.extend(&insertion.steps);
        }
        for (number, variable) in (0..).map(VariableId).zip(&patch.variables) {
            for &(at, value) in &variable.sets {
                let at = agenda.located(at.clone, positions.of(at.point)?)?;
                agenda.at_mut(at).sets.push((number, value));
            }
        }
        for clone in &patch.clones {
            let at = (None, positions.of(clone.enter)?);
            match clone.after {
                None => agenda.at_mut(at).enters.push(clone),
                Some(_) => agenda.link(patch, clone, at.1)?,
            }
            for exit in &clone.exits {
                let at = agenda.located(Some(clone.id), positions.of(exit.at)?)?;
                agenda.at_mut(at).exits.push(exit);
                agenda.at_mut((None, at.1)).resumed = true;
            }
        }
        agenda.statements(function, &positions, patch)?;
        for redirect in &patch.redirect {
            agenda.redirected.insert(redirect.value);
            // What moves is read in its own place.
            if let ValueDef::Result(id, _) = function
                .values
                .get(redirect.value.index())
                .map_or(ValueDef::Undefined, |data| data.def.clone())
                && agenda.moved.contains_key(&(redirect.clone, id))
            {
                return Err(PatchError::Twice(redirect.value.to_string()));
            }
            let key = (redirect.clone, redirect.value);
            if agenda.redirects.insert(key, redirect.to).is_some() {
                return Err(PatchError::Twice(redirect.value.to_string()));
            }
        }
        Ok(agenda)
    }

    /// What is wanted at a place, if anything is.
    pub fn at(&self, copied: Copied, position: Position) -> Option<&Wanted<'a>> {
        self.wanted.get(&(copied, position))
    }

    /// All places at which something is wanted: those of the original, in the order of its blocks, then those of clones.
    pub fn places(&self) -> Vec<(Copied, Position)> {
        let mut places: Vec<_> = self.wanted.keys().copied().collect();
        places.sort_unstable();
        places
    }

    /// Whether a copy has an instruction removed, or moved elsewhere.
    pub fn is_gone(&self, copied: Copied, id: InstId) -> bool {
        self.removed.contains(&(copied, id)) || self.moved.contains_key(&(copied, id))
    }

    /// Whether any copy has an instruction removed, or moved elsewhere.
    pub fn is_gone_anywhere(&self, id: InstId) -> bool {
        let copies = self.entries.keys().map(|&id| Some(id)).chain([None]);
        copies.into_iter().any(|copied| self.is_gone(copied, id))
    }

    /// What is wanted at a place, which is not asked for again.
    pub(super) fn take(&mut self, copied: Copied, position: Position) -> Wanted<'a> {
        self.wanted.remove(&(copied, position)).unwrap_or_default()
    }

    /// Whether a copy begins at this place in mid-block: what belongs to the instruction in front, or to the block's parameters,
    /// has happened in the original.
    pub fn is_entered(&self, copied: Copied, position: Position) -> bool {
        let entered = copied.filter(|id| self.entries.get(id) == Some(&position));
        entered.is_some_and(|id| self.next.values().all(|clone| clone.id != id))
    }

    /// The clone that is entered where a copy goes to this block, if it is the loop's next iteration.
    pub fn next(&self, copied: Copied, block: BlockId) -> Option<&'a RegionClone> {
        let id = copied?;
        let next = self.next.get(&id).copied();
        next.filter(|_| self.entries.get(&id).is_some_and(|entry| entry.0 == block))
    }

    /// Whether another clone comes after this one.
    pub fn leads_on(&self, clone: CloneId) -> bool {
        self.next.contains_key(&clone)
    }

    /// A clone comes after another of its loop, which the patch has in front of it: no ring is a chain.
    fn link(
        &mut self,
        patch: &'a Patch,
        clone: &'a RegionClone,
        enter: Position,
    ) -> Result<(), PatchError> {
        let mut earlier = patch.clones.iter().take_while(|one| one.id != clone.id);
        let before = earlier.find(|one| Some(one.id) == clone.after);
        let of_loop = before.filter(|one| one.enter == clone.enter && one.blocks == clone.blocks);
        let linked = of_loop.and_then(|one| self.next.insert(one.id, clone));
        match of_loop.is_some() && linked.is_none() && enter.1 == 0 {
            true => Ok(()),
            false => Err(PatchError::Chain(clone.id)),
        }
    }

    fn at_mut(&mut self, at: (Copied, Position)) -> &mut Wanted<'a> {
        self.wanted.entry(at).or_default()
    }

    fn region(
        &mut self,
        function: &Function,
        positions: &Positions,
        clone: &RegionClone,
    ) -> Result<(), PatchError> {
        let position = positions.of(clone.enter)?;
        if self.entries.insert(clone.id, position).is_some() {
            return Err(PatchError::Twice(format!("clone {:?}", clone.id)));
        }
        for &block in &clone.blocks {
            if block.index() >= function.blocks.len() {
                return Err(PatchError::Unknown(block.to_string()));
            }
            // A place in a block that is copied twice would be two places.
            if block == position.0 || !self.cloned.insert((clone.id, block)) {
                return Err(PatchError::Twice(format!("the copy of {block}")));
            }
        }
        self.together.extend(clone.together.then_some(clone.id));
        for one in &clone.settled {
            let inside = one.block == position.0 || self.cloned.contains(&(clone.id, one.block));
            if !inside {
                return Err(PatchError::NotCloned(clone.id, one.block.to_string()));
            }
            let end = &function.block(one.block).terminator;
            if !matches!(end, Terminator::Branch { .. }) {
                return Err(PatchError::Unknown(format!(
                    "branch at the end of {}",
                    one.block
                )));
            }
            if self
                .settled
                .insert((clone.id, one.block), one.then)
                .is_some()
            {
                return Err(PatchError::Twice(format!("the branch of {}", one.block)));
            }
        }
        Ok(())
    }

    /// What becomes of statements.
    fn statements(
        &mut self,
        function: &Function,
        positions: &Positions,
        patch: &'a Patch,
    ) -> Result<(), PatchError> {
        let dominators = match patch.relocate.is_empty() {
            true => None,
            false => Some(DominatorTree::dominators(&Cfg::new(function))),
        };
        for relocation in &patch.relocate {
            let copied = relocation.to.clone;
            let to = self.located(copied, positions.of(relocation.to.point)?)?;
            for &id in positions.statement(relocation.inst)? {
                self.at_mut(to).moved.push(id);
                let owner = function.inst(id).block;
                let (block, index) = to.1;
                let up = match owner == block {
                    true => index <= positions.index(id),
                    false => (dominators.as_ref()).is_some_and(|tree| tree.dominates(block, owner)),
                };
                if self.moved.insert((copied, id), up).is_some() {
                    return Err(PatchError::Twice(id.to_string()));
                }
            }
        }
        for one in &patch.remove {
            for &id in positions.statement(one.inst)? {
                let key = (one.clone, id);
                if self.moved.contains_key(&key) || !self.removed.insert(key) {
                    return Err(PatchError::Twice(id.to_string()));
                }
            }
        }
        for one in &patch.guard {
            self.guard(function, positions, one)?;
        }
        for one in &patch.amend {
            let before = self.amends.insert((one.clone, one.inst), one.amend);
            if before.is_some() {
                return Err(PatchError::Twice(one.inst.to_string()));
            }
        }
        Ok(())
    }

    /// A load that fewer threads execute.
    fn guard(
        &mut self,
        function: &Function,
        positions: &Positions,
        guarded: &'a Guarded,
    ) -> Result<(), PatchError> {
        let (copied, id) = (guarded.clone, guarded.inst);
        let statement = positions.statement(id)?;
        let twice = statement.iter().any(|&id| self.is_gone(copied, id));
        if twice || self.guarded.insert((copied, id), guarded).is_some() {
            return Err(PatchError::Twice(id.to_string()));
        }
        let others = statement.iter().filter(|&&other| other != id);
        let pure = |other: &InstId| matches!(function.inst(*other).opcode, Opcode::Op(_));
        let weak =
            matches!(&function.inst(id).opcode, Opcode::Load(access) if access.order.is_weak());
        if !weak || !others.copied().all(|other| pure(&other)) {
            return Err(PatchError::Effect(id));
        }
        let own = function.inst(id).guard;
        for chosen in &guarded.otherwise {
            let passing = passing(function, statement, own, chosen.value);
            let passing = passing.ok_or(PatchError::InsideValue(chosen.value))?;
            let key = (copied, passing);
            if self.chosen.insert(key, (guarded, chosen.to)).is_some() {
                return Err(PatchError::Twice(chosen.value.to_string()));
            }
        }
        let named = |value: &Value| guarded.otherwise.iter().any(|one| one.value == *value);
        let completed = completed(function, statement);
        let unread = completed.into_iter().filter(|value| !named(value));
        self.unread.extend(unread.map(|value| (copied, value)));
        Ok(())
    }

    /// A place that the copy contains.
    fn located(
        &self,
        copied: Copied,
        position: Position,
    ) -> Result<(Copied, Position), PatchError> {
        let Some(id) = copied else {
            return Ok((None, position));
        };
        let Some(entry) = self.entries.get(&id) else {
            return Err(PatchError::Unknown(format!("clone {id:?}")));
        };
        let after_entry = entry.0 == position.0 && position.1 >= entry.1;
        match after_entry || self.cloned.contains(&(id, position.0)) {
            true => Ok((copied, position)),
            false => Err(PatchError::NotCloned(id, format!("{}", position.0))),
        }
    }
}

/// What the instructions of a statement give that none of them reads.
fn completed(function: &Function, statement: &[InstId]) -> Vec<Value> {
    let insts = || statement.iter().map(|&id| function.inst(id));
    let read: FxHashSet<Value> = insts().flat_map(|inst| inst.args.iter().copied()).collect();
    let given = insts().flat_map(|inst| inst.results.iter().copied());
    given.filter(|value| !read.contains(value)).collect()
}

/// Of a completed value of a statement with a guard: what it is for those that pass it. None if it is not one.
fn passing(
    function: &Function,
    statement: &[InstId],
    own: Option<(Value, bool)>,
    value: Value,
) -> Option<Value> {
    completed(function, statement)
        .contains(&value)
        .then_some(())?;
    let Some((_, negated)) = own else {
        return Some(value);
    };
    let ValueDef::Result(id, _) = function.value(value).def else {
        return None;
    };
    let inst = function.inst(id);
    match &inst.opcode {
        Opcode::Op(Op::Select { .. }) => inst.args.get(usize::from(negated)).copied(),
        _ => None,
    }
}
