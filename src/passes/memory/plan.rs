//! What becomes of the accesses of a function: in the function itself by proof alone, or in a second copy of it under tests.

use super::Loads;
use super::accesses::{AccessId, Accesses};
use super::available::Available;
use super::checks::{Checks, Tests};
use super::conflicts::{Conflicts, How, Passed};
use super::dead::Dead;
use super::entry::Entry;
use super::reason::Kept;
use super::region::Region;
use super::rewrite::{self, Copy, Served};
use super::statement::Statements;
use super::wide::Wide;
use crate::Session;
use ptxasw_emulator::term::{TermId, Terms};
use ptxasw_ir::patch::{CloneId, Cursor, Patch, Removal, Uncopyable};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Rounds of looking for loads and stores: a load that goes may make a store dead, whose end may make a load redundant.
const MAX_ROUNDS: usize = 3;
/// Times that wide accesses are looked for without those that can't be written.
const MAX_WRITES: usize = 3;

/// What becomes of the accesses of a function.
#[derive(Clone, Default)]
pub struct Decisions {
    /// Loads that are gone.
    pub served: Vec<Served>,
    /// Stores that are gone.
    pub dead: Vec<(AccessId, Dead)>,
    /// Why loads are not gone.
    pub kept: FxHashMap<AccessId, Kept>,
    /// Stores that loads of bytes which may be theirs keep from being dead.
    pub read: BTreeSet<AccessId>,
    /// Loads that stay after a store that may write their bytes, and move up no further.
    pub after_store: BTreeMap<AccessId, AccessId>,
    /// What becomes wide.
    pub wide: Vec<Wide>,
    /// Why neighbours are not part of something wide.
    pub narrow: FxHashMap<AccessId, Kept>,
    /// All of it.
    pub patch: Patch,
    /// The number of the next new value of the patch.
    pub next: u32,
}

/// Decisions about a copy of the function, and what they rest on.
#[derive(Default)]
pub struct Plan {
    /// What becomes of the accesses.
    pub decisions: Decisions,
    /// What is tested at the entry; nothing of the function itself.
    pub tests: Tests,
    /// Generic accesses whose pointers are tested to be of global memory.
    pub named: FxHashSet<AccessId>,
    /// The part of the function that has a second copy, if one has.
    pub region: Option<Region>,
}

impl Plan {
    /// What it saves: accesses, stores that loads are moved over, and accesses that name their state space.
    pub fn gain(&self) -> (usize, usize, usize) {
        let crossed = self.decisions.wide.iter().map(|wide| wide.crossed);
        (self.decisions.saved(), crossed.sum(), self.named.len())
    }

    /// What it changes: of what becomes wide the place.
    pub fn changed(&self) -> impl Iterator<Item = AccessId> {
        let decisions = &self.decisions;
        let served = decisions.served.iter().map(|one| one.load);
        let dead = decisions.dead.iter().map(|one| one.0);
        let wide = decisions.wide.iter().map(|wide| wide.place);
        served
            .chain(dead)
            .chain(wide)
            .chain(self.named.iter().copied())
    }

    /// The lowest level that is expected to come to the same, where proofs alone save so many single accesses.
    pub fn least(&self, loads: Loads, proved: usize) -> Loads {
        let mut wide = self.decisions.wide.iter();
        if loads == Loads::Always {
            loads
        } else if wide.any(|wide| wide.crossed > 0 || wide.members.len() == 1) {
            loads.min(Loads::Bulk)
        } else if self.tests.is_empty() {
            Loads::Proofs
        } else if self.decisions.single() == proved && self.named.is_empty() {
            Loads::Checked
        } else {
            Loads::Moderate
        }
    }

    /// Whether no access is left that another test could serve, so that a smaller region has nothing to add.
    pub fn serves_all(&self, eliminating: bool) -> bool {
        let left = self.decisions.kept_for_tests(eliminating);
        self.region.is_some() && left.is_empty()
    }

    /// Accesses that are moved over stores.
    pub fn moved(&self) -> usize {
        let moved = self.decisions.wide.iter().filter(|wide| wide.crossed > 0);
        moved.map(|wide| wide.members.len()).sum()
    }
}

impl Decisions {
    /// Accesses that are executed no more, without those that became part of wide ones.
    pub fn single(&self) -> usize {
        self.served.len() + self.dead.len()
    }

    /// Accesses that are executed no more.
    fn saved(&self) -> usize {
        let members = self.wide.iter().map(|wide| wide.members.len() - 1);
        self.single() + members.sum::<usize>()
    }

