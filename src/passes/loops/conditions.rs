//! The exit conditions of later iterations, computed at the header by the instructions of the loop itself (L7, L8), and what those
//! load.

use super::is_in;
use super::refusal::Refusal;
use super::shape::{LoopExit, Shape};
use crate::Session;
use ptxasw_base::mutation::{Mutation, active};
use ptxasw_ir::function::{BlockId, InstId, Value, ValueDef};
use ptxasw_ir::op::Op;
use ptxasw_ir::opcode::Opcode;
use ptxasw_ir::patch::{Cursor, Readable, Ref};
use rustc_hash::FxHashMap;

/// Instructions that the conditions of one iteration, or the address of one load, may take.
const MAX_STEPS: usize = 32;

/// Computes what later iterations of a loop compute.
pub struct Later<'a> {
    /// The pass's view of the function and its text.
    pub session: &'a Session<'a>,
    /// The loop whose later iterations are computed.
    pub shape: &'a Shape,
    /// Values of later iterations; iteration 0 is the next one.
    pub known: FxHashMap<(Value, u32), Ref>,
    /// Steps that may still be made.
    left: usize,
    /// The iterations are known to run, and this load may be executed.
    load: Option<InstId>,
}

impl<'a> Later<'a> {
    /// Nothing is computed yet.
    pub fn new(session: &'a Session<'a>, shape: &'a Shape) -> Self {
        Later {
            session,
            shape,
            known: FxHashMap::default(),
            left: 0,
            load: None,
        }
    }

    /// Whether the next iterations all run to their ends: one bit. An exit in front of the end is asked for in each of them, the one
    /// at the end in all but the last, which asks by itself.
    ///
    /// # Errors
    /// What they need is not there at the header.
    pub fn all(&mut self, iterations: u32, at: &mut Cursor) -> Result<Ref, Refusal> {
        let mut all: Option<Ref> = None;
        let short = u32::from(active(Mutation::BatchTooLong));
        let exits = &self.shape.exits;
        let asked = if active(Mutation::ExitForgotten) {
            1
        } else {
            exits.len()
        };
        let iterations = iterations - short;
        for iteration in 0..iterations {
            let is_last = iteration + 1 == iterations;
            self.left = MAX_STEPS;
            for exit in &exits[..asked] {
                if is_last && exit.at_end {
                    continue;
                }
                let on = self.on(exit, iteration, at)?;
                all = Some(match all {
                    None => on,
                    Some(all) => at.single(Op::And { width: 1 }, &[all, on]),
                });
            }
        }
        all.ok_or(Refusal::Endless)
    }

    /// What a value that completes a load's statement is in an iteration which is known to run.
    ///
    /// # Errors
    /// The address is not there at the header.
    pub fn loaded(
        &mut self,
        load: InstId,
        value: Value,
        iteration: u32,
        at: &mut Cursor,
    ) -> Result<Ref, Refusal> {
        (self.left, self.load) = (MAX_STEPS, Some(load));
        let loaded = self.value(value, iteration, at);
        self.load = None;
        loaded
    }

    fn on(&mut self, exit: &LoopExit, iteration: u32, at: &mut Cursor) -> Result<Ref, Refusal> {
        let condition = self.value(exit.condition, iteration, at)?;
        Ok(match exit.on_where {
            true => condition,
            false => at.single(Op::Xor { width: 1 }, &[condition, Ref::Constant(1, 1)]),
        })
    }

    /// A value as an iteration has it.
    fn value(&mut self, value: Value, iteration: u32, at: &mut Cursor) -> Result<Ref, Refusal> {
        if let Some(&known) = self.known.get(&(value, iteration)) {
            return Ok(known);
        }
        let data = self.session.function.value(value);
        let made = match data.def {
            ValueDef::Constant(bits) => Ref::Constant(data.width, bits),
            ValueDef::Special(special) if special.changes() => return Err(Refusal::Changes),
            ValueDef::Special(special) => Ref::Special(data.width, special),
            ValueDef::Undefined => return Err(Refusal::Path),
            ValueDef::Parameter(block, number) if block == self.shape.header => match iteration {
                0 => self.read(value)?,
                _ if active(Mutation::IterationNotCounted) => self.read(value)?,
                _ => {
                    let next = self.handed_on(number)?;
                    self.value(next, iteration - 1, at)?
                }
            },
            ValueDef::Parameter(block, _) if self.shape.blocks.contains(&block) => {
                return Err(Refusal::Path);
            }
            ValueDef::Result(id, number) if is_in(self.session, id, &self.shape.blocks) => {
                self.computed(id, iteration, at)?[usize::from(number)]
            }
            _ => self.read(value)?,
        };
        self.known.insert((value, iteration), made);
        Ok(made)
    }

    /// A value of the original: of the header's parameters, or from in front of the loop.
    fn read(&self, value: Value) -> Result<Ref, Refusal> {
        match self.session.text.readable(value) {
            Readable::No => Err(Refusal::Unreadable),
            _ => Ok(Ref::Value(value)),
        }
    }

    /// What every latch hands on for a parameter of the header.
    fn handed_on(&self, number: u16) -> Result<Value, Refusal> {
        let function = self.session.function;
        let edges = self.shape.latches.iter().flat_map(|&latch| {
            let targets = function.block(latch).terminator.targets().into_iter();
            targets.filter(|target| target.block == self.shape.header)
        });
        let mut values = edges.map(|target| target.args.get(usize::from(number)).copied());
        let first = values.next().flatten().ok_or(Refusal::Path)?;
        match values.all(|other| other == Some(first)) {
            true => Ok(first),
            false => Err(Refusal::Path),
        }
    }

    /// The results of an instruction of the loop in an iteration.
    fn computed(
        &mut self,
        id: InstId,
        iteration: u32,
        at: &mut Cursor,
    ) -> Result<Vec<Ref>, Refusal> {
        let inst = self.session.function.inst(id);
        let may_repeat = match &inst.opcode {
            Opcode::Op(op) => is_repeatable(op, self.load.is_some()),
            Opcode::Load(_) => self.load == Some(id) || active(Mutation::LoadedExitBatched),
            _ => false,
        };
        if !may_repeat {
            return Err(Refusal::Loaded(id));
        }
        self.left = self.left.checked_sub(1).ok_or(Refusal::Large(MAX_STEPS))?;
        let mut args = Vec::with_capacity(inst.args.len());
        for &arg in &inst.args {
            args.push(self.value(arg, iteration, at)?);
        }
        let function = self.session.function;
        let widths: Vec<u8> = inst
            .results
            .iter()
            .map(|&one| function.value(one).width)
            .collect();
        let results = at.inst(inst.opcode.clone(), &args, &widths, None);
        let results: Vec<Ref> = results.into_iter().map(Ref::New).collect();
        for (&result, &made) in inst.results.iter().zip(&results) {
            self.known.insert((result, iteration), made);
        }
        Ok(results)
    }
}

/// Whether an operation may be executed earlier, and, unless its iteration is known to run, where the original might not: a division by
/// zero is undefined in LLVM IR. Carries are a register of their own.
fn is_repeatable(op: &Op, runs: bool) -> bool {
    match op {
        Op::Div { .. } | Op::Rem { .. } => runs,
        Op::Carry { .. } | Op::MulAddCarry { .. } => false,
        _ => true,
    }
}

/// Whether a block is executed in each iteration that ends.
pub fn in_each(session: &Session, block: BlockId, latches: &[BlockId]) -> bool {
    let dominators = &session.analyses().dominators;
    latches
        .iter()
        .all(|&latch| dominators.dominates(block, latch))
}
