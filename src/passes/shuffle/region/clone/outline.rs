//! The outline of a copy: which statements it repeats, where it is entered, and at which branches a vote decides whether
//! the warp stays.

use super::lockstep::Voted;
use super::part::{DivergentRegion, DivergentRegions, MAX_STATEMENTS};
use crate::shuffle::plan::{CopiedPart, Leave, Stay, WarpCopy};
use crate::shuffle::refusal::{Refusal, c4, limit};
use crate::shuffle::region::convergence::{Convergence, Waits};
use crate::shuffle::region::placement::Place;
use ptxasw_base::mutation::{Mutation, active};
use ptxasw_ir::analyses::Analyses;
use ptxasw_ir::divergence::Level;
use ptxasw_ir::function::{BlockId, Function, Terminator};
use ptxasw_ir::patch::Text;
use rustc_hash::FxHashSet;

/// What outlines are drawn from.
pub(in crate::shuffle) struct Outliner<'a> {
    pub function: &'a Function,
    pub analyses: &'a Analyses,
    pub convergence: &'a Convergence,
    pub text: &'a dyn Text,
    pub waits: &'a Waits,
    pub parts: &'a DivergentRegions,
    pub voted: &'a Voted,
}

/// A copy, and where its mask and clamps are set up.
pub(in crate::shuffle) struct Outline {
    pub copy: WarpCopy,
    pub place: Place,
}

