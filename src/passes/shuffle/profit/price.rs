//! What a plan adds to the machine code: instructions that are executed, by measurement (`benches/README.md`,
//! "Wrappings"; the most of sm_70, sm_80 and sm_90).

use super::budget::{Charge, Frame};
use crate::shuffle::plan::{self, Check, Plan, Wrapping};
use ptxasw_ir::analyses::Analyses;
use ptxasw_ir::function::{BlockId, Function};
use ptxasw_ir::loops::LoopId;
use ptxasw_ir::opcode::Opcode;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Bytes that one shuffle carries.
const WORD: u8 = 4;

/// The prices of a plan.
pub struct Prices {
    /// Those of its regions that have a shuffle.
    pub regions: Vec<Region>,
    /// As the plan's.
    pub sources: Vec<SourcePrice>,
}

/// A set-up and what uses it.
#[derive(Default)]
pub struct Region {
    /// Instructions of the set-up.
    pub set_up: u32,
    /// The innermost loop around it.
    pub frame: Frame,
    /// Those for shuffles to higher lanes alone, if there are both.
    pub down: Option<u32>,
    /// Those for shuffles to lower lanes alone, if there are both.
    pub up: Option<u32>,
    /// Votes and ballots after the set-up.
    pub votes: Vec<Charge>,
    /// Its shuffles, in the order of the text.
    pub uses: Vec<Use>,
}

/// One shuffle.
pub struct Use {
    /// Its number in the plan.
    pub shuffle: usize,
    /// Instructions at the destination, the load apart.
    pub cost: u32,
    /// How far away the other lane is.
    pub distance: u32,
    /// So many lanes further up; 0 for other lane maps than shifts.
    pub steps: i32,
    /// Numbers of its sources.
    pub sources: Vec<u32>,
    /// The block of the destination.
    pub block: BlockId,
    /// The innermost loop around it.
    pub frame: Frame,
}

/// The price of what is done after a source.
pub struct SourcePrice {
    /// Instructions.
    pub cost: u32,
    /// The innermost loop around it.
    pub frame: Frame,
}

impl Prices {
    /// The prices of a plan. A `mov` from the thread's own earlier load costs nothing: it replaces a load. `access`: what each
    /// access costs in the copy of a loop.
    pub fn new(function: &Function, analyses: &Analyses, access: u32, plan: &Plan) -> Self {
        let loads = loads(function);
        let frame = |statement: u32| analyses.loops.innermost(loads.get(&statement)?.block);
        let directions: Vec<u32> = plan
            .regions
            .iter()
            .map(|region| u32::from(region.down) + u32::from(region.up))
            .collect();
        let sources = plan.sources.iter().map(|source| {
            let narrowed = directions.get(source.region as usize).copied().unwrap_or(0);
            let checks = match source.vote {
                true => 1 + checked(&source.checks, 0) + narrowed,
                false => checked(&source.checks, narrowed),
            };
            SourcePrice {
                cost: copied(source) + checks,
                frame: frame(source.statement),
            }
        });
        let mut regions: Vec<Region> = plan
            .regions
            .iter()
            .map(|region| {
                let alone = |down: bool, up: bool| {
                    let both = region.down && region.up;
                    both.then(|| set_up(region, down, up))
                };
                Region {
                    set_up: set_up(region, region.down, region.up),
                    down: alone(true, false),
                    up: alone(false, true),
                    ..Region::default()
                }
            })
            .collect();
        let shuffles = plan.shuffles.iter().enumerate();
        for (number, shuffle) in shuffles.filter(|(_, shuffle)| !shuffle.lanes.is_own()) {
            let mut sources: Vec<u32> = shuffle.parts.iter().map(|part| part.source).collect();
            sources.dedup();
            let first = sources
                .first()
                .and_then(|&source| plan.sources.get(source as usize));
            let region = first.map_or(usize::MAX, |source| source.region as usize);
            let Some(planned) = plan.regions.get(region) else {
                continue;
            };
            let load = loads.get(&shuffle.destination).copied().unwrap_or_default();
            regions[region].uses.push(Use {
                shuffle: number,
                cost: exchange(planned, shuffle, load) + checked(&shuffle.checks, 1),
                distance: shuffle.lanes.distance(),
                steps: shuffle.lanes.steps(),
                sources,
                block: load.block,
                frame: frame(shuffle.destination),
            });
        }
        let ends = Ends::new(function, analyses);
        for (region, priced) in plan.regions.iter().zip(&mut regions) {
            votes(plan, &ends, region, priced);
            if region.copy.is_some() && access > 0 {
                let frames = priced.uses.iter().filter_map(|one| one.frame);
                let frames: BTreeSet<LoopId> = frames.collect();
                let charge = |id| (Some(id), access * accesses(function, analyses, id));
                priced.votes.extend(frames.into_iter().map(charge));
            }
        }
        regions.retain(|region| !region.uses.is_empty());
        Prices {
            regions,
            sources: sources.collect(),
        }
    }
}

