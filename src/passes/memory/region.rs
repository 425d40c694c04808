//! The part of a function that has a second copy, which tests at its entry guard.

use super::accesses::{AccessId, Accesses};
use crate::Session;
use ptxasw_ir::analyses::Analyses;
use ptxasw_ir::effects;
use ptxasw_ir::function::{BlockId, Function, Inst, InstId};
use ptxasw_ir::patch::{CloneId, Point, Ref, RegionClone, Uncopyable};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// The block that a function begins with.
const FIRST: BlockId = BlockId(0);
/// Instructions of a region.
const MAX_INSTS: usize = 1 << 15;
/// Loops around a block that count: what is in one is taken for four times as much.
const MAX_DEPTH: usize = 8;
/// Places at which a region may begin that are tried.
const MAX_REGIONS: usize = 3;

/// The part of a function that has a second copy.
#[derive(Clone, Debug)]
pub struct Region {
    /// The block in which it is entered.
    pub block: BlockId,
    /// It begins after so many instructions of that block.
    pub from: usize,
    /// Lanes do something together in it, so all of them must come to the same copy.
    pub together: bool,
    /// Its other blocks.
    blocks: Vec<BlockId>,
    inside: Vec<bool>,
}

impl Region {
    /// All of a kernel.
    pub fn whole(function: &Function) -> Self {
        let blocks = function.block_ids().filter(|&block| block != FIRST);
        let blocks: Vec<BlockId> = blocks.collect();
        Region {
            block: FIRST,
            from: 0,
            together: function.insts.iter().any(|inst| {
                let effects = effects::of_instruction(inst);
                effects.convergent
            }),
            inside: inside(function, &blocks),
            blocks,
        }
    }

    /// What a block dominates, after all convergent instructions in it, and without other blocks that have such.
    fn dominated_by(function: &Function, analyses: &Analyses, block: BlockId) -> Self {
        let together = |id: &InstId| effects::of_instruction(function.inst(*id)).convergent;
        let mut blocks = Vec::new();
        let mut seen = vec![false; function.blocks.len()];
        let mut work = vec![block];
        while let Some(before) = work.pop() {
            for other in analyses.cfg.successors(before) {
                let inside = analyses.dominators.strictly_dominates(block, other)
                    && !function.block(other).insts.iter().any(together);
                if inside && !std::mem::replace(&mut seen[other.index()], true) {
                    blocks.push(other);
                    work.push(other);
                }
            }
        }
        blocks.sort_unstable();
        let insts = &function.block(block).insts;
        Region {
            block,
            from: insts.iter().rposition(together).map_or(0, |last| last + 1),
            together: false,
            inside: inside(function, &blocks),
            blocks,
        }
    }

    /// Whether an instruction is part of it: its block, and its index there.
    pub fn contains(&self, block: BlockId, index: usize) -> bool {
        match block == self.block {
            true => index >= self.from,
            false => self.inside[block.index()],
        }
    }

    /// Whether a block is part of it, but for the one in which it is entered.
    pub fn has(&self, block: BlockId) -> bool {
        self.inside[block.index()]
    }

    /// Whether each thread may choose a copy for itself: no lane waits for what another one does, so that it makes no difference which
    /// copy of a warp's two is executed first, and a loop makes up for warps that execute both.
    pub fn may_part(&self, function: &Function, analyses: &Analyses) -> bool {
        let loops = &analyses.loops;
        let mut headers = loops.ids().map(|id| loops.get(id).header);
        let meets_others = |inst: &Inst| {
            let effects = effects::of_instruction(inst);
            effects.convergent || effects.waits || effects.polls
        };
        headers.any(|header| self.has(header)) && !function.insts.iter().any(meets_others)
    }

    /// Whether a clone is of this region. Where it is entered in its first block depends on what is tested.
    pub fn has_copy(&self, function: &Function, clone: &RegionClone) -> bool {
        let block = match clone.enter {
            Point::Before(inst) | Point::After(inst) => function.inst(inst).block,
            Point::Start(block) | Point::End(block) => block,
        };
        self.block == block && self.blocks == clone.blocks
    }