impl Outliner<'_> {
    /// The copy of a part for shuffles in the blocks `users`.
    pub fn draw(&self, number: u32, users: &[BlockId]) -> Result<Outline, Refusal> {
        let part = self.parts.get(number);
        if let Some(refusal) = &part.refusal {
            return Err(refusal.clone());
        }
        let kept = self.kept(number, users);
        let mut blocks: Vec<BlockId> = kept.iter().copied().collect();
        blocks.sort_unstable();
        let leaves = self.leaves(part, &kept, &blocks, users)?;
        let parts = self.texts(part, &blocks);
        let own: Vec<u32> = leaves.iter().map(|leave| leave.statement).collect();
        let count: u32 = parts.iter().map(|text| text.end - text.first).sum();
        if count > MAX_STATEMENTS {
            return Err(Refusal::new(&limit::COPY_SIZE).with(count.to_string()));
        }
        let (before, entry) = self.entry(part).ok_or_else(no_entry)?;
        for text in &parts {
            let statements = text.first..text.end;
            let found = self.text.uncopyable(before, statements, &own);
            if let Some((statement, what)) = found {
                return Err(Refusal::new(&c4::UNCOPYABLE).at(statement, what));
            }
        }
        let place = self.place(part, before)?;
        Ok(Outline {
            copy: WarpCopy {
                before,
                entry,
                above: part.above,
                blocks,
                parts,
                leaves,
            },
            place,
        })
    }

    /// The blocks from which a user can be reached inside the part.
    fn kept(&self, number: u32, users: &[BlockId]) -> FxHashSet<BlockId> {
        let mut kept: FxHashSet<BlockId> = users.iter().copied().collect();
        let mut work: Vec<BlockId> = kept.iter().copied().collect();
        while let Some(block) = work.pop() {
            for before in self.analyses.cfg.predecessors(block) {
                if self.parts.of(before) == Some(number) && kept.insert(before) {
                    work.push(before);
                }
            }
        }
        self.whole_switches(number, &mut kept);
        kept
    }

    /// Adds the blocks that a `switch` decides in besides its own: they have no text, and are copied all or none.
    fn whole_switches(&self, number: u32, kept: &mut FxHashSet<BlockId>) {
        let mut work: Vec<BlockId> = kept.iter().copied().collect();
        while let Some(block) = work.pop() {
            for next in self.analyses.cfg.successors(block) {
                let text = self.text.block_text(next);
                let branches = matches!(
                    self.function.block(next).terminator,
                    Terminator::Branch { .. }
                );
                let of_switch = branches && text.statements.is_empty() && text.branch.is_none();
                if of_switch && self.parts.of(next) == Some(number) && kept.insert(next) {
                    work.push(next);
                }
            }
        }
    }

    /// The branches that need a vote: lanes may diverge there, and a shuffle or another vote depends on it, or an edge leaves
    /// the copy.
    fn leaves(
        &self,
        part: &DivergentRegion,
        kept: &FxHashSet<BlockId>,
        blocks: &[BlockId],
        users: &[BlockId],
    ) -> Result<Vec<Leave>, Refusal> {
        let Analyses {
            cfg,
            control,
            divergence,
            loops,
            ..
        } = self.analyses;
        let inside =
            |block: BlockId| kept.contains(&block) || part.with_branch && block == part.above;
        let leads_out = |block: BlockId| cfg.successors(block).any(|next| !kept.contains(&next));
        let stays = |block: BlockId| cfg.successors(block).any(|next| kept.contains(&next));
        // What all lanes must come to together.
        let is_header = |&block: &BlockId| {
            let inner = loops.innermost(block);
            inner.is_some_and(|id| loops.get(id).header == block && self.voted.loops.contains(&id))
        };
        let headers = kept.iter().copied().filter(is_header);
        let joins = kept.iter().filter(|_| !active(Mutation::WaysNotVoted));
        let joins = joins.filter_map(|join| self.voted.joins.get(join));
        let predecessors: Vec<BlockId> = joins.flatten().copied().collect();
        let mut together: FxHashSet<BlockId> = FxHashSet::default();
        let mut work: Vec<BlockId> = users.to_vec();
        work.extend(headers);
        work.extend(blocks.iter().copied().filter(|&block| leads_out(block)));
        if part.with_branch {
            work.push(part.above);
        }
        let mut deciding: FxHashSet<BlockId> = work
            .iter()
            .copied()
            .filter(|&block| leads_out(block))
            .collect();
        // Each of them may go to the join or elsewhere.
        let predecessors = predecessors.into_iter().filter(|&block| inside(block));
        for block in predecessors {
            deciding.insert(block);
            work.push(block);
        }
        deciding.extend(part.with_branch.then_some(part.above));
        while let Some(block) = work.pop() {
            if !together.insert(block) {
                continue;
            }
            let branches = control.branches(block).into_iter();
            for branch in branches.filter(|&branch| inside(branch)) {
                deciding.insert(branch);
                work.push(branch);
            }
        }
        let mut leaves = Vec::new();
        for block in deciding {
            let parts_lanes = divergence.branch(block) != Level::Uniform;
            if !parts_lanes || !stays(block) || active(Mutation::LeaveNotVoted) {
                continue;
            }
            leaves.push(self.leave(block, kept)?);
        }
        leaves.sort_unstable_by_key(|leave| leave.statement);
        Ok(leaves)
    }

    fn leave(&self, block: BlockId, kept: &FxHashSet<BlockId>) -> Result<Leave, Refusal> {
        let text = self.text.block_text(block);
        let origin = self.function.block(block).origin;
        let terminator = &self.function.block(block).terminator;
        if let (Some(statement), Terminator::Switch { .. }) = (text.branch, terminator) {
            return Ok(Leave {
                statement,
                stay: Stay::Either,
                block,
                then: None,
            });
        }
        let by_branch = matches!(terminator, Terminator::Branch { .. });
        let (Some(statement), Some(taken), Some(next), true) =
            (text.branch, text.taken, text.otherwise, by_branch)
        else {
            return Err(Refusal::new(&c4::NO_BRANCH).at(origin, "lanes diverge here"));
        };
        let stay = match (kept.contains(&taken), kept.contains(&next)) {
            (true, true) => Stay::Either,
            (true, false) => Stay::Taken,
            (false, _) => Stay::Next,
        };
        let then = match terminator {
            Terminator::Branch { then, .. } if stay != Stay::Either => {
                Some(kept.contains(&then.block))
            }
            _ => None,
        };
        Ok(Leave {
            statement,
            stay,
            block,
            then,
        })
    }

    /// The statements of the copied blocks, adjacent ones together.
    fn texts(&self, part: &DivergentRegion, blocks: &[BlockId]) -> Vec<CopiedPart> {
        let mut texts: Vec<CopiedPart> = Vec::new();
        if part.with_branch {
            let text = self.text.block_text(part.above);
            texts.extend(text.branch.map(|branch| CopiedPart {
                first: branch,
                end: text.statements.end,
                onward: self.first_statement(text.next),
            }));
        }
        for &block in blocks {
            let text = self.text.block_text(block);
            if text.statements.is_empty() && text.next.is_none() {
                continue;
            }
            texts.push(CopiedPart {
                first: text.statements.start,
                end: text.statements.end,
                onward: self.first_statement(text.next),
            });
        }
        texts.sort_by_key(|text| text.first);
        let mut joined: Vec<CopiedPart> = Vec::new();
        for text in texts {
            match joined.last_mut() {
                Some(last) if last.end == text.first => {
                    last.end = text.end;
                    last.onward = text.onward;
                }
                _ => joined.push(text),
            }
        }
        joined
    }

    fn first_statement(&self, block: Option<BlockId>) -> Option<u32> {
        block.map(|block| self.text.block_text(block).statements.start)
    }

    /// The statement in front of which the entry is placed, and where it leads to in the copy.
    fn entry(&self, part: &DivergentRegion) -> Option<(u32, u32)> {
        let above = self.text.block_text(part.above);
        if part.with_branch {
            return above.branch.map(|branch| (branch, branch));
        }
        let first = self.text.block_text(part.first).statements.start;
        match above.next {
            // A branch that jumps there, too, would jump over an entry between the two.
            Some(next) if next == part.first && above.taken != Some(next) => Some((first, first)),
            _ => above.branch.map(|jump| (jump, first)),
        }
    }

    /// Where the mask of a part is read that gets no copy.
    pub fn mask_place(&self, part: &DivergentRegion) -> Result<Place, Refusal> {
        let (before, _) = self.entry(part).ok_or_else(no_entry)?;
        self.place(part, before)
    }

    /// Where the mask is read: at the entry, or in front of the loops around it.
    fn place(&self, part: &DivergentRegion, before: u32) -> Result<Place, Refusal> {
        let Analyses {
            dominators, loops, ..
        } = self.analyses;
        let entry = Place {
            block: part.above,
            statement: before,
        };
        if loops.innermost(part.above).is_none() {
            return Ok(entry);
        }
        let head = self.convergence.head(part.above);
        let mut block = part.above;
        while loops.innermost(block).is_some() && block != head.block {
            block = dominators.immediate(block).ok_or_else(no_entry)?;
        }
        let statement = self.text.last_statement(block).ok_or_else(no_entry)?;
        if loops.innermost(block).is_some() || head.obstacle.is_some() {
            return Err(no_entry());
        }
        let place = Place { block, statement };
        match self.waits.on_path(self.analyses, place, entry) {
            Some(origin) => Err(Refusal::new(&c4::WAITS).at(origin, "waits for other threads")),
            None => Ok(place),
        }
    }
}

fn no_entry() -> Refusal {
    Refusal::new(&c4::NO_ENTRY)
}
