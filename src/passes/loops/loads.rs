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

    /// Leaves out loads that stores of the iterations before keep in their places.
    ///
    /// # Errors
    /// [`Refusal::Stored`] where no direct load is left.
    pub fn pass_stores(
        &mut self,
        session: &Session,
        blocks: &[BlockId],
        rule: &LoopRules,
    ) -> Result<(), Refusal> {
        if self.stores.is_empty() || self.direct.is_empty() {
            return Ok(());
        }
        let ahead = self.iterations(session.function, rule)? - 1;
        let (free, hit) = ahead::pass_stores(session, blocks, &self.direct, ahead);
        self.direct = free;
        match hit {
            Some(store) if self.direct.is_empty() => Err(Refusal::Stored(store)),
            _ => Ok(()),
        }
    }

    /// Whether the loop stores what loads may have to pass.
    pub fn are_stored(&self) -> bool {
        !self.stores.is_empty()
    }

    /// How many iterations make a batch: so many that what they load stays within the rule.
    ///
    /// # Errors
    /// Nothing is gained by them.
    pub fn iterations(&self, function: &Function, rule: &LoopRules) -> Result<u32, Refusal> {
        if self.direct.is_empty() {
            return Err(match self.chased {
                true => Refusal::Chased,
                false => Refusal::Conditional,
            });
        }
        let accesses = self.direct.iter().filter_map(|&inst| waits(function, inst));
        let registers: u32 = accesses
            .map(|access| access.bytes().div_ceil(REGISTER))
            .sum();
        let sizes = rule.iterations.iter().copied();
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
