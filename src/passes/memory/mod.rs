//! The memory pass: what a thread loads is loaded once.
//!
//! The contract in this folder lists what must hold for a rewriting to be right; M1 and the like in comments are its sections.
//!
//! | file | what |
//! | --- | --- |
//! | `options` | what the user chose |
//! | `spaces` | generic accesses whose state space is known |
//! | `coherence` | loads of what nobody writes |
//! | `accesses` | all accesses by shape, constant and class, and the sync ops between them |
//! | `conflicts` | which of the accesses in between may touch certain bytes |
//! | `available` | where the bytes of a load are in registers: redundant loads, forwarded stores |
//! | `dead` | stores that are overwritten before anybody reads them |
//! | `wide`, `bulk` | neighbours that become one access; loads that are executed earlier |
//! | `region`, `entry`, `gaps`, `generic`, `checks` | the part of a function that has a second copy, and what its entry tests |
//! | `distances`, `hulls` | distances as sums that are tested; what loops add to them |
//! | `exits`, `ranges` | exit tests of loops; how far they let a number get |
//! | `stake` | how often what goes was executed |
//! | `ahead` | loads of later iterations over stores of earlier ones, for the pass over loops |
//! | `plan` | all of these, in the function itself or in a second copy of it |
//! | `rounds` | whether the pass runs once more on what it leaves |
//! | `statement`, `rewrite`, `vector` | the decisions as a patch |
//! | `reason`, `report`, `certificate` | why an access stays; remarks and claims; claims for solvers |

mod accesses;
pub(crate) mod ahead;
mod available;
mod bulk;
mod certificate;
mod checks;
mod coherence;
mod conflicts;
mod dead;
mod distances;
mod entry;
mod exits;
mod gaps;
mod generic;
mod hulls;
mod options;
mod plan;
mod ranges;
mod reason;
mod region;
mod report;
mod rewrite;
mod rounds;
mod spaces;
mod stake;
mod statement;
mod vector;
mod wide;

pub use options::{Loads, MemoryOptions};

use self::accesses::Accesses;
use self::conflicts::{Conflicts, Decided, Known};
use self::entry::{Entry, Roots, Tester};
use self::exits::Loops;
use self::plan::Plan;
use self::region::Region;
use super::{Pass, Rewrite, Session};
use crate::rules::rules;
use ptxasw_emulator::Emulation;
use ptxasw_emulator::domains::disjointness::Distances;
use ptxasw_emulator::solver::disjoint::Separation;
use ptxasw_ir::function::{Function, InstId};
use rustc_hash::{FxHashMap, FxHashSet};

/// The memory pass: R, F, D, W and spaces of the contract.
#[derive(Clone, Copy, Debug)]
pub struct Memory;

impl Pass for Memory {
    fn name(&self) -> &'static str {
        "memory"
    }

    fn run(&self, session: &Session) -> Rewrite {
        if session.memory.loads == Loads::Off {
            return Rewrite::default();
        }
        if session.limited_to.is_none() {
            return rewrite(session, |_| true).unwrap_or_default();
        }
        // Part of the changes are made where all of them are.
        let all = rewrite(&session.without_limit(), |_| true).unwrap_or_default();
        let clone = all.patch.clones.first();
        let is_copied =
            |region: &Region| clone.is_some_and(|clone| region.has_copy(session.function, clone));
        rewrite(session, is_copied).unwrap_or_default()
    }
}

