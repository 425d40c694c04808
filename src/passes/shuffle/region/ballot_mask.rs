//! Tracked masks: member masks where lanes diverge, kept exact by a ballot at each divergent branch.
//!
//! In the parts of a kernel where lanes may diverge (`clone` finds them), a mask can be known without a second text: it begins
//! as the `activemask` in front of the part, and at each divergent branch on the path to a shuffle a ballot of the lanes at the
//! branch shows which of them take the edge. In front of a loop's back edge the ballot makes the mask of the next iteration.
//!
//! # Why it is sound
//! Each block has a mask, or none. *All lanes that the mask names execute the same instance of the block*: the same
//! iteration of every loop around it, in the same pass through the part. By induction over what a lane executes:
//! - *In front of the part* the mask is that of a region outside (see [`super::convergence`]): all its lanes get there.
//! - **After a branch*, over an edge that is the only one into the block: the ballot in front of the branch is executed by all
//!   lanes of the mask there, and those that vote for the edge take it. A uniform branch is taken by all.
//! - *Outside of all loops* the block reads a mask of its own instead: those that `activemask` names execute this instance of
//!   it together, and a thread executes it once. It is one instruction less than the ballot. (In LLVM IR
//!   the ballot stays: what both arms begin with may be moved in front of the branch there.)
//! - *On every path*: a block that each path from a dominator comes to before that loop's iteration ends, before the loop is
//!   left and before the thread ends has the dominator's mask: the lanes may have diverged in between, but none is gone. This
//!   holds at joins, and after inner loops.
//! - *At the head of a loop*, entered over one edge and repeated over one: the mask of the first iteration comes over the one,
//!   that of the next over the other, each by a ballot of the lanes there or, if these all take the edge, as it is.
//!
//! All lanes of a mask execute each ballot and shuffle under it, and no other instruction in a part can wait for another
//! thread (`clone` rules out barriers, calls, exchanges and loops that spin), so that every lane comes to it. Two lanes that
//! both execute two such instructions do so in one order: the body of a loop has no cycle but the loop itself. A lane that
//! ended is in no mask after the branch that it ended by.
//!
//! Lanes that execute the same instance see the same counters of the loops around it, and nothing is assumed of loops that
//! they have left (`clone::lockstep`).

use super::clone::outline::Outliner;
use super::clone::{DivergentRegion, DivergentRegions};
use super::placement::Place;
use crate::shuffle::plan::{self, MaskStep};
use crate::shuffle::refusal::{Refusal, c4};
use ptxasw_base::mutation::{Mutation, active};
use ptxasw_emulator::trace::Event;
use ptxasw_ir::analyses::Analyses;
use ptxasw_ir::divergence::Level;
use ptxasw_ir::function::{BlockId, Function, Terminator};
use ptxasw_ir::loops::LoopId;
use ptxasw_ir::patch::Point;
use ptxasw_ir::patch::Text;
use rustc_hash::FxHashSet;

/// Dominators of one block that are tried.
const MAX_ABOVE: usize = 64;
/// Blocks that all searches of one kernel may look at.
const MAX_STEPS: usize = 1 << 18;

/// A mask in the making.
#[derive(Clone, Debug)]
struct Mask {
    /// The first block that it holds in.
    head: BlockId,
    /// The part whose `activemask` it is, or begins with.
    part: u32,
    steps: Vec<MaskStep>,
    /// The loop that the head is one of.
    repeats: Option<LoopId>,
    valid: bool,
}

/// The masks of a kernel's parts.
#[derive(Debug, Default)]
pub(in crate::shuffle) struct Masks {
    masks: Vec<Mask>,
    /// By block.
    of: Vec<Option<u32>>,
    /// By part: the mask that is read in front of it.
    first: Vec<Option<u32>>,
    /// Blocks that searches may still look at.
    budget: usize,
}

impl Masks {
    /// The mask of a block inside of a part.
    pub fn of(&self, block: BlockId) -> Option<u32> {
        let mask = self.of.get(block.index()).copied().flatten()?;
        self.masks[mask as usize].valid.then_some(mask)
    }

