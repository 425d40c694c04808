//! Which of the accesses of a run of instructions may touch certain bytes.

use super::accesses::{AccessId, Accesses, ClassId, MemoryAccess, Shape, Stores};
use super::checks::{Checks, GapId};
use super::entry::Roots;
use super::exits::Loops;
use super::reason::Kept;
use super::region::Region;
use ptxasw_base::mutation::{Mutation, active};
use ptxasw_emulator::domains::alias::{self, Assumptions, Bytes, Harmless};
use ptxasw_emulator::solver::disjoint::{Apart, Disjoint, Separation, Under};
use ptxasw_emulator::solver::{Reading, Solver};
use ptxasw_emulator::term::{TermId, Terms};
use ptxasw_emulator::trace::Event;
use ptxasw_ir::analyses::Analyses;
use ptxasw_ir::function::{BlockId, Function};
use ptxasw_ir::loops::LoopId;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::ops::Range;
use std::rc::Rc;

/// Accesses that are looked at one by one for each access of a function, in the mean.
const STEPS_EACH: usize = 256;
/// Accesses that may be looked at in any function, however few it has.
const STEPS_LEAST: usize = 1 << 16;

/// Stores on one side that are searched for one to record.
const NEAREST: usize = 8;

/// Accesses of a block at these positions.
pub type Span = (BlockId, Range<u32>);

/// The bytes that must not change, and where they are used.
#[derive(Clone, Copy, Debug)]
pub struct Guarded<'a> {
    /// The class of the access whose bytes they are.
    pub class: ClassId,
    /// Shape and first byte, where the address has a term.
    pub place: Option<(Shape, i64)>,
    /// All bytes of the access.
    pub bytes: &'a Bytes,
    /// The block whose path conditions hold.
    pub here: BlockId,
}

impl Guarded<'_> {
    /// The bytes themselves, which a certificate names.
    pub fn range(&self) -> ByteRange {
        ByteRange {
            address: self.bytes.address,
            count: self.bytes.count,
            here: self.here,
        }
    }
}

/// Why two accesses share no byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum How {
    /// It is proved: a claim of the rewriting.
    Proved(Disjoint),
    /// It is tested at the kernel's entry.
    Tested(GapId),
}

/// An access that leaves bytes alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Passed {
    /// The access that was passed.
    pub access: AccessId,
    /// Why it does no harm.
    pub how: How,
    /// The bytes that it leaves alone.
    pub range: ByteRange,
}

/// Bytes that an access leaves alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ByteRange {
    /// The first, if its address has a term.
    pub address: Option<TermId>,
    /// How many.
    pub count: u32,
    /// The block whose path conditions hold.
    pub here: BlockId,
}

/// What is known of a function before the first decision.
pub struct Known<'a> {
    /// The function whose accesses are compared.
    pub function: &'a Function,
    /// Its weak accesses and sync ops.
    pub accesses: &'a Accesses,
    /// Its blocks, dominators and loops.
    pub analyses: &'a Analyses,
    /// The events of its memory trace: addresses, spaces, objects.
    pub events: &'a [Event],
    /// The term of each value.
    pub values: &'a [Option<TermId>],
    /// The index of each instruction in its block.
    pub indices: Vec<usize>,
    /// The pointers that addresses are made of.
    pub roots: &'a Roots,
    /// Its loops, and what their exit tests say of how far they get.
    pub loops: Loops<'a>,
    /// What is taken for granted.
    pub assumed: Assumptions,
    /// The target has accesses of 32 bytes to global memory.
    pub has_32_bytes: bool,
    /// For certificates, stores that differ by constants alone are recorded, too.
    pub records: bool,
    /// Loads of what all lanes load become wide wherever they can.
    pub any_broadcast: bool,
    /// The statements that may be changed; none if all may.
    pub limited_to: Option<&'a FxHashSet<u32>>,
}

/// What has been decided so far, and answers rest on.
#[derive(Default)]
pub struct Decided {
    /// Whether what can't be proved is tested.
    pub testing: bool,
    /// The part of the function that is changed; none: all of it.
    pub region: Option<Rc<Region>>,
    /// Generic accesses whose pointers the entry tests to be of global memory.
    pub named: FxHashSet<AccessId>,
    /// Accesses that are not executed any more.
    pub gone: FxHashSet<AccessId>,
}

/// Whether accesses of a function share bytes: questions to proofs and tests, with what is known and what is decided.
pub struct Conflicts<'a> {
    /// What holds of the function whatever the pass does.
    pub known: Known<'a>,
    /// What the pass has changed so far, which answers take into account.
    pub decided: Decided,
    /// The arena of the terms of addresses.
    pub terms: &'a mut Terms,
    /// Decides whether two accesses share a byte.
    pub separation: Separation<'a>,
    /// What decides what algebra can't.
    pub solver: &'a mut dyn Solver,
    /// What may be tested at the kernel's entry, if anything.
    pub checks: Option<Checks<'a>>,
    /// Whether objects alone show that two classes share no byte.
    pub objects: FxHashMap<(ClassId, ClassId), Option<Harmless>>,
    /// What is left of [`Conflicts::steps`].
    pub left: usize,
}

