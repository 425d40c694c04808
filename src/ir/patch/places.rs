//! The parts of a patch by their places, and the blocks that the new function begins with.

use super::error::PatchError;
use super::position::{Copied, Position, Positions};
use super::{Amend, CloneId, Exit, Patch, Ref, RegionClone, Step, VariableId};
use crate::ir::builder::FunctionBuilder;
use crate::ir::function::{BlockId, Function, InstId};
use rustc_hash::{FxHashMap, FxHashSet};

/// What a patch asks for at a place.
#[derive(Default)]
pub(super) struct Wanted<'a> {
    pub steps: Vec<&'a Step>,
    pub moved: Vec<InstId>,
    pub sets: Vec<(VariableId, Ref)>,
    pub enters: Vec<&'a RegionClone>,
    pub exits: Vec<&'a Exit>,
}

/// Where what happens.
#[derive(Default)]
pub(super) struct Places<'a> {
    pub wanted: FxHashMap<(Copied, Position), Wanted<'a>>,
    /// The blocks in which clones go on in the original.
    pub resumes: FxHashMap<Position, BlockId>,
    /// The first block of each clone, and the place that it copies first.
    pub entries: FxHashMap<CloneId, (BlockId, Position)>,
    /// The first block of each copy of a block.
    pub starts: FxHashMap<(Copied, BlockId), BlockId>,
    pub removed: FxHashSet<(Copied, InstId)>,
    /// Where instructions are executed instead.
    pub moved: FxHashMap<(Copied, InstId), Position>,
    pub amends: FxHashMap<(Copied, InstId), Amend>,
}

impl<'a> Places<'a> {
    pub(super) fn new(
        old: &Function,
        patch: &'a Patch,
        builder: &mut FunctionBuilder,
    ) -> Result<Self, PatchError> {
        let positions = Positions::new(old);
        let mut places = Places::default();
        places.blocks(old, patch, builder, &positions)?;
        places.sort(patch, builder, &positions)?;
        Ok(places)
    }

    /// The first block of each copy of each block: the original's in their order.
    fn blocks(
        &mut self,
        old: &Function,
        patch: &Patch,
        builder: &mut FunctionBuilder,
        positions: &Positions,
    ) -> Result<(), PatchError> {
        for id in old.block_ids() {
            let start = builder.block();
            self.starts.insert((None, id), start);
        }
        for clone in &patch.clones {
            let entry = builder.block();
            let position = positions.of(clone.enter)?;
            if self.entries.insert(clone.id, (entry, position)).is_some() {
                return Err(PatchError::Twice(format!("clone {:?}", clone.id)));
            }
            for &block in &clone.blocks {
                if block.index() >= old.blocks.len() {
                    return Err(PatchError::Unknown(block.to_string()));
                }
                let start = builder.block();
                let before = self.starts.insert((Some(clone.id), block), start);
                // A place in a block that is copied twice would be two places.
                if block == position.0 || before.is_some() {
                    return Err(PatchError::Twice(format!("the copy of {block}")));
                }
            }
        }
        Ok(())
    }

    /// The parts of the patch by their places.
    fn sort(
        &mut self,
        patch: &'a Patch,
        builder: &mut FunctionBuilder,
        positions: &Positions,
    ) -> Result<(), PatchError> {
        for insertion in &patch.insert {
            let at = self.located(insertion.at.clone, positions.of(insertion.at.point)?)?;
            self.wanted
                .entry(at)
                .or_default()
                .steps
                .extend(&insertion.steps);
        }
        for relocation in &patch.relocate {
            let copied = relocation.to.clone;
            let to = self.located(copied, positions.of(relocation.to.point)?)?;
            for &id in positions.statement(relocation.inst)? {
                self.wanted.entry(to).or_default().moved.push(id);
                if self.moved.insert((copied, id), to.1).is_some() {
                    return Err(PatchError::Twice(id.to_string()));
                }
            }
        }
        for (number, variable) in (0..).map(VariableId).zip(&patch.variables) {
            for &(at, value) in &variable.sets {
                let at = self.located(at.clone, positions.of(at.point)?)?;
                self.wanted
                    .entry(at)
                    .or_default()
                    .sets
                    .push((number, value));
            }
        }
        for clone in &patch.clones {
            let at = (None, positions.of(clone.enter)?);
            self.wanted.entry(at).or_default().enters.push(clone);
            for exit in &clone.exits {
                let at = self.located(Some(clone.id), positions.of(exit.at)?)?;
                self.wanted.entry(at).or_default().exits.push(exit);
                self.resumes.entry(at.1).or_insert_with(|| builder.block());
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
        let entry = self.entries.get(&id).map(|(_, entry)| *entry);
        let Some(entry) = entry else {
            return Err(PatchError::Unknown(format!("clone {id:?}")));
        };
        let behind_entry = entry.0 == position.0 && position.1 >= entry.1;
        match behind_entry || self.starts.contains_key(&(copied, position.0)) {
            true => Ok((copied, position)),
            false => Err(PatchError::NotCloned(id, format!("{}", position.0))),
        }
    }
}