    /// Notes that what a test in front of a second copy would show of alignments stays open, since there can be none.
    pub fn note_uncopyable(&mut self, why: &Uncopyable) {
        let narrow = self.narrow.values_mut();
        for own in narrow.filter(|own| **own == Kept::Aligned) {
            *own = Kept::Uncopyable(why.origin, why.what);
        }
    }

    /// Notes that tests of alignments would need a copy that is too large for what it saves.
    pub fn note_dear(&mut self, wide: impl Iterator<Item = AccessId>) {
        for id in wide {
            if let Some(own @ (Kept::Aligned | Kept::Uncopyable(..))) = self.narrow.get_mut(&id) {
                *own = Kept::Dear;
            }
        }
    }

    /// The accesses of which tests may lift what keeps them as they are. `eliminating`: they may serve for more than to widen.
    pub fn kept_for_tests(&self, eliminating: bool) -> BTreeSet<AccessId> {
        let conflict = |why: &Kept| matches!(why, Kept::Store(_) | Kept::Read(_));
        let narrow = self.narrow.iter();
        let narrow = narrow.filter(|(_, why)| **why == Kept::Aligned || conflict(why));
        let kept = self.kept.iter().filter(|_| eliminating);
        let kept = kept.filter(|(_, why)| conflict(why));
        let kept = narrow.chain(kept).map(|(&id, _)| id);
        let read = self.read.iter().filter(|_| eliminating);
        let after_store = self.after_store.keys().filter(|_| eliminating);
        kept.chain(read.chain(after_store).copied()).collect()
    }

    /// The accesses that were passed, and why.
    pub fn passed(&self) -> impl Iterator<Item = &Passed> {
        let served = self.served.iter().flat_map(|one| &one.elements);
        let served = served.flat_map(|one| &one.passed);
        let dead = self.dead.iter().flat_map(|(_, dead)| &dead.passed);
        let wide = self.wide.iter().flat_map(|wide| &wide.passed);
        served.chain(dead).chain(wide)
    }

    fn tests(
        &self,
        checks: &mut Checks,
        terms: &mut Terms,
        global: BTreeSet<TermId>,
    ) -> Option<Tests> {
        let gaps = self.passed().filter_map(|passed| match passed.how {
            How::Tested(gap) => Some(gap),
            How::Proved(_) => None,
        });
        let aligned = self
            .wide
            .iter()
            .flat_map(|wide| wide.aligned.iter().copied());
        checks.tests(terms, &gaps.collect(), aligned.collect(), global)
    }
}

/// Loads and stores that go by proof alone, in the function itself.
pub fn eliminated(session: &Session, conflicts: &mut Conflicts) -> Plan {
    Plan {
        decisions: eliminate(session, conflicts, &Copy::default(), false),
        ..Plan::default()
    }
}

/// Adds to these what else is decided by proof alone.
pub fn proved(session: &Session, conflicts: &mut Conflicts, eliminated: Plan) -> Plan {
    let decisions = eliminated.decisions;
    Plan {
        decisions: complete(session, conflicts, &Copy::default(), false, decisions),
        ..Plan::default()
    }
}

/// Decides about a second copy of a region, which is entered where tests hold. `eliminating`: loads and stores may go for them,
/// too. Without tests there is no copy, only reasons why accesses stay.
///
/// # Errors
/// There is no such plan; what prevents a second copy, if that is why.
pub fn tested<'a>(
    session: &'a Session,
    conflicts: &mut Conflicts<'a>,
    entry: &Entry<'a>,
    mut region: Region,
    eliminating: bool,
) -> Result<Plan, Option<Uncopyable>> {
    for _ in 0..MAX_WRITES {
        let copy = Copy {
            clone: Some(CloneId(0)),
            region: Some(Rc::new(region.clone())),
        };
        conflicts.reset(copy.region.clone());
        let generic = conflicts.generic(entry);
        conflicts.decided.named.clone_from(&generic.accesses);
        conflicts.checks = Some(Checks::new(
            entry.clone(),
            conflicts.known.roots,
            conflicts.known.loops,
        ));
        let decisions = eliminate(session, conflicts, &copy, eliminating);
        let mut decisions = complete(session, conflicts, &copy, eliminating, decisions);
        let mut checks = conflicts.checks.take().ok_or(None)?;
        let tests = decisions.tests(&mut checks, conflicts.terms, generic.pointers);
        let tests = tests.ok_or(None)?;
        if tests.is_empty() {
            return Ok(Plan {
                decisions,
                ..Plan::default()
            });
        }
        let ready = tests.ready(&checks, conflicts.terms).ok_or(None)?;
        if ready > region.from {
            // What is there already in front of the entry stays as it is.
            region.from = ready;
            continue;
        }
        return enter(session, conflicts, &checks, &tests, &mut decisions, &region).map(|()| {
            Plan {
                decisions,
                tests,
                named: generic.accesses,
                region: Some(region),
            }
        });
    }
    Err(None)
}

