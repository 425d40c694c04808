//! Which of the accesses of a run of instructions may touch certain bytes.

use super::checks::{Checks, GapId};
use super::entry::Roots;
use super::exits::Loops;
use super::reason::Kept;
use super::region::Region;
use crate::Session;
use ptxasw_base::mutation::{Mutation, active};
use ptxasw_emulator::dependence::{
    AccessId, Accesses, ClassId, Guarded, MemoryAccess, Span, other_iteration, overlap,
};
use ptxasw_emulator::domains::alias::{self, Bytes, Harmless};
use ptxasw_emulator::solver::disjoint::{Apart, Disjoint, Separation, Under};
use ptxasw_emulator::solver::{Reading, Solver};
use ptxasw_emulator::term::{TermId, Terms};
use ptxasw_emulator::trace::Event;
use ptxasw_ir::analyses::Analyses;
use ptxasw_ir::function::{BlockId, Function};
use ptxasw_ir::loops::LoopId;
use ptxasw_ir::patch::Positions;
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// Accesses that are looked at one by one for each access of a function, in the mean.
const STEPS_EACH: usize = 256;
/// Accesses that may be looked at in any function, however few it has.
const STEPS_LEAST: usize = 1 << 16;

/// Stores on one side that are searched for one to record.
const NEAREST: usize = 8;

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

impl Passed {
    /// An access that leaves guarded bytes alone.
    pub fn new(access: AccessId, how: How, guarded: &Guarded) -> Self {
        let Guarded { bytes, here, .. } = *guarded;
        let (address, count) = (bytes.address, bytes.count);
        Passed {
            access,
            how,
            range: ByteRange {
                address,
                count,
                here,
            },
        }
    }
}

/// What is known of a function before the first decision.
pub struct Known<'a> {
    /// What was chosen by the user.
    pub session: &'a Session<'a>,
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
    pub positions: Positions<'a>,
    /// The pointers that addresses are made of.
    pub roots: &'a Roots,
    /// How far loops get.
    pub loops: Loops<'a>,
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
    /// Of the function.
    pub known: Known<'a>,
    /// By the pass, up to now.
    pub decided: Decided,
    /// The arena of the terms of addresses.
    pub terms: &'a mut Terms,
    /// Decides whether two accesses share a byte.
    pub separation: Separation<'a>,
    /// What decides what algebra can't.
    pub solver: &'a mut dyn Solver,
    /// What may be tested at the kernel's entry, if anything.
    pub checks: Option<Checks<'a>>,
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
        let event = &self.known.events[access.event as usize];
        let later = (guarded.place, guarded.bytes.count);
        if other.is_none() && overlap((access.place, event.bytes), later) {
            // A solver would add nothing.
            let ignored = active(Mutation::OverlapOfPartIgnored);
            return ignored.then_some(How::Proved(Disjoint::Structure(Harmless::Distance)));
        }
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
        let bytes = self.bytes(self.known.accesses.get(id));
        match alias::objects_apart(&bytes, guarded.bytes, self.known.session.memory.assumed) {
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
        span: &Span,
        guarded: &Guarded,
        crossed: &[LoopId],
        passed: &mut Vec<Passed>,
    ) -> Result<(), Kept> {
        let Known {
            session,
            accesses,
            analyses,
            ..
        } = self.known;
        let assumed = session.memory.assumed;
        let steps = accesses.steps_of_stored(span);
        if steps == 0 || active(Mutation::StaleForward) {
            return Ok(());
        }
        self.spend(steps)?;
        let other = other_iteration(&analyses.loops, span.0, guarded.here, crossed);
        let asked = guarded.in_iteration(other);
        let mut open = Vec::new();
        for class in accesses.stored(span) {
            open.clear();
            if let Some(how) =
                accesses.may_write(class, span, &asked, assumed, usize::MAX, &mut open)
            {
                let stores = &accesses.block(span.0).stores[&class];
                if matches!(how, Harmless::Parameters | Harmless::Declared)
                    && let Some(first) = accesses.inside(&stores.all, &span.1).next()
                {
                    let how = How::Proved(Disjoint::Structure(how));
                    passed.push(Passed::new(first, how, guarded));
                }
                continue;
            }
            self.spend(open.len())?;
            for &id in &open {
                if self.decided.gone.contains(&id) {
                    continue;
                }
                let how = self.passes(id, guarded, other).ok_or(Kept::Store(id))?;
                passed.push(Passed::new(id, how, guarded));
            }
            if session.certificates && other.is_none() {
                // Stores that differ by constants alone.
                self.record_nearest(class, span, guarded, passed);
            }
        }
        Ok(())
    }

    /// For certificates: the nearest stores of one shape before and after the guarded bytes, which their constants keep apart.
    fn record_nearest(
        &self,
        class: ClassId,
        (block, span): &Span,
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
            let mut all = accesses.inside(all, span);
            all.find(|id| !self.decided.gone.contains(id))
        };
        let stores = &accesses.block(*block).stores[&class].by_constant;
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
            passed.push(Passed::new(access, how, guarded));
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
        let inside: Vec<AccessId> = accesses.inside(all, span).collect();
        self.spend(inside.len())?;
        for id in inside {
            let access = accesses.get(id);
            if access.is_store || self.decided.gone.contains(&id) {
                continue;
            }
            match self.are_apart(id, guarded) {
                Some(how) => passed.push(Passed::new(id, how, guarded)),
                None if active(Mutation::DeadStoreIsRead) => {}
                None => return Err(Kept::Read(id)),
            }
        }
        Ok(())
    }
}
