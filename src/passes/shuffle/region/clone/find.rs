//! Which parts of a kernel may get a copy: the outermost thing that keeps a block from having a mask of its own.

use super::part::{DivergentRegion, DivergentRegions, MAX_STATEMENTS};
use crate::shuffle::plan::Wrapping;
use crate::shuffle::refusal::{Reason, Refusal, c4};
use crate::shuffle::region::choice::whole;
use crate::shuffle::region::convergence::{Convergence, Obstacle, Waits};
use ptxasw_base::mutation::{Mutation, active};
use ptxasw_ir::analyses::Analyses;
use ptxasw_ir::divergence::Level;
use ptxasw_ir::function::{BlockId, Function, Terminator};
use ptxasw_ir::loops::LoopId;
use ptxasw_ir::opcode::Opcode;
use ptxasw_ir::patch::Text;
use rustc_hash::FxHashSet;

/// Joins after which a part goes on.
const MAX_JOINS: usize = 8;

/// What parts are looked for in.
pub(in crate::shuffle) struct Finder<'a> {
    pub function: &'a Function,
    pub analyses: &'a Analyses,
    pub convergence: &'a Convergence,
    pub text: &'a dyn Text,
    pub waits: &'a Waits,
    /// Joins at which values meet that are as far apart in all lanes that took the same path.
    pub joins: &'a FxHashSet<BlockId>,
    /// The scheme, if the user chose one.
    pub only: Option<Wrapping>,
}

/// Where a part may begin. It is all that the part depends on, so that many blocks after one of these (the arms of a
/// `switch`) look for it once.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Start {
    /// With the exit guard that ends this block.
    Guard(BlockId),
    /// With the branch that ends this block.
    Branch(BlockId),
    /// With this loop.
    Loop(LoopId),
}

