//! What an iteration loads, and how many iterations make a batch.

use super::conditions::in_each;
use super::is_in;
use super::refusal::Refusal;
use crate::Session;
use crate::memory::ahead;
use crate::rules::LoopRules;
use ptxasw_base::mutation::{Mutation, active};
use ptxasw_ir::function::{BlockId, Function, InstId, Value, ValueDef};
use ptxasw_ir::loops::LoopId;
use ptxasw_ir::opcode::{Access, Opcode};
use ptxasw_ir::types::Space;
use rustc_hash::FxHashMap;

/// Bytes of a register.
const REGISTER: u32 = 4;

/// What the address of a load rests on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rests {
    /// On nothing that the loop loads.
    Pure,
    /// On a load of its own iteration.
    OnLoad,
    /// On a load of an iteration before.
    OnEarlier,
}

/// The loads of a loop that wait for memory.
pub struct LoopLoads {
    /// Loads of global or generic memory, conditional ones included.
    pub all: Vec<InstId>,
    /// Those that every iteration executes, whose addresses do not wait for others.
    pub direct: Vec<InstId>,
    /// Whether others of each iteration wait for loads of the iteration before.
    chased: bool,
    /// Weak stores of the loop that loads may have to pass.
    stores: Vec<InstId>,
}

impl LoopLoads {
    /// Of an innermost loop.
    pub fn of(session: &Session, id: LoopId) -> Self {
        let (function, loops) = (session.function, &session.analyses().loops);
        let (blocks, latches) = (loops.blocks(id), &loops.get(id).latches);
        let all: Vec<InstId> = all(session, id).collect();
        let mut slices = Slices {
            session,
            blocks,
            header: loops.get(id).header,
            latches,
            known: FxHashMap::default(),
        };
        let each = all.iter().copied().filter(|&inst| {
            let inst = function.inst(inst);
            inst.guard.is_none() && in_each(session, inst.block, latches)
                || active(Mutation::ConditionalLoadFirst)
        });
        let each: Vec<(InstId, Rests)> = each.map(|inst| (inst, slices.address(inst))).collect();
        let direct = each
            .iter()
            .filter(|one| one.1 == Rests::Pure)
            .map(|one| one.0);
        let direct: Vec<InstId> = direct.collect();
        let insts = blocks
            .iter()
            .flat_map(|&block| &function.block(block).insts);
        let stores = insts
            .copied()
            .filter(|&inst| may_meet(function, inst, &all));
        LoopLoads {
            stores: stores.collect(),
            chased: each.iter().any(|one| one.1 == Rests::OnEarlier),
            all,
            direct,
        }
    }

    /// Whether the direct loads can pass the stores of the iterations before: a batch waits once in each iteration for one that stays in its own.
    ///
    /// # Errors
    /// [`Refusal::Stored`] where one can't.
    pub fn pass_stores(
        &self,
        session: &Session,
        blocks: &[BlockId],
        ahead: u32,
    ) -> Result<(), Refusal> {
        if self.stores.is_empty() || self.direct.is_empty() {
            return Ok(());
        }
        match ahead::first_hit(session, blocks, &self.direct, ahead) {
            Some(store) => Err(Refusal::Stored(store)),
            None => Ok(()),
        }
    }

    /// Whether the assembler, which knows nothing of distances, keeps some of the direct loads behind stores of the iterations before.
    pub fn meet_stores(&self, session: &Session) -> bool {
        let mut direct = self.direct.iter();
        let stays = |&load: &InstId| {
            let access = waits(session.function, load);
            access.is_some_and(|access| !access.non_coherent)
        };
        !self.stores.is_empty() && direct.any(stays)
    }

    /// Whether the loop stores what loads may have to pass.
    pub fn are_stored(&self) -> bool {
        !self.stores.is_empty()
    }

    /// How many iterations make a batch: so many that what they load stays within the rule.
    ///
    /// # Errors
    /// Nothing is gained by them.
    pub fn iterations(&self, session: &Session, rule: &LoopRules) -> Result<u32, Refusal> {
        if self.direct.is_empty() {
            return Err(match self.chased {
                true => Refusal::Chased,
                false => Refusal::Conditional,
            });
        }
        let function = session.function;
        let accesses = self.direct.iter().filter_map(|&inst| waits(function, inst));
        let registers: u32 = accesses
            .map(|access| access.bytes().div_ceil(REGISTER))
            .sum();
        let sizes = rule.iterations.iter().copied();
        let sizes = sizes.filter(|&size| session.memory.batches(size));
        let mut fits = sizes.filter(|size| size * registers <= rule.registers);
        fits.next().ok_or(Refusal::InFlight(registers))
    }
}