    /// The masks in the form of the plan: those that `wanted` names and all that they are made from. Tells their numbers.
    pub fn planned(&self, wanted: &[u32]) -> (Vec<plan::Mask>, Vec<Option<u32>>) {
        let mut needed = vec![false; self.masks.len()];
        let mut work = wanted.to_vec();
        while let Some(mask) = work.pop() {
            if !std::mem::replace(&mut needed[mask as usize], true) {
                let steps = self.masks[mask as usize].steps.iter();
                work.extend(steps.filter_map(|step| step.from));
            }
        }
        let mut next = 0;
        let numbers: Vec<Option<u32>> = needed
            .iter()
            .map(|&needed| {
                next += u32::from(needed);
                needed.then(|| next - 1)
            })
            .collect();
        let kept = self
            .masks
            .iter()
            .zip(&needed)
            .filter(|(_, needed)| **needed);
        let masks = kept.map(|(mask, _)| plan::Mask {
            steps: mask
                .steps
                .iter()
                .map(|step| MaskStep {
                    from: step.from.and_then(|from| numbers[from as usize]),
                    ..*step
                })
                .collect(),
        });
        (masks.collect(), numbers)
    }
}

/// What masks are found in.
pub(in crate::shuffle) struct Tracker<'a> {
    pub function: &'a Function,
    pub analyses: &'a Analyses,
    pub text: &'a dyn Text,
    pub parts: &'a DivergentRegions,
}

/// What an edge does to a mask.
enum Edge {
    /// All lanes take it.
    Same(u32),
    /// A ballot shows who takes it.
    Ballot(MaskStep),
}

