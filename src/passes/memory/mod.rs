//! The memory pass: what a thread loads is loaded once.
//!
//! The contract in this folder lists what must hold for a rewriting to be right; M1 and the like in comments are its sections.
//!
//! | file | what |
//! | --- | --- |
//! | `options` | what the user chose |
//! | `spaces` | generic accesses whose state space is known |
//! | `accesses` | all accesses by shape, constant and class, and the sync ops between them |
//! | `conflicts` | which of the accesses in between may touch certain bytes |
//! | `available` | where the bytes of a load are in registers: redundant loads, forwarded stores |
//! | `dead` | stores that are overwritten before anybody reads them |
//! | `statement`, `rewrite` | the decisions as a patch |
//! | `reason`, `report` | why an access stays; remarks and claims |

mod accesses;
mod available;
mod conflicts;
mod dead;
mod options;
mod reason;
mod report;
mod rewrite;
mod spaces;
mod statement;
#[cfg(test)]
mod tests;

pub use options::{BadLoads, LEVELS, Loads, MAX_LIVE, MAX_WARPS, MemoryOptions};

use self::accesses::{AccessId, Accesses};
use self::available::Available;
use self::conflicts::Conflicts;
use self::dead::Dead;
use self::reason::Kept;
use self::rewrite::Served;
use self::statement::Statements;
use super::{Pass, Rewrite, Session};
use crate::emulator::Emulation;
use crate::emulator::distance::Distances;
use crate::ir::patch::{Patch, Removal};
use crate::solver::disjoint::Separation;
use rustc_hash::{FxHashMap, FxHashSet};

/// Rounds of looking for loads and stores: a load that goes may make a store dead, whose end may make a load redundant.
const MAX_ROUNDS: usize = 3;

/// The memory pass, by proof alone so far: R, F, D and spaces of the contract.
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
        let mut rewrite = by_proof(session);
        spaces::resolve(session, &mut rewrite);
        rewrite
    }
}

/// What becomes of the accesses of a function.
#[derive(Clone, Default)]
struct Decisions {
    served: Vec<Served>,
    dead: Vec<(AccessId, Dead)>,
    kept: FxHashMap<AccessId, Kept>,
    patch: Patch,
}

/// Redundant loads, forwarded stores and dead stores, by proof alone.
fn by_proof(session: &Session) -> Rewrite {
    let Some(mut emulation) = session.emulation() else {
        return Rewrite::default();
    };
    let assumed = session.memory.assumed;
    let mut distances = Distances::default();
    let mut accesses = Accesses::new(session.function, &mut emulation, &mut distances);
    accesses.note_partial(session.text);
    let Emulation {
        terms,
        trace,
        conditions,
        homes,
        ..
    } = &mut *emulation;
    let mut separation = Separation::new(session.analyses(), conditions, homes, assumed);
    separation.distances = distances;
    let mut solver = session.solver();
    let mut conflicts = Conflicts {
        function: session.function,
        accesses: &accesses,
        analyses: session.analyses(),
        events: &trace.events,
        separation,
        terms,
        solver: &mut solver,
        assumed,
        gone: FxHashSet::default(),
        objects: FxHashMap::default(),
        left: Conflicts::steps(accesses.list.len()),
    };
    let mut best = Decisions::default();
    for _ in 0..MAX_ROUNDS {
        let Some((next, more)) = round(session, &mut conflicts, best.clone()) else {
            break;
        };
        best = next;
        if !more {
            break;
        }
    }
    report::of(session.function, &accesses, best)
}

/// One round: loads that are served by what is left, then stores that nobody reads any more. None if a load that a removed store
/// rests on can't be served after all; the second: a store went, so another round may find more.
fn round(
    session: &Session,
    conflicts: &mut Conflicts,
    mut decisions: Decisions,
) -> Option<(Decisions, bool)> {
    let accesses = conflicts.accesses;
    let before: FxHashSet<AccessId> = decisions.served.iter().map(|one| one.load).collect();
    for load in accesses.ids().filter(|id| !before.contains(id)) {
        if accesses.get(load).is_store {
            continue;
        }
        match conflicts.served(load) {
            Ok(served) => decisions.served.push(served),
            Err(why) => {
                decisions.kept.insert(load, why);
            }
        }
    }
    let order = |one: &Served| {
        let access = accesses.get(one.load);
        let cfg = &session.analyses().cfg;
        (cfg.position(access.block), access.position)
    };
    decisions.served.sort_by_key(order);
    let written = rewrite::write(session, accesses, &decisions.served);
    for (load, why) in written.kept {
        if before.contains(&load) {
            return None;
        }
        decisions.served.retain(|one| one.load != load);
        decisions.kept.insert(load, why);
    }
    decisions.patch = written.patch;
    conflicts
        .gone
        .extend(decisions.served.iter().map(|one| one.load));
    let found = dead_stores(session, conflicts, &mut decisions);
    let removals = decisions.dead.iter().map(|&(store, _)| Removal {
        clone: None,
        inst: accesses.get(store).inst,
    });
    decisions.patch.remove.extend(removals);
    Some((decisions, found))
}

/// Adds the stores that are overwritten before anybody reads them; whether there were any.
fn dead_stores(session: &Session, conflicts: &mut Conflicts, decisions: &mut Decisions) -> bool {
    let accesses = conflicts.accesses;
    let statements = Statements::new(session);
    let mut found = false;
    for store in accesses.ids() {
        let access = accesses.get(store);
        if !access.is_store || conflicts.gone.contains(&store) {
            continue;
        }
        if let Ok(dead) = conflicts.dead(store)
            && statements.is_plain_store(access.inst)
        {
            conflicts.gone.insert(store);
            decisions.dead.push((store, dead));
            found = true;
        }
    }
    found
}

impl Conflicts<'_> {
    /// Where all elements of a load come from.
    fn served(&mut self, load: AccessId) -> Result<Served, Kept> {
        if self.accesses.get(load).partial {
            return Err(Kept::Statement);
        }
        let elements = 0..self.accesses.get(load).access.elements;
        let elements = elements.map(|element| self.available(load, element));
        let elements = elements.collect::<Result<Vec<Available>, Kept>>()?;
        Ok(Served { load, elements })
    }
}