/// Where blocks end.
struct Ends<'a> {
    analyses: &'a Analyses,
    /// Statements and blocks that end there, in order.
    blocks: Vec<(u32, BlockId)>,
}

impl<'a> Ends<'a> {
    fn new(function: &Function, analyses: &'a Analyses) -> Self {
        let blocks = function.block_ids();
        let mut blocks: Vec<(u32, BlockId)> = blocks
            .map(|block| (function.block(block).origin, block))
            .collect();
        blocks.sort_unstable();
        Ends { analyses, blocks }
    }

    /// The innermost loops around the blocks that end at a statement.
    fn at(&self, statement: u32) -> impl Iterator<Item = Frame> {
        let first = self.blocks.partition_point(|&(end, _)| end < statement);
        let rest = self.blocks[first..].iter();
        rest.take_while(move |&&(end, _)| end == statement)
            .map(|&(_, block)| self.analyses.loops.innermost(block))
    }
}

/// The votes of a copy count where a shuffle runs as often as they do, else as its first shuffle does.
fn votes(plan: &Plan, ends: &Ends, region: &plan::Region, priced: &mut Region) {
    let Some(first) = priced.uses.first().map(|one| one.frame) else {
        return;
    };
    if let Some(mask) = region.mask {
        return ballots(plan, ends, mask, priced, first);
    }
    let copy = region
        .copy
        .and_then(|number| plan.copies.get(number as usize));
    let Some(copy) = copy else { return };
    let frames: FxHashSet<Frame> = priced.uses.iter().map(|one| one.frame).collect();
    for leave in &copy.leaves {
        // The vote at the entry is part of the set-up.
        if leave.statement != copy.before {
            let votes = ends.at(leave.statement);
            let charges = votes.map(|frame| match frames.contains(&frame) {
                true => (frame, 1),
                false => (first, 1),
            });
            priced.votes.extend(charges);
        }
    }
}

/// The accesses to memory in a loop, those in loops inside apart.
fn accesses(function: &Function, analyses: &Analyses, id: LoopId) -> u32 {
    let blocks = analyses.loops.blocks(id).iter();
    let own = blocks.filter(|&&block| analyses.loops.innermost(block) == Some(id));
    let insts = own.flat_map(|&block| &function.block(block).insts);
    let accesses = insts.filter(|&&inst| {
        matches!(
            function.inst(inst).opcode,
            Opcode::Load(_) | Opcode::Store(_)
        )
    });
    accesses.count() as u32
}