/// Decides by proof alone, and, where the user allows it, under tests at the kernel's entry as well, for a region that may have a second copy.
fn rewrite(session: &Session, may_have_copy: impl Fn(&Region) -> bool) -> Option<Rewrite> {
    let mut emulation = session.emulation()?;
    let options = session.memory;
    let mut distances = Distances::default();
    let mut accesses = Accesses::new(session.function, &mut emulation, &mut distances);
    accesses.note_partial(session.text);
    let Emulation {
        terms,
        values,
        trace,
        conditions,
        defining_blocks,
        counters,
        pruned,
        header_facts,
        ..
    } = &mut *emulation;
    let conditions = &*conditions;
    let mut separation = Separation::new(
        terms,
        session.analyses(),
        conditions,
        defining_blocks,
        options.assumed,
    );
    separation.distances = distances;
    let mut solver = session.solver();
    let roots = Roots::new(session.function, &trace.events);
    let loops = Loops {
        function: session.function,
        analyses: session.analyses(),
        conditions,
        defining_blocks,
        counters,
        values,
    };
    let known = Known {
        function: session.function,
        accesses: &accesses,
        analyses: session.analyses(),
        events: &trace.events,
        values,
        indices: indices(session.function),
        roots: &roots,
        loops,
        assumed: options.assumed,
        has_32_bytes: session.target.has_32_bytes,
        records: session.certificates,
        any_broadcast: options.loads == Loads::Always,
        limited_to: session.limited_to,
    };
    let mut conflicts = Conflicts {
        known,
        decided: Decided::default(),
        terms,
        separation,
        solver: &mut solver,
        checks: None,
        objects: FxHashMap::default(),
        left: Conflicts::steps(accesses.list.len()),
    };
    let eliminated = plan::eliminated(session, &mut conflicts);
    // A loop that waits for somebody is seen by its load, which the next round may no longer have.
    let again = session.more_rounds
        && rounds::shows_more(session.function, session.analyses(), &accesses, &eliminated)
        && !conflicts.polls();
    let mut proved = match again {
        true => eliminated,
        false => plan::proved(session, &mut conflicts, eliminated),
    };
    let mut narrow = FxHashMap::default();
    let (mut uncopyable, mut dear) = (None, Vec::new());
    let mut best: Option<Plan> = None;
    // What is too dear where tests serve all that they can may pay where they serve wide accesses alone.
    let uses: &[bool] = match options.loads {
        _ if again => &[],
        Loads::Off | Loads::Proofs => &[],
        Loads::Checked => &[false],
        Loads::Moderate | Loads::Bulk | Loads::Pairs | Loads::Batches | Loads::Always => {
            &[true, false]
        }
    };
    for &eliminating in uses {
        if best.is_some() {
            break;
        }
        let mut kept = proved.decisions.kept_for_tests(eliminating);
        if eliminating {
            kept.extend(accesses.ids().filter(|&id| conflicts.is_generic(id)));
        }
        let regions = region::around(session, &accesses, kept.into_iter());
        uncopyable = uncopyable.take().or(regions.refused);
        let regions: Vec<Region> = regions.all.into_iter().filter(&may_have_copy).collect();
        let by_block = regions.iter().map(|region| (region, Tester::Block));
        let by_thread = regions.iter().map(|region| (region, Tester::Thread));
        for (region, tester) in by_block.chain(by_thread) {
            let by_thread = tester == Tester::Thread;
            let mut may_part = || {
                region.may_part(session.function, session.analyses())
                    && (conflicts.known.loops).any_ends(conflicts.terms, |block| region.has(block))
            };
            if by_thread && (best.is_some() || !may_part()) {
                continue;
            }
            let entry = Entry::new(session, values, conflicts.terms, region, tester);
            let plan = plan::tested(session, &mut conflicts, &entry, region.clone(), eliminating);
            let plan = plan
                .map_err(|why| uncopyable = uncopyable.take().or(why))
                .ok();
            let plan = plan.filter(|plan| !by_thread || plan.tests.over_loops());
            let done = plan
                .as_ref()
                .is_some_and(|plan| plan.serves_all(eliminating));
            if let Some(plan) = plan.as_ref().filter(|_| narrow.is_empty()) {
                narrow.clone_from(&plan.decisions.narrow);
            }
            let plan = plan.filter(|plan| is_worth(session, &accesses, &proved, plan));
            let plan = plan.filter(|plan| {
                let pays = pays_copy(session, &accesses, &proved, plan);
                if !pays {
                    let wide = plan.decisions.wide.iter();
                    dear.extend(wide.flat_map(|wide| wide.members.iter().map(|one| one.access)));
                }
                pays
            });
            let better = |plan: &Plan| best.as_ref().is_none_or(|best| plan.gain() > best.gain());
            if plan.as_ref().is_some_and(better) {
                best = plan;
            }
            if done && best.is_some() {
                break;
            }
        }
    }
    match uncopyable {
        Some(why) if narrow.is_empty() => proved.decisions.note_uncopyable(&why),
        // Why accesses stay narrow although an alignment may be tested.
        _ => proved.decisions.narrow.extend(narrow),
    }
    proved.decisions.note_dear(dear.into_iter());
    let by_proof = proved.decisions.single();
    let mut best = best.unwrap_or(proved);
    let least = best.least(options.loads, by_proof);
    let named = std::mem::take(&mut best.named).into_iter();
    let named: FxHashSet<InstId> = named.map(|id| accesses.get(id).inst).collect();
    let mut unwritten = conflicts.unwritten(session);
    unwritten.retain(|(id, _)| session.may_change(accesses.get(*id).inst));
    let waits_for_none = conflicts.waits_for_none();
    let obligations = match session.certificates && !best.decisions.patch.is_empty() {
        true => {
            let about = (conditions, &*trace, &values[..]);
            let mut obligations = certificate::Obligations::new(session, about, &mut conflicts);
            obligations.plan(&best);
            obligations.finish(pruned, header_facts)
        }
        false => Vec::new(),
    };
    let (region, indices) = (best.region.take(), conflicts.known.indices);
    let tested = best.tests.kinds();
    let mut rewrite = report::of(session, &accesses, best);
    rewrite.tested = tested;
    rewrite.obligations = obligations;
    rewrite.waits_for_none = waits_for_none;
    rewrite.least = Some(least);
    if again {
        rewrite.again = true;
        return Some(rewrite);
    }
    let inside = |inst: InstId| {
        let (block, index) = (session.function.inst(inst).block, indices[inst.index()]);
        region
            .as_ref()
            .is_some_and(|region| region.contains(block, index))
    };
    spaces::resolve(session, &trace.events, inside, &named, &mut rewrite);
    spaces::name_unconverted(&trace.events, &mut rewrite);
    coherence::amend(&unwritten, &accesses, inside, &mut rewrite);
    Some(rewrite)
}