/// The first load of a loop that may wait for memory.
pub fn first(session: &Session, id: LoopId) -> Option<InstId> {
    all(session, id).next()
}

/// The loads of a loop that may wait for memory.
fn all<'a>(session: &'a Session, id: LoopId) -> impl Iterator<Item = InstId> + 'a {
    let function = session.function;
    let blocks = session.analyses().loops.blocks(id).iter();
    let insts = blocks.flat_map(|&block| &function.block(block).insts);
    insts
        .copied()
        .filter(|&inst| waits(function, inst).is_some())
}

/// Whether an instruction stores where one of some loads may read: a generic load reads shared memory, too.
fn may_meet(function: &Function, inst: InstId, loads: &[InstId]) -> bool {
    let Opcode::Store(store) = function.inst(inst).opcode else {
        return false;
    };
    let mut read = loads.iter().filter_map(|&load| waits(function, load));
    read.any(|load| load.space.may_overlap(store.space))
}

/// The access of a load that may wait for memory.
fn waits(function: &Function, inst: InstId) -> Option<Access> {
    match function.inst(inst).opcode {
        Opcode::Load(access) if matches!(access.space, Space::Global | Space::Generic) => {
            Some(access)
        }
        _ => None,
    }
}

/// What values rest on.
struct Slices<'a> {
    session: &'a Session<'a>,
    blocks: &'a [BlockId],
    header: BlockId,
    latches: &'a [BlockId],
    known: FxHashMap<Value, Rests>,
}

impl Slices<'_> {
    fn address(&mut self, load: InstId) -> Rests {
        let inst = self.session.function.inst(load);
        inst.args
            .first()
            .map_or(Rests::Pure, |&address| self.of(address))
    }

    /// Each value is looked at once. What goes round in the loop rests on what its latches hand on; while that is looked at, it is taken
    /// for pure, which a ring of pure operations is.
    fn of(&mut self, value: Value) -> Rests {
        let mut order = Vec::new();
        self.reached(value, &mut order);
        // Of a header's parameter the loads that its ring passes; each pass over them hands one on, and there are three states.
        loop {
            let mut changes = false;
            for &one in order.iter().rev() {
                let rests = self.rests(one);
                changes |= self.known.insert(one, rests) != Some(rests);
            }
            if !changes {
                break;
            }
        }
        self.known.get(&value).copied().unwrap_or(Rests::Pure)
    }

    /// All values of the loop that one rests on.
    fn reached(&mut self, value: Value, order: &mut Vec<Value>) {
        let mut work = vec![value];
        while let Some(one) = work.pop() {
            if self.known.contains_key(&one) || !self.is_of_loop(one) {
                continue;
            }
            self.known.insert(one, Rests::Pure);
            order.push(one);
            work.extend(self.operands(one));
        }
    }

    fn is_of_loop(&self, value: Value) -> bool {
        match self.session.function.value(value).def {
            ValueDef::Result(id, _) => is_in(self.session, id, self.blocks),
            ValueDef::Parameter(block, _) => self.blocks.contains(&block),
            _ => false,
        }
    }

    fn operands(&self, value: Value) -> Vec<Value> {
        let function = self.session.function;
        match function.value(value).def {
            ValueDef::Result(id, _) => function.inst(id).args.to_vec(),
            ValueDef::Parameter(block, number) => {
                let from = match block == self.header {
                    true => self.latches.to_vec(),
                    false => self.session.analyses().cfg.predecessors(block).collect(),
                };
                let targets = from
                    .iter()
                    .flat_map(|&one| function.block(one).terminator.targets());
                let targets = targets.filter(|target| target.block == block);
                targets
                    .filter_map(|target| target.args.get(usize::from(number)).copied())
                    .collect()
            }
            _ => Vec::new(),
        }
    }

    fn rests(&self, value: Value) -> Rests {
        let function = self.session.function;
        let operands = self.operands(value).into_iter();
        let operands = operands
            .filter_map(|one| self.known.get(&one).copied())
            .max();
        let operands = operands.unwrap_or(Rests::Pure);
        match function.value(value).def {
            ValueDef::Result(id, _) if matches!(function.inst(id).opcode, Opcode::Load(_)) => {
                operands.max(Rests::OnLoad)
            }
            ValueDef::Parameter(block, _) if block == self.header && operands > Rests::Pure => {
                Rests::OnEarlier
            }
            _ => operands,
        }
    }
}
