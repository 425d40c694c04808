//! What a plan adds to the machine code: instructions that are executed, by measurement (`benches/README.md`,
//! "Wrappings"; the most of sm_70, sm_80 and sm_90).

use crate::ir::analyses::Analyses;
use crate::ir::function::{BlockId, Function};
use crate::ir::loops::LoopId;
use crate::ir::opcode::Opcode;
use crate::shuffle::plan::{self, Check, Plan, Wrapping};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Bytes that one shuffle carries.
const WORD: u8 = 4;

/// The prices of a plan.
pub struct Prices {
    /// Those of its regions that have a shuffle.
    pub regions: Vec<Region>,
    /// As the plan's.
    pub sources: Vec<Source>,
}

/// A set-up and what uses it.
#[derive(Default)]
pub struct Region {
    /// Instructions that are executed once.
    pub set_up: u32,
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
    /// Numbers of its sources.
    pub sources: Vec<u32>,
    /// The block of the destination.
    pub block: BlockId,
    /// The innermost loop around it.
    pub frame: Option<LoopId>,
}

/// What is done behind a source.
pub struct Source {
    /// Instructions.
    pub cost: u32,
    /// The innermost loop around it.
    pub frame: Option<LoopId>,
}

impl Prices {
    /// The prices of a plan. A `mov` from the thread's own earlier load costs nothing: it replaces a load.
    pub fn new(function: &Function, analyses: &Analyses, plan: &Plan) -> Self {
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
            Source {
                cost: u32::from(source.copy) + checks,
                frame: frame(source.statement),
            }
        });
        let mut regions: Vec<Region> = plan
            .regions
            .iter()
            .map(|region| Region {
                set_up: set_up(region),
                uses: Vec::new(),
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
            let Some(wrapping) = plan.regions.get(region).map(|region| region.wrapping) else {
                continue;
            };
            let load = loads.get(&shuffle.destination).copied().unwrap_or_default();
            regions[region].uses.push(Use {
                shuffle: number,
                cost: exchange(wrapping, shuffle, load) + checked(&shuffle.checks, 1),
                distance: shuffle.lanes.distance(),
                sources,
                block: load.block,
                frame: frame(shuffle.destination),
            });
        }
        for (region, priced) in plan.regions.iter().zip(&mut regions) {
            votes(function, analyses, plan, region, priced);
        }
        regions.retain(|region| !region.uses.is_empty());
        Prices {
            regions,
            sources: sources.collect(),
        }
    }
}

/// The votes of a copy go with its first shuffle that runs as often as they do, or with its first.
fn votes(
    function: &Function,
    analyses: &Analyses,
    plan: &Plan,
    region: &plan::Region,
    priced: &mut Region,
) {
    if let Some(mask) = region.mask {
        return ballots(function, analyses, plan, mask, priced);
    }
    let copy = region
        .copy
        .and_then(|number| plan.copies.get(number as usize));
    let Some(copy) = copy else { return };
    let leaves: Vec<u32> = copy.leaves.iter().map(|leave| leave.statement).collect();
    for block in function.block_ids() {
        let origin = function.block(block).origin;
        // The vote at the entry is part of the set-up.
        if origin == copy.before || leaves.binary_search(&origin).is_err() {
            continue;
        }
        let frame = analyses.loops.innermost(block);
        let uses = &mut priced.uses;
        let fitting = uses.iter().position(|one| one.frame == frame);
        if let Some(one) = uses.get_mut(fitting.unwrap_or(0)) {
            one.cost += 1;
        }
    }
}

/// A tracked mask: its clamp is set up where its shuffles are, and so often; so are the ballots in front of it, at most.
fn ballots(function: &Function, analyses: &Analyses, plan: &Plan, mask: u32, priced: &mut Region) {
    let (mut steps, mut work) = (BTreeSet::new(), vec![mask]);
    while let Some(mask) = work.pop() {
        let mask = plan.masks.get(mask as usize);
        for step in mask.iter().flat_map(|mask| &mask.steps) {
            if steps.insert((step.before, step.from)) {
                work.extend(step.from);
            }
        }
    }
    let in_loops = |statement: u32| {
        let mut blocks = function.block_ids();
        let block = blocks.find(|&block| function.block(block).origin == statement);
        block.is_some_and(|block| analyses.loops.innermost(block).is_some())
    };
    let loops = priced.uses.iter().any(|one| one.frame.is_some());
    let often = steps
        .iter()
        .filter(|(statement, _)| !loops || in_loops(*statement));
    let cost = often.count() as u32 + std::mem::take(&mut priced.set_up);
    if let Some(first) = priced.uses.first_mut() {
        first.cost += cost;
    }
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

/// The set-up of a region. One direction, both.
fn set_up(region: &plan::Region) -> u32 {
    let (one, both) = match region.wrapping {
        Wrapping::Full if region.whole_rows => (0, 0),
        Wrapping::Full => (4, 6),
        Wrapping::WholeRows => (4, 5),
        Wrapping::Row => (7, 9),
        Wrapping::AnyRow => (8, 11),
        Wrapping::Contiguous => (10, 15),
        Wrapping::Paper => (5, 5),
        Wrapping::Early => (7, 10),
        // With the halo load of one source.
        Wrapping::Halo => (8, 17),
        // The mask, a vote, its test and the branch, then the clamps.
        Wrapping::Hoist | Wrapping::FastLoop | Wrapping::Versioned if region.whole_rows => (4, 4),
        Wrapping::Hoist | Wrapping::FastLoop | Wrapping::Versioned => (8, 10),
    };
    let frame = match (region.down, region.up) {
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

/// A shuffle of each word, without the load that was there before.
fn exchange(wrapping: Wrapping, shuffle: &plan::Shuffle, load: Load) -> u32 {
    let words = shuffle.parts.iter().flat_map(|part| {
        let last = part.byte + part.bytes.max(1) - 1;
        (part.byte / WORD..=last / WORD).map(|word| (part.source, word))
    });
    let mut words: Vec<(u32, u8)> = words.collect();
    words.sort_unstable();
    words.dedup();
    // A narrow value is widened in front and narrowed behind; under a guard, the register is written by an instruction of
    // its own, and the load's guard takes another.
    let around = load.narrow + if load.guarded { 2 } else { 0 };
    let compares = match wrapping {
        Wrapping::Paper | Wrapping::Early => 2,
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