impl Finder<'_> {
    /// All parts. A block is in the part of the first block above it that has no mask of its own.
    pub fn all(&self) -> DivergentRegions {
        let mut parts = DivergentRegions {
            parts: Vec::new(),
            of: vec![None; self.function.blocks.len()],
        };
        let none = |only: Wrapping| match only {
            Wrapping::Halo => self.narrow_rows(),
            _ => !only.tracks(),
        };
        if self.only.is_some_and(none) {
            return parts;
        }
        let mut asked = FxHashSet::default();
        for &block in self.analyses.cfg.reverse_post_order() {
            if parts.of(block).is_none()
                && let Some(start) = self.start(block)
                && asked.insert(start)
                && let Some(part) = self.part(start)
            {
                parts.add(part);
            }
        }
        parts
    }

    /// The start of the part that begins above `block`, if `block` is the first on its path that needs a copy.
    fn start(&self, block: BlockId) -> Option<Start> {
        let head = self.convergence.head(block);
        let above = self.analyses.dominators.immediate(block)?;
        if self.only == Some(Wrapping::Halo) {
            let starts = head.block == block && self.convergence.head(above).block != block;
            let free = head.obstacle.is_none() && self.analyses.loops.innermost(block).is_none();
            return (starts && free && self.branches(above)).then_some(Start::Guard(above));
        }
        if self.convergence.head(above).obstacle.is_some() {
            return None;
        }
        Some(match head.obstacle? {
            Obstacle::Irreducible => return None,
            Obstacle::DivergentIf(_)
                if self.branches(above) && !self.only_repeats(block, above) =>
            {
                Start::Branch(above)
            }
            _ => Start::Loop(self.outermost(block, above)?),
        })
    }

    /// The part that begins so.
    fn part(&self, start: Start) -> Option<DivergentRegion> {
        let mut part = match start {
            Start::Guard(above) => return self.guarded(above),
            Start::Branch(above) => {
                let tracks = self.only.is_some_and(Wrapping::tracks);
                let joined = (!tracks).then(|| self.joined(above)).flatten();
                joined.or_else(|| self.branched(above))?
            }
            Start::Loop(id) => self.repeated(id)?,
        };
        if let Some(only) = self.only {
            part.kind = only;
        }
        part.refusal = self.obstruction(&part);
        Some(part)
    }

    fn branches(&self, block: BlockId) -> bool {
        matches!(
            self.function.block(block).terminator,
            Terminator::Branch { .. } | Terminator::Switch { .. }
        )
    }

    /// `block` begins a loop, and all lanes that get to `above` take the same edge there.
    fn only_repeats(&self, block: BlockId, above: BlockId) -> bool {
        let loops = &self.analyses.loops;
        let header = loops
            .innermost(block)
            .is_some_and(|id| loops.get(id).header == block && !loops.contains(id, above));
        header && self.analyses.divergence.branch(above) == Level::Uniform
    }

    /// All that the branch at the end of `above` decides about, up to where its paths meet again.
    fn branched(&self, above: BlockId) -> Option<DivergentRegion> {
        self.decided(above, self.analyses.post_dominators.immediate(above))
    }

    /// As [`Finder::branched`], and what follows, where lanes have values in common only if all took the same path.
    fn joined(&self, above: BlockId) -> Option<DivergentRegion> {
        let ends = &self.analyses.post_dominators;
        let mut stop = ends.immediate(above);
        stop.filter(|block| self.joins.contains(block))?;
        for _ in 0..MAX_JOINS {
            let Some(join) = stop.filter(|block| self.joins.contains(block)) else {
                break;
            };
            stop = ends.immediate(join);
        }
        let part = self.decided(above, stop)?;
        let whole = self.obstruction(&part).is_none() && !self.is_long(&part);
        whole.then_some(part)
    }

    /// What the branch at the end of `above` decides about, in front of `stop`.
    fn decided(&self, above: BlockId, stop: Option<BlockId>) -> Option<DivergentRegion> {
        let blocks = self.reachable(above, stop)?;
        Some(DivergentRegion {
            kind: Wrapping::Full,
            above,
            with_branch: true,
            first: above,
            blocks,
            refusal: None,
        })
    }

    /// All that follows an exit guard; none if that can't be copied, since `halo` does without.
    fn guarded(&self, above: BlockId) -> Option<DivergentRegion> {
        let part = DivergentRegion {
            kind: Wrapping::Halo,
            ..self.decided(above, None)?
        };
        let copyable = self.obstruction(&part).is_none() && !self.is_long(&part);
        copyable.then_some(part)
    }

    /// A copy would repeat too much.
    fn is_long(&self, part: &DivergentRegion) -> bool {
        let texts = part.blocks.iter().map(|&block| {
            let statements = self.text.block_text(block).statements;
            statements.end.saturating_sub(statements.start)
        });
        texts.sum::<u32>() >= MAX_STATEMENTS
    }

    /// The rows of the block's threads are known not to be whole warps.
    fn narrow_rows(&self) -> bool {
        self.function.required_threads.is_some() && !whole(self.function).1
    }

    /// The outermost loop around `block` that is not one around `above`.
    fn outermost(&self, block: BlockId, above: BlockId) -> Option<LoopId> {
        let loops = &self.analyses.loops;
        loops
            .around(block)
            .take_while(|&id| !loops.contains(id, above))
            .last()
    }

    /// A whole loop.
    fn repeated(&self, id: LoopId) -> Option<DivergentRegion> {
        let loops = &self.analyses.loops;
        let one = loops.get(id);
        let &[entry] = one.entries.as_slice() else {
            return None;
        };
        if one.irreducible {
            return None;
        }
        // A loop that is entered by a branch is copied together with the branch.
        let with_branch = self.branches(entry);
        let mut blocks = loops.blocks(id).to_vec();
        blocks.sort_unstable();
        Some(DivergentRegion {
            kind: Wrapping::Full,
            above: entry,
            with_branch,
            first: one.header,
            blocks,
            refusal: None,
        })
    }

    /// The blocks between `above` and `stop`; none if they can be entered from elsewhere or leave its loop.
    fn reachable(&self, above: BlockId, stop: Option<BlockId>) -> Option<Vec<BlockId>> {
        let Analyses {
            cfg,
            dominators,
            loops,
            ..
        } = self.analyses;
        let enclosing = loops.innermost(above);
        let mut seen = FxHashSet::default();
        let mut work = vec![above];
        while let Some(block) = work.pop() {
            for next in cfg.successors(block) {
                if Some(next) == stop || !seen.insert(next) {
                    continue;
                }
                let inside = enclosing.is_none_or(|enclosing| loops.contains(enclosing, next));
                if !inside || next == above || !dominators.dominates(above, next) {
                    return None;
                }
                work.push(next);
            }
        }
        let mut blocks: Vec<BlockId> = seen.into_iter().collect();
        blocks.sort_unstable();
        Some(blocks)
    }

    /// What in a part rules a copy out.
    fn obstruction(&self, part: &DivergentRegion) -> Option<Refusal> {
        part.blocks
            .iter()
            .find_map(|&block| self.obstruction_in(block))
    }

    fn what(&self) -> &'static str {
        match self.only.is_some_and(Wrapping::tracks) {
            true => "a region with tracked masks",
            false => "a copy for whole warps",
        }
    }

    fn refuse(&self, reason: &'static Reason, origin: u32, label: &'static str) -> Refusal {
        Refusal::new(reason).with(self.what()).at(origin, label)
    }

    fn obstruction_in(&self, block: BlockId) -> Option<Refusal> {
        let data = self.function.block(block);
        if self.analyses.loops.irreducible(block) {
            return Some(Refusal::new(&c4::IRREDUCIBLE));
        }
        if let Some(origin) = self.waits.in_block(block) {
            return Some(self.refuse(&c4::WAITS_INSIDE, origin, "waits for other threads"));
        }
        let stops = data.insts.iter().find_map(|&id| {
            let inst = self.function.inst(id);
            let (reason, label) = match &inst.opcode {
                Opcode::Barrier { .. } => (&c4::BARRIER_INSIDE, "a barrier"),
                Opcode::Call { .. } if active(Mutation::ExitingCallsCopied) => return None,
                Opcode::Call { effects, .. } if effects.waits || effects.exits => {
                    (&c4::CALL_INSIDE, "a call")
                }
                Opcode::Vote { .. } | Opcode::Shuffle { .. } => {
                    (&c4::EXCHANGE_INSIDE, "an exchange between lanes")
                }
                Opcode::Opaque { effects } if effects.waits || effects.exits => {
                    (&c4::UNKNOWN_INSIDE, "not modelled")
                }
                _ => return None,
            };
            Some(self.refuse(reason, inst.origin, label))
        });
        if stops.is_some() {
            return stops;
        }
        let table = matches!(data.terminator, Terminator::Switch { .. });
        (table && self.only.is_some_and(Wrapping::tracks))
            .then(|| self.refuse(&c4::TABLE, data.origin, "branch by a table"))
    }
}

impl DivergentRegions {
    fn add(&mut self, part: DivergentRegion) {
        if part.blocks.iter().any(|&block| self.of(block).is_some()) {
            return;
        }
        let number = self.parts.len() as u32;
        for block in &part.blocks {
            self.of[block.index()] = Some(number);
        }
        self.parts.push(part);
    }
}

/// Whether lanes may leave a loop in different iterations.
pub(super) fn leaves_one_by_one(analyses: &Analyses, id: LoopId) -> bool {
    analyses.divergence.loop_exits(id) != Level::Uniform
}