impl<'a> Conflicts<'a> {
    /// The steps that a function with so many accesses may take.
    pub fn steps(accesses: usize) -> usize {
        STEPS_LEAST + accesses * STEPS_EACH
    }

    /// The bytes of an access, which must not change; `bytes` are those of its event.
    pub fn guarded<'b>(&self, access: &MemoryAccess, bytes: &'b Bytes) -> Guarded<'b> {
        Guarded {
            class: access.class,
            place: access.place,
            bytes,
            here: access.block,
        }
    }

    /// The bytes that an access reads or writes.
    pub fn bytes(&self, access: &MemoryAccess) -> Bytes {
        self.known.events[access.event as usize].bytes()
    }

    /// Takes so many steps of the function's budget.
    ///
    /// # Errors
    /// It is spent.
    pub fn spend(&mut self, steps: usize) -> Result<(), Kept> {
        self.left = self.left.checked_sub(steps).ok_or(Kept::Limit)?;
        Ok(())
    }

    /// Whether an access shares no byte with the guarded ones, in one iteration of all loops but `other`, in whose iterations both
    /// may be apart.
    fn passes(&mut self, id: AccessId, guarded: &Guarded, other: Option<LoopId>) -> Option<How> {
        let access = self.known.accesses.get(id);
        if other.is_none()
            && let (Some((shape, start)), Some((own, own_start))) = (access.place, guarded.place)
            && shape == own
        {
            // One shape: constants decide, and a solver would add nothing.
            let count = i64::from(self.known.events[access.event as usize].bytes);
            let forward = own_start.wrapping_sub(start) as u64;
            let backward = start.wrapping_sub(own_start) as u64;
            if forward < count as u64 || backward < u64::from(guarded.bytes.count) {
                if !active(Mutation::OverlapOfPartIgnored) {
                    return None;
                }
                return Some(How::Proved(Disjoint::Structure(Harmless::Distance)));
            }
        }
        let event = &self.known.events[access.event as usize];
        let later = (guarded.bytes, guarded.here);
        let proof = self
            .separation
            .prove(self.terms, self.solver, event, other, later);
        if let Some(proof) = proof {
            return Some(How::Proved(proof));
        }
        let checks = self.checks.as_mut().filter(|_| self.decided.testing)?;
        let first = Bytes {
            address: self.separation.address(self.terms, event, other),
            ..event.bytes()
        };
        let distances = &mut self.separation.distances;
        let blocks = (access.block, guarded.here);
        let gap = checks.apart(self.terms, distances, (&first, guarded.bytes), blocks);
        gap.map(How::Tested)
    }

    /// Whether two accesses share no byte in one iteration of all loops.
    pub fn are_apart(&mut self, id: AccessId, guarded: &Guarded) -> Option<How> {
        let class = self.known.accesses.get(id).class;
        match self.objects_apart(class, guarded) {
            Some(how) => Some(How::Proved(Disjoint::Structure(how))),
            None => self.passes(id, guarded, None),
        }
    }

    /// Shows that no store of a run writes the guarded bytes. `crossed`: loops whose iterations lie between.
    ///
    /// # Errors
    /// The first that may, or the budget is spent.
    pub fn no_store(
        &mut self,
        (block, span): &Span,
        guarded: &Guarded,
        crossed: &[LoopId],
        passed: &mut Vec<Passed>,
    ) -> Result<(), Kept> {
        let accesses = self.known.accesses;
        let stores = &accesses.block(*block).stores;
        if span.is_empty() || stores.is_empty() || active(Mutation::StaleForward) {
            return Ok(());
        }
        let classes = self.stored_in(*block, span)?;
        let other = self.other_iteration(*block, guarded.here, crossed);
        for class in classes {
            let members = &stores[&class];
            if let Some(how) = self.objects_apart(class, guarded) {
                if matches!(how, Harmless::Parameters | Harmless::Declared)
                    && let Some(access) = inside(accesses, &members.all, span).next()
                {
                    let how = How::Proved(Disjoint::Structure(how));
                    let range = guarded.range();
                    passed.push(Passed { access, how, range });
                }
                continue;
            }
            for id in self.open(members, class, span, guarded, other)? {
                if self.decided.gone.contains(&id) {
                    continue;
                }
                let how = self.passes(id, guarded, other).ok_or(Kept::Store(id))?;
                let (access, range) = (id, guarded.range());
                passed.push(Passed { access, how, range });
            }
            if self.known.records && other.is_none() {
                self.record_nearest(members, class, span, guarded, passed);
            }
        }
        Ok(())
    }

    /// The classes of the stores of a run, ascending: by the accesses of the run, or by the classes of the block if those are fewer.
    fn stored_in(&mut self, block: BlockId, span: &Range<u32>) -> Result<Vec<ClassId>, Kept> {
        let accesses = self.known.accesses;
        let listed = accesses.block(block);
        let run = inside(accesses, &listed.accesses, span);
        if span.len() < listed.stores.len() {
            self.spend(span.len())?;
            let stores = run.map(|id| accesses.get(id)).filter(|one| one.is_store);
            let classes: BTreeSet<ClassId> = stores.map(|one| one.class).collect();
            return Ok(classes.into_iter().collect());
        }
        self.spend(listed.stores.len())?;
        let position = |id: Option<&AccessId>| id.map(|&id| accesses.get(id).position);
        let inside = listed.stores.iter().filter(|(_, members)| {
            position(members.all.last()) >= Some(span.start)
                && position(members.all.first()) < Some(span.end)
        });
        Ok(inside.map(|(&class, _)| class).collect())
    }

    /// Those stores of a class in a run of which constants alone do not show that they leave the guarded bytes alone.
    fn open(
        &mut self,
        members: &Stores,
        class: ClassId,
        span: &Range<u32>,
        guarded: &Guarded,
        other: Option<LoopId>,
    ) -> Result<Vec<AccessId>, Kept> {
        let accesses = self.known.accesses;
        let found: Vec<AccessId> = match (guarded.place, accesses.class(class).shape) {
            (Some((shape, start)), Some(own)) if shape == own && other.is_none() => {
                let reach = i64::from(accesses.class(class).bytes.count) - 1;
                let end = start.checked_add(i64::from(guarded.bytes.count) - 1);
                let range = match (start.checked_sub(reach), end) {
                    (Some(first), Some(last)) => first..=last,
                    // Around the wrap of the constants: all of them.
                    _ => i64::MIN..=i64::MAX,
                };
                let near = members.by_constant.range(range);
                near.flat_map(|(_, all)| inside(accesses, all, span))
                    .collect()
            }
            _ => inside(accesses, &members.all, span).collect(),
        };
        self.spend(found.len())?;
        Ok(found)
    }

    /// For certificates: the nearest stores of one shape before and after the guarded bytes, which their constants keep apart.
    fn record_nearest(
        &self,
        members: &Stores,
        class: ClassId,
        span: &Range<u32>,
        guarded: &Guarded,
        passed: &mut Vec<Passed>,
    ) {
        let accesses = self.known.accesses;
        let Some((shape, start)) = guarded.place else {
            return;
        };
        if accesses.class(class).shape != Some(shape) {
            return;
        }
        let executed = |&(_, all): &(&i64, &Vec<AccessId>)| {
            let mut all = inside(accesses, all, span);
            all.find(|id| !self.decided.gone.contains(id))
        };
        let stores = &members.by_constant;
        let before = stores.range(..start).rev().take(NEAREST);
        let after = stores.range(start..).take(NEAREST);
        let found = [
            before.filter_map(|one| executed(&one)).next(),
            after.filter_map(|one| executed(&one)).next(),
        ];
        for access in found.into_iter().flatten() {
            let Some(address) = self.known.events[accesses.get(access).event as usize].address
            else {
                continue;
            };
            let how = How::Proved(Disjoint::Terms(Apart {
                address,
                reading: Reading::Abstract,
                under: Under::Nothing,
            }));
            let range = guarded.range();
            passed.push(Passed { access, how, range });
        }
    }

    /// Shows that no load of a run reads the guarded bytes.
    ///
    /// # Errors
    /// The first that may, or the budget is spent.
    pub fn no_load(
        &mut self,
        (block, span): &Span,
        guarded: &Guarded,
        passed: &mut Vec<Passed>,
    ) -> Result<(), Kept> {
        let accesses = self.known.accesses;
        let all = &accesses.block(*block).accesses;
        let inside: Vec<AccessId> = inside(accesses, all, span).collect();
        self.spend(inside.len())?;
        for id in inside {
            let access = accesses.get(id);
            if access.is_store || self.decided.gone.contains(&id) {
                continue;
            }
            match self.are_apart(id, guarded) {
                Some(how) => {
                    let (access, range) = (id, guarded.range());
                    passed.push(Passed { access, how, range });
                }
                None if active(Mutation::DeadStoreIsRead) => {}
                None => return Err(Kept::Read(id)),
            }
        }
        Ok(())
    }

    fn objects_apart(&mut self, class: ClassId, guarded: &Guarded) -> Option<Harmless> {
        let bytes = &self.known.accesses.class(class).bytes;
        let assumed = self.known.assumed;
        *self
            .objects
            .entry((class, guarded.class))
            .or_insert_with(|| alias::objects_apart(bytes, guarded.bytes, assumed))
    }

    /// The outermost loop around a block whose iterations may be others there than those that an address in `here` speaks of.
    fn other_iteration(&self, block: BlockId, here: BlockId, crossed: &[LoopId]) -> Option<LoopId> {
        let loops = &self.known.analyses.loops;
        let differs = |id: &LoopId| !loops.contains(*id, here) || crossed.contains(id);
        loops.around(block).filter(differs).last()
    }
}

/// Those of ascending accesses that lie in a run.
fn inside<'a>(
    accesses: &'a Accesses,
    all: &'a [AccessId],
    span: &Range<u32>,
) -> impl Iterator<Item = AccessId> + 'a {
    let start = all.partition_point(|&id| accesses.get(id).position < span.start);
    let end = all.partition_point(|&id| accesses.get(id).position < span.end);
    all[start..end.max(start)].iter().copied()
}