/// Puts the tests and the second copy into the patch.
fn enter(
    session: &Session,
    conflicts: &Conflicts,
    checks: &Checks,
    tests: &Tests,
    decisions: &mut Decisions,
    region: &Region,
) -> Result<(), Option<Uncopyable>> {
    let function = session.function;
    let block = function.block(region.block);
    let first = block.insts.get(region.from.saturating_sub(1));
    let origin = first.map_or(block.origin, |&first| function.inst(first).origin);
    let mut cursor = Cursor::new(&mut decisions.next, origin);
    let condition = tests.write(
        checks,
        conflicts.terms,
        &mut cursor,
        session.memory.tests_hold,
    );
    let condition = condition.ok_or(None)?;
    cursor.done(&mut decisions.patch, region.point(function));
    let clone = region.clone_under(function, condition);
    session.text.clonable(&clone).map_err(Some)?;
    decisions.patch.clones.push(clone);
    Ok(())
}

/// Redundant loads, forwarded stores and dead stores in rounds.
fn eliminate(
    session: &Session,
    conflicts: &mut Conflicts,
    copy: &Copy,
    eliminating: bool,
) -> Decisions {
    let mut best = Decisions::default();
    conflicts.decided.testing = eliminating;
    for _ in 0..MAX_ROUNDS {
        let Some((next, more)) = round(session, conflicts, copy, best.clone()) else {
            break;
        };
        best = next;
        if !more {
            break;
        }
    }
    conflicts.decided.testing = false;
    best
}

/// Adds wide accesses, loads that move up, and converted addresses to what goes.
fn complete(
    session: &Session,
    conflicts: &mut Conflicts,
    copy: &Copy,
    eliminating: bool,
    mut best: Decisions,
) -> Decisions {
    conflicts.decided.testing = true;
    conflicts.left = Conflicts::steps(conflicts.known.accesses.list.len());
    widen(session, conflicts, copy, &mut best);
    conflicts.decided.testing = eliminating;
    if session.memory.moves_loads() {
        conflicts.left = Conflicts::steps(conflicts.known.accesses.list.len());
        move_up(session, conflicts, copy, &mut best);
    }
    name_windows(session, conflicts, copy, &mut best);
    conflicts.decided.testing = false;
    best
}

/// Converts the addresses of generic accesses of shared and local memory, where that can be written.
fn name_windows(session: &Session, conflicts: &Conflicts, copy: &Copy, decisions: &mut Decisions) {
    let accesses = conflicts.known.accesses;
    let wide = decisions.wide.iter().flat_map(|wide| &wide.members);
    let wide: FxHashSet<AccessId> = wide.map(|member| member.access).collect();
    let mut found =
        conflicts.windowed(|id| conflicts.decided.gone.contains(&id) || wide.contains(&id));
    for _ in 0..MAX_WRITES {
        if found.is_empty() {
            return;
        }
        let all: Vec<Wide> = decisions.wide.iter().chain(&found).cloned().collect();
        let written = rewrite::write(session, accesses, copy, &decisions.served, &all);
        if written.kept.is_empty() {
            decisions.wide = all;
            (decisions.patch, decisions.next) = (written.patch, written.next);
            remove_dead(accesses, copy, decisions);
            return;
        }
        let before = found.len();
        found.retain(|one| written.kept.iter().all(|&(id, _)| id != one.place));
        if found.len() == before {
            return;
        }
    }
}

/// Moves loads up, if that can be written.
fn move_up(session: &Session, conflicts: &mut Conflicts, copy: &Copy, decisions: &mut Decisions) {
    let mut moved = decisions.clone();
    conflicts.move_up(&mut moved, session.memory.in_flight());
    decisions.after_store.clone_from(&moved.after_store);
    let accesses = conflicts.known.accesses;
    let written = rewrite::write(session, accesses, copy, &moved.served, &moved.wide);
    if written.kept.is_empty() {
        (moved.patch, moved.next) = (written.patch, written.next);
        remove_dead(accesses, copy, &mut moved);
        *decisions = moved;
    }
}

