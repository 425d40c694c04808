//! What a patch asks for, by its places: what [`apply`](super::apply) and both writers go through a function with.

use super::error::PatchError;
use super::position::{Copied, Position, Positions};
use super::{Amend, CloneId, Exit, Patch, Ref, RegionClone, Step, VariableId};
use crate::ir::cfg::Cfg;
use crate::ir::dominators::DominatorTree;
use crate::ir::function::{BlockId, Function, InstId, Value, ValueDef};
use rustc_hash::{FxHashMap, FxHashSet};

/// What a patch asks for at one place, in the order in which it happens there.
#[derive(Default)]
pub struct Wanted<'a> {
    /// Inserted code, of all insertions at this place.
    pub steps: Vec<&'a Step>,
    /// Statements that are moved here, each by all of its instructions.
    pub moved: Vec<InstId>,
    /// What variables are set to, behind the redirections of the statement in front.
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
    /// What is read in place of values.
    pub redirects: FxHashMap<(Copied, Value), Ref>,
    /// Values that some copy redirects.
    pub redirected: FxHashSet<Value>,
    /// The places at which clones are entered: from there to the end of the block is copied.
    pub entries: FxHashMap<CloneId, Position>,
    /// The blocks that are copied as a whole.
    pub cloned: FxHashSet<(CloneId, BlockId)>,
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
            agenda.at_mut(at).enters.push(clone);
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

    /// The same of any copy.
    pub fn is_gone_anywhere(&self, id: InstId) -> bool {
        let copies = self.entries.keys().map(|&id| Some(id)).chain([None]);
        copies.into_iter().any(|copied| self.is_gone(copied, id))
    }

    /// What is wanted at a place, which is not asked for again.
    pub(super) fn take(&mut self, copied: Copied, position: Position) -> Wanted<'a> {
        self.wanted.remove(&(copied, position)).unwrap_or_default()
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
        Ok(())
    }

    /// What becomes of statements.
    fn statements(
        &mut self,
        function: &Function,
        positions: &Positions,
        patch: &Patch,
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
                let home = function.inst(id).block;
                let (block, index) = to.1;
                let up = match home == block {
                    true => index <= positions.index(id),
                    false => (dominators.as_ref()).is_some_and(|tree| tree.dominates(block, home)),
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
        for one in &patch.amend {
            let before = self.amends.insert((one.clone, one.inst), one.amend);
            if before.is_some() {
                return Err(PatchError::Twice(one.inst.to_string()));
            }
        }
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
        let behind_entry = entry.0 == position.0 && position.1 >= entry.1;
        match behind_entry || self.cloned.contains(&(id, position.0)) {
            true => Ok((copied, position)),
            false => Err(PatchError::NotCloned(id, format!("{}", position.0))),
        }
    }
}