    /// How many instructions it has.
    pub fn size(&self, function: &Function) -> usize {
        let blocks = self.blocks.iter();
        let whole: usize = blocks.map(|&block| function.block(block).insts.len()).sum();
        whole
            + function
                .block(self.block)
                .insts
                .len()
                .saturating_sub(self.from)
    }

    /// Where it is entered.
    pub fn point(&self, function: &Function) -> Point {
        let insts = &function.block(self.block).insts;
        match self.from.checked_sub(1).and_then(|last| insts.get(last)) {
            Some(&last) => Point::After(last),
            None => Point::Start(self.block),
        }
    }

    /// Its second copy, entered under a condition.
    pub fn clone_under(&self, function: &Function, condition: Ref) -> RegionClone {
        RegionClone {
            id: CloneId(0),
            enter: self.point(function),
            condition,
            after: None,
            blocks: self.blocks.clone(),
            exits: Vec::new(),
            settled: Vec::new(),
            together: false,
        }
    }
}

fn inside(function: &Function, blocks: &[BlockId]) -> Vec<bool> {
    let mut inside = vec![false; function.blocks.len()];
    for block in blocks {
        inside[block.index()] = true;
    }
    inside
}

/// Regions that may have a second copy.
#[derive(Default)]
pub struct Regions {
    /// Those first that begin earlier.
    pub all: Vec<Region>,
    /// Why the first of the others has none.
    pub refused: Option<Uncopyable>,
}

/// Regions that have some accesses, those first that begin earlier: all of a kernel, whose entry tests what all threads agree on,
/// then what begins in front of the loops around the block that has the most of them.
pub fn around(
    session: &Session,
    accesses: &Accesses,
    of: impl Iterator<Item = AccessId>,
) -> Regions {
    let (function, analyses) = (session.function, session.analyses());
    let dominators = &analyses.dominators;
    let mut counts: BTreeMap<BlockId, usize> = BTreeMap::new();
    for id in of {
        let block = accesses.get(id).block;
        let depth = analyses.loops.around(block).count().min(MAX_DEPTH);
        *counts.entry(block).or_default() += 1 << (2 * depth);
    }
    let fullest = counts
        .iter()
        .max_by_key(|&(&block, &count)| (count, Reverse(block)));
    let Some(fullest) = fullest.map(|(&block, _)| block) else {
        return Regions::default();
    };
    let mut block = fullest;
    let mut begins = vec![block];
    while let Some(around) = analyses.loops.innermost(block) {
        let header = analyses.loops.get(around).header;
        let Some(before) = dominators.immediate(header) else {
            break;
        };
        block = before;
        begins.push(block);
    }
    begins.reverse();
    begins.retain(|&block| block != FIRST);
    let whole = function.entry.then(|| Region::whole(function));
    let inner = begins
        .into_iter()
        .map(|block| Region::dominated_by(function, analyses, block));
    let inner = inner.filter(|region| region.block == fullest || region.has(fullest));
    let mut regions = Regions::default();
    for region in whole.into_iter().chain(inner).take(MAX_REGIONS) {
        match may_have_copy(session, &region) {
            Ok(()) => regions.all.push(region),
            Err(why) => {
                regions.refused.get_or_insert(why);
            }
        }
    }
    regions
}

fn may_have_copy(session: &Session, region: &Region) -> Result<(), Uncopyable> {
    let function = session.function;
    let sizes = region
        .blocks
        .iter()
        .map(|&block| function.block(block).insts.len());
    let clone = region.clone_under(function, Ref::Constant(1, 1));
    match sizes.sum::<usize>() <= MAX_INSTS {
        true => session.text.clonable(&clone),
        false => Err(Uncopyable {
            origin: function.block(region.block).origin,
            what: "a region of more than 32,768 instructions",
        }),
    }
}
