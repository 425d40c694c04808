//! Copies for whole warps: what is tested where one is entered, and the votes where lanes may diverge.

use super::checks;
use super::code::{Code, word};
use super::scheme::{Corner, Scheme};
use super::setup::{Setup, WARP, Writer};
use super::{Error, Lowering};
use crate::shuffle::plan::{Check, Leave, Region, Stay, WarpCopy};
use ptxasw_base::mutation::{Mutation, active};
use ptxasw_ir::function::{BlockId, Terminator};
use ptxasw_ir::op::Comparison;
use ptxasw_ir::opcode::VoteMode;
use ptxasw_ir::patch::{CloneId, Exit, Location, Point, Ref, RegionClone, Settled};
use ptxasw_ir::types::Type;

/// What is tested in front of a copy.
struct Entry<'p> {
    copy: &'p WarpCopy,
    /// The branch that the copy begins with, if all its lanes take one edge there.
    first: Option<&'p Leave>,
    /// The mask; none if it is read as part of the test.
    mask: Option<Ref>,
    /// A predicate that must hold in all lanes, too.
    condition: Option<Ref>,
    /// A check of a sign that is the same in all lanes.
    sign: Option<Check>,
}

impl Lowering<'_> {
    /// The set-up of a region in a copy, and the copy with it: what only whole warps need is placed after the test if both are
    /// at one place.
    pub(super) fn set_up_copy(
        &mut self,
        region: &Region,
        number: u32,
        narrowed: bool,
    ) -> Result<Setup, Error> {
        let plan = self.plan;
        let copy = plan.copies.get(number as usize);
        let copy = copy.ok_or(Error::Inconsistent(region.before))?;
        let id = CloneId(number);
        let here = region.before == copy.before;
        let halo = Scheme::of(region).corner == Corner::Halo;
        // Where lanes meet again after the copy, the assembler takes the edge into it for divergent if not all read the mask.
        // A target that may move the reading to where all lanes are gets a ballot.
        let unread = here && halo && !self.target.merges_arms;
        let mut region = region.clone();
        let sign = (region.checks.iter())
            .position(|check| here && check.uniform && check.is_sign())
            .map(|at| region.checks.remove(at));
        let mut before = Code::new(&mut self.next, region.before);
        let mask = (!unread).then(|| before.active_mask(None));
        let condition = halo_condition(&region, &mut before);
        let at = region.at;
        before.done(&mut self.patch, at);
        let mut after = Code::new(&mut self.next, region.before);
        let writer = Writer {
            region: &region,
            tracked: None,
            narrowed,
            code: &mut after,
        };
        let setup = writer.write(None);
        let first = copy.leaves.iter();
        let mut first = first.filter(|leave| leave.block == copy.above && leave.then.is_some());
        let entry = Entry {
            copy,
            first: first.next_back(),
            mask,
            condition,
            sign,
        };
        let location = match here {
            true => Location {
                clone: Some(id),
                point: Point::End(copy.above),
            },
            false => at.into(),
        };
        after.done(&mut self.patch, location);
        let condition = self.test(&entry)?;
        self.clone_of(&entry, id, condition)?;
        Ok(setup)
    }

    /// The test in front of a copy: the whole warp is here, and takes the edge that the copy takes.
    fn test(&mut self, entry: &Entry) -> Result<Ref, Error> {
        let mut code = Code::new(&mut self.next, entry.copy.before);
        let stays = match entry.first {
            Some(leave) => {
                let branch = &self.function.block(leave.block).terminator;
                let condition = branch.decision();
                let condition = condition.ok_or(Error::Inconsistent(leave.statement))?;
                Some(code.plain((condition.into(), leave.then == Some(false))))
            }
            None => None,
        };
        let stays = match (stays, entry.condition) {
            (Some(stays), Some(condition)) => Some(code.and(1, stays, condition)),
            (stays, condition) => stays.or(condition),
        };
        let (tested, held) = match (stays, entry.mask) {
            // Who does not stay does not read the mask, and is missing in it.
            (Some(stays), None) => (code.active_mask(Some((stays, false))), Some(stays)),
            (Some(stays), Some(mask)) => (code.vote(VoteMode::Ballot, stays, mask), None),
            (None, mask) => (mask.unwrap_or_else(|| code.active_mask(None)), None),
        };
        let sign = entry.sign.as_ref();
        let whole = match sign.filter(|_| !active(Mutation::EntrySignNotTested)) {
            Some(check) => {
                let (tested, all) = checks::mask_and_sign(tested, check, &mut code);
                code.equals(tested, all, held)
            }
            None => code.compare(Comparison::Eq, Type::S32, (tested, word(u32::MAX)), held),
        };
        code.done(&mut self.patch, Point::End(entry.copy.above));
        Ok(match active(Mutation::EntryNotTested) {
            true => Ref::Constant(1, 1),
            false => whole,
        })
    }

    /// The copy, with a vote in front of each branch at which lanes may diverge.
    fn clone_of(&mut self, entry: &Entry, id: CloneId, condition: Ref) -> Result<(), Error> {
        let copy = entry.copy;
        let mut exits = Vec::new();
        for leave in &copy.leaves {
            let tested = leave.block == copy.above && entry.first.is_some();
            if !tested {
                let stay = Some(self.vote(leave, id)?);
                let at = Point::End(leave.block);
                exits.push(Exit { at, stay });
            }
        }
        let settled = copy.leaves.iter().filter_map(|leave| {
            let (block, then) = (leave.block, leave.then?);
            Some(Settled { block, then })
        });
        self.patch.clones.push(RegionClone {
            id,
            enter: Point::End(copy.above),
            condition,
            after: None,
            blocks: copy.blocks.clone(),
            exits,
            settled: settled.collect(),
            together: true,
        });
        Ok(())
    }

    /// Whether all lanes stay in the copy.
    fn vote(&mut self, leave: &Leave, id: CloneId) -> Result<Ref, Error> {
        let mode = match (leave.stay, active(Mutation::LeaveByOneStays)) {
            (_, true) => VoteMode::Any,
            (Stay::Either, false) => VoteMode::Uniform,
            (Stay::Taken | Stay::Next, false) => VoteMode::All,
        };
        let mut code = Code::new(&mut self.next, leave.statement);
        let stay = match &self.function.block(leave.block).terminator {
            Terminator::Switch { .. } if active(Mutation::LeaveByOneStays) => Ref::Constant(1, 1),
            Terminator::Switch { index, .. } => {
                let width = self.function.value(*index).width;
                let index = code.extend((*index).into(), width, 32, false);
                code.all_same(index)
            }
            Terminator::Branch { condition, .. } => {
                let stays = code.plain(((*condition).into(), leave.then == Some(false)));
                code.vote(mode, stays, word(u32::MAX))
            }
            _ => return Err(Error::Inconsistent(leave.statement)),
        };
        let at = Location {
            clone: Some(id),
            point: Point::End(leave.block),
        };
        code.done(&mut self.patch, at);
        Ok(stay)
    }

    /// The copy of the code that what is in a block is changed in.
    pub(super) fn within(&self, copy: Option<u32>, block: BlockId) -> Option<CloneId> {
        let used = |copy: &u32| {
            let blocks = self
                .plan
                .copies
                .get(*copy as usize)
                .map(|copy| &copy.blocks);
            let inside = blocks.is_some_and(|blocks| blocks.contains(&block));
            inside && self.is_used(*copy)
        };
        copy.filter(used).map(CloneId)
    }

    /// Whether some shuffle needs a copy of the plan.
    pub(super) fn is_used(&self, copy: u32) -> bool {
        self.copied.get(copy as usize) == Some(&true)
    }
}

/// Further than the sign: what a warp must meet to enter a copy with halo loads. Rows are whole warps, and the checks of the
/// region hold.
fn halo_condition(region: &Region, code: &mut Code) -> Option<Ref> {
    if !region.shifts() || Scheme::of(region).corner != Corner::Halo {
        return None;
    }
    let mut writer = Writer {
        region,
        tracked: None,
        narrowed: false,
        code,
    };
    let holds = match active(Mutation::HaloChecksDropped) {
        true => None,
        false => writer.checked(),
    };
    match region.whole_rows {
        true => holds,
        false => writer.whole_groups(WARP as u8, holds),
    }
}