/// A tracked mask: its clamp is set up where its shuffles are, and so often; so are the ballots in front of it, at most.
fn ballots(plan: &Plan, ends: &Ends, mask: u32, priced: &mut Region, first: Frame) {
    let (mut steps, mut work) = (BTreeSet::new(), vec![mask]);
    while let Some(mask) = work.pop() {
        let mask = plan.masks.get(mask as usize);
        for step in mask.iter().flat_map(|mask| &mask.steps) {
            if steps.insert((step.before, step.from)) {
                work.extend(step.from);
            }
        }
    }
    let loops = priced.uses.iter().any(|one| one.frame.is_some());
    let often = steps.iter().filter(|&&(statement, _)| {
        let mut frames = ends.at(statement);
        !loops || frames.next().is_some_and(|frame| frame.is_some())
    });
    priced.votes.push((first, often.count() as u32));
    priced.frame = first;
}

/// What a load's price depends on.
#[derive(Clone, Copy)]
struct Load {
    block: BlockId,
    /// Elements that are not as wide as a word.
    narrow: u32,
    guarded: bool,
}

impl Default for Load {
    fn default() -> Self {
        Load {
            block: BlockId(0),
            narrow: 0,
            guarded: false,
        }
    }
}

/// The loads, by statement.
fn loads(function: &Function) -> FxHashMap<u32, Load> {
    let loads = function.insts.iter().filter_map(|inst| match &inst.opcode {
        Opcode::Load(access) => {
            let load = Load {
                block: inst.block,
                narrow: match access.ty.bits {
                    0..32 => access.elements.into(),
                    _ => 0,
                },
                guarded: inst.guard.is_some(),
            };
            Some((inst.origin, load))
        }
        _ => None,
    });
    loads.collect()
}

/// The set-up of a region, for shuffles of these directions.
fn set_up(region: &plan::Region, down: bool, up: bool) -> u32 {
    let (one, both) = match region.wrapping {
        Wrapping::Full if region.whole_rows => (0, 0),
        Wrapping::Full => (4, 6),
        Wrapping::WholeRows => (4, 5),
        Wrapping::Row => (7, 9),
        Wrapping::AnyRow => (8, 11),
        Wrapping::Paper => (5, 5),
        // With the halo load of one source.
        Wrapping::Halo => (8, 17),
    };
    let frame = match (down, up) {
        (true, true) => both,
        (false, false) => 0,
        _ => one,
    };
    // Other lane maps: mask and predicate, and the rows.
    let groups = match region.group {
        None => 0,
        Some(1) => 2,
        Some(_) => 5,
    };
    frame + groups + checked(&region.checks, 0)
}

/// The copy of a source's value.
fn copied(source: &plan::Source) -> u32 {
    let moved = source.carried.as_ref().is_some_and(|carried| carried.moved);
    u32::from(source.copy && !moved)
}

/// A shuffle of each word, without the load that was there before.
fn exchange(region: &plan::Region, shuffle: &plan::Shuffle, load: Load) -> u32 {
    let words = shuffle.parts.iter().flat_map(|part| {
        let last = part.byte + part.bytes.max(1) - 1;
        (part.byte / WORD..=last / WORD).map(|word| (part.source, word))
    });
    let mut words: Vec<(u32, u8)> = words.collect();
    words.sort_unstable();
    words.dedup();
    // A narrow value is widened before and narrowed after; under a guard, the register is written by an instruction of
    // its own, and the load's guard takes another.
    let around = load.narrow + if load.guarded { 2 } else { 0 };
    let compares = match region.wrapping {
        Wrapping::Paper => 2,
        // A copy has no load there any more.
        Wrapping::Halo if region.copy.is_some() && shuffle.upward => 2,
        Wrapping::Halo => 3,
        _ => 0,
    };
    words.len() as u32 + around + compares
}

/// Checks at run time, and what applies them to so many clamps.
fn checked(checks: &[Check], clamps: u32) -> u32 {
    let cost = |check: &Check| {
        let words = u32::from(check.width) / 32;
        let sum = check.offset != 0 && !matches!(check.limit, 0 | 0xffff_fffe);
        let steps = 1 + u32::from(check.minus.is_some()) + u32::from(sum);
        words * steps
    };
    match checks.is_empty() {
        true => 0,
        false => checks.iter().map(cost).sum::<u32>() + clamps,
    }
}