/// One round: loads that are served by what is left, then stores that nobody reads any more. None if a load that a removed store
/// rests on can't be served after all; the second: a store went, so another round may find more.
fn round(
    session: &Session,
    conflicts: &mut Conflicts,
    copy: &Copy,
    mut decisions: Decisions,
) -> Option<(Decisions, bool)> {
    let accesses = conflicts.known.accesses;
    let before: FxHashSet<AccessId> = decisions.served.iter().map(|one| one.load).collect();
    for load in accesses.ids().filter(|id| !before.contains(id)) {
        let access = accesses.get(load);
        if access.is_store || !conflicts.may_change(access) {
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
    let written = rewrite::write(session, accesses, copy, &decisions.served, &[]);
    for (load, why) in written.kept {
        if before.contains(&load) {
            return None;
        }
        decisions.served.retain(|one| one.load != load);
        decisions.kept.insert(load, why);
    }
    (decisions.patch, decisions.next) = (written.patch, written.next);
    conflicts
        .decided
        .gone
        .extend(decisions.served.iter().map(|one| one.load));
    let found = dead_stores(session, conflicts, &mut decisions);
    remove_dead(accesses, copy, &mut decisions);
    Some((decisions, found))
}

fn remove_dead(accesses: &Accesses, copy: &Copy, decisions: &mut Decisions) {
    let removals = decisions.dead.iter().map(|&(store, _)| Removal {
        clone: copy.clone,
        inst: accesses.get(store).inst,
    });
    decisions.patch.remove.extend(removals);
}

/// Adds the stores that are overwritten before anybody reads them; whether there were any.
fn dead_stores(session: &Session, conflicts: &mut Conflicts, decisions: &mut Decisions) -> bool {
    let accesses = conflicts.known.accesses;
    let statements = Statements::new(session);
    let mut found = false;
    for store in accesses.ids() {
        let access = accesses.get(store);
        let stays = !access.is_store || conflicts.decided.gone.contains(&store);
        if stays || !conflicts.may_change(access) {
            continue;
        }
        match conflicts.dead(store) {
            Ok(dead) if statements.is_plain_store(access.inst) => {
                conflicts.decided.gone.insert(store);
                decisions.dead.push((store, dead));
                found = true;
            }
            Err(Kept::Read(_)) => {
                decisions.read.insert(store);
            }
            _ => {}
        }
    }
    found
}

/// Adds wide accesses, but for those that can't be written.
fn widen(session: &Session, conflicts: &mut Conflicts, copy: &Copy, decisions: &mut Decisions) {
    let accesses = conflicts.known.accesses;
    let mut without: FxHashMap<AccessId, Kept> = FxHashMap::default();
    for _ in 0..MAX_WRITES {
        let found = conflicts.wide(&without.keys().copied().collect());
        decisions.narrow = found.narrow;
        decisions
            .narrow
            .extend(without.iter().map(|(&id, &why)| (id, why)));
        if found.wide.is_empty() {
            return;
        }
        let written = rewrite::write(session, accesses, copy, &decisions.served, &found.wide);
        if written.kept.is_empty() {
            decisions.wide = found.wide;
            (decisions.patch, decisions.next) = (written.patch, written.next);
            remove_dead(accesses, copy, decisions);
            return;
        }
        let by_place = |place: AccessId| found.wide.iter().find(move |wide| wide.place == place);
        for (id, why) in written.kept {
            let Some(wide) = by_place(id) else {
                // A load that was served is none any more.
                return;
            };
            without.extend(wide.members.iter().map(|member| (member.access, why)));
        }
    }
}

impl Conflicts<'_> {
    /// Where all elements of a load come from.
    fn served(&mut self, load: AccessId) -> Result<Served, Kept> {
        if self.known.accesses.get(load).partial {
            return Err(Kept::Statement);
        }
        let elements = 0..self.known.accesses.get(load).access.elements;
        let elements = elements.map(|element| self.available(load, element));
        let elements = elements.collect::<Result<Vec<Available>, Kept>>()?;
        Ok(Served { load, elements })
    }

    /// Begins anew: nothing is gone, and a part of the function may be changed.
    fn reset(&mut self, region: Option<Rc<Region>>) {
        self.decided.gone.clear();
        self.decided.named.clear();
        self.left = Conflicts::steps(self.known.accesses.list.len());
        self.decided.region = region;
    }
}