impl Tracker<'_> {
    /// The masks of all parts that are tracked.
    pub fn all(&self, outliner: &Outliner<'_>) -> Masks {
        let mut masks = Masks {
            of: vec![None; self.function.blocks.len()],
            budget: MAX_STEPS,
            ..Masks::default()
        };
        for (number, part) in (0..).zip(&self.parts.parts) {
            let first = self.first(part, number, outliner);
            let first = first.map(|mask| masks.add(mask));
            masks.first.push(first);
        }
        for &block in self.analyses.cfg.reverse_post_order() {
            let number = self.parts.of(block);
            if let Some(number) = number.filter(|&number| masks.first[number as usize].is_some()) {
                masks.of[block.index()] = self.mask(&mut masks, block, number);
            }
        }
        self.close(&mut masks);
        masks
    }

    /// The mask that is read in front of a part.
    fn first(&self, part: &DivergentRegion, number: u32, outliner: &Outliner) -> Option<Mask> {
        if !part.kind.tracks() || part.refusal.is_some() {
            return None;
        }
        let place = outliner.mask_place(part).ok()?;
        Some(Mask {
            head: part.above,
            part: number,
            steps: vec![MaskStep {
                before: place.statement,
                from: None,
                taken: None,
                at: place.point(self.function),
                voted: None,
            }],
            repeats: None,
            valid: true,
        })
    }

    /// The mask of a block that is in a part, or of the one whose branch the part begins with.
    fn at(&self, masks: &Masks, block: BlockId, number: u32) -> Option<u32> {
        if self.parts.of(block) == Some(number) {
            return masks.of[block.index()];
        }
        let part = self.parts.get(number);
        let above = part.with_branch && part.above == block;
        above.then_some(masks.first[number as usize]).flatten()
    }

    fn mask(&self, masks: &mut Masks, block: BlockId, number: u32) -> Option<u32> {
        let loops = &self.analyses.loops;
        let inner = loops.innermost(block);
        if let Some(id) = inner.filter(|&id| loops.get(id).header == block) {
            return self.header(masks, id, number);
        }
        let above = self.parts.get(number).above;
        let mut dominator = self.analyses.dominators.immediate(block)?;
        for _ in 0..MAX_ABOVE {
            if loops.innermost(dominator) == inner
                && let Some(mask) = self.at(masks, dominator, number)
                && self.always(masks, dominator, block)
            {
                return Some(mask);
            }
            if dominator == above {
                break;
            }
            dominator = self.analyses.dominators.immediate(dominator)?;
        }
        let mut before = self.analyses.cfg.predecessors(block);
        let (Some(single), None) = (before.next(), before.next()) else {
            return None;
        };
        match self.edge(masks, single, block, number)? {
            Edge::Same(mask) => Some(mask),
            Edge::Ballot(ballot) => Some(masks.add(Mask {
                head: block,
                part: number,
                steps: vec![self.read(block).unwrap_or(ballot)],
                repeats: None,
                valid: true,
            })),
        }
    }

    /// The reading of a mask of its own at the start of a block that no loop holds.
    fn read(&self, block: BlockId) -> Option<MaskStep> {
        let loops = &self.analyses.loops;
        let once = loops.innermost(block).is_none() && !loops.irreducible(block);
        let once = once || active(Mutation::MaskInLoop);
        let reads = once && self.text.keeps_arms_apart();
        let before = self.text.first_statement(block).filter(|_| reads)?;
        Some(MaskStep {
            before,
            from: None,
            taken: None,
            at: Point::Start(block),
            voted: None,
        })
    }

    /// The mask at a loop's head. The step over its back edge is added once the latch has a mask.
    fn header(&self, masks: &mut Masks, id: LoopId, number: u32) -> Option<u32> {
        let data = self.analyses.loops.get(id);
        let &[entry] = data.entries.as_slice() else {
            return None;
        };
        if data.irreducible {
            return None;
        }
        let edge = self.edge(masks, entry, data.header, number)?;
        let step = match edge {
            Edge::Same(mask) => self.all_over(mask, entry, data.header)?,
            Edge::Ballot(step) => step,
        };
        Some(masks.add(Mask {
            head: data.header,
            part: number,
            steps: vec![step],
            repeats: Some(id),
            valid: true,
        }))
    }

    /// What the edge from a block with a mask does.
    fn edge(&self, masks: &Masks, from: BlockId, to: BlockId, number: u32) -> Option<Edge> {
        let part = self.parts.get(number);
        if from == part.above && !part.with_branch {
            return self.entered(masks, number).map(Edge::Same);
        }
        let mask = self.at(masks, from, number)?;
        match self.function.block(from).terminator {
            Terminator::Jump(_) => Some(Edge::Same(mask)),
            Terminator::Branch {
                condition,
                ref then,
                ..
            } => {
                if self.analyses.divergence.branch(from) == Level::Uniform {
                    return Some(Edge::Same(mask));
                }
                let text = self.text.block_text(from);
                let taken = match (text.taken == Some(to), text.otherwise == Some(to)) {
                    (true, false) => true,
                    (false, true) => false,
                    _ => return None,
                };
                let other_arm = active(Mutation::MaskOfOtherArm);
                Some(Edge::Ballot(MaskStep {
                    before: text.branch?,
                    from: Some(mask),
                    taken: Some(taken != other_arm),
                    at: Point::End(from),
                    voted: Some((condition, (then.block == to) != other_arm)),
                }))
            }
            _ => None,
        }
    }

    /// The mask of those that enter a part which begins after the branch above it: it is read after that branch, or all lanes
    /// take this edge.
    fn entered(&self, masks: &Masks, number: u32) -> Option<u32> {
        let above = self.parts.get(number).above;
        let read_after = self.analyses.loops.innermost(above).is_none();
        let together = match self.function.block(above).terminator {
            Terminator::Jump(_) => true,
            _ => self.analyses.divergence.branch(above) == Level::Uniform,
        };
        masks.first[number as usize].filter(|_| read_after || together)
    }

    /// The step of an edge that all lanes of `mask` take: in front of the jump, or between the blocks. Both edges of a branch
    /// to the block after it are one: a step between the two would be jumped over.
    fn all_over(&self, mask: u32, from: BlockId, to: BlockId) -> Option<MaskStep> {
        let text = self.text.block_text(from);
        let before = match text.next == Some(to) && text.taken != Some(to) {
            true => self.text.block_text(to).statements.start,
            false => text.branch?,
        };
        Some(MaskStep {
            before,
            from: Some(mask),
            taken: None,
            at: Point::End(from),
            voted: None,
        })
    }

    /// Every path from a block comes to another, in the same iteration of the loops around both.
    fn always(&self, masks: &mut Masks, from: BlockId, to: BlockId) -> bool {
        let loops = &self.analyses.loops;
        let inside = loops.innermost(from);
        let mut seen = FxHashSet::default();
        let mut work = vec![from];
        while let Some(block) = work.pop() {
            let mut ends = true;
            for next in self.analyses.cfg.successors(block) {
                ends = false;
                if next == to || !seen.insert(next) {
                    continue;
                }
                let Some(left) = masks.budget.checked_sub(1) else {
                    return false;
                };
                masks.budget = left;
                let leaves = inside
                    .is_some_and(|id| !loops.contains(id, next) || loops.get(id).header == next);
                if leaves || next == from || loops.irreducible(next) {
                    return false;
                }
                work.push(next);
            }
            if ends {
                return false;
            }
        }
        true
    }

    /// Adds the steps over back edges, and takes back the masks of loops for which there is none.
    fn close(&self, masks: &mut Masks) {
        for index in 0..masks.masks.len() {
            let (repeats, number) = (masks.masks[index].repeats, masks.masks[index].part);
            let Some(id) = repeats else { continue };
            match self.repeated(masks, id, index as u32, number) {
                Some(Some(step)) if !active(Mutation::BackEdgeBallotDropped) => {
                    masks.masks[index].steps.push(step);
                }
                Some(_) => {}
                None => masks.masks[index].valid = false,
            }
        }
        // What is made from a mask that is not valid is not valid.
        let mut users = vec![Vec::new(); masks.masks.len()];
        for (index, mask) in masks.masks.iter().enumerate() {
            for from in mask.steps.iter().filter_map(|step| step.from) {
                users[from as usize].push(index);
            }
        }
        let mut work: Vec<usize> = (0..masks.masks.len())
            .filter(|&index| !masks.masks[index].valid)
            .collect();
        while let Some(index) = work.pop() {
            for &user in &users[index] {
                if std::mem::replace(&mut masks.masks[user].valid, false) {
                    work.push(user);
                }
            }
        }
    }

    /// The step over the back edge; none within if the mask stays as it is.
    fn repeated(
        &self,
        masks: &Masks,
        id: LoopId,
        own: u32,
        number: u32,
    ) -> Option<Option<MaskStep>> {
        let data = self.analyses.loops.get(id);
        let &[latch] = data.latches.as_slice() else {
            return None;
        };
        Some(match self.edge(masks, latch, data.header, number)? {
            Edge::Same(mask) if mask == own => None,
            Edge::Same(mask) => Some(self.all_over(mask, latch, data.header)?),
            Edge::Ballot(step) => Some(step),
        })
    }

    /// Where the clamp of a mask is set up: in front of its users, at least once for each time that the mask is made.
    pub fn place(&self, masks: &Masks, mask: u32, users: &[&Event]) -> Result<Place, Refusal> {
        let Analyses {
            dominators, loops, ..
        } = self.analyses;
        let head = masks.masks[mask as usize].head;
        let inside = users
            .iter()
            .filter(|user| masks.of(user.block) == Some(mask));
        let mut block = None;
        for user in inside.clone() {
            block = match block {
                None => Some(user.block),
                Some(block) => Some(dominators.common(block, user.block).ok_or_else(no_place)?),
            };
        }
        let mut block = block.ok_or_else(no_place)?;
        loop {
            let own =
                masks.of(block) == Some(mask) && loops.innermost(block) == loops.innermost(head);
            let first = inside
                .clone()
                .filter(|user| user.block == block)
                .map(|user| user.origin)
                .min();
            if own && let Some(statement) = first.or_else(|| self.text.last_statement(block)) {
                return Ok(Place { block, statement });
            }
            if block == head {
                return Err(no_place());
            }
            block = dominators.immediate(block).ok_or_else(no_place)?;
        }
    }
}

impl Masks {
    fn add(&mut self, mask: Mask) -> u32 {
        self.masks.push(mask);
        self.masks.len() as u32 - 1
    }
}

fn no_place() -> Refusal {
    Refusal::new(&c4::NO_CLAMP)
}