/// Whether tests save more than they cost. An H200 gained 1.06 and 1.11 by tests of four instructions for each access that went or
/// store that a load was moved over, and lost nowhere (`benches/gpu`: outputs and particles).
fn is_worth(session: &Session, accesses: &Accesses, proved: &Plan, tested: &Plan) -> bool {
    let (before, crossed_before, _) = proved.gain();
    let (saved, crossed, named) = tested.gain();
    // What pays as a whole is not asked of a part of it.
    let always = session.memory.loads == Loads::Always || session.limited_to.is_some();
    if tested.tests.is_empty() || saved < before {
        return false;
    }
    let moves = session.memory.moves_loads();
    let moved = if moves {
        crossed.saturating_sub(crossed_before)
    } else {
        0
    };
    let mut gain = saved - before + moved;
    if tested.tests.over_loops() {
        // The entry is in front of loops, and what they save is saved in each iteration.
        let often = stake::gained(session.analyses(), accesses, tested, proved);
        gain = gain.max(often as usize);
    }
    let names = moves && named > 0;
    let rule = &rules().tests;
    // A second copy of a kernel for a few of its accesses costs more than it saves.
    let touched = saved + tested.moved();
    if !names && !always && touched * rule.touched < accesses.list.len() {
        return false;
    }
    let for_each = if moves {
        rule.each_moved
    } else {
        rule.each_saved
    };
    let budget = session.function.insts.len() / rule.instructions + for_each * gain + named / 2;
    let cheap = (gain >= rule.saved || names) && tested.tests.cost() <= budget;
    cheap || (gain > 0 || names) && always
}

/// Whether a second copy is small enough for what it saves each time that the function is executed.
fn pays_copy(session: &Session, accesses: &Accesses, proved: &Plan, tested: &Plan) -> bool {
    // What pays as a whole is not asked of a part of it.
    let always = session.memory.loads == Loads::Always || session.limited_to.is_some();
    let Some(region) = tested.region.as_ref().filter(|_| !always) else {
        return true;
    };
    let gained = stake::gained(session.analyses(), accesses, tested, proved);
    let allowed = (1.0 + gained) * rules().tests.copied as f64;
    region.size(session.function) as f64 <= allowed
}

/// The index of each instruction in its block.
fn indices(function: &Function) -> Vec<usize> {
    let mut indices = vec![0; function.insts.len()];
    for block in &function.blocks {
        for (index, id) in block.insts.iter().enumerate() {
            indices[id.index()] = index;
        }
    }
    indices
}
